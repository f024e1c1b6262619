"""Reduced-error pruning: held-out rows, their errors, and a recursive twin."""

import numpy as np
import pytest
from data import make_frame, make_xy
from sklearn.utils.estimator_checks import check_estimator

from mdtree_nb import MDTreeClassifier, MDTreeRegressor
from mdtree_nb.prunings import ReducedError
from mdtree_nb.strategies import Strategy
from mdtree_nb.tree import reshape
from mdtree_nb.tree.validation import check_tree

STRATEGIES = ("fractional", "learned", "own_child", "majority", "mean")


def noisy(seed, n=150, task="classification"):
    X, y = make_xy(seed, n, task=task)
    rng = np.random.default_rng(seed)
    if task == "classification":
        y = np.where(rng.random(n) < 0.2, rng.integers(0, 2, n), y)
    return X, y, rng.uniform(0.5, 2, n), rng.random(n) < 0.3


def loss(value, label, criterion):
    if criterion == "squared_error":
        return (value[0] - label) ** 2
    if criterion == "absolute_error":
        return abs(value[0] - label)
    return float(np.argmax(value) != label)


def held_out_error(model, X, y, w, criterion, v=0, leaves=()):
    """Errors of rows below node v of the grown tree, row by row, as the model routes them."""
    tree, total = model.tree_, 0.0
    paths = model.decision_path(X).toarray()
    for path, label, weight in zip(paths, y, w, strict=True):
        for node in np.flatnonzero(path):
            above, stops = int(node), False
            while above > v:
                above = int(tree.parent[above])
                stops |= above in leaves
            passes_on = path[list(tree.children(node))].any() and node not in leaves
            if above == v and not stops and not passes_on:
                total += weight * path[node] * loss(tree.value[node], label, criterion)
    return total


def twin(model, X, y, w, criterion, v, leaves):
    """Add to `leaves` what reduced-error pruning cuts below v."""
    tree = model.tree_
    if tree.is_leaf[v]:
        return
    for child in tree.children(v):
        twin(model, X, y, w, criterion, child, leaves)
    subtree = held_out_error(model, X, y, w, criterion, v, leaves)
    if held_out_error(model, X, y, w, criterion, v, {v}) <= subtree + 1e-9:
        leaves.add(v)


@pytest.mark.parametrize("missing", STRATEGIES)
@pytest.mark.parametrize("criterion", ["gini", "squared_error", "absolute_error"])
def test_the_pruned_tree_is_the_twins(missing, criterion):
    task = "classification" if criterion == "gini" else "regression"
    cls = MDTreeClassifier if criterion == "gini" else MDTreeRegressor
    cut = 0
    for seed in range(3):
        X, y, w, held = noisy(seed, 90, task)
        options = {"missing": missing, "criterion": criterion, "min_samples_leaf": 3}
        model = cls(pruning=ReducedError(rows=held), **options).fit(X, y, w)
        grown = cls(**options).fit(X[~held], y[~held], w[~held])
        test = X[held], y[held], w[held], criterion
        leaves = set()
        twin(grown, *test, 0, leaves)
        wanted = reshape.cut(grown.tree_, np.array(sorted(leaves), dtype=int))
        for name, array in wanted.arrays().items():
            np.testing.assert_allclose(getattr(model.tree_, name), array, err_msg=name)
        assert held_out_error(model, *test) <= held_out_error(grown, *test) + 1e-9
        check_tree(model.tree_, shares=criterion == "gini")
        cut += model.get_n_leaves() < grown.get_n_leaves()
    assert cut >= 2


def test_the_strategy_that_predicts_routes_the_held_out_rows():
    X, y, w, held = noisy(4, 200)
    X = np.where(np.isnan(X) & ~held[:, None], 0.0, X)  # no holes in training
    leaves = {}
    for predict in ("left", "right", "fractional"):
        options = {"missing": "learned", "missing_predict": predict}
        model = MDTreeClassifier(pruning=ReducedError(rows=np.flatnonzero(held)), **options)
        model.fit(X, y, w)
        grown = MDTreeClassifier(**options).fit(X[~held], y[~held], w[~held])
        mine, before = (
            held_out_error(m, X[held], y[held], w[held], "gini") for m in (model, grown)
        )
        assert mine < before
        leaves[predict] = tuple(model.tree_.frame()["condition"])
    assert len(set(leaves.values())) > 1


def test_score_of_single_paths_never_falls():
    """Where rows are not divided the error counted is the model's own."""
    for seed in range(5):
        X, y, _, held = noisy(seed, 300)
        model = MDTreeClassifier(pruning=ReducedError(rows=held)).fit(X, y)
        grown = MDTreeClassifier().fit(X[~held], y[~held])
        assert model.score(X[held], y[held]) >= grown.score(X[held], y[held])
        assert model.get_n_leaves() < grown.get_n_leaves()
        X, y, _, held = noisy(seed, 300, "regression")
        model = MDTreeRegressor(pruning=ReducedError(rows=held)).fit(X, y)
        grown = MDTreeRegressor().fit(X[~held], y[~held])
        assert model.score(X[held], y[held]) >= grown.score(X[held], y[held])


def test_pruning_again_by_the_same_rows_changes_nothing():
    X, y, w, held = noisy(2, 200)
    model = MDTreeClassifier(missing="fractional", pruning=ReducedError(rows=held)).fit(X, y, w)
    from mdtree_nb import table as tables
    from mdtree_nb.tree.criteria import Gini

    table, strategy = tables.learn(X[held]), model._strategies()[0]
    again = ReducedError().prune(model.tree_, table, y[held], w[held], strategy, Gini().measure(2))
    assert again == model.tree_


