"""Little's test, its EM, tests of pairs, and counts by pattern and pair."""

import json
import warnings
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from data import make_frame, make_xy
from scipy import stats

import mdtree_nb as md
from mdtree_nb import little_test, make_missing, missing_summary, missing_tests
from mdtree_nb.missingness.pairwise import holm
from mdtree_nb.missingness.summary import count_patterns
from mdtree_nb.normal import fit_normal, group_patterns, summarise

GOLDEN = Path(__file__).parent / "golden"
# New York, May to September 1973: ozone (State Department of Conservation), solar radiation,
# wind and temperature (National Weather Service); Chambers et al. 1983, also part of R.
AIR = pd.read_csv(GOLDEN / "airquality.csv")


def log_likelihood(X, mean, cov):
    """Of the known values, row by row."""
    total = 0.0
    for row in X:
        o = ~np.isnan(row)
        if o.any():
            normal = stats.multivariate_normal(mean[o], cov[np.ix_(o, o)])
            total += normal.logpdf(row[o])
    return total


# ---- EM


def test_em_of_a_monotone_pattern():
    case = json.loads((GOLDEN / "golden.json").read_text())["imputation"]["em_mvn"]
    fitted = fit_normal(np.array(case["Y"], dtype=float))
    np.testing.assert_allclose(fitted.mean, case["mu"], atol=1e-7)
    np.testing.assert_allclose(fitted.cov, case["Sigma"], atol=1e-6)
    assert fitted.converged
    assert fitted.ridge == 0


def test_em_finds_the_top_of_the_likelihood():
    X, _ = make_xy(3, n=80, mechanism="mar")
    fitted = fit_normal(X)
    top = log_likelihood(X, fitted.mean, fitted.cov)
    rng = np.random.default_rng(0)
    for _ in range(30):
        step = rng.normal(size=(4, 4)) * 1e-2
        elsewhere = fitted.mean + rng.normal(size=4) * 1e-2, fitted.cov + step @ step.T
        assert log_likelihood(X, *elsewhere) < top
    for j in range(4):  # a stationary point: both sides are lower
        for sign in (-1, 1):
            shifted = fitted.mean.copy()
            shifted[j] += sign * 1e-3
            assert log_likelihood(X, shifted, fitted.cov) < top


def test_em_of_complete_rows_is_mean_and_covariance():
    X = np.random.default_rng(0).normal(size=(50, 3)) * [1, 1e6, 1e-6] + [0, 1e9, 0]
    fitted = fit_normal(X)
    np.testing.assert_allclose(fitted.mean, X.mean(axis=0))
    np.testing.assert_allclose(fitted.cov, np.cov(X.T, ddof=0), rtol=1e-7)
    assert fitted.n_iter <= 2


def test_em_with_repeating_columns_and_few_iterations():
    X = np.random.default_rng(0).normal(size=(60, 3))
    X = np.column_stack([X, X[:, 0]])
    X[::3, 1] = np.nan
    fitted = fit_normal(X)
    assert 0 < fitted.ridge < 1e-6
    assert np.isfinite(fitted.cov).all()
    assert fitted.cov[0, 3] == pytest.approx(fitted.cov[0, 0], rel=1e-5)
    assert not fit_normal(make_xy(0)[0], max_iter=2).converged
    with pytest.raises(ValueError, match="column 1 has no two different values"):
        fit_normal([[1, 2], [2, 2.0]])


def test_rows_are_grouped_by_what_they_miss():
    holes = np.random.default_rng(0).random((200, 19)) < 0.1
    patterns, group = group_patterns(holes)
    assert (patterns[group] == holes).all()
    assert len(patterns) == len(np.unique(holes, axis=0))
    X = np.where(holes, np.nan, np.arange(200.0)[:, None])
    found = summarise(X)
    assert sum(p.n for p in found) == 200 - holes.all(axis=1).sum()
    complete = next(p for p in found if len(p.known) == 19)
    rows = X[~holes.any(axis=1)]
    np.testing.assert_allclose(complete.mean, rows.mean(axis=0))
    np.testing.assert_allclose(complete.scatter, np.cov(rows.T, ddof=0) * len(rows))


# ---- Little


