"""The words of documents whose mentions are runs of tokens: loaded when a writer needs them, and written in columns.

Scoring uses token numbers alone, so that a reader keeps the place of the words and not the words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, ValuesView

from lydite.errors import refuse
from lydite.model import Document
from lydite.resource_limits import hint_to_raise, limit

UNKNOWN = "_"
"""Written in a column where the word is not known."""


class LazyWords(Mapping[str, str]):
    """The words of a document under the ids ``t0``, ``t1``, …, loaded when the first one is asked for."""

    def __init__(self, count: int, load: Callable[[], Sequence[str]]) -> None:
        self._count, self._load = count, load
        self._loaded: list[str] | None = None

    @property
    def in_order(self) -> Sequence[str]:
        """The words, in the order of their numbers."""
        if self._loaded is None:
            words = self._load()
            self._loaded = [*words[: self._count], *[UNKNOWN] * (self._count - len(words))]
        return self._loaded

    def _by_id(self) -> dict[str, str]:
        return {f"t{place}": word for place, word in enumerate(self.in_order)}

    def __getitem__(self, token: str) -> str:
        place = token.removeprefix("t")
        if place == token or not place.isdecimal() or int(place) >= self._count or f"t{int(place)}" != token:
            raise KeyError(token)
        return self.in_order[int(place)]

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_id())

    def __len__(self) -> int:
        return self._count

    def values(self) -> ValuesView[str]:
        """The words, in the order of their numbers."""
        return self._by_id().values()


def check_tokens(document: Document, size: int) -> None:
    """Refuse to write more tokens than the limit: a damaged span of billions would fill any disk."""
    most = limit("tokens")
    if size > most:
        message = f"document {document.doc_id!r} would be written with {size} tokens, more than {most}"
        raise refuse(document.path, "too-large", message, hint=hint_to_raise("tokens"))


def written_words(document: Document, size: int) -> list[str]:
    """The words of at least ``size`` tokens as columns hold them, without white space; ``_`` for unknown ones."""
    check_tokens(document, size)
    words = ["_".join(word.split()) or UNKNOWN for word in list((document.tokens or {}).values())]
    return words + [UNKNOWN] * (size - len(words))
