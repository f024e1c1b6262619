"""What a picture of a tree has to say, read from `tree.frame()` and the estimator.

Where missing values went is decided from weights and rows, never from the name of a
strategy. The picture and its description are made from the same facts.

Does not: measure, place or draw.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..asked import Asked, read_asked
from ..schema import Schema
from ..strategies import get_strategy
from ..tree.structure import Tree
from ..tree_estimator import TreeEstimator
from .short_words import edge_words

# What happened to missing values on their way to a child.
ALL = "all"  # whole rows, all to this child
SPLIT = "split"  # every row divided by share
SINGLE = "single"  # whole rows, each by a rule of its own
ASKED = "asked"  # whole rows, each sent by the surrogates
COPY = "copy"  # a full copy to each child
OWN = "own"  # a child of their own
NEW = "new"  # none in training; later ones come here
NEW_ASKED = "new_asked"  # none in training; surrogates send later ones


@dataclass(frozen=True)
class Branch:
    """The way from a node to one of its children.

    Attributes
    ----------
    child : int
    words : str
        What a known value must satisfy, such as "≤ 64.5".
    known, missing : float
        Training weight that came with a known and with a missing value.
    share : float
        Part of the missing weight that this child gets; of later rows if the mark is NEW.
        0 if it is NEW_ASKED: surrogates decide row by row.
    mark : str
        One of the marks above; "" where no missing value comes.
    """

    child: int
    words: str
    known: float
    missing: float
    share: float
    mark: str


@dataclass(frozen=True)
class Node:
    """A node of the tree.

    Attributes
    ----------
    number, depth : int
    condition : str
        How it is reached from its parent, in full.
    weight : float
    value : tuple of float
        Class shares, or the mean.
    sd : float or None
        Standard deviation of the labels, where the impurity tells it.
    feature, test : str or None
        None for a leaf.
    missing : float
        Weight of the rows here that miss the tested column.
    stops : float
        Weight of those that go to no child.
    new_stops : bool
        Would a later row that misses the column stop here, though none did in training?
    asked : Asked or None
        The surrogates that the model asks here.
    lost_all : bool
        Did every row come here through a missing value?
    branches : tuple of Branch
    """

    number: int
    depth: int
    condition: str
    weight: float
    value: tuple[float, ...]
    sd: float | None
    feature: str | None
    test: str | None
    missing: float
    stops: float
    new_stops: bool
    asked: Asked | None
    lost_all: bool
    branches: tuple[Branch, ...]

    @property
    def children(self) -> tuple[int, ...]:
        """Numbers of the children."""
        return tuple(branch.child for branch in self.branches)


@dataclass(frozen=True)
class TreeFacts:
    """A tree as a picture needs it.

    Attributes
    ----------
    nodes : tuple of Node
    classes : tuple of str or None
        None for regression.
    span : tuple of float
        Ends of the common scale of means and standard deviations.
    counts_rows : bool
        Is the weight of a row 1, so that weights count rows?
    title, note : str
    """

    nodes: tuple[Node, ...]
    classes: tuple[str, ...] | None
    span: tuple[float, float]
    counts_rows: bool
    title: str
    note: str

    @property
    def n_leaves(self) -> int:
        """Number of leaves."""
        return sum(not node.branches for node in self.nodes)

    def part(self, value: float) -> float:
        """Place of a value on the common scale, from 0 to 1."""
        low, high = self.span
        return min(max((value - low) / (high - low), 0.0), 1.0) if high > low else 0.5

    def n_below(self, number: int) -> int:
        """Number of nodes below a node."""
        n, waiting = 0, list(self.nodes[number].children)
        while waiting:
            n += len(waiting)
            waiting = [c for v in waiting for c in self.nodes[v].children]
        return n


def read_tree(
    model: Any,
    class_names: Sequence[str] | None = None,
    feature_names: Sequence[str] | None = None,
) -> TreeFacts:
    """Read a fitted estimator or a tree.

    Parameters
    ----------
    model : MDTreeClassifier, MDTreeRegressor or Tree
    class_names, feature_names : sequence of str or None, default=None

    Returns
    -------
    TreeFacts

    Raises
    ------
    TypeError
        For another object.
    NotFittedError
        For an estimator that is not fitted.
    ValueError
        When the number of class or feature names is wrong.
    """
    estimator = model if isinstance(model, TreeEstimator) else None
    if estimator is None and not isinstance(model, Tree):
        raise TypeError(
            f"estimator_or_tree={type(model).__name__} must be a fitted MDTreeClassifier or "
            "MDTreeRegressor, or its tree_; of a pipeline pass the last step."
        )
    tree = model if estimator is None else estimator.tree_
    if feature_names is not None:
        tree = _renamed(tree, feature_names)
    frame = tree.frame()
    classes = _classes(len(frame["value"].iloc[0]), estimator, class_names)
    squared = classes is None and _impurity_is_variance(estimator)
    routes, asked = _later_routes(estimator), read_asked(estimator, tree)
    rows = frame.to_dict("list")
    nodes = tuple(
        _node(rows, v, rows["impurity"][v] if squared else None, routes, asked.get(v))
        for v in range(len(frame))
    )
    # A row has weight 1 where a node never weighs more than its rows, and the root as much.
    weight, n_rows = frame["weight"].to_numpy(), frame["rows"].to_numpy()
    slack = 1e-9 * max(float(n_rows[0]), 1.0)
    facts = TreeFacts(
        nodes,
        classes,
        _span(nodes) if classes is None else (0.0, 1.0),
        bool((weight <= n_rows + slack).all() and weight[0] >= n_rows[0] - slack),
        _title(nodes, estimator),
        "",
    )
    return TreeFacts(**{**vars(facts), "note": _note(facts, int(rows["rows"][0]), estimator)})


def _node(
    rows: dict[str, list[Any]],
    v: int,
    variance: float | None,
    routes: Sequence[float] | None,
    asked: Asked | None,
) -> Node:
    weight, lost = float(rows["weight"][v]), float(rows["missing_weight"][v])
    least = 1e-9 * max(weight, 1e-300)
    lost = lost if lost > least else 0.0
    arrived = float(rows["arrived_missing"][v])
    stops = float(rows["missing_stops"][v])
    kids = rows["children"][v]
    later = None
    if routes is not None and kids and not lost and rows["test"][v] != "is missing":
        later = [float(routes[c]) for c in kids]
    decide = asked is not None and not lost
    return Node(
        number=v,
        depth=int(rows["depth"][v]),
        condition=rows["condition"][v],
        weight=weight,
        value=rows["value"][v],
        sd=None if variance is None else float(np.sqrt(max(variance, 0.0))),
        feature=rows["feature"][v],
        test=rows["test"][v],
        missing=lost,
        stops=stops if stops > least else 0.0,
        new_stops=later is not None and not decide and sum(later) < 1e-9,
        asked=asked,
        lost_all=weight > 0 and arrived >= weight - least and v > 0,
        branches=_branches(rows, v, lost, later, asked),
    )


def _branches(
    rows: dict[str, list[Any]],
    v: int,
    lost: float,
    later: list[float] | None,
    asked: Asked | None,
) -> tuple[Branch, ...]:
    kids, feature = rows["children"][v], rows["feature"][v]
    shared = _shared_mark(rows, v, lost)
    if asked is not None and asked.in_training and shared in (ALL, SINGLE):
        shared = ASKED
    branches = []
    for j, child in enumerate(kids):
        came = float(rows["missing_to"][v][child]) if lost else 0.0
        came = came if came > 1e-9 * lost else 0.0
        recorded = came > 0 and rows["missing_branch"][v] == rows["branch"][child]
        words = edge_words(rows["condition"][child], feature, rows["test"][v], recorded)
        share, mark = (came / lost, shared) if came else (0.0, "")
        if came and words == "is missing":
            mark = OWN
        elif asked is not None and not lost:
            mark = NEW_ASKED
        elif later is not None and later[j] > 1e-9:
            share, mark = later[j], NEW
        known = max(float(rows["weight"][child]) - came, 0.0)
        known = known if known > 1e-9 * max(rows["weight"][v], 1e-300) else 0.0
        branches.append(Branch(child, words, known, came, share, mark))
    return tuple(branches)


def _shared_mark(rows: dict[str, list[Any]], v: int, lost: float) -> str:
    """Say how missing rows were handed to the children, from the sums alone."""
    to = [w for w in rows["missing_to"][v].values() if w > 1e-9 * lost]
    if not lost or not to:
        return ""
    if sum(to) > lost * (1 + 1e-9):
        return COPY
    if len(to) == 1 and to[0] >= lost * (1 - 1e-9):
        return ALL
    # A divided row is counted in each child that got a part of it.
    parts = sum(rows["rows"][c] for c in rows["children"][v])
    return SPLIT if parts > rows["rows"][v] else SINGLE


def _renamed(tree: Tree, feature_names: Sequence[str]) -> Tree:
    """Return the tree with other names of its columns."""
    n = tree.schema.n_own
    if isinstance(feature_names, str) or len(feature_names) != n:
        raise ValueError(
            f"feature_names={feature_names!r} must hold {n} names, in the order of "
            f"{list(tree.schema.names[:n])}."
        )
    its = tree.schema
    own = Schema(tuple(map(str, feature_names)), its.levels[:n], its.incomplete[:n])
    return replace(tree, schema=own.with_indicators(its.sources))


def _classes(k: int, estimator: Any, class_names: Sequence[str] | None) -> tuple[str, ...] | None:
    labels = getattr(estimator, "classes_", None)
    if labels is None and estimator is None and (k > 1 or class_names is not None):
        labels = [f"class {j}" for j in range(k)]
    if class_names is None:
        return None if labels is None else tuple(str(label) for label in labels)
    if labels is None:
        raise ValueError(f"class_names={class_names!r} is for classes; this is a regression.")
    if isinstance(class_names, str) or len(class_names) != len(labels):
        raise ValueError(
            f"class_names={class_names!r} must hold {len(labels)} names, in the order of "
            f"{[str(label) for label in labels]}."
        )
    return tuple(map(str, class_names))


def _impurity_is_variance(estimator: Any) -> bool:
    criterion = getattr(estimator, "criterion", None)
    return getattr(criterion, "name", criterion) == "squared_error"


def _later_routes(estimator: Any) -> Sequence[float] | None:
    """Share that each node gets of a later row that misses its parent's column.

    None where that is decided row by row, where no such row gets there, and for a bare
    tree, which knows no strategy.
    """
    if estimator is None or _fills(estimator):
        return None
    shares = estimator.missing_shares_
    return None if shares is None else list(shares)


def _fills(estimator: Any) -> bool:
    """Are missing values replaced before the tree sees a row?"""
    missing, predict = estimator._grown_by, estimator.missing_predict
    return get_strategy(missing if predict is None else predict).fills


def _span(nodes: Sequence[Node]) -> tuple[float, float]:
    """Common scale of all means, with their standard deviations."""
    seen = [node for node in nodes if node.weight > 0] or list(nodes)
    low = min(node.value[0] - (node.sd or 0.0) for node in seen)
    high = max(node.value[0] + (node.sd or 0.0) for node in seen)
    return float(low), float(high)


def _title(nodes: Sequence[Node], estimator: Any) -> str:
    n, leaves = len(nodes), sum(not node.branches for node in nodes)
    size = "a single node" if n == 1 else f"{n} nodes, {leaves} leaves"
    if estimator is None:
        return f"Tree: {size}"
    return f"Tree with missing={get_strategy(estimator._grown_by).name!r}: {size}"


def _note(facts: TreeFacts, n_rows: int, estimator: Any) -> str:
    tests = [node for node in facts.nodes if node.branches]
    met = sum(node.missing > 0 for node in tests)
    parts = [f"{n_rows} row{'' if n_rows == 1 else 's'}"]
    if tests:
        parts.append(
            f"{met} of {len(tests)} test{'' if len(tests) == 1 else 's'} met missing values"
            if met
            else "no test met a missing value"
        )
    if estimator is not None:
        if len(estimator.trees_) > 1:
            parts.append(f"the first of {len(estimator.trees_)} trees")
        if _fills(estimator):
            parts.append("missing values are filled in first")
        if estimator.missing_predict is not None:
            later = get_strategy(estimator.missing_predict, "missing_predict").name
            parts.append(f"later rows: {later!r}")
    return "; ".join(parts)
