"""scikit-learn's API: its own checks under every strategy, and its tools around a tree."""

import copy
import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
from data import make_frame, make_xy
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import AdaBoostClassifier, BaggingClassifier
from sklearn.exceptions import NotFittedError
from sklearn.inspection import permutation_importance
from sklearn.model_selection import GridSearchCV, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from mdtree_nb import MDTreeClassifier, MDTreeRegressor
from mdtree_nb.strategies import Learned, all_strategies


@parametrize_with_checks(
    [
        cls(missing=name)
        for cls in (MDTreeClassifier, MDTreeRegressor)
        for name in sorted(all_strategies())
        if (cls, name) != (MDTreeRegressor, "lpe")  # not applicable: there are no classes
    ]
)
def test_scikit_learns_checks(estimator, check):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check(estimator)


@pytest.fixture(scope="module")
def holes():
    return make_xy(0, n=150, p=4)


def test_pipeline_and_grid_search_over_strategies(holes):
    X, y = holes
    pipe = make_pipeline(StandardScaler(), MDTreeClassifier(min_samples_leaf=5))
    grid = {
        "mdtreeclassifier__missing": ["learned", "fractional", "mean", Learned(alone=False)],
        "mdtreeclassifier__max_depth": [2, 4],
    }
    search = GridSearchCV(pipe, grid, cv=3).fit(X, y)
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()
    assert search.best_score_ > 0.6
    inner = {"missing__alone": [True, False]}
    GridSearchCV(MDTreeClassifier(missing=Learned()), inner, cv=3).fit(X, y)


def test_data_frames_through_a_pipeline(holes):
    X, y = holes
    frame = pd.DataFrame(X, columns=list("abcd"))
    pipe = make_pipeline(StandardScaler().set_output(transform="pandas"), MDTreeClassifier())
    pipe.fit(frame, y)
    assert list(pipe[-1].feature_names_in_) == list("abcd")
    assert pipe[-1].schema_.names == tuple("abcd")
    assert (pipe.predict(frame) == y).mean() > 0.9


@pytest.mark.parametrize("missing", ["learned", "fractional", "own_child"])
def test_ensembles_and_calibration(holes, missing):
    X, y = holes
    tree = MDTreeClassifier(missing=missing, max_features=2, random_state=0)
    bag = BaggingClassifier(tree, n_estimators=10, random_state=0).fit(X, y)
    assert (bag.predict(X) == y).mean() > 0.85
    shares = CalibratedClassifierCV(tree, cv=3).fit(X, y).predict_proba(X)
    np.testing.assert_allclose(shares.sum(axis=1), 1)
    scores = cross_validate(tree, X, y, cv=4, scoring=["accuracy", "neg_log_loss", "roc_auc"])
    assert np.isfinite(scores["test_neg_log_loss"]).all()
    found = permutation_importance(tree.fit(X, y), X, y, n_repeats=3, random_state=0)
    assert found.importances_mean[0] > 0


def test_ada_boost_on_complete_data():
    """AdaBoost refuses NaN by itself, whatever its tree can do."""
    X, y = make_xy(1, mechanism="complete")
    model = AdaBoostClassifier(MDTreeClassifier(max_depth=2), n_estimators=10).fit(X, y)
    assert (model.predict(X) == y).mean() > 0.8


def test_copies_of_all_kinds(holes):
    X, y = holes
    for missing in ("learned", "fractional", "mean", Learned(alone=False)):
        model = MDTreeClassifier(missing=missing).fit(X, y)
        wanted = model.predict_proba(X)
        for again in (pickle.loads(pickle.dumps(model)), copy.deepcopy(model)):
            np.testing.assert_array_equal(again.predict_proba(X), wanted)
            assert again.tree_ == model.tree_
        fresh = clone(model)
        assert not hasattr(fresh, "trees_")
        np.testing.assert_array_equal(fresh.fit(X, y).predict_proba(X), wanted)


def test_fit_changes_no_parameter(holes):
    X, y = holes
    model = MDTreeClassifier(missing="mean", class_weight={0: 1.0, 1: 2.0}, random_state=0)
    before = repr(sorted(model.get_params().items(), key=str))
    model.fit(X, y)
    assert repr(sorted(model.get_params().items(), key=str)) == before


def test_attributes(holes):
    X, y = holes
    model = MDTreeClassifier().fit(X, np.array(["no", "yes"])[y])
    assert list(model.classes_) == ["no", "yes"]
    assert model.n_classes_ == 2
    assert model.n_features_in_ == 4
    assert not hasattr(model, "feature_names_in_")
    assert model.feature_importances_.sum() == pytest.approx(1)
    assert model.get_n_leaves() == model.tree_.n_leaves
    assert model.get_depth() == model.tree_.max_depth
    assert model.trees_ == [model.tree_]
    assert model.n_dropped_ == 0
    for name in ("tree_", "feature_importances_"):
        with pytest.raises(NotFittedError):
            getattr(MDTreeClassifier(), name)


