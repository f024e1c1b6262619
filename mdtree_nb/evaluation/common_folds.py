"""Strategies on the folds that both of two have: their differences, and the order of all.

A score can be missing in some folds, and folds are not equally hard: means over different
folds would not compare strategies.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from .statistics import corrected_resampled_ttest, smallest_visible_difference


def ordered(scores: pd.DataFrame, higher_is_better: bool) -> list[str]:
    """Order strategies, best first.

    Parameters
    ----------
    scores : DataFrame of shape (k, m)
        One line per strategy, one column per fold.
    higher_is_better : bool

    Returns
    -------
    list
        Without those that have no score. By the mean; where folds are missing, the first is
        the one that no other beats on the folds that both have, or is beaten by the least;
        the others follow by how far they are behind it there.
    """
    scores = scores.dropna(how="all")
    values = scores.to_numpy(dtype=float) * (1 if higher_is_better else -1)
    if len(values) < 2 or not np.isnan(values).any():
        return list(scores.index[np.argsort([-_mean(its) for its in values], kind="stable")])
    lead = _leads(values)
    beaten = np.nanmax(lead, axis=0)
    best = int(np.lexsort((beaten, np.isnan(lead).sum(axis=0)))[0])
    others = [k for k in np.argsort(lead[best], kind="stable") if k != best]  # NaN comes last
    return list(scores.index[[best, *others]])


def _mean(values: NDArray[np.float64]) -> float:
    return float(np.ascontiguousarray(values).mean())  # equal scores, equal to the last bit


def _leads(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Of strategy i over strategy j on the folds that both have; NaN where there are none."""
    lead = np.zeros((len(scores), len(scores)))
    for i, j in combinations(range(len(scores)), 2):
        both = ~np.isnan(scores[i]) & ~np.isnan(scores[j])
        lead[i, j] = _mean(scores[i, both]) - _mean(scores[j, both]) if both.any() else np.nan
        lead[j, i] = -lead[i, j]
    return lead


def compared(a: pd.Series, b: pd.Series, test_to_train: float) -> dict[str, float]:
    """Compare two strategies on the folds that both have.

    Parameters
    ----------
    a, b : Series of shape (m,)
        Scores.
    test_to_train : float

    Returns
    -------
    dict
        The mean `difference` a - b, its interval `low` to `high`, and its `p_value`; NaN
        where there are too few folds.
    """
    both = pd.concat([a, b], axis=1).dropna().to_numpy(dtype=float)
    found = dict.fromkeys(("difference", "low", "high", "p_value"), float("nan"))
    if len(both):
        found["difference"] = _mean(both[:, 0]) - _mean(both[:, 1])
    if len(both) > 1 and np.isfinite(both).all():
        test = corrected_resampled_ttest(both[:, 0] - both[:, 1], test_to_train)
        found |= {"low": test.low, "high": test.high, "p_value": test.p_value}
    return found


def detectable(scores: pd.DataFrame, test_to_train: float) -> float:
    """Smallest visible difference: the median over all pairs.

    Parameters
    ----------
    scores : DataFrame of shape (k, m)
    test_to_train : float

    Returns
    -------
    float
        NaN where no two have two folds in common.
    """
    found = []
    for a, b in combinations(scores.to_numpy(dtype=float), 2):
        d = (a - b)[np.isfinite(a) & np.isfinite(b)]
        if len(d) > 1:
            found.append(smallest_visible_difference(d, test_to_train))
    return float(np.median(found)) if found else float("nan")
