"""What the classifier and the regressor have in common: fitting, reading, explaining.

A tree estimator checks its arguments, turns X and y into a Table and codes, lets the
strategy prepare the training table, grows, and answers questions about the grown tree.
"""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import sparse
from sklearn.utils import Bunch, check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

from . import table as tables
from .auto import choose, is_auto
from .changeable import Changeable
from .explain import as_frame, explain
from .fitting import CATEGORY_TESTS, SPLITS, grow_trees, path_of
from .inputs import (
    TrainingRows,
    check_alpha,
    check_choice,
    check_training_rows,
    one_row,
    report_new_missing,
)
from .prediction import Predictor
from .prunings import get_pruning
from .strategies import Strategy, get_strategy
from .table import Table
from .tree.structure import Tree


class TreeEstimator(Changeable):
    """Base of `MDTreeClassifier` and `MDTreeRegressor`, where the parameters are explained."""

    _task: str

    def __init__(
        self,
        *,
        criterion: Any = "squared_error",
        splits: str = "exact",
        max_depth: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        min_weight_fraction_leaf: float = 0.0,
        min_impurity_decrease: float = 0.0,
        max_features: Any = None,
        max_leaf_nodes: int | None = None,
        pruning: Any = None,
        ccp_alpha: float = 0.0,
        random_state: Any = None,
        n_jobs: int | None = None,
        missing: Any = "learned",
        missing_predict: Any = None,
        categorical: str = "subset",
        record_surrogates: bool = False,
        new_missing: str = "route",
        missing_label: str = "raise",
    ):
        self.criterion = criterion
        self.splits = splits
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.min_impurity_decrease = min_impurity_decrease
        self.max_features = max_features
        self.max_leaf_nodes = max_leaf_nodes
        self.pruning = pruning
        self.ccp_alpha = ccp_alpha
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.missing = missing
        self.missing_predict = missing_predict
        self.categorical = categorical
        self.record_surrogates = record_surrogates
        self.new_missing = new_missing
        self.missing_label = missing_label

    # -- fitting ------------------------------------------------------------------

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        """Grow the tree.

        Parameters
        ----------
        X : DataFrame or array-like of shape (n, p)
            NaN, None, pd.NA and NaT are missing values.
        y : array-like of shape (n,)
            Labels.
        sample_weight : array-like of shape (n,) or None, default=None
            Rows of weight 0 count as absent.

        Returns
        -------
        self
            The fitted estimator.

        Raises
        ------
        ValueError
            For bad arguments, empty tables, missing labels and bad weights.
        StrategyNotApplicable
            When the strategy cannot handle this table.
        TypeError
            For columns of dates and other cells that are neither number nor text.
        """
        alpha = check_alpha(self.ccp_alpha)
        rows = self._read_training(X, y, sample_weight)
        return self._keep(self._grown(rows, alpha), rows)

    def _keep(self, predictor: Predictor, rows: TrainingRows) -> Any:
        """Become a fitted estimator of the predictor's trees."""
        self.trees_ = predictor.trees
        self._predictor = predictor.study(rows.table, rows.y, rows.w)
        self.schema_ = rows.table.schema
        self.n_dropped_ = rows.n_dropped
        if rows.classes is not None:
            self.classes_ = rows.classes
            self.n_classes_ = len(rows.classes)
        return self

    def _grown(self, rows: TrainingRows, alpha: float = 0.0) -> Predictor:
        """Grow the trees and prune them by `pruning`, then by `alpha`."""
        self.__dict__.pop("auto_report_", None)  # of another fit
        if is_auto(self.missing):
            self.auto_report_ = choose(dict(vars(self)), self._task, rows, self._rng)
        its = self._settled()
        pruning = get_pruning(its.pruning, its._task)
        order = (dict(vars(its)), its._task, rows, *its._strategies(), its._rng, pruning)
        return grow_trees(*order).pruned(pruning, alpha)

    def _strategies(self) -> tuple[Strategy, Strategy]:
        """The strategy that grows, and the one that routes later rows."""
        strategy = get_strategy(self._settled().missing)
        if self.missing_predict is None:
            return strategy, strategy
        return strategy, get_strategy(self.missing_predict, "missing_predict")

    def _rng(self) -> np.random.RandomState:
        return check_random_state(self.random_state)

    def _read_training(self, X: Any, y: Any, sample_weight: Any) -> TrainingRows:
        check_choice("splits", self.splits, tuple(SPLITS))
        check_choice("categorical", self.categorical, tuple(CATEGORY_TESTS))
        check_choice("new_missing", self.new_missing, ("route", "warn", "raise"))
        X = tables.read(X)
        validate_data(self, X, skip_check_array=True)
        return self._rows(tables.learn(X), y, sample_weight)

    def _rows(self, table: Table, y: Any, sample_weight: Any) -> TrainingRows:
        class_weight = getattr(self, "class_weight", None)
        return check_training_rows(
            table, y, sample_weight, class_weight, self.missing_label, self._task
        )

    def cost_complexity_pruning_path(self, X: Any, y: Any, sample_weight: Any = None) -> Bunch:
        """Grow the tree, prune it by `pruning` and compute its cost-complexity sequence.

        Parameters
        ----------
        X : DataFrame or array-like of shape (n, p)
        y : array-like of shape (n,)
        sample_weight : array-like of shape (n,) or None, default=None

        Returns
        -------
        Bunch
            With `ccp_alphas` and `impurities`, arrays of shape (s,).

        Raises
        ------
        ValueError
            Where the strategy grows more than one tree.
        StrategyNotApplicable
            Where rows count in several children as a whole.
        """
        its = copy.copy(self)
        trees = its._grown(its._read_training(X, y, sample_weight)).trees
        path = path_of(trees, its._strategies()[0])
        return Bunch(ccp_alphas=path.alphas, impurities=path.impurities)

    def split_table(self, X: Any, y: Any, node: int = 0, sample_weight: Any = None) -> pd.DataFrame:
        """List every cut that a node of the (first) tree could make, best first.

        Parameters
        ----------
        X : DataFrame or array-like of shape (n, p)
            The training table.
        y : array-like of shape (n,)
        node : int, default=0
        sample_weight : array-like of shape (n,) or None, default=None

        Returns
        -------
        DataFrame
            See `mdtree_nb.split_table`. The first line is the node's split.
        """
        from .splits import split_table_of

        return split_table_of(self, X, y, node, sample_weight)

    # -- the fitted tree ----------------------------------------------------------

    @property
    def tree_(self) -> Tree:
        """The grown tree; the first one where the strategy grew several."""
        check_is_fitted(self)
        return self.trees_[0]

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """Share of the weighted impurity decrease that each column's splits earn.

        What a strategy adds to say that a column is missing counts for that column.
        """
        check_is_fitted(self)
        schema = self.trees_[0].schema
        column = np.r_[np.arange(schema.n_own), np.array(schema.sources, dtype=np.intp)]
        earned = np.sum([tree.importances() for tree in self.trees_], axis=0)
        earned /= max(1, sum(not tree.is_leaf[0] for tree in self.trees_))  # as forests do
        return np.bincount(column, earned).astype(np.float64)

    @property
    def missing_shares_(self) -> NDArray[np.float64] | None:
        """Share that each node of `tree_` gets of a row that misses its parent's column.

        None where the strategy decides row by row.
        """
        check_is_fitted(self)
        router = self._predictor.routers[0]
        return None if router.asks_rows else router.shares

    def get_depth(self) -> int:
        """Return the depth of the tree.

        Returns
        -------
        int
            0 for a single node.
        """
        return self.tree_.max_depth

    def get_n_leaves(self) -> int:
        """Return the number of leaves.

        Returns
        -------
        int
        """
        return self.tree_.n_leaves

    # -- predicting ---------------------------------------------------------------

    def _read(self, X: Any) -> Table:
        """Check and encode rows to predict."""
        check_is_fitted(self)
        X = tables.read(X)
        validate_data(self, X, reset=False, skip_check_array=True)
        table = tables.encode(X, self.schema_)
        report_new_missing(table, self.new_missing)
        return table

    def apply(self, X: Any) -> NDArray[np.int32]:
        """Return the node in which each row ends.

        Parameters
        ----------
        X : DataFrame or array-like of shape (n, p)

        Returns
        -------
        ndarray of shape (n,), or (n, M) for M trees
            Where a row ends in several nodes, the one with the largest share; the lowest
            number when equal.
        """
        table = self._read(X)
        ends = [reach.main_end() for _, _, reach in self._predictor.reaches(table)]
        return ends[0] if len(ends) == 1 else np.stack(ends, axis=1)

    def decision_path(self, X: Any) -> sparse.csr_matrix:
        """Return the share of each row that visits each node.

        Parameters
        ----------
        X : DataFrame or array-like of shape (n, p)

        Returns
        -------
        csr_matrix of shape (n, m)
            1 where the whole row passes; the nodes of M trees stand side by side.
        """
        table = self._read(X)
        paths = [reach.through for _, _, reach in self._predictor.reaches(table)]
        return paths[0] if len(paths) == 1 else sparse.hstack(paths, format="csr")

    def completed(self, X: Any) -> list[pd.DataFrame]:
        """Show rows as the trees see them, after what the strategy does to their holes.

        Parameters
        ----------
        X : DataFrame or array-like of shape (n, p)

        Returns
        -------
        list of DataFrame
            One per completed version; a strategy that fills nothing in leaves the holes.
        """
        table = self._read(X)
        seen = {id(its): its for _, its in self._predictor.pairs(table)}  # trees may share one
        index = X.index if isinstance(X, pd.DataFrame) else None
        return [as_frame(its, index) for its in seen.values()]

    def imputation_spread(self, X: Any) -> NDArray[np.float64]:
        """Say how far the answers are apart that a prediction averages.

        Strategies such as `em` complete a row several times and average what the trees say of
        each version. Where the known values leave the answer open, the versions disagree. The
        spread shows that doubt; it knows nothing of values that are wrong in every version.

        Parameters
        ----------
        X : DataFrame or array-like of shape (n, p)

        Returns
        -------
        ndarray of shape (n, K), or (n,) for regression
            Standard deviations of the probability of each class, or of the prediction: 0 where
            there is one tree and one version.
        """
        table = self._read(X)
        spread = self._predictor.spread(table)
        return spread if hasattr(self, "classes_") else spread[:, 0]

    def explain_row(self, x: Any) -> pd.DataFrame:
        """Follow one row through the tree.

        Parameters
        ----------
        x : array-like of shape (p,), Series, dict or DataFrame of one row

        Returns
        -------
        DataFrame
            One line per visited node, by number: its `depth`; the `share` of the row that
            gets there; the tested `feature` and the row's `value`, "missing" if it has
            none, or what was filled in; the `test` of the first branch; the `rule` that
            decided, "known", the strategy in words, or "leaf"; `goes_to`, the part that each
            child gets. In the nodes where the row ends, `P(class)` or `contribution` is share times
            value, or what the strategy makes of it: their sum over the lines is the prediction. A
            strategy that answers from training rows has all of it on the line of the first test
            that the row cannot answer, whose `rule` says how many rows. With M trees there is a
            level `tree` before `node`, with one tree and M completed versions of the row a level
            `version`, and contributions are divided by M.
        """
        check_is_fitted(self)
        table = self._read(one_row(x, getattr(self, "feature_names_in_", None)))
        return explain(self._predictor, table, getattr(self, "classes_", None))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        return tags

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "trees_")
