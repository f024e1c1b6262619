"""Find the training rows that agree with a row on the tests that it can answer.

Rows are tuples of cells, one per tested column (see `tree/cells.py`). What the answers of a
row demand is an interval of cells for a number and some levels for a category. Sets of
training rows are bits, 64 to a word, so that one step of a processor looks at some hundred
rows: the rows of an interval are those up to its end, without those before its beginning.

    bits    cell 0   1 0 0 0 1 ...      demanded: cells 2 to 3
            <= 1     1 1 0 0 1 ...      rows = (<= 3) and not (<= 1)
            <= 2     1 1 1 0 1 ...
            <= 3     1 1 1 1 1 ...

Columns of many cells have bits for groups of cells only; rows that the bits let through are
then looked at one by one.

Called by `tree/cells.py`. Does not: know trees; it is handed tests as integers.
"""

import numpy as np

from .codes import EQUALS, IS_MISSING, THRESHOLD
from .jit import inner, kernel

# What a test asks: place of its column, kind, and the last cell on the left, the level or
# the place of the level table. WHOLE_CELL stands for all thresholds of a column together.
PLACE, KIND, AT = 0, 1, 2
WHOLE_CELL = -1

# How a column is kept: the cell of missing values, its last; where its bits begin, and its
# cells in `fits` (-1 for numbers); cells in a group, 0 if there are no bits; and groups.
TOP, FIRST_BITS, OFFSET, GROUP, N_GROUPS = 0, 1, 2, 3, 4
COLUMN_PARTS = 5

# Words that are looked at together.
BLOCK = 32

# Place of the only bit of a word by its remainder modulo 67, which is another for each of the
# 64 powers of two.
PLACE_OF_BIT = np.zeros(67, dtype=np.int64)
PLACE_OF_BIT[[2**place % 67 for place in range(64)]] = np.arange(64)


