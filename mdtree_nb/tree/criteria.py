"""What the user names as `criterion=`: how splits are scored and columns compared.

A `Criterion` provides the measure that costs are computed by, may ask more of a split than
the limits of growing do, and chooses between the best cuts of the columns.
"""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Real
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

from .kernels.codes import ENTROPY, GINI, MOMENTS, TIE
from .measure import Measure

Floats = NDArray[np.float64]

EPSILON = 1e-3  # C4.5's tolerance for gains and split information


@dataclass(frozen=True)
class Bests:
    """The best cut of every column of some nodes.

    Attributes
    ----------
    gain, split_info, tries : ndarray of shape (b, p)
        Gain, -inf where a column has no cut; entropy of the way in which rows divide among
        branches and missing ones; admissible cuts.
    is_threshold : ndarray of shape (b, p), bool
    weight : ndarray of shape (b,)
        Weight of the node.
    n_levels : ndarray of shape (p,)
        Levels of each column, 0 for a numeric one.
    n_rows : int
        Rows of the whole training table.
    """

    gain: Floats
    split_info: Floats
    tries: Floats
    is_threshold: NDArray[np.bool_]
    weight: Floats
    n_levels: NDArray[np.int64]
    n_rows: int


class Criterion(BaseEstimator):
    """How splits are scored and features compared.

    Attributes
    ----------
    name : str
    aliases : tuple of str
    task : {"classification", "regression"}
    gap : float
        Neighbouring values that are no further apart count as one.
    smallest_gain : float
        A split must gain more than this part of the node's impurity; -inf = any will do.
    """

    name: ClassVar[str]
    aliases: ClassVar[tuple[str, ...]] = ()
    task: ClassVar[str]
    smallest_gain: ClassVar[float] = 1e-12  # less is rounding
    gap: float = 0.0

    def check(self) -> None:
        """Refuse parameters that make no sense.

        Raises
        ------
        ValueError
        """

    def measure(self, n_values: int) -> Measure:
        """Return the measure for `n_values` classes (1 for regression)."""
        raise NotImplementedError

    def side_rule(self, n_values: int) -> tuple[float, float, bool]:
        """Say what more a split needs; see `side_share` ... `two_suffice` of `Least`."""
        return 0.0, np.inf, False

    def gains(self, bests: Bests) -> Floats:
        """Gains that columns are compared by, an array of shape (b, p); -inf leaves one out."""
        return bests.gain

    def choose(self, bests: Bests, gains: Floats) -> NDArray[np.intp]:
        """Choose a column per node.

        Parameters
        ----------
        bests : Bests
        gains : ndarray of shape (b, p)
            What `gains` returned.

        Returns
        -------
        ndarray of shape (b,)
            The first column whose gain is the largest, up to rounding.
        """
        return first_largest(gains)


def first_largest(score: Floats) -> NDArray[np.intp]:
    """Return the first column of each row that is the largest, up to rounding."""
    best = score.max(axis=1, keepdims=True)
    enough = np.where(np.isfinite(best), best - TIE * np.abs(best), best)
    return np.argmax(score >= enough, axis=1)


class Gini(Criterion):
    """Gini index: 1 - sum of squared class shares.

    References
    ----------
    .. [1] L. Breiman, J. Friedman, R. Olshen, C. Stone, "Classification and Regression
       Trees", 1984.
    """

    name = "gini"
    task = "classification"

    def measure(self, n_values: int) -> Measure:
        """Return the measure; two classes are ranked by the faster moments."""
        return Measure(MOMENTS if n_values == 2 else GINI, n_values)


class Entropy(Criterion):
    """Entropy in bits: - sum of share log2(share).

    References
    ----------
    .. [1] J. R. Quinlan, "Induction of Decision Trees", Machine Learning 1, 1986,
       DOI 10.1007/BF00116251.
    """

    name = "entropy"
    aliases = ("log_loss",)
    task = "classification"

    def measure(self, n_values: int) -> Measure:
        """Return the measure for `n_values` classes."""
        return Measure(ENTROPY, n_values)


