"""Experiments: every way to stop, resume, spread and break them gives the same table."""

import os
import signal
import sqlite3
import subprocess
import sys
import time
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import slow_tree
from joblib import parallel_config
from sklearn.base import BaseEstimator, clone
from sklearn.compose import ColumnTransformer
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import RandomForestClassifier
from sklearn.impute import KNNImputer, SimpleImputer
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier

from mdtree_nb import Amputer, Auto, Experiment, MDTreeClassifier, MDTreeRegressor, load
from mdtree_nb.evaluation import StoreError, read_store, summarise
from mdtree_nb.evaluation.filled import filled as filled_by
from mdtree_nb.evaluation.identity import plain
from mdtree_nb.evaluation.lent import copy_of
from mdtree_nb.evaluation.store import Store
from mdtree_nb.evaluation.store_errors import explaining
from mdtree_nb.presets import eig
from mdtree_nb.studies import eig_tables
from mdtree_nb.studies.eig2020 import CoinHoles

TESTS = Path(__file__).resolve().parent


def small(**changes):
    """Two strategies on two tables, 24 cells."""
    arguments = {
        "strategies": ["learned", "mean"],
        "mechanisms": ["MCARunifo", "MNARuniva"],
        "rates": [0.0, 0.2],
        "folds": 2,
    } | changes
    return Experiment(arguments.pop("datasets", ["iris", "zoo"]), **arguments)


@pytest.fixture(scope="module")
def table():
    return small().run()


@pytest.fixture
def store(tmp_path):
    return tmp_path / "store.sqlite"


same = pd.testing.assert_frame_equal


# -- what a cell computes ---------------------------------------------------------


def by_hand(X, y, repeat, fold, rate):
    """Accuracy and smoothed error of one fold, without the package's experiment."""
    mask = np.random.default_rng(repeat).random(X.shape) < rate
    holed = X.mask(mask)
    folds = StratifiedKFold(3, shuffle=True, random_state=repeat)
    train, test = list(folds.split(X, y))[fold]
    model = MDTreeClassifier(min_samples_leaf=5, missing="mean").fit(holed.iloc[train], y[train])
    filled = KNNImputer().fit(holed.iloc[train]).transform(holed.iloc[test])
    tests = {
        "complete": X.iloc[test],
        "missing": holed.iloc[test],
        "imputed": pd.DataFrame(filled, columns=X.columns),
    }
    for name, rows in tests.items():
        smoothed = []
        chances = pd.DataFrame(model.predict_proba(rows), columns=model.classes_)
        for i, label in enumerate(y[test]):
            smoothed.append(1 - chances.loc[i, label])
        yield name, model.score(rows, y[test]), np.mean(smoothed)


class Coin(Amputer):
    """Bernoulli holes of a table whose seed is known."""

    def make(self, X, y=None):
        mask = np.random.default_rng(self.random_state).random(X.shape) < self.rate
        return type("Result", (), {"X": X.mask(mask)})


def test_a_cell_by_hand():
    data = load("wine")
    grid = Experiment(
        {"w": (data.X, data.y)},
        ["mean"],
        mechanisms={"coin": Coin()},
        rates=[0.3],
        masks="table",
        tests=["complete", "missing", "imputed"],
        folds=3,
        repeats=2,
    )
    found = grid.run().set_index(["repeat", "fold", "test"])
    assert len(found) == 18
    for repeat in range(2):
        for fold in range(3):
            for name, accuracy, smoothed in by_hand(data.X, data.y.to_numpy(), repeat, fold, 0.3):
                line = found.loc[(repeat, fold, name)]
                assert line["accuracy"] == pytest.approx(accuracy, abs=1e-12)
                assert line["smoothed_error"] == pytest.approx(smoothed, abs=1e-12)
                assert line["rows"] in (59, 60)
    assert found.groupby("test")["holes"].mean().round(1).to_dict() == {
        "complete": 0.0, "imputed": 0.0, "missing": 0.3,
    }  # fmt: skip


def test_a_tree_of_complete_rows_with_holes_in_the_tests_only():
    grid = Experiment(
        ["iris"],
        ["learned"],
        predictions=["own", "fractional", "dtpe", "tspe"],
        mechanisms=["MARunifo", "MCARuniva"],
        rates=[0, 0.3],
        holes="test",
        folds=3,
    )
    assert len(grid) == 3
    found = grid.run()
    assert len(found) == 3 * 4 * 3
    assert found.loc[found["rate"] == 0, "holes"].eq(0).all()
    whole = found[found["rate"] == 0].pivot(index="fold", columns="prediction", values="accuracy")
    assert (whole.nunique(axis=1) == 1).all()
    iris = load("iris")
    folds = StratifiedKFold(3, shuffle=True, random_state=0).split(iris.X, iris.y)
    for fold, (train, test) in enumerate(folds):
        plain_tree = MDTreeClassifier(min_samples_leaf=5).fit(iris.X.iloc[train], iris.y[train])
        assert whole.loc[fold, "own"] == plain_tree.score(iris.X.iloc[test], iris.y[test])
    wide = found.pivot(
        index=["mechanism", "rate", "fold"], columns="prediction", values="smoothed_error"
    )
    np.testing.assert_allclose(wide["fractional"], wide["dtpe"], atol=1e-12)
    assert not np.allclose(wide["fractional"], wide["tspe"])


