"""Figures, and their description in words; the only room that imports matplotlib."""

from .comparison import plot_comparison
from .describe import describe_axes
from .split import plot_split

__all__ = ["describe_axes", "plot_comparison", "plot_split"]
