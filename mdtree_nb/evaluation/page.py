"""A comparison as one HTML page that needs no other file."""

from __future__ import annotations

import base64
from html import escape
from typing import TYPE_CHECKING

import pandas as pd

if TYPE_CHECKING:
    from .comparison import Comparison

_STYLE = """
:root { color-scheme: light dark; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; margin: 1rem 0; display: block; overflow-x: auto; }
th, td { padding: .25rem .7rem; text-align: right; border-bottom: 1px solid #8884; }
.words { text-align: left; }
img { max-width: 100%; height: auto; background: #fff; }
"""


def comparison_page(comparison: Comparison) -> str:
    """Make a page of the sentence, the ranking, a picture and all pairs.

    Parameters
    ----------
    comparison : Comparison

    Returns
    -------
    str
        Names of strategies are escaped.
    """
    title = f"Strategies compared by {comparison.scoring}"
    table = comparison.summary()
    if not table["note"].any():
        table = table.drop(columns="note")
    pairs = comparison.differences()
    parts = [
        f"<h1>{escape(title)}</h1>",
        f"<p>{escape(comparison.sentence())}</p>",
        _table(table.reset_index(), ["strategy", "note"]),
        _picture(comparison),
    ]
    if len(pairs):
        parts += [
            "<h2>All pairs</h2>",
            "<p>Mean difference a &minus; b with its 95 % interval, corrected for the overlap of "
            "the folds; p_holm is also corrected for the number of pairs.</p>",
            _table(pairs, ["a", "b"]),
        ]
    body = "\n".join(part for part in parts if part)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n"
        f"<body>\n{body}\n</body>\n</html>\n"
    )


def _table(table: pd.DataFrame, words: list[str]) -> str:
    head = "".join(
        f'<th scope="col"{" class=words" * (name in words)}>{escape(str(name))}</th>'
        for name in table.columns
    )
    lines = []
    for values in table.itertuples(index=False):
        cells = []
        for name, value in zip(table.columns, values, strict=True):
            if name in words:
                cells.append(f'<td class="words">{escape(str(value))}</td>')
            else:
                cells.append(f"<td>{'' if pd.isna(value) else f'{value:.3f}'}</td>")
        lines.append(f"<tr>{''.join(cells)}</tr>")
    return (
        f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n"
        + "\n".join(lines)
        + ("\n</tbody>\n</table>")
    )


def _picture(comparison: Comparison) -> str:
    if comparison.best is None:
        return ""
    from ..plots import describe_axes
    from ..plots.picture import as_png

    ax = comparison.plot()
    words = escape(describe_axes(ax))
    data = base64.b64encode(as_png(ax.figure)).decode("ascii")
    return f'<img alt="{words}" src="data:image/png;base64,{data}">'
