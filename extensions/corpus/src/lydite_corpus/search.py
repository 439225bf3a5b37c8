"""Search an index: parse a query, rank the documents, find passages.

Scores are the engine's BM25 (k1 = 1.2, b = 0.75), with document lengths as it rounds them.  A phrase counts as a term
with its own document frequency.  A word with diacritics finds only that spelling, one without finds every spelling.
Filters and negated parts add nothing to a score, the beginning of a word (``begin*``) adds 1.
"""

from __future__ import annotations

import heapq
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from lydite.grouping import grouped
from lydite.model.plain import plain
from lydite_corpus.analysis import PlacedWord, folded, is_cjk_character, placed_words, unfolded, words
from lydite_corpus.index import UNFOLDED, WORDS, Index, Record, date_number, engine, searchable
from lydite_corpus.query import (
    And,
    Filter,
    Like,
    Node,
    Not,
    Or,
    QueryError,
    TargetNames,
    Words,
    parse,
    parse_filter,
)

LIKE_TERMS = 25
"""How many words of an example ``like:`` searches for."""
PASSAGE_CONTEXT = 60
"""Characters before and after the hits of a passage."""
MAX_TIED_HITS = 1000
"""How many documents that may share the last score are fetched, before all documents are."""
MAX_FACET_VALUES = 16_000
"""How many values of a field are counted: the engine gives up at 65,000 of all fields together."""
PASSAGE_WIDTH = 160
"""Hits within so many characters share a passage."""

NameForms = Mapping[str, Sequence[str]]
"""The names of targets by id: what ``profile:ID`` stands for."""


class Passage(NamedTuple):
    """A piece of a text and the hits to be highlighted; all offsets are those of the whole text."""

    text: str
    start: int
    end: int
    marks: tuple[tuple[int, int], ...]


class Hit(NamedTuple):
    """A document that was found."""

    document: str
    score: float
    date: str
    genre: str
    source: str
    language: str
    passages: tuple[Passage, ...]


class SearchResults(NamedTuple):
    """The number of documents found, and the best of them."""

    total: int
    hits: tuple[Hit, ...]

    def to_dict(self) -> dict[str, object]:
        """Return the JSON output."""
        return {"total": self.total, "hits": plain(self.hits)}


class SearchTerm(NamedTuple):
    """Words to find one after the other; ``unfolded`` is None if diacritics do not matter."""

    words: tuple[str, ...]
    unfolded: tuple[str, ...] | None = None
    prefix: bool = False


def search(
    index: Index,
    query: str,
    *,
    filters: Mapping[str, str] | None = None,
    limit: int = 10,
    offset: int = 0,
    passages: int = 3,
    names: NameForms | None = None,
) -> SearchResults:
    """Return the best documents for a query; documents with equal scores are ordered by id.

    ``filters`` (``date``, ``genre``, ``source``, ``lang``) restrict the search as they do in a query; with filters, the
    query may be empty.
    """
    node = restrict_query(query, filters or {})
    compiler = _Compiler(index, names or {}, query)
    total, ranked = _rank(index, compiler.query(node), offset + limit)
    search_terms = list(compiler.search_terms(node))
    hits = [_make_hit(index, row, search_terms, passages) for row in ranked[offset:]]
    return SearchResults(total, tuple(hits))


def restrict_query(query: str, filters: Mapping[str, str]) -> Node:
    """Parse a query and the filters given beside it into one tree."""
    parsed_filters = [parse_filter(key, value) for key, value in filters.items() if value]
    if parsed_filters and not query.strip():
        return And(tuple(parsed_filters))
    return And((parse(query), *parsed_filters)) if parsed_filters else parse(query)


def facets(
    index: Index, query: str, *, filters: Mapping[str, str] | None = None, names: NameForms | None = None
) -> dict[str, dict[str, int]]:
    """Count the documents found by genre, source, language and month (the most frequent values of each)."""
    compiled = _Compiler(index, names or {}, query).query(restrict_query(query, filters or {}))
    fields = ("genre", "source", "language", "month")
    request = {name: {"terms": {"field": name, "size": MAX_FACET_VALUES}} for name in fields}
    answer = index.searcher.aggregate(compiled, request)
    return {
        name: dict(sorted((str(one["key"]), int(one["doc_count"])) for one in answer[name]["buckets"]))
        for name in fields
    }


