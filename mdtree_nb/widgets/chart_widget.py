"""What the widgets of sliders and charts share: controls, charts and tables, made in Python.

A widget says which controls it has and, whenever one moves, what is seen. The page knows how
to draw that (`charts.js`), and matplotlib draws the same charts where no kernel runs.
"""

from __future__ import annotations

from typing import Any

import traitlets

from ..plots.chart import Chart, draw_charts
from ..plots.theme import get_palette
from .base import NotebookWidget, script, style


class ChartWidget(NotebookWidget):
    """Base of the widgets of sliders and charts. A subclass has `_look` and `_controls`.

    Attributes
    ----------
    view : dict
        `title`, `note`, `charts` and `tables`, as the page draws them.
    controls : list of dict
        `trait`, `label`, `kind` ("range", "number", "select", "check", "button") and what
        the kind needs.
    """

    _esm = script("charts")
    _css = style("charts")

    view = traitlets.Dict(read_only=True).tag(sync=True)
    controls = traitlets.List(read_only=True).tag(sync=True)

    _charts: tuple[Chart, ...] = ()
    _busy = True

    def _look(self) -> dict[str, Any]:
        """What is seen now: `title`, `note`, `charts` (Chart) and `tables`."""
        raise NotImplementedError

    def _controls(self) -> list[dict[str, Any]]:
        """Controls, in their order."""
        raise NotImplementedError

    def _clicked(self, chart: int, x: float, y: float) -> None:
        """Do what a click on a chart means, at numbers of its axes."""

    def _show(self) -> None:
        """Draw anew what has changed."""
        if self._busy:
            return
        look = self._look()
        self._charts = tuple(look["charts"])
        with self.hold_sync():
            self.set_trait("controls", self._controls())
            self.set_trait("view", {**look, "charts": [c.as_dict() for c in self._charts]})

    def _act(self, wish: dict[str, Any]) -> None:
        if "click" in wish:
            number, x, y = wish["click"]
            self._clicked(int(number), *self._charts[int(number)].place(float(x), float(y)))

    def describe(self) -> str:
        """Put what is seen into words, the numbers of the tables included.

        Returns
        -------
        str
        """
        lines = [f"{self.view['title']}. {self.view['note']}".strip()]
        lines += [chart["words"] for chart in self.view["charts"] if chart["words"]]
        for table in self.view["tables"]:
            head = table["head"][1:]
            lines.append(f"{table['caption']}:")
            for name, *cells in table["rows"]:
                pairs = zip(head, cells, strict=True)
                lines.append(f"  {name}: " + ", ".join(f"{h} {c}" for h, c in pairs if c))
        return "\n".join(lines)

    def _figure(self) -> Any:
        return draw_charts(self._charts, get_palette(self._paper), self.view["title"])
