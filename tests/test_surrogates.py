"""Surrogates: a slow twin of the search, R's answers, and the laws of asking them."""

import math
import pickle
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from data import MECHANISMS, make_xy
from sklearn.exceptions import NotFittedError
from test_golden import GOLDEN
from test_growth import mixed_table

import mdtree_nb as md
from mdtree_nb import MDTreeClassifier, MDTreeRegressor
from mdtree_nb.strategies import Surrogate
from mdtree_nb.tree.kernels.codes import THRESHOLD
from mdtree_nb.tree.routing import Router
from mdtree_nb.tree.validation import check_tree

# -- the twin -----------------------------------------------------------------------


def sides_of(tree, v, X, rows):
    """Branch of each row in node v by its own test, None where it misses the column."""
    column = X[:, tree.feature[v]]
    if tree.kind[v] == THRESHOLD:
        return [None if math.isnan(column[r]) else int(column[r] > tree.threshold[v]) for r in rows]
    table = tree.level_table(v)
    return [None if math.isnan(column[r]) else int(table[int(column[r])]) for r in rows]


def twin_surrogates(X, is_category, f, rows, side, w, by_known):
    """Every column's best stand-in: {column: (agreement, adjusted, how)}."""
    found = {}
    known = [i for i, s in enumerate(side) if s is not None]
    left = sum(w[rows[i]] for i in known if side[i] == 0)
    right = sum(w[rows[i]] for i in known if side[i] == 1)
    for g in range(X.shape[1]):
        have = [i for i in range(len(rows)) if not math.isnan(X[rows[i], g])]
        both = [i for i in have if side[i] is not None]
        if g == f or not both:
            continue
        whole, larger = left + right, max(left, right)
        if by_known:
            parts = [sum(w[rows[i]] for i in both if side[i] == s) for s in (0, 1)]
            whole, larger = sum(parts), max(parts)

        def agrees(says, both=both):
            return sum(w[rows[i]] for i in both if says(X[rows[i], g]) == side[i])

        tries = []
        values = sorted({X[rows[i], g] for i in have})
        if is_category[g]:
            says = {}
            for value in values:
                its = [i for i in both if X[rows[i], g] == value]
                if its:
                    parts = [sum(w[rows[i]] for i in its if side[i] == s) for s in (0, 1)]
                    tie = 0 if left > right + 1e-12 else 1
                    says[value] = (
                        tie if abs(parts[0] - parts[1]) < 1e-9 else int(parts[1] > parts[0])
                    )
            sent = [says[X[rows[i], g]] for i in both]
            if min(sent.count(0), sent.count(1)) >= 2:
                tries.append((agrees(says.get), says))
        else:
            for a, b in zip(values, values[1:], strict=False):
                low = sum(X[rows[i], g] <= a for i in both)
                if min(low, len(both) - low) >= 2:
                    cut = a / 2 + b / 2
                    for branch in (1, 0):
                        how = (cut, branch)
                        tries.append((agrees(lambda x, c=cut, b=branch: b ^ int(x > c)), how))
        best = None
        for its, how in tries:
            if best is None or its > best[0] + 1e-9:
                best = its, how
        if best and larger < whole and (best[0] - larger) / (whole - larger) > 1e-10:
            agreement = best[0] / whole
            found[g] = agreement, (best[0] - larger) / (whole - larger), best[1]
    return found


def check_node(tree, v, X, rows, w, rule):
    """Compare the surrogates of one node with the twin's."""
    is_category = tree.schema.is_category
    side = sides_of(tree, v, X, rows)
    found = twin_surrogates(X, is_category, tree.feature[v], rows, side, w, rule.by_known)
    wanted = sorted(found, key=lambda g: (-round(found[g][0], 10), g))[: rule.most]
    its = tree.surrogates
    assert [int(its.feature[i]) for i in its.of(v)] == wanted
    for i, g in zip(its.of(v), wanted, strict=True):
        agreement, adjusted, how = found[g]
        assert its.agreement[i] == pytest.approx(agreement, abs=1e-9)
        assert its.adjusted[i] == pytest.approx(adjusted, abs=1e-9)
        if is_category[g]:
            table = its.table(i, tree.schema)
            assert {c: b for c, b in enumerate(table) if b >= 0} == how
        else:
            assert (its.threshold[i], int(its.low_branch[i])) == how


