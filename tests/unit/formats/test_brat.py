from __future__ import annotations

from pathlib import Path

import pytest

from lydite.errors import FormatError
from lydite.formats.brat import TextBound, TextBounds, read_text_bounds, recognise
from lydite.formats.source import open_source


def read(text: str | bytes, folder: Path) -> TextBounds:
    path = folder / "d1.ann"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return read_text_bounds(open_source(path).parts[0])


def test_a_text_bound_annotation_has_id_type_segments_and_text(tmp_path: Path) -> None:
    (bound,) = read("T1\tConflict_Attack 10 18\tattacked\n", tmp_path).items
    assert bound == TextBound("T1", "Conflict_Attack", ((10, 18),), "attacked", 1)


def test_a_discontinuous_annotation_has_several_segments(tmp_path: Path) -> None:
    (bound,) = read("T1\tConflict_Attack 30 33;40 47\tset on fire\n", tmp_path).items
    assert bound.ranges == ((30, 33), (40, 47))


def test_other_lines_are_left_alone(tmp_path: Path) -> None:
    lines = (
        "E1\tConflict_Attack:T1\nA1\tRealis E1 Actual\n*\tEquiv T1 T2\n#1\tNote T1\ta\tb\n\nT2\tDie 1 2\tx\n"
    )
    assert [(bound.id, bound.line) for bound in read(lines, tmp_path).items] == [("T2", 6)]


def test_the_text_may_hold_tabs_or_be_missing(tmp_path: Path) -> None:
    bounds = read("T1\tDie 1 4\ta\tb\nT2\tDie 5 6\n", tmp_path)
    assert [bound.text for bound in bounds.items] == ["a\tb", "-"]


def test_a_byte_order_mark_and_carriage_returns_hide_nothing(tmp_path: Path) -> None:
    bounds = read(b"\xef\xbb\xbfT1\tDie 1 4\tabc\r\nT2\tDie 5 6\tx\r\n", tmp_path)
    assert [(bound.id, bound.text) for bound in bounds.items] == [("T1", "abc"), ("T2", "x")]


@pytest.mark.parametrize(
    "line",
    ["T1", "T1\tDie", "T1\tDie 1", "T1\tDie 1 b\tx", "T1\tDie 4 4\tx", "T1\tDie 5 4\tx", "T1\tDie -1 4\tx", "T1\tDie 1 2;\tx",
     "T1\t 1 2\tx", "T1\tDie 1 " + "9" * 5000],
)  # fmt: skip
def test_a_line_that_gives_no_place_is_an_error(tmp_path: Path, line: str) -> None:
    bounds = read(f"T0\tDie 0 1\tx\n{line}\n", tmp_path)
    (finding,) = bounds.findings
    assert finding.location is not None
    assert (finding.code, finding.severity, finding.location.line) == ("bad-text-bound", "error", 2)
    assert [bound.id for bound in bounds.items] == ["T0"]


def test_bytes_that_are_not_text_are_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="not-utf-8"):
        read(b"T1\tDie 1 4\tcaf\xe9\n", tmp_path)


@pytest.mark.parametrize(
    "head", [b"T1\tDie 1 2\tx", b"\xef\xbb\xbfE1\tDie:T1", b"*\tEquiv T1 T2", b"#1\tNote T1\tx"]
)
def test_a_file_of_brat_is_recognised_by_its_first_line(head: bytes) -> None:
    assert recognise(head)


@pytest.mark.parametrize("head", [b"", b"The raid", b"#BeginOfDocument d1", b"T1 Die 1 2"])
def test_another_file_is_not(head: bytes) -> None:
    assert not recognise(head)
