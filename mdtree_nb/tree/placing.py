"""Place the rows that miss the chosen column of a node, while a tree grows.

The surrogates of the node are found, and asked where the strategy wants that; about the rows
that are left the strategy itself is asked.

Called by `growth.py`. Does not: move rows; `Workspace.fork` and `Workspace.partition` do.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..table import Table
from .kernels.codes import (
    BRANCHES,
    BY_RULE,
    FEATURE,
    MISSING_BRANCH,
    MISSING_WEIGHT,
    NOWHERE,
    START,
    STOP,
)
from .marks import Marks
from .record import Front, Record
from .shares import whole
from .strategy import Strategy
from .surrogate_search import find_surrogates
from .surrogates import SurrogateRule
from .workspace import Batch, Workspace

Entries = NDArray[np.uint32]
Floats = NDArray[np.float64]
NO_ENTRIES: Entries = np.empty(0, dtype=np.uint32)


class Placer:
    """Places missing rows for one strategy.

    Parameters
    ----------
    work : Workspace
    table : Table
    strategy : Strategy
    record : Record
        Told what came to each child, and the surrogates.
    rule : SurrogateRule or None
        Which surrogates to find; None = none.
    """

    def __init__(
        self,
        work: Workspace,
        table: Table,
        strategy: Strategy,
        record: Record,
        rule: SurrogateRule | None,
    ):
        self.work = work
        self.table = table
        self.strategy = strategy
        self.record = record
        self.rule = rule
        cls = type(strategy)
        self.asks_rows = (
            cls.route is not Strategy.route or cls.train_route is not Strategy.train_route
        )

    def place(
        self,
        front: Front,
        first: NDArray[np.intp],
        kind: NDArray[np.int8],
        marks: Marks,
        width: NDArray[np.intp],
    ) -> tuple[Entries, Floats]:
        """Note the branch of every missing row of some nodes, or its shares.

        Parameters
        ----------
        front : Front
            Nodes with their choices, whose known rows are marked.
        first, width : ndarray of shape (b,)
            Number of each node's first child, and how many it has.
        kind : ndarray of shape (b,)
        marks : Marks

        Returns
        -------
        entries : ndarray of shape (r,)
            Those that are divided among children.
        shares : ndarray of shape (r, most children of a node)
        """
        work, choice = self.work, front.choice
        surrogates = None
        if self.rule is not None:
            surrogates = find_surrogates(work, front.batch, choice, kind, width, self.rule)
            self.record.stand_in(front.number, surrogates)
        if self.strategy.regrows:
            return self._regrow(front, width)
        asked = (choice[:, MISSING_BRANCH] == BY_RULE) & (choice[:, MISSING_WEIGHT] > 0)
        nodes = np.flatnonzero(asked)
        if not len(nodes):
            return NO_ENTRIES, np.zeros((0, 0))
        feature = choice[nodes, FEATURE].astype(np.intp)
        entries, owner = _missing(work, front.batch[nodes], nodes, feature)
        offset = np.cumsum(width) - width
        came = np.zeros(int(width.sum()))
        if surrogates is not None and self.strategy.asks_surrogates:
            rows = work.row_of(entries).astype(np.intp)
            branch, _ = surrogates.branches(owner, self.table.values, rows)
            told = branch >= 0
            work.branch[entries[told]] = branch[told]
            weight = work.weights_of(entries[told])
            came += np.bincount(offset[owner[told]] + branch[told], weight, len(came))
            entries, owner = entries[~told], owner[~told]
        shares = np.zeros((0, 0))
        if len(entries):
            nodes, place = np.unique(owner, return_inverse=True)
            its = (front.take(nodes), kind[nodes], marks.take(nodes))
            shares = self._shares(*its, entries, place)
            weight = work.weights_of(entries)
            for c in range(shares.shape[1]):
                has = c < width[owner]
                to = offset[owner[has]] + c
                came += np.bincount(to, (weight * shares[:, c])[has], len(came))
        child = np.repeat(first - offset, width) + np.arange(len(came))
        here = np.repeat(asked, width)
        self.record.arrive(child[here], came[here])
        if not work.divides:
            self._go_whole(entries, shares)
        return entries, shares

    def _regrow(self, front: Front, width: NDArray[np.intp]) -> tuple[Entries, Floats]:
        """Put every row of a node that has a child for missing rows into that child as well."""
        work, choice = self.work, front.choice
        nodes = np.flatnonzero(choice[:, MISSING_BRANCH] == choice[:, BRANCHES])
        its = [work.ids[0, node[START] : node[STOP]] for node in front.batch[nodes]]
        entries = np.concatenate([NO_ENTRIES, *its])
        shares = np.zeros((len(entries), int(width.max())))
        every = np.arange(len(entries))
        shares[every, work.branch[entries]] = 1.0
        shares[every, np.repeat(width[nodes] - 1, list(map(len, its)))] = 1.0
        return entries, shares

    def _shares(
        self,
        front: Front,
        kind: NDArray[np.int8],
        marks: Marks,
        entries: Entries,
        place: NDArray[np.intp],
    ) -> Floats:
        """Ask the strategy about missing rows: `place` is the node of each in the front."""
        stumps = self.record.stumps(
            self.table.schema, self.work, front, kind, marks, self.asks_rows
        )
        node = 1 + place
        width = stumps.n_children[node]
        shares = np.zeros((len(entries), int(width.max())))
        if self.asks_rows:
            rows = self.work.row_of(entries)
            for v in np.unique(node):
                here = np.flatnonzero(node == v)
                asked = self.strategy.train_route(stumps, int(v), self.table, rows[here])
                self._check("train_route", asked, (len(here), int(stumps.n_children[v])))
                shares[here, : stumps.n_children[v]] = asked
        else:
            its = self.strategy.train_shares(stumps)
            self._check("train_shares", its, (stumps.n_nodes,))
            for c in range(shares.shape[1]):
                has = c < width
                shares[has, c] = its[stumps.first_child[node[has]] + c]
        small = self.work.mass_of(entries) < self.strategy.min_share
        if small.any():
            start = np.arange(small.sum()) * shares.shape[1]
            shares[small] = whole(shares[small].ravel(), start).reshape(-1, shares.shape[1])
        return shares

    def _check(self, method: str, shares: Floats, shape: tuple[int, ...]) -> None:
        if np.shape(shares) != shape or not np.all((shares >= 0) & (shares <= 1)):
            raise ValueError(
                f"{type(self.strategy).__name__}.{method} must return shares between 0 and 1 of "
                f"shape {shape}, got shape {np.shape(shares)}."
            )

    def _go_whole(self, entries: Entries, shares: Floats) -> None:
        """Note the branch of missing rows that are not divided."""
        is_whole = (shares == 1).sum(axis=1) == 1
        if not np.all(np.isin(shares, (0, 1))) or not np.all(is_whole | ~shares.any(axis=1)):
            raise ValueError(
                f"{type(self.strategy).__name__}.train_route divided a row among children; a "
                "strategy that does so must say divides = True."
            )
        if len(entries):
            self.work.branch[entries] = np.where(is_whole, shares.argmax(axis=1), NOWHERE)


def _missing(
    work: Workspace, batch: Batch, nodes: NDArray[np.intp], feature: NDArray[np.intp]
) -> tuple[Entries, NDArray[np.intp]]:
    """Entries of some nodes that miss their column, and the node of each."""
    its = [work.missing_entries(*one) for one in zip(batch, feature, strict=True)]
    return np.concatenate(its), np.repeat(nodes, list(map(len, its)))
