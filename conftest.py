"""What counts as the same output when nbval runs our notebooks as tests.

Text, tables and HTML must be equal after tests/nbval_sanitize.cfg; stderr is never compared;
figures are compared as small grey pictures with a tolerance, so that another build of
Matplotlib or FreeType passes and a different plot does not. Each figure also has a printed
description, which is compared as text.
"""

from __future__ import annotations

import base64
import io
from pathlib import Path
from typing import Any

import numpy as np

try:
    from nbval import plugin as nbval
except ImportError:  # the unit tests run without nbval
    nbval = None

# Builds of Matplotlib 3.9 to 3.11 differ by at most 0.04, changed plots by 0.08 and more.
FIGURE_TOLERANCE = 0.06
SIZE_TOLERANCE = 0.05


def pytest_configure(config: Any) -> None:
    path = getattr(config.option, "nbval_sanitize_with", None)
    if path and not Path(path).is_absolute():  # nbval opens it relative to the cwd
        config.option.nbval_sanitize_with = str(Path(config.rootpath) / path)


def pytest_collectstart(collector: Any) -> None:
    if nbval and isinstance(collector, nbval.IPyNbFile):
        collector.skip_compare += ("stderr",)


def figures(outputs: list[Any]) -> list[bytes]:
    """PNG pictures among the outputs of a cell."""
    return [
        base64.b64decode(o["data"]["image/png"])
        for o in outputs
        if "image/png" in o.get("data", {})
    ]


def thumbnail(png: bytes, width: int = 48) -> tuple[tuple[int, int], np.ndarray]:
    """Size of a picture, and its grey block means on white."""
    from PIL import Image

    picture = Image.open(io.BytesIO(png)).convert("RGBA")
    white = Image.new("RGBA", picture.size, "white")
    white.alpha_composite(picture)
    height = max(8, round(width * picture.size[1] / picture.size[0]))
    small = white.convert("L").resize((width, height), Image.Resampling.BOX)
    return picture.size, np.asarray(small, dtype=float) / 255


def blur(grey: np.ndarray) -> np.ndarray:
    """Means of 3 x 3 blocks: text or axes shifted by a pixel must not count."""
    rows, columns = grey.shape
    padded = np.pad(grey, 1, mode="edge")
    return sum(padded[i : i + rows, j : j + columns] for i in range(3) for j in range(3)) / 9


def figure_distance(a: bytes, b: bytes) -> float:
    """Largest grey difference of two pictures; infinite where their sizes differ."""
    (size_a, grey_a), (size_b, grey_b) = thumbnail(a), thumbnail(b)
    for one, other in zip(size_a, size_b, strict=True):
        if abs(one - other) > SIZE_TOLERANCE * max(one, other):
            return float("inf")
    rows = min(len(grey_a), len(grey_b))
    return float(np.abs(blur(grey_a[:rows]) - blur(grey_b[:rows])).max())


def figure_problem(now: list[Any], stored: list[Any]) -> str | None:
    """What is wrong with the figures of a cell, or None."""
    got, wanted = figures(now), figures(stored)
    if len(got) != len(wanted):
        return f"number of figures differs: stored {len(wanted)}, now {len(got)}"
    for number, (a, b) in enumerate(zip(got, wanted, strict=True)):
        distance = figure_distance(a, b)
        if distance > FIGURE_TOLERANCE:
            return (
                f"figure {number} differs by {distance:.3f} > {FIGURE_TOLERANCE}; look at it, "
                "`python3 dev.py refresh` stores the new one"
            )
    return None


if nbval:
    # The method, not the class: nbval calls super(IPyNbCell, self), so a subclass bound to
    # that name would break its constructor.
    compare_text = nbval.IPyNbCell.compare_outputs

    def compare_outputs(self: Any, test: Any, ref: Any, skip_compare: Any = None) -> bool:
        """nbval's comparison, then that of the figures."""
        if not compare_text(self, test, ref, skip_compare):
            return False
        problem = figure_problem(test, ref)
        if problem:
            self.comparison_traceback.append(problem)
        return problem is None

    nbval.IPyNbCell.compare_outputs = compare_outputs
