"""plot_comparison: mean scores of strategies with their intervals, or against a rate."""

from __future__ import annotations

import re
from collections.abc import Mapping
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from matplotlib import rc_context

from ..evaluation.statistics import smallest_visible_difference
from .curves import MOST_BANDS, draw_curves, new_axes
from .describe import set_description
from .fonts import fit_ends, heading, readable, shrink, width, write, write_title
from .theme import CLASSES, RC, Palette, dress, get_palette

_SIZE = 9.0  # points
_NAME = 22.0  # em, for a name
_DOTS = 3.6  # inches, the narrowest axis of scores

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
        When no strategy could be compared, for a table without the columns, and for a dict
        whose keys are no numbers or whose comparisons are ranked by different scores.
    TypeError
        For anything else.
    """
    palette = get_palette(theme)
    if isinstance(comparison, (Mapping, pd.DataFrame)):
        if isinstance(comparison, Mapping):
            table, score, higher_is_better = _points(comparison, x)
        else:
            table, score = _checked(comparison, x), "mean"
        return _curves(table, x, score, higher_is_better, ax, title, palette)
    _check_comparison(comparison)
    if comparison.best is None:
        raise ValueError("no strategy could be compared, so there is nothing to draw.")
    table = comparison.summary().iloc[::-1]
    words, is_given = heading(title, _finding(comparison)), ax is not None
    with rc_context(RC):
        room = _NAME if ax is None else min(_NAME, 0.4 * ax.figure.bbox.width / _em(ax))
        names = [fit_ends(readable(name), room) for name in table.index]
        ax = _dot_axes(names, words, palette) if ax is None else ax
        dress(ax, palette)
        _dots(ax, comparison, table, names, palette)
        if is_given and ax.figure.get_layout_engine() is not None:
            ax.figure.figure.draw_without_rendering()  # names move the Axes
        write_title(ax, words, is_given)
        if is_given:
            shrink(ax, ax.xaxis.label)
    return ax


def _check_comparison(comparison: Any) -> None:
    from ..evaluation.comparison import Comparison

    if not isinstance(comparison, Comparison):
        raise TypeError(
            f"comparison={comparison!r} must be a Comparison, a dict from numbers to them, or a "
            "table."
        )


def _em(ax: Any) -> float:
    """Font size of a name in pixels."""
    return float(_SIZE / 72 * ax.figure.dpi)


def _dot_axes(names: list[str], title: str, palette: Palette) -> Any:
    """Open a figure with room for the names beside the dots, and for the title above."""
    import matplotlib.pyplot as plt

    labels = max(map(width, names)) * _SIZE / 72 + 0.25
    inner = max(6.25 - labels, _DOTS, width(title, bold=True) * 10 / 72)
    size = (labels + inner + 0.15, 1.6 + 0.3 * len(names))
    figure = plt.figure(figsize=size, facecolor=palette.paper)
    bottom = 0.62 / size[1]
    return figure.add_axes((labels / size[0], bottom, inner / size[0], 1 - bottom - 0.35 / size[1]))


def _dots(
    ax: Any, comparison: Comparison, table: pd.DataFrame, names: list[str], palette: Palette
) -> None:
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
    ax.set_yticks(range(len(table)), names, parse_math=False)
    for label, name in zip(ax.get_yticklabels(), names, strict=True):
        write(label, name)
    ax.set_ylim(-0.7, len(table) - 0.3)
    ax.set_xlabel(
        f"mean {fit_ends(readable(comparison.scoring), _NAME)} over {scores.shape[1]} folds, "
        "95 % interval\ngrey: no visible difference to the best",
        parse_math=False,
    )
    low, high = ax.get_xlim()
    side = "left" if base < (low + high) / 2 else "right"
    words = " same answer for all" if side == "left" else "same answer for all "
    small = {"fontsize": 7.5, "color": palette.muted, "parse_math": False}
    ax.text(base, -0.62, words, va="bottom", ha=side, **small)
    for place, note, mean in lines:
        told = f"not ranked: {re.split(r'[:(]', note)[0].strip()}"
        if np.isfinite(mean):
            told += f"; mean of its finished folds {mean:.3f}"
        ax.text(0.01, place, told, transform=ax.get_yaxis_transform(), va="center", **small)


def _finding(comparison: Comparison) -> str:
    table, visible = comparison.summary().loc[comparison.ranked], comparison.detectable
    best = fit_ends(readable(table.index[0]), _NAME)
    behind = table["behind"].iloc[1:].dropna()
    if not len(behind):
        return f"{best} reaches {table['mean'].iloc[0]:.3f}"
    lead = behind.iloc[0]
    if np.isnan(visible):
        return f"{best} leads by {lead:.3f} in one fold, which says little"
    if lead >= visible:
        return f"{best} leads by {lead:.3f}, more than the visible {visible:.3f}"
    return f"No visible winner: differences below {visible:.3f} could be chance"


def _points(comparisons: Mapping[float, Comparison], x: str) -> tuple[pd.DataFrame, str, bool]:
    """One line per strategy and comparison, with the interval of the mean."""
    if not comparisons:
        raise ValueError("the dict is empty, so there is nothing to draw.")
    for place, comparison in comparisons.items():
        _check_comparison(comparison)
        if not isinstance(place, Real) or isinstance(place, bool) or not np.isfinite(place):
            raise ValueError(
                f"the dict has the key {place!r}; keys are numbers, such as the rate, for they "
                "are places on the axis."
            )
    scores = sorted({comparison.scoring for comparison in comparisons.values()})
    if len(scores) > 1:
        raise ValueError(
            f"the comparisons are ranked by {' and '.join(scores)}, which have no common axis; "
            "take one score of each, such as comparison.by(metric)."
        )
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
    words = [name for name in (x, "mean") if not pd.api.types.is_numeric_dtype(table[name])]
    if words:
        raise ValueError(f"the table's column {words[0]!r} must hold numbers.")
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
    words, is_given = heading(title, finding), ax is not None
    names = [str(name) for name in table["strategy"].unique()]
    note = "" if len(names) > MOST_BANDS or table["low"].isna().all() else "; band: 95 % interval"
    with rc_context(RC):
        ax = new_axes(names, words, palette) if ax is None else ax
        draw_curves(ax, table, x, palette)
        ax.set_xlabel(f"{readable(x)}{note}", parse_math=False, color=palette.ink)
        ax.set_ylabel(readable(score), parse_math=False, color=palette.ink)
        write_title(ax, words, is_given)
    lines = [f"{words or readable(finding)}. {score} against {x}{note}"]
    for name, its in table.groupby("strategy", sort=False):
        steps = ", ".join(
            f"{m:.3f} at {v:g}" if np.isfinite(m) else f"none at {v:g}"
            for v, m in its.sort_values(x)[[x, "mean"]].to_numpy(dtype=float)
        )
        lines.append(f"{name}: {steps}")
    set_description(ax, "\n".join(lines))
    return ax
