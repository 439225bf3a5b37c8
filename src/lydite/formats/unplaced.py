"""Findings about mentions, triggers and fillers that have words and no place in the text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lydite.errors import Finding, Location
from lydite.escaping import first_of
from lydite.model import Document

CODE = "mention-without-place"
_HINT = "--ground --documents DIR places words in the text; --profile strings compares events by words alone"


def find_unplaced(document: Document) -> Iterator[Finding]:
    """One finding for all mentions, triggers and fillers of a document that have words and no place."""
    from lydite.model.places import count_nouns, places_of  # loaded where a word may lack its place

    items = [place for place in places_of(document) if place.is_unplaced]
    if items:
        where = Location(document.path, document.line or None)
        yield unplaced_finding(count_nouns(items), [place.words for place in items], where, document.doc_id)


EITHER_SIDE = "missed in gold, spurious in a system"
_ON_SIDE = {"gold": "each counts as missed", "system": "each counts as spurious"}


def finding_on_side(finding: Finding, side: str) -> Finding:
    """The finding of a reader, which does not know the side, with the consequence on that side in its message."""
    if finding.code != CODE:
        return finding
    return finding._replace(message=finding.message.replace(EITHER_SIDE, _ON_SIDE[side], 1))


def unplaced_finding(counted: str, names: Sequence[str], where: Location, doc_id: str) -> Finding:
    """``3 mentions without a place …``, with the first names."""
    message = f"{counted} without a place in the text: {EITHER_SIDE} ({first_of(names)})"
    return Finding(CODE, "warning", message, where, doc_id, hint=_HINT)
