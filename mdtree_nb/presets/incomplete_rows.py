"""One binary tree, four ways to answer for an incomplete row: source 2."""

from __future__ import annotations

from typing import Any

from ..estimators import MDTreeClassifier
from ..strategies import Lpe, Tspe


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
