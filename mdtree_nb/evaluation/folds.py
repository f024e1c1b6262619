"""The splits of a comparison, as numbers of rows: made here, or checked where they are given."""

from __future__ import annotations

from collections.abc import Iterable
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import RepeatedKFold, RepeatedStratifiedKFold

Rows = NDArray[np.intp]


def make_splits(
    X: Any, y: NDArray[Any], task: str, folds: int, repeats: int, cv: Any, random_state: int
) -> list[tuple[Rows, Rows]]:
    """Split rows into training and test parts.

    Parameters
    ----------
    X : DataFrame or ndarray of shape (n, p)
    y : ndarray of shape (n,)
    task : {"classification", "regression"}
    folds, repeats : int
    cv : splitter, int, iterable of splits or None
        Parts are numbers of rows or masks.
    random_state : int

    Returns
    -------
    list of two arrays
        Numbers of the rows for training and for testing.

    Raises
    ------
    ValueError
        For a single class, fewer rows of a class than folds, and splits that are none.
    TypeError
        For a cv of another kind.
    """
    if isinstance(cv, Integral) and not isinstance(cv, bool):
        folds, repeats = int(cv), 1
        if folds < 2:
            raise ValueError(f"cv={cv!r} must be at least 2.")
    elif cv is not None:
        return _given(X, y, cv)
    times = {"n_splits": folds, "n_repeats": repeats, "random_state": random_state}
    if task == "regression":
        return list(RepeatedKFold(**times).split(X))
    classes, counts = np.unique(y.astype(str), return_counts=True)
    if len(classes) < 2:
        raise ValueError(
            f"y has the single class {str(classes[0])!r}; there is nothing to tell apart."
        )
    if counts.min() < folds:
        raise ValueError(
            f"folds={folds} is more than the {counts.min()} rows of class "
            f"{str(classes[counts.argmin()])!r}; use fewer folds, or merge or drop the class."
        )
    return list(RepeatedStratifiedKFold(**times).split(np.zeros(len(y)), y))


def test_to_train(splits: list[tuple[Rows, Rows]]) -> float:
    """Rows in a test part over rows in its training part, on average.

    Parameters
    ----------
    splits : list of two arrays

    Returns
    -------
    float
    """
    return float(np.mean([len(test) / len(train) for train, test in splits]))


def _given(X: Any, y: NDArray[Any], cv: Any) -> list[tuple[Rows, Rows]]:
    if isinstance(cv, (bool, str, type)) or not (hasattr(cv, "split") or isinstance(cv, Iterable)):
        raise TypeError(
            f"cv={cv!r} must be a number of folds, a splitter such as KFold(5), or a list of "
            "splits, each of training and test rows."
        )
    try:
        splits = list(cv.split(X, y) if hasattr(cv, "split") else cv)
    except ValueError as error:
        if "groups" not in str(error):
            raise
        raise ValueError(f"cv={cv!r} needs groups; pass cv=cv.split(X, y, groups).") from error
    if not splits:
        raise ValueError(f"cv={cv!r} gives no split.")
    for number, split in enumerate(splits):
        if isinstance(split, str) or not hasattr(split, "__len__") or len(split) != 2:
            raise ValueError(
                f"split {number} of cv is {split!r}; each is a pair of training and test rows, as "
                "a splitter's split(X, y) gives them."
            )
    return [
        (_numbers(train, k, "training", len(y)), _numbers(test, k, "test", len(y)))
        for k, (train, test) in enumerate(splits)
    ]


def _numbers(part: Any, number: int, what: str, n: int) -> Rows:
    """Rows of a part that is given by a mask or by numbers."""
    rows, where = np.asarray(part), f"the {what} part of split {number} in cv"
    if rows.dtype.kind == "b" and rows.shape == (n,):
        rows = np.flatnonzero(rows)
    if not rows.size:
        raise ValueError(f"{where} is empty; every part needs rows, so leave the split out.")
    if rows.ndim != 1 or rows.dtype.kind not in "iu":
        raise ValueError(
            f"{where} is neither numbers of rows nor a mask of {n} truths; pass what a splitter's "
            "split(X, y) gives."
        )
    if rows.min() < 0 or rows.max() >= n:
        wrong = rows[(rows < 0) | (rows >= n)][0]
        raise ValueError(f"{where} names row {wrong}, but X has the rows 0 to {n - 1}.")
    return rows.astype(np.intp, copy=False)
