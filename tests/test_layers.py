"""The structure of the package: who may import whom, and how large a module may get."""

import ast
import tomllib
from pathlib import Path

import pytest

import mdtree_nb
from mdtree_nb.strategies import all_strategies
from mdtree_nb.tree.choice import MODES

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "mdtree_nb"

# A module imports only what stands before it.
LAYERS = [
    {"synth", "sharing", "schema", "columns"},
    {"datasets", "table", "normal", "labels"},
    {"online", "missingness.cells", "missingness.draw"},
    {"missingness.scores"},
    {"missingness.associations"},
    {"missingness.request"},
    {"missingness.contract"},
    {"missingness.methods", "missingness.guards", "missingness.result"},
    {"missingness.make"},
    {"missingness"},
    {"tree.kernels"},
    {"tree.words"},
    {"tree.surrogates"},
    {"tree.structure", "tree.measure"},
    {"tree.criteria"},
    {"tree.validation"},
    {"tree.sorting", "tree.threads", "tree.rules", "tree.prepared"},
    {"tree.workspace"},
    {"tree.cuts", "tree.marks", "tree.association"},
    {"tree.surrogate_search"},
    {
        "tree.absolute_cuts",
        "tree.reshape",
        "tree.cells",
        "tree.shares",
        "tree.written",
        "tree.ways",
    },
    {"tree.guessed"},
    {"tree.every_cut", "tree.reach", "tree.open_columns"},
    {"tree.strategy"},
    {"tree.routing", "tree.choice", "tree.record", "tree.pruning", "tree.copies"},
    {"tree.placing", "tree.refill"},
    {"tree.growth"},
    {"tree.candidates"},
    {"imputation.fills", "imputation.draws", "imputation.parameters"},
    {"imputation"},
    {"strategies", "prunings"},
    {"inputs", "prediction"},
    {"explain"},
    {"fitting"},
    {"auto"},
    {"changeable", "foreign"},
    {"given"},
    {"tree_estimator"},
    {"estimators", "lazy_paths"},
    {"lazy"},
    {"presets"},
    {"splits", "stand_ins", "importances"},
    {"evaluation"},
    {"studies"},
    {"asked"},
    {"exports"},
    {"plots.theme", "plots.describe", "plots.fonts", "plots.short_words", "plots.region_grid"},
    {"plots.bars", "plots.picture", "plots.chart", "plots.curves"},
    {"plots.tree_options", "plots.tree_facts", "plots.tree_layout", "plots.pen"},
    {"plots.tree_plan", "plots.tree_words"},
    {"plots.tree_marks"},
    {"plots.tree_legend", "plots.tree_icicle", "plots.tree_list", "plots.path_facts"},
    {"plots.tree_picture"},
    {"plots"},
    {"widgets.base", "widgets.folds", "widgets.panel"},
    {"widgets.scene", "widgets.visits", "widgets.row_cells", "widgets.chart_widget"},
    {"widgets.split_numbers", "widgets.traces"},
    {"widgets.split_chart", "widgets.dashboard_numbers", "widgets.dashboard_charts"},
    {"widgets"},
    {"teaching"},
    {"report"},
    {"cli"},
]
ROOMS = {
    "missingness",
    "strategies",
    "prunings",
    "evaluation",
    "exports",
    "plots",
    "presets",
    "studies",
    "widgets",
    "teaching",
}
SHARED_IN_ROOM = {
    "strategies.fractional", "strategies.learned", "strategies.tspe",
    "plots.theme", "plots.split_parts", "plots.split_levels", "evaluation.statistics",
    "evaluation.many_sets", "evaluation.metrics", "evaluation.cells", "evaluation.comparison",
    "evaluation.folds", "evaluation.common_folds",
    "evaluation.candidates", "evaluation.request",
    "exports.json.model", "exports.json.values", "teaching.sources", "prunings.contract",
    "prunings.errors",
    "evaluation.identity", "evaluation.store", "evaluation.tasks", "evaluation.grid",
    "evaluation.plan", "evaluation.tables", "evaluation.filled", "evaluation.store_errors",
    "evaluation.spread", "evaluation.lent", "studies.choose",
}  # fmt: skip
ONLY_HERE = {
    "numba": ("tree.kernels",),
    "matplotlib": ("plots",),
    "anywidget": ("widgets",),
    "ipywidgets": ("widgets",),
    "traitlets": ("widgets",),
    "tqdm": ("evaluation", "tree.kernels.jit"),  # a progress bar, and a line past it
}
MODULES = sorted(PACKAGE.rglob("*.py"))


