"""plot_missing_bars: how many rows miss the same columns."""

from __future__ import annotations

from numbers import Integral
from typing import Any

from matplotlib import rc_context

from ..missingness import missing_summary
from .bars import NAME_ROOM, Bar, draw_bars, new_axes, percent
from .describe import set_description
from .fonts import fit_ends, heading, readable, width, write_title
from .theme import RC, dress, get_palette

_NAMES = 3  # that a bar spells out


def plot_missing_bars(
    X: Any,
    *,
    ax: Any = None,
    max_patterns: int = 12,
    title: str | None = None,
    theme: str = "light",
) -> Any:
    """Draw how many rows miss exactly the same columns, the most frequent pattern on top.

    `plot_missing_pattern` shows the same patterns as a matrix, for tables where more than a
    few columns are missing together.

    Parameters
    ----------
    X : DataFrame or array-like of shape (n, p)
    ax : matplotlib Axes or None, default=None
        None = a new figure of its own.
    max_patterns : int, default=12
        Patterns to show; the rows of the others are added up in one bar.
    title : str or None, default=None
        None = how many rows are complete.
    theme : {"light", "dark"}, default="light"

    Returns
    -------
    matplotlib Axes
        `describe_axes` lists the patterns.

    Raises
    ------
    ValueError
        For an empty table and a limit below 1.

    Examples
    --------
    >>> import numpy as np
    >>> from matplotlib.figure import Figure
    >>> from mdtree_nb import describe_axes
    >>> X = np.array([[1, np.nan], [2, np.nan], [np.nan, np.nan], [4, 4]])
    >>> print(describe_axes(plot_missing_bars(X, ax=Figure().subplots())))
    1 of 4 rows is complete; 3 patterns.
    2 rows miss 1 (50 %)
    1 row misses nothing (25 %)
    1 row misses 0, 1 (25 %)
    """
    if not isinstance(max_patterns, Integral) or isinstance(max_patterns, bool) or max_patterns < 1:
        raise ValueError(f"max_patterns={max_patterns!r} must be a whole number from 1.")
    palette = get_palette(theme)
    table = missing_summary(X, by="pattern")
    n, complete = table.attrs["rows"], table.attrs["complete_rows"]
    if not n or not table.attrs["columns"]:
        raise ValueError(f"X has shape {(n, table.attrs['columns'])}; there is nothing to count.")
    shown, rest = table[:max_patterns], table[max_patterns:]
    bars = [
        Bar(_name(columns), rows, _count(rows, n), palette.missing if columns else palette.flow)
        for rows, columns in zip(shown["rows"], shown["columns"], strict=True)
    ]
    others = f"{len(rest)} other pattern{'s' * (len(rest) > 1)}"
    if len(rest):
        left = int(rest["rows"].sum())
        bars.append(Bar(others, left, _count(left, n), palette.faint))
    finding = f"{complete} of {n} rows {'is' if complete == 1 else 'are'} complete"
    note = "rows that miss exactly these columns"
    words, is_given = heading(title, finding), ax is not None
    with rc_context(RC):
        ax = new_axes(bars, palette, words) if ax is None else ax
        dress(ax, palette)
        draw_bars(ax, bars, palette, note=note)
        write_title(ax, words, is_given)
    lines = [f"{finding}; {len(table)} pattern{'s' * (len(table) > 1)}."]
    for rows, columns in zip(shown["rows"], shown["columns"], strict=True):
        verb = "row misses" if rows == 1 else "rows miss"
        names = ", ".join(map(str, columns)) or "nothing"
        lines.append(f"{rows} {verb} {names} ({percent(rows / n)})")
    if len(rest):
        lines.append(f"{int(rest['rows'].sum())} rows have {others}")
    set_description(ax, "\n".join(lines))
    return ax


def _name(columns: tuple[Any, ...]) -> str:
    if not columns:
        return "nothing missing"
    shown = columns if len(columns) <= _NAMES else columns[: _NAMES - 1]
    more = f" + {len(columns) - len(shown)} more" if len(columns) > len(shown) else ""
    room = (NAME_ROOM - width(more)) / len(shown) - 1
    return ", ".join(fit_ends(readable(name), room) for name in shown) + more


def _count(rows: int, n: int) -> str:
    return f"{rows}  ({percent(rows / n)})"
