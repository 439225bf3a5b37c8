"""What became of entities and relations: one table, from which standing, diagnosis and verdicts are read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial

from lydite.errors import Finding
from lydite.escaping import counted
from lydite.model import DocumentPair
from lydite.model.graphs import GraphEntity
from lydite.model.outcome import Outcome
from lydite.model.verdict import GOLD, SYSTEM, Side
from lydite.pipeline.task import Headline
from lydite.tasks.relations import facts, matching
from lydite.tasks.relations.comparison import GraphComparison
from lydite.tasks.relations.events import EventComparison
from lydite.tasks.relations.facts import FactComparison
from lydite.tasks.relations.matching import REPEAT, RIGHT, Item, MatchedItem, outcomes_of_gold, overlap
from lydite.tasks.relations.names import Names
from lydite.tasks.relations.settings import RelationSettings

WRONG_TYPE, SWAPPED, BOUNDARY, END_TYPE = "wrong-type", "swapped-ends", "end-boundary", "end-type"
OTHER, TRAINING, PARTIAL = "other-relation", "training-fact", "partial-span"


AnyComparison = GraphComparison | FactComparison | EventComparison
_COMPARISONS: Mapping[str, Callable[[DocumentPair, RelationSettings], AnyComparison]] = {
    "places": GraphComparison,
    "entities": FactComparison,
    "events": EventComparison,
}
"""The comparison of a pair of documents, by what relations join."""


def compare(pair: DocumentPair, settings: RelationSettings) -> AnyComparison:
    """The comparison of a pair of documents, by what relations join."""
    return _COMPARISONS[settings.relation_ends](pair, settings)


def outcomes(comparison: AnyComparison, measure: str) -> list[MatchedItem]:
    """What became of each item of a measure."""
    if isinstance(comparison, EventComparison):
        return matching.outcomes(comparison.matching(measure), near_events)
    if isinstance(comparison, FactComparison):
        return matching.outcomes(comparison.matching(measure), near_facts)
    near = near_entities if measure in {"entity", "mention"} else near_relations
    found = matching.outcomes(comparison.matching(measure), near)
    credited = {id(one.item) for one in found if one.side == GOLD and one.status == RIGHT}
    return [
        one._replace(cause=OTHER)
        if one.side == SYSTEM and one.cause == WRONG_TYPE and id(one.partner) in credited
        else one
        for one in found
    ]


def near_relations(gold: Item, system: Item) -> tuple[int, str] | None:
    """How two relations of a sentence come near: ends of other types, exchanged ends, another type, other boundaries."""
    ours, theirs = gold.content, system.content
    if ours.plain == theirs.plain:
        return 0, END_TYPE
    same_type = ours.type == theirs.type
    if (ours.head, ours.tail) == (theirs.tail, theirs.head) and same_type:
        return 1, SWAPPED
    if (ours.head, ours.tail) == (theirs.head, theirs.tail):
        return 2, WRONG_TYPE
    if same_type and overlap(ours.head, theirs.head) and overlap(ours.tail, theirs.tail):
        return 3, BOUNDARY
    return None


def near_facts(gold: Item, system: Item) -> tuple[int, str] | None:
    """How two facts of a page come near: exchanged entities, or another relation."""
    ours, theirs = gold.content, system.content
    if ours.relation == theirs.relation and (ours.head, ours.tail) == (theirs.tail, theirs.head):
        return 0, SWAPPED
    if (ours.head, ours.tail) == (theirs.head, theirs.tail):
        return 1, WRONG_TYPE
    return None


def near_events(gold: Item, system: Item) -> tuple[int, str] | None:
    """How two labels come near: of the same kind, on exchanged mentions or with another type."""
    ours, theirs = gold.content, system.content
    if ours.kind != theirs.kind:
        return None
    if ours.type == theirs.type and (ours.first, ours.second) == (theirs.second, theirs.first):
        return 0, SWAPPED
    return (1, WRONG_TYPE) if (ours.first, ours.second) == (theirs.first, theirs.second) else None


def near_entities(gold: Item, system: Item) -> tuple[int, str] | None:
    """How two entities of a sentence come near: the same span with another type, or an overlap with the same type."""
    ours, theirs = gold.content, system.content
    if ours.place == theirs.place:
        return 0, WRONG_TYPE
    if ours.type == theirs.type and overlap(ours.place, theirs.place):
        return 1, PARTIAL
    return None


def gold_outcomes(comparison: AnyComparison, _settings: object, figure: Headline) -> list[Outcome]:
    """The gold items of a measure, and whether the system has each right."""
    names = Names(comparison.pair, comparison)
    return outcomes_of_gold(comparison.matching(figure.measurement), partial(names.name, GOLD))


def diagnose(comparison: AnyComparison) -> Mapping[str, object]:
    """Missed and spurious items of the headline, and the pairs with what differs."""
    names = Names(comparison.pair, comparison)
    found = outcomes(comparison, comparison.headline)

    def entry(side: Side, item: Item) -> dict[str, str]:
        return {"name": names.name(side, item), "type": item.type, "text": names.text(side, item)}

    pairs = [
        {
            "gold": entry(GOLD, one.item),
            "system": entry(SYSTEM, one.partner),
            "cause": one.cause,
        }
        for one in found
        if one.side == GOLD and one.partner is not None
    ]
    alone = [one for one in found if one.partner is None and one.status != REPEAT]
    return {
        "pairs": pairs,
        "missed": [entry(GOLD, one.item) for one in alone if one.side == GOLD],
        "spurious": [entry(SYSTEM, one.item) for one in alone if one.side == SYSTEM],
        "agreement": {},
    }


def check_comparison(comparison: AnyComparison, _settings: RelationSettings) -> Iterator[Finding]:
    """A warning on items that repeat others and count once."""
    if isinstance(comparison, FactComparison):
        yield from facts.check(comparison)
    if not isinstance(comparison, GraphComparison):
        return
    names: Names | None = None
    for measure in comparison.measures:
        found = comparison.matching(measure)
        for side, repeats in ((GOLD, found.gold_repeats), (SYSTEM, found.system_repeats)):
            if repeats and measure != "rel+":
                names = names or Names(comparison.pair, comparison)
                document = comparison.pair.gold if side == GOLD else comparison.pair.system
                what = "entity" if isinstance(repeats[0].content, GraphEntity) else "relation"
                first = names.name(side, repeats[0])
                message = f"document {document.doc_id!r}: {counted(len(repeats), what)} there twice, the first is {first}; they count once"
                yield document.finding("repeated-item", "warning", message, names.line(side, repeats[0]))
