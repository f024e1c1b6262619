"""Where rows went: the nodes that they visit, and what part of a row gets to each.

Does not: send them (`routing.py`), or turn the reached nodes into an answer
(`Strategy.estimate`).
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from .structure import Tree


class Reach:
    """The nodes that rows visit, with the share of the row that gets there.

    Parameters
    ----------
    tree : Tree
    n_rows : int
    row, node : ndarray of shape (v,), int
        One entry per visit.
    share : ndarray of shape (v,)
    is_end : ndarray of shape (v,), bool
        Does this share go no further?

    """

    def __init__(
        self,
        tree: Tree,
        n_rows: int,
        row: NDArray[Any],
        node: NDArray[Any],
        share: NDArray[np.float64],
        is_end: NDArray[np.bool_],
    ):
        self.tree = tree
        self.shape = (n_rows, tree.n_nodes)
        self._visits = (row, node, share)
        self._is_end = is_end

    @property
    def visits(self) -> tuple[NDArray[Any], NDArray[Any], NDArray[np.float64]]:
        """Row, node and share of every visit."""
        return self._visits

    @cached_property
    def through(self) -> sparse.csr_matrix:
        """Shares of the visited nodes, shape (n, m)."""
        row, node, share = self.visits
        return sparse.csr_matrix((share, (row, node)), shape=self.shape)

    @cached_property
    def ends(self) -> sparse.csr_matrix:
        """Shares of the nodes where rows end, shape (n, m)."""
        row, node, share = (part[self._is_end] for part in self._visits)
        return sparse.csr_matrix((share, (row, node)), shape=self.shape)

    @cached_property
    def is_divided(self) -> NDArray[np.bool_]:
        """Which rows end in several nodes."""
        return np.diff(self.ends.indptr) > 1

    def mix(self, value: NDArray[np.float64]) -> NDArray[np.float64]:
        """Average the values of each row's ends, weighted by share.

        Parameters
        ----------
        value : ndarray of shape (m, K)

        Returns
        -------
        ndarray of shape (n, K)
        """
        total = self.ends @ np.ones(self.shape[1])  # added in the same order for any batch
        return np.asarray(self.ends @ value) / total[:, None]

    def weighed(self, weight: NDArray[np.float64]) -> Reach:
        """Give every end a share by the weight of its node, whatever came there.

        Parameters
        ----------
        weight : ndarray of shape (m,)

        Returns
        -------
        Reach
            Where all ends of a row weigh nothing they keep their shares.
        """
        row, node, share = self._visits
        weights = np.where(self._is_end, weight[node], 0.0)
        total = np.bincount(row, weights, minlength=self.shape[0])[row]
        share = np.where(total > 0, weights / np.where(total > 0, total, 1.0), share)
        return Reach(self.tree, self.shape[0], row, node, share, self._is_end)

    def main_end(self) -> NDArray[np.int32]:
        """End with the largest share of each row; ties go to the lowest node."""
        row, node, share = (part[self._is_end] for part in self._visits)
        order = np.lexsort((node, -share, row))
        first = np.searchsorted(row[order], np.arange(self.shape[0]))
        return node[order][first].astype(np.int32)


class SinglePaths(Reach):
    """A Reach whose rows take one path each, so that all follows from where they end.

    Parameters
    ----------
    tree : Tree
    end : ndarray of shape (n,), int32
    """

    def __init__(self, tree: Tree, end: NDArray[np.int32]):
        n = len(end)
        super().__init__(tree, n, np.arange(n), end, np.ones(n), np.ones(n, dtype=bool))
        self.end = end

    @cached_property
    def visits(self) -> tuple[NDArray[Any], NDArray[Any], NDArray[np.float64]]:
        """Row, node and share (1) of every node on the rows' paths."""
        rows, nodes = [np.arange(len(self.end))], [self.end]
        while len(rows[-1]):
            parent = self.tree.parent[nodes[-1]]
            up = parent >= 0
            rows.append(rows[-1][up])
            nodes.append(parent[up])
        row, node = np.concatenate(rows), np.concatenate(nodes)
        return row, node, np.ones(len(row))

    @cached_property
    def is_divided(self) -> NDArray[np.bool_]:
        """None of them."""
        return np.zeros(len(self.end), dtype=bool)

    def mix(self, value: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the values of the rows' ends."""
        return value[self.end]

    def weighed(self, weight: NDArray[np.float64]) -> Reach:
        """Return itself: a single end is the whole answer."""
        return self

    def main_end(self) -> NDArray[np.int32]:
        """Return the rows' ends."""
        return self.end
