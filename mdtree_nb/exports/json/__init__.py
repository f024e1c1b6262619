"""export_json and import_json: a fitted model as text, and back, without any loss.

The document holds everything that predictions come from: the schema of the columns, the
classes, every array of every tree, the strategy that predicts and what it remembers, and
the estimator's parameters. Floats are written in the shortest digits that read back to
the same number.

Here: text and files. `model.py` writes and reads the parts of a model, `values.py` single
values and arrays, `tree/validation.py` judges whether a tree holds together.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from sklearn.utils.validation import check_is_fitted

from ...estimators import MDTreeClassifier, MDTreeRegressor
from .model import ESTIMATORS, read_model, write_model

__all__ = ["export_json", "import_json"]


def export_json(
    model: MDTreeClassifier | MDTreeRegressor, path: str | os.PathLike[str] | None = None
) -> str:
    """Write a fitted model as JSON.

    `import_json` makes the same model of it again: equal trees, equal predictions, for
    every row that the model can predict.

    Parameters
    ----------
    model : fitted MDTreeClassifier or MDTreeRegressor
    path : str, path or None, default=None
        File to write to as well.

    Returns
    -------
    str

    Raises
    ------
    TypeError
        When something has no lossless form: a strategy that does not come with the
        package, a strategy that remembers more than plain values and arrays, a
        RandomState as a parameter, labels that are dates.

    Examples
    --------
    >>> import numpy as np
    >>> from mdtree_nb import MDTreeClassifier, export_json, import_json
    >>> X = np.array([[1.0], [2.0], [np.nan], [3.0], [4.0]])
    >>> model = MDTreeClassifier().fit(X, list("aabbb"))
    >>> same = import_json(export_json(model))
    >>> same.tree_ == model.tree_
    True
    """
    name = type(model).__name__
    if ESTIMATORS.get(name) is not type(model):
        raise TypeError(
            f"model={name} cannot be written as JSON; pass a fitted {' or '.join(ESTIMATORS)}."
        )
    check_is_fitted(model)
    text = _layout(write_model(model)) + "\n"
    if path is not None:
        Path(path).write_text(text, encoding="utf-8", newline="\n")
    return text


def import_json(text_or_path: str | os.PathLike[str]) -> MDTreeClassifier | MDTreeRegressor:
    """Read a model that `export_json` wrote.

    Nothing in a document is run or trusted: it is checked whole, and what does not hold
    together is refused.

    Parameters
    ----------
    text_or_path : str or path
        The JSON text, which starts with "{", or the file that holds it.

    Returns
    -------
    MDTreeClassifier or MDTreeRegressor
        Fitted.

    Raises
    ------
    ValueError
        For text that is no model, for a model of a newer format, and for one that does
        not hold together; the message says where.
    """
    try:
        document = json.loads(
            _text_of(text_or_path), object_pairs_hook=_unique, parse_constant=_no_constant
        )
        return read_model(document)
    except RecursionError:
        raise ValueError("the text is nested too deeply to be a model.") from None


def _text_of(text_or_path: str | os.PathLike[str]) -> str:
    if isinstance(text_or_path, str) and text_or_path.lstrip().startswith("{"):
        return text_or_path
    if not isinstance(text_or_path, (str, os.PathLike)):
        raise TypeError(
            f"text_or_path must be JSON text or a path, not a {type(text_or_path).__name__}."
        )
    try:
        return Path(text_or_path).read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        shown = repr(os.fspath(text_or_path))
        raise ValueError(
            f"text_or_path={shown if len(shown) < 80 else shown[:80] + '...'} is neither the text "
            f"of a model, which starts with '{{', nor a file that can be read ({error})."
        ) from error


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    read = dict(pairs)
    if len(read) < len(pairs):
        raise ValueError("an object of the document has the same key twice.")
    return read


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON; numbers that are not finite are written as text.")


def _layout(value: Any, indent: str = "") -> str:
    """Write JSON with one entry per line, but lists of plain values on one line."""
    deeper = indent + " "
    if isinstance(value, dict) and value:
        lines = [f"{json.dumps(k)}: {_layout(v, deeper)}" for k, v in value.items()]
        opening, closing = "{", "}"
    elif isinstance(value, list) and any(isinstance(v, (dict, list)) for v in value):
        lines = [_layout(v, deeper) for v in value]
        opening, closing = "[", "]"
    else:
        return json.dumps(value, allow_nan=False)
    return f"{opening}\n{deeper}" + f",\n{deeper}".join(lines) + f"\n{indent}{closing}"
