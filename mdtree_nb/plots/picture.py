"""A drawn figure as the bytes of a file."""

from __future__ import annotations

import io
from typing import Any

DPI = 100
_COLOURS = 128


def as_png(figure: Any) -> bytes:
    """Write a figure as a small PNG and close it.

    Few colours are enough for figures and make a third of the bytes; notebooks hold them.

    Parameters
    ----------
    figure : matplotlib Figure

    Returns
    -------
    bytes
    """
    from PIL import Image  # comes with matplotlib

    whole = Image.open(io.BytesIO(as_bytes(figure, "png", DPI))).convert("RGB")
    buffer = io.BytesIO()
    whole.quantize(_COLOURS, dither=Image.Dither.NONE).save(buffer, "PNG", optimize=True)
    return buffer.getvalue()


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
