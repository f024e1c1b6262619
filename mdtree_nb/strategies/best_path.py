"""best_path: the reached leaf with the largest share answers."""

from __future__ import annotations

from ..tree.reach import Reach, SinglePaths
from ..tree.structure import Tree
from .fractional import Fractional


class BestPath(Fractional):
    """Follow every branch of a missing value and believe the leaf with the largest share.

    That is the leaf which `apply` returns, the one with the lowest number when equal. In
    training a row is divided as by `fractional`.

    Parameters
    ----------
    min_share : float, default=0
        As for `fractional`.
    """

    name = "best_path"
    aliases = ()
    checked_against = "closed form; counts by hand"

    def weigh(self, reach: Reach, tree: Tree) -> Reach:
        """All of it to one leaf."""
        return SinglePaths(tree, reach.main_end())
