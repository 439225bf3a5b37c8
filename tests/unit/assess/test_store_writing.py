from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import textwrap
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from lydite.assess import writing
from lydite.errors import FormatError, UsageError
from lydite.formats import store
from lydite.formats.store import open_store


def content(folder: Any) -> Any:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


OLD = {"D1": b"old", "D2": b"old"}
NEW = {"D1": b"new", "D3": b"new"}


def test_a_store_that_was_moved_aside_is_brought_back(tmp_path: Path) -> None:
    writing.write_store(tmp_path / "ann", OLD.items())
    (tmp_path / "ann").rename(tmp_path / ".lydite-ann.old")
    writing.recover_path(tmp_path / "ann")
    assert content(tmp_path / "ann") == OLD


@pytest.mark.parametrize("name", ["../x", "", ".."])
def test_a_document_id_that_is_no_file_name_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError):
        writing.write_store(tmp_path / "ann", [(name, b"")])
    assert list(tmp_path.iterdir()) == []


KILLED = """
    import os, signal, sys
    from pathlib import Path
    from lydite import writing as folders
    from lydite.assess import writing

    stage, target = sys.argv[1], Path(sys.argv[2])
    die = lambda *_, **__: os.kill(os.getpid(), signal.SIGKILL)

    def files():
        yield "D1", b"new"
        if stage == "while writing":
            die()
        yield "D3", b"new"

    if stage == "before the exchange":
        writing.put_in_place = die
    if stage == "after the exchange":
        exchange = writing.put_in_place
        writing.put_in_place = lambda *places, **how: (exchange(*places, **how), die())
    if stage == "between two renames":
        folders._exchange = lambda *_: False
        rename = os.rename
        os.rename = lambda old, new: die() if Path(old).name.startswith(".lydite-") else rename(old, new)
    with writing.hold(target), writing.new_manifest(target) as manifest:
        manifest.stream.write(b'{"of": "new"')
        writing.write_store(target, files(), owned=True, manifest=manifest)
"""


@pytest.mark.parametrize(
    "stage", ["while writing", "before the exchange", "after the exchange", "between two renames"]
)
@pytest.mark.parametrize("there", [True, False])
def test_a_killed_command_leaves_the_old_or_the_new_store_with_its_own_manifest(
    tmp_path: Path, stage: str, there: bool
) -> None:
    target = tmp_path / "ann"
    if there:
        with writing.new_manifest(target) as manifest:
            manifest.stream.write(b'{"of": "old"')
            writing.write_store(target, OLD.items(), manifest=manifest)
    script = [sys.executable, "-c", textwrap.dedent(KILLED), stage, str(target)]
    outcome = subprocess.run(script, check=False, env={**os.environ, "PYTHONWARNINGS": "ignore"})
    assert outcome.returncode == -signal.SIGKILL
    with writing.hold(target):  # what every command does first
        pass
    if not target.exists():
        assert not there
        assert list(tmp_path.iterdir()) == []
        return
    assert sorted(path.name for path in tmp_path.iterdir()) == ["ann", "ann.manifest.json"]
    manifest_says = json.loads(writing.manifest_path(target).read_bytes())
    assert (manifest_says["of"], content(target)) in (("old", OLD), ("new", NEW))
    assert manifest_says["store"] == writing.store_digest(target)


def test_no_manifest_is_written_if_writing_the_store_fails(tmp_path: Path) -> None:
    def failing() -> None:
        with writing.new_manifest(tmp_path / "pool") as manifest:
            manifest.stream.write(b"half")
            raise ValueError

    with pytest.raises(ValueError):
        failing()
    assert list(tmp_path.iterdir()) == []


def test_a_store_behind_a_link_is_written_where_it_lies(tmp_path: Path) -> None:
    writing.write_store(tmp_path / "ann", OLD.items())
    (tmp_path / "link").symlink_to("ann")
    writing.write_store(tmp_path / "link", NEW.items(), owned=True)
    assert (tmp_path / "link").is_symlink()
    assert content(tmp_path / "ann") == NEW


HOLDER = """
    import sys
    from lydite.assess import writing

    with writing.hold(sys.argv[1]):
        print("held", flush=True)
        sys.stdin.read()
"""


