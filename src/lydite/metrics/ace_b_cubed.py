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
from math import fsum
from typing import Literal, TypeVar

from lydite.grouping import grouped
from lydite.metrics.ace_value import CONDITIONS
from lydite.metrics.base import Law, MetricDeclaration
from lydite.model import Tally
from lydite.model.ace_alignment import AceAlignment, CorpusElement, KindAlignment, Occurrence
from lydite.records import dataclass

T = TypeVar("T")
Match = tuple[int, int, float]
"""An item of gold and one of the system (numbered over the corpus), and their score."""
Matches = tuple[tuple[str, str], list[Match]]
"""A gold and a system element, and their matches."""
ItemWeights = Callable[[Occurrence], list[tuple[str, float]]]
"""A function to the items of an occurrence: level and weight of each."""
NumberedWeight = tuple[int, float]
"""The number of an item, and its weight."""


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


def _mention_weights(occurrence: Occurrence) -> list[tuple[str, float]]:
    return [(mention.type, mention.self_score) for mention in occurrence.mentions]


class _Side:
    """The items of one side, numbered over the corpus."""

    def __init__(
        self,
        elements: Mapping[str, CorpusElement],
        weighed: ItemWeights,
        by_document: dict[str, list[WeighedItem]],
        *,
        is_gold: bool,
    ) -> None:
        self.items: list[WeighedItem] = []
        self.numbers: dict[tuple[str, str], int] = {}
        """The number of the first item of every occurrence, by element and document."""
        self.sizes: dict[str, tuple[int, float]] = {}
        """Number of items and their total weight, by element."""
        for element in elements.values():
            weights: list[float] = []
            for doc_id, occurrence in element.occurrences.items():
                self.numbers[element.id, doc_id] = len(self.items)
                held = weighed(occurrence)
                weights += [weight for _, weight in held]
                items = [
                    WeighedItem(element, occurrence, level, is_gold, weight, 0.0, 0.0)
                    for level, weight in held
                ]
                self.items += items
                by_document.setdefault(doc_id, []).extend(items)
            self.sizes[element.id] = len(weights), fsum(weights)

    def first(self, element: str, doc_id: str) -> NumberedWeight:
        """The first item of an occurrence."""
        number = self.numbers[element, doc_id]
        return number, self.items[number].weight


def b_cubed_items(alignment: AceAlignment) -> dict[str, list[WeighedItem]]:
    """All mentions of entities by document, gold ones first, with their credits."""

    def matched(first: NumberedWeight, other: NumberedWeight, entries: Sequence[Match]) -> list[Match]:
        return [(first[0] + i, other[0] + j, score) for i, j, score in entries]

    return _credit_items(alignment, _mention_weights, alignment.matches["entity"], matched)


def b_cubed_documents(alignment: AceAlignment) -> dict[str, list[WeighedItem]]:
    """The document-list variant: occurrences that share a document and are similar match there."""
    weights = alignment.parameters.entity["mention-type"]

    def occurrence_weight(occurrence: Occurrence) -> list[tuple[str, float]]:
        level = occurrence.attributes["LEVEL"]
        return [(level, weights.get(level, 0.0))]

    def matched(first: NumberedWeight, other: NumberedWeight, near: float) -> list[Match]:
        return [(first[0], other[0], min(first[1], other[1]) * near)]

    return _credit_items(alignment, occurrence_weight, alignment.near(), matched)


def _credit_items(
    alignment: AceAlignment,
    weighed: ItemWeights,
    near: Mapping[str, Mapping[tuple[str, str], T]],
    matched: Callable[[NumberedWeight, NumberedWeight, T], list[Match]],
) -> dict[str, list[WeighedItem]]:
    """The items of both sides by document, with their credits for the items that match them."""
    by_document: dict[str, list[WeighedItem]] = {}
    gold = _Side(alignment.sections["entity"].gold, weighed, by_document, is_gold=True)
    system = _Side(_counted_system(alignment), weighed, by_document, is_gold=False)
    matches = [
        (pair, found)
        for doc_id, pairs in near.items()
        for pair, held in pairs.items()
        if pair[1] in system.sizes
        and (found := matched(gold.first(pair[0], doc_id), system.first(pair[1], doc_id), held))
    ]
    common = _common(matches, of=0)
    counts_gold = alignment.parameters.b_cubed_precision_counts_gold
    for_precision = common if counts_gold else _common(matches, of=1)
    for side, shared, of in ((gold, common, 0), (system, for_precision, 1)):
        near_item = grouped(((i, j)[of], shared[pair]) for pair, found in matches for i, j, _ in found)
        for number, parts in near_item.items():
            item = side.items[number]
            item.set_credit(parts, side.sizes[item.element.id])
    return by_document


def _counted_system(alignment: AceAlignment) -> Mapping[str, CorpusElement]:
    """The system entities that count: all, or with targets those that are mapped to one."""
    section = alignment.sections["entity"]
    if not alignment.parameters.targets_only:
        return section.system
    return {system_id: section.system[system_id] for system_id in section.partner.values()}


def _common(matches: Sequence[Matches], *, of: Literal[0, 1]) -> dict[tuple[str, str], tuple[int, float]]:
    """By pair of elements, how many items of a side match, and the sum of their best scores."""
    best: dict[tuple[str, str], dict[int, float]] = {}
    for pair, found in matches:
        own = best.setdefault(pair, {})
        for i, j, score in found:
            number = (i, j)[of]
            if score > own.get(number, -1.0):
                own[number] = score
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


SPLITS = ("TYPE", "SUBTYPE", "CLASS", "SOURCE", "VALUE", "MENTION COUNT", "CROSS-DOC", "LEVEL")
"""The conditions under which B-cubed stands in the tables; LEVEL is the type of the mention."""


_WHOLE = frozenset({"VALUE", "MENTION COUNT", "CROSS-DOC"})
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
            row = self._entity_rows[key] = CONDITIONS[condition].of_element(
                self._section, item.element, item.is_gold
            )
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
