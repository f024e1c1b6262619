"""Check what a comparison is asked, before any fold runs: table, labels, numbers, holes."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.utils.validation import column_or_1d

from ..inputs import check_jobs
from ..missingness import Amputer
from ..table import read

TESTS = ("as_is", "complete", "amputated", "imputed")


def check_rows(X: Any, y: Any) -> tuple[Any, NDArray[Any]]:
    """Check a table and its labels.

    Parameters
    ----------
    X : DataFrame or array-like of shape (n, p)
    y : array-like of shape (n,)

    Returns
    -------
    X : DataFrame or ndarray of shape (n, p)
    y : ndarray of shape (n,)

    Raises
    ------
    ValueError
        For what is no table or no labels of its rows, and for labels that are missing.
    TypeError
        For a sparse table, and for labels that mix text and numbers.
    """
    if not hasattr(X, "toarray"):
        shape = np.shape(X)
        if len(shape) != 2:
            raise ValueError(
                f"X has the shape {shape}; it must be a table of rows and columns. A single column "
                "is X.reshape(-1, 1), or X.to_frame() of a Series."
            )
    table = read(X)
    X = X if isinstance(X, (pd.DataFrame, np.ndarray)) else table
    shape = np.shape(y)
    if len(shape) != 1 and not (len(shape) == 2 and shape[1] == 1):
        raise ValueError(
            f"y has the shape {shape}; it must be one label for each row of X. To predict several "
            "columns, make one comparison for each."
        )
    if len(X) != shape[0]:
        raise ValueError(f"X has {len(X)} rows and y {shape[0]} labels; they belong together.")
    values = np.asarray(y) if hasattr(y, "dtype") or hasattr(y, "columns") else _of_list(y)
    if values.ndim > 1:
        values = column_or_1d(values, warn=True)
    gone = int(pd.isna(values).sum())
    if gone:
        raise ValueError(f"y misses {gone} labels; drop those rows of X and y.")
    return X, values


def _of_list(y: Any) -> NDArray[Any]:
    """An array of labels; text beside numbers stays what it is."""
    values = np.asarray(y)
    is_text = values.dtype.kind != "U" or all(isinstance(label, str) for label in y)
    return values if is_text else np.asarray(y, dtype=object)


def check_labels(y: NDArray[Any], task: str) -> NDArray[Any]:
    """Check that labels are of one kind: numbers to predict, or classes.

    Parameters
    ----------
    y : ndarray of shape (n,)
        Without missing values.
    task : {"classification", "regression"}

    Returns
    -------
    ndarray of shape (n,)
    """
    if task == "regression":
        try:
            numbers = y.astype(float)
        except (TypeError, ValueError) as error:
            raise ValueError(f"y must be numeric for regression: {error}.") from error
        if not np.isfinite(numbers).all():
            raise ValueError("y contains infinity; regression needs finite numbers.")
        return numbers if y.dtype == object else y
    try:
        np.unique(y)
    except TypeError as error:
        kinds = {type(label).__name__: label for label in y}
        mixed = " and ".join(f"{label!r} ({kind})" for kind, label in list(kinds.items())[:2])
        raise TypeError(
            f"y mixes {mixed}; classes must be of one kind, such as text: [str(v) for v in y]."
        ) from error
    return y


def check_numbers(
    folds: Any, repeats: Any, budget: Any, n_jobs: Any, random_state: Any, amputate: Any
) -> None:
    """Check the numbers that say how a comparison runs.

    Parameters
    ----------
    folds, repeats : int
    budget : float or None
    n_jobs : int or None
    random_state : int
        Or whatever scikit-learn's splitters take, where no holes are made.
    amputate : Amputer or None
    """
    for name, value, least in (("folds", folds, 2), ("repeats", repeats, 1)):
        if not isinstance(value, Integral) or isinstance(value, bool):
            raise TypeError(f"{name}={value!r} must be a whole number.")
        if value < least:
            raise ValueError(f"{name}={value!r} must be at least {least}.")
    is_number = isinstance(budget, Real) and not isinstance(budget, bool)
    if budget is not None and not (is_number and budget > 0):
        kind = ValueError if is_number else TypeError
        raise kind(f"budget={budget!r} must be a number of seconds above 0, or None.")
    if n_jobs is not None:
        check_jobs(n_jobs)
    is_number = isinstance(random_state, Integral) and not isinstance(random_state, bool)
    drawn = random_state is None or isinstance(random_state, np.random.RandomState)
    if not is_number and (amputate is not None or not drawn):
        raise TypeError(
            f"random_state={random_state!r} must be a whole number, from which every fold's holes "
            "are drawn, the same for all strategies."
        )
    if is_number and not 0 <= random_state < 2**32:
        raise ValueError(f"random_state={random_state!r} must be from 0 to 2**32 - 1.")


def check_tests(test_missing: Any, amputate: Any, X: Any) -> list[str]:
    """Check the test scenarios that are asked for.

    Parameters
    ----------
    test_missing : str, sequence of str or None
        None = "amputated" with an amputer, "as_is" without.
    amputate : Amputer or None
    X : DataFrame or array-like of shape (n, p)

    Returns
    -------
    list of str
    """
    if test_missing is None:
        return ["as_is" if amputate is None else "amputated"]
    listed = isinstance(test_missing, (list, tuple))
    tests = list(test_missing) if listed else [test_missing]
    if not tests or any(tests.count(test) > 1 or test not in TESTS for test in tests):
        raise ValueError(
            f"test_missing={test_missing!r} must be one of {', '.join(map(repr, TESTS))}, or a "
            "list of different ones."
        )
    if "amputated" in tests and amputate is None:
        raise ValueError(
            "test_missing='amputated' needs to know which holes; pass amputate=, for instance "
            "amputate={'mechanism': 'MCAR', 'rate': 0.3}."
        )
    gaps = int(pd.DataFrame(X).isna().to_numpy().sum()) if "complete" in tests else 0
    if gaps:
        raise ValueError(
            f"test_missing='complete' needs a table without holes, but X has {gaps}, and nobody "
            "knows what was there; choose 'imputed', or 'as_is' for the rows as they are."
        )
    return tests


def check_amputate(amputate: Any) -> Any:
    """Take an amputer, or make one of the arguments of `make_missing`.

    Parameters
    ----------
    amputate : Amputer, transformer, dict or None

    Returns
    -------
    Amputer or None
    """
    makes_holes = hasattr(amputate, "fit_transform") and hasattr(amputate, "transform")
    if amputate is None or (makes_holes and not isinstance(amputate, type)):
        return amputate
    if isinstance(amputate, dict):
        known = set(Amputer().get_params(deep=False))
        unknown = sorted(set(map(str, amputate)) - known)
        if not unknown:
            return Amputer(**amputate)
        raise ValueError(
            f"amputate={amputate!r}: Amputer has no parameter {unknown[0]!r}; options of a method "
            "are those of its object, such as method=missingness.Censor('upper')."
        )
    raise TypeError(
        f"amputate={amputate!r} must be an Amputer, what missingness.scenario(...) returns, or a "
        "dict such as {'mechanism': 'MAR', 'rate': 0.3}."
    )
