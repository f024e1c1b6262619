"""The chart of SplitExplorer: gains above, the rows that are divided below.

Does not: score cuts.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from ..plots.chart import Chart, round_ticks
from ..plots.fonts import width
from .split_numbers import BY_HAND, NodeColumn

MOST_DOTS, MOST_CLASSES = 900, 7
_LANE = (0.05, 0.2)  # of the span: where the lane of blanks begins and ends


def column_ends(column: NodeColumn) -> tuple[float, float]:
    """Smallest and largest value, taken away or not.

    Parameters
    ----------
    column : NodeColumn

    Returns
    -------
    tuple of float
    """
    known = column.x[np.isfinite(column.x)]
    return (float(known.min()), float(known.max())) if len(known) else (0.0, 1.0)


def split_chart(
    column: NodeColumn,
    curves: dict[str, pd.DataFrame],
    classes: list[Any] | None,
    top: float,
    at: float,
) -> Chart:
    """Draw the gain of every cut under some strategies, and the rows.

    Parameters
    ----------
    column : NodeColumn
    curves : dict
        Cuts by name of the strategy, BY_HAND first.
    classes : list or None
        None = regression.
    top : float
        Largest gain of the axis.
    at : float
        The cut to mark.

    Returns
    -------
    Chart
    """
    low, high = column_ends(column)
    span = high - low or 1.0
    start, lane = low - 0.03 * span, (high + _LANE[0] * span, high + _LANE[1] * span)
    strips = 3.0 if classes is None else min(len(classes), MOST_CLASSES)
    floor = -top * (0.06 + 0.17 * strips)
    chart = Chart(
        (start, lane[1]), (floor, 1.2 * top), xlabel=column.name, ylabel="gain", wide=760,
        high=int(250 + 34 * strips), xticks=round_ticks(low, high, 7),
        yticks=round_ticks(0, top, 4),
    )  # fmt: skip
    blank = int(np.isnan(column.seen).sum())
    if blank:
        chart.box(lane, (floor, 1.2 * top), "tint")
        chart.line([lane[0]] * 2, (floor, 1.2 * top), "missing", dash="dash", size=1)
        where = (sum(lane) / 2, 1.2 * top)
        chart.text(*where, f"{blank} missing", "missing", align="center", bold=True, shift=(0, 9))
    chart.line([start, lane[1]], [0, 0], "muted", size=1)
    _draw_rows(chart, column, classes, lane, floor)
    x = 8.0
    names = [name for name in curves if name != BY_HAND]
    for name in [*names, BY_HAND]:  # the dashes lie on top
        by_hand = name == BY_HAND
        colour = "missing" if by_hand else f"line{names.index(name)}"
        line = curves[name].dropna(subset="threshold").sort_values("threshold")
        look = {"size": 2.2, "dash": "dash"} if by_hand else {"size": 1.6}
        chart.line(line["threshold"], line["gain"], colour, name=name, **look)
        alone = curves[name][curves[name]["threshold"].isna()]
        chart.dots([sum(lane) / 2] * len(alone), alone["gain"], colour, size=4, hollow=True)
        if len(line):
            best = line.loc[line["gain"].idxmax()]
            chart.dots([best["threshold"]], [best["gain"]], colour, size=3.4 if by_hand else 5.0)
        words = f"{name} (dashed)" if by_hand else name
        chart.text(start, 1.2 * top, words, colour, bold=True, shift=(x, 9))
        x += 11 * width(words, bold=True) + 18
    chart.line([at, at], (floor, 1.08 * top), "ink", size=1.2, name="cut")
    return chart


def _draw_rows(
    chart: Chart,
    column: NodeColumn,
    classes: list[Any] | None,
    lane: tuple[float, float],
    floor: float,
) -> None:
    """Draw the rows below the gains: a strip per class, or by their label."""
    n = len(column.x)
    some = np.arange(n) if n <= MOST_DOTS else np.linspace(0, n - 1, MOST_DOTS).astype(int)
    seen, spread = column.seen[some], (some * 0.6180339887498949) % 1.0
    x = np.where(np.isnan(seen), lane[0] + (lane[1] - lane[0]) * (0.1 + 0.8 * spread), seen)
    size = 2.2 if len(some) > 300 else 3.0
    ticks = list(chart.yticks or ())
    groups: list[tuple[int, Any, Any, str]] = []
    if classes is None:
        y = column.y.astype(float)
        low, high = (float(y.min()), float(y.max())) if n else (0.0, 0.0)
        place = floor * (0.95 - 0.85 * (y[some] - low) / (high - low or 1.0))
        groups.append((0, place, np.ones(len(some), dtype=bool), ""))
        ticks += [(0.95 * floor, f"{low:.4g}"), (0.1 * floor, f"{high:.4g}")]
    else:
        shown = classes[:MOST_CLASSES]
        strip = floor / max(len(shown), 1)
        place = strip * (0.2 + 0.6 * ((some * 0.7548776662466927) % 1.0))
        for j, label in enumerate(shown):
            groups.append((j, strip * j + place, column.y[some] == label, f" {label}"))
            ticks.append((strip * (j + 0.5), str(label)))
    chart.yticks = ticks
    for j, place, here, label in groups:
        for hollow in (False, True):  # a value that was taken away leaves a ring
            its = here & (column.blanked[some] == hollow)
            if its.any():
                look: dict[str, Any] = {"size": size, "hollow": hollow, "faint": not hollow}
                chart.dots(x[its], place[its], f"class{j}", name=f"rows{label}", **look)
