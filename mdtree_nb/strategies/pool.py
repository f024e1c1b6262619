"""pool: the training rows of all reached leaves are put together."""

from __future__ import annotations

from ..tree.reach import Reach
from ..tree.structure import Tree
from .fractional import Fractional


class Pool(Fractional):
    """Follow every branch of a missing value and pool the rows of the reached leaves.

    Each reached leaf counts by its training weight, whatever part of the row gets there. In
    training a row is divided as by `fractional`.

    Parameters
    ----------
    min_share : float, default=0
        As for `fractional`.

    References
    ----------
    .. [1] J. Friedman, "A recursive partitioning decision rule for nonparametric
       classification", IEEE Transactions on Computers, 1977 (a vote of all reached leaves).
    """

    name = "pool"
    aliases = ()
    checked_against = "closed form; counts by hand"

    def weigh(self, reach: Reach, tree: Tree) -> Reach:
        """By the training weight of each leaf."""
        return reach.weighed(tree.weight)
