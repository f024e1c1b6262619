"""How long does a table with text columns take, from the data frame on? (one thread)

Competitors take category columns as they are: one tree of scikit-learn's histogram boosting,
and YDF's CART where that package is installed (it is no dependency). Same depth for all; the
training accuracy says whether the trees are worth the same.
"""

from __future__ import annotations

import sys

import numpy as np
import pandas as pd
from harness import race, write
from sklearn.ensemble import HistGradientBoostingClassifier

from mdtree_nb import MDTreeClassifier

try:
    import ydf
except ImportError:
    ydf = None


def mixed(n: int, missing: float = 0.1):
    """Ten numeric and ten text columns of 3 to 200 levels, with holes; two classes."""
    rng = np.random.default_rng(0)
    numbers = rng.normal(size=(n, 10))
    levels = np.linspace(3, 200, 10).astype(int)
    codes = np.stack([rng.integers(0, k, n) for k in levels], axis=1)
    score = numbers[:, :5] @ rng.normal(size=5)
    for f in range(0, 10, 2):
        score += rng.normal(size=levels[f])[codes[:, f]]
    y = np.where(score + rng.normal(size=n) > 0, "yes", "no")
    frame = pd.DataFrame(numbers, columns=[f"number {f}" for f in range(10)])
    for f, k in enumerate(levels):
        names = np.array([f"level {c}" for c in range(k)], dtype=object)
        frame[f"text {f}"] = names[codes[:, f]]
    holes = rng.random(frame.shape) < missing
    return frame.mask(holes), y


def fit_ours(frame, y, depth):
    return MDTreeClassifier(max_depth=depth, min_samples_leaf=5).fit(frame, y)


def fit_boosting(frame, y, depth):
    """One tree; the least regularisation that there is."""
    text = frame.select_dtypes(exclude="number").columns
    return HistGradientBoostingClassifier(
        max_iter=1, learning_rate=1.0, max_depth=depth, max_leaf_nodes=None, min_samples_leaf=5,
        categorical_features="from_dtype", early_stopping=False,
    ).fit(frame.astype(dict.fromkeys(text, "category")), y)  # fmt: skip


def fit_ydf(frame, y, depth):
    """YDF counts depth from 1, and holds rows back for pruning unless told not to."""
    return ydf.CartLearner(
        label="y", max_depth=depth + 1, validation_ratio=0.0, num_threads=1, min_examples=5,
        include_all_columns=True,
    ).train(frame.assign(y=y), verbose=0)  # fmt: skip


def accuracy(model, frame, y):
    if ydf is not None and isinstance(model, ydf.GenericModel):
        share = np.asarray(model.predict(frame))
        classes = np.array(model.label_classes())
        found = classes[(share > 0.5).astype(int)] if share.ndim == 1 else classes[share.argmax(1)]
        return float((found == y).mean())
    if isinstance(model, HistGradientBoostingClassifier):
        text = frame.select_dtypes(exclude="number").columns
        frame = frame.astype(dict.fromkeys(text, "category"))
    return model.score(frame, y)


def main(sizes):
    fits = {"ours": fit_ours, "HistGradientBoosting": fit_boosting}
    if ydf is not None:
        fits["YDF CART"] = fit_ydf
    rows = []
    for n in sizes:
        frame, y = mixed(n)
        for depth in (4, 8):
            runs = {
                name: lambda fit=fit, depth=depth: fit(frame, y, depth)  # noqa: B023
                for name, fit in fits.items()
            }
            seconds = race(runs, rounds=5)
            for name, run in runs.items():
                rows.append(
                    [f"{n:,}", depth, name, f"{seconds[name]:.3f}"]
                    + [f"{seconds[name] / seconds['ours']:.1f}", f"{accuracy(run(), frame, y):.4f}"]
                )
                print(*rows[-1], flush=True)
    write(
        "categories",
        "Fit a data frame with text columns: seconds and training accuracy",
        "Ten numeric and ten text columns of 3 to 200 levels, 10 % of the cells missing, two "
        "classes, at least 5 rows per leaf; median CPU seconds of 5 rounds, one thread, "
        "everything counted from the data frame on. Ratio = theirs / ours.",
        ["rows", "max_depth", "package", "seconds", "ratio", "training accuracy"],
        rows,
    )


if __name__ == "__main__":
    main([int(a) for a in sys.argv[1:]] or [10_000, 100_000])
