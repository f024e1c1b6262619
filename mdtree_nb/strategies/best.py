"""best: a column is tested only where no row misses it."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..columns import level_keys
from ..schema import Schema
from ..tree.cuts import Cuts
from ..tree.kernels.codes import EQUALS, IS_MISSING, THRESHOLD
from ..tree.open_columns import Split
from ..tree.strategy import Strategy

CONDITION = re.compile(r"(<=|>)\s*(\S+)")
HOW = (
    "gates is a dict of {column: (gate, condition)}, where the condition is '<= 2.5' or '> 2.5' "
    "for a numeric gate, and a level or a tuple of levels for a category"
)


class Best(Strategy):
    """Test a column only in nodes where no row misses it (branch-exclusive splits, BEST).

    Whether a value is missing is a test of its own, as good as any other: where it is chosen,
    the column is open among the rows that know it. So no missing value is ever routed in
    training. A node without a column to test is a leaf. Later rows that miss a column which
    no training row of the node missed follow the larger child.

    Parameters
    ----------
    gates : dict or None, default=None
        What is known about why values are missing: {column: (gate, condition)}. Such a column
        is closed, its test for missing values too, until a test of the gate has seen to it
        that the condition holds: {"weeks": ("pregnant", "yes"), "dose": ("arm", "> 0.5")}. The
        condition is "<= number" or "> number", or a level or a tuple of levels of a category.
        A list of such pairs opens the column by any one of them. Rows of an open column may
        still miss it; then it is as incomplete as any other. None = no gates.

    References
    ----------
    .. [1] C. Beaulac, J. S. Rosenthal, "BEST: A decision tree algorithm that handles missing
       values", Computational Statistics 35, 2020, arXiv 1804.10168.
    """

    name = "best"
    mode = "complete"
    plain = True
    checked_against = "brute force"

    def __init__(self, gates: dict[str, Any] | None = None):
        self.gates = gates

    def check(self) -> None:
        """Refuse gates that are not written as they should be."""
        if self.gates is None:
            return
        if not isinstance(self.gates, dict):
            raise TypeError(f"gates={self.gates!r:.60} must be a dict or None; {HOW}.")
        for column, pair in _pairs(self.gates):
            if not isinstance(pair, tuple) or len(pair) != 2:
                raise TypeError(f"gates: {pair!r:.60} opens nothing for {column!r}; {HOW}.")
            if pair[0] == column:
                raise ValueError(f"gates: {column!r} cannot be its own gate; {HOW}.")

    @property
    def lone_test(self) -> str:
        """Keep "known | missing" as an is-missing test."""
        return "is missing"

    def opening(self, schema: Schema) -> NDArray[np.bool_] | None:
        """All columns without a gate."""
        if not self.gates:
            return None
        for column, (gate, condition) in _pairs(self.gates):
            for name in (column, gate):
                if name not in schema.names:
                    known = ", ".join(map(repr, schema.names))
                    raise ValueError(
                        f"gates: {name!r} is no column of the table; choose one of {known}."
                    )
            _read(gate, condition, schema.levels[schema.names.index(gate)])
        return np.array([name not in self.gates for name in schema.names])

    def inherit(self, allowed: NDArray[np.bool_], split: Split, branch: int) -> NDArray[np.bool_]:
        """Open the columns whose gate has just been passed."""
        names = split.schema.names
        levels = split.schema.levels[split.feature]
        for column, (gate, condition) in _pairs(self.gates or {}):
            if gate == names[split.feature] and split.kind != IS_MISSING:
                if _holds(split, branch, _read(gate, condition, levels), levels):
                    allowed = allowed | (np.array(names) == column)
        return allowed

    def score_table(self, cuts: Cuts) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
        """Gain among all rows; an incomplete column has no cut but "known | missing"."""
        apart = cuts.gain(cuts.everything, cuts.left, cuts.right_missing)
        gain = cuts.gain(cuts.known, cuts.left, cuts.right)
        gain = np.where(cuts.missing_mass > 0, -np.inf, gain)
        return np.where(cuts.alone, apart, gain), np.where(cuts.alone, 1, cuts.majority)


def _pairs(gates: dict[str, Any]) -> list[tuple[str, Any]]:
    """Every gated column with each of its gates."""
    return [
        (column, pair)
        for column, pairs in gates.items()
        for pair in (pairs if isinstance(pairs, list) else [pairs])
    ]


def _read(
    gate: str, condition: Any, levels: tuple[Any, ...] | None
) -> tuple[str, float] | set[int]:
    """Read a condition: a side and a threshold, or the codes of levels."""
    if levels is None:
        match = CONDITION.fullmatch(condition) if isinstance(condition, str) else None
        try:
            return match[1], float(match[2])  # type: ignore[index]
        except (TypeError, ValueError):
            raise ValueError(
                f"gates: column {gate!r} holds numbers, so its condition is such as '<= 2.5' or "
                f"'> 2.5', and not {condition!r}."
            ) from None
    group = condition if isinstance(condition, tuple) else (condition,)
    place = {key: i for i, key in enumerate(level_keys(levels, gate))}
    for level, key in zip(group, level_keys(group, gate), strict=True):
        if key not in place:
            known = ", ".join(map(repr, levels))
            raise ValueError(f"gates: {level!r} is no level of column {gate!r}; it has {known}.")
    return {place[key] for key in level_keys(group, gate)}


def _holds(
    split: Split,
    branch: int,
    condition: tuple[str, float] | set[int],
    levels: tuple[Any, ...] | None,
) -> bool:
    """Does whoever takes this branch satisfy the condition?"""
    if split.kind == THRESHOLD:
        side, bound = condition
        if branch == 0:
            return side == "<=" and split.threshold <= bound
        return side == ">" and split.threshold >= bound
    if split.kind == EQUALS:
        level = {int(split.threshold)}
        here = level if branch == 0 else set(range(len(levels or ()))) - level
    else:
        here = set(map(int, np.flatnonzero(split.table == branch)))
    return bool(here) and here <= set(condition)
