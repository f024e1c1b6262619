"""A slow, obvious twin of C4.5's pruning: recursion over nested dicts and lists of rows.

Written from the description of C4.5 release 8, and shared with the package only in this:
a branch that was fixed for missing rows stays fixed, and a level that a node never saw goes
in shares (or to the largest branch, where the strategy does not divide).
"""

from __future__ import annotations

import math

import numpy as np
import pytest

TABLE = [
    (0.0, 4.0), (0.001, 3.09), (0.005, 2.58), (0.01, 2.33), (0.05, 1.65), (0.10, 1.28),
    (0.20, 0.84), (0.40, 0.25), (1.0, 0.0),
]  # fmt: skip


def added_errors(n, e, confidence):
    """How many errors more than the e of n rows."""
    for (low, a), (high, b) in zip(TABLE, TABLE[1:], strict=False):
        if low < confidence <= high:
            z = a + (b - a) * (confidence - low) / (high - low)
    if e < 1e-6:
        return n * (1 - math.exp(math.log(confidence) / n))
    if e < 0.9999:
        none = n * (1 - math.exp(math.log(confidence) / n))
        return none + e * (added_errors(n, 1.0, confidence) - none)
    if e + 0.5 >= n - 1e-9:
        return 0.67 * (n - e)
    c = z * z
    upper = (e + 0.5 + c / 2 + math.sqrt(c * ((e + 0.5) * (1 - (e + 0.5) / n) + c / 4))) / (n + c)
    return n * upper - e


