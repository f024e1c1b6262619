"""Count what is missing where, and together with what."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from ..normal import group_patterns

_BY = ("column", "pattern", "pair")


def missing_summary(X: Any, *, by: str = "column") -> pd.DataFrame:
    """Count the missing values of each column, each pattern, or each pair of columns.

    Parameters
    ----------
    X : DataFrame or array-like of shape (n, p)
    by : {"column", "pattern", "pair"}, default="column"

    Returns
    -------
    DataFrame
        By column: one line each, most holes first (columns with as many stay in order):
        `missing` and `share` of missing cells, `distinct` known values, `kind` (numeric
        or category).
        By pattern: one line for each set of columns that are missing together, the most
        frequent first: number of `rows` with exactly this set and their `share`, how
        many are `missing`, and which `columns`.
        By pair: one line for each two incomplete columns, `first` and `second`, those that
        are most often missing together first: rows that miss `both`, `only_first`,
        `only_second`, and the correlation `phi` of the two indicators.
        Its `attrs` hold the totals: `rows`, `columns`, `cells_missing`, `share_missing`,
        `complete_rows` and `complete_columns`.

    Raises
    ------
    ValueError
        For another value of `by`.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[1.0, np.nan], [2.0, 5.0]])
    >>> missing_summary(X)
       missing  share  distinct     kind
    1        1    0.5         1  numeric
    0        0    0.0         2  numeric
    >>> missing_summary(X, by="pattern")
       rows  share  missing columns
    0     1    0.5        0      ()
    1     1    0.5        1    (1,)
    """
    if by not in _BY:
        raise ValueError(f"by={by!r} is not known; choose {', '.join(map(repr, _BY))}.")
    frame = X if isinstance(X, pd.DataFrame) else pd.DataFrame(X)
    holes = np.asarray(frame.isna())
    counts = {"column": _columns, "pattern": _patterns, "pair": _pairs}
    summary = counts[by](frame, holes)
    summary.attrs = {
        "rows": len(frame),
        "columns": frame.shape[1],
        "cells_missing": int(holes.sum()),
        "share_missing": float(holes.mean()) if frame.size else 0.0,
        "complete_rows": int((~holes.any(axis=1)).sum()),
        "complete_columns": int((~holes.any(axis=0)).sum()),
    }
    return summary


def count_patterns(holes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Count which columns are missing together, the most frequent pattern first.

    Parameters
    ----------
    holes : ndarray of shape (n, p), bool

    Returns
    -------
    patterns : ndarray of shape (k, p), bool
        Of equally frequent ones those with fewer holes come first.
    rows : ndarray of shape (k,)
    """
    patterns, group = group_patterns(holes)
    rows = np.bincount(group, minlength=len(patterns))
    order = np.lexsort((patterns.sum(axis=1), -rows))
    return patterns[order], rows[order]


def _columns(frame: pd.DataFrame, holes: np.ndarray) -> pd.DataFrame:
    summary = pd.DataFrame(
        {
            "missing": holes.sum(axis=0),
            "share": holes.mean(axis=0) if len(holes) else np.zeros(frame.shape[1]),
            "distinct": [frame.iloc[:, f].nunique() for f in range(frame.shape[1])],
            "kind": [
                "numeric" if pd.api.types.is_numeric_dtype(dtype) else "category"
                for dtype in frame.dtypes
            ],
        },
        index=frame.columns,
    )
    return summary.sort_values("missing", ascending=False, kind="stable")


def _patterns(frame: pd.DataFrame, holes: np.ndarray) -> pd.DataFrame:
    patterns, rows = count_patterns(holes)
    names = [tuple(frame.columns[np.flatnonzero(pattern)]) for pattern in patterns]
    return pd.DataFrame(
        {
            "rows": rows,
            "share": rows / max(len(holes), 1),
            "missing": patterns.sum(axis=1),
            "columns": pd.Series(names, dtype=object),
        }
    )


def _pairs(frame: pd.DataFrame, holes: np.ndarray) -> pd.DataFrame:
    incomplete = np.flatnonzero(holes.any(axis=0))
    indicators = holes[:, incomplete].astype(np.float64)
    both, single, n = indicators.T @ indicators, indicators.sum(axis=0), max(len(holes), 1)
    a, b = np.triu_indices(len(incomplete), k=1)
    spread = np.sqrt(single * (n - single))
    with np.errstate(invalid="ignore", divide="ignore"):  # an empty column has no phi
        phi = (n * both[a, b] - single[a] * single[b]) / (spread[a] * spread[b])
    names = frame.columns[incomplete]
    table = pd.DataFrame(
        {
            "first": names[a],
            "second": names[b],
            "both": both[a, b].astype(int),
            "only_first": (single[a] - both[a, b]).astype(int),
            "only_second": (single[b] - both[a, b]).astype(int),
            "phi": phi,
        }
    )
    return table.sort_values("both", ascending=False, kind="stable", ignore_index=True)
