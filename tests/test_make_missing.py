"""make_missing: numbers computed elsewhere, laws of the mechanisms, and refusals."""

import re
import sys
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import mannwhitneyu, norm

import mdtree_nb as md
from mdtree_nb import make_missing
from mdtree_nb.missingness import Censor, Logistic, all_methods, methods, scenario
from mdtree_nb.missingness.associations import Associations
from mdtree_nb.missingness.cells import Cells
from mdtree_nb.missingness.draw import bend, count_of, draw, intercept, positions

IRIS, WINE = md.load("iris"), md.load("wine")
COMBINATIONS = [(m, n) for n, cls in all_methods().items() for m in cls.mechanisms]
BY_COLUMN = [n for n, cls in all_methods().items() if cls.driven == "by column"]


def table(n=400, seed=0):
    """Four related numbers."""
    rng = np.random.default_rng(seed)
    a = rng.normal(size=n)
    values = {"a": a, "b": a + rng.normal(size=n), "c": rng.normal(size=n), "d": rng.normal(size=n)}
    return pd.DataFrame(values)


def made(X, **options):
    return make_missing(X, **({"random_state": 0} | options))


def new(result):
    return np.asarray(result.new_mask)


# ---- numbers computed elsewhere


def test_associations_of_iris():
    found = Associations(Cells(IRIS.X), IRIS.y)
    got = [found.with_target(j) for j in range(4)]
    np.testing.assert_allclose(got, [0.787, 0.633, 0.970, 0.964], atol=5e-4)
    r = np.abs(np.corrcoef(IRIS.X.to_numpy().T))
    np.testing.assert_allclose([[found.between(i, j) for j in range(4)] for i in range(4)], r)


def test_associations_of_other_types():
    two = pd.DataFrame({"u": list("aabb") * 25, "v": list("xyxx") * 25, "n": [1.0, 2, 3, 5] * 25})
    found = Associations(Cells(two))
    u, v, n = (two["u"] == "a"), (two["v"] == "x"), two["n"]
    assert found.between(0, 1) == pytest.approx(abs(np.corrcoef(u, v)[0, 1]))  # V of 2 x 2 is phi
    assert found.between(0, 2) == pytest.approx(abs(np.corrcoef(u, n)[0, 1]))  # eta of 2 groups
    sizes = pd.Categorical(["S", "M", "L", "M"] * 25, ["S", "M", "L"], ordered=True)
    ordered = Associations(Cells(two.assign(s=sizes)))
    ranks = pd.Series(sizes.codes).corr(n.rank())
    assert ordered.between(3, 2) == pytest.approx(
        abs(np.corrcoef(pd.Series(sizes.codes).rank(), n)[0, 1])
    )
    assert ranks == pytest.approx(ordered.between(3, 2), abs=0.2)
    assert found.between(0, 0) == pytest.approx(1)


PAIRS = [
    # scenario, rate, columns that lose values with their drivers, counts, share of all cells
    ("MARuniva", 0.15, {2: 3}, [23], None),
    ("MARuniva", 0.30, {2: 3}, [45], None),
    ("MARuniva", 0.50, {2: 3}, [75], None),
    ("MARunifo", 0.15, {2: 3, 0: 1}, [45, 45], 0.15),
    ("IMunifo", 0.15, {2: 2, 0: 0}, [45, 45], 0.15),
]


@pytest.mark.parametrize("name, rate, drivers, counts, share", PAIRS)
def test_pairs_of_iris(name, rate, drivers, counts, share):
    X = IRIS.X.to_numpy()
    result = scenario(name, rate, random_state=0).make(X, IRIS.y)
    assert result.drivers == {j: [k] for j, k in drivers.items()}
    assert list(result.describe()["new"]) == counts
    if share:
        assert result.realised["cell"] == share
    for j, k in drivers.items():
        gone = new(result)[:, j]
        assert X[gone, k].max() <= X[~gone, k].min()


@pytest.mark.parametrize("rate, pair, trio, cells", [(0.15, 53, 40, 345), (0.30, 107, 80, 695)])
def test_pairs_of_wine(rate, pair, trio, cells):
    result = scenario("MARunifo", rate, random_state=0).make(WINE.X.to_numpy(), WINE.y)
    drivers = {6: [5], 12: [4], 0: [4], 11: [10], 3: [2], 8: [7], 9: [1]}
    assert result.drivers == drivers
    wanted = [trio if j in (0, 12) else pair for j in drivers]
    assert list(result.describe()["new"]) == wanted
    assert new(result).sum() == cells
    for rate, count in [(0.15, 27), (0.3, 53), (0.5, 89)]:
        one = scenario("MARuniva", rate, random_state=0).make(WINE.X.to_numpy(), WINE.y)
        assert one.drivers == {6: [5]}
        assert new(one).sum() == count


def test_pairs_at_half_of_all_cells():
    X, y = IRIS.X.to_numpy(), IRIS.y
    capped = scenario("MARunifo", 0.5, random_state=0).make(X, y)
    assert list(new(capped).sum(axis=0)) == [149, 0, 149, 0]
    with pytest.raises(ValueError, match="on_full='cap' or 'swap'"):
        scenario("MARunifo", 0.5, on_full="error").make(X, y)
    swapped = new(scenario("MARunifo", 0.5, on_full="swap", random_state=0).make(X, y))
    assert list(swapped.sum(axis=0)) == [75] * 4
    assert not (swapped[:, 2] & swapped[:, 3]).any(), "the driver of a row stays"
    with pytest.raises(ValueError, match=r"this pattern reaches 0\.5"):
        scenario("MARunifo", 0.6).make(X, y)
    with pytest.raises(ValueError, match=r"reaches 0\.07692"):
        scenario("MARuniva", 0.3, rate_of="cell").make(WINE.X, WINE.y)


