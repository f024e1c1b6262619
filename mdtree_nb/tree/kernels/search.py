"""Find the best cut of every feature of a batch of nodes, and the best of those.

`Strategy.mode` says which candidates a sweep tries: missing rows ignored, left, right, or
both ("learned"), or none where rows miss the column ("complete"); and, where the strategy
wants it, "known | missing". What comes out
is either the best cut of each feature, for a strategy or a criterion that judges them in
NumPy (`found`), or the best cut of the node by plain gain (`choice`).
"""

import math

import numpy as np

from .codes import (
    ALONE,
    BRANCHES,
    BY_RULE,
    CENTRE,
    COMPLETE,
    CUT_BRANCHES,
    CUT_POSITION,
    CUT_TRIES,
    FEATURE,
    FIRST_CUT_STAT,
    FIRST_KNOWN,
    FIRST_STAT,
    GAIN,
    KNOWN,
    LEFT,
    LEFT_MASS,
    LEFT_SHARE,
    MASS,
    MISSING_BRANCH,
    MISSING_MASS,
    MISSING_WEIGHT,
    MULTIWAY,
    NO_CUT,
    POSITION,
    REST_BRANCH,
    REST_COST,
    REST_HEAVIEST,
    REST_MASS,
    REST_WEIGHT,
    REST_XLOGX,
    RIGHT,
    START,
    STOP,
    THRESHOLD,
    TIE,
    WEIGHT,
)
from .jit import inlined, inner, kernel
from .levels import (
    N_BRANCHES,
    OTHER_BRANCH,
    OTHER_COST,
    OTHER_HEAVIEST,
    OTHER_MASS,
    OTHER_WEIGHT,
    OTHER_XLOGX,
    SIDE_MASS,
    sweep_levels,
    tabulate,
)
from .sweep import (
    add_row,
    copy,
    cost_of,
    sweep_entropy,
    sweep_gini,
    sweep_moments,
    weight_of,
)

SCRATCH_ROWS = 8  # stats vectors that a search works with


@inner
def admissible(ids, k, mass, need_left, need_right):
    """Positions lo <= i < hi that leave enough known mass on both sides.

    Both sides need at least one of the k known rows; `need_left` and `need_right` may
    be zero or negative where missing rows already fill a side. `mass` None means
    that every row counts one.
    """
    if mass is None:
        lo = math.ceil(need_left) - 1 if need_left > 1.0 else 0
        hi = k - (math.ceil(need_right) if need_right > 1.0 else 1)
        return lo, hi
    lo = 0
    have = mass[ids[0]]
    while have < need_left and lo < k - 1:
        lo += 1
        have += mass[ids[lo]]
    hi = k - 1
    have = mass[ids[k - 1]]
    while have < need_right and hi > 0:
        hi -= 1
        have += mass[ids[hi]]
    return lo, hi


@inner
def mass_of(ids, start, stop, mass):
    """Mass of the rows ids[start:stop]; `mass` None counts them."""
    if mass is None:
        return float(stop - start)
    total = 0.0
    for i in range(start, stop):
        total += mass[ids[i]]
    return total


@inner
def sum_rows(ids, y, w, family, centre, stats):
    """Write the stats of some rows into `stats`."""
    for c in range(stats.size):
        stats[c] = 0.0
    for r in ids:
        add_row(stats, family, y[r], 1.0 if w is None else w[r], centre)


