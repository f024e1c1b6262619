"""Tables that may not be passed on, fetched from where they are.

They are kept in a folder, so that one download is enough; a file that was put there by hand
is taken as well.
"""

from __future__ import annotations

import csv
import io
import os
import re
import urllib.request
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from .datasets import Dataset

_UCI = "https://archive.ics.uci.edu/static/public/"
_TABLES: dict[str, dict[str, Any]] = {
    "audit": {
        "url": _UCI + "475/audit+data.zip",
        "file": "audit_risk.csv",
        "target": "Risk",
        "leak": "Audit_Risk",
        "categories": ["LOCATION_ID"],
        "title": "Audit Data: is a firm fraudulent?",
        "note": "Audit_Risk decides the label: it is 1 or more where Risk is 1.",
    },
    "autism": {
        "url": _UCI + "426/autism+screening+adult.zip",
        "file": "Autism-Adult-Data.arff",
        "target": "Class/ASD",
        "leak": "result",
        "categories": [],
        "title": "Autism Screening Adult: is a person to be referred?",
        "note": "result is the sum of the ten scores; 7 or more is the label YES.",
    },
}


def fetch(name: str, *, drop_leak: bool = True, folder: Any = None) -> Dataset:
    """Fetch a table from the UCI repository.

    Parameters
    ----------
    name : {"audit", "autism"}
    drop_leak : bool, default=True
        Leave out the column that says what the label is: `Audit_Risk` of "audit", `result`
        of "autism".
    folder : str, Path or None, default=None
        Where the archive is kept, or is already. None = the environment variable
        MDTREE_NB_DATA, else `mdtree_nb_data` in the home folder.

    Returns
    -------
    Dataset

    Raises
    ------
    ValueError
        For an unknown name, and for an archive without the table.
    OSError
        Where it is not in the folder and cannot be fetched.
    """
    if name not in _TABLES:
        raise ValueError(f"name={name!r} cannot be fetched; choose 'audit' or 'autism'.")
    about = _TABLES[name]
    path = _archive(name, about["url"], folder)
    try:
        with zipfile.ZipFile(path) as archive:
            inside = [n for n in archive.namelist() if n.rpartition("/")[2] == about["file"]]
            text = archive.read(inside[0]).decode("utf-8", "replace") if inside else None
    except zipfile.BadZipFile:
        text = None
    if text is None:
        raise ValueError(f"{str(path)!r} holds no {about['file']}; delete it, and fetch again.")
    frame = _read_arff(text) if about["file"].endswith(".arff") else _read_csv(text)
    if about["target"] not in frame:
        raise ValueError(f"{about['file']} in {str(path)!r} has no column {about['target']!r}.")
    y = frame.pop(about["target"]).astype(str)
    if drop_leak:
        frame = frame.drop(columns=about["leak"])
    for column in frame:
        if column in about["categories"] or frame[column].dtype.kind not in "fi":
            frame[column] = frame[column].astype("category")
    info = {key: about[key] for key in ("title", "note")}
    return Dataset(frame, y, {"name": name, "source": about["url"], "target": y.name, **info})


def _archive(name: str, url: str, folder: Any) -> Path:
    """Path of the archive, which is downloaded if it is not there."""
    where = folder or os.environ.get("MDTREE_NB_DATA") or Path.home() / "mdtree_nb_data"
    path = Path(where) / f"{name}.zip"
    if path.exists():
        return path
    try:
        with urllib.request.urlopen(url, timeout=60) as response:
            content = response.read()
    except OSError as error:
        raise OSError(
            f"{name!r} could not be fetched ({error}); download {url} yourself and put it at "
            f"{str(path)!r}, or leave the table out."
        ) from error
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    part.write_bytes(content)
    part.replace(path)  # a broken download leaves no archive
    return path


def _read_csv(text: str) -> pd.DataFrame:
    return pd.read_csv(io.StringIO(text), skipinitialspace=True)


def _read_arff(text: str) -> pd.DataFrame:
    """Read attributes and comma-separated rows; "?" is missing."""
    head, body = re.split(r"(?im)^\s*@data\s*$", text, maxsplit=1)
    names, numeric = [], set()
    for found in re.finditer(r"(?im)^\s*@attribute\s+('[^']*'|\S+)\s+(.*)$", head):
        names.append(found[1].strip("'"))
        if found[2].strip().lower() in ("numeric", "real", "integer"):
            numeric.add(names[-1])
    lines = [line for line in body.splitlines() if line.strip() and line.lstrip()[0] != "%"]
    rows = [
        [value.strip() for value in row]
        for row in csv.reader(lines, quotechar="'", skipinitialspace=True)
    ]
    frame = pd.DataFrame(rows, columns=names).replace("?", None)
    for name in numeric:
        frame[name] = pd.to_numeric(frame[name]).astype(np.float64)
    return frame
