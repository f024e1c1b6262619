"""Source 1: "C4.5 decision trees with missing data", PlayTennis with fifteen holes.

Its table is `load("playtennis_missing")`. The values are those of its table 2 by C4.5's own
formulas, which the article writes down: the gain among the days that know an attribute times
their share of all days, and split information with the blank as one more state.
"""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd

from ..datasets import load
from ..presets import c45
from ..splits import split_table
from .sources import Erratum, Source

RATIOS = {"Outlook": "0.172", "Temperature": "0.028", "Humidity": "0.081", "Wind": "0.066"}


def _bits(counts: pd.Series) -> float:
    """Entropy of some counts."""
    share = counts[counts > 0] / counts.sum()
    return float(-(share * np.log2(share)).sum())


def _known_entropy() -> str:
    data = load("playtennis_missing")
    known = data.y[data.X["Outlook"].notna()].value_counts()
    return f"{_bits(known):.6f} ({known['Yes']} Yes, {known['No']} No)"


def _gain(column: str) -> float:
    data = load("playtennis_missing")
    table = split_table(
        data.X, data.y, "fractional", feature=column, criterion="entropy", categorical="multiway"
    )
    return float(table["gain"].iloc[0])


def _split_info(column: str) -> float:
    return _bits(load("playtennis_missing").X[column].value_counts(dropna=False))


def _ratio(column: str) -> str:
    return f"{_gain(column) / _split_info(column):.6f}"


def _answers() -> str:
    """P(Yes) of a day without Outlook and with a weak wind: the mixture, and the best path."""
    data = load("playtennis_missing")
    day = pd.DataFrame([{**dict.fromkeys(data.X), "Wind": "Weak"}], dtype=object)
    model = c45().fit(data.X, data.y)
    yes = list(model.classes_).index("Yes")
    single = model.with_prediction("best_path", data.X, data.y)
    mixed, path = (m.predict_proba(day)[0, yes] for m in (model, single))
    return f"{mixed:.4f} by all branches, {path:.4f} by the best path"


def _errata() -> tuple[Erratum, ...]:
    ratios = tuple(
        Erratum(
            claim=f"gain ratio of {column}",
            published=published,
            compute=partial(_ratio, column),
            why="Follows from its gain and its split information; Outlook still wins.",
        )
        for column, published in RATIOS.items()
    )
    return (
        Erratum(
            claim="entropy of the days that know Outlook",
            published="1.0",
            compute=_known_entropy,
            why="The eight days are not half Yes and half No.",
        ),
        Erratum(
            claim="gain of Outlook",
            published="0.286",
            compute=lambda: f"{_gain('Outlook'):.6f}",
            why="Follows from the entropy before; 8/14 of what is left of it by the split.",
        ),
        Erratum(
            claim="split information of Outlook",
            published="1.659",
            compute=lambda: f"{_split_info('Outlook'):.6f}",
            why="The article's own sum, over shares of 1, 3, 4 and 6 days in 14, is this.",
        ),
        *ratios,
        Erratum(
            claim="which branch an incomplete day follows",
            published="the best path",
            compute=_answers,
            why=(
                "C4.5 follows every branch and adds the leaves up by their shares. The best path "
                "is an estimate of its own, which names the same class here."
            ),
        ),
    )


SOURCE = Source(
    title="C4.5 decision trees with missing data",
    url="",
    credit=(
        "The article divides the days with a blank by hand, in fractions that a reader can add "
        "up, on a table of fourteen days that everybody knows."
    ),
    errata=_errata(),
    data={},
    has_holes=False,
)