class GainRatio(Criterion):
    """Information gain in bits per bit of split information, as C4.5 takes it.

    Split information counts the missing rows as one more branch. Every rule of C4.5 beside
    the ratio is a parameter, and is on unless it is turned off.

    Parameters
    ----------
    average_gain : bool, default=True
        Compare only columns with at least the average gain, less 0.001. Columns with many
        levels (0.3 of the rows or more) do not count for the average.
    threshold_cost : bool, default=True
        Charge the choice between t thresholds with log2(t) / weight of the node.
    minimum_side : bool, default=True
        Each side of a threshold needs a tenth of the average class, but at most 25 rows.
    two_branches : bool, default=True
        Only two branches of a multiway test need `min_samples_leaf` rows.
    gap : float, default=0
        No threshold is put between neighbouring values that are no further apart, in the units of
        the column. C4.5 has 0.00001, which suits columns that are not tiny.

    References
    ----------
    .. [1] J. R. Quinlan, "C4.5: Programs for Machine Learning", 1993.
    .. [2] J. R. Quinlan, "Improved Use of Continuous Attributes in C4.5", Journal of
       Artificial Intelligence Research 4, 1996, DOI 10.1613/jair.279.
    """

    name = "gain_ratio"
    task = "classification"
    smallest_gain = -np.inf  # below a test that gains nothing there may be one that does

    def __init__(
        self,
        average_gain: bool = True,
        threshold_cost: bool = True,
        minimum_side: bool = True,
        two_branches: bool = True,
        gap: float = 0.0,
    ):
        self.average_gain = average_gain
        self.threshold_cost = threshold_cost
        self.minimum_side = minimum_side
        self.two_branches = two_branches
        self.gap = gap

    def check(self) -> None:
        """Refuse a gap that is none."""
        gap = self.gap
        if not isinstance(gap, Real) or isinstance(gap, bool) or not 0 <= float(gap) < np.inf:
            raise ValueError(
                f"gap={gap!r} of criterion='gain_ratio' must be a number of at least 0; C4.5 has "
                "0.00001."
            )

    def measure(self, n_values: int) -> Measure:
        """Return the entropy of `n_values` classes."""
        return Measure(ENTROPY, n_values)

    def side_rule(self, n_values: int) -> tuple[float, float, bool]:
        """Return a tenth of the average class, at most 25 rows; two branches suffice."""
        if not self.minimum_side:
            return 0.0, np.inf, bool(self.two_branches)
        return 0.1 / n_values, 25.0, bool(self.two_branches)

    def gains(self, bests: Bests) -> Floats:
        """Charge thresholds with the cost of choosing them; what is left must be positive."""
        gain = bests.gain
        if self.threshold_cost:
            cost = np.log2(np.maximum(bests.tries, 1.0)) / bests.weight[:, None]
            paid = gain - cost
            gain = np.where(bests.is_threshold, np.where(paid > 0, paid, -np.inf), gain)
        return np.where(gain > -EPSILON, gain, -np.inf)

    def choose(self, bests: Bests, gains: Floats) -> NDArray[np.intp]:
        """Choose the column of the best ratio among those that gain enough."""
        possible = np.isfinite(gains)
        enough = possible & (bests.split_info > EPSILON)
        if self.average_gain:
            counts = possible & (bests.n_levels < 0.3 * bests.n_rows)
            counts = np.where(counts.any(axis=1, keepdims=True), counts, possible)
            total = np.where(counts, gains, 0.0).sum(axis=1, keepdims=True)
            average = total / np.maximum(counts.sum(axis=1, keepdims=True), 1)
            enough &= gains >= average - EPSILON
        ratio = np.divide(gains, bests.split_info, out=np.full(gains.shape, -np.inf), where=enough)
        return first_largest(np.where(enough.any(axis=1, keepdims=True), ratio, gains))


class SquaredError(Criterion):
    """Mean squared distance from the mean.

    References
    ----------
    .. [1] L. Breiman, J. Friedman, R. Olshen, C. Stone, "Classification and Regression
       Trees", 1984.
    """

    name = "squared_error"
    task = "regression"

    def measure(self, n_values: int) -> Measure:
        """Return the measure of means; `n_values` is 1."""
        return Measure(MOMENTS, 1)


class AbsoluteError(Criterion):
    """Mean absolute distance from the median, or from the mean.

    Slower than the others: it does not follow from sums. Groups of levels are tried in the
    order of the levels' means, which is a heuristic here.

    Parameters
    ----------
    from_mean : bool, default=False
        From the mean, which leaves then predict; else from the median, which minimises it.

    References
    ----------
    .. [1] L. Breiman, J. Friedman, R. Olshen, C. Stone, "Classification and Regression
       Trees", 1984, chapter 8 (LAD regression).
    """

    name = "absolute_error"
    task = "regression"

    def __init__(self, from_mean: bool = False):
        self.from_mean = from_mean

    def measure(self, n_values: int) -> Measure:
        """Return the measure of distances; `n_values` is 1."""
        return Measure(MOMENTS, 1, True, bool(self.from_mean))


CRITERIA = (Gini, Entropy, GainRatio, SquaredError, AbsoluteError)


def get_criterion(criterion: Any, task: str) -> Criterion:
    """Find a criterion by name, or take an object as it is.

    Parameters
    ----------
    criterion : str or Criterion
    task : {"classification", "regression"}

    Returns
    -------
    Criterion

    Raises
    ------
    ValueError
        For an unknown name, one that belongs to the other task, and bad parameters.
    TypeError
        For anything else.
    """
    if isinstance(criterion, Criterion):
        if criterion.task != task:
            raise ValueError(f"criterion={criterion} is for {criterion.task}, not for {task}.")
        criterion.check()
        return criterion
    if not isinstance(criterion, str):
        raise TypeError(f"criterion={criterion!r} must be a name or a Criterion.")
    known = {n: c for c in CRITERIA if c.task == task for n in (c.name, *c.aliases)}
    if criterion not in known:
        raise ValueError(
            f"criterion={criterion!r} is not a known criterion for {task}; choose one of "
            f"{', '.join(map(repr, sorted(known)))}."
        )
    return known[criterion]()
