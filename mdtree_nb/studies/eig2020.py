"""Expected information gain against C4.5 and imputation: source 4."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator
from sklearn.datasets import make_classification
from sklearn.utils import Bunch

from ..datasets import load
from ..estimators import MDTreeClassifier
from ..evaluation import Experiment
from ..online import fetch
from ..presets import eig, eig_repository

OFFLINE = ("wine", "wdbc", "car", "credit", "make_classification")
ONLINE = ("audit", "autism")
PROGRAM = ("eig_perfect", "eig_knn", "c45", "mean", "knn")
RATES = tuple(percent / 100 for percent in range(5, 100, 5))


class CoinHoles(BaseEstimator):
    """Blank every cell of a table with the same chance, as the source's program does.

    Unlike `make_missing`, it may empty a row or a column, and with one seed the holes of a
    lower rate are among those of a higher one.

    Parameters
    ----------
    rate : float, default=0.2
    random_state : int, default=0
    """

    def __init__(self, rate: float = 0.2, random_state: int = 0) -> None:
        self.rate = rate
        self.random_state = random_state

    def make(self, X: pd.DataFrame, y: Any = None) -> Bunch:
        """Blank cells.

        Parameters
        ----------
        X : DataFrame of shape (n, p)
        y : ignored

        Returns
        -------
        Bunch
            With `X`, a copy with holes.
        """
        rng = np.random.RandomState(self.random_state)
        return Bunch(X=X.mask(rng.random_sample(X.shape) < self.rate))


def true_values(complete: pd.DataFrame) -> MDTreeClassifier:
    """EIG by the paper's definition of perfect imputation.

    Parameters
    ----------
    complete : DataFrame of shape (n, p)
        The training rows before they lost values.

    Returns
    -------
    MDTreeClassifier
    """
    return eig(complete=complete)


def arms() -> dict[str, Any]:
    """List what is compared: the settings of the source's program, and what it describes.

    Returns
    -------
    dict
        "program: ..." computes as the authors' program does. "EIG true", "EIG knn" are the
        paper's definition, with true values and the five nearest rows as guesses; "C4.5" is
        its gain without a slip: the entropy of the known rows, times their share once; "mean"
        and "knn" fill in before growing and divide rows as C4.5 does; "EIG joint" is this
        package's own score.
    """
    c45 = eig().set_params(missing="fractional")
    return {
        **{f"program: {arm}": eig_repository(arm) for arm in PROGRAM},
        "EIG true": true_values,
        "EIG knn": eig(),
        "EIG joint": eig(score="joint"),
        "C4.5": c45,
        "mean": eig_repository("mean").set_params(missing_predict="fractional"),
        "knn": eig_repository("knn").set_params(missing_predict="fractional"),
    }


def eig_tables(names: Iterable[str] = OFFLINE, *, drop_leak: bool = True) -> dict[str, Any]:
    """Prepare the source's tables: complete rows, a column of 0 and 1 for every level.

    Parameters
    ----------
    names : iterable of str
        From "wine", "wdbc", "car", "credit", "make_classification", "audit" and "autism"; the
        last two are fetched from the UCI repository.
    drop_leak : bool, default=True
        Leave out the columns of "audit" and "autism" from which the label was computed. The
        source keeps them.

    Returns
    -------
    dict
        From name to (X, y).

    Raises
    ------
    ValueError
        For an unknown name.
    OSError
        Where a table cannot be fetched.

    Examples
    --------
    >>> {name: X.shape for name, (X, y) in eig_tables(["car", "credit"]).items()}
    {'car': (1728, 21), 'credit': (653, 46)}
    """
    bundled = {
        "wine": "wine",
        "wdbc": "breast_cancer",
        "car": "car_evaluation",
        "credit": "credit_approval_crx",
    }
    tables: dict[str, Any] = {}
    for name in names:
        if name == "make_classification":
            X, y = make_classification(n_samples=500, random_state=0)
            tables[name] = (pd.DataFrame(X).add_prefix("x"), y)
            continue
        if name in bundled:
            data = load(bundled[name])
        elif name in ONLINE:
            data = fetch(name, drop_leak=drop_leak)
        else:
            choices = ", ".join(map(repr, (*OFFLINE, *ONLINE)))
            raise ValueError(f"datasets: {name!r} is not one of {choices}.")
        whole = data.X.notna().all(axis=1)
        X = data.X[whole].reset_index(drop=True)
        categories = X.select_dtypes("category").columns
        X = X.astype(dict.fromkeys(categories, object))  # levels that no row has get no column
        tables[name] = (pd.get_dummies(X).astype(float), data.y[whole].to_numpy())
    return tables


def eig2020(
    datasets: Iterable[str] = OFFLINE,
    *,
    strategies: Any = None,
    rates: Iterable[float] = RATES,
    repeats: int = 5,
    folds: int = 5,
    drop_leak: bool = True,
    random_state: int = 0,
) -> Experiment:
    """Lay out the study of expected information gain (EIG) by Schreckenberger et al.

    Every cell of a table is blank with the same chance, in training and test rows alike; a
    tree answers for the test rows complete, with their holes, and filled in from the five
    nearest training rows.

    Parameters
    ----------
    datasets : iterable of str
        As in `eig_tables`. With "audit" and "autism" it is the whole study.
    strategies : iterable, dict or None, default=None
        None = those of `arms`; an iterable chooses from them by name.
    rates : iterable of float
    repeats, folds : int, default=5
    drop_leak : bool, default=True
        See `eig_tables`.
    random_state : int, default=0

    Returns
    -------
    Experiment

    Notes
    -----
    As in the authors' program: holes are made in the 0-1 columns, each by itself, before the
    table is split; the seed of repeat r is r for holes and folds; trees of at most 20 levels,
    not pruned. The order of the columns of "car" and "credit", and so their holes, may differ.

    References
    ----------
    .. [1] C. Schreckenberger, C. Bartelt, H. Stuckenschmidt, "Expected Information Gain"
       (decision trees on incomplete data), University of Mannheim.

    Examples
    --------
    >>> len(eig2020())  # 5 tables, 19 rates, 5 x 5 folds, 11 arms
    26125
    >>> grid = eig2020(["wine"], strategies=["C4.5", "mean"], rates=[0.5], repeats=1, folds=2)
    >>> grid.run().groupby("test")["accuracy"].size().to_dict()
    {'complete': 4, 'imputed': 4, 'missing': 4}
    """
    if isinstance(datasets, str):
        datasets = [datasets]
    if strategies is None or not isinstance(strategies, dict):
        strategies = _chosen(strategies)
    return Experiment(
        eig_tables(datasets, drop_leak=drop_leak),
        strategies,
        mechanisms={"MCAR": CoinHoles()},
        rates=rates,
        masks="table",
        tests=("complete", "missing", "imputed"),
        repeats=repeats,
        folds=folds,
        random_state=random_state,
    )


def _chosen(names: Any) -> dict[str, Any]:
    known = arms()
    if names is None:
        return known
    names = [names] if isinstance(names, str) else list(names)
    for name in names:
        if name not in known:
            raise ValueError(
                f"strategies: {name!r} is not an arm of the study; choose from "
                f"{', '.join(map(repr, known))}, or pass a dict of strategies."
            )
    return {name: known[name] for name in names}