def test_regression():
    data = load("diabetes")
    found = Experiment([data], ["mean"], rates=[0.0, 0.2], folds=3).run()
    assert (found["squared_error"] > 0).all()
    assert (found["r2"] < 1).all()
    assert "accuracy" not in found


class RandomFill(BaseEstimator):
    """Fills in whatever comes to mind."""

    def __init__(self, random_state=None):
        self.random_state = random_state

    def fit(self, X, y=None):
        self.fitted_ = True
        return self

    def transform(self, X):
        return X.fillna(np.random.RandomState(self.random_state).normal())


@pytest.mark.parametrize(
    "wrap", [lambda part: part, make_pipeline], ids=["itself", "in a pipeline"]
)
def test_whatever_draws_is_given_a_seed(wrap):
    forest = wrap(RandomForestClassifier(2))
    options = {"tests": ["missing", "imputed"], "imputer": wrap(RandomFill()), "folds": 2}
    first, again, other = (
        Experiment(["iris"], {"f": forest}, random_state=seed, **options).run()
        for seed in (0, 0, 1)
    )
    assert len(first) == 4
    same(first, again)
    assert not first.equals(other)


class Prior(DummyClassifier):
    """The most frequent class, by `predict` alone."""

    predict_proba = property()


def lone(truth):
    """Return a regressor, which nobody knows before it is called."""
    return MDTreeRegressor(max_depth=2)


NUMBERS = pd.DataFrame(np.random.default_rng(0).normal(size=(120, 3))).add_prefix("x")
SIGNS = (NUMBERS["x0"] > 0).to_numpy()
MEASURES = {
    "classification": {"accuracy", "smoothed_error"},
    "regression": {"r2", "squared_error"},
}


