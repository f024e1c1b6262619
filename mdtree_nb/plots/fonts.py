"""Widths of texts before they are drawn, and fonts for every script.

Widths come from the font files, in em (multiples of the font size), so that a layout is
computed without a renderer. DejaVu Sans ships with Matplotlib, so pictures are the same
everywhere; characters that it lacks come from a font of the system, or become a box.
"""

from __future__ import annotations

import unicodedata
from functools import cache, lru_cache
from typing import Any

from matplotlib.font_manager import fontManager
from matplotlib.ft2font import FT2Font

BASE = "DejaVu Sans"
BOX = "□"  # stands for a character that no font has
# Asked first, in this order; then every other font of the system.
PREFERRED = (
    "Noto Sans",
    "Noto Sans CJK SC",
    "Noto Sans CJK JP",
    "Noto Sans CJK KR",
    "Source Han Sans SC",
    "WenQuanYi Zen Hei",
    "Microsoft YaHei",
    "Yu Gothic",
    "Malgun Gothic",
    "PingFang SC",
    "Hiragino Sans",
    "Apple SD Gothic Neo",
    "Arial Unicode MS",
    "Noto Emoji",
    "Segoe UI Emoji",
    "Segoe UI Symbol",
    "Apple Symbols",
    "STIXGeneral",
)
_WEIGHTS: dict[Any, Any] = {"normal": 400, "regular": 400, "bold": 700}
_MEASURED_AT = 100  # points; large, so that hinting does not matter
_HINTING = 1.1  # pixels make small text up to a tenth wider than its outlines


@lru_cache(maxsize=65536)
def width(text: str, bold: bool = False) -> float:
    """Width of a text in em, never less than what is drawn.

    Parameters
    ----------
    text : str
        One line of `readable` text.
    bold : bool, default=False

    Returns
    -------
    float
    """
    return _HINTING * sum(_advance(c, bold) for c in text)


def readable(text: object) -> str:
    """Make one line of characters that can be drawn.

    Control characters become spaces, marks that no font has vanish, and other characters
    that no font has become a box.

    Parameters
    ----------
    text : object

    Returns
    -------
    str
    """
    line = "".join(map(_drawable, str(text)))
    return " ".join(line.split()) or "''"


def style(text: str, bold: bool = False) -> tuple[list[str], str]:
    """Font families that a text needs, DejaVu Sans first, and the weight they have.

    Parameters
    ----------
    text : str
    bold : bool, default=False

    Returns
    -------
    families : list of str
    weight : {"normal", "bold"}
        "normal" also where a character is not there in bold.
    """
    families = [BASE]
    for character in text:
        family = _family(character)
        if family is not None and family not in families:
            families.append(family)
    return families, "bold" if bold and all(map(_is_bold, text)) else "normal"


def fit_start(text: str, room: float, bold: bool = False) -> str:
    """Return as much of the start of a text as fits into a width.

    Parameters
    ----------
    text : str
    room : float
        In em.
    bold : bool, default=False

    Returns
    -------
    str
    """
    if width(text, bold) <= room:
        return text
    while len(text) > 1 and width(text + "…", bold) > room:
        text = text[:-1]
    return text.rstrip() + "…"


