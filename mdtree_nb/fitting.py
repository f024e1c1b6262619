"""Grow the tree, or trees, that an estimator asks for, and cut them back.

Called by `tree_estimator.py`. Does not: read tables or labels; `inputs.py` does.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .inputs import TrainingRows, check_jobs, check_limits, check_max_features
from .prediction import Predictor
from .prunings import Pruning, get_pruning
from .sharing import prepare
from .strategies import Strategy, StrategyNotApplicable
from .table import Table
from .tree.criteria import get_criterion
from .tree.growth import announce_compilation, grow
from .tree.kernels.codes import EQUALS, MULTIWAY, SUBSET
from .tree.measure import Measure
from .tree.pruning import keep_best_splits
from .tree.rules import TestForm
from .tree.structure import Tree
from .tree.surrogates import SurrogateRule

# How users name the places of thresholds, and the tests of category columns.
SPLITS: dict[str, dict[str, Any]] = {
    "exact": {},
    "observed": {"half_way": False},
    "training": {"at_training_values": True},
    "below": {"just_below": True},
}
CATEGORY_TESTS: dict[str, dict[str, Any]] = {
    "equality": {"category": EQUALS},
    "subset": {"category": SUBSET},
    "multiway": {"category": MULTIWAY},
    "every_level": {"category": MULTIWAY, "every_level": True},
}


def fit_trees(
    params: dict[str, Any],
    task: str,
    rows: TrainingRows,
    strategy: Strategy,
    predictor: Strategy,
    draw: Callable[[], np.random.RandomState],
) -> Predictor:
    """Grow one tree per table that the strategy prepares, and prune them by `pruning`.

    Parameters
    ----------
    params : dict
        The estimator's parameters.
    task : {"classification", "regression"}
    rows : TrainingRows
    strategy, predictor : Strategy
        That grows, and that treats later rows.
    draw : callable
        Makes a RandomState.

    Returns
    -------
    Predictor
        The trees, with what their prediction needs.
    """
    n_threads = check_jobs(params["n_jobs"])
    pruning = get_pruning(params["pruning"], task)
    rng = draw()
    growing, held_out = divide_rows(pruning, rows, rng)
    rule = surrogate_rule(params, strategy, predictor)
    orders, state = orders_of(params, task, growing, strategy, rng, rule)
    announce_compilation()
    trees = [grow(**order, n_threads=n_threads) for order in orders]
    if params["max_leaf_nodes"] is not None:
        trees = [keep_best_splits(tree, params["max_leaf_nodes"]) for tree in trees]
    if predictor is not strategy:
        state = predictor.prepare(growing.table, growing.y, growing.w, draw()).state
    if pruning is not None and held_out is not None:
        whole = Predictor(trees, predictor, state)
        trees = _pruned_by(pruning, whole, held_out, orders)
    elif pruning is not None:
        trees = [
            pruning.prune(tree, o["table"], o["y"], _weights(o), strategy, _measure(o))
            for tree, o in zip(trees, orders, strict=True)
        ]
    return Predictor(trees, predictor, state)


def surrogate_rule(
    params: dict[str, Any], strategy: Strategy, predictor: Strategy
) -> SurrogateRule | None:
    """Say which surrogates to record: as a strategy needs them, or as many as are usual.

    Parameters
    ----------
    params, strategy, predictor
        See `fit_trees`.

    Returns
    -------
    SurrogateRule or None
        None = none.
    """
    record = params["record_surrogates"]
    if not isinstance(record, (bool, np.bool_)):
        raise TypeError(
            f"record_surrogates={record!r} must be True or False; how many, and how they are "
            "compared, says missing_predict=strategies.Surrogate(max_surrogates=...)."
        )
    needed = strategy.surrogate_rule or predictor.surrogate_rule
    return needed or (SurrogateRule() if record else None)


def divide_rows(
    pruning: Pruning | None, rows: TrainingRows, rng: np.random.RandomState
) -> tuple[TrainingRows, TrainingRows | None]:
    """Hold out the rows that a pruning asks for.

    Parameters
    ----------
    pruning : Pruning or None
    rows : TrainingRows
    rng : RandomState

    Returns
    -------
    growing : TrainingRows
    held_out : TrainingRows or None
    """
    mask = None if pruning is None else pruning.held_out(rows.used, rng)
    if mask is None:
        return rows, None
    return _among(rows, ~mask), _among(rows, mask)


def _among(rows: TrainingRows, mask: NDArray[np.bool_]) -> TrainingRows:
    """Rows that are also in a mask over the table that was passed."""
    here = mask[rows.used]
    w = None if rows.w is None else rows.w[here]
    table = rows.table.take(here)
    return replace(rows, table=table, y=rows.y[here], w=w, used=rows.used & mask)


def _pruned_by(
    pruning: Pruning, whole: Predictor, rows: TrainingRows, orders: list[dict[str, Any]]
) -> list[Tree]:
    """Prune each tree by the held-out rows, in every version in which they are completed."""
    versions: dict[int, list[Table]] = {}
    for router, completed in whole.pairs(rows.table):
        versions.setdefault(id(router.tree), []).append(completed)
    pruned = []
    for tree, order in zip(whole.trees, orders, strict=True):
        its = versions[id(tree)]
        table = its[0].replace(np.asfortranarray(np.vstack([t.values for t in its])))
        w = np.ones(len(rows.y)) if rows.w is None else rows.w
        y, w = np.tile(rows.y, len(its)), np.tile(w / len(its), len(its))
        pruned.append(pruning.prune(tree, table, y, w, whole.strategy, _measure(order)))
    return pruned


def _weights(order: dict[str, Any]) -> NDArray[np.float64]:
    return np.ones(len(order["y"])) if order["w"] is None else order["w"]


def _measure(order: dict[str, Any]) -> Measure:
    return order["criterion"].measure(order["n_values"])


def orders_of(
    params: dict[str, Any],
    task: str,
    rows: TrainingRows,
    strategy: Strategy,
    rng: np.random.RandomState,
    rule: SurrogateRule | None = None,
    guessing: bool = True,
) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Prepare the tables: what `grow` is to be told about each, and the strategy's state.

    Parameters
    ----------
    params, task, rows, strategy
        See `fit_trees`.
    rng : RandomState
    rule : SurrogateRule or None, default=None
        Which surrogates to record; None = none.
    guessing : bool, default=True
        Ask the strategy for guesses? Only growing needs them.

    Returns
    -------
    orders : list of dict
        Arguments of `grow`.
    state : dict
    """
    criterion = get_criterion(params["criterion"], task)
    limits = check_limits(params, rows.table, rows.w)
    prepared = prepare(strategy, rows.table, rows.y, rows.w, rng)
    n_features = prepared.tables[0].schema.n_features  # the strategy may have added some
    most = check_max_features(params["max_features"], n_features)
    limits = replace(limits, max_features=most)
    y, w = rows.y, rows.w
    if prepared.rows is not None:
        y = y[prepared.rows]
        w = None if w is None else w[prepared.rows]
    draws = most < n_features
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
            "surrogates": rule,
            "guesses": strategy.guess(table, y, w, rng) if guessing else None,
        }
        for table in prepared.tables
    ]
    if criterion.measure(rows.n_values).absolute and any(o["guesses"] for o in orders):
        raise StrategyNotApplicable(
            f"criterion={params['criterion']!r} cannot score missing={params['missing']!r}: the "
            "guessed values need costs that follow from sums; take 'squared_error'."
        )
    return orders, prepared.state
