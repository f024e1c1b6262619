"""What does filling in cost, next to scikit-learn's imputers on the same table?

Each pair runs side by side, once per table: CPU seconds of learning and filling the training
rows, and the largest memory that Python held meanwhile, measured in a second run.
"""

from __future__ import annotations

import time
import tracemalloc
import warnings
from collections.abc import Callable

import numpy as np
from harness import write
from sklearn.experimental import enable_iterative_imputer  # noqa: F401
from sklearn.impute import IterativeImputer, KNNImputer, SimpleImputer
from sklearn.preprocessing import StandardScaler
from threadpoolctl import threadpool_limits

from mdtree_nb import strategies
from mdtree_nb import table as tables

SIZES = ((1_000, 20, 0.2), (10_000, 20, 0.2), (12_000, 6, 0.1), (100_000, 6, 0.1))
MOST_ROWS = {"KNNImputer": 12_000}  # more take many minutes


def holed(n: int, p: int, share: float):
    """Columns that depend on each other, with holes."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, p)) @ rng.normal(size=(p, p))
    X[rng.random(X.shape) < share] = np.nan
    return X


def measure(run: Callable[[], object], with_memory: bool) -> tuple[float, float]:
    """CPU seconds, and megabytes at the top."""
    start = time.process_time()
    run()
    seconds = time.process_time() - start
    if not with_memory:
        return seconds, np.nan
    tracemalloc.start()
    run()
    top = tracemalloc.get_traced_memory()[1] / 1e6
    tracemalloc.stop()
    return seconds, top


def ours(strategy, X):
    """Learn from the rows, and fill them."""
    table = tables.learn(X)
    return strategy.prepare(table, np.zeros(len(X)), None, np.random.RandomState(0))


def pairs(X):
    """Our strategy, and what in scikit-learn does the same or nearly so."""
    scaled = StandardScaler().fit_transform(X)
    return {
        "mean": (strategies.Mean(), "SimpleImputer", lambda: SimpleImputer().fit_transform(X)),
        "knn": (strategies.KNN(), "KNNImputer", lambda: KNNImputer().fit_transform(scaled)),
        "iterative": (
            strategies.Iterative(),
            "IterativeImputer",
            lambda: IterativeImputer().fit_transform(scaled),
        ),
        "em": (strategies.EM(), "", None),
    }


def main():
    rows = []
    ours(strategies.KNN(), holed(50, 3, 0.2))  # compiles the search
    warnings.simplefilter("ignore")
    with threadpool_limits(1):
        for n, p, share in SIZES:
            X = holed(n, p, share)
            for name, (strategy, other, run) in pairs(X).items():
                long = n >= 100_000
                mine = measure(lambda: ours(strategy, X), not long or name != "knn")  # noqa: B023
                theirs = (np.nan, np.nan)
                if run is not None and n <= MOST_ROWS.get(other, n):
                    theirs = measure(run, True)
                line = [f"{n:,} x {p}", name, f"{mine[0]:.3f}", f"{mine[1]:.0f}", other]
                line += [f"{theirs[0]:.3f}", f"{theirs[1]:.0f}", f"{theirs[0] / mine[0]:.1f}"]
                rows.append([cell if cell != "nan" else "" for cell in line])
                print(*rows[-1], flush=True)
    write(
        "imputation",
        "Filling in: seconds and memory",
        "Normal columns that depend on each other, 20 or 10 % of the cells missing at random. "
        "Learning and filling of the training rows, five versions for `em` (EM and a hundred "
        "steps of data augmentation). CPU seconds of one run, one thread; MB is the most that "
        "Python and NumPy held; ratio is scikit-learn's time divided by ours. Standardising "
        "is not counted for scikit-learn. Empty: not run, as it takes many minutes.",
        ["table", "missing=", "seconds", "MB", "scikit-learn", "seconds", "MB", "ratio"],
        rows,
    )


if __name__ == "__main__":
    main()
