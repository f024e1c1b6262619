"""Fits that share a table: done once, with the same results, and never stale."""

import numpy as np
import pandas as pd
import pytest
from data import make_frame, make_xy

from mdtree_nb import MDTreeClassifier, compare
from mdtree_nb import table as tables
from mdtree_nb.sharing import sharing
from mdtree_nb.strategies import Mean, all_strategies


@pytest.mark.parametrize("name", sorted(all_strategies()))
def test_shared_fits_are_the_same(name):
    frame, y = make_frame(3, 120)
    train, test = frame.iloc[:90], frame.iloc[90:]

    def probabilities():
        return MDTreeClassifier(missing=name, random_state=0).fit(train, y[:90]).predict_proba(test)

    try:
        alone = probabilities()
    except ValueError:
        return  # not applicable to this table
    with sharing(train, test):
        for _ in range(2):
            np.testing.assert_array_equal(probabilities(), alone)


class Counted(Mean):
    """Counts how often it prepares a table."""

    name = ""
    times: list = []

    def __init__(self, draws=False):
        self.draws = draws

    def prepare(self, table, y, w, rng):
        Counted.times.append(rng.random() if self.draws else 0.0)
        return super().prepare(table, y, w, rng)


def test_a_fold_reads_and_prepares_its_tables_once(monkeypatch):
    read, learn = [], tables.learn_column
    monkeypatch.setattr(tables, "learn_column", lambda *a: read.append(a[1]) or learn(*a))
    frame, y = make_frame(0, 90)
    trees = {
        f"{leaf}": MDTreeClassifier(missing=Counted(), min_samples_leaf=leaf) for leaf in (1, 5, 9)
    }
    Counted.times = []
    found = compare(frame, y, trees, cv=3)
    assert not found.problems
    assert len(read) == 3 * frame.shape[1]
    assert len(Counted.times) == 3
    Counted.times = []
    drawn = MDTreeClassifier(missing=Counted(draws=True), random_state=0)
    compare(frame, y, {"one": drawn, "two": drawn}, cv=3)
    assert len(Counted.times) == 6  # what draws is not shared
    Counted.times = []
    weights = {c: MDTreeClassifier(missing=Counted(), class_weight=c) for c in (None, "balanced")}
    compare(frame, y, weights, cv=3)
    assert len(Counted.times) == 6  # means depend on weights


def test_other_tables_are_read_anew():
    X, y = make_xy(0, n=60, rate=0.0)
    model = MDTreeClassifier().fit(X, y)
    changing = X.copy()
    with sharing(X):
        before = model.predict_proba(changing)
        changing[:] = np.random.default_rng(1).permutation(changing)
        after = model.predict_proba(changing)
    assert not np.array_equal(before, after)
    np.testing.assert_array_equal(after, model.predict_proba(changing))
    outside = pd.DataFrame(X)
    assert tables.learn(outside) is not tables.learn(outside)
    with sharing(outside):
        assert tables.learn(outside) is tables.learn(outside)
