"""Quoted passages of forum posts, from which no argument is assessed."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from lydite.model.argument import Argument, PartialArgument, Range

_TAG = re.compile(r"<quote[> ]|</quote>")


class Quotes(NamedTuple):
    """The quoted regions of a document, ascending, and the offset of an opener that is never closed."""

    regions: tuple[Range, ...]
    unclosed: int | None = None


def quoted_regions(text: str) -> Quotes:
    """Regions from the ``<`` of an outermost opener to the ``>`` of the closer that balances it.

    Openers are exactly ``<quote>`` and ``<quote `` (attributes ignored), the closer is ``</quote>``, in lower case.
    Nesting counts; a closer without opener is ignored.  No XML is parsed: a closer in an attribute value closes.
    """
    regions: list[Range] = []
    depth = begin = 0
    for tag in _TAG.finditer(text):
        if tag[0] != "</quote>":
            if depth == 0:
                begin = tag.start()
            depth += 1
        elif depth:
            depth -= 1
            if depth == 0:
                regions.append((begin, tag.end()))
    return Quotes(tuple(regions), begin if depth else None)


def touches(span: Range | None, regions: Sequence[Range]) -> bool:
    """Whether the first or the last character of the span lies in a region."""
    return span is not None and (_inside(span[0], regions) or _inside(span[1] - 1, regions))


def _inside(offset: int, regions: Sequence[Range]) -> bool:
    position = bisect_right(regions, offset, key=lambda region: region[0]) - 1
    return position >= 0 and offset < regions[position][1]


def is_quoted(argument: Argument | PartialArgument, regions: Sequence[Range]) -> bool:
    """Whether the argument is removed by the quote filter: its string or its base filler begins or ends in a quote."""
    return touches(argument.span, regions) or touches(argument.filler, regions)
