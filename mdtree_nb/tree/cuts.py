"""The candidate cuts of one or many nodes, with the cost of every part.

This is what a strategy scores. A cut divides the rows that know its feature into left
and right; the rows that miss it are a third part. `cuts.gain(before, part, part)` is
the only arithmetic that most strategies need.

Candidates come from two places: `best_cuts` takes the compiled sweeps' best cut of each
column, `every_cut.py` lists every cut of a node in plain NumPy.

Does not: know how costs are computed (`criteria.py`) or where the rows go afterwards.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .kernels.codes import (
    ALONE,
    CUT_BRANCHES,
    CUT_POSITION,
    CUT_TRIES,
    FIRST_CUT_STAT,
    FIRST_STAT,
    LEFT_MASS,
    MASS,
    MISSING_MASS,
    MULTIWAY,
    NO_CUT,
    REST_COST,
    TIE,
)
from .measure import Measure
from .rules import Least
from .workspace import Batch, Workspace

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Part:
    """A set of rows per cut.

    Attributes
    ----------
    weight, mass, cost : ndarray of shape (c,)
        Sample weight, number of rows (or shares of rows), and weight times impurity.
    """

    weight: Floats
    mass: Floats
    cost: Floats


@dataclass(frozen=True)
class Rest:
    """The branches of a multiway test that missing rows do not join.

    Attributes
    ----------
    branches : ndarray of shape (c,)
        Branches of the test; 0 for a test with two sides.
    cost, mass, weight : ndarray of shape (c,)
        Cost of the others together, their smallest mass and their smallest weight.
    branch, heaviest : ndarray of shape (c,)
        The heaviest of the others, the last one when equal, and its weight.
    xlogx : ndarray of shape (c,)
        Sum of w log2 w over their weights.
    """

    branches: Floats
    cost: Floats
    mass: Floats
    weight: Floats
    branch: Floats
    heaviest: Floats
    xlogx: Floats


class PartCosts(NamedTuple):
    """Costs of the parts of cuts, each of shape (c,), where they do not follow from stats."""

    everything: Floats
    missing: Floats
    known: Floats
    left: Floats
    right: Floats
    left_missing: Floats
    right_missing: Floats


class Guessed(NamedTuple):
    """The rows that miss a column, where their guessed values would send them.

    Each of shape (c,). A guessed level that no row of the node knows is divided among the
    children as rows are, but for a test of one level, which it fails.

    Attributes
    ----------
    trust : ndarray
        See `Guesses`; of the cut's column.
    weight : ndarray
        Of the rows that have a guess.
    before, after : ndarray
        Their cost, undivided and in the children.
    filled_before, filled_after : ndarray
        The same of these rows and the known ones together.
    """

    trust: Floats
    weight: Floats
    before: Floats
    after: Floats
    filled_before: Floats
    filled_after: Floats


@dataclass(frozen=True)
class Cuts:
    """Candidate cuts, stacked: of all columns of one or many nodes.

    Attributes
    ----------
    measure : Measure
    least : Least
        Mass and weight that a child needs.
    node, feature : ndarray of shape (c,), int
        Place of the cut's node in its batch; column. Cuts of one column are neighbours.
    position : ndarray of shape (c,), int
        In the order of known rows: the last one on the left; or ALONE.
    node_stats, left_stats, missing_stats : ndarray of shape (c, T)
        Stats of all rows of the node, of the known rows left of the cut, and of the rows
        that miss the column.
    node_mass, left_mass, missing_mass : ndarray of shape (c,)
    rest : Rest or None
        For multiway tests. Such a test is listed once for every branch that the missing rows
        may join: that branch is one side of the cut, all others together are the other. The
        cost of "left" or "right" is then that of several children, which missing rows
        cannot join, so a strategy need not know.
    costs : PartCosts or None
        None = they follow from the stats.
    tries : ndarray of shape (c,) or None
        Admissible cuts of the column in the node, where they are counted.
    guessed : Guessed or None
        None = nothing is guessed.
    """

    measure: Measure
    least: Least
    node: NDArray[np.intp]
    feature: NDArray[np.intp]
    position: NDArray[np.int64]
    node_stats: Floats
    left_stats: Floats
    missing_stats: Floats
    node_mass: Floats
    left_mass: Floats
    missing_mass: Floats
    rest: Rest | None = None
    costs: PartCosts | None = None
    tries: Floats | None = None
    guessed: Guessed | None = None

    def __len__(self) -> int:
        return len(self.feature)

    @property
    def alone(self) -> NDArray[np.bool_]:
        """Is the cut "known rows left, missing rows right"?"""
        return self.position == ALONE

    def _part(self, name: str, stats: Floats, mass: Floats) -> Part:
        cost = self.measure.cost(stats) if self.costs is None else getattr(self.costs, name)
        return Part(self.measure.weight(stats), mass, cost)

    @cached_property
    def everything(self) -> Part:
        """All rows of the node."""
        return self._part("everything", self.node_stats, self.node_mass)

    @cached_property
    def missing(self) -> Part:
        """Rows that miss the feature."""
        return self._part("missing", self.missing_stats, self.missing_mass)

    @cached_property
    def known(self) -> Part:
        """Rows that know the feature: left and right together."""
        stats = self.node_stats - self.missing_stats
        return self._part("known", stats, self.node_mass - self.missing_mass)

    @cached_property
    def _several(self) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Where left, and where right, is several branches."""
        if self.rest is None:
            nowhere = np.zeros(len(self), dtype=bool)
            return nowhere, nowhere
        many = self.rest.branches > 0
        return many & (self.position > 0), many & (self.position == 0)

    def _side(self, part: Part, side: int, joined: bool) -> Part:
        """Correct a side where it is several branches; missing rows cannot join those."""
        if self.rest is None:
            return part
        several = self._several[side]
        enough = (self.rest.weight >= self.least.weight) & (not joined)
        return Part(
            part.weight,
            np.where(several, np.where(enough, self.rest.mass, 0.0), part.mass),
            np.where(several, self.rest.cost, part.cost),
        )

    @cached_property
    def left(self) -> Part:
        """Known rows left of the cut."""
        return self._side(self._part("left", self.left_stats, self.left_mass), 0, False)

    @cached_property
    def right(self) -> Part:
        """Known rows right of the cut."""
        part = self._part(
            "right",
            self.node_stats - self.missing_stats - self.left_stats,
            self.node_mass - self.missing_mass - self.left_mass,
        )
        return self._side(part, 1, False)

    @cached_property
    def left_missing(self) -> Part:
        """Left side together with the missing rows."""
        stats = self.left_stats + self.missing_stats
        part = self._part("left_missing", stats, self.left_mass + self.missing_mass)
        return self._side(part, 0, True)

    @cached_property
    def right_missing(self) -> Part:
        """Right side together with the missing rows."""
        stats = self.node_stats - self.left_stats
        part = self._part("right_missing", stats, self.node_mass - self.left_mass)
        return self._side(part, 1, True)

    @cached_property
    def majority(self) -> NDArray[np.intp]:
        """Side with more known weight; right (1) when equal.

        Of a multiway test, the side that holds its heaviest branch, the last when equal.
        """
        is_right = 2 * self.left.weight <= self.known.weight
        if self.rest is not None:
            on_left, on_right = self._several
            alone = np.where(on_right, self.left.weight, self.right.weight)
            own = np.where(on_right, 0, self.position)
            ahead = (alone > self.rest.heaviest) | (
                (alone == self.rest.heaviest) & (own > self.rest.branch)
            )
            is_right = np.where(on_left, ahead, np.where(on_right, ~ahead, is_right))
        return is_right.astype(np.intp)

    def branch_of(self, side: NDArray[Any]) -> NDArray[np.intp]:
        """Branch behind a side: 0 left, 1 right, 2 a child of their own.

        Where the side is several branches, the heaviest of those.
        """
        side = np.broadcast_to(np.asarray(side, dtype=np.intp), self.feature.shape)
        if self.rest is None:
            return side
        on_left, on_right = self._several
        heaviest = self.rest.branch
        left = np.where(on_left, heaviest, 0)
        right = np.where(on_left, self.position, np.where(on_right, heaviest, 1))
        own = np.where(self.rest.branches > 0, self.rest.branches, 2)
        return np.choose(side, [left, right, own]).astype(np.intp)

    @property
    def between(self) -> NDArray[np.bool_]:
        """Do missing rows join a branch of a multiway test that is neither first nor last?"""
        if self.rest is None:
            return np.zeros(len(self), dtype=bool)
        return (self.position > 0) & (self.position < self.rest.branches - 1)

    @property
    def split_info(self) -> Floats:
        """Entropy of the way in which rows divide among branches and missing ones, in bits."""
        parts = [self.left.weight, self.right.weight]
        xlogx = sum(part * np.log2(np.where(part > 0, part, 1.0)) for part in parts)
        if self.rest is not None:
            on_left, on_right = self._several
            alone = np.where(on_right, parts[0], parts[1])
            own = alone * np.log2(np.where(alone > 0, alone, 1.0))
            xlogx = np.where(on_left | on_right, own + self.rest.xlogx, xlogx)
        lost = self.missing.weight
        xlogx = xlogx + lost * np.log2(np.where(lost > 0, lost, 1.0))
        return np.log2(self.everything.weight) - xlogx / self.everything.weight

    @property
    def n_branches(self) -> NDArray[np.intp]:
        """Branches for known rows."""
        if self.rest is None:
            return np.full(len(self), 2)
        return np.where(self.rest.branches > 0, self.rest.branches, 2).astype(np.intp)

    def gain(self, before: Part, *children: Part) -> Floats:
        """Impurity decrease when the rows of `before` are divided into `children`.

        In units of the whole node's weight: for `before=cuts.known` this is the decrease
        among the known rows times their share of the node (C4.5's factor).

        Parameters
        ----------
        before : Part
        *children : Part
            Disjoint, together `before`.

        Returns
        -------
        ndarray of shape (c,)
            -inf where a child has no rows or less than it needs.
        """
        gain = (before.cost - sum(c.cost for c in children)) / self.everything.weight
        for child in children:
            gain = np.where(self.suffices(child), gain, -np.inf)
        return gain

    def suffices(self, part: Part) -> NDArray[np.bool_]:
        """Has a part all that a child needs?"""
        return (part.mass > 0) & (part.mass >= self.least.mass) & (part.weight >= self.least.weight)


