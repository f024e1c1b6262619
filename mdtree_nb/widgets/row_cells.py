"""One row of a table that can be edited, cell by cell.

Does not: route or predict.
"""

from __future__ import annotations

from typing import Any

import pandas as pd

from ..schema import Schema
from .base import BadValue
from .panel import cell, shorten

MOST_CELLS, MOST_LEVELS = 40, 24


class RowCells:
    """A row, as the model's columns want it.

    Parameters
    ----------
    schema : Schema
    frame : DataFrame or None
        Where rows come from; None = from nowhere, every value starts missing.
    """

    def __init__(self, schema: Schema, frame: pd.DataFrame | None, labels: list[Any]):
        self.schema, self.frame, self.labels = schema, frame, labels
        self.line = self.original = self._from(None)

    def _from(self, row: int | None) -> pd.DataFrame:
        if self.frame is None or row is None:
            line = pd.DataFrame([[None] * len(self.labels)], columns=self.labels, dtype=object)
        else:
            line = self.frame.iloc[[row]].astype(object).reset_index(drop=True)
        numeric = [
            label for label, words in zip(line, self.schema.levels, strict=True) if not words
        ]
        return line.astype(dict.fromkeys(numeric, float))  # which is read fastest

    def take(self, row: int | None) -> None:
        """Begin again with a row of the table."""
        self.original = self._from(row)
        self.line = self.original.copy()

    def place(self, column: Any) -> int:
        """Number of a column, by its label or its name."""
        for names in (self.labels, list(self.schema.names)):
            if column in names:
                return names.index(column)
        known = ", ".join(map(repr, self.schema.names[:12]))
        more = ", ..." if len(self.schema.names) > 12 else ""
        raise BadValue(f"column={column!r} is not a column of the model; choose {known}{more}.")

    def put(self, place: int, value: Any) -> pd.DataFrame:
        """The row with another value in one cell; None, NaN, "" and "?" are missing values.

        Parameters
        ----------
        place : int
        value : object

        Returns
        -------
        DataFrame

        Raises
        ------
        ValueError
            For text in a column of numbers.
        """
        read = self._read(place, value)
        if read is None and self.schema.levels[place] is None:
            read = float("nan")
        line = self.line.copy()
        line.iloc[0, place] = read
        return line

    def _read(self, place: int, value: Any) -> Any:
        if value is None or (pd.api.types.is_scalar(value) and pd.isna(value)):
            return None
        if isinstance(value, str) and value.strip() in ("", "?"):
            return None
        levels = self.schema.levels[place]
        if levels is not None:
            return next((level for level in levels if str(level) == str(value)), value)
        try:
            return float(str(value).replace("−", "-"))
        except ValueError:
            name = self.schema.names[place]
            raise BadValue(
                f"{name}={value!r} must be a number, or empty for a missing value."
            ) from None

    def cells(self, asked: list[int]) -> list[list[Any]]:
        """Number, name, value, original value and levels of some columns, for the page."""
        lines: list[list[Any]] = []
        for f in asked[:MOST_CELLS]:
            levels = self.schema.levels[f]
            few = None
            if levels is not None and len(levels) <= MOST_LEVELS:
                few = [shorten(level, 40) for level in levels]
            now, before = cell(self.line.iat[0, f]), cell(self.original.iat[0, f])
            name = shorten(self.schema.names[f])
            lines.append([f, name, now, int(now != before), levels is None, few])
        return lines
