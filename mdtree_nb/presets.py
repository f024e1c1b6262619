"""The systems of the sources, each with its own conventions, as one call.

A preset takes the source's parameter names and returns an estimator of this package that
grows by the source's rules; what it translates or cannot keep is in its docstring.

Does not: know the sources' data or errata; `teaching` does.
"""

from __future__ import annotations

from typing import Any

from .estimators import MDTreeClassifier, MDTreeRegressor
from .inputs import check_choice
from .prunings import Collapse, Pessimistic
from .strategies import Lpe, Tspe
from .tree.criteria import AbsoluteError, GainRatio

__all__ = [
    "c45", "cart_categorical", "cart_nan_side", "dtpe", "fractioning_of_cases", "lpe", "tspe",
]  # fmt: skip

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


def c45(
    *, min_objects: int = 2, confidence: float = 0.25, pruned: bool = True, raising: bool = True
) -> MDTreeClassifier:
    """C4.5 release 8: gain ratio, fractional cases, a child per level, pessimistic pruning.

    Parameters
    ----------
    min_objects : int, default=2
        Two branches of every test need so many rows (its option -m).
    confidence : float, default=0.25
        Of the pessimistic estimate; smaller prunes more (its option -c).
    pruned : bool, default=True
        False gives the tree that it calls unpruned, in which subtrees that err no less than
        a leaf are leaves already.
    raising : bool, default=True
        May a branch take its parent's place?

    Returns
    -------
    MDTreeClassifier

    Notes
    -----
    A threshold is stored as the largest training value that is not above half-way between
    its neighbours. Neighbours closer than 1e-5 are told apart here, and sums are float64
    where C4.5 has float32, so ties may be broken otherwise.

    References
    ----------
    .. [1] J. R. Quinlan, "C4.5: Programs for Machine Learning", 1993.
    .. [2] J. R. Quinlan, "Improved Use of Continuous Attributes in C4.5", Journal of
       Artificial Intelligence Research 4, 1996, DOI 10.1613/jair.279.

    Examples
    --------
    >>> c45().get_params()["min_samples_leaf"]
    2
    """
    pruning = Pessimistic(confidence=confidence, raising=raising) if pruned else Collapse()
    return MDTreeClassifier(
        criterion=GainRatio(),
        splits="training",
        categorical="every_level",
        missing="fractional",
        min_samples_split=2 * min_objects,
        min_samples_leaf=min_objects,
        pruning=pruning,
    )


def fractioning_of_cases(*, max_depth: int | None = None, pruning: Any = None) -> MDTreeClassifier:
    """Binary tree that mixes the leaves an incomplete row reaches: FC of source 2.

    The four methods of the source answer for incomplete rows from one and the same tree.

    Parameters
    ----------
    max_depth : int or None, default=None
        Depth of the deepest leaf; the root has depth 0. None = no limit.
    pruning : str, Pruning or None, default=None
        See `MDTreeClassifier`.

    Returns
    -------
    MDTreeClassifier

    Notes
    -----
    What could be read of the source does not say how its trees were grown, beyond that they
    are binary, and that the training rows were complete. Assumed here: CART's tests (a
    threshold, or a group of levels against the others), the Gini index, no limit and no
    pruning. Training rows with missing values, which the source has not, are divided in
    shares.

    References
    ----------
    .. [1] B. Twala, R. Pillay, R. Nkoana, "Classifying incomplete vectors using decision
       trees", IJCCI 2020, DOI 10.5220/0010146304550463.

    Examples
    --------
    >>> fractioning_of_cases().get_params()["missing_predict"]
    'fractional'
    """
    return _binary("fractional", max_depth, pruning)


