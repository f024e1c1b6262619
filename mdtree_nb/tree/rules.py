"""When to stop, what a child must have, what a test looks like: rules that all nodes share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from .kernels.codes import SUBSET


@dataclass(frozen=True)
class GrowthLimits:
    """When to stop. Depth 0 is the root; sizes count rows, or shares of rows.

    Attributes
    ----------
    max_depth : int
    min_samples_split, min_samples_leaf : float
    min_weight_leaf : float
        Smallest training weight of a child.
    min_impurity_decrease : float
        Smallest weighted gain of a split, as a share of the whole training weight.
    max_features : int
        Columns looked at in each node, drawn at random; all if it is their number.
    """

    max_depth: int
    min_samples_split: float
    min_samples_leaf: float
    min_weight_leaf: float
    min_impurity_decrease: float
    max_features: int


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
    just_below : bool
        Put those that are half-way at the next smaller number, so that a new value exactly
        half-way goes right?
    gap : float
        Neighbours that are no further apart count as one value.
    """

    category: int = SUBSET
    every_level: bool = False
    half_way: bool = True
    at_training_values: bool = False
    just_below: bool = False
    gap: float = 0.0


DEFAULT_FORM = TestForm()
