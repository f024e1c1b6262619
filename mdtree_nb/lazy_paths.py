"""The paths of lazy trees: from all training rows, answer by answer, to those most like a row.

Queries with the same answers share the work: they go down together until their paths part.

Called by `lazy.py`. Does not: check input.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .table import Table
from .tree.kernels import lazy as kernels
from .tree.kernels import read_only
from .tree.kernels.codes import EQUALS, SUBSET, THRESHOLD, TIE
from .tree.sorting import sort_rows
from .tree.words import in_words

Floats = NDArray[np.float64]
Rows = NDArray[np.uint32]

LEAST_GAIN = 1e-12  # less is rounding; for numbers, as a part of the variance


class _Set(NamedTuple):
    """Some training rows, sorted by every column, missing ones last."""

    ids: Rows
    known: NDArray[np.int64]


class Step(NamedTuple):
    """One test of a path, and what is left after it."""

    feature: int
    test: str
    gain: float
    rows: int
    weight: float
    value: Floats


@dataclass
class _Visit:
    """A set that some queries get to, before it is made: its parent and a run of rows there."""

    parent: _Set
    feature: int
    run: tuple[int, int]
    queries: NDArray[np.intp]
    path: tuple[Step, ...]
    step: tuple[str, float]


class Training:
    """The training rows, ready for any number of queries."""

    def __init__(self, table: Table, y: NDArray[Any], w: Floats | None, n_classes: int):
        schema = table.schema
        self.schema = schema
        self.n_classes = n_classes
        self.y = y.astype(np.int64 if n_classes else np.float64)
        self.w = np.ones(len(y)) if w is None else w
        self.values = read_only(np.array(table.values, order="F").T)  # not the user's own array
        self.is_level = schema.is_category
        width = [2 if levels is None else len(levels) for levels in schema.levels]
        self.offset = np.concatenate([[0], np.cumsum(width)])
        ids, _, _, known = sort_rows(self.values, np.where(self.is_level, SUBSET, THRESHOLD))
        self.root = _Set(ids, known)
        self.totals, _ = self.sum_up(ids[0])
        self._lock()

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._lock()  # arrays come out of a pickle writeable

    def _lock(self) -> None:
        for name in ("y", "w", "values", "is_level", "offset"):
            setattr(self, name, read_only(getattr(self, name)))
        self.root = _Set(read_only(self.root.ids), read_only(self.root.known))

    def sum_up(self, rows: Rows) -> tuple[Floats, bool]:
        """Class weights of some rows, or (mean, weight); and do they all agree?"""
        y, w = self.y[rows], self.w[rows]
        pure = bool((y == y[0]).all())
        if self.n_classes:
            return np.bincount(y, w, self.n_classes).astype(np.float64), pure
        mean = y[0] if pure else y[0] + np.average(y - y[0], weights=w)
        return np.array([mean, w.sum()]), pure

    def value(self, sums: Floats) -> Floats:
        """Class shares, or the mean."""
        return sums / sums.sum() if self.n_classes else sums[:1]

    def weight(self, sums: Floats) -> float:
        """Weight of the rows."""
        return float(sums.sum() if self.n_classes else sums[1])

    def outcomes(
        self, its: _Set, sums: Floats, least: int
    ) -> tuple[NDArray[np.int64], Floats, Floats]:
        """Runs of rows and gains of every outcome, and thresholds of the numeric columns."""
        n = int(self.offset[-1])
        runs, gain = np.empty((n, 2), dtype=np.int64), np.empty(n)
        threshold = np.empty(len(its.known))
        factor = 1.0 / np.where(sums > 0, sums, 1.0) if self.n_classes else None
        kernels.outcomes(
            its.ids, its.known, self.values, self.is_level, self.offset, self.y, self.w, factor,
            0.0 if self.n_classes else float(sums[0]), least,
            np.empty((2, self.n_classes or 3)), runs, gain, threshold,
        )  # fmt: skip
        return runs, gain, threshold

    def least_gain(self, its: _Set, sums: Floats) -> float:
        """Gains must be larger than this."""
        if self.n_classes:
            return LEAST_GAIN
        rows = its.ids[0]
        spread = np.average((self.y[rows] - sums[0]) ** 2, weights=self.w[rows])
        return LEAST_GAIN * float(spread)

    def enter(self, visit: _Visit, inside: NDArray[np.bool_]) -> _Set:
        """Make the set that a visit is about; `inside` is scratch, all False."""
        rows = visit.parent.ids[visit.feature, slice(*visit.run)]
        kept = np.empty((len(visit.parent.ids), len(rows)), dtype=np.uint32)
        known = np.empty(len(kept), dtype=np.int64)
        inside[rows] = True
        kernels.keep(visit.parent.ids, visit.parent.known, inside, kept, known)
        inside[rows] = False
        return _Set(read_only(kept), read_only(known))

    def answers_to(self, values: Floats, threshold: Floats) -> NDArray[np.int64]:
        """Outcome of every column for every query; -1 where it cannot tell."""
        with np.errstate(invalid="ignore"):
            side = values > threshold
        answer = np.where(self.is_level, np.nan_to_num(values, nan=-1.0), side)
        tells = ~np.isnan(values) & np.where(self.is_level, answer >= 0, ~np.isnan(threshold))
        return np.where(tells, self.offset[:-1] + answer.astype(np.int64), -1)

    def in_words(self, feature: int, outcome: int, threshold: float) -> str:
        """Say what a row must satisfy."""
        levels = self.schema.levels[feature]
        number = outcome - int(self.offset[feature])
        if levels is None:
            return in_words(self.schema, feature, THRESHOLD, number, threshold, (), False)
        return in_words(self.schema, feature, EQUALS, 0, np.nan, (levels[number],), False)


class Walk:
    """Sends queries down their paths, and keeps the answer of each."""

    def __init__(self, training: Training, least: int, slack: float, traces: bool = False):
        self.training = training
        self.least = least
        self.slack = slack
        self.traces = traces
        self.path: tuple[Step, ...] = ()

    def run(self, values: Floats) -> Floats:
        """Answer all queries: an array of shape (q, K)."""
        q = len(values)
        its = self.training
        self.score = np.full(q, -np.inf)
        self.answer = np.empty((q, its.n_classes or 1))
        self.seen: dict[bytes, set[int]] = {}
        inside = np.zeros(len(its.y), dtype=bool)
        stack: list[_Visit] = []
        self._examine(its.root, np.arange(q), values, (), ("", 0.0), -1, stack)
        while stack:
            visit = stack.pop()
            found = its.enter(visit, inside)
            queries = self._new(found, visit.queries)
            if len(queries):
                self._examine(found, queries, values, visit.path, visit.step, visit.feature, stack)
        return self.answer

    def _new(self, its: _Set, queries: NDArray[np.intp]) -> NDArray[np.intp]:
        """Queries that have not been here by another order of tests."""
        if not self.slack:
            return queries
        key = np.sort(its.ids[0]).tobytes()
        seen = self.seen.setdefault(key, set())
        new = [q for q in queries.tolist() if q not in seen]
        seen.update(new)
        return np.array(new, dtype=np.intp)

    def _examine(
        self,
        its: _Set,
        queries: NDArray[np.intp],
        values: Floats,
        path: tuple[Step, ...],
        step: tuple[str, float],
        feature: int,
        stack: list[_Visit],
    ) -> None:
        """Answer queries that end here, and send the others on."""
        training = self.training
        sums, pure = training.sum_up(its.ids[0])
        value = training.value(sums)
        if self.traces:
            rows = its.ids.shape[1]
            path = (*path, Step(feature, *step, rows, training.weight(sums), value))
        if pure:
            self._settle(queries, sums, value, path)
            return
        runs, gain, threshold = training.outcomes(its, sums, self.least)
        outcome = training.answers_to(values[queries], threshold)
        gains = np.where(outcome >= 0, gain[outcome], -np.inf)
        best = gains.max(axis=1)
        goes = best > training.least_gain(its, sums)
        if not goes.all():
            self._settle(queries[~goes], sums, value, path)
        near = gains[goes] >= (best[goes] * (1 - self.slack) * (1 - TIE))[:, None]
        if not self.slack:  # the first of equal ones
            near &= near.cumsum(axis=1) == 1
        query, column = np.nonzero(near)
        taken = outcome[goes][query, column]
        order = np.argsort(taken, kind="stable")
        starts = np.flatnonzero(np.diff(taken[order], prepend=-1))
        groups = np.split(order, starts[1:]) if len(order) else []
        for group in reversed(groups):  # the last one is taken first
            f, o = int(column[group[0]]), int(taken[group[0]])
            words = training.in_words(f, o, float(threshold[f])) if self.traces else ""
            run = (int(runs[o, 0]), int(runs[o, 1]))
            its_queries = queries[goes][query[group]]
            stack.append(_Visit(its, f, run, its_queries, path, (words, float(gain[o]))))

    def _settle(
        self, queries: NDArray[np.intp], sums: Floats, value: Floats, path: tuple[Step, ...]
    ) -> None:
        """Answer with these rows, if no path before had the better ones."""
        score = 0.0
        if self.slack:
            largest = int(sums.argmax())
            score = float(sums[largest] / self.training.totals[largest])
        better = queries[score > self.score[queries] * (1 + TIE)]
        self.score[better] = score
        self.answer[better] = value
        if len(better):
            self.path = path
