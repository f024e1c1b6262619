"""How much memory does a fit need beyond the table, in bytes per cell?

Measured as the highest sum of allocations seen by tracemalloc, which NumPy reports to;
so it does not depend on what the process did before. A fit copies a C-ordered array
once, column by column; that copy is the table and is not counted, 8 bytes per cell.
"""

from __future__ import annotations

import sys
import tracemalloc

import numpy as np
from harness import classification, write

from mdtree_nb import MDTreeClassifier


def peak(run):
    """Bytes allocated at the highest point of a call."""
    tracemalloc.start()
    run()
    highest = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return highest


def main(sizes):
    rows = []
    for n in sizes:
        X, y = classification(n, 0.2)
        for values, what in ((X, "distinct"), (np.round(X, 1), "tied")):
            for depth in (8, None):
                for missing in ("learned", "fractional"):
                    model = MDTreeClassifier(missing=missing, max_depth=depth)
                    model.fit(values[:100], y[:100])  # compiles
                    beyond = peak(lambda: model.fit(values, y)) - X.nbytes  # noqa: B023
                    nodes = model.tree_.n_nodes
                    row = [f"{n:,}", what, depth or "none", missing, f"{nodes:,}"]
                    rows.append([*row, f"{beyond / X.size:.1f}"])
                    print(*rows[-1], flush=True)
    write(
        "memory",
        "Fit: bytes per cell beyond the table",
        "make_classification with 20 columns, 20 % of the values missing at random; tied = "
        "rounded to one digit. Fractional cases keep a copy of every row for each branch it "
        "takes, along one path of the tree at a time.",
        ["rows", "values", "max_depth", "missing", "nodes", "bytes per cell"],
        rows,
    )


if __name__ == "__main__":
    main([int(a) for a in sys.argv[1:]] or [10_000, 100_000])
