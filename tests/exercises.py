"""A solution and the notebook that it fills: which lines differ, and how one makes the other.

`notebooks/solutions/NN_name.ipynb` is the source. Its answers are lines that end in
`# solution`, in cells with the tag `solution`; the notebook has `...` there. Links that leave
the folder of the solutions, as `../01_x.ipynb`, lose that step in the notebook.
"""

from __future__ import annotations

import copy
import re
from pathlib import Path

import nbformat

NOTEBOOKS = Path(__file__).resolve().parents[1] / "notebooks"
SOLUTIONS = NOTEBOOKS / "solutions"
TAG = "solution"
MARK = "# solution"
ANSWER = re.compile(r"^(answer = )(?!\.\.\.)\S.*?  # solution$", re.M)


def answered(source: str, answer: str) -> str:
    """Replace what stands in the answer line of an exercise.

    Parameters
    ----------
    source : str
        A cell of a solution.
    answer : str
        Python code.

    Returns
    -------
    str

    Raises
    ------
    ValueError
        Unless there is one such line, and all marks are in answer lines.
    """
    found = ANSWER.findall(source)
    if len(found) != 1 or source.count(MARK) != 1:
        raise ValueError(
            f"an exercise has one line 'answer = ...  {MARK}', with two blanks before the mark; "
            f"this cell has {len(found)}:\n{source}"
        )
    return ANSWER.sub(lambda line: line[1] + answer, source)


def is_exercise(cell: nbformat.NotebookNode) -> bool:
    """Tell whether a cell of a solution holds an answer."""
    return cell.cell_type == "code" and TAG in cell.metadata.get("tags", [])


def unfilled(solution: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """Take the answers out of a solution.

    Parameters
    ----------
    solution : NotebookNode

    Returns
    -------
    NotebookNode
        The notebook, not executed.

    Raises
    ------
    ValueError
        For an answer without its mark, and a mark without its tag.
    """
    notebook = copy.deepcopy(solution)
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = cell.source.replace("](../", "](")
        if cell.cell_type != "code":
            continue
        cell.outputs, cell.execution_count = [], None
        if is_exercise(cell):
            cell.source = answered(cell.source, "...")
            tags = [tag for tag in cell.metadata["tags"] if tag != TAG]
            cell.metadata.pop("tags")
            if tags:
                cell.metadata["tags"] = tags
        elif MARK in cell.source:
            raise ValueError(f"a cell with {MARK!r} needs the tag {TAG!r}:\n{cell.source}")
    return notebook
