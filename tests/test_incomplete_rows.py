"""What a tree says about a row with holes: golden numbers, slow twins, and laws."""

import json
import warnings

import numpy as np
import pandas as pd
import pytest
from data import make_frame, make_xy
from test_golden import GOLDEN, figure_1
from test_growth import mixed_table

import mdtree_nb as md
from mdtree_nb import MDTreeClassifier, MDTreeRegressor, StrategyNotApplicable
from mdtree_nb.columns import UNSEEN
from mdtree_nb.prediction import Predictor
from mdtree_nb.strategies import BothChildren, Lpe, Strategy, Tspe, get_strategy
from mdtree_nb.table import Table
from mdtree_nb.tree.kernels.codes import EQUALS, IS_MISSING, SUBSET

CASE = GOLDEN["twala_figure1"]
COLUMNS = ("A1", "A2", "A3")
SIDE = {"L": 1.0, "R": 2.0}


def row_of(known):
    return np.array([[SIDE.get(known.get(a), np.nan) for a in COLUMNS]])


def figure_1_predictor(strategy):
    """The tree of figure 1 with its forty training rows."""
    rows, labels = [], []
    for cell, counts in CASE["training_cells_A1A2A3_to_c1c2"].items():
        for label, n in enumerate(counts):
            rows += [[SIDE[side] for side in cell]] * n
            labels += [label] * n
    tree = figure_1()
    table = Table(np.array(rows, order="F"), tree.schema)
    return Predictor([tree], strategy, {}).study(table, np.array(labels, np.uint8), None)


def share_of_c1(predictor, known):
    return predictor.values(Table(row_of(known), predictor.trees[0].schema))[0, 0]


# -- numbers of the paper ---------------------------------------------------------


@pytest.mark.parametrize("query", CASE["queries"], ids=lambda q: str(q["known"]))
@pytest.mark.parametrize("name, golden", [("tspe", "TSPE"), ("lpe", "LPE"), ("dtpe", "DTPE")])
def test_figure_1(query, name, golden):
    predictor = figure_1_predictor(get_strategy(name))
    known = query["known"]
    found = share_of_c1(predictor, known)
    path_is_known = known.get("A1") == "L" or (known.get("A1"), known.get("A2")) == ("R", "L")
    if name == "dtpe" or not path_is_known:
        assert found == pytest.approx(query[golden], abs=1e-6)
        return
    # The row meets no missing value, so its leaf answers; the rows that agree say otherwise.
    leaf = "A1L" if known["A1"] == "L" else "A1R_A2L"
    assert found == pytest.approx(CASE["leaves"][leaf][0] / sum(CASE["leaves"][leaf]))
    (rows,) = predictor.recalled
    cells = rows.its.of(Table(row_of(known), predictor.trees[0].schema))
    every = rows.its.all_tests
    agree = rows.agreeing(cells, every, np.array([[0, len(every)]]))
    assert agree.value[0, 0] / agree.weight[0] == pytest.approx(query[golden], abs=1e-6)


def test_figure_1_in_fractions():
    """A2 = right: 497/600, 26/31, 28/33, 17/18; the class flips where A2 = left."""
    of = {name: figure_1_predictor(get_strategy(name)) for name in ("dtpe", "tspe", "lpe", "pool")}
    right, left = {"A2": "R"}, {"A2": "L"}
    assert share_of_c1(of["dtpe"], right) == pytest.approx(497 / 600)
    assert share_of_c1(of["tspe"], right) == 26 / 31
    assert share_of_c1(of["lpe"], right) == pytest.approx(26 / 31, abs=1e-6)
    assert share_of_c1(of["pool"], right) == pytest.approx(28 / 33)
    assert share_of_c1(of["pool"], right) == pytest.approx(CASE["leaf_pooling(A2=R)"])
    best = figure_1_predictor(get_strategy("best_path"))
    assert share_of_c1(best, right) == CASE["max_path(A2=R)"] == 17 / 18
    assert share_of_c1(of["dtpe"], left) > 0.5 > share_of_c1(of["tspe"], left) == 4 / 9
    both = {"A2": "R", "A3": "R"}
    found = [round(share_of_c1(of[name], both), 4) for name in ("tspe", "lpe", "dtpe")]
    assert found == [0.8571, 0.8503, 0.8528]


