"""Where the parts of a drawn tree go: numbers only.

All lengths are in one unit, x runs right and y down. A tree of cards is laid out after
Reingold and Tilford for any number of children and any sizes; an icicle by weights.

Does not: draw, measure text, or know what a node is.
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Children = Mapping[int, Sequence[int]]

GAP_DOWN, GAP_RIGHT = 0.8, 0.5  # between neighbours, across the direction of growth
AIR = 0.25  # between a card and the label of its edge
BEND_DOWN = 2.9  # room in which an edge bends


class Box(NamedTuple):
    """A rectangle: upper left corner and size."""

    x: float
    y: float
    w: float
    h: float


@dataclass(frozen=True)
class Placement:
    """A laid out tree of cards.

    Attributes
    ----------
    cards, labels : dict
        Box of each node, and of the label of the edge that leads to it.
    leave : dict
        Where the edges of each inner node leave their level: y, or x if it grows right.
    bend : float
        Room in which an edge bends.
    right : bool
        Does the tree grow to the right?
    width, height : float
    """

    cards: dict[int, Box]
    labels: dict[int, Box]
    leave: dict[int, float]
    bend: float
    right: bool
    width: float
    height: float


def preorder(children: Children) -> list[int]:
    """Nodes from the root 0, each before its children and these in order.

    Parameters
    ----------
    children : mapping from int to sequence of int

    Returns
    -------
    list of int
    """
    order, stack = [], [0]
    while stack:
        v = stack.pop()
        order.append(v)
        stack.extend(reversed(children[v]))
    return order


def tidy(
    children: Children,
    size: Mapping[int, float],
    gap: float,
    span: Mapping[int, int] | None = None,
) -> tuple[dict[int, float], float]:
    """Place nodes across the direction of growth.

    Siblings are packed from one end and from the other; both packings are free of
    overlaps, hence so is their mean, which spreads small subtrees evenly between large
    ones. A parent stands in the middle of its first and last child.

    Parameters
    ----------
    children : mapping from int to sequence of int
    size : mapping from int to float
        Extent of each node across the direction of growth.
    gap : float
        Least distance of neighbours.
    span : mapping from int to int or None, default=None
        Levels that a node reaches over, 1 where it is not listed.

    Returns
    -------
    centre : dict
    breadth : float
    """
    order = preorder(children)
    relative, low, high = {0: 0.0}, {}, {}
    for v in reversed(order):
        kids, half = children[v], size[v] / 2
        own = (span or {}).get(v, 1)
        low[v], high[v] = np.full(own, -half), np.full(own, half)
        if not kids:
            continue
        forth = _pack([low[k] for k in kids], [high[k] for k in kids], gap)
        back = _pack([-high[k] for k in kids[::-1]], [-low[k] for k in kids[::-1]], gap)
        at = (forth - back[::-1]) / 2
        at -= (at[0] + at[-1]) / 2
        deep = max(len(low[k]) for k in kids)
        low_kids, high_kids = np.full(deep, np.inf), np.full(deep, -np.inf)
        for k, x in zip(kids, at, strict=True):
            relative[k] = float(x)
            part = slice(len(low[k]))
            low_kids[part] = np.minimum(low_kids[part], low.pop(k) + x)
            high_kids[part] = np.maximum(high_kids[part], high.pop(k) + x)
        low[v] = np.concatenate([low[v][:1], low_kids])
        high[v] = np.concatenate([high[v][:1], high_kids])
    centre = {0: -float(low[0].min())}
    for v in order:
        for k in children[v]:
            centre[k] = centre[v] + relative[k]
    return centre, float(high[0].max() - low[0].min())


def _pack(low: list[Floats], high: list[Floats], gap: float) -> Floats:
    """Put outlines side by side, as far to the low end as they go."""
    at, front = np.zeros(len(low)), high[0]
    for j in range(1, len(low)):
        m = min(len(front), len(low[j]))
        at[j] = np.max(front[:m] - low[j][:m]) + gap
        mine = high[j] + at[j]
        front = np.concatenate([mine, front[len(mine) :]])
    return at


def place(
    children: Children,
    cards: Mapping[int, tuple[float, float]],
    labels: Mapping[int, tuple[float, float]],
    *,
    right: bool,
    bend: float = BEND_DOWN,
    aside: Mapping[int, float] | None = None,
) -> Placement:
    """Lay out a tree of cards.

    Parameters
    ----------
    children : mapping from int to sequence of int
    cards : mapping from int to tuple of float
        Width and height of each card.
    labels : mapping from int to tuple of float
        Width and height of the label on the edge that leads to a node; not for the root.
    right : bool
        Grow to the right instead of down.
    bend : float, default=BEND_DOWN
    aside : mapping from int to float or None, default=None
        Room that some cards need on both sides, across the direction of growth.

    Returns
    -------
    Placement
    """
    along, across = (0, 1) if right else (1, 0)
    level = {0: 0}
    for v in preorder(children):
        level.update(dict.fromkeys(children[v], level[v] + 1))
    start, column_end = _columns(children, level, cards, labels, along, right, bend)
    size, span = {}, {}
    for v, card in cards.items():
        label = labels[v][across] if v else 0.0
        size[v] = max(card[across] + 2 * (aside or {}).get(v, 0.0), label)
        end = start[level[v]] + card[along]
        # A long leaf reaches into the columns behind it, and over the bends before them.
        span[v] = 1 + sum(end > x for x in column_end[level[v] :])
    centre, breadth = tidy(children, size, GAP_RIGHT if right else GAP_DOWN, span)
    boxes, label_boxes = {}, {}
    for v, (w, h) in cards.items():
        s, c = start[level[v]], centre[v]
        boxes[v] = Box(s, c - h / 2, w, h) if right else Box(c - w / 2, s, w, h)
        if v:
            lw, lh = labels[v]
            label_boxes[v] = (
                Box(s - AIR - lw, c - lh / 2, lw, lh) if right else Box(c - lw / 2, s - lh, lw, lh)
            )
    length = max(start[level[v]] + card[along] for v, card in cards.items())
    leave = {v: column_end[level[v]] for v in cards if children[v]}
    shape = (length, breadth) if right else (breadth, length)
    return Placement(boxes, label_boxes, leave, bend, right, *shape)


def _columns(
    children: Children,
    level: Mapping[int, int],
    cards: Mapping[int, tuple[float, float]],
    labels: Mapping[int, tuple[float, float]],
    along: int,
    right: bool,
    bend: float,
) -> tuple[list[float], list[float]]:
    """Start of every level, and the end of its inner cards."""
    deep = max(level.values())
    thick, lane = [0.0] * (deep + 1), [0.0] * (deep + 1)
    for v, d in level.items():
        if children[v] or not right:
            thick[d] = max(thick[d], cards[v][along])
        if v:
            lane[d] = max(lane[d], labels[v][along] + (AIR if right else 0.0))
    start, end = [0.0], [thick[0]]
    for d in range(1, deep + 1):
        start.append(end[-1] + bend + lane[d])
        end.append(start[-1] + thick[d])
    return start, end


def folding_order(children: Children, weight: Mapping[int, float]) -> list[int]:
    """Order in which nodes are folded, each after all inner nodes below it.

    Of the nodes that have only leaves below, the lightest comes first: what is folded
    together holds the fewest rows.

    Parameters
    ----------
    children : mapping from int to sequence of int
    weight : mapping from int to float

    Returns
    -------
    list of int
        All inner nodes; the root is the last.
    """
    parent = {k: v for v, kids in children.items() for k in kids}
    waiting = {v: sum(bool(children[k]) for k in kids) for v, kids in children.items() if kids}
    ready = [(weight[v], -v) for v, n in waiting.items() if not n]
    heapq.heapify(ready)
    order = []
    while ready:
        v = -heapq.heappop(ready)[1]
        order.append(v)
        if v in parent:
            above = parent[v]
            waiting[above] -= 1
            if not waiting[above]:
                heapq.heappush(ready, (weight[above], -above))
    return order


def lane_widths(
    known: float, missing: float, scale: float, least: tuple[float, float]
) -> tuple[float, float]:
    """Widths of the two lanes of an edge: linear in weight, but never invisible.

    Parameters
    ----------
    known, missing : float
        Weights.
    scale : float
        Width per weight.
    least : tuple of float
        Least width of each lane that carries weight.

    Returns
    -------
    tuple of float
        0 for a lane without weight.
    """
    return (
        max(known * scale, least[0]) if known > 0 else 0.0,
        max(missing * scale, least[1]) if missing > 0 else 0.0,
    )


def ports(widths: Sequence[float], room: float, gap: float) -> list[float]:
    """Where edges of these widths leave a card, from its middle; they overlap if they must.

    Parameters
    ----------
    widths : sequence of float
    room : float
        Length of the side of the card.
    gap : float
        Wanted distance between edges.

    Returns
    -------
    list of float
        Centres of the edges.
    """
    n, total = len(widths), sum(widths)
    if n > 1:
        gap = min(gap, max((room - total) / (n - 1), 0.0))
    used = total + gap * (n - 1)
    at, centres = -used / 2, []
    for w in widths:
        centres.append(at + w / 2)
        at += w + gap
    squeeze = min(1.0, room / used) if used else 1.0
    return [c * squeeze for c in centres]


def curve(start: Sequence[float], leave: float, end: Sequence[float], right: bool) -> Floats:
    """Path of an edge: straight out of its card, then one smooth bend.

    Parameters
    ----------
    start, end : sequence of float
        x and y.
    leave : float
        y up to which it runs straight (x if it grows right).
    right : bool

    Returns
    -------
    ndarray of shape (25 or 26, 2)
    """
    p, q = np.asarray(start, dtype=float), np.asarray(end, dtype=float)
    axis = 0 if right else 1
    bend = p.copy()
    bend[axis] = leave
    pull = np.zeros(2)
    pull[axis] = 0.58 * (q - bend)[axis]
    t = np.linspace(0, 1, 25)[:, None]
    path = (
        (1 - t) ** 3 * bend
        + 3 * (1 - t) ** 2 * t * (bend + pull)
        + 3 * (1 - t) * t**2 * (q - pull)
        + t**3 * q
    )
    return path if abs(leave - p[axis]) < 1e-9 else np.vstack([p, path])


def beside(path: Floats, distance: float) -> Floats:
    """Shift a path to the left of somebody who walks along it.

    Parameters
    ----------
    path : ndarray of shape (n, 2)
    distance : float

    Returns
    -------
    ndarray of shape (n, 2)
    """
    step = np.gradient(path, axis=0)
    normal = np.stack([step[:, 1], -step[:, 0]], axis=1)
    length = np.hypot(normal[:, 0], normal[:, 1])[:, None]
    return np.asarray(path + distance * normal / np.where(length > 0, length, 1.0))
