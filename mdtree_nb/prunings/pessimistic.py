"""pessimistic: C4.5's pruning by the upper limit of the training errors."""

from __future__ import annotations

from dataclasses import replace
from numbers import Real
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..table import Table
from ..tree.measure import Measure
from ..tree.prepared import StrategyNotApplicable
from ..tree.refill import COUNTED, Refill
from ..tree.reshape import regrafted
from ..tree.strategy import Strategy
from ..tree.structure import ROUNDING, Tree
from .contract import Pruning
from .errors import class_weights_of, collapsed, count_errors, refuse_copies, summed_up

Floats = NDArray[np.float64]

# C4.5's table of the normal distribution: one-sided confidence, standard deviations.
CONFIDENCES = (0.0, 0.001, 0.005, 0.01, 0.05, 0.10, 0.20, 0.40, 1.0)
DEVIATIONS = (4.0, 3.09, 2.58, 2.33, 1.65, 1.28, 0.84, 0.25, 0.0)
MARGIN = 0.1  # the smaller tree may be so many errors worse
NO_ERROR, ONE_ERROR = 1e-6, 0.9999  # C4.5's limits of "no error" and "less than one"


class Pessimistic(Pruning):
    """Prune where an upper limit of the errors says so (C4.5 release 8, error-based).

    A leaf that makes e errors on N training rows is expected to make e + U(N, e) on as many
    new ones, the upper limit of a confidence interval. From the bottom up, a subtree becomes
    a leaf if the leaf is expected to make at most 0.1 errors more; or it is replaced by its
    largest branch (subtree raising), with all rows of the subtree sent down that branch.
    Weights may be fractions, as they are where rows with missing values are divided.

    Where pruning raised a branch, its nodes count the rows that they have now: weights,
    values, shares, impurities and gains are those of rows they did not grow from. A branch
    for missing rows that was fixed when a split was chosen stays.

    Parameters
    ----------
    confidence : float, default=0.25
        The smaller, the more is pruned; C4.5's option "-c 25" is 0.25.
    raising : bool, default=True
        Try the largest branch in place of a subtree?
    collapse : bool, default=True
        Leave out subtrees that save no training error first, as C4.5 does?

    References
    ----------
    .. [1] J. R. Quinlan, "C4.5: Programs for Machine Learning", 1993, chapter 4.
    """

    name = "pessimistic"
    tasks = ("classification",)

    def __init__(self, confidence: float = 0.25, raising: bool = True, collapse: bool = True):
        self.confidence = confidence
        self.raising = raising
        self.collapse = collapse

    def check(self) -> None:
        """Refuse confidences that are none."""
        c = self.confidence
        if not isinstance(c, Real) or isinstance(c, bool) or not 0 < float(c) <= 1:
            raise ValueError(
                f"confidence={c!r} of pruning='pessimistic' must be a number in (0, 1]; "
                "C4.5's option -c 25 is 0.25."
            )

    def prune(
        self,
        tree: Tree,
        table: Table,
        y: NDArray[Any],
        w: NDArray[np.float64],
        strategy: Strategy,
        measure: Measure,
    ) -> Tree:
        """Return the tree pruned from the bottom up."""
        refuse_copies(tree, strategy, f"pruning={self.name!r}")
        if self.collapse:
            tree = collapsed(tree)
        if tree.n_nodes == 1:
            return tree
        return _Pruner(tree, table, y, w, strategy, measure, self).pruned()


def added_errors(weight: Any, errors: Any, confidence: float = 0.25) -> Floats:
    """Return how many more errors than on the training rows a leaf is expected to make.

    Parameters
    ----------
    weight : array-like
        Training weight of the leaves, N.
    errors : array-like
        Training weight that they get wrong, e.
    confidence : float, default=0.25

    Returns
    -------
    ndarray
        U(N, e); 0 for no rows.
    """
    n, e = np.broadcast_arrays(np.asarray(weight, float), np.asarray(errors, float))
    some = n > 0
    safe = np.where(some, n, 1.0)
    square = float(np.interp(confidence, CONFIDENCES, DEVIATIONS)) ** 2
    with np.errstate(under="ignore"):
        without = safe * (1.0 - confidence ** (1.0 / safe))
    one = _added_to(safe, np.ones_like(safe), square)
    added = np.where(e < ONE_ERROR, without + e * (one - without), _added_to(safe, e, square))
    return np.where(some, np.where(e < NO_ERROR, without, added), 0.0)


def _added_to(n: Floats, e: Floats, square: float) -> Floats:
    """U(N, e) from one error on."""
    half = e + 0.5
    nearly_all = half >= n * (1 - ROUNDING)
    root = np.sqrt(square * np.maximum(half * (1 - half / n) + square / 4, 0.0))
    limit = n * (half + square / 2 + root) / (n + square) - e
    return np.where(nearly_all, 0.67 * (n - e), limit)


