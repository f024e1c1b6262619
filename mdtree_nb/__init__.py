"""Missing-data decision trees in notebooks.

Public names load on first use, so that importing the package costs next to nothing.

To read the code, start with `tree/strategy.py` (the contract between the core and a
missing-value strategy), then one file of `strategies/`, then `tree/growth.py` and
`tree/routing.py`, and `estimators.py` last.
"""

from __future__ import annotations

import importlib
from typing import Any

__version__ = "0.1.0"

# Where each public name lives.
_HOME = {
    "Amputer": "missingness",
    "Auto": "auto",
    "Comparison": "evaluation",
    "Experiment": "evaluation",
    "LazyTreeClassifier": "lazy",
    "LazyTreeRegressor": "lazy",
    "MDTreeClassifier": "estimators",
    "MDTreeRegressor": "estimators",
    "MissingnessLab": "widgets",
    "RowTracer": "widgets",
    "SplitExplorer": "widgets",
    "StrategyNotApplicable": "strategies",
    "StrategyDashboard": "widgets",
    "TreeExplorer": "widgets",
    "TreePair": "widgets",
    "TreePlotOptions": "plots",
    "compare": "evaluation",
    "complexity_table": "evaluation",
    "describe_axes": "plots",
    "eig2020": "studies",
    "explain_missingness": "evaluation",
    "export_json": "exports",
    "export_text": "exports",
    "import_json": "exports",
    "importance_table": "importances",
    "little_test": "missingness",
    "list_datasets": "datasets",
    "load": "datasets",
    "make_missing": "missingness",
    "make_synth": "datasets",
    "missing_summary": "missingness",
    "missing_tests": "missingness",
    "plot_comparison": "plots",
    "plot_importance": "plots",
    "plot_missing_bars": "plots",
    "plot_missing_dependence": "plots",
    "plot_missing_pattern": "plots",
    "plot_missing_share": "plots",
    "plot_panels": "plots",
    "plot_path": "plots",
    "plot_ranks": "plots",
    "plot_regions": "plots",
    "plot_split": "plots",
    "plot_tree": "plots",
    "split_table": "splits",
    "surrogate_table": "stand_ins",
    "twala2020": "studies",
}
_MODULES = (
    "datasets", "evaluation", "exports", "missingness", "plots", "presets", "prunings",
    "strategies", "studies", "teaching", "widgets",
)  # fmt: skip

__all__ = ["__version__", *sorted(_HOME), *sorted(_MODULES)]


def __getattr__(name: str) -> Any:
    if name in _HOME:
        value = getattr(importlib.import_module(f".{_HOME[name]}", __name__), name)
    elif name in _MODULES:
        value = importlib.import_module(f".{name}", __name__)
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
