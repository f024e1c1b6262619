"""What do fractional cases cost, next to scikit-learn's trees and to C4.5's other heirs?

Rows with holes are divided among children, so a node holds parts of more rows than it has.
Weka's J48 is no dependency; bench it by hand on the table that this script writes if asked to.
"""

from __future__ import annotations

import itertools
import sys
import time

import numpy as np
import pandas as pd
from harness import classification, race, write
from sklearn.tree import DecisionTreeClassifier

from mdtree_nb import MDTreeClassifier
from mdtree_nb.presets import c45
from mdtree_nb.strategies import EIG


def c45_table(n=14_000):
    """Three classes, 20 columns, a fifth of the cells missing."""
    X, y = classification(n, 0.2, classes=3)
    return X, y


def main(arguments):
    if arguments == ["eig"]:
        guesses()
        return
    if arguments[:1] == ["--csv"]:
        X, y = c45_table()
        frame = pd.DataFrame(X, columns=[f"x{f}" for f in range(X.shape[1])])
        frame.assign(y=np.array(["a", "b", "c"])[y]).to_csv(arguments[1], index=False, na_rep="?")
        return
    rows = []
    for n, depth in ((10_000, 8), (100_000, 8)):
        X, y = classification(n, 0.2)
        ours = MDTreeClassifier(missing="fractional", max_depth=depth)
        theirs = DecisionTreeClassifier(max_depth=depth, random_state=0)
        seconds = race(
            {
                "ours": lambda: ours.fit(X, y),  # noqa: B023
                "scikit-learn": lambda: theirs.fit(X, y),  # noqa: B023
            },
            rounds=5,
        )
        start = time.process_time()
        ours.predict(X)
        predict = time.process_time() - start
        ratio = seconds["scikit-learn"] / seconds["ours"]
        rows.append(
            [f"{n:,}", "fractional, gini", depth, ours.tree_.n_nodes, f"{seconds['ours']:.3f}"]
            + [f"{seconds['scikit-learn']:.3f}", f"{ratio:.1f}", f"{predict:.3f}"]
        )
    X, y = c45_table()
    model = c45()
    seconds = race({"ours": lambda: model.fit(X, y)}, rounds=3)
    start = time.process_time()
    model.predict(X)
    predict = time.process_time() - start
    rows.append(
        [f"{len(X):,}", "presets.c45", "none", model.tree_.n_nodes, f"{seconds['ours']:.3f}"]
        + ["", "", f"{predict:.3f}"]
    )
    write(
        "fractional",
        "Fractional cases: seconds of fit and prediction",
        "make_classification with 20 columns, 20 % of the values missing at random; scikit-learn "
        "learns a direction and divides no row. presets.c45 has three classes, and prunes. Median "
        "CPU seconds, one thread; prediction is of the training rows.",
        ["rows", "what", "max_depth", "nodes", "ours", "scikit-learn", "ratio", "predict"],
        rows,
    )
    guesses()


def guesses():
    """Expected information gain on the same tables; the guesses are there already."""
    rows = []
    for n, criterion in itertools.product((20_000, 100_000), ("gini", "entropy")):
        X, y = classification(n, 0.2)
        full, _ = classification(n, 0)
        options = {"criterion": criterion, "max_depth": 8}
        models = {
            "fractional": MDTreeClassifier(missing="fractional", **options),
            "eig": MDTreeClassifier(missing=EIG("true", full), **options),
            "eig, joint": MDTreeClassifier(missing=EIG("true", full, "joint"), **options),
        }
        seconds = race(
            {name: lambda m=m: m.fit(X, y) for name, m in models.items()},  # noqa: B023
            rounds=2,
        )
        for name, model in models.items():
            ratio = seconds[name] / seconds["fractional"]
            rows.append(
                [f"{n:,}", criterion, name, model.tree_.n_nodes, f"{seconds[name]:.3f}"]
                + [f"{ratio:.2f}"]
            )
    write(
        "eig",
        "Expected information gain: seconds of fit beside fractional cases",
        "make_classification with 20 columns, 20 % of the values missing at random, max_depth 8; "
        "the guesses are given, so that no imputation is in the times. Median CPU seconds, one "
        "thread; the ratio is to fractional cases.",
        ["rows", "criterion", "missing", "nodes", "seconds", "ratio"],
        rows,
    )


if __name__ == "__main__":
    main(sys.argv[1:])
