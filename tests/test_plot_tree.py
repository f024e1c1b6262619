"""plot_tree by what it says: facts, sums, texts and their extents."""

import io
import re
import warnings

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from data import as_id, make_frame, make_xy
from matplotlib.figure import Figure
from sklearn.exceptions import NotFittedError
from sklearn.tree import DecisionTreeClassifier
from written_tree import every_mark, inner, leaf, play_tennis, write

import mdtree_nb as md
from mdtree_nb import MDTreeClassifier, MDTreeRegressor, TreePlotOptions, describe_axes, plot_tree
from mdtree_nb.plots.fonts import fit_set, width
from mdtree_nb.plots.theme import CLASSES, MISSING, PALETTES, class_look, get_palette
from mdtree_nb.plots.tree_facts import (
    ALL,
    ASKED,
    COPY,
    NEW,
    NEW_ASKED,
    OWN,
    SINGLE,
    SPLIT,
    read_tree,
)
from mdtree_nb.plots.tree_icicle import lay_out
from mdtree_nb.strategies import Stop, Strategy, Surrogate, all_strategies

matplotlib.use("Agg")


@pytest.fixture(autouse=True)
def close_figures():
    yield
    plt.close("all")


class Copy(Strategy):
    name = "copied"
    mode = "known"
    plain = True
    by_rule = True
    divides = True
    conserves = False

    def missing_shares(self, tree):
        return np.ones(tree.n_nodes)


class ByRow(Strategy):
    """Whole rows, in turn to the one and to the other side."""

    name = "by_row"
    mode = "known"
    plain = True
    by_rule = True

    def route(self, tree, node, table, rows):
        return np.eye(2)[np.asarray(rows) % 2]


def fitted(missing="learned", n=300, seed=0, **options):
    X, y = make_xy(seed, n=n, classes=3)
    return MDTreeClassifier(missing=missing, **options).fit(X, y)


def colic(missing="learned", **options):
    data = md.load("horse_colic")
    y = data.y.where(data.y == "lived", "lost")
    return MDTreeClassifier(missing=missing, **options).fit(data.X, y)


def penguins(missing="surrogate", **options):
    data = md.load("penguins")
    options = {"max_depth": 3, **options}
    return MDTreeClassifier(missing=missing, **options).fit(data.X, data.y)


def texts_of(ax):
    return [t for t in ax.texts if t.get_text()]


def words_of(ax):
    return [t.get_text() for t in texts_of(ax)]


def check_texts(ax, smallest=6.0):
    """No text overlaps another or leaves the figure, and none is too small."""
    figure = ax.figure
    figure.canvas.draw()
    texts = texts_of(ax)
    boxes = np.array([t.get_window_extent().extents for t in texts])
    # A text's box includes room for accents and descenders that it may not have.
    low, high = boxes[:, :2] + [0.5, 2], boxes[:, 2:] - [0.5, 2]
    hit = (low[:, None] < high[None]).all(axis=2) & (low[None] < high[:, None]).all(axis=2)
    pairs = np.argwhere(np.triu(hit, 1))
    assert not len(pairs), [(texts[a].get_text(), texts[b].get_text()) for a, b in pairs[:3]]
    frame = ax.get_window_extent().extents
    assert (boxes[:, :2] >= frame[:2] - 1).all()
    assert (boxes[:, 2:] <= frame[2:] + 1).all()
    assert min(t.get_fontsize() for t in texts) >= smallest


# -- facts ------------------------------------------------------------------------


@pytest.mark.parametrize("missing", [*sorted(all_strategies()), Stop(), Copy(), ByRow()], ids=str)
def test_nothing_is_lost(missing):
    """Children and what stops are the parent; what came known and missing is the child."""
    facts = read_tree(colic(missing, min_samples_leaf=4))
    assert facts.counts_rows
    for node in facts.nodes:
        if not node.branches:
            continue
        to = sum(b.missing for b in node.branches)
        for b in node.branches:
            child = facts.nodes[b.child]
            assert b.known + b.missing == pytest.approx(child.weight)
            assert child.lost_all == (b.known == 0)
            assert b.share == pytest.approx(b.missing / node.missing if b.missing else b.share)
        if any(b.mark == COPY for b in node.branches):
            assert missing == "both_children" or isinstance(missing, Copy)
            assert to == pytest.approx(2 * node.missing)
            continue
        if missing == "trinary" and any(b.mark == OWN for b in node.branches):
            *parts, own = node.branches  # all rows are in the third child as well
            assert own.known + own.missing == pytest.approx(node.weight)
            assert sum(b.known for b in parts) == pytest.approx(own.known)
            continue
        assert sum(b.known for b in node.branches) + node.missing == pytest.approx(node.weight)
        assert to + node.stops == pytest.approx(node.missing)


