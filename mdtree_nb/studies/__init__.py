"""Published studies as experiments: one file, one study.

A module here has a function of its own name that returns an `Experiment`; being there is
enough for `mdtree-nb experiment NAME`. What a publication does not say is in the docstring.
"""

from __future__ import annotations

import importlib
import pkgutil
from typing import Any

from .eig2020 import eig2020, eig_tables
from .twala2020 import twala2020

__all__ = ["eig2020", "eig_tables", "get_study", "list_studies", "twala2020"]


def list_studies() -> list[str]:
    """List the studies.

    Returns
    -------
    list of str
    """
    return sorted(module.name for module in pkgutil.iter_modules(__path__))


def get_study(name: str) -> Any:
    """Find the function that makes a study's experiment.

    Parameters
    ----------
    name : str

    Returns
    -------
    callable

    Raises
    ------
    ValueError
        For an unknown name.
    """
    if name not in list_studies():
        choices = ", ".join(map(repr, list_studies()))
        raise ValueError(f"study={name!r} is not known; choose one of {choices}.")
    return getattr(importlib.import_module(f"{__name__}.{name}"), name)