def visitors(model, X):
    """Rows of the table that come to each node."""
    through = Router(model.tree_, model.missing).push(model._read(X)).through.tocsc()
    return [np.sort(through[:, [v]].indices) for v in range(model.tree_.n_nodes)]


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("style", [0, 1])
@pytest.mark.parametrize("categorical", ["subset", "equality"])
def test_every_node_has_the_twins_surrogates(categorical, style, weighted):
    nodes = 0
    for seed in range(4):
        classes = (0, 2, 3, 2)[seed]
        frame, _, y = mixed_table(seed, 150, classes, levels=5)
        w = np.random.default_rng(seed).integers(1, 4, len(y)).astype(float)
        w = w if weighted else np.ones(len(y))
        missing = Surrogate(max_surrogates=1 + seed, surrogate_style=style)
        cls = MDTreeClassifier if classes else MDTreeRegressor
        model = cls(missing=missing, min_samples_leaf=3, categorical=categorical)
        model.fit(frame, y, w if weighted else None)
        tree, X = model.tree_, model._read(frame).values
        its_rows = visitors(model, frame)
        for v in np.flatnonzero(~tree.is_leaf):
            if categorical == "subset" or tree.kind[v] == THRESHOLD:
                check_node(tree, int(v), X, its_rows[v], w, missing.surrogate_rule)
                nodes += len(tree.surrogates.of(v))
    assert nodes > 10


@pytest.mark.parametrize("missing", ["learned", "majority", "right", "stop"])
def test_any_tree_can_record_them(missing):
    for seed in range(3):
        X, y = make_xy(seed, 150, 5, "mcar", rate=0.3, ties=bool(seed % 2))
        plain = MDTreeClassifier(missing=missing, min_samples_leaf=2).fit(X, y)
        model = MDTreeClassifier(missing=missing, min_samples_leaf=2, record_surrogates=True)
        tree = model.fit(X, y).tree_
        for name, array in plain.tree_.arrays().items():
            np.testing.assert_array_equal(array, tree.arrays()[name])
        model.missing = md.strategies.get_strategy(missing)
        its_rows = visitors(model, X)
        rule = Surrogate().surrogate_rule
        for v in np.flatnonzero(~tree.is_leaf & (tree.kind == THRESHOLD)):
            check_node(tree, int(v), X, its_rows[v], np.ones(len(y)), rule)


# -- asking -----------------------------------------------------------------------


def twin_end(tree, x, strategy):
    """Where one row ends, and the surrogates that spoke, by plain Python."""
    v, spoke, its = 0, [], tree.surrogates
    while not tree.is_leaf[v]:
        value, kids = x[tree.feature[v]], tree.children(v)
        branch = None
        if not math.isnan(value):
            if tree.kind[v] == THRESHOLD:
                branch = int(value > tree.threshold[v])
            else:
                branch = int(tree.level_table(v)[int(value)]) if value >= 0 else -1
                branch = None if branch < 0 else branch
        if branch is None and strategy.use_surrogates:
            for i in its.of(v):
                value = x[its.feature[i]]
                if math.isnan(value):
                    continue
                if its.kind[i] == THRESHOLD:
                    branch = int(its.low_branch[i]) ^ int(value > its.threshold[i])
                else:
                    its_branch = its.table(i, tree.schema)[int(value)] if value >= 0 else -1
                    branch = None if its_branch < 0 else int(its_branch)
                if branch is not None:
                    spoke.append(i)
                    break
        if branch is None and strategy.use_surrogates == 2:
            size = tree.share if strategy.fallback == "weight" else tree.rows
            sizes = [size[c] for c in kids]
            if sizes[0] == sizes[1]:
                branch = 1 if strategy.fallback == "weight" else None
            else:
                branch = int(sizes[1] > sizes[0])
        if branch is None:
            break
        v = kids[branch]
    return v, spoke


@pytest.mark.parametrize("fallback", ["weight", "rows"])
@pytest.mark.parametrize("use", [0, 1, 2])
def test_rows_go_where_the_twin_sends_them(use, fallback):
    heard = 0
    for seed in range(3):
        frame, _, y = mixed_table(seed, 200, 3, levels=5)
        new, _, _ = mixed_table(seed + 30, 60, 3, levels=7)  # two levels are new
        missing = Surrogate(use_surrogates=use, fallback=fallback)
        model = MDTreeClassifier(missing=missing, min_samples_leaf=2).fit(frame, y)
        tree = model.tree_
        for rows in (frame, new):
            table = model._read(rows)
            ends = [twin_end(tree, x, missing) for x in table.values]
            heard += sum(len(spoke) for _, spoke in ends)
            wanted = tree.value[[v for v, _ in ends]]
            np.testing.assert_array_equal(model.predict_proba(rows), wanted)
            np.testing.assert_array_equal(model.apply(rows), [v for v, _ in ends])
        rules = model.explain_row(new.iloc[[0]])["rule"]
        said = [rule for rule in rules if "agreement" in rule]
        assert len(said) == len(twin_end(tree, model._read(new).values[0], missing)[1])
    assert heard > 20 if use else heard == 0