def matching_numbers(index: Index, node: Node) -> list[int]:
    """Return the numbers of all documents that a parsed query finds."""
    compiled = _Compiler(index, {}, "").query(node)
    found = index.searcher.search(compiled, limit=max(1, index.searcher.num_docs), count=False)
    return index.numbers([address for _, address in found.hits])


def _rank(index: Index, query: object, limit: int) -> tuple[int, list[tuple[float, object, int]]]:
    """Return the number of documents found, and the first of them by score, then id: score, address, number."""
    searcher = index.searcher
    limit = min(limit, searcher.num_docs)  # the engine allocates room for the whole limit
    if limit < 1:
        return searcher.search(query, limit=1).count, []
    found = searcher.search(query, limit=limit + 1)
    hits = found.hits
    for larger_limit in (limit + MAX_TIED_HITS, searcher.num_docs):
        if len(hits) > limit and hits[-1][0] == hits[limit - 1][0]:
            # The last score is shared: all documents with it are needed to see which ids come first.
            hits = searcher.search(query, limit=larger_limit).hits
    last = hits[min(limit, len(hits)) - 1][0] if hits else 0.0
    hits = [hit for hit in hits if hit[0] >= last]
    numbers = index.numbers([address for _, address in hits])
    rows = [(score, address, number) for (score, address), number in zip(hits, numbers, strict=True)]
    ids = index.ids if len(rows) > 50 else {number: index.record_of(number).id for number in numbers}
    return found.count, heapq.nsmallest(limit, rows, key=lambda row: (-row[0], ids[row[2]]))


# ----------------------------------------------------------------------------------------------------- compiling


def idf(count: int, documents: int) -> float:
    """Return ln(1 + (N − n + ½) / (n + ½)), the weight that the engine gives a term."""
    return math.log(1 + (documents - count + 0.5) / (count + 0.5))


