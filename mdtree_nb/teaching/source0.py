"""Source 0: "CART decision trees with missing values", one side for all blanks.

The recipe of its data. 1000 rows and 8 columns, 5 of them informative, by scikit-learn's
make_classification or make_regression with random_state=42. Then holes by Python's
`random.choices`: for classification 20 row numbers, 20 column numbers and 2 rows that
lose their label; after that, from the same generator, for regression 5, 5 and 2. Numbers
may repeat. The source sets no seed; `random.seed(seed)` before the first hole makes all
of it again. A fifth of the rows is for testing.
"""

from __future__ import annotations

from random import Random

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.datasets import make_classification, make_regression
from sklearn.tree import DecisionTreeClassifier

from ..estimators import MDTreeClassifier
from ..presets import cart_nan_side
from .sources import Erratum, Source, SourceData, divided, scores

N_ROWS, N_COLUMNS = 1000, 8
HOLES = {"classification": 20, "regression": 5}  # in the order in which they are made
BLANK_LABELS = 2
SEEDS = range(24)
COLUMNS = [f"x{i}" for i in range(1, N_COLUMNS + 1)]

# Five rows: the blank value, and a blank label.
VALUES = np.array([[1.0], [2.0], [np.nan], [3.0], [4.0]])
LABELS = np.array([0.0, 0.0, 1.0, 1.0, np.nan])


def _classification(seed: int | None = None) -> SourceData:
    X, y = make_classification(
        n_samples=N_ROWS, n_features=N_COLUMNS, n_informative=5, n_classes=2, random_state=42
    )
    return _with_holes("classification", X, y.astype(np.float64), seed)


def _regression(seed: int | None = None) -> SourceData:
    X, y = make_regression(
        n_samples=N_ROWS, n_features=N_COLUMNS, n_informative=5, noise=0.3, random_state=42
    )
    return _with_holes("regression", X, y, seed)


def _with_holes(
    task: str, X: NDArray[np.float64], y: NDArray[np.float64], seed: int | None
) -> SourceData:
    if seed is not None:
        generator = Random(seed)
        for made, n_holes in HOLES.items():
            rows = generator.choices(range(N_ROWS), k=n_holes)
            columns = generator.choices(range(N_COLUMNS), k=n_holes)
            unlabelled = generator.choices(range(N_ROWS), k=BLANK_LABELS)
            if made == task:
                X[rows, columns] = np.nan
                y[unlabelled] = np.nan
    return divided(pd.DataFrame(X, columns=COLUMNS), y)


def _gini_without_blank_labels() -> str:
    model = MDTreeClassifier(missing="right", missing_label="drop", max_depth=1)
    return f"{model.fit(VALUES, LABELS).tree_.impurity[0]:.2f}"


def _node_without_a_cut() -> str:
    tree = MDTreeClassifier(missing="right").fit([[1.0], [1.0]], [0, 1]).tree_
    return f"a leaf ({tree.n_nodes} node)"


def _what_scikit_learn_refuses() -> str:
    data = _classification(seed=0)
    labelled = data.y_train.notna()
    found = []
    for what, rows in (("blanks in X", labelled), ("blank labels too", slice(None))):
        try:
            DecisionTreeClassifier().fit(data.X_train[rows], data.y_train[rows])
            found.append(f"{what}: fitted")
        except ValueError:
            found.append(f"{what}: ValueError")
    return "; ".join(found)


def _over_seeds(task: str, names: tuple[str, ...], decimals: int) -> str:
    found = [scores(cart_nan_side(task), source_rows(task, seed)) for seed in SEEDS]
    parts = []
    for name in names:
        values = [of_seed[name] for of_seed in found]
        parts.append(f"{min(values):.{decimals}f} to {max(values):.{decimals}f}")
    return " / ".join(parts)


def source_rows(task: str, seed: int) -> SourceData:
    """Rows of one task with the holes of one seed."""
    return {"classification": _classification, "regression": _regression}[task](seed)


def _classifier_over_seeds() -> str:
    return _over_seeds("classification", ("accuracy", "precision", "recall"), 3)


def _regressor_over_seeds() -> str:
    return _over_seeds("regression", ("rmse", "mae"), 2)


SOURCE = Source(
    title="CART decision trees with missing values",
    url="https://insidelearningmachines.com/decision_trees_handle_missing_values/",
    credit=(
        "Inside Learning Machines grows a tree on incomplete rows in plain Python, in the open, "
        "and so shows that one switch, left or right, is enough to need no imputation."
    ),
    errata=(
        Erratum(
            claim="Gini index of the labels 0, 0, 1, 1, blank",
            published="0.48",
            compute=_gini_without_blank_labels,
            why=(
                "The blank label is counted in the denominator, so the shares of the classes sum "
                "to 0.8; without that row they sum to 1. The best cut of the five rows stays the "
                "same, x <= 2 with blanks right."
            ),
        ),
        Erratum(
            claim="accuracy / precision / recall with blanks right",
            published="0.86 / 0.85 / 0.89",
            compute=_classifier_over_seeds,
            why=(
                f"The holes have no seed, so the result is one of many; {len(SEEDS)} seeds span "
                "it. Blank labels are dropped here."
            ),
        ),
        Erratum(
            claim="RMSE / MAE with blanks left",
            published="68.86 / 53.35",
            compute=_regressor_over_seeds,
            why="The same holds: one of many results, and within what the seeds span.",
        ),
        Erratum(
            claim="a node in which no column can be cut",
            published="AttributeError",
            compute=_node_without_a_cut,
            why=(
                "Rows with equal values and different labels leave nothing to choose, and the "
                "code goes on without a choice. Such a node is a leaf; all other nodes stay as "
                "they are."
            ),
        ),
        Erratum(
            claim="scikit-learn on these data",
            published="ValueError",
            compute=_what_scikit_learn_refuses,
            why=(
                "Since version 1.3 scikit-learn's trees take blanks in X; what they refuse is the "
                "blank labels. That a tree can take blanks was the source's point."
            ),
        ),
    ),
    data={"classification": _classification, "regression": _regression},
    has_holes=True,
)
