"""discard: leave out every training row with a missing value."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..table import Table
from ..tree.prepared import Prepared, StrategyNotApplicable
from ..tree.strategy import Strategy


class Discard(Strategy):
    """Grow the tree on the complete rows only (listwise deletion, complete cases).

    Rows to predict keep their holes: a missing value goes to the child with more training
    weight, right when equal.

    Raises
    ------
    StrategyNotApplicable
        When no row is complete; the message names the column with most holes.
    """

    name = "discard"
    mode = "known"
    plain = True
    checked_against = "scikit-learn on the complete rows"

    def prepare(
        self,
        table: Table,
        y: NDArray[Any],
        w: NDArray[np.float64] | None,
        rng: np.random.RandomState,
    ) -> Prepared:
        """Keep the complete rows."""
        is_missing = np.isnan(table.values)
        rows = np.flatnonzero(~is_missing.any(axis=1))
        if not len(rows):
            holes = is_missing.sum(axis=0)
            worst = int(holes.argmax())
            raise StrategyNotApplicable(
                f"missing='discard' needs complete rows, but each of the {table.n_rows} rows "
                f"misses a value; column {table.schema.names[worst]!r} alone misses "
                f"{holes[worst]}. Drop that column or choose another strategy."
            )
        state = {"n_discarded": table.n_rows - len(rows)}
        return Prepared([table.take(rows)], rows, state)
