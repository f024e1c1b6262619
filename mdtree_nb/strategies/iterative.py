"""iterative: fill every column by its regression on the others, round after round."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..imputation.chains import follow, learn_chain
from ..imputation.coding import check_coding, decode, encode, learn_coding
from ..imputation.draws import row_keys
from ..imputation.fills import check_finite, fill_holes
from ..imputation.neighbours import content_order
from ..imputation.parameters import check_counts, check_flags
from ..schema import Schema
from ..table import Table
from ..tree.prepared import Prepared
from ..tree.strategy import Strategy

Floats = NDArray[np.float64]


class Iterative(Strategy):
    """Fill each column by a Bayesian ridge regression on all others (chained equations).

    scikit-learn's IterativeImputer learns on standardised columns; a category is one column
    of 0 and 1 per level, but for the most frequent level, and gets the level whose column is
    largest. Fills stay within the range that was seen. Rows to predict go through the same
    regressions in the same order as the training rows. Sample weights count in the means
    from which the first round starts, not in the regressions. `state` says how many rounds
    there were, and whether the last one still changed something ("converged").

    Parameters
    ----------
    max_iter : int, default=10
        Rounds.
    tol : float, default=1e-3
        Rounds end when no fill changes by more, as a part of the largest value.
    multiple : bool, default=False
        Fill `n_imputations` times and average the answers, as `em` does: every version has
        coefficients and residuals drawn at random, in `max_iter` rounds.
    n_imputations : int, default=5
    seed : int, default=0
        Together with what a row knows it says what is drawn for it.

    Raises
    ------
    StrategyNotApplicable
        When a column holds an infinity.

    References
    ----------
    .. [1] S. van Buuren, K. Groothuis-Oudshoorn, "mice: Multivariate imputation by chained
       equations in R", Journal of Statistical Software 45(3), 2011.
    """

    name = "iterative"
    mode = "known"
    plain = True
    checked_against = "scikit-learn's IterativeImputer"

    def __init__(
        self,
        max_iter: int = 10,
        tol: float = 1e-3,
        multiple: bool = False,
        n_imputations: int = 5,
        seed: int = 0,
    ):
        self.max_iter = max_iter
        self.tol = tol
        self.multiple = multiple
        self.n_imputations = n_imputations
        self.seed = seed

    def check(self) -> None:
        """Refuse counts that are none, and a tolerance below zero."""
        check_counts(self, max_iter=1, n_imputations=1, seed=0)
        check_flags(self, "multiple")
        if not self.tol >= 0:
            raise ValueError(f"tol={self.tol!r} must be at least 0.")

    def prepare(
        self,
        table: Table,
        y: NDArray[Any],
        w: Floats | None,
        rng: np.random.RandomState,
    ) -> Prepared:
        """Learn the regressions, and fill the table by them."""
        check_finite(table, self.name)
        order = content_order(table.values)
        weight = None if w is None else w[order]
        state = learn_coding(table.take(order), weight)
        coded = encode(table.take(order), state)
        coded = coded[~np.isnan(coded).all(axis=1)]
        if coded.shape[1]:
            seeds = [self.seed + m for m in range(self.n_imputations)] if self.multiple else [None]
            state["chains"] = [learn_chain(coded, self.max_iter, self.tol, s) for s in seeds]
            state["low"], state["high"] = np.nanmin(coded, axis=0), np.nanmax(coded, axis=0)
        return Prepared(self.transform(table, state), None, state)

    def transform(self, table: Table, state: dict[str, Any]) -> list[Table]:
        """Send rows through the regressions; a table without holes stays one."""
        rows = np.flatnonzero(np.isnan(table.values).any(axis=1))
        if not len(rows):
            return [table]
        if "chains" not in state:
            return [fill_holes(table, state["fills"])]
        its = table.take(rows)
        coded = np.clip(encode(its, state), -1e8, 1e8)  # of later rows; a sum may overflow
        keys, versions = row_keys(its.values, self.seed), []
        for number, chain in enumerate(state["chains"]):
            filled = follow(coded, chain, state["low"], state["high"], keys, number)
            values = np.array(table.values, order="F")
            values[rows] = decode(filled, its, state).values
            versions.append(table.replace(values))
        return versions

    def check_state(self, state: dict[str, Any], schema: Schema) -> None:
        """Ask for regressions of the coded columns."""
        c = check_coding(state, schema)
        if not c:
            return
        chains = state.get("chains")
        if not isinstance(chains, list) or not chains or not all(type(k) is dict for k in chains):
            raise ValueError("chains: it needs a list of dicts")
        if len(chains) != (self.n_imputations if self.multiple else 1):
            raise ValueError("chains: one per imputation")
        for chain in chains:
            target = chain.get("target")
            if not isinstance(target, np.ndarray) or target.dtype != np.int64 or target.ndim != 1:
                raise ValueError("target: it needs a list of int64")
            if ((target < 0) | (target >= c)).any():
                raise ValueError("target: there is no such column")
            shapes = {"coef": (len(target), c), "intercept": target.shape, "sd": target.shape}
            _check_arrays(chain, shapes)
        _check_arrays(state, {"low": (c,), "high": (c,)})


def _check_arrays(content: dict[str, Any], shapes: dict[str, tuple[int, ...]]) -> None:
    for name, shape in shapes.items():
        array = content.get(name)
        if not isinstance(array, np.ndarray) or array.dtype != np.float64 or array.shape != shape:
            raise ValueError(f"{name}: it needs an array of float64 of shape {shape}")
        if not np.isfinite(array).all():
            raise ValueError(f"{name}: finite numbers")
