"""Make the helpers beside the tests importable, and hand on what tests in a browser need.

One file for both folders: two of this name would be one module to `--doctest-modules`.
"""

import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE / "browser")]

from pages import context, outside, page, skip_without_chromium  # noqa: E402

__all__ = ["context", "outside", "page"]


def pytest_collection_modifyitems(items):
    skip_without_chromium(items)
    named = [item.nodeid for item in items if " at 0x" in item.nodeid]
    if named:  # workers would disagree about what there is to run
        raise pytest.UsageError(f"give the parameters ids; a name holds an address: {named[0]}")
