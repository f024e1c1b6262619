"""make_missing: one call punches holes into any table by a stated mechanism at a stated rate."""

from __future__ import annotations

from numbers import Integral
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from .cells import Cells, blank_column
from .contract import Holes, Method
from .draw import count_of
from .guards import keep_columns, keep_rows
from .methods import get_method
from .request import MECHANISMS, Request, check_rate, choose_columns, choose_drivers
from .result import MissingResult
from .scores import Ordering

_MEANINGS = ("column", "cell", "row")
_TIES = ("random", "stable")


def make_missing(
    X: Any,
    y: Any = None,
    *,
    mechanism: str = "MCAR",
    method: Any = None,
    rate: float = 0.2,
    rate_of: str | None = None,
    columns: Any = None,
    drivers: Any = None,
    labels: float = 0.0,
    order: Any = None,
    ties: str = "random",
    count_existing: bool = False,
    keep_one: bool = True,
    allow_full: bool = False,
    random_state: Any = None,
    **options: Any,
) -> MissingResult:
    """Punch holes into a table, by a stated mechanism and at a stated rate.

    Parameters
    ----------
    X : DataFrame or array-like of shape (n, p)
        Never changed.
    y : array-like of shape (n,) or None, default=None
        Needed by method="pairs", order="target" and `labels` only.
    mechanism : {"MCAR", "MAR", "MNAR"}, default="MCAR"
        What decides: chance alone; other columns, which stay as they are; or the values
        that go.
    method : str, Method or None, default=None
        How: a name of `missingness.all_methods()`, or an object such as
        `missingness.Censor(side="upper")`. None = "exact" for MCAR, "logistic" for MAR and
        MNAR.
    rate : float, default=0.2
        How much goes, from 0 to 1.
    rate_of : {"column", "cell", "row"} or None, default=None
        What `rate` is a share of: each affected column, all cells of the table, or the
        rows. None = "column"; "row" for ampute and dropout, "cell" for pairs.
    columns : label, sequence of labels or None, default=None
        Columns that lose values. None = all but the drivers; MAR without drivers keeps a
        third of the columns complete, drawn at random.
    drivers : label, sequence, dict, "all" or None, default=None
        Columns that decide. A dict says it for each column. None = for MAR the complete
        column most associated with the one that loses values, for MNAR that one itself.
    labels : float, default=0.0
        Share of y that goes too, by chance alone.
    order : {"frequency", "target", "random"}, dict or None, default=None
        How levels of categories that drive are put in order: by how often they occur, by
        the mean of y (with classes: the share of the most frequent one), at random, or as
        a dict from column to levels says. Ordered categories have their own.
    ties : {"random", "stable"}, default="random"
        Whether equal values of a driver stand in random order, or in that of the rows.
    count_existing : bool, default=False
        Whether holes that are there already count towards the rate. False = the rate is a
        share of the known values.
    keep_one : bool, default=True
        Leave every row a value: a hole that would take the last one moves to another row.
    allow_full : bool, default=False
        Whether a column may lose all its values.
    random_state : int, RandomState, Generator or None, default=None
    **options
        Parameters of the method, such as `side` or `odds`; see its class.

    Returns
    -------
    MissingResult

    Raises
    ------
    ValueError, TypeError
        For arguments that do not fit together and rates that cannot be reached; the
        message says which can.

    Examples
    --------
    >>> from mdtree_nb import load
    >>> iris = load("iris")
    >>> made = make_missing(
    ...     iris.X, mechanism="MAR", method="censor", rate=0.3,
    ...     columns="petal length (cm)", drivers="sepal width (cm)", random_state=0,
    ... )
    >>> print(made.sentence())
    MAR by censor: 45 values went from 1 column; asked for 0.3 of each affected column, reached 0.3.
    >>> made.describe()["new"].to_dict()
    {'petal length (cm)': 45}
    """
    asked = {
        "mechanism": mechanism, "method": method, "rate": rate, "rate_of": rate_of,
        "columns": columns, "drivers": drivers, "labels": labels, "order": order, "ties": ties,
        "count_existing": count_existing, "keep_one": keep_one, "allow_full": allow_full,
        "random_state": random_state,
    }  # fmt: skip
    request, its_method = open_request(X, y, asked, options, keep=False)
    _, holes = learn(request, its_method)
    y_out = _blank_labels(y, check_rate(labels, "labels"), request.rng)
    return _result(request, its_method, holes, y_out, asked)


