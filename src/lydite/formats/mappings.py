"""Mappings: which gold element goes with which system element, as ``--comparison`` writes it.

Tab-separated columns with a header; ``gold`` and ``system`` are read, lines without one of the two say nothing.
"""

from __future__ import annotations

from lydite.errors import Finding, FormatError, Location
from lydite.formats.text import whole_text

COLUMNS = ("gold", "system")


def read_mapping(path: str) -> frozenset[tuple[str, str]]:
    """The pairs of a file; a header without the two columns, or a line that is too short, is refused."""
    text = whole_text(path)
    header, *lines = (line.split("\t") for line in text.split("\n"))
    missing = [name for name in COLUMNS if name not in header]
    if missing:
        message = f"expected a header with the columns {', '.join(COLUMNS)}; found no {', '.join(missing)}"
        raise FormatError([Finding("bad-table", "error", message, Location(path, 1))])
    gold, system = map(header.index, COLUMNS)
    findings = [
        Finding(
            "bad-table",
            "error",
            f"expected at least {max(gold, system) + 1} columns, found {len(line)}",
            Location(path, number),
        )
        for number, line in enumerate(lines, 2)
        if len(line) <= max(gold, system) and any(line)
    ]
    if findings:
        raise FormatError(findings)
    return frozenset(
        (line[gold], line[system]) for line in lines if any(line) and line[gold] and line[system]
    )