@pytest.mark.parametrize(
    "missing, marks",
    [
        ("left", {ALL}),
        ("right", {ALL, OWN}),
        ("majority", {ALL}),
        ("learned", {ALL, OWN}),
        ("fractional", {SPLIT}),
        ("own_child", {OWN, ALL}),
        ("mean", set()),
        ("discard", set()),
        (Stop(), set()),
        (Copy(), {COPY}),
        (ByRow(), {SINGLE, ALL}),
        ("surrogate", {ASKED, ALL}),
        (Surrogate(use_surrogates=0), set()),
    ],
    ids=as_id,
)
def test_marks_come_from_the_sums(missing, marks):
    nodes = read_tree(colic(missing, min_samples_leaf=5)).nodes
    seen = {b.mark for node in nodes for b in node.branches if b.missing}
    assert seen <= marks
    assert bool(seen) == bool(marks)
    assert marks & {SPLIT, COPY, OWN, SINGLE, ASKED} <= seen
    stops = [node for node in nodes if node.stops]
    assert bool(stops) == isinstance(missing, (Stop, Surrogate))
    for node in stops:
        assert node.stops == node.missing
        assert not any(b.mark for b in node.branches)


def test_where_a_later_missing_value_would_go():
    X = np.array([[1.0], [2.0], [3.0], [4.0], [5.0]])
    y = [0, 0, 1, 1, 1]

    def routes(missing, **options):
        node = read_tree(MDTreeClassifier(missing=missing, **options).fit(X, y)).nodes[0]
        return [(b.mark, round(b.share, 3)) for b in node.branches], node.new_stops

    assert routes("left") == ([(NEW, 1.0), ("", 0.0)], False)
    assert routes("learned") == ([("", 0.0), (NEW, 1.0)], False)
    assert routes("fractional") == ([(NEW, 0.4), (NEW, 0.6)], False)
    assert routes(Stop()) == ([("", 0.0), ("", 0.0)], True)
    assert routes("mean") == ([("", 0.0), ("", 0.0)], False), "filled in before"
    assert routes("left", missing_predict="right") == ([("", 0.0), (NEW, 1.0)], False)
    assert routes(ByRow()) == ([("", 0.0), ("", 0.0)], False), "decided row by row"
    bare = read_tree(MDTreeClassifier(missing="left").fit(X, y).tree_).nodes[0]
    assert not any(b.mark for b in bare.branches), "a tree alone knows no strategy"


def test_edges_say_what_conditions_say():
    facts = read_tree(every_mark())
    words = {b.child: b.words for node in facts.nodes for b in node.branches}
    assert words == {
        1: "≤ 153",
        2: "> 153",
        3: "∈ {Jun, May, Sep}",
        4: "∉ {Jun, May, Sep}",
        5: "≤ 9.2",
        6: "> 9.2",
        7: "= Roof",
        8: "≠ Roof",
        9: "∈ {dry, arid}",
        10: "= mild",
        11: "= wet",
        12: "is missing",
    }
    marks = [{b.mark for b in facts.nodes[v].branches} - {""} for v in (0, 1, 2, 5, 6)]
    assert marks == [{SINGLE}, {COPY}, {SINGLE}, set(), {OWN}]
    assert facts.nodes[5].stops == 3
    assert [b.share for b in read_tree(play_tennis()).nodes[0].branches] == [0.125, 0.375, 0.5]


def test_missing_is_never_said_twice_on_an_edge():
    facts = read_tree(colic(min_samples_leaf=4))
    words = [b.words for node in facts.nodes for b in node.branches]
    assert not any("or missing" in w for w in words)
    lone = [node for node in facts.nodes if node.test == "is missing"]
    assert lone
    assert all({b.words for b in node.branches} == {"is missing", "is known"} for node in lone)


def test_weights_that_are_not_rows_are_not_called_n():
    data = md.load("horse_colic")
    y = data.y == "lived"
    balanced = MDTreeClassifier(class_weight="balanced", max_depth=2).fit(data.X, y)
    assert not read_tree(balanced).counts_rows
    assert any(w.startswith("weight ") for w in words_of(plot_tree(balanced)))
    assert read_tree(fitted("fractional")).counts_rows


def test_regression_strips_come_from_the_rows():
    X, y = make_xy(3, n=200, task="regression")
    model = MDTreeRegressor(max_depth=3, missing="learned").fit(X, y)
    facts = read_tree(model)
    leaves = model.apply(X)
    for node in facts.nodes:
        if node.branches:
            continue
        mine = y[leaves == node.number]
        assert node.value[0] == pytest.approx(mine.mean())
        assert node.sd == pytest.approx(mine.std())
    low, high = facts.span
    assert low == pytest.approx(min(n.value[0] - n.sd for n in facts.nodes))
    assert high == pytest.approx(max(n.value[0] + n.sd for n in facts.nodes))
    assert read_tree(model.tree_).nodes[0].sd is None, "a tree alone knows no criterion"
    assert (facts.part(low), facts.part(high)) == (0.0, 1.0)


