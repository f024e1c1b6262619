"""Laws that every strategy keeps, found in the folder and therefore tested.

Also run on two small strategies written here, as a reader would write them.
"""

import pickle

import numpy as np
import pytest
from data import MECHANISMS, make_frame, make_xy
from sklearn.base import clone

from mdtree_nb import MDTreeClassifier, MDTreeRegressor, StrategyNotApplicable
from mdtree_nb.strategies import KNN, Strategy, all_strategies


class MoreOfTheLastClass(Strategy):
    """Missing rows go, row by row, to the child where the last value is larger."""

    name = "more_of_the_last_class"
    by_rule = True

    def route(self, tree, node, table, rows):
        children = tree.children(node)
        best = int(np.argmax(tree.value[children, -1]))
        shares = np.zeros((len(rows), len(children)))
        shares[:, best] = 1.0
        return shares


class HalfAndHalf(Strategy):
    """Missing rows are halved."""

    name = "half_and_half"
    mode = "known"
    plain = True
    by_rule = True
    divides = True

    def missing_shares(self, tree):
        shares = np.full(tree.n_nodes, 0.5)
        shares[0] = 0
        return shares


class DrawnNeighbours(KNN):
    """One neighbour's value each time, three times."""

    name = "drawn_neighbours"

    def __init__(self, k=5, scale=True, multiple=True, n_imputations=3, seed=0):
        super().__init__(k, scale, multiple, n_imputations, seed)


TOYS = {cls.name: cls for cls in (DrawnNeighbours, HalfAndHalf, MoreOfTheLastClass)}
STRATEGIES = {**all_strategies(), **TOYS}
SEEDS = range(3)


def fitted(name, X, y, cls=MDTreeClassifier, w=None, **options):
    options = {"min_samples_leaf": 2, **options}
    model = cls(missing=STRATEGIES[name](), **options)
    try:
        return model.fit(X, y, w)
    except StrategyNotApplicable:
        assert name == "discard" or (name == "lpe" and cls is MDTreeRegressor)
        pytest.skip("no complete row, or no classes")


def copies(name):
    """Does the strategy copy rows with holes? Then the sums of its shares and weights grow."""
    return np.isfinite(STRATEGIES[name]().max_copies) and not STRATEGIES[name].regrows


def ranks(name):
    """Does the strategy choose the column before its cuts are scored?"""
    return STRATEGIES[name].rank is not Strategy.rank


def draws(name):
    """Does the strategy fill at random, keyed by the numbers of a row?"""
    strategy = STRATEGIES[name]()
    return hasattr(strategy, "n_imputations") and getattr(strategy, "multiple", True)


@pytest.fixture(params=sorted(STRATEGIES))
def name(request):
    return request.param


@pytest.fixture(params=MECHANISMS)
def mechanism(request):
    return request.param


def answers(model, X):
    return model.predict_proba(X) if hasattr(model, "predict_proba") else model.predict(X)


@pytest.mark.parametrize("cls", [MDTreeClassifier, MDTreeRegressor])
@pytest.mark.parametrize("seed", SEEDS)
def test_shares_sum_to_one(name, mechanism, cls, seed):
    task = "regression" if cls is MDTreeRegressor else "classification"
    X, y = make_xy(seed, mechanism=mechanism, task=task)
    model = fitted(name, X, y, cls)
    new = np.vstack([make_xy(seed + 100, mechanism=mechanism)[0], np.full((1, 4), np.nan)])
    table = model._read(new)
    for tree, _, reach in model._predictor.reaches(table):
        if copies(name):
            check_copies(tree, table, reach)
            continue
        np.testing.assert_allclose(reach.ends.sum(axis=1), 1)
        np.testing.assert_allclose(reach.through[:, 0].toarray(), 1)
        for v in np.flatnonzero(~tree.is_leaf):
            below = reach.through[:, list(tree.children(v))].sum(axis=1)
            ends = reach.ends[:, [v]].toarray()
            np.testing.assert_allclose(below + ends, reach.through[:, [v]].toarray())
    if cls is MDTreeClassifier:
        shares = model.predict_proba(new)
        assert (shares >= 0).all()
        np.testing.assert_allclose(shares.sum(axis=1), 1)
        best = model.classes_[shares.argmax(axis=1)]
        assert (model.predict(new) == best).all()
    assert np.isfinite(answers(model, new)).all()


