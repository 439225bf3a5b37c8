"""Source documents: the text that offsets of arguments point into."""

from __future__ import annotations

from collections.abc import Mapping

from lydite.errors import UsageError
from lydite.formats.store import Member, is_clutter, open_store
from lydite.memory import kept_for_a_run
from lydite.records import dataclass

EXTENSIONS = (".txt", ".xml", ".sgml", ".sgm")
"""Endings that are no part of a document id."""


def document_id(name: str) -> str:
    """The document id of a file name."""
    return next((name.removesuffix(ending) for ending in EXTENSIONS if name.lower().endswith(ending)), name)


@dataclass(frozen=True, slots=True)
class Texts:
    """A folder or archive of source documents, by file name; texts are read when they are asked for."""

    path: str
    files: Mapping[str, Member]
    utf16: bool = False

    @property
    def doc_ids(self) -> list[str]:
        """The document ids, sorted: file names without the endings of text files."""
        return sorted({document_id(name) for name in self.files})

    def text(self, doc_id: str) -> str | None:
        """The text with every character, line ends included; None if the document is not there.

        With ``utf16`` each astral character becomes its two surrogates, so that offsets count UTF-16 units.
        """
        names = (doc_id, *(f"{doc_id}{ending}" for ending in EXTENSIONS))
        member = next((self.files[name] for name in names if name in self.files), None)
        if member is None:
            return None
        try:
            text = member.read().decode("utf-8-sig")
        except UnicodeDecodeError:
            raise UsageError(f"{self.path}: document {doc_id!r} is not UTF-8") from None
        return _as_units(text) if self.utf16 else text


def _as_units(text: str) -> str:
    data = text.encode("utf-16-le")
    return "".join(chr(data[i] | data[i + 1] << 8) for i in range(0, len(data), 2))


def as_characters(text: str) -> str:
    """A text of UTF-16 units as characters again."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def open_texts(path: str, *, utf16: bool = False) -> Texts:
    """The source documents at ``path``: a folder or archive with one file per document, sub-folders allowed."""
    store = open_store(path)
    files: dict[str, Member] = {}
    for member in store.members:
        if member.kind == "file" and not is_clutter(member.name):
            files.setdefault(member.name.rpartition("/")[2], member)
    return Texts(path, files, utf16)


kept_texts = kept_for_a_run(4)(open_texts)
"""The same for who asks again for every document of a run."""
