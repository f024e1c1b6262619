"""C4.5 release 8: source 1."""

from __future__ import annotations

from ..estimators import MDTreeClassifier
from ..prunings import Collapse, Pessimistic
from ..tree.criteria import GainRatio


def c45(
    *, min_objects: int = 2, confidence: float = 0.25, pruned: bool = True, raising: bool = True
) -> MDTreeClassifier:
    """C4.5 release 8: gain ratio, fractional cases, a child per level, pessimistic pruning.

    Parameters
    ----------
    min_objects : int, default=2
        Two branches of every test need so many rows (its option -m).
    confidence : float, default=0.25
        Of the pessimistic estimate; smaller prunes more (its option -c).
    pruned : bool, default=True
        False gives the tree that it calls unpruned, in which subtrees that err no less than
        a leaf are leaves already.
    raising : bool, default=True
        May a branch take its parent's place?

    Returns
    -------
    MDTreeClassifier

    Notes
    -----
    A threshold is stored as the largest training value that is not above half-way between
    its neighbours. Values of a column that follow each other in steps of at most 1e-5 count
    as one. Sums are float64 where C4.5 has float32, so ties may be broken otherwise.

    References
    ----------
    .. [1] J. R. Quinlan, "C4.5: Programs for Machine Learning", 1993.
    .. [2] J. R. Quinlan, "Improved Use of Continuous Attributes in C4.5", Journal of
       Artificial Intelligence Research 4, 1996, DOI 10.1613/jair.279.

    Examples
    --------
    >>> c45().get_params()["min_samples_leaf"]
    2
    """
    pruning = Pessimistic(confidence=confidence, raising=raising) if pruned else Collapse()
    return MDTreeClassifier(
        criterion=GainRatio(gap=1e-5),
        splits="training",
        categorical="every_level",
        missing="fractional",
        min_samples_split=2 * min_objects,
        min_samples_leaf=min_objects,
        pruning=pruning,
    )
