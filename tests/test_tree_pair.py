"""TreePair: partners are the nodes that share most rows, counted row by row."""

import numpy as np
import pytest

import mdtree_nb as md


def horses(*ways, **options):
    data = md.load("horse_colic")
    y = data.y.where(data.y == "lived", "lost")
    return [md.MDTreeClassifier(missing=way, **options).fit(data.X, y) for way in ways], data.X, y


def overlap(a, b):
    """Rows in both, of the rows in either; parts of rows count as such."""
    return np.minimum(a, b).sum() / np.maximum(a, b).sum()


def test_partners_by_hand():
    models, X, _ = horses("learned", "fractional", max_depth=3)
    pair = md.TreePair(*models, X)
    paths = [model.decision_path(X).toarray() for model in models]
    for side in (0, 1):
        for v in range(models[side].tree_.n_nodes):
            want = [overlap(paths[side][:, v], column) for column in paths[1 - side].T]
            got = pair.shared(side, v)
            assert np.allclose(got, want)
            setattr(pair, ("selected", "partner")[side], v)
            other = (pair.partner, pair.selected)[side]
            assert got[other] == pytest.approx(max(want))
    assert pair.apart.sum() == (models[0].predict(X) != models[1].predict(X)).sum()
    assert f"{pair.apart.sum()} of 366 rows" in pair.describe()


def test_a_tree_beside_itself():
    (model,), X, _ = horses("learned", max_depth=4)
    pair = md.TreePair(model, model, X)
    for v in range(model.tree_.n_nodes):
        pair.selected = v
        assert pair.about["part"] == 1
    assert pair.apart.sum() == 0
    assert pair.about["names"] == ["first", "second"]


def test_large_trees_single_nodes_and_numbers():
    models, X, y = horses("fractional", "learned")
    pair = md.TreePair(*models, X, partner=50)
    assert pair.partner == 50
    assert all(len(scene["nodes"]) <= 45 for scene in pair.scenes)
    assert 50 in [line[0] for line in pair.scenes[1]["nodes"]]
    pair.max_depth = 1
    leaf = md.MDTreeClassifier(min_samples_split=1000).fit(X, y)
    assert len(md.TreePair(leaf, models[1], X)._png()) > 1000
    data = md.load("auto_mpg")
    fits = [md.MDTreeRegressor(max_depth=d).fit(data.X, data.y) for d in (1, 2)]
    assert "398 of 398 rows" in md.TreePair(*fits, data.X).describe()


def test_bad_values_say_what_is_good():
    models, X, _ = horses("learned", "left", max_depth=2)
    pair = md.TreePair(*models, X)
    for trait, value, words in [
        ("selected", 7, "selected=7 must be the number of a node, from 0 to 6"),
        ("partner", -1, "partner=-1 must be"),
        ("max_depth", -1, "max_depth=-1"),
    ]:
        with pytest.raises(ValueError, match=words):
            setattr(pair, trait, value)
    data = md.load("auto_mpg")
    other = md.MDTreeRegressor(max_depth=1).fit(data.X, data.y)
    with pytest.raises(ValueError, match="answer different questions"):
        md.TreePair(models[0], other, X)
    with pytest.raises(TypeError, match="bare trees route no rows"):
        md.TreePair(models[0].tree_, models[1], X)
    with pytest.raises(ValueError, match="must be two"):
        md.TreePair(*models, X, names=("a",))
