"""plot_path by what it says: the parts add up to the prediction, under every strategy."""

import re

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from data import make_frame, make_xy
from sklearn.exceptions import NotFittedError
from sklearn.tree import DecisionTreeClassifier

import mdtree_nb as md
from mdtree_nb import MDTreeClassifier, MDTreeRegressor, describe_axes, plot_path
from mdtree_nb.plots.path_facts import open_along, read_path
from mdtree_nb.plots.tree_facts import COPY, SPLIT, read_tree
from mdtree_nb.strategies import all_strategies

matplotlib.use("Agg")


@pytest.fixture(autouse=True)
def close_figures():
    yield
    plt.close("all")


def day():
    data = md.load("playtennis_missing")
    model = MDTreeClassifier(missing="fractional", categorical="multiway").fit(data.X, data.y)
    return model, data.X.iloc[2]


@pytest.mark.parametrize("missing", all_strategies())
def test_parts_add_up_to_the_prediction(missing):
    frame, y = make_frame(3)
    model = MDTreeClassifier(missing=missing, max_depth=5).fit(frame, y)
    facts = read_tree(model)
    for i in range(0, len(frame), 7):
        path = read_path(model, frame.iloc[[i]], facts)
        np.testing.assert_allclose(
            path.prediction, model.predict_proba(frame.iloc[[i]])[0], atol=1e-12
        )
        total = sum(part.amount for part in path.parts)
        if path.n_trees > 1:  # drawn is the first tree, whose part of the answer is one of M
            end = model.apply(frame.iloc[[i]])[0, 0]
            np.testing.assert_allclose(total, model.trees_[0].value[end] / path.n_trees)
            continue
        np.testing.assert_allclose(total, path.prediction, atol=1e-12)
        for part in path.parts:
            np.testing.assert_allclose(part.amount, part.weight * part.value, atol=1e-12)


def test_regression_parts_add_up():
    X, y = make_xy(0, n=200, task="regression")
    model = MDTreeRegressor(missing="fractional", max_depth=4).fit(X, y)
    path = read_path(model, np.full(4, np.nan), read_tree(model))
    assert sum(part.weight for part in path.parts) == pytest.approx(1)
    assert path.prediction[0] == pytest.approx(model.predict([[np.nan] * 4])[0])
    assert "prediction" in describe_axes(plot_path(model, np.full(4, np.nan)))


def test_the_row_is_drawn_as_weights():
    model, x = day()
    path = read_path(model, x, read_tree(model))
    reach = model.decision_path(x.to_frame().T)
    for node in path.facts.nodes:
        assert node.weight == pytest.approx(reach[0, node.number])
        came = sum(b.known + b.missing for b in node.branches if b.known + b.missing > 1e-6)
        if node.weight and node.branches:
            assert came == pytest.approx(node.weight)
    assert {b.mark for b in path.facts.nodes[0].branches} == {SPLIT}
    copies = MDTreeClassifier(missing="both_children").fit(
        md.load("playtennis_missing").X, md.load("playtennis_missing").y
    )
    path = read_path(copies, x, read_tree(copies))
    assert {b.mark for b in path.facts.nodes[0].branches} == {COPY}


def test_the_words():
    model, x = day()
    text = describe_axes(plot_path(model, x, target="Yes"))
    proba = model.predict_proba(x.to_frame().T)[0]
    assert text.startswith("One row, 3 missing values, 5 nodes answer: P(Yes) = ")
    assert f"P(Yes) = {proba[1]:.3f}" in text
    amounts = [float(found) for found in re.findall(r"= (0\.\d{3})$", text, re.M)]
    assert sum(amounts) == pytest.approx(proba[1], abs=0.003)
    no = describe_axes(plot_path(model, x, target="No", theme="dark"))
    assert f"P(No) = {proba[0]:.3f}" in no


def test_answers_from_training_rows_say_so():
    data = md.load("playtennis_missing")
    model, x = day()
    text = describe_axes(plot_path(model.with_prediction("tspe", data.X, data.y), x))
    assert "training rows agree" in text


