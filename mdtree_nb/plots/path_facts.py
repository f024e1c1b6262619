"""What a picture of one row's way through a tree has to say, read from `explain_row`.

The row is drawn as if it were the whole training table: the weight of a node is the share of
the row that gets there, so the marks of `plot_tree` show it without change.

Does not: route, estimate, measure or draw.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .fonts import fit_ends, fit_set, readable
from .short_words import number, share
from .tree_facts import ALL, COPY, SPLIT, Branch, Node, TreeFacts
from .tree_options import TreePlotOptions
from .tree_plan import PAD, SMALL, Card, Cards, Piece, row_width

UNREACHED = 1e-9  # weight of a way that the row does not take: the thinnest line


@dataclass(frozen=True)
class PathPart:
    """What one node contributes to the answer for a row.

    Attributes
    ----------
    node : int
    weight : float
        What the node counts for.
    value : ndarray of shape (K,)
        Class shares, or the mean, that it answers.
    amount : ndarray of shape (K,)
        Their product; the sum over all parts is the prediction.
    note : str
        Where the answer comes from, if it is not the node's own value.
    """

    node: int
    weight: float
    value: NDArray[np.float64]
    amount: NDArray[np.float64]
    note: str


@dataclass(frozen=True)
class RowPath:
    """One row's way through a tree.

    Attributes
    ----------
    facts : TreeFacts
        The tree with shares of the row for weights.
    reached : dict
        Share of the row by node.
    values : dict
        The row's value, by inner node that it reaches; None where it is missing.
    spoke : dict
        Which surrogate answered for a missing value, by node.
    parts : tuple of PathPart
        The largest first.
    prediction : ndarray of shape (K,)
        Of the whole model.
    n_trees : int
        Trees of the model; this is the way through the first.
    """

    facts: TreeFacts
    reached: dict[int, float]
    values: dict[int, str | None]
    spoke: dict[int, str]
    parts: tuple[PathPart, ...]
    prediction: NDArray[np.float64]
    n_trees: int = 1

    @property
    def best(self) -> int:
        """The most probable class; 0 for regression."""
        return int(np.argmax(self.prediction))

    @property
    def cells(self) -> dict[str, str | None]:
        """The row's values of the columns that it is asked for, from the root on."""
        return {str(self.facts.nodes[v].feature): self.values[v] for v in sorted(self.values)}

    @property
    def n_missing(self) -> int:
        """Number of tests that the row could not answer."""
        return sum(value is None for value in self.values.values())


def read_path(model: Any, x: Any, facts: TreeFacts) -> RowPath:
    """Follow one row through the (first) tree of a fitted estimator.

    Parameters
    ----------
    model : MDTreeClassifier or MDTreeRegressor
    x : object
        As `explain_row` takes it.
    facts : TreeFacts
        Of the same estimator.

    Returns
    -------
    RowPath
    """
    whole = model.explain_row(x)
    first = list(whole.columns).index("goes_to") + 1
    amounts = whole.iloc[:, first:].to_numpy(dtype=float)
    prediction = amounts.sum(axis=0)
    lines = whole
    if "version" in whole.index.names:  # one tree, asked about several completed versions
        nodes = whole.groupby(level="node")
        n_versions = whole.index.get_level_values("version").nunique()
        lines = nodes.first().assign(share=nodes["share"].sum() / n_versions)
        amounts = nodes[list(whole.columns[first:])].sum().to_numpy(dtype=float)
    elif "tree" in whole.index.names:
        lines = whole.xs(0, level="tree")
        amounts = amounts[: len(lines)]  # the first tree comes first
    reached = {int(v): float(s) for v, s in zip(lines.index, lines["share"], strict=True)}
    values = {
        int(v): _value(value)
        for v, value, feature in zip(lines.index, lines["value"], lines["feature"], strict=True)
        if feature
    }
    rules = dict(zip(lines.index, lines["rule"], strict=True))
    parts = [
        _part(facts.nodes[int(v)], amount, rules[v])
        for v, amount in zip(lines.index, amounts, strict=True)
        if np.abs(amount).max() > 0
    ]
    parts.sort(key=lambda part: (-part.weight, part.node))
    drawn: Any = _Reached(facts.nodes, reached, values)
    spoke = {int(v): _speaker(rule) for v, rule in rules.items() if _speaker(rule)}
    facts, n_trees = replace(facts, nodes=drawn), len(model.trees_)
    return RowPath(facts, reached, values, spoke, tuple(parts), prediction, n_trees)


