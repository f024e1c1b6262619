"""What a wheel and a source archive contain, and what importing costs."""

import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="module")
def archives(tmp_path_factory):
    out = tmp_path_factory.mktemp("dist")
    subprocess.run(
        [sys.executable, "-m", "build", "--outdir", str(out), str(ROOT)],
        check=True,
        capture_output=True,
    )
    (wheel,), (source,) = out.glob("*.whl"), out.glob("*.tar.gz")
    return wheel, source


def test_wheel_and_source_hold_the_package_and_its_data(archives):
    wheel, source = archives
    in_wheel = set(zipfile.ZipFile(wheel).namelist())
    with tarfile.open(source) as archive:
        in_source = {name.partition("/")[2] for name in archive.getnames()}
    wanted = [
        str(p.relative_to(ROOT).as_posix())
        for p in (ROOT / "mdtree_nb").rglob("*")
        if p.is_file() and "__pycache__" not in p.parts
    ]
    assert "mdtree_nb/py.typed" in wanted
    assert "mdtree_nb/data/horse_colic.csv.gz" in wanted
    for name in wanted:
        assert name in in_wheel, name
        assert name in in_source, name
    assert any(name.endswith("entry_points.txt") for name in in_wheel)
    assert any(name.endswith("LICENSE") for name in in_wheel)
    assert not any(name.startswith("tests") for name in in_wheel)


def test_importing_the_package_loads_nothing_heavy():
    code = (
        "import sys, mdtree_nb\n"
        "heavy = {'numpy', 'pandas', 'sklearn', 'numba', 'matplotlib'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
        "mdtree_nb.MDTreeClassifier\n"
        "assert 'matplotlib' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)


def test_the_one_line_about_compiling(tmp_path):
    """Said once on stderr where nothing is compiled yet, and never again."""
    code = (
        "import numpy as np, mdtree_nb as md\n"
        "for y in ([1, 1], [1, 1], [0, 1]):\n"  # the first two need only half of the kernels
        "    md.MDTreeClassifier().fit(np.array([[1.0], [2.0]]), y)"
    )
    env = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    env.pop("NUMBA_DISABLE_JIT", None)
    runs = [
        subprocess.run(
            [sys.executable, "-c", code],
            check=True,
            cwd=ROOT,
            env=env,
            capture_output=True,
            text=True,
        )
        for _ in range(2)
    ]
    assert runs[0].stdout == runs[1].stdout == ""
    lines = [line for line in runs[0].stderr.splitlines() if "mdtree_nb" in line]
    assert len(lines) == 1
    assert "compiling" in lines[0]
    assert runs[1].stderr == ""
