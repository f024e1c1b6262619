"""One value per column for its holes, learned from the training rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..schema import Schema
from ..table import Table
from ..tree.prepared import StrategyNotApplicable

Rule = Callable[[NDArray[np.float64], "NDArray[np.float64] | None"], float]


def check_finite(table: Table, strategy: str) -> None:
    """Refuse infinities, with which nothing can be averaged or compared.

    Parameters
    ----------
    table : Table
    strategy : str
        Its name, for the message.

    Raises
    ------
    StrategyNotApplicable
    """
    for f, name in enumerate(table.schema.names):
        if np.isinf(table.values[:, f]).any():
            raise StrategyNotApplicable(
                f"missing={strategy!r} needs finite values, but column {name!r} holds an infinity; "
                "choose another strategy or make it a number or a missing value."
            )


def column_fills(
    table: Table, w: NDArray[np.float64] | None, rule: Rule
) -> tuple[list[float], list[str]]:
    """Find a fill for every column: by `rule` for numbers, the mode for categories.

    Parameters
    ----------
    table : Table
        Of finite numbers.
    w : ndarray of shape (n,) or None
    rule : callable
        Makes one number of known values and their weights.

    Returns
    -------
    fills : list of float
        0 for a column without any known value; of modes that are equally frequent the first.
    empty : list of str
        Names of columns without any known value.
    """
    fills, empty = [], []
    for f, levels in enumerate(table.schema.levels):
        column = table.values[:, f]
        known = ~np.isnan(column)
        weights = None if w is None else w[known]
        if not known.any():
            empty.append(table.schema.names[f])
            fills.append(0.0)
        elif levels is None:
            fills.append(rule(column[known], weights))
        else:
            fills.append(float(np.bincount(column[known].astype(np.intp), weights).argmax()))
    return fills, empty


def mean_of(known: NDArray[np.float64], weights: NDArray[np.float64] | None) -> float:
    """Weighted mean, also where the sum would overflow.

    Parameters
    ----------
    known : ndarray of shape (n,)
    weights : ndarray of shape (n,) or None

    Returns
    -------
    float
    """
    with np.errstate(over="ignore"):
        mean = float(np.average(known, weights=weights))
    if not np.isfinite(mean):  # the sum of values of 1e308 overflows, their mean does not
        scale = np.abs(known).max()
        mean = float(np.average(known / scale, weights=weights) * scale)
    return mean


def fill_holes(table: Table, fills: list[float]) -> Table:
    """Put one value per column into its holes.

    Parameters
    ----------
    table : Table
    fills : list of float

    Returns
    -------
    Table
    """
    values = np.where(np.isnan(table.values), np.array(fills), table.values)
    return table.replace(np.asfortranarray(values))


def check_fills(state: dict[str, Any], schema: Schema) -> None:
    """Ask a state for one finite number per column, or the number of one of its levels.

    Parameters
    ----------
    state : dict
    schema : Schema

    Raises
    ------
    ValueError
    """
    fills = state.get("fills")
    if not isinstance(fills, list) or len(fills) != schema.n_features:
        raise ValueError("it needs one fill per column")
    for fill, levels, name in zip(fills, schema.levels, schema.names, strict=True):
        fits = type(fill) in (int, float) and bool(np.isfinite(fill))
        if fits and levels is not None:
            fits = fill == int(fill) and 0 <= fill < max(len(levels), 1)
        if not fits:
            raise ValueError(f"{fill!r} is no fill of column {name!r}")
