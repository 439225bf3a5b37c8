from __future__ import annotations

from pathlib import Path

import pytest

from lydite.errors import FormatError, UsageError
from lydite.formats.lists import read_character_counts, read_type_list
from lydite.formats.tokens import find_table


def folder(
    tmp_path: Path, name: str = "d1.tab", text: str = "t1\tHe\t0\t2\nt2\tleft\t3\t7\n", **options: object
) -> object:
    (tmp_path / name).write_text(text)
    return find_table(str(tmp_path), "d1", **options)


def test_a_table_gives_strings_and_offsets(tmp_path: Path) -> None:
    table = folder(tmp_path)
    assert table.strings == {"t1": "He", "t2": "left"}
    assert table.offsets == {"t1": (0, 2), "t2": (3, 7)}


def test_a_table_may_carry_the_extension_of_its_text(tmp_path: Path) -> None:
    assert folder(tmp_path, name="d1.txt.tab").strings["t1"] == "He"


def test_of_two_tables_that_carry_an_extension_none_is_guessed(tmp_path: Path) -> None:
    (tmp_path / "d1.sgm.tab").write_text("t1\tThe\t0\t3\n")
    with pytest.raises(FormatError, match=r"'d1\.sgm\.tab', 'd1\.txt\.tab' \[several-token-tables\]"):
        folder(tmp_path, name="d1.txt.tab")


def test_a_table_of_the_exact_name_counts_before_those_with_an_extension(tmp_path: Path) -> None:
    (tmp_path / "d1.sgm.tab").write_text("t1\tThe\t0\t3\n")
    (tmp_path / "d1.txt.tab").write_text("t1\tAn\t0\t2\n")
    assert folder(tmp_path).strings["t1"] == "He"


@pytest.mark.parametrize(("name", "what"), [("d1.tab", "is no folder"), ("gone", "no such folder")])
def test_what_is_no_folder_of_tables_is_refused_by_its_name(tmp_path: Path, name: str, what: str) -> None:
    folder(tmp_path)
    with pytest.raises(UsageError, match=f"{name}: {what}"):
        find_table(str(tmp_path / name), "d1")


def test_a_folder_that_is_called_like_a_table_is_none(tmp_path: Path) -> None:
    (tmp_path / "d1.sgm.tab").mkdir()
    assert folder(tmp_path, name="d1.txt.tab").strings["t1"] == "He"


def test_a_short_row_is_left_out_with_a_finding(tmp_path: Path) -> None:
    table = folder(tmp_path, text="t1\tHe\t0\t2\nt2\tleft\n")
    assert list(table.strings) == ["t1"]
    assert [(finding.code, finding.location.line) for finding in table.findings] == [
        ("token-row-too-short", 2)
    ]


def test_the_header_row_is_thrown_away_only_when_the_profile_says_so(tmp_path: Path) -> None:
    assert list(folder(tmp_path, header=True).strings) == ["t2"]


def test_a_document_without_table_has_none(tmp_path: Path) -> None:
    assert find_table(str(tmp_path), "d9") is None


def test_a_folder_that_does_not_exist_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no such folder"):
        find_table(str(tmp_path / "nowhere"), "d1")


def test_a_white_list_keeps_blank_lines_but_not_the_last_line_end(tmp_path: Path) -> None:
    path = tmp_path / "types.txt"
    path.write_text("conflict attack\n\nlife die\n")
    assert read_type_list(str(path)) == ("conflict attack", "", "life die")


def test_character_counts_are_pairs(tmp_path: Path) -> None:
    path = tmp_path / "counts.tsv"
    path.write_text("d1\t120\nd2\tmany\n")
    with pytest.raises(FormatError, match=r"counts\.tsv:2"):
        read_character_counts(str(path))


def test_white_space_around_a_length_is_ignored(tmp_path: Path) -> None:
    path = tmp_path / "counts.tsv"
    path.write_text("d1\t120\x1e \n")
    assert read_character_counts(str(path)) == {"d1": 120}


def test_a_token_on_two_rows_is_reported(tmp_path: Path) -> None:
    table = folder(tmp_path, text="t1\tHe\t0\t2\nt2\tleft\t3\t7\nt1\tShe\t8\t11\n")
    assert table.offsets["t1"] == (8, 11)
    assert [(one.code, one.location.line) for one in table.findings] == [("token-row-repeated", 3)]


@pytest.mark.parametrize(("options", "rows"), [({}, [1]), ({"header": True}, []), ({"columns": (4, 5)}, [1])])
def test_the_first_row_without_offsets_is_reported(
    tmp_path: Path, options: dict[str, object], rows: list[int]
) -> None:
    table = folder(tmp_path, text="id\tword\tfrom\tto\nt1\tHe\t0\t2\nt2\tleft\t3\t7\n", **options)
    assert [(one.code, one.location.line) for one in table.findings] == [
        ("token-row-without-offsets", row) for row in rows
    ]
