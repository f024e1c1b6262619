"""mode: fill in the most common value, for numbers that of the fullest sub-range."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..imputation.fills import check_fills, check_finite, column_fills, fill_holes
from ..imputation.parameters import check_counts
from ..schema import Schema
from ..table import Table
from ..tree.prepared import Prepared
from ..tree.strategy import Strategy


class Mode(Strategy):
    """Fill holes with the most common value, as CN2 does.

    A category gets its most frequent level; a number the middle of the fullest of
    `n_ranges` equal parts of the range of the known values. Counts are weighted and of the
    training rows; of equals the first level and the lowest part win. A value on the border
    of two parts belongs to the upper one. A column without any known value is filled with 0
    (or its first level), and `state` lists it under "empty".

    Parameters
    ----------
    n_ranges : int, default=10

    Raises
    ------
    StrategyNotApplicable
        When a column holds an infinity.

    References
    ----------
    .. [1] P. Clark, T. Niblett, "The CN2 induction algorithm", Machine Learning 3, 1989.
    """

    name = "mode"
    mode = "known"
    plain = True
    checked_against = "scikit-learn's SimpleImputer (categories); numpy.histogram (numbers)"

    def __init__(self, n_ranges: int = 10):
        self.n_ranges = n_ranges

    def check(self) -> None:
        """Refuse a number of parts that is none."""
        check_counts(self, n_ranges=1)

    def prepare(
        self,
        table: Table,
        y: NDArray[Any],
        w: NDArray[np.float64] | None,
        rng: np.random.RandomState,
    ) -> Prepared:
        """Find the fills and put them in."""
        check_finite(table, self.name)
        fills, empty = column_fills(table, w, partial(_fullest, n_ranges=self.n_ranges))
        return Prepared([fill_holes(table, fills)], None, {"fills": fills, "empty": empty})

    def transform(self, table: Table, state: dict[str, Any]) -> list[Table]:
        """Put the training fills into the holes."""
        return [fill_holes(table, state["fills"])]

    def check_state(self, state: dict[str, Any], schema: Schema) -> None:
        """Ask for one finite number per column, or the number of one of its levels."""
        check_fills(state, schema)


def _fullest(
    known: NDArray[np.float64], weights: NDArray[np.float64] | None, n_ranges: int
) -> float:
    """Middle of the fullest of equal parts of the range."""
    shrink = 2.0**-64 if np.abs(known).max() > 1e280 else 1.0  # nothing below may overflow
    known = known * shrink
    low, high = known.min(), known.max()
    if low == high:
        return float(low / shrink)
    place = np.minimum((known - low) * n_ranges / (high - low), n_ranges - 1)
    middle = (int(np.bincount(place.astype(np.intp), weights).argmax()) + 0.5) / n_ranges
    return float((low + middle * (high - low)) / shrink)
