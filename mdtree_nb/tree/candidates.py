"""The cuts of one node as a table that people read, best first.

The cuts come from `every_cut.py`, gains from the strategy's own `score_table`, the column
of the first line from the criterion's own choice, thresholds and levels from the marks
that growing makes, and words from `words.py`.

Does not: go to the node (`growth.py`) or decide anything that growing does not decide.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from .copies import regrow
from .cuts import Cuts
from .every_cut import all_cuts
from .growth import Grower
from .kernels.codes import (
    ALONE,
    BRANCHES,
    BY_RULE,
    CHOICE_COLUMNS,
    COST,
    EQUALS,
    FEATURE,
    FIRST_KNOWN,
    GAIN,
    LEFT_SHARE,
    MISSING_BRANCH,
    MISSING_WEIGHT,
    MULTIWAY,
    POSITION,
    START,
    STOP,
    THRESHOLD,
    TIE,
    WEIGHT,
)
from .marks import Marks, mark
from .record import Front
from .reshape import largest_not_above
from .strategy import Strategy
from .words import in_words
from .workspace import Workspace

# Tests are looked up for so many cuts at a time, to bound the memory it takes.
BLOCK = 2**13

# A cost or gain below this part of the node's is rounding.
ROUNDING = 1e-12

COLUMNS = {
    "feature": object,
    "test": object,
    "threshold": float,
    "levels": object,
    "gain": float,
    "missing_to": object,
    "left": float,
    "right": float,
    "missing": float,
    "left_impurity": float,
    "right_impurity": float,
}

SIDES = ("left", "right", "own child")
_NO_LEVELS: tuple[Any, ...] = ()

Floats = NDArray[np.float64]
Indices = NDArray[np.intp]


def list_cuts(grower: Grower, front: Front, only: int | None = None) -> tuple[pd.DataFrame, float]:
    """List the cuts of one node, best first.

    Parameters
    ----------
    grower : Grower
    front : Front
        One node, not yet divided.
    only : int or None, default=None
        List the cuts of this column only.

    Returns
    -------
    table : DataFrame
        See `mdtree_nb.split_table`.
    taken : float
        Gain that growing would write down for the first line, from which a criterion may have
        taken a price.
    """
    work = grower.work
    node, sums = front.batch[0], work.sum_up(front.batch)
    is_open = node[FIRST_KNOWN:] > 0
    if is_open.any():
        allowed = grower.open_columns(front)
        is_open &= True if allowed is None else allowed[0]
    chooser = grower.chooser
    turn, at_once = chooser.turns(front.batch, sums, is_open[None], front.seed)
    turn = turn[0]
    if only is not None:
        is_open &= np.arange(len(is_open)) == only
    if not is_open.any():
        return pd.DataFrame(columns=list(COLUMNS)).astype(COLUMNS), 0.0
    cuts = all_cuts(work, node, sums[0], is_open, grower.chooser.alone)
    gain, side = grower.strategy.score_table(cuts)
    branch = cuts.branch_of(side)
    keep = np.flatnonzero(np.isfinite(gain))
    if len(keep):  # looking goes on until a column has a cut that is worth its price
        shape = (1, len(is_open))
        has_cut = np.isfinite(chooser.criterion.gains(chooser.bests(cuts, gain, shape)[0])[0])
        first = int(turn[has_cut].min()) if has_cut.any() else 0
        keep = keep[turn[cuts.feature[keep]] < max(at_once, 1 + first)]
    gain = np.where(np.abs(gain) * sums[0, WEIGHT] > ROUNDING * sums[0, COST], gain, 0.0)
    choice = _choices(
        cuts, gain, np.full(len(gain), BY_RULE) if grower.strategy.by_rule else branch
    )
    if grower.strategy.regrows:
        known = node[FIRST_KNOWN + cuts.feature]
        most = grower.strategy.max_copies
        regrow(choice, known, node[STOP] - node[START], front.copies, most)
    kind = grower.kinds(choice)
    keep = _without_twins(keep, cuts, kind, choice)
    looked_at = np.full(len(gain), -np.inf)  # columns may be drawn
    looked_at[keep] = gain[keep]
    bests, _ = chooser.bests(cuts, looked_at, (1, len(is_open)))
    priced = chooser.criterion.gains(bests)
    chosen = chooser.criterion.choose(bests, priced)[0]
    keep = keep[_order(gain[keep], cuts.feature[keep], chosen)]
    by_rule = np.flatnonzero(choice[keep, MISSING_BRANCH] == BY_RULE)
    rule = _rule_in_words(grower, front, sums, choice[keep[by_rule[:1]]]) if len(by_rule) else ""
    tests = _tests(grower, node, sums, choice[keep], kind[keep], rule)
    table = pd.DataFrame(tests | _sides(cuts, keep, kind, sums)).assign(gain=gain[keep])
    return table[[*COLUMNS]], float(priced[0, chosen])


def _choices(cuts: Cuts, gain: Floats, branch: Indices) -> Floats:
    """Write cuts as the splits that growing would make of them."""
    choice = np.zeros((len(cuts), CHOICE_COLUMNS))
    choice[:, FEATURE] = cuts.feature
    choice[:, POSITION] = cuts.position
    choice[:, GAIN] = gain
    choice[:, MISSING_BRANCH] = branch
    choice[:, LEFT_SHARE] = cuts.left.weight / cuts.known.weight
    choice[:, MISSING_WEIGHT] = cuts.missing.weight
    choice[:, BRANCHES] = cuts.n_branches
    return choice


def _without_twins(keep: Indices, cuts: Cuts, kind: NDArray[np.int8], choice: Floats) -> Indices:
    """Leave out multiway tests that differ from one before only in how they were listed."""
    key = np.stack([cuts.feature, choice[:, MISSING_BRANCH], np.arange(len(cuts))], axis=1)
    key[kind == MULTIWAY, 2] = -1
    first = np.unique(key[keep], axis=0, return_index=True)[1]
    return keep[np.sort(first)]


def _order(gain: Floats, feature: Indices, chosen: int) -> Indices:
    """Best first: the column that the criterion chooses, then by gain; ties as listed."""
    order = np.argsort(-gain, kind="stable")
    falls = np.ones(len(gain), dtype=bool)
    falls[1:] = gain[order][1:] < gain[order][:-1] - TIE * np.abs(gain[order][:-1])
    order = order[np.lexsort((order, np.cumsum(falls)))]
    if not len(order):
        return order
    first = np.flatnonzero(feature[order] == chosen)[:1]
    return np.concatenate([order[first], np.delete(order, first)])


def _sides(
    cuts: Cuts, keep: Indices, kind: NDArray[np.int8], sums: Floats
) -> dict[str, NDArray[np.float64]]:
    """Weight and impurity of the known rows on both sides, and weight of the missing ones."""
    # A multiway test is listed first with its first branch on the left.
    first = np.searchsorted(cuts.feature, cuts.feature[keep])
    at = np.where(kind[keep] == MULTIWAY, first, keep)
    columns = {"missing": cuts.missing.weight[at]}
    for name, part in (("left", cuts.left), ("right", cuts.right)):
        weight, cost = part.weight[at], part.cost[at]
        cost = np.where(cost > ROUNDING * sums[0, COST], cost, 0.0)
        columns[name] = weight
        columns[f"{name}_impurity"] = np.divide(
            cost, weight, out=np.full(len(at), np.nan), where=weight > 0
        )
    return columns


# -- saying what they test --------------------------------------------------------


def _tests(
    grower: Grower,
    node: NDArray[np.int64],
    sums: Floats,
    choice: Floats,
    kind: NDArray[np.int8],
    rule: str,
) -> dict[str, list[Any]]:
    """Look up thresholds and levels, and put the tests into words."""
    schema = grower.table.schema
    columns: dict[str, list[Any]] = {
        name: [] for name in ("feature", "test", "threshold", "levels", "missing_to")
    }
    for start in range(0, len(choice), BLOCK):
        block = choice[start : start + BLOCK]
        marks = _marks(grower, node, sums, block, kind[start : start + BLOCK])
        for i, line in enumerate(block):
            f, its_kind = int(line[FEATURE]), int(kind[start + i])
            branch = int(line[MISSING_BRANCH])
            names, levels = schema.levels[f] or (), _NO_LEVELS
            way = rule if branch == BY_RULE else ""
            if its_kind == EQUALS:
                levels = (names[int(marks.threshold[i])],)
            elif its_kind == MULTIWAY:
                here = _levels_here(grower.work, node, f)
                levels = (names[here[0]],)
                way = way or (str(names[here[branch]]) if branch < len(here) else "own child")
            elif marks.table_at[i] >= 0:
                levels = tuple(names[j] for j in np.flatnonzero(marks.table(i, len(names)) == 0))
            threshold = float(marks.threshold[i]) if its_kind == THRESHOLD else np.nan
            joined = branch == 0 and line[MISSING_WEIGHT] > 0
            words = in_words(schema, f, its_kind, 0, threshold, levels, joined)
            columns["feature"].append(schema.names[f])
            columns["test"].append(words)
            columns["threshold"].append(threshold)
            columns["levels"].append(levels)
            columns["missing_to"].append(way or SIDES[branch])
    return columns


def _levels_here(work: Workspace, node: NDArray[np.int64], f: int) -> NDArray[np.intp]:
    """Codes of a category's levels that rows of the node have: the branches, in their order."""
    start, known = node[START], node[FIRST_KNOWN + f]
    return np.unique(work.ranks[work.columns[f, 0], start : start + known]).astype(np.intp)


