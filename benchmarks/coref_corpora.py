"""Seeded partitions for the coreference benchmark: invented, and the same on every machine.

Cluster sizes follow Zipf's law.  An *ordinary* system misses, invents, splits, merges and moves some mentions; a *bad*
one moves half of them at random; a *dense* one moves three of ten between clusters of ten, so that every gold cluster
meets several system clusters; an *independent* one knows nothing of gold, the worst there is for an optimal assignment.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt

Labels = npt.NDArray[np.int64]


def gold_labels(mentions: int, *, seed: int, mean: float = 3.0) -> Labels:
    """The cluster of every mention."""
    chance = np.random.default_rng(seed)
    sizes = np.minimum(chance.zipf(2.0, size=int(mentions / mean) + 10), max(2, mentions // 20))
    labels = np.repeat(np.arange(len(sizes)), sizes)[:mentions]
    labels = np.concatenate([labels, labels.max(initial=0) + 1 + np.arange(mentions - len(labels))])
    chance.shuffle(labels)
    return labels.astype(np.int64)


def ordinary(gold: Labels, *, seed: int) -> tuple[Labels, Labels]:
    """10 % missed, 10 % spurious, 10 % split, 8 % merged, 5 % moved: gold and system, -1 for a mention not there."""
    chance = np.random.default_rng(seed)
    count = int(gold.max(initial=0)) + 1
    merged = np.where(chance.random(count) < 0.08, chance.integers(0, count, count), np.arange(count))
    system = merged[gold]
    split = (chance.random(count) < 0.10)[gold] & (chance.random(len(gold)) < 0.5)
    system = np.where(split, system + count, system)
    moved = chance.random(len(gold)) < 0.05
    system = np.where(moved, chance.integers(0, count, len(gold)), system)
    system[chance.random(len(gold)) < 0.10] = -1
    extra = chance.integers(0, 2 * count, len(gold) // 10)
    return np.concatenate([gold, np.full(len(extra), -1)]), np.concatenate([system, extra])


def bad(gold: Labels, *, seed: int) -> tuple[Labels, Labels]:
    """Half of the mentions in a random cluster."""
    chance = np.random.default_rng(seed)
    count = int(gold.max(initial=0)) + 1
    moved = chance.random(len(gold)) < 0.5
    return gold, np.where(moved, chance.integers(0, count, len(gold)), gold)


def dense(mentions: int, *, seed: int) -> tuple[Labels, Labels]:
    """Clusters of about ten mentions, three of ten mentions in a random cluster: every cluster meets several others."""
    chance = np.random.default_rng(seed)
    count = max(1, mentions // 10)
    gold = chance.integers(0, count, mentions)
    moved = chance.random(mentions) < 0.3
    return gold, np.where(moved, chance.integers(0, count, mentions), gold)


def independent(mentions: int, *, seed: int) -> tuple[Labels, Labels]:
    """Clusters of about ten mentions on both sides, drawn without regard to each other: one component, no reductions."""
    chance = np.random.default_rng(seed)
    count = max(1, mentions // 10)
    return chance.integers(0, count, mentions), chance.integers(0, count, mentions)


# ---------------------------------------------------------------------------------------------------- columns


def write_columns(folder: Path, documents: list[tuple[Labels, Labels]], name: str) -> tuple[Path, Path]:
    """Gold and system files with eight tokens per mention, as newswire has; mentions of one to three tokens never touch."""
    paths = folder / f"{name}.gold.conll", folder / f"{name}.system.conll"
    for side, path in enumerate(paths):
        with path.open("w", encoding="utf-8") as stream:
            for number, labels in enumerate(documents):
                stream.writelines(_document(f"bench/{name}/doc{number:05d}", labels[side]))
    return paths


def _document(name: str, labels: Labels) -> Iterator[str]:
    chance = random.Random(name)
    lengths = [chance.choice((1, 1, 1, 2, 3)) for _ in range(len(labels))]
    yield f"#begin document ({name}); part 000\n"
    token = 0
    for label, length in zip(labels.tolist(), lengths, strict=True):
        cells = ["-"] * 8
        if label >= 0:
            cells[0] = f"({label})" if length == 1 else f"({label}"
            if length > 1:
                cells[length - 1] = f"{label})"
        for cell in cells:
            yield f"{name}\t0\t{token}\tw{token % 89}\t{cell}\n"
            token += 1
        if token % 24 == 0:
            yield "\n"
    yield "\n#end document\n"


def documents(count: int, mentions: int, *, seed: int) -> list[tuple[Labels, Labels]]:
    """A collection of documents with an ordinary system."""
    return [
        ordinary(gold_labels(mentions, seed=seed + number), seed=seed + 7919 + number)
        for number in range(count)
    ]


# ----------------------------------------------------------------------------------------------------- nuggets


def write_sequenced_tbf(path: Path, texts: list[str], *, seed: int, links: int) -> None:
    """TBF documents (as text without their footer) with After and Subevent links between near mentions."""
    chance = random.Random(seed)
    blocks = []
    for text in texts:
        ids = [line.split("\t")[2] for line in text.splitlines() if line and line[0] not in "#@"]
        lines = []
        for number in range(min(links, max(0, len(ids) - 1))):
            first = chance.randrange(len(ids) - 1)
            second = min(len(ids) - 1, first + chance.randint(1, 4))
            kind = "After" if chance.random() < 0.7 else "Subevent"
            lines.append(f"@{kind}\tL{number}\t{ids[first]},{ids[second]}")
        blocks.append("\n".join([text, *dict.fromkeys(lines), "#EndOfDocument"]))
    path.write_text("\n".join(blocks) + "\n", encoding="utf-8")
