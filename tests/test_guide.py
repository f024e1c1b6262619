"""GUIDE: which column a test of association chooses, and the cut that follows."""

import naive
import numpy as np
import pandas as pd
import pytest
from data import MECHANISMS, make_xy
from scipy import stats
from test_growth import mixed_table

from mdtree_nb import MDTreeClassifier, MDTreeRegressor, split_table
from mdtree_nb import table as tables
from mdtree_nb.strategies import Strategy
from mdtree_nb.strategies.guide import one_degree
from mdtree_nb.tree import criteria
from mdtree_nb.tree.association import associate
from mdtree_nb.tree.kernels.codes import FIRST_KNOWN
from mdtree_nb.tree.rules import Least
from mdtree_nb.tree.workspace import Workspace


def associated(table, y, w, n_values):
    criterion = criteria.Gini() if n_values > 1 else criteria.SquaredError()
    labels = y.astype(np.uint8 if n_values > 1 else np.float64)
    measure = criterion.measure(n_values)
    work = Workspace(table, labels, w, measure, Least(1.0, 0.0), divides=False)
    open_columns = work.root[:, FIRST_KNOWN:] > 0
    return associate(work, work.root, work.sum_up(work.root), open_columns)


@pytest.mark.parametrize("mechanism", MECHANISMS)
@pytest.mark.parametrize("classes", [0, 2, 3])
@pytest.mark.parametrize("weighted", [False, True])
def test_the_kernel_is_scipys_chi_square(mechanism, classes, weighted):
    for seed in range(6):
        task = "classification" if classes else "regression"
        X, y = make_xy(seed, 47, 4, mechanism, 0.25, task, classes or 2, ties=seed % 2 == 0)
        w = np.random.default_rng(seed).uniform(0.2, 3, len(y)) if weighted else None
        found = associated(tables.learn(X), y, w, classes or 1)
        ones = np.ones(len(y)) if w is None else w
        label = y if classes else y > np.average(y, weights=ones)
        rows = [(r, 1.0) for r in range(len(y))]
        for f in range(4):
            wanted = naive.chi_square(X, rows, f, label, ones, "threshold")
            np.testing.assert_allclose(
                [found.chi_square[0, f], found.freedom[0, f]], wanted, rtol=1e-9, atol=1e-9
            )


@pytest.mark.parametrize("classes", [0, 2, 3])
def test_levels_are_groups(classes):
    for seed in range(5):
        frame, X, y = mixed_table(seed, 90, classes, levels=[3, 5, 9, 14, 30][seed])
        w = None if seed % 2 else np.random.default_rng(seed).uniform(0.2, 3, len(y))
        found = associated(tables.learn(frame), y, w, classes or 1)
        ones = np.ones(len(y)) if w is None else w
        label = y if classes else y > np.average(y, weights=ones)
        rows = [(r, 1.0) for r in range(len(y))]
        for f, test in enumerate(["threshold", "threshold", "subset", "subset"]):
            wanted = naive.chi_square(X, rows, f, label, ones, test)
            np.testing.assert_allclose(
                [found.chi_square[0, f], found.freedom[0, f]], wanted, rtol=1e-9, atol=1e-9
            )
        n_groups = 1 + frame["c"].nunique()
        assert found.freedom[0, 2] == (max(classes, 2) - 1) * (n_groups - 1)


def test_quarters_are_quarters_and_two_values_two_groups():
    rows = [(r, 1.0) for r in range(100)]
    w = np.ones(100)
    groups = naive.groups_of(np.arange(100.0)[:, None], rows, 0, w, "threshold")
    assert list(np.bincount(list(groups.values()))) == [25, 25, 25, 25]
    for ones in range(1, 100):
        X = (np.arange(100) < ones).astype(float)[:, None]
        found = associated(tables.learn(X), np.arange(100) % 2, None, 2)
        assert found.freedom[0, 0] == 1, ones


def test_one_degree_is_about_as_unlikely():
    for freedom in (1, 2, 3, 4, 8, 20, 100):
        x = freedom + np.sqrt(2 * freedom) * np.linspace(0, 6, 40)
        wanted = stats.chi2.isf(stats.chi2.sf(x, freedom), 1)
        np.testing.assert_allclose(one_degree(x, np.full(40, freedom)), wanted, rtol=0.2)
        far = np.array([200.0, 500.0, 900.0]) + 20 * freedom
        wanted = stats.chi2.isf(stats.chi2.sf(far, freedom), 1)
        finite = np.isfinite(wanted)
        mine = one_degree(far, np.full(3, freedom))
        np.testing.assert_allclose(mine[finite], wanted[finite], rtol=0.25)
    x = np.linspace(0, 1000, 50)
    np.testing.assert_allclose(one_degree(x, np.ones(50)), x, atol=1e-9)
    assert one_degree(np.array([0.0]), np.array([50.0]))[0] == 0
    same = one_degree(np.full(2, 1000.0), np.array([3.0, 4.0]))
    assert same[0] > same[1], "far out, too, more cells need a larger chi-square"


