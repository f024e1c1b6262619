"""Training rows as a tree sees them, and those of them that agree with a row.

All tests of a column together divide it into cells: intervals between thresholds, or levels,
and one cell for missing values. Two rows in the same cells take the same branch in every node
of the tree, so a cell per row and column holds all that a row and a node would, in far less
room: a column has one cell, a tree may have ten thousand nodes.

Called by strategies that answer from the training rows. Does not: say what rows that agree
are worth.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..table import Table
from .kernels import read_only
from .kernels.agree import (
    AT,
    BLOCK,
    COLUMN_PARTS,
    FIRST_BITS,
    GROUP,
    KIND,
    N_GROUPS,
    OFFSET,
    PLACE,
    TOP,
    WHOLE_CELL,
    agreeing,
    write_bits,
)
from .kernels.codes import EQUALS, IS_MISSING, SUBSET, THRESHOLD
from .structure import Tree

Floats = NDArray[np.float64]

# Bits are kept for so many groups of a column's cells, for a category for so many levels.
MOST_GROUPS = 64


class Found(NamedTuple):
    """What the training rows that agree with each query add up to.

    Attributes
    ----------
    rows : ndarray of shape (q,), int64
    weight : ndarray of shape (q,)
    value : ndarray of shape (q, K)
        Weight times value.
    """

    rows: NDArray[np.int64]
    weight: Floats
    value: Floats


class Cells:
    """The cells into which a tree's tests divide the columns.

    Parameters
    ----------
    tree : Tree

    Attributes
    ----------
    features : ndarray of shape (d,)
        Tested columns, those of most cells first: so a search soon has few rows left.
    top : ndarray of shape (d,)
        The cell of missing values, the last one. A category's last but one is for levels that
        were not there at fit.
    tests : ndarray of shape (m + d, 3), int64
        The nodes' tests in terms of cells, then one per column for all its thresholds; see
        `kernels/agree.py`.
    all_tests : ndarray of int64
        The fewest of `tests` that ask all there is to ask.
    """

    def __init__(self, tree: Tree):
        self.tree = tree
        inner = np.flatnonzero(~tree.is_leaf)
        features = np.unique(tree.feature[inner])
        levels = tree.schema.levels
        self.edges = {int(f): _edges(tree, int(f)) for f in features}
        size = [1 + len(self.edges[f] if levels[f] is None else levels[f] or ()) for f in features]
        order = np.argsort(np.negative(size), kind="stable")
        self.features = features[order]
        self.top = np.array(size, dtype=np.int64)[order]
        self.is_category = tree.schema.is_category[self.features]
        self.tests = self._as_integers(inner)
        with_edges = [d for d, f in enumerate(self.features) if len(self.edges[f])]
        others = inner[tree.kind[inner] != THRESHOLD]
        self.all_tests = np.append(np.add(with_edges, tree.n_nodes), others).astype(np.int64)

    def _as_integers(self, inner: NDArray[np.intp]) -> NDArray[np.int64]:
        """Write the tests as the kernel reads them."""
        tree = self.tree
        m, d = tree.n_nodes, len(self.features)
        tests = np.zeros((m + d, 3), dtype=np.int64)
        tests[m:, PLACE] = np.arange(d)
        tests[m:, KIND] = WHOLE_CELL
        place = np.zeros(tree.schema.n_features, dtype=np.int64)
        place[self.features] = np.arange(len(self.features))
        tests[inner, PLACE] = place[tree.feature[inner]]
        tests[inner, KIND] = tree.kind[inner]
        equals = inner[tree.kind[inner] == EQUALS]
        tests[equals, AT] = tree.threshold[equals]
        table = inner[tree.kind[inner] >= SUBSET]
        tests[table, AT] = tree.level_start[table]
        for f, edges in self.edges.items():
            here = inner[(tree.feature[inner] == f) & (tree.kind[inner] == THRESHOLD)]
            tests[here, AT] = np.searchsorted(edges, tree.threshold[here])
        return tests

    def of(self, table: Table) -> NDArray[np.int32]:
        """Say in which cells rows are.

        Parameters
        ----------
        table : Table

        Returns
        -------
        ndarray of shape (d, n)
        """
        cells = np.empty((len(self.features), table.n_rows), dtype=np.int32)
        for d, f in enumerate(map(int, self.features)):
            values = table.values[:, f]
            if self.is_category[d]:
                unseen = self.top[d] - 1
                cells[d] = np.where((values >= 0) & (values < unseen), values, unseen)
            else:
                cells[d] = np.searchsorted(self.edges[f], values)
            cells[d, np.isnan(values)] = self.top[d]
        return cells

    def branches(self, node: int, cells: NDArray[np.int32]) -> NDArray[np.int64]:
        """Branch that rows take in a node; -1 where they cannot answer its test.

        Parameters
        ----------
        node : int
        cells : ndarray of shape (d, n)

        Returns
        -------
        ndarray of shape (n,)
        """
        d, kind, at = self.tests[node]
        top, here = int(self.top[d]), cells[d]
        if kind == IS_MISSING:
            return (here == top).astype(np.int64)
        if kind == THRESHOLD:
            branch = (here > at).astype(np.int64)
        elif kind == EQUALS:
            branch = (here != at).astype(np.int64)
        else:
            branch = np.append(self.tree.level_table(node), [-1, -1]).astype(np.int64)[here]
        branch[here == top] = -1
        return branch


class TrainingRows:
    """What a strategy keeps of its training rows, made ready to be asked.

    Parameters
    ----------
    tree : Tree
    training : dict
        Of arrays: `cells`, as `condensed` makes them, their number of `rows`, `weight` and
        `value`.

    Raises
    ------
    ValueError
        For rows that the tree cannot have; they may come out of a file.
    """

    def __init__(self, tree: Tree, training: dict[str, Any]):
        self.its = Cells(tree)
        self._check(training)
        self.rows, self.weight = read_only(training["rows"]), read_only(training["weight"])
        self.value, self.cells = read_only(training["value"]), read_only(training["cells"])
        its = self.its
        groups = np.where(its.is_category, its.top + 1, its.top)
        size = np.where(its.is_category, groups <= MOST_GROUPS, -(-groups // MOST_GROUPS))
        n_groups = np.where(size > 0, -(-groups // np.maximum(size, 1)), 0)
        room = np.where(its.is_category, its.top + 1, 0)
        self._room = int(room.sum())
        self._columns = np.zeros((len(its.top), COLUMN_PARTS), dtype=np.int64)
        self._columns[:, TOP] = its.top
        self._columns[:, FIRST_BITS] = np.cumsum(n_groups) - n_groups
        self._columns[:, OFFSET] = np.where(its.is_category, np.cumsum(room) - room, -1)
        self._columns[:, GROUP] = size
        self._columns[:, N_GROUPS] = n_groups
        words = -(-len(self.rows) // (64 * BLOCK)) * BLOCK
        self._bits = np.zeros((int(n_groups.sum()), words), dtype=np.uint64)
        write_bits(self.cells, self._columns, self._bits)

    def agreeing(
        self, queries: NDArray[np.int32], nodes: NDArray[np.int64], span: NDArray[np.int64]
    ) -> Found:
        """Add up the training rows that agree with each query on some tests.

        A row agrees if it can answer every test that the query can answer, and likewise.

        Parameters
        ----------
        queries : ndarray of shape (d, q), int32
            Cells.
        nodes : ndarray of int64
            The tests that count, for query i those from span[i, 0] to span[i, 1].
        span : ndarray of shape (q, 2), int64

        Returns
        -------
        Found
        """
        n, d = queries.shape[1], len(self._columns)
        found = Found(np.zeros(n, dtype=np.int64), np.zeros(n), np.zeros((n, self.value.shape[1])))
        agreeing(
            self.cells,
            self.rows,
            self.weight,
            self.value,
            self._bits,
            np.ascontiguousarray(queries.T),
            self.its.tests,
            self.its.tree.level_branch,
            nodes,
            span,
            self._columns,
            np.empty(d, dtype=np.int64),
            np.empty(d, dtype=np.int64),
            np.empty(self._room, dtype=bool),
            np.empty(2 * d + self._room, dtype=np.int64),
            np.empty(d, dtype=np.int64),
            np.empty(BLOCK, dtype=np.uint64),
            *found,
        )
        return found

    def _check(self, training: dict[str, Any]) -> None:
        wanted = {"cells": "int32", "rows": "int64", "weight": "float64", "value": "float64"}
        for name, dtype in wanted.items():
            array = training.get(name)
            if not isinstance(array, np.ndarray) or array.dtype != dtype:
                raise ValueError(f"its training rows need an array {name!r} of type {dtype}")
        cells, rows, weight, value = (training[name] for name in wanted)
        n, tree = len(rows.ravel()), self.its.tree
        shapes = (len(self.its.top), n), (n,), (n,), (n, tree.value.shape[1])
        if n < 1 or tuple(a.shape for a in (cells, rows, weight, value)) != shapes:
            raise ValueError("its training rows have the shape of another tree's")
        if (cells < 0).any() or (cells > self.its.top[:, None]).any():
            raise ValueError("a training row is in a cell that its column does not have")
        if (rows < 1).any() or not (weight > 0).all():
            raise ValueError("every training row has a count and a weight above 0")
        if not np.isfinite(weight.sum()) or not np.isfinite(weight @ value).all():
            raise ValueError("the training rows' weights and values must be finite")


def condensed(cells: NDArray[np.int32], weight: Floats, values: Floats) -> dict[str, NDArray[Any]]:
    """Put rows in the same cells together and sort them by their cells.

    Parameters
    ----------
    cells : ndarray of shape (d, n), int32
    weight : ndarray of shape (n,)
    values : ndarray of shape (n, K)

    Returns
    -------
    dict
        `cells`, `rows`, `weight` and the mean `value` of each group.
    """
    order, starts = distinct(cells)
    total = np.add.reduceat(weight[order], starts)
    summed = np.add.reduceat(weight[order, None] * values[order], starts)
    return {
        "cells": np.ascontiguousarray(cells[:, order[starts]]),
        "rows": np.diff(np.append(starts, len(order))).astype(np.int64),
        "weight": total,
        "value": summed / total[:, None],
    }


def distinct(cells: NDArray[np.int32]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Sort rows by their cells, and find where different ones begin.

    Parameters
    ----------
    cells : ndarray of shape (d, n), int32

    Returns
    -------
    order : ndarray of shape (n,)
    starts : ndarray
        Places in `order`.
    """
    n = cells.shape[1]
    order = np.lexsort(cells[::-1]) if len(cells) else np.arange(n)
    differs = np.zeros(n, dtype=bool)
    differs[:1] = True
    for column in cells:
        its = column[order]
        differs[1:] |= its[1:] != its[:-1]
    return order, np.flatnonzero(differs)


def _edges(tree: Tree, feature: int) -> Floats:
    """Thresholds of a column, each once, in order."""
    return np.unique(tree.threshold[(tree.feature == feature) & (tree.kind == THRESHOLD)])
