"""The command: one good run, and every way to hold it wrong."""

import re
import subprocess
import sys
from types import SimpleNamespace

import nbformat
import numpy as np
import pandas as pd
import pytest

from mdtree_nb import Comparison, cli
from mdtree_nb.report import ranking


@pytest.fixture
def table(tmp_path):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(80, 3)), columns=["a", "b", "c"])
    frame["word"] = rng.choice(["red", "blue", "?"], 80)
    frame["label"] = np.where(frame["a"] > 0, "yes", "no")
    frame.loc[::7, "b"] = np.nan
    path = tmp_path / "table.csv"
    frame.to_csv(path, index=False)
    return path


FAST = ["--folds", "3", "--repeats", "1", "--quiet"]


def run(*arguments):
    return cli.main(["compare", *map(str, arguments), *FAST])


def test_report_on_a_table(table, tmp_path, capsys):
    out = tmp_path / "out"
    assert run("--data", table, "--target", "label", "--out", out) == 0
    shown = capsys.readouterr().out
    assert "80 rows, 4 columns, classification of label" in shown
    assert "column 'word' holds '?'; if that means missing, add --na '?'" in shown
    for name in ("learned", "fractional", "own_child", "mean"):
        assert name in shown
    assert "is not visible here" in shown
    book = nbformat.read(out / "comparison.ipynb", as_version=4)
    code = [c for c in book.cells if c.cell_type == "code"]
    assert [c.execution_count for c in code] == list(range(1, len(code) + 1))
    assert not any(o.output_type == "error" for c in code for o in c.outputs)
    assert any("image/png" in o.get("data", {}) for c in code for o in c.outputs)
    page = (out / "comparison.html").read_text(encoding="utf-8")
    assert "Which missing-value strategy for table.csv?" in page
    assert "rows:" in page


def test_bundled_table_without_report(capsys):
    assert run("--no-report", "--strategies", "learned,majority") == 0
    shown = capsys.readouterr().out
    assert "horse_colic: 366 rows, 20 columns" in shown
    assert "always giving the same answer has 0.615" in shown


def test_options_reach_the_table(table, capsys):
    options = ["--data", table, "--target", "label", "--no-report", "--strategies", "learned"]
    assert run(*options, "--na", "?", "--drop", "c") == 0
    shown = capsys.readouterr().out
    assert "80 rows, 3 columns" in shown
    assert "holds '?'" not in shown
    assert run(*options[:2], "--target", "a", "--no-report", "--strategies", "learned") == 0
    assert "regression of a" in capsys.readouterr().out


def test_options_reach_the_comparison(capsys, monkeypatch):
    import mdtree_nb.evaluation as evaluation

    asked = {}

    def compare(X, y, strategies, **options):
        asked.update(options)
        return evaluation_compare(X, y, strategies, **options)

    evaluation_compare = evaluation.compare
    monkeypatch.setattr(evaluation, "compare", compare)
    options = "--scoring brier --amputate MNARunifo --rate 0.1 --test-missing as_is --budget 30"
    more = "--jobs 1 --pruning pessimistic --strategies learned,mean --no-report"
    assert run(*options.split(), *more.split()) == 0
    assert "has the lowest mean brier" in capsys.readouterr().out
    wanted = {"scoring": "brier", "test_missing": "as_is", "budget": 30, "n_jobs": 1}
    assert asked | wanted | {"pruning": "pessimistic"} == asked
    holes = asked["amputate"].get_params()
    assert (holes["mechanism"], holes["rate"], holes["method"].pattern) == ("MNAR", 0.1, "uniform")
    assert cli._amputer(SimpleNamespace(amputate="MAR", rate=0.3)).mechanism == "MAR"


def test_parquet(table, capsys):
    path = table.with_suffix(".parquet")
    pd.read_csv(table).to_parquet(path)
    assert run("--data", path, "--target", "label", "--no-report", "--strategies", "mean") == 0
    assert "80 rows, 4 columns" in capsys.readouterr().out


def test_rows_without_a_label_are_counted(table, capsys):
    frame = pd.read_csv(table)
    frame.loc[:4, "label"] = None
    frame.to_csv(table, index=False)
    assert run("--data", table, "--target", "label", "--no-report", "--strategies", "left") == 0
    assert "5 rows without label are left out" in capsys.readouterr().out


def latin(path):
    path.write_bytes("größe,label\n1,a\n2,b\n".encode("latin-1"))


def write(text):
    return lambda path: path.write_text(text, encoding="utf-8")


