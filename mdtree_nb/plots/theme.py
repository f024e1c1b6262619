"""Colours and type shared by all figures.

Okabe-Ito colours, distinguishable with any colour vision; vermillion stands for missing
values and for nothing else.
"""

from __future__ import annotations

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
