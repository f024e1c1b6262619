"""A tree as an icicle: one row of cells per depth, as wide as their weights.

For trees with too many leaves for cards. A strip on top of a cell is the part of its
weight that came through a missing value; what stops at a node is a pale cell below it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .fonts import fit_ends, readable, width
from .pen import Pen
from .short_words import count, number, percent
from .theme import class_look, ramp
from .tree_facts import Node, TreeFacts
from .tree_options import TreePlotOptions

TALLEST, LOWEST = 30.0, 1.75  # points of the tallest row; em of the lowest with text
LEFT, BETWEEN = 2.6, 1.2  # em for depth numbers; points between rows
_STRIP = 2.2  # points of the strip of missing values


class Cell(NamedTuple):
    """A node's place: offset and width as parts of the whole, and its depth."""

    node: int
    start: float
    width: float
    depth: int


class Icicle(NamedTuple):
    """A laid out icicle.

    Attributes
    ----------
    cells : list of Cell
    stopped : list of Cell
        What stops at a node, below it.
    n_rows : int
    row : float
        Height of a row in points.
    """

    cells: list[Cell]
    stopped: list[Cell]
    n_rows: int
    row: float

    def inner(self, facts: TreeFacts) -> list[int]:
        """Nodes whose children are drawn, too."""
        drawn = {cell.node for cell in self.cells}
        return sorted(v for v in drawn if drawn.intersection(facts.nodes[v].children))


def lay_out(facts: TreeFacts, max_depth: int | None, height: float, em: float) -> Icicle:
    """Place the cells of a tree, as deep as text still fits into a row.

    Children lie side by side under their parent. Where rows were copied they weigh more
    than it does and are drawn narrower, so that they fit.

    Parameters
    ----------
    facts : TreeFacts
    max_depth : int or None
    height : float
        Height for all rows in points.
    em : float
        Size of the smallest text.

    Returns
    -------
    Icicle
    """
    deepest = max(node.depth for node in facts.nodes)
    fits = max(int(height / (LOWEST * em)) - 1, 0)
    limit = min(deepest, fits, deepest if max_depth is None else max_depth)
    cells, stopped = [Cell(0, 0.0, 1.0, 0)], []
    for cell in cells:
        node = facts.nodes[cell.node]
        if cell.depth == limit or not node.branches:
            continue
        weights = [facts.nodes[c].weight for c in node.children]
        total = max(sum(weights) + node.stops, node.weight)
        scale = cell.width / total if total > 0 else 0.0
        at = cell.start
        for child, weight in zip(node.children, weights, strict=True):
            cells.append(Cell(child, at, weight * scale, cell.depth + 1))
            at += weight * scale
        if node.stops:
            stopped.append(Cell(cell.node, at, node.stops * scale, cell.depth + 1))
    return Icicle(cells, stopped, limit + 1, min(TALLEST, height / (limit + 1)))


def draw_icicle(
    pen: Pen, facts: TreeFacts, icicle: Icicle, top: float, options: TreePlotOptions
) -> None:
    """Draw a laid out icicle.

    Parameters
    ----------
    pen : Pen
        Its base font size is the size of the text.
    facts : TreeFacts
    icicle : Icicle
    top : float
        Where the first row starts, in points.
    options : TreePlotOptions
    """
    left = LEFT * pen.em
    whole = pen.width - left - 1.2 * pen.em
    high = icicle.row - BETWEEN
    for depth in range(icicle.n_rows):
        y = top + icicle.row * depth + high / 2
        pen.text(left - 0.6 * pen.em, y, str(depth), 1.0, "muted", align="right")
    drawn = {cell.node for cell in icicle.cells}
    came = {b.child: b.missing for node in facts.nodes for b in node.branches}
    for cell in icicle.cells:
        node, w = facts.nodes[cell.node], whole * cell.width
        inset = min(0.6, 0.12 * w)
        x, y = left + whole * cell.start + inset / 2, top + icicle.row * cell.depth
        box = (x, y, max(w - inset, 0.15), high)
        _fill(pen, facts, node, box)
        lost = came.get(node.number, 0.0)
        if lost > 0:
            part = min(lost / node.weight, 1.0)
            pen.fill(box[0], box[1], box[2], _STRIP + 0.4, "paper", z=4.5)
            pen.fill(box[0], box[1], max(box[2] * part, 0.4), _STRIP, "missing", z=4.6)
        cut = bool(node.branches) and node.children[0] not in drawn
        _foot(pen, node, box, cut)
        _name(pen, facts, node, box, cut, options)
    for cell in icicle.stopped:
        x, y = left + whole * cell.start, top + icicle.row * cell.depth
        pen.fill(x, y, max(whole * cell.width - 0.6, 0.15), high, "tint")
        pen.fill(x, y, max(whole * cell.width - 0.6, 0.15), _STRIP, "missing", z=4.6)


def _fill(pen: Pen, facts: TreeFacts, node: Node, box: tuple[float, ...]) -> None:
    x, y, w, h = box
    if facts.classes is None:
        shade = ramp(facts.part(node.value[0]))
        pen.fill(x, y, w, h, "#" + "".join(f"{round(255 * part):02X}" for part in shade[:3]))
    elif w > 3:
        pen.class_bar(x, y, w, h, node.value)
    else:
        pen.fill(x, y, w, h, class_look(int(np.argmax(node.value)))[0])


def _foot(pen: Pen, node: Node, box: tuple[float, ...], cut: bool) -> None:
    """A leaf is closed by a dark foot, a cut node by a dotted one."""
    x, y, w, h = box
    if cut:
        pen.line([(x, y + h), (x + w, y + h)], 1.6, "ink", (1.6, 1.6), z=4.7)
    elif not node.branches:
        pen.fill(x, y + h - 0.7, w, 1.4, "ink", z=4.7)


def _name(
    pen: Pen,
    facts: TreeFacts,
    node: Node,
    box: tuple[float, ...],
    cut: bool,
    options: TreePlotOptions,
) -> None:
    """Write the longest text that fits into a cell, on a ground of its own."""
    x, y, w, h = box
    mark = f"#{node.number}" if options.show_ids else ""
    if node.branches:
        name = f"{mark} {fit_ends(readable(node.feature), 14.0)}".strip()
        if node.test == "is missing":
            name += " missing?"
    elif facts.classes is None:
        name = number(float(f"{node.value[0]:.4g}"))
    else:
        best = int(np.argmax(node.value))
        name = f"{fit_ends(readable(facts.classes[best]), 10.0)} {percent(node.value[best])}"
    size = f" · n {count(node.weight)}" if options.show_counts and facts.counts_rows else ""
    more = f" · +{facts.n_below(node.number)} nodes" if cut else ""
    asks = f" · S{len(node.asked.surrogates)}" if node.asked and not cut else ""
    bold = not node.branches
    for text in (name + size + asks + more, name + size + more, name + size, name, mark):
        wide = width(text, bold) * pen.em + 4
        if text and wide <= w - 2:
            tall = 1.4 * pen.em
            top = y + (h - tall) / 2 + (_STRIP / 2 if h > tall + 2 * _STRIP else 0)
            pen.frame(x + (w - wide) / 2, top, wide, tall, "paper", "paper", line=0, z=5, radius=3)
            pen.text(x + w / 2, top + tall / 2, text, 1.0, bold=bold, align="center")
            return