def check_copies(tree, table, reach):
    """A row is whole wherever it is: in one child if it knows the column, else in all."""
    through = reach.through.toarray()
    assert set(np.unique(through)) <= {0, 1}
    np.testing.assert_array_equal(reach.ends.toarray(), through * tree.is_leaf)
    for v in np.flatnonzero(~tree.is_leaf):
        missing = np.isnan(table.values[:, tree.feature[v]])
        below = through[:, list(tree.children(v))].sum(axis=1)
        wanted = np.where(missing, tree.n_children[v], 1)
        np.testing.assert_array_equal(below, through[:, v] * wanted)


@pytest.mark.parametrize("seed", SEEDS)
def test_weights_add_up_at_every_node(name, mechanism, seed):
    X, y = make_xy(seed, mechanism=mechanism)
    w = np.random.default_rng(seed).uniform(0.5, 2, len(X))
    for weights in (None, w):
        tree = fitted(name, X, y, w=weights).tree_
        if STRATEGIES[name].regrows:
            check_weights_of_third_children(tree)
            continue
        if not STRATEGIES[name].conserves:
            check_weights_that_do_not_add_up(tree, copies(name))
            continue
        for v in np.flatnonzero(~tree.is_leaf):
            kids = tree.children(v)
            assert tree.weight[kids].sum() == pytest.approx(tree.weight[v])
            assert tree.share[kids].sum() == pytest.approx(1)
            assert tree.arrived_missing[kids].sum() == pytest.approx(tree.missing_weight[v])
            mixed = tree.weight[kids] @ tree.value[kids] / tree.weight[v]
            np.testing.assert_allclose(mixed, tree.value[v])
        assert tree.weight[tree.is_leaf].sum() == pytest.approx(tree.weight[0])
        frame = tree.frame()
        np.testing.assert_allclose(frame["missing_stops"], 0, atol=1e-9)


def check_weights_that_do_not_add_up(tree, copied):
    """Each child has its known rows and, whole, all that miss the column or none of them."""
    for v in np.flatnonzero(~tree.is_leaf):
        kids = tree.children(v)
        known = tree.weight[v] - tree.missing_weight[v]
        came = tree.missing_weight[v] if copied else 0
        np.testing.assert_allclose(tree.weight[kids], known * tree.share[kids] + came)
        np.testing.assert_allclose(tree.arrived_missing[kids], came)
        assert tree.share[kids].sum() == pytest.approx(1)
        counts = tree.weight[kids] @ tree.value[kids]  # of the known rows, and of the copies
        own = tree.weight[v] * tree.value[v]
        assert (counts >= own - 1e-9).all() if copied else (counts <= own + 1e-9).all()
    stops = tree.frame()["missing_stops"]
    np.testing.assert_allclose(stops, 0 if copied else tree.missing_weight, atol=1e-9)


def check_weights_of_third_children(tree):
    """A child for missing rows is the node itself; the others hold the known rows."""
    for v in np.flatnonzero(~tree.is_leaf):
        kids, own = tree.children(v), tree.missing_branch[v] == tree.n_branches[v]
        missing, known = tree.missing_weight[v], tree.weight[v] - tree.missing_weight[v]
        came = tree.arrived_missing[kids]
        assert came.sum() == pytest.approx(missing)
        if not own:
            assert tree.weight[kids].sum() == pytest.approx(tree.weight[v])
            continue
        *parts, third = kids
        assert missing > 0
        assert came[-1] == pytest.approx(missing)
        assert tree.weight[third] == pytest.approx(tree.weight[v])
        assert tree.rows[third] == tree.rows[v]
        assert tree.impurity[third] == pytest.approx(tree.impurity[v])
        np.testing.assert_allclose(tree.value[third], tree.value[v])
        np.testing.assert_allclose(tree.weight[parts], known * tree.share[parts])
        below = [third]
        for node in below:
            assert tree.feature[node] != tree.feature[v], "closed in the whole subtree"
            below += tree.children(node)
    assert (tree.frame()["missing_stops"] < 1e-9).all()


