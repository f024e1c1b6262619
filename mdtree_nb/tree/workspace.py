"""The rows of a tree while it grows: sorted once per column, then only rearranged.

`Workspace` owns the arrays that the kernels work on. Rows are entries of an arena; at
first entry i is row i, and a node is a segment of every column's order of entries. A
strategy that divides rows needs more entries than rows (see `kernels/fork.py`); such nodes
are worked off from the end of the arena, so that their space is free again soon.

Does not: decide anything. `growth.py` chooses splits and asks the strategy.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..table import Table
from .kernels import fork as fork_kernel
from .kernels import nodes as node_kernels
from .kernels import read_only
from .kernels.codes import (
    CENTRE,
    CHOICE_COLUMNS,
    COST,
    ENTROPY,
    FIRST_CUT_STAT,
    FIRST_KNOWN,
    FIRST_STAT,
    MOMENTS,
    MULTIWAY,
    NOWHERE,
    START,
    STOP,
    THRESHOLD,
    WEIGHT,
)
from .kernels.levels import BEST, LEVEL_FLOATS, LEVEL_INTS
from .kernels.search import SCRATCH_ROWS
from .kernels.search import search as search_kernel
from .measure import Measure
from .prepared import Guesses
from .rules import DEFAULT_FORM, Least, TestForm
from .sorting import sort_missing, sort_rows
from .threads import Threads

Batch = NDArray[np.int64]


class Workspace:
    """Sorted rows of one training table.

    Parameters
    ----------
    table : Table
    y : ndarray of shape (n,), uint8 or float64
        Class codes or labels.
    w : ndarray of shape (n,), float64, or None
        Positive weights.
    measure : Measure
    least : Least
        What a child needs.
    divides : bool
        Will rows be divided among children?
    form : TestForm
    threads : Threads or None, default=None
        None = just the caller's.
    guesses : Guesses or None, default=None
        What the missing cells might hold. The missing rows of a column are then sorted by
        their guesses, and stay so.
    """

    def __init__(
        self,
        table: Table,
        y: NDArray[Any],
        w: NDArray[np.float64] | None,
        measure: Measure,
        least: Least,
        divides: bool,
        form: TestForm = DEFAULT_FORM,
        threads: Threads | None = None,
        guesses: Guesses | None = None,
    ):
        n, p = table.values.shape
        self.table = table
        self.values = read_only(np.asfortranarray(table.values).T)
        self.measure = measure
        self.least = least
        self.divides = divides
        self.form = form
        self.threads = threads or Threads()
        self.y, self.w = y, w
        self.mass: NDArray[np.float64] | None = None
        self.rows = np.empty(0, dtype=np.uint32)
        if divides:
            self.y = y.copy()
            self.w = np.ones(n) if w is None else w.copy()
            self.mass = np.ones(n)
            self.rows = np.arange(n, dtype=np.uint32)
        kinds = np.where(table.schema.is_category, form.category, THRESHOLD)
        self.ids, self.ranks, self.columns, known = sort_rows(self.values, kinds)
        self.trust = np.empty(0) if guesses is None else guesses.trust
        self.guesses: NDArray[np.float64] | None = None
        if guesses is not None:
            self.guesses = read_only(np.asfortranarray(guesses.values).T)
            sort_missing(self.ids, known, self.guesses)
        self.root: Batch = np.array([[0, n, *known]], dtype=np.int64)
        self.branch = np.zeros(n, dtype=np.uint16)
        self._side = np.empty(0, dtype=np.int8)
        self._classes = None if measure.family == MOMENTS else True
        self._xlogx = None
        if measure.family == ENTROPY:
            self._xlogx = _xlogx_table(n if self.w is None else 0)
        t = self.threads.number  # scratch for each
        has_ranks = self.columns[:, 0].max() >= 0
        self._spare = np.empty((t, n), dtype=np.uint32)
        self._spare_ranks = np.empty((t, n if has_ranks else 0), dtype=np.uint32)
        self._place = self._number = np.empty(0, dtype=np.int64)
        self.n_levels = np.array([len(levels or ()) for levels in table.schema.levels])
        most = int(self.n_levels.max())
        # Children that known rows of a column can have; a node has them only if it has the rows.
        many = (kinds == MULTIWAY) * self.n_levels
        self.most_branches = np.maximum(many, 2)
        self.level_room = [_level_room(most, measure.n_stats) for _ in range(t)]
        self._scratch = np.empty((t, SCRATCH_ROWS, measure.n_stats))
        self._counts = np.empty((t, 2, NOWHERE + 1), dtype=np.int64)
        self._all = np.empty((0, p), dtype=bool)
        self._no_cuts = np.empty((0, 0, 0))

    # -- looking ------------------------------------------------------------------

    def sum_up(self, batch: Batch) -> NDArray[np.float64]:
        """Sum up the labels of each node; see WEIGHT ... FIRST_STAT for the columns."""
        measure = self.measure
        sums = np.empty((len(batch), FIRST_STAT + measure.n_stats))
        rule = (measure.family, measure.scale, measure.centred)

        def work(part: slice, _: int) -> None:
            node_kernels.sum_up(self.ids, self.y, self.w, self.mass, batch[part], rule, sums[part])

        self.threads.run(work, self._parts(batch, 1))
        if measure.absolute:
            sums[:, COST] = [error for error, _ in self._errors(batch)]
        return sums

    def node_values(self, batch: Batch, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """Class shares or mean of each node, or the median where that is what errors are from."""
        if self.measure.absolute:
            return np.array([[centre] for _, centre in self._errors(batch)])
        stats, centre = sums[:, FIRST_STAT:], sums[:, CENTRE]
        if not self.form.every_level:
            return self.measure.value(stats, centre)
        value = np.zeros((len(sums), self.measure.n_values))  # what no row has is filled in later
        some = sums[:, WEIGHT] > 0
        value[some] = self.measure.value(stats[some], centre[some])
        return value

    def _errors(self, batch: Batch) -> list[tuple[float, float]]:
        nodes = (self.ids[0, node[START] : node[STOP]] for node in batch)
        return [self.measure.error(self.y[its], self.weights_of(its)) for its in nodes]

    def best_split(
        self,
        batch: Batch,
        sums: NDArray[np.float64],
        allowed: NDArray[np.bool_] | None,
        mode: int,
        alone: bool,
    ) -> NDArray[np.float64]:
        """Find the best split of each node by plain gain; see FEATURE ... for the columns."""
        choice = np.empty((len(batch), CHOICE_COLUMNS))
        self._search(batch, sums, allowed, mode, alone, self._no_cuts, choice)
        return choice

    def best_cuts(
        self,
        batch: Batch,
        sums: NDArray[np.float64],
        allowed: NDArray[np.bool_] | None,
        mode: int,
        alone: bool,
    ) -> NDArray[np.float64]:
        """Find the best cut of each column of each node; see CUT_POSITION ... for the columns."""
        shape = (len(batch), len(self.columns), FIRST_CUT_STAT + 2 * self.measure.n_stats)
        found = np.empty(shape)
        self._search(batch, sums, allowed, mode, alone, found, np.empty((0, CHOICE_COLUMNS)))
        return found

    def _search(
        self,
        batch: Batch,
        sums: NDArray[np.float64],
        allowed: NDArray[np.bool_] | None,
        mode: int,
        alone: bool,
        found: NDArray[np.float64],
        choice: NDArray[np.float64],
    ) -> None:
        measure = self.measure
        allowed = self._all if allowed is None else allowed
        rule = (measure.family, measure.scale, mode, alone, tuple(self.least))

        def work(part: slice, thread: int) -> None:
            search_kernel(
                self.ids,
                self.ranks,
                self.columns,
                self.y,
                self.w,
                self.mass,
                self._classes,
                self._xlogx,
                self.level_room[thread],
                batch[part],
                allowed[part],
                sums[part],
                rule,
                found[part],
                choice[part],
                self._scratch[thread],
            )

        self.threads.run(work, self._parts(batch, len(self.columns)))

    @property
    def side(self) -> NDArray[np.int8]:
        """Scratch with room for a side per entry."""
        if len(self._side) < len(self.branch):
            self._side = np.empty(len(self.branch), dtype=np.int8)
        return self._side

    def run_parts(self, batch: Batch, work: Callable[[slice, int], None]) -> None:
        """Call `work(part, thread)` for runs of nodes, on as many threads as there are."""
        self.threads.run(work, self._parts(batch, len(self.columns)))

    def _parts(self, batch: Batch, columns: int) -> list[slice]:
        return self.threads.parts(batch[:, STOP] - batch[:, START], columns)

    def known_entries(self, node: NDArray[np.int64], feature: int) -> NDArray[np.uint32]:
        """Entries of a node that know a column, in order of value."""
        return self.ids[feature, node[START] : node[START] + node[FIRST_KNOWN + feature]]

    def missing_entries(self, node: NDArray[np.int64], feature: int) -> NDArray[np.uint32]:
        """Entries of a node that miss a column."""
        return self.ids[feature, node[START] + node[FIRST_KNOWN + feature] : node[STOP]]

    def weights_of(self, entries: NDArray[Any]) -> NDArray[np.float64]:
        """Weights of some entries."""
        return np.ones(len(entries)) if self.w is None else self.w[entries]

    def mass_of(self, entries: NDArray[Any]) -> NDArray[np.float64]:
        """Shares of rows that some entries stand for."""
        return np.ones(len(entries)) if self.mass is None else self.mass[entries]

    def row_of(self, entries: NDArray[Any]) -> NDArray[Any]:
        """Rows of the training table behind some entries."""
        return self.rows[entries] if self.divides else entries

    # -- dividing -----------------------------------------------------------------

    def partition(self, batch: Batch, first_child: NDArray[np.intp]) -> Batch:
        """Rearrange the rows of each node by their branch; returns the children.

        Those of node b are first_child[b] .. first_child[b + 1].
        """
        children = np.empty((first_child[-1], batch.shape[1]), dtype=np.int64)

        def work(part: slice, thread: int) -> None:
            first, last = first_child[part.start], first_child[part.stop]
            node_kernels.partition(
                self.ids,
                self.ranks,
                self.columns,
                batch[part],
                self.branch,
                first_child[part.start : part.stop + 1] - first,
                children[first:last],
                self._spare[thread],
                self._spare_ranks[thread],
                *self._counts[thread],
            )

        self.threads.run(work, self._parts(batch, len(self.columns)))
        return children

    def fork(
        self,
        batch: Batch,
        first_child: NDArray[np.intp],
        missing: NDArray[np.uint32],
        shares: NDArray[np.float64],
    ) -> Batch:
        """Divide the rows of each node: some entries by `shares`, all others by their branch.

        The nodes must be the last ones in the arena that are still needed, in their order;
        the children take their place.

        Parameters
        ----------
        batch : ndarray of shape (b, FIRST_KNOWN + p)
        first_child : ndarray of shape (b + 1,)
            See `partition`.
        missing : ndarray of shape (r,)
            Entries that miss the tested column of their node.
        shares : ndarray of shape (r, most children of a node)

        Returns
        -------
        ndarray of shape (., FIRST_KNOWN + p)
            The children.
        """
        whole = int((batch[:, STOP] - batch[:, START]).sum()) - len(missing)
        self._reserve(int(batch[-1, STOP]) + whole + int(np.count_nonzero(shares)))
        children = np.empty((first_child[-1], batch.shape[1]), dtype=np.int64)
        fork_kernel.fork(
            self.ids,
            self.ranks,
            self.columns,
            self.rows,
            self.y,
            self.w,
            self.mass,
            self.branch,
            batch,
            missing,
            shares,
            self._place,
            self._number,
            first_child,
            children,
        )
        return children

    def _reserve(self, size: int) -> None:
        """Make room for so many entries."""
        if size <= len(self.rows) and len(self._place):
            return
        for name in ("ids", "rows", "y", "w", "mass", "branch"):
            setattr(self, name, _widened(getattr(self, name), size))
        if self.ranks.shape[1]:
            self.ranks = _widened(self.ranks, size)
        self._place = np.empty(len(self.rows), dtype=np.int64)
        self._number = np.empty(len(self.rows), dtype=np.int64)


def _level_room(n_levels: int, n_stats: int) -> tuple[NDArray[Any], ...] | None:
    """Make room for a table of so many levels; None for no categories at all."""
    if not n_levels:
        return None
    return (
        np.empty((n_levels, n_stats)),
        np.empty((LEVEL_FLOATS, n_levels)),
        np.empty((LEVEL_INTS, n_levels), dtype=np.int64),
        np.empty(BEST),
    )


def _widened(array: NDArray[Any], size: int) -> NDArray[Any]:
    """Copy an array into one with a last axis of at least `size`, with room to spare."""
    size = max(size, array.shape[-1] * 5 // 4)
    wider = np.empty((*array.shape[:-1], size), dtype=array.dtype)
    wider[..., : array.shape[-1]] = array
    return wider


def _xlogx_table(n: int) -> NDArray[np.float64]:
    """Return c log2 c for c = 0 .. n, and below it the steps from c to c + 1."""
    c = np.arange(n + 2, dtype=np.float64)
    c[1:] *= np.log2(c[1:])
    return np.stack([c[:-1], np.diff(c)])
