"""What do surrogates cost, next to the same tree without them and to R's rpart?

R is no dependency: without Rscript and its package rpart those columns stay empty. rpart runs
on the same table with the same limits, without pruning and cross-validation, in its own process;
the seconds are those that it measures itself.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd
from harness import classification, race, write

from mdtree_nb import MDTreeClassifier
from mdtree_nb.strategies import Surrogate

R_CODE = """
library(rpart)
d <- read.csv("{path}", na.strings = "")
d$y <- factor(d$y)
limits <- rpart.control(minsplit = 2, minbucket = 1, cp = -1, maxdepth = {depth}, xval = 0,
                        maxcompete = 0)
for (i in 1:3) {{
  fit <- system.time(m <- rpart(y ~ ., d, control = limits))
  ask <- system.time(predict(m, d, type = "class"))
  cat(fit[["user.self"]] + fit[["sys.self"]], ask[["user.self"]] + ask[["sys.self"]], "\\n")
}}
"""


def rpart_seconds(X, y, depth):
    """CPU seconds of fit and prediction in R, medians; None without it."""
    if shutil.which("Rscript") is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.csv"
        pd.DataFrame(X).add_prefix("x").assign(y=y).to_csv(path, index=False)
        code = R_CODE.format(path=path, depth=depth)
        done = subprocess.run(["Rscript", "-e", code], capture_output=True, text=True)
    if done.returncode:
        return None
    times = [list(map(float, line.split())) for line in done.stdout.splitlines()]
    return np.median(times, axis=0)


def main():
    rows = []
    for n, depth in ((10_000, 8), (100_000, 8), (100_000, 30)):
        X, y = classification(n, 0.2)
        with_them = MDTreeClassifier(missing=Surrogate(), max_depth=depth)
        without = MDTreeClassifier(missing="majority", max_depth=depth)
        seconds = race(
            {
                "with": lambda: with_them.fit(X, y),  # noqa: B023
                "without": lambda: without.fit(X, y),  # noqa: B023
            },
            rounds=5,
        )
        with_them.predict(X[:1000])
        start = time.process_time()
        with_them.predict(X)
        predict = time.process_time() - start
        line = [f"{n:,}", depth, with_them.tree_.n_nodes, f"{seconds['with']:.3f}"]
        line += [f"{seconds['with'] / seconds['without']:.2f}", f"{predict:.3f}"]
        theirs = rpart_seconds(X, y, depth)
        if theirs is None:
            rows.append(line + [""] * 4)
            continue
        fit, ask = theirs
        line += [f"{fit:.2f}", f"{fit / seconds['with']:.1f}", f"{ask:.2f}", f"{ask / predict:.0f}"]
        rows.append(line)
    write(
        "surrogates",
        "Surrogates: seconds of fit and prediction",
        "make_classification with 20 columns, 20 % of the values missing at random, five "
        "surrogates per node. `to majority` is the time of fit divided by that of "
        "missing='majority', which has none. CPU seconds, one thread, medians; prediction is of "
        "the training rows.",
        ["rows", "max_depth", "nodes", "fit", "to majority", "predict"]
        + ["rpart fit", "ratio", "rpart predict", "ratio"],
        rows,
    )


if __name__ == "__main__":
    main()
