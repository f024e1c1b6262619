"""Random numbers that belong to a row's content, whatever other rows there are."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

Words = NDArray[np.uint64]
_STEP = np.uint64(0x9E3779B97F4A7C15)


def row_keys(values: NDArray[np.float64], seed: int) -> Words:
    """Make a number of 64 bits from what each row knows, and what it misses.

    Parameters
    ----------
    values : ndarray of shape (n, p)
        NaN = missing.
    seed : int

    Returns
    -------
    ndarray of shape (n,), uint64
    """
    key = np.full(len(values), seed, dtype=np.uint64)
    for column in values.T:
        bits = np.where(np.isnan(column), np.nan, column + 0.0)  # one NaN, and no -0
        key = _mix(key + _STEP ^ bits.view(np.uint64))
    return key


def uniforms(keys: Words, version: int, n_columns: int, first: int = 0) -> NDArray[np.float64]:
    """Draw numbers between 0 and 1, the ends excluded.

    Parameters
    ----------
    keys : ndarray of shape (n,)
        From `row_keys`.
    version : int
    n_columns : int
    first : int, default=0
        Number of the first column.

    Returns
    -------
    ndarray of shape (n, n_columns)
    """
    counter = np.arange(first + 1, first + n_columns + 1, dtype=np.uint64)
    counter += np.uint64(version << 32)
    words = _mix(_mix(keys)[:, None] ^ _mix(counter * _STEP)[None, :])
    return ((words >> np.uint64(11)).astype(np.float64) + 0.5) * 2.0**-53


def normals(keys: Words, version: int, n_columns: int, first: int = 0) -> NDArray[np.float64]:
    """Draw standard normal numbers; see `uniforms`.

    Parameters
    ----------
    keys : ndarray of shape (n,)
    version : int
    n_columns : int
    first : int, default=0

    Returns
    -------
    ndarray of shape (n, n_columns)
    """
    return ndtri(uniforms(keys, version, n_columns, first))


def _mix(x: Words) -> Words:
    """Spread every bit over all others (the finaliser of SplitMix64)."""
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))
