"""Place the rows that miss the chosen column of a node, while a tree grows.

The surrogates of the node are found, and asked where the strategy wants that; about the rows
that are left the strategy itself is asked.

Called by `growth.py`. Does not: move rows; `Workspace.fork` and `Workspace.partition` do.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..table import Table
from .kernels.codes import BY_RULE, FEATURE, MISSING_BRANCH, MISSING_WEIGHT, NOWHERE
from .marks import Marks
from .record import Front, Record
from .shares import whole
from .strategy import Strategy
from .surrogate_search import find_surrogates
from .surrogates import SurrogateRule, Surrogates
from .workspace import Workspace

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

    def place(
        self,
        front: Front,
        first: NDArray[np.intp],
        kind: NDArray[np.int8],
        marks: Marks,
        n_children: NDArray[np.intp],
    ) -> tuple[Entries, Floats]:
        """Note the branch of every missing row of some nodes, or its shares.

        Parameters
        ----------
        front : Front
            Nodes with their choices, whose known rows are marked.
        first : ndarray of shape (b,)
            Number of each node's first child.
        kind : ndarray of shape (b,)
        marks : Marks
        n_children : ndarray of shape (b,)

        Returns
        -------
        entries : ndarray of shape (r,)
            Those that are divided among children.
        shares : ndarray of shape (r, most children of a node)
        """
        choice = front.choice
        surrogates = None
        if self.rule is not None:
            surrogates = find_surrogates(
                self.work, front.batch, choice, kind, n_children, self.rule
            )
            self.record.stand_in(front.number, surrogates)
        asked = (choice[:, MISSING_BRANCH] == BY_RULE) & (choice[:, MISSING_WEIGHT] > 0)
        routes = []
        for b in np.flatnonzero(asked):
            entries = self.work.missing_entries(front.batch[b], int(choice[b, FEATURE]))
            came = np.zeros(n_children[b])
            if surrogates is not None and self.strategy.asks_surrogates:
                entries, came = self._ask_surrogates(surrogates, int(b), entries, came)
            if len(entries):
                shares = self._ask(front.take([b]), kind[[b]], marks.take(int(b)), entries)
                came = came + self.work.weights_of(entries) @ shares
                routes.append((entries, shares))
            self.record.arrive(first[b], came)
        if self.work.divides:
            return _stacked(routes, int(n_children.max()))
        for entries, shares in routes:
            self._go_whole(entries, shares)
        return _stacked([], 0)

    def _ask_surrogates(
        self, surrogates: Surrogates, b: int, entries: Entries, came: Floats
    ) -> tuple[Entries, Floats]:
        """Let the surrogates of node b place the rows they can; the others are returned."""
        rows = self.work.row_of(entries).astype(np.intp)
        branch, _ = surrogates.branches(np.full(len(rows), b), self.table.values, rows)
        told = branch >= 0
        self.work.branch[entries[told]] = branch[told]
        weight = self.work.weights_of(entries[told])
        return entries[~told], came + np.bincount(branch[told], weight, len(came))

    def _ask(self, front: Front, kind: NDArray[np.int8], marks: Marks, entries: Entries) -> Floats:
        """Ask the strategy about missing rows of one node: their shares."""
        work, strategy = self.work, type(self.strategy).__name__
        stump = self.record.stump(self.table.schema, work, front, kind, marks)
        n_children = len(stump.children(0))
        asked = self.strategy.train_route(stump, 0, self.table, work.row_of(entries))
        shares = np.asarray(asked, dtype=np.float64)
        if shares.shape != (len(entries), n_children) or not np.all((shares >= 0) & (shares <= 1)):
            raise ValueError(
                f"{strategy}.train_route must return shares between 0 and 1 of shape "
                f"{(len(entries), n_children)} (rows, children), got shape {shares.shape}."
            )
        small = work.mass_of(entries) < self.strategy.min_share
        if small.any():
            flat = whole(shares[small].ravel(), np.arange(small.sum()) * n_children)
            shares = shares.copy()
            shares[small] = flat.reshape(-1, n_children)
        return shares

    def _go_whole(self, entries: Entries, shares: Floats) -> None:
        """Note the branch of missing rows that are not divided."""
        is_whole = (shares == 1).sum(axis=1) == 1
        if not np.all(np.isin(shares, (0, 1))) or not np.all(is_whole | ~shares.any(axis=1)):
            raise ValueError(
                f"{type(self.strategy).__name__}.train_route divided a row among children; a "
                "strategy that does so must say divides = True."
            )
        self.work.branch[entries] = np.where(is_whole, shares.argmax(axis=1), NOWHERE)


def _stacked(routes: list[tuple[Entries, Floats]], width: int) -> tuple[Entries, Floats]:
    """Put entries of several nodes, and their shares, into one array each."""
    entries = np.concatenate([NO_ENTRIES, *(its for its, _ in routes)])
    shares = np.zeros((len(entries), width))
    at = 0
    for _, its in routes:
        shares[at : at + len(its), : its.shape[1]] = its
        at += len(its)
    return entries, shares
