"""censor: the lowest or the highest values of a driver decide."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..contract import Method
from ..draw import check_side


class Censor(Method):
    """A value goes where its driver is among the lowest, the highest, or both.

    Parameters
    ----------
    side : {"lower", "upper", "both"}, default="lower"
        "both" takes half of the holes at either end; an odd one falls to the lower.
    """

    name = "censor"

    def __init__(self, side: str = "lower") -> None:
        self.side = side

    def check(self) -> None:
        """Refuse an unknown side."""
        check_side(self.side, ("lower", "upper", "both"))

    def prepare(
        self, values: NDArray[np.float64], share: float, rng: np.random.Generator
    ) -> tuple[float, float]:
        """Places below and above which values go."""
        n, wanted = len(values), round(share * len(values))
        lower = {"lower": wanted, "upper": 0, "both": (wanted + 1) // 2}[self.side]
        return lower / n, 1 - (wanted - lower) / n

    def chance(self, values: NDArray[np.float64], state: Any) -> NDArray[np.float64]:
        """1 below and above the two places, 0 between them."""
        low, high = state
        return ((values < low) | (values > high)).astype(np.float64)