def test_the_logit_is_the_published_ones_maximum():
    """Its chances are those of the coefficients that another program found."""
    (rows,) = figure_1_predictor(Lpe()).recalled
    cells = rows.cells[np.argsort(rows.its.features)]  # 0 left, 1 right
    intercept, *slopes = CASE["logit_R1_L0_coefs"]
    wanted = 1 / (1 + np.exp(-(intercept + np.array(slopes) @ cells)))
    np.testing.assert_allclose(rows.value[:, 0], wanted, atol=1e-6)


@pytest.mark.parametrize("query", GOLDEN["c45_playtennis"]["queries_P_Yes"], ids=str)
def test_playtennis_as_c45_answers(query):
    data = md.load("playtennis_missing")
    model = MDTreeClassifier(
        missing="dtpe", criterion="entropy", categorical="multiway", max_leaf_nodes=4
    ).fit(data.X, data.y)
    row = pd.DataFrame([{name: query["query"].get(name) for name in data.X}], dtype=object)
    assert model.predict_proba(row)[0, 1] == pytest.approx(query["P_Yes"])


def test_playtennis_as_friedman_divides_it():
    case, data = GOLDEN["friedman_both_children"], md.load("playtennis_missing")
    options = {"criterion": "entropy", "categorical": "multiway", "max_depth": 1}
    model = MDTreeClassifier(missing="both_children", **options).fit(data.X, data.y)
    tree = model.tree_
    assert tree.gain[0] == pytest.approx(case["score_IG_known_only"])
    for v in tree.children(0):
        (level,) = tree.levels_to(v)
        counts = dict(zip(model.classes_, tree.weight[v] * tree.value[v], strict=True))
        assert counts == pytest.approx(case["children"][level])
    nothing = pd.DataFrame([dict.fromkeys(data.X)], dtype=object)
    # 17 copies say yes, 9 say no: not the nine and five rows of the root
    np.testing.assert_allclose(model.predict_proba(nothing), [[9 / 26, 17 / 26]])


# -- slow twins -------------------------------------------------------------------


def branch_of(tree, v, x):
    """Branch that a row takes in a node, None if it cannot answer the test."""
    value, kind = x[tree.feature[v]], tree.kind[v]
    if kind == IS_MISSING:
        return int(np.isnan(value))
    if np.isnan(value):
        return None
    if kind >= SUBSET:
        branch = -1 if value == UNSEEN else int(tree.level_table(v)[int(value)])
        return None if branch < 0 else branch
    return int(value != tree.threshold[v] if kind == EQUALS else value > tree.threshold[v])


def ways(tree, x, v=0, share=1.0):
    """Visited nodes and shares of a row."""
    yield v, share
    if tree.is_leaf[v]:
        return
    branch = branch_of(tree, v, x)
    for b, child in enumerate(tree.children(v)):
        part = tree.share[child] if branch is None else float(b == branch)
        if part > 0:
            yield from ways(tree, x, child, share * part)


def twin_tspe(tree, train, targets, w, x, scope):
    """The answer, and the number of training rows that agree (None: they were not asked)."""
    visited = dict(ways(tree, x))
    leaves = {v: s for v, s in visited.items() if tree.is_leaf[v]}
    mixture = sum(s * tree.value[v] for v, s in leaves.items())
    if len(leaves) == 1:
        return mixture, None
    nodes = (
        np.flatnonzero(~tree.is_leaf) if scope == "all" else [v for v in visited if v not in leaves]
    )
    mine = {v: branch_of(tree, v, x) for v in nodes}
    known = [v for v in nodes if mine[v] is not None]
    agree = [
        i for i, row in enumerate(train) if all(branch_of(tree, v, row) == mine[v] for v in known)
    ]
    if not agree:
        return mixture, 0
    return w[agree] @ targets[agree] / w[agree].sum(), len(agree)


