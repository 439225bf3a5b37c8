"""Seeded corpora for the benchmark: invented, and the same on every machine."""

from __future__ import annotations

import random
from pathlib import Path

TYPES = (
    "Conflict_Attack", "Conflict_Demonstrate", "Contact_Meet", "Justice_Arrest-Jail", "Life_Die", "Life_Injure",
    "Movement_Transport-Person", "Personnel_Elect", "Transaction_Transfer-Money", "Transaction_Transfer-Ownership",
)  # fmt: skip
REALIS = ("Actual", "Generic", "Other")


def nugget_documents(documents: int, mentions: int, *, seed: int) -> list[list[tuple[int, int, str, str]]]:
    """``mentions`` gold mentions spread over ``documents``: (begin, end, type, realis), ascending, some doubled."""
    chance = random.Random(seed)
    sizes = [mentions // documents + (position < mentions % documents) for position in range(documents)]
    corpus = []
    for size in sizes:
        place, gold = 0, []
        while len(gold) < size:
            place += chance.randint(8, 120)
            end = place + chance.randint(3, 12)
            gold.append((place, end, chance.choice(TYPES), chance.choices(REALIS, (7, 1, 2))[0]))
            if chance.random() < 0.06 and len(gold) < size:
                gold.append((place, end, chance.choice(TYPES), gold[-1][3]))
            place = end
        corpus.append(gold)
    return corpus


def spoiled(gold: list[tuple[int, int, str, str]], chance: random.Random) -> list[tuple[int, int, str, str]]:
    """A system's version: some missed, shifted, mistyped, invented."""
    system = []
    for begin, end, kind, realis in gold:
        draw = chance.random()
        if draw < 0.15:
            continue
        shift = chance.choice((-2, -1, 1, 2, 4)) if draw < 0.25 else 0
        kind = chance.choice(TYPES) if 0.25 <= draw < 0.35 else kind  # noqa: PLW2901 - the spoiled value
        realis = chance.choice(REALIS) if 0.35 <= draw < 0.5 else realis  # noqa: PLW2901 - as above
        system.append((begin, max(end + shift, begin + 1), kind, realis))
        if draw > 0.92:
            system.append((end + 1, end + 6, chance.choice(TYPES), "Actual"))
    return system


def write_tbf(
    path: Path, documents: list[list[tuple[int, int, str, str]]], *, system: str, chains: bool = True
) -> int:
    """Write a TBF file with confidences and clusters of three; how many mentions it has."""
    lines, count = [], 0
    for number, mentions in enumerate(documents):
        name = f"doc_{number:05d}"
        lines.append(f"#BeginOfDocument {name}")
        for position, (begin, end, kind, realis) in enumerate(mentions, 1):
            text = "w" * (end - begin)
            lines.append(
                f"{system}\t{name}\tE{position}\t{begin},{end}\t{text}\t{kind}\t{realis}\t0.9\t0.8\t0.7"
            )
        count += len(mentions)
        if chains:
            lines.extend(
                f"@Coreference\tC{first}\tE{first},E{first + 1},E{first + 2}"
                for first in range(1, len(mentions) - 2, 9)
            )
        lines.append("#EndOfDocument")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return count
