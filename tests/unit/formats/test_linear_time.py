"""What is opened, goes on for long and is not closed costs time in proportion to its length."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from lydite.assess.sheets import origin_of
from lydite.formats import FORMATS
from lydite.formats.eal import parse_file
from lydite.formats.source import open_source
from lydite.numerals import decimal_of
from lydite_corpus.documents import read_part

Work = Callable[[Path], object]


def _sgml(text: str) -> Work:
    def read(folder: Path) -> object:
        (folder / "d.sgm").write_text(text)
        (part,) = open_source(folder / "d.sgm").parts
        return list(read_part(part, {}, []))

    return read


def _columns(text: str) -> Work:
    def read(folder: Path) -> object:
        (folder / "d.txp").write_text(f"# FIELDS: token ner\n{text}\n")
        return list(
            FORMATS["textpro"].read(open_source(folder / "d.txp"), {"columns": ("ner",)}).documents.values()
        )

    return read


def _apf(text: str) -> Work:
    def read(folder: Path) -> object:
        (folder / "d.apf.xml").write_text(text)
        return FORMATS["apf"].read(open_source(folder / "d.apf.xml"), {}).documents

    return read


def _confidence(cell: str) -> bytes:
    columns = ("1", "d", "Life.Die", "Victim", "x", "0-1", "0-1", "0-1", "NIL", "Actual", cell)
    return "\t".join(columns).encode()


LONG = 120_000
WORKS: dict[str, Work] = {
    "digits of a decimal number": lambda _: decimal_of("1" * LONG + "x"),
    "digits of a confidence": lambda _: parse_file("d", _confidence("1" * LONG + "x")),
    "digits of a hexadecimal confidence": lambda _: parse_file("d", _confidence("0x" + "1" * LONG + "x")),
    "blanks of a header": _columns("#" + " " * LONG + "x"),
    "documents without an end": _sgml("<DOC>\n" * (LONG // 6)),
    "tags of documents that are not closed": _sgml("<DOC " * (LONG // 5)),
    "posts without an end": _sgml("<DOC id='d'>" + "<POST>" * (LONG // 6) + "</DOC>"),
    "tags of posts that are not closed": _sgml("<DOC id='d'>" + "<POST " * (LONG // 6) + "\n</DOC"),
    "headlines without an end": _sgml("<DOC id='d'>" + "<HEADLINE>" * (LONG // 10) + "</DOC>"),
    "authors without an end": lambda _: origin_of("<POSTER>" * (LONG // 8), LONG),
    "letters of an attribute": lambda _: origin_of(f"<post {'a' * LONG}>", LONG),
    "prologs without an end": _apf("</source_file></source_file>" + "<?xml" * (LONG // 5)),
    "types of documents without an end": _apf("</source_file></source_file>" + "<!DOCTYPE[" * (LONG // 10)),
}


@pytest.mark.parametrize("work", WORKS.values(), ids=list(WORKS))
def test_what_is_long_and_not_closed_costs_time_in_proportion(work: Work, tmp_path: Path) -> None:
    begin = time.process_time()
    work(tmp_path)
    assert time.process_time() - begin < 2


def test_authors_and_dates_of_posts_are_found_in_front_of_an_offset() -> None:
    text = "<poster> Ana </POSTER><POSTDATE>2006</POSTDATE> one <POSTER>Ben</POSTER> two <POSTER>open"
    assert origin_of(text, text.index("one")) == "Ana, 2006"
    assert origin_of(text, text.index("two")) == "Ben, 2006"
    assert origin_of('<post author="Ana" datetime = "2006">x', 40) == "Ana, 2006"
    assert origin_of("<DATELINE>\nHest, 2006\n</DATELINE> x", 40) == "Hest, 2006"
