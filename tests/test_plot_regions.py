"""plot_regions: what is drawn is what the estimator answers."""

import io

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from data import make_frame, make_xy
from matplotlib.figure import Figure
from sklearn.exceptions import NotFittedError
from sklearn.tree import DecisionTreeClassifier

from mdtree_nb import MDTreeClassifier, MDTreeRegressor, describe_axes, plot_regions
from mdtree_nb.plots.region_grid import make_grid
from mdtree_nb.plots.theme import PALETTES


@pytest.fixture(autouse=True)
def close_figures():
    yield
    plt.close("all")


def inside(boxes, values, x, y):
    """Answer of the rectangle that holds a point."""
    corners = np.array(boxes)
    low, high = corners[:, 0], corners[:, 2]
    hit = (low <= (x, y)).all(axis=1) & ((x, y) < high).all(axis=1)
    assert hit.sum() == 1
    return values[np.argmax(hit)]


@pytest.mark.parametrize("missing", ["learned", "fractional", "own_child", "mean", "left"])
@pytest.mark.parametrize("task", ["classification", "regression"])
def test_rectangles_are_predictions(missing, task):
    X, y = make_xy(0, n=150, p=2, task=task)
    Model = MDTreeClassifier if task == "classification" else MDTreeRegressor
    model = Model(missing=missing, max_depth=5).fit(X, y)
    grid = make_grid(model, X, y, None)
    boxes, values = grid.cells()
    rng = np.random.default_rng(0)
    ends = [(s.edges[0], s.edges[-1]) for s in (grid.across, grid.up)]
    strips = [s.strip for s in (grid.across, grid.up)]
    for _ in range(200):
        row, place = np.empty(2), []
        for side in range(2):
            lost = rng.random() < 0.3
            at = rng.uniform(*(strips[side] if lost else ends[side]))
            row[side] = np.nan if lost else at
            place.append(at)
        assert inside(boxes, values, *place) == model.predict(row[None])[0]


def test_levels_and_columns_that_are_not_drawn():
    frame, y = make_frame(0, 200)
    model = MDTreeClassifier(max_depth=4).fit(frame, y)
    grid = make_grid(model, frame, y, ("colour", "a"))
    assert grid.held
    typical = {c: frame[c].median() for c in "bcd"} | {"size": frame["size"].mode()[0]}
    for j, level in enumerate(["missing", *grid.across.levels]):
        row = pd.DataFrame([{**typical, "colour": None if j == 0 else level, "a": 0.4}])
        row = row[frame.columns]
        row["size"] = pd.Categorical(row["size"], categories=["S", "M", "L"])
        side = grid.up
        i = 1 + np.searchsorted(side.edges, 0.4) - 1
        wanted = model.predict(row)[0]
        assert model.classes_[int(grid.answers[i, j])] == wanted


def test_every_row_is_a_point_on_its_place():
    frame, y = make_frame(1, 120)
    model = MDTreeClassifier(max_depth=3).fit(frame, y)
    ax = plot_regions(model, frame, y, features=("a", "colour"))
    drawn = np.concatenate([line.get_xydata() for line in ax.lines])
    assert len(drawn) == len(frame)
    grid = make_grid(model, frame, y, ("a", "colour"))
    x, up = grid.points()
    lost = frame["a"].isna().to_numpy()
    low, high = grid.across.strip
    assert ((x > low) & (x < high) == lost).all()
    assert x[~lost] == pytest.approx(frame["a"][~lost])
    codes = frame["colour"].map({level: j for j, level in enumerate(grid.up.levels)})
    known = codes.notna().to_numpy()
    assert (np.abs(up - codes)[known] < 0.5).all()


@pytest.mark.parametrize("theme", PALETTES)
@pytest.mark.parametrize("features", [("a", "b"), ("colour", "size"), ("colour", "d")])
def test_texts_are_apart(theme, features):
    frame, y = make_frame(2, 120)
    ax = plot_regions(MDTreeClassifier(max_depth=3).fit(frame, y), frame, y, features=features,
                      theme=theme)  # fmt: skip
    ax.figure.canvas.draw()
    labels = [*ax.get_xticklabels(), *ax.get_yticklabels(), ax.xaxis.label, ax.yaxis.label]
    labels += [*ax.get_legend().get_texts(), ax._left_title]
    boxes = [t.get_window_extent() for t in labels if t.get_text()]
    assert not any(a.overlaps(b) for i, a in enumerate(boxes) for b in boxes[:i])
    page = ax.figure.bbox
    assert all(b.x0 >= -1 and b.x1 <= page.x1 + 1 and b.y0 >= -1 for b in boxes)


def test_words_are_counts_and_areas():
    X = np.array([[0.0, 0.0], [1.0, 0.0], [2.0, np.nan], [3.0, 1.0], [np.nan, np.nan]])
    y = ["$a$", "$a$", "_b", "_b", "_b"]
    model = MDTreeClassifier(missing="right").fit(X, y)
    ax = plot_regions(model, X, y, ax=Figure().subplots(), title="$T_1$")
    lines = describe_axes(ax).splitlines()
    assert lines[0] == "Regions of x0 (across) and x1 (up)."
    assert "Both known: $a$ 0.50, _b 0.50 of the area; x0 missing: _b 1.00" in lines[1]
    assert lines[2] == "5 rows: $a$ 2, _b 3; 0 miss x0, 1 misses x1, 1 misses both."
    assert [t.get_text() for t in ax.get_legend().get_texts()] == ["$a$", "_b"]
    ax.figure.savefig(io.BytesIO())
    assert not plt.get_fignums()


def test_regression_has_a_scale():
    X, y = make_xy(0, n=100, p=2, task="regression")
    model = MDTreeRegressor(max_depth=2).fit(X, y)
    ax = plot_regions(model, X, y)
    assert len(ax.figure.axes) == 2
    low, high = model.predict(X[~np.isnan(X).any(axis=1)]).min(), model.tree_.value.max()
    assert f"mean {low:.4g} to " in describe_axes(ax)
    assert high <= ax.collections[0].norm.vmax


def test_bad_input():
    X, y = make_xy(0, p=3)
    model = MDTreeClassifier(max_depth=2).fit(X, y)
    with pytest.raises(ValueError, match="features=None needs a table of two columns, but X has 3"):
        plot_regions(model, X, y)
    for features in ((0,), "x0", (0, 1, 2)):
        with pytest.raises(ValueError, match="must be two columns"):
            plot_regions(model, X, y, features=features)
    with pytest.raises(ValueError, match="there is no column 'z'; choose two of 'x0', 'x1', 'x2'"):
        plot_regions(model, X, y, features=("z", 0))
    with pytest.raises(ValueError, match="two different columns"):
        plot_regions(model, X, y, features=("x1", 1))
    with pytest.raises(ValueError, match="y holds 7, which the estimator does not know"):
        plot_regions(model, X, np.full(len(y), 7), features=(0, 1))
    with pytest.raises(ValueError, match="y has 2 labels for 60 rows"):
        plot_regions(model, X, y[:2], features=(0, 1))
    with pytest.raises(NotFittedError):
        plot_regions(MDTreeClassifier(), X, y, features=(0, 1))
    with pytest.raises(TypeError, match="estimator=DecisionTreeClassifier must be"):
        plot_regions(DecisionTreeClassifier().fit([[0], [1]], [0, 1]), X, y)
    assert not plt.get_fignums()
