"""Statistics across data sets: published numbers, twins, and what is refused."""

import sys
from itertools import product

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from mdtree_nb.evaluation import (
    bootstrap_difference,
    critical_difference,
    friedman,
    nemenyi,
    rm_anova,
    smoothed_error,
    wilcoxon_holm,
)

# Demsar 2006, table 6: AUC of C4.5 with its leaf size, its confidence, and both tuned. The
# paper ranked voting's last two, which are equal to three digits, 2 and 3.
DEMSAR = pd.DataFrame(
    [
        [0.763, 0.768, 0.771, 0.798],
        [0.599, 0.591, 0.590, 0.569],
        [0.954, 0.971, 0.968, 0.967],
        [0.628, 0.661, 0.654, 0.657],
        [0.882, 0.888, 0.886, 0.898],
        [0.936, 0.931, 0.916, 0.931],
        [0.661, 0.668, 0.609, 0.685],
        [0.583, 0.583, 0.563, 0.625],
        [0.775, 0.838, 0.866, 0.875],
        [1.000, 1.000, 1.000, 1.000],
        [0.940, 0.962, 0.965, 0.962],
        [0.619, 0.666, 0.614, 0.669],
        [0.972, 0.981, 0.975, 0.975],
        [0.957, 0.978, 0.946, 0.970],
    ],
    columns=["C4.5", "C4.5+m", "C4.5+cf", "C4.5+m+cf"],
)
RANKED = DEMSAR.copy()
RANKED.iloc[12, 2] += 1e-6


def test_friedman_and_iman_davenport_of_demsar():
    found = friedman(RANKED)
    assert found.mean_ranks.round(4).tolist() == [3.1429, 2.0, 2.8929, 1.9643]
    assert (found.chi2, found.p_value) == pytest.approx((9.278571, 0.025807), abs=1e-6)
    assert (found.f, found.f_p_value) == pytest.approx((3.686313, 0.019823), abs=1e-6)
    errors = friedman(1 - RANKED, higher_is_better=False)
    assert errors.mean_ranks.tolist() == found.mean_ranks.tolist()
    untied = np.random.default_rng(0).random((9, 5))
    theirs = stats.friedmanchisquare(*untied.T)  # the same where nothing is tied
    ours = friedman(untied)
    assert (ours.chi2, ours.p_value) == pytest.approx(tuple(theirs))


def test_friedman_at_its_ends():
    same = friedman(np.ones((4, 3)))
    assert (same.chi2, same.p_value, same.f, same.f_p_value) == (0, 1, 0, 1)
    agreed = friedman(np.tile([1.0, 2.0, 3.0], (4, 1)))
    assert (agreed.f, agreed.f_p_value) == (np.inf, 0)


@pytest.mark.parametrize(
    ("k", "q"),
    [(2, 1.960), (3, 2.344), (4, 2.569), (5, 2.728), (6, 2.850), (7, 2.948), (8, 3.031),
     (9, 3.102), (10, 3.164)],
)  # fmt: skip
def test_quantiles_of_nemenyi(k, q):
    assert critical_difference(k, 1) / np.sqrt(k * (k + 1) / 6) == pytest.approx(q, abs=6e-4)


def test_critical_differences_of_demsar():
    assert critical_difference(4, 14) == pytest.approx(1.2536, abs=5e-5)
    assert critical_difference(4, 14, 0.10) == pytest.approx(1.1181, abs=5e-5)
    assert critical_difference(4, 14, control=True) == pytest.approx(1.1681, abs=1e-4)
    p_values = nemenyi(RANKED)
    assert p_values.loc["C4.5", "C4.5+m"] == pytest.approx(0.0887, abs=5e-5)
    assert (np.diag(p_values) == 1).all()
    # a p-value is alpha where mean ranks are a critical difference apart
    k, n = 4, 14
    q = critical_difference(k, n, 0.2) * np.sqrt(2) / np.sqrt(k * (k + 1) / (6 * n))
    assert stats.studentized_range.sf(q, k, np.inf) == pytest.approx(0.2, abs=1e-6)


