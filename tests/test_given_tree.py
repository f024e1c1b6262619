"""A tree that is given, not grown: its tests are kept, the training rows are counted."""

import pickle

import numpy as np
import pandas as pd
import pytest
from data import make_frame, make_xy
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import NotFittedError
from sklearn.tree import (
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    ExtraTreeClassifier,
    ExtraTreeRegressor,
)
from sklearn.utils import compute_sample_weight
from test_golden import GOLDEN
from test_growth import mixed_table

import mdtree_nb as md
from mdtree_nb import MDTreeClassifier, MDTreeRegressor
from mdtree_nb.strategies import Tspe

CASE = GOLDEN["twala_figure1"]
FIGURE_1 = {"A1": {"L": None, "R": {"A2": {"L": None, "R": {"A3": {"L": None, "R": None}}}}}}
COUNTED = ["value", "weight", "impurity", "share", "missing_weight", "arrived_missing"]


def figure_1(**params):
    data = md.load("figure1")
    return MDTreeClassifier.from_tree(FIGURE_1, data.X, data.y, **params)


def row_of(known):
    return pd.DataFrame([{name: known.get(name) for name in ("A1", "A2", "A3")}], dtype=object)


def share_of_c1(model, known):
    return model.predict_proba(row_of(known))[0, 0]


# -- written down -----------------------------------------------------------------


def test_figure_1_is_counted():
    tree = figure_1().tree_
    counts = (tree.weight[:, None] * tree.value).round(9).tolist()
    assert counts == [[30, 10], [17, 1], [13, 9], [2, 5], [11, 4], [4, 2], [7, 2]]
    assert [tree.condition(v) for v in range(1, 7)] == [
        "A1 = L", "A1 = R", "A2 = L", "A2 = R", "A3 = L", "A3 = R",
    ]  # fmt: skip
    np.testing.assert_allclose(tree.share, [1, 18 / 40, 22 / 40, 7 / 22, 15 / 22, 0.4, 0.6])
    assert tree.impurity[0] == pytest.approx(2 * 0.75 * 0.25)


def test_figure_1_is_also_what_cart_grows():
    """By the Gini index and with four leaves; entropy would divide other nodes."""
    data = md.load("figure1")
    options = {"categorical": "multiway", "missing": "fractional"}
    grown = MDTreeClassifier(max_leaf_nodes=4, **options).fit(data.X, data.y).tree_
    given = figure_1(**options).tree_
    assert given.frame()["condition"].tolist() == grown.frame()["condition"].tolist()
    for name in (*COUNTED, "gain"):
        np.testing.assert_allclose(getattr(given, name), getattr(grown, name), atol=1e-12)


@pytest.mark.parametrize("query", CASE["queries"], ids=lambda q: str(q["known"]))
def test_figure_1_answers_as_published(query):
    known = query["known"]
    of = {
        name: share_of_c1(figure_1(missing_predict=name), known) for name in ("dtpe", "fractional")
    }
    assert of["dtpe"] == of["fractional"] == pytest.approx(query["FC"])
    if known.get("A1") == "L" or (known.get("A1"), known.get("A2")) == ("R", "L"):
        return  # the row's path is known, and its leaf answers
    assert share_of_c1(figure_1(missing_predict="tspe"), known) == pytest.approx(query["TSPE"])
    assert share_of_c1(figure_1(missing_predict="lpe"), known) == pytest.approx(
        query["LPE"], abs=1e-6
    )


def test_figure_1_pooled_and_by_the_best_path():
    known = {"A2": "R"}
    assert share_of_c1(figure_1(missing_predict="pool"), known) == pytest.approx(28 / 33)
    assert share_of_c1(figure_1(missing_predict="best_path"), known) == 17 / 18


@pytest.mark.parametrize("name", ["dtpe", "tspe", "lpe", "pool", "best_path"])
def test_it_is_written_and_read_like_any_model(name):
    model = figure_1(missing="fractional", missing_predict=name)
    again = md.import_json(md.export_json(model))
    copied = pickle.loads(pickle.dumps(model))
    for query in CASE["queries"]:
        row = row_of(query["known"])
        np.testing.assert_array_equal(again.predict_proba(row), model.predict_proba(row))
        np.testing.assert_array_equal(copied.predict_proba(row), model.predict_proba(row))
        pd.testing.assert_frame_equal(again.explain_row(row), model.explain_row(row))
    assert again.tree_ == model.tree_
    assert md.export_text(again) == md.export_text(model)


