"""Rows of horizontal bars with a name at the left and a number at the right."""

from __future__ import annotations

from typing import Any, NamedTuple

from .fonts import fit_ends, readable, width, write
from .theme import Palette

NAME_ROOM = 24.0  # em, for names
_SIZE = 8.5  # points


class Bar(NamedTuple):
    """One bar.

    Attributes
    ----------
    name : str
    value : float
        Its length.
    text : str
        What stands at its end.
    colour : str
    """

    name: str
    value: float
    text: str
    colour: str


def new_axes(bars: list[Bar], palette: Palette, title: str) -> Any:
    """Open a figure as large as its bars need.

    Parameters
    ----------
    bars : list of Bar
    palette : Palette
    title : str
        That it has to have room for, from the left end of the bars.

    Returns
    -------
    matplotlib Axes
    """
    import matplotlib.pyplot as plt

    names = max(min(width(readable(bar.name)), NAME_ROOM) for bar in bars)
    texts = max(width(bar.text) for bar in bars)
    bars_and_texts = max(3.0 + texts * _SIZE / 72, width(readable(title), bold=True) * 10 / 72)
    size = (0.2 + names * _SIZE / 72 + bars_and_texts, 0.9 + 0.26 * len(bars))
    _, ax = plt.subplots(figsize=size, layout="constrained", facecolor=palette.paper)
    return ax


def draw_bars(
    ax: Any, bars: list[Bar], palette: Palette, *, whole: float | None = None, note: str = ""
) -> None:
    """Draw bars from top to bottom.

    Parameters
    ----------
    ax : matplotlib Axes
    bars : list of Bar
    palette : Palette
    whole : float or None, default=None
        Length of the faint track behind each bar; None = no tracks.
    note : str, default=""
        Below the bars.
    """
    longest = whole or max(bar.value for bar in bars) or 1.0
    for y, bar in enumerate(bars):
        low, high = y + 0.18, y + 0.82
        if whole:
            ax.fill([0, whole, whole, 0], [low, low, high, high], color=palette.faint, lw=0)
        end = max(bar.value, 0.004 * longest) if bar.value else 0.0
        ax.fill([0, end, end, 0], [low, low, high, high], color=bar.colour, lw=0)
        place = whole or bar.value
        label = ax.text(place + 0.02 * longest, y + 0.5, "", va="center", fontsize=_SIZE)
        write(label, bar.text)
        label.set_color(palette.ink)
    room = max(width(bar.text) for bar in bars)
    ax.set_xlim(0, longest * (1.04 + 0.05 * room))
    ax.set_ylim(len(bars), 0)
    names = [fit_ends(readable(bar.name), NAME_ROOM) for bar in bars]
    ax.set_yticks([y + 0.5 for y in range(len(bars))], names)
    for label, name in zip(ax.get_yticklabels(), names, strict=True):
        write(label, name)
        label.set_color(palette.ink)
    ax.tick_params(length=0, labelsize=_SIZE, pad=4)
    ax.set_xticks([])
    for spine in ax.spines.values():
        spine.set_visible(False)
    ax.set_xlabel(note, fontsize=8, color=palette.muted, loc="left")


def percent(share: float) -> str:
    """Write a share in percent, with a decimal only where it says something.

    Parameters
    ----------
    share : float

    Returns
    -------
    str

    Examples
    --------
    >>> [percent(share) for share in (0, 0.0004, 0.0123, 0.5, 0.999, 1)]
    ['0 %', '< 0.1 %', '1.2 %', '50 %', '99.9 %', '100 %']
    """
    if 0 < share < 0.001:
        return "< 0.1 %"
    if 0 < share < 0.1 or 0.99 < share < 1:
        return f"{100 * share:.1f} %"
    return f"{100 * share:.0f} %"