INTERCEPTS = {
    "right": (-3.3715, -2.0478, -1.0184, 0, 2.5642),
    "left": (-3.3715, -2.0478, -1.0184, 0, 2.5642),
    "mid": (-3.0350, -1.8009, -0.8741, 0.0332, 2.3985),
    "tail": (-3.1769, -1.9085, -0.9530, -0.0332, 2.2758),
}


@pytest.mark.parametrize("side", INTERCEPTS)
def test_intercepts_of_normal_scores(side):
    z = norm.ppf((np.arange(100_000) + 0.5) / 100_000)
    scores = bend(z, side)
    for share, b in zip((0.05, 0.15, 0.3, 0.5, 0.9), INTERCEPTS[side], strict=True):
        found = intercept(scores, share)
        assert found == pytest.approx(b, abs=5e-4)
        p = 1 / (1 + np.exp(-scores - found))
        assert p.mean() == pytest.approx(share, abs=1e-12)
        if side == "right":
            expected = {0.15: (0.7513, -0.1326), 0.5: (0.4132, -0.4132)}.get(share)
            if expected:
                got = (p @ z / p.sum(), (1 - p) @ z / (1 - p).sum())
                assert got == pytest.approx(expected, abs=1e-3)


def test_intercept_of_scores_with_far_outliers():
    scores = np.r_[np.zeros(98), 500.0, -500.0]
    for share in (0.011, 0.5, 0.985):
        b = intercept(scores, share)
        assert (1 / (1 + np.exp(-(scores + b)))).mean() == pytest.approx(share, abs=1e-9)


def test_odds_of_groups():
    x = pd.DataFrame({"t": np.zeros(20), "d": np.arange(20.0)})
    two = made(x, mechanism="MAR", method="quantile_odds", odds=(1, 3), rate=0.4, columns="t")
    assert [new(two)[:10, 0].sum(), new(two)[10:, 0].sum()] == [2, 6]
    X = table(1000)
    for rate, chances in [(0.15, (0.06, 0.12, 0.18, 0.24)), (0.5, (0.2, 0.4, 0.6, 0.8))]:
        options = {"mechanism": "MNAR", "method": "quantile_odds", "odds": (1, 2, 3, 4)}
        result = made(X, rate=rate, columns="c", **options)
        by_group = new(result)[np.argsort(X["c"].to_numpy()), 2].reshape(4, 250).mean(axis=1)
        np.testing.assert_allclose(by_group, chances, atol=1 / 250)
    five = made(X, mechanism="MNAR", method="quantile_odds", rate=0.3, columns="c")
    assert sorted(set(np.round(five.probs["c"], 9))) == [0.1, 0.2, 0.3, 0.4, 0.5]
    with pytest.warns(UserWarning, match="1 of 2 groups lose all"):
        full = made(x, mechanism="MAR", method="quantile_odds", odds=(1, 3), rate=0.9, columns="t")
    assert [new(full)[:10, 0].sum(), new(full)[10:, 0].sum()] == [8, 10]
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # odds of 1.25 are the most that 90 % allow
        made(
            table(), mechanism="MNAR", method="quantile_odds", odds=(1, 1.25), rate=0.9, columns="c"
        )
    with pytest.raises(ValueError, match=r"at most 0\.5"):
        made(x, mechanism="MAR", method="quantile_odds", odds=(0, 1), rate=0.6, columns="t")


@pytest.mark.parametrize("rate, fraction", [(0.15, 0.66), (0.5, 0.62)])
def test_rank_is_a_draw_without_replacement(rate, fraction):
    X = table(20_000)
    gone = new(made(X, mechanism="MNAR", method="rank", rate=rate, columns="c"))[:, 2]
    ranks = X["c"].rank() / len(X)
    assert gone.sum() == rate * len(X)
    assert ranks[gone].mean() == pytest.approx(fraction, abs=0.01)
    rng = np.random.default_rng(0)
    drawn = rng.choice(len(X), gone.sum(), replace=False, p=ranks / ranks.sum())
    assert ranks[gone].mean() == pytest.approx(ranks.to_numpy()[drawn].mean(), abs=0.008)


def test_ampute_converts_cells_to_rows_exactly():
    X = table(2000)
    patterns = [["a"], ["b", "c", "d"]]
    options = {"mechanism": "MAR", "method": "ampute", "patterns": patterns}
    result = made(X, rate=0.1, rate_of="cell", frequencies=(0.5, 0.5), **options)
    assert result.realised["row"] == pytest.approx(0.2, abs=1e-9)
    assert result.realised["cell"] == pytest.approx(0.1, abs=0.005)
    mask = new(result)
    assert (mask[:, 1] == mask[:, 2]).all()
    assert not (mask[:, 0] & mask[:, 1]).any()
    with pytest.raises(ValueError, match=r"these patterns reach 0\.5"):
        made(X, rate=0.51, rate_of="cell", **options)


