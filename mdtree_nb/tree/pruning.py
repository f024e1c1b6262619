"""Cut a grown tree back.

Minimal cost-complexity pruning: of all subtrees with the same root, each value of alpha
selects the smallest one that minimises training risk + alpha times the number of leaves.
A largest number of leaves keeps the splits that earn most.

Does not: grow or re-route; node values stay what they were.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .reshape import cut
from .structure import Tree

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class PruningPath:
    """The sequence of pruned subtrees.

    Attributes
    ----------
    alphas : ndarray of shape (s,)
        Smallest alpha at which each subtree is optimal, from 0 on.
    impurities : ndarray of shape (s,)
        Training risk of each subtree: impurity of the nodes where training rows end, the
        leaves and those where missing rows stop, weighted by their share of the training
        weight.
    """

    alphas: NDArray[np.float64]
    impurities: NDArray[np.float64]


def cost_complexity_path(tree: Tree) -> PruningPath:
    """Compute the whole pruning sequence.

    Parameters
    ----------
    tree : Tree

    Returns
    -------
    PruningPath

    References
    ----------
    .. [1] L. Breiman, J. Friedman, R. Olshen, C. Stone, "Classification and Regression
       Trees", 1984, chapter 3.
    """
    sequence = _WeakestLinks(tree)
    alphas, impurities = [0.0], [sequence.risk_below[0]]
    while (alpha := sequence.next_alpha()) is not None:
        alphas.append(max(alpha, alphas[-1]))
        sequence.prune_until(alphas[-1])
        impurities.append(sequence.risk_below[0])
    return PruningPath(np.array(alphas), np.array(impurities))


def prune_cost_complexity(tree: Tree, alpha: float) -> Tree:
    """Return the smallest subtree that is optimal at `alpha`.

    Parameters
    ----------
    tree : Tree
    alpha : float
        Price of a leaf, in units of impurity; 0 keeps the tree.

    Returns
    -------
    Tree
    """
    if alpha <= 0:
        return tree
    sequence = _WeakestLinks(tree)
    sequence.prune_until(alpha)
    return cut(tree, sequence.became_leaf)


def complexities(tree: Tree, risk: Floats, stopped: Floats) -> Floats:
    """Return the price of a leaf up to which each split pays.

    Parameters
    ----------
    tree : Tree
    risk : ndarray of shape (m,)
        Risk of each node, were it a leaf; in any unit.
    stopped : ndarray of shape (m,)
        Risk of the rows that stop in a node which is none.

    Returns
    -------
    ndarray of shape (m,)
        The tree that is optimal at a price has the splits of a higher complexity; 0 for leaves.
    """
    sequence = _WeakestLinks(tree, risk, stopped)
    while (alpha := sequence.next_alpha()) is not None:
        sequence.prune_until(alpha)
    return np.where(tree.is_leaf, 0.0, sequence.complexity)


def keep_best_splits(tree: Tree, max_leaf_nodes: int) -> Tree:
    """Return the tree that growing best first would have stopped at.

    The split that lowers the weighted impurity most is always the next one. What a node's
    split is does not depend on the order of growing, so the grown tree is cut instead.

    Parameters
    ----------
    tree : Tree
    max_leaf_nodes : int
        Splits that would lead beyond so many leaves are left out, and the next best tried.

    Returns
    -------
    Tree
    """
    if tree.n_leaves <= max_leaf_nodes:
        return tree
    becomes_leaf = ~tree.is_leaf
    earned = tree.one_way * tree.weight * tree.gain
    queue = [(-earned[0], 0)]
    leaves = 1
    while queue:
        _, node = heapq.heappop(queue)
        more = int(tree.n_children[node]) - 1
        if leaves + more > max_leaf_nodes:
            continue
        leaves += more
        becomes_leaf[node] = False
        for child in tree.children(node):
            if not tree.is_leaf[child]:
                heapq.heappush(queue, (-earned[child], child))
    return cut(tree, becomes_leaf)


class _WeakestLinks:
    """A tree that is pruned link by link, the weakest first."""

    def __init__(self, tree: Tree, risk: Floats | None = None, stopped: Floats | None = None):
        self.tree = tree
        if risk is None or stopped is None:
            impurity = tree.one_way * tree.impurity / tree.weight[0]
            risk, stopped = tree.weight * impurity, tree.missing_stops * impurity
        self.risk = risk
        self.risk_below = self.risk.copy()
        self.highest = -np.inf
        self.complexity = np.zeros(tree.n_nodes)
        self.leaves_below = np.ones(tree.n_nodes, dtype=np.int64)
        self.became_leaf = np.zeros(tree.n_nodes, dtype=bool)
        self.gone = np.zeros(tree.n_nodes, dtype=bool)
        inner = np.flatnonzero(~tree.is_leaf)
        for v in inner[::-1]:
            kids = tree.children(v)
            self.risk_below[v] = stopped[v] + self.risk_below[kids].sum()
            self.leaves_below[v] = self.leaves_below[kids].sum()
        self.links = [(self._alpha(v), v) for v in map(int, inner)]
        heapq.heapify(self.links)

    def _alpha(self, v: int) -> float:
        """Price of a leaf at which pruning below v pays.

        Below 0 where a leaf is better at any price: rows that stop at v may leave rows of
        a higher impurity to the children.
        """
        return float((self.risk[v] - self.risk_below[v]) / (self.leaves_below[v] - 1))

    def next_alpha(self) -> float | None:
        """Alpha of the weakest link, None if only the root is left."""
        while self.links:
            alpha, v = self.links[0]
            if self.gone[v] or self.became_leaf[v] or alpha != self._alpha(v):
                heapq.heappop(self.links)  # out of date; a newer entry is in the heap
            else:
                return alpha
        return None

    def prune_until(self, alpha: float) -> None:
        """Prune every link that pays at `alpha`."""
        while (weakest := self.next_alpha()) is not None and weakest <= alpha:
            self._make_leaf(heapq.heappop(self.links)[1])

    def _make_leaf(self, v: int) -> None:
        self.became_leaf[v] = True
        self.highest = max(self.highest, self._alpha(v))
        self.complexity[v] = self.highest
        below = list(self.tree.children(v))
        while below:
            child = below.pop()
            if not self.gone[child] and not self.became_leaf[child]:
                self.complexity[child] = self.highest
            self.gone[child] = True
            below.extend(self.tree.children(child))
        less_risk = self.risk[v] - self.risk_below[v]
        fewer_leaves = self.leaves_below[v] - 1
        self.risk_below[v], self.leaves_below[v] = self.risk[v], 1
        above = int(self.tree.parent[v])
        while above >= 0:
            self.risk_below[above] += less_risk
            self.leaves_below[above] -= fewer_leaves
            heapq.heappush(self.links, (self._alpha(above), above))
            above = int(self.tree.parent[above])
