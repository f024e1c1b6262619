"""Shares over children: common ones made, and any put into words.

Called by strategies and by `explain.py`. Does not: decide where a row goes.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .structure import Tree


def in_words(tree: Tree, node: int, shares: NDArray[np.float64]) -> str:
    """Say which children of a node get what.

    Parameters
    ----------
    tree : Tree
    node : int
    shares : ndarray of shape (m,)
        Share that each node gets.

    Returns
    -------
    str
    """
    parts = [
        f"{shares[child]:.4g} to node {child}" for child in tree.children(node) if shares[child] > 0
    ]
    return ", ".join(parts) or "stops here"


def one_hot_shares(tree: Tree, branch: NDArray[Any]) -> NDArray[np.float64]:
    """Give the whole share of each inner node's missing rows to one branch.

    Parameters
    ----------
    tree : Tree
    branch : ndarray of shape (m,)

    Returns
    -------
    ndarray of shape (m,)
    """
    shares = np.zeros(tree.n_nodes)
    inner = np.flatnonzero(tree.n_children)
    shares[tree.first_child[inner] + branch[inner]] = 1.0
    return shares


def whole(shares: NDArray[np.float64], start: NDArray[np.intp]) -> NDArray[np.float64]:
    """Give each row whole to the child with the largest share, the last one when equal.

    Parameters
    ----------
    shares : ndarray of shape (s,)
        Those of all children of a row, row after row.
    start : ndarray of shape (r,)
        Where each row's begin.

    Returns
    -------
    ndarray of shape (s,)
        All 0 for a row that goes nowhere.
    """
    most = np.repeat(np.maximum.reduceat(shares, start), np.diff(start, append=len(shares)))
    place = np.flatnonzero((shares == most) & (most > 0))
    row = np.searchsorted(start, place, side="right")
    alone = np.zeros_like(shares)
    alone[place[np.append(row[1:] != row[:-1], True)]] = 1.0
    return alone
