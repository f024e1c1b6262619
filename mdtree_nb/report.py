"""What `mdtree-nb compare` reads and writes: a table, a ranking, a notebook and a page.

The notebook is made from the cells below, executed with the user's own table and turned
into HTML; so a reader can go on from there.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import pandas as pd

from .datasets import load
from .evaluation.comparison import Comparison
from .inputs import guess_task
from .missingness import missing_summary
from .strategies import all_strategies

BUNDLED = "horse_colic"


@dataclass(frozen=True)
class Question:
    """A table and what is to be predicted from it.

    Attributes
    ----------
    name : str
        Of the table.
    X : DataFrame
    y : Series
    task : {"classification", "regression"}
    notes : list of str
        What was left out or looks odd.
    code : str
        Python lines that make `X` and `y` again.
    """

    name: str
    X: pd.DataFrame
    y: pd.Series
    task: str
    notes: list[str]
    code: str


def read_question(
    data: str | None,
    target: str | None,
    *,
    na: Iterable[str] = (),
    drop: Iterable[str] = (),
    encoding: str = "utf-8",
    task: str = "auto",
) -> Question:
    """Read the table and split off the target.

    Parameters
    ----------
    data : str or None
        CSV or Parquet file; None = the bundled horse_colic, lived or lost.
    target : str or None
    na : iterable of str, default=()
        Texts that mean missing, besides an empty cell, NA, NaN, null and the like.
    drop : iterable of str, default=()
        Columns to leave out.
    encoding : str, default="utf-8"
    task : {"auto", "classification", "regression"}, default="auto"

    Returns
    -------
    Question

    Raises
    ------
    ValueError
        For a missing file or column, an unreadable file and an empty target.
    """
    if data is None:
        if target is not None:
            raise ValueError("--target goes with --data; the bundled table has its own question.")
        return _bundled(list(drop))
    path, na, drop = Path(data), list(na), list(drop)
    frame = _read(path, na, encoding)
    if target is None:
        raise ValueError(f"--target is missing; choose one of {_listed(frame.columns)}.")
    _check_columns([target, *drop], frame.columns, path.name)
    if target in drop:
        raise ValueError(f"--drop {target} leaves out the target; name only one of them.")
    frame = frame.drop(columns=drop)
    notes = []
    y = frame.pop(target)
    unlabelled = int(y.isna().sum())
    if unlabelled == len(y):
        raise ValueError(f"column {target!r} is empty; there is nothing to predict.")
    if frame.shape[1] == 0:
        raise ValueError(f"{path.name} has no column besides {target!r} to predict it from.")
    if unlabelled:
        notes.append(f"{unlabelled} rows without {target} are left out.")
        frame, y = frame[y.notna()], y[y.notna()]
    notes += _oddities(frame)
    task = guess_task(y) if task == "auto" else task
    reader = "read_parquet" if _is_parquet(path) else "read_csv"
    arguments = [repr(str(path.resolve()))]
    if reader == "read_csv" and na:
        arguments.append(f"na_values={na!r}")
    if reader == "read_csv" and encoding != "utf-8":
        arguments.append(f"encoding={encoding!r}")
    without = f".drop(columns={drop!r})" if drop else ""
    code = (
        f"frame = pd.{reader}({', '.join(arguments)}){without}\n"
        f"frame = frame[frame[{target!r}].notna()]\n"
        f"X, y = frame.drop(columns={target!r}), frame[{target!r}]"
    )
    return Question(path.name, frame, y, task, notes, code)


def _bundled(drop: list[str]) -> Question:
    data = load(BUNDLED)
    _check_columns(drop, data.X.columns, BUNDLED)
    y = data.y.where(data.y == "lived", "lost")
    without = f".drop(columns={drop!r})" if drop else ""
    code = (
        f'data = md.load("{BUNDLED}")\n'
        f"X = data.X{without}\n"
        'y = data.y.where(data.y == "lived", "lost")  # died or euthanized'
    )
    return Question(BUNDLED, data.X.drop(columns=drop), y, "classification", [], code)


def _check_columns(asked: list[str], columns: Iterable[Any], name: str) -> None:
    known = list(map(str, columns))
    for column in asked:
        if column not in known:
            near = get_close_matches(column, known, n=1)
            hint = f" Did you mean {near[0]!r}?" if near else ""
            raise ValueError(f"{name} has no column {column!r}.{hint} It has {_listed(known)}.")


def _is_parquet(path: Path) -> bool:
    return path.suffix.lower() in (".parquet", ".pq")


def _read(path: Path, na: list[str], encoding: str) -> pd.DataFrame:
    if not path.exists():
        raise ValueError(f"there is no file {str(path)!r}.")
    if path.is_dir():
        raise ValueError(f"{str(path)!r} is a folder; name a CSV or Parquet file in it.")
    try:
        if _is_parquet(path):
            return pd.read_parquet(path)
        return pd.read_csv(path, na_values=na, encoding=encoding)
    except UnicodeDecodeError as error:
        raise ValueError(
            f"{path.name} is not {encoding} text (byte {error.start}); name its encoding, for "
            "instance --encoding latin-1."
        ) from error
    except LookupError as error:
        raise ValueError(f"--encoding {encoding} is not an encoding that Python knows.") from error
    except pd.errors.EmptyDataError as error:
        raise ValueError(f"{path.name} is empty.") from error
    except pd.errors.ParserError as error:
        raise ValueError(f"{path.name} is not a readable CSV file: {error}") from error
    except ImportError as error:
        raise ValueError("reading Parquet needs pyarrow: pip install pyarrow.") from error


def _listed(columns: Iterable[Any], most: int = 12) -> str:
    names = [repr(str(name)) for name in columns]
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def _oddities(frame: pd.DataFrame) -> list[str]:
    """Columns that may not be what they seem."""
    notes = []
    for name, column in frame.items():
        if pd.api.types.is_numeric_dtype(column):
            continue
        values = column.dropna().astype(str)
        for mark in ("?", "-", ".", "unknown"):
            if (values.str.strip() == mark).any():
                notes.append(
                    f"column {name!r} holds {mark!r}; if that means missing, add --na '{mark}'."
                )
        if len(values) > 20 and values.nunique() > 0.9 * len(values):
            notes.append(
                f"column {name!r} has {values.nunique()} levels in {len(values)} rows; if it is an "
                f"identifier, add --drop {name}."
            )
    return notes


def describe_question(question: Question) -> str:
    """Say what is compared, and what is missing where."""
    summary = missing_summary(question.X)
    totals = summary.attrs
    shown = summary[summary["missing"] > 0].head(8)
    lines = [
        f"{question.name}: {totals['rows']} rows, {totals['columns']} columns, {question.task} of "
        f"{question.y.name or 'y'}",
        f"missing: {totals['cells_missing']} of {question.X.size} cells "
        f"({totals['share_missing']:.1%}); complete: {totals['complete_rows']} of "
        f"{totals['rows']} rows, {totals['complete_columns']} of {totals['columns']} columns",
    ]
    width = max((len(str(name)) for name in shown.index), default=0)
    lines += [
        f"  {name!s:{width}s}  {row.missing:6d}  {row.share:6.1%}"
        for name, row in zip(shown.index, shown.itertuples(), strict=True)
    ]
    rest = int((summary["missing"] > 0).sum()) - len(shown)
    if rest > 0:
        lines.append(f"  and {rest} more columns with fewer")
    return "\n".join([*lines, *(f"note: {note}" for note in question.notes)])


def ranking(comparison: Comparison) -> str:
    """Write the ranked table as text, with fit times, and what there is to say of a strategy."""
    ranked, table = set(comparison.ranked), comparison.summary(times=True)
    width = max(len(str(name)) for name in table.index)
    head = f"{'':{width}s}  {comparison.scoring:>9s}      sd  behind      p  leaves  fit ms"
    lines = [head]
    for name, row in table.iterrows():
        if name not in ranked:
            part = "" if pd.isna(row["mean"]) else f"{row['mean']:9.3f}  not ranked, "
            lines.append(f"{name!s:{width}s}  {part}{row['note']}")
            continue
        lines.append(
            f"{name!s:{width}s}  {row['mean']:9.3f}  {row['sd']:6.3f}  {row['behind']:6.3f}  "
            f"{row['p_value']:5.3f}  {row['leaves']:6.1f}  {1000 * row['fit_seconds']:6.1f}"
        )
        if row["note"]:
            lines.append(f"{'':{width}s}    {row['note']}")
    return "\n".join(lines)


def write_report(question: Question, comparison: Comparison, folder: str | Path) -> list[Path]:
    """Write the scores, an executed notebook and its HTML page.

    Parameters
    ----------
    question : Question
    comparison : Comparison
    folder : str or Path
        Made where it does not exist.

    Returns
    -------
    list of Path
        What was written.

    Raises
    ------
    ImportError
        Where the packages of the extra "report" are not installed.
    """
    try:
        import nbformat
        from nbclient import NotebookClient
        from nbconvert import HTMLExporter
    except ImportError as error:
        raise ImportError(
            f"{error}; a report needs more packages: pip install 'mdtree-nb[report]', or add "
            "--no-report."
        ) from error
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    scores, page = folder / "comparison.json", folder / "comparison.html"
    comparison.save(scores)
    notebook = nbformat.v4.new_notebook(cells=_cells(question, comparison, nbformat.v4))
    notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3"}
    NotebookClient(
        notebook,
        timeout=600,
        kernel_name="python3",
        resources={"metadata": {"path": str(folder)}},
        extra_arguments=["--IPKernelApp.log_level=ERROR"],
    ).execute()
    path = folder / "comparison.ipynb"
    nbformat.write(notebook, path)
    html, _ = HTMLExporter(template_name="classic").from_notebook_node(notebook)
    page.write_text(html, encoding="utf-8")
    return [scores, path, page]


def _cells(question: Question, comparison: Comparison, v4: Any) -> list[Any]:
    """Cells of the report."""
    tree = "MDTreeClassifier" if question.task == "classification" else "MDTreeRegressor"
    best = comparison.best
    notes = "".join(f"\n- {note}" for note in question.notes)
    text, code = v4.new_markdown_cell, v4.new_code_cell
    cells = [
        text(
            f"# Which missing-value strategy for {question.name}?\n\n"
            f"{len(question.X)} rows, {question.X.shape[1]} columns, {question.task} of "
            f"`{question.y.name}`. Every strategy saw the same folds and the same tree settings."
            + notes
        ),
        code("import matplotlib.pyplot as plt\nimport pandas as pd\n\nimport mdtree_nb as md"),
        code(question.code),
        text("## What is missing where"),
        code("md.missing_summary(X).round(3)"),
        text(
            "## The ranking\n\n`behind` is the distance to the best, `p_value` belongs to that "
            "distance (corrected resampled t-test). `comparison.by(metric)` ranks by another "
            "metric, `comparison.differences()` lists all pairs. To compute scores: "
            "`md.compare(X, y)`, with the options that were chosen."
        ),
        code('comparison = md.Comparison.load("comparison.json")\ncomparison.summary().round(3)'),
        code("print(comparison.sentence())"),
    ]
    if best is None:
        return cells
    cells.append(code("comparison.plot()\nplt.show()"))
    if best not in all_strategies():
        return cells
    return [
        *cells,
        text(f"## The tree of `{best}`\n\nThe top of the tree, grown on all rows."),
        code(
            f'model = md.{tree}(missing="{best}", max_depth=3, min_samples_leaf=5).fit(X, y)\n'
            "print(md.export_text(model))"
        ),
        text("## One row with holes, step by step"),
        code(
            "row = X.isna().sum(axis=1).argmax()\n"
            'model.explain_row(X.iloc[row]).drop(columns="goes_to").round(3)'
        ),
    ]
