"""Shapes and texts in points on an Axes, collected and drawn a kind at a time.

x runs right and y down, both in points from the upper left corner of the Axes, so a font
size and a length are the same unit. One collection per kind of shape is what makes large
trees fast.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.collections import LineCollection, PathCollection, PolyCollection
from matplotlib.path import Path
from numpy.typing import NDArray

from .fonts import style
from .theme import Palette, class_look

_CORNER = [Path.MOVETO, *[Path.LINETO, Path.CURVE3, Path.CURVE3] * 4, Path.CLOSEPOLY]


class Pen:
    """Draws on an Axes of known size.

    Parameters
    ----------
    ax : matplotlib Axes
    size : tuple of float
        Width and height of the Axes in points.
    palette : Palette
    em : float
        Base font size in points.
    """

    def __init__(self, ax: Any, size: tuple[float, float], palette: Palette, em: float):
        self.ax, self.palette, self.em = ax, palette, em
        self.width, self.height = size
        ax.set_axis_off()
        ax.set_xlim(0, self.width)
        ax.set_ylim(self.height, 0)
        self._fills: dict[tuple[float, str, str], list[Any]] = {}
        self._lines: dict[tuple[float, str], list[Any]] = {}
        self._frames: dict[float, list[Any]] = {}
        self.fill(0, 0, self.width, self.height, "paper", z=0)

    def colour(self, name: str) -> str:
        """Colour of a role; anything else is a colour itself."""
        return str(getattr(self.palette, name, name))

    def text(
        self,
        x: float,
        y: float,
        text: str,
        size: float = 1.0,
        colour: str = "ink",
        *,
        bold: bool = False,
        align: str = "left",
    ) -> None:
        """Write a text of `size` em around the height y."""
        families, weight = style(text, bold)
        self.ax.text(
            x,
            y,
            text,
            fontsize=size * self.em,
            fontfamily=families,
            color=self.colour(colour),
            fontweight=weight,
            ha=align,
            va="center_baseline",
            parse_math=False,
            zorder=6,
        )

    def fill(
        self, x: float, y: float, w: float, h: float, colour: str, hatch: str = "", z: float = 4
    ) -> None:
        """Fill a rectangle."""
        corners = [(x, y), (x + w, y), (x + w, y + h), (x, y + h), (x, y)]
        self._fills.setdefault((z, self.colour(colour), hatch), []).append(corners)

    def frame(
        self,
        x: float,
        y: float,
        w: float,
        h: float,
        face: str = "card",
        edge: str = "border",
        *,
        line: float = 0.8,
        dashed: bool = False,
        radius: float = 2.6,
        z: float = 3,
    ) -> None:
        """Draw a rectangle with round corners."""
        r = min(radius, w / 2, h / 2)
        points = [(x + r, y)]
        for cx, cy, dx, dy in ((x + w, y, 0, 1), (x + w, y + h, -1, 0), (x, y + h, 0, -1)):
            points += [(cx - r * dy, cy + r * dx), (cx, cy), (cx + r * dx, cy + r * dy)]
        points += [(x, y + r), (x, y), (x + r, y), (x + r, y)]
        style = (0, (4, 2)) if dashed else "-"
        path = Path(points, _CORNER)
        item = (path, self.colour(face), self.colour(edge), line, style)
        self._frames.setdefault(z, []).append(item)

    def line(
        self,
        points: NDArray[np.float64] | list[tuple[float, float]],
        width: float,
        colour: str = "flow",
        dashes: tuple[float, ...] | None = None,
        *,
        z: float = 1,
        cap: str = "butt",
    ) -> None:
        """Draw a line; dashes are lengths in points."""
        # Matplotlib counts dashes in line widths.
        style = "-" if dashes is None else (0, tuple(d / width for d in dashes))
        item = (np.asarray(points, dtype=float), width, self.colour(colour), style)
        self._lines.setdefault((z, cap), []).append(item)

    def class_bar(self, x: float, y: float, w: float, h: float, shares: Any, z: float = 4) -> None:
        """Draw class shares as a bar; colour and hatch say the same thing twice."""
        at = x
        parts = [(j, w * float(p)) for j, p in enumerate(shares) if p > 0]
        for place, (j, part) in enumerate(parts):
            colour, hatch = class_look(j)
            self.fill(at, y, part, h, colour, hatch if part > 3 else "", z)
            at += part
            if place + 1 < len(parts) and w > 12:
                self.fill(at - 0.35, y, 0.7, h, "paper", z=z + 0.2)
        if w > 12:  # orange, sky and yellow need an outline on light paper
            outline = [(x, y), (x + w, y), (x + w, y + h), (x, y + h), (x, y)]
            self.line(outline, 0.5, "muted", z=z + 0.3, cap="projecting")

    def finish(self) -> None:
        """Put everything onto the Axes."""
        add = self.ax.add_collection
        for (z, cap), lines in self._lines.items():
            paths, widths, colours, styles = map(list, zip(*lines, strict=True))
            look = {"linewidths": widths, "colors": colours, "linestyles": styles}
            add(LineCollection(paths, capstyle=cap, joinstyle="round", zorder=z, **look), False)
        for (z, colour, hatch), polygons in self._fills.items():
            if hatch:  # a hatch is made anew for every path: one path for all of them
                path = Path.make_compound_path(*[Path(p, closed=True) for p in polygons])
                shapes: Any = PathCollection([path], facecolors=colour, linewidths=0)
                shapes.set(hatch=hatch, edgecolor=self.palette.hatch)
            else:
                shapes = PolyCollection(polygons, facecolors=colour, linewidths=0)
            shapes.set_zorder(z)
            add(shapes, False)
        for z, frames in self._frames.items():
            paths, faces, edges, widths, styles = map(list, zip(*frames, strict=True))
            look = {"facecolors": faces, "edgecolors": edges, "linestyles": styles}
            add(PathCollection(paths, linewidths=widths, zorder=z, **look), False)