def dtpe(*, max_depth: int | None = None, pruning: Any = None) -> MDTreeClassifier:
    """Binary tree that estimates class chances from itself alone: DTPE of source 2.

    On one tree it gives the numbers of `fractioning_of_cases`: the proportions of its nodes
    are the shares in which that divides a row.

    Parameters
    ----------
    max_depth : int or None, default=None
        Depth of the deepest leaf; the root has depth 0. None = no limit.
    pruning : str, Pruning or None, default=None
        See `MDTreeClassifier`.

    Returns
    -------
    MDTreeClassifier

    Notes
    -----
    The tree is that of `fractioning_of_cases`; see there for what is assumed.

    References
    ----------
    .. [1] B. Twala, R. Pillay, R. Nkoana, "Classifying incomplete vectors using decision
       trees", IJCCI 2020, DOI 10.5220/0010146304550463.

    Examples
    --------
    >>> dtpe().get_params()["missing_predict"]
    'dtpe'
    """
    return _binary("dtpe", max_depth, pruning)


def tspe(
    *, max_depth: int | None = None, pruning: Any = None, scope: str = "all"
) -> MDTreeClassifier:
    """Binary tree whose training rows answer for incomplete rows: TSPE of source 2.

    The training rows that agree with all tests that a row can answer are counted.

    Parameters
    ----------
    max_depth : int or None, default=None
        Depth of the deepest leaf; the root has depth 0. None = no limit.
    pruning : str, Pruning or None, default=None
        See `MDTreeClassifier`.
    scope : {"all", "reachable"}, default="all"
        Which tests must agree: all, as in the source, or those that the row may meet.

    Returns
    -------
    MDTreeClassifier

    Notes
    -----
    The tree is that of `fractioning_of_cases`; see there for what is assumed. A row that
    meets no missing value gets its leaf, and one with which no training row agrees gets the
    answer of `fractioning_of_cases`; about such rows the source is silent.

    References
    ----------
    .. [1] B. Twala, R. Pillay, R. Nkoana, "Classifying incomplete vectors using decision
       trees", IJCCI 2020, DOI 10.5220/0010146304550463.

    Examples
    --------
    >>> tspe().get_params()["missing_predict"]
    Tspe()
    """
    return _binary(Tspe(scope), max_depth, pruning)


def lpe(
    *, max_depth: int | None = None, pruning: Any = None, scope: str = "all", ridge: float = 1e-6
) -> MDTreeClassifier:
    """Binary tree with a logit of the class on all its tests: LPE of source 2.

    With one known test, or none, it gives the numbers of `tspe`.

    Parameters
    ----------
    max_depth : int or None, default=None
        Depth of the deepest leaf; the root has depth 0. None = no limit.
    pruning : str, Pruning or None, default=None
        See `MDTreeClassifier`.
    scope : {"all", "reachable"}, default="all"
        Which tests must agree: all, as in the source, or those that the row may meet.
    ridge : float, default=1e-6
        Penalty that keeps the logit finite where its tests tell the classes apart. The
        source has none.

    Returns
    -------
    MDTreeClassifier

    Notes
    -----
    The tree is that of `fractioning_of_cases`; see there for what is assumed. The source's
    abstract names a probit too, its text only the logit.

    References
    ----------
    .. [1] B. Twala, R. Pillay, R. Nkoana, "Classifying incomplete vectors using decision
       trees", IJCCI 2020, DOI 10.5220/0010146304550463.

    Examples
    --------
    >>> lpe().get_params()["missing_predict"]
    Lpe()
    """
    return _binary(Lpe(scope, ridge), max_depth, pruning)


def _binary(missing_predict: Any, max_depth: int | None, pruning: Any) -> MDTreeClassifier:
    """The one tree of source 2, with a prediction."""
    return MDTreeClassifier(
        missing="fractional",
        missing_predict=missing_predict,
        max_depth=max_depth,
        pruning=pruning,
    )


def _tree(task: str, loss: str, max_depth: int, **options: Any) -> Any:
    check_choice("loss", loss, tuple(LOSSES[task]))
    if max_depth < 2:
        raise ValueError(
            f"max_depth={max_depth!r} must be at least 2: the source counts the root as level 1."
        )
    estimator = MDTreeClassifier if task == "classification" else MDTreeRegressor
    return estimator(criterion=LOSSES[task][loss], max_depth=max_depth - 1, **options)
