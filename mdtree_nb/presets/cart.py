"""CART as two articles have it: sources 0 and 3."""

from __future__ import annotations

from typing import Any

from ..estimators import MDTreeClassifier, MDTreeRegressor
from ..inputs import check_choice
from ..tree.criteria import AbsoluteError

# The sources' losses, by the name they have there.
LOSSES: dict[str, dict[str, Any]] = {
    "classification": {"gini": "gini", "entropy": "entropy"},
    "regression": {"mse": "squared_error", "mae": AbsoluteError(from_mean=True)},
}


def cart_nan_side(
    task: str = "classification",
    *,
    side: str | None = None,
    loss: str | None = None,
    max_depth: int = 5,
    min_samples_split: int = 2,
) -> Any:
    """CART with one side for all missing values: source 0.

    Every missing value goes to the same side, in training and in prediction. Rows without
    a label are left out and counted in `n_dropped_`.

    Parameters
    ----------
    task : {"classification", "regression"}, default="classification"
    side : {"left", "right"} or None, default=None
        None = right for classification and left for regression, as in the source's examples.
    loss : {"gini", "entropy", "mse", "mae"} or None, default=None
        None = gini or mae. The source's mae is the absolute distance from the mean.
    max_depth : int, default=5
        As the source counts: the root is level 1, so 5 levels are depth 4 here.
    min_samples_split : int, default=2

    Returns
    -------
    MDTreeClassifier or MDTreeRegressor

    Raises
    ------
    ValueError
        For another task, side or loss, or fewer than 2 levels.

    Notes
    -----
    The source keeps rows without a label in its denominators, so that class shares do not
    sum to one; that changes single predictions.

    Examples
    --------
    >>> cart_nan_side("regression").get_params()["max_depth"]
    4
    """
    check_choice("task", task, tuple(LOSSES))
    default = "right" if task == "classification" else "left"
    side = check_choice("side", default if side is None else side, ("left", "right"))
    return _tree(
        task,
        loss or ("gini" if task == "classification" else "mae"),
        max_depth,
        min_samples_split=min_samples_split,
        splits="observed",
        missing=side,
        missing_label="drop",
    )


def cart_categorical(
    task: str = "classification",
    *,
    loss: str | None = None,
    max_depth: int = 5,
    min_samples_split: int = 2,
) -> Any:
    """CART that tests one level against the rest: source 3.

    A missing value compares unequal, and not lower or equal, so it goes right.

    Parameters
    ----------
    task : {"classification", "regression"}, default="classification"
    loss : {"gini", "entropy", "mse", "mae"} or None, default=None
        None = gini or mse. The source's mae is the absolute distance from the mean.
    max_depth : int, default=5
        As the source counts: the root is level 1, so 5 levels are depth 4 here.
    min_samples_split : int, default=2

    Returns
    -------
    MDTreeClassifier or MDTreeRegressor

    Raises
    ------
    ValueError
        For another task or loss, or fewer than 2 levels.

    Notes
    -----
    The source takes every column whose values parse as numbers as numeric; here the dtype
    decides, so integer-coded categories need a category dtype.

    Examples
    --------
    >>> cart_categorical().get_params()["categorical"]
    'equality'
    """
    check_choice("task", task, tuple(LOSSES))
    return _tree(
        task,
        loss or ("gini" if task == "classification" else "mse"),
        max_depth,
        min_samples_split=min_samples_split,
        splits="observed",
        missing="right",
        categorical="equality",
    )


def _tree(task: str, loss: str, max_depth: int, **options: Any) -> Any:
    check_choice("loss", loss, tuple(LOSSES[task]))
    if max_depth < 2:
        raise ValueError(
            f"max_depth={max_depth!r} must be at least 2: the source counts the root as level 1."
        )
    estimator = MDTreeClassifier if task == "classification" else MDTreeRegressor
    return estimator(criterion=LOSSES[task][loss], max_depth=max_depth - 1, **options)
