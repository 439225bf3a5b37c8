from __future__ import annotations

from pathlib import Path

import pytest

from lydite.errors import FormatError
from lydite.formats.source import open_source
from lydite.formats.text import text_pieces


def pieces(data: bytes, folder: Path) -> list[str]:
    (folder / "d1.txt").write_bytes(data)
    return list(text_pieces(open_source(folder / "d1.txt").parts[0]))


def test_line_ends_and_a_byte_order_mark_stay(tmp_path: Path) -> None:
    assert pieces(b"\xef\xbb\xbfa\r\nb\rc\n", tmp_path) == ["\ufeffa\r\nb\rc\n"]


def test_a_character_may_lie_across_two_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lydite.formats.text.CHUNK", 2)
    assert "".join(pieces("añ€😀b".encode(), tmp_path)) == "añ€😀b"


@pytest.mark.parametrize("chunk", [1, 2, 3, 5, 1000])
def test_bytes_that_are_no_text_are_refused_with_their_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chunk: int
) -> None:
    monkeypatch.setattr("lydite.formats.text.CHUNK", chunk)
    with pytest.raises(FormatError) as caught:
        pieces("une ligne\ncafé ".encode() + b"caf\xe9\n", tmp_path)
    (finding,) = caught.value.findings
    assert finding.location is not None
    # Columns count bytes, as in all findings of this code.
    assert (finding.code, finding.location.line, finding.location.column) == ("not-utf-8", 2, 10)
    assert finding.message == "expected UTF-8 text, found byte 0xe9"


def test_a_text_that_ends_inside_a_character_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="0xe2"):
        pieces("ab€".encode()[:-1], tmp_path)
