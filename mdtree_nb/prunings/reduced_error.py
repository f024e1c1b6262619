"""reduced_error: prune by the errors on rows that were held out."""

from __future__ import annotations

from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..table import Table
from ..tree.measure import Measure
from ..tree.reshape import cut
from ..tree.routing import Router
from ..tree.strategy import Strategy
from ..tree.structure import ROUNDING, Tree
from .contract import Pruning

Floats = NDArray[np.float64]


class ReducedError(Pruning):
    """Hold rows out, grow on the rest, and cut what does not pay on the held-out rows.

    From the bottom up, a subtree becomes a leaf if the leaf makes at most the errors that
    the subtree makes; so does a subtree to which no held-out row comes. Held-out rows travel
    as later rows will, by the strategy that predicts. A divided row counts in every node
    where it ends, in shares: as an error if the node's class is not its own, or with the
    squared distance from the node's mean (the absolute distance from its median under
    "absolute_error").

    The tree that is left never saw the held-out rows: its weights are those of the rest.

    Parameters
    ----------
    fraction : float, default=0.25
        Part of the training rows to hold out, drawn by the estimator's `random_state`.
    rows : array-like of int or of bool, or None, default=None
        The rows of X to hold out, by number or as a mask, in place of drawn ones.

    References
    ----------
    .. [1] J. R. Quinlan, "Simplifying decision trees", International Journal of Man-Machine
       Studies 27, 1987, DOI 10.1016/S0020-7373(87)80053-6.
    """

    name = "reduced_error"

    def __init__(self, fraction: float = 0.25, rows: Any = None):
        self.fraction = fraction
        self.rows = rows

    def check(self) -> None:
        """Refuse fractions that are none."""
        f = self.fraction
        if not isinstance(f, Real) or isinstance(f, bool) or not 0 < float(f) < 1:
            raise ValueError(
                f"fraction={f!r} of pruning='reduced_error' must be a number between 0 and 1: "
                "the part of the rows to hold out."
            )

    def held_out(
        self, used: NDArray[np.bool_], rng: np.random.RandomState
    ) -> NDArray[np.bool_] | None:
        """Draw the rows to hold out, or take those that were given."""
        held = np.zeros(len(used), dtype=bool)
        if self.rows is None:
            candidates = np.flatnonzero(used)
            n = max(1, round(float(self.fraction) * len(candidates)))
            held[rng.permutation(candidates)[:n]] = True
        else:
            held[self._given(len(used))] = True
        for part, what in ((held & used, "held out"), (used & ~held, "left to grow on")):
            if not part.any():
                raise ValueError(
                    f"pruning={self!r}: of n_samples={used.sum()} rows with a label and a weight "
                    f"above 0 none would be {what}; hold out others, or use ccp_alpha."
                )
        return held

    def _given(self, n: int) -> NDArray[Any]:
        rows = np.asarray(self.rows)
        is_mask = rows.dtype == bool and rows.shape == (n,)
        are_numbers = rows.dtype.kind in "iu" and rows.ndim == 1
        if not is_mask and not (are_numbers and ((rows >= 0) & (rows < n)).all()):
            raise ValueError(
                f"rows of pruning='reduced_error' must be numbers of rows of X, 0 to {n - 1}, or "
                f"a mask of length {n}."
            )
        return rows

    def prune(
        self,
        tree: Tree,
        table: Table,
        y: NDArray[Any],
        w: NDArray[np.float64],
        strategy: Strategy,
        measure: Measure,
    ) -> Tree:
        """Return the tree that is best on the held-out rows."""
        as_leaf, at_end = held_out_errors(tree, table, y, w, strategy, measure)
        below = at_end.copy()
        becomes_leaf = np.zeros(tree.n_nodes, dtype=bool)
        slack = ROUNDING * as_leaf[0]
        for v in range(tree.n_nodes - 1, -1, -1):
            if not tree.is_leaf[v] and as_leaf[v] <= below[v] + slack:
                becomes_leaf[v], below[v] = True, as_leaf[v]
            if v:
                below[tree.parent[v]] += below[v]
        return cut(tree, becomes_leaf) if becomes_leaf.any() else tree


def held_out_errors(
    tree: Tree,
    table: Table,
    y: NDArray[Any],
    w: Floats,
    strategy: Strategy,
    measure: Measure,
) -> tuple[Floats, Floats]:
    """Count the errors that rows make in each node.

    Parameters
    ----------
    tree : Tree
    table : Table
    y : ndarray of shape (n,)
        Class codes or labels.
    w : ndarray of shape (n,)
    strategy : Strategy
    measure : Measure

    Returns
    -------
    as_leaf : ndarray of shape (m,)
        Errors of all rows that come to the node, were it a leaf.
    at_end : ndarray of shape (m,)
        Errors of the rows that end there.
    """
    through = Router(tree, strategy).push(table).through.tocsr()
    through.sort_indices()
    row = np.repeat(np.arange(table.n_rows), np.diff(through.indptr))
    node = through.indices.astype(np.intp)
    part, goes_on = _parts(tree, row, node, through.data)
    errors = w[row] * part * _loss(tree, y[row], node, measure)
    at_end = np.where(goes_on, 0.0, errors)
    as_leaf, at_end = (np.bincount(node, e, minlength=tree.n_nodes) for e in (errors, at_end))
    return np.asarray(as_leaf, dtype=float), np.asarray(at_end, dtype=float)


def _parts(
    tree: Tree, row: NDArray[np.intp], node: NDArray[np.intp], share: Floats
) -> tuple[Floats, NDArray[np.bool_]]:
    """Shares of visits, those of the children of a node made to sum to its own; who goes on.

    They do already, unless a strategy sends whole rows to several children.
    """
    key = row * tree.n_nodes + node
    up = np.searchsorted(key, row * tree.n_nodes + tree.parent[node])
    below = node > 0
    passed_on = np.bincount(up[below], share[below], minlength=len(share))
    part = np.ones(len(share))
    for depth in range(1, tree.max_depth + 1):
        here = np.flatnonzero(tree.depth[node] == depth)
        part[here] = part[up[here]] * share[here] / passed_on[up[here]]
    return part, passed_on > 0


def _loss(tree: Tree, y: NDArray[Any], node: NDArray[np.intp], measure: Measure) -> Floats:
    """Return the loss of each visit, were the row to end there."""
    if measure.centred:
        distance = np.abs(y - tree.value[node, 0])
        return distance if measure.absolute else distance**2
    return (tree.value.argmax(axis=1)[node] != y).astype(np.float64)
