"""plot_missing_dependence: how often a column is missing, along another column."""

from __future__ import annotations

from numbers import Integral
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from matplotlib import rc_context
from numpy.typing import NDArray

from .bars import percent
from .describe import set_description
from .fonts import fit_ends, heading, readable, style, width, write, write_title
from .short_words import number
from .theme import CLASSES, RC, Palette, dress, get_palette

_Z = 1.959964  # of a 95 % interval
_MOST_LEVELS = 12
_TITLE_NAME = 10.0  # em, for a name in the title


class Group(NamedTuple):
    """Rows with about the same value.

    Attributes
    ----------
    name : str
    place : float
        Where it stands on the axis.
    rows, missing : int
    """

    name: str
    place: float
    rows: int
    missing: int

    @property
    def share(self) -> float:
        """Share of the rows that miss the column."""
        return self.missing / self.rows

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's 95 % interval of the share."""
        n, q = self.rows, self.share
        centre = (q + _Z**2 / (2 * n)) / (1 + _Z**2 / n)
        half = _Z / (1 + _Z**2 / n) * np.sqrt(q * (1 - q) / n + _Z**2 / (4 * n**2))
        return max(centre - half, 0.0), min(centre + half, 1.0)


def plot_missing_dependence(
    X: Any,
    column: Any,
    on: Any,
    *,
    mask: Any = None,
    bins: int = 8,
    ax: Any = None,
    title: str | None = None,
    theme: str = "light",
) -> Any:
    """Draw how often a column is missing, along the values of another one.

    Numbers are cut into groups of about as many rows, categories into their levels; a dot
    is the share of a group's rows that miss the column, its line the 95 % interval. The
    dashed line is the share of all rows: where values are missing completely at random,
    the intervals cross it.

    Parameters
    ----------
    X : DataFrame or array-like of shape (n, p)
    column : label
        Whose holes are counted.
    on : label
        Along which column.
    mask : DataFrame or array-like of shape (n, p), bool, or None, default=None
        What is missing, when `X` is the table from before it was: then a column can be drawn
        along itself, which shows MNAR. None = what is missing in `X`.
    bins : int, default=8
        Groups of a column of numbers; with fewer different values each is a group.
    ax : matplotlib Axes or None, default=None
        None = a new figure of its own.
    title : str or None, default=None
        None = the lowest and the highest share.
    theme : {"light", "dark"}, default="light"

    Returns
    -------
    matplotlib Axes
        `describe_axes` lists the groups.

    Raises
    ------
    ValueError
        For unknown columns, a column along itself without `mask`, and bins below 2.

    Examples
    --------
    >>> import numpy as np
    >>> from matplotlib.figure import Figure
    >>> from mdtree_nb import describe_axes
    >>> X = np.array([[1, np.nan], [1, np.nan], [2, 3], [2, np.nan]])
    >>> print(describe_axes(plot_missing_dependence(X, 1, 0, ax=Figure().subplots())))
    1 is missing in 50 % to 100 % of the rows, by 0 (75 % of all).
    0 = 1: 2 of 2 rows (100 %)
    0 = 2: 1 of 2 rows (50 %)
    """
    if not isinstance(bins, Integral) or isinstance(bins, bool) or bins < 2:
        raise ValueError(f"bins={bins!r} must be a whole number from 2.")
    palette = get_palette(theme)
    frame = X if isinstance(X, pd.DataFrame) else pd.DataFrame(X)
    for parameter, name in (("column", column), ("on", on)):
        if name not in frame.columns:
            raise ValueError(f"{parameter}={name!r} is not a column of X.")
    if mask is None and column == on:
        raise ValueError(
            f"on={on!r} is missing where it is to be counted; pass the complete table as X, and "
            "mask, such as the new_mask of make_missing."
        )
    number_of = frame.columns.get_loc(column)
    gone = np.asarray(frame.isna() if mask is None else mask, dtype=bool)[:, number_of]
    groups, is_scale = _groups(frame[on], gone, str(on), int(bins))
    if not groups:
        raise ValueError(f"X has no rows, or on={on!r} has no value.")
    overall = float(gone.mean())
    shares = [group.share for group in groups]
    extremes = f"{percent(min(shares))} to {percent(max(shares))}"
    finding = f"{column} is missing in {extremes} of the rows, by {on}"
    by = "its own value" if on == column else fit_ends(readable(on), _TITLE_NAME)
    short = f"{fit_ends(readable(column), _TITLE_NAME)}: {extremes} missing, by {by}"
    words, is_given = heading(title, short), ax is not None
    with rc_context(RC):
        ax = _new_axes(groups, is_scale, words, palette) if ax is None else ax
        dress(ax, palette)
        _draw(ax, groups, is_scale, overall, palette)
        write(ax.xaxis.label, fit_ends(readable(on), 22))
        write(ax.yaxis.label, fit_ends(f"rows that miss {readable(column)}", 24))
        write_title(ax, words, is_given)
    lines = [f"{finding} ({percent(overall)} of all)."]
    lines += [f"{g.name}: {g.missing} of {g.rows} rows ({percent(g.share)})" for g in groups]
    set_description(ax, "\n".join(lines))
    return ax


