"""Choose the splits of a batch of nodes.

Three roads, from the fastest to the most general, with the same result wherever more
than one can be taken (a law that the tests hold):

1. a strategy whose `score_table` is the plain gain of its mode, under a criterion that
   takes the largest gain: the kernel chooses;
2. a strategy with a mode: the sweeps find the best cut of each column, `score_table`
   and the criterion choose between those;
3. any strategy: `score_table` sees every cut.

Columns that are drawn, or ranked by the strategy, are looked at in turn.

Called by `growth.py`. Does not: look at rows, or change anything.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .association import associate
from .criteria import Bests, Criterion
from .cuts import Cuts, best_cuts
from .every_cut import all_cuts
from .guessed import best_by_guesses
from .kernels.codes import (
    BRANCHES,
    BY_RULE,
    CHOICE_COLUMNS,
    COMPLETE,
    FEATURE,
    FILLED,
    FIRST_KNOWN,
    GAIN,
    GUESSED,
    KNOWN,
    LEARNED,
    LEFT,
    LEFT_SHARE,
    MISSING_BRANCH,
    MISSING_WEIGHT,
    NO_CUT,
    POSITION,
    RIGHT,
    STOP,
    THRESHOLD,
    TIE,
)
from .strategy import Strategy
from .workspace import Batch, Workspace

MODES = {
    "known": KNOWN, "left": LEFT, "right": RIGHT, "learned": LEARNED, "complete": COMPLETE,
    "guessed": GUESSED, "filled": FILLED,
}  # fmt: skip

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]


class Chooser:
    """Chooses splits for one strategy under one criterion.

    Parameters
    ----------
    work : Workspace
    strategy : Strategy
    criterion : Criterion
    max_features : int
        So many columns are drawn per node; as in scikit-learn, drawing goes on until one
        of them has a cut.
    """

    def __init__(
        self, work: Workspace, strategy: Strategy, criterion: Criterion, max_features: int
    ):
        self.work = work
        self.strategy = strategy
        self.criterion = criterion
        self.max_features = max_features
        self.alone = strategy.lone_test is not None
        self.ranks = type(strategy).rank is not Strategy.rank
        kind = type(criterion)
        self.largest_gain = kind.choose is Criterion.choose and kind.gains is Criterion.gains

    def choose(
        self, batch: Batch, sums: Floats, allowed: Mask | None, seeds: NDArray[np.uint64] | None
    ) -> Floats:
        """Choose the best split of each node among the columns it may test.

        Parameters
        ----------
        batch : ndarray of shape (b, FIRST_KNOWN + p)
        sums : ndarray of shape (b, FIRST_STAT + T)
        allowed : ndarray of shape (b, p), bool, or None
            None = all columns.
        seeds : ndarray of shape (b,), uint64, or None
            For drawing columns; None = look at all of them.

        Returns
        -------
        ndarray of shape (b, CHOICE_COLUMNS)
            Its GAIN is -inf where the node has no cut.
        """
        if seeds is None and not self.ranks:
            choice = self._choose(batch, sums, allowed)
        else:
            choice = self._choose_in_turn(batch, sums, allowed, seeds)
        if self.strategy.by_rule:
            choice[:, MISSING_BRANCH] = BY_RULE
        return choice

    def turns(
        self, batch: Batch, sums: Floats, open_columns: Mask, seeds: NDArray[np.uint64] | None
    ) -> tuple[NDArray[np.intp], int]:
        """Say at which turn each column is looked at, and how many are at once in the beginning.

        Parameters
        ----------
        batch, sums, seeds
            See `choose`.
        open_columns : ndarray of shape (b, p), bool

        Returns
        -------
        turn : ndarray of shape (b, p)
            Closed columns come last.
        at_once : int
        """
        turn = np.zeros(open_columns.shape, dtype=np.intp)
        most = self.max_features
        if seeds is not None:
            turn = draw(seeds, open_columns)
        if not self.ranks:
            return turn, most
        first = open_columns & (turn < most)
        score = self.strategy.rank(associate(self.work, batch, sums, first))
        if np.shape(score) != first.shape:
            raise ValueError(
                f"{type(self.strategy).__name__}.rank must return numbers of shape {first.shape} "
                f"(nodes, columns), got shape {np.shape(score)}."
            )
        key = np.where(first, -_rounded(np.asarray(score, dtype=np.float64)), turn)
        order = np.lexsort((key, ~first, ~open_columns), axis=1)
        return np.argsort(order, axis=1), 1

    def _choose_in_turn(
        self, batch: Batch, sums: Floats, allowed: Mask | None, seeds: NDArray[np.uint64] | None
    ) -> Floats:
        open_columns = batch[:, FIRST_KNOWN:] > 0
        if allowed is not None:
            open_columns &= allowed
        turn, at_once = self.turns(batch, sums, open_columns, seeds)
        choice = self._choose(batch, sums, open_columns & (turn < at_once))
        empty = np.flatnonzero(np.isneginf(choice[:, GAIN]))
        if len(empty):  # has any of the others a cut?
            later = open_columns[empty] & (turn[empty] >= at_once)
            others = self._choose(batch[empty], sums[empty], later)
            empty = empty[~np.isneginf(others[:, GAIN])]
        for k in range(at_once, open_columns.shape[1]):
            if not len(empty):
                break
            one_more = open_columns[empty] & (turn[empty] == k)
            choice[empty] = self._choose(batch[empty], sums[empty], one_more)
            empty = empty[np.isneginf(choice[empty, GAIN])]
        return choice

    def _choose(self, batch: Batch, sums: Floats, allowed: Mask | None) -> Floats:
        strategy = self.strategy
        if strategy.mode is None or self.work.measure.absolute or not self._sweeps:
            return np.array(
                [
                    self._choose_from_all(node, its_sums, None if allowed is None else allowed[b])
                    for b, (node, its_sums) in enumerate(zip(batch, sums, strict=True))
                ]
            )
        mode = MODES[strategy.mode]
        if mode in (GUESSED, FILLED):
            if self.work.guesses is not None:
                return best_by_guesses(self.work, batch, sums, allowed, mode == FILLED)
            mode = KNOWN
        if strategy.plain and self.largest_gain:
            return self.work.best_split(batch, sums, allowed, mode, self.alone)
        cuts = best_cuts(self.work, batch, sums, allowed, mode, self.alone)
        return self._judge(cuts, (len(batch), batch.shape[1] - FIRST_KNOWN))

    @property
    def _sweeps(self) -> bool:
        """Is there a sweep? The one with guesses knows no categories, and hands no cuts out."""
        if self.strategy.mode not in ("guessed", "filled") or self.work.guesses is None:
            return True
        plain = self.strategy.plain and self.largest_gain and not self.alone
        return plain and bool((self.work.columns[:, 1] == THRESHOLD).all())

    def _choose_from_all(
        self, node: NDArray[np.int64], sums: Floats, allowed: Mask | None
    ) -> Floats:
        may_test = node[FIRST_KNOWN:] > 0
        if allowed is not None:
            may_test &= allowed
        if not may_test.any():
            return _no_choice(1)[0]
        cuts = all_cuts(self.work, node, sums, may_test, self.alone)
        return self._judge(cuts, (1, len(may_test)))[0]

    def _judge(self, cuts: Cuts, shape: tuple[int, int]) -> Floats:
        """Let the strategy score the cuts and the criterion choose between columns."""
        choice = _no_choice(shape[0])
        if not len(cuts):
            return choice
        gain, missing_branch = self.strategy.score_table(cuts)
        bests, which = self.bests(cuts, gain, shape)
        gains = self.criterion.gains(bests)
        nodes = np.arange(shape[0])
        feature = self.criterion.choose(bests, gains)
        cut = which[nodes, feature]
        choice[:, FEATURE] = feature
        choice[:, POSITION] = cuts.position[cut]
        choice[:, GAIN] = gains[nodes, feature]
        choice[:, MISSING_BRANCH] = cuts.branch_of(missing_branch)[cut]
        choice[:, BRANCHES] = cuts.n_branches[cut]
        choice[:, LEFT_SHARE] = cuts.left.weight[cut] / cuts.known.weight[cut]
        choice[:, MISSING_WEIGHT] = cuts.missing.weight[cut]
        return choice

    def bests(
        self, cuts: Cuts, gain: Floats, shape: tuple[int, int]
    ) -> tuple[Bests, NDArray[np.intp]]:
        """Find the best cut of every column, as the criterion wants to see it, and which it is.

        Parameters
        ----------
        cuts : Cuts
        gain : ndarray of shape (c,)
        shape : (nodes, columns)

        Returns
        -------
        Bests
        ndarray of shape (b, p)
        """
        best = _first_best(gain, cuts.node * shape[1] + cuts.feature)
        cell = (cuts.node[best], cuts.feature[best])
        which = np.zeros(shape, dtype=np.intp)
        which[cell] = best
        gains = np.full(shape, -np.inf)
        gains[cell] = gain[best]
        tests = self.work.columns[:, 1] == THRESHOLD
        info, tries, weight = np.ones(shape), np.ones(shape), np.ones(shape[0])
        if not self.largest_gain:
            info[cell] = cuts.split_info[best]
            if cuts.tries is not None:
                tries[cell] = cuts.tries[best]
            weight[cuts.node] = cuts.everything.weight
        is_threshold = np.zeros(shape, dtype=bool)
        is_threshold[cell] = tests[cell[1]] & (cuts.position[best] >= 0)
        n_rows = int(self.work.root[0, STOP])
        return Bests(gains, info, tries, is_threshold, weight, self.work.n_levels, n_rows), which


def _no_choice(b: int) -> Floats:
    choice = np.zeros((b, CHOICE_COLUMNS))
    choice[:, POSITION] = NO_CUT
    choice[:, GAIN] = -np.inf
    choice[:, BRANCHES] = 2
    return choice


def _first_best(gain: Floats, group: NDArray[np.intp]) -> NDArray[np.intp]:
    """First index of the largest gain, up to rounding, in each run of equal `group`."""
    starts = np.flatnonzero(np.concatenate([[True], group[1:] != group[:-1]])[: len(group)])
    if len(starts) == len(gain):
        return starts
    best = np.maximum.reduceat(gain, starts)
    enough = np.where(np.isfinite(best), best - TIE * np.abs(best), best)
    good = np.flatnonzero(gain >= np.repeat(enough, np.diff(np.append(starts, len(gain)))))
    return good[np.concatenate([[True], group[good][1:] != group[good][:-1]])]


def _rounded(score: Floats) -> Floats:
    """Make scores equal that differ by rounding only."""
    part, power = np.frexp(score)
    return np.ldexp(np.rint(part * 2.0**36), power)


def draw(seeds: NDArray[np.uint64], open_columns: Mask) -> NDArray[np.intp]:
    """Say at which turn each column is drawn in each node; closed columns come last."""
    p = open_columns.shape[1]
    keys = scramble(seeds[:, None] + np.arange(1, p + 1, dtype=np.uint64))
    keys = np.where(open_columns, keys >> np.uint64(1), np.uint64(2**63))
    return np.argsort(np.argsort(keys, axis=1, kind="stable"), axis=1, kind="stable")


def scramble(x: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Turn numbers into random ones: one step of splitmix64 (Steele et al. 2014)."""
    x = x + np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))
