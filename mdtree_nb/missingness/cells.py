"""Read and blank the cells of a table, whatever its dtypes.

The input is never changed. A column keeps its dtype where that can hold a missing value;
where not, whole numbers and truth values become pandas' nullable ones, which lose no digit
(in arrays: float64).

Does not: decide which cells go, or order categories (`scores.py` does).
"""

from __future__ import annotations

from collections.abc import Hashable
from difflib import get_close_matches
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ..table import read


class Cells:
    """A table, its names and its holes.

    Parameters
    ----------
    X : DataFrame or array-like of shape (n, p)

    Attributes
    ----------
    data : DataFrame or ndarray
        What was passed, as a frame or a 2-D array.
    names : list
        Column labels; numbers for an array.
    holes : ndarray of shape (n, p), bool
        What is missing already.
    """

    def __init__(self, X: Any) -> None:
        floats = type(X) is np.ndarray and X.dtype.kind == "f" and X.ndim == 2 and X.size
        data: Any = X if floats else read(X)
        self.data = data
        self.is_frame = isinstance(self.data, pd.DataFrame)
        self.gives_frame = self.is_frame and hasattr(X, "columns")
        self.names: list[Any] = list(data.columns if self.is_frame else range(data.shape[1]))
        self.shape: tuple[int, int] = data.shape
        self.holes: NDArray[np.bool_] = np.asfortranarray(pd.isna(data))

    def column(self, number: int) -> Any:
        """Return a column as a Series or a 1-D array."""
        return self.data.iloc[:, number] if self.is_frame else self.data[:, number]

    def find(self, names: Any, parameter: str) -> list[int]:
        """Find the numbers of columns by their labels.

        Parameters
        ----------
        names : label or sequence of labels
        parameter : str
            For the message.

        Returns
        -------
        list of int

        Raises
        ------
        ValueError
            For unknown and repeated labels, and for none.
        """
        if isinstance(names, (str, bytes)) or not hasattr(names, "__iter__"):
            names = [names]
        place = {name: number for number, name in enumerate(self.names)}
        found = []
        for name in names:
            name = name.item() if isinstance(name, np.generic) else name
            if not isinstance(name, Hashable) or isinstance(name, bool) or name not in place:
                raise ValueError(f"{parameter}={name!r} is not a column of X; {self._hint(name)}")
            found.append(place[name])
        if len(set(found)) < len(found) or not found:
            what = "names a column twice" if found else "names no column"
            raise ValueError(f"{parameter}={list(names)} {what}; name each column once.")
        return found

    def _hint(self, name: Any) -> str:
        near = get_close_matches(str(name), map(str, self.names), n=1)
        if near:
            return f"did you mean {near[0]!r}?"
        shown = ", ".join(map(repr, self.names[:8])) + (", ..." if len(self.names) > 8 else "")
        return f"choose among {shown}."

    def blank(self, mask: NDArray[np.bool_]) -> Any:
        """Return a copy of the table in which some more cells are missing.

        Parameters
        ----------
        mask : ndarray of shape (n, p), bool

        Returns
        -------
        DataFrame or ndarray
            What was passed decides.
        """
        if not self.is_frame:
            values: NDArray[Any] = self.data.copy(order="K")
            np.copyto(values, np.nan, where=mask)
            return values
        dtypes = set(self.data.dtypes)
        if self.gives_frame and len(dtypes) == 1 and dtypes.pop() == np.float64:
            # column after column in memory, as frames made of columns have it
            values = np.array(self.data.to_numpy(), order="F")
            np.copyto(values, np.nan, where=mask)
            frame = self.like(values)
            frame.attrs = dict(self.data.attrs)
            return frame
        columns = {
            number: blank_column(self.column(number), mask[:, number])
            for number in range(self.shape[1])
        }
        frame = pd.DataFrame(columns, index=self.data.index, copy=False)
        frame.columns = self.data.columns
        frame.attrs = dict(self.data.attrs)
        return frame if self.gives_frame else frame.to_numpy(dtype=object, na_value=np.nan)

    def like(self, values: NDArray[Any]) -> Any:
        """Return an array in the container of X: a frame with its labels, or the array."""
        if not self.gives_frame:
            return values
        return pd.DataFrame(values, index=self.data.index, columns=self.data.columns, copy=False)


def blank_column(column: pd.Series, mask: NDArray[np.bool_]) -> pd.Series:
    """Return a column with some more values missing.

    Parameters
    ----------
    column : Series
    mask : ndarray of shape (n,), bool

    Returns
    -------
    Series
        Of the same dtype if it has a missing value, else of the nullable one; the same
        object where nothing goes.
    """
    if not mask.any():
        return column
    dtype = column.dtype
    if isinstance(dtype, np.dtype) and dtype.kind == "f":
        values = column.to_numpy(copy=True)
        values[mask] = np.nan
        return pd.Series(values, index=column.index, name=column.name, copy=False)
    if isinstance(dtype, np.dtype) and dtype.kind in "biu":
        nullable = {"b": "boolean", "i": "Int", "u": "UInt"}[dtype.kind]
        nullable += "" if dtype.kind == "b" else str(8 * dtype.itemsize)
        column = column.astype(nullable)
    return column.mask(mask)
