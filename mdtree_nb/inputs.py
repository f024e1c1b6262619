"""Check what users pass to an estimator, and turn it into what the core wants.

Every message names parameter=value, the rule and the way out. Called by `estimators.py`
once per fit, never from a constructor (scikit-learn's rule).
"""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any

import numpy as np
import pandas as pd
from joblib import effective_n_jobs
from numpy.typing import NDArray
from sklearn.utils import compute_sample_weight
from sklearn.utils.multiclass import type_of_target
from sklearn.utils.validation import _check_sample_weight, column_or_1d

from .labels import class_codes, known_labels, numbers
from .table import Table, unmasked
from .tree.rules import GrowthLimits

NO_LIMIT = np.iinfo(np.int64).max
LARGEST_WEIGHT = 1e12


@dataclass(frozen=True)
class TrainingRows:
    """The rows that a tree learns from.

    Attributes
    ----------
    table : Table
    y : ndarray of shape (n,), uint8 or float64
        Class codes or numbers. Codes are float64 where there are more than 256 classes.
    w : ndarray of shape (n,) or None
        Positive weights; None = all one.
    classes : ndarray of shape (K,) or None
        None for regression.
    n_dropped : int
        Rows left out because their label is missing.
    used : ndarray of bool
        Which rows of the table that was passed these are.
    """

    table: Table
    y: NDArray[Any]
    w: NDArray[np.float64] | None
    classes: NDArray[Any] | None
    n_dropped: int
    used: NDArray[np.bool_]

    @property
    def n_values(self) -> int:
        """Number of classes, or 1."""
        return 1 if self.classes is None else len(self.classes)


def guess_task(y: Any) -> str:
    """Tell classification from regression by the target.

    Parameters
    ----------
    y : array-like of shape (n,)

    Returns
    -------
    {"classification", "regression"}
        Numbers with more than 20 different values, or with fractions, are for regression.
    """
    values = pd.Series(column_or_1d(y) if np.ndim(y) == 2 else y).dropna()  # y may be a column
    if not pd.api.types.is_numeric_dtype(values) or pd.api.types.is_bool_dtype(values):
        return "classification"
    continuous = type_of_target(values.to_numpy(dtype=float)).startswith("continuous")
    return "regression" if continuous or values.nunique() > 20 else "classification"


def check_choice(name: str, value: Any, choices: tuple[str, ...]) -> str:
    """Check that an argument is one of some words."""
    if value not in choices:
        options = " or ".join(map(repr, choices))
        raise ValueError(f"{name}={value!r} must be {options}.")
    return str(value)


def check_limits(params: dict[str, Any], table: Table, w: NDArray[Any] | None) -> GrowthLimits:
    """Check the arguments that stop growing.

    Parameters
    ----------
    params : dict
        The estimator's attributes, its parameters among them.
    table : Table
    w : ndarray of shape (n,) or None
        Weights of the training rows.

    Returns
    -------
    GrowthLimits
    """
    n_rows, n_features = table.values.shape
    max_depth = params["max_depth"]
    if max_depth is not None:
        _check_integer("max_depth", max_depth, 1)
    max_leaves = params["max_leaf_nodes"]
    if max_leaves is not None:
        _check_integer("max_leaf_nodes", max_leaves, 2)
    decrease = params["min_impurity_decrease"]
    if not isinstance(decrease, Real) or not 0 <= float(decrease) < math.inf:
        raise ValueError(f"min_impurity_decrease={decrease!r} must be a number of at least 0.")
    fraction = params["min_weight_fraction_leaf"]
    if not isinstance(fraction, Real) or not 0 <= float(fraction) <= 0.5:
        raise ValueError(
            f"min_weight_fraction_leaf={fraction!r} must be a number between 0 and 0.5."
        )
    depths = [NO_LIMIT]
    if max_depth is not None:
        depths.append(int(max_depth))
    if max_leaves is not None:
        depths.append(int(max_leaves) - 1)
    return GrowthLimits(
        min(depths),
        max(_size("min_samples_split", params["min_samples_split"], 2, n_rows), 2),
        _size("min_samples_leaf", params["min_samples_leaf"], 0, n_rows),
        float(fraction * (n_rows if w is None else w.sum())),
        float(decrease),
        check_max_features(params["max_features"], n_features),
    )


