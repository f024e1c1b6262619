"""A test of the tests: changed outputs of a notebook are noticed.

One stored output is altered at a time and nbval run on the copy. What must be noticed is,
what must not matter does not.
"""

import base64
import copy
import io
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

ROOT = Path(__file__).resolve().parents[1]
NOTEBOOK = ROOT / "notebooks" / "00_which_strategy.ipynb"


def outputs(notebook, kind):
    """Outputs of the notebook that hold a MIME type, or text of stdout."""
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            if kind in output.get("data", {}) or output.get("name") == kind:
                yield output


def replace_text(notebook, kind, old, new):
    for output in outputs(notebook, kind):
        text = output["text"] if kind == "stdout" else output["data"][kind]
        if old in text:
            changed = text.replace(old, new, 1)
            if kind == "stdout":
                output["text"] = changed
            else:
                output["data"][kind] = changed
            return
    raise AssertionError(f"{old!r} is in no {kind}")


def repaint(notebook, change):
    from PIL import Image

    output = next(outputs(notebook, "image/png"))
    picture = Image.open(io.BytesIO(base64.b64decode(output["data"]["image/png"])))
    buffer = io.BytesIO()
    change(picture.convert("RGB")).save(buffer, format="PNG")
    output["data"]["image/png"] = base64.b64encode(buffer.getvalue()).decode()


def darker_corner(picture):
    width, height = picture.size
    picture.paste((40, 40, 40), (width // 2, height // 2, width // 2 + 60, height // 2 + 20))
    return picture


def resaved(picture):
    return picture.copy()


# Each round alters every cell at most once, so that a failing cell names its change.
ROUNDS = {
    "texts": [
        lambda nb: replace_text(nb, "text/plain", "0.811", "0.812"),
        lambda nb: replace_text(nb, "stdout", "7 of 366", "8 of 366"),
        lambda nb: replace_text(nb, "stdout", "missing Pulse -> #2", "missing Pulse -> #1"),
        lambda nb: replace_text(nb, "stdout", "same answer", "other answer"),
    ],
    "pages and pictures": [
        lambda nb: replace_text(nb, "text/html", "0.811", "0.812"),
        lambda nb: repaint(nb, darker_corner),
    ],
    "nothing that matters": [lambda nb: repaint(nb, resaved)],
}


def code_cells(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def cells_that_fail(notebook):
    """Numbers of the cells that nbval finds changed, and what it prints."""
    path = ROOT / "build" / "mutated.ipynb"
    path.parent.mkdir(exist_ok=True)
    try:
        nbformat.write(notebook, path)
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(path)],
            cwd=ROOT,
            capture_output=True,
            text=True,
        )
    finally:
        path.unlink()
    lines = [line for line in done.stdout.splitlines() if line.startswith("FAILED")]
    assert (done.returncode != 0) == bool(lines), done.stdout[-3000:]
    return {int(line.split("::Cell ")[1].split()[0]) for line in lines}, done.stdout


@pytest.mark.parametrize("round_", ROUNDS)
def test_changed_outputs_are_noticed(round_):
    book = nbformat.read(NOTEBOOK, as_version=4)
    changed = copy.deepcopy(book)
    for change in ROUNDS[round_]:
        change(changed)
    pairs = zip(code_cells(book), code_cells(changed), strict=True)
    altered = {number for number, (a, b) in enumerate(pairs) if a.outputs != b.outputs}
    assert len(altered) == len(ROUNDS[round_])
    failed, shown = cells_that_fail(changed)
    assert failed == (set() if round_ == "nothing that matters" else altered), shown[-3000:]
