"""Draw the pictures of the README; run this script after a change of what they show.

Those of the widgets are taken in Chromium.
"""

from __future__ import annotations

import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")

import mdtree_nb as md

PICTURES = Path(__file__).resolve().parent / "pictures"


def comparison() -> None:
    """Every strategy on horse_colic, lived or lost, as `python3 dev.py run` draws it."""
    data = md.load("horse_colic")
    y = data.y.where(data.y == "lived", "lost")
    result = md.compare(data.X, y, progress=False)
    ax = result.plot()
    ax.figure.savefig(PICTURES / "comparison.png", dpi=160)


def tree() -> None:
    """Where the missing values of horse_colic go in a tree of depth 3."""
    data = md.load("horse_colic")
    y = data.y.where(data.y == "lived", "lost")
    model = md.MDTreeClassifier(missing="learned", max_depth=3).fit(data.X, y)
    ax = md.plot_tree(model, title="Horses whose pulse was not taken go with the high pulses")
    ax.figure.savefig(PICTURES / "tree.png", dpi=160)


def path() -> None:
    """One day of which three things are unknown, on its way through a tree of shares."""
    data = md.load("playtennis_missing")
    model = md.MDTreeClassifier(missing="fractional", categorical="multiway")
    ax = md.plot_path(model.fit(data.X, data.y), data.X.iloc[2])
    ax.figure.savefig(PICTURES / "path.png", dpi=130)


def widgets() -> None:
    """TreeExplorer and SplitExplorer in light, RowTracer in dark colours, on the tree above."""
    sys.path.insert(0, str(PICTURES.parents[1] / "tests" / "browser"))
    from blank_page import mount
    from chromium import browser_context

    data = md.load("horse_colic")
    y = data.y.where(data.y == "lived", "lost")
    model = md.MDTreeClassifier(missing="learned", max_depth=3).fit(data.X, y)
    explorer = md.TreeExplorer(model, data.X, y, selected=6)
    tracer = md.RowTracer(model, data.X, y, row=7, predict=["learned", "fractional"])
    tracer.target = "lived"
    tracer.blank("Pulse")
    split = md.SplitExplorer(data.X, y, model, strategies=["learned", "left"], to_right=0.5)
    with browser_context([], device_scale_factor=1.5) as context:
        page = context.new_page()
        page.set_viewport_size({"width": 1300, "height": 1000})
        shown = (
            (explorer, "explorer", "light"),
            (tracer, "tracer", "dark"),
            (split, "split", "light"),
        )
        for widget, name, theme in shown:
            mount(page, widget, theme=theme)
            page.locator(".mdt").screenshot(path=PICTURES / f"{name}.png")


if __name__ == "__main__":
    PICTURES.mkdir(exist_ok=True)
    comparison()
    tree()
    path()
    widgets()
