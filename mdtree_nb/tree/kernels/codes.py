"""Integer codes and column numbers shared by the kernels and the code around them.

Kernels take integers, never names: a string would cost a lookup in every node. The
tables below are the only place where the numbers are written down.

Does not: put them into words for people; `structure.py` does.
"""

# How a node tests its feature (Tree.kind), and how a column can be tested: THRESHOLD for
# numbers; EQUALS, SUBSET or MULTIWAY for categories. Tests from SUBSET on look the branch
# of a level up in a table.
THRESHOLD, EQUALS, IS_MISSING, SUBSET, MULTIWAY = 0, 1, 2, 3, 4

# Which candidates a sweep tries for the missing rows (Strategy.mode).
# GUESSED and FILLED have a sweep of their own.
KNOWN, LEFT, RIGHT, LEARNED, COMPLETE, GUESSED, FILLED = range(7)

# How the labels of a set of rows are summed up, its "stats": MOMENTS holds (weight, sum
# of w*y, sum of w*y^2), the other two hold the weight of each class.
MOMENTS, GINI, ENTROPY = 0, 1, 2

# A node of a batch (whole numbers): its segment, then the number of its known rows per
# feature.
START, STOP, FIRST_KNOWN = 0, 1, 2

# Sums over a node's rows: weight, mass (rows, or shares of rows), cost (weight times
# impurity; exactly 0 if all labels are equal), the centre that its stats are taken
# around, then the stats.
WEIGHT, MASS, COST, CENTRE, FIRST_STAT = 0, 1, 2, 3, 4

# The chosen cut of a node: feature, position, gain, branch of the missing rows, the left
# part of the known weight, weight of the missing rows, branches for known rows.
FEATURE, POSITION, GAIN, MISSING_BRANCH, LEFT_SHARE, MISSING_WEIGHT, BRANCHES = range(7)
CHOICE_COLUMNS = 7

# The best cut of one feature: position, mass left of it, mass of the missing rows, cuts that
# were tried, branches; of a multiway cut the branch `position` is one side and the rest the
# other, with the cost of the rest, its smallest mass and weight, its heaviest branch, that
# one's weight, and the sum of w log2 w of its weights; then the stats left of the cut and
# those of the missing rows.
CUT_POSITION, LEFT_MASS, MISSING_MASS, CUT_TRIES, CUT_BRANCHES = 0, 1, 2, 3, 4
REST_COST, REST_MASS, REST_WEIGHT, REST_BRANCH, REST_HEAVIEST, REST_XLOGX = 5, 6, 7, 8, 9, 10
FIRST_CUT_STAT = 11

# Where a cut lies. Threshold: the last row on the left, in the order of known rows.
# Category: see `levels.py`. Or one of these: no cut; "known rows left, missing rows right".
NO_CUT, ALONE = -1, -2

# The branch of a row that belongs to no child; missing rows that a strategy routes.
NOWHERE = 2**16 - 1
BY_RULE = -1

# Up to so many levels in a node, all groupings are tried for three and more classes.
EXHAUSTIVE = 10

# Two scores closer than this, relatively, are a tie and the first one wins: sums of
# floats differ in their last digits with the order of the rows.
TIE = 1e-12
