"""How a tree is to be drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from numbers import Integral, Real
from typing import Any

SMALLEST = 6.0  # points; below, print is no longer read


@dataclass(frozen=True)
class TreePlotOptions:
    """Options of `plot_tree`.

    Parameters
    ----------
    max_depth : int or None, default=None
        Draw nodes down to this depth; the root has depth 0. None = all that fit.
    kind : {"auto", "tree", "icicle"}, default="auto"
        Cards and edges, or one row of cells per depth whose widths are weights. "auto" =
        an icicle above 80 leaves.
    orientation : {"auto", "down", "right"}, default="auto"
        Where a tree of cards grows to; "auto" = where it is easier to read.
    theme : {"light", "dark"}, default="light"
        Colours for light or for dark paper.
    title : str or None, default=None
        None = the strategy and the size of the tree, "" = no title.
    class_names : sequence of str or None, default=None
        Names in the order of `classes_`; None = the labels themselves.
    feature_names : sequence of str or None, default=None
        Names in the order of the columns; None = those of the training table.
    show_ids : bool, default=True
        Write node numbers, those of rules and exports, on the cards.
    show_counts : bool, default=True
        Write the rows of each node on its card. What is missing is always written.
    show_legend : bool, default=True
        Explain colours and marks above the tree, and list below it the surrogates that it
        asks.
    max_size : tuple of float, default=(12.0, 8.0)
        Width and height in inches that a figure of its own may have.
    min_points, max_points : float, default=6.0, 9.0
        Sizes of the smallest text allowed and of the largest names. What does not fit is
        drawn in a denser way or folded, never smaller.

    Raises
    ------
    ValueError
        For a value outside these rules.

    Examples
    --------
    >>> TreePlotOptions(theme="dark").theme
    'dark'
    """

    max_depth: int | None = None
    kind: str = "auto"
    orientation: str = "auto"
    theme: str = "light"
    title: str | None = None
    class_names: Sequence[str] | None = None
    feature_names: Sequence[str] | None = None
    show_ids: bool = True
    show_counts: bool = True
    show_legend: bool = True
    max_size: tuple[float, float] = (12.0, 8.0)
    min_points: float = SMALLEST
    max_points: float = 9.0

    def __post_init__(self) -> None:
        if self.max_depth is not None and (not _is_whole(self.max_depth) or self.max_depth < 0):
            raise ValueError(
                f"max_depth={self.max_depth!r} must be a whole number from 0, or None for all."
            )
        for name, choices in (
            ("kind", ("auto", "tree", "icicle")),
            ("orientation", ("auto", "down", "right")),
            ("theme", ("light", "dark")),
        ):
            if getattr(self, name) not in choices:
                known = ", ".join(map(repr, choices))
                raise ValueError(f"{name}={getattr(self, name)!r} is not known; choose {known}.")
        size = self.max_size
        pair = isinstance(size, Sequence) and not isinstance(size, str) and len(size) == 2
        if not pair or not all(_is_number(side) and side > 0 for side in size):
            raise ValueError(f"max_size={size!r} must be a width and a height in inches, both > 0.")
        if not _is_number(self.min_points) or self.min_points < SMALLEST:
            raise ValueError(
                f"min_points={self.min_points!r} must be {SMALLEST:g} or more: smaller text is "
                "not read. Draw less with max_depth= or on a larger page."
            )
        if not _is_number(self.max_points) or self.max_points < 1.2 * self.min_points:
            raise ValueError(
                f"max_points={self.max_points!r} must be at least 1.2 times "
                f"min_points={self.min_points!r}: counts are smaller than names."
            )

    def with_overrides(self, overrides: dict[str, Any]) -> TreePlotOptions:
        """Return a copy in which some options differ.

        Parameters
        ----------
        overrides : dict
            From name to value.

        Returns
        -------
        TreePlotOptions

        Raises
        ------
        TypeError
            For a name that is no option.
        """
        known = [f.name for f in fields(self)]
        for name in overrides:
            if name not in known:
                raise TypeError(f"{name}= is no option of plot_tree; choose {', '.join(known)}.")
        return replace(self, **overrides)


def _is_number(value: object) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool) and abs(float(value)) < 1e6


def _is_whole(value: object) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool)