def _marks(
    grower: Grower, node: NDArray[np.int64], sums: Floats, choice: Floats, kind: NDArray[np.int8]
) -> Marks:
    """Let the engine look up thresholds and level tables.

    Of the rows of a numeric column it is shown no more than the cut's two neighbours, so
    that a thousand cuts do not cost a thousand passes over the node.
    """
    work, c = grower.work, np.arange(len(choice))
    batch, choice = np.repeat(node[None], len(choice), axis=0), choice.copy()
    choice[:, MISSING_BRANCH] = BY_RULE
    feature = choice[:, FEATURE].astype(np.intp)
    alone = choice[:, POSITION] == ALONE
    numeric = work.columns[feature, 1] == THRESHOLD
    known = FIRST_KNOWN + feature
    at = np.where(alone, batch[c, known] - 1, choice[:, POSITION].astype(np.int64))
    batch[numeric, START] += at[numeric]
    batch[numeric, STOP] = batch[numeric, START] + 2
    batch[c[numeric], known[numeric]] = np.where(alone, 1, 2)[numeric]
    choice[numeric & ~alone, POSITION] = 0
    marks = mark(work, batch, np.repeat(sums, len(choice), axis=0), choice, kind)
    if work.form.at_training_values:
        at = largest_not_above(feature, marks.threshold, kind == THRESHOLD, grower.table)
        marks = marks._replace(threshold=at)
    return marks


def _rule_in_words(grower: Grower, front: Front, sums: Floats, choice: Floats) -> str:
    """Say where a strategy by rule sends missing rows; asked about the best cut."""
    strategy, work = grower.strategy, grower.work
    if strategy.asks_surrogates or type(strategy).route is not Strategy.route:
        return "row by row"
    kind = grower.kinds(choice)
    marks = mark(work, front.batch, sums, choice, kind)
    here = front.take([0])
    here.choice = choice
    stump = grower.record.stumps(grower.table.schema, work, here, kind, marks, False)
    shares = strategy.train_shares(stump)[2:]
    if not shares.any():
        return "stops here"
    return "every child" if (shares == 1).all() else "shares"
