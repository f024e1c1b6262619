"""Trees made from trees: cut off below some nodes, with other children, numbered anew.

Called by `record.py`, `growth.py`, `pruning.py` and the prunings. Does not: change what nodes
say about their training rows; `refill.py` does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..table import Table
from .kernels.codes import BY_RULE, THRESHOLD
from .structure import Tree
from .surrogates import Surrogates

Floats = NDArray[np.float64]

# What the arrays hold where a node is a leaf.
OF_A_LEAF: dict[str, Any] = {
    "feature": -1,
    "kind": 0,
    "threshold": np.nan,
    "first_child": 0,
    "n_children": 0,
    "missing_branch": BY_RULE,
    "gain": 0.0,
    "missing_weight": 0.0,
    "level_start": -1,
}


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
    for name, value in OF_A_LEAF.items():
        arrays[name][becomes_leaf] = value
    kept = np.where(becomes_leaf, -1, np.arange(tree.n_nodes))
    return renumbered(replace(tree, **arrays, surrogates=_surrogates(tree, kept)))


def snipped(tree: Tree, nodes: Any, n_trees: int = 1) -> Tree:
    """Cut a tree at nodes that a user names.

    Parameters
    ----------
    tree : Tree
    nodes : int or array-like of int
    n_trees : int, default=1
        Of the model; numbers of nodes mean nothing where there are several.

    Returns
    -------
    Tree

    Raises
    ------
    ValueError, TypeError
    """
    numbers = np.atleast_1d(np.asarray(nodes))
    if numbers.size and (numbers.dtype.kind not in "iu" or numbers.ndim > 1):
        raise TypeError(f"nodes={nodes!r} must be a number of a node or a list of such numbers.")
    if n_trees > 1:
        raise ValueError(
            f"nodes={nodes!r}: the model has {n_trees} trees, whose nodes are not the same; cut "
            "them by ccp_alpha or pruning."
        )
    beyond = [int(v) for v in numbers if not 0 <= v < tree.n_nodes]
    if beyond:
        raise ValueError(
            f"nodes={nodes!r}: the tree has no node {', '.join(map(str, beyond))}; its nodes are "
            f"0 to {tree.n_nodes - 1}, see tree_.frame()."
        )
    return cut(tree, numbers.astype(np.intp))


def regrafted(
    tree: Tree, children: Sequence[Sequence[int]], top: int = 0
) -> tuple[Tree, NDArray[np.intp]]:
    """Return the tree below `top` in which nodes have other children.

    Parameters
    ----------
    tree : Tree
    children : sequence of sequences of int
        For every node of `tree` its children; none = it is a leaf. Else as many as it had.
    top : int, default=0
        The node that becomes the root.

    Returns
    -------
    tree : Tree
    nodes : ndarray of shape (m,)
        The number that each of its nodes had.
    """
    order = [top]
    for v in order:  # it grows on the way, level by level
        order.extend(children[v])
    nodes = np.array(order)
    n = np.array([len(children[v]) for v in order])
    moved: dict[str, Any] = {
        name: array[nodes] for name, array in tree.arrays().items() if name != "level_branch"
    }
    for name, value in OF_A_LEAF.items():
        moved[name][n == 0] = value
    moved["first_child"][n > 0] = 1 + (np.cumsum(n) - n)[n > 0]
    moved["share"][0], moved["arrived_missing"][0] = 1.0, 0.0
    has_table = moved["level_start"] >= 0
    moved |= _level_tables(tree, nodes[has_table], moved["level_start"], has_table)
    kept = np.where(n > 0, nodes, -1)
    return replace(tree, **moved, surrogates=_surrogates(tree, kept)), nodes


def _surrogates(tree: Tree, nodes: NDArray[Any]) -> Surrogates | None:
    """Those of a tree that has these nodes, in this order; -1 = a leaf."""
    return None if tree.surrogates is None else tree.surrogates.take(nodes)


def _level_tables(
    tree: Tree, nodes: NDArray[Any], start: NDArray[np.int32], has_table: NDArray[np.bool_]
) -> dict[str, NDArray[Any]]:
    """Put the level tables of `nodes` one behind the other."""
    tables = [tree.level_table(int(v)) for v in nodes]
    size = np.array([len(table) for table in tables], dtype=np.int32)
    start[has_table] = np.cumsum(size) - size
    joined = np.concatenate([np.empty(0, dtype=np.int16), *tables])
    return {"level_start": start, "level_branch": joined}


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
    has_table = moved["level_start"] >= 0
    moved |= _level_tables(tree, order[has_table], moved["level_start"], has_table)
    return replace(tree, **moved, surrogates=_surrogates(tree, order))


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
    surrogates = tree.surrogates
    if surrogates is not None:
        its = surrogates.kind == THRESHOLD
        at = largest_not_above(surrogates.feature, surrogates.threshold, its, table)
        surrogates = replace(surrogates, threshold=at)
    tests = ~tree.is_leaf & (tree.kind == THRESHOLD)
    threshold = largest_not_above(tree.feature, tree.threshold, tests, table)
    return replace(tree, threshold=threshold, surrogates=surrogates)


def largest_not_above(
    feature: NDArray[Any], threshold: Floats, tests: NDArray[np.bool_], table: Table
) -> Floats:
    """Move thresholds to the largest training value of their column that is not above them.

    Parameters
    ----------
    feature : ndarray of shape (b,), int
    threshold : ndarray of shape (b,)
    tests : ndarray of shape (b,), bool
        Which of them are thresholds.
    table : Table

    Returns
    -------
    ndarray of shape (b,)
        A copy.
    """
    threshold = threshold.copy()
    for f in np.unique(feature[tests]):
        here = np.flatnonzero(tests & (feature == f))
        values = np.sort(table.values[:, f])  # NaN last
        threshold[here] = values[np.searchsorted(values, threshold[here], side="right") - 1]
    return threshold
