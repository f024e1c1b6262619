"""Send the training rows down a tree again, and count what each node gets.

A branch that pruning raises to the place of its parent gets all rows of that parent, so
everything that its nodes say about their rows has to be counted anew; a tree that was written
down has no counts at all. Rows travel by the one routing engine, level by level: where a
strategy divides rows by the shares of known weight, those shares are themselves to be counted
before the rows that wait for them go on.

Does not: decide which branch is raised; the prunings do.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..table import Table
from .kernels.route import IS_HOLE, IS_UNSEEN
from .measure import Measure
from .routing import Router
from .strategy import Strategy
from .structure import Tree

Floats = NDArray[np.float64]

# What a node says about its training rows.
COUNTED = (
    "value", "weight", "rows", "impurity", "gain", "missing_weight", "share", "arrived_missing",
)  # fmt: skip

# How a row came to the root: neither by a known value (0) nor by a hole.
AT_ROOT = IS_UNSEEN - 1


class Refill:
    """A tree and the rows that visit its nodes.

    Parameters
    ----------
    tree : Tree
    table : Table
    weight : ndarray of shape (n,)
        Weight of each row, undivided.
    strategy : Strategy
    came : (rows, weights) or None
        Numbers of the rows that come to the root, and their weights there; None = all rows.

    Attributes
    ----------
    tree : Tree
        With the shares of these rows; `recounted` counts everything else.
    row, node : ndarray of shape (v,)
        One entry per visit.
    weight : ndarray of shape (v,)
        Weight of the row, or of the part of it, that visits the node.
    """

    def __init__(
        self,
        tree: Tree,
        table: Table,
        weight: Floats,
        strategy: Strategy,
        came: tuple[NDArray[np.intp], Floats] | None = None,
    ):
        whole = weight
        self.table = table
        self.tree = tree
        router = sender = Router(tree, strategy)
        row, weight = (np.arange(len(weight)), weight) if came is None else came
        node = np.zeros_like(row)
        way = np.full(len(row), AT_ROOT, dtype=np.int8)
        visits = []
        while len(row):
            branch, known = router.branches(node, table.values, row, weight)
            visits.append((row, node, weight, way))
            self._settle(known)
            if (branch < 0).any():
                sender = Router(self.tree, strategy)
            part = weight / whole[row] if strategy.min_share else weight
            place, node, share, way = sender.below(node, table, row, part, branch)
            row, weight = row[place], weight[place] * share
            if strategy.regrows:
                its = self._regrown(*visits[-1][:3])
                row, node, weight, way = map(
                    np.concatenate, zip((row, node, weight, way), its, strict=True)
                )
        self.row, self.node, self.weight, way = map(np.concatenate, zip(*visits, strict=True))
        self.by_known, self.by_hole = way == 0, way == IS_HOLE

    def _regrown(
        self, row: NDArray[Any], node: NDArray[Any], weight: Floats
    ) -> tuple[NDArray[Any], ...]:
        """Rows that know the column of a node whose child for missing rows gets all rows."""
        tree = self.tree
        knows = ~np.isnan(self.table.values[row, np.maximum(tree.feature[node], 0)])
        own = ~tree.is_leaf & (tree.missing_branch == tree.n_branches)
        here = np.flatnonzero(knows & own[node])
        child = tree.first_child[node[here]] + tree.n_branches[node[here]]
        return row[here], child, weight[here], np.full(len(here), AT_ROOT, dtype=np.int8)

    def _settle(self, known: Floats) -> None:
        """Give the children of some nodes their parts of the known weight there."""
        tree = self.tree
        total = self._above(known)[tree.parent]
        share = np.where(total > 0, known / np.where(total > 0, total, 1.0), tree.share)
        share[0] = 1.0
        self.tree = tree.with_shares(share)

    def _sum(self, amount: NDArray[Any]) -> Floats:
        """Sum up over the visits of each node."""
        return _summed(self.node, amount, self.tree.n_nodes)

    def _above(self, amount: Floats) -> Floats:
        """Sum up over the children of each node."""
        return _summed(self.tree.parent[1:], amount[1:], self.tree.n_nodes)

    def at(self, node: int) -> tuple[NDArray[np.intp], Floats]:
        """Rows that visit a node, and their weights there."""
        order, start = self._by_node
        here = order[start[node] : start[node + 1]]
        return self.row[here], self.weight[here]

    @cached_property
    def _by_node(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Visits in the order of nodes, and where each node's begin."""
        # Short integers are sorted by their bytes, which is many times faster.
        short = np.uint16 if self.tree.n_nodes <= 2**16 else self.node.dtype
        order = np.argsort(self.node.astype(short), kind="stable")
        return order, np.searchsorted(self.node[order], np.arange(self.tree.n_nodes + 1))

    def class_weights(self, y: NDArray[Any]) -> Floats:
        """Weight of each class in each node.

        Parameters
        ----------
        y : ndarray of shape (n,)
            Class codes.

        Returns
        -------
        ndarray of shape (m, K)
        """
        m, k = self.tree.value.shape
        place = self.node * k + y[self.row].astype(np.intp)
        return _summed(place, self.weight, m * k).reshape(m, k)

    def recounted(self, y: NDArray[Any], measure: Measure) -> Tree:
        """Return the tree with all that it says about these rows.

        The gain of a split is the impurity decrease of the rows that know its column, as a
        part of the node's weight; the branch of missing rows stays where it was fixed.

        Parameters
        ----------
        y : ndarray of shape (n,)
            Class codes, or numbers.
        measure : Measure
            One whose costs follow from sums.

        Returns
        -------
        Tree
        """
        tree = self.tree
        # sums of large squares would lose the small differences
        centre = float(y.mean()) if measure.centred else 0.0
        stats = measure.stats(y[self.row], self.weight, centre)
        whole = np.column_stack([self._sum(s) for s in stats.T])
        known = np.column_stack([self._sum(s * self.by_known) for s in stats.T])
        before = np.column_stack([self._above(k) for k in known.T])
        weight = self._sum(self.weight)
        safe = np.where(weight > 0, weight, 1.0)
        gain = (measure.cost(before) - self._above(measure.cost(known))) / safe
        tested = tree.feature[self.node]
        is_hole = np.isnan(self.table.values[self.row, np.maximum(tested, 0)]) & (tested >= 0)
        if measure.centred:
            value = (
                centre + self._sum(self.weight * (y[self.row] - centre))[:, None] / safe[:, None]
            )
        else:
            value = self.class_weights(y) / safe[:, None]
        return replace(
            tree,
            value=np.where(weight[:, None] > 0, value, tree.value),
            weight=weight,
            rows=np.bincount(self.node, minlength=tree.n_nodes),
            impurity=measure.cost(whole) / safe,
            gain=np.where(tree.is_leaf, 0.0, np.maximum(gain, 0.0)),
            missing_weight=self._sum(self.weight * is_hole),
            arrived_missing=self._sum(self.weight * self.by_hole),
        )


def _summed(place: NDArray[Any], amount: NDArray[Any], size: int) -> Floats:
    return np.asarray(np.bincount(place, amount, minlength=size), dtype=np.float64)
