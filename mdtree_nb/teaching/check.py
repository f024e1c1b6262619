"""check: is the answer of an exercise right? It never says what would be.

Does not: compute the truth; a notebook passes it, by another route than the learner's.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Set
from decimal import Decimal
from numbers import Number
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

NOISE = 1e-9  # relative rounding errors of a computed answer ...
SMALL = 1e-3  # ... and of one that should be about 0
DIGITS = 2  # significant digits that a rounded answer needs at least
WRONG = "that is not it"


class NotYet(ValueError):
    """An answer is not right yet; the message says in which way, and gives the hint."""


def check(answer: Any, truth: Any, *, hint: str | None = None, tolerance: float = 0.0) -> None:
    """Tell whether an answer is right, without giving the right one away.

    Numbers may be rounded: to the decimals that were typed, with two significant digits
    at least; whole numbers must be exact. Text is compared without regard to blanks and
    capitals; missing values are equal to each other. Lists, tuples, arrays and Series are
    compared value by value, sets in any order, tables by the labels of their rows and
    columns.

    Parameters
    ----------
    answer : object
        `...` prints "Your turn".
    truth : object
    hint : str or None, default=None
        What to show with a wrong answer.
    tolerance : float, default=0.0
        Numbers may differ by as much, besides rounding.

    Raises
    ------
    NotYet
        For a wrong answer.

    Examples
    --------
    >>> check(..., 0.6362)
    Your turn: replace the ... by your answer.
    >>> check(0.64, 0.6362)
    Right.
    >>> check("no pain", "No pain")
    Right.
    """
    if _is_open(answer):
        print("Your turn: replace the ... by your answer.")
        return
    problem = _problem(answer, truth, tolerance)
    if problem is None:
        print("Right.")
        return
    raise NotYet(f"Not yet: {problem}." + (f" Hint: {hint}" if hint else ""))


def _is_open(answer: Any) -> bool:
    if isinstance(answer, (list, tuple, set)):
        return any(_is_open(part) for part in answer)
    if isinstance(answer, dict):
        return any(_is_open(part) for part in answer.values())
    return answer is ...


def _problem(answer: Any, truth: Any, tolerance: float) -> str | None:
    """What is wrong with the answer, in words that do not tell the truth; None = nothing."""
    if isinstance(truth, (pd.DataFrame, pd.Series)):
        return _labelled_problem(answer, truth, tolerance)
    if isinstance(truth, Mapping):
        if not isinstance(answer, Mapping):
            return f"a dictionary is asked for, not {_kind(answer)}"
        return _labelled_problem(pd.Series(answer), pd.Series(truth), tolerance)
    if isinstance(truth, Set):
        return _set_problem(answer, truth, tolerance)
    if isinstance(truth, (list, tuple, np.ndarray, pd.Index)) and np.ndim(_array(truth)):
        return _array_problem(answer, truth, tolerance)
    return _single_problem(answer, truth, tolerance)


def _single_problem(answer: Any, truth: Any, tolerance: float) -> str | None:
    truth, answer = _plain(truth), _plain(answer)
    if _is_missing(truth) or _is_missing(answer):
        return None if _is_missing(truth) and _is_missing(answer) else WRONG
    if isinstance(truth, bool):
        if not isinstance(answer, bool):
            return f"True or False is asked for, not {_kind(answer)}"
        return None if answer == truth else WRONG
    if isinstance(truth, Number):
        if not isinstance(answer, Number) or isinstance(answer, bool):
            return f"a number is asked for, not {_kind(answer)}"
        return _number_problem(answer, truth, tolerance)
    if isinstance(truth, str):
        if not isinstance(answer, str):
            return f"text is asked for, not {_kind(answer)}"
        return None if _letters(answer) == _letters(truth) else f"{answer!r:.60} is not it"
    return None if type(answer) is type(truth) and answer == truth else WRONG


def _number_problem(answer: Any, truth: Any, tolerance: float) -> str | None:
    if answer == truth:
        return None
    try:
        given, wanted = float(answer), float(truth)
    except (OverflowError, TypeError):  # beyond floats, or complex
        return WRONG
    if not math.isfinite(given) or not math.isfinite(wanted):
        return WRONG
    distance = abs(given - wanted)
    if distance <= max(tolerance, NOISE * max(abs(wanted), SMALL)):
        return None
    typed = max(0, -int(Decimal(repr(given)).normalize().as_tuple().exponent))
    if distance > _half_a_digit(typed):
        return f"{given:.10g} is not it"
    if distance > _half_a_digit(max(typed, _needed_decimals(wanted))):
        return f"{given:.10g} is a good start, give more digits"
    return None


def _half_a_digit(decimals: int) -> float:
    return 0.5 * 10.0**-decimals * (1 + NOISE)


def _needed_decimals(wanted: float) -> int:
    """Decimals that show enough significant digits."""
    first = math.floor(math.log10(abs(wanted))) if wanted else 0
    return max(0, DIGITS - 1 - first)


def _set_problem(answer: Any, truth: Set[Any], tolerance: float) -> str | None:
    if not _is_several(answer):
        return f"several values are asked for, not {_kind(answer)}"
    given = [_plain(value) for value in answer]
    fits = np.array([[_problem(g, t, tolerance) is None for t in truth] for g in given])
    fits = fits.reshape(len(given), len(truth)).astype(bool)
    extra, lacks = int((~fits.any(axis=1)).sum()), int((~fits.any(axis=0)).sum())
    parts = [f"{extra} of your values {_are(extra)} not among them"] if extra else []
    parts += [f"{lacks} {_are(lacks)} missing"] if lacks else []
    return " and ".join(parts) or None


def _array_problem(answer: Any, truth: Any, tolerance: float) -> str | None:
    if not _is_several(answer) or isinstance(answer, Set):
        return f"several values in order are asked for, not {_kind(answer)}"
    given, wanted = _array(answer), _array(truth)
    if given.shape != wanted.shape:
        return f"your answer has the shape {given.shape}, another one is asked for"
    pairs = zip(given.ravel(), wanted.ravel(), strict=True)
    wrong = [i for i, (a, t) in enumerate(pairs) if _problem(a, t, tolerance) is not None]
    if not wrong:
        return None
    place = ", ".join(str(i + 1) for i in np.unravel_index(wrong[0], wanted.shape))
    verb = _are(len(wrong))
    return f"{len(wrong)} of {wanted.size} values {verb} not right, the first at place {place}"


def _labelled_problem(answer: Any, truth: Any, tolerance: float) -> str | None:
    """Compare a table or a Series by labels; a Series also with values in order."""
    is_table = isinstance(truth, pd.DataFrame)
    if not is_table and not isinstance(answer, (pd.Series, pd.DataFrame)):
        return _array_problem(answer, truth.to_numpy(dtype=object), tolerance)
    if isinstance(answer, pd.DataFrame) != is_table or not hasattr(answer, "index"):
        return f"a {'DataFrame' if is_table else 'Series'} is asked for, not {_kind(answer)}"
    for axis in ("index", "columns")[: truth.ndim]:
        mine, theirs = getattr(answer, axis), getattr(truth, axis)
        ordered = list(mine) == list(theirs)
        if not ordered and (not theirs.is_unique or set(mine) != set(theirs)):
            return f"the labels of the {'rows' if axis == 'index' else 'columns'} are not right"
        if not ordered:
            answer = answer.reindex(**{axis: theirs})
    return _array_problem(answer.to_numpy(dtype=object), truth.to_numpy(dtype=object), tolerance)


def _is_several(value: Any) -> bool:
    return np.iterable(value) and not isinstance(value, (str, bytes, Mapping))


def _array(values: Any) -> NDArray[Any]:
    """As an array of objects, in the shape of nested lists of equal lengths."""
    if isinstance(values, np.ndarray):
        return values
    if hasattr(values, "to_numpy"):
        return np.asarray(values.to_numpy(dtype=object))
    return np.array(list(values), dtype=object)


def _plain(value: Any) -> Any:
    """A NumPy scalar, or array without dimensions, as Python has it."""
    if isinstance(value, (np.generic, np.ndarray)) and np.ndim(value) == 0:
        return value.item()
    return value


def _is_missing(value: Any) -> bool:
    return bool(pd.api.types.is_scalar(value) and pd.isna(value))


def _letters(text: str) -> str:
    return "".join(text.split()).casefold()


def _kind(value: Any) -> str:
    value = _plain(value)
    kinds = {bool: "True or False", str: "text", dict: "a dictionary", type(None): "None"}
    if type(value) in kinds:
        return kinds[type(value)]
    return "a number" if isinstance(value, Number) else f"a {type(value).__name__}"


def _are(n: int) -> str:
    return "is" if n == 1 else "are"
