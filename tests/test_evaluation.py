"""Comparisons and their statistics."""

import numpy as np
import pandas as pd
import pytest
from data import make_frame, make_xy
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.model_selection import KFold
from sklearn.tree import DecisionTreeClassifier

from mdtree_nb import Comparison, MDTreeClassifier, compare
from mdtree_nb.evaluation import corrected_resampled_ttest, holm, smallest_visible_difference
from mdtree_nb.evaluation.candidates import default_strategies
from mdtree_nb.inputs import guess_task
from mdtree_nb.strategies import Learned

D = [0.02, 0.01, 0.03, -0.01, 0.02, 0, 0.04, 0.01, 0.02, 0.01]


def test_corrected_t_test_of_nadeau_and_bengio():
    test = corrected_resampled_ttest(D, 1 / 9)
    assert test.mean == pytest.approx(0.015)
    assert test.t == pytest.approx(2.277042, abs=1e-6)
    assert test.p_value == pytest.approx(0.048798, abs=1e-6)
    assert (test.low, test.high) == pytest.approx((0.000098, 0.029902), abs=1e-6)
    assert corrected_resampled_ttest(D, 0).t == pytest.approx(3.308466, abs=1e-6)
    assert smallest_visible_difference(D, 1 / 9) == pytest.approx(0.029902 - 0.015, abs=1e-6)


def test_equal_and_too_few_differences():
    assert corrected_resampled_ttest([0, 0, 0], 0.25).p_value == 1
    assert corrected_resampled_ttest([0.25] * 3, 0.25).p_value == 0
    with pytest.raises(ValueError, match="two or more folds"):
        corrected_resampled_ttest([0.1], 0.25)


def test_every_strategy_sees_the_same_folds():
    X, y = make_xy(0, n=100)
    result = compare(X, y, ["learned", Learned()], folds=4, repeats=2)
    assert result.scores.shape == (2, 8)
    np.testing.assert_array_equal(*result.scores.to_numpy())
    assert result.detectable == 0
    assert result.test_to_train == pytest.approx(1 / 3)


def test_default_is_every_checked_strategy():
    frame, y = make_frame(0, 120)
    result = compare(frame, y, folds=3, repeats=1)
    assert sorted(result.scores.index) == sorted(default_strategies())
    table = result.summary()
    assert (table["mean"].diff().dropna() <= 0).all()
    assert table["behind"].iloc[0] == 0
    assert table["p_value"].between(0, 1).all()
    assert result.best == table.index[0]
    assert table.index[0] in result.sentence()
    assert result.baseline == pytest.approx(max(np.unique(y, return_counts=True)[1]) / 120)


class Recorder(ClassifierMixin, BaseEstimator):
    """Writes down what it was fitted on."""

    seen: list = []

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        Recorder.seen.append(np.asarray(X, float).copy())
        return self

    def predict(self, X):
        return np.repeat(self.classes_[:1], len(X))


class Broken(Recorder):
    def fit(self, X, y):
        raise RuntimeError("deliberate failure")


def test_nothing_is_learned_from_test_rows():
    X = np.arange(50.0)[:, None].repeat(2, 1)
    X[::4, 1] = np.nan
    Recorder.seen = []
    compare(X, np.arange(50) % 2, {"recorder": Recorder()}, cv=KFold(5))
    assert [len(seen) for seen in Recorder.seen] == [40] * 5
    for seen in Recorder.seen:
        np.testing.assert_array_equal(np.isnan(seen[:, 1]), seen[:, 0] % 4 == 0)


def test_failures_are_shown_and_ranked_last():
    X, y = make_xy(1, n=80)
    X[:, 0] = np.where(np.arange(80) % 2, X[:, 0], np.nan)
    X[:, 1] = np.where(np.arange(80) % 2, np.nan, X[:, 1])
    result = compare(
        X, y, {"broken": Broken(), "discard": "discard", "good": "learned"}, folds=4, repeats=1
    )
    assert result.best == "good"
    assert list(result.summary().index)[0] == "good"
    assert result.scores.loc["broken"].isna().all()
    assert "deliberate failure" in result.problems["broken"]
    assert result.problems["discard"].startswith("not applicable")
    assert "deliberate failure" in repr(result)
    nothing = compare(X, y, {"broken": Broken()}, folds=4, repeats=1)
    assert nothing.best is None
    assert nothing.sentence() == "No strategy could be compared."


def test_undefined_scores_are_missing():
    X, y = np.arange(40.0)[:, None], (np.arange(40) >= 15).astype(int)
    result = compare(X, y, ["learned"], cv=KFold(4), scoring="roc_auc")
    scores = result.scores.loc["learned"].to_numpy()
    np.testing.assert_array_equal(np.isnan(scores), [True, False, True, True])