# -- the picture ------------------------------------------------------------------

AWKWARD = ["$a_b$", "x_1^2", "<b>tag</b>", r"\frac{1}", "{brace}", "y" * 200, "Давление крови",
           "血圧の測定値", "🐴 horse 😀", "line\nbreak\ttab", "", "%s %(x)d",
           "نص عربي"]  # fmt: skip


def awkward_model(depth=5, missing="learned"):
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(500, len(AWKWARD))), columns=AWKWARD)
    X[rng.random(X.shape) < 0.1] = np.nan
    X["level $_$"] = rng.choice([f"${'Ж' * i}_{i}$" for i in range(20)], 500)
    score = X.iloc[:, :12].fillna(0).to_numpy() @ rng.normal(size=12)
    y = np.array(["$a_1$", "_under", "очень длинное имя класса 🐴"])[np.digitize(score, [-1, 1])]
    return MDTreeClassifier(missing=missing, max_depth=depth, min_samples_leaf=8).fit(X, y)


def single():
    return MDTreeClassifier().fit([[1.0], [1.0]], ["a", "b"])


def chain():
    x = np.arange(30.0)[:, None]
    return MDTreeRegressor().fit(x, 4.0 ** np.arange(30))


PICTURES = {
    "learned": lambda: colic(max_depth=3),
    "fractional": lambda: colic("fractional", max_depth=3),
    "own_child": lambda: colic("own_child", min_samples_leaf=3),
    "stop": lambda: colic(Stop(), max_depth=3),
    "copy": lambda: colic(Copy(), max_depth=3),
    "full": lambda: colic(min_samples_leaf=2),
    "many_leaves": lambda: fitted(n=1500),
    "regression": lambda: MDTreeRegressor(max_depth=4).fit(*make_xy(1, 300, task="regression")),
    "marks": every_mark,
    "tennis": play_tennis,
    "single": single,
    "chain": chain,
    "awkward": awkward_model,
    "surrogates": lambda: colic("surrogate", min_samples_leaf=3),
    "never_missed": penguins,
    "surrogates_or_stop": lambda: penguins(Surrogate(use_surrogates=1)),
    "asked_later": lambda: colic("learned", record_surrogates=True, missing_predict="surrogate"),
    "awkward_surrogates": lambda: awkward_model(missing="surrogate"),
}


@pytest.mark.parametrize("dpi", [72, 100, 150])
@pytest.mark.parametrize("name", PICTURES)
def test_texts_are_legible_and_apart(name, dpi):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ax = plot_tree(PICTURES[name]())
        ax.figure.set_dpi(dpi)
        check_texts(ax)
    width, height = ax.figure.get_size_inches()
    assert width <= 12 + 1e-6
    assert height <= 8 + 1e-6


@pytest.mark.parametrize(
    "kind, orientation", [("tree", "down"), ("tree", "right"), ("icicle", "auto")]
)
@pytest.mark.parametrize("name", PICTURES)
def test_every_form_of_every_tree(name, kind, orientation):
    ax = plot_tree(PICTURES[name](), kind=kind, orientation=orientation, theme="dark")
    check_texts(ax)
    assert "many_leaves" not in name or kind == "icicle" or "hidden" in describe_axes(ax)


@pytest.mark.parametrize("size", [(12, 8), (7, 5), (5, 3.5)])
@pytest.mark.parametrize(
    "name",
    [
        "learned",
        "fractional",
        "full",
        "marks",
        "many_leaves",
        "awkward",
        "surrogates",
        "never_missed",
        "awkward_surrogates",
    ],
)
def test_a_given_axes_is_filled_and_no_figure_opened(name, size):
    ax = Figure(figsize=size).subplots()
    assert plot_tree(PICTURES[name](), ax) is ax
    check_texts(ax)
    assert not plt.get_fignums()


def test_two_trees_in_one_figure_with_a_layout():
    figure = Figure(figsize=(13, 5), layout="constrained")
    for ax, missing in zip(figure.subplots(1, 2), ["learned", "fractional"], strict=True):
        check_texts(plot_tree(colic(missing, max_depth=3), ax=ax))


def test_a_small_page_folds_the_lightest_subtrees():
    model = colic(min_samples_leaf=2)
    ax = plot_tree(model, max_size=(7, 5))
    check_texts(ax)
    said = re.search(r"(\d+) of (\d+) nodes are hidden", describe_axes(ax))
    hidden = [int(w.split()[0]) for w in words_of(ax) if re.fullmatch(r"\+\d+ nodes", w)]
    assert sum(hidden) == int(said[1]) > 0
    assert int(said[2]) == model.tree_.n_nodes
    ids = {int(w[1:]) for w in words_of(ax) if re.fullmatch(r"#\d+", w)}
    assert len(ids) + sum(hidden) == model.tree_.n_nodes


