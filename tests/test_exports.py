"""Rules in words, with the route of missing values."""

import numpy as np
import pytest
from data import make_xy

import mdtree_nb as md
from mdtree_nb import MDTreeClassifier, MDTreeRegressor, export_text
from mdtree_nb.asked import read_asked
from mdtree_nb.strategies import Stop, Surrogate, all_strategies

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
    model = MDTreeClassifier(missing=missing)
    try:
        model.fit(table, y)
    except md.StrategyNotApplicable:  # what computes with values refuses infinities
        table[0, 0] = 9.0
    shown = export_text(model.fit(table, y))
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


# -- surrogates ---------------------------------------------------------------------


def penguins(missing="surrogate", **options):
    data = md.load("penguins")
    return MDTreeClassifier(missing=missing, max_depth=2, **options).fit(data.X, data.y)


def notes(model):
    """What is said about missing values, by node."""
    lines = (line.lstrip("|`- ") for line in export_text(model).splitlines())
    return {int(line.split()[0][1:]): line.partition("; ")[2] for line in lines}


def test_surrogates_are_named():
    assert notes(penguins()) == {
        0: "2 missing flipper_length_mm -> #1 (0.50), #2 (0.50), by bill_depth_mm > 16.35 (0.93), "
        "body_mass_g <= 4525 (0.91), +2 more, if none can tell -> #1",
        1: "1 missing bill_length_mm -> #3, by flipper_length_mm <= 195.5 (0.75), "
        "if none can tell -> #3",
        2: "a missing island goes by bill_depth_mm <= 17.65 (0.99), body_mass_g > 4050 (0.95), "
        "if none can tell -> #5",
        **dict.fromkeys([3, 4, 5, 6], ""),
    }


def test_surrogates_of_later_rows_alone():
    plain = notes(penguins("learned"))
    later = notes(penguins("learned", record_surrogates=True, missing_predict="surrogate"))
    for v in (0, 1):
        assert later[v].startswith(plain[v] + "; a later one goes by ")
    assert later[2].startswith("a missing island goes by bill_depth_mm <= 17.65 (1.00), ")


def test_surrogates_of_training_rows_alone():
    both, training = notes(penguins()), notes(penguins(missing_predict="left"))
    assert [training[v] for v in (0, 1)] == [both[v] for v in (0, 1)]
    assert training[2] == "a missing island would go -> #5"


def test_surrogates_that_are_merely_recorded():
    for missing in ("learned", "fractional"):
        recorded = penguins(missing, record_surrogates=True)
        assert len(recorded.tree_.surrogates)
        assert export_text(recorded) == export_text(penguins(missing))
    assert "(0.93)" not in export_text(penguins(Surrogate(use_surrogates=0)))
    assert " by " not in export_text(penguins().tree_), "the tree alone knows no strategy"


def test_where_rows_stop_if_no_surrogate_can_tell():
    said = notes(penguins(Surrogate(use_surrogates=1)))
    assert said[1].startswith("1 missing bill_length_mm stop here, by flipper_length_mm <= 195.5")
    assert said[2].endswith("if none can tell, stop here")


@pytest.mark.parametrize("fallback", ["weight", "rows"])
def test_rows_go_where_the_words_say(fallback):
    """Rows that know the column of one surrogate alone, and a row that knows nothing."""
    X = md.load("penguins").X
    model = penguins(Surrogate(fallback=fallback))
    its = read_asked(model, model.tree_)[0]
    assert len(its.surrogates) == 4
    for surrogate in its.surrogates:
        known = X[X[surrogate.feature].notna()].copy()
        known.loc[:, known.columns != surrogate.feature] = np.nan
        goes = model.decision_path(known).toarray()[:, 1] > 0
        assert 0 < goes.sum() < len(goes)
        assert (goes == holds(known, surrogate.condition)).all()
    nothing = X.iloc[:1].copy()
    nothing.loc[:, :] = np.nan
    path = model.decision_path(nothing).toarray()[0] > 0
    assert its.otherwise == ((1, float(path[1])), (2, float(path[2])))
    assert notes(model)[0].endswith(f"if none can tell -> #{1 if path[1] else 2}")


def holds(table, condition):
    name, sign, rest = condition.split(" ", 2)
    if sign in ("<=", ">"):
        return ((table[name] > float(rest)) == (sign == ">")).to_numpy()
    levels = [rest] if sign == "=" else rest.strip("{}").split(", ")
    return table[name].isin(levels).to_numpy()


def test_a_strategy_that_places_the_others_row_by_row():
    class Turns(Surrogate):
        def route(self, tree, node, table, rows):
            return np.eye(2)[np.asarray(rows) % 2]

    assert notes(penguins(Turns()))[2].endswith("if none can tell, as the strategy decides")


def test_other_models_are_refused():
    lazy = md.LazyTreeClassifier().fit([[0.0], [1.0]], [0, 1])
    with pytest.raises(TypeError, match="model=LazyTreeClassifier must be .*its explain_row shows"):
        export_text(lazy)
