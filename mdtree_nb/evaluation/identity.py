"""What a result depends on, written down and hashed: the key under which it is stored.

Equal keys mean equal numbers. A value that cannot be written down, such as a generator
whose state is hidden, is refused rather than left out.
"""

from __future__ import annotations

import hashlib
import json
from functools import partial
from types import ModuleType
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
        parameters, functions their name, tables their hash and that of their index.
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
        return value if np.isfinite(value) else ["float", str(value)]
    if isinstance(value, (list, tuple)):
        return [plain(v, what) for v in value]
    if isinstance(value, dict):
        if all(isinstance(k, str) for k in value):
            return {k: plain(value[k], what) for k in sorted(value)}
        pairs = [[plain(k, what), plain(v, what)] for k, v in value.items()]
        return ["dict", *sorted(pairs, key=canonical)]  # 1 and "1" are two keys
    if isinstance(value, np.ndarray):
        return ["array", list(value.shape), table_digest(pd.DataFrame({"": value.ravel()}))]
    if isinstance(value, (pd.DataFrame, pd.Series)):
        return ["table", type(value).__name__, table_digest(pd.DataFrame(value)), row_names(value)]
    if isinstance(value, partial):
        return ["partial", *(plain(v, what) for v in (value.func, value.args, value.keywords))]
    if hasattr(value, "get_params") and not isinstance(value, type):
        return [_name(type(value)), plain(value.get_params(deep=False), what)]
    if callable(value) and "<" not in getattr(value, "__qualname__", "<"):
        owner = getattr(value, "__self__", None)  # a method depends on what it is bound to
        of = [] if owner is None or isinstance(owner, ModuleType) else [plain(owner, what)]
        return ["function", _name(value), *of]
    raise TypeError(
        f"{what} holds {value!r}, which cannot be told from another one after a restart, so "
        "results could not be found again; use numbers, text, estimators or functions of a module."
    )


def table_digest(frame: pd.DataFrame) -> str:
    """Hash the content of a table: names and types, and values column by column.

    Parameters
    ----------
    frame : DataFrame of shape (n, p)

    Returns
    -------
    str
        The same whatever the rows are called and however memory is laid out.

    Raises
    ------
    TypeError
        For values that say nothing of themselves.
    """
    names = [[_name(type(c)), str(c)] for c in frame.columns]
    found = hashlib.sha256(canonical([frame.shape, names]).encode())
    for f in range(frame.shape[1]):
        found.update(_column_digest(frame.iloc[:, f]))
    return found.hexdigest()[:32]


def row_names(frame: Any) -> str:
    """Hash what the rows of a table are called.

    Parameters
    ----------
    frame : DataFrame or Series of n rows

    Returns
    -------
    str
    """
    return table_digest(pd.DataFrame({"": frame.index.to_numpy()}))


def _column_digest(column: Any) -> bytes:
    """Hash a column with all that may change what is made of it."""
    dtype = column.dtype
    found = hashlib.sha256(str(dtype).encode())  # with its unit and its time zone
    if isinstance(dtype, pd.CategoricalDtype):
        found.update(canonical(bool(dtype.ordered)).encode())
        found.update(_column_digest(pd.Series(dtype.categories)))  # all levels, in their order
        column = column.cat.codes
    if isinstance(column.dtype, np.dtype) and column.dtype.kind in "biufc":
        values = column.to_numpy()
        values = np.where(np.isnan(values), np.nan, values) if values.dtype.kind in "fc" else values
        found.update(np.ascontiguousarray(values).tobytes())  # NaN has one pattern of bits now
    else:
        found.update(canonical([_cell(v) for v in column]).encode())
    return found.digest()


def _cell(value: Any) -> list[str]:
    """Write a value down so that 1, 1.0, True and "1" differ."""
    kind: Any = type(value)
    if kind.__str__ is object.__str__ and kind.__repr__ is object.__repr__:
        raise TypeError(
            f"a table holds {value!r}, which cannot be told from another one after a restart, so "
            "results could not be found again; use numbers, text, categories or dates."
        )
    return [_name(kind), str(value)]


def _name(thing: Any) -> str:
    return f"{thing.__module__}.{thing.__qualname__}"