class _Compiler:
    """Compiles trees into queries of the engine, and into the terms to highlight in texts."""

    def __init__(self, index: Index, names: NameForms, query: str) -> None:
        self._index = index
        self._names = names
        self._text = query
        self._tantivy = engine()

    def query(self, node: Node) -> object:
        """Compile a tree into a query of the engine."""
        match node:
            case And():
                return self._all_of(node)
            case Or():
                return self._any_of([self.query(child) for child in node.children])
            case Not():
                return self._all_of(And((node,)))
            case Words():
                return self._words(node)
            case TargetNames():
                return self._any_of([self._words(Words(name)) for name in self._distinct_names(node)])
            case Like():
                return self._like(node)
            case Filter():
                return self._filter(node)

    def search_terms(self, node: Node) -> Iterator[SearchTerm]:
        """Return the terms to highlight: all that are not negated."""
        if isinstance(node, And | Or):
            for child in node.children:
                yield from self.search_terms(child)
        elif isinstance(node, Words):
            yield search_term_of(node)
        elif isinstance(node, TargetNames):
            yield from (search_term_of(Words(name)) for name in self._distinct_names(node))
        elif isinstance(node, Like):
            yield from (SearchTerm((word,)) for word, _ in self._example(node))

    def _unscored(self, query: object) -> object:
        """Return a query that finds the same documents and adds nothing to their scores."""
        return self._tantivy.Query.const_score_query(query, 0.0)

    def _any_of(self, queries: Sequence[object]) -> object:
        should = self._tantivy.Occur.Should
        if not queries:
            return self._tantivy.Query.empty_query()
        return self._tantivy.Query.boolean_query([(should, query) for query in queries])

    def _all_of(self, node: And) -> object:
        """Return a query for documents that match every child, and none of the negated ones."""
        occur = self._tantivy.Occur
        parts = [(occur.Must, self.query(child)) for child in node.children if not isinstance(child, Not)]
        if not parts:
            parts = [(occur.Must, self._unscored(self._tantivy.Query.all_query()))]
        parts += [(occur.MustNot, self.query(one.child)) for one in node.children if isinstance(one, Not)]
        return self._tantivy.Query.boolean_query(parts)

    def _words(self, node: Words) -> object:
        """Compile a word, a phrase or the beginning of a word."""
        term = search_term_of(node)
        any_spelling = self._term(WORDS, term.words, prefix=term.prefix)
        if term.unfolded is None:
            return any_spelling
        this_spelling = self._unscored(self._term(UNFOLDED, term.unfolded, prefix=term.prefix))
        must = self._tantivy.Occur.Must
        return self._tantivy.Query.boolean_query([(must, any_spelling), (must, this_spelling)])

    def _term(self, field: str, term_words: tuple[str, ...], *, prefix: bool) -> object:
        query, schema = self._tantivy.Query, self._index.opened.schema
        first = term_words[0]
        if prefix:
            return query.regex_query(schema, field, f"{re.escape(first)}.*")
        if len(term_words) > 1:
            return self._phrase(field, term_words)
        if is_cjk_character(first):
            return query.regex_query(schema, field, f".?{first}|{first}.?")
        return query.term_query(schema, field, first)

    def _phrase(self, field: str, phrase_words: tuple[str, ...]) -> object:
        """Compile a phrase, weighted by its own document frequency: the engine adds up those of its words."""
        searcher = self._index.searcher
        phrase = self._tantivy.Query.phrase_query(self._index.opened.schema, field, list(phrase_words))
        count = searcher.search(phrase, limit=1).count
        weight = math.fsum(idf(searcher.doc_freq(field, word), searcher.num_docs) for word in phrase_words)
        if not count or not weight:
            return phrase
        return self._tantivy.Query.boost_query(phrase, idf(count, searcher.num_docs) / weight)

    def _distinct_names(self, node: TargetNames) -> list[str]:
        """Return the names of a target; of those that the index does not distinguish, only one."""
        if node.target not in self._names:
            hint = "name the file of targets" if not self._names else None
            message = f"expected the id of a target, found {node.target!r}"
            raise QueryError(self._text, node.column, message, hint=hint)
        forms = {search_term_of(Words(name)): name for name in self._names[node.target] if words(name)}
        return list(forms.values())

    def _like(self, node: Like) -> object:
        """Compile the heaviest words of an example, weighted by f · idf; exclude the example itself."""
        example = self._example(node)
        query, schema = self._tantivy.Query, self._index.opened.schema
        terms = [query.boost_query(query.term_query(schema, WORDS, word), weight) for word, weight in example]
        found = self._any_of(terms)
        if not node.is_document:
            return found
        itself = query.term_query(schema, "number", self._index.record(node.text).number)
        occur = self._tantivy.Occur
        return query.boolean_query([(occur.Must, found), (occur.MustNot, itself)])

    def _example(self, node: Like) -> list[tuple[str, float]]:
        """Return the heaviest words of an example with their weights, relative to the heaviest."""
        text = node.text
        if node.is_document:
            text = searchable(self._index.record(node.text), self._index.text(node.text))
        searcher = self._index.searcher
        weights = {}
        for word, count in Counter(words(text)).items():
            documents = searcher.doc_freq(WORDS, word)
            if documents:
                weights[word] = count * idf(documents, searcher.num_docs)
        best = sorted(weights.items(), key=lambda item: (-item[1], item[0]))[:LIKE_TERMS]
        return [(word, weight / best[0][1]) for word, weight in best if weight > 0]

    def _filter(self, node: Filter) -> object:
        """Compile a filter: documents with one of the values, or with a date in the range."""
        query, schema = self._tantivy.Query, self._index.opened.schema
        if node.field != "date":
            return self._unscored(query.term_set_query(schema, node.field, list(node.values)))
        first, last = node.values
        low = date_number(first) if first else None
        high = date_number(last, last=True) if last else None
        return self._unscored(query.range_query(schema, "date", self._tantivy.FieldType.Unsigned, low, high))


def search_term_of(node: Words) -> SearchTerm:
    """Return the words of a node to search for, unfolded only if it has diacritics."""
    without, with_diacritics = tuple(words(node.text, folded)), tuple(words(node.text, unfolded))
    return SearchTerm(without, with_diacritics if with_diacritics != without else None, node.prefix)


# ------------------------------------------------------------------------------------------------------ passages


