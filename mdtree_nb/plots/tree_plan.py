"""Which texts a tree of cards shows, and how densely, so that it fits its page.

Everything is measured in em (the base font size) first and scaled to points last: text
never overlaps and never gets smaller than allowed. What does not fit is drawn in a denser
way, in this order: shorter labels; growing to the right, a leaf in one line; folding the
lightest subtrees into stubs.

Does not: draw.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from .fonts import fit_ends, fit_set, readable, width
from .short_words import count, number, percent, share
from .tree_facts import ALL, ASKED, COPY, NEW, NEW_ASKED, OWN, Branch, Node, TreeFacts
from .tree_layout import BEND_DOWN, Placement, folding_order, place
from .tree_options import TreePlotOptions

MARGIN = 1.2  # around everything
SMALL = 0.88  # size of counts and ids, the smallest text
PAD = 0.45  # between the frame of a card and its contents
CHIP = 0.35  # between the frame of a badge and its text
BAR = 5.2  # width of the bar of a leaf in one line
ASIDE = 1.5  # length of the stub of rows that stop

# Room in em for names, levels and classes, and for the bend of edges to the right.
_NAME, _LEVEL, _CLASS, _BEND = (15, 11, 7.5), (16, 11, 7), (13, 9.5, 6), (2.8, 2.4, 1.8)


class Piece(NamedTuple):
    """A text on a card or an edge."""

    text: str
    size: float = SMALL
    colour: str = "muted"
    bold: bool = False

    @property
    def width(self) -> float:
        """Width in em."""
        return width(self.text, self.bold) * self.size


@dataclass(frozen=True)
class Card:
    """The texts of a node and the size of its card in em."""

    head: tuple[Piece, ...]
    info: tuple[Piece, ...]
    inner: bool
    one_line: bool
    badge: Piece | None
    w: float
    h: float


class Plan:
    """One way to draw a tree.

    Parameters
    ----------
    cards : Cards
    kids : dict
        Children that are drawn, of each node that is drawn.
    right : bool
    detail : int
        0 = full labels, 2 = the shortest.
    """

    def __init__(self, cards: Cards, kids: dict[int, tuple[int, ...]], right: bool, detail: int):
        nodes = cards.facts.nodes
        self.kids, self.right, self.detail = kids, right, detail
        self.folded = {v: cards.n_below(v) for v in kids if nodes[v].branches and not kids[v]}
        self.cards = {v: cards.card(v, bool(kids[v]), right, detail) for v in kids}
        self.labels = {
            b.child: cards.label(nodes[v], b, detail)
            for v in kids
            if kids[v]
            for b in nodes[v].branches
        }
        stubs = [v for v in kids if kids[v] and (nodes[v].stops or nodes[v].new_stops)]
        self.placed: Placement = place(
            kids,
            {v: (card.w, card.h) for v, card in self.cards.items()},
            {v: _label_size(pieces) for v, pieces in self.labels.items()},
            right=right,
            bend=_BEND[detail] if right else BEND_DOWN,
            aside=dict.fromkeys(stubs, ASIDE),
        )

    @property
    def n_hidden(self) -> int:
        """Number of nodes that are folded away."""
        return sum(self.folded.values())


class Cards:
    """Texts of cards and edges at every density.

    Parameters
    ----------
    facts : TreeFacts
    options : TreePlotOptions
    """

    def __init__(self, facts: TreeFacts, options: TreePlotOptions):
        self.facts, self.options = facts, options
        self.card = cache(self._card)
        self.label = cache(self._label)
        self.n_below = cache(facts.n_below)

    def _card(self, v: int, inner: bool, right: bool, detail: int) -> Card:
        node, options = self.facts.nodes[v], self.options
        ids = [Piece(f"#{v}")] if options.show_ids else []
        size = f"{'n' if self.facts.counts_rows else 'weight'} {count(node.weight)}"
        info = [Piece(size)] if options.show_counts else []
        badge = None
        if inner:
            name = fit_ends(readable(node.feature), _NAME[detail], bold=True)
            head = [*ids, Piece(name, 1.0, "ink", True)]
            if node.test == "is missing":
                head.append(Piece("missing?", SMALL, "missing"))
            info += self._lost(node, detail)
            if node.asked is not None:
                badge = Piece(f"S{len(node.asked.surrogates)}", SMALL, "missing", True)
        else:
            head = [Piece(self.says(node, _CLASS[detail]), 1.0, "ink", True)]
            info = ids + info
            if node.branches:
                info.append(Piece(f"+{self.n_below(v)} nodes", SMALL, "ink", True))
        wide = [row_width(row) for row in (head, info)]
        if badge:
            wide[0] += 0.7 + badge.width + 2 * CHIP
        if right and not inner:
            w = BAR + 0.5 + wide[0] + (0.8 + wide[1] if info else 0) + 2 * PAD
            return Card(tuple(head), tuple(info), inner, True, None, w, 1.6)
        w = max(*wide, 5.6 if inner else 4.6) + 2 * PAD
        h = (4.35 if inner else 4.1) - (0 if info else 1.2)
        return Card(tuple(head), tuple(info), inner, False, badge, w, h)

    def _lost(self, node: Node, detail: int) -> list[Piece]:
        """What is missing here, and what of it goes no further."""
        pieces = []
        if node.missing:
            pieces.append(f"{'missing' if detail == 0 else '?'} {count(node.missing)}")
        if node.stops and node.stops >= node.missing * (1 - 1e-9):
            pieces[0] += ", stop here"
        elif node.stops:
            pieces.append(f"{count(node.stops)} stop here")
        elif node.new_stops:
            pieces.append("if missing, stops here")
        return [Piece(text, SMALL, "missing") for text in pieces]

    def says(self, node: Node, room: float) -> str:
        """What a leaf predicts."""
        if node.weight <= 0:
            return "no rows"
        if self.facts.classes is None:
            return number(float(f"{node.value[0]:.4g}"))
        best = max(range(len(node.value)), key=node.value.__getitem__)
        name = fit_ends(readable(self.facts.classes[best]), room, bold=True)
        return f"{name} {percent(node.value[best])}"

    def _label(self, node: Node, branch: Branch, detail: int) -> tuple[Piece, ...]:
        words = fit_set(readable(branch.words), _LEVEL[detail])
        came, part = count(branch.missing), share(branch.share)
        if branch.mark == OWN:
            own = "own child" if detail < 2 else "own"
            return (
                Piece(words, 0.95, "missing", True),
                Piece(f"{came}, {own}", SMALL, "missing"),
            )
        test = Piece(words, 0.95, "ink")
        if not branch.mark or (branch.mark == NEW_ASKED and detail == 2):
            return (test,)
        if branch.mark == NEW:
            text = "if missing" + ("" if part == "1" else f" ({part})")
        elif branch.mark == NEW_ASKED:
            text = "by surrogate"
        else:
            whole = branch.mark == ALL or (branch.mark == ASKED and part == "1")
            part = "copied" if branch.mark == COPY else "all" if whole else part
            brief = detail == 2 and whole
            text = f"{'missing' if detail == 0 else '?'} {came}{'' if brief else f' ({part})'}"
        return (test, Piece(text, SMALL, "missing"))


def row_width(row: list[Piece] | tuple[Piece, ...]) -> float:
    """Width in em of texts side by side."""
    return sum(piece.width for piece in row) + 0.5 * max(len(row) - 1, 0)


def _label_size(pieces: tuple[Piece, ...]) -> tuple[float, float]:
    return max(piece.width for piece in pieces) + 0.5, 1.16 * len(pieces) + 0.2


@dataclass(frozen=True)
class Room:
    """The page that a tree has to fit on.

    Attributes
    ----------
    width, height : float
        In points.
    fixed : bool
        Must the page be filled as it is? Else it is as small as its contents, and grows
        where even the root and its children do not fit.
    max_points : float
    wanted : float
        Width in em that is pleasant for what stands above the tree.
    header : callable
        From a page's width in em and a plan to the height of what stands above, in em.
    below : callable
        From a plan to the height of what stands below, in em.
    """

    width: float
    height: float
    fixed: bool
    max_points: float
    wanted: float
    header: Callable[[float, Plan], float]
    below: Callable[[Plan], float]

    def page(self, plan: Plan, em: float) -> tuple[float, float]:
        """Width of the page in em, and the height of what stands above the tree."""
        wide = self.width / em
        if not self.fixed:
            wide = max(plan.placed.width + 2 * MARGIN, min(wide, self.wanted))
        return wide, self.header(wide, plan)

    def em(self, plan: Plan) -> float:
        """Largest font size at which a plan fits."""
        em = min(self.max_points, self.width / (plan.placed.width + 2 * MARGIN))
        _, above = self.page(plan, em)
        return min(em, self.height / (above + plan.placed.height + self.below(plan) + MARGIN))


class Fit(NamedTuple):
    """A plan and the font size at which it fits."""

    plan: Plan
    em: float


def choose_plan(facts: TreeFacts, options: TreePlotOptions, room: Room) -> Fit:
    """Find the clearest way to draw a tree that fits.

    Parameters
    ----------
    facts : TreeFacts
    options : TreePlotOptions
    room : Room

    Returns
    -------
    Fit
        Where nothing fits, the smallest drawing, at the smallest font size.
    """
    cards = Cards(facts, options)
    all_kids = _down_to(facts, options.max_depth)
    order = folding_order(all_kids, {v: facts.nodes[v].weight for v in all_kids})
    least = options.min_points / SMALL

    def best(n_folded: int) -> Fit:
        kids = _fold(all_kids, set(order[:n_folded]))
        fits = []
        for right, detail in ((False, 0), (False, 1), (True, 0), (True, 1), (True, 2)):
            if options.orientation == "auto" or right == (options.orientation == "right"):
                plan = Plan(cards, kids, right, detail)
                fits.append(Fit(plan, room.em(plan)))
                if fits[-1].em >= min(8.0, options.max_points):
                    break
        return max(fits, key=lambda fit: round(min(fit.em, 8.0), 1))

    few, many = 0, max(len(order) - (0 if room.fixed else 1), 0)
    found = best(few)
    if found.em >= least or not many:
        return found._replace(em=max(found.em, least))
    found = best(many)
    while few + 1 < many:
        middle = (few + many) // 2
        fit = best(middle)
        if fit.em >= least:
            many, found = middle, fit
        else:
            few = middle
    return found._replace(em=max(found.em, least))


def _down_to(facts: TreeFacts, max_depth: int | None) -> dict[int, tuple[int, ...]]:
    """Children that are drawn, by node."""
    limit = len(facts.nodes) if max_depth is None else max_depth
    return {
        node.number: node.children if node.depth < limit else ()
        for node in facts.nodes
        if node.depth <= limit
    }


def _fold(kids: dict[int, tuple[int, ...]], folded: set[int]) -> dict[int, tuple[int, ...]]:
    """What is left when some nodes hide what is below them."""
    left, waiting = {}, [0]
    while waiting:
        v = waiting.pop()
        left[v] = () if v in folded else kids[v]
        waiting.extend(left[v])
    return left
