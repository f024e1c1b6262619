"""plot_ranks: mean ranks of methods over data sets, and which of them are too close to tell."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pandas as pd
from matplotlib import rc_context

from ..evaluation.many_sets import Friedman, critical_difference, friedman
from .describe import set_description
from .fonts import fit_ends, heading, readable, width, write, write_title
from .theme import CLASSES, RC, Palette, dress, get_palette

_SIZE = 8.5  # points
_ROOM = 22.0  # em, for a name
_LEVEL = 0.2  # inches between labels of a column
_BAR = 0.09  # inches between crossbars
_SCALE = 3.2  # inches, the shortest axis of ranks


@dataclass(frozen=True)
class Ranking:
    """What the picture says, before anything is drawn.

    Attributes
    ----------
    found : Friedman
    alpha : float
    distance : float
        The critical difference.
    names : list
        Of the methods, best first.
    ranks : list of float
        Their mean ranks.
    groups : list of tuple of int
        First and last place of each set of methods that are all less than the critical
        difference apart; not those inside another.
    """

    found: Friedman
    alpha: float
    distance: float
    names: list[str]
    ranks: list[float]
    groups: list[tuple[int, int]]

    @property
    def finding(self) -> str:
        """The finding in words."""
        k, top, p = len(self.names), self.ranks[0], self.found.f_p_value
        chance = f"p = {p:.3f}" if p >= 0.001 else "p < 0.001"
        if p >= self.alpha:
            return f"No visible order: such ranks could be chance ({chance})"
        behind = sum(rank - top > self.distance for rank in self.ranks)
        if behind and k == 2:
            return f"{self.names[0]} is visibly ahead of {self.names[1]}"
        if behind:
            return f"{self.names[0]} is visibly ahead of {behind} of {k - 1} others"
        before = sum(self.ranks[-1] - rank > self.distance for rank in self.ranks)
        if before:
            return f"{self.names[-1]} is visibly behind {before} of {k - 1} others"
        return f"Ranks differ ({chance}), but no pair is {self.distance:.2f} apart"

    @property
    def note(self) -> str:
        """What the marks mean."""
        return (
            f"mean rank over {self.found.n_sets} data sets, 1 = best; joined by a bar: closer than "
            f"the\ncritical difference (CD) of Nemenyi's test at {100 * self.alpha:g} %"
        )

    def words(self) -> str:
        """Describe the picture, one line per method and per bar."""
        lines = [f"{self.finding}. {' '.join(self.note.split())}: {self.distance:.3f}."]
        lines += [
            f"{name} has mean rank {rank:.3f}"
            for name, rank in zip(self.names, self.ranks, strict=True)
        ]
        lines += [
            f"no visible difference from {self.names[a]} to {self.names[b]}" for a, b in self.groups
        ]
        return "\n".join(lines)


def plot_ranks(
    scores: Any,
    *,
    higher_is_better: bool = True,
    alpha: float = 0.05,
    ax: Any = None,
    title: str | None = None,
    theme: str = "light",
) -> Any:
    """Draw mean ranks on a line, and join those that Nemenyi's test cannot tell apart.

    Names stand in two columns at fixed distances, so they never overlap, however close the
    ranks and however many or long the names are.

    Parameters
    ----------
    scores : DataFrame or array-like of shape (N, k), or Friedman
        One line per data set, one column per method; or what `evaluation.friedman` returned.
    higher_is_better : bool, default=True
        Of the scores; not used for a Friedman.
    alpha : float, default=0.05
        Of the test.
    ax : matplotlib Axes or None, default=None
        None = a new figure as large as it needs. In a given one text shrinks where it must.
    title : str or None, default=None
        None = the finding in words.
    theme : {"light", "dark"}, default="light"

    Returns
    -------
    matplotlib Axes
        `describe_axes` lists the ranks and what is joined.

    Raises
    ------
    ValueError
        As `evaluation.friedman` and `evaluation.critical_difference`.

    References
    ----------
    .. [1] J. Demsar, "Statistical comparisons of classifiers over multiple data sets",
       Journal of Machine Learning Research 7, 2006.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from mdtree_nb import describe_axes
    >>> scores = pd.DataFrame({"a": [0.9, 0.8, 0.7, 0.9], "b": [0.8, 0.6, 0.4, 0.5]})
    >>> print(describe_axes(plot_ranks(scores, ax=Figure().subplots())).split(". ")[0])
    a is visibly ahead of b
    """
    palette = get_palette(theme)
    found = scores if isinstance(scores, Friedman) else None
    found = found or friedman(scores, higher_is_better=higher_is_better)
    ranking = rank_methods(found, alpha)
    texts = [
        (fit_ends(readable(name), _ROOM), f"{rank:.2f}")
        for name, rank in zip(ranking.names, ranking.ranks, strict=True)
    ]
    words, is_given = heading(title, ranking.finding), ax is not None
    with rc_context(RC):
        ax = _new_axes(ranking, texts, words, palette) if ax is None else ax
        dress(ax, palette)
        ax.set_axis_off()
        _Diagram(ax, ranking, texts, palette).draw()
        write_title(ax, words, is_given)
    set_description(ax, ranking.words())
    return ax


def rank_methods(found: Friedman, alpha: float) -> Ranking:
    """Order the methods and find out which ones are too close to tell.

    Parameters
    ----------
    found : Friedman
    alpha : float

    Returns
    -------
    Ranking
    """
    ordered: pd.Series = found.mean_ranks.sort_values(kind="stable")
    ranks = [float(rank) for rank in ordered]
    distance = critical_difference(len(ranks), found.n_sets, alpha)
    groups: list[tuple[int, int]] = []
    for first, rank in enumerate(ranks):
        last = max(j for j, other in enumerate(ranks) if other - rank <= distance)
        if last > first and (not groups or last > groups[-1][1]):
            groups.append((first, last))
    return Ranking(found, alpha, distance, [str(name) for name in ordered.index], ranks, groups)


def _columns(texts: list[tuple[str, str]]) -> tuple[float, float]:
    """Widths in inches of the left and the right column of names."""
    half = (len(texts) + 1) // 2
    return tuple(  # type: ignore[return-value]
        (max(width(name) for name, _ in some) + width("00.00") + 1.2) * _SIZE / 72
        for some in (texts[:half], texts[half:])
    )


def _height(n_groups: int, n_methods: int) -> float:
    """Height in inches of all that stands below the title."""
    return 0.75 + _BAR * (n_groups + 1) + _LEVEL * ((n_methods + 1) // 2) + 0.5


def _new_axes(ranking: Ranking, texts: list[tuple[str, str]], title: str, palette: Palette) -> Any:
    import matplotlib.pyplot as plt

    wide = max(sum(_columns(texts)) + _SCALE + 0.4, width(title, bold=True) * 10 / 72, 5.6)
    high = _height(len(ranking.groups), len(texts))
    figure = plt.figure(figsize=(wide + 0.3, high + 0.45), facecolor=palette.paper)
    box = (0.15 / (wide + 0.3), 0.1 / (high + 0.45), wide / (wide + 0.3), high / (high + 0.45))
    return figure.add_axes(box)


class _Diagram:
    """A picture in inches, from the top down; smaller where the Axes is."""

    def __init__(
        self, ax: Any, ranking: Ranking, texts: list[tuple[str, str]], palette: Palette
    ) -> None:
        self.ax, self.ranking, self.texts, self.palette = ax, ranking, texts, palette
        box = ax.get_window_extent()
        self.wide, self.high = box.width / ax.figure.dpi, box.height / ax.figure.dpi
        left, right = _columns(texts)
        needed = left + right + _SCALE + 0.4
        small = min(1.0, self.wide / needed, self.high / _height(len(ranking.groups), len(texts)))
        self.unit, self.size = small, _SIZE * small
        self.x0, self.x1 = left * small + 0.1, self.wide - right * small - 0.1
        self.axis = 0.68 * small
        ax.set_xlim(0, self.wide)
        ax.set_ylim(self.high, 0)

    def x(self, rank: float) -> float:
        k = len(self.texts)
        return self.x0 + (rank - 1) / (k - 1) * (self.x1 - self.x0)

    def line(self, xs: list[float], ys: list[float], colour: str, lw: float) -> None:
        self.ax.plot(xs, ys, color=colour, lw=lw * self.unit, solid_capstyle="butt", label="_")

    def text(self, x: float, y: float, words: str, ha: str, colour: str, va: str = "center") -> Any:
        found = self.ax.text(x, y, "", ha=ha, va=va, fontsize=self.size)
        write(found, words)
        found.set_color(colour)
        return found

    def draw(self) -> None:
        """Draw scale, critical difference, crossbars, names and note."""
        ink, muted, unit = self.palette.ink, self.palette.muted, self.unit
        k, half = len(self.texts), (len(self.texts) + 1) // 2
        self.line([self.x0, self.x1], [self.axis] * 2, muted, 1.0)
        every = 1 if k <= 12 else 2
        for rank in range(1, k + 1):
            self.line([self.x(rank)] * 2, [self.axis - 0.06 * unit, self.axis], muted, 1.0)
            if (rank - 1) % every == 0:
                self.text(self.x(rank), self.axis - 0.16 * unit, str(rank), "center", ink)
        self._distance()
        low = self.axis + _BAR * unit * (len(self.ranking.groups) + 1)
        for place, (name, number) in enumerate(self.texts):
            left = place < half
            level = place if left else k - 1 - place
            y = low + _LEVEL * unit * (level + 0.5)
            x, end = self.x(self.ranking.ranks[place]), self.x0 if left else self.x1
            self.line([x, x, end], [self.axis, y, y], muted, 0.9)
            edge, ha = (end - 0.06, "right") if left else (end + 0.06, "left")
            inner = width("00.00") * self.size / 72 + 0.08 * unit
            self.text(edge, y, number, ha, muted)
            self.text(edge - inner if left else edge + inner, y, name, ha, ink)
        for above, (first, last) in enumerate(self.ranking.groups, 1):
            y = self.axis + _BAR * unit * above
            a, b = self.x(self.ranking.ranks[first]), self.x(self.ranking.ranks[last])
            self.line([a - 0.04, b + 0.04], [y, y], CLASSES[0], 3.4)
        note = self.text(0.02, self.high - 0.02, "", "left", muted, "bottom")
        note.set_text(self.ranking.note)

    def _distance(self) -> None:
        """A scale bar as long as the critical difference, above the axis."""
        y, unit = self.axis - 0.34 * self.unit, self.unit
        distance = self.ranking.distance
        words = f"CD {distance:.2f}"
        if distance > len(self.texts) - 1:
            words += ", longer than the scale: nothing can be told apart here"
            end = self.x1
        else:
            end = self.x(1 + distance)
            for x in (self.x0, end):
                self.line([x, x], [y - 0.04 * unit, y + 0.04 * unit], self.palette.ink, 1.4)
        self.line([self.x0, end], [y, y], self.palette.ink, 1.4)
        self.text(self.x0, y - 0.12 * unit, words, "left", self.palette.ink)
