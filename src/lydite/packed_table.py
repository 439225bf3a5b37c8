"""A table of many names in little memory: a few bytes for each, with the names in a temporary file."""

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
"""The number of bytes of records up to which no file is made."""
_WINDOW = 1 << 12
"""The number of bytes that are read from the file at once, as the next records are likely needed next."""
_HEAD = struct.Struct("<QII")
"""The head of a record: its number, the size of its name, the size of its value; name and value follow."""
_PLACE_BITS = 36
_PLACE = (1 << _PLACE_BITS) - 1
_HASH_BITS = 64 - _PLACE_BITS
_HASH = (1 << _HASH_BITS) - 1
_SORTED_AT_ONCE = 1 << 14
"""The number of names that are sorted in memory at once."""


_Record = tuple[str, int, int, bytes, int]
"""A name, the place of its record, its number, its value, and the end of the record."""


class _Records:
    """A sequence of records: the latest ones in memory, the others in a file."""

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
        """Add a record; return its place."""
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
            # The disk is full: names then need more memory, and nothing else changes.
            self._most *= 16
            return
        self._written += done
        self._latest.clear()

    def rewrite(self, record: _Record, value: bytes) -> None:
        """Replace the value of a record by one of the same size."""
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
        text = data[name:value].decode("utf-8", "surrogatepass")
        return text, place, number, bytes(data[value:end]), place + size

    def __iter__(self) -> Iterator[_Record]:
        place = 0
        while place < self.end:
            record = self.read(place)
            yield record
            place = record[-1]

    def content(self) -> bytes:
        """All records as bytes."""
        data, begin = self._at(0, self._written) if self._written else (b"", 0)
        return bytes(data[begin : begin + self._written]) + self._latest

    def _at(self, place: int, size: int) -> tuple[bytes | bytearray, int]:
        """Data with ``size`` bytes from a place on, and the position in the data at which they begin."""
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
    """A mapping from names to values of one size, in the order of insertion, with 11 to 16 bytes of memory for each name.

    A slot of the hash table holds a part of a name's hash and the place of its record; if two names have the same part,
    the names themselves are read and compared.
    """

    def __init__(self, records: bytes = b"", deleted: Iterable[int] = ()) -> None:
        self._records = _Records(records)
        self._deleted = set(deleted)
        """The places of deleted records."""
        self._slots = _free_slots(64)
        self._numbers = 0
        self._last: _Record | None = None
        """The record that was read last, as it is often needed again."""
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
        return self._require(name)[3]

    def __delitem__(self, name: str) -> None:
        self._deleted.add(self._require(name)[1])
        self._last = None

    def __contains__(self, name: object) -> bool:
        return self._find(name) is not None

    def __iter__(self) -> Iterator[str]:
        for record in self._records:
            if record[1] not in self._deleted:
                self._last = record
                yield record[0]

    def __len__(self) -> int:
        return self._numbers - len(self._deleted)

    def number(self, name: str) -> int:
        """A number that no other name has, less than :attr:`numbers`."""
        return self._require(name)[2]

    @property
    def numbers(self) -> int:
        """The number of names that were ever added."""
        return self._numbers

    def in_order(self, key: Callable[[str], SupportsRichComparison]) -> Sequence[str]:
        """All names sorted by their keys; names with equal keys in the order of insertion."""
        small = "I" if self._records.end < 1 << 32 else "Q"
        runs: list[array[int]] = [array(small)]
        several: list[tuple[SupportsRichComparison, int]] = []

        def close_run() -> None:
            several.sort()
            # Files are mostly sorted: then there is only one run.
            if runs[-1] and several and several[0] < (key(self.at(runs[-1][-1])), 0):
                runs.append(array(small))
            runs[-1].extend([place for _, place in several])
            several.clear()

        for name, place, *_ in self._records:
            if place not in self._deleted:
                several.append((key(name), place))
            if len(several) == _SORTED_AT_ONCE:
                close_run()
        close_run()
        return _OrderedNames(self, runs[0] if len(runs) == 1 else self._merge_runs(runs, key))

    def _merge_runs(
        self, runs: Sequence[array[int]], key: Callable[[str], SupportsRichComparison]
    ) -> array[int]:
        from heapq import merge

        keyed = (((key(self._records.read(place)[0]), place) for place in run) for run in runs)
        return array(runs[0].typecode, (place for _, place in merge(*keyed)))

    def at(self, place: int) -> str:
        """The name of the record at a place."""
        self._last = self._records.read(place)
        return self._last[0]

    def _require(self, name: str) -> _Record:
        found = self._find(name)
        if found is None:
            raise KeyError(name)
        return found

    def _find(self, name: object) -> _Record | None:
        last = self._last
        if last is not None and last[0] == name:
            return last
        slots, hash_part = self._slots, hash(name) & _HASH
        at = hash_part * len(slots) >> _HASH_BITS
        while slot := slots[at]:
            if slot >> _PLACE_BITS == hash_part:
                record = self._records.read((slot & _PLACE) - 1)
                if record[0] == name and record[1] not in self._deleted:
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
        # Hashes of names differ in another process.
        return PackedTable, (self._records.content(), self._deleted)


def _free_slots(count: int) -> memoryview:
    """Empty slots in memory pages of their own, which are freed at once when the table grows."""
    return memoryview(mmap(-1, 8 * count)).cast("Q")


def _put(slots: memoryview, hashed: int, place: int) -> None:
    """Fill the first free slot at or after the one of the hash."""
    at = hashed * len(slots) >> _HASH_BITS
    while slots[at]:
        at = at + 1 if at + 1 < len(slots) else 0
    slots[at] = hashed << _PLACE_BITS | place


class _OrderedNames(Sequence[str]):
    """A sequence of names of a table, given by the places of their records."""

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
            return _OrderedNames(self._table, self._places[place])
        return self._table.at(self._places[place])

    def __reduce__(self) -> tuple[type[list[str]], tuple[list[str]]]:
        return list, (list(self),)
