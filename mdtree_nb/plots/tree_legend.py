"""What stands above a drawn tree: title, note, and the legend of the marks it uses."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from .fonts import fit_ends, fit_start, readable, width
from .pen import Pen
from .short_words import number
from .theme import class_look, ramp
from .tree_facts import ALL, ASKED, COPY, NEW, NEW_ASKED, OWN, SINGLE, SPLIT, Node, TreeFacts
from .tree_marks import DASHES, FAINT, draw_badge, draw_gauge, draw_strip
from .tree_plan import MARGIN, SMALL, Piece, Plan

MEANING = {
    ALL: "missing rows, all to this child",
    SPLIT: "missing rows, split by share",
    SINGLE: "missing rows, sent one by one",
    ASKED: "missing rows, sent by surrogates",
    COPY: "missing rows, copied to each child",
    OWN: "missing rows, a child of their own",
    NEW: "none missing in training; a later one goes this way",
    NEW_ASKED: "none missing in training; surrogates send a later one",
}
_KEY, _GAP, _ROW = 2.0, 1.5, 1.5  # em: width of a sample, between entries, height of a line
_MOST_CLASSES = 14


class Entry(NamedTuple):
    """A sample of a mark, and what it means."""

    kind: str
    key: object
    text: str

    @property
    def width(self) -> float:
        """Width in em."""
        return _KEY + 0.4 + width(self.text) * SMALL


_BADGE = Entry("badge", "S2", "number of surrogates")


@dataclass(frozen=True)
class Header:
    """What stands above a tree.

    Attributes
    ----------
    title, note : str
        "" = none.
    legend : bool
    facts : TreeFacts
    """

    title: str
    note: str
    legend: bool
    facts: TreeFacts

    @property
    def wanted(self) -> float:
        """Width in em that shows title and note in full, and a legend in few lines."""
        texts = max(1.3 * width(self.title, bold=True), 0.95 * width(self.note), 24.0)
        return max(texts, 44.0 if self.legend else 0.0) + 2 * MARGIN

    def height(self, wide: float, entries: list[Entry]) -> float:
        """Height in em on a page that is `wide` em wide."""
        lines = len(_lines(entries, wide - 2 * MARGIN)) if self.legend else 0
        texts = (1.9 if self.title else 0) + (1.5 if self.note else 0)
        return 1.0 + texts + _ROW * lines + (0.6 if texts or lines else 0.2)

    def draw(self, pen: Pen, entries: list[Entry]) -> None:
        """Draw it across the top of the page."""
        em, x, y = pen.em, MARGIN * pen.em, 1.0 * pen.em
        room = pen.width / em - 2 * MARGIN
        if self.title:
            y += 0.75 * em
            pen.text(x, y, fit_start(self.title, room / 1.3, bold=True), 1.3, bold=True)
            y += 1.15 * em
        if self.note:
            y += 0.6 * em
            pen.text(x, y, fit_start(self.note, room / 0.95), 0.95, "muted")
            y += 0.9 * em
        if not self.legend:
            return
        for line in _lines(entries, room):
            y += 0.75 * em
            at = x
            for entry in line:
                _sample(pen, entry, at, y)
                label = fit_start(entry.text, room / SMALL - _KEY)
                pen.text(at + (_KEY + 0.4) * em, y, label, SMALL, "muted")
                at += (entry.width + _GAP) * em
            y += 0.75 * em


def tree_entries(facts: TreeFacts, plan: Plan) -> list[Entry]:
    """Entries for a tree of cards.

    Parameters
    ----------
    facts : TreeFacts
    plan : Plan

    Returns
    -------
    list of Entry
        Only for marks that are drawn.
    """
    entries = value_entries(facts)
    inner = [facts.nodes[v] for v, kids in plan.kids.items() if kids]
    if inner:
        rows = "rows" if facts.counts_rows else "weight"
        entries.append(Entry("flow", "flow", f"known {rows}; width ∝ {rows}"))
    used = {branch.mark for node in inner for branch in node.branches}
    entries += [Entry("lane", mark, text) for mark, text in MEANING.items() if mark in used]
    if any(node.stops for node in inner):
        entries.append(Entry("stop", ALL, "missing rows stop at the node"))
    if any(node.new_stops for node in inner):
        entries.append(Entry("stop", NEW, "none missing in training; a later one stops"))
    if any(node.missing for node in inner):
        entries.append(Entry("gauge", 0, "share of the rows here that miss the tested value"))
        if plan.detail:
            entries.append(Entry("sign", "?", "missing"))
    if any(node.asked for node in inner):
        entries.append(_BADGE)
    if plan.n_hidden:
        text = f"nodes hidden below ({plan.n_hidden} of {len(facts.nodes)})"
        entries.append(Entry("more", "+k", text))
    return entries


def icicle_entries(facts: TreeFacts, nodes: Iterable[Node], n_hidden: int) -> list[Entry]:
    """Entries for an icicle.

    Parameters
    ----------
    facts : TreeFacts
    nodes : iterable of Node
        Those that are drawn.
    n_hidden : int

    Returns
    -------
    list of Entry
    """
    entries, nodes = value_entries(facts, ramp_only=True), list(nodes)
    if any(branch.missing for node in nodes for branch in node.branches):
        entries.append(Entry("gauge", 0, "weight that came here through a missing value"))
    if any(branch.mark == COPY for node in nodes for branch in node.branches):
        entries.append(Entry("sign", "×", "copied rows: children are narrowed to fit"))
    if any(node.stops for node in nodes):
        entries.append(Entry("stopped", 0, "missing rows stop here"))
    drawn = {node.number for node in nodes}
    if any(node.asked and drawn.intersection(node.children) for node in nodes):
        entries.append(Entry("sign", "S2", "number of surrogates"))
    if n_hidden:
        text = f"nodes hidden below ({n_hidden} of {len(facts.nodes)})"
        entries.append(Entry("dotted", 0, text))
    return entries


def value_entries(facts: TreeFacts, ramp_only: bool = False) -> list[Entry]:
    """Entries for the classes, or for the scale of the means.

    Parameters
    ----------
    facts : TreeFacts
    ramp_only : bool, default=False
        Means without their deviation.

    Returns
    -------
    list of Entry
    """
    if facts.classes is not None:
        shown = [
            Entry("class", j, fit_ends(readable(name), 15.0))
            for j, name in enumerate(facts.classes[:_MOST_CLASSES])
        ]
        more = len(facts.classes) - len(shown)
        return shown + ([Entry("sign", f"+{more}", "more classes")] if more else [])
    low, high = (number(float(f"{end:.4g}")) for end in facts.span)
    if ramp_only:
        return [Entry("ramp", 0, f"mean, {low} to {high}")]
    deviation = " ± 1 SD" if facts.nodes[0].sd is not None else ""
    return [Entry("strip", bool(deviation), f"mean{deviation} on one scale, {low} to {high}")]


def _lines(entries: list[Entry], room: float) -> list[list[Entry]]:
    """Break a legend into lines that fit."""
    lines: list[list[Entry]] = []
    used = 0.0
    for entry in entries:
        if not lines or used + entry.width > room:
            lines.append([])
            used = 0.0
        lines[-1].append(entry)
        used += entry.width + _GAP
    return lines


def _sample(pen: Pen, entry: Entry, x: float, y: float) -> None:
    em, kind = pen.em, entry.kind
    w, h = _KEY * em, 0.72 * em
    box = (x, y - h / 2, w, h)
    if kind == "class":
        colour, hatch = class_look(int(str(entry.key)))
        pen.fill(*box, colour, hatch)
    elif kind == "ramp":
        for i in range(12):
            colour = "#" + "".join(f"{round(255 * part):02X}" for part in ramp(i / 11)[:3])
            pen.fill(x + w * i / 12, box[1], w / 12 + 0.2, h, colour)
    elif kind == "strip":
        draw_strip(pen, box, 0.5, *((0.25, 0.75) if entry.key else (0.5, 0.5)))
    elif kind == "gauge":
        draw_gauge(pen, (x, y - 0.14 * em, w, 0.28 * em), 0.4, 1.0)
    elif kind == "stopped":
        pen.fill(*box, "tint")
        pen.fill(x, box[1], w, 2.2, "missing", z=4.2)
    elif kind == "dotted":
        pen.line([(x, y), (x + w, y)], 1.6, "ink", (1.6, 1.6), z=4.7)
    elif kind == "flow":
        pen.line([(x, y), (x + w, y)], 3.2, "flow", z=2)
    elif kind in ("lane", "stop"):
        mark = str(entry.key)
        if kind == "stop":
            w -= 0.3 * em
            pen.line([(x + w, y - 0.5 * em), (x + w, y + 0.5 * em)], 1.6, "missing", z=2)
        elif mark not in FAINT:
            pen.line([(x, y), (x + w, y)], 4, "ribbon")
        pen.line([(x, y), (x + w, y)], 0.8 if mark in FAINT else 1.5, "missing", DASHES[mark], z=2)
    elif kind == "badge":
        draw_badge(pen, Piece(str(entry.key), SMALL, "missing", True), x + w, y)
    else:
        colour = "missing" if entry.key == "?" else "ink"
        pen.text(x + w / 2, y, str(entry.key), SMALL, colour, bold=True, align="center")
