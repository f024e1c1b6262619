"""A tree of scikit-learn as a tree of this package: the same tests, the same answers.

Called by `given.py`. Does not: see training rows; of those a fitted tree keeps counts alone.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import is_classifier, is_regressor
from sklearn.tree import BaseDecisionTree
from sklearn.utils.validation import check_is_fitted

from .schema import Schema
from .tree.kernels.codes import BY_RULE, IS_MISSING, THRESHOLD
from .tree.structure import Tree

Floats = NDArray[np.float64]


def tree_of(estimator: Any, task: str) -> Tree:
    """Read a fitted tree of scikit-learn.

    Parameters
    ----------
    estimator : fitted DecisionTreeClassifier, DecisionTreeRegressor or extra tree
    task : {"classification", "regression"}

    Returns
    -------
    Tree
        Where rows go that miss a value is known; how many did is not, and is to be counted.

    Raises
    ------
    TypeError
        For anything else, and a tree for the other task.
    ValueError
        For several outputs.
    NotFittedError
        For an estimator that is not fitted.
    """
    fits = is_classifier if task == "classification" else is_regressor
    if not isinstance(estimator, BaseDecisionTree) or not fits(estimator):
        its = type(estimator).__name__
        raise TypeError(
            f"estimator={its} must be one of scikit-learn's trees for {task}; of a forest pass "
            "one of its estimators_, of a pipeline the last step."
        )
    check_is_fitted(estimator)
    if estimator.n_outputs_ != 1:
        raise ValueError(
            f"estimator: it has {estimator.n_outputs_} outputs; a tree here has one, so fit one "
            "for each."
        )
    names = getattr(estimator, "feature_names_in_", None)
    if names is None:
        names = [f"x{f}" for f in range(estimator.n_features_in_)]
    p = len(names)
    schema = Schema(tuple(map(str, names)), (None,) * p, (False,) * p)  # holes: to be seen in X
    return _converted(estimator.tree_, schema, task)


def _converted(its: Any, schema: Schema, task: str) -> Tree:
    order = [0]  # level by level, siblings as neighbours
    for node in order:
        if its.children_left[node] >= 0:
            order += [its.children_left[node], its.children_right[node]]
    at = np.array(order)
    inner = its.children_left[at] >= 0
    n_children = np.where(inner, 2, 0).astype(np.int32)
    first_child = np.where(inner, 1 + np.cumsum(n_children) - n_children, 0).astype(np.int32)
    parent = np.concatenate([[0], np.repeat(np.flatnonzero(inner), 2)])
    weight = its.weighted_n_node_samples[at]
    impurity = np.maximum(its.impurity[at], 0.0)  # of pure nodes it may be just below
    value = np.array(its.value[at, 0, :], dtype=np.float64)
    if task == "classification":
        value /= value.sum(axis=1, keepdims=True)
    lone = inner & np.isposinf(its.threshold[at])  # what is known goes left, what is missing right
    share = weight / weight[parent]
    share[1:] = np.where(lone[parent[1:]], np.arange(1, len(at)) % 2, share[1:])
    left_impurity = np.bincount(parent[1:], (weight * impurity)[1:], minlength=len(at)) / weight
    m = len(at)
    return Tree(
        schema=schema,
        feature=np.where(inner, its.feature[at], -1).astype(np.int32),
        kind=np.where(lone, IS_MISSING, THRESHOLD).astype(np.int8),
        threshold=np.where(inner & ~lone, _as_doubles(its.threshold[at]), np.nan),
        first_child=first_child,
        n_children=n_children,
        missing_branch=np.where(inner, 1 - its.missing_go_to_left[at], BY_RULE).astype(np.int16),
        value=value,
        weight=weight.astype(np.float64),
        rows=its.n_node_samples[at].astype(np.int64),
        impurity=impurity.astype(np.float64),
        gain=np.where(inner, np.maximum(impurity - left_impurity, 0.0), 0.0),
        missing_weight=np.zeros(m),
        share=share,
        arrived_missing=np.zeros(m),
        level_start=np.full(m, -1, dtype=np.int32),
        level_branch=np.empty(0, dtype=np.int16),
    )


def _as_doubles(threshold: Floats) -> Floats:
    """Move thresholds to where they divide doubles as scikit-learn divides them.

    It rounds a value to single precision before it compares.
    """
    single = threshold.astype(np.float32)
    largest = np.where(single > threshold, np.nextafter(single, np.float32(-np.inf)), single)
    beyond = np.nextafter(largest, np.float32(np.inf)).astype(np.float64)
    middle = largest.astype(np.float64) / 2 + beyond / 2
    return np.where(middle.astype(np.float32) == largest, middle, np.nextafter(middle, -np.inf))
