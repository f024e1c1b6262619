"""plot_tree: a tree, and where its missing values went."""

from __future__ import annotations

from typing import Any

from matplotlib import rc_context

from .describe import set_description
from .fonts import readable
from .pen import Pen
from .theme import SHAPES_RC, get_palette
from .tree_facts import TreeFacts, read_tree
from .tree_icicle import Icicle, draw_icicle, lay_out
from .tree_legend import Entry, Header, icicle_entries, tree_entries
from .tree_list import AskedList
from .tree_marks import draw_tree
from .tree_options import TreePlotOptions
from .tree_plan import MARGIN, SMALL, Plan, Room, choose_plan
from .tree_words import tree_in_words

MOST_LEAVES = 80  # more than that are not cards any more
_MOST_LINES = 6  # of the list of surrogates


def plot_tree(
    estimator_or_tree: Any,
    ax: Any = None,
    options: TreePlotOptions | None = None,
    **overrides: Any,
) -> Any:
    """Draw a tree and the way of its missing values.

    Known rows are solid edges, missing rows a dashed lane on their outer side; the widths
    of both are weights, so what leaves a node adds up to what came in. Text is never
    smaller than `min_points`: what does not fit is drawn in a denser way, and the lightest
    subtrees are folded into stubs that say how much they hide. Trees of more than 80
    leaves become an icicle.

    Parameters
    ----------
    estimator_or_tree : fitted MDTreeClassifier or MDTreeRegressor, or Tree
        A bare tree knows neither class names nor where later missing values would go.
    ax : matplotlib Axes or None, default=None
        Where to draw; its size when it is given is what the tree is fitted to. None = a new
        figure, as small as its contents.
    options : TreePlotOptions or None, default=None
        None = the defaults.
    **overrides
        Single options that differ, such as `max_depth=3` or `theme="dark"`.

    Returns
    -------
    matplotlib Axes
        `describe_axes` says in words what it shows.

    Raises
    ------
    TypeError
        For another object and for unknown options.
    NotFittedError
        For an estimator that is not fitted.
    ValueError
        For bad options, and for an `ax` in which no text of the allowed size fits.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from mdtree_nb import MDTreeClassifier, describe_axes
    >>> tree = MDTreeClassifier().fit([[1.0], [2.0], [float("nan")]], ["a", "b", "b"])
    >>> print(describe_axes(plot_tree(tree, Figure().subplots())))
    Tree with missing='learned': 3 nodes, 2 leaves. 3 rows; 1 of 1 test met missing values.
    #0 asks x0, n 3: a 0.33, b 0.67; 1 missing: all to #2
    #1 if x0 <= 1.5, n 1: a 1.00
    #2 if x0 > 1.5 or missing, n 2: b 1.00
    """
    if options is not None and not isinstance(options, TreePlotOptions):
        raise TypeError(f"options={options!r} must be TreePlotOptions(...) or None.")
    options = (options or TreePlotOptions()).with_overrides(overrides)
    facts = read_tree(estimator_or_tree, options.class_names, options.feature_names)
    title = facts.title if options.title is None else options.title
    note = facts.note if options.title != "" else ""
    title = readable(title) if title else ""
    header = Header(title, note, options.show_legend, facts)
    many = facts.n_leaves > MOST_LEAVES and options.orientation == "auto"
    icicle = options.kind == "icicle" or (options.kind == "auto" and many)
    with rc_context(SHAPES_RC):
        size = None if ax is None else _size_in_points(ax)
        draw = _draw_icicle if icicle else _draw_cards
        ax, shown = draw(facts, header, options, ax, size)
    set_description(ax, tree_in_words(facts, shown, title))
    return ax


