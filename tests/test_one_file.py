"""Adding a strategy means adding one file.

A strategy of 25 lines, written into a folder of its own, is found by name, grows, predicts
and keeps the laws of the contract.
"""

import textwrap

import numpy as np
import pytest
import test_strategies_contract as laws
from data import MECHANISMS, make_xy

from mdtree_nb import MDTreeClassifier, compare, strategies

SOURCE = '''
"""heavier: missing values follow the heavier child unless it is pure."""

import numpy as np

from mdtree_nb.tree.strategy import Strategy


class Heavier(Strategy):
    """Score cuts like `learned`, but only by a table; send missing rows to the left side
    where that is heavier, else to the right.
    """

    name = "heavier"
    experimental = True

    def score_table(self, cuts):
        """Gain of the known rows, times the square of their share."""
        known_share = cuts.known.weight / cuts.everything.weight
        gain = cuts.gain(cuts.known, cuts.left, cuts.right) * known_share
        branch = np.where(cuts.left.weight > cuts.right.weight, 0, 1)
        return gain, branch
'''


@pytest.fixture
def heavier(tmp_path, monkeypatch):
    (tmp_path / "heavier.py").write_text(textwrap.dedent(SOURCE), encoding="utf-8")
    monkeypatch.setattr(strategies, "__path__", [*strategies.__path__, str(tmp_path)])
    strategies.all_strategies.cache_clear()
    monkeypatch.setitem(laws.STRATEGIES, "heavier", strategies.all_strategies()["heavier"])
    yield "heavier"
    strategies.all_strategies.cache_clear()


def test_it_is_found_by_name_and_listed_in_errors(heavier):
    X, y = make_xy(0)
    assert MDTreeClassifier(missing="heavier").fit(X, y).tree_.n_nodes > 3
    with pytest.raises(ValueError, match="'guide', 'heavier', 'indicator'"):
        MDTreeClassifier(missing="heavyer").fit(X, y)
    assert strategies.Heavier.name == "heavier"


@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_it_keeps_the_laws(heavier, mechanism):
    laws.test_shares_sum_to_one(heavier, mechanism, MDTreeClassifier, 0)
    laws.test_weights_add_up_at_every_node(heavier, mechanism, 0)
    laws.test_row_order_is_irrelevant(heavier, mechanism, 0)
    laws.test_a_prediction_does_not_depend_on_its_batch(heavier, mechanism, 0)
    laws.test_explanations_add_up_to_the_prediction(heavier, mechanism, MDTreeClassifier)
    for splits in ("exact", "below"):
        laws.test_training_rows_arrive_where_they_were_in_training(heavier, mechanism, splits)


def test_it_composes_with_the_others(heavier):
    laws.test_complete_data_gives_the_plain_tree(heavier, 0)
    laws.test_every_prediction_strategy_fits_every_tree(heavier)
    laws.test_weight_zero_is_absence(heavier)
    laws.test_mixed_columns(heavier)


def test_comparisons_take_it_by_name_and_not_by_default(heavier):
    X, y = make_xy(1)
    result = compare(X, y, ["heavier", "learned"], folds=3, repeats=1)
    assert np.isfinite(result.scores.to_numpy()).all()
    from mdtree_nb.evaluation.candidates import default_strategies

    assert "heavier" not in default_strategies()


def test_columns_may_close_below_a_split():
    """`inherit`: a column is tested once on every path."""

    class Once(strategies.Strategy):
        mode = "known"
        plain = True

        def inherit(self, allowed, split, branch):
            rest = allowed.copy()
            rest[split.feature] = False
            return rest

    X, y = make_xy(2, n=200)
    tree = MDTreeClassifier(missing=Once()).fit(X, y).tree_
    assert tree.max_depth == X.shape[1]
    for v in range(tree.n_nodes):
        path = []
        while v >= 0:
            path.append(tree.feature[v])
            v = tree.parent[v]
        used = [f for f in path if f >= 0]
        assert len(used) == len(set(used))


def test_columns_may_be_closed_by_their_holes():
    """`features`: only columns that no row of the node misses."""

    class Complete(strategies.Strategy):
        mode = "known"
        plain = True

        def features(self, known, rows):
            return known == rows[:, None]

    X, y = make_xy(3, n=200)
    X[:, 2] = np.nan_to_num(X[:, 2])
    tree = MDTreeClassifier(missing=Complete()).fit(X, y).tree_
    assert tree.feature[0] == 2
    assert (tree.missing_weight == 0).all()
    nothing = np.full((200, 2), np.nan)
    nothing[0] = 1
    assert MDTreeClassifier(missing=Complete()).fit(nothing, y).tree_.n_nodes == 1
