"""plot_comparison: mean scores of strategies with their intervals, or against a rate."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from matplotlib import rc_context

from ..evaluation.statistics import smallest_visible_difference
from .curves import MOST_BANDS, draw_curves, new_axes
from .describe import set_description
from .fonts import readable, write
from .theme import CLASSES, RC, Palette, dress, get_palette

if TYPE_CHECKING:
    from ..evaluation.comparison import Comparison


def plot_comparison(
    comparison: Comparison | Mapping[float, Comparison] | pd.DataFrame,
    *,
    x: str = "rate",
    higher_is_better: bool = True,
    ax: Any = None,
    title: str | None = None,
    theme: str = "light",
) -> Any:
    """Draw the mean score of each strategy, best on top; or curves of it.

    Of one comparison: a dot is the mean over folds, its bar the 95 % interval of that mean,
    corrected for the overlap of the folds; the band is what lies within the smallest visible
    difference of the best; the dashed line is the score of always giving the same answer. What
    could not be ranked stands below, with the reason.

    Of several, a curve per strategy, named at its end. The names are pushed apart. Up to four
    curves have their intervals as bands.

    Parameters
    ----------
    comparison : Comparison, dict or DataFrame
        A dict from a number, such as the rate of missing values, to its Comparison; or a table
        with columns `strategy`, x and `mean`, and `low` and `high` where there are bands.
    x : str, default="rate"
        What stands below the curves; in a table, the column.
    higher_is_better : bool, default=True
        Of the means in a table; comparisons know it.
    ax : matplotlib Axes or None, default=None
        None = a new figure of its own.
    title : str or None, default=None
        None = the finding in words.
    theme : {"light", "dark"}, default="light"

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    ValueError
        When no strategy could be compared, and for a table without the columns.
    """
    palette = get_palette(theme)
    if isinstance(comparison, (Mapping, pd.DataFrame)):
        if isinstance(comparison, Mapping):
            table, score, higher_is_better = _points(comparison, x)
        else:
            table, score = _checked(comparison, x), "mean"
        return _curves(table, x, score, higher_is_better, ax, title, palette)
    if comparison.best is None:
        raise ValueError("no strategy could be compared, so there is nothing to draw.")
    table = comparison.summary().iloc[::-1]
    with rc_context(RC):
        if ax is None:
            import matplotlib.pyplot as plt

            size = (6.4, 1.6 + 0.3 * len(table))
            _, ax = plt.subplots(figsize=size, layout="constrained", facecolor=palette.paper)
        dress(ax, palette)
        _dots(ax, comparison, table, palette)
        ax.set_title(title or _finding(comparison), parse_math=False, color=palette.ink)
    return ax


def _dots(ax: Any, comparison: Comparison, table: pd.DataFrame, palette: Palette) -> None:
    scores, ranked = comparison.scores, set(comparison.ranked)
    best = float(table["mean"].iloc[-1])
    visible = comparison.detectable
    if np.isfinite(visible):
        worse = best - visible if comparison.higher_is_better else best + visible
        ax.axvspan(*sorted((worse, best)), color=palette.faint, zorder=0, label="_band")
    base = comparison.baseline
    ax.axvline(base, color=palette.muted, ls="--", lw=1, label="same answer for all")
    lines = []
    for place, (name, mean) in enumerate(table["mean"].items()):
        if name not in ranked:
            lines.append((place, str(table.at[name, "note"]), mean))
            continue
        known = scores.loc[name].dropna()
        half = np.nan
        if len(known) > 1:
            half = smallest_visible_difference(known, comparison.test_to_train)
        ax.plot([mean - half, mean + half], [place, place], color=CLASSES[0], lw=2, label="_")
        ax.plot([mean], [place], "o", color=CLASSES[0], ms=6, label=name)
        ax.annotate(
            f"{mean:.3f}",
            (mean, place),
            xytext=(0, 6),
            textcoords="offset points",
            ha="center",
            fontsize=7.5,
            color=palette.ink,
            parse_math=False,
        )
    ax.set_yticks(range(len(table)), list(table.index), parse_math=False)
    ax.set_ylim(-0.7, len(table) - 0.3)
    ax.set_xlabel(
        f"mean {comparison.scoring} over {scores.shape[1]} folds, 95 % interval\n"
        "grey: no visible difference to the best"
    )
    low, high = ax.get_xlim()
    side = "left" if base < (low + high) / 2 else "right"
    words = " same answer for all" if side == "left" else "same answer for all "
    small = {"fontsize": 7.5, "color": palette.muted, "parse_math": False}
    ax.text(base, -0.62, words, va="bottom", ha=side, **small)
    for place, note, mean in lines:
        told = f"not ranked: {note.partition(':')[0]}"
        if np.isfinite(mean):
            told += f"; mean of its finished folds {mean:.3f}"
        ax.text(0.01, place, told, transform=ax.get_yaxis_transform(), va="center", **small)


def _finding(comparison: Comparison) -> str:
    means = comparison.summary().loc[comparison.ranked, "mean"]
    if len(means) < 2:
        return f"{means.index[0]} reaches {means.iloc[0]:.3f}"
    lead, visible = abs(means.iloc[0] - means.iloc[1]), comparison.detectable
    if np.isnan(visible):
        return f"{means.index[0]} leads by {lead:.3f} in one fold, which says little"
    if lead >= visible:
        return f"{means.index[0]} leads by {lead:.3f}, more than the visible {visible:.3f}"
    return f"No visible winner: differences below {visible:.3f} could be chance"


def _points(comparisons: Mapping[float, Comparison], x: str) -> tuple[pd.DataFrame, str, bool]:
    """One line per strategy and comparison, with the interval of the mean."""
    if not comparisons:
        raise ValueError("the dict is empty, so there is nothing to draw.")
    lines = []
    for place, comparison in comparisons.items():
        for name, scores in comparison.scores.iterrows():
            known = scores.dropna()
            mean = known.mean() if name in comparison.ranked else np.nan
            half = np.nan
            if len(known) > 1:
                half = smallest_visible_difference(known, comparison.test_to_train)
            lines.append((name, place, mean, mean - half, mean + half))
    table = pd.DataFrame(lines, columns=["strategy", x, "mean", "low", "high"])
    first = next(iter(comparisons.values()))
    return table, f"mean {first.scoring}", first.higher_is_better


def _checked(table: pd.DataFrame, x: str) -> pd.DataFrame:
    lacking = [name for name in ("strategy", x, "mean") if name not in table]
    if lacking or not len(table):
        raise ValueError(
            f"the table has {len(table)} lines and no column {lacking}; it needs 'strategy', "
            f"{x!r} and 'mean', and has {list(table.columns)}."
        )
    if table.duplicated(["strategy", x]).any():
        raise ValueError(f"the table has a strategy twice at one {x}; average its lines first.")
    return table.reindex(columns=[*table.columns, *({"low", "high"} - set(table.columns))])


def _curves(
    table: pd.DataFrame,
    x: str,
    score: str,
    higher_is_better: bool,
    ax: Any,
    title: str | None,
    palette: Palette,
) -> Any:
    last = table[x].max()
    end = table[table[x] == last].dropna(subset="mean")
    end = end.sort_values("mean", ascending=not higher_is_better, kind="stable")
    if not len(end):
        raise ValueError(f"no strategy has a mean at the last {x}={last}; leave it out.")
    finding = f"At {x} {last:g}, {end['strategy'].iloc[0]} is ahead"
    if len(end) > 1:
        first, second = end.iloc[0], end.iloc[1]
        near = first["low"] <= second["high"] and second["low"] <= first["high"]
        finding += f" by {abs(first['mean'] - second['mean']):.3f}"
        finding += ", less than the intervals are wide" if near else ""
    heading = readable(finding if title is None else title or " ")
    names = [str(name) for name in table["strategy"].unique()]
    note = "" if len(names) > MOST_BANDS or table["low"].isna().all() else "; band: 95 % interval"
    with rc_context(RC):
        ax = new_axes(names, heading, palette) if ax is None else ax
        draw_curves(ax, table, x, palette)
        ax.set_xlabel(f"{readable(x)}{note}", parse_math=False, color=palette.ink)
        ax.set_ylabel(readable(score), parse_math=False, color=palette.ink)
        ax.set_title("")
        write(ax._left_title, heading)
    lines = [f"{heading}. {score} against {x}{note}"]
    for name, its in table.groupby("strategy", sort=False):
        steps = ", ".join(
            f"{m:.3f} at {v:g}" if np.isfinite(m) else f"none at {v:g}"
            for v, m in its.sort_values(x)[[x, "mean"]].to_numpy(dtype=float)
        )
        lines.append(f"{name}: {steps}")
    set_description(ax, "\n".join(lines))
    return ax
