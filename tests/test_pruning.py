"""Cost-complexity pruning against scikit-learn and brute force; cutting by hand."""

import itertools

import numpy as np
import pytest
from data import make_xy
from sklearn.datasets import make_classification
from sklearn.exceptions import NotFittedError
from sklearn.tree import DecisionTreeClassifier

from mdtree_nb import (
    MDTreeClassifier,
    MDTreeRegressor,
    StrategyNotApplicable,
    export_json,
    import_json,
    load,
)
from mdtree_nb.strategies import Stop
from mdtree_nb.tree import reshape
from mdtree_nb.tree.pruning import cost_complexity_path, prune_cost_complexity


def test_path_is_scikit_learns_on_complete_data():
    X, y = make_classification(400, 6, flip_y=0.2, random_state=1)
    X = X.astype(np.float32).astype(float)
    options = {"max_depth": 6, "min_samples_leaf": 4}
    ours = MDTreeClassifier(**options).cost_complexity_pruning_path(X, y)
    theirs = DecisionTreeClassifier(random_state=0, **options).cost_complexity_pruning_path(X, y)
    np.testing.assert_allclose(
        np.unique(ours.ccp_alphas.round(12)), np.unique(theirs.ccp_alphas.round(12)), atol=1e-12
    )
    for alpha in theirs.ccp_alphas:
        pruned = MDTreeClassifier(ccp_alpha=alpha * (1 + 1e-9), **options).fit(X, y)
        other = DecisionTreeClassifier(ccp_alpha=alpha * (1 + 1e-9), random_state=0, **options).fit(
            X, y
        )
        assert pruned.get_n_leaves() == other.get_n_leaves()


@pytest.mark.parametrize("missing", ["learned", "fractional", "own_child", Stop()], ids=str)
@pytest.mark.parametrize("seed", range(4))
def test_pruned_tree_minimises_risk_plus_price(missing, seed):
    """Of all subtrees with the same root, by brute force."""
    X, y = make_xy(seed, n=60)
    tree = MDTreeClassifier(missing=missing, max_depth=3, min_samples_leaf=3).fit(X, y).tree_
    inner = np.flatnonzero(~tree.is_leaf)

    def cost(t, alpha):
        ends = t.weight.copy()  # of the rows that end in each node
        np.subtract.at(ends, t.parent[1:], t.weight[1:])
        return (ends * t.impurity).sum() / t.weight[0] + alpha * t.is_leaf.sum()

    subtrees = {}
    for cut in itertools.product([False, True], repeat=len(inner)):
        smaller = reshape.cut(tree, inner[list(cut)])
        subtrees[tuple(smaller.feature), tuple(smaller.threshold)] = smaller
    for alpha in (0.001, 0.01, 0.03, 0.1):
        best = min(cost(t, alpha) for t in subtrees.values())
        pruned = prune_cost_complexity(tree, alpha)
        assert cost(pruned, alpha) == pytest.approx(best)
        fewest = min(t.n_leaves for t in subtrees.values() if cost(t, alpha) < best + 1e-12)
        assert pruned.n_leaves == fewest


def test_risk_of_rows_that_stop_inside():
    """By hand: 4 of 10 rows miss the column and end at the root, whose Gini index is 1/2."""
    X = np.array([[0.0], [0], [0], [1], [1], [1], [np.nan], [np.nan], [np.nan], [np.nan]])
    y = [0, 0, 0, 1, 1, 1, 0, 0, 1, 1]
    path = MDTreeClassifier(missing=Stop()).cost_complexity_pruning_path(X, y)
    np.testing.assert_allclose(path.impurities, [0.2, 0.5])
    np.testing.assert_allclose(path.ccp_alphas, [0, 0.3])
    for alpha, leaves in ((0.29, 2), (0.31, 1)):
        assert MDTreeClassifier(missing=Stop(), ccp_alpha=alpha).fit(X, y).get_n_leaves() == leaves


def test_a_split_whose_stopping_rows_were_the_pure_ones():
    """The known rows are more mixed than the node: a leaf is better at any price."""
    X = np.array([[0.0], [0], [1], [1], [1], *[[np.nan]] * 9])
    y = [0, 1, 0, 1, 1, *[1] * 9]
    path = MDTreeClassifier(missing=Stop()).cost_complexity_pruning_path(X, y)
    tree = MDTreeClassifier(missing=Stop()).fit(X, y).tree_
    assert tree.n_leaves == 2
    assert path.impurities[0] > path.impurities[-1] == pytest.approx(tree.impurity[0])
    np.testing.assert_array_equal(path.ccp_alphas, [0, 0])
    assert MDTreeClassifier(missing=Stop(), ccp_alpha=1e-9).fit(X, y).get_n_leaves() == 1


def test_path_of_a_single_node():
    tree = MDTreeClassifier().fit([[1.0], [1.0]], [0, 1]).tree_
    path = cost_complexity_path(tree)
    np.testing.assert_array_equal(path.alphas, [0])
    np.testing.assert_array_equal(path.impurities, [0.5])
    assert prune_cost_complexity(tree, 1.0) == tree