@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_training_rows_go_as_they_went(mechanism):
    for seed in range(3):
        X, y = make_xy(seed, 200, 5, mechanism, rate=0.3)
        w = np.random.default_rng(seed).integers(1, 4, len(y)).astype(float)
        for use in (0, 1, 2):
            model = MDTreeRegressor(missing=Surrogate(use_surrogates=use)).fit(X, y, w)
            came = Router(model.tree_, model.missing).push(model._read(X)).through.T @ w
            np.testing.assert_allclose(came, model.tree_.weight)


def test_a_twin_column_speaks_for_its_sister():
    """The answers of the complete table come back if a column has a copy without holes."""
    X, y = make_xy(0, 300, 4, "complete")
    twins = np.hstack([X, X])
    model = MDTreeClassifier(missing="surrogate", min_samples_leaf=2).fit(twins, y)
    tree = model.tree_
    inner = np.flatnonzero(~tree.is_leaf & (tree.rows >= 4))
    sides = np.array([tree.rows[tree.children(int(v))].min() for v in inner])
    for v in inner[sides >= 2]:
        assert tree.surrogates.adjusted[tree.surrogates.of(v)[0]] == 1.0
    blank = twins.copy()
    blank[:, :4] = np.nan
    gone = model.predict(blank) != model.predict(twins)
    assert gone.mean() < 0.1  # sides of one row have no surrogate


# -- R's answers --------------------------------------------------------------------


def golden_table(case, rows):
    frame = pd.DataFrame({name: case[name] for name in ("x1", "x2", "x3")})
    return frame.iloc[:rows], np.array(case["y"])[:rows]


def stand_ins(model):
    tree = model.tree_
    its = tree.surrogates
    return [
        (its.condition(i, tree.schema, 0), its.agreement[i], its.adjusted[i]) for i in its.of(0)
    ]


def test_rpart_classification():
    case = GOLDEN["rpart_surrogate_A"]
    X, y = golden_table(case, 13)
    query = pd.DataFrame(case["predict_P_A"]["rows"], columns=["x1", "x2", "x3"])
    for use in (0, 1, 2):
        missing = Surrogate(use_surrogates=use, fallback="rows")
        model = MDTreeClassifier(missing=missing, max_depth=1).fit(X, y)
        wanted = case["predict_P_A"][f"us{use}"]
        np.testing.assert_allclose(model.predict_proba(query)[:, 0], wanted, atol=1e-12)
        side = {"L": 1, "R": 2, "stay": 0}
        assert list(model.apply(X)) == [side[s] for s in case[f"where_usesurrogate{use}"]]
    first, second = stand_ins(model)
    assert model.tree_.threshold[0] == case["primary"]["cut"]
    assert first[0] == "x2 <= 4.5"
    assert first[1:] == pytest.approx((0.9, 0.8))
    assert second[0] == "x3 = a"
    assert second[1:] == pytest.approx((0.8, 0.6))
    rules = model.explain_row(query.iloc[[2]])["rule"]
    assert rules.iloc[0] == "surrogate 2: x3 = a, agreement 0.80"


@pytest.mark.parametrize("style", [0, 1])
def test_rpart_regression(style):
    case = GOLDEN["rpart_surrogate_B_anova"]
    X, y = golden_table(case, 15)
    X = X.astype(float)
    missing = Surrogate(surrogate_style=style, fallback="rows")
    model = MDTreeRegressor(missing=missing, max_depth=1).fit(X, y)
    for found, wanted in zip(stand_ins(model), case[f"style{style}"], strict=True):
        assert found[0] == f"{wanted['var']} <= {wanted['cut']:g}"
        assert found[1:] == pytest.approx((wanted["agree"], wanted["adj"]))
    means = case[f"leaf_means_style{style}"]
    for leaf, name in ((1, "left"), (2, "right")):
        assert [model.tree_.rows[leaf], model.tree_.value[leaf, 0]] == pytest.approx(means[name])
    query = pd.DataFrame(case["predict_rows_x1x2x3"], columns=["x1", "x2", "x3"], dtype=float)
    np.testing.assert_allclose(model.predict(query), case[f"predict_style{style}"])


