"""Files with one document each, of which only the names of the documents are known yet."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from lydite.formats.base import Options
from lydite.formats.source import Part, Source
from lydite.model import Corpus, Document, LazyDocuments


class UnreadDocuments(LazyDocuments):
    """Documents that are read where they are needed, many at a time: by whoever has a share of them."""

    def __init__(
        self,
        path: str,
        parts: Mapping[str, Part],
        read: Callable[[Source, Options], Corpus],
        options: Options,
    ) -> None:
        super().__init__(parts, self._document)
        self._path, self._parts, self._read, self.options = path, parts, read, options

    def source(self, doc_ids: Iterable[str]) -> Source:
        """The files of these documents, in their order in the whole source."""
        wanted = frozenset(doc_ids)
        return Source(self._path, tuple(part for doc_id, part in self._parts.items() if doc_id in wanted))

    def _document(self, doc_id: str) -> Document:
        return self._read(self.source([doc_id]), self.options).documents[doc_id]
