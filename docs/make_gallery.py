"""Draw the picture book: every plot and widget, in light and in dark, on several tables.

Run it after a change of how something looks, and look at all of `docs/gallery`. Widgets are
taken in Chromium.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from PIL import Image

import mdtree_nb as md

BOOK = Path(__file__).resolve().parent / "gallery"
DPI = 80
Page = tuple[str, str, Callable[[str], Any]]  # name, what to look at, how to draw it in a theme


def horses() -> tuple[Any, Any]:
    """Horses, lived or lost."""
    data = md.load("horse_colic")
    return data.X, data.y.where(data.y == "lived", "lost")


def trees() -> Iterator[Page]:
    """Trees as cards and icicles, and one row's way."""
    X, y = horses()
    votes, cars, birds = (md.load(n) for n in ("house_votes_84", "auto_mpg", "penguins"))
    days = md.load("playtennis_missing")
    for way in ("learned", "fractional", "own_child", "both_children", "stop", "surrogate"):
        model = md.MDTreeClassifier(missing=way, max_depth=2).fit(X, y)
        yield (
            f"tree_{way}",
            f"plot_tree, horses, {way}",
            lambda t, m=model: md.plot_tree(m, theme=t),
        )
    multi = md.MDTreeClassifier(missing="fractional", categorical="multiway").fit(days.X, days.y)
    yield "tree_days", "plot_tree, one branch per level", lambda t: md.plot_tree(multi, theme=t)
    three = md.MDTreeClassifier(max_depth=3).fit(birds.X, birds.y)
    yield "tree_penguins", "plot_tree, three classes", lambda t: md.plot_tree(three, theme=t)
    party = md.MDTreeClassifier(missing="mia").fit(votes.X, votes.y)
    yield "tree_votes", "plot_tree, 53 nodes", lambda t: md.plot_tree(party, theme=t)
    number = md.MDTreeRegressor(missing="surrogate", max_depth=3).fit(cars.X, cars.y)
    yield "tree_cars", "plot_tree, regression, surrogates", lambda t: md.plot_tree(number, theme=t)
    leaf = md.MDTreeClassifier(min_samples_split=1000).fit(X, y)
    yield "tree_leaf", "plot_tree, a single node", lambda t: md.plot_tree(leaf, theme=t)
    large = md.MDTreeClassifier(missing="fractional").fit(X, y)
    yield "icicle", "plot_tree, 335 nodes", lambda t: md.plot_tree(large, theme=t)
    cut = {"kind": "tree", "max_size": (9.0, 6.0)}
    yield "stubs", "plot_tree, stubs", lambda t: md.plot_tree(large, theme=t, **cut)
    row = days.X.iloc[2]
    yield "path_days", "plot_path, shares", lambda t: md.plot_path(multi, row, theme=t)
    car = cars.X.iloc[[3]].copy()
    car["cylinders"] = np.nan
    yield "path_car", "plot_path, a surrogate speaks", lambda t: md.plot_path(number, car, theme=t)
    full = md.MDTreeClassifier(min_samples_leaf=5).fit(X, y)
    yield "importance", "plot_importance", lambda t: md.plot_importance(full, X, y, theme=t)


