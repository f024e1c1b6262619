"""Grow the tree, or trees, that an estimator asks for.

Called by `tree_estimator.py`. Does not: read tables or labels; `inputs.py` does.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .inputs import TrainingRows, check_jobs, check_limits
from .strategies import Strategy
from .tree.criteria import get_criterion
from .tree.growth import announce_compilation, grow
from .tree.kernels.codes import EQUALS, MULTIWAY, SUBSET
from .tree.pruning import keep_best_splits
from .tree.rules import TestForm
from .tree.structure import Tree

# How users name the places of thresholds, and the tests of category columns.
SPLITS: dict[str, dict[str, Any]] = {
    "exact": {},
    "observed": {"half_way": False},
    "training": {"at_training_values": True},
}
CATEGORY_TESTS: dict[str, dict[str, Any]] = {
    "equality": {"category": EQUALS},
    "subset": {"category": SUBSET},
    "multiway": {"category": MULTIWAY},
    "every_level": {"category": MULTIWAY, "every_level": True},
}


def grow_trees(
    params: dict[str, Any],
    task: str,
    rows: TrainingRows,
    strategy: Strategy,
    rng: np.random.RandomState,
) -> tuple[list[Tree], dict[str, Any]]:
    """Grow one tree per table that the strategy prepares.

    Parameters
    ----------
    params : dict
        The estimator's parameters.
    task : {"classification", "regression"}
    rows : TrainingRows
    strategy : Strategy
    rng : RandomState

    Returns
    -------
    trees : list of Tree
    state : dict
        What the strategy needs for later tables.
    """
    n_threads = check_jobs(params["n_jobs"])
    orders, state = orders_of(params, task, rows, strategy, rng)
    announce_compilation()
    trees = [grow(**order, n_threads=n_threads) for order in orders]
    if params["max_leaf_nodes"] is not None:
        trees = [keep_best_splits(tree, params["max_leaf_nodes"]) for tree in trees]
    return trees, state


def orders_of(
    params: dict[str, Any],
    task: str,
    rows: TrainingRows,
    strategy: Strategy,
    rng: np.random.RandomState,
) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Prepare the tables: what `grow` is to be told about each, and the strategy's state.

    Parameters
    ----------
    params, task, rows, strategy, rng
        See `grow_trees`.

    Returns
    -------
    orders : list of dict
        Arguments of `grow`.
    state : dict
    """
    criterion = get_criterion(params["criterion"], task)
    limits = check_limits(params, rows.table, rows.w)
    prepared = strategy.prepare(rows.table, rows.y, rows.w, rng)
    y, w = rows.y, rows.w
    if prepared.rows is not None:
        y = y[prepared.rows]
        w = None if w is None else w[prepared.rows]
    draws = limits.max_features < rows.table.schema.n_features
    orders = [
        {
            "table": table,
            "y": y,
            "w": w,
            "n_values": rows.n_values,
            "criterion": criterion,
            "strategy": strategy,
            "limits": limits,
            "seed": int(rng.randint(2**31)) if draws else 0,
            "form": TestForm(**CATEGORY_TESTS[params["categorical"]], **SPLITS[params["splits"]]),
        }
        for table in prepared.tables
    ]
    return orders, prepared.state
