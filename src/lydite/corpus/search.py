"""Searching: a parsed query in, ranked documents with passages out.

Scores are the engine's BM25 (k1 = 1.2, b = 0.75), with lengths of documents as it rounds them.  A phrase counts as a
term with its own document frequency.  A word with marks asks for them; one without finds every spelling.  Beginnings
of words, filters and what is negated add nothing to a score beyond the 1 of a beginning that is found.
"""

from __future__ import annotations

import heapq
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from lydite.corpus.analysis import PlacedWord, folded, is_cjk_character, placed_words, unfolded, words
from lydite.corpus.index import UNFOLDED, WORDS, Index, Record, date_number, engine, searchable
from lydite.corpus.query import (
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
from lydite.grouping import grouped
from lydite.model.plain import plain
from lydite.records import NamedTuple

LIKE_TERMS = 25
"""So many words of an example are looked for."""
CONTEXT = 60
"""Characters around what was found in a passage."""
SHARING = 1000
"""So many documents that may share the last score are fetched before all are."""
MOST_VALUES = 16_000
"""So many values of a field are counted: the engine gives up at 65,000 of all fields."""
WIDTH = 160
"""Finds within so many characters share a passage."""

NameForms = Mapping[str, Sequence[str]]
"""The names of targets by id: what ``profile:ID`` stands for."""


class Passage(NamedTuple):
    """A piece of a text; all places are those of the whole text as given."""

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


class Results(NamedTuple):
    """How many documents were found, and the best of them."""

    total: int
    hits: tuple[Hit, ...]

    def to_dict(self) -> dict[str, object]:
        """As it stands in the JSON output."""
        return {"total": self.total, "hits": plain(self.hits)}


class Leaf(NamedTuple):
    """Words to be marked in a text, one after the other; ``unfolded`` is None where marks do not matter."""

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
) -> Results:
    """The best documents for a query; equal scores are ordered by document id.

    ``filters`` (``date``, ``genre``, ``source``, ``lang``) restrict what is found, as in the query itself; with filters
    the query may be empty.
    """
    node = restricted(query, filters or {})
    compiler = _Compiler(index, names or {}, query)
    compiled = compiler.query(node)
    total, ranked = _ranked(index, compiled, offset + limit)
    leaves = list(compiler.leaves(node))
    hits = [_hit(index, found_at, leaves, passages) for found_at in ranked[offset:]]
    return Results(total, tuple(hits))


def restricted(query: str, filters: Mapping[str, str]) -> Node:
    """The tree of a query and of filters that stand beside it."""
    given = [parse_filter(key, value) for key, value in filters.items() if value]
    if given and not query.strip():
        return And(tuple(given))
    return And((parse(query), *given)) if given else parse(query)


def facets(
    index: Index, query: str, *, filters: Mapping[str, str] | None = None, names: NameForms | None = None
) -> dict[str, dict[str, int]]:
    """How many of the documents found there are by genre, source, language and month; of very many values the largest."""
    compiled = _Compiler(index, names or {}, query).query(restricted(query, filters or {}))
    asked = {
        name: {"terms": {"field": name, "size": MOST_VALUES}}
        for name in ("genre", "source", "language", "month")
    }
    found = index.searcher.aggregate(compiled, asked)
    return {
        name: dict(
            sorted((str(bucket["key"]), int(bucket["doc_count"])) for bucket in found[name]["buckets"])
        )
        for name in asked
    }


def matching(index: Index, node: Node) -> list[int]:
    """The numbers of all documents that a parsed query finds."""
    compiled = _Compiler(index, {}, "").query(node)
    found = index.searcher.search(compiled, limit=max(1, index.searcher.num_docs), count=False)
    return index.numbers([address for _, address in found.hits])


def _ranked(index: Index, query: object, limit: int) -> tuple[int, list[tuple[float, object, int]]]:
    """The first documents by score, then id; as many are fetched as share the last score."""
    searcher = index.searcher
    limit = min(limit, searcher.num_docs)  # the engine makes room for all that it is asked for
    if limit < 1:
        return searcher.search(query, limit=1).count, []
    found = searcher.search(query, limit=limit + 1)
    hits = found.hits
    for more in (limit + SHARING, searcher.num_docs):
        if len(hits) > limit and hits[-1][0] == hits[limit - 1][0]:
            # The last score is shared: all that have it are needed to see which ids come first.
            hits = searcher.search(query, limit=more).hits
    last = hits[min(limit, len(hits)) - 1][0] if hits else 0.0
    hits = [hit for hit in hits if hit[0] >= last]
    numbers = index.numbers([address for _, address in hits])
    rows = [(score, address, number) for (score, address), number in zip(hits, numbers, strict=True)]
    ids = index.ids if len(rows) > 50 else {number: index.record_of(number).id for number in numbers}
    return found.count, heapq.nsmallest(limit, rows, key=lambda row: (-row[0], ids[row[2]]))


