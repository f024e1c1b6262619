"""learned: each split sends its missing values to the better side."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ..tree.cuts import Cuts, exceeds
from ..tree.strategy import Strategy


class Learned(Strategy):
    """Each split sends its missing values to the side where they lower the cost more.

    Every cut is tried with the missing rows on either side and, unless `alone` is False,
    "known | missing" is tried as a split of its own. That is missingness incorporated in
    attributes (MIA) and also what scikit-learn does, so both names mean this routine. A
    node that saw no missing value in training sends later ones to the side with more
    training weight, to the right when equal.

    Parameters
    ----------
    alone : bool, default=True
        Try "known | missing"? False is XGBoost's rule.

    References
    ----------
    .. [1] B. Twala, M. Jones, D. Hand, "Good methods for coping with missing data in
       decision trees", Pattern Recognition Letters 29, 2008,
       DOI 10.1016/j.patrec.2008.01.010.
    .. [2] J. Josse, N. Prost, E. Scornet, G. Varoquaux, "On the consistency of supervised
       learning with missing values", 2019, arXiv 1902.06931.
    """

    name = "learned"
    aliases: ClassVar[tuple[str, ...]] = ("mia",)
    mode = "learned"
    plain = True
    checked_against = "scikit-learn; brute force"

    def __init__(self, alone: bool = True):
        self.alone = alone

    @property
    def lone_test(self) -> str | None:
        """Keep "known | missing" as an is-missing test, if it is a candidate."""
        return "is missing" if self.alone else None

    def score_table(self, cuts: Cuts) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
        """Gain with the missing rows on the better side; right first."""
        right = cuts.gain(cuts.everything, cuts.left, cuts.right_missing)
        left = cuts.gain(cuts.everything, cuts.left_missing, cuts.right)
        branch = np.where(exceeds(left, right), 0, 1)
        branch = np.where(cuts.missing_mass > 0, branch, cuts.majority)
        return np.maximum(left, right), branch
