"""Find the best split of each node where guessed values of the missing rows are scored, too.

The rows that miss a column come after those that know it, lowest guess first, rows without a
guess at the very end. So one pass over the known rows carries a second place along, in the
guessed ones: how many of them lie below the threshold. Ranks of known and guessed values
together tell that for all but those between two neighbours, whose values are found by rank. With
D the decrease in cost,

    apart       a D(known) + b D(guessed): two pairs of sides, each row moves within its own
    together    a D(known and guessed): one pair of sides

Numeric columns only; `tree/guessed.py` has the same in NumPy, for categories as well.
"""

import numpy as np

from .codes import (
    BRANCHES,
    CENTRE,
    ENTROPY,
    FEATURE,
    FIRST_KNOWN,
    FIRST_STAT,
    GAIN,
    LEFT_SHARE,
    MASS,
    MISSING_BRANCH,
    MISSING_WEIGHT,
    MOMENTS,
    NO_CUT,
    NO_GUESS,
    POSITION,
    START,
    STOP,
    TIE,
    WEIGHT,
)
from .jit import inner, kernel
from .search import admissible, mass_of, sum_rows
from .sweep import copy, cost_of, weight_of, xlogx

# Rows of the scratch stats: known, missing, guessed; then, for either pair, the left and the
# right side, and the terms of their entropy.
KNOWN_STATS, MISSING_STATS, GUESSED_STATS, FIRST_PAIR, PAIR_ROWS = 0, 1, 2, 3, 4
GUESS_SCRATCH = FIRST_PAIR + 2 * PAIR_ROWS

# Sums of a pair. Moments: weight of all and their sum of labels, weight on the left, and d (see
# `sweep_moments`). Entropy: cost of all; weight left and right; terms left and right.
ALL_WEIGHT, ALL_SUM, LEFT_WEIGHT, LEFT_D = 0, 1, 2, 3
BEFORE, WEIGHT_LEFT, WEIGHT_RIGHT, TERMS_LEFT, TERMS_RIGHT = 0, 1, 2, 3, 4
PAIR_SUMS = 5


@inner
def begin(pair, sums, start, family, scale):
    """Put all rows, of these stats, on the right."""
    for s in range(PAIR_SUMS):
        sums[s] = 0.0
    if family == MOMENTS:
        sums[ALL_WEIGHT] = start[0]
        sums[ALL_SUM] = start[1]
        return
    sums[BEFORE] = cost_of(start, family, scale)
    sums[WEIGHT_RIGHT] = weight_of(start, family)
    for c in range(start.size):
        pair[0, c] = pair[2, c] = 0.0
        pair[1, c] = start[c]
        pair[3, c] = xlogx(start[c])
        sums[TERMS_RIGHT] += pair[3, c]


@inner
def move(pair, sums, family, label, weight, centre):
    """Move one row from the right to the left."""
    if family == MOMENTS:
        sums[LEFT_WEIGHT] += weight
        sums[LEFT_D] += weight * (sums[ALL_WEIGHT] * (np.float64(label) - centre) - sums[ALL_SUM])
        return
    c = np.intp(label)
    pair[0, c] += weight
    pair[1, c] -= weight
    if family == ENTROPY:
        sums[WEIGHT_LEFT] += weight
        sums[WEIGHT_RIGHT] -= weight
        sums[TERMS_LEFT] -= pair[2, c]
        sums[TERMS_RIGHT] -= pair[3, c]
        pair[2, c] = xlogx(pair[0, c])
        pair[3, c] = xlogx(pair[1, c])
        sums[TERMS_LEFT] += pair[2, c]
        sums[TERMS_RIGHT] += pair[3, c]


@inner
def decrease_of(pair, sums, family, scale):
    """Decrease in cost, from all rows to the two sides."""
    if family == MOMENTS:
        down = sums[LEFT_WEIGHT] * (sums[ALL_WEIGHT] - sums[LEFT_WEIGHT])
        up = sums[LEFT_D] * sums[LEFT_D] / sums[ALL_WEIGHT]
        return scale * up / down if down > 0.0 else 0.0
    if family == ENTROPY:
        after = xlogx(sums[WEIGHT_LEFT]) - sums[TERMS_LEFT]
        return sums[BEFORE] - after - xlogx(sums[WEIGHT_RIGHT]) + sums[TERMS_RIGHT]
    return sums[BEFORE] - cost_of(pair[0], family, scale) - cost_of(pair[1], family, scale)


