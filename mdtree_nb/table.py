"""Turn a DataFrame or an array into one float64 matrix and the schema that explains it.

In a Table NaN means missing, whatever its spelling was (None, NaN, pd.NA, NaT, a mask); a
category column holds the numbers of its levels. The schema is learned at fit, travels with
the model and encodes every later table alike: the meaning of a level is its label, never
its position in somebody's list.

Does not: check names and widths (scikit-learn does), look into a column (`columns.py`
does), or fill in values.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.utils.validation import check_array

from .columns import learn_column, read_codes, read_numbers
from .schema import Schema
from .sharing import shared

__all__ = ["Table", "encode", "learn", "read", "unmasked"]


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
        A masked cell of an array is a missing one.

    Returns
    -------
    DataFrame or ndarray of shape (n, p)

    Raises
    ------
    ValueError
        For an empty table, another number of dimensions, duplicate column names or an array of
        complex numbers.
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
    if isinstance(X, np.ma.MaskedArray):
        return read(unmasked(X))
    kind = X.dtype.kind if hasattr(X, "dtype") else "O"
    if kind not in "biufc" and not hasattr(X, "toarray"):
        matrix = np.asarray(X)
        if matrix.dtype.kind in "OUSTmM" and matrix.ndim == 2 and 0 not in matrix.shape:
            if matrix.dtype.kind in "mM":
                return pd.DataFrame(matrix)  # whose columns are refused by name
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
        whose known values are all numbers is numeric; one without any has no levels yet.

    Returns
    -------
    Table
        Column-major; a view of `X` where it already is a float64 matrix of that layout.

    Raises
    ------
    ValueError
        For complex numbers, and those beyond the range of float64.
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
        values[:, f], its_levels = learn_column(column, name)
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
    ValueError
        For complex numbers, and those beyond the range of float64.
    TypeError
        When a column that was numeric at fit now holds text, and for dates, durations and
        cells that are neither number nor text.
    """
    if not isinstance(X, pd.DataFrame):
        if not schema.is_category.any():
            return Table(X, schema, pd.RangeIndex(len(X)))
        X = pd.DataFrame(X)
    values = np.empty(X.shape, order="F")
    columns = (column for _, column in X.items())
    for f, (levels, column) in enumerate(zip(schema.levels, columns, strict=True)):
        if levels is None:
            values[:, f] = read_numbers(column, schema.names[f])
        else:
            values[:, f] = read_codes(column, levels, schema.names[f])
    return Table(values, schema, X.index)


def _incomplete(values: NDArray[np.float64]) -> tuple[bool, ...]:
    with np.errstate(over="ignore", invalid="ignore"):
        sums = values.sum(axis=0)  # NaN wherever a column has one, without an n x p mask
    return tuple(
        bool(suspect and np.isnan(values[:, f]).any()) for f, suspect in enumerate(np.isnan(sums))
    )


def unmasked(X: Any) -> NDArray[Any]:
    """Write the masked cells of an array as missing ones.

    Parameters
    ----------
    X : MaskedArray

    Returns
    -------
    ndarray
        Of floats, dates or objects.
    """
    if X.dtype.kind in "biuf":
        return X.astype(np.float64).filled(np.nan)
    cells = np.asarray(X.data)
    if X.dtype.kind in "mM":
        return np.where(np.ma.getmaskarray(X), np.array("NaT", dtype=X.dtype), cells)
    cells = cells.astype(object)
    cells[np.ma.getmaskarray(X)] = None
    return cells


def _check_names(frame: pd.DataFrame) -> None:
    if not frame.columns.is_unique:
        twice = frame.columns[frame.columns.duplicated()].unique()
        raise ValueError(
            f"X has duplicate column names {list(twice)}; every column needs a name of its "
            "own, so rename or drop them."
        )
