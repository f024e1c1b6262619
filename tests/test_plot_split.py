"""plot_split by its contents: it draws the numbers of split_table and all the rows."""

import io

import matplotlib
import numpy as np
import pandas as pd
import pytest
from data import make_frame, make_xy
from matplotlib.colors import to_hex, to_rgba

from mdtree_nb import MDTreeRegressor, describe_axes, load, plot_split, split_table
from mdtree_nb.plots.theme import CLASSES, MISSING, get_palette

matplotlib.use("Agg")


@pytest.fixture(autouse=True)
def close():
    yield
    matplotlib.pyplot.close("all")


@pytest.fixture(scope="module")
def horses():
    data = load("horse_colic")
    return data.X, pd.Series(np.where(data.y == "lived", "lived", "lost"))


@pytest.fixture(scope="module")
def penguins():
    data = load("penguins")
    measured = data.X.select_dtypes("number").notna().all(axis=1)
    return data.X[measured], data.y[measured]


FIVE = np.array([[1, 2, np.nan, 3, 4]]).T, [0, 0, 1, 1, 1]


def lines(ax):
    """Visible lines by label."""
    found = {line.get_label(): line for line in ax.lines}
    return {label: line for label, line in found.items() if not label.startswith("_")}


def points(ax):
    return np.vstack([c.get_offsets() for c in ax.collections])


@pytest.mark.parametrize("strategies", ["learned", ["left", "right"], ["fractional", "own_child"]])
def test_lines_are_the_table(horses, strategies):
    X, y = horses
    ax = plot_split(X, y, "Pulse", strategies)
    drawn = lines(ax)
    for name in [strategies] if isinstance(strategies, str) else strategies:
        table = split_table(X, y, name, feature="Pulse")
        cuts = table.dropna(subset="threshold").sort_values("threshold")
        np.testing.assert_array_equal(drawn[name].get_xdata(), cuts["threshold"])
        np.testing.assert_array_equal(drawn[name].get_ydata(), cuts["gain"])
        best = drawn[f"{name}, best"]
        assert (best.get_xdata()[0], best.get_ydata()[0]) == tuple(
            table.loc[0, ["threshold", "gain"]]
        )
        alone = table.loc[table["test"] == "Pulse is known", "gain"]
        assert (f"{name}, known or not" in drawn) == (len(alone) > 0)
        if len(alone):
            mark = drawn[f"{name}, known or not"]
            assert mark.get_ydata()[0] == alone.iloc[0]
            assert mark.get_xdata()[0] > X["Pulse"].max()


def test_every_row_is_a_dot_and_missing_ones_stand_apart(horses):
    X, y = horses
    ax = plot_split(X, y, "Pulse")
    dots = points(ax)
    assert len(dots) == len(X) == 366
    x = dots[:, 0]
    known = np.sort(X["Pulse"].dropna())
    np.testing.assert_array_equal(np.sort(x)[: len(known)], known)
    assert (np.sort(x)[len(known) :] > known[-1] * 1.05).all()
    assert (dots[:, 1] < 0).all()
    names = [t.get_text() for t in ax.get_yticklabels()]
    assert names[-2:] == ["lived (225)", "lost (141)"]
    words = [t.get_text() for t in ax.texts]
    assert "26\nmissing\ngo right" in words
    assert words.count("13") == 2  # lived, lost


def test_titles_are_findings(penguins, horses):
    X, y = penguins
    assert plot_split(X, y).get_title(loc="left") == "flipper_length_mm <= 206.5 gains 0.333"
    X, y = horses
    for options, title in [
        ({"feature": "Pulse"}, "Pulse <= 64.5 gains 0.079"),
        (
            {"feature": "Pulse", "missing": ["left", "right"]},
            "The cut of Pulse moves with the strategy",
        ),
        ({"feature": "Pain", "categorical": "equality"}, "Pain = no pain gains 0.032"),
        (
            {"feature": "Pain", "categorical": "multiway"},
            "Pain: one branch per level, missing to depressed gains 0.096",
        ),
        (
            {"feature": "Pain", "categorical": "every_level", "missing": "fractional"},
            "Pain: one branch per level, missing shares gains 0.097",
        ),
        ({"feature": "Pulse", "title": "Mine, with $ and _"}, "Mine, with $ and _"),
    ]:
        assert plot_split(X, y, **options).get_title(loc="left") == title
    five = plot_split(*FIVE, missing=("right", "left", "learned"))
    assert five.get_title(loc="left") == "x0 <= 2.5 gains 0.213 to 0.480, by strategy"


