"""What one column holds: numbers, or levels that are told apart by their labels.

The only module that knows dtypes. The dtype decides; cell by cell is looked at what says
nothing, columns of dtype object. Numbers become float64 with NaN for missing, levels
their codes. Dates, complex numbers and cells that are neither number nor text are refused.

Does not: guess numbers from text.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Hashable, Iterable
from decimal import Decimal
from fractions import Fraction
from numbers import Complex, Real
from typing import Any, NoReturn

import numpy as np
import pandas as pd
from numpy.typing import NDArray

UNSEEN = -1.0  # the code of a level that was not there at fit: known, but no level of ours

# a NumPy duration passes for a whole number in Python's eyes
DATES = (dt.date, dt.time, dt.timedelta, np.datetime64, np.timedelta64, pd.Period)


def learn_column(
    column: pd.Series, name: Hashable
) -> tuple[NDArray[np.float64], tuple[Hashable, ...] | None]:
    """Encode one training column.

    Parameters
    ----------
    column : Series
    name : label
        For messages.

    Returns
    -------
    values : ndarray of shape (n,)
        Numbers, or codes of levels; NaN where missing.
    levels : tuple or None
        None = the column is numeric. A column of objects without a known value has no
        levels: whatever comes later is unseen.
    """
    dtype = column.dtype
    if _is_numeric(column, name):
        return read_numbers(column, name), None
    codes, found = _distinct(column, name)
    keys = level_keys(found, name)
    order = list(range(len(keys)))
    if isinstance(dtype, pd.CategoricalDtype):  # levels that never occur are none
        order = np.unique(codes[codes >= 0]).tolist()
    else:
        order = sorted(order, key=lambda i: _sort_key(keys[i]))
    place = np.full(len(keys) + 1, np.nan)  # its last entry serves code -1, missing
    place[order] = np.arange(len(order))
    return place[codes], tuple(found[i] for i in order)


def read_codes(
    column: pd.Series, levels: tuple[Hashable, ...], name: Hashable
) -> NDArray[np.float64]:
    """Encode one later column by the levels of the training column.

    Parameters
    ----------
    column : Series
    levels : tuple
    name : label
        For messages.

    Returns
    -------
    ndarray of shape (n,)
        NaN where missing, UNSEEN where the level is none of `levels`.
    """
    index = {key: float(i) for i, key in enumerate(level_keys(levels, name))}
    codes, found = _distinct(column, name)
    place = [index.get(key, UNSEEN) for key in level_keys(found, name)]
    return np.array([*place, np.nan])[codes]


def read_numbers(column: pd.Series, name: Hashable) -> NDArray[np.float64]:
    """Read a column that is numeric, or was so at fit.

    Parameters
    ----------
    column : Series
    name : label
        For messages.

    Returns
    -------
    ndarray of shape (n,)
        NaN where missing.

    Raises
    ------
    TypeError
        For text, dates, and all else that is no number.
    ValueError
        For complex numbers, and those beyond the range of float64.
    """
    dtype = column.dtype
    if isinstance(dtype, np.dtype) and dtype.kind in "biuf":
        return column.to_numpy(dtype=np.float64)
    if column.isna().all():  # a lone NaT makes a column of dates
        return np.full(len(column), np.nan)
    _refuse_dtype(dtype, name)
    if dtype == np.dtype(object):
        column = column.where(column.notna(), np.nan)
    elif isinstance(dtype, pd.CategoricalDtype):
        column = column.astype(object)
    if column.dtype == np.dtype(object):
        _refuse_cells(column, name)  # NumPy makes numbers of its dates and of complex ones
    try:
        return column.to_numpy(dtype=np.float64, na_value=np.nan)
    except OverflowError as error:
        raise ValueError(
            f"column {name!r} holds a number beyond the range of float64, 1.8e308; divide the "
            "column by a constant, or take its logarithm."
        ) from error
    except (TypeError, ValueError, NotImplementedError) as error:
        sample = next((v for v in column.dropna() if not _is_number(type(v))), None)
        if isinstance(sample, DATES):  # Arrow's times of the day
            _refuse(sample, name)
        raise TypeError(
            f"column {name!r} was numeric at fit and now holds {sample!r}: argument must be a "
            "string or a number that float() understands."
        ) from error


def level_keys(values: Iterable[Any], name: Hashable) -> list[Any]:
    """What tells levels apart: 1, "1" and True are three, 1 and 1.0 are one.

    Text is its own key, None stays None, all else becomes a pair.
    """
    keys: list[Any] = []
    for value in values:
        if value is None or type(value) is str:
            keys.append(value)
        elif isinstance(value, str):
            keys.append(str(value))
        elif isinstance(value, (bool, np.bool_)):
            keys.append(("bool", bool(value)))
        elif isinstance(value, Decimal):  # which has no order among fractions
            keys.append(("number", Fraction(value) if value.is_finite() else float(value)))
        elif _is_number(type(value)):
            keys.append(("number", value))
        elif isinstance(value, (bytes, pd.Interval)):  # pandas.cut makes intervals
            keys.append((type(value).__name__, value))
        else:
            _refuse(value, name)
    return keys


def _sort_key(key: Any) -> tuple[str, Any]:
    return ("text", key) if isinstance(key, str) else key


def _distinct(column: pd.Series, name: Hashable) -> tuple[NDArray[Any], list[Any]]:
    """Number the distinct values of a column; -1 where it is missing."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        return column.cat.codes.to_numpy(), list(column.cat.categories)
    if column.dtype != object or _kind_of_cells(column) == "string":
        try:
            codes, found = pd.factorize(column.array)
        except (TypeError, NotImplementedError) as error:  # Arrow's lists and structs
            raise TypeError(
                f"column {name!r} holds cells of type {column.dtype}: argument must be a string "
                "or a number; make a column of each part, or drop it."
            ) from error
        return codes, found.tolist()
    # pandas takes 1, 1.0 and True for the same value
    values = [None if pd.api.types.is_scalar(v) and pd.isna(v) else v for v in column]
    number: dict[Any, int] = {None: -1}
    found = []
    codes = np.empty(len(values), dtype=np.int64)
    for i, (key, value) in enumerate(zip(level_keys(values, name), values, strict=True)):
        if key not in number:
            number[key] = len(found)
            found.append(value)
        codes[i] = number[key]
    return codes, found


