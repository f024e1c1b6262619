"""trinary: missing values get a child that is grown on all rows, without the tested column."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..tree.open_columns import Split
from ..tree.strategy import Strategy


class Trinary(Strategy):
    """Grow a third child on all rows of the node; missing values go there (trinary trees).

    The third child answers as a tree would that never had the tested column: it is closed
    there. So a hole tells nothing, and takes nothing away from the other columns. Cuts are
    scored on the rows that know the column, times their share of the node. In training a row
    that knows the column is in its own child and in the third one; in prediction every row
    takes one way. The children of a node weigh as much as the node and its known rows together.
    A node that no row's hole concerns has two children, and later missing values follow the
    larger one.

    Parameters
    ----------
    max_copies : float, default=16
        How many times over the leaves may hold the training rows. A third child multiplies the
        rows on a path by (known rows + all rows) / all rows, about 2; where that product would
        exceed `max_copies` there is none, and missing values follow the larger child.

    References
    ----------
    .. [1] H. Zakrisson, "Trinary decision trees for handling missing data", 2023,
       arXiv 2309.03561.
    """

    name = "trinary"
    mode = "known"
    plain = True
    divides = True
    conserves = False
    regrows = True
    checked_against = "counts by hand; brute force"

    def __init__(self, max_copies: float = 16):
        self.max_copies = max_copies

    def check(self) -> None:
        """Refuse parameters that make no sense."""
        most = self.max_copies
        if isinstance(most, bool) or not isinstance(most, (int, float)) or not most >= 1:
            raise ValueError(
                f"max_copies={most!r} must be a number of at least 1; 1 grows no third child."
            )

    def inherit(self, allowed: NDArray[np.bool_], split: Split, branch: int) -> NDArray[np.bool_]:
        """Close the tested column below the third child."""
        if branch < split.n_branches:
            return allowed
        return allowed & (np.arange(len(allowed)) != split.feature)
