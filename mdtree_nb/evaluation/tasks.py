"""Compute cells: fits on one fold, each with all its tests and prediction strategies.

Cells that share a fold and its holes are one task, so that holes and filled test tables are
made once. Everything is learned on the training rows, and every seed comes from what the
cell is, never from where or when it is computed.
"""

from __future__ import annotations

import time
import traceback
import warnings
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import clone
from sklearn.model_selection import KFold, StratifiedKFold

from ..sharing import sharing
from ..strategies import StrategyNotApplicable
from .filled import filled
from .grid import WHOLE
from .identity import seed_of
from .lent import lend
from .statistics import smoothed_error
from .store import Outcome
from .tables import bundled, task_of


@dataclass(frozen=True)
class Design:
    """What all cells of an experiment share; see `Experiment`."""

    strategies: dict[str, Any]
    predictions: dict[str, Any]
    mechanisms: dict[str, Any]
    rates: tuple[float, ...]
    holes: str
    masks: str
    tests: tuple[str, ...]
    imputer: Any
    folds: int
    random_state: int


@dataclass(frozen=True)
class Task:
    """Cells on one fold of one table with the same training holes.

    Attributes
    ----------
    design : Design
    table : str or tuple of (DataFrame, ndarray)
        A name is looked up where the task is computed.
    target : {"classification", "regression"}
        What the cells predict; classes are spread evenly over the folds.
    mechanism : str
    rate : float
    repeat, fold : int
    cells : tuple of dict
        What the store wants to know about each cell; `strategy` says which it is.
    """

    design: Design
    table: Any
    target: str
    mechanism: str
    rate: float
    repeat: int
    fold: int
    cells: tuple[dict[str, Any], ...]


_bundled = lru_cache(maxsize=4)(bundled)


def run_task(task: Task) -> list[Outcome]:
    """Compute the cells of a task.

    Parameters
    ----------
    task : Task

    Returns
    -------
    list of Outcome
        A cell that fails says so with its traceback and stops no other.
    """
    fold, problem = _Fold(task), None
    try:
        fold.prepare()
    except Exception:  # such as a mechanism that cannot be on this table: all its cells fail
        problem = traceback.format_exc()
    with sharing(*([] if problem else fold.tables)):
        return _run_cells(task, fold, problem)


def _run_cells(task: Task, fold: _Fold, problem: str | None) -> list[Outcome]:
    outcomes = []
    for cell in task.cells:
        start = time.perf_counter()
        lines: list[dict[str, Any]] = []
        found: dict[str, Any] = {}
        errors = [problem] if problem else _try_cell(fold, cell["strategy"], lines, found)
        status = {"status": "failed" if errors else "done", "error": "\n".join(errors) or None}
        seconds = {"seconds": time.perf_counter() - start}
        outcomes.append(Outcome({**cell, **found, **status, **seconds}, lines))
    return outcomes


def _try_cell(
    fold: _Fold, strategy: str, lines: list[dict[str, Any]], found: dict[str, Any]
) -> list[str]:
    """Fit and test; return what went wrong. What came out is put into `lines` and `found`."""
    start = time.perf_counter()
    try:
        model = fold.fit(strategy)
    except StrategyNotApplicable as error:
        return [f"not applicable: {error}"]
    except Exception:
        return [traceback.format_exc()]
    found["fit_seconds"] = time.perf_counter() - start
    found["leaves"] = int(model.get_n_leaves()) if hasattr(model, "get_n_leaves") else None
    errors = list(fold.problems)
    for name, prediction in fold.task.design.predictions.items():
        for test in fold.tests:  # what another test or prediction strategy finds is kept
            try:
                other = model
                if prediction is not None:
                    other = model.with_prediction(prediction, *fold.training_rows(model))
                lines.append({"prediction": name, **fold.measured(other, test)})
            except StrategyNotApplicable as error:
                errors.append(f"prediction {name!r} not applicable: {error}")
            except Exception:
                errors.append(f"prediction {name!r}, test {test.name!r}: {traceback.format_exc()}")
    return list(dict.fromkeys(errors))


@dataclass(frozen=True)
class _Test:
    """Rows to predict."""

    mechanism: str
    rate: float
    name: str
    X: pd.DataFrame


