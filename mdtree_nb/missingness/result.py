"""What was made: the table with holes, which cells went, why, and what rate was reached."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd


@dataclass(frozen=True, repr=False)
class MissingResult:
    """A table with holes, and all that is known about them.

    Attributes
    ----------
    X : DataFrame or ndarray of shape (n, p)
        A copy with holes. Whole numbers and truth values become nullable where they get
        one (in arrays: float64); all other dtypes stay.
    y : Series, ndarray or None
        The labels, with holes if `labels` asked for them.
    mask : DataFrame or ndarray of shape (n, p), bool
        What is missing now.
    new_mask : DataFrame or ndarray of shape (n, p), bool
        What went in this call.
    probs : DataFrame or ndarray of shape (n, p)
        The chance that each cell had to go; 0 where it could not.
    drivers : dict
        From each column that loses values to the list of columns that decided about it.
    params : dict
        What was asked for, with the method's parameters; and what came up on the way.
    realised : dict
        The shares that were reached, named as `rate_of`: "column" is the mean over the
        affected columns. They count new holes among the values that were known before, or
        all holes if `count_existing`.
    """

    X: Any
    y: Any
    mask: Any
    new_mask: Any
    probs: Any
    drivers: dict[Any, list[Any]]
    params: dict[str, Any]
    realised: dict[str, float]

    def describe(self) -> pd.DataFrame:
        """List what happened to each column that could lose values.

        Returns
        -------
        DataFrame
            One line per column: what `drives` it, `known` values before, how many went
            (`new`), `expected` by the chances, and the `share` of the column that is
            missing now.
        """
        names = list(self.drivers)
        place = [list(self.mask).index(name) if self._framed else name for name in names]
        mask, new, probs = (np.asarray(a)[:, place] for a in (self.mask, self.new_mask, self.probs))
        return pd.DataFrame(
            {
                "drives": [", ".join(map(str, self.drivers[n])) or "nothing" for n in names],
                "known": len(mask) - (mask & ~new).sum(axis=0),
                "new": new.sum(axis=0),
                "expected": probs.sum(axis=0),
                "share": mask.mean(axis=0),
            },
            index=pd.Index(names, name="column"),
        )

    def sentence(self) -> str:
        """Say in words what was made.

        Returns
        -------
        str
        """
        asked = self.params["rate_of"]
        whole = {"column": "each affected column", "cell": "all cells", "row": "rows"}[asked]
        n_new = int(np.asarray(self.new_mask).sum())
        text = (
            f"{self.params['mechanism']} by {self.params['method']}: {n_new} values went from "
            f"{len(self.drivers)} column{'' if len(self.drivers) == 1 else 's'}; asked for "
            f"{self.params['rate']:.4g} of {whole}, reached {self.realised[asked]:.4g}."
        )
        lacking = self.params.get("not_made_up", 0)
        if lacking:
            text += f" {lacking} holes were given up to leave every row a value."
        return text

    @property
    def _framed(self) -> bool:
        return isinstance(self.mask, pd.DataFrame)

    def __repr__(self) -> str:
        return f"MissingResult({self.sentence()})"