def dotted(path):
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(p for p in parts if p != "__init__")


def layer_of(name):
    for number, layer in enumerate(LAYERS):
        if any(name == member or name.startswith(member + ".") for member in layer):
            return number
    return None


def imports(path, anywhere=False):
    """Modules that a file imports when it is loaded; or anywhere in it."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    here = dotted(path).split(".")
    package = here if path.name == "__init__.py" else here[:-1]
    skip = set()
    for node in ast.walk(tree):
        lazy = isinstance(node, ast.FunctionDef) and not anywhere
        typing = isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)
        if lazy or typing:
            skip.update(map(id, ast.walk(node)))
    for node in ast.walk(tree):
        if id(node) in skip:
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            if not node.level:
                yield node.module
                continue
            base = package[: len(package) - node.level + 1] if node.level > 1 else package
            module = ".".join([*filter(None, base), *(node.module or "").split(".")]).strip(".")
            for alias in node.names:
                inner = f"{module}.{alias.name}".strip(".")
                is_module = (PACKAGE / inner.replace(".", "/")).with_suffix(".py").exists()
                yield "mdtree_nb." + (inner if is_module or not module else module)


@pytest.mark.parametrize("path", MODULES, ids=dotted)
def test_imports_point_to_the_left(path):
    name = dotted(path)
    if name in ("", "tree"):
        return  # the package itself loads its members on first use
    mine = layer_of(name)
    assert mine is not None, f"{name} has no place in LAYERS"
    for imported in imports(path):
        if not imported.startswith("mdtree_nb."):
            continue
        other = imported.removeprefix("mdtree_nb.")
        if other == "__version__":
            continue
        theirs = layer_of(other)
        assert theirs is not None, f"{name} imports {other}, which has no place in LAYERS"
        assert theirs <= mine, f"{name} imports {other}"
        room = name.split(".")[0]
        if theirs == mine and room in ROOMS and "." in name and other not in SHARED_IN_ROOM:
            assert other == name, f"members of {room} do not import each other"


@pytest.mark.parametrize("path", MODULES, ids=dotted)
def test_heavy_packages_stay_in_their_room(path):
    for imported in imports(path, anywhere=True):
        room = ONLY_HERE.get(imported.split(".")[0])
        assert room is None or dotted(path).startswith(room), imported


@pytest.mark.parametrize("path", MODULES, ids=dotted)
def test_modules_and_functions_are_short(path):
    source = path.read_text(encoding="utf-8")
    assert source.count("\n") <= 380, "is there a second idea in it?"
    docstring = ast.get_docstring(ast.parse(source))
    assert docstring, "a module says what it holds"
    most = 90 if "kernels" in path.parts else 60
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef):
            body = node.body[1:] if ast.get_docstring(node) else node.body
            lines = body[-1].end_lineno - body[0].lineno + 1 if body else 0
            assert lines <= most, f"{node.name} has {lines} lines"


@pytest.mark.parametrize("path", MODULES, ids=dotted)
def test_no_assert_and_no_stray_paths(path):
    source = path.read_text(encoding="utf-8")
    assert not any(isinstance(n, ast.Assert) for n in ast.walk(ast.parse(source)))
    assert "TODO" not in source


def test_the_core_knows_no_strategy_by_name():
    names = {n for c in all_strategies().values() for n in (c.name, *c.aliases)} - set(MODES)
    classes = {c.__name__ for c in all_strategies().values()}
    for path in (PACKAGE / "tree").rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant):
                assert node.value not in names, (path, node.value)
            if isinstance(node, ast.Name):
                assert node.id not in classes, (path, node.id)


def test_dependencies_are_these():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    names = {r.split(">")[0] for r in project["dependencies"]}
    assert names == {
        "joblib", "matplotlib", "numba", "numpy", "pandas", "scikit-learn", "scipy", "tqdm",
    }  # fmt: skip


def test_no_module_hides_a_public_name():
    for name in mdtree_nb._HOME:  # importing mdtree_nb.NAME would replace the function
        assert not (PACKAGE / name).with_suffix(".py").exists()
        assert not (PACKAGE / name).exists()


def test_every_public_name_loads():
    for name in mdtree_nb.__all__:
        assert getattr(mdtree_nb, name) is not None
    assert set(mdtree_nb.__all__) <= set(dir(mdtree_nb))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        mdtree_nb.nothing  # noqa: B018
    assert (
        mdtree_nb.__version__
        == tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    )
