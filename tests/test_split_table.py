"""split_table: its first line is the tree's split, the others are all other cuts."""

import math

import naive
import numpy as np
import pandas as pd
import pytest
from data import make_frame, make_xy
from sklearn.exceptions import DataConversionWarning

from mdtree_nb import (
    MDTreeClassifier,
    MDTreeRegressor,
    StrategyNotApplicable,
    export_json,
    import_json,
    load,
    split_table,
)
from mdtree_nb.strategies import Strategy, Surrogate, all_strategies
from mdtree_nb.tree.criteria import Gini
from mdtree_nb.tree.kernels.codes import BY_RULE, EQUALS, IS_MISSING, MULTIWAY, SUBSET, THRESHOLD

CATEGORICAL = ("subset", "equality", "multiway", "every_level")


class StopsHere(Strategy):
    """Missing rows go nowhere."""

    name = "stops_here"
    mode = "known"
    plain = True
    by_rule = True

    def missing_shares(self, tree):
        return np.zeros(tree.n_nodes)


class Copies(StopsHere):
    """Missing rows go everywhere, whole; no mode, so that every cut is scored."""

    name = "copies"
    mode = None
    plain = False
    divides = True
    conserves = False

    def missing_shares(self, tree):
        return np.minimum(np.arange(tree.n_nodes), 1.0)


class RowByRow(Strategy):
    """Missing rows are asked one by one; columns with holes are closed below the root."""

    name = "row_by_row"
    by_rule = True

    def features(self, known, rows):
        return np.where(rows[:, None] < 60, known == rows[:, None], True)

    def route(self, tree, node, table, rows):
        return np.eye(len(tree.children(node)))[rows % 2]


TOYS = {cls.name: cls for cls in (StopsHere, Copies, RowByRow)}
STRATEGIES = {**all_strategies(), **TOYS}


def assert_first_line_is_the_split(tree, v, table):
    first, kind = table.iloc[0], int(tree.kind[v])
    f, children = int(tree.feature[v]), tree.children(v)
    child = next(c for c in children if tree.share[c] > 0)  # a level may have no row here
    levels = tree.schema.levels[f]
    assert first["feature"] == tree.schema.names[f]
    assert first["test"] == tree.condition(child)
    assert first["gain"] == pytest.approx(tree.gain[v], rel=1e-9)
    assert math.isnan(first["threshold"]) == (kind != THRESHOLD)
    if kind == THRESHOLD:
        assert first["threshold"] == tree.threshold[v]
    if kind in (SUBSET, MULTIWAY):
        assert first["levels"] == tree.levels_to(child)
    if kind == EQUALS:
        assert first["levels"] == (levels[int(tree.threshold[v])],)
    branch = int(tree.missing_branch[v])
    if branch == BY_RULE:
        assert first["missing_to"] in ("shares", "stops here", "every child", "row by row")
    elif branch == tree.n_branches[v]:
        assert first["missing_to"] == "own child"
    elif kind == MULTIWAY:
        assert first["missing_to"] == str(tree.levels_to(tree.children(v)[branch])[0])
    else:
        assert first["missing_to"] == ("left", "right")[branch]
    assert first["missing"] == pytest.approx(tree.missing_weight[v])
    known = first["left"] + first["right"]
    assert known + first["missing"] == pytest.approx(tree.weight[v])
    if kind != IS_MISSING:
        assert first["left"] == pytest.approx(known * tree.share[child])


def falls(gain):
    """Do gains never rise, but for rounding?"""
    return bool((np.diff(gain) <= 1e-12).all())


def assert_law(model, X, y, w=None, limits=False):
    tree = model.tree_
    for v in range(tree.n_nodes):
        table = model.split_table(X, y, v, w)
        assert falls(table["gain"][1:])
        assert np.isfinite(table["gain"]).all()
        if not tree.is_leaf[v]:
            assert_first_line_is_the_split(tree, v, table)
        elif not limits:
            assert not (table["gain"] > 0).any()


