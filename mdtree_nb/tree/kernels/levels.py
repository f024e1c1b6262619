"""Find the best test of a category column in one node, on a table of its levels.

The known rows of a segment are sorted by level code, so the levels present in a node are
runs; they are summed up once, and all that follows works on levels j = 0 .. n - 1, not on
rows. What a position stands for:

    EQUALS      level j alone is left
    SUBSET      two classes or numbers: the levels up to place j in the order of their share,
                or mean, are left. No other grouping is better (Fisher 1958; Breiman et al.
                1984). Three and more classes, few levels: bit j - 1 is set if level j is not
                with level 0, which is left; all groupings are tried. Many levels: c * n + j,
                a cut at place j in the order of the share of class c, for every c.
    MULTIWAY    every level is a branch; j is the branch that missing rows may join

Missing rows join either side as in `sweep.py`. Called by `search.py`; `level_marks.py` looks
up what a position stands for.
"""

import numpy as np

from .codes import (
    EQUALS,
    EXHAUSTIVE,
    GINI,
    LEFT,
    MOMENTS,
    MULTIWAY,
    NO_CUT,
    RIGHT,
    TIE,
)
from .jit import inner
from .sweep import add_row, copy, cost_of, weight_of, xlogx

# What a cost may be by rounding alone, in parts of the sum that it is computed from.
ROUNDING = 1e-14

# Rows of a level table's whole numbers: where a level's run starts, levels in order, scratch;
# of its real numbers: mass, sorting key.
STARTS, ORDER, SPARE, LEVEL_INTS = 0, 1, 2, 3
LEVEL_MASS, KEY, LEVEL_FLOATS = 0, 1, 2

# The best test so far: its cost less a margin for ties, the margin, where it is, branch of
# the missing rows, mass on the left; of a multiway test its branches and the rest of them.
COST_LIMIT, MARGIN, PLACE, BRANCH, SIDE_MASS, N_BRANCHES = 0, 1, 2, 3, 4, 5
OTHER_COST, OTHER_MASS, OTHER_WEIGHT, OTHER_BRANCH, OTHER_HEAVIEST, OTHER_XLOGX = 6, 7, 8, 9, 10, 11
BEST = 12


@inner
def tabulate(ids, codes, k, y, w, mass, centre, family, stats, floats, ints):
    """Sum up each level of the k known rows; returns the number of levels."""
    n = 0
    start = 0
    while start < k:
        row = stats[n]
        for c in range(row.size):
            row[c] = 0.0
        its_mass = 0.0
        stop = start
        while stop < k and codes[stop] == codes[start]:
            r = ids[stop]
            add_row(row, family, y[r], 1.0 if w is None else w[r], centre)
            its_mass += 1.0 if mass is None else mass[r]
            stop += 1
        floats[LEVEL_MASS, n] = its_mass
        ints[STARTS, n] = start
        n += 1
        start = stop
    return n


@inner
def order_levels(stats, floats, ints, n, family, c):
    """Put the levels into the order of their mean, or of the share of class c.

    A stable merge sort. Keys that differ by rounding only are made equal, so that the
    order of levels does not depend on the order of rows.
    """
    keys, order, spare = floats[KEY], ints[ORDER], ints[SPARE]
    largest = 0.0
    for j in range(n):
        share = stats[j, 1 if family == MOMENTS else c] / weight_of(stats[j], family)
        keys[j] = share
        largest = max(largest, abs(share))
        order[j] = j
    for j in range(n):
        keys[j] = np.rint(keys[j] / largest * 2.0**40) if largest > 0.0 else 0.0
    width = 1
    while width < n:
        for low in range(0, n, 2 * width):
            middle = min(low + width, n)
            high = min(low + 2 * width, n)
            a = low
            b = middle
            for at in range(low, high):
                if a < middle and (b >= high or keys[order[a]] <= keys[order[b]]):
                    spare[at] = order[a]
                    a += 1
                else:
                    spare[at] = order[b]
                    b += 1
        for at in range(n):
            order[at] = spare[at]
        width *= 2


@inner
def is_ordered(family, n_stats):
    """Is the best subset a cut in the order of the levels' shares or means?"""
    return family == MOMENTS or n_stats == 2


