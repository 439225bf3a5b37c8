"""Sending a process on an errand, and not waiting for ever."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from django.conf import settings

from lydite.escaping import printable
from lydite.records import NamedTuple
from lydite.workbench.campaigns.errands import ERRAND, OUTCOME, Errand, Told
from lydite.workbench.problems import no_text
from lydite.workbench.processes import python_command, python_environment
from lydite.workbench.store import path_of
from lydite.writing import write_file

POLL = 0.05
KEPT_LINES = 4000
"""Characters of what a process said before it fell that go to the log."""


class LinkedFile(NamedTuple):
    """A file of the store under the name that it has in an errand's folder."""

    digest: str
    place: str


class ErrandOutcome(NamedTuple):
    """What became of an errand: ``done``, ``refused``, ``settings``, ``timeout``, ``memory``, ``crash``, ``lost``."""

    what: str
    told: Told
    seconds: float
    said: str = ""
    """What the process said on stderr, for the log."""


@contextmanager
def folder_for(links: list[LinkedFile]) -> Iterator[Path]:
    """A folder of its own with links to stored files; nothing of it stays."""
    room = Path(settings.LYDITE_FILES) / "work"
    room.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix="errand-", dir=room))
    try:
        for link in links:
            place = folder / link.place
            place.parent.mkdir(parents=True, exist_ok=True)
            place.symlink_to(path_of(link.digest).resolve())
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def send(errand: Errand, folder: Path, *, still_wanted: Callable[[], bool] = lambda: True) -> ErrandOutcome:
    """Do an errand in a process of its own; it ends when its time is over or when nobody wants it any more."""
    write_file(folder / ERRAND, json.dumps(errand._asdict()).encode())
    started = time.monotonic()
    with (folder / ".said").open("wb") as said:
        process = subprocess.Popen(  # noqa: S603 - our own module
            python_command("lydite.workbench.campaigns.errands", str(folder)),
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=said,
            cwd=folder,
            env=_environment(folder),
            start_new_session=True,
        )
    try:
        ended = _wait(process, started + errand.seconds, still_wanted)
    finally:
        _end(process)
    seconds = time.monotonic() - started
    told = _outcome(folder)
    said_last = _keepable((folder / ".said").read_bytes()[-KEPT_LINES:].decode("utf-8", "replace"))
    if ended == "lost":
        return ErrandOutcome("lost", {}, seconds)
    if told is not None:
        return ErrandOutcome(str(told["outcome"]), told, seconds, said_last)
    if ended == "timeout":
        return ErrandOutcome("timeout", {}, seconds)
    # Who may not have memory may fall before it can say so.
    what = "memory" if "MemoryError" in said_last or "memory" in said_last.lower() else "crash"
    return ErrandOutcome(what, {}, seconds, said_last)


def _environment(folder: Path) -> dict[str, str]:
    """Nothing of ours but what the library looks at: limits of the machine, language, where temporary files go."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if name in {"PATH", "LANG", "LC_ALL", "SYSTEMROOT"} or name.startswith("LYDITE_LIMIT_")
    }
    threads = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    return python_environment({**kept, **threads, "TMPDIR": str(folder), "HOME": str(folder)})


def _wait(process: subprocess.Popen[bytes], until: float, still_wanted: Callable[[], bool]) -> str:
    while process.poll() is None:
        if time.monotonic() > until:
            return "timeout"
        if not still_wanted():
            return "lost"
        with suppress(subprocess.TimeoutExpired):
            process.wait(POLL)
    return "ended"


def _end(process: subprocess.Popen[bytes]) -> None:
    """End the process and whatever it began."""
    with suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, 9)
        else:
            process.kill()
    process.wait()


def _outcome(folder: Path) -> Told | None:
    try:
        told: Told = _keepable(json.loads((folder / OUTCOME).read_bytes()))
    except (OSError, ValueError):
        return None
    return told


def _keepable(told: object) -> Any:
    """What was told, with escapes for what no database keeps as text: runs hold whatever their teams put there."""
    if isinstance(told, dict):
        return {_keepable(name): _keepable(value) for name, value in told.items()}
    if isinstance(told, list):
        return [_keepable(value) for value in told]
    return printable(told) if isinstance(told, str) and no_text(told) else told
