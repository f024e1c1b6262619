"""What is written down while a tree grows, put together to a Tree at the end.

Called by `growth.py`: `add` for every batch of new nodes, `split` when nodes are divided.
Lists of small arrays, one per batch, so that a batch costs little.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..schema import Schema
from .kernels.codes import (
    BRANCHES,
    BY_RULE,
    CHOICE_COLUMNS,
    COST,
    EQUALS,
    FEATURE,
    FIRST_STAT,
    GAIN,
    MASS,
    MISSING_BRANCH,
    MISSING_WEIGHT,
    THRESHOLD,
    WEIGHT,
)
from .marks import Marks
from .measure import Measure
from .reshape import renumbered
from .structure import Tree
from .surrogates import Surrogates, joined
from .workspace import Batch, Workspace

Floats = NDArray[np.float64]


@dataclass
class Front:
    """A batch of nodes of one depth and what goes with them.

    Attributes
    ----------
    batch : ndarray of shape (b, FIRST_KNOWN + p)
        Their rows.
    number : ndarray of shape (b,)
        Their numbers in the tree.
    depth : int
    seed : ndarray of shape (b,), uint64, or None
        What is drawn in a node depends on its path alone, not on the order of growing;
        None = nothing is drawn.
    allowed : ndarray of shape (b, p), bool, or None
        Columns open to the node and what lies below it; None = all.
    choice : ndarray of shape (b, CHOICE_COLUMNS)
        Their splits; empty as long as they are not chosen.
    sums : ndarray of shape (b, FIRST_STAT + T)
        Their sums; empty as long as they are not known.
    copies : ndarray of shape (b,) or None
        How often the tests above have multiplied rows by copying them; None = no bound.
    """

    batch: Batch
    number: NDArray[np.intp]
    depth: int
    seed: NDArray[np.uint64] | None
    allowed: NDArray[np.bool_] | None
    choice: Floats = field(default_factory=lambda: np.empty((0, CHOICE_COLUMNS)))
    sums: Floats = field(default_factory=lambda: np.empty((0, FIRST_STAT)))
    copies: Floats | None = None

    def __len__(self) -> int:
        return len(self.number)

    def take(self, nodes: Any) -> Front:
        """Return some of the nodes."""
        return Front(
            self.batch[nodes],
            self.number[nodes],
            self.depth,
            None if self.seed is None else self.seed[nodes],
            None if self.allowed is None else self.allowed[nodes],
            self.choice[nodes] if len(self.choice) else self.choice,
            self.sums[nodes] if len(self.sums) else self.sums,
            None if self.copies is None else self.copies[nodes],
        )


class Record:
    """Nodes and splits of a growing tree.

    Parameters
    ----------
    measure : Measure
    """

    def __init__(self, measure: Measure):
        self.measure = measure
        self.total_weight = 0.0
        self._sums: list[Floats] = []
        self._rows: list[NDArray[np.int64]] = []
        self._values: list[Floats] = []
        self._splits: list[_Splits] = []
        self._arrived: list[tuple[NDArray[np.intp], Floats]] = []
        self._surrogates: list[tuple[NDArray[np.intp], Surrogates]] = []
        self._n_nodes = 1

    def add(self, sums: Floats, rows: NDArray[np.int64], value: Floats) -> None:
        """Add nodes, in the order of their numbers."""
        if not self._sums:
            self.total_weight = float(sums[0, WEIGHT])
        self._sums.append(sums)
        self._rows.append(rows)
        self._values.append(value)

    def split(
        self,
        number: NDArray[np.intp],
        choice: Floats,
        kind: NDArray[np.int8],
        marks: Marks,
        n_children: NDArray[np.intp],
    ) -> NDArray[np.intp]:
        """Add the splits of some nodes; returns the number of each one's first child."""
        first = self._n_nodes + np.cumsum(n_children) - n_children
        self._n_nodes += int(n_children.sum())
        self._splits.append(_Splits(number, choice, kind, marks, n_children, first))
        return first

    def arrive(self, number: NDArray[np.intp], weight: Floats) -> None:
        """Note how much weight came to some children through a missing value."""
        self._arrived.append((number, weight))

    def stand_in(self, number: NDArray[np.intp], surrogates: Surrogates) -> None:
        """Note the surrogates of some nodes."""
        self._surrogates.append((number, surrogates))

    def tree(self, schema: Schema, with_surrogates: bool = False) -> Tree:
        """Put the tree together."""
        arrays = _leaves(
            np.concatenate(self._sums), np.concatenate(self._rows), np.concatenate(self._values)
        )
        if self._splits:
            _write_splits(arrays, _joined(self._splits))
        _fill_empty(arrays)
        for number, weight in self._arrived:
            arrays["arrived_missing"][number] = weight
        its = joined(self._surrogates, self._n_nodes) if with_surrogates else None
        return renumbered(Tree(schema, **arrays, surrogates=its))

    def stumps(
        self,
        schema: Schema,
        work: Workspace,
        front: Front,
        kind: NDArray[np.int8],
        marks: Marks,
        with_values: bool,
    ) -> Tree:
        """Return the splits of some nodes as a tree of their own.

        Nodes 1, 2, ... are those that are split; then come their children, which have just
        their known rows. Node 0 only holds them together.
        """
        choice, b = front.choice, len(front)
        n = n_children(choice)
        start = np.cumsum(n) - n
        feature = choice[:, FEATURE].astype(np.intp)
        known = [work.known_entries(*its) for its in zip(front.batch, feature, strict=True)]
        entries = np.concatenate(known)
        group = np.repeat(start, list(map(len, known))) + work.branch[entries]
        y, w = work.y[entries], work.weights_of(entries)
        if with_values:
            sums, value = self.measure.summaries(y, w, group, n)
        else:
            sums, value = self.measure.counts(w, group, n)
        sums, value = (np.concatenate([its[:1], its]) for its in (sums, value))
        arrays = _leaves(sums, sums[:, MASS].astype(np.int64), value)
        arrays["feature"][0], arrays["first_child"][0], arrays["n_children"][0] = 0, 1, b
        splits = _Splits(1 + np.arange(b), choice, kind, marks, n, 1 + b + start)
        _write_splits(arrays, splits)
        return Tree(schema, **arrays, surrogates=None)


