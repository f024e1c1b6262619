"""plot_split: what each cut of one column gains, over the rows that it divides."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from matplotlib import rc_context
from numpy.typing import NDArray

from ..splits import split_table
from .fonts import heading, write_title
from .split_levels import draw_levels, levels_figure_height
from .split_parts import (
    MOST_CURVES,
    SMALL,
    Curve,
    Rows,
    cut_in_words,
    gain_in_words,
    read_curves,
    read_rows,
    shorten,
)
from .theme import CLASSES, Palette, dress, get_palette, settings_on

MOST_DOTS = 30  # cuts that are drawn as points on the line
ALONE = "known or not"
LETTER = 0.0118  # width of a small one, in a figure of our own


def plot_split(
    X: Any,
    y: Any,
    feature: Any = None,
    missing: Any = "learned",
    *,
    criterion: Any = None,
    categorical: str = "subset",
    min_samples_leaf: float = 1,
    sample_weight: Any = None,
    task: str = "auto",
    ax: Any = None,
    title: str | None = None,
    theme: str = "light",
) -> Any:
    """Draw the gain of every cut of one column at the root of a tree.

    A number: gain against threshold, one line per strategy, the best cut marked; below, the
    rows by class (or by label), and beside them the rows whose value is missing. A category:
    the gains of its best tests, and below, the classes (or labels) in each of its levels, those
    that the best test sends left first. The numbers are those of `split_table`.

    Parameters
    ----------
    X : DataFrame or array-like of shape (n, p)
    y : array-like of shape (n,)
        Labels.
    feature : str, int or None, default=None
        The column, by its name or number; None = the one with the best cut.
    missing : str, Strategy or list of up to 4 of them, default="learned"
        How missing values are treated. Strategies with the same cuts share a line.
    criterion : str, Criterion or None, default=None
        What a split should lower.
    categorical : {"subset", "equality", "multiway", "every_level"}, default="subset"
        How a category column is tested.
    min_samples_leaf : int or float, default=1
        Smallest child.
    sample_weight : array-like of shape (n,) or None, default=None
        Rows of weight 0 count as absent.
    task : {"auto", "classification", "regression"}, default="auto"
        See `split_table`.
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
        For bad arguments, an unknown column, and a column without any cut.
    """
    strategies = list(missing) if isinstance(missing, (list, tuple)) else [missing]
    if not 1 <= len(strategies) <= MOST_CURVES:
        raise ValueError(
            f"missing={missing!r} names {len(strategies)} strategies; one figure shows 1 to "
            f"{MOST_CURVES}."
        )
    palette = get_palette(theme)
    options = {
        "criterion": criterion,
        "categorical": categorical,
        "min_samples_leaf": min_samples_leaf,
        "sample_weight": sample_weight,
        "task": task,
    }
    if feature is None:
        whole = split_table(X, y, strategies[0], **options)
        feature = whole["feature"].iloc[0] if len(whole) else 0
    rows = read_rows(X, y, feature, options, palette)
    curves = read_curves(X, y, rows, strategies, options)
    is_given = ax is not None
    with rc_context(settings_on(palette)):
        if ax is None:
            import matplotlib.pyplot as plt

            height = 4.0 if rows.levels is None else levels_figure_height(rows, curves)
            _, ax = plt.subplots(figsize=(6.4, height), layout="constrained")
        dress(ax, palette)
        draw = _draw_number if rows.levels is None else draw_levels
        draw(ax, rows, curves)
        words = shorten(heading(title, _finding(rows, curves)), 76)
        write_title(ax, words, is_given)
    return ax


def _finding(rows: Rows, curves: list[Curve]) -> str:
    best = curves[0].best
    if len(curves) == 1:
        return f"{cut_in_words(rows, best, True)} gains {gain_in_words(best['gain'])}"
    tests = {cut_in_words(rows, c.best, False) for c in curves}
    least, *_, most = sorted(float(c.best["gain"]) for c in curves)
    if len(tests) > 1:
        return f"The cut of {rows.name} moves with the strategy"
    gains = list(dict.fromkeys(map(gain_in_words, (least, most))))
    return f"{tests.pop()} gains {' to '.join(gains)}{', by strategy' * (len(gains) > 1)}"


@dataclass(frozen=True)
class _Frame:
    """Where things stand in the axes: numbers from low to high, missing rows in a lane."""

    low: float
    high: float
    lane: tuple[float, float]
    top: float  # the largest gain
    floor: float  # lower end of the rows
    ceiling: float
    palette: Palette

    @property
    def middle_of_lane(self) -> float:
        return sum(self.lane) / 2


def _draw_number(ax: Any, rows: Rows, curves: list[Curve]) -> None:
    known = rows.x[np.isfinite(rows.x)]
    low, high = float(known.min()), float(known.max())
    span = high - low or 1.0
    has_lane = bool(rows.missing.any())
    top = max(max(float(c.best["gain"]) for c in curves), 1e-9)
    strips = 3.5 if rows.classes is None else max(len(rows.classes), 2)
    lane = (high + 0.06 * span, high + (0.26 if has_lane else 0.06) * span)
    ladder = top * (0.14 + 0.13 * len(curves))
    frame = _Frame(low, high, lane, top, -top * (0.1 + 0.17 * strips), top + ladder, rows.palette)
    ax.axhline(0, color=rows.palette.muted, lw=0.8, label="_base")
    if has_lane:
        ax.axvspan(*lane, color=rows.palette.tint, lw=0, zorder=0, label="_lane")
        ax.axvline(
            lane[0], color=rows.palette.missing, lw=0.8, ls=(0, (4, 3)), zorder=0, label="_lane"
        )
    for place, curve in enumerate(curves):
        _draw_curve(ax, curve, frame, 1.4 + 0.7 * (len(curves) - 1 - place))
    _label_lane(ax, rows, curves, frame)
    _label_best(ax, curves, frame)
    if rows.classes is None:
        ticks = _draw_labels(ax, rows, frame, float(curves[0].best["threshold"]))
    else:
        ticks = _draw_classes(ax, rows, frame, rows.classes)
    ax.set_xlim(low - 0.04 * span, lane[1])
    ax.set_ylim(frame.floor, frame.ceiling)
    _set_ticks(ax, frame, ticks)
    ax.set_xlabel(rows.name, parse_math=False)
    ax.set_ylabel("gain", y=(top / 2 - frame.floor) / (frame.ceiling - frame.floor))


def _draw_curve(ax: Any, curve: Curve, frame: _Frame, width: float) -> None:
    """Draw the gain over the thresholds; "known | missing" stands in the lane."""
    numbers = curve.cuts.dropna(subset="threshold").sort_values("threshold")
    mark = "." if len(numbers) <= MOST_DOTS else None
    at, gain = numbers["threshold"].to_numpy(), numbers["gain"].to_numpy()
    ax.plot(
        np.clip(at, frame.low, frame.high), gain, color=curve.colour, lw=width, marker=mark,
        ms=4 + width, label=curve.label,
    )  # fmt: skip
    for gain in curve.cuts.loc[curve.cuts["threshold"].isna(), "gain"]:
        is_best = np.isnan(curve.best["threshold"])
        ax.plot(
            [frame.middle_of_lane], [gain], "D", color=curve.colour, ms=4 + width, zorder=4,
            mfc=curve.colour if is_best else frame.palette.paper, label=f"{curve.label}, {ALONE}",
        )  # fmt: skip


def _label_lane(ax: Any, rows: Rows, curves: list[Curve], frame: _Frame) -> None:
    """Say how many rows are missing, where they go, and what telling them apart gains."""
    if not rows.missing.any():
        return
    words = f"{int(rows.missing.sum())}\nmissing"
    to = curves[0].best["missing_to"]
    if len(curves) == 1 and to in ("left", "right") and not np.isnan(curves[0].best["threshold"]):
        words += f"\ngo {to}"
    x = frame.middle_of_lane
    ax.text(
        x, frame.ceiling - 0.02 * frame.top, words, color=rows.palette.missing, fontsize=SMALL,
        ha="center", va="top", fontweight="bold",
    )  # fmt: skip
    alone = {round(g, 3): g for c in curves for g in c.cuts["gain"][c.cuts["threshold"].isna()]}
    for gain in alone.values():
        above = gain < 0.7 * frame.top
        ax.annotate(
            f"known\nor not?\n{gain_in_words(gain)}", (x, gain), (0, 7 if above else -7),
            textcoords="offset points", fontsize=6.5, ha="center", va="bottom" if above else "top",
        )  # fmt: skip


def _label_best(ax: Any, curves: list[Curve], frame: _Frame) -> None:
    """Mark the best cut of each curve and say what it is.

    Labels stand above the curves, each on a line of its own, beside the end of its rule,
    towards the right if there is room, else towards the left.
    """
    middle = (frame.low + frame.high) / 2
    last = frame.lane[0]
    places = [float(np.nan_to_num(c.best["threshold"], nan=last)) for c in curves]
    order = sorted(range(len(curves)), key=lambda i: abs(places[i] - middle))
    for line, i in enumerate(order):
        curve, x, gain = curves[i], min(max(places[i], frame.low), last), curves[i].best["gain"]
        height = frame.top * (1.13 + 0.13 * line)
        is_cut = not np.isnan(curve.best["threshold"])
        if is_cut:
            rule = ([x, x], [frame.floor, height])
            ax.plot(*rule, color=curve.colour, lw=0.8, zorder=1, label="_rule")
            size = 5.5 + 2 * (len(curves) - 1 - i)
            ax.plot(
                [x], [gain], curve.mark, color=curve.colour, ms=size, zorder=5 + i,
                label=f"{curve.label}, best",
            )  # fmt: skip
        elif len(curves) == 1:
            continue  # the lane says it
        words = _about(curve, len(curves))
        wide = frame.lane[1] - frame.low
        side = 1 if last - x >= min(LETTER * len(words) * wide, x - frame.low) else -1
        ax.annotate(
            words, (x, height), (4 * side, 0), textcoords="offset points",
            ha="left" if side > 0 else "right", va="center", fontsize=SMALL, color=curve.colour,
            bbox={"facecolor": frame.palette.paper, "edgecolor": "none", "pad": 1.0}, zorder=10,
            parse_math=False,
        )  # fmt: skip


def _about(curve: Curve, n_curves: int) -> str:
    """Name the best cut of a curve."""
    best = curve.best
    is_cut = not np.isnan(best["threshold"])
    words = f"{best['threshold']:.6g}" if is_cut else ALONE
    words += f" gains {gain_in_words(best['gain'])}"
    if n_curves == 1:
        return words
    if best["missing"] > 0 and is_cut:
        words += f", missing {best['missing_to']}"
    return f"{curve.label}: {words}"


# -- the rows ---------------------------------------------------------------------


def _draw_classes(
    ax: Any, rows: Rows, frame: _Frame, classes: list[str]
) -> list[tuple[float, str]]:
    """Draw the rows class by class; returns where to write the classes' names."""
    gap = 0.05 * frame.top
    height = (-frame.floor - 2 * gap) / len(classes)
    ticks = []
    for j, name in enumerate(classes):
        middle = -gap - height * (j + 0.5)
        here = rows.y == j
        n, n_missing = int(here.sum()), int((here & rows.missing).sum())
        y = middle + height * 0.34 * min(1.0, n / 30) * _spread(n)
        _dots(ax, rows.x[here], y, frame, CLASSES[j])
        ticks.append((middle, f"{shorten(name, 22)} ({n})"))
        if n_missing:
            ax.annotate(
                str(n_missing), (frame.lane[1], middle), (3, 0), textcoords="offset points",
                fontsize=SMALL, color=rows.palette.missing, va="center", annotation_clip=False,
            )  # fmt: skip
    return ticks


