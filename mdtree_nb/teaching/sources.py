"""What is known of a source: whom to credit, its errata, the recipe of its data."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from sklearn.metrics import (
    accuracy_score,
    mean_absolute_error,
    mean_squared_error,
    precision_score,
    recall_score,
)
from sklearn.model_selection import train_test_split


class SourceData(NamedTuple):
    """The rows that a source trained on and those that it tested on.

    Attributes
    ----------
    X_train, X_test : DataFrame
        Indexed by the number of the row before the split.
    y_train, y_test : Series
        NaN = no label.
    """

    X_train: pd.DataFrame
    X_test: pd.DataFrame
    y_train: pd.Series
    y_test: pd.Series


@dataclass(frozen=True)
class Erratum:
    """One claim of a source, beside what its own formula gives.

    Attributes
    ----------
    claim : str
        What the value is.
    published : str
        The value in the source, copied.
    compute : callable
        Returns the value by the source's own formula, as text.
    why : str
        The correction, then what still holds.
    """

    claim: str
    published: str
    compute: Callable[[], str]
    why: str


@dataclass(frozen=True)
class Source:
    """A source of this package.

    Attributes
    ----------
    title, url, credit : str
        What it is, where it is, and what it gave.
    errata : tuple of Erratum
    data : mapping
        From task to the function that makes the data; it takes a seed if `has_holes`.
    has_holes : bool
        Are there holes that a seed decides about?
    """

    title: str
    url: str
    credit: str
    errata: tuple[Erratum, ...]
    data: Mapping[str, Callable[..., SourceData]]
    has_holes: bool


def divided(X: pd.DataFrame, y: Any) -> SourceData:
    """Divide rows as sources 0 and 3 do: a fifth to test on, random_state=42.

    Parameters
    ----------
    X : DataFrame
    y : array-like of shape (n,)

    Returns
    -------
    SourceData
    """
    labels = pd.Series(y, index=X.index, name="y")
    X_train, X_test, y_train, y_test = train_test_split(X, labels, test_size=0.2, random_state=42)
    return SourceData(X_train, X_test, y_train, y_test)


def scores(model: Any, data: SourceData) -> dict[str, float]:
    """Fit a model on a source's training rows and score it on its test rows.

    Test rows without a label are left out, as the sources do.

    Parameters
    ----------
    model : estimator
    data : SourceData

    Returns
    -------
    dict
        `accuracy`, `precision` and `recall` of a classifier, `mae`, `mse` and `rmse` of a
        regressor.
    """
    predicted = model.fit(data.X_train, data.y_train).predict(data.X_test)
    known = data.y_test.notna().to_numpy()
    truth, predicted = data.y_test.to_numpy()[known], np.asarray(predicted)[known]
    if hasattr(model, "classes_"):
        return {
            "accuracy": float(accuracy_score(truth, predicted)),
            "precision": float(precision_score(truth, predicted)),
            "recall": float(recall_score(truth, predicted)),
        }
    mse = float(mean_squared_error(truth, predicted))
    return {
        "mae": float(mean_absolute_error(truth, predicted)),
        "mse": mse,
        "rmse": mse**0.5,
    }
