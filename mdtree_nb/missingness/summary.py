"""Count what is missing where."""

from __future__ import annotations

from typing import Any

import pandas as pd


def missing_summary(X: Any) -> pd.DataFrame:
    """Count the missing values of each column.

    Parameters
    ----------
    X : DataFrame or array-like of shape (n, p)

    Returns
    -------
    DataFrame
        One line per column, most holes first (columns with as many stay in order):
        `missing` and `share` of missing cells, `distinct` known values, `kind` (numeric
        or category). Its `attrs` hold the totals: `rows`, `columns`, `cells_missing`,
        `share_missing`, `complete_rows` and `complete_columns`.

    Examples
    --------
    >>> import numpy as np
    >>> missing_summary(np.array([[1.0, np.nan], [2.0, 5.0]]))
       missing  share  distinct     kind
    1        1    0.5         1  numeric
    0        0    0.0         2  numeric
    """
    frame = X if isinstance(X, pd.DataFrame) else pd.DataFrame(X)
    is_missing = frame.isna()
    counts = is_missing.sum()
    summary = pd.DataFrame(
        {
            "missing": counts,
            "share": is_missing.mean(),
            "distinct": [frame.iloc[:, f].nunique() for f in range(frame.shape[1])],
            "kind": [
                "numeric" if pd.api.types.is_numeric_dtype(dtype) else "category"
                for dtype in frame.dtypes
            ],
        },
        index=frame.columns,
    )
    summary = summary.sort_values("missing", ascending=False, kind="stable")
    summary.attrs = {
        "rows": len(frame),
        "columns": frame.shape[1],
        "cells_missing": int(counts.sum()),
        "share_missing": float(counts.sum() / frame.size) if frame.size else 0.0,
        "complete_rows": int((~is_missing.any(axis=1)).sum()),
        "complete_columns": int((counts == 0).sum()),
    }
    return summary
