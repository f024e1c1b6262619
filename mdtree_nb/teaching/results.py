"""Results of the full runs of the published studies, which take too long for a notebook.

A file data/results/NAME.csv.gz starts with one line "# {...}": what was run, by which call.
The rest is CSV. `docs/studies.py` writes it from a store.
"""

from __future__ import annotations

import gzip
import json
from importlib.resources import files
from io import StringIO

import pandas as pd

_ENDING = ".csv.gz"


def load_results(name: str) -> pd.DataFrame:
    """Load the results of a study that was run in full.

    Parameters
    ----------
    name : {"eig2020", "twala2020"}

    Returns
    -------
    DataFrame
        With the columns of `Experiment.run`. Its `attrs` say what was run: `design`, `call`,
        `cells` and `version`.

    Raises
    ------
    ValueError
        For another name.

    Examples
    --------
    >>> results = load_results("twala2020")
    >>> sorted(results["prediction"].unique())
    ['DTPE', 'EMMI', 'FC', 'LPE', 'TSPE']
    """
    folder = files("mdtree_nb").joinpath("data", "results")
    known = sorted(item.name.removesuffix(_ENDING) for item in folder.iterdir())
    if name not in known:
        raise ValueError(
            f"name={name!r} has no stored results; choose {' or '.join(map(repr, known))}."
        )
    raw = folder.joinpath(name + _ENDING).read_bytes()
    head, _, body = gzip.decompress(raw).decode("utf-8").partition("\n")
    about = json.loads(head.removeprefix("# "))
    table = pd.read_csv(StringIO(body), keep_default_na=False)  # "none" and such are names
    if "columns" in about:  # a column for every strategy is a third of the size
        order = about.pop("columns")
        ids = [name for name in order if name in table]
        table = table.melt(ids, var_name="strategy", value_name=order[-1])[order]
    table.attrs = about
    return table
