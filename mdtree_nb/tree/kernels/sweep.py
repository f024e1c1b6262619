"""Find the best cut of one feature in one node: one pass over its sorted rows.

Every strategy reduces to the same pass. `left` holds the stats of what lies left of
the first row before the pass starts, `total` the stats of all rows that count:

    missing rows ignored    left = 0          total = known
    missing rows right      left = 0          total = known + missing
    missing rows left       left = missing    total = known + missing

so the sweeps know nothing of strategies. Each minimises the cost of the two sides, needs
O(1) work per row whatever the number of classes, leaves the stats of the best left side
in `found` and returns its position, or NO_CUT. Both sides have at least `min_weight`.

A division costs as much as all the rest, so candidates are compared by
cross-multiplication and only a new best one is divided. The stores into `found` also
keep the compiler from turning that rare branch into a division for every row.

Called by `search.py`.
"""

import math

import numpy as np

from .codes import GINI, MOMENTS, NO_CUT, TIE
from .jit import inner


@inner
def copy(source, target):
    """Element by element: slice assignment would compile for seconds."""
    for c in range(target.size):
        target[c] = source[c]


@inner
def xlogx(x):
    """X log2(x), and 0 for 0 (rounding may leave a hair below zero)."""
    return x * math.log2(x) if x > 0.0 else 0.0


@inner
def add_row(stats, family, y, weight, centre):
    """Add one row with label `y` to `stats`."""
    if family == MOMENTS:
        value = np.float64(y) - centre
        stats[0] += weight
        stats[1] += weight * value
        stats[2] += weight * value * value
    else:
        stats[np.intp(y)] += weight


@inner
def weight_of(stats, family):
    """Weight of the rows in `stats`."""
    if family == MOMENTS:
        return stats[0]
    weight = 0.0
    for c in range(stats.size):
        weight += stats[c]
    return weight


@inner
def cost_of(stats, family, scale):
    """Weight times impurity of the rows in `stats`, as `criteria.Measure.cost`."""
    weight = weight_of(stats, family)
    if weight <= 0.0:
        return 0.0
    if family == MOMENTS:
        cost = scale * (stats[2] - stats[1] * stats[1] / weight)
    elif family == GINI:
        cost = 0.0
        for c in range(stats.size):
            cost += stats[c] * stats[c]
        cost = weight - cost / weight
    else:
        cost = xlogx(weight)
        for c in range(stats.size):
            cost -= xlogx(stats[c])
    return max(cost, 0.0)


@inner
def sweep_moments(ids, ranks, tied, y, w, centre, lo, hi, min_weight, left, total, found):
    """Best cut by squared error, or by the Gini index of two classes coded 0 and 1.

    Maximises s_left^2 / w_left + s_right^2 / w_right over the positions lo <= i < hi
    (rows 0..i on the left) at which the value changes.
    """
    weight = left[0]
    s = left[1]
    q = left[2]
    for i in range(lo):
        r = ids[i]
        value = np.float64(y[r]) - centre
        u = 1.0 if w is None else w[r]
        weight += u
        s += u * value
        q += u * value * value
    best = -1.0
    position = NO_CUT
    for i in range(lo, hi):
        r = ids[i]
        value = np.float64(y[r]) - centre
        u = 1.0 if w is None else w[r]
        weight += u
        s += u * value
        q += u * value * value
        other = total[0] - weight
        rest = total[1] - s
        up = s * s * other + rest * rest * weight
        down = weight * other
        if up > best * down and down > 0.0:
            if tied and ranks[i + 1] == ranks[i] or min(weight, other) < min_weight:
                continue
            best = up / down * (1.0 + TIE)
            position = i
            found[0] = weight
            found[1] = s
            found[2] = q
    return position


