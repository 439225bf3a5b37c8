"""Triples: what scoring costs beside reading, and how it grows.  Ratios, never absolute times.

The file is made like the chunk baseline of a long document: few gold triples, and every ordered pair of heads of a
sentence as a system triple.
"""

from __future__ import annotations

import random
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from lydite.facade import score
from lydite.formats.source import open_source
from lydite.formats.triples import read, write_triples
from lydite.model.triple import Element, Triple

ROUNDS = 5
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
                    Element(tuple(ids[:1])),
                    Element(tuple(ids[1:])),
                )
            )
    return made


def baseline_triples(sentences: int) -> list[Triple]:
    """All ordered pairs of the heads of each sentence."""
    return [
        Triple(
            "patient", Element((f"w{sentence}_{3 * first}",)), Element((f"w{sentence}_{3 * second}",)), id="b"
        )
        for sentence in range(sentences)
        for first in range(HEADS)
        for second in range(HEADS)
        if first != second
    ]


def seconds(action: Callable[[], object]) -> float:
    """CPU time of one call."""
    start = time.process_time()
    action()
    return time.process_time() - start


def measured(folder: Path, sentences: int) -> tuple[float, float, int]:
    """Median CPU time to read the system file and to score it, and its number of triples."""
    gold, system = folder / f"gold{sentences}.trp", folder / f"system{sentences}.trp"
    triples = baseline_triples(sentences)
    gold.write_bytes(write_triples(gold_triples(sentences, seed=1)))
    system.write_bytes(write_triples(triples))
    reading, scoring = [], []
    for _ in range(ROUNDS):
        reading.append(seconds(lambda: read(open_source(system), {})))
        scoring.append(seconds(lambda: score(gold, system, by=("relation",))))
    return median(reading), median(scoring), len(triples)


def run() -> list[tuple[str, float, str]]:
    """Name, ratio and target of everything that is watched."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        read_time, score_time, count = measured(folder, SENTENCES)
        _, doubled, _ = measured(folder, 2 * SENTENCES)
    return [
        (f"triples: scoring {count} system triples / reading them", score_time / read_time, "≤ 2"),
        ("triples: twice as many triples / as many", doubled / score_time, "≤ 2.2"),
    ]


if __name__ == "__main__":
    for title, ratio, target in run():
        print(f"{title:<60} {ratio:6.2f}   target {target}")
