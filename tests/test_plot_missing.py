"""Bars and dots about missing values: their numbers, computed the long way, and their looks."""

from io import BytesIO
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from data import make_frame
from matplotlib.figure import Figure
from scipy.stats import binomtest

import mdtree_nb as md
from mdtree_nb import (
    describe_axes,
    make_missing,
    plot_missing_bars,
    plot_missing_dependence,
    plot_missing_share,
)
from mdtree_nb.plots.missing_dependence import Group
from mdtree_nb.plots.theme import PALETTES

AIR = pd.read_csv(Path(__file__).parent / "golden" / "airquality.csv")
COLIC = md.load("horse_colic").X
MIXED = make_frame(0, n=300)[0]
FULL = md.load("penguins").X.dropna()
OWN = make_missing(
    FULL, mechanism="MNAR", rate=0.3, columns="body_mass_g", random_state=0
).new_mask  # fmt: skip
ODD = pd.DataFrame({"$a_b$": [1, None, 3.0], "血" * 40: ["u", "v", None], "x\ny": [None, None, 1]})

DRAW = {
    "share": lambda **o: plot_missing_share(COLIC, **o),
    "share few": lambda **o: plot_missing_share(AIR, **o),
    "share odd": lambda **o: plot_missing_share(ODD, **o),
    "share none": lambda **o: plot_missing_share(FULL, **o),
    "bars": lambda **o: plot_missing_bars(COLIC, **o),
    "bars few": lambda **o: plot_missing_bars(AIR, **o),
    "bars odd": lambda **o: plot_missing_bars(ODD, **o),
    "dots of few numbers": lambda **o: plot_missing_dependence(AIR, "Ozone", "Month", **o),
    "dots of many": lambda **o: plot_missing_dependence(COLIC, "TotProtein", "Pulse", **o),
    "dots of levels": lambda **o: plot_missing_dependence(
        COLIC, "AbdominalDist", "MucousMembr", **o
    ),
    "dots of itself": lambda **o: plot_missing_dependence(
        FULL, "body_mass_g", "body_mass_g", mask=OWN, **o
    ),
    "dots odd": lambda **o: plot_missing_dependence(ODD, "$a_b$", "血" * 40, **o),
}


@pytest.fixture(autouse=True)
def close_figures():
    yield
    plt.close("all")


@pytest.mark.parametrize("theme", PALETTES)
@pytest.mark.parametrize("name", DRAW)
def test_texts_are_apart_and_on_the_page(name, theme):
    ax = DRAW[name](theme=theme)
    ax.figure.canvas.draw()
    labels = (*ax.get_xticklabels(), *ax.get_yticklabels(), ax.xaxis.label, ax.yaxis.label)
    texts = [t for t in (*ax.texts, *labels, ax._left_title) if t.get_text().strip()]
    boxes = [t.get_window_extent() for t in texts]
    clashes = [
        (texts[i].get_text(), texts[j].get_text())
        for i in range(len(boxes))
        for j in range(i)
        if boxes[i].overlaps(boxes[j])
    ]
    assert not clashes
    page = ax.figure.bbox
    for text, box in zip(texts, boxes, strict=True):
        inside = box.x0 >= 0 and box.x1 <= page.x1 and box.y0 >= 0 and box.y1 <= page.y1
        assert inside, text.get_text()
    assert min(t.get_fontsize() for t in texts) >= 6


@pytest.mark.parametrize("name", DRAW)
def test_a_given_axes_and_title(name):
    given = Figure().subplots()
    assert DRAW[name](ax=given, title="$T$") is given
    given.figure.savefig(BytesIO())
    assert given.get_title(loc="left") == "$T$"
    assert not plt.get_fignums()


def widths(ax):
    return [np.ptp(patch.get_xy()[:, 0]) for patch in ax.patches]


def test_shares_are_those_of_the_columns():
    ax = plot_missing_share(COLIC, max_columns=7)
    shares = COLIC.isna().mean().sort_values(ascending=False, kind="stable")[:7]
    assert [t.get_text() for t in ax.get_yticklabels()] == list(shares.index)
    drawn = widths(ax)
    assert drawn[::2] == [1.0] * 7, "tracks"
    np.testing.assert_allclose(drawn[1::2], shares)
    lines = describe_axes(ax).splitlines()
    assert lines[0] == (
        "26 % of all cells are missing, in 19 of 20 columns. Not shown: 1 without a hole, "
        "12 with fewer holes."
    )
    assert lines[1] == "NasogReflpH misses 297 of 366 rows (81 %)"
    assert "No value is missing in 333 rows" in describe_axes(plot_missing_share(FULL))


