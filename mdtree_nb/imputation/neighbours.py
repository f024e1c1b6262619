"""The nearest training rows for every hole of a table.

Called by `strategies/knn.py`. The search itself is compiled: `tree/kernels/neighbours.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..schema import Schema
from ..table import Table
from ..tree.kernels import read_only
from ..tree.kernels.neighbours import nearest
from .fills import check_fills, column_fills, mean_of

Floats = NDArray[np.float64]
BLOCK = 2048  # training rows whose distances are held at a time
MOST = 2**20  # neighbours that are held at a time


class Found(NamedTuple):
    """Neighbours of some holes.

    Attributes
    ----------
    rows, columns : ndarray of shape (c,)
        Where the holes are.
    values : ndarray of shape (c, k)
        What the neighbours know there, the nearest first.
    weight : ndarray of shape (c, k)
        Of the neighbours; 0 where there are fewer than k.
    """

    rows: NDArray[np.intp]
    columns: NDArray[np.intp]
    values: Floats
    weight: Floats


def learn_donors(table: Table, w: Floats | None, scale: bool) -> dict[str, Any]:
    """Keep what a search for neighbours needs of the training rows.

    Parameters
    ----------
    table : Table
        Of finite numbers.
    w : ndarray of shape (n,) or None
    scale : bool
        Divide numbers by their (weighted) standard deviation? Then columns of a single value
        count for nothing.

    Returns
    -------
    dict
        `donors` of shape (p, n), rows in the order of their content, so that ties do not
        depend on the order of the table; `weight` of shape (n,); `factor` of shape (p,);
        `fills` and `empty`, see `column_fills`.
    """
    order = content_order(table.values)
    values = table.values[order]
    weight = np.ones(len(order)) if w is None else w[order] / w.max()
    factor = np.ones(table.schema.n_features)
    if scale:
        for f in np.flatnonzero(~table.schema.is_category):
            known = ~np.isnan(values[:, f])
            factor[f] = _one_over_sd(values[known, f], weight[known])
    fills, empty = column_fills(table, w, mean_of)
    return {
        "donors": np.ascontiguousarray(values.T),
        "weight": weight,
        "factor": factor,
        "fills": fills,
        "empty": empty,
    }


def check_donors(state: dict[str, Any], schema: Schema) -> None:
    """Refuse a state that `neighbours` could not use; it may come out of a file.

    Parameters
    ----------
    state : dict
    schema : Schema

    Raises
    ------
    ValueError
    """
    check_fills(state, schema)
    for name in ("donors", "weight", "factor"):
        if not isinstance(state.get(name), np.ndarray) or state[name].dtype != np.float64:
            raise ValueError(f"{name}: it needs an array of float64")
    donors, weight, factor = state["donors"], state["weight"], state["factor"]
    p = schema.n_features
    n = weight.size
    if donors.shape != (p, n) or weight.shape != (n,) or factor.shape != (p,) or not n:
        raise ValueError("donors, weight and factor do not have one shape")
    if np.isinf(donors).any() or not ((weight > 0) & np.isfinite(weight)).all():
        raise ValueError("donors are finite or missing, their weights finite and above 0")
    if not ((factor >= 0) & np.isfinite(factor)).all():
        raise ValueError("factors are finite and not below 0")
    for its, levels, name in zip(donors, schema.levels, schema.names, strict=True):
        codes = its[~np.isnan(its)]
        if levels is not None and not np.isin(codes, np.arange(len(levels))).all():
            raise ValueError(f"column {name!r} has a level that is none")


def neighbours(table: Table, state: dict[str, Any], k: int) -> Iterator[Found]:
    """Find the k nearest training rows of every hole, some rows at a time.

    Parameters
    ----------
    table : Table
    state : dict
        From `learn_donors`.
    k : int

    Yields
    ------
    Found
    """
    donors, factor = read_only(state["donors"]), read_only(state["factor"])
    k = min(k, donors.shape[1])
    holes = np.isnan(table.values)
    incomplete = np.flatnonzero(holes.any(axis=1))
    each = max(1, MOST // (k * table.schema.n_features))
    for first in range(0, len(incomplete), each):
        rows = incomplete[first : first + each]
        place, columns = np.nonzero(holes[rows])
        near = np.empty((len(place), k), dtype=np.int64)
        nearest(
            read_only(np.ascontiguousarray(table.values[rows])),
            donors,
            factor,
            read_only(table.schema.is_category),
            np.searchsorted(place, np.arange(len(rows) + 1)),
            columns,
            near,
            np.empty(near.shape),
            np.empty(BLOCK),
            np.empty(BLOCK),
        )
        there = near >= 0
        values = np.where(there, donors[columns[:, None], near], 0.0)
        yield Found(rows[place], columns, values, np.where(there, state["weight"][near], 0.0))


def mean_or_mode(found: Found, schema: Schema, fills: list[float]) -> Floats:
    """Weighted mean of the neighbours' numbers, or their most frequent level.

    Parameters
    ----------
    found : Found
    schema : Schema
    fills : list of float
        For holes without any neighbour.

    Returns
    -------
    ndarray of shape (c,)
    """
    out = np.array(fills)[found.columns]
    weight = found.weight.sum(axis=1)
    is_category = schema.is_category[found.columns]
    for c in np.flatnonzero(is_category & (weight > 0)):
        codes = found.values[c].astype(np.intp)
        out[c] = np.bincount(codes, found.weight[c]).argmax()
    numbers = ~is_category & (weight > 0)
    shares = found.weight[numbers] / weight[numbers, None]
    out[numbers] = _sum(shares * found.values[numbers])
    return out


def one_of(found: Found, chance: Floats, fills: list[float]) -> Floats:
    """One neighbour's value per hole, each as likely as its weight says.

    Parameters
    ----------
    found : Found
    chance : ndarray of shape (c,)
        In (0, 1), one per hole.
    fills : list of float
        For holes without any neighbour.

    Returns
    -------
    ndarray of shape (c,)
    """
    upto = np.cumsum(found.weight, axis=1)
    place = (upto < (chance * upto[:, -1])[:, None]).sum(axis=1)
    values = np.take_along_axis(found.values, place[:, None], axis=1)[:, 0]
    return np.where(upto[:, -1] > 0, values, np.array(fills)[found.columns])


def content_order(values: Floats) -> NDArray[np.intp]:
    """Order rows by what they hold, so that nothing depends on the order of a table.

    Parameters
    ----------
    values : ndarray of shape (n, p)

    Returns
    -------
    ndarray of shape (n,)
    """
    return np.lexsort(values.T[::-1])


def _one_over_sd(known: Floats, weight: Floats) -> float:
    """0 for a column whose values are all the same, or that has none."""
    if not len(known) or known.min() == known.max():
        return 0.0
    largest = np.abs(known).max()
    scaled = known / largest  # squares of 1e200 overflow
    centre = np.average(scaled, weights=weight)
    sd = np.sqrt(np.average((scaled - centre) ** 2, weights=weight)) * largest
    with np.errstate(over="ignore"):
        factor = float(1 / sd) if sd > 0 else 0.0
    return factor if np.isfinite(factor) else 0.0


def _sum(values: Floats) -> Floats:
    """Sums of the rows, one column after the other: the same whatever other rows there are."""
    out = np.zeros(len(values))
    for column in values.T:
        out += column
    return out