@inner
def sweep_gini(ids, ranks, tied, y, w, lo, hi, min_weight, left, total, found, here, there):
    """Best cut by the Gini index of any number of classes.

    The sums of squares of the class weights are kept up to date on both sides:
    (a + u)^2 - a^2 = u (2 a + u). `here` and `there` are scratch.
    """
    weight = 0.0
    other = 0.0
    q_left = 0.0
    q_right = 0.0
    for c in range(total.size):
        here[c] = left[c]
        there[c] = total[c] - left[c]
        weight += here[c]
        other += there[c]
        q_left += here[c] * here[c]
        q_right += there[c] * there[c]
    best = -1.0
    position = NO_CUT
    for i in range(hi):
        r = ids[i]
        c = np.intp(y[r])
        u = 1.0 if w is None else w[r]
        a = here[c]
        b = there[c]
        q_left += u * (a + a + u)
        q_right -= u * (b + b - u)
        here[c] = a + u
        there[c] = b - u
        weight += u
        other -= u
        up = q_left * other + q_right * weight
        down = weight * other
        if up > best * down and i >= lo and down > 0.0:
            if tied and ranks[i + 1] == ranks[i] or min(weight, other) < min_weight:
                continue
            best = up / down * (1.0 + TIE)
            position = i
            copy(here, found)
    return position


@inner
def sweep_entropy(
    ids, ranks, tied, y, w, table, lo, hi, min_weight, left, total, found, here, there
):
    """Best cut by entropy of any number of classes.

    Maximises sum over classes of c log c, less w log w, on both sides. Without
    weights all arguments are whole numbers and `table[c]` holds c log2 c. `here` and
    `there` are scratch.
    """
    weight = 0.0
    other = 0.0
    q_left = 0.0
    q_right = 0.0
    for c in range(total.size):
        here[c] = left[c]
        there[c] = total[c] - left[c]
        weight += here[c]
        other += there[c]
        q_left += xlogx(here[c])
        q_right += xlogx(there[c])
    margin = TIE * (weight + other)
    best = -np.inf
    position = NO_CUT
    for i in range(hi):
        r = ids[i]
        c = np.intp(y[r])
        u = 1.0 if w is None else w[r]
        a = here[c]
        b = there[c]
        weight += u
        other -= u
        here[c] = a + u
        there[c] = b - u
        if w is None:
            q_left += table[np.intp(a) + 1] - table[np.intp(a)]
            q_right += table[np.intp(b) - 1] - table[np.intp(b)]
            score = q_left - table[np.intp(weight)] + q_right - table[np.intp(other)]
        else:
            q_left += xlogx(a + u) - xlogx(a)
            q_right += xlogx(b - u) - xlogx(b)
            score = q_left - xlogx(weight) + q_right - xlogx(other)
        if score > best and i >= lo:
            if tied and ranks[i + 1] == ranks[i] or min(weight, other) < min_weight:
                continue
            best = score + margin
            position = i
            copy(here, found)
    return position


@inner
def sweep_equal(
    ids, codes, k, y, w, mass, centre, family, scale, need_left, need_right, min_weight,
    left, total, found, run, side,
):  # fmt: skip
    """Best test "column equals level" of a category column.

    `codes` are the level numbers of the k sorted known rows: each run of equal codes is
    one candidate left side, all other known rows are the right side, and neither may
    fall below the mass it needs. The position is that of the run's last row. `run`
    and `side` are scratch.
    """
    known_mass = 0.0
    for i in range(k):
        known_mass += mass[ids[i]] if mass.size > 0 else 1.0
    margin = TIE * cost_of(total, family, scale)
    best = np.inf
    position = NO_CUT
    if codes[0] == codes[k - 1]:
        return position
    copy(left, run)
    run_mass = 0.0
    for i in range(k):
        r = ids[i]
        add_row(run, family, y[r], 1.0 if w is None else w[r], centre)
        run_mass += mass[r] if mass.size > 0 else 1.0
        if i + 1 < k and codes[i + 1] == codes[i]:
            continue
        if run_mass >= need_left and known_mass - run_mass >= need_right:
            for c in range(total.size):
                side[c] = total[c] - run[c]
            cost = cost_of(run, family, scale) + cost_of(side, family, scale)
            lighter = min(weight_of(run, family), weight_of(side, family))
            if cost < best and lighter >= min_weight:
                best = cost - margin
                position = i
                copy(run, found)
        copy(left, run)
        run_mass = 0.0
    return position
