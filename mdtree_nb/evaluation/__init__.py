"""Compare strategies, and say how far the comparison can be believed."""

from .compare import compare
from .comparison import Comparison
from .complexity import complexity_table
from .explain_missingness import MissingnessExplanation, explain_missingness
from .statistics import corrected_resampled_ttest, smallest_visible_difference

__all__ = [
    "Comparison",
    "MissingnessExplanation",
    "compare",
    "complexity_table",
    "corrected_resampled_ttest",
    "explain_missingness",
    "smallest_visible_difference",
]
