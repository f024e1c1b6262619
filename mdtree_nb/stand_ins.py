"""surrogate_table: who speaks in a node for a value that a row misses, and how well.

Called by people. Does not: find surrogates (`tree/surrogate_search.py`) or ask them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from sklearn.utils.validation import check_is_fitted

from .tree.structure import Tree
from .tree.surrogates import recorded

COLUMNS = ["feature", "test", "agreement", "adjusted"]


def surrogate_table(model: Any, node: int = 0) -> pd.DataFrame:
    """List the surrogates of a node, in the order in which they are asked.

    Parameters
    ----------
    model : fitted MDTreeClassifier or MDTreeRegressor
        With recorded surrogates. Of several trees, the first one is read.
    node : int, default=0
        A node with a test.

    Returns
    -------
    DataFrame
        One line per surrogate, the best first: its `feature`; `test`, what a row must satisfy
        to be sent to the first child (left); `agreement`, the part of the training weight
        that it sends where the node's own test does; `adjusted`, the same counted from what
        "always the larger child" would get right, as 0, to 1. No lines where no column does
        better than that, and for a test with more than two branches.

    Raises
    ------
    TypeError, ValueError
        For a node without a test, and for a tree without recorded surrogates.

    Examples
    --------
    >>> from mdtree_nb import MDTreeClassifier, surrogate_table
    >>> X = [[1.0, 2.0], [2.0, 1.0], [3.0, 4.0], [4.0, 3.0], [float("nan"), 4.0]]
    >>> model = MDTreeClassifier(missing="surrogate").fit(X, ["a", "a", "b", "b", "b"])
    >>> surrogate_table(model)
      feature       test  agreement  adjusted
    0      x0  x0 <= 2.5        0.8       0.5
    """
    check_is_fitted(model)
    tree: Tree = model.tree_
    its = recorded(tree.surrogates, "surrogate_table")
    if isinstance(node, bool) or not isinstance(node, (int, np.integer)):
        raise TypeError(f"node={node!r} must be a whole number.")
    if not 0 <= node < tree.n_nodes:
        raise ValueError(f"node={node} must be a node of the tree, 0 to {tree.n_nodes - 1}.")
    if tree.is_leaf[node]:
        raise ValueError(
            f"node={node} must be a node with a test, and it is a leaf; `tree_.is_leaf` tells "
            "which nodes are."
        )
    lines = [
        (
            tree.schema.names[int(its.feature[i])],
            its.condition(i, tree.schema, 0),
            float(its.agreement[i]),
            float(its.adjusted[i]),
        )
        for i in its.of(int(node))
    ]
    return pd.DataFrame(lines, columns=COLUMNS)
