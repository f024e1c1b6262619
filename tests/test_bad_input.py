"""Awkward and wrong input: a defined answer, or an error that says the way out."""

import numpy as np
import pandas as pd
import pytest
from data import make_xy

from mdtree_nb import MDTreeClassifier, MDTreeRegressor, StrategyNotApplicable
from mdtree_nb.prunings import Pessimistic, ReducedError
from mdtree_nb.strategies import Learned, all_strategies

NAN = np.nan


@pytest.fixture(params=sorted(all_strategies()))
def missing(request):
    return request.param


def fit(missing, X, y, cls=MDTreeClassifier, **options):
    try:
        return cls(missing=missing, **options).fit(X, y)
    except StrategyNotApplicable:
        assert missing == "discard" or (missing == "lpe" and cls is MDTreeRegressor)
        pytest.skip("no complete row, or no classes")


WRONG = [
    ({"missing": "foo"}, ValueError, "missing='foo' is not a known strategy; choose one of"),
    ({"missing": 3}, TypeError, "missing=3 must be the name of a strategy or a Strategy"),
    ({"missing": Learned}, TypeError, r"missing=Learned is a class; pass an object, Learned\(\)"),
    ({"missing_predict": "foo"}, ValueError, "missing_predict='foo' is not a known strategy"),
    ({"criterion": "mse"}, ValueError, "criterion='mse' is not a known criterion"),
    ({"criterion": 7}, TypeError, "criterion=7"),
    ({"max_depth": 0}, ValueError, "max_depth=0 must be at least 1"),
    ({"max_depth": 2.5}, TypeError, "max_depth=2.5 must be a whole number"),
    ({"min_samples_split": 1}, ValueError, "min_samples_split=1"),
    ({"min_samples_split": 1.5}, ValueError, "min_samples_split=1.5"),
    ({"min_samples_leaf": -1}, ValueError, "min_samples_leaf=-1"),
    ({"min_samples_leaf": "a"}, ValueError, "min_samples_leaf='a'"),
    ({"min_weight_fraction_leaf": 0.6}, ValueError, "min_weight_fraction_leaf=0.6"),
    ({"min_impurity_decrease": -1}, ValueError, "min_impurity_decrease=-1"),
    ({"min_impurity_decrease": NAN}, ValueError, "min_impurity_decrease=nan"),
    ({"max_features": 0}, ValueError, "max_features=0"),
    ({"max_features": 1.5}, ValueError, "max_features=1.5"),
    ({"max_features": "all"}, ValueError, "max_features='all'"),
    ({"splits": "binned"}, ValueError, "splits='binned'"),
    ({"categorical": "codes"}, ValueError, "categorical='codes'"),
    ({"new_missing": "ignore"}, ValueError, "new_missing='ignore'"),
    ({"missing_label": "keep"}, ValueError, "missing_label='keep'"),
    ({"ccp_alpha": "a"}, ValueError, "ccp_alpha='a'"),
    ({"pruning": "rep"}, ValueError, "pruning='rep' is not a known pruning; choose one of 'coll"),
    ({"pruning": 3}, TypeError, "pruning=3 must be the name of a pruning, a Pruning or None"),
    ({"pruning": Pessimistic}, TypeError, r"Pessimistic is a class; pass an object, Pessimistic\("),
    (
        {"pruning": Pessimistic(25)},
        ValueError,
        r"confidence=25 .* in \(0, 1\]; C4.5's option -c 25",
    ),
    ({"pruning": Pessimistic(0)}, ValueError, "confidence=0"),
    ({"pruning": Pessimistic(NAN)}, ValueError, "confidence=nan"),
    ({"pruning": Pessimistic("a")}, ValueError, "confidence='a'"),
    ({"pruning": ReducedError(1.0)}, ValueError, "fraction=1.0 .* between 0 and 1"),
    ({"pruning": ReducedError(True)}, ValueError, "fraction=True"),
]


