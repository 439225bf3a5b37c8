"""Assessment sheets: the lines of an annotation store with the text that an assessor needs, written and read back.

A sheet is CSV or XLSX.  The assessor fills the seven judgement columns; all others only help.  Lines are read back by
their keys, so columns that a spreadsheet changed (it takes ``10-12`` for a date) do no harm.
"""

from __future__ import annotations

import csv
import io
import os
import re
import zipfile
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from lydite.assess.guidelines import Guidelines
from lydite.assess.stores import OpenedStore, row_per_argument
from lydite.checks import arguments as checks
from lydite.errors import Finding, FormatError, InvalidInput, Location, errors_among
from lydite.escaping import RUNS, counted
from lydite.formats.eal import NIL, UNASSESSED, assessment_columns, parse_file, spans_text, system_columns
from lydite.formats.null_characters import refuse_null
from lydite.formats.text import refuse_many_columns
from lydite.formats.texts import MarkedText, Texts, as_characters, elements
from lydite.model import Document
from lydite.model.argument import Argument, ArgumentRow, Range, identifier_2015
from lydite.model.argument_lines import LAYER, ArgumentLines
from lydite.model.taxonomy import Taxonomy
from lydite.optional_libraries import library
from lydite.resource_limits import hint_to_raise, limit

if TYPE_CHECKING:
    from xlsxwriter.worksheet import Worksheet

_LETTERS = ("C", "I", "W", "NIL")
_CHOICES = {
    **dict.fromkeys(("type", "role", "string", "filler"), _LETTERS),
    "coreference id": (),
    "realis": ("Actual", "Generic", "Other", "NIL"),
    "mention type": ("NAME", "NOMINAL", "NIL"),
}
"""The judgement columns, with the values allowed in each."""
JUDGEMENTS = tuple(f"{name} ({'/'.join(values)})" if values else name for name, values in _CHOICES.items())


class _SheetLine(NamedTuple):
    """What a line of a sheet is made from: an argument, the text of its document if there is one, the taxonomy."""

    argument: Argument
    text: str | None
    taxonomy: Taxonomy

    @property
    def role_meaning(self) -> str:
        role = self.taxonomy.role(self.argument.event_type, self.argument.role)
        return "" if role is None else f"{role.definition} ({', '.join(role.fillers)})"

    @property
    def offsets(self) -> str:
        argument = self.argument
        spans = ((argument.span,), argument.justification, (argument.filler,), argument.additional)
        return " / ".join(map(spans_text, spans))

    def words_at(self, spans: Iterable[Range]) -> str:
        if self.text is None:
            return ""
        return " […] ".join(_plain(self.text[begin:end]) for begin, end in spans)

    def sentences_around(self, spans: Iterable[Range]) -> str:
        if self.text is None:
            return ""
        return " […] ".join(dict.fromkeys(sentence_around(self.text, span) for span in spans))


HELP: Mapping[str, Callable[[_SheetLine], str]] = {
    "key": lambda line: key_of(line.argument),
    "document": lambda line: line.argument.doc_id,
    "event type": lambda line: line.argument.event_type,
    "what the type means": lambda line: line.taxonomy.definitions.get(line.argument.event_type, ""),
    "look twice": lambda line: line.taxonomy.scrutiny.get(line.argument.event_type, ""),
    "role": lambda line: line.argument.role,
    "what the role means": lambda line: line.role_meaning,
    "canonical string": lambda line: line.argument.text,
    "text at its offsets": lambda line: line.words_at([line.argument.span]),
    "base filler": lambda line: line.words_at([line.argument.filler]),
    "justification": lambda line: line.words_at(line.argument.justification),
    "sentences around it": lambda line: line.sentences_around(
        (*line.argument.justification, line.argument.filler)
    ),
    "additional justification": lambda line: line.words_at(line.argument.additional),
    "claimed realis": lambda line: line.argument.realis,
    "what realis values mean": lambda line: "; ".join(map(": ".join, line.taxonomy.realis.items())),
    "dateline or post": lambda line: (
        "" if line.text is None else origin_of(line.text, line.argument.filler[0])
    ),
    "offsets": lambda line: line.offsets,
}
"""The columns that help the assessor, and the functions that make them."""
HEADER = (*HELP, *JUDGEMENTS)


def key_of(argument: Argument) -> str:
    """The key of a line of a sheet, which no spreadsheet takes for a number or a date."""
    return f"r{identifier_2015(argument)[:24]}"


# --------------------------------------------------------------------------------------------------------- text

