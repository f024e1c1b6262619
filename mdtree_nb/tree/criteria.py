"""What a set of labels costs: Gini index, entropy, squared and absolute error.

A `Measure` sums a set of rows up in a short vector, its "stats", and turns stats into
costs (weighted impurity: weight times impurity). Strategies combine costs and never see
a criterion. The formulas here are the definition; the sweeps in `kernels/` only have to
rank cuts the same way. A `Criterion` is what the user names: it provides the measure and
chooses between the best cuts of the features.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

from .kernels.codes import ENTROPY, GINI, MOMENTS, TIE

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Measure:
    """Weight, cost and value of sets of rows, from their stats (last axis).

    Attributes
    ----------
    family : int
        MOMENTS, GINI or ENTROPY: what the stats are and which sweep ranks by them.
    n_values : int
        Number of classes, or 1 for a mean.
    absolute : bool
        Cost is the absolute distance from the median, which does not follow from stats:
        `error` takes the place of `cost`.
    from_mean : bool
        From the mean instead of the median.
    """

    family: int
    n_values: int
    absolute: bool = False
    from_mean: bool = False

    @property
    def n_stats(self) -> int:
        """Length of the stats vector."""
        return 3 if self.family == MOMENTS else self.n_values

    @property
    def centred(self) -> bool:
        """Are stats taken around each node's own mean?"""
        return self.family == MOMENTS and self.n_values == 1

    @property
    def scale(self) -> float:
        """Factor of the cost: the Gini index of two classes is twice their variance."""
        return 2.0 if self.family == MOMENTS and not self.centred else 1.0

    def stats(self, y: NDArray[Any], w: Floats, centre: float) -> Floats:
        """Stats of single rows, an array of shape (n, n_stats); sum them over rows."""
        if self.family == MOMENTS:
            value = y - centre
            return np.stack([w, w * value, w * value * value], axis=1)
        stats = np.zeros((len(y), self.n_values))
        stats[np.arange(len(y)), y.astype(np.intp)] = w
        return stats

    def weight(self, stats: Floats) -> Floats:
        """Weight of the rows."""
        return stats[..., 0] if self.family == MOMENTS else stats.sum(axis=-1)

    def cost(self, stats: Floats) -> Floats:
        """Weight times impurity of the rows; 0 for no rows."""
        weight = self.weight(stats)
        safe = np.where(weight > 0, weight, 1.0)
        if self.family == MOMENTS:
            cost = self.scale * (stats[..., 2] - stats[..., 1] ** 2 / safe)
        elif self.family == GINI:
            cost = weight - np.square(stats).sum(axis=-1) / safe
        else:
            cost = _xlogx(weight) - _xlogx(stats).sum(axis=-1)
        return np.maximum(cost, 0.0)

    def summary(self, y: NDArray[Any], w: Floats) -> tuple[Floats, Floats]:
        """Sums of some rows, with the columns of the kernels' sums, and their value."""
        stats = self.stats(y, w, 0.0).sum(axis=0)
        value = self.value(stats, np.zeros(1)[0])
        cost = float(self.cost(stats))
        if self.absolute:
            cost, value[0] = self.error(y, w)
        return np.concatenate([[self.weight(stats), len(y), cost, 0.0], stats]), value

    def error(self, y: NDArray[Any], w: Floats) -> tuple[float, float]:
        """Absolute error of rows times their weight, and the median or mean it is taken from."""
        if not len(y):
            return 0.0, 0.0
        if y.min() == y.max():
            return 0.0, float(y[0])
        if self.from_mean:
            centre = float(np.average(y, weights=w))
        else:
            order = np.argsort(y, kind="stable")
            half = w.sum() / 2
            below = np.cumsum(w[order])
            low = int(np.searchsorted(below, half * (1 - TIE)))
            high = int(np.searchsorted(below, half * (1 + TIE), side="right"))
            centre = float(y[order[low]] / 2 + y[order[min(high, len(y) - 1)]] / 2)
        return float(w @ np.abs(y - centre)), centre

    def value(self, stats: Floats, centre: Floats) -> Floats:
        """Class shares, or the mean, of the rows: an array of shape (..., n_values)."""
        if self.family != MOMENTS:
            return stats / stats.sum(axis=-1, keepdims=True)
        mean = stats[..., 1] / stats[..., 0]
        if self.centred:
            return (centre + mean)[..., None]
        return np.stack([1.0 - mean, mean], axis=-1)