@pytest.mark.parametrize("categorical", CATEGORICAL)
@pytest.mark.parametrize("criterion", ["gini", "entropy", "squared_error"])
@pytest.mark.parametrize("name", sorted(STRATEGIES))
def test_the_first_line_is_the_split_at_every_node(name, criterion, categorical):
    cls = MDTreeRegressor if criterion == "squared_error" else MDTreeClassifier
    if name == "lpe" and cls is MDTreeRegressor:
        pytest.skip("there are no classes")
    for seed in (0, 1):
        X, y = make_frame(seed, 70)
        if criterion != "gini":
            X = X.round(1)  # ties
        if criterion == "squared_error":
            y = X["b"].fillna(1.0) + (X["colour"] == "red")
        elif seed:
            y = np.where(X["size"] == "L", "maybe", y)  # three classes
        w = np.random.default_rng(seed).uniform(0.2, 3.0, len(X)) if seed else None
        options = {"max_features": 3, "random_state": seed} if seed else {}
        model = cls(
            missing=STRATEGIES[name](),
            criterion=criterion,
            categorical=categorical,
            min_samples_leaf=3,
            min_samples_split=6,
            max_depth=4 if name in TOYS else 2 if STRATEGIES[name]().fills else None,
            **options,
        ).fit(X, y, w)
        assert model.tree_.n_nodes > 1
        assert_law(model, X, y, w, limits=True)


@pytest.mark.parametrize("name", sorted(all_strategies()))
def test_a_leaf_that_could_grow_has_no_cut_that_helps(name):
    X, y = make_xy(3, n=40, rate=0.1, ties=True)
    assert_law(MDTreeClassifier(missing=name).fit(X, y), X, y)


@pytest.mark.parametrize("splits", ["exact", "observed", "training", "below"])
@pytest.mark.parametrize("missing", ["left", "learned", "fractional", "surrogate"])
def test_thresholds_are_where_the_tree_has_them(missing, splits):
    X, y = make_frame(4, 90)
    model = MDTreeClassifier(missing=missing, splits=splits, min_samples_leaf=3).fit(X.round(1), y)
    assert_law(model, X.round(1), y, limits=True)


def test_a_pruned_tree_and_one_with_limits():
    X, y = make_xy(5, n=120)
    model = MDTreeClassifier(ccp_alpha=0.02, min_weight_fraction_leaf=0.05).fit(X, y)
    assert 1 < model.tree_.n_nodes < MDTreeClassifier().fit(X, y).tree_.n_nodes
    assert_law(model, X, y, limits=True)
    stump = MDTreeClassifier(max_depth=1).fit(X, y)
    assert stump.split_table(X, y, 1)["gain"].iloc[0] > 0  # though the tree stops there


def test_dropped_labels_and_rows_of_no_weight_are_left_out():
    X, y = make_xy(6)
    labels = np.where(np.arange(60) < 10, np.nan, y)
    w = np.where(np.arange(60) < 20, 0.0, 1.0)
    model = MDTreeClassifier(missing_label="drop", class_weight={0: 1.0, 1: 3.0}).fit(X, labels, w)
    assert_law(model, X, labels, w)
    plain = split_table(X, y, sample_weight=w)
    pd.testing.assert_frame_equal(plain, split_table(X[20:], y[20:]))


@pytest.mark.parametrize("categorical", CATEGORICAL)
@pytest.mark.parametrize("strategy", ["left", "right", "learned", "own_child", "fractional"])
def test_all_cuts_are_there_with_the_gains_of_the_twin(strategy, categorical):
    frame, y = make_frame(2, 50)
    frame = frame.round(1)
    w = np.random.default_rng(2).uniform(0.5, 2.0, 50)
    table = split_table(
        frame, y, strategy, categorical=categorical, sample_weight=w, min_samples_leaf=4
    )
    model = MDTreeClassifier().fit(frame, y)
    X, codes = model._read(frame).values, (y == "yes").astype(int)
    test = {"equality": "equals", "every_level": "multiway"}.get(categorical, categorical)
    rows = [(r, 1.0) for r in range(50)]
    wanted = {}
    for f, name in enumerate(frame):
        kind = "threshold" if f < 4 else test
        gains = []
        for its_kind, _, sides, missing in naive.candidates(X, rows, f, kind, codes, w):
            if its_kind == "alone" and strategy not in ("left", "right", "learned"):
                continue
            if its_kind == "alone" and strategy == "left":
                continue
            gain, _ = naive.score(strategy, sides, missing, rows, codes, w, "gini", 4)
            if gain > -math.inf:
                gains.append(gain)
        wanted[name] = sorted(gains, reverse=True)
    for name, gains in wanted.items():
        mine = table.loc[table["feature"] == name, "gain"].to_list()
        if test == "multiway" and name in ("colour", "size") and strategy == "learned":
            assert len(mine) >= len(gains)  # once for each branch that missing rows may join
            assert mine[:1] == pytest.approx(gains[:1])
        else:
            assert mine == pytest.approx(gains, abs=1e-12)
    assert falls(table["gain"])


