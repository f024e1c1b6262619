"""knn: fill in what the nearest training rows have."""

from __future__ import annotations

from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..imputation.fills import check_finite
from ..imputation.neighbours import check_donors, learn_donors, mean_or_mode, neighbours
from ..table import Schema, Table
from ..tree.prepared import Prepared
from ..tree.strategy import Strategy


class KNN(Strategy):
    """Fill each hole from the `k` nearest training rows that know its column.

    Numbers get the neighbours' mean, categories their mode, the first of equals. The squared
    distance of two rows is the mean, over the columns that both know, of the squared
    difference of numbers, each divided by its standard deviation in training, and of 0 or 1
    for the same level or another one. Rows at the same distance are taken in the order of
    their values, so a row's neighbours depend neither on the order of the training rows nor
    on other rows to predict. Where fewer rows know a column, all of them count; where none
    has a column in common with the row, the column's mean or mode is filled in.

    Sample weights count in standard deviations, means and modes; `k` counts rows, whatever
    they weigh. A training row is never its own neighbour, as it lacks the wanted value, so
    training rows are filled as later rows are.

    Parameters
    ----------
    k : int, default=5
    scale : bool, default=True
        Divide numbers by their standard deviation? Without it, a table of numbers is filled
        as scikit-learn's KNNImputer does.

    Raises
    ------
    StrategyNotApplicable
        When a column holds an infinity.

    References
    ----------
    .. [1] O. Troyanskaya et al., "Missing value estimation methods for DNA microarrays",
       Bioinformatics 17, 2001.
    """

    name = "knn"
    mode = "known"
    plain = True
    checked_against = "scikit-learn's KNNImputer; brute force in the tests"

    def __init__(self, k: int = 5, scale: bool = True):
        self.k = k
        self.scale = scale

    def check(self) -> None:
        """Refuse a number of neighbours that is none."""
        if not isinstance(self.k, Integral) or self.k < 1:
            raise ValueError(f"k={self.k!r} must be a whole number of at least 1.")

    def prepare(
        self,
        table: Table,
        y: NDArray[Any],
        w: NDArray[np.float64] | None,
        rng: np.random.RandomState,
    ) -> Prepared:
        """Keep the training rows, and fill each from the others."""
        check_finite(table, self.name)
        state = learn_donors(table, w, self.scale)
        return Prepared(self.transform(table, state), None, state)

    def transform(self, table: Table, state: dict[str, Any]) -> list[Table]:
        """Fill rows from their nearest training rows."""
        values = np.array(table.values, order="F")
        for found in neighbours(table, state, self.k):
            values[found.rows, found.columns] = mean_or_mode(found, table.schema, state["fills"])
        return [table.replace(values)]

    def check_state(self, state: dict[str, Any], schema: Schema) -> None:
        """Ask for training rows that fit the schema."""
        check_donors(state, schema)
