"""Rows through a tree: every road gives the same answer."""

import numpy as np
import pytest
from data import MECHANISMS, make_frame, make_xy

from mdtree_nb import MDTreeClassifier
from mdtree_nb.strategies import Fractional, Stop, Strategy, all_strategies
from mdtree_nb.tree.kernels.codes import EQUALS, IS_MISSING
from mdtree_nb.tree.routing import Router


def asking(cls):
    """The strategy, but asked row by row."""

    def route(self, tree, node, table, rows):
        return Strategy.route(self, tree, node, table, rows).copy()

    return type("Asking" + cls.__name__, (cls,), {"route": route, "name": ""})


@pytest.mark.parametrize("name", sorted(all_strategies()))
@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_asking_row_by_row_gives_the_same_shares(name, mechanism):
    X, y = make_xy(0, mechanism=mechanism)
    model = MDTreeClassifier(missing="learned", min_samples_leaf=2, record_surrogates=True)
    tree = model.fit(X, y).tree_
    cls = all_strategies()[name]
    table = MDTreeClassifier().fit(X, y)._read(X)
    quick = Router(tree, cls()).push(table)
    asked = Router(tree, asking(cls)()).push(table)
    np.testing.assert_allclose(quick.ends.toarray(), asked.ends.toarray())
    np.testing.assert_allclose(quick.through.toarray(), asked.through.toarray())
    np.testing.assert_allclose(quick.mix(tree.value), asked.mix(tree.value))
    np.testing.assert_array_equal(quick.main_end(), asked.main_end())


def test_growing_by_asking_gives_the_same_tree():
    X, y = make_xy(1, n=150)
    for name in ("fractional", "majority"):
        cls = all_strategies()[name]
        asked = type("Asked", (asking(cls),), {"by_rule": True})
        one = MDTreeClassifier(missing=cls()).fit(X, y).tree_
        other = MDTreeClassifier(missing=asked()).fit(X, y).tree_
        for field in ("feature", "threshold", "value", "weight", "arrived_missing"):
            np.testing.assert_allclose(getattr(one, field), getattr(other, field))


def test_rows_may_stop_at_a_node():
    X, y = make_xy(2, n=200)
    model = MDTreeClassifier(missing=Stop(), min_samples_leaf=3).fit(X, y)
    tree = model.tree_
    frame = tree.frame()
    inner = frame[frame["feature"].notna()]
    np.testing.assert_allclose(inner["missing_stops"], inner["missing_weight"])
    for v in np.flatnonzero(~tree.is_leaf):
        kids = tree.weight[tree.children(v)].sum()
        assert kids + tree.missing_weight[v] == pytest.approx(tree.weight[v])
    everything_missing = np.full((1, 4), np.nan)
    assert model.apply(everything_missing) == [0]
    np.testing.assert_allclose(model.predict_proba(everything_missing)[0], tree.value[0])
    assert model.explain_row(everything_missing[0])["rule"].iloc[0].endswith("stops here")
    np.testing.assert_allclose(np.asarray(model.decision_path(X).sum(0)).ravel(), tree.weight)


def test_an_is_missing_test_is_known_to_every_strategy():
    X = np.array([[1.0], [2.0], [3.0], [np.nan], [np.nan]])
    model = MDTreeClassifier(missing="learned", record_surrogates=True)
    model.fit(X, [0, 0, 0, 1, 1])
    assert model.tree_.kind[0] == IS_MISSING
    for name in sorted(all_strategies()):
        if all_strategies()[name]().fills:
            continue  # fills in the value before the tree sees it
        other = model.with_prediction(name, X, [0, 0, 0, 1, 1])
        np.testing.assert_array_equal(other.predict(X), [0, 0, 0, 1, 1])
        assert other.explain_row([np.nan])["rule"].iloc[0] == "known"


