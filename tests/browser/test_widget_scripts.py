"""The JavaScript of the widgets in Chromium, against a model that only remembers."""

import numpy as np
import pandas as pd
import pytest
from blank_page import mount, push

import mdtree_nb as md
from mdtree_nb.widgets import all_widgets


def horses(**options):
    data = md.load("horse_colic")
    y = data.y.where(data.y == "lived", "lost")
    return md.MDTreeClassifier(max_depth=4, **options).fit(data.X, y), data.X, y


def node(page, v):
    return page.locator(f"[data-node='{v}']")


def saved(page, name):
    return page.evaluate("name => saved.at(-1)?.[name] ?? null", name)


def overlaps(page, selector):
    """Pairs of texts that lie on each other, and texts that leave their card."""
    return page.evaluate(
        """selector => {
      const boxes = [...document.querySelectorAll(selector)].map(e => [e.textContent,
        e.getBoundingClientRect()]).filter(([, b]) => b.width > 0);
      const found = [];
      for (let i = 0; i < boxes.length; i++) for (let j = 0; j < i; j++) {
        const [a, p] = boxes[i], [b, q] = boxes[j];
        if (Math.min(p.right, q.right) - Math.max(p.left, q.left) > 2 &&
            Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top) > 4) found.push([a, b]);
      }
      for (const card of document.querySelectorAll(".mdt .card")) {
        const box = card.getBoundingClientRect();
        for (const text of card.parentNode.querySelectorAll("text"))
          if (text.getBoundingClientRect().right > box.right + 1)
            found.push([text.textContent, "card"]);
      }
      return found;
    }""",
        selector,
    )


@pytest.mark.parametrize("name", all_widgets())
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_widget_draws_and_cleans_up(page, name, theme):
    widget = all_widgets()[name].example()
    mount(page, widget, theme=theme)
    assert page.locator(".mdt").count() == 1
    assert overlaps(page, ".mdt svg.stage text") == []
    assert page.evaluate("listening()") > 3
    page.evaluate("cleanup()")
    assert page.evaluate("listening()") == 0
    assert page.locator(".mdt").count() == 0


@pytest.mark.parametrize("name", all_widgets())
def test_errors_are_said(page, name):
    widget = all_widgets()[name].example()
    mount(page, widget)
    assert not page.get_by_role("alert").is_visible()
    page.evaluate("model.set('error', 'theme=<b>pink</b> is not known')")
    assert page.get_by_role("alert").inner_text() == "theme=<b>pink</b> is not known"


@pytest.mark.parametrize("name", all_widgets())
def test_contrast_is_enough(page, name):
    widget = all_widgets()[name].example()
    for theme in ("light", "dark"):
        mount(page, widget, theme=theme)
        ratios = page.evaluate(
            """() => {
          const light = c => { const [r, g, b] = c.match(/[\\d.]+/g).map(v => { v /= 255;
            return v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4; });
            return .2126 * r + .7152 * g + .0722 * b; };
          const root = document.querySelector(".mdt"), probe = document.createElement("i");
          root.append(probe);
          const of = name => { probe.style.color = `var(--${name})`;
            return light(getComputedStyle(probe).color); };
          const pairs = [["ink", "paper"], ["muted", "paper"], ["muted", "card"],
            ["missing", "paper"], ["missing", "card"], ["missing", "tint"], ["focus", "paper"]];
          return pairs.map(([a, b]) => { const [x, y] = [of(a), of(b)].sort((p, q) => q - p);
            return [a, b, (x + .05) / (y + .05)]; });
        }"""
        )
        for ink, paper, ratio in ratios:
            assert ratio >= 4.5, (theme, ink, paper, ratio)


def test_explorer_selects_by_click_and_by_keys(page):
    explorer = md.TreeExplorer(*horses())
    mount(page, explorer)
    node(page, 2).click()
    assert saved(page, "selected") == 2
    for key, wanted in (("ArrowDown", 5), ("ArrowRight", 6), ("ArrowUp", 2), ("ArrowLeft", 1),
                        ("Home", 0)):  # fmt: skip
        page.keyboard.press(key)
        assert saved(page, "selected") == wanted
        assert page.evaluate("document.activeElement.dataset.node") == str(wanted)
    assert page.locator("[role=treeitem][tabindex='0']").count() == 1
    page.keyboard.press("Enter")
    assert page.evaluate("sent") == [{"toggle": 0}]
    node(page, 1).dblclick()
    assert page.evaluate("sent.at(-1)") == {"toggle": 1}


