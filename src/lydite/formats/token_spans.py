"""From characters to tokens and back, by a token table."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from lydite.errors import Finding, FormatError, Location, UsageError
from lydite.formats.tokens import TokenTable, open_folder
from lydite.model import Document, Mention, Relation, Span

Tables = Callable[[str], TokenTable | None]
"""The token table of a document, None if there is none."""


def tables_of(options: Mapping[str, Any]) -> Tables:
    """The token tables that the settings ``tokens``, ``token-suffix``, ``token-header``, ``token-offsets`` name."""
    path = options.get("tokens")
    if not path:
        raise UsageError(
            "token spans need token tables", hint="name the folder of token tables with --tokens"
        )
    begin, end = options.get("token-offsets") or (2, 3)
    folder = open_folder(
        str(path),
        suffix=options.get("token-suffix") or ".tab",
        header=bool(options.get("token-header")),
        columns=(int(begin), int(end)),
    )
    return folder.table


def with_tokens(document: Document, tables: Tables) -> Document:
    """The document with token spans: all tokens that cover a segment or are covered by one, in natural order.

    A token that overlaps a segment only partly is not taken.  A mention without tokens is dropped with a finding, and
    so are relations to it.
    """
    return _with_spans(document, tables, _tokens_of, "lies in no token of the table and covers none")


def with_characters(document: Document, tables: Tables) -> Document:
    """The document with character spans: each run of neighbouring tokens becomes one segment, from begin to end."""
    return _with_spans(document, tables, _ranges_of, "has a token that the table lacks")


def _with_spans(
    document: Document, tables: Tables, change: Callable[[Span, TokenTable], Span | None], why: str
) -> Document:
    table = tables(document.doc_id)
    place = Location(document.path, document.line or None)
    if table is None:
        message = f"no token table for document {document.doc_id!r}: its spans cannot be changed"
        raise FormatError([Finding("token-table-missing", "error", message, place, document.doc_id)])
    kept: list[Mention] = []
    findings = [*document.findings, *table.findings]
    for mention in document.mentions:
        span = change(mention.span, table)
        if span is not None:
            kept.append(mention._replace(span=span))
            continue
        message = f"mention {mention.id!r} at {mention.span} {why}; it is dropped"
        where = Location(document.path, mention.line or None)
        findings.append(
            Finding("span-without-tokens", "warning", message, where, document.doc_id, mention.id)
        )
    known = {mention.id for mention in kept}
    return replace(
        document,
        mentions=tuple(kept),
        relations=tuple(_known_only(document.relations, known)),
        findings=tuple(findings),
    )


def _known_only(relations: Sequence[Relation], known: set[str]) -> Iterator[Relation]:
    """Relations of mentions that are left; a cluster loses members, another relation goes as a whole."""
    for relation in relations:
        members = tuple(member for member in relation.members if member in known)
        if members == relation.members or (relation.name == "Coreference" and len(members) > 1):
            yield relation._replace(members=members)


def _tokens_of(span: Span, table: TokenTable) -> Span | None:
    if span.tokens:
        return span
    found = [
        token
        for token, (first, last) in table.offsets.items()
        if any(
            (first <= begin and end <= last) or (begin <= first and last <= end) for begin, end in span.ranges
        )
    ]
    return Span(tokens=tuple(sorted(found, key=natural))) if found else None


def _ranges_of(span: Span, table: TokenTable) -> Span | None:
    if span.ranges:
        return span
    order = {token: number for number, token in enumerate(table.offsets)}
    wanted = [token if token in order else _other_spelling(token) for token in span.tokens]
    if any(token not in order for token in wanted):
        return None
    ranges: list[tuple[int, int]] = []
    before = -2
    for token in sorted(wanted, key=order.__getitem__):
        begin, end = table.offsets[token]
        if order[token] == before + 1:
            ranges[-1] = ranges[-1][0], end
        else:
            ranges.append((begin, end))
        before = order[token]
    return Span(tuple(ranges))


def _other_spelling(token: str) -> str:
    """``t48`` and ``48`` mean the same token."""
    return token.removeprefix("t") if token.startswith("t") else f"t{token}"


def natural(name: str) -> list[tuple[int, int, str]]:
    """A key that orders numbers inside names as numbers: E2 before E10."""
    pieces = re.split(r"([0-9]+)", name)
    return [(0, int(piece), "") if piece.isdigit() else (1, 0, piece) for piece in pieces]