def _draw_labels(ax: Any, rows: Rows, frame: _Frame, cut: float) -> list[tuple[float, str]]:
    """Draw the rows by their label, and the means on both sides of a cut, if it is one."""
    least, most = float(rows.y.min()), float(rows.y.max())
    bottom, top = frame.floor + 0.06 * frame.top, -0.1 * frame.top

    def place(y: Any) -> Any:
        return bottom + (top - bottom) * (y - least) / (most - least or 1.0)

    _dots(ax, rows.x, place(rows.y), frame, CLASSES[0])
    sides = ((rows.x <= cut, frame.low, cut, 0), (rows.x > cut, cut, frame.high, 1))
    for here, start, stop, is_right in sides:
        if not here.any():
            continue
        mean = float(np.average(rows.y[here], weights=rows.w[here]))
        ax.plot([start, stop], [place(mean)] * 2, color=rows.palette.ink, lw=1.6, label="_mean")
        ax.annotate(
            f"mean {mean:.4g}", (stop if is_right else start, place(mean)), (0, 2.5),
            textcoords="offset points", fontsize=SMALL, ha="right" if is_right else "left",
            zorder=6,
            bbox={"facecolor": frame.palette.paper, "alpha": 0.7, "edgecolor": "none", "pad": 0.5},
        )  # fmt: skip
    return [(bottom, f"{least:.4g}"), (top, f"{shorten(rows.target, 12)} {most:.4g}".strip())]


