"""Whole trees: against a slow twin, against scikit-learn, and at their limits."""

import copy
import itertools
import pickle

import naive
import numpy as np
import pandas as pd
import pytest
from data import MECHANISMS, make_xy
from sklearn.datasets import make_classification, make_regression
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from mdtree_nb import MDTreeClassifier, MDTreeRegressor, export_text
from mdtree_nb.strategies import Strategy, all_strategies
from mdtree_nb.tree import threads
from mdtree_nb.tree.criteria import AbsoluteError

GROWING = [
    "left", "right", "learned", "majority", "fractional", "own_child", "stop", "both_children",
    "best", "guide", "trinary",
]  # fmt: skip


def ranks(cls):
    """Does a strategy choose the column before its cuts? Then its trees are no one else's."""
    return cls.rank is not Strategy.rank


def twin_of(X, y, w=None, **options):
    return naive.grow(X, y, w, **options)


@pytest.mark.parametrize("strategy", GROWING)
@pytest.mark.parametrize("mechanism", MECHANISMS)
@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize("classes", [2, 3])
def test_classification_tree_equals_the_twin(strategy, mechanism, ties, criterion, classes):
    for seed in range(3):
        X, y = make_xy(seed, 40, 3, mechanism, ties=ties, classes=classes)
        model = MDTreeClassifier(missing=strategy, criterion=criterion, max_depth=6).fit(X, y)
        twin = twin_of(X, y, criterion=criterion, strategy=strategy, max_depth=6)
        assert naive.same_tree(naive.as_nested(model.tree_), twin) is None
        wanted = naive.predict(twin, X, strategy, classes)
        np.testing.assert_allclose(model.predict_proba(X), wanted, atol=1e-12)


@pytest.mark.parametrize("strategy", GROWING)
@pytest.mark.parametrize("mechanism", MECHANISMS)
@pytest.mark.parametrize("ties", [False, True])
def test_regression_tree_equals_the_twin(strategy, mechanism, ties):
    for seed in range(3):
        X, y = make_xy(seed, 40, 3, mechanism, task="regression", ties=ties)
        model = MDTreeRegressor(missing=strategy, max_depth=5).fit(X, y)
        twin = twin_of(X, y, criterion="squared_error", strategy=strategy, max_depth=5)
        assert naive.same_tree(naive.as_nested(model.tree_), twin) is None
        np.testing.assert_allclose(
            model.predict(X), naive.predict(twin, X, strategy, 0)[:, 0], atol=1e-9
        )


@pytest.mark.parametrize("strategy", GROWING)
@pytest.mark.parametrize("criterion", ["gini", "entropy", "squared_error"])
@pytest.mark.parametrize("min_leaf", [1, 4])
def test_weighted_tree_equals_the_twin(strategy, criterion, min_leaf):
    cls = MDTreeRegressor if criterion == "squared_error" else MDTreeClassifier
    task = "regression" if criterion == "squared_error" else "classification"
    for seed in range(3):
        X, y = make_xy(seed, 50, 3, task=task, classes=3)
        w = np.random.default_rng(seed).uniform(0.2, 3.0, len(X))
        model = cls(
            missing=strategy, criterion=criterion, max_depth=5, min_samples_leaf=min_leaf
        ).fit(X, y, w)
        twin = twin_of(
            X, y, w, criterion=criterion, strategy=strategy, max_depth=5, min_leaf=min_leaf
        )
        assert naive.same_tree(naive.as_nested(model.tree_), twin) is None


