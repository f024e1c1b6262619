"""plot_missing_pattern: counts computed the long way."""

from collections import Counter

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from data import make_frame, make_xy
from matplotlib.colors import to_hex
from matplotlib.figure import Figure

import mdtree_nb as md
from mdtree_nb import describe_axes, plot_missing_pattern
from mdtree_nb.plots.missing_pattern import find_patterns
from mdtree_nb.plots.theme import PALETTES


@pytest.fixture(autouse=True)
def close_figures():
    yield
    plt.close("all")


TABLES = {
    "colic": lambda: md.load("horse_colic").X,
    "mixed": lambda: make_frame(0)[0],
    "array": lambda: make_xy(1, p=6)[0],
    "text": lambda: pd.DataFrame({"a": ["x", None, pd.NA], "b": [pd.NaT, None, 1.0]}, dtype=object),
}


@pytest.mark.parametrize("name", TABLES)
def test_patterns_are_those_of_the_rows(name):
    X = TABLES[name]()
    frame = pd.DataFrame(X)
    naive = Counter(
        frozenset(str(c) for c in frame.columns if pd.isna(row[c])) for _, row in frame.iterrows()
    )
    found = find_patterns(X, 10**6, 10**6)
    seen = {
        frozenset(n for n, hole in zip(found.names, cells, strict=True) if hole): rows
        for cells, rows in zip(found.cells, found.counts, strict=True)
    }
    assert seen == naive
    assert (np.diff(found.counts) <= 0).all()
    assert (np.diff(found.missing) <= 0).all()
    assert found.n_complete_rows == naive[frozenset()]
    assert found.n_rows == len(frame)
    assert dict(zip(found.names, found.missing, strict=True)) == {
        str(c): n for c, n in frame.isna().sum().items() if n
    }


def test_the_picture_has_a_cell_per_hole_and_a_bar_per_pattern():
    X = md.load("horse_colic").X
    ax = plot_missing_pattern(X, max_patterns=6)
    found = find_patterns(X, 6, 30)
    dark = PALETTES["light"].missing
    cells = {to_hex(c.get_facecolor()[0]).upper(): len(c.get_paths()) for c in ax.collections}
    assert cells[dark] == found.cells.sum()
    assert sum(cells.values()) == found.cells.size
    numbers = [t.get_text() for t in ax.texts if t.get_text().isdigit()]
    assert list(map(int, numbers)) == [*found.counts, len(X) - found.counts.sum()]
    widths = [np.ptp(p.get_xy()[:, 0]) for p in ax.patches]
    assert np.array(widths) / widths[0] == pytest.approx(np.array(numbers, int) / found.counts[0])
    labels = [t.get_text() for t in ax.get_xticklabels()]
    assert labels[0] == "NasogReflpH  297"
    lines = describe_axes(ax).splitlines()
    assert lines[0].startswith("7 of 366 rows are complete; 223 patterns. Missing cells: NasogR")
    assert lines[1] == "20 rows miss NasogReflpH"
    assert lines[-1] == f"{len(X) - found.counts.sum()} rows have 217 other patterns"


@pytest.mark.parametrize("theme", PALETTES)
@pytest.mark.parametrize("name", TABLES)
def test_texts_are_apart_and_on_the_page(name, theme):
    ax = plot_missing_pattern(TABLES[name](), theme=theme)
    ax.figure.canvas.draw()
    texts = [t for t in (*ax.texts, *ax.get_xticklabels(), ax.xaxis.label) if t.get_text()]
    boxes = [t.get_window_extent() for t in texts]
    assert not any(a.overlaps(b) for i, a in enumerate(boxes) for b in boxes[:i])
    page = ax.figure.bbox
    assert all(b.x0 >= 0 and b.x1 <= page.x1 and b.y0 >= 0 and b.y1 <= page.y1 for b in boxes)
    assert min(t.get_fontsize() for t in texts) >= 6


def test_nothing_missing_odd_names_and_a_given_axes():
    ax = plot_missing_pattern(np.ones((4, 2)))
    assert describe_axes(ax).startswith("No value is missing in 4 rows; 1 pattern.")
    frame = pd.DataFrame({"$a_b$": [1, None], "_c": [None, None], "血" * 40: [None, 2]})
    given = Figure().subplots()
    assert plot_missing_pattern(frame, ax=given, title="$T$") is given
    given.figure.savefig(__import__("io").BytesIO())
    assert given.get_title(loc="left") == "$T$"
    assert "$a_b$  1" in [t.get_text() for t in given.get_xticklabels()]
    assert len(plt.get_fignums()) == 1


def test_columns_beyond_the_limit_are_counted():
    X, _ = make_xy(0, p=8, n=100)
    text = describe_axes(plot_missing_pattern(X, max_columns=3))
    assert "Not shown: 5 with fewer holes." in text
    assert find_patterns(X, 5, 3).n_complete_rows == (~np.isnan(X).any(axis=1)).sum()


@pytest.mark.parametrize(
    "options, message",
    [
        ({"max_patterns": 0}, "max_patterns=0 must be a whole number from 1"),
        ({"max_columns": 2.5}, "max_columns=2.5 must be"),
        ({"theme": "pink"}, "theme='pink' is not known"),
    ],
)
def test_bad_options(options, message):
    with pytest.raises(ValueError, match=message):
        plot_missing_pattern(np.ones((2, 2)), **options)


def test_an_empty_table():
    with pytest.raises(ValueError, match=r"X has shape \(0, 3\); there is nothing to count"):
        plot_missing_pattern(np.ones((0, 3)))
