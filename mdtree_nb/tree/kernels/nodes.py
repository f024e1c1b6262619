"""Work on the rows of a batch of nodes: sum them up, mark and partition them.

A node is a segment [start, stop) of every feature's sorted row numbers `ids[f]`: first
its known rows in order of value, then the rows that miss f. The segment is the same for
all features, only the order inside differs. Splitting a node rearranges each segment so
that its children become segments of their own:

    ids[f]       known, in order             missing
    branch       0 1 0 0 1 1 0 1 0 0 1 0 1 | 1 1 0 1
    afterwards   branch 0: known | missing   branch 1: known | missing

Does not: choose splits or ask a strategy; the Python code between two calls does that.
"""

import numpy as np

from .codes import (
    ALONE,
    CENTRE,
    COST,
    FEATURE,
    FIRST_KNOWN,
    FIRST_STAT,
    MASS,
    MISSING_BRANCH,
    NOWHERE,
    POSITION,
    START,
    STOP,
    THRESHOLD,
    WEIGHT,
)
from .jit import inner, kernel
from .search import mass_of
from .sweep import add_row, cost_of, weight_of


@kernel
def sum_up(ids, y, w, mass, batch, rule, sums):
    """Sum up the labels of each node of a batch.

    Parameters
    ----------
    ids, y, w, mass, batch
        See `search`.
    rule : (family, scale, centred)
        `centred`: take the stats around the node's own mean, so that large labels lose
        no digits.
    sums : ndarray of shape (b, FIRST_STAT + T), float64
        Written. Its cost is exactly 0 where all labels are equal; a difference of sums
        could leave 1e-17 there.
    """
    family, scale, centred = rule
    for b in range(batch.shape[0]):
        s = batch[b, START]
        e = batch[b, STOP]
        stats = sums[b, FIRST_STAT:]
        if s == e:  # a level that no row of the parent has
            for c in range(sums.shape[1]):
                sums[b, c] = 0.0
            continue
        first = y[ids[0, s]]
        pure = True
        for c in range(stats.size):
            stats[c] = 0.0
        for i in range(s, e):
            r = ids[0, i]
            pure = pure and y[r] == first
            add_row(stats, family, y[r], 1.0 if w is None else w[r], 0.0)
        sums[b, CENTRE] = 0.0
        if centred:
            centre = np.float64(first) if pure else stats[1] / stats[0]
            sums[b, CENTRE] = centre
            for c in range(stats.size):
                stats[c] = 0.0
            for i in range(s, e):
                r = ids[0, i]
                add_row(stats, family, y[r], 1.0 if w is None else w[r], centre)
        sums[b, WEIGHT] = weight_of(stats, family)
        sums[b, MASS] = mass_of(ids[0], s, e, mass)
        sums[b, COST] = 0.0 if pure else cost_of(stats, family, scale)


@kernel
def mark(ids, columns, values, rows, batch, choice, half_way, thresholds, branch):
    """Write down where the chosen cut of each node sends its rows.

    Parameters
    ----------
    ids, columns, batch
        See `search`.
    values : ndarray of shape (p, n), float64
        The table, column by column; read-only.
    rows : ndarray of shape (capacity,) or (0,), uint32
        Row of the table behind each entry; empty = the entry itself.
    choice : ndarray of shape (b, CHOICE_COLUMNS), float64
        A MISSING_BRANCH below 0 leaves the missing rows for a strategy to route.
    half_way : bool
        Else a threshold is the lower neighbour.
    thresholds : ndarray of shape (b,), float64
        Written: half-way between the cut's neighbours, or the lower one where half-way
        would round to the upper; for ALONE the largest known value.
    branch : ndarray of shape (capacity,), uint16
        Written for the rows of the batch, but for those of nodes that test for levels;
        see `mark_levels`.
    """
    for b in range(batch.shape[0]):
        f = np.int64(choice[b, FEATURE])
        s = batch[b, START]
        k = s + batch[b, FIRST_KNOWN + f]
        alone = choice[b, POSITION] == ALONE
        if columns[f, 1] != THRESHOLD and not alone:
            continue
        at = k - 1 if alone else s + np.int64(choice[b, POSITION])
        low = ids[f, at]
        high = ids[f, at + 1 if at + 1 < k else at]
        if rows.size > 0:
            low = rows[low]
            high = rows[high]
        below = values[f, low]
        above = values[f, high]
        thresholds[b] = below
        if half_way and np.isfinite(below) and np.isfinite(above):
            middle = below / 2.0 + above / 2.0
            if below <= middle < above:
                thresholds[b] = middle
        for i in range(s, k):
            branch[ids[f, i]] = i > at
        if choice[b, MISSING_BRANCH] >= 0.0:
            for i in range(k, batch[b, STOP]):
                branch[ids[f, i]] = np.uint16(choice[b, MISSING_BRANCH])


