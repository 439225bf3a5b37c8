"""Counting names in texts: which forms of which targets stand in which documents, and how often."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from lydite.corpus.analysis import folded, placed_words, unfolded, words
from lydite.corpus.index import Index, searchable, thread_end
from lydite.corpus.query import Or, Words
from lydite.corpus.search import leaf_of, matching
from lydite.grouping import grouped
from lydite.records import NamedTuple

K = TypeVar("K", bound=Hashable)


class _Form(NamedTuple):
    key: tuple[int, int]
    unfolded: tuple[str, ...] | None


class Phrases:
    """Names by their words, to be counted in texts.

    At every place the longest name counts, so that a short name inside a long one is not counted again.  A name without
    marks is found in every spelling, but a spelling with marks that is a name of the same owner is counted as that name.
    Names of several owners that are equal count for each of them.
    """

    def __init__(self, names: Mapping[tuple[int, int], str]) -> None:
        self._forms: dict[tuple[str, ...], list[_Form]] = {}
        for key, name in names.items():
            leaf = leaf_of(Words(name))
            if leaf.words:
                self._forms.setdefault(leaf.words, []).append(_Form(key, leaf.unfolded))
        lengths = grouped((plain[0], len(plain)) for plain in self._forms)
        self._lengths = {first: sorted(set(found), reverse=True) for first, found in lengths.items()}
        self._any_marks = any(form.unfolded for forms in self._forms.values() for form in forms)

    def count(self, text: str) -> Counter[tuple[int, int]]:
        """How often each name stands in a text."""
        counts: Counter[tuple[int, int]] = Counter()
        plain = words(text, folded)
        kept = words(text, unfolded) if self._any_marks and not text.isascii() else plain
        if len(kept) != len(plain):
            # A mark that stands alone is a word with marks and none without.
            kept = [token.unfolded for token in placed_words(text)]
        place, lengths, forms = 0, self._lengths, self._forms
        while place < len(plain):
            step = 1
            for length in lengths.get(plain[place], ()):
                found = forms.get(tuple(plain[place : place + length]))
                keys = self._keys(found, tuple(kept[place : place + length])) if found else ()
                if keys:
                    counts.update(keys)
                    step = length
                    break
            place += step
        return counts

    def _keys(self, forms: Sequence[_Form], kept: tuple[str, ...]) -> list[tuple[int, int]]:
        """One form for each owner: that with just these marks, else one without marks."""
        chosen: dict[int, tuple[int, int]] = {}
        for form in forms:
            if form.unfolded == kept or (form.unfolded is None and form.key[0] not in chosen):
                chosen[form.key[0]] = form.key
        return list(chosen.values())


def totals(documents: Iterable[Mapping[K, int]]) -> dict[K, tuple[int, int]]:
    """How often each thing stands in documents, and in how many of them, from its counts in each."""
    counts: Counter[K] = Counter()
    holding: Counter[K] = Counter()
    for held in documents:
        counts.update(held)
        holding.update(held.keys())
    return {thing: (count, holding[thing]) for thing, count in counts.items()}


class DocumentMentions(NamedTuple):
    """How often each (target, form) stands in a document, by their positions."""

    doc_id: str
    counts: Mapping[tuple[int, int], int]


def count_mentions(
    index: Index, names: Sequence[Sequence[str]], *, longest: int | None = None
) -> Iterator[DocumentMentions]:
    """The mentions of targets, given by the names of each, in every document that holds one; sorted by id.

    The engine says which documents to look at; the texts are counted here, of long threads the part that is kept.
    """
    forms = {(target, form): name for target, own in enumerate(names) for form, name in enumerate(own)}
    phrases = Phrases(forms)
    queries = [Words(name) for name in dict.fromkeys(forms.values()) if words(name)]
    numbers: set[int] = set()
    for start in range(0, len(queries), 500):
        numbers.update(matching(index, Or(tuple(queries[start : start + 500]))))
    found = []
    for record, text in index.texts(numbers):
        counts = phrases.count(searchable(record, text)[: thread_end(record, longest)])
        if counts:
            found.append(DocumentMentions(record.id, dict(sorted(counts.items()))))
    yield from sorted(found, key=lambda mentions: mentions.doc_id)
