"""explain_missingness: planted reasons are found, chance is called chance."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold

import mdtree_nb as md
from mdtree_nb import MDTreeClassifier, explain_missingness, make_missing

AIR = pd.read_csv(Path(__file__).parent / "golden" / "airquality.csv")


def table(n=600, seed=0):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(rng.normal(size=(n, 3)), columns=["a", "b", "c"])
    return X.assign(g=rng.choice(["red", "green"], n))


def test_a_planted_reason_is_found():
    X = make_missing(
        table(), mechanism="MAR", method="quantile_odds", odds=(0, 0, 0, 1), rate=0.2,
        columns="b", drivers="c", random_state=0,
    ).X  # fmt: skip
    found = explain_missingness(X)
    line = found.table.loc["b"]
    assert line["verdict"] == "depends"
    assert line["auc"] > 0.9
    condition, *_ = line["where"].split(" and ")
    assert condition.startswith("c > ")
    there = X["b"].isna()[X.eval(line["where"])]
    assert (line["rows_there"], line["share_there"]) == (len(there), pytest.approx(there.mean()))
    text = found.sentences()[0]
    assert text.startswith("b is missing in 120 of 600 rows (20 %). The other columns tell where")
    assert f"of the {len(there)} rows with {line['where']}." in text
    assert repr(found).endswith("the values that would tell are the ones that are missing.")


def test_chance_and_its_own_size_look_alike():
    """MCAR cannot be told from MNAR by an unrelated column: the sentence says so."""
    X = table()
    chance = make_missing(X, rate=0.2, columns="b", random_state=0).X
    own = make_missing(X, mechanism="MNAR", method="censor", rate=0.2, columns="b").X
    for holes in (chance, own):
        found = explain_missingness(holes)
        assert found.table.loc["b", "verdict"] == "chance"
        assert "do not visibly tell where" in found.sentences()[0]
        assert "(MNAR) cannot be seen in any data" in found.sentences()[-1]


def test_chance_is_rarely_called_a_reason():
    verdicts = []
    for seed in range(12):
        X = make_missing(table(200, seed), rate=0.2, random_state=seed).X
        verdicts += list(explain_missingness(X).table["verdict"] == "depends")
    assert sum(verdicts) <= 2, "of 48"


def test_the_auc_is_that_of_unseen_rows():
    found = explain_missingness(AIR)
    others, gone = AIR.drop(columns="Ozone"), AIR["Ozone"].isna()
    scores = []
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    for train, test in folds.split(others, gone):
        tree = MDTreeClassifier(max_depth=2, min_samples_leaf=5)
        tree.fit(others.iloc[train], gone.iloc[train])
        scores.append(roc_auc_score(gone.iloc[test], tree.predict_proba(others.iloc[test])[:, 1]))
    assert found.table.loc["Ozone", "auc"] == pytest.approx(np.mean(scores))
    assert found.table.loc["Ozone", "where"] == "Month <= 6.5 and Month > 5.5"
    assert found.table.loc["Ozone", "rows_there"] == 30, "June"
    assert found.table.loc["Solar.R", "verdict"] == "chance"
    assert set(found.trees) == {"Ozone", "Solar.R"}
    assert list(found.trees["Ozone"].feature_names_in_) == list(others)


def test_the_target_may_tell():
    X = table()
    y = pd.Series(np.where(X["a"] > 0, "yes", "no"), name="answer")
    X = X[["b", "c"]].assign(b=X["b"].mask((y == "yes") & (np.arange(600) % 3 > 0)))
    without, with_y = explain_missingness(X[["b"]].assign(z=0.0)), explain_missingness(X, y)
    assert without.table.loc["b", "verdict"] == "chance"
    assert with_y.table.loc["b", "verdict"] == "depends"
    assert "answer" in explain_missingness(X[["b"]], y).table.loc["b", "where"]
    same_name = explain_missingness(X[["b"]].assign(answer=1.0), y)
    assert "target answer" in same_name.table.loc["b", "where"]
    unnamed = explain_missingness(X[["b"]].to_numpy(), y.to_numpy())
    assert "y = yes" in unnamed.table.loc["x0", "where"]


def test_holes_of_other_columns_tell():
    votes = md.load("horse_colic")
    found = explain_missingness(votes.X)
    assert found.table.loc["CellVolume", "where"].startswith("TotProtein is missing")
    assert found.table["missing"].is_monotonic_decreasing
    assert len(found.sentences()) == len(found.table) + 1


def test_columns_that_cannot_be_explained():
    X = table(100).assign(e=np.nan, id=[f"row {i}" for i in range(100)])
    X.loc[:2, "a"] = np.nan
    X.loc[::4, "b"] = np.nan
    found = explain_missingness(X)
    assert found.table["verdict"].to_dict() == {"e": "empty", "b": "chance", "a": "too few"}
    assert found.sentences()[0] == "e is always missing."
    assert "a is missing in 3 of 100 rows (3 %): too few rows" in found.sentences()[2]
    assert "id" not in found.trees["b"].feature_names_in_
    before = X.copy(deep=True)
    explain_missingness(X)
    pd.testing.assert_frame_equal(X, before)


def test_refusals():
    with pytest.raises(ValueError, match="X has no hole"):
        explain_missingness(np.ones((4, 2)))
    with pytest.raises(ValueError, match="single column"):
        explain_missingness(np.array([[1.0], [np.nan]]))
    with pytest.raises(ValueError, match="y has 2 values and X 153 rows"):
        explain_missingness(AIR, [1, 2])
    with pytest.raises(ValueError, match="folds=1 must be"):
        explain_missingness(AIR, folds=1)
