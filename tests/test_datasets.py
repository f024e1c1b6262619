"""Every count that a data set states about itself is computed anew, and so are known facts."""

import gzip
import hashlib
import itertools
import json
import sys
from importlib.resources import files
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes

import mdtree_nb as md
from mdtree_nb import datasets

ROOT = Path(__file__).resolve().parents[1]
REQUIRED = {"name", "task", "target", "title", "source", "licence", "changes", "missing"}
GOLDEN = json.loads((ROOT / "tests/golden/golden.json").read_text(encoding="utf-8"))
FACTS = json.loads((ROOT / "tests/golden/datasets.json").read_text(encoding="utf-8"))["sets"]
OWN = {"iris", "wine", "breast_cancer", "digits", "diabetes"}
BY_HAND = {"playtennis", "playtennis_missing", "figure1"}
NAMES = datasets.list_datasets()
DATA = files("mdtree_nb").joinpath("data")


def body(name):
    return gzip.decompress(DATA.joinpath(name + ".csv.gz").read_bytes()).partition(b"\n")[2]


@pytest.mark.parametrize("name", NAMES)
def test_counts(name):
    data = datasets.load(name)
    info = data.info
    assert set(info) >= REQUIRED
    assert all(info[key].strip() for key in REQUIRED)
    assert info["name"] == name
    assert info == datasets.describe(name)
    assert data.X.shape == (info["rows"], info["features"])
    assert len(data.y) == info["rows"]
    assert data.y.name == info["target"]
    assert data.y.notna().all()
    holes = data.X.isna()
    assert int(holes.to_numpy().sum()) == info["cells_missing"]
    assert int(holes.any(axis=1).sum()) == info["rows_incomplete"]
    assert int(holes.any(axis=0).sum()) == info["columns_incomplete"]
    assert (info["missing"] == "nothing") == (info["cells_missing"] == 0)
    if info["task"] == "classification":
        assert data.y.value_counts().to_dict() == info["classes"]
        assert all(isinstance(label, str) for label in data.y)
    else:
        assert info["task"] == "regression"
        assert data.y.dtype == np.float64
        assert "classes" not in info


@pytest.mark.parametrize("name", NAMES)
def test_types(name):
    data = datasets.load(name)
    assert set(data.info["numeric"]) <= set(data.X.columns)
    assert data.X.columns.is_unique
    for column in data.X:
        values = data.X[column]
        assert column == column.strip()
        if column in data.info["numeric"]:
            assert values.dtype == np.float64
            assert np.isfinite(values.dropna()).all()
        else:
            levels = list(values.dtype.categories)
            assert levels == sorted(set(values.dropna()))
            assert all(level == level.strip() and level not in ("", "?") for level in levels)


@pytest.mark.parametrize("name", NAMES)
def test_text_of_the_file(name):
    """The table is the one whose sha256 is stated; compressing left no time behind."""
    raw = DATA.joinpath(name + ".csv.gz").read_bytes()
    assert raw[4:8] == b"\0\0\0\0"
    info = datasets.describe(name)
    if name in OWN:
        assert body(name) == b""
        assert "sha256" not in info
    else:
        assert hashlib.sha256(body(name)).hexdigest() == info["sha256"]


def test_names():
    assert set(NAMES) == set(FACTS) | OWN | BY_HAND
    assert len(FACTS) == 38
    assert sorted(NAMES) == NAMES


@pytest.mark.parametrize("name", FACTS)
def test_facts_from_before_the_files_were_written(name):
    fact, data = FACTS[name], datasets.load(name)
    holes = data.X.isna().to_numpy()
    numeric = sum(dtype == np.float64 for dtype in data.X.dtypes)
    assert data.X.shape == (fact["rows"], fact["features"])
    assert (numeric, data.X.shape[1] - numeric) == (fact["numeric"], fact["categorical"])
    assert int(holes.sum()) == fact["cells"]
    assert int(holes.any(axis=0).sum()) == fact["cols_missing"]
    assert int(holes.any(axis=1).sum()) == fact["rows_missing"]
    assert abs(100 * holes.mean() - fact["missing_pct"]) <= 0.0005 + 1e-9
    assert abs(100 * holes.mean(axis=0).max() - fact["max_col_pct"]) <= 0.05 + 1e-9
    if fact["classes"] is None:
        assert data.info["task"] == "regression"
    else:
        assert data.y.value_counts().to_dict() == fact["counts"]
        assert data.y.nunique() == fact["classes"]
    if "sha256" in fact:
        assert hashlib.sha256(body(name)).hexdigest().startswith(fact["sha256"])


def test_overview():
    table = datasets.overview()
    assert list(table.index) == NAMES
    for name, line in table.iterrows():
        X, y = (data := datasets.load(name)).X, data.y
        assert (line["rows"], line["features"]) == X.shape
        assert line["categories"] == X.select_dtypes("category").shape[1]
        assert line["missing"] == pytest.approx(X.isna().to_numpy().mean())
        assert line["incomplete"] == pytest.approx(X.isna().any(axis=1).mean())
        assert line["classes"] == (y.nunique() if data.info["task"] == "classification" else 0)
        assert line["title"] == data.info["title"]


