"""What compare() measures, shares, skips and refuses."""

import sys
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from data import make_frame, make_xy
from joblib import parallel_config
from scipy.sparse import csr_array
from sklearn import metrics as sk
from sklearn.base import BaseEstimator, ClassifierMixin, TransformerMixin
from sklearn.dummy import DummyClassifier
from sklearn.impute import KNNImputer, SimpleImputer
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import GroupKFold, KFold, StratifiedKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from mdtree_nb import Amputer, Comparison, MDTreeClassifier, MDTreeRegressor, compare
from mdtree_nb.evaluation.cells import fill
from mdtree_nb.evaluation.metrics import METRICS, Answers, measure
from mdtree_nb.missingness import scenario
from mdtree_nb.strategies import Learned
from mdtree_nb.studies.eig2020 import CoinHoles, eig_tables

TIMES = ["fit_seconds", "predict_seconds"]
CLASSIFICATION = [name for name, m in METRICS.items() if m.task == "classification"]


def answers(seed, k=3, n=40):
    rng = np.random.default_rng(seed)
    proba = rng.dirichlet(np.ones(k), n)
    return Answers(rng.integers(k, size=n), proba.argmax(axis=1), proba)


@pytest.mark.parametrize("k", [2, 3])
def test_metrics_are_those_of_scikit_learn(k):
    a = answers(k, k)
    found = measure(a, "classification")
    assert found["accuracy"] == sk.accuracy_score(a.y, a.said)
    assert found["balanced_accuracy"] == pytest.approx(sk.balanced_accuracy_score(a.y, a.said))
    assert found["log_loss"] == pytest.approx(sk.log_loss(a.y, a.proba))
    scores = a.proba[:, 1] if k == 2 else a.proba
    auc = sk.roc_auc_score(a.y, scores, multi_class="ovr")
    assert found["auc"] == pytest.approx(auc)
    brier = sum(sk.brier_score_loss(a.y == j, a.proba[:, j]) for j in range(k)) / 2
    assert found["brier"] == pytest.approx(brier)
    truth = np.mean([1 - p[j] for p, j in zip(a.proba, a.y, strict=True)])
    assert found["smoothed_error"] == pytest.approx(truth)
    assert found["smoothed_error_label_free"] == pytest.approx(1 - a.proba.max(axis=1).mean())


def test_metrics_of_regression():
    rng = np.random.default_rng(0)
    y, said = rng.normal(size=(2, 30))
    found = measure(Answers(y, said, None), "regression")
    assert found == pytest.approx(
        {"r2": sk.r2_score(y, said), "mae": sk.mean_absolute_error(y, said)}
    )
    assert np.isnan(measure(Answers(np.ones(3), np.ones(3), None), "regression")["r2"])


def test_every_line_has_every_metric_and_another_one_can_rank():
    X, y = make_xy(0, n=120)
    result = compare(X, y, ["learned", "left", "fractional"], folds=4, repeats=1)
    assert result.metrics == CLASSIFICATION
    assert result.folds[[*CLASSIFICATION, "nodes", "depth", *TIMES]].notna().all(axis=None)
    assert (result.folds["nodes"] == 2 * result.folds["n_leaves"] - 1).all()
    for metric in ("log_loss", "auc"):
        again = compare(X, y, ["learned", "left", "fractional"], folds=4, repeats=1, scoring=metric)
        other = result.by(metric)
        pd.testing.assert_frame_equal(other.summary(), again.summary())
        assert other.baseline == pytest.approx(again.baseline)
        means = other.summary()["mean"].to_numpy()
        assert (np.diff(means) * (1 if metric == "log_loss" else -1) >= 0).all()
    assert "has the lowest mean log_loss" in result.by("log_loss").sentence()
    assert result.by("accuracy").summary().equals(result.summary())
    with pytest.raises(ValueError, match="metric='r2' was not measured; there is 'accuracy'"):
        result.by("r2")
    with pytest.raises(ValueError, match="test='complete' was not measured; there is 'as_is'"):
        result.by(test="complete")


