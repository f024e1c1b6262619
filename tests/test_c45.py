"""C4.5 release 8: the trees that its binary printed, written by hand here.

The tests of each tree are given, the numbers are counted by sending its rows down: class
weights, shares, what pruning expects, and the answers to queries.
"""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from mdtree_nb import table as tables
from mdtree_nb.prunings import Pessimistic
from mdtree_nb.prunings.pessimistic import added_errors, expected_errors
from mdtree_nb.strategies import get_strategy
from mdtree_nb.tree.criteria import Entropy
from mdtree_nb.tree.kernels.codes import MULTIWAY, THRESHOLD
from mdtree_nb.tree.refill import Refill
from mdtree_nb.tree.routing import Router
from mdtree_nb.tree.structure import Tree
from mdtree_nb.tree.validation import check_tree

GOLDEN = json.loads((Path(__file__).parent / "golden" / "golden.json").read_text())
FRACTIONAL = get_strategy("fractional")
MEASURE = Entropy().measure(2)


def written(schema, root):
    """A tree whose tests are given: (column, threshold, kids) or (column, {level: kid})."""
    waiting, rows, tables_at = [root], [], []
    for node in waiting:
        row = {"feature": -1, "kind": 0, "threshold": np.nan, "first_child": 0, "n_children": 0}
        row |= {"missing_branch": -1, "weight": 1.0, "rows": 1, "share": 1.0, "level_start": -1}
        if node is not None:
            f, test, *kids = node
            row |= {"feature": f, "first_child": len(waiting)}
            if isinstance(test, dict):
                row |= {"kind": MULTIWAY, "level_start": sum(map(len, tables_at))}
                tables_at.append([list(test).index(level) for level in schema.levels[f]])
                kids = list(test.values())
            else:
                row |= {"kind": THRESHOLD, "threshold": test}
            row["n_children"] = len(kids)
            waiting.extend(kids)
        rows.append(row)
    columns = pd.DataFrame(rows)
    zeros = np.zeros(len(rows))
    return Tree(
        schema=schema,
        **{name: columns[name].to_numpy(np.int32) for name in (
            "feature", "first_child", "n_children", "level_start")},
        kind=columns["kind"].to_numpy(np.int8),
        missing_branch=columns["missing_branch"].to_numpy(np.int16),
        rows=columns["rows"].to_numpy(np.int64),
        **{name: columns[name].to_numpy(float) for name in ("threshold", "weight", "share")},
        value=np.full((len(rows), 2), 0.5),
        impurity=zeros, gain=zeros, missing_weight=zeros, arrived_missing=zeros,
        level_branch=np.array([b for table in tables_at for b in table], np.int16),
    )  # fmt: skip


def filled(tree, table, y):
    refill = Refill(tree, table, np.ones(len(y)), FRACTIONAL)
    tree = refill.recounted(y, MEASURE)
    check_tree(tree, shares=True)
    return tree


def play_tennis():
    """Its table, labels (1 = Yes) and the tree of C4.5."""
    case = GOLDEN["c45_playtennis"]["table2_missing"]
    frame = pd.DataFrame(case["rows"], columns=case["columns"])
    y = (frame.pop("PlayTennis") == "Yes").to_numpy().astype(np.uint8)
    table = tables.learn(frame)
    rain = (3, {"Weak": None, "Strong": None})
    tree = written(table.schema, (0, {"Sunny": None, "Overcast": None, "Rain": rain}))
    return table, y, filled(tree, table, y)


def test_class_weights_of_play_tennis():
    case = GOLDEN["c45_playtennis"]
    _, _, tree = play_tennis()
    weights = tree.value * tree.weight[:, None]
    for node, name in ((1, "Sunny"), (2, "Overcast"), (3, "Rain")):
        wanted = case["children_of_Outlook"][name]
        np.testing.assert_allclose(weights[node], [wanted["No"], wanted["Yes"]])
    wind = case["full_tree_m2_unpruned_equals_pruned"]["Outlook"]["Rain"]["Wind"]
    for node, name in ((4, "Weak"), (5, "Strong")):
        wanted = wind[name]["leaf"]
        np.testing.assert_allclose(weights[node], [wanted["No"], wanted["Yes"]])
    assert tree.gain[0] == pytest.approx(case["table2_missing"]["per_attribute"]["Outlook"]["gain"])
    assert tree.gain[3] == pytest.approx(case["rain_node"]["per_attribute"]["Wind"]["gain"])
    assert tree.rows[3] == case["rain_node"]["n_rows"]
    assert tree.weight[3] == case["rain_node"]["weight"]


def test_expected_errors_of_play_tennis():
    """As C4.5 prints them, to two decimals."""
    _, _, tree = play_tennis()
    expected = expected_errors(tree)
    printed = {1: 1.32, 2: 2.02, 4: 1.39, 5: 1.89}
    for node, wanted in printed.items():
        assert round(expected[node], 2) == wanted
    assert expected[0] == pytest.approx(expected[[1, 2, 4, 5]].sum())
    for node, wrong, added in ((3, 3.0, 1.39), (0, 5.0, 1.79)):
        errors = tree.weight[node] * tree.value[node].min()
        assert errors == pytest.approx(wrong)
        assert round(float(added_errors(tree.weight[node], errors)), 2) == added


def test_play_tennis_is_not_pruned():
    table, y, tree = play_tennis()
    assert Pessimistic().prune(tree, table, y, np.ones(14), FRACTIONAL, MEASURE) == tree
    stump = Pessimistic(0.01).prune(tree, table, y, np.ones(14), FRACTIONAL, MEASURE)
    assert stump.n_nodes == 1


@pytest.mark.parametrize("case", GOLDEN["c45_playtennis"]["queries_P_Yes"], ids=str)
def test_queries_of_play_tennis(case):
    table, _, tree = play_tennis()
    rows = pd.DataFrame([{name: case["query"].get(name) for name in table.schema.names}])
    answer = Router(tree, FRACTIONAL).push(tables.encode(rows, table.schema)).mix(tree.value)
    assert answer[0, 1] == pytest.approx(case["P_Yes"])


def test_numbers_with_holes():
    """The stump x <= 3 | x > 3: class weights, and 1.54 and 2.99 errors expected."""
    case = GOLDEN["c45_numeric"]
    X = np.array([case["x"], case["z"]], dtype=float).T
    y = (np.array(case["y"]) == "b").astype(np.uint8)
    table = tables.learn(X)
    threshold = case["x_eval"]["stored_threshold"]
    tree = filled(written(table.schema, (0, threshold, None, None)), table, y)
    for node, wanted in ((1, case["leaf_weights"]["x<=3"]), (2, case["leaf_weights"]["x>3"])):
        weights = tree.value[node] * tree.weight[node]
        np.testing.assert_allclose(weights, [wanted["a"], wanted["b"]])
    assert tree.gain[0] == pytest.approx(case["x_eval"]["candidates"][1]["gain"])
    np.testing.assert_array_equal(expected_errors(tree)[1:].round(2), [1.54, 2.99])
    assert Pessimistic().prune(tree, table, y, np.ones(10), FRACTIONAL, MEASURE) == tree