@pytest.mark.parametrize(
    ("estimator", "y", "task"),
    [
        (MDTreeRegressor(), SIGNS.astype(int), "regression"),
        (MDTreeRegressor(), SIGNS, "regression"),
        (MDTreeClassifier(), SIGNS.astype(float), "classification"),
        (MDTreeClassifier(), np.arange(120) // 4, "classification"),
        (make_pipeline(MDTreeRegressor()), SIGNS.astype(int), "regression"),
        (None, np.arange(120), "regression"),
        (None, SIGNS.astype(float), "classification"),
        (None, pd.Series(NUMBERS["x1"], dtype=object), "regression"),
        (None, pd.Series(SIGNS).astype("Int64"), "classification"),
        (None, pd.Categorical(SIGNS), "classification"),
        (None, pd.Series([1, "b"] * 60), "classification"),
        (lone, SIGNS.astype(int), "regression"),
    ],
    ids=lambda value: value if isinstance(value, str) else type(value).__name__,
)
def test_the_estimator_says_what_is_predicted(estimator, y, task):
    strategies = ["learned"] if estimator is None else {"s": estimator}
    found = Experiment({"d": (NUMBERS, y)}, strategies, folds=3).run()
    assert (
        set(found.columns) & {"accuracy", "smoothed_error", "r2", "squared_error"}
        == (MEASURES[task])
    )
    assert found[list(MEASURES[task])].notna().all(axis=None)


def test_classes_are_stratified_whatever_their_type_and_numbers_are_not():
    y = np.arange(120) < 12
    trees = {"classes": MDTreeClassifier(max_depth=1), "numbers": MDTreeRegressor(max_depth=1)}
    for kind in (bool, int, float, str, object):
        data = {"d": (NUMBERS, y.astype(kind))}
        share = Experiment(data, {"s": Prior()}, folds=4).run()["accuracy"]
        np.testing.assert_allclose(share, 0.9)
    data = {"d": (NUMBERS, y.astype(int))}
    together = Experiment(data, trees, folds=4).run()
    for name, tree in trees.items():  # one task each, whatever else is in the grid
        alone = Experiment(data, {name: tree}, folds=4).run()
        mine = together[together["strategy"] == name].reset_index(drop=True)
        same(mine[alone.columns], alone)


@pytest.mark.parametrize("auto", ["auto", Auto([("mean", None), ("left", None)], folds=2)])
def test_a_search_for_a_strategy_is_a_strategy(auto, store):
    grid = small(datasets=["iris"], strategies=[auto], mechanisms=Amputer(), rates=[0.2])
    found = grid.run(store)
    assert found["accuracy"].between(0.5, 1).all()
    assert found["prediction"].unique().tolist() == ["own"]
    assert (grid.cells(store)["status"] == "done").all()
    keys = [{c["key"] for c in small(strategies=[s])._cells} for s in (auto, "mean", Auto(folds=3))]
    assert not keys[0] & (keys[1] | keys[2])


def needs_truth(truth):
    """Return an estimator that knows how many holes its training rows are going to have."""
    return MDTreeClassifier(max_depth=1 + int(truth.isna().to_numpy().sum()))


def test_a_function_sees_the_rows_before_their_holes():
    grid = Experiment(["iris"], {"f": needs_truth}, rates=[0.5], folds=2)
    grid.run()
    assert grid.cells()["status"].eq("open").all()
    same(
        grid.run().drop(columns="strategy"),
        Experiment(["iris"], {"g": MDTreeClassifier(max_depth=1)}, rates=[0.5], folds=2)
        .run()
        .drop(columns="strategy"),
    )


def test_results_do_not_depend_on_the_rest_of_the_grid(table):
    part = small(datasets=["zoo"], strategies=["mean"], mechanisms=["MNARuniva"], rates=[0.2]).run()
    wanted = table.query("dataset == 'zoo' and strategy == 'mean' and mechanism == 'MNARuniva'")
    same(part, wanted.reset_index(drop=True))


class Spoiler(MDTreeClassifier):
    """Changes whatever it is given, wherever it is given it."""

    def fit(self, X, y, sample_weight=None):
        super().fit(X, y, sample_weight)
        X.iloc[:, :] = 0.0
        y[:] = y[0]
        return self

    def with_prediction(self, missing, X, y):
        other = super().with_prediction(missing, X, y)
        X.iloc[:, :] = 0.0
        y[:] = y[0]
        return other

    def predict_proba(self, X):
        found = super().predict_proba(X)
        X.iloc[:, :] = 0.0
        return found


class SpoilingCoin(Coin):
    """Holes of a known seed, made by a mechanism that works in place."""

    def make(self, X, y=None):
        result = super().make(X.copy(), y)
        X.iloc[:, :] = 0.0
        y[:] = y[0]
        return result

    def fit(self, X, y=None):
        super().fit(X, y)
        y[:] = y[0]
        return self


@pytest.mark.parametrize("holes", ["both", "test"])
@pytest.mark.parametrize("masks", ["fold", "table"])
def test_a_cell_does_not_depend_on_what_others_do_in_place(holes, masks):
    X, y = load("iris").X, load("iris").y.to_numpy(str)
    before = X.copy(), y.copy()
    in_place = make_pipeline(SimpleImputer(copy=False), MDTreeClassifier())
    trees = {"a": Spoiler(), "b": in_place, "c": MDTreeClassifier(), "d": Spoiler(max_depth=1)}
    options = {"holes": holes, "masks": masks, "rates": [0, 0.2], "folds": 2}
    mechanisms = {"coin": SpoilingCoin(), "m": "MCARunifo"}
    for predictions, names in ((None, "abcd"), (["own", "stop"], "acd")):
        asked = options | {"mechanisms": mechanisms, "predictions": predictions}
        together = Experiment({"d": (X, y)}, {n: trees[n] for n in names}, **asked).run()
        for name in names:
            alone = Experiment({"d": (X, y)}, {name: trees[name]}, **asked).run()
            same(together[together["strategy"] == name].reset_index(drop=True), alone)
    mine = together.query("strategy == 'c' and prediction == 'own' and mechanism == 'coin'")
    honest = Experiment({"d": (X, y)}, {"c": trees["c"]}, mechanisms={"coin": Coin()}, **options)
    same(mine.reset_index(drop=True), honest.run().query("rate > 0").reset_index(drop=True))
    same(X, before[0])
    assert (y == before[1]).all()


@pytest.mark.parametrize("kind", ["rows", "columns", "one by one", "mixed", "a study"])
def test_copies_keep_the_order_in_memory(kind):
    values = np.array(NUMBERS, order="C" if kind == "rows" else "F")
    table = pd.DataFrame(values, copy=False)
    if kind in ("one by one", "mixed"):
        table = pd.DataFrame({"a": values[:, 0]})
        for name in ("b", "c"):
            table[name] = values[:, 1]
        table["c"] = "text" if kind == "mixed" else 0.5
    if kind == "a study":
        table = CoinHoles(0.6).make(eig_tables(["credit"])["credit"][0]).X.iloc[np.arange(300)]
    copy = copy_of(table)
    same(copy, table)
    for name in table.columns[:2]:
        assert not np.shares_memory(copy[name].to_numpy(), table[name].to_numpy())
    for flag in ("C_CONTIGUOUS", "F_CONTIGUOUS"):
        assert copy.to_numpy().flags[flag] == table.to_numpy().flags[flag]
        assert copy_of(values).flags[flag] == values.flags[flag]
    assert not np.shares_memory(copy_of(values), values)


# -- stopping and resuming --------------------------------------------------------


def test_a_stopped_run_goes_on_where_it_was(table, store):
    grid = small()
    assert len(grid) == len(grid.cells()) == 24
    assert len(grid.run(store, max_cells=9)) == 9
    assert grid.cells(store)["status"].value_counts().to_dict() == {"open": 15, "done": 9}
    before = grid.cells(store).iloc[:9]
    same(grid.run(store), table)
    same(grid.cells(store).iloc[:9], before)  # not computed again: the same seconds
    same(grid.results(store), table)
    same(read_store(store), table)


def test_a_larger_grid_keeps_what_a_smaller_one_computed(store, table):
    small(repeats=1).run(store)
    larger = small(repeats=2)
    assert (larger.cells(store)["status"] == "done").sum() == 24
    both = larger.run(store)
    same(both[both["repeat"] == 0].reset_index(drop=True), table)
    same(small().results(store), table)


@pytest.mark.parametrize(
    "change",
    [
        {"folds": 3},
        {"random_state": 1},
        {"masks": "table"},
        {"tests": ["missing", "complete"]},
        {"predictions": ["own", "stop"]},
        {"estimator": MDTreeClassifier(min_samples_leaf=4)},
        {"datasets": {"iris": (load("iris").X + 1, load("iris").y), "zoo": "wine"}},
    ],
    ids=lambda change: next(iter(change)),
)
def test_whatever_matters_is_in_the_key(change):
    keys, others = ({c["key"] for c in small(**c)._cells} for c in ({}, change))
    assert len(keys) == 24
    assert not keys & others


TABLE = pd.DataFrame({"c": [0, 1, 2, 1, 0, 2], "z": [0.5, np.nan, 1.5, 2.5, 3.5, 4.5]})
LABELS = np.array([0, 1, 1, 1, 0, 0])


def keys_of(X, y=LABELS, **arguments):
    arguments = {"strategies": ["mean"], "estimator": MDTreeClassifier()} | arguments
    return {c["key"] for c in Experiment({"d": (X, y)}, folds=2, **arguments)._cells}


def column(values, dtype=None):
    return TABLE.assign(c=pd.Series(values, dtype=dtype))


def levels(categories, ordered=False):
    return TABLE.assign(c=pd.Categorical(TABLE["c"].map(str), categories, ordered=ordered))


UTC = pd.Series(pd.date_range("2020-01-01", periods=6, tz="UTC"))
DIFFERENT = {
    "numbers and text": (column(TABLE["c"], object), column(TABLE["c"].map(str), object)),
    "whole numbers and fractions in objects": (
        column(TABLE["c"], object),
        column(TABLE["c"].astype(float), object),
    ),
    "one value of another type": (
        column([0, 1, 2, 1, 0, "2"], object),
        column([0, 1, 2, 1, 0, 2], object),
    ),
    "truth values and numbers": (column([True, False] * 3), column([1, 0] * 3)),
    "kinds of missing values": (
        column(["a", None] * 3, object),
        column(["a", np.nan] * 3, object),
    ),
    "large numbers": (column([2**60] * 6), column([2**60 + 1] * 6)),
    "large numbers beside holes": (
        column([2**60, None] * 3, "Int64"),
        column([2**60 + 1, None] * 3, "Int64"),
    ),
    "types of numbers": (TABLE, TABLE.astype({"z": "float32"})),
    "objects and categories": (column(TABLE["c"], object), column(TABLE["c"], "category")),
    "levels of numbers and of text": (
        column(TABLE["c"], "category"),
        column(TABLE["c"].map(str), "category"),
    ),
    "order of levels": (levels(["0", "1", "2"]), levels(["2", "1", "0"])),
    "levels with and without an order": (levels(["0", "1", "2"]), levels(["0", "1", "2"], True)),
    "a level that no row has": (levels(["0", "1", "2"]), levels(["0", "1", "2", "3"])),
    "time zones": (column(UTC), column(UTC.dt.tz_convert("Asia/Tokyo"))),
    "names of columns": (TABLE, TABLE.rename(columns={"c": "d"})),
    "types of names": (
        TABLE.set_axis([0, 1], axis=1),
        TABLE.set_axis(["0", "1"], axis=1),
    ),
    "order of columns": (TABLE, TABLE[["z", "c"]]),
    "order of rows": (TABLE, TABLE[::-1]),
}


@pytest.mark.parametrize("pair", DIFFERENT.values(), ids=DIFFERENT)
def test_tables_that_differ_have_different_keys(pair):
    assert not keys_of(pair[0]) & keys_of(pair[1])


@pytest.mark.parametrize("kind", [float, bool, str])
def test_kinds_of_labels_have_different_keys(kind):
    assert not keys_of(TABLE) & keys_of(TABLE, LABELS.astype(kind))


@pytest.mark.parametrize(
    "other",
    [
        TABLE.copy(),
        TABLE.set_axis(list("abcdef")),
        pd.DataFrame({"c": TABLE["c"], "z": -(-TABLE["z"])}),  # another pattern of bits for NaN
        pd.concat([TABLE, TABLE])[["z", "c"]][["c", "z"]].iloc[:6],
    ],
    ids=["a copy", "another index", "another NaN", "another layout"],
)
def test_the_same_table_has_the_same_key(other):
    assert keys_of(TABLE) == keys_of(other)
    numbers = TABLE[["z", "z"]].to_numpy()
    assert keys_of(numbers) == keys_of(np.asfortranarray(numbers))


def test_names_of_rows_matter_where_they_are_looked_up():
    for strategy in (eig(complete=TABLE), needs_truth, DecisionTreeClassifier()):
        asked = {"strategies": {"s": strategy}}
        assert not keys_of(TABLE, **asked) & keys_of(TABLE.set_axis(list("abcdef")), **asked)


def test_text_in_place_of_numbers_is_not_answered_for_by_the_store(store):
    rng = np.random.default_rng(0)
    levels = rng.integers(0, 8, 120)
    y = np.isin(levels, [1, 4, 6]).astype(int)
    tree = MDTreeClassifier(max_depth=2)
    for kind in (object, str):
        X = pd.DataFrame({"c": levels.astype(kind), "z": rng.normal(size=120)})
        grid = Experiment({"d": (X, y)}, ["mean"], folds=3, estimator=tree)
        same(grid.run(store), grid.run())


PARAMETERS = {
    "nan": (np.nan, "nan"),
    "a function": (np.mean, "numpy.mean"),
    "numbers as names": ({1: 2.0}, {"1": 2.0}),
    "a method": (MDTreeClassifier(max_depth=1).fit, MDTreeClassifier(max_depth=2).fit),
    "a shape": (np.zeros((2, 3)), np.zeros((3, 2))),
    "a type": (np.zeros(2), np.zeros(2, int)),
    "an index": (pd.Series([1, 2]), pd.Series([1, 2], index=[1, 0])),
    "a series": (pd.Series([1, 2], name="a"), pd.DataFrame({"a": [1, 2]})),
}


@pytest.mark.parametrize("pair", PARAMETERS.values(), ids=PARAMETERS)
def test_parameters_that_differ_are_written_differently(pair):
    assert plain(pair[0]) != plain(pair[1])


def test_what_cannot_be_written_down_is_refused():
    with pytest.raises(TypeError, match="a table holds <object object at .* use numbers, text"):
        keys_of(column([object()] * 6, object))
    tree = MDTreeClassifier(random_state=np.random.RandomState(0))
    for strategy in (tree, lambda _: tree):
        with pytest.raises(TypeError, match="cannot be told from another one after a restart"):
            len(Experiment(["iris"], {"s": strategy}))
    assert plain({"b": np.float64("nan"), "a": (np.int64(1),)}) == {
        "a": [1],
        "b": ["float", "nan"],
    }


def run_process(store):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(TESTS), str(TESTS.parent)])}
    return subprocess.Popen(
        [sys.executable, str(TESTS / "slow_tree.py"), str(store)], env=environment
    )