def _draw_cards(
    facts: TreeFacts,
    header: Header,
    options: TreePlotOptions,
    ax: Any,
    size: tuple[float, float] | None,
) -> tuple[Any, list[int]]:
    """Draw a tree of cards; returns the Axes and the nodes that are shown."""
    wide, high = size or (72 * options.max_size[0], 72 * options.max_size[1])
    asked = AskedList(facts, _lines_below(high, options))
    room = Room(
        wide,
        high,
        size is not None,
        options.max_points,
        max(header.wanted, asked.wanted),
        lambda page, plan: header.height(page, tree_entries(facts, plan)),
        lambda plan: asked.height(_inner(plan)),
    )
    plan, em = choose_plan(facts, options, room)
    page, above = room.page(plan, em)
    below = above + plan.placed.height
    tall = below + room.below(plan) + MARGIN
    if size is None:
        size = (page * em, tall * em)
        ax = _new_axes(size, options)
    elif em > room.em(plan) + 1e-9:
        needs = (max(plan.placed.width + 2 * MARGIN, 12.0) * em / 72, tall * em / 72)
        raise _too_small(size, needs, options)
    pen = Pen(ax, size, get_palette(options.theme), em)
    header.draw(pen, tree_entries(facts, plan))
    draw_tree(pen, facts, plan, (size[0] - plan.placed.width * em) / 2, above * em)
    asked.draw(pen, _inner(plan), below * em)
    pen.finish()
    return ax, sorted(plan.kids)


def _inner(plan: Plan) -> list[int]:
    return sorted(v for v, kids in plan.kids.items() if kids)


def _lines_below(height: float, options: TreePlotOptions) -> int:
    """Lines of the list of surrogates on a page of this height in points."""
    return min(max(int(height / 96), 1), _MOST_LINES) if options.show_legend else 0


def _draw_icicle(
    facts: TreeFacts,
    header: Header,
    options: TreePlotOptions,
    ax: Any,
    size: tuple[float, float] | None,
) -> tuple[Any, list[int]]:
    """Draw an icicle; returns the Axes and the nodes that are shown."""
    head_em = min(options.max_points, max(options.min_points / SMALL, 9.0))
    text_em = max(options.min_points, 6.6)
    wide, high = size or (72 * options.max_size[0], 72 * options.max_size[1])

    asked = AskedList(facts, _lines_below(high, options))

    def plan() -> tuple[Icicle, list[Entry], float, float]:
        """The texts depend on what is hidden, what is hidden on the texts' height."""
        above, below, entries = 0.0, head_em, []
        for _ in range(3):
            icicle = lay_out(facts, options.max_depth, high - above - below, text_em)
            shown = [facts.nodes[cell.node] for cell in icicle.cells]
            entries = icicle_entries(facts, shown, len(facts.nodes) - len(shown))
            above = (header.height(wide / head_em, entries) + 0.2) * head_em
            below = max(below, (asked.height(icicle.inner(facts)) + 1) * head_em)
        icicle = lay_out(facts, options.max_depth, high - above - below, text_em)
        return icicle, entries, above, below

    icicle, entries, above, below = plan()
    end = above + icicle.row * icicle.n_rows
    if size is None:
        size = (wide, end + below)
        ax = _new_axes(size, options)
    elif icicle.row < 1.5 * text_em:
        raise _too_small(size, (3.0, (above + below + 3 * text_em) / 72), options)
    palette = get_palette(options.theme)
    head = Pen(ax, size, palette, head_em)
    header.draw(head, entries)
    asked.draw(head, icicle.inner(facts), end)
    head.finish()
    body = Pen(ax, size, palette, text_em)
    draw_icicle(body, facts, icicle, above, options)
    body.finish()
    return ax, sorted(cell.node for cell in icicle.cells)


def _size_in_points(ax: Any) -> tuple[float, float]:
    figure = ax.figure
    ax.set_axis_off()
    if figure.get_layout_engine() is not None:
        figure.draw_without_rendering()  # a layout moves its Axes when it is drawn
    box = ax.get_window_extent()
    return 72 * box.width / figure.dpi, 72 * box.height / figure.dpi


def _new_axes(size: tuple[float, float], options: TreePlotOptions) -> Any:
    import matplotlib.pyplot as plt

    paper = get_palette(options.theme).paper
    figure = plt.figure(figsize=(size[0] / 72, size[1] / 72), facecolor=paper)
    return figure.add_axes((0.0, 0.0, 1.0, 1.0))


def _too_small(
    size: tuple[float, float], needs: tuple[float, float], options: TreePlotOptions
) -> ValueError:
    has = " x ".join(f"{s / 72:.1f}" for s in size)
    least = " x ".join(f"{s + 0.05:.1f}" for s in needs)
    return ValueError(
        f"ax={has} inches is too small for text of {options.min_points:g} points; the smallest "
        f"drawing takes about {least} inches. Enlarge the figure, set show_legend=False, or "
        "leave out ax=."
    )
