"""How long does predicting take, next to scikit-learn's trees? (one thread)

Both trees learned from the same table; the rows to predict are new and have holes too.
"""

from __future__ import annotations

import sys

from harness import classification, race, write
from sklearn.tree import DecisionTreeClassifier

from mdtree_nb import MDTreeClassifier


def measure(n, missing, depth, strategy):
    """Median seconds of both packages, and of ours as float32."""
    X, y = classification(2 * n, missing)
    train, test = X[:n], X[n:]
    ours = MDTreeClassifier(missing=strategy, max_depth=depth).fit(train, y[:n])
    theirs = DecisionTreeClassifier(max_depth=depth, random_state=0).fit(train, y[:n])
    return race(
        {
            "ours": lambda: ours.predict(test),
            "scikit-learn": lambda: theirs.predict(test),
        },
        rounds=21 if n <= 10_000 else 7,
    )


def main(sizes):
    rows = []
    for n in sizes:
        for missing in (0.0, 0.2):
            for depth in (8, None):
                for strategy in ("learned", "fractional") if missing else ("learned",):
                    seconds = measure(n, missing, depth, strategy)
                    ours, theirs = seconds["ours"], seconds["scikit-learn"]
                    row = [f"{n:,}", f"{missing:.0%}", depth or "none", strategy]
                    rows.append([*row, f"{ours:.5f}", f"{theirs:.5f}", f"{theirs / ours:.1f}"])
                    print(*rows[-1], flush=True)
    write(
        "predict",
        "Predict: seconds and ratio to scikit-learn's trees",
        "make_classification with 20 columns, values missing at random in training rows and in "
        "as many new rows, which are predicted; median CPU seconds, one thread. Ratio = "
        "scikit-learn / ours. scikit-learn always learns the direction; fractional cases "
        "follow every branch, which it cannot.",
        ["rows", "missing", "max_depth", "ours by", "ours", "scikit-learn", "ratio"],
        rows,
    )


if __name__ == "__main__":
    main([int(a) for a in sys.argv[1:]] or [1_000, 10_000, 100_000])
