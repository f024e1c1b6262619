"""Made-up tables: the generators and what their holes depend on."""

import numpy as np
import pytest
from scipy.special import expit
from sklearn.datasets import make_classification
from sklearn.metrics import roc_auc_score

import mdtree_nb as md
from mdtree_nb.datasets import make_synth

KINDS = ["mcar", "mnar", "mcar_binary", "mnar_binary"]
N = 4000


def truth(kind, n=N, seed=0):
    """Values before holes were made, and class numbers."""
    two = kind.endswith("_binary")
    return make_classification(
        n, 20, n_informative=10, n_redundant=4, n_classes=2 if two else 3,
        n_clusters_per_class=3 if two else 2, class_sep=1.0, flip_y=0.02, random_state=seed,
    )  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_info_is_computed(kind):
    data = make_synth(kind, n=N)
    info, holes = data.info, data.X.isna()
    assert data.X.shape == (info["rows"], info["features"]) == (N, 20)
    assert list(data.X) == info["numeric"] == [f"x{i}" for i in range(20)]
    assert (data.X.dtypes == np.float64).all()
    assert info["cells_missing"] == holes.to_numpy().sum()
    assert info["rows_incomplete"] == holes.any(axis=1).sum()
    assert info["columns_incomplete"] == holes.any(axis=0).sum()
    assert info["classes"] == data.y.value_counts().to_dict()
    assert data.y.name == info["target"]
    assert set(info) >= set(md.datasets.describe("figure1")) - {"note", "sha256"}
    assert repr(data) == f"Dataset('synth_{kind}', 4000 rows, 20 columns)"


@pytest.mark.parametrize("kind", KINDS)
def test_known_values_and_labels_are_those_of_the_generator(kind):
    data, (X, codes) = make_synth(kind, n=N), truth(kind)
    known = data.X.notna().to_numpy()
    np.testing.assert_array_equal(data.X.to_numpy()[known], X[known])
    assert (data.y == [f"c{code}" for code in codes]).all()


@pytest.mark.parametrize("kind", KINDS)
def test_masks_step_by_step(kind):
    """One stream of random numbers: first mcar's mask, then mnar's."""
    X, codes = truth(kind, seed=1)
    rng = np.random.default_rng(1)
    holes = rng.random(X.shape) < 0.2
    if kind.startswith("mnar"):
        shift = [-0.7, 0.7] if kind.endswith("binary") else [-0.7, 0.0, 0.7]
        z = (X - X.mean(axis=0)) / X.std(axis=0)
        holes = rng.random(X.shape) < expit(1.2 * z + np.take(shift, codes)[:, None] - 1.9)
    got = make_synth(kind, n=N, random_state=1).X.isna().to_numpy()
    np.testing.assert_array_equal(got, holes)


@pytest.mark.parametrize("kind", ["mcar", "mcar_binary"])
def test_holes_at_random_depend_on_nothing(kind):
    data, (X, codes) = make_synth(kind, n=N), truth(kind)
    holes = data.X.isna().to_numpy()
    deviation = np.sqrt(0.2 * 0.8 / holes.size)
    assert abs(holes.mean() - 0.2) < 4 * deviation
    for j in range(20):
        gone = holes[:, j].sum()
        sd = np.sqrt((N + 1) / (12 * gone * (N - gone)))
        assert abs(roc_auc_score(holes[:, j], X[:, j]) - 0.5) < 4 * sd
    for code in np.unique(codes):
        mine = holes[codes == code]
        assert abs(mine.mean() - 0.2) < 4 * np.sqrt(0.2 * 0.8 / mine.size)


