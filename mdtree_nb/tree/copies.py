"""A bound on rows that are copied to several children while a tree grows.

A test multiplies the rows of a node by (rows of its children together / rows of the node).
`copies` is the product of these factors along the path to a node, 1 for the root. A column
that would take it beyond the strategy's `max_copies` is not tested there, so the leaves
together hold at most `max_copies` times the table: children divide among them, by their
rows, what their parent may still use. Where a child is grown on all rows of the node, it is
that child, not the column, which a node does without.

Called by `growth.py`. Does not: copy; `kernels/fork.py` does.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .kernels.codes import BRANCHES, FIRST_KNOWN, MISSING_BRANCH, START, STOP
from .workspace import Batch

Floats = NDArray[np.float64]
ROUNDING = 1e-9


def affordable(
    batch: Batch, copies: Floats, most_branches: NDArray[np.int64], max_copies: float
) -> NDArray[np.bool_]:
    """Say which columns each node may test.

    Parameters
    ----------
    batch : ndarray of shape (b, FIRST_KNOWN + p)
    copies : ndarray of shape (b,)
    most_branches : ndarray of shape (p,)
        Most children that rows which know the column can be divided among.
    max_copies : float

    Returns
    -------
    ndarray of shape (b, p), bool
    """
    rows = (batch[:, STOP] - batch[:, START])[:, None]
    known = batch[:, FIRST_KNOWN:]
    branches = np.maximum(np.minimum(known, most_branches), 2)
    below = known + branches * (rows - known)
    return copies[:, None] * (below / rows) <= max_copies * (1 + ROUNDING)


def regrow(
    choice: Floats, known: NDArray[np.int64], rows: Any, copies: Floats | None, max_copies: float
) -> None:
    """Give splits a child that all rows of their node are in, where rows miss the column.

    Parameters
    ----------
    choice : ndarray of shape (b, CHOICE_COLUMNS)
        Written: the branch of missing rows.
    known : ndarray of shape (b,)
        Rows that know the tested column.
    rows : int or ndarray of shape (b,)
        Rows of each split's node.
    copies : ndarray of shape (b,) or (1,), or None
        None = there is no bound.
    max_copies : float
    """
    grows = known < rows
    if copies is not None:
        grows &= copies * ((known + rows) / rows) <= max_copies * (1 + ROUNDING)
    choice[grows, MISSING_BRANCH] = choice[grows, BRANCHES]


def copies_below(
    batch: Batch, children: Batch, parent: NDArray[np.intp], copies: Floats | None
) -> Floats | None:
    """Return the `copies` of children; None where there is no bound.

    Parameters
    ----------
    batch : ndarray of shape (b, FIRST_KNOWN + p)
        The divided nodes.
    children : ndarray of shape (c, FIRST_KNOWN + p)
    parent : ndarray of shape (c,)
        Place of each child's parent in `batch`.
    copies : ndarray of shape (b,) or None

    Returns
    -------
    ndarray of shape (c,) or None
    """
    if copies is None:
        return None
    below = np.bincount(parent, children[:, STOP] - children[:, START])
    return (copies * below / (batch[:, STOP] - batch[:, START]))[parent]
