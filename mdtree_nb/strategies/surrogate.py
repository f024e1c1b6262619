"""surrogate: another column that agrees with the test speaks for a missing value."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..table import Table
from ..tree.prepared import Prepared, StrategyNotApplicable
from ..tree.shares import one_hot_shares
from ..tree.strategy import Strategy
from ..tree.structure import ROUNDING, Tree
from ..tree.surrogates import SurrogateRule

FALLBACKS = ("weight", "rows")


class Surrogate(Strategy):
    """Ask the columns that agree best with a test where a row that misses it should go.

    A split is scored on the rows that know its column, times their share of the node. Then
    every other column is tried as its surrogate: the cut, in either direction, or the sides of
    the levels, that send most weight where the split sends it. A surrogate is kept if it does
    better than "always the larger child". A row that misses the column goes where the first
    surrogate says that can tell, and if none can, to the larger child.

    Parameters
    ----------
    max_surrogates : int, default=5
        Kept in each node, those with the highest agreement.
    surrogate_style : {0, 1}, default=0
        0 measures agreement on all rows that know the column of the split, so that a column
        with many holes agrees less; 1 on those that know both columns.
    use_surrogates : {0, 1, 2}, default=2
        0 records surrogates but asks none: rows with missing values stay in the node. 1 asks
        them, and rows stay where none can tell. 2 sends those to the larger child.
    fallback : {"weight", "rows"}, default="weight"
        Which child is the larger one: of more known training weight, the last one when
        equal; or as in R's rpart, of more training rows when predicting, those sent by
        surrogates included, and when equal the row stays.
    empty_rows : {"keep", "drop"}, default="keep"
        What becomes of training rows without any known value; R's rpart drops them.

    Notes
    -----
    A level of the split's column that no training row of the node had is treated as a missing
    value. A surrogate sends at least two rows to either side. Fractions of rows are counted
    where another strategy divides them, with `record_surrogates`.

    References
    ----------
    .. [1] L. Breiman, J. Friedman, R. Olshen, C. Stone, "Classification and Regression
       Trees", 1984, section 5.3.
    .. [2] T. Therneau, E. Atkinson, "An Introduction to Recursive Partitioning Using the RPART
       Routines", Mayo Foundation, 2023.
    """

    name = "surrogate"
    mode = "known"
    plain = True
    by_rule = True
    keeps_state = False
    checked_against = "R's rpart; brute force"

    def __init__(
        self,
        max_surrogates: int = 5,
        surrogate_style: int = 0,
        use_surrogates: int = 2,
        fallback: str = "weight",
        empty_rows: str = "keep",
    ):
        self.max_surrogates = max_surrogates
        self.surrogate_style = surrogate_style
        self.use_surrogates = use_surrogates
        self.fallback = fallback
        self.empty_rows = empty_rows

    def check(self) -> None:
        """Refuse parameters that make no sense."""
        most = self.max_surrogates
        if isinstance(most, bool) or not isinstance(most, (int, np.integer)) or most < 0:
            raise ValueError(
                f"max_surrogates={most!r} must be a whole number of at least 0; 0 keeps none."
            )
        choices: dict[str, tuple[Any, ...]] = {
            "surrogate_style": (0, 1),
            "use_surrogates": (0, 1, 2),
            "fallback": FALLBACKS,
            "empty_rows": ("keep", "drop"),
        }
        for name, allowed in choices.items():
            value = getattr(self, name)
            if value not in allowed or isinstance(value, bool):
                raise ValueError(
                    f"{name}={value!r} must be one of {', '.join(map(repr, allowed))}."
                )

    def prepare(
        self,
        table: Table,
        y: NDArray[Any],
        w: NDArray[np.float64] | None,
        rng: np.random.RandomState,
    ) -> Prepared:
        """Leave out rows without any known value, if that is asked for."""
        empty = np.isnan(table.values).all(axis=1)
        if self.empty_rows == "keep" or not empty.any():
            return Prepared([table])
        if empty.all():
            raise StrategyNotApplicable("missing='surrogate': no row has a known value.")
        rows = np.flatnonzero(~empty)
        return Prepared([table.take(rows)], rows=rows)

    @property
    def surrogate_rule(self) -> SurrogateRule:  # type: ignore[override]
        """Which surrogates are recorded."""
        return SurrogateRule(int(self.max_surrogates), bool(self.surrogate_style))

    @property
    def asks_surrogates(self) -> bool:  # type: ignore[override]
        """Not where they are only recorded."""
        return bool(self.use_surrogates > 0)

    def missing_shares(self, tree: Tree) -> NDArray[np.float64]:
        """The larger child, or none."""
        if self.use_surrogates < 2:
            return np.zeros(tree.n_nodes)
        if self.fallback == "weight":
            return one_hot_shares(tree, tree.majority_branch)
        return _larger(tree, tree.rows.astype(np.float64))

    def unseen_shares(self, tree: Tree) -> NDArray[np.float64]:
        """As for a missing value."""
        return self.missing_shares(tree)

    def train_shares(self, tree: Tree) -> NDArray[np.float64]:
        """In training the larger child is the one of more known weight."""
        if self.use_surrogates == 2 and self.fallback == "rows":
            return _larger(tree, tree.share)
        return self.missing_shares(tree)

    def describe(self, tree: Tree, node: int) -> str:
        """Say where a row goes for which no surrogate can speak."""
        where = super().describe(tree, node)
        return f"no surrogate can tell, {where}" if self.asks_surrogates else where


def _larger(tree: Tree, size: NDArray[np.float64]) -> NDArray[np.float64]:
    """The whole share to the child of largest size; none where two are equally large."""
    shares = np.zeros(tree.n_nodes)
    order = np.lexsort((size, tree.parent))
    last = np.flatnonzero(np.append(np.diff(tree.parent[order]) > 0, True))
    last = last[order[last] > 0]  # not the root, which stands alone
    largest, next_one = order[last], order[last - 1]
    alone = size[next_one] < size[largest] * (1 - ROUNDING)
    shares[largest[alone]] = 1.0
    return shares
