"""Errors of a classification tree on its training rows, by node.

A node's errors are its weight without that of its most frequent class. Rows that end inside
of the tree, where a strategy stops them, are answered by the node where they stop, so they
are counted there.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..tree.prepared import StrategyNotApplicable
from ..tree.reshape import cut
from ..tree.strategy import Strategy
from ..tree.structure import ROUNDING, Tree

Floats = NDArray[np.float64]

COLLAPSE_MARGIN = 1e-3  # C4.5's: a subtree must save more than so many errors


class Errors(NamedTuple):
    """Weights and errors, each of shape (m,).

    Attributes
    ----------
    weight, errors : ndarray
        Of all rows of a node, were it a leaf.
    end_weight, end_errors : ndarray
        Of the rows that end in the node: all of a leaf, those that stop of any other.
    """

    weight: Floats
    errors: Floats
    end_weight: Floats
    end_errors: Floats


def count_errors(tree: Tree, class_weights: Floats) -> Errors:
    """Count the errors of every node.

    Parameters
    ----------
    tree : Tree
    class_weights : ndarray of shape (m, K)
        Weight of each class in each node.

    Returns
    -------
    Errors
    """
    weight, best = class_weights.sum(axis=1), class_weights.argmax(axis=1)
    below = np.zeros_like(class_weights)
    np.add.at(below, tree.parent[1:], class_weights[1:])
    ends = np.maximum(class_weights - below, 0.0)
    ends[~tree.is_leaf & (ends.sum(axis=1) <= ROUNDING * weight)] = 0.0
    end_weight = ends.sum(axis=1)
    nodes = np.arange(tree.n_nodes)
    return Errors(
        weight, weight - class_weights[nodes, best], end_weight, end_weight - ends[nodes, best]
    )


def class_weights_of(tree: Tree) -> Floats:
    """Weight of each class in each node, as the tree has written it down."""
    return np.asarray(tree.value * tree.weight[:, None])


def summed_up(tree: Tree, at_end: Floats) -> Floats:
    """Sum up what belongs to the ends of rows over each node and all below it."""
    total = at_end.copy()
    for v in range(tree.n_nodes - 1, 0, -1):
        total[tree.parent[v]] += total[v]
    return total


def collapsed(tree: Tree) -> Tree:
    """Return the tree without subtrees that save no training error.

    C4.5 does so while a tree grows: a subtree whose leaves together make as many errors as
    their root would, less 0.001, becomes a leaf.

    Parameters
    ----------
    tree : Tree

    Returns
    -------
    Tree
    """
    errors = count_errors(tree, class_weights_of(tree))
    below = summed_up(tree, errors.end_errors)
    useless = ~tree.is_leaf & (below >= errors.errors - COLLAPSE_MARGIN)
    return cut(tree, useless) if useless.any() else tree


def refuse_copies(tree: Tree, strategy: Strategy, asked: str, weight: Floats | None = None) -> None:
    """Refuse trees in which rows count in several children as a whole.

    Parameters
    ----------
    tree : Tree
    strategy : Strategy
    asked : str
        What was asked for, for the message.
    weight : ndarray of shape (m,) or None, default=None
        What rows weigh in each node; None = the training weight.

    Raises
    ------
    StrategyNotApplicable
    """
    weight = tree.weight if weight is None else weight
    below = np.bincount(tree.parent[1:], weight[1:], minlength=tree.n_nodes)
    if (below > weight * (1 + 1e-6)).any():
        raise StrategyNotApplicable(
            f"{asked} adds up the errors of branches, but under "
            f"missing={strategy.name!r} a row counts in several of them as a whole; use "
            "pruning='reduced_error' or a strategy that divides rows, such as 'fractional'."
        )
