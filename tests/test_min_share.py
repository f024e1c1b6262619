"""Parts of rows that are too small to be divided again."""

import numpy as np
import pytest
from data import MECHANISMS, make_xy
from test_growth import mixed_table
from test_incomplete_rows import branch_of
from test_routing import asking

from mdtree_nb import MDTreeClassifier, MDTreeRegressor
from mdtree_nb.prunings import Pessimistic
from mdtree_nb.strategies import Fractional
from mdtree_nb.tree.routing import Router


def ends(tree, x, least, v=0, share=1.0):
    """Leaves and shares of one row."""
    if tree.is_leaf[v]:
        return [(v, share)]
    branch = branch_of(tree, v, x)
    kids = list(tree.children(v))
    if branch is None and share < least:
        branch = max(range(len(kids)), key=lambda b: (tree.share[kids[b]], b))
    if branch is not None:
        return ends(tree, x, least, kids[branch], share)
    return [
        end
        for c in kids
        if tree.share[c] > 0
        for end in ends(tree, x, least, c, share * tree.share[c])
    ]


@pytest.mark.parametrize("categorical", ["subset", "multiway"])
@pytest.mark.parametrize("least", [0.0, 0.1, 0.4, 0.99])
def test_small_parts_go_whole_to_the_largest_child(least, categorical):
    for seed in range(3):
        frame, _, y = mixed_table(seed, 150, 3, levels=5)
        missing = Fractional(min_share=least)
        model = MDTreeClassifier(missing=missing, categorical=categorical).fit(frame, y)
        tree, table = model.tree_, model._read(frame)
        reach = Router(tree, missing).push(table)
        asked = Router(tree, asking(Fractional)(least)).push(table)
        for i, x in enumerate(table.values):
            wanted = np.zeros(tree.n_nodes)
            for v, share in ends(tree, x, least):
                wanted[v] += share
            np.testing.assert_allclose(reach.ends[[i]].toarray()[0], wanted, atol=1e-12)
            np.testing.assert_allclose(asked.ends[[i]].toarray()[0], wanted, atol=1e-12)


@pytest.mark.parametrize("least", [0.05, 0.3])
@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_rows_are_divided_in_training_as_in_prediction(least, mechanism):
    for seed in range(3):
        X, y = make_xy(seed, 200, 4, mechanism, rate=0.3)
        w = np.random.default_rng(seed).integers(1, 4, len(y)).astype(float)
        model = MDTreeRegressor(missing=Fractional(min_share=least)).fit(X, y, w)
        came = Router(model.tree_, model.missing).push(model._read(X)).through.T @ w
        np.testing.assert_allclose(came, model.tree_.weight)


def test_no_part_is_divided_twice_if_none_may_be():
    X, y = make_xy(0, 300, 5, "mcar", rate=0.4)
    model = MDTreeClassifier(missing=Fractional(min_share=0.999)).fit(X, y)
    reach = Router(model.tree_, model.missing).push(model._read(X))
    assert np.diff(reach.ends.indptr).max() == 2
    free = MDTreeClassifier(missing="fractional").fit(X, y)
    assert np.diff(Router(free.tree_, Fractional()).push(free._read(X)).ends.indptr).max() > 8


def test_raised_branches_keep_the_rule():
    X, y = make_xy(3, 400, 4, "mcar", rate=0.3, classes=3)
    y = np.where(np.random.default_rng(0).random(len(y)) < 0.2, 0, y)
    missing = Fractional(min_share=0.2)
    model = MDTreeClassifier(missing=missing, pruning=Pessimistic()).fit(X, y)
    assert 1 < model.tree_.n_nodes < MDTreeClassifier(missing=missing).fit(X, y).tree_.n_nodes
    came = Router(model.tree_, missing).push(model._read(X)).through.sum(axis=0)
    np.testing.assert_allclose(np.ravel(came), model.tree_.weight)


@pytest.mark.parametrize("wrong", [-0.1, 1, 1.5, "small", None, float("nan"), True])
def test_other_values_are_refused(wrong):
    X, y = make_xy(0)
    with pytest.raises(ValueError, match=r"min_share=.* must be a number in \[0, 1\)"):
        MDTreeClassifier(missing=Fractional(min_share=wrong)).fit(X, y)
