"""Stored results of the studies: what a file says about itself is what it holds."""

import numpy as np
import pytest

from mdtree_nb.studies.eig2020 import OFFLINE, arms
from mdtree_nb.studies.twala2020 import METHODS, SUITES, TABLES
from mdtree_nb.teaching import load_results


def test_twala2020_is_the_whole_study():
    table = load_results("twala2020")
    assert set(table["dataset"]) == set(TABLES)
    assert set(table["mechanism"]) == {*SUITES, "none"}
    assert set(table["prediction"]) == set(METHODS)
    assert len(table) == 21 * 19 * 5
    assert table.attrs["cells"] == 21 * 5
    assert "21 stand-in tables" in table.attrs["design"]
    assert table.attrs["call"].startswith("mdtree-nb experiment twala2020")
    wide = table.pivot(
        index=["dataset", "mechanism", "rate"], columns="prediction", values="smoothed_error"
    )
    np.testing.assert_allclose(wide["FC"], wide["DTPE"], atol=1e-9)
    whole = wide.xs(0.0, level="rate")
    # methods part a little on complete rows: over levels that a node has not seen
    assert np.ptp(whole.to_numpy(), axis=1).max() < 0.004


def test_stored_numbers_are_those_of_this_version():
    """A small part of the stored table, computed again."""
    from mdtree_nb import twala2020

    keys = ["dataset", "mechanism", "rate", "prediction"]
    again = twala2020(["iris"]).run().groupby(keys)["smoothed_error"].mean()
    stored = load_results("twala2020").set_index(keys)["smoothed_error"]
    np.testing.assert_allclose(again, stored.loc[again.index], atol=2e-6)


def test_another_name():
    with pytest.raises(ValueError, match="name='cart' has no stored results; choose .*'twala2020'"):
        load_results("cart")


def test_eig2020_holds_whole_blocks_of_its_grid():
    table = load_results("eig2020")
    assert set(table["dataset"]) == set(OFFLINE)
    assert set(table["strategy"]) <= set(arms())
    assert len(table) == 3 * table.attrs["cells"]
    for _, block in table.groupby(["strategy", "repeat", "test"]):
        assert len(block) == 5 * block["rate"].nunique() * 5
        assert not block.duplicated(["dataset", "rate", "fold"]).any()
    assert f"{table['rate'].nunique()} rates" in table.attrs["design"]


def test_a_part_of_the_stored_eig2020_again():
    from mdtree_nb import eig2020

    methods, keys = ["program: c45", "C4.5", "knn"], ["strategy", "test", "fold"]
    again = eig2020("wine", methods=methods, rates=[0.5], repeats=1).run()
    stored = load_results("eig2020").query("dataset == 'wine' and rate == 0.5 and repeat == 0")
    stored = stored.set_index(keys)["accuracy"]
    again = again.set_index(keys)["accuracy"]
    np.testing.assert_allclose(again, stored.loc[again.index], atol=6e-5)
