"""The kernels are plain Python: the same trees grow without the compiler.

Slow, hence small; but with real tracebacks and NumPy's own rules for integers, which
found overflows that compiled code hides.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
SELECTED = [
    "test_kernels.py",
    "test_golden.py",
    "test_growth.py::test_trees_of_categories_equal_the_twin",
    "test_growth.py::test_absolute_error_equals_the_twin",
    "test_growth.py::test_weighted_tree_equals_the_twin",
    "test_routing.py::test_rows_may_stop_at_a_node",
    "test_exports.py",
    "test_split_table.py::test_levels_that_no_row_of_a_node_has",
    "test_split_table.py::test_all_cuts_are_there_with_the_gains_of_the_twin",
    "test_incomplete_rows.py::test_figure_1",
    "test_incomplete_rows.py::test_two_trees_are_asked_each_with_its_own_rows",
]


@pytest.mark.skipif("NUMBA_DISABLE_JIT" in os.environ, reason="this is that run")
def test_small_trees_without_the_compiler():
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "--override-ini=addopts=",
            "-p",
            "no:cacheprovider",
            *SELECTED,
        ],
        cwd=TESTS,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]
    assert " passed" in done.stdout
