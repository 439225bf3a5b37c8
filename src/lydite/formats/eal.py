"""Event-argument stores: system output (11 columns), assessments (18 columns), linking files.

Readers keep everything that a validator reports.  A line that makes no argument is kept as :class:`BrokenRow`; each
:class:`Problem` of a line says for which side it counts, because the rules for system output and for assessments differ.
Nothing is repaired, and in assessments nothing is stripped silently.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, count, repeat
from sys import intern
from typing import Any

from lydite.errors import Finding, Location
from lydite.escaping import counted, short
from lydite.formats.base import Format, Options
from lydite.formats.source import Source, refuse_line_break
from lydite.formats.store import Member, Store, is_clutter, open_store
from lydite.formats.text import SAVE_AS_UTF_8
from lydite.model import Corpus, Document, LazyDocuments
from lydite.model.argument import (
    ACCEPTABLE,
    REALIS,
    Argument,
    ArgumentRow,
    Assessment,
    Frame,
    PartialArgument,
    Range,
    highest,
    identifier_2014,
    identifier_2015,
)
from lydite.model.argument_lines import (
    AS_NUMBER,
    LAYER,
    NO_LINES,
    ArgumentLines,
    BrokenRow,
    Problem,
    lines_of,
)
from lydite.numerals import MOST_DIGITS, NATURAL

OFFICIAL = "official"
"""Marks a problem that the official program does not have."""
UNASSESSED = "UNANNOTATED"
NIL = "NIL"
JUDGED = ("event type", "role", "canonical string", "base filler", "coreference id", "realis", "mention type")

# Lines

_LINE_END = re.compile("\r\n|\n|\r")
_LINE_BREAK = re.compile("[\t\r\n]")
"""Characters that become one blank each in a canonical string."""
_SPAN = re.compile(f"({NATURAL})-({NATURAL})")
_INTEGER = re.compile(r"-?[0-9]+")
_CONFIDENCE = re.compile(r"\+?(?:[0-9]++\.?[0-9]*+|\.[0-9]++)(?:[eE][+-]?[0-9]++)?")
_PLAIN_LINES = re.compile(r"^(-?[0-9]{1,9})\t(.+)\t(0\.[0-9]+|1\.0)$", re.MULTILINE)
"""Lines that end in LF and whose first and last column are certainly sound: an integer of 32 bits and a confidence."""
_REALIS = {value.upper(): value for value in REALIS}


def split_lines(text: str) -> list[str]:
    """The lines, which end in LF, CR LF or CR alone: forum text holds other separators."""
    return _LINE_END.split(text) if "\r" in text else text.split("\n")


def parse_integer(text: str) -> int | None:
    """A signed 32-bit integer in ASCII digits, or None."""
    if len(text) > 24 or _INTEGER.fullmatch(text) is None:
        return None
    value = int(text)
    return value if -(2**31) <= value < 2**31 else None


def parse_confidence(text: str) -> float | None:
    """A confidence: ASCII digits with or without a point, an exponent perhaps, no minus sign, in [0, 1]."""
    if text == "1.0":
        return 1.0  # the confidence in all lines of assessments
    if _CONFIDENCE.fullmatch(text) is None:
        return None
    value = float(text)
    return value if 0 <= value <= 1 else None


_HEXADECIMAL = re.compile(r"\+?0[xX](?:[0-9a-fA-F]++\.?[0-9a-fA-F]*+|\.[0-9a-fA-F]++)[pP][+-]?[0-9]++")


def official_confidence(text: str) -> float | None:
    """A spelling of a confidence that only the official program accepts: hexadecimal, or with a final f or d."""
    body = text[:-1] if text[-1:] in {"f", "F", "d", "D"} else text
    if _HEXADECIMAL.fullmatch(body):
        try:
            value = float.fromhex(body)
        except OverflowError:
            return None
        return value if 0 <= value <= 1 else None
    return parse_confidence(body) if body != text else None


def parse_realis(text: str) -> str | None:
    """A realis value in any letter case."""
    return _REALIS.get(text.upper())


def _one_of(*values: str) -> Callable[[str], str | None]:
    return {value: value for value in values}.get


_JUDGEMENTS: tuple[tuple[int, Callable[[str], str | None], str], ...] = (
    *((column, _one_of("C", "W", "I"), "C, W, I") for column in (12, 13, 14, 15)),
    (17, parse_realis, "Actual, Generic, Other"),
    (18, _one_of("NAME", "NOMINAL"), "NAME, NOMINAL"),
)
"""The columns of judgements except the coreference id: number, parser, and the values for messages."""


class _BadSpan(Exception):  # noqa: N818 - carries a problem, is none
    def __init__(self, code: str, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.code, self.message, self.hint = code, message, hint


def _parse_span(text: str) -> Range:
    first, _, last = text.partition("-")
    if not (first.isdigit() and last.isdigit() and text.isascii() and len(first) <= MOST_DIGITS >= len(last)):
        if "," in text and all(_SPAN.fullmatch(part.strip()) for part in text.split(",")):
            hint = "this column takes a single span"
            raise _BadSpan("span-syntax", f"expected one span, found {text!r}", hint)
        message = f"expected start-end, found {short(text, 40)!r}"
        raise _BadSpan("span-syntax", message, "both offsets are inclusive, in digits: 164-173")
    begin, end = int(first), int(last)
    if end < begin:
        raise _BadSpan("span-order", f"the span {text} ends before it starts")
    return begin, end + 1


def _parse_spans(text: str) -> tuple[Range, ...]:
    if "," not in text:
        return (_parse_span(text.strip(" ")),)
    return tuple(sorted({_parse_span(part.strip(" ")) for part in text.split(",")}))


def _parse_justification(text: str) -> tuple[Range, ...]:
    hint = "give at least one span"
    if text == NIL:
        raise _BadSpan("empty-justification", "the predicate justification may not be NIL", hint)
    if not text:
        raise _BadSpan("empty-set", "the predicate justification is empty", hint)
    return _parse_spans(text)


def _parse_additional(text: str) -> tuple[Range, ...]:
    if text == NIL:
        return ()
    if not text:
        raise _BadSpan("empty-set", "an empty set of spans is written NIL, found an empty column")
    return _parse_spans(text)


_SPAN_COLUMNS: tuple[tuple[int, Callable[[str], object]], ...] = (
    (6, _parse_span),
    (7, _parse_justification),
    (8, _parse_span),
    (9, _parse_additional),
)


def _parse_span_columns(columns: Iterable[tuple[str, ...]]) -> list[list[object]] | None:
    """The spans in columns 6 to 9; None if one of them is wrong, or holds a blank."""
    known: dict[Callable[[str], object], dict[str, object]] = {}
    places = []
    for column, (_, parse) in zip(columns, _SPAN_COLUMNS, strict=True):
        if any(" " in text for text in column):
            return None
        spans = known.setdefault(parse, {})
        try:
            spans.update([(text, parse(text)) for text in {*column}.difference(spans)])
        except _BadSpan:
            return None
        places.append([spans[text] for text in column])
    return places


@lru_cache(maxsize=1)
def _known_arguments(doc_id: str) -> dict[str, Argument]:
    """The sound arguments of the document that is read now, by their columns as text.

    Assessors and systems have the same lines, and documents are the outer loop, so that each line is parsed once.
    """
    del doc_id
    return {}


_new_tuple = tuple.__new__
"""Makes a named tuple without its own, slower constructor: there is one for every line of every system."""


class _FileReader:
    """Reads the lines of one document's file."""

    def __init__(self, doc_id: str) -> None:
        self.doc_id = intern(doc_id)
        self.rows: list[ArgumentRow] = []
        self.broken: list[BrokenRow] = []
        self.problems: list[Problem] = []
        self._ids: dict[int | str, int] = {}
        self._known = _known_arguments(self.doc_id)

    def read(self, text: str) -> None:
        if self._read_known_lines(text) if self._known else self._read_assessed_lines(text):
            return
        remark = ""
        for number, line in enumerate(split_lines(text), start=1):
            if not line:
                remark = ""
            elif line[0] == "#":
                remark = line
            else:
                self._read_line(number, line, remark)
                remark = ""

    def _read_known_lines(self, text: str) -> bool:
        """Read system output if all its lines are plain, with columns that were read before; return whether it was."""
        lines = _PLAIN_LINES.findall(text)
        if not lines or len(lines) != text.count("\n") + (text[-1] != "\n") or "\r" in text:
            return False
        ids, columns, confidences = zip(*lines, strict=True)
        arguments = list(map(self._known.get, columns))
        if not all(arguments) or len(set(map(int, ids))) < len(ids):
            return False
        absent = repeat(None)
        rows = zip(arguments, count(1), ids, map(float, confidences), absent, absent, repeat(11), repeat(""))
        self.rows.extend(map(_new_tuple, repeat(ArgumentRow), rows))
        return True

    def _read_assessed_lines(self, text: str) -> bool:
        """Read assessments column by column if nothing is wrong with any line; return whether they were read.

        This takes 5 µs for a line, reading line by line takes 8.
        """
        rows = [line.split("\t") for line in text.removesuffix("\n").split("\n")]
        if {*map(len, rows)} != {18} or "\r" in text or "\n#" in text or text[0] == "#":
            return False
        columns = list(zip(*rows, strict=True))
        ids, doc_ids, types, roles, texts, *spans, realis, confidences = columns[:11]
        plain = {*doc_ids} == {self.doc_id} and {*confidences} == {"1.0"} and all(texts)
        if not plain or any(column != tuple(map(str.strip, column)) for column in columns):
            return False
        claimed, places = list(map(parse_realis, realis)), _parse_span_columns(spans)
        judged = self._parse_judgement_columns(columns[11:])
        if None in claimed or judged is None or places is None:
            return False
        values = zip(repeat(self.doc_id), map(intern, types), map(intern, roles), texts, *places, claimed)
        arguments = list(map(_new_tuple, repeat(Argument), values))
        numbers = range(1, len(rows) + 1)
        lines = zip(arguments, numbers, ids, repeat(1.0), *judged, repeat(18), repeat(""))
        self.rows.extend(map(_new_tuple, repeat(ArgumentRow), lines))
        self.problems.extend(map(_assessed_width, numbers))
        self._known.update(zip(["\t".join(row[1:10]) for row in rows], arguments, strict=True))
        return True

    def _parse_judgement_columns(
        self, columns: Sequence[tuple[str, ...]]
    ) -> tuple[list[Assessment | None], list[int | None]] | None:
        """The assessments and coreference ids in columns 12–18; None if one of them is wrong."""
        *letters, ids, realis, mention_types = columns
        values = list(zip(*letters, realis, mention_types, strict=True))
        problems_before = len(self.problems)
        judged = {one: self._parse_assessment(0, (*one[:4], NIL, *one[4:]))[0] for one in {*values}}
        clusters = {one: parse_integer(one) for one in {*ids} - {"", NIL}}
        if len(self.problems) > problems_before or None in clusters.values():
            del self.problems[problems_before:]
            return None
        return [judged[one] for one in values], list(map(clusters.get, ids))

    def _read_line(self, number: int, line: str, remark: str) -> None:
        raw = line.split("\t")
        columns = list(map(str.strip, raw))
        width = len(columns)
        if width == 18:
            self.problems.append(_assessed_width(number))
        elif width != 11:
            message = _column_count_message(columns, 11)
            self.problems.append(Problem("column-count", number, None, message, "system", item=str(width)))
        if width not in {11, 18}:
            message = _column_count_message(columns, 18)
            self.problems.append(Problem("assessment-columns", number, None, message, "gold"))
        elif width == 18 and raw != columns:
            place = [one == other for one, other in zip(raw, columns, strict=True)].index(False)
            message = f"blanks around {raw[place]!r} were removed; the official program of 2014 keeps them"
            self.problems.append(Problem("padded-column", number, place + 1, message, "gold"))
        if width >= 11:
            self._add_row(number, columns, width, remark)

    def _parse_argument(self, number: int, columns: list[str]) -> Argument | PartialArgument:
        """The argument in columns 2 to 10; it is remembered if its line has no problem."""
        key = "\t".join(columns[1:10])
        if key in self._known:
            return self._known[key]
        problems_before = len(self.problems)
        spans = [self._span(number, column, columns[column - 1], parse) for column, parse in _SPAN_COLUMNS]
        if columns[1] != self.doc_id:
            message = (
                f"expected the document id {self.doc_id!r}, which is the file's name, found {columns[1]!r}"
            )
            self.problems.append(Problem("docid", number, 2, message))
        if not columns[4]:
            self.problems.append(Problem("empty-cas", number, 5, "the canonical argument string is empty"))
        realis = parse_realis(columns[9])
        if realis is None:
            message = f"expected Actual, Generic or Other, found {short(columns[9], 40)!r}"
            self.problems.append(Problem("realis", number, 10, message))
        values = self.doc_id, intern(columns[2]), intern(columns[3]), columns[4], *spans, realis
        if realis is None or None in spans or columns[1] != self.doc_id:
            return _new_tuple(PartialArgument, values)
        argument = _new_tuple(Argument, values)
        if problems_before == len(self.problems):
            self._known[key] = argument
        return argument

    def _add_row(self, number: int, columns: list[str], width: int, remark: str) -> None:
        argument = self._parse_argument(number, columns)
        if width == 11:  # a line of another width has that one problem, and its id is not checked
            self._check_id(number, columns[0])
        confidence = parse_confidence(columns[10])
        if confidence is None:
            confidence = official_confidence(columns[10])
            message = f"expected a decimal number between 0 and 1, found {short(columns[10], 40)!r}"
            item = None if confidence is None else OFFICIAL
            self.problems.append(Problem("confidence", number, 11, message, "system", item=item))
        judged, cluster = self._parse_assessment(number, columns[11:]) if width == 18 else (None, None)
        if isinstance(argument, Argument):
            known_confidence = -1.0 if confidence is None else confidence
            row = argument, number, columns[0], known_confidence, judged, cluster, width, remark
            self.rows.append(_new_tuple(ArgumentRow, row))
        else:
            accepted = judged is not None and judged.accepts_text
            self.broken.append(BrokenRow(number, width, _new_tuple(PartialArgument, argument), accepted))

    def _span(self, number: int, column: int, text: str, parse: Callable[[str], object]) -> Any:
        try:
            spans = parse(text)
        except _BadSpan as bad:
            self.problems.append(Problem(bad.code, number, column, bad.message, hint=bad.hint))
            return None
        if " " in text:
            message = f"blanks in {short(text, 40)!r} were left out; spans are joined by a comma alone"
            self.problems.append(Problem("span-blank", number, column, message))
        return spans

    def _check_id(self, number: int, text: str) -> None:
        value = parse_integer(text)
        if value is None:
            message = f"expected an integer of 32 bits, found {short(text, 40)!r}"
            self.problems.append(Problem("response-id", number, 1, message, "system"))
        first, item = self._ids.setdefault(text, number), None
        if first == number and value is not None:
            first, item = self._ids.setdefault(value, number), AS_NUMBER
        if first != number:
            message = f"the id {short(text, 40)!r} was used on line {first} already"
            self.problems.append(Problem("duplicate-id", number, 1, message, "system", item=item))

    def _parse_assessment(self, number: int, columns: Sequence[str]) -> tuple[Assessment | None, int | None]:
        """The assessment and coreference id in columns 12–18; values are checked first, then rules 1 and 2 of the store."""
        cluster, problems_before = None, len(self.problems)
        if columns[4] not in {"", NIL, UNASSESSED}:
            cluster = parse_integer(columns[4])
            if cluster is None:
                self._add_value_problem(number, 16, columns[4], "an integer of 32 bits, NIL or UNANNOTATED")
        if UNASSESSED in columns:
            return None, cluster
        values: list[str | None] = []
        for (column, parse, expected), text in zip(_JUDGEMENTS, (*columns[:4], *columns[5:]), strict=True):
            value = None if text == NIL else parse(text)
            if value is None and text != NIL:
                self._add_value_problem(number, column, text, f"{expected} or NIL")
            values.append(value)
        assessment = Assessment(*values)
        if problems_before == len(self.problems):
            self._check_consistency(number, assessment)
        return assessment, cluster

    def _add_value_problem(self, number: int, column: int, found: str, expected: str) -> None:
        message = f"{JUDGED[column - 12]}: expected {expected}, found {short(found, 40)!r}"
        self.problems.append(Problem("assessment-value", number, column, message, "gold"))

    def _check_consistency(self, number: int, assessment: Assessment) -> None:
        columns = dict(zip((14, 15, 17, 18), assessment[2:], strict=True))
        missing = [column for column, value in columns.items() if value is None]
        extra = [column for column in columns if column not in missing]
        if assessment.event_type in ACCEPTABLE and assessment.role is None:
            code, column = "assessment-missing", 13
            message = "the event type was accepted, so the role needs a judgement, found NIL"
        elif assessment.accepts_event and missing:
            code, column = "assessment-missing", missing[0]
            message = f"type and role were accepted, so {JUDGED[column - 12]} needs a judgement, found NIL"
        elif not assessment.accepts_event and extra:
            code, column = "assessment-extra", extra[0]
            found = columns[column]
            message = f"type or role were not accepted, so {JUDGED[column - 12]} must be NIL, found {found!r}"
        elif assessment.role is not None and assessment.event_type not in ACCEPTABLE:
            code, column = "judged-role", 13
            message = "the role was judged although the event type was not accepted; it does not count"
        else:
            return
        self.problems.append(Problem(code, number, column, message, "gold"))