@pytest.mark.parametrize("kind", ["tree", "icicle"])
@pytest.mark.parametrize("depth", [0, 1, 2, 50])
def test_max_depth(kind, depth):
    model = colic(max_depth=4)
    ax = plot_tree(model, max_depth=depth, kind=kind)
    shown = int((model.tree_.depth <= depth).sum())
    lines = describe_axes(ax).splitlines()
    assert len(lines) == 1 + shown
    assert (f"{model.tree_.n_nodes - shown} of" in lines[0]) == (depth < 4)


def test_counts_ids_legend_and_title_can_be_left_out():
    model = colic(max_depth=2)
    bare = words_of(
        plot_tree(model, show_ids=False, show_counts=False, show_legend=False, title="")
    )
    assert not any(re.match(r"#\d|n \d|\+", w) for w in bare)
    assert "missing 26" in bare, "what is missing is always said"
    assert not any("known rows" in w or "Tree" in w for w in bare)
    full = words_of(plot_tree(model, title="A finding: 50 % $x_1$"))
    assert "A finding: 50 % $x_1$" in full
    assert {"#0", "n 366", "known rows; width ∝ rows"} <= set(full)


def test_class_names_and_bare_trees():
    model = fitted(max_depth=2)
    assert {"low", "mid", "high"} <= set(
        words_of(plot_tree(model, class_names=["low", "mid", "high"]))
    )
    assert "class 0" in words_of(plot_tree(model.tree_))
    with pytest.raises(ValueError, match=r"class_names=\['a'\] must hold 3 names"):
        plot_tree(model, class_names=["a"])
    X, y = make_xy(0, task="regression")
    with pytest.raises(ValueError, match="this is a regression"):
        plot_tree(MDTreeRegressor().fit(X, y), class_names=["a"])


def test_feature_names():
    X, y = make_xy(0)
    model = MDTreeClassifier(max_depth=2).fit(X, y)
    names = pd.Index([f"measure {i}" for i in range(4)])
    ax = plot_tree(model, feature_names=names)
    tested = {f"measure {f}" for f in model.tree_.feature if f >= 0}
    assert tested <= set(words_of(ax))
    assert "measure" in describe_axes(ax)
    assert "x0" not in describe_axes(ax)
    with pytest.raises(ValueError, match="feature_names=.* must hold 4 names"):
        plot_tree(model, feature_names=["a", "b", "c"])


def test_sets_of_levels_are_shortened_by_elements():
    assert fit_set("∈ {red, green, blue}", 50) == "∈ {red, green, blue}"
    shorter = fit_set("∈ {red, green, blue}", width("∈ {red, green, +1}") + 0.01)
    assert shorter == "∈ {red, green, +1}"
    assert fit_set("∈ {red, green, blue}", width("∈ {red, +2}") + 0.01) == "∈ {red, +2}"
    long = "∈ {" + "x" * 80 + ", b}"
    assert width(fit_set(long, 9.0)) <= 9.0
    assert "…" in fit_set("no set at all, but long", 6.0)


def test_mathematics_is_text():
    ax = plot_tree(awkward_model())
    assert all(not t.get_parse_math() for t in ax.texts)
    assert any("$a_1$" in w for w in words_of(ax))


def test_widths_of_edges_are_weights():
    """Points per weight are the same for known and missing lanes; they add up to the root."""
    model = MDTreeClassifier(missing="right", max_depth=1)
    X = np.array([[1.0]] * 300 + [[5.0]] * 400 + [[np.nan]] * 300)
    ax = plot_tree(model.fit(X, np.r_[np.zeros(300), np.ones(700)]), show_legend=False)
    palette = PALETTES["light"]

    def widths(colour):
        rgba = matplotlib.colors.to_rgba(colour)
        lines = [c for c in ax.collections if hasattr(c, "get_segments")]
        return sorted(
            w
            for c in lines
            for w, rgb in zip(c.get_linewidths(), c.get_colors(), strict=True)
            if tuple(rgb) == rgba
        )

    flow, ribbon = widths(palette.flow), widths(palette.ribbon)
    whole = sum(flow) + sum(ribbon)
    assert flow == pytest.approx([0.3 * whole, 0.4 * whole])
    assert ribbon == pytest.approx([0.3 * whole])
    assert len(widths(palette.missing)) == 1, "dashes on the band"


def test_user_settings_do_not_leak_in_or_out():
    model = colic(max_depth=2)
    plain, settings = io.BytesIO(), dict(matplotlib.rcParams)
    plot_tree(model).figure.savefig(plain)
    assert dict(matplotlib.rcParams) == settings
    odd = {"font.size": 30, "font.family": "serif", "lines.linewidth": 9, "text.color": "red",
           "figure.autolayout": True, "axes.facecolor": "red"}  # fmt: skip
    with matplotlib.rc_context(odd):
        ax = plot_tree(model)
        check_texts(ax)
        changed = io.BytesIO()
        ax.figure.savefig(changed)
    assert plain.getvalue() == changed.getvalue()


