"""Experiments: grids of independent cells that can be stopped, resumed and spread.

A cell is one fit with all its tests and prediction strategies. It runs wherever joblib
runs; what comes back is written to a store by this process alone.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from contextlib import closing
from functools import cached_property
from numbers import Integral
from typing import Any

import pandas as pd
from tqdm.auto import tqdm

from . import grid, plan, tables
from .filled import checked_imputer
from .identity import digest
from .spread import run_tasks
from .store import Store, in_order
from .tasks import Design


class Experiment:
    """A grid of data sets, mechanisms, rates, strategies, repeats and folds.

    Parameters
    ----------
    datasets : iterable or dict
        Names of `list_datasets()`, Dataset objects, or pairs (X, y); a dict names them. What
        is predicted, classes or numbers, is what the estimator predicts.
    strategies : iterable or dict
        Names ("auto" among them) or objects, which are put into `estimator` as `missing`;
        estimators;
        or functions of a module that take the training rows as they were before any hole
        was made, and return an estimator. A dict names them.
    predictions : iterable, dict or None, default=None
        Strategies for rows to predict, all tried on each grown tree; "own" is the one that
        belongs to the training strategy. None = only that.
    mechanisms : iterable or dict, default=("MCARunifo",)
        Names for `missingness.scenario`, or a dict of Amputers, which get the rates. A
        category that drives is ordered by how frequent its levels are.
    rates : iterable of float, default=(0.2,)
        A rate of 0 is tried once, as mechanism "none".
    holes : {"both", "test"}, default="both"
        Which rows lose values: training and test rows alike, or test rows only.
    masks : {"fold", "table"}, default="fold"
        "fold": who drives whom is learned on the training rows. "table": holes are made
        once in the whole table, before it is split; their seed is `random_state` + repeat.
    tests : iterable of {"missing", "complete", "imputed"}, default=("missing",)
        Test rows with their holes, before them, or filled by `imputer`, which is fitted to
        the training rows; for holes="both".
    imputer : transformer or None, default=None
        None = KNNImputer(keep_empty_features=True), for tables of numbers.
    estimator : estimator or None, default=None
        The tree whose `missing` is set. None = MDTreeClassifier or MDTreeRegressor with
        min_samples_leaf=5.
    repeats, folds : int, default=1 and 5
        The folds of repeat r are drawn with seed `random_state` + r; they are stratified
        for a classifier. A class with fewer rows than folds is in some of them only.
    random_state : int, default=0
        Also decides what estimators and imputers without a state of their own draw.

    Raises
    ------
    TypeError, ValueError
        For anything that cannot be, before any cell is computed.

    Examples
    --------
    >>> from mdtree_nb import Experiment
    >>> grid = Experiment(["iris"], ["learned", "mean"], rates=[0.0, 0.3], folds=3)
    >>> len(grid)
    12
    >>> grid.run().groupby(["rate", "strategy"])["accuracy"].mean().round(2).to_list()
    [0.95, 0.95, 0.85, 0.87]
    """

    def __init__(
        self,
        datasets: Any,
        strategies: Any,
        *,
        predictions: Any = None,
        mechanisms: Any = ("MCARunifo",),
        rates: Iterable[float] = (0.2,),
        holes: str = "both",
        masks: str = "fold",
        tests: Iterable[str] = ("missing",),
        imputer: Any = None,
        estimator: Any = None,
        repeats: int = 1,
        folds: int = 5,
        random_state: int = 0,
    ) -> None:
        if holes not in ("both", "test"):
            raise ValueError(f"holes={holes!r} must be 'both' or 'test'.")
        if masks not in ("fold", "table"):
            raise ValueError(f"masks={masks!r} must be 'fold' or 'table'.")
        for name, value, least in (
            ("repeats", repeats, 1),
            ("folds", folds, 2),
            ("random_state", random_state, 0),
        ):
            _check_whole(name, value, least)
        self.repeats = int(repeats)
        self._tables = tables.named_tables(datasets)
        self._design = Design(
            strategies=grid.named_strategies(strategies, estimator, self._tables),
            predictions=grid.named_predictions(predictions),
            mechanisms=grid.named_mechanisms(mechanisms, masks),
            rates=grid.checked_rates(rates),
            holes=holes,
            masks=masks,
            tests=(kinds := grid.checked_tests(tests, holes)),
            imputer=checked_imputer(imputer, kinds, self._tables),
            folds=int(folds),
            random_state=int(random_state),
        )
        tables.check_folds(self._tables, self._design.strategies, int(folds))

    def __len__(self) -> int:
        return len(self._cells)

    def __repr__(self) -> str:
        design, holes = self._design, plan.training_holes(self._design)
        return (
            f"Experiment({len(self)} cells: {len(self._tables)} tables, "
            f"{len(design.strategies)} strategies, {len(holes)} kinds of training holes, "
            f"{self.repeats} x {design.folds} folds)"
        )

    # -- the grid -----------------------------------------------------------------

    @cached_property
    def _specs(self) -> dict[tuple[str, str, float], str]:
        return plan.written_specs(self._design)

    @cached_property
    def _cells(self) -> list[dict[str, Any]]:
        return plan.plan_cells(self._design, self._specs, self._tables, self.repeats)

    def cells(self, store: Any = None) -> pd.DataFrame:
        """List the cells, and how far they are.

        Parameters
        ----------
        store : str, Path or None, default=None

        Returns
        -------
        DataFrame
            One line per cell, in the order in which they run: `dataset`, `strategy`,
            `mechanism` and `rate` of the training rows, `repeat`, `fold`, and `status`:
            "open", "done" or "failed". Those in the store have `seconds`, of which
            `fit_seconds`, `leaves`, and `error`, a traceback.
        """
        names = ["dataset", "strategy", "mechanism", "rate", "repeat", "fold"]
        planned = pd.DataFrame(self._cells)[["key", *names]]
        found = ["key", "status", "seconds", "fit_seconds", "leaves", "error"]
        with Store(store, create=False) as opened:
            table = planned.merge(opened.cells(planned["key"])[found], on="key", how="left")
        table["status"] = table["status"].fillna("open")
        table["leaves"] = table["leaves"].astype("Int64")  # open cells have none
        return table.drop(columns="key")

    def results(self, store: Any) -> pd.DataFrame:
        """Read what is done of this experiment.

        Parameters
        ----------
        store : str or Path

        Returns
        -------
        DataFrame
            As `run` returns it. Other experiments in the store are left out.
        """
        with Store(store, create=False) as opened:
            return self._results(opened)

    def _results(self, store: Store) -> pd.DataFrame:
        return in_order(store.results(cell["key"] for cell in self._cells))

    # -- running ------------------------------------------------------------------

    def run(
        self,
        store: Any = None,
        *,
        n_jobs: int | None = None,
        retry_failed: bool = False,
        max_cells: int | None = None,
        progress: bool = False,
    ) -> pd.DataFrame:
        """Compute the cells that are not in the store yet.

        Parameters
        ----------
        store : str, Path or None, default=None
            File that keeps results; it is made where there is none. None = in memory.
        n_jobs : int or None, default=None
            Processes; None = what `joblib.parallel_config` says, else 1. That also chooses
            the backend: "loky", "threading", "dask", "ray". With "loky", the default of two
            and more, a cell whose process is killed, such as for want of memory, has failed.
        retry_failed : bool, default=False
            Compute cells again that failed before.
        max_cells : int or None, default=None
            Stop after so many.
        progress : bool, default=False
            Show a bar with the time left.

        Returns
        -------
        DataFrame
            One line per cell, test and prediction: `dataset`, `mechanism` and `rate` of
            the test rows, `test`, `strategy`, `prediction`, `repeat`, `fold`; `rows` that
            were tested and their share of `holes`; `accuracy` and `smoothed_error` (mean
            of 1 - chance given to the true class), or `r2` and `squared_error`.

        Raises
        ------
        StoreError
            Where the store cannot be read or written; what it holds is kept.
        ValueError
            For a number of cells that cannot be.

        Warns
        -----
        UserWarning
            When cells failed; `cells(store)` has the tracebacks. And when the store holds
            cells of another version of this package, which are left alone.
        """
        if max_cells is not None:
            _check_whole("max_cells", max_cells, 0)
        with Store(store) as opened:
            todo = self._todo(opened, retry_failed)[:max_cells]
            self._report_versions(opened)
            keys = {cell["spec"] for cell in todo}
            if keys:  # else nothing is written: a finished store may be read-only
                opened.add_specs({k: t for t in self._specs.values() if (k := digest(t)) in keys})
            tasks = plan.make_tasks(self._design, self._tables, todo)
            with (
                tqdm(total=len(todo), disable=not progress, unit="cell", smoothing=0.05) as bar,
                closing(run_tasks(tasks, n_jobs)) as outcomes,
            ):
                failed = 0
                for group in outcomes:
                    opened.add(group)
                    failed += sum(o.cell["status"] == "failed" for o in group)
                    bar.set_postfix({"failed": failed} if failed else {}, refresh=False)
                    bar.update(len(group))
            self._report_failures(opened)
            return self._results(opened)

    def _todo(self, store: Store, retry_failed: bool) -> list[dict[str, Any]]:
        status = store.status()
        skip = ("done",) if retry_failed else ("done", "failed")
        return [cell for cell in self._cells if status.get(cell["key"]) not in skip]

    def _report_versions(self, store: Store) -> None:
        mine = plan.package_version()
        others = {v: n for v, n in store.versions().items() if v != mine}
        if others:
            warnings.warn(
                f"{sum(others.values())} cells of the store are of another version of mdtree_nb "
                f"({', '.join(others)}); numbers may differ, so this run leaves them alone and "
                f"computes its own by version {mine}.",
                stacklevel=3,
            )

    def _report_failures(self, store: Store) -> None:
        found = store.cells(cell["key"] for cell in self._cells)
        failed = found[found["status"] == "failed"]
        if len(failed):
            first = failed.sort_values(["dataset", "strategy", "repeat", "fold"]).iloc[0]
            why = first["error"].strip().splitlines()[-1]
            warnings.warn(
                f"{len(failed)} of {len(self)} cells failed, such as {first['strategy']!r} on "
                f"{first['dataset']!r}: {why} The others are stored; cells(store) has the "
                "tracebacks, and retry_failed=True tries again.",
                stacklevel=3,
            )


def _check_whole(name: str, value: Any, least: int) -> None:
    if isinstance(value, bool) or not isinstance(value, Integral) or value < least:
        raise ValueError(f"{name}={value!r} must be a whole number from {least}.")


def summarise(results: pd.DataFrame) -> pd.DataFrame:
    """Average results over repeats and folds.

    Parameters
    ----------
    results : DataFrame
        As `Experiment.run` returns it.

    Returns
    -------
    DataFrame
        Indexed by data set, mechanism, rate, test, strategy and prediction: the number of
        `folds`, and the mean of `holes` and of each measure.
    """
    names = ["dataset", "mechanism", "rate", "test", "strategy", "prediction"]
    values = [c for c in results.columns if c not in (*names, "repeat", "fold", "rows")]
    groups = results.groupby(names, sort=True)
    return pd.concat([groups.size().rename("folds"), groups[values].mean()], axis=1)
