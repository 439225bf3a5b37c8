"""B-cubed over ACE entities, as the 2008 scorer computes it (Bagga & Baldwin 1998, with partial matches).

For a gold entity R and a system entity S, C(R, S) counts the mentions of R that match a mention of S, and G(R, S)
adds their best scores.  A gold mention of R earns the largest C(R, S) / |R| over the system entities that match it; a
system mention of S the largest C(R, S) / |S| over the gold entities that match it.  Value-weighted, G stands for C and
the sum of self scores for the size.  A maximum is taken, not a sum, where a mention matches several entities.

The official scorer counts gold mentions in C also for precision, which can then exceed 1; with the quirk
``b-cubed-precision-counts-gold`` off, system mentions are counted.

The document-list variant takes occurrences of entities in documents as items, each worth w[LEVEL]; a match is worth
the smaller of the two, as among mentions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from math import fsum
from typing import Literal, TypeVar

from lydite.grouping import grouped
from lydite.metrics.ace_value import CONDITIONS
from lydite.metrics.base import Law, MetricDeclaration
from lydite.model import Tally
from lydite.model.ace_alignment import AceAlignment, CorpusElement, KindAlignment, MentionMatch, Occurrence

T = TypeVar("T")
ItemWeights = Callable[[Occurrence], list[tuple[str, float]]]
"""A function to the items of an occurrence: level and weight of each."""


@dataclass(slots=True, eq=False)
class WeighedItem:
    """A mention (or an occurrence) of one side with what it earned, as a count and by value."""

    element: CorpusElement
    occurrence: Occurrence
    level: str
    is_gold: bool
    weight: float
    count_credit: float
    value_credit: float

    def set_credit(self, common: Sequence[tuple[int, float]], of: tuple[int, float]) -> None:
        """Set the credits to the largest share of its element that an element matching the item has in common with it."""
        counts, values = common[0] if len(common) == 1 else map(max, zip(*common, strict=True))
        size, mass = of
        self.count_credit = counts / size
        self.value_credit = values / mass if mass else 0.0


Match = tuple[tuple[WeighedItem, WeighedItem], float]
"""An item of gold and one of the system, and their score."""
Matches = tuple[tuple[str, str], list[Match]]
"""A gold and a system element, and their matches."""


def _mention_weights(occurrence: Occurrence) -> list[tuple[str, float]]:
    return [(mention.type, mention.self_score) for mention in occurrence.mentions]


Items = Mapping[tuple[str, str], list[WeighedItem]]
"""The items of a side by element and document."""
Sizes = Mapping[str, tuple[int, float]]
"""The number of items and their total weight, by element."""


def _weigh_items(
    elements: Mapping[str, CorpusElement], item_weights: ItemWeights, *, is_gold: bool
) -> tuple[Items, Sizes]:
    items: dict[tuple[str, str], list[WeighedItem]] = {}
    sizes: dict[str, tuple[int, float]] = {}
    for element in elements.values():
        weights: list[float] = []
        for doc_id, occurrence in element.occurrences.items():
            of_occurrence = items[element.id, doc_id] = [
                WeighedItem(element, occurrence, level, is_gold, weight, 0.0, 0.0)
                for level, weight in item_weights(occurrence)
            ]
            weights += [item.weight for item in of_occurrence]
        sizes[element.id] = len(weights), fsum(weights)
    return items, sizes


def b_cubed_items(alignment: AceAlignment) -> dict[str, list[WeighedItem]]:
    """All mentions of entities by document, gold ones first, with their credits."""

    def match(
        gold: Sequence[WeighedItem], system: Sequence[WeighedItem], mentions: Sequence[MentionMatch]
    ) -> list[Match]:
        return [((gold[i], system[j]), score) for i, j, score in mentions]

    return _credit_items(alignment, _mention_weights, alignment.matches["entity"], match)


def b_cubed_documents(alignment: AceAlignment) -> dict[str, list[WeighedItem]]:
    """The document-list variant: occurrences that share a document and are similar match there."""
    weights = alignment.parameters.entity["mention-type"]

    def occurrence_weight(occurrence: Occurrence) -> list[tuple[str, float]]:
        level = occurrence.attributes["LEVEL"]
        return [(level, weights.get(level, 0.0))]

    def match(gold: Sequence[WeighedItem], system: Sequence[WeighedItem], similarity: float) -> list[Match]:
        return [((gold[0], system[0]), min(gold[0].weight, system[0].weight) * similarity)]

    return _credit_items(alignment, occurrence_weight, alignment.similarities(), match)


def _credit_items(
    alignment: AceAlignment,
    item_weights: ItemWeights,
    pairs_of_documents: Mapping[str, Mapping[tuple[str, str], T]],
    match: Callable[[Sequence[WeighedItem], Sequence[WeighedItem], T], list[Match]],
) -> dict[str, list[WeighedItem]]:
    """The items of both sides by document, with their credits for the items that match them."""
    gold, gold_sizes = _weigh_items(alignment.sections["entity"].gold, item_weights, is_gold=True)
    system, system_sizes = _weigh_items(_counted_system(alignment), item_weights, is_gold=False)
    matches = [
        (pair, found)
        for doc_id, pairs in pairs_of_documents.items()
        for pair, matching in pairs.items()
        if (pair[1], doc_id) in system
        and (found := match(gold[pair[0], doc_id], system[pair[1], doc_id], matching))
    ]
    common = _common(matches, of=0)
    counts_gold = alignment.parameters.b_cubed_precision_counts_gold
    for_precision = common if counts_gold else _common(matches, of=1)
    for sizes, shared, of in ((gold_sizes, common, 0), (system_sizes, for_precision, 1)):
        parts_of_items = grouped((two[of], shared[pair]) for pair, found in matches for two, _ in found)
        for item, parts in parts_of_items.items():
            item.set_credit(parts, sizes[item.element.id])
    occurrences = (*gold.items(), *system.items())
    return {
        doc_id: list(chain.from_iterable(items))
        for doc_id, items in grouped((doc_id, items) for (_, doc_id), items in occurrences).items()
    }


def _counted_system(alignment: AceAlignment) -> Mapping[str, CorpusElement]:
    """The system entities that count: all, or with targets those that are mapped to one, in the documents that are scored."""
    section = alignment.sections["entity"]
    if not alignment.parameters.targets_only:
        return section.system
    free = {
        (outcome.system.element, doc_id)
        for doc_id, outcomes in section.outcomes.items()
        for outcome in outcomes
        if outcome.status == "free" and outcome.system is not None
    }
    scored = {
        system_id: {
            doc_id: one
            for doc_id, one in section.system[system_id].occurrences.items()
            if (system_id, doc_id) not in free
        }
        for system_id in section.partner.values()
    }
    return {
        system_id: section.system[system_id]._replace(occurrences=occurrences)
        for system_id, occurrences in scored.items()
    }


def _common(matches: Sequence[Matches], *, of: Literal[0, 1]) -> dict[tuple[str, str], tuple[int, float]]:
    """By pair of elements, how many items of a side match, and the sum of their best scores."""
    best: dict[tuple[str, str], dict[WeighedItem, float]] = {}
    for pair, found in matches:
        own = best.setdefault(pair, {})
        for two, score in found:
            if score > own.get(two[of], -1.0):
                own[two[of]] = score
    return {pair: (len(scores), fsum(scores.values())) for pair, scores in best.items()}


def tally_counts(items: Iterable[WeighedItem]) -> Tally:
    """Every item counts one."""
    gold, system = _split_sides(items)
    return Tally(
        fsum([item.count_credit for item in gold]),
        len(gold),
        fsum([item.count_credit for item in system]),
        len(system),
    )


def tally_values(items: Iterable[WeighedItem]) -> Tally:
    """Every item counts its weight."""
    gold, system = _split_sides(items)
    return Tally(
        fsum([item.weight * item.value_credit for item in gold]),
        fsum([item.weight for item in gold]),
        fsum([item.weight * item.value_credit for item in system]),
        fsum([item.weight for item in system]),
    )


def _split_sides(items: Iterable[WeighedItem]) -> tuple[list[WeighedItem], list[WeighedItem]]:
    items = list(items)
    return [item for item in items if item.is_gold], [item for item in items if not item.is_gold]


SPLITS = ("TYPE", "SUBTYPE", "CLASS", "SOURCE", "VALUE", "MENTION COUNT", "CROSS-DOC", "LANGUAGES", "LEVEL")
"""The conditions under which B-cubed stands in the tables; LEVEL is the type of the mention."""


_WHOLE = frozenset({"VALUE", "MENTION COUNT", "CROSS-DOC", "LANGUAGES"})
"""The conditions whose row is that of the whole entity."""
Parts = list[tuple[tuple[str, str], list[WeighedItem]]]
"""((given, row), items) in sorted order."""


class BCubedSplits:
    """Items by row of a condition, under each value of a second one (``ALL`` without); kept for one document."""

    def __init__(self, section: KindAlignment) -> None:
        self._section = section
        self._entity_rows: dict[tuple[int, str], str] = {}
        """The rows of whole entities, by entity and condition."""
        self._items: object = None
        self._found: dict[tuple[str, str | None], Parts] = {}

    def split(self, items: Sequence[WeighedItem], condition: str, given: str | None = None) -> Parts:
        """The items of a document in parts."""
        if self._items is not items:
            self._items, self._found = items, {}
        found = self._found.get((condition, given))
        if found is None:
            rows = grouped(
                ((self._row(item, given) if given else "ALL", self._row(item, condition)), item)
                for item in items
            )
            found = self._found[condition, given] = sorted(rows.items(), key=lambda row: row[0])
        return found

    def _row(self, item: WeighedItem, condition: str) -> str:
        """The row of an item: by the entity of its own side, over all of its documents; LEVEL by the mention itself."""
        if condition == "LEVEL":
            return item.level
        if condition == "SOURCE":
            return item.occurrence.source
        if condition not in _WHOLE:
            return item.occurrence.attributes.get(condition, "")
        key = id(item.element), condition
        row = self._entity_rows.get(key)
        if row is None:
            value_of = CONDITIONS[condition].of_element
            row = self._entity_rows[key] = value_of(self._section, item.element, item.is_gold)
        return row


_PAST_ONE = "gold mentions are counted for precision too, so that it can exceed 1 (a quirk)"
_NAMELESS = (Law.SELF, "an entity of level NAM without names is not similar to itself")


def _metric(
    name: str, title: str, measure: Callable[[Iterable[WeighedItem]], Tally], *exceptions: tuple[Law, str]
) -> MetricDeclaration:
    every = ((Law.SWAP, _PAST_ONE), (Law.BOUNDS, _PAST_ONE), *exceptions)
    return MetricDeclaration(
        name=name,
        title=title,
        cite="bagga1998entity",
        measure=measure,
        exceptions=every,
        weaknesses="A mention that matches several entities takes its best, so that overlapping heads are rewarded.",
        domain="ace",
    )


ACE_B_CUBED = _metric("ace-b-cubed", "B-cubed over entity mentions", tally_counts, (Law.SELF, _PAST_ONE))
ACE_B_CUBED_VALUE = _metric(
    "ace-b-cubed-value", "Value-weighted B-cubed over entity mentions", tally_values, (Law.SELF, _PAST_ONE)
)
ACE_B_CUBED_DOCUMENTS = _metric(
    "ace-b-cubed-documents", "B-cubed over document lists", tally_counts, _NAMELESS
)
ACE_B_CUBED_DOCUMENTS_VALUE = _metric(
    "ace-b-cubed-documents-value",
    "Value-weighted B-cubed over document lists",
    tally_values,
    _NAMELESS,
    (Law.SPURIOUS, "a spurious mention can put right the level of its entity"),
)
