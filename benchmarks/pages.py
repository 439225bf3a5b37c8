"""The report page: five systems, 500 documents of 30 mentions; size, and time beside what it is made from."""

from __future__ import annotations

import tempfile
from pathlib import Path

from measuring import Measured, at_most, compile_package, interleaved, lydite, report
from nuggets import write_corpus

MEGABYTE = 1_000_000
ROUNDS = 3


def main() -> None:
    """Write the page; compare with scoring, comparing and explaining the same files."""
    compile_package()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        gold, systems = write_corpus(folder / "corpus", 500, 15_000, 5)
        target = folder / "page.html"
        times = interleaved(
            {
                "score": lydite("score", gold, *systems, "-q"),
                "compare": lydite("compare", gold, *systems, "-q"),
                "explain": lydite("explain", gold, *systems, "-q", "--format", "json"),
                "page": lydite("report", gold, *systems, "-q", "-o", target),
            },
            rounds=ROUNDS,
        )
        made_from = times["score"] + times["compare"] + times["explain"]
        print(", ".join(f"{name} {seconds:.1f} s" for name, seconds in times.items()))
        rows: list[Measured] = [
            at_most("report page", times["page"] / made_from, 3, "× score + compare + explain"),
            at_most("its size", target.stat().st_size / MEGABYTE, 15, "MB"),
        ]
    report("report page", rows)


if __name__ == "__main__":
    main()
