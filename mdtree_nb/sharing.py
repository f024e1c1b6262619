"""What several fits on one table have in common, done once: reading, encoding, preparing.

Only within `sharing(...)`, which a comparison opens for each fold, and only for the tables
that are named there: any other table may change between two calls.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from typing import Any

import joblib
import numpy as np


class _Shared:
    """Tables that do not change, and what was made of them; all kept, so that ids stay theirs."""

    def __init__(self, tables: tuple[Any, ...]) -> None:
        self.tables = {id(table): table for table in tables}
        self.found: dict[Any, tuple[Any, Any]] = {}


_NOW: ContextVar[_Shared | None] = ContextVar("shared tables", default=None)


@contextmanager
def sharing(*tables: Any) -> Iterator[None]:
    """Read, encode and prepare these tables once, however many estimators ask for it.

    Parameters
    ----------
    *tables : DataFrame or ndarray
        That nobody changes meanwhile.
    """
    token = _NOW.set(_Shared(tables))
    try:
        yield
    finally:
        _NOW.reset(token)


def shared(function: Callable[..., Any]) -> Callable[..., Any]:
    """Make a function of a table, and of other objects, return what it returned before.

    Parameters
    ----------
    function : callable
        Its first argument is the table.

    Returns
    -------
    callable
    """

    @wraps(function)
    def once(table: Any, *others: Any) -> Any:
        now = _NOW.get()
        if now is None or id(table) not in now.tables:
            return function(table, *others)
        key = (function, id(table), *map(id, others))
        if key not in now.found:
            made = function(table, *others)
            now.found[key] = (others, made)
            now.tables[id(made)] = made
        return now.found[key][1]

    return once


def prepare(strategy: Any, table: Any, y: Any, w: Any, rng: np.random.RandomState) -> Any:
    """Let a strategy prepare a training table, or take what an equal strategy made of it.

    Parameters
    ----------
    strategy : Strategy
    table : Table
    y, w : ndarray or None
    rng : RandomState
        What draws from it is not shared.

    Returns
    -------
    Prepared
    """
    now = _NOW.get()
    if now is None or id(table) not in now.tables:
        return strategy.prepare(table, y, w, rng)
    key = (id(table), joblib.hash((type(strategy), strategy.get_params(), y, w)))
    if key in now.found:
        return now.found[key][1]
    before = rng.get_state(legacy=False)["state"]
    made = strategy.prepare(table, y, w, rng)
    after = rng.get_state(legacy=False)["state"]
    if before["pos"] == after["pos"] and np.array_equal(before["key"], after["key"]):
        now.found[key] = (None, made)
    return made
