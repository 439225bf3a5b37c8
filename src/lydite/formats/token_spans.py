"""Spans of characters to spans of tokens and back, through the offsets of a token table."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import partial
from itertools import accumulate

from lydite.errors import FormatError, UsageError
from lydite.formats.base import Options, list_option, text_option
from lydite.formats.tokens import TokenTable, find_table, must_be_folder, offset_columns
from lydite.model import Document, Mention, Relation, Span
from lydite.model.mention import COREFERENCE


class TokenPlaces:
    """The tokens of a table by their places in the text; they may even overlap, though no sound table has such tokens.

    Tokens become characters: each run of neighbours in the table becomes a range from the first begin to the last end.
    Characters become tokens: every token that covers a range or is covered by one; a token that only overlaps is not
    taken.  The official converter loses the token behind a gap, and its reverse does not work; neither is reproduced.
    """

    def __init__(self, table: TokenTable) -> None:
        self._rows = {token: row for row, token in enumerate(table.strings)}
        self._offsets = table.offsets
        placed = [(*place, token) for token, place in table.offsets.items() if place[0] < place[1]]
        self._placed = sorted(placed, key=lambda item: (item[:2], self._rows[item[2]]))
        self._begins = [begin for begin, _, _ in self._placed]
        self._furthest = list(accumulate((end for _, end, _ in self._placed), max))

    def has_place(self, token: str) -> bool:
        """Whether the table gives offsets for this token."""
        return token in self._offsets

    def characters(self, tokens: Iterable[str]) -> Span:
        """The characters of these tokens, which must all have a place: one range per run of neighbours."""
        rows = sorted({self._rows[token]: self._offsets[token] for token in tokens}.items())
        ranges: list[tuple[int, int]] = []
        last = None
        for row, (begin, end) in rows:
            if last is not None and row == last + 1:
                ranges[-1] = (ranges[-1][0], end)
            else:
                ranges.append((begin, end))
            last = row
        return Span(ranges=tuple(ranges))

    def tokens(self, span: Span) -> Span:
        """The tokens that cover a range of the span or are covered by one, in the order of the table."""
        found = {token for begin, end in span.ranges if begin < end for token in self._at(begin, end)}
        return Span(tokens=tuple(sorted(found, key=self._rows.__getitem__)))

    def _at(self, begin: int, end: int) -> Iterable[str]:
        first = bisect_left(self._begins, begin)
        for _, token_end, token in self._placed[first : bisect_left(self._begins, end)]:
            if token_end <= end:
                yield token
        # Those that begin no later and end no earlier: backwards, as long as any before reaches so far.
        place = bisect_right(self._begins, begin) - 1
        while place >= 0 and self._furthest[place] >= end:
            _, token_end, token = self._placed[place]
            if token_end >= end:
                yield token
            place -= 1


Tables = Callable[[str], TokenTable | None]
"""The token table of a document, None if there is none."""


def token_tables(options: Options) -> Tables | None:
    """The token tables by document, as the settings ``tokens`` and ``token-…`` say; None unless ``unit`` is ``token``."""
    if options.get("unit") != "token":
        return None
    path = options.get("tokens")
    if not path:
        hint = "name the folder of token tables with --tokens"
        raise UsageError("token spans need token tables", hint=hint)
    must_be_folder(str(path))
    return partial(
        find_table,
        str(path),
        suffix=text_option(options, "token-suffix", ".tab"),
        header=bool(options.get("token-header")),
        columns=offset_columns(list_option(options, "token-offsets") or (2, 3)),
    )


def with_tokens(document: Document, tables: Tables | None) -> Document:
    """The document with token spans: all tokens that cover a segment or are covered by one, in natural order.

    A token that overlaps a segment only in part is not taken.  A mention without tokens is dropped with a finding, and
    so are relations to it.  Without tables the document stays as it is.
    """
    if tables is None:
        return document
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
            kept.append(mention._replace(span=Span(tokens=tuple(sorted(tokens, key=natural_key)))))
        else:
            where = f"mention {mention.id!r} at {mention.span}"
            message = f"{where} covers no token and is covered by none; it is left out"
            code = "mention-without-tokens"
            findings.append(document.finding(code, "warning", message, mention.line, mention.id))
    relations = tuple(known_only(document.relations, {mention.id for mention in kept}))
    return document._replace(mentions=tuple(kept), relations=relations, findings=tuple(findings))


def known_only(relations: Sequence[Relation], known: Collection[str]) -> Iterator[Relation]:
    """The relations between known mentions: a cluster loses its other members, any other relation is dropped."""
    for relation in relations:
        members = tuple(member for member in relation.members if member in known)
        if members == relation.members or (relation.name == COREFERENCE and len(members) > 1):
            yield relation._replace(members=members)


def natural_key(name: str) -> list[tuple[int, int, str]]:
    """A sort key that orders numbers inside names as numbers: E2 before E10."""
    pieces = re.split(r"([0-9]+)", name)
    numbers = (piece.lstrip("0") if place % 2 else None for place, piece in enumerate(pieces))
    # The longer number is the larger one, so that none has to be converted, however long it is.
    pairs = zip(pieces, numbers, strict=True)
    return [(1, 0, piece) if number is None else (0, len(number), number) for piece, number in pairs]
