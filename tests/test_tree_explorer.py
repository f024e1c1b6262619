"""TreeExplorer without a browser: what it shows is what the tree and the picture say."""

import copy

import numpy as np
import pandas as pd
import pytest
from data import make_frame, make_xy
from sklearn.exceptions import NotFittedError
from sklearn.tree import DecisionTreeClassifier
from test_widgets import MOST_STATE, state_size

import mdtree_nb as md
from mdtree_nb import MDTreeClassifier, MDTreeRegressor, TreeExplorer
from mdtree_nb.plots.tree_facts import read_tree
from mdtree_nb.plots.tree_options import TreePlotOptions
from mdtree_nb.plots.tree_plan import Cards, Plan
from mdtree_nb.strategies import all_strategies
from mdtree_nb.widgets.folds import FIRST, MOST, Folds


def fitted(missing="learned", n=300, seed=0, **options):
    X, y = make_xy(seed, n=n, classes=3)
    return MDTreeClassifier(missing=missing, **options).fit(X, y), X, y


def shown(explorer):
    return [line[0] for line in explorer.scene["nodes"]]


def texts(explorer, places):
    return [explorer.scene["words"][i][1:] for i in places]


def test_places_are_those_of_the_picture():
    model, X, y = fitted(max_depth=3)
    explorer = TreeExplorer(model, X, y)
    facts = read_tree(model)
    kids = {node.number: node.children for node in facts.nodes}
    plan = Plan(Cards(facts, TreePlotOptions()), kids, False, 0)
    for line in explorer.scene["nodes"]:
        box = plan.placed.cards[line[0]]
        assert line[4] == [round(100 * side) for side in box]
        assert texts(explorer, line[6]) == [p.text for p in plan.cards[line[0]].head]
        if line[0]:
            assert texts(explorer, line[11]) == [p.text for p in plan.labels[line[0]]]


def test_selection_goes_both_ways():
    model, X, y = fitted(max_depth=3)
    explorer = TreeExplorer(model, X, y)
    seen = []
    explorer.observe(lambda change: seen.append(len(change.new)), "selected_data")
    explorer.set_state({"selected": 2})  # as the page does
    explorer.selected = 1
    assert seen == [model.tree_.rows[2], model.tree_.rows[1]]
    assert explorer.panel["head"][0] == "#1"
    pd.testing.assert_frame_equal(
        explorer.selected_data,
        pd.DataFrame(X, columns=["x0", "x1", "x2", "x3"])[
            model.decision_path(X)[:, 1].toarray()[:, 0] > 0
        ],
    )


@pytest.mark.parametrize("missing", all_strategies())
def test_the_panel_adds_up_under_every_strategy(missing):
    frame, y = make_frame(0)
    model = MDTreeClassifier(missing=missing, max_depth=4).fit(frame, y)
    explorer = TreeExplorer(model, frame, y)
    tree = model.tree_
    for v in range(tree.n_nodes):
        explorer.selected = v
        panel = explorer.panel
        assert sum(line[2] for line in panel["classes"]) == pytest.approx(1)
        assert len(panel["rule"]) == tree.depth[v]
        if panel["missing"] and tree.missing_weight[v] > 0 and missing != "both_children":
            assert sum(line[2] for line in panel["missing"]["to"]) == pytest.approx(1)
        assert panel["rows"]["note"].split()[-1] == str(len(explorer.selected_data))
        assert explorer.describe().startswith(f"#{v} ")


def test_the_panel_lists_the_surrogates_that_are_asked():
    model, X, y = fitted("surrogate", max_depth=3)
    its, schema = model.tree_.surrogates, model.tree_.schema
    listed = 0
    for v in np.flatnonzero(~model.tree_.is_leaf):
        how = TreeExplorer(model, X, y, selected=int(v)).panel["missing"]["how"]
        numbers = list(its.of(int(v)))
        assert bool(how) == bool(numbers)
        for place, i in enumerate(numbers, 1):
            agrees = f"(agrees {its.agreement[i]:.2f})"
            assert f"{place}. {its.condition(i, schema, 0)} {agrees}" in how
            listed += 1
        if numbers:
            larger = model.tree_.children(int(v))[int(model.tree_.majority_branch[v])]
            assert how.endswith(f"if none can tell → #{larger}.")
    assert listed > 1
    recorded, X, y = fitted("learned", max_depth=3, record_surrogates=True)
    assert TreeExplorer(recorded, X, y, selected=0).panel["missing"]["how"] == ""


