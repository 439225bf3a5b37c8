"""brat standoff as triples: what an annotation says of a text, taken apart into relations and elements.

A ``T`` line is a unary triple with its type for relation, an ``R`` line a binary one from its first argument to its
second, and every argument of an ``E`` line one from the trigger to the argument, with the role, without the number of a
further filler, for relation.  An argument that is an event stands for its trigger.

The ids of an element are the positions of its characters (``c12``), white space left out; with ``text``, a file of KAF or
NAF or a folder of them, those of the tokens that share a character with it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping

from lydite.errors import Location, UsageError, refuse
from lydite.formats.base import Options, text_option
from lydite.formats.brat import NO_TEXT, Annotation, TextBound, doc_id_of, read_annotation, uncounted
from lydite.formats.naf import file_for, id_under
from lydite.formats.safe_xml import attributes, closed_elements
from lydite.formats.source import Source, SourcePart, open_file
from lydite.formats.texts import text_beside
from lydite.formats.token_spans import natural_key
from lydite.formats.triples import ConversionReport, converted, corpus_of_parts
from lydite.model import Corpus, Document
from lydite.model.triple import Triple, TripleElement
from lydite.numerals import is_natural
from lydite.records import NamedTuple

LONGEST = 1 << 20
"""So many characters an annotation may have: each is an id."""


def read(source: Source, settings: Options) -> Corpus:
    """One document of triples for each file."""
    return corpus_of_parts(source, "brat", lambda part: _document(part, settings))


def _document(part: SourcePart, settings: Options) -> Document:
    annotation = read_annotation(part, part.name)
    report = ConversionReport(part)
    reader = _Reader(part, annotation, report, _tokens_for(part, settings))
    document = converted(part, reader.triples(), report, settings)
    return document._replace(findings=(*annotation.findings, *document.findings))


class _Token(NamedTuple):
    """A token of a text: the characters from ``begin`` to ``end``, and its id."""

    begin: int
    end: int
    id: str


def _tokens_for(part: SourcePart, settings: Options) -> list[_Token] | None:
    """The tokens of the document in their order, where a file of them goes with it."""
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
        raise UsageError(
            f"{path}: expected tokens (wf) with id, offset and length, found none",
            hint="leave --text away: then characters are the ids",
        )
    return sorted(tokens)


class _Reader:
    """The annotation of one file to triples, keeping count of what makes none."""

    def __init__(
        self, part: SourcePart, annotation: Annotation, report: ConversionReport, tokens: list[_Token] | None
    ) -> None:
        self._annotation, self._report, self._tokens = annotation, report, tokens
        self._begins = [token.begin for token in tokens or ()]
        self._longest = max((token.end - token.begin for token in tokens or ()), default=0)
        text = text_beside(doc_id_of(part.path))
        self._elements: Mapping[str, TripleElement] = {
            name: TripleElement(
                self._ids(bound, text, part), bound.type, "" if bound.text == NO_TEXT else bound.text
            )
            for name, bound in annotation.bounds.items()
        }

    def _ids(self, bound: TextBound, text: str | None, part: SourcePart) -> tuple[str, ...]:
        if self._tokens is not None:
            shared = (
                token.id
                for begin, end in bound.ranges
                for token in self._tokens[self._first_near(begin) : bisect_left(self._begins, end)]
                if begin < token.end
            )
            return tuple(dict.fromkeys(shared))
        if sum(end - begin for begin, end in bound.ranges) > LONGEST:
            message = f"expected segments of at most {LONGEST} characters in all, found more"
            raise refuse(Location(part.path, bound.line), "bad-text-bound", message)
        blank = _blanks(bound, text)
        places = (at for begin, end in bound.ranges for at in range(begin, end) if at not in blank)
        return tuple(dict.fromkeys(f"c{at}" for at in places))

    def _first_near(self, begin: int) -> int:
        """The place of the first token that can reach as far as this: no token is longer than the longest."""
        return bisect_right(self._begins, begin - self._longest)

    def triples(self) -> Iterator[Triple]:
        """Those of text-bound annotations, of relations, and of events."""
        for name, bound in self._annotation.bounds.items():
            yield Triple(bound.type, self._elements[name]._replace(label=""), id=name)
        for relation, name, members, _ in self._annotation.links:
            first, second, *more = members
            if more:
                self._report.add("bad-relation", "further arguments of relations", name)
            yield from self._binary(name, relation, first, second)
        events = self._annotation.events
        roles = {word.rpartition(":")[0] for _, words in events.values() for word in words[1:]}
        for name in sorted(events, key=natural_key):
            for word in events[name][1][1:]:
                role, _, filler = word.rpartition(":")
                yield from self._binary(name, uncounted(role, roles), name, filler)

    def _binary(self, name: str, relation: str, first: str, second: str) -> Iterator[Triple]:
        one, other = (self._elements.get(self._place_of(member)) for member in (first, second))
        if one is None or other is None:
            self._report.add("unknown-filler", "triples of what the file does not hold", name)
        else:
            yield Triple(relation, one, other, id=name)

    def _place_of(self, name: str) -> str:
        """The text-bound annotation of that name, or the trigger of the event."""
        _, words = self._annotation.events.get(name, (0, ()))
        return words[0].rpartition(":")[2] if words else name


def _blanks(bound: TextBound, text: str | None) -> set[int]:
    """The positions of white space: in the text, or else in what the annotation says of it, where that has its length."""
    if text is not None:
        return {
            at
            for begin, end in bound.ranges
            for at in range(begin, min(end, len(text)))
            if text[at].isspace()
        }
    places = [at for begin, end in bound.ranges for at in (*range(begin, end), -1)][:-1]
    if len(places) != len(bound.text):
        return set()
    return {at for at, character in zip(places, bound.text, strict=True) if character.isspace()}
