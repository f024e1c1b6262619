"""environment.yml cannot be solved here without conda, so rules keep it honest."""

import re
import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
CONDA_NAMES = {
    "matplotlib": "matplotlib-base",
    "build": "python-build",
    "playwright": "playwright-python",
}
CONDA_ONLY = {"python", "pip"}


def conda_packages():
    environment = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))
    found = {}
    for line in environment["dependencies"]:
        assert isinstance(line, str), "a pip section breaks Binder and conda's solver"
        match = re.fullmatch(r"([A-Za-z0-9_.-]+)\s*([=<>!~].*)?", line)
        assert match, line
        assert match[1] not in found, f"{match[1]} is listed twice"
        found[match[1]] = match[2] or ""
    return environment, found


def wanted_packages():
    extras = PROJECT["optional-dependencies"].values()
    requirements = map(Requirement, PROJECT["dependencies"] + [r for e in extras for r in e])
    return {
        CONDA_NAMES.get(name := canonicalize_name(r.name), name): r.specifier for r in requirements
    }


def test_same_packages_and_ranges():
    _, have = conda_packages()
    want = wanted_packages()
    assert set(have) - CONDA_ONLY == set(want)
    assert {n: SpecifierSet(have[n]) for n in want} == want


def test_name_channel_and_python():
    environment, have = conda_packages()
    assert environment["channels"] == ["conda-forge"]
    assert environment["name"] == PROJECT["name"]
    assert re.fullmatch(r"=3\.\d+", have["python"]), "Binder needs one exact minor version"
    assert SpecifierSet(PROJECT["requires-python"]).contains(have["python"][1:] + ".0")


def test_binder_uses_the_same_file():
    assert (ROOT / ".binder/environment.yml").read_bytes() == (
        ROOT / "environment.yml"
    ).read_bytes()


@pytest.mark.parametrize("name", sorted(wanted_packages()))
def test_this_environment_satisfies_it(name):
    pypi = {conda: name for name, conda in CONDA_NAMES.items()}.get(name, name)
    assert wanted_packages()[name].contains(version(pypi), prereleases=True)


def test_constraints_satisfy_the_ranges():
    want = wanted_packages()
    for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").split():
        name, pinned = line.split("==")
        specifier = want.get(CONDA_NAMES.get(canonicalize_name(name), canonicalize_name(name)))
        assert specifier is None or specifier.contains(pinned), line
