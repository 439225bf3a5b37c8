"""Confidences of triples, and what is left of a document above one."""

from __future__ import annotations

from collections.abc import Iterator

from lydite.formats.triples import TRIPLES
from lydite.model import Document
from lydite.pipeline import Confidence


def _confidences(document: Document) -> Iterator[float | None]:
    return (triple.profile_confidence for triple in document.layers.get(TRIPLES, ()))


def _cut(document: Document, threshold: float) -> Document:
    kept = tuple(
        triple
        for triple in document.layers.get(TRIPLES, ())
        if (triple.profile_confidence or 0.0) >= threshold
    )
    return document._replace(layers={**document.layers, TRIPLES: kept}, content=None)


CONFIDENCE = Confidence(_confidences, _cut)