@pytest.mark.parametrize("form", ["png", "svg", "pdf"])
def test_every_format_can_be_written(form):
    plot_tree(awkward_model(3)).figure.savefig(io.BytesIO(), format=form)


# -- surrogates -------------------------------------------------------------------


def badges_of(ax):
    """How often each badge is drawn, without the one of the legend."""
    badges = [w for w in words_of(ax) if re.fullmatch(r"S\d+", w)]
    if badges:
        badges.remove("S2")
    return sorted(badges)


def list_of(ax):
    """The lines below the tree, by node."""
    lines = [w for w in words_of(ax) if re.match(r"#\d+ .+:  1\. ", w)]
    return {int(line.split()[0][1:]): line for line in lines}


def expected_badges(tree, nodes):
    counts = np.diff(tree.surrogates.start)[list(nodes)]
    return sorted(f"S{n}" for n in counts if n)


@pytest.mark.parametrize("theme", PALETTES)
@pytest.mark.parametrize("kind", ["tree", "icicle"])
def test_nodes_that_ask_surrogates_say_so(kind, theme):
    model = penguins()
    tree = model.tree_
    ax = plot_tree(model, kind=kind, theme=theme)
    inner = np.flatnonzero(~tree.is_leaf)
    if kind == "tree":
        assert badges_of(ax) == expected_badges(tree, inner)
    else:
        said = [re.search(r"#(\d+) .* · S(\d+)", w) for w in words_of(ax)]
        said = {int(found[1]): int(found[2]) for found in said if found}
        assert said[0] == np.diff(tree.surrogates.start)[0]
        assert all(np.diff(tree.surrogates.start)[v] == n for v, n in said.items())
    assert "number of surrogates" in words_of(ax)
    frame, lines = tree.frame(), list_of(ax)
    assert set(lines) == {v for v in inner if frame.surrogates[v]}
    for v, line in lines.items():
        condition, agreement, _ = frame.surrogates[v][0]
        value = condition.split()[-1].rstrip("}")
        assert f"{value}" in line
        assert f"(agrees {agreement:.2f})" in line
        assert line.startswith(f"#{v} {frame.feature[v]}:  1. ")
        assert line.endswith(f"if none can tell → #{tree.children(v)[tree.majority_branch[v]]}")
    assert any(w.startswith("When the tested value is missing, ask in this") for w in words_of(ax))


def test_no_side_is_promised_where_surrogates_decide():
    model = penguins()
    for node in read_tree(model).nodes:
        if node.branches and not node.missing and node.asked:
            assert [b.mark for b in node.branches] == [NEW_ASKED, NEW_ASKED]
    words = words_of(plot_tree(model))
    assert "if missing" not in words
    assert "by surrogate" in words
    assert "none missing in training; surrogates send a later one" in words
    stop = read_tree(penguins(Surrogate(use_surrogates=1)))
    assert any(node.asked and not node.missing for node in stop.nodes)
    assert not any(node.new_stops for node in stop.nodes if node.asked)
    without = read_tree(penguins(Surrogate(max_surrogates=0)))
    assert not any(node.asked for node in without.nodes)
    assert {NEW} == {b.mark for n in without.nodes if not n.missing for b in n.branches} - {""}


def test_surrogates_that_are_merely_recorded_are_not_shown():
    for model in (
        colic("learned", record_surrogates=True, max_depth=3),
        colic(Surrogate(use_surrogates=0), max_depth=3),
        colic("surrogate", max_depth=3).tree_,
    ):
        ax = plot_tree(model)
        assert not badges_of(ax)
        assert not list_of(ax)
        assert not any("surrogates" in w for w in words_of(ax) if "missing='" not in w)
        assert "(0." not in describe_axes(ax)


def test_surrogates_of_training_and_of_later_rows():
    recorded = {"record_surrogates": True, "missing_predict": "surrogate"}
    later = colic("learned", max_depth=3, **recorded)
    facts = read_tree(later)
    assert {b.mark for n in facts.nodes for b in n.branches} == {ALL, ""}, "as in training"
    ax = plot_tree(later)
    assert badges_of(ax) == expected_badges(later.tree_, np.flatnonzero(~later.tree_.is_leaf))
    assert any(w.startswith("When a later row misses the tested value") for w in words_of(ax))
    assert "; 26 missing: all to #2; a later one goes by CellVolume <= 49.5" in describe_axes(ax)

    training = penguins(missing_predict="left")
    facts = read_tree(training)
    asks = {n.number for n in facts.nodes if n.asked}
    tree = training.tree_
    assert asks == set(np.flatnonzero((tree.missing_weight > 0) & ~tree.is_leaf))
    assert {ASKED, NEW, ""} == {b.mark for n in facts.nodes for b in n.branches}
    ax = plot_tree(training)
    assert set(list_of(ax)) == asks
    assert any(w.startswith("When a training row missed the tested") for w in words_of(ax))


