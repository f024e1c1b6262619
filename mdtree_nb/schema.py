"""What the columns of a training table were; it travels with the model."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Schema:
    """What the columns of the training table were.

    Attributes
    ----------
    names : tuple of str
        Column names for people; "x0", "x1", ... for an array.
    levels : tuple
        Per column None (numeric) or the tuple of its levels in the order of their codes.
    incomplete : tuple of bool
        Per column: did it have missing values at fit?
    sources : tuple of int
        A strategy may add columns of 0 and 1 at the end that say where others were missing:
        the number of the column that each of them is about.
    """

    names: tuple[str, ...]
    levels: tuple[tuple[Hashable, ...] | None, ...]
    incomplete: tuple[bool, ...]
    sources: tuple[int, ...] = ()

    @property
    def n_features(self) -> int:
        """Number of columns, added ones included."""
        return len(self.names)

    @property
    def n_own(self) -> int:
        """Number of the user's columns."""
        return len(self.names) - len(self.sources)

    def with_indicators(self, sources: Iterable[int]) -> Schema:
        """Return the schema with columns added that say where others were missing."""
        names = list(self.names)
        for f in sources:
            name = f"{self.names[f]} is missing"
            while name in names:
                name += "?"
            names.append(name)
        new = len(names) - len(self.names)
        levels, whole = self.levels + (None,) * new, self.incomplete + (False,) * new
        return Schema(tuple(names), levels, whole, (*self.sources, *map(int, sources)))

    @property
    def is_category(self) -> NDArray[np.bool_]:
        """Which columns are categories."""
        return np.array([levels is not None for levels in self.levels], dtype=bool)
