"""missing="auto": let the training rows choose how missing values are treated.

An inner cross-validation over a short list of pairs of a strategy and a pruning. All of it
happens inside `fit`, on the training rows alone, so that a score of the fitted estimator on
other rows is an honest one.

Called by `tree_estimator.py`. Does not: compare strategies for people; `evaluation/compare.py`.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.model_selection import KFold, StratifiedKFold, train_test_split

from .fitting import Grown, among, grow_trees
from .inputs import TrainingRows
from .prunings import Pruning, get_pruning
from .strategies import Strategy, StrategyNotApplicable, get_strategy

Draw = Callable[[], np.random.RandomState]

# The default list, from what is simple to what is not, and from small trees to large ones.
STRATEGIES = ("learned", "surrogate", "fractional", "em")
COMPLEXITIES = (0.03, 0.01, 0.003, 0.001, 0.0003)
WIDEST = 64  # columns, with one per level of a category: em's time grows with their cube
FEWEST = 4  # rows that each part needs at least


class Auto(BaseEstimator):
    """Choose a strategy and a pruning by an inner cross-validation.

    Each strategy grows one tree (or its several trees) per fold, which is cut back by each of
    the prunings. Among the pairs whose mean score is at most one standard error behind the best
    one, the first of the list is taken, which goes from simple to intricate: the standard
    error is that of the difference to the best, over the same folds, enlarged because folds
    share training rows (Nadeau and Bengio). Scores are the accuracy, or R2 for numbers.

    The cost is that of `folds` fits of every strategy on at most `max_rows` rows, and of the
    final fit on all rows; of the default list, `em` costs most.

    Parameters
    ----------
    candidates : sequence of (missing, pruning) or None, default=None
        Pairs in the order of preference, as the parameters of the same names. None = "learned",
        "surrogate", "fractional" and "em", each with cost-complexity pruning at five prices,
        "pessimistic" for classes, and none; or with the estimator's `pruning` alone, where
        that is given.
    folds : int, default=5
    max_rows : int, default=10_000
        A larger table is searched on so many of its rows, drawn by class.

    References
    ----------
    .. [1] L. Breiman, J. Friedman, R. Olshen, C. Stone, "Classification and Regression
       Trees", 1984, section 3.4.3 (the rule of one standard error).
    .. [2] C. Nadeau, Y. Bengio, "Inference for the generalization error", Machine Learning
       52, 2003.
    """

    name = "auto"

    def __init__(
        self,
        candidates: Sequence[tuple[Any, Any]] | None = None,
        folds: int = 5,
        max_rows: int = 10_000,
    ):
        self.candidates = candidates
        self.folds = folds
        self.max_rows = max_rows

    def check(self) -> None:
        """Refuse parameters that make no sense."""
        for name, least in (("folds", 2), ("max_rows", 100)):
            value = getattr(self, name)
            if not isinstance(value, Integral) or isinstance(value, bool) or value < least:
                raise ValueError(
                    f"{name}={value!r} of missing='auto' must be a whole number of at least "
                    f"{least}."
                )
        if self.candidates is None:
            return
        pairs = list(self.candidates)
        if not pairs or not all(isinstance(p, (tuple, list)) and len(p) == 2 for p in pairs):
            raise ValueError(
                f"candidates={self.candidates!r} of missing='auto' must be pairs of a strategy "
                "and a pruning, such as [('learned', None), ('em', 'pessimistic')]."
            )


@dataclass(frozen=True)
class AutoReport:
    """What was compared, what was chosen, and why.

    Attributes
    ----------
    table : DataFrame
        One line per pair, in the order of preference: `missing`, `pruning`, mean `score`,
        `behind` the best, the standard `error` of that, mean number of `leaves`, `chosen`, and
        a `note` where a pair could not be compared.
    why : str
    missing : Strategy
        The chosen one.
    pruning : Pruning or None
    scores : ndarray of shape (pairs, folds)
    """

    table: pd.DataFrame
    why: str
    missing: Strategy
    pruning: Pruning | None
    scores: NDArray[np.float64]

    def __repr__(self) -> str:
        return f"{self.why}\n{self.table.round(4).to_string(index=False)}"


class Pair(NamedTuple):
    """A strategy and a pruning."""

    missing: Strategy
    pruning: Pruning | None


def is_auto(missing: Any) -> bool:
    """Is a search asked for, and no strategy?"""
    return isinstance(missing, Auto) or (isinstance(missing, str) and missing == Auto.name)


def choose(params: dict[str, Any], task: str, rows: TrainingRows, draw: Draw) -> AutoReport:
    """Search for the pair of a strategy and a pruning that suits some training rows.

    Parameters
    ----------
    params : dict
        The estimator's parameters.
    task : {"classification", "regression"}
    rows : TrainingRows
    draw : callable
        Makes a RandomState.

    Returns
    -------
    AutoReport

    Raises
    ------
    ValueError
        For parameters that make no sense.
    StrategyNotApplicable
        Where no candidate can handle the rows.
    """
    auto = params["missing"] if isinstance(params["missing"], Auto) else Auto()
    auto.check()
    pairs = _pairs(auto, params, task, rows)
    n_folds = min(int(auto.folds), len(rows.y) // FEWEST)
    if n_folds < 2:
        return _report(pairs, np.full((len(pairs), 1), np.nan), [np.nan] * len(pairs), {}, 1.0)
    searched = _some(rows, int(auto.max_rows), draw)
    scores = np.full((len(pairs), n_folds), np.nan)
    leaves = np.full((len(pairs), n_folds), np.nan)
    notes: dict[int, str] = {}
    for number, (train, test) in enumerate(_folds(searched, n_folds, draw)):
        for strategy in dict.fromkeys(id(pair.missing) for pair in pairs):
            its = [i for i, p in enumerate(pairs) if id(p.missing) == strategy and i not in notes]
            try:
                _try(its, pairs, params, task, train, test, draw, scores, leaves, number)
            except StrategyNotApplicable as error:
                notes |= dict.fromkeys(its, f"not applicable: {error}")
    scores[list(notes)] = np.nan
    mean_leaves = list(leaves.mean(axis=1))
    return _report(pairs, scores, mean_leaves, notes, 1 / (n_folds - 1))


def _pairs(auto: Auto, params: dict[str, Any], task: str, rows: TrainingRows) -> list[Pair]:
    if auto.candidates is not None:
        known: dict[str, Strategy] = {}  # pairs that name the same strategy share its trees
        pairs = []
        for missing, pruning in auto.candidates:
            strategy = get_strategy(missing, "candidates")
            strategy = known.setdefault(repr(strategy), strategy)
            pairs.append(Pair(strategy, get_pruning(pruning, task)))
        return pairs
    prunings: list[Pruning | None]
    if params["pruning"] is not None:
        prunings = [get_pruning(params["pruning"], task)]
    else:
        from .prunings.cost_complexity import CostComplexity

        prunings = [CostComplexity(complexity) for complexity in COMPLEXITIES]
        if task == "classification":
            prunings.append(get_pruning("pessimistic", task))
        prunings.append(None)
    wide = sum(1 if levels is None else len(levels) for levels in rows.table.schema.levels)
    names = [name for name in STRATEGIES if name != "em" or wide <= WIDEST]
    return [Pair(s, p) for s in map(get_strategy, names) for p in prunings]


def _some(rows: TrainingRows, most: int, draw: Draw) -> TrainingRows:
    """Draw rows of a large table, by class."""
    n = len(rows.y)
    if n <= most:
        return rows
    labels = None if rows.classes is None or np.bincount(rows.y.astype(int)).min() < 2 else rows.y
    chosen, _ = train_test_split(
        np.arange(n), train_size=most, random_state=draw(), stratify=labels
    )
    return _take(rows, np.sort(chosen))


def _folds(
    rows: TrainingRows, n_folds: int, draw: Draw
) -> Iterator[tuple[TrainingRows, TrainingRows]]:
    splitter: Any = KFold(n_folds, shuffle=True, random_state=draw())
    if rows.classes is not None and np.bincount(rows.y.astype(int)).max() >= n_folds:
        splitter = StratifiedKFold(n_folds, shuffle=True, random_state=draw())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", category=UserWarning)  # a class of fewer rows than folds
        parts = list(splitter.split(np.zeros(len(rows.y)), rows.y))
    for train, test in parts:
        yield _take(rows, train), _take(rows, test)


def _take(rows: TrainingRows, chosen: NDArray[np.intp]) -> TrainingRows:
    mask = np.zeros(len(rows.used), dtype=bool)
    mask[np.flatnonzero(rows.used)[chosen]] = True
    return among(rows, mask)


def _try(
    its: list[int],
    pairs: list[Pair],
    params: dict[str, Any],
    task: str,
    train: TrainingRows,
    test: TrainingRows,
    draw: Draw,
    scores: NDArray[np.float64],
    leaves: NDArray[np.float64],
    fold: int,
) -> None:
    """Grow by one strategy on a fold, and score what each pruning leaves."""
    grown: Grown | None = None
    for i in its:
        strategy, pruning = pairs[i]
        later = params["missing_predict"]
        predictor = strategy if later is None else get_strategy(later, "missing_predict")
        holds_out = pruning is not None and type(pruning).held_out is not Pruning.held_out
        order = (params | {"missing": strategy}, task, train, strategy, predictor, draw)
        if holds_out:  # its trees grow on fewer rows
            answers = grow_trees(*order, pruning).pruned(pruning)
        else:
            grown = grow_trees(*order, None) if grown is None else grown
            answers = grown.pruned(pruning)
        answers.study(train.table, train.y, train.w)
        scores[i, fold] = _score(answers.values(test.table), test)
        leaves[i, fold] = np.mean([tree.n_leaves for tree in answers.trees])


def _score(values: NDArray[np.float64], rows: TrainingRows) -> float:
    if rows.classes is not None:
        return float(np.average(values.argmax(axis=1) == rows.y, weights=rows.w))
    mean = np.average(rows.y, weights=rows.w)
    spread = np.average((rows.y - mean) ** 2, weights=rows.w)
    lost = np.average((rows.y - values[:, 0]) ** 2, weights=rows.w)
    return float(1 - lost / spread) if spread > 0 else float(lost == 0)


def _report(
    pairs: list[Pair],
    scores: NDArray[np.float64],
    leaves: list[Any],
    notes: dict[int, str],
    test_to_train: float,
) -> AutoReport:
    """Choose, and say why."""
    n_folds = scores.shape[1]
    mean = scores.mean(axis=1)
    tried = np.flatnonzero(~np.isnan(mean))
    behind, error = np.full((2, len(pairs)), np.nan)
    chosen = 0
    if len(tried):
        best = int(tried[mean[tried].argmax()])
        lag = scores[best] - scores[tried]
        behind[tried] = lag.mean(axis=1)
        error[tried] = np.sqrt((1 / n_folds + test_to_train) * lag.var(axis=1, ddof=1))
        chosen = int(tried[behind[tried] <= error[tried]][0])
        why = (
            f"{_words(pairs[chosen])} was chosen among {len(tried)} pairs by {n_folds} folds of "
            f"the training rows: its mean score is {mean[chosen]:.4f}"
        )
        if chosen == best:
            why += ", the highest."
        else:
            why += (
                f"; {_words(pairs[best])} has {mean[best]:.4f}, which is no more than one standard "
                f"error ({error[chosen]:.4f}) better, and comes later in the list."
            )
    elif notes:
        raise StrategyNotApplicable(
            "missing='auto' found no candidate that can handle this table: " + notes[min(notes)]
        )
    else:
        why = f"{_words(pairs[0])}, the first of the list: there are too few rows to compare."
    table = pd.DataFrame(
        {
            "missing": [repr(p.missing) if p.missing.get_params() and _changed(p.missing)
                        else p.missing.name for p in pairs],
            "pruning": [_pruning(p.pruning) for p in pairs],
            "score": mean,
            "behind": behind,
            "error": error,
            "leaves": leaves,
            "chosen": np.arange(len(pairs)) == chosen,
            "note": [notes.get(i, "") for i in range(len(pairs))],
        }
    )  # fmt: skip
    return AutoReport(table, why, *pairs[chosen], scores)


def _changed(strategy: Strategy) -> bool:
    """Does a strategy have other parameters than its defaults?"""
    return bool(strategy.get_params() != type(strategy)().get_params())


def _pruning(pruning: Pruning | None) -> str:
    return "none" if pruning is None else repr(pruning)


def _words(pair: Pair) -> str:
    how = "without pruning" if pair.pruning is None else f"with pruning {pair.pruning!r}"
    return f"missing={pair.missing.name!r} {how}"
