"""plot_ranks: labels apart whatever the ranks, bars that join what Nemenyi cannot tell apart."""

from itertools import combinations

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.figure import Figure
from test_statistics import RANKED

from mdtree_nb import describe_axes, plot_ranks
from mdtree_nb.evaluation import critical_difference, friedman
from mdtree_nb.plots.ranks import rank_methods

matplotlib.use("Agg")


def boxes_of(ax):
    ax.figure.canvas.draw()
    texts = [t for t in (*ax.texts, ax._left_title) if t.get_text().strip()]
    return {f"{k} {t.get_text()}": t.get_window_extent() for k, t in enumerate(texts)}


def check_places(ax):
    boxes, page = boxes_of(ax), ax.figure.bbox
    over = [(a, b) for a, b in combinations(boxes, 2) if boxes[a].overlaps(boxes[b])]
    assert not over
    for name, box in boxes.items():
        assert min(box.x0, box.y0, page.x1 - box.x1, page.y1 - box.y1) >= 0, name
    plt.close(ax.figure)


@settings(max_examples=25, deadline=None)
@given(
    st.integers(2, 20),
    st.integers(2, 40),
    st.integers(0, 3),
    st.integers(0, 2**16),
    st.sampled_from([3, 14, 60]),
)
def test_nothing_overlaps(k, n, digits, seed, length):
    rng = np.random.default_rng(seed)
    spread = rng.choice([0.0, 0.3, 3.0])
    scores = np.round(rng.normal(size=(n, k)) + spread * rng.normal(size=k), digits)
    names = [f"{'W' * int(rng.integers(1, length))} {j}" for j in range(k)]
    check_places(plot_ranks(pd.DataFrame(scores, columns=names)))


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_names_of_every_kind(theme):
    rng = np.random.default_rng(0)
    names = ["cost_$", "$\\alpha", "größe", "a\nb", "", "<b>"]
    ax = plot_ranks(pd.DataFrame(rng.normal(size=(6, 6)), columns=names), theme=theme)
    shown = {t.get_text() for t in ax.texts}
    assert {"cost_$", "$\\alpha", "größe", "a b", "''", "<b>"} <= shown
    check_places(ax)


def test_a_given_axes_is_filled_and_nothing_else_opened():
    plt.close("all")
    figure = Figure(figsize=(4, 2))
    ax = figure.subplots()
    assert plot_ranks(RANKED, ax=ax) is ax
    assert not plt.get_fignums()
    assert ax.get_title(loc="left") == "Ranks differ (p = 0.020), but no pair is 1.25 apart"
    check_places(ax)


def test_a_title_shrinks_to_a_given_axes():
    figure = Figure(figsize=(3, 2))
    ax = plot_ranks(RANKED, ax=figure.subplots(), title="Ranks of methods " * 6)
    assert boxes_of(ax).popitem()[1].x1 <= figure.bbox.width


@pytest.mark.parametrize("title", ["", " "])
def test_an_empty_title_is_none(title):
    assert plot_ranks(RANKED, title=title)._left_title.get_text() == ""
    plt.close("all")


def test_names_stand_at_their_ranks():
    ax = plot_ranks(RANKED)
    found = friedman(RANKED)
    elbows = [line for line in ax.lines if len(line.get_xdata()) == 3]
    scale = next(line for line in ax.lines if len(set(line.get_ydata())) == 1).get_xdata()
    ranks = [1 + 3 * (e.get_xdata()[0] - scale[0]) / (scale[1] - scale[0]) for e in elbows]
    assert ranks == pytest.approx(sorted(found.mean_ranks))
    heights = {t.get_text(): t.get_position()[1] for t in ax.texts}
    order = found.mean_ranks.sort_values().index
    for elbow, name in zip(elbows, order, strict=True):
        assert elbow.get_ydata()[-1] == pytest.approx(heights[name])
    plt.close(ax.figure)


@pytest.mark.parametrize("seed", range(8))
def test_bars_join_exactly_what_is_close(seed):
    rng = np.random.default_rng(seed)
    k, n = int(rng.integers(2, 15)), int(rng.integers(3, 30))
    found = friedman(rng.normal(size=(n, k)) + np.linspace(0, 2, k))
    ranking = rank_methods(found, 0.05)
    distance = critical_difference(k, n)
    joined = {pair for a, b in ranking.groups for pair in combinations(range(a, b + 1), 2)}
    close = {
        (i, j)
        for i, j in combinations(range(k), 2)
        if ranking.ranks[j] - ranking.ranks[i] <= distance
    }
    assert joined == close
    inside = [
        (g, h)
        for g in ranking.groups
        for h in ranking.groups
        if g != h and g[0] >= h[0] and g[1] <= h[1]
    ]
    assert not inside


@pytest.mark.parametrize(
    ("scores", "finding"),
    [
        (RANKED, "Ranks differ (p = 0.020), but no pair is 1.25 apart"),
        (RANKED.iloc[:, :2], "C4.5+m is visibly ahead of C4.5"),
        (np.ones((5, 3)), "No visible order: such ranks could be chance (p = 1.000)"),
        (np.tile([3.0, 2, 1], (9, 1)), "0 is visibly ahead of 1 of 2 others"),
    ],
)
def test_the_title_is_the_finding(scores, finding):
    ax = plot_ranks(scores)
    assert ax.get_title(loc="left") == finding
    words = describe_axes(ax)
    assert words.startswith(finding)
    for name, rank in friedman(scores).mean_ranks.items():
        assert f"\n{name} has mean rank {rank:.3f}" in words
    plt.close(ax.figure)


def test_a_friedman_is_drawn_as_it_is():
    ax, same = plot_ranks(friedman(RANKED)), plot_ranks(RANKED)
    assert describe_axes(ax) == describe_axes(same)
    errors = plot_ranks(1 - RANKED, higher_is_better=False)
    assert describe_axes(errors) == describe_axes(same)
    plt.close("all")
    with pytest.raises(ValueError, match="theme='pink' is not known"):
        plot_ranks(RANKED, theme="pink")
