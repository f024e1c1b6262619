"""Leave something in every row and every column."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .contract import Holes


def keep_rows(
    holes: Holes, existing: NDArray[np.bool_], rng: np.random.Generator, *, move: bool
) -> tuple[int, int]:
    """Give one value back to each row that would lose all, and take it from another row.

    Parameters
    ----------
    holes : Holes
        Changed in place.
    existing : ndarray of shape (n, p), bool
        Holes that were there before; a row that had no value then gets none.
    rng : Generator
    move : bool
        False = only give back.

    Returns
    -------
    given_back, not_made_up : int
        Values that rows got back; and how many holes are lacking for it, because no other
        row had a chance to lose that column and keep something.
    """
    known = existing.shape[1] - (existing | holes.mask).sum(axis=1)
    empty = np.flatnonzero((known == 0) & holes.mask.any(axis=1))
    if not len(empty):
        return 0, 0
    keys = np.where(holes.mask[empty], rng.random((len(empty), existing.shape[1])), -1.0)
    column = keys.argmax(axis=1)
    holes.mask[empty, column] = False
    known[empty] = 1
    lacking = 0
    for j in np.unique(column):
        wanted = int((column == j).sum())
        if move:
            could = ~existing[:, j] & ~holes.mask[:, j] & (known > 1) & (holes.chances[:, j] > 0)
            rows = np.flatnonzero(could)
            waits = rng.exponential(size=len(rows)) / holes.chances[rows, j]
            taken = rows[np.argsort(waits)[:wanted]]  # drawn by chance, without replacement
            holes.mask[taken, j] = True
            known[taken] -= 1
            wanted -= len(taken)
        lacking += wanted
    return len(empty), lacking


def keep_columns(holes: Holes, existing: NDArray[np.bool_], rng: np.random.Generator) -> int:
    """Give one value back to each column that lost its last ones.

    Parameters
    ----------
    holes : Holes
        Changed in place.
    existing : ndarray of shape (n, p), bool
    rng : Generator

    Returns
    -------
    int
        Values given back.
    """
    emptied = np.flatnonzero((existing | holes.mask).all(axis=0) & holes.mask.any(axis=0))
    for j in emptied:
        holes.mask[rng.choice(np.flatnonzero(holes.mask[:, j])), j] = False
    return len(emptied)
