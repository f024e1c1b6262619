"""What somebody asked for, checked: which columns, which drivers, how many cells.

`rate` has three meanings. "column": the share of each affected column. "cell": the share of
all cells of the table. "row": the share of rows that lose a value. What counts is what is
known before; with `count_existing` the rate includes the holes that are there already.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from numbers import Real
from typing import Any

import numpy as np
import pandas as pd

from .associations import Associations
from .cells import Cells
from .draw import count_of
from .scores import Ordering, Score, is_number, learn_score

MECHANISMS = ("MCAR", "MAR", "MNAR")
_COMPLETE = 0.3  # share of columns that stay complete when nobody says which


@dataclass
class Request:
    """A request for holes in one table.

    Attributes
    ----------
    cells : Cells
    y : Series or None
    mechanism : {"MCAR", "MAR", "MNAR"}
    rate : float
    rate_of : {"column", "cell", "row"}
    columns : list of int
        Columns that lose values.
    drivers : dict
        From a column that loses values to the list of columns that decide about it.
    row_drivers : list of int or None
        Columns that decide about rows as a whole; None = nobody said.
    ordering : Ordering
    random_ties, count_existing, keep_one, allow_full : bool
    rng : Generator
    keep : bool
        Whether later rows will come, for which something must be remembered.
    notes : dict
        What came up on the way, for the result.
    """

    cells: Cells
    y: pd.Series | None
    mechanism: str
    rate: float
    rate_of: str
    columns: list[int]
    drivers: dict[int, list[int]]
    row_drivers: list[int] | None
    ordering: Ordering
    random_ties: bool
    count_existing: bool
    keep_one: bool
    allow_full: bool
    rng: np.random.Generator
    keep: bool
    notes: dict[str, Any]
    _scores: dict[int, Score] = field(default_factory=dict)

    def score(self, column: int) -> Score:
        """Return how a driver becomes a number, learned once."""
        if column not in self._scores:
            self._scores[column] = learn_score(self.cells, column, self.ordering)
        return self._scores[column]

    def column_rate(self) -> float:
        """Share of each affected column that was asked for.

        Raises
        ------
        ValueError
            When no share of these columns is that large a share of the table.
        """
        if self.rate_of == "column":
            return self.rate
        p, affected = self.cells.shape[1], len(self.columns)
        if self.rate * p > affected * (1 + 1e-12):
            raise ValueError(
                f"rate={self.rate:g} of all cells cannot be reached by {affected} of {p} columns; "
                f"ask for at most {affected / p:.4g}, or for more columns."
            )
        return self.rate * p / affected

    def count(self, column: int, rate: float, exact: bool = True) -> float:
        """Say how many values of a column are to go.

        Parameters
        ----------
        column : int
        rate : float
        exact : bool, default=True
            False = an expected number, which need not be whole.

        Returns
        -------
        float

        Raises
        ------
        ValueError
            When nothing would be left.
        """
        n = self.cells.shape[0]
        already = int(self.cells.holes[:, column].sum())
        known = n - already
        base = n if self.count_existing else known
        asked = count_of(base, rate) if exact else base * rate
        wanted = max(0.0, asked - already) if self.count_existing else asked
        if wanted > known - 1 and not self.allow_full:
            if rate >= 1:
                raise ValueError(
                    f"rate={self.rate:g} would leave no value in column "
                    f"{self.cells.names[column]!r}; pass allow_full=True, or a rate up to "
                    f"{(base - 1) / base:.4g} of it."
                )
            wanted = max(known - 1, 0)
        return wanted

    def check_rows(self, rate: float) -> None:
        """Refuse a rate that must empty rows, for methods that treat columns one by one."""
        p = self.cells.shape[1]
        if not self.keep_one or len(self.columns) < p:
            return
        if rate > (p - 1) / p + 1e-12:
            raise ValueError(
                f"rate={self.rate:g} of all {p} columns would leave rows without any value; pass "
                f"keep_one=False, or a rate up to {(p - 1) / p:.4g}, or leave columns out."
            )


def check_rate(rate: Any, name: str = "rate") -> float:
    """Check that a rate is a number from 0 to 1."""
    if isinstance(rate, bool) or not isinstance(rate, Real):
        raise TypeError(f"{name}={rate!r} is not a number; give a share from 0 to 1.")
    value = float(rate)
    if not 0 <= value <= 1:
        raise ValueError(f"{name}={value} is not a share; give a number from 0 to 1.")
    return value


def choose_columns(cells: Cells, columns: Any, notes: dict[str, Any]) -> list[int]:
    """Columns that were named, or all that have something to lose.

    Parameters
    ----------
    cells : Cells
    columns : label, sequence of labels or None
    notes : dict
        Gets the names of columns that are left out because they are empty.

    Returns
    -------
    list of int
    """
    empty = np.asarray(cells.holes.all(axis=0))
    if columns is None:
        skipped = [cells.names[j] for j in np.flatnonzero(empty)]
        if skipped:
            notes["already_empty"] = skipped
        if empty.all():
            raise ValueError("X has no known value, so nothing can go missing.")
        return [int(j) for j in np.flatnonzero(~empty)]
    found = cells.find(columns, "columns")
    for j in found:
        if empty[j]:
            raise ValueError(f"columns={cells.names[j]!r} has no known value that could go.")
    return found


def choose_drivers(
    cells: Cells,
    mechanism: str,
    columns: list[int],
    named: bool,
    drivers: Any,
    ordering: Ordering,
) -> tuple[list[int], dict[int, list[int]]]:
    """Decide which columns lose values and which decide about them.

    Parameters
    ----------
    cells : Cells
    mechanism : {"MCAR", "MAR", "MNAR"}
    columns : list of int
        Candidates for losing values.
    named : bool
        Whether the user named them.
    drivers : label, sequence, dict, "all" or None
    ordering : Ordering

    Returns
    -------
    columns : list of int
    drivers : dict from int to list of int

    Raises
    ------
    ValueError
        When drivers do not fit the mechanism.
    """
    if mechanism == "MCAR":
        return columns, {j: [] for j in columns}
    if isinstance(drivers, Mapping):
        by_column = {
            cells.find(name, "drivers")[0]: cells.find(its, "drivers")
            for name, its in drivers.items()
        }
        columns = columns if named else list(by_column)
        lacking = [cells.names[j] for j in columns if j not in by_column]
        if lacking:
            raise ValueError(f"drivers says nothing about column {lacking[0]!r}.")
        by_column = {j: by_column[j] for j in columns}
    elif drivers is not None and not (isinstance(drivers, str) and drivers == "all"):
        found = cells.find(drivers, "drivers")
        if mechanism == "MAR" and not named:
            columns = [j for j in columns if j not in found]
        by_column = {j: found for j in columns}
    elif mechanism == "MNAR":
        every = usable(cells, ordering) if drivers == "all" else []
        by_column = {j: every or [j] for j in columns}
    else:
        columns, by_column = _mar_drivers(cells, columns, named, drivers, ordering)
    _check_drivers(cells, mechanism, columns, by_column)
    return columns, by_column


def usable(cells: Cells, ordering: Ordering) -> list[int]:
    """Columns that could drive: numbers and categories with an order, with known values."""
    found = []
    for j in np.flatnonzero(~cells.holes.all(axis=0)):
        if not is_number(cells, int(j)):
            try:
                ordering.levels(cells, int(j))
            except (ValueError, TypeError):
                continue
        found.append(int(j))
    return found


def _mar_drivers(
    cells: Cells, columns: list[int], named: bool, drivers: Any, ordering: Ordering
) -> tuple[list[int], dict[int, list[int]]]:
    """Choose columns that stay complete: the most associated one for each that does not."""
    able = usable(cells, ordering)
    if named:
        able = [j for j in able if j not in columns]
    elif able:
        kept = max(int(_COMPLETE * len(able)), 1)
        able = sorted(ordering.rng.choice(able, kept, replace=False).tolist())
        columns = [j for j in columns if j not in able]
    if not able or not columns:
        raise ValueError(
            "MAR needs a column that stays complete and can be put in order, to drive the "
            "others; name fewer columns, or pass order= for categories."
        )
    if drivers == "all":
        return columns, {j: able for j in columns}
    found = Associations(cells)
    return columns, {j: [max(able, key=lambda k: found.between(j, k))] for j in columns}


def _check_drivers(
    cells: Cells, mechanism: str, columns: list[int], drivers: dict[int, list[int]]
) -> None:
    losing = set(columns)
    for j in columns:
        both = [cells.names[k] for k in drivers[j] if k in losing]
        if mechanism == "MAR" and both:
            raise ValueError(
                f"drivers={both[0]!r} loses values itself; in MAR a driver stays as it was. "
                "Leave it out of columns, or choose mechanism='MNAR'."
            )
        if mechanism == "MNAR" and not both:
            raise ValueError(
                f"drivers of {cells.names[j]!r} lose no values, which is MAR; leave drivers out "
                "(a column then drives itself), or choose mechanism='MAR'."
            )
    if not columns:
        raise ValueError("every column is a driver, so none can lose values; name fewer drivers.")


def warn_constant(name: Any) -> None:
    """Say that what drives a column is constant."""
    warnings.warn(
        f"what drives {name!r} is constant, so its values go missing completely at random.",
        UserWarning,
        stacklevel=2,
    )
