"""Send rows down a finished tree.

`route_hard` follows one path per row; `route_shares` follows every path that gets a share.
Both read the tree as records of 24 bytes, siblings next to each other: child c of a node
is `first_child + c`.

Called by `routing.py`.
"""

import numpy as np

from .codes import EQUALS, IS_MISSING
from .jit import inner, kernel

# One node: threshold or level code, column (-1 = leaf), first child, how it is tested, and
# the child that rows with a missing value take (-1 = they stop here).
NODE = np.dtype(
    [
        ("threshold", np.float64),
        ("feature", np.int32),
        ("first_child", np.int32),
        ("missing", np.int32),
        ("kind", np.int32),
    ]
)
LANES = 8


@inner
def next_node(node, value):
    """Child that a known value leads to."""
    goes_right = value > node["threshold"]
    if node["kind"] == EQUALS:
        goes_right = value != node["threshold"]
    elif node["kind"] == IS_MISSING:
        goes_right = False
    return node["first_child"] + np.int32(goes_right)


@kernel
def branches_of(nodes, v, values, rows, out):
    """Write the branch of node v that each row takes, -1 where its value is missing."""
    node = nodes[v]
    for i in range(rows.size):
        value = values[rows[i], node["feature"]]
        if value == value:
            out[i] = next_node(node, value) - node["first_child"]
        else:
            out[i] = 1 if node["kind"] == IS_MISSING else -1


@kernel
def route_hard(nodes, values, out):
    """Write the node at which each row ends.

    Rows walk down in groups of LANES, so that the cache misses of a group overlap.

    Parameters
    ----------
    nodes : ndarray of shape (m,), NODE
    values : ndarray of shape (n, p), float64
    out : ndarray of shape (n,), int32
        Written.
    """
    n = values.shape[0]
    for start in range(0, n, LANES):
        stop = min(start + LANES, n)
        for i in range(start, stop):
            out[i] = 0
        moving = True
        while moving:
            moving = False
            for i in range(start, stop):
                node = nodes[out[i]]
                if node["feature"] < 0:
                    continue
                value = values[i, node["feature"]]
                if value == value:
                    out[i] = next_node(node, value)
                    moving = True
                elif node["kind"] == IS_MISSING:
                    out[i] = node["first_child"] + 1
                    moving = True
                elif node["missing"] >= 0:
                    out[i] = node["missing"]
                    moving = True


@kernel
def route_shares(nodes, n_children, shares, values, first_row, stack, visited, visited_share, ends):
    """Write every node that each row visits, with its share.

    Parameters
    ----------
    nodes : ndarray of shape (m,), NODE
    n_children : ndarray of shape (m,), int32
    shares : ndarray of shape (m,), float64
        Share that each node gets of a row that misses its parent's column.
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
            node = nodes[v]
            ends[here] = True
            if node["feature"] < 0:
                continue
            value = values[i, node["feature"]]
            only = -1
            if value == value:
                only = next_node(node, value) - node["first_child"]
            elif node["kind"] == IS_MISSING:
                only = 1
            for c in range(n_children[v] - 1, -1, -1):
                child = node["first_child"] + c
                share = shares[child]
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
