"""BEST: where columns are closed, and what opens them."""

import numpy as np
import pandas as pd
import pytest
from data import MECHANISMS, make_frame, make_xy

from mdtree_nb import MDTreeClassifier, MDTreeRegressor, export_json, import_json, split_table
from mdtree_nb.strategies import Best
from mdtree_nb.tree.kernels.codes import IS_MISSING


def gated(n=300, seed=0):
    """`weeks` is known for pregnant patients alone, `dose` for those with more than one visit."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "pregnant": rng.choice(["no", "yes", "unclear"], n, p=[0.5, 0.4, 0.1]),
            "visits": rng.integers(0, 5, n).astype(float),
            "weeks": rng.uniform(0, 40, n),
            "dose": rng.uniform(0, 10, n),
        }
    )
    y = (frame["pregnant"] == "yes") * 2 + (frame["visits"] > 1) * 3
    y = y + (frame["pregnant"].eq("yes") & (frame["weeks"] > 20)) * 4
    y = y + (frame["visits"].gt(1) & (frame["dose"] > 5)) * 5 + rng.normal(scale=0.1, size=n)
    frame.loc[frame["pregnant"] != "yes", "weeks"] = np.nan
    frame.loc[frame["visits"] <= 1, "dose"] = np.nan
    return frame, y.to_numpy()


GATES = {"weeks": ("pregnant", "yes"), "dose": ("visits", "> 1")}


@pytest.mark.parametrize("cls", [MDTreeClassifier, MDTreeRegressor])
@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_no_missing_value_is_ever_routed_in_training(cls, mechanism):
    task = "regression" if cls is MDTreeRegressor else "classification"
    for seed in range(5):
        X, y = make_xy(seed, 150, mechanism=mechanism, task=task)
        tree = cls(missing="best").fit(X, y).tree_
        by_value = ~tree.is_leaf & (tree.kind != IS_MISSING)
        assert (tree.missing_weight[by_value] == 0).all()
        alone = ~tree.is_leaf & (tree.kind == IS_MISSING)
        assert (tree.missing_weight[alone] > 0).all()


def test_categories_too():
    frame, y = make_frame(0, 200)
    for categorical in ("equality", "subset", "multiway", "every_level"):
        tree = MDTreeClassifier(missing="best", categorical=categorical).fit(frame, y).tree_
        assert (tree.missing_weight[~tree.is_leaf & (tree.kind != IS_MISSING)] == 0).all()
        assert (tree.kind == IS_MISSING).any()


def test_the_known_side_of_a_column_is_where_it_opens():
    X = np.array([[np.nan], [np.nan], [np.nan], [1.0], [2.0], [3.0], [4.0]])
    y = [9.0, 9.0, 9.0, 1.0, 1.0, 5.0, 5.0]
    model = MDTreeRegressor(missing="best").fit(X, y)
    tree = model.tree_
    assert tree.kind[0] == IS_MISSING
    assert tree.condition(1) == "x0 is known"
    assert tree.condition(3) == "x0 <= 2.5"
    np.testing.assert_array_equal(model.predict(X), y)
    lines = split_table(X, y, "best")
    assert list(lines["test"]) == ["x0 is known"]


def test_a_value_first_missing_at_prediction_follows_the_larger_child():
    X, y = np.arange(10.0)[:, None], [0] * 7 + [1] * 3
    model = MDTreeClassifier(missing="best").fit(X, y)
    assert model.predict([[np.nan]])[0] == 0
    model = MDTreeClassifier(missing="best").fit(X[::-1], y)
    assert model.predict([[np.nan]])[0] == 0


def test_a_node_without_a_column_to_test_is_a_leaf():
    X, y = make_xy(0, 60, 3, mechanism="complete")
    X[:2, 0], X[2:4, 1], X[4:6, 2] = np.nan, np.nan, np.nan
    assert MDTreeClassifier(missing="best", min_samples_leaf=3).fit(X, y).tree_.n_nodes == 1
    assert MDTreeClassifier(missing="best", min_samples_leaf=2).fit(X, y).tree_.n_nodes > 1
    assert MDTreeClassifier(missing="best").fit(np.full((60, 2), np.nan), y).tree_.n_nodes == 1


def test_gates_open_their_columns_and_nothing_else_does():
    frame, y = gated()
    tree = MDTreeRegressor(missing=Best(GATES), min_samples_leaf=5).fit(frame, y).tree_
    used = set()
    for v in np.flatnonzero(~tree.is_leaf):
        name = tree.schema.names[tree.feature[v]]
        assert tree.kind[v] != IS_MISSING, "the gates leave nothing missing"
        way, node = [], int(v)
        while node > 0:
            way.append(tree.condition(node))
            node = int(tree.parent[node])
        if name == "weeks":
            assert any(c in ("pregnant = yes", "pregnant in {yes}") for c in way), way
        if name == "dose":
            assert any(c.startswith("visits > ") and float(c[9:]) >= 1 for c in way), way
        used.add(name)
    assert used == set(frame.columns)
    turned = frame[frame.columns[::-1]]  # a hole and its reason tie, and the first column wins
    plain = MDTreeRegressor(missing="best", min_samples_leaf=5).fit(turned, y)
    assert IS_MISSING in plain.tree_.kind, "without gates the columns' own holes are tested"


@pytest.mark.parametrize("categorical", ["equality", "subset", "multiway", "every_level"])
def test_every_kind_of_test_can_open(categorical):
    frame, y = gated(seed=1)
    model = MDTreeRegressor(missing=Best(GATES), categorical=categorical, min_samples_leaf=5)
    tree = model.fit(frame, y).tree_
    assert {tree.schema.names[f] for f in tree.feature if f >= 0} == set(frame.columns)
    assert (tree.missing_weight[~tree.is_leaf] == 0).all()


def open_below(test, gates, other=None):
    """May column b be tested below each branch of a test of column a?"""
    a = test
    b = np.tile([0.0, 1.0], len(a) // 2)
    frame = pd.DataFrame({"a": a, "b": b})
    y = pd.factorize(frame["a"])[0] * 100.0 + b
    model = MDTreeRegressor(missing=Best(gates), min_samples_split=4, **(other or {}))
    tree = model.fit(frame, y).tree_
    below = {}
    for v in np.flatnonzero(tree.feature == 1):
        below[tree.condition(int(v))] = True
    return set(below)


@pytest.mark.parametrize(
    "condition, opened",
    [
        ("> 0", {"a > 1.5"}),
        ("> 1.5", {"a > 1.5"}),
        ("> 1.6", set()),
        ("<= 1.5", {"a <= 1.5"}),
        ("<= 7", {"a <= 1.5"}),
        ("<= 1.4", set()),
    ],
)
def test_a_numeric_gate_opens_where_its_condition_holds_for_all(condition, opened):
    a = np.repeat([1.0, 2.0], 4)
    assert open_below(a, {"b": ("a", condition)}) == opened


@pytest.mark.parametrize(
    "condition, opened",
    [("u", {"a = u"}), ("v", {"a != u"}), (("u", "v"), {"a = u", "a != u"})],
)
def test_a_gate_of_levels(condition, opened):
    a = np.repeat(["u", "v"], 4)
    assert open_below(a, {"b": ("a", condition)}, {"categorical": "equality"}) == opened


def test_one_of_several_gates_is_enough():
    a = np.repeat([1.0, 2.0], 4)
    both = [("a", "<= 1.5"), ("a", "> 1.5")]
    assert open_below(a, {"b": both}) == {"a <= 1.5", "a > 1.5"}


def test_gates_are_parameters_like_others():
    frame, y = gated()
    model = MDTreeRegressor(missing=Best(GATES), max_depth=4).fit(frame, y)
    again = import_json(export_json(model))
    assert again.missing.gates == GATES
    assert again.tree_ == model.tree_
    np.testing.assert_array_equal(again.predict(frame), model.predict(frame))
    lines = model.split_table(frame, y)
    assert set(lines["feature"]) == {"pregnant", "visits"}


@pytest.mark.parametrize(
    "gates, error, message",
    [
        ([("weeks", "pregnant")], TypeError, "gates=.* must be a dict or None"),
        ({"weeks": "pregnant"}, TypeError, "gates: 'pregnant' opens nothing for 'weeks'"),
        ({"weeks": ("pregnant",)}, TypeError, "opens nothing for 'weeks'"),
        ({"weeks": ("weeks", "> 1")}, ValueError, "'weeks' cannot be its own gate"),
        ({"week": ("pregnant", "yes")}, ValueError, "'week' is no column of the table"),
        ({"weeks": ("sex", "yes")}, ValueError, "'sex' is no column of the table"),
        ({"weeks": ("pregnant", "maybe")}, ValueError, "'maybe' is no level of column 'pregnant'"),
        ({"dose": ("visits", "yes")}, ValueError, "'visits' holds numbers"),
        ({"dose": ("visits", ">= 1")}, ValueError, "'visits' holds numbers"),
        ({"dose": ("visits", 1.0)}, ValueError, "'visits' holds numbers"),
        ({"dose": ("visits", "> many")}, ValueError, "'visits' holds numbers"),
    ],
)
def test_wrong_gates_are_refused(gates, error, message):
    frame, y = gated(60)
    with pytest.raises(error, match=message):
        MDTreeRegressor(missing=Best(gates)).fit(frame, y)
