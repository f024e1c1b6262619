"""Every dtype and every spelling of missing becomes the same matrix."""

import datetime as dt
import json
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from mdtree_nb import MDTreeClassifier
from mdtree_nb import table as tables
from mdtree_nb.columns import UNSEEN
from mdtree_nb.exports import export_json, import_json


def encoded(frame):
    return tables.learn(tables.read(frame))


def arrow(values, kind):
    return pd.Series(values, dtype=pd.ArrowDtype(kind))


NUMBERS = {
    "float": pd.Series([1.0, np.nan, 3.0]),
    "object with None": pd.Series([1.0, None, 3.0], dtype=object),
    "object with pd.NA": pd.Series([1, pd.NA, 3], dtype=object),
    "object with NaT": pd.Series([1, pd.NaT, 3.0], dtype=object),
    "object of Decimal": pd.Series([Decimal(1), None, Decimal(3)], dtype=object),
    "object of Decimal and float": pd.Series([Decimal(1), Decimal("NaN"), 3.0], dtype=object),
    "object of Fraction": pd.Series([Fraction(1), None, Fraction(3)], dtype=object),
    "object of int and Fraction": pd.Series([1, np.nan, Fraction(3)], dtype=object),
    "object of Decimal and Fraction": pd.Series([Decimal(1), pd.NA, Fraction(3)], dtype=object),
    "arrow decimal": arrow([Decimal(1), None, Decimal(3)], pa.decimal128(5, 2)),
    "object of numpy scalars": pd.Series([np.int8(1), np.nan, np.float32(3)], dtype=object),
    "Int64": pd.Series([1, None, 3], dtype="Int64"),
    "Float32": pd.Series([1, None, 3], dtype="Float32"),
    "UInt8": pd.Series([1, None, 3], dtype="UInt8"),
    "arrow int": pd.Series([1, None, 3], dtype="int32[pyarrow]"),
    "arrow double": pd.Series([1, None, 3], dtype="double[pyarrow]"),
    "sparse": pd.Series(pd.arrays.SparseArray([1.0, np.nan, 3.0])),
}


@pytest.mark.parametrize("kind", sorted(NUMBERS))
def test_spellings_of_missing_numbers(kind):
    table = encoded(NUMBERS[kind].to_frame("a"))
    np.testing.assert_array_equal(table.values[:, 0], [1, np.nan, 3])
    assert table.schema.levels == (None,)
    assert table.schema.incomplete == (True,)
    later = tables.encode(tables.read(NUMBERS[kind].to_frame("a")[::-1]), table.schema)
    np.testing.assert_array_equal(later.values[::-1], table.values)


@pytest.mark.parametrize("dtype", ["bool", "boolean", "bool[pyarrow]"])
def test_bool_columns_are_numbers(dtype):
    table = encoded(pd.DataFrame({"a": pd.Series([True, False], dtype=dtype)}))
    np.testing.assert_array_equal(table.values[:, 0], [1, 0])


def masked(values, dtype=None):
    return np.ma.array(values, mask=[[0], [1], [0]], dtype=dtype)


@pytest.mark.parametrize("X", [masked([[1.0], [-9], [3]]), masked([[1], [-9], [3]])])
def test_masked_numbers_are_missing(X):
    table = encoded(X)
    np.testing.assert_array_equal(table.values[:, 0], [1, np.nan, 3])
    assert table.schema.incomplete == (True,)
    np.testing.assert_array_equal(tables.encode(tables.read(X), table.schema).values, table.values)
    y = [0, 1, 0]
    model = MDTreeClassifier().fit(X, y)
    assert (model.predict(X) == y).all()
    assert model.explain_row(X[1])["value"].iloc[0] == "missing"


@pytest.mark.parametrize("dtype", ["U1", object])
def test_masked_text_is_missing(dtype):
    table = encoded(masked([["u"], ["?"], ["v"]], dtype))
    np.testing.assert_array_equal(table.values[:, 0], [0, np.nan, 1])
    assert table.schema.levels == (("u", "v"),)


