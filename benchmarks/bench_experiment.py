"""What an experiment costs beyond its fits: overhead per cell, idle cores, a large store.

Overhead is measured with a model that does nothing, so it is all that is left: folds, holes,
results on their way, the store.
"""

from __future__ import annotations

import os
import sqlite3
import statistics
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from harness import write
from sklearn.base import BaseEstimator, ClassifierMixin

from mdtree_nb import Experiment, MDTreeClassifier
from mdtree_nb.evaluation import read_store, summarise
from mdtree_nb.evaluation.store import Outcome, Store

ROUNDS = 5


class Nothing(ClassifierMixin, BaseEstimator):
    """Knows nothing and says so at once."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X):
        return np.full((len(X), len(self.classes_)), 1 / len(self.classes_))


def overhead(folder):
    """Milliseconds per cell that does nothing; without and with holes that are made for it."""
    found = []
    for rates in ([0.0], [0.2]):
        times = []
        for number in range(ROUNDS):
            experiment = Experiment(["iris", "wine"], {"model": Nothing()}, repeats=20, rates=rates)
            len(experiment)
            start = time.perf_counter()
            experiment.run(Path(folder) / f"overhead{number}{rates[0]}.sqlite")
            times.append(1000 * (time.perf_counter() - start) / len(experiment))
        found.append(statistics.median(times))
    return found


def efficiency(folder):
    """Seconds with one and with two processes, of cells of about a tenth of a second."""
    model = MDTreeClassifier(missing="fractional", missing_predict="lpe")
    tables = ["heart_statlog", "vehicle"]
    experiment = Experiment(
        tables, {"model": model}, mechanisms=["MARunifo"], rates=[0.3], repeats=4
    )
    len(experiment)
    seconds = {}
    for jobs in (2, 1):
        Experiment(["iris"], ["learned"], folds=4).run(n_jobs=jobs)  # workers are started once
        start = time.perf_counter()
        experiment.run(Path(folder) / f"jobs{jobs}.sqlite", n_jobs=jobs)
        seconds[jobs] = time.perf_counter() - start
    busy = experiment.cells(Path(folder) / "jobs2.sqlite")["seconds"].sum() / 2 / seconds[2]
    return len(experiment), seconds, busy


def large_store(folder):
    """Seconds to open and to summarise 100,000 results."""
    path = Path(folder) / "large.sqlite"
    rng = np.random.default_rng(0)
    line = {"test": "missing", "rows": 100, "holes": 0.2, "smoothed_error": 0.3}
    with Store(path) as store:
        for number in range(20):
            cells = []
            for fold in range(500):
                cell = {
                    "key": f"{number}-{fold}", "spec": "s", "data": "d", "status": "done",
                    "dataset": f"table {number}", "strategy": f"strategy {fold % 10}",
                    "mechanism": "none", "rate": 0.0, "repeat": fold // 50, "fold": fold % 5,
                    "seconds": 1.0, "version": "0",
                }  # fmt: skip
                lines = [
                    {
                        **line, "mechanism": f"m{m}", "rate": rate, "prediction": "own",
                        "accuracy": rng.random(),
                    }
                    for m in range(2)
                    for rate in (0.1, 0.2, 0.3, 0.4, 0.5)
                ]  # fmt: skip
                cells.append(Outcome(cell, lines))
            store.add(cells)
    times = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        results = read_store(path)
        opened = time.perf_counter() - start
        summarise(results)
        times.append((opened, time.perf_counter() - start))
    with sqlite3.connect(path) as db:
        n = db.execute("SELECT count(*) FROM results").fetchone()[0]
    return n, *(statistics.median(column) for column in zip(*times, strict=True))


def main():
    with tempfile.TemporaryDirectory() as folder:
        whole, holed = overhead(folder)
        n_cells, seconds, busy = efficiency(folder)
        n, opened, summarised = large_store(folder)
    speed_up = seconds[1] / seconds[2]
    write(
        "experiment",
        "Experiments: what is not fitting",
        "Wall-clock, medians. Overhead: a model that does nothing on iris and wine, 200 cells, "
        "each stored in a file as it comes back, without holes and with holes that Twala's pairs "
        "make from 120 or 142 training rows. Two processes: the same cells with n_jobs=1 and 2; "
        "busy = time in cells over time times processes. Where others use the machine (a load "
        "above 2), only overhead and busy mean something; load average at the end: "
        f"{os.getloadavg()[0]:.1f} on {os.cpu_count()} cores.",
        ["what", "measured"],
        [
            ["overhead per cell, complete rows", f"{whole:.2f} ms"],
            ["overhead per cell, holes made in it", f"{holed:.2f} ms"],
            [f"{n_cells} cells, one process", f"{seconds[1]:.1f} s"],
            [f"{n_cells} cells, two processes", f"{seconds[2]:.1f} s"],
            ["speed-up", f"{speed_up:.2f}"],
            ["two processes are busy", f"{100 * busy:.0f} %"],
            [f"opening and reading a store of {n:,} results", f"{opened:.2f} s"],
            ["the same with the summary", f"{summarised:.2f} s"],
        ],
    )


if __name__ == "__main__":
    sys.exit(main())
