"""Small charts as lists of shapes: the page draws them, and so does matplotlib.

A chart is data: what widgets send to the page and what stands in for them in a picture are
the same shapes at the same places, so they cannot disagree.

Does not: know where the numbers come from, or what a widget is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .fonts import fit_ends, readable, width, write
from .theme import Palette, class_look

SMALL = 11.0  # pixels of the letters
LETTERS = 30.0  # em that a tick may be long
_DASHES = {"": None, "dash": (5.0, 3.0), "dot": (1.5, 3.0)}
_PX = 0.72  # points per pixel of a figure at 100 dots per inch


@dataclass
class Chart:
    """Axes of fixed size in pixels, and the shapes on them.

    Attributes
    ----------
    x, y : tuple of float
        Ends of the axes.
    title, xlabel, ylabel : str
    xticks, yticks : sequence of (float, str) or None
        None = round numbers.
    wide, high : int
        Pixels of the whole.
    right : float
        Pixels to the right of the axes, for words.
    words : str
        What it shows, for who cannot see it.
    """

    x: tuple[float, float]
    y: tuple[float, float]
    title: str = ""
    xlabel: str = ""
    ylabel: str = ""
    xticks: Sequence[tuple[float, str]] | None = None
    yticks: Sequence[tuple[float, str]] | None = None
    wide: int = 560
    high: int = 300
    right: float = 12.0
    words: str = ""
    shapes: list[dict[str, Any]] = field(default_factory=list)

    # -- what can be put on it --------------------------------------------------------

    def line(
        self, x: Any, y: Any, colour: str, *, size: float = 1.6, dash: str = "", name: str = ""
    ) -> None:
        """Draw a line through points; NaN breaks it."""
        self._put("line", colour, x, y, size=size, dash=dash, name=name)

    def dots(
        self,
        x: Any,
        y: Any,
        colour: str,
        *,
        size: float = 3.0,
        hollow: bool = False,
        faint: bool = False,
        name: str = "",
    ) -> None:
        """Draw dots of a radius in pixels."""
        self._put("dots", colour, x, y, size=size, hollow=hollow, faint=faint, name=name)

    def box(self, x: Any, y: Any, colour: str, *, outline: str = "", dash: str = "") -> None:
        """Fill a rectangle between two corners; colour "" = an outline alone."""
        self._put("box", colour, x, y, outline=outline, dash=dash)

    def text(
        self, x: float, y: float, text: str, colour: str = "ink", *, align: str = "left",
        bold: bool = False, shift: tuple[float, float] = (0.0, 0.0),
    ) -> None:  # fmt: skip
        """Write a text at a place, shifted by some pixels to the right and down."""
        words = {"text": readable(text), "align": align, "bold": bold, "shift": list(shift)}
        self._put("text", colour, [x], [y], **words)

    def _put(self, kind: str, colour: str, x: Any, y: Any, **look: Any) -> None:
        points = np.column_stack([np.ravel(x), np.ravel(y)]).astype(float)
        kept = {k: v for k, v in look.items() if v not in ("", False, [0.0, 0.0])}
        self.shapes.append({"kind": kind, "colour": colour, "at": points, **kept})

    # -- where things are ---------------------------------------------------------------

    @property
    def margins(self) -> tuple[float, float, float, float]:
        """Pixels to the left, above, to the right and below the axes."""
        ticks = max([width(text) * SMALL for _, text in self._ticks(1)] or [0.0])
        left = ticks + 10 + (16 if self.ylabel else 0)
        below = 22 + (16 if self.xlabel else 0)
        return left, 26.0 if self.title else 8.0, self.right, float(below)

    def _ticks(self, axis: int) -> list[tuple[float, str]]:
        given = (self.xticks, self.yticks)[axis]
        if given is not None:
            return [(at, fit_ends(readable(text), LETTERS)) for at, text in given]
        return round_ticks(*(self.x, self.y)[axis], most=(6, 5)[axis])

    def pixels(self, points: Any) -> np.ndarray[Any, Any]:
        """Places of points in pixels from the upper left corner, as an array (n, 2)."""
        left, above, right, below = self.margins
        points = np.asarray(points, dtype=float)
        (x0, x1), (y0, y1) = self.x, self.y
        x = left + (points[:, 0] - x0) / ((x1 - x0) or 1.0) * (self.wide - left - right)
        y = (
            self.high
            - below
            - (points[:, 1] - y0) / ((y1 - y0) or 1.0) * (self.high - above - below)
        )
        return np.column_stack([x, y])

    def place(self, x: float, y: float) -> tuple[float, float]:
        """Turn pixels back into numbers of the axes."""
        left, above, right, below = self.margins
        part_x = (x - left) / (self.wide - left - right)
        part_y = (self.high - below - y) / (self.high - above - below)
        (x0, x1), (y0, y1) = self.x, self.y
        return x0 + part_x * (x1 - x0), y0 + part_y * (y1 - y0)

    def as_dict(self) -> dict[str, Any]:
        """Write it down for the page: places in tenths of pixels, None where a line breaks."""
        shapes = []
        for shape in self.shapes:
            flat = (10 * self.pixels(shape["at"])).round().ravel()
            places = [None if np.isnan(v) else int(v) for v in flat]
            shapes.append({**shape, "at": places, "colour": _written(shape["colour"])})
        ends = [(self.x[0], self.y[0]), (self.x[1], self.y[1])]
        ticks = [
            [[round(10 * self.pixels([(at, at)])[0, axis]), text] for at, text in self._ticks(axis)]
            for axis in (0, 1)
        ]
        return {
            "size": [self.wide, self.high],
            "frame": [int(v) for v in (10 * self.pixels(ends)).round().ravel()],
            "title": _shown(self.title),
            "labels": [_shown(self.xlabel), _shown(self.ylabel)],
            "ticks": ticks,
            "shapes": shapes,
            "words": self.words,
        }


def round_ticks(low: float, high: float, most: int = 5) -> list[tuple[float, str]]:
    """Round numbers between two ends, with their words.

    Parameters
    ----------
    low, high : float
    most : int, default=5

    Returns
    -------
    list of (float, str)

    Examples
    --------
    >>> [text for _, text in round_ticks(0, 0.083)]
    ['0', '0.02', '0.04', '0.06', '0.08']
    >>> [text for _, text in round_ticks(-3, 1200)]
    ['0', '300', '600', '900', '1200']
    """
    span = high - low
    if not span > 0:
        return [(low, f"{low:.4g}")]
    step = 10.0 ** np.floor(np.log10(span / most))
    step *= next((k for k in (1, 2, 3, 5) if span / (k * step) <= most), 10)
    first = np.ceil(low / step - 1e-9)
    places = step * np.arange(first, np.floor(high / step + 1e-9) + 1)
    digits = max(0, -int(np.floor(np.log10(step) + 1e-9)))
    return [
        (float(at), f"{at:.{digits}f}".replace("-", "\N{MINUS SIGN}") if at else "0")
        for at in places
    ]


def _shown(text: str) -> str:
    """Written so that it can be read; nothing stays nothing."""
    return readable(text) if text else ""


def _written(colour: str) -> str:
    """A role stays a role; a class becomes its colour."""
    return class_look(int(colour[5:]))[0] if colour.startswith("class") else colour


def colour_of(role: str, palette: Palette) -> str:
    """Colour of a role: "class2", "line0", or a name of the palette.

    Parameters
    ----------
    role : str
    palette : Palette

    Returns
    -------
    str
    """
    if role.startswith("line"):
        return palette.lines[int(role[4:])]
    return str(getattr(palette, role, None) or _written(role))


def draw_charts(
    charts: Iterable[Chart], palette: Palette, title: str = "", columns: int = 2
) -> Any:
    """Draw charts on a figure of their size, side by side and below each other.

    Parameters
    ----------
    charts : iterable of Chart
    palette : Palette
    title : str, default=""
    columns : int, default=2

    Returns
    -------
    matplotlib Figure
    """
    from matplotlib.figure import Figure

    charts = list(charts)
    rows = [charts[i : i + columns] for i in range(0, len(charts), columns)]
    wide = max(sum(c.wide for c in row) for row in rows)
    top = 34 if title else 0
    high = top + sum(max(c.high for c in row) for row in rows)
    figure = Figure(figsize=(wide / 100, high / 100), dpi=100, facecolor=palette.paper)
    ax = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    ax.set(xlim=(0, wide), ylim=(high, 0))
    ax.set_axis_off()
    if title:
        _write(ax, 12, 18, title, palette.ink, 14.0, bold=True)
    y = float(top)
    for row in rows:
        x = 0.0
        for chart in row:
            _draw(ax, chart, palette, x, y)
            x += chart.wide
        y += max(c.high for c in row)
    return figure


def _write(
    ax: Any, x: float, y: float, text: str, colour: str, size: float = SMALL, **look: Any
) -> None:
    if not text:
        return
    label = ax.text(
        x, y, "", color=colour, fontsize=size * _PX, va=look.get("va", "center"),
        ha=look.get("align", "left"), rotation=look.get("rotation", 0), zorder=6,
        fontweight="bold" if look.get("bold") else "normal",
    )  # fmt: skip
    write(label, text)


def _draw(ax: Any, chart: Chart, palette: Palette, dx: float, dy: float) -> None:
    """Draw one chart with its upper left corner at a place."""
    left, above, right, below = chart.margins
    x0, x1, y0 = dx + left, dx + chart.wide - right, dy + chart.high - below
    ax.plot([x0, x0, x1], [dy + above, y0, y0], color=palette.muted, lw=0.8)
    for at, text in chart._ticks(0):
        _write(ax, dx + chart.pixels([(at, 0)])[0, 0], y0 + 12, text, palette.muted, align="center")
    for at, text in chart._ticks(1):
        _write(ax, x0 - 5, dy + chart.pixels([(0, at)])[0, 1], text, palette.ink, align="right")
    _write(ax, dx + 6, dy + 13, chart.title, palette.ink, 12.0, bold=True)
    _write(ax, (x0 + x1) / 2, y0 + 29, chart.xlabel, palette.ink, align="center")
    middle = dy + (chart.high - below + above) / 2
    _write(ax, dx + 9, middle, chart.ylabel, palette.ink, align="center", rotation=90)
    for shape in chart.shapes:
        x, y = (chart.pixels(shape["at"]) + [dx, dy]).T
        colour = colour_of(shape["colour"], palette) if shape["colour"] else "none"
        dash = _DASHES[shape.get("dash", "")]
        style = "-" if dash is None else (0, dash)
        if shape["kind"] == "line":
            ax.plot(x, y, color=colour, lw=shape["size"] * _PX, ls=style, solid_capstyle="butt")
        elif shape["kind"] == "dots":
            face = palette.paper if shape.get("hollow") else colour
            size, alpha = (2 * shape["size"] * _PX) ** 2, 0.75 if shape.get("faint") else 1.0
            look = {"linewidths": 1.0 if shape.get("hollow") else 0.0, "alpha": alpha, "zorder": 3}
            ax.scatter(x, y, s=size, facecolors=face, edgecolors=colour, **look)
        elif shape["kind"] == "box":
            edge = colour_of(shape["outline"], palette) if "outline" in shape else "none"
            ax.fill(
                x[[0, 1, 1, 0]], y[[0, 0, 1, 1]], facecolor=colour, edgecolor=edge, ls=style,
                lw=0.8, zorder=1.5,
            )  # fmt: skip
        else:
            shift = shape.get("shift", (0.0, 0.0))
            place = (x[0] + shift[0], y[0] + shift[1])
            look = {"align": shape["align"], "bold": shape.get("bold", False)}
            _write(ax, *place, shape["text"], colour, **look)