def open_request(
    X: Any, y: Any, asked: dict[str, Any], options: dict[str, Any], *, keep: bool
) -> tuple[Request, Method]:
    """Check the arguments of `make_missing` and put them together.

    Parameters
    ----------
    X, y : as there
    asked : dict
        Its keyword arguments.
    options : dict
        Those of the method.
    keep : bool
        Whether later rows will come.

    Returns
    -------
    request : Request
    method : Method
    """
    for name, value, choices in (
        ("mechanism", asked["mechanism"], MECHANISMS),
        ("ties", asked["ties"], _TIES),
    ):
        if value not in choices:
            raise ValueError(f"{name}={value!r} is not known; choose {_either(choices)}.")
    mechanism = asked["mechanism"]
    method = get_method(asked["method"], mechanism, options)
    rate = check_rate(asked["rate"])
    rate_of = method.default_rate_of() if asked["rate_of"] is None else asked["rate_of"]
    if rate_of not in method.rates:
        why = "" if rate_of in _MEANINGS else " is not known;"
        raise ValueError(
            f"rate_of={rate_of!r}{why} method={method.name!r} takes {_either(method.rates)}."
        )
    _check_driven(asked["drivers"], mechanism, method)
    rng = as_generator(asked["random_state"])
    cells = Cells(X)
    notes: dict[str, Any] = {}
    target = _target(y, cells.shape[0])
    ordering = Ordering(asked["order"], target, rng)
    ordering.check()
    columns = choose_columns(cells, asked["columns"], notes)
    drivers: dict[int, list[int]] = {j: [] for j in columns}
    row_drivers = None
    if method.driven == "by column" and rate > 0:
        named = asked["columns"] is not None
        columns, drivers = choose_drivers(
            cells, mechanism, columns, named, asked["drivers"], ordering
        )
    elif asked["drivers"] is not None and method.driven == "by row":
        row_drivers = cells.find(asked["drivers"], "drivers")
    p = cells.shape[1]
    if p == 1 and asked["keep_one"] and rate > 0:
        raise ValueError("X has a single column, so every hole empties a row; pass keep_one=False.")
    request = Request(
        cells, target, mechanism, rate, rate_of, columns, drivers, row_drivers, ordering,
        asked["ties"] == "random", bool(asked["count_existing"]), bool(asked["keep_one"]),
        bool(asked["allow_full"]), rng, keep, notes,
    )  # fmt: skip
    return request, method


def learn(request: Request, method: Method) -> tuple[Any, Holes]:
    """Learn on the training rows and make their holes, guarded.

    Parameters
    ----------
    request : Request
    method : Method

    Returns
    -------
    plan : Any
        For `method.apply`; None for a rate of 0.
    holes : Holes
    """
    if request.rate == 0:
        return None, Holes.none(request.cells.shape)
    plan, holes = method.learn(request)
    existing, notes = request.cells.holes, request.notes
    if request.keep_one:
        notes["given_back"], notes["not_made_up"] = keep_rows(
            holes, existing, request.rng, move=method.moves
        )
    if not request.allow_full:
        notes["given_back"] = notes.get("given_back", 0) + keep_columns(
            holes, existing, request.rng
        )
    filled = {k for its in request.drivers.values() for k in its if existing[:, k].any()}
    if filled:
        notes["drivers_with_holes"] = [request.cells.names[k] for k in sorted(filled)]
    return plan, holes


