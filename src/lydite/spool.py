"""Sequences of records that are kept as JSON in a temporary file, since they may be larger than memory."""

from __future__ import annotations

import weakref
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import overload

_IN_MEMORY = 1 << 20
"""The number of bytes up to which no file is made."""


def encode(value: object) -> bytes:
    """A value as JSON on one line; text that is not UTF-8 keeps its bytes as escapes."""
    import msgspec

    try:
        return msgspec.json.encode(value, enc_hook=_plain)
    except UnicodeEncodeError:
        import json

        return json.dumps(value, default=_plain).encode("ascii")


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"cannot be written as JSON: {type(value).__name__}")


def indent(encoded: bytes) -> bytes:
    """The JSON with one member or item per line, indented by two blanks."""
    import msgspec

    try:
        return msgspec.json.format(encoded, indent=2)
    except msgspec.DecodeError:
        import json

        # msgspec refuses lone surrogates.
        return json.dumps(json.loads(encoded), indent=2).encode("ascii")


Record = Mapping[str, object]


class _Records(Sequence[Record]):
    """Records that are decoded whenever they are accessed; they are pickled as a list, or as a spool."""

    @abstractmethod
    def read(self, place: int) -> bytes:
        """One record as JSON."""

    @overload
    def __getitem__(self, place: int) -> Record: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Record]: ...
    def __getitem__(self, place: int | slice) -> object:
        """One record, or several as a list."""
        if isinstance(place, slice):
            return [self[number] for number in range(*place.indices(len(self)))]
        import json

        return json.loads(self.read(range(len(self))[place]))

    def __reduce__(self) -> tuple[object, ...]:
        return list, (list(self),)


class Spool(_Records):
    """A sequence of records that grows in a temporary file."""

    def __init__(self, content: bytes = b"", ends: Sequence[int] = ()) -> None:
        from tempfile import SpooledTemporaryFile

        self._file = SpooledTemporaryFile(max_size=_IN_MEMORY)  # noqa: SIM115 - closed with the spool
        self._file.write(content)
        self.ends: list[int] = list(ends)
        """The end of each record in the file."""
        weakref.finalize(self, self._file.close)

    def append(self, record: Record) -> None:
        """Add one record."""
        encoded = encode(record)
        self._extend(encoded, [len(encoded)])

    def extend(self, records: Iterable[Record]) -> None:
        """Add several records; those of another spool are copied as JSON."""
        if isinstance(records, Spool):
            self._extend(records.content(), records.ends)
        else:
            for record in records:
                self.append(record)

    def _extend(self, content: bytes, ends: Sequence[int]) -> None:
        begin = self.ends[-1] if self.ends else 0
        self._file.seek(begin)
        self._file.write(content)
        self.ends.extend(begin + end for end in ends)

    def content(self) -> bytes:
        """All records as JSON, one after the other."""
        self._file.seek(0)
        return self._file.read()

    def __reduce__(self) -> tuple[object, ...]:
        return Spool, (self.content(), self.ends)

    def read(self, place: int) -> bytes:
        """One record as JSON."""
        begin = self.ends[place - 1] if place else 0
        self._file.seek(begin)
        return self._file.read(self.ends[place] - begin)

    def __len__(self) -> int:
        return len(self.ends)


class _ChainedRecords(_Records):
    def __init__(self, parts: Sequence[Sequence[Record]]) -> None:
        self._parts = parts

    def __len__(self) -> int:
        return sum(map(len, self._parts))

    def read(self, place: int) -> bytes:
        for part in self._parts:
            if place < len(part):
                return part.read(place) if isinstance(part, _Records) else encode(part[place])
            place -= len(part)
        raise IndexError(place)


def chain_records(parts: Sequence[Sequence[Record]]) -> Sequence[Record]:
    """The records of several sequences as one sequence; as a list, if all are lists."""
    if all(isinstance(part, list) for part in parts):
        return [record for part in parts for record in part]
    return _ChainedRecords(parts)


def encode_records(records: Sequence[Record]) -> Iterator[bytes]:
    """Encode each record as JSON; those of a spool are JSON already."""
    return map(records.read, range(len(records))) if isinstance(records, _Records) else map(encode, records)