def test_explorer_follows_python(page):
    explorer = md.TreeExplorer(*horses())
    mount(page, explorer)
    explorer.selected = 6
    push(page, explorer, "panel", "selected")
    assert node(page, 6).get_attribute("aria-selected") == "true"
    assert page.locator("[aria-selected=true]").count() == 1
    assert page.locator(".side h3").inner_text() == "#6 MucousMembr"
    explorer.toggle(6)
    push(page, explorer, "scene")
    assert node(page, 6).get_attribute("aria-expanded") == "false"
    assert node(page, 13).count() == 0
    explorer.search = "pulse"
    push(page, explorer, "scene", "search")
    assert page.locator(".found[role=treeitem]").count() == len(
        [line for line in explorer.scene["nodes"] if line[3] & 32]
    )
    assert page.locator("output.found").inner_text() == "3 found"


def test_explorer_tree_for_screen_readers(page):
    explorer = md.TreeExplorer.example()
    mount(page, explorer)
    assert page.get_by_role("tree").count() == 1
    items = page.get_by_role("treeitem")
    assert items.count() == len(explorer.scene["nodes"])
    first = page.get_by_role("treeitem", name="node 0, root, #0 Outlook, n 14 missing 6")
    assert first.get_attribute("aria-level") == "1"
    assert first.get_attribute("aria-expanded") == "true"
    sunny = page.get_by_role("treeitem", name="node 3, = Sunny missing 0.75 (0.125)")
    assert (sunny.get_attribute("aria-posinset"), sunny.get_attribute("aria-setsize")) == ("3", "3")
    assert sunny.get_attribute("aria-expanded") is None


def test_explorer_controls(page):
    explorer = md.TreeExplorer(*horses())
    mount(page, explorer)
    page.get_by_test_id("depth").focus()
    page.keyboard.press("ArrowLeft")
    assert saved(page, "max_depth") == 4
    page.keyboard.press("ArrowLeft")
    assert saved(page, "max_depth") == 3
    page.get_by_test_id("support").focus()
    page.keyboard.press("ArrowRight")
    assert saved(page, "min_support") == 0.005
    page.get_by_test_id("edge-width").select_option("parent")
    assert saved(page, "edge_width") == "parent"
    page.get_by_test_id("search").fill("Pain")
    assert saved(page, "search") == "Pain"
    page.get_by_test_id("search").press("Enter")
    assert page.evaluate("sent") == [{"next": True}]
    lanes = page.locator("svg.stage .lane").count()
    page.get_by_test_id("lane").uncheck()
    assert saved(page, "show_missing") is False
    assert lanes > 0
    assert page.locator("svg.stage .lane").count() == 0


def test_explorer_zooms_and_pans(page):
    mount(page, md.TreeExplorer(*horses()))
    world = page.locator("svg.stage > g")
    before = world.get_attribute("transform")
    page.get_by_role("button", name="Zoom in").click()
    zoomed = world.get_attribute("transform")
    assert zoomed != before
    box = page.locator("svg.stage").bounding_box()
    page.mouse.move(box["x"] + 30, box["y"] + box["height"] - 20)
    page.mouse.down()
    page.mouse.move(box["x"] + 130, box["y"] + box["height"] - 60, steps=5)
    page.mouse.up()
    moved = world.get_attribute("transform")
    assert moved != zoomed
    assert page.evaluate("saved") == []  # dragging selects nothing
    page.keyboard.down("Control")
    page.mouse.wheel(0, -200)
    page.keyboard.up("Control")
    page.wait_for_function(
        "before => document.querySelector('svg.stage > g').getAttribute('transform') !== before",
        arg=moved,
    )
    page.get_by_role("button", name="Fit").click()
    inside = page.evaluate(
        """() => { const svg = document.querySelector("svg.stage").getBoundingClientRect();
      return [...document.querySelectorAll("svg.stage .card")].every(card => {
        const b = card.getBoundingClientRect();
        return b.left >= svg.left && b.right <= svg.right && b.top >= svg.top
          && b.bottom <= svg.bottom; }); }"""
    )
    assert inside


def test_markup_in_names_and_labels_is_text(page):
    evil = "<img src=x onerror=alert(1)>"
    frame = pd.DataFrame({evil: [evil, "&lt;", evil, None] * 5, "y$_1": range(20)})
    model = md.MDTreeClassifier(missing="fractional").fit(frame, ["<script>1</script>", "b"] * 10)
    for widget in (
        md.TreeExplorer(model, frame, ["<script>1</script>", "b"] * 10),
        md.RowTracer(model, frame),
    ):
        mount(page, widget)
        assert page.locator(".mdt img, .mdt script").count() == 0
        assert "<script>" in page.locator(".mdt").inner_text()