def _holder(target: Path) -> subprocess.Popen[str]:
    script = [sys.executable, "-c", textwrap.dedent(HOLDER), str(target)]
    process = subprocess.Popen(script, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


@pytest.mark.parametrize("ending", ["ends", "is killed"])
def test_a_store_that_another_process_holds_is_waited_for(tmp_path: Path, ending: str) -> None:
    other = _holder(tmp_path / "ann")
    told: list[str] = []

    def waiting(store: str) -> None:
        told.append(store)
        if ending == "ends":
            other.communicate("")
        else:
            other.kill()
            other.communicate()

    with writing.hold(tmp_path / "ann", waiting=waiting):
        assert told == [str(tmp_path / "ann")]
        assert other.poll() is not None
    assert list(tmp_path.iterdir()) == []


def test_an_existing_store_that_is_no_folder_is_not_locked(tmp_path: Path) -> None:
    (tmp_path / "store.zip").write_bytes(b"")
    with writing.hold(existing=[tmp_path / "store.zip", tmp_path / "none"]):
        assert [path.name for path in tmp_path.iterdir()] == ["store.zip"]


def read_store(path: Path) -> dict[str, bytes]:
    return {name: member.read() for name, member in open_store(path).files.items()}


def test_a_store_that_is_replaced_between_two_documents_is_refused(tmp_path: Path) -> None:
    writing.write_store(tmp_path / "ann", OLD.items())
    opened = open_store(tmp_path / "ann").files
    assert opened["D1"].read() == b"old"
    writing.write_store(tmp_path / "ann", NEW.items(), owned=True)
    for name in ("D1", "D2"):
        with pytest.raises(FormatError) as refused:
            opened[name].read()
        assert [finding.code for finding in refused.value.findings] == ["file-changed"]
    assert read_store(tmp_path / "ann") == NEW


@pytest.mark.parametrize("change", ["another folder", "another file"])
def test_a_store_of_which_a_folder_inside_changes_is_refused(tmp_path: Path, change: str) -> None:
    linking = tmp_path / "ann" / "linking"
    for folder in ("arguments", "linking"):
        writing.write_store(tmp_path / "ann" / folder, OLD.items())
    opened = {member.name: member for member in open_store(tmp_path / "ann").members}
    assert opened["linking/D1"].read() == b"old"
    if change == "another folder":
        writing.write_store(linking, NEW.items(), owned=True)
    else:
        (linking / "waiting").write_bytes(b"new")
        (linking / "waiting").rename(linking / "D1")
    for name in ("arguments/D1", "linking/D2"):
        with pytest.raises(FormatError) as refused:
            opened[name].read()
        assert [finding.code for finding in refused.value.findings] == ["file-changed"]


def test_a_store_that_is_replaced_while_it_is_listed_is_listed_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    writing.write_store(tmp_path / "ann", OLD.items())
    listed = store.walk
    came: list[str] = []

    def replaced_once(path: str) -> Any:
        if not came:
            came.append(path)
            writing.write_store(tmp_path / "ann", NEW.items(), owned=True)
        return listed(path)

    monkeypatch.setattr(store, "walk", replaced_once)
    assert read_store(tmp_path / "ann") == NEW


def test_readers_see_one_store_whole_whatever_a_writer_does(tmp_path: Path) -> None:
    sides = [{f"D{number}": side for number in range(20)} for side in (b"one", b"two")]
    writing.write_store(tmp_path / "ann", sides[0].items())
    is_over = threading.Event()

    def write() -> None:
        number = 0
        while not is_over.is_set():
            number += 1
            writing.write_store(tmp_path / "ann", sides[number % 2].items(), owned=True)

    writer = threading.Thread(target=write)
    writer.start()
    seen = []
    try:
        for _ in range(200):
            with suppress(FormatError):
                seen.append(read_store(tmp_path / "ann"))
    finally:
        is_over.set()
        writer.join()
    assert all(found in sides for found in seen)
    assert read_store(tmp_path / "ann") in sides


def test_a_folder_of_something_else_is_not_written_over_unless_it_is_owned(tmp_path: Path) -> None:
    target = tmp_path / "ann"
    target.mkdir()
    (target / "letter").write_text("keep me", encoding="utf-8")
    with pytest.raises(UsageError):
        writing.write_store(target, OLD.items())
    assert (target / "letter").read_text(encoding="utf-8") == "keep me"
    writing.write_store(target, OLD.items(), owned=True)
    assert not (target / "letter").exists()