@pytest.mark.parametrize("mechanism, rises", [("MAR", ["b", "c", "d"]), ("MNAR", ["a"])])
def test_ampute_looks_at_what_it_should(mechanism, rises):
    X = table(4000)
    result = made(X, mechanism=mechanism, method="ampute", patterns=[["a"]], rate=0.3)
    gone = new(result)[:, 0]
    score = (X[rises] / X[rises].std()).sum(axis=1)
    auc = mannwhitneyu(score[gone], score[~gone]).statistic / gone.sum() / (~gone).sum()
    assert auc == pytest.approx(0.741, abs=0.03)
    one = {"weights": {"d": -2.0}} if mechanism == "MAR" else {"side": "left"}
    other = made(X, mechanism=mechanism, method="ampute", patterns=[["a"]], rate=0.3, **one)
    driver = X["d" if mechanism == "MAR" else "a"]
    assert driver[new(other)[:, 0]].mean() < driver[~new(other)[:, 0]].mean() - 0.5
    groups = made(
        X, mechanism=mechanism, method="ampute", patterns=[["a"]], rate=0.3, odds=(0, 0, 1)
    )
    assert score[new(groups)[:, 0]].min() >= np.quantile(score, 0.66)


def test_penguins_of_lesson_ten():
    mass = md.load("penguins").X[["flipper_length_mm", "body_mass_g"]].dropna()
    options = {"rate": 0.3, "columns": "body_mass_g", "method": "censor"}
    means = {
        "MNAR": made(mass, mechanism="MNAR", **options).X["body_mass_g"].mean(),
        "MAR": made(mass, mechanism="MAR", **options, ties="stable").X["body_mass_g"].mean(),
    }
    assert mass["body_mass_g"].mean() == pytest.approx(4201.8, abs=0.05)
    assert means["MNAR"] == pytest.approx(4572.6, abs=0.05)
    assert means["MAR"] == pytest.approx(4485, abs=0.5)


# ---- counts


def test_halves_round_up():
    assert [count_of(n, 0.5) for n in (1, 3, 5, 4)] == [1, 2, 3, 2]
    assert [count_of(150, q) for q in (0.15, 0.3, 0.5)] == [23, 45, 75]


@pytest.mark.parametrize("mechanism, method", COMBINATIONS)
@pytest.mark.parametrize("rate", [0.05, 0.3, 0.45])
def test_the_rate_is_reached(mechanism, method, rate):
    X, y = table(2000), (table(2000)["a"] > 0).astype(int)
    result = make_missing(X, y, mechanism=mechanism, method=method, rate=rate, random_state=1)
    independent = method == "bernoulli" or (mechanism, method) == ("MCAR", "pairs")
    error = 5 * np.sqrt(rate * (1 - rate) / X.size) if independent else 1 / len(X)
    lacking = result.params["not_made_up"]  # where nothing but a threshold decides
    assert lacking == 0 or (mechanism == "MNAR" and method in ("censor", "window"))
    error += lacking / X.size
    assert result.realised[result.params["rate_of"]] == pytest.approx(rate, abs=error)
    if not independent:
        assert result.probs.to_numpy().sum() == pytest.approx(new(result).sum(), abs=8 + lacking)
    assert (new(result) <= (result.probs.to_numpy() > 0)).all()


def test_exact_counts_of_cells_and_columns():
    X = np.zeros((50, 7))
    by_column = new(made(X, method="exact", rate=0.25))
    assert list(by_column.sum(axis=0)) == [13] * 7
    by_cell = new(made(X, method="exact", rate=0.25, rate_of="cell"))
    assert by_cell.sum() == 88
    assert len(set(by_cell.sum(axis=0))) > 1
    few = new(made(X, method="exact", rate=0.1, rate_of="cell", columns=[1, 2]))
    assert few[:, 1:3].sum() == few.sum() == 35


def test_bernoulli_varies_as_a_binomial():
    counts = [
        new(made(np.zeros((40, 5)), method="bernoulli", rate=0.3, random_state=s)).sum()
        for s in range(300)
    ]
    assert np.mean(counts) == pytest.approx(60, abs=4 * np.sqrt(42 / 300))
    assert np.var(counts) == pytest.approx(42, rel=0.3)


def test_draws_have_their_chances():
    rng = np.random.default_rng(0)
    chance = np.array([0.1, 0.9, 0.5, 0.25, 0.25, 1.0, 0.0])
    drawn = np.array([draw(chance, rng, exact=True) for _ in range(4000)])
    assert (drawn.sum(axis=1) == 3).all()
    np.testing.assert_allclose(drawn.mean(axis=0), chance, atol=0.03)
    chance, strata = np.repeat([0.2, 0.6], 10), np.repeat([0, 1], 10)
    for _ in range(20):
        grouped = draw(chance, rng, exact=True, strata=strata)
        assert [grouped[:10].sum(), grouped[10:].sum()] == [2, 6]


def test_positions_break_ties_as_asked():
    values = np.array([2.0, 1, 2, 1, 2])
    rng = np.random.default_rng(0)
    stable = positions(values, rng, random_ties=False)
    assert list(stable * 5 - 0.5) == [2, 0, 3, 1, 4]
    seen = {tuple(positions(values, rng, random_ties=True)) for _ in range(200)}
    assert len(seen) == 12, "2! x 3! orders"
    later = positions(np.array([0.0, 1, 1.5, 3]), rng, random_ties=True, reference=np.sort(values))
    assert later[0] == 0.1
    assert 0.1 <= later[1] <= 0.4
    assert later[2] == 0.4
    assert later[3] == 0.9


# ---- laws of the mechanisms


