"""What stands below a drawn tree: for each node the surrogates it asks, and in which order.

Does not: find them (`asked.py`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ..asked import StandIn, in_order
from .fonts import fit_ends, fit_set, fit_start, readable, width
from .pen import Pen
from .short_words import edge_words
from .tree_facts import Node, TreeFacts
from .tree_plan import MARGIN, SMALL

_ROW, _HEAD = 1.3, 2.4  # em: height of a line; of the heading with the space above it
_NAME, _WORDS, _WIDEST = 15.0, 14.0, 74.0  # em: a column, its values, a pleasant line
_MOST = 3  # surrogates that a line names


@dataclass(frozen=True)
class AskedList:
    """The surrogates of the drawn nodes, a line for each.

    Attributes
    ----------
    facts : TreeFacts
    most : int
        Nodes to name; 0 = no list. Of more nodes those stay that most weight misses, and one
        line counts the others.
    """

    facts: TreeFacts
    most: int

    @property
    def wanted(self) -> float:
        """Width in em that shows the lines in full, if that is not too wide."""
        nodes = self._listed(range(len(self.facts.nodes)))
        lines = [_heading(nodes), *(_in_full(node) for node in nodes)] if nodes else []
        return min(max((SMALL * width(line) for line in lines), default=0.0) + 2 * MARGIN, _WIDEST)

    def height(self, shown: Iterable[int]) -> float:
        """Height in em below a tree that shows these nodes."""
        nodes = self._listed(shown)
        return _HEAD + _ROW * min(len(nodes), self.most + 1) if nodes else 0.0

    def draw(self, pen: Pen, shown: Iterable[int], top: float) -> None:
        """Write it, from a height in points on."""
        nodes = self._listed(shown)
        if not nodes:
            return
        em, room = pen.em, (pen.width / pen.em - 2 * MARGIN) / SMALL
        y = top + (_HEAD - 0.6 * _ROW) * em
        heading = fit_start(_heading(nodes), room, bold=True)
        pen.text(MARGIN * em, y, heading, SMALL, bold=True)
        kept = nodes
        if len(nodes) > self.most + 1:  # the line that counts could as well name a single one
            kept = sorted(nodes, key=lambda node: (-node.missing, -node.weight))[: self.most]
        lines = [_fitting(node, room) for node in sorted(kept, key=lambda node: node.number)]
        if len(kept) < len(nodes):
            lines.append(f"and {len(nodes) - len(kept)} more nodes")
        for line in lines:
            y += _ROW * em
            pen.text(MARGIN * em, y, line, SMALL, "muted")

    def _listed(self, shown: Iterable[int]) -> list[Node]:
        nodes = (self.facts.nodes[v] for v in shown) if self.most else ()
        return [node for node in nodes if node.asked is not None]


def _heading(nodes: list[Node]) -> str:
    """A question is about the rows that ask it."""
    asked = [node.asked for node in nodes if node.asked is not None]
    if not any(its.later for its in asked):
        who = "When a training row missed the tested value, it asked"
    elif not any(its.in_training for its in asked):
        who = "When a later row misses the tested value, it asks"
    else:
        who = "When the tested value is missing, ask"
    return f"{who} in this order (yes = first child):"


def _line(node: Node, most: int, last: bool = True) -> str:
    """Name a node and what it asks, and at last what happens if none can tell."""
    if node.asked is None:
        return ""
    name = fit_ends(readable(node.feature), _NAME)
    asks = in_order(node.asked, most, _say)
    n = min(most, len(node.asked.surrogates))
    asks = [f"{i}. {words}" for i, words in enumerate(asks[:n], 1)] + asks[n:]
    asks = asks if last else asks[:-1]
    return f"#{node.number} {name}:  {';  '.join(asks).replace('-> ', '→ ')}"


def _in_full(node: Node) -> str:
    return _line(node, _MOST)


def _fitting(node: Node, room: float) -> str:
    """Name as many surrogates as fit into a line."""
    lines = [*(_line(node, most) for most in range(_MOST, 0, -1)), _line(node, 1, last=False)]
    fits = (line for line in lines if width(line) <= room)
    return next(fits, fit_start(lines[-1], room))


def _say(its: StandIn) -> str:
    name = fit_ends(readable(its.feature), _NAME)
    words = fit_set(readable(edge_words(its.condition, its.feature, its.test)), _WORDS)
    return f"{name} {words} (agrees {its.agreement:.2f})"
