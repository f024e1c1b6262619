"""Trinary trees: the third child, and how far it may go."""

import numpy as np
import pytest
from data import MECHANISMS, make_frame, make_xy

from mdtree_nb import MDTreeClassifier, MDTreeRegressor, split_table
from mdtree_nb.strategies import Trinary

NAN = np.nan
X8 = np.array([[1, 0], [2, 0], [3, 0], [4, 1], [5, 1], [6, 1], [NAN, 0], [NAN, 1]], float)
Y8 = [0, 0, 0, 1, 1, 1, 0, 0]


def third(tree):
    """Nodes that have a child for missing rows."""
    return np.flatnonzero(~tree.is_leaf & (tree.missing_branch == tree.n_branches))


def test_by_hand():
    """Six rows know x0, its cut gains 6/8 of .5; the third child asks all eight about x1."""
    model = MDTreeClassifier(missing="trinary").fit(X8, Y8)
    tree = model.tree_
    assert [tree.condition(v) for v in range(1, 6)] == [
        "x0 <= 3.5", "x0 > 3.5", "x0 is missing", "x1 <= 0.5", "x1 > 0.5",
    ]  # fmt: skip
    assert list(tree.rows) == [8, 3, 3, 8, 4, 4]
    np.testing.assert_allclose(tree.gain, [0.375, 0, 0, 0.46875 - 0.1875, 0, 0])
    np.testing.assert_allclose(model.predict_proba([[NAN, 1], [9, 1]]), [[0.25, 0.75], [0, 1]])
    assert list(split_table(X8, Y8, "trinary")["missing_to"].head(1)) == ["own child"]
    lines = model.explain_row([NAN, 1.0])
    assert list(lines.index) == [0, 3, 5]


def test_a_third_child_counts_for_the_rows_that_come_to_it():
    """Importance and pruning weigh its gains by the two rows of eight that miss x0."""
    model = MDTreeClassifier(missing="trinary").fit(X8, Y8)
    tree = model.tree_
    np.testing.assert_allclose(tree.one_way, [1, 1, 1, 0.25, 0.25, 0.25])
    earned = np.array([8 * 0.375, 0.25 * 8 * 0.28125])
    np.testing.assert_allclose(model.feature_importances_, earned / earned.sum())
    path = model.cost_complexity_pruning_path(X8, Y8)
    np.testing.assert_allclose(path.impurities[0], 0.25 * 4 * 0.375 / 8)
    assert (np.diff(path.ccp_alphas) >= 0).all()
    np.testing.assert_allclose(path.impurities[-1], 0.46875)
    kept = MDTreeClassifier(missing="trinary", max_leaf_nodes=3).fit(X8, Y8).tree_
    assert list(kept.feature) == [0, -1, -1, -1]


@pytest.mark.parametrize("max_copies", [1, 2, 4])
def test_the_leaves_hold_no_more_than_so_many_copies(max_copies):
    for seed in range(3):
        X, y = make_xy(seed, n=200, rate=0.3)
        tree = MDTreeClassifier(missing=Trinary(max_copies)).fit(X, y).tree_
        leaves = tree.rows[tree.is_leaf].sum()
        assert leaves <= max_copies * len(X)
        if max_copies == 1:
            assert not len(third(tree))
            plain = MDTreeClassifier(missing="majority").fit(X, y).tree_
            assert plain == tree
        else:
            assert len(third(tree))
            assert leaves > max_copies * len(X) / 2, "the bound is made use of"


def test_without_a_bound_growing_ends_because_columns_close():
    X, y = make_xy(1, n=40, p=3, rate=0.3)
    tree = MDTreeClassifier(missing=Trinary(np.inf)).fit(X, y).tree_
    missing = tree.missing_weight > 0
    assert set(third(tree)) == set(np.flatnonzero(~tree.is_leaf & missing))


@pytest.mark.parametrize("mechanism", MECHANISMS)
@pytest.mark.parametrize("cls", [MDTreeClassifier, MDTreeRegressor])
def test_below_a_third_child_is_the_tree_without_the_column(mechanism, cls):
    task = "regression" if cls is MDTreeRegressor else "classification"
    X, y = make_xy(2, n=150, mechanism=mechanism, task=task)
    options = {"missing": Trinary(np.inf), "min_samples_leaf": 5}
    tree = cls(max_depth=4, **options).fit(X, y).tree_
    if not len(third(tree)) or third(tree)[0] != 0:
        assert not np.isnan(X[:, tree.feature[0]]).any()
        return
    rest = np.delete(X, tree.feature[0], axis=1)
    alone = cls(max_depth=3, **options).fit(rest, y).tree_
    u = tree.children(0)[-1]
    stack = [(u, 0)]
    while stack:
        a, b = stack.pop()
        assert tree.rows[a] == alone.rows[b]
        np.testing.assert_allclose(tree.value[a], alone.value[b])
        np.testing.assert_allclose(tree.gain[a], alone.gain[b])
        stack += zip(tree.children(a), alone.children(b), strict=True)


@pytest.mark.parametrize("categorical", ["equality", "subset", "multiway", "every_level"])
def test_categories_have_third_children(categorical):
    frame, y = make_frame(2, 150)
    model = MDTreeClassifier(missing="trinary", categorical=categorical, max_depth=4)
    tree = model.fit(frame, y).tree_
    assert any(tree.schema.levels[tree.feature[v]] for v in third(tree))
    for v in third(tree):
        assert tree.condition(tree.children(v)[-1]).endswith("is missing")
        assert tree.rows[tree.children(v)[-1]] == tree.rows[v]
    given = MDTreeClassifier.from_tree(tree, frame, y, missing="trinary").tree_
    for name in ("rows", "weight", "missing_weight", "arrived_missing", "share", "value"):
        np.testing.assert_allclose(getattr(given, name), getattr(tree, name), err_msg=name)


@pytest.mark.parametrize("most", [0, 0.5, "2", None, True, NAN])
def test_a_bound_below_one_is_refused(most):
    with pytest.raises(ValueError, match="max_copies=.* must be a number of at least 1"):
        MDTreeClassifier(missing=Trinary(most)).fit([[1.0], [2.0]], [0, 1])
