"""Source documents: the text that offsets of arguments point into."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from lydite.errors import refuse
from lydite.formats.source import file_inside
from lydite.formats.store import Member, is_clutter, open_store
from lydite.formats.text import BYTE_ORDER_MARK, plain_text
from lydite.grouping import grouped
from lydite.memory import kept_for_a_run

MARKED_UP = (".xml", ".sgml", ".sgm")
EXTENSIONS = (".txt", *MARKED_UP)
"""Endings that are no part of a document id."""
_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_WORD_JOINER = "\u2060"


class MarkedText(NamedTuple):
    """An element of SGML in a text: its begin and its end with the tags, and what stands between these."""

    start: int
    end: int
    content: str


def elements(text: str, name: str) -> Iterator[MarkedText]:
    """The elements of a name, in capital or small letters; the end of an element is the first end tag of that name.

    Every tag is looked for once: where an end is missing, no later element has one.
    """
    begin, finish = (re.compile(pattern, re.IGNORECASE) for pattern in (rf"<{name}\b", f"</{name}>"))
    at = 0
    while (
        (opening := begin.search(text, at)) is not None
        and (content := text.find(">", opening.end()) + 1)
        and (closing := finish.search(text, content)) is not None
    ):
        yield MarkedText(opening.start(), closing.end(), text[content : closing.start()])
        at = closing.end()


def document_id(name: str) -> str:
    """The document id of a file name."""
    return next((name.removesuffix(ending) for ending in EXTENSIONS if name.lower().endswith(ending)), name)


@dataclass(frozen=True, slots=True)
class Texts:
    """A folder or archive of source documents, by file name; texts are read when they are asked for.

    Tasks count characters in different ways: with ``utf16`` each astral character becomes its two surrogates, so that
    offsets count UTF-16 units; with ``count_mark`` a byte-order mark counts; with ``without_markup`` tags of SGML and
    XML do not count, and CR LF counts as one character.
    """

    path: str
    files: Mapping[str, tuple[Member, ...]]
    """Several files have one name if they lie in different folders; their texts must be equal."""
    utf16: bool = False
    count_mark: bool = False
    without_markup: bool = False

    @property
    def doc_ids(self) -> list[str]:
        """The document ids, sorted: file names without the endings of text files."""
        return sorted({document_id(name) for name in self.files})

    def text(self, doc_id: str) -> str | None:
        """The text as it is counted, line ends included; None if the document is not there."""
        names = (doc_id, *(f"{doc_id}{ending}" for ending in EXTENSIONS))
        members = next((self.files[name] for name in names if name in self.files), ())
        if not members:
            return None
        member, *others = members
        data = member.read()
        for other in others:
            if other.read() != data:
                message = f"holds two texts of document {doc_id!r}: {member.name!r} and {other.name!r}"
                raise refuse(self.path, "duplicate-document", message, hint="name the folder of one of them")
        text = plain_text(f"{self.path.rstrip('/')}/{member.name}", data)
        if not self.count_mark:
            text = text.removeprefix(BYTE_ORDER_MARK)
        if self.without_markup:
            from lydite.model.offsets import TAG

            marked = member.name.lower().endswith(MARKED_UP)
            text = (TAG.sub("", text) if marked else text).replace("\r\n", "\n")
        if not self.utf16:
            return text
        data = text.encode("utf-16-le")
        return "".join(chr(data[i] | data[i + 1] << 8) for i in range(0, len(data), 2))


@kept_for_a_run(4)
def source_text(folder: str, doc_id: str) -> str | None:
    """The text of a document, ``<document>.txt`` or ``<document>``, with every character; None if there is none.

    ``folder`` may be an archive; anything else is refused, so that a wrong path is not taken for missing texts.
    """
    path = file_inside(folder, f"{doc_id}.txt") or file_inside(folder, doc_id)
    if path is not None:
        return plain_text(str(path), path.read_bytes())
    return kept_texts(folder, count_mark=True).text(doc_id)


def text_beside(stem: str) -> str | None:
    """The text beside a file of annotation, whose path is given without its suffix; None if there is none.

    No setting named it and no score needs it, so that bytes that are not UTF-8 are no error: each is one character.
    """
    from pathlib import Path

    text = Path(f"{stem}.txt")
    return text.read_bytes().decode("utf-8", "surrogateescape") if text.is_file() else None


def as_characters(text: str) -> str:
    """A text of UTF-16 units as characters again."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def as_shown(text: str) -> str:
    """A text of UTF-16 units as characters to show, as many as units: an invisible one stands for the second of a pair."""
    return _PAIR.sub(lambda pair: as_characters(pair[0]) + _WORD_JOINER, text)


def open_texts(
    path: str, *, utf16: bool = False, count_mark: bool = False, without_markup: bool = False
) -> Texts:
    """The source documents at ``path``: a folder or archive with one file per document, sub-folders allowed."""
    store = open_store(path)
    files = grouped(
        (member.name.rpartition("/")[2], member)
        for member in store.members
        if member.kind == "file" and not is_clutter(member.name)
    )
    members_by_name = {name: tuple(members) for name, members in files.items()}
    return Texts(path, members_by_name, utf16, count_mark, without_markup)


kept_texts = kept_for_a_run(4)(open_texts)
"""As :func:`open_texts`, but texts that were opened are kept for a run."""
