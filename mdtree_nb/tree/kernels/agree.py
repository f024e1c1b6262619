"""Find the training rows that agree with a row on the tests that it can answer.

A row is a tuple of cells, one per tested column (see `tree/cells.py`). Training rows are
sorted by their cells, so that a run of equal first cells is a subtree of a trie; for each
query the search walks down that trie, over every child where the query's column is missing
and over few where it is known. What a test of the query demands is an interval of cells for
numbers, and a list of levels for categories.

Called by `tree/cells.py`. Does not: know trees; it is handed tests as integers.
"""

from .codes import EQUALS, IS_MISSING, THRESHOLD
from .jit import inner, kernel

# What a test asks: place of its column, kind, and the last cell on the left, the level or
# the place of the level table.
PLACE, KIND, AT = 0, 1, 2

# Runs so short are gone through row by row.
SHORT = 8


@inner
def demand(query, tests, levels, nodes, start, stop, top, offset, low, high, fits):
    """Write what the answers of `query` demand; returns the last place with a demand, or -1."""
    for d in range(top.size):
        low[d] = 0
        high[d] = top[d]
        if offset[d] >= 0:
            for c in range(top[d] + 1):
                fits[offset[d] + c] = True
    last = -1
    for i in range(start, stop):
        d = tests[nodes[i], PLACE]
        kind = tests[nodes[i], KIND]
        at = tests[nodes[i], AT]
        cell = query[d]
        missing = top[d]
        if kind == IS_MISSING:
            if cell == missing:
                low[d] = missing
                last = max(last, d)
                continue
        elif cell == missing:
            continue
        elif kind == THRESHOLD:
            if cell <= at:
                high[d] = min(high[d], at)
            else:
                low[d] = max(low[d], at + 1)
        elif kind == EQUALS:
            if cell == at:
                low[d] = at
                high[d] = at
            else:
                fits[offset[d] + at] = False
        else:
            unseen = missing - 1
            if cell == unseen or levels[at + cell] < 0:
                continue
            fits[offset[d] + unseen] = False
            for c in range(unseen):
                if levels[at + c] != levels[at + cell]:
                    fits[offset[d] + c] = False
        high[d] = min(high[d], missing - 1)
        last = max(last, d)
    return last


@inner
def bound(cells, d, value, start, stop):
    """First row from `start` on whose cell in place d is at least `value`."""
    while start < stop:
        middle = (start + stop) // 2
        if cells[d, middle] < value:
            start = middle + 1
        else:
            stop = middle
    return start


@inner
def is_wanted(cell, d, low, high, offset, fits):
    """Is a cell among those that are demanded in place d?"""
    if cell < low[d] or cell > high[d]:
        return False
    return offset[d] < 0 or fits[offset[d] + cell]


@kernel
def agreeing(
    cells, rows, weight, value, queries, tests, levels, nodes, span, top, offset, low, high, fits,
    walk, found_rows, found_weight, found_value,
):  # fmt: skip
    """Add up the training rows that agree with each query.

    Parameters
    ----------
    cells : ndarray of shape (d, t), int32
        Of the training rows, in lexicographic order.
    rows, weight : ndarray of shape (t,)
        How many rows each stands for, and their weight.
    value : ndarray of shape (t, K), float64
    queries : ndarray of shape (q, d), int32
    tests : ndarray of shape (m, 3), int64
        PLACE, KIND and AT of every node.
    levels : ndarray of int16
        Level tables.
    nodes : ndarray of int64
        Nodes whose tests count, those of query i from span[i, 0] to span[i, 1].
    span : ndarray of shape (q, 2), int64
    top : ndarray of shape (d,), int32
        The cell of missing values; that below it is the one of unseen levels.
    offset : ndarray of shape (d,), int64
        Where a category's cells begin in `fits`; -1 for numbers.
    low, high : ndarray of shape (d,), int32
        Scratch.
    fits : ndarray of bool
        Scratch.
    walk : ndarray of shape (d + 1, 2), int64
        Scratch: per place, where to go on in the current run, and its end.
    found_rows, found_weight : ndarray of shape (q,)
        Added to.
    found_value : ndarray of shape (q, K)
        Added to: weight times value.
    """
    n_values = value.shape[1]
    for q in range(queries.shape[0]):
        last = demand(
            queries[q], tests, levels, nodes, span[q, 0], span[q, 1], top, offset, low, high, fits
        )
        walk[0, 0] = 0
        walk[0, 1] = rows.size
        d = 0
        while d >= 0:
            start = walk[d, 0]
            stop = walk[d, 1]
            if d > last or stop - start <= SHORT:
                for i in range(start, stop):
                    agrees = True
                    for e in range(d, last + 1):
                        agrees &= is_wanted(cells[e, i], e, low, high, offset, fits)
                    if agrees:
                        found_rows[q] += rows[i]
                        found_weight[q] += weight[i]
                        for k in range(n_values):
                            found_value[q, k] += weight[i] * value[i, k]
                d -= 1
                continue
            if cells[d, start] < low[d]:
                start = bound(cells, d, low[d], start, stop)
            while start < stop and not is_wanted(cells[d, start], d, low, high, offset, fits):
                if cells[d, start] > high[d]:
                    start = stop
                else:
                    start = bound(cells, d, cells[d, start] + 1, start, stop)
            if start == stop:
                d -= 1
                continue
            end = bound(cells, d, cells[d, start] + 1, start, stop)
            walk[d, 0] = end
            d += 1
            walk[d, 0] = start
            walk[d, 1] = end
