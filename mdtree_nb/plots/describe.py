"""Say in words what a figure shows: for screen readers, and for tests of notebooks."""

from __future__ import annotations

from typing import Any

_DESCRIPTION = "mdtree_nb_description"


def describe_axes(ax: Any) -> str:
    """Describe the contents of an Axes in words.

    Parameters
    ----------
    ax : matplotlib Axes

    Returns
    -------
    str
        What its plot says about itself, such as one line per node of a tree; else, in one
        line, title, axis labels, and every labelled line, point and text with its numbers.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> ax = Figure().subplots()
    >>> _ = ax.plot([0, 1], [2.0, 3.0], label="score")
    >>> describe_axes(ax)
    "Axes '': x='', y=''; score from (0, 2) to (1, 3)."
    """
    if hasattr(ax.title, _DESCRIPTION):
        return str(getattr(ax.title, _DESCRIPTION))
    titles = (ax.get_title(loc=side) for side in ("left", "center", "right"))
    title = next(filter(None, titles), "")
    parts = [f"Axes {title!r}: x={_line(ax.get_xlabel())!r}, y={_line(ax.get_ylabel())!r}"]
    for line in ax.lines:
        label = str(line.get_label())
        x, y = line.get_xdata(), line.get_ydata()
        if label.startswith("_") or not len(x):
            continue
        first = f"({x[0]:.3g}, {y[0]:.3g})"
        parts.append(
            f"{label} at {first}"
            if len(x) == 1
            else f"{label} from {first} to ({x[-1]:.3g}, {y[-1]:.3g})"
        )
    texts = [_line(t.get_text()) for t in ax.texts if t.get_text().strip()]
    if texts:
        parts.append("texts: " + " | ".join(texts))
    return "; ".join(parts) + "."


def set_description(ax: Any, text: str) -> None:
    """Give an Axes a description that `describe_axes` returns.

    It hangs on the title, which is made anew when the Axes is cleared.

    Parameters
    ----------
    ax : matplotlib Axes
    text : str
    """
    setattr(ax.title, _DESCRIPTION, text)


def _line(text: str) -> str:
    return " ".join(text.split())
