"""mean: fill in the mean, or the most frequent level."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..table import Schema, Table
from ..tree.prepared import Prepared, StrategyNotApplicable
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
        fills, empty = [], []
        for f, levels in enumerate(table.schema.levels):
            column = table.values[:, f]
            known = ~np.isnan(column)
            weights = None if w is None else w[known]
            if not known.any():
                empty.append(table.schema.names[f])
                fills.append(0.0)
            elif levels is None:
                fills.append(_mean(column[known], weights, table.schema.names[f]))
            else:
                counts = np.bincount(column[known].astype(np.intp), weights)
                fills.append(float(counts.argmax()))
        state = {"fills": fills, "empty": empty}
        return Prepared(self.transform(table, state), None, state)

    def transform(self, table: Table, state: dict[str, Any]) -> list[Table]:
        """Put the training fills into the holes."""
        fills = np.array(state["fills"])
        values = np.where(np.isnan(table.values), fills, table.values)
        return [table.replace(np.asfortranarray(values))]

    def check_state(self, state: dict[str, Any], schema: Schema) -> None:
        """Ask for one finite number per column, or the number of one of its levels."""
        fills = state.get("fills")
        if not isinstance(fills, list) or len(fills) != schema.n_features:
            raise ValueError("it needs one fill per column")
        for fill, levels, name in zip(fills, schema.levels, schema.names, strict=True):
            fits = type(fill) in (int, float) and bool(np.isfinite(fill))
            if fits and levels is not None:
                fits = fill == int(fill) and 0 <= fill < max(len(levels), 1)
            if not fits:
                raise ValueError(f"{fill!r} is no fill of column {name!r}")


def _mean(known: NDArray[np.float64], weights: NDArray[np.float64] | None, name: str) -> float:
    if not np.isfinite(known).all():
        raise StrategyNotApplicable(
            f"missing='mean' needs finite values, but column {name!r} holds an infinity; "
            "choose another strategy or make it a number or a missing value."
        )
    with np.errstate(over="ignore"):
        mean = float(np.average(known, weights=weights))
    if not np.isfinite(mean):  # the sum of values of 1e308 overflows, their mean does not
        scale = np.abs(known).max()
        mean = float(np.average(known / scale, weights=weights) * scale)
    return mean
