"""What a strategy makes of a table before a tree sees it, or that it cannot handle it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..table import Table


@dataclass(frozen=True)
class Guesses:
    """What missing training cells might hold: for scoring cuts alone, the cells stay missing.

    Attributes
    ----------
    values : ndarray of shape (n, p), float64
        Looked at where the training table misses a value; NaN = no guess.
    trust : ndarray of shape (p,), float64
        What the known rows of a column count for beside the guessed ones, from 0 to 1; NaN
        = their share of the node's weight.
    """

    values: NDArray[np.float64]
    trust: NDArray[np.float64]


class StrategyNotApplicable(ValueError):
    """A strategy cannot handle this data set; the message says why.

    A comparison shows such a strategy as not applicable instead of ranking it.
    """


@dataclass(frozen=True)
class Prepared:
    """What a strategy makes of the training table.

    Attributes
    ----------
    tables : list of Table
        One training table, or M for multiple imputation.
    rows : ndarray of int or None
        Training rows that are kept, None for all.
    state : dict
        What `transform` needs for later tables; plain numbers and lists, so that it can
        be written as JSON.
    """

    tables: list[Table]
    rows: NDArray[np.intp] | None = None
    state: dict[str, Any] = field(default_factory=dict)