def _check_integer(name: str, value: Any, least: int) -> None:
    if not isinstance(value, Integral) or isinstance(value, bool):
        raise TypeError(f"{name}={value!r} must be a whole number.")
    if value < least:
        raise ValueError(f"{name}={value!r} must be at least {least}.")


def _size(name: str, value: Any, least: int, n_rows: int) -> float:
    """A number of rows, given as such or as a share of all rows."""
    if isinstance(value, Integral) and not isinstance(value, bool):
        _check_integer(name, value, least)
        return float(value)
    if isinstance(value, Real) and not isinstance(value, bool) and 0 < float(value) <= 1:
        return float(math.ceil(float(value) * n_rows))
    raise ValueError(
        f"{name}={value!r} must be a whole number of at least {least}, or a share of the rows in "
        "(0, 1]."
    )


def check_max_features(value: Any, n_features: int) -> int:
    """Check how many columns a node may look at, and count them."""
    if value is None:
        return n_features
    if value == "sqrt":
        return max(1, int(math.sqrt(n_features)))
    if value == "log2":
        return max(1, int(math.log2(n_features)))
    if isinstance(value, Integral) and not isinstance(value, bool) and int(value) >= 1:
        return min(int(value), n_features)
    if isinstance(value, Real) and not isinstance(value, Integral) and 0 < float(value) <= 1:
        return max(1, int(float(value) * n_features))
    raise ValueError(
        f"max_features={value!r} must be a whole number of at least 1, a share of the columns in "
        "(0, 1], 'sqrt', 'log2' or None."
    )


def check_jobs(n_jobs: Any) -> int:
    """Turn `n_jobs` into a number of threads."""
    if n_jobs is None:
        return 1
    if not isinstance(n_jobs, Integral) or isinstance(n_jobs, bool) or n_jobs == 0:
        raise ValueError(
            f"n_jobs={n_jobs!r} must be a number of threads, -1 for one per processor, or None."
        )
    return int(effective_n_jobs(n_jobs))


def check_alpha(ccp_alpha: Any) -> float:
    """Check the price of a leaf."""
    if not isinstance(ccp_alpha, Real) or not 0 <= float(ccp_alpha) < math.inf:
        raise ValueError(f"ccp_alpha={ccp_alpha!r} must be a number of at least 0.")
    return float(ccp_alpha)


def check_training_rows(
    table: Table,
    y: Any,
    sample_weight: Any,
    class_weight: Any,
    missing_label: str,
    task: str,
) -> TrainingRows:
    """Check labels and weights; leave out rows without a label or with weight 0.

    Parameters
    ----------
    table : Table
    y : array-like of shape (n,)
    sample_weight : array-like of shape (n,) or None
    class_weight : dict, "balanced" or None
    missing_label : {"raise", "drop"}
    task : {"classification", "regression"}

    Returns
    -------
    TrainingRows

    Raises
    ------
    ValueError
        For missing labels with missing_label="raise", no label at all, labels of several kinds
        or that are no classes or no numbers, and for negative, missing, infinite or all-zero
        weights.
    """
    check_choice("missing_label", missing_label, ("raise", "drop"))
    labels, keep, n_dropped = known_labels(y, table.values, missing_label)
    weights = None
    if sample_weight is not None:
        weights = _sample_weights(sample_weight, table)
        weights = weights if keep is None else weights[keep]
    codes, classes = class_codes(labels) if task == "classification" else (numbers(labels), None)
    if class_weight is not None and classes is not None:
        by_class = _class_weights(class_weight, classes[codes.astype(np.intp)])
        weights = by_class if weights is None else _scaled(weights) * _scaled(by_class)
    if weights is not None:
        weights, some = _positive(weights)
        if some is not None:
            codes = codes[some]
            keep = some if keep is None else keep[some]
    used = np.ones(table.n_rows, dtype=bool)
    if keep is not None:
        used[:] = False
        used[keep] = True
        table = table.take(keep)
    return TrainingRows(table, codes, weights, classes, n_dropped, used)


