"""majority: missing values follow the larger child."""

from __future__ import annotations

from ..tree.strategy import Strategy


class Majority(Strategy):
    """Missing values go to the child with more known training weight, right when equal.

    Cuts are scored on the rows that know the column, times their share of the node.
    """

    name = "majority"
    mode = "known"
    plain = True
    checked_against = "brute force"
