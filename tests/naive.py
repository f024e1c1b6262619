"""Slow, obvious twins of the engine: plain Python over lists of row numbers.

Nothing here is shared with the package but the rules: ties (relative 1e-12) go to the
lowest column, then the lowest threshold, then right before left; a gain must exceed 1e-12
of the impurity; thresholds are midpoints.
"""

from __future__ import annotations

import math

import numpy as np
from scipy.stats import chi2_contingency

TIE = 1e-12


def impurity(rows, y, w, criterion):
    """Impurity of some rows (pairs of row and share)."""
    total = sum(w[r] * s for r, s in rows)
    if total <= 0:
        return 0.0
    if criterion == "squared_error":
        mean = sum(w[r] * s * y[r] for r, s in rows) / total
        return sum(w[r] * s * (y[r] - mean) ** 2 for r, s in rows) / total
    if criterion == "absolute_error":  # no other point is nearer to the labels than the median
        return min(sum(w[r] * s * abs(y[r] - y[m]) for r, s in rows) for m, _ in rows) / total
    if criterion == "absolute_error_from_mean":
        mean = sum(w[r] * s * y[r] for r, s in rows) / total
        return sum(w[r] * s * abs(y[r] - mean) for r, s in rows) / total
    shares = {}
    for r, s in rows:
        shares[y[r]] = shares.get(y[r], 0.0) + w[r] * s / total
    if criterion == "gini":
        return 1.0 - sum(p * p for p in shares.values())
    return -sum(p * math.log2(p) for p in shares.values() if p > 0)


def weight(rows, w):
    return sum(w[r] * s for r, s in rows)


def mass(rows):
    return sum(s for _, s in rows)


def gain(before, parts, everything, y, w, criterion, min_leaf):
    """Decrease in cost, in units of the node's weight; -inf for a child too small."""
    if any(not part or mass(part) < min_leaf - 1e-9 for part in parts):
        return -math.inf
    cost = weight(before, w) * impurity(before, y, w, criterion)
    for part in parts:
        cost -= weight(part, w) * impurity(part, y, w, criterion)
    return cost / weight(everything, w)


def candidates(X, rows, f, test, y=None, w=None):
    """Cuts of one column: (kind, what tells them apart, sides of known rows, missing rows)."""
    known = [(r, s) for r, s in rows if not math.isnan(X[r, f])]
    missing = [(r, s) for r, s in rows if math.isnan(X[r, f])]
    values = sorted({X[r, f] for r, _ in known})
    of = {v: [(r, s) for r, s in known if X[r, f] == v] for v in values}
    if test == "threshold":
        for a, b in zip(values, values[1:], strict=False):
            middle = a / 2 + b / 2
            t = middle if a <= middle < b else a
            left = [(r, s) for r, s in known if X[r, f] <= t]
            right = [(r, s) for r, s in known if X[r, f] > t]
            yield "threshold", t, [left, right], missing
    elif test == "multiway":
        if len(values) > 1:
            yield "multiway", tuple((v,) for v in values), list(of.values()), missing
    else:
        groups = [(v,) for v in values] if test == "equals" else subsets(values, of, y, w)
        for group in groups if len(values) > 1 else []:
            rest = tuple(v for v in values if v not in group)
            left = [row for v in group for row in of[v]]
            right = [row for v in rest for row in of[v]]
            yield test, group[0] if test == "equals" else (group, rest), [left, right], missing
    if known and missing:
        yield "alone", max(values), [known, []], missing


def subsets(values, of, y, w):
    """Left groups: cuts in the order of means; all groupings; cuts in the order of each share."""
    if len(values) < 2:
        return []
    labels = {float(y[r]) for rows in of.values() for r, _ in rows}
    n_classes = int(max(y)) + 1 if float(max(y)).is_integer() and min(y) >= 0 else 0

    def cuts(share):
        order = sorted(values, key=lambda v: (round(share(of[v]), 11), v))
        return [tuple(sorted(order[:i])) for i in range(1, len(order))]

    if n_classes <= 2 or not labels <= set(range(n_classes)):
        return cuts(lambda rows: sum(w[r] * s * y[r] for r, s in rows) / weight(rows, w))
    if len(values) <= 10:
        return [
            tuple(v for j, v in enumerate(values) if j == 0 or not code >> (j - 1) & 1)
            for code in (step ^ (step >> 1) for step in range(1, 2 ** (len(values) - 1)))
        ]
    groups = []
    for c in range(n_classes):
        ordered = cuts(
            lambda rows, c=c: weight([(r, s) for r, s in rows if y[r] == c], w) / weight(rows, w)
        )
        groups += [
            group if values[0] in group else tuple(v for v in values if v not in group)
            for group in ordered
        ]
    return groups


