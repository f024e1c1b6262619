"""The tests of a category column and what is in its levels, drawn for plot_split.

Above, one line per test with its gain; below, one bar per level. All stand in one Axes
whose x axis belongs to the bars below: the gains above are written beside their bars.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.patches import Patch

from .fonts import fit_ends
from .split_parts import SMALL, Curve, Rows, cut_in_words, gain_in_words, shorten
from .theme import CLASSES, HATCHES

MOST_TESTS = 6
MOST_LEVELS = 12
IN_LINE = 4  # entries of the legend
COLUMN = 0.15  # width of a column of gains, one per strategy
TEST = 1.6  # height of a test; that of a level is 1


def levels_figure_height(rows: Rows, curves: list[Curve]) -> float:
    """Height of a figure that has room for all, in inches."""
    n_levels = min(len(rows.levels or ()), MOST_LEVELS) + bool(rows.missing.any())
    lines = TEST * len(_tests(rows, curves)) + n_levels + _legend_lines(rows) + len(curves)
    return 1.4 + 0.21 * lines


def _legend_lines(rows: Rows) -> int:
    return -(-len(rows.classes or ()) // IN_LINE)


def draw_levels(ax: Any, rows: Rows, curves: list[Curve]) -> None:
    """Draw the best tests, and below them the levels by the grouping of the best one."""
    tests = _tests(rows, curves)
    if len(curves) == 1:
        _draw_gains(ax, rows, tests)
    else:
        _draw_columns(ax, rows, tests, curves)
    bottom = TEST * (len(tests) - 1) + 0.9
    ax.axhline(bottom, color=rows.palette.faint, lw=0.8, label="_rule")
    start = bottom + 0.9 + _legend_lines(rows)
    if rows.classes:
        handles = [
            Patch(fc=CLASSES[j], ec=rows.palette.hatch, hatch=HATCHES[j], label=shorten(name, 16))
            for j, name in enumerate(rows.classes)
        ]
        legend = ax.legend(
            handles=handles, ncols=IN_LINE, loc="center left", frameon=False, fontsize=SMALL,
            bbox_to_anchor=(0, (bottom + start) / 2 - 0.15), borderpad=0, borderaxespad=0,
            bbox_transform=ax.get_yaxis_transform(), labelspacing=0.3, handlelength=1.6,
        )  # fmt: skip
        for text in legend.get_texts():
            text.set_parse_math(False)
    end = _draw_bars(ax, rows, curves[0].best, start)
    ax.set_ylim(end + 0.2, -1.1 if len(curves) == 1 else -2.5)
    ax.spines["left"].set_visible(False)
    what = "share of each class" if rows.classes else f"{rows.target or 'label'}, mean and 1 SD,"
    grouped = f", grouped by {curves[0].label}" if len(curves) > 1 else ""
    ax.set_xlabel(f"{what} by level of {rows.name}{grouped}", parse_math=False)


# -- tests ------------------------------------------------------------------------


def _tests(rows: Rows, curves: list[Curve]) -> pd.DataFrame:
    """Gain of the best tests (rows) under each curve (columns), NaN where it is none."""
    gains: dict[tuple[Hashable, ...], dict[int, float]] = {}
    words: dict[tuple[Hashable, ...], str] = {}
    for i, curve in enumerate(curves):
        for _, cut in curve.cuts.iterrows():
            branches = rows.multiway and len(cut["levels"]) > 0
            key = (cut["levels"], cut["missing_to"] if branches else "")
            gains.setdefault(key, {}).setdefault(i, float(cut["gain"]))
            words.setdefault(key, cut_in_words(rows, cut, len(curves) == 1))
    table = pd.DataFrame(list(gains.values()), columns=range(len(curves)))
    table.index = pd.Index([words[key] for key in gains])
    order = np.argsort(-table.max(axis=1).to_numpy(), kind="stable")
    return table.iloc[order].head(MOST_TESTS)


def _draw_gains(ax: Any, rows: Rows, tests: pd.DataFrame) -> None:
    """Draw one bar per test."""
    longest = max(float(tests[0].max()), 1e-9)
    to = ax.get_yaxis_transform()
    for i, (words, gain) in enumerate(tests[0].items()):
        place, width, colour = (
            TEST * i,
            0.9 * gain / longest,
            rows.palette.ink if i == 0 else rows.palette.flow,
        )
        ax.barh(place, width, height=0.55, color=colour, transform=to, label="_gain")
        _write_test(ax, rows, words, place, i == 0)
        ax.annotate(
            gain_in_words(gain), (width, place), (4, 0), xycoords=to, textcoords="offset points",
            fontsize=SMALL, va="center", fontweight="bold" if i == 0 else "normal",
        )  # fmt: skip


def _draw_columns(ax: Any, rows: Rows, tests: pd.DataFrame, curves: list[Curve]) -> None:
    """Draw one mark per test and strategy, and a column of gains for each strategy."""
    longest = max(float(tests.max().max()), 1e-9)
    to = ax.get_yaxis_transform()
    room = 1 - COLUMN * len(curves)
    for j, curve in enumerate(curves):
        x = room + COLUMN * (j + 0.5)
        ax.plot([x], [-1.05], curve.mark, color=curve.colour, ms=5, transform=to, label="_key")
        ax.text(
            x, -1.3 - 0.6 * (j % 2), fit_ends(curve.label, 13.0, bold=True), transform=to,
            ha="center", va="bottom", fontsize=SMALL, color=curve.colour, fontweight="bold",
            parse_math=False,
        )  # fmt: skip
        best = tests[j].max()
        for i, gain in enumerate(tests[j]):
            if np.isnan(gain):
                continue
            at, place = (room - 0.04) * gain / longest, TEST * i
            ax.plot(
                [at], [place], curve.mark, color=curve.colour, ms=5 + 2 * (len(curves) - 1 - j),
                transform=to, label="_gain", zorder=3 + j, clip_on=False,
            )  # fmt: skip
            ax.text(
                x, place, gain_in_words(gain), transform=to, ha="center", va="center",
                fontsize=SMALL, color=curve.colour,
                fontweight="bold" if gain == best else "normal",
            )  # fmt: skip
    for i, words in enumerate(tests.index):
        ax.plot(
            [0, room - 0.02],
            [TEST * i] * 2,
            color=rows.palette.faint,
            lw=0.8,
            transform=to,
            label="_line",
        )
        _write_test(ax, rows, words, TEST * i, i == 0)


def _write_test(ax: Any, rows: Rows, words: Any, place: float, is_best: bool) -> None:
    ax.text(
        0, place - 0.36, shorten(str(words), 80), transform=ax.get_yaxis_transform(), va="bottom",
        fontsize=SMALL, color=rows.palette.ink if is_best else rows.palette.muted, parse_math=False,
    )  # fmt: skip


# -- levels -----------------------------------------------------------------------


def _draw_bars(ax: Any, rows: Rows, best: pd.Series, start: float) -> float:
    """Draw a bar per level, group by group; returns where they end."""
    groups = _groups(rows, best)
    place, ticks = start, []
    to = ax.get_yaxis_transform()
    for side, codes in groups:
        first = place
        for code in codes:
            here = rows.missing if code is None else rows.x == code
            name = "missing" if code is None else str((rows.levels or ())[code])
            draw = _draw_shares if rows.classes else _draw_mean
            draw(ax, rows, here, place, code is None)
            ticks.append((place, f"{shorten(name, 22)} ({int(here.sum())})"))
            place += 1.0
        if side:
            colour = rows.palette.missing if codes == [None] else rows.palette.muted
            ax.plot(
                [1.015] * 2, [first - 0.4, place - 0.6], color=colour, lw=1.2, transform=to,
                clip_on=False, label="_side",
            )  # fmt: skip
            ax.annotate(
                side, (1.015, (first + place - 1) / 2), (4, 0), xycoords=to, fontsize=SMALL,
                textcoords="offset points", va="center", color=colour, parse_math=False,
                annotation_clip=False,
            )  # fmt: skip
        place += 0.3
    ax.set_yticks([at for at, _ in ticks], [name for _, name in ticks], parse_math=False)
    ax.tick_params(axis="y", length=0)
    if groups[-1][1] == [None]:
        ax.get_yticklabels()[-1].set_color(rows.palette.missing)
    if rows.classes:
        ax.set_xlim(0, 1)
    else:
        ax.set_xlim(float(rows.y.min()), float(rows.y.max()) + 1e-9)
    return place - 0.3


def _groups(rows: Rows, best: pd.Series) -> list[tuple[str, list[Any]]]:
    """Codes of the levels that stand together, with the side they go to; None = missing."""
    names = rows.levels or ()
    counts = np.bincount(rows.x[~rows.missing].astype(np.intp), minlength=len(names))
    codes = np.argsort(-counts, kind="stable")[:MOST_LEVELS]
    codes = codes[counts[codes] > 0]
    value = rows.y != 0 if rows.classes else rows.y
    mean = [np.average(value[rows.x == c], weights=rows.w[rows.x == c]) for c in codes]
    codes = codes[np.argsort(mean, kind="stable")]
    groups: list[tuple[str, list[Any]]]
    if rows.multiway or not best["levels"]:
        groups = [("", list(map(int, codes)))]
    else:
        is_left = np.isin(codes, [names.index(level) for level in best["levels"]])
        sides = (("left", codes[is_left]), ("right", codes[~is_left]))
        groups = [(side, list(map(int, its))) for side, its in sides if len(its)]
    if rows.missing.any():
        to = str(best["missing_to"]) if best["levels"] else "apart"
        groups.append((shorten(to, 12), [None]))
    return groups


def _draw_shares(ax: Any, rows: Rows, here: Any, place: float, is_missing: bool) -> None:
    """Draw the share of each class among some rows."""
    weight = np.bincount(rows.y[here], rows.w[here], minlength=len(rows.classes or ()))
    start = 0.0
    for j, share in enumerate(weight / weight.sum()):
        ax.barh(
            place, share, left=start, height=0.7, color=CLASSES[j], hatch=HATCHES[j],
            edgecolor=rows.palette.hatch, lw=0.5, label="_share",
        )  # fmt: skip
        start += share
    if is_missing:
        ax.barh(
            place, 1, height=0.7, fill=False, edgecolor=rows.palette.missing, lw=1.0,
            ls=(0, (4, 3)), label="_missing", clip_on=False, zorder=4,
        )  # fmt: skip


def _draw_mean(ax: Any, rows: Rows, here: Any, place: float, is_missing: bool) -> None:
    """Draw the mean of some rows, and a standard deviation on either side."""
    mean = float(np.average(rows.y[here], weights=rows.w[here]))
    sd = float(np.sqrt(np.average((rows.y[here] - mean) ** 2, weights=rows.w[here])))
    palette = rows.palette
    colour, ground = (palette.missing, palette.tint) if is_missing else (CLASSES[0], palette.faint)
    ax.barh(
        place, 2 * sd, left=mean - sd, height=0.5, color=ground,
        edgecolor=colour, lw=0.6, ls=(0, (4, 3)) if is_missing else "-", label="_sd",
    )  # fmt: skip
    ax.plot([mean] * 2, [place - 0.35, place + 0.35], color=colour, lw=2, label="_mean")
