"""How strongly two columns belong together, whatever their types, from 0 to 1.

Two numbers: Pearson's |r|, which between two-valued columns is phi. A number and a
category: the correlation ratio eta. Two categories: Cramer's V. An ordered category counts
as the ranks of its levels, so that |r| is Spearman's.

Does not: test anything; these numbers choose which column drives which.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.stats import rankdata

from .cells import Cells
from .scores import is_classes, is_number, numbers


class Associations:
    """Associations between the columns of a table, and with its target.

    Parameters
    ----------
    cells : Cells
    y : Series or None, default=None
    """

    def __init__(self, cells: Cells, y: pd.Series | None = None) -> None:
        self._cells = cells
        self._y = None if y is None else _of_target(y)
        self._read: dict[int, NDArray[Any]] = {}

    def between(self, a: int, b: int) -> float:
        """Return the association of two columns."""
        return _association(self._column(a), self._column(b))

    def with_target(self, a: int) -> float:
        """Return the association of a column with y."""
        if self._y is None:
            raise ValueError("y is not there.")
        return _association(self._column(a), self._y)

    def _column(self, number: int) -> NDArray[Any]:
        """Floats of mean 0 for numbers, whole codes (-1 = missing) for levels."""
        if number not in self._read:
            cells, column = self._cells, self._cells.column(number)
            ordered = isinstance(column.dtype, pd.CategoricalDtype) and column.dtype.ordered
            if is_number(cells, number):
                self._read[number] = _centred(numbers(cells, number))
            elif ordered:
                codes = column.cat.codes.to_numpy()
                self._read[number] = _centred(np.where(codes < 0, np.nan, rankdata(codes)))
            else:
                self._read[number] = pd.factorize(pd.Series(column))[0]
        return self._read[number]


def _of_target(y: pd.Series) -> NDArray[Any]:
    if is_classes(y):
        return pd.factorize(y)[0]
    return _centred(y.to_numpy(dtype=np.float64, na_value=np.nan))


def _centred(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Take the mean away; a hole counts as the mean, a constant column is all 0."""
    holes = np.isnan(values)
    known = values[~holes] if holes.any() else values
    if not known.size or known.min() == known.max():
        return np.zeros(len(values))
    centred = values - known.mean()
    centred[holes] = 0.0
    return centred


def _association(a: NDArray[Any], b: NDArray[Any]) -> float:
    floats = [column.dtype.kind == "f" for column in (a, b)]
    if all(floats):
        scale = float(np.sqrt(a @ a) * np.sqrt(b @ b))
        return abs(float(a @ b)) / scale if scale else 0.0
    if any(floats):
        return _eta(a, b) if floats[0] else _eta(b, a)
    return _cramer(a, b)


def _eta(z: NDArray[np.float64], codes: NDArray[Any]) -> float:
    """Share of the spread that lies between groups, as a root."""
    known = codes >= 0
    z, codes = z[known], codes[known]
    if not len(z):
        return 0.0
    z = z - z.mean()
    counts = np.bincount(codes)
    sums = np.bincount(codes, weights=z)
    between = float((sums[counts > 0] ** 2 / counts[counts > 0]).sum())
    total = float(z @ z)
    return float(np.sqrt(min(between / total, 1.0))) if total else 0.0


def _cramer(a: NDArray[Any], b: NDArray[Any]) -> float:
    known = (a >= 0) & (b >= 0)
    _, a = np.unique(a[known], return_inverse=True)
    _, b = np.unique(b[known], return_inverse=True)
    smaller = min(a.max(initial=0), b.max(initial=0))
    if not smaller:
        return 0.0
    rows, columns = np.bincount(a), np.bincount(b)
    cells, counts = np.unique(a.astype(np.int64) * len(columns) + b, return_counts=True)
    expected = rows[cells // len(columns)] * columns[cells % len(columns)]
    phi_squared = float((counts.astype(float) ** 2 / expected).sum()) - 1
    return float(np.sqrt(max(phi_squared, 0.0) / smaller))
