"""What a comparison compares: trees that strategies are put into, estimators, and names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from sklearn.base import BaseEstimator, clone, is_classifier

from ..auto import is_auto
from ..estimators import MDTreeClassifier, MDTreeRegressor
from ..prunings import get_pruning
from ..strategies import Strategy, all_strategies, get_strategy


def default_strategies() -> list[str]:
    """Names of all strategies that were checked against an oracle."""
    return [name for name, cls in all_strategies().items() if not cls.experimental]


def task_of_estimator(estimator: Any) -> str:
    """Say what an estimator is for.

    Parameters
    ----------
    estimator : estimator

    Returns
    -------
    {"classification", "regression"}

    Raises
    ------
    TypeError
        For a class, and for what is no estimator.
    """
    _check_object("estimator", estimator)
    if not hasattr(estimator, "fit") or not hasattr(estimator, "get_params"):
        raise TypeError(f"estimator={estimator!r} must be an estimator, or None.")
    return "classification" if is_classifier(estimator) else "regression"


def make_tree(estimator: Any, task: str, pruning: Any, random_state: Any) -> Any:
    """Make the tree that strategies are put into.

    Parameters
    ----------
    estimator : estimator or None
    task : {"classification", "regression"}
    pruning : str, Pruning or None
    random_state : int
        For an estimator that has none.

    Returns
    -------
    estimator

    Raises
    ------
    ValueError
        For an unknown pruning, or one that the estimator has no parameter for.
    """
    if estimator is None:
        cls = MDTreeClassifier if task == "classification" else MDTreeRegressor
        estimator = cls(min_samples_leaf=5)
    estimator = clone(estimator)
    params = estimator.get_params(deep=False)
    if pruning is not None:
        if "pruning" not in params:
            raise ValueError(
                f"pruning={pruning!r} cannot be set: {type(estimator).__name__} has no such "
                "parameter; prune inside the estimator, or leave pruning out."
            )
        estimator.set_params(pruning=pruning)
    if isinstance(estimator, (MDTreeClassifier, MDTreeRegressor)):
        get_pruning(estimator.pruning, task)
    if "random_state" in params and params["random_state"] is None:
        estimator.set_params(random_state=random_state)
    return estimator


def name_candidates(strategies: Any, estimator: Any) -> dict[str, Any]:
    """Name every estimator to compare.

    Parameters
    ----------
    strategies : iterable, dict, str, Strategy, estimator or None
    estimator : estimator
        That strategies are put into.

    Returns
    -------
    dict
        From names, as text.

    Raises
    ------
    ValueError
        For no strategy, two of one name, and an unknown one.
    TypeError
        For a class, and what is no strategy.
    """
    if strategies is None:
        strategies = default_strategies()
    if isinstance(strategies, (str, type)) or hasattr(strategies, "get_params"):
        strategies = [strategies]
    if not isinstance(strategies, (Mapping, Iterable)):
        raise TypeError(f"strategies={strategies!r} must be a list or a dict of strategies.")
    if isinstance(strategies, Mapping):  # a file keeps text
        pairs = [(str(name), one) for name, one in strategies.items()]
    else:
        pairs = [(_name(one), one) for one in strategies]
    strategies = _by_name(pairs)
    if not strategies:
        raise ValueError("strategies is empty; name at least one, or pass None for all.")
    for one in strategies.values():
        _check_object("strategies", one)
    whole = {name for name, s in strategies.items() if hasattr(s, "predict")}
    if len(whole) < len(strategies) and "missing" not in estimator.get_params(deep=False):
        raise ValueError(
            f"estimator={type(estimator).__name__} has no parameter 'missing' to put a strategy "
            "into; pass it as one of the strategies instead."
        )
    return {
        name: s if name in whole else clone(estimator).set_params(missing=_strategy(s))
        for name, s in strategies.items()
    }


def _check_object(parameter: str, value: Any) -> None:
    """Refuse a class in place of its object; those of strategies are refused with the others."""
    if isinstance(value, type) and not issubclass(value, Strategy):
        raise TypeError(
            f"{parameter}={value.__name__} is a class; pass an object, {value.__name__}()."
        )


def _by_name(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    names = [name for name, _ in pairs]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ValueError(
            f"strategies has {twice[0]!r} twice; name them by a dict, such as "
            "{'first': ..., 'second': ...}, or leave one out."
        )
    return dict(pairs)


def _strategy(asked: Any) -> Any:
    return asked if is_auto(asked) else get_strategy(asked)


def _name(strategy: Any) -> str:
    if isinstance(strategy, str):
        return strategy
    if hasattr(strategy, "steps"):  # a pipeline
        return " + ".join(_name(step) for _, step in strategy.steps)
    if not isinstance(strategy, BaseEstimator):
        return str(strategy)
    return " ".join(repr(strategy).split())
