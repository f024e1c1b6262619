"""The nearest training rows of rows with holes, one search per hole.

The squared distance is the mean, over the columns that both rows know and whose factor is
above 0, of (difference x factor)^2 for numbers and of 0 or 1 for levels. It is summed column
by column for a block of training rows, so that all of it stays in the processor's nearest
memory, nothing is as large as rows x rows, and a distance does not depend on other rows.

Called by `imputation/neighbours.py`.
"""

import numpy as np

from .jit import inner, kernel


@inner
def add_column(donors, value, factor, is_category, sums, counts):
    """Add one column's part to the sums of a block."""
    for i in range(donors.size):
        other = donors[i]
        known = 1.0 if other == other else 0.0
        gap = (value - other) * factor if known > 0 else 0.0
        if is_category:
            gap = known if value != other else 0.0
        sums[i] += gap * gap
        counts[i] += known


@inner
def keep(row, distance, k, near, far):
    """Put a row among the k nearest, which are in order; the earlier one of equals stays first."""
    place = k - 1
    while place > 0 and far[place - 1] > distance:
        far[place] = far[place - 1]
        near[place] = near[place - 1]
        place -= 1
    far[place] = distance
    near[place] = row


@kernel
def nearest(queries, donors, factor, is_category, starts, columns, near, far, sums, counts):
    """Fill `near` with the nearest rows that know the wanted column, in order; -1 = no more.

    Query q has the holes starts[q]:starts[q + 1], each with its column and its line of `near`
    and `far` (distances). `donors` has one line per column; `sums` and `counts` are as long
    as a block.
    """
    p, n = donors.shape
    k = near.shape[1]
    near[:] = -1
    far[:] = np.inf
    for q in range(queries.shape[0]):
        for begin in range(0, n, sums.size):
            end = min(begin + sums.size, n)
            sums[:] = 0.0
            counts[:] = 0.0
            for f in range(p):
                value = queries[q, f]
                if value == value and factor[f] > 0:
                    add_column(donors[f, begin:end], value, factor[f], is_category[f], sums, counts)
            for i in range(end - begin):
                # without a column in common, it is never kept
                sums[i] = sums[i] / counts[i] if counts[i] > 0 else np.nan
            for c in range(starts[q], starts[q + 1]):
                wanted = donors[columns[c], begin:end]
                for i in range(end - begin):
                    if sums[i] < far[c, k - 1] and wanted[i] == wanted[i]:
                        keep(begin + i, sums[i], k, near[c], far[c])
