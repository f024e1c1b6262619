"""Importance by column, and what of it missing values earn."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

import mdtree_nb as md
from mdtree_nb.strategies import all_strategies

NAN = np.nan


def horses():
    data = md.load("horse_colic")
    return data.X, data.y.where(data.y == "lived", "lost")


@pytest.fixture(scope="module")
def table():
    return horses()


def impurity(y):
    """Gini index times number of rows."""
    counts = pd.Series(y).value_counts()
    return counts.sum() - (counts**2).sum() / max(counts.sum(), 1)


def test_the_rest_by_hand():
    X = np.array([[1.0], [2.0], [3.0], [4.0], [NAN], [NAN]])
    y = np.array(list("aabbbb"))
    line = md.importance_table(md.MDTreeClassifier().fit(X, y), X, y).loc["x0"]
    known = impurity(y[:4])  # both sides are pure
    assert line["by_missing"] == pytest.approx((impurity(y) - known) / impurity(y))
    assert (line["missing_splits"], line["splits"]) == (1, 1)


@pytest.mark.parametrize("missing", ["learned", "left", "right"])
def test_the_rest_is_what_the_table_without_its_holes_does_not_gain(missing, table):
    """A slow twin: every node's rows are taken by the path, and counted with pandas."""
    X, y = table
    model = md.MDTreeClassifier(missing=missing, max_depth=5, min_samples_leaf=3).fit(X, y)
    tree, paths = model.tree_, model.decision_path(X).toarray() > 0
    total = sum(tree.weight[v] * tree.gain[v] for v in range(tree.n_nodes))
    want = pd.Series(0.0, index=list(tree.schema.names))
    for v in np.flatnonzero(tree.feature >= 0):
        name = tree.schema.names[tree.feature[v]]
        known = paths[:, v] & X[name].notna().to_numpy()
        kids = [known & paths[:, child] for child in tree.children(v)]
        alone = impurity(y[known]) - sum(impurity(y[kid]) for kid in kids)
        want[name] += (tree.weight[v] * tree.gain[v] - alone) / total
    got = md.importance_table(model, X, y)["by_missing"]
    assert np.allclose(got.reindex(want.index), want, atol=1e-9)
    assert want.abs().max() > 0.005


@pytest.mark.parametrize("missing", all_strategies())
def test_importance_is_that_of_the_tree(missing, table):
    X, y = table
    model = md.MDTreeClassifier(missing=missing, max_depth=3, random_state=0).fit(X, y)
    got = md.importance_table(model, X, y)
    assert np.allclose(got["importance"].reindex(X.columns), model.feature_importances_)
    assert got["importance"].is_monotonic_decreasing
    if missing in ("fractional", "surrogate", "majority", "mean", "discard"):
        assert (got["by_missing"] == 0).all()


@pytest.mark.parametrize("criterion", ["squared_error", "absolute_error"])
def test_a_complete_table_has_no_rest_and_large_labels_no_noise(criterion):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 3)), rng.normal(size=60) + 1e6
    model = md.MDTreeRegressor(criterion=criterion, max_depth=4).fit(X, y)
    assert (md.importance_table(model, X, y)["by_missing"] == 0).all()
    X[::4, 0] = NAN
    y[::4] += 9
    model = md.MDTreeRegressor(criterion=criterion, max_depth=2).fit(X, y)
    assert md.importance_table(model, X, y)["by_missing"].iloc[0] > 0.5


def test_c45_earns_nothing_by_holes(table):
    X, y = table
    model = md.MDTreeClassifier(missing="fractional", criterion="gain_ratio").fit(X, y)
    assert (md.importance_table(model, X, y)["by_missing"] == 0).all()


def test_other_rows_are_refused(table):
    X, y = table
    model = md.MDTreeClassifier(max_depth=3).fit(X, y)
    with pytest.raises(ValueError, match="node 0 has weight 100, and it was 366"):
        md.importance_table(model, X[:100], y[:100])
    with pytest.raises(ValueError, match="has impurity"):
        md.importance_table(model, X, y.sample(frac=1, random_state=0).to_numpy())
    with pytest.raises(TypeError, match="model=Tree must be a fitted"):
        md.importance_table(model.tree_, X, y)


def test_the_picture_says_what_the_table_has(table):
    X, y = table
    model = md.MDTreeClassifier(max_depth=5).fit(X, y)
    numbers = md.importance_table(model, X, y)
    ax = md.plot_importance(model, X, y, max_columns=4, theme="dark")
    lines = md.describe_axes(ax).splitlines()
    assert lines[0] == f"Missing values earn {numbers['by_missing'].sum():.0%}".replace(
        "%", " % of what this tree gains."
    )
    assert lines[1].startswith(f"{numbers.index[0]} earns")
    used = int((numbers["splits"] > 0).sum())
    assert lines[5].startswith(f"{used - 4} others earns")
    ends = [p.get_path().get_extents().x1 for p in ax.patches[:4]]
    drawn = np.maximum(numbers["importance"], numbers["importance"] - numbers["by_missing"])
    assert np.allclose(ends, drawn[:4])
    plt.close(ax.figure)


def test_a_single_leaf_and_bad_arguments(table):
    X, y = table
    leaf = md.MDTreeClassifier(max_depth=1, min_samples_split=1000).fit(X, y)
    ax = md.plot_importance(leaf, X, y)
    assert md.describe_axes(ax).startswith("A tree without a split earns nothing.")
    plt.close(ax.figure)
    with pytest.raises(ValueError, match="max_columns=0 must"):
        md.plot_importance(leaf, X, y, max_columns=0)
    with pytest.raises(ValueError, match="theme='pink'"):
        md.plot_importance(leaf, X, y, theme="pink")


def test_a_column_that_tells_of_holes_counts_for_its_source(table):
    X, y = table
    model = md.MDTreeClassifier(missing="indicator", max_depth=6).fit(X, y)
    tree = model.tree_
    told = (tree.feature >= tree.schema.n_own) & ~tree.is_leaf
    assert told.any()
    earned = tree.weight * tree.gain
    got = md.importance_table(model, X, y)
    assert got["by_missing"].sum() == pytest.approx(earned[told].sum() / earned.sum())
    assert set(got.index) == set(X.columns)


def test_trees_without_a_split_do_not_count():
    rng = np.random.RandomState(36)
    X = rng.randn(12, 2)
    X[rng.rand(12, 2) < 0.4] = np.nan
    y = rng.randint(0, 2, 12)
    model = md.MDTreeClassifier(missing="em", random_state=0, min_samples_leaf=4).fit(X, y)
    assert 0 < sum(tree.n_nodes == 1 for tree in model.trees_) < len(model.trees_)
    assert model.feature_importances_.sum() == pytest.approx(1)
    table = md.importance_table(model, X, y)
    names = [f"x{j}" for j in range(2)]
    np.testing.assert_allclose(table.loc[names, "importance"], model.feature_importances_)
