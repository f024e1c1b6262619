"""Compare missing-value strategies on one table by repeated cross-validation.

All strategies see the same splits, the same holes and the same tree settings; everything is
fitted inside the training part. A strategy that does not apply, fails, or takes too long is
shown as such and not ranked.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pandas as pd
from joblib import Parallel, delayed, effective_n_jobs
from tqdm.auto import tqdm

from ..inputs import guess_task
from ..sharing import sharing
from ..tree.kernels.jit import compile_seconds
from .candidates import make_tree, name_candidates, task_of_estimator
from .cells import NO_SIZE, NO_TIME, make_fold, run_cell
from .comparison import Comparison, problems_of
from .folds import make_splits, test_to_train
from .metrics import METRICS, Scoring, get_scoring
from .request import check_amputate, check_labels, check_numbers, check_rows, check_tests


def compare(
    X: Any,
    y: Any,
    strategies: Iterable[Any] | Mapping[str, Any] | None = None,
    *,
    estimator: Any = None,
    pruning: Any = None,
    folds: int = 5,
    repeats: int = 2,
    cv: Any = None,
    scoring: Any = None,
    amputate: Any = None,
    test_missing: Any = None,
    budget: float | None = 20.0,
    n_jobs: int | None = None,
    random_state: int = 0,
    progress: bool = False,
) -> Comparison:
    """Compare strategies by repeated, stratified cross-validation.

    Parameters
    ----------
    X : DataFrame or array-like of shape (n, p)
    y : array-like of shape (n,)
    strategies : iterable, dict or None, default=None
        Names or Strategy objects, which are put into `estimator`, or whole estimators and
        pipelines, which stay as they are; a dict gives them names, kept as text. One alone
        needs no list. None = every checked strategy.
    estimator : estimator or None, default=None
        The tree whose `missing` is set. None = MDTreeClassifier or MDTreeRegressor with
        min_samples_leaf=5: a tree grown to the last row would mostly compare noise.
    pruning : str, Pruning or None, default=None
        Set in `estimator`, so the same for all strategies. None = what it has.
    folds, repeats : int, default=5 and 2
    cv : splitter, int, iterable of splits or None, default=None
        Instead of folds and repeats; a number is that of folds, once. Of a split, each part
        is numbers of rows or a mask.
    scoring : str, callable or None, default=None
        What to rank by: "accuracy", "balanced_accuracy", "log_loss", "brier", "auc",
        "smoothed_error", "smoothed_error_label_free", "r2", "mae", or a scorer of
        scikit-learn. None = "accuracy" or "r2". "brier" is half the sum of squares over the
        classes, so that two classes have the usual score; scikit-learn's, of several, is the
        sum. All metrics of the task are measured anyway; `Comparison.by` ranks by another one.
    amputate : Amputer, dict or None, default=None
        Holes to make on purpose: an Amputer, what `missingness.scenario` returns, or
        arguments of `make_missing`. Fitted on each training part; the same for all strategies.
    test_missing : {"as_is", "complete", "amputated", "imputed"}, list of them or None
        What test rows miss: "as_is", what they miss in X, without holes made on purpose;
        "complete", the same where X must not have holes; "amputated", the holes that
        `amputate` makes there, as it learned on the training part; "imputed", nothing, since
        means and most frequent levels of the training part are filled in. None, the default,
        = "amputated" where `amputate` is given, else "as_is". Of a list, each model is fitted
        once and the first one ranks; `Comparison.by` ranks by another.
    budget : float or None, default=20.0
        Seconds for each strategy, compilation left out. What has used them up skips its
        remaining folds, is shown with the scores that it has, and is not ranked. None = no
        limit. A fold that has begun is finished.
    n_jobs : int or None, default=None
        Folds at the same time, through joblib. None = one, or as `joblib.parallel_config`
        says. The scores do not depend on it.
    random_state : int, default=0
        Decides folds and holes, and whatever an `estimator` without a state draws.
    progress : bool, default=False
        Show a progress bar.

    Returns
    -------
    Comparison

    Raises
    ------
    TypeError, ValueError
        For what cannot be compared, before any fold runs: arguments of another kind, a single
        class, fewer rows of a class than folds, a split without rows, two strategies of one
        name, or an unknown strategy, pruning, scoring or test scenario.

    Examples
    --------
    >>> from mdtree_nb import compare, load
    >>> colic = load("horse_colic")
    >>> result = compare(colic.X, colic.y == "lived", ["learned", "majority"])
    >>> result.scores.shape
    (2, 10)
    """
    X, labels = check_rows(X, y)
    guessed = y if np.ndim(y) == 1 else labels  # a category says more than its values
    task = guess_task(guessed) if estimator is None else task_of_estimator(estimator)
    y = check_labels(labels, task)
    metric = get_scoring(scoring, task)
    amputate = check_amputate(amputate)
    tests = check_tests(test_missing, amputate, X)
    check_numbers(folds, repeats, budget, n_jobs, random_state, amputate)
    candidates = name_candidates(strategies, make_tree(estimator, task, pruning, random_state))
    splits = make_splits(X, y, task, folds, repeats, cv, random_state)
    classes = np.unique(y) if task == "classification" else np.empty(0)
    jobs = effective_n_jobs(n_jobs)
    lines: list[dict[str, Any]] = []
    spent = dict.fromkeys(candidates, 0.0)
    bar = tqdm(total=len(candidates) * len(splits), disable=not progress, unit="fit")
    tick = bar.update if jobs == 1 else None  # other processes cannot move the bar
    with Parallel(n_jobs=jobs) as run:
        for first in range(0, len(splits), jobs):
            some = range(first, min(first + jobs, len(splits)))
            going = {n: c for n, c in candidates.items() if budget is None or spent[n] <= budget}
            shared = (going, tick, X, y, amputate, tests, random_state, task, classes, metric)
            for found, seconds in run(delayed(_fold)(k, splits[k], *shared) for k in some):
                lines += found
                spent = {name: spent[name] + seconds.get(name, 0.0) for name in spent}
                bar.update(len(candidates) - len(going) * (jobs == 1))
    bar.close()
    late = {name: f"{used:.3g} s used of budget={budget}" for name, used in spent.items()}
    table = _with_skipped(lines, late, len(splits), tests, task)
    baselines = _baselines(y, splits, task, classes, metric)
    return Comparison(
        table,
        metric.name,
        test_to_train(splits),
        baselines["score"],
        problems_of(table[table["test"] == tests[0]]),
        metric.higher_is_better,
        baselines,
    )


def _fold(
    number: int,
    split: tuple[Any, Any],
    candidates: dict[str, Any],
    tick: Any,
    X: Any,
    y: Any,
    amputate: Any,
    tests: list[str],
    random_state: int,
    *rest: Any,
) -> tuple[list[dict[str, Any]], dict[str, float]]:
    """Run all candidates in a fold, whose tables are made once; and say what each one took."""
    fold = make_fold(X, y, split, number, amputate, tests, random_state)
    lines, seconds = [], {}
    with sharing(fold.X, *fold.tests.values()):
        for name, candidate in candidates.items():
            start = _clock()
            lines += [{"strategy": name} | line for line in run_cell(candidate, fold, *rest)]
            seconds[name] = _clock() - start
            if tick is not None:
                tick()
    return lines, seconds


def _clock() -> float:
    """Seconds, which stand still while a kernel is compiled: that happens once, not per fold."""
    return time.perf_counter() - compile_seconds()


def _with_skipped(
    lines: list[dict[str, Any]], late: dict[str, str], n_folds: int, tests: list[str], task: str
) -> pd.DataFrame:
    """One line per strategy, fold and scenario, in this order; those never run say so."""
    mine = [name for name, metric in METRICS.items() if metric.task == task]
    skipped = {"status": "skipped", "reason": "", "score": np.nan}
    skipped |= dict.fromkeys(mine, np.nan) | NO_SIZE | NO_TIME
    found = {(line["strategy"], line["fold"], line["test"]): line for line in lines}
    table = []
    for name, why in late.items():
        for k in range(n_folds):
            for test in tests:
                line = {"strategy": name, "fold": k, "test": test, **skipped, "reason": why}
                table.append(line | found.get((name, k, test), {}))
    return pd.DataFrame(table)


def _baselines(y: Any, splits: Any, task: str, classes: Any, scoring: Scoring) -> dict[str, float]:
    """Mean of every metric for the constant answer."""
    from sklearn.dummy import DummyClassifier, DummyRegressor

    dummy = DummyClassifier() if task == "classification" else DummyRegressor()
    zeros = np.zeros((len(y), 1))
    lines = []
    for number, split in enumerate(splits):
        fold = make_fold(zeros, y, split, number, None, ["as_is"], 0)
        lines += run_cell(dummy, fold, task, classes, scoring)
    mine = ["score", *(name for name, metric in METRICS.items() if metric.task == task)]
    means = pd.DataFrame(lines).reindex(columns=mine).astype(float).mean()
    return {str(name): float(mean) for name, mean in means.items()}
