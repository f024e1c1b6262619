"""Each compiled kernel against a slow, obvious twin, on wild input."""

import inspect
import math
import time

import naive
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba.core import event

from mdtree_nb import table as tables
from mdtree_nb.tree import criteria, sorting
from mdtree_nb.tree.cuts import best_cuts
from mdtree_nb.tree.every_cut import all_cuts
from mdtree_nb.tree.kernels import (
    agree,
    contingency,
    fork,
    jit,
    lazy,
    level_marks,
    nodes,
    order,
    route,
    search,
    surrogates,
    visits,
)
from mdtree_nb.tree.kernels.codes import (
    ALONE,
    COST,
    FIRST_KNOWN,
    FIRST_STAT,
    KNOWN,
    LEARNED,
    LEFT,
    MASS,
    NOWHERE,
    RIGHT,
    START,
    STOP,
    WEIGHT,
)
from mdtree_nb.tree.marks import mark
from mdtree_nb.tree.rules import Least
from mdtree_nb.tree.workspace import Workspace

VALUES = st.one_of(
    st.sampled_from([math.nan, 0.0, -0.0, 1.0, 1.0 + 2**-52, -1.0, math.inf, -math.inf]),
    st.floats(-1e300, 1e300),
    st.sampled_from([5e-324, 1e308, -1e308, 2.0**53, 2.0**53 + 2]),
)


@st.composite
def tables_with_labels(draw, most_rows=14, most_columns=3, classes=3):
    n = draw(st.integers(2, most_rows))
    p = draw(st.integers(1, most_columns))
    X = np.array(draw(st.lists(VALUES, min_size=n * p, max_size=n * p))).reshape(n, p)
    y = np.array(draw(st.lists(st.integers(0, classes - 1), min_size=n, max_size=n)), np.uint8)
    weights = st.lists(st.sampled_from([0.25, 1.0, 1.5, 3.0]), min_size=n, max_size=n)
    return X, y, draw(st.none() | weights.map(np.array))


def workspace(X, y, w=None, criterion=None, n_values=3, least=Least(1.0, 0.0), divides=False):
    criterion = criterion or criteria.Gini()
    return Workspace(tables.learn(X), y, w, criterion.measure(n_values), least, divides)


@settings(deadline=None, max_examples=150)
@given(tables_with_labels())
def test_rows_are_sorted_with_missing_ones_last(data):
    X, y, _ = data
    work = workspace(X, y)
    for f in range(X.shape[1]):
        k = work.root[0, FIRST_KNOWN + f]
        ids = work.ids[f]
        assert sorted(ids) == list(range(len(X)))
        assert not np.isnan(X[ids[:k], f]).any()
        assert np.isnan(X[ids[k:], f]).all()
        assert (X[ids[:k], f][:-1] <= X[ids[:k], f][1:]).all()
        row = work.columns[f, 0]
        known = X[ids[:k], f]
        same = known[:-1] == known[1:]
        if row >= 0:
            np.testing.assert_array_equal(np.diff(work.ranks[row, :k].astype(int)) == 0, same)
        else:
            assert not same.any()


@settings(deadline=None, max_examples=150)
@given(tables_with_labels(), st.sampled_from(["gini", "entropy", "squared_error"]))
def test_sums_of_a_node(data, name):
    X, y, w = data
    criterion = {c.name: c for c in criteria.CRITERIA}[name]()
    labels = y * 1e6 + 1e9 if name == "squared_error" else y
    work = workspace(X, labels, w, criterion, 1 if name == "squared_error" else 3)
    sums = work.sum_up(work.root)[0]
    weights = np.ones(len(y)) if w is None else w
    rows = [(r, 1.0) for r in range(len(y))]
    assert sums[WEIGHT] == pytest.approx(weights.sum())
    assert sums[MASS] == len(y)
    wanted = naive.impurity(rows, labels, weights, name) * weights.sum()
    assert sums[COST] == pytest.approx(wanted, rel=1e-9, abs=1e-12)
    assert (sums[COST] == 0) == (len(set(y)) == 1)
    assert sums[COST] == pytest.approx(float(work.measure.cost(sums[FIRST_STAT:])), abs=1e-6)


MODES = {"left": LEFT, "right": RIGHT, "learned": LEARNED, "majority": KNOWN}