def score(strategy, sides, missing, rows, y, w, criterion, min_leaf):
    """Score one cut: (gain, branch of the missing rows or None)."""

    def g(before, *parts):
        return gain(before, parts, rows, y, w, criterion, min_leaf)

    def joining(j):
        if any(not side for i, side in enumerate(sides) if i != j):
            return -math.inf
        return g(rows, *(side + missing if i == j else side for i, side in enumerate(sides)))

    if strategy == "both_children" and sides[-1]:
        known = [row for side in sides for row in side]
        return gain(known, sides, known, y, w, criterion, min_leaf), None
    heaviest = max(weight(side, w) for side in sides)
    majority = max(j for j, side in enumerate(sides) if weight(side, w) >= heaviest - 1e-12)
    last = len(sides) - 1
    if strategy == "left":
        return joining(0), 0
    if strategy == "right":
        return joining(last), last
    if strategy in ("learned", "guide"):
        if not missing:
            return joining(last), majority
        best = None
        for j in (1, 0) if last == 1 else range(last + 1):
            its = joining(j)
            if best is None or its > best[0] + TIE * abs(best[0]) or best[0] == -math.inf:
                best = its, j
        return best
    if strategy == "best":
        if sides[-1] and missing:
            return -math.inf, None
        return joining(last), majority
    if strategy == "own_child" and missing and mass(missing) >= min_leaf:
        return g(rows, *sides, missing), last + 1
    if not sides[-1]:
        return -math.inf, None
    branch = None if strategy in ("fractional", "stop") else majority
    return g([row for side in sides for row in side], *sides), branch


def grow(
    X, y, w=None, *, criterion="gini", strategy="learned", max_depth=99, min_leaf=1,
    min_split=2, tests=None, rows=None, depth=0, copies=1.0, closed=(),
):  # fmt: skip
    """Grow a tree of nested dicts; `tests` says how category columns are tested."""
    w = np.ones(len(X)) if w is None else w
    rows = [(r, 1.0) for r in range(len(X))] if rows is None else rows
    tests = tests or {}
    node = {"weight": weight(rows, w), "value": value(rows, y, w, criterion)}
    here = impurity(rows, y, w, criterion)
    if (
        len({y[r] for r, _ in rows}) == 1
        or depth >= max_depth
        or mass(rows) < max(min_split, 2 * min_leaf) - 1e-9
    ):
        return node
    best = None
    columns = range(X.shape[1])
    if strategy == "guide":
        columns = ranked(X, rows, y, w, tests, criterion)
    columns = [f for f in columns if f not in closed]
    for f in columns:
        best_here = None
        if strategy == "both_children" and copies * growth(X, rows, f, tests) > 16 + 1e-9:
            continue
        for kind, t, sides, missing in candidates(X, rows, f, tests.get(f, "threshold"), y, w):
            if kind == "alone" and strategy not in ("right", "learned", "best", "guide"):
                continue
            its_gain, branch = score(strategy, sides, missing, rows, y, w, criterion, min_leaf)
            if its_gain > -math.inf and exceeds(its_gain, best_here and best_here[0]):
                best_here = its_gain, f, kind, t, sides, missing, branch
        if best_here and exceeds(best_here[0], best and best[0]):
            best = best_here
        if best and strategy == "guide":
            break
    if best is None or best[0] <= 1e-12 * here:
        return node
    its_gain, f, kind, t, sides, missing, branch = best
    if kind == "alone":
        kind = "threshold" if strategy == "right" and f not in tests else "is missing"
        branch = 1
    parts = [list(side) for side in sides]
    known = weight([row for side in sides for row in side], w)
    shares = [weight(side, w) / known for side in sides]
    own = None
    if strategy == "trinary" and missing and copies * (known_rows(sides) / len(rows) + 1) <= 16:
        branch = own = len(parts)
        copies *= known_rows(sides) / len(rows) + 1
        parts.append(list(rows))
    elif branch is None:
        given = {"both_children": [1.0] * len(parts), "stop": [0.0] * len(parts)}
        for part, share in zip(parts, given.get(strategy, shares), strict=True):
            part += [(r, s * share) for r, s in missing if share]
        copies *= sum(map(len, parts)) / len(rows)
    elif branch == len(parts):
        parts.append(missing)
    else:
        parts[branch] += missing
    node.update(feature=f, kind=kind, threshold=t, gain=its_gain, branch=branch, shares=shares)
    node["children"] = [
        grow(
            X,
            y,
            w,
            criterion=criterion,
            strategy=strategy,
            max_depth=max_depth,
            min_leaf=min_leaf,
            min_split=min_split,
            tests=tests,
            rows=part,
            depth=depth + 1,
            copies=copies,
            closed=(*closed, f) if number == own else closed,
        )  # fmt: skip
        for number, part in enumerate(parts)
    ]
    return node