def n_children(choice: Floats) -> NDArray[np.intp]:
    """Children of splits: their branches, and one more where missing rows have their own."""
    branches = choice[:, BRANCHES].astype(np.intp)
    return branches + (choice[:, MISSING_BRANCH] == branches)


class _Splits(NamedTuple):
    """Splits of a batch of nodes: their numbers, what was chosen, their first children."""

    number: NDArray[np.intp]
    choice: Floats
    kind: NDArray[np.int8]
    marks: Marks
    n_children: NDArray[np.intp]
    first: NDArray[np.intp]


def _joined(splits: list[_Splits]) -> _Splits:
    """Put the splits of several batches together."""
    number, choice, kind, marks, n_children, first = zip(*splits, strict=True)
    threshold, offset, share, table_at, tables = zip(*marks, strict=True)
    at_share = np.cumsum([0, *map(len, share)])
    at_table = np.cumsum([0, *map(len, tables)])
    joined = Marks(
        np.concatenate(threshold),
        np.concatenate(
            [*(o[:-1] + at for o, at in zip(offset, at_share[:-1], strict=True)), at_share[-1:]]
        ),
        np.concatenate(share),
        np.concatenate(
            [np.where(t < 0, t, t + at) for t, at in zip(table_at, at_table[:-1], strict=True)]
        ),
        np.concatenate(tables),
    )
    return _Splits(
        np.concatenate(number),
        np.concatenate(choice),
        np.concatenate(kind),
        joined,
        np.concatenate(n_children),
        np.concatenate(first),
    )


def _leaves(sums: Floats, rows: NDArray[np.int64], value: Floats) -> dict[str, NDArray[Any]]:
    """Arrays of a Tree whose nodes are all leaves."""
    m = len(sums)
    weight = sums[:, WEIGHT]
    return {
        "feature": np.full(m, -1, dtype=np.int32),
        "kind": np.zeros(m, dtype=np.int8),
        "threshold": np.full(m, np.nan),
        "first_child": np.zeros(m, dtype=np.int32),
        "n_children": np.zeros(m, dtype=np.int32),
        "missing_branch": np.full(m, BY_RULE, dtype=np.int16),
        "value": value,
        "weight": weight.copy(),
        "rows": rows,
        "impurity": sums[:, COST] / np.where(weight > 0, weight, 1.0),
        "gain": np.zeros(m),
        "missing_weight": np.zeros(m),
        "share": np.ones(m),
        "arrived_missing": np.zeros(m),
        "level_start": np.full(m, -1, dtype=np.int32),
        "level_branch": np.empty(0, dtype=np.int16),
    }


def _write_splits(arrays: dict[str, NDArray[Any]], splits: _Splits) -> None:
    """Turn some leaves into inner nodes."""
    number, choice, kind, marks, n_children, first = splits
    missing_branch = choice[:, MISSING_BRANCH].astype(np.int16)
    by_threshold = (kind == THRESHOLD) | (kind == EQUALS)
    arrays["feature"][number] = choice[:, FEATURE]
    arrays["kind"][number] = kind
    arrays["threshold"][number] = np.where(by_threshold, marks.threshold, np.nan)
    arrays["first_child"][number] = first
    arrays["n_children"][number] = n_children
    arrays["missing_branch"][number] = missing_branch
    arrays["gain"][number] = choice[:, GAIN]
    arrays["missing_weight"][number] = choice[:, MISSING_WEIGHT]
    arrays["level_start"][number] = marks.table_at
    arrays["level_branch"] = marks.tables
    child = np.repeat(first - marks.offset[:-1], np.diff(marks.offset))
    arrays["share"][np.repeat(first, n_children) + _places(n_children)] = 0.0
    arrays["share"][child + np.arange(len(marks.share))] = marks.share
    decided = missing_branch != BY_RULE
    arrived = first[decided] + missing_branch[decided]
    arrays["arrived_missing"][arrived] = choice[decided, MISSING_WEIGHT]


def _fill_empty(arrays: dict[str, NDArray[Any]]) -> None:
    """Let children without rows answer as their parent: its mean, or its most frequent class."""
    empty = np.flatnonzero(arrays["weight"] == 0)
    if not len(empty):
        return
    inner = np.flatnonzero(arrays["n_children"])
    n_children = arrays["n_children"][inner]
    child = np.repeat(arrays["first_child"][inner], n_children) + _places(n_children)
    parent = np.zeros(len(arrays["weight"]), dtype=np.intp)
    parent[child] = np.repeat(inner, n_children)
    value = arrays["value"]
    value[empty] = value[parent[empty]]
    if value.shape[1] > 1:
        value[empty] = np.eye(value.shape[1])[value[empty].argmax(axis=1)]


def _places(n_children: NDArray[np.intp]) -> NDArray[np.intp]:
    """Place of every child among its siblings, node after node."""
    stop = np.cumsum(n_children)
    return np.arange(stop[-1]) - np.repeat(stop - n_children, n_children)