@pytest.mark.parametrize("strategy", ["left", "learned", "own_child", "fractional", "stop"])
def test_levels_that_no_row_of_a_node_has(strategy):
    """Every level has a child; without the compiler, writing beyond the tables is an error."""
    levels = [f"l{i:02d}" for i in range(40)]
    X = pd.DataFrame({"c": [*"qpptqqtp", None, None, *levels]})
    y = [{"q": 0.0, "p": 5.0, "t": 9.0}.get(level, 9.0) for level in X["c"]]
    w = [1] * 10 + [0] * 40
    model = MDTreeRegressor(categorical="every_level", missing=strategy).fit(X, y, w)
    assert_law(model, X, y, w)
    first = model.split_table(X, y, sample_weight=w).iloc[0]
    assert first["test"].startswith("c = p")
    if strategy in ("left", "learned"):
        assert first["missing_to"] == {"left": "p", "learned": "t"}[strategy]


def test_equal_gains_keep_the_order_of_growing():
    X = np.array([[0, 0], [0, 1], [1, 0], [1, 1]] * 3, dtype=float)
    xor = split_table(X, X[:, 0] != X[:, 1])
    assert xor["gain"].to_list() == [0.0, 0.0]  # a tree does not look ahead
    assert xor["feature"].to_list() == ["x0", "x1"]
    twice = split_table(X[:, [1, 1]], X[:, 1])
    assert twice["feature"].to_list() == ["x0", "x1"]
    assert twice["gain"].to_list() == [0.5, 0.5]


def test_the_criterion_chooses_the_column():
    class Last(Gini):
        """Takes the last column that has a cut."""

        def choose(self, bests, gains):
            return gains.shape[1] - 1 - np.isfinite(gains)[:, ::-1].argmax(axis=1)

    X, y = make_xy(1)
    model = MDTreeClassifier(criterion=Last(), max_depth=2).fit(X, y)
    assert model.tree_.feature[0] == 3
    assert_law(model, X, y, limits=True)
    table = split_table(X, y, criterion=Last())
    assert table["feature"][0] == "x3"
    assert falls(table["gain"][1:])


def test_words_for_where_missing_rows_go():
    X, y = make_frame(0)
    tables = {name: split_table(X, y, cls()) for name, cls in STRATEGIES.items()}
    where = {name: set(t.loc[t["missing"] > 0, "missing_to"]) for name, t in tables.items()}
    assert where["fractional"] == {"shares"}
    assert where["stops_here"] == {"stops here"}
    assert where["copies"] == {"every child"}
    assert where["row_by_row"] == {"row by row"}
    assert where["surrogate"] == {"row by row"}
    recorded_only = split_table(X, y, Surrogate(use_surrogates=0))
    assert set(recorded_only["missing_to"]) == {"stops here"}
    assert where["left"] == {"left"}
    assert where["right"] == {"right"}
    assert where["own_child"] == {"own child"}
    assert where["learned"] == {"left", "right"}
    multiway = split_table(X, y, categorical="multiway", feature="colour")
    assert set(multiway["missing_to"]) == {"blue", "green", "red", "right"}
    assert set(multiway["test"]) == {
        "colour = blue", "colour = blue or missing", "colour is known",
    }  # fmt: skip


def test_sides_add_up_to_the_gain():
    """With nothing missing: gain = impurity - shares times impurities of the sides."""
    iris = load("iris")
    for categorical in CATEGORICAL:
        X = iris.X.assign(kind=pd.cut(iris.X.iloc[:, 2], [0, 2, 4, 5, 9], labels=list("abcd")))
        table = split_table(X, iris.y, categorical=categorical)
        assert (table["left"] + table["right"] == 150).all()
        inside = table["left"] * table["left_impurity"] + table["right"] * table["right_impurity"]
        np.testing.assert_allclose(table["gain"], 2 / 3 - inside / 150, atol=1e-12)


