"""Draw means and covariances of a multivariate normal that fit to rows with holes.

Data augmentation: holes are filled at random under a mean and covariance, then a mean and
covariance are drawn that fit to the filled rows, and so on in turn.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import solve_triangular

from ..normal import Holes, cholesky, invert

Floats = NDArray[np.float64]


def draw_normals(
    coded: Floats,
    weight: Floats,
    start: tuple[Floats, Floats],
    prior: float,
    n_draws: int,
    n_between: int,
    rng: np.random.Generator,
) -> tuple[Floats, Floats]:
    """Draw means and covariances, starting at the most likely ones.

    Parameters
    ----------
    coded : ndarray of shape (n, c)
        Standardised, NaN = missing.
    weight : ndarray of shape (n,)
        Of the rows; 1 on average.
    start : tuple of ndarray
        Mean and covariance.
    prior : float
        As many further rows say that columns do not depend on each other.
    n_draws : int
    n_between : int
        Steps up to each draw.
    rng : Generator

    Returns
    -------
    means : ndarray of shape (n_draws, c)
    covs : ndarray of shape (n_draws, c, c)
    """
    empty = np.isnan(coded)
    known, holes = np.where(empty, 0.0, coded), Holes(empty)
    mean, cov = start
    means, covs = [], []
    for step in range(1, n_draws * n_between + 1):
        deviations = np.where(empty, 0.0, known - mean)
        if holes.parts:
            noise = np.zeros(coded.shape)
            noise[empty] = rng.standard_normal(int(empty.sum()))
            precision, _ = invert(cov)
            holes.fill(deviations, precision, deviations @ precision, noise)
        mean, cov = _draw(deviations + mean, weight, prior, rng)
        if step % n_between == 0:
            means.append(mean)
            covs.append(cov)
    return np.array(means), np.array(covs)


def _draw(
    rows: Floats, weight: Floats, prior: float, rng: np.random.Generator
) -> tuple[Floats, Floats]:
    """Draw a covariance (inverse Wishart) and a mean that fit to complete rows."""
    n, c = rows.shape
    centre = weight @ rows / n
    scatter = ((rows - centre).T * weight) @ (rows - centre) + prior * np.eye(c)
    factor = np.tril(rng.standard_normal((c, c)), -1)
    factor += np.diag(np.sqrt(rng.chisquare(n + prior - 1 - np.arange(c))))
    root, _ = cholesky(scatter)
    half = solve_triangular(factor, root.T, lower=True).T  # half half' is the covariance
    return centre + half @ rng.standard_normal(c) / np.sqrt(n), half @ half.T