def as_generator(random_state: Any) -> np.random.Generator:
    """Make a Generator of whatever scikit-learn and NumPy take for one.

    Parameters
    ----------
    random_state : int, RandomState, Generator or None

    Returns
    -------
    Generator
    """
    if random_state is None or isinstance(random_state, np.random.Generator):
        return np.random.default_rng(random_state)
    if isinstance(random_state, Integral) and not isinstance(random_state, bool):
        if random_state < 0:
            raise ValueError(f"random_state={random_state} must be a number from 0, or None.")
        return np.random.default_rng(int(random_state))
    if isinstance(random_state, np.random.RandomState):
        return np.random.default_rng(random_state.randint(2**31 - 1))
    raise TypeError(
        f"random_state={random_state!r} must be an int, RandomState, Generator or None."
    )


def _either(choices: tuple[str, ...]) -> str:
    return " or ".join(map(repr, choices))


def _check_driven(drivers: Any, mechanism: str, method: Method) -> None:
    if drivers is None:
        return
    if mechanism == "MCAR":
        raise ValueError(
            f"drivers={drivers!r}: in MCAR nothing drives what goes missing; leave drivers out, "
            "or choose mechanism='MAR' or 'MNAR'."
        )
    if method.driven == "itself":
        raise ValueError(
            f"drivers={drivers!r} does not apply to method={method.name!r}, which chooses them."
        )


def _target(y: Any, n: int) -> pd.Series | None:
    if y is None:
        return None
    target = y if isinstance(y, pd.Series) else pd.Series(np.asarray(y).ravel())
    if len(target) != n:
        raise ValueError(f"y has {len(target)} labels and X {n} rows; they belong together.")
    return target


def _blank_labels(y: Any, rate: float, rng: np.random.Generator) -> Any:
    """Return a copy of the labels in which an exact share is missing."""
    if y is None:
        if rate:
            raise ValueError(f"labels={rate} needs labels; pass y.")
        return None
    series = y if isinstance(y, pd.Series) else pd.Series(np.asarray(y).ravel())
    mask = np.zeros(len(series), dtype=bool)
    known = np.flatnonzero(series.notna())
    mask[rng.permutation(known)[: count_of(len(known), rate)]] = True
    if isinstance(y, pd.Series):
        return blank_column(y.copy(), mask)
    values = np.array(y)
    if mask.any():
        if values.dtype.kind in "biu":
            values = values.astype(np.float64)
        elif values.dtype.kind != "f":
            values = values.astype(object)
        values[mask] = np.nan
    return values


def _result(
    request: Request, method: Method, holes: Holes, y: Any, asked: dict[str, Any]
) -> MissingResult:
    cells = request.cells
    names = cells.names
    mask = cells.holes | holes.mask
    params = {
        **asked,
        "method": method.name,
        "rate_of": request.rate_of,
        **method.get_params(deep=False),
        **request.notes,
    }
    return MissingResult(
        X=cells.blank(holes.mask),
        y=y,
        mask=cells.like(mask),
        new_mask=cells.like(holes.mask),
        probs=cells.like(holes.chances),
        drivers={names[j]: [names[k] for k in request.drivers.get(j, [])] for j in request.columns},
        params=params,
        realised=_realised(request, holes.mask, mask),
    )


def _realised(
    request: Request, new: NDArray[np.bool_], mask: NDArray[np.bool_]
) -> dict[str, float]:
    """Shares that were reached: all holes, or new ones among what was known."""
    existing = request.cells.holes
    counted = mask if request.count_existing else new
    base = np.full(mask.shape[1], len(mask))
    n_rows = len(mask)
    if not request.count_existing:
        base -= existing.sum(axis=0)
        n_rows -= int(existing.all(axis=1).sum())
    by_column = counted.sum(axis=0)
    return {
        "column": float((by_column / np.maximum(base, 1))[request.columns].mean()),
        "cell": float(by_column.sum() / base.sum()),
        "row": float(counted.any(axis=1).sum() / n_rows),
    }
