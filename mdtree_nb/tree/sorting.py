"""Sort the rows of a table once per column; all that follows only rearranges them.

Called by `workspace.py`. Does not: move values. Growing needs the order of the rows and
which neighbours are equal, and looks values up in the table.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..table import Table
from .kernels.codes import CATEGORY, NUMERIC

SIGN = np.int64(63)
ALL_BUT_SIGN = np.int64(0x7FFFFFFFFFFFFFFF)

# Below so many rows, argsort is faster than packing values and row numbers together.
PACK_FROM = 4096


def sort_rows(
    table: Table,
) -> tuple[NDArray[np.uint32], NDArray[np.uint32], NDArray[np.int64], list[int]]:
    """Sort the rows by every column, missing rows last.

    Parameters
    ----------
    table : Table

    Returns
    -------
    ids : ndarray of shape (p, n), uint32
        Row numbers in ascending order of value.
    ranks : ndarray of shape (t, n) or (1, 0), uint32
        For columns with ties only: equal numbers mean equal values. In a category column
        they are the level codes.
    columns : ndarray of shape (p, 2), int64
        Row of `ranks`, or -1; NUMERIC or CATEGORY.
    known : list of int
        Rows that know each column.
    """
    n, p = table.values.shape
    ids = np.empty((p, n), dtype=np.uint32)
    columns = np.full((p, 2), -1, dtype=np.int64)
    columns[:, 1] = np.where(table.schema.is_category, CATEGORY, NUMERIC)
    known: list[int] = []
    ranks: list[NDArray[np.uint32]] = []
    order = _PackedOrder(n) if n >= PACK_FROM else np.argsort
    for f in range(p):
        values = table.values[:, f]
        is_missing = np.isnan(values)
        k = n - int(np.count_nonzero(is_missing))
        if k == n or n >= PACK_FROM:
            ids[f] = order(values)
        else:  # argsort is several times slower with NaN in its way
            here = np.flatnonzero(~is_missing)
            ids[f, :k] = here[np.argsort(values[here])]
            ids[f, k:] = np.flatnonzero(is_missing)
        ordered = values[ids[f, :k]]
        changes = ordered[1:] != ordered[:-1]
        if columns[f, 1] == CATEGORY or not changes.all():
            columns[f, 0] = len(ranks)
            row = np.zeros(n, dtype=np.uint32)
            if columns[f, 1] == CATEGORY:
                row[:k] = ordered
            elif k:
                np.cumsum(changes, out=row[1:k])
            ranks.append(row)
        known.append(k)
    return ids, np.array(ranks) if ranks else np.empty((1, 0), np.uint32), columns, known


class _PackedOrder:
    """Sort order of n values, three times as fast as argsort on large arrays.

    Plain sorting of integers is much faster than argsort. So the row number replaces the
    last bits of each value, whose bits order like an integer once those of negative values
    are flipped; where values agree in all other bits, the order is mended afterwards.

    Parameters
    ----------
    n : int
        Number of values of each column that will be sorted.
    """

    def __init__(self, n: int):
        self.rows = np.arange(n, dtype=np.int64)
        self.row_bits = np.int64((1 << int(n - 1).bit_length()) - 1)
        self.values = np.empty(n)
        self.spare = np.empty(n, dtype=np.int64)

    def __call__(self, column: NDArray[np.float64]) -> NDArray[np.int64]:
        """Return the row numbers in ascending order of value, NaN last."""
        np.add(column, 0.0, out=self.values)  # -0.0 becomes 0.0
        np.copyto(self.values, np.nan, where=np.isnan(column))  # and every NaN positive
        keys = self.values.view(np.int64)
        np.right_shift(keys, SIGN, out=self.spare)
        self.spare &= ALL_BUT_SIGN
        keys ^= self.spare
        keys &= ~self.row_bits
        keys |= self.rows
        keys.sort()
        keys &= self.row_bits
        ordered = column[keys]
        if (ordered[1:] < ordered[:-1]).any():
            # Nearly sorted: a stable sort has little left to do. NaN stays last.
            return keys[np.argsort(ordered, kind="stable")]
        return keys
