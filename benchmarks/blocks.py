"""Blocks of documents: two processes against one, two Dask workers against one.  Wall time, on an idle machine.

Other work on the same cores shows in these ratios more than in those of CPU time; the load is printed beside them.
What a second process can give at best follows from CPU time: all of it, over what the parent and half of its children
take.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median

import ace
import nuggets
from measuring import Measured, at_least, at_most, compile_package, lydite, report

ROUNDS = 3
_LAUNCHER = """
import resource, sys
from lydite.cli import run
status = run(sys.argv[1:])
used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
print(*(one.ru_utime + one.ru_stime for one in used), file=sys.stderr)
sys.exit(status)
"""


def wall(action: Callable[[], object]) -> float:
    """Seconds that pass."""
    start = time.monotonic()
    action()
    return time.monotonic() - start


def run(arguments: Sequence[str]) -> None:
    """Run a command to its end."""
    subprocess.run(arguments, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def shares(arguments: Sequence[str]) -> tuple[float, float]:
    """CPU seconds of a command itself, and of the processes that it started."""
    command = [sys.executable, "-c", _LAUNCHER, *arguments]
    done = subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    own, others = done.stderr.split()[-2:]
    return float(own), float(others)


def processes(what: str, arguments: Sequence[str]) -> list[Measured]:
    """One system over two cores."""
    times: dict[str, list[float]] = {"1": [], "2": []}
    for _ in range(ROUNDS):
        for jobs, found in times.items():
            found.append(wall(lambda jobs=jobs: run(lydite(*arguments, "-j", jobs))))
    alone = sum(shares([*arguments, "-j", "1"]))
    own, others = shares([*arguments, "-j", "2"])
    return [
        at_least(f"{what}, -j 2", median(times["1"]) / median(times["2"]), 1.7, "x faster"),
        at_least("the same, by CPU time", alone / (own + others / 2), 1.7, "x faster"),
    ]


def workers(gold: Path, system: Path) -> list[Measured]:
    """Two Dask workers against one, on clusters that are there already."""
    try:
        from distributed import Client, LocalCluster
    except ImportError:
        return []
    import lydite as library

    times: dict[int, list[float]] = {1: [], 2: []}
    for _ in range(ROUNDS):
        for count, found in times.items():
            with (
                LocalCluster(
                    n_workers=count, threads_per_worker=1, dashboard_address=":0", silence_logs=50
                ) as cluster,
                Client(cluster) as client,
                library.distributed(client),
            ):
                found.append(wall(lambda: library.score(gold, system, task="ace", by=())))
    ratio = median(times[2]) / median(times[1])
    return [at_most("2,000 ACE documents, two Dask workers", ratio, 0.65, "x one")]


def main() -> None:
    """Nuggets by processes, ACE by processes and by Dask workers."""
    compile_package()
    with tempfile.TemporaryDirectory() as place:
        root = Path(place)
        gold, (system,) = nuggets.write_corpus(root / "nuggets", 20_000, 600_000, 1)
        elements = ace.corpus(root / "ace", 2000, 40)
        local = elements / "ref", elements / "sys"
        rows = [
            *processes("20,000 documents of nuggets", ["score", str(gold), str(system), "-q"]),
            *processes("2,000 ACE documents", ["score", "ace", *map(str, local), "-q"]),
            *workers(*local),
        ]
    print(f"\nload {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    report("blocks of documents", rows)


if __name__ == "__main__":
    main()
