"""What a newcomer does wrong first, and the sentence that helps."""

from __future__ import annotations

import gzip
import io
import lzma
import shutil
import zipfile
from pathlib import Path

import pytest

from lydite.cli import run
from scored_examples import EXAMPLES

ROOT = Path(__file__).parent.parent.parent
SYSTEM = (ROOT / "examples/systems/alder.tbf").read_bytes()
TAB = b"\t"
Capture = pytest.CaptureFixture[str]


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with gold.tbf, alder.tbf, a folder of runs and a coreference file; the command runs there."""
    shutil.copy(ROOT / "examples/gold.tbf", tmp_path / "gold.tbf")
    shutil.copy(ROOT / "examples/systems/alder.tbf", tmp_path / "alder.tbf")
    shutil.copytree(ROOT / "examples/systems", tmp_path / "runs")
    shutil.copy(ROOT / EXAMPLES["coref"][0], tmp_path / "key.conll")
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def said(capsys: Capture, *words: str, status: int) -> str:
    assert run(list(words)) == status
    output = capsys.readouterr()
    assert "Traceback" not in output.err
    assert "a defect of lydite" not in output.err
    if status in {2, 3, 4}:
        assert not output.out
    if status in {3, 4}:
        assert output.err.splitlines()[-1].startswith("nothing was scored: ")
    return output.err


def zipped(name: str) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr(name, "x")
    return stream.getvalue()


WRONG_FILES = {
    "gzip without .gz": (gzip.compress(SYSTEM), "found gzip data", "ends in .gz"),
    "xz": (lzma.compress(SYSTEM), "found xz data", "xz --decompress"),
    "zip without .zip": (zipped("alder.tbf"), "found a zip archive", "ends in .zip"),
    "Word": (zipped("word/document.xml"), "found a Word document", "plain text"),
    "Excel": (zipped("xl/workbook.xml"), "found an Excel workbook", "tabs between the columns"),
    "PDF": (b"%PDF-1.4\n%\xe2\xe3\n", "found a PDF document", "ask for the file"),
    "a web page": (b"<!DOCTYPE html>\n<html></html>\n", "this is a web page", "fetch the file itself"),
    "UTF-16": (SYSTEM.decode().encode("utf-16"), "a null character", "save it as UTF-8"),
    "Latin-1": (SYSTEM.replace(b"got", b"g\xe9t", 1), "found byte 0xe9", "save the file as UTF-8"),
    "a byte-order mark, as Excel saves it": (
        b"\xef\xbb\xbf" + SYSTEM,
        "begins with a byte-order mark",
        "without byte-order mark",
    ),
    "lines that end with CR alone": (SYSTEM.replace(b"\n", b"\r"), "no document", "with LF or CR LF"),
    "spaces in place of tabs": (SYSTEM.replace(TAB, b"    "), "expected 7 columns", "tabs, not spaces"),
    "semicolons in place of tabs": (SYSTEM.replace(TAB, b";"), "expected 7 columns", "not semicolons"),
    "columns of coreference": (
        (ROOT / EXAMPLES["coref"][0]).read_bytes(),
        "the format conll",
        "lydite score coref",
    ),
    "triples": ((ROOT / EXAMPLES["triples"][0]).read_bytes(), "the format trp", "lydite score triples"),
}


@pytest.mark.parametrize("kind", WRONG_FILES)
def test_a_file_that_is_not_what_its_name_says_is_named_for_what_it_is(
    kind: str, desk: Path, capsys: Capture
) -> None:
    data, what, hint = WRONG_FILES[kind]
    (desk / "ours.tbf").write_bytes(data)
    told = said(capsys, "score", "gold.tbf", "ours.tbf", status=3)
    assert what in told
    assert hint in told


@pytest.mark.parametrize(
    ("name", "expected"), [("ours.tbf.gz", "expected gzip data"), ("ours.zip", "expected a zip archive")]
)
def test_a_text_under_the_name_of_an_archive_is_told(
    name: str, expected: str, desk: Path, capsys: Capture
) -> None:
    (desk / name).write_bytes(SYSTEM)
    told = said(capsys, "score", "gold.tbf", name, status=3)
    assert expected in told
    assert "if it is not packed" in told


@pytest.mark.usefixtures("desk")
@pytest.mark.parametrize("task", ["coref", "arguments", "triples", "ace"])
def test_files_of_another_task_are_told_with_their_task(task: str, capsys: Capture) -> None:
    told = said(capsys, "score", task, "gold.tbf", "alder.tbf", status=3)
    assert "the format tbf" in told
    assert "lydite score nugget" in told


def test_an_empty_gold_file_is_told_with_what_was_not_named_yet(desk: Path, capsys: Capture) -> None:
    (desk / "empty.txt").touch()
    assert "name the task first" in said(capsys, "score", "empty.txt", "alder.tbf", status=3)
    assert "name the format with --from" in said(
        capsys, "score", "nugget", "empty.txt", "alder.tbf", status=3
    )


def test_a_wrong_extension_does_no_harm_where_the_content_tells(desk: Path, capsys: Capture) -> None:
    shutil.copy(desk / "alder.tbf", desk / "alder.txt")
    assert run(["score", "gold.tbf", "alder.txt", "-q"]) == 0
    assert "74.28" in capsys.readouterr().out


@pytest.mark.parametrize("task", [[], ["coref"]])
def test_other_files_of_a_folder_do_not_hide_what_it_holds(
    desk: Path, capsys: Capture, task: list[str]
) -> None:
    folder = desk / "key"
    folder.mkdir()
    shutil.move(desk / "key.conll", folder / "key.conll")
    (folder / "README.txt").write_text("How this was made.\n", encoding="utf-8")
    assert run(["score", *task, "key", "key", "-q"]) == 0
    assert "1 gold document" in capsys.readouterr().out


def test_empty_annotation_beside_texts_is_what_its_name_says(desk: Path) -> None:
    folder = desk / "brat"
    folder.mkdir()
    (folder / "d1.ann").touch()
    (folder / "d1.txt").write_text("Nothing happened.\n", encoding="utf-8")
    assert run(["convert", "brat", "all.lydite.jsonl", "-q"]) == 0
    assert '"d1"' in (desk / "all.lydite.jsonl").read_text(encoding="utf-8")


@pytest.mark.parametrize("words", [["convert", "semeval", "out.jsonl"], ["validate", "semeval"]])
def test_a_folder_of_a_format_that_looks_like_another_one_is_read_by_its_own_extension(
    desk: Path, words: list[str]
) -> None:
    assert run(["convert", "key.conll", "semeval/", "--to", "semeval", "-q"]) == 0
    assert [path.suffix for path in (desk / "semeval").iterdir()] == [".txt"]
    assert run([*words, "-q"]) == 0


def test_json_of_another_form_is_told_of_the_map(desk: Path, capsys: Capture) -> None:
    (desk / "llm.jsonl").write_text('{"doc": "d", "output": []}\n', encoding="utf-8")
    err = said(capsys, "score", "arguments", "llm.jsonl", "llm.jsonl", status=3)
    assert "score arguments --map says where its keys are" in err


def test_windows_line_ends_change_no_number(desk: Path, capsys: Capture) -> None:
    (desk / "windows.tbf").write_bytes(SYSTEM.replace(b"\n", b"\r\n"))
    assert run(["score", "gold.tbf", "windows.tbf", "-q"]) == 0
    assert "74.28" in capsys.readouterr().out


@pytest.mark.usefixtures("desk")
class TestWords:
    """Mistakes in the words of the command."""

    def test_exchanged_sides_are_doubted(self, capsys: Capture) -> None:
        told = said(capsys, "score", "alder.tbf", "gold.tbf", status=0)
        assert "are they swapped?" in told

    def test_gold_as_system_is_told(self, capsys: Capture) -> None:
        told = said(capsys, "score", "gold.tbf", "gold.tbf", status=0)
        assert "it is scored against itself" in told

    def test_quiet_says_nothing_of_what_was_inferred_or_doubted(self, capsys: Capture) -> None:
        assert "note:" not in said(capsys, "score", "alder.tbf", "gold.tbf", "-q", status=0)

    def test_what_was_inferred_is_one_line(self, capsys: Capture) -> None:
        told = said(capsys, "score", "gold.tbf", "alder.tbf", status=0)
        (note,) = [line for line in told.splitlines() if line.startswith("note:")]
        assert note == "note: task nugget (the files are tbf); name another one to override"

    def test_a_missing_file_gets_near_names(self, capsys: Capture) -> None:
        assert "did you mean 'alder.tbf'" in said(capsys, "score", "gold.tbf", "aldr.tbf", status=3)

    def test_the_wrong_working_folder_is_named(self, capsys: Capture, desk: Path) -> None:
        told = said(capsys, "score", "examples/gold.tbf", "alder.tbf", status=3)
        assert f"there is no folder 'examples'; the command runs in '{desk}'" in told

    def test_a_folder_of_runs_as_one_system_is_told(self, capsys: Capture) -> None:
        told = said(capsys, "score", "gold.tbf", "runs", "-q", status=3)
        assert "name the folder with --runs" in told

    @pytest.mark.parametrize("task", ["ace", "arguments"])
    def test_a_folder_of_folders_as_one_system_is_told(self, task: str, capsys: Capture) -> None:
        gold, system = (ROOT / path for path in EXAMPLES[task])
        told = said(capsys, "score", task, str(gold), str(system.parent), "-q", status=3)
        assert "name the folder with --runs" in told

    def test_runs_with_a_file_says_how_to_name_one(self, capsys: Capture) -> None:
        told = said(capsys, "score", "gold.tbf", "--runs", "alder.tbf", status=2)
        assert "a file is one system" in told

    def test_runs_without_entries_are_told(self, capsys: Capture) -> None:
        assert "the folder is empty" in said(capsys, "score", "gold.tbf", "--runs", "empty", status=2)

    def test_a_misspelt_folder_of_runs_gets_near_names(self, capsys: Capture) -> None:
        assert "did you mean 'runs'" in said(capsys, "score", "gold.tbf", "--runs", "rusn", status=2)

    def test_an_empty_folder_is_told(self, capsys: Capture) -> None:
        assert "is it the right folder?" in said(capsys, "score", "gold.tbf", "empty", status=3)

    def test_one_file_is_not_enough(self, capsys: Capture) -> None:
        told = said(capsys, "score", "gold.tbf", status=2)
        assert "needs a gold file and a system, found only 'gold.tbf'" in told
        assert "lydite score [TASK] GOLD SYSTEM…" in told

    @pytest.mark.parametrize("joined", ["gold.tbf alder.tbf", "gold.tbf,alder.tbf"])
    def test_two_files_in_one_word_are_told_apart(self, joined: str, capsys: Capture) -> None:
        assert "lydite score gold.tbf alder.tbf" in said(capsys, "score", joined, status=2)

    def test_a_forgotten_verb_is_told(self, capsys: Capture) -> None:
        told = said(capsys, "gold.tbf", "alder.tbf", status=2)
        assert "the verb comes first: lydite score gold.tbf alder.tbf" in told

    def test_a_task_in_place_of_the_verb_is_told(self, capsys: Capture) -> None:
        told = said(capsys, "nugget", "gold.tbf", "alder.tbf", status=2)
        assert "the verb comes first: lydite score nugget gold.tbf alder.tbf" in told

    @pytest.mark.parametrize(
        ("words", "near"),
        [
            (("scoer", "gold.tbf", "alder.tbf"), "did you mean 'score'"),
            (("score", "nuget", "gold.tbf", "alder.tbf"), "did you mean 'nugget'"),
            (("score", "gold.tbf", "alder.tbf", "--profile", "kbp215"), "did you mean 'kbp2015'"),
            (("score", "gold.tbf", "alder.tbf", "--profil", "kbp2015"), "Did you mean '--profile'"),
            (("score", "gold.tbf", "alder.tbf", "--by", "tpye"), "did you mean 'type'"),
            (("score", "gold.tbf", "alder.tbf", "--from", "tfb"), "did you mean 'tbf'"),
            (("score", "coref", "gold.tbf", "alder.tbf", "--from", "tbf"), "formats of coref: lydite, "),
            (("score", "gold.tbf", "alder.tbf", "--quirk", "skip-documents-without-god=off"), "did you mean"),
        ],
    )
    def test_misspelt_words_get_near_ones(self, words: tuple[str, ...], near: str, capsys: Capture) -> None:
        assert near in said(capsys, *words, status=2)

    def test_an_output_folder_that_is_not_there_is_told(self, capsys: Capture) -> None:
        told = said(capsys, "score", "gold.tbf", "alder.tbf", "-o", "out/scores.txt", status=2)
        assert "mkdir -p out" in told

    def test_another_collection_is_told_with_names_of_both(self, capsys: Capture, desk: Path) -> None:
        other = b"#BeginOfDocument x1\n#EndOfDocument\n"
        (desk / "other.tbf").write_bytes(other)
        told = said(capsys, "score", "gold.tbf", "other.tbf", status=4)
        assert "'df01-boots'" in told
        assert "'x1'" in told


@pytest.mark.parametrize("task", EXAMPLES)
def test_the_help_of_a_task_shows_its_examples(task: str, capsys: Capture) -> None:
    assert run(["score", task, "--help"]) == 0
    shown = capsys.readouterr().out
    assert f"Examples of {task}:" in shown
    assert max(map(len, shown.split(f"Examples of {task}:")[1].splitlines())) <= 80


@pytest.mark.parametrize(
    ("task", "option"), [("coref", "--metrics"), ("coref", "--averages"), ("spans", "--measures")]
)
def test_a_list_of_nothing_says_that_one_is_needed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], task: str, option: str
) -> None:
    path = tmp_path / "d.jsonl"
    path.write_text('{"doc_key": "d", "clusters": [[[0, 0], [4, 5]]], "spans": []}\n')
    assert run(["score", task, str(path), str(path), option, ""]) == 2
    assert "expected at least one, found none" in capsys.readouterr().err


def test_a_format_that_is_named_says_the_task_whatever_the_file_looks_like(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    both = tmp_path / "both.jsonl"
    both.write_text(
        '{"doc_key": "d", "sentences": [["Ana", "left"]], "events": [[]], "clusters": [[[0, 0], [1, 1]]]}\n',
        encoding="utf-8",
    )
    rows = tmp_path / "rows.dat"
    rows.write_text("Marie Curie\tborn in\tWarsaw\n", encoding="utf-8")
    for file, form, task in ((both, "coref-jsonl", "coref"), (rows, "triples-tsv", "triples")):
        assert run(["score", "--from", form, str(file), str(file)]) == 0
        told = capsys.readouterr()
        assert f"note: task {task} (the files are {form})" in told.err
        assert told.out.startswith(f"{task} · ")
        assert run(["validate", "--from", form, str(file)]) == 0
        capsys.readouterr()
