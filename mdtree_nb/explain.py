"""One row's way through a fitted tree, as a table.

Does not: route; it reads the same `Reach` that predictions come from.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from .table import UNSEEN, Table
from .tree.kernels.codes import IS_MISSING
from .tree.routing import Reach
from .tree.strategy import Strategy, in_words
from .tree.structure import Tree


def explain_reaches(
    reaches: list[tuple[Tree, Table, Reach]],
    strategy: Strategy,
    classes: NDArray[Any] | None,
) -> pd.DataFrame:
    """Describe every node that one row visits.

    Parameters
    ----------
    reaches : list of (Tree, Table, Reach)
        The row as each tree saw it, and where it went.
    strategy : Strategy
        The one that routed the row.
    classes : ndarray of shape (K,) or None

    Returns
    -------
    DataFrame
        See `MDTreeClassifier.explain_row`.
    """
    lines = []
    for number, (tree, table, reach) in enumerate(reaches):
        through, ends = reach.through.tocsr(), reach.ends.tocsr() / len(reaches)
        lines += [
            {"tree": number, **_line(tree, strategy, table, int(v), through, ends, classes)}
            for v in np.sort(through.indices)
        ]
    frame = pd.DataFrame(lines)
    if len(reaches) > 1:
        return frame.set_index(["tree", "node"])
    return frame.drop(columns="tree").set_index("node")


def _line(
    tree: Tree,
    strategy: Strategy,
    table: Table,
    v: int,
    through: Any,
    ends: Any,
    classes: NDArray[Any] | None,
) -> dict[str, Any]:
    share = float(through[0, v])
    line: dict[str, Any] = {
        "node": v,
        "depth": int(tree.depth[v]),
        "share": share,
        "feature": "",
        "value": "",
        "test": "",
        "rule": "leaf",
        "goes_to": {},
    }
    feature = int(tree.feature[v])
    if feature >= 0:
        line["feature"] = table.schema.names[feature]
        line["value"] = _value(table, feature)
        line["test"] = tree.condition(tree.children(v)[0])
        line["goes_to"] = {
            c: float(through[0, c]) / share for c in tree.children(v) if through[0, c] > 0
        }
        line["rule"] = _rule(tree, strategy, v, float(table.values[0, feature]))
    contribution = float(ends[0, v]) * tree.value[v]
    names = ["contribution"] if classes is None else [f"P({c})" for c in classes]
    line.update(zip(names, map(float, contribution), strict=True))
    return line


def _rule(tree: Tree, strategy: Strategy, v: int, value: float) -> str:
    """Say what decided about a value: its test, or the strategy in words."""
    if np.isnan(value) and tree.kind[v] != IS_MISSING:
        return f"{strategy.name}: {strategy.describe(tree, v)}"
    levels = tree.level_table(v)
    if len(levels) and (value < 0 or levels[int(value)] < 0):
        return f"level not seen here: {in_words(tree, v, strategy.unseen_shares(tree))}"
    return "known"


def _value(table: Table, feature: int) -> Any:
    value = table.values[0, feature]
    levels = table.schema.levels[feature]
    if np.isnan(value):
        return "missing"
    if levels is None:
        return float(value)
    return "unseen level" if value == UNSEEN else levels[int(value)]
