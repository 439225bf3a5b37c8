"""Confidences of event nuggets, and what is left of a document above one."""

from __future__ import annotations

from collections.abc import Iterator

from lydite.model import Document
from lydite.model.mention import Mention
from lydite.numerals import decimal_of
from lydite.pipeline import Confidence


def _confidence_of(mention: Mention) -> float | None:
    """The first confidence of a mention, if it is a number."""
    return decimal_of(mention.confidences[0]) if mention.confidences else None


def _confidences(document: Document) -> Iterator[float | None]:
    return map(_confidence_of, document.mentions)


def _cut(document: Document, threshold: float) -> Document:
    """The mentions at or above the threshold, clusters of them, and links between them."""
    kept = tuple(mention for mention in document.mentions if (_confidence_of(mention) or 0.0) >= threshold)
    ids = {mention.id for mention in kept}
    relations = (
        relation._replace(members=tuple(member for member in relation.members if member in ids))
        for relation in document.relations
    )
    linked = tuple(relation for relation in relations if len(relation.members) > 1)
    return document._replace(mentions=kept, relations=linked, content=None)


CONFIDENCE = Confidence(_confidences, _cut)