def _column_count_message(columns: Sequence[str], needed: int) -> str:
    message = f"{counted(len(columns), 'tab-separated column')}, {needed} needed"
    if len(columns) == 1:
        return f"{message} (columns are separated by tabs, not spaces)"
    if len(columns) == needed - 1:
        return f'{message} (is a tab missing after "{short(columns[0], 20)}"?)'
    if len(columns) == needed + 1 and not columns[-1]:
        return f"{message} (there is a tab at the end of the line)"
    return message


_ASSESSED_WIDTH = _column_count_message(("",) * 18, 11)


def _assessed_width(number: int) -> Problem:
    """The problem that every line of assessments has as system output: 18 columns."""
    return _new_tuple(Problem, ("column-count", number, None, _ASSESSED_WIDTH, "system", None, "18", False))


# Files


def _decode(data: bytes) -> tuple[str, list[Problem], bool]:
    """The text of a file, its problems, and whether it was UTF-8."""
    problems: list[Problem] = []
    if data.startswith(b"\xef\xbb\xbf"):
        data = data[3:]
        message = "the byte-order mark at the start of the file was skipped"
        problems.append(Problem("byte-order-mark", 1, None, message))
    try:
        return data.decode("utf-8"), problems, True
    except UnicodeDecodeError as error:
        line = len(_LINE_END.findall(data[: error.start].decode("latin-1"))) + 1
        message = f"not UTF-8: the byte 0x{data[error.start]:02x} on line {line} belongs to no character"
        problems.append(Problem("encoding", line, None, message, hint=SAVE_AS_UTF_8))
        return data.decode("utf-8", "replace"), problems, False


