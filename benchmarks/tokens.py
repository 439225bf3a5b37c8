"""Tokens: against one ``re.findall`` over the same text, growth, memory of large texts.  Ratios, never absolute times."""

from __future__ import annotations

import random
import re
import tempfile
from pathlib import Path

from measuring import Measured, at_most, calls, compile_package, lydite, peak_memory, report

import lydite as library
from lydite.tokenizer import iter_tokens

SMALL, LARGE = 10, 100
"""Megabytes of the two texts whose memory is compared."""

SENTENCES = (
    "The minister didn't say when talks would resume.",
    "Mr. Dorn of Wren Inc. met U.S. officials on Friday, Jan. 12, 2031.",
    'He said: "We cannot wait," and left at 5:30 p.m. for Sel Maren.',
    "About 2,000 well-known salt workers marched; police counted 1,850.",
    "Shares of Pellam Line (once $4.20) rose 3.5% to $4.35 in Orvik.",
    "the mayor's deputy isn't here... who'd have thought?! :-)",
    "See http://lorn.com/a-b?x=1 or write to joe@lorn.com, they'll answer.",
    '<post author="saltgull" datetime="2031-03-08T18:40:00">',
    "Орвик and the café were closed — nobody knows why.",
    "Two guards were shot dead and three others injured in the raid on the depot.",
    "Witnesses told the radio that the van drove off towards the river before dawn.",
    "She was elected in March with the votes of the north and of the islands.",
    "The company will buy the works from its owner, who moves abroad.",
    "Nothing of that was true, as the court found in the following year.",
)


def prose(characters: int, seed: int) -> str:
    """Seeded news and forum sentences, a line each, some with a blank line behind them."""
    chance = random.Random(seed)
    lines: list[str] = []
    size = 0
    while size < characters:
        line = chance.choice(SENTENCES) + ("\n\n" if chance.random() < 0.2 else "\n")
        lines.append(line)
        size += len(line)
    return "".join(lines)


def speed() -> list[Measured]:
    """The tokens of half a megabyte, and of twice as much."""
    text = prose(500_000, seed=1)
    double = text + prose(500_000, seed=2)
    plain = re.compile(r"\w+|[^\w\s]")
    half_begun = "<a " * 100_000
    times = calls(
        {
            "findall": lambda: plain.findall(text),
            "tokenize": lambda: library.tokenize(text),
            "separators": lambda: library.tokenize(text, separators="/-\\"),
            "once": lambda: sum(1 for _ in iter_tokens(text)),
            "double": lambda: sum(1 for _ in iter_tokens(double)),
            "bad findall": lambda: plain.findall(half_begun),
            "bad": lambda: sum(1 for _ in iter_tokens(half_begun)),
        }
    )
    return [
        at_most("tokens of prose", times["tokenize"] / times["findall"], 10, "× re.findall"),
        at_most("the same with separators", times["separators"] / times["findall"], 10, "× re.findall"),
        at_most("tags that never end", times["bad"] / times["bad findall"], 30, "× re.findall"),
        at_most("twice the text", times["double"] / times["once"], 2.2, "× once"),
    ]


def memory(folder: Path) -> list[Measured]:
    """Peak memory of the command on one text of 10 and one of 100 megabytes."""
    megabyte = prose(1_000_000, seed=3)
    peaks = {}
    for size in (SMALL, LARGE):
        text = folder / f"text{size}.txt"
        with text.open("w", encoding="utf-8") as stream:
            for _ in range(size):
                stream.write(megabyte)
        peaks[size] = peak_memory(lydite("tokenize", text, "-o", folder / f"tokens{size}"))
    return [at_most(f"memory of {LARGE} MB of text", peaks[LARGE] / peaks[SMALL], 1.1, f"× {SMALL} MB")]


def main() -> None:
    compile_package()
    with tempfile.TemporaryDirectory() as name:
        rows = [*speed(), *memory(Path(name))]
    report("tokens", rows)


if __name__ == "__main__":
    main()
