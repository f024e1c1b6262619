"""MissingnessLab: make holes in a table and watch a mean and a tree."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import traitlets

from ..estimators import MDTreeClassifier, MDTreeRegressor
from ..inputs import guess_task
from ..missingness import MissingResult, make_missing
from ..plots.bars import percent
from ..plots.chart import Chart
from ..strategies import StrategyNotApplicable, all_strategies, get_strategy
from .base import BadValue
from .chart_widget import ChartWidget
from .visits import as_frame, labels_of

MECHANISMS = ("MCAR", "MAR", "MNAR")
MOST_DOTS, MOST_RATE, MOST_TESTS = 800, 0.9, 7
_SAYS = {
    "MCAR": "chance alone decides",
    "MAR": "another column decides",
    "MNAR": "the value itself decides",
}


class MissingnessLab(ChartWidget):
    """Take values out of one column by a stated mechanism, and see what follows.

    The chart shows which rows lose their value, against the column that decides (MAR) or
    that is most tied to it; the lines are the mean before and after. The tables compare the
    rate asked for with the rate reached, the mean that was with the mean that is left, and
    a tree that sees the whole table with one that sees the holes.

    Parameters
    ----------
    X : DataFrame or array-like of shape (n, p)
        Holes that are there already stay, and count as known to nobody.
    y : array-like of shape (n,) or None, default=None
        Labels; None = no tree.
    **traits
        Any of the traits below.

    Attributes
    ----------
    mechanism : {"MCAR", "MAR", "MNAR"}
        What decides: chance, another column, or the value itself.
    rate : float
        Part of the known values that go, from 0 to 0.9.
    seed : int
    column : str
        A column of numbers, which loses values.
    driver : str
        Column of numbers that decides under MAR, and stands on the other axis.
    missing : str
        Strategy of the tree.
    max_depth : int
        Of the tree, from 1 to 4.
    theme : {"auto", "light", "dark"}
        "auto" follows the notebook.
    error : str
        What was wrong with the last thing that came from the page.

    Raises
    ------
    ValueError
        For rows and labels that do not fit, and for values that a trait cannot take.

    Examples
    --------
    >>> import numpy as np
    >>> from mdtree_nb import MissingnessLab
    >>> X = np.column_stack([np.arange(20.0), np.arange(20.0) % 7])
    >>> lab = MissingnessLab(X, mechanism="MNAR", rate=0.25)
    >>> lab
    MissingnessLab(MNAR in x0: asked 25 %, reached 25 %; mean 9.5, left 9.667)
    """

    mechanism = traitlets.Unicode("MCAR").tag(sync=True)
    rate = traitlets.Float(0.3).tag(sync=True)
    seed = traitlets.Int(0).tag(sync=True)
    column = traitlets.Unicode("").tag(sync=True)
    driver = traitlets.Unicode("").tag(sync=True)
    missing = traitlets.Unicode("learned").tag(sync=True)
    max_depth = traitlets.Int(2).tag(sync=True)

    def __init__(self, X: Any, y: Any = None, **traits: Any):
        frame = as_frame(X, () if hasattr(X, "columns") else _names(X))
        self._frame = frame.set_axis([str(name) for name in frame], axis=1)
        self._labels = labels_of(y, len(frame))
        numbers = [
            name
            for name in self._frame
            if pd.api.types.is_numeric_dtype(self._frame[name])
            and not pd.api.types.is_bool_dtype(self._frame[name])
            and self._frame[name].nunique() > 1
        ]
        if len(numbers) < 2 or len(set(self._frame)) < self._frame.shape[1]:
            raise BadValue(
                f"X has {len(numbers)} columns of different numbers; two are needed, one that "
                "loses values and one to see it against, and each needs a name of its own."
            )
        self._numbers = numbers
        self._result: MissingResult | None = None
        column = traits.setdefault("column", numbers[0])
        traits.setdefault("driver", self._partner(column))
        super().__init__(**traits)
        self._whole: dict[tuple[str, int], Any] = {}
        self._busy = False
        self._show()

    @classmethod
    def example(cls) -> MissingnessLab:
        """Make a small one: the body mass of penguins, which is known for all.

        Returns
        -------
        MissingnessLab
        """
        from ..datasets import load

        data = load("penguins")
        kept = data.X["body_mass_g"].notna()
        return cls(
            data.X[kept], data.y[kept], column="flipper_length_mm", driver="body_mass_g",
            mechanism="MNAR",
        )  # fmt: skip

    def _partner(self, column: Any) -> str:
        """The other column of numbers that is most tied to one."""
        others = [name for name in self._numbers if name != column]
        if column not in self._numbers:
            return others[0]
        ties = self._frame[others].corrwith(self._frame[column]).abs()
        return str(ties.fillna(-1).idxmax())

    # -- what can be set ------------------------------------------------------------

    @traitlets.validate("mechanism")
    def _check_mechanism(self, proposal: Any) -> str:
        if proposal["value"] not in MECHANISMS:
            raise BadValue(f"mechanism={proposal['value']!r} must be one of {MECHANISMS}.")
        return str(proposal["value"])

    @traitlets.validate("rate")
    def _check_rate(self, proposal: Any) -> float:
        rate = float(proposal["value"])
        if not 0 <= rate <= MOST_RATE:
            raise BadValue(f"rate={rate!r} must be a part, from 0 to {MOST_RATE}.")
        return rate

    @traitlets.validate("seed")
    def _check_seed(self, proposal: Any) -> int:
        if not 0 <= proposal["value"] < 2**32:
            raise BadValue(f"seed={proposal['value']} must be a whole number from 0.")
        return int(proposal["value"])

    @traitlets.validate("column", "driver")
    def _check_column(self, proposal: Any) -> str:
        name, trait = str(proposal["value"]), proposal["trait"].name
        if name not in self._numbers:
            known = ", ".join(map(repr, self._numbers[:8]))
            raise BadValue(f"{trait}={name!r} must be a column of numbers, such as {known}.")
        if trait == "driver" and name == self.column:
            raise BadValue(f"driver={name!r} loses values itself; choose another column.")
        return name

    @traitlets.validate("missing")
    def _check_missing(self, proposal: Any) -> str:
        try:
            return str(get_strategy(proposal["value"]).name)
        except ValueError as error:
            raise BadValue(str(error)) from error

    @traitlets.validate("max_depth")
    def _check_max_depth(self, proposal: Any) -> int:
        if not 1 <= proposal["value"] <= 4:
            raise BadValue(f"max_depth={proposal['value']} must be from 1 to 4.")
        return int(proposal["value"])

    @traitlets.observe("column")
    def _column_changed(self, _: Any) -> None:
        if not self._busy:
            if self.driver == self.column:
                self._busy = True
                self.driver = self._partner(self.column)
                self._busy = False
            self._show()

    @traitlets.observe("mechanism", "rate", "seed", "driver", "missing", "max_depth")
    def _value_changed(self, _: Any) -> None:
        self._show()

    # -- what Python can read ---------------------------------------------------------

    @property
    def result(self) -> MissingResult:
        """The table with holes, and all that is known about them; see `make_missing`."""
        if self._result is None:
            drivers = {"drivers": self.driver} if self.mechanism == "MAR" else {}
            self._result = make_missing(
                self._frame, mechanism=self.mechanism, rate=self.rate, columns=[self.column],
                random_state=self.seed, keep_one=False, **drivers,
            )  # fmt: skip
        return self._result

    @property
    def means(self) -> pd.Series:
        """Mean of the column: `before`, and of what is `left`."""
        left = pd.to_numeric(self.result.X[self.column])
        return pd.Series({"before": self._frame[self.column].mean(), "left": left.mean()})

    def _tree(self, X: pd.DataFrame) -> Any:
        """A tree of a table; None where the strategy cannot treat it."""
        y = self._labels
        cls = MDTreeRegressor if guess_task(y) == "regression" else MDTreeClassifier
        try:
            return cls(missing=self.missing, max_depth=self.max_depth).fit(X, y)
        except StrategyNotApplicable:
            return None

    @property
    def trees(self) -> tuple[Any, Any] | None:
        """Trees of the table before, and with its holes; None without labels.

        Either is None where the strategy cannot treat its table.
        """
        if self._labels is None:
            return None
        key = (self.missing, self.max_depth)
        if key not in self._whole:
            self._whole[key] = self._tree(self._frame)
        return self._whole[key], self._tree(self.result.X)

    # -- what is shown --------------------------------------------------------------

    def _controls(self) -> list[dict[str, Any]]:
        names = [[name, name] for name in self._numbers]
        lines: list[dict[str, Any]] = [
            {"trait": "column", "label": "Column", "kind": "select", "options": names},
            {"trait": "mechanism", "label": "Mechanism", "kind": "select",
             "options": [[m, f"{m}: {_SAYS[m]}"] for m in MECHANISMS]},
            {"trait": "driver", "label": "Against", "kind": "select",
             "options": [pair for pair in names if pair[0] != self.column]},
            {"trait": "rate", "label": "Rate", "kind": "range", "min": 0, "max": MOST_RATE,
             "step": 0.01, "percent": True},
            {"trait": "seed", "label": "Seed", "kind": "number", "min": 0, "step": 1},
        ]  # fmt: skip
        if self._labels is not None:
            ways = [[name, name] for name in all_strategies()]
            lines += [
                {"trait": "missing", "label": "Tree", "kind": "select", "options": ways},
                {"trait": "max_depth", "label": "Depth", "kind": "range", "min": 1, "max": 4,
                 "step": 1},
            ]  # fmt: skip
        return lines

    def _show(self) -> None:
        self._result = None
        super()._show()

    def _look(self) -> dict[str, Any]:
        result, means = self.result, self.means
        reached = result.realised["column"]
        by = f" by {self.driver}" if self.mechanism == "MAR" else ""
        moves = means["left"] - means["before"]
        if np.isnan(moves):
            title = f"Nothing is left of {self.column}"
        else:
            way = "rises" if moves > 0 else "falls" if moves < 0 else "stays"
            title = f"The mean of {self.column} {way}: {means['before']:.5g} to {means['left']:.5g}"
        note = f"{self.mechanism}: {_SAYS[self.mechanism]}{by}"
        chart = self._chart(result, means)
        known = int(self._frame[self.column].notna().sum())
        gone = int(result.new_mask[self.column].sum())
        rows = [
            ["rate", percent(self.rate), percent(reached)],
            [
                "rows without a value",
                str(len(self._frame) - known),
                str(int(result.mask[self.column].sum())),
            ],
            ["mean", f"{means['before']:.5g}", f"{means['left']:.5g}"],
        ]
        tables = [
            {"caption": self.column, "head": ["", "before, or asked", "now"], "rows": rows},
            *self._tree_table(),
        ]
        chart.words = (
            f"{self.column} against {self.driver}: {gone} of {known} values are gone, "
            f"{percent(reached)}, by {self.mechanism}{by}. {title}."
        )
        return {"title": title, "note": note, "charts": [chart], "tables": tables}

    def _tree_table(self) -> list[dict[str, Any]]:
        trees = self.trees
        if trees is None:
            return []
        tests = [_tests(model) for model in trees]
        rows = []
        for place in dict.fromkeys([*tests[0], *tests[1]]):
            asked = [its.get(place, "") for its in tests]
            rows.append([place, *asked])
        scores = ["" if m is None else f"{m.score(self._frame, self._labels):.3f}" for m in trees]
        name = "R²" if guess_task(self._labels) == "regression" else "accuracy on the whole table"
        rows = [*rows[:MOST_TESTS], [name, *scores]]
        caption = f"Tree under {self.missing}"
        return [{"caption": caption, "head": ["", "whole table", "with holes"], "rows": rows}]

    def _chart(self, result: MissingResult, means: pd.Series) -> Chart:
        x = self._frame[self.driver].to_numpy(dtype=float, na_value=np.nan)
        y = self._frame[self.column].to_numpy(dtype=float, na_value=np.nan)
        seen = np.isfinite(x) & np.isfinite(y)
        gone = result.new_mask[self.column].to_numpy()
        ends = [_wider(values[np.isfinite(values)]) for values in (x, y)]
        chart = Chart(
            ends[0], ends[1], xlabel=self.driver, ylabel=self.column, wide=620, high=390, right=92,
        )  # fmt: skip
        rows = np.flatnonzero(seen)
        rows = rows[np.linspace(0, len(rows) - 1, min(len(rows), MOST_DOTS)).astype(int)]
        kept, lost = rows[~gone[rows]], rows[gone[rows]]
        chart.dots(x[kept], y[kept], "flow", size=2.6, name="kept")
        chart.dots(x[lost], y[lost], "missing", size=3.2, hollow=True, name="lost")
        places = {"before": ("ink", "", "mean before"), "left": ("missing", "dash", "mean now")}
        apart = abs(chart.pixels([(0, means["before"])])[0, 1] - _height(chart, means["left"]))
        for name, (colour, dash, words) in places.items():
            at = means[name]
            if np.isnan(at):
                continue
            up = 1 if (name == "before") == (means["before"] <= means["left"]) else -1
            shift = (6, up * max(0.0, (15 - apart) / 2))
            chart.line(ends[0], [at, at], colour, size=1.8, dash=dash, name=words)
            chart.text(ends[0][1], at, words, colour, bold=True, shift=shift)
        return chart

    def _summary(self) -> str:
        means = self.means
        reached = percent(self.result.realised["column"])
        return (
            f"{self.mechanism} in {self.column}: asked {percent(self.rate)}, reached {reached}; "
            f"mean {means['before']:.4g}, left {means['left']:.4g}"
        )


def _names(X: Any) -> tuple[str, ...]:
    return tuple(f"x{j}" for j in range(np.asarray(X).shape[1]))


def _height(chart: Chart, at: float) -> float:
    return float(chart.pixels([(0, at)])[0, 1]) if np.isfinite(at) else np.inf


def _wider(values: Any) -> tuple[float, float]:
    low, high = float(values.min()), float(values.max())
    margin = 0.04 * (high - low)
    return low - margin, high + margin


def _tests(model: Any) -> dict[str, str]:
    """What the first nodes of a tree ask, by how they are reached."""
    if model is None:
        return {"first test": "cannot be grown"}
    tree = model.tree_
    names = {0: "first test"}
    for v in range(1, tree.n_nodes):
        way = "left" if tree.branch[v] == 0 else "right" if tree.branch[v] == 1 else "third"
        parent = int(tree.parent[v])
        names[v] = f"then {way}" if parent == 0 else f"{names[parent]}, {way}"
    asks = {
        names[v]: tree.condition(int(tree.first_child[v]))
        for v in range(tree.n_nodes)
        if tree.feature[v] >= 0
    }
    return asks or {"first test": "none"}