def _is_numeric(column: pd.Series, name: Hashable) -> bool:
    """Tell whether a training column is numeric; refuses dates and complex numbers."""
    dtype = column.dtype
    if isinstance(dtype, (pd.CategoricalDtype, pd.StringDtype)):
        return False
    if getattr(dtype, "kind", "O") in "biuf":
        return True
    _refuse_dtype(dtype, name)
    if dtype != np.dtype(object):
        return bool(pd.api.types.is_numeric_dtype(dtype))  # Arrow's decimals
    found = _kind_of_cells(column)
    if found in ("integer", "floating", "mixed-integer-float", "decimal"):
        return True
    if not found.startswith("mixed"):
        return False
    return all(map(_is_number, set(map(type, column.dropna()))))


def _kind_of_cells(column: pd.Series) -> str:
    """Say in pandas' words what the known cells of a column of objects are."""
    try:
        return str(pd.api.types.infer_dtype(column, skipna=True))
    except OverflowError:  # a whole number too large for it
        return "mixed"


def _is_number(cls: type) -> bool:
    return issubclass(cls, (Real, Decimal)) and not issubclass(cls, (bool, *DATES))


def _is_complex(cls: type) -> bool:
    return issubclass(cls, Complex) and not issubclass(cls, Real)


def _refuse_dtype(dtype: Any, name: Hashable) -> None:
    kind = getattr(dtype, "kind", "O")
    if kind == "c":
        raise ValueError(f"Complex data not supported: column {name!r} is complex.")
    if kind in "mM" or isinstance(dtype, (pd.PeriodDtype, pd.IntervalDtype)):
        raise TypeError(
            f"column {name!r} holds dates or durations ({dtype}); a tree needs numbers or "
            "categories, so derive some, for instance X[name].dt.dayofyear or "
            "(X[name] - X[name].min()).dt.days."
        )


def _refuse_cells(column: pd.Series, name: Hashable) -> None:
    known = column.dropna()
    bad = {cls for cls in set(map(type, known)) if issubclass(cls, DATES) or _is_complex(cls)}
    if bad:
        _refuse(next(v for v in known if type(v) in bad), name)


def _refuse(value: Any, name: Hashable) -> NoReturn:
    """Say why a cell can be neither a number nor a level, and what to do."""
    if isinstance(value, DATES):
        raise TypeError(
            f"column {name!r} holds dates or times, {value!r} among them; a tree needs numbers or "
            "categories, so convert it first, for instance with "
            "pandas.to_datetime(X[name]).dt.dayofyear."
        )
    if _is_complex(type(value)):
        raise ValueError(f"Complex data not supported: column {name!r} holds {value!r}.")
    raise TypeError(
        f"column {name!r} holds {value!r}: argument must be a string or a number, "
        f"not {type(value).__name__!r}."
    )