def test_the_first_of_several_trees_is_said_to_be_that():
    X, y = make_xy(0)
    model = MDTreeClassifier(missing="em", max_depth=2).fit(X, y)
    ax = plot_path(model, X[0])
    assert f"in the first of {len(model.trees_)} trees; all of them: " in describe_axes(ax)


def test_large_trees_show_where_the_row_goes():
    X, y = make_xy(0, n=3000, rate=0.3)
    model = MDTreeClassifier(missing="fractional").fit(X, y)
    path = read_path(model, np.full(4, np.nan), read_tree(model))
    kids = open_along(path, [path], 31)
    assert len(kids) <= 31
    assert len(path.reached) > 200
    assert "more nodes add" in " ".join(
        t.get_text() for t in plot_path(model, np.full(4, np.nan)).texts
    )


def test_texts_stay_on_the_page_and_apart():
    model, x = day()
    colic = md.load("horse_colic")
    deep = MDTreeClassifier(missing="learned", max_depth=6).fit(colic.X, colic.y)
    for ax in (plot_path(model, x), plot_path(deep, colic.X.iloc[5])):
        figure = ax.figure
        renderer = figure.canvas.get_renderer()
        boxes = [t.get_window_extent(renderer) for t in ax.texts if t.get_text()]
        for i, a in enumerate(boxes):
            assert a.x0 >= 0
            assert a.x1 <= figure.bbox.x1
            for b in boxes[i + 1 :]:
                wide = min(a.x1, b.x1) - max(a.x0, b.x0)
                high = min(a.y1, b.y1) - max(a.y0, b.y0)
                assert wide <= 1 or high <= 1


def test_bad_input():
    model, x = day()
    with pytest.raises(TypeError, match="must be a fitted MDTreeClassifier"):
        plot_path(DecisionTreeClassifier(), x)
    with pytest.raises(NotFittedError):
        plot_path(MDTreeClassifier(), x)
    with pytest.raises(ValueError, match="target='Maybe' must be one of No, Yes"):
        plot_path(model, x, target="Maybe")
    with pytest.raises(ValueError, match="theme='pink'"):
        plot_path(model, x, theme="pink")
    with pytest.raises(ValueError, match="Moisture"):
        plot_path(model, {**x, "Moisture": 1})


def boxes(ax):
    figure = ax.figure
    draw = figure.canvas.get_renderer()
    return [(t.get_text(), t.get_window_extent(draw)) for t in ax.texts if t.get_text()]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_who_spoke_for_a_missing_value_is_said_and_nothing_overlaps(theme):
    data = md.load("auto_mpg")
    model = MDTreeRegressor(missing="surrogate", max_depth=4).fit(data.X, data.y)
    row = data.X.iloc[[3]].copy()
    row.loc[:, "cylinders"] = np.nan
    ax = plot_path(model, row, theme=theme)
    rule = model.explain_row(row)["rule"].iloc[0]
    speaker = rule.partition(": ")[2].partition(",")[0]
    assert f"asks cylinders, missing, {speaker} answers" in describe_axes(ax)
    texts = boxes(ax)
    assert {"cylinders = ?", speaker} <= {text for text, _ in texts}
    width, height = ax.figure.canvas.get_width_height()
    for i, (text, box) in enumerate(texts):
        assert min(box.x0, box.y0, width - box.x1, height - box.y1) >= 0, text
        for other, its in texts[:i]:
            assert not box.overlaps(its), (text, other)


def test_the_values_of_a_row_stand_in_lines_that_fit():
    data = md.load("horse_colic")
    y = data.y.where(data.y == "lived", "lost")
    model = MDTreeClassifier(missing="fractional").fit(data.X, y)
    row = pd.DataFrame([dict.fromkeys(data.X.columns)])
    ax = plot_path(model, row)
    texts = boxes(ax)
    chips = [text for text, _ in texts if text.endswith(" = ?")]
    cells = read_path(model, row, read_tree(model)).cells
    assert len(chips) == len(cells) > 10
    width = ax.figure.canvas.get_width_height()[0]
    assert all(box.x1 <= width for _, box in texts)
