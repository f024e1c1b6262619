"""What a tree answers over a grid of two columns, missing values included: numbers only.

A grid has a strip before its first cell on either side, for rows that miss the value.

Does not: draw.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

Floats = NDArray[np.float64]
_MARGIN = (0.13, 0.04)  # where the strip of missing values starts and ends, of the range
_STEPS = 41  # cuts besides those of the tree, for answers that change between them


@dataclass(frozen=True)
class Side:
    """One of the two columns as an axis.

    Attributes
    ----------
    name : str
    place : int
        Position of the column.
    levels : list or None
        Of a category column; level j lies around j.
    edges : ndarray
        Ends of the cells over known values.
    values : list
        A value within each cell.
    at : ndarray of shape (n,)
        Where the rows lie, NaN where the value is missing.
    """

    name: str
    place: int
    levels: list[Any] | None
    edges: Floats
    values: list[Any]
    at: Floats

    @property
    def strip(self) -> tuple[float, float]:
        """Ends of the strip of missing values."""
        low, high = self.edges[0], self.edges[-1]
        start, end = _MARGIN
        return low - start * (high - low), low - end * (high - low)


@dataclass(frozen=True)
class Grid:
    """Answers over two columns, and the rows to draw on them.

    Attributes
    ----------
    across, up : Side
    answers : ndarray of shape (1 + cells up, 1 + cells across)
        Class codes or means; index 0 = missing.
    labels : ndarray of shape (n,)
        Of the rows: class codes, or numbers.
    classes : list of str or None
        None for regression.
    held : bool
        Does the tree test other columns too, which are held at one value?
    """

    across: Side
    up: Side
    answers: Floats
    labels: Floats
    classes: list[str] | None
    held: bool

    def cells(self) -> tuple[list[Any], Floats]:
        """Corners of the rectangles of equal answers, strips included, and the answers."""
        boxes, values = [], []
        bands = [self.up.strip, *zip(self.up.edges[:-1], self.up.edges[1:], strict=True)]
        for (y0, y1), row in zip(bands, self.answers, strict=True):
            change = np.flatnonzero(np.diff(row[1:])) + 1
            starts, ends = [0, *change], [*change, len(row) - 1]
            spans = [(self.across.strip, row[0])]
            for start, end in zip(starts, ends, strict=True):
                ends_at = (self.across.edges[start], self.across.edges[end])
                spans.append((ends_at, row[1 + start]))
            for (x0, x1), value in spans:
                boxes.append([(x0, y0), (x1, y0), (x1, y1), (x0, y1)])
                values.append(value)
        return boxes, np.array(values)

    def points(self) -> tuple[Floats, Floats]:
        """Where the rows lie; in the strips they are spread out, always in the same way."""
        rng = np.random.default_rng(0)
        places = []
        for side in (self.across, self.up):
            low, high = side.strip
            spread = rng.uniform(0.15, 0.85, len(side.at))
            lost = np.isnan(side.at)
            shake = 0.0 if side.levels is None else 0.6 * (spread - 0.5)
            places.append(np.where(lost, low + (high - low) * spread, side.at + shake))
        return places[0], places[1]

    def in_words(self) -> str:
        """Say what is answered where, and what the rows miss."""
        across, up, answers = self.across, self.up, self.answers
        wide, high = np.diff(across.edges), np.diff(up.edges)
        both = self._answer(answers[1:, 1:], high[:, None] * wide[None, :])
        parts = [
            f"Both known: {both}" + ("" if self.classes is None else " of the area"),
            f"{across.name} missing: {self._answer(answers[1:, 0], high)}",
            f"{up.name} missing: {self._answer(answers[0, 1:], wide)}",
            f"both missing: {self._answer(answers[:1, :1], np.ones((1, 1)))}",
        ]
        return (
            f"Regions of {across.name} (across) and {up.name} (up).\n"
            f"{'; '.join(parts)}.\n{self._rows()}."
        )

    def _answer(self, answers: Floats, area: Floats) -> str:
        """Shares of the area of each class, or the range of means."""
        if self.classes is None:
            low, high = answers.min(), answers.max()
            return f"mean {low:.4g}" + ("" if low == high else f" to {high:.4g}")
        sums = np.bincount(answers.astype(int).ravel(), area.ravel(), len(self.classes))
        shares = zip(self.classes, sums / sums.sum(), strict=True)
        return ", ".join(f"{name} {part:.2f}" for name, part in shares if part > 0)

    def _rows(self) -> str:
        n = len(self.labels)
        rows = f"{n} row{'' if n == 1 else 's'}"
        if self.classes is not None:
            counts = np.bincount(self.labels.astype(int), minlength=len(self.classes))
            named = zip(self.classes, counts, strict=True)
            rows += ": " + ", ".join(f"{name} {k}" for name, k in named)
        lost_x, lost_y = np.isnan(self.across.at), np.isnan(self.up.at)
        misses = [
            f"{k} miss{'es' if k == 1 else ''} {what}"
            for k, what in (
                (int((lost_x & ~lost_y).sum()), self.across.name),
                (int((lost_y & ~lost_x).sum()), self.up.name),
                (int((lost_x & lost_y).sum()), "both"),
            )
        ]
        return f"{rows}; {', '.join(misses)}"


def make_grid(estimator: Any, X: Any, y: Any, features: Sequence[Any] | None) -> Grid:
    """Ask an estimator over a grid of two columns.

    The cells end where the tree tests the columns, so that regions are exact.

    Parameters
    ----------
    estimator : fitted MDTreeClassifier or MDTreeRegressor
    X : DataFrame or array-like of shape (n, p)
    y : array-like of shape (n,)
    features : sequence of two str or int, or None

    Returns
    -------
    Grid

    Raises
    ------
    ValueError
        For columns that do not exist, and labels that the estimator does not know.
    """
    frame = X if isinstance(X, pd.DataFrame) else pd.DataFrame(np.asarray(X))
    nodes = pd.concat([tree.frame()[["feature", "threshold"]] for tree in estimator.trees_])
    places = _two_columns(features, frame, estimator.schema_.names)
    across, up = (_side(estimator, frame, place, nodes) for place in places)
    labels, classes = _labels(estimator, frame, y)
    answers = _answers(estimator, frame, across, up, isinstance(X, pd.DataFrame))
    tested = set(nodes["feature"].dropna())
    return Grid(across, up, answers, labels, classes, bool(tested - {across.name, up.name}))


def _two_columns(features: Sequence[Any] | None, frame: pd.DataFrame, names: Any) -> list[int]:
    columns = list(frame.columns)
    if features is None:
        if len(columns) != 2:
            raise ValueError(
                f"features=None needs a table of two columns, but X has {len(columns)}; name two."
            )
        return [0, 1]
    if isinstance(features, str) or len(features) != 2:
        raise ValueError(f"features={features!r} must be two columns, by name or position.")
    places = []
    for feature in features:
        if feature in columns:
            places.append(columns.index(feature))
        elif feature in names:
            places.append(list(names).index(feature))
        elif isinstance(feature, int) and 0 <= feature < len(columns):
            places.append(feature)
        else:
            raise ValueError(
                f"features={features!r}: there is no column {feature!r}; choose two of "
                f"{', '.join(map(repr, names))}."
            )
    if places[0] == places[1]:
        raise ValueError(f"features={features!r} must be two different columns.")
    return places


def _side(estimator: Any, frame: pd.DataFrame, place: int, nodes: pd.DataFrame) -> Side:
    name = estimator.schema_.names[place]
    levels = estimator.schema_.levels[place]
    column = frame.iloc[:, place]
    if levels is not None:
        code = {level: j for j, level in enumerate(levels)}
        at = np.array([np.nan if pd.isna(v) else code.get(v, np.nan) for v in column], dtype=float)
        between = np.arange(len(levels) + 1, dtype=np.float64) - 0.5
        return Side(name, place, list(levels), between, list(levels), at)
    at = np.array([np.nan if pd.isna(v) else v for v in column], dtype=float)
    known = at[np.isfinite(at)]
    low, high = (float(known.min()), float(known.max())) if len(known) else (0.0, 1.0)
    pad = 0.04 * (high - low) or 0.5
    low, high = low - pad, high + pad
    cuts = nodes.loc[nodes["feature"] == name, "threshold"].to_numpy(dtype=float)
    cuts = cuts[(cuts > low) & (cuts < high)]
    edges: Floats = np.unique(np.concatenate([np.linspace(low, high, _STEPS), cuts]))
    return Side(name, place, None, edges, list((edges[:-1] + edges[1:]) / 2), at)


def _labels(estimator: Any, frame: pd.DataFrame, y: Any) -> tuple[Floats, list[str] | None]:
    y = np.asarray(y).tolist()
    if len(y) != len(frame):
        raise ValueError(f"y has {len(y)} labels for {len(frame)} rows of X.")
    classes = getattr(estimator, "classes_", None)
    if classes is None:
        return np.asarray(y, dtype=float), None
    code = {label: j for j, label in enumerate(classes.tolist())}
    unknown = [label for label in y if label not in code]
    if unknown:
        raise ValueError(
            f"y holds {unknown[0]!r}, which the estimator does not know; it knows "
            f"{', '.join(map(repr, code))}."
        )
    return np.array([code[v] for v in y], dtype=float), [str(c) for c in classes]


def _answers(estimator: Any, frame: pd.DataFrame, across: Side, up: Side, as_frame: bool) -> Floats:
    """Predictions, an array of shape (1 + cells up, 1 + cells across); index 0 = missing."""
    xs, ys = [None, *across.values], [None, *up.values]
    n = len(xs) * len(ys)
    grid = pd.DataFrame({f: [_typical(frame.iloc[:, f])] * n for f in range(frame.shape[1])})
    for f, dtype in enumerate(frame.dtypes):
        values = grid[f].tolist()
        if f == across.place:
            values = xs * len(ys)
        elif f == up.place:
            values = [v for v in ys for _ in xs]
        numeric = pd.api.types.is_numeric_dtype(dtype)
        grid[f] = pd.Series(values, dtype="float64" if numeric else "object")
    grid.columns = frame.columns
    answers = estimator.predict(grid if as_frame else grid.to_numpy())
    if hasattr(estimator, "classes_"):
        answers = np.searchsorted(estimator.classes_, answers)
    return np.asarray(answers, dtype=float).reshape(len(ys), len(xs))


def _typical(column: pd.Series) -> Any:
    known = column.dropna()
    if not len(known):
        return None
    if pd.api.types.is_numeric_dtype(column.dtype):
        return float(known.median())
    return known.mode().iloc[0]
