"""Statistics of one data set: tests for scores of resampling, and the smoothed error.

The folds of a cross-validation share training rows, so their scores are not independent
and the usual t-test finds differences that are not there. Statistics of several data sets
are in `many_sets.py`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy import stats

from ..missingness.pairwise import holm

__all__ = [
    "TTest",
    "corrected_resampled_ttest",
    "holm",
    "smallest_visible_difference",
    "smoothed_error",
]


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
        Rows in a test part over rows in its training part; 1/9 for ten folds, 0 for
        differences that are independent.

    Returns
    -------
    TTest
        All differences equal to each other: t is 0 or infinite.

    Raises
    ------
    ValueError
        For fewer than two differences, one that is no finite number, and a negative ratio.

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
    error, mean = _standard_error(d, test_to_train), float(d.mean())
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
        As in `corrected_resampled_ttest`.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        As in `corrected_resampled_ttest`.
    """
    d = np.asarray(differences, dtype=float)
    return float(_standard_error(d, test_to_train) * stats.t.ppf(0.975, len(d) - 1))


def smoothed_error(y: Any, proba: Any, classes: Any = None, *, label_free: bool = False) -> float:
    """Error rate that counts how sure the answers are, instead of right and wrong.

    Parameters
    ----------
    y : array-like of shape (n,)
        True classes; only their number counts if `label_free`.
    proba : array-like of shape (n, K)
        Predicted probabilities.
    classes : array-like of shape (K,) or None, default=None
        Class of each column. None = the K classes of y, sorted.
    label_free : bool, default=False
        False = mean of 1 less the probability of the true class; True = mean of 1 less the
        largest probability, which believes the model and needs no truth.

    Returns
    -------
    float
        A true class without a column has probability 0.

    Raises
    ------
    ValueError
        When the shapes do not fit, or y does not have as many classes as proba columns.

    References
    ----------
    .. [1] N. Glick, "Additive estimators for probabilities of correct classification",
       Pattern Recognition 10, 1978, DOI 10.1016/0031-3203(78)90029-8.

    Examples
    --------
    >>> proba = [[0.9, 0.1], [0.6, 0.4], [0.3, 0.7], [0.55, 0.45]]
    >>> round(smoothed_error([0, 1, 1, 0], proba), 4)
    0.3625
    >>> round(smoothed_error([0, 1, 1, 0], proba, label_free=True), 4)
    0.3125
    """
    y, proba = np.asarray(y), np.asarray(proba, dtype=float)
    if proba.ndim != 2 or len(y) != len(proba) or not len(y):
        raise ValueError(
            f"proba has shape {proba.shape} and y {y.shape}; one line per row, one column per "
            "class, and at least one row are needed."
        )
    if label_free:
        return float(1 - proba.max(axis=1).mean())
    classes = np.unique(y) if classes is None else np.asarray(classes)
    if len(classes) != proba.shape[1]:
        raise ValueError(
            f"proba has {proba.shape[1]} columns for {len(classes)} classes; pass "
            "classes=model.classes_."
        )
    return float(1 - np.where(y[:, None] == classes, proba, 0.0).sum(axis=1).mean())


def _standard_error(d: np.ndarray[Any, Any], test_to_train: float) -> float:
    if d.ndim != 1 or len(d) < 2:
        raise ValueError(f"differences has shape {d.shape}; two or more folds are needed.")
    if not np.isfinite(d).all():
        raise ValueError(
            f"differences holds {int((~np.isfinite(d)).sum())} values that are missing or "
            "infinite; leave out folds where one of the two has no score."
        )
    if not 0 <= test_to_train < np.inf:
        raise ValueError(
            f"test_to_train={test_to_train!r} must be a number of at least 0: rows in a test part "
            "over rows in its training part."
        )
    return float(np.sqrt((1 / len(d) + test_to_train) * d.var(ddof=1)))
