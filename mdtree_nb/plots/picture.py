"""A drawn figure as the bytes of a file."""

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
    return as_bytes(figure, "png", DPI)


def as_bytes(figure: Any, form: str, dpi: int = 2 * DPI) -> bytes:
    """Write a figure in some form and close it.

    Parameters
    ----------
    figure : matplotlib Figure
    form : {"png", "svg", "pdf"}
    dpi : int, default=200
        Of a PNG.

    Returns
    -------
    bytes
    """
    import matplotlib.pyplot as plt

    buffer = io.BytesIO()
    with plt.rc_context({"svg.fonttype": "none"}):  # text stays text
        figure.savefig(buffer, format=form, dpi=dpi, facecolor=figure.get_facecolor())
    plt.close(figure)  # a notebook would show it once more
    return buffer.getvalue()
