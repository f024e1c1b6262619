"""A tree that somebody wrote down: its tests, as nested dictionaries.

Does not: count training rows; `given.py` sends them down the tree.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..columns import level_keys
from ..schema import Schema
from .kernels.codes import BY_RULE, MULTIWAY, THRESHOLD
from .structure import Tree

BRANCH = re.compile(r"(<=|>)\s*(\S+)")
HOW = (
    "a leaf is None, a test is {column: {branch: what is below it}}, where a branch is a level, or "
    "a tuple of levels, or '<= 2.5' and '> 2.5'"
)


class _Test(NamedTuple):
    """A test as arrays have it: what is below each branch, and which branch each level takes."""

    feature: int
    kind: int
    threshold: float
    below: list[Any]
    table: list[int]


_LEAF = _Test(-1, 0, np.nan, [], [])


def written(nested: Any, schema: Schema, n_values: int) -> Tree:
    """Make a tree of the tests that were written down; nothing is counted yet.

    Parameters
    ----------
    nested : dict or None
        None is a leaf; {column: {branch: what is below it, ...}} is a test. A branch of a
        category column is a level or a tuple of levels, and every level needs one; those of a
        numeric column are "<= 2.5" and "> 2.5".
    schema : Schema
    n_values : int
        Number of classes.

    Returns
    -------
    Tree
        Its nodes have no rows; the children of a node share what misses its column equally.

    Raises
    ------
    ValueError, TypeError
        For anything else, unknown columns and levels, and levels without a branch.
    """
    tests: list[_Test] = []
    waiting, share = [nested], [1.0]
    for node in waiting:  # grows on the way: level by level, siblings as neighbours
        test = _LEAF if node is None else _read(node, schema)
        tests.append(test)
        waiting += test.below
        share += [1 / len(test.below) for _ in test.below]
    n_children = np.array([len(test.below) for test in tests], dtype=np.int32)
    size = np.array([len(test.table) for test in tests])
    inner, m = n_children > 0, len(tests)
    nothing = np.zeros(m)
    return Tree(
        schema=schema,
        feature=np.array([test.feature for test in tests], dtype=np.int32),
        kind=np.array([test.kind for test in tests], dtype=np.int8),
        threshold=np.array([test.threshold for test in tests]),
        first_child=np.where(inner, 1 + np.cumsum(n_children) - n_children, 0).astype(np.int32),
        n_children=n_children,
        missing_branch=np.full(m, BY_RULE, dtype=np.int16),
        value=np.zeros((m, n_values)),
        weight=nothing.copy(),
        rows=np.zeros(m, dtype=np.int64),
        impurity=nothing.copy(),
        gain=nothing.copy(),
        missing_weight=nothing.copy(),
        share=np.array(share),
        arrived_missing=nothing.copy(),
        level_start=np.where(size > 0, np.cumsum(size) - size, -1).astype(np.int32),
        level_branch=_tables(tests),
    )


def _tables(tests: list[_Test]) -> NDArray[np.int16]:
    return np.array([branch for test in tests for branch in test.table], dtype=np.int16)


def _read(node: Any, schema: Schema) -> _Test:
    if not isinstance(node, dict):
        raise TypeError(f"tree: {node!r:.60} is no node; {HOW}.")
    if len(node) != 1:
        raise ValueError(f"tree: a node tests one column, not {len(node)}; {HOW}.")
    ((name, branches),) = node.items()
    if name not in schema.names:
        known = ", ".join(map(repr, schema.names))
        raise ValueError(f"tree: {name!r} is no column of the table; choose one of {known}.")
    if not isinstance(branches, dict) or len(branches) < 2:
        raise ValueError(f"tree: the test of {name!r} needs two branches or more; {HOW}.")
    feature = schema.names.index(name)
    levels = schema.levels[feature]
    if levels is None:
        return _read_numeric(feature, name, branches)
    return _read_levels(feature, name, branches, levels)


def _read_numeric(feature: int, name: str, branches: dict[Any, Any]) -> _Test:
    found = [BRANCH.fullmatch(key) if isinstance(key, str) else None for key in branches]
    sides = {match[1]: match[2] for match in found if match}
    try:
        low, high = float(sides.get("<=", "nan")), float(sides.get(">", "nan"))
    except ValueError:
        low = high = np.nan
    if len(branches) != 2 or low != high:
        given = ", ".join(map(repr, branches))
        raise ValueError(
            f"tree: column {name!r} holds numbers, so its branches are such as '<= 2.5' and "
            f"'> 2.5', with one number, and not {given}."
        )
    below = [value for _, value in sorted(branches.items(), key=lambda pair: pair[0][0])]
    return _Test(feature, THRESHOLD, low, below, [])


def _read_levels(
    feature: int, name: str, branches: dict[Any, Any], levels: tuple[Any, ...]
) -> _Test:
    place = {key: i for i, key in enumerate(level_keys(levels, name))}
    table = [-1] * len(levels)
    for number, branch in enumerate(branches):
        group = branch if isinstance(branch, tuple) else (branch,)
        for level, key in zip(group, level_keys(group, name), strict=True):
            if key not in place:
                known = ", ".join(map(repr, levels))
                raise ValueError(f"tree: {level!r} is no level of column {name!r}; it has {known}.")
            if table[place[key]] >= 0:
                raise ValueError(f"tree: level {level!r} of column {name!r} has two branches.")
            table[place[key]] = number
    left_out = [level for level, branch in zip(levels, table, strict=True) if branch < 0]
    if left_out:
        raise ValueError(
            f"tree: column {name!r} has the level {left_out[0]!r} too; every level needs a branch, "
            "and several may share one, as a tuple."
        )
    return _Test(feature, MULTIWAY, np.nan, list(branches.values()), table)
