"""MDTreeClassifier and MDTreeRegressor: scikit-learn's API around the core."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin, RegressorMixin

from .given import TakesTrees
from .tree_estimator import TreeEstimator


class MDTreeClassifier(ClassifierMixin, TakesTrees, TreeEstimator):
    """A decision tree for classification, with a strategy for missing values.

    Parameters
    ----------
    criterion : {"gini", "entropy", "log_loss"} or Criterion, default="gini"
        What a split should lower.
    splits : {"exact", "observed", "training", "below"}, default="exact"
        Every cut between neighbouring values is tried; the threshold is half-way between
        them, the lower of them, the largest training value that is not above half-way, or
        just below half-way, so that a new value in the middle goes right.
    max_depth : int or None, default=None
        Depth of the deepest leaf; the root has depth 0. None = no limit.
    min_samples_split : int or float, default=2
        Smallest node that may be split: rows (or shares of rows), or a part of all rows.
    min_samples_leaf : int or float, default=1
        Smallest child that a split may make, counted in the same way; 0 = any part of a row.
    min_weight_fraction_leaf : float, default=0.0
        Smallest weight of such a child, as a part of the training weight.
    min_impurity_decrease : float, default=0.0
        Smallest weighted impurity decrease of a split, as a part of the training weight.
    max_features : int, float, {"sqrt", "log2"} or None, default=None
        Columns to look at in each node, drawn at random; None = all.
    max_leaf_nodes : int or None, default=None
        Most leaves of the tree; the splits that earn most come first.
    class_weight : dict, "balanced" or None, default=None
        Weight of each class; "balanced" gives all classes the same total weight.
    pruning : {"cost_complexity", "pessimistic", ...} or Pruning, default=None
        How the grown tree is cut back, by name or as an object with parameters, such as
        `prunings.Pessimistic(confidence=0.1)`; see `mdtree_nb.prunings`. None = it is not.
    ccp_alpha : float, default=0.0
        Price of a leaf in minimal cost-complexity pruning, which works on the tree that
        `pruning` leaves; 0 = no such pruning.
    random_state : int, RandomState or None, default=None
        Used only where something is drawn. Equal gains are never broken at random.
    n_jobs : int or None, default=None
        Threads for growing on large tables; None = 1, -1 = one per processor. The tree is
        the same.
    missing : str, Strategy or Auto, default="learned"
        How missing values are treated when the tree grows; see
        `mdtree_nb.strategies.all_strategies`. "auto" lets an inner cross-validation choose, and
        the pruning too where none is asked for; `mdtree_nb.Auto` has its parameters.
    missing_predict : str, Strategy or None, default=None
        How they are treated in rows to predict; None = by the strategy that grew. Set after
        `fit`, it takes effect, unless the strategy needs the training rows: see
        `with_prediction`.
    categorical : {"subset", "equality", "multiway", "every_level"}, default="subset"
        How a category column is tested: a group of levels against all others, one level
        against all others, one child per level that the node's rows have, or one child per
        level of the column.
    record_surrogates : bool, default=False
        Record, at every split in two, the tests of other columns that agree best with it, so
        that `missing_predict="surrogate"` can ask them. With `missing="surrogate"` they are
        recorded anyway.
    new_missing : {"route", "warn", "raise"}, default="route"
        What to do with a missing value in a column that had none at fit.
    missing_label : {"raise", "drop"}, default="raise"
        What to do with training rows that have no label.

    Attributes
    ----------
    tree_ : Tree
        The grown tree; the first where the strategy grew several.
    trees_ : list of Tree
    classes_ : ndarray of shape (K,)
    n_classes_ : int
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (p,)
        Only for a DataFrame with text column names.
    feature_importances_ : ndarray of shape (p,)
    schema_ : Schema
        Names and levels of the columns.
    n_dropped_ : int
        Training rows left out because they had no label.
    auto_report_ : AutoReport
        Only with `missing="auto"`: what was compared, what was chosen, and why.

    Examples
    --------
    >>> import numpy as np
    >>> from mdtree_nb import MDTreeClassifier
    >>> X = np.array([[1.0], [2.0], [np.nan], [3.0], [4.0]])
    >>> tree = MDTreeClassifier(missing="learned").fit(X, [0, 0, 1, 1, 1])
    >>> tree.predict([[1.5], [np.nan]])
    array([0, 1])
    """

    _task = "classification"

    def __init__(
        self,
        *,
        criterion: Any = "gini",
        splits: str = "exact",
        max_depth: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        min_weight_fraction_leaf: float = 0.0,
        min_impurity_decrease: float = 0.0,
        max_features: Any = None,
        max_leaf_nodes: int | None = None,
        class_weight: Any = None,
        pruning: Any = None,
        ccp_alpha: float = 0.0,
        random_state: Any = None,
        n_jobs: int | None = None,
        missing: Any = "learned",
        missing_predict: Any = None,
        categorical: str = "subset",
        record_surrogates: bool = False,
        new_missing: str = "route",
        missing_label: str = "raise",
    ):
        super().__init__(
            criterion=criterion,
            splits=splits,
            max_depth=max_depth,
            min_samples_split=min_samples_split,
            min_samples_leaf=min_samples_leaf,
            min_weight_fraction_leaf=min_weight_fraction_leaf,
            min_impurity_decrease=min_impurity_decrease,
            max_features=max_features,
            max_leaf_nodes=max_leaf_nodes,
            pruning=pruning,
            ccp_alpha=ccp_alpha,
            random_state=random_state,
            n_jobs=n_jobs,
            missing=missing,
            missing_predict=missing_predict,
            categorical=categorical,
            record_surrogates=record_surrogates,
            new_missing=new_missing,
            missing_label=missing_label,
        )
        self.class_weight = class_weight

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Estimate the probability of each class.

        Parameters
        ----------
        X : DataFrame or array-like of shape (n, p)

        Returns
        -------
        ndarray of shape (n, K)
            In the order of `classes_`.
        """
        table = self._read(X)
        return self._predictor.values(table)

    def predict(self, X: Any) -> NDArray[Any]:
        """Predict the most probable class; the first of `classes_` when equal.

        Parameters
        ----------
        X : DataFrame or array-like of shape (n, p)

        Returns
        -------
        ndarray of shape (n,)
        """
        table = self._read(X)
        ends = self._predictor.single_ends(table)
        if ends is not None:
            return self.classes_[self.tree_.value.argmax(axis=1)].take(ends)
        return self.classes_[self._predictor.values(table).argmax(axis=1)]


