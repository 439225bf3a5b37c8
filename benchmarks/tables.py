"""Benchmark of engines over tables: Parquet in, memory and CPU time of whole processes.

``python benchmarks/run.py tables`` scores 5 million mentions by every engine on this machine, and 500,000 by Dask;
``python benchmarks/tables.py --large`` also scores 50 million by DuckDB with 3 GB, which takes minutes.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

import mention_tables
from measuring import Measured, at_most, compile_package, lydite, report

MILLION = 1_000_000
LIMIT = "3GB"


class Run(NamedTuple):
    """A whole process: CPU seconds, peak megabytes, what it printed."""

    seconds: float
    megabytes: float
    rows: str


def score(folder: Path, mentions: int, engine: str) -> Run:
    """Score the tables of so many mentions across documents.

    The command is started by a small process of its own, because a child inherits the peak of its parent.
    """
    tables = (folder / f"gold-{mentions}.parquet", folder / f"system-{mentions}.parquet")
    command = lydite(
        "score", "coref", *tables, "--unit", "corpus", "--engine", engine, "--memory-limit", LIMIT,
        "--format", "csv", "-q",
    )  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-c", _LAUNCHER, *command], capture_output=True, text=True, check=True
    )
    rows, _, figures = done.stdout.rstrip("\n").rpartition("\n")
    seconds, kilobytes = map(float, figures.split())
    return Run(seconds, kilobytes / 1024, rows.replace(f"system-{mentions},", ""))


_LAUNCHER = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(used.ru_utime + used.ru_stime, used.ru_maxrss)
"""


def costs(runs: dict[tuple[str, int], Run]) -> list[Measured]:
    """Seconds and bytes for a million mentions, without targets: what the page on scale shows."""
    rows = []
    for (engine, mentions), run in runs.items():
        size = f"{mentions / MILLION:g} M mentions, {engine}"
        per_million = run.seconds / (mentions / MILLION)
        rows.append(Measured(size, per_million, "s / M", "none", met=True))
        rows.append(Measured(size, run.megabytes * (1 << 20) / mentions, "B / mention", "none", met=True))
    return rows


def equal(what: str, runs: list[Run]) -> Measured:
    """Whether all of them wrote the same rows."""
    return at_most(f"{what}: other rows", len({run.rows for run in runs}) - 1, 0, "engines")


def main(arguments: list[str]) -> None:
    compile_package()
    sizes = {"arrays": [5 * MILLION], "duckdb": [5 * MILLION], "dask": [MILLION // 2]}
    if "--large" in arguments:
        sizes["duckdb"].append(50 * MILLION)
    sizes["arrays"].append(MILLION // 2)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(os.environ.get("LYDITE_BENCH_TABLES", name))
        for mentions in sorted({one for several in sizes.values() for one in several}):
            if not (folder / f"system-{mentions}.parquet").exists():
                mention_tables.write_tables(folder, mentions)
        runs = {
            (engine, mentions): score(folder, mentions, engine)
            for engine, several in sizes.items()
            for mentions in several
        }
    rows = [
        equal("5 M mentions, arrays and duckdb", [runs["arrays", 5 * MILLION], runs["duckdb", 5 * MILLION]]),
        equal("0.5 M mentions, arrays and dask", [runs["arrays", MILLION // 2], runs["dask", MILLION // 2]]),
    ]
    if "--large" in arguments:
        small, large = (runs["duckdb", size * MILLION] for size in (5, 50))
        rows.append(at_most("50 M mentions, duckdb, limit 3 GB", large.megabytes / 1024, 4, "GB"))
        rows.append(at_most("50 M against 5 M mentions, duckdb", large.seconds / small.seconds, 12, "×"))
    report("tables: engines", rows)
    report("tables: costs", costs(runs))


if __name__ == "__main__":
    main(sys.argv[1:])