def exceeds(a: Floats, b: Floats) -> NDArray[np.bool_]:
    """Is a larger than b by more than rounding? Ties keep the candidate listed first."""
    margin = TIE * np.abs(np.where(np.isfinite(b), b, 0.0))
    return a > b + margin


def best_cuts(
    work: Workspace,
    batch: Batch,
    sums: Floats,
    allowed: NDArray[np.bool_] | None,
    mode: int,
    alone: bool,
) -> Cuts:
    """Take the best cut of each allowed column of each node from the compiled sweeps."""
    found = work.best_cuts(batch, sums, allowed, mode, alone)
    node, feature = np.nonzero(found[:, :, CUT_POSITION] != NO_CUT)
    cut = found[node, feature]
    cut[cut[:, CUT_BRANCHES] == 0, REST_COST:FIRST_CUT_STAT] = 0.0  # the sweeps leave it unwritten
    n_stats = work.measure.n_stats
    return Cuts(
        work.measure,
        work.least,
        node,
        feature,
        cut[:, CUT_POSITION].astype(np.int64),
        sums[node, FIRST_STAT:],
        cut[:, FIRST_CUT_STAT : FIRST_CUT_STAT + n_stats],
        cut[:, FIRST_CUT_STAT + n_stats :],
        sums[node, MASS],
        cut[:, LEFT_MASS],
        cut[:, MISSING_MASS],
        Rest(*cut[:, [CUT_BRANCHES, *range(REST_COST, FIRST_CUT_STAT)]].T)
        if work.form.category == MULTIWAY
        else None,
        None,
        cut[:, CUT_TRIES],
    )