@pytest.mark.parametrize(("options", "error", "message"), WRONG, ids=[str(w[0]) for w in WRONG])
def test_wrong_arguments(options, error, message):
    X, y = make_xy(0)
    with pytest.raises(error, match=message):
        MDTreeClassifier(**options).fit(X, y)


def test_a_criterion_of_the_other_task():
    X, y = make_xy(0)
    with pytest.raises(ValueError, match="criterion='gini' is not a known criterion for regr"):
        MDTreeRegressor(criterion="gini").fit(X, y)


def test_a_column_without_any_value(missing):
    X = np.column_stack([np.full(10, NAN), np.arange(10.0)])
    y = np.arange(10) > 4
    model = fit(missing, X, y)
    assert (model.predict(X) == y).all()
    assert model.n_features_in_ == 2
    assert model.feature_importances_[0] == 0
    later = X.copy()
    later[:, 0] = 123.0
    assert (model.predict(later) == y).all()


def test_a_row_without_any_value(missing):
    X, y = make_xy(1, classes=3)
    X[0] = NAN
    model = fit(missing, X, y)
    shares = model.predict_proba(np.full((1, 4), NAN))
    assert np.isfinite(shares).all()
    assert shares.sum() == pytest.approx(1)
    if missing == "fractional":
        np.testing.assert_allclose(shares[0], model.tree_.value[0], atol=0.05)


def test_a_table_without_any_value(missing):
    X, y = np.full((6, 2), NAN), [0, 0, 0, 0, 1, 1]
    if missing == "discard":
        with pytest.raises(StrategyNotApplicable, match="column 'x0' alone misses 6"):
            MDTreeClassifier(missing="discard").fit(X, y)
        return
    model = MDTreeClassifier(missing=missing).fit(X, y)
    assert model.tree_.n_nodes == 1
    np.testing.assert_allclose(model.predict_proba(X), [[2 / 3, 1 / 3]] * 6)


def test_infinity_is_a_very_large_number():
    X = np.array([[0.0], [1.0], [np.inf], [NAN], [NAN]])
    y = np.array([0, 0, 0, 1, 1])
    for missing in ("learned", "right", "own_child"):
        assert (MDTreeClassifier(missing=missing).fit(X, y).predict(X) == y).all()
    X = np.array([[-np.inf], [0.0], [np.inf]])
    tree = MDTreeClassifier().fit(X, [0, 1, 2]).tree_
    assert np.isfinite(tree.threshold[1:2]).all() or tree.is_leaf[1]
    assert (MDTreeClassifier().fit(X, [0, 1, 2]).predict(X) == [0, 1, 2]).all()
    X = np.array([[-np.inf], [np.inf]])
    assert (MDTreeClassifier().fit(X, [0, 1]).predict(X) == [0, 1]).all()


def test_means_refuse_infinity_by_column():
    X = np.array([[0.0, 1.0], [np.inf, NAN], [1.0, 2.0]])
    with pytest.raises(StrategyNotApplicable, match="column 'x0' holds an infinity"):
        MDTreeClassifier(missing="mean").fit(X, [0, 1, 0])


def test_constant_columns(missing):
    X = np.column_stack([np.full(8, 7.0), np.zeros(8)])
    model = fit(missing, X, np.arange(8) % 2)
    assert model.tree_.n_nodes == 1
    assert (model.feature_importances_ == 0).all()


@pytest.mark.parametrize("value", [0.0, -0.0, 7.0])
def test_one_known_value_against_missing(value):
    X = np.array([[value], [value], [value], [NAN], [NAN]])
    y = np.array([0, 0, 0, 1, 1])
    for missing in ("learned", "mia", "right"):
        model = MDTreeClassifier(missing=missing, max_depth=1).fit(X, y)
        assert (model.predict(X) == y).all()