def test_numbers_groups_and_missing_values():
    """Counted by hand: a row that misses x goes by the shares of the known rows."""
    frame = pd.DataFrame(
        {
            "x": [1, 2, 3, 4, np.nan, np.nan],
            "colour": ["red", "pink", "blue", "blue", "red", None],
        }
    )
    y = ["a", "a", "b", "a", "b", "b"]
    nested = {"x": {"> 2.5": {"colour": {("red", "pink"): None, "blue": None}}, "<= 2.5": None}}
    model = MDTreeClassifier.from_tree(nested, frame, y, missing="fractional")
    tree = model.tree_
    conditions = [tree.condition(v) for v in range(1, 5)]
    assert conditions == ["x <= 2.5", "x > 2.5", "colour in {pink, red}", "colour = blue"]
    # x: 2 known rows and half of the 2 blank ones on each side; below, the red half row and
    # the 2 blue ones know the colour, so the colourless half row is divided 1 to 4.
    np.testing.assert_allclose(tree.weight, [6, 3, 3, 0.6, 2.4])
    np.testing.assert_allclose(tree.share, [1, 0.5, 0.5, 0.2, 0.8])
    np.testing.assert_allclose(tree.value[:, 0] * tree.weight, [3, 2, 1, 0, 1])
    np.testing.assert_allclose(tree.missing_weight, [2, 0, 0.5, 0, 0])
    doubled = MDTreeClassifier.from_tree(nested, frame, y, [2] * 6, missing="fractional").tree_
    np.testing.assert_allclose(doubled.weight, 2 * tree.weight)


def test_a_single_leaf():
    data = md.load("figure1")
    model = MDTreeClassifier.from_tree(None, data.X, data.y)
    assert model.get_n_leaves() == 1
    assert share_of_c1(model, {}) == 0.75


# -- a tree from elsewhere --------------------------------------------------------


@pytest.mark.parametrize("grown_by", ["learned", "left", "majority", "fractional", "both_children",
                                      "own_child", "stop", "mean", "discard"])  # fmt: skip
@pytest.mark.parametrize("categorical", ["subset", "equality", "multiway", "every_level"])
def test_a_grown_tree_gets_its_own_counts_back(grown_by, categorical):
    frame, _, y = mixed_table(3, 150, 3, levels=5)
    w = np.random.default_rng(0).uniform(0.5, 2, len(y))
    options = {"missing": grown_by, "categorical": categorical}
    grown = MDTreeClassifier(max_depth=4, **options).fit(frame, y, w)
    given = MDTreeClassifier.from_tree(grown.tree_, frame, y, w, **options)
    for name in COUNTED:
        mine, theirs = getattr(given.tree_, name), getattr(grown.tree_, name)
        np.testing.assert_allclose(mine, theirs, atol=1e-9, err_msg=name)
    new, _, _ = mixed_table(9, 60, levels=7)
    np.testing.assert_allclose(given.predict_proba(new), grown.predict_proba(new), atol=1e-9)


def test_the_tests_of_one_table_with_the_rows_of_another():
    X, y = make_xy(0, 200)
    other_X, other_y = make_xy(1, 200)
    grown = MDTreeClassifier(max_depth=3).fit(X, y)
    given = MDTreeClassifier.from_tree(grown.tree_, other_X, other_y)
    nodes = grown.decision_path(other_X)
    weight = np.asarray(nodes.sum(axis=0)).ravel()
    np.testing.assert_allclose(given.tree_.weight, weight)
    ones = np.asarray(nodes.T @ other_y).ravel()
    some = weight > 0
    np.testing.assert_allclose(given.tree_.value[some, 1], ones[some] / weight[some])


@pytest.mark.parametrize("grown_by", ["learned", "majority", "fractional", "stop", "mean"])
def test_numbers_are_counted_too(grown_by):
    frame, _, _ = mixed_table(3, 150, 3, levels=5)
    y = 1e6 + np.random.default_rng(1).normal(size=150)
    w = np.random.default_rng(0).uniform(0.5, 2, len(y))
    grown = MDTreeRegressor(max_depth=4, missing=grown_by).fit(frame, y, w)
    given = MDTreeRegressor.from_tree(grown.tree_, frame, y, w, missing=grown_by)
    for name in COUNTED:
        mine, theirs = getattr(given.tree_, name), getattr(grown.tree_, name)
        np.testing.assert_allclose(mine, theirs, atol=1e-9, err_msg=name)
    np.testing.assert_allclose(given.predict(frame), grown.predict(frame))


