"""One row's way through a fitted tree, as a table.

Does not: route or estimate; it reads the same `Reach` that predictions come from, and asks
the same strategy.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from .columns import UNSEEN
from .prediction import Case, Predictor
from .table import Table
from .tree.kernels.codes import IS_MISSING
from .tree.shares import in_words
from .tree.strategy import Strategy
from .tree.structure import Tree

DECIDED_BY_ITSELF = ("known", "leaf")


def explain(predictor: Predictor, table: Table, classes: NDArray[Any] | None) -> pd.DataFrame:
    """Describe every node that one row visits.

    Parameters
    ----------
    predictor : Predictor
    table : Table
        The row.
    classes : ndarray of shape (K,) or None

    Returns
    -------
    DataFrame
        See `MDTreeClassifier.explain_row`.
    """
    cases = predictor.cases(table)
    names = ["contribution"] if classes is None else [f"P({c})" for c in classes]
    missing = np.isnan(table.values[0])
    holes = {name for name, hole in zip(table.schema.names, missing, strict=True) if hole}
    level = "tree" if len(predictor.trees) > 1 else "version"
    lines = []
    for number, case in enumerate(cases):
        for line, part in zip(*_lines(predictor, case), strict=True):
            filled = line["feature"] in holes and line["value"] != "missing"
            if filled and line["rule"] == "known":
                line["rule"] = f"{predictor.strategy.name}: filled in"
            contribution = dict(zip(names, map(float, part / len(cases)), strict=True))
            lines.append({level: number, **line, **contribution})
    frame = pd.DataFrame(lines)
    if len(cases) > 1:
        return frame.set_index([level, "node"])
    return frame.drop(columns=level).set_index("node")


def as_frame(table: Table, index: Any) -> pd.DataFrame:
    """Write a table with its levels in place of their codes.

    Parameters
    ----------
    table : Table
    index : Index or None

    Returns
    -------
    DataFrame
    """
    columns: dict[str, Any] = {}
    for f, (name, levels) in enumerate(zip(table.schema.names, table.schema.levels, strict=True)):
        column = table.values[:, f]
        if levels is not None:
            labels = [*levels, None, "unseen level"]  # UNSEEN is -1
            codes = np.where(np.isnan(column), len(levels), column).astype(np.intp)
            columns[name] = np.array([labels[code] for code in codes.tolist()], dtype=object)
        else:
            columns[name] = column
    return pd.DataFrame(columns, index=index)


def _lines(predictor: Predictor, case: Case) -> tuple[list[dict[str, Any]], NDArray[np.float64]]:
    """Lines of one tree, and what each contributes to its answer."""
    strategy, tree = predictor.strategy, case.tree
    shares = case.reach.through.toarray()[0]
    nodes = np.sort(case.reach.through.tocsr().indices)
    lines = [_line(tree, strategy, case.table, int(v), shares) for v in nodes]
    source = strategy.source(case.reach, tree, case.table, case.training)
    if not source:
        counts = strategy.weigh(case.reach, tree).ends.toarray()[0, nodes]
        return lines, counts[:, None] / counts.sum() * tree.value[nodes]
    parts = np.zeros((len(nodes), tree.value.shape[1]))
    first, *later = (i for i, line in enumerate(lines) if line["rule"] not in DECIDED_BY_ITSELF)
    lines[first]["rule"] += f"; answered here: {source}"
    for i in later:
        lines[i]["rule"] += f"; answered at node {nodes[first]}"
    parts[first] = predictor.answer(case)[0]
    return lines, parts


def _line(
    tree: Tree, strategy: Strategy, table: Table, v: int, shares: NDArray[np.float64]
) -> dict[str, Any]:
    share = float(shares[v])
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
        line["goes_to"] = {c: float(shares[c]) / share for c in tree.children(v) if shares[c] > 0}
        line["rule"] = _rule(tree, strategy, v, table)
    return line


def _rule(tree: Tree, strategy: Strategy, v: int, table: Table) -> str:
    """Say what decided about a value: its test, a surrogate, or the strategy in words."""
    value = float(table.values[0, tree.feature[v]])
    levels = tree.level_table(v)
    hole = np.isnan(value) and tree.kind[v] != IS_MISSING
    unseen = not np.isnan(value) and len(levels) and (value < 0 or levels[int(value)] < 0)
    if not hole and not unseen:
        return "known"
    told = _surrogate(tree, v, table) if strategy.asks_surrogates else ""
    if told:
        return told if hole else f"level not seen here; {told}"
    if hole:
        return f"{strategy.name}: {strategy.describe(tree, v)}"
    return f"level not seen here: {in_words(tree, v, strategy.unseen_shares(tree))}"


def _surrogate(tree: Tree, v: int, table: Table) -> str:
    """Name the surrogate that speaks for the row; empty if none can."""
    its = tree.surrogates
    if its is None:
        return ""
    branch, spoke = its.branches(np.array([v]), table.values, np.array([0]))
    number = int(spoke[0])
    if number < 0:
        return ""
    condition = its.condition(number, tree.schema, int(branch[0]))
    place = number - its.of(v).start + 1
    return f"surrogate {place}: {condition}, agreement {its.agreement[number]:.2f}"


def _value(table: Table, feature: int) -> Any:
    value = table.values[0, feature]
    levels = table.schema.levels[feature]
    if np.isnan(value):
        return "missing"
    if levels is None:
        return float(value)
    return "unseen level" if value == UNSEEN else levels[int(value)]