def check_tspe(model, X, y, w, new, scope, task, lines=8):
    asked = model.with_prediction(Tspe(scope), X, y, w)
    train, queries = model._read(X).values, model._read(new).values
    targets = np.asarray(y, float)[:, None]
    if task == "classification":
        targets = (np.asarray(y)[:, None] == model.classes_).astype(float)
    w = np.ones(len(y)) if w is None else w
    counts = []
    found = asked._predictor.values(model._read(new))
    for i, x in enumerate(queries):
        wanted, count = twin_tspe(model.tree_, train, targets, w, x, scope)
        np.testing.assert_allclose(found[i], wanted, atol=1e-12)
        counts.append(count)
    for i in range(min(lines, len(queries))):
        rules = asked.explain_row(new.iloc[i] if hasattr(new, "iloc") else new[i])["rule"]
        said = rules.str.contains(f"answered here: {counts[i]} of {len(train)} training rows agree")
        assert said.sum() == bool(counts[i])
    return counts


@pytest.mark.parametrize("scope", ["all", "reachable"])
@pytest.mark.parametrize("grown_by", ["learned", "fractional", "own_child", "mean"])
@pytest.mark.parametrize("categorical", ["equality", "subset", "multiway"])
def test_tspe_equals_its_twin(scope, grown_by, categorical):
    counts = []
    for seed, classes in enumerate([0, 2, 3]):
        cls = MDTreeClassifier if classes else MDTreeRegressor
        frame, _, y = mixed_table(seed, 120, classes, levels=6)
        new, _, _ = mixed_table(seed + 20, 30, levels=8)  # two levels are new
        w = np.random.default_rng(seed).uniform(0.5, 2, len(y)) if seed else None
        model = cls(missing=grown_by, categorical=categorical, max_depth=3)
        model.fit(frame, y, w)
        task = "classification" if classes else "regression"
        counts += check_tspe(model, frame, y, w, new, scope, task)
    assert max(c for c in counts if c) > 1


@pytest.mark.parametrize("scope", ["all", "reachable"])
def test_tspe_with_many_cells(scope):
    """Above 64 thresholds or levels of a column, bits are kept for groups of them, or for none."""
    rng = np.random.default_rng(0)
    n = 700
    frame = pd.DataFrame({"a": rng.normal(size=n), "b": rng.integers(0, 3, n) * 1.0})
    frame["shop"] = pd.Categorical([f"shop {c:03d}" for c in rng.integers(0, 90, n)])
    noise = rng.normal(size=n)
    y = 3 * frame["a"] + frame["shop"].cat.codes / 30 + frame["b"] + noise
    model = MDTreeRegressor(missing="fractional", categorical="equality", min_samples_leaf=2)
    model.fit(frame, y)
    tree = model.tree_
    assert len(np.unique(tree.threshold[(tree.feature == 0)])) > 64
    assert len(frame["shop"].cat.categories) > 64
    new = frame.sample(25, random_state=0).reset_index(drop=True)
    new.loc[::2, "a"] = np.nan
    new.loc[1::4, "shop"] = None
    new.loc[::3, "b"] = np.nan
    counts = check_tspe(model, frame, y.to_numpy(), None, new, scope, "regression", lines=2)
    assert sum(bool(c) for c in counts) > 5


