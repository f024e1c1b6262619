"""A slow, obvious twin of lazy trees: one row, plain lists, every threshold tried."""

from __future__ import annotations

import math

TIE = 1e-12


def spread(rows, y, weight, classes):
    """Entropy in bits, or variance, of rows with weights."""
    total = sum(weight[r] for r in rows)
    if not classes:
        mean = sum(weight[r] * y[r] for r in rows) / total
        return sum(weight[r] * (y[r] - mean) ** 2 for r in rows) / total
    shares = {}
    for r in rows:
        shares[y[r]] = shares.get(y[r], 0.0) + weight[r] / total
    return -sum(p * math.log2(p) for p in shares.values() if p > 0)


def threshold(X, f, known, y, weight, classes, least):
    """The cut of the known rows whose two sides cost least."""
    values = sorted({X[r, f] for r in known})
    scale = spread(known, y, weight, classes) * sum(weight[r] for r in known) if known else 0
    best = math.inf, None
    for a, b in zip(values, values[1:], strict=False):
        sides = [r for r in known if X[r, f] <= a], [r for r in known if X[r, f] > a]
        if min(map(len, sides)) < least:
            continue
        cost = sum(
            spread(side, y, weight, classes) * sum(weight[r] for r in side) for side in sides
        )
        if cost < best[0] - TIE * scale:
            middle = a / 2 + b / 2
            best = cost, middle if a <= middle < b else a
    return best[1]


def answers(X, rows, query, y, w, levels, classes, least):
    """Every answer of the query: (gain, column, rows that are left)."""
    totals = {}
    for r in rows:
        totals[y[r]] = totals.get(y[r], 0.0) + w[r]
    weight = {r: w[r] / totals[y[r]] if classes else w[r] for r in rows}
    before = spread(rows, y, weight, classes)
    for f, value in enumerate(query):
        if math.isnan(value):
            continue
        known = [r for r in rows if not math.isnan(X[r, f])]
        if f in levels:
            left = [r for r in known if X[r, f] == value]
        else:
            t = threshold(X, f, known, y, weight, classes, least)
            left = [] if t is None else [r for r in known if (X[r, f] <= t) == (value <= t)]
        if len(left) >= max(least, 1):
            yield before - spread(left, y, weight, classes), f, left


def leaves(X, rows, query, y, w, levels, classes, least, slack=0.0, path=()):
    """Last rows of every path that is followed, in the order of columns, with the columns."""
    if len({y[r] for r in rows}) == 1:
        return [(rows, path)]
    found = list(answers(X, rows, query, y, w, levels, classes, least))
    limit = 1e-12 * (1 if classes else spread(rows, y, w, False))
    best = max((gain for gain, _, _ in found), default=-1)
    if best <= limit:
        return [(rows, path)]
    near = [a for a in found if a[0] >= best * (1 - slack) * (1 - TIE)]
    ends = []
    for _, f, left in near if slack else near[:1]:
        ends += leaves(X, left, query, y, w, levels, classes, least, slack, (*path, f))
    return ends


def predict(X, query, y, w, levels=(), classes=0, least=1, slack=0.0):
    """Class shares or [mean], and the columns of the path."""
    every = list(range(len(y)))
    totals = [sum(w[r] for r in every if y[r] == c) for c in range(classes)]
    best = -1.0, None, None
    for rows, path in leaves(X, every, query, y, w, levels, classes, least, slack):
        total = sum(w[r] for r in rows)
        if not classes:
            return [sum(w[r] * y[r] for r in rows) / total], path
        counts = [sum(w[r] for r in rows if y[r] == c) for c in range(classes)]
        most = counts.index(max(counts))
        score = counts[most] / totals[most]
        if score > best[0] * (1 + TIE):
            best = score, [c / total for c in counts], path
    return best[1:]
