"""StrategyDashboard: scores of strategies by rate, their ranks and what they cost."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import traitlets

from ..evaluation.comparison import Comparison
from ..evaluation.metrics import METRICS
from ..plots.chart import Chart
from .base import BadValue
from .chart_widget import ChartWidget
from .dashboard_charts import behind_chart, colours_of, cost_chart, rank_chart, score_chart
from .dashboard_numbers import behind, mean_by_rate, overall, ranks, read_scores

MOST_SHOWN = 12
_ALL = "all"


class StrategyDashboard(ChartWidget):
    """Compare strategies while they are still being computed, or afterwards.

    Three charts: the mean score against the rate of missing values, with 95 % intervals (or,
    at one rate, a dot per strategy); mean ranks with the critical difference where there are
    several data sets, else the distance to the best on the same folds; and what a fit costs.

    Parameters
    ----------
    source : Comparison, dict, DataFrame, str or Path
        A comparison, or a dict from rate to comparison; a table that `Experiment.run`
        returned; or a store, which may still be written.
    experiment : Experiment or None, default=None
        Whose part of a store is shown, with how many cells are still open; None = all of it.
    **traits
        Any of the traits below.

    Attributes
    ----------
    metric : str
        What is compared.
    dataset : str
        A data set, or "all": then each counts once.
    mechanism : str
        Of the holes, or "all".
    test : str
        Test scenario, such as "missing" or "complete".
    show : list of str
        Strategies to show; at first up to 12 of them.
    every : int
        Read a store again every so many seconds; 0 = when asked.
    theme : {"auto", "light", "dark"}
        "auto" follows the notebook.
    error : str
        What was wrong with the last thing that came from the page.

    Raises
    ------
    TypeError
        For another source.
    ValueError
        For a store that cannot be read, a table without the columns, and for values that a
        trait cannot take.

    Examples
    --------
    >>> from mdtree_nb import StrategyDashboard, compare, load
    >>> data = load("labor")
    >>> board = StrategyDashboard(compare(data.X, data.y, ["learned", "majority"]))
    >>> board.means.round(3).to_dict()
    {'learned': 0.823, 'majority': 0.85}
    """

    metric = traitlets.Unicode("").tag(sync=True)
    dataset = traitlets.Unicode(_ALL).tag(sync=True)
    mechanism = traitlets.Unicode(_ALL).tag(sync=True)
    test = traitlets.Unicode("").tag(sync=True)
    show = traitlets.List(traitlets.Unicode()).tag(sync=True)
    every = traitlets.Int(0).tag(sync=True)

    def __init__(self, source: Any, experiment: Any = None, **traits: Any):
        self._source, self._experiment = source, experiment
        self._chosen = "show" in traits  # else new strategies join while a store grows
        self._read()
        traits.setdefault("metric", self._scores.metrics[0])
        traits.setdefault("test", self._known("test")[0] if len(self._scores.table) else "")
        traits.setdefault("show", self._known("strategy")[:MOST_SHOWN])
        super().__init__(**traits)
        self._busy = False
        self._show()

    @classmethod
    def example(cls) -> StrategyDashboard:
        """Make a small one: scores that are made up, of three strategies at three rates.

        Returns
        -------
        StrategyDashboard
        """
        rng = np.random.RandomState(0)
        lines = [
            {"dataset": name, "strategy": way, "rate": rate, "fold": fold, "repeat": 0,
             "mechanism": "MCARunifo", "test": "missing", "prediction": "own",
             "accuracy": 0.9 - 0.3 * rate * (1 + j / 2) + 0.02 * rng.randn()}
            for name in ("one", "two", "three", "four")
            for j, way in enumerate(("learned", "fractional", "mean"))
            for rate in (0.1, 0.3, 0.5)
            for fold in range(5)
        ]  # fmt: skip
        return cls(pd.DataFrame(lines))

    def _read(self) -> None:
        self._scores = read_scores(self._source, self._experiment)

    def _known(self, column: str) -> list[str]:
        """Values of a column, in the order in which they come."""
        return [str(v) for v in self._scores.table[column].unique()]

    # -- what can be set ------------------------------------------------------------

    @traitlets.validate("metric", "dataset", "mechanism", "test")
    def _check_choice(self, proposal: Any) -> str:
        name, value = proposal["trait"].name, str(proposal["value"])
        known = self._scores.metrics if name == "metric" else self._known(name)
        free = name in ("dataset", "mechanism") and value == _ALL
        if not free and value not in known and (value or known):
            listed = ", ".join(map(repr, known[:9])) or "nothing yet"
            raise BadValue(f"{name}={value!r} is not there; there is {listed}.")
        return value

    @traitlets.validate("show")
    def _check_show(self, proposal: Any) -> list[str]:
        names = list(dict.fromkeys(map(str, proposal["value"])))
        known = self._known("strategy")
        for name in names:
            if name not in known:
                raise BadValue(f"show={name!r} is no strategy here; there is {', '.join(known)}.")
        return [name for name in known if name in names]

    @traitlets.validate("every")
    def _check_every(self, proposal: Any) -> int:
        if not 0 <= proposal["value"] <= 3600:
            raise BadValue(f"every={proposal['value']} must be seconds, from 0 to 3600.")
        return int(proposal["value"])

    @traitlets.observe("metric", "dataset", "mechanism", "test", "every")
    def _value_changed(self, _: Any) -> None:
        self._show()

    @traitlets.observe("show")
    def _show_changed(self, _: Any) -> None:
        if not self._busy:
            self._chosen = True
            self._show()

    def _act(self, wish: dict[str, Any]) -> None:
        if "refresh" in wish:
            self.refresh()
        else:
            super()._act(wish)

    def refresh(self) -> None:
        """Read the source again: a store may have grown.

        Raises
        ------
        ValueError
            For a store that cannot be read; what was read before stays.
        """
        self._read()
        self._busy = True
        if not self.test and len(self._scores.table):
            self.test = self._known("test")[0]
        if self.metric not in self._scores.metrics:
            self.metric = self._scores.metrics[0]
        if not self._chosen:
            self.show = self._known("strategy")[:MOST_SHOWN]
        self._busy = False
        self._show()

    # -- what Python can read ---------------------------------------------------------

    @property
    def lines(self) -> pd.DataFrame:
        """The scores that are shown, fold by fold."""
        where = {
            "dataset": "" if self.dataset == _ALL else self.dataset,
            "mechanism": "" if self.mechanism == _ALL else self.mechanism,
            "test": self.test,
        }
        lines = self._scores.select(self.metric, **where)
        return lines[lines["strategy"].isin(self.show)]

    @property
    def means(self) -> pd.Series:
        """Mean score of each strategy; data sets and rates count once each."""
        return overall(self.lines).reindex([n for n in self.show]).dropna()

    @property
    def table(self) -> pd.DataFrame:
        """Mean score by strategy and rate, with `low` and `high` of its 95 % interval."""
        return mean_by_rate(self.lines, self._scores.ratio)

    @property
    def _higher(self) -> bool:
        if isinstance(self._source, Comparison) and self.metric == self._source.scoring:
            return self._source.higher_is_better
        return METRICS[self.metric].higher_is_better if self.metric in METRICS else True

    # -- what is shown --------------------------------------------------------------

    def _controls(self) -> list[dict[str, Any]]:
        def choice(trait: str, label: str, values: list[str], free: bool) -> dict[str, Any]:
            options = [[v, v] for v in ([_ALL] if free else []) + values]
            return {"trait": trait, "label": label, "kind": "select", "options": options}

        lines = [choice("metric", "Score", self._scores.metrics, False)]
        for trait, label, free in (
            ("dataset", "Data set", True),
            ("mechanism", "Mechanism", True),
            ("test", "Test rows", False),
        ):
            values = [v for v in self._known(trait) if v]
            if len(values) > 1:
                lines.append(choice(trait, label, values, free))
        names = [[name, name] for name in self._known("strategy")]
        lines.append({"trait": "show", "label": "Show", "kind": "check", "options": names})
        if isinstance(self._source, str) or hasattr(self._source, "__fspath__"):
            lines.append({"trait": "refresh", "label": "Read again", "kind": "button"})
            lines.append({"trait": "every", "label": "every … seconds (0 = never)",
                          "kind": "number", "min": 0, "max": 3600, "step": 1})  # fmt: skip
        return lines

    def _look(self) -> dict[str, Any]:
        lines, scores = self.lines, self._scores
        note = f"{len(lines)} scores"
        sets = lines["dataset"].nunique()
        note += f" on {sets} data sets" if sets > 1 else ""
        if scores.planned:
            note += f"; {scores.done} of {scores.planned} cells done"
        note += f", {scores.failed} failed" if scores.failed else ""
        if not len(lines):
            empty = Chart((0, 1), (0, 1), xticks=[], yticks=[], high=120)
            empty.text(0.5, 0.5, "no scores yet", "muted", align="center")
            title = "Nothing has a score yet" if self.show else "No strategy is chosen"
            return {"title": title, "note": note, "charts": [empty], "tables": self._unranked()}
        colours = colours_of(self._known("strategy"))
        table, means = self.table, self.means.sort_values(ascending=not self._higher, kind="stable")
        if table["rate"].nunique(dropna=False) < 2:
            table = table.set_index("strategy").loc[means.index].reset_index()
        charts = [score_chart(table, self.metric, colours)]
        found = ranks(lines, self._higher)
        if found is not None:
            chart, title = rank_chart(found, colours)
            charts.append(chart)
        else:
            apart = behind(lines, scores.ratio, self._higher)
            if len(apart) > 1:
                charts.append(behind_chart(apart, self.metric, colours))
            title = _finding(apart, self.metric)
        cost = scores.cost[scores.cost["strategy"].isin([n.split(", ")[0] for n in self.show])]
        if len(cost):
            charts.append(cost_chart(cost.assign(strategy=cost["strategy"]), colours))
        return {"title": title, "note": note, "charts": charts,
                "tables": [self._ranking(means, found), *self._unranked()]}  # fmt: skip

    def _ranking(self, means: pd.Series, found: Any) -> dict[str, Any]:
        leaves = self._scores.cost.groupby("strategy")["leaves"].mean()
        rows = []
        for name, mean in means.items():
            rank = "" if found is None else f"{found.mean_ranks[name]:.2f}"
            size = leaves.get(name, np.nan)
            rows.append([str(name), f"{mean:.3f}", rank, "" if pd.isna(size) else f"{size:.1f}"])
        head = ["", f"mean {self.metric}", "mean rank", "leaves"]
        kept = [0, 1, *(i for i in (2, 3) if any(row[i] for row in rows))]
        return {
            "caption": "Strategies, best first",
            "head": [head[i] for i in kept],
            "rows": [[row[i] for i in kept] for row in rows],
        }

    def _unranked(self) -> list[dict[str, Any]]:
        problems = {n: why for n, why in self._scores.problems.items() if n in self.show}
        if not problems:
            return []
        rows = [[name, why] for name, why in problems.items()]
        return [{"caption": "Not in every fold", "head": ["", "why"], "rows": rows}]

    def _summary(self) -> str:
        means = self.means.sort_values(ascending=not self._higher, kind="stable")
        told = ", ".join(f"{name} {mean:.3f}" for name, mean in means.items())
        return f"{self.metric}: {told or 'no scores yet'}"


def _finding(apart: pd.DataFrame, metric: str) -> str:
    """What the distances to the best say."""
    best = str(apart["strategy"].iloc[0])
    others = apart.iloc[1:]
    if not len(others):
        return f"{best} alone has scores"
    visible = ((others["low"] > 0) | (others["high"] < 0)).sum()
    if not visible:
        return f"{best} has the best mean {metric}, and no other is visibly behind"
    return f"{best} is visibly ahead of {visible} of {len(others)} others"
