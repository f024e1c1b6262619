"""Surrogates: tests of other columns that speak for a node whose column a row misses.

A flat list over the nodes of a tree, as the tree itself is flat arrays. Does not: find them
(`surrogate_search.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..schema import Schema
from .kernels import read_only
from .kernels.codes import SUBSET
from .kernels.route import IS_HOLE, TEST, ask_surrogates
from .words import in_words


class SurrogateRule(NamedTuple):
    """Which surrogates are recorded.

    Attributes
    ----------
    most : int
        How many at most in each node.
    by_known : bool
        Is agreement a part of the rows that know both columns? Else of all that know the
        column that is tested, so that a column with many holes agrees less.
    """

    most: int = 5
    by_known: bool = False


@dataclass(frozen=True, eq=False)
class Surrogates:
    """The surrogates of the m nodes of a tree: s tests, best first in each node. Immutable.

    Attributes
    ----------
    start : ndarray of shape (m + 1,), int32
        Those of node v are start[v] .. start[v + 1].
    feature : ndarray of shape (s,), int32
        Tested column.
    kind : ndarray of shape (s,), int8
        THRESHOLD or SUBSET.
    threshold : ndarray of shape (s,), float64
        NaN for a SUBSET.
    low_branch : ndarray of shape (s,), int8
        Branch of a value that is not above the threshold: 0 or 1.
    level_start : ndarray of shape (s,), int32
        Where the table of a SUBSET begins in `level_branch`; -1 for a THRESHOLD.
    level_branch : ndarray of int16
        The tables: the branch of each level of the column, -1 where it cannot tell.
    agreement : ndarray of shape (s,), float64
        Part of the training weight that it sends where the node's own test does.
    adjusted : ndarray of shape (s,), float64
        The same, counted from what "always the larger branch" would get right (0) to 1.
    """

    start: NDArray[np.int32]
    feature: NDArray[np.int32]
    kind: NDArray[np.int8]
    threshold: NDArray[np.float64]
    low_branch: NDArray[np.int8]
    level_start: NDArray[np.int32]
    level_branch: NDArray[np.int16]
    agreement: NDArray[np.float64]
    adjusted: NDArray[np.float64]

    def __post_init__(self) -> None:
        for array in self.arrays().values():
            array.flags.writeable = False

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self.__post_init__()  # arrays come out of a pickle writeable

    def arrays(self) -> dict[str, NDArray[Any]]:
        """All arrays by name."""
        return {f.name: getattr(self, f.name) for f in fields(self)}

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Surrogates):
            return NotImplemented
        mine, theirs = self.arrays(), other.arrays()
        return all(np.array_equal(mine[name], theirs[name], equal_nan=True) for name in mine)

    __hash__ = None  # type: ignore[assignment]

    def __len__(self) -> int:
        return len(self.feature)

    def of(self, node: int) -> range:
        """Numbers of the surrogates of a node, the best one first."""
        return range(int(self.start[node]), int(self.start[node + 1]))

    def table(self, number: int, schema: Schema) -> NDArray[np.int16]:
        """Branch of each level, where a surrogate tests for levels."""
        start = int(self.level_start[number])
        levels = schema.levels[int(self.feature[number])] or ()
        return self.level_branch[start : start + len(levels)]

    def condition(self, number: int, schema: Schema, branch: int) -> str:
        """Say in words which values a surrogate sends to a branch."""
        feature, kind = int(self.feature[number]), int(self.kind[number])
        levels: tuple[Any, ...] = ()
        if kind == SUBSET:
            its = schema.levels[feature] or ()
            here = np.flatnonzero(self.table(number, schema) == branch)
            levels = tuple(its[i] for i in here)
        side = branch ^ int(self.low_branch[number])
        threshold = float(self.threshold[number])
        return in_words(schema, feature, kind, side, threshold, levels, False)

    @property
    def stand_ins(self) -> tuple[NDArray[Any], ...]:
        """As the kernels read them."""
        tests = np.zeros(len(self), dtype=TEST)
        is_subset = self.kind == SUBSET
        tests["threshold"] = np.where(is_subset, self.level_start, self.threshold)
        tests["feature"] = self.feature
        tests["kind"] = self.kind
        low = self.low_branch.astype(np.int64)
        return tuple(map(read_only, (self.start, tests, low, self.level_branch)))

    def branches(
        self, nodes: NDArray[np.intp], values: NDArray[np.float64], rows: NDArray[np.intp]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Ask the surrogates of nodes about rows that miss the node's column.

        Parameters
        ----------
        nodes : ndarray of shape (r,), intp
            The node of each row.
        values : ndarray of shape (n, p)
        rows : ndarray of shape (r,), intp

        Returns
        -------
        branch : ndarray of shape (r,)
            IS_HOLE where no surrogate can tell.
        spoke : ndarray of shape (r,)
            The surrogate that told it, -1 for none.
        """
        branch = np.full(len(rows), IS_HOLE, dtype=np.int64)
        spoke = np.full(len(rows), -1, dtype=np.int64)
        its = (read_only(nodes), read_only(values), read_only(rows))
        ask_surrogates(self.stand_ins, *its, branch, spoke)
        return branch, spoke

    def take(self, nodes: NDArray[Any]) -> Surrogates:
        """Return the surrogates of a tree that has these nodes, in this order; -1 = a leaf."""
        has = np.flatnonzero(nodes >= 0)
        count, first = np.zeros((2, len(nodes)), dtype=np.int64)
        count[has] = np.diff(self.start)[nodes[has]]
        first[has] = self.start[nodes[has]]
        start = np.concatenate([[0], np.cumsum(count)]).astype(np.int32)
        chosen = np.arange(start[-1]) + np.repeat(first - start[:-1], count)
        parts = {name: a[chosen] for name, a in self.arrays().items() if name in PER_TEST}
        tables, at = [np.empty(0, dtype=np.int16)], 0
        bounds = np.append(self.level_start[self.level_start >= 0], len(self.level_branch))
        for i in np.flatnonzero(parts["level_start"] >= 0):
            begin = int(parts["level_start"][i])
            stop = int(bounds[np.searchsorted(bounds, begin, side="right")])
            tables.append(self.level_branch[begin:stop])
            parts["level_start"][i] = at
            at += stop - begin
        return Surrogates(start=start, level_branch=np.concatenate(tables), **parts)


