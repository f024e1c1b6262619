"""Pessimistic pruning against printed numbers of C4.5 and a recursive twin."""

import json
from pathlib import Path

import naive_pruning
import numpy as np
import pytest
from data import make_frame, make_xy
from sklearn.model_selection import GridSearchCV

from mdtree_nb import MDTreeClassifier, MDTreeRegressor, StrategyNotApplicable
from mdtree_nb import table as tables
from mdtree_nb.prunings import Pessimistic, all_prunings
from mdtree_nb.prunings.pessimistic import added_errors, expected_errors
from mdtree_nb.strategies import Stop, Strategy, Surrogate
from mdtree_nb.tree.criteria import Entropy, Gini
from mdtree_nb.tree.refill import COUNTED, Refill
from mdtree_nb.tree.reshape import renumbered
from mdtree_nb.tree.validation import check_tree

GOLDEN = json.loads((Path(__file__).parent / "golden" / "golden.json").read_text())
STRATEGIES = ("fractional", "learned", "own_child", "majority", "right")


class Everywhere(Strategy):
    """Missing rows go whole to every child."""

    name = "everywhere"
    mode = "known"
    plain = True
    by_rule = True
    divides = True
    conserves = False

    def missing_shares(self, tree):
        return np.ones(tree.n_nodes)


def noisy(seed, n=60, kind="numbers", classes=2):
    """A table, labels of which a fifth are wrong, and weights."""
    rng = np.random.default_rng(seed)
    X, y = make_frame(seed, n) if kind == "categories" else make_xy(seed, n, classes=classes)
    y = np.unique(y, return_inverse=True)[1]
    wrong = rng.random(n) < 0.2
    y[wrong] = rng.integers(0, classes, wrong.sum())
    return X, y, rng.choice([0.5, 1.0, 1.7, 3.0], n)


# -- added errors -----------------------------------------------------------------


def test_added_errors_are_those_of_c45():
    cases = GOLDEN["c45_pruning_added_errors_CF25"]["cases"]
    n, e, added = (np.array([case[k] for case in cases], float) for k in ("N", "e", "added"))
    np.testing.assert_allclose(added_errors(n, e), added, rtol=1e-12)


@pytest.mark.parametrize("confidence", [0.0005, 0.01, 0.1, 0.25, 0.3, 0.9, 1.0])
def test_added_errors_are_those_of_the_twin(confidence):
    rng = np.random.default_rng(0)
    n = rng.uniform(0.01, 30, 400)
    e = np.round(n * rng.random(400) * 4) / 4
    n, e = np.append(n, [1, 4, 4]), np.append(np.minimum(e, n), [0.5, 3.5, 4])
    wanted = [naive_pruning.added_errors(a, b, confidence) for a, b in zip(n, e, strict=True)]
    np.testing.assert_allclose(added_errors(n, e, confidence), wanted, atol=1e-9)


def test_less_confidence_adds_more_errors():
    added = [added_errors(20.0, 4.0, c) for c in (0.01, 0.05, 0.25, 0.5)]
    assert added == sorted(added, reverse=True)
    assert added_errors(0.0, 0.0) == 0
    assert added_errors(1e-9, 0.0) == pytest.approx(1e-9)


# -- rows sent down again ---------------------------------------------------------


@pytest.mark.parametrize(
    "missing", [*STRATEGIES, "left", "surrogate", Surrogate(use_surrogates=1)], ids=str
)
@pytest.mark.parametrize("kind", ["numbers", "categories"])
@pytest.mark.parametrize("criterion", [Gini(), Entropy()])
def test_training_rows_sent_down_again_are_counted_as_in_growing(missing, kind, criterion):
    X, y, w = noisy(3, 120, kind)
    categorical = "subset" if "urrogate" in str(missing) else "multiway"
    model = MDTreeClassifier(missing=missing, criterion=criterion, categorical=categorical)
    tree = model.fit(X, y, w).tree_
    refill = Refill(tree, tables.learn(X), w, model._strategies()[0])
    again = refill.recounted(y, criterion.measure(2))
    known_rows_alone = missing in ("fractional", "majority", "surrogate") or isinstance(
        missing, Surrogate
    )
    for name in COUNTED:
        if name != "gain" or known_rows_alone:
            np.testing.assert_allclose(
                getattr(again, name), getattr(tree, name), atol=1e-9, err_msg=name
            )
    rows, weight = refill.at(0)
    np.testing.assert_array_equal(np.sort(rows), np.arange(len(y)))
    np.testing.assert_array_equal(weight, w[rows])


# -- decisions --------------------------------------------------------------------


