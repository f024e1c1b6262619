"""Write down the chosen test of a category column: branch of every level, and of every row.

A position says which test it is (see `levels.py`); the level table is made once more to look
it up, which costs less than keeping one per column of every node.
"""

import numpy as np

from .codes import (
    CENTRE,
    EQUALS,
    EXHAUSTIVE,
    FEATURE,
    FIRST_KNOWN,
    MISSING_BRANCH,
    MULTIWAY,
    POSITION,
    START,
    STOP,
)
from .jit import inner, kernel
from .levels import ORDER, SPARE, STARTS, is_ordered, order_levels, tabulate
from .sweep import weight_of


@inner
def group_levels(kind, position, n, family, stats, floats, ints):
    """Write the branch of each level into the spare row of `ints`."""
    branch = ints[SPARE]
    if kind == MULTIWAY:
        for j in range(n):
            branch[j] = j
    elif kind == EQUALS:
        for j in range(n):
            branch[j] = j != position
    elif not is_ordered(family, stats.shape[1]) and n <= EXHAUSTIVE:
        branch[0] = 0
        for j in range(1, n):
            branch[j] = position >> (j - 1) & 1
    else:
        c = 1 if is_ordered(family, stats.shape[1]) else position // n
        order_levels(stats, floats, ints, n, family, c)
        for j in range(n):
            branch[ints[ORDER, j]] = j > position % n
        if not is_ordered(family, stats.shape[1]) and branch[0]:
            for j in range(n):
                branch[j] = 1 - branch[j]


@kernel
def mark_levels(
    ids, ranks, columns, y, w, mass, family, batch, nodes, sums, choice, categories, marks, branch,
    n_levels,
):  # fmt: skip
    """Write down where the chosen test of a category column sends each node's rows.

    Parameters
    ----------
    ids, ranks, columns, y, w, mass, batch, sums, choice, categories
        See `search`.
    family : int
    nodes : ndarray of int64
        Nodes of the batch with such a test.
    marks : (thresholds, offset, shares, table_at, tables)
        See `workspace.Marks`; all but `offset` and `table_at` are written.
    branch : ndarray of shape (capacity,), uint16
        Written for the rows of these nodes.
    n_levels : ndarray of shape (p,) or (0,), int64
        Levels of each column, where every one of them is a branch of a MULTIWAY test; then
        the MISSING_BRANCH of `choice` becomes the number of a level, too.
    """
    stats, floats, ints, _ = categories
    thresholds, offset, shares, table_at, tables = marks
    for b in nodes:
        f = np.int64(choice[b, FEATURE])
        kind = columns[f, 1]
        s = batch[b, START]
        k = batch[b, FIRST_KNOWN + f]
        row = ids[f, s : batch[b, STOP]]
        codes = ranks[columns[f, 0], s : s + k]
        n = tabulate(row, codes, k, y, w, mass, sums[b, CENTRE], family, stats, floats, ints)
        group_levels(kind, np.int64(choice[b, POSITION]), n, family, stats, floats, ints)
        missing_branch = np.int64(choice[b, MISSING_BRANCH])
        if kind == MULTIWAY and n_levels.size > 0:
            for j in range(n):
                ints[SPARE, j] = np.int64(codes[ints[STARTS, j]])
            for c in range(n_levels[f]):
                shares[offset[b] + c] = 0.0
                tables[table_at[b] + c] = c
            if missing_branch >= 0:
                missing_branch = ints[SPARE, missing_branch] if missing_branch < n else n_levels[f]
                choice[b, MISSING_BRANCH] = missing_branch
        if kind == MULTIWAY:
            total = 0.0
            for j in range(n):
                total += weight_of(stats[j], family)
            for j in range(n):
                shares[offset[b] + ints[SPARE, j]] = weight_of(stats[j], family) / total
        for j in range(n):
            start = ints[STARTS, j]
            stop = ints[STARTS, j + 1] if j + 1 < n else k
            its = ints[SPARE, j]
            if kind == EQUALS and its == 0:
                thresholds[b] = codes[start]
            if kind != EQUALS:
                tables[table_at[b] + np.int64(codes[start])] = its
            for i in range(start, stop):
                branch[row[i]] = its
        if missing_branch >= 0:
            for i in range(k, row.size):
                branch[row[i]] = np.uint16(missing_branch)
