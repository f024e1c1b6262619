"""Source 2: Twala, Pillay and Nkoana, "Classifying Incomplete Vectors using Decision Trees".

Its example is a tree of three tests with forty training rows: `load("figure1")` has the rows,
`FIGURE_1` the tests. The values are those of the source's equations 2.6 and 2.7 and of its
logit, by this package's routines for its methods.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from ..datasets import load
from ..estimators import MDTreeClassifier
from ..presets import dtpe, fractioning_of_cases, lpe, tspe
from .sources import Erratum, Source

FIGURE_1 = {"A1": {"L": None, "R": {"A2": {"L": None, "R": {"A3": {"L": None, "R": None}}}}}}
MOST_PARTS = 1000  # denominators that a row of forty can have


def _model(preset: Any) -> MDTreeClassifier:
    data = load("figure1")
    options = preset().get_params(deep=False)
    model: MDTreeClassifier = MDTreeClassifier.from_tree(FIGURE_1, data.X, data.y, **options)
    return model


def _rows(n_known: int | None = None, **known: str) -> pd.DataFrame:
    """All rows with so many known tests, or the one in which these are known."""
    names = ("A1", "A2", "A3")
    if known:
        return pd.DataFrame([{name: known.get(name) for name in names}], dtype=object)
    rows = [r for r in product((None, "L", "R"), repeat=3) if n_known in (None, 3 - r.count(None))]
    return pd.DataFrame(rows, columns=list(names), dtype=object)


def _chances(preset: Any) -> str:
    c1, c2 = _model(preset).predict_proba(_rows(A2="R"))[0]
    return f"{Fraction(c1).limit_denominator(MOST_PARTS)} = {c1:.6f} / {c2:.6f}"


def _rows_that_agree() -> str:
    X = load("figure1").X
    agree = X[X["A2"] == "R"]
    parts = agree.groupby(["A1", "A3"], observed=True).size()
    return f"{len(agree)} rows with A2 = R: {' + '.join(map(str, parts))}"


def _apart(one: Any, other: Any, rows: pd.DataFrame) -> str:
    """The largest difference of two methods over some rows."""
    difference = np.abs(_model(one).predict_proba(rows) - _model(other).predict_proba(rows))
    return f"{difference.max():.6f} apart at most, over {len(rows)} rows"


def _lpe_and_tspe() -> str:
    both = _rows(A2="R", A3="R")
    theirs = [f"{_model(preset).predict_proba(both)[0, 0]:.6f}" for preset in (lpe, tspe)]
    return f"{_apart(lpe, tspe, _rows(1))}; {' and '.join(theirs)} where A2 = R and A3 = R"


def _model_of_lpe() -> str:
    rules = " ".join(_model(lpe).explain_row(_rows(A2="R"))["rule"])
    return "logit" if "logit" in rules and "probit" not in rules else rules


SOURCE = Source(
    title="Classifying Incomplete Vectors using Decision Trees",
    url="https://doi.org/10.5220/0010146304550463",
    credit=(
        "Twala, Pillay and Nkoana keep the tree as it is and ask how it should answer for an "
        "incomplete row; one small figure is enough to follow three of their answers by hand."
    ),
    errata=(
        Erratum(
            claim="TSPE where A2 = R and nothing else is known",
            published="0.839 / 0.161",
            compute=lambda: _chances(tspe),
            why="The same, with more digits.",
        ),
        Erratum(
            claim="DTPE where A2 = R and nothing else is known",
            published="0.828 / 0.172",
            compute=lambda: _chances(dtpe),
            why="The same, with more digits. 24/29 rounds to .828 as well and is not the number.",
        ),
        Erratum(
            claim="training rows that agree with A2 = R, in the text",
            published="1 of the 7 A2 individuals; A2R <4061.5>",
            compute=_rows_that_agree,
            why=(
                "Fits neither the figure nor equation 2.6, whose denominators are all 31; it seems "
                "to belong to another example. The equation and its result hold."
            ),
        ),
        Erratum(
            claim="FC and DTPE",
            published="two methods, FC ahead of DTPE",
            compute=lambda: _apart(fractioning_of_cases, dtpe, _rows()),
            why=(
                "DTPE takes the proportions of each node, and they are the shares in which FC "
                "divides a row: on one tree both are the same number. Figures in which they "
                "differ cannot come from one tree and these formulas."
            ),
        ),
        Erratum(
            claim="LPE and TSPE where one test is known",
            published="two methods, LPE ahead of TSPE",
            compute=_lpe_and_tspe,
            why=(
                "A logit with an intercept reproduces the class counts on either side of a test, "
                "so both are the same with one known test, or none. They part where two are "
                "known, so the method stands on its own."
            ),
        ),
        Erratum(
            claim="the model of LPE",
            published="abstract: probit and logit",
            compute=_model_of_lpe,
            why="The equations and the example have the logit only, and that is what LPE is here.",
        ),
        Erratum(
            claim="misclassified rows in 21 data sets",
            published="EMMI < LPE < FC < TSPE < DTPE",
            compute=lambda: "an order, no numbers to compare with",
            why=(
                "The figures name no values, so we cannot reproduce them. What can be checked is "
                "the order, in a study of its own."
            ),
        ),
    ),
    data={},
    has_holes=False,
)
