"""Mentions put where their words stand: offsets repaired, words without offsets placed, each with a finding."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from lydite.checks.structure import lying_offsets
from lydite.errors import Finding, Location
from lydite.formats.lists import source_text
from lydite.model import Document
from lydite.model.argument import Event
from lydite.model.grounding import Grounded, ground
from lydite.model.offsets import Move, moved, repair
from lydite.profile import Profile

NONE = "none"
GROUNDING_LAYER = "grounding"
EVENTS_LAYER = "events"


def placed(document: Document, profile: Profile) -> Document:
    """The document with its offsets repaired and its words grounded, as far as the profile asks for it.

    The text is that of ``documents``, else what the file itself brings.  Without a repair, offsets that look wrong
    are only named.
    """
    wants = profile["repair-offsets"] != NONE or profile["ground"]
    text = source_text(profile["documents"], document.doc_id) if profile["documents"] else None
    text = document.text if text is None else text
    if text is None:
        if not wants:
            return document
        message = f"no text of document {document.doc_id!r}: its mentions stay where they are"
        return _with(
            document,
            [_finding(document, "source-text-missing", message, hint="name the folder: --documents")],
        )
    if profile["ground"]:
        document = _grounded(document, text)
    if profile["repair-offsets"] != NONE:
        return _repaired(document, text, profile["repair-offsets"])
    return _with(document, lying_offsets(document, text))


def _with(document: Document, findings: Any) -> Document:
    return replace(document, findings=(*document.findings, *findings))


def _finding(
    document: Document, code: str, message: str, *, item: str | None = None, hint: str | None = None
) -> Finding:
    place = Location(document.path, document.line or None)
    return Finding(code, "warning", message, place, document.doc_id, item, hint)


# ---------------------------------------------------------------------------------------------------- offsets


def _repaired(document: Document, text: str, kind: str) -> Document:
    done = repair(document, text, kind)
    findings = []
    if done.moved:
        message = f"{len(done.moved)} mentions moved, {kind}: {_shown(done.moved)}"
        findings.append(_finding(document, "offsets-repaired", message))
    if done.wrong:
        message = f"{len(done.wrong)} mentions are still not where they say: {_shown(done.wrong)}"
        findings.append(_finding(document, "offsets-still-wrong", message))
    changed = replace(document, mentions=done.mentions, content=None)
    if done.moved and document.layers.get(EVENTS_LAYER):
        events = tuple(map(partial(_moved_event, move=done.move), document.layers[EVENTS_LAYER]))
        changed = replace(changed, layers={**document.layers, EVENTS_LAYER: events})
    return _with(changed, findings)


def _shown(ids: Sequence[str]) -> str:
    return ", ".join(ids[:5]) + (", …" if len(ids) > 5 else "")


def _moved_event(event: Event, *, move: Move) -> Event:
    """Triggers and fillers move alike; what has no new place stays."""
    arguments = tuple(
        one._replace(span=moved(one.span, move) or one.span, head=moved(one.head, move) or one.head)
        for one in event.arguments
    )
    return event._replace(trigger=moved(event.trigger, move) or event.trigger, arguments=arguments)


# -------------------------------------------------------------------------------------------------- grounding


def _grounded(document: Document, text: str) -> Document:
    found = ground(document, text)
    if not found.placements and not found.unplaced:
        return document
    placements = {name: (one.method, one.distance) for name, one in found.placements.items()}
    layers = {**document.layers, GROUNDING_LAYER: placements} if placements else document.layers
    # What the reader said of mentions without a place is answered now, one way or the other.
    told = tuple(finding for finding in document.findings if finding.code != "mention-without-place")
    changed = replace(
        document, mentions=found.mentions, layers=layers, text=text, content=None, findings=told
    )
    return _with(changed, _remarks(document, found))


def _remarks(document: Document, found: Grounded) -> Iterator[Finding]:
    methods = Counter(one.method for one in found.placements.values())
    if methods:
        counts = ", ".join(
            f"{method} {methods[method]}" for method in ("exact", "normalised", "fuzzy") if methods[method]
        )
        yield _finding(document, "grounded", f"{len(found.placements)} mentions placed: {counts}")._replace(
            severity="note"
        )
    words = {mention.id: mention.text for mention in found.mentions}
    for name, one in found.placements.items():
        if one.method == "fuzzy":
            message = f"{words[name]!r} placed at {one.begin},{one.end}, {one.distance} edits away"
            yield _finding(document, "grounded-by-likeness", message, item=name)
    for name in found.unplaced:
        message = f"{words[name]!r} is not in the text, or not so often; the mention counts as spurious"
        yield _finding(document, "not-grounded", message, item=name)
