"""ampute: rows lose several values together, in patterns (multivariate amputation).

References
----------
.. [1] R. M. Schouten, P. Lugtig, G. Vink, "Generating missing values for simulation
   purposes: a multivariate amputation procedure", Journal of Statistical Computation and
   Simulation 88(15), 2018, DOI 10.1080/00949655.2018.1491577.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from ..cells import Cells
from ..contract import Holes, Method
from ..draw import (
    SIDES,
    bend,
    check_odds,
    check_side,
    count_of,
    draw,
    group_chances,
    group_of,
    intercept,
    positions,
)
from ..request import Request, usable, warn_constant
from ..scores import Score


@dataclass(frozen=True)
class _Plan:
    """What was learned: patterns, weights per pattern and column, and a chance per pattern."""

    patterns: NDArray[np.bool_]
    taken: NDArray[np.bool_]  # columns that a row must have to lose any
    frequencies: NDArray[np.float64]
    scores: list[Score]
    weights: NDArray[np.float64]  # one row per pattern, one column per score
    states: list[Any]
    share: float

    def values(self, cells: Cells, pattern: NDArray[np.intp]) -> NDArray[np.float64]:
        """Weighted sum of standard scores, by the weights of each row's pattern."""
        total = np.zeros(len(pattern))
        for score, weights in zip(self.scores, self.weights.T, strict=True):
            total += weights[pattern] * score.of(cells)
        return total