_LONGEST_CELL = 32767
"""The most characters that a cell of a spreadsheet holds."""
_BLANKS = re.compile(r"\s+")
_TAG = re.compile(r"<[/!?]?[A-Za-z][\w.:-]*(?:\s[^<>]*)?[/?]?>")
"""Markup, and not what stands between a less-than and a greater-than sign."""
_SENTENCE_END = re.compile(rf"[.!?][\"'”’)]*\s+|\n\s*\n|{_TAG.pattern}")
_POST = re.compile(r"<post\b([^<>]*)>", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"(?<![A-Za-z_])([A-Za-z_]++)\s*+=\s*\"([^\"]*)\"")


def _plain(text: str) -> str:
    return as_characters(_BLANKS.sub(" ", _TAG.sub(" ", text)).strip())


def sentence_around(text: str, span: Range) -> str:
    """The sentence or passage around a span: up to the next full stop, empty line or tag on either side."""
    begin, end = 0, len(text)
    for boundary in _SENTENCE_END.finditer(text):
        if boundary.end() <= span[0]:
            begin = boundary.end()
        elif boundary.start() >= span[1] - 1:
            end = boundary.end() if boundary[0][0] in ".!?" else boundary.start()
            break
    return _plain(text[begin:end])


def origin_of(text: str, offset: int) -> str:
    """The dateline of a news story, or author and date of the forum post that the offset lies in."""
    post = _last_part("post", text, offset)
    if post is not None:
        attributes = dict(_ATTRIBUTE.findall(post.content))
        return ", ".join(value for name in ("author", "datetime") if (value := attributes.get(name)))
    poster, date = _last_part("POSTER", text, offset), _last_part("POSTDATE", text, offset)
    if poster is not None or date is not None:
        return ", ".join(_plain(part.content) for part in (poster, date) if part is not None)
    dateline = next(iter(_parts("DATELINE", text)), None)
    return _plain(dateline.content) if dateline else ""


def _last_part(name: str, text: str, offset: int) -> MarkedText | None:
    """The last element, or tag of a post, that begins at the offset or before it."""
    parts = _parts(name, text)
    count = bisect_right(parts, offset, key=lambda part: part.start)
    return parts[count - 1] if count else None


@lru_cache(maxsize=8)
def _parts(name: str, text: str) -> tuple[MarkedText, ...]:
    """All of them in a text, kept because every argument of a document asks for them."""
    if name == "post":
        return tuple(MarkedText(tag.start(), tag.end(), tag[1]) for tag in _POST.finditer(text))
    return tuple(elements(text, name))


# ------------------------------------------------------------------------------------------------------ writing


def sheet_lines(
    store: OpenedStore, taxonomy: Taxonomy, texts: Texts | None = None, *, only_unassessed: bool = False
) -> Iterator[list[str]]:
    """The header, then one line per argument, by document and offsets; without source documents the text columns stay empty."""
    yield list(HEADER)
    for doc_id in store.doc_ids:
        text = texts.text(doc_id) if texts is not None else None
        rows = row_per_argument(store.rows(doc_id)).values()
        for row in sorted(rows, key=lambda row: (row.argument.span, row.argument)):
            if not only_unassessed or row.assessment is None:
                line = _SheetLine(row.argument, text, taxonomy)
                judgements = assessment_columns(row.assessment, row.cluster)
                cells = ("" if cell == UNASSESSED else cell for cell in judgements)
                yield [*(_shortened(column(line)) for column in HELP.values()), *cells]


def _shortened(text: str) -> str:
    """A text that fits into a cell."""
    return text if len(text) <= _LONGEST_CELL else f"{text[: _LONGEST_CELL - 4]} […]"


