"""The published studies as experiments: their grids, what must hold in them, the command."""

import io
import re
import zipfile

import numpy as np
import pandas as pd
import pytest

from mdtree_nb import Experiment, cli, eig2020, online, twala2020
from mdtree_nb.datasets import describe
from mdtree_nb.studies import eig_tables, get_study, list_studies
from mdtree_nb.studies.eig2020 import CoinHoles, arms
from mdtree_nb.studies.twala2020 import TABLES


def test_studies_are_found():
    assert list_studies() == ["eig2020", "twala2020"]
    assert get_study("twala2020") is twala2020
    with pytest.raises(ValueError, match="study='nothing' is not known; choose one of 'eig2020'"):
        get_study("nothing")


# -- Twala ------------------------------------------------------------------------


def test_the_stand_ins_are_21_complete_tables():
    assert len(TABLES) == len(set(TABLES)) == 21
    for name in TABLES:
        info = describe(name)
        assert info["cells_missing"] == 0
        assert info["task"] == "classification"


@pytest.fixture(scope="module")
def twala():
    return twala2020(["iris", "zoo"], folds=3).run()


def test_nineteen_tests_of_five_methods_on_one_tree(twala):
    assert len(twala) == 2 * 3 * 19 * 5
    assert twala["strategy"].unique().tolist() == ["tree"]
    sizes = twala.groupby(["mechanism", "rate"]).size()
    assert len(sizes) == 19
    assert sizes.nunique() == 1


def test_complete_rows_have_one_answer_and_fc_is_dtpe(twala):
    where = ["dataset", "mechanism", "rate", "fold"]
    wide = twala.pivot(index=where, columns="prediction", values="smoothed_error")
    whole = wide.xs("none", level="mechanism")
    np.testing.assert_allclose(whole, whole[["FC"]].to_numpy().repeat(5, axis=1), atol=1e-12)
    np.testing.assert_allclose(wide["FC"], wide["DTPE"], atol=1e-12)
    assert (wide["TSPE"] - wide["FC"]).abs().max() > 0.01
    assert (wide["EMMI"] - wide["FC"]).abs().max() > 0.01


def test_only_test_rows_lose_values_and_as_many_as_asked(twala):
    holes = twala.groupby(["dataset", "mechanism", "rate"])["holes"].mean()
    for name, p in (("iris", 4), ("zoo", 16)):
        for suite in ("MCARunifo", "MARunifo"):
            assert holes[name, suite, 0.3] == pytest.approx(0.3, abs=0.06)
        assert holes[name, "MCARuniva", 0.3] == pytest.approx(0.3 / p, abs=0.3 / p / 2)
    assert holes.groupby("rate").mean().is_monotonic_increasing


# -- EIG --------------------------------------------------------------------------


def test_tables_have_the_shapes_of_the_source():
    shapes = {name: (*X.shape, len(set(y))) for name, (X, y) in eig_tables().items()}
    assert shapes == {
        "wine": (178, 13, 3),
        "wdbc": (569, 30, 2),
        "car": (1728, 21, 4),
        "credit": (653, 46, 2),
        "make_classification": (500, 20, 2),
    }
    X, y = eig_tables(["credit"])["credit"]
    assert sorted(np.unique(y, return_counts=True)[1]) == [296, 357]
    assert X.notna().all(axis=None)
    with pytest.raises(ValueError, match="'nothing' is not one of 'wine', 'wdbc'"):
        eig_tables(["nothing"])


def test_coins_of_a_seed_are_nested_and_may_empty_a_row():
    X = pd.DataFrame(np.ones((60, 4)))
    low, high = (CoinHoles(rate, 3).make(X).X.isna() for rate in (0.3, 0.9))
    assert (low <= high).all(axis=None)
    assert high.all(axis=1).any()
    np.testing.assert_array_equal(low, np.random.RandomState(3).random_sample((60, 4)) < 0.3)


def test_the_program_gives_the_accuracies_of_its_own_run():
    """Means of 5 x 5 folds on wine at 50 %, as the authors' program prints them once mended."""
    wanted = {
        "program: mean": ((0.8750, 0.7224, 0.7559), 1e-3),
        "program: knn": ((0.8493, 0.7066, 0.7730), 0.01),  # equal distances, other neighbours
    }
    grid = eig2020("wine", strategies=list(wanted), rates=[0.5])
    found = grid.run().pivot_table(index="strategy", columns="test", values="accuracy")
    for name, (values, distance) in wanted.items():
        line = found.loc[name, ["complete", "missing", "imputed"]]
        assert line.to_list() == pytest.approx(values, abs=distance), name


def test_every_arm_runs_and_unknown_ones_are_named():
    grid = eig2020(["wine"], rates=[0.3], repeats=1, folds=2)
    assert len(grid) == len(arms()) * 2
    found = grid.run()
    assert len(found) == 3 * len(grid)
    assert (grid.cells()["status"] == "open").all()
    with pytest.raises(ValueError, match="strategies: 'c5' is not an arm of the study; choose"):
        eig2020(strategies=["c5"])


# -- tables from elsewhere --------------------------------------------------------

AUDIT = """Sector_score,LOCATION_ID,Money_Value,Audit_Risk,Risk
3.89,23,3.38,1.7148,1
3.89,LOHARU,0.94,0.5108,0
2.72,6,,0.3096,0
"""
AUTISM = """% a comment
@relation adult-weka
@attribute A1_Score {0,1}
@attribute age numeric
@attribute ethnicity {White-European, 'South Asian'}
@attribute contry_of_res {'United States', Austria}
@attribute result numeric
@attribute Class/ASD {NO, YES}
@DATA
1,26,White-European,'United States',6,NO
0,?,'South Asian',Austria,8,YES

1,30,?,Austria,7,YES
"""


