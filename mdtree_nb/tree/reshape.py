"""Trees made from trees: cut off below some nodes, numbered anew, with other thresholds.

Called by `record.py`, `growth.py` and `pruning.py`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..table import Table
from .kernels.codes import BY_RULE, THRESHOLD
from .structure import Tree


def cut(tree: Tree, nodes: NDArray[Any]) -> Tree:
    """Return the tree in which `nodes` are leaves and what is below them is gone.

    Parameters
    ----------
    tree : Tree
    nodes : ndarray of int or of bool

    Returns
    -------
    Tree
    """
    becomes_leaf = np.zeros(tree.n_nodes, dtype=bool)
    becomes_leaf[nodes] = True
    arrays: dict[str, Any] = {name: a.copy() for name, a in tree.arrays().items()}
    arrays["feature"][becomes_leaf] = -1
    arrays["kind"][becomes_leaf] = 0
    arrays["threshold"][becomes_leaf] = np.nan
    arrays["first_child"][becomes_leaf] = 0
    arrays["n_children"][becomes_leaf] = 0
    arrays["missing_branch"][becomes_leaf] = BY_RULE
    arrays["gain"][becomes_leaf] = 0.0
    arrays["missing_weight"][becomes_leaf] = 0.0
    arrays["level_start"][becomes_leaf] = -1
    return renumbered(replace(tree, **arrays))


def renumbered(tree: Tree) -> Tree:
    """Number the nodes level by level, without those that no path leads to.

    Siblings stay neighbours. Growing depth first numbers nodes otherwise; two trees
    with equal nodes must be equal whatever the order in which they grew.
    """
    first_child = tree.first_child[~tree.is_leaf]
    all_reached = 1 + tree.n_children.sum() == tree.n_nodes
    if all_reached and (first_child[1:] > first_child[:-1]).all():
        return tree
    levels = [np.array([0])]
    while True:
        above = levels[-1]
        n = tree.n_children[above]
        if not n.any():
            break
        start = np.repeat(tree.first_child[above], n)
        place = np.arange(n.sum()) - np.repeat(np.cumsum(n) - n, n)
        levels.append(start + place)
    order = np.concatenate(levels)
    number = np.empty(tree.n_nodes, dtype=np.int32)
    number[order] = np.arange(len(order))
    moved = {name: array[order] for name, array in tree.arrays().items() if name != "level_branch"}
    inner = moved["n_children"] > 0
    moved["first_child"][inner] = number[moved["first_child"][inner]]
    tables = [tree.level_table(int(v)) for v in order if tree.level_start[v] >= 0]
    if tables:
        size = np.array([len(table) for table in tables])
        moved["level_start"][moved["level_start"] >= 0] = np.cumsum(size) - size
    moved["level_branch"] = np.concatenate([np.empty(0, dtype=np.int16), *tables])
    return replace(tree, **moved)


def at_training_values(tree: Tree, table: Table) -> Tree:
    """Return the tree with thresholds at the largest training value that is not above them.

    Parameters
    ----------
    tree : Tree
    table : Table
        The whole training table, so that a value of another node may serve.

    Returns
    -------
    Tree
    """
    threshold = tree.threshold.copy()
    tests = ~tree.is_leaf & (tree.kind == THRESHOLD)
    for f in np.unique(tree.feature[tests]):
        nodes = np.flatnonzero(tests & (tree.feature == f))
        values = np.sort(table.values[:, f])  # NaN last
        threshold[nodes] = values[np.searchsorted(values, threshold[nodes], side="right") - 1]
    return replace(tree, threshold=threshold)
