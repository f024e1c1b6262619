"""The marks of a drawn tree: cards, bars, edges with their lane of missing values, stubs.

Known rows are a solid edge. Missing rows have a lane of their own on the outer side of the
same edge: a pale band of true width with thin dashes, whose pattern says how they were
sent. Both widths are linear in weight.
"""

from __future__ import annotations

from .pen import Pen
from .theme import ramp
from .tree_facts import (
    ALL,
    ASKED,
    COPY,
    NEW,
    NEW_ASKED,
    OWN,
    SINGLE,
    SPLIT,
    Branch,
    Node,
    TreeFacts,
)  # fmt: skip
from .tree_layout import Box, beside, curve, lane_widths, ports
from .tree_plan import ASIDE, BAR, CHIP, PAD, Piece, Plan

DASHES = {
    ALL: (4.5, 2.2),
    SPLIT: (1.5, 1.5),
    COPY: (1.5, 1.5),
    SINGLE: (6.0, 1.8, 1.5, 1.8),
    ASKED: (6.0, 1.8, 1.5, 1.8),
    OWN: (4.5, 2.2),
    NEW: (1.0, 3.0),
    NEW_ASKED: (3.5, 2.5, 1.0, 2.5),
}
FAINT = (NEW, NEW_ASKED)  # none came in training
WIDEST = 13.0  # points of an edge that carries all rows
_LEAST = (0.9, 1.3)  # points of the thinnest edge, and of the thinnest lane
_BETWEEN = 1.4  # points between the two lanes


def draw_tree(pen: Pen, facts: TreeFacts, plan: Plan, left: float, top: float) -> None:
    """Draw a planned tree.

    Parameters
    ----------
    pen : Pen
    facts : TreeFacts
    plan : Plan
    left, top : float
        Place of the plan's upper left corner in points.
    """
    em = pen.em

    def at(box: Box) -> Box:
        return Box(left + box.x * em, top + box.y * em, box.w * em, box.h * em)

    for v, box in plan.placed.cards.items():
        node = facts.nodes[v]
        if plan.kids[v]:
            leave = plan.placed.leave[v] * em + (left if plan.right else top)
            labels = [at(plan.placed.labels[c]) for c in plan.kids[v]]
            _edges(pen, facts, node, plan, at(box), leave, labels)
            if node.stops or node.new_stops:
                _stub(pen, facts, node, plan, at(box))
        if v:
            _label(pen, at(plan.placed.labels[v]), plan.labels[v])
        _card(pen, facts, node, plan, at(box))


def _edges(
    pen: Pen, facts: TreeFacts, node: Node, plan: Plan, card: Box, leave: float, labels: list[Box]
) -> None:
    """Draw the edges to the children, which end at their labels."""
    right, branches = plan.right, node.branches
    scale = _points_per_weight(pen, facts, plan)
    pairs = lane_pairs(branches, scale, 1.0)
    widths = [a + m + (_BETWEEN if a and m else 0.0) for a, m in pairs]
    side = 0.8 * (card.h if right else card.w)
    shifts = ports(widths, side, 1.1 * pen.em)
    for j, (label, shift) in enumerate(zip(labels, shifts, strict=True)):
        if right:
            start = (card.x + card.w, card.y + card.h / 2 + shift)
            end = (label.x, label.y + label.h / 2)
        else:
            start = (card.x + card.w / 2 + shift, card.y + card.h)
            end = (label.x + label.w / 2, label.y)
        path = curve(start, leave, end, right)
        outer = 1.0 if (j < len(branches) / 2) == right else -1.0
        (known, missing), whole = pairs[j], widths[j]
        if known:
            pen.line(beside(path, -outer * (whole - known) / 2), known, "flow", z=1.5)
        if missing:
            lane = beside(path, outer * (whole - missing) / 2)
            if missing > 2:
                pen.line(lane, missing, "ribbon", z=1.8)
            pen.line(lane, min(missing, 1.5), "missing", DASHES[branches[j].mark], z=2)


def lane_pairs(
    branches: tuple[Branch, ...], scale: float, point: float
) -> list[tuple[float, float]]:
    """Widths of the known and of the missing lane to each child.

    Parameters
    ----------
    branches : tuple of Branch
    scale : float
        Width per weight.
    point : float
        Length of a point.

    Returns
    -------
    list of tuple of float
    """
    least = (_LEAST[0] * point, _LEAST[1] * point)
    pairs = [lane_widths(b.known, b.missing, scale, least) for b in branches]
    return [
        (known, 0.8 * point) if b.mark in FAINT else (known, missing)
        for b, (known, missing) in zip(branches, pairs, strict=True)
    ]


def _points_per_weight(pen: Pen, facts: TreeFacts, plan: Plan) -> float:
    """A wide edge needs room to bend."""
    widest = min(WIDEST, 0.42 * plan.placed.bend * pen.em)
    return widest / max(facts.nodes[0].weight, 1e-300)


def _stub(pen: Pen, facts: TreeFacts, node: Node, plan: Plan, card: Box) -> None:
    """Rows that go no further: a lane that ends at a bar, across the way of the edges."""
    scale = _points_per_weight(pen, facts, plan)
    width = max(node.stops * scale, _LEAST[1]) if node.stops else 0.8
    dashes = DASHES[ALL if node.stops else NEW]
    length, bar = (ASIDE - 0.5) * pen.em, max(0.6 * pen.em, width / 2 + 2)
    if plan.right:
        x, y = card.x + card.w - 1.2 * pen.em, card.y + card.h
        lane, end = [(x, y), (x, y + length)], [(x - bar, y + length), (x + bar, y + length)]
    else:
        x, y = card.x + card.w, card.y + card.h / 2
        lane, end = [(x, y), (x + length, y)], [(x + length, y - bar), (x + length, y + bar)]
    if width > 2:
        pen.line(lane, width, "ribbon", z=1.8)
    pen.line(lane, min(width, 1.5), "missing", dashes, z=2)
    pen.line(end, 1.6, "missing", z=2.1)