def test_rpart_with_weights():
    case = GOLDEN["rpart_surrogate_B_anova"]
    X, y = golden_table(case, 16)  # with weights rpart keeps the row that misses everything
    model = MDTreeRegressor(missing="surrogate", max_depth=1)
    model.fit(X.astype(float), y, case["weighted"]["w"])
    wanted = case["weighted"]["surrogates_style0"]
    assert len(stand_ins(model)) == len(wanted)
    for found, its in zip(stand_ins(model), wanted, strict=True):
        assert found[0] == f"{its['var']} <= {its['cut']:g}"
        assert found[1:] == pytest.approx((its["agree"], its["adj"]))


def test_a_category_that_agrees_perfectly_is_a_surrogate():
    """R's rpart leaves it out, against its own documentation."""
    case = GOLDEN["rpart_categorical_surrogate_bug"]
    frame = pd.DataFrame({"x1": np.array(case["x1"], float), "g": case["g"]})
    tree = MDTreeClassifier(missing="surrogate", max_depth=1).fit(frame, case["y"]).tree_
    (wanted,) = case["documented_intent"]
    (number,) = tree.surrogates.of(0)
    assert tree.schema.names[tree.surrogates.feature[number]] == wanted["var"]
    assert (tree.surrogates.agreement[number], tree.surrogates.adjusted[number]) == (1.0, 1.0)


# -- trees that change ----------------------------------------------------------------


def test_surrogates_follow_their_nodes():
    frame, _, y = mixed_table(2, 250, 3, levels=5)
    model = MDTreeClassifier(missing="surrogate", min_samples_leaf=2).fit(frame, y)
    tree = model.tree_
    gone = int(np.flatnonzero(~tree.is_leaf)[2])
    cut = model.snip(gone).tree_

    def by_path(tree):
        paths = {0: ""}
        for v in range(1, tree.n_nodes):
            paths[v] = paths[tree.parent[v]] + "/" + tree.condition(v)
        its = tree.surrogates
        return {
            paths[v]: [
                (its.condition(i, tree.schema, 0), its.condition(i, tree.schema, 1))
                + (its.agreement[i], its.adjusted[i])
                for i in its.of(v)
            ]
            for v in np.flatnonzero(~tree.is_leaf)
        }

    before, after = by_path(tree), by_path(cut)
    assert len(after) < len(before)
    assert all(before[path] == its for path, its in after.items())
    limited = MDTreeClassifier(missing="surrogate", min_samples_leaf=2, max_leaf_nodes=8)
    assert by_path(limited.fit(frame, y).tree_).items() <= before.items() or len(tree.feature) < 16
    again = pickle.loads(pickle.dumps(model)).tree_
    assert again == tree
    assert not again.surrogates.feature.flags.writeable
    copied = md.import_json(md.export_json(model))
    assert copied.tree_ == tree
    np.testing.assert_array_equal(copied.predict_proba(frame), model.predict_proba(frame))


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_threads_make_no_difference(n_jobs):
    X, y = make_xy(0, 4000, 12, "mcar", rate=0.2)
    model = MDTreeClassifier(missing="surrogate", max_depth=6, n_jobs=n_jobs).fit(X, y)
    assert model.tree_ == MDTreeClassifier(missing="surrogate", max_depth=6).fit(X, y).tree_


# -- as a table ---------------------------------------------------------------------


def satisfies(frame, name, words):
    """Does each row satisfy a test in words? None where the row misses the column."""
    test = words.removeprefix(name)
    sign, _, what = test.strip().partition(" ")
    rules = {
        "<=": lambda x: x <= float(what),
        ">": lambda x: x > float(what),
        "=": lambda x: x == what,
        "in": lambda x: x in what.strip("{}").split(", "),
    }
    return [None if pd.isna(x) else rules[sign](x) for x in frame[name].astype(object)]


@pytest.mark.parametrize("seed", range(3))
def test_the_table_says_what_the_tree_asks(seed):
    frame, _, y = mixed_table(seed, 200, 3, levels=5)
    model = MDTreeClassifier(missing=Surrogate(), min_samples_leaf=3).fit(frame, y)
    tree, its_rows, lines = model.tree_, visitors(model, frame), 0
    for v in np.flatnonzero(~tree.is_leaf):
        inside = frame.iloc[its_rows[v]]
        test = tree.condition(tree.children(int(v))[0])
        goes = satisfies(inside, tree.schema.names[tree.feature[v]], test)
        n = len(goes) - goes.count(None)
        larger = max(goes.count(True), goes.count(False)) / n
        table = md.surrogate_table(model, v)
        assert list(table) == ["feature", "test", "agreement", "adjusted"]
        assert (np.diff(table["agreement"]) <= 1e-12).all()
        for line in table.itertuples():
            says = satisfies(inside, line.feature, line.test)
            agreement = sum(a == b for a, b in zip(says, goes, strict=True) if b is not None) / n
            assert line.agreement == pytest.approx(agreement)
            assert line.adjusted == pytest.approx((agreement - larger) / (1 - larger))
        lines += len(table)
    assert lines > 5


