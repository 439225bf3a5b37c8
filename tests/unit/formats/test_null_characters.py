"""A null character is refused in every file of text, with its place, whatever the format and however it is packed."""

from __future__ import annotations

import gzip
import io
import shutil
import sys
import zipfile
from pathlib import Path

import pytest

import lydite
from format_samples import EXAMPLES, FILE_SETTINGS, FILES
from fuzz.scenarios import task_of
from lydite.assess.sheets import read_table
from lydite.cli import run
from lydite.errors import FormatError
from lydite.facade.choosing import UserChoice
from lydite.facade.validating import validate_file
from lydite.formats import FORMATS, tokens
from lydite.formats.source import forget_pipes, open_source
from lydite.formats.texts import source_text
from side_files import DOCUMENT, SIDES, STORE, Side

TBF = b"#BeginOfDocument d\ns\td\tE1\t0,8\tat\0tacked\tLife_Die\tActual\n#EndOfDocument\n"
PLACE = 2, 14


def place_of(refused: FormatError) -> tuple[int | None, int | None]:
    (finding,) = refused.findings
    assert finding.code == "null-character"
    assert finding.location is not None
    return finding.location.line, finding.location.column


@pytest.mark.parametrize("name", list(FILES))
def test_a_null_character_is_refused_in_every_format(name: str, tmp_path: Path) -> None:
    content = FILES[name]
    if content.startswith(b"PAR1"):
        pytest.skip("no text")
    at = len(content) // 2
    path = tmp_path / f"d{FORMATS[name].extensions[0]}"
    path.write_bytes(content[:at] + b"\0" + content[at:])
    choice = UserChoice(task=task_of(name), format=name, options=FILE_SETTINGS.get(name, {}))
    with pytest.raises(FormatError) as refused:
        validate_file(choice, path)
    before = content[:at]
    assert place_of(refused.value) == (before.count(b"\n") + 1, at - before.rfind(b"\n"))


@pytest.mark.parametrize(
    "side", [side for side in SIDES if side.task != "ace"], ids=lambda side: f"{side.task}-{side.setting}"
)
def test_a_null_character_is_refused_in_every_file_beside(
    side: Side, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    named = tmp_path / f"side{side.ending}"
    if side.beside is not None:
        shutil.copytree(side.beside, named)
    target = named / side.inside if side.inside else named
    target.parent.mkdir(exist_ok=True)
    target.write_bytes(side.content + b"\0")
    paths = []
    for name, said in (("gold", side.gold), ("system", side.system)):
        path = tmp_path / name / f"{DOCUMENT}{side.extension}"
        if isinstance(said, bytes):
            path.parent.mkdir()
            path.write_bytes(said)
        paths.append(str(path if isinstance(said, bytes) else said))
    # Texts of spans are only read where words are placed in them.
    places_words = (side.task, side.setting) == ("spans", "documents")
    options = [f"--{side.setting}", str(named), *(["--ground"] if places_words else side.options)]
    statuses = {run(["score", side.task, *paths, *options]), run(["validate", side.task, paths[1], *options])}
    assert statuses & {2, 3}
    assert "null" in capsys.readouterr().err


def test_the_place_is_right_far_behind_the_first_chunk(tmp_path: Path) -> None:
    path = tmp_path / "a.tbf"
    path.write_bytes(b"#\n" * 300_000 + b"x" * 300_000 + b"\0")
    with pytest.raises(FormatError) as refused:
        open_source(path).parts[0].read_bytes()
    assert place_of(refused.value) == (300_001, 300_001)


def test_a_null_character_in_packed_files_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.tbf.gz").write_bytes(gzip.compress(TBF))
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("a.tbf", TBF)
    for name in ("a.tbf.gz", "a.zip"):
        with pytest.raises(FormatError) as refused:
            lydite.read(tmp_path / name)
        assert place_of(refused.value) == PLACE


def test_a_null_character_from_a_pipe_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(TBF)))
    with pytest.raises(FormatError) as refused:
        lydite.read("-", format="tbf")
    forget_pipes()
    assert place_of(refused.value) == PLACE


@pytest.mark.parametrize("reading", ["refuse", "as-official"])
def test_a_null_character_in_a_store_of_arguments_is_refused(reading: str, tmp_path: Path) -> None:
    store = tmp_path / "store"
    shutil.copytree(STORE / "system", store)
    file = next(path for path in sorted(store.rglob("*")) if path.is_file() and path.stat().st_size)
    file.write_bytes(file.read_bytes().replace(b"\t", b"\t\0", 1))
    found = lydite.validate(store, task="arguments", profile="kbp2014", reading=reading)
    assert [(one.code, one.severity) for one in found if one.severity == "error"] == [
        ("null-character", "error")
    ]


def test_a_null_character_in_texts_sheets_and_token_tables_is_refused(tmp_path: Path) -> None:
    for name in ("d.txt", "d.csv", "d.tab"):
        (tmp_path / name).write_bytes(b"a\tb\nc\0d")
    readers = (
        lambda: source_text(str(tmp_path), "d"),
        lambda: read_table(tmp_path / "d.csv"),
        lambda: tokens.read_table(tmp_path / "d.tab", "d", header=False, columns=(2, 3)),
    )
    for read in readers:
        with pytest.raises(FormatError) as refused:
            read()
        assert place_of(refused.value) == (2, 2)


def test_xml_in_utf_16_holds_zero_bytes_and_no_null_character(tmp_path: Path) -> None:
    gold = min((EXAMPLES / "ace" / "gold").iterdir())
    text = gold.read_text().replace('encoding="UTF-8"', 'encoding="UTF-16"')
    (tmp_path / gold.name).write_bytes(text.encode("utf-16"))
    plain, wide = (lydite.read(path, format="apf").documents for path in (gold, tmp_path / gold.name))
    assert [document.layers for document in plain.values()] == [one.layers for one in wide.values()]


def test_utf_16_is_named_in_the_hint(tmp_path: Path) -> None:
    path = tmp_path / "a.tbf"
    path.write_bytes(TBF.replace(b"\0", b"").decode().encode("utf-16"))
    with pytest.raises(FormatError, match="this is UTF-16: save it as UTF-8"):
        lydite.read(path, format="tbf")
