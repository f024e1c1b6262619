"""Real tables with holes and without, one self-describing file each, and made-up ones.

A file data/NAME.csv.gz starts with one line "# {...}": what the table is, where it comes
from, under which licence, why values are missing, and its counts, which a test computes
anew. The rest is CSV with a header; an empty cell is missing. Where the line names a
"loader", the rest is empty and scikit-learn, which ships that table itself, has it.

Does not: use the network.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from importlib.resources import files
from io import StringIO
from numbers import Integral
from typing import Any

import numpy as np
import pandas as pd

from . import synth

_ENDING = ".csv.gz"


@dataclass(frozen=True)
class Dataset:
    """A table to learn from.

    Attributes
    ----------
    X : DataFrame
        float64 columns for numbers, category columns for the rest; NaN = missing.
    y : Series
        The target: text for classes, float64 for regression.
    info : dict
        `title`, `source`, `licence`, `changes`, `missing` (what is missing and why), counts, and
        perhaps a `note` on traps.
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


def overview() -> pd.DataFrame:
    """Sum up the data sets, one row each, without loading their tables.

    Returns
    -------
    DataFrame
        Indexed by name. `rows`, `features` and how many of these are `categories`, `missing`
        (share of blank cells), `incomplete` (share of rows with a blank), number of `classes`
        (0 for regression) and `title`.

    Examples
    --------
    >>> overview().loc["horse_colic", ["rows", "features", "categories", "classes"]].to_list()
    [366, 20, 13, 3]
    """
    lines = {}
    for name in list_datasets():
        info = describe(name)
        rows, features = info["rows"], info["features"]
        lines[name] = {
            "rows": rows,
            "features": features,
            "categories": features - len(info["numeric"]),
            "missing": info["cells_missing"] / (rows * features),
            "incomplete": info["rows_incomplete"] / rows,
            "classes": len(info.get("classes", ())),
            "title": info["title"],
        }
    return pd.DataFrame.from_dict(lines, orient="index").rename_axis("name")


def describe(name: str) -> dict[str, Any]:
    """Read what a data set says about itself, without loading its table.

    Parameters
    ----------
    name : str
        One of `list_datasets()`.

    Returns
    -------
    dict
        The `info` of the data set.

    Raises
    ------
    TypeError, ValueError
        For an unknown name.

    Examples
    --------
    >>> describe("penguins")["licence"]
    'CC0 1.0'
    """
    return _read(name)[0]


def load(name: str) -> Dataset:
    """Load a data set that comes with the package or with scikit-learn.

    Parameters
    ----------
    name : str
        One of `list_datasets()`.

    Returns
    -------
    Dataset

    Raises
    ------
    TypeError, ValueError
        For an unknown name.

    Examples
    --------
    >>> colic = load("horse_colic")
    >>> colic
    Dataset('horse_colic', 366 rows, 20 columns)
    >>> int(colic.X.isna().to_numpy().sum())
    1911
    """
    info, body = _read(name)
    if "loader" in info:
        frame = _from_scikit_learn(info)
    else:
        # Text such as "none" or "NA" is a level; only an empty cell is missing.
        frame = pd.read_csv(StringIO(body), dtype=str, keep_default_na=False, na_values=[""])
    y = frame.pop(info["target"])
    for column in frame:
        if column in info["numeric"]:
            frame[column] = frame[column].astype(np.float64)
        else:
            levels = sorted(frame[column].dropna().unique())
            frame[column] = pd.Categorical(frame[column], categories=levels)
    y = y.astype(np.float64 if info["task"] == "regression" else str)
    return Dataset(frame, y, info)


def make_synth(kind: str = "mcar", n: int = 1000, random_state: Any = 0) -> Dataset:
    """Make up a table with holes, whose reasons are known.

    Twenty numeric columns from `sklearn.datasets.make_classification`; about a fifth of the cells
    are blank. With one seed, kinds with as many classes have the same numbers and labels and
    differ in their holes alone.

    Parameters
    ----------
    kind : {"mcar", "mnar", "mcar_binary", "mnar_binary"}, default="mcar"
        Three classes, or two ("binary"). "mcar": every cell is blank with probability 0.2,
        whatever it was. "mnar": high values are lost more often, and so are values of later
        classes, so that a hole is itself a clue to the class. The formula is in
        `info["missing"]`.
    n : int, default=1000
        Number of rows.
    random_state : int, RandomState or None, default=0
        The same seed gives the same table; None gives another one each time.

    Returns
    -------
    Dataset

    Raises
    ------
    TypeError, ValueError
        For an unknown kind, or less than one row.

    Examples
    --------
    >>> data = make_synth("mnar", n=200)
    >>> data
    Dataset('synth_mnar', 200 rows, 20 columns)
    >>> data.X.isna().mean(axis=1).groupby(data.y).mean().round(2).to_list()
    [0.11, 0.18, 0.3]
    """
    _check_known("kind", kind, synth.KINDS, "kind of made-up table")
    if isinstance(n, bool) or not isinstance(n, Integral):
        raise TypeError(f"n={n!r} is not a whole number; give the number of rows as an int.")
    if n < 1:
        raise ValueError(f"n={n}: a table has at least one row; give n >= 1.")
    if isinstance(random_state, Integral) and not 0 <= random_state < 2**32:
        raise ValueError(
            f"random_state={random_state} is out of range; give 0 to {2**32 - 1}, or None."
        )
    if not isinstance(random_state, Integral):
        from sklearn.utils import check_random_state

        random_state = check_random_state(random_state).randint(2**31 - 1)
    return Dataset(*synth.sample(kind, int(n), int(random_state)))


def _read(name: str) -> tuple[dict[str, Any], str]:
    """First line of a file, and its table as text."""
    _check_known("name", name, list_datasets(), "data set")
    raw = files(__package__).joinpath("data", name + _ENDING).read_bytes()
    head, _, body = gzip.decompress(raw).decode("utf-8").partition("\n")
    return json.loads(head.removeprefix("# ")), body


def _from_scikit_learn(info: dict[str, Any]) -> pd.DataFrame:
    """Table of scikit-learn's own loader, with the names of classes."""
    import sklearn.datasets

    bunch = getattr(sklearn.datasets, info["loader"])(as_frame=True)
    target = bunch.target
    if info["task"] == "classification":
        target = target.map(dict(enumerate(map(str, bunch.target_names))))
    return bunch.data.assign(**{info["target"]: target})


def _check_known(parameter: str, value: Any, known: Iterable[str], what: str) -> None:
    if not isinstance(value, str):
        raise TypeError(f"{parameter}={value!r} is not text; give the name of a {what}.")
    names = list(known)
    if value in names:
        return
    near = [name for name in names if value and value in name][:3] or get_close_matches(
        value, names
    )
    hint = f"did you mean {' or '.join(map(repr, near))}? " if near else ""
    raise ValueError(
        f"{parameter}={value!r} is not a known {what}; {hint}"
        f"{'Choose' if near else 'choose'} one of {', '.join(map(repr, names))}."
    )
