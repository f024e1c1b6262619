"""A tree of cards of which somebody else decided what is open: the picture of a widget.

`plot_tree` chooses what fits on a page; here the page is as large as what is shown.
"""

from __future__ import annotations

from typing import Any

from matplotlib import rc_context

from .describe import set_description
from .fonts import readable
from .pen import Pen
from .theme import SHAPES_RC, get_palette
from .tree_facts import TreeFacts
from .tree_legend import Header, tree_entries
from .tree_marks import draw_tree
from .tree_options import TreePlotOptions
from .tree_plan import MARGIN, Cards, Plan
from .tree_words import tree_in_words

LARGEST = 24.0  # inches; below that the letters get smaller


def draw_shown(facts: TreeFacts, kids: dict[int, tuple[int, ...]], options: TreePlotOptions) -> Any:
    """Draw the nodes that are open, on a new figure.

    Parameters
    ----------
    facts : TreeFacts
    kids : dict
        Children to draw, of each node that is drawn.
    options : TreePlotOptions
        Theme and title.

    Returns
    -------
    matplotlib Axes
    """
    import matplotlib.pyplot as plt

    plan = Plan(Cards(facts, options), kids, False, 0)
    title = readable(facts.title if options.title is None else options.title)
    header, entries = Header(title, facts.note, True, facts), tree_entries(facts, plan)
    wide = max(plan.placed.width + 2 * MARGIN, header.wanted)
    above = header.height(wide, entries)
    high = above + plan.placed.height + MARGIN
    em = min(options.max_points, 72 * LARGEST / max(wide, high))
    size, palette = (wide * em, high * em), get_palette(options.theme)
    with rc_context(SHAPES_RC):
        figure = plt.figure(figsize=(size[0] / 72, size[1] / 72), facecolor=palette.paper)
        ax = figure.add_axes((0.0, 0.0, 1.0, 1.0))
        pen = Pen(ax, size, palette, em)
        header.draw(pen, entries)
        draw_tree(pen, facts, plan, (wide - plan.placed.width) / 2 * em, above * em)
        pen.finish()
    set_description(ax, tree_in_words(facts, sorted(kids), title))
    return ax
