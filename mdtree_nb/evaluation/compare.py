"""Compare missing-value strategies on one table by repeated cross-validation.

All strategies see the same splits and the same tree settings; everything is fitted inside
the training part. A strategy that does not apply, or fails, is shown as such and ranked
last.
"""

from __future__ import annotations

import json
import time
import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, clone
from sklearn.metrics import get_scorer
from sklearn.model_selection import RepeatedKFold, RepeatedStratifiedKFold
from sklearn.utils.multiclass import type_of_target
from tqdm.auto import tqdm

from ..estimators import MDTreeClassifier, MDTreeRegressor
from ..strategies import StrategyNotApplicable, all_strategies, get_strategy
from .statistics import corrected_resampled_ttest, smallest_visible_difference


@dataclass(frozen=True)
class Comparison:
    """Scores of strategies on the same folds.

    Attributes
    ----------
    folds : DataFrame
        One line per strategy and fold: `strategy`, `fold`, `score` (NaN where it failed),
        `n_leaves`, `fit_seconds`, `predict_seconds`.
    scoring : str
        Name of the score; higher is better.
    test_to_train : float
        Rows in a test part over rows in its training part.
    baseline : float
        Mean score of always giving the same answer.
    problems : dict
        From strategy to why it could not be compared.
    """

    folds: pd.DataFrame
    scoring: str
    test_to_train: float
    baseline: float
    problems: dict[str, str] = field(default_factory=dict)

    @property
    def scores(self) -> pd.DataFrame:
        """Score of each strategy (rows) in each fold (columns)."""
        table = self.folds.pivot(index="strategy", columns="fold", values="score")
        return table.reindex(self.folds["strategy"].unique())

    @property
    def best(self) -> str | None:
        """Strategy with the highest mean score; None if all failed."""
        ranked = self.summary()
        return None if ranked["mean"].isna().all() else str(ranked.index[0])

    @property
    def detectable(self) -> float:
        """Smallest visible difference: the median over all pairs of strategies.

        A smaller difference between two means could be chance (two-sided, 5 %).
        """
        scores = self.scores.dropna()
        if len(scores) < 2:
            return float("nan")
        pairs = combinations(scores.to_numpy(), 2)
        return float(
            np.median([smallest_visible_difference(a - b, self.test_to_train) for a, b in pairs])
        )

    def summary(self, *, times: bool = False) -> pd.DataFrame:
        """Rank the strategies.

        Parameters
        ----------
        times : bool, default=False
            Add the mean seconds of fitting and predicting, which differ from run to run.

        Returns
        -------
        DataFrame
            Best first: `mean` and `sd` of the score over folds, `behind` the best, the
            `p_value` of that difference by the corrected resampled t-test, mean number of
            `leaves`, and `note`.
        """
        groups = self.folds.groupby("strategy", sort=False)
        table = pd.DataFrame(
            {
                "mean": groups["score"].agg(lambda s: s.mean(skipna=False)),
                "sd": groups["score"].agg(lambda s: s.std(ddof=1)),
                "leaves": groups["n_leaves"].mean(),
            }
        )
        table = table.sort_values("mean", ascending=False, kind="stable", na_position="last")
        scores = self.scores
        top = scores.loc[table.index[0]]
        table.insert(2, "behind", table["mean"].iloc[0] - table["mean"])
        table.insert(
            3,
            "p_value",
            [
                corrected_resampled_ttest(top - scores.loc[name], self.test_to_train).p_value
                for name in table.index
            ],
        )
        if times:
            table["fit_seconds"] = groups["fit_seconds"].mean()
            table["predict_seconds"] = groups["predict_seconds"].mean()
        table["note"] = [self.problems.get(name, "") for name in table.index]
        return table

    def sentence(self) -> str:
        """Say in words what the comparison shows.

        Returns
        -------
        str
        """
        ranked = self.summary()
        if self.best is None:
            return "No strategy could be compared."
        top = ranked.iloc[0]
        text = (
            f"{self.best} has the highest mean {self.scoring}, {top['mean']:.3f}; always giving "
            f"the same answer has {self.baseline:.3f}."
        )
        others = ranked["mean"].dropna().iloc[1:]
        if not len(others):
            return text
        near = int((top["mean"] - others < self.detectable).sum())
        return (
            f"{text} A difference below {self.detectable:.3f} is not visible here: "
            f"{near} of the {len(others)} others are that close."
        )

    def save(self, path: str | Path) -> None:
        """Write the comparison to a JSON file.

        Parameters
        ----------
        path : str or Path
        """
        parts = {name: value for name, value in vars(self).items() if name != "folds"}
        parts["folds"] = self.folds.to_dict("list")
        Path(path).write_text(json.dumps(parts), encoding="utf-8")

    @classmethod
    def load(cls, path: str | Path) -> Comparison:
        """Read a comparison that `save` wrote.

        Parameters
        ----------
        path : str or Path

        Returns
        -------
        Comparison
        """
        parts = json.loads(Path(path).read_text(encoding="utf-8"))
        folds = pd.DataFrame(parts.pop("folds"))
        numbers = folds.columns.drop("strategy")
        return cls(folds.astype(dict.fromkeys(numbers, float)).astype({"fold": int}), **parts)

    def plot(self, ax: Any = None) -> Any:
        """Draw the mean scores with their intervals; see `mdtree_nb.plot_comparison`.

        Parameters
        ----------
        ax : matplotlib Axes or None, default=None

        Returns
        -------
        matplotlib Axes
        """
        from ..plots.comparison import plot_comparison

        return plot_comparison(self, ax=ax)

    def __repr__(self) -> str:
        table = self.summary().drop(columns="note").round(3)
        notes = "".join(f"\n{name}: {why}" for name, why in self.problems.items())
        return f"{table.to_string()}{notes}"


def guess_task(y: Any) -> str:
    """Tell classification from regression by the target.

    Parameters
    ----------
    y : array-like of shape (n,)

    Returns
    -------
    {"classification", "regression"}
        Numbers with more than 20 different values, or with fractions, are for regression.
    """
    values = pd.Series(y).dropna()
    if not pd.api.types.is_numeric_dtype(values) or pd.api.types.is_bool_dtype(values):
        return "classification"
    continuous = type_of_target(values.to_numpy(dtype=float)).startswith("continuous")
    return "regression" if continuous or values.nunique() > 20 else "classification"


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
