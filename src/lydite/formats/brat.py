"""brat standoff: annotation beside a text, one line each, told apart by the first letter of the id.

::

    T1 <TAB> Conflict_Attack 10 18 <TAB> attacked
    T2 <TAB> Conflict_Attack 30 33;40 47 <TAB> set on fire
    E1 <TAB> Conflict_Attack:T1 Agent:T5
    E2 <TAB> Conflict_Attack:T2
    A1 <TAB> Realis E1 Actual
    R1 <TAB> Coreference Arg1:E1 Arg2:E2

Every event (``E``) is a mention with the type, segments and text of its trigger (``T``).  Of attributes (``A``, ``M``)
only ``Realis`` is read, and the last one of an event counts; of relations (``R``) the names of arguments are dropped.
Links of ``Coreference`` are closed to clusters.  Other lines, notes included, are not read.  Offsets count characters,
the end is exclusive, and a discontinuous annotation has several segments.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from lydite.errors import Finding, Location
from lydite.escaping import counted
from lydite.formats.base import Format, Options, corpus_of, text_option
from lydite.formats.lists import read_label_map
from lydite.formats.names import MISSPELT, is_misspelt
from lydite.formats.source import Source, SourcePart, parts_by_document, without_suffix
from lydite.formats.text import text_of
from lydite.formats.texts import text_beside
from lydite.formats.token_spans import natural_key, token_tables, with_tokens
from lydite.grouping import closure, grouped
from lydite.model import Corpus, Document, LazyDocuments, Mention, Relation, Span
from lydite.model.argument import EVENTS_LAYER, REALIS, Event, EventArgument
from lydite.model.document import Facts
from lydite.model.mention import COREFERENCE, NOT_ANNOTATED, SYSTEM_LAYER
from lydite.numerals import NATURAL

EXTENSION = ".ann"
NO_TEXT = "-"
SYSTEM = "brat_conversion"

_SEGMENT = f"{NATURAL} {NATURAL}"
_SEGMENTS = re.compile(rf"{_SEGMENT}(?:;{_SEGMENT})*")
_FIRST_LINE = re.compile(rb"(?:\xef\xbb\xbf)?(?:[TEAMRN]\d+\t|\*\t|#\d*\t)")


class TextBound(NamedTuple):
    """One ``T`` line: a type at one or more segments of the text; ``line`` is its 1-based number."""

    id: str
    type: str
    ranges: tuple[tuple[int, int], ...]
    text: str
    line: int


class TextBounds(NamedTuple):
    """The text-bound annotations of a file in its order, with findings for malformed ones."""

    items: tuple[TextBound, ...]
    findings: tuple[Finding, ...]


def recognise(head: bytes) -> bool:
    """Whether the first line begins with an id such as ``T1`` and a tab."""
    return _FIRST_LINE.match(head) is not None


def read_text_bounds(part: SourcePart) -> TextBounds:
    """The ``T`` lines of a file.  Raises :class:`~lydite.errors.FormatError` if it is not text at all."""
    items: list[TextBound] = []
    findings: list[Finding] = []
    for number, line in _lines(part):
        if line.startswith("T"):
            found = _parse_text_bound(line, number)
            if isinstance(found, TextBound):
                items.append(found)
            else:
                findings.append(_malformed_finding(found, Location(part.path, number)))
    return TextBounds(tuple(items), tuple(findings))


def _lines(part: SourcePart) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text_of(part).split("\n"), 1):
        yield number, line.removesuffix("\r")


def _parse_text_bound(line: str, number: int) -> TextBound | str:
    """The annotation, or a description of what was found instead.  Its text may be missing, or hold tabs."""
    name, *columns = line.split("\t", 2)
    type_, _, places = columns[0].partition(" ") if columns else ("", "", "")
    if not type_ or _SEGMENTS.fullmatch(places) is None:
        return repr(line)
    ranges = []
    for segment in places.split(";"):
        begin, _, end = segment.partition(" ")
        if int(begin) >= int(end):
            return f"the segment '{segment}', which is empty"
        ranges.append((int(begin), int(end)))
    return TextBound(name, type_, tuple(ranges), columns[1] if len(columns) > 1 else NO_TEXT, number)


def _malformed_finding(found: str, location: Location) -> Finding:
    message = f"expected an id, a tab, a type and 'begin end' segments joined by ';', found {found}"
    hint = "brat writes T1<TAB>Type 10 18<TAB>text"
    return Finding("bad-text-bound", "error", message, location, hint=hint)


# -------------------------------------------------------------------------------------------------- events


def read(source: Source, options: Options) -> Corpus:
    """The corpus in a brat file, a folder or an archive of them: one document per file, named without ``.ann``.

    Under ``unit = token`` spans become the ids of the tokens in ``tokens`` (a folder of token tables) that cover a
    segment or are covered by one; a mention without tokens is dropped, with a finding.  ``label-map`` renames types.
    """
    if options.get("text-bounds") == "triples":
        from lydite.formats import brat_triples

        return brat_triples.read(source, options)
    parts, findings = parts_by_document(source, doc_id_of)
    bounds = options.get("text-bounds") == "spans"
    if not bounds and not any(_pattern_matches(rb"^E\d+\t", parts.values())):
        count = sum(1 for _ in _pattern_matches(rb"^T\d+\t", parts.values()))
        if count:
            message = f"{counted(count, 'text-bound annotation')} (T) and no event (E): nothing here is scored as an event"
            hint = "score them as labelled spans: lydite score spans GOLD SYSTEM"
            no_event = Finding("only-text-bounds", "warning", message, Location(source.path), hint=hint)
            findings = (*findings, no_event)
    tables = token_tables(options)
    labels = read_label_map(text_option(options, "label-map")) if options.get("label-map") else {}

    def load(doc_id: str) -> Document:
        document = _read_lines(parts[doc_id], doc_id, labels).document()
        if bounds:
            return document._replace(mentions=_spans(parts[doc_id], labels), relations=(), layers={})
        return _with_clusters(with_tokens(document, tables))

    documents = LazyDocuments(tuple(parts), load)
    has_realis = any(_pattern_matches(rb"^[AM][^\t\n]*\tRealis ", parts.values()))
    facts: Facts = {
        "unit": "char" if tables is None else "token",
        "relations": relation_names(parts.values()),
        "attributes": ["type", "realis"] if has_realis else ["type"],
        "folder": len(parts) > 1,
    }
    return corpus_of(source, "brat", documents, findings=findings, facts=facts)


def doc_id_of(name: str) -> str:
    """The document that a file is about: its name without ``.gz`` and the suffix of annotation."""
    return without_suffix(name).removesuffix(EXTENSION)


def relation_names(parts: Iterable[SourcePart]) -> list[str]:
    """The names of the relations (``R`` lines) of files."""
    found = _pattern_matches(rb"^R[^\t\n]*\t(\S+)", parts)
    return sorted({name.decode("utf-8", "replace") for name in found})


def _pattern_matches(pattern: bytes, parts: Iterable[SourcePart]) -> Iterator[bytes]:
    """The matches of a pattern (anchored at line beginnings) in the bytes of the files."""
    return (found for part in parts for found in re.findall(pattern, part.read_bytes(), re.MULTILINE))


def _spans(part: SourcePart, labels: Mapping[str, str]) -> tuple[Mention, ...]:
    """Every text-bound annotation as a mention of its own."""
    return tuple(
        Mention(one.id, Span(one.ranges), one.text, labels.get(one.type, one.type), line=one.line)
        for one in read_text_bounds(part).items
    )


def task_of(head: bytes) -> str | None:
    """The task ``spans`` if there are text-bound annotations and no event."""
    if re.search(rb"^E\d+\t", head, re.MULTILINE) is None and re.search(rb"^T\d+\t", head, re.MULTILINE):
        return "spans"
    return None


class Annotation(NamedTuple):
    """The lines of one file by kind."""

    bounds: Mapping[str, TextBound]
    events: Mapping[str, tuple[int, Sequence[str]]]
    """By id: the number of the line, and its words: type and trigger first, then roles and fillers."""
    links: Sequence[tuple[str, str, Sequence[str], int]]
    """Name, id, members, and the number of the line."""
    findings: Sequence[Finding]


def read_annotation(part: SourcePart, doc_id: str) -> Annotation:
    """The lines of one file."""
    return _read_lines(part, doc_id, {}).annotation()


def _read_lines(part: SourcePart, doc_id: str, labels: Mapping[str, str]) -> _Reader:
    reader = _Reader(part, doc_id, labels)
    for number, line in _lines(part):
        reader.read_line(number, line)
    return reader


_COLUMNS = {"T": 3, "E": 2, "A": 2, "M": 2, "R": 2, "*": 2, "N": 3, "#": 3}
"""The largest number of columns of the lines of each kind."""
_REALIS = {name.lower() for name in REALIS}
_CONTROL_CHARACTER = re.compile("[\0-\x08\x0a-\x1f\x7f]")
_FILLER_NUMBER = re.compile("[2-9]|[1-9][0-9]+")
"""The numbers that brat appends to the roles of further fillers: from 2 on."""


def _is_annotation(line: str) -> bool:
    """Whether a line begins with an id of a known kind and has no more columns than that kind."""
    columns = line.rstrip("\t").split("\t")
    name, most = columns[0], _COLUMNS.get(line[:1], 0)
    plain = name == "*" or name[1:].isalnum()
    return plain and 2 <= len(columns) <= most and not _CONTROL_CHARACTER.search(line)


class _Reader:
    """Collects the lines of one file by kind, and makes a document of them at the end: brat allows any order."""

    def __init__(self, part: SourcePart, doc_id: str, labels: Mapping[str, str]) -> None:
        self._part, self._doc_id, self._labels = part, doc_id, labels
        self._bounds: dict[str, TextBound] = {}
        self._events: dict[str, tuple[int, list[str]]] = {}
        self._realis: dict[str, tuple[str, int]] = {}
        self._links: list[tuple[str, str, list[str], int]] = []
        self._findings: list[Finding] = []

    def read_line(self, number: int, line: str) -> None:
        kind = line[:1]
        name, *columns = line.split("\t", 2)
        if line.strip() and not _is_annotation(line) and (columns or kind != "T"):
            message = f"expected a line of brat with {_COLUMNS.get(kind, 2)} columns, found {line!r:.60}"
            hint = "T1<TAB>Type 10 18<TAB>text, E1<TAB>Type:T1 Role:T2; lines end at LF"
            place = Location(self._part.path, number)
            odd_line = Finding("odd-annotation-line", "error", message, place, self._doc_id, hint=hint)
            self._findings.append(odd_line)
            if not columns:
                return
        words = columns[0].split() if columns else []
        if kind == "T":
            self._read_text_bound(line, number)
        elif kind == "E":
            self._check_new_id(name, self._events, number)
            self._events[name] = number, words
        elif kind in {"A", "M"}:
            self._read_attribute(name, words, number)
        elif kind == "R":
            if len(words) < 3:
                message = f"expected a name and two arguments, found {' '.join(words)!r}"
                self._add_finding("bad-relation", message, number)
            else:
                ends = [word.rpartition(":")[2] for word in words[1:]]
                self._links.append((words[0], name, ends, number))

    def _read_text_bound(self, line: str, number: int) -> None:
        found = _parse_text_bound(line, number)
        if isinstance(found, TextBound):
            self._check_new_id(found.id, self._bounds, number)
            self._bounds[found.id] = found
        else:
            self._findings.append(_malformed_finding(found, Location(self._part.path, number)))

    def _check_new_id(self, name: str, known: Container[str], number: int) -> None:
        if name in known:
            message = f"{name} occurs twice in this file; the last one counts"
            self._add_finding("duplicate-mention-id", message, number, name)

    def _read_attribute(self, name: str, words: Sequence[str], number: int) -> None:
        if len(words) > 2 and words[0] == "Realis":
            self._realis[words[1]] = words[2], number
        elif len(words) < 2 or words[0] == "Realis":
            message = f"expected a name, an event and, for Realis, a value, found {' '.join(words)!r:.60}"
            self._add_finding("bad-attribute", message, number, name)
        elif is_misspelt(words[0].lower(), "realis") and {word.lower() for word in words[2:]} & _REALIS:
            message = f"expected the attribute Realis, found {words[0]!r}; its content is not read"
            self._add_finding(MISSPELT, message, number, name)

    def annotation(self) -> Annotation:
        return Annotation(self._bounds, self._events, self._links, tuple(self._findings))

    def document(self) -> Document:
        """The document; links of coreference are not yet joined to clusters."""
        mentions, events = [], []
        roles = {word.rpartition(":")[0] for _, words in self._events.values() for word in words[1:]}
        for event_id in sorted(self._events, key=natural_key):
            mention = self._mention(event_id)
            if mention is not None:
                mentions.append(mention)
                events.append(self._event(event_id, mention, roles))
        known = {mention.id for mention in mentions}
        for name in sorted(self._realis.keys() - self._events.keys(), key=natural_key):
            message = f"Realis of {name}, which is not an event of this file; it is dropped"
            self._add_finding("bad-attribute", message, self._realis[name][1], name)
        return Document(
            self._doc_id,
            mentions=tuple(mentions),
            relations=tuple(self._relations(known)),
            path=self._part.path,
            text=text_beside(doc_id_of(self._part.path)),
            layers={EVENTS_LAYER: tuple(events), SYSTEM_LAYER: SYSTEM},
            findings=tuple(self._findings),
        )

    def _mention(self, event_id: str) -> Mention | None:
        number, words = self._events[event_id]
        bound = self._bounds.get(words[0].rpartition(":")[2]) if words else None
        if bound is None:
            found = " ".join(words) or "nothing"
            message = (
                f"event {event_id}: expected Type:T<n> with a known trigger, found {found!r}; it is dropped"
            )
            self._add_finding("unknown-annotation", message, number, event_id)
            return None
        if (written_type := words[0].rpartition(":")[0]) != bound.type:
            message = f"event {event_id} has the type {written_type!r}, its trigger {bound.id} has {bound.type!r}, which counts"
            self._add_finding("trigger-of-other-type", message, number, event_id)
        type_ = self._labels.get(bound.type, bound.type)
        realis = self._realis.get(event_id, (NOT_ANNOTATED,))[0]
        return Mention(event_id, Span(bound.ranges), bound.text, type_, realis, line=number)

    def _event(self, event_id: str, mention: Mention, roles: Container[str]) -> Event:
        """The event of a mention, with its arguments; an event that fills a role stands for its trigger."""
        arguments = []
        for word in self._events[event_id][1][1:]:
            role, _, filler = word.rpartition(":")
            if filler in self._events:
                words = self._events[filler][1]
                filler = words[0].rpartition(":")[2] if words else filler
            if filler in self._bounds:
                bound = self._bounds[filler]
                arguments.append(EventArgument(unnumbered(role, roles), bound.ranges, text=bound.text))
            else:
                message = f"argument {word!r} of {event_id} refers to nothing in this file; it is dropped"
                self._add_finding("unknown-annotation", message, mention.line, event_id)
        return Event.at(mention, tuple(arguments))

    def _relations(self, known: set[str]) -> Iterator[Relation]:
        for name, relation_id, members, number in self._links:
            missing = [member for member in members if member not in known]
            if missing:
                message = f"{name} {relation_id} names {', '.join(missing)}, which is not an event of this file; it is dropped"
                self._add_finding("unknown-annotation", message, number, relation_id)
            else:
                yield Relation(name, relation_id, tuple(members), number)

    def _add_finding(self, code: str, message: str, line: int, item: str | None = None) -> None:
        place = Location(self._part.path, line)
        self._findings.append(Finding(code, "warning", message, place, self._doc_id, item))


def unnumbered(role: str, roles: Container[str]) -> str:
    """The role without the number that brat appends for further fillers: Target, Target2, Target3.

    A number belongs to the name of the role unless the file has the role without it: ARG0, ARG1 and ARG2 are three roles.
    """
    for digits in (3, 2, 1):  # Target22 is the last of many Targets before it is a second Target2
        if _FILLER_NUMBER.fullmatch(role[-digits:]) and role[:-digits] in roles:
            return role[:-digits]
    return role


def _with_clusters(document: Document) -> Document:
    """Links of coreference closed to clusters C0, C1, …; of members with the same span the first one stays."""
    links = [relation for relation in document.relations if relation.name == COREFERENCE]
    if not links:
        return document
    spans = {mention.id: str(mention.span) for mention in document.mentions}
    findings = list(document.findings)
    clusters = []
    for number, (_, members) in enumerate(closure(link.members for link in links)):
        first: dict[str, str] = {}
        for member in sorted(members, key=natural_key):
            kept = first.setdefault(spans[member], member)
            if kept != member:
                message = f"{member} corefers with {kept}, which has the same span; only {kept} stays in the cluster"
                code, line = "same-span-in-cluster", links[0].line
                findings.append(document.finding(code, "warning", message, line, member))
        kept_members = tuple(member for member in members if first[spans[member]] == member)
        clusters.append(Relation(COREFERENCE, f"C{number}", kept_members, links[0].line))
    others = [relation for relation in document.relations if relation.name != COREFERENCE]
    return document._replace(relations=(*others, *clusters), findings=tuple(findings))


# -------------------------------------------------------------------------------------------------- writing


def write(corpus: Corpus) -> bytes:
    """The one document of a corpus as brat lines: trigger and event of each mention, realis, arguments, links.

    Ids that brat allows are kept, others are numbered anew.  A cluster becomes links between neighbours in the order
    of the text.  A segment with line breaks inside is cut there, as brat wants it, where the text is known.
    """
    lines = (line for document in corpus.documents.values() for line in _Writer(document).lines())
    return "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogateescape")


class _Writer:
    """The lines of one document: triggers and fillers T, events E, attributes A, links R."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._mentions = [mention for mention in document.mentions if mention.span.ranges]
        self._names = _usable_ids("E", [mention.id for mention in self._mentions])
        self._bounds: list[str] = []
        self._events: list[str] = []
        self._attributes: list[str] = []
        self._links: list[str] = []

    def lines(self) -> list[str]:
        events = self._document.layers.get(EVENTS_LAYER, ())
        # Several events may share a type and a trigger; their mentions take the arguments in turn.
        arguments = grouped(((event.type, event.trigger), event.arguments) for event in events)
        for position, mention in enumerate(self._mentions):
            remaining = arguments.get((mention.type, tuple(mention.span.ranges)))
            self._add_mention(mention, self._names[position], remaining.pop(0) if remaining else ())
        self._add_links()
        return [*self._bounds, *self._events, *self._attributes, *self._links]

    def _add_mention(self, mention: Mention, name: str, arguments: Sequence[EventArgument]) -> None:
        trigger = self._add_text_bound(mention.type, mention.span.ranges, mention.text)
        roles: dict[str, int] = {}
        words = [f"{_name(mention.type)}:{trigger}"]
        for argument in arguments:
            if not argument.span:
                continue  # brat cannot hold words without a place
            roles[argument.role] = roles.get(argument.role, 0) + 1
            number = "" if roles[argument.role] == 1 else str(roles[argument.role])
            filler = self._add_text_bound("Argument", argument.span, argument.text)
            words.append(f"{_name(argument.role)}{number}:{filler}")
        self._events.append(f"{name}\t{' '.join(words)}")
        if mention.realis and mention.realis != NOT_ANNOTATED:
            self._attributes.append(f"A{len(self._attributes) + 1}\tRealis {name} {_name(mention.realis)}")

    def _add_text_bound(self, type_: str, ranges: Sequence[tuple[int, int]], text: str) -> str:
        name = f"T{len(self._bounds) + 1}"
        document_text = self._document.text
        pieces = [piece for begin, end in ranges for piece in _without_breaks(begin, end, document_text)]
        if not text and document_text is not None:
            text = " ".join(document_text[begin:end] for begin, end in pieces)
        one_line = " ".join(text.split()) or NO_TEXT
        segments = ";".join(f"{begin} {end}" for begin, end in pieces)
        self._bounds.append(f"{name}\t{_name(type_)} {segments}\t{one_line}")
        return name

    def _add_links(self) -> None:
        names: dict[str, str] = {}
        places: dict[str, tuple[tuple[int, int], int]] = {}
        for position, mention in enumerate(self._mentions):
            names.setdefault(mention.id, self._names[position])
            places.setdefault(mention.id, (mention.span.ranges[0], position))
        plain = [relation for relation in self._document.relations if relation.name != COREFERENCE]
        binary = [one for one in plain if len(one.members) == 2 and names.keys() >= {*one.members}]
        link_ids = _usable_ids("R", [relation.id for relation in binary])
        for name, relation in zip(link_ids, binary, strict=True):
            self._add_link(name, relation.name, [names[member] for member in relation.members])
        number = max((int(name[1:]) for name in link_ids), default=0)
        for relation in self._document.relations:
            if relation.name == COREFERENCE:
                members = (member for member in relation.members if member in names)
                for first, second in pairwise(sorted(members, key=places.__getitem__)):
                    number += 1
                    self._add_link(f"R{number}", COREFERENCE, [names[first], names[second]])

    def _add_link(self, name: str, relation: str, members: Sequence[str]) -> None:
        arguments = " ".join(f"Arg{place}:{member}" for place, member in enumerate(members, 1))
        self._links.append(f"{name}\t{_name(relation)} {arguments}")


