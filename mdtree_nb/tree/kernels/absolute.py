"""Absolute error of every prefix and suffix of a column's sorted rows.

Squared error follows from sums; absolute error does not. Around the median, the rows of a
node are held in a list that is linked in the order of their labels; taking a row out moves
the median by a step or two, so one pass over m rows costs O(m). Around the mean, sums of the
labels below it come from a tree of partial sums (Fenwick 1994), for O(log m) per row.

    costs[0, i], costs[1, i]    rows 0 .. i, and rows i .. k - 1, of the k known rows
    costs[2, i], costs[3, i]    the same together with the missing rows

Called by `absolute_cuts.py`. Does not: choose.
"""

from .jit import inner, kernel


@inner
def median_costs(rows, k, start, step, others, place, labels, weights, links, costs):
    """Absolute error around the median of what is left, before each row is taken out.

    Rows are taken out from rows[start] on in steps of `step`, k of them; `others` stay.
    `labels` and `weights` are those of the node in ascending order of label, and `place`
    says where a row stands there.
    """
    m = labels.size
    after, before = links[0], links[1]
    for q in range(m):
        after[q] = -1
    for r in rows:
        after[place[r]] = 0
    for r in others:
        after[place[r]] = 0
    last = -1
    total = 0.0
    first = -1
    for q in range(m):
        if after[q] < 0:
            continue
        before[q] = last
        if last >= 0:
            after[last] = q
        else:
            first = q
        last = q
        total += weights[q]
    after[last] = m
    middle = first  # everything else is above it
    below = 0.0
    sum_below = 0.0
    above = total - weights[first]
    sum_above = 0.0
    q = after[first]
    while q < m:
        sum_above += weights[q] * labels[q]
        q = after[q]
    i = start
    for _ in range(k):
        # Walk to where neither side is heavier than half.
        while above > below + weights[middle] and after[middle] < m:
            below += weights[middle]
            sum_below += weights[middle] * labels[middle]
            middle = after[middle]
            above -= weights[middle]
            sum_above -= weights[middle] * labels[middle]
        while below > above + weights[middle] and before[middle] >= 0:
            above += weights[middle]
            sum_above += weights[middle] * labels[middle]
            middle = before[middle]
            below -= weights[middle]
            sum_below -= weights[middle] * labels[middle]
        cost = labels[middle] * (below - above) - sum_below + sum_above
        costs[i] = cost if cost > 0.0 else 0.0
        q = place[rows[i]]
        a = before[q]
        b = after[q]
        if a >= 0:
            after[a] = b
        if b < m:
            before[b] = a
        if q < middle:
            below -= weights[q]
            sum_below -= weights[q] * labels[q]
        elif q > middle:
            above -= weights[q]
            sum_above -= weights[q] * labels[q]
        elif b < m:
            middle = b
            above -= weights[b]
            sum_above -= weights[b] * labels[b]
        elif a >= 0:
            middle = a
            below -= weights[a]
            sum_below -= weights[a] * labels[a]
        i += step


@inner
def mean_costs(rows, k, start, step, others, place, labels, weights, sums, costs):
    """Absolute error around the mean of what was put in, after each row.

    Rows are put in from rows[start] on in steps of `step`, k of them; `others` are in
    already. `sums` holds the partial sums of weights and of weighted labels.
    """
    m = labels.size
    for q in range(m + 1):
        sums[0, q] = 0.0
        sums[1, q] = 0.0
    weight = 0.0
    total = 0.0
    i = start
    for n in range(others.size + k):
        q = place[others[n]] if n < others.size else place[rows[i]]
        u = weights[q]
        v = u * labels[q]
        weight += u
        total += v
        at = q + 1
        while at <= m:
            sums[0, at] += u
            sums[1, at] += v
            at += at & -at
        if n < others.size:
            continue
        mean = total / weight
        low = 0
        high = m
        while low < high:  # labels below the mean
            middle = (low + high) // 2
            if labels[middle] < mean:
                low = middle + 1
            else:
                high = middle
        below = 0.0
        sum_below = 0.0
        at = low
        while at > 0:
            below += sums[0, at]
            sum_below += sums[1, at]
            at -= at & -at
        cost = mean * below - sum_below + (total - sum_below) - mean * (weight - below)
        costs[i] = cost if cost > 0.0 else 0.0
        i += step


@kernel
def absolute_costs(rows, k, by_mean, place, labels, weights, links, sums, costs):
    """Write the absolute error of every prefix and suffix of one column.

    Parameters
    ----------
    rows : ndarray of shape (m,), uint32
        Entries of a node: k known ones in order of value, then the missing ones.
    k : int
    by_mean : bool
        Around the mean; else around the median.
    place : ndarray of shape (capacity,), int64
        Where each entry stands in the order of labels.
    labels, weights : ndarray of shape (m,), float64
        In ascending order of label.
    links : ndarray of shape (2, m), int64
    sums : ndarray of shape (2, m + 1), float64
        Scratch.
    costs : ndarray of shape (4, k), float64
        Written; the last two rows only where rows are missing.
    """
    known = rows[:k]
    nobody = rows[:0]
    missing = rows[k:]
    for pair in range(2 if missing.size else 1):
        others = missing if pair else nobody
        # A prefix ends where rows after it were taken out, or not yet put in.
        prefix, suffix = costs[2 * pair], costs[2 * pair + 1]
        if by_mean:
            mean_costs(known, k, 0, 1, others, place, labels, weights, sums, prefix)
            mean_costs(known, k, k - 1, -1, others, place, labels, weights, sums, suffix)
        else:
            median_costs(known, k, k - 1, -1, others, place, labels, weights, links, prefix)
            median_costs(known, k, 0, 1, others, place, labels, weights, links, suffix)
