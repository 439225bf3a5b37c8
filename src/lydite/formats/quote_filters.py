"""Quote filters as files, exchanged with the official program.

The number of documents n stands on the first line, then for each document two lines: its id, and its regions as
``start-end`` (inclusive) joined by single blanks, an empty line if none.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping

from lydite.errors import Finding, FormatError, Location
from lydite.escaping import counted
from lydite.formats.text import whole_text
from lydite.memory import kept_for_a_run
from lydite.model.argument import Range
from lydite.numerals import NATURAL

QuoteFilter = Mapping[str, tuple[Range, ...]]
"""The quoted regions of every document that the filter was built for."""


def write_quote_filter(quote_filter: QuoteFilter) -> bytes:
    """The filter as a file."""
    lines = [str(len(quote_filter))]
    for doc_id in sorted(quote_filter):
        lines.extend([doc_id, " ".join(f"{begin}-{end - 1}" for begin, end in quote_filter[doc_id])])
    return "".join(f"{line}\n" for line in lines).encode("utf-8")


_REGION = f"{NATURAL}-{NATURAL}"
_REGIONS = re.compile(f"(?:{_REGION}(?: {_REGION})*)?")


def read_quote_filter(path: str | os.PathLike[str]) -> QuoteFilter:
    """The filter in a file; :class:`FormatError` if it has not exactly 2n + 1 lines."""
    place = os.fspath(path)
    lines = whole_text(place).removesuffix("\n").split("\n")
    if re.fullmatch(r"[0-9]{1,9}", lines[0]) is None:
        raise _file_error(place, 1, f"expected the number of documents, found {lines[0]!r}")
    count = int(lines[0])
    if len(lines) == 2 * count and count:
        lines.append("")  # the last document has no region, and an editor cut the empty line
    if len(lines) != 2 * count + 1:
        expected = f"{counted(2 * count + 1, 'line')} for {counted(count, 'document')}"
        raise _file_error(place, None, f"expected {expected}, found {len(lines)}")
    regions: dict[str, tuple[Range, ...]] = {}
    for number in range(1, len(lines), 2):
        doc_id, text = lines[number : number + 2]
        is_list = _REGIONS.fullmatch(text) is not None
        of_document = sorted(map(_region, text.split())) if is_list else []
        offsets = [offset for region in of_document for offset in region]
        if not is_list or offsets != sorted(offsets) or any(end <= begin for begin, end in of_document):
            message = f"expected regions start-end that do not overlap, found {text!r}"
            raise _file_error(place, number + 2, message)
        if doc_id in regions:
            raise _file_error(place, number + 1, f"the filter has document {doc_id!r} twice")
        regions[doc_id] = tuple(of_document)
    return regions


def _region(text: str) -> Range:
    begin, end = text.split("-")
    return int(begin), int(end) + 1


def _file_error(path: str, line: int | None, message: str) -> FormatError:
    return FormatError([Finding("quote-filter-file", "error", message, Location(path, line))])


@kept_for_a_run(2)
def kept_quote_filter(path: str) -> QuoteFilter:
    """As :func:`read_quote_filter`, for a file that every document asks for."""
    return read_quote_filter(path)


def unknown_documents(quote_filter: QuoteFilter, store: str, doc_ids: Iterable[str]) -> Iterator[Finding]:
    """An error for each document of a store that the filter was not built for."""
    hint = "build the filter from all documents of the corpus"
    for doc_id in doc_ids:
        if doc_id not in quote_filter:
            message, place = f"document {doc_id} is unknown to the quote filter", f"{store}/{doc_id}"
            yield Finding("unknown-to-filter", "error", message, Location(place), doc_id, hint=hint)
