"""Comparing: intervals of all figures of 20 systems × 500 documents, against the time of scoring them."""

from __future__ import annotations

import random
import sys
import tempfile
from pathlib import Path

import measuring
from corpora import nugget_documents, spoiled, write_tbf

SYSTEMS, DOCUMENTS, MENTIONS = 20, 500, 15_000
LARGEST_SHARE, LARGEST_MEMORY = 1.0, 500.0


def _write(folder: Path) -> list[str]:
    gold = nugget_documents(DOCUMENTS, MENTIONS, seed=1)
    write_tbf(folder / "gold.tbf", gold, system="gold")
    (folder / "runs").mkdir()
    for number in range(SYSTEMS):
        chance = random.Random(number)
        system = [spoiled(document, chance) for document in gold]
        write_tbf(folder / "runs" / f"s{number:02d}.tbf", system, system=f"s{number}")
    return [str(folder / "gold.tbf"), "--runs", str(folder / "runs"), "-q", "-o", str(folder / "out")]


def main() -> int:
    """Print the ratios; 1 if a target is missed."""
    measuring.compile_package()
    with tempfile.TemporaryDirectory() as name:
        files = _write(Path(name))
        commands = {
            "score": measuring.lydite("score", *files, "--by", "doc"),
            "intervals": measuring.lydite("score", *files, "--by", "doc", "--ci"),
            "compare": measuring.lydite("compare", *files),
        }
        times = measuring.interleaved(commands, rounds=3)
        share = (times["intervals"] - times["score"]) / times["score"]
        rows = [
            measuring.at_most("10,000 draws of all figures", share, LARGEST_SHARE, "× scoring"),
            measuring.at_most(
                "memory of intervals", measuring.peak_memory(commands["intervals"]), LARGEST_MEMORY, "MB"
            ),
            measuring.at_most(
                "memory of compare", measuring.peak_memory(commands["compare"]), LARGEST_MEMORY, "MB"
            ),
        ]
        measuring.report(f"compare: {SYSTEMS} systems × {DOCUMENTS} documents", rows)
        print(
            f"score {times['score']:.1f} s, with intervals {times['intervals']:.1f} s, compare {times['compare']:.1f} s"
        )
    return int(not all(row.met for row in rows))


if __name__ == "__main__":
    sys.exit(main())