def write_csv(lines: Iterable[Sequence[str]], _guidelines: Guidelines | None = None) -> bytes:
    """The sheet as CSV, without guidelines.  What a spreadsheet would take for a formula gets a blank before it."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\r\n")
    for line in lines:
        writer.writerow([f" {cell}" if cell.startswith(RUNS) else cell for cell in line])
    # Half a surrogate pair, which an escape of JSON can write, is shown as that escape.
    return stream.getvalue().encode("utf-8-sig", "backslashreplace")


def write_xlsx(
    lines: Iterable[Sequence[str]],
    guidelines: Guidelines | None = None,
    *,
    title: str = "assessment",
    choices: Mapping[int, Sequence[str]] | None = None,
) -> bytes:
    """The sheet as XLSX: text cells, the header frozen, drop-down lists on some columns, guidelines behind it.

    ``choices`` are the lists by column; without them those of the judgements.
    """
    from datetime import datetime

    stream = io.BytesIO()
    plain = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
    book = library("xlsxwriter", "xlsx", "writing XLSX").Workbook(stream, plain)
    # A fixed date makes two runs give the same bytes.
    book.set_properties({"created": datetime(2000, 1, 1, tzinfo=UTC).replace(tzinfo=None)})
    sheet = book.add_worksheet(title)
    bold, wrapped = book.add_format({"bold": True}), book.add_format({"text_wrap": True, "valign": "top"})
    last = 0
    for last, line in enumerate(lines):
        for column, cell in enumerate(line):
            sheet.write_string(last, column, _xml_safe(cell), bold if last == 0 else wrapped)
    sheet.freeze_panes(1, 1)
    lists = choices if choices is not None else dict(enumerate(_CHOICES.values(), start=len(HELP)))
    for position, values in lists.items():
        if values:
            rule = {"validate": "list", "source": list(values)}
            sheet.data_validation(1, position, max(1, last), position, rule)
    if guidelines is not None:
        _write_guidelines(book.add_worksheet("guidelines"), guidelines, bold, wrapped)
    book.close()
    return stream.getvalue()


def _write_guidelines(sheet: Worksheet, guidelines: Guidelines, bold: object, wrapped: object) -> None:
    sheet.set_column(0, 0, 110)
    sheet.write_string(0, 0, f"{guidelines.title}, version {guidelines.version}", bold)
    row = 2
    for heading, guideline in guidelines.with_headings():
        sheet.write_string(row, 0, _xml_safe(heading), bold)
        for row, line in enumerate(guideline.lines(), start=row + 1):  # noqa: B020 - goes on from the heading
            sheet.write_string(row, 0, _xml_safe(line), wrapped)
        row += 2


def _xml_safe(text: str) -> str:
    return without_unsafe(text)[:_LONGEST_CELL]


def without_unsafe(text: str) -> str:
    """A text with a replacement character for every character that no sheet can hold."""
    return re.sub("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]", "\ufffd", text)


WRITERS: Mapping[str, Callable[[Iterable[Sequence[str]], Guidelines | None], bytes]] = {
    "csv": write_csv,
    "xlsx": write_xlsx,
}
"""The functions that write sheets, by the ending of the file name."""


# ------------------------------------------------------------------------------------------------------ reading


def read_table(path: str | os.PathLike[str]) -> list[list[str]]:
    """The cells of a sheet, CSV or XLSX, as text."""
    place = os.fspath(path)
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise _sheet_error(place, None, f"cannot be read: {error.strerror}") from None
    return _read_xlsx(data, place) if place.lower().endswith(".xlsx") else _read_csv(data, place)


def _sheet_error(path: str, line: int | None, message: str, hint: str | None = None) -> FormatError:
    return FormatError([Finding("sheet", "error", message, Location(path, line), hint=hint)])


def _read_csv(data: bytes, place: str) -> list[list[str]]:
    refuse_null(place, data)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise _sheet_error(place, None, "not UTF-8", "save it as CSV UTF-8") from None
    # Some spreadsheets save with semicolons; the header tells.
    delimiter = ";" if text.split("\n", 1)[0].count(";") > text.split("\n", 1)[0].count(",") else ","
    try:
        return [
            [cell.removeprefix("'").strip() for cell in line]
            for line in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
        ]
    except csv.Error as error:
        raise _sheet_error(place, None, f"not a CSV file: {error}") from None


def _read_xlsx(data: bytes, place: str) -> list[list[str]]:
    rows = _first_worksheet(data, place, computed=False)
    formulas = [(at, place) for at, row in enumerate(rows) for place, one in enumerate(row) if one[1] == "f"]
    if formulas:
        rows = _first_worksheet(data, place, computed=True)
    for line, column in formulas:
        if rows[line][column][0] is None:
            message = f"the value of the formula in column {column + 1} is not in the file"
            hint = "write the value itself, or save the file in a spreadsheet program"
            raise _sheet_error(place, line + 1, message, hint)
    return [[_cell_text(value) for value, _ in row] for row in rows]


def _first_worksheet(data: bytes, place: str, *, computed: bool) -> list[list[tuple[object, str]]]:
    """The value and the type of every cell; of a formula (type ``f``) the text, or what was last ``computed`` from it."""
    openpyxl = library("openpyxl", "xlsx", "reading XLSX")
    try:
        _refuse_bomb(data, place)
        sheet = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=computed).worksheets[0]
        # Rows end with their last cell, not with the last column that the file declares.
        sheet.reset_dimensions()
        return [
            [(cell.value, cell.data_type) for cell in row] for row in _few_cells(sheet.iter_rows(), place)
        ]
    except FormatError:
        raise
    except Exception as error:  # noqa: BLE001 - the library answers damage with whatever it stumbles over
        raise _sheet_error(place, None, f"not an XLSX file: {error}") from None


Row = TypeVar("Row", bound=Sequence[object])


def _refuse_bomb(data: bytes, place: str) -> None:
    """Refuse a workbook that unpacks to more than is allowed."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        size = sum(entry.file_size for entry in archive.infolist())
    if size > limit("member"):
        raise _sheet_error(place, None, f"unpacks to {counted(size, 'byte')}", hint_to_raise("member"))


