"""Spans of the other unit: character offsets from token ids and the other way round, through token tables."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace

from lydite.errors import Finding, Location, Severity, UsageError
from lydite.formats.bridges import with_layers
from lydite.formats.token_spans import TokenPlaces
from lydite.formats.tokens import TokenTable
from lydite.model import Corpus, Document, LazyDocuments, Mention, Relation, Span
from lydite.model.document import Facts, some_layers
from lydite.model.mention import SYSTEM_LAYER
from lydite.pipeline.task import every_character
from lydite.tasks.nugget.checks import severity, spell_as_table
from lydite.tasks.nugget.documents import find_token_table
from lydite.tasks.nugget.settings import NuggetSettings
from lydite.tasks.placing import place_document


def convert(corpus: Corpus, settings: NuggetSettings) -> Corpus:
    """The corpus with spans of the unit of ``to-unit``; findings say which mentions are not exactly the same.

    A mention is the same if the tokens stand for exactly its characters.  One that no token covers, or that covers no
    token, is left out, and so are its places in relations.
    """
    target = settings.to_unit
    unit = corpus.facts.get("unit", "char")
    changes = target not in {"as-read", unit}
    if changes and not settings.tokens:
        raise UsageError(
            f"--to-unit {target} needs token tables",
            hint="name their folder with --tokens; lydite tokenize makes them from texts",
        )
    read = corpus.documents
    written_unit = target if changes else unit

    def load(doc_id: str) -> Document:
        document = place_document(read[doc_id], settings, every_character)
        if settings.system_name:
            document = document._replace(layers={**document.layers, SYSTEM_LAYER: settings.system_name})
        document = (_convert_spans if changes else _with_severities)(document, settings)
        return _with_words(document, settings) if written_unit == "token" and settings.tokens else document

    documents = LazyDocuments(read, load)
    findings = tuple(_with_severity(finding, settings) for finding in corpus.findings)
    if changes and target == "token":
        findings = (*findings, *_ambiguous_ids(documents.values(), corpus.path))
    facts: Facts = {**corpus.facts, "unit": written_unit}
    return replace(corpus, documents=documents, findings=findings, facts=facts)


def _with_words(document: Document, settings: NuggetSettings) -> Document:
    """The document with the words of its token table, for formats that hold words."""
    table = find_token_table(settings, document.doc_id)
    return document if table is None else document._replace(tokens=table.strings)


def _with_severity(finding: Finding, settings: NuggetSettings) -> Finding:
    return finding._replace(severity=severity(finding, settings))


def _with_severities(document: Document, settings: NuggetSettings) -> Document:
    return document._replace(findings=tuple(_with_severity(one, settings) for one in document.findings))


def _convert_spans(document: Document, settings: NuggetSettings) -> Document:
    """The document with its spans in the other unit, and findings about mentions that change."""
    to_characters = settings.to_unit == "char"
    table = find_token_table(settings, document.doc_id)
    if table is None:
        message = f"no token table {document.doc_id}{settings.token_suffix} in {settings.tokens}"
        hint = "without it spans cannot be converted; lydite tokenize makes tables from texts"
        missing = document.finding("token-table-missing", "error", message, hint=hint)
        document = _with_severities(document, settings)
        return document._replace(findings=(*document.findings, missing))
    reading_findings = [*document.findings, *table.findings]
    if to_characters:
        document, about_ids = spell_as_table(document, table, settings)
        reading_findings.extend(about_ids)
    if TRIGGER_LAYERS & document.layers.keys():
        # Only mentions have a unit.
        document = with_layers(document, ("mentions",))
    conversion = _Conversion(document, table)
    convert_mention = conversion.to_characters if to_characters else conversion.to_tokens
    converted = [(mention, convert_mention(mention)) for mention in document.mentions]
    kept = tuple(mention._replace(span=span) for mention, span in converted if span is not None)
    lost = {mention.id for mention, span in converted if span is None} - {mention.id for mention in kept}
    relations = tuple(conversion.surviving_relations(document.relations, lost))
    findings = (*(_with_severity(finding, settings) for finding in reading_findings), *conversion.findings)
    layers = document.layers
    if not kept:
        # A writer makes mentions of events where there are none; those that were left out must not come back.
        layers = some_layers(layers, layers.keys() - TRIGGER_LAYERS)
    return document._replace(
        mentions=kept, relations=relations, findings=findings, content=None, layers=layers
    )


TRIGGER_LAYERS = frozenset({"events", "ace"})
"""Layers whose triggers become mentions in a document without mentions; their spans are characters."""


class _Conversion:
    """The conversion of one document to the other unit, and the findings about it."""

    def __init__(self, document: Document, table: TokenTable) -> None:
        self._document, self._table = document, table
        self._places = TokenPlaces(table)
        self.findings: list[Finding] = []

    def to_characters(self, mention: Mention) -> Span | None:
        """The characters of a mention, without tokens that have no offsets in the table; None if none is left."""
        unplaced = [
            token
            for token in mention.span.tokens
            if token in self._table.strings and not self._places.has_place(token)
        ]
        for token in unplaced:
            message = f"token {token!r} has no offsets in {self._table.path}"
            self._add_finding("token-without-offsets", "error", message, mention)
        tokens = [token for token in mention.span.tokens if self._places.has_place(token)]
        if not tokens:
            self._report_left_out(mention, "has no token with a place in the text")
            return None
        span = self._places.characters(tokens)
        if set(self._places.tokens(span).tokens) != set(tokens):
            self._report_inexact(mention, span, self._places.tokens(span))
        return span

    def to_tokens(self, mention: Mention) -> Span | None:
        """The tokens of a mention, None if it has none."""
        span = self._places.tokens(mention.span)
        if not span.tokens:
            self._report_left_out(mention, "covers no token and is covered by none")
            return None
        again = self._places.characters(span.tokens)
        if again.merged() != mention.span.merged():
            self._report_inexact(mention, span, again)
        return span

    def surviving_relations(
        self, relations: tuple[Relation, ...], lost: Collection[str]
    ) -> Iterator[Relation]:
        """Relations without the mentions that were left out; those left with fewer than two are left out too."""
        for relation in relations:
            members = tuple(member for member in relation.members if member not in lost)
            if members == relation.members:
                yield relation
                continue
            ids = ", ".join(member for member in relation.members if member in lost)
            loss = f"loses {ids}" if len(members) > 1 else f"is left out, because {ids} was"
            message = f"@{relation.name} {relation.id} {loss}"
            self._add_finding("relation-of-mention-left-out", "warning", message, relation)
            if len(members) > 1:
                yield relation._replace(members=members)

    def _report_inexact(self, mention: Mention, span: Span, again: Span) -> None:
        message = f"mention {mention.id!r} at {mention.span} becomes {span}, which stands for {again}"
        self._add_finding("inexact-conversion", "warning", message, mention)

    def _report_left_out(self, mention: Mention, why: str) -> None:
        message = f"mention {mention.id!r} at {mention.span} {why}; it is left out"
        self._add_finding("mention-without-tokens", "warning", message, mention)

    def _add_finding(self, code: str, level: Severity, message: str, item: Mention | Relation) -> None:
        self.findings.append(self._document.finding(code, level, message, item.line, item.id))


def _ambiguous_ids(documents: Iterable[Document], path: str) -> Iterator[Finding]:
    """A warning if ids are plain numbers (``48,49``): they look like offsets to the next reader of the file."""
    spans = (mention.span for document in documents for mention in document.mentions)
    if any(len(span.tokens) > 1 and all(map(str.isdecimal, span.tokens)) for span in spans):
        message = "the token ids are plain numbers, which can be taken for offsets"
        hint = "score and validate the new file with --unit token"
        yield Finding("ambiguous-token-ids", "warning", message, Location(path), hint=hint)
