"""The one place that talks to the compiler: how a kernel is compiled and cached.

Every function of this room is decorated with `kernel` (called from Python) or `inner`
(called by kernels). Both want integer codes and module-level functions: a closure or a
function passed as an argument would never be found again in numba's cache on disk. And
neither may allocate: scratch arrays come in as arguments. So the compiler need not count
references, which would cost more than a sweep over a small node.

Does not: compile anything by itself; numba does that at the first call.
"""

from __future__ import annotations

import sys
import threading
import time
import zlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from numba import config, njit
from numba.core import event

# numba's cache watches only the file in which a kernel stands, but kernels call
# each other across files. A stamp of the whole room in the kernel's qualified name
# (numba names the cache file after it) makes a stale cache impossible.
SOURCES = format(
    zlib.crc32(b"".join(p.read_bytes() for p in sorted(Path(__file__).parent.glob("*.py")))),
    "08x",
)

# error_model="numpy" makes x / 0 inf or nan instead of an exception; nogil lets two
# threads run kernels side by side.
OPTIONS = {"error_model": "numpy", "nogil": True}
NO_REFERENCE_COUNTS = {"_nrt": False}
NO_WRAPPERS = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}


def kernel(function: Callable[..., Any]) -> Any:
    """Compile `function` at its first call and keep the result on disk."""
    return _compile(function, OPTIONS | NO_REFERENCE_COUNTS)


def inner(function: Callable[..., Any]) -> Any:
    """Like `kernel`, for functions that only kernels call.

    Without the wrappers that let Python call them they compile in two thirds of the time.
    """
    return _compile(function, OPTIONS | NO_REFERENCE_COUNTS | NO_WRAPPERS)


def inlined(function: Callable[..., Any]) -> Any:
    """Like `inner`, for a function with a single caller, whose part it becomes.

    Compiled by itself as well as in its caller it would take twice the time.
    """
    return _compile(function, OPTIONS | NO_REFERENCE_COUNTS | NO_WRAPPERS | {"inline": "always"})


def _compile(function: Callable[..., Any], options: dict[str, Any]) -> Any:
    function.__qualname__ = f"{function.__name__}-{SOURCES}"
    try:
        return njit(cache=True, **options)(function)
    except RuntimeError:  # nowhere to write a cache: compile in every process
        return njit(**options)(function)


def is_compiled(function: Any) -> bool:
    """Tell whether a kernel was compiled before, in this process or on disk."""
    if config.DISABLE_JIT or function.overloads:
        return True
    folder = function.stats.cache_path
    return folder is not None and any(Path(folder).glob(f"*{function.__qualname__}*.nbi"))


class _Stopwatch(event.Listener):
    """Adds up what the calling thread waits for the compiler; kernels compile others inside."""

    def __init__(self) -> None:
        self.of = threading.local()

    def on_start(self, event: Any) -> None:
        depth = getattr(self.of, "depth", 0)
        self.of.depth = depth + 1
        if depth == 0:
            self.of.start = time.perf_counter()

    def on_end(self, event: Any) -> None:
        self.of.depth -= 1
        if self.of.depth == 0:
            self.of.total = self.total() + time.perf_counter() - self.of.start

    def total(self) -> float:
        return float(getattr(self.of, "total", 0.0))


_STOPWATCH = _Stopwatch()
event.register("numba:compile", _STOPWATCH)


def compile_seconds() -> float:
    """Seconds that this thread has waited for the compiler so far, to be left out of budgets."""
    return _STOPWATCH.total()


@cache
def announce_compilation() -> None:
    """Print a line that says why the first fit takes a while; once per process.

    The line goes to stderr, so that a notebook's stored output does not depend on
    the state of a cache, and past a progress bar, if there is one.
    """
    from tqdm import tqdm

    tqdm.write(
        "mdtree_nb: compiling its kernels once, about 5 seconds; the result is kept on disk.",
        file=sys.stderr,
    )


def announce(*functions: Any) -> None:
    """Tell the user when any of `functions` has to be compiled first."""
    if not all(is_compiled(f) for f in functions):
        announce_compilation()