def test_scores_are_those_of_a_plain_loop():
    X, y = make_frame(1, 120)
    splits = list(StratifiedKFold(3).split(X, y))
    tree = MDTreeClassifier(max_depth=3)
    result = compare(X, y, ["learned"], estimator=tree, cv=splits, scoring="brier")
    for k, (train, test) in enumerate(splits):
        model = MDTreeClassifier(missing="learned", max_depth=3).fit(X.iloc[train], y[train])
        proba, said = model.predict_proba(X.iloc[test]), model.predict(X.iloc[test])
        line = result.folds.iloc[k]
        truth = y[test][:, None] == model.classes_
        assert line["brier"] == pytest.approx(((proba - truth) ** 2).sum(axis=1).mean() / 2)
        assert line["score"] == line["brier"]
        assert line["accuracy"] == (said == y[test]).mean()
        assert (line["depth"], line["nodes"]) == (model.get_depth(), model.tree_.n_nodes)


def test_a_class_that_a_training_part_lacks():
    X = np.arange(40.0)[:, None] % 10
    y = np.array(["a", "b"] * 15 + ["c"] * 10)
    result = compare(X, y, ["learned"], cv=KFold(4), scoring="auc")
    last = result.folds.iloc[3]  # all of class c, which training does not know
    assert (last["accuracy"], last["smoothed_error"]) == (0, 1)
    assert np.isfinite(last["log_loss"])
    assert np.isnan(last["auc"])
    note = result.summary()["note"].iloc[0]
    assert note == "auc has no value in 1 of 4 folds"
    assert note in result.sentence()
    assert note in repr(result)
    rest = result.scores.iloc[0].dropna()
    assert result.summary()["mean"].iloc[0] == rest.mean()


def test_scorers_of_scikit_learn_and_functions():
    X, y = make_xy(0, n=90)
    names = ["learned", "left"]
    theirs = compare(X, y, names, folds=3, repeats=1, scoring="neg_log_loss")
    ours = compare(X, y, names, folds=3, repeats=1, scoring="log_loss")
    np.testing.assert_allclose(-theirs.scores, ours.scores)
    assert theirs.best == ours.best

    def length(model, X, y):
        return len(X)

    assert (compare(X, y, names, folds=3, repeats=1, scoring=length).scores == 30).all(axis=None)


def one_class(model, X, y):
    if len(np.unique(y)) < 2:
        raise ValueError("a class is missing here")
    return 1.0


def test_a_scorer_says_why_it_has_no_value():
    X, y = make_xy(0, n=90)
    three = np.digitize(np.arange(90) % 9, [3, 6])
    result = compare(X, three, ["learned"], cv=3, scoring="roc_auc")
    assert "failed: ValueError: multi_class must be in" in result.problems["learned"]
    first = np.flatnonzero(y == 0)[:10]
    rest = np.setdiff1d(np.arange(90), first)
    splits = [(np.setdiff1d(np.arange(90), p), p) for p in (first, rest[::2], rest[1::2])]
    result = compare(X, y, ["learned", "left"], cv=splits, scoring=one_class)
    assert result.problems == {}
    note = result.summary()["note"].iloc[0]
    assert note == "one_class has no value in 1 of 3 folds (a class is missing here)"
    assert result.by("accuracy").summary()["note"].eq("").all()
    assert "is missing here" not in result.by("auc").summary()["note"].iloc[0]
    endless = compare(X, y, ["left"], cv=3, scoring=lambda *_: np.inf)
    assert "is inf, which has no mean" in endless.problems["left"]


class Recorder(ClassifierMixin, BaseEstimator):
    """Writes down what it was fitted on and asked for."""

    fitted: list = []
    asked: list = []

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        Recorder.fitted.append(X)
        return self

    def predict(self, X):
        Recorder.asked.append(X)
        return np.repeat(self.classes_[:1], len(X))


@pytest.fixture
def recorder():
    Recorder.fitted, Recorder.asked = [], []
    return Recorder()


def whole_frame(n=60):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(n, 3)), columns=list("abc"))
    frame["d"] = rng.choice(["red", "blue"], n)
    return frame, rng.integers(2, size=n)