TEXTS = {
    "object": pd.Series(["u", None, "v"], dtype=object),
    "object with nan": pd.Series(["u", np.nan, "v"], dtype=object),
    "string": pd.Series(["u", None, "v"], dtype="string"),
    "str": pd.Series(["u", None, "v"]),
    "arrow": pd.Series(["u", None, "v"], dtype="string[pyarrow]"),
    "category": pd.Series(["u", None, "v"], dtype="category"),
    "numpy str": pd.Series([np.str_("u"), None, "v"], dtype=object),
}


@pytest.mark.parametrize("kind", sorted(TEXTS))
def test_spellings_of_missing_text(kind):
    table = encoded(TEXTS[kind].to_frame("a"))
    np.testing.assert_array_equal(table.values[:, 0], [0, np.nan, 1])
    assert table.schema.levels == (("u", "v"),)
    for other in TEXTS.values():
        later = tables.encode(tables.read(other.to_frame("a")), table.schema)
        np.testing.assert_array_equal(later.values, table.values)


def test_levels_are_told_apart_by_type_and_value():
    column = pd.Series([1, "1", True, 1.0, b"1", None], dtype=object)
    table = encoded(column.to_frame("mixed"))
    codes = table.values[:, 0]
    assert len(set(codes[:5])) == 4
    assert codes[0] == codes[3], "1 and 1.0 are one number"
    assert np.isnan(codes[5])


def test_decimals_and_fractions_are_levels_beside_text():
    kinds = [
        Decimal("0.5"),
        Fraction(1, 2),
        0.5,
        "0.5",
        Decimal("Infinity"),
        np.inf,
        Fraction(1, 3),
    ]
    table = encoded(pd.Series(kinds, dtype=object).to_frame("mixed"))
    np.testing.assert_array_equal(table.values[:, 0], [1, 1, 1, 3, 2, 2, 0])
    levels = pd.Categorical([Decimal("0.5"), Decimal("0.1"), None])
    its = encoded(pd.DataFrame({"a": levels}))
    np.testing.assert_array_equal(its.values[:, 0], [1, 0, np.nan])
    later = tables.encode(pd.DataFrame({"a": [0.5, 7.0]}), its.schema)
    np.testing.assert_array_equal(later.values[:, 0], [1, UNSEEN])


@pytest.mark.parametrize("na", [None, np.nan])
def test_numpy_strings_of_any_length(na):
    dtype = np.dtypes.StringDType() if na is None else np.dtypes.StringDType(na_object=na)
    X = np.array([["u"], ["v"], ["v" if na is None else na]], dtype=dtype)
    table = encoded(X)
    np.testing.assert_array_equal(table.values[:, 0], [0, 1, 1 if na is None else np.nan])
    np.testing.assert_array_equal(tables.encode(tables.read(X), table.schema).values, table.values)


EMPTY = {
    "object": pd.Series([None] * 4, dtype=object),
    "string": pd.Series([None] * 4, dtype="string"),
    "category": pd.Series([None] * 4, dtype="category"),
    "arrow": arrow([None] * 4, pa.null()),
}


@pytest.mark.parametrize("kind", sorted(EMPTY))
@pytest.mark.parametrize("value", ["u", 1, 2.5, Decimal(1), True, b"u", None, pd.NA, pd.NaT])
def test_a_column_without_any_value_at_fit_may_hold_anything_later(kind, value):
    frame = pd.DataFrame({"a": EMPTY[kind], "b": [1, 2, 3, 4]})
    model = MDTreeClassifier().fit(frame, [0, 0, 1, 1])
    later = pd.DataFrame({"a": [value] * 4, "b": frame["b"]})
    again = import_json(json.loads(json.dumps(export_json(model))))
    assert again.schema_ == model.schema_
    for its in (model, again):
        assert its.predict(later).tolist() == [0, 0, 1, 1]


def test_category_levels_keep_their_order_and_unused_ones_do_not_count():
    column = pd.Categorical(["low", "high", None], categories=["zero", "low", "mid", "high"])
    table = encoded(pd.DataFrame({"a": column}))
    assert table.schema.levels == (("low", "high"),)
    np.testing.assert_array_equal(table.values[:, 0], [0, 1, np.nan])