def test_description_in_words():
    assert describe_axes(plot_split(*FIVE)) == (
        "Axes 'x0 <= 2.5 gains 0.480': x='x0', y='gain'; learned from (1.5, 0.18) to (3.5, 0.213); "
        "learned, known or not at (4.48, 0.08); learned, best at (2.5, 0.48); texts: 1 missing go "
        "right | known or not? 0.080 | 2.5 gains 0.480 | 1."
    )
    X = pd.DataFrame({"colour": ["red", "red", "blue", "blue", None]})
    assert describe_axes(plot_split(X, list("aabbb"))) == (
        "Axes 'colour = red gains 0.480': x='share of each class by level of colour', y=''; "
        "texts: colour = red | 0.480 | colour is known | 0.080 | left | right | right."
    )


def test_strategies_that_agree_share_a_line(penguins):
    X, y = penguins
    ax = plot_split(X, y, "body_mass_g", ["left", "right", "fractional"])
    assert list(lines(ax)) == ["left, right, fractional", "left, right, fractional, best"]
    assert ax.get_title(loc="left") == "body_mass_g <= 4525 gains 0.250"


def test_known_or_not_as_the_best_cut():
    X = np.array([[1, 2, 3, 4, 5, 6, *[np.nan] * 4]]).T
    ax = plot_split(X, [0] * 6 + [1] * 4)
    assert ax.get_title(loc="left") == "x0 is known gains 0.480"
    assert list(lines(ax)) == ["learned", "learned, known or not"]
    mark = lines(ax)["learned, known or not"]
    assert to_rgba(mark.get_markerfacecolor()) == to_rgba(mark.get_color())
    assert "4\nmissing" in [t.get_text() for t in ax.texts]


def test_regression_shows_the_means_of_both_sides():
    X, y = make_xy(3, task="regression", rate=0.1)
    X = X[~np.isnan(X[:, 0])]
    y = y[: len(X)]
    w = np.random.default_rng(0).uniform(0.5, 2, len(X))
    ax = plot_split(X, y, "x0", sample_weight=w)
    tree = MDTreeRegressor(max_depth=1).fit(X[:, :1], y, w).tree_
    words = [t.get_text() for t in ax.texts]
    assert {f"mean {tree.value[v, 0]:.4g}" for v in (1, 2)} <= set(words)
    assert [t.get_text() for t in ax.get_yticklabels()][-2:] == [f"{y.min():.4g}", f"{y.max():.4g}"]


def test_category_bars_are_gains_and_shares(horses):
    X, y = horses
    ax = plot_split(X, y, "Pain")
    table = split_table(X, y, feature="Pain")
    gains = [c for c in ax.containers if c.get_label() == "_gain"]
    widths = np.array([bar.get_width() for c in gains for bar in c])
    np.testing.assert_allclose(widths / widths[0], table["gain"] / table["gain"][0])
    names = [t.get_text() for t in ax.get_yticklabels()]
    assert names == [
        "no pain (49)", "mild (82)", "depressed (76)", "cont. severe (50)", "severe (46)",
        "missing (63)",
    ]  # fmt: skip
    assert ax.get_yticklabels()[-1].get_color() == MISSING
    shares = [c[0] for c in ax.containers if c.get_label() == "_share"]
    lived = [b.get_width() for b in shares if b.get_facecolor() == to_rgba(CLASSES[0])]
    by_level = (y == "lived").groupby(X["Pain"].astype(object).fillna("missing").values).mean()
    np.testing.assert_allclose(lived, by_level[[n.rsplit(" (", 1)[0] for n in names]])
    sides = [t.get_text() for t in ax.texts][-3:]
    assert sides == ["left", "right", "left"]  # missing rows go left


def test_category_under_several_strategies(horses):
    X, y = horses
    ax = plot_split(X, y, "Pain", ["learned", "left", "fractional"])
    words = [t.get_text() for t in ax.texts]
    for name in ("learned", "left", "fractional"):
        assert name in words
        assert f"{split_table(X, y, name, feature='Pain')['gain'][0]:.3f}" in words
    assert "Pain in {depressed, mild, no pain}" in words
    assert "grouped by learned" in ax.get_xlabel()


def test_many_classes_and_levels():
    data = load("soybean_large")
    ax = plot_split(data.X, data.y, "fruit-pods")
    legend = [t.get_text() for t in ax.get_legend().get_texts()]
    assert len(legend) == 7
    assert legend[-1] == "13 others"
    X = pd.DataFrame({"x": np.arange(60.0), "c": [f"level {i % 15}" for i in range(60)]})
    ax = plot_split(X, np.arange(60) % 9, "x", task="classification")
    assert ax.get_yticklabels()[-1].get_text() == "3 others (18)"
    ax = plot_split(X, np.arange(60.0), "c")
    assert len(ax.get_yticklabels()) == 12