def test_holes_are_learned_in_the_training_part(recorder):
    X, y = whole_frame()
    tests = ["amputated", "complete", "imputed", "as_is"]
    asked = {"mechanism": "MNAR", "rate": 0.3, "columns": ["a", "d"], "order": "frequency"}
    result = compare(
        X, y, {"one": recorder, "two": recorder}, cv=KFold(3), amputate=asked, test_missing=tests
    )
    assert result.tests == tests
    for k, (train, test) in enumerate(KFold(3).split(X)):
        fitted = Recorder.fitted[2 * k]
        assert fitted.equals(Recorder.fitted[2 * k + 1])  # the same holes for both
        assert fitted.index.tolist() == train.tolist()
        assert fitted.isna().sum().tolist() == [12, 0, 0, 12]
        amputated, complete, imputed, as_is = Recorder.asked[8 * k : 8 * k + 4]
        assert amputated["a"].isna().any()
        assert not amputated[["b", "c"]].isna().any(axis=None)
        pd.testing.assert_frame_equal(complete, X.iloc[test])
        pd.testing.assert_frame_equal(as_is, X.iloc[test])
        gone = amputated["a"].isna()
        assert imputed.loc[gone, "a"].unique() == pytest.approx(fitted["a"].mean())
        assert set(imputed.loc[amputated["d"].isna(), "d"]) <= {fitted["d"].mode()[0]}
        assert imputed[~gone]["a"].equals(amputated[~gone]["a"])
    first = [f.isna().to_numpy() for f in Recorder.fitted[::2]]
    assert not (first[0] == first[1]).all()


def test_a_row_to_predict_does_not_move_the_holes(recorder):
    X, y = whole_frame()
    other = X.copy()
    other.iloc[:20, 0] += 100  # the rows of the first test part
    for table in (X, other):
        compare(table, y, {"one": recorder}, cv=KFold(3), amputate=scenario("MARunifo", 0.2))
    assert Recorder.fitted[0].equals(Recorder.fitted[3])


def test_twala_has_whole_training_rows(recorder):
    X, y = whole_frame()
    holes = scenario("MCARunifo", 0.2, when="predict")
    result = compare(X, y, {"one": recorder}, cv=KFold(3), amputate=holes)
    assert result.tests == ["amputated"]
    assert not any(f.isna().any(axis=None) for f in Recorder.fitted)
    assert all(f.isna().any(axis=None) for f in Recorder.asked)


def test_scenarios_come_from_one_fit():
    X, y = make_xy(0, n=150, rate=0.0)
    options = {"cv": StratifiedKFold(3), "amputate": {"rate": 0.3}}
    both = compare(X, y, ["learned"], test_missing=["complete", "amputated"], **options)
    for test in ("complete", "amputated"):
        alone = compare(X, y, ["learned"], test_missing=test, **options)
        np.testing.assert_array_equal(both.by(test=test).scores, alone.scores)
    assert both.scores.equals(both.by(test="complete").scores)
    assert both.folds.groupby("fold")["fit_seconds"].nunique().eq(1).all()


def test_fills_of_every_kind_of_column():
    train = pd.DataFrame(
        {
            "number": [1.0, 2.0, 6.0],
            "whole": pd.array([1, 2, None], dtype="Int64"),
            "word": ["x", "x", None],
            "level": pd.Categorical(["u", "v", "v"]),
            "truth": pd.array([True, True, None], dtype="boolean"),
            "mixed": np.array([1, 2.0, None], dtype=object),
            "empty": [np.nan] * 3,
        }
    )
    test = train.iloc[[0]].copy()
    test.loc[0] = [np.nan, pd.NA, None, np.nan, pd.NA, None, np.nan]
    test = test.astype(train.dtypes.drop("empty").to_dict())
    filled = fill(train, test)
    assert filled.drop(columns="empty").iloc[0].tolist() == [3, 1.5, "x", "v", True, 1.5]
    assert filled["empty"].isna().all()
    assert test.isna().all(axis=None)  # a copy
    np.testing.assert_array_equal(fill(np.array([[1.0], [3.0]]), np.array([[np.nan]])), [[2.0]])


class Vandal(Recorder):
    """Spoils whatever it is given."""

    def fit(self, X, y):
        super().fit(X, y.copy())
        self._spoil(X)
        y[:] = 0
        return self

    def predict(self, X):
        said = (np.asarray(X)[:, 0] > 0).astype(int)
        self._spoil(X)
        return said

    def predict_proba(self, X):
        return np.eye(2)[self.predict(X)]

    def _spoil(self, X):
        if isinstance(X, pd.DataFrame):
            X.iloc[:, :] = -1.0
        else:
            X[:] = -1.0


