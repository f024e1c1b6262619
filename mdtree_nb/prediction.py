"""Trees, a prediction strategy and its state, put together to answer questions.

One tree or M of them, rows completed once or M times: every pair of a tree and a table
gives one answer, and the answers are averaged.

Called by `estimators.py`. Does not: route (`tree/routing.py`) or check input.
"""

from __future__ import annotations

from functools import cached_property
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .strategies import Strategy
from .table import Table
from .tree.reach import Reach, SinglePaths
from .tree.routing import Router, check_recorded
from .tree.structure import Tree

# Rows are answered in blocks, to bound the memory of shares.
BLOCK = 2**16


class Case(NamedTuple):
    """Some rows as one tree sees them: the table, where it went, what was kept of training."""

    tree: Tree
    table: Table
    reach: Reach
    training: Any


class Predictor:
    """Answers for rows, by one prediction strategy.

    Parameters
    ----------
    trees : list of Tree
    strategy : Strategy
    state : dict
        What the strategy's `prepare` returned for the training table.
    training : list of dict
        What its `study` returned, one per pair of a tree and a table; empty where it looks at
        no training rows.
    """

    def __init__(
        self,
        trees: list[Tree],
        strategy: Strategy,
        state: dict[str, Any],
        training: list[dict[str, Any]] | None = None,
    ):
        for tree in trees:
            check_recorded(tree, strategy)
        self.trees = trees
        self.strategy = strategy
        self.state = state
        self.training = training or []

    def __getstate__(self) -> dict[str, Any]:
        return {name: vars(self)[name] for name in ("trees", "strategy", "state", "training")}

    @property
    def studies(self) -> bool:
        """Does the strategy answer from training rows?"""
        return type(self.strategy).study is not Strategy.study

    def study(self, table: Table, y: NDArray[Any], w: NDArray[np.float64] | None) -> Predictor:
        """Let the strategy look at the training rows; returns itself."""
        if self.studies:
            self.training = [
                self.strategy.study(router.tree, completed, y, w)
                for router, completed in self.pairs(table)
            ]
        return self

    def with_trees(self, trees: list[Tree]) -> Predictor:
        """Return the same for other trees; of training rows it knows nothing any more."""
        return Predictor(trees, self.strategy, self.state)

    @cached_property
    def routers(self) -> list[Router]:
        """One router per tree, made at the first question."""
        return [Router(tree, self.strategy) for tree in self.trees]

    @property
    def kept(self) -> list[dict[str, Any]]:
        """What was kept of the training rows; an error where that is needed and is not there."""
        if self.studies and not self.training:
            name = self.strategy.name
            raise ValueError(
                f"missing_predict={name!r} answers from the training rows, which it has not seen "
                f"with this tree; call with_prediction({name!r}, X, y) with the training table."
            )
        return self.training

    @cached_property
    def recalled(self) -> list[Any]:
        """What was kept of the training rows, made ready at the first question."""
        each = len(self.kept) // len(self.trees)  # as `pairs` has them, tree after tree
        trees = [tree for tree in self.trees for _ in range(each)]
        return [self.strategy.recall(tree, its) for tree, its in zip(trees, self.kept, strict=True)]

    def pairs(self, table: Table) -> list[tuple[Router, Table]]:
        """Say which tree answers for which completed version of the rows."""
        schema = self.trees[0].schema
        completed = [
            its.with_indicators(table, schema) for its in self.strategy.transform(table, self.state)
        ]
        if len(completed) == len(self.routers):
            return list(zip(self.routers, completed, strict=True))
        return list(product(self.routers, completed))

    def reaches(self, table: Table) -> list[tuple[Tree, Table, Reach]]:
        """Send the rows down every tree."""
        return [(r.tree, completed, r.push(completed)) for r, completed in self.pairs(table)]

    def cases(self, table: Table) -> list[Case]:
        """Send the rows down every tree, and add what each tree kept of its training rows."""
        reaches = self.reaches(table)
        training = self.recalled or [{}] * len(reaches)
        return [Case(*reach, its) for reach, its in zip(reaches, training, strict=True)]

    def answer(self, case: Case) -> NDArray[np.float64]:
        """One tree's answer: class shares or means, an array of shape (n, K)."""
        return self.strategy.estimate(case.reach, case.tree, case.table, case.training)

    def values(self, table: Table) -> NDArray[np.float64]:
        """Class shares, or means: an array of shape (n, K)."""
        return np.concatenate([self._block(block) for block in _blocks(table)])

    def _block(self, table: Table) -> NDArray[np.float64]:
        answers = [self.answer(case) for case in self.cases(table)]
        return answers[0] if len(answers) == 1 else np.mean(answers, axis=0)

    def spread(self, table: Table) -> NDArray[np.float64]:
        """Standard deviation of the answers that are averaged: an array of shape (n, K)."""
        each = [[self.answer(case) for case in self.cases(block)] for block in _blocks(table)]
        return np.concatenate([np.std(answers, axis=0) for answers in each])

    def single_ends(self, table: Table) -> NDArray[np.int32] | None:
        """End of each row, where the answer is the value of that one node."""
        cls = type(self.strategy)
        plain = cls.estimate is Strategy.estimate and cls.weigh is Strategy.weigh
        if len(self.trees) > 1 or not plain:
            return None
        pairs = self.pairs(table)
        if len(pairs) > 1:
            return None
        ((router, completed),) = pairs
        if router.divides or router.asks_rows:
            return None
        reach = router.push(completed)
        return reach.end if isinstance(reach, SinglePaths) else None


def _blocks(table: Table) -> list[Table]:
    n = table.n_rows
    if n <= BLOCK:
        return [table]
    return [table.replace(table.values[s : s + BLOCK]) for s in range(0, n, BLOCK)]
