"""Chi-square statistics of labels against the values of a column, before any cut is made.

A node's rows are counted in a table: classes (or labels above the node's mean and the others)
against groups of the column. The groups of a numeric column are the quarters of its known
rows, by weight; equal values are in the quarter of their middle, so that two values are always
two groups. Those of a category are the levels that the node has; rows that miss the column are
one more group. With n rows of class i in group j, r of the class and c of the group,

    chi-square = sum (n - r c / N)^2 / (r c / N),    freedom = (classes - 1) (groups - 1)

Totals of classes do not depend on the column, so one group is counted at a time and no table is
kept.
"""

import numpy as np

from .codes import FIRST_KNOWN, START, STOP, THRESHOLD, TIE
from .jit import inner, kernel

QUARTERS = 4


@inner
def count(row, y, w, centre, counts):
    """Count one row; returns its weight."""
    weight = 1.0 if w is None else w[row]
    label = np.intp(y[row]) if centre is None else np.intp(y[row] > centre)
    counts[label] += weight
    return weight


@inner
def close(counts, totals, weight, all_weight):
    """Part of chi-square that a group of this weight adds; its counts are set back."""
    if weight <= 0.0:
        return 0.0
    added = 0.0
    for c in range(counts.size):
        if totals[c] > 0.0:
            expected = totals[c] * weight / all_weight
            difference = counts[c] - expected
            added += difference * difference / expected
        counts[c] = 0.0
    return added


@inner
def weight_between(ids, start, stop, w):
    """Weight of the rows ids[start:stop]."""
    if w is None:
        return float(stop - start)
    total = 0.0
    for i in range(start, stop):
        total += w[ids[i]]
    return total


@inner
def chi_square_of(ids, ranks, tied, numeric, k, y, w, centre, totals, all_weight, counts):
    """Chi-square of one column of one node, and the number of its groups."""
    chi_square = 0.0
    groups = 0
    quarters = QUARTERS / weight_between(ids, 0, k, w) * (1.0 + TIE)
    group = -1
    weight = 0.0
    below = 0.0
    i = 0
    while i < k:
        stop = i + 1
        while tied and stop < k and ranks[stop] == ranks[i]:
            stop += 1
        its = weight_between(ids, i, stop, w)
        its_group = np.int64((below + its / 2.0) * quarters) if numeric else i
        if its_group != group:
            chi_square += close(counts, totals, weight, all_weight)
            groups += 1
            group = its_group
            weight = 0.0
        for j in range(i, stop):
            count(ids[j], y, w, centre, counts)
        weight += its
        below += its
        i = stop
    chi_square += close(counts, totals, weight, all_weight)
    weight = 0.0
    for j in range(k, ids.size):
        weight += count(ids[j], y, w, centre, counts)
    chi_square += close(counts, totals, weight, all_weight)
    return chi_square, groups + (k < ids.size)


@kernel
def contingency(ids, ranks, columns, y, w, centres, batch, allowed, counts, chi_square, freedom):
    """Write chi-square and its degrees of freedom for each column of each node.

    Parameters
    ----------
    ids, ranks, columns, y, w, batch
        See `search`.
    centres : ndarray of shape (b,), float64, or None
        Labels are counted as above or not above it; None = y are class codes.
    allowed : ndarray of shape (b, p), bool
        Columns to look at.
    counts : ndarray of shape (2, K), float64
        Scratch.
    chi_square, freedom : ndarray of shape (b, p), float64
        Written; 0 and 0 where a column is not looked at, or there is nothing to compare.
    """
    totals, here = counts[0], counts[1]
    for b in range(batch.shape[0]):
        s = batch[b, START]
        e = batch[b, STOP]
        centre = None if centres is None else centres[b]
        for c in range(totals.size):
            totals[c] = here[c] = 0.0
        all_weight = 0.0
        for i in range(s, e):
            all_weight += count(ids[0, i], y, w, centre, totals)
        classes = 0
        for c in range(totals.size):
            classes += totals[c] > 0.0
        for f in range(columns.shape[0]):
            chi_square[b, f] = freedom[b, f] = 0.0
            if not allowed[b, f]:
                continue
            tied = columns[f, 0] >= 0
            rank_row = ranks[columns[f, 0] if tied else 0, s if tied else 0 : e if tied else 0]
            its, groups = chi_square_of(
                ids[f, s:e], rank_row, tied, columns[f, 1] == THRESHOLD, batch[b, FIRST_KNOWN + f],
                y, w, centre, totals, all_weight, here,
            )  # fmt: skip
            if classes > 1 and groups > 1:
                chi_square[b, f] = its
                freedom[b, f] = (classes - 1) * (groups - 1)