def _make_hit(index: Index, row: tuple[float, object, int], terms: Sequence[SearchTerm], limit: int) -> Hit:
    score, address, number = row
    record = index.record_of(number)
    passages = find_passages(record, index.text_at(address), terms, limit) if limit else []
    return Hit(record.id, score, record.date, record.genre, record.source, record.language, tuple(passages))


def find_passages(record: Record, text: str, terms: Sequence[SearchTerm], limit: int) -> list[Passage]:
    """Return the passages with the most terms, in the order of the text."""
    marks = find_longest_terms(placed_words(searchable(record, text)), terms)
    groups: list[list[TermPlace]] = []
    for mark in marks:
        if groups and mark[1] <= groups[-1][0][0] + PASSAGE_WIDTH:
            groups[-1].append(mark)
        else:
            groups.append([mark])
    groups.sort(key=lambda group: (-len({term for *_, term in group}), -len(group), group[0]))
    passages: list[Passage] = []
    for group in sorted(groups[:limit]):
        before = passages[-1].end if passages else 0
        start = max(before, _nearest_word_boundary(text, max(0, group[0][0] - PASSAGE_CONTEXT), 1))
        end = _nearest_word_boundary(text, min(len(text), max(one[1] for one in group) + PASSAGE_CONTEXT), -1)
        following = next((mark[0] for mark in marks if mark[0] >= group[-1][1]), len(text))
        start, end = min(start, group[0][0]), max(min(end, following), *(mark[1] for mark in group))
        spans = tuple(dict.fromkeys((first, last) for first, last, _ in group))
        passages.append(Passage(text[start:end], start, end, spans))
    return passages


def _nearest_word_boundary(text: str, offset: int, step: int) -> int:
    """Return the nearest offset between words, forwards or backwards; the offset itself if there is none nearby."""
    if offset in {0, len(text)}:
        return offset
    for at in range(offset, offset + 20 * step, step):
        if 0 < at < len(text) and text[at - 1 if step > 0 else at].isspace():
            return at
    return offset


TermPlace = tuple[int, int, int]
"""Start and end of a term in a text, and the number of the term."""


def find_longest_terms(text: Sequence[PlacedWord], terms: Sequence[SearchTerm]) -> list[TermPlace]:
    """Find terms in a text, in order; of overlapping ones the first, then the longest, then by number."""
    return without_overlaps(find_terms(text, terms))


def without_overlaps(places: Iterable[TermPlace]) -> list[TermPlace]:
    """Return those of sorted places that overlap none returned before them."""
    separate: list[TermPlace] = []
    for place in places:
        if not separate or place[0] >= separate[-1][1]:
            separate.append(place)
    return separate


def find_terms(text: Sequence[PlacedWord], terms: Sequence[SearchTerm]) -> list[TermPlace]:
    """Find every occurrence of every term in a text, sorted by start; the longest first at the same start."""
    positions = grouped((word.word, position) for position, word in enumerate(text))
    places = []
    for number, term in enumerate(terms):
        for position in _candidate_positions(term, positions):
            inside = text[position : position + len(term.words)]
            if len(term.words) > 1 and tuple(word.word for word in inside) != term.words:
                continue
            if term.unfolded is not None and not _is_spelled_so(term, inside):
                continue
            places.append((inside[0].start, inside[-1].end, number))
    return sorted(places, key=lambda place: (place[0], -place[1], place[2]))


def _is_spelled_so(term: SearchTerm, text: Sequence[PlacedWord]) -> bool:
    """Whether words have the diacritics of a term."""
    spelling = tuple(word.unfolded for word in text)
    assert term.unfolded is not None
    return spelling[0].startswith(term.unfolded[0]) if term.prefix else spelling == term.unfolded


def _candidate_positions(term: SearchTerm, positions_by_word: Mapping[str, Sequence[int]]) -> Iterator[int]:
    """Return the positions of words with which an occurrence of a term may begin."""
    first = term.words[0]
    if term.prefix or (is_cjk_character(first) and len(term.words) == 1):
        fits = str.startswith if term.prefix else str.__contains__
        for word, positions in positions_by_word.items():
            if fits(word, first):
                yield from positions
    else:
        yield from positions_by_word.get(first, ())