def test_little_on_air_quality():
    found = little_test(AIR)
    assert found.statistic == pytest.approx(35.106175, abs=5e-7)
    assert found.p_value == pytest.approx(0.00141776, abs=5e-9)
    assert (found.df, found.n_patterns, found.n_rows) == (14, 4, 153)
    four = little_test(AIR.iloc[:, :4])
    assert four.statistic == pytest.approx(14.939998, abs=2e-6)
    assert (four.df, four.p_value) == (8, pytest.approx(0.060323, abs=1e-6))
    assert found.sentence().startswith("Little's test: d2 = 35.11, df = 14, p = 0.00142. Rows with")
    assert "(MNAR) no test of these data can tell" in found.sentence()
    assert "no proof" in four.sentence()
    assert repr(found) == ("LittleTest(statistic=35.1062, df=14, p_value=0.001418, n_patterns=4)")


def test_little_as_its_formula_says():
    X, _ = make_xy(5, n=120)
    fitted = fit_normal(X)
    d2 = df = 0
    for holes in np.unique(np.isnan(X), axis=0):
        rows, o = X[(np.isnan(X) == holes).all(axis=1)], ~holes
        if o.any():
            shift = rows[:, o].mean(axis=0) - fitted.mean[o]
            d2 += len(rows) * shift @ np.linalg.solve(fitted.cov[np.ix_(o, o)], shift)
            df += o.sum()
    found = little_test(X)
    assert found.statistic == pytest.approx(d2)
    assert found.df == df - 4
    assert found.p_value == pytest.approx(stats.chi2.sf(d2, df - 4))


def test_little_does_not_depend_on_units_order_or_empty_rows():
    X, _ = make_xy(5, n=120)
    base = little_test(X)
    turned = little_test((X * [1, -20, 1e5, 1e-5] + [0, 3, 1e4, 0])[::-1, [2, 0, 3, 1]])
    empty = little_test(np.vstack([X, np.full((7, 4), np.nan)]))
    for other in (turned, empty):
        assert other.statistic == pytest.approx(base.statistic, rel=1e-6)
        assert (other.df, other.n_rows) == (base.df, base.n_rows)


def test_little_under_mcar_and_mar():
    rng = np.random.default_rng(0)
    rejected = {"MCAR": 0, "MAR": 0}
    for seed in range(60):
        X = rng.normal(size=(200, 3))
        X[:, 1] += X[:, 0]
        for mechanism in rejected:
            options = {"columns": [1], "drivers": 0} if mechanism == "MAR" else {}
            holes = make_missing(X, mechanism=mechanism, rate=0.15, random_state=seed, **options)
            rejected[mechanism] += little_test(holes.X).p_value < 0.05
    assert rejected["MCAR"] <= 9, "5 % of 60 would be 3"
    assert rejected["MAR"] >= 50


def test_little_leaves_out_what_has_no_mean():
    frame, _ = make_frame(0)
    found = little_test(frame.assign(one=1.0))
    assert found.excluded == ("colour", "size", "one")
    assert found.columns == ("a", "b", "c", "d")
    assert "Left out: colour, size, one." in found.sentence()
    assert found.statistic == little_test(frame[list("abcd")]).statistic


def test_little_with_a_column_that_repeats_others():
    X, _ = make_xy(5, n=120)
    twice = np.column_stack([X, X[:, 0]])
    found, base = little_test(twice), little_test(X)
    assert found.df == base.df, "a copy adds no dimension"
    assert found.statistic == pytest.approx(base.statistic, rel=1e-4)


def test_little_refuses_and_warns():
    with pytest.raises(ValueError, match="X has no hole, so there is nothing to test"):
        little_test(np.arange(8.0).reshape(4, 2))
    words = pd.DataFrame({"n": [1.0, 2, 3, 4], "g": ["a", None, "b", "b"]})
    with pytest.raises(ValueError, match="no hole in its numeric columns.*explain_missingness"):
        little_test(words)
    one = pd.DataFrame({"a": [1.0, 2, np.nan], "b": [2.0, 3, np.nan]})
    with pytest.raises(ValueError, match="same holes"):
        little_test(one)
    with pytest.raises(ValueError, match="'a' has infinite"):
        little_test(pd.DataFrame({"a": [1, np.inf, 2], "b": [1, np.nan, 2]}))
    with pytest.warns(UserWarning, match="max_iter=2 was not enough"):
        little_test(make_xy(0)[0], max_iter=2)


