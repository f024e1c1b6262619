"""Check that a Tree holds together before anybody walks through it.

A tree that was grown holds together by construction; one that was read from a file is
checked here. The numbering law alone (children follow each other in the order of their
parents) makes loops, orphans and lost nodes impossible.

Does not: judge whether a tree is any good, or read files.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from functools import cache
from typing import Any, get_args, get_type_hints

import numpy as np
from numpy.typing import NDArray

from .kernels.codes import BY_RULE, EQUALS, IS_MISSING, MULTIWAY, SUBSET, THRESHOLD
from .structure import NO_ARRAYS, Tree
from .surrogates import Surrogates

ROUNDING = 1e-6  # sums of shares may differ from 1 by as much
PER_NODE_2D = frozenset({"value"})
FLAT = frozenset({"level_branch"})
NOT_NEGATIVE = ("weight", "impurity", "gain", "missing_weight", "arrived_missing")


@cache
def array_types(cls: type[Tree] | type[Surrogates] = Tree) -> dict[str, np.dtype[Any]]:
    """Say which arrays a Tree has, and of which type, in the order of its fields.

    Parameters
    ----------
    cls : {Tree, Surrogates}, default=Tree

    Returns
    -------
    dict
        From the name of the field to its dtype.
    """
    hints = get_type_hints(cls)
    names = [f.name for f in fields(cls) if f.name not in NO_ARRAYS]
    return {name: np.dtype(get_args(get_args(hints[name])[1])[0]) for name in names}


def check_tree(tree: Tree, shares: bool) -> None:
    """Refuse a tree whose arrays contradict each other.

    Parameters
    ----------
    tree : Tree
    shares : bool
        Are the values shares of classes (True) or means?

    Raises
    ------
    ValueError
        With the first node that breaks a rule, and the rule.
    """
    _check_shapes(tree)
    _check_numbering(tree)
    _check_tests(tree)
    _check_numbers(tree)
    _check_values(tree, shares)
    if tree.surrogates is not None:
        check_surrogates(tree, tree.surrogates)


def _demand(ok: Any, rule: str, nodes: NDArray[Any] | None = None) -> None:
    """Raise with the first node that breaks a rule."""
    if not ok.all():
        at = int(np.flatnonzero(~ok)[0])
        node = at if nodes is None else int(nodes[at])
        raise ValueError(f"node {node}: {rule}.")


def _check_shapes(tree: Tree) -> None:
    m = len(tree.feature)
    if m == 0:
        raise ValueError("a tree has at least one node.")
    for name, dtype in array_types().items():
        array = getattr(tree, name)
        if array.dtype != dtype:
            raise ValueError(f"{name} has type {array.dtype}, it must be {dtype}.")
        if name in FLAT:
            if array.ndim != 1:
                raise ValueError(f"{name} has shape {array.shape}, it must have one dimension.")
            continue
        ndim = 2 if name in PER_NODE_2D else 1
        if array.ndim != ndim or len(array) != m or array.size == 0:
            raise ValueError(
                f"{name} has shape {array.shape}, it must have {ndim} dimensions with one entry "
                f"for each of the {m} nodes."
            )


def _check_numbering(tree: Tree) -> None:
    """Level by level, siblings as neighbours: so every node has one parent before it."""
    m, p = tree.n_nodes, tree.schema.n_features
    _demand(
        (tree.feature >= -1) & (tree.feature < p),
        f"feature must be -1 for a leaf, or a column from 0 to {p - 1}",
    )
    leaf = tree.is_leaf
    _demand(
        ~leaf | ((tree.n_children == 0) & (tree.first_child == 0)),
        "a leaf has n_children = first_child = 0",
    )
    inner = np.flatnonzero(~leaf)
    n = tree.n_children[inner].astype(np.int64)
    _demand(n >= 2, "an inner node has at least two children", inner)
    _demand(
        tree.first_child[inner] == 1 + np.cumsum(n) - n,
        "children must follow those of the inner node before",
        inner,
    )
    _demand(tree.first_child[inner] > inner, "children come after their parent", inner)
    if 1 + n.sum() != m:
        raise ValueError(f"{m} nodes, but {1 + n.sum()} are the root or somebody's child.")


def _check_tests(tree: Tree) -> None:
    inner = np.flatnonzero(~tree.is_leaf)
    kinds = tree.kind[inner]
    _demand(
        np.isin(kinds, list(KIND_CHECKS)),
        f"kind must be one of {', '.join(map(str, sorted(KIND_CHECKS)))}",
        inner,
    )
    _check_level_tables(tree)
    for kind, check in KIND_CHECKS.items():
        check(tree, inner[kinds == kind])
    branch = tree.missing_branch[inner]
    _demand(
        (branch >= BY_RULE) & (branch < tree.n_children[inner]),
        "missing_branch must be -1 or one of the node's branches",
        inner,
    )


def _check_threshold(tree: Tree, nodes: NDArray[Any]) -> None:
    _check_two_way(tree, nodes)
    numeric = ~tree.schema.is_category[tree.feature[nodes]]
    _demand(numeric, "a threshold needs a numeric column", nodes)
    _demand(~np.isnan(tree.threshold[nodes]), "the threshold is missing", nodes)


def _check_equals(tree: Tree, nodes: NDArray[Any]) -> None:
    _check_two_way(tree, nodes)
    n_levels = np.array([len(levels or ()) for levels in tree.schema.levels])
    code, n = tree.threshold[nodes], n_levels[tree.feature[nodes]]
    _demand(
        (code >= 0) & (code < n) & (code == np.floor(code)),
        "the tested level must be the number of one of the column's levels",
        nodes,
    )


def _check_is_missing(tree: Tree, nodes: NDArray[Any]) -> None:
    _demand(tree.n_children[nodes] == 2, "'is missing' has two children, known and missing", nodes)


def _check_level_tables(tree: Tree) -> None:
    """Tables follow each other in the order of their nodes, each as long as its column's levels."""
    has_table = ~tree.is_leaf & np.isin(tree.kind, (SUBSET, MULTIWAY))
    _demand(has_table | (tree.level_start == -1), "level_start must be -1 without a level table")
    nodes = np.flatnonzero(has_table)
    n_levels = np.array([len(levels or ()) for levels in tree.schema.levels])
    size = n_levels[tree.feature[nodes]]
    _demand(size >= 2, "a test of levels needs a category column of two and more", nodes)
    _demand(
        tree.level_start[nodes] == np.cumsum(size) - size,
        "its level table must begin where that of the node before ends",
        nodes,
    )
    if size.sum() != len(tree.level_branch):
        raise ValueError(
            f"level_branch has {len(tree.level_branch)} entries, the nodes' tables {size.sum()}."
        )


