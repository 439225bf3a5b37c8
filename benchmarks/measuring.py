"""CPU time and memory of whole processes and of calls, and a table of ratios."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import median
from tempfile import gettempdir
from typing import NamedTuple

ROUNDS = 7


class Measured(NamedTuple):
    """One line of a benchmark: a figure, what it is compared with, and the target."""

    what: str
    figure: float
    unit: str
    target: str
    met: bool


def at_most(what: str, figure: float, limit: float, unit: str) -> Measured:
    """A figure that should not exceed its limit."""
    return Measured(what, figure, unit, f"≤ {limit:g}", figure <= limit)


def at_least(what: str, figure: float, limit: float, unit: str) -> Measured:
    """A figure that should reach its limit."""
    return Measured(what, figure, unit, f"≥ {limit:g}", figure >= limit)


def process(arguments: Sequence[str]) -> float:
    """CPU seconds of a process, in a folder where no project has settings for it to read."""
    child = subprocess.Popen(
        arguments, cwd=gettempdir(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise SystemExit(f"failed with {child.returncode}: {' '.join(arguments)}")
    return usage.ru_utime + usage.ru_stime


_LAUNCHER = (
    "import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL);"
    "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
)


def peak_memory(arguments: Sequence[str]) -> float:
    """Peak megabytes of a process; it is started by a small one, because a child inherits its parent's peak."""
    done = subprocess.run(
        [sys.executable, "-c", _LAUNCHER, *arguments], capture_output=True, check=True, text=True
    )
    return int(done.stdout.split()[-1]) / 1024


def interleaved(commands: Mapping[str, Sequence[str]], rounds: int = ROUNDS) -> dict[str, float]:
    """Median CPU seconds of each command; all run once per round, so that a busy machine hits all alike."""
    times: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(rounds):
        for name, arguments in commands.items():
            times[name].append(process(arguments))
    return {name: median(values) for name, values in times.items()}


def calls(actions: Mapping[str, Callable[[], object]], rounds: int = ROUNDS) -> dict[str, float]:
    """Median CPU seconds of each call, interleaved."""
    times: dict[str, list[float]] = {name: [] for name in actions}
    for _ in range(rounds):
        for name, action in actions.items():
            start = time.process_time()
            action()
            times[name].append(time.process_time() - start)
    return {name: median(values) for name, values in times.items()}


def lydite(*arguments: object) -> list[str]:
    """The command, as it is installed beside this Python."""
    return [str(Path(sys.executable).parent / "lydite"), *map(str, arguments)]


NOTHING = (sys.executable, "-c", "pass")
"""What every cold figure is compared with."""


def compile_package() -> None:
    """Byte code and parsed profiles, as a package has them that was used once; an editable one may lack them."""
    import compileall

    import lydite
    from lydite.profile import load_profile, profile_names

    compileall.compile_dir(str(Path(lydite.__file__).parent), quiet=2)
    sys.dont_write_bytecode = False
    for task in lydite.TASKS.values():
        for name in profile_names(task.name):
            load_profile(task.name, name, task.settings)


def report(title: str, rows: Sequence[Measured]) -> None:
    """The table, and one line of JSON for machines."""
    print(f"\n{title}")
    width = max(len(row.what) for row in rows)
    for row in rows:
        mark = "met" if row.met else "MISSED"
        print(f"  {row.what:<{width}}  {row.figure:9.2f} {row.unit:<12} target {row.target:<8} {mark}")
    print(json.dumps({"benchmark": title, "rows": [row._asdict() for row in rows]}, ensure_ascii=False))
