"""The mapping of a document: the pairs of elements, what each earned, and where it lost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from lydite.align.ace_mentions import AceMentionPair, pair_mentions
from lydite.escaping import counted
from lydite.metrics.ace_value import occurrence_value
from lydite.model.ace import ENTITY, VALUE
from lydite.model.ace_alignment import ElementOutcome, KindAlignment
from lydite.tasks.ace.measurements import DocumentView


def diagnose(view: DocumentView) -> Mapping[str, object]:
    """By section, one entry for every occurrence or pair of this document."""
    return {
        "mapping": {
            name: [_mapping_entry(section, outcome) for outcome in section.outcomes.get(view.doc_id, ())]
            for name, section in view.scored_sections().items()
        },
        "not_scored_by_reference": sorted(
            name for name, section in view.scored_sections().items() if not section.scored_officially
        ),
        "agreement": dict(_annotator_agreement(view)),
    }


def _annotator_agreement(view: DocumentView) -> Iterator[tuple[str, dict[str, dict[str, int]]]]:
    """Contingency tables of types and classes of mentions at the same place.

    Mentions are joined by place alone: the mapping of elements considers these attributes, so that its pairs would
    agree more often than two annotators do.
    """
    from lydite.model.agreement import contingency

    scored = view.scored_sections()
    for kind, names in ((ENTITY, ("TYPE", "CLASS")), (VALUE, ("TYPE",))):
        if kind in scored:
            entries = view.whole.matches[kind].get(view.doc_id, {})
            pairs = list(pair_mentions(scored[kind], entries, view.doc_id))
            for name in names:
                yield f"{kind} {name.lower()}", contingency(_attribute(pair, name) for pair in pairs)
            if kind == ENTITY:
                yield "mention type", contingency((pair.gold.type, pair.system.type) for pair in pairs)


def _attribute(pair: AceMentionPair, name: str) -> tuple[str, str]:
    return pair.gold_occurrence.attributes.get(name, ""), pair.system_occurrence.attributes.get(name, "")


def _mapping_entry(section: KindAlignment, outcome: ElementOutcome) -> dict[str, object]:
    gold, system = outcome.gold, outcome.system
    entry: dict[str, object] = {
        "gold": gold.element if gold else None,
        "system": system.element if system else None,
        "status": outcome.status,
        "value": outcome.value,
        "earned": 0.0 if outcome.status == "miss" else outcome.value,
        "maximum": outcome.maximum,
        "system_value": occurrence_value(section, system, is_gold=False) if system else None,
        "lost": {
            name: cost
            for name, cost in (
                ("attributes", outcome.attribute_cost),
                ("missed parts", outcome.missed_cost),
                ("wrong parts", outcome.error_cost),
                ("false parts", outcome.false_cost),
            )
            if cost
        },
        "language": {
            side: occurrence.language
            for side, occurrence in (("gold", gold), ("system", system))
            if occurrence
        },
        "why": reasons_for_loss(outcome),
    }
    if outcome.arguments is not None:
        entry["arguments"] = [list(pair) for pair in outcome.arguments.pairs]
        entry["argument_errors"] = outcome.arguments.errors
    return entry


def reasons_for_loss(outcome: ElementOutcome) -> list[str]:
    """The reasons for what the occurrence lost, in words."""
    gold, system = outcome.gold, outcome.system
    if gold is None:
        return ["nothing in gold was mapped to it"]
    if system is None:
        return ["nothing in the system was mapped to it here"]
    if outcome.status == "miss":
        return ["mapped elsewhere, but the names here are too different to count"]
    reasons = [
        f"{name} is {system.attributes.get(name, 'absent')}, not {gold.attributes.get(name, 'absent')}"
        for name in sorted(gold.attributes.keys() | system.attributes.keys())
        if gold.attributes.get(name) != system.attributes.get(name)
    ]
    if outcome.arguments is not None:
        joined = {pair[:2] for pair in outcome.arguments.pairs}
        if outcome.arguments.gold_count > len(joined):
            reasons.append(f"{counted(outcome.arguments.gold_count - len(joined), 'argument')} missed")
        if outcome.arguments.system_count > len(joined):
            reasons.append(f"{counted(outcome.arguments.system_count - len(joined), 'argument')} in excess")
        reasons.extend(
            f"{filler} is {system_role}, not {gold_role}"
            for gold_role, filler, system_role, _ in outcome.arguments.pairs
            if gold_role != system_role
        )
        return reasons
    ours, theirs = {i for i, _ in outcome.mentions}, {j for _, j in outcome.mentions}
    reasons.extend(f"mention {m.id} missed" for i, m in enumerate(gold.mentions) if i not in ours)
    reasons.extend(f"mention {m.id} in excess" for j, m in enumerate(system.mentions) if j not in theirs)
    for i, j in outcome.mentions:
        one, other = gold.mentions[i], system.mentions[j]
        reasons.extend(
            f"mention {other.id} has {name} {theirs_} instead of {ours_}"
            for name, ours_, theirs_ in (
                ("type", one.type, other.type),
                ("role", one.role, other.role),
                ("style", one.style, other.style),
            )
            if ours_ != theirs_
        )
    return reasons
