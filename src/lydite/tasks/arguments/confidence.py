"""Confidences of arguments, and what is left of a document above one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from lydite.model import Document
from lydite.model.argument_lines import LAYER, lines_of
from lydite.pipeline import Confidence


def _confidences(document: Document) -> Iterator[float | None]:
    return (row.confidence for row in lines_of(document).rows)


def _cut(document: Document, threshold: float) -> Document:
    """The arguments at or above the threshold, and the frames of them."""
    lines = lines_of(document)
    rows = tuple(row for row in lines.rows if row.confidence >= threshold)
    gone = {row.id for row in lines.rows} - {row.id for row in rows}
    frames = (
        frame._replace(members=tuple(member for member in frame.members if member not in gone))
        for frame in lines.frames
    )
    kept = replace(
        lines,
        rows=rows,
        frames=tuple(frame for frame in frames if frame.members),
        incomplete=tuple(name for name in lines.incomplete if name not in gone),
    )
    return document._replace(layers={**document.layers, LAYER: kept}, content=None)


CONFIDENCE = Confidence(_confidences, _cut)
