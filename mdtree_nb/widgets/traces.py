"""A row's way through a tree under one strategy, as the page draws it.

Does not: follow the row; `plots/path_facts.py` does.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..plots.path_facts import PathCards, RowPath, answer_words, part_words
from ..plots.tree_facts import TreeFacts
from ..plots.tree_options import TreePlotOptions
from ..plots.tree_plan import Plan
from ..strategies import all_strategies
from .scene import tree_scene

MOST_PARTS = 10


def written_trace(
    name: str, path: RowPath, plain: TreeFacts, kids: dict[int, tuple[int, ...]], k: int
) -> dict[str, Any]:
    """Write down a row's way: the tree, what was reached, and what adds up.

    Parameters
    ----------
    name : str
        The strategy.
    path : RowPath
    plain : TreeFacts
        The tree as it was fitted.
    kids : dict
        Children to draw.
    k : int
        Class; 0 for regression.

    Returns
    -------
    dict
    """
    plan = Plan(PathCards(path, plain, TreePlotOptions()), kids, False, 0)
    regression = plain.classes is None

    def amount(part: Any) -> float:
        return float(part.weight if regression else part.amount[k])

    shown, rest = path.parts[:MOST_PARTS], path.parts[MOST_PARTS:]
    return {
        "name": name,
        "scene": tree_scene(path.facts, plan),
        "reached": sorted(set(path.reached) & set(kids)),
        "parts": [
            [part.node, part_words(part, k, plain.classes), part.note, amount(part)]
            for part in shown
        ],
        "others": [len(rest), sum(map(amount, rest))],
        "answer": answer_words(path, k),
        "total": 1.0 if regression else float(path.prediction[k]),
        "class": -1 if regression else k,
    }


def untaught(in_use: Iterable[str]) -> list[str]:
    """Strategies that answer without having seen training rows, and those in use.

    Parameters
    ----------
    in_use : iterable of str

    Returns
    -------
    list of str
    """
    plain = all_strategies()["learned"]
    free = [
        name
        for name, cls in all_strategies().items()
        if cls.study is plain.study and cls.prepare is plain.prepare
    ]
    return list(dict.fromkeys([*in_use, *free]))
