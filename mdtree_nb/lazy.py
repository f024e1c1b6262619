"""Lazy decision trees: no tree is grown, every row to predict gets a path of its own.

A path asks only what the row can answer, so a missing value of the row is never met, and no
strategy of `missing=` is needed; training rows that miss the asked column drop out.

Does not: look for paths; `lazy_paths.py` does.
"""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from . import table as tables
from .inputs import check_training_rows, one_row
from .lazy_paths import Step, Training, Walk
from .tree.kernels import lazy as kernels
from .tree.kernels.jit import announce

Floats = NDArray[np.float64]


class _LazyTree(BaseEstimator):
    """What both estimators share."""

    _task: str
    min_samples_leaf: int
    missing_label: str

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        """Keep the training rows, sorted; paths are made when rows are predicted.

        Parameters
        ----------
        X : DataFrame or array-like of shape (n, p)
            NaN, None, pd.NA and NaT are missing values.
        y : array-like of shape (n,)
            Labels.
        sample_weight : array-like of shape (n,) or None, default=None
            Rows of weight 0 count as absent.

        Returns
        -------
        self
            The fitted estimator.
        """
        self._check()
        X = tables.read(X)
        validate_data(self, X, skip_check_array=True)
        rows = check_training_rows(
            tables.learn(X), y, sample_weight, None, self.missing_label, self._task
        )
        if rows.classes is not None:
            self.classes_ = rows.classes
            self.n_classes_ = len(rows.classes)
        self.schema_ = rows.table.schema
        self.n_dropped_ = rows.n_dropped
        n_classes = 0 if rows.classes is None else len(rows.classes)
        self._training = Training(rows.table, rows.y, rows.w, n_classes)
        return self

    def _check(self) -> None:
        least = self.min_samples_leaf
        if isinstance(least, bool) or not isinstance(least, Integral) or least < 1:
            raise ValueError(
                f"min_samples_leaf={least!r} must be a whole number of rows, at least 1."
            )

    def _values(self, X: Any) -> Floats:
        check_is_fitted(self)
        X = tables.read(X)
        validate_data(self, X, reset=False, skip_check_array=True)
        return tables.encode(X, self.schema_).values

    def _walk(self, traces: bool = False) -> Walk:
        announce(kernels.outcomes, kernels.keep)
        slack = float(getattr(self, "slack", 0.0))
        return Walk(self._training, int(self.min_samples_leaf), slack, traces)

    def explain_row(self, x: Any) -> pd.DataFrame:
        """Show the path of one row.

        Parameters
        ----------
        x : array-like of shape (p,), Series, dict or DataFrame of one row

        Returns
        -------
        DataFrame
            One line per `step`, from all training rows (0) to those that answer: the
            `feature` asked and the row's `value`, the `test` that training rows must pass,
            its `gain`, how many `rows` are left, their `weight`, and their class shares
            `P(class)` or their `mean`.
        """
        check_is_fitted(self)
        values = self._values(one_row(x, getattr(self, "feature_names_in_", None)))
        walk = self._walk(traces=True)
        walk.run(values)
        classes = getattr(self, "classes_", None)
        names = ["mean"] if classes is None else [f"P({c})" for c in classes]
        lines = [self._line(step, values[0], names) for step in walk.path]
        return pd.DataFrame(lines, index=pd.RangeIndex(len(lines), name="step"))

    def _line(self, step: Step, values: Floats, names: list[str]) -> dict[str, Any]:
        line: dict[str, Any] = {"feature": "", "value": "", "test": "all rows"}
        if step.feature >= 0:
            levels, value = self.schema_.levels[step.feature], values[step.feature]
            line["feature"] = self.schema_.names[step.feature]
            line["value"] = float(value) if levels is None else levels[int(value)]
            line["test"] = step.test
        line |= {"gain": step.gain, "rows": step.rows, "weight": step.weight}
        return line | dict(zip(names, map(float, step.value), strict=True))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        return tags

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_training")


