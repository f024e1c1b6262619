"""Statistics of several data sets: each one counts once, however many folds it had.

The methods' scores on one data set are compared with each other, so that an easy table is
not weighed against a hard one.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

from ..missingness.pairwise import holm


@dataclass(frozen=True)
class Friedman:
    """Whether some method is better than another, by ranks.

    Attributes
    ----------
    mean_ranks : Series
        Of each method over the data sets; 1 = best. Equal scores share their ranks.
    chi2, p_value : float
        Friedman's statistic, without a correction for ties, and its p-value.
    f, f_p_value : float
        Of Iman and Davenport, which is less conservative. Infinite and 0 where all data
        sets agree on every rank.
    n_sets : int
    """

    mean_ranks: pd.Series
    chi2: float
    p_value: float
    f: float
    f_p_value: float
    n_sets: int


class Interval(NamedTuple):
    """A mean and its confidence interval.

    Attributes
    ----------
    mean, low, high : float
    """

    mean: float
    low: float
    high: float


def friedman(scores: Any, *, higher_is_better: bool = True) -> Friedman:
    """Rank methods on every data set, and test whether their mean ranks differ.

    Parameters
    ----------
    scores : DataFrame or array-like of shape (N, k)
        One line per data set, one column per method, nothing missing.
    higher_is_better : bool, default=True

    Returns
    -------
    Friedman

    Raises
    ------
    ValueError
        For fewer than two methods or data sets, and for scores that are missing.

    References
    ----------
    .. [1] J. Demsar, "Statistical comparisons of classifiers over multiple data sets",
       Journal of Machine Learning Research 7, 2006.
    .. [2] R. L. Iman, J. M. Davenport, "Approximations of the critical region of the
       Friedman statistic", Communications in Statistics A9, 1980.

    Examples
    --------
    >>> found = friedman([[0.7, 0.8, 0.9], [0.6, 0.7, 0.9], [0.8, 0.7, 0.9], [0.5, 0.6, 0.7]])
    >>> found.mean_ranks.tolist()
    [2.75, 2.25, 1.0]
    >>> round(found.chi2, 2), round(found.p_value, 4), round(found.f_p_value, 4)
    (6.5, 0.0388, 0.0066)
    """
    table = _scores(scores)
    n, k = table.shape
    ranks = table.rank(axis=1, ascending=not higher_is_better)
    mean_ranks = ranks.mean()
    chi2 = 12 * n / (k * (k + 1)) * float((mean_ranks**2).sum() - k * (k + 1) ** 2 / 4)
    chi2 = max(chi2, 0.0)  # rounding, where all ranks are tied
    left = n * (k - 1) - chi2
    f = (n - 1) * chi2 / left if left > 1e-9 else float("inf")
    return Friedman(
        mean_ranks,
        chi2,
        float(stats.chi2.sf(chi2, k - 1)),
        f,
        float(stats.f.sf(f, k - 1, (k - 1) * (n - 1))),
        n,
    )


def critical_difference(
    n_methods: int, n_sets: int, alpha: float = 0.05, *, control: bool = False
) -> float:
    """Say how far two mean ranks must be apart to differ, by Nemenyi's test.

    Parameters
    ----------
    n_methods, n_sets : int
    alpha : float, default=0.05
    control : bool, default=False
        Compare one method with all others only, as Bonferroni and Dunn do.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        For fewer than two methods, no data set, or an alpha outside of (0, 1).

    Examples
    --------
    >>> round(critical_difference(4, 14), 4)
    1.2536
    >>> round(critical_difference(5, 7), 3)  # of at most 4
    2.305
    """
    if n_methods < 2 or n_sets < 1 or not 0 < alpha < 1:
        raise ValueError(
            f"n_methods={n_methods}, n_sets={n_sets}, alpha={alpha}: two or more methods, one or "
            "more data sets and an alpha between 0 and 1 are needed."
        )
    if control:
        q = stats.norm.isf(alpha / (2 * (n_methods - 1)))
    else:
        q = stats.studentized_range.isf(alpha, n_methods, np.inf) / np.sqrt(2)
    return float(q * np.sqrt(n_methods * (n_methods + 1) / (6 * n_sets)))


def nemenyi(scores: Any, *, higher_is_better: bool = True) -> pd.DataFrame:
    """Give the p-value of every pair of methods, by the distance of their mean ranks.

    Parameters
    ----------
    scores : DataFrame or array-like of shape (N, k)
        As in `friedman`.
    higher_is_better : bool, default=True

    Returns
    -------
    DataFrame of shape (k, k)
        Already corrected for the number of pairs.
    """
    found = friedman(scores, higher_is_better=higher_is_better)
    ranks = found.mean_ranks
    k = len(ranks)
    apart = np.abs(ranks.to_numpy()[:, None] - ranks.to_numpy())
    q = apart * np.sqrt(2) / np.sqrt(k * (k + 1) / (6 * found.n_sets))
    p_values = np.minimum(stats.studentized_range.sf(q, k, np.inf), 1.0)
    return pd.DataFrame(p_values, index=ranks.index, columns=ranks.index)


def wilcoxon_holm(scores: Any, control: Any = None) -> pd.DataFrame:
    """Compare methods in pairs by Wilcoxon's signed-rank test, corrected by Holm's method.

    Parameters
    ----------
    scores : DataFrame or array-like of shape (N, k)
        One line per data set, one column per method, nothing missing.
    control : label of a column or None, default=None
        Compare the others with this one only. None = every pair.

    Returns
    -------
    DataFrame
        One line per pair: `a`, `b`, the median `difference` a - b, the rank sums `r_plus`
        and `r_minus`, to which a difference of zero gives half its rank each, `p_value`
        and `p_holm`. As `scipy.stats.wilcoxon` chooses: exact up to 50 data sets where no two
        differences are equal and none is zero, and up to 13 otherwise; else by the normal
        distribution. With five data sets no p-value is below 0.0625.

    Raises
    ------
    ValueError
        As `friedman`, for scores that are infinite, and for an unknown control.

    Examples
    --------
    >>> table = pd.DataFrame({"a": [0.9, 0.8, 0.7, 0.9, 0.6], "b": [0.8, 0.6, 0.4, 0.5, 0.1]})
    >>> wilcoxon_holm(table)[["a", "b", "r_plus", "p_holm"]].to_numpy().tolist()
    [['a', 'b', 15.0, 0.0625]]
    """
    table = _scores(scores)
    if not np.isfinite(table).all(axis=None):
        raise ValueError("scores has infinite values, which have no difference; leave them out.")
    if control is None:
        pairs = list(combinations(table.columns, 2))
    elif control in table.columns:
        pairs = [(control, name) for name in table.columns if name != control]
    else:
        listed = ", ".join(map(repr, table.columns))
        raise ValueError(f"control={control!r} is not a method; choose one of {listed}.")
    lines = [(a, b, *_signed_ranks((table[a] - table[b]).to_numpy())) for a, b in pairs]
    found = pd.DataFrame(lines, columns=["a", "b", "difference", "r_plus", "r_minus", "p_value"])
    found["p_holm"] = holm(found["p_value"].to_numpy())
    return found


def bootstrap_difference(
    differences: Any,
    *,
    method: str = "BCa",
    draws: int = 9999,
    confidence: float = 0.95,
    random_state: int = 0,
) -> Interval:
    """Draw data sets with replacement: a confidence interval of the mean difference.

    Parameters
    ----------
    differences : array-like of shape (N,)
        One per data set, not per fold: folds are not independent.
    method : {"BCa", "percentile", "basic"}, default="BCa"
        Of `scipy.stats.bootstrap`.
    draws : int, default=9999
    confidence : float, default=0.95
    random_state : int, default=0

    Returns
    -------
    Interval
        Equal differences: an interval without width.

    Raises
    ------
    ValueError
        For fewer than two differences.

    Examples
    --------
    >>> d = [.02, .01, .03, -.01, .02, 0, .04, .01, .02, .01]
    >>> [round(bound, 4) for bound in bootstrap_difference(d)]
    [0.015, 0.006, 0.023]
    """
    d = np.asarray(differences, dtype=float)
    if d.ndim != 1 or len(d) < 2 or not np.isfinite(d).all():
        raise ValueError(f"differences={d!r}: two or more numbers, one per data set, are needed.")
    mean = float(d.mean())
    if np.ptp(d) == 0:
        return Interval(mean, mean, mean)
    found = stats.bootstrap(
        (d,),
        np.mean,
        n_resamples=draws,
        confidence_level=confidence,
        method=method,
        rng=np.random.default_rng(random_state),
    ).confidence_interval
    return Interval(mean, float(found.low), float(found.high))


def _scores(scores: Any) -> pd.DataFrame:
    table = pd.DataFrame(scores).astype(float)
    if table.shape[0] < 2 or table.shape[1] < 2:
        raise ValueError(
            f"scores has shape {table.shape}; it needs two data sets and two methods, or more."
        )
    if not table.columns.is_unique:
        raise ValueError("scores names a method twice; each column needs a name of its own.")
    gaps = table.isna().any(axis=1)
    if gaps.any():
        raise ValueError(
            f"scores has missing values in {int(gaps.sum())} of {len(table)} lines; drop those "
            "data sets, scores.dropna(), or the methods that lack them, scores.dropna(axis=1)."
        )
    return table


def _signed_ranks(d: NDArray[np.float64]) -> tuple[float, float, float, float]:
    """Median, rank sums and p-value."""
    d = np.round(d, 12)  # 0.9 - 0.8 and 0.8 - 0.7 are the same difference
    ranks = stats.rankdata(np.abs(d))
    half = ranks[d == 0].sum() / 2
    plus, minus = ranks[d > 0].sum() + half, ranks[d < 0].sum() + half
    p_value = 1.0 if not d.any() else float(stats.wilcoxon(d, zero_method="zsplit").pvalue)
    return float(np.median(d)), float(plus), float(minus), p_value
