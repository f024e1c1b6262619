"""A table as a matrix of standardised numbers, and back: what models of normal columns need.

A number is one column, a category one column of 0 and 1 per level, but for its most frequent
level. Columns without two different known values are not coded; `fills` are for them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..normal import known_moments
from ..schema import Schema
from ..table import Table
from .fills import check_fills, column_fills, fill_holes, mean_of

Floats = NDArray[np.float64]
MOST_LEVELS = 30  # of a category get a column of their own


def learn_coding(table: Table, w: Floats | None) -> dict[str, Any]:
    """Say which columns the matrix has.

    Parameters
    ----------
    table : Table
        Of finite numbers.
    w : ndarray of shape (n,) or None

    Returns
    -------
    dict
        `fills` and `empty`, see `column_fills`; `feature` of each coded column, its `level`
        (-1 for a number), `base`, the level of each category that has no column of its own,
        `centre` and `scale`.
    """
    fills, empty = column_fills(table, w, mean_of)
    feature, level = [], []
    for f, levels in enumerate(table.schema.levels):
        known = table.values[:, f]
        seen = np.unique(known[~np.isnan(known)])
        if len(seen) < 2:
            continue
        if levels is None:
            feature.append(f)
            level.append(-1)
            continue
        its = ~np.isnan(known)
        counts = np.bincount(known[its].astype(np.intp), None if w is None else w[its], len(levels))
        for code in np.sort(np.argsort(-counts, kind="stable")[1 : MOST_LEVELS + 1]):
            if counts[code] > 0:
                feature.append(f)
                level.append(int(code))
    coding: dict[str, Any] = {
        "fills": fills,
        "empty": empty,
        "feature": np.array(feature, dtype=np.int64),
        "level": np.array(level, dtype=np.int64),
        "centre": np.zeros(len(feature)),
        "scale": np.ones(len(feature)),
    }
    largest = np.ones(len(feature))
    for c, f in enumerate(feature):  # squares of 1e200 would overflow
        if level[c] < 0:
            largest[c] = np.nanmax(np.abs(table.values[:, f])) or 1.0
    weight = np.ones(table.n_rows) if w is None else w / w.max()
    centre, scale = known_moments(encode(table, coding) / largest, weight)
    kept = (scale > 1e-12) & (largest > 1e-290)  # else differences are lost beside the values
    coding["feature"], coding["level"] = coding["feature"][kept], coding["level"][kept]
    coding["centre"], coding["scale"] = (centre * largest)[kept], (scale * largest)[kept]
    return coding


def encode(table: Table, coding: dict[str, Any]) -> Floats:
    """Code and standardise rows.

    Parameters
    ----------
    table : Table
    coding : dict

    Returns
    -------
    ndarray of shape (n, c)
        NaN for what is missing, and for levels without a code.
    """
    feature, level = coding["feature"], coding["level"]
    values = table.values[:, feature]
    coded = np.empty(values.shape)
    for c in range(len(feature)):
        column = values[:, c]
        if level[c] < 0:
            coded[:, c] = column
            continue
        its = {*level[feature == feature[c]].tolist(), int(coding["fills"][feature[c]])}
        coded[:, c] = np.where(np.isin(column, list(its)), column == level[c], np.nan)
    return (coded - coding["centre"]) / coding["scale"]


def decode(coded: Floats, table: Table, coding: dict[str, Any]) -> Table:
    """Fill the holes of a table from a completed matrix.

    Parameters
    ----------
    coded : ndarray of shape (n, c)
    table : Table
        With holes.
    coding : dict

    Returns
    -------
    Table
        A category gets the level with the largest value, where that of the most frequent one
        is 1 less the others'; of equals the most frequent one.
    """
    feature, level, fills = coding["feature"], coding["level"], coding["fills"]
    values = np.array(fill_holes(table, fills).values)
    holes = np.isnan(table.values)
    for f in np.unique(feature):
        rows, its = np.flatnonzero(holes[:, f]), np.flatnonzero(feature == f)
        found = coded[np.ix_(rows, its)] * coding["scale"][its] + coding["centre"][its]
        if level[its[0]] < 0:
            values[rows, f] = found[:, 0]
            continue
        base = 1 - found.sum(axis=1)
        best = found.argmax(axis=1)
        values[rows, f] = np.where(found.max(axis=1) > base, level[its][best], fills[f])
    return table.replace(np.asfortranarray(values))


def check_coding(state: dict[str, Any], schema: Schema) -> int:
    """Refuse a coding that does not fit the schema; it may come out of a file.

    Parameters
    ----------
    state : dict
    schema : Schema

    Returns
    -------
    int
        Number of coded columns.

    Raises
    ------
    ValueError
    """
    check_fills(state, schema)
    types = {"feature": np.int64, "level": np.int64, "centre": np.float64, "scale": np.float64}
    for name, dtype in types.items():
        array = state.get(name)
        if not isinstance(array, np.ndarray) or array.dtype != dtype or array.ndim != 1:
            raise ValueError(f"{name}: it needs a list of {np.dtype(dtype)}")
        if len(array) != len(state["feature"]) or not np.isfinite(array).all():
            raise ValueError(f"{name}: one finite number per coded column")
    if not (state["scale"] > 0).all():
        raise ValueError("scale: numbers above 0")
    for f, code in zip(state["feature"].tolist(), state["level"].tolist(), strict=True):
        levels = schema.levels[f] if 0 <= f < schema.n_features else ()
        if not (code == -1 if levels is None else 0 <= code < len(levels)):
            raise ValueError(f"column {f} has no level {code}")
    return len(state["feature"])
