"""Make the helpers beside the tests importable, and hand on what tests in a browser need.

One file for both folders: two of this name would be one module to `--doctest-modules`.
"""

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE / "browser")]

from pages import context, outside, page, pytest_collection_modifyitems  # noqa: E402

__all__ = ["context", "outside", "page", "pytest_collection_modifyitems"]
