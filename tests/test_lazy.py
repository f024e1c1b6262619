"""Lazy trees: against a slow twin, numbers by hand, and scikit-learn's checks."""

import pickle
import warnings

import naive_lazy
import numpy as np
import pandas as pd
import pytest
from data import MECHANISMS, make_frame, make_xy
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.utils.estimator_checks import parametrize_with_checks
from test_growth import mixed_table

from mdtree_nb import LazyTreeClassifier, LazyTreeRegressor, compare, load

BOTH = [LazyTreeClassifier, LazyTreeRegressor]


@parametrize_with_checks([LazyTreeClassifier(), LazyTreeClassifier(slack=0.1), LazyTreeRegressor()])
def test_scikit_learns_checks(estimator, check):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check(estimator)


def answers(model, X):
    return model.predict_proba(X) if hasattr(model, "predict_proba") else model.predict(X)[:, None]


@pytest.mark.parametrize("mechanism", MECHANISMS)
@pytest.mark.parametrize("classes", [0, 2, 3])
@pytest.mark.parametrize("ties", [False, True])
def test_numbers_equal_the_twin(mechanism, classes, ties):
    for seed in range(4):
        task = "classification" if classes else "regression"
        X, y = make_xy(seed, 50, 4, mechanism, 0.25, task, classes or 2, ties)
        new, _ = make_xy(seed + 50, 15, 4, "mcar", 0.4, ties=ties)
        w = np.random.default_rng(seed).uniform(0.3, 3, 50) if seed % 2 else np.ones(50)
        least = 1 + seed // 2
        cls = LazyTreeClassifier if classes else LazyTreeRegressor
        model = cls(min_samples_leaf=least).fit(X, y, w)
        for query, mine in zip(new, answers(model, new), strict=True):
            wanted, path = naive_lazy.predict(X, query, y, w, (), classes, least)
            np.testing.assert_allclose(mine, wanted, atol=1e-9)
            asked = model.explain_row(query)["feature"].iloc[1:]
            assert list(asked) == [f"x{f}" for f in path]


@pytest.mark.parametrize("classes", [0, 2, 3])
def test_categories_equal_the_twin(classes):
    cls = LazyTreeClassifier if classes else LazyTreeRegressor
    for seed in range(5):
        frame, X, y = mixed_table(seed, 70, classes, levels=[3, 5, 8, 12, 5][seed])
        w = np.random.default_rng(seed).uniform(0.3, 3, 70) if seed % 2 else np.ones(70)
        model = cls(min_samples_leaf=1 + seed % 3).fit(frame, y, w)
        shown = answers(model, frame)
        for i in range(0, 70, 4):
            wanted, path = naive_lazy.predict(
                X, X[i], y, w, (2, 3), classes, model.min_samples_leaf
            )
            np.testing.assert_allclose(shown[i], wanted, atol=1e-9)
            lines = model.explain_row(frame.iloc[i])
            assert list(lines["feature"].iloc[1:]) == ["abcd"[f] for f in path]
            np.testing.assert_allclose(lines.iloc[-1, 6:].astype(float), wanted, atol=1e-9)


@pytest.mark.parametrize("slack", [0.1, 0.5])
@pytest.mark.parametrize("classes", [2, 3])
def test_slack_equals_the_twin(slack, classes):
    """The score of the answer; among equal ones another path may be kept."""
    for seed in range(4):
        frame, X, y = mixed_table(seed, 40, classes)
        w = np.random.default_rng(seed).uniform(0.3, 3, 40)
        model = LazyTreeClassifier(slack=slack, min_samples_leaf=2).fit(frame, y, w)
        shares = model.predict_proba(frame)
        for i in range(0, 40, 3):
            wanted, _ = naive_lazy.predict(X, X[i], y, w, (2, 3), classes, 2, slack)
            np.testing.assert_allclose(shares[i], wanted, atol=1e-9)
            lines = model.explain_row(frame.iloc[i])
            np.testing.assert_allclose(lines.iloc[-1, 6:].astype(float), wanted, atol=1e-9)


