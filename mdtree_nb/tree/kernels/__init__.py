"""Compiled loops over rows and nodes; the only room that imports numba.

`sweep` finds the best cut of a numeric column, `levels` the best test of a category column,
`search` the best of a batch of nodes; `nodes` and `level_marks` sum up, mark and partition
rows, `fork` divides them; `absolute` serves absolute error; `order` packs sort keys; `route`
sends rows down a finished tree, `agree` finds training rows like a row, `lazy` scores what a
row's answers leave of them; `neighbours` finds the nearest ones; `contingency` tests labels against
columns. `codes` holds the integers that they understand, `jit` says how they are compiled.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def read_only(values: NDArray[Any]) -> NDArray[Any]:
    """Return a contiguous read-only view, or copy, of an array.

    Kernels compile anew for every layout and for arrays that may not be written to, as
    joblib's memory maps; a table therefore always comes in as read-only.
    """
    if not (values.flags.c_contiguous or values.flags.f_contiguous):
        values = np.ascontiguousarray(values)
    view = values.view()
    view.flags.writeable = False
    return view
