"""Faults that people met with other trees, as runnable cases.

Each names the reports it was written after; none of their text or code is used.
"""

import inspect
import io
import re
import sys
import tracemalloc
from contextlib import redirect_stderr, redirect_stdout

import numpy as np
import pandas as pd
import pytest
from data import make_xy

from mdtree_nb import MDTreeClassifier, MDTreeRegressor, compare
from mdtree_nb.strategies import all_strategies

NAN = np.nan
DIRECTIONAL = ["learned", "mia", "right", "own_child"]


@pytest.fixture(params=sorted(all_strategies()))
def missing(request):
    return request.param


@pytest.mark.parametrize("strategy", ["learned", "right", "own_child"])
def test_missing_counts_are_fresh_for_every_candidate(strategy):
    """scikit-learn #28254: stale counts of missing rows while scanning."""
    X = np.array([[2.0], [NAN], [7.0], [1.0], [9.0], [4.0]])
    y = np.array([5.0, 1.0, 8.0, 2.0, 6.0, 3.0])
    assert (MDTreeClassifier(missing=strategy).fit(X, y.astype(int)).predict(X) == y).all()
    np.testing.assert_allclose(MDTreeRegressor(missing=strategy).fit(X, y).predict(X), y)


def test_missing_is_not_zero(missing):
    """LightGBM #4040, #2706: NaN first seen at prediction became 0."""
    if missing == "discard":
        pytest.skip("complete data; the rule is tested with majority")
    y = np.array([1, 1, 1] + [0] * 7)
    got = []
    for shift in (0.0, -1000.0, 1000.0):
        X = np.arange(10.0, 20.0)[:, None] + shift
        got.append(MDTreeClassifier(missing=missing).fit(X, y).predict_proba([[NAN]])[0])
    np.testing.assert_allclose(got[1:], got[:1] * 2)
    if missing not in ("left", "right", "mode"):  # of ten single values the lowest is the mode
        assert got[0][0] >= 0.5, "the larger branch holds class 0"


def test_squared_error_is_right_when_missing_rows_go_left():
    """scikit-learn #28316, #32178: impurity of a node that holds missing rows."""
    X = np.array([[1.0], [2.0], [NAN], [8.0], [9.0], [10.0]])
    y = np.array([0.0, 0.0, 1.0, 5.0, 5.0, 6.0])
    tree = MDTreeRegressor(missing="left", max_depth=1).fit(X, y).tree_
    assert tree.threshold[0] == 5.0
    np.testing.assert_allclose(tree.impurity, [y.var(), y[:3].var(), y[3:].var()])
    assert tree.gain[0] == pytest.approx(y.var() - (y[:3].var() + y[3:].var()) / 2)


def test_decision_path_follows_missing_values():
    """scikit-learn #32280: decision_path ignored the learned direction."""
    X, y = make_xy(0)
    for strategy in DIRECTIONAL:
        model = MDTreeClassifier(missing=strategy).fit(X, y)
        path, ends = model.decision_path(X), model.apply(X)
        assert (np.asarray(path[np.arange(len(X)), ends]).ravel() == 1).all()
        assert (np.asarray(path.sum(axis=1)).ravel() == model.tree_.depth[ends] + 1).all()


def test_unique_rows_are_never_counted_twice():
    """supertree #32, orange3 #1987: rows with missing values in both leaves, or in none."""
    X, y = make_xy(1, n=300)
    for strategy in all_strategies():
        if strategy == "discard":
            continue
        tree = MDTreeClassifier(missing=strategy, min_samples_leaf=3).fit(X, y).tree_
        extra = (tree.n_children - 1) * tree.missing_weight  # copies that it makes on purpose
        ends = {"both_children": -extra.sum(), "stop": tree.missing_weight.sum()}
        at_leaves = (tree.one_way * tree.weight)[tree.is_leaf].sum()  # a third child repeats rows
        assert at_leaves + ends.get(strategy, 0) == pytest.approx(len(X))


def test_equal_gains_are_not_broken_at_random():
    """scikit-learn #8443, #12188: two runs with default settings differed."""
    x = np.arange(30.0)
    X = np.column_stack([x, x, (x * 7) % 30])
    y = (x > 12).astype(int)
    trees = [MDTreeClassifier().fit(X, y).tree_ for _ in range(5)]
    assert all(tree == trees[0] for tree in trees)
    assert trees[0].feature[0] == 0, "the first of equal columns"
    state = np.random.get_state()[1].copy()
    MDTreeClassifier().fit(X, y)
    assert (np.random.get_state()[1] == state).all(), "the global generator is not touched"