def parse_file(doc_id: str, data: bytes) -> ArgumentLines:
    """The lines of one document's file; bytes that are not UTF-8 become replacement characters, with a finding."""
    text, problems, readable = _decode(data)
    reader = _FileReader(doc_id)
    reader.problems = problems
    reader.read(text)
    return ArgumentLines(tuple(reader.rows), tuple(reader.broken), tuple(reader.problems), readable=readable)


# Stores

LINKING_FOLDERS = ("arguments", "linking")
_OTHER_FOLDERS = ("corpusLinking",)
_SUFFIXES = (".tab", ".tsv", ".linking")


@dataclass(frozen=True, slots=True)
class ArgumentStore:
    """A store split into its parts: files by document id, findings about the store as a whole."""

    store: Store
    arguments: Mapping[str, Member]
    linking: Mapping[str, Member] | None
    findings: tuple[Finding, ...] = ()
    nested: bool = False

    @property
    def doc_ids(self) -> tuple[str, ...]:
        """The documents that have an argument file, sorted."""
        return tuple(sorted(self.arguments))


def open_argument_store(path: str) -> ArgumentStore:
    """The store at ``path``, of the plain layout or with ``arguments/`` and ``linking/`` inside."""
    store = open_store(path)
    linking_folders = [folder for folder in LINKING_FOLDERS if folder in store.folders]
    # If there are files at the top, one of the two folders alone is a stray folder, not the layout of 2015.
    if not linking_folders or (store.files and len(linking_folders) == 1):
        return ArgumentStore(store, store.files, None, tuple(_store_findings(store, allowed=())))
    findings = list(_store_findings(store, allowed=(*LINKING_FOLDERS, *_OTHER_FOLDERS), linked=True))
    arguments, renamed = without_suffixes(store.inside("arguments"))
    linking, also_renamed = without_suffixes(store.inside("linking"))
    for doc_id in sorted(set(linking) - set(arguments)):
        message = f"the linking file {doc_id!r} belongs to no argument file"
        findings.append(Finding("linking-document", "warning", message, Location(store.path), item=doc_id))
    linked = linking if "linking" in store.folders else None
    return ArgumentStore(store, arguments, linked, (*findings, *renamed, *also_renamed), nested=True)


