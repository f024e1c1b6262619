"""Test rows filled in by an imputer that knows the training rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import clone
from sklearn.impute import KNNImputer

from ..table import learn
from .lent import copy_of


def checked_imputer(imputer: Any, tests: Iterable[str], tables: Mapping[str, Any]) -> Any:
    """Take an imputer, or the default one where it suits the tables.

    Parameters
    ----------
    imputer : transformer or None
    tests : iterable of str
        Nothing is checked where "imputed" is not among them.
    tables : dict
        As `tables.named_tables` returns them.

    Returns
    -------
    transformer

    Raises
    ------
    TypeError
        For what is no transformer.
    ValueError
        For the default one and categories.
    """
    if imputer is not None:
        if not all(hasattr(imputer, name) for name in ("fit", "transform", "get_params")):
            raise TypeError(
                f"imputer={imputer!r} must be a transformer, such as SimpleImputer(), or None."
            )
        return imputer
    for name, (_, (X, _)) in tables.items() if "imputed" in tests else ():
        found = [c for c, levels in zip(X, learn(X).schema.levels, strict=True) if levels]
        if found:
            raise ValueError(
                f"imputer=None fills numbers, and {name!r} has categories, such as {found[0]!r}; "
                "pass an imputer for both, such as SimpleImputer(strategy='most_frequent', "
                "keep_empty_features=True), or leave 'imputed' out of tests."
            )
    return KNNImputer(keep_empty_features=True)


def filled(imputer: Any, train: pd.DataFrame, test: pd.DataFrame) -> pd.DataFrame:
    """Fill test rows in.

    Parameters
    ----------
    imputer : transformer
    train, test : DataFrame of shapes (n, p) and (m, p)

    Returns
    -------
    DataFrame of shape (m, p)
        The columns of `test` in their order, however the imputer orders them.

    Raises
    ------
    ValueError
        Where the imputer fails, or returns other columns.
    """
    fitted, said = clone(imputer), f"imputer={' '.join(repr(imputer).split())}"
    try:
        made = fitted.fit(copy_of(train)).transform(copy_of(test))
    except Exception as error:
        why = " ".join(f"{type(error).__name__}: {error}".split())
        raise ValueError(
            f"{said} cannot fill the test rows in ({why}); pass another imputer, one "
            "for categories too where there are any, or leave 'imputed' out of tests."
        ) from error
    names = _names(fitted, made)
    made = pd.DataFrame(np.asarray(made), index=test.index).infer_objects()
    for wanted in ([str(c) for c in test.columns], [f"x{f}" for f in range(test.shape[1])]):
        if names is None or sorted(names) == sorted(wanted):
            order = range(len(wanted)) if names is None else [names.index(c) for c in wanted]
            if made.shape == test.shape:
                return made.iloc[:, list(order)].set_axis(test.columns, axis=1)
    raise ValueError(
        f"{said} returns {made.shape[1]} columns ({', '.join(names or [])}) for the "
        f"{test.shape[1]} of the table; pass one that keeps all columns and their names, with "
        "keep_empty_features=True, or verbose_feature_names_out=False of a ColumnTransformer."
    )


def _names(fitted: Any, made: Any) -> list[str] | None:
    """Names of the columns that an imputer returned; None where it does not know them."""
    if isinstance(made, pd.DataFrame):
        return [str(c) for c in made.columns]
    try:
        names = [str(c) for c in fitted.get_feature_names_out()]
    except (AttributeError, ValueError):
        return None
    # KNNImputer does not name the empty columns that it keeps
    return names if len(names) == made.shape[1] else None
