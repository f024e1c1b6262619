"""Gain ratio by C4.5's rules: its printed numbers, its whole trees, and each rule alone."""

import json
from pathlib import Path

import naive
import numpy as np
import pandas as pd
import pytest
from data import make_xy
from test_growth import mixed_table

from mdtree_nb import MDTreeClassifier, load, split_table
from mdtree_nb.presets import c45
from mdtree_nb.prunings.pessimistic import expected_errors
from mdtree_nb.strategies import all_strategies
from mdtree_nb.tree.criteria import Bests, GainRatio
from mdtree_nb.tree.kernels.codes import MULTIWAY

GOLDEN = json.loads((Path(__file__).parent / "golden" / "golden.json").read_text())
C45 = {
    "criterion": "gain_ratio",
    "missing": "fractional",
    "categorical": "every_level",
    "splits": "training",
    "min_samples_split": 4,
    "min_samples_leaf": 2,
}


def bests_of(gain, info, tries=1.0, is_threshold=False, weight=14.0, n_levels=3, n_rows=14):
    gain = np.atleast_2d(np.asarray(gain, dtype=float))
    shape = gain.shape
    return Bests(
        gain,
        np.broadcast_to(np.asarray(info, dtype=float), shape),
        np.broadcast_to(np.asarray(tries, dtype=float), shape),
        np.broadcast_to(is_threshold, shape),
        np.full(shape[0], weight),
        np.broadcast_to(n_levels, shape[1:]),
        n_rows,
    )


def chosen(criterion, bests):
    return int(criterion.choose(bests, criterion.gains(bests))[0])


# -- PlayTennis with holes --------------------------------------------------------


def test_gains_and_ratios_of_play_tennis():
    golden = GOLDEN["c45_playtennis"]["table2_missing"]["per_attribute"]
    data = load("playtennis_missing")
    table = split_table(
        data.X, data.y, "fractional", criterion="gain_ratio", categorical="every_level",
        min_samples_leaf=2,
    )  # fmt: skip
    gains = table.set_index("feature")["gain"]
    for name, numbers in golden.items():
        assert gains[name] == pytest.approx(numbers["gain"])
    gain = [golden[name]["gain"] for name in data.X.columns]
    info = [golden[name]["splitinfo"] for name in data.X.columns]
    bests = bests_of(gain, info)
    assert data.X.columns[chosen(GainRatio(), bests)] == "Outlook"
    average = np.mean(gain)
    assert average == pytest.approx(GOLDEN["c45_playtennis"]["average_gain_table2"])
    assert [g >= average - 1e-3 for g in gain] == [True, False, False, False]


def test_the_whole_tree_of_play_tennis():
    data = load("playtennis_missing")
    model = MDTreeClassifier(**C45).fit(data.X, data.y)
    tree = model.tree_
    assert [tree.schema.names[f] for f in tree.feature[~tree.is_leaf]] == ["Outlook", "Wind"]
    yes = list(model.classes_).index("Yes")
    weights = {tree.condition(v): tree.weight[v] * tree.value[v, yes] for v in (1, 2, 3)}
    golden = GOLDEN["c45_playtennis"]["children_of_Outlook"]
    for level, numbers in golden.items():
        assert weights[f"Outlook = {level}"] == pytest.approx(numbers["Yes"])
    for query in GOLDEN["c45_playtennis"]["queries_P_Yes"]:
        row = dict.fromkeys(data.X.columns) | query["query"]
        frame = pd.DataFrame([row], columns=data.X.columns, dtype=object)
        assert model.predict_proba(frame)[0, yes] == pytest.approx(query["P_Yes"])


# -- numbers ----------------------------------------------------------------------


@pytest.mark.parametrize("column", ["x", "z"])
def test_threshold_cost_and_stored_threshold(column):
    golden = GOLDEN["c45_numeric"]
    X = pd.DataFrame({column: golden[column]}, dtype=float)
    y = np.array(golden["y"])
    wanted = golden[f"{column}_eval"]
    model = MDTreeClassifier(**C45, max_depth=1).fit(X, y)
    tree = model.tree_
    assert tree.threshold[0] == wanted["stored_threshold"]
    assert tree.gain[0] == pytest.approx(wanted["gain_after_cost"])
    midpoint = MDTreeClassifier(**{**C45, "splits": "exact"}, max_depth=1).fit(X, y).tree_
    assert midpoint.threshold[0] == wanted["best_midpoint"]
    free = MDTreeClassifier(**{**C45, "criterion": GainRatio(threshold_cost=False)}, max_depth=1)
    gain = free.fit(X, y).tree_.gain[0]
    assert gain - np.log2(wanted["tries"]) / len(y) == pytest.approx(wanted["gain_after_cost"])
    assert wanted["threshold_cost"] == pytest.approx(np.log2(wanted["tries"]) / len(y))


