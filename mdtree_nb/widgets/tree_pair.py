"""TreePair: two trees side by side, and which nodes hold the same rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import traitlets
from numpy.typing import NDArray

from ..plots.tree_facts import read_tree
from ..plots.tree_options import TreePlotOptions
from ..plots.tree_picture import draw_shown
from ..plots.tree_plan import Cards, Plan
from ..strategies import get_strategy
from ..tree.structure import Tree
from .base import BadValue, NotebookWidget, script, style
from .folds import Folds
from .panel import shorten
from .scene import tree_scene
from .visits import Visits

SHOWN = 31  # nodes of each tree


class TreePair(NotebookWidget):
    """Two fitted trees side by side; select a node and see where its rows are in the other.

    The partner of a node is the node of the other tree that shares most rows with it: the
    part that both hold of all rows that either holds. Rows count with the part that visits.

    Parameters
    ----------
    first, second : fitted MDTreeClassifier or MDTreeRegressor
    X : DataFrame or array-like of shape (n, p)
        Rows that both take.
    names : tuple of str or None, default=None
        What to call them; None = their strategies.
    **traits
        Any of the traits below.

    Attributes
    ----------
    selected : int
        Node of the first tree. Setting it sets `partner`.
    partner : int
        Node of the second tree. Setting it sets `selected`.
    max_depth : int or None
        Show nodes down to this depth. None = the 31 heaviest.
    theme : {"auto", "light", "dark"}
        "auto" follows the notebook.
    error : str
        What was wrong with the last thing that came from the page.

    Raises
    ------
    TypeError
        For other models.
    ValueError
        For rows that do not fit, for trees that answer different questions, and for values
        that a trait cannot take.

    Examples
    --------
    >>> from mdtree_nb import MDTreeClassifier, TreePair
    >>> X, y = [[1.0], [2.0], [3.0], [float("nan")]], ["a", "b", "b", "b"]
    >>> left, right = (MDTreeClassifier(missing=way).fit(X, y) for way in ("left", "right"))
    >>> TreePair(left, right, X, selected=2)
    TreePair(left #2, right #2: 0.67 of their rows shared; 1 of 4 rows answered differently)
    """

    _esm = script("drawing", "tree_pair")
    _css = style("tree_pair")

    selected = traitlets.Int(0).tag(sync=True)
    partner = traitlets.Int(0).tag(sync=True)
    max_depth = traitlets.Int(None, allow_none=True).tag(sync=True)
    scenes = traitlets.List(read_only=True).tag(sync=True)
    about = traitlets.Dict(read_only=True).tag(sync=True)

    def __init__(self, first: Any, second: Any, X: Any, names: Any = None, **traits: Any):
        self._models = (first, second)
        if any(isinstance(model, Tree) for model in self._models):
            raise TypeError("first= and second= need fitted estimators: bare trees route no rows.")
        self._facts = [read_tree(model) for model in self._models]
        if self._facts[0].classes != self._facts[1].classes:
            raise BadValue(
                "first= and second= answer different questions: their classes are "
                f"{self._facts[0].classes} and {self._facts[1].classes}."
            )
        self._paths = [Visits(model, X, None).paths for model in self._models]
        strategies = [get_strategy(model._grown_by).name for model in self._models]
        if names is None and strategies[0] == strategies[1]:
            names = ("first", "second")
        self._names = tuple(map(str, strategies if names is None else names))
        if len(self._names) != 2:
            raise BadValue(f"names={names!r} must be two.")
        self._answers = [np.asarray(model.predict(X)) for model in self._models]
        self._folds = [Folds(facts) for facts in self._facts]
        self._cards = [Cards(facts, TreePlotOptions()) for facts in self._facts]
        self._busy = True
        super().__init__(**traits)
        self._busy = False
        side = int("partner" in traits and "selected" not in traits)
        self._match(side)
        self._draw()

    @classmethod
    def example(cls) -> TreePair:
        """Make a small one: horses, under two strategies.

        Returns
        -------
        TreePair
        """
        from ..datasets import load
        from ..estimators import MDTreeClassifier

        data = load("horse_colic")
        y = data.y.where(data.y == "lived", "lost")
        models = [
            MDTreeClassifier(missing=way, max_depth=3).fit(data.X, y)
            for way in ("learned", "fractional")
        ]
        return cls(models[0], models[1], data.X, selected=3)

    # -- what can be set ------------------------------------------------------------

    @traitlets.validate("selected", "partner")
    def _check_node(self, proposal: Any) -> int:
        name, v = proposal["trait"].name, int(proposal["value"])
        n = len(self._facts[int(name == "partner")].nodes)
        if not 0 <= v < n:
            raise BadValue(f"{name}={v} must be the number of a node, from 0 to {n - 1}.")
        return v

    @traitlets.validate("max_depth")
    def _check_max_depth(self, proposal: Any) -> int | None:
        depth: int | None = proposal["value"]
        if depth is not None and depth < 0:
            raise BadValue(f"max_depth={depth} must be a whole number from 0, or None.")
        return depth

    @traitlets.observe("selected", "partner")
    def _node_changed(self, change: Any) -> None:
        if not self._busy:
            self._match(int(change["name"] == "partner"))
            self._draw()

    @traitlets.observe("max_depth")
    def _depth_changed(self, _: Any) -> None:
        self._draw()

    # -- what Python can read ---------------------------------------------------------

    def shared(self, side: int, node: int) -> NDArray[np.float64]:
        """Say how far each node of the other tree holds the rows of a node.

        Parameters
        ----------
        side : {0, 1}
            The tree of the node.
        node : int

        Returns
        -------
        ndarray of shape (m,)
            Rows that both hold, as a part of those that either holds.
        """
        mine = np.asarray(self._paths[side][:, [node]].todense()).ravel()
        other = self._paths[1 - side].tocoo()
        both = np.minimum(mine[other.row], other.data)
        shared = np.bincount(other.col, both, minlength=other.shape[1])
        either = mine.sum() + np.bincount(other.col, other.data, minlength=other.shape[1]) - shared
        return np.asarray(shared / np.maximum(either, 1e-300))

    @property
    def apart(self) -> NDArray[np.bool_]:
        """Which rows the trees answer differently."""
        first, second = self._answers
        if self._facts[0].classes is not None:
            return np.asarray(first != second)
        return ~np.isclose(first.astype(float), second.astype(float))

    def describe(self) -> str:
        """Put what is seen into words.

        Returns
        -------
        str
        """
        lines = [f"{self.about['title']}."]
        for name, *cells in self.about["rows"]:
            pairs = zip(self._names, cells, strict=True)
            lines.append(f"{name}: " + "; ".join(f"{one} {cell}" for one, cell in pairs))
        return "\n".join(lines)

    # -- what is shown --------------------------------------------------------------

    def _match(self, side: int) -> None:
        """Find the partner of the node that was chosen on a side."""
        node = (self.selected, self.partner)[side]
        best = int(np.argmax(np.round(self.shared(side, node), 12)))
        self._busy = True
        if side == 0:
            self.partner = best
        else:
            self.selected = best
        self._busy = False

    def _draw(self) -> None:
        if self._busy:
            return
        chosen = (self.selected, self.partner)
        scenes = []
        for facts, folds, cards, v in zip(
            self._facts, self._folds, self._cards, chosen, strict=True
        ):
            folds.most = SHOWN
            folds.reset(self.max_depth, 0.0)
            folds.reveal(v)
            plan = Plan(cards, folds.kids, False, 0)
            scenes.append({**tree_scene(facts, plan), "title": facts.title})
        with self.hold_sync():
            self.set_trait("scenes", scenes)
            self.set_trait("about", self._about(chosen))

    def _about(self, chosen: tuple[int, int]) -> dict[str, Any]:
        part = float(self.shared(0, chosen[0])[chosen[1]])
        apart = self.apart
        rows = self._paths[0][:, [chosen[0]]].multiply(self._paths[1][:, [chosen[1]]])
        there = np.unique(rows.tocoo().row)
        sides = []
        for facts, paths, v in zip(self._facts, self._paths, chosen, strict=True):
            node = facts.nodes[v]
            asks = str(node.feature) if node.branches else "nothing: a leaf"
            weight = float(paths[:, [v]].sum())
            sides.append(
                [f"#{v} {shorten(node.condition or 'root', 60)}", shorten(asks), f"{weight:.5g}"]
            )
        names = ("node", "asks", "rows")
        return {
            "title": f"{apart.sum()} of {len(apart)} rows are answered differently",
            "names": list(self._names),
            "note": (
                f"The two nodes share {part:.0%} of the rows that either holds; "
                f"{int(apart[there].sum())} of {len(there)} in both are answered differently"
            ).replace("%", " %"),
            "part": part,
            "rows": [[name, *pair] for name, *pair in zip(names, *sides, strict=True)],
        }

    def _summary(self) -> str:
        first, second = self._names
        pair = f"{first} #{self.selected}, {second} #{self.partner}"
        told = self.about["title"].replace(" are answered", " answered")
        return f"{pair}: {self.about['part']:.2f} of their rows shared; {told}"

    def _figure(self) -> Any:
        kids = [folds.kids for folds in self._folds]
        named = zip(self._names, self._facts, strict=True)
        titles = [f"{name}: {facts.n_leaves} leaves" for name, facts in named]
        return draw_shown(self._facts, kids, titles, self._paper)
