"""Where the time of a whole run goes: the functions with the largest shares of its CPU time, by row of ``docs/speed.md``.

A timer of CPU time looks at the stack every few milliseconds, which slows nothing down and favours no function.

    python benchmarks/shares.py ROW [RUNS]
"""

from __future__ import annotations

import gc
import os
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import FrameType

import ace
import arguments
from corpora import nugget_documents, spoiled, write_tbf

SHOWN = 5


def nuggets(folder: Path, documents: int, mentions: int, *, links: bool = False) -> tuple[str, str]:
    """Gold and one system; with ``links`` every document has ten After and four Subevent links."""
    gold = nugget_documents(documents, mentions, seed=1)
    chance = random.Random(5)
    sides = {"gold": gold, "system": [spoiled(document, chance) for document in gold]}
    for name, side in sides.items():
        write_tbf(folder / f"{name}.tbf", side, system=name)
        if links:
            _add_links(folder / f"{name}.tbf", [len(document) for document in side])
    return str(folder / "gold.tbf"), str(folder / "system.tbf")


def _add_links(path: Path, sizes: list[int]) -> None:
    chance, size = random.Random(1), iter(sizes)
    lines = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("#End"):
            ids = range(1, next(size) + 1)
            for number, name in enumerate(("After",) * 10 + ("Subevent",) * 4):
                first, second = sorted(chance.sample(ids, 2))
                lines.append(f"@{name}\tR{number}\tE{first},E{second}")
        lines.append(line)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _detection(folder: Path) -> list[str]:
    return ["score", *nuggets(folder, 5000, 150_000), "--coref", "off"]


def _large(folder: Path) -> list[str]:
    return ["score", *nuggets(folder, 1, 1_000_000), "--coref", "off"]


def _sequencing(folder: Path) -> list[str]:
    return ["score", *nuggets(folder, 500, 15_000, links=True)]


def _ace(folder: Path) -> list[str]:
    corpus = ace.corpus(folder, 400, 40)
    return ["score", "ace", str(corpus / "ref"), str(corpus / "sys"), "--profile", "ace08-local"]


def _arguments(folder: Path) -> list[str]:
    arguments.write_corpus(folder, 200, 50, 5)
    systems = map(str, sorted((folder / "runs5").iterdir()))
    return ["score", "arguments", str(folder / "annotation"), *systems, "--profile", "kbp2014"]


ROWS: dict[str, Callable[[Path], list[str]]] = {
    "detection": _detection,
    "large": _large,
    "sequencing": _sequencing,
    "ace": _ace,
    "arguments": _arguments,
    "arguments-json": lambda folder: [*_arguments(folder), "--format", "json"],
}


def main(row: str, runs: int) -> None:
    """Run the command of a row in this process, and print seconds and shares."""
    from lydite.cli import run

    shares: Counter[str] = Counter()

    def look(_signal: int, frame: FrameType | None) -> None:
        if frame is not None:
            code = frame.f_code
            shares[f"{code.co_qualname}  {'/'.join(Path(code.co_filename).parts[-2:])}"] += 1

    with tempfile.TemporaryDirectory() as name:
        command = [*ROWS[row](Path(name)), "-q"]
        shown = os.dup(1)
        with Path(os.devnull).open("wb") as nowhere:
            os.dup2(nowhere.fileno(), 1)
        gc.set_threshold(2_000_000, 50, 50)  # as the command does
        signal.signal(signal.SIGPROF, look)
        start = time.process_time()
        signal.setitimer(signal.ITIMER_PROF, 0.001, 0.001)
        for _ in range(runs):
            with suppress(SystemExit):
                run(command)
        signal.setitimer(signal.ITIMER_PROF, 0)
        seconds = (time.process_time() - start) / runs
        sys.stdout.flush()
        os.dup2(shown, 1)
    print(f"{row}: {seconds:.2f} s of CPU, {shares.total()} looks")
    for function, looks in shares.most_common(SHOWN):
        print(f"{looks / shares.total():7.1%}  {function}")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 1)
