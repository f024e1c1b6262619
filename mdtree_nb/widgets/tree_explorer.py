"""TreeExplorer: a fitted tree to walk through, with what is missing at every node."""

from __future__ import annotations

import json
from typing import Any

import traitlets

from ..plots import plot_tree
from ..plots.picture import DPI, as_bytes
from ..plots.tree_facts import read_tree
from ..plots.tree_options import TreePlotOptions
from ..plots.tree_picture import draw_shown
from ..plots.tree_plan import Cards, Plan
from ..tree.reshape import snipped
from ..tree.structure import Tree
from .base import BadValue, NotebookWidget, script, style
from .folds import FIRST, Folds, walk
from .panel import measure_name, node_panel, panel_in_words, rows_panel
from .scene import WIDTHS, tree_scene
from .visits import Visits

LARGEST = 22_000  # letters of a scene; names may be long
STAND_IN = (9.0, 5.0)  # inches of the picture of a large tree


class TreeExplorer(NotebookWidget):
    """A tree to walk through by mouse, by keyboard and from Python.

    Shows the cards and edges of `plot_tree`. Click a node, or go with the arrow keys; Enter
    folds and unfolds it, Delete cuts off what is below it. The panel says how the node is
    reached, its classes, who is missing there and where they went, and its rows. Large trees
    start folded: the heaviest nodes are shown first.

    Parameters
    ----------
    model : fitted MDTreeClassifier or MDTreeRegressor, or Tree
        A bare tree knows neither class names nor where later missing values would go.
    X : DataFrame or array-like of shape (n, p) or None, default=None
        Rows to show at the nodes, as the model routes them; None = no rows.
    y : array-like of shape (n,) or None, default=None
        Their labels.
    **traits
        Any of the traits below.

    Attributes
    ----------
    selected : int
        Number of the selected node.
    selected_data : DataFrame or None
        Rows of `X` of which at least a part visits the selected node. Read it, or observe it.
    max_depth : int or None
        Show nodes down to this depth. None = the 31 heaviest.
    min_support : float
        Nodes with less than this part of the training weight are not unfolded.
    edge_width : {"root", "parent", "fixed"}
        The width of an edge is the part of all rows, the part of its parent, or says nothing.
    show_missing : bool
        Draw the lanes of missing values.
    search : str
        Marks the nodes that ask a column whose name contains this.
    folded : list of int
        Shown nodes that hide what is below them.
    snips : int
        How many cuts can be undone.
    found : list of int
        Nodes that `search` marks, whether they are shown or not.
    theme : {"auto", "light", "dark"}
        "auto" follows the notebook.
    error : str
        What was wrong with the last thing that came from the page.

    Raises
    ------
    TypeError
        For another object than a fitted tree of this package.
    NotFittedError
        For an estimator that is not fitted.
    ValueError
        For rows that do not fit the model, and for values that a trait cannot take.

    Examples
    --------
    >>> from mdtree_nb import MDTreeClassifier, TreeExplorer
    >>> tree = MDTreeClassifier().fit([[1.0], [2.0], [float("nan")]], ["a", "b", "b"])
    >>> explorer = TreeExplorer(tree)
    >>> explorer.selected = 2
    >>> explorer
    TreeExplorer(3 of 3 nodes shown, selected #2: x0 > 1.5 or missing)
    """

    _esm = script("drawing", "tree_explorer")
    _css = style("tree_explorer")

    selected = traitlets.Int(0).tag(sync=True)
    max_depth = traitlets.Int(None, allow_none=True).tag(sync=True)
    min_support = traitlets.Float(0.0).tag(sync=True)
    edge_width = traitlets.Enum(WIDTHS, "root").tag(sync=True)
    show_missing = traitlets.Bool(True).tag(sync=True)
    search = traitlets.Unicode("").tag(sync=True)
    folded = traitlets.List(traitlets.Int()).tag(sync=True)
    snips = traitlets.Int(0, read_only=True).tag(sync=True)
    selected_data = traitlets.Any(None, read_only=True, allow_none=True)
    scene = traitlets.Dict(read_only=True).tag(sync=True)
    panel = traitlets.Dict(read_only=True).tag(sync=True)

    def __init__(self, model: Any, X: Any = None, y: Any = None, **traits: Any):
        if X is None and y is not None:
            raise BadValue("y= are the labels of X=, which is not there; pass X= too.")
        if X is not None and isinstance(model, Tree):
            raise TypeError("X= needs a fitted estimator: a bare tree cannot route rows.")
        self._rows = (X, y)
        self._past: list[tuple[Any, int]] = []  # models before each snip, and what was selected
        self._take(model)
        self._busy = True
        super().__init__(**traits)
        self._busy = False
        self._refold(reset="folded" not in traits)
        self._select()

    def _take(self, model: Any) -> None:
        """Show this model from now on."""
        self._facts = read_tree(model)
        self._model = model
        self._tree: Tree = model if isinstance(model, Tree) else model.tree_
        self._visits = None if self._rows[0] is None else Visits(model, *self._rows)
        self._folds = Folds(self._facts)
        self._cards = Cards(self._facts, TreePlotOptions())

    @classmethod
    def example(cls) -> TreeExplorer:
        """Make a small one: fourteen days, some of them without a measurement.

        Returns
        -------
        TreeExplorer
        """
        from ..datasets import load
        from ..estimators import MDTreeClassifier

        data = load("playtennis_missing")
        model = MDTreeClassifier(missing="fractional", categorical="multiway")
        return cls(model.fit(data.X, data.y), data.X, data.y)

    # -- what can be set ------------------------------------------------------------

    @traitlets.validate("selected")
    def _check_selected(self, proposal: Any) -> int:
        return self._node("selected", proposal["value"])

    @traitlets.validate("max_depth")
    def _check_max_depth(self, proposal: Any) -> int | None:
        depth: int | None = proposal["value"]
        if depth is not None and depth < 0:
            raise BadValue(f"max_depth={depth} must be a whole number from 0, or None.")
        return depth

    @traitlets.validate("min_support")
    def _check_min_support(self, proposal: Any) -> float:
        part = float(proposal["value"])
        if not 0 <= part <= 1:
            raise BadValue(f"min_support={part!r} must be a part of all rows, from 0 to 1.")
        return part

    @traitlets.validate("folded")
    def _check_folded(self, proposal: Any) -> list[int]:
        nodes = [self._node("folded", v) for v in proposal["value"]]
        for v in nodes:
            if not self._facts.nodes[v].branches:
                raise BadValue(f"folded={v} is a leaf; only nodes with children can be folded.")
        return nodes

    def _node(self, name: str, v: int) -> int:
        n = len(self._facts.nodes)
        if not 0 <= v < n:
            raise BadValue(f"{name}={v} must be the number of a node, from 0 to {n - 1}.")
        return v

    @traitlets.observe("max_depth", "min_support")
    def _limits_changed(self, _: Any) -> None:
        self._refold(reset=True)

    @traitlets.observe("folded")
    def _folded_changed(self, _: Any) -> None:
        self._refold(reset=False)

    @traitlets.observe("edge_width", "search")
    def _look_changed(self, _: Any) -> None:
        self._draw()

    @traitlets.observe("selected")
    def _selected_changed(self, _: Any) -> None:
        if not self._busy:
            if not self._folds.is_shown(self.selected):
                self._folds.reveal(self.selected)
                self._draw()
            self._select()

    def _refold(self, reset: bool) -> None:
        """Show what the limits or the list of folded nodes ask for, and the selected node."""
        if self._busy:
            return
        if reset:
            self._folds.reset(self.max_depth, self.min_support)
        else:
            asked = set(self.folded)
            for v in self._folds.folded:
                if v not in asked:
                    self._folds.unfold(v)
            for v in asked:
                self._folds.reveal(v)
                self._folds.fold(v)
        if not self._folds.is_shown(self.selected):
            shown = (v for v in self._folds.path(self.selected)[::-1] if self._folds.is_shown(v))
            self.selected = next(shown)
        self._draw()

    def _act(self, wish: dict[str, Any]) -> None:
        if "toggle" in wish:
            self.toggle(int(wish["toggle"]))
        elif "next" in wish:
            self.select_next()
        elif "snip" in wish:
            self.snip(int(wish["snip"]))
        elif "undo" in wish:
            self.undo()

    # -- what Python can do besides -------------------------------------------------

    def toggle(self, node: int) -> None:
        """Fold a node, or unfold it.

        Parameters
        ----------
        node : int

        Raises
        ------
        ValueError
            For a number that is no node.
        """
        v = self._node("node", node)
        if v in self._folds.open:
            self._folds.fold(v)
        else:
            self._folds.unfold(v)
        if not self._folds.is_shown(self.selected):
            self.selected = v
        self._draw()

    def select_next(self) -> None:
        """Select the next node that `search` marks, shown or not; after the last, the first."""
        found = self.found
        if found:
            self.selected = next((v for v in found if v > self.selected), found[0])

    @property
    def model(self) -> Any:
        """The model as it is shown: the one that was passed, or a copy that is cut back."""
        return self._model

    def snip(self, node: int | None = None) -> None:
        """Make a node a leaf; nodes are numbered anew, and `model` is the tree that is left.

        Parameters
        ----------
        node : int or None, default=None
            None = the selected one.

        Raises
        ------
        ValueError
            For a leaf, and for a model of several trees.
        """
        v = self._node("node", self.selected if node is None else node)
        if self._tree.is_leaf[v]:
            raise BadValue(f"node={v} is a leaf: there is nothing below it to cut off.")
        bare = self._model is self._tree
        new: Any = snipped(self._tree, v) if bare else self._model.snip(v)
        way = [int(self._tree.branch[u]) for u in self._folds.path(v)[1:]]
        self._past.append((self._model, self.selected))
        self._change(new, walk(new if bare else new.tree_, way))

    def undo(self) -> None:
        """Take back the last snip, if there is one."""
        if self._past:
            model, selected = self._past.pop()
            self._change(model, selected)

    def _change(self, model: Any, where: int) -> None:
        """Show another model, with a node selected."""
        self._take(model)
        self._busy = True
        self.selected = where
        self._busy = False
        with self.hold_sync():
            self.set_trait("snips", len(self._past))
            self._refold(reset=True)
            self._folds.reveal(where)
            self._draw()
            self._select()

    @property
    def found(self) -> list[int]:
        """Nodes that ask a column whose name contains `search`."""
        wanted = self.search.strip().casefold()
        nodes = self._facts.nodes if wanted else ()
        return [n.number for n in nodes if n.branches and wanted in str(n.feature).casefold()]

    def describe(self) -> str:
        """Put what is shown of the selected node into words.

        Returns
        -------
        str
        """
        return panel_in_words(self.panel)

    # -- what is shown --------------------------------------------------------------

    def _draw(self) -> None:
        if self._busy:
            return
        found = self.found
        scene = self._scene(found)
        while len(json.dumps(scene)) > LARGEST:
            n_shown = self._folds.n_shown
            self._folds.most = max(n_shown * 4 // 5, FIRST)
            self._folds.make_room(self._folds.path(self.selected)[:-1])
            if self._folds.n_shown == n_shown:
                break  # the way to the selected node alone
            scene = self._scene(found)
        scene |= {
            "title": self._facts.title,
            "note": self._facts.note,
            "found": len(found) if self.search.strip() else -1,
            "deepest": self._tree.max_depth,
        }
        with self.hold_sync():
            self.set_trait("scene", scene)
            self._busy = True
            self.folded = self._folds.folded
            self._busy = False

    def _scene(self, found: list[int]) -> dict[str, Any]:
        kids = self._folds.kids
        marked = {next(u for u in self._folds.path(v)[::-1] if u in kids) for v in found}
        plan = Plan(self._cards, kids, False, 0)
        return tree_scene(self._facts, plan, self.edge_width, marked)

    def _select(self) -> None:
        v = self.selected
        path = self._folds.path(v)
        panel = node_panel(self._facts, path, self._tree, measure_name(self._model))
        panel["rows"] = None
        if self._visits is not None:
            rows, shares = self._visits.at(v)
            data = self._visits.frame.iloc[rows]
            labels = None if self._visits.labels is None else self._visits.labels.iloc[rows]
            asked = [f for f in self._tree.feature[path[::-1]] if 0 <= f < data.shape[1]]
            name = self._visits.label_name
            panel["rows"] = rows_panel(data, shares, list(data.columns[asked]), labels, name)
            self.set_trait("selected_data", data)
        self.set_trait("panel", panel)

    def _summary(self) -> str:
        n = len(self._facts.nodes)
        where = self._facts.nodes[self.selected].condition or "root"
        shown = self._folds.n_shown
        return f"{shown} of {n} nodes shown, selected #{self.selected}: {where}"

    def _figure(self) -> Any:
        return draw_shown([self._facts], [self._folds.kids], [self._facts.title], self._paper)

    def _png(self) -> bytes:
        if len(self._facts.nodes) <= 2 * FIRST:
            return super()._png()
        options = TreePlotOptions(max_size=STAND_IN)  # people wait for it
        return as_bytes(plot_tree(self._model, options=options).figure, "png", DPI)
