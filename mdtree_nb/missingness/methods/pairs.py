"""pairs: columns that belong together stand in pairs, and one drives the other.

Twala (2009) pairs the columns of a table by association; Santos et al. (2019) wrote the
procedure down and settled what was left open, such as the odd column.

References
----------
.. [1] B. Twala, "An empirical comparison of techniques for handling incomplete data using
   decision trees", Applied Artificial Intelligence 23(5), 2009.
.. [2] M. S. Santos et al., "Generating synthetic missing data: a review by missing
   mechanism", IEEE Access 7, 2019.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..associations import Associations
from ..contract import Job, Method
from ..draw import count_of
from ..request import Request


class Pairs(Method):
    """The lowest values of one column of a pair take values of the other.

    In each pair the column that is more associated with y loses values; where an odd column
    makes a trio, two do, driven by the third. MAR: the other column drives. MNAR: the column
    itself does. MCAR: nothing does; every column of the table takes part.

    Parameters
    ----------
    pattern : {"uniform", "univariate"}, default="uniform"
        "univariate": only the column most associated with y loses values; what drives it
        is the column most associated with it.
    on_full : {"cap", "error", "swap"}, default="cap"
        When a column would lose everything (half of all cells, from pairs): leave it one
        value, refuse, or let each column of the pair drive the other in a random half of
        the rows, which is MAR row by row.
    """

    name = "pairs"
    mechanisms = ("MCAR", "MAR", "MNAR")
    rates = ("cell", "column")
    driven = "itself"

    def __init__(self, pattern: str = "uniform", on_full: str = "cap") -> None:
        self.pattern = pattern
        self.on_full = on_full

    def check(self) -> None:
        """Refuse unknown words."""
        if self.pattern not in ("uniform", "univariate"):
            raise ValueError(f"pattern={self.pattern!r} must be 'uniform' or 'univariate'.")
        if self.on_full not in ("cap", "error", "swap"):
            raise ValueError(f"on_full={self.on_full!r} must be 'cap', 'error' or 'swap'.")

    def default_rate_of(self) -> str:
        """A share of all cells, or of the one column."""
        return "cell" if self.pattern == "uniform" else "column"

    def jobs(self, request: Request) -> list[Job]:
        """Pair the columns and say which drives which."""
        if request.y is None and (self.pattern, request.mechanism) != ("uniform", "MCAR"):
            raise ValueError("method='pairs' chooses columns by their association with y; pass y.")
        if request.mechanism == "MCAR":
            return self._mcar(request)
        jobs = []
        for losing, driver in self._groups(request):
            jobs += self._jobs_of_group(request, losing, driver)
        request.columns[:] = [job.column for job in jobs]
        request.drivers.update({job.column: job.drivers for job in jobs})
        return jobs

    def prepare(self, values: NDArray[np.float64], share: float, rng: np.random.Generator) -> float:
        """Place below which values go."""
        return round(share * len(values)) / len(values)

    def chance(self, values: NDArray[np.float64], state: Any) -> NDArray[np.float64]:
        """1 below the place, 0 above."""
        return (values < state).astype(np.float64)

    def _mcar(self, request: Request) -> list[Job]:
        if self.pattern == "univariate":
            found = Associations(request.cells, request.y)
            request.columns[:] = [max(request.columns, key=found.with_target)]
        rate = request.column_rate()
        request.check_rows(rate)
        return [self.job(request, j, [], rate, exact=False) for j in request.columns]

    def _groups(self, request: Request) -> list[tuple[list[int], int]]:
        """Columns that lose values with the column that drives them."""
        columns, found = list(request.columns), Associations(request.cells, request.y)
        if len(columns) < 2:
            raise ValueError("method='pairs' needs two columns or more.")
        if self.pattern == "univariate":
            losing = max(columns, key=found.with_target)
            rest = [j for j in columns if j != losing]
            return [([losing], max(rest, key=lambda j: found.between(j, losing)))]
        groups = []
        for members in pair_up(columns, found.between):
            members.sort(key=found.with_target, reverse=True)
            groups.append((members[:-1], members[-1]))
        return groups

    def _jobs_of_group(self, request: Request, losing: list[int], driver: int) -> list[Job]:
        p, size = request.cells.shape[1], len(losing) + 1
        factor = 1.0
        if request.rate_of == "cell":
            factor = p if self.pattern == "univariate" else size / len(losing)
        k = factor * request.rate
        if k > 1 + 1e-12:
            raise ValueError(
                f"rate={request.rate:g} of all cells would take {k:.4g} of a column; "
                f"this pattern reaches {1 / factor:.4g}. Ask for less, or use rate_of='column'."
            )
        by = {j: [driver] if request.mechanism == "MAR" else [j] for j in losing}
        known = [int((~request.cells.holes[:, j]).sum()) for j in losing]
        if not any(count_of(n, k) >= n for n in known):
            return [self.job(request, j, by[j], k) for j in losing]
        return self._full(request, losing, driver, by)

    def _full(
        self, request: Request, losing: list[int], driver: int, by: dict[int, list[int]]
    ) -> list[Job]:
        """Do what `on_full` says where a column would lose everything."""
        names = request.cells.names
        if self.on_full == "error":
            raise ValueError(
                f"rate={request.rate:g} would empty column {names[losing[0]]!r}; ask for less, or "
                "choose on_full='cap' or 'swap'."
            )
        if self.on_full == "cap" or request.mechanism == "MNAR":
            return [self.job(request, j, by[j], 1 - 1e-12) for j in losing]
        if len(losing) > 1 or request.rate > 0.5 or request.rate_of != "cell":
            raise ValueError(
                f"on_full='swap' reaches half of all cells, from pairs; rate={request.rate:g} of "
                f"{names[losing[0]]!r} is more. Choose on_full='cap'."
            )
        other = losing[0]
        return [
            self.job(request, other, [driver], request.rate, half=0),
            self.job(request, driver, [other], request.rate, half=1),
        ]


def pair_up(columns: list[int], between: Callable[[int, int], float]) -> list[list[int]]:
    """Put columns into pairs, the most associated ones first.

    Parameters
    ----------
    columns : list of int
    between : callable
        Association of two columns.

    Returns
    -------
    list of list of int
        An odd column joins the pair that holds the column most associated with it.
    """
    strengths = sorted(
        ((a, b) for i, a in enumerate(columns) for b in columns[i + 1 :]),
        key=lambda pair: -between(*pair),
    )
    pairs: list[list[int]] = []
    free = set(columns)
    for a, b in strengths:
        if a in free and b in free:
            pairs.append([a, b])
            free -= {a, b}
    for odd in free:
        nearest = max((j for j in columns if j != odd), key=lambda j: between(odd, j))
        next(pair for pair in pairs if nearest in pair).append(odd)
    return pairs