@pytest.mark.parametrize("seed", SEEDS)
def test_complete_data_gives_the_plain_tree(name, seed):
    if ranks(name):
        pytest.skip("chooses the column before its cuts, so it has a tree of its own")
    X, y = make_xy(seed, mechanism="complete", classes=3)
    plain = MDTreeClassifier(missing="majority", min_samples_leaf=2).fit(X, y).tree_
    tree = fitted(name, X, y).tree_
    for field in ("feature", "threshold", "first_child", "value", "gain"):
        np.testing.assert_allclose(getattr(tree, field), getattr(plain, field), atol=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_row_order_is_irrelevant(name, mechanism, seed):
    X, y = make_xy(seed, mechanism=mechanism, classes=3, ties=seed == 0)
    order = np.random.default_rng(seed).permutation(len(X))
    one, other = fitted(name, X, y), fitted(name, X[order], y[order])
    for field in ("feature", "kind", "threshold", "first_child", "value", "weight", "share"):
        np.testing.assert_allclose(
            getattr(one.tree_, field), getattr(other.tree_, field), atol=1e-12
        )
    np.testing.assert_allclose(answers(one, X), answers(other, X), atol=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_prediction_does_not_depend_on_its_batch(name, mechanism, seed):
    X, y = make_xy(seed, mechanism=mechanism)
    model = fitted(name, X, y)
    together = answers(model, X)
    for i in range(0, len(X), 7):
        np.testing.assert_array_equal(answers(model, X[[i]])[0], together[i])
    np.testing.assert_array_equal(answers(model, X[::-1]), together[::-1])


@pytest.mark.parametrize("cls", [MDTreeClassifier, MDTreeRegressor])
def test_explanations_add_up_to_the_prediction(name, mechanism, cls):
    task = "regression" if cls is MDTreeRegressor else "classification"
    X, y = make_xy(1, mechanism=mechanism, task=task)
    model = fitted(name, X, y, cls)
    for x in [*X[::9], np.full(4, np.nan)]:
        lines = model.explain_row(x)
        parts = lines.filter(regex=r"^P\(|^contribution$")
        np.testing.assert_allclose(parts.sum(), np.ravel(answers(model, x[None])))
        paths = [its.through for _, _, its in model._predictor.reaches(model._read(x[None]))]
        path = model.decision_path(x[None]).toarray()
        np.testing.assert_array_equal(path, np.hstack([p.toarray() for p in paths]))
        each = [lines] if len(paths) == 1 else [lines.loc[k] for k in range(len(paths))]
        for path, lines in zip(paths, each, strict=True):
            np.testing.assert_allclose(lines["share"], path[:, lines.index].toarray()[0])
            assert set(lines.index) == set(path.indices)
            for _, line in lines.iterrows():
                missing = line["value"] == "missing" and line["rule"] != "known"
                filled = line["rule"] == f"{name}: filled in"
                assert (line["rule"] in ("known", "leaf")) != (missing or filled)
                assert not filled or np.isnan(x[int(line["feature"][1:])])
                for child, part in line["goes_to"].items():
                    assert lines.loc[child, "share"] == pytest.approx(part * line["share"])


def test_apply_is_the_end_with_the_largest_share(name, mechanism):
    X, y = make_xy(2, mechanism=mechanism)
    model = fitted(name, X, y)
    reaches = model._predictor.reaches(model._read(X))
    ends = np.column_stack([its.ends.toarray().argmax(axis=1) for _, _, its in reaches])
    np.testing.assert_array_equal(model.apply(X), ends if len(reaches) > 1 else ends[:, 0])


@pytest.mark.parametrize("splits", ["exact", "observed", "training", "below"])
def test_training_rows_arrive_where_they_were_in_training(name, mechanism, splits):
    """Growing and predicting route alike: the weights of the nodes come out again."""
    X, y = make_xy(3, mechanism=mechanism, ties=splits != "exact")
    model = fitted(name, X, y, splits=splits)
    rows = ~np.isnan(X).any(axis=1) if name == "discard" else np.ones(len(X), dtype=bool)
    arrived = np.asarray(model.decision_path(X[rows]).sum(axis=0)).ravel()
    if STRATEGIES[name].regrows:
        pytest.skip("in training a row that knows a column is in the third child as well")
    if name == "more_of_the_last_class":
        pytest.skip("decides by the known rows in training, by all rows in prediction")
    weights = [tree.weight for tree in model.trees_]
    np.testing.assert_allclose(arrived, np.concatenate(weights))


def test_weight_two_is_the_row_twice(name):
    if STRATEGIES[name].divides:
        pytest.skip("limits count shares of rows, and those of divided rows fall below one")
    if name in ("knn", "iterative") or draws(name):
        pytest.skip("counts rows, whatever they weigh: k neighbours; how sure a mean is")
    X, y = make_xy(4)
    w = np.random.default_rng(4).integers(1, 4, len(X))
    weighted = fitted(name, X, y, w=w.astype(float), min_samples_leaf=1)
    repeated = fitted(name, np.repeat(X, w, axis=0), np.repeat(y, w), min_samples_leaf=1)
    np.testing.assert_allclose(answers(weighted, X), answers(repeated, X), atol=1e-9)


def test_weight_zero_is_absence(name):
    X, y = make_xy(5)
    w = np.ones(len(X))
    w[::3] = 0
    absurd = np.where(w > 0, y, 1 - y)
    one, other = fitted(name, X, absurd, w=w), fitted(name, X[w > 0], y[w > 0])
    assert one.tree_.n_nodes == other.tree_.n_nodes
    np.testing.assert_array_equal(answers(one, X), answers(other, X))


def test_a_common_factor_of_the_weights_cancels(name):
    if ranks(name):
        pytest.skip("a test of association counts weights as rows")
    X, y = make_xy(6)
    w = np.random.default_rng(6).uniform(0.5, 2, len(X))
    wanted = answers(fitted(name, X, y, w=w), X)
    for factor in (2.0**-900, 2.0**30, 2.0**900):
        np.testing.assert_allclose(answers(fitted(name, X, y, w=w * factor), X), wanted)


@pytest.mark.parametrize("shift", [-1e3, 1e3])
def test_shifting_and_scaling_a_column_changes_no_route(name, shift):
    if draws(name):
        pytest.skip("other numbers, other draws")
    X, y = make_xy(7)
    moved = 4 * X + shift
    one, other = fitted(name, X, y), fitted(name, moved, y)
    np.testing.assert_array_equal(one.tree_.feature, other.tree_.feature)
    np.testing.assert_allclose(answers(one, X), answers(other, moved), atol=1e-12)


def test_permuting_columns_only_renames_them(name):
    if draws(name):
        pytest.skip("the draws belong to a column's place")
    X, y = make_xy(8, n=400, p=5)
    order = np.array([3, 0, 4, 1, 2])
    w = np.random.default_rng(8).uniform(0.5, 2, len(X))  # no ties between columns
    one = fitted(name, X, y, w=w, max_depth=3)
    other = fitted(name, X[:, order], y, w=w, max_depth=3)
    inner = ~other.tree_.is_leaf
    np.testing.assert_array_equal(order[other.tree_.feature[inner]], one.tree_.feature[inner])
    np.testing.assert_allclose(answers(one, X), answers(other, X[:, order]))


def test_every_prediction_strategy_fits_every_tree(name):
    X, y = make_xy(9)
    model = fitted(name, X, y, record_surrogates=True)
    for other in sorted(STRATEGIES):
        try:
            swapped = model.with_prediction(STRATEGIES[other](), X, y)
        except StrategyNotApplicable:
            continue
        assert swapped.tree_ is model.tree_
        assert model.missing_predict is None
        shares = swapped.predict_proba(X)
        np.testing.assert_allclose(shares.sum(axis=1), 1)
        at_fit = MDTreeClassifier(
            missing=STRATEGIES[name](),
            missing_predict=STRATEGIES[other](),
            min_samples_leaf=2,
            record_surrogates=True,
        ).fit(X, y)
        np.testing.assert_array_equal(at_fit.predict_proba(X), shares)
        known = ~np.isnan(X).any(axis=1)
        wanted = model.predict_proba(X)[known]  # perhaps a mean of another number of answers
        np.testing.assert_allclose(shares[known], wanted, atol=1e-12)


def test_mixed_columns(name):
    frame, y = make_frame(1, 200)
    model = fitted(name, frame, y, max_depth=6)
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.predict_proba(frame), model.predict_proba(frame))
    copied = clone(model).fit(frame, y)
    assert copied.tree_ == model.tree_
    assert (model.predict(frame) == y).mean() > 0.55
    lines = model.explain_row(frame.iloc[5])
    np.testing.assert_allclose(
        lines.filter(like="P(").sum(), model.predict_proba(frame.iloc[[5]])[0]
    )


def test_registry_entries_are_complete():
    for key, cls in all_strategies().items():
        assert key == cls.name
        assert cls.checked_against or cls.experimental
        assert cls.__doc__
        assert cls.mode or not cls.plain
        assert not cls.divides or cls.by_rule or cls.regrows
