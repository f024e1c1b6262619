"""Tables for tests: small, seeded, with every kind of awkwardness."""

from __future__ import annotations

import numpy as np
import pandas as pd

MECHANISMS = ("complete", "mcar", "mar", "mnar", "column")


def punch(X, mechanism, rate, rng):
    """Make holes in a copy of X."""
    X = X.copy()
    n, p = X.shape
    if mechanism == "mcar":
        X[rng.random(X.shape) < rate] = np.nan
    elif mechanism == "mar":  # the first column decides about the others
        X[np.ix_(np.argsort(X[:, 0], kind="stable")[: int(2 * rate * n)], range(1, p))] = np.nan
    elif mechanism == "mnar":  # large values are missing
        for f in range(p):
            X[X[:, f] > np.quantile(X[:, f], 1 - rate), f] = np.nan
    elif mechanism == "column":  # one column is nearly empty
        X[rng.random(n) < 0.9, 0] = np.nan
    return X


def make_xy(
    seed, n=60, p=4, mechanism="mcar", rate=0.2, task="classification", classes=2, ties=False
):
    """Numbers with holes, and labels that depend on them."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p))
    if ties:
        X = np.round(X * 2)
    signal = X[:, 0] + 0.5 * X[:, 1] * (X[:, 2 % p] > 0) + rng.normal(scale=0.5, size=n)
    X = punch(X, mechanism, rate, rng)
    if task == "regression":
        return X, signal * 10
    edges = np.quantile(signal, np.arange(1, classes) / classes)
    return X, np.searchsorted(edges, signal)


def make_frame(seed, n=80):
    """A DataFrame of numbers and categories with holes, and labels."""
    rng = np.random.default_rng(seed)
    X, y = make_xy(seed, n)
    frame = pd.DataFrame(X, columns=["a", "b", "c", "d"])
    frame["colour"] = rng.choice(["red", "green", "blue"], n)
    frame.loc[rng.random(n) < 0.15, "colour"] = None
    frame["size"] = pd.Categorical(rng.choice(["S", "M", "L"], n), categories=["S", "M", "L"])
    return frame, np.where((frame["colour"] == "red") ^ (y == 1), "yes", "no")


def as_id(value):
    """Name a parameter of a test; sets in order, for workers must find the same tests."""
    if isinstance(value, (set, frozenset)):
        value = sorted(value, key=str)
    return (value if isinstance(value, str) else repr(value))[:30]
