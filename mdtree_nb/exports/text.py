"""export_text: the tree as rules in plain words."""

from __future__ import annotations

from typing import Any

from ..asked import Asked, after_route, by_surrogates, read_asked, routes
from ..estimators import MDTreeClassifier, MDTreeRegressor
from ..tree.kernels.codes import IS_MISSING
from ..tree.structure import Tree


def export_text(
    model: MDTreeClassifier | MDTreeRegressor | Tree,
    *,
    max_depth: int | None = None,
    decimals: int = 2,
) -> str:
    """Write a tree as indented rules.

    Every node shows its number, the condition that leads to it, its training rows and its
    class shares (or mean). Every inner node says where missing values went in training
    and, where none were seen, where a later one goes. Where the model asks surrogates, it
    names the first of them: what sends a row to the first child, and the agreement.

    Parameters
    ----------
    model : fitted MDTreeClassifier or MDTreeRegressor, or Tree
    max_depth : int or None, default=None
        Show nodes down to this depth; what is cut off is counted.
    decimals : int, default=2
        Decimals of shares and means.

    Returns
    -------
    str

    Raises
    ------
    TypeError
        For another model.
    NotFittedError
        For one that is not fitted.

    Examples
    --------
    >>> import numpy as np
    >>> from mdtree_nb import MDTreeClassifier, export_text
    >>> X = np.array([[1.0], [2.0], [np.nan], [3.0], [4.0]])
    >>> print(export_text(MDTreeClassifier().fit(X, list("aabbb"))))
    #0 5 rows: a 0.40, b 0.60; 1 missing x0 -> #2
    |-- #1 x0 <= 2.5: 2 rows: a 1.00
    `-- #2 x0 > 2.5 or missing: 3 rows: b 1.00
    """
    if isinstance(model, Tree):
        tree, classes, shares = model, None, None
    elif not isinstance(model, (MDTreeClassifier, MDTreeRegressor)):
        raise TypeError(
            f"model={type(model).__name__} must be a fitted MDTreeClassifier or MDTreeRegressor, "
            "or a Tree; a lazy model has a path for each row, which its explain_row shows."
        )
    else:
        tree, classes = model.tree_, getattr(model, "classes_", None)
        shares = None if model._predictor.strategy.fills else model.missing_shares_
    asked = read_asked(model, tree)
    limit = tree.max_depth if max_depth is None else max_depth
    lines = []
    stack = [(0, "", "")]
    while stack:
        v, lead, indent = stack.pop()
        cut = tree.depth[v] >= limit and not tree.is_leaf[v]
        text = _node(tree, v, classes, decimals)
        if cut:
            text += f"; {_n_below(tree, v)} more nodes below"
        elif not tree.is_leaf[v]:
            text += _missing(tree, v, shares, asked.get(v), decimals)
        lines.append(lead + text)
        if not cut:
            children = list(tree.children(v))
            for child in reversed(children):
                last = child == children[-1]
                stack.append(
                    (
                        child,
                        indent + ("`-- " if last else "|-- "),
                        indent + ("    " if last else "|   "),
                    )
                )
    return "\n".join(lines)


def _node(tree: Tree, v: int, classes: Any, decimals: int) -> str:
    condition = tree.condition(v)
    head = f"#{v} {condition}: " if condition else f"#{v} "
    rows = int(tree.rows[v])
    head += f"{rows} row{'' if rows == 1 else 's'}"
    if abs(tree.weight[v] - rows) > 1e-9 * max(rows, 1):
        head += f" (weight {_number(tree.weight[v], decimals)})"
    value = tree.value[v]
    if classes is None and len(value) == 1:
        return f"{head}: mean {_number(value[0], decimals)}"
    names = range(len(value)) if classes is None else classes
    shares = [
        f"{name} {share:.{decimals}f}"
        for name, share in zip(names, value, strict=True)
        if share > 0
    ]
    return f"{head}: {', '.join(shares)}"


def _missing(tree: Tree, v: int, shares: Any, asked: Asked | None, decimals: int) -> str:
    """Where the missing values of the tested column went, or would go."""
    name = tree.schema.names[int(tree.feature[v])]
    if tree.kind[v] == IS_MISSING or tree.feature[v] >= tree.schema.n_own:
        return ""
    lost = tree.missing_weight[v]
    children = tree.children(v)
    if lost > 0:
        went = routes({c: tree.arrived_missing[c] / lost for c in children}, decimals)
        how = after_route(asked, decimals)
        return f"; {_number(lost, decimals)} missing {name} {went}{how}"
    if asked is not None:
        return f"; a missing {name} goes {by_surrogates(asked, decimals)}"
    if shares is None:
        return ""
    return f"; a missing {name} would go {routes({c: shares[c] for c in children}, decimals)}"


def _n_below(tree: Tree, v: int) -> int:
    n, below = 0, list(tree.children(v))
    while below:
        n += len(below)
        below = [child for node in below for child in tree.children(node)]
    return n


def _number(x: float, decimals: int) -> str:
    return f"{x:.0f}" if float(x).is_integer() and abs(x) < 1e15 else f"{x:.{decimals}f}"
