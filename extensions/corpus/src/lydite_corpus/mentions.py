"""Count names in texts: how often each name of each target occurs in each document."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeVar

from lydite.grouping import grouped
from lydite_corpus.analysis import folded, placed_words, unfolded, words
from lydite_corpus.index import Index, searchable, thread_end
from lydite_corpus.query import Or, Words
from lydite_corpus.search import matching_numbers, search_term_of

K = TypeVar("K", bound=Hashable)


class _NameForm(NamedTuple):
    key: tuple[int, int]
    unfolded: tuple[str, ...] | None


class NameCounter:
    """Counts names in texts; each has a key, the number of its owner and its own.

    Where several names begin at a word, only the longest counts, so that a short name inside a long one is not counted.
    A name without diacritics is found in every spelling, except spellings that are another name of the same owner.
    Equal names of several owners count for each of them.
    """

    def __init__(self, names: Mapping[tuple[int, int], str]) -> None:
        self._forms: dict[tuple[str, ...], list[_NameForm]] = {}
        for key, name in names.items():
            term = search_term_of(Words(name))
            if term.words:
                self._forms.setdefault(term.words, []).append(_NameForm(key, term.unfolded))
        lengths = grouped((plain[0], len(plain)) for plain in self._forms)
        self._lengths = {first: sorted(set(found), reverse=True) for first, found in lengths.items()}
        self._has_diacritics = any(form.unfolded for forms in self._forms.values() for form in forms)

    def count(self, text: str) -> Counter[tuple[int, int]]:
        """Count the names in a text."""
        counts: Counter[tuple[int, int]] = Counter()
        plain = words(text, folded)
        spelled = words(text, unfolded) if self._has_diacritics and not text.isascii() else plain
        if len(spelled) != len(plain):
            # A combining mark without a letter is a word only if it is kept.
            spelled = [word.unfolded for word in placed_words(text)]
        place, lengths, forms = 0, self._lengths, self._forms
        while place < len(plain):
            step = 1
            for length in lengths.get(plain[place], ()):
                found = forms.get(tuple(plain[place : place + length]))
                keys = self._matching_keys(found, tuple(spelled[place : place + length])) if found else ()
                if keys:
                    counts.update(keys)
                    step = length
                    break
            place += step
        return counts

    def _matching_keys(self, forms: Sequence[_NameForm], spelling: tuple[str, ...]) -> list[tuple[int, int]]:
        """Return one name for each owner: the one with this spelling, else one without diacritics."""
        chosen: dict[int, tuple[int, int]] = {}
        for form in forms:
            if form.unfolded == spelling or (form.unfolded is None and form.key[0] not in chosen):
                chosen[form.key[0]] = form.key
        return list(chosen.values())


def add_up_counts(documents: Iterable[Mapping[K, int]]) -> dict[K, tuple[int, int]]:
    """Add up the counts of several documents: how often each key occurs, and in how many documents."""
    counts: Counter[K] = Counter()
    document_counts: Counter[K] = Counter()
    for document in documents:
        counts.update(document)
        document_counts.update(document.keys())
    return {key: (count, document_counts[key]) for key, count in counts.items()}


class DocumentMentions(NamedTuple):
    """How often each (target, name) occurs in a document; targets and names are numbered."""

    doc_id: str
    counts: Mapping[tuple[int, int], int]


def count_mentions(
    index: Index, names: Sequence[Sequence[str]], *, longest: int | None = None
) -> Iterator[DocumentMentions]:
    """Count the names of each target in every document that has one; sorted by document id.

    The engine finds the documents; names are counted in their texts, or in the part of a long thread that is kept.
    """
    by_key = {(target, form): name for target, own in enumerate(names) for form, name in enumerate(own)}
    counter = NameCounter(by_key)
    queries = [Words(name) for name in dict.fromkeys(by_key.values()) if words(name)]
    numbers: set[int] = set()
    for start in range(0, len(queries), 500):
        numbers.update(matching_numbers(index, Or(tuple(queries[start : start + 500]))))
    documents = []
    for record, text in index.texts(numbers):
        counts = counter.count(searchable(record, text)[: thread_end(record, longest)])
        if counts:
            documents.append(DocumentMentions(record.id, dict(sorted(counts.items()))))
    yield from sorted(documents, key=lambda mentions: mentions.doc_id)