def _usable_ids(letter: str, ids: Sequence[str]) -> list[str]:
    """The ids, if brat allows all of them and they differ; else new ones, numbered from 1."""
    if len(set(ids)) == len(ids) and all(map(re.compile(rf"{letter}[0-9]+").fullmatch, ids)):
        return list(ids)
    return [f"{letter}{number}" for number in range(1, len(ids) + 1)]


def _name(text: str) -> str:
    """A name that brat can hold: ``_`` stands for white space, for a colon, and for an empty name."""
    return "".join("_" if sign.isspace() or sign == ":" else sign for sign in text) or "_"


def _without_breaks(begin: int, end: int, text: str | None) -> Iterator[tuple[int, int]]:
    if text is None or end > len(text):
        yield begin, end
        return
    found = list(re.finditer(r"[^\r\n]+", text[begin:end]))
    yield from ((begin + piece.start(), begin + piece.end()) for piece in found)
    if not found:
        yield begin, end


BRAT = Format(
    name="brat",
    title="brat standoff",
    extensions=(EXTENSION,),
    tasks=("nugget", "arguments", "spans", "triples"),
    task_of=task_of,
    recognise=recognise,
    read=read,
    write=write,
    layers=("mentions", "events"),
    also_read=("triples",),
    called_after_file=True,
    units=("char",),
)
