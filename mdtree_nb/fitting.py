"""Grow the tree, or trees, that an estimator asks for, and cut them back.

Called by `tree_estimator.py`. Does not: read tables or labels; `inputs.py` does.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .inputs import TrainingRows, check_jobs, check_limits, check_max_features
from .prediction import Predictor
from .prunings import Pruning
from .prunings.errors import refuse_copies
from .sharing import prepare
from .strategies import Strategy, StrategyNotApplicable
from .table import Table
from .tree.criteria import get_criterion
from .tree.growth import announce_compilation, grow
from .tree.kernels.codes import EQUALS, MULTIWAY, SUBSET
from .tree.measure import Measure
from .tree.pruning import (
    PruningPath,
    cost_complexity_path,
    keep_best_splits,
    prune_cost_complexity,
)
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


@dataclass(frozen=True)
class Grown:
    """Trees before they are cut back, and what cutting them back takes.

    Attributes
    ----------
    trees : list of Tree
        One per table that the strategy prepared.
    orders : list of dict
        What `grow` was told about each.
    strategy, predictor : Strategy
        That grew, and that treats later rows.
    state : dict
        What the predictor's `prepare` returned.
    held_out : TrainingRows or None
        Rows that the trees did not grow on.
    """

    trees: list[Tree]
    orders: list[dict[str, Any]]
    strategy: Strategy
    predictor: Strategy
    state: dict[str, Any]
    held_out: TrainingRows | None

    def pruned(self, pruning: Pruning | None, alpha: float = 0.0) -> Predictor:
        """Cut the trees back.

        Parameters
        ----------
        pruning : Pruning or None
            One that holds out rows must be the one that `grow_trees` was told.
        alpha : float, default=0.0
            `ccp_alpha`, which comes after it.

        Returns
        -------
        Predictor
            The trees, with what their prediction needs.
        """
        trees = self.trees
        if pruning is not None and self.held_out is not None:
            whole = Predictor(trees, self.predictor, self.state)
            trees = _pruned_by(pruning, whole, self.held_out, self.orders)
        elif pruning is not None:
            trees = [
                pruning.prune(tree, o["table"], o["y"], _weights(o), self.strategy, _measure(o))
                for tree, o in zip(trees, self.orders, strict=True)
            ]
        if alpha > 0:
            for tree in trees:
                refuse_copies(tree, self.strategy, f"ccp_alpha={alpha:g}", _once(tree))
            trees = [prune_cost_complexity(tree, alpha) for tree in trees]
        return Predictor(trees, self.predictor, self.state)


def _once(tree: Tree) -> NDArray[np.float64]:
    """Weight of a node if each row took one way."""
    return tree.one_way * tree.weight


def path_of(trees: list[Tree], strategy: Strategy) -> PruningPath:
    """Compute the cost-complexity sequence of a single tree.

    Parameters
    ----------
    trees : list of Tree
    strategy : Strategy
        That grew them.

    Returns
    -------
    PruningPath

    Raises
    ------
    ValueError
        Where there are several trees.
    StrategyNotApplicable
        Where rows count in several children as a whole.
    """
    if len(trees) > 1:
        raise ValueError(
            f"missing={strategy.name!r} grows {len(trees)} trees, each with a path of its own."
        )
    refuse_copies(trees[0], strategy, "a cost-complexity path", _once(trees[0]))
    return cost_complexity_path(trees[0])


def grow_trees(
    params: dict[str, Any],
    task: str,
    rows: TrainingRows,
    strategy: Strategy,
    predictor: Strategy,
    draw: Callable[[], np.random.RandomState],
    pruning: Pruning | None,
) -> Grown:
    """Grow one tree per table that the strategy prepares.

    Parameters
    ----------
    params : dict
        The estimator's parameters, of which `pruning` is not looked at.
    task : {"classification", "regression"}
    rows : TrainingRows
    strategy, predictor : Strategy
        That grows, and that treats later rows.
    draw : callable
        Makes a RandomState.
    pruning : Pruning or None
        Says which rows to hold out.

    Returns
    -------
    Grown
    """
    n_threads = check_jobs(params["n_jobs"])
    rng = draw()
    growing, held_out = divide_rows(pruning, rows, rng)
    rule = surrogate_rule(params, strategy, predictor)
    orders, state = orders_of(params, task, growing, strategy, rng, rule)
    announce_compilation()
    trees = [grow(**order, n_threads=n_threads) for order in orders]
    if params["max_leaf_nodes"] is not None:
        trees = [keep_best_splits(tree, params["max_leaf_nodes"]) for tree in trees]
    if predictor is not strategy:
        state = prepare(predictor, growing.table, growing.y, growing.w, draw()).state
    return Grown(trees, orders, strategy, predictor, state, held_out)


def surrogate_rule(
    params: dict[str, Any], strategy: Strategy, predictor: Strategy
) -> SurrogateRule | None:
    """Say which surrogates to record: as a strategy needs them, or as many as are usual.

    Parameters
    ----------
    params, strategy, predictor
        See `grow_trees`.

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
    return among(rows, ~mask), among(rows, mask)


def among(rows: TrainingRows, mask: NDArray[np.bool_]) -> TrainingRows:
    """Take the rows that are also in a mask over the table that was passed.

    Parameters
    ----------
    rows : TrainingRows
    mask : ndarray of bool
        Over the same rows as `rows.used`.

    Returns
    -------
    TrainingRows
    """
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
        See `grow_trees`.
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
    form = TestForm(
        **CATEGORY_TESTS[params["categorical"]], **SPLITS[params["splits"]], gap=criterion.gap
    )
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
            "form": form,
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
