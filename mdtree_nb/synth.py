"""Made-up tables whose holes are known: what was there, and why it is blank.

All kinds share one recipe: twenty numbers from `sklearn.datasets.make_classification` (ten
informative, four redundant, two labels in a hundred drawn at random), then a mask. The two kinds
with as many classes agree in numbers and labels for the same seed; only their holes differ.

Does not: check parameters; `datasets.make_synth` is the front.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

FEATURES = 20
RATE = 0.2  # share of blank cells where holes are drawn at random
STEEPNESS, OFFSET, SHIFT = 1.2, -1.9, 0.7  # of the log-odds; about 0.2 of the cells again


@dataclass(frozen=True)
class Kind:
    """What a kind of made-up table consists of.

    Attributes
    ----------
    classes : int
        Number of classes.
    clusters : int
        Clusters of points per class.
    informative : bool
        Whether values and classes decide about holes, or chance alone.
    """

    classes: int
    clusters: int
    informative: bool

    @property
    def shifts(self) -> np.ndarray:
        """What a row of each class adds to the log-odds of a hole, if they are informative."""
        return np.linspace(-SHIFT, SHIFT, self.classes)

    @property
    def missing(self) -> str:
        """What is missing and why, in words."""
        if not self.informative:
            return f"each cell with probability {RATE}, whatever its value and class (MCAR)"
        signs = ", ".join(f"{shift:+g}" if shift else "0" for shift in self.shifts)
        return (
            f"log-odds of a hole are {STEEPNESS} z {OFFSET:+g} and, by class, {signs}, where z is "
            "the standardised value that is lost: high values and late classes are blank more "
            "often (MNAR), so that a hole is itself a clue"
        )


KINDS = {
    "mcar": Kind(classes=3, clusters=2, informative=False),
    "mnar": Kind(classes=3, clusters=2, informative=True),
    "mcar_binary": Kind(classes=2, clusters=3, informative=False),
    "mnar_binary": Kind(classes=2, clusters=3, informative=True),
}


def sample(name: str, n: int, seed: int) -> tuple[pd.DataFrame, pd.Series, dict[str, Any]]:
    """Draw rows of a kind.

    Parameters
    ----------
    name : str
        A key of `KINDS`.
    n : int
        Number of rows.
    seed : int
        Decides about everything that is random.

    Returns
    -------
    X : DataFrame of shape (n, 20)
    y : Series of shape (n,)
    info : dict
        As in the files of `datasets`.
    """
    from sklearn.datasets import make_classification

    kind = KINDS[name]
    X, codes = make_classification(
        n_samples=n,
        n_features=FEATURES,
        n_informative=10,
        n_redundant=4,
        n_classes=kind.classes,
        n_clusters_per_class=kind.clusters,
        class_sep=1.0,
        flip_y=0.02,
        random_state=seed,
    )
    # Both masks are drawn, so that a kind does not change when the other one is asked for.
    at_random, by_value = np.random.default_rng(seed).random((2, *X.shape))
    holes = at_random < RATE
    if kind.informative:
        holes = by_value < hole_probability(X, kind.shifts[codes])
    X[holes] = np.nan
    columns = [f"x{i}" for i in range(FEATURES)]
    y = pd.Series([f"c{code}" for code in codes], name="class", dtype=str)
    info = {
        "name": f"synth_{name}",
        "task": "classification",
        "target": "class",
        "title": f"Made up ({name}): which of {kind.classes} classes?",
        "source": f"mdtree_nb, make_synth({name!r}, n={n}, random_state={seed})",
        "licence": "none needed",
        "changes": "nothing",
        "missing": kind.missing,
        "numeric": columns,
        "rows": n,
        "features": FEATURES,
        "cells_missing": int(holes.sum()),
        "rows_incomplete": int(holes.any(axis=1).sum()),
        "columns_incomplete": int(holes.any(axis=0).sum()),
        "classes": {str(label): int(count) for label, count in y.value_counts().items()},
    }
    return pd.DataFrame(X, columns=columns), y, info


def hole_probability(X: np.ndarray, shift: np.ndarray) -> np.ndarray:
    """Probability of losing each value, given the value and its row's class.

    Parameters
    ----------
    X : ndarray of shape (n, p)
        Complete numbers.
    shift : ndarray of shape (n,)
        What the class of each row adds to the log-odds.

    Returns
    -------
    ndarray of shape (n, p)
    """
    spread = X.std(axis=0)
    z = (X - X.mean(axis=0)) / np.where(spread > 0, spread, 1)  # a single row has no spread
    return 1 / (1 + np.exp(-(STEEPNESS * z + shift[:, None] + OFFSET)))