@pytest.mark.parametrize("method", BY_COLUMN)
@pytest.mark.parametrize("mechanism", ["MAR", "MNAR"])
def test_permuting_the_target_moves_mnar_only(mechanism, method):
    X = table()
    other = X.assign(b=np.random.default_rng(5).permutation(X["b"].to_numpy()))
    options = {"mechanism": mechanism, "method": method, "rate": 0.3, "columns": "b"}
    options |= {"drivers": "a"} if mechanism == "MAR" else {}
    same = (new(made(X, **options)) == new(made(other, **options))).all()
    assert same == (mechanism == "MAR")


@pytest.mark.parametrize("method", [n for n, c in all_methods().items() if "MCAR" in c.mechanisms])
def test_mcar_does_not_look_at_values(method):
    X = table()
    rng = np.random.default_rng(5)
    other = X.apply(lambda column: rng.permutation(column.to_numpy()))
    y = np.arange(len(X)) % 2
    one, two = (make_missing(Z, y, method=method, rate=0.3, random_state=0) for Z in (X, other))
    assert (new(one) == new(two)).all()
    gone = new(one)
    for j in range(4):
        for k in np.flatnonzero(gone.any(axis=0)):
            n1, n0 = gone[:, k].sum(), (~gone[:, k]).sum()
            x = X.iloc[:, j]
            auc = mannwhitneyu(x[gone[:, k]], x[~gone[:, k]]).statistic / n1 / n0
            assert abs(auc - 0.5) <= 4 * np.sqrt((n1 + n0 + 1) / (12 * n1 * n0))


@pytest.mark.parametrize("method", [*BY_COLUMN, "pairs"])
def test_drivers_of_mar_stay_complete(method):
    X, y = table(), np.arange(400) % 2
    result = make_missing(X, y, mechanism="MAR", method=method, rate=0.3, random_state=3)
    driving = {k for its in result.drivers.values() for k in its}
    assert driving
    assert not result.mask[sorted(driving)].to_numpy().any()
    assert set(result.drivers) == {c for c in X if result.mask[c].any()}


@pytest.mark.parametrize("mechanism", ["MCAR", "MAR", "MNAR"])
def test_dropout_is_monotone(mechanism):
    X = table(1000)
    options = {"mechanism": mechanism, "method": "dropout", "rate": 0.4}
    result = made(X, **options, columns=["d", "c", "b", "a"], gone=(0.25, 0.5, 1))
    mask = result.mask[["d", "c", "b", "a"]].to_numpy()
    assert (np.diff(mask.astype(int), axis=1) >= 0).all(), "sets are nested"
    assert list(mask.sum(axis=0)) == [0, 100, 200, 400]
    assert (np.diff(result.probs[["c", "b", "a"]].to_numpy(), axis=1) >= 0).all()
    drivers = {"MCAR": [[], [], []], "MAR": [["d"], ["c"], ["b"]], "MNAR": [["c"], ["b"], ["a"]]}
    assert list(result.drivers.values()) == drivers[mechanism]
    if mechanism != "MCAR":
        first = X[drivers[mechanism][0][0]]
        assert first[mask[:, 1]].mean() > first[~mask[:, 1]].mean() + 0.4
    assert new(made(X, **options)).sum(axis=0).tolist() == [0, 133, 267, 400]
    cells = made(X, **(options | {"rate": 0.2}), rate_of="cell")
    assert cells.realised["cell"] == pytest.approx(0.2, abs=1e-3)
    with pytest.raises(ValueError, match=r"these columns reach 0\.5"):
        made(X, **(options | {"rate": 0.6}), rate_of="cell")


@pytest.mark.parametrize("side, low, high", [("lower", 0, 30), ("upper", 70, 100)])
def test_censoring(side, low, high):
    X = pd.DataFrame({"t": np.arange(100.0), "u": 0.0})
    result = made(X, mechanism="MNAR", method=Censor(side), rate=0.3, columns="t")
    assert (np.flatnonzero(new(result)[:, 0]) == np.arange(low, high)).all()
    flipped = made(-X, mechanism="MNAR", method=Censor(side), rate=0.3, columns="t")
    assert (new(flipped)[:, 0] == new(result)[::-1, 0]).all()
    both = made(X, mechanism="MNAR", method="censor", side="both", rate=0.05, columns="t")
    assert list(np.flatnonzero(new(both)[:, 0])) == [0, 1, 2, 98, 99]


def test_window_takes_neighbours():
    X = pd.DataFrame({"t": np.random.default_rng(0).permutation(np.arange(100.0)), "u": 0.0})
    starts = set()
    for seed in range(20):
        gone = new(
            made(X, mechanism="MNAR", method="window", rate=0.3, columns="t", random_state=seed)
        )[:, 0]
        values = np.sort(X["t"][gone])
        assert len(values) == 30
        assert (np.diff(values) == 1).all()
        starts.add(values[0])
    assert len(starts) > 10


def test_logistic_sides_weights_and_steepness():
    X = table(4000)
    options = {"mechanism": "MAR", "rate": 0.3, "columns": "d", "drivers": ["a", "c"]}
    for side, sign in [("right", 1), ("left", -1)]:
        gone = new(made(X, method="logistic", side=side, **options))[:, 3]
        assert sign * (X["a"][gone].mean() - X["a"][~gone].mean()) > 0.3
    tails = {
        side: X["a"][new(made(X, method="logistic", side=side, **options))[:, 3]].std()
        for side in ("mid", "tail")
    }
    assert tails["mid"] < 0.95 < 1.05 < tails["tail"]
    only_c = new(made(X, method=Logistic(weights=(0, 1), steepness=50), **options))[:, 3]
    assert X["c"][only_c].min() > X["c"][~only_c].max() - 0.2
    flat = made(X, method="logistic", steepness=0, **options)
    assert set(np.round(flat.probs["d"], 12)) == {0.3}
    draws = {
        np.sign(
            X["a"][
                new(
                    made(
                        X,
                        method="logistic",
                        weights="random",
                        mechanism="MAR",
                        rate=0.3,
                        columns="d",
                        drivers="a",
                        random_state=s,
                    )
                )[:, 3]
            ].mean()
        )
        for s in range(8)
    }
    assert draws == {-1, 1}