def expected_errors(tree: Tree, confidence: float = 0.25) -> Floats:
    """Return how many errors every subtree is expected to make on new rows.

    Parameters
    ----------
    tree : Tree
        Of a classifier.
    confidence : float, default=0.25

    Returns
    -------
    ndarray of shape (m,)
        That of node 0, divided by its weight, is the estimate that C4.5 prints.
    """
    errors = count_errors(tree, class_weights_of(tree))
    at_end = errors.end_errors + added_errors(errors.end_weight, errors.end_errors, confidence)
    return summed_up(tree, at_end)


class _Raised(NamedTuple):
    """A branch in the place of its parent: with its rows, its nodes, and what it expects."""

    refill: Refill
    nodes: NDArray[np.intp]
    expected: float


class _Pruner:
    """A tree whose nodes are replaced by leaves and by branches of theirs.

    Nodes keep their numbers: `children` says which tree they form by now, and `tree` what
    they say about their rows.
    """

    def __init__(
        self,
        tree: Tree,
        table: Table,
        y: NDArray[Any],
        w: Floats,
        strategy: Strategy,
        measure: Measure,
        options: Pessimistic,
    ):
        self.tree = tree
        self.table, self.y, self.w = table, y, w
        self.strategy, self.measure = strategy, measure
        self.confidence, self.raising = float(options.confidence), options.raising
        self.children = [list(tree.children(v)) for v in range(tree.n_nodes)]

    def pruned(self) -> Tree:
        """Prune the whole tree."""
        refill = None
        if self.raising:
            refill = Refill(self.tree, self.table, self.w, self.strategy)
            self._check_ways(refill)
        all_nodes = np.arange(self.tree.n_nodes)
        top, _ = self._prune(self.tree, all_nodes, refill)
        return regrafted(self.tree, self.children, top)[0]

    def _check_ways(self, refill: Refill) -> None:
        came = np.bincount(refill.node, refill.weight, minlength=self.tree.n_nodes)
        if not np.allclose(came, self.tree.weight, rtol=1e-6, atol=0):
            raise StrategyNotApplicable(
                f"pruning='pessimistic' sends the training rows down the tree again, but under "
                f"missing={self.strategy.name!r} they go another way than while growing; use "
                "Pessimistic(raising=False)."
            )

    def _prune(
        self, tree: Tree, nodes: NDArray[np.intp], refill: Refill | None
    ) -> tuple[int, float]:
        """Prune a subtree from the bottom up.

        Parameters
        ----------
        tree : Tree
            The subtree.
        nodes : ndarray of shape (m,)
            Which nodes of the whole tree these are.
        refill : Refill or None
            The training rows that come to it; None = no branch is raised.

        Returns
        -------
        top : int
            The node that now is at its place.
        expected : float
            Errors that it is expected to make.
        """
        errors = count_errors(tree, class_weights_of(tree))
        as_leaf = self._expected(errors.weight, errors.errors)
        expected = self._expected(errors.end_weight, errors.end_errors)
        tops = nodes.copy()
        for k in range(tree.n_nodes - 1, -1, -1):
            if tree.is_leaf[k]:
                continue
            v, kids = int(nodes[k]), tree.children(k)
            self.children[v] = [int(tops[c]) for c in kids]
            expected[k] += expected[kids].sum()
            raised = None
            largest = int(tops[kids[_last_largest(tree.share[kids])]])
            if refill is not None and self.children[largest]:  # a leaf would expect as_leaf[k]
                raised = self._raise(largest, *refill.at(k))
            below = as_leaf[k] if raised is None else raised.expected
            if as_leaf[k] <= min(below, expected[k]) + MARGIN:
                self.children[v], expected[k] = [], as_leaf[k]
            elif raised is not None and below <= expected[k] + MARGIN:
                tops[k], expected[k] = self._put_in_place(v, raised)
        return int(tops[0]), float(expected[0])

    def _raise(self, top: int, rows: NDArray[np.intp], weight: Floats) -> _Raised:
        """Send rows down a branch of theirs, as pruned by now."""
        tree, nodes = regrafted(self.tree, self.children, top)
        refill = Refill(tree, self.table, self.w, self.strategy, (rows, weight))
        errors = count_errors(tree, refill.class_weights(self.y))
        expected = self._expected(errors.end_weight, errors.end_errors).sum()
        return _Raised(refill, nodes, float(expected))

    def _put_in_place(self, v: int, raised: _Raised) -> tuple[int, float]:
        """Let a branch take the place of node v, and prune it with its new rows."""
        refill, nodes, _ = raised
        tree = refill.recounted(self.y, self.measure)
        arrays = {name: getattr(self.tree, name).copy() for name in COUNTED}
        for name in COUNTED:
            arrays[name][nodes] = getattr(tree, name)
        for name in ("share", "arrived_missing"):  # what its parent says about v
            arrays[name][nodes[0]] = getattr(self.tree, name)[v]
        self.tree = replace(self.tree, **arrays)
        return self._prune(tree, nodes, refill)

    def _expected(self, weight: Floats, errors: Floats) -> Floats:
        return errors + added_errors(weight, errors, self.confidence)


def _last_largest(share: Floats) -> int:
    """Place of the largest share; the last one when equal."""
    return int(np.flatnonzero(share >= share.max() * (1 - ROUNDING))[-1])