def test_other_estimators_and_regression():
    X, y = make_xy(2, n=120, task="regression")
    result = compare(X, y, ["learned", "mean"], folds=3, repeats=1)
    assert result.scoring == "r2"
    assert result.baseline < 0.01
    X, y = make_xy(2, n=120)
    result = compare(
        X,
        y,
        {"scikit-learn": DecisionTreeClassifier(max_depth=2, random_state=0), "ours": "learned"},
        estimator=MDTreeClassifier(max_depth=2),
        folds=3,
        repeats=1,
    )
    assert abs(result.scores.loc["ours"] - result.scores.loc["scikit-learn"]).max() < 0.1


def test_save_and_load(tmp_path):
    X, y = make_xy(3)
    result = compare(X, y, ["learned", "left"], folds=3, repeats=1)
    result.save(tmp_path / "comparison.json")
    again = Comparison.load(tmp_path / "comparison.json")
    pd.testing.assert_frame_equal(again.summary(times=True), result.summary(times=True))
    assert repr(again) == repr(result)
    assert again.sentence() == result.sentence()


def comparison_of(**scores):
    folds = [
        {"strategy": name, "fold": k, "score": score, "n_leaves": 1}
        | {"fit_seconds": 0.0, "predict_seconds": 0.0}
        for name, values in scores.items()
        for k, score in enumerate(values)
    ]
    return Comparison(pd.DataFrame(folds), "accuracy", 0.25, 0.5)


NOISE = np.array([0.1, -0.1, 0.05, -0.05])


@pytest.mark.parametrize(
    ("scores", "end"),
    [
        ({"a": NOISE + 0.8}, "always giving the same answer has 0.500."),
        ({"a": NOISE + 0.8, "b": 0.79 - NOISE}, ": the other is that close."),
        ({"a": NOISE + 0.8, "b": NOISE + 0.8}, "below 0.000 is not visible here: the other is"),
        ({"a": NOISE + 0.8, "b": NOISE / 2 + 0.2}, ": the other is not that close."),
        ({"a": NOISE + 0.8, "b": 0.79 - NOISE, "c": 0.2 + NOISE}, ": 1 of the 2 others is that"),
        ({"a": NOISE + 0.8, "b": 0.79 - NOISE, "c": 0.78 - NOISE}, ": all others are that close."),
        ({"a": NOISE + 0.8, "b": NOISE / 2, "c": -NOISE}, ": none of the others is that close."),
    ],
)
def test_sentences(scores, end):
    assert end in comparison_of(**scores).sentence()


def test_impossible_comparisons():
    X, y = make_xy(4)
    with pytest.raises(ValueError, match="single class"):
        compare(X, np.zeros(len(X)))
    with pytest.raises(ValueError, match="folds=5 is more than the 2 rows of class 'b'"):
        compare(X, np.array(["a"] * 58 + ["b"] * 2))
    with pytest.raises(ValueError, match="nothing to draw"):
        compare(X, y, {"broken": Broken()}, folds=3, repeats=1).plot()


@pytest.mark.parametrize(
    ("y", "task"),
    [
        ([0, 1, 1, 0], "classification"),
        ([1.0, 2.0, 1.0], "classification"),
        ([1.5, 2.0, 1.0], "regression"),
        (np.arange(30), "regression"),
        (["a", "b"], "classification"),
        ([True, False], "classification"),
        (pd.Series([1, None, 2], dtype="Int64"), "classification"),
    ],
)
def test_task_is_guessed_from_the_target(y, task):
    assert guess_task(y) == task


@pytest.mark.parametrize("function", [corrected_resampled_ttest, smallest_visible_difference])
@pytest.mark.parametrize(
    ("differences", "ratio", "message"),
    [
        ([0.1, np.nan], 0.25, "differences holds 1 values that are missing or infinite"),
        ([0.1, np.inf, -np.inf], 0.25, "differences holds 2 values"),
        ([0.1, 0.2], -1.0, "test_to_train=-1.0 must be a number of at least 0"),
        ([0.1, 0.2], np.nan, "test_to_train=nan must be"),
    ],
)
def test_differences_and_ratios_that_are_none(function, differences, ratio, message):
    with pytest.raises(ValueError, match=message):
        function(differences, ratio)


def test_holm_takes_lists_and_leaves_out_what_was_not_tested():
    assert holm([0.01, 0.04]).tolist() == [0.02, 0.04]
    np.testing.assert_array_equal(holm([0.01, np.nan, 0.04]), [0.02, np.nan, 0.04])
    assert holm([]).tolist() == []
    for wrong in ([0.1, 1.2], [-0.1], [[0.1, 0.2]]):
        with pytest.raises(ValueError, match="must be numbers from 0 to 1"):
            holm(wrong)