def _check_levels(tree: Tree, nodes: NDArray[Any]) -> None:
    for v in nodes:
        here = np.array([v])
        table = tree.level_table(int(v))
        branches = np.unique(table[table >= 0])
        n = int(tree.n_children[v])
        _demand(
            np.array([table.min() >= -1 and np.array_equal(branches, np.arange(len(branches)))]),
            "its level table must hold -1 or branches 0, 1, ... without a gap",
            here,
        )
        _demand(
            np.array([len(branches) >= 2 and n - len(branches) in (0, 1)]),
            "a test of levels has a child per branch, and at most one more for missing values",
            here,
        )
        if tree.kind[v] == SUBSET:
            _demand(np.array([len(branches) == 2]), "a subset test has two branches", here)


def _check_two_way(tree: Tree, nodes: NDArray[Any]) -> None:
    _demand(
        tree.n_children[nodes] <= 3,
        "a test with two outcomes has two children, and at most one more for missing values",
        nodes,
    )


# What a test of each kind must look like.
KIND_CHECKS: dict[int, Callable[[Tree, NDArray[Any]], None]] = {
    THRESHOLD: _check_threshold,
    EQUALS: _check_equals,
    IS_MISSING: _check_is_missing,
    SUBSET: _check_levels,
    MULTIWAY: _check_levels,
}


