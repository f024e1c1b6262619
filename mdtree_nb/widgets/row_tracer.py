"""RowTracer: one row, its holes, all its branches, and the sum that is the prediction."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pandas as pd
import traitlets

from ..plots.path import class_number, headline, path_in_words, plot_path
from ..plots.path_facts import RowPath, answer_words, open_along, read_path
from ..plots.tree_facts import read_tree
from ..strategies import all_strategies, get_strategy
from ..tree.structure import Tree
from .base import BadValue, NotebookWidget, script, style
from .row_cells import RowCells
from .traces import untaught, written_trace
from .visits import as_frame, labels_of

MOST_NODES = 35


class RowTracer(NotebookWidget):
    """One row on its way through a tree, under one or two strategies for prediction.

    Pick a row, blank or edit a value, and see where it goes: the part of the row on every
    edge, and what each reached node contributes. The contributions add up to the prediction.

    Parameters
    ----------
    model : fitted MDTreeClassifier or MDTreeRegressor
    X : DataFrame or array-like of shape (n, p) or None, default=None
        Rows to pick from; None = a row of which nothing is known, to be edited.
    y : array-like of shape (n,) or None, default=None
        Their labels. Strategies that look at the training rows need `X` and `y` to be them.
    **traits
        Any of the traits below.

    Attributes
    ----------
    row : int or None
        Number of the row in `X`. Setting it forgets what was edited.
    predict : list of str
        One or two strategies for rows to predict, side by side. By default the model's own.
    target : str
        Label of the class whose probability is explained; "" = the most probable one.
    theme : {"auto", "light", "dark"}
        "auto" follows the notebook.
    error : str
        What was wrong with the last thing that came from the page.

    Raises
    ------
    TypeError
        For another model.
    NotFittedError
        For a model that is not fitted.
    ValueError
        For rows that do not fit the model, and for values that a trait cannot take.

    Examples
    --------
    >>> from mdtree_nb import MDTreeClassifier, RowTracer
    >>> X, y = [[1.0], [2.0], [3.0], [float("nan")]], ["a", "b", "b", "b"]
    >>> tracer = RowTracer(MDTreeClassifier(missing="fractional").fit(X, y), X, y)
    >>> tracer.blank("x0")
    >>> tracer
    RowTracer(row 0, edited: x0; fractional: P(b) = 0.750)
    """

    _esm = script("drawing", "row_tracer")
    _css = style("row_tracer")

    row = traitlets.Int(None, allow_none=True).tag(sync=True)
    predict = traitlets.List(traitlets.Unicode()).tag(sync=True)
    target = traitlets.Unicode("").tag(sync=True)
    cells = traitlets.List(read_only=True).tag(sync=True)
    traces = traitlets.List(read_only=True).tag(sync=True)
    about = traitlets.Dict(read_only=True).tag(sync=True)

    def __init__(self, model: Any, X: Any = None, y: Any = None, **traits: Any):
        if isinstance(model, Tree):
            raise TypeError("model= needs a fitted estimator: a bare tree cannot route a row.")
        self._facts = read_tree(model)
        self._model, self._X, self._y = model, X, y
        self._models: dict[str, Any] = {self._own(): model}
        frame = None
        if X is not None:
            model.apply(X)  # says at once what does not fit
            frame = as_frame(X, model.schema_.names)
            if frame.columns.tolist() == list(model.schema_.names) and not hasattr(
                model, "feature_names_in_"
            ):
                frame = frame.set_axis(range(frame.shape[1]), axis=1)
            traits.setdefault("row", 0)
        labels = list(getattr(model, "feature_names_in_", range(model.n_features_in_)))
        self._cells = RowCells(model.schema_, frame, labels)
        self._labels = None if frame is None else labels_of(y, len(frame))
        self._frozen = True
        self._paths: list[RowPath] = []
        super().__init__(**{"predict": [self._own()], **traits})
        self._frozen = False
        self._cells.take(self.row)
        self._trace()

    @classmethod
    def example(cls) -> RowTracer:
        """Make a small one: a day of which Outlook and Wind are unknown.

        Returns
        -------
        RowTracer
        """
        from ..datasets import load
        from ..estimators import MDTreeClassifier

        data = load("playtennis_missing")
        model = MDTreeClassifier(missing="fractional", categorical="multiway")
        return cls(model.fit(data.X, data.y), data.X, data.y, row=2, predict=["fractional", "pool"])

    def _own(self) -> str:
        asked = self._model.missing_predict
        return get_strategy(self._model._grown_by if asked is None else asked).name

    # -- what can be set ------------------------------------------------------------

    @traitlets.validate("row")
    def _check_row(self, proposal: Any) -> int | None:
        row: int | None = proposal["value"]
        frame = self._cells.frame
        if row is None:
            return None
        if frame is None:
            raise BadValue(f"row={row} needs rows to pick from; pass X=.")
        if not 0 <= row < len(frame):
            raise BadValue(f"row={row} must be the number of a row, from 0 to {len(frame) - 1}.")
        return row

    @traitlets.validate("predict")
    def _check_predict(self, proposal: Any) -> list[str]:
        names: list[str] = proposal["value"]
        if not 1 <= len(names) <= 2:
            raise BadValue(f"predict={names!r} must be one or two names of strategies.")
        for name in names:
            self._model_for(name)
        return names

    @traitlets.validate("target")
    def _check_target(self, proposal: Any) -> str:
        if proposal["value"] and proposal["value"] not in (self._facts.classes or ()):
            try:
                class_number(self._model, proposal["value"])
            except ValueError as error:
                raise BadValue(str(error)) from error
        return str(proposal["value"])

    def _model_for(self, name: str) -> Any:
        """The model that predicts by a strategy."""
        if name not in self._models:
            try:
                get_strategy(name, "predict")
                if self._X is not None and self._y is not None:
                    other = self._model.with_prediction(name, self._X, self._y)
                else:
                    other = copy.copy(self._model).set_params(missing_predict=name)
                other.explain_row(self._cells.line)
            except ValueError as error:
                raise BadValue(str(error)) from error
            self._models[name] = other
        return self._models[name]

    @traitlets.observe("row")
    def _row_changed(self, _: Any) -> None:
        if not self._frozen:
            self._cells.take(self.row)
            self._trace()

    @traitlets.observe("predict", "target")
    def _look_changed(self, _: Any) -> None:
        self._trace()

    def _act(self, wish: dict[str, Any]) -> None:
        if "put" in wish:
            place, value = wish["put"]
            self._put(int(place), value)
        elif "restore" in wish:
            self.restore()

    # -- what Python can do besides -------------------------------------------------

    def blank(self, column: Any) -> None:
        """Make a value of the row missing.

        Parameters
        ----------
        column : str or label
        """
        self.edit(column, None)

    def edit(self, column: Any, value: Any) -> None:
        """Give a column of the row another value.

        Parameters
        ----------
        column : str or label
        value : object
            None, NaN, "" and "?" are missing values. A word that no training row had is an
            unseen level.

        Raises
        ------
        ValueError
            For a column that the model does not have, and for text in a column of numbers.
        """
        self._put(self._cells.place(column), value)

    def restore(self) -> None:
        """Take back all edits."""
        self._cells.take(self.row)
        self._trace()

    def _put(self, place: int, value: Any) -> None:
        before = self._cells.line
        self._cells.line = self._cells.put(place, value)
        try:
            self._trace()
        except ValueError:
            self._cells.line = before
            self._trace()
            raise

    @property
    def line(self) -> pd.DataFrame:
        """The row as it is now, a table of one row that the model takes."""
        return self._cells.line.copy()

    @property
    def trace(self) -> pd.DataFrame:
        """`explain_row` of the row, under the first of `predict`."""
        frame: pd.DataFrame = self._model_for(self.predict[0]).explain_row(self._cells.line)
        return frame

    @property
    def predictions(self) -> pd.DataFrame:
        """Class shares, or the mean, by strategy."""
        classes = getattr(self._model, "classes_", None)
        columns = ["prediction"] if classes is None else list(classes)
        return pd.DataFrame(
            [path.prediction for path in self._paths],
            index=pd.Index(self.predict, name="predict"),
            columns=columns,
        )

    def describe(self) -> str:
        """Put the way of the row under each strategy into words.

        Returns
        -------
        str
        """
        k = self._class()
        pairs = zip(self.predict, self._paths, strict=True)
        return "\n".join(f"{name}: {path_in_words(path, k)}" for name, path in pairs)

    # -- what is shown --------------------------------------------------------------

    def _class(self) -> int:
        if self._facts.classes is None or not self.target:
            return self._paths[0].best
        return self._facts.classes.index(self.target)

    def _trace(self) -> None:
        if self._frozen:
            return
        line = self._cells.line
        models = [self._model_for(name) for name in self.predict]
        self._paths = [read_path(model, line, self._facts) for model in models]
        kids = open_along(self._paths[0], self._paths, MOST_NODES)
        k = self._class()
        named = zip(self.predict, self._paths, strict=True)
        with self.hold_sync():
            self.set_trait(
                "traces", [written_trace(name, path, self._facts, kids, k) for name, path in named]
            )
            self.set_trait("cells", self._cells.cells(self._asked_first(kids)))
            self.set_trait("about", self._about(k))

    def _asked_first(self, kids: dict[int, tuple[int, ...]]) -> list[int]:
        """Columns that the tree or its surrogates ask, those on the way of the row first."""
        tree, inner = self._model.tree_, [v for v in sorted(kids) if kids[v]]
        way, asked = tree.feature[inner], tree.feature[tree.feature >= 0]
        its = tree.surrogates
        if its is not None and any(
            get_strategy(p, "predict").asks_surrogates for p in self.predict
        ):
            stand_ins = [its.feature[i] for v in inner for i in its.of(v)]
            way, asked = [*way, *stand_ins], [*np.unique(asked), *np.unique(its.feature)]
        return list(dict.fromkeys(map(int, [*way, *np.unique(asked)])))

    def _about(self, k: int) -> dict[str, Any]:
        frame, label = self._cells.frame, None
        if self._labels is not None and self.row is not None:
            label = str(self._labels.iloc[self.row])
        with_training = self._X is not None and self._y is not None
        return {
            "rows": 0 if frame is None else len(frame),
            "classes": list(self._facts.classes or ()),
            "class": k,
            "label": label,
            "strategies": list(all_strategies()) if with_training else untaught(self._models),
            "unasked": len(self._cells.labels) - len(self.cells),
            "title": headline(self._paths[0], k),
        }

    def _summary(self) -> str:
        where = "no row" if self.row is None else f"row {self.row}"
        names = self._model.schema_.names
        same = [
            a is b or a == b or (pd.isna(a) and pd.isna(b))
            for a, b in zip(self._cells.line.iloc[0], self._cells.original.iloc[0], strict=True)
        ]
        edited = [name for name, is_same in zip(names, same, strict=True) if not is_same]
        if edited:
            where += f", edited: {', '.join(edited)}"
        k = self._class()
        answers = [
            f"{name}: {answer_words(path, k)}"
            for name, path in zip(self.predict, self._paths, strict=True)
        ]
        return f"{where}; {'; '.join(answers)}"

    def _figure(self) -> Any:
        label = None
        if self._facts.classes is not None:
            label = self._model.classes_[self._class()]
        model = self._model_for(self.predict[0])
        return plot_path(model, self._cells.line, target=label, theme=self._paper).figure
