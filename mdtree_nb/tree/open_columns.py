"""Which columns a node may test, before any cut is looked at: a part of the contract.

`Strategy` inherits it; see `strategy.py`. Does not: score cuts.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..schema import Schema
from .association import Association


class Split(NamedTuple):
    """How a node tests a column.

    Attributes
    ----------
    feature : int
    kind : int
        THRESHOLD, EQUALS, IS_MISSING, SUBSET or MULTIWAY.
    threshold : float
        Or level code.
    n_branches : int
        Children for known rows.
    table : ndarray of int16
        Branch of each level of the column, -1 for those that are not in the node; empty
        where the test needs none.
    schema : Schema
        Of the training table.
    """

    feature: int
    kind: int
    threshold: float
    n_branches: int
    table: NDArray[np.int16]
    schema: Schema


class OpenColumns:
    """All columns are open everywhere; override what differs."""

    def opening(self, schema: Schema) -> NDArray[np.bool_] | None:
        """Say which columns are open in the root.

        Parameters
        ----------
        schema : Schema

        Returns
        -------
        ndarray of shape (p,), bool, or None
            None = all columns, and `inherit` is not asked; by default where it says nothing.
        """
        if type(self).inherit is OpenColumns.inherit:
            return None
        return np.ones(schema.n_features, dtype=bool)

    def features(
        self, known: NDArray[np.int64], rows: NDArray[np.int64]
    ) -> NDArray[np.bool_] | None:
        """Say which columns may be tested in each of some nodes.

        Parameters
        ----------
        known : ndarray of shape (b, p)
            Rows of each node that know each column.
        rows : ndarray of shape (b,)
            Rows of each node.

        Returns
        -------
        ndarray of shape (b, p), bool, or None
            None = all of them.
        """
        return None

    def inherit(self, allowed: NDArray[np.bool_], split: Split, branch: int) -> NDArray[np.bool_]:
        """Say which columns remain open below one child of a split.

        Parameters
        ----------
        allowed : ndarray of shape (p,), bool
            Columns open in the node itself.
        split : Split
        branch : int
            Which child; `split.n_branches` is a child of their own for missing rows.

        Returns
        -------
        ndarray of shape (p,), bool
        """
        return allowed

    def rank(self, association: Association) -> NDArray[np.float64]:
        """Rank the columns of some nodes, so that one is chosen before its cuts are scored.

        Parameters
        ----------
        association : Association

        Returns
        -------
        ndarray of shape (b, p)
            The open column with the largest number is split, if it has a cut, else the next;
            the first column when equal. Asked only where it is overridden; else the cuts
            decide.
        """
        raise NotImplementedError