PER_TEST = ("feature", "kind", "threshold", "low_branch", "level_start", "agreement", "adjusted")


def joined(parts: Sequence[tuple[NDArray[np.intp], Surrogates]], n_nodes: int) -> Surrogates:
    """Put the surrogates of several batches of nodes together.

    Parameters
    ----------
    parts : sequence of (number, Surrogates)
        The numbers of a batch's nodes in the tree, and their surrogates.
    n_nodes : int
        Of the tree.

    Returns
    -------
    Surrogates
    """
    place = np.full(n_nodes, -1)
    at = tests = levels = 0
    starts = [np.zeros(1, dtype=np.int32)]
    columns: dict[str, list[NDArray[Any]]] = {name: [] for name in PER_TEST}
    tables: list[NDArray[np.int16]] = [np.empty(0, dtype=np.int16)]
    for number, its in parts:
        place[number] = at + np.arange(len(number))
        at += len(number)
        starts.append(its.start[1:] + tests)
        tests += len(its)
        for name in PER_TEST:
            column = getattr(its, name)
            if name == "level_start":
                column = np.where(column >= 0, column + levels, column)
            columns[name].append(column)
        tables.append(its.level_branch)
        levels += len(its.level_branch)
    whole = Surrogates(
        start=np.concatenate(starts).astype(np.int32),
        level_branch=np.concatenate(tables),
        **{
            name: np.concatenate([np.empty(0, dtype=DTYPES[name]), *its]).astype(DTYPES[name])
            for name, its in columns.items()
        },
    )
    return whole.take(place)


DTYPES = {
    "feature": np.int32, "kind": np.int8, "threshold": np.float64, "low_branch": np.int8,
    "level_start": np.int32, "agreement": np.float64, "adjusted": np.float64,
}  # fmt: skip


def recorded(surrogates: Surrogates | None, asker: str) -> Surrogates:
    """Return the surrogates of a tree, if it has them.

    Parameters
    ----------
    surrogates : Surrogates or None
    asker : str
        Who needs them, for the message.

    Returns
    -------
    Surrogates

    Raises
    ------
    ValueError
        Where none were recorded.
    """
    if surrogates is None:
        raise ValueError(
            f"{asker} needs the surrogates of the tree, and it has none; fit with "
            "record_surrogates=True, or grow it by a strategy that asks them."
        )
    return surrogates
