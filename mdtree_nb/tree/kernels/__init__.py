"""Compiled loops over rows and nodes; the only room that imports numba.

`sweep` finds the best cut of one column, `search` that of a batch of nodes, `nodes` sums
up, marks and partitions rows, `fork` divides them, `route` sends rows down a finished
tree. `codes` holds the integers that they understand, `jit` says how they are compiled.
"""
