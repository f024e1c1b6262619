"""Turn a DataFrame or an array into one float64 matrix and the schema that explains it.

The only module that knows dtypes. In a Table NaN means missing, whatever its spelling
was (None, NaN, pd.NA, NaT); a category column holds the numbers of its levels. The
schema is learned at fit, travels with the model and encodes every later table alike:
the meaning of a level is its label, never its position in somebody's list.

Does not: check names and widths (scikit-learn does), fill in values, or guess numbers from text.
"""

from __future__ import annotations

import numbers
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.utils.validation import check_array

from .schema import Schema
from .sharing import shared

__all__ = ["UNSEEN", "Schema", "Table", "encode", "learn", "level_keys", "read"]

UNSEEN = -1.0  # the code of a level that was not there at fit: known, but no level of ours


@dataclass(frozen=True)
class Table:
    """A float64 matrix with the schema of its columns.

    Attributes
    ----------
    values : ndarray of shape (n, p), float64
        NaN = missing; level codes in category columns, UNSEEN for a level that was not
        there at fit.
    schema : Schema
    index : Index or None
        Labels of the rows: those of the DataFrame, or their numbers in the array.
    """

    values: NDArray[np.float64]
    schema: Schema
    index: pd.Index | None = field(default=None, compare=False)

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return self.values.shape[0]

    def take(self, rows: NDArray[Any]) -> Table:
        """Return the table of some rows, by number or by mask."""
        index = None if self.index is None else self.index[rows]
        return Table(np.asfortranarray(self.values[rows]), self.schema, index)

    def replace(self, values: NDArray[np.float64]) -> Table:
        """Return a table with other values under the same schema."""
        index = self.index if len(values) == self.n_rows else None
        return Table(values, self.schema, index)

    def with_indicators(self, original: Table, schema: Schema) -> Table:
        """Return the table with the columns that `schema` adds, if it lacks them.

        Parameters
        ----------
        original : Table
            The same rows with their holes.
        schema : Schema

        Returns
        -------
        Table
        """
        if self.schema.n_features == schema.n_features:
            return self
        holes = np.isnan(original.values[:, list(schema.sources)])
        return Table(np.asfortranarray(np.hstack([self.values, holes])), schema)


def read(X: Any) -> pd.DataFrame | NDArray[np.float64]:
    """Check what the user passed as X, and make it a DataFrame or a float64 matrix.

    Parameters
    ----------
    X : DataFrame or array-like of shape (n, p)

    Returns
    -------
    DataFrame or ndarray of shape (n, p)

    Raises
    ------
    ValueError
        For an empty table, another number of dimensions, duplicate column names or complex
        numbers.
    TypeError
        For a sparse matrix.
    """
    if isinstance(X, pd.DataFrame):
        for count, what in zip(X.shape, ("sample", "feature"), strict=True):
            if count == 0:  # in scikit-learn's words
                raise ValueError(
                    f"Found array with 0 {what}(s) (shape={X.shape}) while a minimum of 1 is "
                    "required."
                )
        _check_names(X)
        return X
    if hasattr(X, "to_pandas"):  # polars, pyarrow
        return read(X.to_pandas())
    kind = X.dtype.kind if hasattr(X, "dtype") else "O"
    if kind not in "biufc" and not hasattr(X, "toarray"):
        matrix = np.asarray(X)
        if matrix.dtype.kind in "OUS" and matrix.ndim == 2 and 0 not in matrix.shape:
            # as object, for np.asarray turns numbers into text beside text
            return pd.DataFrame(np.asarray(X, dtype=object))
    return check_array(X, dtype=np.float64, ensure_all_finite=False, input_name="X")


@shared
def learn(X: pd.DataFrame | NDArray[np.float64]) -> Table:
    """Learn the schema of a table and encode it.

    Parameters
    ----------
    X : DataFrame or ndarray of shape (n, p)
        In a DataFrame the dtype decides: bool, integer and float columns (NumPy, nullable
        or Arrow) are numeric, text and category columns are categories. An object column
        whose known values are all numbers is numeric.

    Returns
    -------
    Table
        Column-major; a view of `X` where it already is a float64 matrix of that layout.

    Raises
    ------
    ValueError
        For complex numbers.
    TypeError
        For dates, durations and cells that are neither number nor text.
    """
    if not isinstance(X, pd.DataFrame):
        values = np.asfortranarray(X)
        names = tuple(f"x{f}" for f in range(values.shape[1]))
        schema = Schema(names, (None,) * len(names), _incomplete(values))
        return Table(values, schema, pd.RangeIndex(len(values)))
    values = np.empty(X.shape, order="F")
    levels = []
    for f, (name, column) in enumerate(X.items()):
        values[:, f], its_levels = _learn_column(column, name)
        levels.append(its_levels)
    unnamed = isinstance(X.columns, pd.RangeIndex)
    names = tuple(f"x{name}" if unnamed else str(name) for name in X.columns)
    return Table(values, Schema(names, tuple(levels), _incomplete(values)), X.index)


@shared
def encode(X: pd.DataFrame | NDArray[np.float64], schema: Schema) -> Table:
    """Encode a later table as the training table was encoded.

    Parameters
    ----------
    X : DataFrame or ndarray of shape (n, p)
        Columns in the order of the training table.
    schema : Schema

    Returns
    -------
    Table

    Raises
    ------
    TypeError
        When a column that was numeric at fit now holds text.
    """
    if not isinstance(X, pd.DataFrame):
        if not schema.is_category.any():
            return Table(X, schema, pd.RangeIndex(len(X)))
        X = pd.DataFrame(X)
    values = np.empty(X.shape, order="F")
    columns = (column for _, column in X.items())
    for f, (levels, column) in enumerate(zip(schema.levels, columns, strict=True)):
        if levels is None:
            values[:, f] = _as_numbers(column, schema.names[f])
        else:
            values[:, f] = _as_codes(column, levels, schema.names[f])
    return Table(values, schema, X.index)