def test_columns_with_many_cuts_have_no_advantage():
    """Noise of 2, 5 and 60 values, and 20 levels: each is chosen about as often."""
    chosen = {"guide": np.zeros(4), "learned": np.zeros(4)}
    for seed in range(300):
        rng = np.random.default_rng(seed)
        frame = pd.DataFrame(
            {
                "two": rng.integers(0, 2, 60).astype(float),
                "five": rng.integers(0, 5, 60).astype(float),
                "many": rng.normal(size=60),
                "levels": rng.integers(0, 20, 60).astype(str),
            }
        )
        y = rng.integers(0, 2, 60)
        for name, counts in chosen.items():
            root = MDTreeClassifier(missing=name, max_depth=1).fit(frame, y).tree_.feature[0]
            counts[root] += 1
    assert chosen["guide"].min() > 45
    assert chosen["guide"].max() < 110
    assert chosen["learned"][3] > 200, "the best cut is one of 20 levels, nearly always"


def test_a_hole_that_tells_is_a_group():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 3))
    y = rng.integers(0, 2, 200)
    X[(y == 1) & (rng.random(200) < 0.6), 1] = np.nan
    tree = MDTreeClassifier(missing="guide", max_depth=1).fit(X, y).tree_
    assert tree.feature[0] == 1
    assert tree.condition(2) == "x1 is missing"
    lines = split_table(X, y, "guide")
    assert set(lines["feature"]) == {"x1"}
    assert lines["gain"].is_monotonic_decreasing
    other = split_table(X, y, "guide", feature="x0")
    assert set(other["feature"]) == {"x0"}


def test_the_next_column_is_tried_where_the_first_has_no_cut():
    X = np.column_stack([np.r_[np.zeros(38), 1, 1], np.arange(40) % 7])
    y = np.r_[np.zeros(38), 1, 1].astype(int)
    y[5] = 1
    free = MDTreeClassifier(missing="guide", max_depth=1).fit(X, y).tree_
    assert free.feature[0] == 0
    tree = MDTreeClassifier(missing="guide", max_depth=1, min_samples_leaf=5).fit(X, y).tree_
    assert tree.feature[0] == 1


def test_weights_count_rows():
    X, y = make_xy(4, classes=3)
    w = np.random.default_rng(4).integers(1, 5, len(X))
    frames = [tables.learn(X), tables.learn(np.repeat(X, w, axis=0))]
    one = associated(frames[0], y, w.astype(float), 3)
    other = associated(frames[1], np.repeat(y, w), None, 3)
    np.testing.assert_allclose(one.chi_square, other.chi_square)
    np.testing.assert_array_equal(one.freedom, other.freedom)
    twice = associated(frames[0], y, 2.0 * w, 3)
    np.testing.assert_allclose(twice.chi_square, 2 * one.chi_square)


def test_drawn_columns_are_ranked_among_themselves():
    X, y = make_xy(0, 300, 6)
    roots = {
        int(
            MDTreeClassifier(missing="guide", max_features=1, max_depth=1, random_state=s)
            .fit(X, y)
            .tree_.feature[0]
        )
        for s in range(60)
    }
    assert roots == set(range(6))
    every = MDTreeClassifier(missing="guide", max_features=6, random_state=0).fit(X, y).tree_
    assert every == MDTreeClassifier(missing="guide").fit(X, y).tree_


def test_labels_at_the_mean_are_not_above_it():
    """Whatever rounding makes of a mean such as 0.1 + 0.2."""
    X = np.arange(9.0)[:, None]
    y = np.array([0.1, 0.2, 0.3] * 3)
    found = associated(tables.learn(X), y, None, 1)
    rows = [(r, 1.0) for r in range(9)]
    wanted = naive.chi_square(X, rows, 0, y > 0.25, np.ones(9), "threshold")
    np.testing.assert_allclose([found.chi_square[0, 0], found.freedom[0, 0]], wanted)


@pytest.mark.parametrize("criterion", ["squared_error", "absolute_error"])
def test_regression_by_either_error(criterion):
    X, y = make_xy(1, 200, task="regression")
    model = MDTreeRegressor(missing="guide", criterion=criterion, max_depth=4).fit(X, y)
    assert model.score(X, y) > 0.4


def test_a_ranking_of_another_shape_is_refused():
    class Wrong(Strategy):
        def rank(self, association):
            return association.freedom[:, :1]

    X, y = make_xy(0)
    with pytest.raises(ValueError, match=r"Wrong.rank must return numbers of shape \(1, 4\)"):
        MDTreeClassifier(missing=Wrong()).fit(X, y)
