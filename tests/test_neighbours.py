"""Filling from neighbours and by most common values, against obvious twins and scikit-learn."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from data import MECHANISMS, make_frame, make_xy
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.impute import KNNImputer

from mdtree_nb import MDTreeClassifier
from mdtree_nb import table as tables
from mdtree_nb.strategies import KNN, Mode

GOLDEN = json.loads((Path(__file__).parent / "golden" / "golden.json").read_text())
NAN = np.nan


def filled(strategy, table, w=None):
    return strategy.prepare(table, np.zeros(table.n_rows), w, None).tables[0].values


def naive_knn(queries, training, is_category, k, scale, w):
    """One hole after the other, one training row after the other."""
    with np.errstate(invalid="ignore"):
        training = training[np.lexsort(training.T[::-1])]
    p = training.shape[1]
    sd = np.ones(p)
    for f in range(p):
        its = training[~np.isnan(training[:, f]), f]
        sd[f] = its.std() if scale and not is_category[f] and len(its) else 1.0
    out = queries.copy()
    for i, f in np.argwhere(np.isnan(queries)):
        near = []
        for place, row in enumerate(training):
            both = [
                j
                for j in range(p)
                if not np.isnan(queries[i, j]) and not np.isnan(row[j]) and sd[j] > 0
            ]
            if both and not np.isnan(row[f]):
                parts = [
                    float(queries[i, j] != row[j])
                    if is_category[j]
                    else ((queries[i, j] - row[j]) / sd[j]) ** 2
                    for j in both
                ]
                near.append((round(sum(parts) / len(both), 12), place, row[f]))
        values = [value for _, _, value in sorted(near)[:k]]
        if not values:
            values = training[~np.isnan(training[:, f]), f]
        if len(values):
            out[i, f] = (
                np.bincount(np.int64(values)).argmax() if is_category[f] else np.mean(values)
            )
        else:
            out[i, f] = 0
    return out


@pytest.mark.parametrize("mechanism", MECHANISMS)
@pytest.mark.parametrize("k", [1, 5, 200])
def test_numbers_without_scaling_are_those_of_scikit_learn(mechanism, k):
    X, _ = make_xy(k, n=150, p=5, mechanism=mechanism)
    new, _ = make_xy(k + 1, n=40, p=5, mechanism="mcar", rate=0.5)
    strategy, other = KNN(k, scale=False), KNNImputer(n_neighbors=k).fit(X)
    prepared = strategy.prepare(tables.learn(X), None, None, None)
    np.testing.assert_allclose(prepared.tables[0].values, other.transform(X), atol=1e-12)
    (later,) = strategy.transform(tables.learn(new), prepared.state)
    np.testing.assert_allclose(later.values, other.transform(new), atol=1e-12)


def test_the_published_example_by_hand():
    case = GOLDEN["imputation"]["knn"]
    X = np.array(case["X"], dtype=float)
    np.testing.assert_allclose(filled(KNN(case["k"], scale=False), tables.learn(X)), case["out"])


@pytest.mark.parametrize("scale", [True, False])
def test_mixed_columns_against_the_twin(scale):
    frame, _ = make_frame(3, 60)
    table = tables.learn(frame)
    strategy = KNN(4, scale)
    prepared = strategy.prepare(table, None, None, None)
    is_category = table.schema.is_category
    wanted = naive_knn(table.values, table.values, is_category, 4, scale, None)
    np.testing.assert_allclose(prepared.tables[0].values, wanted, atol=1e-12)
    new, _ = make_frame(4, 30)
    new.loc[3, "colour"] = "ultraviolet"
    new.loc[3, "a"] = None
    later = tables.encode(new, table.schema)
    wanted = naive_knn(later.values, table.values, is_category, 4, scale, None)
    np.testing.assert_allclose(
        strategy.transform(later, prepared.state)[0].values, wanted, atol=1e-12
    )


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.lists(st.sampled_from([NAN, 0.0, 1.0, 2.0, -5.0]), min_size=3, max_size=3),
        min_size=1,
        max_size=9,
    ),
    st.integers(1, 4),
    st.booleans(),
)
def test_ties_and_empty_columns_against_the_twin(rows, k, scale):
    X = np.array(rows)
    got = filled(KNN(k, scale), tables.learn(X))
    np.testing.assert_allclose(got, naive_knn(X, X, [False] * 3, k, scale, None), atol=1e-9)
    order = np.random.default_rng(0).permutation(len(X))
    np.testing.assert_array_equal(filled(KNN(k, scale), tables.learn(X[order])), got[order])


def test_heavy_neighbours_count_more():
    X = np.array([[0.0, 1.0], [0.0, 4.0], [0.0, NAN], [9.0, 99.0]])
    table = tables.learn(X)
    assert filled(KNN(2, scale=False), table, np.array([3.0, 1, 1, 1]))[2, 1] == 1.75
    words = pd.DataFrame({"x": [0, 0, 0, 9.0], "word": ["a", "b", None, "b"]})
    for w, level in ((np.array([1.0, 3, 1, 1]), 1), (None, 0)):
        assert filled(KNN(2), tables.learn(words), w)[2, 1] == level


@pytest.mark.parametrize("scale", [True, False])
def test_huge_and_tiny_ranges(scale):
    X = np.array([[1e300, 1e-300], [-1e300, 3e-300], [NAN, 1e-300], [1e300, NAN], [5e-324, NAN]])
    got = filled(KNN(1, scale), tables.learn(X))
    assert np.isfinite(got).all()
    if scale:  # else the squares of 1e-300 are 0, and all are equally near
        assert got[2, 0] == 1e300


def test_rows_are_searched_in_chunks(monkeypatch):
    from mdtree_nb.imputation import neighbours

    X, _ = make_xy(1, n=90)
    wanted = filled(KNN(), tables.learn(X))
    for name, value in (("MOST", 50), ("BLOCK", 7)):
        monkeypatch.setattr(neighbours, name, value)
        np.testing.assert_array_equal(filled(KNN(), tables.learn(X)), wanted)


def test_neighbours_come_from_training_rows_and_see_no_label():
    X, y = make_xy(2, n=120)
    table = tables.learn(X)
    strategy = KNN()
    states = [strategy.prepare(table, labels, None, None).state for labels in (y, y[::-1])]
    np.testing.assert_array_equal(states[0]["donors"], states[1]["donors"])
    model = MDTreeClassifier(missing="knn").fit(X[:80], y[:80])
    before = model.predict_proba(X[80:90])
    model.predict(np.full((500, 4), 3.0))
    np.testing.assert_array_equal(model.predict_proba(X[80:90]), before)


@pytest.mark.parametrize("k", [0, -1, 2.5, "a"])
def test_a_number_of_neighbours_that_is_none(k):
    with pytest.raises(ValueError, match=f"k={k!r}"):
        MDTreeClassifier(missing=KNN(k)).fit([[1.0], [2.0]], [0, 1])


@settings(max_examples=100, deadline=None)
@given(st.lists(st.integers(-50, 50), min_size=1, max_size=30), st.integers(1, 12))
def test_the_fullest_part_of_a_range(values, n_ranges):
    """Counted with whole numbers, so borders are exact."""
    low, width = min(values), max(values) - min(values)
    places = [min((v - low) * n_ranges // width, n_ranges - 1) if width else 0 for v in values]
    fullest = min(places, key=lambda place: (-places.count(place), place))
    wanted = low + (fullest + 0.5) * width / n_ranges
    X = np.array([*values, NAN])[:, None]
    assert filled(Mode(n_ranges), tables.learn(X))[-1, 0] == pytest.approx(wanted)


def test_the_fullest_part_by_hand():
    X = np.array([0, 1, 2, 2.5, 9, 10, NAN])[:, None]
    assert filled(Mode(4), tables.learn(X))[-1, 0] == 1.25
    assert filled(Mode(4), tables.learn(X), np.array([1, 1, 1, 1, 3, 3, 1.0]))[-1, 0] == 8.75
    assert filled(Mode(2), tables.learn(np.array([[0.0], [1], [NAN]])))[-1, 0] == 0.25, "a tie"
    X = np.array([[-1.7e308], [1.7e308], [1.7e308], [NAN]])
    assert filled(Mode(10), tables.learn(X))[-1, 0] == pytest.approx(1.53e308)
    with pytest.raises(ValueError, match="n_ranges=0"):
        MDTreeClassifier(missing=Mode(0)).fit(X, [0, 1, 0, 1])
