"""Work on the nodes of a batch side by side; kernels let go of Python's lock.

Nodes of a batch share no rows, so whoever works on them in whatever order gets the same
tree. Called by `workspace.py`. Does not: know kernels.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

# Below so many cells (rows times columns) a thread costs more than it saves.
FEWEST_CELLS = 2**17


class Threads:
    """Some threads, or just the caller's own.

    Parameters
    ----------
    number : int, default=1
    """

    def __init__(self, number: int = 1):
        self.number = number
        self._pool = ThreadPoolExecutor(number - 1) if number > 1 else None

    def __enter__(self) -> Threads:
        return self

    def __exit__(self, *_: Any) -> None:
        if self._pool is not None:
            self._pool.shutdown()

    def parts(self, rows: NDArray[np.int64], columns: int) -> list[slice]:
        """Divide nodes into runs with about as many rows each, one per thread.

        Parameters
        ----------
        rows : ndarray of shape (b,)
            Rows of each node.
        columns : int

        Returns
        -------
        list of slice
        """
        if self.number == 1 or len(rows) < 2 or int(rows.sum()) * columns < FEWEST_CELLS:
            return [slice(0, len(rows))]
        middle = np.cumsum(rows) - rows / 2
        turn = np.minimum(middle * self.number // rows.sum(), self.number - 1)
        bounds = np.searchsorted(turn, np.arange(self.number + 1))
        return [slice(a, b) for a, b in zip(bounds, bounds[1:], strict=False) if a < b]

    def run(self, work: Callable[[slice, int], None], parts: list[slice]) -> None:
        """Call `work(part, number of the part)` for each part; the caller does the first."""
        if self._pool is None or len(parts) == 1:
            for number, part in enumerate(parts):
                work(part, number)
            return
        others = [self._pool.submit(work, part, k) for k, part in enumerate(parts) if k]
        work(parts[0], 0)
        for other in others:
            other.result()
