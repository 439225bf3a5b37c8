"""A table of many ids in little memory: a SQLite file that is gone when the table is."""

from __future__ import annotations

import os
import sqlite3
import weakref
from array import array
from collections.abc import Callable, Iterable, Iterator, MutableMapping, Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import mkstemp
from typing import Any, overload

_TABLES: weakref.WeakValueDictionary[int, IdTable] = weakref.WeakValueDictionary()


def _commit_all() -> None:
    for table in tuple(_TABLES.values()):
        table.commit()


# A process that is forked opens the files for itself, and sees what is committed.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_commit_all)


class IdTable(MutableMapping[str, bytes]):
    """A mapping from ids to bytes, in the order of insertion; every id has a number of its own."""

    def __init__(self, rows: Iterable[tuple[int, bytes, bytes]] = (), numbers: int = 0) -> None:
        """The table of ``rows`` (number, encoded id, value); the next id gets the number ``numbers``."""
        handle, self._path = mkstemp(prefix="lydite-", suffix=".sqlite")
        os.close(handle)
        self._numbers = numbers
        self._open()
        weakref.finalize(self, _remove, self._path, self._process, self._connection)
        self._connection.execute("CREATE TABLE ids (number INTEGER PRIMARY KEY, id BLOB UNIQUE, value BLOB)")
        self._connection.executemany("INSERT INTO ids VALUES (?, ?, ?)", rows)
        self._size: int = self._execute("SELECT count(*) FROM ids").fetchone()[0]
        _TABLES[id(self)] = self

    def _open(self) -> None:
        self._process = os.getpid()
        self._connection = sqlite3.connect(self._path, check_same_thread=False)
        # The file is lost with the process in any case.
        self._connection.execute("PRAGMA journal_mode = MEMORY")
        self._connection.execute("PRAGMA synchronous = OFF")

    def _execute(self, statement: str, *values: object) -> sqlite3.Cursor:
        if self._process != os.getpid():
            self._open()
        try:
            return self._connection.execute(statement, values)
        except sqlite3.OperationalError as error:
            # The disk is full, or the file can be neither read nor written.
            raise OSError(f"the ids of documents cannot be kept in {self._path}: {error}") from error

    def commit(self) -> None:
        """Let other processes see what was put here."""
        if self._process == os.getpid():
            self._connection.commit()

    def __setitem__(self, name: str, value: bytes) -> None:
        encoded = _encode(name)
        if self._execute("UPDATE ids SET value = ? WHERE id = ?", value, encoded).rowcount == 0:
            self._execute("INSERT INTO ids VALUES (?, ?, ?)", self._numbers, encoded, value)
            self._numbers += 1
            self._size += 1

    def __getitem__(self, name: str) -> bytes:
        value: bytes = self._row(name)[1]
        return value

    def number(self, name: str) -> int:
        """A number that no other id has, less than :attr:`numbers`."""
        number: int = self._row(name)[0]
        return number

    def _row(self, name: str) -> tuple[Any, ...]:
        row: tuple[Any, ...] | None = self._execute(
            "SELECT number, value FROM ids WHERE id = ?", _encode(name)
        ).fetchone()
        if row is None:
            raise KeyError(name)
        return row

    def __contains__(self, name: object) -> bool:
        known = (
            self._execute("SELECT 1 FROM ids WHERE id = ?", _encode(name)) if isinstance(name, str) else None
        )
        return known is not None and known.fetchone() is not None

    def __delitem__(self, name: str) -> None:
        if self._execute("DELETE FROM ids WHERE id = ?", _encode(name)).rowcount == 0:
            raise KeyError(name)
        self._size -= 1

    def __iter__(self) -> Iterator[str]:
        return (_decode(encoded) for (encoded,) in self._execute("SELECT id FROM ids ORDER BY number"))

    def __len__(self) -> int:
        return self._size

    @property
    def numbers(self) -> int:
        """The number of ids that were ever added."""
        return self._numbers

    def sorted(self) -> Sequence[str]:
        """All ids in the order of their bytes."""
        numbers = (number for (number,) in self._execute("SELECT number FROM ids ORDER BY id"))
        return _SortedIds(self, array("I" if self._numbers < 1 << 32 else "Q", numbers))

    def id_of(self, number: int) -> str:
        """The id with a number."""
        return _decode(self._execute("SELECT id FROM ids WHERE number = ?", number).fetchone()[0])

    def __reduce__(self) -> tuple[Callable[..., IdTable], tuple[list[tuple[int, bytes, bytes]], int]]:
        return IdTable, (self._execute("SELECT * FROM ids").fetchall(), self._numbers)


def _encode(name: str) -> bytes:
    return name.encode("utf-8", "surrogatepass")


def _decode(encoded: bytes) -> str:
    return encoded.decode("utf-8", "surrogatepass")


def _remove(path: str, process: int, connection: sqlite3.Connection) -> None:
    if os.getpid() == process:
        connection.close()
        with suppress(OSError):
            Path(path).unlink()


class _SortedIds(Sequence[str]):
    """Ids of a table, given by their numbers."""

    def __init__(self, table: IdTable, numbers: array[int]) -> None:
        self._table, self._numbers = table, numbers

    def __len__(self) -> int:
        return len(self._numbers)

    @overload
    def __getitem__(self, position: int) -> str: ...
    @overload
    def __getitem__(self, position: slice) -> Sequence[str]: ...
    def __getitem__(self, position: int | slice) -> str | Sequence[str]:
        """The id at a position, or the ids of a slice."""
        if isinstance(position, slice):
            return _SortedIds(self._table, self._numbers[position])
        return self._table.id_of(self._numbers[position])

    def __reduce__(self) -> tuple[type[list[str]], tuple[list[str]]]:
        return list, (list(self),)
