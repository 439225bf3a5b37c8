"""The diagnosis beside the scores: counts of each side, missed and wrong triples, confused relations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar, cast

from lydite.align import first_come
from lydite.align.triple_scope import TripleSide
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
from lydite.tasks.triples.comparison import ELEMENTS, AnyComparison, FirstComeComparison, TripleComparison

V = TypeVar("V")


def diagnose(comparison: AnyComparison) -> TriplesDiagnosis:
    """The diagnosis of one document."""
    if isinstance(comparison, TripleComparison):
        return _diagnose_by_definition(comparison)
    return _diagnose_as_reference(comparison)


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


def _scope_size(comparison: AnyComparison) -> int | None:
    scope = comparison.system.scope
    return None if scope is None else len(scope)


def _list_triples(triples: Iterable[Triple], name: Mapping[str, str] | None = None) -> ListedTriples:
    listed = list(triples)
    counts = Counter(name[triple.relation] if name else triple.relation for triple in listed)
    return {
        "count": len(listed),
        "by_relation": dict(sorted(counts.items())),
        "triples": [triple.to_dict() for triple in listed],
    }


def _list_pairs(pairs: Iterable[tuple[Triple, Triple]]) -> CorrectTriples:
    listed: list[TriplePair] = [{"gold": one.to_dict(), "system": other.to_dict()} for one, other in pairs]
    return {"count": len(listed), "pairs": listed}


def _diagnose_by_definition(comparison: TripleComparison) -> TriplesDiagnosis:
    gold, system = comparison.gold, comparison.system
    key = gold.key
    spellings = {
        triple.relation: comparison.spelling(key(triple.relation))
        for side in (gold, system)
        for triple in side.in_range
    }
    gold_overlapped = {overlap.gold for overlap in comparison.overlaps}
    system_overlapped = {overlap.system for overlap in comparison.overlaps}
    wrong_relation = system_overlapped - {overlap.system for overlap in comparison.overlaps if overlap.same}
    headline = comparison.alignments[comparison.headline]
    free = comparison.alignments["partial_ignored"]
    confusion = contingency(
        (spellings[system.in_range[overlap.system].relation], spellings[gold.in_range[overlap.gold].relation])
        for overlap in comparison.overlaps
    )

    def list_unique(side: TripleSide, is_listed: Callable[[int], bool]) -> ListedTriples:
        return _list_triples((side.in_range[place] for place in side.unique if is_listed(place)), spellings)

    return {
        "headline": comparison.headline,
        "scope": _scope_size(comparison),
        "spellings": {"gold": gold.spellings, "system": system.spellings},
        "counts": {
            "gold": _side_counts(gold, len(gold.unique)),
            "system": _side_counts(system, len(system.unique)),
        },
        "missed": list_unique(gold, lambda place: place not in gold_overlapped),
        "correct": _list_pairs(
            (headline.gold[one.gold], headline.system[one.system]) for one in headline.pairs
        ),
        "wrong_relation": list_unique(system, wrong_relation.__contains__),
        "spurious": list_unique(system, lambda place: place not in system_overlapped),
        "confusion": confusion,
        "profile_confusion": contingency(_profile_confusion(comparison, spellings)),
        "agreement": {
            "relation": contingency(
                (spellings[free.gold[pair.gold].relation], spellings[free.system[pair.system].relation])
                for pair in free.pairs
            )
        },
        "labels": {
            name: contingency(
                (one.gold[pair.gold].label, one.system[pair.system].label) for pair in one.pairs
            )
            for name in ELEMENTS
            for one in [comparison.elements[name]]
        },
    }


def unify_spellings(documents: Sequence[Mapping[str, object]]) -> Sequence[Mapping[str, object]]:
    """The diagnoses of a system's documents with one spelling per relation: the first one in gold, else in the system.

    Without it, tables over all documents would have a row for the first spelling of each document.
    """
    diagnoses = cast("Sequence[TriplesDiagnosis]", documents)  # as this task made them
    common: dict[str, str] = {}
    for side in ("gold", "system"):
        for diagnosis in diagnoses:
            for key, name in diagnosis.get("spellings", _NO_SPELLINGS)[side].items():
                common.setdefault(key, name)
    return [_with_spellings(diagnosis, common) for diagnosis in diagnoses]


_NO_SPELLINGS: dict[str, dict[str, str]] = {"gold": {}, "system": {}}


def _with_spellings(document: TriplesDiagnosis, common: Mapping[str, str]) -> TriplesDiagnosis:
    spellings = document.get("spellings", _NO_SPELLINGS)
    own = {**spellings["system"], **spellings["gold"]}
    names = {name: common[key] for key, name in own.items() if common[key] != name}
    if not names:
        return document

    def renamed(table: Mapping[str, V]) -> dict[str, V]:
        return dict(sorted((names.get(name, name), value) for name, value in table.items()))

    def renamed_twice(table: CountTable) -> CountTable:
        return renamed({row: renamed(columns) for row, columns in table.items()})

    def listed(triples: ListedTriples) -> ListedTriples:
        return {**triples, "by_relation": renamed(triples["by_relation"])}

    return {
        **document,
        "missed": listed(document["missed"]),
        "wrong_relation": listed(document["wrong_relation"]),
        "spurious": listed(document["spurious"]),
        "confusion": renamed_twice(document["confusion"]),
        "agreement": {"relation": renamed_twice(document["agreement"]["relation"])},
    }


def _profile_confusion(
    comparison: TripleComparison, spellings: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    for overlap in comparison.all_overlaps:
        if not overlap.same:
            triple = comparison.system.in_range[overlap.system]
            gold = spellings[comparison.gold.in_range[overlap.gold].relation]
            for name in comparison.profile_names(triple):
                yield f"{name}:{spellings[triple.relation]}", gold


def _diagnose_as_reference(comparison: FirstComeComparison) -> TriplesDiagnosis:
    mode = "partial_same"
    fits, duplicates = comparison.credit_conditions[mode], comparison.duplicate_conditions[mode]
    gold_index, system = comparison.gold_index, comparison.system_items
    missed = first_come.missed(gold_index, system)
    wrong = first_come.wrong_relation(gold_index, system, fits=fits, duplicate=duplicates)
    confused = list(first_come.confusion(gold_index, system))
    by_relation = contingency((item.triple.relation, other.triple.relation) for other, item in confused)
    by_profile = contingency(
        (f"{item.triple.profile_id or item.triple.relation}:{item.triple.relation}", other.triple.relation)
        for other, item in confused
    )
    return {
        "headline": comparison.headline,
        "scope": _scope_size(comparison),
        "counts": {
            "gold": _side_counts(comparison.gold, len(comparison.gold_items)),
            "system": _side_counts(comparison.system, comparison.unique),
        },
        "missed": _list_triples(item.triple for item in missed),
        "correct": _list_pairs((one.gold.triple, one.system.triple) for one in comparison.plain.credited),
        "wrong_relation": _list_triples(item.triple for item in wrong),
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
