"""Where guessed values would send the rows that miss a column.

In compiled loops for `choice.py`, and cut by cut in plain NumPy for `every_cut.py`. Does not:
guess. A strategy does, and its guesses only score: the rows that miss the column of the chosen
cut are routed as missing.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .cuts import Guessed
from .kernels.codes import CHOICE_COLUMNS, EQUALS, FIRST_KNOWN, MULTIWAY, START, STOP
from .kernels.guessed import GUESS_SCRATCH, PAIR_SUMS, search_guessed
from .workspace import Batch, Workspace

Floats = NDArray[np.float64]


def best_by_guesses(
    work: Workspace,
    batch: Batch,
    sums: Floats,
    allowed: NDArray[np.bool_] | None,
    together: bool,
) -> Floats:
    """Find the best split of each node, of numeric columns, in compiled loops.

    Parameters
    ----------
    work : Workspace
        With guesses.
    batch, sums, allowed
        See `Chooser.choose`.
    together : bool
        One gain among known and guessed rows? Else one of either, as the columns' trust says.

    Returns
    -------
    ndarray of shape (b, CHOICE_COLUMNS)
    """
    measure, number = work.measure, work.threads.number
    choice = np.empty((len(batch), CHOICE_COLUMNS))
    scratch = np.empty((number, GUESS_SCRATCH, measure.n_stats))
    pair_sums = np.empty((number, 2, PAIR_SUMS))
    allowed = np.empty((0, len(work.columns)), dtype=bool) if allowed is None else allowed
    rule = (measure.family, measure.scale, together, work.form.half_way, tuple(work.least))

    def search(part: slice, thread: int) -> None:
        search_guessed(
            work.ids,
            work.ranks,
            work.columns,
            work.values,
            work.guesses,
            work.trust,
            work.rows,
            work.y,
            work.w,
            work.mass,
            batch[part],
            allowed[part],
            sums[part],
            rule,
            choice[part],
            scratch[thread],
            pair_sums[thread],
        )

    work.run_parts(batch, search)
    return choice


class GuessedColumn:
    """The guesses of one column of a node, lowest first, and what their rows sum up to.

    Parameters
    ----------
    work : Workspace
    guesses : ndarray of shape (p, n)
        Its guesses.
    node : ndarray of shape (FIRST_KNOWN + p,)
    f : int
    centre : float
        That stats are taken around.
    """

    def __init__(
        self, work: Workspace, guesses: Floats, node: NDArray[np.int64], f: int, centre: float
    ):
        self.measure, self.half_way = work.measure, work.form.half_way
        self.trust = work.trust[f]
        entries = work.ids[f, node[START] : node[STOP]]
        k = int(node[FIRST_KNOWN + f])
        self.known_values = work.values[f, work.row_of(entries[:k])]
        stats = work.measure.stats(work.y[entries], work.weights_of(entries), centre)
        self.known = stats[:k].sum(axis=0)
        guess = guesses[f, work.row_of(entries[k:])]
        self.guess = guess[~np.isnan(guess)]  # NaN come last
        self.stats = stats[k : k + len(self.guess)]
        self.total = self.stats.sum(axis=0)

    def by_position(self, position: NDArray[np.int64], left: Floats) -> Guessed:
        """Of cuts between two known rows; `left` are the stats of the known rows below."""
        low, high = self.known_values[position], self.known_values[position + 1]
        middle = low / 2 + high / 2
        is_between = self.half_way & (low <= middle) & (middle < high)
        below = np.searchsorted(self.guess, np.where(is_between, middle, low), side="right")
        sums = np.vstack([np.zeros(self.stats.shape[1]), self.stats.cumsum(axis=0)])[below]
        return self._of([left, self.known - left], [sums, self.total - sums])

    def by_group(
        self, test: int, groups: NDArray[np.bool_], codes: Floats, levels: Floats
    ) -> Guessed:
        """Of groups of levels.

        Parameters
        ----------
        test : int
            EQUALS, SUBSET or MULTIWAY.
        groups : ndarray of shape (c, n), bool
            Which levels are left.
        codes : ndarray of shape (n,)
            Of the levels that known rows of the node have.
        levels : ndarray of shape (n, T)
            Stats of their known rows.
        """
        guessed = (self.guess == codes[:, None]).astype(np.float64) @ self.stats
        unseen = self.total - guessed.sum(axis=0)
        weight = self.measure.weight(levels)
        share = weight / weight.sum()
        if test == MULTIWAY:
            ones = np.ones((len(groups), 1))
            guessed = guessed + share[:, None] * unseen
            return self._of([ones * row for row in levels], [ones * row for row in guessed])
        left = groups.astype(np.float64)
        part = np.zeros(len(groups)) if test == EQUALS else left @ share
        sums = left @ guessed + part[:, None] * unseen
        known = left @ levels
        return self._of([known, self.known - known], [sums, self.total - sums])

    def alone(self) -> Guessed:
        """Of "known | missing", of which guesses say nothing."""
        return self._of([self.known[None]], [self.total[None]])

    def _of(self, known: list[Floats], guessed: list[Floats]) -> Guessed:
        """Add up the costs of the children, each given by the stats of its rows in every cut."""
        cost, n = self.measure.cost, len(known[0])
        return Guessed(
            np.full(n, self.trust),
            np.full(n, self.measure.weight(self.total)),
            np.full(n, cost(self.total)),
            sum((cost(its) for its in guessed), start=np.zeros(n)),
            np.full(n, cost(self.known + self.total)),
            sum((cost(a + b) for a, b in zip(known, guessed, strict=True)), start=np.zeros(n)),
        )