@inner
def sweep_guessed(
    ids, ranks, ranked, k, n_guessed, y, w, half_way, centre, family, scale, reach,
    min_weight, known_weight, together, factors, pairs, sums,
):  # fmt: skip
    """Best cut: (position or NO_CUT, its gain, known weight on the left).

    `factors` are a and b, `reach` is the first admissible position and the one behind the last.
    """
    lo, hi = reach
    a, b = factors
    other = 0 if together else 1
    of_guesses = 0.0
    weight = 0.0
    best = -np.inf
    best_weight = 0.0
    position = NO_CUT
    j = k
    stop = k + n_guessed
    for i in range(hi):
        r = ids[i]
        u = 1.0 if w is None else w[r]
        weight += u
        move(pairs[0], sums[0], family, y[r], u, centre)
        if i < lo or ranks[i + 1] == ranks[i]:
            continue
        first = j
        while j < stop and ranks[j] < ranks[i + 1]:
            if ranks[j] > ranks[i]:  # between the two rows: left or right of the threshold?
                below = ranked[ranks[i]]
                above = ranked[ranks[i + 1]]
                threshold = below / 2.0 + above / 2.0
                if not (half_way and below <= threshold < above):
                    threshold = below
                if ranked[ranks[j]] > threshold:
                    break
            g = ids[j]
            move(pairs[other], sums[other], family, y[g], 1.0 if w is None else w[g], centre)
            j += 1
        if j > first and not together:
            of_guesses = b * decrease_of(pairs[1], sums[1], family, scale)
        if weight < min_weight or known_weight - weight < min_weight:
            continue
        gain = a * decrease_of(pairs[0], sums[0], family, scale) + of_guesses
        if position == NO_CUT or gain > best + TIE * abs(best):
            best = gain
            best_weight = weight
            position = i
    return position, best, best_weight


@inner
def count_guessed(ranks, k):
    """Missing rows that have a guess; the others are last."""
    n = ranks.size - k
    while n > 0 and ranks[k + n - 1] == NO_GUESS:
        n -= 1
    return n


@kernel
def search_guessed(
    ids, ranks, columns, ranked, trust, y, w, mass, batch, allowed, sums, rule, choice, scratch,
    pair_sums,
):  # fmt: skip
    """Find the best split of each node of a batch; see `search` for what is not named here.

    Parameters
    ----------
    ranked : ndarray of shape (p, n), float64
        Value behind each rank.
    trust : ndarray of shape (p,), float64
        Part of a column's score that known rows make up; NaN = their share of the node.
    rule : (family, scale, together, fixed, half_way, least)
        `fixed`: does the trust hold in nodes that miss nothing, too?
    scratch : ndarray of shape (GUESS_SCRATCH, T), float64
    pair_sums : ndarray of shape (2, PAIR_SUMS), float64
    """
    family, scale, together, fixed, half_way, least = rule
    min_mass, min_weight, side_share, side_cap, _ = least
    known, missing, guessed = scratch[KNOWN_STATS], scratch[MISSING_STATS], scratch[GUESSED_STATS]
    pairs = scratch[FIRST_PAIR:].reshape(2, PAIR_ROWS, scratch.shape[1])
    for b in range(choice.shape[0]):
        choice[b, GAIN] = -np.inf
        choice[b, POSITION] = NO_CUT
    for f in range(columns.shape[0]):
        for b in range(batch.shape[0]):
            k = batch[b, FIRST_KNOWN + f]
            if k < 2 or (allowed.shape[0] > 0 and not allowed[b, f]):
                continue
            start, stop = batch[b, START], batch[b, STOP]
            entries = ids[f, start:stop]
            its_ranks = ranks[columns[f, 0], start:stop]
            centre = sums[b, CENTRE]
            sum_rows(entries[k:], y, w, family, centre, missing)
            n_guessed = count_guessed(its_ranks, k)
            if k + n_guessed == entries.size:
                copy(missing, guessed)
            else:
                sum_rows(entries[k : k + n_guessed], y, w, family, centre, guessed)
            for c in range(known.size):
                known[c] = sums[b, FIRST_STAT + c] - missing[c]
            known_mass = sums[b, MASS] - mass_of(entries, k, entries.size, mass)
            need = min_mass
            if side_share > 0.0:
                need = min(max(side_share * known_mass, min_mass), side_cap)
            reach = admissible(entries, k, mass, need, need)
            all_weight, known_weight = sums[b, WEIGHT], weight_of(known, family)
            if together:
                for c in range(known.size):
                    missing[c] = known[c] + guessed[c]
                begin(pairs[0], pair_sums[0], missing, family, scale)
                factors = (1.0 / all_weight, 0.0)
            else:
                begin(pairs[0], pair_sums[0], known, family, scale)
                begin(pairs[1], pair_sums[1], guessed, family, scale)
                part = known_weight / all_weight if np.isnan(trust[f]) else trust[f]
                if k == entries.size and not fixed:
                    part = 1.0
                weight = weight_of(guessed, family) if n_guessed else 1.0
                factors = (part / known_weight, (1.0 - part) / weight)
            position, gain, left_weight = sweep_guessed(
                entries, its_ranks, ranked[f], k, n_guessed, y, w, half_way, centre, family,
                scale, reach, min_weight, known_weight, together, factors, pairs, pair_sums,
            )  # fmt: skip
            best = choice[b, GAIN]
            if position == NO_CUT or not (
                choice[b, POSITION] == NO_CUT or gain > best + TIE * abs(best)
            ):
                continue
            choice[b, FEATURE] = f
            choice[b, POSITION] = position
            choice[b, GAIN] = gain
            choice[b, MISSING_BRANCH] = 1.0 * (2.0 * left_weight <= known_weight)
            choice[b, LEFT_SHARE] = left_weight / known_weight
            choice[b, MISSING_WEIGHT] = all_weight - known_weight
            choice[b, BRANCHES] = 2.0