def _label(pen: Pen, box: Box, pieces: tuple[Piece, ...]) -> None:
    pen.fill(box.x, box.y, box.w, box.h, "paper", z=2.5)
    for i, piece in enumerate(pieces):
        y = box.y + (0.72 + 1.16 * i) * pen.em
        middle = box.x + box.w / 2
        pen.text(middle, y, piece.text, piece.size, piece.colour, bold=piece.bold, align="center")


def _card(pen: Pen, facts: TreeFacts, node: Node, plan: Plan, box: Box) -> None:
    em, card = pen.em, plan.cards[node.number]
    folded = node.number in plan.folded
    if folded:  # looks like a pile of cards
        pen.frame(box.x + 3, box.y + 3, box.w, box.h, "paper", line=0.7, z=2.8)
    light = card.inner or folded or node.weight <= 0
    edge = "missing" if node.lost_all else "border" if light else "ink"
    line = 0.8 if light and not node.lost_all else 1.3
    pen.frame(*box, "card", edge, line=line, dashed=node.lost_all)
    x, wide = box.x + PAD * em, box.w - 2 * PAD * em
    if card.one_line:
        y = box.y + box.h / 2
        draw_value(pen, facts, node, (x, y - 0.42 * em, BAR * em, 0.84 * em))
        after = _row(pen, card.head, x + (BAR + 0.5) * em, y)
        _row(pen, card.info, after + 0.3 * em, y)
        return
    # A leaf shows its answer before its words, an inner node its question first.
    bar, head = (1.75, 0.95) if card.inner else (0.45, 2.1)
    _row(pen, card.head, x, box.y + head * em)
    draw_value(pen, facts, node, (x, box.y + bar * em, wide, 0.8 * em))
    if card.badge:
        draw_badge(pen, card.badge, x + wide, box.y + head * em)
    if card.inner:
        draw_gauge(pen, (x, box.y + 2.68 * em, wide, 0.24 * em), node.missing, node.weight)
    _row(pen, card.info, x, box.y + box.h - (0.75 if card.inner else 0.85) * em)


def _row(pen: Pen, pieces: tuple[Piece, ...], x: float, y: float) -> float:
    """Write texts side by side; returns where the next one would start."""
    for piece in pieces:
        pen.text(x, y, piece.text, piece.size, piece.colour, bold=piece.bold)
        x += (piece.width + 0.5) * pen.em
    return x


def draw_badge(pen: Pen, piece: Piece, right: float, y: float) -> None:
    """Write a text on a ground of its own.

    Parameters
    ----------
    pen : Pen
    piece : Piece
    right, y : float
        Its right end and its middle in points.
    """
    w, h = (piece.width + 2 * CHIP) * pen.em, 1.2 * pen.em
    pen.frame(right - w, y - h / 2, w, h, "tint", "missing", radius=0.45 * pen.em, z=5)
    middle = right - w / 2
    pen.text(middle, y, piece.text, piece.size, piece.colour, bold=True, align="center")


def draw_gauge(pen: Pen, box: tuple[float, float, float, float], part: float, whole: float) -> None:
    """Draw the share of the weight that misses the tested value.

    Parameters
    ----------
    pen : Pen
    box : tuple of float
        x, y, width and height in points.
    part, whole : float
    """
    x, y, w, h = box
    pen.fill(x, y, w, h, "faint")
    if part > 0:
        pen.fill(x, y, max(w * part / whole, 1.2), h, "missing", z=4.2)


def draw_value(
    pen: Pen, facts: TreeFacts, node: Node, box: tuple[float, float, float, float]
) -> None:
    """Draw class shares as a bar, or a mean as a tick in the band of its deviation.

    Parameters
    ----------
    pen : Pen
    facts : TreeFacts
    node : Node
    box : tuple of float
        x, y, width and height in points.
    """
    x, y, w, h = box
    if facts.classes is not None:
        pen.class_bar(x, y, w, h, node.value)
        return
    mean, sd = node.value[0], node.sd or 0.0
    draw_strip(pen, box, facts.part(mean), facts.part(mean - sd), facts.part(mean + sd))


def draw_strip(
    pen: Pen, box: tuple[float, float, float, float], mean: float, low: float, high: float
) -> None:
    """Draw a mean and its band on a scale from 0 to 1.

    Parameters
    ----------
    pen : Pen
    box : tuple of float
        x, y, width and height in points.
    mean, low, high : float
    """
    x, y, w, h = box
    pen.fill(x, y, w, h, "faint")
    colour = "#" + "".join(f"{round(255 * part):02X}" for part in ramp(mean)[:3])
    pen.fill(x + w * low, y, max(w * (high - low), 1.0), h, colour, z=4.1)
    tick = x + w * mean
    pen.fill(tick - 1.7, y - 0.5, 3.4, h + 1, "paper", z=4.2)
    pen.fill(tick - 0.8, y - 1, 1.6, h + 2, "ink", z=4.3)