def test_surrogates_in_the_description():
    said = describe_axes(plot_tree(penguins())).splitlines()
    assert said[1].endswith(
        "; 2 missing: 1 to #1, 1 to #2, by bill_depth_mm > 16.35 (0.93), body_mass_g <= 4525 "
        "(0.91), +2 more, if none can tell -> #1"
    )
    assert said[3].endswith(
        "; a later missing value goes by bill_depth_mm <= 17.65 (0.99), body_mass_g > 4050 "
        "(0.95), if none can tell -> #5"
    )


def test_the_list_of_surrogates_keeps_to_its_page():
    model = colic("surrogate", max_depth=5)
    tall, low = plot_tree(model), plot_tree(model, max_size=(12, 4))
    for ax, most in ((tall, 7), (low, 4)):
        assert len(list_of(ax)) <= most
        asks = len(badges_of(ax))
        more = [w for w in words_of(ax) if re.fullmatch(r"and \d+ more nodes", w)]
        assert sum(int(w.split()[1]) for w in more) == asks - len(list_of(ax))
    kept = list_of(tall)
    assert len(kept) == 6
    drawn = {int(w[1:]) for w in words_of(tall) if re.fullmatch(r"#\d+", w)}
    facts = read_tree(model)
    rest = [
        n.missing
        for n in facts.nodes
        if n.asked and n.number in drawn and drawn >= set(n.children) and n.number not in kept
    ]
    assert rest
    assert max(rest) <= min(facts.nodes[v].missing for v in kept), "most missing weight stays"
    assert not list_of(plot_tree(model, show_legend=False))
    renamed = plot_tree(penguins(), feature_names=[f"column {i}" for i in range(6)])
    assert all(re.search(r"1\. column \d", line) for line in list_of(renamed).values())


# -- icicle -----------------------------------------------------------------------


@pytest.mark.parametrize("missing", ["learned", "fractional", Stop(), Copy()], ids=str)
def test_cells_of_an_icicle_fill_their_parents(missing):
    facts = read_tree(colic(missing, min_samples_leaf=2))
    icicle = lay_out(facts, None, 500.0, 6.6)
    place = {cell.node: cell for cell in icicle.cells}
    stopped = {cell.node: cell for cell in icicle.stopped}
    assert place[0][1:] == (0.0, 1.0, 0)
    assert len(place) == len(facts.nodes)
    for v, cell in place.items():
        kids = [place[c] for c in facts.nodes[v].children]
        if not kids:
            continue
        parts = kids + ([stopped[v]] if v in stopped else [])
        assert sum(k.width for k in parts) == pytest.approx(cell.width)
        assert parts[0].start == pytest.approx(cell.start)
        for a, b in zip(parts, parts[1:]):
            assert b.start == pytest.approx(a.start + a.width)
        weights = [facts.nodes[c].weight for c in facts.nodes[v].children]
        ratio = [k.width / w for k, w in zip(kids, weights, strict=True)]
        assert ratio == pytest.approx([ratio[0]] * len(ratio))
    assert (sum(c.depth for c in icicle.stopped) > 0) == isinstance(missing, Stop)


def test_a_deep_icicle_is_cut_where_text_would_not_fit():
    facts = read_tree(chain())
    icicle = lay_out(facts, None, 100.0, 6.6)
    assert icicle.n_rows < 30
    assert icicle.row >= 1.75 * 6.6
    assert "nodes hidden below" in " ".join(
        words_of(plot_tree(chain(), kind="icicle", max_size=(6, 3)))
    )


# -- fonts ------------------------------------------------------------------------


@pytest.fixture
def other_font(tmp_path, monkeypatch):
    """A font with one wide character that DejaVu Sans does not have."""
    from fontTools.fontBuilder import FontBuilder
    from fontTools.pens.ttGlyphPen import TTGlyphPen

    from mdtree_nb.plots import fonts

    pen = TTGlyphPen(None)
    for i, point in enumerate([(50, 0), (50, 700), (1700, 700), (1700, 0)]):
        pen.lineTo(point) if i else pen.moveTo(point)
    pen.closePath()
    build = FontBuilder(1000, isTTF=True)
    build.setupGlyphOrder([".notdef", "blood"])
    build.setupCharacterMap({ord("血"): "blood"})
    build.setupGlyf({".notdef": TTGlyphPen(None).glyph(), "blood": pen.glyph()})
    build.setupHorizontalMetrics({".notdef": (500, 0), "blood": (1750, 50)})
    build.setupHorizontalHeader(ascent=800, descent=-200)
    build.setupNameTable({"familyName": "Test Script", "styleName": "Regular"})
    build.setupOS2(usWeightClass=400)
    build.setupPost()
    build.save(tmp_path / "script.ttf")
    manager = matplotlib.font_manager.fontManager
    before = list(manager.ttflist)
    caches = [fonts._family, fonts._installed, fonts._preferred, fonts._others, fonts._face,
              fonts._advance, fonts._is_bold, fonts.width]  # fmt: skip
    manager.addfont(tmp_path / "script.ttf")
    for cache in caches:
        cache.cache_clear()
    yield fonts
    manager.ttflist[:] = before
    for cache in caches:
        cache.cache_clear()


