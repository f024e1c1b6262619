"""What does a small data frame with mixed columns cost, next to a bare array?

150 rows is the size of tutorials and of the folds of small studies, where everything
around the search for splits weighs most. scikit-learn's tree gets the bare array of
numbers, with holes; ours the data frame with text columns as it is.
"""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
from harness import race, write
from sklearn.tree import DecisionTreeClassifier

from mdtree_nb import MDTreeClassifier


def mixed(n_text, n=150):
    """Four numeric and some text columns with holes; also the numbers alone."""
    rng = np.random.default_rng(0)
    numbers = rng.normal(size=(n, 4 + n_text))
    numbers[rng.random(numbers.shape) < 0.1] = np.nan
    frame = pd.DataFrame(numbers[:, :4], columns=["length", "width", "height", "weight"])
    for f, name in enumerate(["colour", "shape", "place", "maker"][:n_text]):
        codes = np.nan_to_num(np.round(numbers[:, 4 + f] * 2), nan=99).astype(int)
        text = pd.Series(codes).map(lambda code: f"level {code}")
        frame[name] = text.where(codes != 99, None)
    score = np.nan_to_num(numbers) @ rng.normal(size=4 + n_text) + rng.normal(size=n) / 2
    return frame, numbers, np.digitize(score, np.quantile(score, [1 / 3, 2 / 3]))


def main():
    rows = []
    for n_text, depth in itertools.product((2, 4), (4, None)):
        frame, numbers, y = mixed(n_text)
        theirs = DecisionTreeClassifier(max_depth=depth, random_state=0)
        ours = MDTreeClassifier(max_depth=depth)
        both = {
            "data frame": lambda: ours.fit(frame, y),  # noqa: B023
            "our array": lambda: ours.fit(numbers, y),  # noqa: B023
            "scikit-learn": lambda: theirs.fit(numbers, y),  # noqa: B023
        }
        seconds = race(both, rounds=101)
        ms = {name: value * 1e3 for name, value in seconds.items()}
        rows.append(
            [n_text, depth or "none", *(f"{value:.2f}" for value in ms.values())]
            + [f"{ms[name] / ms['scikit-learn']:.2f}" for name in ("data frame", "our array")]
        )
    write(
        "small_table",
        "150 rows: milliseconds of a fit",
        "Ours on a data frame of 150 rows, four numeric columns and some of text; ours on the bare "
        "array with numbers in their place, and scikit-learn on that array; median of 101 rounds, "
        "CPU milliseconds. Ratio = ours / theirs.",
        ["text columns", "max_depth", "ours, data frame", "ours, array", "scikit-learn, array"]
        + ["ratio, data frame", "ratio, array"],
        rows,
    )


if __name__ == "__main__":
    main()