def archive(member, text):
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as made:
        made.writestr(member, text)
    return content.getvalue()


@pytest.fixture
def uci(monkeypatch, tmp_path):
    """The archive of UCI, without a network."""
    asked = []

    def urlopen(url, timeout):
        asked.append(url)
        if "475" in url:
            return io.BytesIO(archive("audit_data/audit_risk.csv", AUDIT))
        return io.BytesIO(archive("Autism-Adult-Data.arff", AUTISM))

    monkeypatch.setattr(online.urllib.request, "urlopen", urlopen)
    monkeypatch.setenv("MDTREE_NB_DATA", str(tmp_path / "data"))
    return asked


def test_audit_with_and_without_the_column_that_tells(uci):
    data = online.fetch("audit")
    assert data.X.columns.tolist() == ["Sector_score", "LOCATION_ID", "Money_Value"]
    assert data.y.tolist() == ["1", "0", "0"]
    assert data.X["LOCATION_ID"].dtype == "category"
    assert "Audit_Risk" in online.fetch("audit", drop_leak=False).X
    assert len(uci) == 1  # the second time it was there
    X, y = eig_tables(["audit"])["audit"]
    assert X.columns.tolist() == [
        "Sector_score",
        "Money_Value",
        "LOCATION_ID_23",
        "LOCATION_ID_LOHARU",
    ]
    assert y.tolist() == ["1", "0"]  # the row with a hole is left out, as in the source


def test_autism_with_quotes_and_question_marks(uci):
    data = online.fetch("autism", drop_leak=False)
    assert data.X["age"].tolist()[::2] == [26, 30]
    assert data.X.isna().sum().to_dict() == {
        "A1_Score": 0, "age": 1, "ethnicity": 1, "contry_of_res": 0, "result": 0,
    }  # fmt: skip
    assert data.X["contry_of_res"].tolist() == ["United States", "Austria", "Austria"]
    assert "result" not in online.fetch("autism").X


def test_offline_the_way_out_is_named(monkeypatch, tmp_path):
    def urlopen(url, timeout):
        raise OSError("no network")

    monkeypatch.setattr(online.urllib.request, "urlopen", urlopen)
    with pytest.raises(OSError, match="could not be fetched .no network.; download https.*475.*"):
        online.fetch("audit", folder=tmp_path)
    with pytest.raises(ValueError, match="name='x' cannot be fetched"):
        online.fetch("x")
    (tmp_path / "audit.zip").write_bytes(b"<html>not found</html>")
    with pytest.raises(ValueError, match="holds no audit_risk.csv; delete it, and fetch again"):
        online.fetch("audit", folder=tmp_path)
    (tmp_path / "audit.zip").write_bytes(archive("audit_risk.csv", "a,b\n1,2\n"))
    with pytest.raises(ValueError, match="has no column 'Risk'"):
        online.fetch("audit", folder=tmp_path)


# -- the command ------------------------------------------------------------------


def test_the_command_goes_on_where_it_stopped(tmp_path, capsys):
    store = str(tmp_path / "results.sqlite")
    command = ["experiment", "twala2020", "--store", store, "--datasets", "iris,zoo", "--quiet"]
    command += ["--folds", "2", "--rates", "0,0.3"]
    assert cli.main([*command, "--max-cells", "3"]) == 0
    assert re.search("3 done, 1 open of 4 cells", capsys.readouterr().out)
    assert cli.main([*command, "--jobs", "1", "--retry-failed"]) == 0
    shown = capsys.readouterr().out
    assert "4 done of 4 cells" in shown
    assert re.search("prediction +DTPE +EMMI +FC +LPE +TSPE", shown)
    assert re.search("MARunifo +0.3 +missing( +0[.]\\d{1,3}){5}", shown)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nothing", "--store", "x"], "study='nothing' is not known"),
        (["twala2020", "--store", "nowhere/x"], "there is no folder 'nowhere'"),
        (["twala2020", "--store", "x", "--datasets", "irs"], "'irs' is not a known data set"),
        (["twala2020", "--store", "x", "--rates", "a"], "could not convert string to float"),
    ],
)
def test_mistakes_of_the_command(arguments, message, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert cli.main(["experiment", *arguments]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1
    assert not (tmp_path / "x").exists()


def test_stopping_the_command_says_how_to_go_on(tmp_path, monkeypatch, capsys):
    def stopped(*args, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr(Experiment, "run", stopped)
    command = ["experiment", "twala2020", "--store", str(tmp_path / "x"), "--datasets", "iris"]
    assert cli.main(command) == 2
    assert "stopped; the same command goes on from here" in capsys.readouterr().err


def test_failures_are_named_by_the_command(tmp_path, monkeypatch, capsys):
    from mdtree_nb.strategies import Tspe

    def failing(*args):
        raise RuntimeError("a reason")

    monkeypatch.setattr(Tspe, "study", failing)
    command = ["experiment", "twala2020", "--store", str(tmp_path / "x"), "--datasets", "iris"]
    assert cli.main([*command, "--quiet", "--folds", "2", "--rates", "0"]) == 0
    shown = capsys.readouterr().out
    assert "2 failed of 2 cells" in shown
    assert "failed: tree on iris, fold 0: RuntimeError: a reason" in shown
    assert "EMMI" in shown