class _Fold:
    """Training and test rows of a task, with their holes."""

    def __init__(self, task: Task) -> None:
        self.task = task
        table = _bundled(task.table) if isinstance(task.table, str) else task.table
        self.X: pd.DataFrame = table[0]
        self.y: np.ndarray = table[1]
        self.tests: list[_Test] = []
        self.problems: list[str] = []

    def prepare(self) -> None:
        """Make what the fits of the task share."""
        self._train, self._test = self._split()
        self.y_train, self.y_test = self.y[self._train], self.y[self._test]
        self.X_train, tests = self._tables()
        for mechanism, rate, name, make in tests:
            try:
                self.tests.append(_Test(mechanism, rate, name, make()))
            except Exception:  # such as an imputer that cannot fill: the other tests are kept
                where = f"test {name!r} of mechanism {mechanism!r} at rate {rate}"
                self.problems.append(f"{where}: {traceback.format_exc()}")

    @property
    def tables(self) -> list[pd.DataFrame]:
        """Training and test tables; what is read and prepared of them is used again."""
        return [self.X_train, *(test.X for test in self.tests)]

    def _split(self) -> tuple[np.ndarray, np.ndarray]:
        design, repeat = self.task.design, self.task.repeat
        splitter = StratifiedKFold if self.task.target == "classification" else KFold
        _, labels = np.unique(self.y, return_inverse=True)
        folds = splitter(design.folds, shuffle=True, random_state=design.random_state + repeat)
        with warnings.catch_warnings():
            # a class with fewer rows than folds is in some test parts only
            warnings.filterwarnings("ignore", message="The least populated class")
            parts = list(folds.split(labels, labels))
        return parts[self.task.fold]

    def _tables(self) -> tuple[pd.DataFrame, list[tuple[str, float, str, Any]]]:
        """Training table; and by mechanism, rate and name what makes the test tables."""
        task, design = self.task, self.task.design
        whole = self.X.iloc[self._test]
        if design.holes == "test":
            made = [(m, r) for m in design.mechanisms for r in filter(None, design.rates)]
            tests = [(m, r, "missing", partial(self._holed_test, m, r)) for m, r in made]
            complete = [(WHOLE, 0.0, "complete", lambda: whole)] if 0 in design.rates else []
            return self.X.iloc[self._train], complete + tests
        train, holed = self._holed(task.mechanism, task.rate)
        variants = {"complete": lambda: whole, "missing": lambda: holed}
        variants["imputed"] = lambda: filled(self._seeded(design.imputer, "imputer"), train, holed)
        return train, [(task.mechanism, task.rate, name, variants[name]) for name in design.tests]

    def _holed_test(self, mechanism: str, rate: float) -> pd.DataFrame:
        return self._holed(mechanism, rate, test_only=True)[1]

    def _holed(
        self, mechanism: str, rate: float, test_only: bool = False
    ) -> tuple[pd.DataFrame, pd.DataFrame]:
        """Training and test rows after the mechanism."""
        task, design = self.task, self.task.design
        train, test = self.X.iloc[self._train], self.X.iloc[self._test]
        if mechanism == WHOLE:
            return train, test
        amputer = clone(design.mechanisms[mechanism]).set_params(rate=rate)
        if design.masks == "table":
            amputer.set_params(random_state=design.random_state + task.repeat)
            holed = amputer.make(lend(amputer, self.X), lend(amputer, self.y)).X
            return holed.iloc[self._train], holed.iloc[self._test]
        amputer.set_params(
            random_state=seed_of(design.random_state, mechanism, task.repeat, task.fold)
        )
        y = lend(amputer, self.y_train)
        if test_only:
            return train, amputer.fit(train, y).transform(test)
        return amputer.fit_transform(train, y), amputer.transform(test)

    def fit(self, strategy: str) -> Any:
        """Fit an estimator to the training rows."""
        candidate = self.task.design.strategies[strategy]
        if not hasattr(candidate, "fit"):  # a function of what the training rows were before
            candidate = candidate(self.X.iloc[self._train])
        model = self._seeded(candidate, "fit")
        return model.fit(*self.training_rows(model))

    def _seeded(self, estimator: Any, purpose: str) -> Any:
        """Copy an estimator with a seed wherever it, or a part of it, has none."""
        seed = seed_of(self.task.design.random_state, purpose, self.task.repeat, self.task.fold)
        params = estimator.get_params().items()
        free = [n for n, v in params if v is None and n.rpartition("__")[2] == "random_state"]
        return clone(estimator).set_params(**dict.fromkeys(free, seed))

    def training_rows(self, model: Any) -> tuple[pd.DataFrame, np.ndarray]:
        """Return what a model is fitted to."""
        return lend(model, self.X_train), lend(model, self.y_train)

    def measured(self, model: Any, test: _Test) -> dict[str, Any]:
        """Measure a fitted model on a test table."""
        is_classifier = task_of(model, self.y) == "classification"
        measures = self._classes_met if is_classifier else self._numbers_met
        return {
            "mechanism": test.mechanism,
            "rate": test.rate,
            "test": test.name,
            "rows": len(test.X),
            "holes": float(test.X.isna().to_numpy().mean()),
            **measures(model, lend(model, test.X)),
        }

    def _classes_met(self, model: Any, X: pd.DataFrame) -> dict[str, float]:
        y = self.y_test
        if not hasattr(model, "predict_proba"):
            return {"accuracy": float(np.mean(np.asarray(model.predict(X)) == y))}
        chances = model.predict_proba(X)
        right = model.classes_[chances.argmax(axis=1)] == y
        smoothed = smoothed_error(y, chances, model.classes_)
        return {"accuracy": float(right.mean()), "smoothed_error": smoothed}

    def _numbers_met(self, model: Any, X: pd.DataFrame) -> dict[str, float]:
        y = self.y_test.astype(float)
        error, spread = float(np.mean((np.asarray(model.predict(X)) - y) ** 2)), float(np.var(y))
        return {"squared_error": error} | ({"r2": 1 - error / spread} if spread else {})
