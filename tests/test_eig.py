"""Expected information gain: closed forms, a slow twin of its score, and what it refuses."""

import json
import math
from pathlib import Path

import naive
import numpy as np
import pandas as pd
import pytest
from data import make_frame, make_xy
from test_growth import mixed_table

from mdtree_nb import MDTreeClassifier, MDTreeRegressor, StrategyNotApplicable, split_table
from mdtree_nb.strategies import Eig, Mean
from mdtree_nb.tree.prepared import Prepared

GOLDEN = json.loads((Path(__file__).parent / "golden" / "golden.json").read_text())["eig"]


# -- the worked example -----------------------------------------------------------


def worked():
    x = np.array([np.nan if v is None else v for v in GOLDEN["x"]])[:, None]
    return x, np.array(GOLDEN["y"])


def gain_at_the_cut(guess, w=None, **options):
    x, y = worked()
    full = x.copy()
    full[6:, 0] = guess
    table = split_table(x, y, Eig("true", full, **options), criterion="entropy", sample_weight=w)
    return float(table["gain"][table["threshold"] == GOLDEN["cut"]].iloc[0])


@pytest.mark.parametrize("name", GOLDEN["imputed"])
def test_the_worked_example(name):
    guess = json.loads(name[name.index("[") :])
    assert gain_at_the_cut(guess) == pytest.approx(GOLDEN["imputed"][name], abs=1e-12)


def test_the_worked_example_with_weights():
    case = GOLDEN["weighted"]
    for reliability in ("root", "node"):
        name = "EIG_root_reliability" if reliability == "root" else "EIG_node_weighted_reliability"
        found = gain_at_the_cut(case["imputed"], case["w"], reliability=reliability)
        assert found == pytest.approx(case[name], abs=1e-12)


def test_one_gain_of_all_rows_sees_swapped_guesses():
    """Left of 3.5 are three of class 0 and one of class 1, or two and two."""

    def entropy(p):
        return -p * math.log2(p) - (1 - p) * math.log2(1 - p)

    all_rows = entropy(5 / 8)
    assert gain_at_the_cut([1.5, 5.5], score="joint") == pytest.approx(
        all_rows - entropy(1 / 4) / 2
    )
    swapped = all_rows - 1 / 2 - entropy(1 / 4) / 2
    assert gain_at_the_cut([5.5, 1.5], score="joint") == pytest.approx(swapped)


def test_what_the_program_of_the_paper_computes():
    x, y = worked()
    for score, name in (
        ("separate", "perfect arm imputes NaN -> score"),
        ("squared", "C4.5 baseline alpha^2*(H_all-H_cond_known)"),
    ):
        table = split_table(x, y, Eig("none", score=score), criterion="entropy")
        found = table["gain"][table["threshold"] == GOLDEN["cut"]].iloc[0]
        assert found == pytest.approx(GOLDEN["repo_bugs"][name], abs=1e-12)


# -- a slow twin ------------------------------------------------------------------


def cost(rows, y, w, criterion):
    """Weight times impurity of pairs of row and share."""
    total = sum(w[r] * s for r, s in rows)
    if total <= 0:
        return 0.0
    if criterion == "squared_error":
        mean = sum(w[r] * s * y[r] for r, s in rows) / total
        return sum(w[r] * s * (y[r] - mean) ** 2 for r, s in rows)
    p = [sum(w[r] * s for r, s in rows if y[r] == c) / total for c in set(y)]
    if criterion == "gini":
        return total * (1 - sum(v * v for v in p))
    return -total * sum(v * math.log2(v) for v in p if v > 0)


def expected(line, X, guess, y, w, names, options, criterion):
    """The score of one line of split_table."""
    f = list(names).index(line["feature"])
    known = [r for r in range(len(y)) if not pd.isna(X[r][f])]
    missing = [r for r in range(len(y)) if pd.isna(X[r][f])]
    if not math.isnan(line["threshold"]):
        sides = [lambda v: v <= line["threshold"], lambda v: v > line["threshold"]]
    elif options["categorical"] == "multiway":
        sides = [lambda v, a=a: v == a for a in sorted({X[r][f] for r in known})]
    else:
        sides = [lambda v: v in line["levels"], lambda v: v not in line["levels"]]
    seen = {X[r][f] for r in known}
    weight = sum(w[r] for r in known)
    parts, guessed = [], []
    for side in sides:
        part = [(r, 1.0) for r in known if side(X[r][f])]
        share = sum(w[r] for r, _ in part) / weight
        its = []
        for r in missing:
            unseen = math.isnan(line["threshold"]) and guess[r][f] not in seen
            if unseen and options["categorical"] != "equality":
                its.append((r, share))
            elif side(guess[r][f]):
                its.append((r, 1.0))
        parts.append(part)
        guessed.append(its)

    def gain(*groups):
        together = [row for group in groups for row in group]
        total = sum(w[r] * s for r, s in together)
        if total <= 0:
            return 0.0, total
        decrease = cost(together, y, w, criterion) - sum(cost(g, y, w, criterion) for g in groups)
        return decrease / total, total

    if options["score"] == "joint":
        return gain(*(a + b for a, b in zip(parts, guessed, strict=True)))[0]
    r = len(known) / len(y) if options["reliability"] == "root" else weight / sum(w)
    r = r if missing else 1.0
    return r * gain(*parts)[0] + (1 - r) * gain(*guessed)[0]


