"""The result of a comparison: scores, ranks, and how far they can be believed."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from .common_folds import compared, detectable, ordered
from .metrics import METRICS
from .statistics import holm

_WORDS = ("strategy", "test", "status", "reason")


@dataclass(frozen=True)
class Comparison:
    """Scores of strategies on the same folds.

    Attributes
    ----------
    folds : DataFrame
        One line per strategy, fold and test scenario: `strategy`, `fold`, `test`, `status`
        ("ok", "not applicable", "failed", "skipped") with its `reason` (of an "ok": why a
        scorer has no value), `score` (NaN where there is none), every metric of the task,
        `n_leaves`, `nodes`, `depth`, `fit_seconds`, `predict_seconds`.
    scoring : str
        Name of the score.
    test_to_train : float
        Rows in a test part over rows in its training part, on average.
    baseline : float
        Mean score of always giving the same answer.
    problems : dict
        From strategy to why it cannot be ranked.
    higher_is_better : bool
        Of the score.
    baselines : dict
        The baseline by every metric.
    """

    folds: pd.DataFrame
    scoring: str
    test_to_train: float
    baseline: float
    problems: dict[str, str] = field(default_factory=dict)
    higher_is_better: bool = True
    baselines: dict[str, float] = field(default_factory=dict)

    @property
    def tests(self) -> list[str]:
        """Test scenarios, in the order asked for; the first one ranks."""
        return list(self.folds["test"].unique()) if "test" in self.folds else ["as_is"]

    @property
    def metrics(self) -> list[str]:
        """Metrics that were measured."""
        return [name for name in METRICS if name in self.folds]

    def by(self, metric: str | None = None, *, test: str | None = None) -> Comparison:
        """Look at the same folds by another metric, or in another test scenario.

        Parameters
        ----------
        metric : str or None, default=None
            One of `metrics`. None = the score as it is.
        test : str or None, default=None
            One of `tests`. None = the first one.

        Returns
        -------
        Comparison
            With this score and this scenario alone.

        Raises
        ------
        ValueError
            For what was not measured.
        """
        test = self.tests[0] if test is None else test
        for name, value, known in (("metric", metric, self.metrics), ("test", test, self.tests)):
            if value is not None and value not in known:
                listed = ", ".join(map(repr, known)) or "none"
                raise ValueError(f"{name}={value!r} was not measured; there is {listed}.")
        folds = self.folds[self.folds["test"] == test] if "test" in self.folds else self.folds
        if metric is None:
            return replace(self, folds=folds, problems=self._problems_in(folds))
        if "reason" in folds and metric != self.scoring:  # why another score has no value
            reason = folds["reason"].where(folds["status"] != "ok", "")
            folds = folds.assign(reason=reason)
        return replace(
            self,
            folds=folds.assign(score=folds[metric]),
            problems=self._problems_in(folds),
            scoring=metric,
            baseline=self.baselines.get(metric, float("nan")),
            higher_is_better=METRICS[metric].higher_is_better,
        )

    def _first(self) -> pd.DataFrame:
        """Folds of the scenario that ranks."""
        if "test" not in self.folds:
            return self.folds
        return self.folds[self.folds["test"] == self.tests[0]]

    def _problems_in(self, folds: pd.DataFrame) -> dict[str, str]:
        return problems_of(folds) if "status" in folds else self.problems

    @property
    def scores(self) -> pd.DataFrame:
        """Score of each strategy (rows) in each fold (columns), in the first scenario."""
        table = self._first().pivot(index="strategy", columns="fold", values="score")
        return table.reindex(self.folds["strategy"].unique())

    @property
    def ranked(self) -> list[str]:
        """Strategies that were tried in every fold, best first.

        By the mean score. Where a strategy has no score in some folds, it is set beside
        another one on the folds that both have.
        """
        return ordered(self.scores.drop(self.problems, errors="ignore"), self.higher_is_better)

    @property
    def best(self) -> str | None:
        """The first of `ranked`; None if none could be ranked."""
        ranked = self.ranked
        return str(ranked[0]) if ranked else None

    @property
    def detectable(self) -> float:
        """Smallest visible difference: the median over all pairs of strategies.

        A smaller difference between two means could be chance (two-sided, 5 %).
        """
        return detectable(self.scores.loc[self.ranked], self.test_to_train)

    def _means(self) -> pd.Series:
        """Mean score of each strategy over the folds where it has one."""
        return self.scores.mean(axis=1)

    def summary(self, *, times: bool = False) -> pd.DataFrame:
        """Rank the strategies.

        Parameters
        ----------
        times : bool, default=False
            Add the median seconds of fitting and predicting, which differ from run to run.

        Returns
        -------
        DataFrame
            Best first: `mean` and `sd` of the score over folds, `behind` the best and the
            `p_value` of that difference by the corrected resampled t-test, both on the folds
            that both have, mean number of `leaves`, and `note`, which says where folds have
            no score. What cannot be ranked comes last, with the mean of the folds that it
            finished and the reason in `note`.
        """
        scores, ranked = self.scores, self.ranked
        order = ranked + [name for name in scores.index if name not in ranked]
        groups = self._first().groupby("strategy", sort=False)
        table = pd.DataFrame(
            {
                "mean": self._means(),
                "sd": scores.std(axis=1, ddof=1),
                "behind": np.nan,
                "p_value": np.nan,
                "leaves": groups["n_leaves"].mean(),
            }
        ).loc[order]
        sign = 1 if self.higher_is_better else -1
        for name in ranked:
            found = compared(scores.loc[ranked[0]], scores.loc[name], self.test_to_train)
            table.loc[name, "behind"] = sign * found["difference"] + 0.0  # no minus zero
            table.loc[name, "p_value"] = found["p_value"]
        if times:
            table["fit_seconds"] = groups["fit_seconds"].median()
            table["predict_seconds"] = groups["predict_seconds"].median()
        table["note"] = [self._note(name) for name in table.index]
        return table

    def differences(self) -> pd.DataFrame:
        """Compare all pairs of strategies that could be ranked.

        Returns
        -------
        DataFrame
            One line per pair, the better one as `a`: the mean `difference` a - b with its
            95 % interval, `low` and `high`; `p_value` of the corrected resampled t-test, and
            `p_holm`, corrected for the number of pairs. Folds where one of the two has no
            score do not count.
        """
        scores, lines = self.scores, []
        for a, b in combinations(self.ranked, 2):
            apart = compared(scores.loc[a], scores.loc[b], self.test_to_train)
            if apart["difference"] * (1 if self.higher_is_better else -1) < 0:  # folds are missing
                a, b = b, a
                apart = compared(scores.loc[a], scores.loc[b], self.test_to_train)
            lines.append({"a": a, "b": b} | apart)
        columns = ["a", "b", "difference", "low", "high", "p_value"]
        table = pd.DataFrame(lines, columns=columns)
        table["p_holm"] = holm(table["p_value"].to_numpy(dtype=float))
        return table

    def _note(self, name: str) -> str:
        """Why a strategy is not ranked, or on how many folds its mean rests."""
        if name in self.problems:
            return self.problems[name]
        scores, parts = self.scores.loc[name], []
        known = int(scores.notna().sum())
        if known < len(scores):
            text = f"{self.scoring} has no value in {len(scores) - known} of {len(scores)} folds"
            if "reason" in self.folds:
                its = self._first().loc[lambda folds: folds["strategy"] == name, "reason"]
                text += "".join(f" ({why})" for why in its[its != ""].iloc[:1])
            parts.append(text)
        if known and name != self.best:
            both = int((scores.notna() & self.scores.loc[self.best].notna()).sum())
            if both < len(scores):
                parts.append(f"behind and p_value are of the {both} folds that the best has too")
        return "; ".join(parts)

    def sentence(self) -> str:
        """Say in words what the comparison shows.

        Returns
        -------
        str
        """
        table = self.summary().loc[self.ranked]
        if self.best is None:
            return "No strategy could be compared."
        top = table.iloc[0]
        gaps = int(self.scores.loc[table.index[1:]].isna().any(axis=1).sum())
        lead = f"has the {'highest' if self.higher_is_better else 'lowest'} mean {self.scoring},"
        if len(table) > 1 and table["note"].any():  # means are of different folds
            lead = f"is ahead by {self.scoring} on the folds that each pair has, with a mean of"
        text = (
            f"{self.best} {lead} {top['mean']:.3f}; always giving the same answer has "
            f"{self.baseline:.3f}."
        )
        if top["note"]:
            text += f" Here {top['note']}."
        if gaps:
            text += f" {gaps} of the {len(table) - 1} others {'has' if gaps == 1 else 'have'} "
            text += "no value in some folds."
        others = table["behind"].iloc[1:]
        if not len(others):
            return text
        if np.isnan(self.detectable):
            return f"{text} One fold cannot say which differences are visible."
        near = int((others <= self.detectable).sum())
        close = f"{near} of the {len(others)} others {'is' if near == 1 else 'are'}"
        if near == len(others):
            close = "all others are" if near > 1 else "the other is"
        elif near == 0:
            close = "none of the others is" if len(others) > 1 else "the other is not"
        limit = f"A difference below {self.detectable:.3f} is not visible here"
        return f"{text} {limit}: {close} that close."

    def save(self, path: str | Path) -> None:
        """Write the comparison to a JSON file.

        Parameters
        ----------
        path : str or Path
        """
        parts = {name: value for name, value in vars(self).items() if name != "folds"}
        parts["folds"] = self.folds.to_dict("list")
        Path(path).write_text(json.dumps(parts), encoding="utf-8")

    @classmethod
    def load(cls, path: str | Path) -> Comparison:
        """Read a comparison that `save` wrote.

        Parameters
        ----------
        path : str or Path

        Returns
        -------
        Comparison

        Raises
        ------
        ValueError
            For a file of something else.
        """
        try:
            parts = json.loads(Path(path).read_text(encoding="utf-8"))
            folds = pd.DataFrame(parts.pop("folds"))
            numbers = folds.columns.difference(_WORDS)
            return cls(folds.astype(dict.fromkeys(numbers, float)).astype({"fold": int}), **parts)
        except (ValueError, TypeError, AttributeError, KeyError) as error:
            raise ValueError(
                f"{str(path)!r} is not a comparison that Comparison.save wrote: {error}."
            ) from error

    def plot(self, ax: Any = None, **options: Any) -> Any:
        """Draw the mean scores with their intervals; see `mdtree_nb.plot_comparison`.

        Parameters
        ----------
        ax : matplotlib Axes or None, default=None
        **options
            Of `plot_comparison`, such as `title` or `theme="dark"`.

        Returns
        -------
        matplotlib Axes
        """
        from ..plots.comparison import plot_comparison

        return plot_comparison(self, ax=ax, **options)

    def to_html(self, path: str | Path | None = None) -> str:
        """Make a page that stands alone: the sentence, the ranking, the pairs and a picture.

        Parameters
        ----------
        path : str, Path or None, default=None
            Also write it there.

        Returns
        -------
        str
        """
        from .page import comparison_page

        page = comparison_page(self)
        if path is not None:
            Path(path).write_text(page, encoding="utf-8")
        return page

    def __repr__(self) -> str:
        table = self.summary()
        notes = table.loc[table["note"] != "", "note"]
        told = "".join(f"\n{name}: {why}" for name, why in notes.items())
        return f"{table.drop(columns='note').round(3).to_string()}{told}"


def problems_of(folds: pd.DataFrame) -> dict[str, str]:
    """Say per strategy why it cannot be ranked.

    Parameters
    ----------
    folds : DataFrame
        As in `Comparison`, of one test scenario.

    Returns
    -------
    dict
        Without the strategies that went through all folds.
    """
    problems = {}
    for name, its in folds.groupby("strategy", sort=False):
        parts = []
        for status in ("not applicable", "failed", "skipped"):
            such = its[its["status"] == status]
            if not len(such):
                continue
            where = f" in {len(such)} of {len(its)} folds"
            if status == "skipped":
                where = f" after {len(its) - len(such)} of {len(its)} folds"
            elif len(such) == len(its):
                where = ""
            parts.append(f"{status}{where}: {such['reason'].iloc[0]}")
        if parts:
            problems[name] = "; ".join(parts)
    return problems