def test_other_scripts_come_from_a_font_of_the_system(other_font):
    assert other_font.readable("血圧") == "血□"
    assert other_font.style("a血", bold=True) == (["DejaVu Sans", "Test Script"], "normal")
    assert other_font.width("血") == pytest.approx(1.1 * 1.75)
    X = pd.DataFrame({"血血血": [1.0, 2.0, 3.0, 4.0]})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ax = plot_tree(MDTreeClassifier().fit(X, list("aabb")))
        check_texts(ax)
    drawn = next(t for t in ax.texts if t.get_text() == "血血血")
    em = drawn.get_fontsize() * ax.figure.dpi / 72
    assert drawn.get_window_extent().width == pytest.approx(3 * 1.75 * em, rel=0.1)


def test_characters_without_any_font_become_a_box():
    from mdtree_nb.plots import fonts

    assert fonts.readable("a\U0001f434b") in ("a□b", "a\U0001f434b")
    assert fonts.readable("a\ud800b\u0378") == "a□b□"
    assert fonts.readable("a\nb\t c\u200b\u00ad") == "a b c"
    assert fonts.readable("") == "''"


@pytest.mark.parametrize("room", [0.5, 3, 8, 20])
@pytest.mark.parametrize("text", ["short", "W" * 200, "очень длинное имя", "a b c" * 30])
def test_shortened_texts_fit(text, room):
    from mdtree_nb.plots import fonts

    start, ends = fonts.fit_start(text, room), fonts.fit_ends(text, room)
    for short in (start, ends):
        assert fonts.width(short) <= max(room, fonts.width("WW…W"))
        assert (short == text) == (fonts.width(text) <= room)
    if start != text and room > 3:
        assert text.startswith(start[:-1])
        assert (ends[0], ends[-1]) == (text[0], text.strip()[-1])


# -- description ------------------------------------------------------------------


def test_the_description_is_the_tree():
    model = colic(max_depth=3, categorical="equality")
    tree = model.tree_
    lines = describe_axes(plot_tree(model)).splitlines()
    assert lines[0].startswith("Tree with missing='learned': 15 nodes, 8 leaves. 366 rows; 6 of 7")
    assert len(lines) == 1 + tree.n_nodes
    for v, line in enumerate(lines[1:]):
        assert line.startswith(f"#{v} ")
        assert f"n {tree.weight[v]:.6g}: lived" in line or f"n {tree.weight[v]:.6g}: lost" in line
        assert tree.condition(v) in line
        if tree.is_leaf[v]:
            assert "asks" not in line
            continue
        assert f"asks {tree.schema.names[tree.feature[v]]}" in line
        to = [c for c in tree.children(v) if tree.arrived_missing[c] > 0]
        if to:
            assert line.endswith(f"; {tree.missing_weight[v]:.6g} missing: all to #{to[0]}")
        else:
            assert "a later missing value goes to #" in line


def test_descriptions_of_other_ways():
    def says(tree, **options):
        return describe_axes(plot_tree(tree, **options))

    tennis = says(play_tennis(), class_names=["Yes", "No"])
    assert "#0 asks Outlook, n 14: Yes 0.64, No 0.36; " in tennis
    assert "6 missing: 0.75 to #1, 2.25 to #2, 3 to #3" in tennis
    marks = says(every_mark())
    assert "4 missing: copied to #3, copied to #4" in marks
    assert "3 missing: 3 stop here" in marks
    assert "9 missing: all to #12" in marks
    lone = says(colic(max_depth=3, categorical="equality"))
    assert "asks MucousMembr missing?" in lone
    X = [[1.0], [2.0]]
    later = says(MDTreeClassifier(missing="fractional").fit(X, [0, 1]))
    assert "a later missing value goes to #1 (0.50), #2 (0.50)" in later
    assert "a later missing value stops here" in says(
        MDTreeClassifier(missing=Stop()).fit(X, [0, 1])
    )
    assert "filled in first" in says(colic("mean", max_depth=1))
    predict = says(colic("left", missing_predict="fractional", max_depth=1))
    assert "later rows: 'fractional'" in predict
    X, y = make_xy(0, task="regression")
    model = MDTreeRegressor(max_depth=1).fit(X, y)
    assert f"mean {model.tree_.value[0, 0]:.4g}, sd {y.std():.3g}" in says(model)
    many = says(fitted(n=1500)).splitlines()
    assert len(many) == 65
    assert many[-1].startswith("and ")


