"""logistic: the log-odds of a hole are a straight line, or a bent one, in the drivers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from ..contract import Method
from ..draw import SIDES, bend, check_side, intercept


class Logistic(Method):
    """A value goes with chance 1 / (1 + exp(-(steepness * score + b))).

    The score is the weighted sum of the standardised drivers, standardised again; b is
    solved on the scores themselves, so that the mean chance is the rate.

    Parameters
    ----------
    side : {"right", "left", "mid", "tail"}, default="right"
        Which scores lose more values: high ones, low ones, those in the middle, or those
        at both ends.
    weights : {"equal", "random"} or sequence of float, default="equal"
        Of the drivers. "random" draws them from a normal distribution, for each column anew.
    steepness : float, default=1.0
        0 = chance alone; large = a threshold.
    exact : bool, default=True
        Whether the number of holes is exact; False = rows are drawn independently.
    """

    name = "logistic"
    by_position = False

    def __init__(
        self,
        side: str = "right",
        weights: str | Sequence[float] = "equal",
        steepness: float = 1.0,
        exact: bool = True,
    ) -> None:
        self.side = side
        self.weights = weights
        self.steepness = steepness
        self.exact = exact

    def check(self) -> None:
        """Refuse an unknown side, odd weights and a steepness below 0."""
        check_side(self.side, SIDES)
        if not np.isfinite(self.steepness) or self.steepness < 0:
            raise ValueError(f"steepness={self.steepness!r} must be a number from 0.")
        if isinstance(self.weights, str) and self.weights not in ("equal", "random"):
            raise ValueError(
                f"weights={self.weights!r} must be 'equal', 'random' or a number per driver."
            )

    def driver_weights(self, n_drivers: int, rng: np.random.Generator) -> NDArray[np.float64]:
        """Weights of the drivers of one column."""
        if isinstance(self.weights, str):
            return np.ones(n_drivers) if self.weights == "equal" else rng.normal(size=n_drivers)
        weights = np.asarray(self.weights, dtype=float)
        if weights.shape != (n_drivers,) or not np.isfinite(weights).all():
            raise ValueError(
                f"weights={self.weights!r} must be one number for each of {n_drivers} drivers."
            )
        return weights

    def prepare(
        self, values: NDArray[np.float64], share: float, rng: np.random.Generator
    ) -> tuple[float, float, float]:
        """Mean and spread of the scores, and the intercept."""
        mean, spread = float(values.mean()), float(values.std())
        return mean, spread, intercept(self._odds(values, mean, spread), share)

    def chance(self, values: NDArray[np.float64], state: Any) -> NDArray[np.float64]:
        """Logistic curve at the scores."""
        mean, spread, b = state
        return expit(self._odds(values, mean, spread) + b)

    def _odds(self, values: NDArray[np.float64], mean: float, spread: float) -> Any:
        return self.steepness * bend((values - mean) / spread, self.side)
