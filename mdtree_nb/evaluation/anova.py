"""Repeated-measures analysis of variance: which factors of a study matter, over its data sets."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats


def rm_anova(table: pd.DataFrame, response: str, subject: str, within: Sequence[str]) -> Any:
    """Repeated-measures analysis of variance, with every factor within the data sets.

    Parameters
    ----------
    table : DataFrame
        One line per data set and combination of factors.
    response, subject : str
        Columns with the number, such as an error, and with the data set.
    within : sequence of str
        Columns with the factors, such as strategy, rate and mechanism; of any name.

    Returns
    -------
    DataFrame
        One line per effect: `F`, `df`, `df_error`, `p_value`; `epsilon` of Greenhouse and
        Geisser and `p_corrected`, which does not ask for sphericity; and `eta2`, the partial
        eta squared.

    Raises
    ------
    ImportError
        Where statsmodels is not installed, with the way out.
    ValueError
        For a column that the table lacks, a factor of one level, a single data set, one that
        lacks a combination of factors or has it twice, and a response that is no number.

    References
    ----------
    .. [1] S. W. Greenhouse, S. Geisser, "On methods in the analysis of profile data",
       Psychometrika 24, 1959, DOI 10.1007/BF02289823.
    """
    try:
        from statsmodels.stats.anova import AnovaRM
    except ImportError as error:
        raise ImportError(
            f"{error}; an analysis of variance needs one more package: "
            "pip install 'mdtree-nb[anova]'."
        ) from error
    factors = [within] if isinstance(within, str) else list(within)
    named = _renamed(table, response, subject, factors)
    codes = dict(zip(named.columns[2:], factors, strict=True))
    cells = _cells(named, response, subject, factors)
    anova = AnovaRM(named, "response", "subject", within=list(codes)).fit().anova_table
    anova = anova.set_axis(["F", "df", "df_error", "p_value"], axis=1)
    effects = [effect.split(":") for effect in anova.index]
    anova.index = pd.Index([":".join(str(codes[one]) for one in effect) for effect in effects])
    anova["epsilon"] = [_epsilon(cells, effect) for effect in effects]
    anova["p_corrected"] = stats.f.sf(
        anova["F"], anova["df"] * anova["epsilon"], anova["df_error"] * anova["epsilon"]
    )
    explained = anova["F"] * anova["df"]
    anova["eta2"] = explained / (explained + anova["df_error"])
    return anova


def _renamed(
    table: pd.DataFrame, response: Hashable, subject: Hashable, factors: list[Any]
) -> pd.DataFrame:
    """Columns under names that a formula can hold: response, subject, f0, f1, ..."""
    asked = [response, subject, *factors]
    lacking = [name for name in asked if name not in table.columns]
    if lacking:
        listed = ", ".join(map(repr, table.columns))
        raise ValueError(f"table has no column {lacking[0]!r}; it has {listed}.")
    if not factors or len(set(asked)) < len(asked):
        raise ValueError(
            f"response={response!r}, subject={subject!r}, within={factors!r}: name one or more "
            "factors, and every column once."
        )
    for name in [subject, *factors]:
        levels = table[name].nunique()
        if levels < 2:
            raise ValueError(
                f"column {name!r} has {levels} level; two or more are needed to tell any apart."
            )
    if not pd.api.types.is_numeric_dtype(table[response]):
        raise ValueError(f"response={response!r} must be a column of numbers.")
    named = {"response": response, "subject": subject}
    named |= {f"f{k}": name for k, name in enumerate(factors)}
    return pd.DataFrame({code: table[name] for code, name in named.items()})


def _cells(
    named: pd.DataFrame, response: Hashable, subject: Hashable, factors: list[Any]
) -> dict[str, NDArray[Any]]:
    """One line per data set, one column per combination of levels; and those levels."""
    codes = list(named.columns[2:])
    wide = named.pivot_table("response", "subject", codes, aggfunc=list, observed=True)
    full = int(np.prod([len(named[code].unique()) for code in codes]))
    once = wide.map(lambda found: isinstance(found, list) and len(found) == 1).to_numpy().all()
    if wide.shape[1] != full or not once or not np.isfinite(named["response"]).all():
        raise ValueError(
            f"every {subject} needs each of the {full} combinations of "
            f"{', '.join(map(str, factors))} exactly once, with a {response}; average folds "
            f"first, and drop a {subject} that lacks one."
        )
    keys = wide.columns.to_frame(index=False)
    found = {code: keys[code].factorize()[0] for code in codes}
    return found | {"": wide.map(lambda one: one[0]).to_numpy(dtype=float)}


def _epsilon(cells: dict[str, NDArray[Any]], effect: list[str]) -> float:
    """Greenhouse and Geisser's epsilon: how far from a sphere the contrasts spread."""
    values = cells[""]
    contrasts = np.ones((values.shape[1], 1))
    for name, codes in cells.items():
        if name in effect:
            n = int(codes.max()) + 1
            centred = np.linalg.svd(np.eye(n) - 1 / n)[0][:, : n - 1]
            contrasts = np.einsum("ci,cj->cij", contrasts, centred[codes]).reshape(len(codes), -1)
    spread = np.cov(values @ contrasts, rowvar=False).reshape(contrasts.shape[1], -1)
    total = float((spread**2).sum())
    if total == 0:
        return 1.0
    return float(np.trace(spread) ** 2 / (contrasts.shape[1] * total))