@settings(deadline=None, max_examples=300)
@given(
    tables_with_labels(),
    st.sampled_from(["gini", "entropy", "squared_error"]),
    st.sampled_from(sorted(MODES)),
    st.sampled_from([1, 2, 3]),
    st.sampled_from([2, 3]),
)
def test_best_cut_of_each_column(data, name, strategy, least, classes):
    """The sweep's gain is the largest over all cuts of the twin, per column."""
    X, y, w = data
    y = np.minimum(y, classes - 1)
    regression = name == "squared_error"
    labels = y.astype(float) if regression else y
    criterion = {c.name: c for c in criteria.CRITERIA}[name]()
    work = workspace(
        X, labels, w, criterion, 1 if regression else classes, Least(float(least), 0.0)
    )
    sums = work.sum_up(work.root)
    weights = np.ones(len(y)) if w is None else w
    rows = [(r, 1.0) for r in range(len(y))]
    alone = strategy in ("right", "learned")
    for f in range(X.shape[1]):
        allowed = np.zeros((1, X.shape[1]), dtype=bool)
        allowed[0, f] = True
        choice = work.best_split(work.root, sums, allowed, MODES[strategy], alone)[0]
        gains = [
            naive.score(strategy, sides, missing, rows, labels, weights, name, least)[0]
            for kind, _, sides, missing in naive.candidates(X, rows, f, "threshold")
            if kind != "alone" or alone
        ]
        best = max(gains, default=-math.inf)
        if math.isinf(best):
            assert choice[2] == -math.inf
        else:
            assert choice[2] == pytest.approx(best, rel=1e-9, abs=1e-11)


@settings(deadline=None, max_examples=100)
@given(tables_with_labels(), st.booleans())
def test_list_of_all_cuts_holds_the_best_ones(data, by_entropy):
    X, y, w = data
    criterion = criteria.Entropy() if by_entropy else criteria.Gini()
    work = workspace(X, y, w, criterion)
    sums = work.sum_up(work.root)
    if not (work.root[0, FIRST_KNOWN:] > 0).any():
        return
    every = all_cuts(work, work.root[0], sums[0], None, True)
    best = best_cuts(work, work.root, sums, None, KNOWN, False)
    gains = every.gain(every.known, every.left, every.right)
    for i in range(len(best)):
        same = (every.feature == best.feature[i]) & (every.position == best.position[i])
        assert same.sum() == 1
        at = int(np.flatnonzero(same)[0])
        np.testing.assert_allclose(every.left_stats[at], best.left_stats[i])
        np.testing.assert_allclose(every.missing_stats[at], best.missing_stats[i])
        assert every.left_mass[at] == best.left_mass[i]
        assert gains[at] >= gains[every.feature == best.feature[i]].max() - 1e-9
    for at in np.flatnonzero(every.alone):
        known = ~np.isnan(X[:, every.feature[at]])
        assert every.left_mass[at] == known.sum()
        assert every.missing_mass[at] == (~known).sum()


@settings(deadline=None, max_examples=150)
@given(tables_with_labels(most_columns=4), st.integers(2, 4), st.booleans(), st.data())
def test_partition_is_stable_and_keeps_missing_rows_last(data, n_children, drop, more):
    X, y, _ = data
    n, p = X.shape
    work = workspace(X, y)
    ids, ranks = work.ids.copy(), work.ranks.copy()
    choices = [*range(n_children), *([NOWHERE] if drop else [])]
    branch = np.array(
        more.draw(st.lists(st.sampled_from(choices), min_size=n, max_size=n)), np.uint16
    )
    work.branch[:] = branch
    children = work.partition(work.root, np.array([0, n_children]))
    for c, child in enumerate(children):
        for f in range(p):
            mine = [r for r in ids[f] if branch[r] == c]
            here = work.ids[f, child[START] : child[STOP]]
            assert list(here) == mine
            assert child[FIRST_KNOWN + f] == sum(not math.isnan(X[r, f]) for r in mine)
            row = work.columns[f, 0]
            if row >= 0:
                rank_of = dict(zip(ids[f], ranks[row], strict=True))
                known = here[: child[FIRST_KNOWN + f]]
                moved = work.ranks[row, child[START] : child[START] + len(known)]
                assert [rank_of[r] for r in known] == list(moved)


