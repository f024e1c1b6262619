"""What do strategies that choose their splits around the holes cost, next to learned? (one thread)

All fit the same tables in turn. A second table is for lazy trees, which grow nothing and work
when rows are predicted.
"""

from __future__ import annotations

import sys

from harness import classification, race, write

from mdtree_nb import LazyTreeClassifier, MDTreeClassifier, MDTreeRegressor

NAMES = ["learned", "best", "guide", "own_child", "trinary"]


def fits(sizes, depth=8):
    """Lines of fitting: seconds, and how many times those of learned."""
    for n in sizes:
        X, y = classification(n, 0.2)
        for task, cls in (("two classes", MDTreeClassifier), ("numbers", MDTreeRegressor)):
            labels = (
                y if cls is MDTreeClassifier else X[:, :3].sum(axis=1, where=X[:, :3] == X[:, :3])
            )
            models = {name: cls(missing=name, max_depth=depth) for name in NAMES}
            seconds = race(
                {
                    name: lambda model=model: model.fit(X, labels)  # noqa: B023
                    for name, model in models.items()
                },
                rounds=5,
            )
            for name, model in models.items():
                ratio = seconds[name] / seconds["learned"]
                nodes = f"{model.tree_.n_nodes:,}"
                yield [f"{n:,}", task, name, nodes, f"{seconds[name]:.3f}", f"{ratio:.2f}"]


def lazy(n=10_000, queries=1_000):
    """Lines of lazy trees: 1,000 rows with holes against 10,000."""
    X, y = classification(n + queries, 0.2)
    train, test = X[:n], X[n:]
    models = {
        f"lazy, min_samples_leaf={least}": LazyTreeClassifier(min_samples_leaf=least)
        for least in (1, 20)
    }
    models["learned, max_depth=8"] = MDTreeClassifier(max_depth=8)
    for model in models.values():
        model.fit(train, y[:n])
    seconds = race(
        {name: lambda model=model: model.predict(test) for name, model in models.items()}, rounds=3
    )
    for name, model in models.items():
        accuracy = (model.predict(test) == y[n:]).mean()
        yield [
            f"{n:,}",
            f"predict {queries:,}",
            name,
            "",
            f"{seconds[name]:.3f}",
            f"{accuracy:.3f}",
        ]


def main(sizes):
    write(
        "strategies",
        "Strategies around the holes: seconds of fit, and of lazy prediction",
        "make_classification with 20 columns, 20 % of the values missing at random; max_depth=8; "
        "numbers: the sum of the first three columns where they are known. Median CPU seconds, one "
        "thread; the last column is the ratio to learned, and accuracy for lines of prediction.",
        ["rows", "what", "by", "nodes", "seconds", "ratio, accuracy"],
        [*fits(sizes), *lazy()],
    )


if __name__ == "__main__":
    main([int(a) for a in sys.argv[1:]] or [10_000, 100_000])