def test_rows_show_what_is_missing_and_the_share():
    explorer = TreeExplorer.example()
    explorer.selected = 3
    rows = explorer.panel["rows"]
    assert rows["columns"][:3] == ["share", "PlayTennis", "Outlook"]
    for line, (_, row) in zip(rows["cells"], explorer.selected_data.iterrows(), strict=False):
        assert (line[2] is None) == pd.isna(row["Outlook"])
        assert (line[0] == "1") == (row["Outlook"] == "Sunny")


def test_folding_places_the_rest_anew():
    model, X, y = fitted(max_depth=4)
    explorer = TreeExplorer(model, max_depth=4)
    assert shown(explorer) == list(range(model.tree_.n_nodes))
    width = explorer.scene["size"][0]
    explorer.selected = model.tree_.n_nodes - 1
    explorer.toggle(0)
    assert shown(explorer) == [0]
    assert explorer.folded == [0]
    assert explorer.selected == 0  # never out of sight
    assert explorer.scene["size"][0] < width
    explorer.toggle(0)
    assert explorer.scene["size"][0] == width
    explorer.folded = [1, 2]
    assert shown(explorer) == [0, 1, 2]
    explorer.set_state({"folded": [2]})
    assert set(explorer.folded) == {2}


def test_depth_and_support():
    model, X, y = fitted(n=600)
    explorer = TreeExplorer(model)
    depth = model.tree_.depth
    for limit in (0, 1, 3):
        explorer.max_depth = limit
        assert shown(explorer) == np.flatnonzero(depth <= limit).tolist()
    explorer.max_depth = None
    explorer.min_support = 0.1
    parents = {line[1] for line in explorer.scene["nodes"]} - {-1}
    weight = model.tree_.weight
    assert parents == {v for v in np.flatnonzero(~model.tree_.is_leaf) if weight[v] >= 60}


def test_selecting_a_hidden_node_opens_the_way():
    model, X, y = fitted(n=600)
    explorer = TreeExplorer(model, max_depth=1)
    deepest = int(model.tree_.depth.argmax())
    explorer.selected = deepest
    assert deepest in shown(explorer)


def test_search_finds_hidden_nodes_too():
    model, X, y = fitted(n=600)
    explorer = TreeExplorer(model, search="X2", max_depth=2)
    wanted = [v for v in range(model.tree_.n_nodes) if model.tree_.feature[v] == 2]
    assert explorer.found == wanted
    assert explorer.scene["found"] == len(wanted)
    explorer._handle_custom_msg({"next": True}, [])
    assert explorer.selected == next(v for v in wanted if v > 0)
    for _ in wanted:
        explorer.select_next()
    assert explorer.selected in wanted
    explorer.search = "nothing like it"
    explorer.select_next()
    assert explorer.found == []


def test_widths_by_mode_and_without_lanes():
    explorer = TreeExplorer.example()
    root = {line[0]: line[12] for line in explorer.scene["nodes"] if line[0]}
    explorer.edge_width = "parent"
    parent = {line[0]: line[12] for line in explorer.scene["nodes"] if line[0]}
    explorer.edge_width = "fixed"
    fixed = {line[0]: line[12] for line in explorer.scene["nodes"] if line[0]}
    assert root[1] == parent[1]  # below the root they are the same
    assert parent[11][0] > root[11][0]
    assert len({edge[0] for edge in fixed.values()}) == 1


