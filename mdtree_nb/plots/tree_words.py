"""A drawn tree in words: the text for screen readers and for tests of notebooks."""

from __future__ import annotations

from collections.abc import Sequence

from ..asked import after_route, by_surrogates
from .tree_facts import COPY, NEW, Node, TreeFacts

MOST_LINES = 63


def tree_in_words(facts: TreeFacts, shown: Sequence[int], title: str) -> str:
    """Describe a tree, one line per node that the picture shows.

    Parameters
    ----------
    facts : TreeFacts
    shown : sequence of int
        Nodes in the picture, by number.
    title : str

    Returns
    -------
    str
        The first line says what the whole is. Every node says how it is reached, its
        weight and its value; an inner node what it asks, how much misses the answer and
        where that went, or where a later missing value would go.
    """
    hidden = len(facts.nodes) - len(shown)
    head = f"{title or facts.title}. {facts.note}."
    if hidden:
        head += f" {hidden} of {len(facts.nodes)} nodes are hidden."
    visible = set(shown)
    lines = [head, *(_line(facts, facts.nodes[v], visible) for v in shown[:MOST_LINES])]
    if len(shown) > MOST_LINES:
        lines.append(f"and {len(shown) - MOST_LINES} more nodes; export_text writes them all")
    return "\n".join(lines)


def _line(facts: TreeFacts, node: Node, visible: set[int]) -> str:
    parts = [f"#{node.number}"]
    if node.condition:
        parts.append(f"if {' '.join(node.condition.split())}")
    if node.branches:
        asks = f"{node.feature} missing?" if node.test == "is missing" else str(node.feature)
        parts.append(f"asks {' '.join(asks.split())}")
    head = " ".join(parts[:2]) + (f", {parts[2]}" if len(parts) > 2 else "")
    count = f"{'n' if facts.counts_rows else 'weight'} {node.weight:.6g}"
    text = f"{head}, {count}: {_value(facts, node)}"
    if not node.branches:
        return text
    if node.children[0] not in visible:
        return f"{text}; {facts.n_below(node.number)} nodes below are hidden"
    return text + _missing(node)


def _value(facts: TreeFacts, node: Node) -> str:
    if facts.classes is None:
        deviation = "" if node.sd is None else f", sd {node.sd:.3g}"
        return f"mean {node.value[0]:.4g}{deviation}"
    return ", ".join(
        f"{' '.join(name.split())} {part:.2f}"
        for name, part in zip(facts.classes, node.value, strict=True)
        if part > 0
    )


def _missing(node: Node) -> str:
    """Where missing values went, or would go."""
    if node.missing:
        ways = []
        for branch in node.branches:
            if not branch.missing:
                continue
            how = f"{branch.missing:.6g} to #{branch.child}"
            if branch.mark == COPY:
                how = f"copied to #{branch.child}"
            elif branch.share > 1 - 1e-9:
                how = f"all to #{branch.child}"
            ways.append(how)
        if node.stops:
            ways.append(f"{node.stops:.6g} stop here")
        how = after_route(node.asked)
        return f"; {node.missing:.6g} missing: {', '.join(ways)}{how}"
    if node.asked is not None:
        return f"; a later missing value goes {by_surrogates(node.asked)}"
    if node.new_stops:
        return "; a later missing value stops here"
    later = [b for b in node.branches if b.mark == NEW]
    if not later:
        return ""
    ways = [f"#{b.child}" + ("" if b.share > 1 - 1e-9 else f" ({b.share:.2f})") for b in later]
    return f"; a later missing value goes to {', '.join(ways)}"
