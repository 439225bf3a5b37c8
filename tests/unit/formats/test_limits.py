"""Small input does not cost much: it is refused, with the limit that can be set, or read in proportion."""

from __future__ import annotations

import gzip
import io
import re
import tarfile
import time
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

import lydite
from lydite.adjudication.decisions import read_table as read_judgements
from lydite.assess.sheets import read_table
from lydite.cli import run
from lydite.errors import FormatError, UsageError
from lydite.formats.archives import gunzip
from lydite.formats.source import open_source
from lydite.formats.store import open_store
from lydite.resource_limits import LIMITS, limit

BILLIONS = 4_000_000_000
TBF = b"#BeginOfDocument d\ns\td\tE1\t0,8\tx\tLife_Die\tActual\n#EndOfDocument\n"


def _archive(path: Path, members: dict[str, bytes]) -> Path:
    if path.suffix == ".zip":
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in members.items():
                archive.writestr(name, content)
        return path
    with tarfile.open(path, "w:gz") as tar:
        for name, content in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            tar.addfile(info, io.BytesIO(content))
    return path


@pytest.mark.parametrize("name", ["a.zip", "a.tar.gz"])
def test_an_archive_that_unpacks_to_too_much_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv("LYDITE_LIMIT_UNPACKED", "1000")
    path = _archive(tmp_path / name, {"a.tbf": bytes(2000)})
    with pytest.raises(FormatError, match="LYDITE_LIMIT_UNPACKED"):
        open_source(path)


def test_a_gzip_file_that_unpacks_to_too_much_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LYDITE_LIMIT_UNPACKED", "1000")
    path = tmp_path / "a.tbf.gz"
    path.write_bytes(gzip.compress(bytes(2000)))
    with pytest.raises(FormatError, match="more than 1000 bytes"):
        open_source(path).parts[0].open()


def test_what_unpacks_to_many_times_its_size_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lydite.formats.archives.LARGE", 1 << 16)
    path = _archive(tmp_path / "a.zip", {"a.tbf": b"x" * (1 << 20)})
    with pytest.raises(FormatError, match="times its size"):
        open_source(path)
    monkeypatch.setenv("LYDITE_LIMIT_RATIO", "2000")
    assert len(open_source(path).parts[0].read_bytes()) == 1 << 20


@pytest.mark.parametrize("name", ["a.zip", "a.tar.gz"])
def test_a_member_with_an_endless_name_is_refused_and_its_name_is_not_printed(
    tmp_path: Path, name: str
) -> None:
    path = _archive(tmp_path / name, {"n" * 20_000 + ".tbf": TBF})
    with pytest.raises(FormatError, match="20004 characters") as refused:
        open_source(path)
    assert len(str(refused.value)) < 1000


def test_an_archive_that_is_cut_off_is_refused_if_a_file_is_missing(tmp_path: Path) -> None:
    path = tmp_path / "a.tar"
    with tarfile.open(path, "w") as tar:
        for number in range(3):
            info = tarfile.TarInfo(f"d{number}.tbf")
            info.size = len(TBF)
            tar.addfile(info, io.BytesIO(TBF))
    whole = path.read_bytes()
    assert len(open_source(path).parts) == 3
    for length in (*range(512, 6 * 512, 256), 6 * 512):
        path.write_bytes(whole[:length])
        with pytest.raises(FormatError, match="not a readable tar archive"):
            open_source(path)


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize("opener", [open_source, open_store])
@pytest.mark.parametrize("again", ["d", "./d"])
@pytest.mark.parametrize("name", ["a.zip", "a.tgz"])
def test_an_archive_that_holds_a_file_twice_is_refused(
    tmp_path: Path, name: str, again: str, opener: Callable[[Path], object]
) -> None:
    path = tmp_path / name
    if name == "a.zip":
        with zipfile.ZipFile(path, "w") as packed:
            packed.writestr("d", TBF)
            packed.writestr(again, TBF)
    else:
        with tarfile.open(path, "w:gz") as tar:
            for member in ("d", again):
                info = tarfile.TarInfo(member)
                info.size = len(TBF)
                tar.addfile(info, io.BytesIO(TBF))
    with pytest.raises(FormatError, match="holds the file 'd' more than once") as refused:
        opener(path)
    assert [finding.code for finding in refused.value.findings] == ["repeated-document"]


@pytest.mark.parametrize("name", ["a.zip", "a.tar.gz"])
def test_the_members_of_an_archive_are_unpacked_together(tmp_path: Path, name: str) -> None:
    contents = {f"d{number}.tbf": TBF * number for number in range(1, 6)}
    parts = open_source(_archive(tmp_path / name, contents)).parts
    assert {part.name: part.read_bytes() for part in parts} == contents
    with parts[0].open() as first, parts[1].open() as second:
        assert [first.readline(), second.readline()] == [b"#BeginOfDocument d\n"] * 2
        assert first.read() == second.read(len(TBF) - 19)