def without_suffixes(store: Store) -> tuple[dict[str, Member], list[Finding]]:
    """The files of a store by document id, and a warning for each whose name has an ending of later programs."""
    files: dict[str, Member] = {}
    findings: list[Finding] = []
    for name, member in store.files.items():
        base = next((name.removesuffix(suffix) for suffix in _SUFFIXES if name.endswith(suffix)), name)
        place = Location(f"{store.path}/{name}")
        if base in files:
            message = f"document {base!r} has two files (before: {files[base].name!r}); this one is not read"
            hint = "leave one of them: files are named after their document only"
            findings.append(Finding("repeated-document", "error", message, place, base, hint=hint))
        elif base != name:
            message = f"{name!r} was read as document {base!r}; files are named after their document only"
            findings.append(Finding("file-suffix", "warning", message, place))
        files.setdefault(base, member)
    return files, findings


def _outermost_clutter(name: str) -> str | None:
    """The outermost file or folder on a path that is clutter."""
    parts = name.split("/")
    return next(("/".join(parts[:end]) for end, part in enumerate(parts, 1) if is_clutter(part)), None)


def _store_findings(store: Store, *, allowed: tuple[str, ...], linked: bool = False) -> Iterator[Finding]:
    for member in store.members:
        if member.kind == "unsafe":
            message = f"member {member.name!r} {member.why}"
            hint = "pack plain files only, without links and without paths"
            yield Finding("archive-path", "error", message, Location(store.path), item=member.name, hint=hint)
    for folder in store.folders:
        if folder not in allowed and not is_clutter(folder):
            message = f"contains the folder {folder!r}"
            hint = "put the files themselves at the top, without a folder around them"
            yield Finding("subdirectory", "error", message, Location(store.path), item=folder, hint=hint)
    names = (member.name for member in store.members if member.kind != "unsafe")
    for name in dict.fromkeys(filter(None, map(_outermost_clutter, names))):
        message = f"{name!r} is not read: it is hidden, or was put there by the operating system"
        yield Finding("clutter", "warning", message, Location(store.path), item=name)
    for member in store.members:
        if linked and member.kind == "file" and "/" not in member.name and not is_clutter(member.name):
            message = f"{member.name!r} lies beside the folders arguments/ and linking/"
            yield Finding("extra-document", "error", message, Location(store.path), item=member.name)


