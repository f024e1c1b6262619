"""Slow, obvious twins of the engine: plain Python over lists of row numbers.

Nothing here is shared with the package but the rules: ties (relative 1e-12) go to the
lowest column, then the lowest threshold, then right before left; a gain must exceed 1e-12
of the impurity; thresholds are midpoints.
"""

from __future__ import annotations

import math

import numpy as np

TIE = 1e-12


def impurity(rows, y, w, criterion):
    """Impurity of some rows (pairs of row and share)."""
    total = sum(w[r] * s for r, s in rows)
    if total <= 0:
        return 0.0
    if criterion == "squared_error":
        mean = sum(w[r] * s * y[r] for r, s in rows) / total
        return sum(w[r] * s * (y[r] - mean) ** 2 for r, s in rows) / total
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


def candidates(X, rows, f, is_category):
    """Cuts of one column: (kind, threshold, left, right, missing)."""
    known = [(r, s) for r, s in rows if not math.isnan(X[r, f])]
    missing = [(r, s) for r, s in rows if math.isnan(X[r, f])]
    values = sorted({X[r, f] for r, _ in known})
    if is_category:
        for v in values:
            left = [(r, s) for r, s in known if X[r, f] == v]
            right = [(r, s) for r, s in known if X[r, f] != v]
            yield "equals", v, left, right, missing
    else:
        for a, b in zip(values, values[1:], strict=False):
            middle = a / 2 + b / 2
            t = middle if a <= middle < b else a
            left = [(r, s) for r, s in known if X[r, f] <= t]
            right = [(r, s) for r, s in known if X[r, f] > t]
            yield "threshold", t, left, right, missing
    if known and missing:
        yield "alone", max(values), known, [], missing


def score(strategy, left, right, missing, rows, y, w, criterion, min_leaf):
    """Score one cut: (gain, branch of the missing rows or None)."""

    def g(before, *parts):
        return gain(before, parts, rows, y, w, criterion, min_leaf)

    majority = 1 if weight(right, w) >= weight(left, w) - 1e-12 else 0
    to_right = g(rows, left, right + missing)
    to_left = g(rows, left + missing, right) if right else -math.inf
    if strategy == "left":
        return to_left, 0
    if strategy == "right":
        return to_right, 1
    if strategy == "learned":
        if not missing:
            return to_right, majority
        better = to_left > to_right + TIE * abs(to_right) or to_right == -math.inf
        return (to_left, 0) if better else (to_right, 1)
    if strategy == "own_child" and missing and mass(missing) >= min_leaf:
        return g(rows, left, right, missing), 2
    if not right:
        return -math.inf, None
    branch = None if strategy == "fractional" else majority
    return g(left + right, left, right), branch


def grow(
    X, y, w=None, *, criterion="gini", strategy="learned", max_depth=99, min_leaf=1,
    min_split=2, categories=(), rows=None, depth=0,
):  # fmt: skip
    """Grow a tree of nested dicts."""
    w = np.ones(len(X)) if w is None else w
    rows = [(r, 1.0) for r in range(len(X))] if rows is None else rows
    node = {"weight": weight(rows, w), "value": value(rows, y, w, criterion)}
    here = impurity(rows, y, w, criterion)
    if (
        len({y[r] for r, _ in rows}) == 1
        or depth >= max_depth
        or mass(rows) < max(min_split, 2 * min_leaf) - 1e-9
    ):
        return node
    best = None
    for f in range(X.shape[1]):
        best_here = None
        for kind, t, left, right, missing in candidates(X, rows, f, f in categories):
            if kind == "alone" and strategy not in ("right", "learned"):
                continue
            its_gain, branch = score(
                strategy, left, right, missing, rows, y, w, criterion, min_leaf
            )
            if its_gain > -math.inf and exceeds(its_gain, best_here and best_here[0]):
                best_here = its_gain, f, kind, t, left, right, missing, branch
        if best_here and exceeds(best_here[0], best and best[0]):
            best = best_here
    if best is None or best[0] <= 1e-12 * here:
        return node
    its_gain, f, kind, t, left, right, missing, branch = best
    if kind == "alone":
        kind = "threshold" if strategy == "right" and f not in categories else "is missing"
        branch = 1
    parts = [list(left), list(right)]
    share = weight(left, w) / weight(left + right, w)
    if branch is None:
        parts[0] += [(r, s * share) for r, s in missing]
        parts[1] += [(r, s * (1 - share)) for r, s in missing]
    elif branch == 2:
        parts.append(missing)
    else:
        parts[branch] += missing
    node.update(feature=f, kind=kind, threshold=t, gain=its_gain, branch=branch, share=share)
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
            categories=categories,
            rows=part,
            depth=depth + 1,
        )  # fmt: skip
        for part in parts
    ]
    return node


def exceeds(a, b):
    return b is None or a > b + TIE * abs(b)


def value(rows, y, w, criterion):
    """Class weights as a dict, or the mean."""
    total = weight(rows, w)
    if criterion == "squared_error":
        return sum(w[r] * s * y[r] for r, s in rows) / total
    shares = {}
    for r, s in rows:
        shares[y[r]] = shares.get(y[r], 0.0) + w[r] * s / total
    return shares


def leaves(node, x, strategy, share=1.0):
    """(leaf, share) of one row."""
    if "children" not in node:
        return [(node, share)]
    v, kind = x[node["feature"]], node["kind"]
    children = node["children"]
    if kind == "is missing":
        return leaves(children[1 if math.isnan(v) else 0], x, strategy, share)
    if math.isnan(v):
        if strategy == "fractional":
            p = node["share"]
            return leaves(children[0], x, strategy, share * p) + leaves(
                children[1], x, strategy, share * (1 - p)
            )
        return leaves(children[node["branch"]], x, strategy, share)
    right = v != node["threshold"] if kind == "equals" else v > node["threshold"]
    return leaves(children[1 if right else 0], x, strategy, share)


def predict(node, X, strategy, n_classes):
    """Class shares, or means if n_classes is 0."""
    out = np.zeros((len(X), max(n_classes, 1)))
    for i, x in enumerate(X):
        for leaf, share in leaves(node, x, strategy):
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
    kinds = {0: "threshold", 1: "equals", 2: "is missing"}
    branch = int(tree.missing_branch[v])
    return {
        "feature": int(tree.feature[v]),
        "kind": kinds[int(tree.kind[v])],
        "threshold": float(tree.threshold[v]),
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
