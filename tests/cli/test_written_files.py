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

GOLD = "examples/gold.tbf"
ALDER = "examples/systems/alder.tbf"
LYDITE = [sys.executable, "-m", "lydite"]
TRIPLES = "tests/conformance/triples/location-kept-without-the-option"
SCORE = ["score", GOLD, ALDER, "-q"]


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


# ------------------------------------------------------------------------------------------------ no regular file


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
        "score gold.tbf a.tbf --comparison gold.tbf",
        "compare gold.tbf a.tbf b.tbf --resamples 10 -o gold.tbf",
        "explain gold.tbf a.tbf -o ./a.tbf",
        "report gold.tbf page.html -o page.html",
        "adjudicate a.tbf b.tbf -o b.tbf",
        "adjudicate a.tbf b.tbf --decisions sheet.csv -o new.tbf --log sheet.csv",
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
    for name in ("gold.tbf", "a.tbf", "b.tbf", "page.html", "sheet.csv", "runs/a.tbf"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(gold)
    monkeypatch.chdir(tmp_path)
    assert run(shlex.split(words)) == 2
    assert "the command reads it, and what it says would be lost" in capfd.readouterr().err
    assert all(path.read_bytes() == gold for path in tmp_path.rglob("*.*"))