class MDTreeRegressor(RegressorMixin, TakesTrees, TreeEstimator):
    """A decision tree for regression, with a strategy for missing values.

    Parameters
    ----------
    criterion : {"squared_error"} or Criterion, default="squared_error"
        What a split should lower.
    splits : {"exact", "observed", "training", "below"}, default="exact"
        Every cut between neighbouring values is tried; the threshold is half-way between
        them, the lower of them, the largest training value that is not above half-way, or
        just below half-way, so that a new value in the middle goes right.
    max_depth : int or None, default=None
        Depth of the deepest leaf; the root has depth 0. None = no limit.
    min_samples_split : int or float, default=2
        Smallest node that may be split: rows (or shares of rows), or a part of all rows.
    min_samples_leaf : int or float, default=1
        Smallest child that a split may make, counted in the same way; 0 = any part of a row.
    min_weight_fraction_leaf : float, default=0.0
        Smallest weight of such a child, as a part of the training weight.
    min_impurity_decrease : float, default=0.0
        Smallest weighted impurity decrease of a split, as a part of the training weight.
    max_features : int, float, {"sqrt", "log2"} or None, default=None
        Columns to look at in each node, drawn at random; None = all.
    max_leaf_nodes : int or None, default=None
        Most leaves of the tree; the splits that earn most come first.
    pruning : {"cost_complexity", "reduced_error"} or Pruning, default=None
        How the grown tree is cut back, by name or as an object with parameters, such as
        `prunings.ReducedError(fraction=0.3)`; see `mdtree_nb.prunings`. None = it is not.
    ccp_alpha : float, default=0.0
        Price of a leaf in minimal cost-complexity pruning, which works on the tree that
        `pruning` leaves; 0 = no such pruning.
    random_state : int, RandomState or None, default=None
        Used only where something is drawn. Equal gains are never broken at random.
    n_jobs : int or None, default=None
        Threads for growing on large tables; None = 1, -1 = one per processor. The tree is
        the same.
    missing : str, Strategy or Auto, default="learned"
        How missing values are treated when the tree grows; see
        `mdtree_nb.strategies.all_strategies`. "auto" lets an inner cross-validation choose, and
        the pruning too where none is asked for; `mdtree_nb.Auto` has its parameters.
    missing_predict : str, Strategy or None, default=None
        How they are treated in rows to predict; None = by the strategy that grew. Set after
        `fit`, it takes effect, unless the strategy needs the training rows: see
        `with_prediction`.
    categorical : {"subset", "equality", "multiway", "every_level"}, default="subset"
        How a category column is tested: a group of levels against all others, one level
        against all others, one child per level that the node's rows have, or one child per
        level of the column.
    record_surrogates : bool, default=False
        Record, at every split in two, the tests of other columns that agree best with it, so
        that `missing_predict="surrogate"` can ask them. With `missing="surrogate"` they are
        recorded anyway.
    new_missing : {"route", "warn", "raise"}, default="route"
        What to do with a missing value in a column that had none at fit.
    missing_label : {"raise", "drop"}, default="raise"
        What to do with training rows that have no label.

    Attributes
    ----------
    tree_ : Tree
        The grown tree; the first where the strategy grew several.
    trees_ : list of Tree
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (p,)
        Only for a DataFrame with text column names.
    feature_importances_ : ndarray of shape (p,)
    schema_ : Schema
        Names and levels of the columns.
    n_dropped_ : int
        Training rows left out because they had no label.
    auto_report_ : AutoReport
        Only with `missing="auto"`: what was compared, what was chosen, and why.

    Examples
    --------
    >>> import numpy as np
    >>> from mdtree_nb import MDTreeRegressor
    >>> X = np.array([[1.0], [2.0], [np.nan], [3.0], [4.0]])
    >>> tree = MDTreeRegressor(max_depth=1).fit(X, [5.0, 5.0, 9.0, 9.0, 9.0])
    >>> tree.predict([[1.5], [np.nan]])
    array([5., 9.])
    """

    _task = "regression"

    def predict(self, X: Any) -> NDArray[np.float64]:
        """Predict the mean label.

        Parameters
        ----------
        X : DataFrame or array-like of shape (n, p)

        Returns
        -------
        ndarray of shape (n,)
        """
        table = self._read(X)
        ends = self._predictor.single_ends(table)
        if ends is not None:
            return self.tree_.value[ends, 0]
        return self._predictor.values(table)[:, 0]
