"""Compare missing-value strategies on one table by repeated cross-validation.

All strategies see the same splits and the same tree settings; everything is fitted inside
the training part. A strategy that does not apply, or fails, is shown as such and ranked
last.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, clone
from sklearn.metrics import get_scorer
from sklearn.model_selection import RepeatedKFold, RepeatedStratifiedKFold
from tqdm.auto import tqdm

from ..estimators import MDTreeClassifier, MDTreeRegressor
from ..inputs import guess_task
from ..strategies import StrategyNotApplicable, all_strategies, get_strategy
from .comparison import Comparison


def default_strategies() -> list[str]:
    """Names of all strategies that were checked against an oracle."""
    return [name for name, cls in all_strategies().items() if not cls.experimental]


def compare(
    X: Any,
    y: Any,
    strategies: Iterable[Any] | Mapping[str, Any] | None = None,
    *,
    estimator: Any = None,
    folds: int = 5,
    repeats: int = 2,
    cv: Any = None,
    scoring: str | None = None,
    random_state: int = 0,
    progress: bool = False,
) -> Comparison:
    """Compare strategies by repeated, stratified cross-validation.

    Parameters
    ----------
    X : DataFrame or array-like of shape (n, p)
    y : array-like of shape (n,)
    strategies : iterable, dict or None, default=None
        Names or Strategy objects, which are put into `estimator`, or whole estimators; a
        dict names them. None = every checked strategy.
    estimator : estimator or None, default=None
        The tree whose `missing` is set. None = MDTreeClassifier or MDTreeRegressor with
        min_samples_leaf=5: a tree grown to the last row would mostly compare noise.
    folds, repeats : int, default=5 and 2
    cv : splitter or None, default=None
        Instead of folds and repeats.
    scoring : str or None, default=None
        None = "accuracy" or "r2".
    random_state : int, default=0
        Decides the folds.
    progress : bool, default=False
        Show a progress bar.

    Returns
    -------
    Comparison

    Raises
    ------
    ValueError
        For a single class, fewer rows of a class than folds, or an unknown strategy.

    Examples
    --------
    >>> from mdtree_nb import compare, load
    >>> colic = load("horse_colic")
    >>> result = compare(colic.X, colic.y == "lived", ["learned", "majority"])
    >>> result.scores.shape
    (2, 10)
    """
    task = guess_task(y) if estimator is None else _task_of(estimator)
    if estimator is None:
        tree = MDTreeClassifier if task == "classification" else MDTreeRegressor
        estimator = tree(min_samples_leaf=5)
    scoring = scoring or ("accuracy" if task == "classification" else "r2")
    y = np.asarray(y)
    splits = _splits(X, y, task, folds, repeats, cv, random_state)
    candidates = _candidates(strategies, estimator)
    lines, problems = [], {}
    bar = tqdm(total=len(candidates) * len(splits), disable=not progress, unit="fit")
    for name, candidate in candidates.items():
        bar.set_description(name)
        for number, (train, test) in enumerate(splits):
            line = {"strategy": name, "fold": number}
            try:
                line |= _score(candidate, X, y, train, test, scoring)
            except StrategyNotApplicable as error:
                problems[name] = f"not applicable: {error}"
            except Exception as error:  # one failing strategy must not stop the others
                problems[name] = f"failed in fold {number}: {type(error).__name__}: {error}"
            lines.append({"score": np.nan, "n_leaves": np.nan} | line)
            bar.update()
    bar.close()
    table = pd.DataFrame(lines)
    for column in ("fit_seconds", "predict_seconds"):
        if column not in table:
            table[column] = np.nan
    train, test = splits[0]
    return Comparison(
        table, scoring, len(test) / len(train), _baseline(y, splits, task, scoring), problems
    )


def _task_of(estimator: Any) -> str:
    from sklearn.base import is_classifier

    return "classification" if is_classifier(estimator) else "regression"


def _splits(
    X: Any, y: Any, task: str, folds: int, repeats: int, cv: Any, random_state: int
) -> list[tuple[Any, Any]]:
    if cv is not None:
        return list(cv.split(X, y))
    if task == "regression":
        return list(
            RepeatedKFold(n_splits=folds, n_repeats=repeats, random_state=random_state).split(X)
        )
    classes, counts = np.unique(y.astype(str), return_counts=True)
    if len(classes) < 2:
        raise ValueError(
            f"y has the single class {str(classes[0])!r}; there is nothing to tell apart."
        )
    if counts.min() < folds:
        raise ValueError(
            f"folds={folds} is more than the {counts.min()} rows of class "
            f"{str(classes[counts.argmin()])!r}; use fewer folds, or merge or drop the class."
        )
    splitter = RepeatedStratifiedKFold(n_splits=folds, n_repeats=repeats, random_state=random_state)
    return list(splitter.split(np.zeros(len(y)), y))


def _candidates(strategies: Any, estimator: Any) -> dict[str, Any]:
    """Name every estimator to compare."""
    if strategies is None:
        strategies = default_strategies()
    if not isinstance(strategies, Mapping):
        strategies = {_name(s): s for s in strategies}
    return {
        name: s if hasattr(s, "predict") else clone(estimator).set_params(missing=get_strategy(s))
        for name, s in strategies.items()
    }


def _name(strategy: Any) -> str:
    if isinstance(strategy, str):
        return strategy
    return repr(strategy) if isinstance(strategy, BaseEstimator) else str(strategy)


def _rows(X: Any, rows: Any) -> Any:
    return X.iloc[rows] if hasattr(X, "iloc") else np.asarray(X)[rows]


def _score(candidate: Any, X: Any, y: Any, train: Any, test: Any, scoring: str) -> dict[str, Any]:
    start = time.perf_counter()
    model = clone(candidate).fit(_rows(X, train), y[train])
    fitted = time.perf_counter()
    with warnings.catch_warnings():
        # an undefined metric (AUC of one class) is a missing score, not a warning per fold
        warnings.simplefilter("ignore", category=UserWarning)
        try:
            score = float(get_scorer(scoring)(model, _rows(X, test), y[test]))
        except ValueError as error:
            if "class" not in str(error):
                raise
            score = float("nan")
    return {
        "score": score,
        "n_leaves": model.get_n_leaves() if hasattr(model, "get_n_leaves") else np.nan,
        "fit_seconds": fitted - start,
        "predict_seconds": time.perf_counter() - fitted,
    }


def _baseline(y: Any, splits: Any, task: str, scoring: str) -> float:
    """Mean score of the constant answer."""
    from sklearn.dummy import DummyClassifier, DummyRegressor

    dummy = DummyClassifier() if task == "classification" else DummyRegressor()
    zeros = np.zeros((len(y), 1))
    scores = [_score(dummy, zeros, y, train, test, scoring)["score"] for train, test in splits]
    return float(np.mean(scores))
