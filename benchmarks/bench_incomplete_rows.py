"""How long do the answers for incomplete rows take? (one thread)

One tree, grown on a table with 20 % of the cells missing; as many new rows, with as many
holes, are predicted by every strategy that looks beyond the plain route.
"""

from __future__ import annotations

import sys
import time
import warnings

from harness import classification, race, write

from mdtree_nb import MDTreeClassifier
from mdtree_nb.strategies import Lpe, Tspe

WAYS = {
    "fractional": "fractional",
    "pool": "pool",
    "best_path": "best_path",
    "both_children": "both_children",
    "stop": "stop",
    "tspe": Tspe(),
    "tspe, reachable": Tspe("reachable"),
    "lpe": Lpe(),
    "lpe, reachable": Lpe("reachable"),
}


def measure(n, depth):
    """Lines of one tree: seconds to look at the training rows, then to predict."""
    X, y = classification(2 * n, 0.2)
    train, test = X[:n], X[n:]
    tree = MDTreeClassifier(missing="learned", max_depth=depth).fit(train, y[:n])
    models, study = {}, {}
    for name, strategy in WAYS.items():
        tree.with_prediction("tspe", train[:100], y[:100]).predict(test[:100])  # compiles
        start = time.process_time()
        models[name] = tree.with_prediction(strategy, train, y[:n])
        study[name] = time.process_time() - start
    seconds = race(
        {name: lambda model=model: model.predict_proba(test) for name, model in models.items()},
        rounds=3,
    )
    for name, model in models.items():
        accuracy = (model.predict(test) == y[n:]).mean()
        nodes = f"{tree.tree_.n_nodes:,}"
        cells = [f"{n:,}", depth or "none", nodes, name]
        yield [*cells, f"{study[name]:.2f}", f"{seconds[name]:.3f}", f"{accuracy:.3f}"]


def main(sizes):
    warnings.simplefilter("ignore")  # lpe says that it leaves out tests
    rows = []
    for n in sizes:
        for depth in (8, None):
            for row in measure(n, depth):
                rows.append(row)
                print(*row, flush=True)
    write(
        "incomplete_rows",
        "Incomplete rows: seconds to answer by each prediction strategy",
        "make_classification with 20 columns, 20 % of the values missing at random in training "
        "rows and in as many new rows, which are predicted; one tree, grown by learned. Study = "
        "what with_prediction does with the training rows, once; predict = median of three; CPU "
        "seconds. The logit of lpe has 256 columns at most. tspe and lpe search all training "
        "rows for each new row.",
        ["rows", "max_depth", "nodes", "by", "study", "predict", "accuracy"],
        rows,
    )


if __name__ == "__main__":
    main([int(a) for a in sys.argv[1:]] or [10_000, 100_000])
