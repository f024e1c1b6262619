"""The parts of a model as JSON: parameters, schema, classes, trees, prediction.

FORMAT and VERSION say what a document is. A change that an older reader would
misunderstand raises VERSION; documents of every version so far stay readable, which files
in tests/golden/ hold. A new array of Tree with a default needs no new version: documents
from before simply lack it.
"""

from __future__ import annotations

from dataclasses import MISSING, fields
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ... import __version__
from ...columns import level_keys
from ...estimators import MDTreeClassifier, MDTreeRegressor
from ...inputs import check_choice
from ...prediction import Predictor
from ...prunings import get_pruning
from ...schema import Schema
from ...strategies import Strategy
from ...table import Table
from ...tree.criteria import get_criterion
from ...tree.structure import Tree
from ...tree.surrogates import Surrogates
from ...tree.validation import array_types, check_tree
from .values import (
    decode,
    decode_array,
    decode_parameters,
    encode,
    encode_array,
    encode_parameters,
)

FORMAT = "mdtree_nb model"
VERSION = 1
ESTIMATORS = {cls.__name__: cls for cls in (MDTreeClassifier, MDTreeRegressor)}
ENTRIES = (
    "format", "version", "package", "estimator", "parameters", "n_features_in",
    "feature_names_in", "n_dropped", "classes", "schema", "trees", "prediction",
)  # fmt: skip
LEVEL_TYPES = (str, bool, int, float, bytes, pd.Interval)


# -- writing ----------------------------------------------------------------------


def write_model(model: Any) -> dict[str, Any]:
    """Write a fitted model as a document.

    Parameters
    ----------
    model : fitted MDTreeClassifier or MDTreeRegressor

    Returns
    -------
    dict
        Of plain values, lists and dicts.
    """
    model = model._settled()
    classes = getattr(model, "classes_", None)
    names = getattr(model, "feature_names_in_", None)
    return {
        "format": FORMAT,
        "version": VERSION,
        "package": __version__,
        "estimator": type(model).__name__,
        "parameters": encode_parameters(model),
        "n_features_in": int(model.n_features_in_),
        "feature_names_in": None if names is None else list(map(str, names)),
        "n_dropped": int(model.n_dropped_),
        "classes": None if classes is None else encode_array(classes, "classes_"),
        "schema": _write_schema(model.schema_, model.tree_.schema.sources),
        "trees": [_write_tree(tree) for tree in model.trees_],
        "prediction": _write_prediction(model._predictor),
    }


def _write_schema(schema: Schema, sources: tuple[int, ...]) -> dict[str, Any]:
    levels = [
        None if its is None else [_write_level(level, name) for level in its]
        for name, its in zip(schema.names, schema.levels, strict=True)
    ]
    content: dict[str, Any] = {
        "names": list(schema.names),
        "levels": levels,
        "incomplete": list(schema.incomplete),
    }
    if sources:  # columns that the trees have besides
        content["indicators"] = list(sources)
    return content


def _write_level(level: Any, name: str) -> Any:
    what = f"a level of column {name!r}"
    written = encode(level, what)
    if not isinstance(decode(written, what), LEVEL_TYPES):
        raise TypeError(f"{what}={level!r} cannot be written as JSON.")
    return written


def _write_tree(tree: Tree) -> dict[str, Any]:
    content: dict[str, Any] = {
        name: encode_array(getattr(tree, name), name) for name in array_types()
    }
    if tree.surrogates is not None:
        its = tree.surrogates.arrays()
        content["surrogates"] = {name: encode_array(a, name) for name, a in its.items()}
    return content


def _write_prediction(predictor: Predictor) -> dict[str, Any]:
    strategy = predictor.strategy
    written = encode(strategy, "missing")
    name = type(strategy).name
    state = encode(predictor.state, f"strategy {name!r}: its state")
    content = {"strategy": written, "state": state}
    if predictor.kept:
        what = f"strategy {name!r}: what it keeps of the training rows"
        content["training"] = encode(predictor.kept, what)
    return content


# -- reading ----------------------------------------------------------------------


