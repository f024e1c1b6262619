"""Figures, and their description in words; the only room that imports matplotlib."""

from .comparison import plot_comparison
from .describe import describe_axes
from .missing_pattern import plot_missing_pattern
from .path import plot_path
from .regions import plot_regions
from .split import plot_split
from .tree import plot_tree
from .tree_options import TreePlotOptions

__all__ = [
    "TreePlotOptions",
    "describe_axes",
    "plot_comparison",
    "plot_missing_pattern",
    "plot_path",
    "plot_regions",
    "plot_split",
    "plot_tree",
]
