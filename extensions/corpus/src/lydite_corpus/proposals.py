"""Propose entities to merge with another one, best first.

::

    score = 0.6 · similarity of the names + 0.2 · [same SUBTYPE] + 0.2 · cosine of the contexts

To avoid comparing everything with everything, only entities of the same TYPE that share a 3-gram of a name are scored.
The context is the 50 words around each mention, weighted by tf · idf.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from lydite.align.ace_names import names_similarity
from lydite.grouping import grouped
from lydite.model.ace_names import normalise
from lydite_corpus.analysis import placed_words
from lydite_corpus.documents import names_of_entity
from lydite_corpus.merge import DocumentEntity, State
from lydite_corpus.names import grams_of

NAME_WEIGHT, SUBTYPE_WEIGHT, CONTEXT_WEIGHT = 0.6, 0.2, 0.2
CONTEXT_WORDS = 50
LEAST_NAME_SIMILARITY = 0.5

TextOf = Callable[[str], str | None]
"""Returns the text of a document, or None if there is none."""


class Proposal(NamedTuple):
    """An entity that may be the same, its score, and the parts of the score."""

    member: str
    score: float
    names: float
    subtype: bool
    context: float
    evidence: str
    """The names of the entity."""


@dataclass(frozen=True, slots=True)
class _EntityFeatures:
    names: tuple[str, ...]
    type: str
    subtype: str
    context: Mapping[str, float]


class Proposer:
    """Proposes merges among the entities of a corpus."""

    def __init__(self, entities: Mapping[str, DocumentEntity], text: TextOf = lambda _doc_id: None) -> None:
        self._entities = entities
        contexts = _contexts(entities, text)
        self._features = {
            member: _EntityFeatures(
                names_of(entity),
                entity.element.attributes.get("TYPE", ""),
                entity.element.attributes.get("SUBTYPE", ""),
                contexts.get(member, {}),
            )
            for member, entity in entities.items()
        }
        self._members_by_gram = grouped(
            ((features.type, gram), member)
            for member, features in self._features.items()
            for gram in {gram for name in features.names for gram in grams_of(name)}
        )

    def propose(self, member: str, state: State, limit: int = 10) -> list[Proposal]:
        """Return the best candidates from other global entities for the one of ``member``; equal scores by member."""
        own = [self._features[one] for one in state.members_with(member)]
        names = tuple(sorted({name for features in own for name in features.names}))
        type_ = self._features[member].type
        subtypes = {features.subtype for features in own}
        context = _add_vectors([features.context for features in own])
        excluded = state.rejected_groups(member) | {state.group[member]}
        candidates = {
            other
            for gram in {gram for name in names for gram in grams_of(name)}
            for other in self._members_by_gram.get((type_, gram), ())
            if state.group[other] not in excluded
        }
        proposals = [self._score_candidate(other, names, subtypes, context) for other in candidates]
        return sorted(proposals, key=lambda proposal: (-proposal.score, proposal.member))[:limit]

    def _score_candidate(
        self, other: str, names: Sequence[str], subtypes: Collection[str], context: Mapping[str, float]
    ) -> Proposal:
        features = self._features[other]
        similarity = names_similarity(names, features.names, LEAST_NAME_SIMILARITY)
        same_subtype = features.subtype in subtypes
        context_similarity = cosine(context, features.context)
        score = NAME_WEIGHT * similarity + SUBTYPE_WEIGHT * same_subtype + CONTEXT_WEIGHT * context_similarity
        return Proposal(other, score, similarity, same_subtype, context_similarity, "; ".join(features.names))


def names_of(entity: DocumentEntity) -> tuple[str, ...]:
    """Return the normalised names of an entity; if it has none, the heads of its named mentions."""
    return tuple(sorted({normalise(name) for name in names_of_entity(entity.element) if name.strip()}))


def _contexts(entities: Mapping[str, DocumentEntity], text: TextOf) -> dict[str, dict[str, float]]:
    """Return the weighted context words of every entity whose document has a text."""
    counts: dict[str, Counter[str]] = {}
    frequency: Counter[str] = Counter()
    documents = 0
    for doc_id, own in grouped((entity.document, entity) for entity in entities.values()).items():
        document_text = text(doc_id)
        if document_text is None:
            continue
        documents += 1
        words = placed_words(document_text)
        frequency.update({word.word for word in words})
        starts = [word.start for word in words]
        for entity in own:
            counts[entity.member] = Counter(words[place].word for place in _context_positions(entity, starts))
    return {
        member: {word: n * math.log((1 + documents) / (1 + frequency[word])) for word, n in own.items()}
        for member, own in counts.items()
    }


def _context_positions(entity: DocumentEntity, starts: Sequence[int]) -> Iterable[int]:
    """Return the positions of the 50 words around each mention of an entity, without the mentions themselves."""
    from bisect import bisect_left

    half = CONTEXT_WORDS // 2
    near: set[int] = set()
    own: set[int] = set()
    for mention in entity.element.mentions:
        region = mention.head or mention.extent
        if region is None or region.boxes:
            continue
        first, last = bisect_left(starts, region.start), bisect_left(starts, region.end)
        own.update(range(first, last))
        near.update(range(max(0, first - half), min(len(starts), last + half)))
    return sorted(near - own)


def _add_vectors(vectors: Iterable[Mapping[str, float]]) -> dict[str, float]:
    total: dict[str, float] = {}
    for vector in vectors:
        for word, value in vector.items():
            total[word] = total.get(word, 0.0) + value
    return total


def cosine(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    """Return the cosine of two vectors; 0 if one of them is empty."""
    shared = math.fsum(value * other[word] for word, value in sorted(one.items()) if word in other)
    lengths = [math.sqrt(math.fsum(value * value for value in vector.values())) for vector in (one, other)]
    return shared / (lengths[0] * lengths[1]) if all(lengths) else 0.0