def vandal_score(model, X, y):
    score = (model.predict(X) == y).mean()
    model_free = X.to_numpy() if isinstance(X, pd.DataFrame) else X
    model_free.flags.writeable = True  # views of a frame are locked, not safe
    model_free[:], y[:] = -1.0, 0
    return score


@pytest.mark.parametrize("frame", [True, False])
@pytest.mark.parametrize("scoring", [None, vandal_score])
def test_a_candidate_that_works_in_place_spoils_nothing(frame, scoring):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(90, 3))
    y = (X[:, 0] > 0).astype(int)
    X[rng.random(X.shape) < 0.2] = np.nan
    X = pd.DataFrame(X).add_prefix("x") if frame else X
    options = {"cv": 3, "scoring": scoring, "test_missing": ["as_is", "imputed"]}
    alone = compare(X, y, ["learned"], **options)
    both = compare(X, y, {"vandal": Vandal(), "learned": "learned"}, **options)
    for test in both.tests:
        ours, wanted = both.by(test=test).scores, alone.by(test=test).scores
        assert ours.loc["learned"].equals(wanted.loc["learned"])
        known = ours.loc["vandal"]  # it is not spoilt by itself either
        assert known.min() > 0.6


def test_an_amputer_that_works_in_place_leaves_the_rows_as_they_are():
    class Eraser(Unwilling):
        def transform(self, X):
            X.iloc[:, 0] = np.nan
            return X

    X, y = whole_frame()
    options = {"cv": 3, "amputate": Eraser(), "test_missing": ["amputated", "as_is"]}
    Recorder.fitted, Recorder.asked = [], []
    compare(X, y, {"one": Recorder()}, **options)
    assert [rows["a"].isna().all() for rows in Recorder.asked] == [True, False] * 3


class Slow(Recorder):
    """Takes its time, by a clock that the test winds."""

    def __init__(self, clock=None):
        self.clock = clock

    def __sklearn_clone__(self):
        return self

    def fit(self, X, y):
        self.clock[0] += 4
        return super().fit(X, y)


@pytest.fixture
def clock(monkeypatch):
    now = [0.0]
    module = sys.modules[compare.__module__]
    monkeypatch.setattr(module, "time", SimpleNamespace(perf_counter=lambda: now[0]))
    return now


def test_slow_strategies_are_shown_as_skipped(clock):
    X, y = make_xy(0, n=100)
    result = compare(X, y, {"slow": Slow(clock), "learned": "learned"}, cv=5, budget=10)
    assert result.problems == {
        "slow": "skipped after 3 of 5 folds: 12 s used of budget=10",
    }
    status = result.folds.set_index("strategy").loc["slow", "status"].tolist()
    assert status == ["ok"] * 3 + ["skipped"] * 2
    assert result.ranked == ["learned"]
    table = result.summary()
    assert table.index.tolist() == ["learned", "slow"]
    assert table.loc["slow", "mean"] == result.scores.loc["slow"].iloc[:3].mean()
    assert np.isnan(table.loc["slow", ["behind", "p_value"]].astype(float)).all()
    assert "slow: skipped after 3" in repr(result)
    assert compare(X, y, {"slow": Slow(clock)}, cv=5, budget=None).problems == {}


class Broken(Recorder):
    def fit(self, X, y):
        raise RuntimeError("deliberate failure")


class Whimsical(Recorder):
    """Fails where its training part has the first row."""

    def fit(self, X, y):
        if (np.asarray(X)[:, 0] == 0).any():
            raise RuntimeError("I do not like row 0")
        return super().fit(X, y)


def test_a_failure_in_some_folds_costs_the_rank_and_nothing_else():
    X, y = np.arange(40.0)[:, None], np.arange(40) % 2
    result = compare(X, y, {"bad": Whimsical(), "good": DummyClassifier()}, cv=KFold(4))
    assert result.problems == {"bad": "failed in 3 of 4 folds: RuntimeError: I do not like row 0"}
    assert result.scores.loc["bad"].notna().tolist() == [True, False, False, False]
    assert result.best == "good"
    assert result.differences().empty


