"""``-o``: what is there stays as it was, or is replaced by something whole."""

from __future__ import annotations

import os
import resource
import shlex
import stat
import subprocess
import sys
import threading
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from lydite import writing
from lydite.cli import run
from lydite.errors import UsageError

ROOT = Path(__file__).parent.parent.parent
GOLD = "examples/gold.tbf"
ALDER = "examples/systems/alder.tbf"
LYDITE = [sys.executable, "-m", "lydite"]
TRIPLES = "tests/conformance/triples/location-kept-without-the-option"
SCORE = ["score", GOLD, ALDER, "-q"]


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


# ------------------------------------------------------------------------------------------------ no regular file


@pytest.mark.parametrize(
    ("verb", "option", "content"),
    [
        ("validate", "--gold", Path("examples/gold.tbf").read_bytes()),
        ("score", "--type-whitelist", b"Conflict_Attack\n"),
        ("score", "--profile", b'extends = "nugget/kbp2017"\n'),
    ],
)
def test_nothing_is_written_over_what_an_option_reads(
    verb: str, option: str, content: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "read.toml"
    path.write_bytes(content)
    words = ["examples/gold.tbf"] if verb == "score" else []
    words = [verb, *words, "examples/systems/alder.tbf", option, str(path), "--from", "tbf", "-o", str(path)]
    assert run(words) == 2
    assert "the command reads it" in capsys.readouterr().err
    assert path.read_bytes() == content


def test_two_outputs_have_two_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(tmp_path / "out.txt")
    words = ["score", "examples/gold.tbf", "examples/systems/alder.tbf", "--comparison", path, "-o", path]
    words += ["--format", "official"]
    assert run(words) == 2
    assert "cannot write two outputs to" in capsys.readouterr().err


def test_a_pipe_is_written_to_and_stays_a_pipe(tmp_path: Path) -> None:
    pipe, read = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    assert run([*SCORE, "--format", "json", "-o", str(pipe)]) == 0
    reader.join()
    assert read[0].startswith(b"{")
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert names(tmp_path) == ["pipe"]


@pytest.mark.parametrize("path", ["/dev/null", "/dev/stdout", "/dev/fd/7", "/proc/self/fd/1"])
def test_devices_and_open_descriptors_are_written_to(path: str) -> None:
    assert not writing._is_regular_or_new(path)


def test_a_redirected_dev_stdout_is_continued(tmp_path: Path) -> None:
    target = tmp_path / "out.txt"
    with target.open("wb") as stream:
        stream.write(b"before\n")
        stream.flush()
        subprocess.run([*LYDITE, *SCORE, "-o", "/dev/stdout"], stdout=stream, check=True)
    text = target.read_text(encoding="utf-8")
    assert text.startswith("before\n")
    assert "headline" in text


@pytest.mark.parametrize("there", [True, False])
def test_a_symbolic_link_stays_and_its_target_is_written(tmp_path: Path, there: bool) -> None:
    target, link = tmp_path / "target.txt", tmp_path / "link.txt"
    if there:
        target.write_text("old", encoding="utf-8")
    link.symlink_to("target.txt")
    assert run([*SCORE, "-o", str(link)]) == 0
    assert link.is_symlink()
    assert "headline" in target.read_text(encoding="utf-8")
    assert names(tmp_path) == ["link.txt", "target.txt"]


def test_a_linked_folder_is_replaced_behind_the_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    for _ in range(2):
        assert run(["convert", GOLD, str(tmp_path / "link"), "--to", "brat", "-q"]) == 0
    assert (tmp_path / "link").is_symlink()
    assert len(names(tmp_path / "real")) == 20
    assert names(tmp_path) == ["link", "real"]


# ----------------------------------------------------------------------------------------------------- permissions


def test_a_new_file_follows_the_umask_and_a_replaced_one_keeps_its_permissions(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        assert run([*SCORE, "-o", str(tmp_path / "new.txt")]) == 0
        (tmp_path / "private.txt").touch(mode=0o600)
        assert run([*SCORE, "-o", str(tmp_path / "private.txt")]) == 0
        assert run(["convert", GOLD, str(tmp_path / "brat"), "--to", "brat", "-q"]) == 0
    finally:
        os.umask(before)
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()}
    assert modes == {"new.txt": 0o640, "private.txt": 0o600, "brat": 0o750}


# ------------------------------------------------------------------------------------------------- whole folders


def test_a_folder_with_other_files_is_refused_and_untouched(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "thesis.tex").write_text("years of work", encoding="utf-8")
    assert run(["convert", GOLD, str(tmp_path), "--to", "brat", "-q"]) == 2
    assert "'thesis.tex', which would be lost" in capfd.readouterr().err
    assert names(tmp_path) == ["thesis.tex"]


@pytest.mark.parametrize("verb", ["merge", "repair", "quote-filter", "pool"])
def test_a_store_is_not_written_over_a_folder_that_is_none_of_its_own(tmp_path: Path, verb: str) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "thesis.tex").write_text("years of work", encoding="utf-8")
    (tmp_path / "quotes").write_text("1\n", encoding="utf-8")
    store, out = str(tmp_path / "in"), str(tmp_path / "out")
    words = {
        "merge": [store, store],
        "repair": [store],
        "quote-filter": [store, "--filter", str(tmp_path / "quotes")],
        "pool": [store],
    }
    assert run(["assess", verb, *words[verb], "-o", out]) in {2, 3}
    assert (tmp_path / "out" / "thesis.tex").read_text(encoding="utf-8") == "years of work"