def test_intervals_of_pandas_cut_are_categories():
    binned = pd.DataFrame({"a": pd.cut([1.0, 5.0, 9.0, np.nan], 3)})
    table = encoded(binned)
    np.testing.assert_array_equal(table.values[:, 0], [0, 1, 2, np.nan])


def test_a_level_that_was_not_there_at_fit_is_known_but_unseen():
    table = encoded(pd.DataFrame({"a": ["u", "v"]}))
    later = tables.encode(pd.DataFrame({"a": ["w", "u", None]}), table.schema)
    np.testing.assert_array_equal(later.values[:, 0], [UNSEEN, 0, np.nan])


def test_texts_that_look_like_missing_are_levels():
    column = pd.Series(["nan", "?", "", "None", "<NA>", None] * 4, dtype=object)
    y = column.isna().astype(int)
    for missing in ("learned", "right", "own_child"):
        model = MDTreeClassifier(missing=missing).fit(column.to_frame("a"), y)
        assert (model.predict(column.to_frame("a")) == y).all()


def test_a_float_matrix_in_column_order_is_not_copied():
    X = np.asfortranarray(np.arange(6.0).reshape(3, 2))
    assert np.shares_memory(encoded(X).values, X)


def test_input_is_never_written_to():
    X = np.array([[1.0, np.nan], [2.0, 3.0], [3.0, 1.0], [np.nan, 2.0]])
    y = np.array([0, 1, 0, 1])
    for array in (X, np.asfortranarray(X)):
        array.flags.writeable = False
        for missing in ("learned", "mean", "fractional", "own_child"):
            MDTreeClassifier(missing=missing).fit(array, y, np.ones(4)).predict(array)
    frame = pd.DataFrame(X.copy(), columns=["a", "b"]).assign(c=["u", None, "v", "u"])
    before = frame.copy(deep=True)
    MDTreeClassifier(missing="mean").fit(frame, y).predict(frame)
    pd.testing.assert_frame_equal(frame, before)


def test_object_arrays_and_lists_are_read_column_by_column():
    for X in (
        np.array([[1, "u"], [None, "v"], [3, None]], dtype=object),
        [[1, "u"], [None, "v"], [3, None]],
    ):
        table = encoded(X)
        assert table.schema.levels == (None, ("u", "v"))
        assert table.schema.names == ("x0", "x1")
        np.testing.assert_array_equal(table.values, [[1, 0], [np.nan, 1], [3, np.nan]])


REFUSED = {
    "dates": (pd.to_datetime(["2020-01-01"]), "dates or durations"),
    "durations": (pd.to_timedelta([1], unit="D"), "dates or durations"),
    "arrow dates": (pd.array([dt.datetime(2020, 1, 1)], dtype="timestamp[s][pyarrow]"), "dates"),
    "periods": (pd.period_range("2020", periods=1, freq="Y"), "dates or durations"),
    "date objects": (pd.Series([dt.date(2020, 1, 1)], dtype=object), "dates or times"),
    "dicts": (pd.Series([{"a": 1}], dtype=object), "must be a string or a number"),
    "lists": (pd.Series([[1, 2]], dtype=object), "must be a string or a number"),
    "complex": (pd.Series([1j]), "Complex data not supported"),
    "complex among floats": (pd.Series([1.0, 1j], dtype=object), "Complex data not supported"),
    "NumPy's complex": (pd.Series([1.0, np.complex64(1j)], dtype=object), "Complex data not"),
    "arrow date": (arrow([dt.date(2020, 1, 1)], pa.date32()), "dates or durations"),
    "arrow time": (arrow([dt.time(1)], pa.time64("us")), "dates or times"),
    "date and text": (pd.Series([dt.date(2020, 1, 1), "u"], dtype=object), "dates or times"),
    "time and number": (pd.Series([1, pd.Timestamp(0)], dtype=object), "dates or times"),
    "NumPy's date": (pd.Series([1.0, np.datetime64("2020")], dtype=object), "dates or times"),
    "NumPy's duration": (pd.Series([1, np.timedelta64(1, "D")], dtype=object), "dates or times"),
    "category of dates": (pd.Categorical([pd.Timestamp(0)]), "dates or times"),
    "arrow list": (arrow([[1]], pa.list_(pa.int64())), "must be a string or a number"),
    "arrow struct": (
        arrow([{"a": 1}], pa.struct([("a", pa.int64())])),
        "must be a string or a number",
    ),
    "huge whole number": (pd.Series([10**400, 1], dtype=object), "beyond the range of float64"),
    "huge fraction": (pd.Series([Fraction(10**400)], dtype=object), "beyond the range of float64"),
}


