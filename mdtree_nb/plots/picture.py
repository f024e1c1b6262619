"""A drawn figure as the bytes of a PNG."""

from __future__ import annotations

import io
from typing import Any

DPI = 100


def as_png(figure: Any) -> bytes:
    """Write a figure as a PNG and close it.

    Parameters
    ----------
    figure : matplotlib Figure

    Returns
    -------
    bytes
    """
    import matplotlib.pyplot as plt

    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=DPI, facecolor=figure.get_facecolor())
    plt.close(figure)  # a notebook would show it once more
    return buffer.getvalue()