def test_bad_input_of_the_table():
    frame, _, y = mixed_table(0, 60)
    model = MDTreeClassifier(missing="surrogate", max_depth=1)
    with pytest.raises(NotFittedError):
        md.surrogate_table(model)
    model.fit(frame, y)
    with pytest.raises(ValueError, match="node=1 must be a node with a test, and it is a leaf"):
        md.surrogate_table(model, 1)
    with pytest.raises(ValueError, match="node=3 must be a node of the tree, 0 to 2"):
        md.surrogate_table(model, 3)
    with pytest.raises(TypeError, match="node='root' must be a whole number"):
        md.surrogate_table(model, "root")
    with pytest.raises(ValueError, match="surrogate_table needs the surrogates of the tree"):
        md.surrogate_table(MDTreeClassifier(missing="learned").fit(frame, y))
    multiway = MDTreeClassifier(categorical="multiway", record_surrogates=True, max_depth=1)
    three = multiway.fit(frame[["d", "a"]], frame["d"].cat.codes)
    assert len(md.surrogate_table(three)) == 0


# -- bad input ----------------------------------------------------------------------


@pytest.mark.parametrize(
    "options, rule",
    [
        ({"max_surrogates": -1}, "max_surrogates=-1 must be a whole number of at least 0"),
        ({"max_surrogates": 2.5}, "max_surrogates=2.5 must be a whole number"),
        ({"surrogate_style": 2}, "surrogate_style=2 must be one of 0, 1"),
        ({"use_surrogates": True}, "use_surrogates=True must be one of 0, 1, 2"),
        ({"fallback": "luck"}, "fallback='luck' must be one of 'weight', 'rows'"),
    ],
)
def test_wrong_parameters(options, rule):
    X, y = make_xy(0)
    with pytest.raises(ValueError, match=rule):
        MDTreeClassifier(missing=Surrogate(**options)).fit(X, y)


def test_a_tree_without_surrogates_cannot_be_asked():
    X, y = make_xy(0)
    model = MDTreeClassifier(missing="learned").fit(X, y)
    with pytest.raises(ValueError, match="fit with record_surrogates=True"):
        model.with_prediction("surrogate", X, y)
    with pytest.raises(ValueError, match="fit with record_surrogates=True"):
        model.set_params(missing_predict="surrogate").predict(X)
    with pytest.raises(TypeError, match="record_surrogates='yes' must be True or False"):
        MDTreeClassifier(record_surrogates="yes").fit(X, y)


def test_where_nothing_agrees_there_is_no_surrogate():
    """Constant columns, empty ones, and noise that does no better than the larger side."""
    x = np.arange(20.0)
    X = np.stack([x, np.ones(20), np.full(20, np.nan)], axis=1)
    model = MDTreeClassifier(missing="surrogate").fit(X, (x > 9) * 1)
    assert len(model.tree_.surrogates) == 0
    rule = model.explain_row([[np.nan, 1.0, np.nan]])["rule"].iloc[0]
    assert rule == "surrogate: no surrogate can tell, 1 to node 2"
    single = MDTreeClassifier(missing="surrogate").fit(X, np.zeros(20))
    assert single.tree_.n_nodes == 1
    assert list(single.predict(X)) == [0] * 20


@pytest.mark.parametrize(
    "name, place, value, rule",
    [
        ("feature", 0, 99, "a surrogate tests another column from 0 to"),
        ("kind", 0, 4, "a threshold of numbers, or a table"),
        ("low_branch", 0, 3, "low_branch must be 0 or 1"),
        ("agreement", 0, 7.0, "agreement is from 0 to 1"),
        ("start", 1, 9999, "start must rise"),
        ("level_start", 0, 5, "tables of surrogates must follow each other"),
    ],
)
def test_files_that_do_not_hold_together(name, place, value, rule):
    frame, _, y = mixed_table(1, 120, 2, levels=4)
    model = MDTreeClassifier(missing="surrogate", min_samples_leaf=5).fit(frame, y)
    arrays = dict(model.tree_.surrogates.arrays())
    changed = arrays[name].copy()
    changed[place] = value
    tree = replace(
        model.tree_, surrogates=type(model.tree_.surrogates)(**(arrays | {name: changed}))
    )
    with pytest.raises(ValueError, match=rule):
        check_tree(tree, shares=True)
