from __future__ import annotations

from pathlib import Path

import pytest

import lydite

CASE = Path("tests/conformance/arguments/54-document-list")


def listed(path: Path) -> lydite.Summary:
    return lydite.score(
        CASE / "annotation",
        CASE / "system",
        task="arguments",
        profile="kbp2014",
        reading="as-official",
        document_list=[str(path)],
    )


def test_a_document_list_may_be_a_file_with_remarks_and_any_line_ends(tmp_path: Path) -> None:
    path = tmp_path / "list"
    path.write_bytes(b"\xef\xbb\xbfDOC_A\r\n# not DOC_B\r\nDOC_C\r\n")
    assert listed(path)["standard"].micro.f1 == 1


@pytest.mark.parametrize("data", [b"", b"# nothing\n", b"\xff\xfe"])
def test_a_document_list_that_lists_nothing_is_refused(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "list"
    path.write_bytes(data)
    with pytest.raises(lydite.UsageError, match="list"):
        listed(path)