@pytest.mark.parametrize("categorical", ["subset", "equality", "multiway"])
@pytest.mark.parametrize("score", ["separate", "joint"])
@pytest.mark.parametrize("criterion", ["gini", "entropy", "squared_error"])
def test_every_cut_against_the_twin(categorical, score, criterion):
    for seed in range(4):
        classes = 0 if criterion == "squared_error" else 2 + seed % 2
        frame, _, y = mixed_table(seed, 40, classes, levels=6)
        rng = np.random.default_rng(seed)
        full = frame.copy()
        for name in frame:  # guesses on values, between them, and of levels that no row has
            fill = frame[name].dropna().sample(len(frame), replace=True, random_state=seed)
            fill = fill.to_numpy() if name in "cd" else fill.to_numpy() + rng.choice([0, 0.05], 40)
            full[name] = frame[name].where(frame[name].notna(), fill)
        full["c"] = full["c"].cat.add_categories("nowhere")
        full.loc[frame["c"].isna() & (rng.random(40) < 0.4), "c"] = "nowhere"
        w = np.ones(40) if seed < 2 else rng.uniform(0.5, 2, 40)
        options = {"score": score, "reliability": ("root", "node")[seed % 2]}
        table = split_table(
            frame,
            y,
            Eig("true", full, **options),
            criterion=criterion,
            categorical=categorical,
            sample_weight=None if seed < 2 else w,
        )
        options["categorical"] = categorical
        assert len(table) > 20
        for _, line in table.iterrows():
            wanted = expected(
                line, frame.to_numpy(), full.to_numpy(), y, w, frame.columns, options, criterion
            )
            assert line["gain"] == pytest.approx(wanted, abs=1e-9)
        assert table["gain"].is_monotonic_decreasing or table["gain"].diff().max() < 1e-9


def test_the_first_line_of_the_table_is_the_split_of_the_tree():
    for seed in range(4):
        frame, _, y = mixed_table(seed, 90, 3)
        for node in range(3):
            model = MDTreeClassifier(missing=Eig("mean"), max_depth=3).fit(frame, y)
            line = model.split_table(frame, y, node).iloc[0]
            assert line["gain"] == pytest.approx(model.tree_.gain[node])
            assert line["feature"] == frame.columns[model.tree_.feature[node]]


@pytest.mark.parametrize("options", [{}, {"reliability": "node"}, {"score": "joint"}])
@pytest.mark.parametrize("criterion", ["gini", "entropy", "squared_error"])
@pytest.mark.parametrize("mechanism", ["mcar", "mnar", "column"])
def test_both_roads_to_a_split_give_the_same_tree(options, criterion, mechanism):
    """The sweep, and score_table over all cuts."""
    cls = MDTreeRegressor if criterion == "squared_error" else MDTreeClassifier
    task = "regression" if criterion == "squared_error" else "classification"
    listed = type("Listed", (Eig,), {"mode": None, "plain": False, "name": ""})
    for seed in range(4):
        full, _ = make_xy(seed, 120, 4, "complete", task=task, ties=seed % 2 == 0)
        X, y = make_xy(seed, 120, 4, mechanism, 0.3, task, 2 + seed % 2, ties=seed % 2 == 0)
        guess = full + np.random.default_rng(seed).choice([0, 0, 0.5, -2], full.shape)
        guess = np.where(np.isnan(X), guess, X)
        w = None if seed < 2 else np.random.default_rng(seed).uniform(0.5, 2, len(X))
        trees = [
            cls(
                missing=s("true", guess, **options),
                criterion=criterion,
                max_depth=6,
                min_samples_leaf=seed % 3,
                splits=("exact", "observed")[seed % 2],
            )
            .fit(X, y, w)
            .tree_
            for s in (Eig, listed)
        ]
        assert trees[0].n_nodes > 9
        assert naive.same_tree(naive.as_nested(trees[0]), naive.as_nested(trees[1])) is None
        np.testing.assert_allclose(trees[0].value, trees[1].value, atol=1e-9)


# -- what guesses may not do ------------------------------------------------------


