"""lpe: as tspe, with the chances of a class from a logit of all tests."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import solve_triangular
from sklearn.exceptions import ConvergenceWarning

from ..table import Table
from ..tree.cells import Cells, TrainingRows
from ..tree.prepared import StrategyNotApplicable
from ..tree.reach import Reach
from ..tree.structure import Tree
from .tspe import Tspe, has_classes

Floats = NDArray[np.float64]

# Newton's method is quick and exact; its matrix has a row per column and class.
NEWTON = 1024
MOST_STEPS = 1000

# Columns are compared in chunks.
CHUNK = 32

# A column is aliased if less than this part of its variance is its own.
ALIASED = 1e-9


class LogitRows(TrainingRows):
    """Training rows whose values are chances, and what the logit was like."""

    def __init__(self, tree: Tree, training: dict[str, Any]):
        super().__init__(tree, training)
        if (self.value < 0).any() or not np.allclose(self.value.sum(axis=1), 1):
            raise ValueError("every training row has chances that sum to 1")
        for name, kind in {"columns": int, "unused_tests": int, "converged": bool}.items():
            if type(training.get(name)) is not kind:
                raise ValueError(f"its training rows need {name!r}, of type {kind.__name__}")
        self.n_columns, self.unused_tests = training["columns"], training["unused_tests"]
        self.converged = training["converged"]


class Lpe(Tspe):
    """Answer by a logit of the class on all tests, averaged over the rows that agree.

    As `tspe`, but each training row that agrees counts with the chances of the classes that
    a logit, binary or multinomial, gives it for its branches in all nodes. With one known
    test, or none, both are the same. A training row that cannot answer a test has a code of
    its own there. Columns that follow from others are left out, and of what remains the
    `max_columns` of the most visited nodes are used; a warning says when that bites. A ridge
    keeps the coefficients finite where classes can be told apart perfectly.

    Parameters
    ----------
    scope : {"all", "reachable"}, default="all"
        Which tests must agree; see `tspe`.
    ridge : float, default=1e-6
        Penalty on half the sum of squared coefficients, next to the log-likelihood of the
        rows, with weights of mean 1.
    max_columns : int, default=256
        Columns that the logit has at most.

    Raises
    ------
    StrategyNotApplicable
        For regression, where there are no classes.

    References
    ----------
    .. [1] B. Twala, R. Pillay, R. Nkoana, "Classifying incomplete vectors using decision
       trees", IJCCI 2020, DOI 10.5220/0010146304550463.
    """

    name = "lpe"
    checked_against = "closed form; Newton's method in the tests"

    def __init__(self, scope: str = "all", ridge: float = 1e-6, max_columns: int = 256):
        super().__init__(scope)
        self.ridge = ridge
        self.max_columns = max_columns

    def check(self) -> None:
        """Refuse parameters that make no sense."""
        super().check()
        if not self.ridge > 0:
            raise ValueError(f"ridge={self.ridge!r} must be above 0.")
        if not self.max_columns >= 1:
            raise ValueError(f"max_columns={self.max_columns!r} must be at least 1.")

    def study(self, tree: Tree, table: Table, y: NDArray[Any], w: Floats | None) -> dict[str, Any]:
        """Keep the training rows' cells, and the chances that the logit gives them."""
        if not has_classes(tree, y):
            raise StrategyNotApplicable(
                "'lpe' is a logit of classes, and the labels are numbers; choose 'tspe' or "
                "another strategy."
            )
        training = super().study(tree, table, y, w)
        counts = training["weight"][:, None] * training["value"]
        counts *= training["rows"].sum() / training["weight"].sum()
        design, unused = self._design(tree, training["cells"])
        training["value"], converged = _fitted(design, counts, self.ridge)
        training |= {"columns": design.shape[1], "unused_tests": unused, "converged": converged}
        if unused:
            warnings.warn(
                f"lpe: the tree has more tests than max_columns={self.max_columns} columns can "
                f"tell; the logit leaves out the {unused} tests that fewest rows visit.",
                stacklevel=2,
            )
        return training

    def recall(self, tree: Tree, training: dict[str, Any]) -> LogitRows:
        """Make the rows ready to be asked, and keep the logit's report."""
        return LogitRows(tree, training)

    def source(self, reach: Reach, tree: Tree, table: Table, training: TrainingRows) -> str:
        """Say how many training rows agree, and what the logit is made of."""
        rows = super().source(reach, tree, table, training)
        if not rows or not isinstance(training, LogitRows):
            return ""
        limits = f"ridge {self.ridge:g}"
        if training.unused_tests:
            limits += f", without the {training.unused_tests} tests that fewest rows visit"
        if not training.converged:
            limits += ", not converged"
        return f"{rows}; logit on {training.n_columns} columns, {limits}"

    def _design(self, tree: Tree, cells: NDArray[np.int32]) -> tuple[Floats, int]:
        """Columns of the logit, and the number of tests that there was no room for."""
        inner = np.flatnonzero(~tree.is_leaf)
        inner = inner[np.argsort(-tree.weight[inner], kind="stable")]
        design = _Design(cells.shape[1], self.max_columns)
        columns = _columns(Cells(tree), inner, cells)
        while some := list(islice(columns, CHUNK)):
            which, their = zip(*some, strict=True)
            taken = design.add(np.array(their))
            if taken < len(some):
                return design.columns, len(inner) - which[taken]
        return design.columns, 0