def _dots(ax: Any, x: Any, y: Any, frame: _Frame, colour: str) -> None:
    """Draw rows; those without a value stand side by side in the lane."""
    lost = np.isnan(x)
    x = np.clip(x, frame.low, frame.high)
    wide = (frame.lane[1] - frame.lane[0]) * 0.4
    x[lost] = frame.middle_of_lane + wide * _spread(int(lost.sum()), 0.7548776662466927)
    size = float(np.clip(900 / max(len(x), 1), 6, 20))
    alpha = float(np.clip(150 / max(len(x), 1), 0.12, 0.8))
    ax.scatter(x, y, s=size, color=colour, alpha=alpha, linewidths=0, zorder=2, rasterized=True)


def _spread(n: int, step: float = 0.6180339887498949) -> NDArray[np.float64]:
    """Evenly spread numbers between -1 and 1, always the same."""
    places = np.arange(n, dtype=np.float64) + 0.5
    return np.asarray(2.0 * (places * step % 1.0) - 1.0)


def _set_ticks(ax: Any, frame: _Frame, ticks: list[tuple[float, str]]) -> None:
    """Number the gains above the base, name the rows below it, and leave the lane alone."""
    from matplotlib.ticker import MaxNLocator

    gains = [g for g in MaxNLocator(4).tick_values(0, frame.top) if 0 <= g <= frame.top * 1.02]
    step = gains[1] - gains[0] if len(gains) > 1 else 1.0
    digits = next((d for d in range(9) if np.isclose(round(step, d), step)), 9)
    words = [*(f"{g:.{digits}f}" for g in gains), *(text for _, text in ticks)]
    ax.set_yticks([*gains, *(at for at, _ in ticks)], words, parse_math=False)
    at = pd.Series(MaxNLocator(6).tick_values(frame.low, frame.high))
    ax.set_xticks(at[at.between(frame.low, frame.high)])
