"""Gains of the cuts of one numeric column in one node, under strategies and by hand.

Does not: draw, or know a widget.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ..inputs import guess_task
from ..splits import split_table
from ..strategies import Strategy, all_strategies
from ..tree.cuts import Cuts, Part
from .base import BadValue

Floats = NDArray[np.float64]
BY_HAND = "by hand"
_EMPTY = pd.DataFrame(columns=["threshold", "gain", "missing_to"])


class Divided(Strategy):
    """One part of every blank goes right, the rest left: the slider as a strategy."""

    name = BY_HAND
    by_rule = True
    divides = True

    def __init__(self, to_right: float = 0.5):
        self.to_right = to_right

    def score_table(self, cuts: Cuts) -> tuple[Floats, NDArray[np.intp]]:
        """Gain of all rows, the blanks divided alike at every cut."""
        lost = 1 - self.to_right
        left = cuts.left_stats + lost * cuts.missing_stats
        mass = cuts.left_mass + lost * cuts.missing_mass
        sides = [
            Part(cuts.measure.weight(stats), its_mass, cuts.measure.cost(stats))
            for stats, its_mass in ((left, mass), (cuts.node_stats - left, cuts.node_mass - mass))
        ]
        return cuts.gain(cuts.everything, *sides), cuts.majority


def drawable() -> list[str]:
    """Names of strategies that score the table as it is: none that fills or drops first."""
    found = all_strategies().items()
    return [name for name, cls in found if cls.prepare is Strategy.prepare]


@dataclass(frozen=True)
class NodeColumn:
    """One numeric column, in the rows that visit a node.

    Attributes
    ----------
    name : str
    x, y, w : ndarray of shape (r,)
        Values, labels, and the part of each row that is in the node.
    blanked : ndarray of shape (r,), bool
        Rows whose value was taken away by hand.
    options : dict
        Of `split_table`.
    """

    name: str
    x: Floats
    y: NDArray[Any]
    w: Floats
    blanked: NDArray[np.bool_]
    options: dict[str, Any]

    @property
    def seen(self) -> Floats:
        """Values as a tree sees them."""
        return np.where(self.blanked, np.nan, self.x)

    def cuts(self, strategy: Any) -> pd.DataFrame:
        """Cuts under a strategy, the best first; no lines where there is none."""
        if not np.isfinite(self.seen).any():
            return _EMPTY
        frame = pd.DataFrame({self.name: self.seen})
        return split_table(frame, self.y, strategy, feature=0, sample_weight=self.w, **self.options)

    def gain_at(self, cuts: pd.DataFrame, threshold: float) -> float:
        """Gain of the cut that divides the known rows as a threshold does; NaN if none."""
        known = self.seen[np.isfinite(self.seen)]
        below, above = known[known <= threshold], known[known > threshold]
        if not len(below) or not len(above):
            return float("nan")
        here = cuts[cuts["threshold"].between(below.max(), above.min(), inclusive="left")]
        return float(here["gain"].iloc[0]) if len(here) else float("nan")


class Columns:
    """The columns of a table in the nodes of a tree.

    Parameters
    ----------
    X : DataFrame
    y : ndarray of shape (n,)
    model : MDTreeClassifier, MDTreeRegressor or None
        None = there is the root alone.
    """

    def __init__(self, X: pd.DataFrame, y: NDArray[Any], model: Any):
        self.frame, self.y, self.model = X, y, model
        self.task = guess_task(y) if model is None else str(model._task)
        self.paths = None
        if model is not None:
            labels = list(getattr(model, "feature_names_in_", range(X.shape[1])))
            self.paths = model.decision_path(X.set_axis(labels, axis=1)).tocsc()
        self.numeric = [
            str(name)
            for name in X
            if pd.api.types.is_numeric_dtype(X[name]) and not pd.api.types.is_bool_dtype(X[name])
        ]
        if not self.numeric:
            raise BadValue("X has no column of numbers, and only those have thresholds.")
        self.options: dict[str, Any] = {"task": self.task}
        if model is not None:
            name = getattr(model.criterion, "name", model.criterion)
            if name == "absolute_error":
                raise BadValue(
                    "criterion='absolute_error' does not follow from sums, so blanks cannot be "
                    "divided by a slider; fit with criterion='squared_error'."
                )
            self.options |= {
                "criterion": model.criterion,
                "min_samples_leaf": model.min_samples_leaf,
            }
        self.n_nodes = 1 if model is None else model.tree_.n_nodes
        self.cuts = lru_cache(64)(self._cuts)

    def column(self, node: int, name: str, more_blank: float, seed: int) -> NodeColumn:
        """Take a column in a node, a part of its known values taken away."""
        rows, w = np.arange(len(self.frame)), np.ones(len(self.frame))
        if self.paths is not None:
            part = slice(self.paths.indptr[node], self.paths.indptr[node + 1])
            rows, w = self.paths.indices[part], self.paths.data[part]
        place = [str(label) for label in self.frame].index(name)
        x = pd.to_numeric(self.frame.iloc[rows, place]).to_numpy(dtype=float, na_value=np.nan)
        x = np.where(np.isfinite(x), x, np.nan)
        known = np.flatnonzero(np.isfinite(x))
        order = np.random.RandomState(seed).permutation(known)  # the same rows go first
        blanked = np.zeros(len(x), dtype=bool)
        blanked[order[: round(more_blank * len(known))]] = True
        options = dict(self.options)
        least = options.get("min_samples_leaf", 1)
        if isinstance(least, float):  # a part of all rows, of which these are some
            options["min_samples_leaf"] = max(int(np.ceil(least * len(self.frame))), 1)
        return NodeColumn(name, x, self.y[rows], np.asarray(w, dtype=float), blanked, options)

    def _cuts(
        self, node: int, name: str, more_blank: float, seed: int, strategy: Any
    ) -> pd.DataFrame:
        if isinstance(strategy, float):
            strategy = Divided(strategy)
        return self.column(node, name, more_blank, seed).cuts(strategy)
