"""plot_regions: what a tree answers over two columns, missing values included."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib import rc_context
from matplotlib.collections import PolyCollection
from matplotlib.colors import ListedColormap, Normalize, to_rgb
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator
from sklearn.utils.validation import check_is_fitted

from ..tree_estimator import TreeEstimator
from .describe import set_description
from .fonts import fit_ends, heading, readable, write, write_title
from .region_grid import Grid, Side, make_grid
from .short_words import number
from .theme import MARKERS, RC, Palette, class_look, dress, get_palette, ramp


def plot_regions(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    features: Sequence[Any] | None = None,
    ax: Any = None,
    title: str | None = None,
    theme: str = "light",
) -> Any:
    """Draw what a tree predicts over two columns, with the rows as points.

    The strips at the left and at the bottom say what it predicts where a value is missing;
    rows that miss it lie there, spread out for legibility. Columns that are not drawn are
    held at their median, or at their most frequent level.

    Parameters
    ----------
    estimator : fitted MDTreeClassifier or MDTreeRegressor
    X : DataFrame or array-like of shape (n, p)
        Rows to draw, with all columns of the estimator.
    y : array-like of shape (n,)
        Their labels.
    features : sequence of two str or int, or None, default=None
        The columns across and up, by name or position; None = the only two.
    ax : matplotlib Axes or None, default=None
        None = a new figure of its own.
    title : str or None, default=None
        None = the two columns.
    theme : {"light", "dark"}, default="light"

    Returns
    -------
    matplotlib Axes
        `describe_axes` says what it shows.

    Raises
    ------
    TypeError
        For another kind of estimator.
    NotFittedError
        When it is not fitted.
    ValueError
        For columns that do not exist, and labels that the estimator does not know.

    Examples
    --------
    >>> import numpy as np
    >>> from matplotlib.figure import Figure
    >>> from mdtree_nb import MDTreeClassifier, describe_axes
    >>> X = np.array([[1.0, 5.0], [2.0, 6.0], [3.0, np.nan], [4.0, 8.0]])
    >>> y = ["a", "a", "b", "b"]
    >>> ax = plot_regions(MDTreeClassifier().fit(X, y), X, y, ax=Figure().subplots())
    >>> print(describe_axes(ax))
    Regions of x0 (across) and x1 (up).
    Both known: a 0.50, b 0.50 of the area; x0 missing: b 1.00; x1 missing: a 0.50, b 0.50; both missing: b 1.00.
    4 rows: a 2, b 2; 0 miss x0, 1 misses x1, 0 miss both.
    """  # noqa: E501
    if not isinstance(estimator, TreeEstimator):
        raise TypeError(
            f"estimator={type(estimator).__name__} must be a fitted MDTreeClassifier or "
            "MDTreeRegressor; of a pipeline pass the last step."
        )
    palette = get_palette(theme)
    check_is_fitted(estimator)
    grid = make_grid(estimator, X, y, features)
    is_given = ax is not None
    with rc_context(RC):
        if ax is None:
            import matplotlib.pyplot as plt

            _, ax = plt.subplots(figsize=(6.4, 4.8), layout="constrained", facecolor=palette.paper)
        dress(ax, palette)
        draw = _draw_numbers if grid.classes is None else _draw_classes
        draw(ax, grid, palette)
        _label_axes(ax, grid, palette)
        words = heading(title, f"{grid.across.name} and {grid.up.name}")
        write_title(ax, words, is_given)
    set_description(ax, grid.in_words())
    return ax


def _draw_classes(ax: Any, grid: Grid, palette: Palette) -> None:
    boxes, values = grid.cells()
    x, y = grid.points()
    handles: list[Any] = []
    names = grid.classes or []
    for j in range(len(names)):
        colour, hatch = class_look(j)
        ground, stroke = _mix(colour, palette.paper, 0.28), _mix(colour, palette.paper, 0.5)
        look: dict[str, Any] = {"facecolor": ground, "edgecolor": stroke, "hatch": hatch}
        mine = [box for box, value in zip(boxes, values, strict=True) if value == j]
        cells = PolyCollection(mine, linewidth=0, zorder=0.5, antialiased=False, **look)
        ax.add_collection(cells, autolim=False)
        marker = MARKERS[j % len(MARKERS)]
        dots: dict[str, Any] = {"ls": "", "marker": marker, "ms": 4.5, "color": colour}
        dots |= {"markeredgecolor": palette.ink, "markeredgewidth": 0.5}
        here = grid.labels == j
        ax.plot(x[here], y[here], zorder=3, **dots)
        handles.append((Patch(linewidth=0, **look), Line2D([], [], **dots)))
    legend = ax.legend(
        handles,
        [str(j) for j in range(len(names))],  # the names may start with an underscore
        loc="upper left",
        bbox_to_anchor=(1.0, 1.0),
        frameon=False,
        borderpad=0,
    )
    for text, name in zip(legend.get_texts(), names, strict=True):
        write(text, fit_ends(readable(name), 12.0))
        text.set_color(palette.ink)


def _draw_numbers(ax: Any, grid: Grid, palette: Palette) -> None:
    boxes, values = grid.cells()
    x, y = grid.points()
    seen = np.concatenate([values, grid.labels])
    scale = Normalize(float(seen.min()), float(seen.max()))
    colours = ListedColormap([ramp(t) for t in np.linspace(0, 1, 256)])
    cells = PolyCollection(boxes, cmap=colours, norm=scale, zorder=0.5, antialiased=False)
    cells.set_array(values)
    ax.add_collection(cells, autolim=False)
    look = {"edgecolors": palette.paper, "linewidths": 0.8, "zorder": 3}
    ax.scatter(x, y, s=22, c=grid.labels, cmap=colours, norm=scale, **look)
    bar = ax.figure.colorbar(cells, ax=ax, label="mean; points: label", pad=0.02)
    bar.outline.set_visible(False)
    bar.ax.tick_params(colors=palette.ink, length=0)
    bar.ax.yaxis.label.set_color(palette.ink)


def _label_axes(ax: Any, grid: Grid, palette: Palette) -> None:
    across, up = grid.across, grid.up
    for side, axis, limit in ((across, ax.xaxis, ax.set_xlim), (up, ax.yaxis, ax.set_ylim)):
        limit(side.strip[0], side.edges[-1])
        ticks, words = _ticks(side)
        axis.set_ticks([float(np.mean(side.strip)), *ticks], ["missing", *words])
        for label, word in zip(axis.get_ticklabels(), ["missing", *words], strict=True):
            write(label, word)
            label.set_color(palette.ink)
        axis.get_ticklabels()[0].set_color(palette.missing)
        write(axis.label, side.name)
    ax.tick_params(length=0)
    if sum(len(str(level)) for level in across.levels or ()) > 40:
        ax.tick_params(axis="x", rotation=90)
    for spine in ax.spines.values():
        spine.set_visible(False)
    if grid.held:
        note = "other columns at their median or most frequent level"
        ax.xaxis.label.set_text(f"{ax.get_xlabel()}\n({note})")


def _ticks(side: Side) -> tuple[list[float], list[str]]:
    low, high = side.edges[0], side.edges[-1]
    if side.levels is None:
        ticks = [float(t) for t in MaxNLocator(6).tick_values(low, high) if low <= t <= high]
        return ticks, [number(tick) for tick in ticks]
    words = [fit_ends(readable(level), 8.0) for level in side.levels]
    return [float(j) for j in range(len(words))], words


def _mix(colour: str, paper: str, part: float) -> tuple[float, ...]:
    return tuple(
        part * a + (1 - part) * b for a, b in zip(to_rgb(colour), to_rgb(paper), strict=True)
    )
