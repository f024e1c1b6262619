"""Figures by their contents, not by their looks."""

from itertools import combinations

import matplotlib
import numpy as np
import pandas as pd
import pytest
from data import make_frame, make_xy
from hypothesis import given, settings
from hypothesis import strategies as st

import mdtree_nb as md
from mdtree_nb import Comparison, MDTreeClassifier, compare, describe_axes, plot_comparison
from mdtree_nb.evaluation import smallest_visible_difference
from mdtree_nb.plots.curves import push_apart

matplotlib.use("Agg")


@pytest.fixture(scope="module")
def comparison():
    X, y = make_xy(0, n=120)
    return compare(X, y, ["learned", "left", "fractional"], folds=4, repeats=1)


def test_dots_are_the_means_best_on_top(comparison):
    ax = plot_comparison(comparison)
    dots = {
        line.get_label(): line.get_xdata()[0] for line in ax.lines if len(line.get_xdata()) == 1
    }
    wanted = comparison.summary()["mean"]
    assert dots == pytest.approx(wanted.to_dict())
    names = [t.get_text() for t in ax.get_yticklabels()]
    assert names == list(wanted.index[::-1])
    words = describe_axes(ax)
    assert all(name in words for name in names)
    assert "\n" not in words
    matplotlib.pyplot.close("all")


def test_drawing_into_given_axes_opens_no_figure(comparison):
    from matplotlib.figure import Figure

    ax = Figure().subplots()
    assert plot_comparison(comparison, ax=ax, title="A title with $ and _") is ax
    assert ax.get_title(loc="left") == "A title with $ and _"
    ax.figure.savefig(__import__("io").BytesIO())
    assert not matplotlib.pyplot.get_fignums()


def test_texts_do_not_overlap(comparison):
    ax = plot_comparison(comparison)
    figure = ax.figure
    figure.canvas.draw()
    boxes = [t.get_window_extent() for t in (*ax.texts, *ax.get_yticklabels()) if t.get_text()]
    pairs = [(a, b) for i, a in enumerate(boxes) for b in boxes[:i]]
    assert not any(a.overlaps(b) for a, b in pairs)
    width, height = figure.bbox.width, figure.bbox.height
    assert all(b.x0 >= 0 and b.x1 <= width and b.y0 >= 0 and b.y1 <= height for b in boxes)
    matplotlib.pyplot.close("all")


def test_what_is_not_ranked_stands_below(comparison):
    X, y = make_xy(0, n=120)
    X[:, 0] = np.nan  # no complete row
    result = compare(X, y, ["discard", "learned", "left"], folds=4, repeats=1, scoring="brier")
    ax = plot_comparison(result, theme="dark")
    names = [t.get_text() for t in ax.get_yticklabels()]
    assert names == ["discard", *result.ranked[::-1]]
    texts = [t.get_text() for t in ax.texts]
    assert "not ranked: not applicable" in texts
    assert not any(line.get_label() == "discard" for line in ax.lines)
    best, worst = (result.summary()["mean"].loc[result.ranked[k]] for k in (0, -1))
    assert best < worst  # lower is better
    band = next(p for p in ax.patches if p.get_label() == "_band").get_extents().intervalx
    ends = ax.transData.transform([(best, 0), (best + result.detectable, 0)])[:, 0]
    assert band == pytest.approx(ends)
    matplotlib.pyplot.close("all")


@pytest.fixture(scope="module")
def by_rate():
    X, y = make_xy(0, n=120, rate=0.0)
    return {
        rate: compare(X, y, ["learned", "left"], cv=3, amputate={"rate": rate}, budget=None)
        for rate in (0.0, 0.3)
    }


def test_curves_are_means_and_bands_their_intervals(by_rate):
    ax = plot_comparison(by_rate)
    for name in ("learned", "left"):
        line = next(line for line in ax.lines if line.get_label() == name)
        means = [by_rate[rate].scores.loc[name].mean() for rate in by_rate]
        np.testing.assert_allclose(line.get_xydata(), np.column_stack([list(by_rate), means]))
        assert f"{name}: {means[0]:.3f} at 0, {means[1]:.3f} at 0.3" in describe_axes(ax)
    corners = np.vstack([path.vertices for c in ax.collections for path in c.get_paths()])
    found = by_rate[0.3]
    half = smallest_visible_difference(found.scores.loc["left"], found.test_to_train)
    assert np.isclose(corners[:, 1], found.scores.loc["left"].mean() + half).any()
    matplotlib.pyplot.close("all")


@settings(max_examples=12, deadline=None)
@given(st.integers(1, 20), st.integers(0, 2**16), st.booleans())
def test_labels_of_curves_do_not_overlap(k, seed, equal):
    rng = np.random.default_rng(seed)
    table = pd.DataFrame(
        [(f"{'name ' * (j % 9)}{j}", rate, rng.random() * (not equal)) for j in range(k)
         for rate in (0, 0.2, 0.5)],
        columns=["strategy", "rate", "mean"],
    )  # fmt: skip
    ax = plot_comparison(table)
    ax.figure.canvas.draw()
    boxes = [t.get_window_extent() for t in (*ax.texts, ax._left_title)]
    assert not any(a.overlaps(b) for a, b in combinations(boxes, 2))
    page = ax.figure.bbox
    assert all(b.x1 <= page.x1 and b.y0 >= 0 and b.y1 <= page.y1 for b in boxes)
    matplotlib.pyplot.close("all")


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12), st.floats(0, 1))
def test_places_are_pushed_apart_and_no_further(wanted, part):
    wanted = np.sort(wanted)
    gap = part / max(len(wanted) - 1, 1)
    found = push_apart(wanted, gap)
    assert (np.diff(found) >= gap - 1e-9).all()
    assert found.min() >= -1e-9
    assert found.max() <= 1 + 1e-9
    if (np.diff(wanted) >= gap).all():
        np.testing.assert_allclose(found, wanted, atol=1e-9)


