"""Send rows down a finished tree.

`route_hard` follows one path per row; `route_shares` follows every path that gets a share.
A step is the same few operations for every node, free of branches that a processor
would have to guess: compare, then look up which node comes next.

Called by `routing.py`.
"""

import numpy as np

from .codes import EQUALS, IS_MISSING, SUBSET
from .jit import inner, kernel

# What a node tests: threshold, level code or place of its level table; column; kind of
# test. A leaf tests the first column, to no avail.
TEST = np.dtype([("threshold", np.float64), ("feature", np.uint32), ("kind", np.uint32)])

# Columns of `ways`: the nodes that follow a known value on either side, a missing one, and a
# level that the node's table does not know. All ways of a leaf lead to itself; so do
# MISSING and UNSEEN where a strategy divides rows or stops them. Siblings are neighbours:
# child c of a node is ways[node, LEFT] + c.
LEFT, RIGHT, MISSING, UNSEEN = 0, 1, 2, 3

# What `branch_of` says where the value does not tell the branch.
IS_HOLE, IS_UNSEEN = -1, -2


@inner
def way_of(test, value):
    """LEFT, RIGHT or MISSING."""
    threshold = test["threshold"]
    differs = np.uint64(value < threshold) & np.uint64(test["kind"] == EQUALS)
    is_missing = np.uint64(value != value)
    return np.uint64(value > threshold) | differs | (is_missing << np.uint64(1))


@inner
def branch_of_level(test, value, levels):
    """Branch of a level code by the node's table, IS_UNSEEN where it has none."""
    if value < 0.0:
        return IS_UNSEEN
    branch = np.int64(levels[np.int64(test["threshold"]) + np.int64(value)])
    return branch if branch >= 0 else IS_UNSEEN


@inner
def next_node(tests, ways, levels, v, values, i):
    """Node that follows node v for row i."""
    test = tests[v]
    value = values[i, test["feature"]]
    if levels is not None and test["kind"] >= SUBSET and value == value:
        branch = branch_of_level(test, value, levels)
        return ways[v, UNSEEN] if branch < 0 else ways[v, LEFT] + np.uint32(branch)
    return ways[v, way_of(test, value)]


@inner
def branch_of(tests, ways, levels, v, value):
    """Branch of node v that a value leads to, IS_HOLE or IS_UNSEEN."""
    test = tests[v]
    if levels is not None and test["kind"] >= SUBSET and value == value:
        return branch_of_level(test, value, levels)
    way = way_of(test, value)
    if way == MISSING and test["kind"] != IS_MISSING:
        return IS_HOLE
    return np.int64(ways[v, way]) - np.int64(ways[v, LEFT])


@inner
def surrogate_of(stand_ins, v, values, i):
    """Surrogate of node v that can tell where row i goes, and the branch; -1, IS_HOLE if none."""
    start, tests, low, levels = stand_ins
    for s in range(start[v], start[v + 1]):
        test = tests[s]
        value = values[i, test["feature"]]
        if value != value:
            continue
        if test["kind"] < SUBSET:
            return s, low[s] ^ np.int64(value > test["threshold"])
        branch = branch_of_level(test, value, levels)
        if branch >= 0:
            return s, branch
    return -1, np.int64(IS_HOLE)


@kernel
def ask_surrogates(stand_ins, nodes, values, rows, branch, spoke):
    """Write which surrogate of its node tells where each row goes, and the branch.

    Parameters
    ----------
    stand_ins : (start, tests, low, levels)
        `start` of shape (m + 1,): those of node v are start[v] .. start[v + 1]; `tests` of
        TEST; `low`, the branch of what is not above the threshold; level tables.
    nodes : ndarray of shape (r,), int64
    values : ndarray of shape (n, p), float64
    rows : ndarray of shape (r,), int64
    branch, spoke : ndarray of shape (r,), int64
        Written; IS_HOLE and -1 where none can tell.
    """
    for i in range(rows.size):
        spoke[i], branch[i] = surrogate_of(stand_ins, nodes[i], values, rows[i])


