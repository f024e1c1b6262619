"""Expected information gain, as its paper defines it and as its authors' program computes it."""

from __future__ import annotations

from typing import Any

from ..estimators import MDTreeClassifier
from ..inputs import check_choice
from ..strategies import KNN, Eig

NEIGHBOURS = 5
ARMS = ("eig_perfect", "eig_knn", "c45", "mean", "knn")


def eig(
    *,
    imputer: Any = None,
    complete: Any = None,
    criterion: Any = "entropy",
    score: str = "separate",
) -> MDTreeClassifier:
    """Expected information gain (EIG): guesses score cuts, rows are divided; source 4.

    Parameters
    ----------
    imputer : str, Strategy or None, default=None
        See `strategies.Eig`; None = the five nearest rows, or "true" where `complete` is given.
    complete : DataFrame or array-like or None, default=None
        The table without holes: what the paper calls perfect imputation.
    criterion : str or Criterion, default="entropy"
        "gain_ratio" divides the gain by the split information, as C4.5 does.
    score : {"separate", "joint"}, default="separate"
        "joint" is this package's own score; see `strategies.Eig`.

    Returns
    -------
    MDTreeClassifier

    Notes
    -----
    Not pruned, at most 20 levels below the root; a node of less than two rows is a leaf. A
    child may hold a part of a row. The paper's tables have a column of 0 and 1 for every level
    of a category; tests of one level (`categorical="equality"`) are the same tests, but a value
    is missing as a whole, where a program that makes the holes afterwards hides each level's
    column by itself.

    References
    ----------
    .. [1] C. Schreckenberger, C. Bartelt, H. Stuckenschmidt, "Expected Information Gain"
       (decision trees on incomplete data), University of Mannheim.

    Examples
    --------
    >>> eig().get_params()["missing"]
    Eig(imputer=KNN(scale=False))
    """
    if imputer is None:
        imputer = KNN(NEIGHBOURS, scale=False) if complete is None else "true"
    return _tree(Eig(imputer, complete, score), criterion=criterion)


def eig_repository(arm: str = "eig_knn") -> MDTreeClassifier:
    """Expected information gain as the program of its authors computes it; source 4.

    Parameters
    ----------
    arm : {"eig_perfect", "eig_knn", "c45", "mean", "knn"}, default="eig_knn"
        Setting of the experiments, 1 to 5: EIG with "perfect" imputation, which is none;
        EIG with the five nearest rows; its C4.5; its C4.5 on tables filled in by the mean, or
        from the five nearest rows.

    Returns
    -------
    MDTreeClassifier

    Notes
    -----
    What differs from `eig`, and where it is set:

    - `imputer="none"` in "eig_perfect": the true values are masked before they are handed
      over, so the guessed part of the score is 0 and what is left is C4.5's gain;
    - `score="squared"` in "c45": the known share twice, and the entropy of all rows;
    - `reliability="fixed"`: the known share of the root, in complete nodes too;
    - `shares="doubled"`: missing rows count for both sides before rows are divided;
    - `missing_predict="pool"`: a reached leaf counts by its weight, whatever part of the row
      gets there.

    In "mean" and "knn" the training table has no holes left, so that none of this plays a part in
    growing; rows to predict keep theirs. A gain below 1e-8, with which the program stops,
    makes no difference in what we compared.

    References
    ----------
    .. [1] C. Schreckenberger, C. Bartelt, H. Stuckenschmidt, "Expected Information Gain"
       (decision trees on incomplete data), University of Mannheim.

    Examples
    --------
    >>> eig_repository("eig_perfect").get_params()["missing"]
    Eig(imputer='none', reliability='fixed', shares='doubled')
    """
    check_choice("arm", arm, ARMS)
    knn = KNN(NEIGHBOURS, scale=False)
    conventions = {"reliability": "fixed", "shares": "doubled"}
    missing: dict[str, Any] = {
        "eig_perfect": Eig("none", **conventions),
        "eig_knn": Eig(knn, **conventions),
        "c45": Eig("none", score="squared", **conventions),
        "mean": "mean",
        "knn": knn,
    }
    return _tree(missing[arm], missing_predict="pool")


def _tree(missing: Any, **options: Any) -> MDTreeClassifier:
    """The one way of growing that both have."""
    options = {"criterion": "entropy", **options}
    return MDTreeClassifier(
        max_depth=20,
        min_samples_split=2,
        min_samples_leaf=0,
        categorical="equality",
        missing=missing,
        **options,
    )