# -- a tree of scikit-learn -------------------------------------------------------

THEIRS = [
    (DecisionTreeClassifier, MDTreeClassifier, {"class_weight": {0: 1, 1: 2, 2: 5}}),
    (DecisionTreeClassifier, MDTreeClassifier, {"criterion": "entropy", "max_leaf_nodes": 9}),
    (ExtraTreeClassifier, MDTreeClassifier, {"max_depth": 5}),
    (DecisionTreeRegressor, MDTreeRegressor, {"min_samples_leaf": 4, "ccp_alpha": 0.01}),
    (DecisionTreeRegressor, MDTreeRegressor, {"criterion": "poisson", "max_depth": 4}),
    (ExtraTreeRegressor, MDTreeRegressor, {"max_depth": 5}),
]


def holes_and_labels(seed, n=300):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 4)).round(int(rng.integers(0, 9)))
    y = rng.integers(0, 3, n)
    X[rng.random(X.shape) < 0.2] = np.nan
    X[y == 1, 3] = np.where(rng.random((y == 1).sum()) < 0.7, np.nan, X[y == 1, 3])
    return X, y, rng.uniform(0.5, 2.0, n)


def answer(model, X):
    return model.predict_proba(X) if hasattr(model, "predict_proba") else model.predict(X)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("theirs, ours, params", THEIRS)
def test_a_tree_of_scikit_learn_answers_as_before(theirs, ours, params, seed):
    X, y, w = holes_and_labels(seed)
    estimator = theirs(random_state=seed, **params).fit(X, y, w)
    new = np.vstack([X, holes_and_labels(seed + 50)[0], holes_and_labels(9)[0] + 1e-8])
    counted = ours.from_sklearn(estimator, X, y, w)
    for model in (counted, md.import_json(md.export_json(counted))):
        np.testing.assert_allclose(answer(model, new), answer(estimator, new), rtol=1e-12)
        np.testing.assert_allclose(model.feature_importances_, estimator.feature_importances_)
        assert model.get_n_leaves() == estimator.get_n_leaves()
    its = estimator.tree_
    weight = w * compute_sample_weight(params.get("class_weight"), y)
    path = estimator.decision_path(X).toarray() * weight[:, None]
    misses = path * np.isnan(X[:, np.maximum(its.feature, 0)]) * (its.feature >= 0)
    assert misses.sum() > 0
    for name, want in (("weight", path), ("missing_weight", misses)):
        np.testing.assert_allclose(np.sort(getattr(counted.tree_, name)), np.sort(want.sum(axis=0)))


