"""Every widget keeps the rules of widgets: state, picture, errors, size, text, closing."""

import base64
import io
import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import traitlets
from PIL import Image

import mdtree_nb as md
from mdtree_nb.widgets import all_widgets
from mdtree_nb.widgets import base as room

FOLDER = Path(room.__file__).parent
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
MOST_STATE = 60_000  # bytes, code and style included


@pytest.fixture(params=all_widgets())
def widget(request):
    made = all_widgets()[request.param].example()
    yield made
    made.close()


def state_size(widget):
    return len(json.dumps(widget.get_state(), default=str, ensure_ascii=False).encode())


def test_they_are_found_and_public():
    assert {"RowTracer", "TreeExplorer"} <= set(all_widgets())
    for name, cls in all_widgets().items():
        assert getattr(md, name) is cls
        assert getattr(md.widgets, name) is cls
        assert name in dir(md.widgets)
    with pytest.raises(AttributeError, match="no attribute 'Nothing'"):
        md.widgets.Nothing  # noqa: B018


def test_repr_is_short_and_shows_the_state(widget):
    text = repr(widget)
    assert text.startswith(type(widget).__name__ + "(")
    assert len(text) < room.LONGEST_REPR
    assert "\n" not in text
    assert "object at 0x" not in text


def test_a_picture_stands_in_where_no_kernel_runs(widget):
    data, metadata = widget._repr_mimebundle_()
    assert set(data) == {"text/plain", "image/png", WIDGET_VIEW}
    assert data["text/plain"] == metadata["image/png"]["alt"] == repr(widget)
    picture = Image.open(io.BytesIO(base64.b64decode(data["image/png"])))
    assert min(picture.size) > 200
    assert len(np.unique(np.asarray(picture.convert("L")))) > 20


def test_drawing_the_picture_leaves_no_figure_open(widget):
    import matplotlib.pyplot as plt

    before = plt.get_fignums()
    widget._png()
    assert plt.get_fignums() == before


def test_state_is_json_and_small(widget):
    json.dumps({k: v for k, v in widget.get_state().items() if k != "layout"})
    assert state_size(widget) < MOST_STATE


def test_bad_state_from_the_page_is_said_and_undone(widget):
    before = {k: v for k, v in widget.get_state().items() if k not in ("layout", "error")}
    widget.set_state({"theme": "pink"})
    assert "theme" in widget.error
    after = {k: v for k, v in widget.get_state().items() if k not in ("layout", "error")}
    assert after == before
    widget.set_state({"theme": "dark"})
    assert widget.theme == "dark"
    assert widget.error == ""


def test_bad_state_from_python_raises(widget):
    with pytest.raises(traitlets.TraitError, match="pink"):
        widget.theme = "pink"
    assert widget.theme == "auto"


def test_wishes_that_nobody_knows_do_nothing(widget):
    before = widget.get_state()
    widget._handle_custom_msg({"no such wish": 1}, [])
    assert widget.get_state() == before


def test_several_live_side_by_side_and_close(widget):
    other = type(widget).example()
    assert other.model_id != widget.model_id
    other.theme = "dark"
    assert widget.theme == "auto"
    other.close()
    other.close()
    assert other.comm is None
    widget.theme = "light"


def test_every_trait_that_is_set_is_explained(widget):
    own = {
        name
        for name, trait in widget.traits(sync=True).items()
        if not name.startswith("_") and not trait.read_only
    } - set(room.anywidget.AnyWidget.class_traits())
    doc = all_widgets()[type(widget).__name__].__doc__
    for name in own:
        assert re.search(rf"^    {name} : ", doc, re.M), name


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.js")), ids=lambda p: p.name)
def test_scripts_set_text_and_ask_nobody(path):
    source = path.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
    for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("):
        assert word not in source
    for word in ("http:", "https:", "//cdn", "fetch(", "XMLHttpRequest", "import "):
        assert word not in source
    assert "Output" not in source


@pytest.mark.parametrize("cls", all_widgets().values())
def test_styles_stay_inside_the_widget(cls):
    css = cls._css
    assert "http" not in css
    assert "@import" not in css
    for selector in re.findall(r"([^{}]+)\{[^{}]*\}", css):
        if not selector.lstrip().startswith("@"):
            for part in re.split(r",(?![^()]*\))", selector):
                assert ".mdt" in part, selector


def test_no_output_widget_is_used():
    for path in FOLDER.glob("*.py"):
        assert "Output(" not in path.read_text(encoding="utf-8")


def test_without_anywidget_the_rest_works_and_the_message_helps():
    code = (
        "import sys; sys.modules['anywidget'] = None\n"
        "import mdtree_nb as md\n"
        "md.MDTreeClassifier, md.plot_tree\n"
        "try:\n    md.TreeExplorer\n"
        "except ImportError as error:\n    print(error)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        check=True,
        capture_output=True,
        text=True,
        cwd=FOLDER.parents[1],
    )
    assert "mdtree-nb[widgets]" in done.stdout
