"""One cell of a comparison: fit a candidate on a training part, measure it on test rows.

Everything that a candidate learns, it learns here, from the training part alone. So do the
holes that are made on purpose and the fills of test rows. Does not: rank.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.base import clone

from ..estimators import MDTreeClassifier
from ..lazy import LazyTreeClassifier
from ..strategies import StrategyNotApplicable
from .lent import copy_of, lend
from .metrics import Answers, Scoring, measure

NO_SIZE = {"n_leaves": np.nan, "nodes": np.nan, "depth": np.nan}
NO_TIME = {"fit_seconds": np.nan, "predict_seconds": np.nan}


@dataclass(frozen=True)
class Fold:
    """What all candidates share in a fold.

    Attributes
    ----------
    number : int
    X, y : the training part
    tests : dict
        From the name of a test scenario to its rows.
    y_test : ndarray
    """

    number: int
    X: Any
    y: NDArray[Any]
    tests: dict[str, Any]
    y_test: NDArray[Any]


def make_fold(
    X: Any,
    y: NDArray[Any],
    split: tuple[Any, Any],
    number: int,
    amputate: Any,
    tests: Sequence[str],
    random_state: int,
) -> Fold:
    """Cut a fold out of a table; make holes, and test rows for every scenario.

    Parameters
    ----------
    X : DataFrame or ndarray of shape (n, p)
    y : ndarray of shape (n,)
    split : tuple of two arrays
        Numbers of the rows for training and for testing.
    number : int
        Of the fold.
    amputate : Amputer or None
        Fitted on the training part; makes the holes of both.
    tests : sequence of {"as_is", "complete", "amputated", "imputed"}
    random_state : int
        With the number of the fold, decides the holes.

    Returns
    -------
    Fold
    """
    train, test = split
    X_train, X_test = take(X, train), take(X, test)
    with_holes = X_test
    if amputate is not None:
        holes = clone(amputate)
        if "random_state" in holes.get_params(deep=False):
            own = amputate.get_params(deep=False)["random_state"]
            base = own if isinstance(own, (int, np.integer)) else random_state
            seed = np.random.SeedSequence([int(base), number]).generate_state(1)[0]
            holes.set_params(random_state=int(seed) % 2**31)
        X_train = holes.fit_transform(X_train, y[train])
        with_holes = holes.transform(copy_of(X_test))  # "as_is" stays as it is
    made = {
        name: X_test if name in ("as_is", "complete") else with_holes
        for name in tests
        if name != "imputed"
    }
    if "imputed" in tests:
        made["imputed"] = fill(X_train, with_holes)
    return Fold(number, X_train, y[train], {name: made[name] for name in tests}, y[test])


def take(X: Any, rows: Any) -> Any:
    """Rows of a data frame or an array.

    Parameters
    ----------
    X : DataFrame or array-like
    rows : array of int or of bool

    Returns
    -------
    DataFrame or ndarray
    """
    return X.iloc[rows] if hasattr(X, "iloc") else np.asarray(X)[rows]


def fill(train: Any, test: Any) -> Any:
    """Complete test rows by the mean, or the most frequent level, of the training rows.

    Parameters
    ----------
    train, test : DataFrame or ndarray of shapes (n, p) and (m, p)

    Returns
    -------
    DataFrame or ndarray of shape (m, p)
        A copy. Where a training column holds nothing, its holes stay.
    """
    known, done = pd.DataFrame(train), pd.DataFrame(test).copy()
    for place in range(known.shape[1]):
        column, its = known.iloc[:, place].dropna(), done.iloc[:, place]
        if not len(column) or not its.isna().any():
            continue
        numeric = pd.api.types.is_numeric_dtype(column) and not pd.api.types.is_bool_dtype(column)
        if not numeric and column.dtype == object:
            numeric = all(
                isinstance(v, (int, float, np.number)) and not isinstance(v, bool) for v in column
            )
        value = column.astype(float).mean() if numeric else column.mode().iloc[0]
        if numeric and its.dtype != object:
            its = its.astype(float)
        done.isetitem(place, its.fillna(value))
    return done if isinstance(test, pd.DataFrame) else done.to_numpy()


def run_cell(
    candidate: Any, fold: Fold, task: str, classes: NDArray[Any], scoring: Scoring
) -> list[dict[str, Any]]:
    """Fit a candidate once and measure it in every test scenario of the fold.

    Parameters
    ----------
    candidate : estimator
        Is cloned.
    fold : Fold
    task : {"classification", "regression"}
    classes : ndarray of shape (K,)
        All classes of y, sorted; not used for regression.
    scoring : Scoring

    Returns
    -------
    list of dict
        One line per scenario: `status` ("ok", "not applicable" or "failed") and `reason`,
        also of an "ok" without a score, `score`, all metrics, size and times. Nothing is
        raised, whatever the candidate does.
    """
    line: dict[str, Any] = {"fold": fold.number, "score": np.nan, **NO_SIZE, **NO_TIME}
    X, y = lend(candidate, fold.X), lend(candidate, fold.y)
    start = time.perf_counter()
    try:
        model = clone(candidate).fit(X, y)
        line |= size(model) | {"fit_seconds": time.perf_counter() - start}
    except Exception as error:  # one failing strategy must not stop the others
        return [line | {"test": name} | _excuse(error) for name in fold.tests]
    lines = []
    for name, rows in fold.tests.items():
        try:
            found = _scores(model, rows, fold.y_test, task, classes, scoring)
            lines.append(line | {"test": name, "status": "ok", "reason": ""} | found)
        except Exception as error:
            lines.append(line | {"test": name} | _excuse(error))
    return lines


def size(model: Any) -> dict[str, float]:
    """Leaves, nodes and depth of a tree, or of the one at the end of a pipeline.

    Parameters
    ----------
    model : fitted estimator

    Returns
    -------
    dict
        NaN for what is no tree.
    """
    if hasattr(model, "steps"):
        model = model.steps[-1][1]
    tree = getattr(model, "tree_", None)
    if tree is None or not hasattr(model, "get_n_leaves"):
        return dict(NO_SIZE)
    nodes = getattr(tree, "n_nodes", getattr(tree, "node_count", np.nan))
    return {
        "n_leaves": float(model.get_n_leaves()),
        "nodes": float(nodes),
        "depth": float(model.get_depth()),
    }


def _excuse(error: Exception) -> dict[str, str]:
    if isinstance(error, StrategyNotApplicable):
        return {"status": "not applicable", "reason": str(error)}
    return {"status": "failed", "reason": f"{type(error).__name__}: {error}"}


def _scores(
    model: Any, X: Any, y: NDArray[Any], task: str, classes: NDArray[Any], scoring: Scoring
) -> dict[str, Any]:
    proba, rows, again = None, lend(model, X), lend(model, X)
    start = time.perf_counter()
    if task == "classification":
        if hasattr(model, "predict_proba"):
            proba = np.asarray(model.predict_proba(rows))
        elif scoring.needs_proba:
            raise TypeError(
                f"scoring={scoring.name!r} needs predict_proba, which "
                f"{type(model).__name__} has not; choose 'accuracy' or 'balanced_accuracy'."
            )
    if proba is not None and isinstance(model, (MDTreeClassifier, LazyTreeClassifier)):
        said = model.classes_[proba.argmax(axis=1)]  # as its predict does, in half the time
    else:
        said = np.asarray(model.predict(again))
    line = {"predict_seconds": time.perf_counter() - start}
    if task == "classification":
        answers = _numbered(y, said, proba, classes, getattr(model, "classes_", classes))
    else:
        answers = Answers(np.asarray(y, float), np.asarray(said, float).reshape(len(y)), None)
    line |= measure(answers, task)
    if scoring.scorer is None:
        return line | {"score": line[scoring.name]}
    return line | _ask(scoring, model, X, y, classes)


def _numbered(
    y: NDArray[Any], said: NDArray[Any], proba: Any, classes: NDArray[Any], known: Any
) -> Answers:
    """Replace labels by numbers; a class that the model has not seen has probability 0."""
    number = {label: k for k, label in enumerate(classes.tolist())}
    of = [number[label] for label in np.asarray(known).tolist()]
    whole = None
    if proba is not None:
        whole = np.zeros((len(y), len(classes)))
        whole[:, of] = proba
    y = np.array([number[label] for label in y.tolist()])
    said = np.array([number.get(label, -1) for label in np.asarray(said).tolist()])
    return Answers(y, said, whole)


def _ask(
    scoring: Scoring, model: Any, X: Any, y: NDArray[Any], classes: NDArray[Any]
) -> dict[str, Any]:
    """Ask a scorer; where the fold lacks a class, it may have no value, and says why."""
    with warnings.catch_warnings():
        # an undefined metric (AUC of one class) is a missing score, not a warning per fold
        warnings.simplefilter("ignore", category=UserWarning)
        try:
            # a scorer may be anyone's function
            score = float(scoring.scorer(model, copy_of(X), copy_of(y)))  # type: ignore[misc]
        except ValueError as error:
            known = np.asarray(getattr(model, "classes_", classes))
            lacks = min(len(np.unique(y)), len(known)) < len(classes)
            if not lacks or "class" not in str(error):
                raise
            return {"score": np.nan, "reason": str(error)}
    if np.isinf(score):
        raise ValueError(f"scoring={scoring.name!r} is {score}, which has no mean.")
    return {"score": score}
