"""What the size of a tree costs: the complexity table of R's rpart."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone
from sklearn.utils import check_random_state

from ..prunings import CostComplexity
from ..prunings.cost_complexity import exceeds, risks
from ..prunings.errors import refuse_copies
from ..strategies import get_strategy
from ..tree.pruning import complexities
from ..tree.structure import Tree

Floats = NDArray[np.float64]

SAME = 1e-9  # complexities that differ by less are one


def complexity_table(
    estimator: Any,
    X: Any,
    y: Any,
    sample_weight: ArrayLike | None = None,
    *,
    folds: int | ArrayLike = 10,
    random_state: Any = None,
) -> pd.DataFrame:
    """Say how the error of a tree depends on the price of a leaf.

    The tree is grown on all rows, and once without each fold. A row of the table is a
    subtree: it is optimal for prices from its `complexity` up to that of the row above.
    The rows of a fold are answered by the tree that has not seen them, pruned at the geometric
    mean of these two prices.

    Parameters
    ----------
    estimator : MDTreeClassifier or MDTreeRegressor
        With `pruning="cost_complexity"` or None, for the lowest price to look at; not fitted.
    X : DataFrame or array-like of shape (n, p)
    y : array-like of shape (n,)
    sample_weight : array-like of shape (n,) or None, default=None
    folds : int or array-like of shape (n,), default=10
        How many folds, or the fold of each row, so that a table can be compared with another
        one; 0 = no cross-validation.
    random_state : int, RandomState or None, default=None
        Draws the folds, where `folds` is a number.

    Returns
    -------
    DataFrame
        One line per subtree, the smallest first: `complexity`, a part of the risk of the
        root; `splits`; `error` in training and `cv_error` in cross-validation, both as parts of
        the risk of the root, and `cv_se`, the standard error of the latter. Risk is the
        weight of wrong answers, or the sum of squares.

    Raises
    ------
    ValueError, TypeError
        For another pruning, several trees, or folds that do not cover the rows.

    References
    ----------
    .. [1] L. Breiman, J. Friedman, R. Olshen, C. Stone, "Classification and Regression
       Trees", 1984, chapter 3.
    .. [2] T. Therneau, E. Atkinson, "An Introduction to Recursive Partitioning Using the RPART
       Routines", Mayo Foundation, 2023, section 4.

    Examples
    --------
    >>> from mdtree_nb import MDTreeClassifier, complexity_table
    >>> X, y = [[1.0], [2.0], [3.0], [4.0]], ["a", "a", "b", "b"]
    >>> complexity_table(MDTreeClassifier(), X, y, folds=0)
       complexity  splits  error
    0         1.0       0    1.0
    1         0.0       1    0.0
    """
    lowest = _lowest(estimator)
    whole = _grown(estimator, X, y, sample_weight)
    n = len(y)
    w = np.ones(n) if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
    tree, of_classes = whole.tree_, hasattr(whole, "classes_")
    risk, stopped = risks(tree, of_classes)
    if risk[0] <= 0:
        raise ValueError("y: all labels are the same, so there is no risk to lower.")
    price = complexities(tree, risk, stopped)
    steps = _steps(price[~tree.is_leaf], lowest * risk[0], risk[0])
    table = pd.DataFrame(
        {
            "complexity": steps / risk[0],
            "splits": [int(exceeds(price, step, risk[0]).sum()) for step in steps],
            "error": [_risk_at(tree, price, step, risk, stopped) / risk[0] for step in steps],
        }
    )
    of = _folds(folds, n, random_state)
    if of is None:
        return table
    between = np.sqrt(steps[1:] * steps[:-1])
    prices = np.concatenate([[10 * steps[0]], between]) / w.sum()
    losses = np.zeros((n, len(steps)))
    X = X if isinstance(X, pd.DataFrame) else pd.DataFrame(np.asarray(X))
    y = np.asarray(y)
    for fold in np.unique(of):
        out = np.flatnonzero(of == fold)
        kept = np.flatnonzero(of != fold)
        its_w = None if sample_weight is None else w[kept]
        model = _grown(estimator, X.iloc[kept], y[kept], its_w)
        its = complexities(model.tree_, *risks(model.tree_, of_classes))
        least = lowest * risk[0] / w.sum() * w[kept].sum()
        for k, one in enumerate(prices * w[kept].sum()):
            pays = exceeds(its, max(one, least), risk[0])
            gone = np.flatnonzero(~model.tree_.is_leaf & ~pays)
            answer = model.snip(gone).predict(X.iloc[out])
            wrong = answer != y[out] if of_classes else (y[out] - answer) ** 2
            losses[out, k] = wrong
    error = w @ losses
    table["cv_error"] = error / risk[0]
    spread = np.maximum(w @ losses**2 - error**2 / w.sum(), 0.0)
    table["cv_se"] = np.sqrt(spread) / risk[0]
    return table


def _lowest(estimator: Any) -> float:
    """Lowest price that the estimator lets splits live at."""
    pruning = estimator.pruning
    if pruning is None:
        return 0.0
    if pruning == "cost_complexity":
        pruning = CostComplexity()
    if not isinstance(pruning, CostComplexity):
        raise ValueError(
            f"pruning={pruning!r} of the estimator must be 'cost_complexity' or None; a table of "
            "complexities says nothing about another one."
        )
    pruning.check()
    return float(pruning.complexity)


def _grown(estimator: Any, X: Any, y: Any, w: Any) -> Any:
    model = clone(estimator).set_params(pruning=None, ccp_alpha=0.0).fit(X, y, w)
    if len(model.trees_) > 1:
        raise ValueError(f"missing={model.missing!r} grows several trees; a table is of one.")
    refuse_copies(model.tree_, get_strategy(model._grown_by), f"pruning={CostComplexity.name!r}")
    return model


def _steps(price: Floats, lowest: float, root: float) -> Floats:
    """The different prices at which splits go, the highest first, then the lowest of all."""
    price = np.sort(price[exceeds(price, lowest, root)])[::-1]
    last_of_its_kind = np.append(price[1:] < price[:-1] * (1 - SAME), True)[: len(price)]
    return np.append(price[last_of_its_kind], lowest)


def _risk_at(tree: Tree, price: Floats, step: float, risk: Floats, stopped: Floats) -> float:
    """Training risk of the subtree at a price."""
    splits = exceeds(price, step, risk[0])
    parent = tree.parent
    there = np.append(True, splits[parent[1:]])
    return float(risk[there & ~splits].sum() + stopped[there & splits].sum())


def _folds(folds: int | ArrayLike, n: int, random_state: Any) -> NDArray[Any] | None:
    if isinstance(folds, (int, np.integer)) and not isinstance(folds, bool):
        if folds == 0:
            return None
        if not 2 <= folds <= n:
            raise ValueError(f"folds={folds!r} must be 0, or from 2 to the {n} rows.")
        return np.asarray(check_random_state(random_state).permutation(n) % folds)
    of = np.asarray(folds)
    if of.shape != (n,) or len(np.unique(of)) < 2:
        raise ValueError(
            f"folds of shape {of.shape} must be a number, or name at least two different folds, "
            f"one for each of the {n} rows."
        )
    return of
