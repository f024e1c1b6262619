"""Costs of all cuts of a node by absolute error, which does not follow from sums.

Called by `every_cut.py`. Does not: list or judge cuts.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .cuts import PartCosts
from .kernels.absolute import absolute_costs
from .kernels.codes import START, STOP
from .workspace import Workspace

Floats = NDArray[np.float64]


class AbsoluteCosts:
    """Absolute errors of the parts of one node.

    Parameters
    ----------
    work : Workspace
    node : ndarray of shape (FIRST_KNOWN + p,)
    """

    def __init__(self, work: Workspace, node: NDArray[np.int64]):
        self.work = work
        entries = work.ids[0, node[START] : node[STOP]]
        order = entries[np.argsort(work.y[entries], kind="stable")]
        self.place = np.zeros(len(work.y), dtype=np.int64)
        self.place[order] = np.arange(len(order))
        self.weights = work.weights_of(order)
        self.everything, centre = work.measure.error(work.y[order], self.weights)
        self.labels = work.y[order] - centre  # sums of small numbers lose no digits
        self.links = np.empty((2, len(order)), dtype=np.int64)
        self.sums = np.empty((2, len(order) + 1))

    def of(self, entries: NDArray[Any]) -> float:
        """Absolute error of some entries."""
        return self.work.measure.error(self.work.y[entries], self.work.weights_of(entries))[0]

    def of_groups(self, entries: NDArray[Any], groups: NDArray[np.bool_]) -> Floats:
        """Absolute error of each group of entries, a row of `groups`."""
        return np.array([self.of(entries[group]) for group in groups])

    def by_position(self, entries: NDArray[Any], k: int, position: NDArray[Any]) -> PartCosts:
        """Costs of cuts of sorted numbers; see `kernels.absolute`."""
        costs = np.empty((4, k))
        by_mean = self.work.measure.from_mean
        absolute_costs(
            entries, k, by_mean, self.place, self.labels, self.weights, self.links, self.sums, costs
        )
        if k == len(entries):
            costs[2:] = costs[:2]
        after = position + 1
        return self._parts(
            entries, k, costs[0, position], costs[1, after], costs[2, position], costs[3, after]
        )

    def by_group(self, entries: NDArray[Any], k: int, groups: NDArray[np.bool_]) -> PartCosts:
        """Costs of cuts with `groups`, of shape (c, k), of the known entries on the left."""
        missing = np.ones((len(groups), len(entries) - k), dtype=bool)
        left, right = np.hstack([groups, ~missing]), np.hstack([~groups, ~missing])
        left_missing, right_missing = np.hstack([groups, missing]), np.hstack([~groups, missing])
        parts = (left, right, left_missing, right_missing)
        return self._parts(entries, k, *(self.of_groups(entries, part) for part in parts))

    def alone(self, entries: NDArray[Any], k: int) -> PartCosts:
        """Costs of "known | missing"."""
        known, missing = self.of(entries[:k]), self.of(entries[k:])
        one = (np.array([c]) for c in (known, 0.0, self.everything, missing))
        return self._parts(entries, k, *one)

    def _parts(
        self, entries: NDArray[Any], k: int, left: Floats, right: Floats, left_missing: Floats,
        right_missing: Floats,
    ) -> PartCosts:  # fmt: skip
        n = len(left)
        known, missing = self.of(entries[:k]), self.of(entries[k:])
        return PartCosts(
            np.full(n, self.everything),
            np.full(n, missing),
            np.full(n, known),
            left,
            right,
            left_missing,
            right_missing,
        )