@pytest.mark.parametrize("missing", [*STRATEGIES, Stop()], ids=str)
@pytest.mark.parametrize("kind", ["numbers", "categories"])
@pytest.mark.parametrize("raising", [True, False])
def test_pruned_trees_are_those_of_the_twin(missing, kind, raising):
    smaller = raised = 0
    for seed in range(13 if raising else 4):
        classes = 3 if kind == "numbers" and seed % 2 else 2
        X, y, w = noisy(seed, 60, kind, classes)
        w = w if seed % 4 else np.ones(len(y))
        confidence = (0.25, 0.5, 0.1)[seed % 3]
        options = {"missing": missing, "categorical": ("multiway", "subset")[seed % 2]}
        tree = MDTreeClassifier(**options).fit(X, y, w).tree_
        pruning = Pessimistic(confidence, raising)
        pruned = MDTreeClassifier(pruning=pruning, **options).fit(X, y, w).tree_
        name = "stop" if isinstance(missing, Strategy) else missing
        twin = naive_pruning.Twin(tree, tables.learn(X).values, y, w, name, confidence)
        wanted = twin.collapse(twin.root, twin.everything)
        wanted = twin.prune(wanted, twin.everything, raising)
        twin.check(pruned, wanted, twin.everything)
        assert expected_errors(pruned, confidence)[0] == pytest.approx(
            twin.expected(wanted, twin.everything)
        )
        check_tree(pruned, shares=True)
        assert pruned == renumbered(pruned)
        smaller += pruned.n_leaves < tree.n_leaves
        raised += twin.raised
    assert smaller >= 3
    assert raised > 0 or not raising


def test_deep_trees_of_divided_rows_are_those_of_the_twin():
    raised = 0
    for seed in range(5):
        X, y, w = noisy(seed, 120, classes=3)
        tree = MDTreeClassifier(missing="fractional").fit(X, y, w).tree_
        pruning = Pessimistic(0.75, collapse=False)
        pruned = MDTreeClassifier(missing="fractional", pruning=pruning).fit(X, y, w).tree_
        twin = naive_pruning.Twin(tree, X, y, w, "fractional", 0.75)
        twin.check(pruned, twin.prune(twin.root, twin.everything), twin.everything)
        raised += twin.raised
    assert raised > 2


@pytest.mark.parametrize("missing", STRATEGIES)
def test_laws_of_pruned_trees(missing):
    """Weights add up, rows sent down again find them, and pruning again changes nothing."""
    X, y, w = noisy(11, 200, classes=3)
    model = MDTreeClassifier(missing=missing, pruning="pessimistic").fit(X, y, w)
    tree = model.tree_
    assert 1 < tree.n_nodes < MDTreeClassifier(missing=missing).fit(X, y, w).tree_.n_nodes
    inner = np.flatnonzero(~tree.is_leaf)
    for v in inner:
        kids = tree.children(v)
        assert tree.weight[kids].sum() == pytest.approx(tree.weight[v])
        assert tree.share[kids].sum() == pytest.approx(1)
        assert tree.arrived_missing[kids].sum() == pytest.approx(tree.missing_weight[v])
        mixed = tree.weight[kids] @ tree.value[kids] / tree.weight[v]
        np.testing.assert_allclose(mixed, tree.value[v])
    np.testing.assert_allclose(model.decision_path(X).T @ w, tree.weight)
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1)
    assert (tree.gain[inner] >= 0).all()
    strategy, measure = model._strategies()[0], Gini().measure(3)
    again = Pessimistic().prune(tree, tables.learn(X), y, w, strategy, measure)
    assert again == tree


def test_a_pruned_tree_expects_hardly_more_errors():
    """A replacement costs at most 0.1 errors, and there are fewer of them than nodes."""
    for seed in range(4):
        X, y, _ = noisy(seed, 150)
        raw = MDTreeClassifier(missing="fractional").fit(X, y).tree_
        pruned = MDTreeClassifier(missing="fractional", pruning=Pessimistic()).fit(X, y).tree_
        limit = expected_errors(raw)[0] + 0.1 * (raw.n_nodes - raw.n_leaves)
        assert expected_errors(pruned)[0] <= limit


def test_collapse_keeps_the_training_errors():
    X, y, _ = noisy(1, 200)
    raw = MDTreeClassifier(missing="fractional").fit(X, y)
    collapsed = MDTreeClassifier(missing="fractional", pruning="collapse").fit(X, y)
    assert 1 < collapsed.get_n_leaves() < raw.get_n_leaves()

    def errors(tree):
        leaf = tree.is_leaf
        return (tree.weight * (1 - tree.value.max(axis=1)))[leaf].sum()

    inner = ~raw.tree_.is_leaf
    assert errors(collapsed.tree_) <= errors(raw.tree_) + 1e-3 * inner.sum()
    same = MDTreeClassifier(missing="fractional", pruning=Pessimistic(1e-9)).fit(X, y)
    assert same.get_n_leaves() <= collapsed.get_n_leaves()


