"""Divide the rows of nodes among children that overlap.

A partition gives every row to one child. Where a strategy divides rows, a row that
misses the tested column goes on in several children with a part of its mass, so every
child gets entries of its own: copies of (row, y, weight, mass), and its sorted order of
them. Entries of a node lie in the same places of the arena as its segment of the sorted
orders. Children are written behind the nodes and then moved to the place of these, which
nobody needs any more.

    ... | node 0 | node 1 |  free          ->   ... | child 0 | child 1 | child 2 | ...

Called by `workspace.py`.
"""

from .codes import FIRST_KNOWN, NOWHERE, START, STOP
from .jit import kernel


@kernel
def fork(
    ids, ranks, columns, rows, y, w, mass, branch, batch, missing, shares, place, number,
    first_child, children,
):  # fmt: skip
    """Write the children of some nodes, the last ones in the arena.

    Parameters
    ----------
    ids, ranks, columns
        See `search`; with room behind the nodes for all entries of their children.
    rows, y, w, mass : ndarray of shape (capacity,)
        The entries of the arena; with room as in `ids`.
    branch : ndarray of shape (capacity,), uint16
        Child of every entry of the nodes; overwritten for the missing ones.
    batch : ndarray of shape (b, FIRST_KNOWN + p), int64
        The nodes, in the order of their segments.
    missing : ndarray of shape (r,), uint32
        Entries that are divided.
    shares : ndarray of shape (r, most children of a node), float64
        What each child gets of them.
    place, number : ndarray of shape (capacity,), int64
        Scratch: row of `shares`, and new number, of an entry.
    first_child : ndarray of shape (b + 1,), int64
        The children of node b are rows first_child[b] .. first_child[b + 1] of `children`.
    children : ndarray of shape (., FIRST_KNOWN + p), int64
        Written.
    """
    end = batch[batch.shape[0] - 1, STOP]
    shift = end - batch[0, START]
    for i in range(missing.size):
        branch[missing[i]] = NOWHERE
        place[missing[i]] = i
    top = end
    for b in range(batch.shape[0]):
        s = batch[b, START]
        e = batch[b, STOP]
        for c in range(first_child[b + 1] - first_child[b]):
            child = children[first_child[b] + c]
            start = top
            for entry in range(s, e):
                number[entry] = -1
                share = 0.0
                if branch[entry] == NOWHERE:
                    share = shares[place[entry], c]
                elif branch[entry] == c:
                    share = 1.0
                if share > 0.0:
                    number[entry] = top - shift
                    rows[top] = rows[entry]
                    y[top] = y[entry]
                    w[top] = w[entry] * share
                    mass[top] = mass[entry] * share
                    top += 1
            child[START] = start - shift
            child[STOP] = top - shift
            for f in range(columns.shape[0]):
                rank_row = columns[f, 0]
                k = s + batch[b, FIRST_KNOWN + f]
                at = start
                known = 0
                for i in range(s, e):
                    new = number[ids[f, i]]
                    if new < 0:
                        continue
                    ids[f, at] = new
                    if rank_row >= 0:
                        ranks[rank_row, at] = ranks[rank_row, i]
                    at += 1
                    if i < k:
                        known += 1
                child[FIRST_KNOWN + f] = known
    for i in range(end, top):
        rows[i - shift] = rows[i]
        y[i - shift] = y[i]
        w[i - shift] = w[i]
        mass[i - shift] = mass[i]
    for f in range(columns.shape[0]):
        rank_row = columns[f, 0]
        for i in range(end, top):
            ids[f, i - shift] = ids[f, i]
            if rank_row >= 0:
                ranks[rank_row, i - shift] = ranks[rank_row, i]
