"""How long does it take to punch holes, and how much memory? (one thread)

A million rows of twenty numbers, as an array and as a data frame, by every method and
mechanism. Memory is the highest sum of allocations seen by tracemalloc during the call,
result included, in copies of the table.
"""

from __future__ import annotations

import sys
import tracemalloc

import numpy as np
import pandas as pd
from harness import race, write

from mdtree_nb import make_missing
from mdtree_nb.missingness import all_methods


def main(n):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 20))
    y = (X[:, 0] > 0).astype(int)
    frame = pd.DataFrame(X, columns=[f"x{i}" for i in range(20)])
    rows = []
    for mechanism in ("MCAR", "MAR", "MNAR"):
        for method, cls in all_methods().items():
            if mechanism not in cls.mechanisms:
                continue
            options = {"mechanism": mechanism, "method": method, "rate": 0.3, "random_state": 0}
            seconds = race(
                {
                    "array": lambda options=options: make_missing(X, y, **options),
                    "frame": lambda options=options: make_missing(frame, y, **options),
                },
                rounds=3,
            )
            tracemalloc.start()
            result = make_missing(X, y, **options)
            copies = tracemalloc.get_traced_memory()[1] / X.nbytes
            tracemalloc.stop()
            reached = f"{result.realised[result.params['rate_of']]:.4f}"
            cells = [f"{seconds['array']:.2f}", f"{seconds['frame']:.2f}", f"{copies:.2f}"]
            rows.append([mechanism, method, len(result.drivers), reached, *cells])
            del result
            print(*rows[-1], flush=True)
    write(
        "amputation",
        "make_missing: seconds and memory",
        f"{n:,} rows of 20 numbers, rate 0.3 (of each column; of all cells for pairs, of rows for "
        "ampute and dropout), median of three in CPU seconds. Copies of the table: highest "
        "allocation during the call on an array, with the result (table, chances and two masks, "
        "2.25 copies) included.",
        ["mechanism", "method", "columns", "reached", "s, array", "s, frame", "copies"],
        rows,
    )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