def known_rows(sides):
    return sum(map(len, sides))


def ranked(X, rows, y, w, tests, criterion):
    """Columns in the order of their association with the labels."""
    label = y
    if criterion in ("squared_error", "absolute_error", "absolute_error_from_mean"):
        mean = sum(w[r] * y[r] for r, _ in rows) / sum(w[r] for r, _ in rows)
        label = [value - mean > 1e-7 for value in y]
    scores = {}
    for f in range(X.shape[1]):
        statistic, freedom = chi_square(X, rows, f, label, w, tests.get(f, "threshold"))
        if freedom and not all(math.isnan(X[r, f]) for r, _ in rows):
            scores[f] = float(f"{one_degree(statistic, freedom):.9g}")
    return sorted(scores, key=lambda f: -scores[f])


def groups_of(X, rows, f, w, test):
    """Group of each row: its quarter among the known values, its level, or "missing"."""
    known = [r for r, _ in rows if not math.isnan(X[r, f])]
    total = sum(w[r] for r in known)
    groups = {}
    for r, _ in rows:
        if math.isnan(X[r, f]):
            groups[r] = "missing"
        elif test != "threshold":
            groups[r] = X[r, f]
        else:
            below = sum(w[q] for q in known if X[q, f] < X[r, f])
            middle = below + sum(w[q] for q in known if X[q, f] == X[r, f]) / 2
            groups[r] = sum(middle >= j * total / 4 * (1 - TIE) for j in (1, 2, 3))
    return groups


def chi_square(X, rows, f, label, w, test):
    """SciPy's chi-square of labels against groups of a column, and its degrees of freedom."""
    groups = groups_of(X, rows, f, w, test)
    table = {}
    for r, _ in rows:
        table[groups[r], label[r]] = table.get((groups[r], label[r]), 0.0) + w[r]
    lines = sorted({g for g, _ in table}, key=str)
    classes = sorted({c for _, c in table})
    if len(lines) < 2 or len(classes) < 2:
        return 0.0, 0
    counts = [[table.get((g, c), 0.0) for c in classes] for g in lines]
    found = chi2_contingency(counts, correction=False)
    return found.statistic, found.dof


def one_degree(x, v):
    """Loh's modified Wilson-Hilferty transformation to one degree of freedom."""
    w1 = (math.sqrt(2 * x) - math.sqrt(2 * v - 1) + 1) ** 2 / 2
    w2 = max(0.0, 7 / 9 + math.sqrt(v) * ((x / v) ** (1 / 3) - 1 + 2 / (9 * v))) ** 3
    if x < v + 10 * math.sqrt(2 * v):
        return w2
    return (w1 + w2) / 2 if w2 < x else w1


def growth(X, rows, f, tests):
    """How often all children together may hold the rows, if those that miss f are copied."""
    known = sum(not math.isnan(X[r, f]) for r, _ in rows)
    levels = len({v for v in X[:, f] if not math.isnan(v)})
    branches = max(2, min(levels, known)) if tests.get(f) == "multiway" else 2
    return (known + branches * (len(rows) - known)) / len(rows)


def exceeds(a, b):
    return b is None or a > b + TIE * abs(b)


