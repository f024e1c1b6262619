"""What is known of one node, in words and numbers: the side panel of the explorer.

Does not: draw, or write HTML; the page sets every piece as text.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from ..asked import StandIn, in_order
from ..plots.short_words import count, number, percent, share
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
from ..tree.structure import Tree

MOST_ROWS, MOST_CLASSES, MOST_ASKED, LONGEST = 8, 8, 5, 28
ROOM = 44  # letters of a line of the table of rows
_JOINED = {
    ALL: "or missing",
    SPLIT: "or missing, in part",
    SINGLE: "or missing, row by row",
    COPY: "or missing, as a copy",
    NEW: "or missing, none seen",
    ASKED: "or missing, by surrogate",
    NEW_ASKED: "or missing, by surrogate, none seen",
}


def shorten(text: object, most: int = LONGEST) -> str:
    """Cut a long text in the middle, and make it one line.

    Parameters
    ----------
    text : object
    most : int, default=LONGEST

    Returns
    -------
    str
    """
    line = " ".join(str(text).split())
    if len(line) <= most:
        return line
    return f"{line[: most // 2].rstrip()}…{line[len(line) - (most - 1) // 2 :].lstrip()}"


def cell(value: Any) -> str | None:
    """Write the value of a cell; None where it is missing.

    Parameters
    ----------
    value : object

    Returns
    -------
    str or None
    """
    if pd.api.types.is_scalar(value) and pd.isna(value):
        return None
    if isinstance(value, (float, np.floating)):
        return number(float(value))
    return shorten(value)


def node_panel(facts: TreeFacts, path: list[int], tree: Tree, measure: str) -> dict[str, Any]:
    """Describe a node.

    Parameters
    ----------
    facts : TreeFacts
    path : list of int
        From the root to the node.
    tree : Tree
    measure : str
        What the impurity is.

    Returns
    -------
    dict
        `head`, `facts`, `rule`, `classes` or `mean`, and `missing`.
    """
    node, root = facts.nodes[path[-1]], facts.nodes[0]
    size = "rows" if facts.counts_rows else "weight"
    whole = f"{count(node.weight)} of {count(root.weight)} {size}"
    depth = f"depth {node.depth}" if node.depth else "root"
    impurity = f"{measure} {tree.impurity[node.number]:.3f}".strip()
    head = node.feature if node.branches else f"leaf: {_answer(facts, node)}"
    return {
        "head": [f"#{node.number}", shorten(head, 60)],
        "facts": f"{whole} · {depth} · {impurity}",
        "rule": [_step(facts.nodes[u], v) for u, v in zip(path, path[1:], strict=False)],
        "classes": _classes(facts, node),
        "missing": _missing(node, size) if node.branches else None,
    }


def measure_name(model: Any) -> str:
    """Name of the impurity of a model.

    Parameters
    ----------
    model : MDTreeClassifier, MDTreeRegressor or Tree

    Returns
    -------
    str
    """
    criterion = getattr(model, "criterion", "impurity")
    return str(getattr(criterion, "name", criterion)).replace("_", " ")


def panel_in_words(panel: dict[str, Any]) -> str:
    """Put a described node into words.

    Parameters
    ----------
    panel : dict
        What `node_panel` returns, with `rows`.

    Returns
    -------
    str
    """
    number, head = panel["head"]
    steps = [" ".join(filter(None, step)) for step in panel["rule"]]
    lines = [f"{number} {head}: {panel['facts']}"]
    lines += [f"rule: {' and '.join(steps) or 'every row starts here'}"]
    lines += [f"{name}: {amount} {part}" for name, _, _, amount, part in panel["classes"]]
    if panel["missing"]:
        miss = panel["missing"]
        lead = " ".join(filter(None, [*miss["lead"], miss["feature"]]))
        ways = [
            f"{words} {'' if v < 0 else f'(#{v}) '}{came} ({'all' if part == '1' else part})"
            for v, words, _, came, part in miss["to"]
        ]
        lines += [f"{lead}. {miss['then']} {'; '.join(ways)}".strip()]
    if panel["rows"]:
        lines += [f"rows: {panel['rows']['note']}"]
    return "\n".join(lines)


def _answer(facts: TreeFacts, node: Node) -> str:
    if facts.classes is None:
        return number(float(f"{node.value[0]:.4g}"))
    return facts.classes[int(np.argmax(node.value))]


def _step(parent: Node, child: int) -> list[str]:
    (branch,) = (b for b in parent.branches if b.child == child)
    words = shorten(f"{parent.feature} {branch.words}", 60)
    return [words, "" if branch.mark == OWN else _JOINED.get(branch.mark, "")]


def _classes(facts: TreeFacts, node: Node) -> list[list[Any]]:
    """Name, number, share and count of each class; or of the mean alone."""
    if facts.classes is None:
        sd = "" if node.sd is None else f"standard deviation {number(float(f'{node.sd:.4g}'))}"
        return [["mean", -1, facts.part(node.value[0]), _answer(facts, node), sd]]
    order = sorted(range(len(node.value)), key=lambda j: (-node.value[j], j))
    several = len(order) > MOST_CLASSES
    kept = sorted(order[: MOST_CLASSES - 1] if several else order)
    lines: list[list[Any]] = [
        [shorten(facts.classes[j], 20), j, p, count(p * node.weight), percent(p)]
        for j, p in ((j, node.value[j]) for j in kept)
    ]
    if several:
        rest = sum(node.value[j] for j in order[MOST_CLASSES - 1 :])
        name = f"{len(order) - len(kept)} others"
        lines.append([name, -1, rest, count(rest * node.weight), percent(rest)])
    return lines


def _missing(node: Node, size: str) -> dict[str, Any]:
    """Who is missing here, and where they went or would go."""
    feature = shorten(node.feature, 40)
    lines = []
    for b in node.branches:
        if b.mark:
            came = count(b.missing) if b.missing else "–"
            how = "by surrogate" if b.mark == NEW_ASKED else share(b.share)
            lines.append([b.child, shorten(b.words, 24), b.share, came, how])
    if node.stops:
        part = node.stops / node.missing
        lines.append([-1, "stay here", part, count(node.stops), share(part)])
    elif node.new_stops:
        lines.append([-1, "stay here", 1.0, "–", "1"])
    if node.missing:
        lead = [f"{count(node.missing)} of {count(node.weight)} {size}", "have no value for"]
        then = "They went:"
        return {"lead": lead, "feature": feature, "then": then, "to": lines, "how": _how(node)}
    if node.test == "is missing":
        lead, then = ["", "The test itself asks who misses"], ""
    else:
        lead = ["", "No row here misses"]
        then = "A later one would go:" if lines else ""
    return {"lead": lead, "feature": feature, "then": then, "to": lines, "how": _how(node)}


def _how(node: Node) -> str:
    """Which surrogates are asked about a row that misses the value; empty for none."""
    if node.asked is None:
        return ""

    def say(its: StandIn) -> str:
        return f"{shorten(its.condition, 40)} (agrees {its.agreement:.2f})"

    words = in_order(node.asked, MOST_ASKED, say)
    for i in range(min(MOST_ASKED, len(node.asked.surrogates))):
        words[i] = f"{i + 1}. {words[i]}"
    return f"Asked in this order (yes = first child): {'; '.join(words)}.".replace("->", "→")


def rows_panel(
    data: pd.DataFrame, shares: Any, first: list[Any], labels: Any, label_name: str
) -> dict[str, Any]:
    """Show some rows of a node.

    Parameters
    ----------
    data : DataFrame
        All rows of the node.
    shares : ndarray
        What part of each is there.
    first : list
        Columns to show first: those that the tree asked on the way.
    labels : Series or None
    label_name : str

    Returns
    -------
    dict
        `columns`, `cells` with None where a value is missing, and a `note`.
    """
    some = data.iloc[:MOST_ROWS]
    lines: list[list[str | None]] = []  # one per column: its name, then its values

    def add(name: object, values: Any) -> None:
        lines.append([shorten(name, 16), *(cell(value) for value in values)])

    if len(shares) and float(np.min(shares)) < 1 - 1e-9:
        add("share", [share(float(part)) for part in shares[:MOST_ROWS]])
    if labels is not None:
        add(label_name, labels.iloc[:MOST_ROWS])
    given = len(lines)
    for column in dict.fromkeys([*(c for c in first if c in data.columns), *data.columns]):
        add(column, some[column])
        wide = sum(2 + max(len(text or "?") for text in line) for line in lines)
        if wide > ROOM and len(lines) - given > 1:
            lines.pop()  # it does not fit
            break
    heads, *cells = (list(row) for row in zip(*lines, strict=True))
    note = f"{len(cells)} of {len(data)}" if len(data) > len(cells) else f"{len(data)}"
    hidden = len(data.columns) + given - len(lines)
    return {"columns": heads, "cells": cells, "note": note, "hidden": hidden}
