"""Draw the pictures of the README; run this script after a change of what they show."""

from __future__ import annotations

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


if __name__ == "__main__":
    PICTURES.mkdir(exist_ok=True)
    comparison()
    tree()
