"""Curves with bands, each named at its end: scores against how much is missing."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from .fonts import fit_ends, readable, width, write
from .theme import CLASSES, MARKERS, Palette, dress

MOST_BANDS = 4  # more would cover each other
COLOURS = tuple(colour for colour in CLASSES if colour != "#F0E442")  # a yellow line is too pale
_SIZE = 8.5  # points
_ROOM = 24.0  # em, for a name
_LINE = 0.165  # inches between two labels


def new_axes(names: list[str], heading: str, palette: Palette) -> Any:
    """Open a figure with room for every label at its right.

    Parameters
    ----------
    names : list of str
        Of the curves.
    heading : str
    palette : Palette

    Returns
    -------
    matplotlib Axes
    """
    import matplotlib.pyplot as plt

    labels = max(min(width(readable(name)), _ROOM) for name in names) * _SIZE / 72 + 0.45
    inner = max(4.0, width(readable(heading), bold=True) * 10 / 72 - labels)
    high = max(2.6, _LINE * (len(names) + 1))
    size = (0.75 + inner + labels, high + 1.1)
    figure = plt.figure(figsize=size, facecolor=palette.paper)
    return figure.add_axes((0.65 / size[0], 0.7 / size[1], inner / size[0], high / size[1]))


def draw_curves(ax: Any, table: pd.DataFrame, x: str, palette: Palette) -> None:
    """Draw one curve per strategy, with its band where there are few, and its name.

    Parameters
    ----------
    ax : matplotlib Axes
    table : DataFrame
        Columns `strategy`, x, `mean`, `low`, `high`; missing means break a curve.
    x : str
    palette : Palette
    """
    dress(ax, palette)
    names = list(table["strategy"].unique())
    ends = []
    for number, name in enumerate(names):
        its = table[table["strategy"] == name].sort_values(x)
        colour = COLOURS[number % len(COLOURS)]
        marker = MARKERS[(number + number // len(COLOURS)) % len(MARKERS)]
        places, means = its[x].to_numpy(float), its["mean"].to_numpy(float)
        if len(names) <= MOST_BANDS and its[["low", "high"]].notna().any(axis=None):
            low, high = its["low"].to_numpy(float), its["high"].to_numpy(float)
            ax.fill_between(places, low, high, color=colour, alpha=0.16, lw=0)
        ax.plot(places, means, color=colour, marker=marker, ms=4.5, lw=1.6, label=str(name))
        known = np.flatnonzero(~np.isnan(means))
        if len(known):
            ends.append((str(name), colour, places[known[-1]], means[known[-1]]))
    ax.margins(x=0.03)
    ax.autoscale_view()
    _name(ax, ends, palette)


def _name(ax: Any, ends: list[tuple[str, str, float, float]], palette: Palette) -> None:
    """Write the names beside the ends, pushed apart, each joined to its curve."""
    low, high = ax.get_ylim()
    right = ax.get_xlim()[1]
    inches = ax.get_window_extent().height / ax.figure.dpi
    edge = 0.5 * _LINE / inches  # half a line: no name reaches into the title
    room = 1 - 2 * edge
    gap = min(_LINE / inches / room, 1 / max(len(ends) - 1, 1))
    small = min(1.0, gap * room * inches / _LINE)
    ends = sorted(ends, key=lambda end: end[3])
    wanted = np.array([(end[3] - low) / (high - low) for end in ends])
    wanted = np.clip((wanted - edge) / room, 0, 1)
    places = low + (edge + room * push_apart(wanted, gap)) * (high - low)
    span = ax.get_xlim()[1] - ax.get_xlim()[0]
    for (name, colour, x, y), place in zip(ends, places, strict=True):
        elbow = [x, right, right + 0.035 * span]
        ax.plot(elbow, [y, y, place], color=colour, lw=0.7, clip_on=False, label="_")
        text = ax.text(right + 0.045 * span, place, "", va="center", fontsize=_SIZE * small)
        write(text, fit_ends(readable(name), _ROOM))
        text.set_color(palette.ink)
    ax.set_xlim(right=right)
    ax.set_ylim(low, high)


def push_apart(wanted: NDArray[np.float64], gap: float) -> NDArray[np.float64]:
    """Move places as little as possible until neighbours are a gap apart, all within 0 and 1.

    Parameters
    ----------
    wanted : ndarray of shape (k,)
        In ascending order.
    gap : float
        At most 1 / (k - 1).

    Returns
    -------
    ndarray of shape (k,)
        The nearest such places, by squared distance before they are moved into 0 and 1.

    Examples
    --------
    >>> push_apart(np.array([0.5, 0.5, 0.9]), 0.25).tolist()
    [0.375, 0.625, 0.9]
    """
    steps = gap * np.arange(len(wanted))
    blocks: list[list[float]] = []  # of equal places once the gaps are taken out: sum, count
    for place in wanted - steps:
        blocks.append([place, 1.0])
        while len(blocks) > 1 and blocks[-2][0] / blocks[-2][1] > blocks[-1][0] / blocks[-1][1]:
            total, count = blocks.pop()
            blocks[-1][0] += total
            blocks[-1][1] += count
    found = np.concatenate([np.full(int(count), total / count) for total, count in blocks])
    # in this form the bounds are the same for all, so clipping keeps the order
    return np.clip(found, 0.0, max(1.0 - steps[-1], 0.0)) + steps
