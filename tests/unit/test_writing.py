from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import zipfile
from pathlib import Path
from typing import Any

import pytest

from lydite import writing


def content(folder: Any) -> Any:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


OLD = {"D1": b"old", "D2": b"old"}
NEW = {"D1": b"new", "D3": b"new"}


def test_a_store_is_replaced_as_a_whole(tmp_path: Path) -> None:
    writing.write_folder(tmp_path / "ann", OLD.items())
    writing.write_folder(tmp_path / "ann", NEW.items(), owned=True)
    assert content(tmp_path / "ann") == NEW
    assert [path.name for path in tmp_path.iterdir()] == ["ann"]


def test_a_store_stays_as_it_was_if_making_the_new_one_fails(tmp_path: Path) -> None:
    writing.write_folder(tmp_path / "ann", OLD.items())

    def broken() -> Any:
        yield "D1", b"new"
        raise ValueError

    with pytest.raises(ValueError):
        writing.write_folder(tmp_path / "ann", broken())
    assert content(tmp_path / "ann") == OLD
    assert [path.name for path in tmp_path.iterdir()] == ["ann"]


def test_a_store_is_replaced_where_the_system_cannot_exchange_folders(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writing, "_exchange", lambda *_folders: False)
    writing.write_folder(tmp_path / "ann", OLD.items())
    writing.write_folder(tmp_path / "ann", NEW.items(), owned=True)
    assert content(tmp_path / "ann") == NEW
    assert [path.name for path in tmp_path.iterdir()] == ["ann"]


def test_a_store_that_was_moved_aside_is_brought_back(tmp_path: Path) -> None:
    writing.write_folder(tmp_path / "ann", OLD.items())
    (tmp_path / "ann").rename(tmp_path / ".lydite-ann.old")
    writing.recover(tmp_path / "ann")
    assert content(tmp_path / "ann") == OLD


KILLED = """
    import os, signal, sys
    from pathlib import Path
    from lydite import writing

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
        import shutil
        shutil.rmtree = die
    if stage == "between two renames":
        writing._exchange = lambda *_: False
        rename = os.rename
        os.rename = lambda old, new: die() if Path(old).name.startswith(".lydite-") else rename(old, new)
    writing.write_folder(target, files(), owned=True)
"""


@pytest.mark.parametrize(
    "stage", ["while writing", "before the exchange", "after the exchange", "between two renames"]
)
def test_a_killed_command_leaves_the_old_or_the_new_store(tmp_path: Path, stage: str) -> None:
    target = tmp_path / "ann"
    writing.write_folder(target, OLD.items())
    script = [sys.executable, "-c", textwrap.dedent(KILLED), stage, str(target)]
    outcome = subprocess.run(script, check=False, env={**os.environ, "PYTHONWARNINGS": "ignore"})
    assert outcome.returncode == -signal.SIGKILL
    writing.recover(target)  # what every command does first
    assert content(target) in (OLD, NEW)


@pytest.mark.parametrize("stage", ["while writing", "before the exchange", "after the exchange"])
def test_what_a_killed_command_leaves_is_removed_by_the_next_command_that_writes_beside_it(
    tmp_path: Path, stage: str
) -> None:
    target = tmp_path / "ann"
    writing.write_folder(target, OLD.items())
    subprocess.run([sys.executable, "-c", textwrap.dedent(KILLED), stage, str(target)], check=False)
    assert [path for path in tmp_path.iterdir() if path.name.startswith(".lydite-")]
    writing.write_file(tmp_path / "other.txt", b"")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["ann", "other.txt"]


def test_what_a_killed_command_leaves_in_an_empty_folder_is_not_in_the_way_of_the_next(
    tmp_path: Path,
) -> None:
    script = [sys.executable, "-c", textwrap.dedent(KILLED), "while writing", str(tmp_path)]
    subprocess.run(script, check=False)
    assert [path.name[:8] for path in tmp_path.iterdir()] == [".lydite-"]
    writing.write_folder(tmp_path, NEW.items())
    assert content(tmp_path) == NEW


KILLED_IN_A_FILE = """
    import os, signal, sys
    from lydite import writing

    with writing.stream_file(sys.argv[1]) as stream:
        os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_file_that_a_killed_command_did_not_finish_is_removed_by_the_next(tmp_path: Path) -> None:
    script = [sys.executable, "-c", textwrap.dedent(KILLED_IN_A_FILE), str(tmp_path / "out.json")]
    subprocess.run(script, check=False)
    assert len(list(tmp_path.iterdir())) == 1
    writing.write_file(tmp_path / "other.json", b"")
    assert [path.name for path in tmp_path.iterdir()] == ["other.json"]


def test_what_a_running_command_is_writing_stays(tmp_path: Path) -> None:
    with writing.stream_file(tmp_path / "one") as one, writing.waiting_folder(tmp_path / "two") as waiting:
        one.write(b"1")
        writing.add_file(waiting, "D1", b"2")
        writing.write_file(tmp_path / "other", b"")
        writing.put_in_place(waiting, tmp_path / "two")
    assert (tmp_path / "one").read_bytes() == b"1"
    assert content(tmp_path / "two") == {"D1": b"2"}


def test_what_a_process_of_another_container_is_writing_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writing, "_is_running", lambda _process: False)
    with writing.waiting_folder(tmp_path / "two") as waiting:
        writing.write_file(tmp_path / "other", b"")
        assert Path(waiting).is_dir()


def test_a_file_of_a_name_like_a_temporary_one_stays(tmp_path: Path) -> None:
    names = [".lydite-notes", ".lydite-ann.old", ".lydite-ann.lock", ".lydite-ann.x-0123456789ab"]
    for name in names:
        (tmp_path / name).write_text("mine", encoding="utf-8")
    writing.write_file(tmp_path / "other", b"")
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([*names, "other"])


def test_a_file_of_an_archive_may_come_in_pieces(tmp_path: Path) -> None:
    writing.write_archive(tmp_path / "a.zip", [("a/whole", b"one"), ("a/pieces", iter([b"two ", b"three"]))])
    with zipfile.ZipFile(tmp_path / "a.zip") as archive:
        assert {name: archive.read(name) for name in archive.namelist()} == {
            "a/whole": b"one",
            "a/pieces": b"two three",
        }


def test_a_file_does_not_come_to_be_if_writing_fails(tmp_path: Path) -> None:
    def failing() -> None:
        with writing.stream_file(tmp_path / "pool.manifest.json") as stream:
            stream.write(b"half")
            raise ValueError

    with pytest.raises(ValueError):
        failing()
    assert list(tmp_path.iterdir()) == []
