"""Proposals for merging: other entities that may be the same, best first.

::

    score = 0.6 · similarity of the names + 0.2 · [same SUBTYPE] + 0.2 · cosine of the contexts

Only entities of the same TYPE that share three letters of a name in a row are looked at, so that nothing is compared with
everything.  A context is the 50 words around the mentions, weighted by tf · idf.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from lydite.align.ace_names import names_similarity
from lydite.corpus.analysis import placed_words
from lydite.corpus.documents import given_names
from lydite.corpus.merge import DocumentEntity, State
from lydite.corpus.names import grams_of
from lydite.grouping import grouped
from lydite.model.ace_names import normalise
from lydite.records import NamedTuple, dataclass

NAME_WEIGHT, SUBTYPE_WEIGHT, CONTEXT_WEIGHT = 0.6, 0.2, 0.2
CONTEXT_WORDS = 50
MINIMUM = 0.5

Text = Callable[[str], str | None]
"""The text of a document, if there is one."""


class Proposal(NamedTuple):
    """A member that may be the same, and why."""

    member: str
    score: float
    names: float
    subtype: bool
    context: float
    evidence: str
    """Its names."""


@dataclass(frozen=True, slots=True)
class _Known:
    names: tuple[str, ...]
    type: str
    subtype: str
    context: Mapping[str, float]


class Proposer:
    """The entities of a corpus, ready to be compared."""

    def __init__(self, entities: Mapping[str, DocumentEntity], text: Text = lambda _doc_id: None) -> None:
        self._entities = entities
        contexts = _contexts(entities, text)
        self._known = {
            member: _Known(
                names_of(entity),
                entity.element.attributes.get("TYPE", ""),
                entity.element.attributes.get("SUBTYPE", ""),
                contexts.get(member, {}),
            )
            for member, entity in entities.items()
        }
        self._holders = grouped(
            ((known.type, gram), member)
            for member, known in self._known.items()
            for gram in {gram for name in known.names for gram in grams_of(name)}
        )

    def propose(self, member: str, state: State, limit: int = 10) -> list[Proposal]:
        """The best members of other global entities for the one that holds ``member``; equal scores by member."""
        own = [self._known[one] for one in state.together(member)]
        names = tuple(sorted({name for known in own for name in known.names}))
        type_ = self._known[member].type
        subtypes = {known.subtype for known in own}
        context = _sum([known.context for known in own])
        barred = state.rejected_groups(member) | {state.group[member]}
        near = {
            other
            for gram in {gram for name in names for gram in grams_of(name)}
            for other in self._holders.get((type_, gram), ())
            if state.group[other] not in barred
        }
        found = [self._compared(other, names, subtypes, context) for other in near]
        return sorted(found, key=lambda proposal: (-proposal.score, proposal.member))[:limit]

    def _compared(
        self, other: str, names: Sequence[str], subtypes: Collection[str], context: Mapping[str, float]
    ) -> Proposal:
        known = self._known[other]
        alike = names_similarity(names, known.names, MINIMUM)
        same = known.subtype in subtypes
        near = cosine(context, known.context)
        score = NAME_WEIGHT * alike + SUBTYPE_WEIGHT * same + CONTEXT_WEIGHT * near
        return Proposal(other, score, alike, same, near, "; ".join(known.names))


def names_of(entity: DocumentEntity) -> tuple[str, ...]:
    """The names of an entity as they are compared; where it has none, the heads of its named mentions."""
    return tuple(sorted({normalise(name) for name in given_names(entity.element) if name.strip()}))


def _contexts(entities: Mapping[str, DocumentEntity], text: Text) -> dict[str, dict[str, float]]:
    counts: dict[str, Counter[str]] = {}
    frequency: Counter[str] = Counter()
    documents = 0
    for doc_id, held in grouped((entity.document, entity) for entity in entities.values()).items():
        given = text(doc_id)
        if given is None:
            continue
        documents += 1
        found = placed_words(given)
        frequency.update({token.word for token in found})
        starts = [token.start for token in found]
        for entity in held:
            counts[entity.member] = Counter(found[place].word for place in _around(entity, starts))
    return {
        member: {word: n * math.log((1 + documents) / (1 + frequency[word])) for word, n in words.items()}
        for member, words in counts.items()
    }


def _around(entity: DocumentEntity, starts: Sequence[int]) -> Iterable[int]:
    """The places of 50 words around the mentions, without those of the mentions themselves."""
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


def _sum(vectors: Iterable[Mapping[str, float]]) -> dict[str, float]:
    total: dict[str, float] = {}
    for vector in vectors:
        for word, value in vector.items():
            total[word] = total.get(word, 0.0) + value
    return total


def cosine(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    """The cosine of two vectors; 0 if one of them is empty."""
    shared = math.fsum(value * other[word] for word, value in sorted(one.items()) if word in other)
    lengths = [math.sqrt(math.fsum(value * value for value in vector.values())) for vector in (one, other)]
    return shared / (lengths[0] * lengths[1]) if all(lengths) else 0.0