def _check_numbers(tree: Tree) -> None:
    for name in NOT_NEGATIVE:
        array = getattr(tree, name)
        _demand(np.isfinite(array) & (array >= 0), f"{name} must be a number of at least 0")
    _demand(tree.rows >= 0, "rows must be at least 0")
    if not tree.weight[0] > 0:
        raise ValueError("node 0: the root must have a weight above 0.")
    _demand((tree.share >= 0) & (tree.share <= 1 + ROUNDING), "share must be between 0 and 1")
    if tree.n_nodes > 1:
        known = np.bincount(tree.parent[1:], tree.share[1:], minlength=tree.n_nodes)
        inner = np.flatnonzero(~tree.is_leaf)
        _demand(
            np.abs(known[inner] - 1) <= ROUNDING,
            "the shares of its children must sum to 1",
            inner,
        )


def _check_values(tree: Tree, shares: bool) -> None:
    value = tree.value
    _demand(np.isfinite(value).all(axis=1), "value must hold finite numbers")
    if not shares:
        if value.shape[1] != 1:
            raise ValueError(f"value has {value.shape[1]} columns, a mean is one number.")
        return
    total = np.where(tree.weight > 0, 1.0, value.sum(axis=1))  # nobody came: no shares either
    _demand(
        (value.min(axis=1) >= 0) & (np.abs(value.sum(axis=1) - total) <= ROUNDING),
        "value must hold shares of classes that sum to 1",
    )


def check_surrogates(tree: Tree, its: Surrogates) -> None:
    """Refuse surrogates that a row could not be sent by.

    Raises
    ------
    ValueError
    """
    m, s, p = tree.n_nodes, len(its.feature), tree.schema.n_features
    for name, dtype in array_types(Surrogates).items():
        array = getattr(its, name)
        n = {"start": m + 1, "level_branch": len(its.level_branch)}.get(name, s)
        if array.dtype != dtype or array.shape != (n,):
            raise ValueError(
                f"surrogates: {name} has shape {array.shape} and type {array.dtype}, it must have "
                f"shape {(n,)} and type {dtype}."
            )
    count = np.diff(its.start)
    if its.start[0] != 0 or its.start[-1] != s or (count < 0).any():
        raise ValueError(f"surrogates: start must rise from 0 to {s}, the number of surrogates.")
    may_have = ~tree.is_leaf & (tree.kind != IS_MISSING) & (tree.n_children == 2)
    _demand(may_have | (count == 0), "surrogates are for tests of a value with two children")
    node = np.repeat(np.arange(m), count)
    is_column = (its.feature >= 0) & (its.feature < p) & (its.feature != tree.feature[node])
    _demand(is_column, f"a surrogate tests another column from 0 to {p - 1}", node)
    n_levels = np.array([-1 if levels is None else len(levels) for levels in tree.schema.levels])
    size = n_levels[its.feature]
    numeric = its.kind == THRESHOLD
    fits = np.where(numeric, size < 0, (its.kind == SUBSET) & (size >= 2))
    _demand(fits, "a surrogate is a threshold of numbers, or a table of two and more levels", node)
    _demand(np.isfinite(its.threshold) == numeric, "its threshold must be a finite number", node)
    _demand(
        np.isin(its.low_branch, (0, 1)) & (numeric | (its.low_branch == 0)),
        "low_branch must be 0 or 1, and 0 for a table",
        node,
    )
    width = np.where(numeric, 0, size)
    start = np.where(numeric, -1, np.cumsum(width) - width)
    _demand(its.level_start == start, "tables of surrogates must follow each other", node)
    if width.sum() != len(its.level_branch) or not np.isin(its.level_branch, (-1, 0, 1)).all():
        raise ValueError("surrogates: level_branch must hold -1, 0 or 1 for every level.")
    shares = np.stack([its.agreement, its.adjusted])
    _demand(
        ((shares >= 0) & (shares <= 1 + ROUNDING)).all(axis=0), "agreement is from 0 to 1", node
    )
