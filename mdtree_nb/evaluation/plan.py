"""List the cells of an experiment with their keys, and put them together as tasks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pandas as pd

from .grid import WHOLE
from .identity import canonical, digest, plain, row_names, table_digest
from .lent import is_own
from .store import FORMAT
from .tables import task_of
from .tasks import Design, Task

_SHARED = ("dataset", "mechanism", "rate", "repeat", "fold")


def training_holes(design: Design) -> list[tuple[str, float]]:
    """Say what training rows lose: mechanism and rate.

    Parameters
    ----------
    design : Design

    Returns
    -------
    list of (str, float)
    """
    if design.holes == "test":
        return [(WHOLE, 0.0)]
    some = [(m, rate) for m in design.mechanisms for rate in design.rates if rate]
    return [(WHOLE, 0.0)] * (0 in design.rates) + some


def written_specs(design: Design) -> dict[tuple[str, str, float], str]:
    """Write down what cells depend on beside their data, repeat and fold.

    Parameters
    ----------
    design : Design

    Returns
    -------
    dict
        From strategy, mechanism and rate to JSON.
    """
    shared = {
        "format": FORMAT,
        "version": package_version(),
        "predictions": plain(design.predictions, "predictions"),
        "holes": design.holes,
        "masks": design.masks,
        "folds": design.folds,
        "random_state": design.random_state,
    }
    mechanisms = plain(design.mechanisms, "mechanisms")
    tested: dict[str, Any] = {"mechanisms": mechanisms, "rates": list(design.rates)}
    specs = {}
    for name, strategy in design.strategies.items():
        written = plain(strategy, f"strategy {name!r}")
        for mechanism, rate in training_holes(design):
            if design.holes == "both":
                tested = {"tests": design.tests, "imputer": plain(design.imputer, "imputer")}
                tested |= {"mechanism": mechanisms.get(mechanism), "rate": rate}
            names = {"strategy": written, "names": [name, mechanism]}
            specs[name, mechanism, rate] = canonical(shared | tested | names)
    return specs


def plan_cells(
    design: Design, specs: Mapping[Any, str], tables: Mapping[str, Any], repeats: int
) -> list[dict[str, Any]]:
    """List all cells; a whole repeat before the next, so that a part of a run is of use.

    Parameters
    ----------
    design : Design
    specs : dict
        As `written_specs` returns them.
    tables : dict
        As `grid.named_tables` returns them.
    repeats : int

    Returns
    -------
    list of dict
        What the store wants to know about a cell before it is computed.
    """
    data = {
        name: digest([name, table_digest(X), table_digest(pd.DataFrame({"y": y}))])
        for name, (_, (X, y)) in tables.items()
    }
    called = {name: row_names(X) for name, (_, (X, _)) in tables.items()}
    asking = {name for name in design.strategies if asks_for_row_names(design, name)}
    digests = {key: digest(text) for key, text in specs.items()}
    version = package_version()
    return [
        {
            "key": digest(
                [digests[strategy, mechanism, rate], data[dataset], repeat, fold]
                + [called[dataset]] * (strategy in asking)
            ),
            "dataset": dataset,
            "strategy": strategy,
            "mechanism": mechanism,
            "rate": rate,
            "repeat": repeat,
            "fold": fold,
            "spec": digests[strategy, mechanism, rate],
            "data": data[dataset],
            "version": version,
        }
        for repeat in range(repeats)
        for dataset in tables
        for mechanism, rate in training_holes(design)
        for fold in range(design.folds)
        for strategy in design.strategies
    ]


def asks_for_row_names(design: Design, strategy: str) -> bool:
    """Tell whether results may depend on what the rows of a table are called.

    Parameters
    ----------
    design : Design
    strategy : str

    Returns
    -------
    bool
        True for what others wrote, and for what looks rows up in a table of its own.
    """
    candidate = design.strategies[strategy]
    if not all(map(is_own, (candidate, *design.mechanisms.values()))):
        return True
    tables = (pd.DataFrame, pd.Series)
    return any(isinstance(value, tables) for value in candidate.get_params().values())


def make_tasks(
    design: Design, tables: Mapping[str, Any], cells: list[dict[str, Any]]
) -> list[Task]:
    """Put cells together that share a fold and its holes.

    Parameters
    ----------
    design : Design
    tables : dict
    cells : list of dict

    Returns
    -------
    list of Task
    """
    target = {
        (name, strategy): task_of(candidate, y)
        for name, (_, (_, y)) in tables.items()
        for strategy, candidate in design.strategies.items()
    }
    groups: dict[Any, list[dict[str, Any]]] = {}
    for cell in cells:
        shared = (target[cell["dataset"], cell["strategy"]], *(cell[name] for name in _SHARED))
        groups.setdefault(shared, []).append(cell)
    tasks = []
    for (predicted, dataset, mechanism, rate, repeat, fold), members in groups.items():
        # a worker gets what it needs and no more
        strategies = {c["strategy"]: design.strategies[c["strategy"]] for c in members}
        needed = replace(design, strategies=strategies)
        table, _ = tables[dataset]
        where = (mechanism, rate, repeat, fold)
        tasks.append(Task(needed, table, predicted, *where, tuple(members)))
    return tasks


def package_version() -> str:
    """Return the version of this package.

    Returns
    -------
    str
    """
    from .. import __version__

    return __version__
