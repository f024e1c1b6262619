"""The contract between an estimator and a way of cutting its tree back."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

from ..table import Table
from ..tree.measure import Measure
from ..tree.strategy import Strategy
from ..tree.structure import Tree


class Pruning(BaseEstimator):
    """How a grown tree is cut back. Subclass it and override `prune`.

    Attributes
    ----------
    name : str
        What users write as `pruning=`.
    tasks : tuple of {"classification", "regression"}
    """

    name: ClassVar[str] = ""
    tasks: ClassVar[tuple[str, ...]] = ("classification", "regression")

    def check(self) -> None:
        """Refuse parameters that make no sense.

        Raises
        ------
        ValueError, TypeError
        """

    def held_out(
        self, used: NDArray[np.bool_], rng: np.random.RandomState
    ) -> NDArray[np.bool_] | None:
        """Say which rows the tree must not see while it grows.

        Parameters
        ----------
        used : ndarray of shape (n,), bool
            Rows of the table that was passed which have a label and a weight above 0.
        rng : RandomState

        Returns
        -------
        ndarray of shape (n,), bool, or None
            None = the tree grows on all rows, and is pruned by them.
        """
        return None

    def prune(
        self,
        tree: Tree,
        table: Table,
        y: NDArray[Any],
        w: NDArray[np.float64],
        strategy: Strategy,
        measure: Measure,
    ) -> Tree:
        """Return the pruned tree.

        Parameters
        ----------
        tree : Tree
        table : Table
            The held-out rows if there are any, else the training rows; holes are filled as
            the strategy fills them.
        y : ndarray of shape (n,)
            Class codes or labels.
        w : ndarray of shape (n,)
        strategy : Strategy
            The one that treats the holes of these rows: for held-out rows the strategy
            that predicts, for training rows the one that grew.
        measure : Measure
            What the tree lowered.

        Returns
        -------
        Tree
        """
        raise NotImplementedError
