"""Missing values: make them by a stated mechanism, count them, and test how they came.

`methods/` has one file per family of ways to make them, `contract.py` what they share.
"""

from typing import Any

from . import methods
from .amputer import Amputer, scenario
from .little import LittleTest, little_test
from .make import make_missing
from .methods import Method, all_methods
from .pairwise import missing_tests
from .result import MissingResult
from .summary import missing_summary

__all__ = [
    "Amputer",
    "LittleTest",
    "Method",
    "MissingResult",
    "all_methods",
    "little_test",
    "make_missing",
    "missing_summary",
    "missing_tests",
    "scenario",
]


def __getattr__(name: str) -> Any:
    """Find a method by the name of its class, so that `missingness.Censor` works."""
    return getattr(methods, name)


def __dir__() -> list[str]:
    return sorted([*__all__, *(cls.__name__ for cls in all_methods().values())])
