"""eig: expected information gain; guessed values help to choose a cut, and only that."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ..table import Table, encode, read
from ..tree.cuts import Cuts
from ..tree.prepared import Guesses, StrategyNotApplicable
from ..tree.strategy import Strategy
from ..tree.structure import Tree
from .fractional import Fractional

SCORES = ("separate", "joint", "squared")
RELIABILITIES = ("root", "node", "fixed")
SHARES = ("known", "doubled")
OWN_IMPUTERS = ("true", "none")


class Eig(Fractional):
    """Score cuts by known and by guessed values (EIG), and divide a row among all children.

    An imputer fills in what is missing. A cut, made between known values, is scored by the
    gain among the rows that know its column and the gain among the others at their guessed
    values, in the proportions r and 1 - r of the column's reliability. That is all that guesses
    do: the values stay missing, and a row that misses the chosen column is divided as by
    `fractional`, in training as in prediction.

    Parameters
    ----------
    imputer : str or Strategy, default="knn"
        Strategy that fills in values; "true" = the values of `complete`, "none" = none, which
        leaves the gain among known rows.
    complete : DataFrame or array-like of shape (m, p), or None, default=None
        For imputer="true": a table without holes of which the training rows are some. Rows
        of a DataFrame are found by the labels of the index, so it can be the whole table when
        folds of it are fitted; rows of an array by their numbers or, where those do not fit,
        by what is known of them.
    score : {"separate", "joint", "squared"}, default="separate"
        "separate" is the paper's sum of two gains; it is blind to guesses that contradict the
        known rows, as long as they divide well among themselves. "joint" is one gain among
        all rows at their known or guessed values, and knows no reliability. "squared" is the
        baseline of the paper's program for C4.5: no guesses, r squared, and the entropy of all
        rows in place of that of the known ones.
    reliability : {"root", "node", "fixed"}, default="root"
        "root" is the part of the training rows that know the column, or 1 in nodes whose rows
        all know it; "node" the known part of each node's weight; "fixed" that of the root even
        where nothing is missing, as in the paper's program.
    shares : {"known", "doubled"}, default="known"
        "known" divides rows in the proportions of the known weight; "doubled" adds the weight
        of the missing rows to both sides first, as the paper's program does.
    min_share : float, default=0
        As for `fractional`.

    Raises
    ------
    StrategyNotApplicable
        When the imputer cannot handle the table, or for absolute error.

    Notes
    -----
    A guessed level that no row of the node knows is divided among the branches like a missing
    value; a test of one level it fails. Multiple imputations count as their mean, or most
    frequent level.

    References
    ----------
    .. [1] C. Schreckenberger, C. Bartelt, H. Stuckenschmidt, "Expected Information Gain"
       (decision trees on incomplete data), University of Mannheim.
    """

    name = "eig"
    aliases = ()
    keeps_state = False
    checked_against = "closed form; brute force"

    def __init__(
        self,
        imputer: Any = "knn",
        complete: Any = None,
        score: str = "separate",
        reliability: str = "root",
        shares: str = "known",
        min_share: float = 0.0,
    ):
        super().__init__(min_share)
        self.imputer = imputer
        self.complete = complete
        self.score = score
        self.reliability = reliability
        self.shares = shares

    @property
    def mode(self) -> str | None:  # type: ignore[override]
        """There is a sweep for what the paper says, and for one gain of all rows."""
        if self.score == "joint":
            return "filled"
        is_own = self.score == "squared" or self.reliability == "fixed"
        return None if is_own else "guessed"

    def check(self) -> None:
        """Refuse parameters that make no sense."""
        super().check()
        choices = {"score": SCORES, "reliability": RELIABILITIES, "shares": SHARES}
        for name, allowed in choices.items():
            value = getattr(self, name)
            if not isinstance(value, str) or value not in allowed:
                raise ValueError(
                    f"{name}={value!r} must be one of {', '.join(map(repr, allowed))}."
                )
        if not (isinstance(self.imputer, str) and self.imputer in OWN_IMPUTERS):
            self._imputer()
        if self.imputer == "true" and self.complete is None:
            raise ValueError(
                "imputer='true' needs the true values; pass complete=, the table without holes."
            )

    def _imputer(self) -> Strategy:
        from . import get_strategy  # a member of the room is only found by name

        if isinstance(self.imputer, Eig) or self.imputer == self.name:
            raise ValueError(f"imputer={self.imputer!r} fills nothing in; choose 'knn' or 'mean'.")
        return get_strategy(self.imputer, "imputer")

    def guess(
        self,
        table: Table,
        y: NDArray[Any],
        w: NDArray[np.float64] | None,
        rng: np.random.RandomState,
    ) -> Guesses | None:
        """Let the imputer fill in the training table, or look the true values up."""
        missing = np.isnan(table.values)
        if not missing.any():
            return None
        if self.imputer == "none" or self.score == "squared":
            values = np.full(table.values.shape, np.nan)
        elif self.imputer == "true":
            values = _true_values(table, missing, self.complete)
        else:
            values = self._imputed(table, missing, y, w, rng)
        by_node = self.reliability == "node"
        trust = np.where(by_node, np.nan, 1 - missing.mean(axis=0))
        return Guesses(np.asfortranarray(values), trust)

    def _imputed(
        self,
        table: Table,
        missing: NDArray[np.bool_],
        y: NDArray[Any],
        w: NDArray[np.float64] | None,
        rng: np.random.RandomState,
    ) -> NDArray[np.float64]:
        imputer = self._imputer()
        try:
            prepared = imputer.prepare(table, y, w, rng)
        except StrategyNotApplicable as error:
            raise StrategyNotApplicable(
                f"missing='eig' cannot use imputer={self.imputer!r} here: {error}"
            ) from error
        kept = prepared.rows is None or len(prepared.rows) == table.n_rows
        filled = [its.values for its in prepared.tables]
        holes = np.logical_and.reduce([np.isnan(its) for its in filled]) if kept else missing
        if not kept or (holes & ~missing.all(axis=0)).any():
            raise ValueError(
                f"imputer={self.imputer!r} does not fill in every missing value; choose a strategy "
                "that does, such as 'knn' or 'mean'."
            )
        return _average(filled, table.schema.is_category)

    def score_table(self, cuts: Cuts) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
        """Gain among the known rows and gain among the guessed ones, as `score` says."""
        known = cuts.gain(cuts.known, cuts.left, cuts.right)
        guessed, whole = cuts.guessed, cuts.everything.weight
        if guessed is None:
            return known, cuts.majority
        share = cuts.known.weight / whole
        r = np.where(np.isnan(guessed.trust), share, guessed.trust)
        if self.reliability != "fixed":
            r = np.where(cuts.missing_mass > 0, r, 1.0)
        if self.score == "joint":
            gain = (guessed.filled_before - guessed.filled_after) / whole
        elif self.score == "squared":
            after = (cuts.known.cost - known * whole) / cuts.known.weight
            gain = r * r * (cuts.everything.cost / whole - after)
        else:
            weight = np.where(guessed.weight > 0, guessed.weight, 1.0)
            gain = r * known / share + (1 - r) * (guessed.before - guessed.after) / weight
        return np.where(np.isfinite(known), gain, -np.inf), cuts.majority

    def missing_shares(self, tree: Tree) -> NDArray[np.float64]:
        """The share of the known weight that went to each child, or as `shares` says."""
        if self.shares == "known":
            return tree.share
        return _doubled(tree, tree.weight - tree.missing_weight)

    def train_shares(self, tree: Tree) -> NDArray[np.float64]:
        """As in prediction; while growing a node has just its known rows."""
        return tree.share if self.shares == "known" else _doubled(tree, tree.weight)


def _doubled(tree: Tree, known: NDArray[np.float64]) -> NDArray[np.float64]:
    """Shares of children in which the missing rows count for every one of them."""
    parent = tree.parent
    known, missing = known[parent], tree.missing_weight[parent]
    both = known + tree.n_children[parent] * missing
    shares = np.divide(tree.share * known + missing, both, out=np.zeros(len(both)), where=both > 0)
    return np.where(parent < 0, 0.0, shares)


def _average(filled: list[NDArray[np.float64]], is_category: NDArray[np.bool_]) -> Any:
    """One table of several: means, and of levels the most frequent one, the first when equal."""
    if len(filled) == 1:
        return filled[0]
    values = np.mean(filled, axis=0)
    for f in np.flatnonzero(is_category):
        its = np.stack([table[:, f] for table in filled])
        counts = (its[:, None] == its).sum(axis=0)
        best = np.where(counts == counts.max(axis=0), its, np.inf)
        values[:, f] = best.min(axis=0)
    return values


def _true_values(table: Table, missing: NDArray[np.bool_], complete: Any) -> NDArray[np.float64]:
    """Find every training row in the complete table."""
    frame, names = read(complete), table.schema.names
    if frame.shape[1] != len(names):
        raise ValueError(
            f"complete has {frame.shape[1]} columns, and the training table {len(names)}; pass "
            "the same columns without holes."
        )
    labels = None
    if isinstance(frame, pd.DataFrame):
        labels = frame.index
        frame = frame.set_axis(list(map(str, frame.columns)), axis=1)
        if set(frame.columns) == set(names):
            frame = frame[list(names)]
    values = encode(frame, table.schema).values
    true: NDArray[np.float64] = values[_places(table, missing, values, labels)]
    holes = (np.isnan(true) & missing).any(axis=0)
    if holes.any():
        raise ValueError(
            f"complete misses values of column {names[int(np.argmax(holes))]!r}, too; pass a table "
            "without holes, or another imputer."
        )
    return true


def _places(
    table: Table, missing: NDArray[np.bool_], values: NDArray[np.float64], labels: pd.Index | None
) -> NDArray[np.intp]:
    """Where the training rows are in the complete table: by label, else by what they know."""
    by_label = labels is not None
    mine = pd.RangeIndex(table.n_rows) if table.index is None else table.index
    theirs = pd.RangeIndex(len(values)) if labels is None else labels
    if not theirs.is_unique:
        raise ValueError("complete has two rows of one label; give it an index without twins.")
    place: NDArray[np.intp] = theirs.get_indexer(mine)
    wrong = (values[place] != table.values) & ~missing
    wrong[place < 0] = True
    if not wrong.any():
        return place
    if not by_label:
        return np.array(
            [
                _like(x, ~m, values, i)
                for i, (x, m) in enumerate(zip(table.values, missing, strict=True))
            ]
        )
    i = int(np.argmax(wrong.any(axis=1)))
    where = f"row {mine[i]!r} of the training table"
    if place[i] < 0:
        raise ValueError(
            f"complete has no {where}; pass the table whose index has all of their labels."
        )
    name = table.schema.names[int(np.argmax(wrong[i]))]
    raise ValueError(
        f"complete contradicts {where} in column {name!r}, whose value is known; pass the table in "
        "which the holes were made, and DataFrames that share an index."
    )


def _like(
    x: NDArray[np.float64], known: NDArray[np.bool_], values: NDArray[np.float64], i: int
) -> int:
    """The complete row that agrees with all that a row knows; all such, if they are the same."""
    found = np.flatnonzero((values[:, known] == x[known]).all(axis=1))
    how = "pass X and complete as DataFrames, whose rows are found by their index."
    if not len(found):
        raise ValueError(
            f"complete has no row that agrees with row {i} of the training table; {how}"
        )
    if (values[found] != values[found[0]]).any():
        raise ValueError(
            f"complete has {len(found)} rows that agree with what row {i} of the training table "
            f"knows; {how}"
        )
    return int(found[0])
