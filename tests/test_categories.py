"""Text and category columns: the laws of the contract, and awkward levels."""

import numpy as np
import pandas as pd
import pytest
from data import make_frame
from test_growth import mixed_table

from mdtree_nb import MDTreeClassifier, MDTreeRegressor, StrategyNotApplicable, export_text
from mdtree_nb.strategies import Strategy, all_strategies
from mdtree_nb.tree.kernels.codes import MULTIWAY, SUBSET


class EvenShares(Strategy):
    """Missing rows are divided evenly."""

    mode = "known"
    plain = True
    by_rule = True
    divides = True

    def missing_shares(self, tree):
        shares = np.zeros(tree.n_nodes)
        shares[1:] = 1 / tree.n_children[tree.parent[1:]]
        return shares


class RowByRow(Strategy):
    """Missing rows go to the first or the last child, by their number."""

    by_rule = True

    def route(self, tree, node, table, rows):
        shares = np.zeros((len(rows), int(tree.n_children[node])))
        odd = table.values[rows, 0] > 0
        shares[odd, 0] = 1
        shares[~odd, -1] = 1
        return shares


STRATEGIES = {**all_strategies(), "even shares": EvenShares, "row by row": RowByRow}
FORMS = ["equality", "subset", "multiway"]


def fitted(name, X, y, cls=MDTreeClassifier, w=None, **options):
    try:
        return cls(missing=STRATEGIES[name](), **options).fit(X, y, w)
    except StrategyNotApplicable:
        pytest.skip("no complete row, or no classes")


def answers(model, X):
    return model.predict_proba(X) if hasattr(model, "predict_proba") else model.predict(X)


@pytest.fixture(params=sorted(STRATEGIES))
def name(request):
    return request.param


@pytest.fixture(params=FORMS)
def form(request):
    return request.param


@pytest.mark.parametrize("classes", [0, 2, 3])
def test_laws_of_prediction(name, form, classes):
    """Shares sum to one, also for unseen levels; a row's answer is its own; it is explained."""
    cls = MDTreeClassifier if classes else MDTreeRegressor
    for seed in range(3):
        frame, _, y = mixed_table(seed, 150, classes, levels=8)
        model = fitted(name, frame, y, cls, categorical=form, min_samples_leaf=2)
        new, _, _ = mixed_table(seed + 50, 40, levels=11)  # three levels are new
        for tree, _, reach in model._predictor.reaches(model._read(new)):
            if name == "both_children":  # rows are whole wherever they are
                assert set(reach.through.data) == {1.0}
                continue
            np.testing.assert_allclose(reach.ends.sum(axis=1), 1)
            for v in np.flatnonzero(~tree.is_leaf):
                below = reach.through[:, list(tree.children(v))].sum(axis=1)
                ends = reach.ends[:, [v]].toarray()
                np.testing.assert_allclose(below + ends, reach.through[:, [v]].toarray())
        together = answers(model, new)
        alone = np.concatenate([answers(model, new.iloc[[i]]) for i in range(len(new))])
        np.testing.assert_array_equal(alone, together)
        for i in (0, 7, 23):
            lines = model.explain_row(new.iloc[i])
            columns = "P(" if classes else "contribution"
            np.testing.assert_allclose(lines.filter(like=columns).sum(), together[i])