class LazyTreeClassifier(ClassifierMixin, _LazyTree):
    """Classify each row by a path of its own through the training rows (lazy decision tree).

    The path starts with all training rows. Of the columns that the row knows, the one is asked
    whose answer tells most, and the training rows with the same answer go on: the same level,
    or the same side of the threshold that divides the known rows best. Rows that miss the
    column drop out. The path ends where all rows are of one class, or no answer gains more. A
    row without any known value gets the shares of all training rows.

    Classes are weighed by 1 / (weight of the class among the rows so far), so that all start
    equal; a gain is log2(number of classes) less the entropy of the rows that would be left.
    The answer is the weights of the classes in the last rows.

    Parameters
    ----------
    min_samples_leaf : int, default=1
        Fewest training rows that an answer must leave; on both sides of a threshold.
    slack : float, default=0.0
        Follow every answer whose gain is at least (1 - slack) times the best, and keep the path
        whose last rows hold the largest part of a class: weight of their most frequent class
        / weight of that class in training. 0.1 is the rule of the MLC++ library; it takes many
        times longer. 0 follows the best alone, the first column when equal.
    missing_label : {"raise", "drop"}, default="raise"
        What to do with training rows that have no label.

    Attributes
    ----------
    classes_ : ndarray of shape (K,)
    n_classes_ : int
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (p,)
        Only for a DataFrame with text column names.
    schema_ : Schema
        Names and levels of the columns.
    n_dropped_ : int
        Training rows left out because they had no label.

    References
    ----------
    .. [1] J. H. Friedman, R. Kohavi, Y. Yun, "Lazy decision trees", AAAI 1996.

    Examples
    --------
    >>> from mdtree_nb import LazyTreeClassifier, load
    >>> data = load("playtennis_missing")
    >>> model = LazyTreeClassifier().fit(data.X, data.y)
    >>> row = {"Outlook": None, "Temperature": "Cool", "Humidity": "High", "Wind": "Strong"}
    >>> list(model.explain_row(row)["test"])
    ['all rows', 'Humidity = High', 'Wind = Strong']
    >>> list(model.explain_row(row)["gain"].round(4))
    [0.0, 0.2446, 1.0]
    """

    _task = "classification"

    def __init__(
        self, *, min_samples_leaf: int = 1, slack: float = 0.0, missing_label: str = "raise"
    ):
        self.min_samples_leaf = min_samples_leaf
        self.slack = slack
        self.missing_label = missing_label

    def _check(self) -> None:
        super()._check()
        slack = self.slack
        if isinstance(slack, bool) or not isinstance(slack, Real) or not 0 <= float(slack) < 1:
            raise ValueError(
                f"slack={slack!r} must be a number in [0, 1); 0 follows the best answer alone, 0.1 "
                "all within 10 % of it."
            )

    def predict_proba(self, X: Any) -> Floats:
        """Return the class shares of the training rows at the end of each row's path.

        Parameters
        ----------
        X : DataFrame or array-like of shape (n, p)

        Returns
        -------
        ndarray of shape (n, K)
            In the order of `classes_`.
        """
        values = self._values(X)
        return self._walk().run(values)

    def predict(self, X: Any) -> NDArray[Any]:
        """Predict the most frequent class; the first of `classes_` when equal.

        Parameters
        ----------
        X : DataFrame or array-like of shape (n, p)

        Returns
        -------
        ndarray of shape (n,)
        """
        shares = self.predict_proba(X)
        return np.asarray(self.classes_[shares.argmax(axis=1)])


class LazyTreeRegressor(RegressorMixin, _LazyTree):
    """Predict a number for each row by a path of its own through the training rows.

    As `LazyTreeClassifier`, with the variance of the rows that would be left in place of the
    entropy of classes; thresholds divide the known rows by squared error. The answer is the
    mean of the last rows.

    Parameters
    ----------
    min_samples_leaf : int, default=1
        Fewest training rows that an answer must leave; on both sides of a threshold. With 1 a
        path often ends at a single row.
    missing_label : {"raise", "drop"}, default="raise"
        What to do with training rows that have no label.

    Attributes
    ----------
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (p,)
        Only for a DataFrame with text column names.
    schema_ : Schema
        Names and levels of the columns.
    n_dropped_ : int
        Training rows left out because they had no label.

    References
    ----------
    .. [1] J. H. Friedman, R. Kohavi, Y. Yun, "Lazy decision trees", AAAI 1996 (for classes).

    Examples
    --------
    >>> from mdtree_nb import LazyTreeRegressor
    >>> X = [[1.0, 0.0], [2.0, 1.0], [3.0, 0.0], [4.0, 1.0]]
    >>> model = LazyTreeRegressor().fit(X, [5.0, 6.0, 9.0, 10.0])
    >>> model.predict([[1.2, float("nan")], [float("nan"), float("nan")]])
    array([5. , 7.5])
    """

    _task = "regression"

    def __init__(self, *, min_samples_leaf: int = 1, missing_label: str = "raise"):
        self.min_samples_leaf = min_samples_leaf
        self.missing_label = missing_label

    def predict(self, X: Any) -> Floats:
        """Predict the mean of the training rows at the end of each row's path.

        Parameters
        ----------
        X : DataFrame or array-like of shape (n, p)

        Returns
        -------
        ndarray of shape (n,)
        """
        values = self._values(X)
        return self._walk().run(values)[:, 0]
