"""The preset and the complexity table against R's rpart, whole trees on shipped data sets."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from data import make_xy

import mdtree_nb as md
from mdtree_nb import MDTreeClassifier, MDTreeRegressor, complexity_table
from mdtree_nb.presets import rpart
from mdtree_nb.prunings import CostComplexity

GOLDEN = json.loads((Path(__file__).parent / "golden" / "rpart_tables.json").read_text())
NAMES = ("auto_mpg", "glass", "horse_colic", "hepatitis")
FITTED = [0, 4, 19, 49, 99]


def case(name):
    """Table, labels and preset as R had them."""
    X, y = md.load(name).X, md.load(name).y
    if name == "auto_mpg":
        return X.apply(pd.to_numeric), y, rpart("regression", maxsurrogate=10)
    return X, y, rpart(cp=0.001, maxsurrogate=10)


@pytest.mark.parametrize("name", NAMES)
def test_whole_trees(name):
    X, y, model = case(name)
    tree = model.fit(X, y).tree_
    wanted = GOLDEN[name]
    assert sorted(tree.rows) == sorted(wanted["rows"])
    rows = X.iloc[FITTED]
    fitted = model.predict(rows) if name == "auto_mpg" else model.predict_proba(rows).ravel()
    np.testing.assert_allclose(fitted, wanted["fitted"], rtol=1e-8)


@pytest.mark.parametrize("name", NAMES)
def test_tables_without_folds(name):
    X, y, model = case(name)
    table = complexity_table(model, X, y, folds=0)
    wanted = np.array(GOLDEN[name]["table"])
    np.testing.assert_allclose(table.to_numpy(), wanted[:, :3], rtol=1e-8)


@pytest.mark.parametrize("name", ["auto_mpg", "glass"])
def test_tables_with_folds(name):
    """Of numbers; categories are no surrogates in rpart where they agree best."""
    X, y, model = case(name)
    table = complexity_table(model, X, y, folds=np.arange(len(y)) % 10)
    np.testing.assert_allclose(table.to_numpy(), GOLDEN[name]["table"], rtol=1e-8)


@pytest.mark.parametrize("name", ["auto_mpg", "glass"])
def test_importances_with_surrogates(name):
    X, y, model = case(name)
    found = model.fit(X, y).tree_.importances(surrogates=True)
    wanted = pd.Series(GOLDEN[name]["importance"]).reindex(X.columns, fill_value=0.0)
    np.testing.assert_allclose(found, wanted / wanted.sum(), rtol=1e-8)


# -- laws ---------------------------------------------------------------------------


@pytest.mark.parametrize("price", [0.0, 0.002, 0.02, 0.1, 2.0])
def test_of_numbers_it_is_pruning_by_impurity(price):
    for seed in range(3):
        X, y = make_xy(seed, 200, 4, "mcar", task="regression")
        model = MDTreeRegressor(pruning=CostComplexity(price)).fit(X, y)
        alpha = price * np.var(y) * (1 + 1e-12)
        assert model.tree_ == MDTreeRegressor(ccp_alpha=alpha).fit(X, y).tree_


def subtrees(tree, v=0):
    """All trees with root v that are left when splits are undone: sets of split nodes."""
    yield frozenset()
    if not tree.is_leaf[v]:
        left, right = tree.children(v)
        for a in subtrees(tree, left):
            for b in subtrees(tree, right):
                yield a | b | {v}


@pytest.mark.parametrize("missing", ["learned", "stop", "surrogate"])
def test_the_smallest_of_the_best_subtrees_is_left(missing):
    for seed in range(4):
        X, y = make_xy(seed, 80, 3, "mcar", rate=0.3, classes=3)
        options = {"missing": missing, "max_depth": 3, "min_samples_leaf": 3}
        tree = MDTreeClassifier(**options).fit(X, y).tree_
        counts = tree.value * tree.weight[:, None]

        def risk(splits, tree=tree, counts=counts):
            total, waiting = 0.0, [0]
            while waiting:
                v = waiting.pop()
                its = counts[v]
                if v in splits:
                    waiting += tree.children(v)
                    its = its - counts[tree.children(v)].sum(axis=0)  # those that stop here
                total += its.sum() - its[counts[v].argmax()]  # the node answers them
            return total

        every = {splits: risk(splits) for splits in subtrees(tree)}
        for price in (0.0, 0.01, 0.03, 0.1, 0.5):
            cost = {s: r + price * risk(frozenset()) * (len(s) + 1) for s, r in every.items()}
            least = min(cost.values())
            best = min((s for s, c in cost.items() if c <= least + 1e-9), key=len)
            pruned = MDTreeClassifier(pruning=CostComplexity(price), **options).fit(X, y).tree_
            assert pruned.n_nodes == 1 + 2 * len(best)
            splits_rows = sorted(tree.rows[sorted(best)])
            assert sorted(pruned.rows[~pruned.is_leaf]) == splits_rows


def test_a_line_of_the_table_is_the_tree_of_that_price():
    X, y, model = case("horse_colic")
    table = complexity_table(model, X, y, folds=3, random_state=0)
    assert (np.diff(table["complexity"]) < 0).all()
    assert (np.diff(table["splits"]) > 0).all()
    assert table.loc[0, ["splits", "error", "cv_error"]].tolist() == [0, 1, 1]
    for line in table.itertuples():
        model.set_params(pruning=CostComplexity(line.complexity)).fit(X, y)
        tree = model.tree_
        assert (~tree.is_leaf).sum() == line.splits
        ends = tree.is_leaf
        errors = (tree.weight * (1 - tree.value.max(axis=1)))[ends].sum()
        assert errors / (tree.weight[0] * (1 - tree.value[0].max())) == pytest.approx(line.error)


# -- bad input ----------------------------------------------------------------------


@pytest.mark.parametrize("wrong", [-0.1, None, "much", float("nan"), float("inf"), True])
def test_prices_that_are_none(wrong):
    X, y = make_xy(0)
    with pytest.raises(ValueError, match="complexity=.* must be a number of at least 0"):
        MDTreeClassifier(pruning=CostComplexity(wrong)).fit(X, y)


def test_tables_that_cannot_be_made():
    X, y = make_xy(0)
    with pytest.raises(ValueError, match="must be 'cost_complexity' or None"):
        complexity_table(MDTreeClassifier(pruning="pessimistic"), X, y)
    for folds in (1, 61, np.zeros(60), np.arange(3)):
        with pytest.raises(ValueError, match="folds"):
            complexity_table(MDTreeClassifier(), X, y, folds=folds)
    with pytest.raises(ValueError, match="all labels are the same"):
        complexity_table(MDTreeClassifier(), X, np.zeros(60))
    with pytest.raises(ValueError, match="task='survival'"):
        rpart("survival")


@pytest.mark.parametrize("missing", ["both_children", "trinary"])
def test_copied_rows_have_no_price(missing):
    X, y = make_xy(0, 150, rate=0.3)
    with pytest.raises(md.StrategyNotApplicable, match="use pruning='reduced_error'"):
        MDTreeClassifier(missing=missing, pruning="cost_complexity").fit(X, y)
    with pytest.raises(md.StrategyNotApplicable, match="counts in several of them"):
        complexity_table(MDTreeClassifier(missing=missing), X, y)


def test_rows_without_any_value_are_left_out():
    X, y = make_xy(0, 100)
    blank = np.vstack([X, np.full((3, 4), np.nan)])
    model = rpart(minsplit=5).fit(blank, [*y, 0, 1, 1])
    assert model.tree_ == rpart(minsplit=5).fit(X, y).tree_
    with pytest.raises(md.StrategyNotApplicable, match="no row has a known value"):
        rpart().fit(np.full((5, 2), np.nan), [0, 1, 0, 1, 0])
