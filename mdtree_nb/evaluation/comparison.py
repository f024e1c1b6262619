"""The result of a comparison: scores, ranks, and how far they can be believed."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from .statistics import corrected_resampled_ttest, smallest_visible_difference


@dataclass(frozen=True)
class Comparison:
    """Scores of strategies on the same folds.

    Attributes
    ----------
    folds : DataFrame
        One line per strategy and fold: `strategy`, `fold`, `score` (NaN where it failed),
        `n_leaves`, `fit_seconds`, `predict_seconds`.
    scoring : str
        Name of the score; higher is better.
    test_to_train : float
        Rows in a test part over rows in its training part.
    baseline : float
        Mean score of always giving the same answer.
    problems : dict
        From strategy to why it could not be compared.
    """

    folds: pd.DataFrame
    scoring: str
    test_to_train: float
    baseline: float
    problems: dict[str, str] = field(default_factory=dict)

    @property
    def scores(self) -> pd.DataFrame:
        """Score of each strategy (rows) in each fold (columns)."""
        table = self.folds.pivot(index="strategy", columns="fold", values="score")
        return table.reindex(self.folds["strategy"].unique())

    @property
    def best(self) -> str | None:
        """Strategy with the highest mean score; None if all failed."""
        ranked = self.summary()
        return None if ranked["mean"].isna().all() else str(ranked.index[0])

    @property
    def detectable(self) -> float:
        """Smallest visible difference: the median over all pairs of strategies.

        A smaller difference between two means could be chance (two-sided, 5 %).
        """
        scores = self.scores.dropna()
        if len(scores) < 2:
            return float("nan")
        pairs = combinations(scores.to_numpy(), 2)
        return float(
            np.median([smallest_visible_difference(a - b, self.test_to_train) for a, b in pairs])
        )

    def summary(self, *, times: bool = False) -> pd.DataFrame:
        """Rank the strategies.

        Parameters
        ----------
        times : bool, default=False
            Add the median seconds of fitting and predicting, which differ from run to run.

        Returns
        -------
        DataFrame
            Best first: `mean` and `sd` of the score over folds, `behind` the best, the
            `p_value` of that difference by the corrected resampled t-test, mean number of
            `leaves`, and `note`.
        """
        groups = self.folds.groupby("strategy", sort=False)
        table = pd.DataFrame(
            {
                "mean": groups["score"].agg(lambda s: s.mean(skipna=False)),
                "sd": groups["score"].agg(lambda s: s.std(ddof=1)),
                "leaves": groups["n_leaves"].mean(),
            }
        )
        table = table.sort_values("mean", ascending=False, kind="stable", na_position="last")
        scores = self.scores
        top = scores.loc[table.index[0]]
        table.insert(2, "behind", table["mean"].iloc[0] - table["mean"])
        table.insert(
            3,
            "p_value",
            [
                corrected_resampled_ttest(top - scores.loc[name], self.test_to_train).p_value
                for name in table.index
            ],
        )
        if times:
            table["fit_seconds"] = groups["fit_seconds"].median()
            table["predict_seconds"] = groups["predict_seconds"].median()
        table["note"] = [self.problems.get(name, "") for name in table.index]
        return table

    def sentence(self) -> str:
        """Say in words what the comparison shows.

        Returns
        -------
        str
        """
        ranked = self.summary()
        if self.best is None:
            return "No strategy could be compared."
        top = ranked.iloc[0]
        text = (
            f"{self.best} has the highest mean {self.scoring}, {top['mean']:.3f}; always giving "
            f"the same answer has {self.baseline:.3f}."
        )
        others = ranked["mean"].dropna().iloc[1:]
        if not len(others):
            return text
        near = int((top["mean"] - others <= self.detectable).sum())
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
        """
        parts = json.loads(Path(path).read_text(encoding="utf-8"))
        folds = pd.DataFrame(parts.pop("folds"))
        numbers = folds.columns.drop("strategy")
        return cls(folds.astype(dict.fromkeys(numbers, float)).astype({"fold": int}), **parts)

    def plot(self, ax: Any = None) -> Any:
        """Draw the mean scores with their intervals; see `mdtree_nb.plot_comparison`.

        Parameters
        ----------
        ax : matplotlib Axes or None, default=None

        Returns
        -------
        matplotlib Axes
        """
        from ..plots.comparison import plot_comparison

        return plot_comparison(self, ax=ax)

    def __repr__(self) -> str:
        table = self.summary().drop(columns="note").round(3)
        notes = "".join(f"\n{name}: {why}" for name, why in self.problems.items())
        return f"{table.to_string()}{notes}"
