"""A tree written down for the kernels that follow rows.

A surrogate is written as one more node behind the tree's own: what its column tells leads
to a child of the node that it stands in for, and what it cannot tell leads to the next
surrogate. So a row that asks surrogates takes more steps, and each is the same few operations.

Called by `routing.py`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .kernels import read_only
from .kernels.codes import IS_MISSING, SUBSET
from .kernels.route import LEFT, MISSING, RIGHT, TEST, UNSEEN
from .structure import Tree
from .surrogates import recorded


class Ways(NamedTuple):
    """What `route_hard` reads.

    Attributes
    ----------
    tests : ndarray of shape (s,), TEST
    ways : ndarray of shape (s, 4), uint32
    levels : ndarray of int16 or None
        Level tables; None = no test has one.
    depth : int
        Most steps that lead to an end.
    node : ndarray of shape (s,), int32, or None
        The tree's node that an end stands for; None = it is itself.
    """

    tests: NDArray[np.void]
    ways: NDArray[np.uint32]
    levels: NDArray[np.int16] | None
    depth: int
    node: NDArray[np.int32] | None


def tests_and_ways(
    tree: Tree, shares: NDArray[np.float64], unseen: NDArray[np.float64]
) -> tuple[NDArray[np.void], NDArray[np.uint32]]:
    """Write the nodes of a tree.

    Parameters
    ----------
    tree : Tree
    shares, unseen : ndarray of shape (m,)
        Share that each node gets of a row that misses its parent's column, or has a level
        that its parent has not seen.

    Returns
    -------
    tests : ndarray of shape (m,), TEST
    ways : ndarray of shape (m, 4), uint32
    """
    m = tree.n_nodes
    leaf = tree.feature < 0
    tests = np.zeros(m, dtype=TEST)
    tests["threshold"] = np.where(tree.kind >= SUBSET, tree.level_start, tree.threshold)
    tests["feature"] = np.where(leaf, 0, tree.feature)
    tests["kind"] = tree.kind
    ways = np.empty((m, 4), dtype=np.uint32)
    ways[:] = np.arange(m)[:, None]
    for way, its in ((MISSING, shares), (UNSEEN, unseen)):
        goes_whole = 1 + np.flatnonzero(its[1:] == 1)
        ways[tree.parent[goes_whole], way] = goes_whole
    ways[~leaf, LEFT] = tree.first_child[~leaf]
    ways[~leaf, RIGHT] = tree.first_child[~leaf] + 1
    is_missing = tree.kind == IS_MISSING
    ways[is_missing, RIGHT] = ways[is_missing, LEFT]
    ways[is_missing, MISSING] = ways[is_missing, LEFT] + 1
    return tests, ways


def with_surrogates(plain: Ways, tree: Tree) -> Ways:
    """Add the surrogates of a tree, each a node of its own.

    Twice where nodes test levels: for rows that miss a node's column and for those whose level
    it has not seen, which part again where no surrogate can tell.

    Parameters
    ----------
    plain : Ways
    tree : Tree

    Returns
    -------
    Ways
    """
    its = recorded(tree.surrogates, "routing")
    m, s = tree.n_nodes, len(its)
    owner = np.repeat(np.arange(m), np.diff(its.start))
    is_subset = its.kind == SUBSET
    tests = np.zeros(s, dtype=TEST)
    tests["threshold"] = np.where(
        is_subset, its.level_start + len(tree.level_branch), its.threshold
    )
    tests["feature"], tests["kind"] = its.feature, its.kind
    chains = (MISSING, UNSEEN) if (tree.kind >= SUBSET).any() else (MISSING,)
    written = [plain.ways.copy()]
    has = np.flatnonzero(np.diff(its.start))
    last = its.start[has + 1] - 1
    stops = has[(plain.ways[has][:, chains] == has[:, None]).any(axis=1)]
    stop_at = np.arange(m)
    stop_at[stops] = m + len(chains) * s + np.arange(len(stops))
    for number, chain in enumerate(chains):
        begin = m + number * s
        ways = np.empty((s, 4), dtype=np.uint32)
        low = np.where(is_subset, 0, its.low_branch)  # a table counts from the first child
        ways[:, LEFT] = tree.first_child[owner] + low
        ways[:, RIGHT] = tree.first_child[owner] + 1 - low
        ways[:, MISSING] = begin + np.arange(s) + 1
        otherwise = plain.ways[has, chain]
        ways[last, MISSING] = np.where(otherwise == has, stop_at[has], otherwise)
        ways[:, UNSEEN] = ways[:, MISSING]
        written[0][has, chain] = begin + its.start[has]
        written.append(ways)
    ends = np.repeat(stop_at[stops].astype(np.uint32)[:, None], 4, axis=1)
    levels = np.concatenate([tree.level_branch, its.level_branch])
    return Ways(
        tests=np.concatenate([plain.tests, *[tests] * len(chains), np.zeros(len(stops), TEST)]),
        ways=np.concatenate([*written, ends]),
        levels=read_only(levels) if len(levels) else None,
        depth=tree.max_depth * (2 + int(np.diff(its.start).max(initial=0))),
        node=np.concatenate([np.arange(m), *[owner] * len(chains), stops]).astype(np.int32)
        if len(stops)
        else None,
    )
