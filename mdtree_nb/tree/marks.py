"""What is written down about the tests of a batch of nodes that are split.

`mark` also notes the branch of every row, which `Workspace.partition` reads.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .kernels import nodes as node_kernels
from .kernels.codes import (
    ALONE,
    BRANCHES,
    EQUALS,
    FEATURE,
    FIRST_KNOWN,
    IS_MISSING,
    LEFT_SHARE,
    MULTIWAY,
    POSITION,
    START,
    THRESHOLD,
)
from .kernels.level_marks import mark_levels
from .workspace import Batch, Workspace

Floats = NDArray[np.float64]
Kinds = NDArray[np.int8]

_NO_LEVELS = np.empty(0, dtype=np.int64)


class Marks(NamedTuple):
    """The tests of some nodes, beside their columns.

    Attributes
    ----------
    threshold : ndarray of shape (b,), float64
        Threshold, or level code of an EQUALS test.
    offset : ndarray of shape (b + 1,), int64
        The shares of node b are offset[b] .. offset[b + 1].
    share : ndarray of float64
        Part of the known weight that each branch gets.
    table_at : ndarray of shape (b,), int64
        Place of the node's level table in `tables`; -1 where it has none.
    tables : ndarray of int16
        Branch of each level of the column, -1 for those that are not in the node.
    """

    threshold: NDArray[np.float64]
    offset: NDArray[np.int64]
    share: NDArray[np.float64]
    table_at: NDArray[np.int64]
    tables: NDArray[np.int16]

    def table(self, b: int, n_levels: int) -> NDArray[np.int16]:
        """Return the level table of one node; empty where it has none."""
        start = int(self.table_at[b])
        return self.tables[start : start + n_levels] if start >= 0 else self.tables[:0]

    def take(self, nodes: NDArray[np.intp]) -> Marks:
        """Return those of some nodes."""
        size = np.diff(self.offset)[nodes]
        offset = np.append(0, np.cumsum(size))
        place = np.arange(offset[-1]) + np.repeat(self.offset[nodes] - offset[:-1], size)
        return Marks(
            self.threshold[nodes], offset, self.share[place], self.table_at[nodes], self.tables
        )


def _lower_neighbour(work: Workspace, batch: Batch, choice: Floats) -> Floats:
    """Return the largest known value on the left of each threshold."""
    f = choice[:, FEATURE].astype(np.intp)
    position = choice[:, POSITION].astype(np.int64)
    alone = position == ALONE
    last = np.where(alone, batch[np.arange(len(f)), FIRST_KNOWN + f] - 1, position)
    return work.values[f, work.row_of(work.ids[f, batch[:, START] + last])]


def lower_half_way(threshold: Floats, below: Floats) -> Floats:
    """Move thresholds to the next smaller number, but for those that are a value themselves.

    Parameters
    ----------
    threshold : ndarray of shape (b,)
    below : ndarray of shape (b,)
        The lower neighbour of each cut; a threshold that is no larger is not half-way.

    Returns
    -------
    ndarray of shape (b,)
    """
    return np.where(threshold > below, np.nextafter(threshold, -np.inf), threshold)


def mark(work: Workspace, batch: Batch, sums: Floats, choice: Floats, kind: Kinds) -> Marks:
    """Note the branch of every row of some nodes that are split.

    Parameters
    ----------
    work : Workspace
    batch : ndarray of shape (b, FIRST_KNOWN + p)
    sums : ndarray of shape (b, FIRST_STAT + T)
    choice : ndarray of shape (b, CHOICE_COLUMNS)
        Written where every level is a branch: the branches, and the one of missing rows.
    kind : ndarray of shape (b,)
        How each node tests its column.

    Returns
    -------
    Marks
    """
    n = len(batch)
    if work.form.every_level:
        many = kind == MULTIWAY
        choice[many, BRANCHES] = work.n_levels[choice[many, FEATURE].astype(np.intp)]
    thresholds = np.empty(n)
    node_kernels.mark(
        work.ids,
        work.columns,
        work.values,
        work.rows,
        batch,
        choice,
        work.form.half_way,
        thresholds,
        work.branch,
    )
    if work.form.just_below:
        numeric = np.flatnonzero(kind == THRESHOLD)
        below = _lower_neighbour(work, batch[numeric], choice[numeric])
        thresholds[numeric] = lower_half_way(thresholds[numeric], below)
    if work.form.category == MULTIWAY:
        offset = np.zeros(n + 1, dtype=np.int64)
        np.cumsum(choice[:, BRANCHES], out=offset[1:], dtype=np.int64)
    else:
        offset = np.arange(0, 2 * n + 1, 2)
    shares = np.empty(offset[-1])
    shares[offset[:-1]] = choice[:, LEFT_SHARE]
    shares[offset[:-1] + 1] = 1.0 - choice[:, LEFT_SHARE]
    table_at = np.full(n, -1, dtype=np.int64)
    by_level = np.flatnonzero((kind != THRESHOLD) & (kind != IS_MISSING))
    tables = np.empty(0, dtype=np.int16)
    if not len(by_level):
        return Marks(thresholds, offset, shares, table_at, tables)
    if work.form.category != EQUALS:
        size = work.n_levels[choice[by_level, FEATURE].astype(np.intp)]
        stop = np.cumsum(size)
        table_at[by_level] = stop - size
        tables = np.full(stop[-1], -1, dtype=np.int16)
    marks = Marks(thresholds, offset, shares, table_at, tables)
    mark_levels(
        work.ids,
        work.ranks,
        work.columns,
        work.y,
        work.w,
        work.mass,
        work.measure.family,
        batch,
        by_level,
        sums,
        choice,
        work.level_room[0],
        tuple(marks),
        work.branch,
        work.n_levels if work.form.every_level else _NO_LEVELS,
    )
    return marks
