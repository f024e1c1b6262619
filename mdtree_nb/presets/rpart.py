"""R's rpart, with its defaults."""

from __future__ import annotations

from typing import Any

from ..estimators import MDTreeClassifier, MDTreeRegressor
from ..inputs import check_choice
from ..prunings import CostComplexity
from ..strategies import Surrogate


def rpart(
    task: str = "classification",
    *,
    cp: float = 0.01,
    minsplit: int = 20,
    minbucket: int | None = None,
    maxdepth: int = 30,
    maxsurrogate: int = 5,
    usesurrogate: int = 2,
    surrogatestyle: int = 0,
) -> Any:
    """CART with surrogates as R's rpart has it: recursive partitioning with its defaults.

    Parameters
    ----------
    task : {"classification", "regression"}, default="classification"
        R's method "class" or "anova".
    cp : float, default=0.01
        Price of a leaf, as a part of the risk of the root.
    minsplit : int, default=20
        Smallest node that may be split.
    minbucket : int or None, default=None
        Smallest child by the rows that know the column; None = a third of `minsplit`.
    maxdepth : int, default=30
        Depth of the deepest leaf; the root has depth 0.
    maxsurrogate : int, default=5
        Surrogates that are kept in each node.
    usesurrogate : {0, 1, 2}, default=2
        0 leaves rows with missing values in the node, 1 asks surrogates, 2 sends the rows about
        which none can tell to the larger child.
    surrogatestyle : {0, 1}, default=0
        Agreement on all rows that know the column of the split, or on those that know both.

    Returns
    -------
    MDTreeClassifier or MDTreeRegressor

    Notes
    -----
    The choice of `cp` by cross-validation is `mdtree_nb.complexity_table`. Rows without any
    known value are left out, as there, where no weights are given; with weights, rpart keeps
    them. In two things rpart does not do what its documents say, and this preset does: a
    category that agrees with all rows, or all but one, is a surrogate; and of more surrogates
    than `maxsurrogate` the best ones are kept.

    References
    ----------
    .. [1] T. Therneau, E. Atkinson, "An Introduction to Recursive Partitioning Using the RPART
       Routines", Mayo Foundation, 2023.

    Examples
    --------
    >>> rpart().get_params()["min_samples_leaf"]
    7
    """
    check_choice("task", task, ("classification", "regression"))
    estimator = MDTreeClassifier if task == "classification" else MDTreeRegressor
    return estimator(
        splits="below",
        max_depth=maxdepth,
        min_samples_split=minsplit,
        min_samples_leaf=round(minsplit / 3) if minbucket is None else minbucket,
        pruning=CostComplexity(cp),
        missing=Surrogate(
            maxsurrogate,
            surrogatestyle,
            usesurrogate,
            fallback="rows",
            empty_rows="drop",
        ),
    )