HUMID, MILD = ["Humidity = High", "Wind = Strong"], ["Humidity = Normal", "Temperature = Mild"]
ROWS = [
    (("Cool", "High", "Strong"), HUMID, [0.2446245874, 1.0], 2, "No"),
    (("Mild", "Normal", None), MILD, [0.1064288983, 1.0], 1, "Yes"),
]


@pytest.mark.parametrize("cells, tests, gains, rows, label", ROWS)
def test_play_tennis_by_hand(cells, tests, gains, rows, label):
    """Classes start equal: 1 bit less the entropy of 4/5 and 2/9 is .2446."""
    data = load("playtennis_missing")
    model = LazyTreeClassifier().fit(data.X, data.y)
    names = ["Temperature", "Humidity", "Wind"]
    row = {"Outlook": None, **dict(zip(names, cells, strict=True))}
    lines = model.explain_row(row)
    assert list(lines["test"]) == ["all rows", *tests]
    np.testing.assert_allclose(lines["gain"], [0, *gains])
    assert lines["rows"].iloc[-1] == rows
    frame = pd.DataFrame([row])[list(data.X.columns)]
    assert model.predict(frame)[0] == label
    nothing = pd.DataFrame([dict.fromkeys(data.X.columns)])
    np.testing.assert_allclose(model.predict_proba(nothing), [[5 / 14, 9 / 14]])
    assert len(model.explain_row(dict.fromkeys(data.X.columns))) == 1


@pytest.mark.parametrize("cls", BOTH)
def test_a_row_that_knows_nothing_gets_the_prior(cls):
    X, y = make_xy(0, task="regression" if cls is LazyTreeRegressor else "classification")
    w = np.random.default_rng(0).uniform(0.5, 2, len(y))
    model = cls().fit(X, y, w)
    prior = np.average(y, weights=w)
    mine = answers(model, np.full((1, 4), np.nan))[0, -1]
    assert mine == pytest.approx(prior)


@pytest.mark.parametrize("slack", [0.0, 0.1])
def test_a_prediction_does_not_depend_on_its_batch(slack):
    X, y = make_xy(1, 150, 5, classes=3)
    model = LazyTreeClassifier(slack=slack).fit(X, y)
    together = model.predict_proba(X)
    for i in range(0, 150, 10):
        np.testing.assert_array_equal(model.predict_proba(X[[i]])[0], together[i])
    np.testing.assert_array_equal(model.predict_proba(X[::-1]), together[::-1])


@pytest.mark.parametrize("cls", BOTH)
def test_row_order_weights_and_copies(cls):
    X, y = make_xy(2, 80, 4, task="regression" if cls is LazyTreeRegressor else "classification")
    w = np.random.default_rng(2).integers(0, 4, 80)
    wanted = answers(cls().fit(X, y, w), X)
    np.testing.assert_allclose(
        answers(cls().fit(np.repeat(X, w, axis=0), np.repeat(y, w)), X), wanted, atol=1e-9
    )
    np.testing.assert_allclose(answers(cls().fit(X, y, w * 2.0**-40), X), wanted, atol=1e-9)
    order = np.random.default_rng(3).permutation(80)
    np.testing.assert_allclose(
        answers(cls().fit(X[order], y[order], w[order]), X), wanted, atol=1e-9
    )
    model = cls().fit(X, y, w)
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(answers(again, X), wanted)
    assert not hasattr(clone(model), "schema_")


def test_levels_that_no_row_has_are_not_asked():
    frame, y = make_frame(0, 120)
    model = LazyTreeClassifier(min_samples_leaf=3).fit(frame, y)
    new = frame.iloc[[0]].assign(colour="ultraviolet")
    same = frame.iloc[[0]].assign(colour=None)
    np.testing.assert_array_equal(model.predict_proba(new), model.predict_proba(same))
    assert "colour" not in set(model.explain_row(new)["feature"])


