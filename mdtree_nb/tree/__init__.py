"""The core: what a tree is, how it grows, and how rows travel through it.

It knows no missing-value strategy by name. Reading order: `structure` (a fitted tree),
`criteria` (what a set of labels costs), `cuts` and `strategy` (the contract),
`workspace` and `growth` (growing), `routing` (rows through the tree), `pruning`
(cost-complexity), `refill` (training rows through a tree whose branches were moved) and
`written` (a tree that somebody wrote down).
"""
