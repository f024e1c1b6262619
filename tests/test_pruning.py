"""Cost-complexity pruning against scikit-learn and brute force."""

import itertools

import numpy as np
import pytest
from data import make_xy
from sklearn.datasets import make_classification
from sklearn.tree import DecisionTreeClassifier

from mdtree_nb import MDTreeClassifier
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
