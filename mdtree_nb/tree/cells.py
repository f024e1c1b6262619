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
from .kernels.agree import agreeing
from .kernels.codes import EQUALS, IS_MISSING, SUBSET, THRESHOLD
from .structure import Tree

Floats = NDArray[np.float64]


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
    columns : ndarray of shape (d,)
        Tested columns, those of most cells first: so a search soon has few rows left.
    top : ndarray of shape (d,), int32
        The cell of missing values, the last one. A category's last but one is for levels that
        were not there at fit.
    """

    def __init__(self, tree: Tree):
        self.tree = tree
        inner = np.flatnonzero(~tree.is_leaf)
        columns = np.unique(tree.feature[inner])
        levels = tree.schema.levels
        self.edges = {int(f): _edges(tree, int(f)) for f in columns}
        size = [1 + len(self.edges[f] if levels[f] is None else levels[f] or ()) for f in columns]
        order = np.argsort(np.negative(size), kind="stable")
        self.columns = columns[order]
        self.top = np.array(size, dtype=np.int32)[order]
        is_category = tree.schema.is_category[self.columns]
        room = np.where(is_category, self.top + 1, 0).astype(np.int64)
        self._offset = np.where(is_category, np.cumsum(room) - room, -1)
        self._room = int(room.sum())
        self._tests = self._as_integers(inner)

    def _as_integers(self, inner: NDArray[np.intp]) -> NDArray[np.int64]:
        """Write the tests as the kernel reads them."""
        tree = self.tree
        tests = np.zeros((tree.n_nodes, 3), dtype=np.int64)
        place = np.zeros(tree.schema.n_features, dtype=np.int64)
        place[self.columns] = np.arange(len(self.columns))
        tests[inner, 0] = place[tree.feature[inner]]
        tests[inner, 1] = tree.kind[inner]
        equals = inner[tree.kind[inner] == EQUALS]
        tests[equals, 2] = tree.threshold[equals]
        table = inner[tree.kind[inner] >= SUBSET]
        tests[table, 2] = tree.level_start[table]
        for f, edges in self.edges.items():
            here = inner[(tree.feature[inner] == f) & (tree.kind[inner] == THRESHOLD)]
            tests[here, 2] = np.searchsorted(edges, tree.threshold[here])
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
        cells = np.empty((len(self.columns), table.n_rows), dtype=np.int32)
        for d, f in enumerate(map(int, self.columns)):
            values = table.values[:, f]
            if self._offset[d] < 0:
                cells[d] = np.searchsorted(self.edges[f], values)
            else:
                cells[d] = np.where(values < 0, self.top[d] - 1, np.nan_to_num(values))
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
        d, kind, at = self._tests[node]
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

    def agreeing(
        self,
        training: dict[str, Any],
        queries: NDArray[np.int32],
        nodes: NDArray[np.int64],
        span: NDArray[np.int64],
    ) -> Found:
        """Add up the training rows that agree with each query on some tests.

        A row agrees if it can answer every test that the query can answer, and likewise.

        Parameters
        ----------
        training : dict
            Of arrays: `cells`, as `condensed` makes them, their number of `rows`, `weight` and
            `value`.
        queries : ndarray of shape (d, q), int32
        nodes : ndarray of int64
            The tests that count, for query i those from span[i, 0] to span[i, 1].
        span : ndarray of shape (q, 2), int64

        Returns
        -------
        Found
        """
        n, d = queries.shape[1], len(self.columns)
        n_values = training["value"].shape[1]
        found = Found(np.zeros(n, dtype=np.int64), np.zeros(n), np.zeros((n, n_values)))
        agreeing(
            _plain(training["cells"]),
            _plain(training["rows"]),
            _plain(training["weight"]),
            _plain(training["value"]),
            np.ascontiguousarray(queries.T),
            self._tests,
            self.tree.level_branch.copy(),
            nodes,
            span,
            self.top,
            self._offset,
            np.empty(d, dtype=np.int32),
            np.empty(d, dtype=np.int32),
            np.empty(self._room, dtype=bool),
            np.empty((d + 1, 2), dtype=np.int64),
            *found,
        )
        return found

    def check(self, training: dict[str, Any]) -> None:
        """Refuse training rows that this tree cannot have; they may come out of a file.

        Parameters
        ----------
        training : dict
            See `agreeing`.

        Raises
        ------
        ValueError
            Saying what is wrong.
        """
        wanted = {"cells": "int32", "rows": "int64", "weight": "float64", "value": "float64"}
        for name, dtype in wanted.items():
            array = training.get(name)
            if not isinstance(array, np.ndarray) or array.dtype != dtype:
                raise ValueError(f"its training rows need an array {name!r} of type {dtype}")
        cells, rows = training["cells"], training["rows"]
        n, shape = len(rows), self.tree.value.shape
        fits = cells.shape == (len(self.columns), n) and rows.shape == training["weight"].shape
        if not fits or n < 1 or training["value"].shape != (n, shape[1]):
            raise ValueError("its training rows have the shape of another tree's")
        if (cells < 0).any() or (cells > self.top[:, None]).any():
            raise ValueError("a training row is in a cell that its column does not have")
        if len(distinct(cells)[1]) < n or (np.diff(np.lexsort(cells[::-1]), prepend=-1) != 1).any():
            raise ValueError("the training rows must be sorted by their cells, each once")
        if (rows < 1).any() or not (training["weight"] > 0).all():
            raise ValueError("every training row has a count and a weight above 0")
        if not np.isfinite([training["weight"].sum(), training["value"].sum()]).all():
            raise ValueError("the training rows' weights and values must be finite")


def condensed(
    cells: NDArray[np.int32], weight: Floats, values: Floats
) -> dict[str, NDArray[Any]]:
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


def _plain(array: NDArray[Any]) -> NDArray[Any]:
    """Return an array that a kernel has seen before: writeable and in C order."""
    return np.require(array, requirements=["C", "W"])
