"""Every widget in JupyterLab in Chromium: clicks, keys and sliders reach Python and back.

One notebook for the module, run once; each test brings the widgets to a known state.
"""

import nbformat
import pytest
from lab import Notebook, lab_server

CELLS = [
    """import mdtree_nb as md
data = md.load("horse_colic")
y = data.y.where(data.y == "lived", "lost")
model = md.MDTreeClassifier(missing="fractional", max_depth=3).fit(data.X, y)
explorer = md.TreeExplorer(model, data.X, y)
explorer.add_class("first")
explorer""",
    """second = md.TreeExplorer(model, data.X, y)
second.add_class("second")
second""",
    """tracer = md.RowTracer(model, data.X, y, row=5)
tracer""",
    """split = md.SplitExplorer(data.X, y, model, feature="Pulse")
split.add_class("split")
split""",
    """lab = md.MissingnessLab(data.X[["Pulse", "RR", "CellVolume"]], y)
lab.add_class("lab")
lab""",
    """pair = md.TreePair(model, md.MDTreeClassifier(max_depth=3).fit(data.X, y), data.X)
pair.add_class("pair")
pair""",
    """grid = md.Experiment({"horses": (data.X, y)}, ["learned", "left"], rates=[0.1], folds=2)
_ = grid.run("scores.sqlite")
more = md.Experiment({"horses": (data.X, y)}, ["learned", "left"], rates=[0.1, 0.3], folds=2)
board = md.StrategyDashboard("scores.sqlite", more)
board.add_class("board")
board""",
]


@pytest.fixture(scope="module")
def notebook(context, tmp_path_factory):
    folder = tmp_path_factory.mktemp("lab")
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(c) for c in CELLS])
    book.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3"}
    nbformat.write(book, folder / "widgets.ipynb")
    with lab_server(folder) as address:
        page = context.new_page()
        page.set_default_timeout(30_000)
        opened = Notebook(page, address, "widgets.ipynb")
        opened.run()
        for name in (
            ".first .mdt",
            ".second .mdt",
            ".mdt.tracer",
            ".split .mdt",
            ".lab .mdt",
            ".pair .mdt",
        ):
            page.locator(f"{name}[data-ready='1']").wait_for()
        yield opened
        page.close()


@pytest.fixture
def nb(notebook, outside):
    notebook.do(
        "explorer.selected = 0; explorer.max_depth = 2; explorer.max_depth = None;"
        "explorer.min_support = 0.0; explorer.search = ''; explorer.edge_width = 'root';"
        "explorer.show_missing = True; tracer.predict = ['fractional']; tracer.target = '';"
        "tracer.row = 4; tracer.row = 5"
    )
    notebook.problems.clear()
    yield notebook
    assert notebook.problems == []
    assert outside == []  # no request left the machine


def first(nb):
    return nb.page.locator(".first .mdt")


def node(nb, v):
    return first(nb).locator(f"[data-node='{v}']")


def test_a_click_reaches_python_and_the_panel(nb):
    node(nb, 2).click()
    nb.becomes("explorer.selected", 2)
    nb.becomes("len(explorer.selected_data)", nb.ask("int(model.tree_.rows[2])"))
    first(nb).locator(".side h3", has_text="#2").wait_for()
    assert nb.ask("second.selected") == 0  # the other one stays where it is


def test_keys_walk_and_fold_and_the_notebook_stays_out_of_it(nb):
    node(nb, 0).click()
    nb.page.keyboard.press("ArrowDown")
    nb.becomes("explorer.selected", 1)
    nb.page.keyboard.press("Enter")
    nb.becomes("explorer.folded", [1])
    first(nb).locator("[data-node='1'][aria-expanded=false]").wait_for()
    assert nb.page.evaluate("document.activeElement.dataset.node") == "1"
    nb.page.keyboard.press("Enter")
    nb.becomes("explorer.folded", [])


def test_python_moves_the_page(nb):
    nb.do("explorer.selected = 2")
    first(nb).locator("[data-node='2'][aria-selected=true]").wait_for()
    nb.do("explorer.folded = [1, 2]")
    node(nb, 4).wait_for(state="detached")


def test_the_sliders_change_depth_and_support(nb):
    first(nb).get_by_test_id("depth").focus()
    nb.page.keyboard.press("Home")
    nb.becomes("explorer.max_depth", 0)
    node(nb, 1).wait_for(state="detached")
    nb.page.keyboard.press("End")
    nb.becomes("explorer.max_depth", None)
    node(nb, 1).wait_for()
    first(nb).get_by_test_id("support").focus()
    nb.page.keyboard.press("End")
    nb.becomes("explorer.min_support", 0.2)


def test_search_selects_the_next_match(nb):
    nb.do("explorer.selected = 0")
    box = first(nb).get_by_test_id("search")
    box.fill("pain")
    nb.becomes("explorer.search", "pain")
    box.press("Enter")
    nb.becomes("explorer.selected", nb.ask("[v for v in explorer.found if v > 0][0]"))
    box.fill("")


def test_what_the_page_may_not_set_is_said(nb):
    row = nb.page.locator(".mdt.tracer").get_by_test_id("row")
    row.fill("9999")
    row.press("Tab")
    nb.page.locator(".mdt.tracer .error", has_text="row=9999 must be").wait_for()
    nb.becomes("tracer.row", 5)
    row.fill("7")
    row.press("Tab")
    nb.becomes("tracer.row", 7)
    nb.becomes("tracer.error", "")


