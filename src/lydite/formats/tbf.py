"""TBF, the token-based format of the event nugget evaluations: mentions and relations, document by document.

::

    #BeginOfDocument doc1
    system <TAB> doc1 <TAB> E1 <TAB> 10,18 <TAB> attacked <TAB> Conflict_Attack <TAB> Actual [<TAB> confidences]
    @Coreference <TAB> C1 <TAB> E1,E4
    #EndOfDocument

A span is ``begin,end`` segments joined by ``;`` (character unit, end exclusive) or token ids joined by ``,``.

Reading goes in two steps.  :func:`_index` finds the headers and footers and remembers where each document lies;
:func:`_parse_block` reads one document when it is asked for.  The file is read as bytes; lines end at LF alone, and
ASCII white space around a line is dropped, exactly as the official scorers do.  What they tolerate in silence
(a missing footer, a repeated document) leaves a finding; the profile and the reading mode say how severe it is.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import islice, repeat
from json import JSONDecoder
from sys import intern
from typing import BinaryIO, NamedTuple

from lydite.errors import Finding, Location, Severity
from lydite.escaping import counted
from lydite.formats.base import Format, Options, corpus_of, text_option
from lydite.formats.document_places import DocumentPlaces
from lydite.formats.source import BlockReader, Source, SourcePart, marked_lines
from lydite.formats.text import encoding_finding
from lydite.model import (
    EMPTY_SPAN,
    Bounds,
    Corpus,
    Document,
    LazyDocuments,
    LazyMentions,
    Mention,
    MentionColumns,
    Relation,
    Span,
)
from lydite.model.document import NO_LAYERS, Facts, Layers
from lydite.model.mention import ALL, NOT_ANNOTATED, RELATIONS, SYSTEM_LAYER, WRITTEN_LAYER
from lydite.model.packed import PackedTexts
from lydite.numerals import TOO_LARGE, is_natural

HEADER, _FOOTER = b"#BeginOfDocument", b"#EndOfDocument"
_MARK = b"OfDocument"
"""What headers and footers have in common."""
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
WHITE_SPACE = " \t\r\v\f"
_WHITE_BYTES = b" \t\r\v\f"
COLUMNS = ("system", "document", "mention", "span", "text", "type", "realis")


class _Block(NamedTuple):
    """The bytes between two footers: one document, if a header named it."""

    part: SourcePart
    start: int
    end: int
    line: int
    header_line: int
    """Of the last header before the footer: the one that names the document."""
    first_header_line: int
    """Of the first header inside the block; 0 if there is none: the document before is closed twice."""


_FIRST_SPANS = 200
"""How many spans tell the unit of a source."""


class _Index:
    """Where each document of the source lies, with findings about headers and footers."""

    def __init__(self) -> None:
        self.blocks: DocumentPlaces[_Block] = DocumentPlaces(_Block)
        self.findings: list[Finding] = []
        self.lines_outside: list[Finding] = []
        """For each file, the lines at its end that are in no document; dropped if the source has no document at all."""
        self.first_header: tuple[Location, str] | None = None
        self.relations: set[str] = set()
        self.first_spans: list[str] = []

    def see(self, data: bytes) -> None:
        """Note the names of relations in these lines, and the first spans."""
        _find_relation_names(self, data)
        if len(self.first_spans) < _FIRST_SPANS:
            rows = (line.split(b"\t") for line in data.split(b"\n") if line[:1] not in {b"#", b"@"})
            spans = (_decode(columns[3]) for columns in rows if len(columns) >= len(COLUMNS))
            self.first_spans.extend(islice(spans, _FIRST_SPANS - len(self.first_spans)))


def read(source: Source, options: Options) -> Corpus:
    """The corpus in a TBF file (or all TBF files of a folder or archive), each document read when it is needed.

    ``options["unit"]`` is ``char``, ``token`` or ``auto``; with ``auto`` the first span of the file decides.
    ``options["reading"]``: under ``as-official`` a byte-order mark hides the first header, as it does for the
    official scorers, and ``options["tokens"]`` mean the token unit; otherwise the mark is skipped.
    """
    official = options.get("reading") == "as-official"
    index = _Index()
    for part in source.parts:
        with part.open() as stream:
            _index_part(part, stream, index, official=official)
    index.findings += index.lines_outside if any(index.blocks) else [_no_document(source, index)]
    spans = index.first_spans if len(index.blocks) else []
    share = sum(_character_span(text) is not None for text in spans) / len(spans) if spans else None
    unit: str | None = text_option(options, "unit", "auto")
    if unit == "auto":
        if official and options.get("tokens"):
            unit = "token"
        elif share is None:
            unit = None
        else:
            # Token ids that are plain numbers (48,49) look like offsets; then only the user or a token table can tell.
            unit = "char" if share >= 1 / 2 else "token"
    elif unit == "token" and share == 1:
        message = "every span is a pair of numbers, as offsets are, and its two numbers are read as token ids"
        hint = "if they are offsets, choose a profile of the character unit, or --unit char"
        odd = Finding("offsets-as-tokens", "warning", message, Location(source.path), hint=hint)
        index.findings.append(odd)
    facts: Facts = {"relations": sorted(index.relations)}
    if unit is not None:
        facts["unit"] = unit
    load = partial(_load, index.blocks, BlockReader(), unit or "char", skip_mark=not official)
    return corpus_of(source, "tbf", LazyDocuments(index.blocks, load), findings=index.findings, facts=facts)


# --------------------------------------------------------------------------------------------- headers, footers


def _index_part(part: SourcePart, stream: BinaryIO, index: _Index, *, official: bool) -> None:
    """Find the headers and footers of one file."""
    frame = _DocumentMarks(part, index)
    if stream.read(len(BYTE_ORDER_MARK)) == BYTE_ORDER_MARK:
        message, place = "the file begins with a byte-order mark", Location(part.path, 1, 1)
        hint = "save it as UTF-8 without byte-order mark"
        index.findings.append(Finding("byte-order-mark", "warning", message, place, hint=hint))
    stream.seek(0)
    for offset, line, content in marked_lines(stream, _MARK, index.see):
        mark = (content if offset or official else content.removeprefix(BYTE_ORDER_MARK)).strip(_WHITE_BYTES)
        if mark.startswith(HEADER):
            frame.open_document(line, mark.removeprefix(HEADER))
        elif mark.startswith(_FOOTER):
            frame.close_document(offset, offset + len(content) + 1, line)
    frame.end_of_file(stream)


def _find_relation_names(index: _Index, data: bytes) -> None:
    """Add the names of relations that are new to the index, by a look behind each ``@``."""
    missing = {name.encode(): name for name in RELATIONS if name not in index.relations}
    place = data.find(b"@")
    while missing and place >= 0:
        name = data[place + 1 : place + _RELATION_NAME_END].lstrip(_WHITE_BYTES).partition(b"\t")[0]
        line_start = data.rfind(b"\n", 0, place) + 1
        if name in missing and not data[line_start:place].strip(_WHITE_BYTES):
            index.relations.add(missing.pop(name))
        place = data.find(b"@", place + 1)


_RELATION_NAME_END = 64
"""How far behind ``@`` the name of a relation may end: blanks may stand before it."""


_HEADER_HINT = "every document begins with a line '#BeginOfDocument <id>'"


class _DocumentMarks:
    """The headers and footers of one file, as the official scorers understand them.

    A footer closes what was collected since the last footer, under the id of the last header; a header does not
    reset the collection.  Before any header the id is empty.
    """

    def __init__(self, part: SourcePart, index: _Index) -> None:
        self.part, self.index = part, index
        self.doc_id = ""
        self.start, self.start_line = 0, 1
        self.header_line = 0
        self.first_header_line = 0
        self.is_open = False

    def open_document(self, line: int, name: bytes) -> None:
        doc_id = _decode(name).strip(WHITE_SPACE)
        if self.is_open:
            message = f"document {self.doc_id!r} is not closed before the next header (line {line})"
            hint = "add a line #EndOfDocument after its last line"
            self._add_finding("missing-footer", self.header_line, message, hint)
        if self.index.first_header is None:
            self.index.first_header = Location(self.part.path, line), doc_id
        self.doc_id, self.header_line, self.is_open = doc_id, line, True
        self.first_header_line = self.first_header_line or line

    def close_document(self, offset: int, following: int, line: int) -> None:
        doc_id, blocks = self.doc_id, self.index.blocks
        if not self.header_line:
            message = (
                "a document is closed that no header opened; it counts as the document with the empty id"
            )
            self._add_finding("missing-header", line, message, _HEADER_HINT)
        elif not doc_id and self.is_open:
            message = "a header without an id opens the document with the empty id"
            self._add_finding("missing-header", self.header_line, message, _HEADER_HINT)
        if doc_id in blocks:
            if self.is_open:
                message = f"document {doc_id!r} occurs twice; only its last block counts"
                hint = "give every document one block"
                self._add_finding("repeated-document", self.header_line, message, hint)
            # A document keeps the place of its last block.
            del blocks[doc_id]
        lines = self.start_line, self.header_line, self.first_header_line
        blocks[doc_id] = _Block(self.part, self.start, offset, *lines)
        self.is_open, self.first_header_line = False, 0
        self.start, self.start_line = following, line + 1

    def end_of_file(self, stream: BinaryIO) -> None:
        if self.is_open:
            message = f"document {self.doc_id!r} is not closed: the file ends without #EndOfDocument"
            hint = "is the file cut off? add the footer if it is complete"
            self._add_finding("missing-footer", self.header_line, message, hint)
            return
        stream.seek(self.start)
        for line, content in enumerate(stream, self.start_line):
            if content.strip(_WHITE_BYTES + b"\n")[:1] not in {b"", b"#"}:
                message = "the lines from here to the end of the file are in no document: they are lost"
                place = Location(self.part.path, line)
                lines_outside = Finding("missing-header", "warning", message, place, hint=_HEADER_HINT)
                self.index.lines_outside.append(lines_outside)
                return

    def _add_finding(self, code: str, line: int, message: str, hint: str | None) -> None:
        place = Location(self.part.path, line)
        self.index.findings.append(Finding(code, "warning", message, place, self.doc_id or None, hint=hint))


def _no_document(source: Source, index: _Index) -> Finding:
    location, doc_id = index.first_header or (Location(source.parts[0].path, 1), "")
    message = "no document with an id is opened and closed in this file"
    hint = "a document is a block from '#BeginOfDocument <id>' to '#EndOfDocument'; is this a TBF file?"
    head = source.parts[0].head()
    if not head.strip():
        message = "the file is empty: no document is opened and closed in it"
    elif b"\r" in head and b"\n" not in head:
        hint = "its lines end with CR alone, as those of old Macs do: save it with LF or CR LF"
    return Finding("no-document", "error", message, location, doc_id or None, hint=hint)


# -------------------------------------------------------------------------------------------------- one document


def _load(
    blocks: Mapping[str, _Block], files: BlockReader, unit: str, doc_id: str, *, skip_mark: bool
) -> Document:
    block = blocks[doc_id]
    # The bytes get no name here, so that the parser can free them when it has decoded them.
    return _parse_block(doc_id, block, _read(block, files, skip_mark=skip_mark), unit)


def _read(block: _Block, files: BlockReader, *, skip_mark: bool) -> bytes:
    data = files.read(block.part, block.start, block.end)
    return data.removeprefix(BYTE_ORDER_MARK) if skip_mark and block.start == 0 else data


def _decode(data: bytes) -> str:
    # Lossless: what is not UTF-8 comes back as it was; only types and realis are interpreted, and there only ASCII.
    return data.decode("utf-8", "surrogateescape")


def _parse_block(doc_id: str, block: _Block, data: bytes, unit: str) -> Document:
    """One document: every line other than a header, footer or comment is a mention or, after ``@``, a relation."""
    report = _DocumentFindings(block.part.path, doc_id)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        if broken := encoding_finding(block.part.path, data, block.line):
            report.findings.append(broken._replace(severity="warning", document=doc_id))
        text = _decode(data)
    lines = text.split("\n")
    has_relations = "@" in text
    # A document may be large: its bytes and its text are freed before its table is made.
    del data, text
    kept = [line for raw in lines if (line := raw.strip(WHITE_SPACE)) and line[0] not in "#@"]
    numbers = _line_numbers(lines, kept, block.line)
    table = _Table.of_many(kept)
    if table is None:
        kept, numbers = report.complete_rows(kept, numbers)
        table = _Table.of_many(kept, padded=True) or _Table()
    if table.rest and not _are_confidences(table.rest):
        report.odd_confidences(table.rest, numbers)
    relations = _parse_relations(lines, block.line, report, numbers) if has_relations else []
    bounds = _plain_bounds(table.spans) if unit == "char" else None
    if unit == "char" and bounds is None:
        report.odd_spans(table.spans, numbers, kept)
    if doc_id and table.documents.count(doc_id) != len(kept):
        for number, named in zip(numbers, table.documents, strict=True):
            if named != doc_id:
                message = f"the second column says document {named!r}, the header says {doc_id!r}"
                report.add("document-column-mismatch", number, message, hint="the header decides")
    report.check_header_and_footer(block, numbers, relations, footer_line=block.line + len(lines) - 1)
    layers: Layers = {SYSTEM_LAYER: table.systems[0]} if kept else NO_LAYERS
    if kept and unit == "token":
        # Spans do not say all that the lines say.
        layers = {**layers, WRITTEN_LAYER: partial(_written_lines, table)}
    if unit == "char" and len(kept) > _LINES_AT_ONCE:
        # These names, one in every line, are not needed any more, and very many take much memory.
        table = table._replace(systems=(), documents=())
    return Document(
        doc_id=doc_id,
        mentions=LazyMentions(_columns(table, bounds, unit), partial(_mentions, table, numbers)),
        relations=tuple(relations),
        path=block.part.path,
        line=block.header_line,
        layers=layers,
        findings=tuple(report.findings),
        content=partial(_content, table, relations),
    )


def _written_lines(table: _Table) -> list[str]:
    columns = table if table.rest else table[: len(COLUMNS)]
    return ["\t".join(row).rstrip("\t") for row in zip(*columns, strict=True)]


def _line_numbers(lines: list[str], kept: list[str], first_line: int) -> Sequence[int]:
    """The numbers of the mention lines; mostly they are a run behind the header, and then no list is needed."""
    if lines[1 : 1 + len(kept)] == kept:
        return range(first_line + 1, first_line + 1 + len(kept))
    return [
        number
        for number, raw in enumerate(lines, first_line)
        if (line := raw.strip(WHITE_SPACE)) and line[0] not in "#@"
    ]


Column = Sequence[str]

_NUMBER = r"[-+]?(?:[0-9]++\.?+[0-9]*+|\.[0-9]++)(?:[eE][-+]?+[0-9]++)?+"
_CONFIDENCE = rf"(?:{_NUMBER}(?:\t{_NUMBER}){{0,2}}+)?+"
_CONFIDENCES = re.compile(rf"{_CONFIDENCE}(?:\n{_CONFIDENCE})*+")
"""Up to three numbers behind the realis of every line; possessive, because backtracking would never help."""


def _are_confidences(rest: Column) -> bool:
    # In pieces: the expression keeps some hundred bytes for each line that it matches at once.
    pieces = (rest[start : start + _LINES_AT_ONCE] for start in range(0, len(rest), _LINES_AT_ONCE))
    # Each cell once: systems have few different confidences, and a set takes a seventh of the expression's time.
    return all(_CONFIDENCES.fullmatch("\n".join(set(piece))) for piece in pieces)


class _Table(NamedTuple):
    """The mention lines of a document, column by column, as they are written."""

    systems: Column = ()
    documents: Column = ()
    ids: Column = ()
    spans: Column = ()
    texts: Column = ()
    types: Column = ()
    realis: Column = ()
    rest: Column = ()
    """The columns behind these, confidences, not split; empty for a line without any, ``()`` if no line has any."""

    @classmethod
    def of(cls, lines: Sequence[str], *, padded: bool = False) -> _Table | None:
        """The table of these lines; None if one is too narrow, or if some have confidences and others have none.

        ``padded`` gives every line the column of confidences.
        """
        rows: Iterable[list[str]] = map(str.split, lines, repeat("\t"), repeat(len(COLUMNS)))
        if padded:
            rows = ([*row, ""][: len(COLUMNS) + 1] for row in rows)
        try:
            columns = tuple(zip(*rows, strict=True))
        except ValueError:
            return None
        if len(columns) < len(COLUMNS):
            return None if lines else cls()
        return cls(*columns)

    @classmethod
    def of_many(cls, lines: Sequence[str], *, padded: bool = False) -> _Table | None:
        """As :meth:`of`, piece by piece if there are many lines.

        Then equal names are one string and other columns are packed: otherwise a document of a million mentions would
        hold millions of strings.
        """
        if len(lines) <= _LINES_AT_ONCE:
            return cls.of(lines, padded=padded)
        known: dict[str, str] = {}
        columns: list[list[str] | PackedTexts] = []
        for start in range(0, len(lines), _LINES_AT_ONCE):
            piece = cls.of(lines[start : start + _LINES_AT_ONCE], padded=padded)
            if piece is None or (start and bool(piece.rest) != bool(columns[-1])):
                return None
            columns = columns or [
                [] if name in _COLUMNS_OF_NAMES else PackedTexts(_LINES_AT_ONCE) for name in cls._fields
            ]
            for name, column, cells in zip(cls._fields, columns, piece, strict=True):
                if name in _COLUMNS_OF_NAMES:
                    if cells.count(cells[0]) == len(cells):  # mostly the name of the system
                        column.extend([known.setdefault(cells[0], cells[0])] * len(cells))
                    else:
                        column.extend([*map(known.setdefault, cells, cells)])
                elif cells:
                    column.extend(cells)
        return cls(*columns)

    @property
    def confidences(self) -> Iterable[tuple[str, ...]]:
        """The confidences of each mention."""
        if not self.rest:
            return [()] * len(self.ids)
        if "" in self.rest:
            return [tuple(cells.split("\t")) if cells else () for cells in self.rest]
        return map(tuple, map(str.split, self.rest, repeat("\t")))


_LINES_AT_ONCE = 1 << 10
_COLUMNS_OF_NAMES = frozenset({"systems", "documents", "types", "realis"})
"""The columns in which few names stand in many cells."""


def _content(table: _Table, relations: list[Relation]) -> Iterator[str]:
    """The content of a document for its hash, in pieces: the columns that are read, in a normal form."""
    gap = ""
    for start in range(0, len(table.ids), _LINES_AT_ONCE):
        rows = zip(*[column[start : start + _LINES_AT_ONCE] for column in table[2:7]], strict=True)
        yield gap + "\n".join(map("\t".join, rows))
        gap = "\n"
    if relations:
        yield gap + "\n".join(f"@{relation.name}\t{','.join(relation.members)}" for relation in relations)


_DIGITS = b"0123456789"


_read_numbers = JSONDecoder().raw_decode
"""Many numbers at once: twice as fast as splitting and converting them one by one."""


def _plain_bounds(written: Column) -> Bounds | None:
    """Begin and end of spans if all of them are of the form ``begin,end``, checked all at once; else None."""
    if not written:
        return Bounds((), ())
    joined = ";".join(written)
    if not joined.isascii() or joined.encode().translate(None, _DIGITS) != b",;" * (len(written) - 1) + b",":
        return None
    try:
        numbers, _ = _read_numbers(f"[{joined.replace(';', ',')}]")
    except ValueError:  # a number without digits, one that begins with 0, or one with thousands of digits
        return None
    # Checked by their sum: if that is small, each of them is.
    if sum(numbers) >= TOO_LARGE:
        return None
    if len(written) > _LINES_AT_ONCE:
        return Bounds(array("q", numbers[::2]), array("q", numbers[1::2]))
    return Bounds(numbers[::2], numbers[1::2])


def _columns(table: _Table, bounds: Bounds | None, unit: str) -> MentionColumns:
    """Ids, spans, types and realis of a table."""
    spans = None if bounds is not None else partial(_spans, table.spans, unit)
    return MentionColumns(table.ids, table.types, table.realis, bounds=bounds, spans=spans)


def _spans(written: Column, unit: str) -> list[Span]:
    if unit == "token":
        return list(map(_token_span, written))
    return [_character_span(span) or EMPTY_SPAN for span in written]


def _mentions(
    table: _Table, numbers: Sequence[int], columns: MentionColumns, part: slice
) -> tuple[Mention, ...]:
    """The mentions of a part of a table whose columns were read."""
    if part != ALL:
        table = _Table(*(column[part] for column in table))
        columns, numbers = columns[part], numbers[part]
    values = columns.spans, table.texts, columns.types, columns.realis, table.confidences
    rows = zip(table.ids, *values, numbers, strict=True)
    # What Mention(...) does, without a Python-level call for each of many.
    return tuple(map(tuple.__new__, repeat(Mention), rows))


@lru_cache(maxsize=1 << 14)
def _character_span(text: str) -> Span | None:
    """``begin,end`` segments joined by ``;``, end exclusive; None if one is not a pair of whole numbers.

    Blanks around numbers and a sign are fine; further numbers in a segment are ignored.
    """
    ranges = []
    for segment in text.split(";"):
        numbers = segment.split(",")
        if len(numbers) < 2 or not (_is_integer(numbers[0]) and _is_integer(numbers[1])):
            return None
        ranges.append((int(numbers[0]), int(numbers[1])))
    return Span(ranges=tuple(ranges))


@lru_cache(maxsize=1 << 14)
def _token_span(text: str) -> Span:
    """Token ids joined by ``,``: opaque names, each counted once."""
    return Span(tokens=tuple(dict.fromkeys(map(intern, text.split(",")))))


_RELATION_SIGNS = {f"@{name}": name for name in RELATIONS}


def _parse_relations(
    lines: list[str], first_line: int, report: _DocumentFindings, mention_lines: Sequence[int]
) -> list[Relation]:
    # No relation stands in a run of mentions behind the header.
    start = 1 + len(mention_lines) if isinstance(mention_lines, range) and "@" not in lines[0] else 0
    relations = []
    make = tuple.__new__  # what Relation(...) does, without a Python-level call for each of many
    for number, raw in enumerate(lines[start:], first_line + start):
        if "@" not in raw:
            continue
        line = raw.strip(WHITE_SPACE)
        if line[0] != "@":
            continue
        columns = line.split("\t")
        name = _RELATION_SIGNS.get(columns[0])
        if name is None:
            columns = line[1:].lstrip(WHITE_SPACE).split("\t")
            name = intern(columns[0])
        if len(columns) == 3 and columns[1].isalnum():
            relations.append(make(Relation, (name, columns[1], tuple(columns[2].split(",")), number)))
        else:
            relations.append(_odd_relation(name, columns, number, report))
    if relations and mention_lines and relations[0].line < mention_lines[0]:
        message = f"@{relations[0].name} stands before the mentions of its document"
        hint = "write relations after all mention lines"
        report.add("relation-before-mentions", relations[0].line, message, hint=hint)
    return relations


def _odd_relation(name: str, columns: list[str], number: int, report: _DocumentFindings) -> Relation:
    """A relation line with other than three columns, or whose id is not plain."""
    relation_id = columns[1] if len(columns) > 1 else ""
    members = tuple(columns[2].split(",")) if len(columns) > 2 else ()
    if len(columns) != 3:
        found = str(len(columns))
        message = f"expected 3 columns (@name, id, members), found {found}"
        hint = "columns are separated by tabs"
        report.add("relation-column-count", number, message, item=found, hint=hint)
    elif relation_id.split() != [relation_id]:
        found = f"{relation_id!r} with white space" if relation_id else "nothing"
        report.add("relation-id-malformed", number, f"expected a relation id, found {found}")
    return Relation(name, relation_id, members, number)


class _DocumentFindings:
    """The findings of one document while it is read."""

    def __init__(self, path: str, doc_id: str) -> None:
        self.path, self.doc_id = path, doc_id
        self.findings: list[Finding] = []

    def add(
        self,
        code: str,
        line: int,
        message: str,
        *,
        column: int | None = None,
        item: str | None = None,
        hint: str | None = None,
    ) -> None:
        severity: Severity = "error" if code in _ERRORS else "warning"
        place = Location(self.path, line, column)
        self.findings.append(Finding(code, severity, message, place, self.doc_id, item, hint))

    def check_header_and_footer(
        self, block: _Block, mention_lines: Sequence[int], relations: Sequence[Relation], *, footer_line: int
    ) -> None:
        first = mention_lines[0] if mention_lines else footer_line
        if relations and relations[0].line < first:
            first = relations[0].line
        if not block.header_line:
            return  # the index says so
        if first < (block.first_header_line or footer_line):
            message = f"lines before the header are counted in document {self.doc_id!r}"
            self.add("missing-header", first, message, hint=_HEADER_HINT)
        elif first == footer_line and not block.first_header_line:
            message = (
                f"document {self.doc_id!r} is closed twice: the second #EndOfDocument removes its mentions"
            )
            self.add("repeated-footer", footer_line, message)

    def complete_rows(self, lines: list[str], numbers: Sequence[int]) -> tuple[list[str], Sequence[int]]:
        """The lines that have all columns, with their numbers; a finding for each of the others."""
        kept, complete_numbers = [], []
        for number, line in zip(numbers, lines, strict=True):
            columns = line.split("\t")
            if len(columns) < len(COLUMNS):
                self.too_few_columns(number, columns)
            else:
                kept.append(line)
                complete_numbers.append(number)
        return kept, complete_numbers

    def too_few_columns(self, line: int, columns: list[str]) -> None:
        hint = None
        if len(columns) == 1:
            found = next((name for sign, name in _SEPARATORS.items() if columns[0].count(sign) > 5), "spaces")
            hint = f"columns are separated by tabs, not {found}"
        elif len(columns) == len(COLUMNS) - 1:
            hint = "an empty column at the end of a line is lost with the white space; write the realis"
        message = f"expected {len(COLUMNS)} columns ({', '.join(COLUMNS)}), found {len(columns)}"
        self.add("too-few-columns", line, message, hint=hint)

    def odd_confidences(self, rest: Sequence[str], numbers: Sequence[int]) -> None:
        """A finding for each line with other than confidences at its end; two joined lines look like that too."""
        for number, cells in zip(numbers, rest, strict=True):
            if not _CONFIDENCES.fullmatch(cells):
                found = cells.count("\t") + 1
                message = f"expected up to 3 confidences behind the realis, found {counted(found, 'column')}: {cells!r:.60}"
                hint = "was a line end lost?" if found >= len(COLUMNS) - 1 else None
                code = "lines-joined" if found >= len(COLUMNS) - 1 else "odd-confidence"
                self.add(code, number, message, hint=hint)

    def odd_spans(self, written: Sequence[str], numbers: Sequence[int], lines: list[str]) -> None:
        for number, span, line in zip(numbers, written, lines, strict=True):
            if _character_span(span) is None or span.count(",") > span.count(";") + 1:
                column = sum(len(part) + 1 for part in line.split("\t")[:3]) + 1
                segments = span.split(";")
                unreadable = (segment for segment in segments if _character_span(segment) is None)
                longest = max(segments, key=lambda segment: segment.count(","))
                self._odd_segment(number, next(unreadable, longest), column)

    def _odd_segment(self, line: int, segment: str, column: int) -> None:
        numbers = segment.split(",")
        hint = None
        if not all(_is_integer(number) for number in numbers[:2]):
            code, message = "span-not-integer", f"expected whole numbers as 'begin,end', found {segment!r}"
            hint = "token ids need a token-unit run: --unit token" if segment[:1].isalpha() else None
        elif len(numbers) < 2:
            code, message = "span-not-a-pair", f"expected a segment 'begin,end', found {segment!r}"
        else:
            code = "span-more-than-a-pair"
            message = f"expected a segment 'begin,end', found {segment!r}: the further numbers are not read"
            hint = "segments are joined by ';'; token ids need a token-unit run: --unit token"
        self.add(code, line, message, column=column, hint=hint)


_SEPARATORS = {";": "semicolons", ",": "commas", "|": "bars"}
_ERRORS = frozenset(
    {"too-few-columns", "lines-joined", "span-not-integer", "span-not-a-pair", "relation-column-count"}
)
"""Findings of lines that cannot be read; the others are warnings."""


def _is_integer(text: str) -> bool:
    digits = text.strip(WHITE_SPACE)
    digits = digits[1:] if digits[:1] in {"-", "+"} else digits
    return is_natural(digits)


# ------------------------------------------------------------------------------------------------------ writing


def write(corpus: Corpus) -> bytes:
    """The corpus as a TBF file; the first column is the one that was read, else the name of the corpus."""
    documents = corpus.documents.values()
    return b"".join(_document_bytes(one.layers.get(SYSTEM_LAYER, corpus.name), one) for one in documents)


def _document_bytes(system: str, document: Document) -> bytes:
    lines = [f"#BeginOfDocument {document.doc_id}"]
    name = _one_cell(system).strip(WHITE_SPACE)
    # The line of a name that is empty or begins with # or @ would lose a column, or be a comment or a relation.
    name = f"_{name}" if name[:1] in {"", "#", "@"} else name
    for mention in document.mentions:
        columns = (
            name,
            document.doc_id,
            mention.id,
            # A mention without a place keeps its line, at a span that nothing can be paired with.
            str(mention.span) or "0,0",
            mention.text,
            # An empty column at the end of a line would be lost with the white space.
            mention.type or NOT_ANNOTATED,
            mention.realis if _one_cell(mention.realis).strip(WHITE_SPACE) else NOT_ANNOTATED,
            *mention.confidences,
        )
        lines.append("\t".join(map(_one_cell, columns)))
    rows = ((f"@{one.name}", one.id, ",".join(one.members)) for one in document.relations)
    lines.extend("\t".join(map(_one_cell, row)) for row in rows)
    lines.append("#EndOfDocument\n")
    return "\n".join(lines).encode("utf-8", "surrogateescape")


_BREAKS = str.maketrans("\t\n\r", "   ")


def _one_cell(text: str) -> str:
    """The text with blanks for tabs and line breaks, so that it stays in its cell."""
    return text.translate(_BREAKS)


def recognise(head: bytes) -> bool:
    """Whether one of the first lines is a header."""
    lines = head.removeprefix(BYTE_ORDER_MARK).split(b"\n")
    return any(line.strip(_WHITE_BYTES).startswith(HEADER) for line in lines)


TBF = Format(
    name="tbf",
    title="TBF, token-based format",
    extensions=(".tbf",),
    tasks=("nugget",),
    recognise=recognise,
    read=read,
    write=write,
    in_lines=True,
    layers=("mentions",),
    units=("char", "token"),
    holds_many=True,
)
