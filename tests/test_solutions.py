"""Exercises: a solution is its notebook with answers, right ones pass, wrong ones do not.

The outputs of solutions are compared by nbval like those of the notebooks.
"""

import contextlib
import copy
import io

import matplotlib.pyplot as plt
import nbformat
import numpy as np
import pandas as pd
import pytest
from exercises import MARK, NOTEBOOKS, SOLUTIONS, TAG, answered, is_exercise, unfilled

from mdtree_nb.teaching import NotYet, check

PATHS = sorted(SOLUTIONS.glob("*.ipynb"))
FIX = "change the solution; `python3 dev.py refresh notebooks/solutions/{}` writes both"


@pytest.fixture(params=PATHS, ids=lambda path: path.stem)
def pair(request):
    """A notebook and its solution."""
    notebook = NOTEBOOKS / request.param.name
    return [nbformat.read(path, as_version=4) for path in (notebook, request.param)]


def parts(book):
    """What a person writes: kind, source and tags of each cell."""
    return [(c.cell_type, c.source, c.metadata.get("tags", [])) for c in book.cells]


def texts(cell):
    """What a cell printed or returned, without pictures."""
    shown = [(o.get("name"), o.get("text"), dict(o.get("data", {}))) for o in cell.outputs]
    return [
        (name, text, {k: v for k, v in d.items() if "image" not in k}) for name, text, d in shown
    ]


def test_every_notebook_with_exercises_has_a_solution():
    asking = {
        path.name
        for path in NOTEBOOKS.glob("*.ipynb")
        if "answer = ..." in path.read_text(encoding="utf-8")
    }
    assert asking
    assert {path.name for path in PATHS} == asking


def test_without_its_answers_it_is_the_notebook(pair, request):
    notebook, solution = pair
    fix = FIX.format(f"{request.node.callspec.id}.ipynb")
    assert parts(unfilled(solution)) == parts(notebook), fix
    for mine, theirs in zip(notebook.cells, solution.cells, strict=True):
        if mine.cell_type == "code" and not is_exercise(theirs):
            assert texts(mine) == texts(theirs), fix


def test_exercises_are_checked(pair):
    notebook, solution = pair
    exercises = [cell for cell in solution.cells if is_exercise(cell)]
    assert exercises
    for cell in exercises:
        assert cell.source.count("teaching.check(answer, ") == 1
        assert "hint=" in cell.source, "a wrong answer gets a hint"
    for cell in notebook.cells:
        assert not is_exercise(cell)
        assert MARK not in cell.source


def a_wrong_one(value):
    """An answer of the same kind that is not right: one value differs."""
    if isinstance(value, (bool, np.bool_)):
        return not value
    if isinstance(value, (str, bytes)):
        return value + value[:1] + "x"
    if isinstance(value, (pd.Series, pd.DataFrame, np.ndarray)):
        wrong = value.astype(object).copy()
        first = (0,) * wrong.ndim
        cells = wrong if isinstance(wrong, np.ndarray) else wrong.iloc
        cells[first] = a_wrong_one(cells[first])
        return wrong
    if isinstance(value, dict):
        name = next(iter(value))
        return {**value, name: a_wrong_one(value[name])}
    if isinstance(value, (set, frozenset)):
        return {*list(value)[1:], a_wrong_one(next(iter(value)))}
    if isinstance(value, (list, tuple)):
        return [a_wrong_one(value[0]), *value[1:]]
    if value is None or pd.isna(value):
        return 0
    return value + max(1, abs(value))


def run(source, scope):
    """Run a cell and return what it printed."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(source, "cell", "exec"), scope)
    return printed.getvalue()


def test_right_answers_pass_and_wrong_ones_do_not(pair, monkeypatch):
    plt.switch_backend("agg")  # no window opens where there is a screen
    monkeypatch.setattr(plt, "show", lambda: plt.close("all"))
    _, solution = pair
    code = [cell for cell in solution.cells if cell.cell_type == "code"]
    last = max(i for i, cell in enumerate(code) if is_exercise(cell))
    scope = {}
    for cell in code[: last + 1]:
        if not is_exercise(cell):
            run(cell.source, scope)
            continue
        assert run(answered(cell.source, "..."), dict(scope)) == (
            "Your turn: replace the ... by your answer.\n"
        )
        assert run(cell.source, scope) == "Right.\n"
        scope["wrong"] = a_wrong_one(scope["answer"])
        with pytest.raises(NotYet, match="Hint: "):
            run(answered(cell.source, "wrong"), dict(scope))
        with pytest.raises(NotYet):
            run(answered(cell.source, "object()"), dict(scope))


@pytest.mark.parametrize(
    "value",
    [1, 0, -2.5, 0.0, True, "no pain", None, np.nan, np.float64(0.3), np.bool_(False)]
    + [[1, 2], ("Pulse", 26), {"a": 1}, {1, 2}, np.eye(2), pd.Series({"a": 1.0, "b": 2.0})]
    + [pd.DataFrame({"a": [1, 2]}, index=["x", "y"])],
    ids=lambda value: type(value).__name__,
)
def test_wrong_ones_are_wrong(value):
    before = copy.deepcopy(value)
    check(value, value)
    with pytest.raises(NotYet):
        check(a_wrong_one(value), value)
    check(value, before)


# -- the mechanism ----------------------------------------------------------------


def small_solution():
    new = nbformat.v4
    exercise = new.new_code_cell("answer = 4 / 9  # solution\nmd.teaching.check(answer, 0.4444)")
    exercise.metadata["tags"] = [TAG]
    exercise.outputs = [new.new_output("stream", text="Right.\n")]
    cells = [
        new.new_markdown_cell(
            "# One\n[two](../02_two.ipynb) [site](https://example.org) [here](#a)"
        ),
        new.new_code_cell("import mdtree_nb as md", metadata={"tags": ["setup"]}),
        exercise,
    ]
    return new.new_notebook(cells=cells)


def test_answers_and_folders_are_taken_out():
    solution = small_solution()
    before = copy.deepcopy(solution)
    first, second, third = unfilled(solution).cells
    assert first.source == "# One\n[two](02_two.ipynb) [site](https://example.org) [here](#a)"
    assert second == {**solution.cells[1], "outputs": [], "execution_count": None}
    assert third.source == "answer = ...\nmd.teaching.check(answer, 0.4444)"
    assert third.outputs == []
    assert "tags" not in third.metadata
    assert solution == before


@pytest.mark.parametrize(
    "cell, old, new, message",
    [
        (2, "  # solution", "", "this cell has 0"),
        (2, "4 / 9", "...", "this cell has 0"),
        (2, "answer = 4", "reply = 4", "this cell has 0"),
        (2, "md.", "answer = 1  # solution\nmd.", "this cell has 2"),
        (2, "md.", "x = 1  # solution\nmd.", "this cell has 1"),
        (1, "as md", "as md  # solution", "needs the tag 'solution'"),
    ],
)
def test_slips_in_a_solution_are_named(cell, old, new, message):
    solution = small_solution()
    solution.cells[cell].source = solution.cells[cell].source.replace(old, new)
    with pytest.raises(ValueError, match=message):
        unfilled(solution)
