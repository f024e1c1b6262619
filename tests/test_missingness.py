"""Counting what is missing."""

import numpy as np
import pandas as pd

from mdtree_nb import missing_summary


def test_summary_counts_columns_and_totals():
    frame = pd.DataFrame(
        {"a": [1.0, None, None, 4.0], "b": ["u", "v", None, "u"], "c": [1, 2, 3, 4]}
    )
    table = missing_summary(frame)
    assert list(table.index) == ["a", "b", "c"]
    assert list(table["missing"]) == [2, 1, 0]
    assert list(table["distinct"]) == [2, 2, 4]
    assert list(table["kind"]) == ["numeric", "category", "numeric"]
    assert table.attrs == {
        "rows": 4,
        "columns": 3,
        "cells_missing": 3,
        "share_missing": 0.25,
        "complete_rows": 2,
        "complete_columns": 1,
    }


def test_arrays_and_empty_tables():
    table = missing_summary(np.full((3, 2), np.nan))
    assert (table["share"] == 1).all()
    assert table.attrs["complete_rows"] == 0
    assert missing_summary(pd.DataFrame()).attrs["share_missing"] == 0