def newton(design, targets, w, ridge):
    """Maximum of a penalised multinomial logit, by Newton's method in plain NumPy."""
    n, k = design.shape[0], targets.shape[1]
    x = np.column_stack([np.ones(n), design])
    t = x.shape[1]
    penalty = np.diag(np.r_[1e-13, np.full(t - 1, ridge)])
    beta = np.zeros((t, k))
    for _ in range(60):
        p = np.exp(x @ beta - (x @ beta).max(axis=1, keepdims=True))
        p /= p.sum(axis=1, keepdims=True)
        gradient = x.T @ (w[:, None] * (p - targets)) + penalty @ beta
        hessian = np.zeros((t * k, t * k))
        for a in range(k):
            for b in range(k):
                weight = w * (p[:, a] * (a == b) - p[:, a] * p[:, b])
                block = (x * weight[:, None]).T @ x + penalty * (a == b)
                hessian[a * t : (a + 1) * t, b * t : (b + 1) * t] = block
        step = np.linalg.lstsq(hessian, gradient.T.ravel(), rcond=1e-14)[0]
        beta -= step.reshape(k, t).T
    return p


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("mechanism", ["complete", "mcar"])
def test_lpe_equals_its_twin(classes, mechanism):
    """The logit by another method, on one column per node and answer; then means over rows."""
    for seed in range(3):
        X, y = make_xy(seed, 200, 4, mechanism, classes=classes)
        w = np.random.default_rng(seed).uniform(0.5, 2, len(y)) if seed else None
        model = MDTreeClassifier(missing="fractional", max_depth=3, min_samples_leaf=15)
        model.fit(X, y, w)
        tree, asked = model.tree_, model.with_prediction("lpe", X, y, w)
        inner = np.flatnonzero(~tree.is_leaf)
        bits = [[branch_of(tree, v, x) for v in inner] for x in X]
        columns = {
            tuple(row[j] == code for row in bits) for j in range(len(inner)) for code in (1, None)
        }
        design = np.array([c for c in columns if any(c)], dtype=float).T
        weight = np.ones(len(y)) if w is None else w / w.mean()
        chances = newton(design, np.eye(classes)[y], weight, 1e-6)
        for x in make_xy(seed + 9, 40, 4)[0]:
            wanted, count = twin_tspe(tree, X, chances, weight, x, "all")
            if count:
                np.testing.assert_allclose(asked.predict_proba([x])[0], wanted, atol=2e-5)


# -- laws -------------------------------------------------------------------------


@pytest.mark.parametrize("classes", [2, 4])
@pytest.mark.parametrize("mechanism", ["complete", "mcar", "mnar"])
def test_with_one_known_test_lpe_is_tspe(classes, mechanism):
    """The logit's score equations: its chances add up to the classes below every answer."""
    for seed in range(3):
        X, y = make_xy(seed, 150, 4, mechanism, classes=classes)
        model = MDTreeClassifier(missing="learned", max_depth=4, min_samples_leaf=8).fit(X, y)
        tree = model.tree_
        lpe, tspe = (model.with_prediction(name, X, y) for name in ("lpe", "tspe"))
        tests = np.bincount(tree.feature[~tree.is_leaf & (tree.kind != IS_MISSING)], minlength=4)
        rows = [np.full(4, np.nan)]
        for f in np.flatnonzero(tests == 1):
            rows += [np.where(np.arange(4) == f, value, np.nan) for value in (-9.0, 9.0)]
        if (tree.kind[~tree.is_leaf] == IS_MISSING).any():
            continue  # then a row with holes knows more than one test
        np.testing.assert_allclose(lpe.predict_proba(rows), tspe.predict_proba(rows), atol=1e-5)


def test_a_row_without_any_value_gets_the_root():
    X, y = make_xy(1, 200, classes=3)
    nothing = np.full((1, 4), np.nan)
    model = MDTreeClassifier(missing="fractional", max_depth=4).fit(X, y)
    for name in ("fractional", "dtpe", "pool", "tspe", "lpe", "stop"):
        found = model.with_prediction(name, X, y).predict_proba(nothing)[0]
        np.testing.assert_allclose(found, model.tree_.value[0], atol=0.02)
        exact = name in ("pool", "tspe", "lpe", "stop")  # by counts, whatever the routes were
        np.testing.assert_allclose(found, model.tree_.value[0], atol=1e-6 if exact else 0.02)