def test_pruned_trees_predict_and_keep_their_numbers():
    X, y = make_xy(5, n=300)
    for missing in ("learned", "fractional"):
        full = MDTreeClassifier(missing=missing).fit(X, y)
        small = MDTreeClassifier(missing=missing, ccp_alpha=0.01).fit(X, y)
        assert 1 < small.get_n_leaves() < full.get_n_leaves()
        np.testing.assert_allclose(small.predict_proba(X).sum(axis=1), 1)
        np.testing.assert_array_equal(small.tree_.value[0], full.tree_.value[0])
        assert small.tree_ == reshape.renumbered(small.tree_)


@pytest.mark.parametrize("leaves", [2, 3, 7, 20])
def test_most_leaves_are_scikit_learns(leaves):
    for seed in range(3):
        X, y = make_classification(300, 6, n_informative=4, random_state=seed)
        X = X.astype(np.float32).astype(float)
        options = {"max_leaf_nodes": leaves, "random_state": 0}
        ours = MDTreeClassifier(**options).fit(X, y)
        theirs = DecisionTreeClassifier(**options).fit(X, y)
        assert ours.get_n_leaves() == theirs.get_n_leaves() == leaves
        tree, other = ours.tree_, theirs.tree_  # columns may tie, what is earned may not
        risk = (tree.weight * tree.impurity)[tree.is_leaf].sum()
        is_leaf = other.children_left < 0
        wanted = (other.weighted_n_node_samples * other.impurity)[is_leaf].sum()
        assert risk == pytest.approx(wanted)


def test_most_leaves_of_trees_with_many_branches():
    """At most so many; a large split that would lead beyond makes way for a smaller one."""
    data = load("horse_colic")
    for leaves in (2, 3, 5, 9, 14):
        model = MDTreeClassifier(max_leaf_nodes=leaves, categorical="multiway", max_depth=4)
        tree = model.fit(data.X, data.y).tree_
        whole = MDTreeClassifier(categorical="multiway", max_depth=4).fit(data.X, data.y).tree_
        assert tree.n_leaves <= leaves
        kept = set(np.round(tree.gain[~tree.is_leaf] * tree.weight[~tree.is_leaf], 9))
        assert kept <= set(np.round(whole.gain * whole.weight, 9))
    with pytest.raises(ValueError, match="max_leaf_nodes=1 must be at least 2"):
        MDTreeClassifier(max_leaf_nodes=1).fit(data.X, data.y)
    with pytest.raises(TypeError, match="max_leaf_nodes=2.5 must be a whole number"):
        MDTreeClassifier(max_leaf_nodes=2.5).fit(data.X, data.y)


@pytest.mark.parametrize("missing", ["learned", "fractional", "mean"])
def test_snipping_by_hand(missing):
    X, y = make_xy(3, n=200)
    model = MDTreeClassifier(missing=missing, max_depth=4).fit(X, y)
    before = model.tree_
    snipped = model.snip([1, 2])
    assert snipped.tree_ == reshape.cut(before, np.array([1, 2]))
    assert model.tree_ == before
    np.testing.assert_allclose(snipped.predict_proba(X).sum(axis=1), 1)
    stump = MDTreeClassifier(missing=missing, max_depth=1).fit(X, y)
    np.testing.assert_allclose(snipped.predict_proba(X), stump.predict_proba(X))
    np.testing.assert_allclose(model.snip(0).predict_proba(X), np.tile(before.value[0], (200, 1)))
    np.testing.assert_array_equal(model.snip([]).predict_proba(X), model.predict_proba(X))
    leaf = int(np.flatnonzero(before.is_leaf)[0])
    assert model.snip(np.array([leaf])).tree_ == before
    again = import_json(export_json(snipped))
    np.testing.assert_array_equal(again.predict(X), snipped.predict(X))


def test_snipping_what_is_not_there():
    X, y = make_xy(3, task="regression")
    model = MDTreeRegressor(max_depth=1).fit(X, y)
    with pytest.raises(
        ValueError, match=r"nodes=\[1, 3, -1\]: the tree has no node 3, -1; its nod"
    ):
        model.snip([1, 3, -1])
    for nodes in ("root", 1.0, [True, False, True], [[1]], None):
        with pytest.raises(TypeError, match="must be a number of a node or a list of such"):
            model.snip(nodes)
    with pytest.raises(NotFittedError):
        MDTreeRegressor().snip(0)


def test_copied_rows_have_no_price_per_leaf():
    """Under both_children the impurities of leaves add up to that of more rows than there are."""
    X, y = make_xy(3, n=60)
    model = MDTreeClassifier(missing="both_children", max_depth=4)
    with pytest.raises(StrategyNotApplicable, match="ccp_alpha=0.01 adds up the errors"):
        model.set_params(ccp_alpha=0.01).fit(X, y)
    with pytest.raises(StrategyNotApplicable, match="a cost-complexity path adds up the errors"):
        model.set_params(ccp_alpha=0.0).cost_complexity_pruning_path(X, y)
    path = MDTreeClassifier(missing="trinary", max_depth=3).cost_complexity_pruning_path(X, y)
    assert (np.diff(path.ccp_alphas) >= 0).all()
    assert (np.diff(path.impurities) >= -1e-12).all()
