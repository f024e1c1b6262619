"""What users pass as y: one label per row, as class codes or as numbers.

All labels are of one kind, text or numbers; dates and complex numbers are refused. A
missing label is None, NaN, pd.NA, NaT or a masked one.

Does not: choose between classes and numbers, or check weights (`inputs.py` does).
"""

from __future__ import annotations

from decimal import Decimal
from numbers import Complex, Real
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_consistent_length, column_or_1d

from .columns import DATES

LARGEST_LABEL = 1e100  # so that squares of weight * weight * label stay finite


def known_labels(
    y: Any, X: NDArray[Any], missing_label: str
) -> tuple[NDArray[Any], NDArray[np.intp] | None, int]:
    """Find the rows that have a label.

    Parameters
    ----------
    y : array-like of shape (n,)
    X : ndarray of shape (n, p)
    missing_label : {"raise", "drop"}

    Returns
    -------
    labels : ndarray
        Of the rows that have one.
    rows : ndarray or None
        Their numbers; None = all.
    n_dropped : int
        How many have none.

    Raises
    ------
    ValueError
        For None, another shape, missing labels with missing_label="raise", no label at all,
        and for dates, complex numbers and labels of several kinds.
    """
    if y is None:
        raise ValueError("fit requires y to be passed, but the target y is None.")
    hidden: Any = False
    if isinstance(y, np.ma.MaskedArray):
        hidden, y = np.ma.getmaskarray(y).ravel(), y.data
    y = list(y) if isinstance(y, tuple) else y
    flat = not _is_nested(y) if isinstance(y, list) else getattr(y, "ndim", 0) == 1
    y = y if flat else column_or_1d(y, warn=True)
    check_consistent_length(X, y)
    is_missing = np.asarray(pd.isna(y)) | hidden
    n_missing = int(is_missing.sum())
    if not n_missing:
        return _as_array(y), None, 0
    if missing_label == "raise":
        raise ValueError(
            f"y has {n_missing} missing values (NaN or None); a row without a label teaches "
            "nothing. Drop those rows or set missing_label='drop'."
        )
    keep = np.flatnonzero(~is_missing)
    if not len(keep):
        raise ValueError("y has only missing values; there is nothing to learn from.")
    return _as_array(pd.Series(y).iloc[keep]), keep, n_missing


def class_codes(labels: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Number the classes.

    Parameters
    ----------
    labels : ndarray of shape (n,)

    Returns
    -------
    codes : ndarray of shape (n,), uint8 or float64
        float64 where there are more than 256 classes.
    classes : ndarray of shape (K,)

    Raises
    ------
    ValueError
        For labels that are no classes.
    """
    if labels.dtype.kind not in "biuU":  # these need no closer look
        check_classification_targets(labels)
    classes, codes = np.unique(labels, return_inverse=True)
    return codes.astype(np.uint8 if len(classes) <= 256 else np.float64), classes


def numbers(labels: NDArray[Any]) -> NDArray[np.float64]:
    """Read labels as numbers.

    Parameters
    ----------
    labels : ndarray of shape (n,)

    Returns
    -------
    ndarray of shape (n,)
        A copy.

    Raises
    ------
    ValueError
        For labels that are no numbers, and for those too large or too small for their squares
        to be computed.
    """
    try:
        values = np.array(labels, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"y must be numeric for regression: {error}.") from error
    if not np.isfinite(values).all():
        raise ValueError("y contains infinity or a value too large for float64.")
    largest = np.abs(values).max()
    if largest > LARGEST_LABEL or 0 < largest < 1 / LARGEST_LABEL:
        raise ValueError(
            f"y has values of size {largest:.3g}, whose squares leave the range of float64; divide "
            "y by a constant and multiply the predictions by it."
        )
    return values


def _is_nested(y: list[Any]) -> bool:
    return any(issubclass(cls, (list, tuple, np.ndarray)) for cls in set(map(type, y)))


def _as_array(labels: Any) -> NDArray[Any]:
    """Make an array of labels of one kind; a list would turn numbers beside text into text."""
    cells = labels if isinstance(labels, list) else np.asarray(labels)
    kind = "O" if isinstance(cells, list) else cells.dtype.kind
    if kind == "O":
        kinds = sorted({_kind(cls) for cls in set(map(type, cells))})
    else:
        kinds = {"m": ["dates"], "M": ["dates"], "c": ["complex numbers"]}.get(kind, [])
    if "dates" in kinds:
        raise ValueError(
            "y holds dates or times; a tree learns classes or numbers, so convert them first, for "
            "instance with pandas.Series(y).astype(str), or to a number of days."
        )
    if "complex numbers" in kinds:
        raise ValueError("Complex data not supported: y holds complex numbers.")
    if len(kinds) > 1:
        raise ValueError(
            f"y mixes {' and '.join(kinds)}; labels must be of one kind, so convert them first, "
            "for instance with [str(label) for label in y]."
        )
    if kinds == ["numbers"]:
        return _numbers_of(list(cells))
    array = np.asarray(cells)
    return array.astype(object) if array.dtype.kind == "T" else array  # scikit-learn knows no T


def _numbers_of(cells: list[Any]) -> NDArray[Any]:
    array = np.asarray(cells)
    if array.dtype.kind != "O":
        return array
    try:
        return array.astype(np.float64)  # decimals and fractions
    except OverflowError as error:
        raise ValueError(
            "y holds a number beyond the range of float64, 1.8e308; divide y by a constant."
        ) from error


def _kind(cls: type) -> str:
    """Name the kind of a label, which must be that of all."""
    if issubclass(cls, DATES):
        return "dates"
    for kind, classes in _KINDS.items():
        if issubclass(cls, classes):
            return kind
    return cls.__name__


# Python takes True for 1
_KINDS: dict[str, tuple[type, ...]] = {
    "text": (str,),
    "numbers": (bool, np.bool_, Real, Decimal),
    "complex numbers": (Complex,),
}
