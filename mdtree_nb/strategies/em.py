"""em: several fillings, drawn from a multivariate normal; their answers are averaged."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..imputation.coding import check_coding, decode, encode, learn_coding
from ..imputation.draws import normals, row_keys
from ..imputation.fills import check_finite, fill_holes
from ..imputation.neighbours import content_order
from ..imputation.parameters import check_counts
from ..imputation.posterior import draw_normals
from ..normal import Holes, fit_normal, invert
from ..schema import Schema
from ..table import Table
from ..tree.prepared import Prepared
from ..tree.strategy import Strategy

Floats = NDArray[np.float64]


class EM(Strategy):
    """Fill each hole `n_imputations` times at random, and average the answers (EMMI).

    A multivariate normal is fitted to the training rows by EM; data augmentation then draws
    `n_imputations` means and covariances that fit to them. Under each of these the holes are
    filled with a draw that depends on what the row knows: the mean of the draws is the
    regression on the known columns, and their spread is what is left open. A training table
    with holes is completed as often, and as many trees are grown, of which each answers for
    the rows that were completed alike. A complete one gives one tree, that answers for every
    completed version of a later row.

    A category is one column of 0 and 1 per level, but for the most frequent level, and gets
    the level whose column is largest; levels beyond the 30 most frequent after it are never
    filled in and say nothing about other columns. Drawn numbers are not rounded and may lie
    outside of the range that was seen. A column with a single known value is filled with that,
    one without any with 0 or its first level. Where some column has fewer than two known
    values per column of the normal, the lacking ones are made up for by rows in which nothing
    depends on anything; columns that repeat each other get a little variance of their own.

    A draw is keyed by `seed`, version, column and what the row knows, so an answer depends
    neither on the other rows of a call nor on their order. Rows that know the same values
    therefore get the same draw. `random_state` has no say.

    Parameters
    ----------
    n_imputations : int, default=5
    n_between : int, default=20
        Steps of data augmentation up to each draw. The first starts at the most likely mean
        and covariance, so no steps are thrown away; where half of the information is missing,
        twenty steps leave a millionth of what the draw before was.
    tol : float, default=1e-4
        EM ends when no mean or covariance moves by more, in standard deviations.
    max_iter : int, default=300
        Most iterations of EM.
    seed : int, default=0

    Raises
    ------
    StrategyNotApplicable
        When a column holds an infinity.

    References
    ----------
    .. [1] J. L. Schafer, "Analysis of incomplete multivariate data", Chapman & Hall, 1997.
    .. [2] D. B. Rubin, "Multiple imputation for nonresponse in surveys", Wiley, 1987.
    .. [3] B. Twala, R. Pillay, R. Nkoana, "Classifying incomplete vectors using decision
       trees", IJCCI 2020, DOI 10.5220/0010146304550463.
    """

    name = "em"
    aliases = ("emmi",)
    mode = "known"
    plain = True
    checked_against = "closed form; conditional means and variances of the draws"

    def __init__(
        self,
        n_imputations: int = 5,
        n_between: int = 20,
        tol: float = 1e-4,
        max_iter: int = 300,
        seed: int = 0,
    ):
        self.n_imputations = n_imputations
        self.n_between = n_between
        self.tol = tol
        self.max_iter = max_iter
        self.seed = seed

    def check(self) -> None:
        """Refuse counts that are none, and a tolerance that ends nothing."""
        check_counts(self, n_imputations=1, n_between=1, max_iter=1, seed=0)
        if not self.tol > 0:
            raise ValueError(f"tol={self.tol!r} must be above 0.")

    def prepare(
        self,
        table: Table,
        y: NDArray[Any],
        w: Floats | None,
        rng: np.random.RandomState,
    ) -> Prepared:
        """Fit the normal, draw from what fits to the rows, and complete the table."""
        check_finite(table, self.name)
        order = content_order(table.values)
        table_in_order = table.take(order)
        weight = np.ones(len(order)) if w is None else w[order] / w.max()
        state = learn_coding(table_in_order, weight)
        coded = encode(table_in_order, state)
        some = ~np.isnan(coded).all(axis=1)
        state |= self._learn(coded[some], weight[some])
        return Prepared(self.transform(table, state), None, state)

    def _learn(self, coded: Floats, weight: Floats) -> dict[str, Any]:
        """Means and covariances, and what to know about how they were found."""
        n, c = coded.shape
        if not c:
            return {"means": np.zeros((0, 0)), "covs": np.zeros((0, 0, 0))}
        weight = weight / weight.mean()
        prior = float(max(0, 2 * c - (~np.isnan(coded)).sum(axis=0).min()))
        fitted = fit_normal(coded, weight=weight, prior=prior, tol=self.tol, max_iter=self.max_iter)
        rng = np.random.default_rng(self.seed)
        start = fitted.mean, fitted.cov
        draws = (self.n_imputations, self.n_between, rng)
        means, covs = draw_normals(coded, weight, start, prior, *draws)
        report = {"n_iter": fitted.n_iter, "converged": fitted.converged, "ridge": fitted.ridge}
        return {"means": means, "covs": covs, "prior": prior, **report}

    def transform(self, table: Table, state: dict[str, Any]) -> list[Table]:
        """Complete rows once per mean and covariance; a table without holes stays one."""
        rows = np.flatnonzero(np.isnan(table.values).any(axis=1))
        if not len(rows):
            return [table]
        if not len(state["means"]):
            return [fill_holes(table, state["fills"])]
        its = table.take(rows)
        coded = np.clip(encode(its, state), -1e8, 1e8)  # of later rows; a product may overflow
        empty = np.isnan(coded)
        holes, keys = Holes(empty), row_keys(its.values, self.seed)
        versions = []
        for number, (mean, cov) in enumerate(zip(state["means"], state["covs"], strict=True)):
            deviations = np.where(empty, 0.0, coded - mean)
            precision, _ = invert(cov)
            said = sum(
                (deviations[:, j, None] * row for j, row in enumerate(precision)),
                np.zeros(coded.shape),
            )  # not a matrix product, whose rounding depends on how many rows there are
            holes.fill(deviations, precision, said, normals(keys, number, coded.shape[1]))
            values = np.array(table.values, order="F")
            values[rows] = decode(deviations + mean, its, state).values
            versions.append(table.replace(values))
        return versions

    def check_state(self, state: dict[str, Any], schema: Schema) -> None:
        """Ask for means and covariances of the coded columns."""
        c = check_coding(state, schema)
        for name in ("means", "covs"):
            if not isinstance(state.get(name), np.ndarray) or state[name].dtype != np.float64:
                raise ValueError(f"{name}: it needs an array of float64")
        means, covs = state["means"], state["covs"]
        m = self.n_imputations if c else 0
        if means.shape != (m, c) or covs.shape != (m, c, c):
            raise ValueError("means and covs do not fit the coded columns")
        if not (np.isfinite(means).all() and np.isfinite(covs).all()):
            raise ValueError("means and covs are finite")
        if not (covs == covs.transpose(0, 2, 1)).all() or (np.linalg.eigvalsh(covs) <= 0).any():
            raise ValueError("covs: it needs covariances")
