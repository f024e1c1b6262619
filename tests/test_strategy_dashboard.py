"""StrategyDashboard: its means, intervals and ranks are those of the statistics it shows."""

import json

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import mdtree_nb as md
from mdtree_nb.evaluation import Experiment, friedman

TABLES = {
    name: (pd.DataFrame(np.random.RandomState(i).randn(60, 3)).mask(lambda x: x > 1.2), y)
    for i, name in enumerate(("a", "b", "c"))
    for y in [np.arange(60) % 2]
}
GRID = {"strategies": ["learned", "majority"], "rates": [0.1, 0.4], "folds": 2}


@pytest.fixture(scope="module")
def horses():
    data = md.load("horse_colic")
    y = data.y.where(data.y == "lived", "lost")
    return md.compare(data.X, y, ["learned", "left", "discard"], folds=3, repeats=1)


@pytest.fixture(scope="module")
def results():
    return Experiment(TABLES, **GRID).run()


def test_of_a_comparison_it_shows_what_summary_says(horses):
    board = md.StrategyDashboard(horses)
    summary = horses.summary()
    assert np.allclose(board.means.reindex(summary.index), summary["mean"])
    table = board.table.set_index("strategy")
    for name, scores in horses.scores.iterrows():
        half = md.evaluation.smallest_visible_difference(scores, horses.test_to_train)
        assert table.loc[name, "high"] - table.loc[name, "mean"] == pytest.approx(half)
    rows = board.view["tables"][0]["rows"]
    assert [row[0] for row in rows] == list(summary.index)
    titles = [chart["title"] for chart in board.view["charts"]]
    assert titles == ["Mean accuracy", f"Distance to {horses.best}, fold by fold", "Cost"]
    pairs = horses.differences()
    board_pairs = board.view["charts"][1]["words"]
    worst = pairs.iloc[1]
    assert f"{-worst['difference']:.3f}".replace("-", "\N{MINUS SIGN}") in board_pairs


def test_a_dict_by_rate_is_a_curve(horses):
    board = md.StrategyDashboard({0.1: horses, 0.5: horses}, show=["left", "learned"])
    assert board.show == ["learned", "left"]
    assert board.view["charts"][0]["title"] == "accuracy against the rate"
    assert board.table["rate"].tolist() == [0.1, 0.1, 0.5, 0.5]
    board.metric = "balanced_accuracy" if "balanced_accuracy" in horses.metrics else "accuracy"


def test_over_data_sets_each_counts_once(results):
    board = md.StrategyDashboard(results)
    by_set = results.groupby(["strategy", "rate", "dataset"])["accuracy"].mean()
    table = board.table.set_index(["strategy", "rate"])
    for key, values in by_set.groupby(["strategy", "rate"]):
        assert table.loc[key, "mean"] == pytest.approx(values.mean())
        low, high = stats.t.interval(0.95, 2, values.mean(), values.std() / np.sqrt(3))
        assert np.allclose(table.loc[key, ["low", "high"]].astype(float), [low, high])
    scores = results.groupby(["dataset", "strategy"])["accuracy"].mean().unstack()
    want = friedman(scores).mean_ranks
    shown = {row[0]: float(row[2]) for row in board.view["tables"][0]["rows"]}
    assert shown == pytest.approx(want.to_dict(), abs=0.005)
    board.dataset = "a"
    assert board.view["charts"][1]["title"].startswith("Distance to")


def test_a_store_that_is_still_written(tmp_path):
    path = tmp_path / "store.sqlite"
    with pytest.raises(ValueError, match="is not there yet"):
        md.StrategyDashboard(path)
    whole = Experiment(TABLES, **GRID)
    part = Experiment({"a": TABLES["a"]}, **{**GRID, "strategies": ["majority"]})
    part.run(path)
    board = md.StrategyDashboard(str(path), whole)
    assert board.show == ["majority"]
    assert "4 of 24 cells done" in board.view["note"]
    assert "majority alone has scores" in board.view["title"]
    whole.run(path)
    board._handle_custom_msg({"refresh": True}, [])
    assert board.show == ["majority", "learned"] or board.show == ["learned", "majority"]
    assert "24 of 24 cells done" in board.view["note"]
    assert len(board.view["charts"]) == 3
    other = md.StrategyDashboard(path)  # all that is in the store, whoever asked for it
    assert other.means.to_dict() == pytest.approx(board.means.to_dict())
    (tmp_path / "broken.sqlite").write_text("no store")
    with pytest.raises(ValueError, match="no store of results"):
        md.StrategyDashboard(tmp_path / "broken.sqlite")
    path.unlink()
    board.set_state({"every": 5})
    board._handle_custom_msg({"refresh": True}, [])
    assert "is not there yet" in board.error
    assert board.every == 5


def test_nothing_and_little(horses, results):
    empty = md.StrategyDashboard(results[:0])
    assert empty.view["title"] == "Nothing has a score yet" or empty.view["title"].startswith("No ")
    assert len(empty._png()) > 500
    board = md.StrategyDashboard(results, show=[])
    assert board.view["title"] == "No strategy is chosen"
    one = md.StrategyDashboard(results[results["strategy"] == "learned"])
    assert "alone has scores" in one.view["title"] or len(one.view["charts"]) >= 1
    single = results[(results["fold"] == 0) & (results["dataset"] == "a")]
    json.dumps(md.StrategyDashboard(single).view, allow_nan=False)
    lone = md.compare(*TABLES["a"], ["discard"], folds=2, repeats=1)
    json.dumps(md.StrategyDashboard(lone).view, allow_nan=False)


def test_bad_values_say_what_is_good(horses, results):
    board = md.StrategyDashboard(results)
    for trait, value, words in [
        ("metric", "speed", "metric='speed' is not there; there is 'accuracy'"),
        ("dataset", "d", "dataset='d' is not there; there is 'a', 'b', 'c'"),
        ("test", "tomorrow", "test='tomorrow'"),
        ("mechanism", "MARS", "mechanism='MARS'"),
        ("show", ["best"], "show='best' is no strategy here"),
        ("every", -1, "every=-1"),
    ]:
        with pytest.raises(ValueError, match=words):
            setattr(board, trait, value)
    with pytest.raises(TypeError, match="source=int must be a Comparison"):
        md.StrategyDashboard(3)
    with pytest.raises(ValueError, match="at least one Comparison"):
        md.StrategyDashboard({})
    with pytest.raises(ValueError, match="without the columns"):
        md.StrategyDashboard(pd.DataFrame({"strategy": []}))
