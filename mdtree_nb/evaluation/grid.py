"""Read what spans an experiment's grid beside its tables, such as strategies and mechanisms."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from sklearn.base import BaseEstimator, clone

from ..auto import is_auto
from ..estimators import MDTreeClassifier, MDTreeRegressor
from ..inputs import guess_task
from ..missingness import scenario
from ..strategies import get_strategy
from .tables import named

OWN = "own"  # the prediction strategy that belongs to the training strategy
WHOLE = "none"  # the mechanism of a table that lost nothing
TESTS = ("missing", "complete", "imputed")


def named_strategies(strategies: Any, estimator: Any, tables: Mapping[str, Any]) -> dict[str, Any]:
    """Turn strategies into estimators, or functions that make them.

    Parameters
    ----------
    strategies : iterable or dict
    estimator : estimator or None
    tables : dict
        Their labels say what the default estimator is.

    Returns
    -------
    dict
    """
    if isinstance(strategies, str) or hasattr(strategies, "get_params"):
        strategies = [strategies]
    found = {}
    for name, strategy in named("strategies", strategies, _name, "give at least one").items():
        if hasattr(strategy, "fit") or (callable(strategy) and not isinstance(strategy, type)):
            found[name] = strategy
            continue
        if estimator is None:
            estimator = _default_tree(tables)
        missing = strategy if is_auto(strategy) else get_strategy(strategy)
        found[name] = clone(estimator).set_params(missing=missing)
    return found


def _default_tree(tables: Mapping[str, Any]) -> Any:
    tasks = {guess_task(y) for _, (_, y) in tables.values()}
    if len(tasks) > 1:
        raise ValueError(
            "datasets hold classes and numbers to predict; run one experiment for each, or pass "
            "estimators as strategies."
        )
    tree = MDTreeClassifier if tasks == {"classification"} else MDTreeRegressor
    return tree(min_samples_leaf=5)


def _name(asked: Any) -> str:
    """Name a strategy or a mechanism that stands in no dict."""
    if isinstance(asked, str):
        return asked
    if isinstance(asked, BaseEstimator):
        return repr(asked)
    return str(getattr(asked, "__name__", asked))


def named_predictions(predictions: Any) -> dict[str, Any]:
    """Name the strategies for rows to predict; "own" is None.

    Parameters
    ----------
    predictions : iterable, dict or None

    Returns
    -------
    dict
    """
    if predictions is None:
        return {OWN: None}
    if isinstance(predictions, str) or hasattr(predictions, "get_params"):
        predictions = [predictions]
    asked = named("predictions", predictions, _name, "leave it out for the strategy's own")
    return {
        name: None if p is None or p == OWN else get_strategy(p, "predictions")
        for name, p in asked.items()
    }


def named_mechanisms(mechanisms: Any, masks: str) -> dict[str, Any]:
    """Turn mechanisms into Amputers, whose rate is still to be set.

    Parameters
    ----------
    mechanisms : iterable of str or dict
    masks : {"fold", "table"}
        "table" asks for `make`, "fold" for `fit_transform` and `transform`.

    Returns
    -------
    dict
    """
    if isinstance(mechanisms, str) or hasattr(mechanisms, "get_params"):
        mechanisms = [mechanisms]
    found = {}
    for name, mechanism in named("mechanisms", mechanisms, _name, "give at least one").items():
        if name == WHOLE:
            raise ValueError(
                f"mechanisms: {name!r} is the name of tables that lose nothing, as with a rate "
                "of 0; choose another one."
            )
        if isinstance(mechanism, str):
            mechanism = scenario(mechanism, 0.2).set_params(order="frequency")
        if not hasattr(mechanism, "make" if masks == "table" else "fit_transform"):
            raise TypeError(
                f"mechanisms={{{name!r}: ...}} must be the name of a scenario or an Amputer."
            )
        found[name] = mechanism
    return found


def checked_rates(rates: Any) -> tuple[float, ...]:
    """Check the rates.

    Parameters
    ----------
    rates : float or iterable of float

    Returns
    -------
    tuple of float
        Without repetitions.
    """
    rates = rates if isinstance(rates, Iterable) else [rates]
    found = dict.fromkeys(float(rate) for rate in rates)
    for rate in found:
        if not 0 <= rate <= 1:
            raise ValueError(f"rates: {rate!r} must be from 0 to 1.")
    if not found:
        raise ValueError("rates=[] is empty; give at least one, such as 0.")
    return tuple(found)


def checked_tests(tests: Any, holes: str) -> tuple[str, ...]:
    """Check the kinds of test rows.

    Parameters
    ----------
    tests : str or iterable of str
    holes : {"both", "test"}

    Returns
    -------
    tuple of str
    """
    tests = tuple(dict.fromkeys([tests] if isinstance(tests, str) else tests))
    for test in tests:
        if test not in TESTS:
            raise ValueError(f"tests: {test!r} must be one of {', '.join(map(repr, TESTS))}.")
    if not tests:
        raise ValueError("tests=[] is empty; give at least one.")
    if holes == "test" and tests != ("missing",):
        raise ValueError(
            "tests is for holes='both'; with holes='test' rows are tested with their holes, and "
            "a rate of 0 tests them complete."
        )
    return tests
