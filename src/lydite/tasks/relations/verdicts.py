"""Why each entity, relation, fact or pair of events counts or not: read from the table of outcomes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial

from lydite.model import Document, DocumentPair, outcome
from lydite.model.outcome import Outcome
from lydite.model.verdict import (
    GOLD,
    LEFT_OUT,
    Confusion,
    Explained,
    Explainer,
    Judge,
    Rival,
    Side,
)
from lydite.tasks.paired import MISSED, SPURIOUS, other_side, why_unscored
from lydite.tasks.relations import corrections
from lydite.tasks.relations.facts import FactComparison, training_facts, training_file
from lydite.tasks.relations.matching import REPEAT, RIGHT, MatchedItem
from lydite.tasks.relations.names import Names
from lydite.tasks.relations.outcomes import (
    BOUNDARY,
    END_TYPE,
    OTHER,
    PARTIAL,
    SWAPPED,
    TRAINING,
    WRONG_TYPE,
    AnyComparison,
    compare,
    outcomes,
)
from lydite.tasks.relations.settings import RelationSettings

CAUSES = {
    "right": "both sides have it",
    WRONG_TYPE: "the other side joins the same ends in the same order by a relation of another type",
    SWAPPED: "the other side has the relation with its ends exchanged",
    BOUNDARY: "the other side has the relation between spans that overlap these and are not the same",
    END_TYPE: "both sides have the relation, and the system has an end with another type",
    OTHER: "gold has another relation of this pair, which the system has too",
    TRAINING: "both sides have the fact, and the training file has it too: it does not count",
    PARTIAL: "the other side has an entity of this type that overlaps it and is not the same",
    MISSED: "a gold item that nothing of the system comes near",
    SPURIOUS: "a system item that nothing in gold comes near",
    LEFT_OUT: "not counted: it repeats another one, or its document is not scored",
}
"""Every cause that an item can have."""
_SAYINGS = {
    WRONG_TYPE: "has the ends of {other}, and another type",
    SWAPPED: "is {other} with its ends exchanged",
    BOUNDARY: "has the type of {other}, whose ends overlap its own in part",
    END_TYPE: "is {other}, and an end of the system's has a wrong type",
    OTHER: "joins the ends of {other}, which the system has too",
    TRAINING: "is {other}, and the training file has it too",
    PARTIAL: "has the type of {other}, and overlaps it in part",
}


def rows(
    explained: Explained[AnyComparison], settings: RelationSettings, *, measure: str | None = None
) -> Iterator[Outcome]:
    """The outcome of every item of both sides under a measure; of the headline, if none is named."""
    comparison = explained.comparison
    name = measure or comparison.headline
    found = outcomes(comparison, name)
    training = training_file(name, settings)
    if training is not None and isinstance(comparison, FactComparison):
        found = _without_training(found, comparison, training)
    yield from rows_of(comparison.pair, Names(comparison.pair, comparison), found)


def _without_training(
    found: Iterable[MatchedItem], comparison: FactComparison, path: str
) -> list[MatchedItem]:
    """The outcomes with the facts of the training file left out."""
    known = training_facts(path)
    return [
        one._replace(credit=0, cause=TRAINING)
        if one.status == RIGHT and comparison.is_trained(one.item.content, known)
        else one
        for one in found
    ]


def rows_of(pair: DocumentPair, names: Names, found: Iterable[MatchedItem]) -> Iterator[Outcome]:
    """What became of matched items, as all tasks show it."""
    for at, one in enumerate(found):
        name = names.name(one.side, one.item)
        line, text = names.line(one.side, one.item), names.text(one.side, one.item)
        if one.status == REPEAT:
            why = f"{name} is there twice, and equal items count once"
            yield outcome.left_out(one.side, name, why, line=line, type=one.item.type, text=text)
            continue
        yield Outcome(
            one.side,
            at,
            outcome.UNPAIRED if one.partner is None else outcome.PAIRED,
            agrees={"item": one.status == RIGHT},
            credit=one.credit,
            lost=1 - one.credit if one.cause != TRAINING else 0,
            cause=one.cause,
            why=_why(one, name, names, pair),
            name=name,
            partner_name=None if one.partner is None else names.name(other_side(one.side), one.partner),
            rivals=tuple(_rivals(one, names)),
            line=line,
            type=one.item.type,
            text=text,
            place=names.ranges(one.side, one.item),
        )


def _why(one: MatchedItem, name: str, names: Names, pair: DocumentPair) -> str:
    if one.partner is not None:
        other = names.name(other_side(one.side), one.partner)
        if one.cause in _SAYINGS:
            return f"{name} {_SAYINGS[one.cause].format(other=other)}"
        return f"{name} is {other} of the other side"
    if one.side == GOLD and not pair.system.present:
        return f"the system has no document {pair.doc_id}, and so nothing like {name}"
    whose = "the system" if one.side == GOLD else "gold"
    return f"{whose} has nothing that comes near {name}"


def _rivals(one: MatchedItem, names: Names) -> Iterator[Rival]:
    for item in one.rivals:
        if item is not one.partner:
            yield Rival(names.name(other_side(one.side), item), 0.0)


def left_out(document: Document, side: Side, settings: RelationSettings) -> Iterator[Outcome]:
    """The items of a document that is not scored."""
    why = why_unscored(document, settings.only_document)
    yield from left_out_items(document, side, why, lambda pair: compare(pair, settings))


def left_out_items(
    document: Document, side: Side, why: str, make: Callable[[DocumentPair], AnyComparison]
) -> Iterator[Outcome]:
    """The items of one side of a document, compared with nothing."""
    nothing = Document(document.doc_id, present=False)
    gold, system = (document, nothing) if side == GOLD else (nothing, document)
    comparison = make(DocumentPair(document.doc_id, gold, system))
    names = Names(comparison.pair, comparison)
    matching = comparison.matching(comparison.headline)
    for item in matching.gold if side == GOLD else matching.system:
        name = names.name(side, item)
        line, text = names.line(side, item), names.text(side, item)
        yield outcome.left_out(side, name, why, line=line, type=item.type, text=text)


def type_confusions(comparison: AnyComparison, _settings: object) -> Iterator[Confusion]:
    """The types of items that have the same ends, and of those without a partner."""
    for one in outcomes(comparison, comparison.headline):
        if one.status == REPEAT:
            continue
        paired = one.partner is not None and one.cause != OTHER
        if one.side == GOLD:
            yield one.item.type, one.partner.type if paired and one.partner else None
        elif not paired:
            yield None, one.item.type


def words(explained: Explained[AnyComparison]) -> str | None:
    """The text that ranges are of: the tokens of gold, or of the system where gold has none."""
    pair = explained.comparison.pair
    return pair.gold.text or pair.system.text


def _judge(measure: str) -> Judge[RelationSettings, AnyComparison]:
    return Judge(partial(rows, measure=measure), left_out)


EXPLAINER: Explainer[RelationSettings, AnyComparison] = Explainer(
    causes=CAUSES,
    headline=Judge(rows, left_out),
    faults=corrections.faults,
    find_faults=corrections.RelationCorrections,
    confusions={"type": type_confusions},
    measurements={name: _judge(name) for name in ("entity", "rel", "rel+")},
    text=words,
)
