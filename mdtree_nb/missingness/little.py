"""little_test: do rows with different holes have the same means? (Little's test of MCAR)"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import chi2

from ..normal import fit_normal, summarise
from .cells import Cells
from .scores import is_number, numbers

_SINGULAR = 1e-7  # an eigenvalue below this share of the largest is none, or the ridge of EM


@dataclass(frozen=True)
class LittleTest:
    """Result of Little's test.

    Attributes
    ----------
    statistic : float
        d2, chi-squared with `df` degrees of freedom if values are missing completely at
        random and normal.
    df : int
    p_value : float
    n_patterns : int
    n_rows : int
        With a value in at least one of the columns.
    columns : tuple
        Tested ones.
    excluded : tuple
        Categories, and columns without two different values.
    """

    statistic: float
    df: int
    p_value: float
    n_patterns: int
    n_rows: int
    columns: tuple[Any, ...]
    excluded: tuple[Any, ...]

    def sentence(self) -> str:
        """Say in words what the test shows, and what it cannot.

        Returns
        -------
        str
        """
        head = f"Little's test: d2 = {self.statistic:.2f}, df = {self.df}, p = {self.p_value:.3g}. "
        if self.p_value < 0.05:
            text = (
                "Rows with different holes differ in their means, so the holes are hardly there "
                "completely at random (MCAR)."
            )
        else:
            text = (
                "Rows with different holes do not differ visibly in their means; that is what MCAR "
                "looks like, and no proof of it."
            )
        text += " Whether a value's own size decides (MNAR) no test of these data can tell."
        if self.excluded:
            text += f" Left out: {', '.join(map(str, self.excluded))}."
        return head + text

    def __repr__(self) -> str:
        return (
            f"LittleTest(statistic={self.statistic:.6g}, df={self.df}, p_value={self.p_value:.4g}, "
            f"n_patterns={self.n_patterns})"
        )


def little_test(X: Any, *, tol: float = 1e-9, max_iter: int = 10_000) -> LittleTest:
    """Test whether values are missing completely at random.

    Rows with the same holes are compared with what all rows say about their columns, by
    maximum likelihood of a multivariate normal. A small p-value speaks against MCAR; it
    cannot tell MAR from MNAR, and a large one proves nothing. Categories are left out:
    `missing_tests` and `explain_missingness` look at them too.

    Parameters
    ----------
    X : DataFrame or array-like of shape (n, p)
    tol : float, default=1e-9
        When the iterations for mean and covariance end, relative to the variances.
    max_iter : int, default=10,000
        A warning says when that was not enough.

    Returns
    -------
    LittleTest
        `sentence()` puts it into words.

    Raises
    ------
    ValueError
        For a table whose numeric columns have no holes, or a single pattern.

    References
    ----------
    .. [1] R. J. A. Little, "A test of missing completely at random for multivariate data
       with missing values", JASA 83(404), 1988, DOI 10.1080/01621459.1988.10478722.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(300, 3))
    >>> X[X[:, 0] > 1, 1] = np.nan
    >>> little_test(X).p_value < 0.001
    True
    """
    cells = Cells(X)
    values, columns, excluded = _numeric(cells)
    if not columns or not np.isnan(values).any():
        where = " in its numeric columns" if excluded else ""
        raise ValueError(
            f"X has no hole{where}, so there is nothing to test"
            + ("; explain_missingness looks at categories too." if excluded else ".")
        )
    patterns = summarise(values)
    if len(patterns) < 2:
        raise ValueError("all rows of X have the same holes, so there is nothing to compare.")
    fitted = fit_normal(values, tol=tol, max_iter=max_iter)
    if not fitted.converged:
        warnings.warn(
            f"max_iter={max_iter} was not enough for the mean and covariance to settle; the "
            "statistic is approximate.",
            UserWarning,
            stacklevel=2,
        )
    statistic, df = 0.0, -_inverse(fitted.cov)[1]
    for pattern in patterns:
        inverse, rank = _inverse(fitted.cov[np.ix_(pattern.known, pattern.known)])
        shift = pattern.mean - fitted.mean[pattern.known]
        statistic += pattern.n * float(shift @ inverse @ shift)
        df += rank
    n_rows = sum(pattern.n for pattern in patterns)
    p_value = float(chi2.sf(statistic, df)) if df else 1.0
    return LittleTest(statistic, df, p_value, len(patterns), n_rows, columns, excluded)


def _numeric(cells: Cells) -> tuple[NDArray[np.float64], tuple[Any, ...], tuple[Any, ...]]:
    """Numeric columns that vary, their names, and the names of the others."""
    kept, columns, excluded = [], [], []
    for j, name in enumerate(cells.names):
        values = numbers(cells, j) if is_number(cells, j) else None
        known = None if values is None else values[~np.isnan(values)]
        if values is None or known is None or not known.size or known.min() == known.max():
            excluded.append(name)
            continue
        if not np.isfinite(known).all():
            raise ValueError(f"column {name!r} has infinite values; replace them or drop it.")
        kept.append(values)
        columns.append(name)
    table = np.column_stack(kept) if kept else np.zeros((cells.shape[0], 0))
    return table, tuple(columns), tuple(excluded)


def _inverse(cov: NDArray[np.float64]) -> tuple[NDArray[np.float64], int]:
    """Inverse of a covariance on the space it spans, and the dimension of that."""
    scale = np.sqrt(np.diag(cov))
    values, vectors = np.linalg.eigh(cov / np.outer(scale, scale))
    kept = values > _SINGULAR * values.max()
    vectors = vectors[:, kept] / scale[:, None]
    return vectors / values[kept] @ vectors.T, int(kept.sum())