def test_unseen_levels_are_known_values():
    frame, y = make_frame(0, 200)
    frame["colour"] = frame["colour"].fillna("red")
    model = MDTreeClassifier(missing="fractional", max_depth=4, categorical="equality")
    tree = model.fit(frame, y).tree_
    assert (tree.kind[~tree.is_leaf] == EQUALS).any()
    new = frame.iloc[[0]].assign(colour="ultraviolet")
    path = model.decision_path(new)
    for v in path.indices:
        if not tree.is_leaf[v] and tree.kind[v] == EQUALS:
            assert path[0, int(tree.first_child[v])] == 0, "not equal, hence branch 1"


@pytest.mark.parametrize("categorical", ["subset", "multiway"])
def test_levels_that_a_node_has_not_seen(categorical):
    """They follow the larger child; where a strategy mixes, every child by its share."""
    frame, y = make_frame(0, 300)
    frame["colour"] = frame["colour"].fillna("red")
    for strategy in sorted(all_strategies()):
        if strategy == "discard":
            continue
        model = MDTreeClassifier(missing=strategy, max_depth=4, categorical=categorical)
        tree = model.fit(frame, y).tree_
        if len(model.trees_) > 1:
            continue  # each has nodes of its own; what they do with levels is the same
        colour = list(frame.columns).index("colour")
        seen, new = 0, frame.iloc[[0]].assign(colour="ultraviolet")
        for v, line in model.explain_row(new).iterrows():
            if line["feature"] == "colour" and tree.kind[v] >= 3:
                assert line["rule"].startswith("level not seen here: ")
                assert line["value"] == "unseen level"
                assert all(f"to node {c}" in line["rule"] for c in line["goes_to"])
        for row in range(0, 300, 10):
            path = model.decision_path(frame.iloc[[row]].assign(colour="ultraviolet"))
            assert path[0, 0] == 1
            for v in path.indices:
                if tree.is_leaf[v] or tree.feature[v] != colour or tree.kind[v] < 3:
                    continue
                seen += 1
                shares = np.array([path[0, c] for c in tree.children(v)]) / path[0, v]
                if strategy == "both_children":
                    assert (shares == 1).all()
                elif issubclass(all_strategies()[strategy], Fractional):
                    np.testing.assert_allclose(shares, tree.share[tree.children(v)])
                else:
                    assert shares.argmax() == tree.majority_branch[v]
                    assert shares.max() == 1
        assert seen


@pytest.mark.parametrize("n", [0, 1, 7, 8, 9, 1000])
def test_groups_of_rows_of_any_size(n):
    X, y = make_xy(3, n=300)
    model = MDTreeClassifier().fit(X, y)
    router = model._predictor.routers[0]
    values = X[:n] if n <= 300 else np.tile(X, (4, 1))[:n]
    table = model._read(X).replace(values)
    ends = router.push(table).main_end()
    assert len(ends) == n
    for i in range(0, n, 5):
        v = 0
        while not model.tree_.is_leaf[v]:
            x = values[i, model.tree_.feature[v]]
            shares = model.missing_shares_[model.tree_.children(v)]
            if model.tree_.kind[v] == IS_MISSING:
                c = int(np.isnan(x))
            elif np.isnan(x):
                c = int(shares.argmax())
            else:
                c = int(x > model.tree_.threshold[v])
            v = model.tree_.children(v)[c]
        assert ends[i] == v


def test_room_for_visits_runs_out(monkeypatch):
    X, y = make_xy(4, n=300, rate=0.5)
    model = MDTreeClassifier(missing="fractional").fit(X, y)
    wanted = model.predict_proba(X)
    router = model._predictor.routers[0]
    monkeypatch.setattr("mdtree_nb.tree.routing.VISITS_PER_ROW", 0)
    np.testing.assert_array_equal(router.push(model._read(X)).mix(router.tree.value), wanted)


def test_missing_shares_out_of_bounds_are_refused():
    class Wrong(Strategy):
        def missing_shares(self, tree):
            return np.full(tree.n_nodes, 2.0)

    X, y = make_xy(0)
    model = MDTreeClassifier().fit(X, y)
    with pytest.raises(ValueError, match="Wrong.missing_shares must return shares"):
        model.with_prediction(Wrong(), X, y).predict(X)
