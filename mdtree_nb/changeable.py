"""What can be changed in a fitted estimator without growing again.

How it predicts incomplete rows (`with_prediction`, or `missing_predict` set after fit) and
where its tree is cut off (`snip`).
"""

from __future__ import annotations

import copy
from typing import Any

from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from .auto import AutoReport, is_auto
from .prediction import Predictor
from .strategies import Strategy, get_strategy
from .tree.reshape import snipped
from .tree.structure import Tree


class Changeable(BaseEstimator):
    """Base of the tree estimators: the predictor that answers, and copies with another one."""

    missing: Any
    missing_predict: Any
    auto_report_: AutoReport
    trees_: list[Tree]
    _grown_by: Any
    _made: list[tuple[Predictor, Any]]  # with what `missing_predict` was; the fitted one first

    def _settled(self) -> Any:
        """Return this estimator, or where it searched, a copy with what it has chosen."""
        if not is_auto(self.missing) or not hasattr(self, "auto_report_"):
            return self
        its = self.auto_report_
        return copy.copy(self).set_params(missing=its.missing, pruning=its.pruning)

    @property
    def _predictor(self) -> Predictor:
        """What answers, by `missing_predict` as it is now: it may have been set after fit."""
        for predictor, asked in self._made:
            if _same(asked, self.missing_predict):
                return predictor
        predictor = self._predicting_by(self.missing_predict)
        self._made = [self._made[0], (predictor, copy.deepcopy(self.missing_predict))]
        return predictor

    @_predictor.setter
    def _predictor(self, predictor: Predictor) -> None:
        predictor.strategy = copy.deepcopy(predictor.strategy)  # parameters may be set after fit
        self._grown_by = copy.deepcopy(self._settled().missing)
        self._made = [(predictor, copy.deepcopy(self.missing_predict))]

    def _predicting_by(self, asked: Any) -> Predictor:
        """Make a predictor of the trees alone; an error where it takes the training rows."""
        strategy = get_strategy(self._grown_by if asked is None else asked, "missing_predict")
        predictor = Predictor(self.trees_, strategy, {})
        prepares = strategy.keeps_state and type(strategy).prepare is not Strategy.prepare
        if prepares or predictor.studies:
            name = strategy.name
            raise ValueError(
                f"missing_predict={asked!r} was set after fit, and {name!r} needs the training "
                f"rows; call with_prediction({name!r}, X, y) with the training table, or fit again."
            )
        return predictor

    def with_prediction(
        self, missing_predict: Any, X: Any, y: Any, sample_weight: Any = None
    ) -> Any:
        """Return a fitted copy that predicts by another strategy, without growing again.

        Parameters
        ----------
        missing_predict : str or Strategy
            The strategy to predict by.
        X : DataFrame or array-like of shape (n, p)
            The training table, from which the strategy takes what it needs.
        y : array-like of shape (n,)
            Its labels.
        sample_weight : array-like of shape (n,) or None, default=None
            Its weights.

        Returns
        -------
        MDTreeClassifier or MDTreeRegressor
            Shares its trees with this one.

        Notes
        -----
        Strategies that need no training rows, such as "fractional" or "pool", can also be set
        by `set_params(missing_predict=...)`.
        """
        check_is_fitted(self)
        other: Any = copy.copy(self).set_params(missing_predict=missing_predict)
        _, strategy = other._strategies()
        rows = other._rows(other._read(X), y, sample_weight)
        if rows.classes is not None and list(rows.classes) != list(other.classes_):
            raise ValueError(
                f"y holds other classes than those the tree was fitted on, {other.classes_}; pass "
                "the training table and its labels."
            )
        state = strategy.prepare(rows.table, rows.y, rows.w, other._rng()).state
        predictor = Predictor(self.trees_, strategy, state)
        other._predictor = predictor.study(rows.table, rows.y, rows.w)
        return other

    def snip(self, nodes: Any) -> Any:
        """Return a fitted copy in which some nodes are leaves.

        Parameters
        ----------
        nodes : int or list of int
            Numbers of nodes of `tree_`; what is below them is gone, and what is left is
            numbered anew.

        Returns
        -------
        MDTreeClassifier or MDTreeRegressor

        Raises
        ------
        ValueError, TypeError
            For nodes that the tree does not have, and where there are several trees.
        """
        check_is_fitted(self)
        other = copy.copy(self)
        other.trees_ = [snipped(self.trees_[0], nodes, len(self.trees_))]
        other._predictor = self._predictor.with_trees(other.trees_)
        return other


def _same(one: Any, other: Any) -> bool:
    """Do two values of a parameter ask for the same strategy?"""
    if isinstance(one, Strategy):
        return type(one) is type(other) and one.get_params() == other.get_params()
    return not isinstance(other, Strategy) and bool(one == other)
