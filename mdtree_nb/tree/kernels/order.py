"""Sort the rows by one column: what happens before and after a plain sort of integers.

Sorting integers is many times faster than sorting row numbers by a value. The bits of a
float order like an integer once those of negative values are flipped, so the row number
takes the place of the last bits of each value. Where values agree in all bits that are
left, the order is wrong; `unpack` notices.

`sorting.py` sorts between the two, many keys by `sort_keys` and few by NumPy.
"""

import numpy as np

from .jit import inner, kernel

SIGN = np.int64(63)
ALL_BUT_SIGN = np.int64(0x7FFFFFFFFFFFFFFF)
MINUS_ZERO = np.int64(-0x8000000000000000)
INFINITY = np.int64(0x7FF0000000000000)


# `sort_keys` looks at so many bits at a time.
BITS, DIGITS = 11, 6


@inner
def digit(key, d):
    """Group of bits of a key, in the order of signed integers."""
    unsigned = np.uint64(key) ^ (np.uint64(1) << np.uint64(63))
    return np.int64((unsigned >> np.uint64(BITS * d)) & np.uint64(2**BITS - 1))


@inner
def as_integer(bits):
    """Integer that orders like the float of these bits; minus zero equals zero."""
    if bits == MINUS_ZERO:
        return np.int64(0)
    return bits ^ ((bits >> SIGN) & ALL_BUT_SIGN)


@kernel
def pack(bits, row_bits, ids, keys):
    """Make a key of each known row, and write the missing rows to the end of `ids`.

    Parameters
    ----------
    bits : ndarray of shape (n,), int64
        The column's floats, bit by bit; read-only.
    row_bits : int
        2^b - 1 where b bits hold every row number.
    ids : ndarray of shape (n,), uint32
    keys : ndarray of shape (n,), int64
        The first k are written.

    Returns
    -------
    int
        k, the number of known rows.
    """
    known = 0
    missing = 0
    for r in range(bits.size):
        if bits[r] & ALL_BUT_SIGN > INFINITY:  # NaN
            ids[missing] = r
            missing += 1
        else:
            keys[known] = (as_integer(bits[r]) & ~row_bits) | r
            known += 1
    if known > 0:
        for i in range(missing - 1, -1, -1):
            ids[known + i] = ids[i]
    return known


@kernel
def sort_keys(keys, spare, counts):
    """Sort many integers in place, by one group of bits after the other.

    Parameters
    ----------
    keys : ndarray of shape (k,), int64
    spare : ndarray of shape (k,), int64
        Scratch.
    counts : ndarray of shape (DIGITS, 2^BITS), int64
        Scratch.
    """
    for d in range(DIGITS):
        for c in range(counts.shape[1]):
            counts[d, c] = 0
    for i in range(keys.size):
        for d in range(DIGITS):
            counts[d, digit(keys[i], d)] += 1
    source = keys
    target = spare
    swapped = False
    for d in range(DIGITS):
        if counts[d, digit(source[0], d)] == keys.size:  # all agree
            continue
        at = 0
        for c in range(counts.shape[1]):
            n = counts[d, c]
            counts[d, c] = at
            at += n
        for i in range(keys.size):
            c = digit(source[i], d)
            target[counts[d, c]] = source[i]
            counts[d, c] += 1
        source, target = target, source
        swapped = not swapped
    if swapped:
        for i in range(keys.size):
            keys[i] = source[i]


@kernel
def unpack(bits, row_bits, keys, ids, ranks):
    """Write the known rows in the order of their keys, and number their values.

    Parameters
    ----------
    bits, row_bits
        See `pack`.
    keys : ndarray of shape (k,), int64
        Sorted.
    ids, ranks : ndarray of shape (n,), uint32
        The first k are written. Equal ranks mean equal values.

    Returns
    -------
    tied, disordered : bool
        Are values equal? Were the bits left to them too few to order them?
    """
    rank = np.uint32(0)
    before = np.int64(0)
    disordered = False
    for i in range(keys.size):
        r = keys[i] & row_bits
        value = as_integer(bits[r])
        if i > 0 and value != before:
            rank += np.uint32(1)
            disordered = disordered or value < before
        before = value
        ids[i] = r
        ranks[i] = rank
    return rank + 1 < keys.size, disordered