def n_done(store):
    if not store.exists():
        return 0
    try:
        return len(Store(store, create=False).status())
    except StoreError:  # just being made
        return 0


def test_kill_9_loses_nothing_that_was_done(store):
    process = run_process(store)
    deadline = time.monotonic() + 60
    while n_done(store) < 10 and time.monotonic() < deadline:
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    before = read_store(store)
    assert 10 <= len(before) < 60
    assert run_process(store).wait() == 0
    found = read_store(store)
    wanted = slow_tree.grid().run()
    same(found, wanted)  # nothing lost, nothing twice
    merged = before.merge(found, how="left", indicator=True)
    assert (merged["_merge"] == "both").all()


def test_two_runs_fill_one_store(store):
    processes = [run_process(store) for _ in range(2)]
    assert [process.wait() for process in processes] == [0, 0]
    with sqlite3.connect(store) as db:
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert db.execute("SELECT count(*), count(DISTINCT key) FROM cells").fetchone() == (60, 60)
        assert db.execute("SELECT count(*) FROM results").fetchone() == (60,)
        assert db.execute("SELECT count(*) FROM specs").fetchone() == (4,)


def test_interrupting_keeps_what_is_done(store, monkeypatch):
    add, grid = Store.add, small()

    def interrupted(self, outcomes):
        if len(self.status()) >= 6:
            raise KeyboardInterrupt
        add(self, outcomes)

    with monkeypatch.context() as patched:
        patched.setattr(Store, "add", interrupted)
        with pytest.raises(KeyboardInterrupt):
            grid.run(store)
    assert (grid.cells(store)["status"] == "done").sum() == 6