@inner
def two_costs(side, known, missing, joins_left, family, scale):
    """Cost of `side` and of all other rows, with the missing rows on one side; both weights."""
    left = 0.0
    right = 0.0
    cost_left = 0.0
    cost_right = 0.0
    if family == MOMENTS:
        left = side[0] + (missing[0] if joins_left else 0.0)
        right = known[0] + missing[0] - left
        sum_left = side[1] + (missing[1] if joins_left else 0.0)
        sum_right = known[1] + missing[1] - sum_left
        squares = known[2] + missing[2]
        if left > 0.0 and right > 0.0:
            cost_left = squares - sum_left * sum_left / left - sum_right * sum_right / right
        return scale * (cost_left if cost_left > 0.0 else 0.0), left, right
    for c in range(known.size):
        here = side[c] + (missing[c] if joins_left else 0.0)
        there = known[c] + missing[c] - here
        left += here
        right += there
        if family == GINI:
            cost_left += here * here
            cost_right += there * there
        else:
            cost_left += xlogx(here)
            cost_right += xlogx(there)
    if left <= 0.0 or right <= 0.0:
        return np.inf, left, right
    if family == GINI:
        return left - cost_left / left + right - cost_right / right, left, right
    return xlogx(left) - cost_left + xlogx(right) - cost_right, left, right


@inner
def consider(side, side_mass, place, node, tries, scratch):
    """Score a test with `side` on the left, and keep it if it is the best so far.

    `tries` says whether the missing rows may go right, and left, and what mass of known
    rows that needs on either side.
    """
    known, known_mass, missing, family, scale, min_weight = node
    found, best = scratch
    for branch in (1, 0):
        allowed, need_left, need_right = tries[1 - branch]
        if not allowed or side_mass < need_left or known_mass - side_mass < need_right:
            continue
        cost, left, right = two_costs(side, known, missing, branch == 0, family, scale)
        if cost < best[COST_LIMIT] and left >= min_weight and right >= min_weight:
            best[COST_LIMIT] = cost - best[MARGIN]
            best[PLACE] = place
            best[BRANCH] = branch
            best[SIDE_MASS] = side_mass
            copy(side, found)


@inner
def sweep_ordered(c, n, node, tries, scratch, side, both, stats, floats, ints):
    """Consider all cuts in the order of the share of class c, or of the means."""
    known, known_mass, _, family, _, _ = node
    order_levels(stats, floats, ints, n, family, c)
    flips = not is_ordered(family, known.size)
    for s in range(known.size):
        side[s] = 0.0
    side_mass = 0.0
    has_first = False
    for place in range(n - 1):
        level = ints[ORDER, place]
        has_first = has_first or level == 0
        side_mass += floats[LEVEL_MASS, level]
        for s in range(known.size):
            side[s] += stats[level, s]
        if flips and not has_first:  # the group of the first level is left
            for s in range(known.size):
                both[s] = known[s] - side[s]
            consider(both, known_mass - side_mass, c * n + place, node, tries, scratch)
        else:
            at = c * n + place if flips else place
            consider(side, side_mass, at, node, tries, scratch)


@inner
def may_be_better(side, side_weight, all_weight, node, limit):
    """Could this left group cost less than `limit` by the Gini index? Quickly, for most cannot.

    A side of weight w with sum of squares q costs w - q / w.
    """
    known, _, missing, _, _, _ = node
    q_left = q_right = q_left_missing = q_right_missing = lone = 0.0
    for c in range(known.size):
        s = side[c]
        m = missing[c]
        r = known[c] - s
        q_left += s * s
        q_right += r * r
        q_left_missing += (s + m) * (s + m)
        q_right_missing += (r + m) * (r + m)
        lone += m
    enough = all_weight - limit
    near = side_weight + lone
    other = all_weight - near
    if q_left * (other + lone) + q_right_missing * side_weight > (
        enough * side_weight * (other + lone)
    ):
        return True
    return q_left_missing * other + q_right * near > enough * near * other


@inner
def sweep_groupings(n, node, tries, scratch, side, stats, floats):
    """Consider all groupings; one level changes sides from each to the next (Gray code)."""
    known, known_mass, missing, family, _, _ = node
    best = scratch[1]
    copy(known, side)
    side_mass = known_mass
    weight = weight_of(known, family)
    all_weight = weight + weight_of(missing, family)
    for j in range(n):
        floats[KEY, j] = weight_of(stats[j], family)
    previous = 0
    for step in range(1, 1 << (n - 1)):
        place = step ^ (step >> 1)
        level = 1
        while not (place ^ previous) >> (level - 1) & 1:
            level += 1
        sign = -1.0 if place >> (level - 1) & 1 else 1.0
        for s in range(known.size):
            side[s] += sign * stats[level, s]
        side_mass += sign * floats[LEVEL_MASS, level]
        weight += sign * floats[KEY, level]
        previous = place
        if family != GINI or may_be_better(side, weight, all_weight, node, best[COST_LIMIT]):
            consider(side, side_mass, place, node, tries, scratch)


@inner
def suffices(j, family, min_mass, min_weight, stats, floats):
    """Has level j all that a child needs?"""
    return floats[LEVEL_MASS, j] >= min_mass and weight_of(stats[j], family) >= min_weight


