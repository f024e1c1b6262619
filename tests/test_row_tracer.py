"""RowTracer without a browser: rows, edits, two strategies, and sums that hold."""

import numpy as np
import pandas as pd
import pytest
from data import make_frame, make_xy
from sklearn.exceptions import NotFittedError
from sklearn.tree import DecisionTreeClassifier
from test_widgets import MOST_STATE, state_size

from mdtree_nb import MDTreeClassifier, MDTreeRegressor, RowTracer
from mdtree_nb.strategies import all_strategies


def mixed(missing="fractional", **options):
    frame, y = make_frame(0)
    return MDTreeClassifier(missing=missing, max_depth=4, **options).fit(frame, y), frame, y


@pytest.mark.parametrize("predict", all_strategies())
def test_sums_are_predictions(predict):
    model, frame, y = mixed(record_surrogates=True)
    tracer = RowTracer(model, frame, y, predict=["fractional", predict])
    other = model.with_prediction(predict, frame, y)
    for row in (0, 11, 42):
        tracer.row = row
        want = other.predict_proba(frame.iloc[[row]])[0]
        np.testing.assert_allclose(tracer.predictions.iloc[1], want, atol=1e-12)
        second = tracer.traces[1]
        total = sum(part[3] for part in second["parts"]) + second["others"][1]
        assert total == pytest.approx(second["total"])


def test_columns_that_surrogates_ask_can_be_edited_where_they_are_asked():
    X, y = make_xy(0, 200, 6, "complete")
    frame = pd.DataFrame(X, columns=list("abcdef")).assign(g=X[:, 0], h=-X[:, 1])  # stand-ins
    model = MDTreeClassifier(max_depth=3, record_surrogates=True).fit(frame, y)
    tracer = RowTracer(model, frame, y, row=0)
    names = model.schema_.names
    tested = {names[f] for f in model.tree_.feature if f >= 0}
    stand_ins = {names[f] for f in model.tree_.surrogates.feature}
    assert {cell[1] for cell in tracer.cells} == tested
    assert stand_ins - tested
    tracer.predict = ["fractional", "surrogate"]
    way = {names[model.tree_.surrogates.feature[i]] for i in model.tree_.surrogates.of(0)}
    assert way <= {cell[1] for cell in tracer.cells} == tested | stand_ins


def test_blank_and_edit_equal_explain_row():
    model, frame, y = mixed()
    tracer = RowTracer(model, frame, y, row=3)
    asked = [cell[1] for cell in tracer.cells]
    for column in asked:
        tracer.blank(column)
    x = frame.iloc[[3]].astype(object)
    x[asked] = None
    pd.testing.assert_frame_equal(tracer.trace, model.explain_row(x))
    tracer.edit("colour", "red")
    tracer.edit("a", "−0.5")
    x["colour"], x["a"] = "red", -0.5
    pd.testing.assert_frame_equal(tracer.trace, model.explain_row(x))
    assert "edited" in repr(tracer)
    tracer.restore()
    pd.testing.assert_frame_equal(tracer.trace, model.explain_row(frame.iloc[[3]]))
    assert repr(tracer).startswith("RowTracer(row 3; fractional:")


def test_the_page_edits_by_number_and_takes_it_back():
    model, frame, y = mixed()
    tracer = RowTracer(model, frame, y)
    number = {cell[1]: cell[0] for cell in tracer.cells}
    tracer._handle_custom_msg({"put": [number["a"], "?"]}, [])
    assert tracer.line["a"].isna().all()
    tracer._handle_custom_msg({"put": [number["a"], "abc"]}, [])
    assert "a='abc' must be a number" in tracer.error
    assert tracer.line["a"].isna().all()
    tracer._handle_custom_msg({"restore": True}, [])
    assert tracer.error == ""
    pd.testing.assert_frame_equal(
        tracer.line,
        frame.iloc[[0]].reset_index(drop=True),
        check_dtype=False,
        check_categorical=False,
    )
    tracer.set_state({"row": 999})
    assert "row=999 must be the number of a row, from 0 to 79" in tracer.error
    assert tracer.row == 0


def test_an_unseen_level_is_a_value():
    model, frame, y = mixed()
    tracer = RowTracer(model, frame, y)
    tracer.edit("colour", "<b>mauve</b>")
    assert tracer.line["colour"].item() == "<b>mauve</b>"
    assert "<b>mauve</b>" in [cell[2] for cell in tracer.cells]