# -- spreading --------------------------------------------------------------------


@pytest.mark.parametrize("backend", ["loky", "threading", "multiprocessing"])
def test_every_backend_gives_the_same_table(backend, table, store):
    with parallel_config(backend, n_jobs=2):  # multiprocessing hands out lists, as Ray does
        same(small().run(store), table)


def test_two_dask_workers_give_the_same_table(table, store):
    from distributed import Client, LocalCluster

    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster) as client,
        parallel_config("dask"),
    ):
        assert len(client.scheduler_info()["workers"]) == 2
        same(small().run(store), table)


# -- failing ----------------------------------------------------------------------


def test_a_failing_cell_is_kept_with_its_traceback(table, store, tmp_path, monkeypatch):
    switch = tmp_path / "switch"
    switch.touch()
    monkeypatch.setattr(slow_tree.FailingTree, "switch", switch)
    grid = small(strategies={"mean": "mean", "bad": slow_tree.FailingTree(min_samples_leaf=5)})
    with pytest.warns(UserWarning, match="12 of 24 cells failed, such as 'bad' on 'iris'.*switch"):
        found = grid.run(store)
    same(found, table[table["strategy"] == "mean"].reset_index(drop=True))
    cells = grid.cells(store).set_index("strategy")
    assert (cells.loc["bad", "status"] == "failed").all()
    assert cells.loc["bad", "error"].str.startswith("Traceback").all()
    assert cells.loc["bad", "error"].str.contains("RuntimeError: the switch is there").all()
    switch.unlink()
    with pytest.warns(UserWarning, match="12 of 24"):  # they are not tried again unasked
        grid.run(store)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(grid.run(store, retry_failed=True)) == 24
    assert (grid.cells(store)["status"] == "done").all()


def test_a_cell_that_kills_its_process_has_failed_and_no_other(table, store):
    trees = {"bad": slow_tree.KillingTree(), "mean": "mean"}
    grid = small(datasets=["iris"], strategies=trees, rates=[0.0])
    with pytest.warns(UserWarning, match="2 of 4 cells failed.*process .* was killed, perhaps"):
        found = grid.run(store, n_jobs=2)
    wanted = table.query("dataset == 'iris' and strategy == 'mean' and mechanism == 'none'")
    same(found, wanted.reset_index(drop=True))
    assert grid.cells(store)["status"].value_counts().to_dict() == {"done": 2, "failed": 2}