@pytest.mark.parametrize("X", [[[1.0]], [[NAN]], [[1.0], [2.0], [NAN]]])
def test_one_row_and_one_class(missing, X):
    model = fit(missing, X, ["x"] * len(X))
    assert set(model.predict(X)) == {"x"}
    np.testing.assert_array_equal(model.predict_proba(X), np.ones((len(X), 1)))
    assert np.isfinite(model.feature_importances_).all()
    regressor = fit(missing, X, [3.0] * len(X), MDTreeRegressor)
    np.testing.assert_array_equal(regressor.predict(X), [3.0] * len(X))


def test_columns_missing_extra_reordered_duplicated():
    frame = pd.DataFrame({"a": np.arange(20.0), "b": np.arange(20.0) % 3})
    y = frame["a"] > 9
    model = MDTreeClassifier().fit(frame, y)
    with pytest.raises(ValueError, match="missing:\n- b"):
        model.predict(frame[["a"]])
    with pytest.raises(ValueError, match="unseen at fit time:\n- extra"):
        model.predict(frame.assign(extra=1.0))
    with pytest.raises(ValueError, match="in the same order"):
        model.predict(frame[["b", "a"]])
    with pytest.raises(ValueError, match="duplicate column names"):
        MDTreeClassifier().fit(frame.set_axis(["a", "a"], axis=1), y)
    array = MDTreeClassifier().fit(frame.to_numpy(), y)
    with pytest.raises(ValueError, match="1 features?, but MDTreeClassifier is expecting 2"):
        array.predict(frame[["a"]].to_numpy())


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        (np.r_[np.ones(9), -1], "1 negative values"),
        (np.r_[np.ones(9), NAN], "NaN"),
        (np.r_[np.ones(9), np.inf], "infinity"),
        (np.zeros(10), "all weights are zero|at least one non-zero"),
        (np.ones(9), r"shape"),
        (np.ma.array(np.ones(10), mask=np.arange(10) == 3), "NaN"),
        (np.arange(10).astype("m8[D]"), "dates or durations"),
    ],
)
def test_bad_weights(weights, message):
    X, y = np.arange(10.0)[:, None], np.arange(10) // 5
    for cls in (MDTreeClassifier, MDTreeRegressor):
        with pytest.raises(ValueError, match=message):
            cls().fit(X, y, sample_weight=weights)


@pytest.mark.parametrize("weight", [NAN, np.inf, -1, "a", None, 10**400])
@pytest.mark.parametrize("label", [0, 7])
def test_bad_class_weights(weight, label):
    X, y = np.arange(10.0)[:, None], np.arange(10) // 5
    weights = {0: 1, 1: 1, label: weight}
    for class_weight in (weights, [weights]):
        with pytest.raises(ValueError, match=f"the weight of {label} must be a finite number of"):
            MDTreeClassifier(class_weight=class_weight).fit(X, y)


@pytest.mark.parametrize("size", [1.7e307, 1e-200, 1.0])
@pytest.mark.parametrize("factor", [1e300, 1e-200, 1.0])
def test_products_of_weights_stay_in_range(size, factor):
    X, y = np.zeros((4, 1)), [0, 1, 1, 1]
    model = MDTreeClassifier(class_weight={0: 10 * factor, 1: factor})
    shares = model.fit(X, y, np.full(4, size)).predict_proba(X[:1])
    np.testing.assert_allclose(shares, [[10 / 13, 3 / 13]])


@pytest.mark.parametrize("x", [3.0, None, "abc", {1.0}, np.array(3.0)])
def test_what_is_no_row_is_not_explained(x):
    X, y = np.arange(4.0)[:, None], [0, 0, 1, 1]
    for table in (X, pd.DataFrame(X, columns=["a"])):
        model = MDTreeClassifier().fit(table, y)
        with pytest.raises(ValueError, match=r"explains one row, got .*; pass its values in"):
            model.explain_row(x)


