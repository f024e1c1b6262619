"""What a strategy makes of a table before a tree sees it, or that it cannot handle it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..table import Table


class StrategyNotApplicable(ValueError):
    """A strategy cannot handle this data set; the message says why.

    A comparison shows such a strategy as not applicable instead of ranking it.
    """


@dataclass(frozen=True)
class Prepared:
    """What a strategy makes of the training table.

    Attributes
    ----------
    tables : list of Table
        One training table, or M for multiple imputation.
    rows : ndarray of int or None
        Training rows that are kept, None for all.
    state : dict
        What `transform` needs for later tables; plain numbers and lists, so that it can
        be written as JSON.
    """

    tables: list[Table]
    rows: NDArray[np.intp] | None = None
    state: dict[str, Any] = field(default_factory=dict)
