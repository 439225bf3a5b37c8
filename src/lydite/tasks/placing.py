"""Words put where they stand, in every layer of a document: offsets repaired, words without offsets placed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
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
from lydite.pipeline import TaskSettings
from lydite.records import replace

NONE = "none"
_DONE = frozenset({"grounded", "not-grounded"})
"""What is said of a document whose words were placed: it needs no advice to do so."""
GROUNDING_LAYER: Final = "grounding"


Documents = Mapping[str, Document]
P = TypeVar("P", bound=TaskSettings)
TextOf = Callable[[str, str, P], str | None]
"""The text of a document in a folder of source texts."""


def placed_corpus(corpus: Corpus, settings: P, text_of: TextOf[P], role: str = "") -> Corpus:
    """The corpus as it is converted or scored: every document with its words where they stand."""
    load = partial(_load_placed, corpus.documents, settings, text_of, role)
    return replace(corpus, documents=LazyDocuments(corpus.documents, load))


def _load_placed(read: Documents, settings: P, text_of: TextOf[P], role: str, doc_id: str) -> Document:
    return placed(read[doc_id], settings, text_of, role)


def placed(document: Document, settings: P, text_of: TextOf[P], role: str = "") -> Document:
    """The document with its offsets repaired and its words grounded, as far as the profile asks for it.

    The text is that of ``documents``, else what the file itself brings.  Without a repair, offsets that look wrong
    are only named.
    """
    wants = settings.repair_offsets != NONE or settings.ground
    text = text_at_hand(document, settings, text_of)
    if text is None:
        if not wants:
            return document
        message = f"no text of document {document.doc_id!r}: its words stay where they are"
        # Whoever asks for grounding needs no hint at it.
        told = tuple(one._replace(hint=None) if one.code == UNPLACED else one for one in document.findings)
        missing = document.finding("source-text-missing", "warning", message, hint=_NAME_THE_FOLDER)
        return _with(document._replace(findings=told), [missing])
    if settings.ground:
        document = _grounded(document, text, role)
    if settings.repair_offsets != NONE:
        return _repaired(document, text, settings.repair_offsets)
    return _with(document, lying_offsets(document, text))


_NAME_THE_FOLDER = "name the folder: --documents"


def text_at_hand(document: Document, settings: P, text_of: TextOf[P]) -> str | None:
    """The source text, else the text that the file brings; where tokens did not fit the source, only the file's own."""
    if any(finding.code == "tokens-not-in-text" for finding in document.findings):
        return document.text
    text = text_of(settings.documents, document.doc_id, settings) if settings.documents else None
    return document.text if text is None else text


def check_words(document: Document, text: str, *, mentions: bool = True) -> Iterator[Finding]:
    """What validation says of words and the text: those that stand elsewhere, lying offsets, words without any."""
    yield from differing_words(document, text, mentions=mentions)
    yield from lying_offsets(document, text)
    if not any(finding.code in _DONE for finding in document.findings):
        yield from grounding_preview(document, text)


def check_corpus_words(corpus: Corpus, settings: P, text_of: TextOf[P]) -> Iterator[Finding]:
    """The same for all documents whose text is at hand; a text that was promised and is not there is a finding."""
    for document in corpus.documents.values():
        text = text_at_hand(document, settings, text_of)
        if text is not None:
            yield from check_words(document, text)
        elif settings.documents:
            message = f"no source text of document {document.doc_id!r} in {settings.documents}"
            yield document.finding("source-text-missing", "warning", message)


def _with(document: Document, findings: Iterable[Finding]) -> Document:
    return document._replace(findings=(*document.findings, *findings))


# ---------------------------------------------------------------------------------------------------- offsets


def _repaired(document: Document, text: str, kind: str) -> Document:
    done = repair(document, text, kind)
    findings = []
    if done.moved:
        along = f"; moved along: {count_nouns(done.along)}" if done.along else ""
        message = f"{count_nouns(done.moved)} moved, {kind}: {_names_of(done.moved)}{along}"
        findings.append(document.finding("offsets-repaired", "warning", message))
    if done.wrong:
        message = f"{count_nouns(done.wrong)} are still not where they say: {_names_of(done.wrong)}"
        findings.append(document.finding("offsets-still-wrong", "warning", message))
    return _with(done.document, findings)


def _names_of(places: Sequence[Place]) -> str:
    return first_of(list(dict.fromkeys(place.name for place in places)), 5)


# -------------------------------------------------------------------------------------------------- grounding


def _grounded(document: Document, text: str, role: str) -> Document:
    found = ground(document, text)
    if not found.placed and not found.unplaced:
        return document
    placements = {place.name: (one.method, one.distance) for place, one in found.placed}
    layers = found.document.layers
    if placements:
        layers = {**layers, GROUNDING_LAYER: {**layers.get(GROUNDING_LAYER, {}), **placements}}
    # What the reader said of words without a place is answered now, one way or the other.
    told = tuple(finding for finding in document.findings if finding.code != UNPLACED)
    changed = found.document._replace(layers=layers, text=text, findings=told)
    return _with(changed, grounding_findings(document, found, role=role))