class _Design:
    """Centred columns that do not follow from each other, and how they were found out.

    `factor` is the Cholesky factor of their products.
    """

    def __init__(self, n: int, room: int):
        self.kept = np.empty((room, n))
        self.factor = np.zeros((room, room))
        self.k = 0

    @property
    def columns(self) -> Floats:
        """An array of shape (n, k)."""
        return self.kept[: self.k].T

    def add(self, columns: Floats) -> int:
        """Add what does not follow from the columns before; returns how many found room."""
        columns -= columns.mean(axis=1, keepdims=True)
        before = self.kept[: self.k] @ columns.T
        among = columns @ columns.T
        new: list[int] = []
        for j, column in enumerate(columns):
            k = self.k
            solved = np.append(before[:, j], among[new, j])
            if k:
                solved = solve_triangular(self.factor[:k, :k], solved, lower=True)
            own = among[j, j] - solved @ solved
            if own <= ALIASED * max(among[j, j], 1.0):
                continue
            if k == len(self.kept):
                return j
            self.kept[k] = column
            self.factor[k, :k] = solved
            self.factor[k, k] = np.sqrt(own)
            self.k += 1
            new.append(j)
        return len(columns)


def _columns(
    its: Cells, nodes: NDArray[np.intp], cells: NDArray[np.int32]
) -> Iterator[tuple[int, Floats]]:
    """Node after node, a column of 0 and 1 for every code that occurs, but the first."""
    for i, node in enumerate(nodes):
        branch = its.branches(int(node), cells)
        for code in np.flatnonzero(np.bincount(branch + 1))[1:] - 1:
            yield i, (branch == code).astype(np.float64)


def _fitted(design: Floats, counts: Floats, ridge: float) -> tuple[Floats, bool]:
    """Chances of every class for every row of the design; did the iteration converge?"""
    from sklearn.linear_model import LogisticRegression  # slow to load, and rarely needed

    n, n_classes = counts.shape
    present = np.flatnonzero(counts.sum(axis=0) > 0)
    chances = np.zeros((n, n_classes))
    if len(present) == 1 or not design.shape[1]:
        chances[:] = counts.sum(axis=0) / counts.sum()
        return chances, True
    row, label = np.nonzero(counts)
    quick = design.shape[1] * (1 if len(present) == 2 else len(present)) <= NEWTON
    logit = LogisticRegression(
        C=1 / ridge,
        solver="newton-cholesky" if quick else "lbfgs",
        tol=1e-9 if quick else 1e-6,
        max_iter=MOST_STEPS,
    )
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        logit.fit(design[row], label, sample_weight=counts[row, label])
    chances[:, present] = logit.predict_proba(design)
    return chances, not any(issubclass(w.category, ConvergenceWarning) for w in caught)
