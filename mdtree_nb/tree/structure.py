"""A fitted tree: flat arrays, one entry per node.

Node 0 is the root; siblings are neighbours; a parent comes before its children; nodes
are numbered level by level, whatever the order in which they grew. `Tree.frame()` is
the single source for text, plots, widgets and exports.

Does not: grow, route or predict; see `growth.py` and `routing.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ..schema import Schema
from .kernels.codes import BY_RULE, EQUALS, IS_MISSING, MULTIWAY, SUBSET, THRESHOLD
from .surrogates import Surrogates, recorded
from .words import in_words

KIND_NAMES = {
    THRESHOLD: "threshold",
    EQUALS: "equals",
    IS_MISSING: "is missing",
    SUBSET: "subset",
    MULTIWAY: "multiway",
}

NO_ARRAYS = ("schema", "surrogates")  # fields of a Tree that are something else

ROUNDING = 1e-9  # a part of a weight that is smaller came out of subtracting

__all__ = ["BY_RULE", "KIND_NAMES", "Tree"]


@dataclass(frozen=True, eq=False)
class Tree:
    """A decision tree as flat arrays over its m nodes. Immutable.

    Attributes
    ----------
    schema : Schema
        Names and levels of the columns.
    feature : ndarray of shape (m,), int32
        Tested column, -1 for a leaf.
    kind : ndarray of shape (m,), int8
        How it is tested: THRESHOLD (x <= threshold is branch 0), EQUALS (x == threshold, a
        level code, is branch 0), IS_MISSING (known is branch 0, missing is branch 1), SUBSET
        or MULTIWAY (a table says the branch of each level).
    threshold : ndarray of shape (m,), float64
        NaN where there is none.
    first_child, n_children : ndarray of shape (m,), int32
        Children are first_child, first_child + 1, ...; 0 and 0 for a leaf.
    missing_branch : ndarray of shape (m,), int16
        Branch that the missing rows took, or would have taken, in training; BY_RULE where
        the strategy decides row by row or divides rows. A branch one past those of the
        test is a child of their own.
    value : ndarray of shape (m, K), float64
        Share of each class, or the mean (K = 1).
    weight : ndarray of shape (m,), float64
        Training weight that reached the node.
    rows : ndarray of shape (m,), int64
        Training rows of which at least a part reached the node.
    impurity, gain : ndarray of shape (m,), float64
        Impurity of the node; gain of its split, 0 for a leaf.
    missing_weight : ndarray of shape (m,), float64
        Weight of the rows here that miss the tested column.
    share : ndarray of shape (m,), float64
        Of the parent's rows with a known value, the part that went to this node; 1 for
        the root.
    arrived_missing : ndarray of shape (m,), float64
        Weight that came here from the parent through a missing value.
    level_start : ndarray of shape (m,), int32
        Where the node's table begins in `level_branch`; -1 if it has none.
    level_branch : ndarray of int16
        The tables, one entry per level of the tested column: its branch, or -1 for a level
        that no training row of the node had.
    surrogates : Surrogates or None
        Tests that stand in for those of the nodes; None = none were recorded.
    """

    schema: Schema
    feature: NDArray[np.int32]
    kind: NDArray[np.int8]
    threshold: NDArray[np.float64]
    first_child: NDArray[np.int32]
    n_children: NDArray[np.int32]
    missing_branch: NDArray[np.int16]
    value: NDArray[np.float64]
    weight: NDArray[np.float64]
    rows: NDArray[np.int64]
    impurity: NDArray[np.float64]
    gain: NDArray[np.float64]
    missing_weight: NDArray[np.float64]
    share: NDArray[np.float64]
    arrived_missing: NDArray[np.float64]
    level_start: NDArray[np.int32]
    level_branch: NDArray[np.int16]
    surrogates: Surrogates | None = None

    def __post_init__(self) -> None:
        for array in self.arrays().values():
            array.flags.writeable = False

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self.__post_init__()  # arrays come out of a pickle writeable

    def arrays(self) -> dict[str, NDArray[Any]]:
        """All arrays by name."""
        return {f.name: getattr(self, f.name) for f in fields(self) if f.name not in NO_ARRAYS}

    def with_shares(self, share: NDArray[np.float64]) -> Tree:
        """Return the same tree with other shares; what was worked out about its shape is kept."""
        other: Tree = object.__new__(type(self))
        vars(other).update(vars(self))
        vars(other).pop("majority_branch", None)  # the one thing that depends on shares
        share.flags.writeable = False
        vars(other)["share"] = share
        return other

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tree):
            return NotImplemented
        mine, theirs = self.arrays(), other.arrays()
        same = self.schema == other.schema and self.surrogates == other.surrogates
        return same and all(
            np.array_equal(mine[name], theirs[name], equal_nan=True) for name in mine
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Tree({self.n_nodes} nodes, {self.n_leaves} leaves, depth {self.max_depth})"

    @property
    def n_nodes(self) -> int:
        """Number of nodes."""
        return len(self.feature)

    @property
    def n_leaves(self) -> int:
        """Number of leaves."""
        return int(np.count_nonzero(self.is_leaf))

    @property
    def max_depth(self) -> int:
        """Depth of the deepest node; a single node has depth 0."""
        return int(self.depth.max())

    @property
    def is_leaf(self) -> NDArray[np.bool_]:
        """Which nodes are leaves."""
        return self.feature < 0

    @cached_property
    def parent(self) -> NDArray[np.int32]:
        """Parent of each node, -1 for the root."""
        parent = np.full(self.n_nodes, -1, dtype=np.int32)
        inner = np.flatnonzero(~self.is_leaf)
        parent[1:] = np.repeat(inner, self.n_children[inner])
        return parent

    @cached_property
    def branch(self) -> NDArray[np.int32]:
        """Place of each node among its siblings, 0 for the root."""
        branch = np.arange(self.n_nodes, dtype=np.int32)
        branch[1:] -= self.first_child[self.parent[1:]]
        return branch

    @cached_property
    def depth(self) -> NDArray[np.int32]:
        """Depth of each node, 0 for the root."""
        depth = np.zeros(self.n_nodes, dtype=np.int32)
        for nodes in self._levels():
            depth[nodes] = depth[self.parent[nodes[0]]] + 1
        return depth

    def _levels(self) -> Iterator[NDArray[np.int64]]:
        """Nodes of depth 1, 2, ...: each level is a run of numbers."""
        start, stop = 0, 1
        while True:
            children = int(self.n_children[start:stop].sum())
            if not children:
                return
            start, stop = stop, stop + children
            yield np.arange(start, stop)

    def children(self, node: int) -> range:
        """Children of `node`, in the order of their branches."""
        first = int(self.first_child[node])
        return range(first, first + int(self.n_children[node]))

    @cached_property
    def majority_branch(self) -> NDArray[np.int16]:
        """Branch of each node that most known training weight took; ties go to the last."""
        branch = np.zeros(self.n_nodes, dtype=np.int16)
        # An own child of missing rows has known share 0 and never wins.
        order = np.lexsort((self.branch, self.share, self.parent))
        last = order[np.append(np.diff(self.parent[order]) > 0, True)]
        wins = last[(self.share[last] > 0) & (last > 0)]
        branch[self.parent[wins]] = self.branch[wins]
        return branch

    def condition(self, node: int) -> str:
        """Say in words what a row must satisfy to go from the parent to `node`.

        Returns
        -------
        str
            Such as "Pulse <= 64.5", "Pain = severe", "Pulse is missing" or, where all
            missing rows take this side by a recorded decision, "Pulse > 64.5 or missing".
            Empty for the root.
        """
        parent = int(self.parent[node])
        if parent < 0:
            return ""
        feature = int(self.feature[parent])
        branch = int(self.branch[node])
        kind = int(self.kind[parent])
        if branch == self.n_branches[parent]:
            return f"{self.schema.names[feature]} is missing"
        levels = (self.level(parent),) if kind == EQUALS else self.levels_to(node)
        joined = branch == self.missing_branch[parent] and self.missing_weight[parent] > 0
        threshold = float(self.threshold[parent])
        return in_words(self.schema, feature, kind, branch, threshold, levels, bool(joined))

    @cached_property
    def n_branches(self) -> NDArray[np.int32]:
        """Children of each node for known rows: all but a child of their own for missing ones."""
        own = np.where(self.kind == MULTIWAY, 0, self.n_children - 2)
        for v in np.flatnonzero(self.kind == MULTIWAY):
            own[v] = self.n_children[v] - 1 - self.level_table(int(v)).max()
        return self.n_children - np.where(self.is_leaf, 0, own)

    @cached_property
    def one_way(self) -> NDArray[np.float64]:
        """Part of a node's training weight that would come if each row took one way.

        Below 1 where a child for missing rows was grown on all rows of its parent, and in
        what lies below that.
        """
        part = np.ones(self.n_nodes)
        own = 1 + np.flatnonzero(self.branch[1:] == self.n_branches[self.parent[1:]])
        part[own] = self.arrived_missing[own] / np.maximum(self.weight[own], 1e-300)
        part[own] = np.where(part[own] > 1 - ROUNDING, 1.0, part[own])
        if len(own):
            for nodes in self._levels():
                part[nodes] *= part[self.parent[nodes]]
        return part

    @property
    def missing_stops(self) -> NDArray[np.float64]:
        """Weight of the rows here that miss the tested column and go to no child."""
        gone = np.bincount(self.parent[1:], self.arrived_missing[1:], minlength=self.n_nodes)
        left = self.missing_weight - gone
        return np.where(left > ROUNDING * self.missing_weight, left, 0.0)

    def level_table(self, node: int) -> NDArray[np.int16]:
        """Branch of every level of the column that a SUBSET or MULTIWAY node tests."""
        start = int(self.level_start[node])
        levels = self.schema.levels[int(self.feature[node])] or ()
        return self.level_branch[start : start + len(levels)] if start >= 0 else _NO_TABLE

    def levels_to(self, node: int) -> tuple[Any, ...]:
        """Levels that lead from a SUBSET or MULTIWAY test to this child of it."""
        parent = int(self.parent[node])
        levels = self.schema.levels[int(self.feature[parent])] or ()
        here = np.flatnonzero(self.level_table(parent) == self.branch[node])
        return tuple(levels[i] for i in here)

    def level(self, node: int) -> Any:
        """Level that an EQUALS node tests for; None for any other node."""
        if self.kind[node] != EQUALS or self.feature[node] < 0:
            return None
        levels = self.schema.levels[int(self.feature[node])] or ()
        return levels[int(self.threshold[node])]

    def frame(self) -> pd.DataFrame:
        """One row per node: everything that a plot, a widget or an export draws.

        Returns
        -------
        DataFrame
            Indexed by node. `condition` says how the node is reached, `levels` by which
            levels where the parent's test has a table of them; `missing_weight` is
            the weight of rows here that miss the tested column and `missing_to` how much
            of it each child got, `missing_stops` what went to none; `arrived_missing` is
            what came to this node that way. `value` holds class shares, or the mean.
            `surrogates` has a tuple per node, of (what sends a row to the first child,
            agreement, adjusted agreement) each; empty where none were recorded.
        """
        nodes = range(self.n_nodes)
        names = self.schema.names
        children = [tuple(self.children(v)) for v in nodes]
        missing_to = [{c: float(self.arrived_missing[c]) for c in kids} for kids in children]
        return pd.DataFrame(
            {
                "parent": self.parent,
                "branch": self.branch,
                "depth": self.depth,
                "condition": [self.condition(v) for v in nodes],
                "feature": [names[f] if f >= 0 else None for f in self.feature],
                "test": [
                    KIND_NAMES[int(k)] if f >= 0 else None
                    for f, k in zip(self.feature, self.kind, strict=True)
                ],
                "threshold": np.where(self.kind == THRESHOLD, self.threshold, np.nan),
                "level": [self.level(v) for v in nodes],
                "levels": [
                    self.levels_to(v) if self.level_start[max(parent, 0)] >= 0 and v else ()
                    for v, parent in enumerate(self.parent)
                ],
                "children": children,
                "rows": self.rows,
                "weight": self.weight,
                "value": [tuple(float(x) for x in row) for row in self.value],
                "impurity": self.impurity,
                "gain": self.gain,
                "share": self.share,
                "missing_weight": self.missing_weight,
                "missing_branch": self.missing_branch,
                "missing_to": missing_to,
                "missing_stops": self.missing_stops,
                "arrived_missing": self.arrived_missing,
                "surrogates": [self._surrogates_in_words(v) for v in nodes],
            },
            index=pd.RangeIndex(self.n_nodes, name="node"),
        )

    def _surrogates_in_words(self, node: int) -> tuple[tuple[str, float, float], ...]:
        its = self.surrogates
        if its is None:
            return ()
        return tuple(
            (its.condition(i, self.schema, 0), float(its.agreement[i]), float(its.adjusted[i]))
            for i in its.of(node)
        )

    def importances(self, surrogates: bool = False) -> NDArray[np.float64]:
        """Share of the total weighted gain that each column's splits earn.

        Parameters
        ----------
        surrogates : bool, default=False
            Credit a split to the columns of its surrogates, too, to each by its adjusted
            agreement; so a column that was never chosen may matter.

        Returns
        -------
        ndarray of shape (p,)
            Sums to one; all zero for a single node.
        """
        inner = np.flatnonzero(~self.is_leaf)
        earned = self.one_way * self.weight * self.gain
        feature, credit = self.feature[inner], earned[inner]
        if surrogates:
            its = recorded(self.surrogates, "importances(surrogates=True)")
            node = np.repeat(np.arange(self.n_nodes), np.diff(its.start))
            feature = np.concatenate([feature, its.feature])
            credit = np.concatenate([credit, earned[node] * its.adjusted])
        by_column = np.bincount(feature, credit, minlength=self.schema.n_features)
        total = by_column.sum()
        return np.asarray(by_column / total if total > 0 else by_column, dtype=np.float64)


_NO_TABLE = np.empty(0, dtype=np.int16)