def test_wilcoxon_of_demsar_and_holm():
    table = wilcoxon_holm(DEMSAR)
    first = table.iloc[0]
    assert (first["a"], first["b"], first["r_plus"], first["r_minus"]) == ("C4.5", "C4.5+m", 12, 93)
    assert first["p_value"] == pytest.approx(0.01097, abs=5e-6)
    assert len(table) == 6
    assert (table["p_holm"] >= table["p_value"]).all()
    against = wilcoxon_holm(DEMSAR, control="C4.5+m")
    assert against["a"].tolist() == ["C4.5+m"] * 3
    assert against["p_value"].min() == first["p_value"]


@pytest.mark.parametrize("n", [5, 7])
def test_exact_wilcoxon_is_that_of_all_signs(n):
    d = np.random.default_rng(n).normal(0.5, 1, n)
    ranks = stats.rankdata(np.abs(d))
    sums = [np.dot(signs, ranks) for signs in product([0, 1], repeat=n)]
    plus, middle = ranks[d > 0].sum(), ranks.sum() / 2
    wanted = np.mean([abs(s - middle) >= abs(plus - middle) for s in sums])
    found = wilcoxon_holm(pd.DataFrame({"a": d, "b": 0.0}))
    assert found["p_value"][0] == pytest.approx(wanted)


def test_equal_methods_do_not_differ():
    found = wilcoxon_holm(pd.DataFrame({"a": [0.5, 0.6, 0.7], "b": [0.5, 0.6, 0.7]}))
    assert found["p_holm"].tolist() == [1.0]
    assert found["r_plus"].tolist() == found["r_minus"].tolist() == [3.0]


def test_bootstrap_over_data_sets():
    d = np.array([0.02, 0.01, 0.03, -0.01, 0.02, 0, 0.04, 0.01, 0.02, 0.01])
    assert bootstrap_difference(d) == pytest.approx((0.015, 0.006, 0.023), abs=1e-9)
    rng = np.random.default_rng(1)
    means = d[rng.integers(10, size=(20_000, 10))].mean(axis=1)
    by_hand = np.percentile(means, [2.5, 97.5])
    found = bootstrap_difference(d, method="percentile")
    np.testing.assert_allclose(found[1:], by_hand, atol=0.0011)
    assert bootstrap_difference([0.25, 0.25]) == (0.25, 0.25, 0.25)


def test_smoothed_errors():
    proba = np.array([[0.9, 0.1], [0.6, 0.4], [0.3, 0.7], [0.55, 0.45]])
    y = np.array(["no", "yes", "yes", "no"])
    assert smoothed_error(y, proba) == pytest.approx(0.3625)
    assert smoothed_error(y, proba, label_free=True) == pytest.approx(0.3125)
    assert smoothed_error(y, proba[:, ::-1], ["yes", "no"]) == pytest.approx(0.3625)
    assert smoothed_error(["maybe"] * 4, proba, ["no", "yes"]) == 1
    with pytest.raises(ValueError, match=r"2 columns for 1 classes; pass classes=model.classes_"):
        smoothed_error(["no"] * 4, proba)
    with pytest.raises(ValueError, match=r"shape \(4, 2\) and y \(3,\)"):
        smoothed_error(y[:3], proba)


def long(table):
    return table.rename_axis("set").reset_index().melt("set", var_name="method")


def test_repeated_measures_of_demsar():
    pytest.importorskip("statsmodels", reason="the extra anova is not installed")
    found = rm_anova(long(DEMSAR), "value", "set", ["method"]).loc["method"]
    assert (found["df"], found["df_error"]) == (3, 39)
    assert found["F"] == pytest.approx(4.44718, abs=1e-5)
    assert found["p_value"] == pytest.approx(0.008818, abs=1e-6)
    assert found["eta2"] == pytest.approx(3 * found["F"] / (3 * found["F"] + 39))
    assert 1 / 3 <= found["epsilon"] < 1
    assert found["p_corrected"] > found["p_value"]