def test_tracer_edits_blanks_and_picks(page):
    model, X, y = horses(missing="fractional")
    tracer = md.RowTracer(model, X, y, row=5)
    mount(page, tracer)
    numbers = {cell[1]: cell[0] for cell in tracer.cells}
    pulse = page.locator("[data-column=Pulse]")
    pulse.get_by_role("button", name="Blank Pulse").click()
    assert page.evaluate("sent") == [{"put": [numbers["Pulse"], None]}]
    pulse.get_by_role("textbox").fill("72")
    pulse.get_by_role("textbox").press("Tab")
    assert page.evaluate("sent.at(-1)") == {"put": [numbers["Pulse"], "72"]}
    page.get_by_test_id("row").fill("9")
    page.get_by_test_id("row").press("Enter")
    assert saved(page, "row") == 9
    page.get_by_test_id("row-slider").focus()
    page.keyboard.press("ArrowRight")
    assert saved(page, "row") == 10
    page.get_by_test_id("predict-1").select_option("pool")
    assert saved(page, "predict") == ["fractional", "pool"]
    page.get_by_test_id("target").select_option("lost")
    assert saved(page, "target") == "lost"


def test_tracer_shows_shares_and_sums_of_two_strategies(page):
    model, X, y = horses(missing="fractional")
    tracer = md.RowTracer(model, X, y, row=5)
    mount(page, tracer)
    assert page.locator(".trace").count() == 1
    tracer.predict = ["fractional", "majority"]
    tracer.blank("Pulse")
    push(page, tracer, "predict", "about", "cells", "traces")
    page.locator(".traces.two").wait_for()
    assert overlaps(page, ".trace:first-child svg.stage text") == []
    for name in tracer.predict:
        section = page.locator(f"[data-strategy={name}]")
        k = list(model.classes_)[tracer.about["class"]]
        want = tracer.predictions.loc[name, k]
        assert section.get_by_test_id("answer").inner_text() == f"P({k}) = {want:.3f}"
        parts = section.locator(".parts td:nth-child(2)").all_inner_texts()
        assert sum(float(p.split("= ")[-1]) for p in parts) == pytest.approx(want, abs=0.004)
    shares = page.locator("[data-strategy=fractional] svg.stage").text_content()
    assert "of the row" in shares
    assert page.locator("[data-column=Pulse].gone.edited").count() == 1


def test_a_thousand_nodes(page):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(9000, 8))
    X[rng.random(X.shape) < 0.15] = np.nan
    model = md.MDTreeClassifier(max_leaf_nodes=500).fit(X, rng.integers(0, 3, len(X)))
    explorer = md.TreeExplorer(model, X, max_depth=30)
    assert explorer.scene["total"] == 999
    mount(page, explorer)
    assert page.get_by_role("treeitem").count() == len(explorer.scene["nodes"])
    assert page.locator(".note").first.inner_text().endswith("of 999 nodes shown")


def charts(page, selector="svg.chart"):
    return page.locator(selector)


@pytest.mark.parametrize("name", ["SplitExplorer", "MissingnessLab", "StrategyDashboard"])
def test_charts_have_words_and_their_texts_do_not_overlap(page, name):
    widget = all_widgets()[name].example()
    mount(page, widget)
    assert charts(page).count() == len(widget.view["charts"])
    assert overlaps(page, ".mdt svg.chart text") == []
    assert charts(page).first.get_attribute("aria-label") == widget.view["charts"][0]["words"]
    for line in widget.view["tables"][0]["rows"]:
        row = page.get_by_role("row", name=" ".join(filter(None, line)), exact=True)
        assert row.get_by_role("cell").all_inner_texts() == line[1:]


def test_split_explorer_sliders_send_what_they_say_and_keep_the_focus(page):
    widget = md.SplitExplorer.example()
    mount(page, widget)
    slider = page.get_by_test_id("to_right")
    slider.focus()
    page.keyboard.press("End")
    page.wait_for_function("saved.at(-1)?.to_right === 1")
    assert page.locator("output").nth(1).inner_text() == "100 %"
    widget.to_right = 1.0
    push(page, widget, "to_right", "controls", "view")
    page.get_by_text("with 100 % of 26 blanks to the right").wait_for()
    assert page.evaluate("document.activeElement.dataset.testid") == "to_right"
    page.get_by_test_id("strategies-fractional").check()
    assert saved(page, "strategies") == ["fractional", "learned", "left"]
    page.get_by_test_id("feature").select_option("RR")
    assert saved(page, "feature") == "RR"