def mixed_table(seed, n=60, classes=2, levels=5):
    """Two numbers, two category columns with holes; labels that depend on the categories."""
    rng = np.random.default_rng(seed)
    X = np.column_stack(
        [rng.normal(size=(n, 2)).round(1), rng.integers(0, levels, n), rng.integers(0, 3, n)]
    )
    signal = rng.normal(size=levels)[X[:, 2].astype(int)] + X[:, 0] * 0.5 + X[:, 3]
    X[rng.random(X.shape) < 0.15] = np.nan
    frame = pd.DataFrame(X, columns=list("abcd"))
    for column in "cd":
        frame[column] = pd.Categorical(frame[column].map(lambda v: f"level {v:03.0f}"))
        frame.loc[np.isnan(X[:, "abcd".index(column)]), column] = None
    X[:, 2:] = np.column_stack([frame[c].cat.codes.replace(-1, np.nan) for c in "cd"])
    edges = np.quantile(signal, np.arange(1, classes) / classes)
    labels = signal if classes == 0 else np.searchsorted(edges, signal)
    return frame, X, labels


TESTS = {"equality": "equals", "subset": "subset", "multiway": "multiway"}


@pytest.mark.parametrize("strategy", GROWING)
@pytest.mark.parametrize("categorical", TESTS)
@pytest.mark.parametrize("criterion", ["gini", "entropy", "squared_error"])
@pytest.mark.parametrize("classes", [2, 3])
def test_trees_of_categories_equal_the_twin(strategy, categorical, criterion, classes):
    regression = criterion == "squared_error"
    cls = MDTreeRegressor if regression else MDTreeClassifier
    for seed in range(3):
        frame, X, y = mixed_table(seed, classes=0 if regression else classes)
        w = None if seed else np.random.default_rng(seed).uniform(0.5, 2, len(y))
        options = {"criterion": criterion, "max_depth": 4}
        model = cls(missing=strategy, categorical=categorical, min_samples_leaf=2, **options)
        model.fit(frame, y, w)
        tests = dict.fromkeys((2, 3), TESTS[categorical])
        twin = twin_of(X, y, w, strategy=strategy, min_leaf=2, tests=tests, **options)
        assert naive.same_tree(naive.as_nested(model.tree_), twin) is None
        wanted = naive.predict(twin, X, strategy, 0 if regression else classes)
        mine = model.predict(frame)[:, None] if regression else model.predict_proba(frame)
        np.testing.assert_allclose(mine, wanted, atol=1e-9)


@pytest.mark.parametrize("strategy", ["learned", "fractional"])
def test_many_levels_and_classes_equal_the_twin(strategy):
    """Beyond ten levels the cuts in the order of each class's share are tried."""
    for seed in range(3):
        frame, X, y = mixed_table(seed, n=150, classes=3, levels=14)
        model = MDTreeClassifier(missing=strategy, max_depth=3).fit(frame, y)
        tests = dict.fromkeys((2, 3), "subset")
        twin = twin_of(X, y, strategy=strategy, max_depth=3, tests=tests)
        assert naive.same_tree(naive.as_nested(model.tree_), twin) is None


@pytest.mark.parametrize("criterion", ["gini", "entropy", "squared_error"])
@pytest.mark.parametrize("classes", [2, 3])
def test_no_grouping_is_better_than_the_best_subset(criterion, classes):
    """Against every one of the 2^(C-1) - 1 groupings, with the missing rows on either side."""
    regression = criterion == "squared_error"
    cls = MDTreeRegressor if regression else MDTreeClassifier
    for seed in range(6):
        frame, X, y = mixed_table(seed, n=40, classes=0 if regression else classes, levels=7)
        model = cls(criterion=criterion, max_depth=1).fit(frame[["c"]], y)
        rows = [(r, 1.0) for r in range(len(y))]
        missing = [(r, 1.0) for r in range(len(y)) if np.isnan(X[r, 2])]
        values = sorted(set(X[~np.isnan(X[:, 2]), 2]))
        w = np.ones(len(y))
        best = 0.0
        for size in range(1, len(values) + 1):
            for group in itertools.combinations(values, size):
                left = [(r, 1.0) for r in range(len(y)) if X[r, 2] in group]
                right = [row for row in rows if row not in left and row not in missing]
                for sides in ([left + missing, right], [left, right + missing]):
                    if all(sides):
                        best = max(best, naive.gain(rows, sides, rows, y, w, criterion, 1))
        assert model.tree_.gain[0] == pytest.approx(best)


def float32(X):
    return X.astype(np.float32).astype(np.float64)


