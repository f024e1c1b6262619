"""Rows that candidates, imputers and mechanisms are lent: a copy for what others wrote.

Something like `SimpleImputer(copy=False)` changes the table that it is given, and everything
after it would see another one. This package's own estimators change none, and know tables that
were prepared before by their identity, so these get the table itself.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd


def is_own(thing: Any) -> bool:
    """Tell whether an object's class is of this package, which changes no table given to it.

    Parameters
    ----------
    thing : object

    Returns
    -------
    bool
    """
    return type(thing).__module__.partition(".")[0] == __name__.partition(".")[0]


def lend(to: Any, rows: Any) -> Any:
    """Hand out rows or labels.

    Parameters
    ----------
    to : object
        Who gets them.
    rows : DataFrame or ndarray of n rows

    Returns
    -------
    DataFrame or ndarray
    """
    return rows if is_own(to) else copy_of(rows)


def copy_of(rows: Any) -> Any:
    """Copy rows or labels, with their order in memory.

    Parameters
    ----------
    rows : DataFrame or ndarray of n rows

    Returns
    -------
    DataFrame or ndarray
        `DataFrame.copy` would turn columns into rows in memory, which changes the last digits
        of a sum, and with them which of two neighbours is the nearer one.
    """
    if not isinstance(rows, pd.DataFrame):
        return rows.copy(order="K")
    backwards = np.arange(len(rows))[::-1]  # a selection of all rows as they are is no copy
    return rows.iloc[backwards].iloc[backwards]
