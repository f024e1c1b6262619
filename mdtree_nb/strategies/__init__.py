"""One file, one missing-value strategy; this module only finds them.

A strategy is a subclass of `mdtree_nb.tree.strategy.Strategy` with a `name`, in a module
of this folder. Being there is enough: `missing="name"` works, the contract tests run over
it, and comparisons include it. CONTRIBUTING shows how to write one.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from typing import Any

from ..tree.prepared import Prepared, StrategyNotApplicable
from ..tree.strategy import Strategy

__all__ = [
    "Prepared",
    "Strategy",
    "StrategyNotApplicable",
    "all_strategies",
    "get_strategy",
]


@cache
def all_strategies() -> dict[str, type[Strategy]]:
    """Find every strategy of this folder.

    Returns
    -------
    dict
        From name to class, in alphabetical order; without the aliases.
    """
    found: dict[str, type[Strategy]] = {}
    for module in pkgutil.iter_modules(__path__):
        members = vars(importlib.import_module(f"{__name__}.{module.name}")).values()
        for member in members:
            if isinstance(member, type) and issubclass(member, Strategy) and member.name:
                found[member.name] = member
    return dict(sorted(found.items()))


def get_strategy(missing: Any, parameter: str = "missing") -> Strategy:
    """Find a strategy by name, or take an object as it is.

    Parameters
    ----------
    missing : str or Strategy
    parameter : str
        Name of the argument that the user wrote, for the message.

    Returns
    -------
    Strategy

    Raises
    ------
    ValueError
        For an unknown name, and for parameters that make no sense.
    TypeError
        For anything that is neither a name nor a strategy object.
    """
    if isinstance(missing, Strategy):
        missing.check()
        return missing
    if isinstance(missing, type) and issubclass(missing, Strategy):
        raise TypeError(
            f"{parameter}={missing.__name__} is a class; pass an object, {missing.__name__}()."
        )
    if not isinstance(missing, str):
        raise TypeError(f"{parameter}={missing!r} must be the name of a strategy or a Strategy.")
    if missing == "auto":
        raise ValueError(
            f"{parameter}='auto' is no strategy: the estimators' missing='auto' searches for one "
            "while it fits; name a strategy here."
        )
    known = all_strategies()
    aliases = {alias: name for name, cls in known.items() for alias in cls.aliases}
    if missing not in known and missing not in aliases:
        more = ["auto"] if parameter == "missing" else []
        names = ", ".join(repr(name) for name in sorted([*known, *aliases, *more]))
        raise ValueError(f"{parameter}={missing!r} is not a known strategy; choose one of {names}.")
    return known[aliases.get(missing, missing)]()


def __getattr__(name: str) -> Any:
    """Find a strategy class by its name, so that `strategies.Learned` works."""
    for cls in all_strategies().values():
        if cls.__name__ == name:
            return cls
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, *(cls.__name__ for cls in all_strategies().values())])