def read_model(document: Any) -> Any:
    """Make the model that a document describes.

    Parameters
    ----------
    document : object
        Parsed JSON that nobody has checked.

    Returns
    -------
    MDTreeClassifier or MDTreeRegressor
        Fitted.

    Raises
    ------
    ValueError
        For a document that is no model, is of a newer version, or does not hold together.
    """
    _check_version(document)
    _check_entries(document, ENTRIES, "the document")
    name = document["estimator"]
    if not isinstance(name, str) or name not in ESTIMATORS:
        raise ValueError(f"estimator: {name!r} is not one of {', '.join(ESTIMATORS)}.")
    model: Any = decode_parameters(ESTIMATORS[name], document["parameters"], "parameters")
    _check_parameters(model)
    schema = _read_schema(document["schema"])
    classes = _read_classes(document["classes"], model._task)
    wider = _read_indicators(document["schema"], schema)
    trees = _read_trees(document["trees"], wider, classes)
    model.trees_ = trees
    model._predictor = _read_prediction(document["prediction"], trees, schema)
    model.schema_ = schema
    model.n_dropped_ = _read_count(document["n_dropped"], "n_dropped")
    if classes is not None:
        model.classes_ = classes
        model.n_classes_ = len(classes)
    model.n_features_in_ = _read_count(document["n_features_in"], "n_features_in")
    if model.n_features_in_ != schema.n_features:
        raise ValueError(
            f"n_features_in: {model.n_features_in_} columns, but the schema has "
            f"{schema.n_features}."
        )
    names = document["feature_names_in"]
    if names is not None:
        if names != list(schema.names):
            raise ValueError("feature_names_in: the names must be those of the schema.")
        model.feature_names_in_ = np.array(names, dtype=object)
    return model


def _check_version(document: Any) -> None:
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise ValueError(f"format: this is no model of mdtree_nb; one has format {FORMAT!r}.")
    version = document.get("version")
    if type(version) is not int or version < 1:
        raise ValueError(
            f"version: {version!r} is no version of the format, a number up to {VERSION}."
        )
    if version > VERSION:
        raise ValueError(
            f"version: the model was written in version {version} of the format, by mdtree_nb "
            f"{str(document.get('package'))[:20]}; mdtree_nb {__version__} reads versions up to "
            f"{VERSION}. Update mdtree_nb to read it."
        )


def _check_entries(content: Any, entries: tuple[str, ...], where: str) -> None:
    if not isinstance(content, dict):
        raise ValueError(f"{where}: must be an object.")
    lacks = [name for name in entries if name not in content]
    extra = sorted(content.keys() - set(entries))
    if lacks or extra:
        what = f"lacks {', '.join(lacks)}" if lacks else f"knows no {', '.join(extra)}"
        raise ValueError(f"{where}: {what}.")


def _check_parameters(model: Any) -> None:
    """Check the parameters that predicting looks at; fitting again checks all."""
    check_choice("new_missing", model.new_missing, ("route", "warn", "raise"))
    try:
        model._strategies()
        get_criterion(model.criterion, model._task)
        get_pruning(model.pruning, model._task)
    except TypeError as error:
        raise ValueError(f"parameters: {error}") from error


def _read_count(value: Any, where: str) -> int:
    if type(value) is not int or not 0 <= value < 2**63:
        raise ValueError(f"{where}: {value!r} is not a count.")
    return value


def _read_schema(content: Any) -> Schema:
    entries: tuple[str, ...] = ("names", "levels", "incomplete")
    if isinstance(content, dict) and "indicators" in content:
        entries += ("indicators",)
    _check_entries(content, entries, "schema")
    names, levels, incomplete = content["names"], content["levels"], content["incomplete"]
    for part in (names, levels, incomplete):
        if not isinstance(part, list) or not part or len(part) != len(names):
            raise ValueError("schema: names, levels and incomplete have one entry per column.")
    if not all(isinstance(name, str) for name in names):
        raise ValueError("schema.names: every name is text.")
    if not all(isinstance(flag, bool) for flag in incomplete):
        raise ValueError("schema.incomplete: every entry is true or false.")
    read = [_read_levels(its, f"schema.levels[{f}]", names[f]) for f, its in enumerate(levels)]
    return Schema(tuple(names), tuple(read), tuple(incomplete))


def _read_indicators(content: dict[str, Any], schema: Schema) -> Schema:
    """Schema of the trees, which may have columns that say where others were missing."""
    sources = content.get("indicators", [])
    fits = isinstance(sources, list) and all(type(f) is int for f in sources)
    if (
        not fits
        or len(set(sources)) < len(sources)
        or not set(sources) <= {*range(schema.n_features)}
    ):
        raise ValueError("schema.indicators: a list of different columns, by number.")
    return schema.with_indicators(sources)


