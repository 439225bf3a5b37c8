"""Event arguments: time and memory of pooling and scoring, as ratios.

Targets: scoring and pooling 20 systems needs at most 1.3 × the peak memory of 5 systems, and time is linear in the
number of arguments (doubling them costs at most 2.2 × the time).  The whole JSON document costs at most 1.5 × the
time and memory of the text report.

    python benchmarks/arguments.py [DOCUMENTS] [ARGUMENTS PER DOCUMENT]
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

TYPES = (
    ("Conflict.Attack", "Target"),
    ("Life.Die", "Victim"),
    ("Life.Injure", "Victim"),
    ("Contact.Meet", "Entity"),
)
NAMES = ("Ask", "Runa", "Nell Aune", "the harbour guild", "Tor Hval", "two sailors", "Odd Lind")
LARGEST_MEMORY, LARGEST_GROWTH, LARGEST_DOCUMENT = 1.3, 2.2, 1.5


def argument(number: int, document: int, choice: random.Random) -> str:
    """Columns 2 to 10 of an invented argument."""
    event_type, role = choice.choice(TYPES)
    name = choice.choice(NAMES)
    begin = choice.randrange(0, 4000, 10)
    span = f"{begin}-{begin + len(name) - 1}"
    realis = choice.choice(("Actual", "Actual", "Actual", "Other", "Generic"))
    columns = (
        f"DOC_{document:04}",
        event_type,
        role,
        name,
        span,
        f"{begin}-{begin + 200 + number % 7}",
        span,
        "NIL",
        realis,
    )
    return "\t".join(columns)


def write_corpus(folder: Path, documents: int, size: int, systems: int) -> None:
    """Stores of systems that each found most of a common pool, and an annotation store of that pool."""
    for document in range(documents):
        choice = random.Random(document)
        pool = sorted({argument(number, document, choice) for number in range(size * 5 // 4)})
        name = f"DOC_{document:04}"
        for system in range(systems):
            own = random.Random(document * 1000 + system)
            lines = [
                f"{n}\t{line}\t{own.random():.6f}"
                for n, line in enumerate(own.sample(pool, min(size, len(pool))))
            ]
            target = folder / f"runs{systems}" / f"system{system:02}" / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text("\n".join(lines) + "\n")
        gold = folder / "annotation" / name
        gold.parent.mkdir(parents=True, exist_ok=True)
        ids = {
            key: n for n, key in enumerate(sorted({tuple(line.split("\t")[3:5]) for line in pool}), start=1)
        }
        judged = (_judged(line, ids[tuple(line.split("\t")[3:5])], choice) for line in pool)
        gold.write_text("".join(f"{n}\t{line}\n" for n, line in enumerate(judged)))


def _judged(line: str, cluster: int, choice: random.Random) -> str:
    if choice.random() < 0.3:
        return f"{line}\t1.0\tW\tNIL\tNIL\tNIL\t{cluster}\tNIL\tNIL"
    return f"{line}\t1.0\tC\tC\tC\t{choice.choice('CCI')}\t{cluster}\t{line.rsplit(chr(9), maxsplit=1)[-1]}\tNAME"


def measure(*arguments: str) -> tuple[float, int]:
    """CPU seconds and peak memory in kilobytes of a lydite command."""
    command = [sys.executable, "-m", "lydite", *arguments]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"failed: {' '.join(command)}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss


def main() -> int:
    """Print the ratios; the exit status is 1 if one misses its target."""
    documents = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    size = int(sys.argv[2]) if len(sys.argv) > 2 else 100
    missed = False
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for systems in (5, 10, 20):
            write_corpus(folder, documents, size, systems)
        for verb in ("score", "pool"):
            found = {systems: measure(*_command(verb, folder, systems)) for systems in (5, 10, 20)}
            memory = found[20][1] / found[5][1]
            growth = found[20][0] / found[10][0]
            per_argument = 1e6 * found[20][0] / (20 * documents * size)
            print(
                f"arguments {verb:5}  20 systems: {per_argument:6.1f} µs per argument, "
                f"memory {memory:.2f} × 5 systems (≤ {LARGEST_MEMORY}), time {growth:.2f} × 10 systems (≤ {LARGEST_GROWTH})"
            )
            missed |= memory > LARGEST_MEMORY or growth > LARGEST_GROWTH
        text, document = (
            measure(*_command("score", folder, 5), *more) for more in ((), ("--format", "json"))
        )
        time, memory = document[0] / text[0], document[1] / text[1]
        print(
            f"arguments json   5 systems: {time:.2f} × time, {memory:.2f} × memory of text (≤ {LARGEST_DOCUMENT})"
        )
        missed |= max(time, memory) > LARGEST_DOCUMENT
    return int(missed)


def _command(verb: str, folder: Path, systems: int) -> list[str]:
    runs = str(folder / f"runs{systems}")
    if verb == "pool":
        return ["assess", "pool", "--runs", runs, "-o", str(folder / f"pool{systems}")]
    annotation = str(folder / "annotation")
    return [
        "score",
        "arguments",
        annotation,
        "--runs",
        runs,
        "--profile",
        "kbp2014",
        "-o",
        str(folder / "out"),
    ]


if __name__ == "__main__":
    sys.exit(main())