def test_bars_are_the_patterns():
    ax = plot_missing_bars(AIR)
    np.testing.assert_allclose(np.array(widths(ax)) * 111 / widths(ax)[0], [111, 35, 5, 2])
    assert [t.get_text() for t in ax.get_yticklabels()] == [
        "nothing missing", "Ozone", "Solar.R", "Ozone, Solar.R",
    ]  # fmt: skip
    assert describe_axes(ax).splitlines() == [
        "111 of 153 rows are complete; 4 patterns.",
        "111 rows miss nothing (73 %)",
        "35 rows miss Ozone (23 %)",
        "5 rows miss Solar.R (3.3 %)",
        "2 rows miss Ozone, Solar.R (1.3 %)",
    ]
    few = plot_missing_bars(COLIC, max_patterns=3)
    others = 366 - sum(int(t.get_text().split()[0]) for t in few.texts[:3])
    assert few.texts[3].get_text().startswith(str(others))
    assert few.get_yticklabels()[3].get_text() == "220 other patterns"


def test_dots_are_the_shares_of_groups():
    ax = plot_missing_dependence(AIR, "Ozone", "Month")
    shares = AIR["Ozone"].isna().groupby(AIR["Month"]).mean()
    dots = [line for line in ax.lines if line.get_marker() == "o"]
    np.testing.assert_allclose([d.get_ydata()[0] for d in dots], shares)
    assert ax.get_title(loc="left") == "Ozone: 3.3 % to 70 % missing, by Month"
    lines = describe_axes(ax).splitlines()
    assert lines[0] == "Ozone is missing in 3.3 % to 70 % of the rows, by Month (24 % of all)."
    assert lines[2] == "Month = 6: 21 of 30 rows (70 %)"


def test_groups_of_numbers_hold_every_row_once():
    ax = plot_missing_dependence(COLIC, "TotProtein", "Pulse", bins=5)
    lines = describe_axes(ax).splitlines()[1:]
    counts = [
        tuple(map(int, line.split(": ")[1].split(" rows")[0].split(" of "))) for line in lines
    ]
    assert sum(n for _, n in counts) == len(COLIC)
    assert sum(m for m, _ in counts) == COLIC["TotProtein"].isna().sum()
    lost = COLIC["Pulse"].isna()
    assert lines[-1].startswith("Pulse is missing: ")
    assert counts[-1] == (COLIC["TotProtein"].isna()[lost].sum(), lost.sum())
    assert len(lines) == 6
    sizes = [n for _, n in counts[:-1]]
    assert max(sizes) < 2 * min(sizes)


def test_a_mask_shows_what_the_holes_hide():
    text = describe_axes(DRAW["dots of itself"]()).splitlines()
    first, last = (line.split("(")[1] for line in (text[1], text[-1]))
    assert float(first.split()[0]) < 10 < 60 < float(last.split()[0])
    lines = OWN["body_mass_g"].to_numpy()
    assert f"({round(100 * lines.mean())} % of all)" in text[0]


def test_many_levels_are_counted_together():
    X = pd.DataFrame({"g": [f"level {i % 20}" for i in range(200)], "v": np.nan})
    lines = describe_axes(plot_missing_dependence(X, "v", "g")).splitlines()
    assert lines[-1] == "g: 8 other levels: 80 of 80 rows (100 %)"
    assert len(lines) == 14


def test_intervals_are_wilsons():
    for missing, rows in [(0, 10), (3, 10), (10, 10), (120, 500)]:
        wanted = binomtest(missing, rows).proportion_ci(method="wilson")
        assert Group("g", 0, rows, missing).interval == pytest.approx((wanted.low, wanted.high))


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: plot_missing_share(AIR, max_columns=0), "max_columns=0 must be a whole number"),
        (lambda: plot_missing_bars(AIR, max_patterns=1.5), "max_patterns=1.5 must be a whole"),
        (lambda: plot_missing_share(np.ones((0, 3))), "nothing to count"),
        (lambda: plot_missing_bars(np.ones((0, 3))), "nothing to count"),
        (lambda: plot_missing_share(AIR, theme="pink"), "theme='pink' is not known"),
        (lambda: plot_missing_dependence(AIR, "Ozon", "Month"), "column='Ozon' is not a column"),
        (lambda: plot_missing_dependence(AIR, "Ozone", "M"), "on='M' is not a column"),
        (lambda: plot_missing_dependence(AIR, "Ozone", "Ozone"), "pass the complete table as X"),
        (lambda: plot_missing_dependence(AIR, "Ozone", "Month", bins=1), "bins=1 must be"),
        (lambda: plot_missing_dependence(AIR[:0], "Ozone", "Month"), "X has no rows"),
    ],
)
def test_refusals(call, message):
    with pytest.raises(ValueError, match=message):
        call()