@pytest.mark.parametrize("kind", ["mnar", "mnar_binary"])
def test_informative_holes_follow_value_and_class(kind):
    data, (X, codes) = make_synth(kind, n=N), truth(kind)
    holes = data.X.isna().to_numpy()
    assert 0.17 < holes.mean() < 0.22
    for j in range(20):  # high values are lost
        assert roc_auc_score(holes[:, j], X[:, j]) > 0.65
    # and, between rows alike in value, more of them in later classes
    z = (X - X.mean(axis=0)) / X.std(axis=0)
    middle = np.abs(z) < 0.25
    rates = [holes[codes == code][middle[codes == code]].mean() for code in np.unique(codes)]
    shift = np.linspace(-0.7, 0.7, len(rates))
    np.testing.assert_allclose(rates, expit(shift - 1.9), atol=0.025)


@pytest.mark.parametrize("binary", ["", "_binary"])
def test_only_informative_holes_tell_the_class(binary):
    """A tree that sees nothing but which cells are blank."""
    scores = {}
    for world in ("mcar", "mnar"):
        data = make_synth(world + binary, n=N)
        blank = data.X.isna().to_numpy(float)
        tree = md.MDTreeClassifier(max_depth=6, min_samples_leaf=20)
        tree.fit(blank[: N // 2], data.y[: N // 2])
        share = data.y[N // 2 :].value_counts(normalize=True).max()
        scores[world] = tree.score(blank[N // 2 :], data.y[N // 2 :]) - share
    assert scores["mcar"] < 0.04
    assert scores["mnar"] > 0.08


def test_kinds_with_as_many_classes_differ_in_holes_alone():
    for one, other in [("mcar", "mnar"), ("mcar_binary", "mnar_binary")]:
        a, b = make_synth(one, n=300), make_synth(other, n=300)
        assert (a.y == b.y).all()
        both = a.X.notna() & b.X.notna()
        assert (a.X.where(both) == b.X.where(both)).to_numpy()[both.to_numpy()].all()
        assert (a.X.isna() != b.X.isna()).to_numpy().any()


def test_seeds():
    a, b = make_synth("mnar", n=50, random_state=3), make_synth("mnar", n=50, random_state=3)
    assert a.X.equals(b.X)
    assert a.y.equals(b.y)
    assert not a.X.equals(make_synth("mnar", n=50, random_state=4).X)
    states = [np.random.RandomState(5) for _ in range(2)]
    a, b = (make_synth(n=50, random_state=state) for state in states)
    assert a.X.equals(b.X)
    assert not a.X.equals(make_synth(n=50, random_state=states[0]).X)
    assert not make_synth(n=50, random_state=None).X.equals(make_synth(n=50, random_state=None).X)


def test_source_says_how_to_make_it_again():
    data = make_synth("mnar", n=50, random_state=np.random.RandomState(7))
    call = data.info["source"].removeprefix("mdtree_nb, ")
    assert eval(call, {"make_synth": make_synth}).X.equals(data.X)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("n", [1, 2, 7])
def test_few_rows(kind, n):
    data = make_synth(kind, n=n)
    assert data.X.shape == (n, 20)
    assert sum(data.info["classes"].values()) == n


@pytest.mark.parametrize(
    "arguments, error, message",
    [
        ({"kind": "nmar"}, ValueError, "kind='nmar' is not a known kind .*did you mean 'mnar'"),
        ({"kind": "xyz"}, ValueError, "kind='xyz' .*; choose one of 'mcar', 'mnar'"),
        ({"kind": 1}, TypeError, "kind=1 is not text"),
        ({"n": 0}, ValueError, "n=0: a table has at least one row; give n >= 1"),
        ({"n": -5}, ValueError, "n=-5"),
        ({"n": 10.0}, TypeError, "n=10.0 is not a whole number"),
        ({"n": True}, TypeError, "n=True is not a whole number"),
        ({"random_state": -1}, ValueError, "random_state=-1 is out of range"),
        ({"random_state": 2**32}, ValueError, "out of range"),
        ({"random_state": "seed"}, ValueError, "'seed' cannot be used to seed"),
    ],
)
def test_bad_input(arguments, error, message):
    with pytest.raises(error, match=message):
        make_synth(**arguments)
