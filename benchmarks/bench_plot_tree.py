"""How long does a picture of a tree take, next to scikit-learn's plot_tree?

Both draw a tree of as many leaves on the same page and write a PNG. scikit-learn draws
every node however small its text gets; ours folds what cannot be read, or becomes an
icicle, and shows counts and the way of missing values besides.
"""

from __future__ import annotations

import io

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
from harness import classification, race, write
from sklearn.tree import DecisionTreeClassifier
from sklearn.tree import plot_tree as their_plot

from mdtree_nb import MDTreeClassifier, plot_tree


def main():
    X, y = classification(6000, 0.15, classes=3)
    rows = []
    for smallest, rounds in ((600, 7), (135, 7), (16, 5)):
        ours = MDTreeClassifier(min_samples_leaf=smallest).fit(X, y)
        n_leaves = ours.get_n_leaves()
        theirs = DecisionTreeClassifier(max_leaf_nodes=n_leaves, random_state=0).fit(X, y)

        def draw_ours(model=ours):
            plot_tree(model).figure.savefig(io.BytesIO())
            plt.close("all")

        def draw_theirs(model=theirs):
            figure, ax = plt.subplots(figsize=(12, 8), dpi=100)
            their_plot(model, ax=ax, filled=True)
            figure.savefig(io.BytesIO())
            plt.close("all")

        seconds = race({"ours": draw_ours, "theirs": draw_theirs}, rounds)
        ratio = seconds["theirs"] / seconds["ours"]
        rows.append(
            [
                ours.tree_.n_nodes,
                f"{seconds['ours']:.2f}",
                f"{seconds['theirs']:.2f}",
                f"{ratio:.1f}",
            ]
        )
    write(
        "plot_tree",
        "Drawing a tree: seconds until the PNG is written",
        "6000 rows, 20 columns, 3 classes, 15 % of the cells missing. Both on a page of at most "
        "12 x 8 inches at 100 dpi; median CPU seconds.",
        ["nodes", "ours", "scikit-learn", "ratio"],
        rows,
    )


if __name__ == "__main__":
    main()
