"""tspe: the training rows that agree with a row's known tests answer for it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..table import Table
from ..tree.cells import Cells, Found, TrainingRows, condensed, distinct
from ..tree.reach import Reach
from ..tree.structure import Tree
from .fractional import Fractional

SCOPES = ("all", "reachable")


def has_classes(tree: Tree, y: NDArray[Any]) -> bool:
    """Are the labels codes of classes? Those of more than 256 classes are floats, too."""
    return tree.value.shape[1] > 1 or y.dtype.kind != "f"


class Tspe(Fractional):
    """Answer by the training rows that agree with every test that the row can answer.

    Full estimation from the training set. A row that meets no missing value on its path gets
    the value of its leaf; any other one the classes, or the mean label, of the training rows
    that take the same branch in every node whose test it can answer. Training rows that
    cannot answer one of these tests are left out of that count; if none is left, the answer
    is that of `fractional`. In training a row is divided as by `fractional`.

    Parameters
    ----------
    scope : {"all", "reachable"}, default="all"
        Which tests count: those of all nodes, as published, or of the nodes that some part of
        the row reaches. In deep trees few training rows agree with all of them.

    References
    ----------
    .. [1] B. Twala, R. Pillay, R. Nkoana, "Classifying incomplete vectors using decision
       trees", IJCCI 2020, DOI 10.5220/0010146304550463.
    """

    name = "tspe"
    aliases = ()
    checked_against = "closed form; brute force"

    def __init__(self, scope: str = "all"):
        self.scope = scope

    def check(self) -> None:
        """Refuse parameters that make no sense."""
        if self.scope not in SCOPES:
            raise ValueError(f"scope={self.scope!r} must be one of {', '.join(map(repr, SCOPES))}.")

    def study(
        self, tree: Tree, table: Table, y: NDArray[Any], w: NDArray[np.float64] | None
    ) -> dict[str, Any]:
        """Keep the training rows' cells, and what their labels add up to."""
        cells = Cells(tree).of(table)
        weight = np.ones(len(y)) if w is None else w
        if not has_classes(tree, y):
            values = np.asarray(y, dtype=np.float64)[:, None]
        else:
            values = np.eye(tree.value.shape[1])[y.astype(np.intp)]
        return condensed(cells, weight, values)

    def recall(self, tree: Tree, training: dict[str, Any]) -> TrainingRows:
        """Make the rows ready to be asked."""
        return TrainingRows(tree, training)

    def estimate(
        self, reach: Reach, tree: Tree, table: Table, training: TrainingRows
    ) -> NDArray[np.float64]:
        """The mean of the rows that agree; where there are none, the mixture of the leaves."""
        answer = self.weigh(reach, tree).mix(tree.value)
        rows, found = self._agreeing(reach, tree, table, training)
        some = found.weight > 0
        answer[rows[some]] = found.value[some] / found.weight[some, None]
        return answer

    def source(self, reach: Reach, tree: Tree, table: Table, training: TrainingRows) -> str:
        """Say how many training rows agree."""
        _, found = self._agreeing(reach, tree, table, training)
        if not found.rows.sum():
            return ""
        of_all = f"{found.rows[0]} of {training.rows.sum()} training rows"
        return f"{of_all} agree on the tests that the row can answer"

    def _agreeing(
        self, reach: Reach, tree: Tree, table: Table, training: TrainingRows
    ) -> tuple[NDArray[np.intp], Found]:
        """Rows that end in several nodes, and what the training rows that agree add up to."""
        rows = np.flatnonzero(reach.is_divided)
        cells = training.its.of(table.take(rows))
        order, starts = distinct(cells)
        first = order[starts]
        if self.scope == "all":
            nodes = training.its.all_tests
            span = np.tile(np.array([[0, len(nodes)]]), (len(first), 1))
        else:
            nodes, span = _inner_nodes(reach, tree, rows[first])
        found = training.agreeing(cells[:, first], nodes, span)
        again = np.empty(len(rows), dtype=np.intp)
        again[order] = np.repeat(np.arange(len(first)), np.diff(np.append(starts, len(rows))))
        return rows, Found(found.rows[again], found.weight[again], found.value[again])


def _inner_nodes(
    reach: Reach, tree: Tree, rows: NDArray[np.intp]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Tests on the ways of some rows, row after row, and where those of each begin and end."""
    through = reach.through[rows]
    is_inner = ~tree.is_leaf[through.indices]
    count = np.append(0, np.cumsum(is_inner))[through.indptr]
    return through.indices[is_inner].astype(np.int64), np.stack([count[:-1], count[1:]], axis=1)