# ---- pairs


def test_holm():
    np.testing.assert_allclose(holm(np.array([0.01, 0.04, 0.03, 0.005])), [0.03, 0.06, 0.06, 0.02])
    assert len(holm(np.zeros(0))) == 0


def test_missing_tests_are_those_of_scipy():
    frame, _ = make_frame(0, n=200)
    table = missing_tests(frame)
    incomplete = [c for c in frame if frame[c].isna().any()]
    assert len(table) + table.attrs["not_tested"] == len(incomplete) * (frame.shape[1] - 1)
    assert table["p_value"].is_monotonic_increasing
    np.testing.assert_allclose(table["p_holm"], holm(table["p_value"].to_numpy()))
    for line in table.itertuples():
        gone, known = frame[line.missing_in].isna(), frame[line.column].notna()
        values = frame[line.column]
        if line.test == "Welch":
            wanted = stats.ttest_ind(values[gone & known], values[~gone & known], equal_var=False)
            assert np.sign(line.difference) == np.sign(line.statistic)
            p = wanted.pvalue
        else:
            p = stats.chi2_contingency(pd.crosstab(gone[known], values[known]), correction=False)[1]
            assert 0 <= line.difference <= 1
        assert line.p_value == pytest.approx(p)
    worst = missing_tests(AIR).iloc[0]
    assert (worst["missing_in"], worst["column"]) == ("Ozone", "Month")
    assert worst["p_holm"] < 0.002


def test_missing_tests_of_awkward_columns():
    n = 40
    X = pd.DataFrame(
        {
            "t": np.where(np.arange(n) % 4 == 0, np.nan, np.arange(n)),
            "one": 1.0,
            "id": [f"row {i}" for i in range(n)],
            "once": np.where(np.arange(n) == 3, np.nan, 1.0 * np.arange(n)),
            "empty": np.nan,
        }
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        table = missing_tests(X)
    assert set(table["column"]) == {"once"}
    assert table.attrs["not_tested"] == 11
    with pytest.raises(ValueError, match="X has no hole"):
        missing_tests(np.ones((3, 2)))
    none = missing_tests(X[["one", "empty"]])
    assert len(none) == 0
    assert none.attrs["not_tested"] == 1


# ---- counts


def test_patterns_and_pairs_of_horses():
    X = md.load("horse_colic").X
    holes = X.isna()
    by_pattern = missing_summary(X, by="pattern")
    assert by_pattern["rows"].sum() == len(X)
    assert by_pattern["share"].sum() == pytest.approx(1)
    assert (by_pattern["rows"].diff().dropna() <= 0).all()
    for line in by_pattern.head(20).itertuples():
        wanted = pd.Series({c: c in line.columns for c in X})
        assert (holes == wanted).all(axis=1).sum() == line.rows
        assert len(line.columns) == line.missing
    by_pair = missing_summary(X, by="pair")
    incomplete = [c for c in X if holes[c].any()]
    assert len(by_pair) == len(list(combinations(incomplete, 2)))
    for line in by_pair.sample(25, random_state=0).itertuples():
        a, b = holes[line.first], holes[line.second]
        assert (line.both, line.only_first) == ((a & b).sum(), (a & ~b).sum())
        assert line.only_second == (b & ~a).sum()
        assert line.phi == pytest.approx(np.corrcoef(a, b)[0, 1])
    assert by_pair.attrs == by_pattern.attrs == missing_summary(X).attrs
    assert by_pattern.attrs["complete_rows"] == 7


def test_counts_of_empty_and_complete_tables():
    for X in (pd.DataFrame(), np.ones((3, 2)), np.zeros((0, 2)), np.full((2, 2), np.nan)):
        for by in ("column", "pattern", "pair"):
            table = missing_summary(X, by=by)
            assert table.attrs["rows"] == len(X)
    assert len(missing_summary(np.ones((3, 2)), by="pair")) == 0
    assert missing_summary(np.ones((3, 2)), by="pattern")["columns"].to_list() == [()]
    patterns, rows = count_patterns(np.zeros((0, 3), dtype=bool))
    assert rows.sum() == 0
    assert patterns.shape[1] == 3
    with pytest.raises(ValueError, match="by='row' is not known; choose 'column'"):
        missing_summary(np.ones((3, 2)), by="row")
