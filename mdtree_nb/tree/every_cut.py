"""List every cut of a node in plain NumPy.

For strategies without a compiled mode, for tables of candidates that people read, and as
the definition that the compiled sweeps are held to.

Does not: choose.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .absolute_cuts import AbsoluteCosts
from .cuts import Cuts, Guessed, PartCosts, Rest
from .guessed import GuessedColumn
from .kernels.codes import (
    ALONE,
    CENTRE,
    EQUALS,
    EXHAUSTIVE,
    FIRST_KNOWN,
    FIRST_STAT,
    MASS,
    MOMENTS,
    MULTIWAY,
    START,
    STOP,
    THRESHOLD,
)
from .measure import Measure
from .rules import Least
from .workspace import Workspace

Floats = NDArray[np.float64]
NO_REST = (0.0,) * 7


class _Candidates(NamedTuple):
    """Cuts of one column: positions, stats and mass on the left, `Rest` line by line, and more."""

    position: NDArray[np.int64]
    left: Floats
    left_mass: Floats
    rest: Floats
    costs: PartCosts | None
    guessed: Guessed | None = None


def all_cuts(
    work: Workspace,
    node: NDArray[np.int64],
    sums: Floats,
    allowed: NDArray[np.bool_] | None,
    alone: bool,
) -> Cuts:
    """List every cut of each allowed column of one node; at least one must be known there.

    Parameters
    ----------
    work : Workspace
    node : ndarray of shape (FIRST_KNOWN + p,)
    sums : ndarray of shape (FIRST_STAT + T,)
    allowed : ndarray of shape (p,), bool, or None
        None = all columns.
    alone : bool
        List "known | missing" too?

    Returns
    -------
    Cuts
    """
    may_test = node[FIRST_KNOWN:] > 0
    if allowed is not None:
        may_test = may_test & allowed
    absolute = AbsoluteCosts(work, node) if work.measure.absolute else None
    parts, costs, guessed, tries = [], [], [], []
    for f in map(int, np.flatnonzero(may_test)):
        column = _Column(work, node, f, sums[CENTRE], absolute)
        found = column.cuts()
        if alone and column.k < len(column.entries):
            found = column.with_alone(found)
        n = len(found.position)
        missing = np.tile(column.stats[column.k :].sum(axis=0), (n, 1))
        missing_mass = np.full(n, column.mass[column.k :].sum())
        parts.append((np.full(n, f), *found[:4], missing, missing_mass))
        costs.append(found.costs)
        guessed.append(found.guessed)
        tries.append(np.full(n, column.tries))
    feature, position, left, left_mass, rest, missing, missing_mass = (
        np.concatenate(part) for part in zip(*parts, strict=True)
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
        Rest(*rest.T) if work.form.category == MULTIWAY else None,
        PartCosts(*_joined(costs)) if absolute else None,
        np.concatenate(tries),
        None if work.guesses is None else Guessed(*_joined(guessed)),
    )


def _joined(columns: Iterable[tuple[Floats, ...] | None]) -> list[Floats]:
    known = [c for c in columns if c is not None]
    return [np.concatenate(part) for part in zip(*known, strict=True)]


class _Column:
    """One column of a node: its entries, k known ones first, and what they sum up to."""

    def __init__(
        self,
        work: Workspace,
        node: NDArray[np.int64],
        f: int,
        centre: float,
        absolute: AbsoluteCosts | None,
    ):
        self.measure, self.least, self.absolute = work.measure, work.least, absolute
        self.entries = work.ids[f, node[START] : node[STOP]]
        self.k = int(node[FIRST_KNOWN + f])
        weights = work.weights_of(self.entries)
        self.stats = work.measure.stats(work.y[self.entries], weights, centre)
        self.mass = work.mass_of(self.entries)
        self.tries = 0  # admissible thresholds
        self.guesses = None
        if work.guesses is not None:
            self.guesses = GuessedColumn(work, work.guesses, node, f, centre)
        rank_row, self.test = work.columns[f]
        self.is_last = np.ones(self.k, dtype=bool)  # is a known row the last one of its value?
        if rank_row >= 0:
            ranks = work.ranks[rank_row, node[START] : node[START] + self.k]
            self.is_last[:-1] = ranks[1:] != ranks[:-1]

    def cuts(self) -> _Candidates:
        """List the cuts, all but "known | missing"."""
        stats, mass = self.stats[: self.k], self.mass[: self.k]
        last = np.flatnonzero(self.is_last)
        if self.test == THRESHOLD:
            position = last[:-1]
            have, need = mass.cumsum(), self.least.of_side(mass.sum())
            enough = (have[position] >= need) & (have[-1] - have[position] >= need)
            self.tries = int(np.count_nonzero(enough))
            if self.least.side_share:
                position = position[enough]
            costs = None
            if self.absolute:
                costs = self.absolute.by_position(self.entries, self.k, position)
            left, left_mass = stats.cumsum(axis=0)[position], have[position]
            found = _two_sided(position, left, left_mass, costs)
            if self.guesses is not None:
                return found._replace(guessed=self.guesses.by_position(position, left))
            return found
        starts = np.append(0, last[:-1] + 1)
        levels, level_mass = np.add.reduceat(stats, starts), np.add.reduceat(mass, starts)
        n = len(levels)
        if self.test == MULTIWAY:
            position, groups = np.arange(n if n > 1 else 0), np.eye(n, dtype=bool)[: n * (n > 1)]
            groups[1:] = ~groups[1:]  # branch 0 alone, or all but branch j
            found = _multiway(
                self.measure, levels, level_mass, self._level_costs(levels), self.least
            )
        elif n == 1:
            position, groups = starts[:0], np.empty((0, 1), dtype=bool)
        elif self.test == EQUALS:
            position, groups = np.arange(n), np.eye(n, dtype=bool)
        else:
            position, groups = subsets(self.measure, levels)
        if self.test != MULTIWAY:
            left = groups.astype(np.float64)
            found = _two_sided(position, left @ levels, left @ level_mass, None)
        if self.guesses is not None:
            codes = self.guesses.known_values[last]
            found = found._replace(guessed=self.guesses.by_group(self.test, groups, codes, levels))
        if self.absolute:
            level = np.cumsum(np.append(0, self.is_last[:-1]))
            costs = self.absolute.by_group(self.entries, self.k, groups[:, level])
            return found._replace(costs=costs)
        return found

    def _level_costs(self, levels: Floats) -> Floats:
        if self.absolute is None:
            return self.measure.cost(levels)
        level = np.cumsum(np.append(0, self.is_last[:-1]))
        groups = np.arange(len(levels))[:, None] == level
        return self.absolute.of_groups(self.entries[: self.k], groups)

    def with_alone(self, found: _Candidates) -> _Candidates:
        """Add "known | missing"."""
        costs = found.costs
        if self.absolute and costs is not None:
            costs = PartCosts(*_joined([costs, self.absolute.alone(self.entries, self.k)]))
        guessed = found.guessed
        if self.guesses is not None and guessed is not None:
            guessed = Guessed(*_joined([guessed, self.guesses.alone()]))
        return _Candidates(
            np.append(found.position, ALONE),
            np.vstack([found.left, self.stats[: self.k].sum(axis=0)]),
            np.append(found.left_mass, self.mass[: self.k].sum()),
            np.vstack([found.rest, NO_REST]),
            costs,
            guessed,
        )


def _two_sided(
    position: NDArray[Any], left: Floats, left_mass: Floats, costs: PartCosts | None
) -> _Candidates:
    return _Candidates(position, left, left_mass, np.tile(NO_REST, (len(position), 1)), costs)


def subsets(measure: Measure, levels: Floats) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """List the groupings of levels that are tried; see `kernels/levels.py`.

    Parameters
    ----------
    measure : Measure
    levels : ndarray of shape (n, T)
        Stats of each level.

    Returns
    -------
    position : ndarray of shape (c,)
    groups : ndarray of shape (c, n), bool
        Which levels are left.
    """
    n, n_stats = levels.shape
    is_ordered = measure.family == MOMENTS or n_stats == 2
    if not is_ordered and n <= EXHAUSTIVE:
        steps = np.arange(1, 2 ** (n - 1))
        codes = steps ^ (steps >> 1)
        right = (codes[:, None] >> np.arange(n - 1)) & 1
        return codes, np.column_stack([np.ones(len(codes), dtype=bool), right == 0])
    position, groups = [], []
    for c in [1] if is_ordered else range(n_stats):
        share = levels[:, c] / measure.weight(levels)
        largest = np.abs(share).max()
        keys = np.rint(share / largest * 2.0**40) if largest > 0 else share
        place = np.empty(n, dtype=np.intp)
        place[np.argsort(keys, kind="stable")] = np.arange(n)
        cuts = np.arange(n - 1)
        left = place <= cuts[:, None]
        if not is_ordered:
            left = left == left[:, :1]
        position.append(cuts if is_ordered else c * n + cuts)
        groups.append(left)
    return np.concatenate(position), np.concatenate(groups)


def _multiway(
    measure: Measure, levels: Floats, mass: Floats, cost: Floats, least: Least
) -> _Candidates:
    """List the test once for every branch that missing rows may join."""
    n = len(levels)
    weight = measure.weight(levels)
    position = np.arange(n if n > 1 else 0)
    left, left_mass, rest = levels[position], mass[position], []
    for j in position:
        others = np.delete(np.arange(n), j)
        heaviest = others[::-1][weight[others[::-1]].argmax()]
        decides = np.max if least.two_suffice else np.min
        w = weight[others]
        rest.append(
            (n, cost[others].sum(), decides(mass[others]), decides(w), heaviest, weight[heaviest])
            + (w @ np.log2(np.where(w > 0, w, 1.0)),)
        )
        if j:
            left[j] = levels[others].sum(axis=0)
            left_mass[j] = mass[others].sum()
    return _Candidates(position, left, left_mass, np.array(rest).reshape(len(position), 7), None)