def assert_same_as_scikit_learn(tree, other):
    """Walk down both trees; where they part, the gains are equal.

    scikit-learn breaks ties at random, and goes on splitting pure nodes where rounding left
    their impurity at 1e-16; both end the walk of that branch.
    """
    compared = 0
    stack = [(0, 0)]
    while stack:
        u, v = stack.pop()
        assert tree.rows[u] == other.n_node_samples[v]
        assert tree.impurity[u] == pytest.approx(other.impurity[v], rel=1e-9, abs=1e-9)
        if other.impurity[v] < 1e-12 and tree.is_leaf[u]:
            continue
        assert tree.is_leaf[u] == (other.feature[v] < 0)
        if tree.is_leaf[u]:
            continue
        children = other.children_left[v], other.children_right[v]
        below = sum(other.weighted_n_node_samples[c] * other.impurity[c] for c in children)
        gain = other.impurity[v] - below / other.weighted_n_node_samples[v]
        assert tree.gain[u] == pytest.approx(gain, rel=1e-6, abs=1e-12)
        if tree.feature[u] == other.feature[v] and np.isclose(
            tree.threshold[u], other.threshold[v], rtol=1e-6
        ):
            compared += 1
            stack += zip(tree.children(u), children, strict=True)
    return compared


def later(strategy):
    """How to predict: growing is tested here, and studying the training rows takes long."""
    return None if all_strategies()[strategy].study is Strategy.study else "majority"


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize("classes", [2, 4])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("strategy", [s for s, c in all_strategies().items() if not ranks(c)])
def test_complete_data_gives_scikit_learns_tree(criterion, classes, weighted, strategy):
    X, y = make_classification(
        2000, 8, n_informative=5, n_classes=classes, flip_y=0.1, random_state=classes
    )
    X = float32(X)
    w = np.random.default_rng(0).uniform(0.5, 2, len(X)) if weighted else None
    options = {"criterion": criterion, "max_depth": 8, "min_samples_leaf": 5}
    ours = MDTreeClassifier(missing=strategy, missing_predict=later(strategy), **options)
    ours.fit(X, y, w)
    theirs = DecisionTreeClassifier(random_state=0, **options).fit(X, y, w)
    assert assert_same_as_scikit_learn(ours.tree_, theirs.tree_) > 30
    assert (ours.predict(X) == theirs.predict(X)).mean() > 0.99


@pytest.mark.parametrize("weighted", [False, True])
def test_complete_regression_gives_scikit_learns_tree(weighted):
    X, y = make_regression(1000, 6, n_informative=4, noise=5, random_state=0)
    X = float32(X)
    w = np.random.default_rng(0).uniform(0.5, 2, len(X)) if weighted else None
    options = {"max_depth": 8, "min_samples_leaf": 5}
    ours = MDTreeRegressor(**options).fit(X, y, w)
    theirs = DecisionTreeRegressor(random_state=0, **options).fit(X, y, w)
    assert assert_same_as_scikit_learn(ours.tree_, theirs.tree_) > 60
    np.testing.assert_allclose(ours.predict(X), theirs.predict(X))
    np.testing.assert_allclose(ours.feature_importances_, theirs.feature_importances_)


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_learned_trees_with_holes_are_scikit_learns(criterion):
    """Whole trees, not only stumps: both try each side and "known | missing"."""
    X, y = make_classification(3000, 6, n_informative=4, flip_y=0.1, random_state=3)
    X = float32(X)
    X[np.random.default_rng(0).random(X.shape) < 0.2] = np.nan
    options = {"criterion": criterion, "max_depth": 8, "min_samples_leaf": 10}
    ours = MDTreeClassifier(missing="learned", **options).fit(X, y)
    theirs = DecisionTreeClassifier(random_state=0, **options).fit(X, y)
    assert assert_same_as_scikit_learn(ours.tree_, theirs.tree_) > 30
    assert (ours.predict(X) == theirs.predict(X)).mean() > 0.99


