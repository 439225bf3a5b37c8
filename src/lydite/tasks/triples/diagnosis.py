"""What stands beside the scores: counts of each side, missed and wrong triples, which relation was taken for which."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar, cast

from lydite.align import first_come
from lydite.align.triple_scope import TripleSide
from lydite.model import Alignment
from lydite.model.agreement import contingency
from lydite.model.diagnosis import (
    CorrectTriples,
    CountTable,
    GreedyElements,
    ListedTriples,
    SideCounts,
    TriplePair,
    TriplesDiagnosis,
)
from lydite.model.triple import Triple
from lydite.tasks.triples.comparison import ELEMENTS, FirstComeComparison, TripleComparison

V = TypeVar("V")


def diagnose(comparison: TripleComparison | FirstComeComparison) -> TriplesDiagnosis:
    """The diagnosis of one document."""
    if isinstance(comparison, TripleComparison):
        return _by_definition(comparison)
    return _as_reference(comparison)


def _side_counts(side: TripleSide, unique: int) -> SideCounts:
    return {
        "triples": len(side.triples),
        "in_range": len(side.in_range),
        "out_of_range": side.out_of_range,
        "unique": unique,
        "first_ids": side.total_ids("first"),
        "second_ids": side.total_ids("second"),
        "mean_first_ids": side.mean_ids("first"),
        "mean_second_ids": side.mean_ids("second"),
    }


def _scope(comparison: TripleComparison | FirstComeComparison) -> int | None:
    scope = comparison.system.scope
    return None if scope is None else len(scope)


def _listed(triples: Iterable[Triple], name: Mapping[str, str] | None = None) -> ListedTriples:
    found = list(triples)
    counts = Counter(name[triple.relation] if name else triple.relation for triple in found)
    return {
        "count": len(found),
        "by_relation": dict(sorted(counts.items())),
        "triples": [triple.to_dict() for triple in found],
    }


def _paired(pairs: Iterable[tuple[Triple, Triple]]) -> CorrectTriples:
    told: list[TriplePair] = [{"gold": gold.to_dict(), "system": system.to_dict()} for gold, system in pairs]
    return {"count": len(told), "pairs": told}


def _by_definition(comparison: TripleComparison) -> TriplesDiagnosis:
    gold, system = comparison.gold, comparison.system
    key = gold.key
    spelt = {
        triple.relation: comparison.name(key(triple.relation))
        for side in (gold, system)
        for triple in side.in_range
    }
    met_gold = {overlap.gold for overlap in comparison.overlaps}
    met_system = {overlap.system for overlap in comparison.overlaps}
    right_system = {overlap.system for overlap in comparison.overlaps if overlap.same}
    headline = comparison.alignments[comparison.headline]
    confusion = contingency(
        (spelt[system.in_range[overlap.system].relation], spelt[gold.in_range[overlap.gold].relation])
        for overlap in comparison.overlaps
    )

    def unique(side: TripleSide, keep: Callable[[int], bool]) -> ListedTriples:
        return _listed((side.in_range[place] for place in side.unique if keep(place)), spelt)

    return {
        "headline": comparison.headline,
        "scope": _scope(comparison),
        "spellings": {"gold": gold.spellings, "system": system.spellings},
        "counts": {
            "gold": _side_counts(gold, len(gold.unique)),
            "system": _side_counts(system, len(system.unique)),
        },
        "missed": unique(gold, lambda place: place not in met_gold),
        "correct": _paired(
            (headline.gold[pair.gold], headline.system[pair.system]) for pair in headline.pairs
        ),
        "wrong_relation": unique(system, lambda place: place in met_system and place not in right_system),
        "spurious": unique(system, lambda place: place not in met_system),
        "confusion": confusion,
        "profile_confusion": contingency(_profile_confusion(comparison, spelt)),
        "agreement": {"relation": contingency(_relation_pairs(comparison, spelt))},
        "labels": {name: _labels(comparison.elements[name]) for name in ELEMENTS},
    }


def respell(documents: Sequence[Mapping[str, object]]) -> Sequence[Mapping[str, object]]:
    """The diagnoses of a system with one name per relation: the first spelling in gold, else in system.

    Every document has its own first spelling; tables over all documents would have a row for each.
    """
    told = cast("Sequence[TriplesDiagnosis]", documents)  # as this task made them
    common: dict[str, str] = {}
    for side in ("gold", "system"):
        for document in told:
            for key, name in document.get("spellings", _NO_SPELLINGS)[side].items():
                common.setdefault(key, name)
    return [_respelt(document, common) for document in told]


_NO_SPELLINGS: dict[str, dict[str, str]] = {"gold": {}, "system": {}}


def _respelt(document: TriplesDiagnosis, common: Mapping[str, str]) -> TriplesDiagnosis:
    spellings = document.get("spellings", _NO_SPELLINGS)
    own = {**spellings["system"], **spellings["gold"]}
    names = {name: common[key] for key, name in own.items() if common[key] != name}
    if not names:
        return document

    def renamed(table: Mapping[str, V]) -> dict[str, V]:
        return dict(sorted((names.get(name, name), value) for name, value in table.items()))

    def both(table: CountTable) -> CountTable:
        return renamed({row: renamed(columns) for row, columns in table.items()})

    def listed(triples: ListedTriples) -> ListedTriples:
        return {**triples, "by_relation": renamed(triples["by_relation"])}

    return {
        **document,
        "missed": listed(document["missed"]),
        "wrong_relation": listed(document["wrong_relation"]),
        "spurious": listed(document["spurious"]),
        "confusion": both(document["confusion"]),
        "agreement": {"relation": both(document["agreement"]["relation"])},
    }


def _profile_confusion(comparison: TripleComparison, spelt: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for overlap in comparison.all_overlaps:
        if not overlap.same:
            triple = comparison.system.in_range[overlap.system]
            gold = spelt[comparison.gold.in_range[overlap.gold].relation]
            for name in comparison.profile_names(triple):
                yield f"{name}:{spelt[triple.relation]}", gold


def _relation_pairs(comparison: TripleComparison, spelt: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Gold and system relation of the pairs that are made without looking at relations."""
    alignment = comparison.alignments["partial_ignored"]
    for pair in alignment.pairs:
        yield spelt[alignment.gold[pair.gold].relation], spelt[alignment.system[pair.system].relation]


