"""The fitted tree as a data structure."""

import pickle

import numpy as np
import pytest
from data import make_frame, make_xy

from mdtree_nb import MDTreeClassifier
from mdtree_nb.tree import reshape


def tree_of(missing="learned", seed=0, **options):
    X, y = make_xy(seed, n=200, classes=3)
    return MDTreeClassifier(missing=missing, **options).fit(X, y).tree_


@pytest.mark.parametrize("missing", ["learned", "fractional", "own_child"])
def test_siblings_are_neighbours_and_levels_are_runs(missing):
    tree = tree_of(missing)
    for v in np.flatnonzero(~tree.is_leaf):
        for b, child in enumerate(tree.children(v)):
            assert tree.parent[child] == v
            assert tree.branch[child] == b
            assert tree.depth[child] == tree.depth[v] + 1
            assert child > v
    assert (np.diff(tree.depth) >= 0).all()
    assert tree.max_depth == tree.depth.max()
    assert tree.n_leaves == sum(not len(tree.children(v)) for v in range(tree.n_nodes))


def test_a_tree_cannot_be_changed():
    tree = tree_of()
    for same in (tree, pickle.loads(pickle.dumps(tree))):
        with pytest.raises(ValueError, match="read-only"):
            same.threshold[0] = 1.0
    with pytest.raises(AttributeError):
        tree.feature = None
    with pytest.raises(TypeError):
        hash(tree)


def test_equality():
    tree = tree_of()
    assert tree == tree_of()
    assert tree == pickle.loads(pickle.dumps(tree))
    assert tree != tree_of(seed=1)
    assert tree != tree_of(max_depth=2)
    assert tree != "tree"
    assert repr(tree_of(max_depth=1)) == "Tree(3 nodes, 2 leaves, depth 1)"


def test_frame_holds_every_node():
    frame, y = make_frame(0, 150)
    model = MDTreeClassifier(missing="fractional", max_depth=4).fit(frame, y)
    nodes = model.tree_.frame()
    assert len(nodes) == model.tree_.n_nodes
    assert nodes.loc[0, "condition"] == ""
    inner = nodes[nodes["feature"].notna()]
    assert set(inner["feature"]) <= set(frame.columns)
    for v, node in inner.iterrows():
        assert sum(node["missing_to"].values()) == pytest.approx(node["missing_weight"])
        assert nodes.loc[list(node["children"]), "parent"].eq(v).all()
        assert node["weight"] == pytest.approx(nodes.loc[list(node["children"]), "weight"].sum())
        for child in node["children"]:
            assert nodes.loc[child, "condition"].startswith(node["feature"])


def test_conditions_in_words():
    X = np.array([[1.0], [2.0], [np.nan], [np.nan]])
    own = MDTreeClassifier(missing="own_child").fit(X, [0, 1, 2, 2]).tree_
    words = [own.condition(v) for v in range(4)]
    assert words == ["", "x0 <= 1.5", "x0 > 1.5", "x0 is missing"]
    alone = MDTreeClassifier(max_depth=1).fit(X, [0, 0, 1, 1]).tree_
    assert [alone.condition(v) for v in (1, 2)] == ["x0 is known", "x0 is missing"]
    side = MDTreeClassifier(max_depth=1).fit(X, [0, 1, 1, 1]).tree_
    assert side.condition(2) == "x0 > 1.5 or missing"
    frame, _ = make_frame(0)
    is_red = frame["colour"] == "red"
    red = MDTreeClassifier(max_depth=1, categorical="equality").fit(frame[["colour"]], is_red).tree_
    assert {red.condition(1), red.condition(2)} == {
        "colour = red",
        "colour != red or missing",
    }


def test_cutting_a_tree():
    tree = tree_of(max_depth=4)
    stump = reshape.cut(tree, np.array([1, 2]))
    assert stump.n_nodes == 3
    np.testing.assert_array_equal(stump.value, tree.value[:3])
    assert reshape.cut(tree, np.array([], dtype=int)) == tree
    assert reshape.cut(tree, np.array([0])).n_nodes == 1


def test_importances_of_a_single_node_are_zero():
    tree = MDTreeClassifier().fit([[1.0], [1.0]], [0, 1]).tree_
    np.testing.assert_array_equal(tree.importances(), [0.0])
