"""The contract between the core and a missing-value strategy.

The one idea: a route is a vector of shares over a node's children. A row whose value is
known gets a one-hot vector; a row whose value is missing gets what its strategy says.
Nothing in the core knows a strategy by name.

A strategy answers some of these questions and inherits the rest:

1. `prepare`, `transform`: which tables does the tree see?
2. `opening`, `features`, `inherit`: which columns may be tested (`open_columns.py`)?
3. `score_table`: how good is a cut, where do missing rows go? `guess`: what might they hold?
4. `route`, `train_route`: which shares do missing rows get?
5. `weigh`, `estimate`: what do the reached nodes, or training rows (`study`), say together?

To add one, put one file into `strategies/`; see CONTRIBUTING.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

from ..schema import Schema
from ..table import Table
from .cuts import Cuts
from .open_columns import OpenColumns
from .prepared import Guesses, Prepared
from .shares import in_words, one_hot_shares
from .structure import Tree
from .surrogates import SurrogateRule

if TYPE_CHECKING:
    from .reach import Reach


class Strategy(OpenColumns, BaseEstimator):
    """How a tree treats missing values. Subclass it and override what differs.

    Attributes
    ----------
    name : str
        What users write as `missing=`.
    aliases : tuple of str
    mode : {"known", "left", "right", "learned", "complete", "guessed", "filled"} or None
        The compiled sweep that finds the best cut within one column: missing rows
        ignored, left, right, or on the better side; or cuts of complete columns alone, and
        "known | missing" of the others; or missing rows at their guesses, with a gain of their
        own or together with the known ones. None: `score_table` sees every cut.
    plain : bool
        Is `score_table` the plain gain of the mode? Then choosing between columns is
        compiled too; else `score_table` judges the best cut of each column.
    by_rule : bool
        Does `route` place missing rows, in place of a branch that is fixed with the split?
    divides : bool
        May a missing row go to several children?
    conserves : bool
        Do a row's shares sum to one, and the weights of children to their parent's?
    regrows : bool
        Do missing rows get a child of their own that all rows of the node are in, as far as
        `max_copies` allows it?
    asks_surrogates : bool
        Do the surrogates of a node place rows that miss its column, or have a level that it
        has not seen, before `route` is asked?
    surrogate_rule : SurrogateRule or None
        Which surrogates a tree records for this strategy; None = it needs none.
    min_share : float
        A part of a row smaller than this is not divided again: it goes whole to the child
        with the largest share, the last one when equal.
    max_copies : float
        Where rows are copied: how many times over the leaves may hold the training rows. A
        node may be split as long as the growth of the rows along its path, from each node
        to its children together, multiplies to no more.
    keeps_state : bool
        Is what `prepare` does to the training rows, if anything, needed to predict?
    checked_against : str
        What the strategy's numbers were verified with.
    experimental : bool
        Unchecked strategies are not in compare's default list.
    """

    name: ClassVar[str] = ""
    aliases: ClassVar[tuple[str, ...]] = ()
    mode: ClassVar[str | None] = None
    plain: ClassVar[bool] = False
    by_rule: ClassVar[bool] = False
    divides: ClassVar[bool] = False
    conserves: ClassVar[bool] = True
    regrows: ClassVar[bool] = False
    asks_surrogates: bool = False
    surrogate_rule: SurrogateRule | None = None
    min_share: float = 0.0
    max_copies: float = np.inf
    keeps_state: ClassVar[bool] = True
    checked_against: ClassVar[str] = ""
    experimental: ClassVar[bool] = False

    def check(self) -> None:
        """Refuse parameters that make no sense.

        Raises
        ------
        ValueError, TypeError
        """

    # -- tables -------------------------------------------------------------------

    def prepare(
        self,
        table: Table,
        y: NDArray[Any],
        w: NDArray[np.float64] | None,
        rng: np.random.RandomState,
    ) -> Prepared:
        """Make the training table, or tables, of a tree.

        Parameters
        ----------
        table : Table
        y : ndarray of shape (n,)
            Class codes or labels.
        w : ndarray of shape (n,) or None
        rng : RandomState

        Returns
        -------
        Prepared

        Raises
        ------
        StrategyNotApplicable
            When the strategy cannot handle this table.
        """
        return Prepared([table])

    def transform(self, table: Table, state: dict[str, Any]) -> list[Table]:
        """Treat later rows as `prepare` treated the training rows.

        Parameters
        ----------
        table : Table
        state : dict
            The state that `prepare` returned.

        Returns
        -------
        list of Table
            As many as `prepare` made, or one.
        """
        return [table]

    @property
    def fills(self) -> bool:
        """Are missing values replaced before a tree sees a row?"""
        return type(self).transform is not Strategy.transform

    def check_state(self, state: dict[str, Any], schema: Schema) -> None:
        """Refuse a state that `transform` could not use; it may come out of a file.

        Parameters
        ----------
        state : dict
            Plain values, lists, dicts and arrays.
        schema : Schema
            Of the training table.

        Raises
        ------
        ValueError
            Saying what is wrong.
        """

    # -- growing ------------------------------------------------------------------

    def guess(
        self,
        table: Table,
        y: NDArray[Any],
        w: NDArray[np.float64] | None,
        rng: np.random.RandomState,
    ) -> Guesses | None:
        """Guess missing values of a training table, so that cuts can be scored by them.

        Asked when a tree is going to grow, and not to predict; see `prepare` for what it gets.

        Returns
        -------
        Guesses or None
            None = cuts are scored without any; `Cuts.guessed` is then None.

        Raises
        ------
        StrategyNotApplicable
            When that is impossible for this table.
        """
        return None

    @property
    def lone_test(self) -> str | None:
        """How "known | missing" is kept if it is a candidate.

        "is missing" as an is-missing test, "threshold" as a threshold at the largest known
        value; None = it is no candidate.
        """
        return None

    def score_table(self, cuts: Cuts) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
        """Score cuts; this is the definition that the compiled sweep must agree with.

        Parameters
        ----------
        cuts : Cuts

        Returns
        -------
        gain : ndarray of shape (c,)
            Impurity decrease; -inf for a cut that is not admissible.
        missing_branch : ndarray of shape (c,), int
            The branch that all missing rows take: 0, 1, or 2 for a child of their own.
            Not looked at where `by_rule` is set.
        """
        return cuts.gain(cuts.known, cuts.left, cuts.right), cuts.majority

    def train_shares(self, tree: Tree) -> NDArray[np.float64]:
        """Share that each node gets of a training row that misses its parent's column.

        Asked where the branch is BY_RULE. While growing, `tree` holds nothing but some
        splits: nodes of the same depth and their children, whose rows, weights and shares
        are those of their known rows; values it has only for `train_route`.

        Returns
        -------
        ndarray of shape (m,)
            By default as `missing_shares`.
        """
        return self.missing_shares(tree)

    def train_route(
        self, tree: Tree, node: int, table: Table, rows: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        """Shares of missing training rows over the children of `node`; see `route`.

        Override it where shares depend on the row; see `train_shares` for `tree`.
        """
        return self.route(tree, node, table, rows)

    # -- predicting ---------------------------------------------------------------

    def missing_shares(self, tree: Tree) -> NDArray[np.float64]:
        """Share that each node gets of a row that misses its parent's column.

        Returns
        -------
        ndarray of shape (m,)
            By default all of it for the branch that was recorded in training, else for
            the branch of most known weight.
        """
        branch = np.where(tree.missing_branch >= 0, tree.missing_branch, tree.majority_branch)
        return one_hot_shares(tree, branch)

    def unseen_shares(self, tree: Tree) -> NDArray[np.float64]:
        """Share that each node gets of a row whose level its parent's table does not know.

        Such a value is known, but the node has not seen it in training.

        Returns
        -------
        ndarray of shape (m,)
            By default all of it for the branch of most known weight.
        """
        return one_hot_shares(tree, tree.majority_branch)

    def route(
        self, tree: Tree, node: int, table: Table, rows: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        """Shares over the children of `node` for rows that miss its column.

        Override it where shares depend on the row; otherwise override
        `missing_shares`, which is faster.

        Parameters
        ----------
        tree : Tree
        node : int
        table : Table
        rows : ndarray of shape (r,)
            Row numbers in `table`.

        Returns
        -------
        ndarray of shape (r, children)
            A zero row stops at the node.
        """
        shares = self.missing_shares(tree)[tree.children(node)]
        return np.broadcast_to(shares, (len(rows), len(shares)))

    def weigh(self, reach: Reach, tree: Tree) -> Reach:
        """Say what each end of a row counts for in the answer.

        Parameters
        ----------
        reach : Reach
        tree : Tree

        Returns
        -------
        Reach
            Its ends' shares are the weights in the mixture; by default what came there.
        """
        return reach

    def study(
        self, tree: Tree, table: Table, y: NDArray[Any], w: NDArray[np.float64] | None
    ) -> dict[str, Any]:
        """Take from the training rows what answers need; asked when the tree is finished.

        Parameters
        ----------
        tree : Tree
        table : Table
            The training table, as `transform` makes it.
        y, w
            See `prepare`.

        Returns
        -------
        dict
            Plain numbers and arrays, so that it can be written as JSON.
        """
        return {}

    def recall(self, tree: Tree, training: dict[str, Any]) -> Any:
        """Make ready what `study` returned, once before the first answer.

        The dict may come out of a file: raise ValueError for what `study` cannot have
        returned. What this returns is handed to `estimate`.
        """
        return training

    def estimate(
        self, reach: Reach, tree: Tree, table: Table, training: Any
    ) -> NDArray[np.float64]:
        """Put the nodes that a row reached together to one answer.

        Parameters
        ----------
        reach : Reach
        tree : Tree
        table : Table
            The rows.
        training : object
            What `recall` returned.

        Returns
        -------
        ndarray of shape (n, K)
            By default the mixture of the reached nodes' values, as `weigh` weighs them.
        """
        return self.weigh(reach, tree).mix(tree.value)

    def source(self, reach: Reach, tree: Tree, table: Table, training: Any) -> str:
        """Say where the answer for one row comes from, if not from its ends.

        Parameters
        ----------
        reach, tree, table, training
            See `estimate`; of one row.

        Returns
        -------
        str
            Empty where the answer is the mixture of the ends.
        """
        return ""

    def describe(self, tree: Tree, node: int) -> str:
        """Say in words where a row that misses the column of `node` goes."""
        return in_words(tree, node, self.missing_shares(tree))
