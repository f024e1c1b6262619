"""Push rows through a tree: the one place that knows where they go.

Predicting, `apply`, `decision_path`, explanations, plots and exports all read a `Reach`;
growing asks the same strategies by the same method. So there is never a second truth
about where a missing value goes.

Does not: turn reached nodes into an answer; `Strategy.estimate` does.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..table import Table
from .kernels import read_only
from .kernels.route import (
    IS_HOLE,
    IS_UNSEEN,
    route_hard,
    route_shares,
)
from .kernels.visits import answer, send
from .reach import Reach, SinglePaths
from .strategy import Strategy
from .structure import Tree
from .surrogates import recorded
from .ways import Ways, tests_and_ways, with_surrogates

VISITS_PER_ROW = 8  # room made at first; more is made as it is needed


class Router:
    """A tree made ready to route rows by one strategy.

    Parameters
    ----------
    tree : Tree
    strategy : Strategy
    """

    def __init__(self, tree: Tree, strategy: Strategy):
        self.tree = tree
        self.strategy = strategy
        self.asks_rows = type(strategy).route is not Strategy.route
        shares = np.zeros(tree.n_nodes)
        if not self.asks_rows:
            shares = self._checked("missing_shares")
        unseen = self._checked("unseen_shares")
        self.shares, self.unseen = read_only(shares), read_only(unseen)
        self.levels = read_only(tree.level_branch) if len(tree.level_branch) else None
        self.surrogates = tree.surrogates if strategy.asks_surrogates else None
        check_recorded(tree, strategy)
        self.stand_ins = None if self.surrogates is None else self.surrogates.stand_ins

    @cached_property
    def divides(self) -> bool:
        """May a missing value send a row to several children?"""
        return _divides(self.tree, self.shares)

    @cached_property
    def divides_unseen(self) -> bool:
        """May a level that a node has not seen do so?"""
        return self.levels is not None and _divides(self.tree, self.unseen)

    @cached_property
    def _written(self) -> tuple[NDArray[np.void], NDArray[np.uint32]]:
        """The tree's tests and ways, as the kernels read them."""
        return tests_and_ways(self.tree, self.shares, self.unseen)

    @cached_property
    def _single(self) -> Ways:
        """The same for rows that are not divided, with the surrogates they ask on their way."""
        plain = Ways(*self._written, self.levels, self.tree.max_depth, None)
        return plain if self.surrogates is None else with_surrogates(plain, self.tree)

    def _checked(self, method: str) -> NDArray[np.float64]:
        tree, strategy = self.tree, self.strategy
        shares = np.asarray(getattr(strategy, method)(tree), dtype=np.float64)
        if shares.shape != (tree.n_nodes,) or not np.all((shares >= 0) & (shares <= 1)):
            raise ValueError(
                f"{type(strategy).__name__}.{method} must return shares between 0 and 1 "
                f"of shape {(tree.n_nodes,)}, got shape {shares.shape}."
            )
        return shares

    def push(self, table: Table) -> Reach:
        """Send rows down the tree.

        Parameters
        ----------
        table : Table

        Returns
        -------
        Reach
        """
        values = read_only(table.values)
        has_holes = (self.divides or self.asks_rows) and bool(np.isnan(values).any())
        if not (has_holes or self.divides_unseen):
            end = np.empty(table.n_rows, dtype=np.int32)
            its = self._single
            route_hard(its.tests, its.ways, its.levels, its.depth, values, end)
            return SinglePaths(self.tree, end if its.node is None else its.node[end])
        return self._ask(table) if self.asks_rows else self._share(values)

    def branches(
        self,
        nodes: NDArray[np.intp],
        values: NDArray[np.float64],
        rows: NDArray[np.intp],
        weight: NDArray[np.float64] | None = None,
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Say to which branch the values of some rows lead.

        Parameters
        ----------
        nodes : ndarray of shape (r,), intp
            Where each row is.
        values : ndarray of shape (n, p)
        rows : ndarray of shape (r,), intp
        weight : ndarray of shape (r,) or None, default=None
            Of each row there; None = 1.

        Returns
        -------
        branch : ndarray of shape (r,)
            IS_HOLE or IS_UNSEEN where the value does not tell, AT_END in a leaf.
        known : ndarray of shape (m,)
            Weight that comes to each node by a known value.
        """
        branch, known = np.empty(len(rows), dtype=np.int64), np.zeros(self.tree.n_nodes)
        its = (nodes, values, rows, np.ones(len(rows)) if weight is None else weight)
        answer(*self._written, self.levels, *map(read_only, its), branch, known)
        return branch, known

    def below(
        self,
        nodes: NDArray[np.intp],
        table: Table,
        rows: NDArray[np.intp],
        part: NDArray[np.float64],
        branch: NDArray[np.int64],
    ) -> tuple[NDArray[Any], ...]:
        """Send rows, or parts of them, on to the children of the nodes where they are.

        Parameters
        ----------
        nodes, rows
            See `branches`.
        table : Table
        part : ndarray of shape (r,)
            What part of the row is there.
        branch : ndarray of shape (r,)
            What `branches` said.

        Returns
        -------
        came : ndarray of shape (s,)
            Place in `rows` of what arrives.
        child : ndarray of shape (s,)
        share : ndarray of shape (s,)
            Of what was there; positive, for a row that stops does not arrive.
        way : ndarray of shape (s,), int8
            IS_HOLE or IS_UNSEEN, or 0 where a known value of the tested column led there.
        """
        tree, said = self.tree, branch
        if self.surrogates is not None:
            open_ = np.flatnonzero((branch == IS_HOLE) | (branch == IS_UNSEEN))
            told, _ = self.surrogates.branches(nodes[open_], table.values, rows[open_])
            branch = branch.copy()
            branch[open_] = np.where(told >= 0, told, branch[open_])
        room = int(np.where(branch >= 0, 1, tree.n_children[nodes]).sum())
        out = tuple(np.empty(room, dtype=d) for d in (np.intp, np.intp, np.float64, np.int8))
        n = send(
            read_only(tree.first_child),
            read_only(tree.n_children),
            read_only(tree.kind),
            self.shares,
            self.unseen,
            float(self.strategy.min_share),
            self._own_shares(nodes, table, rows, branch),
            *map(read_only, (nodes, said, branch, part)),
            out,
        )
        return tuple(written[:n] for written in out)

    def _own_shares(
        self,
        nodes: NDArray[np.intp],
        table: Table,
        rows: NDArray[np.intp],
        branch: NDArray[np.int64],
    ) -> NDArray[np.float64]:
        """Shares over the children that the strategy gives to each row with a hole."""
        if not self.asks_rows:
            return np.empty((0, 0))
        tree = self.tree
        own = np.zeros((len(rows), int(tree.n_children.max(initial=0))))
        for v in np.unique(nodes[branch == IS_HOLE]):
            asked = np.flatnonzero((branch == IS_HOLE) & (nodes == v))
            its = self.strategy.route(tree, int(v), table, rows[asked])
            own[asked, : tree.n_children[v]] = its
        return own

    def _share(self, values: NDArray[np.float64]) -> Reach:
        n = len(values)
        parts: list[tuple[NDArray[Any], ...]] = []
        row, room = 0, max(VISITS_PER_ROW * n, 4 * self.tree.n_nodes)
        stack = np.empty(self.tree.n_nodes + 1, dtype=np.int32)
        while row < n:
            visited = np.empty((room, 2), dtype=np.int32)
            share = np.empty(room)
            is_end = np.empty(room, dtype=bool)
            used, row = route_shares(
                *self._written,
                self.levels,
                self.stand_ins,
                read_only(self.tree.n_children),
                self.shares,
                self.unseen,
                float(self.strategy.min_share),
                values,
                row,
                stack,
                visited,
                share,
                is_end,
            )
            parts.append((visited[:used, 0], visited[:used, 1], share[:used], is_end[:used]))
        return Reach(self.tree, n, *(np.concatenate(part) for part in zip(*parts, strict=True)))

    def _ask(self, table: Table) -> Reach:
        """Go level by level and let the strategy route the rows with missing values."""
        tree = self.tree
        row = np.arange(table.n_rows)
        node, share = np.zeros_like(row), np.ones(len(row))
        visits = []
        while len(row):
            is_end = np.ones(len(row), dtype=bool)
            visits.append((row, node, share, is_end))
            branch, _ = self.branches(node, table.values, row)
            came, child, part, _ = self.below(node, table, row, share, branch)
            is_end[came] = False
            row, node, share = row[came], child, share[came] * part
        return Reach(
            tree, table.n_rows, *(np.concatenate(part) for part in zip(*visits, strict=True))
        )


def check_recorded(tree: Tree, strategy: Strategy) -> None:
    """Refuse a tree without surrogates where a strategy asks them.

    Raises
    ------
    ValueError
    """
    if strategy.asks_surrogates and tree.n_nodes > 1:
        recorded(tree.surrogates, repr(strategy.name))


def _divides(tree: Tree, shares: NDArray[np.float64]) -> bool:
    """Do some rows go to more than one child?"""
    per_node = np.bincount(tree.parent[1:], weights=shares[1:] != 0, minlength=tree.n_nodes)
    return bool(np.any((shares != 0) & (shares != 1)) or np.any(per_node > 1))