def test_a_curve_may_have_a_gap_and_a_table_no_band():
    table = pd.DataFrame(
        {"strategy": list("aabb"), "share": [0, 1] * 2, "mean": [0.5, np.nan, 0.4, 0.3]}
    )
    ax = plot_comparison(table, x="share", higher_is_better=False, title="A finding")
    assert "a: 0.500 at 0, none at 1" in describe_axes(ax)
    assert not ax.collections
    with pytest.raises(ValueError, match=r"no column \['rate'\]; it needs 'strategy', 'rate'"):
        plot_comparison(table)
    with pytest.raises(ValueError, match="a strategy twice at one share"):
        plot_comparison(pd.concat([table, table]), x="share")
    with pytest.raises(ValueError, match="the dict is empty"):
        plot_comparison({})
    matplotlib.pyplot.close("all")


LONG = {"W" * 75: "learned", "pipeline(" * 40: "left", "cost_$ $\\alpha": "mean"}


@pytest.mark.parametrize("size", [None, (6.4, 4.8), (4, 3)])
@pytest.mark.parametrize("title", [None, "", "W" * 90])
@pytest.mark.filterwarnings("error")
def test_long_names_leave_room_for_the_dots(size, title):
    X, y = make_xy(0, n=120)
    result = compare(X, y, LONG, folds=3, repeats=1)
    ax = None
    if size is not None:
        ax = matplotlib.pyplot.figure(figsize=size, layout="constrained").subplots()
    ax = plot_comparison(result, ax=ax, title=title)
    ax.figure.canvas.draw()
    page, inner = ax.figure.bbox, ax.get_window_extent()
    assert inner.width > 0.35 * page.width
    heading = ax._left_title
    assert (heading.get_text() == "") == (title == "")
    for text in (heading, ax.xaxis.label, *ax.get_yticklabels()):
        box = text.get_window_extent()
        assert box.x0 >= 0, text
        assert box.x1 <= page.width, text
    told = describe_axes(ax)
    assert all(name in told for name in LONG)
    matplotlib.pyplot.close("all")


def test_curves_need_one_score_and_places(comparison):
    other = comparison.by("log_loss")
    with pytest.raises(ValueError, match="ranked by accuracy and log_loss, which have no common"):
        plot_comparison({0: comparison, 0.2: other})
    for key in ("low", True, float("nan"), None):
        with pytest.raises(ValueError, match=f"the dict has the key {key!r}; keys are numbers"):
            plot_comparison({key: comparison})
    for wrong in ("learned", {0: "learned"}, None):
        with pytest.raises(TypeError, match="must be a Comparison"):
            plot_comparison(wrong)
    table = pd.DataFrame({"strategy": ["a"], "rate": ["low"], "mean": [0.5]})
    with pytest.raises(ValueError, match="column 'rate' must hold numbers"):
        plot_comparison(table)


def test_the_title_follows_the_folds_that_both_have():
    scores = {"few": [0.9, 0.9, np.nan, np.nan], "a": [0.95, 0.95, 0.2, 0.3]}
    folds = pd.DataFrame(scores).rename_axis("fold").reset_index().melt("fold", var_name="strategy")
    folds = folds.rename(columns={"value": "score"}).assign(n_leaves=1.0)
    title = plot_comparison(Comparison(folds, "auc", 0.25, 0.5)).get_title(loc="left")
    assert title.startswith("a leads by 0.050")
    matplotlib.pyplot.close("all")


def every_plot():
    X, y = make_frame(0, 80)
    model = MDTreeClassifier(max_depth=2).fit(X, y)
    numbers = X.select_dtypes("number")
    two = MDTreeClassifier(max_depth=2).fit(numbers.iloc[:, :2], y)
    first = X.columns[0]
    return {
        "importance": lambda **o: md.plot_importance(model, X, y, **o),
        "regions": lambda **o: md.plot_regions(two, numbers.iloc[:, :2], y, **o),
        "split": lambda **o: md.plot_split(X, y, first, **o),
        "missing bars": lambda **o: md.plot_missing_bars(X, **o),
        "missing share": lambda **o: md.plot_missing_share(X, **o),
        "missing pattern": lambda **o: md.plot_missing_pattern(X, **o),
        "missing dependence": lambda **o: md.plot_missing_dependence(X, first, X.columns[1], **o),
        "ranks": lambda **o: md.plot_ranks(np.random.default_rng(0).random((9, 3)), **o),
        "curves": lambda **o: plot_comparison(
            pd.DataFrame({"strategy": ["a", "b"], "rate": [0, 0], "mean": [0.5, 0.6]}), **o
        ),
    }


@pytest.mark.parametrize("name", every_plot())
def test_titles_are_the_users(name):
    draw = every_plot()[name]
    assert draw().get_title(loc="left")
    for empty in ("", " "):
        ax = draw(title=empty)
        assert not ax._left_title.get_text()
        ax.figure.canvas.draw()
    figure = matplotlib.pyplot.figure(figsize=(4, 3))
    ax = draw(ax=figure.subplots(), title="A long title " * 6)
    figure.canvas.draw()
    assert ax._left_title.get_window_extent().x1 <= figure.bbox.width
    matplotlib.pyplot.close("all")