def test_every_line_of_a_path_holds_fewer_rows():
    X, y = make_xy(4, 200, 5, classes=3)
    model = LazyTreeClassifier(min_samples_leaf=5).fit(X, y)
    for x in X[::20]:
        lines = model.explain_row(x)
        assert (np.diff(lines["rows"]) < 0).all()
        assert lines["rows"].iloc[-1] >= 5
        assert (lines["gain"].iloc[1:] > 0).all()
        assert lines["test"].iloc[0] == "all rows"
        np.testing.assert_allclose(lines.filter(like="P(").sum(axis=1), 1)


def test_constant_and_empty_columns_and_infinities():
    X = np.array([[1.0, np.nan, -np.inf], [1, np.nan, 0], [1, np.nan, np.inf], [1, np.nan, np.inf]])
    model = LazyTreeClassifier().fit(X, [0, 0, 1, 1])
    assert list(model.predict([[1, 5, np.inf], [9, 9, -np.inf]])) == [1, 0]
    np.testing.assert_allclose(model.predict_proba([[1, 5, np.nan]]), [[0.5, 0.5]])
    one = LazyTreeRegressor().fit(X, [3.0, 3.0, 3.0, 3.0])
    assert one.predict(X).tolist() == [3.0] * 4


def test_many_classes():
    X = np.arange(300.0)[:, None]
    model = LazyTreeClassifier().fit(X, np.arange(300))
    assert (model.predict(X) == np.arange(300)).all()


def test_it_can_be_compared():
    X, y = make_xy(3, 120)
    found = compare(X, y, {"lazy": LazyTreeClassifier(min_samples_leaf=5), "learned": "learned"},
                    folds=3, repeats=1)  # fmt: skip
    assert np.isfinite(found.scores.to_numpy()).all()


@pytest.mark.parametrize("cls", BOTH)
@pytest.mark.parametrize("least", [0, -1, 1.5, "1", True, None])
def test_wrong_numbers_of_rows_are_refused(cls, least):
    with pytest.raises(ValueError, match="min_samples_leaf=.* must be a whole number of rows"):
        cls(min_samples_leaf=least).fit([[1.0], [2.0]], [0, 1])


@pytest.mark.parametrize("slack", [-0.1, 1, 1.5, "0.1", True, None, np.nan])
def test_wrong_slack_is_refused(slack):
    with pytest.raises(ValueError, match=r"slack=.* must be a number in \[0, 1\)"):
        LazyTreeClassifier(slack=slack).fit([[1.0], [2.0]], [0, 1])


def test_bad_input():
    with pytest.raises(NotFittedError):
        LazyTreeClassifier().predict([[1.0]])
    with pytest.raises(NotFittedError):
        LazyTreeRegressor().explain_row([1.0])
    with pytest.raises(ValueError, match="y has 1 missing values"):
        LazyTreeClassifier().fit([[1.0], [2.0]], [0, None])
    model = LazyTreeClassifier(missing_label="drop").fit([[1.0], [2.0], [3.0]], [0, None, 1])
    assert model.n_dropped_ == 1
    with pytest.raises(ValueError, match="explains one row, got 2"):
        model.explain_row([[1.0], [2.0]])
    with pytest.raises(ValueError, match="X has 2 features"):
        model.predict([[1.0, 2.0]])


@pytest.mark.parametrize("cls", [LazyTreeClassifier, LazyTreeRegressor])
@pytest.mark.parametrize("order", ["C", "F"])
def test_the_table_may_change_after_fit(cls, order):
    X, y = make_xy(0, n=50)
    X = np.array(X, order=order)
    new, model = X.copy(), cls().fit(X, y.astype(float))
    before = model.predict(new)
    X *= -100
    np.testing.assert_array_equal(model.predict(new), before)
