"""What the world does to a command: closed streams, pipes, interrupts, limits.  None of it is a defect of ours."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest

import lydite
from lydite.cli import run
from lydite.errors import UsageError
from lydite.formats.source import open_source
from lydite.formats.store import open_store
from lydite.parallel import Processes, pickle_common

GOLD, ALDER, BIRCH = "examples/gold.tbf", "examples/systems/alder.tbf", "examples/systems/birch.tbf"
COMMAND = f"{shlex.quote(sys.executable)} -m lydite"
SCORE = f"{COMMAND} score {GOLD} {ALDER} -q"


def in_shell(script: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["/bin/bash", "-c", script], capture_output=True, text=True, check=False)


# --------------------------------------------------------------------------------------------------- odd streams


@pytest.mark.parametrize(
    ("script", "status", "said"),
    [
        (f"{SCORE} >&-", 2, "cannot write to stdout: it is closed"),
        (f"{SCORE} > /dev/full", 2, "cannot write to stdout: No space left on device"),
        (f"{SCORE} 1< /dev/null", 2, "cannot write to stdout: Bad file descriptor"),
        (f"{SCORE} <&-", 0, ""),
        (f"{COMMAND} score {GOLD} {ALDER} -v 2>&-", 0, ""),
        (f"{SCORE} >&- 2>&- <&-", 2, ""),
        (f"{COMMAND} score {GOLD} - -q <&-", 3, "stdin: error: cannot be read: it is closed"),
        (f"{COMMAND} --help > /dev/full", 3, "No space left on device"),
        (f"{COMMAND} assess status examples/arguments/annotation > /dev/full", 2, "cannot write to stdout"),
        (f"{COMMAND} score {GOLD} {ALDER} -q -o /dev/full", 2, "cannot write /dev/full: No space left"),
        (f"{COMMAND} score $'no\\xffsuch\\x1bfile' {ALDER} -q", 3, r"no\xffsuch\x1bfile"),
        (f"PYTHONIOENCODING=ascii {COMMAND} list tasks", 0, ""),
    ],
)  # fmt: skip
def test_odd_streams_and_arguments_are_no_defect(script: str, status: int, said: str) -> None:
    done = in_shell(script)
    assert done.returncode == status, done.stderr
    assert said in done.stderr


def test_a_file_is_not_mistaken_for_a_stream_that_is_closed(tmp_path: Path) -> None:
    done = in_shell(f"{COMMAND} score {GOLD} {ALDER} -v -o {tmp_path}/result.json --format json 2>&-")
    assert done.returncode == 0
    assert json.loads((tmp_path / "result.json").read_bytes())["task"] == "nugget"


@pytest.mark.parametrize(
    "words", [f"score {GOLD} {ALDER}", f"convert {GOLD} - --to lydite", "list profiles", "--help"]
)
def test_a_closed_pipe_ends_quietly(words: str) -> None:
    done = in_shell(f"{COMMAND} {words} 2> >(cat >&2) | true; echo ${{PIPESTATUS[0]}}")
    assert done.stdout.strip() in {"0", "141"}
    assert "rror" not in done.stderr


# --------------------------------------------------------------------------------------------------------- pipes


def test_gold_and_system_may_be_pipes() -> None:
    plain = in_shell(f"{COMMAND} score {GOLD} {ALDER} --format json")
    piped = in_shell(f"{COMMAND} score <(cat {GOLD}) <(cat {ALDER}) --format json")
    assert piped.returncode == 0, piped.stderr
    scores = [json.loads(done.stdout)["scores"] for done in (plain, piped)]
    for row in (*scores[0], *scores[1]):
        del row["system"]
    assert scores[0] == scores[1]


@pytest.mark.parametrize(
    "words",
    [
        f"score {GOLD} <(cat {ALDER}) <(cat {BIRCH}) -j 2",
        f"validate <(cat {ALDER}) --gold <(cat {GOLD})",
        f"convert <(cat {ALDER}) - --to lydite",
        f"agree <(cat {GOLD}) <(cat {ALDER})",
        f"score {GOLD} /dev/stdin < <(cat {ALDER})",
    ],
)
def test_every_verb_reads_pipes(words: str) -> None:
    done = in_shell(f"{COMMAND} {words}")
    assert done.returncode == 0, done.stderr
    assert done.stdout


def test_a_pipe_is_read_anew_by_the_next_run(tmp_path: Path) -> None:
    pipe = tmp_path / "system.tbf"
    os.mkfifo(pipe)
    figures = []
    for system in (ALDER, BIRCH):
        with subprocess.Popen(["/bin/sh", "-c", 'cat "$0" > "$1"', system, str(pipe)]):
            figures.append(lydite.score(GOLD, pipe)["type"].micro.f1)
    assert figures == [lydite.score(GOLD, system)["type"].micro.f1 for system in (ALDER, BIRCH)]


# ---------------------------------------------------------------------------------------------------- interrupts


def test_an_interrupt_while_modules_are_loaded_ends_with_130(tmp_path: Path) -> None:
    (tmp_path / "click.py").write_text("import os, signal; os.kill(os.getpid(), signal.SIGINT)", "utf-8")
    done = subprocess.run(
        [sys.executable, "-c", "from lydite.__main__ import main; main()", "--version"],
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
    )
    assert (done.returncode, done.stderr) == (130, b"")


STOPPED = """
import os, signal, sys
from lydite import writing
from lydite.cli import main
to_disk = writing._fsync
writing._fsync = lambda handle: os.kill(os.getpid(), int(sys.argv[1])) or to_disk(handle)
main(sys.argv[2:])
"""


@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
def test_a_signal_in_the_middle_of_writing_leaves_nothing(
    tmp_path: Path, number: signal.Signals, status: int
) -> None:
    words = ["convert", GOLD, str(tmp_path / "brat"), "--to", "brat", "-q"]
    script = [sys.executable, "-c", STOPPED, str(int(number)), *words]
    done = subprocess.run(script, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr.strip()) == (status, "interrupted")
    assert list(tmp_path.iterdir()) == []


def _interrupt_the_family(_progress: object, _common: object, number: int) -> None:
    time.sleep(0.5)  # until the other one is at work too
    if number == 1:
        os.killpg(os.getpgid(0), signal.SIGINT)
    time.sleep(60)


FAMILY = """
import sys
sys.path.insert(0, {folder!r})
import test_world
from lydite.parallel import Processes, pickle_common
spread = Processes.map
Processes.map = lambda self, *_, **__: spread(self, test_world._interrupt_the_family, pickle_common(None), [1, 2])
from lydite.cli import main
main(["score", {gold!r}, {system!r}, {system!r}, "-j", "2", "-q"])
"""


def test_workers_that_are_interrupted_print_nothing() -> None:
    script = FAMILY.format(folder=str(Path(__file__).parent), gold=GOLD, system=ALDER)
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        check=False,
        start_new_session=True,
        timeout=50,  # a worker that is left behind sleeps longer
    )
    assert done.returncode == 130
    assert done.stderr.strip() == "interrupted"


TWICE = """
import os, signal, sys, threading, time
sys.path.insert(0, {folder!r})
import test_world
from lydite import parallel
from multiprocessing.process import BaseProcess
start, end, spread = BaseProcess.start, parallel._terminate, parallel.Processes.map

