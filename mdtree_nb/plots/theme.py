"""Colours, hatches and type shared by all figures.

Okabe-Ito colours, distinguishable with any colour vision; vermillion stands for missing
values and for nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from matplotlib import colormaps

INK = "#1B1F24"
MUTED = "#57606A"
FAINT = "#E3E7EB"
MISSING = "#B23C00"
CLASSES = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#F0E442", "#8C8C8C")

# Settings under which every figure is drawn, whatever the user's are.
RC = {
    "font.family": ["DejaVu Sans"],
    "font.size": 9.0,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": MUTED,
    "axes.labelcolor": INK,
    "axes.titlesize": 10.0,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "text.color": INK,
    "text.usetex": False,
    "xtick.color": MUTED,
    "ytick.color": INK,
    "figure.dpi": 100,
}

# Settings for pictures made of shapes in points: nothing in them comes from the user's.
SHAPES_RC = {
    **RC,
    "figure.autolayout": False,
    "figure.constrained_layout.use": False,
    "hatch.linewidth": 0.7,
    "path.effects": [],
    "path.sketch": None,
}

# A second code beside the colour of a class, for every kind of colour vision and for print.
HATCHES = ("", "////", "....", "\\\\\\\\", "xxxx", "----", "++++")
MARKERS = ("o", "s", "^", "D", "v", "P", "X")


@dataclass(frozen=True)
class Palette:
    """Colours by role, on light or on dark paper.

    Attributes
    ----------
    paper, card, border : str
        Ground, cards and their frames.
    ink, muted : str
        Text, and text of less weight.
    flow, faint : str
        Rows whose value is known; empty tracks.
    missing, ribbon, tint : str
        Missing values: text and dashes, the band below dashes, the ground of chips.
    hatch : str
        Strokes on the colour of a class.
    lines : tuple of str
        Lines of strategies side by side: no colours of classes.
    """

    paper: str = "#FFFFFF"
    card: str = "#F6F8FA"
    border: str = "#AEB7C0"
    ink: str = INK
    muted: str = MUTED
    flow: str = "#8B959F"
    faint: str = FAINT
    missing: str = MISSING
    ribbon: str = "#F6C9AF"
    tint: str = "#FDEBE0"
    hatch: str = "#FFFFFF"
    lines: tuple[str, ...] = (INK, "#6A3D9A", "#687078", "#7D7A1B")


PALETTES = {
    "light": Palette(),
    "dark": Palette(
        paper="#11161C",
        card="#1B222A",
        border="#56626E",
        ink="#E8EDF2",
        muted="#A4AFBA",
        flow="#66727E",
        faint="#2A323B",
        missing="#FF8A5C",
        ribbon="#6B3A24",
        tint="#3A2418",
        hatch="#11161C",
        lines=("#E8EDF2", "#C3A6EC", "#8E99A4", "#B5B04A"),
    ),
}


def get_palette(theme: str) -> Palette:
    """Find a palette by name.

    Parameters
    ----------
    theme : {"light", "dark"}

    Returns
    -------
    Palette

    Raises
    ------
    ValueError
        For another name.
    """
    if not isinstance(theme, str) or theme not in PALETTES:
        raise ValueError(f"theme={theme!r} is not known; choose 'light' or 'dark'.")
    return PALETTES[theme]


def class_look(number: int) -> tuple[str, str]:
    """Colour and hatch of a class; the hatch moves on where the colours start again.

    Parameters
    ----------
    number : int

    Returns
    -------
    tuple of str
        The first 49 pairs differ.
    """
    n = len(CLASSES)
    return CLASSES[number % n], HATCHES[(number + number // n) % n]


def ramp(part: float) -> tuple[float, ...]:
    """Colour of a number on the scale of a figure, from 0 = lowest to 1 = highest.

    Parameters
    ----------
    part : float

    Returns
    -------
    tuple of float
        Red, green, blue and opacity. The ends of viridis are left out: they vanish on
        dark and on light paper.
    """
    return tuple(colormaps["viridis"](0.1 + 0.75 * min(max(part, 0.0), 1.0)))


def settings_on(palette: Palette) -> dict[str, Any]:
    """Settings for axes and texts on the paper of a palette.

    Parameters
    ----------
    palette : Palette

    Returns
    -------
    dict
    """
    return {
        **RC,
        "figure.facecolor": palette.paper,
        "axes.facecolor": palette.paper,
        "axes.edgecolor": palette.muted,
        "axes.labelcolor": palette.ink,
        "axes.titlecolor": palette.ink,
        "text.color": palette.ink,
        "xtick.color": palette.muted,
        "ytick.color": palette.ink,
        "hatch.linewidth": 0.7,
    }


def dress(ax: Any, palette: Palette) -> None:
    """Give an Axes the colours of a palette.

    Parameters
    ----------
    ax : matplotlib Axes
    palette : Palette
    """
    ax.set_facecolor(palette.paper)
    ax.tick_params(colors=palette.ink)
    for side, spine in ax.spines.items():
        spine.set_color(palette.muted)
        spine.set_visible(side in ("left", "bottom"))
    for text in (ax.xaxis.label, ax.yaxis.label, ax.title, ax._left_title):
        text.set_color(palette.ink)