def test_two_factors_are_split_by_their_contrasts():
    pytest.importorskip("statsmodels", reason="the extra anova is not installed")
    rng = np.random.default_rng(0)
    cube = rng.normal(size=(8, 3, 4)) + rng.normal(size=(8, 1, 4)) + np.arange(4) / 3
    keys = pd.MultiIndex.from_product([range(8), list("abc"), range(4)], names=["set", "A", "B"])
    table = pd.Series(cube.ravel(), keys, name="y").reset_index()
    found = rm_anova(table.sample(frac=1, random_state=0), "y", "set", ["A", "B"])
    # a main effect is a one-way analysis of the means over the other factor
    for name, axis in (("A", 2), ("B", 1)):
        alone = pd.DataFrame(cube.mean(axis=axis)).rename_axis("set").reset_index().melt("set")
        wanted = rm_anova(alone, "value", "set", ["variable"]).loc["variable"]
        np.testing.assert_allclose(found.loc[name], wanted, rtol=1e-8)
    covariance = np.cov(cube.mean(axis=1), rowvar=False)
    centring = np.eye(4) - 1 / 4
    roots = np.linalg.eigvalsh(centring @ covariance @ centring)
    assert found.loc["B", "epsilon"] == pytest.approx(roots.sum() ** 2 / (3 * (roots**2).sum()))


def test_two_levels_are_a_paired_t_test():
    pytest.importorskip("statsmodels", reason="the extra anova is not installed")
    table = DEMSAR[["C4.5", "C4.5+m"]]
    found = rm_anova(long(table), "value", "set", ["method"]).loc["method"]
    t = stats.ttest_rel(*table.to_numpy().T)
    assert (found["F"], found["p_value"]) == pytest.approx((t.statistic**2, t.pvalue))
    assert found["epsilon"] == pytest.approx(1)


def test_an_unbalanced_design_is_refused():
    pytest.importorskip("statsmodels", reason="the extra anova is not installed")
    for table in (long(DEMSAR).iloc[1:], pd.concat([long(DEMSAR), long(DEMSAR).iloc[:1]])):
        with pytest.raises(ValueError, match="each of the 4 combinations of method exactly once"):
            rm_anova(table, "value", "set", ["method"])


@pytest.mark.parametrize("name", ["my rate", "a:1", "C(x)", "x + y", "response", 3, "f1"])
def test_an_analysis_takes_columns_of_any_name(name):
    pytest.importorskip("statsmodels", reason="the extra anova is not installed")
    wanted = rm_anova(long(DEMSAR), "value", "set", ["method"])
    table = long(DEMSAR).rename(columns={"method": name, "value": "an error", "set": "f0"})
    found = rm_anova(table, "an error", "f0", [name])
    assert found.index.tolist() == [str(name)]
    np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize(
    ("change", "within", "message"),
    [
        ({}, ["methods"], "table has no column 'methods'; it has 'set', 'method', 'value'"),
        ({}, [], "name one or more factors"),
        ({}, ["method", "set"], "every column once"),
        ({"method": "one"}, ["method"], "column 'method' has 1 level"),
        ({"set": 1}, ["method"], "column 'set' has 1 level"),
        ({"value": "high"}, ["method"], "response='value' must be a column of numbers"),
        ({"value": np.inf}, ["method"], "exactly once, with a value"),
    ],
)
def test_what_no_analysis_can_be_made_of(change, within, message):
    pytest.importorskip("statsmodels", reason="the extra anova is not installed")
    table = long(DEMSAR)[["set", "method", "value"]].assign(**change)
    with pytest.raises(ValueError, match=message):
        rm_anova(table, "value", "set", within)


def test_infinite_scores_have_no_differences():
    with pytest.raises(ValueError, match="infinite values, which have no difference"):
        wilcoxon_holm([[0.1, np.inf], [0.2, np.inf]])


def test_what_is_refused(monkeypatch):
    with pytest.raises(ValueError, match="it needs two data sets and two methods"):
        friedman([[0.1, 0.2]])
    with pytest.raises(ValueError, match="missing values in 1 of 2 lines"):
        friedman([[0.1, 0.2], [np.nan, 0.3]])
    with pytest.raises(ValueError, match="names a method twice"):
        friedman(pd.DataFrame([[0.1, 0.2], [0.2, 0.3]], columns=["a", "a"]))
    with pytest.raises(ValueError, match="control='z' is not a method; choose one of 'C4.5'"):
        wilcoxon_holm(DEMSAR, control="z")
    with pytest.raises(ValueError, match="n_methods=1"):
        critical_difference(1, 3)
    with pytest.raises(ValueError, match="two or more numbers, one per data set"):
        bootstrap_difference([0.1])
    monkeypatch.setitem(sys.modules, "statsmodels.stats.anova", None)
    with pytest.raises(ImportError, match=r"pip install 'mdtree-nb\[anova\]'"):
        rm_anova(long(DEMSAR), "value", "set", ["method"])