def penguins():
    data = load("penguins")
    measured = data.X.select_dtypes("number").notna().all(axis=1)
    return data.X[measured], data.y[measured]


def test_penguins():
    X, y = penguins()
    table = split_table(X, y)
    assert len(X) == 342
    best = table.drop_duplicates("feature").set_index("feature")
    for feature, threshold, gain in [
        ("flipper_length_mm", 206.5, 0.3335),
        ("bill_length_mm", 42.35, 0.3111),
        ("bill_depth_mm", 16.45, 0.2940),
        ("body_mass_g", 4525, 0.2501),
    ]:
        assert best.loc[feature, "threshold"] == pytest.approx(threshold)
        assert round(best.loc[feature, "gain"], 4) == gain
    top = table.iloc[0]
    assert (top["left"], top["right"]) == (213, 129)
    assert round(top["left_impurity"], 4) == 0.4232  # Gini of 149, 63 and 1


@pytest.mark.parametrize(
    "strategy, threshold, gain", [("left", 77, 0.0712), ("right", 64.5, 0.0789)]
)
def test_the_side_moves_the_cut_of_the_horses_pulse(strategy, threshold, gain):
    data = load("horse_colic")
    table = split_table(data.X, data.y == "lived", strategy, feature="Pulse")
    assert table["threshold"][0] == threshold
    assert round(table["gain"][0], 4) == gain
    assert table["missing_to"][0] == strategy


def test_levels_of_the_horses_pain():
    data = load("horse_colic")
    known = data.X["Pain"].notna()
    X, y = data.X[known], data.y[known] == "lived"
    equality = split_table(X, y, feature="Pain", categorical="equality")
    subset = split_table(X, y, feature="Pain")
    assert round(equality["gain"][0], 4) == 0.0424
    assert round(subset["gain"][0], 4) == 0.0935
    assert set(subset["levels"][0]) == {"severe", "cont. severe", "depressed"}
    assert len(subset) == 4  # in the order of shares, of 15 groupings


def test_horses_without_temperature_and_the_complete_column():
    data = load("horse_colic")
    table = split_table(data.X, data.y == "lived")
    line = table[table["test"] == "RectalTemp is known"].iloc[0]
    assert (round(line["gain"], 4), line["missing"]) == (0.0127, 69)
    surgery = table[table["feature"] == "Surgery"]
    assert round(surgery["gain"].iloc[0], 4) == 0.0169
    assert table["test"][0] == "Pulse <= 64.5"


@pytest.mark.parametrize(
    "strategy, gains",
    [
        ("learned", {"x0 <= 2.5": 0.48, "x0 is known": 0.08}),
        ("right", {"x0 <= 2.5": 0.48, "x0 <= 4": 0.08}),
        ("left", {"x0 <= 2.5 or missing": 0.2133}),
    ],
)
def test_five_values(strategy, gains):
    X = np.array([[1, 2, np.nan, 3, 4]]).T
    table = split_table(X, [0, 0, 1, 1, 1], strategy).set_index("test")["gain"]
    assert table.index[0] == next(iter(gains))
    assert table[list(gains)].round(4).to_dict() == gains


@pytest.mark.parametrize(
    "strategy, gains",
    [
        ("learned", {"x0 <= 3.5 or missing": 0.3086, "x0 is known": 0.0123}),
        ("right", {"x0 <= 3.5": 0.1975, "x0 <= 6": 0.0123}),
    ],
)
def test_nine_values(strategy, gains):
    X = np.array([[1, 2, 3, 4, 5, 6, np.nan, np.nan, np.nan]]).T
    table = split_table(X, [0, 0, 0, 1, 1, 1, 0, 0, 1], strategy).set_index("test")["gain"]
    assert table.index[0] == next(iter(gains))
    assert table[list(gains)].round(4).to_dict() == gains


def test_one_column_is_a_part_of_the_table():
    X, y = make_frame(4)
    whole = split_table(X, y, "mean")
    for f, name in enumerate(X):
        part = whole[whole["feature"] == name].reset_index(drop=True)
        pd.testing.assert_frame_equal(split_table(X, y, "mean", feature=name), part)
        pd.testing.assert_frame_equal(split_table(X, y, "mean", feature=f), part)


