"""A file that keeps the results of experiments while they are computed.

SQLite: `cells` has one row per computed cell, `results` one per test and prediction of it,
`specs` what cells depend on beside their data, repeat and fold. What belongs to a cell is
written in one transaction by one process, so that a killed run loses what it was computing
and nothing else. A done cell is never written again: where two runs fill one file, the
first to finish a cell wins.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd

from .store_errors import WAIT, StoreError, damage, explaining, lacks_rights

__all__ = ["FORMAT", "MEASURES", "Outcome", "Store", "StoreError", "in_order", "read_store"]

FORMAT = 1
_MAGIC = 0x6D647462  # says that an SQLite file is a store: "mdtb"
MEASURES = ("accuracy", "smoothed_error", "r2", "squared_error")
_LINE = ("mechanism", "rate", "test", "prediction", "rows", "holes", *MEASURES)
_CELL = (
    "key", "spec", "data", "dataset", "strategy", "mechanism", "rate", "repeat", "fold", "status",
    "seconds", "fit_seconds", "leaves", "version", "error",
)  # fmt: skip
_TABLES = f"""
CREATE TABLE specs (spec TEXT PRIMARY KEY, json TEXT NOT NULL);
CREATE TABLE cells (
    id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, spec TEXT NOT NULL, data TEXT NOT NULL,
    dataset TEXT NOT NULL, strategy TEXT NOT NULL, mechanism TEXT NOT NULL, rate REAL NOT NULL,
    repeat INTEGER NOT NULL, fold INTEGER NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('done', 'failed')), seconds REAL NOT NULL,
    fit_seconds REAL, leaves INTEGER, version TEXT NOT NULL, error TEXT
);
CREATE TABLE results (
    cell INTEGER NOT NULL REFERENCES cells (id), mechanism TEXT NOT NULL, rate REAL NOT NULL,
    test TEXT NOT NULL, prediction TEXT NOT NULL, rows INTEGER NOT NULL, holes REAL NOT NULL,
    {", ".join(f"{name} REAL" for name in MEASURES)}
);
CREATE INDEX results_of_cell ON results (cell);
PRAGMA application_id = {_MAGIC};
PRAGMA user_version = {FORMAT};
"""


@dataclass(frozen=True)
class Outcome:
    """What came out of one cell.

    Attributes
    ----------
    cell : dict
        Values of the columns of `cells`, without `spec`'s text.
    lines : list of dict
        One per test and prediction.
    """

    cell: dict[str, Any]
    lines: list[dict[str, Any]] = field(default_factory=list)


class Store:
    """An open store.

    Parameters
    ----------
    path : str, Path or None
        None = in memory.
    create : bool, default=True
        Make the file where there is none.

    Raises
    ------
    StoreError
        For a file that is no store, is damaged, comes from another format or cannot be
        opened.
    """

    def __init__(self, path: Any, *, create: bool = True) -> None:
        self.path = None if path is None else Path(path)
        where = ":memory:" if self.path is None else str(self.path)
        if self.path is not None and not self.path.exists():
            if not create:
                raise StoreError(f"store={where!r} does not exist; run the experiment first.")
            if not self.path.parent.is_dir():
                raise StoreError(f"store={where!r}: there is no folder {str(self.path.parent)!r}.")
        with explaining(self.path):
            try:
                self._connect(where)
            except sqlite3.Error as error:
                if self.path is None or not lacks_rights(error) or not _is_frozen(self.path):
                    raise
                # SQLite needs a file beside the store even to read it, unless nobody can write
                self._connect(f"{self.path.absolute().as_uri()}?mode=ro&immutable=1", uri=True)

    def _connect(self, where: str, **how: Any) -> None:
        self._db = sqlite3.connect(where, timeout=WAIT, isolation_level=None, **how)
        try:
            self._open()
        except BaseException:
            self._db.close()
            raise

    def _open(self) -> None:
        if not self._value("PRAGMA schema_version"):
            self._db.execute("PRAGMA journal_mode = WAL")  # readers need not wait for the writer
            self._db.execute("BEGIN EXCLUSIVE")
            if not self._value("PRAGMA schema_version"):  # another run may have been faster
                for statement in _TABLES.split(";\n"):
                    self._db.execute(statement)
            self._db.execute("COMMIT")
        if self._value("PRAGMA application_id") != _MAGIC:
            raise StoreError(
                f"store={str(self.path)!r} is an SQLite file, but not a store of results; nothing "
                "was changed. Choose another name."
            )
        found = self._value("PRAGMA user_version")
        if found != FORMAT:
            raise StoreError(
                f"store={str(self.path)!r} has format {found}, and this version of mdtree_nb "
                f"reads format {FORMAT}; nothing was changed. Use the version that wrote it, or "
                "another file."
            )
        problem = self._value("PRAGMA quick_check(1)")
        if problem != "ok":
            raise StoreError(damage(self.path, problem))
        # after a crash of the machine the last cells may be missing, never half a cell
        self._db.execute("PRAGMA synchronous = NORMAL")
        self._db.execute("PRAGMA temp_store = MEMORY")

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    # -- writing ------------------------------------------------------------------

    def add_specs(self, specs: dict[str, str]) -> None:
        """Keep what cells depend on.

        Parameters
        ----------
        specs : dict
            From digest to JSON.
        """
        self._write(
            lambda: self._db.executemany("INSERT OR IGNORE INTO specs VALUES (?, ?)", specs.items())
        )

    def add(self, outcomes: Iterable[Outcome]) -> None:
        """Write cells with their results, all or none.

        A cell that is done already is left as it is; one that had failed is replaced.

        Parameters
        ----------
        outcomes : iterable of Outcome
        """

        def add_all() -> None:
            for outcome in outcomes:
                self._add(outcome)

        self._write(add_all)

    def _add(self, outcome: Outcome) -> None:
        key = outcome.cell["key"]
        old = self._db.execute("SELECT id, status FROM cells WHERE key = ?", (key,)).fetchone()
        if old and old[1] == "done":
            return
        if old:
            self._db.execute("DELETE FROM results WHERE cell = ?", (old[0],))
            self._db.execute("DELETE FROM cells WHERE id = ?", (old[0],))
        marks = ", ".join("?" * len(_CELL))
        new = self._db.execute(
            f"INSERT INTO cells ({', '.join(_CELL)}) VALUES ({marks})",
            [outcome.cell.get(name) for name in _CELL],
        ).lastrowid
        marks = ", ".join("?" * (len(_LINE) + 1))
        self._db.executemany(
            f"INSERT INTO results (cell, {', '.join(_LINE)}) VALUES ({marks})",
            [[new, *(line.get(name) for name in _LINE)] for line in outcome.lines],
        )

    def _write(self, change: Any) -> None:
        with explaining(self.path):
            try:
                self._db.execute("BEGIN IMMEDIATE")
                change()
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise

    # -- reading ------------------------------------------------------------------

    def status(self) -> dict[str, str]:
        """Say which cells are there.

        Returns
        -------
        dict
            From key to "done" or "failed".
        """
        return dict(self._rows("SELECT key, status FROM cells"))

    def versions(self) -> dict[str, int]:
        """Say which versions of the package computed the cells.

        Returns
        -------
        dict
            From version to number of cells.
        """
        return dict(self._rows("SELECT version, count(*) FROM cells GROUP BY version"))

    def cells(self, keys: Iterable[str] | None = None) -> pd.DataFrame:
        """Read the cells.

        Parameters
        ----------
        keys : iterable of str or None, default=None
            Only these.

        Returns
        -------
        DataFrame
            One line per cell, in no particular order.
        """
        rows = self._rows(f"SELECT {', '.join(_CELL)} FROM cells {self._only(keys)}")
        return pd.DataFrame(rows, columns=_CELL)

    def results(self, keys: Iterable[str] | None = None) -> pd.DataFrame:
        """Read the results.

        Parameters
        ----------
        keys : iterable of str or None, default=None
            Only those of these cells.

        Returns
        -------
        DataFrame
            One line per test and prediction of each cell, in no particular order.
        """
        columns = ["dataset", "strategy", "repeat", "fold"]
        wanted = [f"cells.{name}" for name in columns] + [f"results.{name}" for name in _LINE]
        rows = self._rows(
            f"SELECT {', '.join(wanted)} FROM results JOIN cells ON cells.id = results.cell "
            f"{self._only(keys)}"
        )
        return pd.DataFrame(rows, columns=[*columns, *_LINE])

    def _only(self, keys: Iterable[str] | None) -> str:
        if keys is None:
            return ""
        with explaining(self.path), closing(self._db.cursor()) as cursor:
            cursor.execute("CREATE TEMP TABLE IF NOT EXISTS wanted (key TEXT PRIMARY KEY)")
            cursor.execute("BEGIN")
            cursor.execute("DELETE FROM wanted")
            cursor.executemany("INSERT OR IGNORE INTO wanted VALUES (?)", ((k,) for k in keys))
            cursor.execute("COMMIT")
        return "WHERE cells.key IN (SELECT key FROM wanted)"

    def _rows(self, query: str) -> list[Any]:
        with explaining(self.path):
            return self._db.execute(query).fetchall()

    def _value(self, query: str) -> Any:
        return self._db.execute(query).fetchone()[0]


def _is_frozen(path: Path) -> bool:
    """Tell whether nobody can write beside a file, and all that was written is in it."""
    log = path.with_name(f"{path.name}-wal")
    waiting = log.exists() and log.stat().st_size
    return path.is_file() and not waiting and not os.access(path.parent, os.W_OK)


def read_store(path: Any) -> pd.DataFrame:
    """Read all results of a store, whichever experiments they belong to.

    Parameters
    ----------
    path : str or Path

    Returns
    -------
    DataFrame
        One line per result: `dataset`, `strategy`, `repeat`, `fold`, `mechanism`, `rate`,
        `test`, `prediction`, `rows`, `holes` and the measures.

    Raises
    ------
    StoreError
        Where it cannot be read.
    """
    with Store(path, create=False) as store:
        return in_order(store.results())


def in_order(results: pd.DataFrame) -> pd.DataFrame:
    """Put results in the one order, whatever order they came in.

    Parameters
    ----------
    results : DataFrame

    Returns
    -------
    DataFrame
        Sorted by all that names a result, without measures that nobody took.
    """
    names = [
        "dataset", "mechanism", "rate", "test", "strategy", "prediction", "repeat", "fold",
    ]  # fmt: skip
    taken = [m for m in MEASURES if results[m].notna().any()]
    results = results.sort_values(names, kind="stable", ignore_index=True)
    return results[[*names, "rows", "holes", *taken]]
