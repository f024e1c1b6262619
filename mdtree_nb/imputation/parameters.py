"""Parameters that several strategies have, checked in one place."""

from __future__ import annotations

from numbers import Integral
from typing import Any

import numpy as np


def check_counts(strategy: Any, **least: int) -> None:
    """Ask for whole numbers that are large enough.

    Parameters
    ----------
    strategy : Strategy
    **least : int
        Smallest value, by the parameter's name.

    Raises
    ------
    ValueError
    """
    for name, smallest in least.items():
        value = getattr(strategy, name)
        if not isinstance(value, Integral) or isinstance(value, bool) or value < smallest:
            raise ValueError(f"{name}={value!r} must be a whole number of at least {smallest}.")


def check_flags(strategy: Any, *names: str) -> None:
    """Ask for True or False.

    Parameters
    ----------
    strategy : Strategy
    *names : str

    Raises
    ------
    ValueError
    """
    for name in names:
        value = getattr(strategy, name)
        if not isinstance(value, (bool, np.bool_)):
            raise ValueError(f"{name}={value!r} must be True or False.")
