"""Find the best cut of one feature in one node: one pass over its sorted known rows.

Every strategy reduces to the same pass. At each position the known rows left of it have
stats `left`, all known rows `known` and the rows that miss the feature `missing`. Two
candidates can be scored there:

    missing rows right    left            | known - left + missing
    missing rows left     left + missing  | known - left

A strategy that ignores missing rows passes `missing` as zeros and tries the first one
only, so the sweeps know nothing of strategies. `reach` says which positions are
admissible: (lo, hi) for the first candidate, then for the second; lo = hi = 0 leaves one
out. Each sweep minimises the cost of the two sides, needs O(1) work per row whatever the
number of classes, leaves the stats of the best `left` in `found` and returns (position,
branch of the missing rows), or (NO_CUT, 0). Both sides have at least `min_weight`.

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
    """Weight times impurity of the rows in `stats`, as `measure.Measure.cost`."""
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
    return cost if cost > 0.0 else 0.0


@inner
def sweep_moments(ids, ranks, tied, y, w, centre, reach, min_weight, known, missing, left):
    """Best cut by squared error, or by the Gini index of two classes coded 0 and 1.

    With weight W and sum S of all rows, a side of weight v and sum s decreases the sum of
    squares by d^2 / (W v (W - v)), where d = W s - S v. So d is what is summed up: in
    whole numbers, hence exactly, for classes without weights. Of `left`, the weight is
    written and, in place of the sum, that decrease.
    """
    lo_right, hi_right, lo_left, hi_left = reach
    all_weight = known[0] + missing[0]
    all_sum = known[1] + missing[1]
    lone_weight = missing[0]
    lone = all_weight * missing[1] - all_sum * lone_weight
    # What d^2 may be by rounding alone, where the known rows are all of one class.
    noise = (TIE * all_weight) ** 2 * all_weight * (known[2] + missing[2])
    weight = 0.0
    d = 0.0
    best = -1.0
    position = NO_CUT
    branch = 0
    for i in range(hi_right if hi_right > hi_left else hi_left):
        r = ids[i]
        u = 1.0 if w is None else w[r]
        weight += u
        d += u * (all_weight * (np.float64(y[r]) - centre) - all_sum)
        if hi_right > 0:
            far = all_weight - weight
            up = d * d
            down = weight * far
            if up > best * down and lo_right <= i and i < hi_right and down > 0.0:
                enough = weight >= min_weight and far >= min_weight
                enough = enough and (up > noise or position == NO_CUT)
                if enough and not (tied and ranks[i + 1] == ranks[i]):
                    best = up / down * (1.0 + TIE)
                    position = i
                    branch = 1
                    left[0] = weight
                    left[1] = up / down / all_weight
        if hi_left > 0:
            near = weight + lone_weight
            other = all_weight - near
            up = (d + lone) * (d + lone)
            down = near * other
            if up > best * down and lo_left <= i and i < hi_left and down > 0.0:
                enough = near >= min_weight and other >= min_weight
                enough = enough and (up > noise or position == NO_CUT)
                if enough and not (tied and ranks[i + 1] == ranks[i]):
                    best = up / down * (1.0 + TIE)
                    position = i
                    branch = 0
                    left[0] = weight
                    left[1] = up / down / all_weight
    return position, branch


@inner
def sweep_gini(ids, ranks, tied, y, w, reach, min_weight, known, missing, found, here, there):
    """Best cut by the Gini index of any number of classes.

    The sums of squares of the class weights are kept up to date on both sides, with and
    without the missing rows: (a + u)^2 - a^2 = u (2 a + u). `here` and `there` are
    scratch.
    """
    lo_right, hi_right, lo_left, hi_left = reach
    weight = 0.0
    other = 0.0
    lone_weight = 0.0
    q_left = 0.0
    q_right = 0.0
    q_left_missing = 0.0
    q_right_missing = 0.0
    for c in range(known.size):
        here[c] = 0.0
        there[c] = known[c]
        other += known[c]
        lone_weight += missing[c]
        q_right += known[c] * known[c]
        q_left_missing += missing[c] * missing[c]
        q_right_missing += (known[c] + missing[c]) * (known[c] + missing[c])
    best = -1.0
    position = NO_CUT
    branch = 0
    for i in range(hi_right if hi_right > hi_left else hi_left):
        r = ids[i]
        c = np.intp(y[r])
        u = 1.0 if w is None else w[r]
        a = here[c]
        b = there[c]
        m = 2.0 * u * missing[c]
        more = u * (a + a + u)
        less = u * (b + b - u)
        q_left += more
        q_right -= less
        q_left_missing += more + m
        q_right_missing -= less + m
        here[c] = a + u
        there[c] = b - u
        weight += u
        other -= u
        if hi_right > 0:
            far = other + lone_weight
            up = q_left * far + q_right_missing * weight
            down = weight * far
            if up > best * down and lo_right <= i and i < hi_right and down > 0.0:
                enough = weight >= min_weight and far >= min_weight
                if enough and not (tied and ranks[i + 1] == ranks[i]):
                    best = up / down * (1.0 + TIE)
                    position = i
                    branch = 1
                    copy(here, found)
        if hi_left > 0:
            near = weight + lone_weight
            up = q_left_missing * other + q_right * near
            down = near * other
            if up > best * down and lo_left <= i and i < hi_left and down > 0.0:
                enough = near >= min_weight and other >= min_weight
                if enough and not (tied and ranks[i + 1] == ranks[i]):
                    best = up / down * (1.0 + TIE)
                    position = i
                    branch = 0
                    copy(here, found)
    return position, branch


@inner
def entropy_of(x, w, table):
    """X log2(x); looked up where there are no weights and x is a whole number."""
    return table[0, np.intp(x)] if w is None else xlogx(x)


@inner
def entropy_step(x, u, w, table):
    """(x + u) log2(x + u) - x log2(x); looked up where there are no weights and u = 1."""
    return table[1, np.intp(x)] if w is None else xlogx(x + u) - xlogx(x)


@inner
def sweep_entropy(
    ids, ranks, tied, y, w, table, reach, min_weight, known, missing, found, here, there,
    here_term, there_term,
):  # fmt: skip
    """Best cut by entropy of any number of classes.

    Maximises sum over classes of c log c, less w log w, on both sides. Without
    weights all arguments are whole numbers and `table` holds c log2 c, and below it the
    step to c + 1; with weights the terms of the sum are kept. The arrays from `here` on are
    scratch.
    """
    lo_right, hi_right, lo_left, hi_left = reach
    weight = 0.0
    other = 0.0
    lone_weight = 0.0
    q_left = 0.0
    q_right = 0.0
    q_left_missing = 0.0
    q_right_missing = 0.0
    for c in range(known.size):
        here[c] = 0.0
        there[c] = known[c]
        here_term[c] = 0.0
        there_term[c] = xlogx(known[c])
        other += known[c]
        lone_weight += missing[c]
        q_right += there_term[c]
        q_left_missing += xlogx(missing[c])
        q_right_missing += xlogx(known[c] + missing[c])
    margin = TIE * (other + lone_weight)
    best = -np.inf
    position = NO_CUT
    branch = 0
    for i in range(hi_right if hi_right > hi_left else hi_left):
        r = ids[i]
        c = np.intp(y[r])
        u = 1.0 if w is None else w[r]
        a = here[c]
        b = there[c] - u
        m = missing[c]
        weight += u
        other -= u
        here[c] = a + u
        there[c] = b
        if w is None:
            q_left += table[1, np.intp(a)]
            q_right -= table[1, np.intp(b)]
        else:
            q_left -= here_term[c]
            q_right -= there_term[c]
            here_term[c] = xlogx(a + u)
            there_term[c] = xlogx(b)
            q_left += here_term[c]
            q_right += there_term[c]
        if lone_weight > 0.0:
            q_left_missing += entropy_step(a + m, u, w, table)
            q_right_missing -= entropy_step(b + m, u, w, table)
        else:
            q_left_missing = q_left
            q_right_missing = q_right
        if tied and ranks[i + 1] == ranks[i]:
            continue
        far = other + lone_weight
        near = weight + lone_weight
        if lo_right <= i and i < hi_right:
            score = q_left - entropy_of(weight, w, table)
            score += q_right_missing - entropy_of(far, w, table)
            if score > best and weight >= min_weight and far >= min_weight:
                best = score + margin
                position = i
                branch = 1
                copy(here, found)
        if lo_left <= i and i < hi_left:
            score = q_left_missing - entropy_of(near, w, table)
            score += q_right - entropy_of(other, w, table)
            if score > best and near >= min_weight and other >= min_weight:
                best = score + margin
                position = i
                branch = 0
                copy(here, found)
    return position, branch
