"""How long does compare() take with all default strategies, on a small and on a large table?

Wall seconds on this machine, with the default budget; whatever was skipped is listed. The last
lines say how a strategy's seconds divide.
"""

from __future__ import annotations

import sys
import time

import pandas as pd
from harness import classification, write

import mdtree_nb as md


def horse_colic():
    data = md.load("horse_colic")
    return data.X, data.y.where(data.y == "lived", "lost")


def made_up(n: int):
    X, y = classification(n, 0.2)
    return pd.DataFrame(X, columns=[f"x{j}" for j in range(X.shape[1])]), y


def lines(tables):
    """One line per table, then the strategies that took longest."""
    for name, (make, options) in tables.items():
        X, y = make()
        md.compare(X.iloc[:200], y[:200], folds=2, repeats=1)  # compile
        start = time.perf_counter()
        found = md.compare(X, y, **options)
        seconds = time.perf_counter() - start
        n_folds, n = found.scores.shape[1], len(found.scores)
        told = f"{n} strategies, {n_folds} folds"
        skipped = [name for name, why in found.problems.items() if "skipped" in why]
        yield [name, told, f"{seconds:.1f}", ", ".join(skipped) or "none"]
        its = found.folds.groupby("strategy")[["fit_seconds", "predict_seconds"]].sum()
        for strategy, (fit, predict) in (
            its.assign(all=its.sum(axis=1))
            .nlargest(4, "all")[["fit_seconds", "predict_seconds"]]
            .iterrows()
        ):
            yield [name, strategy, f"{fit + predict:.1f}", f"{fit:.1f} fit, {predict:.1f} predict"]


def main(names):
    tables = {
        "horse_colic, 366 x 20": (horse_colic, {"folds": 5, "repeats": 5}),
        "made up, 20,000 x 20": (lambda: made_up(20_000), {"folds": 5, "repeats": 1}),
    }
    write(
        "compare",
        "compare() of all default strategies",
        "Wall seconds of one run, n_jobs=1, budget=60 seconds per strategy. The made-up table is "
        "make_classification with 20 % of the values missing at random. Below each table the "
        "strategies that took longest.",
        ["table", "what", "seconds", "skipped, or where the time went"],
        list(lines({k: v for k, v in tables.items() if not names or k.startswith(tuple(names))})),
    )


if __name__ == "__main__":
    main(sys.argv[1:])