def test_rows_that_go_everywhere_count_once():
    """Three of four rows at the root, whole at both children, are three errors at most."""
    from mdtree_nb.prunings.reduced_error import held_out_errors
    from mdtree_nb.table import learn
    from mdtree_nb.tree.criteria import Gini

    class Everywhere(Strategy):
        def missing_shares(self, tree):
            return np.ones(tree.n_nodes)

    X = np.array([[0.0], [0.0], [1.0], [1.0]])
    tree = MDTreeClassifier().fit(X, [0, 0, 1, 1]).tree_
    table = learn(np.array([[np.nan], [np.nan], [np.nan], [1.0]]))
    args = (table, np.array([0, 1, 1, 1]), np.ones(4), Everywhere(), Gini().measure(2))
    as_leaf, at_end = held_out_errors(tree, *args)
    np.testing.assert_allclose(as_leaf, [3, 1, 0.5])
    np.testing.assert_allclose(at_end, [0, 1, 0.5])


def test_rows_are_drawn_by_the_random_state():
    X, y, _, _ = noisy(3, 200)
    first, same, other = (
        MDTreeClassifier(pruning="reduced_error", random_state=s).fit(X, y).tree_ for s in (1, 1, 2)
    )
    assert first == same
    assert first != other
    assert first.rows[0] == 150
    half = MDTreeClassifier(pruning=ReducedError(0.5), random_state=0).fit(X, y).tree_
    assert half.rows[0] == 100


def test_numbers_of_rows_count_before_any_is_dropped():
    X, y, w, held = noisy(5, 100)
    labels = np.where(y == 1, "yes", "no").astype(object)
    labels[::7] = None
    w[::9] = 0
    options = {"missing_label": "drop", "pruning": ReducedError(rows=np.flatnonzero(held))}
    tree = MDTreeClassifier(**options).fit(X, labels, w).tree_
    used = (w > 0) & (np.arange(100) % 7 > 0)
    mask = MDTreeClassifier(pruning=ReducedError(rows=held[used])).fit(X[used], y[used], w[used])
    assert tree == mask.tree_
    assert tree.rows[0] == (used & ~held).sum()


def test_levels_that_only_held_out_rows_have():
    frame, y = make_frame(1, 100)
    frame["colour"] = np.where(np.arange(100) < 20, "purple", frame["colour"])
    for missing in STRATEGIES:
        model = MDTreeClassifier(missing=missing, pruning=ReducedError(rows=range(20)))
        assert model.fit(frame, y).predict(frame).shape == (100,)


def test_rows_that_make_no_sense():
    X, y, _, _ = noisy(0, 20)
    for rows in ([20], [-1], [0.5], [[1, 2]], [True] * 19, "all"):
        with pytest.raises(ValueError, match="must be numbers of rows of X, 0 to 19, or a mask of"):
            MDTreeClassifier(pruning=ReducedError(rows=rows)).fit(X, y)
    with pytest.raises(ValueError, match="none would be left to grow on"):
        MDTreeClassifier(pruning=ReducedError(rows=range(20))).fit(X, y)
    with pytest.raises(ValueError, match="none would be held out"):
        MDTreeClassifier(pruning=ReducedError(rows=np.zeros(20, bool))).fit(X, y)
    with pytest.raises(ValueError, match="of n_samples=1 rows .* none would be left to grow on"):
        MDTreeClassifier(pruning="reduced_error").fit(X[:1], y[:1])


def test_split_table_holds_the_same_rows_out():
    X, y, _, _ = noisy(6, 200)
    model = MDTreeClassifier(pruning="reduced_error", random_state=3).fit(X, y)
    for v in np.flatnonzero(~model.tree_.is_leaf)[:4]:
        best = model.split_table(X, y, int(v)).iloc[0]
        assert best["gain"] == pytest.approx(model.tree_.gain[v])


def test_the_cost_complexity_path_is_that_of_the_pruned_tree():
    X, y, _, _ = noisy(6, 200)
    model = MDTreeClassifier(pruning="reduced_error", random_state=3)
    path = model.cost_complexity_pruning_path(X, y)
    tree = model.fit(X, y).tree_
    risk = (tree.weight * tree.impurity)[tree.is_leaf].sum() / tree.weight[0]
    assert path.impurities[0] == pytest.approx(risk)
    alpha = path.ccp_alphas[-1]
    both = MDTreeClassifier(pruning="reduced_error", random_state=3, ccp_alpha=alpha).fit(X, y)
    assert both.get_n_leaves() == 1


# Drawn rows are others in a table where a row of weight 2 stands twice.
DRAWN = {"check_sample_weight_equivalence_on_dense_data"}


@pytest.mark.parametrize(
    "model",
    [
        MDTreeClassifier(pruning="pessimistic"),
        MDTreeClassifier(pruning="reduced_error"),
        MDTreeRegressor(pruning="reduced_error"),
    ],
    ids=str,
)
@pytest.mark.filterwarnings("ignore")
def test_scikit_learns_checks(model):
    results = check_estimator(model, on_fail=None)
    failed = {r["check_name"] for r in results if r["status"] == "failed"}
    assert failed <= (DRAWN if model.pruning == "reduced_error" else set())
    assert len(results) > 40
