"""Every count that a data set states about itself is computed anew."""

import gzip
import hashlib
from importlib.resources import files

import numpy as np
import pandas as pd
import pytest

from mdtree_nb import datasets

REQUIRED = {"name", "task", "target", "title", "source", "licence", "changes", "missing"}


@pytest.mark.parametrize("name", datasets.list_datasets())
def test_counts(name):
    data = datasets.load(name)
    info = data.info
    assert set(info) >= REQUIRED
    assert info["name"] == name
    assert data.X.shape == (info["rows"], info["features"])
    assert len(data.y) == info["rows"]
    assert data.y.notna().all()
    assert int(data.X.isna().to_numpy().sum()) == info["cells_missing"]
    assert int(data.X.isna().any(axis=1).sum()) == info["rows_incomplete"]
    if info["task"] == "classification":
        assert data.y.value_counts().to_dict() == info["classes"]
    for column in data.X:
        numeric = column in info["numeric"]
        assert (data.X[column].dtype == np.float64) == numeric
        assert isinstance(data.X[column].dtype, pd.CategoricalDtype) != numeric
    raw = files("mdtree_nb").joinpath("data", name + ".csv.gz").read_bytes()
    body = gzip.decompress(raw).partition(b"\n")[2]
    assert hashlib.sha256(body).hexdigest() == info["sha256"]


def test_unknown_name():
    with pytest.raises(ValueError, match="name='titanic' is not a known data set; choose one of"):
        datasets.load("titanic")
