"""Words without offsets, placed in the text before spans are compared.

What has no place stays: it gets ranges outside of the text that nothing on the other side has, so that it is missed in
gold and spurious in a system.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from lydite.checks.placing import grounding_findings
from lydite.formats.source import open_source
from lydite.formats.string_files import ENTITIES
from lydite.model import Corpus, Document, LazyDocuments, Mention, Span
from lydite.model.document import Layers
from lydite.model.grounding import ground
from lydite.model.string_items import STRINGS_LAYER
from lydite.tasks.placing import GROUNDING_LAYER
from lydite.tasks.spans.settings import SpanSettings

_FIRST_OUTSIDE = {"gold": -1, "system": -3}


def choose_format(settings: SpanSettings, path: str) -> str | None:
    """With grounding, entities by their words; any other file as it is recognised."""
    if not settings.ground:
        return None
    head = open_source(path).parts[0].head()
    return ENTITIES.name if b'"entities"' in head and ENTITIES.recognise(head) else None


def match_documents(
    gold: Corpus, systems: Sequence[Corpus], settings: SpanSettings
) -> tuple[Corpus, Sequence[Corpus]]:
    """Both sides with words placed in the text, if the run asks for that."""
    if not settings.ground:
        return gold, systems
    return _placed(gold, "gold", gold, settings), [_placed(one, "system", gold, settings) for one in systems]


def _placed(corpus: Corpus, role: str, gold: Corpus, settings: SpanSettings) -> Corpus:
    load = partial(_load, corpus, role, gold, settings)
    return replace(corpus, documents=LazyDocuments(corpus.documents, load))


def _load(corpus: Corpus, role: str, gold: Corpus, settings: SpanSettings, doc_id: str) -> Document:
    document = with_mentions(corpus.documents[doc_id])
    text = _text_of(document, gold, settings)
    if text is None:
        message = f"no text of document {doc_id!r}: words without offsets have no place"
        hint = "name the folder of texts: --documents"
        missing = document.finding("source-text-missing", "warning", message, hint=hint)
        return _outside(document._replace(findings=(*document.findings, missing)), role)
    found = ground(document, text)
    methods = {place.name: (placement.method, placement.distance) for place, placement in found.placed}
    grounded = found.document._replace(text=text)
    layers: Layers = {**grounded.layers, GROUNDING_LAYER: methods}
    findings = (*grounded.findings, *grounding_findings(grounded, found, role=role))
    return _outside(grounded._replace(layers=layers, findings=findings), role)


def _text_of(document: Document, gold: Corpus, settings: SpanSettings) -> str | None:
    """The text in the folder, else gold's, else the document's own."""
    if settings.documents:
        from lydite.formats.texts import source_text

        found = source_text(settings.documents, document.doc_id)
        if found is not None:
            return found
    in_gold = gold.documents[document.doc_id].text if document.doc_id in gold.documents else None
    return document.text if in_gold is None else in_gold


def with_mentions(document: Document) -> Document:
    """The document with its entities as mentions; those without offsets have an empty span."""
    items = document.layers.get(STRINGS_LAYER)
    if items is None:
        return document
    mentions = tuple(
        Mention(
            f"T{at}",
            Span(() if one.start is None or one.end is None else ((one.start, one.end),)),
            one.forms[0],
            one.label,
            line=document.line,
        )
        for at, one in enumerate(items.entities, 1)
    )
    return document._replace(mentions=mentions)


def _outside(document: Document, role: str) -> Document:
    """The document in which mentions without a place have ranges before the text, different on both sides."""
    first = _FIRST_OUTSIDE[role]
    mentions = [
        mention
        if mention.span.ranges
        else mention._replace(span=Span(((first - 4 * at - 1, first - 4 * at),)))
        for at, mention in enumerate(document.mentions)
    ]
    return document._replace(mentions=tuple(mentions))


def is_unplaced(mention: Mention) -> bool:
    """Whether a mention has no place in the text."""
    return any(begin < 0 for begin, _ in mention.span.ranges)