class Twin:
    """A tree as nested dicts, its training rows, and the rule for missing values."""

    def __init__(self, tree, X, y, w, missing, confidence):
        self.X, self.y, self.w = X, [int(v) for v in y], w
        self.missing, self.confidence = missing, confidence
        self.n_classes = tree.value.shape[1]
        self.raised = 0
        self.root = self.nested(tree, 0)
        self.everything = [(r, float(w[r])) for r in range(len(X))]

    def nested(self, tree, v):
        if tree.is_leaf[v]:
            return {"kids": []}
        return {
            "feature": int(tree.feature[v]),
            "kind": int(tree.kind[v]),
            "threshold": float(tree.threshold[v]),
            "table": [int(b) for b in tree.level_table(v)],
            "branch": int(tree.missing_branch[v]),
            "kids": [self.nested(tree, c) for c in tree.children(v)],
        }

    # -- where rows go ------------------------------------------------------------

    def branch_of(self, node, r):
        x = self.X[r][node["feature"]]
        if node["kind"] == 2:  # is missing
            return int(math.isnan(x))
        if math.isnan(x):
            return "hole"
        if node["kind"] == 0:
            return int(x > node["threshold"])
        if node["kind"] == 1:
            return int(x != node["threshold"])
        branch = node["table"][int(x)]
        return branch if branch >= 0 else "unseen"

    def divide(self, node, rows):
        """Rows of each child, rows that stop, shares of the known weight, weight of holes."""
        n = len(node["kids"])
        parts, known, stopped = [[] for _ in range(n)], [0.0] * n, []
        for r, weight in rows:
            b = self.branch_of(node, r)
            if isinstance(b, int):
                parts[b].append((r, weight))
                if not math.isnan(self.X[r][node["feature"]]):
                    known[b] += weight
        shares = [k / sum(known) for k in known]
        largest = self.largest(shares)
        by_hole = [0.0] * n
        for r, weight in rows:
            b = self.branch_of(node, r)
            if isinstance(b, int):
                by_hole[b] += weight * math.isnan(self.X[r][node["feature"]])
                continue
            to = [float(i == largest) for i in range(n)]
            if self.missing == "fractional":
                to = shares
            elif b == "hole" and self.missing == "stop":
                to = [0.0] * n
                stopped.append((r, weight))
            elif b == "hole":
                to = [float(i == node["branch"]) for i in range(n)]
            for i in range(n):
                if to[i] > 0:
                    parts[i].append((r, weight * to[i]))
                    by_hole[i] += weight * to[i] * (b == "hole")
        return parts, stopped, shares, by_hole

    def largest(self, shares):
        return max(i for i, s in enumerate(shares) if s >= max(shares) * (1 - 1e-9))

    # -- what is expected ---------------------------------------------------------

    def classes(self, rows):
        counts = [0.0] * self.n_classes
        for r, weight in rows:
            counts[self.y[r]] += weight
        return counts

    def as_leaf(self, rows, best=None):
        counts = self.classes(rows)
        n = sum(counts)
        best = counts.index(max(counts)) if best is None else best
        e = n - counts[best]
        return e + added_errors(n, e, self.confidence)

    def of_stopped(self, rows, stopped):
        if not stopped:
            return 0.0
        counts = self.classes(rows)
        return self.as_leaf(stopped, counts.index(max(counts)))

    def expected(self, node, rows):
        if not node["kids"]:
            return self.as_leaf(rows)
        parts, stopped, _, _ = self.divide(node, rows)
        below = sum(self.expected(kid, part) for kid, part in zip(node["kids"], parts, strict=True))
        return below + self.of_stopped(rows, stopped)

    def training_errors(self, node, rows):
        counts = self.classes(rows)
        if not node["kids"]:
            return sum(counts) - max(counts)
        parts, stopped, _, _ = self.divide(node, rows)
        total = sum(self.training_errors(k, p) for k, p in zip(node["kids"], parts, strict=True))
        return total + sum(x for r, x in stopped if self.y[r] != counts.index(max(counts)))

    # -- pruning ------------------------------------------------------------------

    def collapse(self, node, rows):
        if not node["kids"]:
            return node
        parts = self.divide(node, rows)[0]
        counts = self.classes(rows)
        if self.training_errors(node, rows) >= sum(counts) - max(counts) - 1e-3:
            return {"kids": []}
        kids = [self.collapse(kid, part) for kid, part in zip(node["kids"], parts, strict=True)]
        return {**node, "kids": kids}

    def prune(self, node, rows, raising=True):
        if not node["kids"]:
            return node
        parts, stopped, shares, _ = self.divide(node, rows)
        kids = [self.prune(k, part, raising) for k, part in zip(node["kids"], parts, strict=True)]
        node = {**node, "kids": kids}
        leaf, subtree = self.as_leaf(rows), self.expected(node, rows)
        branch = kids[self.largest(shares)]
        raised = self.expected(branch, rows) if raising else math.inf
        if leaf <= raised + 0.1 and leaf <= subtree + 0.1:
            return {"kids": []}
        if raised <= subtree + 0.1:
            self.raised += 1
            return self.prune(branch, rows, raising)
        return node

    # -- comparing ----------------------------------------------------------------

    def check(self, tree, node, rows, v=0):
        """Node v of a Tree has the test, the numbers and the children of a nested node."""
        counts, n = self.classes(rows), sum(x for _, x in rows)
        assert tree.weight[v] == near(n)
        assert tree.rows[v] == len(rows)
        np.testing.assert_allclose(tree.value[v] * n, counts, atol=1e-9)
        assert len(tree.children(v)) == len(node["kids"])
        if not node["kids"]:
            assert tree.missing_weight[v] == tree.gain[v] == 0
            return
        mine = self.nested(tree, v)
        for name in ("feature", "kind", "table", "branch"):
            assert mine[name] == node[name]
        np.testing.assert_array_equal(mine["threshold"], node["threshold"])
        parts, _, shares, by_hole = self.divide(node, rows)
        missing = sum(x for r, x in rows if math.isnan(self.X[r][node["feature"]]))
        assert tree.missing_weight[v] == near(missing)
        for child, kid, part, share, holes in zip(
            tree.children(v), node["kids"], parts, shares, by_hole, strict=True
        ):
            assert tree.share[child] == near(share)
            assert tree.arrived_missing[child] == near(holes)
            self.check(tree, kid, part, child)


def near(x):
    return pytest.approx(x, abs=1e-9)
