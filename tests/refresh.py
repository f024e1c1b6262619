"""Run notebooks in a fresh kernel and store outputs that give small diffs.

python tests/refresh.py [notebook ...]

Without arguments, all notebooks and their solutions. A solution that is named also writes
its notebook anew, the one without the answers: a change to both is made in the solution.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import nbformat
from exercises import NOTEBOOKS, SOLUTIONS, unfilled
from nbclient import NotebookClient

WIDGET = "application/vnd.jupyter.widget-view+json"


def execute(path: Path) -> nbformat.NotebookNode:
    """Run a notebook from top to bottom and return it with clean outputs."""
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(
        notebook,
        timeout=300,
        kernel_name="python3",
        record_timing=False,
        store_widget_state=False,
        resources={"metadata": {"path": str(path.parent)}},
        extra_arguments=["--IPKernelApp.log_level=ERROR"],
    ).execute()
    return clean(notebook)


def clean(notebook: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """Drop what changes from run to run and what no reader can see."""
    notebook.metadata = nbformat.from_dict(
        {
            "kernelspec": {
                "name": "python3",
                "display_name": "Python 3 (ipykernel)",
                "language": "python",
            },
            "language_info": {"name": "python"},
        }
    )
    for cell in notebook.cells:
        for name in ("execution", "ExecuteTime", "collapsed", "scrolled"):
            cell.metadata.pop(name, None)
        if cell.cell_type == "code":
            cell.outputs = joined([o for o in cell.outputs if o.get("name") != "stderr"])
            describe_figures(cell)
            for output in cell.outputs:
                if len(output.get("data", {})) > 1:
                    output.data.pop(WIDGET, None)  # else Lab shows "model not found"
    return notebook


def joined(outputs: list[nbformat.NotebookNode]) -> list[nbformat.NotebookNode]:
    """Put text together that came in pieces: where it is cut is a matter of timing."""
    whole: list[nbformat.NotebookNode] = []
    for output in outputs:
        if output.get("name") == "stdout" and whole and whole[-1].get("name") == "stdout":
            whole[-1].text += output.text
        else:
            whole.append(output)
    return whole


def describe_figures(cell: nbformat.NotebookNode) -> None:
    """Make the printed description of a figure, often of several lines, its alternative text."""
    printed = " ".join("".join(o.text for o in cell.outputs if o.get("name") == "stdout").split())
    for output in cell.outputs:
        if "image/png" in output.get("data", {}) and printed:
            output.metadata["image/png"] = {"alt": printed}


def main(arguments: list[str]) -> int:
    everything = [*NOTEBOOKS.glob("[0-9]*.ipynb"), *SOLUTIONS.glob("[0-9]*.ipynb")]
    paths = [Path(a).resolve() for a in arguments]
    for path in list(paths):
        if path.parent == SOLUTIONS:
            notebook = NOTEBOOKS / path.name
            nbformat.write(unfilled(nbformat.read(path, as_version=4)), notebook)
            paths += [notebook] * (notebook not in paths)
    for path in paths or sorted(everything):
        start = time.perf_counter()
        nbformat.write(execute(path), path)
        print(f"{path.parent.name}/{path.name}  {time.perf_counter() - start:.1f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
