"""How much labels have to do with each column, before any cut is looked at.

Called by `choice.py` where a strategy ranks columns. Does not: rank them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .kernels import contingency as kernels
from .kernels.codes import CENTRE, FIRST_STAT
from .workspace import Batch, Workspace

Floats = NDArray[np.float64]

# A label that is nearer to the mean, in standard deviations, is equal to it but for rounding.
MARGIN = 1e-9


class Association(NamedTuple):
    """Pearson's chi-square of labels against each column of some nodes.

    Attributes
    ----------
    chi_square, freedom : ndarray of shape (b, p)
        The statistic and its degrees of freedom; see `kernels/contingency.py` for the groups.
        Freedom is 0 where a column has a single group, or is not open.
    """

    chi_square: Floats
    freedom: Floats


def associate(
    work: Workspace, batch: Batch, sums: Floats, allowed: NDArray[np.bool_]
) -> Association:
    """Measure the association of labels and columns.

    Parameters
    ----------
    work : Workspace
    batch : ndarray of shape (b, FIRST_KNOWN + p)
    sums : ndarray of shape (b, FIRST_STAT + T)
    allowed : ndarray of shape (b, p), bool

    Returns
    -------
    Association
    """
    measure = work.measure
    found = Association(np.empty(allowed.shape), np.empty(allowed.shape))
    centres = None
    if measure.centred:  # numbers, not classes
        weight, squares = sums[:, FIRST_STAT], sums[:, FIRST_STAT + 2]
        centres = sums[:, CENTRE] + MARGIN * np.sqrt(squares / weight)
    allowed = np.ascontiguousarray(allowed)

    def count(part: slice, _: int) -> None:
        kernels.contingency(
            work.ids,
            work.ranks,
            work.columns,
            work.y,
            work.w,
            None if centres is None else centres[part],
            batch[part],
            allowed[part],
            np.empty((2, max(measure.n_values, 2))),
            found.chi_square[part],
            found.freedom[part],
        )

    work.run_parts(batch, count)
    return found
