"""How well do other columns tell which way the rows of a node went?

A surrogate is a test of another column that sends the rows where the chosen test sent
them. For a numeric column one pass over its sorted rows is enough: with D the weight
gone left less that gone right among the rows up to a cut,

    up to the cut left, above right    agrees on (all that went right) + D
    up to the cut right, above left    agrees on (all that went left) - D

so only the largest and the smallest D matter. A category sends each of its levels to the
side where most of its weight went.

Called by `surrogate_search.py`.
"""

import numpy as np

from .codes import FEATURE, FIRST_KNOWN, START, STOP, THRESHOLD, TIE
from .jit import inner, kernel

# What is found out about each column of a node: weight on which it agrees (0 = no test of it
# can do so), weight that the larger side alone would get right, weight it is compared with,
# the last row up to the cut, and the branch of the rows up to there.
AGREES, MAJORITY, COMPARED, CUT, LOW_BRANCH = 0, 1, 2, 3, 4
FOUND = 5

# Side of an entry; one that misses the chosen column is on neither.
WENT_LEFT, WENT_RIGHT, ABSENT = 1, -1, 0
FEWEST = 2  # rows that each side of a surrogate needs


@inner
def note_sides(ids, f, s, k, e, branch, w, side):
    """Write the side of every entry; returns the weights gone left and right."""
    left = 0.0
    right = 0.0
    for i in range(s, k):
        entry = ids[f, i]
        u = 1.0 if w is None else w[entry]
        if branch[entry] == 0:
            side[entry] = WENT_LEFT
            left += u
        else:
            side[entry] = WENT_RIGHT
            right += u
    for i in range(k, e):
        side[ids[f, i]] = ABSENT
    return left, right


@inner
def cut_range(row, side):
    """First cut, and the one after the last, with enough rows on both sides."""
    first = 0
    seen = 0
    while first < row.size:
        seen += side[row[first]] != ABSENT
        if seen == FEWEST:
            break
        first += 1
    stop = row.size
    seen = 0
    while stop > 0 and seen < FEWEST:
        stop -= 1
        seen += side[row[stop]] != ABSENT
    return (first, stop) if first < stop and seen == FEWEST else (0, 0)


@inner
def agree_by_cut(row, tied, ranks, side, w, margin, found):
    """Find the cut that agrees most; writes AGREES, CUT, LOW_BRANCH and both weights seen.

    The processor should not have to guess which side comes next: the side is a number to add
    up, and rows before the first cut and behind the last one are added up by themselves.
    """
    first, stop = cut_range(row, side)
    both = 0.0
    if w is None:  # whole numbers add up faster
        d = most = least = 0
        above_most = -row.size - 1
        below_least = row.size + 1
        step = 0
    else:
        d = most = least = 0.0
        above_most = -np.inf
        below_least = np.inf
        step = margin
    at_most = at_least = -1
    below = 0
    for part in range(3):
        start = 0 if part == 0 else first if part == 1 else stop
        end = first if part == 0 else stop if part == 1 else row.size
        for i in range(start, end):
            its = np.int64(side[row[i]])
            below += its * its
            if w is None:
                d += its
            else:
                d += its * w[row[i]]
                both += abs(its * w[row[i]])
            if part != 1 or (tied and ranks[i + 1] == ranks[i]):
                continue
            if d > above_most:
                most = d
                above_most = d + step
                at_most = i
            if d < below_least:
                least = d
                below_least = d - step
                at_least = i
    if w is None:
        both = float(below)
    left = (both + d) / 2.0
    right = (both - d) / 2.0
    found[AGREES] = 0.0
    if at_most >= 0:
        straight = right + most
        turned = left - least
        is_turned = turned > straight + margin
        if abs(turned - straight) <= margin:
            is_turned = at_least <= at_most
        found[AGREES] = turned if is_turned else straight
        found[CUT] = at_least if is_turned else at_most
        found[LOW_BRANCH] = 1.0 if is_turned else 0.0
    return left, right


