"""right: every missing value goes right."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..tree.cuts import Cuts
from ..tree.shares import one_hot_shares
from ..tree.strategy import Strategy
from ..tree.structure import Tree


class Right(Strategy):
    """Missing values always go right, in training and in prediction.

    Cuts are scored on all rows, the missing ones on the right. A cut at the largest known
    value sets the missing rows apart; a later row above that value joins them. Of a multiway
    test the last branch is right.

    References
    ----------
    .. [1] L. Breiman, J. Friedman, R. Olshen, C. Stone, "Classification and Regression
       Trees", 1984 (the trees; a fixed side is folklore).
    """

    name = "right"
    mode = "right"
    plain = True
    checked_against = "brute force; scikit-learn on complete data"

    @property
    def lone_test(self) -> str:
        """Keep "known | missing" as a threshold at the largest known value."""
        return "threshold"

    def score_table(self, cuts: Cuts) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
        """Gain with the missing rows on the right."""
        gain = cuts.gain(cuts.everything, cuts.left, cuts.right_missing)
        gain = np.where(cuts.between, -np.inf, gain)
        return gain, np.ones(len(cuts), dtype=np.intp)

    def missing_shares(self, tree: Tree) -> NDArray[np.float64]:
        """All to the last branch."""
        return one_hot_shares(tree, tree.n_branches - 1)