@inner
def sweep_multiway(n, node, sweep, sided, least, missing_mass, best, both, stats, floats):
    """Find the best MULTIWAY test; it is written into `scratch`.

    Missing rows join the first or the last branch where they must go left or right, and
    any branch where a side is learned.
    """
    _, _, missing, family, scale, min_weight = node
    min_mass, two_suffice = least
    total = 0.0
    short = 0
    heaviest = 0
    for j in range(n):
        total += cost_of(stats[j], family, scale)
        short += not suffices(j, family, min_mass, min_weight, stats, floats)
        if weight_of(stats[j], family) >= weight_of(stats[heaviest], family):
            heaviest = j
    if not sided and (n - short >= 2 if two_suffice else not short):
        best[COST_LIMIT] = total - best[MARGIN]
        best[PLACE] = 0 if sweep == LEFT else n - 1 if sweep == RIGHT else heaviest
    if sided and short <= 1:
        for j in range(n - 1 if sweep == RIGHT else 0, 1 if sweep == LEFT else n):
            if short and suffices(j, family, min_mass, min_weight, stats, floats):
                continue  # another level is too small, and would stay so
            for c in range(both.size):
                both[c] = stats[j, c] + missing[c]
            enough = floats[LEVEL_MASS, j] + missing_mass >= min_mass
            if enough and weight_of(both, family) >= min_weight:
                cost = total - cost_of(stats[j], family, scale) + cost_of(both, family, scale)
                if cost < best[COST_LIMIT]:
                    best[COST_LIMIT] = cost - best[MARGIN]
                    best[PLACE] = j
    best[BRANCH] = best[PLACE]
    best[N_BRANCHES] = n


@inner
def sum_up_rest(position, n, two_suffice, family, scale, stats, floats, best):
    """Sum up the branches of a multiway test beside the one at `position`.

    Where two branches need enough rows, not all, the largest of the rest speaks for it.
    """
    best[OTHER_COST] = best[OTHER_XLOGX] = 0.0
    best[OTHER_MASS] = best[OTHER_WEIGHT] = 0.0 if two_suffice else np.inf
    heaviest = -1.0
    for j in range(n):
        if j == position:
            continue
        weight = weight_of(stats[j], family)
        mass = floats[LEVEL_MASS, j]
        best[OTHER_COST] += cost_of(stats[j], family, scale)
        best[OTHER_XLOGX] += xlogx(weight)
        if (mass > best[OTHER_MASS]) == two_suffice:
            best[OTHER_MASS] = mass
        if (weight > best[OTHER_WEIGHT]) == two_suffice:
            best[OTHER_WEIGHT] = weight
        if weight >= heaviest:
            heaviest = weight
            best[OTHER_BRANCH] = j
    best[OTHER_HEAVIEST] = heaviest


@inner
def sweep_levels(
    kind, n, node, tries, sweep, sided, least, missing_mass, scratch, side, both, stats, floats,
    ints,
):  # fmt: skip
    """Find the best test of a category column: (position, cost, branch of the missing rows)."""
    found, best = scratch
    known, known_mass, missing, family, scale, _ = node
    for c in range(known.size):
        both[c] = known[c] + missing[c]
    size = both[2] if family == MOMENTS else weight_of(both, family)
    best[MARGIN] = TIE * cost_of(both, family, scale) + ROUNDING * size
    best[COST_LIMIT] = np.inf
    best[PLACE] = NO_CUT
    best[N_BRANCHES] = 0.0
    if n < 2:
        return NO_CUT, np.inf, 0
    if kind == EQUALS:
        for j in range(n):
            consider(stats[j], floats[LEVEL_MASS, j], j, node, tries, scratch)
    elif kind == MULTIWAY:
        sweep_multiway(n, node, sweep, sided, least, missing_mass, best, both, stats, floats)
        position = np.int64(best[PLACE])
        if position >= 0:
            sum_up_rest(position, n, least[1], family, scale, stats, floats, best)
            for c in range(known.size):
                alone = stats[position, c]
                found[c] = known[c] - alone if position else alone
            alone_mass = floats[LEVEL_MASS, position]
            best[SIDE_MASS] = known_mass - alone_mass if position else alone_mass
    elif is_ordered(family, known.size):
        sweep_ordered(1, n, node, tries, scratch, side, both, stats, floats, ints)
    elif n <= EXHAUSTIVE:
        sweep_groupings(n, node, tries, scratch, side, stats, floats)
    else:
        for c in range(known.size):
            sweep_ordered(c, n, node, tries, scratch, side, both, stats, floats, ints)
    return np.int64(best[PLACE]), best[COST_LIMIT] + best[MARGIN], np.int64(best[BRANCH])