@kernel
def write_bits(cells, columns, bits):
    """Write which rows are in which groups of cells, or up to them.

    Parameters
    ----------
    cells : ndarray of shape (d, t), int32
    columns : ndarray of shape (d, COLUMN_PARTS), int64
    bits : ndarray of shape (s, words), uint64
        Zero before. Of a number, line g holds the rows up to group g; of a category, those in
        level g.
    """
    one = np.uint64(1)
    for d in range(columns.shape[0]):
        group = columns[d, GROUP]
        if group == 0:
            continue
        start = columns[d, FIRST_BITS]
        for i in range(cells.shape[1]):
            if columns[d, OFFSET] < 0 and cells[d, i] == columns[d, TOP]:
                continue  # a missing value is in no interval
            bits[start + cells[d, i] // group, i >> 6] |= one << np.uint64(i & 63)
        if columns[d, OFFSET] < 0:
            for g in range(start + 1, start + columns[d, N_GROUPS]):
                for k in range(bits.shape[1]):
                    bits[g, k] |= bits[g - 1, k]


@inner
def demand(query, tests, levels, nodes, start, stop, columns, low, high, fits):
    """Write which cells the answers of `query` demand: within low .. high, and that fit."""
    for d in range(columns.shape[0]):
        top = columns[d, TOP]
        low[d] = 0
        high[d] = top
        if columns[d, OFFSET] >= 0:
            for c in range(top + 1):
                fits[columns[d, OFFSET] + c] = True
    for i in range(start, stop):
        d = tests[nodes[i], PLACE]
        kind = tests[nodes[i], KIND]
        at = tests[nodes[i], AT]
        cell = query[d]
        missing = columns[d, TOP]
        offset = columns[d, OFFSET]
        if kind == IS_MISSING:
            if cell == missing:
                low[d] = missing
                continue
        elif cell == missing:
            continue
        elif kind == WHOLE_CELL:
            low[d] = cell
            high[d] = cell
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
                fits[offset + at] = False
        else:
            unseen = missing - 1
            if cell == unseen or levels[at + cell] < 0:
                continue
            fits[offset + unseen] = False
            for c in range(unseen):
                if levels[at + c] != levels[at + cell]:
                    fits[offset + c] = False
        high[d] = min(high[d], missing - 1)


@inner
def plan(columns, low, high, fits, steps, checks):
    """Turn demands into steps over bits and checks of single rows; returns their numbers.

    A step is a line of `bits`, from which ~line is told apart: keep its rows, or drop them.
    """
    n_steps = 0
    n_checks = 0
    for d in range(columns.shape[0]):
        top = columns[d, TOP]
        first = columns[d, FIRST_BITS]
        group = columns[d, GROUP]
        if columns[d, OFFSET] >= 0:
            for c in range(top + 1):
                if c < low[d] or c > high[d]:
                    fits[columns[d, OFFSET] + c] = False
            if group > 0:
                for c in range(top + 1):
                    if not fits[columns[d, OFFSET] + c]:
                        steps[n_steps] = ~(first + c)
                        n_steps += 1
                continue
        elif low[d] == top:  # missing: without all that are known
            steps[n_steps] = ~(first + columns[d, N_GROUPS] - 1)
            n_steps += 1
            continue
        elif high[d] < top:
            steps[n_steps] = first + high[d] // group
            n_steps += 1
            if low[d] >= group:
                steps[n_steps] = ~(first + low[d] // group - 1)
                n_steps += 1
            exact_end = high[d] == top - 1 or (high[d] + 1) % group == 0
            if exact_end and low[d] % group == 0:
                continue
        if low[d] > 0 or high[d] < top or columns[d, OFFSET] >= 0:
            checks[n_checks] = d
            n_checks += 1
    return n_steps, n_checks


@inner
def agrees(cells, i, columns, low, high, fits, checks, n_checks):
    """Is row i in demanded cells of the columns in `checks`?"""
    for j in range(n_checks):
        d = checks[j]
        cell = cells[d, i]
        if columns[d, OFFSET] >= 0:
            if not fits[columns[d, OFFSET] + cell]:
                return False
        elif cell < low[d] or cell > high[d]:
            return False
    return True


@kernel
def agreeing(
    cells, rows, weight, value, bits, queries, tests, levels, nodes, span, columns, low, high,
    fits, steps, checks, words, found_rows, found_weight, found_value,
):  # fmt: skip
    """Add up the training rows that agree with each query.

    Parameters
    ----------
    cells : ndarray of shape (d, t), int32
        Of the training rows.
    rows, weight : ndarray of shape (t,)
        How many rows each stands for, and their weight.
    value : ndarray of shape (t, K), float64
    bits : ndarray of shape (s, words), uint64
        See `write_bits`; words come in multiples of BLOCK.
    queries : ndarray of shape (q, d), int32
    tests : ndarray of shape (m, 3), int64
        PLACE, KIND and AT of every node.
    levels : ndarray of int16
        Level tables.
    nodes : ndarray of int64
        Nodes whose tests count, those of query i from span[i, 0] to span[i, 1].
    span : ndarray of shape (q, 2), int64
    columns : ndarray of shape (d, COLUMN_PARTS), int64
    low, high, fits, steps, checks, words : ndarray
        Scratch.
    found_rows, found_weight : ndarray of shape (q,)
        Added to.
    found_value : ndarray of shape (q, K)
        Added to: weight times value.
    """
    zero = np.uint64(0)
    for q in range(queries.shape[0]):
        demand(queries[q], tests, levels, nodes, span[q, 0], span[q, 1], columns, low, high, fits)
        n_steps, n_checks = plan(columns, low, high, fits, steps, checks)
        for start in range(0, bits.shape[1], BLOCK):
            for k in range(BLOCK):
                words[k] = ~zero
            for s in range(n_steps):
                line = steps[s]
                some = zero
                if line >= 0:
                    for k in range(BLOCK):
                        words[k] &= bits[line, start + k]
                        some |= words[k]
                else:
                    for k in range(BLOCK):
                        words[k] &= ~bits[~line, start + k]
                        some |= words[k]
                if some == zero:
                    break
            for k in range(BLOCK):
                word = words[k]
                while word != zero:
                    lowest = word & (~word + np.uint64(1))
                    word ^= lowest
                    i = 64 * (start + k) + PLACE_OF_BIT[lowest % np.uint64(67)]
                    if i >= rows.size:
                        break
                    if agrees(cells, i, columns, low, high, fits, checks, n_checks):
                        found_rows[q] += rows[i]
                        found_weight[q] += weight[i]
                        for v in range(value.shape[1]):
                            found_value[q, v] += weight[i] * value[i, v]
