"""Four ways to answer for incomplete rows, and multiple imputation: source 2."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..evaluation import Experiment
from ..presets import fractioning_of_cases
from .choose import choose

TABLES = (
    "balance_scale", "car_evaluation", "ecoli", "german_credit", "glass", "heart_statlog",
    "ionosphere", "iris", "kr_vs_kp", "led7", "lymphography", "nursery", "page_blocks",
    "promoters", "segment", "sonar", "tic_tac_toe", "vehicle", "vowel", "wine", "zoo",
)  # fmt: skip
SUITES = ("MCARuniva", "MCARunifo", "MARuniva", "MARunifo", "IMuniva", "IMunifo")
METHODS = {"FC": "fractional", "TSPE": "tspe", "DTPE": "dtpe", "LPE": "lpe", "EMMI": "em"}


def twala2020(
    datasets: Any = None,
    *,
    suites: Iterable[str] = SUITES,
    rates: Iterable[float] = (0.0, 0.15, 0.3, 0.5),
    methods: Any = None,
    repeats: int = 1,
    folds: int = 5,
    random_state: int = 0,
) -> Experiment:
    """Lay out the study of Twala, Pillay and Nkoana (2020).

    A binary tree grows on complete rows. Test rows lose values in six ways and answer by
    five methods, all from the same tree and the same holes: FC, TSPE, DTPE, LPE, and EMMI,
    multiple imputation by the EM algorithm.

    Parameters
    ----------
    datasets : iterable, dict or None, default=None
        As in `Experiment`. None = 21 complete tables that stand in for the source's, which
        it does not name.
    suites : iterable of str
        Mechanism and pattern; see `missingness.scenario`. "univa": one column loses values,
        "unifo": one of each pair of columns does, and under MCAR all.
    rates : iterable of float
        With 0, rows are tested complete, too, which excess error is measured from.
    methods : iterable, dict or None, default=None
        None = the five; an iterable chooses from them by name; a dict holds other prediction
        strategies.
    repeats, folds : int, default=1 and 5
    random_state : int, default=0

    Returns
    -------
    Experiment
        Its strategy is called "tree", its predictions are the methods.

    Notes
    -----
    The source says: 21 data sets, three mechanisms, one column or all, 15, 30 and 50 %
    missing in test rows only, five folds that are the same for all methods, smoothed error.
    Chosen here, because it does not say: the tables; the tree, that of
    `presets.fractioning_of_cases`; the pairs and their order, as Santos et al. (2019) wrote
    Twala's procedure down, learned on training rows; rates of one column for univa, since one
    column cannot hold half of a table's cells; one value is left where half of all cells
    would empty a column; levels of a driving category go by frequency; 1 - the chance of the
    true class as the smoothed error.

    References
    ----------
    .. [1] B. Twala, R. Pillay, R. Nkoana, "Classifying incomplete vectors using decision
       trees", IJCCI 2020, DOI 10.5220/0010146304550463.

    Examples
    --------
    >>> len(twala2020())
    105
    >>> grid = twala2020(["iris"], suites=["MARunifo"], rates=[0, 0.3], folds=2)
    >>> grid.run().pivot_table(index="rate", columns="prediction", values="smoothed_error").shape
    (2, 5)
    """
    return Experiment(
        TABLES if datasets is None else datasets,
        {"tree": fractioning_of_cases()},
        predictions=choose(methods, METHODS),
        mechanisms=suites,
        rates=rates,
        holes="test",
        repeats=repeats,
        folds=folds,
        random_state=random_state,
    )
