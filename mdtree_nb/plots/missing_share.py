"""plot_missing_share: how much of each column is missing."""

from __future__ import annotations

from numbers import Integral
from typing import Any

from matplotlib import rc_context

from ..missingness import missing_summary
from .bars import Bar, draw_bars, new_axes, percent
from .describe import set_description
from .fonts import heading, write_title
from .theme import RC, dress, get_palette


def plot_missing_share(
    X: Any,
    *,
    ax: Any = None,
    max_columns: int = 30,
    title: str | None = None,
    theme: str = "light",
) -> Any:
    """Draw which share of each column is missing, most holes on top.

    A track is all rows of the table, its filled part those that miss the column.

    Parameters
    ----------
    X : DataFrame or array-like of shape (n, p)
    ax : matplotlib Axes or None, default=None
        None = a new figure of its own.
    max_columns : int, default=30
        Columns to show; the others are counted below.
    title : str or None, default=None
        None = how much of the whole table is missing.
    theme : {"light", "dark"}, default="light"

    Returns
    -------
    matplotlib Axes
        `describe_axes` lists the columns.

    Raises
    ------
    ValueError
        For an empty table and a limit below 1.

    Examples
    --------
    >>> import numpy as np
    >>> from matplotlib.figure import Figure
    >>> from mdtree_nb import describe_axes
    >>> X = np.array([[1, np.nan], [2, np.nan], [np.nan, 3], [4, 4]])
    >>> print(describe_axes(plot_missing_share(X, ax=Figure().subplots())))
    38 % of all cells are missing, in 2 of 2 columns.
    1 misses 2 of 4 rows (50 %)
    0 misses 1 of 4 rows (25 %)
    """
    if not isinstance(max_columns, Integral) or isinstance(max_columns, bool) or max_columns < 1:
        raise ValueError(f"max_columns={max_columns!r} must be a whole number from 1.")
    palette = get_palette(theme)
    table = missing_summary(X)
    total = table.attrs
    n, p = total["rows"], total["columns"]
    if not n or not p:
        raise ValueError(f"X has shape {(n, p)}; there is nothing to count.")
    incomplete = table[table["missing"] > 0]
    shown = incomplete[:max_columns]
    finding = (
        f"{percent(total['share_missing'])} of all cells are missing, in {len(incomplete)} of {p} "
        f"columns"
        if len(incomplete)
        else f"No value is missing in {n} rows and {p} columns"
    )
    bars = [
        Bar(str(name), float(share), f"{percent(share)}  ({missing})", palette.missing)
        for name, missing, share in shown[["missing", "share"]].itertuples()
    ]
    left_out = [
        f"{count} {what}"
        for count, what in (
            (p - len(incomplete), "without a hole"),
            (len(incomplete) - len(shown), "with fewer holes"),
        )
        if count
    ]
    note = f"not shown: {', '.join(left_out)}" if left_out else ""
    words, is_given = heading(title, finding), ax is not None
    with rc_context(RC):
        bars = bars or [Bar("all columns", 0.0, "0 %", palette.missing)]
        ax = new_axes(bars, palette, words) if ax is None else ax
        dress(ax, palette)
        draw_bars(ax, bars, palette, whole=1.0, note=note)
        write_title(ax, words, is_given)
    lines = [
        f"{name} misses {missing} of {n} rows ({percent(share)})"
        for name, missing, share in shown[["missing", "share"]].itertuples()
    ]
    set_description(
        ax, "\n".join([f"{finding}." + (f" {note.capitalize()}." * bool(note)), *lines])
    )
    return ax