def cuts_and_holes() -> Iterator[Page]:
    """Cuts, regions, holes and comparisons."""
    X, y = horses()
    cars, birds = md.load("auto_mpg"), md.load("penguins")
    ways = ["learned", "fractional", "left", "own_child"]
    for name in ("Pulse", "Pain"):
        yield (
            f"split_{name.lower()}",
            f"plot_split, {name}, four strategies",
            (lambda t, n=name: md.plot_split(X, y, n, ways, theme=t)),
        )
    yield (
        "split_cars",
        "plot_split, regression",
        (lambda t: md.plot_split(cars.X, cars.y, "horsepower", ["learned", "left"], theme=t)),
    )
    two = birds.X[["flipper_length_mm", "bill_length_mm"]]
    areas = md.MDTreeClassifier(max_depth=3).fit(two, birds.y)
    yield "regions", "plot_regions", lambda t: md.plot_regions(areas, two, birds.y, theme=t)
    yield "pattern", "plot_missing_pattern", lambda t: md.plot_missing_pattern(X, theme=t)
    yield "share", "plot_missing_share", lambda t: md.plot_missing_share(X, theme=t)
    yield "bars", "plot_missing_bars", lambda t: md.plot_missing_bars(X.iloc[:, :6], theme=t)
    yield (
        "dependence",
        "plot_missing_dependence",
        (lambda t: md.plot_missing_dependence(X, "RectalTemp", "Pulse", theme=t)),
    )
    result = md.compare(X, y, ["learned", "fractional", "surrogate", "majority", "discard"])
    yield "comparison", "plot_comparison", lambda t: md.plot_comparison(result, theme=t)
    tests = ["complete", "missing", "imputed"]
    study = md.teaching.load_results("eig2020").query("strategy in ['C4.5', 'EIG knn', 'mean']")
    yield (
        "panels",
        "plot_panels, a study",
        lambda t: md.plot_panels(
            study,
            x="rate",
            y="accuracy",
            lines="strategy",
            panels="test",
            order=tests,
            title="A study: C4.5, EIG with guesses, and the mean",
            theme=t,
        )[0],
    )
    ranks = np.array([[1, 2, 3, 4], [2, 1, 3, 4], [1, 3, 2, 4], [1, 2, 4, 3], [2, 1, 3, 4]] * 3)
    scores = pd.DataFrame(1 / ranks, columns=["learned", "fractional", "surrogate", "discard"])
    yield "ranks", "plot_ranks, made-up scores", lambda t: md.plot_ranks(scores, theme=t)


def written(picture: bytes, path: Path) -> None:
    """Keep a picture with few colours: a third of the bytes."""
    whole = Image.open(io.BytesIO(picture)).convert("RGB")
    whole.quantize(128, dither=Image.Dither.NONE).save(path, optimize=True)


def draw_plots() -> list[tuple[str, str, str]]:
    """Draw all plots; returns name, title and description of each."""
    pages = []
    for source in (trees, cuts_and_holes):
        for name, title, draw in source():
            for theme in ("light", "dark"):
                ax = draw(theme)
                buffer = io.BytesIO()
                figure = ax.figure
                figure.savefig(buffer, dpi=DPI, facecolor=figure.get_facecolor())
                written(buffer.getvalue(), BOOK / f"{name}_{theme}.png")
                words = md.describe_axes(ax).splitlines()[0]
                plt.close(figure)
            pages.append((name, title, words))
    return pages


def draw_widgets() -> list[tuple[str, str, str]]:
    """Take all widgets in Chromium; returns name, title and state of each."""
    sys.path.insert(0, str(BOOK.parents[1] / "tests" / "browser"))
    from blank_page import mount
    from chromium import browser_context

    pages = []
    with browser_context([], device_scale_factor=1) as context:
        page = context.new_page()
        page.set_viewport_size({"width": 1180, "height": 900})
        for name, cls in md.widgets.all_widgets().items():
            widget = cls.example()
            for theme in ("light", "dark"):
                mount(page, widget, theme=theme)
                picture = page.locator(".mdt").screenshot()
                written(picture, BOOK / f"widget_{name}_{theme}.png")
            pages.append((f"widget_{name}", name, repr(widget)))
    return pages


def write_book(pages: list[tuple[str, str, str]]) -> None:
    """Put the pictures below each other, with their words."""
    lines = [
        "# Picture book",
        "",
        "Every plot and every widget in light and dark, made by `python docs/make_gallery.py`. The",
        "line below a title is the first of its description, or the state of the widget.",
    ]
    for name, title, words in pages:
        clean = words.replace("[", "(").replace("]", ")").replace("|", "/")
        lines += ["", f"## {title}", "", clean, ""]
        lines += [f"![{title}, {t}]({name}_{t}.png)" for t in ("light", "dark")]
    (BOOK / "README.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    BOOK.mkdir(exist_ok=True)
    for old in BOOK.glob("*.png"):
        old.unlink()
    write_book(draw_plots() + draw_widgets())