def test_arrays_and_no_table():
    X, y = make_xy(0, n=200)
    model = MDTreeClassifier(missing="fractional").fit(X, y)
    tracer = RowTracer(model, X, row=7)
    np.testing.assert_allclose(tracer.predictions.iloc[0], model.predict_proba(X[[7]])[0])
    tracer.blank("x0")
    tracer.blank(1)
    x = X[7].copy()
    x[:2] = np.nan
    np.testing.assert_allclose(tracer.predictions.iloc[0], model.predict_proba([x])[0])
    empty = RowTracer(model)
    assert empty.row is None
    np.testing.assert_allclose(
        empty.predictions.iloc[0], model.predict_proba(np.full((1, 4), np.nan))[0]
    )
    empty.edit("x2", 1.5)
    assert repr(empty).startswith("RowTracer(no row, edited: x2; ")
    with pytest.raises(ValueError, match="needs rows to pick from"):
        empty.row = 0


def test_the_same_row_under_two_strategies_is_laid_out_alike():
    model, frame, y = mixed()
    tracer = RowTracer(model, frame, y, predict=["fractional", "majority"])
    for column in ("a", "b", "colour"):
        tracer.blank(column)
    one, two = (trace["scene"]["nodes"] for trace in tracer.traces)
    assert [line[0] for line in one] == [line[0] for line in two]
    assert len(tracer.traces[1]["reached"]) < len(tracer.traces[0]["reached"])


def test_target_class():
    model, frame, y = mixed()
    tracer = RowTracer(model, frame, y)
    for label in model.classes_:
        tracer.target = label
        want = tracer.predictions[label].iloc[0]
        assert tracer.traces[0]["answer"] == f"P({label}) = {want:.3f}"
    with pytest.raises(ValueError, match="target='maybe' must be one of no, yes"):
        tracer.target = "maybe"


def test_regression():
    X, y = make_xy(0, n=200, task="regression")
    model = MDTreeRegressor(missing="fractional", max_depth=4).fit(X, y)
    tracer = RowTracer(model, X, y, predict=["fractional", "tspe"])
    tracer.blank("x0")
    assert tracer.predictions.columns.tolist() == ["prediction"]
    assert sum(part[3] for part in tracer.traces[0]["parts"]) == pytest.approx(1)


def test_one_node_and_many_nodes():
    single = RowTracer(MDTreeClassifier().fit([[1.0], [2.0]], ["a", "a"]), [[1.0]])
    assert single.cells == []
    X, y = make_xy(0, n=6000, p=60, rate=0.3)
    model = MDTreeClassifier(missing="fractional").fit(X, y)
    tracer = RowTracer(model, X, y, predict=["fractional", "pool"])
    for column in range(8):
        tracer.blank(column)
    assert tracer.traces[0]["others"][0] > 10
    assert len(tracer.cells) <= 40
    assert state_size(tracer) < MOST_STATE
    assert len(repr(tracer)) < 110


@pytest.mark.filterwarnings("ignore")
def test_new_missing_values_may_be_refused():
    X = np.arange(20.0)[:, None]
    model = MDTreeClassifier(new_missing="raise").fit(X, [0] * 10 + [1] * 10)
    tracer = RowTracer(model, X)
    with pytest.raises(ValueError, match="had no missing values at fit"):
        tracer.blank("x0")
    assert tracer.line.iat[0, 0] == 0.0  # as it was


def test_bad_input():
    model, frame, y = mixed()
    with pytest.raises(NotFittedError):
        RowTracer(MDTreeClassifier(), frame)
    with pytest.raises(TypeError, match="must be a fitted MDTreeClassifier"):
        RowTracer(DecisionTreeClassifier())
    with pytest.raises(TypeError, match="a bare tree cannot route"):
        RowTracer(model.tree_, frame)
    with pytest.raises(ValueError, match="unseen at fit time"):
        RowTracer(model, frame.rename(columns={"a": "z"}))
    with pytest.raises(ValueError, match="y has 3 labels"):
        RowTracer(model, frame, y[:3])
    tracer = RowTracer(model, frame)
    with pytest.raises(ValueError, match="column='z' is not a column of the model; choose 'a'"):
        tracer.blank("z")
    with pytest.raises(ValueError, match="a='many' must be a number"):
        tracer.edit("a", "many")
    with pytest.raises(ValueError, match="one or two names"):
        tracer.predict = []
    with pytest.raises(ValueError, match="predict='foo' is not a known strategy"):
        tracer.predict = ["foo"]
    with pytest.raises(ValueError, match="needs the training rows"):
        tracer.predict = ["tspe"]
    assert tracer.predict == ["fractional"]
    assert len(tracer.traces) == 1
