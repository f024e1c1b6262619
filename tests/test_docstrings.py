"""Public docstrings are numpydoc: parameters, shapes, what is returned and raised."""

import importlib
import inspect
import pkgutil

import pytest
from numpydoc.validate import validate

import mdtree_nb

# Not asked for: extended summaries, "See Also", examples everywhere, final periods of
# parameter lines, imperative mood, and types of class attributes.
IGNORED = {
    "GL01",
    "GL02",
    "GL03",
    "ES01",
    "EX01",
    "SA01",
    "SS05",
    "SS06",
    "PR01",
    "PR02",
    "PR07",
    "PR08",
    "PR09",
    "RT02",
    "RT03",
    "RT05",
    "YD01",
}


def public_objects():
    """Names in __all__, with the public methods of classes."""
    for name in mdtree_nb.__all__:
        thing = getattr(mdtree_nb, name)
        if inspect.isfunction(thing):
            yield f"{thing.__module__}.{thing.__qualname__}"
        if inspect.isclass(thing):
            yield f"{thing.__module__}.{thing.__qualname__}"
            for method, function in inspect.getmembers(thing, inspect.isfunction):
                inside = function.__module__.startswith("mdtree_nb")
                if not method.startswith("_") and inside:
                    yield f"{function.__module__}.{function.__qualname__}"


@pytest.mark.parametrize("name", sorted(set(public_objects())))
def test_numpydoc(name):
    found = [f"{code}: {text}" for code, text in validate(name)["errors"] if code not in IGNORED]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("name", sorted(set(public_objects())))
def test_every_parameter_is_described(name):
    module, _, qualified = name.partition(".")
    thing = None
    parts = name.split(".")
    for cut in range(len(parts), 0, -1):
        try:
            thing = importlib.import_module(".".join(parts[:cut]))
        except ImportError:
            continue
        for part in parts[cut:]:
            thing = getattr(thing, part)
        break
    doc = inspect.getdoc(thing) or ""
    if issubclass(thing, Exception) if inspect.isclass(thing) else False:
        return
    for parameter in inspect.signature(thing).parameters:
        if parameter not in ("self", "args", "kwargs"):
            assert parameter in doc, f"{name} does not describe {parameter}"


def test_every_module_function_and_class_has_a_docstring():
    for module in pkgutil.walk_packages(mdtree_nb.__path__, "mdtree_nb."):
        loaded = importlib.import_module(module.name)
        assert loaded.__doc__, module.name
        for name, thing in vars(loaded).items():
            mine = getattr(thing, "__module__", None) == module.name
            if mine and (inspect.isclass(thing) or inspect.isfunction(thing)):
                private_helper = name.startswith("_")
                assert thing.__doc__ or private_helper, f"{module.name}.{name}"
