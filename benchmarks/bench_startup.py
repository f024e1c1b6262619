"""How long does one wait before the first tree: import, compilation, the command's help?

Every measurement is a fresh Python process; wall-clock seconds, the median of several.
"""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import sysconfig
import tempfile
import time

from harness import write

ROUNDS = 5
DATA = """
import time
import numpy as np, pandas as pd
from mdtree_nb import MDTreeClassifier, MDTreeRegressor
X = np.random.default_rng(0).normal(size=(200, 5))
X[::7, 1] = np.nan
y = (X[:, 0] > 0) * 1
"""
FIT = """
start = time.perf_counter()
MDTreeClassifier(missing="learned").fit(X, y)
print(time.perf_counter() - start)
"""
MIXED = """
X = pd.DataFrame(X, columns=list("abcde")).assign(colour=np.where(X[:, 2] > 0, "red", "green"))
"""
REGRESSION = """
start = time.perf_counter()
MDTreeRegressor(missing="learned").fit(X, np.arange(200.0))
print(time.perf_counter() - start)
"""
IMPORT = """
import time
import numpy, pandas, sklearn.base, sklearn.utils.multiclass, sklearn.tree
start = time.perf_counter()
import mdtree_nb
mdtree_nb.MDTreeClassifier
print(time.perf_counter() - start)
"""


def run(code, cache):
    """What a fresh process prints at last, a number of seconds."""
    environment = os.environ | {"NUMBA_CACHE_DIR": cache}
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return float(done.stdout.split()[-1])


def wait_for_help():
    """Seconds until the command has printed its help."""
    command = shutil.which("mdtree-nb", path=sysconfig.get_path("scripts"))
    start = time.perf_counter()
    subprocess.run([command, "--help"], capture_output=True, check=True)
    return time.perf_counter() - start


def main():
    times = {}
    for _ in range(ROUNDS):
        with tempfile.TemporaryDirectory() as cache:
            for name, code in (
                ("first fit, nothing compiled", DATA + FIT),
                ("first fit of a later process", DATA + FIT),
                ("first fit with a text column after that", DATA + MIXED + FIT),
                ("first regression after that", DATA + REGRESSION),
                ("text column in a later process", DATA + MIXED + FIT),
            ):
                times.setdefault(name, []).append(run(code, cache))
            times.setdefault("import beyond its dependencies", []).append(run(IMPORT, cache))
        times.setdefault("mdtree-nb --help", []).append(wait_for_help())
        print({name: round(values[-1], 2) for name, values in times.items()}, flush=True)
    write(
        "startup",
        "Waiting before the first tree: seconds",
        "Each in a fresh process, wall clock, median of several. Kernels are compiled at the "
        "first fit and kept on disk.",
        ["what", "seconds", "from", "to"],
        [
            [name, f"{statistics.median(v):.2f}", f"{min(v):.2f}", f"{max(v):.2f}"]
            for name, v in times.items()
        ],
    )


if __name__ == "__main__":
    main()
