"""Read the tables of an experiment, and decide what is to be predicted: classes or numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import is_classifier, is_regressor

from ..datasets import Dataset, load
from ..inputs import guess_task

Pair = tuple[pd.DataFrame, np.ndarray]


def named_tables(datasets: Any) -> dict[str, tuple[Any, Pair]]:
    """Name the tables of an experiment.

    Parameters
    ----------
    datasets : iterable or dict
        Names, Datasets or pairs (X, y).

    Returns
    -------
    dict
        From name to what is sent to a worker, a name or the table, and the table.
    """
    if isinstance(datasets, (str, Dataset)):
        datasets = [datasets]
    tables: dict[str, Any] = {}
    asked = named("datasets", datasets, _table_name, "give at least one table")
    for name, data in asked.items():
        if isinstance(data, str):
            tables[name] = (data, bundled(data))
            continue
        X, y = (data.X, data.y) if isinstance(data, Dataset) else _pair(name, data)
        table = _checked(name, X, y)
        tables[name] = (table, table)
    return tables


def bundled(name: str) -> Pair:
    """Load a table of the package.

    Parameters
    ----------
    name : str

    Returns
    -------
    tuple of (DataFrame, ndarray)
    """
    data = load(name)
    return _checked(name, data.X, data.y)


def task_of(candidate: Any, y: np.ndarray) -> str:
    """Decide what a candidate predicts: what it says of itself, else what the labels look like.

    Parameters
    ----------
    candidate : estimator or function
    y : ndarray of shape (n,)

    Returns
    -------
    {"classification", "regression"}
    """
    if hasattr(candidate, "__sklearn_tags__"):
        if is_classifier(candidate):
            return "classification"
        if is_regressor(candidate):
            return "regression"
    return guess_task(y)


def check_folds(tables: Mapping[str, Any], strategies: Mapping[str, Any], folds: int) -> None:
    """Refuse tables that cannot be split, or whose labels a strategy cannot predict.

    Parameters
    ----------
    tables, strategies : dict
    folds : int
    """
    for name, (_, (X, y)) in tables.items():
        if len(X) < folds:
            raise ValueError(f"folds={folds} is more than the {len(X)} rows of {name!r}.")
        for strategy, candidate in strategies.items():
            if task_of(candidate, y) == "regression":
                if y.dtype.kind not in "biuf":
                    raise ValueError(
                        f"datasets: the labels of {name!r} are no numbers, which strategy "
                        f"{strategy!r} predicts; use a classifier."
                    )
            elif (most := pd.Series(y).value_counts().max()) < folds:
                raise ValueError(
                    f"folds={folds} is more than the {most} rows of the largest class of {name!r} "
                    f"for strategy {strategy!r}; use fewer folds, or a regressor for numbers."
                )


def _table_name(data: Any) -> str:
    if isinstance(data, str):
        return data
    if isinstance(data, Dataset):
        return str(data.info["name"])
    raise TypeError("datasets: a pair (X, y) needs a name; pass a dict such as {'mine': (X, y)}.")


def _pair(name: str, data: Any) -> tuple[Any, Any]:
    if isinstance(data, tuple) and len(data) == 2:
        return data
    raise TypeError(
        f"datasets={{{name!r}: {type(data).__name__}}} must be a name of list_datasets(), a "
        "Dataset or a pair (X, y)."
    )


def _checked(name: str, X: Any, y: Any) -> Pair:
    frame = X if isinstance(X, pd.DataFrame) else pd.DataFrame(np.asarray(X)).add_prefix("x")
    labels = np.asarray(y)
    if labels.ndim != 1:
        raise ValueError(
            f"datasets: the labels of {name!r} have shape {labels.shape}; there must be one for "
            "each row, such as y.ravel() of an array or y['column'] of a DataFrame."
        )
    if len(frame) != len(labels):
        raise ValueError(f"{name!r} has {len(frame)} rows and {len(labels)} labels.")
    if pd.isna(labels).any():
        raise ValueError(f"{name!r} has rows without a label; drop them before.")
    if labels.dtype == object:  # may hold numbers all the same
        labels = pd.Series(labels).infer_objects().to_numpy()
    return frame, labels.astype(str) if labels.dtype == object else labels


def named(
    parameter: str, asked: Any, name_of: Callable[[Any], str], way_out: str
) -> dict[str, Any]:
    """Give what spans a grid names that a store can hold.

    Parameters
    ----------
    parameter : str
        What it is for, for messages; as is `way_out`, for nothing at all.
    asked : iterable or dict
    name_of : callable
        Names what stands in no dict.
    way_out : str

    Returns
    -------
    dict

    Raises
    ------
    ValueError
        For nothing, or one name twice.
    TypeError
        For names that are no text.
    """
    if not isinstance(asked, Mapping):
        listed = list(asked)
        names = [name_of(thing) for thing in listed]
        for name in names:
            if names.count(name) > 1:
                raise ValueError(
                    f"{parameter} holds {name!r} twice; a dict gives them other names."
                )
        asked = dict(zip(names, listed, strict=True))
    if not asked:
        raise ValueError(f"{parameter}=[] is empty; {way_out}.")
    for name in asked:
        if not isinstance(name, str):
            raise TypeError(
                f"{parameter}={{{name!r}: ...}}: a name must be text, {str(name)!r} say."
            )
    return dict(asked)