@pytest.mark.parametrize("seed", range(40))
def test_learned_stump_equals_scikit_learns_with_holes(seed):
    rng = np.random.default_rng(seed)
    X = float32(rng.normal(size=(60, 3)))
    X[rng.random(X.shape) < 0.3] = np.nan
    y = rng.integers(0, 3, 60)
    ours = MDTreeClassifier(missing="mia", max_depth=1).fit(X, y).tree_
    theirs = DecisionTreeClassifier(max_depth=1, random_state=0).fit(X, y).tree_
    gain = theirs.impurity[0] - (
        theirs.weighted_n_node_samples[1:] @ theirs.impurity[1:] / theirs.weighted_n_node_samples[0]
    )
    assert ours.gain[0] == pytest.approx(gain, abs=1e-12)


@pytest.mark.parametrize("strategy", [s for s in GROWING if all_strategies()[s].mode])
@pytest.mark.parametrize("mechanism", ["mcar", "mnar"])
@pytest.mark.parametrize("criterion", ["gini", "entropy", "squared_error"])
def test_the_three_roads_to_a_split_give_the_same_tree(strategy, mechanism, criterion):
    """Compiled choice, compiled sweeps under score_table, and score_table over all cuts."""
    cls = MDTreeRegressor if criterion == "squared_error" else MDTreeClassifier
    task = "regression" if criterion == "squared_error" else "classification"
    base = all_strategies()[strategy]
    swept = type("Swept", (base,), {"plain": False, "name": ""})
    listed = type("Listed", (base,), {"mode": None, "plain": False, "name": ""})
    for seed in range(4):
        X, y = make_xy(seed, 120, 4, mechanism, task=task, classes=3, ties=seed % 2 == 0)
        w = None if seed < 2 else np.random.default_rng(seed).uniform(0.5, 2, len(X))
        trees = [
            cls(missing=s(), criterion=criterion, min_samples_leaf=2).fit(X, y, w).tree_
            for s in (base, swept, listed)
        ]
        for tree in trees[1:]:
            assert naive.same_tree(naive.as_nested(trees[0]), naive.as_nested(tree)) is None
            np.testing.assert_allclose(tree.value, trees[0].value, atol=1e-12)


@pytest.mark.parametrize("strategy", GROWING)
@pytest.mark.parametrize("categorical", TESTS)
@pytest.mark.parametrize("classes", [0, 2, 3, 4])
def test_the_three_roads_agree_about_categories(strategy, categorical, classes):
    cls = MDTreeClassifier if classes else MDTreeRegressor
    base = all_strategies()[strategy]
    swept = type("Swept", (base,), {"plain": False, "name": ""})
    listed = type("Listed", (base,), {"mode": None, "plain": False, "name": ""})
    for seed in range(4):
        frame, _, y = mixed_table(seed, 120, classes, levels=[4, 8, 12, 25][seed])
        w = None if seed < 2 else np.random.default_rng(seed).uniform(0.5, 2, len(y))
        options = {"categorical": categorical, "min_samples_leaf": 1 + seed % 2}
        if base.regrows:  # so many small nodes that some tie but for rounding
            options["max_depth"] = 3
        trees = [cls(missing=s(), **options).fit(frame, y, w).tree_ for s in (base, swept, listed)]
        for tree in trees[1:]:
            assert naive.same_tree(naive.as_nested(trees[0]), naive.as_nested(tree)) is None