def test_where_no_training_row_agrees_the_leaves_are_mixed():
    X, y = make_xy(0, 80)
    model = MDTreeClassifier(missing="fractional", max_depth=5).fit(X, y)
    tspe = model.with_prediction("tspe", X, y)
    new = make_xy(1, 80)[0]
    alone = 0
    for x, found in zip(new, tspe.predict_proba(new), strict=True):
        wanted, count = twin_tspe(model.tree_, X, np.eye(2)[y], np.ones(80), x, "all")
        np.testing.assert_allclose(found, wanted)
        if count == 0:
            alone += 1
            np.testing.assert_array_equal(found, model.predict_proba([x])[0])
            assert not tspe.explain_row(x)["rule"].str.contains("answered").any()
    assert 5 < alone < 75


def test_pool_and_best_path_by_hand():
    X, y = make_xy(4, 200, classes=3)
    model = MDTreeClassifier(missing="learned", max_depth=4).fit(X, y)
    tree = model.tree_
    pool, best = (model.with_prediction(name, X, y) for name in ("pool", "best_path"))
    new = make_xy(5, 60)[0]
    np.testing.assert_allclose(best.predict_proba(new), tree.value[best.apply(new)])
    for x, found in zip(new, pool.predict_proba(new), strict=True):
        leaves = [v for v, _ in ways(tree, x) if tree.is_leaf[v]]
        counts = (tree.weight[leaves, None] * tree.value[leaves]).sum(axis=0)
        np.testing.assert_allclose(found, counts / counts.sum())


def test_pooled_numbers_are_means_weighted_by_leaf():
    X, y = make_xy(4, 200, task="regression")
    model = MDTreeRegressor(missing="pool", max_depth=3).fit(X, y)
    tree = model.tree_
    for x in make_xy(5, 20)[0]:
        leaves = [v for v, _ in ways(tree, x) if tree.is_leaf[v]]
        wanted = np.average(tree.value[leaves, 0], weights=tree.weight[leaves])
        assert model.predict([x])[0] == pytest.approx(wanted)


def test_growing_by_a_prediction_strategy_is_growing_by_fractions():
    X, y = make_xy(0, 120)
    plain = MDTreeClassifier(missing="fractional").fit(X, y)
    for name in ("pool", "best_path", "tspe", "lpe"):
        assert MDTreeClassifier(missing=name).fit(X, y).tree_ == plain.tree_


def test_rows_that_stop_count_in_the_risk_of_pruning():
    X, y = make_xy(3, 300)
    model = MDTreeClassifier(missing="stop", min_samples_leaf=5).fit(X, y)
    tree = model.tree_
    stays = np.where(tree.is_leaf, tree.weight, tree.missing_weight)
    path = model.cost_complexity_pruning_path(X, y)
    assert path.impurities[0] == pytest.approx(stays @ tree.impurity / tree.weight[0])
    assert path.impurities[-1] == pytest.approx(tree.impurity[0])
    assert (np.diff(path.ccp_alphas) >= 0).all()


def test_two_trees_are_asked_each_with_its_own_rows():
    class Twice(Tspe):
        """Two completed versions of the first column; the others keep their holes."""

        name = "twice"

        def prepare(self, table, y, w, rng):
            return md.strategies.Prepared(self.transform(table, {}), None, {})

        def transform(self, table, state):
            first = np.arange(4) == 0
            return [
                table.replace(np.where(np.isnan(table.values) & first, fill, table.values))
                for fill in (-1.0, 1.0)
            ]

    X, y = make_xy(3)
    model = MDTreeClassifier(missing=Twice(), max_depth=3).fit(X, y)
    assert len(model.trees_) == len(model._predictor.training) == 2
    wanted = 0
    for tree, table in zip(model.trees_, Twice().transform(model._read(X), {}), strict=True):
        rows = table.values
        parts = [twin_tspe(tree, rows, np.eye(2)[y], np.ones(60), x, "all")[0] for x in rows]
        wanted = wanted + np.array(parts) / 2
    np.testing.assert_allclose(model.predict_proba(X), wanted, atol=1e-12)
    lines = model.explain_row(X[5])
    np.testing.assert_allclose(lines.filter(like="P(").sum(), wanted[5])


