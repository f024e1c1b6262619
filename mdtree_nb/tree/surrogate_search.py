"""Find the surrogates of nodes that are being split.

Called by `growth.py`, after the rows that know the chosen column were marked with their
branch and before they are moved. Does not: decide whether anybody asks the surrogates.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .kernels import surrogates as kernels
from .kernels.codes import IS_MISSING, START, SUBSET, THRESHOLD
from .kernels.surrogates import AGREES, COMPARED, CUT, FOUND, LOW_BRANCH, MAJORITY
from .marks import lower_half_way
from .surrogates import SurrogateRule, Surrogates
from .workspace import Batch, Workspace

LEAST = 1e-10  # adjusted agreement that a surrogate must exceed
DIGITS = 12  # agreements that differ by less are equal, and the first column wins

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def find_surrogates(
    work: Workspace,
    batch: Batch,
    choice: Floats,
    kind: NDArray[np.int8],
    n_children: NDArray[np.intp],
    rule: SurrogateRule,
) -> Surrogates:
    """Find the tests of other columns that agree best with each node's own.

    Parameters
    ----------
    work : Workspace
        Whose `branch` is marked.
    batch : ndarray of shape (b, FIRST_KNOWN + p)
    choice : ndarray of shape (b, CHOICE_COLUMNS)
    kind : ndarray of shape (b,)
        How each node tests its column.
    n_children : ndarray of shape (b,)
        A node with more than two has no surrogates, nor one that tests for missing values.
    rule : SurrogateRule

    Returns
    -------
    Surrogates
        Of the b nodes.
    """
    nodes = np.flatnonzero((kind != IS_MISSING) & (n_children == 2))
    found = np.zeros((len(nodes), len(work.columns), FOUND))

    def search(part: slice, _: int) -> None:
        kernels.agreements(
            work.ids, work.ranks, work.columns, batch, nodes[part], choice, work.branch, work.w,
            rule.by_known, work.side, found[part], _NO_TABLE,
        )  # fmt: skip

    work.run_parts(batch[nodes], search)
    agreement, adjusted = _agreements(found)
    key = np.where(adjusted > LEAST, -np.round(agreement, DIGITS), np.inf)
    order = np.argsort(key, axis=1, kind="stable")[:, : rule.most]
    kept = np.take_along_axis(adjusted, order, axis=1) > LEAST
    place = np.repeat(np.arange(len(nodes)), kept.sum(axis=1))
    feature = order[kept]
    count = np.zeros(len(batch), dtype=np.intp)
    count[nodes] = kept.sum(axis=1)
    node, its = nodes[place], found[place, feature]
    is_level = work.columns[feature, 1] != THRESHOLD
    level_start, tables = _level_tables(work, batch, choice, node[is_level], feature[is_level])
    start = np.full(len(feature), -1, dtype=np.int32)
    start[is_level] = level_start
    threshold = np.full(len(feature), np.nan)
    at = batch[node[~is_level], START] + its[~is_level, CUT].astype(np.intp)
    threshold[~is_level] = _half_way(work, feature[~is_level], at)
    return Surrogates(
        start=np.concatenate([[0], np.cumsum(count)]).astype(np.int32),
        feature=feature.astype(np.int32),
        kind=np.where(is_level, SUBSET, THRESHOLD).astype(np.int8),
        threshold=threshold,
        low_branch=np.where(is_level, 0, its[:, LOW_BRANCH]).astype(np.int8),
        level_start=start,
        level_branch=tables,
        agreement=agreement[place, feature],
        adjusted=adjusted[place, feature],
    )


def _agreements(found: Floats) -> tuple[Floats, Floats]:
    """Agreement, and adjusted agreement, of each column of each node."""
    compared = found[..., COMPARED]
    safe = np.where(compared > 0, compared, 1.0)
    agreement = np.where(compared > 0, found[..., AGREES] / safe, 0.0)
    majority = np.where(compared > 0, found[..., MAJORITY] / safe, 1.0)
    room = 1.0 - majority
    adjusted = np.where(room > LEAST, (agreement - majority) / np.where(room > 0, room, 1.0), 0.0)
    return agreement, adjusted


def _half_way(work: Workspace, feature: NDArray[np.intp], at: Ints) -> Floats:
    """Thresholds between the entries in place `at` of each column's order and the next ones."""
    low = work.values[feature, work.row_of(work.ids[feature, at])]
    high = work.values[feature, work.row_of(work.ids[feature, at + 1])]
    middle = low / 2.0 + high / 2.0
    middle = np.where((low <= middle) & (middle < high), middle, low)
    return lower_half_way(middle, low) if work.form.just_below else middle


def _level_tables(
    work: Workspace, batch: Batch, choice: Floats, nodes: Ints, features: NDArray[np.intp]
) -> tuple[Ints, NDArray[np.int16]]:
    """Where the table of each surrogate that tests for levels begins, and the tables."""
    size = work.n_levels[features]
    start = np.cumsum(size) - size
    tables = np.full(int(size.sum()), -1, dtype=np.int16)
    if len(nodes):
        kernels.level_sides(
            work.ids, work.ranks, work.columns, batch, nodes, features, start, choice, work.branch,
            work.w, work.side, np.empty(FOUND), tables,
        )  # fmt: skip
    return start, tables


_NO_TABLE = np.empty(0, dtype=np.int16)
