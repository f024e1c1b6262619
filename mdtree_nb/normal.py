"""Maximum likelihood of a multivariate normal from rows with holes, by EM.

Rows that miss the same columns are one pattern. What a pattern's known columns say about the
missing ones is taken from the inverse covariance, where it needs a matrix only as large as the
pattern has holes; patterns with equally many holes are computed in one go. Where a pattern has
many rows, a few points with the same mean and covariance stand for them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_solve

_RIDGE = 1e-8  # added to a singular covariance, as a share of the variances; grows by tens
_MOST = 2**20  # numbers in the matrices of patterns that are held at a time


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


class Holes:
    """Rows by the columns that they miss, to be filled under any normal distribution.

    Parameters
    ----------
    holes : ndarray of shape (n, p), bool
    weight : ndarray of shape (n,) or None, default=None
        Of the rows, for `spread`.
    """

    def __init__(self, holes: NDArray[np.bool_], weight: NDArray[np.float64] | None = None):
        self.p = holes.shape[1]
        patterns, group = group_patterns(holes)
        weights = np.bincount(group, weight, len(patterns)).astype(np.float64)
        n_missing = patterns.sum(axis=1)
        self.parts: list[_Part] = []
        for m in np.unique(n_missing[n_missing > 0]):
            its = np.flatnonzero(n_missing == m)
            for some in np.array_split(its, -(-len(its) * m * m // _MOST)):
                number = np.full(len(patterns), -1)
                number[some] = np.arange(len(some))
                rows = np.flatnonzero(number[group] >= 0)
                columns = np.nonzero(patterns[some])[1].reshape(-1, m)
                self.parts.append(_Part(rows, number[group[rows]], columns, weights[some]))

    def fill(
        self,
        deviations: NDArray[np.float64],
        precision: NDArray[np.float64],
        said: NDArray[np.float64],
        noise: NDArray[np.float64] | None = None,
    ) -> NDArray[np.float64]:
        """Put expected values, or draws, into the holes; returns their summed covariance.

        Parameters
        ----------
        deviations : ndarray of shape (n, p)
            From the mean, 0 in the holes; is filled in place.
        precision : ndarray of shape (p, p)
            Inverse covariance.
        said : ndarray of shape (n, p)
            `deviations` times `precision`.
        noise : ndarray of shape (n, p) or None, default=None
            Standard normal, of which the cells of holes are used; None = expected values.

        Returns
        -------
        ndarray of shape (p, p)
            Sum of the rows' conditional covariances, by weight.
        """
        spread = np.zeros(self.p**2)
        for part in self.parts:
            columns = part.columns
            inner = precision[columns[:, :, None], columns[:, None, :]]
            # The factor of the inverse by way of the factor: what two columns that repeat each
            # other leave open is tiny, and must not come out below 0.
            upper: NDArray[Any] = np.linalg.cholesky(inner[:, ::-1, ::-1])[:, ::-1, ::-1]
            root: NDArray[Any] = np.linalg.inv(upper)
            cov = root.transpose(0, 2, 1) @ root
            cells = part.rows[:, None], columns[part.number]
            deviations[cells] = -_row_by_row(said[cells], cov, part.number)
            if noise is not None:
                deviations[cells] += _row_by_row(noise[cells], root, part.number)
            places = columns[:, :, None] * self.p + columns[:, None, :]
            total = cov * part.weight[:, None, None]
            spread += np.bincount(places.ravel(), total.ravel(), self.p**2)
        return spread.reshape(self.p, self.p)


@dataclass(frozen=True)
class _Part:
    """Patterns with equally many holes: `number` is the pattern of each row."""

    rows: NDArray[np.intp]
    number: NDArray[np.intp]
    columns: NDArray[np.intp]
    weight: NDArray[np.float64]


def _row_by_row(
    vectors: NDArray[np.float64], matrices: NDArray[np.float64], number: NDArray[np.intp]
) -> NDArray[np.float64]:
    """Multiply each vector by its matrix: one product per row, whatever other rows there are."""
    out = np.empty(vectors.shape)
    each = max(1, _MOST // vectors.shape[1] ** 2)
    for first in range(0, len(out), each):
        rows = slice(first, first + each)
        out[rows] = np.matmul(vectors[rows, None, :], matrices[number[rows]])[:, 0]
    return out


def fit_normal(
    values: Any,
    *,
    weight: NDArray[np.float64] | None = None,
    prior: float = 0.0,
    tol: float = 1e-9,
    max_iter: int = 10_000,
) -> Normal:
    """Fit a multivariate normal to rows with holes.

    Parameters
    ----------
    values : array-like of shape (n, p)
        Numbers, NaN = missing; every column needs two different values.
    weight : ndarray of shape (n,) or None, default=None
        Of the rows; None = all count 1.
    prior : float, default=0
        As many further rows say that the columns do not depend on each other.
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
    w = np.ones(len(table)) if weight is None else weight
    centre, scale = known_moments(table, w)
    if not (scale > 0).all():
        raise ValueError(
            f"column {int(np.argmin(scale))} has no two different values, so it has no variance."
        )
    points, w = _points((table - centre) / scale, w)
    empty = np.isnan(points)
    holes, known = Holes(empty, w), np.where(empty, 0.0, points)
    n, p = w.sum(), table.shape[1]
    mean, cov, ridge = np.zeros(p), np.eye(p), 0.0
    for number in range(1, max_iter + 1):  # noqa: B007
        deviations = np.where(empty, 0.0, known - mean)
        spread = np.zeros((p, p))
        if holes.parts:
            precision, added = invert(cov)
            spread = holes.fill(deviations, precision, deviations @ precision)
            ridge = max(ridge, added)
        step = w @ deviations / n
        second = (deviations.T * w) @ deviations + spread - n * np.outer(step, step)
        new_cov = (second + prior * np.eye(p)) / (n + prior)
        change = max(np.abs(step).max(), np.abs(new_cov - cov).max())
        mean, cov = mean + step, new_cov
        if change <= tol:
            break
    return Normal(
        centre + scale * mean, cov * np.outer(scale, scale), number, bool(change <= tol), ridge
    )


