"""Chained regressions against scikit-learn, and several fillings by draws."""

import warnings

import numpy as np
import pytest
from data import make_frame, make_xy
from sklearn.experimental import enable_iterative_imputer  # noqa: F401
from sklearn.impute import IterativeImputer

from mdtree_nb import MDTreeClassifier
from mdtree_nb import table as tables
from mdtree_nb.strategies import KNN, Iterative

NAN = np.nan


def prepare(strategy, X, w=None):
    table = tables.learn(X)
    return table, strategy.prepare(table, np.zeros(table.n_rows), w, None)


def related(n, seed=0, rate=0.25):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3)) @ [[1, 0.8, -0.5], [0, 0.6, 0.4], [0, 0, 0.7]] + [1, 2, 3]
    return np.where(rng.random(X.shape) < rate, NAN, X)


@pytest.mark.parametrize("seed", range(3))
def test_fills_are_those_of_scikit_learn_on_standardised_columns(seed):
    X = related(90, seed)
    X = X[np.lexsort(X.T[::-1])]
    mean, sd = np.nanmean(X, axis=0), np.nanstd(X, axis=0)
    Z = (X - mean) / sd
    low, high = np.nanmin(Z, axis=0), np.nanmax(Z, axis=0)
    imputer = IterativeImputer(min_value=low, max_value=high, max_iter=4)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        wanted = imputer.fit_transform(Z) * sd + mean
    strategy = Iterative(max_iter=4)
    table, prepared = prepare(strategy, X)
    found = prepared.tables[0].values
    some = ~np.isnan(X).all(axis=1)  # empty rows teach nothing, and are left out here
    if some.all():
        np.testing.assert_allclose(found, wanted, atol=1e-9)
        new = related(40, seed + 50)
        (later,) = strategy.transform(tables.encode(new, table.schema), prepared.state)
        np.testing.assert_allclose(later.values, imputer.transform((new - mean) / sd) * sd + mean)
    assert (found >= np.nanmin(X, axis=0) - 1e-9).all()
    assert (found <= np.nanmax(X, axis=0) + 1e-9).all()


def test_at_least_one_of_these_tables_is_compared():
    assert any(not np.isnan(related(90, seed)).all(axis=1).any() for seed in range(3))


def test_no_warning_and_a_report():
    rng = np.random.default_rng(0)
    a = rng.normal(size=80)
    X = np.column_stack([a, a * (1 + 1e-9), rng.normal(size=80) * 1e6])
    X[rng.random(X.shape) < 0.3] = NAN
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = MDTreeClassifier(missing="iterative", max_depth=3).fit(X, a > 0)
        assert np.isfinite(model.predict_proba(X)).all()
        few = MDTreeClassifier(missing=Iterative(max_iter=1, tol=0)).fit(X, a > 0)
    (chain,) = few._predictor.state["chains"]
    assert (chain["n_rounds"], chain["converged"]) == (1, False)


def test_drawn_fills_have_the_conditional_mean_and_spread():
    X = related(4000, rate=0.0)
    X[::4, 2] = NAN
    _, prepared = prepare(Iterative(max_iter=2, multiple=True, n_imputations=4), X)
    found = np.array([table.values[::4, 2] for table in prepared.tables])
    cov = np.cov(X[~np.isnan(X[:, 2])].T)
    slopes = np.linalg.solve(cov[:2, :2], cov[:2, 2])
    expected = 3 + (X[::4, :2] - [1, 2]) @ slopes
    rest = cov[2, 2] - cov[:2, 2] @ slopes
    for one in found:
        gap = one - expected
        assert gap.mean() == pytest.approx(0, abs=0.08)
        assert gap.var() == pytest.approx(rest, rel=0.15)
    assert found.std(axis=0).mean() > 0.5 * np.sqrt(rest)


def test_neighbours_are_drawn_as_their_weights_say():
    X = np.column_stack([np.zeros(3003), np.r_[5.0, 6, 7, np.full(3000, NAN)], np.arange(3003.0)])
    X[:3, 2] = NAN
    w = np.r_[1.0, 2, 1, np.ones(3000)]
    _, prepared = prepare(KNN(3, scale=False, multiple=True, n_imputations=2, seed=1), X, w)
    for table in prepared.tables:
        values, counts = np.unique(table.values[3:, 1], return_counts=True)
        np.testing.assert_array_equal(values, [5, 6, 7])
        np.testing.assert_allclose(counts / 3000, [0.25, 0.5, 0.25], atol=0.03)
    one, other = (table.values[3:, 1] for table in prepared.tables)
    assert abs(np.corrcoef(one, other)[0, 1]) < 0.06


@pytest.mark.parametrize("strategy", [KNN(multiple=True), Iterative(multiple=True, max_iter=2)])
def test_several_fillings_give_as_many_trees_of_one_table_each(strategy):
    frame, y = make_frame(0, 90)
    model = MDTreeClassifier(missing=strategy, max_depth=3).fit(frame, y)
    assert len(model.trees_) == 5
    whole, labels = make_xy(0, n=90, mechanism="complete")
    model = MDTreeClassifier(missing=strategy).fit(whole, labels)
    assert len(model.trees_) == 1
    assert len(model._predictor.pairs(model._read(whole))) == 1
    whole[4, 0] = NAN
    assert len(model._predictor.pairs(model._read(whole))) == 5


def test_a_bit_of_a_row_does_not_depend_on_the_others():
    X = related(200)
    table, prepared = prepare(Iterative(multiple=True, n_imputations=2, max_iter=2), X)
    strategy = Iterative(multiple=True, n_imputations=2, max_iter=2)
    for rows in ([17], [4, 3], np.arange(60, 190)):
        some = strategy.transform(table.take(np.array(rows)), prepared.state)
        for one, whole in zip(some, prepared.tables, strict=True):
            np.testing.assert_array_equal(one.values, whole.values[rows])


@pytest.mark.parametrize(
    ("strategy", "says"),
    [
        (Iterative(max_iter=0), "max_iter=0 must be a whole number of at least 1"),
        (Iterative(tol=-1), "tol=-1 must be at least 0"),
        (Iterative(multiple="yes"), "multiple='yes' must be True or False"),
        (KNN(n_imputations=True), "n_imputations=True must be a whole number"),
        (KNN(scale=2), "scale=2 must be True or False"),
    ],
)
def test_parameters_that_make_no_sense(strategy, says):
    with pytest.raises(ValueError, match=says):
        MDTreeClassifier(missing=strategy).fit([[1.0], [2.0]], [0, 1])
