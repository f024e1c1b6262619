"""How long does fitting take, next to scikit-learn's trees? (one thread)

Everything from the array on is counted: checks, sorting, growing.
"""

from __future__ import annotations

import sys

import numpy as np
from harness import classification, race, write
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from mdtree_nb import MDTreeClassifier, MDTreeRegressor


def cases(sizes):
    for n in sizes:
        for missing in (0.0, 0.2):
            X, y = classification(n, missing)
            for depth in (8, None):
                yield n, missing, depth, "gini", X, y, None
            w = np.random.default_rng(2).uniform(0.5, 2, n)
            yield n, missing, 8, "gini, weighted", X, y, w
            yield n, missing, 8, "entropy", X, y, None
            target = np.nan_to_num(X[:, 0]) * 2 + np.random.default_rng(3).normal(size=n)
            yield n, missing, 8, "squared error", X, target, None


def measure(X, y, w, what, depth):
    """Median seconds of both packages."""
    criterion = what.split(",")[0].replace(" ", "_")
    regression = criterion == "squared_error"
    ours, theirs = (
        (MDTreeRegressor, DecisionTreeRegressor)
        if regression
        else (MDTreeClassifier, DecisionTreeClassifier)
    )
    options = {"criterion": criterion, "max_depth": depth}
    return race(
        {
            "ours": lambda: ours(missing="learned", **options).fit(X, y, w),
            "scikit-learn": lambda: theirs(random_state=0, **options).fit(X, y, w),
        },
        rounds=9 if len(X) <= 10_000 else 3 if len(X) <= 100_000 else 1,
    )


def main(sizes):
    rows = []
    for n, missing, depth, what, X, y, w in cases(sizes):
        seconds = measure(X, y, w, what, depth)
        ours, theirs = seconds["ours"], seconds["scikit-learn"]
        row = [f"{n:,}", f"{missing:.0%}", depth or "none", what]
        rows.append([*row, f"{ours:.4f}", f"{theirs:.4f}", f"{theirs / ours:.1f}"])
        print(*rows[-1], flush=True)
    write(
        "fit",
        "Fit: seconds and ratio to scikit-learn's trees",
        "make_classification with 20 columns, values missing at random, learned direction on "
        "both sides, min_samples_leaf 1, median CPU seconds, one thread. Ratio = "
        "scikit-learn / ours.",
        ["rows", "missing", "max_depth", "criterion", "ours", "scikit-learn", "ratio"],
        rows,
    )


if __name__ == "__main__":
    main([int(a) for a in sys.argv[1:]] or [1_000, 10_000, 100_000, 1_000_000])
