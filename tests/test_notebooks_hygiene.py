"""Rules that keep notebooks readable, quiet in git and strict under nbval."""

import re
from pathlib import Path

import nbformat
import pytest

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "notebooks"
NOTEBOOKS = sorted(p for p in FOLDER.rglob("*.ipynb") if ".ipynb_checkpoints" not in p.parts)
TAGS = {"parameters", "raises-exception", "setup", "solution", "hide-input"}


def test_there_are_notebooks():
    assert NOTEBOOKS


@pytest.fixture(params=NOTEBOOKS, ids=lambda p: p.relative_to(FOLDER).as_posix())
def notebook(request):
    return request.param, nbformat.read(request.param, as_version=4)


def code_cells(notebook):
    return [c for c in notebook.cells if c.cell_type == "code" and c.source.strip()]


def test_file(notebook):
    path, book = notebook
    nbformat.validate(book)
    assert re.fullmatch(r"\d\d_[a-z0-9_]+\.ipynb", path.name), "NN_lower_snake.ipynb"
    assert path.stat().st_size < 1_000_000, "too big for previews and for git"
    assert book.metadata.kernelspec.name == "python3", "a private kernel fails elsewhere"
    assert "widgets" not in book.metadata, "saved widget state churns; run dev.py refresh"
    assert book.cells[0].source.startswith("# ")
    assert sum("parameters" in c.metadata.get("tags", []) for c in book.cells) <= 1


def test_headings_without_gaps_and_images_with_text(notebook):
    _, book = notebook
    level = 1
    for cell in book.cells:
        if cell.cell_type != "markdown":
            continue
        for marks in re.findall(r"^(#+) ", re.sub(r"```.*?```", "", cell.source, flags=re.S), re.M):
            assert len(marks) <= level + 1, cell.source
            level = len(marks)
        assert not re.search(r"!\[\s*\]\(", cell.source), "image without alternative text"


def test_links_lead_somewhere(notebook):
    path, book = notebook
    for cell in book.cells:
        if cell.cell_type == "markdown":
            for target in re.findall(r"\]\(([^)#]+)", cell.source):
                assert target.startswith("https://") or (path.parent / target).exists(), target


def test_executed_in_order_and_quiet(notebook):
    _, book = notebook
    for number, cell in enumerate(code_cells(book), start=1):
        assert cell.execution_count == number, "not run top to bottom; run dev.py refresh"
        tags = set(cell.metadata.get("tags", []))
        assert tags <= TAGS, tags - TAGS
        assert not cell.source.rstrip().endswith(";"), "';' does not silence nbval"
        for output in cell.outputs:
            assert output.get("name") != "stderr", "stored warning or progress bar"
            assert output.output_type != "error" or "raises-exception" in tags


def without_pictures(output):
    """An output less its PNG: base64 spells anything, addresses too, and nobody reads it."""
    shown = {kind: text for kind, text in output.get("data", {}).items() if kind != "image/png"}
    return {**output, "data": shown}


def test_outputs_stay_the_same_elsewhere(notebook):
    _, book = notebook
    for cell in code_cells(book):
        text = str([without_pictures(output) for output in cell.outputs])
        assert not re.search(r"0x[0-9a-f]{6,}", text), "a memory address"
        assert not re.search(r"(/home/|/Users/|/root/|[A-Z]:\\\\)", text + cell.source), "a path"


def test_figures_have_descriptions(notebook):
    _, book = notebook
    for cell in code_cells(book):
        pictures = [o for o in cell.outputs if "image/png" in o.get("data", {})]
        printed = [o for o in cell.outputs if o.get("name") == "stdout"]
        assert not pictures or printed, "print(md.describe_axes(ax)) in the cell of a figure"
        assert all(o.metadata.get("image/png", {}).get("alt") for o in pictures)
