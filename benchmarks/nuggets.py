"""Event nuggets: cold runs against ``python -c pass``, growth, reading, memory.  Ratios, never absolute times."""

from __future__ import annotations

import csv
import random
import tempfile
from pathlib import Path

from corpora import nugget_documents, spoiled, write_tbf
from measuring import (
    NOTHING,
    Measured,
    at_least,
    at_most,
    calls,
    compile_package,
    interleaved,
    lydite,
    peak_memory,
    report,
)

import lydite as library
from lydite.formats.source import open_source
from lydite.formats.tbf import TBF

SYSTEMS = 15


def write_corpus(folder: Path, documents: int, mentions: int, systems: int) -> tuple[Path, list[Path]]:
    """Gold and systems; the paths."""
    folder.mkdir()
    gold = nugget_documents(documents, mentions, seed=1)
    write_tbf(folder / "gold.tbf", gold, system="gold")
    paths = []
    for number in range(systems):
        chance = random.Random(100 + number)
        path = folder / f"system{number:02d}.tbf"
        write_tbf(path, [spoiled(document, chance) for document in gold], system=path.stem)
        paths.append(path)
    return folder / "gold.tbf", paths


def cold(folder: Path) -> list[Measured]:
    """Whole processes on the size of the pilot corpus: 200 documents, 6,921 mentions."""
    gold, systems = write_corpus(folder / "pilot", 200, 6921, SYSTEMS)
    off = ("--quiet", "--coref", "off")
    times = interleaved(
        {
            "pass": NOTHING,
            "version": lydite("--version"),
            "help": lydite("--help"),
            "one": lydite("score", gold, systems[0], *off),
            "many": lydite("score", gold, *systems, *off),
        }
    )
    unit = "× pass"
    return [
        at_most("lydite --version", times["version"] / times["pass"], 6, unit),
        at_most("lydite --help", times["help"] / times["pass"], 6, unit),
        at_most("detection, cold", times["one"] / times["pass"], 15, unit),
        at_most(f"{SYSTEMS} systems in one call", times["many"] / times["one"], 8, "× one"),
    ]


def growth(folder: Path) -> list[Measured]:
    """One document of 100 and of 1,000 mentions, in this process."""
    small = write_corpus(folder / "small", 1, 100, 1)
    large = write_corpus(folder / "large", 1, 1000, 1)
    times = calls(
        {
            "small": lambda: [library.score(small[0], small[1][0], task="nugget") for _ in range(10)],
            "large": lambda: [library.score(large[0], large[1][0], task="nugget") for _ in range(10)],
        }
    )
    return [at_most("1,000 mentions in a document", times["large"] / times["small"], 15, "× 100")]


def reading(folder: Path) -> list[Measured]:
    """Reading every document with the ids, bounds, types and realis that scoring looks at, against Python's csv.

    A record for each mention is made only when somebody asks for one; what that costs stands beside it.
    """
    path, _ = write_corpus(folder / "reading", 1000, 35_000, 0)

    def read_columns() -> None:
        corpus = TBF.read(open_source(path), {})
        for doc_id in corpus.documents:
            _ = corpus.documents[doc_id].columns

    def read_records() -> None:
        corpus = TBF.read(open_source(path), {})
        for doc_id in corpus.documents:
            _ = corpus.documents[doc_id].mentions[0]

    def read_csv() -> None:
        with path.open(newline="", encoding="utf-8") as stream:
            for _ in csv.reader(stream, delimiter="\t"):
                pass

    times = calls({"columns": read_columns, "records": read_records, "csv": read_csv})
    unit = "× csv speed"
    return [
        at_least("reading TBF", times["csv"] / times["columns"], 0.6, unit),
        Measured("the same with a record each", times["csv"] / times["records"], unit, "none", True),
    ]


def memory(folder: Path) -> list[Measured]:
    """Peak memory of 500 and of 8,000 documents."""
    few = write_corpus(folder / "few", 500, 10_000, 1)
    many = write_corpus(folder / "many", 8000, 160_000, 1)
    peaks = [peak_memory(lydite("score", gold, system[0], "-q")) for gold, system in (few, many)]
    return [at_most("memory of 8,000 documents", peaks[1] / peaks[0], 1.5, "× 500")]


def main() -> None:
    compile_package()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        rows = [*cold(folder), *growth(folder), *reading(folder), *memory(folder)]
    report("nuggets", rows)


if __name__ == "__main__":
    main()
