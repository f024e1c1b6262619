"""How a single value, array or parameter object is written as JSON, and read again.

None, booleans, whole numbers, finite floats, text and lists are themselves in JSON, so 1,
"1", true and 1.0 stay four values. Everything else is an object with one telling key:
{"float": "nan"}, {"bytes": "6d64"}, {"interval": [0, 1, "right"]}, {"tuple": [...]},
{"dict": ...}, {"array": ...}, {"strategy": "learned", "parameters": {...}}.

Reading trusts nothing: no pickle, no eval, and an object is made only if its class is
found by name in a table of this package.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from numbers import Integral
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

from ...prunings import all_prunings
from ...strategies import all_strategies
from ...tree.criteria import CRITERIA

NOT_FINITE = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}
NUMBER_TYPES = re.compile(r"bool|u?int(8|16|32|64)|float(16|32|64)")
TEXT_TYPE = re.compile(r"[US](\d{1,7})")
MOST_TEXT = 2**26  # characters in one array, so that a short file cannot ask for all memory


def registries() -> dict[str, dict[str, type[BaseEstimator]]]:
    """Classes of which a document may ask for objects: kind, then name."""
    return {
        "strategy": dict(all_strategies()),
        "criterion": {cls.name: cls for cls in CRITERIA},
        "pruning": dict(all_prunings()),
    }


# -- writing ----------------------------------------------------------------------


def encode(value: Any, what: str) -> Any:
    """Put a value into JSON's terms.

    Parameters
    ----------
    value : object
    what : str
        What it is, for the message.

    Returns
    -------
    object

    Raises
    ------
    TypeError
        For a value that has no lossless form.
    """
    if value is None or type(value) in (bool, int, str):
        return value
    if isinstance(value, str):
        return str(value)
    if isinstance(value, np.bool_):
        return bool(value)
    if isinstance(value, Integral):
        return int(value)
    if isinstance(value, (float, np.float16, np.float32)):
        return float(value) if math.isfinite(value) else {"float": repr(float(value))}
    if isinstance(value, bytes):
        return {"bytes": value.hex()}
    if isinstance(value, pd.Interval):
        ends = [encode(end, what) for end in (value.left, value.right)]
        return {"interval": [*ends, value.closed]}
    if isinstance(value, list):
        return [encode(v, what) for v in value]
    if isinstance(value, tuple):
        return {"tuple": [encode(v, what) for v in value]}
    if isinstance(value, dict):
        return {"dict": _encode_dict(value, what)}
    if isinstance(value, np.ndarray):
        return {"array": encode_array(value, what)}
    return _encode_object(value, what)


def _encode_dict(value: dict[Any, Any], what: str) -> Any:
    if all(type(key) is str for key in value):
        return {key: encode(v, what) for key, v in value.items()}
    return [[encode(key, what), encode(v, what)] for key, v in value.items()]


def _encode_object(value: Any, what: str) -> dict[str, Any]:
    for kind, known in registries().items():
        name = getattr(value, "name", None)
        if isinstance(name, str) and known.get(name) is type(value):
            return {kind: name, "parameters": encode_parameters(value, f"{what}={value!r}: ")}
    raise TypeError(
        f"{what}={value!r} cannot be written as JSON: a {type(value).__name__} is neither a plain "
        "value nor an object that comes with the package."
    )


def encode_parameters(thing: BaseEstimator, lead: str = "") -> dict[str, Any]:
    """Write the constructor's parameters of an estimator, a strategy, a criterion or a pruning.

    Parameters
    ----------
    thing : BaseEstimator
    lead : str, default=""
        What a message starts with.

    Returns
    -------
    dict
    """
    return {k: encode(v, lead + k) for k, v in sorted(thing.get_params(deep=False).items())}


def encode_array(array: NDArray[Any], what: str) -> dict[str, Any]:
    """Write an array: its type, its shape, its values in C order.

    Parameters
    ----------
    array : ndarray
    what : str
        What it is, for the message.

    Returns
    -------
    dict

    Raises
    ------
    TypeError
        For dates, complex numbers and other types without a lossless form.
    """
    kind, flat = array.dtype.kind, array.ravel().tolist()
    name = array.dtype.name
    if kind in "US":
        name = array.dtype.str[1:]
        flat = [v.hex() for v in flat] if kind == "S" else flat
    elif kind == "O":
        flat = [encode(v, what) for v in flat]
    elif not NUMBER_TYPES.fullmatch(name):
        raise TypeError(f"{what} is an array of {array.dtype}, which cannot be written as JSON.")
    elif kind == "f":
        flat = [v if math.isfinite(v) else repr(v) for v in flat]
    return {"dtype": name, "shape": list(array.shape), "values": flat}


# -- reading ----------------------------------------------------------------------


def decode(value: Any, where: str) -> Any:
    """Read what `encode` wrote.

    Parameters
    ----------
    value : object
        From a document that nobody has checked.
    where : str
        Its place in the document, for the message.

    Returns
    -------
    object

    Raises
    ------
    ValueError
        For anything that `encode` does not write.
    """
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(f"{where}: {value} is written as text, such as 'inf'.")
    if value is None or isinstance(value, (bool, int, str, float)):
        return value
    if isinstance(value, list):
        return [decode(v, where) for v in value]
    if not isinstance(value, dict) or not value:
        raise ValueError(f"{where}: an empty object means nothing.")
    kind, content = next(iter(value.items()))
    if kind in registries():
        return _decode_object(kind, value, where)
    if kind not in _DECODERS or len(value) > 1:
        known = ", ".join([*_DECODERS, *registries()])
        raise ValueError(f"{where}: an object starts with one of {known}, not with {kind!r}.")
    return _DECODERS[kind](content, where)


def _decode_float(content: Any, where: str) -> float:
    if not isinstance(content, str) or content not in NOT_FINITE:
        raise ValueError(f"{where}: a float as text must be one of {', '.join(NOT_FINITE)}.")
    return NOT_FINITE[content]


def _decode_bytes(content: Any, where: str) -> bytes:
    try:
        return bytes.fromhex(content)
    except (TypeError, ValueError):
        raise ValueError(f"{where}: bytes are written in hexadecimal digits.") from None


def _decode_interval(content: Any, where: str) -> pd.Interval:
    problem = f"{where}: an interval is [left, right, closed side] with left <= right."
    if not isinstance(content, list) or len(content) != 3:
        raise ValueError(problem)
    left, right = (decode(end, where) for end in content[:2])
    if any(type(end) not in (int, float) or end != end for end in (left, right)):
        raise ValueError(problem)
    if content[2] not in ("left", "right", "both", "neither") or left > right:
        raise ValueError(problem)
    return pd.Interval(left, right, content[2])


def _decode_tuple(content: Any, where: str) -> tuple[Any, ...]:
    if not isinstance(content, list):
        raise ValueError(f"{where}: a tuple is written as a list.")
    return tuple(decode(v, where) for v in content)


def _decode_dict(content: Any, where: str) -> dict[Any, Any]:
    if isinstance(content, dict):
        return {key: decode(v, where) for key, v in content.items()}
    if not isinstance(content, list) or not all(
        isinstance(pair, list) and len(pair) == 2 for pair in content
    ):
        raise ValueError(f"{where}: a dict is an object, or a list of [key, value].")
    pairs = [(decode(key, where), decode(v, where)) for key, v in content]
    try:
        read = dict(pairs)
    except TypeError:
        raise ValueError(f"{where}: a dict has a key that cannot be one.") from None
    if len(read) < len(pairs):
        raise ValueError(f"{where}: a dict has the same key twice.")
    return read


def _decode_object(kind: str, value: dict[str, Any], where: str) -> BaseEstimator:
    known = registries()[kind]
    name = value[kind]
    if not isinstance(name, str) or name not in known:
        raise ValueError(
            f"{where}: {name!r} is not a {kind} of this package; it has {', '.join(sorted(known))}."
        )
    if value.keys() != {kind, "parameters"}:
        raise ValueError(f"{where}: a {kind} has a name and parameters, nothing else.")
    return decode_parameters(known[name], value["parameters"], where)


def decode_parameters(cls: type[BaseEstimator], content: Any, where: str) -> Any:
    """Make an object from its parameters; those that are not there get their defaults.

    Parameters
    ----------
    cls : type
    content : object
        What `encode_parameters` wrote.
    where : str
        Its place in the document, for the message.

    Returns
    -------
    object
        An instance of `cls`.

    Raises
    ------
    ValueError
        For parameters that `cls` does not have.
    """
    if not isinstance(content, dict):
        raise ValueError(f"{where}: parameters are an object.")
    unknown = sorted(content.keys() - set(cls._get_param_names()))
    if unknown:
        raise ValueError(f"{where}: {cls.__name__} has no parameter {', '.join(unknown)}.")
    return cls(**{name: decode(v, f"{where}.{name}") for name, v in content.items()})


def decode_array(content: Any, where: str, dtype: Any = None) -> NDArray[Any]:
    """Read what `encode_array` wrote.

    Parameters
    ----------
    content : object
    where : str
        Its place in the document, for the message.
    dtype : dtype or None, default=None
        The type that it must have; None = any that can be written.

    Returns
    -------
    ndarray

    Raises
    ------
    ValueError
        For unknown types, values out of range, or a shape that does not fit.
    """
    if not isinstance(content, dict) or content.keys() != {"dtype", "shape", "values"}:
        raise ValueError(f"{where}: an array has dtype, shape and values.")
    name, shape, values = content["dtype"], content["shape"], content["values"]
    if dtype is not None and name != np.dtype(dtype).name:
        raise ValueError(f"{where}: the type must be {np.dtype(dtype).name}, not {name!r}.")
    if not isinstance(values, list):
        raise ValueError(f"{where}: values must be a list.")
    sizes_are_numbers = isinstance(shape, list) and all(
        type(size) is int and 0 <= size < 2**31 for size in shape
    )
    if not sizes_are_numbers or len(shape) > 4 or math.prod(shape) != len(values):
        raise ValueError(f"{where}: the shape {shape!r} does not fit {len(values)} values.")
    if not isinstance(name, str):
        raise ValueError(f"{where}: the type is written as text.")
    return _flat_array(name, values, where).reshape(shape)


def _flat_array(name: str, values: list[Any], where: str) -> NDArray[Any]:
    if name == "object":
        array = np.empty(len(values), dtype=object)
        for i, v in enumerate(values):
            array[i] = decode(v, where)
        return array
    text = TEXT_TYPE.fullmatch(name)
    if text:
        return _text_array(name, int(text[1]), values, where)
    if not NUMBER_TYPES.fullmatch(name):
        raise ValueError(f"{where}: arrays of type {name!r} are not read.")
    dtype = np.dtype(name)
    if dtype.kind == "f":
        return _float_array(dtype, values, where)
    wanted = bool if dtype.kind == "b" else int
    low, high = (0, 1) if dtype.kind == "b" else (np.iinfo(dtype).min, np.iinfo(dtype).max)
    if not all(type(v) is wanted and low <= v <= high for v in values):
        raise ValueError(f"{where}: every value must be a {wanted.__name__} that fits {name}.")
    return np.array(values, dtype=dtype)


def _float_array(dtype: np.dtype[Any], values: list[Any], where: str) -> NDArray[Any]:
    problem = f"{where}: every value must be a number that fits {dtype}, 'nan', 'inf' or '-inf'."
    if not all(type(v) in (int, float) or (type(v) is str and v in NOT_FINITE) for v in values):
        raise ValueError(problem)
    written = np.array([type(v) is str for v in values], dtype=bool)
    try:
        with np.errstate(over="ignore"):
            array = np.array([NOT_FINITE.get(v, v) for v in values], dtype=dtype)
    except OverflowError:
        raise ValueError(problem) from None
    if not np.array_equal(np.isfinite(array), ~written):
        raise ValueError(problem)
    return array


def _text_array(name: str, width: int, values: list[Any], where: str) -> NDArray[Any]:
    if width * len(values) > MOST_TEXT:
        raise ValueError(f"{where}: {len(values)} texts of {width} characters are too many.")
    if not all(isinstance(v, str) for v in values):
        raise ValueError(f"{where}: every value must be text.")
    content = [_decode_bytes(v, where) for v in values] if name[0] == "S" else values
    if any(len(v) > width for v in content):
        raise ValueError(f"{where}: a text is longer than {width}, the width of {name}.")
    return np.array(content, dtype=name)


_DECODERS: dict[str, Callable[[Any, str], Any]] = {
    "float": _decode_float,
    "bytes": _decode_bytes,
    "interval": _decode_interval,
    "tuple": _decode_tuple,
    "dict": _decode_dict,
    "array": decode_array,
}