def test_split_explorer_takes_a_click_as_a_cut(page):
    widget = md.SplitExplorer.example()
    mount(page, widget)
    svg = charts(page).first
    box = svg.bounding_box()
    svg.click(position={"x": box["width"] / 2, "y": box["height"] / 2})
    wish = page.evaluate("sent.at(-1)")
    widget._handle_custom_msg(wish, [])
    x, _ = widget._charts[0].place(widget._charts[0].wide / 2, 0)
    assert widget.threshold == pytest.approx(x, rel=0.02)
    push(page, widget, "threshold", "view")
    cut = page.locator("[data-name=cut]").bounding_box()
    assert cut["x"] + cut["width"] / 2 == pytest.approx(box["x"] + box["width"] / 2, abs=3)


def test_missingness_lab_shows_every_row_once(page):
    lab = md.MissingnessLab.example()
    mount(page, lab)
    for rate in (0.3, 0.6):
        lab.rate = rate
        push(page, lab, "rate", "view")
        page.get_by_text(f"{rate:.0%}".replace("%", " %"), exact=True).first.wait_for()
        counts = [
            int(page.locator(f"[data-name={name}]").get_attribute("data-count"))
            for name in ("kept", "lost")
        ]
        assert sum(counts) == 342
        assert counts[1] == lab.result.new_mask["flipper_length_mm"].sum()
    page.get_by_test_id("mechanism").select_option("MAR")
    assert saved(page, "mechanism") == "MAR"
    page.get_by_test_id("seed").fill("5")
    page.get_by_test_id("seed").press("Enter")
    assert saved(page, "seed") == 5


def test_explorer_prunes_and_undoes(page):
    explorer = md.TreeExplorer(*horses())
    mount(page, explorer)
    undo = page.get_by_role("button", name="Take back the last cut")
    assert undo.is_disabled()
    node(page, 6).click()
    page.get_by_role("button", name="Cut off").click()
    assert page.evaluate("sent.at(-1)") == {"snip": 6}
    node(page, 6).focus()
    page.keyboard.press("Delete")
    assert page.evaluate("sent.length") == 2
    explorer.snip(6)
    push(page, explorer, "selected", "snips", "panel", "scene")
    assert page.get_by_role("treeitem").count() == explorer.model.tree_.n_nodes
    assert undo.is_enabled()


@pytest.mark.parametrize("name", ["TreeExplorer", "RowTracer"])
def test_the_picture_is_handed_over_as_svg_and_png(page, name, tmp_path):
    mount(page, all_widgets()[name].example(), theme="dark")
    world = page.locator("svg.stage > g").first
    before = world.get_attribute("transform")
    for form in ("svg", "png"):
        with page.expect_download() as download:
            page.get_by_role("button", name=f"Save as {form.upper()}").first.click()
        path = tmp_path / f"picture.{form}"
        download.value.save_as(path)
        picture = path.read_bytes()
        if form == "svg":
            text = picture.decode()
            assert "Outlook" in text
            assert "rgb(17, 22, 28)" in text  # dark paper came along
            assert "var(--missing)" not in text
        else:
            assert picture.startswith(b"\x89PNG")
            assert len(picture) > 20_000
    assert world.get_attribute("transform") == before


def test_pair_marks_partners_by_click_and_by_key(page):
    pair = md.TreePair.example()
    mount(page, pair)
    sides = [page.locator(f"[data-side='{side}']") for side in (0, 1)]
    for side, v in zip(sides, (pair.selected, pair.partner), strict=True):
        pressed = side.locator("[aria-pressed=true]")
        assert pressed.count() == 1
        assert pressed.get_attribute("data-node") == str(v)
    sides[1].locator("[data-node='2']").click()
    assert saved(page, "partner") == 2
    sides[0].locator("[data-node='1']").focus()
    page.keyboard.press("Enter")
    assert saved(page, "selected") == 1
    pair.selected = 1
    push(page, pair, "selected", "partner", "about", "scenes")
    page.get_by_text(pair.about["note"]).wait_for()
    assert sides[1].locator("[aria-pressed=true]").get_attribute("data-node") == str(pair.partner)


def test_dashboard_chooses_strategies_and_asks_for_news(page, tmp_path):
    board = md.StrategyDashboard.example()
    mount(page, board)
    assert charts(page).count() == 2
    page.get_by_test_id("show-mean").uncheck()
    assert saved(page, "show") == ["learned", "fractional"]
    board.show = ["learned", "fractional"]
    push(page, board, "show", "controls", "view")
    page.locator("[data-name=mean]").first.wait_for(state="detached")
    page.get_by_test_id("dataset").select_option("two")
    assert saved(page, "dataset") == "two"
    page.evaluate("model.set('every', 1)")
    page.wait_for_function("sent.some(wish => wish.refresh)")
    page.evaluate("cleanup()")
    asked = page.evaluate("sent.length")
    page.wait_for_timeout(1200)
    assert page.evaluate("sent.length") == asked
