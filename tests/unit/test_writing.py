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