class Ampute(Method):
    """Every row gets a pattern at random; a score decides whether it loses that pattern.

    The score is the weighted sum of standardised columns: of those that the pattern leaves
    (MAR), or of those that it takes (MNAR). Only rows that have all the values that patterns
    take lose any; with `count_existing`, only complete rows.

    Parameters
    ----------
    patterns : sequence or None, default=None
        Each is a list of columns that go together, or a row of truth values over all
        columns, True = goes. None = one pattern for each of `columns`.
    frequencies : sequence of float or None, default=None
        How often each pattern is given; None = equally often.
    weights : dict, sequence of dict, or None, default=None
        From column to weight in the score, one dict for all patterns or one for each; a
        column that is not named has 0. None = 1 for each column that the mechanism looks at.
    side : {"right", "left", "mid", "tail"}, default="right"
        Which scores lose more.
    odds : sequence of float or None, default=None
        Instead of a logistic curve: equal groups along the score, each with its odds.
    exact : bool, default=True
        Whether the number of rows that lose values is exact.
    """

    name = "ampute"
    mechanisms = ("MCAR", "MAR", "MNAR")
    rates = ("row", "cell")
    driven = "by row"
    moves = False

    def __init__(
        self,
        patterns: Sequence[Any] | None = None,
        frequencies: Sequence[float] | None = None,
        weights: Any = None,
        side: str = "right",
        odds: Sequence[float] | None = None,
        exact: bool = True,
    ) -> None:
        self.patterns = patterns
        self.frequencies = frequencies
        self.weights = weights
        self.side = side
        self.odds = odds
        self.exact = exact

    def check(self) -> None:
        """Refuse an unknown side and odds that are none."""
        check_side(self.side, SIDES)
        if self.odds is not None:
            check_odds(self.odds)

    def learn(self, request: Request) -> tuple[_Plan, Holes]:
        """Give patterns to complete rows, score them, and draw."""
        cells, rng = request.cells, request.rng
        patterns = self._patterns(request)
        frequencies = self._frequencies(len(patterns))
        scores, weights = self._weights(request, patterns)
        taken = np.asarray(patterns.any(axis=0) | request.count_existing)
        rows = _complete(cells, taken)
        share = self._share(request, patterns, frequencies, int(rows.sum()))
        plan = _Plan(patterns, taken, frequencies, scores, weights, [], share)
        pattern = rng.choice(len(patterns), size=cells.shape[0], p=frequencies)
        values = plan.values(cells, pattern)
        chance = np.full(cells.shape[0], share)
        for k in range(len(patterns)):
            here = rows & (pattern == k)
            state = self._prepare(values[here], share, rng)
            if state is None and request.mechanism != "MCAR" and here.sum() > 1:
                warn_constant(f"pattern {k}")
            plan.states.append(state)
            chance[here] = self._chance(values[here], state, share, rng)
        return plan, self._holes(plan, cells, pattern, rows, chance, rng, exact=self.exact)

    def apply(self, plan: _Plan, cells: Cells, rng: np.random.Generator) -> Holes:
        """Give patterns to later rows, and draw each by itself."""
        rows = _complete(cells, plan.taken)
        pattern = rng.choice(len(plan.patterns), size=cells.shape[0], p=plan.frequencies)
        values, chance = plan.values(cells, pattern), np.full(cells.shape[0], plan.share)
        for k, state in enumerate(plan.states):
            here = rows & (pattern == k)
            chance[here] = self._chance(values[here], state, plan.share, rng)
        return self._holes(plan, cells, pattern, rows, chance, rng, exact=False)

    def _prepare(self, values: NDArray[np.float64], share: float, rng: np.random.Generator) -> Any:
        """Mean and spread of a group's scores, with intercept or sorted scores and chances."""
        if not values.size or values.min() == values.max():
            return None
        mean, spread = float(values.mean()), float(values.std())
        if self.odds is None:
            return mean, spread, intercept(bend((values - mean) / spread, self.side), share)
        places = positions(values, rng, random_ties=True)
        sizes = np.bincount(group_of(places, len(self.odds)), minlength=len(self.odds))
        return np.sort(values), group_chances(self.odds, sizes / len(values), share)

    def _chance(
        self, values: NDArray[np.float64], state: Any, share: float, rng: np.random.Generator
    ) -> NDArray[np.float64]:
        if state is None:
            return np.full(len(values), share)
        if self.odds is None:
            mean, spread, b = state
            return expit(bend((values - mean) / spread, self.side) + b)
        ordered, chances = state
        places = positions(values, rng, random_ties=True, reference=ordered)
        return chances[group_of(places, len(chances))]

    def _holes(
        self,
        plan: _Plan,
        cells: Cells,
        pattern: NDArray[np.intp],
        rows: NDArray[np.bool_],
        chance: NDArray[np.float64],
        rng: np.random.Generator,
        *,
        exact: bool,
    ) -> Holes:
        """Draw rows, and take from each all that its pattern takes."""
        holes = Holes.none(cells.shape)
        lost = np.zeros(cells.shape[0], dtype=bool)
        lost[rows] = draw(chance[rows], rng, exact=exact)
        for j in np.flatnonzero(plan.patterns.any(axis=0)):
            here = rows & plan.patterns[pattern, j]
            holes.put(int(j), here, chance[here], lost[here])
        return holes

    def _patterns(self, request: Request) -> NDArray[np.bool_]:
        cells, p = request.cells, request.cells.shape[1]
        given: Sequence[Any] = self.patterns if self.patterns is not None else []
        if self.patterns is None:
            given = [[cells.names[j]] for j in request.columns]
        patterns = np.zeros((len(given), p), dtype=bool)
        for row, one in zip(patterns, given, strict=True):
            flags = np.asarray(one)
            if flags.dtype == bool and flags.shape == (p,):
                row[:] = flags
            else:
                row[cells.find(one, "patterns")] = True
        if not len(patterns) or not patterns.any(axis=1).all():
            raise ValueError("patterns: every pattern must take a column.")
        whole = patterns.all(axis=1)
        if request.keep_one and whole.any():
            raise ValueError(
                f"patterns: number {int(whole.argmax())} takes every column; leave one, or pass "
                "keep_one=False."
            )
        request.columns[:] = np.flatnonzero(patterns.any(axis=0)).tolist()
        return patterns

    def _frequencies(self, n_patterns: int) -> NDArray[np.float64]:
        if self.frequencies is None:
            return np.full(n_patterns, 1 / n_patterns)
        values = np.asarray(self.frequencies, dtype=float)
        if values.shape != (n_patterns,) or not (values >= 0).all() or not values.sum() > 0:
            raise ValueError(
                f"frequencies={self.frequencies!r} must be one number from 0 for each of "
                f"{n_patterns} patterns."
            )
        return values / values.sum()

    def _weights(
        self, request: Request, patterns: NDArray[np.bool_]
    ) -> tuple[list[Score], NDArray[np.float64]]:
        """Scores that any pattern looks at, and the weight of each in each pattern."""
        cells, mechanism = request.cells, request.mechanism
        weights = np.zeros(patterns.shape)
        if mechanism == "MCAR":
            return [], weights[:, :0]
        looked_at = patterns if mechanism == "MNAR" else ~patterns
        if self.weights is not None:
            one_for_all = isinstance(self.weights, Mapping)
            given = [self.weights] * len(patterns) if one_for_all else list(self.weights)
            if len(given) != len(patterns):
                raise ValueError(
                    f"weights has {len(given)} dicts and there are {len(patterns)} patterns; pass "
                    "one for each, or one for all."
                )
            for row, one in zip(weights, given, strict=True):
                row[cells.find(list(one), "weights")] = list(one.values())
            if mechanism == "MAR":
                weights[patterns] = 0.0
        else:
            named = request.row_drivers
            able = named or usable(cells, request.ordering)
            if mechanism == "MNAR" and named is None:  # a column that cannot be ordered says so
                able = request.columns
            weights[:, able] = looked_at[:, able]
        blind = ~((weights != 0) & looked_at).any(axis=1)
        if blind.any():
            kind = "takes" if mechanism == "MNAR" else "leaves"
            raise ValueError(
                f"{mechanism}: pattern {int(blind.argmax())} {kind} no column that could drive "
                "it; change patterns, drivers or weights, or pass order= for categories."
            )
        used = np.flatnonzero((weights != 0).any(axis=0))
        request.drivers.update(
            {
                j: [int(k) for k in used if weights[patterns[:, j]][:, k].any()]
                for j in request.columns
            }
        )
        return [request.score(int(j)) for j in used], weights[:, used]

    def _share(
        self,
        request: Request,
        patterns: NDArray[np.bool_],
        frequencies: NDArray[np.float64],
        eligible: int,
    ) -> float:
        """Share of the rows without holes that lose a pattern."""
        n, p = request.cells.shape
        rate = request.rate
        if request.rate_of == "cell":
            taken = float(frequencies @ patterns.sum(axis=1))
            rate = rate * p / taken
            if rate > 1 + 1e-12:
                raise ValueError(
                    f"rate={request.rate:g} of all cells needs more rows than there are; these "
                    f"patterns reach {taken / p:.4g}."
                )
        base = n if request.count_existing else eligible
        wanted = count_of(base, rate) if self.exact else base * rate
        if request.count_existing:
            wanted -= int(request.cells.holes.any(axis=1).sum())
        if wanted > eligible:
            raise ValueError(
                f"rate={request.rate:g} cannot be reached: only {eligible} of {n} rows have all "
                "the values that the patterns take."
            )
        return max(wanted, 0) / eligible if eligible else 0.0


def _complete(cells: Cells, columns: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Rows that have the values of all these columns."""
    return np.asarray(~cells.holes[:, columns].any(axis=1))