def read(source: Source, _options: Options) -> Corpus:
    """The corpus of an argument store; documents are read when they are asked for."""
    opened = open_argument_store(source.path)
    return Corpus(
        name=opened.store.name,
        documents=LazyDocuments(opened.doc_ids, _DocumentLoader(source.path, opened)),
        path=source.path,
        format="eal",
        sha256=opened.store.sha256(),
        findings=opened.findings,
        facts={"layout": "linking" if opened.nested else "plain", "folders": list(opened.store.folders)},
    )


class _DocumentLoader:
    """Loads documents of a store; a worker in another process opens the store again."""

    def __init__(self, path: str, opened: ArgumentStore | None = None) -> None:
        self._path, self._opened = path, opened

    def __call__(self, doc_id: str) -> Document:
        if self._opened is None:
            self._opened = open_argument_store(self._path)
        return load_document(self._opened, doc_id)

    def __reduce__(self) -> tuple[type[_DocumentLoader], tuple[str]]:
        return _DocumentLoader, (self._path,)


def load_document(opened: ArgumentStore, doc_id: str) -> Document:
    """One document of a store, with its frames where the store has a linking part."""
    member = opened.arguments.get(doc_id)
    lines = parse_file(doc_id, member.read()) if member is not None else NO_LINES
    if opened.nested:
        lines = replace(lines, nested=True)
    if opened.linking is not None and doc_id in opened.linking:
        lines = with_linking(lines, opened.linking[doc_id].read())
    folder = f"{opened.store.path}/arguments" if opened.nested else opened.store.path
    return Document(doc_id, path=f"{folder}/{doc_id}", layers={LAYER: lines})


