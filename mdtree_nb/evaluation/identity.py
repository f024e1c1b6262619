"""What a result depends on, written down and hashed: the key under which it is stored.

Equal keys mean equal numbers. A value that cannot be written down, such as a generator
whose state is hidden, is refused rather than left out.
"""

from __future__ import annotations

import hashlib
import json
from functools import partial
from typing import Any

import numpy as np
import pandas as pd


def digest(value: Any) -> str:
    """Hash what `plain` returned.

    Parameters
    ----------
    value : JSON-able

    Returns
    -------
    str
        32 hexadecimal digits.

    Examples
    --------
    >>> digest({"a": 1, "b": 2}) == digest({"b": 2, "a": 1}) != digest({"a": 1, "b": 2.5})
    True
    """
    return hashlib.sha256(canonical(value).encode()).hexdigest()[:32]


def canonical(value: Any) -> str:
    """Write a JSON-able value in the one way that is hashed.

    Parameters
    ----------
    value : JSON-able

    Returns
    -------
    str
    """
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def seed_of(*parts: Any) -> int:
    """Make a seed of what it belongs to, the same in every process.

    Parameters
    ----------
    *parts : JSON-able

    Returns
    -------
    int
        From 0 to 2**31 - 1.
    """
    return int(digest(list(parts))[:8], 16) % 2**31


def plain(value: Any, what: str = "value") -> Any:
    """Write a parameter down as JSON could hold it.

    Parameters
    ----------
    value : None, bool, number, str, list, dict, table, estimator or function
        Estimators and whatever else has `get_params` become their class with their
        parameters, functions their name, tables their hash.
    what : str
        What it is, for the message.

    Returns
    -------
    JSON-able

    Raises
    ------
    TypeError
        For anything else, such as a lambda or a RandomState.

    Examples
    --------
    >>> from mdtree_nb.strategies import Tspe
    >>> plain({"missing": Tspe(), "depths": (1, None)})
    {'depths': [1, None], 'missing': ['mdtree_nb.strategies.tspe.Tspe', {'scope': 'all'}]}
    """
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        return value if np.isfinite(value) else str(value)
    if isinstance(value, (list, tuple)):
        return [plain(v, what) for v in value]
    if isinstance(value, dict):
        return {str(k): plain(v, what) for k, v in sorted(value.items(), key=lambda i: str(i[0]))}
    if isinstance(value, (np.ndarray, pd.DataFrame, pd.Series)):
        return ["table", table_digest(pd.DataFrame(value))]
    if isinstance(value, partial):
        return ["partial", *(plain(v, what) for v in (value.func, value.args, value.keywords))]
    if hasattr(value, "get_params") and not isinstance(value, type):
        return [_name(type(value)), plain(value.get_params(deep=False), what)]
    if callable(value) and "<" not in getattr(value, "__qualname__", "<"):
        return _name(value)
    raise TypeError(
        f"{what} holds {value!r}, which cannot be told from another one after a restart, so "
        "results could not be found again; use numbers, text, estimators or functions of a module."
    )


def table_digest(frame: pd.DataFrame) -> str:
    """Hash the content of a table: names, and values column by column.

    Parameters
    ----------
    frame : DataFrame of shape (n, p)

    Returns
    -------
    str
    """
    found = hashlib.sha256(repr((frame.shape, [str(c) for c in frame.columns])).encode())
    for f in range(frame.shape[1]):
        column = frame.iloc[:, f]
        if pd.api.types.is_numeric_dtype(column.dtype):
            values = column.to_numpy(dtype=np.float64, na_value=np.nan)
            values = np.where(np.isnan(values), np.nan, values)  # one pattern of bits
            found.update(np.ascontiguousarray(values).tobytes())
        else:
            known = column.notna()
            cells = [str(v) if k else None for v, k in zip(column, known, strict=True)]
            found.update(json.dumps(cells).encode())
    return found.hexdigest()[:32]


def _name(thing: Any) -> str:
    return f"{thing.__module__}.{thing.__qualname__}"