def _few_cells(rows: Iterable[Row], place: str) -> Iterator[Row]:
    """The rows, as long as their cells are not too many; one cell in the last corner of a sheet implies billions."""
    cells = 0
    for number, row in enumerate(rows, 1):
        refuse_many_columns(Location(place, number), len(row))
        cells += len(row) or 1
        if cells > limit("cells"):
            message = f"expected at most {counted(limit('cells'), 'cell')}, found more"
            raise _sheet_error(place, number, message, hint_to_raise("cells"))
        yield row


def _cell_text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value).strip()


class _FilledLine(NamedTuple):
    """The judgement columns of one line of a sheet."""

    line: int
    cells: tuple[str, ...]


def _read_lines(table: Sequence[Sequence[str]], place: str) -> dict[str, _FilledLine]:
    if not table:
        raise _sheet_error(place, 1, "the sheet is empty")
    header = {name: position for position, name in enumerate(table[0])}
    missing = [name for name in ("key", *JUDGEMENTS) if name not in header]
    if missing:
        raise _sheet_error(
            place,
            1,
            f"the column {missing[0]!r} is missing",
            "keep the header of the sheet as it was written",
        )
    answers: dict[str, _FilledLine] = {}
    for number, line in enumerate(table[1:], start=2):
        if not any(line):
            continue
        # A line break or tab inside a cell would begin another line or column of an annotation file.
        cells = [
            " ".join(line[header[name]].split()) if header[name] < len(line) else ""
            for name in ("key", *JUDGEMENTS)
        ]
        if cells[0] in answers:
            first = answers[cells[0]].line
            raise _sheet_error(place, number, f"the key {cells[0]!r} stands on line {first} already")
        answers[cells[0]] = _FilledLine(number, tuple(cells[1:]))
    return answers


@dataclass(frozen=True, slots=True)
class ReadBack:
    """A store after a sheet was read: its documents, and the numbers of added and changed judgements."""

    documents: Mapping[str, Sequence[ArgumentRow]]
    added: int
    changed: int


def read_back(store: OpenedStore, path: str | os.PathLike[str], *, force: bool = False) -> ReadBack:
    """The store with the judgements of a sheet; refused with all findings if some are errors.

    A judgement that differs from one that the store has is an error unless ``force`` is given.
    """
    place = os.fspath(path)
    table = read_table(path)
    answers = _read_lines(table, place)
    documents: dict[str, Sequence[ArgumentRow]] = {}
    findings: list[Finding] = []
    known_keys: set[str] = set()
    added = changed = 0
    for doc_id in store.doc_ids:
        row_of = row_per_argument(store.rows(doc_id))
        filled = {argument: answers[key] for argument in row_of if (key := key_of(argument)) in answers}
        known_keys.update(key_of(argument) for argument in filled)
        merged, conflicts = _with_judgements(doc_id, row_of, filled, place)
        findings.extend(conflicts)
        new, differing = _differences(row_of, merged)
        added += len(new)
        changed += len(differing)
        if differing and not force:
            findings.extend(_difference_findings(differing, filled, place, doc_id))
        findings.extend(_findings_between_lines(doc_id, merged.values(), filled, place))
        documents[doc_id] = tuple(merged.values())
    for key, answer in answers.items():
        if key not in known_keys:
            message = f"the key {key!r} belongs to no argument of the store"
            findings.append(Finding("sheet", "error", message, Location(place, answer.line)))
    if errors_among(findings):
        raise InvalidInput(list(_at_columns_of(table[0], findings)))
    return ReadBack(documents, added, changed)


