"""The small files beside triples: token ranges, relation filters, relation mappings.

All are UTF-8 text with one entry per line; lines are trimmed and blank ones ignored.
"""

from __future__ import annotations

from collections.abc import Mapping

from lydite.errors import Finding, FormatError, Location, refuse
from lydite.formats.source import open_file
from lydite.formats.text import text_of
from lydite.records import NamedTuple


class RelationMapping(NamedTuple):
    """New names of relations, by exact old name, and the lines that say nothing."""

    names: Mapping[str, str]
    findings: tuple[Finding, ...] = ()


def read_lines(path: str) -> list[str]:
    """The lines of a small text file as they are, a byte-order mark removed."""
    return text_of(open_file(path)).split("\n")


def read_names(path: str) -> tuple[str, ...]:
    """The distinct entries of a list, in file order: token ids of a range, relations of a filter."""
    return tuple(dict.fromkeys(line.strip() for line in read_lines(path) if line.strip()))


def read_token_range(path: str, *, empty_means_all: bool = False) -> frozenset[str] | None:
    """The token ids that count as scope; an empty file is an error.

    With ``empty_means_all`` (the reference program) an empty or missing file sets no scope: None.
    """
    try:
        names = read_names(path)
    except FormatError:
        if empty_means_all:
            return None
        raise
    if names:
        return frozenset(names)
    if empty_means_all:
        return None
    message = "expected one token id per line, found none"
    hint = "leave the token range out to score everything"
    raise refuse(path, "empty-token-range", message, hint=hint)


def read_relation_mapping(path: str) -> RelationMapping:
    """``source<TAB>target`` per line, both trimmed; the last line of a source counts.

    Lines without exactly two fields are skipped with a warning, blank ones in silence.
    """
    names: dict[str, str] = {}
    findings = []
    for number, line in enumerate(read_lines(path), start=1):
        fields = line.split("\t")
        if len(fields) == 2:
            names[fields[0].strip()] = fields[1].strip()
        elif line.strip():
            message = f"expected two fields separated by a tab, found {len(fields)}; the line is skipped"
            findings.append(Finding("bad-mapping-line", "warning", message, Location(path, number)))
    return RelationMapping(names, tuple(findings))
