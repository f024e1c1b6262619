"""missing="auto": what it chooses, why, and that it chooses from the training rows alone."""

import pickle

import numpy as np
import pandas as pd
import pytest
from data import MECHANISMS, make_xy
from sklearn.base import clone
from sklearn.model_selection import KFold, StratifiedKFold
from sklearn.utils.estimator_checks import check_estimator

from mdtree_nb import (
    Auto,
    MDTreeClassifier,
    MDTreeRegressor,
    RowTracer,
    SplitExplorer,
    StrategyNotApplicable,
    TreeExplorer,
    TreePair,
    compare,
    describe_axes,
    export_json,
    export_text,
    import_json,
    importance_table,
    plot_path,
    plot_tree,
)
from mdtree_nb.prunings import CostComplexity

QUICK = (
    ("learned", CostComplexity(0.03)),
    ("learned", None),
    ("fractional", CostComplexity(0.03)),
    ("fractional", "pessimistic"),
    ("fractional", None),
)
NUMBERS = tuple(pair for pair in QUICK if pair[1] != "pessimistic")


def table(seed, mechanism="mcar", task="classification"):
    X, y = make_xy(seed, n=120, mechanism=mechanism, task=task)
    return X, y


def fitted(X, y, w=None, candidates=QUICK, cls=MDTreeClassifier, **options):
    options = {"random_state": 0, "min_samples_leaf": 3, **options}
    return cls(missing=Auto(candidates), **options).fit(X, y, w)


@pytest.mark.parametrize("mechanism", MECHANISMS)
@pytest.mark.parametrize("cls", [MDTreeClassifier, MDTreeRegressor])
def test_the_scores_are_those_of_cross_validation(mechanism, cls):
    is_number = cls is MDTreeRegressor
    X, y = table(1, mechanism, "regression" if is_number else "classification")
    w = np.random.default_rng(0).integers(1, 4, len(X)).astype(float)
    pairs = NUMBERS if is_number else QUICK
    model = fitted(X, y, w, pairs, cls)
    report = model.auto_report_
    splitter = KFold if is_number else StratifiedKFold
    folds = list(splitter(5, shuffle=True, random_state=np.random.RandomState(0)).split(X, y))
    for line, (missing, pruning) in enumerate(pairs):
        plain = cls(missing=missing, pruning=pruning, random_state=0, min_samples_leaf=3)
        wanted, leaves = [], []
        for train, test in folds:
            plain.fit(X[train], y[train], w[train])
            wanted.append(plain.score(X[test], y[test], w[test]))
            leaves.append(plain.get_n_leaves())
        np.testing.assert_allclose(report.scores[line], wanted)
        assert report.table["leaves"][line] == pytest.approx(np.mean(leaves))


@pytest.mark.parametrize("seed", range(4))
def test_the_first_pair_within_one_standard_error_is_chosen(seed):
    X, y = table(seed, "mnar")
    model = fitted(X, y)
    report, scores = model.auto_report_, model.auto_report_.scores
    best = scores[scores.mean(axis=1).argmax()]
    for line, its in enumerate(scores):
        lag = best - its
        error = np.sqrt((1 / 5 + 1 / 4) * lag.var(ddof=1))
        assert report.table["behind"][line] == pytest.approx(lag.mean())
        assert report.table["error"][line] == pytest.approx(error)
        if lag.mean() <= error:
            break
    assert list(np.flatnonzero(report.table["chosen"])) == [line]
    missing, pruning = QUICK[line]
    plain = MDTreeClassifier(missing=missing, pruning=pruning, random_state=0, min_samples_leaf=3)
    assert model.tree_ == plain.fit(X, y).tree_
    assert report.missing.name == missing
    assert report.missing.name in report.why


def test_it_sees_that_being_missing_is_the_answer():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 3))
    X[rng.random(200) < 0.5, 0] = np.nan
    model = fitted(X, np.isnan(X[:, 0]))
    assert model.auto_report_.missing.name == "learned"
    assert model.score(X, np.isnan(X[:, 0])) == 1


def test_it_chooses_fractions_where_being_missing_says_nothing():
    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, 600)
    X = y[:, None] + rng.normal(scale=0.6, size=(600, 8))
    X[rng.random(X.shape) < 0.5] = np.nan
    model = fitted(X, y, candidates=[("right", None), ("fractional", None)])
    assert model.auto_report_.missing.name == "fractional"


def test_complete_tables_give_equal_scores_and_the_first_strategy():
    X, y = table(0, "complete")
    report = fitted(X, y, candidates=[("fractional", None), ("learned", None)]).auto_report_
    np.testing.assert_array_equal(*report.scores)
    assert report.missing.name == "fractional"


def test_the_default_list_and_pruning_that_is_asked_for():
    X, y = table(2)
    report = MDTreeClassifier(missing="auto", random_state=0).fit(X, y).auto_report_
    assert list(report.table["missing"].unique()) == ["learned", "surrogate", "fractional", "em"]
    assert not report.table["score"].isna().any()
    report = MDTreeClassifier(missing="auto", pruning="pessimistic").fit(X, y).auto_report_
    assert len(report.table) == 4
    assert set(report.table["pruning"]) == {"Pessimistic()"}
    wide = np.random.default_rng(0).normal(size=(40, 65))
    report = MDTreeClassifier(missing="auto", max_depth=1).fit(wide, wide[:, 0] > 0).auto_report_
    assert "em" not in set(report.table["missing"])


