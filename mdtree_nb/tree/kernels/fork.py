"""Divide the rows of a node among children that overlap.

A partition gives every row to one child. Where a strategy divides rows, a row that
misses the tested column goes on in several children with a part of its mass, so every
child gets entries of its own: copies of (row, y, weight, mass) at the end of the arena,
and its sorted order of them. The children's segments are written behind the node and
then moved to its place, which nobody needs any more.

    ids[f]   ... | node      |  free          ->   ... | child 0 | child 1 |  free

Called by `workspace.py`, one node at a time.
"""

from .codes import FIRST_KNOWN, NOWHERE, START, STOP, TOP
from .jit import kernel


@kernel
def fork(
    ids, ranks, columns, rows, y, w, mass, branch, node, missing, shares, place, number, children
):
    """Write the children of one node.

    Parameters
    ----------
    ids, ranks, columns
        See `search`; with room behind the node for all entries of its children.
    rows, y, w, mass : ndarray of shape (capacity,)
        The entries of the arena; with room for those of the children from
        `node[TOP]` on.
    branch : ndarray of shape (capacity,), uint16
        Child of every known entry of the node; overwritten for the missing ones.
    node : ndarray of shape (FIRST_KNOWN + p,), int64
    missing : ndarray of shape (r,), uint32
        Entries that miss the tested column.
    shares : ndarray of shape (r, c), float64
        What each child gets of them.
    place, number : ndarray of shape (capacity,), int64
        Scratch: row of `shares`, and new number, of an entry.
    children : ndarray of shape (c, FIRST_KNOWN + p), int64
        Written.
    """
    s = node[START]
    e = node[STOP]
    top = node[TOP]
    for i in range(missing.size):
        branch[missing[i]] = NOWHERE
        place[missing[i]] = i
    end = e
    for c in range(shares.shape[1]):
        first = top
        for i in range(s, e):
            entry = ids[0, i]
            number[entry] = -1
            share = 0.0
            if branch[entry] == NOWHERE:
                share = shares[place[entry], c]
            elif branch[entry] == c:
                share = 1.0
            if share > 0.0:
                number[entry] = top
                rows[top] = rows[entry]
                y[top] = y[entry]
                w[top] = w[entry] * share
                mass[top] = mass[entry] * share
                top += 1
        for f in range(columns.shape[0]):
            rank_row = columns[f, 0]
            k = s + node[FIRST_KNOWN + f]
            at = end
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
            children[c, FIRST_KNOWN + f] = known
        children[c, START] = end - (e - s)
        end += top - first
        children[c, STOP] = end - (e - s)
        children[c, TOP] = top
    for f in range(columns.shape[0]):
        rank_row = columns[f, 0]
        for i in range(e, end):
            ids[f, i - (e - s)] = ids[f, i]
            if rank_row >= 0:
                ranks[rank_row, i - (e - s)] = ranks[rank_row, i]
