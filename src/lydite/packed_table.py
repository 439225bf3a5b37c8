"""A table of many names in little memory: some bytes for each; the names themselves lie in a temporary file."""

from __future__ import annotations

import struct
import weakref
from array import array
from collections.abc import Callable, Iterable, Iterator, MutableMapping, Sequence
from mmap import mmap
from typing import TYPE_CHECKING, overload

if TYPE_CHECKING:
    from io import FileIO

    from _typeshed import SupportsRichComparison

_IN_MEMORY = 1 << 20
"""Bytes of records that need no file."""
_WINDOW = 1 << 12
"""Bytes that are read from the file at once: who asks in order asks for the next ones soon."""
_HEAD = struct.Struct("<QII")
"""Of a record: its number, the size of its name, the size of its value; name and value follow."""
_PLACE_BITS = 36
_PLACE = (1 << _PLACE_BITS) - 1
_HASH_BITS = 64 - _PLACE_BITS
_HASH = (1 << _HASH_BITS) - 1
_SORTED_AT_ONCE = 1 << 14
"""Names that are in memory together while all of them are put in order."""


_Record = tuple[str, int, int, bytes, int]
"""A name, the place of its record, its number, its value, and where the record ends."""


class _Records:
    """Records one behind the other: the last ones in memory, those before them in a file."""

    def __init__(self, content: bytes = b"") -> None:
        self._file: FileIO | None = None
        self._written = 0
        self._latest = bytearray(content)
        self._most = _IN_MEMORY
        self._window, self._window_at = b"", 0

    @property
    def end(self) -> int:
        return self._written + len(self._latest)

    def append(self, number: int, name: str, value: bytes) -> int:
        """Keep a record; where it lies."""
        place = self.end
        encoded = name.encode("utf-8", "surrogatepass")
        self._latest += _HEAD.pack(number, len(encoded), len(value))
        self._latest += encoded
        self._latest += value
        if len(self._latest) > self._most:
            self._write()
        return place

    def _write(self) -> None:
        try:
            if self._file is None:
                from tempfile import TemporaryFile

                self._file = TemporaryFile(buffering=0)  # noqa: SIM115 - closed with the records
                weakref.finalize(self, self._file.close)
            self._file.seek(self._written)
            done = 0
            while done < len(self._latest):
                done += self._file.write(memoryview(self._latest)[done:])
        except OSError:
            # There is no room on the disk: names cost more memory then, and nothing else changes.
            self._most *= 16
            return
        self._written += done
        self._latest.clear()

    def rewrite(self, record: _Record, value: bytes) -> None:
        """Another value of the same size in the place of the one that a record has."""
        *_, before, end = record
        assert len(value) == len(before)
        begin = end - len(value)
        if begin >= self._written:
            self._latest[begin - self._written : end - self._written] = value
            return
        assert self._file is not None
        self._file.seek(begin)
        self._file.write(value)
        self._window = b""

    def read(self, place: int) -> _Record:
        """The record at a place."""
        data, begin = self._at(place, _HEAD.size)
        number, name_size, value_size = _HEAD.unpack_from(data, begin)
        size = _HEAD.size + name_size + value_size
        if begin + size > len(data):
            data, begin = self._at(place, size)
        name, value, end = begin + _HEAD.size, begin + _HEAD.size + name_size, begin + size
        return (
            data[name:value].decode("utf-8", "surrogatepass"),
            place,
            number,
            bytes(data[value:end]),
            place + size,
        )

    def __iter__(self) -> Iterator[_Record]:
        place = 0
        while place < self.end:
            record = self.read(place)
            yield record
            place = record[-1]

    def content(self) -> bytes:
        """All records as they lie there."""
        data, begin = self._at(0, self._written) if self._written else (b"", 0)
        return bytes(data[begin : begin + self._written]) + self._latest

    def _at(self, place: int, size: int) -> tuple[bytes | bytearray, int]:
        """Data that has so many bytes of a place, and where in the data they begin."""
        if place >= self._written:
            return self._latest, place - self._written
        begin = place - self._window_at
        if begin < 0 or begin + size > len(self._window):
            assert self._file is not None
            self._file.seek(place)
            self._window, self._window_at = self._read(max(size, _WINDOW)), place
            begin = 0
        return self._window, begin

    def _read(self, size: int) -> bytes:
        assert self._file is not None
        pieces: list[bytes] = []
        while size > 0 and (piece := self._file.read(size)):
            pieces.append(piece)
            size -= len(piece)
        return b"".join(pieces)


