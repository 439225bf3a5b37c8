"""TextPro columns: one token per line, one annotation per column.

Header lines ``# NAME: value`` come before the first token; ``# FIELDS:`` names the columns.  Columns are separated by
tabs, a blank line ends a sentence, ``__NULL__`` stands for no value.  Files without a header (CoNLL columns) are read with
the setting ``fields``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from lydite.errors import Location, UsageError, refuse
from lydite.escaping import counted, short
from lydite.formats.base import Options, list_option
from lydite.formats.names import MISSPELT, is_misspelt
from lydite.formats.source import Source, SourcePart
from lydite.formats.text import refuse_many_columns, text_of
from lydite.formats.triples import READ_AS_TRIPLES, ConversionReport, corpus_of_parts
from lydite.model import Corpus, Document
from lydite.model.triple import Triple, TripleElement
from lydite.registry import did_you_mean

_EMPTY_VALUES = frozenset({"O", "__NULL__", "-", "_", ""})


class TokenRow(NamedTuple):
    """A token line: the id of the token and its columns by name."""

    token: str
    columns: Mapping[str, str]


def read(source: Source, settings: Options) -> Corpus:
    """Unary triples of the wanted ``columns``, in the order asked for."""
    wanted_columns = list_option(settings, "columns")
    if not wanted_columns:
        hint = "name those to convert with the setting 'columns'"
        raise UsageError("a column file has many columns", hint=hint)
    return corpus_of_parts(source, "textpro", lambda part: _document(part, wanted_columns, settings))


def _document(part: SourcePart, wanted_columns: Sequence[str], settings: Options) -> Document:
    report = ConversionReport(part)
    fields, sentences = _read_columns(part, list_option(settings, "fields"), report)
    triples: list[Triple] = []
    for column in wanted_columns:
        if column not in fields:
            hint = did_you_mean(column, list(fields)) or f"known: {', '.join(fields)}"
            raise UsageError(f"{part.path}: no column {column!r}", hint=hint)
        triples.extend(column_triples(sentences, column))
    return report.document(triples, settings)


def _read_columns(
    part: SourcePart, fields: tuple[str, ...], report: ConversionReport
) -> tuple[tuple[str, ...], list[list[TokenRow]]]:
    """The names of the columns of a file, and its sentences."""
    lines = text_of(part).split("\n")
    start, declared = _read_header(lines)
    names = fields or declared
    if not names:
        message = "expected a header line '# FIELDS: …' that names the columns, found none"
        hint = "name the columns with the setting 'fields'"
        raise refuse(Location(part.path, 1), "no-fields", message, hint=hint)
    refuse_many_columns(Location(part.path, max(start, 1)), len(names))
    twice = next((name for name, times in Counter(names).items() if times > 1), None)
    if twice is not None:
        message = f"expected a name for each column, found {twice!r} twice"
        raise refuse(Location(part.path, max(start, 1)), "no-fields", message, hint="name each column once")
    for name in names:
        for known in ("token", "tokenid"):
            if name not in {"token", "tokenid"} and is_misspelt(name.lower(), known):
                report.warn(MISSPELT, f"expected a column {known!r}, found {name!r}", start, severity="error")
    sentences: list[list[TokenRow]] = [[]]
    tokens: set[str] = set()
    count, named = 0, short(", ".join(names), 200)
    for number, line in enumerate(lines[start:], start=start + 1):
        text = line.rstrip("\r")
        if not text.strip():
            sentences.append([])
            continue
        count += 1
        values = text.split("\t") if "\t" in text or not fields else text.split()
        if len(values) != len(names):
            code = "too-few-columns" if len(values) < len(names) else "uneven-columns"
            message = f"expected {counted(len(names), 'column')} ({named}), found {len(values)}"
            report.warn(code, message, number)
        columns = dict(zip(names, (value.strip() for value in values), strict=False))
        token = columns.get("tokenid", "")
        if token in _EMPTY_VALUES or token.isdigit():
            token = f"w{count if token in _EMPTY_VALUES else token}"
        if token in tokens:
            message = f"the id {token!r} is on an earlier line too; the two tokens are annotated as one"
            report.warn("repeated-id", message, number)
        tokens.add(token)
        sentences[-1].append(TokenRow(token, columns))
    return names, sentences


def _read_header(lines: Sequence[str]) -> tuple[int, tuple[str, ...]]:
    """The position of the first line after the header, and the column names that it gives."""
    fields: tuple[str, ...] = ()
    for place, line in enumerate(lines):
        name, colon, value = line.partition(":")
        # There is no tab before the colon: with one it is a token line whose token begins with '#'.
        if len(name) > 1 and name[0] == "#" and colon and "\t" not in name:
            if name[1:].strip(" ").upper() == "FIELDS":
                fields = tuple(value.split())
        elif line.strip():
            return place, fields
    return len(lines), fields


def column_triples(sentences: Sequence[Sequence[TokenRow]], column: str) -> Iterator[Triple]:
    """The spans of a column as unary triples: relation = type, id = column and running number."""
    spans = [span for rows in sentences for span in _spans(rows, column)]
    for number, (kind, rows) in enumerate(spans, start=1):
        words = " ".join(filter(None, (row.columns.get("token") for row in rows)))
        first = TripleElement(tuple(dict.fromkeys(row.token for row in rows)), "", words)
        yield Triple(kind, first, id=f"{column}{number}", layer=column)


def _spans(rows: Sequence[TokenRow], column: str) -> Iterator[tuple[str, list[TokenRow]]]:
    """``B-X``, ``I-X`` and ``O`` are spans of several tokens, any other value one of one token.

    An ``I-X`` that does not continue an X opens a new span; the end of a sentence closes it.
    """
    kind: str | None = None
    members: list[TokenRow] = []
    for row in rows:
        value = row.columns.get(column, "")
        inside = value[:2] in {"B-", "I-"} and len(value) > 2
        if inside and value[0] == "I" and value[2:] == kind:
            members.append(row)
            continue
        if kind is not None:
            yield kind, members
        kind, members = (value[2:], [row]) if inside else (None, [])
        if not inside and value not in _EMPTY_VALUES:
            yield value, [row]
    if kind is not None:
        yield kind, members


TEXTPRO = READ_AS_TRIPLES._replace(
    name="textpro",
    title="TextPro columns",
    extensions=(".txp",),
    recognise=lambda head: b"# FIELDS:" in head,
    read=read,
)