def test_rows_of_no_weight_are_not_drawn(horses):
    X, y = horses
    w = np.where(np.arange(len(X)) < 100, 0.0, 1.0)
    assert len(points(plot_split(X, y, "Pulse", sample_weight=w))) == 266


CASES = {
    "penguins": ("penguins", {}),
    "bill": ("penguins", {"feature": "bill_length_mm"}),
    "island": ("penguins", {"feature": "island"}),
    "pulse": ("horses", {"feature": "Pulse", "missing": ["left", "right", "learned", "majority"]}),
    "temperature": ("horses", {"feature": "RectalTemp", "missing": ["learned", "own_child"]}),
    "pain": ("horses", {"feature": "Pain"}),
    "pains": ("horses", {"feature": "Pain", "missing": ["own_child", "left", "mean", "right"]}),
    "multiway": ("horses", {"feature": "Pain", "categorical": "multiway"}),
}  # fmt: skip


@pytest.mark.parametrize("case", sorted(CASES))
def test_texts_do_not_overlap_and_are_not_clipped(case, request):
    data, options = CASES[case]
    figure = plot_split(*request.getfixturevalue(data), **options).figure
    figure.canvas.draw()
    ax = figure.axes[0]
    texts = [*ax.texts, *ax.get_yticklabels(), *ax.get_xticklabels(), ax.xaxis.label]
    texts += [] if ax.get_legend() is None else ax.get_legend().get_texts()
    texts = [t for t in (*texts, ax.yaxis.label, ax._left_title) if t.get_text()]
    boxes = [t.get_window_extent() for t in texts]
    for i, a in enumerate(boxes):
        for j, b in enumerate(boxes[:i]):
            assert not a.overlaps(b), (texts[i].get_text(), texts[j].get_text())
        assert a.x0 >= 0
        assert a.y0 >= 0
        assert a.x1 <= figure.bbox.width
        assert a.y1 <= figure.bbox.height
    assert min(t.get_fontsize() for t in texts) >= 6


def test_given_axes_are_used_and_nothing_else(horses):
    from matplotlib.figure import Figure

    for feature in ("Pulse", "Pain"):
        ax = Figure().subplots()
        assert plot_split(*horses, feature, ["left", "right"], ax=ax) is ax
        assert not ax.spines["top"].get_visible(), "as in a figure of its own"
        ax.figure.savefig(io.BytesIO())
    assert not matplotlib.pyplot.get_fignums()


def test_awkward_columns():
    y = np.arange(12) % 2
    x = np.array([-np.inf, *range(10), np.inf])[:, None]
    plot_split(x, y).figure.canvas.draw()
    odd = pd.DataFrame({"a $ b_c^": np.arange(12.0), "$l$": ["$x_1$", "b{"] * 6})
    for name in odd:
        plot_split(odd, y, name).figure.canvas.draw()
    frame, labels = make_frame(0)
    for name in frame:
        plot_split(frame, labels, name, ["mean", "learned"]).figure.canvas.draw()


def test_bad_input():
    X, y = make_xy(0)
    with pytest.raises(ValueError, match="names 5 strategies; one figure shows 1 to 4"):
        plot_split(X, y, missing=["left", "right", "learned", "mean", "majority"])
    with pytest.raises(ValueError, match="names 0 strategies"):
        plot_split(X, y, missing=[])
    with pytest.raises(ValueError, match="feature='x7' is no column"):
        plot_split(X, y, "x7")
    with pytest.raises(ValueError, match="feature='x0' has no cut under missing='learned'"):
        plot_split(np.ones((60, 1)), y)
    assert not matplotlib.pyplot.get_fignums()


def test_an_alias_is_one_strategy(horses):
    X, y = horses
    assert "learned" in lines(plot_split(X, y, "Pulse", ["learned", "mia"]))


def test_dark_paper_leaves_no_light_one_behind(horses):
    X, y = horses
    dark = get_palette("dark")
    for feature in ("Pulse", "Pain"):
        ax = plot_split(X, y, feature, ["learned", "stop"], theme="dark")
        face = to_hex(ax.get_facecolor())
        assert (face, to_hex(ax.figure.get_facecolor())) == (dark.paper.lower(),) * 2
        light = get_palette("light")
        for text in [*ax.texts, *ax.get_yticklabels(), ax.xaxis.label]:
            assert to_hex(text.get_color()) not in (light.ink.lower(), light.muted.lower())
    with pytest.raises(ValueError, match="theme='pink' is not known"):
        plot_split(X, y, "Pulse", theme="pink")
