"""One file, one way of cutting a grown tree back; this module only finds them.

A pruning is a subclass of `Pruning` (in `contract.py`) with a `name`, in a module of this
folder; `pruning="name"` then works. Cost-complexity pruning by impurity is a parameter of its
own, `ccp_alpha`, as in scikit-learn, and works on what is left.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from typing import Any

from .contract import Pruning

__all__ = ["Pruning", "all_prunings", "get_pruning"]


@cache
def all_prunings() -> dict[str, type[Pruning]]:
    """Find every pruning of this folder.

    Returns
    -------
    dict
        From name to class, in alphabetical order.
    """
    found: dict[str, type[Pruning]] = {}
    for module in pkgutil.iter_modules(__path__):
        members = vars(importlib.import_module(f"{__name__}.{module.name}")).values()
        for member in members:
            if isinstance(member, type) and issubclass(member, Pruning) and member.name:
                found[member.name] = member
    return dict(sorted(found.items()))


def get_pruning(pruning: Any, task: str) -> Pruning | None:
    """Find a pruning by name, or take an object as it is, and check its parameters.

    Parameters
    ----------
    pruning : str, Pruning or None
    task : {"classification", "regression"}

    Returns
    -------
    Pruning or None

    Raises
    ------
    ValueError
        For an unknown name, a pruning of the other task, and bad parameters.
    TypeError
        For anything that is neither a name nor an object.
    """
    if pruning is None:
        return None
    if isinstance(pruning, type) and issubclass(pruning, Pruning):
        raise TypeError(
            f"pruning={pruning.__name__} is a class; pass an object, {pruning.__name__}()."
        )
    if not isinstance(pruning, (str, Pruning)):
        raise TypeError(f"pruning={pruning!r} must be the name of a pruning, a Pruning or None.")
    known = all_prunings()
    if isinstance(pruning, str):
        if pruning not in known:
            names = ", ".join(map(repr, known))
            raise ValueError(
                f"pruning={pruning!r} is not a known pruning; choose one of {names}, or None. "
                "Cost-complexity pruning is ccp_alpha."
            )
        pruning = known[pruning]()
    if task not in pruning.tasks:
        names = " or ".join(f"pruning={n!r}" for n, c in known.items() if task in c.tasks)
        raise ValueError(
            f"pruning={pruning.name!r} is for {' and '.join(pruning.tasks)}, not for {task}; "
            f"use {names}, or ccp_alpha."
        )
    pruning.check()
    return pruning


def __getattr__(name: str) -> Any:
    """Find a pruning by the name of its class, so that `prunings.Pessimistic` works."""
    for cls in all_prunings().values():
        if cls.__name__ == name:
            return cls
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, *(cls.__name__ for cls in all_prunings().values())])
