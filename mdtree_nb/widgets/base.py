"""What all widgets have in common: their state, their picture, their errors.

A widget is one class. Its state is traits that Python and the page may both set. Where no
kernel runs (on GitHub, in a fresh clone) a picture stands in for it. What a user does wrong
is said in the widget when it came from the page, and raised when it came from Python.

Text from data reaches the page as text, never as HTML: the JavaScript sets `textContent`.
"""

from __future__ import annotations

import base64
from functools import cache
from pathlib import Path
from typing import Any

from ..plots.picture import as_bytes, as_png
from ..plots.theme import PALETTES

try:
    import anywidget
    import traitlets
except ImportError as error:
    raise ImportError(
        f"widgets need the package {error.name!r}; install them with "
        "python -m pip install 'mdtree-nb[widgets]'."
    ) from error

HERE = Path(__file__).parent
FORMATS = (".png", ".svg", ".pdf")  # of a picture in a file
LONGEST_REPR = 110  # what nbval and ipywidgets let stand
_ROLES = ("paper", "card", "border", "ink", "muted", "flow", "faint", "missing", "ribbon", "tint")
_FOCUS = {"light": "#0B62D6", "dark": "#7DB4FF"}


class BadValue(traitlets.TraitError, ValueError):
    """A value that a widget cannot take; traitlets puts back the old one."""


@cache
def script(*names: str) -> str:
    """JavaScript of a widget: the shared parts, then these files.

    Parameters
    ----------
    *names : str
        Its own file last.

    Returns
    -------
    str
    """
    files = ("parts.js", *(f"{name}.js" for name in names))
    lines = "\n".join((HERE / file).read_text(encoding="utf-8") for file in files).splitlines()
    # Every widget sends its script along: without comments and indents it is a tenth smaller.
    kept = (line.strip() for line in lines if not line.lstrip().startswith(("//", "/**")))
    text = "\n".join(filter(None, kept))
    for sign in ("=>", "===", "&&", "||"):  # none of them stands in a text
        text = text.replace(f" {sign} ", sign)
    return text


@cache
def style(name: str) -> str:
    """Style sheet of a widget: the colours of the figures as variables, then the rules.

    Parameters
    ----------
    name : str

    Returns
    -------
    str
    """

    def colours(theme: str) -> str:
        palette = PALETTES[theme]
        roles = {role: getattr(palette, role) for role in (*_ROLES, "hatch")}
        lines = {**roles, "focus": _FOCUS[theme]}
        if name == "charts":
            lines |= {f"line{j}": colour for j, colour in enumerate(palette.lines)}
        return "".join(f"--{role}:{colour};" for role, colour in lines.items())

    # JupyterLab and Notebook, VS Code and Colab each mark a dark page in their own way.
    dark = (
        '[data-jp-theme-light="false"] .mdt[data-theme=auto],'
        "body.vscode-dark .mdt[data-theme=auto],html[theme=dark] .mdt[data-theme=auto],"
        ".mdt[data-theme=dark]"
    )
    files = ("widgets.css", f"{name}.css")
    rules = "".join((HERE / file).read_text(encoding="utf-8") for file in files)
    for long, short in ((" { ", "{"), (" }", "}"), ("; ", ";"), (": ", ":")):
        rules = rules.replace(long, short)
    return f".mdt{{{colours('light')}}}\n{dark}{{{colours('dark')};color-scheme:dark}}\n{rules}"


class NotebookWidget(anywidget.AnyWidget):
    """Base of all widgets. A subclass has `_esm`, `_css`, `_summary`, `_figure` and `example`.

    Attributes
    ----------
    theme : {"auto", "light", "dark"}
        "auto" follows the notebook.
    error : str
        What was wrong with the last thing that came from the page.
    """

    theme = traitlets.Enum(["auto", "light", "dark"], "auto").tag(sync=True)
    error = traitlets.Unicode("").tag(sync=True)

    @classmethod
    def example(cls) -> NotebookWidget:
        """Make a small one, on a table of the package.

        Returns
        -------
        NotebookWidget
        """
        raise NotImplementedError

    def _summary(self) -> str:
        """State in a few words."""
        raise NotImplementedError

    def _figure(self) -> Any:
        """Picture of the state, a matplotlib Figure."""
        raise NotImplementedError

    def _png(self) -> bytes:
        """Picture of the state, for where no kernel runs."""
        return as_png(self._figure())

    @property
    def _paper(self) -> str:
        """Theme of a picture, which has no page to follow."""
        return "light" if self.theme == "auto" else str(self.theme)

    def save(self, path: Any) -> None:
        """Write the picture of what is seen to a file; its ending says in which form.

        Parameters
        ----------
        path : str or Path
            Ends in .png, .svg or .pdf.

        Raises
        ------
        ValueError
            For another ending.
        """
        ending = Path(path).suffix.lower()
        if ending not in FORMATS:
            raise BadValue(f"path={str(path)!r} must end in {', '.join(FORMATS)}.")
        Path(path).write_bytes(as_bytes(self._figure(), ending[1:]))

    def _act(self, wish: dict[str, Any]) -> None:
        """Do what the page asks for, beyond setting a trait."""

    def __init__(self, **traits: Any):
        super().__init__(**traits)
        self.on_msg(self._asked)

    def __repr__(self) -> str:
        text = f"{type(self).__name__}({self._summary()})"
        return text if len(text) < LONGEST_REPR else text[: LONGEST_REPR - 3] + "…)"

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        bundle = super()._repr_mimebundle_(**kwargs)
        data, metadata = bundle if isinstance(bundle, tuple) else (bundle, {})
        data["image/png"] = base64.b64encode(self._png()).decode()
        return data, {**metadata, "image/png": {"alt": repr(self)}}

    def set_state(self, sync_data: dict[str, Any]) -> None:
        """Take state from the page; a value that cannot be taken is refused in words.

        Parameters
        ----------
        sync_data : dict
        """
        try:
            super().set_state(sync_data)
            self.error = ""
        except (ValueError, TypeError, traitlets.TraitError) as error:
            self.error = str(error)
            self.send_state([name for name in sync_data if name in self.keys])

    def _asked(self, _: Any, wish: Any, buffers: Any) -> None:
        try:
            self._act(wish)
            self.error = ""
        except (ValueError, TypeError, KeyError, traitlets.TraitError) as error:
            self.error = str(error)
