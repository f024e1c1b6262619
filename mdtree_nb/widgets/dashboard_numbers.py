"""Scores of strategies from a comparison, a table or a store, in one form; and their means.

Does not: run anything, draw, or know a widget.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ..evaluation.comparison import Comparison
from ..evaluation.many_sets import Friedman, friedman
from ..evaluation.metrics import METRICS
from ..evaluation.statistics import corrected_resampled_ttest, smallest_visible_difference
from ..evaluation.store import Store, StoreError
from .base import BadValue

_NEEDED = ("dataset", "strategy", "rate", "fold")
AS_IS = "as it is"


@dataclass(frozen=True)
class Scores:
    """Scores fold by fold.

    Attributes
    ----------
    table : DataFrame
        `dataset`, `strategy`, `mechanism`, `rate`, `test`, `fold` and one column per metric.
    cost : DataFrame
        `strategy`, `seconds` of fitting and `leaves`, one line per fit.
    metrics : list of str
    done, planned, failed : int
        Cells of an experiment; planned is 0 where it is not known.
    ratio : float
        Test rows over training rows.
    problems : dict
        From strategy to why it has no full set of scores.
    """

    table: pd.DataFrame
    cost: pd.DataFrame
    metrics: list[str]
    done: int = 0
    planned: int = 0
    failed: int = 0
    ratio: float = 0.25
    problems: dict[str, str] = field(default_factory=dict)

    def select(self, metric: str, **where: str) -> pd.DataFrame:
        """Lines of some data set, mechanism or test ("" = all), with their `score`."""
        its = self.table
        for name, value in where.items():
            also = "none" if name == "mechanism" else value  # rate 0 belongs to all of them
            its = its[its[name].isin([value, also])] if value else its
        return its.assign(score=its[metric]).dropna(subset="score")


def read_scores(source: Any, experiment: Any = None) -> Scores:
    """Bring scores into one form.

    Parameters
    ----------
    source : Comparison, dict, DataFrame, str or Path
    experiment : Experiment or None, default=None
        Whose cells of a store count; None = all.

    Returns
    -------
    Scores
    """
    if isinstance(source, Comparison):
        source = {np.nan: source}
    if isinstance(source, Mapping):
        return _of_comparisons(source)
    if isinstance(source, pd.DataFrame):
        return _of_results(source, pd.DataFrame(), 0)
    if isinstance(source, (str, Path)):
        return _of_store(source, experiment)
    raise TypeError(
        f"source={type(source).__name__} must be a Comparison, a dict from rate to Comparison, a "
        "table that Experiment.run returned, or the path of a store."
    )


def _of_comparisons(source: Mapping[Any, Any]) -> Scores:
    if not source or not all(isinstance(one, Comparison) for one in source.values()):
        raise BadValue("source= is a dict that must hold at least one Comparison, by its rate.")
    first = next(iter(source.values()))
    metrics = list(dict.fromkeys([first.scoring, *first.metrics]))
    problems: dict[str, str] = {}
    parts, cost = [], []
    for rate, one in source.items():
        folds = one.folds.assign(rate=float(rate), dataset="", mechanism="")
        if "test" not in folds:
            folds["test"] = AS_IS
        if first.scoring not in folds:
            folds[first.scoring] = folds["score"]
        parts.append(folds)
        cost.append(folds.rename(columns={"fit_seconds": "seconds", "n_leaves": "leaves"}))
        problems |= one.problems
    table = pd.concat(parts, ignore_index=True)
    fits = pd.concat(cost, ignore_index=True).drop_duplicates(["strategy", "fold", "rate"])
    return Scores(
        table, fits.reindex(columns=["strategy", "seconds", "leaves"]), metrics,
        ratio=first.test_to_train, problems=problems,
    )  # fmt: skip


def _of_results(results: pd.DataFrame, cells: pd.DataFrame, planned: int) -> Scores:
    lacking = [name for name in _NEEDED if name not in results]
    if lacking:
        raise BadValue(
            f"source= is a table without the columns {lacking}; pass what Experiment.run or "
            "results returned."
        )
    metrics = [name for name in METRICS if name in results and results[name].notna().any()]
    metrics = metrics or [name for name in METRICS if name in results]
    table = results.copy()
    for name, value in (("mechanism", ""), ("test", AS_IS), ("prediction", "own"), ("repeat", 0)):
        if name not in table:
            table[name] = value
    own = table["prediction"] == "own"
    table["strategy"] = table["strategy"].where(own, table["strategy"] + ", " + table["prediction"])
    n_folds = max(int(table["fold"].nunique()), 2)
    table["fold"] = table["repeat"].astype(int) * n_folds + table["fold"].astype(int)
    status = cells["status"] if "status" in cells else pd.Series(dtype=object)
    done, failed = int((status == "done").sum()), int((status == "failed").sum())
    cost = cells.rename(columns={"seconds": "whole"}).rename(columns={"fit_seconds": "seconds"})
    return Scores(
        table, cost.reindex(columns=["strategy", "seconds", "leaves"]).dropna(subset="seconds"),
        metrics, done=done, planned=planned, failed=failed, ratio=1 / (n_folds - 1),
    )  # fmt: skip


def _of_store(path: str | Path, experiment: Any) -> Scores:
    if not Path(path).exists():
        raise BadValue(f"source={str(path)!r} is not there yet; start the experiment first.")
    try:
        if experiment is not None:
            return _of_results(experiment.results(path), experiment.cells(path), len(experiment))
        with closing(Store(path, create=False)) as store:
            return _of_results(store.results(), store.cells(), 0)
    except StoreError as error:
        raise BadValue(str(error)) from error


# -- means ------------------------------------------------------------------------


def mean_by_rate(lines: pd.DataFrame, ratio: float) -> pd.DataFrame:
    """Mean score of each strategy at each rate, with its 95 % interval.

    Parameters
    ----------
    lines : DataFrame
        As `Scores.select` returns it.
    ratio : float

    Returns
    -------
    DataFrame
        `strategy`, `rate`, `mean`, `low`, `high`, and the number of data `sets`. Over several
        data sets it is the interval of their mean, and over two there is none: it would be wider
        than the scale. Within one it is corrected for overlapping folds.
    """
    rows = []
    for (name, rate), its in lines.groupby(["strategy", "rate"], sort=False, dropna=False):
        by_set = its.groupby("dataset")["score"].mean()
        values = by_set.to_numpy() if len(by_set) > 1 else its["score"].to_numpy()
        half = np.nan
        if len(values) > 1 and len(by_set) != 2:
            # without overlap the correction is gone, and Student's interval is left
            half = smallest_visible_difference(values, 0.0 if len(by_set) > 1 else ratio)
        mean = float(values.mean())
        rows.append((name, rate, mean, mean - half, mean + half, len(by_set)))
    names = ["strategy", "rate", "mean", "low", "high", "sets"]
    return pd.DataFrame(rows, columns=names).sort_values("rate", kind="stable")


def overall(lines: pd.DataFrame) -> pd.Series:
    """Mean of each strategy over data sets and rates, each counting once."""
    cells = lines.groupby(["strategy", "dataset", "rate"], dropna=False)["score"].mean()
    return cells.groupby("strategy").mean()


def ranks(lines: pd.DataFrame, higher_is_better: bool) -> Friedman | None:
    """Rank strategies on the data sets that all of them have; None where there are too few."""
    cells = lines.groupby(["dataset", "rate", "strategy"], dropna=False)["score"].mean()
    wide = cells.unstack("strategy").dropna()  # only rates that all have
    table = wide.groupby("dataset").mean()
    if table.shape[0] < 2 or table.shape[1] < 2:
        return None
    return friedman(table, higher_is_better=higher_is_better)


def behind(lines: pd.DataFrame, ratio: float, higher_is_better: bool) -> pd.DataFrame:
    """How far each strategy is behind the best on the same folds, with its interval."""
    cells = lines.groupby(["dataset", "rate", "fold", "strategy"], dropna=False)["score"].mean()
    wide = cells.unstack("strategy")
    whole = wide.dropna()  # what only some have finished says nothing about a difference
    wide = (whole if len(whole) else wide).groupby(["dataset", "fold"]).mean()
    means = wide.mean().sort_values(ascending=not higher_is_better, kind="stable")
    rows = []
    for name in means.index:
        apart = (wide[name] - wide[means.index[0]]).dropna()
        test = None if len(apart) < 2 else corrected_resampled_ttest(apart, ratio)
        low, high = (np.nan, np.nan) if test is None else (test.low, test.high)
        rows.append((name, float(apart.mean()) if len(apart) else np.nan, low, high))
    return pd.DataFrame(rows, columns=["strategy", "mean", "low", "high"])
