"""Numbers and conditions in as few characters as a picture has room for.

A true minus sign, and no decimals that say nothing.
"""

from __future__ import annotations

import re

import numpy as np


def edge_words(condition: str, feature: str, test: str, recorded: bool = False) -> str:
    """Shorten the condition of a node to what stands on its edge.

    Parameters
    ----------
    condition : str
        From `Tree.condition`.
    feature, test : str
        Of the parent.
    recorded : bool, default=False
        Does the condition end in " or missing"? The edge says that on a line of its own.

    Returns
    -------
    str

    Examples
    --------
    >>> edge_words("Pulse <= -64.5 or missing", "Pulse", "threshold", True)
    '≤ −64.5'
    """
    words = condition.removeprefix(feature).strip() or condition
    if recorded:
        words = words.removesuffix(" or missing")
    if test == "threshold":
        found = re.fullmatch(r"(<=|>) (\S+)", words)
        if found:
            return f"{'≤' if found[1] == '<=' else '>'} {number(float(found[2]))}"
    for plain, sign in (("<=", "≤"), ("!=", "≠"), ("not in", "∉"), ("in", "∈")):
        if words.startswith(plain + " "):
            return sign + words[len(plain) :]
    return words


def number(x: float) -> str:
    """Write a count or a value without decimals that say nothing, with a true minus sign.

    Parameters
    ----------
    x : float

    Returns
    -------
    str

    Examples
    --------
    >>> number(-0.03125), number(206.5), number(12345.6)
    ('−0.03125', '206.5', '12346')
    """
    if not np.isfinite(x):
        return "∞" if x > 0 else "−∞"
    text = f"{x:.6g}"
    if len(text.lstrip("-")) > 6:
        text = f"{x:.0f}" if 1000 <= abs(x) < 1e7 else f"{x:.4g}"
    return text.replace("-", "−")


def count(weight: float) -> str:
    """Write a weight: whole rows as they are, parts of rows no finer than is read.

    Parameters
    ----------
    weight : float

    Returns
    -------
    str

    Examples
    --------
    >>> count(366.0), count(233.5824), count(2.25)
    ('366', '233.6', '2.25')
    """
    if abs(weight - round(weight)) < 1e-9 * max(weight, 1.0) or not 0.1 <= weight < 1e6:
        return number(weight)
    return f"{weight:.{1 if weight >= 10 else 2}f}".rstrip("0").rstrip(".")


def share(x: float) -> str:
    """Write a share: two decimals, three where they are exact.

    Parameters
    ----------
    x : float

    Returns
    -------
    str

    Examples
    --------
    >>> share(0.375), share(14 / 37)
    ('0.375', '0.38')
    """
    text = f"{x:.3f}" if abs(1000 * x - round(1000 * x)) < 1e-6 else f"{x:.2f}"
    return text.rstrip("0").rstrip(".") or "0"


def percent(p: float) -> str:
    """Write a share as per cent; only what is whole is called 100 %.

    Parameters
    ----------
    p : float

    Returns
    -------
    str

    Examples
    --------
    >>> percent(0.934), percent(0.9991), percent(1.0)
    ('93%', '>99%', '100%')
    """
    if 0.995 <= p < 1 - 1e-9:
        return ">99%"
    return f"{100 * p:.0f}%"