def test_guesses_score_and_nothing_else():
    """Without guesses the root is that of fractional cases, and rows are divided as there."""
    for seed in range(3):
        X, y = make_xy(seed, 150, 4, "mcar", rate=0.3)
        model = MDTreeClassifier(missing=Eig("mean", reliability="node")).fit(X, y)
        again = MDTreeClassifier.from_tree(model.tree_, X, y, missing="fractional")
        np.testing.assert_allclose(model.tree_.weight, again.tree_.weight)
        np.testing.assert_allclose(model.tree_.value, again.tree_.value)
        np.testing.assert_allclose(model.predict_proba(X), again.predict_proba(X))
    one = split_table(X, y, Eig("none", reliability="node"))
    other = split_table(X, y, "fractional")
    np.testing.assert_allclose(one["gain"], other["gain"])
    assert (one["test"] == other["test"]).all()


def test_a_complete_column_is_scored_by_its_gain():
    x, y = worked()
    X = np.column_stack([x, np.arange(8.0)])
    for strategy in (Eig("mean"), Eig("mean", reliability="node"), Eig("mean", score="joint")):
        one = split_table(X, y, strategy, feature=1)
        np.testing.assert_allclose(one["gain"], split_table(X, y, "fractional", feature=1)["gain"])
    low = split_table(X[:, 1:], y, Eig("mean", reliability="fixed"))
    np.testing.assert_allclose(low["gain"], split_table(X[:, 1:], y, "fractional")["gain"])


def test_doubled_shares():
    """(W_L + W_nan) / (W_L + W_R + 2 W_nan), in training and in prediction."""
    x, y = worked()
    tree = MDTreeClassifier(missing=Eig("none", shares="doubled"), max_depth=1).fit(x, y)
    left, right = tree.tree_.share[1:] * 6
    wanted = np.array([left + 2, right + 2]) / 10
    np.testing.assert_allclose(tree.missing_shares_[1:], wanted)
    np.testing.assert_allclose(tree.tree_.weight[1:], [left + 2 * wanted[0], right + 2 * wanted[1]])
    own = [tree.tree_.value[1, 0], tree.tree_.value[2, 0]]
    assert tree.predict_proba([[np.nan]])[0, 0] == pytest.approx(wanted @ own)


# -- finding the true values ------------------------------------------------------


def punched(seed=0):
    full, y = make_frame(seed, 60)
    full = full.ffill().bfill()
    holes = np.random.default_rng(seed).random(full.shape) < 0.25
    return full, full.mask(holes), y


def test_rows_are_found_by_their_labels():
    full, X, y = punched()
    model = MDTreeClassifier(missing=Eig("true", full)).fit(X, y)
    order = np.random.default_rng(0).permutation(60)
    shuffled = Eig("true", full.iloc[order][list(full.columns[::-1])])
    assert model.tree_ == MDTreeClassifier(missing=shuffled).fit(X, y).tree_
    part = order[:40]
    one = MDTreeClassifier(missing=Eig("true", full)).fit(X.iloc[part], y[part]).tree_
    other = MDTreeClassifier(missing=Eig("true", full.iloc[part])).fit(X.iloc[part], y[part]).tree_
    assert one == other
    w = np.ones(60)
    w[::3] = 0
    some = w > 0
    one = MDTreeClassifier(missing=Eig("true", full)).fit(X, y, w).tree_
    assert one == MDTreeClassifier(missing=Eig("true", full)).fit(X[some], y[some]).tree_


def test_rows_of_arrays_are_found_by_number_or_by_what_they_know():
    full, _ = make_xy(0, 80, 4, "complete")
    X, y = make_xy(0, 80, 4, "mcar")
    X = np.where(np.isnan(X), np.nan, full)
    part = np.flatnonzero((~np.isnan(X)).any(axis=1))[::2]
    one = MDTreeClassifier(missing=Eig("true", full)).fit(X[part], y[part])
    other = MDTreeClassifier(missing=Eig("true", full[part])).fit(X[part], y[part])
    assert one.tree_ == other.tree_
    assert one.split_table(X[part], y[part]).equals(other.split_table(X[part], y[part]))
    X[part[3]] = np.nan
    with pytest.raises(ValueError, match="80 rows that agree with what row 3 .* DataFrames"):
        one.fit(X[part], y[part])


