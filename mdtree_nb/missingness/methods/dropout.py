"""dropout: once a row has lost a value, it loses all later ones (monotone missingness)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from ..cells import Cells
from ..contract import Holes, Method
from ..draw import SIDES, bend, check_side, count_of, draw, intercept
from ..request import Request, warn_constant
from ..scores import Score


@dataclass(frozen=True)
class _Step:
    """How rows drop out at one column: constant chance, or a logistic curve in a score."""

    column: int
    share: float
    score: Score | None
    mean: float = 0.0
    spread: float = 1.0
    intercept: float = 0.0


class Dropout(Method):
    """People leave a study: the columns are visits in order, and nobody comes back.

    All rows have the first column; those that drop out do so at one of the others. MAR: by
    the value of the visit before. MNAR: by the value that is then missing. MCAR: by chance.

    Parameters
    ----------
    gone : sequence of float or None, default=None
        Share of the drop-outs that have left by each column after the first, not
        decreasing, the last 1. None = as many leave at each.
    side : {"right", "left", "mid", "tail"}, default="right"
        Which values make rows drop out more often.
    steepness : float, default=1.0
        Of the logistic curve.
    """

    name = "dropout"
    mechanisms = ("MCAR", "MAR", "MNAR")
    rates = ("row", "cell")
    driven = "itself"
    moves = False

    def __init__(
        self, gone: Sequence[float] | None = None, side: str = "right", steepness: float = 1.0
    ) -> None:
        self.gone = gone
        self.side = side
        self.steepness = steepness

    def check(self) -> None:
        """Refuse an unknown side and a steepness below 0."""
        check_side(self.side, SIDES)
        if not np.isfinite(self.steepness) or self.steepness < 0:
            raise ValueError(f"steepness={self.steepness!r} must be a number from 0.")

    def learn(self, request: Request) -> tuple[list[_Step], Holes]:
        """Let rows drop out column by column, calibrated on those who are still there."""
        cells, rng = request.cells, request.rng
        n, visits = cells.shape[0], list(request.columns)
        if len(visits) < 2:
            raise ValueError("method='dropout' needs two columns or more: the visits in order.")
        if request.count_existing:
            raise ValueError("count_existing=True does not apply to method='dropout'.")
        request.columns[:] = visits[1:]
        request.drivers.clear()
        for before, column in pairwise(visits):
            by = {"MCAR": [], "MAR": [before], "MNAR": [column]}
            request.drivers[column] = by[request.mechanism]
        there, steps = np.ones(n, dtype=bool), []
        holes, lost = Holes.none(cells.shape), np.zeros(n)
        for column, wanted in zip(visits[1:], self._counts(request, n), strict=True):
            left = int(there.sum())
            share = max(wanted - (n - left), 0) / left if left else 0.0
            step = self._step(request, column, share, there)
            steps.append(step)
            chance = self._chance(step, cells)
            here = np.flatnonzero(there)
            there[here[draw(chance[here], rng, exact=True)]] = False
            lost += (1 - lost) * chance
            _enter(holes, cells, column, lost, ~there)
        return steps, holes

    def apply(self, plan: list[_Step], cells: Cells, rng: np.random.Generator) -> Holes:
        """Let later rows drop out, each by itself."""
        n = cells.shape[0]
        there, lost, holes = np.ones(n, dtype=bool), np.zeros(n), Holes.none(cells.shape)
        for step in plan:
            chance = self._chance(step, cells)
            there &= rng.random(n) >= chance
            lost += (1 - lost) * chance
            _enter(holes, cells, step.column, lost, ~there)
        return holes

    def _step(self, request: Request, column: int, share: float, there: NDArray[np.bool_]) -> _Step:
        drivers = request.drivers[column]
        if not drivers or not there.any():
            return _Step(column, share, None)
        score = request.score(drivers[0])
        values = score.of(request.cells)[there]
        if values.min() == values.max():
            warn_constant(request.cells.names[column])
            return _Step(column, share, None)
        mean, spread = float(values.mean()), float(values.std())
        odds = self.steepness * bend((values - mean) / spread, self.side)
        return _Step(column, share, score, mean, spread, intercept(odds, share))

    def _chance(self, step: _Step, cells: Cells) -> NDArray[np.float64]:
        """Chance of every row to leave at this column if it was still there."""
        if step.score is None:
            return np.full(cells.shape[0], step.share)
        values = (step.score.of(cells) - step.mean) / step.spread
        return expit(self.steepness * bend(values, self.side) + step.intercept)

    def _counts(self, request: Request, n: int) -> list[int]:
        """Rows that have left by each column."""
        m = len(request.columns)
        gone = np.arange(1, m + 1) / m if self.gone is None else np.asarray(self.gone, dtype=float)
        if gone.shape != (m,) or (np.diff(gone, prepend=0) < 0).any() or gone[-1] != 1:
            raise ValueError(
                f"gone={self.gone!r} must be {m} numbers, one per column after the first, that "
                "do not decrease and end with 1."
            )
        rate = request.rate
        if request.rate_of == "cell":
            reachable = float(gone.sum()) / request.cells.shape[1]
            if rate > reachable * (1 + 1e-12):
                raise ValueError(
                    f"rate={rate:g} of all cells cannot be reached by drop-out; these columns "
                    f"reach {reachable:.4g}."
                )
            rate /= reachable
        counts = [count_of(n, rate * part) for part in gone]
        if counts[-1] == n and not request.allow_full:
            if rate >= 1:
                raise ValueError(
                    f"rate={request.rate:g} would leave no value in the last column; pass "
                    f"allow_full=True, or a rate up to {(n - 1) / n:.4g} of it."
                )
            counts = [min(count, n - 1) for count in counts]
        return counts


def _enter(
    holes: Holes,
    cells: Cells,
    column: int,
    lost: NDArray[np.float64],
    gone: NDArray[np.bool_],
) -> None:
    known: Any = ~cells.holes[:, column]
    holes.put(column, known, lost[known], gone[known])
