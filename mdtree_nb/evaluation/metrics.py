"""What is measured on test rows: every metric of a task at once, by name.

A metric that has no value on some rows, such as the AUC where all are of one class, is NaN.
They are a few lines of NumPy each: scikit-learn's, to which tests compare them, check their
arguments for longer than a small tree takes to grow.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata
from sklearn.metrics import get_scorer

from .statistics import smoothed_error

Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class Answers:
    """What a model says about test rows, and what is true.

    Attributes
    ----------
    y : ndarray of shape (n,)
        The truth; for classification the numbers of the classes.
    said : ndarray of shape (n,)
        Predictions, in the same form.
    proba : ndarray of shape (n, K) or None
        Probabilities of all classes, those that the model does not know included.
    """

    y: NDArray[Any]
    said: NDArray[Any]
    proba: Numbers | None


@dataclass(frozen=True)
class Metric:
    """One way of measuring.

    Attributes
    ----------
    name, task : str
    higher_is_better : bool
    measure : callable
        From Answers to a number; NaN where it has no value.
    needs_proba : bool
    """

    name: str
    task: str
    higher_is_better: bool
    measure: Callable[[Answers], float]
    needs_proba: bool = False


@dataclass(frozen=True)
class Scoring:
    """What a comparison is ranked by: a metric of this module, or a scorer of scikit-learn.

    Attributes
    ----------
    name : str
    higher_is_better : bool
    scorer : callable or None
        From model, rows and truth to a number; None = the metric `name`.
    needs_proba : bool
    """

    name: str
    higher_is_better: bool = True
    scorer: Callable[..., float] | None = None
    needs_proba: bool = False


def _accuracy(a: Answers) -> float:
    return float(np.mean(a.y == a.said))


def _balanced(a: Answers) -> float:
    """Mean over the classes that occur of the share that is found."""
    return float(np.mean([np.mean(a.said[a.y == k] == k) for k in np.unique(a.y)]))


def _log_loss(a: Answers) -> float:
    proba, tiny = _known(a), np.finfo(np.float64).eps  # scikit-learn's bound for an answer of 0
    its = proba[np.arange(len(a.y)), a.y]
    return float(-np.log(np.clip(its, tiny, 1 - tiny)).mean())


def _brier(a: Answers) -> float:
    proba = _known(a)
    return float(((proba - np.eye(proba.shape[1])[a.y]) ** 2).sum(axis=1).mean() / 2)


def _auc(a: Answers) -> float:
    """Of one class against the rest, averaged over the classes that occur."""
    proba, classes = _known(a), np.unique(a.y)
    if len(classes) < 2:
        return float("nan")
    if proba.shape[1] == 2:
        return _one_auc(a.y == 1, proba[:, 1])
    return float(np.mean([_one_auc(a.y == k, proba[:, k]) for k in classes]))


def _one_auc(positive: NDArray[np.bool_], score: Numbers) -> float:
    """Chance that a positive row scores higher than a negative one; ties count half."""
    n, total = int(positive.sum()), rankdata(score)[positive].sum()
    return float((total - n * (n + 1) / 2) / (n * (len(positive) - n)))


def _smoothed(a: Answers) -> float:
    proba = _known(a)
    return smoothed_error(a.y, proba, np.arange(proba.shape[1]))


def _label_free(a: Answers) -> float:
    return smoothed_error(a.y, _known(a), label_free=True)


def _r2(a: Answers) -> float:
    spread = float(((a.y - a.y.mean()) ** 2).sum())
    return 1 - float(((a.y - a.said) ** 2).sum()) / spread if spread > 0 else float("nan")


def _mae(a: Answers) -> float:
    return float(np.abs(a.y - a.said).mean())


METRICS = {
    metric.name: metric
    for metric in (
        Metric("accuracy", "classification", True, _accuracy),
        Metric("balanced_accuracy", "classification", True, _balanced),
        Metric("log_loss", "classification", False, _log_loss, needs_proba=True),
        Metric("brier", "classification", False, _brier, needs_proba=True),
        Metric("auc", "classification", True, _auc, needs_proba=True),
        Metric("smoothed_error", "classification", False, _smoothed, needs_proba=True),
        Metric("smoothed_error_label_free", "classification", False, _label_free, needs_proba=True),
        Metric("r2", "regression", True, _r2),
        Metric("mae", "regression", False, _mae),
    )
}


def get_scoring(scoring: Any, task: str) -> Scoring:
    """Find what `scoring` names.

    Parameters
    ----------
    scoring : str, callable or None
        A metric of `METRICS`, a name or a scorer of scikit-learn. None = accuracy or r2.
    task : {"classification", "regression"}

    Returns
    -------
    Scoring

    Raises
    ------
    ValueError
        For an unknown name, and a metric of the other task.
    TypeError
        For anything else.
    """
    if scoring is None:
        scoring = "accuracy" if task == "classification" else "r2"
    if callable(scoring):
        name = getattr(scoring, "__name__", None) or " ".join(repr(scoring).split())
        return Scoring(name, scorer=scoring)
    if not isinstance(scoring, str):
        raise TypeError(f"scoring={scoring!r} must be a name or a scorer(model, X, y).")
    mine = [name for name, metric in METRICS.items() if metric.task == task]
    if scoring in mine:
        metric = METRICS[scoring]
        return Scoring(scoring, metric.higher_is_better, None, metric.needs_proba)
    listed = ", ".join(map(repr, mine))
    if scoring in METRICS:
        raise ValueError(f"scoring={scoring!r} is not for {task}; choose one of {listed}.")
    try:
        return Scoring(scoring, scorer=get_scorer(scoring))
    except ValueError as error:
        raise ValueError(
            f"scoring={scoring!r} is not known; choose one of {listed}, or a name that "
            "sklearn.metrics.get_scorer_names() lists."
        ) from error


def measure(answers: Answers, task: str) -> dict[str, float]:
    """Measure everything that there is for a task.

    Parameters
    ----------
    answers : Answers
        Of at least one row.
    task : {"classification", "regression"}

    Returns
    -------
    dict
        From the name of each metric to its value; NaN where it has none.
    """
    return {
        name: float("nan")
        if metric.needs_proba and answers.proba is None
        else metric.measure(answers)
        for name, metric in METRICS.items()
        if metric.task == task
    }


def _known(answers: Answers) -> Numbers:
    if answers.proba is None:
        raise ValueError("the model gives no probabilities, which this metric needs.")
    return answers.proba
