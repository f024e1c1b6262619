"""knn: fill in what the nearest training rows have."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..imputation.draws import row_keys, uniforms
from ..imputation.fills import check_finite
from ..imputation.neighbours import (
    check_donors,
    learn_donors,
    mean_or_mode,
    neighbours,
    one_of,
)
from ..imputation.parameters import check_counts, check_flags
from ..schema import Schema
from ..table import Table
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
    multiple : bool, default=False
        Fill `n_imputations` times, each time with the value of one of the neighbours, drawn
        at random, and average the answers, as `em` does.
    n_imputations : int, default=5
    seed : int, default=0
        Together with what a row knows it says what is drawn for it.

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

    def __init__(
        self,
        k: int = 5,
        scale: bool = True,
        multiple: bool = False,
        n_imputations: int = 5,
        seed: int = 0,
    ):
        self.k = k
        self.scale = scale
        self.multiple = multiple
        self.n_imputations = n_imputations
        self.seed = seed

    def check(self) -> None:
        """Refuse counts that are none."""
        check_counts(self, k=1, n_imputations=1, seed=0)
        check_flags(self, "scale", "multiple")

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
        """Fill rows from their nearest training rows; a table without holes stays one."""
        schema, fills = table.schema, state["fills"]
        several = self.multiple and bool(np.isnan(table.values).any())
        n_versions = self.n_imputations if several else 1
        versions = [np.array(table.values, order="F") for _ in range(n_versions)]
        keys = row_keys(table.values, self.seed) if several else None
        for found in neighbours(table, state, self.k):
            cells = found.rows, found.columns
            if keys is None:
                versions[0][cells] = mean_or_mode(found, schema, fills)
                continue
            rows, place = np.unique(found.rows, return_inverse=True)
            for number, values in enumerate(versions):
                chance = uniforms(keys[rows], number, schema.n_features)
                values[cells] = one_of(found, chance[place, found.columns], fills)
        return [table.replace(values) for values in versions]

    def check_state(self, state: dict[str, Any], schema: Schema) -> None:
        """Ask for training rows that fit the schema."""
        check_donors(state, schema)