def test_a_folder_whose_files_are_all_written_anew_is_replaced(tmp_path: Path) -> None:
    runs, messages = tmp_path / "runs", tmp_path / "messages"
    runs.mkdir()
    (runs / "a.tbf").write_bytes(Path(ALDER).read_bytes())
    command = ["validate", "--runs", str(runs), "-o", str(messages), "-q"]
    assert run(command) == 0
    (runs / "b.tbf").write_text("#BeginOfDocument d1\nbroken\n", encoding="utf-8")
    assert run(command) == 1
    assert names(messages) == ["a.tbf.txt", "b.tbf.txt", "overview.tsv"]
    (runs / "a.tbf").unlink()
    assert run(command) == 2
    assert names(messages) == ["a.tbf.txt", "b.tbf.txt", "overview.tsv"]
    assert names(tmp_path) == ["messages", "runs"]


def test_an_empty_folder_is_filled_and_stays_the_same_folder(tmp_path: Path) -> None:
    target = tmp_path / "brat"
    target.mkdir()
    identity = target.stat().st_ino
    assert run(["convert", GOLD, str(target), "--to", "brat", "-q"]) == 0
    assert target.stat().st_ino == identity
    assert len(names(target)) == 20


def test_of_two_writers_at_once_the_last_one_wins_whole(tmp_path: Path) -> None:
    target = tmp_path / "folder"

    def slow() -> Iterator[tuple[str, bytes]]:
        yield "a", b"slow"
        writing.write_folder(target, [("a", b"fast"), ("b", b"fast")])
        yield "b", b"slow"

    writing.write_folder(target, slow())
    assert {name: (target / name).read_bytes() for name in names(target)} == {"a": b"slow", "b": b"slow"}
    assert names(tmp_path) == ["folder"]


def test_a_writer_that_would_lose_what_a_faster_one_wrote_is_refused(tmp_path: Path) -> None:
    target = tmp_path / "folder"

    def slow() -> Iterator[tuple[str, bytes]]:
        yield "a", b"slow"
        writing.write_folder(target, [("other", b"fast")])

    with pytest.raises(UsageError, match="'other', which would be lost"):
        writing.write_folder(target, slow())
    assert names(target) == ["other"]
    assert names(tmp_path) == ["folder"]


# ------------------------------------------------------------------------------------------ interrupts, full disks


@pytest.mark.parametrize("write", [writing.write_folder, writing.write_archive])
def test_an_interrupted_writer_leaves_nothing(tmp_path: Path, write: object) -> None:
    def interrupted() -> Iterator[tuple[str, bytes]]:
        yield "a", b"half"
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write(tmp_path / "made" / "out", interrupted()) if write is writing.write_folder else write(  # type: ignore[operator]
            tmp_path / "out", interrupted()
        )
    assert names(tmp_path) == []


