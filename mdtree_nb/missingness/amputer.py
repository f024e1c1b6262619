"""Amputer: make_missing as a scikit-learn transformer; and Twala's scenarios by name."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from .cells import Cells
from .contract import Holes
from .guards import keep_rows
from .make import learn, make_missing, open_request
from .methods import get_method
from .result import MissingResult

_WHEN = ("always", "fit", "predict")
_SCENARIOS = {
    "MCARuniva": ("MCAR", "univariate"),
    "MCARunifo": ("MCAR", "uniform"),
    "MARuniva": ("MAR", "univariate"),
    "MARunifo": ("MAR", "uniform"),
    "MNARuniva": ("MNAR", "univariate"),
    "MNARunifo": ("MNAR", "uniform"),
}


class Amputer(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):
    """Punch holes into tables inside a pipeline: learned on training rows only.

    `fit` learns who drives whom, orders of levels, thresholds and intercepts. The rows that
    it was fitted on get their holes by `fit_transform`, exactly as `make_missing` makes
    them. Rows that come later, at predict time, get theirs by `transform`: each by itself,
    with the chance that the training rows say it has, so its rate varies. The same call
    with the same rows makes the same holes.

    Parameters
    ----------
    mechanism, method, rate, rate_of, columns, drivers, order, ties : as in `make_missing`
        Options of a method are those of its object: `method=missingness.Censor("upper")`.
    count_existing, keep_one, allow_full : bool
        As in `make_missing`. A later row that would lose everything gets one value back.
    when : {"always", "fit", "predict"}, default="always"
        Which rows lose values: those of `fit_transform`, later ones, or both.
    random_state : int, RandomState, Generator or None, default=None

    Attributes
    ----------
    drivers_ : dict
        From each column that loses values to the columns that decide about it.
    n_features_in_ : int
    feature_names_in_ : ndarray of str
        Where X was a data frame with text as labels.

    Examples
    --------
    >>> from sklearn.pipeline import make_pipeline
    >>> from mdtree_nb import MDTreeClassifier, load
    >>> iris = load("iris")
    >>> holes = Amputer(mechanism="MNAR", rate=0.3, random_state=0)
    >>> model = make_pipeline(holes, MDTreeClassifier(missing="learned")).fit(iris.X, iris.y)
    >>> int(model[:-1].transform(iris.X).isna().any(axis=1).sum()) > 0
    True
    """

    def __init__(
        self,
        mechanism: str = "MCAR",
        method: Any = None,
        rate: float = 0.2,
        rate_of: str | None = None,
        columns: Any = None,
        drivers: Any = None,
        order: Any = None,
        ties: str = "random",
        count_existing: bool = False,
        keep_one: bool = True,
        allow_full: bool = False,
        when: str = "always",
        random_state: Any = None,
    ) -> None:
        self.mechanism = mechanism
        self.method = method
        self.rate = rate
        self.rate_of = rate_of
        self.columns = columns
        self.drivers = drivers
        self.order = order
        self.ties = ties
        self.count_existing = count_existing
        self.keep_one = keep_one
        self.allow_full = allow_full
        self.when = when
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None) -> Amputer:
        """Learn where holes go.

        Parameters
        ----------
        X : DataFrame or array-like of shape (n, p)
        y : array-like of shape (n,) or None, default=None

        Returns
        -------
        Amputer
        """
        self._learn(X, y)
        return self

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """Learn where holes go, and make those of the training rows.

        Parameters
        ----------
        X : DataFrame or array-like of shape (n, p)
        y : array-like of shape (n,) or None, default=None

        Returns
        -------
        DataFrame or ndarray of shape (n, p)
            A copy with exactly the holes that `make_missing` makes.
        """
        cells, holes = self._learn(X, y)
        return cells.blank(holes.mask & (self.when != "predict"))

    def transform(self, X: Any) -> Any:
        """Make the holes of rows that come later.

        Parameters
        ----------
        X : DataFrame or array-like of shape (n, p)

        Returns
        -------
        DataFrame or ndarray of shape (n, p)
            A copy with holes.
        """
        check_is_fitted(self)
        cells = Cells(X)
        validate_data(self, X, reset=False, skip_check_array=True)
        holes = Holes.none(cells.shape)
        if self._plan is not None and self.when != "fit":
            rng = np.random.default_rng([self._seed, 1])
            holes = self._method.apply(self._plan, cells, rng)
            if self.keep_one:
                keep_rows(holes, cells.holes, rng, move=False)
        return cells.blank(holes.mask)

    def make(self, X: Any, y: Any = None) -> MissingResult:
        """Make holes once and for all, with what is known about them.

        Parameters
        ----------
        X : DataFrame or array-like of shape (n, p)
        y : array-like of shape (n,) or None, default=None

        Returns
        -------
        MissingResult
            Of `make_missing` with the same parameters.
        """
        return make_missing(X, y, **self._asked())

    def _asked(self) -> dict[str, Any]:
        asked = self.get_params(deep=False)
        del asked["when"]
        return asked

    def _learn(self, X: Any, y: Any) -> tuple[Cells, Holes]:
        if self.when not in _WHEN:
            raise ValueError(f"when={self.when!r} must be 'always', 'fit' or 'predict'.")
        validate_data(self, X, skip_check_array=True)
        request, method = open_request(X, y, self._asked(), {}, keep=True)
        self._method, names = method, request.cells.names
        self._plan, holes = learn(request, method)
        self._seed = int(request.rng.integers(2**31))
        self.n_features_in_ = request.cells.shape[1]
        self.drivers_ = {
            names[j]: [names[k] for k in request.drivers.get(j, [])] for j in request.columns
        }
        return request.cells, holes

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        tags.non_deterministic = True
        return tags


def scenario(
    name: str,
    rate: float,
    *,
    rate_of: str | None = None,
    on_full: str = "cap",
    when: str = "always",
    random_state: Any = None,
) -> Amputer:
    """Return one of Twala's six ways of making holes, by its name.

    Parameters
    ----------
    name : {"MCARuniva", "MCARunifo", "MARuniva", "MARunifo", "MNARuniva", "MNARunifo"}
        The mechanism, and whether one column loses values or many: one of each pair, and under
        MCAR all. "IM", informative missingness, is another name of MNAR.
    rate : float
    rate_of : {"cell", "column"} or None, default=None
        None = "column" for univa, which can reach few cells; "cell" for unifo.
    on_full : {"cap", "error", "swap"}, default="cap"
        When a column would lose everything; see `missingness.Pairs`.
    when : {"always", "fit", "predict"}, default="always"
        As in `Amputer`; Twala's test rows are incomplete, and his training rows whole.
    random_state : int, RandomState, Generator or None, default=None

    Returns
    -------
    Amputer
        `scenario(...).make(X, y)` makes holes at once.

    Examples
    --------
    >>> from mdtree_nb import load
    >>> iris = load("iris")
    >>> made = scenario("MARunifo", 0.15, random_state=0).make(iris.X, iris.y)
    >>> made.drivers
    {'petal length (cm)': ['petal width (cm)'], 'sepal length (cm)': ['sepal width (cm)']}
    >>> made.realised["cell"]
    0.15
    """
    known = name.replace("IM", "MNAR", 1) if isinstance(name, str) else name
    if known not in _SCENARIOS:
        choices = ", ".join(map(repr, _SCENARIOS))
        raise ValueError(f"name={name!r} is not a scenario; choose one of {choices}.")
    mechanism, pattern = _SCENARIOS[known]
    options = {"pattern": pattern, "on_full": on_full}
    method = get_method("pairs", mechanism, options)
    return Amputer(mechanism, method, rate, rate_of=rate_of, when=when, random_state=random_state)
