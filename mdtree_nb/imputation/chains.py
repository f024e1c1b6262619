"""Regressions of every column on all others, in turn: learned by scikit-learn, applied here.

A chain is what IterativeImputer went through: round after round, column after column, the
regression by which it filled the holes of a column. Later rows go through the same steps.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .draws import Words, normals

Floats = NDArray[np.float64]


def learn_chain(coded: Floats, max_iter: int, tol: float, seed: int | None) -> dict[str, Any]:
    """Fit scikit-learn's IterativeImputer, and keep its regressions as arrays.

    Parameters
    ----------
    coded : ndarray of shape (n, c)
        Standardised, NaN = missing.
    max_iter : int
        Rounds.
    tol : float
    seed : int or None
        Draw from the posterior: while learning, and then one set of coefficients per step;
        None = expected values.

    Returns
    -------
    dict
        `target`, the column of each step, of shape (s,); `coef` (s, c), `intercept` (s,) and
        `sd` (s,); `n_rounds`, and whether the last one still changed something.
    """
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.experimental import enable_iterative_imputer  # noqa: F401
    from sklearn.impute import IterativeImputer  # slow to load, and rarely needed

    draws = seed is not None
    low, high = (f(coded, axis=0) for f in (np.nanmin, np.nanmax))
    imputer = IterativeImputer(
        max_iter=max_iter, tol=tol, sample_posterior=draws, random_state=seed or 0,
        min_value=low, max_value=high,
    )  # fmt: skip
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        imputer.fit(coded)
    steps = imputer.imputation_sequence_
    rng = np.random.default_rng(seed)
    coef, intercept = np.zeros((len(steps), coded.shape[1])), np.zeros(len(steps))
    sd = np.zeros(len(steps))
    for s, (_, others, fitted) in enumerate(steps):
        its = fitted.coef_
        if draws:
            its = its + _root(fitted.sigma_) @ rng.standard_normal(len(its))
            sd[s] = 1 / np.sqrt(fitted.alpha_)
        coef[s, others] = its
        intercept[s] = fitted.intercept_ + fitted.X_offset_ @ (fitted.coef_ - its)
    return {
        "target": np.array([step.feat_idx for step in steps], dtype=np.int64),
        "coef": coef,
        "intercept": intercept,
        "sd": sd,
        "n_rounds": int(imputer.n_iter_),
        "converged": not any(issubclass(w.category, ConvergenceWarning) for w in caught),
    }


def follow(
    coded: Floats, chain: dict[str, Any], low: Floats, high: Floats, keys: Words, version: int
) -> Floats:
    """Fill rows step by step.

    Parameters
    ----------
    coded : ndarray of shape (n, c)
    chain : dict
        See `learn_chain`.
    low, high : ndarray of shape (c,)
        What is filled in stays between them.
    keys : ndarray of shape (n,)
        Of the rows, for draws.
    version : int

    Returns
    -------
    ndarray of shape (n, c)
    """
    holes = np.isnan(coded)
    filled = np.where(holes, 0.0, coded)
    rows_of = [np.flatnonzero(column) for column in holes.T]
    steps = zip(chain["target"], chain["coef"], chain["intercept"], chain["sd"], strict=True)
    for step, (target, coef, intercept, sd) in enumerate(steps):
        rows = rows_of[target]
        if not len(rows):
            continue
        # no matrix product: its rounding depends on how many rows there are
        values = (filled[rows] * coef).sum(axis=1) + intercept
        if sd > 0:
            values += sd * normals(keys[rows], version, 1, step)[:, 0]
        filled[rows, target] = np.clip(values, low[target], high[target])
    return filled


def _root(cov: Floats) -> Floats:
    """A matrix whose square is the covariance, which may be singular."""
    values, vectors = np.linalg.eigh(cov)
    return np.asarray(vectors * np.sqrt(np.maximum(values, 0.0)))