def test_a_scenario_that_fails_leaves_the_others(recorder):
    class NoHoles(Recorder):
        def predict(self, X):
            if X.isna().any(axis=None):
                raise ValueError("Input X contains NaN.")
            return super().predict(X)

    X, y = whole_frame()
    holes = scenario("MCARunifo", 0.2, when="predict")
    result = compare(
        X, y, {"plain": NoHoles()}, cv=3, amputate=holes, test_missing=["amputated", "complete"]
    )
    assert result.by(test="complete").scores.notna().all(axis=None)
    assert result.by(test="amputated").scores.isna().all(axis=None)
    assert result.by(test="complete").ranked == ["plain"]
    assert "Input X contains NaN" in result.by(test="amputated").problems["plain"]
    assert result.by(test="complete").problems == {}


def test_training_parts_of_one_class():
    X, y = np.arange(40.0)[:, None], (np.arange(40) >= 20).astype(int)
    splits = [(np.arange(20), np.arange(20, 40)), (np.arange(0, 40, 2), np.arange(1, 40, 2))]
    trees = {"ours": "learned", "theirs": DecisionTreeClassifier()}
    result = compare(X, y, trees, cv=splits)
    assert result.scores.notna().all(axis=None)
    np.testing.assert_array_equal(*result.scores.to_numpy())
    svm = compare(X, y, {"svm": LinearSVC(), "tree": "learned"}, cv=splits)
    assert svm.problems["svm"].startswith("failed in 1 of 2 folds: ValueError:")
    assert svm.ranked == ["tree"]


def test_whole_estimators_and_pipelines():
    X, y = make_xy(0, n=120)
    pipe = make_pipeline(SimpleImputer(), DecisionTreeClassifier(max_depth=2, random_state=0))
    result = compare(X, y, [pipe, MDTreeClassifier(missing="mean", max_depth=2)], cv=3)
    assert [" " not in name[:9] and "\n" not in name for name in result.scores.index] == [True] * 2
    np.testing.assert_allclose(
        *result.folds.pivot(index="strategy", columns="fold")["nodes"].values
    )
    svm = make_pipeline(SimpleImputer(), LinearSVC())
    found = compare(X, y, {"svm": svm}, cv=3)
    assert found.folds[["log_loss", "nodes"]].isna().all(axis=None)
    assert found.folds["accuracy"].notna().all()
    sure = compare(X, y, {"svm": svm}, cv=3, scoring="auc").problems["svm"]
    assert "scoring='auc' needs predict_proba, which Pipeline has not" in sure


def test_regression_with_a_pipeline():
    X, y = make_xy(1, n=90, task="regression")
    line = make_pipeline(SimpleImputer(), LinearRegression())
    result = compare(X, y, {"line": line, "learned": "learned"}, cv=KFold(3), scoring="mae")
    assert result.metrics == ["r2", "mae"]
    assert result.higher_is_better is False
    assert result.scores.notna().all(axis=None)
    assert result.by("r2").folds["score"].equals(result.folds["r2"])


def test_the_same_pruning_for_all():
    X, y = make_xy(0, n=200)
    plain = compare(X, y, ["learned", "left"], cv=3)
    pruned = compare(X, y, ["learned", "left"], cv=3, pruning="pessimistic")
    assert (pruned.folds["nodes"] < plain.folds["nodes"]).all()
    tree = MDTreeClassifier(min_samples_leaf=5, pruning="pessimistic")
    same = compare(X, y, ["learned", "left"], cv=3, estimator=tree)
    assert same.scores.equals(pruned.scores)
    with pytest.raises(ValueError, match="DummyClassifier has no such parameter"):
        compare(X, y, ["left"], estimator=DummyClassifier(), pruning="pessimistic")


def test_draws_are_repeated():
    X, y = make_xy(0, n=150)
    options = {"cv": 3, "pruning": "reduced_error", "amputate": {"rate": 0.2}}
    one, two = (compare(X, y, ["learned", "mean"], **options) for _ in range(2))
    pd.testing.assert_frame_equal(one.folds.drop(columns=TIMES), two.folds.drop(columns=TIMES))
    with parallel_config(backend="threading", n_jobs=2):
        three = compare(X, y, ["learned", "mean"], **options)
    pd.testing.assert_frame_equal(one.folds.drop(columns=TIMES), three.folds.drop(columns=TIMES))
    other = compare(X, y, ["learned", "mean"], **options, random_state=1)
    assert not one.scores.equals(other.scores)


