"""The contract between `make_missing` and a method of making holes.

A method learns on the training rows, and makes their holes while it does; rows that come
later get theirs one by one, from what was learned. Most methods treat columns one by one:
some drivers give every row a score, the score gives a chance, and the chance a draw. Such a
method says no more than `chance`.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

from .cells import Cells
from .draw import draw, positions
from .request import Request, warn_constant
from .scores import Score


@dataclass
class Holes:
    """Cells that go, and the chance that they had.

    Attributes
    ----------
    mask : ndarray of shape (n, p), bool
    chances : ndarray of shape (n, p)
        0 where nothing can go.
    """

    mask: NDArray[np.bool_]
    chances: NDArray[np.float64]

    @classmethod
    def none(cls, shape: tuple[int, int]) -> Holes:
        """Start without any."""
        return cls(np.zeros(shape, bool, order="F"), np.zeros(shape, order="F"))

    def put(
        self,
        column: int,
        rows: NDArray[np.bool_],
        chance: NDArray[np.float64],
        drawn: NDArray[np.bool_],
    ) -> None:
        """Enter the draw of some rows of a column."""
        here: Any = slice(None) if rows.all() else rows  # a slice is much faster
        self.mask[here, column] = drawn
        self.chances[here, column] = chance


@dataclass(frozen=True)
class Job:
    """One column that loses values.

    Attributes
    ----------
    column : int
    drivers : list of int
        Empty = nothing drives it.
    wanted : float
        How many values go; an expected number where it is not exact.
    exact : bool
    half : {0, 1} or None
        Which random half of the rows may lose values; None = all.
    """

    column: int
    drivers: list[int]
    wanted: float
    exact: bool = True
    half: int | None = None

    def rows(self, cells: Cells, halves: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Rows that have a value to lose."""
        known = ~cells.holes[:, self.column]
        return known if self.half is None else known & (halves == self.half)


@dataclass(frozen=True)
class Learned:
    """What is known about a job once the training rows were seen.

    Attributes
    ----------
    job : Job
    share : float
        Of the values that could go.
    scores : list of Score
        Of the drivers; empty = the chance is the share.
    weights : ndarray
    state : Any
        What the method needs to turn a value into a chance.
    reference : ndarray or None
        Sorted scores of the training rows, where positions count.
    """

    job: Job
    share: float
    scores: list[Score] = field(default_factory=list)
    weights: NDArray[np.float64] = field(default_factory=lambda: np.ones(0))
    state: Any = None
    reference: NDArray[np.float64] | None = None

    def values(self, cells: Cells) -> NDArray[np.float64]:
        """Weighted sum of the standardised drivers of each row."""
        total = self.weights[0] * self.scores[0].of(cells)
        for score, weight in zip(self.scores[1:], self.weights[1:], strict=True):
            total += weight * score.of(cells)
        return total


