"""Widgets to touch a tree in a notebook; the only room that imports anywidget.

One file, one widget, with its JavaScript beside it; this module only finds them.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from typing import Any

from .base import NotebookWidget

__all__ = ["NotebookWidget", "all_widgets"]


@cache
def all_widgets() -> dict[str, type[NotebookWidget]]:
    """Find every widget of this folder.

    Returns
    -------
    dict
        From name to class, in alphabetical order.
    """
    found: dict[str, type[NotebookWidget]] = {}
    for module in pkgutil.iter_modules(__path__):
        members = vars(importlib.import_module(f"{__name__}.{module.name}")).values()
        for member in members:
            is_one = isinstance(member, type) and issubclass(member, NotebookWidget)
            if is_one and "_summary" in vars(member) and member is not NotebookWidget:
                found[member.__name__] = member
    return dict(sorted(found.items()))


def __getattr__(name: str) -> Any:
    """Find a widget by the name of its class."""
    if name[:1].isupper() and name in all_widgets():  # others are modules, perhaps half loaded
        return all_widgets()[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, *all_widgets()])
