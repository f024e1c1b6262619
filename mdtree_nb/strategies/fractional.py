"""fractional: a row with a missing value goes down every branch, in shares."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ..tree.cuts import Cuts
from ..tree.strategy import Strategy
from ..tree.structure import Tree


class Fractional(Strategy):
    """Divide a row with a missing value among all children (fractional cases).

    Each child gets the share of the known training weight that went there, in training
    as in prediction; a prediction is the mixture of the reached leaves. Cuts are scored
    on the rows that know the column, times their share of the node. For prediction alone
    this is also DTPE, the probability estimate from the tree itself.

    References
    ----------
    .. [1] J. R. Quinlan, "C4.5: Programs for Machine Learning", 1993.
    .. [2] B. Cestnik, I. Kononenko, I. Bratko, "ASSISTANT 86: a knowledge-elicitation tool
       for sophisticated users", 1987.
    .. [3] B. Twala, R. Pillay, R. Nkoana, "Classifying incomplete vectors using decision
       trees", IJCCI 2020, DOI 10.5220/0010146304550463.
    """

    name = "fractional"
    aliases: ClassVar[tuple[str, ...]] = ("dtpe",)
    mode = "known"
    plain = True
    by_rule = True
    divides = True
    checked_against = "closed form; brute force"

    def score_table(self, cuts: Cuts) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
        """Gain of the known rows times their share of the node."""
        return cuts.gain(cuts.known, cuts.left, cuts.right), cuts.majority

    def missing_shares(self, tree: Tree) -> NDArray[np.float64]:
        """The share of the known weight that went to each child."""
        return tree.share

    def unseen_shares(self, tree: Tree) -> NDArray[np.float64]:
        """As for a missing value: what is not known is the branch."""
        return tree.share
