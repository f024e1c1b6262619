"""Turn drivers into standard scores: what a mechanism looks at.

A driver is a column that decides which values go missing. Numbers are standardised; a
category needs an order that somebody chose. A hole in a driver counts as its median, for
scoring only. What is learned on the training rows reads later rows alike.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from .cells import Cells

ORDERS = ("frequency", "target", "random")
MOST_CLASSES = 20  # whole numbers with more different values are numbers, not classes


@dataclass(frozen=True)
class Score:
    """How one driver becomes a number.

    Attributes
    ----------
    column : int
    place : dict or None
        For a category: the place of each level in the chosen order.
    median, mean, spread : float
        Of the known training values; a spread of 0 = constant.
    """

    column: int
    place: dict[Any, float] | None
    median: float
    mean: float
    spread: float

    def of(self, cells: Cells) -> NDArray[np.float64]:
        """Standardise the driver of some rows; holes and unseen levels count as the median."""
        values = numbers(cells, self.column, self.place)
        return _standard(values, self.median, self.mean, self.spread)


@dataclass(frozen=True)
class Ordering:
    """How levels of categories are put in order.

    Attributes
    ----------
    how : {"frequency", "target", "random"}, dict or None
        A dict holds the levels of each column, lowest first.
    y : Series or None
    rng : Generator
    """

    how: Any
    y: pd.Series | None
    rng: np.random.Generator

    def check(self) -> None:
        """Refuse what is no order, and an order by a target that is not there."""
        if not (self.how is None or isinstance(self.how, Mapping) or self.how in ORDERS):
            raise ValueError(
                f"order={self.how!r} is not known; choose 'frequency', 'target' or 'random', or "
                "pass a dict from column to its levels, lowest first."
            )
        if isinstance(self.how, str) and self.how == "target" and self.y is None:
            raise ValueError("order='target' orders levels by the mean of y; pass y.")

    def levels(self, cells: Cells, number: int) -> list[Any]:
        """Levels of a category, lowest first."""
        name, column = cells.names[number], cells.column(number)
        if isinstance(self.how, Mapping) and name in self.how:
            levels = list(self.how[name])
            lacking = set(column.dropna()) - set(levels)
            if lacking:
                raise ValueError(f"order={{{name!r}: ...}} lacks the level {lacking.pop()!r}.")
            return levels
        if isinstance(column.dtype, pd.CategoricalDtype) and column.dtype.ordered:
            return list(column.dtype.categories)
        counts = column.value_counts()
        counts = counts[counts > 0]
        if len(counts) == cells.shape[0] > 1:
            raise ValueError(
                f"column {name!r} has another level in each of {len(counts)} rows, so it is an "
                "id and cannot drive anything; name other drivers."
            )
        if self.how is None or isinstance(self.how, Mapping):
            raise ValueError(
                f"column {name!r} holds categories, which have no order of their own, and is to "
                "drive what goes missing; pass order='frequency', 'target' or 'random', or "
                f"order={{{name!r}: [lowest, ..., highest]}}."
            )
        levels = sorted(counts.index, key=str)
        if self.how == "random":
            return [levels[i] for i in self.rng.permutation(len(levels))]
        by = counts if self.how == "frequency" else self._means(column)
        return sorted(levels, key=lambda level: by[level])

    def _means(self, column: pd.Series) -> pd.Series:
        """Mean of y, or share of its most frequent class, per level."""
        y = pd.Series(np.asarray(self.y), index=column.index)
        if is_classes(y):
            y = (y == y.value_counts().index[0]).astype(float)
        return y.groupby(column, observed=True).mean()


def is_classes(y: pd.Series) -> bool:
    """Tell classes from numbers: text, truth values, or few whole numbers."""
    known = y.dropna()
    if not pd.api.types.is_numeric_dtype(known) or pd.api.types.is_bool_dtype(known):
        return True
    values = known.to_numpy(dtype=float)
    return bool((values == np.rint(values)).all() and known.nunique() <= MOST_CLASSES)


def is_number(cells: Cells, number: int) -> bool:
    """Say whether a column holds numbers or truth values."""
    column = cells.column(number)
    if column.dtype != object:
        return bool(pd.api.types.is_numeric_dtype(column.dtype))
    found = pd.api.types.infer_dtype(column.dropna())
    return found in ("integer", "floating", "mixed-integer-float", "decimal", "boolean")


def learn_score(cells: Cells, number: int, ordering: Ordering) -> Score:
    """Learn how a driver becomes a number.

    Parameters
    ----------
    cells : Cells
    number : int
    ordering : Ordering

    Returns
    -------
    Score

    Raises
    ------
    ValueError
        For a category without an order, an id and a column without a known value.
    TypeError
        For dates.
    """
    name = cells.names[number]
    place = None
    if not is_number(cells, number):
        kind = getattr(cells.column(number).dtype, "kind", "O")
        if kind in "mM":
            raise TypeError(
                f"column {name!r} holds dates or durations; derive a number to drive what goes "
                "missing, such as X[name].dt.dayofyear."
            )
        place = {v: float(i) for i, v in enumerate(ordering.levels(cells, number))}
    values = numbers(cells, number, place)
    known = values[~cells.holes[:, number]]
    if not known.size:
        raise ValueError(f"column {name!r} has no known value, so it cannot drive anything.")
    if not np.isfinite(known).all():
        raise ValueError(
            f"column {name!r} has infinite values, so it cannot drive what goes missing; replace "
            "them or name other drivers."
        )
    low, high = float(known.min()), float(known.max())
    spread = float(known.std()) if low < high else 0.0
    return Score(number, place, float(np.median(known)), float(known.mean()), spread)


def numbers(
    cells: Cells, number: int, place: dict[Any, float] | None = None
) -> NDArray[np.float64]:
    """Read a column as floats, NaN = missing; levels by their place."""
    column = cells.column(number)
    if place is not None:
        return pd.Series(column).astype(object).map(place).to_numpy(dtype=np.float64)
    if not isinstance(column, pd.Series):
        return np.ascontiguousarray(column, dtype=np.float64)  # read often, so side by side
    if column.dtype == object:
        column = column.where(column.notna(), np.nan)
    return column.to_numpy(dtype=np.float64, na_value=np.nan)


def _standard(
    values: NDArray[np.float64], median: float, mean: float, spread: float
) -> NDArray[np.float64]:
    holes = np.isnan(values)
    if holes.any():
        values = np.where(holes, median, values)
    if not spread:
        return np.zeros(len(values))
    z = values - mean
    z /= spread
    return z
