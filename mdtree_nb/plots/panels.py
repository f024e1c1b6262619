"""plot_panels: the same curves in several panels with one scale."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd
from matplotlib import rc_context

from .curves import draw_curves
from .describe import set_description
from .fonts import readable, width
from .theme import RC, get_palette

_WIDE, _HIGH = 2.35, 2.0  # inches of a panel
_SIZE = 8.5  # points
_PLACES_TOLD = 7  # of a curve, in words


def plot_panels(
    table: pd.DataFrame,
    *,
    x: str,
    y: str,
    lines: str,
    panels: str,
    order: Iterable[Any] | None = None,
    columns: int = 3,
    title: str | None = None,
    theme: str = "light",
) -> Any:
    """Draw curves in panels that share both scales, so that panels can be compared.

    Parameters
    ----------
    table : DataFrame
        Long: what is drawn is the mean of `y` for each `panels`, `lines` and `x`.
    x, y : str
        Columns of numbers.
    lines, panels : str
        Columns that say to which curve and panel a row belongs. Curves that are the same
        everywhere are drawn once, under both names.
    order : iterable or None, default=None
        Panels from left to right. None = as they come.
    columns : int, default=3
        Panels side by side.
    title : str or None, default=None
        The finding.
    theme : {"light", "dark"}, default="light"

    Returns
    -------
    ndarray of matplotlib Axes
        One per panel; `describe_axes` of the first one tells all.

    Raises
    ------
    ValueError
        For columns that the table does not have, and panels without a row.

    Examples
    --------
    >>> from mdtree_nb import plot_panels
    >>> table = pd.DataFrame({"rate": [0, 1] * 2, "error": [0.1, 0.2, 0.1, 0.4],
    ...                       "method": list("aabb"), "suite": "MCAR"})
    >>> axes = plot_panels(table, x="rate", y="error", lines="method", panels="suite")
    >>> axes.size
    1
    """
    import matplotlib.pyplot as plt

    for name, column in (("x", x), ("y", y), ("lines", lines), ("panels", panels)):
        if column not in table:
            raise ValueError(f"{name}={column!r} is not a column of the table.")
    names = list(dict.fromkeys(table[panels])) if order is None else list(order)
    for name in names:
        if not (table[panels] == name).any():
            raise ValueError(f"order: no row of the table has {panels}={name!r}.")
    palette = get_palette(theme)
    means = _joined(table[table[panels].isin(names)], x, y, lines, panels)
    rows = -(-len(names) // columns)
    label = max(width(readable(str(n))) for n in means["strategy"].unique()) * _SIZE / 72 + 0.35
    head = 0.75 if title else 0.4
    wide = 0.7 + min(columns, len(names)) * (_WIDE + label)
    with rc_context(RC):
        figure, grid = plt.subplots(
            rows, min(columns, len(names)), figsize=(wide, head + 0.05 + rows * (_HIGH + 0.5)),
            sharex=True, sharey=True, squeeze=False, facecolor=palette.paper,
        )  # fmt: skip
        figure.subplots_adjust(
            left=0.7 / wide, right=1 - label / wide, wspace=label / _WIDE, hspace=0.28,
            top=1 - head / figure.get_figheight(), bottom=0.5 / figure.get_figheight(),
        )  # fmt: skip
        axes = grid.ravel()
        low, high = means["mean"].min(), means["mean"].max()
        room = 0.04 * (high - low) or 0.1
        for ax, name in zip(axes, names, strict=False):
            ax.set_ylim(low - room, high + room)
            draw_curves(ax, means[means["panel"] == name], x, palette)
            ax.set_title(str(name), fontsize=9, fontweight="normal", color=palette.ink)
        for ax in axes[len(names) :]:
            ax.remove()
        for ax in grid[:, 0]:
            ax.set_ylabel(y.replace("_", " "), color=palette.ink)
        for ax in axes[: len(names)][-min(columns, len(names)) :]:
            ax.set_xlabel(x.replace("_", " "), color=palette.ink)
            ax.tick_params(labelbottom=True)
        if title:
            figure.suptitle(
                title, x=0.02, ha="left", fontsize=10, fontweight="bold", color=palette.ink
            )
        set_description(axes[0], _words(means, x, y, names, title))
    return axes[: len(names)]


def _joined(table: pd.DataFrame, x: str, y: str, lines: str, panels: str) -> pd.DataFrame:
    """Mean per panel, curve and place; equal curves under one name."""
    means = table.groupby([panels, lines, x], sort=False)[y].mean()
    wide = means.unstack(lines).reindex(columns=list(dict.fromkeys(table[lines])))
    together: list[list[Any]] = []
    for name in wide:
        for group in together:
            if np.allclose(wide[group[0]], wide[name], atol=1e-9, equal_nan=True):
                group.append(name)
                break
        else:
            together.append([name])
    parts = [
        wide[group[0]]
        .rename("mean")
        .reset_index()
        .assign(strategy=" = ".join(map(str, group)), low=np.nan, high=np.nan)
        for group in together
    ]
    return pd.concat(parts, ignore_index=True).rename(columns={panels: "panel"})


def _words(means: pd.DataFrame, x: str, y: str, names: list[Any], title: str | None) -> str:
    """Every panel and curve in words; of many places, some from the first to the last."""
    sentences = [f"{title}." if title else f"{y} against {x}."]
    for name in names:
        parts = []
        its = means[means["panel"] == name]
        every = np.sort(its[x].unique())
        told = every[np.unique(np.linspace(0, len(every) - 1, _PLACES_TOLD).round().astype(int))]
        its = its[its[x].isin(told)]
        for curve in its["strategy"].unique():
            line = its[its["strategy"] == curve].sort_values(x)
            values = " ".join(f"{value:.3f}" for value in line["mean"])
            parts.append(f"{curve} {values}")
        places = ", ".join(f"{value:g}" for value in told)
        some = f" ({len(told)} of {len(every)} points)" if len(told) < len(every) else ""
        sentences.append(f"{name}, {x} {places}{some}: {'; '.join(parts)}.")
    return "\n".join(sentences)
