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

from lydite.metrics.ace_value import CONDITIONS
from lydite.metrics.base import Law, MetricDeclaration
from lydite.model import Tally
from lydite.model.ace_alignment import AceAlignment, CorpusElement, KindAlignment, Occurrence
from lydite.records import dataclass

Matches = tuple[tuple[str, str], list[tuple[int, int, float]]]
"""A gold and a system element, and their matches: an item of each (numbered over the corpus), and the score."""


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

    def take(self, common: Sequence[tuple[int, float]], of: tuple[int, float]) -> None:
        """The largest part of its own element, as a count and by value, that elements near it have in common with it."""
        counts, values = common[0] if len(common) == 1 else map(max, zip(*common, strict=True))
        size, mass = of
        self.count_credit = counts / size
        self.value_credit = values / mass if mass else 0.0


def _mentions(occurrence: Occurrence) -> list[tuple[str, float]]:
    return [(mention.type, mention.self_score) for mention in occurrence.mentions]


class _Side:
    """The items of one side, numbered over the corpus."""

    def __init__(
        self,
        elements: Mapping[str, CorpusElement],
        weighed: Callable[[Occurrence], list[tuple[str, float]]],
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


def b_cubed_items(alignment: AceAlignment) -> dict[str, list[WeighedItem]]:
    """All mentions of entities by document, gold ones first, with their credits."""
    by_document: dict[str, list[WeighedItem]] = {}
    gold = _Side(alignment.sections["entity"].gold, _mentions, by_document, is_gold=True)
    counted = counted_system(alignment)
    system = _Side(counted, _mentions, by_document, is_gold=False)
    matches: list[Matches] = []
    for doc_id, entries in alignment.entries.items():
        for pair, found in entries.items():
            gold_id, system_id = pair
            if found and system_id in counted:
                first, other = gold.numbers[gold_id, doc_id], system.numbers[system_id, doc_id]
                matches.append((pair, [(first + i, other + j, score) for i, j, score in found]))
    _give_credit(gold, system, matches, counts_gold=alignment.parameters.b_cubed_precision_counts_gold)
    return by_document


def b_cubed_documents(alignment: AceAlignment) -> dict[str, list[WeighedItem]]:
    """The document-list variant: occurrences that share a document and are similar match there."""
    weights = alignment.parameters.entity.mention_type

    def itself(occurrence: Occurrence) -> list[tuple[str, float]]:
        level = occurrence.attributes["LEVEL"]
        return [(level, weights.get(level, 0.0))]

    by_document: dict[str, list[WeighedItem]] = {}
    gold = _Side(alignment.sections["entity"].gold, itself, by_document, is_gold=True)
    counted = counted_system(alignment)
    system = _Side(counted, itself, by_document, is_gold=False)
    matches: list[Matches] = []
    for doc_id, pairs in alignment.near.items():
        for pair, near in pairs.items():
            gold_id, system_id = pair
            if system_id in counted:
                i, j = gold.numbers[gold_id, doc_id], system.numbers[system_id, doc_id]
                matches.append((pair, [(i, j, min(gold.items[i].weight, system.items[j].weight) * near)]))
    _give_credit(gold, system, matches, counts_gold=alignment.parameters.b_cubed_precision_counts_gold)
    return by_document


def counted_system(alignment: AceAlignment) -> Mapping[str, CorpusElement]:
    """The system entities that count: all, or with targets those that are mapped to one."""
    section = alignment.sections["entity"]
    if not alignment.parameters.targets_only:
        return section.system
    return {system_id: section.system[system_id] for system_id in section.partner.values()}


def _give_credit(gold: _Side, system: _Side, matches: Sequence[Matches], *, counts_gold: bool) -> None:
    """Fill in the credits of all items from the matches."""
    best_of_gold: dict[tuple[str, str], dict[int, float]] = {}
    best_of_system: dict[tuple[str, str], dict[int, float]] = {}
    for pair, found in matches:
        ours, theirs = best_of_gold.setdefault(pair, {}), best_of_system.setdefault(pair, {})
        for i, j, score in found:
            if score > ours.get(i, -1.0):
                ours[i] = score
            if not counts_gold and score > theirs.get(j, -1.0):
                theirs[j] = score
    common = {pair: (len(best), fsum(best.values())) for pair, best in best_of_gold.items()}
    for_precision = (
        common
        if counts_gold
        else {pair: (len(best), fsum(best.values())) for pair, best in best_of_system.items()}
    )
    near_gold: dict[int, list[tuple[int, float]]] = {}
    near_system: dict[int, list[tuple[int, float]]] = {}
    for pair, found in matches:
        in_gold, in_system = common[pair], for_precision[pair]
        for i, j, _ in found:
            near_gold.setdefault(i, []).append(in_gold)
            near_system.setdefault(j, []).append(in_system)
    for side, near in ((gold, near_gold), (system, near_system)):
        for number, shared in near.items():
            item = side.items[number]
            item.take(shared, side.sizes[item.element.id])


def tally_counts(items: Iterable[WeighedItem]) -> Tally:
    """Every item counts one."""
    gold, system = _sides(items)
    return Tally(
        fsum([item.count_credit for item in gold]),
        len(gold),
        fsum([item.count_credit for item in system]),
        len(system),
    )


def tally_values(items: Iterable[WeighedItem]) -> Tally:
    """Every item counts its weight."""
    gold, system = _sides(items)
    return Tally(
        fsum([item.weight * item.value_credit for item in gold]),
        fsum([item.weight for item in gold]),
        fsum([item.weight * item.value_credit for item in system]),
        fsum([item.weight for item in system]),
    )


def _sides(items: Iterable[WeighedItem]) -> tuple[list[WeighedItem], list[WeighedItem]]:
    items = list(items)
    return [item for item in items if item.is_gold], [item for item in items if not item.is_gold]


SPLITS = ("TYPE", "SUBTYPE", "CLASS", "SOURCE", "VALUE", "MENTION COUNT", "CROSS-DOC", "LEVEL")
"""The conditions under which B-cubed stands in the tables; LEVEL is the type of the mention."""


def row_of(
    section: KindAlignment, item: WeighedItem, condition: str, known: dict[tuple[int, str], str]
) -> str:
    """The row of an item: by the entity of its own side, over all of its documents; LEVEL by the mention itself.

    ``known`` keeps what was worked out for whole entities.
    """
    if condition == "LEVEL":
        return item.level
    if condition == "SOURCE":
        return item.occurrence.source
    if condition not in _WHOLE:
        return item.occurrence.attributes.get(condition, "")
    key = id(item.element), condition
    row = known.get(key)
    if row is None:
        row = known[key] = CONDITIONS[condition].of_element(section, item.element, item.is_gold)
    return row


_WHOLE = frozenset({"VALUE", "MENTION COUNT", "CROSS-DOC"})
"""The conditions whose row is that of the whole entity."""


class Splits:
    """Items by row of a condition, under each value of a second one (``ALL`` without); worked out once per document."""

    def __init__(self, section: KindAlignment) -> None:
        self._section = section
        self._known: dict[tuple[int, str], str] = {}
        self._last: tuple[
            object, dict[tuple[str, str | None], list[tuple[tuple[str, str], list[WeighedItem]]]]
        ] = (
            None,
            {},
        )

    def split(
        self, items: Sequence[WeighedItem], condition: str, given: str | None = None
    ) -> list[tuple[tuple[str, str], list[WeighedItem]]]:
        """((given, row), items) in sorted order."""
        if self._last[0] is not items:
            self._last = (items, {})
        found = self._last[1].get((condition, given))
        if found is None:
            found = self._last[1][condition, given] = self._split(items, condition, given)
        return found

    def _split(
        self, items: Sequence[WeighedItem], condition: str, given: str | None
    ) -> list[tuple[tuple[str, str], list[WeighedItem]]]:
        rows: dict[tuple[str, str], list[WeighedItem]] = {}
        for item in items:
            above = row_of(self._section, item, given, self._known) if given else "ALL"
            rows.setdefault((above, row_of(self._section, item, condition, self._known)), []).append(item)
        return sorted(rows.items(), key=lambda row: row[0])


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