@inlined
def search_feature(
    ids, ranks, tied, kind, k, y, w, mass, centre, family, scale, classes, table, categories,
    sweep, alone, least, counts, known_mass, missing_mass, missing, known, left, lone, here,
    there, both, terms,
):  # fmt: skip
    """Best cut of one feature: (position or NO_CUT, decrease, missing branch, cuts tried).

    `ids[:k]` are the known rows in order of value, `ids[k:]` the missing ones; `missing`
    and `known` hold their stats. What is left in `left` has the weight of the known rows
    left of the cut; the arrays after it are scratch. The branch is BY_RULE where the sweep
    does not decide about the missing rows.
    """
    min_mass, min_weight, side_share, side_cap, two_suffice = least
    tried = 0
    # Where no row is missing, or missing rows are ignored, one candidate is enough.
    sided = sweep != KNOWN and missing_mass > 0.0
    closed = sided and sweep == COMPLETE
    try_right = not sided or sweep != LEFT
    try_left = sided and sweep != RIGHT
    filled = missing_mass if sided else 0.0
    for c in range(left.size):
        lone[c] = missing[c] if sided else 0.0
        both[c] = known[c] + lone[c]
    before = cost_of(both, family, scale)
    by_moments = classes is None
    cost = np.inf
    position, side = NO_CUT, 0
    if closed:
        by_moments = False
    elif categories is not None and kind != THRESHOLD:
        by_moments = False
        stats, floats, ints, best = categories
        n = tabulate(ids, ranks, k, y, w, mass, centre, family, stats, floats, ints)
        tries = ((try_right, min_mass, min_mass - filled), (try_left, min_mass - filled, min_mass))
        position, cost, side = sweep_levels(
            kind, n, (known, known_mass, lone, family, scale, min_weight), tries, sweep, sided,
            (min_mass, two_suffice), missing_mass, (left, best), here, there, stats, floats, ints,
        )  # fmt: skip
    else:
        lo_right, hi_right, lo_left, hi_left = 0, 0, 0, 0
        need = min_mass
        if side_share > 0.0:  # known rows alone must be enough
            need = min(max(side_share * known_mass, min_mass), side_cap)
            filled = 0.0
        if try_right:
            lo_right, hi_right = admissible(ids, k, mass, need, need - filled)
        if try_left:
            lo_left, hi_left = admissible(ids, k, mass, need - filled, need)
        if counts:
            lo, hi = admissible(ids, k, mass, need, need)
            for i in range(lo, hi):
                tried += not (tied and ranks[i + 1] == ranks[i])
        reach = (lo_right, hi_right, lo_left, hi_left)
        if classes is None:
            position, side = sweep_moments(
                ids, ranks, tied, y, w, centre, reach, min_weight, known, lone, left
            )
        elif table is None:
            position, side = sweep_gini(
                ids, ranks, tied, y, w, reach, min_weight, known, lone, left, here, there
            )
        else:
            position, side = sweep_entropy(
                ids, ranks, tied, y, w, table, reach, min_weight, known, lone, left, here, there,
                both, terms,
            )  # fmt: skip
    decrease = before - cost
    if position != NO_CUT and by_moments:
        decrease = scale * left[1]
    elif position != NO_CUT and (categories is None or kind == THRESHOLD):
        for c in range(left.size):
            here[c] = left[c] + (0.0 if side else lone[c])
            there[c] = known[c] - left[c] + (lone[c] if side else 0.0)
        decrease = before - cost_of(here, family, scale) - cost_of(there, family, scale)
    branch = side
    if not sided and (categories is None or kind != MULTIWAY):
        branch = 0 if sweep == LEFT else 1 if sweep == RIGHT else BY_RULE
    if alone and sided and missing_mass >= min_mass and known_mass >= min_mass:
        apart = before - cost_of(known, family, scale) - cost_of(missing, family, scale)
        enough = weight_of(known, family) >= min_weight
        enough = enough and weight_of(missing, family) >= min_weight
        if enough and apart > decrease + TIE * before:
            decrease = apart
            position = ALONE
            branch = 1
            copy(known, left)
    return position, decrease, branch, tried


