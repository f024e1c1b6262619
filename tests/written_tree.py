"""Trees written by hand: a `frame()` and nothing else, for marks that few strategies make."""

from __future__ import annotations

import pandas as pd

from mdtree_nb.tree.structure import Tree


class WrittenTree(Tree):
    """A tree that consists of its frame."""

    def __init__(self, frame):
        object.__setattr__(self, "_frame", frame)

    def frame(self):
        return self._frame


def leaf(weight, value, rows=None):
    return {"weight": weight, "value": value, "rows": weight if rows is None else rows}


def inner(weight, value, feature, conditions, children, *, test="threshold", arrived=None, **more):
    """A node with children; `arrived` is the missing weight that each child got."""
    node = leaf(weight, value, more.pop("rows", None))
    node |= {"feature": feature, "test": test, "conditions": conditions, "below": children}
    arrived = arrived or [0] * len(children)
    return node | {"arrived": arrived, "missing_weight": more.get("missing", sum(arrived))}


def write(root):
    """Number nested nodes level by level and make their frame."""
    rows, waiting = [], [(root, -1, 0, 0, "", 0.0)]
    for node, parent, branch, depth, condition, arrived in waiting:
        number = len(rows)
        below = node.get("below", [])
        first = len(waiting)
        names = tuple(range(first, first + len(below)))
        came = node.get("arrived", [])
        for b, child in enumerate(below):
            waiting.append((child, number, b, depth + 1, node["conditions"][b], came[b]))
        lost = float(node.get("missing_weight", 0.0))
        to = dict(zip(names, map(float, came), strict=True))
        total = sum(node["value"])
        rows.append(
            {
                "parent": parent,
                "branch": branch,
                "depth": depth,
                "condition": condition,
                "feature": node.get("feature"),
                "test": node.get("test"),
                "children": names,
                "rows": node["rows"],
                "weight": float(node["weight"]),
                "value": tuple(float(v) / total for v in node["value"]),
                "impurity": 0.0,
                "missing_weight": lost,
                "missing_branch": -1,
                "missing_to": to,
                "missing_stops": max(lost - sum(to.values()), 0.0),
                "arrived_missing": float(arrived),
            }
        )
    return WrittenTree(pd.DataFrame(rows).rename_axis("node"))


def every_mark():
    """Surrogates, a stop, a child for the missing, a subset, a multiway split, copies."""
    return write(
        inner(
            153,
            [97, 56],
            "Solar.R",
            ["Solar.R <= 153", "Solar.R > 153"],
            [
                inner(
                    58,
                    [53, 5],
                    "Month",
                    ["Month in {Jun, May, Sep}", "Month not in {Jun, May, Sep}"],
                    [leaf(39, [38, 1]), leaf(23, [19, 4])],
                    test="subset",
                    arrived=[4, 4],
                    missing=4,
                ),
                inner(
                    95,
                    [44, 51],
                    "Wind_speed_$mph",
                    ["Wind_speed_$mph <= 9.2", "Wind_speed_$mph > 9.2"],
                    [
                        inner(
                            41,
                            [8, 33],
                            "Station",
                            ["Station = Roof", "Station != Roof"],
                            [leaf(14, [6, 8]), leaf(24, [1, 23])],
                            test="equals",
                            missing=3,
                        ),
                        inner(
                            54,
                            [36, 18],
                            "Humidity",
                            [
                                "Humidity in {dry, arid}",
                                "Humidity = mild",
                                "Humidity = wet",
                                "Humidity is missing",
                            ],
                            [
                                leaf(17, [12, 5]),
                                leaf(18, [12, 6]),
                                leaf(10, [10, 0]),
                                leaf(9, [2, 7]),
                            ],
                            test="multiway",
                            arrived=[0, 0, 0, 9],
                        ),
                    ],
                    arrived=[4, 8],
                ),
            ],
            arrived=[14, 23],
        )
    )


def play_tennis():
    """Fractional cases with three children: 6 of 14 rows miss Outlook, 2 of 7 Wind."""
    return write(
        inner(
            14,
            [9, 5],
            "Outlook",
            ["Outlook = Sunny", "Outlook = Overcast", "Outlook = Rain"],
            [
                leaf(1.75, [0.5, 1.25], rows=7),
                leaf(5.25, [4.5, 0.75], rows=9),
                inner(
                    7,
                    [4, 3],
                    "Wind",
                    ["Wind = Weak", "Wind = Strong"],
                    [leaf(3.5, [3.25, 0.25], rows=7), leaf(3.5, [0.75, 2.75], rows=7)],
                    test="multiway",
                    arrived=[1, 1],
                    rows=10,
                ),
            ],
            test="multiway",
            arrived=[0.75, 2.25, 3],
        )
    )