class PackedTable(MutableMapping[str, bytes]):
    """Values of one size by name, in the order in which they were put there, at 11 to 16 bytes of memory for each.

    A slot of the table has a part of the hash of a name and the place of its record; two names with the same part of
    their hashes are told apart by the names themselves, which are read again.
    """

    def __init__(self, records: bytes = b"", replaced: Iterable[int] = ()) -> None:
        self._records = _Records(records)
        self._replaced = set(replaced)
        """Places of records that do not count any more."""
        self._slots = _free_slots(64)
        self._numbers = 0
        self._last: _Record | None = None
        """What was read last: who asks for a name often asks for it again."""
        for name, place, *_ in self._records:
            self._put(name, place)

    def __setitem__(self, name: str, value: bytes) -> None:
        before = self._find(name)
        self._last = None
        if before is None:
            self._put(name, self._records.append(self._numbers, name, value))
        else:
            self._records.rewrite(before, value)

    def __getitem__(self, name: str) -> bytes:
        return self._record_of(name)[3]

    def __delitem__(self, name: str) -> None:
        self._replaced.add(self._record_of(name)[1])
        self._last = None

    def __contains__(self, name: object) -> bool:
        return self._find(name) is not None

    def __iter__(self) -> Iterator[str]:
        for record in self._records:
            if record[1] not in self._replaced:
                self._last = record
                yield record[0]

    def __len__(self) -> int:
        return self._numbers - len(self._replaced)

    def number(self, name: str) -> int:
        """A number that no other name has, less than :attr:`numbers`."""
        return self._record_of(name)[2]

    @property
    def numbers(self) -> int:
        """How many numbers were given to names."""
        return self._numbers

    def in_order(self, key: Callable[[str], SupportsRichComparison]) -> Sequence[str]:
        """All names in the order of their keys; names of one key in the order of the table."""
        small = "I" if self._records.end < 1 << 32 else "Q"
        runs: list[array[int]] = [array(small)]
        several: list[tuple[SupportsRichComparison, int]] = []

        def close_run() -> None:
            several.sort()
            # Files are mostly in order: then all of them are one run.
            if runs[-1] and several and several[0] < (key(self.at(runs[-1][-1])), 0):
                runs.append(array(small))
            runs[-1].extend([place for _, place in several])
            several.clear()

        for name, place, *_ in self._records:
            if place not in self._replaced:
                several.append((key(name), place))
            if len(several) == _SORTED_AT_ONCE:
                close_run()
        close_run()
        return _Ordered(self, runs[0] if len(runs) == 1 else self._merged(runs, key))

    def _merged(self, runs: Sequence[array[int]], key: Callable[[str], SupportsRichComparison]) -> array[int]:
        from heapq import merge

        keyed = (((key(self._records.read(place)[0]), place) for place in run) for run in runs)
        return array(runs[0].typecode, (place for _, place in merge(*keyed)))

    def at(self, place: int) -> str:
        """The name whose record lies at a place."""
        self._last = self._records.read(place)
        return self._last[0]

    def _record_of(self, name: str) -> _Record:
        found = self._find(name)
        if found is None:
            raise KeyError(name)
        return found

    def _find(self, name: object) -> _Record | None:
        last = self._last
        if last is not None and last[0] == name:
            return last
        slots, wanted = self._slots, hash(name) & _HASH
        at = wanted * len(slots) >> _HASH_BITS
        while slot := slots[at]:
            if slot >> _PLACE_BITS == wanted:
                record = self._records.read((slot & _PLACE) - 1)
                if record[0] == name and record[1] not in self._replaced:
                    self._last = record
                    return record
            at = at + 1 if at + 1 < len(slots) else 0
        return None

    def _put(self, name: str, place: int) -> None:
        self._numbers += 1
        if 4 * self._numbers > 3 * len(self._slots):
            larger = _free_slots(len(self._slots) * 3 // 2)
            for slot in self._slots:
                if slot:
                    _put(larger, slot >> _PLACE_BITS, slot & _PLACE)
            self._slots = larger
        _put(self._slots, hash(name) & _HASH, place + 1)

    def __reduce__(self) -> tuple[type[PackedTable], tuple[bytes, set[int]]]:
        # Hashes of names are other ones in another process.
        return PackedTable, (self._records.content(), self._replaced)


def _free_slots(count: int) -> memoryview:
    """Pages of their own: those of a table that grew go back at once, and leave no holes in memory."""
    return memoryview(mmap(-1, 8 * count)).cast("Q")


def _put(slots: memoryview, hashed: int, place: int) -> None:
    """Into the first free slot from where the hash leads to."""
    at = hashed * len(slots) >> _HASH_BITS
    while slots[at]:
        at = at + 1 if at + 1 < len(slots) else 0
    slots[at] = hashed << _PLACE_BITS | place


class _Ordered(Sequence[str]):
    """Names of a table by the places of their records."""

    def __init__(self, table: PackedTable, places: array[int]) -> None:
        self._table, self._places = table, places

    def __len__(self) -> int:
        return len(self._places)

    def __iter__(self) -> Iterator[str]:
        return map(self._table.at, self._places)

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[str]: ...
    def __getitem__(self, place: int | slice) -> str | Sequence[str]:
        """One name, or several."""
        if isinstance(place, slice):
            return _Ordered(self._table, self._places[place])
        return self._table.at(self._places[place])

    def __reduce__(self) -> tuple[type[list[str]], tuple[list[str]]]:
        return list, (list(self),)