@pytest.mark.parametrize("strategy", GROWING)
@pytest.mark.parametrize("from_mean", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
def test_absolute_error_equals_the_twin(strategy, from_mean, weighted):
    name = "absolute_error_from_mean" if from_mean else "absolute_error"
    for seed in range(4):
        X, y = make_xy(seed, 45, 3, task="regression", ties=seed == 1)
        y = np.round(y) if seed == 2 else y + 1e6 * (seed == 3)
        w = np.random.default_rng(seed).uniform(0.5, 2, len(y)) if weighted else None
        model = MDTreeRegressor(
            criterion=AbsoluteError(from_mean), missing=strategy, max_depth=4, min_samples_leaf=2
        ).fit(X, y, w)
        twin = twin_of(X, y, w, criterion=name, strategy=strategy, max_depth=4, min_leaf=2)
        assert naive.same_tree(naive.as_nested(model.tree_), twin) is None
        np.testing.assert_allclose(
            model.predict(X), naive.predict(twin, X, strategy, 0)[:, 0], rtol=1e-9, atol=1e-9
        )


@pytest.mark.parametrize("strategy", GROWING)
@pytest.mark.parametrize("categorical", TESTS)
def test_absolute_error_of_categories_equals_the_twin(strategy, categorical):
    for seed in range(3):
        frame, X, y = mixed_table(seed, classes=0)
        options = {"criterion": "absolute_error", "max_depth": 3}
        model = MDTreeRegressor(missing=strategy, categorical=categorical, **options)
        tests = dict.fromkeys((2, 3), TESTS[categorical])
        twin = twin_of(X, y, strategy=strategy, tests=tests, **options)
        assert naive.same_tree(naive.as_nested(model.fit(frame, y).tree_), twin) is None


def test_absolute_error_is_scikit_learns():
    for seed in range(5):
        X, y = make_regression(300, 5, noise=5.0, random_state=seed)
        X = float32(X)
        w = np.random.default_rng(seed).uniform(0.5, 2, 300) if seed % 2 else None
        options = {"criterion": "absolute_error", "max_depth": 3}  # small nodes have many ties
        ours = MDTreeRegressor(**options).fit(X, y, w)
        theirs = DecisionTreeRegressor(random_state=0, **options).fit(X, y, w)
        np.testing.assert_allclose(ours.predict(X), theirs.predict(X))


def test_limits_are_kept():
    X, y = make_xy(0, 300, 5)
    for strategy in GROWING:
        tree = MDTreeClassifier(missing=strategy, max_depth=3).fit(X, y).tree_
        assert tree.max_depth <= 3
        tree = MDTreeClassifier(missing=strategy, min_samples_leaf=10).fit(X, y).tree_
        assert tree.weight.min() >= 10 - 1e-9
        tree = MDTreeClassifier(missing=strategy, min_samples_split=40).fit(X, y).tree_
        assert tree.weight[~tree.is_leaf].min() >= 40 - 1e-9
        tree = MDTreeClassifier(missing=strategy, min_weight_fraction_leaf=0.1).fit(X, y).tree_
        assert tree.weight.min() >= 30 - 1e-9
        tree = MDTreeClassifier(missing=strategy, min_impurity_decrease=0.01).fit(X, y).tree_
        inner = ~tree.is_leaf
        assert inner.any() or strategy == "best"  # which has holes alone to ask about here
        earned = (tree.gain * tree.weight / tree.weight[0])[inner]
        assert earned.min(initial=1.0) >= 0.01 - 1e-12
    half = MDTreeClassifier(min_samples_leaf=0.25).fit(X, y).tree_
    assert half.weight.min() >= 75


def test_min_impurity_decrease_is_scikit_learns():
    X, y = make_classification(300, 5, random_state=1)
    X = float32(X)
    for decrease in (0.001, 0.01, 0.05):
        ours = MDTreeClassifier(min_impurity_decrease=decrease).fit(X, y)
        theirs = DecisionTreeClassifier(min_impurity_decrease=decrease, random_state=0).fit(X, y)
        assert ours.get_n_leaves() == theirs.get_n_leaves()


def test_drawing_columns_depends_on_the_seed_alone():
    X, y = make_xy(1, 300, 8, classes=3)
    one = MDTreeClassifier(max_features="sqrt", random_state=3).fit(X, y)
    again = MDTreeClassifier(max_features="sqrt", random_state=3).fit(X, y)
    other = MDTreeClassifier(max_features="sqrt", random_state=4).fit(X, y)
    assert one.tree_ == again.tree_
    assert one.tree_ != other.tree_
    roots = {
        int(MDTreeClassifier(max_features=1, random_state=s).fit(X, y).tree_.feature[0])
        for s in range(60)
    }
    assert roots == set(range(8))


def test_drawing_goes_on_until_a_column_has_a_cut():
    X = np.zeros((40, 10))
    X[:, 7] = np.arange(40)
    y = np.arange(40) > 20
    for seed in range(10):
        tree = MDTreeClassifier(max_features=1, random_state=seed).fit(X, y).tree_
        assert tree.feature[0] == 7


def test_small_batches_give_the_same_tree(monkeypatch):
    from mdtree_nb.tree import growth

    X, y = make_xy(2, 400, 5, classes=3)
    wanted = {s: MDTreeClassifier(missing=s).fit(X, y).tree_ for s in GROWING}
    monkeypatch.setattr(growth, "BATCH_ROW_NUMBERS", 300)
    monkeypatch.setattr(growth, "BATCH_CUTS", 10)
    for strategy, tree in wanted.items():
        assert MDTreeClassifier(missing=strategy).fit(X, y).tree_ == tree


def test_a_tree_five_thousand_levels_deep():
    n = 10_004
    X = pd.DataFrame({"level": pd.Categorical(np.arange(n).astype(str))})
    y = np.arange(n) % 2  # each test for one level sets one row apart
    model = MDTreeClassifier(categorical="equality").fit(X, y)
    assert model.get_depth() >= 5000
    assert (model.predict(X) == y).all()
    copies = pickle.loads(pickle.dumps(model)), copy.deepcopy(model)
    for again in copies:
        assert again.tree_ == model.tree_
        assert (again.predict(X[:50]) == y[:50]).all()
    assert export_text(model).count("\n") == model.tree_.n_nodes - 1
    path = model.explain_row({"level": str(n - 1)})
    assert path["P(1)"].sum() == pytest.approx(1.0)
    assert model.decision_path(X[:3]).sum() > 3


@pytest.mark.parametrize("strategy", sorted(all_strategies()))
def test_threads_grow_the_same_tree(strategy, monkeypatch):
    X, y = make_xy(5, n=300, classes=3)
    X[:, 0] = np.round(X[:, 0], 1)  # ties move their ranks along
    X[:40] = np.nan_to_num(X[:40])
    options = {"missing": strategy, "missing_predict": later(strategy), "random_state": 0}
    one = MDTreeClassifier(max_features=2, **options).fit(X, y).tree_
    monkeypatch.setattr(threads, "FEWEST_CELLS", 0)
    for n_jobs in (2, 5, -1):
        model = MDTreeClassifier(max_features=2, n_jobs=n_jobs, **options)
        assert model.fit(X, y).tree_ == one


def test_parts_cover_all_nodes_in_order():
    for rows in ([5], [1, 1], [100, 1, 1, 1], [1, 1, 1, 100], [10] * 7):
        for number in (1, 2, 3, 8):
            with threads.Threads(number) as pool:
                parts = pool.parts(np.array(rows), threads.FEWEST_CELLS)
            assert len(parts) <= number
            covered = [i for part in parts for i in range(part.start, part.stop)]
            assert covered == list(range(len(rows)))


@pytest.mark.parametrize("splits", ["exact", "observed", "training", "below"])
@pytest.mark.parametrize("missing", ["left", "right", "learned", "fractional"])
def test_infinite_values_and_lone_tests_keep_their_side(missing, splits):
    """A threshold that is a value itself must leave that value on the left."""
    X = np.array([[1, -np.inf], [2, 0], [np.nan, 1], [np.nan, np.inf], [2, np.inf], [3, 5]])
    for y in ([0, 0, 1, 1, 0, 0], [0, 0, 0, 1, 1, 0], [1, 0, 0, 0, 0, 0]):
        model = MDTreeClassifier(missing=missing, splits=splits).fit(X, y)
        arrived = np.asarray(model.decision_path(X).sum(axis=0)).ravel()
        np.testing.assert_allclose(arrived, model.tree_.weight)
        if missing != "fractional":
            assert model.predict(X).tolist() == y
