"""List every cut of a node in plain NumPy.

For strategies without a compiled mode, for tables of candidates that people read, and as
the definition that the compiled sweeps are held to.

Does not: choose.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .criteria import Measure
from .cuts import Cuts, Rest
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
from .workspace import Workspace

Floats = NDArray[np.float64]
NO_REST = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


class _Candidates(NamedTuple):
    """Cuts of one column: positions, stats and mass on the left, and `Rest` line by line."""

    position: NDArray[np.int64]
    left: Floats
    left_mass: Floats
    rest: Floats


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
    parts = []
    for f in map(int, np.flatnonzero(may_test)):
        entries = work.ids[f, node[START] : node[STOP]]
        k = int(node[FIRST_KNOWN + f])
        stats = work.measure.stats(work.y[entries], work.weights_of(entries), sums[CENTRE])
        mass = work.mass_of(entries)
        found = _of_column(work, node, f, stats[:k], mass[:k])
        if alone and k < len(entries):
            found = _Candidates(
                np.append(found.position, ALONE),
                np.vstack([found.left, stats[:k].sum(axis=0)]),
                np.append(found.left_mass, mass[:k].sum()),
                np.vstack([found.rest, NO_REST]),
            )
        n = len(found.position)
        missing = np.tile(stats[k:].sum(axis=0), (n, 1))
        parts.append((np.full(n, f), *found, missing, np.full(n, mass[k:].sum())))
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
        Rest(*rest.T) if work.category_test == MULTIWAY else None,
    )


def _of_column(
    work: Workspace, node: NDArray[np.int64], f: int, stats: Floats, mass: Floats
) -> _Candidates:
    rank_row, test = work.columns[f]
    k = len(mass)
    is_last = np.ones(k, dtype=bool)  # is a known row the last one of its value?
    if rank_row >= 0:
        ranks = work.ranks[rank_row, node[START] : node[START] + k]
        is_last[:-1] = ranks[1:] != ranks[:-1]
    position = np.flatnonzero(is_last)
    if test == THRESHOLD:
        position = position[:-1]
        left, left_mass = stats.cumsum(axis=0)[position], mass.cumsum()[position]
        return _two_sided(position, left, left_mass)
    starts = np.append(0, position[:-1] + 1)
    levels, level_mass = np.add.reduceat(stats, starts), np.add.reduceat(mass, starts)
    n = len(levels)
    if test == MULTIWAY:
        return _multiway(work.measure, levels, level_mass)
    if n == 1:
        return _two_sided(starts[:0], levels[:0], level_mass[:0])
    if test == EQUALS:
        return _two_sided(np.arange(n), levels, level_mass)
    position, groups = subsets(work.measure, levels)
    left = groups.astype(np.float64)
    return _two_sided(position, left @ levels, left @ level_mass)


def _two_sided(position: NDArray[Any], left: Floats, left_mass: Floats) -> _Candidates:
    return _Candidates(position, left, left_mass, np.tile(NO_REST, (len(position), 1)))


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


def _multiway(measure: Measure, levels: Floats, mass: Floats) -> _Candidates:
    """List the test once for every branch that missing rows may join."""
    n = len(levels)
    weight, cost = measure.weight(levels), measure.cost(levels)
    position = np.arange(n if n > 1 else 0)
    left, left_mass, rest = levels[position], mass[position], []
    for j in position:
        others = np.delete(np.arange(n), j)
        heaviest = others[::-1][weight[others[::-1]].argmax()]
        rest.append(
            (n, cost[others].sum(), mass[others].min(), weight[others].min())
            + (heaviest, weight[heaviest])
        )
        if j:
            left[j] = levels[others].sum(axis=0)
            left_mass[j] = mass[others].sum()
    return _Candidates(position, left, left_mass, np.array(rest).reshape(len(position), 6))
