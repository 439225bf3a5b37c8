"""Checks of words against the text, in every layer: wrong offsets, and words without offsets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from lydite.checks.windows import differing_windows
from lydite.errors import Finding
from lydite.escaping import counted, short
from lydite.model import Document
from lydite.model.grounding import Grounded, ground
from lydite.model.offsets import find_offset_errors
from lydite.model.places import Place, count_nouns, places_of
from lydite.model.windows import WINDOWS

METHODS = ("exact", "normalised", "fuzzy")


def _warning_at(
    document: Document, place: Place, code: str, message: str, hint: str | None = None
) -> Finding:
    return document.finding(code, "warning", message, place.line or None, place.name, hint=hint)


def lying_offsets(document: Document, text: str) -> Iterator[Finding]:
    """A finding about words that are not at their offsets, and about what the offsets may count instead."""
    checked = find_offset_errors(document, text)
    if not checked.repaired:
        return
    best = next(iter(checked.repaired))
    guesses = ", ".join(f"{kind} ({count})" for kind, count in checked.repaired.items())
    wrong, total = (Counter(place.noun for place in places) for places in (checked.wrong, checked.checked))
    counts = ", ".join(f"{wrong[noun]} of {total[noun]} {noun}s" for noun in total if wrong[noun])
    message = f"{counts} are not where they say; what puts them right: {guesses}"
    hint = f"lydite convert --repair-offsets {best} moves them, and says what it moved; --documents names the texts"
    yield document.finding("lying-offsets", "warning", message, hint=hint)


def differing_texts(gold: Document, system: Document) -> Iterator[Finding]:
    """A finding if the sides come with different texts, of which neither is the beginning of the other; or different windows."""
    if WINDOWS in gold.layers and WINDOWS in system.layers:
        yield from differing_windows(gold, system)
        return
    ours, theirs = ((document.text or "").rstrip() for document in (gold, system))
    if ours.startswith(theirs) or theirs.startswith(ours):
        return
    at = next(place for place, (one, other) in enumerate(zip(ours, theirs, strict=False)) if one != other)
    message = (
        f"document {system.doc_id!r}: the texts of the two sides differ from character {at} on: "
        f"{short(ours[at:], 30)!r} in gold, {short(theirs[at:], 30)!r} here; offsets are not the same places"
    )
    hint = "does a side lack sentences, or have them in another order? --documents names the texts that both count in"
    yield system.finding("texts-differ", "warning", message, hint=hint)


def differing_words(document: Document, text: str, *, mentions: bool) -> Iterator[Finding]:
    """Words that differ from the text at their offsets; words of mentions only if ``mentions``, where no other check does.

    Words that grounding has placed by likeness differ by design and have a finding of their own.
    """
    known = {finding.item for finding in document.findings if finding.code == "text-mismatch"}
    known.update(document.layers.get("grounding", ()))
    for place in places_of(document):
        if not place.is_checkable or place.is_in(text) or place.name in known:
            continue
        if place.noun == "mention" and not mentions:
            continue
        hint = "are the offsets counted in another unit, or from another text?"
        yield _warning_at(document, place, "text-mismatch", place.mismatch(text), hint)


def grounding_preview(document: Document, text: str) -> Iterator[Finding]:
    """What grounding would do with the words that have no offsets."""
    yield from grounding_findings(document, ground(document, text), done=False)


_COUNTS_AS = {
    "gold": "counts as missed",
    "system": "counts as spurious",
    "": "counts as missed in gold, as spurious in a system",
}
"""How words without a place count, by side."""


def grounding_findings(
    document: Document, found: Grounded, *, done: bool = True, role: str = ""
) -> Iterator[Finding]:
    """What grounding did, or would do: how many words were placed and how, and a finding for each doubtful one."""
    methods = Counter(placement.method for _, placement in found.placed)
    if methods:
        counts = ", ".join(f"{method} {methods[method]}" for method in METHODS if methods[method])
        nouns = count_nouns(place for place, _ in found.placed)
        message = f"{nouns} placed: {counts}" if done else f"{nouns} would be placed by --ground: {counts}"
        yield document.finding("grounded", "note", message)
    for place, placement in found.placed:
        if placement.method == "fuzzy":
            at = f"{placement.begin},{placement.end}"
            verb = "placed" if done else "would be placed"
            message = f"{place.words!r} {verb} at {at}, {counted(placement.distance, 'edit')} away"
            yield _warning_at(document, place, "grounded-by-likeness", message)
    for place in found.unplaced:
        message = f"{place.words!r} is not in the text, or not so often; the {place.noun} {_COUNTS_AS[role]}"
        yield _warning_at(document, place, "not-grounded", message)
