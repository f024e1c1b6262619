"""Columns that say where others were missing: in trees, words, importances and files."""

import json

import numpy as np
import pandas as pd
import pytest
from data import make_frame, make_xy
from sklearn.impute import SimpleImputer

import mdtree_nb as md
from mdtree_nb import MDTreeClassifier, MDTreeRegressor
from mdtree_nb import table as tables
from mdtree_nb.strategies import all_strategies, get_strategy

NAN = np.nan


@pytest.fixture
def telling():
    """Half of x1 is missing, and just these rows are of class 1."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(200, 3)), np.arange(200) % 2
    X[y == 1, 1] = NAN
    return X, y


def test_the_table_is_that_of_scikit_learn():
    for seed in range(3):
        X, _ = make_xy(seed, n=80, p=5, rate=0.03)
        X[:, 2] = 1.5  # a column without holes
        (table,) = get_strategy("indicator").prepare(tables.learn(X), None, None, None).tables
        wanted = SimpleImputer(add_indicator=True).fit_transform(X)
        np.testing.assert_allclose(table.values, wanted)
        holes = np.flatnonzero(np.isnan(X).any(axis=0))
        assert table.schema.names[5:] == tuple(f"x{f} is missing" for f in holes)
        assert table.schema.sources == tuple(holes)


def test_a_tree_asks_what_is_missing_in_words(telling):
    X, y = telling
    model = MDTreeClassifier(missing="indicator", record_surrogates=True).fit(X, y)
    assert model.tree_.n_nodes == 3
    assert [model.tree_.condition(v) for v in (1, 2)] == ["x1 is known", "x1 is missing"]
    assert (model.predict(X) == y).all()
    assert "#2 x1 is missing: 100 rows" in md.export_text(model)
    assert "would go" not in md.export_text(model)
    lines = model.explain_row([0.0, NAN, 0.0])
    assert lines.loc[0, ["feature", "value", "test"]].tolist() == [
        "x1 is missing", 1.0, "x1 is known",
    ]  # fmt: skip
    assert "asks x1 is missing" in md.describe_axes(md.plot_tree(model))
    renamed = md.plot_tree(model, feature_names=["a", "b", "c"])
    assert "if b is known" in md.describe_axes(renamed)
    with pytest.raises(ValueError, match="must hold 3 names"):
        md.plot_tree(model, feature_names=["a", "b", "c", "d"])
    table = md.split_table(X, y, missing="indicator")
    assert table["test"][0] == "x1 is known"
    assert model.split_table(X, y)["feature"][0] == "x1 is missing"


def test_importance_counts_for_the_column_that_is_missing(telling):
    X, y = telling
    model = MDTreeClassifier(missing="indicator").fit(X, y)
    assert model.n_features_in_ == 3
    np.testing.assert_array_equal(model.feature_importances_, [0, 1, 0])
    frame, y = make_frame(0, 200)
    model = MDTreeRegressor(missing="indicator", max_depth=6).fit(frame, np.arange(200) % 7)
    earned = model.tree_.importances()
    schema = model.tree_.schema
    wanted = earned[:6].copy()
    for name, share in zip(schema.names[6:], earned[6:], strict=True):
        wanted[list(frame.columns).index(name.removesuffix(" is missing"))] += share
    np.testing.assert_allclose(model.feature_importances_, wanted)
    assert earned[6:].sum() > 0


@pytest.mark.parametrize("predict", sorted(all_strategies()))
def test_whatever_predicts_rows_get_the_columns(telling, predict):
    X, y = telling
    model = MDTreeClassifier(missing="indicator", record_surrogates=True).fit(X, y)
    if predict == "discard":
        X, y = np.vstack([X, np.zeros((2, 3))]), np.r_[y, 0, 1]
    assert (model.with_prediction(predict, X, y).predict(X[:200]) == y[:200]).all()


def test_there_and_back_through_json(telling):
    X, y = telling
    text = md.export_json(MDTreeClassifier(missing="indicator").fit(X, y))
    assert md.import_json(text).tree_.condition(2) == "x1 is missing"
    document = json.loads(text)
    assert document["schema"]["indicators"] == [1]
    for wrong in ([3], [1, 1], [-1], "x", [1.0], [True]):
        document["schema"]["indicators"] = wrong
        with pytest.raises(ValueError, match="indicators: a list of different columns"):
            md.import_json(json.dumps(document))
    document["schema"]["indicators"] = []
    with pytest.raises(ValueError, match=r"trees\[0\]"):
        md.import_json(json.dumps(document))


@pytest.mark.parametrize("pruning", ["reduced_error", "pessimistic", "cost_complexity"])
def test_pruning_sees_the_columns(telling, pruning):
    X, y = telling
    model = MDTreeClassifier(missing="indicator", pruning=pruning, random_state=0).fit(X, y)
    assert (model.predict(X) == y).all()


def test_all_columns_may_be_drawn(telling):
    X, y = telling
    roots = {
        int(MDTreeClassifier(missing="indicator", max_features=1, random_state=s, max_depth=1)
            .fit(X, y).tree_.feature[0])
        for s in range(25)
    }  # fmt: skip
    assert roots == {0, 1, 2, 3}
    assert MDTreeClassifier(missing="indicator").fit(X, y).tree_.feature[0] == 3


def test_a_name_that_is_taken_and_a_column_without_holes_at_fit():
    X = pd.DataFrame({"a": [1.0, NAN, 3, NAN], "a is missing": [0.0, 0, 1, 1]})
    model = MDTreeClassifier(missing="indicator").fit(X, [0, 1, 0, 1])
    assert model.tree_.schema.names == ("a", "a is missing", "a is missing?")
    assert model.predict(pd.DataFrame({"a": [2.0], "a is missing": [NAN]})) == 0