@pytest.mark.parametrize("jobs", [1, 2])
def test_the_bar_counts_every_fit(jobs, clock, capsys):
    X, y = make_xy(0, n=100)
    trees = {"slow": Slow(clock), "learned": "learned"}
    with parallel_config(backend="threading"):
        compare(X, y, trees, cv=4, budget=5, n_jobs=jobs, progress=True)
    assert "8/8" in capsys.readouterr().err


def test_differences_of_all_pairs():
    X, y = make_xy(0, n=150)
    result = compare(X, y, ["learned", "left", "mean"], folds=5, repeats=2, scoring="brier")
    table = result.differences()
    ranked = result.ranked
    assert table[["a", "b"]].to_numpy().tolist() == [
        [ranked[0], ranked[1]], [ranked[0], ranked[2]], [ranked[1], ranked[2]],
    ]  # fmt: skip
    assert (table["difference"] <= 0).all()  # lower is better
    assert ((table["low"] <= table["difference"]) & (table["difference"] <= table["high"])).all()
    assert (table["p_holm"] >= table["p_value"]).all()
    first = result.summary().loc[ranked[1]]
    assert table["difference"][0] == pytest.approx(-first["behind"])
    assert table["p_value"][0] == first["p_value"]


def test_one_split_has_no_interval():
    X, y = make_xy(0, n=60)
    result = compare(X, y, ["learned", "left"], cv=[(np.arange(40), np.arange(40, 60))])
    assert result.best is not None
    assert np.isnan(result.detectable)
    assert result.differences()[["p_value", "p_holm"]].isna().all(axis=None)
    assert "One fold cannot say" in result.sentence()


class Unwilling(TransformerMixin, BaseEstimator):
    """Not an amputer: it has no state to set, and changes nothing."""

    def fit(self, X, y=None):
        return self

    def transform(self, X):
        return X


def test_any_transformer_may_make_holes():
    X, y = make_xy(0, n=60)
    plain = compare(X, y, ["learned"], cv=3)
    assert compare(X, y, ["learned"], cv=3, amputate=Unwilling()).scores.equals(plain.scores)


WRONG = [
    ({"strategies": ["learned", "learned"]}, "strategies has 'learned' twice; name them by a dict"),
    ({"strategies": []}, "strategies is empty"),
    ({"strategies": ["lerned"]}, "'lerned' is not a known strategy"),
    ({"scoring": "acuracy"}, "scoring='acuracy' is not known; choose one of 'accuracy'"),
    ({"scoring": "r2"}, "scoring='r2' is not for classification"),
    ({"budget": 0}, "budget=0 must be a number of seconds above 0"),
    ({"test_missing": "whole"}, "test_missing='whole' must be one of 'as_is'"),
    ({"test_missing": ["as_is", "as_is"]}, "a list of different ones"),
    ({"test_missing": "amputated"}, "needs to know which holes; pass amputate="),
    ({"test_missing": "complete"}, r"but X has \d+, and nobody knows what was there"),
    ({"amputate": {"mechanism": "MAR", "rates": 0.3}}, "Amputer has no parameter 'rates'"),
    ({"estimator": DummyClassifier()}, "DummyClassifier has no parameter 'missing'"),
    ({"cv": []}, "gives no split"),
]


@pytest.mark.parametrize(("wrong", "message"), WRONG)
def test_what_is_refused(wrong, message):
    X, y = make_xy(0, n=60)
    with pytest.raises(ValueError, match=message):
        compare(X, y, **wrong)


def test_what_is_refused_by_type_and_size():
    X, y = make_xy(0, n=60)
    with pytest.raises(ValueError, match="X has 60 rows and y 59 labels"):
        compare(X, y[:-1])
    with pytest.raises(ValueError, match="y misses 1 labels; drop those rows"):
        compare(X, np.where(np.arange(60) == 3, None, y.astype(object)))
    with pytest.raises(TypeError, match="scoring=3 must be a name or a scorer"):
        compare(X, y, scoring=3)
    with pytest.raises(TypeError, match="amputate=0.3 must be an Amputer"):
        compare(X, y, amputate=0.3)


