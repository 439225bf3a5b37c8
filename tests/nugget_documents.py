"""Small documents of nuggets with relations, and alignments between them."""

from __future__ import annotations

from lydite.model import Alignment, Document, Mention, Pair, Relation, Span


def document(names: str, *relations: str) -> Document:
    mentions = tuple(Mention(name, Span(((10 * at, 10 * at + 4),))) for at, name in enumerate(names))
    parsed = tuple(
        Relation(kind, "R", tuple(members)) for kind, members in (line.split() for line in relations)
    )
    return Document("d", mentions, parsed)


def paired(gold: Document, system: Document, *pairs: tuple[int, int, float]) -> Alignment:
    return Alignment(gold.mentions, system.mentions, tuple(Pair(*pair) for pair in pairs))
