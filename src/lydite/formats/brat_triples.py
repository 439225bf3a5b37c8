"""brat standoff as triples.

A ``T`` line is a unary triple with its type for relation, an ``R`` line a binary one from its first argument to its
second, and every argument of an ``E`` line one from the trigger to the argument, with the role, without the number of a
further filler, for relation.  An argument that is an event stands for its trigger.

The ids of an element are the positions of its characters (``c12``), white space left out; with ``text``, a file of KAF or
NAF or a folder of them, those of the tokens that share a character with it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

from lydite.errors import Location, UsageError, refuse
from lydite.formats.base import Options, text_option
from lydite.formats.brat import (
    NO_TEXT,
    Annotation,
    TextBound,
    doc_id_of,
    read_annotation,
    relation_names,
    unnumbered,
)
from lydite.formats.naf import file_for, id_under
from lydite.formats.safe_xml import attributes, closed_elements
from lydite.formats.source import Source, SourcePart, open_file
from lydite.formats.texts import text_beside
from lydite.formats.token_spans import natural_key
from lydite.formats.triples import ConversionReport, corpus_of_parts
from lydite.model import Corpus, Document
from lydite.model.triple import Triple, TripleElement
from lydite.numerals import is_natural

MOST_CHARACTERS = 1 << 20
"""The largest size of an annotation: each of its characters becomes an id."""


def read(source: Source, settings: Options) -> Corpus:
    """One document of triples for each file."""
    corpus = corpus_of_parts(source, "brat", lambda part: _document(part, settings))
    return replace(corpus, facts={**corpus.facts, "relations": relation_names(source.parts)})


def _document(part: SourcePart, settings: Options) -> Document:
    annotation = read_annotation(part, part.name)
    report = ConversionReport(part)
    reader = _Reader(part, annotation, report, _tokens_for(part, settings))
    document = report.document(reader.triples(), settings)
    return document._replace(findings=(*annotation.findings, *document.findings))


class _Token(NamedTuple):
    """A token of a text: the characters from ``begin`` to ``end``, and its id."""

    begin: int
    end: int
    id: str


def _tokens_for(part: SourcePart, settings: Options) -> list[_Token] | None:
    """The tokens of the document in their order; None if no file with them is given for it."""
    given = text_option(settings, "text") if settings.get("text") else None
    path = None if given is None else file_for(given, part.name)
    if path is None:
        return None
    tokens = [
        _Token(int(begin), int(begin) + int(size), name)
        for values in map(attributes, closed_elements(open_file(path), "wf"))
        if is_natural(begin := values.get("offset", ""))
        and is_natural(size := values.get("length", ""))
        and (name := id_under(values, "wid"))
    ]
    if not tokens:
        message = f"{path}: expected tokens (wf) with id, offset and length, found none"
        raise UsageError(message, hint="without --text characters are the ids")
    return sorted(tokens)


class _Reader:
    """Turns the annotation of one file into triples, and counts what makes none."""

    def __init__(
        self, part: SourcePart, annotation: Annotation, report: ConversionReport, tokens: list[_Token] | None
    ) -> None:
        self._annotation, self._report, self._tokens = annotation, report, tokens
        self._begins = [token.begin for token in tokens or ()]
        self._longest = max((token.end - token.begin for token in tokens or ()), default=0)
        text = text_beside(doc_id_of(part.path))
        self._elements: Mapping[str, TripleElement] = {
            name: TripleElement(
                self._element_ids(bound, text, part), bound.type, "" if bound.text == NO_TEXT else bound.text
            )
            for name, bound in annotation.bounds.items()
        }

    def _element_ids(self, bound: TextBound, text: str | None, part: SourcePart) -> tuple[str, ...]:
        if self._tokens is not None:
            shared = (
                token.id
                for begin, end in bound.ranges
                # From the first token that can reach the range, given the length of the longest token.
                for token in self._tokens[
                    bisect_right(self._begins, begin - self._longest) : bisect_left(self._begins, end)
                ]
                if begin < token.end
            )
            return tuple(dict.fromkeys(shared))
        if sum(end - begin for begin, end in bound.ranges) > MOST_CHARACTERS:
            message = f"expected segments of at most {MOST_CHARACTERS} characters in all, found more"
            raise refuse(Location(part.path, bound.line), "bad-text-bound", message)
        white_space = _white_space(bound, text)
        places = (at for begin, end in bound.ranges for at in range(begin, end) if at not in white_space)
        return tuple(dict.fromkeys(f"c{at}" for at in places))

    def triples(self) -> Iterator[Triple]:
        """The triples of text-bound annotations, then of relations, then of events."""
        for name, bound in self._annotation.bounds.items():
            yield Triple(bound.type, self._elements[name]._replace(label=""), id=name)
        for relation, name, members, _ in self._annotation.links:
            first, second, *more = members
            if more:
                self._report.add("bad-relation", "further arguments of relations", name)
            yield from self._binary_triple(name, relation, first, second)
        events = self._annotation.events
        roles = {word.rpartition(":")[0] for _, words in events.values() for word in words[1:]}
        for name in sorted(events, key=natural_key):
            for word in events[name][1][1:]:
                role, _, filler = word.rpartition(":")
                yield from self._binary_triple(name, unnumbered(role, roles), name, filler)

    def _binary_triple(self, name: str, relation: str, first_id: str, second_id: str) -> Iterator[Triple]:
        elements = []
        for end in (first_id, second_id):
            _, words = self._annotation.events.get(end, (0, ()))
            elements.append(self._elements.get(words[0].rpartition(":")[2] if words else end))
        first, second = elements
        if first is None or second is None:
            self._report.add("unknown-annotation", "triples of what the file does not hold", name)
        else:
            yield Triple(relation, first, second, id=name)


def _white_space(bound: TextBound, text: str | None) -> set[int]:
    """The positions of white space, by the text, or else by the text of the annotation if it has the same length."""
    if text is not None:
        inside = (at for begin, end in bound.ranges for at in range(begin, min(end, len(text))))
        return {at for at in inside if text[at].isspace()}
    places = [at for begin, end in bound.ranges for at in (*range(begin, end), -1)][:-1]
    if len(places) != len(bound.text):
        return set()
    return {at for at, character in zip(places, bound.text, strict=True) if character.isspace()}