# ---- containers, dtypes, guards


def mixed(n=60):
    """A frame with every kind of column, in a shuffled index."""
    rng = np.random.default_rng(0)
    return pd.DataFrame(
        {
            "float": rng.normal(size=n),
            "small": rng.normal(size=n).astype(np.float32),
            "int": rng.integers(0, 9, n),
            "big": rng.integers(2**60, 2**61, n),
            "byte": rng.integers(0, 9, n).astype(np.uint8),
            "bool": rng.random(n) < 0.5,
            "text": rng.choice(["u", "v"], n),
            "object": pd.Series(rng.choice(["u", "v"], n), dtype=object),
            "category": pd.Categorical(rng.choice(["p", "q"], n), ["q", "p", "never"]),
            "ordered": pd.Categorical(rng.choice(["S", "L"], n), ["S", "L"], ordered=True),
            "nullable": pd.array(rng.integers(0, 9, n), dtype="Int64"),
            "date": pd.Timestamp("2020-01-01") + pd.to_timedelta(rng.integers(0, 9, n), "D"),
        },
        index=rng.permutation(n),
    )


@pytest.mark.parametrize("mechanism, method", COMBINATIONS)
def test_dtypes_index_and_values_stay(mechanism, method):
    X = mixed()
    before, y = X.copy(deep=True), np.arange(60) % 2
    columns = None if mechanism == "MCAR" else ["float", "int", "category", "ordered"]
    order = {"category": ["q", "p"], "text": ["u", "v"], "object": ["u", "v"]}
    result = make_missing(
        X,
        y,
        mechanism=mechanism,
        method=method,
        rate=0.3,
        columns=columns,
        order=order,
        random_state=0,
    )
    pd.testing.assert_frame_equal(X, before)
    assert result.X.index.equals(X.index)
    assert list(result.X) == list(X)
    assert (result.X.isna().to_numpy() == result.mask.to_numpy()).all()
    wider = {"int": "Int64", "big": "Int64", "byte": "UInt8", "bool": "boolean"}
    for name in X:
        column, holes = result.X[name], new(result)[:, list(X).index(name)]
        assert column.dtype == (wider.get(name, X[name].dtype) if holes.any() else X[name].dtype)
        assert (column[~holes].astype(X[name].dtype) == X[name][~holes]).all()


