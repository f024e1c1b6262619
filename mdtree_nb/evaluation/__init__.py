"""Compare strategies, and say how far the comparison can be believed."""

from .anova import rm_anova
from .compare import compare
from .comparison import Comparison
from .complexity import complexity_table
from .experiment import Experiment, summarise
from .explain_missingness import MissingnessExplanation, explain_missingness
from .many_sets import (
    Friedman,
    Interval,
    bootstrap_difference,
    critical_difference,
    friedman,
    nemenyi,
    wilcoxon_holm,
)
from .statistics import (
    TTest,
    corrected_resampled_ttest,
    holm,
    smallest_visible_difference,
    smoothed_error,
)
from .store import read_store
from .store_errors import StoreError

__all__ = [
    "Comparison",
    "Experiment",
    "Friedman",
    "Interval",
    "MissingnessExplanation",
    "StoreError",
    "TTest",
    "bootstrap_difference",
    "compare",
    "complexity_table",
    "corrected_resampled_ttest",
    "critical_difference",
    "explain_missingness",
    "friedman",
    "holm",
    "nemenyi",
    "read_store",
    "rm_anova",
    "smallest_visible_difference",
    "smoothed_error",
    "summarise",
    "wilcoxon_holm",
]