@settings(deadline=None, max_examples=150)
@given(tables_with_labels(most_columns=4), st.data())
def test_fork_divides_rows_and_conserves_mass(data, more):
    X, y, w = data
    n, p = X.shape
    work = workspace(X, y, w, divides=True)
    f = more.draw(st.integers(0, p - 1))
    missing = np.flatnonzero(np.isnan(X[:, f]))
    known = np.flatnonzero(~np.isnan(X[:, f]))
    sides = more.draw(st.lists(st.integers(0, 1), min_size=len(known), max_size=len(known)))
    work.branch[known] = sides
    part = more.draw(st.sampled_from([0.0, 0.25, 1.0]))
    shares = np.tile([part, 1 - part], (len(missing), 1))
    entries = work.missing_entries(work.root[0], f).copy()
    children = work.fork(work.root, np.array([0, 2]), entries, shares)
    weights = np.ones(n) if w is None else w
    for c, child in enumerate(children):
        wanted = {r: 1.0 for r, s in zip(known, sides, strict=True) if s == c}
        wanted |= {r: shares[0, c] for r in missing if shares[0, c] > 0}
        for g in range(p):
            here = work.ids[g, child[START] : child[STOP]]
            rows = work.rows[here]
            assert sorted(rows) == sorted(wanted)
            k = child[FIRST_KNOWN + g]
            assert k == sum(not math.isnan(X[r, g]) for r in wanted)
            assert np.isnan(X[rows[k:], g]).all()
            order = X[rows[:k], g]
            assert all(a <= b for a, b in zip(order, order[1:], strict=False))
            np.testing.assert_allclose(work.mass[here], [wanted[r] for r in rows])
            np.testing.assert_allclose(work.w[here], [wanted[r] * weights[r] for r in rows])
            np.testing.assert_array_equal(work.y[here], y[rows])
    assert len(entries) == len(missing)


@pytest.mark.parametrize("n", [1, 2, 100, 5000])
def test_keys_are_sorted(n):
    rng = np.random.default_rng(n)
    counts = np.empty((order.DIGITS, 2**order.BITS), dtype=np.int64)
    for keys in (
        rng.integers(-(2**63), 2**63 - 1, n, endpoint=True),
        rng.integers(-3, 3, n),
        np.full(n, -7),
        rng.normal(size=n).view(np.int64),
    ):
        found = keys.copy()
        order.sort_keys(found, np.empty(n, dtype=np.int64), counts)
        np.testing.assert_array_equal(found, np.sort(keys))


