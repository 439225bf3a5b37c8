"""Make the argument part of the example corpus: three systems, an annotation store and their frames.

    python examples/build_arguments.py            # after a change of arguments.tsv
    python examples/build_arguments.py --check    # are the files up to date?

``arguments.tsv`` has one line per claimed argument: where its words stand in the text, what an assessor says of it,
and how confident each system is (empty: the system does not claim it).  ``words#2`` is the second occurrence.
Standard library only, no chance involved; identifiers in column 1 are plain numbers.
"""

from __future__ import annotations

import csv
import re
import sys
from pathlib import Path

HERE = Path(__file__).parent
SYSTEMS = ("alder", "birch", "cedar")
BOUNDARY = re.compile(r"(?<=[.!?])\s+|\n+|<[^<>]*>")


def place(text: str, words: str) -> tuple[int, int]:
    """Begin and inclusive end of the words, of the occurrence after ``#`` if one is named."""
    wanted, _, number = words.partition("#")
    begin = -1
    for _ in range(int(number or 1)):
        begin = text.index(wanted, begin + 1)
    return begin, begin + len(wanted) - 1


def sentence(text: str, at: tuple[int, int]) -> tuple[int, int]:
    """Begin and inclusive end of the sentence that the words stand in."""
    begin, end = 0, len(text)
    for boundary in BOUNDARY.finditer(text):
        if boundary.end() <= at[0]:
            begin = boundary.end()
        elif boundary.start() > at[1]:
            end = boundary.start()
            break
    return begin, end - 1


def span(at: tuple[int, int]) -> str:
    """As argument files have it."""
    return f"{at[0]}-{at[1]}"


def columns(row: dict[str, str]) -> list[str]:
    """Columns 2 to 10 of an argument."""
    text = (HERE / "text" / f"{row['document']}.txt").read_bytes().decode()
    words = row["at"] or row["text"]
    filler = place(text, row["filler"] or words)
    return [
        row["document"],
        row["type"],
        row["role"],
        row["text"],
        span(place(text, words)),
        span(sentence(text, filler)),
        span(filler),
        "NIL",
        row["realis"],
    ]


def judgement(row: dict[str, str]) -> list[str]:
    """Columns 12 to 18: the letters, the coreference id, the realis and the mention type that the assessor saw."""
    letters = ["NIL" if letter == "-" else letter for letter in row["judgement"]]
    accepted = "-" not in row["judgement"]
    return [
        *letters,
        row["cluster"],
        row["judged realis"] or "NIL",
        row["mention type"] if accepted else "NIL",
    ]


def stores() -> dict[str, str]:
    """Every file below ``arguments/``, by its path."""
    with (HERE / "arguments.tsv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE))
    documents = sorted(path.stem for path in (HERE / "text").glob("*.txt"))
    files: dict[str, str] = {}
    for name in documents:
        own = [row for row in rows if row["document"] == name]
        for system in SYSTEMS:
            lines = [[*columns(row), row[system]] for row in own if row[system]]
            files[f"arguments/systems/{system}/{name}"] = numbered(lines)
        files[f"arguments/annotation/{name}"] = numbered(
            [[*columns(row), "1.0", *judgement(row)] for row in own]
        )
    return files


def numbered(lines: list[list[str]]) -> str:
    """Lines with a response id in front."""
    return "".join("\t".join([str(number), *line]) + "\n" for number, line in enumerate(lines, start=1))


def main() -> int:
    """Write the files, or say which are not up to date."""
    stale = []
    for name, content in stores().items():
        path = HERE / name
        if not path.is_file() or path.read_bytes() != content.encode():
            stale.append(name)
            if "--check" not in sys.argv:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content.encode())
    if "--check" in sys.argv and stale:
        print(f"not up to date: {', '.join(stale)}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
