"""The README says what is so: tables from the code, an example that runs, links that lead on."""

import re
import sys
from pathlib import Path

import pytest

import mdtree_nb as md

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.fixture
def tables(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "docs"))
    sys.modules.pop("tables", None)
    import tables

    yield tables
    sys.modules.pop("tables")


def test_tables_are_fresh(tables):
    assert tables.filled(README) == README, "run docs/tables.py"


def test_every_strategy_and_notebook_is_listed():
    for name in md.strategies.all_strategies():
        assert f"| `{name}`" in README
    for path in (ROOT / "notebooks").glob("[0-9]*.ipynb"):
        assert f"(notebooks/{path.name})" in README


def test_a_missing_block_is_an_error(tables):
    with pytest.raises(ValueError, match="one block <!-- strategies -->"):
        tables.filled("# nothing")


def test_the_example_runs(capsys):
    (code,) = re.findall(r"```python\n(.*?)```", README, re.S)
    scope = {}
    exec(compile(code, "README.md", "exec"), scope)
    printed = capsys.readouterr().out
    X = scope["data"].X
    assert f"{len(X)} horses" in code
    assert f"{X.isna().to_numpy().mean():.0%}".replace("%", " %") in code
    assert "missing" in printed
    assert "learned, then fractional" in printed


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"])
def test_links_lead_somewhere(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#]+)\)", text):
        if not target.startswith("http"):
            assert (ROOT / target).exists(), target


def test_commands_exist():
    dev = (ROOT / "dev.py").read_text(encoding="utf-8")
    for page in ("README.md", "CONTRIBUTING.md"):
        for command in re.findall(
            r"python3 dev\.py (\w+)", (ROOT / page).read_text(encoding="utf-8")
        ):
            assert f'"{command}"' in dev, command


def test_contributing_shows_a_strategy_that_works(tmp_path, monkeypatch):
    """The example of CONTRIBUTING is a complete file."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    code = re.findall(r"```python\n(.*?)```", text, re.S)[0]  # a way of making holes follows
    (tmp_path / "minority.py").write_text(code, encoding="utf-8")
    strategies = md.strategies
    monkeypatch.setattr(strategies, "__path__", [*strategies.__path__, str(tmp_path)])
    strategies.all_strategies.cache_clear()
    try:
        colic = md.load("horse_colic")
        tree = md.MDTreeClassifier(missing="minority", max_depth=3).fit(colic.X, colic.y).tree_
        inner = tree.missing_weight[: tree.n_nodes] > 0
        assert inner.any()
        assert (tree.missing_branch[inner] == 1 - tree.majority_branch[inner]).all()
    finally:
        strategies.all_strategies.cache_clear()
        sys.modules.pop("mdtree_nb.strategies.minority", None)