def test_a_failing_prediction_leaves_the_others(store):
    grid = Experiment(["iris"], ["learned"], predictions=["own", "surrogate", "stop"], folds=2)
    with pytest.warns(UserWarning, match="2 of 2 cells failed"):
        found = grid.run(store)
    assert set(found["prediction"]) == {"own", "stop"}
    assert grid.cells(store)["error"].str.contains("prediction 'surrogate'").all()


MIXED = NUMBERS.mask(NUMBERS > 1).assign(q=np.nan, c=np.where(SIGNS, "a", "b"))
BOTH = ColumnTransformer(
    [
        ("text", SimpleImputer(strategy="most_frequent"), ["c"]),
        ("numbers", SimpleImputer(keep_empty_features=True), ["x2", "x1", "q", "x0"]),
    ],
    verbose_feature_names_out=False,
).set_output(transform="pandas")


def imputed(imputer, X=MIXED, **options):
    tests = ["missing", "imputed", "complete"]
    options = {"tests": tests, "imputer": imputer, "rates": [0], "folds": 3} | options
    return Experiment({"d": (X, SIGNS)}, ["learned"], **options)


@pytest.mark.parametrize(
    ("imputer", "why"),
    [
        (KNNImputer(), "cannot fill the test rows in .ValueError: could not convert string to fl"),
        (SimpleImputer(strategy="most_frequent"), "returns 4 columns .* for the 5 of the table"),
        (clone(BOTH).set_params(verbose_feature_names_out=True), "verbose_feature_names_out=False"),
    ],
    ids=["numbers only", "drops a column", "other names"],
)
@pytest.mark.filterwarnings("ignore:Skipping features without any observed values")
def test_an_imputer_that_fails_leaves_the_other_tests(imputer, why, store):
    grid = imputed(imputer)
    with pytest.warns(UserWarning, match="3 of 3 cells failed.*imputer="):
        found = grid.run(store)
    assert found["test"].value_counts().to_dict() == {"missing": 3, "complete": 3}
    assert grid.cells(store)["error"].str.contains(why).all()
    assert grid.cells(store)["error"].str.startswith("test 'imputed' of mechanism 'none'").all()


def test_imputers_may_order_columns_as_they_like():
    asked = SimpleImputer(strategy="most_frequent", keep_empty_features=True)
    for imputer in (BOTH, asked):
        found = imputed(imputer).run()
        assert len(found) == 9
        assert found.loc[found["test"] == "imputed", "holes"].max() == 0
    wanted = filled_by(BOTH, MIXED, MIXED)
    pd.testing.assert_frame_equal(wanted[["x1"]], BOTH.fit(MIXED).transform(MIXED)[["x1"]])
    assert wanted.columns.equals(MIXED.columns)
    array = clone(BOTH).set_output(transform="default")
    same(filled_by(array, MIXED, MIXED), wanted, check_dtype=False)


def test_a_column_without_values_does_not_stop_the_default_imputer():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = imputed(None, MIXED.drop(columns="c"), rates=[0, 0.1]).run()
    assert len(found) == 18
    assert len(imputed(None, MIXED, tests=["missing"]).run()) == 3


def test_a_mechanism_that_cannot_be_leaves_the_tests_of_others(store):
    bad = Amputer("MAR", "censoring", drivers=["nothing"])
    mechanisms = {"bad": bad, "MCARunifo": "MCARunifo"}
    grid = small(datasets=["iris"], mechanisms=mechanisms, holes="test", rates=[0, 0.2])
    with pytest.warns(UserWarning, match="4 of 4 cells failed"):
        found = grid.run(store)
    assert set(found["mechanism"]) == {"none", "MCARunifo"}
    assert len(found) == 8


def test_a_mechanism_that_cannot_be_is_a_failure_of_its_cells(store):
    bad = Amputer("MAR", "censoring", drivers=["nothing"])
    grid = small(datasets=["iris"], mechanisms={"bad": bad, "MCARunifo": "MCARunifo"})
    with pytest.warns(UserWarning, match="4 of 12 cells failed"):
        found = grid.run(store)
    assert set(found["mechanism"]) == {"none", "MCARunifo"}


def test_a_strategy_that_does_not_apply_says_so(store):
    X, y = load("iris").X.mask(lambda t: t > 0), load("iris").y
    with pytest.warns(UserWarning, match="not applicable"):
        Experiment({"empty": (X, y)}, ["discard"], rates=[0], folds=2).run(store)


# -- bad stores -------------------------------------------------------------------


@pytest.fixture
def filled(store):
    small().run(store, max_cells=9)
    return store


def refused(path, match):
    before = path.read_bytes()
    for call in (lambda: small().run(path), lambda: read_store(path)):
        with pytest.raises(StoreError, match=match):
            call()
    assert path.read_bytes() == before


def test_a_store_of_another_format(filled):
    with sqlite3.connect(filled) as db:
        db.execute("PRAGMA user_version = 99")
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    refused(filled, "has format 99, and this version of mdtree_nb reads format 1; nothing was")


def test_results_of_another_version_of_the_package_are_not_mixed_in(filled, monkeypatch):
    monkeypatch.setattr("mdtree_nb.__version__", "0.0.9")
    grid = small()
    with pytest.warns(UserWarning, match="9 cells of the store are of another version"):
        assert len(grid.run(filled, max_cells=0)) == 0