def _xlogx(x: Floats) -> Floats:
    return x * np.log2(np.where(x > 0, x, 1.0))


class Criterion(BaseEstimator):
    """How splits are scored and features compared.

    Attributes
    ----------
    name : str
    aliases : tuple of str
    task : {"classification", "regression"}
    """

    name: ClassVar[str]
    aliases: ClassVar[tuple[str, ...]] = ()
    task: ClassVar[str]

    def measure(self, n_values: int) -> Measure:
        """Return the measure for `n_values` classes (1 for regression)."""
        raise NotImplementedError

    def choose(self, gains: Floats) -> NDArray[np.intp]:
        """Choose a feature per node from the gains of their best cuts.

        Parameters
        ----------
        gains : ndarray of shape (b, p)
            -inf where a feature has no cut.

        Returns
        -------
        ndarray of shape (b,)
            The first feature whose gain is the largest, up to rounding.
        """
        best = gains.max(axis=1, keepdims=True)
        enough = np.where(np.isfinite(best), best - TIE * np.abs(best), best)
        return np.argmax(gains >= enough, axis=1)


class Gini(Criterion):
    """Gini index: 1 - sum of squared class shares.

    References
    ----------
    .. [1] L. Breiman, J. Friedman, R. Olshen, C. Stone, "Classification and Regression
       Trees", 1984.
    """

    name = "gini"
    task = "classification"

    def measure(self, n_values: int) -> Measure:
        """Return the measure; two classes are ranked by the faster moments."""
        return Measure(MOMENTS if n_values == 2 else GINI, n_values)


class Entropy(Criterion):
    """Entropy in bits: - sum of share log2(share).

    References
    ----------
    .. [1] J. R. Quinlan, "Induction of Decision Trees", Machine Learning 1, 1986,
       DOI 10.1007/BF00116251.
    """

    name = "entropy"
    aliases = ("log_loss",)
    task = "classification"

    def measure(self, n_values: int) -> Measure:
        """Return the measure for `n_values` classes."""
        return Measure(ENTROPY, n_values)


class SquaredError(Criterion):
    """Mean squared distance from the mean.

    References
    ----------
    .. [1] L. Breiman, J. Friedman, R. Olshen, C. Stone, "Classification and Regression
       Trees", 1984.
    """

    name = "squared_error"
    task = "regression"

    def measure(self, n_values: int) -> Measure:
        """Return the measure of means; `n_values` is 1."""
        return Measure(MOMENTS, 1)


class AbsoluteError(Criterion):
    """Mean absolute distance from the median, or from the mean.

    Slower than the others: it does not follow from sums. Groups of levels are tried in the
    order of the levels' means, which is a heuristic here.

    Parameters
    ----------
    from_mean : bool, default=False
        From the mean, which leaves then predict; else from the median, which minimises it.

    References
    ----------
    .. [1] L. Breiman, J. Friedman, R. Olshen, C. Stone, "Classification and Regression
       Trees", 1984, chapter 8 (LAD regression).
    """

    name = "absolute_error"
    task = "regression"

    def __init__(self, from_mean: bool = False):
        self.from_mean = from_mean

    def measure(self, n_values: int) -> Measure:
        """Return the measure of distances; `n_values` is 1."""
        return Measure(MOMENTS, 1, True, bool(self.from_mean))


CRITERIA = (Gini, Entropy, SquaredError, AbsoluteError)


def get_criterion(criterion: Any, task: str) -> Criterion:
    """Find a criterion by name, or take an object as it is.

    Parameters
    ----------
    criterion : str or Criterion
    task : {"classification", "regression"}

    Returns
    -------
    Criterion

    Raises
    ------
    ValueError
        For an unknown name or one that belongs to the other task.
    TypeError
        For anything else.
    """
    if isinstance(criterion, Criterion):
        if criterion.task != task:
            raise ValueError(f"criterion={criterion} is for {criterion.task}, not for {task}.")
        return criterion
    if not isinstance(criterion, str):
        raise TypeError(f"criterion={criterion!r} must be a name or a Criterion.")
    known = {n: c for c in CRITERIA if c.task == task for n in (c.name, *c.aliases)}
    if criterion not in known:
        raise ValueError(
            f"criterion={criterion!r} is not a known criterion for {task}; choose one of "
            f"{', '.join(map(repr, sorted(known)))}."
        )
    return known[criterion]()
