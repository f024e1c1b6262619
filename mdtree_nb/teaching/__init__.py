"""What only notebooks need: answers to check, errata of the sources, and their data.

`check.py` compares an answer with the truth without giving it away. A source has a module
of its own, `source0.py`, `source3.py`, ..., with the recipe of its data and the values
that its own formulas give; being there is enough to be found.
"""

from __future__ import annotations

import importlib
import pkgutil

import pandas as pd

from .check import NotYet, check
from .results import load_results
from .sources import Erratum, Source, SourceData, scores

__all__ = [
    "Erratum",
    "NotYet",
    "Source",
    "SourceData",
    "check",
    "errata",
    "get_source",
    "load_results",
    "scores",
    "source_data",
]


def get_source(source: int) -> Source:
    """Find a source by its number.

    Parameters
    ----------
    source : int
        0 for "CART decision trees with missing values", 1 for "C4.5 decision trees with
        missing data", 2 for "Classifying Incomplete Vectors using Decision Trees", 3 for
        "CART decision trees with categorical features".

    Returns
    -------
    Source

    Raises
    ------
    ValueError
        For a number without a module.
    """
    names = [module.name for module in pkgutil.iter_modules(__path__)]
    known = sorted(int(name[6:]) for name in names if name[:6] == "source" and name[6:].isdigit())
    if isinstance(source, bool) or source not in known:
        raise ValueError(
            f"source={source!r} is not known; choose one of {', '.join(map(str, known))}."
        )
    found: Source = importlib.import_module(f"{__name__}.source{source}").SOURCE
    return found


def errata(source: int) -> pd.DataFrame:
    """Set what a source published beside what its own formulas give.

    Published values are copied from the source. The others are computed when this is
    called, by this package or by scikit-learn.

    Parameters
    ----------
    source : int
        See `get_source`.

    Returns
    -------
    DataFrame
        One line per claim: `published`, `by its own formula`, `why`. Its `attrs` hold the
        `title`, the `url` and the `credit` of the source.

    Examples
    --------
    >>> errata(0).columns.tolist()
    ['published', 'by its own formula', 'why']
    """
    found = get_source(source)
    table = pd.DataFrame(
        {
            "published": [line.published for line in found.errata],
            "by its own formula": [line.compute() for line in found.errata],
            "why": [line.why for line in found.errata],
        },
        index=pd.Index([line.claim for line in found.errata], name="claim"),
    )
    table.attrs = {"title": found.title, "url": found.url, "credit": found.credit}
    return table


def source_data(source: int, task: str = "classification", seed: int | None = None) -> SourceData:
    """Make the data of a source again, exactly.

    Parameters
    ----------
    source : int
        See `get_source`.
    task : {"classification", "regression"}, default="classification"
    seed : int or None, default=None
        Source 0 makes holes with Python's generator and gives no seed; this one is given
        to it. None = before any hole was made. Source 3 has no holes.

    Returns
    -------
    SourceData
        X_train, X_test, y_train, y_test.

    Examples
    --------
    >>> X_train, X_test, y_train, y_test = source_data(0, seed=1)
    >>> X_train.shape, X_test.shape, int(X_train.isna().sum().sum() + X_test.isna().sum().sum())
    ((800, 8), (200, 8), 20)
    """
    found = get_source(source)
    if not found.data:
        raise ValueError(f"source={source!r} made no data; its table is one of list_datasets().")
    if task not in found.data:
        raise ValueError(f"task={task!r} must be {' or '.join(map(repr, found.data))}.")
    if seed is None:
        return found.data[task]()
    if not found.has_holes:
        raise ValueError(f"seed={seed!r}: the data of source {source} have no holes, so no seed.")
    return found.data[task](seed)