def test_values_are_compared_in_single_precision_as_there():
    """Doubles next to a threshold are rounded to a single before scikit-learn compares."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 1)) * 10.0 ** rng.integers(-30, 30, (400, 1))
    y = rng.integers(0, 2, 400)
    estimator = DecisionTreeClassifier(random_state=0).fit(X, y)
    at = estimator.tree_.threshold[estimator.tree_.children_left >= 0]
    single = at.astype(np.float32).astype(np.float64)
    up = np.nextafter(at.astype(np.float32), np.float32(np.inf)).astype(np.float64)
    near = [at, single, up, single / 2 + up / 2]
    near += [np.nextafter(its, side) for its in list(near) for side in (-np.inf, np.inf)]
    new = np.concatenate(near)[:, None]
    model = MDTreeClassifier.from_sklearn(estimator, X, y)
    np.testing.assert_array_equal(model.predict(new), estimator.predict(new))


def test_a_split_of_known_and_missing_rows():
    X, y = np.array([[1.0], [2.0], [np.nan], [np.nan]]), [0, 0, 1, 1]
    estimator = DecisionTreeClassifier().fit(X, y)
    tree = MDTreeClassifier.from_sklearn(estimator, X, y).tree_
    assert [tree.condition(v) for v in (1, 2)] == ["x0 is known", "x0 is missing"]
    assert tree.missing_weight[0] == 2


def test_a_tree_of_scikit_learn_can_be_asked_and_seen_in_our_ways():
    data = md.load("penguins")
    X = data.X.select_dtypes("number")
    estimator = DecisionTreeClassifier(max_depth=3, random_state=0).fit(X, data.y)
    model = MDTreeClassifier.from_sklearn(estimator, X, data.y, missing_predict="fractional")
    row = X.iloc[[0]].assign(flipper_length_mm=np.nan)
    assert len(model.explain_row(row)["share"]) > len(
        MDTreeClassifier.from_sklearn(estimator, X, data.y).explain_row(row)["share"]
    )
    assert "flipper_length_mm" in md.describe_axes(md.plot_tree(model))
    rows = MDTreeClassifier.from_sklearn(estimator, X, data.y, missing_predict="tspe")
    assert rows.predict(X).shape == (344,)


def test_what_from_sklearn_refuses():
    X, y, w = holes_and_labels(0)
    tree = DecisionTreeClassifier(max_depth=2).fit(X, y, w)
    take = MDTreeClassifier.from_sklearn
    with pytest.raises(TypeError, match="RandomForestClassifier must be one .* its estimators_"):
        take(RandomForestClassifier(), X, y)
    with pytest.raises(TypeError, match="DecisionTreeRegressor must be one .* for classification"):
        take(DecisionTreeRegressor().fit(X, y), X, y)
    with pytest.raises(NotFittedError):
        take(DecisionTreeClassifier(), X, y)
    with pytest.raises(ValueError, match="it has 2 outputs"):
        take(DecisionTreeClassifier().fit(X, np.column_stack([y, y])), X, y)
    with pytest.raises(ValueError, match="missing='left': .* choose missing_predict"):
        take(tree, X, y, w, missing="left")
    with pytest.raises(ValueError, match="y holds the classes .* pass the labels"):
        take(tree, X, y + 1, w)
    with pytest.raises(ValueError, match="not the rows that this tree was fitted on"):
        take(tree, X, y)


# -- bad input --------------------------------------------------------------------

LEFT = {"L": None, "R": None}


@pytest.mark.parametrize(
    "nested, error, message",
    [
        ("A1", TypeError, "tree: 'A1' is no node; a leaf is None, a test is"),
        ({"A1": {"L": 0, "R": None}}, TypeError, "tree: 0 is no node"),
        ({"A1": LEFT, "A2": LEFT}, ValueError, "a node tests one column, not 2"),
        ({}, ValueError, "a node tests one column, not 0"),
        ({"A4": LEFT}, ValueError, "'A4' is no column of the table; choose one of 'A1', 'A2'"),
        ({"A1": None}, ValueError, "the test of 'A1' needs two branches or more"),
        ({"A1": {"L": None}}, ValueError, "the test of 'A1' needs two branches or more"),
        ({"A1": {"L": None, "M": None}}, ValueError, "'M' is no level of column 'A1'; it has 'L'"),
        ({"A1": {"L": None, ("R", "L"): None}}, ValueError, "level 'L' of column 'A1' has two"),
        ({"A2": {"L": {"A2": LEFT}, "R": None}}, ValueError, "no training row gets to the node"),
    ],
    ids=str,
)
def test_slips_in_a_written_tree_are_named(nested, error, message):
    data = md.load("figure1")
    with pytest.raises(error, match=message):
        MDTreeClassifier.from_tree(nested, data.X, data.y)


@pytest.mark.parametrize(
    "branches",
    [("<= 1.5", "> 2"), ("<= 1.5", "<= 2"), ("<= 1.5", "> 1.5", ">2"), (1, 2), ("<= nan", "> nan"),
     ("<= a", "> a"), ("< 1.5", ">= 1.5")],
    ids=str,
)  # fmt: skip
def test_slips_in_a_threshold_are_named(branches):
    with pytest.raises(ValueError, match="column 'x0' holds numbers, so its branches are such as"):
        MDTreeClassifier.from_tree({"x0": dict.fromkeys(branches)}, [[1.0], [2.0]], [0, 1])


def test_every_level_needs_a_branch():
    frame = pd.DataFrame({"colour": ["red", "green", "blue"]})
    with pytest.raises(ValueError, match="'colour' has the level 'green' too; every level needs"):
        MDTreeClassifier.from_tree({"colour": {"red": None, "blue": None}}, frame, [0, 1, 1])


def test_a_tree_of_another_table_is_refused():
    data = md.load("figure1")
    tree = figure_1().tree_
    with pytest.raises(ValueError, match="it tests the columns A1, A2, A3, and X has A3, A2, A1"):
        MDTreeClassifier.from_tree(tree, data.X.iloc[:, ::-1], data.y)
    other = data.X.apply(lambda column: column.cat.rename_categories({"L": "left"}))
    with pytest.raises(ValueError, match="column 'A1' has the levels 'L', 'R' there and"):
        MDTreeClassifier.from_tree(tree, other, data.y)
    with pytest.raises(ValueError, match="the shares of 2 classes, and y has 3"):
        MDTreeClassifier.from_tree(tree, data.X, np.arange(40) % 3)
    with pytest.raises(ValueError, match="must be 'route'"):
        figure_1(new_missing="maybe")
    with pytest.raises(TypeError, match="unexpected keyword argument 'depth'"):
        figure_1(depth=3)


def test_a_tree_that_contradicts_itself_is_refused():
    from dataclasses import replace

    tree = figure_1().tree_
    data = md.load("figure1")
    broken = replace(tree, first_child=tree.first_child[::-1].copy())
    with pytest.raises(ValueError, match="tree: node"):
        MDTreeClassifier.from_tree(broken, data.X, data.y)


# -- missing_predict set after fit ------------------------------------------------


@pytest.mark.parametrize("name", ["fractional", "dtpe", "pool", "best_path", "majority", "left",
                                  "stop", "own_child", "learned", "surrogate"])  # fmt: skip
def test_missing_predict_set_after_fit_takes_effect(name):
    frame, y = make_frame(0, 150)
    new, _ = make_frame(1, 80)
    model = MDTreeClassifier(missing="learned", max_depth=4, record_surrogates=True)
    before = model.fit(frame, y).predict_proba(new)
    wanted = model.with_prediction(name, frame, y)
    model.set_params(missing_predict=name)
    np.testing.assert_array_equal(model.predict_proba(new), wanted.predict_proba(new))
    np.testing.assert_array_equal(model.predict(new), wanted.predict(new))
    np.testing.assert_array_equal(model.apply(new), wanted.apply(new))
    assert (model.decision_path(new) != wanted.decision_path(new)).nnz == 0
    pd.testing.assert_frame_equal(model.explain_row(new.iloc[3]), wanted.explain_row(new.iloc[3]))
    assert md.export_text(model) == md.export_text(wanted)
    assert md.export_json(model) == md.export_json(wanted)
    model.set_params(missing_predict=None)
    np.testing.assert_array_equal(model.predict_proba(new), before)


@pytest.mark.parametrize("name", ["tspe", "lpe", "mean", "discard"])
def test_what_needs_the_training_rows_says_so(name):
    frame, y = make_frame(0, 100)
    model = MDTreeClassifier(max_depth=3).fit(frame, y)
    before = model.predict(frame)
    model.set_params(missing_predict=name)
    rule = rf"missing_predict='{name}' was set after fit.*call with_prediction\('{name}', X, y\)"
    for ask in (model.predict, model.predict_proba, model.apply, model.decision_path):
        with pytest.raises(ValueError, match=rule):
            ask(frame)
    with pytest.raises(ValueError, match=rule):
        md.export_json(model)
    asked = model.with_prediction(name, frame, y)
    np.testing.assert_array_equal(
        asked.predict_proba(frame), model.fit(frame, y).predict_proba(frame)
    )
    model = MDTreeClassifier(max_depth=3).fit(frame, y).set_params(missing_predict=name)
    np.testing.assert_array_equal(model.set_params(missing_predict=None).predict(frame), before)


def test_parameters_of_the_strategy_are_looked_at_too():
    frame, y = make_frame(0, 100)
    model = MDTreeClassifier(max_depth=3, missing_predict=Tspe()).fit(frame, y)
    before = model.predict_proba(frame)
    model.set_params(missing_predict__scope="reachable")
    with pytest.raises(ValueError, match="was set after fit, and 'tspe' needs the training rows"):
        model.predict(frame)
    model.set_params(missing_predict=Tspe())
    np.testing.assert_array_equal(model.predict_proba(frame), before)
    model.set_params(missing_predict="fractional").predict(frame)
    model.set_params(missing_predict=Tspe())
    np.testing.assert_array_equal(model.predict_proba(frame), before)


def test_the_strategy_that_grew_is_the_one_of_the_fit():
    """`missing` set after fit says how the next tree grows, and nothing about this one."""
    frame, y = make_frame(0, 100)
    model = MDTreeClassifier(missing="left", missing_predict="right", max_depth=3).fit(frame, y)
    model.set_params(missing="mean", missing_predict=None)
    wanted = MDTreeClassifier(missing="left", max_depth=3).fit(frame, y)
    np.testing.assert_array_equal(model.predict_proba(frame), wanted.predict_proba(frame))


def test_an_unknown_strategy_set_after_fit():
    frame, y = make_frame(0, 50)
    model = MDTreeClassifier().fit(frame, y).set_params(missing_predict="nothing")
    with pytest.raises(ValueError, match="missing_predict='nothing' is not a known strategy"):
        model.predict(frame)
