"""bernoulli and exact: chance alone decides (MCAR)."""

from __future__ import annotations

import numpy as np

from ..contract import Job, Method
from ..draw import count_of
from ..request import Request


class Bernoulli(Method):
    """Every cell goes with the same chance, whatever the others do.

    The number of holes varies from draw to draw: of n cells, rate q takes n q on average,
    with a standard deviation of sqrt(n q (1 - q)).
    """

    name = "bernoulli"
    mechanisms = ("MCAR",)
    driven = "itself"
    exact = False


class Exact(Method):
    """As many cells as asked for, drawn without replacement.

    With `rate_of="column"` every column loses as many; with "cell" the total is exact and
    the columns share it by chance.
    """

    name = "exact"
    mechanisms = ("MCAR",)
    driven = "itself"

    def jobs(self, request: Request) -> list[Job]:
        """Draw how many cells each column loses, where only the total is asked for."""
        if request.rate_of != "cell":
            return super().jobs(request)
        request.check_rows(request.column_rate())
        cells = request.cells
        known = (~cells.holes[:, request.columns]).sum(axis=0)
        already = int(cells.holes.sum()) if request.count_existing else 0
        base = cells.holes.size if request.count_existing else int((~cells.holes).sum())
        total = min(max(count_of(base, request.rate) - already, 0), int(known.sum()))
        most = known if request.allow_full else np.maximum(known - 1, 0)
        counts = np.minimum(
            request.rng.multivariate_hypergeometric(known, total, method="marginals"), most
        )
        return [Job(j, [], float(c)) for j, c in zip(request.columns, counts, strict=True)]