def interrupt():
    os.kill(os.getpid(), {number})
    time.sleep(0.05)

def started(self):  # a process is there, and nobody knows it yet
    start(self)
    print(self.pid, flush=True)
    interrupt()

def ended(pool):  # another interrupt before the first one is obeyed
    if not done:
        done.append(True)
        interrupt()
    end(pool)

done = []
BaseProcess.start, parallel._terminate = started, ended
parallel.Processes.map = lambda self, *_, **__: spread(
    self, test_world._sleep, parallel.pickle_common(None), [1, 2]
)
threading.Thread(target=time.sleep, args=(30,), daemon=True).start()  # as progress has one
from lydite.cli import main
main(["score", {gold!r}, {system!r}, {system!r}, "-j", "2", "-q"])
"""


def _sleep(_progress: object, _common: object, _share: object) -> None:
    time.sleep(30)


@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
def test_no_process_is_left_behind_whenever_the_command_is_interrupted(
    number: signal.Signals, status: int
) -> None:
    script = TWICE.format(folder=str(Path(__file__).parent), gold=GOLD, system=ALDER, number=int(number))
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        check=False,
        start_new_session=True,
        timeout=20,  # the output of a process that is left behind stays open for longer
    )
    assert (done.returncode, done.stderr.strip()) == (status, "interrupted")
    assert len(done.stdout.split()) == 2


def _die(_progress: object, _common: object, _share: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_worker_that_is_killed_is_told() -> None:
    with pytest.raises(UsageError, match="ended before its work was done"):
        Processes(1).map(_die, pickle_common(None), [None])


# ---------------------------------------------------------------------------------------------- files that fail


def test_a_read_error_names_the_file(capfd: pytest.CaptureFixture[str]) -> None:
    # Reading its own memory at address 0 is an input/output error for any process.
    assert run(["score", GOLD, "/proc/self/mem", "--from", "tbf"]) == 3
    assert "/proc/self/mem: error: cannot be read: Input/output error" in capfd.readouterr().err


def test_a_folder_inside_that_cannot_be_read_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.tbf").write_bytes(Path(ALDER).read_bytes())
    (tmp_path / "secret").mkdir()
    scan = os.scandir

    def scandir(path: str) -> object:
        if str(path).endswith("secret"):
            raise PermissionError(13, "Permission denied", str(path))
        return scan(path)

    monkeypatch.setattr("os.scandir", scandir)
    for opened in (open_source, open_store):
        with pytest.raises(lydite.FormatError, match="secret: error: cannot be read: Permission denied"):
            opened(tmp_path)


NESTED = 200_000


@pytest.mark.parametrize(
    "name", ["lydite.toml", "profile.toml", "taxonomy.toml", "links.json", "targets.jsonl"]
)
def test_deep_nesting_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], name: str
) -> None:
    gold, system = (str(Path(path).resolve()) for path in (GOLD, ALDER))
    ace = str(Path("examples/ace").resolve())
    file = tmp_path / name
    begin = {"toml": "x = ", "json": "", "jsonl": '{"id": '}[name.rpartition(".")[2]]
    file.write_text(begin + "[" * NESTED, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    words = {
        "lydite.toml": ["score", gold, system],
        "profile.toml": ["score", gold, system, "--profile", "profile.toml"],
        "taxonomy.toml": [
            "assess",
            "sheet",
            f"{ace}/../arguments/annotation",
            "-o",
            "x.csv",
            "--taxonomy",
            name,
        ],
        "links.json": ["score", gold, system, "--link-order", name],
        "targets.jsonl": ["assess", "queue", f"{ace}/gold", f"{ace}/gold", "--targets", name],
    }
    assert run(words[name]) in {2, 3}
    assert "defect" not in capfd.readouterr().err


@pytest.mark.parametrize("content", ['{"d1": 5}', '{"d1": {"gold": 5, "system": null}}', "[]", "5", '"x"'])
def test_a_side_file_of_another_shape_is_refused(tmp_path: Path, content: str) -> None:
    (tmp_path / "links.json").write_text(content, encoding="utf-8")
    assert run(["score", GOLD, ALDER, "--link-order", str(tmp_path / "links.json"), "-q"]) == 2


@pytest.mark.parametrize("damage", ["cut", "garbled", "other"])
def test_a_damaged_spreadsheet_is_refused(tmp_path: Path, damage: str) -> None:
    sheet = tmp_path / "sheet.xlsx"
    assert run(["assess", "sheet", "examples/arguments/annotation", "-o", str(sheet)]) == 0
    if damage == "cut":
        sheet.write_bytes(sheet.read_bytes()[:2000])
    else:
        with zipfile.ZipFile(sheet) as archive:
            members = {name: archive.read(name) for name in archive.namelist()}
        with zipfile.ZipFile(sheet, "w") as archive:
            for name, data in members.items():
                new = data[: len(data) // 2] if damage == "garbled" else b"<x/>"
                archive.writestr(name, new if name.endswith("xml") else data)
    assert run(["assess", "read-sheet", str(sheet), "examples/arguments/annotation"]) == 3


def test_a_long_document_id_is_no_defect(tmp_path: Path) -> None:
    document = {"schema": "lydite.document/1", "doc_id": "d" * 400, "mentions": []}
    source = tmp_path / "long.lydite.jsonl"
    source.write_text(json.dumps(document) + "\n", encoding="utf-8")
    (tmp_path / "tables").mkdir()
    assert run(["validate", "nugget", str(source), "--tokens", str(tmp_path / "tables"), "-q"]) in {0, 1}
    assert run(["convert", "nugget", str(source), f"{tmp_path}/brat/", "--to", "brat", "-q"]) == 0
    assert run(["convert", "nugget", str(source), str(tmp_path / ("x" * 300)), "--to", "tbf", "-q"]) == 2


@pytest.mark.parametrize("name", ["tbf", "brat", "conll", "coref-jsonl", "cluster-table", "lydite"])
@pytest.mark.parametrize("key", ["id", "text", "type", "realis"])
def test_half_a_character_is_kept_or_refused(tmp_path: Path, name: str, key: str) -> None:
    mention = {
        "id": "E1",
        "span": [[0, 3]],
        "text": "got",
        "type": "Life_Die",
        "realis": "Actual",
        key: "\ud800",
    }
    document = {"schema": "lydite.document/1", "doc_id": "d1", "mentions": [mention]}
    source = tmp_path / "in.lydite.jsonl"
    source.write_text(json.dumps(document) + "\n", encoding="utf-8")
    assert run(["convert", "nugget", str(source), str(tmp_path / "out"), "--to", name, "-q"]) in {0, 3}
    for layout in ("text", "json", "csv", "official"):
        assert run(["score", "nugget", str(source), str(source), "--format", layout, "-q"]) == 0