class _Reached(Sequence[Node]):
    """The nodes of a tree with the row's shares for weights; made when they are drawn."""

    def __init__(
        self, plain: tuple[Node, ...], reached: dict[int, float], values: dict[int, str | None]
    ):
        self.plain, self.reached, self.values = plain, reached, values
        self.made: dict[int, Node] = {}

    def __len__(self) -> int:
        return len(self.plain)

    def __getitem__(self, v: Any) -> Any:
        if v not in self.made:
            self.made[v] = _as_reached(self.plain[v], self.reached, self.values)
        return self.made[v]


def _speaker(rule: str) -> str:
    """The test in "surrogate 1: x <= 2, agreement 0.9"; empty for other rules."""
    if not rule.startswith("surrogate "):
        return ""
    return rule.partition(": ")[2].rpartition(", agreement ")[0]


def _value(value: Any) -> str | None:
    if isinstance(value, float):
        return number(value)
    return None if value == "missing" else str(value)


def _part(node: Node, amount: NDArray[np.float64], rule: str) -> PathPart:
    value = np.asarray(node.value)
    _, marked, note = rule.partition("answered here: ")
    if marked:
        return PathPart(node.number, 1.0, amount, amount, note)
    weight = float(amount.sum() / value.sum()) if value.sum() else 0.0
    return PathPart(node.number, weight, value, amount, "")


def _as_reached(node: Node, reached: dict[int, float], values: dict[int, str | None]) -> Node:
    """A node whose weight is the share of the row that gets there."""
    here = reached.get(node.number, 0.0)
    lost = values.get(node.number, "") is None
    went = [reached.get(b.child, 0.0) for b in node.branches]
    taken, total = sum(part > 0 for part in went), sum(went)
    mark = SPLIT if taken > 1 else ALL
    if total > here * (1 + 1e-9):
        mark = COPY
    pairs = zip(node.branches, went, strict=True)
    branches = tuple(_taken(b, part, here, lost, mark) for b, part in pairs)
    return replace(
        node,
        weight=here,
        missing=here if lost else 0.0,
        stops=max(here - total, 0.0) if lost and total < here * (1 - 1e-9) else 0.0,
        new_stops=False,
        lost_all=False,
        branches=branches,
    )


def _taken(branch: Branch, part: float, here: float, lost: bool, mark: str) -> Branch:
    if not part:
        return replace(branch, known=UNREACHED, missing=0.0, share=0.0, mark="")
    known, missing = (0.0, part) if lost else (part, 0.0)
    return replace(
        branch, known=known, missing=missing, share=part / here, mark=mark if lost else ""
    )


def open_along(path: RowPath, paths: Iterable[RowPath], most: int) -> dict[int, tuple[int, ...]]:
    """Children to draw: of the nodes that a row reaches by any of some ways.

    Parameters
    ----------
    path : RowPath
        Any of them.
    paths : iterable of RowPath
        Ways through the same tree.
    most : int
        Nodes to draw at most; where the row gets with its largest shares comes first.

    Returns
    -------
    dict
    """
    share_of: dict[int, float] = {}
    for one in paths:
        for v, part in one.reached.items():
            share_of[v] = max(part, share_of.get(v, 0.0))
    nodes = path.facts.nodes
    kids: dict[int, tuple[int, ...]] = {0: ()}
    for v in sorted(share_of, key=lambda v: (-round(share_of[v], 12), nodes[v].depth, v)):
        children = nodes[v].children
        if v in kids and children and (not v or len(kids) + len(children) <= most):
            kids[v] = children
            kids.update(dict.fromkeys(children, ()))
    return kids