@settings(max_examples=60, deadline=None)
@given(
    data=st.data(),
    n=st.integers(2, 30),
    p=st.integers(2, 5),
    rate=st.floats(0, 0.49),
    existing=st.floats(0, 0.4),
    seed=st.integers(0, 2**20),
    combination=st.sampled_from(COMBINATIONS),
    count_existing=st.booleans(),
)
def test_any_table(data, n, p, rate, existing, seed, combination, count_existing):
    """Input untouched, values kept, rows and columns keep one, same seed same holes."""
    rng = np.random.default_rng(seed)
    mechanism, method = combination
    kinds = data.draw(st.lists(st.sampled_from(["f", "i", "b", "c", "t"]), min_size=p, max_size=p))
    makers = {
        "f": lambda: np.where(rng.random(n) < existing, np.nan, np.round(rng.normal(size=n), 1)),
        "i": lambda: rng.integers(0, 4, n),
        "b": lambda: rng.random(n) < 0.5,
        "c": lambda: pd.Categorical(rng.choice(["a", "b"], n)),
        "t": lambda: rng.choice(["x", "y", "z"], n),
    }
    X = pd.DataFrame({f"{kind}{j}": makers[kind]() for j, kind in enumerate(kinds)})
    before = X.copy(deep=True)
    options = {
        "mechanism": mechanism,
        "method": method,
        "rate": rate,
        "random_state": seed,
        "order": "frequency",
        "count_existing": count_existing,
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        try:
            result = make_missing(X, np.arange(n) % 2, **options)
        except ValueError as error:
            refused = str(error)  # small tables may well have no driver, or be full
        else:
            refused = ""
        if refused:
            assert len(refused) > 20
            pd.testing.assert_frame_equal(X, before)
            return
        again = make_missing(X, np.arange(n) % 2, **options)
    pd.testing.assert_frame_equal(X, before)
    mask = result.mask.to_numpy()
    assert (mask == (X.isna().to_numpy() | new(result))).all()
    assert not (X.isna().to_numpy() & new(result)).any()
    assert (mask == again.mask.to_numpy()).all()
    assert (~mask).any(axis=1)[~X.isna().all(axis=1)].all()
    assert (~mask).any(axis=0)[~X.isna().all(axis=0).to_numpy()].all()
    chances = result.probs.to_numpy()
    assert ((chances >= 0) & (chances <= 1)).all()


def test_masked_cells_are_holes():
    X = np.ma.array([[1.0, 2.0], [3.0, 4.0]], mask=[[0, 1], [0, 0]])
    np.testing.assert_array_equal(Cells(X).holes, X.mask)


def test_arrays_and_other_containers():
    X = np.arange(40.0).reshape(10, 4)
    result = made(X, rate=0.3)
    assert isinstance(result.X, np.ndarray)
    assert isinstance(result.mask, np.ndarray)
    assert (np.isnan(result.X) == result.mask).all()
    assert made(X.astype(np.float32), rate=0.3).X.dtype == np.float32
    assert made(X.astype(int), rate=0.3).X.dtype == np.float64
    assert made(X.tolist(), rate=0.3).X.shape == X.shape
    words = made([["a", "b"]] * 10, rate=0.3).X
    assert words.dtype == object
    assert pd.isna(words).sum() == 6
    assert made(np.asfortranarray(X), rate=0.3).X.flags.f_contiguous


@pytest.mark.parametrize("mechanism, method", COMBINATIONS)
def test_nothing_is_a_copy(mechanism, method):
    X = mixed()
    result = make_missing(X, mechanism=mechanism, method=method, rate=0)
    pd.testing.assert_frame_equal(result.X, X)
    assert result.X is not X
    assert not result.new_mask.to_numpy().any()
    assert result.realised == {"column": 0, "cell": 0, "row": 0}


def test_existing_holes_count_or_not():
    X = table(200)
    X.loc[:49, "a"] = np.nan
    fresh = made(X, rate=0.4, columns="a")
    assert new(fresh).sum() == 60, "of 150 known values"
    assert fresh.realised["column"] == pytest.approx(0.4)
    total = made(X, rate=0.4, columns="a", count_existing=True)
    assert new(total).sum() == 30, "80 of 200 in all"
    assert total.realised["column"] == pytest.approx(0.4)
    assert new(made(X, rate=0.2, columns="a", count_existing=True)).sum() == 0, "there are more"
    rows = made(
        X, rate=0.4, mechanism="MAR", method="ampute", patterns=[["b"]], count_existing=True
    )
    assert rows.mask.any(axis=1).sum() == 80
    assert made(X, mechanism="MAR", rate=0.4, columns="b", drivers="a").params[
        "drivers_with_holes"
    ] == ["a"]


def test_rows_and_columns_keep_a_value():
    X = np.zeros((200, 2))
    half = made(X, rate=0.5)
    assert list(new(half).sum(axis=0)) == [100, 100], "holes move, the rate stays"
    assert not new(half).all(axis=1).any()
    assert half.params["given_back"] > 0
    assert half.params["not_made_up"] == 0
    free = made(X, rate=0.5, keep_one=False)
    assert new(free).all(axis=1).any()
    with pytest.raises(ValueError, match=r"keep_one=False, or a rate up to 0\.5"):
        made(X, rate=0.6)
    lacking = made(
        pd.DataFrame({"a": np.arange(99.0), "b": np.arange(99.0)}),
        mechanism="MNAR",
        method="censor",
        rate=0.5,
    )
    assert lacking.params["not_made_up"] > 0
    assert "given up" in lacking.sentence()
    for rate in (0.95, 0.999):
        assert new(made(X, rate=rate, columns=0, method="bernoulli"))[:, 0].sum() < 200
    with pytest.raises(ValueError, match="allow_full=True, or a rate up to 0.995"):
        made(X, rate=1, columns=0)
    assert new(made(X, rate=1, columns=0, allow_full=True))[:, 0].all()


def test_labels():
    X = table(100)
    y = pd.Series(["u", "v"] * 50, index=np.arange(100)[::-1], name="y")
    result = make_missing(X, y, labels=0.07, random_state=0)
    assert result.y.isna().sum() == 7
    assert result.y.index.equals(y.index)
    assert result.y.dtype == y.dtype
    assert y.notna().all()
    assert np.isnan(make_missing(X, np.arange(100), labels=0.5).y).sum() == 50
    assert make_missing(X, np.arange(100)).y.dtype == int
    with pytest.raises(ValueError, match=r"labels=0\.5 needs labels"):
        made(X, labels=0.5)


def test_orders_of_levels():
    X = pd.DataFrame({"g": ["a"] * 50 + ["b"] * 30 + ["c"] * 20, "t": np.arange(100.0)})
    y = np.r_[np.ones(50), np.full(30, 3.0), np.full(20, 2.5)] + np.linspace(0, 0.1, 100)
    options = {"mechanism": "MAR", "method": "censor", "rate": 0.2, "columns": "t", "drivers": "g"}
    lost = {}
    for name, order in {"frequency": "frequency", "target": "target", "own": {"g": "bca"}}.items():
        gone = make_missing(X, y, order=order, random_state=0, **options).new_mask["t"]
        lost[name] = set(X["g"][gone])
    assert lost == {"frequency": {"c"}, "target": {"a"}, "own": {"b"}}
    seen = {
        tuple(new(make_missing(X, y, order="random", random_state=s, **options))[:, 1])
        for s in range(12)
    }
    assert len(seen) > 3
    sizes = X.assign(g=pd.Categorical(X["g"], ["c", "b", "a"], ordered=True))
    assert set(X["g"][made(sizes, **options).new_mask["t"]]) == {"c"}


def test_a_constant_driver_is_chance_with_a_warning():
    X = pd.DataFrame({"t": np.arange(100.0), "d": 1.0})
    for method in BY_COLUMN:
        with pytest.warns(UserWarning, match="'t' is constant, so its values go missing compl"):
            result = made(X, mechanism="MAR", method=method, rate=0.3, columns="t", drivers="d")
        assert new(result).sum() == 30


def test_text_and_id_columns_stay_out():
    """A text column that nobody named turned scores into NaN, or was amputated."""
    rng = np.random.default_rng(0)
    age = rng.normal(40, 10, 4000)
    X = pd.DataFrame({"id": [f"S-{i}" for i in range(4000)], "age": age, "out": 20 + 2 * age})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for method in (*BY_COLUMN, "ampute"):
            more = {"patterns": [["out"]]} if method == "ampute" else {"columns": "out"}
            result = made(X, mechanism="MAR", method=method, rate=0.4, **more)
            gone = new(result)[:, 2]
            assert not result.mask[["id", "age"]].to_numpy().any()
            assert gone.sum() == 1600
            assert abs(X["age"][gone].mean() - X["age"][~gone].mean()) > 3 or method == "window"
    with pytest.raises(ValueError, match="'id' has another level in each of 4000 rows"):
        made(X, mechanism="MAR", rate=0.4, columns="out", drivers="id", order="frequency")
    with pytest.raises(ValueError, match="'id' has another level"):
        made(X, mechanism="MNAR", rate=0.4, columns="id")


@pytest.mark.parametrize("binary", ["binary", "constant", "tied"])
@pytest.mark.parametrize("mechanism", ["MCAR", "MAR", "MNAR"])
def test_rates_with_awkward_drivers(binary, mechanism):
    """With two-valued or constant drivers the share was far off, or an obscure error came."""
    rng = np.random.default_rng(3)
    driver = {
        "binary": rng.integers(0, 2, 3000).astype(float),
        "constant": np.ones(3000),
        "tied": np.round(rng.normal(size=3000)),
    }[binary]
    X = pd.DataFrame({"t": np.round(rng.normal(size=3000)), "d": driver})
    options = {"drivers": "d"} if mechanism == "MAR" else {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        for rate in (0, 0.05, 0.5, 0.95):
            result = made(X, mechanism=mechanism, rate=rate, columns="t", **options)
            assert result.X["t"].isna().mean() == pytest.approx(rate, abs=1e-3)


def test_results_describe_themselves():
    X = table(100)
    result = made(X, mechanism="MAR", method="censor", rate=0.25, columns=["b", "c"], drivers="a")
    lines = result.describe()
    assert list(lines.index) == ["b", "c"]
    assert list(lines["drives"]) == ["a", "a"]
    assert list(lines["new"]) == [25, 25]
    assert list(lines["share"]) == [0.25, 0.25]
    assert result.params["side"] == "lower"
    assert repr(result) == (
        "MissingResult(MAR by censor: 50 values went from 2 columns; asked for 0.25 of each "
        "affected column, reached 0.25.)"
    )


# ---- refusals


@pytest.mark.parametrize("rate", [-0.1, 1.5, np.nan, np.inf])
def test_rates_outside(rate):
    with pytest.raises(ValueError, match="rate=.* is not a share"):
        made(table(), rate=rate)


X4 = table(20)
BAD = [
    ({"rate": "half"}, TypeError, "rate='half' is not a number"),
    ({"mechanism": "MARS"}, ValueError, "mechanism='MARS' is not known"),
    ({"ties": "none"}, ValueError, "ties='none' is not known"),
    ({"method": "magic"}, ValueError, "choose one of 'ampute', 'bernoulli'"),
    ({"method": 3}, TypeError, "method=3 must be the name"),
    ({"method": Censor}, TypeError, "is a class"),
    ({"method": "censor"}, ValueError, "makes MAR and MNAR, not MCAR; for MCAR choose one of"),
    ({"method": "exact", "side": "upper"}, TypeError, "does not apply to method='exact'"),
    ({"mechanism": "MNAR", "method": Censor(), "side": "upper"}, TypeError, "give it to the"),
    ({"mechanism": "MNAR", "method": "censor", "odds": (1, 2)}, TypeError, "odds=.* takes side"),
    ({"mechanism": "MNAR", "method": "censor", "side": "top"}, ValueError, "side='top' is not"),
    ({"mechanism": "MNAR", "method": "quantile_odds", "odds": (1,)}, ValueError, "odds="),
    ({"mechanism": "MNAR", "method": "quantile_odds", "odds": (1, -1)}, ValueError, "from 0"),
    ({"mechanism": "MNAR", "steepness": -1}, ValueError, "steepness=-1 must be"),
    ({"mechanism": "MNAR", "weights": "big"}, ValueError, "weights='big' must be"),
    ({"mechanism": "MNAR", "weights": (1, 2)}, ValueError, "each of 1 drivers"),
    ({"rate_of": "row"}, ValueError, "method='exact' takes 'column' or 'cell'"),
    ({"rate_of": "table"}, ValueError, "rate_of='table' is not known"),
    ({"columns": "nope"}, ValueError, "columns='nope' is not a column of X"),
    ({"columns": ["a", "a"]}, ValueError, "names a column twice"),
    ({"columns": []}, ValueError, "names no column"),
    ({"columns": [True]}, ValueError, "columns=True is not a column"),
    ({"drivers": "a"}, ValueError, "in MCAR nothing drives"),
    ({"mechanism": "MAR", "columns": ["a", "b"], "drivers": "a"}, ValueError, "loses values its"),
    ({"mechanism": "MAR", "drivers": list("abcd")}, ValueError, "every column is a driver"),
    ({"mechanism": "MAR", "columns": list("abcd")}, ValueError, "a column that stays complete"),
    ({"mechanism": "MAR", "columns": "a", "drivers": {"b": "c"}}, ValueError, "nothing about"),
    ({"mechanism": "MNAR", "columns": "a", "drivers": "b"}, ValueError, "which is MAR"),
    ({"mechanism": "MAR", "method": "pairs"}, ValueError, "pass y"),
    ({"mechanism": "MNAR", "order": "target"}, ValueError, "pass y"),
    ({"order": "abc"}, ValueError, "order='abc' is not known"),
    ({"random_state": -1}, ValueError, "random_state=-1"),
    ({"random_state": "x"}, TypeError, "random_state='x'"),
    ({"rate": 0.5, "rate_of": "cell", "columns": "a"}, ValueError, r"ask for at most 0\.25"),
    ({"method": "dropout", "gone": (1, 0.5, 1)}, ValueError, "gone="),
    ({"method": "dropout", "columns": "a"}, ValueError, "two columns"),
    ({"method": "dropout", "count_existing": True}, ValueError, "does not apply"),
    ({"method": "ampute", "patterns": [["a", "b", "c", "d"]]}, ValueError, "takes every column"),
    ({"method": "ampute", "patterns": []}, ValueError, "every pattern must take"),
    ({"method": "ampute", "frequencies": (1, 2)}, ValueError, "each of 4 patterns"),
    ({"mechanism": "MAR", "method": "ampute", "weights": [{"a": 1}]}, ValueError, "weights has 1"),
    ({"mechanism": "MAR", "method": "ampute", "weights": {"z": 1}}, ValueError, "weights='z'"),
    ({"mechanism": "MAR", "method": "ampute", "weights": {"a": 1}}, ValueError, "leaves no column"),
    ({"method": "ampute", "drivers": "a"}, ValueError, "in MCAR nothing drives"),
    ({"mechanism": "MAR", "method": "pairs", "drivers": "a"}, ValueError, "which chooses them"),
]  # fmt: skip


@pytest.mark.parametrize("options, error, message", BAD)
def test_bad_arguments(options, error, message):
    with pytest.raises(error, match=message):
        made(X4, **options)


def test_bad_tables():
    with pytest.raises(ValueError, match="0 sample"):
        made(np.zeros((0, 3)))
    twice = pd.DataFrame(np.zeros((3, 2)), columns=["a", "a"])
    with pytest.raises(ValueError, match="duplicate column names"):
        made(twice)
    empty = X4.assign(e=np.nan)
    with pytest.raises(ValueError, match="columns='e' has no known value"):
        made(empty, columns="e")
    assert made(empty).params["already_empty"] == ["e"]
    with pytest.raises(ValueError, match="'e' has no known value, so it cannot drive"):
        made(empty, mechanism="MAR", columns="a", drivers="e")
    with pytest.raises(ValueError, match="no known value, so nothing"):
        made(np.full((3, 2), np.nan))
    with pytest.raises(ValueError, match="infinite"):
        made(X4.assign(a=np.inf), mechanism="MAR", columns="b", drivers="a")
    dates = X4.assign(when=pd.Timestamp("2020-01-01"))
    with pytest.raises(TypeError, match="holds dates"):
        made(dates, mechanism="MAR", columns="a", drivers="when")
    with pytest.raises(ValueError, match="no order of their own"):
        made(X4.assign(g=["u", "v"] * 10), mechanism="MAR", columns="a", drivers="g")
    with pytest.raises(ValueError, match="lacks the level 'v'"):
        made(
            X4.assign(g=["u", "v"] * 10),
            mechanism="MAR",
            columns="a",
            drivers="g",
            order={"g": ["u"]},
        )
    with pytest.raises(ValueError, match="single column"):
        made(np.zeros((5, 1)))
    assert new(made(np.zeros((5, 1)), keep_one=False, rate=0.4)).sum() == 2
    with pytest.raises(ValueError, match="y has 3 labels and X 20 rows"):
        make_missing(X4, [1, 2, 3])


@pytest.fixture
def steps(tmp_path, monkeypatch):
    """The method that CONTRIBUTING shows, in a folder of its own."""
    text = (Path(__file__).parents[1] / "CONTRIBUTING.md").read_text(encoding="utf-8")
    code = next(c for c in re.findall(r"```python\n(.*?)```", text, re.S) if "class Steps" in c)
    (tmp_path / "steps.py").write_text(code, encoding="utf-8")
    monkeypatch.setattr(methods, "__path__", [*methods.__path__, str(tmp_path)])
    all_methods.cache_clear()
    yield "steps"
    all_methods.cache_clear()
    sys.modules.pop("mdtree_nb.missingness.methods.steps", None)


def test_a_method_is_one_file(steps):
    for mechanism in ("MAR", "MNAR"):
        test_the_rate_is_reached(mechanism, steps, 0.3)
        test_permuting_the_target_moves_mnar_only(mechanism, steps)
        test_dtypes_index_and_values_stay(mechanism, steps)
    test_drivers_of_mar_stay_complete(steps)
    chances = made(table(), mechanism="MNAR", method=steps, rate=0.3, columns="a").probs["a"]
    assert set(chances.round(12)) == {0.2, 0.4}


def test_methods_are_found_by_being_there():
    assert methods.Censor is all_methods()["censor"]
    assert "Censor" in dir(methods)
    assert md.missingness.Censor is methods.Censor
    with pytest.raises(AttributeError):
        md.missingness.Nothing  # noqa: B018
