"""Real tables with holes, one self-describing file each.

A file data/NAME.csv.gz starts with one line "# {...}": what the table is, where it comes
from, under which licence, why values are missing, and its counts, which a test computes
anew. The rest is CSV with a header; an empty cell is missing.

Does not: use the network.
"""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass
from importlib.resources import files
from io import StringIO
from typing import Any

import numpy as np
import pandas as pd

_ENDING = ".csv.gz"


@dataclass(frozen=True)
class Dataset:
    """A table to learn from.

    Attributes
    ----------
    X : DataFrame
        float64 columns for numbers, category columns for the rest; NaN = missing.
    y : Series
        The target.
    info : dict
        `title`, `source`, `licence`, `changes`, `missing` (what is missing and why), counts.
    """

    X: pd.DataFrame
    y: pd.Series
    info: dict[str, Any]

    def __repr__(self) -> str:
        n, p = self.X.shape
        return f"Dataset({self.info['name']!r}, {n} rows, {p} columns)"


def list_datasets() -> list[str]:
    """List the data sets that come with the package.

    Returns
    -------
    list of str

    Examples
    --------
    >>> "horse_colic" in list_datasets()
    True
    """
    names = (item.name for item in files(__package__).joinpath("data").iterdir())
    return sorted(name.removesuffix(_ENDING) for name in names if name.endswith(_ENDING))


def load(name: str) -> Dataset:
    """Load a data set that comes with the package.

    Parameters
    ----------
    name : str
        One of `list_datasets()`.

    Returns
    -------
    Dataset

    Raises
    ------
    ValueError
        For an unknown name.

    Examples
    --------
    >>> colic = load("horse_colic")
    >>> colic
    Dataset('horse_colic', 366 rows, 20 columns)
    >>> int(colic.X.isna().to_numpy().sum())
    1911
    """
    known = list_datasets()
    if name not in known:
        raise ValueError(
            f"name={name!r} is not a known data set; choose one of {', '.join(map(repr, known))}."
        )
    raw = files(__package__).joinpath("data", name + _ENDING).read_bytes()
    head, _, body = gzip.decompress(raw).decode("utf-8").partition("\n")
    info = json.loads(head.removeprefix("# "))
    # Text such as "none" or "NA" is a level; only an empty cell is missing.
    frame = pd.read_csv(StringIO(body), dtype=str, keep_default_na=False, na_values=[""])
    y = frame.pop(info["target"])
    for column in frame:
        if column in info["numeric"]:
            frame[column] = frame[column].astype(np.float64)
        else:
            levels = sorted(frame[column].dropna().unique())
            frame[column] = pd.Categorical(frame[column], categories=levels)
    if info["task"] == "regression":
        y = y.astype(np.float64)
    return Dataset(frame, y, info)
