"""A planned tree as a few compact lists, which is what the page draws.

The plan is that of `plot_tree`: same cards, same words, same places. Lengths are whole
hundredths of an em (the size of the letters).

Does not: decide which nodes are shown, or know a widget.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from ..plots.theme import class_look, ramp
from ..plots.tree_facts import (
    ALL,
    ASKED,
    COPY,
    NEW,
    NEW_ASKED,
    OWN,
    SINGLE,
    SPLIT,
    Node,
    TreeFacts,
)  # fmt: skip
from ..plots.tree_layout import Box, ports
from ..plots.tree_marks import DASHES, lane_pairs
from ..plots.tree_plan import Piece, Plan
from .panel import shorten

MARKS = (ALL, SPLIT, SINGLE, COPY, OWN, NEW, ASKED, NEW_ASKED)
WIDTHS = ("root", "parent", "fixed")
EM_POINTS = 9.0  # of the letters for which a point is what `plot_tree` takes it for
CLASSES = 7  # drawn of each node; the others together are grey
LOOKS = 49  # pairs of colour and hatch, after which they start again
# Flags of a node.
INNER, FOLDED, LOST_ALL, STOPS, NEW_STOPS, FOUND = 1, 2, 4, 8, 16, 32
_FIXED = (0.34, 0.2)


def tree_scene(
    facts: TreeFacts, plan: Plan, edge_width: str = "root", found: Collection[int] = ()
) -> dict[str, Any]:
    """Write down a planned tree.

    Parameters
    ----------
    facts : TreeFacts
    plan : Plan
    edge_width : {"root", "parent", "fixed"}
        What the width of an edge is a share of.
    found : collection of int
        Nodes to mark, with the folded nodes that hide one.

    Returns
    -------
    dict
        `nodes` has one list per node, a parent before its children, of which
        `drawing.js` says what stands where.
    """
    order = sorted(plan.kids)
    styles: dict[tuple[float, str, bool], int] = {}
    words: dict[str, int] = {}
    edges = {}
    for v in order:
        if plan.kids[v]:
            edges.update(_edges(facts, facts.nodes[v], plan, edge_width))
    parent = {kid: v for v in order for kid in plan.kids[v]}

    def write(pieces: tuple[Piece, ...]) -> list[int]:
        """Places in `words`, where a text stands once however often it is drawn."""
        texts = [chr(97 + styles.setdefault(p[1:], len(styles))) + p.text for p in pieces]
        return [words.setdefault(text, len(words)) for text in texts]

    nodes = []
    for v in order:
        node, card = facts.nodes[v], plan.cards[v]
        leave = _whole(plan.placed.leave[v]) if plan.kids[v] else 0
        line: list[Any] = [v, parent.get(v, -1), node.depth, _flags(node, plan, v in found)]
        line += [_box(plan.placed.cards[v]), leave, write(card.head), write(card.info)]
        line += [_value(facts, node), round(1000 * node.missing / max(node.weight, 1e-300))]
        if v:
            label = _box(plan.placed.labels[v])[2:]  # it stands on the middle of the card
            line += [label, write(plan.labels[v]), edges[v]]
        nodes.append(line)
    classes = facts.classes or ()
    return {
        "size": [_whole(plan.placed.width), _whole(plan.placed.height)],
        "styles": [[size, colour, int(bold)] for size, colour, bold in styles],
        "words": list(words),  # a letter for the style, then the text
        "looks": [list(class_look(j)) for j in range(min(len(classes), LOOKS))],
        "classes": [shorten(name) for name in classes[:CLASSES]],
        "n_classes": len(classes),
        "marks": [[_MEANS[mark], list(DASHES[mark])] for mark in MARKS],
        "total": len(facts.nodes),
        "nodes": nodes,
    }


# How a dashed lane reads in the legend.
_MEANS = {
    ALL: "missing, all together",
    SPLIT: "missing, each row in parts",
    SINGLE: "missing, row by row",
    COPY: "missing, a copy to each child",
    OWN: "missing, a child of their own",
    NEW: "none seen; a later one goes here",
    ASKED: "missing, sent by surrogates",
    NEW_ASKED: "none seen; surrogates send a later one",
}


def _whole(length: float) -> int:
    return round(100 * length)


def _box(box: Box) -> list[int]:
    return [_whole(side) for side in box]


def _flags(node: Node, plan: Plan, is_found: bool) -> int:
    v = node.number
    is_open = bool(plan.kids[v])
    return (
        INNER * is_open
        + FOLDED * (v in plan.folded)
        + LOST_ALL * node.lost_all
        + STOPS * (is_open and node.stops > 0)
        + NEW_STOPS * (is_open and node.new_stops)
        + FOUND * is_found
    )


def _value(facts: TreeFacts, node: Node) -> list[Any]:
    """Class, per mille, class, per mille, ...; or mean, its band and its colour.

    Class -1 stands for all that are not worth a piece of their own.
    """
    if facts.classes is not None:
        mille = [round(1000 * p) for p in node.value]
        largest = sorted(range(len(mille)), key=lambda j: (-mille[j], j))[:CLASSES]
        kept = [(j, mille[j]) for j in sorted(largest) if mille[j]]
        rest = 1000 - sum(p for _, p in kept)
        kept += [(-1, rest)] if rest > len(node.value) else []
        return [number for pair in kept for number in pair]
    mean, sd = node.value[0], node.sd or 0.0
    parts = [round(1000 * facts.part(x)) for x in (mean, mean - sd, mean + sd)]
    colour = "".join(f"{round(255 * part):02X}" for part in ramp(facts.part(mean))[:3])
    return [*parts, f"#{colour}"]


def _edges(facts: TreeFacts, node: Node, plan: Plan, edge_width: str) -> dict[int, list[int]]:
    """Widths of both lanes, place on the card's side and mark, of the edge to each child."""
    whole = node.weight if edge_width == "parent" else facts.nodes[0].weight
    scale, point = 0.42 * plan.placed.bend / max(whole, 1e-300), 1 / EM_POINTS
    pairs = lane_pairs(node.branches, scale, point)
    if edge_width == "fixed":
        known, missing = _FIXED
        pairs = [(known * bool(a), min(m, missing) if m else 0.0) for a, m in pairs]
    widths = [a + m + (1.4 * point if a and m else 0.0) for a, m in pairs]
    card = plan.placed.cards[node.number]
    shifts = ports(widths, 0.8 * card.w, 1.1)
    n = len(node.branches)
    return {
        b.child: [
            _whole(a),
            _whole(m),
            _whole(shift),
            MARKS.index(b.mark) if b.mark else -1,
            -1 if j < n / 2 else 1,
        ]
        for j, (b, (a, m), shift) in enumerate(zip(node.branches, pairs, shifts, strict=True))
    }
