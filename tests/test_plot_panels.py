"""plot_panels: what is drawn, and what it says about itself."""

import numpy as np
import pandas as pd
import pytest

from mdtree_nb import describe_axes, plot_panels


@pytest.fixture
def table():
    lines = [
        {"suite": suite, "method": method, "rate": rate, "error": error * rate * (1 + number)}
        for number, suite in enumerate(["MCAR", "MAR", "IM", "other"])
        for method, error in (("a", 1.0), ("b", 2.0), ("same as a", 1.0))
        for rate in (0.1, 0.3)
        for _ in range(2)
    ]
    return pd.DataFrame(lines)


ASKED = {"x": "rate", "y": "error", "lines": "method", "panels": "suite"}


def test_panels_share_scales_and_hold_every_mean(table):
    axes = plot_panels(table, **ASKED, order=["MAR", "MCAR", "IM", "other"])
    assert [ax.get_title(loc="left") or ax.get_title() for ax in axes] == [
        "MAR",
        "MCAR",
        "IM",
        "other",
    ]
    assert len({ax.get_ylim() for ax in axes}) == len({ax.get_xlim() for ax in axes}) == 1
    for ax, factor in zip(axes, [2, 1, 3, 4], strict=True):
        curves = {c.get_label(): c for c in ax.lines if not c.get_label().startswith("_")}
        assert list(curves) == ["a = same as a", "b"]
        np.testing.assert_allclose(curves["b"].get_ydata(), [0.2 * factor, 0.6 * factor])
        assert ax.get_ylim()[0] < 0.1
        assert ax.get_ylim()[1] > 2.4


def test_words(table):
    axes = plot_panels(table, **ASKED, title="b loses most")
    assert describe_axes(axes[0]).splitlines() == [
        "b loses most.",
        "MCAR, rate 0.1, 0.3: a = same as a 0.100 0.300; b 0.200 0.600.",
        "MAR, rate 0.1, 0.3: a = same as a 0.200 0.600; b 0.400 1.200.",
        "IM, rate 0.1, 0.3: a = same as a 0.300 0.900; b 0.600 1.800.",
        "other, rate 0.1, 0.3: a = same as a 0.400 1.200; b 0.800 2.400.",
    ]


def test_bad_arguments(table):
    with pytest.raises(ValueError, match="y='loss' is not a column"):
        plot_panels(table, **{**ASKED, "y": "loss"})
    with pytest.raises(ValueError, match="no row of the table has suite='XX'"):
        plot_panels(table, **ASKED, order=["XX"])


def test_words_tell_some_of_many_places():
    table = pd.DataFrame({"rate": np.arange(19) / 20, "error": 0.5, "method": "a", "suite": "s"})
    axes = plot_panels(table, x="rate", y="error", lines="method", panels="suite")
    assert describe_axes(axes[0]).splitlines()[1] == (
        "s, rate 0, 0.15, 0.3, 0.45, 0.6, 0.75, 0.9 (7 of 19 points): a" + " 0.500" * 7 + "."
    )
