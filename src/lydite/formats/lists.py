"""Small side files: lists of types, documents, tokens and relations, character counts, genres, mappings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple, TypeVar

from lydite.errors import Finding, FormatError, Location, UsageError, refuse
from lydite.formats.source import open_file
from lydite.formats.text import BYTE_ORDER_MARK, text_of, whole_text
from lydite.memory import kept_for_a_run
from lydite.numerals import is_natural

T = TypeVar("T")


def _lines(path: str) -> list[str]:
    """The lines of a side file, ends removed; a last line feed ends the last line and begins no other.

    A byte-order mark is no part of the first type or document.
    """
    text = open_file(path).read_bytes().decode("utf-8", "surrogateescape")
    lines = text.removeprefix(BYTE_ORDER_MARK).split("\n")
    return lines[:-1] if lines[-1] == "" else lines


@kept_for_a_run(16)
def read_type_list(path: str) -> tuple[str, ...]:
    """One type per line, as written, blank lines included (a white list can admit the empty type)."""
    return tuple(line.strip(" \t\r\v\f") for line in _lines(path))


@kept_for_a_run(16)
def read_character_counts(path: str) -> dict[str, int]:
    """Document id and length, separated by a tab; other lines are an error."""

    def parse(line: str) -> tuple[str, int] | None:
        doc_id, *rest = line.rstrip("\r").split("\t")
        return (doc_id, int(rest[0].strip())) if rest and is_natural(rest[0].strip()) else None

    return _pairs(path, "bad-side-file", "a document id, a tab and a length", parse)


@kept_for_a_run(16)
def read_document_list(path: str) -> tuple[str, ...]:
    """One document id per line; blank lines and those that begin with ``#`` are skipped, a list of none is refused."""
    lines = map(str.strip, whole_text(path).split("\n"))
    listed = tuple(line for line in lines if line and not line.startswith("#"))
    if not listed:
        raise UsageError(f"{path}: lists no document", hint="one document id per line")
    return listed


def read_label_map(path: str) -> dict[str, str]:
    """Label of the file and type it stands for, separated by a tab; other lines are an error."""

    def parse(line: str) -> tuple[str, str] | None:
        label, *rest = line.strip().split("\t")
        return (label, rest[0]) if len(rest) == 1 else None

    return _pairs(path, "bad-side-file", "a label, a tab and a type", parse)


def _pairs(path: str, code: str, expected: str, parse: Callable[[str], tuple[str, T] | None]) -> dict[str, T]:
    """Key and value from each line that is not blank; lines without them, and a second value of a key, are refused."""
    table: dict[str, T] = {}
    findings = []
    for number, line in enumerate(_lines(path), 1):
        entry = parse(line) if line.strip() else None
        if entry is not None and table.setdefault(*entry) != entry[1]:
            message = f"expected one line for {entry[0]!r}, found {line!r} after {table[entry[0]]!r}"
            findings.append(Finding(code, "error", message, Location(path, number)))
        elif entry is None and line.strip():
            message = f"expected {expected}, found {line!r}"
            findings.append(Finding(code, "error", message, Location(path, number)))
    if findings:
        raise FormatError(findings)
    return table


_PREFIXES = {
    "Broadcast conversation": ("CNN_CF", "CNN_IP"),
    "Broadcast News": ("CNN_", "CNNHL"),
    "Forum": (
        "bolt", "marce", "alt.", "aus.cars", "Austin-Grad", "misc.", "rec.", "seattle.", "soc.", "talk.", "uk.",
    ),
    "Newswire": ("APW", "AFP", "CNA", "NYT", "WPB", "XIN"),
    "Blog": (
        "AGGRESSIVEVOICEDAILY", "BACONSREBELLION", "FLOPPING_ACES", "GETTINGPOLITICAL", "HEALINGIRAQ",
        "MARKBACKER", "OIADVANTAGE", "TTRACY",
    ),
    "Speech": ("fsh_",),
}  # fmt: skip
"""How the ids of documents of a genre begin; the first genre that matches counts."""


def genre_of(doc_id: str, known: Mapping[str, str]) -> str:
    """The genre that a file gave, else that of the first prefix of the id that matches, else ``Unknown``."""
    if doc_id in known:
        return known[doc_id]
    return next((genre for genre, begins in _PREFIXES.items() if doc_id.startswith(begins)), "Unknown")