# ----------------------------------------------------------------------------------------------------- compiling


def idf(count: int, documents: int) -> float:
    """ln(1 + (N − n + ½) / (n + ½)), as the engine weighs a term."""
    return math.log(1 + (documents - count + 0.5) / (count + 0.5))


class _Compiler:
    """Trees to queries of the engine, and to what is marked in texts."""

    def __init__(self, index: Index, names: NameForms, query: str) -> None:
        self._index = index
        self._names = names
        self._text = query
        self._tantivy = engine()

    def query(self, node: Node) -> object:
        """The engine's query."""
        match node:
            case And():
                return self._and(node)
            case Or():
                return self._any_of([self.query(child) for child in node.children])
            case Not():  # every document without the child
                return self._and(And((node,)))
            case Words():
                return self._words(node)
            case TargetNames():
                return self._any_of([self._words(Words(name)) for name in self._forms(node)])
            case Like():
                return self._like(node)
            case Filter():
                return self._filter(node)

    def leaves(self, node: Node) -> Iterator[Leaf]:
        """What is marked: everything that is not negated."""
        if isinstance(node, And | Or):
            for child in node.children:
                yield from self.leaves(child)
        elif isinstance(node, Words):
            yield leaf_of(node)
        elif isinstance(node, TargetNames):
            yield from (leaf_of(Words(name)) for name in self._forms(node))
        elif isinstance(node, Like):
            yield from (Leaf((word,)) for word, _ in self._example(node))

    def _silent(self, query: object) -> object:
        """A query that finds the same and adds nothing to a score."""
        return self._tantivy.Query.const_score_query(query, 0.0)

    def _any_of(self, queries: Sequence[object]) -> object:
        should = self._tantivy.Occur.Should
        if not queries:
            return self._tantivy.Query.empty_query()
        return self._tantivy.Query.boolean_query([(should, query) for query in queries])

    def _and(self, node: And) -> object:
        """All children; those that are negated take documents out."""
        occur = self._tantivy.Occur
        wanted = [child for child in node.children if not isinstance(child, Not)]
        parts = [(occur.Must, self.query(child)) for child in wanted]
        if not wanted:
            parts = [(occur.Must, self._silent(self._tantivy.Query.all_query()))]
        parts += [
            (occur.MustNot, self.query(child.child)) for child in node.children if isinstance(child, Not)
        ]
        return self._tantivy.Query.boolean_query(parts)

    def _words(self, node: Words) -> object:
        """A term, a phrase or a beginning."""
        leaf = leaf_of(node)
        found = self._query_of_terms(WORDS, leaf.words, prefix=leaf.prefix)
        if leaf.unfolded is None:
            return found
        with_marks = self._silent(self._query_of_terms(UNFOLDED, leaf.unfolded, prefix=leaf.prefix))
        must = self._tantivy.Occur.Must
        return self._tantivy.Query.boolean_query([(must, found), (must, with_marks)])

    def _query_of_terms(self, field: str, terms: tuple[str, ...], *, prefix: bool) -> object:
        query, schema = self._tantivy.Query, self._index.opened.schema
        if prefix:
            return query.regex_query(schema, field, f"{re.escape(terms[0])}.*")
        if len(terms) > 1:
            return self._phrase(field, terms)
        if is_cjk_character(terms[0]):
            return query.regex_query(schema, field, f".?{terms[0]}|{terms[0]}.?")
        return query.term_query(schema, field, terms[0])

    def _phrase(self, field: str, terms: tuple[str, ...]) -> object:
        """A phrase, weighted by its own document frequency where the engine adds up those of its words."""
        searcher = self._index.searcher
        phrase = self._tantivy.Query.phrase_query(self._index.opened.schema, field, list(terms))
        count = searcher.search(phrase, limit=1).count
        weight = math.fsum(idf(searcher.doc_freq(field, term), searcher.num_docs) for term in terms)
        if not count or not weight:
            return phrase
        return self._tantivy.Query.boost_query(phrase, idf(count, searcher.num_docs) / weight)

    def _forms(self, node: TargetNames) -> list[str]:
        if node.target not in self._names:
            hint = "name the file of targets" if not self._names else None
            raise QueryError(
                self._text, node.column, f"expected the id of a target, found {node.target!r}", hint=hint
            )
        # Two spellings that are one to the index must not count twice.
        forms = {leaf_of(Words(name)): name for name in self._names[node.target] if words(name)}
        return list(forms.values())

    def _like(self, node: Like) -> object:
        """The heaviest words of the example, each weighted by f · idf against the heaviest; never the example itself."""
        example = self._example(node)
        query, schema = self._tantivy.Query, self._index.opened.schema
        found = self._any_of(
            [query.boost_query(query.term_query(schema, WORDS, word), weight) for word, weight in example]
        )
        if not node.is_document:
            return found
        itself = query.term_query(schema, "number", self._index.record(node.text).number)
        occur = self._tantivy.Occur
        return query.boolean_query([(occur.Must, found), (occur.MustNot, itself)])

    def _example(self, node: Like) -> list[tuple[str, float]]:
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
        """Documents with one of the values, or with a date in a range."""
        query, schema = self._tantivy.Query, self._index.opened.schema
        if node.field != "date":
            return self._silent(query.term_set_query(schema, node.field, list(node.values)))
        first, last = node.values
        low = date_number(first) if first else None
        high = date_number(last, last=True) if last else None
        unsigned = self._tantivy.FieldType.Unsigned
        return self._silent(query.range_query(schema, "date", unsigned, low, high))