# -- copies -----------------------------------------------------------------------


@pytest.mark.parametrize("max_copies", [1, 3, 16])
def test_the_leaves_hold_no_more_than_so_many_copies(max_copies):
    """Half the cells missing and no other limit: growing ends, and within the bound."""
    X, y = make_xy(0, 400, 6, "mcar", rate=0.5, classes=3)
    tree = MDTreeClassifier(missing=BothChildren(max_copies)).fit(X, y).tree_
    leaves = tree.rows[tree.is_leaf].sum()
    assert leaves <= max_copies * len(X)
    for v in np.flatnonzero(~tree.is_leaf):
        assert (tree.rows[tree.children(v)] < tree.rows[v]).all()
    if max_copies == 1:
        assert (tree.missing_weight == 0).all()
    else:
        assert leaves > max_copies * len(X) / 2, "the bound is made use of"


def test_a_test_with_many_branches_counts_all_its_copies():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"c": rng.choice(list("abcdefgh"), 400), "x": rng.normal(size=400)})
    frame.loc[rng.random(400) < 0.5, "c"] = None
    y = (frame["c"].fillna("a") > "d").to_numpy() ^ (rng.random(400) < 0.1)
    options = {"categorical": "multiway", "max_depth": 3}
    # eight branches: half the rows in one, half in eight, so 4.5 times the rows
    few = MDTreeClassifier(missing=BothChildren(4), **options).fit(frame, y).tree_
    many = MDTreeClassifier(missing=BothChildren(5), **options).fit(frame, y).tree_
    assert few.feature[0] == 1
    assert many.feature[0] == 0
    assert many.rows[many.children(0)].sum() <= 5 * 400


@pytest.mark.parametrize("wrong", [0.5, "many", None, np.nan])
def test_a_wrong_bound_on_copies(wrong):
    X, y = make_xy(0)
    with pytest.raises(ValueError, match="max_copies=.* must be a number of at least 1"):
        MDTreeClassifier(missing=BothChildren(wrong)).fit(X, y)


# -- limits and refusals ----------------------------------------------------------


def test_lpe_says_when_there_are_too_many_tests():
    X, y = make_xy(0, 300, classes=3)
    model = MDTreeClassifier(missing="learned").fit(X, y)
    with pytest.warns(UserWarning, match=r"max_columns=5 columns can tell; .* leaves out the \d+"):
        asked = model.with_prediction(Lpe(max_columns=5), X, y)
    shares = asked.predict_proba(X)
    np.testing.assert_allclose(shares.sum(axis=1), 1)
    row = X[np.isnan(X).sum(axis=1).argmax()]
    rules = " ".join(asked.explain_row(row)["rule"])
    assert "logit on 5 columns, ridge 1e-06, without the" in rules
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.with_prediction("lpe", X, y)


def test_lpe_leaves_out_columns_that_follow_from_others():
    X, y = make_xy(2, 150, mechanism="complete")
    X = np.column_stack([X[:, 0], 2 * X[:, 0] + 1, X[:, 1]])
    tree = figure_1()
    twice = Predictor([tree], Lpe(), {}).study(
        Table(np.asfortranarray(np.where(X > 0, 2.0, 1.0)[:, [0, 0, 2]]), tree.schema),
        y.astype(np.uint8),
        None,
    )
    assert twice.training[0]["columns"] == 2, "A2 is A1"
    assert twice.training[0]["converged"]