def _at_columns_of(header: Sequence[str], findings: Iterable[Finding]) -> Iterator[Finding]:
    """Findings moved to the columns of the sheet from those of an annotation file, whose judgements begin at 12."""
    places = {name: place for place, name in enumerate(header, 1)}
    columns = {number: places[name] for number, name in enumerate(JUDGEMENTS, 12)}
    for finding in findings:
        at = finding.location
        assert at is not None
        yield finding._replace(location=at._replace(column=columns.get(at.column or 0)))


def _with_judgements(
    doc_id: str, row_of: Mapping[Argument, ArgumentRow], filled: Mapping[Argument, _FilledLine], place: str
) -> tuple[dict[Argument, ArgumentRow], list[Finding]]:
    """The rows with the sheet's judgements, which the reader of annotation files reads, and its findings."""
    order = list(filled)
    text = "\n".join(
        "\t".join([*system_columns(argument, 1.0), *_judgement_columns(filled[argument].cells)])
        for argument in order
    )
    lines = parse_file(doc_id, text.encode("utf-8", "surrogatepass"))
    document = Document(doc_id, path=place, layers={LAYER: lines})
    findings = []
    for finding in checks.reader_findings(document, "gold", integer_ids=False):
        at = finding.location
        assert at is not None
        line = filled[order[(at.line or 1) - 1]].line
        findings.append(finding._replace(location=at._replace(line=line)))
    merged = dict(row_of)
    ids = {}
    for row in lines.rows:
        known = row_of[row.argument]
        if row.assessment is not None or known.assessment is None:
            merged[row.argument] = known._replace(assessment=row.assessment)
        if row.cluster is not None:
            ids[row.argument.canonical] = row.cluster
    for argument, row in merged.items():
        if argument.canonical in ids:
            merged[argument] = row._replace(cluster=ids[argument.canonical])
    return merged, [*findings, *_coreference_conflicts(lines.rows, filled, place, doc_id)]


def _coreference_conflicts(
    rows: Iterable[ArgumentRow], filled: Mapping[Argument, _FilledLine], place: str, doc_id: str
) -> Iterator[Finding]:
    seen: dict[tuple[str, Range], int] = {}
    for row in rows:
        if row.cluster is None:
            continue
        known = seen.setdefault(row.argument.canonical, row.cluster)
        if known != row.cluster:
            message = f'"{row.argument.text}" has the coreference ids {known} and {row.cluster} in the sheet'
            location = Location(place, filled[row.argument].line, 16)
            yield Finding("coref-conflict", "error", message, location, document=doc_id)


def _judgement_columns(cells: Sequence[str]) -> list[str]:
    """The seven columns of a judgement in a file; a line without judgements is unassessed, elsewhere an empty cell is NIL."""
    if not any([*cells[:4], *cells[5:]]):
        return [cell or UNASSESSED for cell in cells]
    known = {"C", "I", "W", NIL, "NAME", "NOMINAL"}
    return [cell.upper() if cell.upper() in known else cell or NIL for cell in cells]


def _differences(
    before: Mapping[Argument, ArgumentRow], after: Mapping[Argument, ArgumentRow]
) -> tuple[list[Argument], list[Argument]]:
    """The arguments that are judged now and were not before, and those whose judgement or coreference id changed."""
    pairs = [(before[argument], row) for argument, row in after.items()]
    new = [row.argument for known, row in pairs if row.assessment and not known.assessment]
    differing = [
        row.argument
        for known, row in pairs
        if known.assessment not in {None, row.assessment} or known.cluster not in {None, row.cluster}
    ]
    return new, differing


def _difference_findings(
    arguments: Iterable[Argument], filled: Mapping[Argument, _FilledLine], place: str, doc_id: str
) -> Iterator[Finding]:
    for argument in arguments:
        line = filled[argument].line if argument in filled else None
        said = f"{argument.event_type} {argument.role} {argument.text!r}"
        message = f"the store has another judgement of {said}"
        hint = "look at it, then read the sheet with --force to replace the judgement of the store"
        yield Finding("judgement-differs", "error", message, Location(place, line), doc_id, hint=hint)


def _findings_between_lines(
    doc_id: str, rows: Iterable[ArgumentRow], filled: Mapping[Argument, _FilledLine], place: str
) -> Iterator[Finding]:
    """The findings of the checks between lines, at the lines of the sheet."""
    placed = tuple(
        row._replace(line=filled[row.argument].line if row.argument in filled else 0, width=18)
        for row in rows
    )
    document = Document(doc_id, path=place, layers={LAYER: ArgumentLines(placed)})
    yield from checks.consistency_findings(document, ())