def test_twenty_thousand_nodes_are_folded_at_once():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(36000, 6))
    X[rng.random(X.shape) < 0.1] = np.nan
    model = MDTreeClassifier().fit(X, rng.integers(0, 3, len(X)))
    assert model.tree_.n_nodes > 20_000
    explorer = TreeExplorer(model, X)
    assert len(shown(explorer)) <= FIRST
    explorer.max_depth = 30
    assert FIRST < len(shown(explorer)) <= MOST
    assert state_size(explorer) < MOST_STATE
    explorer.selected = int(model.tree_.depth.argmax())
    assert explorer.selected in shown(explorer)
    assert len(shown(explorer)) <= MOST + 2 * model.tree_.max_depth
    assert state_size(explorer) < MOST_STATE
    explorer.search = "x"
    assert explorer.scene["found"] == int((~model.tree_.is_leaf).sum())


def test_a_tree_of_one_node():
    explorer = TreeExplorer(MDTreeClassifier().fit([[1.0], [2.0]], ["a", "a"]), [[1.0]], ["a"])
    assert shown(explorer) == [0]
    assert explorer.panel["missing"] is None
    explorer.toggle(0)
    assert explorer.folded == []
    assert "1 of 1 nodes shown" in repr(explorer)


def test_regression_and_bare_trees():
    X, y = make_xy(0, task="regression")
    model = MDTreeRegressor(max_depth=2).fit(X, y)
    explorer = TreeExplorer(model, X, y)
    assert explorer.panel["classes"][0][0] == "mean"
    assert "standard deviation" in explorer.describe()
    bare = TreeExplorer(model.tree_)
    assert bare.selected_data is None
    assert bare.panel["rows"] is None


def test_state_is_small_with_long_names_and_many_classes():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(5000, 12))).mask(rng.random((5000, 12)) < 0.2)
    X.columns = [f"a rather long name of the column number {j}" for j in range(12)]
    y = [f"a rather long name of class {j}" for j in rng.integers(0, 30, 5000)]
    explorer = TreeExplorer(
        MDTreeClassifier(missing="fractional", max_leaf_nodes=200).fit(X, y), X, y, max_depth=20
    )
    assert FIRST < len(shown(explorer)) <= MOST
    assert state_size(explorer) < MOST_STATE


def test_many_classes_are_summed_up():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(600, 3))
    model = MDTreeClassifier(max_depth=5).fit(X, np.arange(600) % 40)
    explorer = TreeExplorer(model, X, max_depth=5)
    assert len(explorer.panel["classes"]) == 8
    assert explorer.panel["classes"][-1][0] == "33 others"
    assert state_size(explorer) < MOST_STATE


def test_markup_stays_text():
    frame = pd.DataFrame({"<b>x</b>": ["<i>", "&amp;", "<i>", None] * 5, "y$_1": range(20)})
    model = MDTreeClassifier().fit(frame, ["<script>alert(1)</script>", "b"] * 10)
    explorer = TreeExplorer(model, frame)
    text = str(explorer.scene) + str(explorer.panel)
    assert "<script>" in text
    assert "<i>" in text


@pytest.mark.parametrize(
    "change, message",
    [
        ({"selected": 99}, "selected=99 must be the number of a node, from 0 to"),
        ({"selected": -1}, "selected=-1"),
        ({"max_depth": -2}, "max_depth=-2 must be a whole number"),
        ({"min_support": 1.5}, "min_support=1.5 must be a part"),
        ({"folded": [77]}, "folded=77 must be the number of a node"),
        ({"edge_width": "thick"}, "thick"),
    ],
)
def test_bad_values_raise_and_are_said_in_the_widget(change, message):
    model, X, y = fitted(max_depth=2)
    explorer = TreeExplorer(model, X, y)
    ((name, value),) = change.items()
    before = getattr(explorer, name)
    with pytest.raises(Exception, match=message):
        setattr(explorer, name, value)
    explorer.set_state(change)
    assert message.split(" must")[0] in explorer.error
    assert getattr(explorer, name) == before


