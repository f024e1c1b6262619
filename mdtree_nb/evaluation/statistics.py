"""Tests for scores that come from resampling one data set.

The folds of a cross-validation share training rows, so their scores are not independent
and the usual t-test finds differences that are not there.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy import stats


class TTest(NamedTuple):
    """Result of a corrected resampled t-test.

    Attributes
    ----------
    mean, t, df, p_value : float
    low, high : float
        Bounds of the 95 % confidence interval of the mean difference.
    """

    mean: float
    t: float
    df: int
    p_value: float
    low: float
    high: float


def corrected_resampled_ttest(differences: Any, test_to_train: float) -> TTest:
    """Test whether paired fold differences have mean zero.

    Parameters
    ----------
    differences : array-like of shape (m,)
        Score of one method less that of the other, fold by fold, all repeats.
    test_to_train : float
        Rows in a test part over rows in its training part; 1/9 for ten folds.

    Returns
    -------
    TTest
        All differences equal to each other: t is 0 or infinite.

    References
    ----------
    .. [1] C. Nadeau, Y. Bengio, "Inference for the generalization error", Machine
       Learning 52, 2003, DOI 10.1023/A:1024068626366.

    Examples
    --------
    >>> d = [.02, .01, .03, -.01, .02, 0, .04, .01, .02, .01]
    >>> round(corrected_resampled_ttest(d, 1 / 9).t, 6)
    2.277042
    """
    d = np.asarray(differences, dtype=float)
    mean, error = float(d.mean()), _standard_error(d, test_to_train)
    df = len(d) - 1
    t = mean / error if error > 0 else float(np.copysign(np.inf, mean)) if mean else 0.0
    half = error * float(stats.t.ppf(0.975, df))
    p_value = float(2 * stats.t.sf(abs(t), df))
    return TTest(mean, t, df, p_value, mean - half, mean + half)


def smallest_visible_difference(differences: Any, test_to_train: float) -> float:
    """Say how large a mean difference must be to be told from zero (two-sided, 5 %).

    Parameters
    ----------
    differences : array-like of shape (m,)
        Paired fold differences; only their spread counts.
    test_to_train : float

    Returns
    -------
    float
    """
    d = np.asarray(differences, dtype=float)
    return float(_standard_error(d, test_to_train) * stats.t.ppf(0.975, len(d) - 1))


def _standard_error(d: np.ndarray[Any, Any], test_to_train: float) -> float:
    if d.ndim != 1 or len(d) < 2:
        raise ValueError(f"differences has shape {d.shape}; two or more folds are needed.")
    return float(np.sqrt((1 / len(d) + test_to_train) * d.var(ddof=1)))