def test_data_sets_by_hand():
    tennis = GOLDEN["c45_playtennis"]
    for name, rows in [("playtennis", "table1_complete"), ("playtennis_missing", "table2_missing")]:
        data = datasets.load(name)
        got = data.X.astype(object).assign(PlayTennis=data.y)
        assert list(got.columns) == tennis[rows]["columns"]
        assert got.where(got.notna(), None).to_numpy().tolist() == tennis[rows]["rows"]
    whole, holes = datasets.load("playtennis"), datasets.load("playtennis_missing")
    known = holes.X.notna().to_numpy()
    assert (~known).sum() == 15
    assert known.all(axis=1).sum() == 5
    values = [data.X.astype(object).to_numpy() for data in (whole, holes)]
    assert (values[0][known] == values[1][known]).all()
    assert holes.y[holes.X["Outlook"].notna()].value_counts().to_dict() == {"Yes": 5, "No": 3}


def test_figure_1():
    data = datasets.load("figure1")
    cells = data.X.astype(str).agg("".join, axis=1)
    counts = pd.crosstab(cells, data.y)
    expected = GOLDEN["twala_figure1"]["training_cells_A1A2A3_to_c1c2"]
    assert {cell: line.to_list() for cell, line in counts.iterrows()} == expected
    assert len(data.X) == 40
    leaves = {"A1L": ("L", ..., ...), "A1R_A2L": ("R", "L", ...)}
    leaves |= {"A1R_A2R_A3L": ("R", "R", "L"), "A1R_A2R_A3R": ("R", "R", "R")}
    for leaf, path in leaves.items():
        tests = zip(data.X, path, strict=True)
        here = np.logical_and.reduce([data.X[f] == side for f, side in tests if side != ...])
        counted = data.y[here].value_counts()
        assert [counted["c1"], counted["c2"]] == GOLDEN["twala_figure1"]["leaves"][leaf]
    right = data.y[data.X["A2"] == "R"]
    assert ((right == "c1").sum(), len(right)) == (26, 31)


def test_scikit_learns_own():
    data, theirs = datasets.load("breast_cancer"), load_breast_cancer(as_frame=True)
    pd.testing.assert_frame_equal(data.X, theirs.data)
    assert ((data.y == "benign") == (theirs.target == 1)).all()
    assert list(data.X) == data.info["numeric"]
    data, (X, y) = datasets.load("diabetes"), load_diabetes(return_X_y=True)
    np.testing.assert_array_equal(data.X, X)
    np.testing.assert_array_equal(data.y, y)
    iris = datasets.load("iris")
    between = iris.X.groupby(iris.y).transform("mean").var(ddof=0) / iris.X.var(ddof=0)
    np.testing.assert_allclose(np.sqrt(between), [0.787, 0.633, 0.970, 0.964], atol=5e-4)


def test_classes_that_follow_from_a_law():
    scale = datasets.load("balance_scale")
    left = scale.X["L-Weight"] * scale.X["L-Distance"]
    right = scale.X["R-Weight"] * scale.X["R-Distance"]
    assert (scale.y == np.where(left > right, "L", np.where(left < right, "R", "B"))).all()

    board = datasets.load("tic_tac_toe")
    x = board.X.to_numpy(str).reshape(-1, 3, 3) == "x"
    diagonals = [x[:, [0, 1, 2], [0, 1, 2]], x[:, [0, 1, 2], [2, 1, 0]]]
    won = x.all(axis=1).any(axis=1) | x.all(axis=2).any(axis=1)
    won |= np.any([d.all(axis=1) for d in diagonals], axis=0)
    assert (board.y == np.where(won, "p", "n")).all()

    monks = datasets.load("monks_2")
    two = (monks.X == "1").sum(axis=1) == 2
    assert (monks.y == np.where(two, "1", "0")).all()
    assert len(monks.X.drop_duplicates()) == 432


@pytest.mark.parametrize("name", ["car_evaluation", "nursery", "balance_scale"])
def test_every_combination_once(name):
    X = datasets.load(name).X.astype(str)
    every = set(itertools.product(*(X[column].unique() for column in X)))
    assert set(X.itertuples(index=False, name=None)) == every
    assert len(X) == len(every)


def test_complete_cases_of_credit_approval():
    data = datasets.load("credit_approval_crx")
    X = data.X.dropna()
    assert pd.get_dummies(X).shape == (653, 46)
    assert data.y[X.index].value_counts().to_dict() == {"-": 357, "+": 296}
    assert pd.get_dummies(datasets.load("car_evaluation").X).shape == (1728, 21)