def test_a_description_goes_with_its_drawing():
    ax = Figure(figsize=(8, 5)).subplots()
    plot_tree(colic(max_depth=2), ax=ax)
    assert describe_axes(ax).startswith("Tree with")
    ax.clear()
    ax.plot([0, 1], [2, 3], label="line")
    assert "line from (0, 2) to (1, 3)" in describe_axes(ax)


def test_the_same_tree_gives_the_same_words_and_picture():
    X, y = make_frame(0, 200)
    pictures = []
    for _ in range(2):
        ax = plot_tree(MDTreeClassifier(max_depth=3).fit(X, y))
        file = io.BytesIO()
        ax.figure.savefig(file)
        pictures.append((describe_axes(ax), file.getvalue()))
    assert pictures[0] == pictures[1]


# -- themes -----------------------------------------------------------------------


def luminance(colour):
    parts = np.array(matplotlib.colors.to_rgb(colour))
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


def contrast(a, b):
    low, high = sorted([luminance(a), luminance(b)])
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", PALETTES)
def test_colours_contrast(theme):
    palette = get_palette(theme)
    for ground in (palette.paper, palette.card):
        for text in (palette.ink, palette.muted, palette.missing):
            assert contrast(text, ground) >= 4.5
        assert contrast(palette.flow, ground) >= 2.7
    assert contrast(palette.missing, palette.ribbon) >= 3
    ax = plot_tree(colic(max_depth=2), theme=theme)
    assert matplotlib.colors.to_hex(ax.figure.get_facecolor()).upper() == palette.paper
    colours = {matplotlib.colors.to_hex(t.get_color()).upper() for t in texts_of(ax)}
    assert colours == {palette.ink, palette.muted, palette.missing}


def test_classes_never_share_colour_and_hatch_and_never_look_missing():
    assert len({class_look(j) for j in range(49)}) == 49
    assert MISSING not in CLASSES


# -- bad input --------------------------------------------------------------------


def test_what_is_no_tree():
    with pytest.raises(NotFittedError):
        plot_tree(MDTreeClassifier())
    other = DecisionTreeClassifier().fit([[0], [1]], [0, 1])
    with pytest.raises(TypeError, match="estimator_or_tree=DecisionTreeClassifier must be"):
        plot_tree(other)
    assert not plt.get_fignums(), "no empty figure is left behind"


@pytest.mark.parametrize(
    "options, message",
    [
        ({"max_depth": -1}, r"max_depth=-1 must be a whole number from 0"),
        ({"max_depth": 1.5}, r"max_depth=1.5 must be"),
        ({"max_depth": True}, r"max_depth=True must be"),
        ({"kind": "pie"}, r"kind='pie' is not known; choose 'auto', 'tree', 'icicle'"),
        ({"orientation": "up"}, r"orientation='up' is not known"),
        ({"theme": "blue"}, r"theme='blue' is not known"),
        ({"max_size": (3, -1)}, r"max_size=\(3, -1\) must be a width and a height"),
        ({"max_size": 5}, r"max_size=5 must be"),
        ({"min_points": 4}, r"min_points=4 must be 6 or more"),
        ({"min_points": float("nan")}, r"min_points=nan must be"),
        ({"max_points": 6.5}, r"max_points=6.5 must be at least 1.2 times"),
    ],
)
def test_bad_options(options, message):
    with pytest.raises(ValueError, match=message):
        plot_tree(single(), **options)


def test_unknown_options_and_wrong_objects():
    with pytest.raises(TypeError, match="max_dept= is no option of plot_tree; choose max_depth"):
        plot_tree(single(), max_dept=3)
    with pytest.raises(TypeError, match="must be TreePlotOptions"):
        plot_tree(single(), options={"max_depth": 3})
    options = TreePlotOptions(max_depth=1, theme="dark")
    model = colic(max_depth=3)
    a, b = (describe_axes(plot_tree(model, **o)) for o in ({"options": options}, {"max_depth": 1}))
    assert a == b
    with pytest.raises(ValueError, match="max_depth=-2"):
        plot_tree(model, options=options, max_depth=-2)


def test_an_axes_that_is_too_small():
    ax = Figure(figsize=(1.5, 1)).subplots()
    with pytest.raises(ValueError, match=r"inches is too small for text of 6 points"):
        plot_tree(colic(max_depth=3), ax)
    with pytest.raises(ValueError, match=r"inches is too small for text of 6 points"):
        plot_tree(colic(max_depth=3), ax, kind="icicle")


def test_a_level_too_wide_for_the_page_makes_the_page_grow():
    kids = [leaf(2, [1, 1]) for _ in range(70)]
    wide = write(
        inner(140, [1, 1], "City", [f"City = {i}" for i in range(70)], kids, test="multiway")
    )
    ax = plot_tree(wide, max_size=(4, 3))
    check_texts(ax)
    assert sum(w.startswith("= ") for w in words_of(ax)) == 70
