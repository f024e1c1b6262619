"""Figures by their contents, not by their looks."""

import matplotlib
import pytest
from data import make_xy

from mdtree_nb import compare, describe_axes, plot_comparison

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
