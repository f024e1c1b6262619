"""collapse: subtrees that save no training error become leaves."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..table import Table
from ..tree.measure import Measure
from ..tree.strategy import Strategy
from ..tree.structure import Tree
from .contract import Pruning
from .errors import collapsed, refuse_copies


class Collapse(Pruning):
    """Leave out subtrees that predict no training row better than their root would.

    That is what C4.5 calls its unpruned tree: splits that only lower the impurity, but save
    less than 0.001 errors, are gone. `Pessimistic` begins with it.

    References
    ----------
    .. [1] J. R. Quinlan, "C4.5: Programs for Machine Learning", 1993.
    """

    name = "collapse"
    tasks = ("classification",)

    def prune(
        self,
        tree: Tree,
        table: Table,
        y: NDArray[Any],
        w: NDArray[np.float64],
        strategy: Strategy,
        measure: Measure,
    ) -> Tree:
        """Return the tree without those subtrees."""
        refuse_copies(tree, strategy, f"pruning={self.name!r}")
        return collapsed(tree)
