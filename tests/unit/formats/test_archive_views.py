"""Streams over parts of archives read like any other stream."""

from __future__ import annotations

import gzip
import shutil
from pathlib import Path
from zipfile import ZipFile

import pytest

from lydite.errors import FormatError
from lydite.facade import library
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


@pytest.mark.parametrize("reading", ["refuse", "as-official"])
def test_a_packed_file_in_an_archive_is_refused_and_not_read_as_nothing(reading: str, tmp_path: Path) -> None:
    gold, system = tmp_path / "gold.tbf", tmp_path / "system.zip"
    gold.write_bytes(b"#BeginOfDocument d1\nx\td1\tE1\t0,3\tabc\tT\tActual\n#EndOfDocument\n")
    with ZipFile(system, "w") as archive:
        archive.writestr("system.tbf.gz", gzip.compress(gold.read_bytes()))
    with pytest.raises(FormatError, match="expected text, found gzip data"):
        library.score(str(gold), str(system), task="nugget", reading=reading)


def test_the_files_of_an_archive_are_read_in_the_order_of_its_folder(tmp_path: Path) -> None:
    folder = tmp_path / "system"
    for inside in ("a", "a-b", "a b"):
        (folder / inside).mkdir(parents=True)
        block = f"#BeginOfDocument d\ns\td\tE1\t0,4\tx\t{inside}\tActual\n#EndOfDocument\n"
        (folder / inside / "x.tbf").write_text(block, encoding="utf-8")
    packed = [shutil.make_archive(str(tmp_path / "packed"), kind, folder) for kind in ("zip", "gztar")]
    paths = [str(folder), *packed, str(folder / "*" / "x.tbf")]
    read = [library.read(path, reading="as-official") for path in paths]
    # The last block of a document counts, and so the order decides.
    assert {corpus.documents["d"].mentions[0].type for corpus in read} == {"a-b"}
