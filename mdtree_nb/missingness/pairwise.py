"""missing_tests: does a column differ between rows that miss another and rows that do not?"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from .cells import Cells
from .scores import is_number, numbers

_COLUMNS = (
    "missing_in", "column", "test", "difference", "statistic", "df", "p_value", "p_holm",
)  # fmt: skip


def missing_tests(X: Any) -> pd.DataFrame:
    """Compare every column between rows that miss another column and rows that know it.

    Numbers by Welch's t-test, categories by the chi-squared test of independence. The
    p-values are corrected for their number by Holm's method. A small one speaks against
    MCAR; none can tell MAR from MNAR.

    Parameters
    ----------
    X : DataFrame or array-like of shape (n, p)

    Returns
    -------
    DataFrame
        One line per pair, smallest p-value first: `missing_in` has the holes, `column` is
        compared. `difference` of the means (missing less known) in standard deviations of
        the column; for categories Cramer's V. `test` ("Welch" or "chi-squared"),
        `statistic`, `df`, `p_value` and `p_holm`. Its `attrs["not_tested"]` counts the pairs
        with too few values.

    Raises
    ------
    ValueError
        For a table without holes.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(300, 3))
    >>> X[X[:, 0] > 1, 1] = np.nan
    >>> missing_tests(X)[["missing_in", "column"]].to_numpy().tolist()
    [[1, 0], [1, 2]]
    """
    cells = Cells(X)
    if not cells.holes.any():
        raise ValueError("X has no hole, so there is nothing to test.")
    read = [_read(cells, k) for k in range(cells.shape[1])]
    lines, not_tested = [], 0
    for j in np.flatnonzero(cells.holes.any(axis=0)):
        gone = cells.holes[:, j]
        for k, (values, test) in enumerate(read):
            if k == j:
                continue
            known = ~cells.holes[:, k]
            compare = _welch if test == "Welch" else _chi_squared
            found = compare(values[known], gone[known])
            if found is None:
                not_tested += 1
                continue
            difference, statistic, df, p_value = found
            line = (cells.names[j], cells.names[k], test, difference, statistic, df, p_value)
            lines.append((*line, np.nan))
    table = pd.DataFrame(lines, columns=list(_COLUMNS))
    table["p_holm"] = holm(table["p_value"].to_numpy(dtype=np.float64))
    table = table.sort_values("p_value", kind="stable", ignore_index=True)
    table.attrs["not_tested"] = not_tested
    return table


def holm(p_values: ArrayLike) -> NDArray[np.float64]:
    """Correct p-values for their number, by Holm's step-down method.

    Parameters
    ----------
    p_values : array-like of shape (m,)
        NaN = not tested: it stays so, and does not count.

    Returns
    -------
    ndarray of shape (m,)

    Raises
    ------
    ValueError
        For anything but numbers from 0 to 1.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03, 0.005]).tolist()
    [0.03, 0.06, 0.06, 0.02]
    """
    p = np.asarray(p_values, dtype=np.float64)
    if p.ndim != 1 or ((p < 0) | (p > 1)).any():
        raise ValueError(f"p_values={p_values!r} must be numbers from 0 to 1, one per test.")
    order = np.argsort(p, kind="stable")[: np.count_nonzero(~np.isnan(p))]  # NaN comes last
    corrected = np.full(len(p), np.nan)
    steps = np.maximum.accumulate((len(order) - np.arange(len(order))) * p[order])
    corrected[order] = np.minimum(steps, 1.0)
    return corrected


def _read(cells: Cells, number: int) -> tuple[NDArray[Any], str]:
    if is_number(cells, number):
        return numbers(cells, number), "Welch"
    return pd.factorize(pd.Series(cells.column(number)))[0], "chi-squared"


def _welch(
    values: NDArray[np.float64], gone: NDArray[np.bool_]
) -> tuple[float, float, float, float] | None:
    """Standardised difference, t, degrees of freedom and p-value."""
    one, two = values[gone], values[~gone]
    if min(len(one), len(two)) < 2 or values.min() == values.max():
        return None
    if not one.var() and not two.var():
        return None
    found = stats.ttest_ind(one, two, equal_var=False)
    difference = float((one.mean() - two.mean()) / values.std(ddof=1))
    return difference, float(found.statistic), float(found.df), float(found.pvalue)


def _chi_squared(
    codes: NDArray[np.intp], gone: NDArray[np.bool_]
) -> tuple[float, float, float, float] | None:
    """Cramer's V, chi-squared, degrees of freedom and p-value."""
    levels, codes = np.unique(codes, return_inverse=True)
    if len(levels) < 2 or len(levels) == len(codes) or not gone.any() or gone.all():
        return None
    counts = np.array([np.bincount(codes[side], minlength=len(levels)) for side in (gone, ~gone)])
    found = stats.chi2_contingency(counts, correction=False)
    strength = float(np.sqrt(found.statistic / len(codes)))
    return strength, float(found.statistic), float(found.dof), float(found.pvalue)