X60, Y60 = make_xy(0, n=60)
TEXT = np.where(Y60, "yes", "no")
MIXED = np.array([1 if label else "a" for label in Y60], dtype=object)
REFUSED = [
    (ValueError, "pruning='zzz' is not a known pruning", {"pruning": "zzz"}),
    (ValueError, "pruning='zzz'", {"estimator": MDTreeClassifier(pruning="zzz")}),
    (ValueError, r"X has the shape \(60,\)", {"X": X60[:, 0]}),
    (ValueError, r"X has the shape \(60,\)", {"X": pd.Series(X60[:, 0])}),
    (ValueError, r"0 feature\(s\)", {"X": X60[:, :0]}),
    (ValueError, r"0 feature\(s\)", {"X": pd.DataFrame(index=range(60))}),
    (ValueError, r"0 sample\(s\)", {"X": X60[:0], "y": Y60[:0]}),
    (
        ValueError,
        "X has duplicate column names",
        {"X": pd.DataFrame(X60[:, [0, 1]], columns=["a"] * 2)},
    ),
    (TypeError, "[Ss]parse", {"X": csr_array(np.nan_to_num(X60))}),
    (ValueError, "y must be numeric for regression", {"y": TEXT, "estimator": MDTreeRegressor()}),
    (
        ValueError,
        "y contains infinity",
        {"y": np.where(Y60, np.inf, 0.5), "estimator": MDTreeRegressor()},
    ),
    (ValueError, r"y has the shape \(60, 2\)", {"y": np.stack([Y60, Y60], axis=1)}),
    (ValueError, r"y has the shape \(60, 2\)", {"y": pd.DataFrame({"a": Y60, "b": Y60})}),
    (ValueError, r"y has the shape \(\)", {"y": 1}),
    (TypeError, "y mixes .* classes must be of one kind", {"y": MIXED}),
    (TypeError, "y mixes .* classes must be of one kind", {"y": MIXED.tolist()}),
    (TypeError, r"strategies=MDTreeClassifier is a class", {"strategies": MDTreeClassifier}),
    (TypeError, r"strategies=MDTreeClassifier is a class", {"strategies": [MDTreeClassifier]}),
    (TypeError, r"Learned is a class; pass an object, Learned\(\)", {"strategies": [Learned]}),
    (TypeError, "strategies=3 must be a list or a dict", {"strategies": 3}),
    (ValueError, "strategies has '1' twice", {"strategies": {1: "left", "1": "mean"}}),
    (TypeError, "estimator=MDTreeClassifier is a class", {"estimator": MDTreeClassifier}),
    (TypeError, "estimator='learned' must be an estimator", {"estimator": "learned"}),
    (ValueError, r"needs groups; pass cv=cv.split\(X, y, groups\)", {"cv": GroupKFold(5)}),
    (TypeError, "cv='x' must be a number of folds, a splitter", {"cv": "x"}),
    (TypeError, "cv=True must be", {"cv": True}),
    (TypeError, "cv=0.5 must be", {"cv": 0.5}),
    (TypeError, "cv=<class", {"cv": KFold}),
    (ValueError, "split 0 of cv is 1; each is a pair", {"cv": [1, 2]}),
    (ValueError, "cv=1 must be at least 2", {"cv": 1}),
    (TypeError, "folds='5' must be a whole number", {"folds": "5"}),
    (ValueError, "folds=1 must be at least 2", {"folds": 1}),
    (ValueError, "repeats=0 must be at least 1", {"repeats": 0}),
    (TypeError, "budget='a' must be a number of seconds", {"budget": "a"}),
    (ValueError, "n_jobs=0 must be", {"n_jobs": 0}),
    (TypeError, "random_state=None must be", {"random_state": None, "amputate": {"rate": 0.1}}),
    (TypeError, "random_state='a' must be", {"random_state": "a"}),
    (ValueError, "random_state=-1 must be from 0", {"random_state": -1}),
    (TypeError, "amputate=<class .* must be an Amputer", {"amputate": Amputer}),
    (ValueError, "test_missing=5 must be one of", {"test_missing": 5}),
]


@pytest.mark.parametrize(("error", "message", "wrong"), REFUSED, ids=[r[1][:40] for r in REFUSED])
def test_what_is_refused_before_any_fold_runs(error, message, wrong, monkeypatch):
    monkeypatch.delattr(sys.modules[compare.__module__], "_fold")
    asked = {"X": X60, "y": Y60, "strategies": ["learned"]} | wrong
    with pytest.raises(error, match=message):
        compare(**asked)


