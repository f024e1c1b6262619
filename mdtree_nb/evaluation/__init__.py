"""Compare strategies, and say how far the comparison can be believed."""

from .compare import compare
from .comparison import Comparison
from .statistics import corrected_resampled_ttest, smallest_visible_difference

__all__ = [
    "Comparison",
    "compare",
    "corrected_resampled_ttest",
    "smallest_visible_difference",
]
