"""Streams over parts of archives read like any other stream."""

from __future__ import annotations

from pathlib import Path
from zipfile import ZipFile

from lydite.formats.source import open_source


def test_a_line_of_an_archive_is_read_in_pieces_of_a_size(tmp_path: Path) -> None:
    with ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("a.txt", "one two\nthree\n")
    (part,) = open_source(str(tmp_path / "a.zip")).parts
    with part.open() as stream:
        assert [stream.readline(3), stream.readline(), stream.readline(100)] == [
            b"one",
            b" two\n",
            b"three\n",
        ]
        assert stream.readline(5) == b""