def test_regression_is_guessed_or_told():
    X, y = make_xy(0, task="regression")
    tree = MDTreeRegressor(max_depth=1).fit(X, y).tree_
    assert split_table(X, y)["gain"][0] == pytest.approx(tree.gain[0])
    X, y = make_xy(0)
    tree = MDTreeRegressor(max_depth=1).fit(X, y).tree_
    assert split_table(X, y, task="regression")["gain"][0] == pytest.approx(tree.gain[0])
    assert split_table(X, y)["gain"][0] == pytest.approx(2 * tree.gain[0])  # Gini is twice as much
    with pytest.warns(DataConversionWarning):
        assert split_table(X, pd.DataFrame({"y": y})).equals(split_table(X, y))
    with pytest.raises(ValueError, match=r"should be a 1d array, got an array of shape \(60, 2\)"):
        split_table(X, np.column_stack([y, y]))


@pytest.mark.parametrize("X", [np.full((4, 1), 7.0), np.full((4, 1), np.nan)])
def test_nothing_to_cut_is_an_empty_table(X):
    table = split_table(X, [0, 1, 0, 1])
    assert len(table) == 0
    assert list(table) == list(split_table(np.arange(4.0)[:, None], [0, 1, 0, 1]))
    assert table["gain"].dtype == float


def test_a_model_is_not_changed_by_looking():
    X, y = make_frame(1)
    model = MDTreeClassifier(max_depth=3).fit(X, y)
    tree, state = model.tree_, dict(vars(model))
    model.split_table(X, y, 2)
    assert model.tree_ is tree
    assert dict(vars(model)) == state


def test_bad_input():
    X, y = make_xy(0)
    with pytest.raises(ValueError, match="feature='x9' is no column; choose one of 'x0', 'x1'"):
        split_table(X, y, feature="x9")
    with pytest.raises(ValueError, match="a number from 0 to 3"):
        split_table(X, y, feature=4)
    with pytest.raises(ValueError, match="task='both' must be"):
        split_table(X, y, task="both")
    with pytest.raises(ValueError, match="missing='nothing' is not a known strategy"):
        split_table(X, y, "nothing")
    with pytest.raises(ValueError, match="target y is None"):
        split_table(X, None)
    with pytest.raises(StrategyNotApplicable):
        split_table(X[np.isnan(X).any(axis=1)], y[np.isnan(X).any(axis=1)], "discard")
    model = MDTreeClassifier(max_depth=2).fit(X, y)
    with pytest.raises(ValueError, match="node=5 must be a node of the tree, 0 to 4"):
        model.split_table(X, y, 5)
    with pytest.raises(TypeError, match=r"node=1\.0 must be a whole number"):
        model.split_table(X, y, 1.0)


def test_other_rows_than_those_of_training_are_refused():
    X, y = make_xy(0)
    model = MDTreeClassifier().fit(X, y)
    deep = model.tree_.n_nodes - 1
    with pytest.raises(ValueError, match="differ from the training rows in node 0"):
        model.split_table(X[:40], y[:40], deep)
    with pytest.raises(ValueError, match="the classes in y differ"):
        model.split_table(X, y + 1, deep)
    moved = X.copy()
    moved[:, 0] = np.random.default_rng(0).permutation(X[:, 0])
    with pytest.raises(ValueError, match="do not lead to node"):
        model.split_table(moved, y, deep)
    with pytest.raises(ValueError, match="the best cut there is not the tree's"):
        model.split_table(moved, y)
    limited = MDTreeClassifier().fit(X, y).set_params(min_samples_leaf=20)
    with pytest.raises(ValueError, match="under the parameters of that time"):
        limited.split_table(X, y, deep)


def test_columns_that_cannot_be_drawn_again_are_refused_not_guessed():
    X, y = make_xy(0, p=6)
    model = MDTreeClassifier(max_features=1, random_state=np.random.RandomState(3)).fit(X, y)
    with pytest.raises(ValueError, match="fit with a whole number as random_state"):
        model.split_table(X, y)  # the generator has moved on


def test_a_model_that_was_read_from_a_file():
    X, y = make_frame(3)
    model = MDTreeClassifier(missing="fractional", max_depth=3).fit(X, y)
    again = import_json(export_json(model))
    assert_law(again, X, y, limits=True)
