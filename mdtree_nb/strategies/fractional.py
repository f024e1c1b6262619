"""fractional: a row with a missing value goes down every branch, in shares."""

from __future__ import annotations

from numbers import Real
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

    Parameters
    ----------
    min_share : float, default=0
        Parts smaller than this are not divided again: they follow the largest child. 0
        divides without end, as C4.5 does; a value such as 0.01 saves time and memory in deep
        trees with many holes, for a slightly different answer.

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
    checked_against = "C4.5 release 8; closed form; brute force"

    def __init__(self, min_share: float = 0.0):
        self.min_share = min_share

    def check(self) -> None:
        """Refuse parameters that make no sense."""
        least = self.min_share
        if not isinstance(least, Real) or isinstance(least, bool) or not 0 <= float(least) < 1:
            raise ValueError(
                f"min_share={least!r} of missing={self.name!r} must be a number in [0, 1); 0 "
                "divides rows without end."
            )

    def score_table(self, cuts: Cuts) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
        """Gain of the known rows times their share of the node."""
        return cuts.gain(cuts.known, cuts.left, cuts.right), cuts.majority

    def missing_shares(self, tree: Tree) -> NDArray[np.float64]:
        """The share of the known weight that went to each child."""
        return tree.share

    def unseen_shares(self, tree: Tree) -> NDArray[np.float64]:
        """As for a missing value: what is not known is the branch."""
        return tree.share
