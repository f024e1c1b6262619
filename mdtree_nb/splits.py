"""split_table: every cut that a node could make, best first.

The table stands on the engine that grows: it goes to the node as growing does, and lists the
node's cuts (`tree/candidates.py`). So its first line is the split that the grown tree has
there, a law that the tests hold.

Called by people, plots and `tree_estimator.py`. Does not: score or choose.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from .estimators import MDTreeClassifier, MDTreeRegressor
from .fitting import divide_rows, orders_of
from .inputs import TrainingRows, guess_task
from .prunings import get_pruning
from .schema import Schema
from .tree.candidates import list_cuts
from .tree.growth import Grower, announce_compilation
from .tree.kernels.codes import COST, FEATURE, GAIN, START, STOP, WEIGHT
from .tree.record import Front
from .tree.structure import Tree
from .tree.threads import Threads


def split_table(
    X: Any,
    y: Any,
    missing: Any = "learned",
    *,
    feature: Any = None,
    criterion: Any = None,
    categorical: str = "subset",
    min_samples_leaf: float = 1,
    sample_weight: Any = None,
    task: str = "auto",
) -> pd.DataFrame:
    """List every cut that the root of a tree could make, best first.

    The first line is the split that the tree makes there, if its gain is above 0: equal
    gains are in the order in which growing looks at them, by column, then by threshold or
    level. Cuts that would leave a child with too few rows are no candidates and not listed. A
    strategy that chooses a column before its cuts has those of that column.

    Parameters
    ----------
    X : DataFrame or array-like of shape (n, p)
    y : array-like of shape (n,)
        Labels.
    missing : str or Strategy, default="learned"
        How missing values are treated.
    feature : str, int or None, default=None
        List the cuts of this column only, by its name or number.
    criterion : str, Criterion or None, default=None
        What a split should lower; None = "gini" for classes, "squared_error" for numbers.
    categorical : {"subset", "equality", "multiway", "every_level"}, default="subset"
        How a category column is tested.
    min_samples_leaf : int or float, default=1
        Smallest child: rows, or a part of all rows.
    sample_weight : array-like of shape (n,) or None, default=None
        Rows of weight 0 count as absent.
    task : {"auto", "classification", "regression"}, default="auto"
        "auto": numbers with fractions or with more than 20 different values are for
        regression.

    Returns
    -------
    DataFrame
        One line per cut: `feature`; `test`, what a row must satisfy to go to the first
        child (left), in the words of the tree; its `threshold`, or the `levels` on the
        left; `gain`; `missing_to`, where missing rows go: "left", "right", "own child", to
        the branch of a level, "shares", "every child", "stops here" or, where the strategy
        asks each row, "row by row"; the weight of the rows on the `left`, on the `right` and
        `missing`; `left_impurity` and `right_impurity`, all four of rows whose value is
        known. For a test with one branch per level, right is all branches but the first.

    Raises
    ------
    ValueError
        For bad arguments and an unknown column.
    StrategyNotApplicable
        When the strategy cannot handle this table.

    Examples
    --------
    >>> import numpy as np
    >>> from mdtree_nb import split_table
    >>> X = np.array([[1.0], [2.0], [np.nan], [3.0], [4.0]])
    >>> table = split_table(X, [0, 0, 1, 1, 1])
    >>> table[["test", "gain", "missing_to"]].head(3).round(4)
            test    gain missing_to
    0  x0 <= 2.5  0.4800      right
    1  x0 <= 3.5  0.2133      right
    2  x0 <= 1.5  0.1800      right
    """
    if task not in ("auto", "classification", "regression"):
        raise ValueError(f"task={task!r} must be 'auto', 'classification' or 'regression'.")
    if y is not None and task == "auto":
        task = guess_task(y)
    options: dict[str, Any] = {} if criterion is None else {"criterion": criterion}
    cls = MDTreeRegressor if task == "regression" else MDTreeClassifier
    model = cls(
        missing=missing, categorical=categorical, min_samples_leaf=min_samples_leaf, **options
    )
    rows = model._read_training(X, y, sample_weight)
    only = None if feature is None else column_number(feature, rows.table.schema)
    return _table_of(model, rows, None, 0, only)


def split_table_of(model: Any, X: Any, y: Any, node: int, sample_weight: Any) -> pd.DataFrame:
    """List every cut that a node of a fitted tree could make; see `split_table`.

    Parameters
    ----------
    model : fitted MDTreeClassifier or MDTreeRegressor
    X, y, sample_weight
        The training table.
    node : int

    Returns
    -------
    DataFrame

    Raises
    ------
    ValueError
        For a node that the tree does not have, and for rows that do not lead there.
    """
    tree = model.tree_
    if isinstance(node, bool) or not isinstance(node, (int, np.integer)):
        raise TypeError(f"node={node!r} must be a whole number.")
    if not 0 <= node < tree.n_nodes:
        raise ValueError(f"node={node} must be a node of the tree, 0 to {tree.n_nodes - 1}.")
    rows = model._rows(model._read(X), y, sample_weight)
    classes = getattr(model, "classes_", None)
    if classes is not None and not np.array_equal(classes, rows.classes):
        raise _other_rows(node, "the classes in y differ")
    return _table_of(model, rows, tree, int(node), None)


def column_number(feature: Any, schema: Schema) -> int:
    """Find a column by name or number.

    Parameters
    ----------
    feature : str or int
    schema : Schema

    Returns
    -------
    int

    Raises
    ------
    ValueError
        For a column that is not there.
    """
    names = schema.names
    if feature in names:
        return names.index(feature)
    is_number = isinstance(feature, (int, np.integer)) and not isinstance(feature, bool)
    if is_number and 0 <= feature < len(names):
        return int(feature)
    shown = ", ".join(map(repr, names[:10])) + (", ..." if len(names) > 10 else "")
    raise ValueError(
        f"feature={feature!r} is no column; choose one of {shown}, or a number from 0 to "
        f"{len(names) - 1}."
    )


# -- going to the node ------------------------------------------------------------


def _table_of(
    model: Any, rows: TrainingRows, tree: Tree | None, node: int, only: int | None
) -> pd.DataFrame:
    """Go to a node as growing does, and list its cuts; `tree` None = the root of any tree."""
    announce_compilation()
    model = model._settled()
    strategy, params, rng = model._strategies()[0], dict(vars(model)), model._rng()
    rows, _ = divide_rows(get_pruning(model.pruning, model._task), rows, rng)
    (order, *_), _ = orders_of(params, model._task, rows, strategy, rng, strategy.surrogate_rule)
    seed = order.pop("seed")
    with Threads() as threads:
        grower = Grower(**order, threads=threads)
        way, path = _way_to(tree, node)
        fronts = grower.walk(seed, path)
        if tree is not None:
            _check_way(tree, way, fronts, grower)
        table, taken = list_cuts(grower, fronts[-1], only)
    if tree is not None and tree.feature[node] >= 0:
        name = tree.schema.names[int(tree.feature[node])]
        if not len(table) or table["feature"][0] != name or not _near(taken, tree.gain[node]):
            raise _other_rows(node, "the best cut there is not the tree's")
    return table


def _way_to(tree: Tree | None, node: int) -> tuple[list[int], list[int]]:
    """Nodes from the root to a node, both included, and the branches between them."""
    way = [node]
    while tree is not None and way[0] > 0:
        way.insert(0, int(tree.parent[way[0]]))
    return way, [] if tree is None else [int(tree.branch[v]) for v in way[1:]]


def _check_way(tree: Tree, way: list[int], fronts: list[Front], grower: Grower) -> None:
    """Refuse rows that do not divide as the tree's training rows did."""
    for v, front in zip(way, fronts, strict=False):
        sums = front.sums if len(front.sums) else grower.work.sum_up(front.batch)
        rows = int(front.batch[0, STOP] - front.batch[0, START])
        same = rows == tree.rows[v] and _near(sums[0, WEIGHT], tree.weight[v])
        if same and rows:  # a level that no row has leads to an empty node
            same = _near(sums[0, COST] / sums[0, WEIGHT], tree.impurity[v])
        if len(front.choice):
            same = same and front.choice[0, FEATURE] == tree.feature[v]
            same = same and _near(front.choice[0, GAIN], tree.gain[v])
        if not same:
            raise _other_rows(way[-1], f"they differ from the training rows in node {v}")
    if len(fronts) < len(way):
        raise _other_rows(way[-1], f"node {way[len(fronts)]} would not be there")


def _near(a: float, b: float) -> bool:
    return bool(np.isclose(a, b, rtol=1e-9, atol=1e-12))


def _other_rows(node: int, why: str) -> ValueError:
    return ValueError(
        f"X, y and sample_weight do not lead to node {node} of this tree: {why}. Pass the table "
        "that it was fitted on, under the parameters of that time; where columns or held-out rows "
        "are drawn, fit with a whole number as random_state. A node below a branch that pruning "
        "raised did not grow from the rows it has, so there is no such table."
    )
