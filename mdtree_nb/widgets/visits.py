"""Which rows of a table visit which node of a fitted tree.

Does not: route; the estimator's `decision_path` does.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from .base import BadValue


def as_frame(X: Any, names: tuple[str, ...]) -> pd.DataFrame:
    """Show a table as a DataFrame, with the column names of the tree where it has none.

    Parameters
    ----------
    X : DataFrame or array-like of shape (n, p)
    names : tuple of str

    Returns
    -------
    DataFrame
    """
    if hasattr(X, "to_pandas"):
        X = X.to_pandas()
    return X if isinstance(X, pd.DataFrame) else pd.DataFrame(np.asarray(X), columns=list(names))


def labels_of(y: Any, n_rows: int) -> pd.Series | None:
    """Check that there is one label per row.

    Parameters
    ----------
    y : array-like of shape (n,) or None
    n_rows : int

    Returns
    -------
    Series or None
    """
    if y is not None and len(y) != n_rows:
        raise BadValue(f"y has {len(y)} labels for the {n_rows} rows of X; pass one per row.")
    return None if y is None else pd.Series(y)


class Visits:
    """Rows of a table by the nodes that they visit, of the first tree.

    Parameters
    ----------
    model : MDTreeClassifier or MDTreeRegressor
    X : DataFrame or array-like of shape (n, p)
    y : array-like of shape (n,) or None
    """

    def __init__(self, model: Any, X: Any, y: Any):
        paths = model.decision_path(X)[:, : model.tree_.n_nodes]
        self.paths = paths.tocsc()
        self.frame = as_frame(X, model.schema_.names)
        self.labels = labels_of(y, len(self.frame))
        name = getattr(y, "name", None)
        self.label_name = "y" if name is None else str(name)

    def at(self, node: int) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
        """Numbers of the rows that visit a node, and what part of each does.

        Parameters
        ----------
        node : int

        Returns
        -------
        rows : ndarray of shape (r,)
        shares : ndarray of shape (r,)
        """
        part = slice(self.paths.indptr[node], self.paths.indptr[node + 1])
        rows, shares = self.paths.indices[part], self.paths.data[part]
        order = np.argsort(rows)
        return rows[order], shares[order]
