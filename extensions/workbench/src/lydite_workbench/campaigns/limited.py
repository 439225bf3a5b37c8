"""Running an errand in a process of its own, with an end to waiting."""

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
from typing import Any, NamedTuple

from django.conf import settings

from lydite.escaping import printable
from lydite.writing import write_file
from lydite_workbench.campaigns.errands import ERRAND, OUTCOME, VALIDATED, Errand, ErrandResult
from lydite_workbench.problems import text_problem
from lydite_workbench.processes import python_command, python_environment
from lydite_workbench.store import path_of

POLL = 0.05
PRINTED = ".said"
KEPT_OUTPUT = 4000
"""Bytes of the end of the output of a process that go to the log."""


class LinkedFile(NamedTuple):
    """A file of the store, and its path in the folder of an errand."""

    digest: str
    place: str


class ErrandOutcome(NamedTuple):
    """How an errand ended: ``done``, ``refused``, ``settings``, ``timeout``, ``memory``, ``crash`` or ``lost``."""

    status: str
    result: ErrandResult
    """What it wrote; the findings of a valid run also if its scoring did not end."""
    seconds: float
    output: str = ""
    """The end of what the process printed, for the log."""


@contextmanager
def errand_folder(links: list[LinkedFile]) -> Iterator[Path]:
    """A temporary folder with links to stored files."""
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


def run_errand(
    errand: Errand, folder: Path, *, still_wanted: Callable[[], bool] = lambda: True
) -> ErrandOutcome:
    """Run an errand in a process of its own, which is killed when its time is over or when it is no longer wanted."""
    write_file(folder / ERRAND, json.dumps(errand._asdict()).encode())
    started = time.monotonic()
    ended, printed = run_process(errand, folder, still_wanted)
    seconds = time.monotonic() - started
    result = read_outcome(folder)
    output = _storable(printed[-KEPT_OUTPUT:].decode("utf-8", "replace"))
    if ended == "lost":
        return ErrandOutcome("lost", {}, seconds)
    if result is not None and result["outcome"] != VALIDATED:
        return ErrandOutcome(str(result["outcome"]), result, seconds, output)
    if ended != "timeout":
        # A process without memory may fall before it can write that.
        ended = "memory" if "memory" in output.lower() else "crash"
    return ErrandOutcome(ended, result or {}, seconds, output)


def run_process(errand: Errand, folder: Path, still_wanted: Callable[[], bool]) -> tuple[str, bytes]:
    """Run the process of an errand; return how it ended (``ended``, ``timeout`` or ``lost``), and what it printed."""
    with (folder / PRINTED).open("wb") as printed:
        process = subprocess.Popen(  # noqa: S603 - our own module
            python_command("lydite_workbench.campaigns.errands", str(folder)),
            stdin=subprocess.DEVNULL,
            stdout=printed,
            stderr=printed,
            cwd=folder,
            env=_environment(folder),
            start_new_session=True,
        )
    try:
        ended = _wait(process, time.monotonic() + errand.seconds, still_wanted)
    finally:
        _kill(process)
    return ended, (folder / PRINTED).read_bytes()


def _environment(folder: Path) -> dict[str, str]:
    """The variables that the library reads, limits on threads, and a home folder; nothing else of this process."""
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


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill the process and whatever it started."""
    with suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, 9)
        else:
            process.kill()
    process.wait()


def read_outcome(folder: Path) -> ErrandResult | None:
    """What an errand has written so far."""
    try:
        result: ErrandResult = _storable(json.loads((folder / OUTCOME).read_bytes()))
    except (OSError, ValueError):
        return None
    return result


def _storable(value: object) -> Any:
    """A value with escapes for characters that no database stores: runs have whatever their teams put there."""
    if isinstance(value, dict):
        return {_storable(name): _storable(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [_storable(inner) for inner in value]
    return printable(value) if isinstance(value, str) and text_problem(value) else value