def test_tokens_by_the_billion_are_not_written(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "c.jsonlines"
    path.write_text(f'{{"doc_key": "d", "clusters": [[[0, {BILLIONS}], [5, 5]]]}}\n')
    for target in ("conll", "corefud"):
        out = tmp_path / f"out.{target}"
        assert run(["convert", "coref", str(path), str(out), "--to", target, "-q"]) == 3
        assert "too-large" in capfd.readouterr().err
        assert not out.exists()


def test_a_span_costs_what_is_written_not_what_it_spans(tmp_path: Path) -> None:
    path = tmp_path / "a.tbf"
    path.write_bytes(TBF.replace(b"0,8", f"0,{BILLIONS}".encode()))
    assert run(["score", str(path), str(path), "-q"]) == 0


def test_offsets_by_the_billion_are_not_written(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path, out = tmp_path / "a.tbf", tmp_path / "comparison.txt"
    path.write_bytes(TBF.replace(b"0,8", f"0,{BILLIONS}".encode()))
    assert run(["score", str(path), str(path), "-q", "--format", "official", "--comparison", str(out)]) == 3
    assert "8000000000 offsets of document 'd'" in capfd.readouterr().err
    assert not out.exists()


def test_forty_thousand_attributes_are_refused(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.trp"
    attributes = " ".join(f'a{number}="x"' for number in range(40_000))
    path.write_text(f'<triples><triple id="1" relation="r" {attributes}/></triples>')
    assert run(["validate", str(path)]) == 3
    assert f"{path}:1: error: an element has 40002 attributes" in capfd.readouterr().out


def test_a_limit_that_is_no_number_is_wrong_usage(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LYDITE_LIMIT_NAME", "many")
    with pytest.raises(UsageError, match="expected a whole number, found 'many'"):
        limit("name")


def test_the_page_lists_every_limit_with_its_default() -> None:
    page = (Path(__file__).parents[3] / "docs" / "limits.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| `LYDITE_LIMIT_(\w+)` \| (\d+) \| (.+) \|$", page, re.MULTILINE)
    assert {name.lower(): (int(number), counts) for name, number, counts in listed} == LIMITS


def test_nothing_of_a_gzip_bomb_goes_to_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lydite.formats.archives.LARGE", 1 << 16)
    path = tmp_path / "a.tbf.gz"
    path.write_bytes(gzip.compress(bytes(1 << 20)))
    with pytest.raises(FormatError, match="times its size"):
        next(gunzip(str(path)))


def test_a_gzip_file_that_is_cut_off_is_not_taken_for_a_bomb(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lydite.formats.archives.LARGE", 1)
    monkeypatch.setenv("LYDITE_LIMIT_RATIO", "2")
    path = tmp_path / "a.tbf.gz"
    path.write_bytes(gzip.compress(TBF)[:-5] + b"\xff")
    with pytest.raises(FormatError, match="not a complete gzip file"):
        open_source(path).parts[0].open()


def test_an_archive_with_a_member_without_a_name_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(zipfile.ZipInfo(""), TBF)
    with pytest.raises(FormatError, match="no name"):
        open_source(str(path))


def test_a_number_on_the_command_line_is_no_longer_than_one_of_a_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "d.tbf"
    path.write_bytes(TBF)
    assert run(["score", str(path), str(path), "--ci", "--resamples", "9" * 30]) == 2
    said = capsys.readouterr().err
    assert "'--resamples': expected an integer of up to 18 digits" in said


def _tsv(path: Path, heading: str, *rows: str) -> Path:
    path.write_text("\n".join([heading, *rows, ""]), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("heading", "separator"),
    [
        ("mention,cluster", ","),
        ("mention,cluster", "\t"),
        ('\r\n"men\ntion",cluster', ","),
        ("\ufeffmention,cluster", "\t"),
    ],
)
def test_a_table_with_too_many_columns_is_refused_before_anything_is_made_of_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], heading: str, separator: str
) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes((heading + "," * 300_000).replace(",", separator).encode())
    tracemalloc.start()
    assert run(["validate", "coref", str(path)]) == 3
    used = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert "expected at most 10000 columns, found more [too-large]" in capsys.readouterr().out
    assert used < 20 << 20


def test_a_limit_on_columns_can_be_raised(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.csv"
    path.write_text("mention,cluster" + "".join(f",c{number}" for number in range(8)) + "\nx,1" + "," * 8)
    monkeypatch.setenv("LYDITE_LIMIT_COLUMNS", "9")
    assert run(["validate", "coref", str(path)]) == 3
    monkeypatch.setenv("LYDITE_LIMIT_COLUMNS", "10")
    assert run(["validate", "coref", str(path)]) == 0


def test_separators_in_quotes_and_in_rows_below_are_no_columns_of_the_heading(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LYDITE_LIMIT_COLUMNS", "3")
    path = tmp_path / "a.csv"
    path.write_text('mention,cluster,"a,b,c,""d"",e"\n' + 'x,1,5"\n' * 10)
    assert run(["validate", "coref", str(path), "--repeats", "first"]) == 0
    path.write_text('mention,cluster,height 5"\n' + "".join(f'x{number},1,5"\n' for number in range(10)))
    assert run(["validate", "coref", str(path)]) == 0


def test_a_hundred_thousand_names_of_columns_are_refused_in_columns_of_tokens(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = " ".join(f"c{number}" for number in range(100_000))
    path = _tsv(tmp_path / "a.txp", f"# FIELDS: token {names}", "x")
    assert run(["validate", "triples", str(path), "--columns", "c1"]) == 3
    assert f"{path}:1: error: expected at most 10000 columns" in capsys.readouterr().out


def test_a_column_of_tokens_that_is_named_twice_is_named_in_the_finding(tmp_path: Path) -> None:
    path = _tsv(tmp_path / "a.txp", "# FIELDS: token pos ner pos", "x")
    with pytest.raises(FormatError, match="found 'pos' twice"):
        lydite.convert(path, task="triples", columns="ner").documents  # noqa: B018 - read when it is asked for


def test_a_short_row_of_a_wide_table_of_judgements_costs_little(tmp_path: Path) -> None:
    path = _tsv(tmp_path / "a.tsv", "item_id\t" + "\t".join(f"c{number}" for number in range(9_000)), "i1")
    assert read_judgements(str(path), ("item_id", "c7")) == [(2, {"item_id": "i1", "c7": ""})]
    _tsv(path, "item_id\t" + "\t".join(f"c{number}" for number in range(10_000)), "i1")
    with pytest.raises(FormatError, match="too-large"):
        read_judgements(str(path), ("item_id",))


def _workbook(path: Path, *cells: tuple[int, int]) -> Path:
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    for row, column in ((1, 1), *cells):
        book.active.cell(row, column).value = "x"
    book.save(path)
    return path


def test_a_cell_in_the_last_corner_of_a_workbook_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="too-large"):
        read_table(_workbook(tmp_path / "a.xlsx", (1_000, 16_384)))


def test_the_cells_of_a_workbook_are_counted_with_the_empty_ones_before_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = _workbook(tmp_path / "a.xlsx", (50, 50))
    assert [len(row) for row in read_table(path)] == [1, *[0] * 48, 50]
    monkeypatch.setenv("LYDITE_LIMIT_CELLS", "98")
    with pytest.raises(FormatError, match="at most 98 cells"):
        read_table(path)


def test_a_workbook_that_unpacks_to_too_much_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LYDITE_LIMIT_MEMBER", "1000")
    with pytest.raises(FormatError, match="LYDITE_LIMIT_MEMBER"):
        read_table(_workbook(tmp_path / "a.xlsx"))


@pytest.mark.parametrize("opener", [open_source, open_store])
@pytest.mark.parametrize("name", ["a.zip", "a.tar.gz"])
def test_an_archive_of_too_many_members_is_refused_before_they_are_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, opener: Callable[[Path], object]
) -> None:
    monkeypatch.setenv("LYDITE_LIMIT_MEMBERS", "4")
    path = _archive(tmp_path / name, {f"d{number}": TBF for number in range(4)})
    opener(path)
    _archive(path, {f"d{number}": TBF for number in range(5)})
    with pytest.raises(FormatError, match="holds more than 4 members") as refused:
        opener(path)
    assert "LYDITE_LIMIT_MEMBERS" in str(refused.value)


def test_empty_members_by_the_ten_thousand_are_told_at_once(tmp_path: Path) -> None:
    path = _archive(tmp_path / "a.tar.gz", {f"d{number}": b"" for number in range(30_000)})
    begin = time.process_time()
    with pytest.raises(FormatError, match="10000 members"):
        open_source(path)
    assert time.process_time() - begin < 5


def test_mentions_that_hold_each_other_by_the_thousand_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cells = ["(e1", "(e2", "(e3", "e3)e2)e1)"]
    rows = (f"{number}\ta" + "\t_" * 7 + f"\tEntity={cell}\n" for number, cell in enumerate(cells, 1))
    path = tmp_path / "a.conllu"
    path.write_text("# newdoc id = d\n# global.Entity = eid\n" + "".join(rows) + "\n")
    monkeypatch.setenv("LYDITE_LIMIT_NODES", "6")
    assert len(lydite.read(path).documents) == 1
    monkeypatch.setenv("LYDITE_LIMIT_NODES", "5")
    with pytest.raises(FormatError, match="LYDITE_LIMIT_NODES") as refused:
        lydite.read(path)
    assert str(refused.value).startswith(f"{path}:6: ")


def test_a_number_of_thousands_of_digits_is_told_in_plain_words(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(f'{{"doc_key": "d", "clusters": [[[0, {"9" * 5000}]]]}}\n')
    (finding,) = lydite.validate(path, task="coref", format="coref-jsonl")
    assert "a number of thousands of digits" in finding.message
    assert "int_max_str_digits" not in finding.message