def known_moments(
    values: NDArray[np.float64], weight: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Means and standard deviations of the known values of each column.

    Parameters
    ----------
    values : ndarray of shape (n, p)
    weight : ndarray of shape (n,)

    Returns
    -------
    mean, sd : ndarray of shape (p,)
        0 for a column without any known value.
    """
    known = ~np.isnan(values)
    total = np.maximum(weight @ known, np.finfo(float).tiny)
    mean = weight @ np.where(known, values, 0.0) / total
    sd = np.sqrt(weight @ np.where(known, (values - mean) ** 2, 0.0) / total)
    return mean, sd


def invert(cov: NDArray[np.float64]) -> tuple[NDArray[np.float64], float]:
    """Invert a covariance, with a little more on its diagonal where it is singular.

    Parameters
    ----------
    cov : ndarray of shape (p, p)

    Returns
    -------
    precision : ndarray of shape (p, p)
    ridge : float
        What was added, as a share of the variances.
    """
    root, ridge = cholesky(cov)
    precision = cho_solve((root, True), np.eye(len(cov)))
    return (precision + precision.T) / 2, ridge


def cholesky(cov: NDArray[np.float64]) -> tuple[NDArray[np.float64], float]:
    """Take the lower Cholesky factor, with a little more on the diagonal where needed.

    Parameters
    ----------
    cov : ndarray of shape (p, p)

    Returns
    -------
    root : ndarray of shape (p, p)
    ridge : float
        See `invert`.
    """
    variances, ridge = np.diag(np.diag(cov)), 0.0
    while True:
        try:
            root: NDArray[Any] = np.linalg.cholesky(cov + ridge * variances)
            if (np.diag(root) ** 2 > _RIDGE * np.diag(cov)).all():
                return root, ridge
        except np.linalg.LinAlgError:
            pass
        ridge = max(10 * ridge, _RIDGE)


def _points(
    values: NDArray[np.float64], weight: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Let a few points stand for the rows of a pattern where there are more rows than that.

    They lie on both sides of the mean, along the principal axes, and have the same weight,
    mean and covariance. Rows without any value are left out.
    """
    patterns, group = group_patterns(np.isnan(values))
    many = np.bincount(group, minlength=len(patterns)) > 2 * (~patterns).sum(axis=1)
    alone = ~many[group] & ~np.isnan(values).all(axis=1)
    points, weights = [values[alone]], [weight[alone]]
    for k in np.flatnonzero(many):  # few, as each has many rows
        known = np.flatnonzero(~patterns[k])
        if not len(known):
            continue
        rows, w = values[np.ix_(group == k, known)], weight[group == k]
        mean = w @ rows / w.sum()
        length, axes = np.linalg.eigh((rows - mean).T * (w / w.sum()) @ (rows - mean))
        arms = axes * np.sqrt(np.maximum(length, 0.0) * len(known))
        its = np.full((2 * len(known), values.shape[1]), np.nan)
        its[:, known] = mean + np.vstack([arms.T, -arms.T])
        points.append(its)
        weights.append(np.full(len(its), w.sum() / len(its)))
    return np.vstack(points), np.concatenate(weights)
