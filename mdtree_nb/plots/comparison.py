"""plot_comparison: mean scores of strategies with their intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib import rc_context

from ..evaluation.statistics import smallest_visible_difference
from .theme import CLASSES, FAINT, INK, MUTED, RC

if TYPE_CHECKING:
    from ..evaluation.comparison import Comparison


def plot_comparison(comparison: Comparison, *, ax: Any = None, title: str | None = None) -> Any:
    """Draw the mean score of each strategy, best on top.

    A dot is the mean over folds, its bar the 95 % interval of that mean, corrected for the
    overlap of the folds; the band is what lies within the smallest visible difference of
    the best; the dashed line is the score of always giving the same answer.

    Parameters
    ----------
    comparison : Comparison
    ax : matplotlib Axes or None, default=None
        None = a new figure of its own.
    title : str or None, default=None
        None = the finding in words.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    ValueError
        When no strategy could be compared.
    """
    if comparison.best is None:
        raise ValueError("no strategy could be compared, so there is nothing to draw.")
    table = comparison.summary().dropna(subset="mean").iloc[::-1]
    scores = comparison.scores
    with rc_context(RC):
        if ax is None:
            import matplotlib.pyplot as plt

            _, ax = plt.subplots(figsize=(6.4, 1.6 + 0.3 * len(table)), layout="constrained")
        best = float(table["mean"].iloc[-1])
        visible = comparison.detectable
        if np.isfinite(visible):
            ax.axvspan(best - visible, best, color=FAINT, zorder=0, label="_band")
        ax.axvline(comparison.baseline, color=MUTED, ls="--", lw=1, label="same answer for all")
        for place, (name, mean) in enumerate(table["mean"].items()):
            half = smallest_visible_difference(scores.loc[name], comparison.test_to_train)
            ax.plot([mean - half, mean + half], [place, place], color=CLASSES[0], lw=2, label="_")
            ax.plot([mean], [place], "o", color=CLASSES[0], ms=6, label=name)
            ax.annotate(
                f"{mean:.3f}",
                (mean, place),
                xytext=(0, 6),
                textcoords="offset points",
                ha="center",
                fontsize=7.5,
                color=INK,
                parse_math=False,
            )
        ax.set_yticks(range(len(table)), list(table.index), parse_math=False)
        ax.set_ylim(-0.7, len(table) - 0.3)
        ax.set_xlabel(
            f"mean {comparison.scoring} over {scores.shape[1]} folds, 95 % interval\n"
            "grey: no visible difference to the best"
        )
        ax.text(
            comparison.baseline,
            -0.62,
            " same answer for all",
            fontsize=7.5,
            color=MUTED,
            va="bottom",
        )
        ax.set_title(title or _finding(comparison), parse_math=False)
    return ax


def _finding(comparison: Comparison) -> str:
    means = comparison.summary()["mean"].dropna()
    if len(means) < 2:
        return f"{means.index[0]} reaches {means.iloc[0]:.3f}"
    lead, visible = means.iloc[0] - means.iloc[1], comparison.detectable
    if lead >= visible:
        return f"{means.index[0]} leads by {lead:.3f}, more than the visible {visible:.3f}"
    return f"No visible winner: differences below {visible:.3f} could be chance"