def test_bad_input():
    model, X, y = fitted(max_depth=2)
    with pytest.raises(NotFittedError):
        TreeExplorer(MDTreeClassifier())
    with pytest.raises(TypeError, match="must be a fitted MDTreeClassifier"):
        TreeExplorer(DecisionTreeClassifier())
    with pytest.raises(ValueError, match="has 3 features"):
        TreeExplorer(model, X[:, :3])
    with pytest.raises(ValueError, match="y has 2 labels for the 300 rows"):
        TreeExplorer(model, X, y[:2])
    with pytest.raises(ValueError, match="pass X= too"):
        TreeExplorer(model, y=y)
    with pytest.raises(TypeError, match="a bare tree cannot route"):
        TreeExplorer(model.tree_, X)
    with pytest.raises(ValueError, match="node=99"):
        TreeExplorer(model).toggle(99)
    with pytest.raises(ValueError, match="selected=99"):
        TreeExplorer(model, selected=99)
    leaf = int(np.flatnonzero(model.tree_.is_leaf)[0])
    with pytest.raises(ValueError, match="is a leaf"):
        TreeExplorer(model).folded = [leaf]


def test_folds_keep_the_heaviest_open():
    model, _, _ = fitted(n=3000)
    folds = Folds(read_tree(model))
    weight = model.tree_.weight
    closed = [v for v in folds.folded if model.tree_.n_children[v] == 2]
    assert min(weight[v] for v in folds.open) >= max(weight[v] for v in closed)


def horses():
    data = md.load("horse_colic")
    y = data.y.where(data.y == "lived", "lost")
    return MDTreeClassifier(max_depth=4).fit(data.X, y), data.X, y


def test_a_snip_leaves_the_tree_of_snip_and_can_be_undone():
    model, X, y = horses()
    explorer = TreeExplorer(model, X, y, selected=6)
    explorer.snip()
    assert explorer.model.tree_ == model.snip(6).tree_
    v = explorer.selected
    assert explorer.model.tree_.condition(v) == model.tree_.condition(6)
    assert explorer.model.tree_.is_leaf[v]
    assert len(explorer.selected_data) == explorer.model.tree_.rows[v]
    assert explorer.snips == 1
    assert explorer.scene["total"] == explorer.model.tree_.n_nodes < model.tree_.n_nodes
    with pytest.raises(ValueError, match=f"node={v} is a leaf"):
        explorer.snip()
    explorer._handle_custom_msg({"snip": 1}, [])
    assert explorer.snips == 2
    explorer._handle_custom_msg({"undo": True}, [])
    explorer.undo()
    explorer.undo()
    assert explorer.model is model
    assert (explorer.selected, explorer.snips) == (6, 0)
    assert explorer.scene["total"] == model.tree_.n_nodes


def test_a_bare_tree_is_cut_and_several_trees_are_not():
    model, _, _ = horses()
    explorer = TreeExplorer(model.tree_)
    explorer.snip(1)
    assert explorer.model == model.snip(1).tree_
    many = copy.copy(model)
    many.trees_ = [model.tree_] * 2
    explorer = TreeExplorer(many)
    explorer._handle_custom_msg({"snip": 1}, [])
    assert "the model has 2 trees" in explorer.error
    assert explorer.snips == 0


@pytest.mark.parametrize("ending", [".png", ".svg", ".PDF"])
@pytest.mark.parametrize("name", ["TreeExplorer", "RowTracer", "SplitExplorer"])
def test_the_picture_as_a_file(tmp_path, ending, name):
    path = tmp_path / f"picture{ending}"
    widget = getattr(md, name).example()
    widget.theme = "dark"
    widget.save(path)
    start = path.read_bytes()[:600].lower()
    assert {".png": b"png", ".svg": b"<svg", ".PDF": b"%pdf"}[ending] in start
    with pytest.raises(ValueError, match=r"must end in \.png, \.svg, \.pdf"):
        widget.save(tmp_path / "picture.gif")


def test_the_picture_holds_the_nodes_that_are_open(tmp_path):
    model, _, _ = horses()
    TreeExplorer(model, max_depth=1).save(tmp_path / "a.svg")
    text = (tmp_path / "a.svg").read_text(encoding="utf-8")
    assert "#2<" in text
    assert "#6<" not in text
    hidden = model.tree_.n_nodes - 3
    assert f"nodes hidden below ({hidden} of {model.tree_.n_nodes})" in text