def test_laws_of_growing(name, form):
    """Weights add up, training rows arrive where they were, row order makes no difference."""
    for seed in range(3):
        frame, _, y = mixed_table(seed, 150, 3, levels=8)
        w = np.random.default_rng(seed).integers(1, 4, len(y)).astype(float)
        model = fitted(name, frame, y, w=w, categorical=form, min_samples_leaf=2)
        tree = model.tree_
        for v in np.flatnonzero(~tree.is_leaf):
            kids = tree.children(v)
            known, missing = tree.weight[v] - tree.missing_weight[v], tree.missing_weight[v]
            missing *= {"stop": 0, "both_children": len(kids)}.get(name, 1)
            third = STRATEGIES[name].regrows and tree.missing_branch[v] == tree.n_branches[v]
            assert tree.weight[kids].sum() == pytest.approx(known * (1 + third) + missing)
            assert tree.share[kids].sum() == pytest.approx(1)
            assert tree.arrived_missing[kids].sum() == pytest.approx(missing)
            if tree.kind[v] in (SUBSET, MULTIWAY):
                seen = tree.level_table(v)[tree.level_table(v) >= 0]
                assert sorted(set(seen)) == list(range(tree.n_branches[v]))
        if name not in ("discard", "row by row") and not STRATEGIES[name].regrows:
            arrived = w @ model.decision_path(frame)
            weights = np.concatenate([its.weight for its in model.trees_])
            np.testing.assert_allclose(np.asarray(arrived).ravel(), weights, rtol=1e-9)
        order = np.random.default_rng(seed).permutation(len(y))
        shuffled = fitted(name, frame.iloc[order], y[order], w=w[order], categorical=form,
                          min_samples_leaf=2).tree_  # fmt: skip
        assert shuffled.n_nodes == tree.n_nodes
        np.testing.assert_array_equal(shuffled.feature, tree.feature)
        np.testing.assert_array_equal(shuffled.level_branch, tree.level_branch)


def test_complete_data_give_the_plain_tree(form):
    frame, _, y = mixed_table(1, 150, 3)
    frame = frame.dropna()
    y = y[frame.index]
    plain = [n for n, cls in STRATEGIES.items() if cls.rank is Strategy.rank]
    trees = {n: fitted(n, frame, y, categorical=form).tree_ for n in plain}
    for name, tree in trees.items():
        np.testing.assert_array_equal(tree.feature, trees["majority"].feature, err_msg=name)
        np.testing.assert_array_equal(tree.level_branch, trees["majority"].level_branch)
        np.testing.assert_allclose(tree.value, trees["majority"].value)


def test_weight_zero_is_absence(form):
    frame, _, y = mixed_table(2, 150, 2)
    w = (np.arange(150) % 3 > 0).astype(float)
    rows = np.flatnonzero(w)
    whole = MDTreeClassifier(categorical=form).fit(frame, y, w)
    part = MDTreeClassifier(categorical=form).fit(frame.iloc[rows], y[rows])
    np.testing.assert_array_equal(
        whole.predict_proba(frame.iloc[rows]), part.predict_proba(frame.iloc[rows])
    )


# -- awkward levels ---------------------------------------------------------------


def test_a_level_per_row(form):
    n = 400
    frame = pd.DataFrame({"id": [f"row {i:03d}" for i in range(n)]})
    y = np.random.default_rng(0).integers(0, 2, n)
    model = MDTreeClassifier(categorical=form, max_depth=3).fit(frame, y)
    if form != "equality":
        assert (model.predict(frame) == y).all(), "one test tells all rows apart"
        assert model.get_depth() == 1
        assert model.get_n_leaves() == (n if form == "multiway" else 2)
    else:
        assert model.get_n_leaves() == 4
    assert len(export_text(model)) < 100 * model.tree_.n_nodes
    unseen = model.predict_proba(pd.DataFrame({"id": ["somebody else"]}))
    assert unseen.sum() == pytest.approx(1)


def test_thousands_of_levels(form):
    rng = np.random.default_rng(1)
    codes = rng.integers(0, 3000, 8000)
    effect = rng.normal(size=3000)
    frame = pd.DataFrame({"shop": [f"shop {c}" for c in codes], "x": rng.normal(size=8000)})
    model = MDTreeRegressor(categorical=form, max_depth=2, min_samples_leaf=1)
    model.fit(frame, effect[codes])
    if form == "subset":
        assert model.score(frame, effect[codes]) > 0.8
    if form == "multiway":
        assert model.score(frame, effect[codes]) == pytest.approx(1)
        assert model.tree_.n_children[0] == len(set(codes))


@pytest.mark.parametrize("levels", [["only"], ["only", None]])
def test_one_level(name, form, levels):
    frame = pd.DataFrame({"c": (levels * 20)[:20], "x": np.arange(20.0)})
    y = np.arange(20) >= 10
    model = fitted(name, frame, y, categorical=form)
    assert (model.predict(frame) == y).mean() > 0.7
    assert not np.isin(model.tree_.kind, (SUBSET, MULTIWAY)).any()