def test_a_pruning_that_holds_out_rows():
    X, y = table(3)
    model = fitted(X, y, candidates=[("learned", "reduced_error"), ("learned", None)])
    assert not model.auto_report_.table["score"].isna().any()


def test_how_rows_are_predicted_is_kept():
    X, y = table(4)
    model = fitted(X, y, candidates=[("learned", None)], missing_predict="tspe")
    plain = MDTreeClassifier(
        missing="learned", missing_predict="tspe", random_state=0, min_samples_leaf=3
    ).fit(X, y)
    np.testing.assert_array_equal(model.predict_proba(X), plain.predict_proba(X))


def test_what_does_not_apply_is_noted():
    X, y = table(5)
    X[:, 0] = np.nan  # no complete row
    report = fitted(X, y, candidates=[("discard", None), ("learned", None)]).auto_report_
    assert report.missing.name == "learned"
    assert report.table["note"][0].startswith("not applicable: ")
    assert np.isnan(report.table["score"][0])
    with pytest.raises(StrategyNotApplicable, match="no candidate"):
        fitted(X, y, candidates=[("discard", None)])


def test_a_large_table_is_searched_on_some_of_its_rows():
    X, y = make_xy(6, n=400, mechanism="mcar")
    model = MDTreeClassifier(missing=Auto(QUICK, max_rows=100), random_state=0).fit(X, y)
    assert model.tree_.rows[0] == 400
    again = MDTreeClassifier(missing=Auto(QUICK, max_rows=100), random_state=0).fit(X, y)
    np.testing.assert_array_equal(model.auto_report_.scores, again.auto_report_.scores)
    assert np.isin(model.auto_report_.scores * 20, np.arange(21)).all(), "20 rows per fold"


@pytest.mark.parametrize("n", [1, 2, 5, 9])
def test_few_rows(n):
    X, y = np.arange(n, dtype=float)[:, None], np.arange(n) % 2
    model = fitted(X, y)
    assert len(model.predict(X)) == n
    if n < 8:
        assert "too few rows" in model.auto_report_.why


def test_it_is_an_estimator_like_others():
    X, y = table(7)
    model = fitted(X, y)
    assert clone(model).get_params()["missing__folds"] == 5
    copy = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(copy.predict_proba(X), model.predict_proba(X))
    copy = import_json(export_json(model))
    np.testing.assert_array_equal(copy.predict_proba(X), model.predict_proba(X))
    assert copy.missing.name == model.auto_report_.missing.name
    other = model.with_prediction("majority", X, y)
    assert other.tree_ == model.tree_
    assert len(model.explain_row(X[0]))
    name = model.auto_report_.missing.name
    assert f"missing={name!r}" in describe_axes(plot_tree(model))
    path = model.cost_complexity_pruning_path(X, y)
    assert len(path.ccp_alphas) >= 1
    result = compare(X, y, {"auto": Auto(QUICK), "left": "left"}, folds=2, repeats=1)
    assert not result.problems


@pytest.mark.filterwarnings("error::UserWarning")
def test_every_view_takes_what_was_chosen():
    X, y = table(9)
    model = fitted(X, y, candidates=[("fractional", "reduced_error"), ("fractional", None)])
    same = MDTreeClassifier(
        missing="fractional", pruning=model.auto_report_.pruning, random_state=0, min_samples_leaf=3
    ).fit(X, y)
    assert model.tree_ == same.tree_
    pd.testing.assert_frame_equal(importance_table(model, X, y), importance_table(same, X, y))
    pd.testing.assert_frame_equal(model.split_table(X, y), same.split_table(X, y))
    assert export_text(model) == export_text(same)
    assert describe_axes(plot_path(model, X[0])) == describe_axes(plot_path(same, X[0]))
    for widget in (TreeExplorer, RowTracer):
        assert repr(widget(model, X, y)) == repr(widget(same, X, y))
    assert repr(SplitExplorer(X, y, model)) == repr(SplitExplorer(X, y, same))
    assert repr(TreePair(model, same, X)) == repr(TreePair(same, same, X))


def test_bad_parameters():
    X, y = table(8)
    for auto, words in (
        (Auto(folds=1), "folds=1 of missing='auto'"),
        (Auto(folds=2.5), "folds=2.5"),
        (Auto(max_rows=3), "max_rows=3"),
        (Auto([]), "must be pairs"),
        (Auto(["learned"]), "must be pairs"),
        (Auto([("lerned", None)]), "candidates='lerned' is not a known strategy"),
        (Auto([("learned", "nothing")]), "pruning='nothing'"),
    ):
        with pytest.raises(ValueError, match=words):
            MDTreeClassifier(missing=auto).fit(X, y)
    with pytest.raises(ValueError, match="missing_predict='auto' is no strategy"):
        MDTreeClassifier(missing_predict="auto").fit(X, y)
    with pytest.raises(ValueError, match="'auto', 'best'"):
        MDTreeClassifier(missing="foo").fit(X, y)


@pytest.mark.parametrize("cls", [MDTreeClassifier, MDTreeRegressor])
def test_estimator_checks(cls):
    check_estimator(cls(missing=Auto([("learned", None), ("fractional", None)])))


def test_a_later_fit_without_it_has_no_report():
    X, y = make_xy(0, n=60)
    model = MDTreeClassifier(missing="auto").fit(X, y)
    assert model.auto_report_ is not None
    assert not hasattr(model.set_params(missing="left").fit(X, y), "auto_report_")
