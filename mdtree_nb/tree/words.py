"""Tests in words: the one place that says what a row must satisfy to take a branch.

Called by `structure.py` for the nodes of a tree, and for cuts that no tree has made.
"""

from __future__ import annotations

from typing import Any

from ..schema import Schema
from .kernels.codes import EQUALS, IS_MISSING, THRESHOLD

MOST_LEVELS = 6  # that a condition spells out


def in_words(
    schema: Schema,
    feature: int,
    kind: int,
    branch: int,
    threshold: float,
    levels: tuple[Any, ...],
    joined: bool,
) -> str:
    """Say what a row must satisfy to take a branch of a test; see `Tree.condition`.

    Parameters
    ----------
    schema : Schema
    feature : int
        The tested column. One that says where another was missing is asked for just that.
    kind : int
    branch : int
    threshold : float
    levels : tuple
        The tested level of EQUALS; the levels of this branch of SUBSET and MULTIWAY.
    joined : bool
        Do all missing rows take this branch, too?

    Returns
    -------
    str
    """
    name = schema.names[feature]
    if feature >= schema.n_own:
        name, kind = schema.names[schema.sources[feature - schema.n_own]], IS_MISSING
    if kind == IS_MISSING:
        return f"{name} is {'missing' if branch else 'known'}"
    if kind == EQUALS:
        text = f"{name} {'!=' if branch else '='} {levels[0]}"
    elif kind == THRESHOLD:
        text = f"{name} {'>' if branch else '<='} {threshold + 0.0:.6g}"
    else:
        text = f"{name} {_name_levels(levels)}"
    return text + " or missing" if joined else text


def _name_levels(levels: tuple[Any, ...]) -> str:
    """Name one level, or a set of them."""
    if len(levels) == 1:
        return f"= {levels[0]}"
    names = list(map(str, levels[:MOST_LEVELS]))
    if len(levels) > MOST_LEVELS:
        names[-1] = f"{len(levels) - MOST_LEVELS + 1} more"
    return f"in {{{', '.join(names)}}}"
