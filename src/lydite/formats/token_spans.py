"""Formats of character spans read as token spans, by token tables."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from lydite.errors import Finding, FormatError, UsageError
from lydite.formats.base import Options, list_option, text_option
from lydite.formats.token_units import TokenPlaces
from lydite.formats.tokens import TokenTable, offset_columns, open_folder
from lydite.model import Document, Mention, Relation, Span

Tables = Callable[[str], TokenTable | None]
"""The token table of a document, None if there is none."""


def tables_of(options: Options) -> Tables:
    """The token tables that the settings ``tokens``, ``token-suffix``, ``token-header``, ``token-offsets`` name."""
    path = options.get("tokens")
    if not path:
        raise UsageError(
            "token spans need token tables", hint="name the folder of token tables with --tokens"
        )
    folder = open_folder(
        str(path),
        suffix=text_option(options, "token-suffix", ".tab"),
        header=bool(options.get("token-header")),
        columns=offset_columns(list_option(options, "token-offsets") or (2, 3)),
    )
    return folder.table


def with_tokens(document: Document, tables: Tables) -> Document:
    """The document with token spans: all tokens that cover a segment or are covered by one, in natural order.

    A token that overlaps a segment only partly is not taken.  A mention without tokens is dropped with a finding, and
    so are relations to it.
    """
    table = tables(document.doc_id)
    if table is None:
        message = f"no token table for document {document.doc_id!r}: its spans cannot be changed"
        raise FormatError([document.finding("token-table-missing", "error", message)])
    places = TokenPlaces(table)
    kept: list[Mention] = []
    findings = [*document.findings, *table.findings]
    for mention in document.mentions:
        tokens = places.tokens(mention.span).tokens
        if tokens:
            kept.append(mention._replace(span=Span(tokens=tuple(sorted(tokens, key=natural)))))
        else:
            findings.append(_without_tokens(document, mention))
    known = {mention.id for mention in kept}
    return document._replace(
        mentions=tuple(kept),
        relations=tuple(_known_only(document.relations, known)),
        findings=tuple(findings),
    )


def _without_tokens(document: Document, mention: Mention) -> Finding:
    message = (
        f"mention {mention.id!r} at {mention.span} covers no token and is covered by none; it is left out"
    )
    return document.finding("mention-without-tokens", "warning", message, mention.line, mention.id)


def _known_only(relations: Sequence[Relation], known: set[str]) -> Iterator[Relation]:
    """Relations of mentions that are left; a cluster loses members, another relation goes as a whole."""
    for relation in relations:
        members = tuple(member for member in relation.members if member in known)
        if members == relation.members or (relation.name == "Coreference" and len(members) > 1):
            yield relation._replace(members=members)


def natural(name: str) -> list[tuple[int, int, str]]:
    """A key that orders numbers inside names as numbers: E2 before E10."""
    pieces = re.split(r"([0-9]+)", name)
    numbers = (piece.lstrip("0") if place % 2 else None for place, piece in enumerate(pieces))
    # The longer number is the larger one, so that none has to be converted, however long it is.
    return [
        (1, 0, piece) if number is None else (0, len(number), number)
        for piece, number in zip(pieces, numbers, strict=True)
    ]