LABELS = {
    "int": np.arange(12) // 6,
    "bool": np.arange(12) > 5,
    "text": np.where(np.arange(12) > 5, "yes", "no"),
    "Int64": pd.Series(np.arange(12) // 6, dtype="Int64"),
    "boolean": pd.Series(np.arange(12) > 5, dtype="boolean"),
    "string": pd.Series(np.where(np.arange(12) > 5, "yes", "no"), dtype="string"),
    "category": pd.Series(np.where(np.arange(12) > 5, "yes", "no"), dtype="category"),
    "object": np.array([None if i < 0 else ("b" if i > 5 else "a") for i in range(12)], object),
    "list": ["b" if i > 5 else "a" for i in range(12)],
}


@pytest.mark.parametrize("kind", sorted(LABELS))
def test_labels_come_back_as_they_were(kind):
    X, y = np.arange(12.0)[:, None], LABELS[kind]
    model = MDTreeClassifier().fit(X, y)
    assert list(model.predict(X)) == list(np.asarray(y))
    assert list(model.classes_) == sorted(set(np.asarray(y).tolist()))


def test_more_classes_than_fit_a_byte():
    y = np.repeat(np.arange(400), 3)
    X = y[:, None] + 0.1 * np.tile([0, 1, 2], 400)[:, None]
    model = MDTreeClassifier().fit(X, y)
    assert model.predict_proba(X).shape == (1200, 400)
    assert (model.predict(X) == y).all()


def test_class_weights():
    X, y = np.zeros((40, 1)), np.array(["n"] * 30 + ["p"] * 10)
    balanced = MDTreeClassifier(class_weight="balanced").fit(X, y)
    np.testing.assert_allclose(balanced.predict_proba(X[:1]), [[0.5, 0.5]])
    by_hand = np.where(y == "n", 40 / 60, 40 / 20)
    same = MDTreeClassifier().fit(X, y, by_hand)
    np.testing.assert_allclose(same.predict_proba(X[:1]), [[0.5, 0.5]])
    with pytest.raises(ValueError, match="'p'"):
        MDTreeClassifier(class_weight={"n": 1, "positive": 5}).fit(X, y)


def test_missing_labels_are_refused_or_dropped_and_counted():
    X = np.arange(6.0)[:, None]
    for y in (
        np.array([0, 1, np.nan, 1, 0, 1]),
        np.array(["a", None, "b", "a", "b", "b"], dtype=object),
        pd.array(["a", pd.NA, "b", "a", "a", "b"], dtype="string"),
    ):
        with pytest.raises(ValueError, match="missing_label='drop'"):
            MDTreeClassifier().fit(X, y)
        model = MDTreeClassifier(missing_label="drop").fit(X, y)
        keep = ~pd.isna(y)
        assert model.n_dropped_ == 1
        assert model.tree_ == MDTreeClassifier().fit(X[keep], np.asarray(y)[keep]).tree_
    y = np.array([1.0, np.nan, 3.0, 4.0, 5.0, 6.0])
    with pytest.raises(ValueError, match="missing_label='drop'"):
        MDTreeRegressor().fit(X, y)
    w = np.arange(1.0, 7.0)
    model = MDTreeRegressor(missing_label="drop").fit(X, y, w)
    assert model.tree_.weight[0] == w.sum() - 2
    with pytest.raises(ValueError, match="only missing values"):
        MDTreeRegressor(missing_label="drop").fit(X, np.full(6, np.nan))


def test_new_missing_values_route_warn_or_raise():
    X, y = make_xy(2, mechanism="complete")
    new = X.copy()
    new[0, 1] = np.nan
    model = MDTreeClassifier().fit(X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.predict(new)
    model.set_params(new_missing="warn")
    with pytest.warns(UserWarning, match="column 'x1' had no missing values at fit"):
        model.predict(new)
    model.set_params(new_missing="raise")
    with pytest.raises(ValueError, match="column 'x1' had no missing values at fit"):
        model.predict(new)
    model.predict(X)


def test_new_missing_values_go_to_the_larger_child_right_when_equal():
    """scikit-learn's rule where training saw no missing value."""
    for x, y, wanted in (
        ([1, 2, 3, 4], [0, 0, 1, 1], 1),
        ([1, 2, 3, 4, 5], [0, 0, 0, 1, 1], 0),
    ):
        for missing in ("learned", "majority", "own_child"):
            model = MDTreeClassifier(missing=missing).fit(np.c_[np.array(x, float)], y)
            assert model.predict([[np.nan]]) == wanted


def test_with_prediction_leaves_the_model_alone(holes):
    X, y = holes
    model = MDTreeClassifier(missing="learned").fit(X, y)
    before = model.predict_proba(X)
    other = model.with_prediction("fractional", X, y)
    assert other.missing_predict == "fractional"
    assert other.trees_ is model.trees_
    assert (other.predict_proba(X) != before).any()
    np.testing.assert_array_equal(model.predict_proba(X), before)
    mean = model.with_prediction("mean", X, y)
    filled = np.where(np.isnan(X), np.nanmean(X, axis=0), X)
    np.testing.assert_array_equal(mean.predict_proba(X), model.predict_proba(filled))


def test_explain_row_takes_rows_of_all_kinds():
    frame, y = make_frame(0, 100)
    model = MDTreeClassifier(missing="fractional", max_depth=3).fit(frame, y)
    row = frame.iloc[4]
    wanted = model.explain_row(frame.iloc[[4]])
    for x in (row, dict(row), row.to_numpy(dtype=object), list(row)):
        pd.testing.assert_frame_equal(model.explain_row(x), wanted)
    with pytest.raises(ValueError, match="one row, got 2"):
        model.explain_row(frame.iloc[:2])
    with pytest.raises(ValueError, match="zebra"):
        model.explain_row({**dict(row), "zebra": 1})
    with pytest.raises(ValueError, match="colour"):
        model.explain_row(dict(row.drop("colour")))
    with pytest.raises(NotFittedError):
        MDTreeClassifier().explain_row([1.0])
    array = MDTreeClassifier().fit(frame[["a", "b"]].to_numpy(), y)
    with pytest.raises(ValueError, match="a dict needs column names"):
        array.explain_row({"a": 1})
    assert array.explain_row([np.nan, 1.0]).index[0] == 0


def test_explain_row_says_what_is_unseen():
    frame, y = make_frame(0, 100)
    model = MDTreeClassifier(max_depth=6).fit(frame[["colour"]], frame["colour"] == "red")
    lines = model.explain_row({"colour": "ultraviolet"})
    assert lines.loc[0, "value"] == "unseen level"
    assert lines.loc[0, "rule"].startswith("level not seen here: 1 to node ")
    equal = MDTreeClassifier(categorical="equality")
    equal.fit(frame[["colour"]], frame["colour"] == "red")
    assert equal.explain_row({"colour": "ultraviolet"}).loc[0, "rule"] == "known", "not equal"
    assert not model.predict(pd.DataFrame({"colour": ["ultraviolet"]}))[0]


def test_cost_complexity_pruning_path_and_parameter():
    X, y = make_xy(3, n=300)
    model = MDTreeClassifier()
    path = model.cost_complexity_pruning_path(X, y)
    assert not hasattr(model, "trees_")
    sizes = [MDTreeClassifier(ccp_alpha=a).fit(X, y).get_n_leaves() for a in path.ccp_alphas]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] == 1
    with pytest.raises(ValueError, match="ccp_alpha=-1"):
        MDTreeClassifier(ccp_alpha=-1).fit(X, y)


def test_large_tables_are_predicted_in_blocks(monkeypatch):
    from mdtree_nb import prediction

    X, y = make_xy(4, n=500)
    for missing in ("learned", "fractional", "mean"):
        model = MDTreeClassifier(missing=missing).fit(X, y)
        for values in (X, np.asfortranarray(X)):
            wanted = model.predict_proba(values)
            with monkeypatch.context() as patch:
                patch.setattr(prediction, "BLOCK", 64)
                np.testing.assert_array_equal(model.predict_proba(values), wanted)


def test_completed_shows_what_the_trees_see():
    frame, y = make_frame(0, 60)
    frame.index = frame.index + 100
    holes = frame.isna()
    (as_it_is,) = MDTreeClassifier(missing="fractional").fit(frame, y).completed(frame)
    pd.testing.assert_frame_equal(as_it_is.isna(), holes)
    for missing, n_versions in (("mean", 1), ("knn", 1), ("em", 5)):
        model = MDTreeClassifier(missing=missing).fit(frame, y)
        versions = model.completed(frame)
        assert len(versions) == n_versions
        for one in versions:
            assert not one.isna().any().any()
            for name in frame:
                known = ~holes[name]
                assert (one.loc[known, name] == frame.loc[known, name]).all()
                assert set(one["colour"]) == {"red", "green", "blue"}
    model = MDTreeClassifier(missing="indicator").fit(frame, y)
    assert model.completed(frame)[0]["colour is missing"].tolist() == holes["colour"].tolist()
    new = frame.iloc[:1].assign(colour="ultraviolet")
    assert model.completed(new)[0].loc[100, "colour"] == "unseen level"
    array = MDTreeClassifier(missing="mean").fit([[1.0], [np.nan], [2.0]], [0, 1, 1])
    assert array.completed([[np.nan]])[0]["x0"].tolist() == [1.5]
