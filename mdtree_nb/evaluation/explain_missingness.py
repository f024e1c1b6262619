"""explain_missingness: can the other columns tell where a column is missing?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.stats import norm
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold

from ..estimators import MDTreeClassifier
from ..missingness.pairwise import holm
from ..table import read
from ..tree.structure import Tree

DEPENDS, CHANCE, TOO_FEW, EMPTY = "depends", "chance", "too few", "empty"
UNTESTABLE = (
    "Whether a value's own size decides (MNAR) cannot be seen in any data: the values that would "
    "tell are the ones that are missing."
)


@dataclass(frozen=True, repr=False)
class MissingnessExplanation:
    """What the other columns say about the holes of each column.

    Attributes
    ----------
    table : DataFrame
        One line per incomplete column, most holes first: `missing` and `share`; `auc`, by
        cross-validation: the chance that the tree gives a row with a hole a higher
        probability than one without (0.5 = guessing); `p_value` that it is no better than
        guessing, by Holm's method for all columns; `verdict` ("depends", "chance", "too
        few", "empty"); and where most holes are: `where`, `rows_there`, `share_there`.
    trees : dict
        From each column to the MDTreeClassifier that predicts its holes, fitted to all rows.
    n_rows : int
    """

    table: pd.DataFrame
    trees: dict[Any, MDTreeClassifier]
    n_rows: int

    def sentences(self) -> list[str]:
        """Say it in words, one sentence or two per column.

        Returns
        -------
        list of str
            The last one says what no data can show.
        """
        return [*(self._about(line) for line in self.table.itertuples()), UNTESTABLE]

    def _about(self, line: Any) -> str:
        share = _percent(line.share)
        text = f"{line.Index} is missing in {line.missing} of {self.n_rows} rows ({share})"
        if line.verdict == EMPTY:
            return f"{line.Index} is always missing."
        if line.verdict == TOO_FEW:
            return f"{text}: too few rows with or without a hole to say anything."
        known = f"AUC {line.auc:.2f}, where guessing has 0.50"
        if line.verdict == CHANCE:
            return f"{text}. The other columns do not visibly tell where ({known})."
        return (
            f"{text}. The other columns tell where ({known}): it is missing in "
            f"{_percent(line.share_there)} of the {line.rows_there} rows with {line.where}."
        )

    def __repr__(self) -> str:
        return "\n".join(self.sentences())


def explain_missingness(
    X: Any,
    y: Any = None,
    *,
    max_depth: int = 2,
    folds: int = 5,
    random_state: int = 0,
) -> MissingnessExplanation:
    """Grow a small tree for each incomplete column that predicts where it is missing.

    The tree sees the other columns with their holes, and `y` if it is given, but not the
    column itself. How well it does is measured on rows that it has not seen. Where it does
    well, values are not missing completely at random (MCAR). Where it does not, they may be,
    or their own size decides (MNAR), which no data can show.

    Parameters
    ----------
    X : DataFrame or array-like of shape (n, p)
    y : array-like of shape (n,) or None, default=None
        The target, as one more column that may tell.
    max_depth : int, default=2
        Of the trees.
    folds : int, default=5
        Of the cross-validation, stratified.
    random_state : int, default=0
        Decides the folds.

    Returns
    -------
    MissingnessExplanation
        Printed, it says one sentence or two per column.

    Raises
    ------
    ValueError
        For a table without holes, or with a single column and no y.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(500, 2))
    >>> X[(X[:, 0] > 1) & (rng.random(500) < 0.9), 1] = np.nan
    >>> print(explain_missingness(X).sentences()[0])
    x1 is missing in 66 of 500 rows (13 %). The other columns tell where (AUC 1.00, where guessing has 0.50): it is missing in 98 % of the 49 rows with x0 > 1.21695.
    """  # noqa: E501
    frame = _with_target(read(X), y)
    holes = frame.isna().to_numpy()
    n_columns = frame.shape[1] - (y is not None)
    counts = holes[:, :n_columns].sum(axis=0)
    if not counts.any():
        raise ValueError("X has no hole, so there is nothing to explain.")
    if frame.shape[1] < 2:
        raise ValueError("X has a single column, so no other can tell; pass y, or more columns.")
    if isinstance(folds, bool) or not isinstance(folds, int) or folds < 2:
        raise ValueError(f"folds={folds!r} must be a whole number from 2.")
    usable = [j for j in range(frame.shape[1]) if not _says_nothing(frame.iloc[:, j])]
    lines, trees = [], {}
    splitter = StratifiedKFold(folds, shuffle=True, random_state=random_state)
    for j in np.argsort(-counts, kind="stable")[: int(np.count_nonzero(counts))]:
        name, gone = frame.columns[j], holes[:, j]
        line = {"column": name, "missing": int(gone.sum()), "share": float(gone.mean())}
        others = frame.iloc[:, [k for k in usable if k != j]]
        if gone.all() or min(gone.sum(), (~gone).sum()) < folds or not others.shape[1]:
            lines.append(line | {"verdict": EMPTY if gone.all() else TOO_FEW})
            continue
        tree = MDTreeClassifier(max_depth=max_depth, min_samples_leaf=max(5, len(frame) // 100))
        line["auc"] = _honest_auc(tree, others, gone, splitter)
        trees[name] = tree.fit(others, gone)
        lines.append(line | _fullest_leaf(tree.tree_))
    return MissingnessExplanation(_table(lines, len(frame), folds), trees, len(frame))


def _percent(share: float) -> str:
    return f"{share:.0%}".replace("%", " %")


def _with_target(X: Any, y: Any) -> pd.DataFrame:
    """Return the table as a frame with names, and y as its last column."""
    if isinstance(X, pd.DataFrame):
        frame = X
        if isinstance(X.columns, pd.RangeIndex):
            frame = X.set_axis([f"x{j}" for j in range(X.shape[1])], axis=1)
    else:
        frame = pd.DataFrame(X, columns=[f"x{j}" for j in range(X.shape[1])])
    if y is None:
        return frame
    name = getattr(y, "name", None) or "y"
    if name in frame:
        name = f"target {name}"
    values = y.array if isinstance(y, pd.Series) else np.asarray(y)
    if len(values) != len(frame):
        raise ValueError(f"y has {len(values)} values and X {len(frame)} rows.")
    return frame.assign(**{str(name): values})


def _says_nothing(column: pd.Series) -> bool:
    """Tell ids, which name rows and say nothing about others."""
    known = column.dropna()
    if pd.api.types.is_numeric_dtype(column.dtype) or not len(known):
        return False
    return bool(known.nunique() == len(known) > 1)


def _honest_auc(
    tree: MDTreeClassifier, others: pd.DataFrame, gone: NDArray[np.bool_], splitter: Any
) -> float:
    """Mean AUC over folds, on rows that the tree has not seen."""
    scores = []
    for train, test in splitter.split(others, gone):
        tree.fit(others.iloc[train], gone[train])
        scores.append(roc_auc_score(gone[test], tree.predict_proba(others.iloc[test])[:, 1]))
    return float(np.mean(scores))


def _fullest_leaf(tree: Tree) -> dict[str, Any]:
    """Conditions that lead to the leaf with the most holes beyond the overall share."""
    leaves = np.flatnonzero(tree.is_leaf)
    surplus = tree.weight[leaves] * (tree.value[leaves, 1] - tree.value[0, 1])
    leaf = int(leaves[np.argmax(surplus)])
    rows, share = int(tree.rows[leaf]), float(tree.value[leaf, 1])
    frame = tree.frame()
    conditions: dict[Any, str] = {}
    while leaf > 0:
        parent = int(frame.at[leaf, "parent"])
        bound = (frame.at[parent, "feature"], frame.at[leaf, "branch"])
        # of two bounds on the same side of a column the deeper one is tighter
        key = bound if frame.at[parent, "test"] == "threshold" else leaf
        conditions.setdefault(key, frame.at[leaf, "condition"])
        leaf = parent
    words = " and ".join(reversed(conditions.values()))
    return {"where": words, "rows_there": rows, "share_there": share}


def _table(lines: list[dict[str, Any]], n: int, folds: int) -> pd.DataFrame:
    """Add p-values and verdicts."""
    columns = [
        "missing",
        "share",
        "auc",
        "p_value",
        "verdict",
        "where",
        "rows_there",
        "share_there",
    ]
    table = pd.DataFrame(lines).set_index("column").reindex(columns=columns)
    judged = table["auc"].notna()
    with_hole = table.loc[judged, "missing"].to_numpy(dtype=np.float64)
    without = n - with_hole
    # of the mean AUC of scores that have nothing to do with the holes; folds share training
    # rows, so it is larger than that of one sample (Nadeau and Bengio)
    spread = np.sqrt((n + 1) / (12 * with_hole * without) * (1 + folds / (folds - 1)))
    p_values = holm(norm.sf((table.loc[judged, "auc"].to_numpy(dtype=np.float64) - 0.5) / spread))
    table.loc[judged, "p_value"] = p_values
    table["verdict"] = table["verdict"].astype(object)
    table.loc[judged, "verdict"] = np.where(p_values < 0.05, DEPENDS, CHANCE)
    table["where"] = table["where"].astype(object).where(table["where"].notna(), "")
    table["rows_there"] = table["rows_there"].fillna(0).astype(int)
    return table