def test_levels_that_look_alike(form):
    """Case, blanks and type tell levels apart; text that looks missing is a level."""
    values = ["Yes", "yes", "yes ", " yes", 1, "1", 1.0, True, "nan", "?", "None", None]
    column = pd.Series(values * 4, dtype=object)
    frame = pd.DataFrame({"c": column})
    y = np.array([repr(v) for v in values] * 4)
    y[y == "1.0"] = "1"  # 1 and 1.0 are the same number
    model = MDTreeClassifier(categorical=form).fit(frame, y)
    assert (model.predict(frame) == y).all()
    assert len(model.schema_.levels[0]) == 10


def test_levels_that_are_declared_but_unused(form):
    declared = pd.CategoricalDtype(["a", "b", "never", "c"])
    frame = pd.DataFrame({"c": pd.Series(list("abc") * 10, dtype=declared)})
    y = np.array([0, 1, 2] * 10)
    model = MDTreeClassifier(categorical=form).fit(frame, y)
    assert model.schema_.levels[0] == ("a", "b", "c")
    never = pd.DataFrame({"c": pd.Series(["never"], dtype=declared)})
    plain = pd.DataFrame({"c": ["never before"]})
    np.testing.assert_array_equal(model.predict_proba(never), model.predict_proba(plain))


def test_categories_as_labels(form):
    frame, y = make_frame(0)
    labels = pd.Series(pd.Categorical(y, categories=["yes", "maybe", "no"]))
    model = MDTreeClassifier(categorical=form).fit(frame, labels)
    assert model.classes_.tolist() == ["no", "yes"]
    plain = MDTreeClassifier(categorical=form).fit(frame, y)
    assert plain.tree_ == model.tree_
    with pytest.raises(ValueError, match="missing_label"):
        MDTreeClassifier().fit(frame, labels.where(labels.index > 0))


NAMES = ["$cost_{", "a_b", "<b>", "🌳", "x" * 200, "x" * 199 + "y", "new\nline"]


def test_awkward_names(form):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({name: rng.choice(["$1", "<2>", "_3_", "🌱"], 80) for name in NAMES})
    y = (frame[NAMES[4]] == "🌱").to_numpy() | (frame[NAMES[0]] == "$1").to_numpy()
    model = MDTreeClassifier(categorical=form).fit(frame, y)
    assert (model.predict(frame) == y).all()
    text = export_text(model)
    assert NAMES[4] in text
    assert "$cost_{" in text
    assert "🌱" in text


def test_dates_are_refused_with_advice():
    frame = pd.DataFrame({"when": pd.date_range("2026-01-01", periods=6)})
    with pytest.raises(TypeError, match=r"'when' holds dates.*dayofyear"):
        MDTreeClassifier().fit(frame, [0, 1] * 3)


def test_codes_and_text_give_the_same_tree(form):
    """Only the order of levels matters, not what they are."""
    frame, X, y = mixed_table(3, 150, 3)
    codes = frame.copy()
    for column in "cd":
        codes[column] = pd.Categorical(frame[column].cat.codes.replace(-1, np.nan))
    one = MDTreeClassifier(categorical=form).fit(frame, y).tree_
    other = MDTreeClassifier(categorical=form).fit(codes, y).tree_
    np.testing.assert_array_equal(one.level_branch, other.level_branch)
    np.testing.assert_array_equal(one.value, other.value)
    assert X.shape[1] == 4


@pytest.mark.parametrize("categorical", ["multiway", "every_level"])
def test_more_levels_than_a_table_of_branches_can_tell(categorical):
    X = pd.DataFrame({"town": [f"t{i:05d}" for i in range(32_767)]})
    y = np.arange(len(X)) % 2
    with pytest.raises(ValueError, match="'town' has 32767 levels.*choose categorical='subset'"):
        MDTreeClassifier(categorical=categorical, max_depth=1).fit(X, y)
    fewer = MDTreeClassifier(categorical=categorical, max_depth=1).fit(X[1:], y[1:])
    assert (fewer.predict(X[1:]) == y[1:]).all()
