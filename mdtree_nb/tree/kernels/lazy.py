"""What each answer of an incomplete row would leave of some training rows, and what that gains.

Rows are sorted per column, known ones first, as everywhere. An outcome of a column is a run of
its known rows: those of one level, or those on one side of the best threshold. Kept rows are
compared with all rows of the set, classes with weights 1 / (weight of the class in the set): so
all classes start equal, and a gain is log2(classes) less the entropy of what is left. Numbers
gain the decrease of variance.

Called by `lazy.py`.
"""

import numpy as np

from .codes import TIE
from .jit import inner, kernel
from .sweep import xlogx


@inner
def add(stats, row, y, w, factor, centre):
    """Add a row to stats: class weights, or (weight, sum, sum of squares)."""
    if factor is None:
        value = y[row] - centre
        stats[0] += w[row]
        stats[1] += w[row] * value
        stats[2] += w[row] * value * value
    else:
        label = np.intp(y[row])
        stats[label] += w[row] * factor[label]


@inner
def impurity(stats, factor):
    """Entropy of class weights, or variance."""
    total = stats[0]
    if factor is None:
        return max(stats[2] / total - (stats[1] / total) ** 2, 0.0)
    for c in range(1, stats.size):
        total += stats[c]
    sum_ = 0.0
    for c in range(stats.size):
        sum_ += xlogx(stats[c])
    return max((xlogx(total) - sum_) / total, 0.0)


@inner
def impurity_of(ids, start, stop, y, w, factor, centre, stats):
    """Impurity of the rows ids[start:stop]."""
    for c in range(stats.size):
        stats[c] = 0.0
    for i in range(start, stop):
        add(stats, ids[i], y, w, factor, centre)
    return impurity(stats, factor)


@inner
def best_cut(ids, k, column, y, w, factor, centre, least, left, right):
    """Rows left of the threshold whose two sides cost least; 0 if there is none."""
    for c in range(left.size):
        left[c] = right[c] = 0.0
    for i in range(k):
        add(right, ids[i], y, w, factor, centre)
    weight = right[0]
    below, above = 0.0, 0.0  # sums of x log x over the classes of a side
    if factor is not None:
        weight = 0.0
        for c in range(right.size):
            weight += right[c]
            above += xlogx(right[c])
    all_cost = xlogx(weight) - above if factor is not None else right[2]
    best = np.inf
    cut = 0
    left_weight = 0.0
    for i in range(k - 1):
        row = ids[i]
        if factor is None:
            value = y[row] - centre
            u = w[row]
            for s in range(3):
                left[s] += u
                right[s] -= u
                u *= value
            left_weight = left[0]
        else:
            label = np.intp(y[row])
            u = w[row] * factor[label]
            below -= xlogx(left[label])
            above -= xlogx(right[label])
            left[label] += u
            right[label] -= u
            below += xlogx(left[label])
            above += xlogx(right[label])
            left_weight += u
        if i + 1 < least or k - i - 1 < least or column[row] == column[ids[i + 1]]:
            continue
        far = weight - left_weight
        if factor is None:
            cost = left[2] - left[1] ** 2 / left[0] + right[2] - right[1] ** 2 / far
        else:
            cost = xlogx(left_weight) - below + xlogx(far) - above
        if cost < best - TIE * all_cost:
            best = cost
            cut = i + 1
    return cut


@kernel
def outcomes(
    ids, known, values, is_level, offset, y, w, factor, centre, least, scratch, runs, gain,
    threshold,
):  # fmt: skip
    """Find every outcome of every column.

    Parameters
    ----------
    ids : ndarray of shape (p, m), uint32
        Rows of the set in order of each column, missing ones last.
    known : ndarray of shape (p,), int64
    values : ndarray of shape (p, n), float64
    is_level : ndarray of shape (p,), bool
        Which columns hold level codes.
    offset : ndarray of shape (p + 1,), int64
        The outcomes of column f are offset[f] .. offset[f + 1]: its levels, or two sides.
    y : ndarray of shape (n,), int64 or float64
        Class codes or labels.
    w : ndarray of shape (n,), float64
    factor : ndarray of shape (K,), float64, or None
        Weight of each class; None = labels are numbers.
    centre : float
        What labels are taken from.
    least : int
        Fewest rows of an outcome.
    scratch : ndarray of shape (2, T), float64
    runs : ndarray of shape (o, 2), int64
        Written: each outcome's rows are ids[f, start:stop]; 0 and 0 for none.
    gain : ndarray of shape (o,), float64
        Written; -inf where there are no such rows, or too few.
    threshold : ndarray of shape (p,), float64
        Written: half-way between neighbours; NaN for none.
    """
    left, right = scratch[0], scratch[1]
    m = ids.shape[1]
    before = impurity_of(ids[0], 0, m, y, w, factor, centre, left)
    for f in range(ids.shape[0]):
        row, k, column = ids[f], known[f], values[f]
        threshold[f] = np.nan
        for o in range(offset[f], offset[f + 1]):
            runs[o, 0] = runs[o, 1] = 0
            gain[o] = -np.inf
        if is_level[f]:
            start = 0
            while start < k:
                level = column[row[start]]
                stop = start + 1
                while stop < k and column[row[stop]] == level:
                    stop += 1
                if stop - start >= least:
                    o = offset[f] + np.int64(level)
                    runs[o, 0], runs[o, 1] = start, stop
                    its = impurity_of(row, start, stop, y, w, factor, centre, left)
                    gain[o] = before - its
                start = stop
            continue
        cut = best_cut(row, k, column, y, w, factor, centre, least, left, right)
        if cut == 0:
            continue
        low, high = column[row[cut - 1]], column[row[cut]]
        middle = low / 2.0 + high / 2.0
        threshold[f] = middle if low <= middle < high else low
        for side in range(2):
            o = offset[f] + side
            runs[o, 0] = cut if side else 0
            runs[o, 1] = k if side else cut
            its = impurity_of(row, runs[o, 0], runs[o, 1], y, w, factor, centre, left)
            gain[o] = before - its


@kernel
def keep(ids, known, inside, kept, kept_known):
    """Write the rows of every column that are inside, in their order, and how many are known."""
    for f in range(ids.shape[0]):
        at = 0
        for i in range(ids.shape[1]):
            if i == known[f]:
                kept_known[f] = at
            if inside[ids[f, i]]:
                kept[f, at] = ids[f, i]
                at += 1
        if known[f] == ids.shape[1]:
            kept_known[f] = at
