"""plot_missing_pattern: which cells of a table are missing together."""

from __future__ import annotations

from numbers import Integral
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from matplotlib import rc_context
from matplotlib.collections import PolyCollection
from numpy.typing import NDArray

from ..missingness.summary import count_patterns
from .describe import set_description
from .fonts import fit_ends, heading, readable, write, write_title
from .theme import RC, Palette, dress, get_palette

_GAP = 0.12  # between cells, of their size


class Patterns(NamedTuple):
    """What is missing together in a table.

    Attributes
    ----------
    names : list of str
        Incomplete columns that are shown, most holes first.
    missing : ndarray of int
        Missing cells of each.
    cells : ndarray of shape (r, c), bool
        Patterns, the most frequent first: what is missing.
    counts : ndarray of shape (r,)
        Rows of each pattern.
    n_rows, n_complete_rows, n_patterns : int
        Patterns, shown or not.
    n_complete, n_hidden : int
        Complete columns; incomplete columns that are not shown.
    """

    names: list[str]
    missing: NDArray[np.intp]
    cells: NDArray[np.bool_]
    counts: NDArray[np.intp]
    n_rows: int
    n_complete_rows: int
    n_patterns: int
    n_complete: int
    n_hidden: int


def plot_missing_pattern(
    X: Any,
    *,
    ax: Any = None,
    max_patterns: int = 15,
    max_columns: int = 30,
    title: str | None = None,
    theme: str = "light",
) -> Any:
    """Draw which columns are missing together, and in how many rows.

    A line is a pattern, a column of cells a column of the table; dark cells are missing.
    The bar and the number at the right count the rows with exactly this pattern, the
    numbers on top the missing cells of a column.

    Parameters
    ----------
    X : DataFrame or array-like of shape (n, p)
    ax : matplotlib Axes or None, default=None
        None = a new figure of its own.
    max_patterns : int, default=15
        Patterns to show, the most frequent first; the others are counted in one line.
    max_columns : int, default=30
        Columns to show, those with most holes first; patterns are those of these columns.
    title : str or None, default=None
        None = how many rows are complete, and how many patterns there are.
    theme : {"light", "dark"}, default="light"

    Returns
    -------
    matplotlib Axes
        `describe_axes` lists the patterns.

    Raises
    ------
    ValueError
        For an empty table and for limits below 1.

    Examples
    --------
    >>> import numpy as np
    >>> from matplotlib.figure import Figure
    >>> from mdtree_nb import describe_axes
    >>> X = np.array([[1, np.nan], [2, np.nan], [np.nan, np.nan], [4, 4]])
    >>> print(describe_axes(plot_missing_pattern(X, ax=Figure().subplots())))
    1 of 4 rows are complete; 3 patterns. Missing cells: 1 3, 0 1.
    2 rows miss 1
    1 row misses nothing
    1 row misses 1, 0
    """
    for name, value in (("max_patterns", max_patterns), ("max_columns", max_columns)):
        if not isinstance(value, Integral) or isinstance(value, bool) or value < 1:
            raise ValueError(f"{name}={value!r} must be a whole number from 1.")
    palette = get_palette(theme)
    found = find_patterns(X, max_patterns, max_columns)
    words, is_given = heading(title, _finding(found)), ax is not None
    with rc_context(RC):
        if ax is None:
            ax = _new_axes(found, palette)
        dress(ax, palette)
        _draw(ax, found, palette)
        write_title(ax, words, is_given)
    set_description(ax, _in_words(found))
    return ax


def find_patterns(X: Any, max_patterns: int, max_columns: int) -> Patterns:
    """Count which columns are missing together.

    Parameters
    ----------
    X : DataFrame or array-like of shape (n, p)
    max_patterns, max_columns : int

    Returns
    -------
    Patterns

    Raises
    ------
    ValueError
        For a table without rows or columns.
    """
    frame = X if isinstance(X, pd.DataFrame) else pd.DataFrame(X)
    if not frame.size:
        raise ValueError(f"X has shape {frame.shape}; there is nothing to count.")
    holes = frame.isna().to_numpy()
    n_missing = holes.sum(axis=0)
    incomplete = int(np.count_nonzero(n_missing))
    shown = np.argsort(-n_missing, kind="stable")[: min(incomplete, max_columns)]
    cells, counts = count_patterns(holes[:, shown])
    return Patterns(
        [str(frame.columns[f]) for f in shown],
        n_missing[shown],
        cells[:max_patterns],
        counts[:max_patterns],
        len(frame),
        int((~holes.any(axis=1)).sum()),
        len(counts),
        frame.shape[1] - incomplete,
        incomplete - len(shown),
    )