class PathCards(Cards):
    """Cards of a tree that say what became of one row.

    Parameters
    ----------
    path : RowPath
    plain : TreeFacts
        The tree as it was fitted.
    options : TreePlotOptions
    """

    def __init__(self, path: RowPath, plain: TreeFacts, options: TreePlotOptions):
        super().__init__(path.facts, options)
        self.path, self.plain = path, plain
        self.n_below = cache(plain.n_below)

    def _card(self, v: int, inner: bool, right: bool, detail: int) -> Card:
        card = super()._card(v, inner, right, detail)
        if v not in self.path.reached:
            pale = (piece._replace(colour="muted", bold=False) for piece in card.head)
            if inner:
                return self._resized(card, tuple(pale), (Piece("not reached"),))
            more = card.info[-1:] if self.plain.nodes[v].branches else ()
            return self._resized(card, tuple(pale), (Piece(f"#{v}"), *more))
        ids = (Piece(f"#{v}"),)
        part = Piece(f"gets {part_of(self.path.reached[v])}", SMALL, "ink")
        if not inner:
            return self._resized(card, card.head, (*ids, part, *card.info[2:]))
        value = self.path.values[v]
        has = Piece("missing", SMALL, "missing", True)
        if v in self.path.spoke:
            words = fit_ends(readable(self.path.spoke[v]), 14.0)
            return self._resized(card, card.head, (has, Piece(words, SMALL, "missing")))
        if value is not None:
            has = Piece(f"row: {fit_ends(readable(value), 9.0)}", SMALL, "ink")
        return self._resized(card, card.head, (has,))

    @staticmethod
    def _resized(card: Card, head: tuple[Piece, ...], info: tuple[Piece, ...]) -> Card:
        w = max(row_width(head), row_width(info), 5.6 if card.inner else 4.6) + 2 * PAD
        return replace(card, head=head, info=info, badge=None, w=w)

    def says(self, node: Node, room: float) -> str:
        """What a leaf predicts, whether the row gets there or not."""
        return super().says(self.plain.nodes[node.number], room)

    def _label(self, node: Node, branch: Branch, detail: int) -> tuple[Piece, ...]:
        words = fit_set(readable(branch.words), 16.0)
        part = self.path.reached.get(branch.child, 0.0)
        if not part:
            return (Piece(words, 0.95, "muted"),)
        text = "the whole row" if part > 1 - 1e-9 else f"{part_of(part)} of the row"
        if branch.mark == COPY:
            text = "a copy of the row"
        return (
            Piece(words, 0.95, "ink"),
            Piece(text, SMALL, "missing" if branch.missing else "ink", True),
        )


def part_of(x: float) -> str:
    """Write a share of a row; a small one is not nothing.

    Parameters
    ----------
    x : float

    Returns
    -------
    str

    Examples
    --------
    >>> part_of(0.375), part_of(14 / 37), part_of(0.0042)
    ('0.375', '0.38', '0.004')
    """
    return share(x) if x >= 0.01 else f"{x:.1g}"


def _factor(weight: float) -> str:
    """Write what is multiplied with three decimals, or less where they say nothing."""
    return f"{weight:.3f}".rstrip("0").rstrip(".") if weight >= 0.001 else f"{weight:.1g}"


def part_words(part: PathPart, k: int, classes: tuple[str, ...] | None) -> str:
    """Write what a node contributes as a product.

    Parameters
    ----------
    part : PathPart
    k : int
        Class; 0 for regression.
    classes : tuple of str or None

    Returns
    -------
    str
    """

    def write(x: float) -> str:
        return f"{x:.3f}" if classes is not None else number(float(f"{x:.4g}"))

    if part.note:
        return write(part.amount[k])
    return f"{_factor(part.weight)} × {write(part.value[k])} = {write(part.amount[k])}"


def answer_words(path: RowPath, k: int) -> str:
    """Write the prediction: the probability of a class, or the mean.

    Parameters
    ----------
    path : RowPath
    k : int

    Returns
    -------
    str
    """
    if path.facts.classes is None:
        return f"prediction {number(float(f'{path.prediction[0]:.4g}'))}"
    return f"P({path.facts.classes[k]}) = {path.prediction[k]:.3f}"
