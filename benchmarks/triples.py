"""Triples: what scoring costs beside reading, and how it grows.  Ratios, never absolute times.

The file is made like the chunk baseline of a long document: few gold triples, and every ordered pair of heads of a
sentence as a system triple.
"""

from __future__ import annotations

import random
import tempfile
from pathlib import Path

from measuring import at_most, calls, report

from lydite.facade.library import score
from lydite.formats.source import open_source
from lydite.formats.triples import read, write_triples
from lydite.model.triple import Triple, TripleElement

SENTENCES = 300
HEADS = 10


def gold_triples(sentences: int, seed: int) -> list[Triple]:
    """One or two triples per sentence, with elements of one to four tokens."""
    draw = random.Random(seed)
    made = []
    for sentence in range(sentences):
        for _ in range(draw.randint(1, 2)):
            ids = [f"w{sentence}_{draw.randrange(3 * HEADS)}" for _ in range(draw.randint(2, 5))]
            made.append(
                Triple(
                    draw.choice(("patient", "agent", "time")),
                    TripleElement(tuple(ids[:1])),
                    TripleElement(tuple(ids[1:])),
                )
            )
    return made


def baseline_triples(sentences: int) -> list[Triple]:
    """All ordered pairs of the heads of each sentence."""
    return [
        Triple(
            "patient",
            TripleElement((f"w{sentence}_{3 * first}",)),
            TripleElement((f"w{sentence}_{3 * second}",)),
            id="b",
        )
        for sentence in range(sentences)
        for first in range(HEADS)
        for second in range(HEADS)
        if first != second
    ]


def write_files(folder: Path, sentences: int) -> tuple[Path, Path]:
    """Gold and baseline of so many sentences; the paths."""
    gold, system = folder / f"gold{sentences}.trp", folder / f"system{sentences}.trp"
    gold.write_bytes(write_triples(gold_triples(sentences, seed=1)))
    system.write_bytes(write_triples(baseline_triples(sentences)))
    return gold, system


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        gold, system = write_files(Path(name), SENTENCES)
        gold_twice, system_twice = write_files(Path(name), 2 * SENTENCES)
        times = calls(
            {
                "read": lambda: read(open_source(system), {}),
                "score": lambda: score(gold, system, by=("relation",)),
                "score twice": lambda: score(gold_twice, system_twice, by=("relation",)),
                "reference": lambda: score(gold, system, profile="reference", by=("relation",)),
            }
        )
    count = len(baseline_triples(SENTENCES))
    report(
        "triples",
        [
            at_most(
                f"scoring {count:,} system triples, reading included",
                times["score"] / times["read"],
                2,
                "× read",
            ),
            at_most("twice as many triples", times["score twice"] / times["score"], 2.2, "× once"),
            at_most("the same as the reference", times["reference"] / times["read"], 10, "× read"),
        ],
    )


if __name__ == "__main__":
    main()
