"""The candidate cuts of one or many nodes, with the cost of every part.

This is what a strategy scores. A cut divides the rows that know its feature into left
and right; the rows that miss it are a third part. `cuts.gain(before, part, part)` is
the only arithmetic that most strategies need.

Candidates come from two places: `best_cuts` takes the compiled sweeps' best cut of each
column, `all_cuts` lists every cut of a node in plain NumPy.

Does not: know how costs are computed (`criteria.py`) or where the rows go afterwards.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .criteria import Measure
from .kernels.codes import (
    ALONE,
    CATEGORY,
    CENTRE,
    CUT_POSITION,
    FIRST_CUT_STAT,
    FIRST_KNOWN,
    FIRST_STAT,
    LEFT_MASS,
    MASS,
    MISSING_MASS,
    NO_CUT,
    START,
    STOP,
    TIE,
)
from .workspace import Batch, Least, Workspace

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

    def __len__(self) -> int:
        return len(self.feature)

    @property
    def alone(self) -> NDArray[np.bool_]:
        """Is the cut "known rows left, missing rows right"?"""
        return self.position == ALONE

    def _part(self, stats: Floats, mass: Floats) -> Part:
        return Part(self.measure.weight(stats), mass, self.measure.cost(stats))

    @cached_property
    def everything(self) -> Part:
        """All rows of the node."""
        return self._part(self.node_stats, self.node_mass)

    @cached_property
    def missing(self) -> Part:
        """Rows that miss the feature."""
        return self._part(self.missing_stats, self.missing_mass)

    @cached_property
    def known(self) -> Part:
        """Rows that know the feature: left and right together."""
        return self._part(self.node_stats - self.missing_stats, self.node_mass - self.missing_mass)

    @cached_property
    def left(self) -> Part:
        """Known rows left of the cut."""
        return self._part(self.left_stats, self.left_mass)

    @cached_property
    def right(self) -> Part:
        """Known rows right of the cut."""
        return self._part(
            self.node_stats - self.missing_stats - self.left_stats,
            self.node_mass - self.missing_mass - self.left_mass,
        )

    @cached_property
    def left_missing(self) -> Part:
        """Left side together with the missing rows."""
        return self._part(self.left_stats + self.missing_stats, self.left_mass + self.missing_mass)

    @cached_property
    def right_missing(self) -> Part:
        """Right side together with the missing rows."""
        return self._part(self.node_stats - self.left_stats, self.node_mass - self.left_mass)

    @cached_property
    def majority(self) -> NDArray[np.intp]:
        """Side with more known weight; right (1) when equal."""
        return (2 * self.left.weight <= self.known.weight).astype(np.intp)

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
    )


def all_cuts(
    work: Workspace,
    node: NDArray[np.int64],
    sums: Floats,
    allowed: NDArray[np.bool_] | None,
    alone: bool,
) -> Cuts:
    """List every cut of each allowed column of one node; at least one must be known there."""
    may_test = node[FIRST_KNOWN:] > 0
    if allowed is not None:
        may_test = may_test & allowed
    columns = [
        _cuts_of_column(work, node, f, sums[CENTRE], alone)
        for f in map(int, np.flatnonzero(may_test))
    ]
    feature, position, left, left_mass, missing, missing_mass = (
        np.concatenate(part) for part in zip(*columns, strict=True)
    )
    n = len(feature)
    return Cuts(
        work.measure,
        work.least,
        np.zeros(n, dtype=np.intp),
        feature,
        position,
        np.broadcast_to(sums[FIRST_STAT:], left.shape),
        left,
        missing,
        np.full(n, sums[MASS]),
        left_mass,
        missing_mass,
    )


def _cuts_of_column(
    work: Workspace, node: NDArray[np.int64], f: int, centre: float, alone: bool
) -> tuple[NDArray[Any], ...]:
    """Return (feature, position, left stats and mass, missing stats and mass) per cut."""
    entries = work.ids[f, node[START] : node[STOP]]
    k = int(node[FIRST_KNOWN + f])
    stats = work.measure.stats(work.y[entries], work.weights_of(entries), centre)
    mass = work.mass_of(entries)
    rank_row, kind = work.columns[f]
    is_last = np.ones(k, dtype=bool)  # is a known row the last one of its value?
    if rank_row >= 0:
        ranks = work.ranks[rank_row, node[START] : node[START] + k]
        is_last[:-1] = ranks[1:] != ranks[:-1]
    position = np.flatnonzero(is_last)
    if kind == CATEGORY:  # one level against all others
        starts = np.append(0, position[:-1] + 1)
        left, left_mass = np.add.reduceat(stats[:k], starts), np.add.reduceat(mass[:k], starts)
    else:
        position = position[:-1]
        left, left_mass = stats[:k].cumsum(axis=0)[position], mass[:k].cumsum()[position]
    if alone and k < len(entries):
        position = np.append(position, ALONE)
        left = np.vstack([left, stats[:k].sum(axis=0)])
        left_mass = np.append(left_mass, mass[:k].sum())
    n = len(position)
    missing = np.tile(stats[k:].sum(axis=0), (n, 1))
    missing_mass = np.full(n, mass[k:].sum())
    return np.full(n, f), position, left, left_mass, missing, missing_mass