def test_deep_trees_do_not_recurse():
    """scikit-learn #8806, river #1578: recursion limits."""
    n = 560
    X, y = np.eye(n), np.arange(n) % 2
    MDTreeClassifier().fit(X[:4], y[:4]).predict(X[:4])
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack()) + 200)
    try:
        model = MDTreeClassifier().fit(X, y)
        assert (model.predict(X) == y).all()
        model.explain_row(X[-1])
    finally:
        sys.setrecursionlimit(limit)
    assert model.get_depth() > 200


def test_text_of_models_and_comparisons_is_stable():
    """nbval #97, #183: addresses, timings and prints in outputs."""
    X, y = make_xy(2)
    out, err, texts = io.StringIO(), io.StringIO(), []
    MDTreeClassifier(max_depth=2).fit(X, y)  # whatever has to be compiled is compiled
    with redirect_stdout(out), redirect_stderr(err):
        for _ in range(2):
            model = MDTreeClassifier(max_depth=2).fit(X, y)
            result = compare(X, y, ["learned", "mean"], folds=3, repeats=1)
            texts.append(repr(model) + repr(model.tree_) + repr(result) + result.sentence())
    assert texts[0] == texts[1]
    assert not re.search(r"0x[0-9a-f]{6,}", texts[0])
    assert out.getvalue() == err.getvalue() == ""


def test_the_same_label_gets_the_same_answer_in_every_representation():
    """LightGBM #2826, xgboost #11160: codes taken from the prediction frame."""
    cities = ["Bonn", "Graz", "Lyon", "Oslo", "Turin", "York"]
    c = np.array(cities)[np.arange(120) % 6]
    y = np.isin(c, ["Bonn", "Lyon", "Turin"]).astype(int)
    model = MDTreeClassifier().fit(pd.DataFrame({"city": pd.Categorical(c)}), y)
    wanted = dict(zip(cities, [1, 0, 1, 0, 1, 0], strict=True))
    some = ["York", "Lyon", "Bonn"]
    for column in (
        pd.Categorical(some),
        pd.Categorical(some, categories=["York", "Lyon", "Bonn", "Atlantis"]),
        pd.Categorical(some, categories=cities[::-1]),
        pd.array(some, dtype="string"),
        np.array(some, dtype=object),
    ):
        got = model.predict(pd.DataFrame({"city": column}))
        assert list(got) == [wanted[city] for city in some]


def test_unseen_is_not_missing():
    """scikit-learn #34691, LightGBM #6908: a new category fell into the missing branch."""
    city = pd.Series(["Bonn", "Graz", None, "Bonn", "Graz", None] * 10, dtype=object)
    y = city.isna().astype(int)
    for strategy in DIRECTIONAL:
        model = MDTreeClassifier(missing=strategy).fit(city.to_frame("city"), y)
        new = pd.DataFrame({"city": ["Atlantis", None]}, dtype=object)
        assert list(model.predict(new)) == [0, 1]


FILLING = ["mean", "mode", "indicator", "knn", "iterative", "em"]


@pytest.mark.parametrize("strategy", FILLING)
def test_a_column_that_is_empty_in_a_fold_keeps_its_place(strategy):
    """scikit-learn #10671, #16426: columns dropped, or indicators added, as a fold has holes."""
    X = np.column_stack([np.arange(60.0) % 7, np.full(60, NAN), np.arange(60.0)])
    X[50:, 1], X[50:, 2] = 1.0, NAN
    y = (np.arange(60) % 7 > 3).astype(int)
    model = MDTreeClassifier(missing=strategy).fit(X[:50], y[:50])
    assert (model.predict(X[50:]) == y[50:]).all()
    assert len(model.feature_importances_) == 3
    assert "x1" in str(model._predictor.state["empty"])


@pytest.mark.parametrize("strategy", FILLING)
def test_a_level_that_is_alone_and_whole_numbers(strategy):
    frame = pd.DataFrame(
        {"word": ["a", None, "a", "a", None, "a"] * 5, "n": [1, 2, 3, 4, 5, 6] * 5}
    )
    frame.loc[3, "n"] = None
    y = np.arange(30) % 6 > 2
    model = MDTreeClassifier(missing=strategy).fit(frame, y)
    assert set(model.completed(frame)[0]["word"]) == {"a"}
    assert (model.predict(frame) == y).mean() > 0.95


def test_neighbours_need_no_matrix_of_all_pairs():
    """scikit-learn #15604: 12,000 x 6 took more than a gigabyte."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(12_000, 6))
    X[rng.random(X.shape) < 0.1] = NAN
    model = MDTreeClassifier(missing="knn", max_depth=1)
    model.fit(X[:50], X[:50, 0] > 0)  # compiles
    tracemalloc.start()
    model.fit(X, X[:, 0] > 0)
    top = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert top < 30e6