WRITERS = {
    "text.txt": SCORE,
    "result.json": [*SCORE, "--format", "json"],
    "report.xlsx": ["report", f"{TRIPLES}/gold.trp", f"{TRIPLES}/system.trp", "-q"],
    "messages": ["validate", "--runs", "examples/systems", "-q", "-v"],
    "tables": ["tokenize", "TEXT", "--force"],
    "gold.zip": ["convert", GOLD, "OUT", "--to", "brat", "-q"],
    "gold.lydite.jsonl": ["convert", GOLD, "OUT", "-q"],
    "gold.tbf.gz": ["convert", GOLD, "OUT", "-q"],
    "brat": ["convert", GOLD, "OUT", "--to", "brat", "-q"],
}
"""What is written → the command without ``-o``."""


def command_for(target: Path, text: Path) -> list[str]:
    words = [
        str(target) if word == "OUT" else str(text) if word == "TEXT" else word
        for word in WRITERS[target.name]
    ]
    return words if "OUT" in WRITERS[target.name] else [*words, "-o", str(target)]


@pytest.mark.parametrize("kind", WRITERS)
def test_a_full_disk_is_told_and_leaves_what_was_there(tmp_path: Path, kind: str) -> None:
    text, target = tmp_path / "d1.txt", tmp_path / kind
    text.write_text("Two died. " * 2000, encoding="utf-8")
    assert run(command_for(target, text)) in {0, 1}
    before = {path: path.read_bytes() for path in sorted(tmp_path.rglob("*")) if path.is_file()}
    done = subprocess.run(
        [*LYDITE, *command_for(target, text)],
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (64, 64)),
    )
    assert done.returncode == 2, done.stderr
    assert "File too large" in done.stderr
    assert len(done.stderr.splitlines()) == 2
    assert {path: path.read_bytes() for path in sorted(tmp_path.rglob("*")) if path.is_file()} == before


def test_an_archive_unpacks_to_readable_files(tmp_path: Path) -> None:
    target = tmp_path / "gold.zip"
    assert run(["convert", GOLD, str(target), "--to", "brat", "-q"]) == 0
    with zipfile.ZipFile(target) as archive:
        assert {info.external_attr >> 16 for info in archive.infolist()} == {0o644}
        assert {info.compress_type for info in archive.infolist()} == {zipfile.ZIP_DEFLATED}


@pytest.mark.parametrize("name", ["../x", "/x", "a\\..\\x", "a\0b", "a//b", "."])
@pytest.mark.parametrize("write", [writing.write_folder, writing.write_archive])
def test_no_name_leads_out_of_a_folder_or_an_archive(tmp_path: Path, name: str, write: object) -> None:
    with pytest.raises(UsageError, match="cannot be a file name"):
        write(tmp_path / "out", [(name, b"")])  # type: ignore[operator]
    assert names(tmp_path) == []