@inner
def agree_by_level(row, codes, side, w, margin, larger, found, table):
    """Let each level follow its larger side; writes AGREES and, if there is one, `table`."""
    all_left = 0.0
    all_right = 0.0
    to_left = 0
    to_right = 0
    agrees = 0.0
    start = 0
    while start < row.size:
        left = 0.0
        right = 0.0
        rows = 0
        stop = start
        while stop < row.size and codes[stop] == codes[start]:
            its = side[row[stop]]
            if its != ABSENT:
                u = 1.0 if w is None else w[row[stop]]
                rows += 1
                if its == WENT_LEFT:
                    left += u
                else:
                    right += u
            stop += 1
        goes = larger
        if abs(left - right) > margin:
            goes = 0 if left > right else 1
        if rows > 0:
            agrees += max(left, right)
            if goes == 0:
                to_left += rows
            else:
                to_right += rows
            if table.size > 0:
                table[np.int64(codes[start])] = goes
        all_left += left
        all_right += right
        start = stop
    found[AGREES] = agrees if to_left >= FEWEST and to_right >= FEWEST else 0.0
    return all_left, all_right


@kernel
def agreements(
    ids, ranks, columns, batch, nodes, choice, branch, w, by_known, side, found, no_table
):  # fmt: skip
    """Say how far each column agrees with the tests that were chosen.

    Parameters
    ----------
    ids, ranks, columns, w
        See `search`.
    batch : ndarray of shape (b, FIRST_KNOWN + p), int64
    nodes : ndarray of int64
        Nodes of the batch that were split in two.
    choice : ndarray of shape (b, CHOICE_COLUMNS), float64
    branch : ndarray of shape (capacity,), uint16
        Of the entries that know the chosen column.
    by_known : bool
        Compare only on the rows that know both columns; else on all that know the chosen one.
    side : ndarray of shape (capacity,), int8
        Scratch.
    found : ndarray of shape (len(nodes), p, FOUND), float64
        Written; AGREES is 0 where a column has no test that can agree.
    no_table : ndarray of shape (0,), int16
    """
    for j in range(nodes.size):
        b = nodes[j]
        f = np.int64(choice[b, FEATURE])
        s = batch[b, START]
        left, right = note_sides(
            ids, f, s, s + batch[b, FIRST_KNOWN + f], batch[b, STOP], branch, w, side
        )
        margin = TIE * (left + right)
        for g in range(columns.shape[0]):
            its = found[j, g]
            its[AGREES] = 0.0
            k = batch[b, FIRST_KNOWN + g]
            if g == f or k == 0:
                continue
            row = ids[g, s : s + k]
            tied = columns[g, 0] >= 0
            rank_row = ranks[columns[g, 0] if tied else 0, s if tied else 0 : s + k if tied else 0]
            if columns[g, 1] == THRESHOLD:
                both = agree_by_cut(row, tied, rank_row, side, w, margin, its)
            else:
                larger = 0 if left > right + margin else 1
                both = agree_by_level(row, rank_row, side, w, margin, larger, its, no_table)
            its[MAJORITY] = max(both[0], both[1]) if by_known else max(left, right)
            its[COMPARED] = both[0] + both[1] if by_known else left + right


@kernel
def level_sides(
    ids, ranks, columns, batch, nodes, features, start, choice, branch, w, side, found, tables
):  # fmt: skip
    """Write the side of each level of some category columns in some nodes.

    Parameters
    ----------
    ids, ranks, columns, batch, choice, branch, w, side
        See `agreements`.
    nodes, features, start : ndarray of shape (q,), int64
        Node of the batch, column, and where its table begins in `tables`.
    found : ndarray of shape (FOUND,), float64
        Scratch.
    tables : ndarray of int16
        Written, for levels that rows of the node have which know both columns.
    """
    left = 0.0
    right = 0.0
    for j in range(nodes.size):
        b = nodes[j]
        f = np.int64(choice[b, FEATURE])
        s = batch[b, START]
        if j == 0 or nodes[j - 1] != b:
            left, right = note_sides(
                ids, f, s, s + batch[b, FIRST_KNOWN + f], batch[b, STOP], branch, w, side
            )
        margin = TIE * (left + right)
        g = features[j]
        k = batch[b, FIRST_KNOWN + g]
        codes = ranks[columns[g, 0], s : s + k]
        larger = 0 if left > right + margin else 1
        agree_by_level(ids[g, s : s + k], codes, side, w, margin, larger, found, tables[start[j] :])
