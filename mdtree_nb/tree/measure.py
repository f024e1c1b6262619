"""What a set of labels costs: Gini index, entropy, squared and absolute error.

A `Measure` sums a set of rows up in a short vector, its "stats", and turns stats into
costs (weighted impurity: weight times impurity). Strategies combine costs and never see
a criterion. The formulas here are the definition; the sweeps in `kernels/` only have to
rank cuts the same way.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .kernels.codes import GINI, MOMENTS, TIE

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

    def counts(
        self, w: Floats, group: NDArray[Any], runs: NDArray[np.intp]
    ) -> tuple[Floats, Floats]:
        """Return weights and numbers of rows, as `summaries` has them, and nothing else."""
        n, r = int(runs.sum()), len(runs)
        start = np.cumsum(runs) - runs
        sums = np.zeros((r + n, 4 + self.n_stats))
        for k, amount in enumerate((w, None)):
            sums[r:, k] = np.bincount(group, amount, n)
            sums[:r, k] = np.add.reduceat(sums[r:, k], start)
        return sums, np.zeros((r + n, self.n_values))

    def summaries(
        self, y: NDArray[Any], w: Floats, group: NDArray[Any], runs: NDArray[np.intp]
    ) -> tuple[Floats, Floats]:
        """Sums of groups of rows and of runs of groups, with the columns of the kernels' sums.

        Parameters
        ----------
        y, w : ndarray of shape (n,)
        group : ndarray of shape (n,), int
        runs : ndarray of shape (r,)
            How many groups each run has; together they have all.

        Returns
        -------
        sums : ndarray of shape (r + groups, .)
            First those of the runs.
        value : ndarray of shape (r + groups, n_values)
            0 where there are no rows.
        """
        n, r = int(runs.sum()), len(runs)
        start = np.cumsum(runs) - runs
        stats = np.empty((r + n, self.n_stats))
        for k, its in enumerate(self.stats(y, w, 0.0).T):
            stats[r:, k] = np.bincount(group, its, n)
        rows = np.bincount(group, minlength=n)
        stats[:r] = np.add.reduceat(stats[r:], start, axis=0)
        rows = np.concatenate([np.add.reduceat(rows, start), rows])
        some = rows > 0
        value = np.zeros((r + n, self.n_values))
        value[some] = self.value(stats[some], np.zeros(int(some.sum())))
        cost = self.cost(stats)
        if self.absolute:
            for first, of in ((0, np.repeat(np.arange(r), runs)[group]), (r, group)):
                order = np.argsort(of, kind="stable")
                for its in np.split(order, np.flatnonzero(np.diff(of[order])) + 1):
                    if len(its):
                        g = first + of[its[0]]
                        cost[g], value[g, 0] = self.error(y[its], w[its])
        head = np.stack([self.weight(stats), rows, cost, np.zeros(len(rows))], axis=1)
        return np.concatenate([head, stats], axis=1), value

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