def test_tiny_weights():
    X, y = np.arange(10.0)[:, None], np.arange(10) // 5
    wanted = MDTreeClassifier().fit(X, y).predict_proba(X)
    for scale in (1e-300, 5e-324, 1e300):
        model = MDTreeClassifier().fit(X, y, np.full(10, scale))
        np.testing.assert_array_equal(model.predict_proba(X), wanted)
    for criterion in ("gini", "entropy"):
        mixed = np.where(np.arange(10) % 2, 1.0, 1e-200)
        model = MDTreeClassifier(criterion=criterion).fit(X, y, mixed)
        assert np.isfinite(model.predict_proba(X)).all()
        assert np.isfinite(model.feature_importances_).all()
    model = MDTreeRegressor().fit(X, np.arange(10.0), mixed)
    assert np.isfinite(model.predict(X)).all()


NEIGHBOURS = [
    (1.0, np.nextafter(1.0, 2)),
    (0.0, 5e-324),
    (0.0, 1e-7),
    (2.0**53, 2.0**53 + 2),
    (-1e-300, 1e-300),
    (1e308, np.nextafter(1e308, np.inf)),
    (-1.7e308, 1.7e308),
]


@pytest.mark.parametrize(("a", "b"), NEIGHBOURS)
def test_neighbouring_floats_are_told_apart(missing, a, b):
    X, y = np.array([[a], [b]] * 3), np.array([0, 1] * 3)
    model = fit(missing, X, y)
    assert (model.predict(X) == y).all()
    assert a <= model.tree_.threshold[0] < b


def test_labels_of_extreme_size():
    X = np.arange(6.0)[:, None]
    for factor in (1e-90, 1e-9, 1e9, 1e90):
        y = np.array([1.0, 2, 3, 40, 50, 60]) * factor
        np.testing.assert_allclose(MDTreeRegressor().fit(X, y).predict(X), y)
    offset = np.array([1.0, 2, 3, 40, 50, 60]) + 1e9
    np.testing.assert_array_equal(MDTreeRegressor().fit(X, offset).predict(X), offset)
    for factor in (1e200, 1e-200):
        with pytest.raises(ValueError, match="divide y by a constant"):
            MDTreeRegressor().fit(X, (1 + X[:, 0]) * factor)
    with pytest.raises(ValueError, match="infinity"):
        MDTreeRegressor().fit(X, [1, 2, 3, np.inf, 5, 6])
    with pytest.raises(ValueError, match="y must be numeric"):
        MDTreeRegressor().fit(X, list("abcdef"))


def test_a_strategy_that_breaks_the_contract_is_named():
    from mdtree_nb.strategies import Strategy

    class Wild(Strategy):
        by_rule = True

        def route(self, tree, node, table, rows):
            return np.full((len(rows), 2), 0.5)

    class Shapeless(Strategy):
        by_rule = True

        def route(self, tree, node, table, rows):
            return np.ones(len(rows))

    X, y = make_xy(0)
    with pytest.raises(ValueError, match="Wild.train_route divided a row .* divides = True"):
        MDTreeClassifier(missing=Wild()).fit(X, y)
    with pytest.raises(ValueError, match="Shapeless.train_route must return shares"):
        MDTreeClassifier(missing=Shapeless()).fit(X, y)


def test_sparse_and_one_dimensional_tables():
    from scipy import sparse

    with pytest.raises(TypeError, match=r"[Ss]parse"):
        MDTreeClassifier().fit(sparse.eye(4).tocsr(), [0, 1, 0, 1])
    with pytest.raises(ValueError, match="Reshape your data"):
        MDTreeClassifier().fit(np.arange(4.0), [0, 1, 0, 1])
    with pytest.raises(ValueError, match="y cannot be None|y to be passed"):
        MDTreeClassifier().fit(np.zeros((4, 1)), None)
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        MDTreeClassifier().fit(np.zeros((4, 1)), [0, 1, 0])