def _incomplete(values: NDArray[np.float64]) -> tuple[bool, ...]:
    with np.errstate(over="ignore", invalid="ignore"):
        sums = values.sum(axis=0)  # NaN wherever a column has one, without an n x p mask
    return tuple(
        bool(suspect and np.isnan(values[:, f]).any()) for f, suspect in enumerate(np.isnan(sums))
    )


def _check_names(frame: pd.DataFrame) -> None:
    if not frame.columns.is_unique:
        twice = frame.columns[frame.columns.duplicated()].unique()
        raise ValueError(
            f"X has duplicate column names {list(twice)}; every column needs a name of its "
            "own, so rename or drop them."
        )


def _learn_column(
    column: pd.Series, name: Hashable
) -> tuple[NDArray[np.float64], tuple[Hashable, ...] | None]:
    """Encode one training column; returns (codes or numbers, levels or None)."""
    dtype = column.dtype
    if _is_numeric(column, dtype, name):
        return _as_numbers(column, name), None
    codes, found = _distinct(column)
    keys = level_keys(found, name)
    order = list(range(len(keys)))
    if isinstance(dtype, pd.CategoricalDtype):  # levels that never occur are none
        order = np.unique(codes[codes >= 0]).tolist()
    else:
        order = sorted(order, key=lambda i: _sort_key(keys[i]))
    place = np.full(len(keys) + 1, np.nan)  # its last entry serves code -1, missing
    place[order] = np.arange(len(order))
    return place[codes], tuple(found[i] for i in order)


def _as_codes(
    column: pd.Series, levels: tuple[Hashable, ...], name: Hashable
) -> NDArray[np.float64]:
    """Encode one later column by the levels of the training column."""
    index = {key: float(i) for i, key in enumerate(level_keys(levels, name))}
    codes, found = _distinct(column)
    place = [index.get(key, UNSEEN) for key in level_keys(found, name)]
    return np.array([*place, np.nan])[codes]


def _distinct(column: pd.Series) -> tuple[NDArray[Any], list[Any]]:
    """Number the distinct values of a column; -1 where it is missing."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        return column.cat.codes.to_numpy(), list(column.cat.categories)
    if column.dtype != object or pd.api.types.infer_dtype(column, skipna=True) == "string":
        codes, found = pd.factorize(column.array)
        return codes, found.tolist()
    # pandas takes 1, 1.0 and True for the same value
    values = [None if pd.api.types.is_scalar(v) and pd.isna(v) else v for v in column]
    number: dict[Any, int] = {None: -1}
    found = []
    codes = np.empty(len(values), dtype=np.int64)
    for i, (key, value) in enumerate(zip(level_keys(values, column.name), values, strict=True)):
        if key not in number:
            number[key] = len(found)
            found.append(value)
        codes[i] = number[key]
    return codes, found


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
        elif isinstance(value, numbers.Real):
            keys.append(("number", value))
        elif isinstance(value, (bytes, pd.Interval)):  # pandas.cut makes intervals
            keys.append((type(value).__name__, value))
        else:
            raise TypeError(
                f"column {name!r} holds {value!r}: argument must be a string or a number, "
                f"not {type(value).__name__!r}."
            )
    return keys


def _sort_key(key: Any) -> tuple[str, Any]:
    return ("text", key) if isinstance(key, str) else key


def _is_numeric(column: pd.Series, dtype: Any, name: Hashable) -> bool:
    """Tell whether a training column is numeric; refuses what is neither."""
    if isinstance(dtype, (pd.CategoricalDtype, pd.StringDtype)):
        return False
    kind = getattr(dtype, "kind", "O")
    if kind in "biuf":
        return True
    if kind == "c":
        raise ValueError(f"Complex data not supported: column {name!r} is complex.")
    if kind in "mM" or isinstance(dtype, (pd.PeriodDtype, pd.IntervalDtype)):
        raise TypeError(
            f"column {name!r} holds dates or durations ({dtype}); a tree needs numbers or "
            "categories, so derive some, for instance X[name].dt.dayofyear or "
            "(X[name] - X[name].min()).dt.days."
        )
    if dtype != np.dtype(object):
        return False
    found = pd.api.types.infer_dtype(column.dropna())
    if found in ("datetime", "datetime64", "date", "timedelta", "timedelta64", "time", "period"):
        raise TypeError(
            f"column {name!r} holds dates or times; a tree needs numbers or categories, so "
            "convert it first, for instance with pandas.to_datetime(X[name]).dt.dayofyear."
        )
    if found in ("integer", "floating", "mixed-integer-float", "decimal", "empty"):
        return True
    if found == "complex":
        raise ValueError(f"Complex data not supported: column {name!r} is complex.")
    return False


def _as_numbers(column: pd.Series, name: Hashable) -> NDArray[np.float64]:
    if isinstance(dtype := column.dtype, np.dtype) and dtype.kind in "biuf":
        return column.to_numpy(dtype=np.float64)
    try:
        if dtype == np.dtype(object):
            column = column.where(column.notna(), np.nan)
        elif isinstance(dtype, pd.CategoricalDtype):
            column = column.astype(object)
        return column.to_numpy(dtype=np.float64, na_value=np.nan)
    except (TypeError, ValueError) as error:
        sample = next((v for v in column.dropna() if not isinstance(v, numbers.Number)), None)
        raise TypeError(
            f"column {name!r} was numeric at fit and now holds {sample!r}: argument must be a "
            "string or a number that float() understands."
        ) from error
