"""Cost-complexity pruning against scikit-learn and brute force."""

import itertools

import numpy as np
import pytest
from data import make_xy
from sklearn.datasets import make_classification
from sklearn.tree import DecisionTreeClassifier

from mdtree_nb import MDTreeClassifier, load
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


@pytest.mark.parametrize("missing", ["learned", "fractional", "own_child"])
@pytest.mark.parametrize("seed", range(4))
def test_pruned_tree_minimises_risk_plus_price(missing, seed):
    """Of all subtrees with the same root, by brute force."""
    X, y = make_xy(seed, n=60)
    tree = MDTreeClassifier(missing=missing, max_depth=3, min_samples_leaf=3).fit(X, y).tree_
    inner = np.flatnonzero(~tree.is_leaf)

    def cost(t, alpha):
        leaves = t.is_leaf
        risk = (t.weight * t.impurity)[leaves].sum() / t.weight[0]
        return risk + alpha * leaves.sum()

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
