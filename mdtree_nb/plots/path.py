"""plot_path: one row's way through a tree, and how its parts add up to the prediction."""

from __future__ import annotations

from typing import Any

from matplotlib import rc_context
from sklearn.utils.validation import check_is_fitted

from ..tree_estimator import TreeEstimator
from .describe import set_description
from .fonts import fit_ends, fit_start, readable, width
from .path_facts import (
    UNREACHED,
    PathCards,
    RowPath,
    answer_words,
    open_along,
    part_of,
    part_words,
    read_path,
)  # fmt: skip
from .pen import Pen
from .theme import SHAPES_RC, class_look, get_palette, ramp
from .tree_facts import ALL, COPY, SPLIT, TreeFacts, read_tree
from .tree_legend import Entry, Header, value_entries
from .tree_marks import draw_tree
from .tree_options import TreePlotOptions
from .tree_plan import MARGIN, SMALL, Plan

MOST_NODES, MOST_PARTS = 31, 8
POINTS = 9.0
NOTE = "Edges are as wide as the part of the row that takes them; the parts add up below."
_CHIP = 1.5  # em: height of a value
_LANES = {
    ALL: "value missing: the whole row",
    SPLIT: "value missing: parts of the row",
    COPY: "value missing: a copy to each child",
}


def plot_path(model: Any, x: Any, *, target: Any = None, theme: str = "light") -> Any:
    """Draw one row's way through a fitted tree, and its prediction as a sum.

    Edges are as wide as the part of the row that takes them; dashed where the row has no
    value for the test. Below stands what each reached node contributes: what it counts
    for, times what it answers. The parts add up to the prediction.

    Parameters
    ----------
    model : fitted MDTreeClassifier or MDTreeRegressor
    x : array-like of shape (p,), Series, dict or DataFrame of one row
    target : label or None, default=None
        Class whose probability is explained; None = the most probable one.
    theme : {"light", "dark"}, default="light"

    Returns
    -------
    matplotlib Axes
        Of a new figure. `describe_axes` says in words what it shows.

    Raises
    ------
    TypeError
        For another model.
    NotFittedError
        For a model that is not fitted.
    ValueError
        For a row or a class that the model does not know.

    Examples
    --------
    >>> from mdtree_nb import MDTreeClassifier, describe_axes, plot_path
    >>> X, y = [[1.0], [2.0], [3.0], [float("nan")]], ["a", "b", "b", "b"]
    >>> tree = MDTreeClassifier(missing="fractional").fit(X, y)
    >>> print(describe_axes(plot_path(tree, [float("nan")])))
    One row, 1 missing value, 2 nodes answer: P(b) = 0.750.
    #0 asks x0, missing
    #1 x0 <= 1.5 gets 0.33: 0.333 × 0.250 = 0.083
    #2 x0 > 1.5 gets 0.67: 0.667 × 1.000 = 0.667
    """
    import matplotlib.pyplot as plt

    if not isinstance(model, TreeEstimator):
        raise TypeError(
            f"model={type(model).__name__} must be a fitted MDTreeClassifier or MDTreeRegressor; "
            "of a pipeline pass the last step and the transformed row."
        )
    check_is_fitted(model)
    plain = read_tree(model)
    path = read_path(model, x, plain)
    k = path.best if target is None else class_number(model, target)
    palette = get_palette(theme)
    kids = open_along(path, [path], MOST_NODES)
    plan = Plan(PathCards(path, plain, TreePlotOptions()), kids, False, 0)
    n_parts = min(len(path.parts), MOST_PARTS) + (len(path.parts) > MOST_PARTS)
    header = Header(readable(headline(path, k)), NOTE, True, plain)
    entries = _entries(path, plain, plan)
    wide = max(plan.placed.width + 2 * MARGIN, header.wanted)
    chips = _chips(path, wide)
    above = header.height(wide, entries) + (_CHIP + 0.4) * len(chips) + 0.6
    high = above + plan.placed.height + 1.6 + 1.5 * n_parts + 5.2
    size = (wide * POINTS, high * POINTS)
    with rc_context(SHAPES_RC):
        figure = plt.figure(figsize=(size[0] / 72, size[1] / 72), facecolor=palette.paper)
        ax = figure.add_axes((0.0, 0.0, 1.0, 1.0))
        pen = Pen(ax, size, palette, POINTS)
        header.draw(pen, entries)
        _draw_chips(pen, chips, header.height(wide, entries))
        draw_tree(pen, path.facts, plan, (wide - plan.placed.width) / 2 * POINTS, above * POINTS)
        _sum(pen, path, k, above + plan.placed.height + 1.6, wide)
        pen.finish()
    set_description(ax, path_in_words(path, k))
    return ax


def class_number(model: Any, target: Any) -> int:
    """Find a class by its label.

    Parameters
    ----------
    model : MDTreeClassifier or MDTreeRegressor
    target : label

    Returns
    -------
    int

    Raises
    ------
    ValueError
        For a label that is none.
    """
    labels = list(getattr(model, "classes_", ()))
    if target not in labels:
        known = f"one of {', '.join(map(str, labels[:9]))}" if labels else "None: this is a mean"
        raise ValueError(f"target={target!r} must be {known}.")
    return labels.index(target)


