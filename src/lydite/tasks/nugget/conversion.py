"""Spans of the other unit: character offsets from token ids and the other way round, through token tables."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from lydite.errors import Finding, Location, Severity, UsageError
from lydite.formats.bridges import with_layers
from lydite.formats.token_spans import TokenPlaces
from lydite.formats.tokens import TokenTable
from lydite.model import Corpus, Document, LazyDocuments, Mention, Relation, Span
from lydite.model.document import Facts, some_layers
from lydite.model.mention import SYSTEM_LAYER
from lydite.pipeline import every_character
from lydite.records import replace
from lydite.tasks.nugget.checks import in_spelling_of, severity
from lydite.tasks.nugget.documents import given_table
from lydite.tasks.nugget.settings import NuggetSettings
from lydite.tasks.placing import placed


def convert(corpus: Corpus, settings: NuggetSettings) -> Corpus:
    """The corpus with spans of the unit that the profile wants; findings say which mentions are not exactly the same.

    A mention is the same if the tokens stand for exactly its characters.  One that no token covers, or that covers no
    token, is left out, and so are its places in relations.
    """
    wanted = settings.to_unit
    unit = corpus.facts.get("unit", "char")
    changes = wanted not in {"as-read", unit}
    if changes and not settings.tokens:
        raise UsageError(
            f"--to-unit {wanted} needs token tables",
            hint="name their folder with --tokens; lydite tokenize makes them from texts",
        )
    read = corpus.documents

    in_tokens = (wanted if changes else unit) == "token"

    def load(doc_id: str) -> Document:
        document = _named(placed(read[doc_id], settings, every_character), settings)
        made = _converted(document, wanted, settings) if changes else _with_severities(document, settings)
        return _with_words(made, settings) if in_tokens and settings.tokens else made

    documents = LazyDocuments(read, load)
    findings = tuple(_with_severity(finding, settings) for finding in corpus.findings)
    if changes and wanted == "token":
        made = (documents[doc_id] for doc_id in documents)
        findings = (*findings, *_ambiguous_ids(made, corpus.path))
    facts: Facts = {**corpus.facts, "unit": wanted if changes else unit}
    return replace(corpus, documents=documents, findings=findings, facts=facts)


def _named(document: Document, settings: NuggetSettings) -> Document:
    """The document under the name of system that the profile wants."""
    name = settings.system_name
    return document._replace(layers={**document.layers, SYSTEM_LAYER: name}) if name else document


def _with_words(document: Document, settings: NuggetSettings) -> Document:
    """The document with the words of its token table, for formats that have a place for words."""
    table = given_table(settings, document.doc_id)
    return document if table is None else document._replace(tokens=table.strings)


def _with_severity(finding: Finding, settings: NuggetSettings) -> Finding:
    return finding._replace(severity=severity(finding, settings))


def _with_severities(document: Document, settings: NuggetSettings) -> Document:
    findings = tuple(_with_severity(finding, settings) for finding in document.findings)
    return document._replace(findings=findings)


def _converted(document: Document, wanted: str, settings: NuggetSettings) -> Document:
    table = given_table(settings, document.doc_id)
    if table is None:
        message = f"no token table {document.doc_id}{settings.token_suffix} in {settings.tokens}"
        hint = "without it spans cannot be converted; lydite tokenize makes tables from texts"
        missing = document.finding("token-table-missing", "error", message, hint=hint)
        settled = _with_severities(document, settings)
        return settled._replace(findings=(*settled.findings, missing))
    read = [*document.findings, *table.findings]
    if wanted == "char":
        document, about_ids = in_spelling_of(document, table, settings)
        read.extend(about_ids)
    document = _with_triggers(document)
    conversion = _Conversion(document, table)
    make = conversion.to_characters if wanted == "char" else conversion.to_tokens
    made = [(mention, make(mention)) for mention in document.mentions]
    kept = tuple(mention._replace(span=span) for mention, span in made if span is not None)
    lost = {mention.id for mention, span in made if span is None} - {mention.id for mention in kept}
    relations = tuple(conversion.surviving(document.relations, lost))
    findings = (*(_with_severity(finding, settings) for finding in read), *conversion.findings)
    layers = document.layers
    if not kept:
        # A writer makes mentions of events where there are none; those that were left out must not come back.
        layers = some_layers(layers, layers.keys() - TRIGGER_LAYERS)
    return document._replace(
        mentions=kept, relations=relations, findings=findings, content=None, layers=layers
    )


TRIGGER_LAYERS = frozenset({"events", "ace"})
"""Layers whose triggers are mentions where a document has no others; they stand at characters."""


def _with_triggers(document: Document) -> Document:
    """The document with the triggers of its events as mentions, if it has no mentions: only these have a unit."""
    return with_layers(document, ("mentions",)) if TRIGGER_LAYERS & document.layers.keys() else document


class _Conversion:
    """One document on its way to the other unit, and what is to be said about it."""

    def __init__(self, document: Document, table: TokenTable) -> None:
        self._document, self._table = document, table
        self._places = TokenPlaces(table)
        self.findings: list[Finding] = []

    def to_characters(self, mention: Mention) -> Span | None:
        """The characters of a mention; tokens that the table does not place are left out."""
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
            self._left_out(mention, "has no token with a place in the text")
            return None
        span = self._places.characters(tokens)
        if set(self._places.tokens(span).tokens) != set(tokens):
            self._inexact(mention, span, self._places.tokens(span))
        return span

    def to_tokens(self, mention: Mention) -> Span | None:
        """The tokens of a mention."""
        span = self._places.tokens(mention.span)
        if not span.tokens:
            self._left_out(mention, "covers no token and is covered by none")
            return None
        again = self._places.characters(span.tokens)
        if again.merged() != mention.span.merged():
            self._inexact(mention, span, again)
        return span

    def surviving(self, relations: tuple[Relation, ...], lost: Collection[str]) -> Iterator[Relation]:
        """Relations without the mentions that were left out; those left with fewer than two are left out too."""
        for relation in relations:
            members = tuple(member for member in relation.members if member not in lost)
            if members == relation.members:
                yield relation
                continue
            gone = ", ".join(member for member in relation.members if member in lost)
            fate = f"loses {gone}" if len(members) > 1 else f"is left out, because {gone} was"
            message = f"@{relation.name} {relation.id} {fate}"
            self._add_finding("relation-of-mention-left-out", "warning", message, relation)
            if len(members) > 1:
                yield relation._replace(members=members)

    def _inexact(self, mention: Mention, span: Span, again: Span) -> None:
        message = f"mention {mention.id!r} at {mention.span} becomes {span}, which stands for {again}"
        self._add_finding("inexact-conversion", "warning", message, mention)

    def _left_out(self, mention: Mention, why: str) -> None:
        message = f"mention {mention.id!r} at {mention.span} {why}; it is left out"
        self._add_finding("mention-without-tokens", "warning", message, mention)

    def _add_finding(self, code: str, level: Severity, message: str, item: Mention | Relation) -> None:
        self.findings.append(self._document.finding(code, level, message, item.line, item.id))


def _ambiguous_ids(documents: Iterable[Document], path: str) -> Iterator[Finding]:
    """Ids that are plain numbers (``48,49``) look like offsets to whoever reads the file next."""
    spans = (mention.span for document in documents for mention in document.mentions)
    if any(len(span.tokens) > 1 and all(map(str.isdecimal, span.tokens)) for span in spans):
        message = "the token ids are plain numbers, which can be taken for offsets"
        hint = "score and validate the new file with --unit token"
        yield Finding("ambiguous-token-ids", "warning", message, Location(path), hint=hint)