@kernel
def search(
    ids, ranks, columns, y, w, mass, classes, table, categories, batch, allowed, sums, rule,
    found, choice, scratch,
):  # fmt: skip
    """Find the best cuts of each node of a batch.

    What is None is not even compiled, which halves the wait for the first tree.

    Parameters
    ----------
    ids : ndarray of shape (p, capacity), uint32
        Sorted row numbers per feature, missing rows last.
    ranks : ndarray of shape (t, capacity), uint32
        Equal numbers mean equal values; kept only for columns with ties. For a
        category column they are the level codes.
    columns : ndarray of shape (p, 2), int64
        Row of `ranks`, -1 for a column of distinct values; how the column is tested.
    y : ndarray of shape (capacity,), uint8 or float64
        Class codes, or labels.
    w : ndarray of shape (capacity,), float64, or None
        Weights; None = all one.
    mass : ndarray of shape (capacity,), float64, or None
        Shares of rows; None = all one.
    classes : True or None
        Stats are class weights; None = moments.
    table : ndarray of shape (2, n + 1) or (2, 1), float64, or None
        c log2 c and the step to c + 1, for unweighted entropy; None = another family.
    categories : (stats, floats, ints, best) or None
        Room for a level table, see `levels.py`; None = all columns are numeric.
    batch : ndarray of shape (b, FIRST_KNOWN + p), int64
    allowed : ndarray of shape (b, p) or (0, p), bool
        Features that may be tested; empty = all.
    sums : ndarray of shape (b, FIRST_STAT + T), float64
    rule : (family, scale, sweep, alone, least)
        The last is `workspace.Least`.
    found : ndarray of shape (b, p, FIRST_CUT_STAT + 2 * T) or (0, 0, 0), float64
        Written, where it has room: the best cut of each feature, the stats left of it
        and those of the missing rows.
    choice : ndarray of shape (b, CHOICE_COLUMNS), float64
        Written where `found` has no room: the best cut of each node.
    scratch : ndarray of shape (SCRATCH_ROWS, T), float64
    """
    family, scale, sweep, alone, least = rule
    n_stats = scratch.shape[1]
    missing, known, left, lone = scratch[0], scratch[1], scratch[2], scratch[3]
    here, there, both, terms = scratch[4], scratch[5], scratch[6], scratch[7]
    for b in range(choice.shape[0]):
        choice[b, GAIN] = -np.inf
        choice[b, POSITION] = NO_CUT
    for f in range(columns.shape[0]):
        kind = columns[f, 1]
        tied = columns[f, 0] >= 0
        row = ids[f]
        rank_row = ranks[columns[f, 0] if tied else 0]
        for b in range(batch.shape[0]):
            k = batch[b, FIRST_KNOWN + f]
            if found.shape[0] > 0:
                found[b, f, CUT_POSITION] = NO_CUT
            if k == 0 or (allowed.shape[0] > 0 and not allowed[b, f]):
                continue
            segment = row[batch[b, START] : batch[b, STOP]]
            segment_ranks = rank_row[batch[b, START] if tied else 0 : batch[b, STOP] if tied else 0]
            centre = sums[b, CENTRE]
            sum_rows(segment[k:], y, w, family, centre, missing)
            for c in range(n_stats):
                known[c] = sums[b, FIRST_STAT + c] - missing[c]
            missing_mass = mass_of(segment, k, segment.size, mass)
            position, decrease, branch, tried = search_feature(
                segment, segment_ranks, tied, kind, k, y, w, mass, centre, family, scale, classes,
                table, categories, sweep, alone, least, found.shape[0] > 0,
                sums[b, MASS] - missing_mass, missing_mass, missing, known, left, lone, here,
                there, both, terms,
            )  # fmt: skip
            if position == NO_CUT:
                continue
            if found.shape[0] > 0:
                found[b, f, CUT_POSITION] = position
                found[b, f, MISSING_MASS] = missing_mass
                found[b, f, CUT_TRIES] = tried
                found[b, f, CUT_BRANCHES] = 0.0
                if categories is not None and kind != THRESHOLD and position >= 0:
                    best_test = categories[3]
                    found[b, f, LEFT_MASS] = best_test[SIDE_MASS]
                    found[b, f, CUT_BRANCHES] = best_test[N_BRANCHES]
                    found[b, f, REST_COST] = best_test[OTHER_COST]
                    found[b, f, REST_MASS] = best_test[OTHER_MASS]
                    found[b, f, REST_WEIGHT] = best_test[OTHER_WEIGHT]
                    found[b, f, REST_BRANCH] = best_test[OTHER_BRANCH]
                    found[b, f, REST_HEAVIEST] = best_test[OTHER_HEAVIEST]
                    found[b, f, REST_XLOGX] = best_test[OTHER_XLOGX]
                else:
                    last = k if position == ALONE else position + 1
                    if classes is None or position == ALONE:
                        sum_rows(segment[:last], y, w, family, centre, left)
                    found[b, f, LEFT_MASS] = mass_of(segment, 0, last, mass)
                for c in range(n_stats):
                    found[b, f, FIRST_CUT_STAT + c] = left[c]
                    found[b, f, FIRST_CUT_STAT + n_stats + c] = missing[c]
                continue
            gain = decrease / sums[b, WEIGHT]
            best = choice[b, GAIN]
            if choice[b, POSITION] == NO_CUT or gain > best + TIE * abs(best):
                weight = weight_of(left, family)
                known_weight = weight_of(known, family)
                choice[b, FEATURE] = f
                choice[b, POSITION] = position
                choice[b, GAIN] = gain
                # Without a side of their own, missing rows follow the larger one.
                choice[b, MISSING_BRANCH] = (
                    branch if branch != BY_RULE else 1.0 * (2.0 * weight <= known_weight)
                )
                choice[b, LEFT_SHARE] = weight / known_weight
                choice[b, MISSING_WEIGHT] = weight_of(missing, family)
                choice[b, BRANCHES] = 2.0
                if categories is not None and kind == MULTIWAY and position >= 0:
                    choice[b, BRANCHES] = categories[3][N_BRANCHES]