def test_lpe_is_for_classes():
    X, y = make_xy(0, task="regression")
    with pytest.raises(StrategyNotApplicable, match="'lpe' is a logit of classes"):
        MDTreeRegressor(missing="lpe").fit(X, y)
    with pytest.raises(StrategyNotApplicable, match="choose 'tspe'"):
        MDTreeRegressor(missing_predict="lpe").fit(X, y)
    model = MDTreeRegressor(missing="tspe").fit(X, y)
    assert np.isfinite(model.predict(X)).all()


def test_classes_that_can_be_told_apart_perfectly():
    """The likelihood has no maximum; the ridge gives it one."""
    X = np.arange(20.0)[:, None]
    y = np.arange(20) // 7
    model = MDTreeClassifier(missing="lpe").fit(X, y)
    training = model._predictor.training[0]
    assert training["converged"]
    np.testing.assert_allclose(training["value"], np.eye(3), atol=1e-5)


@pytest.mark.parametrize(
    "strategy, rule",
    [
        (Tspe("some"), "scope='some' must be one of 'all', 'reachable'"),
        (Lpe("some"), "scope='some' must be one of"),
        (Lpe(ridge=0), "ridge=0 must be above 0"),
        (Lpe(max_columns=0), "max_columns=0 must be at least 1"),
    ],
    ids=str,
)
def test_wrong_parameters(strategy, rule):
    X, y = make_xy(0)
    with pytest.raises(ValueError, match=rule):
        MDTreeClassifier(missing=strategy).fit(X, y)


def test_other_labels_are_refused():
    X, y = make_xy(0, classes=3)
    model = MDTreeClassifier().fit(X, y)
    with pytest.raises(ValueError, match="y holds other classes than those the tree was fitted on"):
        model.with_prediction("tspe", X, y + 1)


def test_a_tree_of_thousands_of_nodes_can_be_asked():
    X, y = make_xy(0, 6000, 5, rate=0.1)
    y = np.where(np.random.default_rng(0).random(6000) < 0.3, 1 - y, y)
    model = MDTreeClassifier(missing="learned").fit(X, y)
    assert model.tree_.n_nodes > 2000
    new = make_xy(1, 5, 5)[0]
    for scope in ("all", "reachable"):
        check_tspe(model, X[:300], y[:300], None, new, scope, "classification", lines=1)


# -- files ------------------------------------------------------------------------


@pytest.mark.parametrize("strategy", [Tspe(), Tspe("reachable"), Lpe()], ids=str)
def test_what_is_kept_of_the_training_rows_is_written(strategy):
    frame, y = make_frame(0, 100)
    model = MDTreeClassifier(max_depth=4).fit(frame, y).with_prediction(strategy, frame, y)
    text = md.export_json(model)
    again = md.import_json(text)
    assert md.export_json(again) == text
    new, _ = make_frame(1)
    np.testing.assert_array_equal(again.predict_proba(new), model.predict_proba(new))
    pd.testing.assert_frame_equal(again.explain_row(new.iloc[3]), model.explain_row(new.iloc[3]))


def test_a_file_without_the_training_rows_is_refused():
    X, y = make_xy(0)
    document = json.loads(md.export_json(MDTreeClassifier(missing="tspe").fit(X, y)))
    training = document["prediction"].pop("training")
    with pytest.raises(ValueError, match="'tspe' answers from its training rows, and the document"):
        md.import_json(json.dumps(document))
    other = json.loads(md.export_json(MDTreeClassifier(missing="left").fit(X, y)))
    assert "training" not in other["prediction"]
    other["prediction"]["training"] = training
    with pytest.raises(ValueError, match="'left' keeps nothing of its training rows"):
        md.import_json(json.dumps(other))


