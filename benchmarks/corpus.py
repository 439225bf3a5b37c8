"""Collections: indexing and searching 100,000 documents, choosing 10,000 of 500,000.  Times are those of this machine."""

from __future__ import annotations

import json
import os
import platform
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from measuring import Measured, at_least, at_most, report

DOCUMENTS, WORDS = 100_000, 400
POOL, CHOSEN, TARGETS = 500_000, 10_000, 250
GIVEN = tuple(f"Given{letter}" for letter in "abcdefghijkl")


def write_collection(path: Path, documents: int) -> list[str]:
    """JSON lines with words of a Zipf distribution and some names; the names that were planted."""
    import numpy as np

    chance = np.random.default_rng(1)
    letters = np.array(list("abcdefghijklmnopqrstuvwxyz"))
    vocabulary = np.array(
        ["".join(chance.choice(letters, size)) for size in chance.integers(2, 11, size=50_000)], dtype=object
    )
    weights = 1 / np.arange(1, len(vocabulary) + 1)
    weights /= weights.sum()
    names = [f"{given} {word.capitalize()}" for given in GIVEN for word in vocabulary[-100:]]
    with path.open("w", encoding="utf-8") as stream:
        for start in range(0, documents, 1000):
            words = chance.choice(vocabulary, size=(min(1000, documents - start), WORDS), p=weights)
            for offset, row in enumerate(words):
                number = start + offset
                row[chance.integers(WORDS, size=3)] = chance.choice(names, 3)
                line = {
                    "id": f"D{number:06d}", "text": " ".join(row), "date": f"2006-{number % 12 + 1:02d}-01",
                    "genre": ("nw", "wl")[number % 2], "source": ("XIN", "AFP")[number % 3 % 2], "language": "en",
                }  # fmt: skip
                stream.write(json.dumps(line) + "\n")
    return names


def exploring(folder: Path) -> list[Measured]:
    """Indexing, searching, and the names of the whole collection."""
    from lydite_corpus.index import build, open_index
    from lydite_corpus.names import index_names
    from lydite_corpus.search import search

    path = folder / "texts.jsonl"
    names = write_collection(path, DOCUMENTS)
    size = path.stat().st_size / 1e6
    before = time.process_time(), time.perf_counter()
    build([str(path)], folder / "index")
    used = time.process_time() - before[0]
    waited = time.perf_counter() - before[1]
    index = open_index(folder / "index")
    chance = random.Random(1)
    ((common, _),) = index.searcher.terms_with_prefix("words", "", limit=1)  # the most frequent word
    queries = [f'"{name}"' for name in chance.sample(names, 60)]
    queries += [f"{name.split()[0]} AND {name.split()[1]} NOT genre:wl" for name in chance.sample(names, 60)]
    queries += [f"{name.split()[1][:-1]}*" for name in chance.sample(names, 40)]
    queries += [common, f"like:D{chance.randrange(DOCUMENTS):06d}", f"{common} date:2006-03..2006-05"] * 10
    times = []
    for query in queries:
        start = time.perf_counter()
        search(index, query)
        times.append(1000 * (time.perf_counter() - start))
    times.sort()
    start = time.process_time()
    found = index_names(index)
    listed = time.process_time() - start
    assert len(found) >= 1000
    return [
        at_least(f"index {DOCUMENTS} documents, {size:.0f} MB: MB per CPU second", size / used, 20, "MB/s"),
        Measured("… seconds waited", waited, "s", "–", met=True),
        at_most(f"search, p95 of {len(times)} queries", times[int(0.95 * len(times))], 50, "ms"),
        Measured("… median", times[len(times) // 2], "ms", "–", met=True),
        Measured(
            f"names of the collection ({len(found)} strings): MB per CPU second",
            size / listed,
            "MB/s",
            "–",
            met=True,
        ),
    ]


def choosing() -> None:
    """The choice, in a process of its own: seconds and megabytes are printed."""
    from lydite_corpus.index import Record
    from lydite_corpus.objective import Pool, Target
    from lydite_corpus.selection import Detail, choose

    chance = random.Random(1)
    kinds = ("handle", "alias", "variant")
    targets = tuple(
        Target(f"T{n:03d}", 1.0, kinds, f"G{n // 2}" if n < 60 else None, "PER") for n in range(TARGETS)
    )
    popular = [1 / (n + 1) ** 0.6 for n in range(TARGETS)]
    mentions = {}
    for d in range(POOL):
        if chance.random() < 0.4:
            held = chance.choices(range(TARGETS), popular, k=chance.randint(1, 3))
            mentions[d] = {(target, chance.randrange(3)): chance.randint(1, 4) for target in held}
    records = [
        Record(
            d,
            f"D{d:06d}",
            f"2006-{d % 12 + 1:02d}-01",
            ("nw", "wl")[d % 2],
            "XIN",
            "en",
            400,
            2500,
            "",
            (),
            markup=False,
        )
        for d in range(POOL)
    ]
    pool = Pool(targets, tuple(record.id for record in records), mentions)
    start = time.perf_counter()
    selection = choose(pool, records, Detail(CHOSEN))
    seconds = time.perf_counter() - start
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    soft = choose(pool, records, Detail(CHOSEN, hard=False)).quality.ratio
    sys.stdout.write(json.dumps([seconds, memory, selection.quality.ratio, soft, len(selection.documents)]))


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        rows = exploring(Path(folder))
    done = subprocess.run([sys.executable, __file__, "--choose"], check=True, capture_output=True, text=True)
    seconds, memory, ratio, soft, count = json.loads(done.stdout)
    assert count == CHOSEN
    rows += [
        at_most(f"choose {CHOSEN} of {POOL} documents, {TARGETS} targets, with the report", seconds, 60, "s"),
        at_most("… memory", memory, 2000, "MB"),
        Measured("… certified ratio under the hard limit", ratio, "", "–", met=True),
        Measured("… certified ratio without it", soft, "", "–", met=True),
    ]
    report(f"collections ({platform.machine()}, {os.cpu_count()} cores)", rows)
    return 0


if __name__ == "__main__":
    if "--choose" in sys.argv:
        choosing()
    else:
        sys.exit(main())