@pytest.mark.parametrize("kind", sorted(REFUSED))
def test_refused_columns_are_named(kind):
    values, message = REFUSED[kind]
    frame = pd.DataFrame({"the column": values})
    with pytest.raises((TypeError, ValueError), match=message) as caught:
        encoded(frame)
    assert "the column" in str(caught.value)


LATER = sorted(set(REFUSED) - {"dicts", "lists", "arrow list", "arrow struct"})


@pytest.mark.parametrize("kind", LATER)
def test_refused_columns_are_named_in_later_tables(kind):
    values, message = REFUSED[kind]
    frame = pd.DataFrame({"the column": values})
    schema = encoded(pd.DataFrame({"the column": [1.0, 2.0]})).schema
    with pytest.raises((TypeError, ValueError), match=message) as caught:
        tables.encode(frame, schema)
    assert "the column" in str(caught.value)


@pytest.mark.parametrize("kind", sorted(REFUSED))
def test_refused_columns_are_no_levels_later(kind):
    values, _ = REFUSED[kind]
    schema = encoded(pd.DataFrame({"the column": ["u", "v"]})).schema
    if kind.startswith("huge"):  # a level like any other
        later = tables.encode(pd.DataFrame({"the column": values}), schema)
        assert (later.values == UNSEEN).all()
        return
    with pytest.raises((TypeError, ValueError), match=r"must be a str|dates or|Complex"):
        tables.encode(pd.DataFrame({"the column": values}), schema)


DATES = np.array(["2020-01-01", "2020-01-02", "NaT"], dtype="M8[D]")[:, None]


@pytest.mark.parametrize(
    "X",
    [DATES, DATES.astype("M8[ns]"), DATES - DATES[0], DATES.tolist(), list(map(list, DATES))]
    + [masked(DATES)],
)
def test_arrays_of_dates_are_refused(X):
    with pytest.raises(TypeError, match="holds dates or .* a tree needs numbers or categories"):
        MDTreeClassifier().fit(X, [0, 1, 1])
    for fitted in ([[1.0], [2.0], [3.0]], [["u"], ["v"], ["w"]]):
        model = MDTreeClassifier().fit(fitted, [0, 1, 1])
        with pytest.raises(TypeError, match="holds dates or .* a tree needs numbers or categories"):
            model.predict(X)


def test_a_lone_nat_is_missing():
    model = MDTreeClassifier(missing="left").fit(pd.DataFrame({"a": [1.0, 2.0]}), [0, 1])
    assert model.predict(pd.DataFrame({"a": [pd.NaT]})).tolist() == [0]


def test_duplicate_names_are_refused():
    with pytest.raises(ValueError, match=r"duplicate column names \['a'\]"):
        encoded(pd.DataFrame([[1, 2]], columns=["a", "a"]))


def test_text_in_a_column_that_was_numeric_is_refused():
    table = encoded(pd.DataFrame({"age": [1.0, 2.0]}))
    with pytest.raises(TypeError, match="'age' was numeric at fit and now holds 'old'"):
        tables.encode(pd.DataFrame({"age": [1.0, "old"]}), table.schema)


def test_categories_of_numbers_serve_a_numeric_column():
    table = encoded(pd.DataFrame({"a": [1.0, 2.0]}))
    later = tables.encode(pd.DataFrame({"a": pd.Categorical([2, 1, None])}), table.schema)
    np.testing.assert_array_equal(later.values[:, 0], [2, 1, np.nan])


@pytest.mark.parametrize("X", [np.zeros((0, 2)), pd.DataFrame({"a": []}), pd.DataFrame()])
def test_empty_tables_are_refused(X):
    with pytest.raises(ValueError, match="0 (sample|feature)"):
        encoded(X)
