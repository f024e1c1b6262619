"""Send rows, or parts of them, from the nodes where they are to the children of those nodes.

`answer` says to which branch each value leads, `send` writes what arrives where. Between the
two, who calls them may find out the shares of rows that miss their node's column.

Called by `routing.py` and `refill.py`.
"""

import numpy as np

from .codes import IS_MISSING
from .jit import kernel
from .route import IS_HOLE, IS_UNSEEN, LEFT, branch_of

# What `answer` writes for a row that is in a leaf.
AT_END = -3


@kernel
def answer(tests, ways, levels, nodes, values, rows, weight, branch, known):
    """Write the branch that each row takes, and add its weight to the child there.

    Parameters
    ----------
    tests, ways, levels
        See `route.route_hard`.
    nodes : ndarray of shape (r,), intp
        Where each row is.
    values : ndarray of shape (n, p), float64
    rows : ndarray of shape (r,), intp
    weight : ndarray of shape (r,), float64
    branch : ndarray of shape (r,), int64
        Written; AT_END, or IS_HOLE or IS_UNSEEN where the value does not tell.
    known : ndarray of shape (m,), float64
        Added up: the weight that comes to each node by a known value.
    """
    for i in range(nodes.size):
        v = nodes[i]
        first_child = np.int64(ways[v, LEFT])
        if first_child == v:
            branch[i] = AT_END
            continue
        b = branch_of(tests, ways, levels, v, values[rows[i], tests[v]["feature"]])
        branch[i] = b
        if b >= 0 and not (b == 1 and tests[v]["kind"] == IS_MISSING):
            known[first_child + b] += weight[i]


@kernel
def send(
    first_child, n_children, kind, shares, unseen, min_share, own, nodes, said, branch, part, out
):  # fmt: skip
    """Write who arrives in which child, with what share of what was in the node, and how.

    Parameters
    ----------
    first_child, n_children : ndarray of shape (m,), int32
    kind : ndarray of shape (m,), int8
    shares, unseen : ndarray of shape (m,), float64
        Share that each node gets of a row that misses its parent's column, or whose level its
        parent has not seen.
    min_share : float
        A smaller part of a row goes whole to the child with the largest share.
    own : ndarray of shape (r, widest), float64
        In place of `shares`, those of each row over the children; (0, 0) = there are none.
    nodes : ndarray of shape (r,), intp
    said : ndarray of shape (r,), int64
        What `answer` wrote.
    branch : ndarray of shape (r,), int64
        The same, or what surrogates said in its place.
    part : ndarray of shape (r,), float64
        What part of the row is there.
    out : (place, child, share, way)
        Written: ndarrays of shape (capacity,), intp, intp, float64 and int8; `way` is IS_HOLE
        or IS_UNSEEN, or 0 for a known value. A row that stops does not arrive.

    Returns
    -------
    n_arrived : int
    """
    place, child, share, way = out
    at = 0
    for i in range(nodes.size):
        b = branch[i]
        if b == AT_END:
            continue
        v = nodes[i]
        if b >= 0:
            place[at] = i
            child[at] = first_child[v] + b
            share[at] = 1.0
            way[at] = min(said[i], 0)
            if b == 1 and kind[v] == IS_MISSING:
                way[at] = IS_HOLE
            at += 1
            continue
        start = at
        most = -1
        for c in range(n_children[v]):
            s = unseen[first_child[v] + c] if b == IS_UNSEEN else shares[first_child[v] + c]
            if own.size and b != IS_UNSEEN:
                s = own[i, c]
            if s > 0.0:
                place[at] = i
                child[at] = first_child[v] + c
                share[at] = s
                way[at] = b
                if most < 0 or s >= share[most]:
                    most = at
                at += 1
        if most >= 0 and part[i] < min_share:
            child[start] = child[most]
            share[start] = 1.0
            at = start + 1
    return at
