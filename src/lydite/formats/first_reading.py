"""What the first reading of a file shows beside its documents: the hash of its bytes, and the names in it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from hashlib import sha256

from lydite.formats.source import CHUNK, Source, SourcePart


class FirstReading:
    """Hashes the files of a source while a reader reads them for the first time, and shows the bytes to a listener.

    The reader may go back, or read a file twice: every byte is hashed once, in the order of the files.  What the reader
    left out is read when the hash is asked for.
    """

    def __init__(self, parts: Sequence[SourcePart], listen: Callable[[int, bytes], object] | None) -> None:
        self._parts, self._listen = parts, listen
        self._digest = sha256()
        self._number = self._position = 0

    def see(self, number: int, position: int, data: bytes) -> None:
        """Take the bytes that were read at a position of the file with that number; no bytes are its end."""
        if number != self._number or position > self._position or number == len(self._parts):
            return
        new = data[self._position - position :]
        if new:
            self._digest.update(new)
            if self._listen is not None:
                self._listen(number, new)
            self._position += len(new)
        elif position == self._position:
            self._number, self._position = number + 1, 0

    def sha256(self) -> str:
        """The hash of all files."""
        while self._number < len(self._parts):
            number = self._number
            with self._parts[number].open_anything() as stream:
                stream.seek(self._position)
                while number == self._number:
                    self.see(number, self._position, stream.read(CHUNK))
        return self._digest.hexdigest()

    def __reduce__(self) -> tuple[type[FirstReading], tuple[tuple[()], None]]:
        # Another process reads documents again, whose files were hashed here.
        return FirstReading, ((), None)


def watched(source: Source, listen: Callable[[int, bytes], object] | None = None) -> Source:
    """The source with a hash that its reader brings about; ``listen`` gets the numbers of files and their bytes."""
    reading = FirstReading(source.parts, listen)
    parts = (part._replace(see=partial(reading.see, number)) for number, part in enumerate(source.parts))
    return source._replace(parts=tuple(parts), first_reading=reading)