WRONG = [
    (
        write("a,label\n1,x\n2,y\n"),
        ["--target", "lable"],
        "no column 'lable'. Did you mean 'label'",
    ),
    (write("a,label\n1,x\n2,y\n"), [], "--target is missing; choose one of 'a', 'label'"),
    (write("a,label\n1,\n2,\n"), ["--target", "label"], "column 'label' is empty"),
    (write("a,label\n1,x\n2,x\n3,x\n4,x\n"), ["--target", "label"], "single class 'x'"),
    (write("label\nx\ny\n"), ["--target", "label"], "no column besides 'label'"),
    (write("a,label\n1,x\n2,y\n"), ["--target", "label"], "folds=3 is more than the 1 rows"),
    (write(""), ["--target", "label"], "is empty"),
    (
        write("a,b,label\n" + "1,2,x\n3,4,y\n" * 9),
        ["--target", "label", "--amputate", "MARS"],
        "--amputate: name='MARS' is not a scenario; .* Or pass MCAR, MAR or MNAR",
    ),
    (
        write("a,b,label\n" + "1,,x\n3,4,y\n" * 9),
        ["--target", "label", "--test-missing", "complete"],
        "test_missing='complete' needs a table without holes, but X has 9",
    ),
    (write('a,label\n"1,x\n2,y\n'), ["--target", "label"], "not a readable CSV file"),
    (latin, ["--target", "label"], "is not utf-8 text .* --encoding latin-1"),
    (latin, ["--target", "label", "--encoding", "klingon"], "not an encoding that Python knows"),
    (
        write("when,label\n" + "2020-01-01,x\n2020-01-02,y\n" * 5),
        ["--target", "label", "--strategies", "lerned"],
        "'lerned' is not a known strategy",
    ),
]


@pytest.mark.parametrize(("make", "options", "message"), WRONG, ids=[w[2][:30] for w in WRONG])
def test_mistakes_get_one_sentence_and_exit_code_2(make, options, message, tmp_path, capsys):
    path = tmp_path / "table.csv"
    make(path)
    assert run("--data", path, *options) == 2
    captured = capsys.readouterr()
    lines = captured.err.strip().splitlines()
    assert len(lines) == 1, captured.err
    assert lines[0].startswith("mdtree-nb: ")
    assert re.search(message, lines[0]), lines[0]


def test_no_such_file_and_folder(tmp_path, capsys):
    assert run("--data", tmp_path / "none.csv", "--target", "y") == 2
    assert "there is no file" in capsys.readouterr().err
    assert run("--data", tmp_path, "--target", "y") == 2
    assert "is a folder" in capsys.readouterr().err
    assert run("--target", "y") == 2
    assert "--target goes with --data" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--drop", "nope"], "horse_colic has no column 'nope'. It has "),
        (["--drop", "Puls"], "Did you mean 'Pulse'"),
        (["--strategies", ","], "strategies is empty"),
    ],
)
def test_mistakes_with_the_bundled_table(options, message, capsys):
    assert run(*options, "--no-report") == 2
    assert message in capsys.readouterr().err


def test_the_target_cannot_be_dropped(table, capsys):
    assert run("--data", table, "--target", "label", "--drop", "label") == 2
    assert "--drop label leaves out the target" in capsys.readouterr().err


def test_names_may_stand_apart(capsys):
    assert run("--no-report", "--strategies", " learned , majority") == 0
    assert "majority" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("option", "message"),
    [
        (["--folds", "0"], "--folds 0: it must be at least 1"),
        (["--repeats", "0"], "--repeats 0: it must be at least 1"),
        (["--max-cells", "-1"], "--max-cells -1: it must be at least 0"),
        (["--methods", ","], "--methods is empty; leave it out"),
    ],
)
def test_numbers_of_an_experiment(option, message, tmp_path, capsys):
    arguments = ["twala2020", "--store", str(tmp_path / "it.sqlite"), "--quiet", *option]
    assert cli.main(["experiment", *arguments]) == 2
    assert message in capsys.readouterr().err


def test_stopping_a_comparison(monkeypatch, capsys):
    def stopped(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("mdtree_nb.evaluation.compare", stopped)
    assert run("--no-report") == 2
    assert capsys.readouterr().err.strip() == "mdtree-nb: stopped."


def test_a_ranking_tells_of_missing_folds():
    folds = pd.DataFrame(
        {"strategy": list("aabb"), "fold": [0, 1] * 2, "score": [0.9, 0.8, 0.7, np.nan]}
    ).assign(n_leaves=3.0, fit_seconds=0.1, predict_seconds=0.1)
    text = ranking(Comparison(folds, "auc", 0.25, 0.5))
    assert "auc has no value in 1 of 2 folds" in text
    assert "not ranked" not in text


def test_list_of_data_sets(capsys):
    assert cli.main(["datasets"]) == 0
    assert "horse_colic" in capsys.readouterr().out


def test_help_needs_nothing_heavy():
    code = (
        "import sys; from mdtree_nb.cli import main\n"
        "try: main(['--help'])\n"
        "except SystemExit: pass\n"
        "heavy = {'numpy', 'pandas', 'sklearn', 'numba', 'matplotlib'} & set(sys.modules)\n"
        "assert not heavy, heavy"
    )
    subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL)


def test_when_nothing_can_be_compared(table, tmp_path, capsys):
    frame = pd.read_csv(table)
    frame["b"] = None
    frame.to_csv(table, index=False)
    out = tmp_path / "out"
    options = ["--data", table, "--target", "label", "--strategies", "discard", "--out", out]
    assert run(*options) == 2
    captured = capsys.readouterr()
    assert "not applicable" in captured.out
    assert "no strategy could be compared" in captured.err
    assert (out / "comparison.html").exists()
