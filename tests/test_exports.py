"""Rules in words, with the route of missing values."""

import numpy as np
import pytest
from data import make_xy

from mdtree_nb import MDTreeClassifier, MDTreeRegressor, export_text
from mdtree_nb.strategies import Stop, all_strategies

X = np.array([[1.0], [2.0], [np.nan], [3.0], [4.0]])
Y = np.array(list("aabbb"))


def text(missing, **options):
    return export_text(MDTreeClassifier(missing=missing, max_depth=1).fit(X, Y), **options)


def test_one_side():
    assert text("right").splitlines() == [
        "#0 5 rows: a 0.40, b 0.60; 1 missing x0 -> #2",
        "|-- #1 x0 <= 2.5: 2 rows: a 1.00",
        "`-- #2 x0 > 2.5 or missing: 3 rows: b 1.00",
    ]


def test_shares():
    assert text("fractional").splitlines() == [
        "#0 5 rows: a 0.40, b 0.60; 1 missing x0 -> #1 (0.50), #2 (0.50)",
        "|-- #1 x0 <= 2.5: 3 rows (weight 2.50): a 0.80, b 0.20",
        "`-- #2 x0 > 2.5: 3 rows (weight 2.50): b 1.00",
    ]


def test_own_child():
    assert text("own_child", decimals=1).splitlines()[-1] == "`-- #3 x0 is missing: 1 row: b 1.0"


def test_stop():
    model = MDTreeClassifier(missing=Stop(), max_depth=1).fit(X, Y)
    assert export_text(model).splitlines()[0].endswith("; 1 missing x0 stop here")


def test_a_route_that_training_never_used():
    complete = X[~np.isnan(X[:, 0])]
    labels = Y[~np.isnan(X[:, 0])]
    for missing, route in (
        ("learned", "-> #2"),
        ("left", "-> #1"),
        ("fractional", "-> #1 (0.50), #2 (0.50)"),
    ):
        model = MDTreeClassifier(missing=missing).fit(complete, labels)
        assert f"; a missing x0 would go {route}" in export_text(model)
    assert "would go" not in export_text(model.tree_), "the tree alone knows no strategy"


def test_regression_and_weights():
    model = MDTreeRegressor(max_depth=1).fit(X, [1.0, 1.0, 5.0, 5.0, 5.5], [1, 1, 1, 1, 2])
    assert export_text(model, decimals=3).splitlines() == [
        "#0 5 rows (weight 6): mean 3.833; 1 missing x0 -> #2",
        "|-- #1 x0 <= 2.5: 2 rows: mean 1",
        "`-- #2 x0 > 2.5 or missing: 3 rows (weight 4): mean 5.250",
    ]


@pytest.mark.parametrize("missing", sorted(all_strategies()))
def test_never_inf_never_nan(missing):
    table, y = make_xy(0, mechanism="mar", classes=3)
    table[0, 0] = np.inf
    if missing == "mean":
        table[0, 0] = 9.0
    shown = export_text(MDTreeClassifier(missing=missing).fit(table, y))
    assert "inf" not in shown
    assert "nan" not in shown


def test_cut_off():
    table, y = make_xy(1, n=200)
    model = MDTreeClassifier().fit(table, y)
    shown = export_text(model, max_depth=1)
    assert len(shown.splitlines()) == 3
    below = sum(int(line.split("; ")[-1].split()[0]) for line in shown.splitlines()[1:])
    assert below == model.tree_.n_nodes - 3
    assert len(export_text(model).splitlines()) == model.tree_.n_nodes
