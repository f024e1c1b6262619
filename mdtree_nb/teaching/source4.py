"""Source 4: Schreckenberger, Bartelt and Stuckenschmidt, "Expected Information Gain".

Its errata stand on one column of eight values, two of them missing: `worked_example()` has it.
The values are those of the paper's formula, of its authors' program, and of C4.5's gain.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ..datasets import load
from ..estimators import MDTreeClassifier
from ..presets import c45, eig, eig_repository
from .sources import Erratum, Source

CUT = 3.5
TRUE_FILLS = (1.5, 5.5)


def worked_example() -> tuple[pd.DataFrame, NDArray[np.int64]]:
    """The eight rows: a column x, of which the last two rows have no value, and their classes.

    Returns
    -------
    X : DataFrame of shape (8, 1)
    y : ndarray of shape (8,)
    """
    X = pd.DataFrame({"x": [1.0, 2, 3, 4, 5, 6, np.nan, np.nan]})
    return X, np.array([0, 0, 1, 1, 1, 1, 0, 1])


def filled(first: float, second: float) -> pd.DataFrame:
    """The eight rows with both holes filled.

    Parameters
    ----------
    first, second : float

    Returns
    -------
    DataFrame of shape (8, 1)
    """
    X, _ = worked_example()
    return X.fillna({"x": pd.Series([first, second], index=[6, 7])})


def gain_at_cut(model: MDTreeClassifier) -> float:
    """Score that a model gives the cut at 3.5.

    Parameters
    ----------
    model : MDTreeClassifier

    Returns
    -------
    float
    """
    table = model.fit(*worked_example()).split_table(*worked_example())
    return float(table["gain"][table["threshold"] == CUT].iloc[0])


@cache
def _stump(shares: str) -> MDTreeClassifier:
    model = eig_repository("eig_perfect").set_params(max_depth=1, missing__shares=shares)
    return model.fit(*worked_example())


def _shares_of(shares: str) -> str:
    """What each side of the root gets of a missing row, before the missing rows are in."""
    tree = _stump(shares).tree_
    part = tree.arrived_missing[1:] / tree.missing_weight[0]
    return " and ".join(f"{p:.4f}" for p in part)


def _answer(prediction: str) -> str:
    """Chance of Yes on a day with weak wind and a blank outlook, by C4.5's tree of source 1."""
    days = load("playtennis_missing")
    model = c45().set_params(missing_predict=prediction).fit(days.X, days.y)
    day = pd.DataFrame([dict.fromkeys(days.X.columns, None) | {"Wind": "Weak"}])
    return f"{model.predict_proba(day)[0, 1]:.4f}"


def _perfect() -> str:
    paper, program = eig(complete=filled(*TRUE_FILLS)), eig_repository("eig_perfect")
    return f"{gain_at_cut(paper):.4f} with the true values, {gain_at_cut(program):.4f} without"


def _baseline() -> str:
    plain = gain_at_cut(eig_repository("eig_perfect"))
    return f"{plain:.4f}; the program's own formula gives {gain_at_cut(eig_repository('c45')):.4f}"


def _reliability() -> str:
    X, _ = worked_example()
    return f"known share {X['x'].notna().mean():.2f}, so missing share {X['x'].isna().mean():.2f}"


def _swapped() -> str:
    scores = [gain_at_cut(eig(complete=filled(*its))) for its in (TRUE_FILLS, TRUE_FILLS[::-1])]
    return " and ".join(f"{score:.4f}" for score in scores) + " with true and with swapped values"


SOURCE = Source(
    title="Expected Information Gain (EIG), Schreckenberger, Bartelt and Stuckenschmidt",
    url="",
    credit=(
        "The authors ask a question that nobody had asked: may a guess help to choose the split "
        "without ever becoming a fact? They made their program public, so that each of its lines "
        "can be read beside the paper."
    ),
    errata=(
        Erratum(
            claim="reliability of a column",
            published="the percentage of missing data",
            compute=_reliability,
            why=(
                "It weighs the gain among known rows, so it must be the part that is known. The "
                "program takes that, once for the whole training table."
            ),
        ),
        Erratum(
            claim="perfect imputation, score of the cut at 3.5",
            published="true values in place of the missing ones",
            compute=_perfect,
            why=(
                "The program takes the true values from the table in which the holes already are. "
                "So the second term is 0, and what is left is the gain of C4.5; the formula holds."
            ),
        ),
        Erratum(
            claim="the baseline C4.5, score of the cut at 3.5",
            published="known share times gain among known rows",
            compute=_baseline,
            why=(
                "The program squares the known share and takes the entropy of all rows before the "
                "split. Its C4.5 is another method than C4.5, so leads over it say little."
            ),
        ),
        Erratum(
            claim="shares of a missing row, by the best cut",
            published="fractional cases as in C4.5",
            compute=lambda: f"{_shares_of('known')}; the program's {_shares_of('doubled')}",
            why="The program counts the missing rows on both sides before it divides them.",
        ),
        Erratum(
            claim="weak wind and a blank outlook in source 1: chance of Yes",
            published="fractional cases as in C4.5",
            compute=lambda: f"{_answer('fractional')}; pooled leaves say {_answer('pool')}",
            why=(
                "The program weighs a reached leaf by the rows in it, not by the part of the row "
                "that gets there."
            ),
        ),
        Erratum(
            claim="a better score for better guesses",
            published="implied",
            compute=_swapped,
            why=(
                "All guesses that divide well among themselves score alike, also those that say "
                "the opposite of the known rows. That is the formula as written, not a slip."
            ),
        ),
    ),
    data={},
    has_holes=False,
)