def test_complete_tables_that_do_not_fit():
    full, X, y = punched()

    def fit(complete, X=X):
        MDTreeClassifier(missing=Eig("true", complete)).fit(X, y)

    with pytest.raises(ValueError, match="complete has 5 columns, and the training table 6"):
        fit(full.iloc[:, :5])
    with pytest.raises(ValueError, match="complete has no row 50 of the training table"):
        fit(full.iloc[:50])
    wrong = full.copy()
    row = X.index[X["a"].notna()][4]
    wrong.loc[row, "a"] += 1
    with pytest.raises(
        ValueError, match=f"contradicts row {row} .* column 'a', whose value is kno"
    ):
        fit(wrong)
    with pytest.raises(ValueError, match=r"complete misses values of column 'a', too"):
        fit(X)
    with pytest.raises(ValueError, match="two rows of one label"):
        fit(pd.concat([full, full]))
    numbers = make_xy(1, 60, 6, "complete")[0]
    with pytest.raises(ValueError, match="no row that agrees with row 0"):
        MDTreeClassifier(missing=Eig("true", numbers + 1)).fit(
            np.where(numbers > 2, np.nan, numbers), y
        )
    with pytest.raises(ValueError, match="Expected 2D array|2 dim|1D"):
        MDTreeClassifier(missing=Eig("true", numbers[0])).fit(
            np.where(numbers > 2, np.nan, numbers), y
        )


# -- other imputers, and awkward tables -------------------------------------------


class Several(Mean):
    """Three fillings: the mean, and one of three levels or numbers above it."""

    name = ""

    def prepare(self, table, y, w, rng):
        filled = super().prepare(table, y, w, rng).tables[0]
        tables = []
        for shift in (0, 0, 1):
            values = np.where(np.isnan(table.values), filled.values + shift, table.values)
            tables.append(table.replace(np.asfortranarray(values)))
        return Prepared(tables)


def test_several_fillings_are_one_guess():
    frame, y = make_frame(0)
    table = MDTreeClassifier()._read_training(frame, y, None).table
    mean = Eig("mean").guess(table, y, None, np.random.RandomState(0)).values
    found = Eig(Several()).guess(table, y, None, np.random.RandomState(0)).values
    holes = np.isnan(table.values)
    wanted = np.where(table.schema.is_category, mean, mean + 1 / 3)
    np.testing.assert_allclose(found[holes], wanted[holes])


@pytest.mark.parametrize("imputer", ["left", "fractional", "discard", "surrogate"])
def test_imputers_that_fill_nothing_in(imputer):
    X, y = make_xy(0)
    with pytest.raises(ValueError, match=f"imputer={imputer!r} does not fill in"):
        MDTreeClassifier(missing=Eig(imputer)).fit(X, y)


def test_imputers_that_do_not_apply():
    X, y = make_xy(0)
    X[np.isfinite(X[:, 0]).argmax(), 0] = np.inf
    with pytest.raises(StrategyNotApplicable, match="missing='eig' cannot use imputer='mean' here"):
        MDTreeClassifier(missing=Eig("mean")).fit(X, y)
    MDTreeClassifier(missing=Eig("none")).fit(X, y)


def test_parameters_that_make_no_sense():
    X, y = make_xy(0)
    for options, message in (
        ({"imputer": "nothing"}, "imputer='nothing' is not a known strategy"),
        ({"imputer": 3}, "imputer=3 must be the name"),
        ({"imputer": "eig"}, "imputer='eig' fills nothing in"),
        ({"imputer": "true"}, "imputer='true' needs the true values; pass complete="),
        ({"score": "both"}, "score='both' must be one of 'separate', 'joint', 'squared'"),
        ({"reliability": 0.5}, "reliability=0.5 must be one of 'root', 'node', 'fixed'"),
        ({"shares": None}, "shares=None must be one of"),
        ({"min_share": 1}, "min_share=1 of missing='eig'"),
    ):
        with pytest.raises((ValueError, TypeError), match=message):
            MDTreeClassifier(missing=Eig(**options)).fit(X, y)


def test_absolute_error_is_refused():
    X, y = make_xy(0, task="regression")
    with pytest.raises(StrategyNotApplicable, match="criterion='absolute_error' cannot score"):
        MDTreeRegressor(missing=Eig("mean"), criterion="absolute_error").fit(X, y)


@pytest.mark.parametrize("score", ["separate", "joint"])
@pytest.mark.parametrize("criterion", ["gini", "entropy", "gain_ratio"])
def test_awkward_tables(score, criterion):
    """One level, whole numbers, huge ranges, a column without any value."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "one": pd.Categorical(["a"] * 40, categories=["a", "b"]),
            "whole": pd.array(rng.integers(0, 3, 40), dtype="Int64"),
            "huge": rng.choice([-1e308, 1.0, 1e-300, 1e308], 40),
            "empty": np.full(40, np.nan),
            "x": rng.normal(size=40),
        }
    )
    y = (rng.random(40) < 0.5).astype(int)
    frame[["one", "whole", "huge", "x"]] = frame[["one", "whole", "huge", "x"]].mask(
        rng.random((40, 4)) < 0.3
    )
    model = MDTreeClassifier(missing=Eig("mean", score=score), criterion=criterion).fit(frame, y)
    assert np.isfinite(model.tree_.gain).all()
    assert not np.isin(model.tree_.feature, [0, 3]).any()
    assert (model.predict_proba(frame).sum(axis=1) > 1 - 1e-9).all()
