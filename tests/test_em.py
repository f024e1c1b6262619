"""Multiple imputation by EM and data augmentation: laws of the draws, and of what is learned."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from data import make_frame, make_xy

from mdtree_nb import MDTreeClassifier, MDTreeRegressor, normal
from mdtree_nb import table as tables
from mdtree_nb.imputation.coding import decode, encode, learn_coding
from mdtree_nb.imputation.draws import normals, row_keys, uniforms
from mdtree_nb.imputation.posterior import draw_normals
from mdtree_nb.normal import Holes, fit_normal
from mdtree_nb.prediction import Predictor
from mdtree_nb.strategies import EM, get_strategy

GOLDEN = json.loads((Path(__file__).parent / "golden" / "golden.json").read_text())
NAN = np.nan


def versions(strategy, X, w=None):
    table = tables.learn(X)
    prepared = strategy.prepare(table, np.zeros(table.n_rows), w, None)
    return np.array([its.values for its in prepared.tables]), prepared.state


def correlated(n, seed=0, rate=0.3):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3)) @ [[1, 0.8, -0.5], [0, 0.6, 0.4], [0, 0, 0.7]] + [1, 2, 3]
    holes = rng.random(X.shape) < rate
    holes[:, 0] &= ~holes[:, 1:].all(axis=1)
    return np.where(holes, NAN, X)


def test_filling_is_the_regression_on_what_is_known():
    rng = np.random.default_rng(1)
    cov = np.cov(rng.normal(size=(5, 20)))
    X = np.where(rng.random((40, 5)) < 0.4, NAN, rng.normal(size=(40, 5)))
    precision = np.linalg.inv(cov)
    weight = rng.uniform(1, 2, 40)
    deviations = np.where(np.isnan(X), 0.0, X)
    spread = Holes(np.isnan(X), weight).fill(deviations, precision, deviations @ precision)
    wanted = np.zeros((5, 5))
    for i, row in enumerate(X):
        m, o = np.isnan(row), ~np.isnan(row)
        slopes = np.linalg.solve(cov[np.ix_(o, o)], cov[np.ix_(o, m)])
        np.testing.assert_allclose(deviations[i, m], row[o] @ slopes)
        rest = cov[np.ix_(m, m)] - cov[np.ix_(m, o)] @ slopes
        wanted[np.ix_(m, m)] += weight[i] * rest
    np.testing.assert_allclose(spread, wanted)


def test_patterns_may_be_computed_in_parts(monkeypatch):
    X = correlated(200)
    wanted = fit_normal(X)
    monkeypatch.setattr(normal, "_MOST", 3)
    np.testing.assert_allclose(fit_normal(X).cov, wanted.cov)


def test_points_stand_for_rows(monkeypatch):
    X, _ = make_xy(0, n=300, mechanism="column")
    wanted = fit_normal(X)
    monkeypatch.setattr(normal, "_points", lambda values, weight: (values, weight))
    found = fit_normal(X)
    np.testing.assert_allclose(found.mean, wanted.mean, atol=1e-7)
    np.testing.assert_allclose(found.cov, wanted.cov, atol=1e-7)


def test_weights_are_repetitions_for_em():
    X = correlated(60)
    w = np.random.default_rng(0).integers(1, 4, len(X))
    one, other = fit_normal(X, weight=w.astype(float)), fit_normal(np.repeat(X, w, axis=0))
    np.testing.assert_allclose(one.mean, other.mean, atol=1e-7)
    np.testing.assert_allclose(one.cov, other.cov, atol=1e-7)


def test_draws_have_the_conditional_mean_and_variance():
    """Mean 6.4 and variance .54 of y2 given y1 = 6, in closed form, for many equal rows."""
    case = GOLDEN["imputation"]["em_mvn"]
    Y = np.array(case["Y"], dtype=float)
    fitted = fit_normal(Y)
    keys = row_keys(np.c_[np.full(20000, 6.0), np.arange(20000.0)], 0)
    deviations = np.c_[np.full(20000, 6.0) - fitted.mean[0], np.zeros(20000)]
    precision = np.linalg.inv(fitted.cov)
    holes = Holes(np.tile([False, True], (20000, 1)))
    holes.fill(deviations, precision, deviations @ precision, normals(keys, 3, 2))
    drawn = deviations[:, 1] + fitted.mean[1]
    assert drawn.mean() == pytest.approx(case["cond_mean_y2_given_6"], abs=0.02)
    assert drawn.var() == pytest.approx(case["cond_var"], abs=0.02)


def test_completed_tables_are_spread_as_the_population():
    X = correlated(3000)
    found, _ = versions(EM(4), X)
    assert found.shape == (4, 3000, 3)
    known = ~np.isnan(X)
    for one in found:
        np.testing.assert_array_equal(one[known], X[known])
        np.testing.assert_allclose(one.mean(axis=0), [1, 2, 3], atol=0.1)
        root = np.array([[1, 0.8, -0.5], [0, 0.6, 0.4], [0, 0, 0.7]])
        np.testing.assert_allclose(np.cov(one.T), root.T @ root, atol=0.1)
    between = found[:, ~known].std(axis=0)
    assert (between > 0).all(), "versions differ wherever a value was missing"


def test_drawn_parameters_are_spread_as_their_posterior():
    """Of complete rows: the mean has variance S / n, variances have theirs of inverse chi2."""
    X = np.random.default_rng(0).normal(size=(40, 2))
    X -= X.mean(axis=0)
    rng = np.random.default_rng(1)
    start = np.zeros(2), np.eye(2)
    means, covs = draw_normals(X, np.ones(40), start, 0.0, 4000, 1, rng)
    S = X.T @ X
    np.testing.assert_allclose(covs.mean(axis=0), S / (39 - 2 - 1), rtol=0.05, atol=0.02)
    np.testing.assert_allclose(np.cov(means.T), S / (39 - 2 - 1) / 40, rtol=0.1, atol=0.003)


def test_uniform_numbers_belong_to_the_row():
    X = np.array([[1.0, NAN], [2, 3], [-0.0, 1], [0.0, 1], [1.0, NAN]])
    keys = row_keys(X, 7)
    assert keys[0] == keys[4]
    assert keys[2] == keys[3], "-0 is 0"
    assert len(set(keys.tolist())) == 3
    assert (row_keys(X[::-1], 7) == keys[::-1]).all()
    assert not (row_keys(X, 8) == keys).any()
    many = uniforms(row_keys(np.arange(20000.0)[:, None], 0), 1, 3)
    assert many.min() > 0
    assert many.max() < 1
    np.testing.assert_allclose(np.histogram(many, 10, (0, 1))[0], 6000, atol=400)
    np.testing.assert_allclose(np.corrcoef(many.T), np.eye(3), atol=0.03)
    other = uniforms(row_keys(np.arange(20000.0)[:, None], 0), 2, 3)
    assert abs(np.corrcoef(many[:, 0], other[:, 0])[0, 1]) < 0.03


def test_categories_are_coded_and_found_again():
    frame, _ = make_frame(2, 200)
    table = tables.learn(frame)
    coding = learn_coding(table, None)
    coded = encode(table, coding)
    known = ~np.isnan(coded)
    np.testing.assert_allclose(np.nanmean(coded, axis=0), 0, atol=1e-12)
    np.testing.assert_allclose(np.nanstd(coded, axis=0), 1)
    complete = tables.learn(frame.dropna())
    its = encode(complete, learn_coding(complete, None))
    holed = complete.replace(np.full(complete.values.shape, NAN))
    again = decode(its, holed, learn_coding(complete, None))
    np.testing.assert_allclose(again.values, complete.values, atol=1e-12)
    assert known.sum() > 0


def test_a_category_that_another_column_tells_is_filled_so():
    rng = np.random.default_rng(0)
    word = rng.choice(["a", "b", "c"], 400)
    x = pd.Series(word).map({"a": 0.0, "b": 10, "c": 20}) + rng.normal(size=400)
    y = pd.Series(word).map({"a": 5.0, "b": -5, "c": 0}) + rng.normal(size=400)
    frame = pd.DataFrame({"x": x, "y": y, "word": word}, dtype=object).infer_objects()
    lost = rng.random(400) < 0.2
    frame.loc[lost, "word"] = None
    table = tables.learn(frame)
    found, _ = versions(EM(), frame)
    levels = np.array(table.schema.levels[2])
    for one in found:
        assert (levels[one[lost, 2].astype(int)] == word[lost]).mean() > 0.9
        assert np.isin(one[:, 2], [0, 1, 2]).all()


def test_the_imputer_sees_neither_labels_nor_later_rows():
    X, y = make_xy(0, n=100)
    one, other = (MDTreeClassifier(missing="em").fit(X, its)._predictor for its in (y, y[::-1]))
    for name in ("means", "covs"):
        np.testing.assert_array_equal(one.state[name], other.state[name])
    new, _ = make_xy(1, n=20)
    model = MDTreeClassifier(missing="em").fit(X, y)
    before = model.predict_proba(new)
    model.predict(new * 1e6)
    np.testing.assert_array_equal(model.predict_proba(new), before)
    assert (MDTreeClassifier(missing=EM(seed=1)).fit(X, y).predict_proba(new) != before).any()


def test_answers_are_averages_over_versions():
    X, y = make_xy(3, n=150, task="regression")
    new, _ = make_xy(4, n=30, rate=0.4)
    model = MDTreeRegressor(missing=EM(3), min_samples_leaf=5).fit(X, y)
    assert len(model.trees_) == 3
    completed = model._predictor.strategy.transform(tables.learn(new), model._predictor.state)
    each = []
    for tree, its in zip(model.trees_, completed, strict=True):
        each.append(Predictor([tree], get_strategy("majority"), {}).values(its)[:, 0])
    np.testing.assert_allclose(model.predict(new), np.mean(each, axis=0))
    np.testing.assert_allclose(model.imputation_spread(new), np.std(each, axis=0))
    whole = MDTreeRegressor(missing="learned", missing_predict="em", min_samples_leaf=5)
    whole.fit(*make_xy(3, n=150, mechanism="complete", task="regression"))
    assert len(whole.trees_) == 1
    lines = whole.explain_row(new[np.isnan(new).any(axis=1)][0])
    assert lines.index.names == ["version", "node"]
    assert lines.index.get_level_values(0).nunique() == 5
    assert (lines["rule"] == "em: filled in").any()
    one = 5 * lines["contribution"].groupby(level=0).sum()
    holed = new[np.isnan(new).any(axis=1)][:1]
    np.testing.assert_allclose(whole.imputation_spread(holed), [one.std(ddof=0)])
    assert (whole.imputation_spread(make_xy(0, mechanism="complete")[0]) == 0).all()
    assert MDTreeClassifier().fit(X, y > 0).imputation_spread(new).shape == (30, 2)


@pytest.mark.parametrize(
    "X",
    [
        np.random.default_rng(0).normal(size=(6, 15)),
        np.c_[np.arange(20.0), 2 * np.arange(20.0), np.arange(20) % 3],
        np.c_[np.arange(20.0), np.r_[5.0, np.full(19, NAN)]],
        np.c_[np.arange(20.0), np.r_[5.0, 6.0, np.full(18, NAN)], np.arange(20) % 3],
        np.arange(60.0).reshape(20, 3) * [1e-200, 1, 1e200],
        np.full((20, 2), 3.0),
    ],
    ids=["more columns than rows", "one repeats another", "one value", "two", "ranges", "constant"],
)
def test_awkward_tables(X):
    X = X.copy()
    X[::4, 0] = NAN
    found, state = versions(EM(), X)
    assert np.isfinite(found).all()
    low, high = np.nanmin(X, axis=0), np.nanmax(X, axis=0)
    width = np.maximum(high - low, 0)
    assert (found >= low - 20 * width - 1e-9).all(), "no draw is absurd"
    assert (found <= high + 20 * width + 1e-9).all()
    model = MDTreeClassifier(missing="em").fit(X, np.arange(len(X)) % 2)
    assert np.isfinite(model.predict_proba(np.full((1, X.shape[1]), NAN))).all()
    assert np.isfinite(model.predict_proba(np.where(np.isnan(X), NAN, 1e300))).all()


@pytest.mark.parametrize(
    ("strategy", "says"),
    [
        (EM(0), "n_imputations=0 must be a whole number of at least 1"),
        (EM(n_between=0.5), "n_between=0.5"),
        (EM(max_iter=0), "max_iter=0"),
        (EM(tol=0), "tol=0 must be above 0"),
        (EM(seed=-1), "seed=-1"),
    ],
)
def test_parameters_that_make_no_sense(strategy, says):
    with pytest.raises(ValueError, match=says):
        MDTreeClassifier(missing=strategy).fit([[1.0], [2.0]], [0, 1])