def test_a_tree_that_holds_stays_as_it_is():
    X = np.arange(40.0)[:, None]
    y = np.arange(40) // 20
    tree = MDTreeClassifier().fit(X, y).tree_
    assert MDTreeClassifier(pruning="pessimistic").fit(X, y).tree_ == tree
    single = MDTreeClassifier(pruning="pessimistic").fit(X, np.zeros(40)).tree_
    assert single.n_nodes == 1


def test_smaller_confidence_prunes_more():
    X, y, _ = noisy(5, 300)
    leaves = [
        MDTreeClassifier(missing="fractional", pruning=Pessimistic(c, raising=False))
        .fit(X, y)
        .get_n_leaves()
        for c in (0.01, 0.1, 0.25, 0.6)
    ]
    assert leaves == sorted(leaves)
    assert leaves[0] < leaves[-1]


def test_several_trees_are_pruned_each_by_its_table():
    class Twice(Strategy):
        """Two completed tables."""

        name = "twice"
        mode = "known"
        plain = True

        def prepare(self, table, y, w, rng):
            from mdtree_nb.strategies import Prepared

            return Prepared(self.transform(table, {}))

        def transform(self, table, state):
            return [table.replace(np.nan_to_num(table.values, nan=v)) for v in (-1.0, 1.0)]

    X, y, _ = noisy(2, 150)
    model = MDTreeClassifier(missing=Twice(), pruning="pessimistic").fit(X, y)
    for tree, fill in zip(model.trees_, (-1.0, 1.0), strict=True):
        alone = MDTreeClassifier(pruning="pessimistic", missing="majority")
        wanted = alone.fit(np.nan_to_num(X, nan=fill), y).tree_
        assert wanted.n_nodes > 1
        for name, array in wanted.arrays().items():
            np.testing.assert_array_equal(getattr(tree, name), array)
    held_out = MDTreeClassifier(missing=Twice(), pruning="reduced_error", random_state=0)
    assert len(held_out.fit(X, y).trees_) == 2
    with pytest.raises(ValueError, match="the model has 2 trees"):
        model.snip(0)


def test_split_table_refuses_what_did_not_grow_there():
    """Below a raised branch there is no table; all other nodes have theirs."""
    refused = 0
    for seed in range(20):
        X, y, w = noisy(seed, 60)
        model = MDTreeClassifier(missing="fractional", pruning=Pessimistic(0.5)).fit(X, y, w)
        for v in np.flatnonzero(~model.tree_.is_leaf):
            try:
                best = model.split_table(X, y, int(v), w).iloc[0]
            except ValueError:
                with pytest.raises(ValueError, match="below a branch that pruning raised"):
                    model.split_table(X, y, int(v), w)
                refused += 1
                continue
            assert best["gain"] == pytest.approx(model.tree_.gain[v])
            assert best["feature"] == model.tree_.schema.names[model.tree_.feature[v]]
    assert refused > 0


# -- the parameter ----------------------------------------------------------------


def test_grid_search_over_the_confidence():
    X, y, _ = noisy(7, 150)
    model = MDTreeClassifier(missing="fractional", pruning=Pessimistic())
    search = GridSearchCV(model, {"pruning__confidence": [0.05, 0.5]}, cv=3).fit(X, y)
    assert search.best_params_["pruning__confidence"] in (0.05, 0.5)
    choice = GridSearchCV(model, {"pruning": [None, *sorted(all_prunings())]}, cv=3).fit(X, y)
    assert choice.best_params_.keys() == {"pruning"}


def test_copies_of_rows_are_refused():
    X, y, _ = noisy(1)
    for pruning in ("pessimistic", "collapse"):
        model = MDTreeClassifier(missing=Everywhere(), pruning=pruning)
        with pytest.raises(StrategyNotApplicable, match="under missing='everywhere' a row counts"):
            model.fit(X, y)
    MDTreeClassifier(missing=Everywhere(), pruning="reduced_error", random_state=0).fit(X, y)


def test_a_strategy_that_trains_otherwise_is_refused():
    class Otherwise(Strategy):
        """Right in training, left later."""

        name = "otherwise"
        mode = "known"
        plain = True
        by_rule = True

        def train_route(self, tree, node, table, rows):
            return np.tile([0.0, 1.0], (len(rows), 1))

        def missing_shares(self, tree):
            shares = np.zeros(tree.n_nodes)
            shares[tree.first_child[~tree.is_leaf]] = 1.0
            return shares

    X, y, _ = noisy(1)
    with pytest.raises(StrategyNotApplicable, match=r"use Pessimistic\(raising=False\)"):
        MDTreeClassifier(missing=Otherwise(), pruning="pessimistic").fit(X, y)
    MDTreeClassifier(missing=Otherwise(), pruning=Pessimistic(raising=False)).fit(X, y)


def test_classes_only():
    X, y = make_xy(0, task="regression")
    wanted = "pruning='pessimistic' is for classification, not for regression; use pruning='cost"
    with pytest.raises(ValueError, match=wanted):
        MDTreeRegressor(pruning="pessimistic").fit(X, y)