def leaf_of(node: Words) -> Leaf:
    """The words of a node, and their marks where it has any."""
    plain, kept = tuple(words(node.text, folded)), tuple(words(node.text, unfolded))
    return Leaf(plain, kept if kept != plain else None, node.prefix)


# ------------------------------------------------------------------------------------------------------ passages


def _hit(index: Index, found_at: tuple[float, object, int], leaves: Sequence[Leaf], most: int) -> Hit:
    score, address, number = found_at
    record = index.record_of(number)
    found = passages_of(record, index.text_at(address), leaves, most) if most else []
    return Hit(record.id, score, record.date, record.genre, record.source, record.language, tuple(found))


def passages_of(record: Record, text: str, leaves: Sequence[Leaf], most: int) -> list[Passage]:
    """The pieces of a text that hold most of what was looked for, in the order of the text."""
    marks = places(placed_words(searchable(record, text)), leaves)
    groups: list[list[Place]] = []
    for mark in marks:
        if groups and mark[1] <= groups[-1][0][0] + WIDTH:
            groups[-1].append(mark)
        else:
            groups.append([mark])
    best = sorted(groups, key=lambda group: (-len({leaf for *_, leaf in group}), -len(group), group[0]))[
        :most
    ]
    passages: list[Passage] = []
    for group in sorted(best):
        before = passages[-1].end if passages else 0
        start = max(before, _cut(text, max(0, group[0][0] - CONTEXT), 1))
        end = _cut(text, min(len(text), max(mark[1] for mark in group) + CONTEXT), -1)
        following = next((mark[0] for mark in marks if mark[0] >= group[-1][1]), len(text))
        start, end = min(start, group[0][0]), max(min(end, following), *(mark[1] for mark in group))
        spans = tuple(dict.fromkeys((first, last) for first, last, _ in group))
        passages.append(Passage(text[start:end], start, end, spans))
    return passages


def _cut(text: str, place: int, step: int) -> int:
    """The nearest place between words, forwards or backwards, not far away."""
    if place in {0, len(text)}:
        return place
    for distance in range(20):
        at = place + step * distance
        if 0 < at < len(text) and text[at - 1 if step > 0 else at].isspace():
            return at
    return place


Place = tuple[int, int, int]
"""Start and end in a text, and the number of the leaf that stands there."""


def places(found: Sequence[PlacedWord], leaves: Sequence[Leaf]) -> list[Place]:
    """Where leaves stand in a text, in order; of overlapping ones the longest, of equal ones the first."""
    return apart(all_places(found, leaves))


def apart(spans: Iterable[Place]) -> list[Place]:
    """Those of sorted places that overlap none before them."""
    kept: list[Place] = []
    for span in spans:
        if not kept or span[0] >= kept[-1][1]:
            kept.append(span)
    return kept


def all_places(found: Sequence[PlacedWord], leaves: Sequence[Leaf]) -> list[Place]:
    """Every leaf at every place of a text, sorted; of those that begin at one place the longest first."""
    at = grouped((token.word, position) for position, token in enumerate(found))
    spans = []
    for number, leaf in enumerate(leaves):
        for position in _positions(leaf, at):
            inside = found[position : position + len(leaf.words)]
            if len(leaf.words) > 1 and tuple(token.word for token in inside) != leaf.words:
                continue
            if leaf.unfolded is not None and not _has_marks(leaf, inside):
                continue
            spans.append((inside[0].start, inside[-1].end, number))
    return sorted(spans, key=lambda span: (span[0], -span[1], span[2]))


def _has_marks(leaf: Leaf, inside: Sequence[PlacedWord]) -> bool:
    kept = tuple(token.unfolded for token in inside)
    assert leaf.unfolded is not None
    return kept[0].startswith(leaf.unfolded[0]) if leaf.prefix else kept == leaf.unfolded


def _positions(leaf: Leaf, at: Mapping[str, Sequence[int]]) -> Iterator[int]:
    first = leaf.words[0]
    if leaf.prefix or (is_cjk_character(first) and len(leaf.words) == 1):
        fits = str.startswith if leaf.prefix else str.__contains__
        for word, positions in at.items():
            if fits(word, first):
                yield from positions
    else:
        yield from at.get(first, ())
