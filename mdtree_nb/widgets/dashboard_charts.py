"""The charts of StrategyDashboard: scores, ranks or differences, and costs.

Does not: compute; `dashboard_numbers.py` does.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from ..evaluation.many_sets import Friedman
from ..plots.chart import Chart
from ..plots.curves import COLOURS, MOST_BANDS, push_apart
from ..plots.fonts import width
from ..plots.ranks import rank_methods

WIDE, HIGH = 560, 300
_LINE = 14.0  # pixels between two names


def colours_of(names: list[str]) -> dict[str, str]:
    """A colour for each strategy, the same in every chart.

    Parameters
    ----------
    names : list of str

    Returns
    -------
    dict
    """
    return {name: COLOURS[j % len(COLOURS)] for j, name in enumerate(names)}


def _room(names: list[str]) -> float:
    return 24 + 11 * max([width(name) for name in names] or [0.0])


def _range(table: pd.DataFrame) -> tuple[float, float]:
    known = table[["mean", "low", "high"]].to_numpy(dtype=float)
    known = known[np.isfinite(known)]
    low, high = (float(known.min()), float(known.max())) if len(known) else (0.0, 1.0)
    margin = 0.06 * (high - low) or 0.05 * abs(high) or 0.05
    return low - margin, high + margin


def score_chart(table: pd.DataFrame, score: str, colours: dict[str, str]) -> Chart:
    """Mean score against rate with bands, or one line per strategy where there is one rate.

    Parameters
    ----------
    table : DataFrame
        Of `mean_by_rate`.
    score : str
    colours : dict

    Returns
    -------
    Chart
    """
    names = [name for name in colours if name in set(table["strategy"])]
    if table["rate"].nunique(dropna=False) < 2:
        interval = ", 95 % interval" if table["low"].notna().any() else ""
        return _dots(table, f"Mean {score}", f"mean {score}{interval}", colours)
    rates = np.sort(table["rate"].unique())
    few = len(names) <= MOST_BANDS and bool(table["low"].notna().any())
    margin = 0.03 * (rates[-1] - rates[0])
    chart = Chart(
        (rates[0] - margin, rates[-1] + margin), _range(table), f"{score} against the rate",
        "rate of missing values" + "; dotted: 95 % interval" * few, f"mean {score}", wide=WIDE,
        high=HIGH, right=_room(names),
    )  # fmt: skip
    if few:
        for name in names:
            its = table[table["strategy"] == name].dropna(subset="low")
            for side in ("low", "high"):
                chart.line(its["rate"], its[side], colours[name], size=0.9, dash="dot")
    ends = []
    for name in names:
        its = table[table["strategy"] == name]
        chart.line(its["rate"], its["mean"], colours[name], name=name)
        chart.dots(its["rate"], its["mean"], colours[name], size=3)
        ends.append((float(its["mean"].iloc[-1]), float(its["rate"].iloc[-1]), name))
    ends.sort()
    pixels = [chart.pixels([(x, y)])[0] for y, x, _ in ends]
    tall = chart.high - 60.0
    gap = min(_LINE / tall, 1 / max(len(ends) - 1, 1))
    wanted = np.array([(chart.high - 38 - p[1]) / tall for p in pixels])
    for (y, x, name), at, place in zip(ends, pixels, push_apart(wanted, gap), strict=True):
        shift = (8.0, float(chart.high - 38 - place * tall - at[1]))
        chart.text(x, y, name, "ink", shift=shift)
    lines = [
        f"{name} " + ", ".join(f"{m:.3f} at {r:g}" for r, m in its[["rate", "mean"]].to_numpy())
        for name, its in table.groupby("strategy", sort=False)
    ]
    chart.words = f"Mean {score} by rate: " + "; ".join(lines)
    return chart


def _dots(table: pd.DataFrame, title: str, xlabel: str, colours: dict[str, str]) -> Chart:
    """One line per strategy: a dot and its interval."""
    n = len(table)
    chart = Chart(
        _range(table), (n - 0.4, -0.6), title, xlabel, wide=WIDE, high=max(110 + 22 * n, 170),
        right=16, yticks=[(i, str(name)) for i, name in enumerate(table["strategy"])],
    )  # fmt: skip
    for i, line in enumerate(table.itertuples()):
        colour = colours[str(line.strategy)]
        if np.isfinite(line.low):
            chart.line([line.low, line.high], [i, i], colour, size=2)
        if np.isfinite(line.mean):
            chart.dots([line.mean], [i], colour, size=4, name=str(line.strategy))
            chart.text(line.mean, i, _number(line.mean), "ink", align="center", shift=(0, -10))
    spoken = [
        f"{line.strategy} {_number(line.mean)}"
        + (f" ({_number(line.low)} to {_number(line.high)})" if np.isfinite(line.low) else "")
        for line in table.itertuples()
    ]
    chart.words = f"{title}: " + "; ".join(spoken)
    return chart


def _number(x: float) -> str:
    return f"{round(x, 3) + 0.0:.3f}".replace("-", "\N{MINUS SIGN}")


def behind_chart(table: pd.DataFrame, score: str, colours: dict[str, str]) -> Chart:
    """Distance to the best on the same folds.

    Parameters
    ----------
    table : DataFrame
        Of `behind`, the best first.
    score : str
    colours : dict

    Returns
    -------
    Chart
    """
    best = str(table["strategy"].iloc[0])
    chart = _dots(table, f"Distance to {best}, fold by fold", f"difference in {score}", colours)
    chart.line([0, 0], [len(table) - 0.4, -0.6], "muted", size=1, dash="dash")
    return chart


def rank_chart(found: Friedman, colours: dict[str, str]) -> tuple[Chart, str]:
    """Mean ranks, those too close to tell joined, and the critical difference.

    Parameters
    ----------
    found : Friedman
    colours : dict

    Returns
    -------
    Chart
    str
        The finding.
    """
    ranking = rank_methods(found, 0.05)
    n = len(ranking.names)
    groups = len(ranking.groups)
    high = 120 + 20 * n + 9 * groups
    chart = Chart(
        (1.0 - 0.03 * (n - 1), float(n)), (n + 0.5 * groups, -1.6), "Mean ranks, 1 = best",
        f"mean rank over {found.n_sets} data sets", wide=WIDE, high=high, right=44,
        xticks=[(r, str(r)) for r in range(1, n + 1)],
        yticks=[(i, name) for i, name in enumerate(ranking.names)],
    )  # fmt: skip
    for i, (name, rank) in enumerate(zip(ranking.names, ranking.ranks, strict=True)):
        chart.line([1, rank], [i, i], "faint", size=1)
        chart.dots([rank], [i], colours[name], size=4.5, name=name)
        chart.text(rank, i, f"{rank:.2f}", "ink", align="left", shift=(8, 0))
    for j, (first, last) in enumerate(ranking.groups):
        y = n - 0.3 + 0.5 * j
        chart.line(ranking.ranks[first : last + 1 : last - first], [y, y], "ink", size=4)
    end = min(1 + ranking.distance, float(n))
    chart.line([1, end], [-1, -1], "muted", size=2, dash="" if end < n else "dash")
    chart.text(1, -1, f"CD {ranking.distance:.2f}", "muted", shift=(0, -9))
    chart.words = " ".join(ranking.words().split("\n"))
    return chart, ranking.finding


def cost_chart(cost: pd.DataFrame, colours: dict[str, str]) -> Chart:
    """Median seconds of a fit.

    Parameters
    ----------
    cost : DataFrame
        `strategy` and `seconds`.
    colours : dict

    Returns
    -------
    Chart
    """
    median = cost.groupby("strategy")["seconds"].median().reindex(list(colours)).dropna()
    n = len(median)
    most = float(median.max()) if n else 1.0
    chart = Chart(
        (0.0, 1.02 * most or 1.0), (n - 0.4, -0.6), "Cost", "median seconds of a fit", wide=WIDE,
        high=max(90 + 20 * n, 150), right=60,
        yticks=[(i, str(name)) for i, name in enumerate(median.index)],
    )  # fmt: skip
    for i, (name, seconds) in enumerate(median.items()):
        chart.box([0, seconds], [i - 0.32, i + 0.32], colours[str(name)], outline="muted")
        chart.text(seconds, i, f"{seconds:.3g} s", "ink", shift=(5, 0))
    chart.words = "Cost: median seconds of a fit, by strategy"
    return chart
