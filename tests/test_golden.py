"""Numbers that were checked against rpart, C4.5, scikit-learn or closed forms."""

import json
from pathlib import Path

import numpy as np
import pytest

from mdtree_nb import MDTreeClassifier
from mdtree_nb import table as tables
from mdtree_nb.schema import Schema
from mdtree_nb.strategies import get_strategy
from mdtree_nb.table import Table
from mdtree_nb.tree import criteria
from mdtree_nb.tree.every_cut import all_cuts
from mdtree_nb.tree.kernels.codes import IS_MISSING
from mdtree_nb.tree.routing import Router
from mdtree_nb.tree.rules import Least
from mdtree_nb.tree.structure import Tree
from mdtree_nb.tree.workspace import Workspace

GOLDEN = json.loads((Path(__file__).parent / "golden" / "golden.json").read_text())


def column(values):
    return np.array(values, dtype=float)[:, None]


def cuts_of(x, y, criterion):
    X, y = column(x), np.array(y, np.uint8)
    work = Workspace(tables.learn(X), y, None, criterion.measure(2), Least(1.0, 0.0), False)
    return all_cuts(work, work.root[0], work.sum_up(work.root)[0], None, True)


def test_mia_gains_of_every_cut():
    case = GOLDEN["mia"]
    cuts = cuts_of(case["x"], case["y"], criteria.Gini())
    gains = {
        "missing_right": cuts.gain(cuts.everything, cuts.left, cuts.right_missing),
        "missing_left": cuts.gain(cuts.everything, cuts.left_missing, cuts.right),
    }
    for side, wanted in case["gains"].items():
        if side == "missing_vs_known":
            at = np.flatnonzero(cuts.alone)
            assert gains["missing_right"][at] == pytest.approx(wanted, abs=1e-6)
        else:
            found = gains[side][~cuts.alone]
            np.testing.assert_allclose(found, list(wanted.values()), atol=1e-6)


def test_mia_best_split():
    case = GOLDEN["mia"]
    tree = MDTreeClassifier(missing="mia", max_depth=1).fit(column(case["x"]), case["y"]).tree_
    assert tree.impurity[0] == pytest.approx(case["parent"])
    assert tree.threshold[0] == case["best"]["threshold"]
    assert tree.missing_branch[0] == 0
    np.testing.assert_allclose(tree.value[1:] * tree.weight[1:, None], [[5, 1], [0, 3]])
    informative = case["informative"]
    tree = MDTreeClassifier(missing="mia").fit(column(informative["x"]), informative["y"]).tree_
    assert tree.kind[0] == IS_MISSING
    assert tree.gain[0] == pytest.approx(informative["gain"])


def test_no_missing_value_in_training():
    case = GOLDEN["no_missing_in_training"]
    for suffix in ("", "2"):
        model = MDTreeClassifier().fit(column(case["x" + suffix]), case["y" + suffix])
        assert model.predict([[np.nan]]) == case["predict_nan" + suffix]


def test_a_missing_label_is_dropped_and_the_gini_index_is_one_half():
    case = GOLDEN["cart_nan_side"]
    X, y = column(case["x"]), np.array(case["y"], dtype=float)
    model = MDTreeClassifier(missing="right", missing_label="drop").fit(X, y)
    assert model.tree_.impurity[0] == pytest.approx(case["corrected_gini_value"])
    assert model.tree_.condition(1) == "x0 <= 2.5"
    assert model.n_dropped_ == 1
    assert (model.tree_.impurity[1:] == 0).all()


def test_means_and_modes():
    strategy = get_strategy("mean")
    case = GOLDEN["imputation"]
    table = tables.learn(column(case["mean"]["x"]))
    filled = strategy.prepare(table, np.zeros(4), None, None)
    np.testing.assert_allclose(filled.tables[0].values[:, 0], case["mean"]["out"])
    words = case["mode"]["x"]
    table = tables.learn(tables.read([[word] for word in words]))
    filled = strategy.prepare(table, np.zeros(4), None, None)
    levels = table.schema.levels[0]
    assert [levels[int(v)] for v in filled.tables[0].values[:, 0]] == case["mode"]["out"]


def figure_1():
    """The tree of Twala et al. 2020, figure 1: A1, A2, A3 with 1 = left, 2 = right."""
    counts = np.array([[30, 10], [17, 1], [13, 9], [2, 5], [11, 4], [4, 2], [7, 2]], float)
    weight = counts.sum(axis=1)
    m = len(counts)
    feature = np.array([0, -1, 1, -1, 2, -1, -1], np.int32)
    first = np.array([1, 0, 3, 0, 5, 0, 0], np.int32)
    parents = [0, 0, 2, 2, 4, 4]
    share = np.r_[1.0, weight[1:] / weight[parents]]
    return Tree(
        schema=Schema(("A1", "A2", "A3"), (None,) * 3, (True,) * 3),
        feature=feature,
        kind=np.zeros(m, np.int8),
        threshold=np.where(feature >= 0, 1.5, np.nan),
        first_child=first,
        n_children=np.where(feature >= 0, 2, 0).astype(np.int32),
        missing_branch=np.full(m, -1, np.int16),
        value=counts / weight[:, None],
        weight=weight,
        rows=weight.astype(np.int64),
        impurity=np.zeros(m),
        gain=np.zeros(m),
        missing_weight=np.zeros(m),
        share=share,
        arrived_missing=np.zeros(m),
        level_start=np.full(m, -1, np.int32),
        level_branch=np.empty(0, np.int16),
    )


@pytest.mark.parametrize("query", GOLDEN["twala_figure1"]["queries"], ids=str)
def test_fractions_of_an_incomplete_row(query):
    """FC and DTPE are one routine, and give the paper's 497/600 for A2 = right."""
    tree = figure_1()
    known = query["known"]
    row = [{"L": 1.0, "R": 2.0}.get(known.get(a), np.nan) for a in ("A1", "A2", "A3")]
    table = Table(np.array([row]), tree.schema)
    answers = {
        name: Router(tree, get_strategy(name)).push(table).mix(tree.value)[0, 0]
        for name in ("fractional", "dtpe")
    }
    assert answers["fractional"] == answers["dtpe"] == pytest.approx(query["FC"])
    assert query["FC"] == pytest.approx(query["DTPE"])
    if known == {"A2": "R"}:
        assert answers["dtpe"] == pytest.approx(497 / 600)


def test_fractions_by_hand():
    """Three classes, two columns: shares of 4/10 and 6/10 at the root, 4/6 and 2/6 below."""
    X = np.array(
        [[1, 0], [2, 0], [3, 1], [4, 1], [11, 0], [12, 0], [13, 1], [14, 0], [15, 1], [16, 0]],
        dtype=float,
    )
    model = MDTreeClassifier(missing="fractional").fit(X, list("aaaabbcbcb"))
    queries = [[np.nan, 1.0], [20.0, np.nan], [np.nan, np.nan], [2.0, 0.0]]
    wanted = [[0.4, 0, 0.6], [0, 2 / 3, 1 / 3], [0.4, 0.4, 0.2], [1, 0, 0]]
    np.testing.assert_allclose(model.predict_proba(queries), wanted)
