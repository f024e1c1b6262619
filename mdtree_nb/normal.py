"""Maximum likelihood of a multivariate normal from rows with holes, by EM.

Rows that miss the same columns are one pattern. Each pattern is summed up once, so an
iteration costs as much as there are patterns, however many rows they have.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import LinAlgError, cho_factor, cho_solve

_RIDGE = 1e-10  # added to a singular covariance, as a share of the variances; grows by tens


@dataclass(frozen=True)
class Normal:
    """A multivariate normal fitted to rows with holes.

    Attributes
    ----------
    mean : ndarray of shape (p,)
    cov : ndarray of shape (p, p)
        Divided by n, as maximum likelihood does.
    n_iter : int
    converged : bool
        Whether the largest relative change fell below the tolerance.
    ridge : float
        Largest share of the variances that had to be added where columns repeat each
        other; 0 = none.
    """

    mean: NDArray[np.float64]
    cov: NDArray[np.float64]
    n_iter: int
    converged: bool
    ridge: float


@dataclass(frozen=True)
class Pattern:
    """Rows that know the same columns, summed up.

    Attributes
    ----------
    known : ndarray of int
        Numbers of the known columns.
    n : int
        Rows.
    mean : ndarray
        Of the known columns.
    scatter : ndarray
        Sum of products of deviations from that mean.
    """

    known: NDArray[np.intp]
    n: int
    mean: NDArray[np.float64]
    scatter: NDArray[np.float64]


def group_patterns(holes: NDArray[np.bool_]) -> tuple[NDArray[np.bool_], NDArray[np.intp]]:
    """Group rows by what they miss.

    Parameters
    ----------
    holes : ndarray of shape (n, p), bool

    Returns
    -------
    patterns : ndarray of shape (k, p), bool
        In lexicographic order.
    group : ndarray of shape (n,)
        Pattern of each row.
    """
    n, p = holes.shape
    if not n or not p:
        return np.zeros((min(n, 1), p), dtype=bool), np.zeros(n, dtype=np.intp)
    packed = np.packbits(holes, axis=1)
    words = np.zeros((n, -(-packed.shape[1] // 8) * 8), dtype=np.uint8)
    words[:, : packed.shape[1]] = packed
    one_word = words.shape[1] == 8  # numbers sort much faster than strings of bytes
    keys: NDArray[Any] = words.view(">u8" if one_word else f"V{words.shape[1]}").ravel()
    keys = keys.astype(np.uint64) if one_word else keys
    _, first, group = np.unique(keys, return_index=True, return_inverse=True)
    return holes[first], group


def summarise(values: NDArray[np.float64]) -> list[Pattern]:
    """Sum up the rows of each pattern; rows without any value are left out.

    Parameters
    ----------
    values : ndarray of shape (n, p)
        NaN = missing.

    Returns
    -------
    list of Pattern
    """
    patterns, group = group_patterns(np.isnan(values))
    order = np.argsort(group, kind="stable")
    starts = np.searchsorted(group[order], np.arange(len(patterns) + 1))
    found = []
    for k, holes in enumerate(patterns):
        known = np.flatnonzero(~holes)
        if not len(known):
            continue
        rows = values[np.ix_(order[starts[k] : starts[k + 1]], known)]
        mean = rows.mean(axis=0)
        found.append(Pattern(known, len(rows), mean, (rows - mean).T @ (rows - mean)))
    return found


def fit_normal(values: Any, *, tol: float = 1e-9, max_iter: int = 10_000) -> Normal:
    """Fit a multivariate normal to rows with holes.

    Parameters
    ----------
    values : array-like of shape (n, p)
        Numbers, NaN = missing; every column needs two different values.
    tol : float, default=1e-9
        Largest change of mean and covariance in one iteration, relative to the variances.
    max_iter : int, default=10,000

    Returns
    -------
    Normal

    Raises
    ------
    ValueError
        For a column without two different values.

    Examples
    --------
    >>> nan = float("nan")
    >>> fitted = fit_normal([[1, 2], [2, 1.5], [3, 4], [4, 3.5], [5, 6], [6, nan], [7, nan]])
    >>> fitted.mean.round(6).tolist(), fitted.cov.round(6).tolist()
    ([4.0, 4.4], [[4.0, 4.0], [4.0, 4.54]])
    """
    table = np.asarray(values, dtype=np.float64)
    known = ~np.isnan(table)
    counts = known.sum(axis=0)
    filled = np.where(known, table, 0.0)
    centre = filled.sum(axis=0) / np.maximum(counts, 1)
    scale = np.sqrt(np.where(known, (table - centre) ** 2, 0.0).sum(axis=0) / np.maximum(counts, 1))
    if not (scale > 0).all():
        raise ValueError(
            f"column {int(np.argmin(scale))} has no two different values, so it has no variance."
        )
    patterns = summarise((table - centre) / scale)
    n, p = sum(pattern.n for pattern in patterns), table.shape[1]
    mean, cov, ridge = np.zeros(p), np.eye(p), 0.0
    for number in range(1, max_iter + 1):  # noqa: B007
        first, second, added = _expect(patterns, mean, cov)
        new_mean = mean + first / n
        new_cov = second / n - np.outer(first / n, first / n)
        change = max(np.abs(new_mean - mean).max(), np.abs(new_cov - cov).max())
        mean, cov, ridge = new_mean, new_cov, max(ridge, added)
        if change <= tol:
            break
    return Normal(
        centre + scale * mean, cov * np.outer(scale, scale), number, bool(change <= tol), ridge
    )


def _expect(
    patterns: list[Pattern], mean: NDArray[np.float64], cov: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64], float]:
    """Expected sums of deviations from the mean, and of their products."""
    p = len(mean)
    first, second, ridge = np.zeros(p), np.zeros((p, p)), 0.0
    for pattern in patterns:
        o = pattern.known
        shift = pattern.mean - mean[o]
        products = pattern.scatter + pattern.n * np.outer(shift, shift)
        if len(o) == p:
            first += pattern.n * shift
            second += products
            continue
        m = np.setdiff1d(np.arange(p), o)
        to_all = np.zeros((p, len(o)))  # what the known deviations say about all
        solved, added = _solve(cov[np.ix_(o, o)], cov[np.ix_(o, m)])
        to_all[o, np.arange(len(o))] = 1.0
        to_all[m] = solved.T
        first += pattern.n * (to_all @ shift)
        second += to_all @ products @ to_all.T
        second[np.ix_(m, m)] += pattern.n * (cov[np.ix_(m, m)] - cov[np.ix_(m, o)] @ solved)
        ridge = max(ridge, added)
    return first, second, ridge


def _solve(a: NDArray[np.float64], b: NDArray[np.float64]) -> tuple[NDArray[np.float64], float]:
    """Solve a x = b for a covariance, with a little more on its diagonal where needed."""
    ridge = 0.0
    while True:
        try:
            factor = cho_factor(a + ridge * np.diag(np.diag(a)), lower=True)
            if np.diag(factor[0]).min() > 1e-7 * np.sqrt(np.diag(a).max()):
                return cho_solve(factor, b), ridge
        except LinAlgError:
            pass
        ridge = max(10 * ridge, _RIDGE)