@inner
def part_two(ids, tied, ranks, branch, spare, spare_ranks, k):
    """Stable partition into branches 0 and 1; returns the known rows of branch 0.

    Branch 0 is written in place, since it never overtakes the reading position; branch
    1 waits in `spare` and is appended. Ranks of a column with ties move along.
    """
    left = 0
    right = 0
    known_left = 0
    for i in range(ids.size):
        if i == k:
            known_left = left
        r = ids[i]
        goes_right = np.int64(branch[r])
        ids[left] = r
        spare[right] = r
        if tied:
            ranks[left] = spare_ranks[right] = ranks[i]
        left += 1 - goes_right
        right += goes_right
    for i in range(right):
        ids[left + i] = spare[i]
        if tied:
            ranks[left + i] = spare_ranks[i]
    return left if k == ids.size else known_left


@kernel
def partition(
    ids, ranks, columns, batch, branch, first_child, children, spare, spare_ranks, counts, at
):  # fmt: skip
    """Rearrange the rows of each node so that its children are segments.

    The children of node b are rows first_child[b] .. first_child[b + 1] of `children`,
    a batch in the making: their segments and known rows are written. Rows of branch
    NOWHERE belong to none of them. The rest is scratch: `spare` and `spare_ranks` with one
    entry per row of the largest node, `counts` and `at` of shape (NOWHERE + 1,).
    """
    for b in range(batch.shape[0]):
        s = batch[b, START]
        e = batch[b, STOP]
        c0 = first_child[b]
        n = first_child[b + 1] - c0
        for c in range(n):
            counts[c] = 0
        counts[NOWHERE] = 0
        for i in range(s, e):
            counts[branch[ids[0, i]]] += 1
        start = s
        for c in range(n):
            children[c0 + c, START] = start
            start += counts[c]
            children[c0 + c, STOP] = start
        for f in range(columns.shape[0]):
            known = FIRST_KNOWN + f
            k = batch[b, known]
            tied = columns[f, 0] >= 0
            row = ids[f, s:e]
            rank_row = ranks[columns[f, 0] if tied else 0, s if tied else 0 : e if tied else 0]
            if n == 2 and counts[NOWHERE] == 0:
                k_left = part_two(row, tied, rank_row, branch, spare, spare_ranks, k)
                children[c0, known] = k_left
                children[c0 + 1, known] = k - k_left
                continue
            for c in range(n):
                at[c] = children[c0 + c, START] - s
                children[c0 + c, known] = 0
            for i in range(row.size):
                spare[i] = row[i]
                if tied:
                    spare_ranks[i] = rank_row[i]
            for i in range(row.size):
                c = np.int64(branch[spare[i]])
                if c == NOWHERE:
                    continue
                row[at[c]] = spare[i]
                if tied:
                    rank_row[at[c]] = spare_ranks[i]
                at[c] += 1
                if i < k:
                    children[c0 + c, known] += 1