@pytest.mark.parametrize("one", ["left", Learned(), MDTreeClassifier(max_depth=2)])
def test_one_strategy_needs_no_list(one):
    found = compare(X60, Y60, one, folds=3, repeats=1)
    assert found.scores.equals(compare(X60, Y60, [one], folds=3, repeats=1).scores)


@pytest.mark.filterwarnings("ignore:A column-vector")
def test_labels_in_other_forms():
    wanted = compare(X60, TEXT, "left", cv=3).scores
    for labels in (TEXT.tolist(), TEXT[:, None], pd.Series(TEXT), pd.DataFrame({"y": TEXT})):
        assert compare(X60, labels, "left", cv=3).scores.equals(wanted)
    assert compare(X60.tolist(), TEXT, "left", cv=3).scores.equals(wanted)
    many = pd.Series(np.arange(60) % 30).astype("category")  # classes, though they are numbers
    assert compare(X60, many, "left", cv=2).metrics == CLASSIFICATION


def test_names_are_text_from_the_start(tmp_path):
    result = compare(X60, Y60, {1: "left", 2: Broken()}, cv=3)
    assert (result.ranked, list(result.problems)) == (["1"], ["2"])
    result.save(tmp_path / "it.json")
    again = Comparison.load(tmp_path / "it.json")
    assert (again.sentence(), repr(again)) == (result.sentence(), repr(result))


def test_pipelines_have_names_that_can_be_read():
    pipe = make_pipeline(SimpleImputer(strategy="median"), DecisionTreeClassifier(max_depth=2))
    name = "SimpleImputer(strategy='median') + DecisionTreeClassifier(max_depth=2)"
    assert compare(X60, Y60, [pipe], cv=3).ranked == [name]


@pytest.mark.parametrize(
    "text", ["no JSON", "[1, 2]", "{}", "3", '{"folds": 3}', '{"folds": {"fold": [1]}}', '"x"']
)
def test_files_that_hold_no_comparison(text, tmp_path):
    path = tmp_path / "it.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(
        ValueError, match=r"it.json' is not a comparison that Comparison.save wrote"
    ):
        Comparison.load(path)
    with pytest.raises(FileNotFoundError):
        Comparison.load(tmp_path / "none.json")


def test_a_page_that_stands_alone(tmp_path):
    X, y = make_xy(0, n=90)
    name = "<b>learned & left</b>"
    result = compare(X, y, {name: "learned", "mean": "mean", "bad": Whimsical()}, cv=3)
    path = tmp_path / "page.html"
    page = result.to_html(path)
    assert path.read_text(encoding="utf-8") == page
    assert name not in page
    assert "&lt;b&gt;learned &amp; left&lt;/b&gt;" in page
    assert "http" not in page.replace('http-equiv="', "")
    assert page.count("<img") == 1
    assert 'alt="' in page
    assert "data:image/png;base64," in page


def test_saved_comparisons_keep_everything(tmp_path):
    X, y = make_xy(0, n=90)
    trees = {"a": "learned", "b": Slow([0.0]), "c": "mean"}
    result = compare(
        X, y, trees, cv=3, scoring="log_loss", amputate=Amputer(rate=0.1),
        test_missing=["amputated", "as_is"],
    )  # fmt: skip
    result.save(tmp_path / "it.json")
    again = Comparison.load(tmp_path / "it.json")
    pd.testing.assert_frame_equal(again.folds, result.folds, check_dtype=False)
    assert again.by("auc", test="as_is").sentence() == result.by("auc", test="as_is").sentence()
    assert again.higher_is_better is False


def test_a_pipeline_of_others_scores_as_by_itself():
    """Its copy of the rows has their order in memory: nearly equal neighbours stay as they were."""
    whole, y = eig_tables(["credit"])["credit"]
    X = CoinHoles(0.6).make(whole).X
    pipeline = make_pipeline(
        KNNImputer(keep_empty_features=True), DecisionTreeClassifier(random_state=0)
    )
    splits = list(StratifiedKFold(3, shuffle=True, random_state=0).split(X, y))
    mine = compare(X, y, {"p": pipeline, "learned": "learned"}, cv=splits).scores.loc["p"]
    np.testing.assert_array_equal(mine, cross_val_score(pipeline, X, y, cv=splits))