def as_in_store(document: Document) -> Document:
    """The document with its arguments and problems as if they were read from a store, if they come from elsewhere.

    Problems of ids and of the number of columns are left out: such a document has none that somebody wrote.
    """
    lines = lines_of(document)
    if not lines.rows or lines.rows[0].line:
        return document
    written = "\n".join(
        "\t".join(
            _LINE_BREAK.sub(" ", cell)
            for cell in (
                *system_columns(row.argument, row.confidence, id_=str(number)),
                *(assessment_columns(row.assessment, row.cluster) if row.width == 18 else ()),
            )
        )
        for number, row in enumerate(lines.rows)
    )
    read = parse_file(document.doc_id, written.encode("utf-8", "surrogatepass"))
    arguments = {row.line: row.argument for row in read.rows}
    numbered = enumerate(lines.rows, 1)
    rows = (row._replace(argument=arguments.get(number, row.argument)) for number, row in numbered)
    known = {(problem.code, problem.column, problem.message) for problem in lines.problems}
    remarks = (
        problem._replace(line=0, message=f"argument {problem.line}: {problem.message}")
        for problem in read.problems
        if problem.item != "18" and (problem.code, problem.column, problem.message) not in known
    )
    layer = replace(lines, rows=tuple(rows), problems=(*lines.problems, *remarks))
    return document._replace(layers={**document.layers, LAYER: layer})


