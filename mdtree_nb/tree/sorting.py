"""Sort the rows of a table once per column; all that follows only rearranges them.

Called by `workspace.py`. Does not: move values. Growing needs the order of the rows and
which neighbours are equal, and looks values up in the table.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .kernels import read_only
from .kernels.codes import NO_GUESS, THRESHOLD
from .kernels.order import BITS, DIGITS, pack, sort_keys, unpack

MANY = 4_000  # keys that are sorted by their bits; fewer by comparing


def sort_rows(
    values: NDArray[np.float64], kinds: NDArray[np.int64], gap: float = 0.0
) -> tuple[NDArray[np.uint32], NDArray[np.uint32], NDArray[np.int64], NDArray[np.int64]]:
    """Sort the rows by every column, missing rows last.

    Parameters
    ----------
    values : ndarray of shape (p, n), float64
        The table, column by column.
    kinds : ndarray of shape (p,), int64
        How each column is tested; all but THRESHOLD are for categories.
    gap : float, default=0
        Neighbours that are no further apart count as equal.

    Returns
    -------
    ids : ndarray of shape (p, n), uint32
        Row numbers in ascending order of value.
    ranks : ndarray of shape (t, n) or (1, 0), uint32
        For columns with ties only: equal numbers mean equal values. In a category column
        they are the level codes.
    columns : ndarray of shape (p, 2), int64
        Row of `ranks`, or -1; kind.
    known : ndarray of shape (p,), int64
        Rows that know each column.
    """
    p, n = values.shape
    ids = np.empty((p, n), dtype=np.uint32)
    ranks = np.empty((1, 0), dtype=np.uint32)
    row = np.empty(n, dtype=np.uint32)
    columns = np.stack([np.full(p, -1), kinds], axis=1)
    known = np.empty(p, dtype=np.int64)
    keys = np.empty(n, dtype=np.int64)
    row_bits = (1 << (n - 1).bit_length()) - 1
    spare = np.empty(n if n >= MANY else 0, dtype=np.int64)
    counts = np.empty((DIGITS, 2**BITS), dtype=np.int64)
    used = 0
    for f in range(p):
        bits = read_only(values[f].view(np.int64))
        k = known[f] = pack(bits, row_bits, ids[f], keys)
        if k < MANY:
            keys[:k].sort()
        else:
            sort_keys(keys[:k], spare, counts)
        tied, disordered = unpack(bits, row_bits, keys[:k], ids[f], row)
        if disordered:  # but nearly sorted: a stable sort has little left to do
            keys[:k] = ids[f, :k][np.argsort(values[f, ids[f, :k]], kind="stable")]
            tied, _ = unpack(bits, row_bits, keys[:k], ids[f], row)
        if kinds[f] != THRESHOLD:
            row[:k] = values[f, ids[f, :k]]
        elif gap > 0.0:
            with np.errstate(invalid="ignore"):  # between infinities
                row[1:k] = np.cumsum(np.diff(values[f, ids[f, :k]]) > gap)
            tied = k > 0 and row[k - 1] + 1 < k
        if kinds[f] == THRESHOLD and not tied:
            continue
        if not used:  # no more than can still be needed
            ranks = np.empty((p - f, n), dtype=np.uint32)
        ranks[used] = row
        columns[f, 0] = used
        used += 1
    return ids, ranks[: max(used, 1)], columns, known


def rank_guesses(
    ids: NDArray[np.uint32],
    ranks: NDArray[np.uint32],
    columns: NDArray[np.int64],
    known: NDArray[np.int64],
    values: NDArray[np.float64],
    guesses: NDArray[np.float64],
) -> tuple[NDArray[np.uint32], NDArray[np.float64]]:
    """Sort the missing rows of every column, which come last, by their guesses.

    Parameters
    ----------
    ids, ranks, columns, known
        What `sort_rows` returned; `ids` and `columns` are changed in place.
    values, guesses : ndarray of shape (p, n), float64
        Rows without a guess, NaN, come at the very end.

    Returns
    -------
    ranks : ndarray of shape (p, n), uint32
        Of every column. Those of numbers put known and guessed values into one order, and are
        NO_GUESS where there is neither.
    ranked : ndarray of shape (p, n), float64
        The value behind each rank of a column of numbers.
    """
    merged = np.empty(ids.shape, dtype=np.uint32)
    ranked = np.zeros(ids.shape)
    for f, k in enumerate(known):
        row, its = ids[f], merged[f]
        row[k:] = row[k:][np.argsort(guesses[f, row[k:]], kind="stable")]
        if columns[f, 1] == THRESHOLD:
            all_values = np.append(values[f, row[:k]], guesses[f, row[k:]])
            distinct, its[:] = np.unique(all_values, return_inverse=True)
            its[np.isnan(all_values)] = NO_GUESS
            ranked[f, : len(distinct)] = distinct
        else:
            its[:] = ranks[columns[f, 0]]
        columns[f, 0] = f
    return merged, ranked
