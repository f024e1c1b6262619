"""MissingnessLab: what it shows is what make_missing and the trees say."""

import json

import numpy as np
import pandas as pd
import pytest

import mdtree_nb as md


@pytest.fixture(scope="module")
def penguins():
    data = md.load("penguins")
    kept = data.X["body_mass_g"].notna()
    return data.X[kept], data.y[kept]


@pytest.mark.parametrize("mechanism", ["MCAR", "MAR", "MNAR"])
def test_it_makes_the_holes_of_make_missing(penguins, mechanism):
    X, y = penguins
    lab = md.MissingnessLab(
        X, y, column="body_mass_g", driver="bill_length_mm", mechanism=mechanism, rate=0.4, seed=3
    )
    drivers = {"drivers": "bill_length_mm"} if mechanism == "MAR" else {}
    want = md.make_missing(
        X, mechanism=mechanism, rate=0.4, columns=["body_mass_g"], random_state=3,
        keep_one=False, **drivers,
    )  # fmt: skip
    pd.testing.assert_frame_equal(lab.result.X, want.X)
    assert lab.means["left"] == pytest.approx(want.X["body_mass_g"].mean())
    (chart,) = lab._charts
    drawn = {shape["name"]: len(shape["at"]) for shape in chart.shapes if "name" in shape}
    assert drawn["lost"] == want.new_mask["body_mass_g"].sum()
    assert drawn["kept"] + drawn["lost"] == len(X)
    before, after = lab.trees
    assert before.tree_ == md.MDTreeClassifier(max_depth=2).fit(X, y).tree_
    assert after.tree_ == md.MDTreeClassifier(max_depth=2).fit(want.X, y).tree_
    text = lab.describe()
    assert f"with holes {after.score(X, y):.3f}" in text
    assert f"with holes {after.tree_.condition(1)}" in text


def test_nothing_goes_at_rate_0_and_nearly_all_at_the_end(penguins):
    lab = md.MissingnessLab(*penguins, rate=0.0)
    assert lab.result.new_mask.to_numpy().sum() == 0
    assert "stays" in lab.view["title"]
    assert lab.trees[0].tree_ == lab.trees[1].tree_
    for mechanism in ("MCAR", "MAR", "MNAR"):
        lab.mechanism, lab.rate = mechanism, 0.9
        assert lab.result.realised["column"] == pytest.approx(0.9, abs=0.06)
        json.dumps(lab.view)


def test_the_column_that_decides_never_loses(penguins):
    lab = md.MissingnessLab(*penguins, column="body_mass_g", driver="bill_length_mm")
    lab.column = "bill_length_mm"
    assert lab.driver != "bill_length_mm"
    with pytest.raises(ValueError, match="driver='bill_length_mm' loses values itself"):
        lab.driver = "bill_length_mm"


def test_strategies_that_cannot_are_said_and_numbers_are_labels_too(penguins):
    X, y = penguins
    lab = md.MissingnessLab(X, X["body_mass_g"], column="bill_length_mm", rate=0.9, missing="lpe")
    assert "cannot be grown" in lab.describe()
    lab.missing = "learned"
    assert "R²" in lab.describe()
    alone = md.MissingnessLab(X)
    assert alone.trees is None
    assert "Tree" not in alone.describe()
    assert len(alone._png()) > 1000


def test_bad_values_say_what_is_good(penguins):
    lab = md.MissingnessLab(*penguins)
    for trait, value, words in [
        ("mechanism", "MAAR", "mechanism='MAAR' must be one of"),
        ("rate", 0.95, "rate=0.95 must be a part, from 0 to 0.9"),
        ("rate", np.nan, "rate=nan"),
        ("seed", -1, "seed=-1"),
        ("column", "island", "column='island' must be a column of numbers, such as 'bill_"),
        ("missing", "learnt", "learnt"),
        ("max_depth", 5, "max_depth=5 must be from 1 to 4"),
    ]:
        with pytest.raises(ValueError, match=words):
            setattr(lab, trait, value)
        lab.set_state({trait: value})
        assert words.split(" ")[0].split("'")[0] in lab.error
    with pytest.raises(ValueError, match="1 columns of different numbers"):
        md.MissingnessLab(penguins[0][["body_mass_g", "island"]])
    with pytest.raises(ValueError, match="pass one per row"):
        md.MissingnessLab(penguins[0], [1, 2])


def test_holes_that_are_there_and_constant_columns():
    X = pd.DataFrame(
        {"a": [1.0, np.nan, 2.0, np.nan] * 5, "b": np.arange(20.0), "c": 1.0, 4: range(20)}
    )
    lab = md.MissingnessLab(X, rate=0.5)
    assert lab.view["tables"][0]["rows"][1][1:] == ["10", "15"]
    with pytest.raises(ValueError, match="column='c'"):
        lab.column = "c"
    lab.column = "4"
    assert len(lab._png()) > 1000
