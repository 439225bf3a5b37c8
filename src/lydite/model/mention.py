"""Mentions and the relations between them."""

from __future__ import annotations

from typing import NamedTuple

from lydite.model.span import Span


class Mention(NamedTuple):
    """A span with an id and attributes, as one line or element of a file gave it.

    ``type`` and ``realis`` are as written; how they are compared is for ``align`` and the profile.
    ``confidences`` are as written too: they are not scored and need not be numbers.
    ``line`` is the 1-based line of the file, 0 if the mention came from no file.
    """

    id: str
    span: Span
    text: str = ""
    type: str = ""
    realis: str = ""
    confidences: tuple[str, ...] = ()
    line: int = 0


class Relation(NamedTuple):
    """A named relation between mentions of a document, with the ids in their order.

    ``Coreference`` relates all members of a cluster; ``After`` and ``Subevent`` lead from the first to the second.
    """

    name: str
    id: str
    members: tuple[str, ...]
    line: int = 0
