"""Trees of cards of which somebody else decided what is open: the pictures of widgets.

`plot_tree` chooses what fits on a page; here the page is as large as what is shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from matplotlib import rc_context

from .fonts import readable
from .pen import Pen
from .theme import SHAPES_RC, get_palette
from .tree_facts import TreeFacts
from .tree_legend import Header, tree_entries
from .tree_marks import draw_tree
from .tree_options import TreePlotOptions
from .tree_plan import MARGIN, Cards, Plan

LARGEST = 24.0  # inches; below that the letters get smaller


def draw_shown(
    facts: Sequence[TreeFacts],
    kids: Sequence[dict[int, tuple[int, ...]]],
    titles: Sequence[str],
    theme: str,
) -> Any:
    """Draw trees side by side, each with its title above it.

    Parameters
    ----------
    facts : sequence of TreeFacts
    kids : sequence of dict
        Children to draw, of each node that is drawn.
    titles : sequence of str
    theme : {"light", "dark"}

    Returns
    -------
    matplotlib Figure
    """
    import matplotlib.pyplot as plt

    options, palette = TreePlotOptions(theme=theme), get_palette(theme)
    plans = [Plan(Cards(one, options), its, False, 0) for one, its in zip(facts, kids, strict=True)]
    headers = [
        Header(readable(title), one.note, True, one)
        for title, one in zip(titles, facts, strict=True)
    ]
    entries = [tree_entries(one, plan) for one, plan in zip(facts, plans, strict=True)]
    wide = [
        max(plan.placed.width + 2 * MARGIN, h.wanted)
        for plan, h in zip(plans, headers, strict=True)
    ]
    above = max(h.height(w, e) for h, w, e in zip(headers, wide, entries, strict=True))
    high = above + max(plan.placed.height for plan in plans) + MARGIN
    em = min(options.max_points, 72 * LARGEST / max(sum(wide), high))
    size = (sum(wide) * em, high * em)
    with rc_context(SHAPES_RC):
        figure = plt.figure(figsize=(size[0] / 72, size[1] / 72), facecolor=palette.paper)
        left = 0.0
        for one, plan, header, its, w in zip(facts, plans, headers, entries, wide, strict=True):
            ax = figure.add_axes((left / sum(wide), 0.0, w / sum(wide), 1.0))
            pen = Pen(ax, (w * em, size[1]), palette, em)
            header.draw(pen, its)
            draw_tree(pen, one, plan, (w - plan.placed.width) / 2 * em, above * em)
            pen.finish()
            left += w
    return figure
