"""Time competitors side by side and write a table.

All competitors of a question run in turn in one process, round after round, so that a
machine whose speed drifts is the same for all; what is reported is the median of CPU
seconds, and ratios.
"""

from __future__ import annotations

import os
import platform
import statistics
import time
from collections.abc import Callable, Mapping
from importlib.metadata import version
from pathlib import Path

import numpy as np
from sklearn.datasets import make_classification
from threadpoolctl import threadpool_limits

RESULTS = Path(__file__).resolve().parents[1] / "docs" / "results"


def classification(n: int, missing: float, p: int = 20, classes: int = 2):
    """make_classification with holes."""
    X, y = make_classification(
        n,
        p,
        n_informative=10,
        n_redundant=5,
        n_classes=classes,
        n_clusters_per_class=3,
        flip_y=0.05,
        random_state=0,
    )
    if missing:
        X[np.random.default_rng(1).random(X.shape) < missing] = np.nan
    return X, y


def race(competitors: Mapping[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    """Median CPU seconds of each competitor; one warm-up round is not counted."""
    times: dict[str, list[float]] = {name: [] for name in competitors}
    with threadpool_limits(1):
        for number in range(rounds + 1):
            for name, run in competitors.items():
                start = time.process_time()
                run()
                if number or rounds == 1:
                    times[name].append(time.process_time() - start)
    return {name: statistics.median(values) for name, values in times.items()}


def write(name: str, title: str, text: str, header: list[str], rows: list[list[object]]) -> None:
    """Write a Markdown table to docs/results/ and print it."""
    packages = ("numpy", "scikit-learn", "numba")
    machine = (
        f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}, "
        + ", ".join(f"{p} {version(p)}" for p in packages)
    )
    cells = [header, ["---"] * len(header), *[[str(c) for c in row] for row in rows]]
    table = "\n".join("| " + " | ".join(row) + " |" for row in cells)
    RESULTS.mkdir(parents=True, exist_ok=True)
    content = f"# {title}\n\n{text}\n\n{table}\n\n{machine}\n"
    (RESULTS / f"{name}.md").write_text(content, encoding="utf-8")
    print(content, flush=True)