def _groups(
    values: pd.Series, gone: NDArray[np.bool_], on: str, bins: int
) -> tuple[list[Group], bool]:
    """Rows in groups, and whether these stand on a scale of numbers."""
    known = values.notna().to_numpy()
    is_numeric = pd.api.types.is_numeric_dtype(values.dtype)
    distinct = int(values.nunique())
    groups: list[Group] = []
    is_scale = is_numeric and distinct > bins
    if is_scale:
        x = values.to_numpy(dtype=np.float64, na_value=np.nan)
        edges = np.unique(np.nanquantile(x, np.linspace(0, 1, bins + 1)))
        part = np.clip(np.searchsorted(edges, x, side="right") - 1, 0, len(edges) - 2)
        for k in range(len(edges) - 1):
            here = known & (part == k)
            if here.any():
                name = f"{on} from {number(x[here].min())} to {number(x[here].max())}"
                groups.append(
                    Group(name, float(x[here].mean()), int(here.sum()), int(gone[here].sum()))
                )
    else:
        counts = values[known].value_counts()
        counts = counts[counts > 0]
        levels = list(counts.index[:_MOST_LEVELS])
        if isinstance(values.dtype, pd.CategoricalDtype):
            levels = [level for level in values.dtype.categories if level in set(levels)]
        else:
            levels = sorted(levels, key=lambda level: level if is_numeric else str(level))
        for place, level in enumerate(levels):
            here = known & (values == level).to_numpy(dtype=bool, na_value=False)
            shown = number(float(level)) if is_numeric else str(level)
            groups.append(Group(f"{on} = {shown}", place, int(here.sum()), int(gone[here].sum())))
        rest = known & ~values.isin(levels).to_numpy()
        if rest.any():
            name = f"{on}: {len(counts) - len(levels)} other levels"
            groups.append(Group(name, len(levels), int(rest.sum()), int(gone[rest].sum())))
    if not known.all() and len(gone):
        last = max((group.place for group in groups), default=0.0)
        first = min((group.place for group in groups), default=0.0)
        step = (last - first) / 6 if is_scale else 1.0
        name = f"{on} is missing"
        groups.append(Group(name, last + step, int((~known).sum()), int(gone[~known].sum())))
    return groups, is_scale


def _new_axes(groups: list[Group], is_scale: bool, title: str, palette: Palette) -> Any:
    import matplotlib.pyplot as plt

    breadth = 5.4 if is_scale else max(3.6, 1.6 + 0.75 * len(groups))
    breadth = max(breadth, 0.9 + width(readable(title), bold=True) * 10 / 72)
    _, ax = plt.subplots(figsize=(breadth, 3.2), layout="constrained", facecolor=palette.paper)
    return ax


def _draw(ax: Any, groups: list[Group], is_scale: bool, overall: float, palette: Palette) -> None:
    known = [g for g in groups if not g.name.endswith(" is missing")]
    ax.axhline(overall, color=palette.muted, ls=(0, (4, 3)), lw=1, zorder=1)
    blue = CLASSES[4] if palette.paper != "#FFFFFF" else CLASSES[0]
    for group in groups:
        colour = blue if group in known else palette.missing
        low, high = group.interval
        ax.plot([group.place] * 2, [low, high], color=colour, lw=2, zorder=2, solid_capstyle="butt")
        marker = "o" if group in known else "D"
        ax.plot([group.place], [group.share], marker, color=colour, ms=6, zorder=3)
    if is_scale:
        ax.plot([g.place for g in known], [g.share for g in known], color=blue, lw=1, alpha=0.6)
    top = max(max(g.interval[1] for g in groups), overall)
    ax.set_ylim(0, min(top * 1.12, 1.04))
    ticks = ax.get_yticks()
    ticks = ticks[(ticks >= 0) & (ticks <= 1)]
    ax.set_yticks(ticks, [f"{100 * t:.3g} %" for t in ticks])
    if is_scale:
        shown = ax.get_xticks()
        low, high = known[0].place, known[-1].place
        margin = 0.06 * (groups[-1].place - low or 1.0)
        shown = [t for t in shown if low - margin <= t <= high + margin]
        places, names = list(shown), [number(float(t)) for t in shown]
        ax.set_xlim(low - margin, groups[-1].place + margin)
        if len(groups) > len(known):
            places, names = [*places, groups[-1].place], [*names, "missing"]
        ax.set_xticks(places, names)
    else:
        names = [g.name.partition(" = ")[2] or g.name.rpartition(": ")[2] for g in known]
        names += ["missing"] * (len(groups) - len(known))
        names = [fit_ends(readable(name), 7.0) for name in names]
        counted = [f"{name}\n{g.rows} rows" for name, g in zip(names, groups, strict=True)]
        ax.set_xticks([g.place for g in groups], counted)
        ax.set_xlim(-0.6, groups[-1].place + 0.6)
        for label, name in zip(ax.get_xticklabels(), names, strict=True):
            label.set_parse_math(False)
            label.set_fontfamily(style(name)[0])
    for label in (*ax.get_xticklabels(), *ax.get_yticklabels()):
        label.set_color(palette.missing if label.get_text().startswith("missing") else palette.ink)
    ax.annotate(
        f"all rows\n{percent(overall)}",
        (1, overall),
        xycoords=("axes fraction", "data"),
        xytext=(4, 0),
        textcoords="offset points",
        va="center",
        fontsize=7.5,
        color=palette.muted,
    )
