"""What a child must have, and what a test looks like: the rules that all nodes share.

Does not: say when to stop; `GrowthLimits` does.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .kernels.codes import SUBSET


class Least(NamedTuple):
    """What a child must have at least.

    Attributes
    ----------
    mass, weight : float
        Rows, or shares of rows, and their weight.
    side_share, side_cap : float
        Each side of a threshold needs this share of the rows that know the column, but at
        least `mass` and at most the cap; 0 = no such rule.
    two_suffice : bool
        Must only two branches of a multiway test have enough? Else all.
    """

    mass: float
    weight: float
    side_share: float = 0.0
    side_cap: float = np.inf
    two_suffice: bool = False

    def of_side(self, known_mass: float) -> float:
        """Mass that each side of a threshold needs."""
        if not self.side_share:
            return self.mass
        return min(max(self.side_share * known_mass, self.mass), self.side_cap)


class TestForm(NamedTuple):
    """What tests look like.

    Attributes
    ----------
    category : int
        How category columns are tested: EQUALS, SUBSET or MULTIWAY.
    every_level : bool
        Does a MULTIWAY test have a child for every level of the column? Else for those
        that the node's rows have.
    half_way : bool
        Put thresholds half-way between neighbours? Else at the lower one.
    at_training_values : bool
        Put them, at last, at the largest training value that is not above?
    """

    category: int = SUBSET
    every_level: bool = False
    half_way: bool = True
    at_training_values: bool = False


DEFAULT_FORM = TestForm()
