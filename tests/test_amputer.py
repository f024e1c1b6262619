"""Amputer: what is learned on training rows, and what later rows get."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

import mdtree_nb as md
from mdtree_nb import Amputer, MDTreeClassifier, make_missing
from mdtree_nb.missingness import Ampute, Censor, Logistic, all_methods, scenario

COMBINATIONS = [(m, n) for n, cls in all_methods().items() for m in cls.mechanisms]


def table(n, seed=0):
    rng = np.random.default_rng(seed)
    a = rng.normal(size=n)
    values = {"a": a, "b": a + rng.normal(size=n), "c": rng.normal(size=n), "d": rng.normal(size=n)}
    return pd.DataFrame(values)


TRAIN, LATER, Y = table(2000), table(4000, seed=1), np.arange(2000) % 2


@parametrize_with_checks(
    [
        Amputer(keep_one=False, random_state=0),
        Amputer("MNAR", Logistic(), keep_one=False, random_state=0),
    ]
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@pytest.mark.parametrize("mechanism, method", COMBINATIONS)
def test_training_rows_lose_what_make_missing_says(mechanism, method):
    amputer = Amputer(mechanism, method, 0.3, random_state=4)
    got = amputer.fit_transform(TRAIN, Y)
    same = make_missing(TRAIN, Y, mechanism=mechanism, method=method, rate=0.3, random_state=4)
    pd.testing.assert_frame_equal(got, same.X)
    pd.testing.assert_frame_equal(amputer.make(TRAIN, Y).X, same.X)
    assert amputer.drivers_ == same.drivers


@pytest.mark.parametrize("mechanism, method", COMBINATIONS)
def test_later_rows_have_the_chances_of_training_rows(mechanism, method):
    amputer = Amputer(mechanism, method, 0.3, keep_one=False, random_state=4).fit(TRAIN, Y)
    first, again = amputer.transform(LATER), amputer.transform(LATER)
    pd.testing.assert_frame_equal(first, again)
    made = amputer.make(TRAIN, Y)
    shares = made.new_mask.mean()
    np.testing.assert_allclose(first.isna().mean(), shares, atol=0.04)
    assert not first.isna().any()[shares == 0].any()
    known = first.notna()
    assert (first.to_numpy()[known] == LATER.to_numpy()[known]).all()


@pytest.mark.parametrize("mechanism", ["MAR", "MNAR"])
def test_thresholds_are_those_of_the_training_rows(mechanism):
    amputer = Amputer(mechanism, Censor(), 0.3, columns="b", drivers={"MAR": "a"}.get(mechanism))
    got = amputer.fit(TRAIN).transform(LATER)
    driver = "a" if mechanism == "MAR" else "b"
    limit = np.sort(TRAIN[driver])[600 - 1 : 600 + 1]
    gone = got["b"].isna()
    assert gone[LATER[driver] < limit[0]].all()
    assert not gone[LATER[driver] > limit[1]].any()
    one_by_one = [amputer.transform(LATER.iloc[[i]])["b"].isna().item() for i in range(50)]
    assert one_by_one == gone[:50].to_list(), "a row does not depend on its batch"


def test_ties_with_the_threshold_are_shared_as_in_training():
    coarse = TRAIN.assign(a=np.repeat([0.0, 1.0], 1000))
    amputer = Amputer("MAR", "censor", 0.75, columns="b", drivers="a", random_state=0).fit(coarse)
    got = amputer.transform(LATER.assign(a=np.repeat([0.0, 1.0], 2000)))["b"].isna().to_numpy()
    assert got[:2000].all()
    assert got[2000:].mean() == pytest.approx(0.5, abs=0.05)


def test_levels_keep_their_learned_order():
    X = pd.DataFrame({"g": ["a"] * 60 + ["b"] * 40, "t": np.arange(100.0)})
    amputer = Amputer("MAR", "censor", 0.4, columns="t", drivers="g", order="frequency").fit(X)
    later = pd.DataFrame({"g": ["b", "a", "never seen", None], "t": [1.0, 2, 3, 4]})
    assert amputer.transform(later)["t"].isna().to_list() == [True, False, False, False]


def test_when():
    for when, fitted, later in [("always", 1, 1), ("fit", 1, 0), ("predict", 0, 1)]:
        amputer = Amputer(rate=0.3, when=when, random_state=0)
        assert amputer.fit_transform(TRAIN).isna().to_numpy().any() == fitted
        assert amputer.transform(TRAIN).isna().to_numpy().any() == later
    with pytest.raises(ValueError, match="when='never' must be"):
        Amputer(when="never").fit(TRAIN)


def test_in_pipelines_and_searches():
    data = md.load("penguins")
    X = data.X[["bill_length_mm", "bill_depth_mm", "flipper_length_mm", "body_mass_g"]]
    tree = MDTreeClassifier(missing="learned", max_depth=3)
    whole = cross_val_score(tree, X, data.y).mean()
    holes = Amputer("MNAR", Censor(), 0.6, random_state=0)
    at_random = Amputer(rate=0.6, random_state=0)
    broken = cross_val_score(make_pipeline(at_random, tree), X, data.y).mean()
    assert broken < whole - 0.05
    search = GridSearchCV(
        make_pipeline(holes, tree), {"amputer__method__side": ["lower", "upper"]}, cv=3
    ).fit(X, data.y)
    assert len(search.cv_results_["mean_test_score"]) == 2
    names = clone(holes).fit(X).get_feature_names_out()
    assert list(names) == list(X)


def test_the_test_rows_teach_nothing():
    """y of later rows has no say: columns are paired and ordered on training rows."""
    iris = md.load("iris")
    amputer = scenario("MARunifo", 0.15, random_state=0).fit(iris.X, iris.y)
    assert amputer.drivers_ == {
        "petal length (cm)": ["petal width (cm)"],
        "sepal length (cm)": ["sepal width (cm)"],
    }
    got = amputer.transform(iris.X.iloc[:30])
    assert got["petal width (cm)"].notna().all()


def test_later_rows_keep_a_value():
    X = pd.DataFrame({"a": np.arange(100.0), "b": np.arange(100.0)})
    amputer = Amputer("MNAR", "censor", 0.3, random_state=0).fit(X)
    assert amputer.transform(X).notna().any(axis=1).all()
    amputer.set_params(keep_one=False).fit(X)
    assert amputer.transform(X)[:29].isna().all(axis=None)


def test_patterns_of_later_rows():
    method = Ampute(patterns=[["a", "b"], ["c"]], frequencies=(0.7, 0.3))
    got = Amputer("MAR", method, 0.5, random_state=0).fit(TRAIN).transform(LATER).isna()
    assert (got["a"] == got["b"]).all()
    assert not (got["a"] & got["c"]).any()
    assert got["a"].mean() == pytest.approx(0.35, abs=0.03)
    assert got["c"].mean() == pytest.approx(0.15, abs=0.03)


def test_refusals():
    with pytest.raises(NotFittedError):
        Amputer().transform(TRAIN)
    with pytest.raises(ValueError, match="expecting 4 features"):
        Amputer().fit(TRAIN.to_numpy()).transform(TRAIN.to_numpy()[:, :3])
    with pytest.raises(ValueError, match="feature names"):
        Amputer().fit(TRAIN).transform(TRAIN[["b", "a", "c", "d"]])
    with pytest.raises(ValueError, match="'MARunifo'"):
        scenario("MARtwo", 0.1)
    assert scenario("IMuniva", 0.1).mechanism == "MNAR"
