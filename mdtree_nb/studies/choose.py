"""Choose some of a study's methods by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def choose(methods: Any, known: Mapping[str, Any]) -> dict[str, Any]:
    """Choose methods.

    Parameters
    ----------
    methods : iterable of str, dict or None
        None = all, a dict = other ones.
    known : dict
        Those of the study.

    Returns
    -------
    dict

    Raises
    ------
    ValueError
        For a name that the study does not have.
    """
    if methods is None:
        return dict(known)
    if isinstance(methods, Mapping):
        return dict(methods)
    names = [methods] if isinstance(methods, str) else list(methods)
    for name in names:
        if name not in known:
            raise ValueError(
                f"methods: {name!r} is none of the study; choose from "
                f"{', '.join(map(repr, known))}, or pass a dict."
            )
    return {name: known[name] for name in names}
