"""indicator: fill in the mean or mode, and let the tree ask what was missing."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..imputation.fills import check_fills, check_finite, column_fills, fill_holes, mean_of
from ..schema import Schema
from ..table import Table
from ..tree.prepared import Prepared
from ..tree.strategy import Strategy


class Indicator(Strategy):
    """Fill holes as `mean` does, and add a column of 0 and 1 per column that had some.

    The tree may test the added columns; conditions then read "Pulse is missing". A hole in a
    column that had none at fit is filled without such a column. What the added columns earn
    counts for the column that they are about (`feature_importances_`), and whatever strategy
    predicts, rows to predict get them too.

    Raises
    ------
    StrategyNotApplicable
        When a column holds an infinity, whose mean is none.
    """

    name = "indicator"
    mode = "known"
    plain = True
    checked_against = "scikit-learn's SimpleImputer(add_indicator=True)"

    def prepare(
        self,
        table: Table,
        y: NDArray[Any],
        w: NDArray[np.float64] | None,
        rng: np.random.RandomState,
    ) -> Prepared:
        """Compute the fills, put them in, and add the columns."""
        check_finite(table, self.name)
        fills, empty = column_fills(table, w, mean_of)
        holes = np.flatnonzero(np.isnan(table.values).any(axis=0))
        schema = table.schema.with_indicators(holes.tolist())
        filled = fill_holes(table, fills).with_indicators(table, schema)
        return Prepared([filled], None, {"fills": fills, "empty": empty})

    def transform(self, table: Table, state: dict[str, Any]) -> list[Table]:
        """Put the training fills into the holes; the tree's schema says what is added."""
        return [fill_holes(table, state["fills"])]

    def check_state(self, state: dict[str, Any], schema: Schema) -> None:
        """Ask for one finite number per column, or the number of one of its levels."""
        check_fills(state, schema)