@pytest.mark.parametrize(
    "words",
    [
        "score gold.tbf a.tbf -o a.tbf",
        "score gold.tbf --runs runs -o runs/a.tbf",
        "score gold.tbf a.tbf --format official --comparison gold.tbf",
        "compare gold.tbf a.tbf b.tbf --resamples 10 -o gold.tbf",
        "explain gold.tbf a.tbf -o ./a.tbf",
        "report gold.tbf page.html -o page.html",
        "adjudicate a.tbf b.tbf -o b.tbf",
        "adjudicate a.tbf b.tbf --decisions sheet.csv -o new.tbf --log sheet.csv",
        "adjudicate a.tbf b.tbf --decisions sheet.csv -o sheet.csv --log log.csv",
        "adjudicate a.tbf b.tbf --decisions new.tbf.decisions.csv -o new.tbf",
        "convert gold.tbf gold.tbf",
        "convert gold.tbf ./gold.tbf --to lydite",
        "convert runs runs/a.tbf --to tbf",
        "convert runs ./runs --to brat",
    ],
)
def test_what_a_command_reads_is_not_written_over(
    words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    gold = Path("examples/gold.tbf").read_bytes()
    for name in (
        "gold.tbf",
        "a.tbf",
        "b.tbf",
        "page.html",
        "sheet.csv",
        "new.tbf.decisions.csv",
        "runs/a.tbf",
    ):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(gold)
    monkeypatch.chdir(tmp_path)
    assert run(shlex.split(words)) == 2
    assert "the command reads it, and its content would be lost" in capfd.readouterr().err
    assert all(path.read_bytes() == gold for path in tmp_path.rglob("*.*"))


@pytest.mark.parametrize(
    "words",
    [
        "in/a.trp in/ --to trp",
        "in/a.trp in --to trp",
        "in/*.trp in/ --to trp",
        "in/*.trp in/a.trp --to triples-jsonl",
        "in/a.trp map.tsv --to trp",
    ],
)
def test_a_conversion_writes_over_nothing_that_it_reads(
    words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    content = b'<triples><triple relation="TIME"/></triples>'
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.trp").write_bytes(content)
    (tmp_path / "map.tsv").write_bytes(b"TIME\ttime\n")
    monkeypatch.chdir(tmp_path)
    assert run(["convert", "triples", *shlex.split(words), "--relation-mapping", "map.tsv"]) == 2
    assert "its content would be lost" in capfd.readouterr().err
    assert {path.name: path.read_bytes() for path in (tmp_path / "in").iterdir()} == {"a.trp": content}
    assert (tmp_path / "map.tsv").read_bytes() == b"TIME\ttime\n"


def test_adjudicated_gold_takes_the_place_of_no_annotator(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "d1.ann").write_bytes(b"T1\tDie 0 4\tdied\nE1\tDie:T1\n")
    assert run(shlex.split("adjudicate nugget a b -o sheet.csv")) == 0
    assert run(shlex.split("adjudicate nugget a b --decisions sheet.csv -o a/ --to brat")) == 2
    assert "cannot write a/: the command reads it" in capfd.readouterr().err


def test_a_name_with_a_slash_at_its_end_is_that_of_a_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["score", GOLD, ALDER, "-q", "-o", f"{tmp_path}/scores/"]) == 2
    assert "it is a folder" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "words",
    [
        ("tokenize", f"{ROOT}/examples/text", "-o", "-"),
        ("assess", "quote-filter", "--documents", f"{ROOT}/examples/text", "-o", "-"),
        ("corpus", "index", f"{ROOT}/examples/text", "-o", "-"),
        ("validate", "--runs", f"{ROOT}/examples/systems", "-q", "-o", "-"),
        ("tokenize", f"{ROOT}/examples/text", "-o", "x" * 300),
        ("report", f"{ROOT}/{GOLD}", f"{ROOT}/{ALDER}", "-q", "-o", "x" * 300),
    ],
    ids=["tables", "filter", "index", "messages", "long-folder", "long-page"],
)
def test_a_folder_that_cannot_be_is_wrong_usage(
    words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(list(words)) == 2
    assert not list(tmp_path.iterdir())


def test_a_store_without_a_name_is_not_the_working_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = f"{ROOT}/examples/arguments/systems/alder"
    assert run(["assess", "pool", store, "-o", f"{tmp_path}/pool"]) == 0
    working = tmp_path / "working"
    working.mkdir()
    (working / "precious").touch()
    monkeypatch.chdir(working)
    for words in (["import", "../pool", ""], ["merge", "../pool", "../pool", "-o", ""]):
        assert run(["assess", *words]) == 2
        assert names(working) == ["precious"]
    for write in (writing.write_folder, writing.write_archive):
        with pytest.raises(UsageError, match="without a name"):
            write("", [("a", b"b")])
    assert names(working) == ["precious"]


@pytest.mark.parametrize(
    "words",
    [
        "adjudicate gold.tbf gold.tbf --decisions sheet.csv -o out.tbf --log no/log.csv",
        "adjudicate gold.tbf gold.tbf --decisions sheet.csv -o no/out.tbf --log log.csv",
        "convert gold.tbf out.tbf --losses no/losses.json",
        "convert gold.tbf no/out.tbf --losses losses.json",
        "score gold.tbf gold.tbf --format official -o no/out.txt --comparison pairs.txt",
    ],
)
def test_of_two_outputs_both_are_there_or_none(
    words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "gold.tbf").write_bytes(Path(GOLD).read_bytes())
    monkeypatch.chdir(tmp_path)
    assert run(["adjudicate", "gold.tbf", "gold.tbf", "-o", "sheet.csv", "-q"]) == 0
    assert run(shlex.split(words)) == 2
    assert "no folder 'no'" in capfd.readouterr().err
    assert names(tmp_path) == ["gold.tbf", "sheet.csv"]


def test_a_second_output_stays_when_the_reader_of_the_first_has_seen_enough(tmp_path: Path) -> None:
    pairs = tmp_path / "pairs.txt"
    words = [*SCORE, "--format", "official", "--comparison", str(pairs)]
    with subprocess.Popen([*LYDITE, *words], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.close()
    assert process.returncode == 0
    assert pairs.read_bytes()