@kept_for_a_run(2)
def read_genres(path: str) -> dict[str, str]:
    """The genre of each document, from lines with document id, tab, genre."""
    genres: dict[str, str] = {}
    for number, line in enumerate(whole_text(path).split("\n"), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        doc_id, tab, genre = line.partition("\t")
        if not tab or not genre.strip():
            raise UsageError(f"{path}:{number}: expected document id, tab, genre, found {line!r}")
        if genres.setdefault(doc_id.strip(), genre.strip()) != genre.strip():
            raise UsageError(f"{path}:{number}: expected one genre of a document, found {line!r} and another")
    return genres


_COLUMNS = ("gold", "system")


def read_mapping(path: str) -> frozenset[tuple[str, str]]:
    """The pairs of gold and system elements of a mapping, as ``--comparison`` writes it.

    Tab-separated columns with a header; ``gold`` and ``system`` are read, lines without one of the two say nothing.  A
    header without the two columns, or a line that is too short, is refused.
    """
    header, *lines = (line.split("\t") for line in whole_text(path).split("\n"))
    missing = [name for name in _COLUMNS if name not in header]
    if missing:
        message = f"expected a header with the columns {', '.join(_COLUMNS)}; found no {', '.join(missing)}"
        raise refuse(Location(path, 1), "bad-table", message)
    gold, system = map(header.index, _COLUMNS)
    least, findings = max(gold, system) + 1, []
    for number, line in enumerate(lines, 2):
        if len(line) < least and any(line):
            message = f"expected at least {least} columns, found {len(line)}"
            findings.append(Finding("bad-table", "error", message, Location(path, number)))
    if findings:
        raise FormatError(findings)
    return frozenset((row[gold], row[system]) for row in lines if any(row) and row[gold] and row[system])


# ------------------------------------------------------------------------------------------------ beside triples


def _text_lines(path: str) -> list[str]:
    """The lines of a file that must be UTF-8, a byte-order mark removed."""
    return text_of(open_file(path)).split("\n")


def read_distinct_lines(path: str) -> tuple[str, ...]:
    """The distinct entries of a list, in file order: token ids of a range, relations of a filter."""
    return tuple(dict.fromkeys(line.strip() for line in _text_lines(path) if line.strip()))


@kept_for_a_run(16)
def read_relation_filter(path: str) -> tuple[str, ...]:
    """The relations to keep; a filter that would keep none is an error."""
    names = read_distinct_lines(path)
    if not names:
        message = "expected one relation per line, found none"
        hint = "leave the relation filter out to keep every relation"
        raise refuse(path, "bad-side-file", message, hint=hint)
    return names


def read_token_range(path: str, *, empty_means_all: bool = False) -> frozenset[str] | None:
    """The token ids that count as scope; an empty file is an error.

    With ``empty_means_all`` (the reference program) an empty or missing file sets no scope: None.
    """
    try:
        names = read_distinct_lines(path)
    except FormatError:
        if empty_means_all:
            return None
        raise
    if names or empty_means_all:
        return frozenset(names) or None
    message = "expected one token id per line, found none"
    raise refuse(path, "bad-side-file", message, hint="leave the token range out to score everything")


class RelationMapping(NamedTuple):
    """New names of relations, by exact old name, and the lines that say nothing."""

    names: Mapping[str, str]
    findings: tuple[Finding, ...] = ()


def read_relation_mapping(path: str) -> RelationMapping:
    """``source<TAB>target`` per line, both trimmed; the last line of a source counts, with a warning if they differ.

    Lines without exactly two fields are skipped with a warning, blank ones in silence.
    """
    names: dict[str, str] = {}
    findings = []
    for number, line in enumerate(_text_lines(path), start=1):
        message, fields = "", line.split("\t")
        if len(fields) == 2:
            source, target = map(str.strip, fields)
            if names.setdefault(source, target) != target:
                message = f"{source!r} was mapped to {names[source]!r} before; this line counts"
            names[source] = target
        elif line.strip():
            message = f"expected two fields separated by a tab, found {len(fields)}; the line is skipped"
        if message:
            findings.append(Finding("bad-side-file", "warning", message, Location(path, number)))
    return RelationMapping(names, tuple(findings))


def read_document_map(path: str) -> Mapping[str, str]:
    """System file name → gold file name, from lines ``gold<TAB>system``; a file with two partners is refused."""
    systems: dict[str, str] = {}
    golds: dict[str, str] = {}
    findings = []
    for number, line in enumerate(_text_lines(path), start=1):
        gold, *others = map(str.strip, line.split("\t"))
        if not gold and not any(others):
            continue
        system = others[0] if len(others) == 1 else ""
        if not gold or not system:
            message = f"expected the names of a gold and of a system file, separated by a tab, found {line!r}"
        elif systems.setdefault(gold, system) != system:
            message = f"expected one system file for {gold!r}, found {system!r} after {systems[gold]!r}"
        elif golds.setdefault(system, gold) != gold:
            message = f"expected one gold file for {system!r}, found {gold!r} after {golds[system]!r}"
        else:
            continue
        findings.append(Finding("bad-side-file", "error", message, Location(path, number)))
    if findings:
        raise FormatError(findings)
    return golds
