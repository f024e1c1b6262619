"""cost_complexity: splits that do not earn the price of a leaf go, as in R's rpart."""

from __future__ import annotations

from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..table import Table
from ..tree.measure import Measure
from ..tree.pruning import complexities
from ..tree.reshape import cut
from ..tree.strategy import Strategy
from ..tree.structure import Tree
from .contract import Pruning
from .errors import class_weights_of, count_errors, refuse_copies

Floats = NDArray[np.float64]


class CostComplexity(Pruning):
    """Keep the smallest subtree that minimises risk + complexity x root's risk x leaves.

    The risk of classes is the weight of the training rows that a leaf gets wrong; that of
    numbers is what the criterion measures. So no class is split off that changes no answer,
    unlike with `ccp_alpha`, whose risk of classes is an impurity.

    Parameters
    ----------
    complexity : float, default=0.01
        Price of a leaf, as a part of the risk of the root: R's `cp`. 0 keeps every split that
        lowers the risk.

    See Also
    --------
    mdtree_nb.complexity_table : what each price costs, in training and in cross-validation.

    References
    ----------
    .. [1] L. Breiman, J. Friedman, R. Olshen, C. Stone, "Classification and Regression
       Trees", 1984, chapter 3.
    """

    name = "cost_complexity"

    def __init__(self, complexity: float = 0.01):
        self.complexity = complexity

    def check(self) -> None:
        """Refuse prices that are none."""
        c = self.complexity
        if not isinstance(c, Real) or isinstance(c, bool) or not 0 <= float(c) < np.inf:
            raise ValueError(
                f"complexity={c!r} of pruning='cost_complexity' must be a number of at least 0; "
                "R's default cp is 0.01."
            )

    def prune(
        self,
        tree: Tree,
        table: Table,
        y: NDArray[Any],
        w: NDArray[np.float64],
        strategy: Strategy,
        measure: Measure,
    ) -> Tree:
        """Return the tree without the splits that do not pay."""
        refuse_copies(tree, strategy, f"pruning={self.name!r}")
        if tree.n_nodes == 1:
            return tree
        risk, stopped = risks(tree, measure.n_values > 1)
        pays = exceeds(complexities(tree, risk, stopped), self.complexity * risk[0], risk[0])
        return cut(tree, ~pays & ~tree.is_leaf)


def exceeds(complexity: Floats, price: Any, root: float) -> NDArray[np.bool_]:
    """Is a complexity above the price by more than rounding of the root's risk?"""
    return np.asarray(complexity > price + ROUNDING * (price + root))


ROUNDING = 1e-9


def risks(tree: Tree, of_classes: bool) -> tuple[Floats, Floats]:
    """Risk of each node, were it a leaf, and of the rows that stop in it if it is none.

    Parameters
    ----------
    tree : Tree
    of_classes : bool
        Count errors? Else weight times impurity.

    Returns
    -------
    risk, stopped : ndarray of shape (m,)
    """
    if not of_classes:
        return tree.weight * tree.impurity, tree.missing_stops * tree.impurity
    errors = count_errors(tree, class_weights_of(tree))
    return errors.errors, np.where(tree.is_leaf, 0.0, errors.end_errors)
