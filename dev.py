#!/usr/bin/env python3
"""Everything a developer, a reader or CI does, in one script (standard library only).

    python3 dev.py run [--data FILE --target COLUMN]   compare strategies, leave a report
    python3 dev.py test [pytest arguments]             prove the repository, notebooks too
    python3 dev.py lab                                 open the notebooks in JupyterLab
    python3 dev.py refresh [notebook ...]              run notebooks, store clean outputs
    python3 dev.py check                               format, lint and types only
    python3 dev.py bench [name ...]                    run benchmarks/, write docs/results/

The first call makes .venv and installs what the command needs. Inside an activated conda
or virtual environment that already has it (environment.yml), that one is used.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import importlib.util
import os
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"

# Extras of pyproject.toml that a command needs, and a module that tells they are there.
NEEDS = {
    "run": ("report", "nbconvert"),
    "test": ("cluster,lab,report,test,widgets", "playwright"),
    "lab": ("cluster,lab,report,widgets", "jupyterlab"),
    "refresh": ("cluster,report,test,widgets", "nbclient"),
    "check": ("cluster,report,test,widgets", "ruff"),
    "bench": ("cluster,lab,report,test,widgets", "playwright"),
}


def main() -> int:
    if sys.version_info < (3, 11):  # noqa: UP036, an older Python may well start this file
        sys.exit(f"Python 3.11 or newer is needed, this is {sys.version.split()[0]}.")
    command, rest = (sys.argv[1:2] or [""])[0], sys.argv[2:]
    if command in ("-h", "--help", "help", ""):
        print(__doc__)
        return 0 if command else 2
    if command not in NEEDS:
        sys.exit(f"dev.py: unknown command {command!r}; choose one of {', '.join(NEEDS)}.")
    python = python_for(command)
    for step in steps(command, python, rest):
        code = subprocess.run(step, cwd=ROOT).returncode
        if code:
            return code
    return 0


def steps(command: str, python: str, rest: list[str]) -> list[list[str]]:
    """Processes that a command consists of."""
    if command == "run":
        return [[python, "-m", "mdtree_nb.cli", "compare", *rest]]
    if command == "test":
        # One worker per core, and a whole file to each: cells of a notebook build on each other.
        return [[python, "-m", "pytest", "-n", "auto", "--dist", "loadfile", *rest]]
    if command == "lab":
        return [[python, "-m", "jupyterlab", str(ROOT / "notebooks"), *rest]]
    if command == "refresh":
        return [[python, str(ROOT / "tests" / "refresh.py"), *rest]]
    if command == "bench":
        names = rest or sorted(p.stem for p in (ROOT / "benchmarks").glob("bench_*.py"))
        return [[python, str(ROOT / "benchmarks" / f"{name}.py")] for name in names]
    return [
        [python, "-m", "ruff", "format", "--check", "."],
        [python, "-m", "ruff", "check", "."],
        [python, "-m", "mypy"],
    ]


def python_for(command: str) -> str:
    """Interpreter of an environment that has what the command needs."""
    extras, module = NEEDS[command]
    activated = os.environ.get("CONDA_PREFIX") or os.environ.get("VIRTUAL_ENV")
    if activated and is_installed() and importlib.util.find_spec(module):
        return sys.executable
    python = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if not python.exists():
        print(f"making {VENV} ...", flush=True)
        try:
            venv.create(VENV, with_pip=True)
        except (subprocess.CalledProcessError, SystemExit) as error:
            sys.exit(
                f"could not make a virtual environment ({error}).\n"
                "On Debian and Ubuntu, install the package python3-venv and try again."
            )
    pins = [ROOT / "pyproject.toml", ROOT / "constraints.txt"]
    state = hashlib.sha256(b"".join(p.read_bytes() for p in pins)).hexdigest()
    done = VENV / f".installed-{extras.replace(',', '-')}"
    if not done.exists() or done.read_text() != state:
        print(f"installing mdtree-nb[{extras}] into {VENV} ...", flush=True)
        pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        pip += ["--constraint", str(pins[1]), "--editable", f"{ROOT}[{extras}]"]
        if subprocess.run(pip).returncode:
            sys.exit("the packages could not be installed; pip says why above.")
        done.write_text(state)
    return str(python)


def is_installed() -> bool:
    """Whether kernels and pages, which do not start in this folder, would find the package."""
    elsewhere = [path for path in sys.path if Path(path or ".").resolve() != ROOT]
    return any(importlib.metadata.distributions(name="mdtree-nb", path=elsewhere))


if __name__ == "__main__":
    sys.exit(main())
