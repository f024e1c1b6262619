"""One file, one family of methods that make holes; this module only finds them.

A method is a subclass of `Method` (in `missingness/contract.py`) with a `name`, in a module
of this folder; `method="name"` then works.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from typing import Any

from ..contract import Method

__all__ = ["Method", "all_methods", "get_method"]

DEFAULTS = {"MCAR": "exact", "MAR": "logistic", "MNAR": "logistic"}


@cache
def all_methods() -> dict[str, type[Method]]:
    """Find every method of this folder.

    Returns
    -------
    dict
        From name to class, in alphabetical order.
    """
    found: dict[str, type[Method]] = {}
    for module in pkgutil.iter_modules(__path__):
        members = vars(importlib.import_module(f"{__name__}.{module.name}")).values()
        for member in members:
            if isinstance(member, type) and issubclass(member, Method) and member.name:
                found[member.name] = member
    return dict(sorted(found.items()))


def get_method(method: Any, mechanism: str, options: dict[str, Any]) -> Method:
    """Find a method by name, or take an object, and check that it makes the mechanism.

    Parameters
    ----------
    method : str, Method or None
        None = "exact" for MCAR, "logistic" for MAR and MNAR.
    mechanism : {"MCAR", "MAR", "MNAR"}
    options : dict
        Parameters of the method, when it is given by name.

    Returns
    -------
    Method

    Raises
    ------
    ValueError
        For an unknown name, a mechanism that the method cannot make, and bad parameters.
    TypeError
        For anything that is neither a name nor an object, and for unknown parameters.
    """
    if isinstance(method, type) and issubclass(method, Method):
        raise TypeError(f"method={method.__name__} is a class; pass an object, or its name.")
    if not (method is None or isinstance(method, (str, Method))):
        raise TypeError(f"method={method!r} must be the name of a method, a Method or None.")
    if not isinstance(method, Method):
        name, known = method or DEFAULTS[mechanism], all_methods()
        if name not in known:
            choices = ", ".join(map(repr, known))
            raise ValueError(f"method={name!r} is not a known method; choose one of {choices}.")
        takes = known[name]._get_param_names()
        for option in options:
            if option not in takes:
                able = ", ".join(takes) or "no options"
                raise TypeError(
                    f"{option}={options[option]!r} does not apply to method={name!r}, which takes "
                    f"{able}."
                )
        method = known[name](**options)
    elif options:
        option = next(iter(options))
        raise TypeError(f"{option}={options[option]!r}: give it to the method object itself.")
    if mechanism not in method.mechanisms:
        able = ", ".join(
            repr(name) for name, cls in all_methods().items() if mechanism in cls.mechanisms
        )
        raise ValueError(
            f"method={method.name!r} makes {' and '.join(method.mechanisms)}, not {mechanism}; "
            f"for {mechanism} choose one of {able}."
        )
    method.check()
    return method


def __getattr__(name: str) -> Any:
    """Find a class by its name, so that `methods.Censor` works."""
    for cls in all_methods().values():
        if cls.__name__ == name:
            return cls
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, *(cls.__name__ for cls in all_methods().values())])