def with_linking(lines: ArgumentLines, data: bytes) -> ArgumentLines:
    """The lines of a document with the frames of its linking file and the ids of its ``INCOMPLETE`` line."""
    text, problems, _ = _decode(data)
    frames: list[Frame] = []
    incomplete: list[tuple[str, ...]] = []
    for number, line in enumerate(split_lines(text), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        members = tuple(dict.fromkeys(part.strip() for part in line.split("\t") if part.strip()))
        if members[0] != INCOMPLETE:
            frames.append(Frame(members, number))
            continue
        if incomplete:
            problems.append(Problem("linking-line", number, None, "a second INCOMPLETE line; one is allowed"))
        incomplete.append(members[1:])
    return replace(
        lines,
        frames=tuple(frames),
        incomplete=tuple(chain.from_iterable(incomplete)),
        linked=True,
        problems=(*lines.problems, *(problem._replace(of_linking=True) for problem in problems)),
    )


# Writing


def span_text(span: Range) -> str:
    """A span as it is written in files: with inclusive end."""
    return f"{span[0]}-{span[1] - 1}"


def spans_text(spans: Sequence[Range]) -> str:
    """A set of spans, ascending; the empty set is ``NIL``."""
    return span_text(spans[0]) if len(spans) == 1 else ",".join(map(span_text, sorted(spans))) or NIL


def confidence_text(value: float) -> str:
    """The shortest decimal that reads back equal, always with a fraction part."""
    from decimal import Decimal

    text = format(Decimal(repr(float(value))), "f")
    return text if "." in text else f"{text}.0"


def system_columns(argument: Argument, confidence: float, *, id_: str | None = None) -> list[str]:
    """The eleven columns of an argument; column 1 is the 2014 identifier unless another is given."""
    name = str(identifier_2014(argument)) if id_ is None else id_
    return [name, *argument_columns(argument), confidence_text(confidence)]


def argument_columns(argument: Argument) -> tuple[str, ...]:
    """Columns 2 to 10: an argument without its id and confidence."""
    doc_id, event_type, role, text, span, justification, filler, additional, realis = argument
    return (
        doc_id,
        event_type,
        role,
        text if text.isprintable() else _LINE_BREAK.sub(" ", text),
        span_text(span),
        spans_text(justification),
        span_text(filler),
        spans_text(additional),
        realis,
    )


def assessment_columns(assessment: Assessment | None, cluster: int | None) -> list[str]:
    """The seven columns of a judgement; of an unassessed line the coreference id alone may be known."""
    if assessment is None:
        columns = [UNASSESSED] * 7
        if cluster is not None:
            columns[4] = str(cluster)
        return columns
    return [NIL if value is None else str(value) for value in (*assessment[:4], cluster, *assessment[4:])]


def write_system_file(arguments: Mapping[Argument, float]) -> bytes:
    """A system file: arguments by ascending identifier, which is their column 1."""
    lines = sorted((identifier_2014(one), one, confidence) for one, confidence in arguments.items())
    return _encode(system_columns(argument, confidence, id_=str(id_)) for id_, argument, confidence in lines)


def write_annotation_file(rows: Iterable[ArgumentRow]) -> bytes:
    """An annotation file: assessed lines first, then the others, each part by ascending identifier.

    A line keeps the comment that stands above it.
    """
    ordered = sorted(
        rows, key=lambda row: (row.assessment is None, identifier_2014(row.argument), row.argument)
    )
    lines: list[Sequence[str]] = []
    for row in ordered:
        if row.remark:
            lines.append(row.remark.split("\t"))
        lines.append([*system_columns(row.argument, 1.0), *assessment_columns(row.assessment, row.cluster)])
    return _encode(lines)


def _encode(rows: Iterable[Sequence[str]]) -> bytes:
    """The bytes of these rows; half of a surrogate pair, which no file can hold, becomes a question mark."""
    rows = [*rows]
    for cell in chain.from_iterable(rows):
        if "\t" in cell or "\n" in cell or "\r" in cell:
            raise refuse_line_break(cell)
    return "".join("\t".join(row) + "\n" for row in rows).encode("utf-8", "replace")


INCOMPLETE = "INCOMPLETE"


def write_linked_files(lines: ArgumentLines) -> dict[str, bytes]:
    """The two files of a document of 2015, by folder: arguments under their own ids, and the frames over these ids.

    Lines keep their order.  An id that no file can hold is replaced by the 2015 identifier, in frames too.  Without a
    linking (``linked`` is false) there is no second file.
    """
    names = {row.id: _writable_id(row) for row in lines.rows}
    judged = _is_annotation(lines.rows)
    files = {
        "arguments": _encode(
            [
                *system_columns(row.argument, row.confidence, id_=_writable_id(row)),
                *(assessment_columns(row.assessment, row.cluster) if judged else ()),
            ]
            for row in lines.rows
        )
    }
    if lines.linked or lines.frames:
        groups = (*(frame.members for frame in lines.frames), lines.incomplete)
        *frames, waiting = (
            [name for member in members if _is_writable(name := names.get(member, member))]
            for members in groups
        )
        files["linking"] = _encode([*filter(None, frames), *([[INCOMPLETE, *waiting]] if waiting else [])])
    return files


def _writable_id(row: ArgumentRow) -> str:
    return row.id if _is_writable(row.id) else identifier_2015(row.argument)


def _is_writable(name: str) -> bool:
    """Whether a linking file can hold an id: no white space around it, no comment, not the word INCOMPLETE."""
    plain = bool(name) and name == name.strip() and not name.startswith("#") and name != INCOMPLETE
    return plain and name.isprintable()


# The format


def _recognise(head: bytes) -> bool:
    for line in head.splitlines():
        if line and not line.startswith(b"#"):
            columns = line.split(b"\t")
            return len(columns) in {11, 18} and re.fullmatch(rb"\s*[0-9]+-[0-9]+\s*", columns[5]) is not None
    return False


def _open(path: str) -> Source:
    """The source without parts: the reader lists the store itself, as it may be empty and hold stray files."""
    return Source(path, ())


def write(corpus: Corpus) -> bytes:
    """The file of one document: an annotation file if a line is one of assessments, else a system file.

    A repeated argument is written once, with its highest confidence.
    """
    rows = [row for document in corpus.documents.values() for row in lines_of(document).rows]
    if _is_annotation(rows):
        return write_annotation_file(rows)
    return write_system_file(highest((row.argument, row.confidence) for row in rows))


def _is_annotation(rows: Iterable[ArgumentRow]) -> bool:
    return any(row.assessment is not None or row.cluster is not None or row.width == 18 for row in rows)


def _folder_writer(corpus: Corpus) -> Callable[[Corpus], Mapping[str, bytes]] | None:
    """The writer of the layout of 2015, if the corpus was read from it or a document has a linking; else None."""
    layout = corpus.facts.get("layout")
    if layout is None:
        every = map(lines_of, corpus.documents.values())
        has_linking = any(lines.linked or lines.nested or lines.frames for lines in every)
        layout = "linked" if has_linking else "plain"
    if layout == "plain":
        return None
    return lambda alone: write_linked_files(lines_of(next(iter(alone.documents.values()))))


EAL = Format(
    name="eal",
    title="event-argument store",
    extensions=(),
    tasks=("arguments",),
    recognise=_recognise,
    read=read,
    write=write,
    open=_open,
    in_lines=True,
    layers=("arguments",),
    folder_writer=_folder_writer,
)
