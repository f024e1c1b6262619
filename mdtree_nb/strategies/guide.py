"""guide: a test of association chooses the column, and only then a cut is looked for."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ..tree.association import Association
from .learned import Learned


class Guide(Learned):
    """Choose the column by a chi-square test, then its best cut with the missing values (GUIDE).

    Classes are counted against the quarters of a numeric column, or the levels of a category,
    with "missing" as one more group; for numbers to predict, labels above the node's mean
    against the others. The column with the strongest association is cut as `learned` cuts it:
    missing values on the better side, or "known | missing". If it has no cut that leaves
    enough rows, the next column is tried. So columns with many cuts have no advantage. Later
    missing values in a node that saw none in training follow the larger child.

    Notes
    -----
    A table of K classes and G groups has (K - 1)(G - 1) degrees of freedom; empty classes and
    groups do not count, so a category of many levels needs a larger chi-square. Statistics of
    different freedom are compared on the scale of one degree by the modified Wilson-Hilferty
    transformation of the paper. Quarters are taken in each node, by weight; equal values stay
    together, in the quarter of their middle.

    Weights count rows, as in every chi-square test: the row twice is the row of weight 2, and
    twice the weights are twice the evidence. Weights should therefore be about 1 on average;
    with other strategies a common factor cancels.

    The paper's tests for pairs of columns (interactions) and its splits on two columns are not
    here.

    References
    ----------
    .. [1] W.-Y. Loh, "Improving the precision of classification trees", Annals of Applied
       Statistics 3, 2009, DOI 10.1214/09-AOAS260.
    .. [2] W.-Y. Loh, "Regression trees with unbiased variable selection and interaction
       detection", Statistica Sinica 12, 2002 (signs of residuals).
    """

    name = "guide"
    aliases: ClassVar[tuple[str, ...]] = ()
    checked_against = "SciPy's chi-square test; brute force"

    def __init__(self) -> None:
        super().__init__()

    def rank(self, association: Association) -> NDArray[np.float64]:
        """Chi-square on the scale of one degree of freedom."""
        chi_square, freedom = association
        return np.where(freedom > 0, one_degree(chi_square, np.maximum(freedom, 1)), -np.inf)


def one_degree(
    chi_square: NDArray[np.float64], freedom: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Turn chi-square statistics into ones of a single degree of freedom, about as unlikely.

    The cube root (Wilson and Hilferty 1931) serves up to ten standard deviations; beyond, where
    it would favour tables of many cells, the square root (Fisher) joins in.

    Parameters
    ----------
    chi_square, freedom : ndarray

    Returns
    -------
    ndarray
    """
    cube = 7 / 9 + np.sqrt(freedom) * (np.cbrt(chi_square / freedom) - 1 + 2 / (9 * freedom))
    by_cube = np.maximum(cube, 0) ** 3
    by_square = (np.sqrt(2 * chi_square) - np.sqrt(2 * freedom - 1) + 1) ** 2 / 2
    far = np.where(by_cube < chi_square, (by_cube + by_square) / 2, by_square)
    return np.where(chi_square < freedom + 10 * np.sqrt(2 * freedom), by_cube, far)