def unequal_splits(n=60):
    rng = np.random.default_rng(0)
    rows = rng.permutation(n)
    return [(np.delete(rows, np.s_[a:b]), rows[a:b]) for a, b in ((0, 6), (6, 30), (30, 60))]


def test_the_ratio_of_parts_is_that_of_all_splits():
    X, y = make_xy(0, n=60)
    splits = unequal_splits()
    found = compare(X, y, ["learned", "left"], cv=splits)
    back = compare(X, y, ["learned", "left"], cv=splits[::-1])
    assert found.test_to_train == pytest.approx(np.mean([6 / 54, 24 / 36, 30 / 30]))
    assert found.summary()["p_value"].tolist() == pytest.approx(back.summary()["p_value"].tolist())
    masks = [tuple(np.isin(np.arange(60), part) for part in split) for split in splits]
    by_mask = compare(X, y, ["learned", "left"], cv=masks)
    assert by_mask.test_to_train == found.test_to_train
    assert by_mask.scores.equals(found.scores)  # in whatever order the rows come


@pytest.mark.parametrize(
    ("train", "test", "message"),
    [
        (range(40), [], "the test part of split 0 in cv is empty"),
        (np.zeros(60, bool), np.ones(60, bool), "the training part of split 0 in cv is empty"),
        (range(40), [59, 60], "names row 60, but X has the rows 0 to 59"),
        (range(40), np.ones(59, bool), "neither numbers of rows nor a mask of 60 truths"),
        (range(40), [0.5], "neither numbers of rows nor a mask"),
    ],
)
def test_splits_that_are_none(train, test, message):
    X, y = make_xy(0, n=60)
    with pytest.raises(ValueError, match=message):
        compare(X, y, ["learned"], cv=[(train, test)])


def of_scores(scores, **options):
    """A comparison with these scores, a line per strategy."""
    table = pd.DataFrame(scores).T
    folds = table.rename_axis("strategy").reset_index().melt("strategy", var_name="fold")
    folds = folds.rename(columns={"value": "score"}).assign(n_leaves=1.0)
    return Comparison(folds, "log_loss", 0.25, 1.0, **options)


N = np.nan


def test_strategies_are_set_beside_each_other_on_the_folds_that_both_have():
    # few has only the easy folds: its mean is the best, but there it is the last
    scores = {"few": [0.3, 0.3, N, N], "a": [0.1, 0.2, 0.9, 0.8], "b": [0.2, 0.2, 0.9, 0.9]}
    result = of_scores(scores, higher_is_better=False)
    assert result.ranked == ["a", "b", "few"]
    table = result.summary()
    assert table["behind"].tolist() == pytest.approx([0, 0.05, 0.15])
    pairs = result.differences()
    assert pairs[["a", "b"]].to_numpy().tolist() == [["a", "b"], ["a", "few"], ["b", "few"]]
    assert pairs["difference"].tolist() == pytest.approx([-0.05, -0.15, -0.1])
    assert table["p_value"].tolist()[1:] == pairs["p_value"].tolist()[:2]
    assert table.loc["few", "note"] == (
        "log_loss has no value in 2 of 4 folds; behind and p_value are of the 2 folds that the "
        "best has too"
    )
    assert "a is ahead by log_loss on the folds that each pair has" in result.sentence()
    assert "1 of the 2 others has no value in some folds" in result.sentence()
    apart = ([-0.1, 0, 0, -0.1], [-0.2, -0.1], [-0.1, -0.1])
    limits = [smallest_visible_difference(d, 0.25) for d in apart]
    assert result.detectable == pytest.approx(np.median(limits))


def test_the_best_may_be_the_one_that_lacks_folds():
    result = of_scores({"few": [0.9, 0.9, N, N], "a": [0.1, 0.2, 0.95, 0.95]})
    assert result.summary()["note"].tolist() == [
        "log_loss has no value in 2 of 4 folds",
        "behind and p_value are of the 2 folds that the best has too",
    ]
    assert "Here log_loss has no value in 2 of 4 folds." in result.sentence()
    assert "in some folds" not in result.sentence()


def test_orders_when_folds_are_missing():
    # a beats b by 1, b beats c by 2, c beats a by 1.5: b is beaten by the least
    circle = of_scores({"a": [2, N, 1], "b": [1, 3, N], "c": [N, 1, 2.5]})
    assert circle.ranked == ["b", "a", "c"]
    assert circle.summary()["behind"].tolist() == [0, -1, 2]
    assert (circle.differences()["difference"] > 0).all()
    alone = of_scores({"alone": [N, N, 9], "a": [1, 2, N], "b": [1, 3, N]})
    assert alone.ranked == ["b", "a", "alone"]
    assert np.isnan(alone.summary().loc["alone", "behind"])
    assert of_scores({"none": [N, N], "a": [1, 2]}).ranked == ["a"]
    assert of_scores({"none": [N, N]}).best is None
