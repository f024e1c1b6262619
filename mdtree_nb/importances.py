"""importance_table: what each column earns, and what of it missing values decide.

The training rows travel down the tree once more (`tree/refill.py`), and what each split does
for the rows that know its column is taken off what it gains.

Called by people and by `plots/importance.py`. Does not: grow, or permute columns.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from sklearn.utils.validation import check_is_fitted

from .fitting import divide_rows, orders_of
from .prunings import get_pruning
from .tree.criteria import Criterion
from .tree.kernels.codes import THRESHOLD
from .tree.measure import Measure
from .tree.refill import Refill
from .tree.structure import Tree

COLUMNS = ["importance", "by_missing", "missing_splits", "splits"]


def importance_table(model: Any, X: Any, y: Any, sample_weight: Any = None) -> pd.DataFrame:
    """Say what part of the gain of a tree each column earns, and what of it by its holes.

    A split of a node with weight w and gain g earns w g. What it does for the rows that know
    its column, taken alone, is how much their impurity sinks, times their weight; the rest is
    credited to the rows that miss the column, and to where they go. Of a test "is missing"
    everything is the rest: the rows that know the column stay together. So it is of a test of
    a column that a strategy added ("indicator"), which counts for the column that it tells of.
    Strategies that score known rows only, for what they weigh (such as "fractional" and
    "surrogate"), have no rest; "both_children" credits the gain of the known rows to the
    missing ones, too. The rest is below zero where missing rows spoil the child to which they
    go.

    Parameters
    ----------
    model : fitted MDTreeClassifier or MDTreeRegressor
    X : DataFrame or array-like of shape (n, p)
        The training table: a tree does not keep the labels of its missing rows.
    y : array-like of shape (n,)
        Its labels.
    sample_weight : array-like of shape (n,) or None, default=None
        Its weights.

    Returns
    -------
    DataFrame
        One line per column, the most important first: `importance`, its part of all that is
        earned (`feature_importances_`); `by_missing`, the part of all that it earns by missing
        values, contained in `importance`; the number of its `missing_splits`, in which
        training rows miss it, among its `splits`.

    Raises
    ------
    TypeError
        For another model.
    NotFittedError
        For a model that is not fitted.
    ValueError
        For rows that the tree was not grown from.

    Notes
    -----
    Of several trees the mean; parts are those of the trees that split at all, as in
    `feature_importances_`. The parts are those of impurity that
    sinks in training (Breiman et al. 1984, section 5.3): columns with many cuts are favoured.

    Under "gain_ratio" a threshold pays for having been chosen among many, and what is left
    cannot be told apart: `by_missing` then covers all other tests.

    Examples
    --------
    >>> from mdtree_nb import MDTreeClassifier, importance_table
    >>> X = [[1.0], [2.0], [3.0], [4.0], [float("nan")], [float("nan")]]
    >>> y = ["a", "a", "b", "b", "b", "b"]
    >>> importance_table(MDTreeClassifier().fit(X, y), X, y).loc["x0"].round(4).to_dict()
    {'importance': 1.0, 'by_missing': 0.25, 'missing_splits': 1.0, 'splits': 1.0}
    """
    from .tree_estimator import TreeEstimator

    if not isinstance(model, TreeEstimator):
        raise TypeError(
            f"model={type(model).__name__} must be a fitted MDTreeClassifier or MDTreeRegressor; "
            "of a pipeline pass the last step and the transformed table."
        )
    check_is_fitted(model)
    rows = model._rows(model._read(X), y, sample_weight)
    if rows.classes is not None and list(rows.classes) != list(getattr(model, "classes_", ())):
        raise _other_rows("the classes in y differ")
    model = model._settled()
    strategy, rng = model._strategies()[0], model._rng()
    rows, _ = divide_rows(get_pruning(model.pruning, model._task), rows, rng)
    orders, _ = orders_of(dict(vars(model)), model._task, rows, strategy, rng, None)
    if len(orders) != len(model.trees_):
        raise _other_rows(f"they make {len(orders)} trees and not {len(model.trees_)}")
    parts = [_earned(tree, order) for tree, order in zip(model.trees_, orders, strict=True)]
    schema = model.tree_.schema
    names = pd.Index(schema.names[: schema.n_own], name="column")
    means = np.mean(parts, axis=0)
    means[:, :2] *= len(parts) / max(1, sum(not tree.is_leaf[0] for tree in model.trees_))
    table = pd.DataFrame(means, index=names, columns=COLUMNS)
    if len(parts) == 1:
        table = table.astype({"missing_splits": int, "splits": int})
    return table.sort_values("importance", ascending=False, kind="stable")


def _earned(tree: Tree, order: dict[str, Any]) -> np.ndarray[Any, Any]:
    """Parts by column, of one tree: the columns of the table."""
    y, w = order["y"], order["w"]
    w = np.ones(len(y)) if w is None else w
    again = Refill(tree, order["table"], w, order["strategy"])
    measure = order["criterion"].measure(order["n_values"])
    if measure.centred:
        y = y - y.mean()  # sums of large squares would lose the small differences
    weight, cost = _sums(again, y, measure, again.node, slice(None))
    for name, now, then in (("weight", weight, tree.weight), ("impurity", cost, tree.impurity)):
        now = now if name == "weight" else now / np.maximum(weight, 1e-300)
        if not np.allclose(now, then, rtol=1e-6, atol=1e-9):
            v = int(np.argmax(np.abs(now - then)))
            raise _other_rows(f"node {v} has {name} {now[v]:.6g}, and it was {then[v]:.6g}")
    inner = ~tree.is_leaf
    earned = tree.one_way * tree.weight * tree.gain
    known = tree.one_way * _saved_by_known(again, y, measure)
    rest, met = earned - known, inner & (tree.missing_weight > 0)
    if type(order["criterion"]).gains is not Criterion.gains:  # thresholds pay
        rest = np.where(tree.kind == THRESHOLD, 0.0, rest)
    told = inner & (tree.feature >= tree.schema.n_own)  # a column that says who misses another
    rest, met = np.where(told, earned, rest), met | told
    rest = np.where(met & (np.abs(rest) > 1e-9 * np.maximum(earned, known)), rest, 0.0)
    total = earned[inner].sum() or 1.0
    amounts = (earned / total, rest / total, met, inner)
    return np.column_stack([_by_column(tree, inner, amount) for amount in amounts])


def _saved_by_known(again: Refill, y: Any, measure: Measure) -> np.ndarray[Any, Any]:
    """Impurity times weight that sinks in each node, of the rows that know its column alone."""
    tree, came = again.tree, again.by_known
    child = again.node[came]
    before, after = (_sums(again, y, measure, v, came)[1] for v in (tree.parent[child], child))
    return np.asarray(before - np.bincount(tree.parent[1:], after[1:], minlength=tree.n_nodes))


def _sums(
    again: Refill, y: Any, measure: Measure, node: Any, visits: Any
) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Weight, and impurity times weight, of some visits by the node they count for."""
    m = again.tree.n_nodes
    its = y[again.row[visits]], again.weight[visits]
    sums = measure.summaries(*its, node, np.array([m]))[0][1:]
    return sums[:, 0], sums[:, 2]


def _by_column(tree: Tree, inner: Any, amount: Any) -> np.ndarray[Any, Any]:
    schema = tree.schema
    column = np.r_[np.arange(schema.n_own), np.array(schema.sources, dtype=np.intp)]
    return np.bincount(
        column[tree.feature[inner]], amount[inner].astype(float), minlength=schema.n_own
    )


def _other_rows(why: str) -> ValueError:
    return ValueError(
        f"X, y and sample_weight are not the rows that this tree was grown from: {why}. Pass the "
        "training table, and a whole number as random_state where rows or values are drawn."
    )
