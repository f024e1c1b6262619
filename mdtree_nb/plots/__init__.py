"""Figures, and their description in words; the only room that imports matplotlib."""

from .comparison import plot_comparison
from .describe import describe_axes
from .tree import plot_tree
from .tree_options import TreePlotOptions

__all__ = ["TreePlotOptions", "describe_axes", "plot_comparison", "plot_tree"]
