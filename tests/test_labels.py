"""What users pass as y: labels of one kind, or an error that says the way out."""

import datetime as dt
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from mdtree_nb import MDTreeClassifier, MDTreeRegressor

X = np.arange(4.0)[:, None]
DATES = np.array(["2020", "2020", "2021", "2021"], dtype="M8[D]")
BOTH = [MDTreeClassifier, MDTreeRegressor]

REFUSED = {
    "dates": (DATES, "y holds dates or times"),
    "durations": (DATES - DATES[0], "y holds dates or times"),
    "list of dates": (list(DATES), "y holds dates or times"),
    "series of dates": (pd.Series(DATES), "y holds dates or times"),
    "dates with a time zone": (pd.Series(DATES).dt.tz_localize("UTC"), "y holds dates or times"),
    "periods": (pd.period_range("2020", periods=4, freq="Y"), "y holds dates or times"),
    "date objects": ([dt.date(2020, 1, 1)] * 4, "y holds dates or times"),
    "complex": (np.array([1j, 1j, 2, 2]), "Complex data not supported"),
    "complex objects": (np.array([1j, 1j, 2, 2], dtype=object), "Complex data not supported"),
    "numbers and text": ([1, "a", 1, "a"], "y mixes numbers and text; .* of one kind"),
    "a tuple": ((1, "a", 1, "a"), "y mixes numbers and text; .* of one kind"),
    "objects": (np.array([1, "a", 1, "a"], dtype=object), "y mixes numbers and text"),
    "series": (pd.Series([1, "a", 1, "a"]), "y mixes numbers and text"),
    "category": (pd.Series([1, "a", 1, "a"], dtype="category"), "y mixes numbers and text"),
    "bools and text": ([True, "a", True, "a"], "y mixes numbers and text"),
    "bytes and text": ([b"a", "a", b"a", "a"], "y mixes bytes and text"),
    "huge numbers": ([10**400, 1, 2, 3], "beyond the range of float64"),
    "lists of two": ([[0, 1], [1, 0], [0, 0], [1, 1]], "should be a 1d array"),
    "one text": ("abcd", "should be a 1d array"),
}


@pytest.mark.parametrize("cls", BOTH)
@pytest.mark.parametrize("kind", sorted(REFUSED))
def test_refused_labels(kind, cls):
    y, message = REFUSED[kind]
    with pytest.raises(ValueError, match=message):
        cls().fit(X, y)


NUMBERS = {
    "objects": np.array([1, 1, 2, 2], dtype=object),
    "decimals": [Decimal(1), Decimal(1), Decimal(2), Decimal(2)],
    "fractions and floats": [Fraction(1), 1.0, 2, np.float32(2)],
    "a tuple": (1, 1, 2, 2),
}


@pytest.mark.parametrize("cls", BOTH)
@pytest.mark.parametrize("kind", sorted(NUMBERS))
def test_labels_that_are_numbers_however_they_are_written(kind, cls):
    assert cls().fit(X, NUMBERS[kind]).predict(X).tolist() == [1, 1, 2, 2]


@pytest.mark.parametrize("na", [None, np.nan])
def test_numpy_strings_of_any_length(na):
    dtype = np.dtypes.StringDType() if na is None else np.dtypes.StringDType(na_object=na)
    y = np.array(["u", "u", "v", "v" if na is None else na], dtype=dtype)
    model = MDTreeClassifier(missing_label="drop").fit(X, y)
    assert model.predict(X).tolist() == ["u", "u", "v", "v"]
    assert model.n_dropped_ == (na is not None)


@pytest.mark.parametrize("cls", BOTH)
def test_a_column_in_a_list_is_one_label_per_row(cls):
    with pytest.warns(UserWarning, match="column-vector y was passed"):
        model = cls().fit(X, [[1], [1], [2], [2]])
    assert model.predict(X).tolist() == [1, 1, 2, 2]


MASK = [True, False, False, False]
MASKED = [
    np.ma.array([-9, 1, 2, 2], mask=MASK),
    np.ma.array([-9.0, 1, 2, 2], mask=MASK),
    np.ma.array([[-9], [1], [2], [2]], mask=[[m] for m in MASK]),
    (None, 1, 2, 2),
]


@pytest.mark.filterwarnings("ignore:A column-vector y")
@pytest.mark.parametrize("cls", BOTH)
@pytest.mark.parametrize("y", MASKED)
def test_masked_labels_are_missing(y, cls):
    with pytest.raises(ValueError, match="y has 1 missing values"):
        cls().fit(X, y)
    model = cls(missing_label="drop").fit(X, y)
    assert model.n_dropped_ == 1
    assert model.predict(X).tolist() == [1, 1, 2, 2]