def test_the_tracer_blanks_edits_and_compares(nb):
    tracer = nb.page.locator(".mdt.tracer")
    column = nb.ask("tracer.cells[0][1]")
    cell = tracer.locator(f"[data-column='{column}']")
    cell.get_by_role("button", name=f"Blank {column}").click()
    nb.becomes(f"bool(tracer.line[{column!r}].isna().item())", True)
    tracer.locator(f"[data-column='{column}'].gone").wait_for()
    tracer.get_by_test_id("predict-1").select_option("pool")
    nb.becomes("tracer.predict", ["fractional", "pool"])
    tracer.locator(".trace").nth(1).wait_for()
    for name in ("fractional", "pool"):
        answer = tracer.locator(f"[data-strategy={name}]").get_by_test_id("answer")
        k = nb.ask("tracer.about['class']")
        want = nb.ask(f"float(tracer.predictions.loc[{name!r}].iloc[{k}])")
        answer.get_by_text(f"= {want:.3f}").wait_for()
    tracer.get_by_test_id("restore").click()
    nb.becomes(f"bool(tracer.line[{column!r}].isna().item())", False)
    tracer.get_by_test_id("row-slider").focus()
    nb.page.keyboard.press("ArrowRight")
    nb.becomes("tracer.row", 6)


def test_split_explorer_moves_blanks_and_nodes(nb):
    nb.do("split.set_trait('node', 0); split.to_right = 0.0")
    split = nb.page.locator(".split .mdt")
    split.get_by_test_id("to_right").focus()
    nb.page.keyboard.press("End")
    nb.becomes("split.to_right", 1.0)
    split.get_by_text("100 % of 26 blanks to the right").wait_for()
    split.get_by_test_id("strategies-left").check()
    nb.becomes("split.strategies", ["fractional", "left"])
    split.locator("[data-name=left]").wait_for(state="attached")
    split.get_by_test_id("node").select_option("1")
    nb.becomes("split.node", 1)
    for name in ("both_children", "guide", "majority"):
        split.get_by_test_id(f"strategies-{name}").check()
    split.locator(".error", has_text="must be one to 4 names").wait_for()


def test_a_pruned_tree_comes_back(nb):
    node(nb, 2).click()
    nb.becomes("explorer.selected", 2)
    nb.page.keyboard.press("Delete")
    nb.becomes("explorer.model.tree_ == model.snip(2).tree_", True)
    node(nb, 14).wait_for(state="detached")
    first(nb).get_by_role("button", name="Take back the last cut").click()
    nb.becomes("explorer.model is model", True)
    node(nb, 14).wait_for()


def test_a_click_in_a_pair_finds_the_partner(nb):
    pair = nb.page.locator(".pair .mdt")
    pair.locator("[data-side='0'] [data-node='1']").click()
    nb.becomes("pair.selected", 1)
    partner = nb.ask("pair.partner")
    mark = f"[data-side='1'] [data-node='{partner}'][aria-pressed=true]"
    pair.locator(mark).wait_for()


def test_the_dashboard_reads_a_store_that_grows(nb):
    board = nb.page.locator(".board .mdt")
    board.get_by_text("4 of 8 cells done").wait_for()
    nb.do('_ = more.run("scores.sqlite")')
    board.get_by_role("button", name="Read again").click()
    board.get_by_text("8 of 8 cells done").wait_for()
    board.get_by_text("accuracy against the rate").wait_for()


def test_missingness_lab_changes_mechanism_and_rate(nb):
    lab = nb.page.locator(".lab .mdt")
    lab.get_by_test_id("mechanism").select_option("MNAR")
    nb.becomes("lab.mechanism", "MNAR")
    lab.get_by_test_id("rate").focus()
    nb.page.keyboard.press("End")
    nb.becomes("lab.rate", 0.9)
    nb.becomes("round(lab.result.realised['column'], 2)", 0.9)
    lab.get_by_role("row", name="rate 90 % 90 %").wait_for()


def test_the_dark_theme_of_lab_is_followed(nb):
    paper = "getComputedStyle(document.querySelector('.first .mdt')).backgroundColor"
    assert nb.page.evaluate(paper) == "rgb(255, 255, 255)"
    change = "theme => jupyterapp.commands.execute('apputils:change-theme', {theme})"
    nb.page.evaluate(change, "JupyterLab Dark")
    nb.page.wait_for_function(f"() => {paper} === 'rgb(17, 22, 28)'")
    nb.do("second.theme = 'light'")
    nb.page.wait_for_function(
        "() => getComputedStyle(document.querySelector('.second .mdt'))"
        ".backgroundColor === 'rgb(255, 255, 255)'"
    )
    nb.page.evaluate(change, "JupyterLab Light")
    nb.page.wait_for_function(f"() => {paper} === 'rgb(255, 255, 255)'")


def test_a_closed_widget_leaves_the_page(nb):
    nb.do("second.close()")
    nb.page.locator(".second .mdt").wait_for(state="detached")
    node(nb, 1).click()
    nb.becomes("explorer.selected", 1)