class Method(BaseEstimator):
    """One way of making holes. Subclass it and override `chance`, or `learn` and `apply`.

    Attributes
    ----------
    name : str
        What users write as `method=`.
    mechanisms : tuple of str
        Those of "MCAR", "MAR" and "MNAR" that it can make.
    rates : tuple of str
        What `rate_of` can be; the first is the default.
    driven : {"by column", "by row", "itself"}
        Whether users name drivers for every column, or for rows as a whole, or cannot,
        since the method has none or chooses them itself.
    by_position : bool
        Whether `chance` gets places in the order of scores, or the scores.
    moves : bool
        Whether a hole can move to another row when it would empty its own.
    exact : bool
        Whether the number of holes is exact.
    """

    name: ClassVar[str] = ""
    mechanisms: ClassVar[tuple[str, ...]] = ("MAR", "MNAR")
    rates: ClassVar[tuple[str, ...]] = ("column", "cell")
    driven: ClassVar[str] = "by column"
    by_position: ClassVar[bool] = True
    moves: ClassVar[bool] = True
    exact: bool = True

    def check(self) -> None:
        """Refuse parameters that make no sense.

        Raises
        ------
        ValueError, TypeError
        """

    def default_rate_of(self) -> str:
        """Say what `rate` is a share of when nobody says."""
        return self.rates[0]

    def jobs(self, request: Request) -> list[Job]:
        """Say which columns lose values, by which drivers, and how many.

        Parameters
        ----------
        request : Request

        Returns
        -------
        list of Job
        """
        rate = request.column_rate()
        request.check_rows(rate)
        return [self.job(request, j, request.drivers[j], rate) for j in request.columns]

    def job(
        self, request: Request, column: int, drivers: list[int], rate: float, **more: Any
    ) -> Job:
        """Make the job of one column."""
        exact = more.pop("exact", self.exact)
        return Job(column, drivers, request.count(column, rate, exact), exact, **more)

    def prepare(self, values: NDArray[np.float64], share: float, rng: np.random.Generator) -> Any:
        """Learn on training rows what turns their values into chances of that mean.

        Parameters
        ----------
        values : ndarray of shape (n,)
            Places between 0 and 1 (`by_position`), or standardised scores.
        share : float
        rng : Generator

        Returns
        -------
        object
            The state that `chance` gets; here the share.
        """
        return share

    def chance(self, values: NDArray[np.float64], state: Any) -> NDArray[np.float64]:
        """Chance of each row that its value goes.

        Parameters
        ----------
        values : ndarray of shape (n,)
        state : Any
            What `prepare` returned.

        Returns
        -------
        ndarray of shape (n,)
        """
        raise NotImplementedError

    def strata(self, values: NDArray[np.float64]) -> NDArray[np.uint16] | None:
        """Groups of rows that have exact numbers too; here None."""
        return None

    def driver_weights(self, n_drivers: int, rng: np.random.Generator) -> NDArray[np.float64]:
        """Weights of several drivers in the score; here all equal."""
        return np.ones(n_drivers)

    def learn(self, request: Request) -> tuple[Any, Holes]:
        """Learn on the training rows and make their holes.

        Parameters
        ----------
        request : Request

        Returns
        -------
        plan : Any
            For `apply`.
        holes : Holes
        """
        holes, plan = Holes.none(request.cells.shape), []
        jobs = self.jobs(request)
        halves = _halves(jobs, request.cells.shape[0], request.rng)
        for job in jobs:
            rows = job.rows(request.cells, halves)
            learned, chance, strata = self._learn_job(request, job, rows)
            drawn = draw(chance, request.rng, exact=job.exact, strata=strata)
            holes.put(job.column, rows, chance, drawn)
            plan.append(learned)
        return plan, holes

    def _learn_job(
        self, request: Request, job: Job, rows: NDArray[np.bool_]
    ) -> tuple[Learned, NDArray[np.float64], NDArray[np.uint16] | None]:
        """Learn one job; with chances and strata of the rows that have a value to lose."""
        n = int(rows.sum())
        learned = Learned(job, min(job.wanted / n, 1.0) if n else 0.0)
        if not n or not job.drivers:
            return learned, np.full(n, learned.share), None
        scores = [request.score(k) for k in job.drivers]
        weights = self.driver_weights(len(scores), request.rng)
        seeing = replace(learned, scores=scores, weights=weights)
        values = seeing.values(request.cells)
        values = values if rows.all() else values[rows]
        if values.min() == values.max():
            warn_constant(request.cells.names[job.column])
            return learned, np.full(n, learned.share), None
        reference = np.sort(values) if self.by_position and request.keep else None
        if self.by_position:
            values = positions(values, request.rng, random_ties=request.random_ties)
        state = self.prepare(values, learned.share, request.rng)
        learned = replace(seeing, state=state, reference=reference)
        return learned, self.chance(values, state), self.strata(values)

    def apply(self, plan: Any, cells: Cells, rng: np.random.Generator) -> Holes:
        """Make the holes of rows that come later, each row by itself.

        Parameters
        ----------
        plan : Any
            What `learn` returned.
        cells : Cells
        rng : Generator

        Returns
        -------
        Holes
        """
        holes = Holes.none(cells.shape)
        halves = _halves([learned.job for learned in plan], cells.shape[0], rng)
        for learned in plan:
            rows = learned.job.rows(cells, halves)
            if learned.scores:
                values = learned.values(cells)[rows]
                if learned.reference is not None:
                    values = positions(values, rng, random_ties=True, reference=learned.reference)
                chance = self.chance(values, learned.state)
            else:
                chance = np.full(int(rows.sum()), learned.share)
            holes.put(learned.job.column, rows, chance, draw(chance, rng, exact=False))
        return holes


def _halves(jobs: list[Job], n: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Random halves of the rows, where a job asks for them."""
    if all(job.half is None for job in jobs):
        return np.zeros(0, dtype=np.int64)
    return rng.permutation(n) % 2
