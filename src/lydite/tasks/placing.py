"""Repair of offsets, and offsets for words that have none, in every layer of a document."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Final, TypeVar

from lydite.checks.placing import differing_words, grounding_findings, grounding_preview, lying_offsets
from lydite.errors import Finding
from lydite.escaping import first_of
from lydite.formats.unplaced import CODE as UNPLACED
from lydite.model import Corpus, Document, LazyDocuments
from lydite.model.grounding import ground
from lydite.model.offsets import repair
from lydite.model.places import Place, count_nouns
from lydite.model.settings import TaskSettings

NONE = "none"
_GROUNDING_CODES = frozenset({"grounded", "not-grounded"})
"""Findings on documents whose words were placed: they need no advice to do so."""
GROUNDING_LAYER: Final = "grounding"


Documents = Mapping[str, Document]
P = TypeVar("P", bound=TaskSettings)
TextOf = Callable[[str, str, P], str | None]
"""The text of a document in a folder of source texts."""


def place_corpus(corpus: Corpus, settings: P, text_of: TextOf[P], role: str = "") -> Corpus:
    """The corpus with every document as :func:`place_document` gives it."""
    load = partial(_load_placed, corpus.documents, settings, text_of, role)
    return replace(corpus, documents=LazyDocuments(corpus.documents, load))


def _load_placed(read: Documents, settings: P, text_of: TextOf[P], role: str, doc_id: str) -> Document:
    return place_document(read[doc_id], settings, text_of, role)


def place_document(document: Document, settings: P, text_of: TextOf[P], role: str = "") -> Document:
    """The document with its offsets repaired and its words grounded, as far as the profile asks for it.

    The text is that of ``documents``, else what the file itself brings.  Without a repair, offsets that look wrong
    are only findings.
    """
    text = available_text(document, settings, text_of)
    if text is None:
        if settings.repair_offsets == NONE and not settings.ground:
            return document
        message = f"no text of document {document.doc_id!r}: its words stay where they are"
        # A run that grounds needs no hint at grounding.
        findings = tuple(
            one._replace(hint=None) if one.code == UNPLACED else one for one in document.findings
        )
        hint = "name the folder: --documents"
        missing = document.finding("source-text-missing", "warning", message, hint=hint)
        return _add_findings(document._replace(findings=findings), [missing])
    if settings.ground:
        document = _ground(document, text, role)
    if settings.repair_offsets != NONE:
        return _repair_offsets(document, text, settings.repair_offsets)
    return _add_findings(document, lying_offsets(document, text))


def available_text(document: Document, settings: P, text_of: TextOf[P]) -> str | None:
    """The source text, else the text that the file brings; where tokens did not fit the source, only the file's own."""
    if any(finding.code == "tokens-not-in-text" for finding in document.findings):
        return document.text
    text = text_of(settings.documents, document.doc_id, settings) if settings.documents else None
    return document.text if text is None else text


def check_words(document: Document, text: str, *, mentions: bool = True) -> Iterator[Finding]:
    """Findings on words that are not in their place in the text, wrong offsets, and words without offsets."""
    yield from differing_words(document, text, mentions=mentions)
    yield from lying_offsets(document, text)
    if not any(finding.code in _GROUNDING_CODES for finding in document.findings):
        yield from grounding_preview(document, text)


def check_corpus_words(corpus: Corpus, settings: P, text_of: TextOf[P]) -> Iterator[Finding]:
    """The same for all documents with a text; a text that is missing in ``documents`` is a finding."""
    for document in corpus.documents.values():
        text = available_text(document, settings, text_of)
        if text is not None:
            yield from check_words(document, text)
        elif settings.documents:
            message = f"no source text of document {document.doc_id!r} in {settings.documents}"
            yield document.finding("source-text-missing", "warning", message)


def _add_findings(document: Document, findings: Iterable[Finding]) -> Document:
    return document._replace(findings=(*document.findings, *findings))


# ---------------------------------------------------------------------------------------------------- offsets


def _repair_offsets(document: Document, text: str, kind: str) -> Document:
    repaired = repair(document, text, kind)
    findings = []
    if repaired.moved:
        along = f"; moved along: {count_nouns(repaired.along)}" if repaired.along else ""
        message = f"{count_nouns(repaired.moved)} moved, {kind}: {_first_names(repaired.moved)}{along}"
        findings.append(document.finding("offsets-repaired", "warning", message))
    if repaired.wrong:
        message = (
            f"{count_nouns(repaired.wrong)} are still not where they say: {_first_names(repaired.wrong)}"
        )
        findings.append(document.finding("offsets-still-wrong", "warning", message))
    return _add_findings(repaired.document, findings)


def _first_names(places: Sequence[Place]) -> str:
    return first_of(list(dict.fromkeys(place.name for place in places)), 5)


# -------------------------------------------------------------------------------------------------- grounding


def _ground(document: Document, text: str, role: str) -> Document:
    grounded = ground(document, text)
    if not grounded.placed and not grounded.unplaced:
        return document
    placements = {place.name: (one.method, one.distance) for place, one in grounded.placed}
    layers = grounded.document.layers
    if placements:
        layers = {**layers, GROUNDING_LAYER: {**layers.get(GROUNDING_LAYER, {}), **placements}}
    # The findings of grounding replace those of the reader on words without a place.
    findings = tuple(finding for finding in document.findings if finding.code != UNPLACED)
    changed = grounded.document._replace(layers=layers, text=text, findings=findings)
    return _add_findings(changed, grounding_findings(document, grounded, role=role))
