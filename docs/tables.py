"""Write tables of the README and DATA_LICENSES.md from what package and notebooks say themselves.

Run this script after adding a strategy, a notebook or a data set; a test compares.
"""

from __future__ import annotations

import inspect
import json
import re
from pathlib import Path

from mdtree_nb import datasets, strategies

ROOT = Path(__file__).resolve().parents[1]
README = ROOT / "README.md"
LICENCES = ROOT / "mdtree_nb" / "data" / "DATA_LICENSES.md"


def strategy_table() -> str:
    """One line per strategy: names, what it does, what it was checked against."""
    lines = ["| `missing=` | a missing value | status | checked against |", "|---|---|---|---|"]
    for name, cls in strategies.all_strategies().items():
        names = ", ".join(f"`{n}`" for n in (name, *cls.aliases))
        first = inspect.cleandoc(cls.__doc__ or "").split("\n\n")[0].replace("\n", " ")
        status = "experimental" if cls.experimental else "ready"
        lines.append(f"| {names} | {first} | {status} | {cls.checked_against} |")
    return "\n".join(lines)


def notebook_table() -> str:
    """One line per notebook: its title and its question."""
    lines = ["| notebook | its question |", "|---|---|"]
    for path in sorted((ROOT / "notebooks").glob("[0-9]*.ipynb")):
        head = "".join(json.loads(path.read_text(encoding="utf-8"))["cells"][0]["source"])
        title = head.splitlines()[0].removeprefix("# ")
        question = re.search(r"\*\*Question\.\*\*(.*?)(\n\n|$)", head, re.S)
        if question is None:
            raise ValueError(f"{path.name}: the first cell asks no **Question.**")
        text = " ".join(question[1].split())
        lines.append(f"| [{path.stem[:2]}](notebooks/{path.name}) {title} | {text} |")
    return "\n".join(lines)


def data_table() -> str:
    """One line per data set with holes, then the names of the complete ones."""
    table = datasets.overview()
    holes = table[table["missing"] > 0].sort_values("missing", ascending=False)
    lines = ["| with holes | rows | features | cells missing | classes |", "|---|---|---|---|---|"]
    for name, line in holes.iterrows():
        classes = line["classes"] or "numbers"
        size = f"{line['rows']} | {line['features']} | {line['missing']:.1%}".replace("%", " %")
        lines.append(f"| `{name}`: {line['title']} | {size} | {classes} |")
    complete = ", ".join(f"`{name}`" for name in table.index[table["missing"] == 0])
    return "\n".join([*lines, "", f"Complete, to make holes in: {complete}."])


def licence_page() -> str:
    """Origin, licence and changes of every data set, from its own first line."""
    lines = [
        "# Data sets: where they come from and how they may be used",
        "",
        "Written by docs/tables.py from the first lines of the files. The code of mdtree_nb is",
        "under BSD-3-Clause; the tables keep the licences named here. CC BY 4.0 is",
        "<https://creativecommons.org/licenses/by/4.0/>, CC0 1.0 is",
        "<https://creativecommons.org/publicdomain/zero/1.0/>.",
    ]
    for name in datasets.list_datasets():
        info = datasets.describe(name)
        lines += ["", f"## {name}", "", info["title"], ""]
        lines += [
            f"- {key}: {info[key]}"
            for key in ("source", "licence", "changes", "missing", "note")
            if key in info
        ]
    return "\n".join(lines) + "\n"


BLOCKS = {"strategies": strategy_table, "notebooks": notebook_table, "data": data_table}


def filled(text: str) -> str:
    """Put fresh tables between the marks of a page."""
    for name, table in BLOCKS.items():
        start, end = f"<!-- {name} -->\n", f"<!-- /{name} -->"
        if text.count(start) != 1 or text.count(end) != 1:
            raise ValueError(f"README.md must have one block <!-- {name} -->")
        before, rest = text.split(start)
        text = f"{before}{start}{table()}\n{end}{rest.split(end)[1]}"
    return text


if __name__ == "__main__":
    README.write_text(filled(README.read_text(encoding="utf-8")), encoding="utf-8")
    LICENCES.write_text(licence_page(), encoding="utf-8")