def test_many_rows_are_sorted_as_few(monkeypatch):
    """Whether keys are sorted by their bits or by comparing makes no difference."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(3, 500)).round(1)
    X[0] = rng.choice([-np.inf, np.inf, 0.0, -0.0, 1e-310, 1e308], 500)
    X[rng.random(X.shape) < 0.2] = np.nan
    kinds = np.zeros(3, dtype=np.int64)
    few = sorting.sort_rows(X, kinds)
    monkeypatch.setattr(sorting, "MANY", 1)
    many = sorting.sort_rows(X, kinds)
    for f, (row, _) in enumerate(few[2]):
        known = few[3][f]
        np.testing.assert_array_equal(few[0][f], many[0][f])
        if row >= 0:  # behind the known rows nothing is written
            np.testing.assert_array_equal(few[1][row, :known], many[1][row, :known])
    np.testing.assert_array_equal(few[2], many[2])
    np.testing.assert_array_equal(few[3], many[3])


@settings(deadline=None, max_examples=100)
@given(st.lists(VALUES.filter(lambda v: v == v), min_size=2, max_size=12, unique=True))
def test_threshold_separates_its_neighbours(values):
    values = sorted(set(np.array(values) + 0.0))
    if len(values) < 2:
        return
    for a, b in zip(values, values[1:], strict=False):
        X, y = np.array([[a], [b]]), np.array([0, 1], np.uint8)
        work = workspace(X, y, n_values=2)
        sums = work.sum_up(work.root)
        choice = work.best_split(work.root, sums, None, KNOWN, False)
        kind = np.zeros(1, dtype=np.int8)
        threshold = mark(work, work.root, sums, choice, kind).threshold[0]
        assert a <= threshold < b


def test_alone_is_kept_apart_from_the_last_position():
    X = np.array([[1.0], [2.0], [math.nan], [math.nan]])
    work = workspace(X, np.array([0, 0, 1, 1], np.uint8), n_values=2)
    choice = work.best_split(work.root, work.sum_up(work.root), None, LEARNED, True)[0]
    assert choice[1] == ALONE
    assert choice[2] == pytest.approx(0.5)


def test_kernels_have_only_the_planned_signatures():
    """Few arguments come in two types, labels or weights for instance; the rest in one.

    Another type would mean that some caller passes another dtype or layout, and that
    users wait for a compiler again.
    """
    from mdtree_nb import (
        LazyTreeClassifier,
        LazyTreeRegressor,
        MDTreeClassifier,
        MDTreeRegressor,
        strategies,
    )

    class Asked(strategies.Strategy):
        """Never stored in the tree, so asked in every node."""

        def route(self, tree, node, table, rows):
            return super().route(tree, node, table, rows)

    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3))
    X[rng.random(X.shape) < 0.2] = np.nan
    y = rng.integers(0, 3, 60)
    w = rng.uniform(0.5, 2, 60)
    for table in (X, np.asfortranarray(X), X[::2].repeat(2, axis=0), X.astype(np.float32)):
        for missing in ("learned", "fractional", "own_child", "surrogate", "guide"):
            for criterion in ("gini", "entropy"):
                for weights in (None, w):
                    model = MDTreeClassifier(missing=missing, criterion=criterion)
                    model.fit(table, y, weights).predict_proba(table)
                    MDTreeRegressor(missing=missing).fit(table, y, weights).predict(table)
        model = MDTreeClassifier(missing="left", missing_predict=Asked())
        model.fit(table, y).predict(table)
        for missing in ("tspe", "lpe", "knn"):
            MDTreeClassifier(missing=missing).fit(table, y).predict(table)
        MDTreeRegressor(missing="tspe").fit(table, y, w).predict(table)
        for weights in (None, w):
            LazyTreeClassifier().fit(table, y, weights).predict(table)
            LazyTreeRegressor().fit(table, y, weights).predict(table)
    frame = pd.DataFrame(X, columns=list("abc")).assign(
        text=np.array(list("abcdef"))[np.arange(60) % 6]
    )
    for missing in ("learned", "fractional", "tspe", "surrogate", Asked()):
        for categorical in ("equality", "subset", "multiway"):
            for weights in (None, w):
                options = {"missing": missing, "categorical": categorical}
                MDTreeClassifier(**options).fit(frame, y, weights).predict(frame)
                MDTreeClassifier(criterion="entropy", **options).fit(frame, y, weights)
                MDTreeRegressor(**options).fit(frame, y, weights).predict(frame)
    keys = np.zeros((2, 2), dtype=np.int64)
    order.sort_keys(*keys, np.zeros((order.DIGITS, 2**order.BITS), dtype=np.int64))
    rows = {"y", "w", "mass"}
    planned = {
        search.search: rows | {"classes", "table", "categories"},
        nodes.sum_up: rows,
        nodes.mark: set(),
        nodes.partition: set(),
        level_marks.mark_levels: rows,
        contingency.contingency: {"y", "w", "centres"},
        lazy.outcomes: {"y", "factor"},
        lazy.keep: set(),
        order.pack: set(),
        order.unpack: set(),
        order.sort_keys: set(),
        fork.fork: {"y"},
        route.route_hard: {"values", "levels"},  # row-major and column-major
        route.route_shares: {"values", "levels", "stand_ins"},
        visits.answer: {"values", "levels"},
        visits.send: set(),
        route.ask_surrogates: {"values"},
        surrogates.agreements: {"w"},
        surrogates.level_sides: {"w"},
        agree.write_bits: set(),
        agree.agreeing: set(),
    }
    for kernel, two in planned.items():
        if not hasattr(kernel, "signatures"):  # without the compiler
            continue
        assert kernel.signatures, f"{kernel} was never called"
        names = inspect.signature(kernel.py_func).parameters
        for name, types in zip(names, zip(*kernel.signatures, strict=True), strict=True):
            assert len(set(types)) <= (2 if name in two else 1), (kernel, name, set(types))


def test_waiting_for_the_compiler_is_counted_once():
    before = jit.compile_seconds()
    with event.trigger_event("numba:compile"):
        with event.trigger_event("numba:compile"):
            time.sleep(0.02)
        inside = jit.compile_seconds()
    gone = jit.compile_seconds() - before
    assert inside == before
    assert gone >= 0.02
    assert jit.compile_seconds() - before == gone
