"""plot_importance: what each column earns, and what of it by missing values."""

from __future__ import annotations

from numbers import Integral
from typing import Any

import pandas as pd
from matplotlib import rc_context

from ..importances import importance_table
from .bars import Bar, draw_bars, new_axes, percent
from .describe import set_description
from .fonts import heading, write_title
from .theme import RC, Palette, dress, get_palette

_LEAST = 0.0005  # a part that is drawn, and said


def plot_importance(
    model: Any,
    X: Any,
    y: Any,
    *,
    sample_weight: Any = None,
    ax: Any = None,
    max_columns: int = 15,
    title: str | None = None,
    theme: str = "light",
) -> Any:
    """Draw what part of a tree's gain each column earns, and what of it by missing values.

    The hatched end of a bar is what splits earn by the rows that miss the column: by tests
    "is missing", and by where missing rows are sent. An open dashed end is what they cost:
    without them the splits of the column would earn that much more. `importance_table` has
    the numbers, and says exactly what they are.

    Parameters
    ----------
    model : fitted MDTreeClassifier or MDTreeRegressor
    X : DataFrame or array-like of shape (n, p)
        The training table.
    y : array-like of shape (n,)
        Its labels.
    sample_weight : array-like of shape (n,) or None, default=None
        Its weights.
    ax : matplotlib Axes or None, default=None
        None = a new figure of its own.
    max_columns : int, default=15
        Columns to show; the others are added up in one bar.
    title : str or None, default=None
        None = what missing values earn in the whole tree.
    theme : {"light", "dark"}, default="light"

    Returns
    -------
    matplotlib Axes
        `describe_axes` lists the columns.

    Raises
    ------
    TypeError, ValueError
        As `importance_table`, for a limit below 1, and for a theme that is not known.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from mdtree_nb import MDTreeClassifier, describe_axes
    >>> X = [[1.0], [2.0], [3.0], [4.0], [float("nan")], [float("nan")]]
    >>> y = ["a", "a", "b", "b", "b", "b"]
    >>> tree = MDTreeClassifier().fit(X, y)
    >>> print(describe_axes(plot_importance(tree, X, y, ax=Figure().subplots())))
    Missing values earn 25 % of what this tree gains.
    x0 earns 100 %, 25 % by missing values; missing in 1 of 1 split
    """
    if not isinstance(max_columns, Integral) or isinstance(max_columns, bool) or max_columns < 1:
        raise ValueError(f"max_columns={max_columns!r} must be a whole number from 1.")
    palette = get_palette(theme)
    table = importance_table(model, X, y, sample_weight)
    used = table[table["splits"] > 0]
    shown, rest = used[:max_columns], used[max_columns:]
    if len(rest):
        others = pd.DataFrame([rest.sum()], index=[f"{len(rest)} others"])
        shown = pd.concat([shown, others])
    finding = _finding(used)
    lines = [_line(str(name), *numbers) for name, *numbers in shown.itertuples()]
    unused = len(table) - len(used)
    note = _note(shown["by_missing"])
    words, is_given = heading(title, finding), ax is not None
    with rc_context(RC):
        bars = [
            Bar(str(name), max(whole, whole - part), _amount(whole, part), palette.flow)
            for name, whole, part in shown[["importance", "by_missing"]].itertuples()
        ] or [Bar("all columns", 0.0, "0 %", palette.flow)]
        widest = max(words, note, key=len)
        ax = new_axes(bars, palette, widest) if ax is None else ax
        dress(ax, palette)
        draw_bars(ax, bars, palette, note=note)
        for place, numbers in enumerate(shown[["importance", "by_missing"]].to_numpy()):
            _draw_part(ax, place, *numbers, palette)
        write_title(ax, words, is_given)
    if unused:
        lines.append(f"{unused} column{'s' * (unused > 1)} in no split")
    set_description(ax, "\n".join([f"{finding}.", *lines]))
    return ax


def _draw_part(ax: Any, place: int, whole: float, part: float, palette: Palette) -> None:
    """Draw what missing values earn, or what they cost, at the end of a bar."""
    if abs(part) < _LEAST:
        return
    low, high = place + 0.18, place + 0.82
    start, end = (whole - part, whole) if part > 0 else (whole, whole - part)
    box = ([start, end, end, start], [low, low, high, high])
    if part > 0:
        ax.fill(*box, facecolor=palette.missing, edgecolor=palette.hatch, hatch="////", lw=0)
    else:
        ax.fill(*box, facecolor=palette.paper, edgecolor=palette.missing, lw=1, ls=(0, (3, 2)))


def _finding(used: pd.DataFrame) -> str:
    if not len(used):
        return "A tree without a split earns nothing"
    part = float(used["by_missing"].sum())
    if abs(part) < _LEAST:
        return "Missing values earn nothing: this tree scores known values only"
    if part < 0:
        return f"Missing values cost {percent(-part)} of what this tree gains"
    return f"Missing values earn {percent(part)} of what this tree gains"


def _amount(whole: float, part: float) -> str:
    if abs(part) < _LEAST:
        return percent(whole)
    return f"{percent(whole)}  ({_signed(part)})"


def _signed(part: float) -> str:
    size = percent(abs(part))
    if size.startswith("<"):
        return f"{size} {'more' if part > 0 else 'less'}"
    return f"{'+' if part > 0 else chr(0x2212)}{size}"


def _note(parts: pd.Series) -> str:
    notes = ["part of all gain"]
    if (parts >= _LEAST).any():
        notes.append("hatched: by missing values")
    if (parts <= -_LEAST).any():
        notes.append("dashed: lost by them")
    return "; ".join(notes)


def _line(name: str, whole: float, part: float, met: float, splits: float) -> str:
    words = f"{name} earns {percent(whole)}"
    if part >= _LEAST:
        words += f", {percent(part)} by missing values"
    elif part <= -_LEAST:
        words += f", {percent(-part)} more without missing values"
    plural = "s" * (splits != 1)
    return f"{words}; missing in {met:.3g} of {splits:.3g} split{plural}"
