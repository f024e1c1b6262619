"""Compare strategies, and say how far the comparison can be believed."""

from .compare import compare
from .comparison import Comparison
from .complexity import complexity_table
from .experiment import Experiment, summarise
from .explain_missingness import MissingnessExplanation, explain_missingness
from .statistics import corrected_resampled_ttest, smallest_visible_difference
from .store import StoreError, read_store

__all__ = [
    "Comparison",
    "Experiment",
    "MissingnessExplanation",
    "StoreError",
    "compare",
    "complexity_table",
    "corrected_resampled_ttest",
    "explain_missingness",
    "read_store",
    "smallest_visible_difference",
    "summarise",
]
