"""Find the best split of each node where guessed values of the missing rows are scored, too.

The rows that miss a column come after those that know it, lowest guess first, rows without a
guess at the very end. So one pass over the known rows carries a second place along, in the
guessed ones: how many of them lie below the threshold. With D the decrease in cost,

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
    POSITION,
    START,
    STOP,
    TIE,
    WEIGHT,
)
from .jit import inner, kernel
from .search import admissible, mass_of, sum_rows
from .sweep import add_row, cost_of, weight_of, xlogx

# Rows of the scratch stats: known, missing, guessed; for either pair the left and the right
# side, and the terms of their entropy; sums of a pair in the first entries of the last ones.
KNOWN_STATS, MISSING_STATS, GUESSED_STATS, FIRST_PAIR, PAIR_ROWS = 0, 1, 2, 3, 4
GUESS_SCRATCH = FIRST_PAIR + 2 * PAIR_ROWS
PAIR_SUMS = 4  # weight left and right, sum of the terms left and right


@inner
def begin(pair, sums, start, family):
    """Put all rows, of these stats, on the right."""
    for s in range(PAIR_SUMS):
        sums[s] = 0.0
    for c in range(start.size):
        pair[0, c] = pair[2, c] = 0.0
        pair[1, c] = start[c]
        pair[3, c] = xlogx(start[c]) if family == ENTROPY else 0.0
        sums[3] += pair[3, c]
    sums[1] = weight_of(start, family)


@inner
def move(pair, sums, family, label, weight, centre):
    """Move one row from the right to the left."""
    if family == MOMENTS:
        add_row(pair[0], family, label, weight, centre)
        add_row(pair[1], family, label, -weight, centre)
        return
    c = np.intp(label)
    pair[0, c] += weight
    pair[1, c] -= weight
    if family == ENTROPY:
        sums[0] += weight
        sums[1] -= weight
        sums[2] -= pair[2, c]
        sums[3] -= pair[3, c]
        pair[2, c] = xlogx(pair[0, c])
        pair[3, c] = xlogx(pair[1, c])
        sums[2] += pair[2, c]
        sums[3] += pair[3, c]


@inner
def cost_of_pair(pair, sums, family, scale):
    """Cost of both sides."""
    if family == ENTROPY:
        cost = xlogx(sums[0]) - sums[2] + xlogx(sums[1]) - sums[3]
        return cost if cost > 0.0 else 0.0
    return cost_of(pair[0], family, scale) + cost_of(pair[1], family, scale)


@inner
def sweep_guessed(
    ids, ranks, tied, k, n_guessed, y, w, values, guesses, rows, half_way, centre, family, scale,
    reach, min_weight, known_weight, together, factors, before, pairs, sums,
):  # fmt: skip
    """Best cut: (position or NO_CUT, its gain, known weight on the left).

    `factors` are a and b, `before` is the score of the undivided rows, and `reach` the first
    position that is admissible and the one behind the last.
    """
    lo, hi = reach
    a, b = factors
    other = 0 if together else 1
    after_guessed = 0.0 if together else cost_of_pair(pairs[1], sums[1], family, scale)
    weight = 0.0
    best = -np.inf
    best_weight = 0.0
    position = NO_CUT
    j = k
    stop = k + n_guessed
    divides = rows.size > 0
    for i in range(hi):
        r = ids[i]
        u = 1.0 if w is None else w[r]
        weight += u
        move(pairs[0], sums[0], family, y[r], u, centre)
        if i < lo or (tied and ranks[i + 1] == ranks[i]):
            continue
        if j < stop:
            below = values[rows[r] if divides else r]
            above = values[rows[ids[i + 1]] if divides else ids[i + 1]]
            threshold = below / 2.0 + above / 2.0
            if not (half_way and below <= threshold < above):
                threshold = below
            moved = False
            while j < stop and guesses[rows[ids[j]] if divides else ids[j]] <= threshold:
                g = ids[j]
                move(pairs[other], sums[other], family, y[g], 1.0 if w is None else w[g], centre)
                moved = True
                j += 1
            if moved and not together:
                after_guessed = cost_of_pair(pairs[1], sums[1], family, scale)
        if weight < min_weight or known_weight - weight < min_weight:
            continue
        gain = before - a * cost_of_pair(pairs[0], sums[0], family, scale) - b * after_guessed
        if position == NO_CUT or gain > best + TIE * abs(best):
            best = gain
            best_weight = weight
            position = i
    return position, best, best_weight


@inner
def count_guessed(ids, k, guesses, rows):
    """Missing rows that have a guess; the others are last."""
    n = 0
    while k + n < ids.size and not np.isnan(guesses[rows[ids[k + n]] if rows.size else ids[k + n]]):
        n += 1
    return n


@kernel
def search_guessed(
    ids, ranks, columns, values, guesses, trust, rows, y, w, mass, batch, allowed, sums, rule,
    choice, scratch, pair_sums,
):  # fmt: skip
    """Find the best split of each node of a batch; see `search` for what is not named here.

    Parameters
    ----------
    values, guesses : ndarray of shape (p, n), float64
        Of the training table's rows; read-only.
    trust : ndarray of shape (p,), float64
        Part of a column's score that known rows make up; NaN = their share of the node. 1 in
        nodes that miss nothing.
    rows : ndarray of shape (capacity,) or (0,), uint32
        Rows of the table behind the entries; empty = they are the same.
    rule : (family, scale, together, half_way, least)
    scratch : ndarray of shape (GUESS_SCRATCH, T), float64
    pair_sums : ndarray of shape (2, PAIR_SUMS), float64
    """
    family, scale, together, half_way, least = rule
    min_mass, min_weight, side_share, side_cap, _ = least
    known, missing, guessed = scratch[KNOWN_STATS], scratch[MISSING_STATS], scratch[GUESSED_STATS]
    pairs = scratch[FIRST_PAIR:].reshape(2, PAIR_ROWS, scratch.shape[1])
    for b in range(choice.shape[0]):
        choice[b, GAIN] = -np.inf
        choice[b, POSITION] = NO_CUT
    for f in range(columns.shape[0]):
        tied = columns[f, 0] >= 0
        rank_row = ranks[columns[f, 0] if tied else 0]
        for b in range(batch.shape[0]):
            k = batch[b, FIRST_KNOWN + f]
            if k < 2 or (allowed.shape[0] > 0 and not allowed[b, f]):
                continue
            start, stop = batch[b, START], batch[b, STOP]
            entries = ids[f, start:stop]
            its_ranks = rank_row[start if tied else 0 : stop if tied else 0]
            centre = sums[b, CENTRE]
            sum_rows(entries[k:], y, w, family, centre, missing)
            n_guessed = count_guessed(entries, k, guesses[f], rows)
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
                begin(pairs[0], pair_sums[0], missing, family)
                factors = (1.0 / all_weight, 0.0)
                before = cost_of(missing, family, scale) / all_weight
            else:
                begin(pairs[0], pair_sums[0], known, family)
                begin(pairs[1], pair_sums[1], guessed, family)
                part = known_weight / all_weight if np.isnan(trust[f]) else trust[f]
                if k == entries.size:
                    part = 1.0
                weight = weight_of(guessed, family) if n_guessed else 1.0
                factors = (part / known_weight, (1.0 - part) / weight)
                before = factors[0] * cost_of(known, family, scale)
                before += factors[1] * cost_of(guessed, family, scale)
            position, gain, left_weight = sweep_guessed(
                entries, its_ranks, tied, k, n_guessed, y, w, values[f], guesses[f], rows,
                half_way, centre, family, scale, reach, min_weight, known_weight, together,
                factors, before, pairs, pair_sums,
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
