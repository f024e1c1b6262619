"""What plot_split draws: the rows of one column, and its cuts under some strategies.

Shared by `split.py` (numbers) and `split_levels.py` (categories).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from .. import table as tables
from ..inputs import guess_task
from ..splits import column_number, split_table
from ..strategies import get_strategy
from .theme import Palette

MOST_CURVES = 4
MARKS = ("o", "s", "^", "v")
SMALL = 7.5
MOST_CLASSES = 7
ONE_BRANCH_EACH = ("multiway", "every_level")  # tests with a branch per level


@dataclass(frozen=True)
class Rows:
    """The column and the labels, row by row.

    Attributes
    ----------
    name : str
    x : ndarray of shape (n,)
        Numbers, or codes of levels; NaN = missing.
    levels : tuple or None
    target : str
        Name of the labels, if they have one.
    y : ndarray of shape (n,)
        Codes of classes, or numbers.
    w : ndarray of shape (n,)
    classes : list of str or None
        No more than MOST_CLASSES; the last stands for the rarest ones. None for numbers.
    multiway : bool
        Has a test of the column one branch per level?
    palette : Palette
    """

    name: str
    x: NDArray[np.float64]
    levels: tuple[Any, ...] | None
    target: str
    y: NDArray[Any]
    w: NDArray[np.float64]
    classes: list[str] | None
    multiway: bool
    palette: Palette

    @property
    def missing(self) -> NDArray[np.bool_]:
        """Which rows have no value."""
        return np.isnan(self.x)


@dataclass(frozen=True)
class Curve:
    """The cuts of the column under a strategy, or under several that agree."""

    names: list[str]
    cuts: pd.DataFrame
    colour: str
    mark: str

    @property
    def best(self) -> pd.Series:
        """The best cut."""
        return self.cuts.iloc[0]

    @property
    def label(self) -> str:
        """Names of the strategies."""
        return ", ".join(self.names)


def read_rows(X: Any, y: Any, feature: Any, options: dict[str, Any], palette: Palette) -> Rows:
    """Take one column and the labels of the rows that count."""
    table = tables.learn(tables.read(X))
    f = column_number(feature, table.schema)
    sample_weight, task = options["sample_weight"], options["task"]
    multiway = options["categorical"] in ONE_BRANCH_EACH and table.schema.levels[f] is not None
    w = np.ones(table.n_rows) if sample_weight is None else np.asarray(sample_weight, float)
    labels, x = pd.Series(np.asarray(y))[w > 0], table.values[w > 0, f]
    name, levels = table.schema.names[f], table.schema.levels[f]
    target = str(getattr(y, "name", None) or "")
    if (guess_task(y) if task == "auto" else task) == "regression":
        return Rows(
            name, x, levels, target, labels.to_numpy(float), w[w > 0], None, multiway, palette
        )
    codes, found = pd.factorize(labels, sort=True)
    classes = list(map(str, found))
    if len(classes) > MOST_CLASSES:  # the most frequent ones stay
        order = np.argsort(-np.bincount(codes), kind="stable")
        kept = np.sort(order[: MOST_CLASSES - 1])
        number = np.full(len(classes), MOST_CLASSES - 1)
        number[kept] = np.arange(len(kept))
        codes = number[codes]
        classes = [*(classes[j] for j in kept), f"{len(classes) - len(kept)} others"]
    return Rows(name, x, levels, target, codes, w[w > 0], classes, multiway, palette)


def read_curves(
    X: Any, y: Any, rows: Rows, strategies: list[Any], options: dict[str, Any]
) -> list[Curve]:
    """Make the table of each strategy; equal ones are one curve."""
    curves: list[Curve] = []
    for strategy in strategies:
        name = get_strategy(strategy).name
        cuts = split_table(X, y, strategy, feature=rows.name, **options)
        if not len(cuts):
            raise ValueError(
                f"feature={rows.name!r} has no cut under missing={name!r}: its known values are "
                "all equal, or min_samples_leaf is too large; choose another column."
            )
        twin = next((c for c in curves if _same(c.cuts, cuts)), None)
        if twin is None:
            colour = rows.palette.lines[len(curves)]
            curves.append(Curve([name], cuts, colour, MARKS[len(curves)]))
        elif name not in twin.names:  # an alias is the same strategy
            twin.names.append(name)
    return curves


def _same(a: pd.DataFrame, b: pd.DataFrame) -> bool:
    names = ["threshold", "levels", "test", "missing"]
    if (a["missing"] > 0).any():
        names.append("missing_to")
    return a[names].equals(b[names]) and bool(np.allclose(a["gain"], b["gain"]))


def cut_in_words(rows: Rows, cut: pd.Series, with_missing: bool) -> str:
    """Name a cut; where it says so itself, with the side of the missing rows."""
    if rows.multiway and cut["levels"]:
        to = cut["missing_to"]
        way = to if to in ("own child", "shares") else f"to {to}"
        return f"{rows.name}: one branch per level" + (
            f", missing {way}" if any(rows.missing) else ""
        )
    return str(cut["test"]) if with_missing else str(cut["test"]).removesuffix(" or missing")


def gain_in_words(gain: float) -> str:
    """Write a gain with three decimals, or four digits where it is large."""
    return f"{gain:.3f}" if gain < 10 else f"{gain:.4g}"


def shorten(text: str, most: int) -> str:
    """Cut a long text in the middle."""
    half = (most - 3) // 2
    return text if len(text) <= most else f"{text[:half]}...{text[-half:]}"
