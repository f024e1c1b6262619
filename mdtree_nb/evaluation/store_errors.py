"""What errors of SQLite mean for the results of a store, and what to do about them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

WAIT = 60.0  # seconds for another run to finish writing
_NO_RIGHTS = (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM)


class StoreError(OSError):
    """A store cannot be read or written; the message says what is kept and what to do."""


@contextmanager
def explaining(path: Path | None) -> Iterator[None]:
    """Say what an error of SQLite means for the results; let any other error be.

    Parameters
    ----------
    path : Path or None
        Of the store.

    Raises
    ------
    StoreError
    """
    try:
        yield
    except sqlite3.Error as error:
        meaning = _meaning(path, _code(error), str(error))
        if meaning is None:
            raise
        raise StoreError(meaning) from error


def lacks_rights(error: sqlite3.Error) -> bool:
    """Tell whether a file could not be opened or written.

    Parameters
    ----------
    error : sqlite3.Error

    Returns
    -------
    bool
    """
    return _code(error) in _NO_RIGHTS


def damage(path: Path | None, text: str) -> str:
    """Say that a store is damaged.

    Parameters
    ----------
    path : Path or None
    text : str
        What SQLite says.

    Returns
    -------
    str
    """
    return (
        f"store={str(path)!r} is damaged ({text.splitlines()[-1]}); nothing was changed. Copy it, "
        "try `sqlite3 FILE '.recover'` on the copy, or start another store."
    )


def _code(error: sqlite3.Error) -> int:
    """Primary code of an error of SQLite; 0 for one of Python's module itself."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def _meaning(path: Path | None, code: int, text: str) -> str | None:
    where = f"store={str(path)!r}"
    if code == sqlite3.SQLITE_FULL:
        return (
            f"{where}: the disk is full. What was stored before is kept; make room and run the "
            "experiment again, and it goes on from there."
        )
    if code == sqlite3.SQLITE_IOERR:
        return (
            f"{where}: the disk failed ({text}); it is full, over a quota, or its network is gone. "
            "What was stored before is kept; make room or connect it, and run again."
        )
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return (
            f"{where} was locked by another process for {WAIT:.0f} seconds; what was stored before "
            "is kept. Run again when the other one has finished."
        )
    if code in _NO_RIGHTS:
        return f"{where} cannot be opened or written ({text}); check its rights, or copy it."
    if code == sqlite3.SQLITE_NOTADB:
        return (
            f"{where} is no store of results, or its beginning is damaged; nothing was changed. "
            "Choose another name."
        )
    return damage(path, text) if code == sqlite3.SQLITE_CORRUPT else None
