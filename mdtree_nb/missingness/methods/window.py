"""window: neighbours along the driver go together."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..contract import Method


class Window(Method):
    """All rows of one stretch along the driver lose their value; where it lies is random."""

    name = "window"

    def prepare(
        self, values: NDArray[np.float64], share: float, rng: np.random.Generator
    ) -> tuple[float, float]:
        """Begin and end of the stretch."""
        n, wanted = len(values), round(share * len(values))
        start = int(rng.integers(n - wanted + 1))
        return start / n, (start + wanted) / n

    def chance(self, values: NDArray[np.float64], state: Any) -> NDArray[np.float64]:
        """1 inside the stretch, 0 outside."""
        start, end = state
        return ((values > start) & (values < end)).astype(np.float64)
