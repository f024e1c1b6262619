"""Figures, and their description in words; the only room that imports matplotlib."""

from .comparison import plot_comparison
from .describe import describe_axes
from .importance import plot_importance
from .missing_bars import plot_missing_bars
from .missing_dependence import plot_missing_dependence
from .missing_pattern import plot_missing_pattern
from .missing_share import plot_missing_share
from .panels import plot_panels
from .path import plot_path
from .ranks import plot_ranks
from .regions import plot_regions
from .split import plot_split
from .tree import plot_tree
from .tree_options import TreePlotOptions

__all__ = [
    "TreePlotOptions",
    "describe_axes",
    "plot_comparison",
    "plot_importance",
    "plot_missing_bars",
    "plot_missing_dependence",
    "plot_missing_pattern",
    "plot_missing_share",
    "plot_panels",
    "plot_path",
    "plot_ranks",
    "plot_regions",
    "plot_split",
    "plot_tree",
]