def _labels(alignment: Alignment) -> dict[str, dict[str, int]]:
    return contingency(
        (alignment.gold[pair.gold].label, alignment.system[pair.system].label) for pair in alignment.pairs
    )


def _as_reference(comparison: FirstComeComparison) -> TriplesDiagnosis:
    fits, duplicates = comparison.fits["partial_same"], comparison.duplicates["partial_same"]
    shelf, system = comparison.shelf, comparison.system_items
    missed = first_come.missed(shelf, system)
    wrong = first_come.wrong_relation(shelf, system, fits=fits, duplicate=duplicates)
    confused = list(first_come.confusion(shelf, system))
    by_relation = contingency((item.triple.relation, other.triple.relation) for other, item in confused)
    by_profile = contingency(
        (f"{item.triple.profile_id or item.triple.relation}:{item.triple.relation}", other.triple.relation)
        for other, item in confused
    )
    return {
        "headline": comparison.headline,
        "scope": _scope(comparison),
        "counts": {
            "gold": _side_counts(comparison.gold, len(comparison.gold_items)),
            "system": _side_counts(comparison.system, comparison.unique),
        },
        "missed": _listed(item.triple for item in missed),
        "correct": _paired((one.gold.triple, one.system.triple) for one in comparison.plain.credited),
        "wrong_relation": _listed(item.triple for item in wrong),
        "confusion": by_relation,
        "profile_confusion": by_profile,
        "elements": {name: _greedy_elements(comparison.elements[name]) for name in ELEMENTS},
    }


def _greedy_elements(elements: first_come.Elements) -> GreedyElements:
    return {
        "gold": elements.gold,
        "system": elements.system,
        "correct": elements.correct,
        "incorrect": elements.system - elements.correct,
        "label_matches": dict(sorted(elements.matches.items())),
        "label_mismatches": {
            f"{gold}:{system}": count for (gold, system), count in sorted(elements.mismatches.items())
        },
    }
