"""Stored results of the studies: what a file says about itself is what it holds."""

import numpy as np
import pytest

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
