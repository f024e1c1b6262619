"""Send the training rows down a tree again, and count what each node gets.

A branch that pruning raises to the place of its parent gets all rows of that parent, so
everything that its nodes say about their rows has to be counted anew; a tree that was written
down has no counts at all. Rows travel by the one routing engine; but where a strategy divides
rows by the shares of known weight, those shares are themselves to be counted. So rows are
pushed until the shares stay the same: the first push settles those of the root, the next one
those of its children, and so on.

Does not: decide which branch is raised; the prunings do.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..table import Table
from .kernels.codes import MULTIWAY, SUBSET
from .kernels.route import IS_UNSEEN
from .measure import Measure
from .routing import Router
from .strategy import Strategy
from .structure import Tree

Floats = NDArray[np.float64]

# What a node says about its training rows.
COUNTED = (
    "value", "weight", "rows", "impurity", "gain", "missing_weight", "share", "arrived_missing",
)  # fmt: skip


class Refill:
    """A tree and the rows that visit its nodes.

    Parameters
    ----------
    tree : Tree
    table : Table
    weight : ndarray of shape (n,)
        Weight of each row at the root.
    strategy : Strategy

    Attributes
    ----------
    tree : Tree
        With the shares of these rows; `recounted` counts everything else.
    row, node : ndarray of shape (v,)
        One entry per visit.
    weight : ndarray of shape (v,)
        Weight of the row, or of the part of it, that visits the node.
    """

    def __init__(self, tree: Tree, table: Table, weight: Floats, strategy: Strategy):
        self.table = table
        self.tree = tree
        for _ in range(tree.max_depth + 1):
            router = Router(self.tree, strategy)
            row, node, part = router.push(table).visits
            self.row, self.node = row.astype(np.intp), node.astype(np.intp)
            self.weight = weight[self.row] * part
            self._find_ways(router)
            share = self._shares()
            if np.array_equal(share, self.tree.share):
                break
            self.tree = replace(self.tree, share=share)

    def _find_ways(self, router: Router) -> None:
        """Tell visits by a missing value and by an unseen level from those by a known value."""
        tree, values = self.tree, self.table.values
        feature = tree.feature[np.maximum(tree.parent, 0)][self.node]
        below = self.node > 0
        self.by_hole = np.isnan(values[self.row, feature]) & below
        self.by_known = ~self.by_hole & below
        for v in np.flatnonzero(np.isin(tree.kind, (SUBSET, MULTIWAY)) & ~tree.is_leaf):
            kids = tree.children(int(v))
            came = np.flatnonzero((self.node >= kids.start) & (self.node < kids.stop))
            unseen = router.branches(int(v), values, self.row[came]) == IS_UNSEEN
            self.by_known[came[unseen]] = False

    def _shares(self) -> Floats:
        """Part of the known weight of its parent that each node gets."""
        tree = self.tree
        known = self._sum(self.weight * self.by_known)
        total = self._above(known)[tree.parent]
        share = np.where(total > 0, known / np.where(total > 0, total, 1.0), tree.share)
        share[0] = 1.0
        return share

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
        order = np.argsort(self.node, kind="stable")
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
            Class codes.
        measure : Measure

        Returns
        -------
        Tree
        """
        tree = self.tree
        stats = measure.stats(y[self.row], self.weight, 0.0)
        whole = np.column_stack([self._sum(s) for s in stats.T])
        known = np.column_stack([self._sum(s * self.by_known) for s in stats.T])
        before = np.column_stack([self._above(k) for k in known.T])
        weight = self._sum(self.weight)
        safe = np.where(weight > 0, weight, 1.0)
        gain = (measure.cost(before) - self._above(measure.cost(known))) / safe
        tested = tree.feature[self.node]
        is_hole = np.isnan(self.table.values[self.row, np.maximum(tested, 0)]) & (tested >= 0)
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
