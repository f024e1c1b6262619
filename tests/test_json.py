"""A model as JSON comes back the same, and nothing else comes in."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from data import MECHANISMS, make_frame, make_xy
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sklearn.exceptions import NotFittedError

import mdtree_nb as md
from mdtree_nb import MDTreeClassifier, MDTreeRegressor, export_json, import_json
from mdtree_nb.exports.json import model as parts
from mdtree_nb.exports.json import values
from mdtree_nb.exports.json.model import ESTIMATORS, VERSION
from mdtree_nb.prunings import Pruning
from mdtree_nb.prunings.collapse import Collapse
from mdtree_nb.prunings.pessimistic import Pessimistic
from mdtree_nb.prunings.reduced_error import ReducedError
from mdtree_nb.strategies import Strategy, StrategyNotApplicable, all_strategies
from mdtree_nb.table import Table
from mdtree_nb.tree.criteria import Entropy
from mdtree_nb.tree.structure import KIND_NAMES, Tree
from mdtree_nb.tree.validation import KIND_CHECKS, array_types

GOLDEN = Path(__file__).parent / "golden"


def answers(model, X):
    return model.predict_proba(X) if hasattr(model, "predict_proba") else model.predict(X)


def fitted(missing, X, y, cls=MDTreeClassifier, **options):
    try:
        return cls(missing=missing, **options).fit(X, y)
    except StrategyNotApplicable:
        pytest.skip("no complete row")


def same_value(a, b):
    """Equal, of the same type, and -0.0 is not 0.0."""
    if isinstance(a, dict):
        return list(a) == list(b) and all(same_value(a[k], b[k]) for k in a)
    if isinstance(a, (list, tuple)):
        same = type(a) is type(b) and len(a) == len(b)
        return same and all(same_value(x, z) for x, z in zip(a, b, strict=True))
    if isinstance(a, np.ndarray):
        return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()
    return type(a) is type(b) and repr(a) == repr(b)


def check_round_trip(model, X):
    text = export_json(model)
    again = import_json(text)
    assert type(again) is type(model)
    assert export_json(again) == text
    assert again.trees_ == model.trees_
    for one, other in zip(model.trees_, again.trees_, strict=True):
        for name, dtype in array_types().items():
            mine, theirs = getattr(one, name), getattr(other, name)
            assert mine.dtype == theirs.dtype == dtype
            assert np.asfortranarray(mine).tobytes() == np.asfortranarray(theirs).tobytes()
    assert vars(again).keys() == vars(model).keys()
    assert again.schema_ == model.schema_
    assert repr(again.get_params()) == repr(model.get_params())
    assert again.n_dropped_ == model.n_dropped_
    assert again.n_features_in_ == model.n_features_in_
    assert same_value(again._predictor.state, model._predictor.state)
    assert same_value(again._predictor.training, model._predictor.training)
    if hasattr(model, "classes_"):
        assert again.classes_.dtype == model.classes_.dtype
        assert again.classes_.tolist() == model.classes_.tolist()
    np.testing.assert_array_equal(answers(again, X), answers(model, X))
    np.testing.assert_array_equal(again.predict(X), model.predict(X))
    np.testing.assert_array_equal(again.apply(X), model.apply(X))
    return again


# -- what goes out comes back -----------------------------------------------------


@pytest.mark.parametrize("missing", sorted(all_strategies()))
@pytest.mark.parametrize("mechanism", MECHANISMS)
@pytest.mark.parametrize("task", ["classification", "regression"])
def test_every_strategy(missing, mechanism, task):
    cls = MDTreeClassifier if task == "classification" else MDTreeRegressor
    for seed in range(2):
        X, y = make_xy(seed, mechanism=mechanism, task=task, classes=2 + seed)
        model = fitted(missing, X, y, cls)
        new = np.vstack([make_xy(seed + 9, mechanism=mechanism)[0], np.full((1, 4), np.nan)])
        check_round_trip(model, new)


@pytest.mark.parametrize("missing", sorted(set(all_strategies()) - {"discard"}))
def test_mixed_columns(missing):
    frame, y = make_frame(0)
    model = fitted(missing, frame, y, criterion="entropy", max_depth=4)
    new, _ = make_frame(1)
    new.loc[0, "colour"] = "unseen"
    again = check_round_trip(model, new)
    assert list(again.feature_names_in_) == list(frame.columns)
    pd.testing.assert_frame_equal(again.explain_row(new.iloc[3]), model.explain_row(new.iloc[3]))
    assert md.export_text(again) == md.export_text(model)


def test_levels_keep_their_types():
    intervals = pd.cut(pd.Series([0.5, 1.5, 2.5, 0.5, 1.5, 2.5]), [0, 1, 2, 3])
    frame = pd.DataFrame(
        {
            "objects": pd.Series([1, "1", True, 2.5, b"\x00\xff", np.inf], dtype=object),
            "numpy": pd.Series(
                [np.int8(3), "b", np.float32(0.1), np.str_("c"), -0.0, np.bool_(False)],
                dtype=object,
            ),
            "intervals": intervals,
            "numbers": pd.Categorical([3, 1, 2, 3, 1, 2]),
            "é": pd.Categorical(["\n", "\x00", '"', "ü", "{", ""]),
        }
    )
    model = MDTreeClassifier().fit(frame, list("abcabc"))
    again = check_round_trip(model, frame)
    types = [type(level) for level in sum(filter(None, again.schema_.levels), ())]
    assert {int, str, bool, float, bytes, pd.Interval} == set(types)
    assert len(again.schema_.levels[0]) == 6


@pytest.mark.parametrize(
    "labels",
    [
        np.array(["yes", "no", "no", "maybe"]),
        np.array(["a", "b", "b", "a"], dtype="U40"),
        np.array(["yes", "no", "no", "maybe"], dtype=object),
        np.array([True, False, False, True]),
        np.array([3, -1, 7, 3], dtype=np.int8),
        np.array([2**63, 1, 1, 0], dtype=np.uint64),
        np.array([0.0, 1.0, 2.0, 0.0], dtype=np.float32),
        np.array([0.0, 1.0, 2.0, 0.0]),
        np.array([5, 5, 5, 5]),
    ],
    ids=lambda labels: f"{labels.dtype}",
)
def test_classes_of_any_type(labels):
    check_round_trip(MDTreeClassifier().fit(np.arange(4.0)[:, None], labels), [[1.2], [np.nan]])


@given(st.lists(st.floats(allow_nan=False), min_size=2, max_size=12, unique=True))
@settings(max_examples=60, deadline=None)
def test_every_float_is_a_threshold(numbers):
    X = np.array(numbers)[:, None]
    model = MDTreeClassifier(missing="right").fit(X, np.arange(len(X)) % 2)
    check_round_trip(model, X)


def test_awkward_floats():
    X = np.array([[-np.inf], [-0.0], [5e-324], [0.1], [1e308], [np.inf], [np.nan]])
    for missing in ("right", "learned"):
        model = MDTreeRegressor(missing=missing).fit(X, [-0.0, 0.1, 0.2, 0.3, 1e99, -1e-99, 7])
        again = check_round_trip(model, X)
        assert "NaN" not in export_json(again)
        assert "Infinity" not in export_json(again)


def test_parameters():
    X, y = make_xy(0)
    model = MDTreeClassifier(
        missing=md.strategies.Learned(alone=False),
        missing_predict="dtpe",
        criterion=Entropy(),
        class_weight={0: 1.0, np.int64(1): 2},
        max_features=np.float32(0.5),
        min_samples_leaf=1.0 / 60,
        max_depth=np.int64(3),
        random_state=7,
        missing_label="drop",
        new_missing="warn",
    ).fit(X, y)
    text = export_json(model)
    again = import_json(text)
    assert export_json(again) == text
    params = again.get_params(deep=False)
    assert isinstance(params["missing"], md.strategies.Learned)
    assert params["missing"].alone is False
    assert isinstance(params["criterion"], Entropy)
    assert params["class_weight"] == {0: 1.0, 1: 2}
    assert same_value(params["min_samples_leaf"], 1.0 / 60)
    assert again.fit(X, y).tree_ == model.tree_  # and it can be fitted again


def test_the_strategy_that_predicts_is_written_not_the_parameter():
    X, y = make_xy(1)
    model = MDTreeClassifier(missing="learned").fit(X, y)
    other = model.with_prediction("mean", X, y)
    check_round_trip(other, X)
    wanted = answers(model, X)
    model.set_params(missing="left")  # has no effect before the next fit
    np.testing.assert_array_equal(answers(import_json(export_json(model)), X), wanted)


def test_dropped_rows_and_pruning():
    X, y = make_xy(2, n=200)
    labels = np.where(y == 1, "a", "b").astype(object)
    labels[:5] = None
    model = MDTreeClassifier(missing_label="drop", ccp_alpha=0.01).fit(X, labels)
    assert check_round_trip(model, X).n_dropped_ == 5


@pytest.mark.parametrize(
    "pruning",
    [
        None,
        "pessimistic",
        Pessimistic(0.1, raising=False),
        ReducedError(0.3),
        ReducedError(rows=np.arange(40)),
        ReducedError(rows=[True, False] * 100),
        Collapse(),
    ],
    ids=lambda pruning: str(pruning)[:30],
)
def test_pruning_objects(pruning):
    X, y = make_xy(2, n=200)
    model = MDTreeClassifier(missing="fractional", pruning=pruning, random_state=0).fit(X, y)
    again = check_round_trip(model, X)
    mine, theirs = model.pruning, again.pruning
    assert type(mine) is type(theirs)
    if isinstance(mine, Pruning):
        for name, value in mine.get_params().items():
            np.testing.assert_array_equal(theirs.get_params()[name], value)
    assert again.fit(X, y).tree_ == model.tree_


def test_two_trees():
    class Twice(Strategy):
        """Two completed tables, so two trees."""

        name = "twice"
        mode = "known"
        plain = True

        def prepare(self, table, y, w, rng):
            tables = self.transform(table, {})
            return md.strategies.Prepared(tables, None, {"seen": np.arange(3.0)})

        def transform(self, table, state):
            return [table.replace(np.nan_to_num(table.values, nan=v)) for v in (-1.0, 1.0)]

    X, y = make_xy(3)
    model = MDTreeClassifier(missing=Twice()).fit(X, y)
    with pytest.MonkeyPatch.context() as patch:
        known = {**all_strategies(), "twice": Twice}
        patch.setattr(values, "all_strategies", lambda: known)
        again = check_round_trip(model, X)
        assert len(again.trees_) == 2


def test_files(tmp_path):
    X, y = make_xy(0)
    model = MDTreeClassifier().fit(X, y)
    path = tmp_path / "model.json"
    text = export_json(model, path)
    assert path.read_bytes() == text.encode()
    assert import_json(path).tree_ == import_json(str(path)).tree_ == model.tree_
    assert import_json(" \n" + text).tree_ == model.tree_


def test_another_process_writes_the_same_text(tmp_path):
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]); from data import make_frame;"
        "import mdtree_nb as md; X, y = make_frame(0);"
        "sys.stdout.write(md.export_json(md.MDTreeClassifier(missing='mean').fit(X, y)))"
    )
    here = Path(__file__).parent
    environment = {**os.environ, "PYTHONHASHSEED": "77", "PYTHONPATH": str(here.parent)}
    run = [sys.executable, "-c", code, str(here)]
    other = subprocess.run(run, capture_output=True, text=True, check=True, env=environment)
    X, y = make_frame(0)
    assert other.stdout == export_json(MDTreeClassifier(missing="mean").fit(X, y))


# -- documents of every version stay readable -------------------------------------

VERSIONS = sorted(GOLDEN.glob("model_v*.json"))


def golden_model():
    """The model that the document of version 1 holds; it was grown by mdtree_nb 0.1.0."""
    frame = pd.DataFrame(
        {
            "size": [1.0, 2.0, 3.0, np.nan, 5.0, 6.0, np.nan, 8.0, 9.5, np.nan],
            "kind": pd.Series(["a", "b", 1, 1, None, 1, "b", "a", 1, "b"], dtype=object),
        }
    )
    labels = np.array(["no", "no", "yes", "yes", "no", "no", "yes", "no", "no", "yes"])
    return frame, MDTreeClassifier(
        missing=md.strategies.Learned(alone=True), missing_predict="mean"
    ).fit(frame, labels)


@pytest.mark.parametrize("path", VERSIONS, ids=lambda path: path.stem)
def test_golden_documents_stay_readable(path):
    frame, model = golden_model()
    read = import_json(path)
    assert read.classes_.tolist() == ["no", "yes"]
    assert read.schema_ == model.schema_
    assert read.tree_ == model.tree_
    assert read.get_params()["missing__alone"] is True
    shares = read.predict_proba(frame)
    np.testing.assert_array_equal(shares, model.predict_proba(frame))
    assert json.loads(path.read_text())["version"] == int(path.stem.removeprefix("model_v"))


def test_there_is_a_golden_document_of_every_version():
    assert [path.stem for path in VERSIONS] == [f"model_v{v + 1}" for v in range(VERSION)]


def test_an_array_that_came_later_gets_its_default(monkeypatch):
    """A new array of Tree with a default leaves older documents readable."""

    @dataclass(frozen=True, eq=False)
    class Later(Tree):
        newer: np.ndarray = field(default_factory=lambda: np.zeros(0, dtype=np.int16))

    monkeypatch.setattr(parts, "Tree", Later)
    monkeypatch.setattr(parts, "array_types", lambda: {**array_types(), "newer": np.int16})
    tree = import_json(VERSIONS[0]).tree_
    assert isinstance(tree, Later)
    assert tree.newer.shape == (0,)
    model = MDTreeClassifier().fit([[1.0], [2.0]], [0, 1])
    model.trees_ = [Later(**vars(model.tree_), newer=np.array([3, -1], dtype=np.int16))]
    again = import_json(export_json(model)).tree_
    assert again.newer.tolist() == [3, -1]


# -- what cannot be written is refused by name ------------------------------------


def test_a_foreign_strategy_is_refused_by_name():
    class Elsewhere(Strategy):
        name = "elsewhere"
        mode = "known"
        plain = True

    class Fake(md.strategies.Learned):
        """Has the name of a strategy of the package."""

    X, y = make_xy(0)
    for strategy in (Elsewhere(), Fake()):
        model = MDTreeClassifier(missing=strategy).fit(X, y)
        with pytest.raises(TypeError, match=f"missing={type(strategy).__name__}.*comes with"):
            export_json(model)


def test_a_state_that_cannot_be_written_is_refused_by_name():
    X, y = make_xy(0)
    model = MDTreeClassifier(missing="mean").fit(X, y)
    model._predictor.state["model"] = object()
    with pytest.raises(TypeError, match="strategy 'mean': its state"):
        export_json(model)
    model._predictor.state["model"] = np.array(["2020-01-01"], dtype="datetime64[D]")
    with pytest.raises(TypeError, match=r"strategy 'mean': its state is an array of datetime64"):
        export_json(model)


def test_other_things_that_cannot_be_written():
    X, y = make_xy(0)
    random = MDTreeClassifier(random_state=np.random.RandomState(0)).fit(X, y)
    with pytest.raises(TypeError, match=r"random_state=RandomState.*cannot be written"):
        export_json(random)
    assert import_json(export_json(random.set_params(random_state=0))).tree_ == random.tree_
    fraction = pd.DataFrame({"c": pd.Series([Fraction(1, 3), "a"] * 2, dtype=object)})
    with pytest.raises(TypeError, match=r"level of column 'c'.*Fraction"):
        export_json(MDTreeClassifier().fit(fraction, [0, 1, 0, 1]))
    with pytest.raises(TypeError, match="model=Tree cannot be written"):
        export_json(MDTreeClassifier().fit(X, y).tree_)
    with pytest.raises(NotFittedError):
        export_json(MDTreeClassifier())

    class Mine(MDTreeClassifier):
        pass

    with pytest.raises(TypeError, match="model=Mine cannot be written"):
        export_json(Mine().fit(X, y))


# -- what does not hold together does not come in ---------------------------------


def document_of(model):
    return json.loads(export_json(model))


@pytest.fixture(scope="module")
def document():
    frame, y = make_frame(0)
    model = MDTreeClassifier(missing="learned", missing_predict="mean", max_depth=3)
    return document_of(model.fit(frame, y))


def changed(document, path, value):
    """The document with another value at a place."""
    copy = json.loads(json.dumps(document))
    place = copy
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return json.dumps(copy)


ARRAYS = ("trees", 0)
BROKEN = [
    (("format",), "something else", "no model of mdtree_nb"),
    (("version",), 0, "no version of the format"),
    (("version",), True, "no version of the format"),
    (("estimator",), "os.system", "is not one of MDTreeClassifier"),
    (("estimator",), "MDTreeRegressor", "no parameter class_weight"),
    (("extra",), 1, "knows no extra"),
    (("parameters", "nonsense"), 1, "no parameter nonsense"),
    (("parameters", "new_missing"), "explode", "new_missing='explode' must be"),
    (("parameters", "missing"), "unknown", "not a known strategy"),
    (("parameters", "missing"), {"strategy": "os", "parameters": {}}, "not a strategy of this"),
    (("parameters", "missing"), {"strategy": "mean"}, "a name and parameters"),
    (("parameters", "missing"), {"criterion": "gini", "parameters": {}}, "must be the name of"),
    (("parameters", "criterion"), "squared_error", "not a known criterion"),
    (("parameters", "pruning"), "unknown", "not a known pruning"),
    (("parameters", "pruning"), {"strategy": "left", "parameters": {}}, "must be the name of"),
    (("parameters", "pruning"), {"pruning": "os", "parameters": {}}, "not a pruning of this"),
    (
        ("parameters", "pruning"),
        {"pruning": "pessimistic", "parameters": {"confidence": 25}},
        "confidence=25",
    ),
    (("parameters", "missing"), {"pickle": "gASV"}, "not with 'pickle'"),
    (("parameters", "missing"), {}, "empty object"),
    (("n_dropped",), -1, "n_dropped: -1 is not a count"),
    (("n_features_in",), 7, "7 columns, but the schema has 6"),
    (("feature_names_in", 0), "z", "names must be those of the schema"),
    (("classes",), None, "an array has dtype, shape and values"),
    (("classes", "values"), ["no", "no"], "two classes are the same"),
    (("classes", "shape"), [3], "does not fit 2 values"),
    (("classes", "dtype"), "datetime64[ns]", "are not read"),
    (("classes", "dtype"), "U99999999", "are not read"),
    (("classes",), {"dtype": "object", "shape": [3], "values": [1, "1", True]}, "for 3 classes"),
    (("classes",), {"dtype": "float64", "shape": [2], "values": [1, "nan"]}, "a class is text"),
    (("schema", "names"), [], "one entry per column"),
    (("schema", "incomplete", 0), 1, "true or false"),
    (("schema", "levels", 4), ["red", "red", "blue"], "two levels are the same"),
    (("schema", "levels", 4), ["red", {"float": "nan"}, "blue"], "a level is text"),
    (("schema", "levels", 4), ["red", None, "blue"], "a level is text"),
    (("schema", "levels", 4), [{"interval": [2, 1, "left"]}], "left <= right"),
    (("schema", "levels", 4), [{"bytes": "zz"}], "hexadecimal"),
    (("trees",), [], "at least one tree"),
    ((*ARRAYS, "feature"), None, "an array has dtype"),
    ((*ARRAYS, "feature", "dtype"), "int64", "must be int32"),
    ((*ARRAYS, "feature", "values", 0), 6, "column from 0 to 5"),
    ((*ARRAYS, "feature", "values", 0), -2, "column from 0 to 5"),
    ((*ARRAYS, "feature", "values", 0), -1, "a leaf has n_children"),
    ((*ARRAYS, "feature", "values", 0), 2**40, "fits int32"),
    ((*ARRAYS, "feature", "values", 0), 1.0, "fits int32"),
    ((*ARRAYS, "feature", "values", 0), True, "fits int32"),
    ((*ARRAYS, "first_child", "values", 0), 0, "follow those of the inner node before"),
    ((*ARRAYS, "first_child", "values", 1), 1, "follow those of the inner node before"),
    ((*ARRAYS, "n_children", "values", 0), 1, "at least two children"),
    ((*ARRAYS, "n_children", "values", 0), 4, "node 1: children must follow"),
    ((*ARRAYS, "kind", "values", 0), 9, "kind must be one of"),
    ((*ARRAYS, "missing_branch", "values", 0), 2, "one of the node's branches"),
    ((*ARRAYS, "missing_branch", "values", 0), -2, "one of the node's branches"),
    ((*ARRAYS, "share", "values", 1), 1.5, "share must be between 0 and 1"),
    ((*ARRAYS, "share", "values", 1), "nan", "share must be between 0 and 1"),
    ((*ARRAYS, "share", "values", 1), 0.01, "must sum to 1"),
    ((*ARRAYS, "value", "values", 0), 0.9, "sum to 1"),
    ((*ARRAYS, "value", "values", 0), "inf", "finite numbers"),
    ((*ARRAYS, "value", "values", 0), "Infinity", "every value must be a number"),
    ((*ARRAYS, "weight", "values", 0), 0.0, "weight above 0"),
    ((*ARRAYS, "weight", "values", 1), -1.0, "weight must be a number of at least 0"),
    ((*ARRAYS, "rows", "values", 1), -1, "rows must be at least 0"),
    (("prediction", "state"), 5, "a strategy object and its state"),
    (("prediction", "state", "dict", "fills"), [0.0], "one fill per column"),
    (("prediction", "state", "dict", "fills", 0), "0", "is no fill of column 'a'"),
    (("prediction", "state", "dict", "fills", 4), 3.0, "is no fill of column 'colour'"),
    (("prediction", "strategy"), "mean", "a strategy object and its state"),
]


@pytest.mark.parametrize("path, value, rule", BROKEN, ids=lambda v: str(v)[:40])
def test_a_broken_document_is_refused_with_the_rule(document, path, value, rule):
    with pytest.raises(ValueError, match=rule):
        import_json(changed(document, path, value))


def test_every_entry_is_needed(document):
    for name in document:
        rest = {key: value for key, value in document.items() if key != name}
        with pytest.raises(ValueError, match=name):
            import_json(json.dumps(rest))
    for name in array_types():
        rest = json.loads(json.dumps(document))
        del rest["trees"][0][name]
        with pytest.raises(ValueError, match=f"lacks {name}"):
            import_json(json.dumps(rest))


def test_parameters_that_came_later_get_their_defaults(document):
    older = json.loads(json.dumps(document))
    del older["parameters"]["n_jobs"]
    assert import_json(json.dumps(older)).n_jobs is None


def test_tests_fit_their_columns():
    frame, _ = make_frame(0)
    red = frame["colour"] == "red"
    model = MDTreeClassifier(max_depth=1, categorical="equality")
    document = document_of(model.fit(frame, red))
    root = ("trees", 0, "threshold", "values", 0)
    assert document["trees"][0]["kind"]["values"][0] == 1
    for code in (3.0, -1.0, 0.5, "nan", "inf"):
        with pytest.raises(ValueError, match="number of one of the column's levels"):
            import_json(changed(document, root, code))
    with pytest.raises(ValueError, match="a threshold needs a numeric column"):
        import_json(changed(document, ("trees", 0, "kind", "values", 0), 0))
    X, y = make_xy(0)
    document = document_of(MDTreeClassifier(max_depth=1).fit(X, y))
    with pytest.raises(ValueError, match="the threshold is missing"):
        import_json(changed(document, root, "nan"))


@pytest.mark.parametrize("categorical", ["subset", "multiway"])
def test_level_tables_fit_their_tests(categorical):
    frame, y = make_frame(0)
    model = MDTreeClassifier(max_depth=3, categorical=categorical).fit(frame, y)
    document = document_of(model)
    assert import_json(json.dumps(document)).tree_ == model.tree_
    tree = ("trees", 0)
    v = int(np.flatnonzero(model.tree_.level_start >= 0)[0])
    leaf = int(np.flatnonzero(model.tree_.is_leaf)[0])
    at = int(model.tree_.level_start[v])
    for path, value, rule in [
        ((*tree, "level_branch", "values", at), -2, "without a gap"),
        ((*tree, "level_branch", "values", at), 7, "without a gap"),
        ((*tree, "level_start", "values", v), at + 1, "must begin where"),
        ((*tree, "level_start", "values", v), -1, "must begin where"),
        ((*tree, "level_start", "values", leaf), 0, "-1 without a level table"),
        ((*tree, "kind", "values", v), 1, "-1 without a level table"),
        ((*tree, "feature", "values", v), 0, "needs a category column"),
    ]:
        with pytest.raises(ValueError, match=rule):
            import_json(changed(document, path, value))
    short = json.loads(json.dumps(document))
    branches = short["trees"][0]["level_branch"]
    branches["values"].pop()
    branches["shape"][0] -= 1
    with pytest.raises(ValueError, match="level_branch has"):
        import_json(json.dumps(short))


def test_every_kind_of_test_is_checked():
    assert KIND_CHECKS.keys() == KIND_NAMES.keys()


def test_a_newer_version_is_refused_with_what_to_do(document):
    newer = changed(document, ("version",), VERSION + 1)
    with pytest.raises(ValueError, match=r"up to 1\. Update mdtree_nb"):
        import_json(newer)


@pytest.mark.parametrize(
    "text, rule",
    [
        ("", "neither the text of a model"),
        ("no such file.json", "neither the text of a model"),
        ("\0", "neither the text of a model"),
        ("[1, 2]", "neither the text of a model"),
        ("{", "Expecting"),
        ('{"format": NaN}', "NaN is no JSON"),
        ('{"a": 1, "a": 2}', "same key twice"),
        ('{"a": ' + "[" * 100_000, "nested too deeply|Expecting"),
        ('{"a": ' + "9" * 5000 + "}", "."),
        ("{}", "no model of mdtree_nb"),
    ],
    ids=lambda v: v[:12],
)
def test_text_that_is_no_model(text, rule):
    with pytest.raises(ValueError, match=rule):
        import_json(text)


def test_neither_text_nor_path():
    for nothing in (None, 5, b"{}"):
        with pytest.raises(TypeError, match="JSON text or a path"):
            import_json(nothing)


# -- fuzzing ----------------------------------------------------------------------


def seeds():
    frame, y = make_frame(0)
    X, target = make_xy(0, task="regression")
    return [
        json.loads(text)
        for text in (
            export_json(MDTreeClassifier(missing="mean", max_depth=3).fit(frame, y)),
            export_json(MDTreeClassifier(missing="fractional", max_depth=3).fit(frame, y)),
            export_json(MDTreeRegressor(missing="own_child", max_depth=4).fit(X, target)),
            export_json(MDTreeClassifier(missing="lpe", max_depth=3).fit(frame, y)),
        )
    ]


SEEDS = seeds()
ODD = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 9),
    st.sampled_from([2**31, 2**63, 2**64, -(2**70), 10**400]),
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from(["", "nan", "inf", "-inf", "mean", "object", "U3", "int64", "x"]),
    st.sampled_from([[], {}, [[]], {"dict": {}}, {"tuple": []}, {"float": "nan"}]),
    st.sampled_from([{"array": {"dtype": "bool", "shape": [0], "values": []}}, {"bytes": ""}]),
    st.sampled_from([{"strategy": "left", "parameters": {}}, {"interval": [0, 1, "left"]}]),
)


@st.composite
def corrupted(draw):
    """A document with one to three changes at random places."""
    document = json.loads(json.dumps(draw(st.sampled_from(SEEDS))))
    for _ in range(draw(st.integers(1, 3))):
        place = document
        while True:
            keys = list(place) if isinstance(place, dict) else range(len(place))
            if not keys:
                break
            if place is document:  # most of the corruption where most of the rules are
                keys += [k for k in ("trees", "prediction", "schema") * 6 if k in place]
            key = draw(st.sampled_from(keys))
            inner = place[key]
            if isinstance(inner, (dict, list)) and draw(st.integers(0, 9)):
                place = inner
                continue
            action = draw(st.sampled_from(["replace", "delete", "repeat", "swap"]))
            if action == "delete":
                del place[key]
            elif action == "repeat" and isinstance(place, list):
                place.insert(key, inner)
            elif action == "swap" and isinstance(place, list):
                other = draw(st.sampled_from(keys))
                place[key], place[other] = place[other], place[key]
            else:
                place[key] = json.loads(json.dumps(draw(ODD)))
            break
    return json.dumps(document)


def predict_anything(model):
    """Predict rows of all kinds; what came in must be able to."""
    p = model.n_features_in_
    rng = np.random.default_rng(0)
    rows = [rng.integers(-1, 3, p), rng.normal(size=p), np.full(p, np.nan), np.full(p, np.inf)]
    rows.append(np.where(rng.random(p) < 0.5, np.nan, 1.0))
    table = Table(np.asfortranarray(rows, dtype=float), model.schema_)
    with np.errstate(all="ignore"):
        values = model._predictor.values(table)
    n_values = len(model.classes_) if hasattr(model, "classes_") else 1
    assert values.shape == (len(rows), n_values)
    assert np.isfinite(values).all()
    assert model.tree_.max_depth < model.tree_.n_nodes


def read_or_reason(text):
    """The model, or why it was refused; any other exception fails the test."""
    try:
        return import_json(text), ""
    except ValueError as error:
        return None, str(error)


@given(corrupted())
@settings(
    max_examples=400, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True
)
def test_a_corrupted_document_is_refused_or_harmless(text):
    model, reason = read_or_reason(text)
    if model is None:
        assert len(reason) > 10
        return
    assert type(model) in ESTIMATORS.values()
    predict_anything(model)
    assert import_json(export_json(model)).trees_ == model.trees_


@given(st.sampled_from(SEEDS), st.data())
@settings(max_examples=100, deadline=None, derandomize=True)
def test_corrupted_text_is_refused_or_harmless(document, data):
    text = json.dumps(document)
    at = data.draw(st.integers(1, len(text) - 1))
    piece = data.draw(st.text(max_size=3))
    keep = data.draw(st.sampled_from([at, at + 1, at + 7, len(text)]))
    model, reason = read_or_reason(text[:at] + piece + text[keep:])
    if model is None:
        assert len(reason) > 10
        return
    predict_anything(model)


@given(
    st.recursive(
        st.none()
        | st.booleans()
        | st.integers()
        | st.floats()
        | st.text()
        | st.binary()
        | st.builds(np.float32, st.floats(width=32))
        | st.sampled_from([pd.Interval(0, 1.5), pd.Interval(-np.inf, 2, "both")]),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.tuples(inner, inner)
            | st.dictionaries(st.text() | st.integers(), inner, max_size=3)
        ),
        max_leaves=8,
    )
)
@settings(max_examples=200, deadline=None)
def test_values_come_back(value):
    written = json.loads(json.dumps(values.encode(value, "it"), allow_nan=False))
    read = values.decode(written, "it")
    assert values.encode(read, "it") == values.encode(value, "it")
    if not isinstance(value, np.float32):
        assert repr(read) == repr(value) or "np.float32" in repr(value)


@pytest.mark.parametrize(
    "array",
    [
        np.array([[1.5, np.nan], [-np.inf, -0.0]], dtype=np.float32, order="F"),
        np.zeros((0, 3), dtype=np.int16),
        np.array([True, False]),
        np.array(["a", "\ud800b"]),
        np.array([b"a", b"\x01"]),
        np.array(7.0),
        np.arange(6, dtype=">i4").reshape(1, 2, 3),
    ],
    ids=lambda a: str(a.dtype),
)
def test_arrays_come_back(array):
    read = values.decode(json.loads(json.dumps(values.encode(array, "it"))), "it")
    assert read.shape == array.shape
    assert read.dtype == array.dtype.newbyteorder("=")
    np.testing.assert_array_equal(read, array)
