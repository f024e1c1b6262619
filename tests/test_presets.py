"""The presets give the sources' own numbers, or lie where those can lie."""

import numpy as np
import pytest
from sklearn.metrics import confusion_matrix

from mdtree_nb import presets, teaching
from mdtree_nb.teaching.sources import scores


def test_source_3_to_the_last_digit():
    data = teaching.source_data(3)
    model = presets.cart_categorical().fit(data.X_train, data.y_train)
    found = scores(model, data)
    assert found["accuracy"] == 0.875
    assert round(found["precision"], 4) == 0.8333
    assert round(found["recall"], 4) == 0.9524
    matrix = confusion_matrix(data.y_test, model.predict(data.X_test))
    assert matrix.tolist() == [[75, 20], [5, 100]]
    assert not (model.tree_.feature == 5).any(), "its category is never used"
    data = teaching.source_data(3, "regression")
    model = presets.cart_categorical("regression").fit(data.X_train, data.y_train)
    found = scores(model, data)
    assert round(found["mae"], 6) == 66.579475
    assert round(found["mse"], 6) == 7157.993141
    assert data.X_train.columns[model.tree_.feature[0]] == "category"


def test_source_0_within_its_ranges():
    """The source sets no seed; 24 of them span its published values."""
    ranges = {
        "classification": {
            "accuracy": (0.835, 0.88), "precision": (0.82, 0.866), "recall": (0.866, 0.924),
        },
        "regression": {"rmse": (67.0, 73.1), "mae": (53.0, 57.6)},
    }  # fmt: skip
    published = {
        "classification": {"accuracy": 0.86, "precision": 0.85, "recall": 0.89},
        "regression": {"rmse": 68.86, "mae": 53.35},
    }
    for task, limits in ranges.items():
        found = []
        for seed in range(24):
            data = teaching.source_data(0, task, seed)
            model = presets.cart_nan_side(task)
            found.append(scores(model, data))
            assert model.n_dropped_ == data.y_train.isna().sum()
        for name, (low, high) in limits.items():
            values = np.array([scores_[name] for scores_ in found])
            assert low <= values.min(), name
            assert values.max() <= high, name
            assert values.min() - 0.05 <= published[task][name] <= values.max(), name


def test_conventions():
    tree = presets.cart_nan_side()
    assert (tree.missing, tree.max_depth, tree.missing_label) == ("right", 4, "drop")
    tree = presets.cart_nan_side("regression", side="right", loss="mse", max_depth=2)
    assert (tree.missing, tree.max_depth, tree.criterion) == ("right", 1, "squared_error")
    assert presets.cart_nan_side("regression").criterion.from_mean
    X, y = [[1.0], [2.0], [np.nan], [3.0], [4.0]], [0, 0, 1, 1, np.nan]
    model = presets.cart_nan_side().fit(X, y)
    assert model.n_dropped_ == 1
    assert model.tree_.impurity[0] == 0.5
    assert model.tree_.n_leaves == 2


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"task": "ranking"}, "task='ranking' must be 'classification' or 'regression'"),
        ({"side": "up"}, "side='up' must be 'left' or 'right'"),
        ({"loss": "mse"}, "loss='mse' must be 'gini' or 'entropy'"),
        ({"max_depth": 1}, "max_depth=1 must be at least 2"),
    ],
)
def test_mistakes(options, message):
    with pytest.raises(ValueError, match=message):
        presets.cart_nan_side(**options)
