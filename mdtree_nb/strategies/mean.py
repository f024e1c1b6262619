"""mean: fill in the mean, or the most frequent level."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..imputation.fills import check_fills, check_finite, column_fills, fill_holes, mean_of
from ..schema import Schema
from ..table import Table
from ..tree.prepared import Prepared
from ..tree.strategy import Strategy


class Mean(Strategy):
    """Fill missing numbers with the column's mean, missing categories with its mode.

    Means and modes are weighted, come from the training rows alone and are used again for
    the rows to predict. Ties between levels go to the first. A column without any known
    value is filled with 0 (or its first level): it keeps its place and cannot be split
    on; `state` lists it under "empty".

    Raises
    ------
    StrategyNotApplicable
        When a column holds an infinity, whose mean is none.
    """

    name = "mean"
    mode = "known"
    plain = True
    checked_against = "scikit-learn's SimpleImputer"

    def prepare(
        self,
        table: Table,
        y: NDArray[Any],
        w: NDArray[np.float64] | None,
        rng: np.random.RandomState,
    ) -> Prepared:
        """Compute the fills and put them in."""
        check_finite(table, self.name)
        fills, empty = column_fills(table, w, mean_of)
        return Prepared([fill_holes(table, fills)], None, {"fills": fills, "empty": empty})

    def transform(self, table: Table, state: dict[str, Any]) -> list[Table]:
        """Put the training fills into the holes."""
        return [fill_holes(table, state["fills"])]

    def check_state(self, state: dict[str, Any], schema: Schema) -> None:
        """Ask for one finite number per column, or the number of one of its levels."""
        check_fills(state, schema)