def _read_levels(content: Any, where: str, name: str) -> tuple[Any, ...] | None:
    if content is None:
        return None
    if not isinstance(content, list):
        raise ValueError(f"{where}: null for a numeric column, or the list of its levels.")
    levels = tuple(decode(level, where) for level in content)
    if any(not isinstance(level, LEVEL_TYPES) or level != level for level in levels):
        raise ValueError(f"{where}: a level is text, a number, a boolean, bytes or an interval.")
    if len(set(level_keys(levels, name))) < len(levels):
        raise ValueError(f"{where}: two levels are the same.")
    return levels


def _read_classes(content: Any, task: str) -> NDArray[Any] | None:
    if task == "regression":
        if content is not None:
            raise ValueError("classes: a regressor has none, so this must be null.")
        return None
    classes = decode_array(content, "classes")
    if classes.ndim != 1 or not len(classes):
        raise ValueError("classes: a classifier has a list of at least one class.")
    if any(not isinstance(c, LEVEL_TYPES) or c != c for c in classes.tolist()):
        raise ValueError("classes: a class is text, a number, a boolean or bytes.")
    if len(set(level_keys(classes.tolist(), "classes"))) < len(classes):
        raise ValueError("classes: two classes are the same.")
    return classes


def _read_trees(content: Any, schema: Schema, classes: NDArray[Any] | None) -> list[Tree]:
    if not isinstance(content, list) or not content:
        raise ValueError("trees: a list of at least one tree.")
    trees = []
    for number, arrays in enumerate(content):
        where = f"trees[{number}]"
        tree = _read_tree(arrays, schema, where)
        try:
            check_tree(tree, shares=classes is not None)
        except ValueError as error:
            raise ValueError(f"{where}: {error}") from error
        if classes is not None and tree.value.shape[1] != len(classes):
            raise ValueError(
                f"{where}: {tree.value.shape[1]} shares per node for {len(classes)} classes."
            )
        trees.append(tree)
    return trees


def _read_tree(content: Any, schema: Schema, where: str) -> Tree:
    types = dict(array_types())
    if isinstance(content, dict):
        for field in fields(Tree):
            optional = field.default is not MISSING or field.default_factory is not MISSING
            if optional and field.name not in content:  # a document from before the field
                types.pop(field.name, None)
    surrogates = None
    if isinstance(content, dict) and "surrogates" in content:
        content = dict(content)
        surrogates = Surrogates(
            **_read_arrays(
                content.pop("surrogates"), array_types(Surrogates), f"{where}.surrogates"
            )
        )
    return Tree(schema, **_read_arrays(content, types, where), surrogates=surrogates)


def _read_arrays(content: Any, types: dict[str, np.dtype[Any]], where: str) -> dict[str, Any]:
    _check_entries(content, tuple(types), where)
    return {
        name: decode_array(content[name], f"{where}.{name}", dtype) for name, dtype in types.items()
    }


def _read_prediction(content: Any, trees: list[Tree], schema: Schema) -> Predictor:
    entries: tuple[str, ...] = ("strategy", "state")
    if isinstance(content, dict) and "training" in content:
        entries += ("training",)
    _check_entries(content, entries, "prediction")
    strategy = decode(content["strategy"], "prediction.strategy")
    state = decode(content["state"], "prediction.state")
    if not isinstance(strategy, Strategy) or not isinstance(state, dict):
        raise ValueError("prediction: a strategy object and its state, a dict.")
    try:
        strategy.check()
    except (TypeError, ValueError) as error:
        raise ValueError(f"prediction.strategy: {error}") from error
    training = decode(content.get("training", []), "prediction.training")
    if not isinstance(training, list) or not all(isinstance(its, dict) for its in training):
        raise ValueError("prediction.training: a list of dicts.")
    predictor = Predictor(trees, strategy, state, training)
    if predictor.studies == (not training):
        raise ValueError(
            f"prediction: strategy {strategy.name!r} answers from its training rows, and the "
            "document has none; export the fitted model again."
            if predictor.studies
            else f"prediction: strategy {strategy.name!r} keeps nothing of its training rows."
        )
    try:
        strategy.check_state(state, schema)
        empty = Table(np.full((1, schema.n_features), np.nan, order="F"), schema)
        pairs = predictor.pairs(empty)
        shape = 1, trees[0].schema.n_features
        fits = all(t.values.shape == shape for _, t in pairs)
        fits &= len(predictor.recalled) in (0, len(pairs))
    except Exception as error:
        raise ValueError(
            f"prediction: strategy {strategy.name!r} cannot use this state: {error}"
        ) from error
    if not fits:
        raise ValueError(f"prediction: strategy {strategy.name!r} has a state of another table.")
    return predictor