@pytest.mark.parametrize(
    "name, change, rule",
    [
        ("cells", lambda a: a - 1, "in a cell that its column does not have"),
        ("cells", lambda a: a + 99, "in a cell that its column does not have"),
        ("cells", lambda a: a[1:], "the shape of another tree's"),
        ("rows", lambda a: a * 0, "a count and a weight above 0"),
        ("weight", lambda a: -a, "a count and a weight above 0"),
        ("weight", lambda a: a[None], "the shape of another tree's"),
        ("weight", lambda a: a * np.inf, "must be finite"),
        ("value", lambda a: a * np.inf, "must be finite"),
        ("value", lambda a: a + 1, "chances that sum to 1"),
        ("value", lambda a: a.astype(np.float32), "an array 'value' of type float64"),
        ("columns", str, "need 'columns', of type int"),
        ("converged", lambda _: None, "need 'converged', of type bool"),
    ],
)
def test_training_rows_that_do_not_hold_together(name, change, rule):
    X, y = make_xy(0)
    model = MDTreeClassifier(missing="lpe").fit(X, y)
    its = model._predictor.training[0]
    with np.errstate(all="ignore"):
        its[name] = change(its[name])
    text = md.export_json(model)
    with pytest.raises(ValueError, match=rule):
        md.import_json(text)


def test_a_strategy_may_weigh_ends_by_itself():
    class Purest(Strategy):
        """Of the reached leaves the purest counts most."""

        mode = "known"
        plain = True
        by_rule = True
        divides = True

        def missing_shares(self, tree):
            return tree.share

        def weigh(self, reach, tree):
            return reach.weighed(tree.value.max(axis=1) ** 9)

    X, y = make_xy(0, 150, classes=3)
    model = MDTreeClassifier(missing=Purest(), max_depth=3).fit(X, y)
    tree = model.tree_
    for x in X[np.isnan(X).any(axis=1)][:10]:
        leaves = [v for v, _ in ways(tree, x) if tree.is_leaf[v]]
        weight = tree.value[leaves].max(axis=1) ** 9
        wanted = weight @ tree.value[leaves] / weight.sum()
        np.testing.assert_allclose(model.predict_proba([x])[0], wanted)
        np.testing.assert_allclose(model.explain_row(x).filter(like="P(").sum(), wanted)


def test_a_tree_that_was_cut_by_hand_has_to_study_again():
    X, y = make_xy(0)
    model = MDTreeClassifier(missing="fractional", missing_predict="tspe").fit(X, y)
    cut = model.snip([1])
    for ask in (lambda: cut.predict(X), lambda: cut.explain_row(X[0]), lambda: md.export_json(cut)):
        with pytest.raises(ValueError, match=r"call with_prediction\('tspe', X, y\)"):
            ask()
    again = cut.with_prediction("tspe", X, y)
    for i, x in enumerate(X):
        wanted, _ = twin_tspe(cut.tree_, X, np.eye(2)[y], np.ones(60), x, "all")
        np.testing.assert_allclose(again.predict_proba(X)[i], wanted)


def test_pruned_trees_are_studied_as_they_are():
    X, y = make_xy(0, 200)
    for options in ({"ccp_alpha": 0.01}, {"pruning": "pessimistic"}, {"pruning": "collapse"}):
        model = MDTreeClassifier(missing="tspe", **options).fit(X, y)
        for x, found in zip(X[:40], model.predict_proba(X[:40]), strict=True):
            wanted, _ = twin_tspe(model.tree_, X, np.eye(2)[y], np.ones(200), x, "all")
            np.testing.assert_allclose(found, wanted)


@pytest.mark.parametrize("name", ["tspe", "lpe"])
def test_more_classes_than_a_byte_holds(name):
    y = np.arange(600) % 300
    X = np.column_stack([y, y % 17]).astype(float)
    X[::7, 0] = np.nan
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the logit of 300 classes
        model = MDTreeClassifier(missing_predict=name, max_depth=4).fit(X, y)
    shares = model.predict_proba(X[:9])
    np.testing.assert_allclose(shares.sum(axis=1), 1)
    assert (model.predict(X[:9]) == model.classes_[shares.argmax(axis=1)]).all()