def test_a_stored_threshold_may_come_from_another_node():
    """The largest training value that is not above half-way, whoever has it."""
    X = np.array([[0, 1.0], [0, 1.0], [0, 5.0], [0, 5.0], [1, 2.0], [1, 2.9], [1, 4.0], [1, 2.0]])
    y = np.array([0, 0, 1, 1, 2, 2, 2, 2])
    trees = {
        splits: MDTreeClassifier(splits=splits).fit(X, y).tree_
        for splits in ("exact", "observed", "training")
    }
    node = int(np.flatnonzero(trees["exact"].feature == 1)[0])
    found = {splits: tree.threshold[node] for splits, tree in trees.items()}
    assert found == {"exact": 3.0, "observed": 1.0, "training": 2.9}
    for tree in trees.values():
        assert (tree.weight == trees["exact"].weight).all()


def test_sides_need_a_tenth_of_the_average_class():
    X = np.arange(200.0)[:, None]
    y = (np.arange(200) < 4).astype(int)  # four rows would be enough for min_samples_leaf
    options = {**C45, "max_depth": 1}
    assert MDTreeClassifier(**options).fit(X, y).tree_.threshold[0] == 9  # 0.1 * 200 / 2 = 10
    free = {**options, "criterion": GainRatio(minimum_side=False)}
    assert MDTreeClassifier(**free).fit(X, y).tree_.threshold[0] == 3
    many = np.arange(2000.0)[:, None]
    labels = (np.arange(2000) < 4).astype(int)
    assert MDTreeClassifier(**options).fit(many, labels).tree_.threshold[0] == 24, "at most 25"


# -- choosing between columns -----------------------------------------------------


def test_the_average_gain_keeps_small_ratios_out():
    bests = bests_of([0.30, 0.02], [1.0, 0.01])
    assert chosen(GainRatio(), bests) == 0, "the second gains less than the average"
    assert chosen(GainRatio(average_gain=False), bests) == 1
    assert chosen(GainRatio(), bests_of([0.3, 0.3], [1.0, 1.0])) == 0, "first of equals"


def test_columns_of_many_levels_do_not_count_for_the_average():
    gain, info = [0.9, 0.2, 0.3], [3.0, 0.2, 0.9]
    assert chosen(GainRatio(), bests_of(gain, info, n_levels=np.array([2, 2, 2]))) == 0
    many = bests_of(gain, info, n_levels=np.array([12, 2, 2]))  # the average is 0.25 then
    assert chosen(GainRatio(), many) == 2
    everywhere = bests_of(gain, info, n_levels=np.array([12, 12, 12]))
    assert chosen(GainRatio(), everywhere) == 0


def test_two_branches_are_enough():
    X = pd.DataFrame({"c": ["a"] * 5 + ["b"] * 5 + ["c"]})
    y = [0] * 5 + [1] * 5 + [0]
    tree = MDTreeClassifier(**C45).fit(X, y).tree_
    assert tree.n_children[0] == 3
    strict = {**C45, "criterion": GainRatio(two_branches=False)}
    assert MDTreeClassifier(**strict).fit(X, y).tree_.n_nodes == 1
    one = {**C45, "min_samples_leaf": 6, "min_samples_split": 2}
    assert MDTreeClassifier(**one).fit(X, y).tree_.n_nodes == 1, "no two have six"


def test_a_level_that_no_row_has_gets_a_child_that_answers_as_its_parent():
    X = pd.DataFrame({"a": [0] * 6 + [1] * 6, "c": list("xxxyyyxxxzzz")})
    y = [0, 0, 0, 0, 1, 1, 2, 2, 2, 2, 3, 3]
    model = MDTreeClassifier(categorical="every_level", missing="fractional").fit(X, y)
    tree = model.tree_
    for v in np.flatnonzero(tree.kind == MULTIWAY):
        assert tree.n_children[v] == 3
        for child in tree.children(v):
            if tree.rows[child] == 0:
                assert tree.weight[child] == 0
                assert tree.share[child] == 0
                assert tree.value[child].max() == 1
                assert tree.value[child].argmax() == tree.value[v].argmax()
    assert (tree.rows == 0).any()


# -- whole trees ------------------------------------------------------------------


