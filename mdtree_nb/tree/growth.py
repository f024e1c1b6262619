"""Grow a tree: one loop over batches of nodes, a few compiled calls per batch.

A batch is examined (summed up, its splits chosen), then divided into the batch of its
children, and so on. Everything between the compiled calls is NumPy over the whole
batch, so one Python loop serves all strategies and can be interrupted.

Does not: know strategies, criteria or dtypes by name; it asks the objects it is given.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..schema import Schema
from ..table import Table
from .choice import Chooser, scramble
from .copies import affordable, copies_below, regrow
from .criteria import Criterion
from .kernels import nodes as node_kernels
from .kernels.codes import (
    ALONE,
    BRANCHES,
    COST,
    FEATURE,
    FIRST_KNOWN,
    GAIN,
    IS_MISSING,
    MASS,
    MISSING_BRANCH,
    MULTIWAY,
    POSITION,
    START,
    STOP,
    THRESHOLD,
    WEIGHT,
)
from .kernels.jit import announce
from .kernels.search import search
from .marks import Marks, mark
from .open_columns import Split
from .placing import Placer
from .prepared import Guesses
from .record import Front, Record, n_children
from .reshape import at_training_values
from .rules import DEFAULT_FORM, GrowthLimits, Least, TestForm
from .strategy import Strategy
from .structure import Tree
from .surrogates import SurrogateRule
from .threads import Threads
from .workspace import Workspace

# A batch holds at most so many row numbers, to let Ctrl-C through, and so many (node,
# column) pairs, to bound the memory of their cuts.
BATCH_ROW_NUMBERS = 2**21
BATCH_CUTS = 2**16

# Where rows are divided, children are written before their parents' space is free: a batch
# holds at most this part of the rows, but always so many.
BATCH_PART = 4
BATCH_ROWS = 2**12

# A table says the branch of each level as int16, and missing rows may have one more.
MOST_BRANCHES = 2**15 - 2

# The shares of a divided row may add up to 0.9999999999999999.
SLACK = 1 - 1e-9


def announce_compilation() -> None:
    """Say so when the first tree will have to wait for the compiler."""
    announce(search, node_kernels.sum_up, node_kernels.mark, node_kernels.partition)


def grow(
    table: Table,
    y: NDArray[Any],
    w: NDArray[np.float64] | None,
    n_values: int,
    criterion: Criterion,
    strategy: Strategy,
    limits: GrowthLimits,
    seed: int = 0,
    n_threads: int = 1,
    form: TestForm = DEFAULT_FORM,
    surrogates: SurrogateRule | None = None,
    guesses: Guesses | None = None,
) -> Tree:
    """Grow a tree on a prepared table.

    Parameters
    ----------
    table : Table
    y : ndarray of shape (n,), uint8 or float64
        Class codes 0 .. n_values - 1, or labels.
    w : ndarray of shape (n,), float64, or None
        Positive weights.
    n_values : int
        Number of classes; 1 for regression.
    criterion : Criterion
    strategy : Strategy
    limits : GrowthLimits
    seed : int
        Decides which columns are drawn where `limits.max_features` is less than all.
    n_threads : int, default=1
        Makes no difference to the tree.
    form : TestForm
    surrogates : SurrogateRule or None
        Which surrogates to record; None = none.
    guesses : Guesses or None
        What the missing cells might hold.

    Returns
    -------
    Tree
    """
    with Threads(n_threads) as threads:
        grower = Grower(
            table, y, w, n_values, criterion, strategy, limits, threads, form, surrogates, guesses
        )
        record = grower.run(seed)
    del grower  # and with it the sorted rows
    tree = record.tree(table.schema, surrogates is not None)
    return at_training_values(tree, table) if form.at_training_values else tree


def _refuse_many_levels(schema: Schema) -> None:
    for name, levels in zip(schema.names, schema.levels, strict=False):
        if levels is not None and len(levels) > MOST_BRANCHES:
            raise ValueError(
                f"column {name!r} has {len(levels)} levels, and a test with a child for each takes "
                f"at most {MOST_BRANCHES}; choose categorical='subset' or 'equality', or fewer "
                "levels."
            )


class Grower:
    """The state of one call of `grow`, or of a way down to one node."""

    def __init__(
        self,
        table: Table,
        y: NDArray[Any],
        w: NDArray[np.float64] | None,
        n_values: int,
        criterion: Criterion,
        strategy: Strategy,
        limits: GrowthLimits,
        threads: Threads,
        form: TestForm,
        surrogates: SurrogateRule | None = None,
        guesses: Guesses | None = None,
    ):
        if form.category == MULTIWAY:
            _refuse_many_levels(table.schema)
        self.table = table
        self.strategy = strategy
        self.limits = limits
        self.measure = criterion.measure(n_values)
        self.smallest_gain = criterion.smallest_gain
        divides = strategy.divides and bool(np.isnan(table.values).any())
        share, cap, two_suffice = criterion.side_rule(n_values)
        least = Least(
            limits.min_samples_leaf * SLACK,
            limits.min_weight_leaf * SLACK,
            share * SLACK,
            cap * SLACK,
            two_suffice,
        )
        self.work = Workspace(table, y, w, self.measure, least, divides, form, threads, guesses)
        self.chooser = Chooser(self.work, strategy, criterion, limits.max_features)
        self.record = Record(self.measure)
        self.placer = Placer(self.work, table, strategy, self.record, surrogates)
        n, p = table.values.shape
        self.most_rows = max(n // BATCH_PART, BATCH_ROWS) if divides else BATCH_ROW_NUMBERS // p
        self.few_rows = n <= self.most_rows and not divides  # divided rows may become many
        self.enough = SLACK * max(limits.min_samples_split, 2 * limits.min_samples_leaf)

    def run(self, seed: int) -> Record:
        """Grow from the root until nothing is left to divide."""
        stack = [self._examine(self._root(seed))]
        while stack:
            front = self._take(stack)
            if len(front):
                stack.append(self._examine(self._divide(front)))
        return self.record

    def walk(self, seed: int, path: Sequence[int]) -> list[Front]:
        """Go from the root along some branches, dividing only the nodes on the way.

        Parameters
        ----------
        seed : int
        path : sequence of int
            The branch to take in each node.

        Returns
        -------
        list of Front
            One node each: those that were divided, with their choices and sums, then the
            one where the path ends. Shorter where a node on the way would not be divided.
        """
        fronts: list[Front] = []
        front = self._root(seed)
        for branch in path:
            front = self._examine(front)
            if not len(front):
                return fronts
            fronts.append(front)
            children = self._divide(front)
            if branch >= len(children):
                return fronts
            front = children.take([branch])
        return [*fronts, front]

    def open_columns(self, front: Front) -> NDArray[np.bool_] | None:
        """Columns that may be tested in each node, before any are drawn; None = all."""
        rows = front.batch[:, STOP] - front.batch[:, START]
        allowed = self.strategy.features(front.batch[:, FIRST_KNOWN:], rows)
        if front.allowed is not None:
            allowed = front.allowed if allowed is None else front.allowed & allowed
        if front.copies is not None and not self.strategy.regrows:
            most, work = self.strategy.max_copies, self.work
            few = affordable(front.batch, front.copies, work.most_branches, most)
            allowed = few if allowed is None else few & allowed
        return allowed

    def _root(self, seed: int) -> Front:
        draws = self.limits.max_features < len(self.work.columns)
        seeds = np.array([seed], dtype=np.uint64) if draws else None
        bounded = self.work.divides and np.isfinite(self.strategy.max_copies)
        copies = np.ones(1) if bounded else None
        opening = self.strategy.opening(self.table.schema)
        allowed = None if opening is None else opening[None]
        return Front(self.work.root, np.zeros(1, dtype=np.intp), 0, seeds, allowed, copies=copies)

    def _take(self, stack: list[Front]) -> Front:
        """Take as many nodes as fit from the end."""
        front = stack.pop()
        n = len(front)
        p = len(self.work.columns)
        if n * p <= BATCH_CUTS and self.few_rows:
            return front
        rows = front.batch[::-1, STOP] - front.batch[::-1, START]
        fits = int(np.searchsorted(np.cumsum(rows), self.most_rows, side="right"))
        fits = max(1, min(fits, BATCH_CUTS // p))
        if fits >= n:
            return front
        stack.append(front.take(slice(0, n - fits)))
        return front.take(slice(n - fits, n))

    def _examine(self, front: Front) -> Front:
        """Write down what new nodes are; return those that will be divided, and how."""
        limits = self.limits
        sums = self.work.sum_up(front.batch)
        rows = front.batch[:, STOP] - front.batch[:, START]
        self.record.add(sums, rows, self.work.node_values(front.batch, sums))
        if front.depth >= limits.max_depth:
            return front.take(slice(0, 0))
        is_open = np.flatnonzero(
            (sums[:, COST] > 0)
            & (sums[:, MASS] >= self.enough)
            & (sums[:, WEIGHT] >= 2 * self.work.least.weight)
        )
        if len(is_open) < len(front):
            front, sums = front.take(is_open), sums[is_open]
        if not len(front):
            return front
        choice = self.chooser.choose(front.batch, sums, self.open_columns(front), front.seed)
        gain = choice[:, GAIN]
        worth = gain * sums[:, WEIGHT] > self.smallest_gain * sums[:, COST]
        if limits.min_impurity_decrease > 0:
            earned = gain * sums[:, WEIGHT] / self.record.total_weight
            worth &= earned + np.finfo(float).eps >= limits.min_impurity_decrease
        front.choice, front.sums = choice, sums
        return front if worth.all() else front.take(worth)

    def _divide(self, front: Front) -> Front:
        """Write down the splits of some nodes and divide their rows among children."""
        work, choice = self.work, front.choice
        kind = self.kinds(choice)
        if self.strategy.regrows:
            rows = front.batch[:, STOP] - front.batch[:, START]
            feature = choice[:, FEATURE].astype(np.intp)
            known = front.batch[np.arange(len(front)), FIRST_KNOWN + feature]
            regrow(choice, known, rows, front.copies, self.strategy.max_copies)
        marks = mark(work, front.batch, front.sums, choice, kind)
        width = n_children(choice)
        offset = np.zeros(len(front) + 1, dtype=np.intp)
        np.cumsum(width, out=offset[1:])
        first = self.record.split(front.number, choice, kind, marks, width)
        entries, shares = self.placer.place(front, first, kind, marks, width)
        if work.divides:
            children = work.fork(front.batch, offset, entries, shares)
        else:
            children = work.partition(front.batch, offset)
        parent = np.repeat(np.arange(len(front)), width)
        branch = np.arange(offset[-1]) - offset[parent]
        seeds = front.seed
        if seeds is not None:
            seeds = scramble(seeds[parent] + branch.astype(np.uint64))
        return Front(
            children,
            first[parent] + branch,
            front.depth + 1,
            seeds,
            self._inherited(front, kind, marks, parent, branch),
            copies=copies_below(front.batch, children, parent, front.copies),
        )

    def kinds(self, choice: NDArray[np.float64]) -> NDArray[np.int8]:
        """How each chosen cut tests its column; an is-missing test decides the branch."""
        kind = self.work.columns[choice[:, FEATURE].astype(np.intp), 1].astype(np.int8)
        # A category has no largest value: there, "known | missing" is always such a test.
        alone = (choice[:, POSITION] == ALONE) & (
            (self.strategy.lone_test == "is missing") | (kind != THRESHOLD)
        )
        kind[alone] = IS_MISSING
        choice[alone, MISSING_BRANCH] = 1
        return kind

    def _inherited(
        self,
        front: Front,
        kind: NDArray[np.int8],
        marks: Marks,
        parent: NDArray[np.intp],
        branch: NDArray[np.intp],
    ) -> NDArray[np.bool_] | None:
        """Columns open to each child."""
        allowed = front.allowed
        if allowed is None:
            return None
        schema = self.table.schema
        splits = [
            Split(
                int(f), int(k), float(marks.threshold[b]), int(n), marks.table(b, n_levels), schema
            )
            for b, (f, k, n, n_levels) in enumerate(
                zip(
                    front.choice[:, FEATURE],
                    kind,
                    front.choice[:, BRANCHES],
                    self.work.n_levels[front.choice[:, FEATURE].astype(np.intp)],
                    strict=True,
                )
            )
        ]
        return np.array(
            [
                self.strategy.inherit(allowed[b], splits[b], int(c))
                for b, c in zip(parent, branch, strict=True)
            ]
        )
