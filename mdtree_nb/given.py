"""A tree that was not grown here, filled with training rows.

Somebody wrote it down, or it comes from elsewhere. Its tests are taken as they are; what its
nodes say about training rows is counted, so that tree and table cannot contradict each other.

Called by `estimators.py`. Does not: check X and y; `inputs.py` does.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from .fitting import orders_of
from .inputs import TrainingRows
from .prediction import Predictor
from .strategies import Strategy
from .table import Schema
from .tree.refill import Refill
from .tree.structure import Tree
from .tree.validation import check_tree
from .tree.written import written


def fill_trees(
    given: Any,
    params: dict[str, Any],
    task: str,
    rows: TrainingRows,
    strategy: Strategy,
    predictor: Strategy,
    draw: Callable[[], np.random.RandomState],
) -> Predictor:
    """Send the training rows down a given tree, as `strategy` treats their missing values.

    Parameters
    ----------
    given : Tree, dict or None
        See `MDTreeClassifier.from_tree`.
    params, task, rows, strategy, predictor, draw
        See `fit_trees`.

    Returns
    -------
    Predictor
        One tree per table that the strategy prepares.

    Raises
    ------
    ValueError, TypeError
        For a tree that does not hold together or does not fit the table.
    """
    orders, state = orders_of(params, task, rows, strategy, draw(), guessing=False)
    trees = [_filled(_tests(given, rows), order) for order in orders]
    if predictor is not strategy:
        state = predictor.prepare(rows.table, rows.y, rows.w, draw()).state
    return Predictor(trees, predictor, state)


def _tests(given: Any, rows: TrainingRows) -> Tree:
    schema = rows.table.schema
    if not isinstance(given, Tree):
        return written(given, schema, rows.n_values)
    try:
        check_tree(given, shares=True)
    except ValueError as error:
        raise ValueError(f"tree: {error}") from error
    _check_fit(given.schema, schema)
    k = given.value.shape[1]
    if k != rows.n_values:
        raise ValueError(
            f"tree: its nodes hold the shares of {k} classes, and y has {rows.n_values}; pass the "
            "labels that it was made for."
        )
    return replace(given, schema=schema)


def _check_fit(its: Schema, schema: Schema) -> None:
    if its.names != schema.names:
        raise ValueError(
            f"tree: it tests the columns {', '.join(its.names)}, and X has "
            f"{', '.join(schema.names)}; pass the columns that it was made for, in that order."
        )
    for name, mine, theirs in zip(its.names, its.levels, schema.levels, strict=True):
        if mine != theirs:
            raise ValueError(
                f"tree: column {name!r} has {_in_words(mine)} there and {_in_words(theirs)} in X; "
                "pass a table with the same."
            )


def _in_words(levels: tuple[Any, ...] | None) -> str:
    return "numbers" if levels is None else f"the levels {', '.join(map(repr, levels))}"


def _filled(tree: Tree, order: dict[str, Any]) -> Tree:
    table, y, w = order["table"], order["y"], order["w"]
    tree = replace(tree, schema=table.schema)
    w = np.ones(len(y)) if w is None else w
    measure = order["criterion"].measure(order["n_values"])
    full = Refill(tree, table, w, order["strategy"]).recounted(y, measure)
    empty = np.flatnonzero((full.weight == 0) & (full.value.sum(axis=1) == 0))
    if len(empty):
        raise ValueError(
            f"tree: no training row gets to the node {full.condition(int(empty[0]))!r}, which "
            "could answer nothing; leave that test out, or join the branch to another."
        )
    return full