@kernel
def route_hard(tests, ways, levels, depth, values, out):
    """Write the node at which each row ends.

    Four rows walk down side by side, so that their cache misses overlap.

    Parameters
    ----------
    tests : ndarray of shape (m,), TEST
    ways : ndarray of shape (m, 4), uint32
    levels : ndarray of int16, or None
        Level tables; None = no test has one.
    depth : int
        Most steps that lead to an end.
    values : ndarray of shape (n, p), float64
    out : ndarray of shape (n,), int32
        Written.
    """
    n = values.shape[0]
    for i in range(0, n, 4):
        # The last four rows may be fewer; then the last one walks more than once.
        j = i + 1 if i + 1 < n else i
        k = i + 2 if i + 2 < n else j
        m = i + 3 if i + 3 < n else k
        a = b = c = d = np.uint32(0)
        for _ in range(depth):
            next_a = next_node(tests, ways, levels, a, values, i)
            next_b = next_node(tests, ways, levels, b, values, j)
            next_c = next_node(tests, ways, levels, c, values, k)
            next_d = next_node(tests, ways, levels, d, values, m)
            arrived = (next_a == a) & (next_b == b) & (next_c == c) & (next_d == d)
            a, b, c, d = next_a, next_b, next_c, next_d
            if arrived:
                break
        out[i], out[j], out[k], out[m] = a, b, c, d


@kernel
def route_shares(
    tests, ways, levels, stand_ins, n_children, shares, unseen, min_share, values, first_row,
    stack, visited, visited_share, ends,
):  # fmt: skip
    """Write every node that each row visits, with its share.

    Parameters
    ----------
    tests : ndarray of shape (m,), TEST
    ways : ndarray of shape (m, 4), uint32
    levels : ndarray of int16, or None
        Level tables; None = no test has one.
    stand_ins : (start, tests, low, levels) or None
        See `ask_surrogates`; None = nobody asks them.
    n_children : ndarray of shape (m,), int32
    shares : ndarray of shape (m,), float64
        Share that each node gets of a row that misses its parent's column.
    unseen : ndarray of shape (m,), float64
        Share that each node gets of a row whose level its parent has not seen.
    min_share : float
        A smaller part of a row goes whole to the child with the largest share.
    values : ndarray of shape (n, p), float64
    first_row : int
    stack : ndarray of shape (m,), int32
        Scratch.
    visited : ndarray of shape (capacity, 2), int32
        Written: row, node.
    visited_share : ndarray of shape (capacity,), float64
        Written.
    ends : ndarray of shape (capacity,), bool
        Written: does this share go no further?

    Returns
    -------
    n_visited : int
    next_row : int
        The first row for which there was no room any more, or n.
    """
    at = 0
    for i in range(first_row, values.shape[0]):
        row_start = at
        if at >= visited.shape[0]:
            return row_start, i
        visited[at, 0] = i
        visited[at, 1] = 0
        visited_share[at] = 1.0
        stack[0] = at
        at += 1
        top = 1
        while top > 0:
            top -= 1
            here = stack[top]
            v = visited[here, 1]
            ends[here] = True
            first_child = np.int64(ways[v, LEFT])
            if first_child == v:  # a leaf
                continue
            only = branch_of(tests, ways, levels, v, values[i, tests[v]["feature"]])
            if stand_ins is not None and only < 0:
                branch = surrogate_of(stand_ins, v, values, i)[1]
                if branch >= 0:
                    only = branch
            if only < 0 and visited_share[here] < min_share:
                its = unseen if only == IS_UNSEEN else shares
                most = 0.0
                for c in range(n_children[v]):
                    if its[first_child + c] > 0.0 and its[first_child + c] >= most:
                        most = its[first_child + c]
                        only = c
            for c in range(n_children[v] - 1, -1, -1):
                child = first_child + c
                share = unseen[child] if only == IS_UNSEEN else shares[child]
                if only >= 0:
                    share = 1.0 if c == only else 0.0
                if share <= 0.0:
                    continue
                if at >= visited.shape[0]:
                    return row_start, i
                visited[at, 0] = i
                visited[at, 1] = child
                visited_share[at] = visited_share[here] * share
                stack[top] = at
                top += 1
                at += 1
                ends[here] = False
    return at, values.shape[0]
