"""How long does a person wait for a widget in JupyterLab in Chromium?

A tree of 1,000 nodes is shown in a notebook. Times are wall-clock milliseconds that the
page sees: from running the cell until the tree is drawn, from a click until the panel
tells about the node, from an edit until the traces are drawn anew, from a step of a slider until
the charts of 1,000 rows are. Both ways through the kernel are in them.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
from pathlib import Path
from typing import Any

import nbformat
from harness import write

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "browser"))

from chromium import browser_context, chromium_path
from lab import Notebook, lab_server

ROUNDS = 15
SETUP = """import numpy as np, mdtree_nb as md
from sklearn.datasets import make_classification
X, y = make_classification(8000, 20, n_informative=10, n_classes=3, flip_y=0.2, random_state=0)
X[np.random.default_rng(1).random(X.shape) < 0.15] = np.nan
model = md.MDTreeClassifier(missing="fractional", max_leaf_nodes=501).fit(X, y)
n_nodes = model.tree_.n_nodes
md.plot_tree(model).figure.clear()  # Matplotlib is loaded: that is not the widget's time"""
SHOW = {
    "explorer": "explorer = md.TreeExplorer(model, X, y, max_depth=20)\nexplorer",
    "tracer": "tracer = md.RowTracer(model, X, y, predict=['fractional', 'majority'])\ntracer",
    "split": (
        "few, labels = X[:1000], y[:1000]\n"
        "small = md.MDTreeClassifier(max_depth=5).fit(few, labels)\n"
        "split = md.SplitExplorer(few, labels, small, strategies=['learned', 'left', 'right'])\n"
        "split.add_class('split')\nsplit"
    ),
    "lab": ("lab = md.MissingnessLab(np.nan_to_num(few), labels)\nlab.add_class('lab')\nlab"),
}
SLIDERS = {
    ("split", "to_right"): "SplitExplorer: blanks to the other side",
    ("split", "more_blank"): "SplitExplorer: values taken away, three strategies",
    ("lab", "rate"): "MissingnessLab: another rate, and a tree of it",
}
SLIDE = """async ([widget, trait, value]) => {
  const root = document.querySelector(`.${widget} .mdt`), old = root.querySelector("svg.chart");
  const input = root.querySelector(`[data-testid="${trait}"]`), start = performance.now();
  input.value = value;
  input.dispatchEvent(new Event("input", {bubbles: true}));
  while (old.isConnected) await new Promise(requestAnimationFrame);
  return performance.now() - start;
}"""
RUN_CELL = """async ([path, n, ready]) => {
  const panel = [...jupyterapp.shell.widgets("main")].find(w => w.context?.path === path);
  panel.content.activeCellIndex = n;
  const start = performance.now();
  jupyterapp.commands.execute("notebook:run-cell");
  while (!document.querySelector(ready)) await new Promise(requestAnimationFrame);
  return performance.now() - start;
}"""
SELECT = """async v => {
  const start = performance.now(), next = () => new Promise(requestAnimationFrame);
  document.querySelector(`.explorer [data-node="${v}"]`)
    .dispatchEvent(new MouseEvent("click", {bubbles: true}));
  const head = () => document.querySelector(".explorer .side h3").textContent;
  while (!document.querySelector(`[data-node="${v}"][aria-selected=true]`)) await next();
  await next();
  const marked = performance.now() - start;
  while (!head().startsWith(`#${v} `)) await next();
  return [marked, performance.now() - start];
}"""
EDIT = """async ([column, value]) => {
  const old = document.querySelector(".tracer .trace"), start = performance.now();
  const input = document.querySelector(`.tracer [data-column="${column}"] input`);
  input.value = value;
  input.dispatchEvent(new Event("change", {bubbles: true}));
  while (old.isConnected) await new Promise(requestAnimationFrame);
  return performance.now() - start;
}"""


def main() -> None:
    if chromium_path() is None:
        sys.exit("bench_widgets needs Chromium: apt-get install chromium")
    times: dict[Any, list[float]] = {"open": [], "mark": [], "select": [], "trace": []}
    cells = [SETUP, *SHOW.values()]
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(c) for c in cells])
    book.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3"}
    outside: list[str] = []
    with tempfile.TemporaryDirectory() as folder, browser_context(outside) as context:
        nbformat.write(book, Path(folder) / "bench.ipynb")
        with lab_server(Path(folder)) as address:
            notebook = Notebook(context.new_page(), address, "bench.ipynb")
            page = notebook.page
            page.set_default_timeout(60_000)
            notebook.run()
            for _ in range(5):
                notebook.do("explorer.close()")
                page.locator(".explorer").wait_for(state="detached")
                ready = ".explorer[data-ready='1']"
                times["open"].append(page.evaluate(RUN_CELL, ["bench.ipynb", 1, ready]))
            shown = notebook.ask("[line[0] for line in explorer.scene['nodes']]")
            for v in shown[1 : ROUNDS + 1]:
                marked, told = page.evaluate(SELECT, v)
                times["mark"].append(marked)
                times["select"].append(told)
            column = notebook.ask("tracer.cells[0][1]")
            for k in range(ROUNDS):
                value = "" if k % 2 else str(k / 4)
                times["trace"].append(page.evaluate(EDIT, [column, value]))
            for slider in SLIDERS:
                for k in range(ROUNDS):
                    step = page.evaluate(SLIDE, [*slider, 0.1 + 0.05 * k])
                    times.setdefault(slider, []).append(step)
            n_nodes = notebook.ask("n_nodes")
            reached = notebook.ask("len(tracer.trace)")
    wanted: dict[Any, int] = {"open": 1500, "mark": 100, "select": 100, "trace": 150}
    wanted |= dict.fromkeys(SLIDERS, 300)
    words: dict[Any, str] = SLIDERS | {
        "open": f"open a tree of {n_nodes} nodes ({len(shown)} shown)",
        "mark": "select a node: it is marked",
        "select": "select a node: the panel tells about it",
        "trace": f"edit a row: two traces, up to {reached} nodes reached",
    }
    write(
        "widgets",
        "Widgets in JupyterLab: milliseconds that a person waits",
        "8000 rows (sliders: 1000), 20 columns, 3 classes, 15 % of cells missing. From the event "
        "in the page until the frame that shows it, through the kernel and back; median and "
        f"slowest, wall clock, on a machine with a load of {os.getloadavg()[0]:.0f}.",
        ["what", "median", "slowest", "wanted"],
        [
            [words[k], f"{statistics.median(v):.0f}", f"{max(v):.0f}", f"< {wanted[k]}"]
            for k, v in times.items()
        ],
    )


if __name__ == "__main__":
    main()