def _sample_weights(sample_weight: Any, table: Table) -> NDArray[np.float64]:
    if isinstance(sample_weight, np.ma.MaskedArray):
        sample_weight = unmasked(sample_weight)
    if np.asarray(sample_weight).dtype.kind in "mM":
        raise ValueError("sample_weight holds dates or durations; weights must be numbers.")
    weights = _check_sample_weight(sample_weight, table.values)
    if (weights < 0).any():
        raise ValueError(
            f"sample_weight has {(weights < 0).sum()} negative values; weights must be 0 or more."
        )
    return np.asarray(weights)


def _class_weights(class_weight: Any, y: NDArray[Any]) -> NDArray[np.float64]:
    for by_class in class_weight if isinstance(class_weight, list) else [class_weight]:
        if not isinstance(by_class, dict):
            continue
        for label, weight in by_class.items():
            if not _is_weight(weight):
                raise ValueError(
                    f"class_weight={class_weight!r}: the weight of {label!r} must be a finite "
                    "number of at least 0."
                )
    return np.asarray(compute_sample_weight(class_weight, y))


def _is_weight(value: Any) -> bool:
    try:
        return 0 <= float(value) < math.inf
    except (TypeError, ValueError, OverflowError):
        return False


def _scaled(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Keep sums and products of weights in range; a common factor cancels."""
    largest = weights.max()
    if not largest or 1 / LARGEST_WEIGHT <= largest <= LARGEST_WEIGHT:
        return weights
    return np.ldexp(weights, -int(np.frexp(largest)[1]))


def _positive(
    weights: NDArray[np.float64],
) -> tuple[NDArray[np.float64] | None, NDArray[np.intp] | None]:
    """Leave out zero weights: (weights or None for all one, rows or None for all)."""
    some = np.flatnonzero(weights > 0)
    if not len(some):
        raise ValueError(
            "all weights are zero; at least one row must have a positive sample_weight (and its "
            "class a positive class_weight)."
        )
    kept = None if len(some) == len(weights) else some
    return _scaled(weights[some]), kept


def report_new_missing(table: Table, new_missing: str) -> None:
    """Warn of missing values in columns that had none at fit, or refuse them.

    Parameters
    ----------
    table : Table
        Later rows under the schema of the training table.
    new_missing : {"route", "warn", "raise"}
    """
    if new_missing == "route":
        return
    new = [
        f"{name!r}"
        for name, before, column in zip(
            table.schema.names, table.schema.incomplete, table.values.T, strict=True
        )
        if not before and np.isnan(column).any()
    ]
    if not new:
        return
    message = (
        f"column {', '.join(new)} had no missing values at fit and has some now, so no split "
        "has learned where they go; new_missing='route' sends them by the strategy's rule."
    )
    if new_missing == "raise":
        raise ValueError(message)
    warnings.warn(message, UserWarning, stacklevel=4)


def one_row(x: Any, names: NDArray[Any] | None) -> Any:
    """Make a table of one row.

    Parameters
    ----------
    x : array-like of shape (p,) or (1, p), Series, dict or DataFrame of one row
    names : ndarray of shape (p,) or None
        Column names at fit.

    Returns
    -------
    DataFrame or ndarray of shape (1, p)

    Raises
    ------
    ValueError
        For what is no row, more than one, or a dict without column names to go by.
    """
    if isinstance(x, pd.Series):
        x = x.to_frame().T if names is None else dict(x)
    if isinstance(x, dict):
        if names is None:
            raise ValueError("a dict needs column names, but the tree was fitted on an array.")
        order = [*(n for n in names if n in x), *(n for n in x if n not in set(names))]
        return pd.DataFrame({name: [x[name]] for name in order})
    if not isinstance(x, pd.DataFrame):
        x = np.asanyarray(x, dtype=None if hasattr(x, "dtype") else object)  # keeps masks
        if not x.ndim:
            raise ValueError(
                f"explain_row explains one row, got {x.item()!r}; pass its values in the order of "
                "the columns, a dict, a Series or a table of one row."
            )
        x = x[None] if x.ndim == 1 else x
        if names is not None and x.ndim == 2 and x.shape[1] == len(names):
            x = pd.DataFrame(x, columns=names)
    if len(x) != 1:
        raise ValueError(f"explain_row explains one row, got {len(x)}; pass them one by one.")
    return x
