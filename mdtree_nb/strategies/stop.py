"""stop: a row whose value is missing stays where it is."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..tree.strategy import Strategy
from ..tree.structure import Tree


class Stop(Strategy):
    """Let a row end in the node whose test it cannot answer, in training and in prediction.

    It counts in the node's own value and nowhere below, so the weights of children add up to
    the weight of the rows that know the column. The node's value is the answer for later rows
    that miss it. Cuts are scored on the rows that know the column, times their share of the
    node.
    """

    name = "stop"
    mode = "known"
    plain = True
    by_rule = True
    conserves = False
    checked_against = "brute force"

    def missing_shares(self, tree: Tree) -> NDArray[np.float64]:
        """Nothing to any child."""
        return np.zeros(tree.n_nodes)