def test_notes_on_traps():
    """What the notes and `missing` texts claim."""
    thyroid = datasets.load("hypothyroid").X
    for value in ("TSH", "T3", "TT4", "T4U", "FTI", "TBG"):
        assert ((thyroid[f"{value}_measured"] == "n") == thyroid[value].isna()).all()

    steel = datasets.load("annealing").X
    empty = steel.columns[steel.isna().all()]
    assert set(empty) == {"m", "marvi", "corr", "jurofm", "s", "p"}
    assert (steel.nunique() == 1).sum() == 14
    assert steel.isna().any(axis=1).all()

    votes = datasets.load("house_votes_84")
    blank = votes.X["export-administration-act-south-africa"].isna()
    assert blank.sum() == 104
    assert (votes.y[blank] == "democrat").mean() == pytest.approx(82 / 104)

    beans = datasets.load("soybean_large")
    by_class = beans.X.isna().any(axis=1).groupby(beans.y).agg(["sum", "size"])
    assert (by_class["sum"] > 0).sum() == 5
    assert (by_class["sum"] == by_class["size"]).sum() == 4
    assert by_class.loc["phytophthora-rot"].to_list() == [68, 88]

    statlog, cleveland = datasets.load("heart_statlog").X, datasets.load("heart_cleveland").X
    ours = statlog[["age", "rest_bp", "chol", "max_hr", "oldpeak"]]
    theirs = cleveland[["age", "rest SBP", "cholesterol", "max HR", "ST by exercise"]]
    assert set(map(tuple, ours.to_numpy())) <= set(map(tuple, theirs.to_numpy()))

    work = datasets.load("adult_sample").X
    assert (work["workclass"].isna() == work["occupation"].isna()).all()

    heart = datasets.load("echocardiogram")
    assert pd.crosstab(heart.X["alive_at_1"], heart.y).to_numpy().tolist() == [[45, 5], [0, 24]]

    contract = datasets.load("labor").X
    short = ~(contract["duration"] >= 2)
    assert (short == contract["wage-increase-second-year"].isna()).all()
    assert contract.loc[contract["duration"] <= 2, "wage-increase-third-year"].isna().all()

    vowel = datasets.load("vowel")
    assert (pd.crosstab(vowel.X["V1"], vowel.y) == 6).all(axis=None)

    cars = datasets.load("automobile_imports85").X
    assert set(cars.loc[cars["bore"].isna(), "engine-type"]) == {"rotor"}
    assert cars["bore"].isna().sum() == (cars["engine-type"] == "rotor").sum()
    for name, column in [("ionosphere", "a02"), ("segment", "region-pixel-count")]:
        assert datasets.load(name).X[column].nunique() == 1


def test_horse_colic_as_the_notebooks_tell_it():
    data = datasets.load("horse_colic")
    assert list(data.X.columns[data.X.notna().all()]) == ["Surgery"]
    assert len(data.X.dropna()) == 7
    assert data.X["NasogReflpH"].isna().sum() == 297


@pytest.mark.parametrize("name", NAMES)
def test_a_tree_grows_on_it(name):
    data = datasets.load(name)
    regression = data.info["task"] == "regression"
    tree = (md.MDTreeRegressor if regression else md.MDTreeClassifier)(max_depth=2)
    assert len(tree.fit(data.X, data.y).predict(data.X)) == len(data.y)
    if not regression:
        assert tree.score(data.X, data.y) >= data.y.value_counts(normalize=True).max() - 1e-12


def test_loading_twice_gives_two_tables():
    first = datasets.load("penguins")
    first.X.iloc[0, 1] = -1.0
    first.info["title"] = "changed"
    again = datasets.load("penguins")
    assert again.X.iloc[0, 1] == 39.1
    assert again.info["title"].startswith("Palmer")


def test_nothing_comes_from_the_network(monkeypatch):
    def refuse(*_, **__):
        raise AssertionError("the network was used")

    monkeypatch.setattr("socket.socket.connect", refuse)
    for name in NAMES:
        datasets.load(name)


def test_unknown_name():
    with pytest.raises(ValueError, match="name='titanic' is not a known data set; choose one of"):
        datasets.load("titanic")
    with pytest.raises(ValueError, match="did you mean 'penguins'?"):
        datasets.load("peguins")
    with pytest.raises(ValueError, match="did you mean 'breast_cancer' or 'breast_cancer_wisc"):
        datasets.describe("cancer")
    with pytest.raises(ValueError, match="name='' is not a known data set; choose one of"):
        datasets.load("")
    with pytest.raises(TypeError, match="name=3 is not text"):
        datasets.load(3)


def test_licences_are_fresh_and_complete(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "docs"))
    sys.modules.pop("tables", None)
    import tables

    page = tables.LICENCES.read_text(encoding="utf-8")
    sys.modules.pop("tables")
    assert page == tables.licence_page(), "run docs/tables.py"
    for name in NAMES:
        info = datasets.describe(name)
        assert f"\n## {name}\n" in page
        assert info["source"] in page
        accepted = ("CC BY 4.0", "CC0 1.0", "facts of a published example", "not stated; the copy")
        assert info["licence"].startswith(accepted)


def test_data_stay_small():
    for folder, most in ((DATA, 600_000), (DATA / "results", 300_000)):
        sizes = [len(item.read_bytes()) for item in folder.iterdir() if item.is_file()]
        assert 0 < sum(sizes) < most
