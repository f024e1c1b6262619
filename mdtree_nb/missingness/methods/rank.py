"""rank: the higher a row stands along the driver, the more likely its value goes."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq

from ..contract import Method


class Rank(Method):
    """Rows are drawn one after the other, without replacement, with their rank as weight.

    The chance that such a draw has taken a row of weight w is close to 1 - exp(-t w), where
    t grows with the number drawn; these chances are used, and their sum is exact.
    """

    name = "rank"

    def prepare(self, values: NDArray[np.float64], share: float, rng: np.random.Generator) -> float:
        """Length t of the draw."""
        if share <= 0 or share >= 1:
            return 0.0 if share <= 0 else np.inf
        n, longest = len(values), 100.0 / (1 - share)

        # the ranks are (i + 1/2) / n, so the sum over rows is a geometric series
        def excess(t: float) -> float:
            kept = np.exp(-t / (2 * n)) * np.expm1(-t) / np.expm1(-t / n) / n
            return float(1 - kept - share)

        return float(brentq(excess, 1e-12, longest, xtol=1e-15))

    def chance(self, values: NDArray[np.float64], state: Any) -> NDArray[np.float64]:
        """Chance of having been drawn by then."""
        return -np.expm1(-state * values)
