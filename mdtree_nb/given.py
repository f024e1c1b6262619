"""A tree that was not grown here, filled with training rows.

Somebody wrote it down, or it comes from elsewhere. Its tests are taken as they are; what its
nodes say about training rows is counted, so that tree and table cannot contradict each other.

`TakesTrees` is what the estimators inherit. Does not: check X and y; `inputs.py` does.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from .fitting import orders_of
from .foreign import tree_of
from .inputs import TrainingRows
from .prediction import Predictor
from .schema import Schema
from .strategies import Strategy
from .tree.refill import Refill
from .tree.structure import Tree
from .tree.validation import check_tree
from .tree.written import written


class TakesTrees:
    """What an estimator has for trees that it did not grow."""

    _task: str

    @classmethod
    def from_tree(cls, tree: Any, X: Any, y: Any, sample_weight: Any = None, **params: Any) -> Any:
        """Take a tree as it is, and count the training rows in its nodes.

        Parameters
        ----------
        tree : Tree, dict or None
            A `Tree`, of which the tests are taken; or a tree that is written down: None is a
            leaf, {column: {branch: what is below it, ...}} is a test. The branches of a
            category column are its levels, or tuples of levels; every level needs one. Those
            of a numeric column are such as "<= 2.5" and "> 2.5".
        X : DataFrame or array-like of shape (n, p)
            The training table.
        y : array-like of shape (n,)
            Its labels.
        sample_weight : array-like of shape (n,) or None, default=None
            Its weights.
        **params
            Parameters of the estimator. `missing` says how training rows go on where they miss
            a value; those that limit growing do nothing here.

        Returns
        -------
        MDTreeClassifier or MDTreeRegressor
            Fitted.

        Raises
        ------
        ValueError, TypeError
            For a tree that does not hold together, does not fit the table, or has a written
            node that no training row gets to; and as `fit` does.

        Examples
        --------
        >>> from mdtree_nb import MDTreeClassifier, export_text
        >>> X, y = [[1.0], [2.0], [3.0]], ["a", "a", "b"]
        >>> model = MDTreeClassifier.from_tree({"x0": {"<= 1.5": None, "> 1.5": None}}, X, y)
        >>> print(export_text(model))
        #0 3 rows: a 0.67, b 0.33; a missing x0 would go -> #2
        |-- #1 x0 <= 1.5: 1 row: a 1.00
        `-- #2 x0 > 1.5: 2 rows: a 0.50, b 0.50
        """
        model: Any = cls(**params)
        rows = model._read_training(X, y, sample_weight)
        limits = dict(vars(model))
        strategy, predictor = model._strategies()
        filled = fill_trees(tree, limits, cls._task, rows, strategy, predictor, model._rng)
        return model._keep(filled, rows)

    @classmethod
    def from_sklearn(
        cls, estimator: Any, X: Any, y: Any, sample_weight: Any = None, **params: Any
    ) -> Any:
        """Take a tree that scikit-learn has grown: to draw it, trace rows, predict otherwise.

        Parameters
        ----------
        estimator : fitted DecisionTreeClassifier, DecisionTreeRegressor or extra tree
        X : DataFrame or array-like of shape (n, p)
            The training table: such a tree keeps no count of the rows that missed a value.
        y : array-like of shape (n,)
            Its labels.
        sample_weight : array-like of shape (n,) or None, default=None
            Its weights.
        **params
            Parameters of the estimator. `missing_predict` asks the tree by another strategy.

        Returns
        -------
        MDTreeClassifier or MDTreeRegressor
            Fitted; its answers are those of `estimator`, to the last row.

        Raises
        ------
        TypeError, ValueError
            For another model, several outputs, and rows that are not those of the tree.

        Examples
        --------
        >>> from sklearn.tree import DecisionTreeClassifier
        >>> from mdtree_nb import MDTreeClassifier, export_text
        >>> X, y = [[1.0], [2.0], [float("nan")], [4.0]], ["a", "a", "b", "b"]
        >>> theirs = DecisionTreeClassifier().fit(X, y)
        >>> print(export_text(MDTreeClassifier.from_sklearn(theirs, X, y)))
        #0 4 rows: a 0.50, b 0.50; 1 missing x0 -> #2
        |-- #1 x0 <= 3: 2 rows: a 1.00
        `-- #2 x0 > 3 or missing: 2 rows: b 1.00
        """
        tree = tree_of(estimator, cls._task)
        theirs: dict[str, Any] = estimator.get_params()
        weights = {"class_weight": theirs["class_weight"]} if "class_weight" in theirs else {}
        model: Any = cls(**(weights | params))
        strategy, predictor = model._strategies()
        if strategy.name != "learned":
            raise ValueError(
                f"missing={strategy.name!r}: scikit-learn's trees send missing values to the side "
                "that was learned; choose missing_predict for another way of asking the tree."
            )
        rows = model._read_training(X, y, sample_weight)
        if rows.classes is not None and list(rows.classes) != list(estimator.classes_):
            raise ValueError(
                f"y holds the classes {rows.classes}, and the tree has {estimator.classes_}; "
                "pass the labels that it was fitted on."
            )
        limits = dict(vars(model))
        filled = fill_trees(tree, limits, cls._task, rows, strategy, predictor, model._rng)
        counted = filled.trees[0]
        if not np.allclose(counted.weight, tree.weight, rtol=1e-6):
            raise ValueError(
                "X, y and sample_weight are not the rows that this tree was fitted on; pass those. "
                "The weights of a tree of a forest are how often each row was drawn."
            )
        kept = replace(counted, gain=tree.gain, value=tree.value)
        return model._keep(filled.with_trees([kept]), rows)


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
        See `fitting.grow_trees`.

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
    trees = [_filled(_tests(given, rows, task), order) for order in orders]
    if predictor is not strategy:
        state = predictor.prepare(rows.table, rows.y, rows.w, draw()).state
    return Predictor(trees, predictor, state)


def _tests(given: Any, rows: TrainingRows, task: str) -> Tree:
    schema = rows.table.schema
    if not isinstance(given, Tree):
        return written(given, schema, rows.n_values)
    try:
        check_tree(given, shares=task == "classification")
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
    if measure.absolute:
        raise ValueError(
            "criterion='absolute_error': a given tree is counted in sums, and medians are none; "
            "take 'squared_error'."
        )
    full = Refill(tree, table, w, order["strategy"]).recounted(y, measure)
    empty = np.flatnonzero((full.weight == 0) & (full.value.sum(axis=1) == 0))
    if len(empty):
        raise ValueError(
            f"tree: no training row gets to the node {full.condition(int(empty[0]))!r}, which "
            "could answer nothing; leave that test out, or join the branch to another."
        )
    return full