def test_files_that_are_no_store(tmp_path):
    text = tmp_path / "notes.txt"
    text.write_text("no database at all, and long enough to have a header\n" * 40)
    refused(text, "is no store of results")
    other = tmp_path / "other.sqlite"
    with sqlite3.connect(other) as db:
        db.execute("CREATE TABLE mine (x)")
    refused(other, "is an SQLite file, but not a store of results")
    with pytest.raises(StoreError, match="does not exist; run the experiment first"):
        read_store(tmp_path / "nothing.sqlite")
    with pytest.raises(StoreError, match="there is no folder"):
        small().run(tmp_path / "nowhere" / "x.sqlite")
    with pytest.raises(StoreError, match="cannot be opened"):
        small().run(tmp_path)


def test_a_damaged_store(filled):
    content = bytearray(filled.read_bytes())
    content[4096 : len(content)] = b"\x5a" * (len(content) - 4096)
    filled.write_bytes(content)
    refused(filled, "is damaged .*; nothing was changed")


def test_a_full_disk_loses_nothing(store, table, monkeypatch):
    opened, grid = Store._open, small(repeats=3)

    def little_room(self):
        opened(self)
        self._db.execute("PRAGMA max_page_count = 12")

    with monkeypatch.context() as patched:
        patched.setattr(Store, "_open", little_room)
        with pytest.raises(StoreError, match="the disk is full. What was stored before is kept"):
            grid.run(store)
    n_before = len(read_store(store))
    assert 0 < n_before < len(grid)
    found = grid.run(store)
    assert len(found) == len(grid)
    same(found[found["repeat"] == 0].reset_index(drop=True), table)


def error_of_sqlite(code):
    error = sqlite3.OperationalError(f"error {code}")
    error.sqlite_errorcode = code
    return error


@pytest.mark.parametrize(
    ("code", "meaning"),
    [
        (sqlite3.SQLITE_FULL, "the disk is full. What was stored before is kept"),
        (sqlite3.SQLITE_IOERR, "the disk failed .*full, over a quota, or its network is gone"),
        (sqlite3.SQLITE_IOERR_SHMSIZE, "the disk failed .* What was stored before is kept"),
        (sqlite3.SQLITE_BUSY_SNAPSHOT, "was locked by another process"),
        (sqlite3.SQLITE_READONLY_DIRECTORY, "cannot be opened or written .*check its rights"),
        (sqlite3.SQLITE_CANTOPEN, "cannot be opened or written"),
        (sqlite3.SQLITE_PERM, "cannot be opened or written"),
        (sqlite3.SQLITE_NOTADB, "is no store of results"),
        (sqlite3.SQLITE_CORRUPT_INDEX, "is damaged"),
    ],
)
def test_errors_of_the_file_are_explained_by_their_code(code, meaning):
    with pytest.raises(StoreError, match=meaning), explaining(Path("s.sqlite")):
        raise error_of_sqlite(code)


def test_any_other_error_stays_what_it_is():
    with pytest.raises(sqlite3.OperationalError, match="error 1"), explaining(None):
        raise error_of_sqlite(sqlite3.SQLITE_ERROR)
    with pytest.raises(sqlite3.Error, match="binding parameter"), Store(None) as opened:
        opened.add_specs({("no", "text"): "{}"})


def in_a_mount(options, commands, folder):
    """Run commands in a folder of its own that is mounted with some options."""
    place = folder / "mount"
    place.mkdir()
    script = f"mount -t tmpfs {options} tmpfs {place} && cd {place} && {{ {commands}; }}"
    try:
        trial = ["unshare", "-rm", "bash", "-c", f"mount -t tmpfs tmpfs {place}"]
        subprocess.run(trial, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("nothing can be mounted here")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(TESTS), str(TESTS.parent)])}
    return subprocess.run(
        ["unshare", "-rm", "bash", "-c", script], env=environment, capture_output=True, text=True
    )


def test_a_full_disk_is_no_damage(filled, tmp_path):
    read = "from mdtree_nb.evaluation import read_store; read_store('s.sqlite')"
    full = f'cp {filled} s.sqlite; cat /dev/zero > fill 2> /dev/null; {sys.executable} -c "{read}"'
    said = in_a_mount("-o size=216k", full, tmp_path).stderr
    assert "StoreError: store='s.sqlite': the disk" in said
    assert "full" in said


USE = """
from mdtree_nb.evaluation import StoreError, read_store
from test_experiment import small
grid = small(datasets=["iris"], folds=2)
assert len(grid.run("s.sqlite")) == len(read_store("s.sqlite")) == len(grid) == 12
assert len(grid.results("s.sqlite")) == (grid.cells("s.sqlite")["status"] == "done").sum() == 12
try:
    small().run("s.sqlite")
except StoreError as error:
    print(error)
"""


def test_a_finished_store_on_a_read_only_mount_is_read(store, tmp_path):
    small(datasets=["iris"]).run(store)
    (tmp_path / "use.py").write_text(USE)
    commands = f"cp {store} s.sqlite; mount -o remount,ro $PWD; {sys.executable} {tmp_path}/use.py"
    done = in_a_mount("", commands, tmp_path)
    assert done.returncode == 0, done.stderr
    assert "cannot be opened or written" in done.stdout


