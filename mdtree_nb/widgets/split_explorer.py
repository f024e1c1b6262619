"""SplitExplorer: what a cut gains, and what it gains if the blanks go elsewhere."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import traitlets

from ..plots.bars import percent
from ..plots.short_words import count, number
from ..strategies import get_strategy
from .base import BadValue
from .chart_widget import ChartWidget
from .split_chart import column_ends, split_chart
from .split_numbers import BY_HAND, Columns, NodeColumn, drawable
from .visits import as_frame, labels_of

MOST_LINES, MOST_NODES, MOST_BLANK = 4, 60, 0.95


class SplitExplorer(ChartWidget):
    """Gain against threshold in a node, under some strategies and with blanks moved by hand.

    One slider sends a part of every blank to the right; the dashed curve is what all cuts
    then gain. Another takes more values away, and shows how the curves of the strategies,
    and their best cuts, move. A third, or a click on the chart, sets the cut of which the
    table below counts the rows.

    Parameters
    ----------
    X : DataFrame or array-like of shape (n, p)
    y : array-like of shape (n,)
        Labels.
    model : fitted MDTreeClassifier or MDTreeRegressor or None, default=None
        Whose nodes can be chosen, and whose criterion and smallest leaf count; None = the
        root of any tree.
    **traits
        Any of the traits below.

    Attributes
    ----------
    node : int
        Node of `model` whose rows are divided.
    feature : str
        Column of numbers. By default the one that the node asks, or that gains most.
    strategies : list of str
        One to four of them.
    more_blank : float
        Part of the known values that are taken away, from 0 to 0.95, drawn by `seed`.
    to_right : float
        Part of each blank that goes right on the dashed curve.
    threshold : float or None
        The cut whose rows are counted; None = the best one with blanks divided by hand.
    seed : int
        Draws which values are taken away.
    theme : {"auto", "light", "dark"}
        "auto" follows the notebook.
    error : str
        What was wrong with the last thing that came from the page.

    Raises
    ------
    ValueError
        For rows and labels that do not fit, and for values that a trait cannot take.
    NotFittedError
        For a model that is not fitted.

    Examples
    --------
    >>> from mdtree_nb import SplitExplorer
    >>> X, y = [[1.0], [2.0], [3.0], [float("nan")]], ["a", "b", "b", "b"]
    >>> explorer = SplitExplorer(X, y, to_right=1.0)
    >>> explorer
    SplitExplorer(#0 x0 <= 1.5: by hand 0.375; learned 0.375)
    """

    node = traitlets.Int(0).tag(sync=True)
    feature = traitlets.Unicode("").tag(sync=True)
    strategies = traitlets.List(traitlets.Unicode()).tag(sync=True)
    more_blank = traitlets.Float(0.0).tag(sync=True)
    to_right = traitlets.Float(0.5).tag(sync=True)
    threshold = traitlets.Float(None, allow_none=True).tag(sync=True)
    seed = traitlets.Int(0).tag(sync=True)

    def __init__(self, X: Any, y: Any, model: Any = None, **traits: Any):
        names: tuple[str, ...] = ()
        if model is not None:
            model.apply(X)  # says at once what does not fit
            names = model.schema_.names
        elif not hasattr(X, "columns"):
            names = tuple(f"x{j}" for j in range(np.asarray(X).shape[1]))
        frame = as_frame(X, names)
        labels = labels_of(y, len(frame))
        if labels is None:
            raise BadValue("y=None has no labels, and without them no cut gains anything.")
        self._columns = Columns(frame, labels.to_numpy(), model)
        own = "learned" if model is None else get_strategy(model._grown_by).name
        asked = {"strategies": [own if own in drawable() else "learned"], **traits}
        asked.setdefault("feature", self._default_feature(asked.get("node", 0)))
        super().__init__(**asked)
        self._busy = False
        self._show()

    @classmethod
    def example(cls) -> SplitExplorer:
        """Make a small one: the pulse of horses, where the side of blanks moves the cut.

        Returns
        -------
        SplitExplorer
        """
        from ..datasets import load

        data = load("horse_colic")
        y = data.y.where(data.y == "lived", "lost")
        return cls(data.X, y, feature="Pulse", strategies=["learned", "left"], to_right=0.0)

    def _default_feature(self, node: Any) -> str:
        its, model = self._columns, self._columns.model
        if model is not None and isinstance(node, int) and 0 <= node < its.n_nodes:
            asked = model.tree_.feature[node]
            name = model.tree_.schema.names[asked]
            if asked >= 0 and name in its.numeric:
                return str(name)
        gains = {}
        for name in its.numeric[:40]:
            cuts = its.cuts(0, name, 0.0, 0, "learned")
            gains[name] = float(cuts["gain"].iloc[0]) if len(cuts) else -1.0
        return max(gains, key=lambda name: gains[name])

    # -- what can be set ------------------------------------------------------------

    @traitlets.validate("node")
    def _check_node(self, proposal: Any) -> int:
        v, n = int(proposal["value"]), self._columns.n_nodes
        if not 0 <= v < n:
            hint = "" if self._columns.model is not None else "; pass model= for more"
            raise BadValue(f"node={v} must be the number of a node, from 0 to {n - 1}{hint}.")
        return v

    @traitlets.validate("feature")
    def _check_feature(self, proposal: Any) -> str:
        name, known = str(proposal["value"]), self._columns.numeric
        if name not in known:
            shown = ", ".join(map(repr, known[:8])) + (", ..." if len(known) > 8 else "")
            raise BadValue(f"feature={name!r} must be a column of numbers, such as {shown}.")
        return name

    @traitlets.validate("strategies")
    def _check_strategies(self, proposal: Any) -> list[str]:
        names = [str(get_strategy(name).name) for name in proposal["value"]]
        if not 1 <= len(names) <= MOST_LINES:
            raise BadValue(f"strategies={names!r} must be one to {MOST_LINES} names.")
        for name in names:
            if name not in drawable():
                raise BadValue(
                    f"strategies={names!r}: {name!r} fills or drops rows before it cuts; choose "
                    f"from {', '.join(drawable())}."
                )
        return list(dict.fromkeys(names))

    @traitlets.validate("more_blank", "to_right")
    def _check_part(self, proposal: Any) -> float:
        name, part = proposal["trait"].name, float(proposal["value"])
        most = MOST_BLANK if name == "more_blank" else 1.0
        if not 0 <= part <= most:
            raise BadValue(f"{name}={part!r} must be a part, from 0 to {most:g}.")
        return part

    @traitlets.validate("threshold")
    def _check_threshold(self, proposal: Any) -> float | None:
        at: float | None = proposal["value"]
        if at is not None and not np.isfinite(at):
            raise BadValue(f"threshold={at!r} must be a number, or None for the best cut.")
        return at

    @traitlets.validate("seed")
    def _check_seed(self, proposal: Any) -> int:
        if not 0 <= proposal["value"] < 2**32:
            raise BadValue(f"seed={proposal['value']} must be a whole number from 0.")
        return int(proposal["value"])

    @traitlets.observe("node", "feature")
    def _column_changed(self, change: Any) -> None:
        if not self._busy:
            self._busy = True
            self.threshold = None
            self._busy = False
            self._show()

    @traitlets.observe("strategies", "more_blank", "to_right", "threshold", "seed")
    def _value_changed(self, change: Any) -> None:
        self._show()

    def _clicked(self, chart: int, x: float, y: float) -> None:
        low, high = column_ends(self._column())
        self.threshold = float(f"{min(max(x, low), high):.6g}")

    # -- what Python can read ---------------------------------------------------------

    @property
    def table(self) -> pd.DataFrame:
        """By strategy, "by hand" first: gain at the cut, best gain, and where that is."""
        column = self._column()
        at = self._at(column)
        lines = {}
        for name, cuts in self._curves().items():
            best = cuts.iloc[0] if len(cuts) else None
            lines[name] = {
                "gain": column.gain_at(cuts, at),
                "best gain": np.nan if best is None else float(best["gain"]),
                "best cut": np.nan if best is None else float(best["threshold"]),
                "missing to": "" if best is None else str(best["missing_to"]),
            }
        table = pd.DataFrame(lines).T
        return table.astype({"gain": float, "best gain": float, "best cut": float})

    # -- what is shown --------------------------------------------------------------

    def _column(self) -> NodeColumn:
        return self._columns.column(self.node, self.feature, self.more_blank, self.seed)

    def _curves(self) -> dict[str, pd.DataFrame]:
        where = (self.node, self.feature, self.more_blank, self.seed)
        curves = {BY_HAND: self._columns.cuts(*where, float(self.to_right))}
        curves[BY_HAND] = curves[BY_HAND].dropna(subset="threshold")
        return curves | {name: self._columns.cuts(*where, name) for name in self.strategies}

    def _at(self, column: NodeColumn) -> float:
        """The cut that is looked at."""
        if self.threshold is not None:
            return self.threshold
        cuts = self._curves()[BY_HAND]
        return float(cuts["threshold"].iloc[0]) if len(cuts) else column_ends(column)[0]

    def _controls(self) -> list[dict[str, Any]]:
        low, high = column_ends(self._columns.column(self.node, self.feature, 0.0, 0))
        step = float(f"{(high - low) / 200 or 1:.1g}")
        share = {"kind": "range", "min": 0, "step": 0.01, "percent": True}
        names = [[name, name] for name in self._columns.numeric]
        lines: list[dict[str, Any]] = [
            {"trait": "feature", "label": "Column", "kind": "select", "options": names},
            {"trait": "more_blank", "label": "Take values away", "max": MOST_BLANK, **share},
            {"trait": "to_right", "label": "Blanks to the right", "max": 1, **share},
            {"trait": "threshold", "label": "Cut", "kind": "range", "min": low, "max": high,
             "step": step},
            {"trait": "seed", "label": "Seed", "kind": "number", "min": 0, "step": 1},
            {"trait": "strategies", "label": "Strategies", "kind": "check",
             "options": [[name, name] for name in drawable()]},
        ]  # fmt: skip
        return [*self._node_control(), *lines]

    def _node_control(self) -> list[dict[str, Any]]:
        its = self._columns
        if its.model is None:
            return []
        if its.n_nodes > MOST_NODES:
            most = {"min": 0, "max": its.n_nodes - 1, "step": 1}
            return [{"trait": "node", "label": "Node", "kind": "number", **most}]
        tree = its.model.tree_
        asks = [tree.schema.names[f] if f >= 0 else "leaf" for f in tree.feature]
        options = [[str(v), f"#{v} {name}"] for v, name in enumerate(asks)]
        return [{"trait": "node", "label": "Node", "kind": "select", "options": options,
                 "whole": True}]  # fmt: skip

    def _look(self) -> dict[str, Any]:
        column, curves = self._column(), self._curves()
        at, blank = self._at(column), np.isnan(column.seen)
        table = self.table
        best = table.loc[BY_HAND]
        n_blank = int(blank.sum())
        if np.isnan(best["best gain"]):
            title = f"{self.feature} has no cut here: its known values are too few, or all equal"
        else:
            cut = f"{self.feature} ≤ {number(float(best['best cut']))}"
            title = f"{cut} gains {best['best gain']:.3f}"
            if n_blank:
                title += f" with {percent(self.to_right)} of {count(n_blank)} blanks to the right"
        note = f"{count(len(blank))} rows in node {self.node}, {count(n_blank)} without a value"
        if column.blanked.any():
            note += f", {count(int(column.blanked.sum()))} of them taken away"
        chart = split_chart(column, curves, self._classes(column), self._top(curves), at)
        chart.words = f"Gain against threshold of {self.feature}: " + "; ".join(
            f"{name} best {line['best gain']:.4f} at {line['best cut']:.6g}"
            for name, line in table.iterrows()
        )
        tables = [self._sides(column, at), self._gains(table)]
        return {"title": title, "note": note, "charts": [chart], "tables": tables,
                "at": {"threshold": at}}  # fmt: skip

    def _top(self, curves: dict[str, pd.DataFrame]) -> float:
        """The largest gain with and without values taken away: the scale must not move."""
        fixed = [self._columns.cuts(self.node, self.feature, 0.0, 0, s) for s in self.strategies]
        gains = [float(c["gain"].max()) for c in [*fixed, *curves.values()] if len(c)]
        return max([*gains, 1e-9])

    def _classes(self, column: NodeColumn) -> list[Any] | None:
        return None if self._columns.task == "regression" else list(np.unique(self._columns.y))

    def _sides(self, column: NodeColumn, at: float) -> dict[str, Any]:
        """Rows on both sides of the cut, and those without a value."""
        with np.errstate(invalid="ignore"):
            left, right = column.seen <= at, column.seen > at
        lost = np.isnan(column.seen)
        classes = self._classes(column)
        head = ["", "rows", *(map(str, classes[:7]) if classes else ["mean"])]
        rows = []
        cut = number(float(f"{at:.6g}"))
        for name, here in ((f"≤ {cut}", left), (f"> {cut}", right), ("missing", lost)):
            w, y = column.w[here], column.y[here]
            if classes:
                cells = [count(float(w[y == label].sum())) for label in classes[:7]]
            else:
                cells = [f"{np.average(y.astype(float), weights=w):.4g}" if w.sum() else ""]
            rows.append([name, count(float(w.sum())), *cells])
        return {"caption": f"Rows at this cut of {self.feature}", "head": head, "rows": rows}

    def _gains(self, table: pd.DataFrame) -> dict[str, Any]:
        def write(value: float, form: str = ".4f") -> str:
            return "" if np.isnan(value) else format(value, form)

        rows = []
        for name, line in table.iterrows():
            cut = line["best cut"]
            best = "known or not" if np.isnan(cut) and line["missing to"] else write(cut, ".6g")
            rows.append([str(name), write(line["gain"]), write(line["best gain"]), best])
        return {"caption": "Gain", "head": ["", "at this cut", "best", "at"], "rows": rows}

    def _summary(self) -> str:
        column = self._column()
        table = self.table
        gains = [f"{name} {line['gain']:.3f}" for name, line in table.iterrows()]
        taken = f", {percent(self.more_blank)} taken away" if self.more_blank else ""
        return f"#{self.node} {self.feature} <= {self._at(column):.6g}{taken}: {'; '.join(gains)}"