def headline(path: RowPath, k: int) -> str:
    """Say what the picture shows in one line.

    Parameters
    ----------
    path : RowPath
    k : int
        Class; 0 for regression.

    Returns
    -------
    str
    """
    missing, n = path.n_missing, len(path.parts)
    misses = f"{missing} missing value{'' if missing == 1 else 's'}" if missing else "all known"
    ends = f"{n} node{' answers' if n == 1 else 's answer'}"
    if path.n_trees > 1:
        ends += f" in the first of {path.n_trees} trees; all of them"
    return f"One row, {misses}, {ends}: {answer_words(path, k)}"


def path_in_words(path: RowPath, k: int) -> str:
    """Describe a row's way, one line per node that it reaches.

    Parameters
    ----------
    path : RowPath
    k : int

    Returns
    -------
    str
    """
    parts = {part.node: part for part in path.parts}
    lines = [f"{headline(path, k)}."]
    for v in sorted(path.reached):
        node = path.facts.nodes[v]
        text = f"#{v}" + (f" {node.condition} gets {part_of(path.reached[v])}" if v else "")
        if v in path.values:
            value = path.values[v]
            text += (
                f"{',' if v else ''} asks {node.feature}, {'missing' if value is None else value}"
            )
            text += f", {path.spoke[v]} answers" if v in path.spoke else ""
        if v in parts:
            text += f": {part_words(parts[v], k, path.facts.classes)}"
            text += f" ({parts[v].note})" if parts[v].note else ""
        lines.append(text)
    return "\n".join(lines)


def _entries(path: RowPath, plain: TreeFacts, plan: Plan) -> list[Entry]:
    """What the legend explains: the classes or means, and the lanes that are drawn."""
    inner = [path.facts.nodes[v] for v, kids in plan.kids.items() if kids]
    entries = value_entries(plain)
    if any(b.known > UNREACHED for node in inner for b in node.branches):
        entries.append(Entry("flow", "flow", "the row, value known"))
    used = {b.mark for node in inner for b in node.branches}
    return entries + [Entry("lane", mark, text) for mark, text in _LANES.items() if mark in used]


def _chips(path: RowPath, wide: float) -> list[list[tuple[str, bool]]]:
    """The values that the tree asks of the row, in lines that fit; True = missing."""
    lines: list[list[tuple[str, bool]]] = [[]]
    used = 0.0
    for name, value in path.cells.items():
        shown = "?" if value is None else fit_ends(readable(value), 9.0)
        text = f"{fit_ends(readable(name), 12.0)} = {shown}"
        room = width(text, value is None) * SMALL + 1.4
        if lines[-1] and used + room > wide - 2 * MARGIN:
            lines.append([])
            used = 0.0
        lines[-1].append((text, value is None))
        used += room
    return [line for line in lines if line]


def _draw_chips(pen: Pen, lines: list[list[tuple[str, bool]]], top: float) -> None:
    em, y = pen.em, top
    for line in lines:
        x = MARGIN
        for text, is_missing in line:
            wide = width(text, is_missing) * SMALL + 0.9
            face, edge, ink = (
                ("tint", "missing", "missing") if is_missing else ("card", "border", "ink")
            )
            pen.frame(x * em, y * em, wide * em, _CHIP * em, face, edge)
            middle = (x + wide / 2) * em, (y + _CHIP / 2) * em
            pen.text(*middle, text, SMALL, ink, bold=is_missing, align="center")
            x += wide + 0.5
        y += _CHIP + 0.4


def _sum(pen: Pen, path: RowPath, k: int, top: float, wide: float) -> None:
    """Write the parts, and draw them side by side on a bar."""
    em, x, y = pen.em, MARGIN, top
    shown = path.parts[:MOST_PARTS]
    for part in shown:
        y += 0.75
        pen.text(x * em, y * em, f"#{part.node}", SMALL, "muted")
        words = part_words(part, k, path.facts.classes) + (f"  {part.note}" if part.note else "")
        pen.text((x + 3) * em, y * em, fit_start(readable(words), wide - 6), 1.0)
        y += 0.75
    if len(path.parts) > len(shown):
        rest = path.parts[len(shown) :]
        y += 0.75
        text = f"{len(rest)} more nodes add {sum(p.amount[k] for p in rest):.3g}"
        pen.text((x + 3) * em, y * em, text, 1.0, "muted")
        y += 0.75
    y += 0.8
    room, at = wide - 2 * MARGIN, x
    pen.fill(x * em, y * em, room * em, 1.7 * em, "faint", z=3.9)
    classes = path.facts.classes
    for part in path.parts:
        length = room * (part.amount[k] if classes is not None else part.weight)
        if classes is not None:
            colour, hatch = class_look(k)
        else:
            mean = ramp(path.facts.part(float(part.value[0])))
            colour, hatch = "#" + "".join(f"{round(255 * c):02X}" for c in mean[:3]), ""
        pen.fill(at * em, y * em, length * em, 1.7 * em, colour, hatch)
        pen.fill((at + length - 0.1) * em, y * em, 0.1 * em, 1.7 * em, "paper", z=4.3)
        if length > 3.2:
            pen.frame((at + length / 2 - 1.3) * em, (y + 0.25) * em, 2.6 * em, 1.2 * em, "paper",
                      "paper", z=4.5)  # fmt: skip
            pen.text(
                (at + length / 2) * em, (y + 0.85) * em, f"#{part.node}", SMALL, align="center"
            )
        at += length
    y += 2.7
    pen.text(x * em, y * em, "0" if classes is not None else "", SMALL, "muted")
    pen.text(
        (wide / 2) * em, y * em, readable(answer_words(path, k)), 1.0, bold=True, align="center"
    )
    end = (wide - MARGIN - 0.7) * em
    pen.text(end, y * em, "1" if classes is not None else "", SMALL, "muted")
