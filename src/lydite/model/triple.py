"""Triples: a relation with two elements, each a set of token ids."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypedDict


class ElementDocument(TypedDict):
    """An element as it stands in the summary document."""

    ids: list[str]
    label: str
    comment: str


class TripleDocument(TypedDict):
    """A triple as it stands in the summary document."""

    id: str
    relation: str
    profile_id: str
    profile_confidence: float | None
    kaflayer: str
    first: ElementDocument
    second: ElementDocument


class TripleElement(NamedTuple):
    """One side of a triple: token ids in the order of the file, the type of expression, its words.

    Order and repeats of ``ids`` are kept for output; a comparison looks at the set.  ``label`` and ``comment`` take
    no part in a comparison unless a profile says so.
    """

    ids: tuple[str, ...] = ()
    label: str = ""
    comment: str = ""

    def to_dict(self) -> ElementDocument:
        """The element as it stands in the summary document."""
        return {"ids": list(self.ids), "label": self.label, "comment": self.comment}

    @classmethod
    def from_dict(cls, data: ElementDocument) -> TripleElement:
        """The inverse of :meth:`to_dict`."""
        return cls(tuple(data["ids"]), data["label"], data["comment"])


EMPTY_ELEMENT = TripleElement()


class Triple(NamedTuple):
    """A relation, its first (governing) and second (dependent) element, and where the triple came from.

    A unary annotation (part of speech, entity type, polarity) has an empty second element and its tag as relation.
    ``id`` names the structure that was taken apart and is not unique: all triples of an event share it.
    ``profile_id`` names the rule or rules that made the triple, ``layer`` the annotation layer it was taken from.
    """

    relation: str = ""
    first: TripleElement = EMPTY_ELEMENT
    second: TripleElement = EMPTY_ELEMENT
    id: str = ""
    profile_id: str = ""
    profile_confidence: float | None = None
    layer: str = ""

    def to_dict(self) -> TripleDocument:
        """The triple as it stands in the summary document."""
        return {
            "id": self.id,
            "relation": self.relation,
            "profile_id": self.profile_id,
            "profile_confidence": self.profile_confidence,
            "kaflayer": self.layer,
            "first": self.first.to_dict(),
            "second": self.second.to_dict(),
        }

    @classmethod
    def from_dict(cls, data: TripleDocument) -> Triple:
        """The inverse of :meth:`to_dict`."""
        return cls(
            data["relation"],
            TripleElement.from_dict(data["first"]),
            TripleElement.from_dict(data["second"]),
            data["id"],
            data["profile_id"],
            data["profile_confidence"],
            data["kaflayer"],
        )


def xml_lines(triple: Triple) -> Iterator[str]:
    """A triple as XML, one line per element: fixed order of attributes, empty ones left out except ``id``."""
    confidence = triple.profile_confidence
    described = _written(
        profile_id=triple.profile_id,
        profile_confidence="" if confidence is None else str(confidence),
        relation=triple.relation,
        kaflayer=triple.layer,
    )
    yield f'<triple id="{_value(triple.id)}"{described}>'
    yield from _element_lines("elementFirst", triple.first)
    yield from _element_lines("elementSecond", triple.second)
    yield "</triple>"


def _element_lines(name: str, element: TripleElement) -> Iterator[str]:
    opening = f"\t<{name}Ids{_written(label=element.label, comment=element.comment)}"
    if not element.ids:
        yield f"{opening}/>"
        return
    yield f"{opening}>"
    for token in element.ids:
        yield f'\t\t<{name} id="{_value(token)}"/>'
    yield f"\t</{name}Ids>"


def _written(**values: str) -> str:
    return "".join(f' {name}="{_value(value)}"' for name, value in values.items() if value)


_ESCAPES = str.maketrans(
    {
        "&": "&amp;",
        "<": "&lt;",
        ">": "&gt;",
        '"': "&quot;",
        # Line breaks inside a value would come back as spaces if they were not written as references.
        "\t": "&#9;",
        "\n": "&#10;",
        "\r": "&#13;",
        # XML cannot hold other control characters at all.
        **{chr(code): "\ufffd" for code in range(32) if chr(code) not in "\t\n\r"},
        "\ufffe": "\ufffd",
        "\uffff": "\ufffd",
    }
)


def _value(text: str) -> str:
    return text.translate(_ESCAPES)


def triple_names(content: Sequence[Triple]) -> list[str]:
    """What triples are called: their ids, with their place in the document where several share one."""
    counts = Counter(triple.id for triple in content)
    return [
        triple.id if triple.id and counts[triple.id] == 1 else f"{triple.id}#{at}"
        for at, triple in enumerate(content, 1)
    ]
