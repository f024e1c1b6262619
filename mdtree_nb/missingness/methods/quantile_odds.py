"""quantile_odds: equal groups along a driver, each with odds of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..contract import Method
from ..draw import check_odds, group_chances, group_of


class QuantileOdds(Method):
    """Rows stand in equal groups along the driver; a group loses values by its odds.

    With odds 1 to 5 the highest fifth of the driver loses five times as many values as the
    lowest. (1, x) is a split at the median where the upper half loses x times as many;
    (0, 1) lets only the upper half lose any; (0, 0, 0, 1) only the upper quarter.

    Parameters
    ----------
    odds : sequence of float, default=(1, 2, 3, 4, 5)
        Lowest group first. A group that would lose more than it has loses everything, and
        the others share the rest by their odds; a warning says so.
    """

    name = "quantile_odds"

    def __init__(self, odds: Sequence[float] = (1, 2, 3, 4, 5)) -> None:
        self.odds = odds

    def check(self) -> None:
        """Refuse odds that are no odds."""
        check_odds(self.odds)

    def prepare(
        self, values: NDArray[np.float64], share: float, rng: np.random.Generator
    ) -> NDArray[np.float64]:
        """Chance of each group."""
        sizes = np.bincount(group_of(values, len(self.odds)), minlength=len(self.odds)) / len(
            values
        )
        return group_chances(self.odds, sizes, share)

    def strata(self, values: NDArray[np.float64]) -> NDArray[np.uint16]:
        """Groups, which have exact numbers."""
        return group_of(values, len(self.odds)).astype(np.uint16)

    def chance(self, values: NDArray[np.float64], state: Any) -> NDArray[np.float64]:
        """Chance of the group in which a row stands."""
        return state[group_of(values, len(self.odds))]