def frame_of(rows, kinds):
    X = np.array([[np.nan if v is None else v for v in row] for row in rows], dtype=float)
    columns = {}
    for f, k in enumerate(kinds):
        columns[f"x{f}"] = X[:, f]
        if k:
            codes = np.where(np.isnan(X[:, f]), -1, X[:, f]).astype(int)
            columns[f"x{f}"] = pd.Categorical.from_codes(codes, [f"level {i}" for i in range(k)])
    return pd.DataFrame(columns)


@pytest.mark.parametrize("case", GOLDEN["c45_end_to_end"]["cases"], ids=lambda c: str(c["seed"]))
@pytest.mark.parametrize("pruned", [False, True])
def test_trees_of_c45_release_8(case, pruned):
    """Size before and after pruning, estimate, and the class weights of every test row."""
    kinds = case["kinds(0=numeric,k=categories)"]
    model = c45(pruned=pruned).fit(frame_of(case["X"], kinds), np.array(case["y"]))
    assert model.tree_.n_nodes == case["pruned_size" if pruned else "raw_size"]
    shares = model.predict_proba(frame_of(case["X_test"], kinds))
    np.testing.assert_allclose(shares, case["P_pruned" if pruned else "P_unpruned"], atol=1e-8)
    if pruned:
        estimate = expected_errors(model.tree_, 0.25)[0] / model.tree_.weight[0]
        assert 100 * estimate == pytest.approx(case["estimate_percent"], abs=0.05)


@pytest.mark.parametrize("strategy", ["fractional", "majority", "learned", "own_child", "right"])
@pytest.mark.parametrize("categorical", ["equality", "subset", "multiway", "every_level"])
def test_compiled_sweeps_and_listed_cuts_give_the_same_tree(strategy, categorical):
    base = all_strategies()[strategy]
    swept = type("Swept", (base,), {"plain": False, "name": ""})
    listed = type("Listed", (base,), {"mode": None, "plain": False, "name": ""})
    criteria = [GainRatio(), GainRatio(average_gain=False, threshold_cost=False)]
    criteria.append(GainRatio(minimum_side=False, two_branches=False))
    if strategy != "fractional":  # they ask of every branch what fractional cases ask of two
        criteria = [GainRatio(two_branches=False), GainRatio(False, False, True, False)]
    for seed in range(3):
        frame, _, y = mixed_table(seed, 120, 3, levels=6)
        for criterion in criteria:
            options = {"criterion": criterion, "categorical": categorical, "min_samples_leaf": 2}
            trees = [
                MDTreeClassifier(missing=s(), max_depth=5, **options).fit(frame, y).tree_
                for s in (base, swept, listed)
            ]
            for tree in trees[1:]:
                assert naive.same_tree(naive.as_nested(trees[0]), naive.as_nested(tree)) is None


def test_laws_hold_with_every_level():
    for name, cls in all_strategies().items():
        if not cls.conserves:  # they have laws of their own
            continue
        for seed in range(2):
            frame, _, y = mixed_table(seed, 150, 3, levels=7)
            if name == "discard":
                frame = frame.fillna({"a": 0.0, "b": 0.0})
            model = MDTreeClassifier(missing=name, categorical="every_level", max_depth=4)
            tree = model.fit(frame, y).tree_
            for v in np.flatnonzero(~tree.is_leaf):
                kids = tree.children(v)
                known, missing = tree.weight[v] - tree.missing_weight[v], tree.missing_weight[v]
                copies = np.count_nonzero(tree.share[kids])  # a level without rows gets none
                missing *= {"stop": 0, "both_children": copies}.get(name, 1)
                assert tree.weight[kids].sum() == pytest.approx(known + missing)
                assert tree.arrived_missing[kids].sum() == pytest.approx(missing)
            if name != "discard":
                arrived = np.ones(len(y)) @ model.decision_path(frame)
                weight = np.concatenate([its.weight for its in model.trees_])
                np.testing.assert_allclose(np.asarray(arrived).ravel(), weight, rtol=1e-9)
            np.testing.assert_allclose(model.predict_proba(frame).sum(axis=1), 1)


def test_it_is_for_classes():
    X, y = make_xy(0)
    model = MDTreeClassifier(criterion="gain_ratio").fit(X, y)
    assert model.get_n_leaves() > 2
    assert model.get_params()["criterion"] == "gain_ratio"
    tuned = MDTreeClassifier(criterion=GainRatio()).set_params(criterion__average_gain=False)
    assert tuned.criterion.average_gain is False
