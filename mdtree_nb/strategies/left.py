"""left: every missing value goes left."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..tree.cuts import Cuts
from ..tree.shares import one_hot_shares
from ..tree.strategy import Strategy
from ..tree.structure import Tree


class Left(Strategy):
    """Missing values always go left, in training and in prediction.

    Cuts are scored on all rows, the missing ones on the left. No cut can therefore set
    the missing rows apart; `Right` can. Of a multiway test the first branch is left.

    References
    ----------
    .. [1] L. Breiman, J. Friedman, R. Olshen, C. Stone, "Classification and Regression
       Trees", 1984 (the trees; a fixed side is folklore).
    """

    name = "left"
    mode = "left"
    plain = True
    checked_against = "brute force; scikit-learn on complete data"

    def score_table(self, cuts: Cuts) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
        """Gain with the missing rows on the left."""
        gain = cuts.gain(cuts.everything, cuts.left_missing, cuts.right)
        return gain, np.zeros(len(cuts), dtype=np.intp)

    def missing_shares(self, tree: Tree) -> NDArray[np.float64]:
        """All to branch 0."""
        return one_hot_shares(tree, np.zeros(tree.n_nodes, dtype=np.intp))