def fit_ends(text: str, room: float, bold: bool = False) -> str:
    """Shorten a text in the middle: both ends of a name carry meaning.

    Parameters
    ----------
    text : str
    room : float
        In em.
    bold : bool, default=False

    Returns
    -------
    str
    """
    if width(text, bold) <= room:
        return text
    keep = len(text) - 1
    while keep > 2 and width(_ends(text, keep), bold) > room:
        keep -= max(1, (keep - 40) // 2)
    return _ends(text, keep)


def fit_set(text: str, room: float, bold: bool = False) -> str:
    """Shorten a text such as "∈ {a, b, c}" to its first elements and how many more there are.

    Parameters
    ----------
    text : str
        Any other text is shortened in the middle.
    room : float
        In em.
    bold : bool, default=False

    Returns
    -------
    str
    """
    start, brace, rest = text.partition("{")
    elements = rest.removesuffix("}").split(", ")
    if not brace or not rest.endswith("}"):
        return fit_ends(text, room, bold)
    for kept in range(len(elements), 0, -1):
        more = f", +{len(elements) - kept}" if kept < len(elements) else ""
        shorter = f"{start}{{{', '.join(elements[:kept])}{more}}}"
        if width(shorter, bold) <= room:
            return shorter
    return fit_ends(text, room, bold)


def _ends(text: str, keep: int) -> str:
    head = (keep + 1) // 2
    return text[:head].rstrip() + "…" + text[len(text) - keep + head :].lstrip()


def _drawable(character: str) -> str:
    category = unicodedata.category(character)
    if category in ("Cc", "Zs", "Zl", "Zp"):
        return " "
    if category == "Cf":
        return ""
    if category != "Cs" and _family(character) is not None:
        return character
    return "" if category in ("Mn", "Me") else BOX


@lru_cache(maxsize=65536)
def _advance(character: str, bold: bool) -> float:
    face = _face(_family(character) or BASE, bold and _is_bold(character))
    glyph = face.load_char(ord(character))
    return float(glyph.linearHoriAdvance) / 65536 / _MEASURED_AT


@lru_cache(maxsize=64)  # each holds a file open
def _face(family: str, bold: bool) -> Any:
    """A font of our own: the renderer changes the sizes of those it shares."""
    normal, heavy = _installed()[family]
    face = FT2Font(heavy if bold and heavy else normal)
    face.set_size(_MEASURED_AT, 72)
    return face


@lru_cache(maxsize=65536)
def _family(character: str) -> str | None:
    """Family of the first font that has a character, or None."""
    code = ord(character)
    if _has(BASE, code):
        return BASE
    for family in _preferred():
        if _has(family, code):
            return family
    return next((family for family in _others(code >> 12) if _has(family, code)), None)


@lru_cache(maxsize=65536)
def _is_bold(character: str) -> bool:
    """Is a character there in bold?"""
    family = _family(character) or BASE
    heavy = _installed()[family][1] is not None
    return heavy and bool(_face(family, True).get_char_index(ord(character)))


@cache
def _installed() -> dict[str, tuple[str, str | None]]:
    """Upright families of normal weight, with their files in normal and bold."""
    normal: dict[str, str] = {}
    heavy: dict[str, str] = {}
    for entry in fontManager.ttflist:
        weight = _WEIGHTS.get(entry.weight, entry.weight)
        if entry.style == "normal" and entry.stretch == "normal":
            files = {400: normal, 700: heavy}.get(weight, {})
            files.setdefault(entry.name, entry.fname)
    unusable = ("cm", "Last Resort")  # other encodings; boxes for every character
    return {
        name: (file, heavy.get(name))
        for name, file in normal.items()
        if not name.startswith(unusable)
    }


@cache
def _preferred() -> tuple[str, ...]:
    return tuple(family for family in PREFERRED if family in _installed())


@cache
def _others(script: int) -> tuple[str, ...]:
    """Other families that have something of a stretch of 4096 characters."""
    rest = sorted(set(_installed()) - {BASE, *PREFERRED})
    return tuple(family for family in rest if _covers(family, script))


def _covers(family: str, script: int) -> bool:
    try:
        return any(code >> 12 == script for code in _face(family, False).get_charmap())
    except (OSError, RuntimeError, ValueError):  # bitmap fonts of coloured emoji
        return False


def _has(family: str, code: int) -> bool:
    return bool(_face(family, False).get_char_index(code))


def write(artist: Any, text: object) -> None:
    """Give a text of Matplotlib new words: no mathematics, fonts that have every character.

    Parameters
    ----------
    artist : matplotlib Text
    text : object
    """
    words = readable(text)
    artist.set_parse_math(False)
    artist.set_fontfamily(style(words)[0])
    artist.set_text(words)


def heading(title: str | None, finding: str) -> str:
    """Words of a title: the finding where none is given; an empty one stays empty.

    Parameters
    ----------
    title : str or None
    finding : str

    Returns
    -------
    str
    """
    words = finding if title is None else str(title)
    return readable(words) if words.strip() else ""


def write_title(ax: Any, words: str, is_given: bool) -> None:
    """Write the title of an Axes at its left.

    Parameters
    ----------
    ax : matplotlib Axes
    words : str
        From `heading`.
    is_given : bool
        Whether the Axes is the user's: there a long title shrinks to its width.
    """
    ax.set_title("", loc="left")
    if not words:
        return
    write(ax._left_title, words)
    if is_given:
        shrink(ax, ax._left_title)


def shrink(ax: Any, text: Any) -> None:
    """Make a title or a label small enough for the width of its Axes.

    Parameters
    ----------
    ax : matplotlib Axes
    text : matplotlib Text
        Of one or more lines.
    """
    bold = text.get_fontweight() == "bold"
    needed = max(width(line, bold) for line in text.get_text().split("\n")) * text.get_fontsize()
    room = ax.get_window_extent().width / ax.figure.dpi * 72
    text.set_fontsize(text.get_fontsize() * min(1.0, room / max(needed, 1e-9)))