def _new_axes(found: Patterns, palette: Palette) -> Any:
    import matplotlib.pyplot as plt

    r, c = found.cells.shape
    longest = max((len(name) for name in found.names), default=0)
    size = (max(4.4, 2.4 + 0.3 * c), max(1.8, 1.5 + 0.065 * min(longest, 20) + 0.25 * (r + 1)))
    _, ax = plt.subplots(figsize=size, layout="constrained", facecolor=palette.paper)
    return ax


def _draw(ax: Any, found: Patterns, palette: Palette) -> None:
    r, c = found.cells.shape
    for hole, colour in ((True, palette.missing), (False, palette.faint)):
        corners = [_cell(x, y) for y, x in zip(*np.nonzero(found.cells == hole), strict=True)]
        cells = PolyCollection(corners, facecolors=colour, linewidths=0)
        ax.add_collection(cells, autolim=False)
    start, longest = c + 0.3, 0.22 * c + 2.0
    rest = found.n_rows - int(found.counts.sum())
    scale = longest / max(int(found.counts.max()), rest)
    lines = [(y, int(n), palette.flow) for y, n in enumerate(found.counts) if c]
    if rest:
        lines.append((r, rest, palette.faint))
        others = _others(found)
        ax.text(c - _GAP, r + 0.5, others, ha="right", va="center", fontsize=8, color=palette.muted)
    for y, n, colour in lines:
        low, high = y + 0.22, y + 0.78
        end = start + max(n * scale, 0.04)
        ax.fill([start, end, end, start], [low, low, high, high], color=colour, lw=0)
        ax.text(end + 0.15, y + 0.5, str(n), va="center", fontsize=8, color=palette.ink)
    ax.set_xlim(0, start + longest + 0.5 + 0.28 * len(str(found.n_rows)))
    ax.set_ylim(r + bool(rest), 0)
    ax.set_yticks([])
    ax.set_ylabel("")
    ax.xaxis.tick_top()
    words = [
        f"{fit_ends(readable(name), 11.0)}  {n}"
        for name, n in zip(found.names, found.missing, strict=True)
    ]
    ax.set_xticks(np.arange(c) + 0.5, words, rotation=90)
    for label, text in zip(ax.get_xticklabels(), words, strict=True):
        write(label, text)
        label.set_color(palette.ink)
    ax.tick_params(length=0, labelsize=8, pad=2)
    for spine in ax.spines.values():
        spine.set_visible(False)
    left_out = _columns_left_out(found)
    legend = "filled: missing; right: rows; top: missing cells" if c else ""
    note = "\n".join(filter(None, (legend, left_out)))
    ax.set_xlabel(note, fontsize=8, color=palette.muted)


def _cell(x: float, y: float) -> list[tuple[float, float]]:
    g = _GAP / 2
    return [(x + g, y + g), (x + 1 - g, y + g), (x + 1 - g, y + 1 - g), (x + g, y + 1 - g)]


def _others(found: Patterns) -> str:
    n = found.n_patterns - len(found.counts)
    return f"{n} other pattern{'' if n == 1 else 's'}"


def _columns_left_out(found: Patterns) -> str:
    parts = []
    if found.n_complete:
        parts.append(f"{found.n_complete} column{'s' * (found.n_complete > 1)} without a hole")
    if found.n_hidden:
        parts.append(f"{found.n_hidden} with fewer holes")
    return f"not shown: {', '.join(parts)}" if parts else ""


def _finding(found: Patterns) -> str:
    if not found.names:
        return f"No value is missing in {found.n_rows} rows"
    return f"{found.n_complete_rows} of {found.n_rows} rows are complete"


def _in_words(found: Patterns) -> str:
    n = found.n_patterns
    head = f"{_finding(found)}; {n} pattern{'' if n == 1 else 's'}."
    if found.names:
        counts = ", ".join(
            f"{name} {n}" for name, n in zip(found.names, found.missing, strict=True)
        )
        head += f" Missing cells: {counts}."
    left_out = _columns_left_out(found)
    lines = [head + (f" {left_out.capitalize()}." if left_out else "")]
    for cells, rows in zip(found.cells, found.counts, strict=True):
        names = [name for name, hole in zip(found.names, cells, strict=True) if hole]
        verb = "rows miss" if rows > 1 else "row misses"
        lines.append(f"{rows} {verb} {', '.join(names) or 'nothing'}")
    rest = found.n_rows - int(found.counts.sum())
    if rest:
        lines.append(f"{rest} rows have {_others(found)}")
    return "\n".join(lines)
