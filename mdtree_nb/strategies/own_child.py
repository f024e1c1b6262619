"""own_child: missing values get a child of their own."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..tree.cuts import Cuts
from ..tree.strategy import Strategy


class OwnChild(Strategy):
    """Give the rows that miss the tested column a third child (separate branch).

    A cut is scored as a split of all rows into left, right and missing. Where there are
    fewer missing rows than `min_samples_leaf`, they go to the child with more known
    weight instead and only the known rows are scored, times their share of the node.
    """

    name = "own_child"
    mode = "known"
    checked_against = "brute force"

    def score_table(self, cuts: Cuts) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
        """Gain of three children, or of two where the missing rows are too few."""
        three = cuts.gain(cuts.everything, cuts.left, cuts.right, cuts.missing)
        two = cuts.gain(cuts.known, cuts.left, cuts.right)
        enough = cuts.suffices(cuts.missing)
        return np.where(enough, three, two), np.where(enough, 2, cuts.majority)