@pytest.mark.parametrize("waiting", [b"", b"results that are not in the file yet"])
def test_a_store_that_nobody_can_write_beside(waiting, filled, table, monkeypatch):
    connect, tried = sqlite3.connect, []

    def no_room_beside(where, **how):
        tried.append(where)
        if not how.get("uri"):
            raise error_of_sqlite(sqlite3.SQLITE_CANTOPEN)
        return connect(where, **how)

    monkeypatch.setattr(sqlite3, "connect", no_room_beside)
    with pytest.raises(StoreError, match="cannot be opened or written"):
        read_store(filled)  # the folder can be written: another run may be going on
    monkeypatch.setattr(os, "access", lambda *_: False)
    filled.with_name(f"{filled.name}-wal").write_bytes(waiting)
    if waiting:
        with pytest.raises(StoreError, match="cannot be opened or written"):
            read_store(filled)
        assert not any("immutable" in where for where in tried)
    else:
        assert len(read_store(filled)) == 9
        assert tried[-1].startswith("file:")


# -- bad arguments ----------------------------------------------------------------


@pytest.mark.parametrize("max_cells", [-1, 1.5, True, "2"])
def test_a_number_of_cells_that_cannot_be(max_cells):
    with pytest.raises(ValueError, match="max_cells=.* must be a whole number from 0"):
        small().run(max_cells=max_cells)


@pytest.mark.parametrize(
    ("changes", "error", "match"),
    [
        ({"holes": "train"}, ValueError, "holes='train' must be 'both' or 'test'"),
        ({"masks": "row"}, ValueError, "masks='row' must be"),
        ({"tests": ["none"]}, ValueError, "tests: 'none' must be one of"),
        ({"tests": ["complete"], "holes": "test"}, ValueError, "tests is for holes='both'"),
        ({"rates": [1.5]}, ValueError, "rates: 1.5 must be from 0 to 1"),
        ({"rates": []}, ValueError, "rates=.. is empty"),
        ({"repeats": 0}, ValueError, "repeats=0 must be a whole number from 1"),
        ({"folds": 1}, ValueError, "folds=1 must be a whole number from 2"),
        ({"folds": 200}, ValueError, "folds=200 is more than the 150 rows of 'iris'"),
        ({"strategies": ["nothing"]}, ValueError, "is not a known strategy"),
        ({"strategies": ["mean", "mean"]}, ValueError, "strategies holds 'mean' twice"),
        ({"strategies": []}, ValueError, "strategies=.. is empty"),
        ({"predictions": ["nothing"]}, ValueError, "predictions='nothing' is not a known"),
        ({"mechanisms": ["MARx"]}, ValueError, "name='MARx' is not a scenario"),
        ({"mechanisms": []}, ValueError, "mechanisms=.. is empty; give at least one"),
        ({"mechanisms": {"none": Amputer()}}, ValueError, "'none' is the name of tables that lose"),
        ({"imputer": "mean"}, TypeError, "imputer='mean' must be a transformer"),
        (
            {"datasets": ["horse_colic"], "tests": ["imputed"]},
            ValueError,
            "imputer=None fills numbers, and 'horse_colic' has categories, such as 'Surgery'; pass",
        ),
        ({"strategies": {("a", 1): "mean"}}, TypeError, "strategies=.*: a name must be text"),
        ({"datasets": {1: "iris"}}, TypeError, "datasets={1: ...}: a name must be text, '1' say"),
        ({"mechanisms": {0.5: Amputer()}}, TypeError, "mechanisms={0.5: ...}: a name must be"),
        ({"predictions": {None: "own"}}, TypeError, "predictions={None: ...}: a name must be"),
        ({"predictions": ["auto"]}, ValueError, "predictions='auto' is no strategy"),
        ({"mechanisms": {"m": 1}}, TypeError, "must be the name of a scenario or an Amputer"),
        ({"datasets": []}, ValueError, "datasets=.. is empty"),
        ({"datasets": [(1, 2)]}, TypeError, "needs a name; pass a dict"),
        ({"datasets": {"a": 1}}, TypeError, "must be a name of list_datasets"),
        ({"datasets": ["nowhere"]}, ValueError, "'nowhere' is not a known data set"),
        ({"datasets": {"a": ([[1]], [1, 2])}}, ValueError, "'a' has 1 rows and 2 labels"),
        ({"datasets": {"a": ([[1]], [None])}}, ValueError, "'a' has rows without a label"),
        (
            {"datasets": {"a": ([[1]], [[1]])}},
            ValueError,
            "labels of 'a' have shape .1, 1.;.*ravel",
        ),
        ({"datasets": {"a": ([[1]], pd.DataFrame({"y": [1]}))}}, ValueError, "y.'column'. of a Da"),
        (
            {"datasets": {"a": (NUMBERS, np.arange(120))}, "estimator": MDTreeClassifier()},
            ValueError,
            "folds=2 is more than the 1 rows of the largest class of 'a' for strategy 'learned'",
        ),
        ({"estimator": MDTreeRegressor()}, ValueError, "labels of 'iris' are no numbers, which"),
        ({"datasets": ["iris", "diabetes"]}, ValueError, "classes and numbers to predict"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_bad_arguments(changes, error, match):
    with pytest.raises(error, match=match):
        small(**changes)


def test_a_summary_averages_folds(table):
    found = summarise(table)
    line = found.loc[("zoo", "none", 0.0, "missing", "mean", "own")]
    folds = table.query("dataset == 'zoo' and mechanism == 'none' and strategy == 'mean'")
    assert line["folds"] == 2
    assert line["accuracy"] == pytest.approx(folds["accuracy"].mean())
    assert "cells: 2 tables, 2 strategies, 3 kinds of training holes" in repr(small())
