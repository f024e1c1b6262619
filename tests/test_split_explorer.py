"""SplitExplorer: its gains are those of split_table, of every division of the blanks."""

import json

import numpy as np
import pandas as pd
import pytest

import mdtree_nb as md
from mdtree_nb.widgets.split_numbers import BY_HAND, drawable


def horses():
    data = md.load("horse_colic")
    return data.X, data.y.where(data.y == "lived", "lost")


@pytest.fixture(scope="module")
def table():
    return horses()


def impurity(y, w):
    """Gini index times weight, by hand."""
    total = w.sum()
    return total - sum(w[y == c].sum() ** 2 for c in np.unique(y)) / max(total, 1e-300)


@pytest.mark.parametrize(("to_right", "twin"), [(0.0, "left"), (1.0, "right")])
def test_all_blanks_on_a_side_is_the_strategy_of_that_side(table, to_right, twin):
    X, y = table
    widget = md.SplitExplorer(X, y, feature="Pulse", strategies=[twin], to_right=to_right)
    cuts, its = widget._curves()[BY_HAND], md.split_table(X, y, twin, feature="Pulse")
    its = its.dropna(subset="threshold").set_index("threshold")["gain"]
    its = its.drop(X["Pulse"].max(), errors="ignore")  # known left, blanks right: no division
    assert np.allclose(cuts.set_index("threshold")["gain"].reindex(its.index), its)
    assert widget.table.loc[BY_HAND, "best gain"] == pytest.approx(
        widget.table.loc[twin, "best gain"]
    )


@pytest.mark.parametrize("to_right", [0.25, 0.6])
def test_divided_blanks_by_hand(table, to_right):
    X, y = table
    y = y.to_numpy()
    widget = md.SplitExplorer(X, y, feature="Pulse", to_right=to_right, threshold=70.0)
    x = X["Pulse"].to_numpy()
    right = np.where(np.isnan(x), to_right, (x > 70).astype(float))
    whole = impurity(y, np.ones(len(y)))
    gain = (whole - impurity(y, right) - impurity(y, 1 - right)) / len(y)
    assert widget.table.loc[BY_HAND, "gain"] == pytest.approx(gain)


@pytest.mark.parametrize("node", [0, 1, 2, 6])
def test_in_a_node_the_strategy_of_the_tree_has_the_gains_of_the_tree(table, node):
    X, y = table
    model = md.MDTreeClassifier(max_depth=3).fit(X, y)
    widget = md.SplitExplorer(X, y, model, node=node, feature="RectalTemp")
    assert widget.strategies == ["learned"]
    want = model.split_table(X, y, node=node)
    want = want[want["feature"] == "RectalTemp"].iloc[0]
    assert widget.table.loc["learned", "best gain"] == pytest.approx(want["gain"])
    assert len(widget._column().x) == model.tree_.rows[node]
    rows = widget.view["tables"][0]["rows"]
    assert sum(float(line[1]) for line in rows) == pytest.approx(model.tree_.weight[node])


def test_values_are_taken_away_one_after_the_other(table):
    X, y = table
    widget = md.SplitExplorer(X, y, feature="Pulse")
    gone = []
    for part in (0.0, 0.3, 0.6, 0.95):
        widget.more_blank = part
        blanked = widget._column().blanked
        assert blanked.sum() == round(part * X["Pulse"].notna().sum())
        gone.append(blanked)
    assert all((a <= b).all() for a, b in zip(gone, gone[1:], strict=False))
    frame = X[["Pulse"]].mask(gone[1][:, None])
    widget.more_blank = 0.3
    want = md.split_table(frame, y, "learned")["gain"].iloc[0]
    assert widget.table.loc["learned", "best gain"] == pytest.approx(want)
    before = widget._column().blanked
    widget.seed = 1
    assert (widget._column().blanked != before).any()


def test_the_scale_stands_still_while_values_go(table):
    X, y = table
    widget = md.SplitExplorer(X, y, feature="Pulse", to_right=0.0)
    frame = widget.view["charts"][0]["ticks"][1]
    widget.more_blank = 0.5
    assert widget.view["charts"][0]["ticks"][1] == frame


def test_a_click_sets_the_cut_and_another_column_forgets_it(table):
    X, y = table
    widget = md.SplitExplorer(X, y, feature="Pulse")
    (chart,) = widget._charts
    x, height = chart.pixels([(100.0, 0.0)])[0]
    widget._handle_custom_msg({"click": [0, x, height]}, [])
    assert widget.threshold == pytest.approx(100, abs=0.5)
    widget.feature = "RR"
    assert widget.threshold is None


def test_bad_values_say_what_is_good(table):
    X, y = table
    widget = md.SplitExplorer(X, y)
    for trait, value, words in [
        ("node", 1, "node=1 must be .*pass model="),
        ("feature", "Pain", "feature='Pain' must be a column of numbers, such as 'RectalTemp'"),
        ("strategies", [], "must be one to 4 names"),
        ("strategies", ["mean"], "'mean' fills or drops rows"),
        ("strategies", ["learnt"], "learnt"),
        ("more_blank", 1.0, "more_blank=1.0 must be a part, from 0 to 0.95"),
        ("to_right", -0.1, "to_right=-0.1"),
        ("threshold", float("nan"), "threshold=nan"),
        ("seed", -1, "seed=-1"),
    ]:
        with pytest.raises(ValueError, match=words):
            setattr(widget, trait, value)
        widget.set_state({trait: value})
        assert widget.error
    with pytest.raises(ValueError, match="X has no column of numbers"):
        md.SplitExplorer(X[["Pain"]], y)
    with pytest.raises(ValueError, match="366 rows of X"):
        md.SplitExplorer(X, y[:5])


@pytest.mark.parametrize(
    "values", [[1.0] * 6, [np.nan] * 6, [1, 2, np.nan, np.nan, np.nan, np.nan]]
)
def test_columns_without_a_cut_are_shown_as_such(values):
    widget = md.SplitExplorer(
        pd.DataFrame({"a": values, "b": range(6)}), list("aabbbb"), feature="a"
    )
    widget.more_blank = 0.95
    assert "has no cut here" in widget.view["title"]
    assert "has no cut here" in widget.describe()
    assert len(widget._png()) > 1000
    json.dumps(widget.view)


def test_numbers_as_labels():
    data = md.load("auto_mpg")
    model = md.MDTreeRegressor(max_depth=2).fit(data.X, data.y)
    widget = md.SplitExplorer(data.X, data.y, model, node=1, feature="horsepower")
    assert widget.view["tables"][0]["head"] == ["", "rows", "mean"]
    want = model.split_table(data.X, data.y, node=1)
    want = want[want["feature"] == "horsepower"].iloc[0]["gain"]
    assert widget.table.loc["learned", "best gain"] == pytest.approx(want)
    model = md.MDTreeRegressor(criterion="absolute_error", max_depth=1).fit(data.X, data.y)
    with pytest.raises(ValueError, match="criterion='absolute_error'"):
        md.SplitExplorer(data.X, data.y, model)


def test_every_strategy_that_can_be_drawn_is(table):
    X, y = table
    widget = md.SplitExplorer(X[["Pulse", "RR"]], y, feature="Pulse", more_blank=0.2)
    for name in drawable():
        widget.strategies = [name]
        frame = X[["Pulse"]].mask(widget._column().blanked[:, None])
        want = md.split_table(frame, y, name)
        got = widget.table.loc[name, "best gain"]
        assert got == pytest.approx(want["gain"].iloc[0]) if len(want) else np.isnan(got)