def value(rows, y, w, criterion):
    """Class weights as a dict, or the mean."""
    total = weight(rows, w)
    if criterion in ("squared_error", "absolute_error_from_mean"):
        return sum(w[r] * s * y[r] for r, s in rows) / total
    if criterion == "absolute_error":
        ordered, reached = sorted((y[r], w[r] * s) for r, s in rows), 0.0
        for i, (label, its) in enumerate(ordered):
            reached += its
            if math.isclose(reached, total / 2, rel_tol=1e-12):
                return (label + ordered[i + 1][0]) / 2
            if reached > total / 2:
                return label
    shares = {}
    for r, s in rows:
        shares[y[r]] = shares.get(y[r], 0.0) + w[r] * s / total
    return shares


def leaves(node, x, strategy, share=1.0):
    """(leaf, share) of one row."""
    if "children" not in node:
        return [(node, share)]
    v, kind, t = x[node["feature"]], node["kind"], node["threshold"]
    children = node["children"]
    if kind == "is missing":
        return leaves(children[1 if math.isnan(v) else 0], x, strategy, share)
    mixed = [(c, share * s) for c, s in zip(children, node["shares"], strict=False)]
    if strategy == "both_children":
        mixed = [(c, share) for c in children]
    if math.isnan(v) and strategy == "stop":
        return [(node, share)]
    if math.isnan(v) and strategy not in ("fractional", "both_children"):
        return leaves(children[node["branch"]], x, strategy, share)
    if not math.isnan(v):
        if kind in ("subset", "multiway"):
            branch = next((b for b, group in enumerate(t) if v in group), None)
            if branch is None and strategy not in ("fractional", "both_children"):
                heaviest = max(node["shares"])
                branch = max(b for b, s in enumerate(node["shares"]) if s >= heaviest - 1e-12)
        else:
            branch = int(v != t if kind == "equals" else v > t)
        if branch is not None:
            return leaves(children[branch], x, strategy, share)
    return [end for child, part in mixed for end in leaves(child, x, strategy, part)]


def predict(node, X, strategy, n_classes):
    """Class shares, or means if n_classes is 0."""
    out = np.zeros((len(X), max(n_classes, 1)))
    for i, x in enumerate(X):
        ends = leaves(node, x, strategy)
        if strategy == "both_children":  # pooled
            total = sum(leaf["weight"] for leaf, _ in ends)
            ends = [(leaf, leaf["weight"] / total) for leaf, _ in ends]
        for leaf, share in ends:
            if n_classes:
                for c, p in leaf["value"].items():
                    out[i, int(c)] += share * p
            else:
                out[i, 0] += share * leaf["value"]
    return out


def as_nested(tree, v=0):
    """A Tree of the package in the same nested form, without weights and values."""
    if tree.is_leaf[v]:
        return {}
    kinds = {0: "threshold", 1: "equals", 2: "is missing", 3: "subset", 4: "multiway"}
    branch = int(tree.missing_branch[v])
    threshold = float(tree.threshold[v])
    if tree.kind[v] >= 3:
        table = tree.level_table(v)
        threshold = tuple(
            tuple(map(float, np.flatnonzero(table == b))) for b in range(max(table) + 1)
        )
    return {
        "feature": int(tree.feature[v]),
        "kind": kinds[int(tree.kind[v])],
        "threshold": threshold,
        "branch": branch if branch >= 0 else None,
        "gain": float(tree.gain[v]),
        "children": [as_nested(tree, c) for c in tree.children(v)],
    }


def same_tree(mine, theirs, path="root"):
    """Compare nested trees; returns the first difference in words, or None."""
    if ("children" in mine) != ("children" in theirs):
        return f"{path}: one is a leaf: {mine.keys()} {theirs.keys()}"
    if "children" not in mine:
        return None
    for name in ("feature", "kind", "branch"):
        if mine[name] != theirs[name]:
            return f"{path}: {name} {mine[name]} and {theirs[name]}"
    if mine["kind"] != "is missing" and mine["threshold"] != theirs["threshold"]:
        return f"{path}: threshold {mine['threshold']} and {theirs['threshold']}"
    if not math.isclose(mine["gain"], theirs["gain"], rel_tol=1e-7, abs_tol=1e-12):
        return f"{path}: gain {mine['gain']} and {theirs['gain']}"
    if len(mine["children"]) != len(theirs["children"]):
        return f"{path}: {len(mine['children'])} and {len(theirs['children'])} children"
    for i, (a, b) in enumerate(zip(mine["children"], theirs["children"], strict=True)):
        problem = same_tree(a, b, f"{path}.{i}")
        if problem:
            return problem
    return None
