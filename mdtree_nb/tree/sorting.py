"""Sort the rows of a table once per column; all that follows only rearranges them.

Called by `workspace.py`. Does not: move values. Growing needs the order of the rows and
which neighbours are equal, and looks values up in the table.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .kernels import read_only
from .kernels.codes import THRESHOLD
from .kernels.order import pack, unpack


def sort_rows(
    values: NDArray[np.float64], kinds: NDArray[np.int64]
) -> tuple[NDArray[np.uint32], NDArray[np.uint32], NDArray[np.int64], NDArray[np.int64]]:
    """Sort the rows by every column, missing rows last.

    Parameters
    ----------
    values : ndarray of shape (p, n), float64
        The table, column by column.
    kinds : ndarray of shape (p,), int64
        How each column is tested; all but THRESHOLD are for categories.

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
    used = 0
    for f in range(p):
        bits = read_only(values[f].view(np.int64))
        k = known[f] = pack(bits, row_bits, ids[f], keys)
        keys[:k].sort()
        tied, disordered = unpack(bits, row_bits, keys[:k], ids[f], row)
        if disordered:  # but nearly sorted: a stable sort has little left to do
            keys[:k] = ids[f, :k][np.argsort(values[f, ids[f, :k]], kind="stable")]
            tied, _ = unpack(bits, row_bits, keys[:k], ids[f], row)
        if kinds[f] != THRESHOLD:
            row[:k] = values[f, ids[f, :k]]
        elif not tied:
            continue
        if not used:  # no more than can still be needed
            ranks = np.empty((p - f, n), dtype=np.uint32)
        ranks[used] = row
        columns[f, 0] = used
        used += 1
    return ids, ranks[: max(used, 1)], columns, known


def sort_missing(
    ids: NDArray[np.uint32], known: NDArray[np.int64], guesses: NDArray[np.float64]
) -> None:
    """Put the missing rows of every column, which come last, into the order of their guesses.

    Parameters
    ----------
    ids : ndarray of shape (p, n), uint32
        See `sort_rows`; changed in place.
    known : ndarray of shape (p,), int64
    guesses : ndarray of shape (p, n), float64
        Rows without a guess, NaN, come at the very end.
    """
    for row, k, guess in zip(ids, known, guesses, strict=True):
        row[k:] = row[k:][np.argsort(guess[row[k:]], kind="stable")]
