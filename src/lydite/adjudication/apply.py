"""From system output, queue and decisions to judged items, and from those to scores."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import fsum
from typing import TypedDict, TypeVar

from lydite.adjudication.decisions import JointVerdict, read_table
from lydite.adjudication.pool import (
    DOCUMENT,
    PoolItem,
    Queue,
    Targets,
    gold_match,
    is_known_false,
    mentions_match,
    pool,
    queued_item,
)
from lydite.adjudication.scores import (
    DOWN,
    FIGURES,
    OPEN,
    UP,
    Interval,
    JudgedItem,
    adjudicated,
    intervals,
    macro_average,
)
from lydite.align.ace_elements import match_mentions, matched_positions, occurrence_similarity, pair_value
from lydite.align.ace_sides import entity_worth, level_of_mentions, occurrence_worths
from lydite.errors import Finding, FormatError, Location, UsageError
from lydite.formats.numbered_lines import parse_lines
from lydite.grouping import grouped
from lydite.model.ace import ENTITY
from lydite.model.ace_alignment import CorpusElement, ElementOutcome, Occurrence, ScoredMention
from lydite.model.ace_names import LATIN, normalise
from lydite.model.ace_settings import EPSILON, AceSettings

F = TypeVar("F")
Items = Sequence[JudgedItem]
Texts = Callable[[str], str | None]
"""The text of a document, where it is known."""


@dataclass(frozen=True, slots=True)
class JudgedRun:
    """The items of a run of adjudication.

    ``occurrences`` (a target in a document) carry value; ``judged`` are the items that were judged, which precision,
    recall and B-cubed count.  They are the same where whole documents are judged.
    """

    occurrences: tuple[JudgedItem, ...]
    judged: tuple[JudgedItem, ...]
    before: tuple[JudgedItem, ...]
    """The occurrences before any judgement, under the mapping of that time."""
    annotated: frozenset[str]

    def of_target(self, target: str) -> JudgedRun:
        """The items of one target."""
        occurrences, judged, before = (
            tuple(item for item in items if item.target == target)
            for items in (self.occurrences, self.judged, self.before)
        )
        return replace(self, occurrences=occurrences, judged=judged, before=before)

    @property
    def evaluated_documents(self) -> frozenset[str]:
        """The annotated documents, and those in which an item was decided."""
        return self.annotated.union(item.doc_id for item in self.judged if item.is_decided)


def read_queue(path: str, granularity: str) -> Queue:
    """The items that the judges were asked about, which must have the granularity that is scored."""
    required = "item_id", "target_id", "docid", "granularity", "head_start", "head_end", "mention_type", "pi"
    items, findings = parse_lines(read_table(path, required), path, "bad-table", queued_item)
    queue: dict[str, PoolItem] = {}
    for number, item in items:
        if queue.setdefault(item.item_id, item) is not item:
            message = f"expected the item {item.item_id!r} once, found it again"
            findings.append(Finding("bad-table", "error", message, Location(path, number), item=item.item_id))
    if findings:
        raise FormatError(findings)
    others = sorted({item.granularity for _, item in items} - {granularity})
    if others:
        raise UsageError(
            f"{path} has items of the granularity {', '.join(others)}, but {granularity} is scored",
            hint="give the --profile and --granularity of the queue",
        )
    return queue


def judged_items(
    targets: Targets,
    queue: Queue,
    joint_verdicts: Mapping[str, JointVerdict],
    granularity: str,
    text_of: Texts,
    *,
    assumed: str | None = None,
) -> JudgedRun:
    """All items of all targets, with what gold and the judges say about them.

    Undecided items get the verdict ``assumed``, if it is given; not those for which items of a sample stand.
    """
    pooled = pool(targets, granularity, queue)
    sampled = {item.target_id for item in queue.values() if item.pi < 1}
    open_ = [item.item_id for item in pooled if item.item_id in queue or item.target_id not in sampled]
    verdicts = dict.fromkeys(open_, assumed) if assumed else {}
    verdicts |= _decided_verdicts(queue, joint_verdicts)
    places = list(_targets_in_documents(targets, pooled, verdicts, text_of))
    earlier = targets.before_remapping
    places_before = places if earlier is None else _targets_in_documents(earlier, (), verdicts, text_of)
    before = tuple(place.item_before_judgement() for place, _ in places_before)
    if granularity == DOCUMENT:
        items = tuple(item for place, pooled_here in places for item in place.document_items(pooled_here))
        return JudgedRun(items, items, before, targets.annotated)
    occurrences = tuple(item for place, pooled_here in places for item in place.occurrence_items(pooled_here))
    judged = tuple(item for place, pooled_here in places for item in place.mention_items(pooled_here))
    return JudgedRun(occurrences, judged, before, targets.annotated)


def _targets_in_documents(
    targets: Targets, pooled: Sequence[PoolItem], verdicts: Mapping[str, str], text_of: Texts
) -> Iterator[tuple[_TargetInDocument, Sequence[PoolItem]]]:
    """Every target in every document where gold or a system has it or where it was judged, with its items there."""
    of_targets = grouped((item.target_id, item) for item in pooled)
    for target_id in sorted(targets.gold):
        here = grouped((item.doc_id, item) for item in of_targets.get(target_id, ()))
        elements = (targets.gold[target_id], *(system.entities.get(target_id) for system in targets.systems))
        found = {doc_id for element in elements if element is not None for doc_id in element.occurrences}
        for doc_id in sorted({*found, *here}):
            yield _TargetInDocument(targets, target_id, doc_id, verdicts, text_of), here.get(doc_id, ())


def augmented_reference(
    targets: Targets,
    queue: Queue,
    joint_verdicts: Mapping[str, JointVerdict],
    granularity: str,
    text_of: Texts,
) -> dict[str, dict[str, Occurrence]]:
    """By target and document: the occurrences of gold, with what was judged right."""
    pooled, verdicts = pool(targets, granularity, queue), _decided_verdicts(queue, joint_verdicts)
    reference: dict[str, dict[str, Occurrence]] = {}
    for place, items in _targets_in_documents(targets, pooled, verdicts, text_of):
        right = place.right_document(items) if granularity == DOCUMENT else place.right_occurrence(items)
        occurrence = right or place.gold
        if occurrence is not None:
            reference.setdefault(place.target_id, {})[place.doc_id] = occurrence
    return reference


def _decided_verdicts(queue: Queue, joint: Mapping[str, JointVerdict]) -> dict[str, str]:
    """The verdicts that are up or down, of items of the queue."""
    return {name: one.verdict for name, one in joint.items() if name in queue and one.verdict != OPEN}


class _TargetInDocument:
    """One target in one document: what gold has there, what every system has, and what the judges said."""

    def __init__(
        self, targets: Targets, target_id: str, doc_id: str, verdicts: Mapping[str, str], text_of: Texts
    ) -> None:
        self.targets, self.target_id, self.doc_id = targets, target_id, doc_id
        self.verdicts, self.text_of = verdicts, text_of
        self.inside = doc_id in targets.annotated
        self.target: CorpusElement = targets.gold[target_id]
        self.gold = self.target.occurrences.get(doc_id) if self.inside else None
        self.found: dict[str, Occurrence] = {
            system.name: element.occurrences[doc_id]
            for system in targets.systems
            if (element := system.entities.get(target_id)) is not None and doc_id in element.occurrences
        }
        self._item = partial(JudgedItem, target_id, doc_id)
        self._gold_match = partial(gold_match, targets, target_id, doc_id)

    def item_before_judgement(self) -> JudgedItem:
        """The occurrence before any judgement."""
        if self.gold is not None:
            return self._gold_item(self.gold)
        values = {system: occurrence.value for system, occurrence in self.found.items()}
        return self._item(self.inside, False, dict.fromkeys(values, 0.0), value=0.0, system_value=values)

    def _gold_item(self, gold: Occurrence) -> JudgedItem:
        """A gold occurrence, with what each system earned for it before any judgement."""
        earned = {
            system.name: outcome.value
            for system in self.targets.systems
            for outcome in system.section.outcomes.get(self.doc_id, ())
            if self._concerns_target(outcome, self.found.get(system.name))
        }
        return self._item(True, True, earned, value=gold.value)

    def _concerns_target(self, outcome: ElementOutcome, found: Occurrence | None) -> bool:
        """Whether an outcome is of the target: mapped to it or, with the quirk no-overlap-is-free off, a false alarm."""
        if outcome.gold is not None:
            return outcome.gold.element == self.target.id and outcome.status in {"correct", "error"}
        owner = None if found is None or outcome.status != "fa" else found.element
        return outcome.system is not None and outcome.system.element == owner

    # -------------------------------------------------------------------------------------- whole documents

    def document_items(self, pooled: Sequence[PoolItem]) -> Iterator[JudgedItem]:
        """The item of gold; else the item of the judges, and one of the systems whose occurrence is known to be false."""
        if self.gold is not None:
            yield self._gold_item(self.gold)
            return
        false = [
            system
            for system, occurrence in self.found.items()
            if self.inside and is_known_false(self.targets, self.target_id, occurrence)
        ]
        for item in pooled:
            others = [system for system in self.found if system not in false]
            yield self._document_item(others, self.verdicts.get(item.item_id), item.pi)
        if false:
            yield self._document_item(false, DOWN)

    def _document_item(self, systems: Iterable[str], verdict: str | None, pi: float = 1.0) -> JudgedItem:
        named = self._named_occurrence()
        attributes, parameters = named.attributes, self.targets.parameters
        weight = parameters.entity["mention-type"].get("NAM", 1.0)
        here = {system: self.found[system] for system in systems}
        return self._item(
            self.inside,
            reference=False,
            found={system: weight * _pair_worth(named, one, parameters) for system, one in here.items()},
            verdict=verdict,
            pi=pi,
            value=weight * entity_worth(attributes, attributes, parameters),
            system_value={system: occurrence.value for system, occurrence in here.items()},
        )

    def right_document(self, pooled: Sequence[PoolItem]) -> Occurrence | None:
        """The occurrence that gold lacks and the judges found right; None if there is none."""
        is_right = self.gold is None and self._items_with_verdict(pooled, {UP})
        return self._with_value(self._named_occurrence()) if is_right else None

    def _named_occurrence(self) -> Occurrence:
        """The occurrence that gold would have if the target were named in this document."""
        any_other = next(iter(self.target.occurrences.values()))
        attributes = {**any_other.attributes, "LEVEL": "NAM"}
        return any_other._replace(attributes=attributes, names=self._names_of_target(self.found.values()))

    def _names_of_target(self, found: Iterable[Occurrence]) -> tuple[str, ...]:
        """The names of the target that occur in the document as whole words, or else its handle.

        They are looked for in the text, or without it among the names that systems ``found``.  A target without names
        of its own has those that gold has anywhere.
        """
        target = self.targets.targets[self.target_id]
        handle = {normalise(target.handle)}
        own = {*map(normalise, target.names)}
        known = own or {name for one in self.target.occurrences.values() for name in one.names} or handle
        text = self.text_of(self.doc_id)
        if text is not None:
            plain = normalise(text)
            here = {
                name
                for name in known
                if name and re.search(rf"(?<![{LATIN}]){re.escape(name)}(?![{LATIN}])", plain)
            }
        else:
            here = known & {name for occurrence in found for name in occurrence.names}
        return tuple(sorted(here or (handle if handle <= own else known)))

    # --------------------------------------------------------------------------------------------- mentions

    def mention_items(self, pooled: Sequence[PoolItem]) -> Iterator[JudgedItem]:
        """The gold mentions of the target, the items of the judges, and the mentions known to be false."""
        parameters = self.targets.parameters
        for mention in self.gold.mentions if self.gold is not None else ():
            found = {
                system: 1.0
                for system, occurrence in self.found.items()
                if any(mentions_match(mention, other, parameters) for other in occurrence.mentions)
            }
            yield self._item(inside=True, reference=True, found=found)
        for item in pooled:
            found = {system: 1.0 for system, _ in item.systems}
            yield self._item(self.inside, False, found, self.verdicts.get(item.item_id), item.pi)
        for system, occurrence in self.found.items():
            for mention in occurrence.mentions:
                if self._gold_match(mention) == "other":
                    yield self._item(True, False, {system: 1.0}, DOWN)

    def occurrence_items(self, pooled: Sequence[PoolItem]) -> Iterator[JudgedItem]:
        """The occurrence with the mentions judged right, and what each system earns or owes for it."""
        right, judged = self._items_with_verdict(pooled, {UP}), self._items_with_verdict(pooled, {UP, DOWN})
        decided = self._decided_occurrences(judged)
        pi = len(judged) / fsum(1 / item.pi for item in judged) if judged else 1.0
        if self.gold is None and not right:
            if decided:
                yield self._item(
                    self.inside,
                    reference=False,
                    found=dict.fromkeys(decided, 0.0),
                    verdict=DOWN,
                    pi=pi,
                    system_value={name: self._with_value(one).value for name, one in decided.items()},
                )
            return
        gold = self._with_right_mentions(right, decided.values())
        earned = {system: self._credit(gold, one) for system, one in decided.items()}
        yield self._item(
            self.inside,
            reference=self.gold is not None,
            found={system: credit for system, credit in earned.items() if credit is not None},
            verdict=None if self.gold is not None else UP,
            pi=pi,
            value=gold.value,
        )

    def right_occurrence(self, pooled: Sequence[PoolItem]) -> Occurrence | None:
        """The occurrence of gold with the mentions judged right; None if no mention was."""
        right, judged = self._items_with_verdict(pooled, {UP}), self._items_with_verdict(pooled, {UP, DOWN})
        return self._with_right_mentions(right, self._decided_occurrences(judged).values()) if right else None

    def _items_with_verdict(self, pooled: Sequence[PoolItem], verdicts: Collection[str]) -> list[PoolItem]:
        return [item for item in pooled if self.verdicts.get(item.item_id) in verdicts]

    def _decided_occurrences(self, judged: Sequence[PoolItem]) -> dict[str, Occurrence]:
        """By system, its occurrence here, at its level without the mentions that nobody judged and gold does not match."""
        decided = frozenset(mention for item in judged for mention in item.mentions)
        occurrences = {}
        for system, occurrence in self.found.items():
            mentions = tuple(
                one
                for one in occurrence.mentions
                if (system, one.id) in decided or self._gold_match(one) is not None
            )
            if mentions:
                level = level_of_mentions(mentions, self.targets.parameters)
                attributes = {**occurrence.attributes, "LEVEL": level}
                occurrences[system] = occurrence._replace(mentions=mentions, attributes=attributes)
        return occurrences

    def _with_right_mentions(self, right: Sequence[PoolItem], found: Iterable[Occurrence]) -> Occurrence:
        """The gold occurrence (a new one if gold has none) with the mentions that were judged right."""
        parameters = self.targets.parameters
        template = self.gold or next(iter(self.target.occurrences.values()))
        mentions = list(self.gold.mentions) if self.gold is not None else []
        for item in right:
            assert item.head is not None
            weight = parameters.entity["mention-type"].get(item.mention_type, 0.0)
            mentions.append(
                ScoredMention(
                    item.item_id,
                    item.head,
                    item.extent or item.head,
                    item.mention_type,
                    template.attributes["TYPE"],
                    "LITERAL",
                    weight,
                    weight + EPSILON,
                )
            )
        level = level_of_mentions(mentions, parameters)
        names = self.gold.names if self.gold is not None else ()
        if not names and level == "NAM":
            names = self._names_of_target(found)
        attributes = {**template.attributes, "LEVEL": level}
        augmented = template._replace(attributes=attributes, mentions=tuple(mentions), names=names)
        return self._with_value(augmented)

    def _with_value(self, occurrence: Occurrence) -> Occurrence:
        """The occurrence in this document, with the value of its mentions, at its own level."""
        here = occurrence._replace(doc_id=self.doc_id)
        level = here.attributes["LEVEL"]
        own = here.kind, here.attributes, here.mentions, here.names
        # The first nine fields come from the document, the others are worths.
        return Occurrence(*here[:9], *occurrence_worths(*own, self.targets.parameters, corpus_level=level))

    def _credit(self, gold: Occurrence, occurrence: Occurrence) -> float | None:
        """V(t, S, d) of the augmented occurrence; None if nothing matches, and that costs nothing."""
        parameters = self.targets.parameters
        system = self._with_value(occurrence)
        entries = match_mentions(ENTITY, [gold], [system], parameters)
        matched = matched_positions(entries).get(system.element, ())
        system = system._replace(matched=frozenset(matched))
        worth = _pair_worth(gold, system, parameters)
        found = entries.get((gold.element, system.element))
        if worth <= 0:
            return None
        if not found:
            return None if parameters.no_overlap_is_free else -parameters.entity["false-alarm"] * system.value
        return pair_value(gold, system, found, worth, parameters, mapping=False).value


def _pair_worth(target: Occurrence, system: Occurrence, parameters: AceSettings) -> float:
    """v(t, S) of the target and a system occurrence in one document."""
    worth = entity_worth(target.attributes, system.attributes, parameters)
    return worth * occurrence_similarity(target, system, parameters)


# --------------------------------------------------------------------------------------------------- scores


class Undecided(TypedDict):
    """How many items are open, and the range that each figure can still take."""

    items: int
    range: dict[str, list[float | None]]


class SystemReport(TypedDict):
    """The report of ``assess apply`` on a system."""

    after: dict[str, float | None]
    all_found_outside_gold_is_wrong: float | None
    undecided: Undecided
    intervals: dict[str, list[float | None]]
    macro: dict[str, float | None]
    targets: dict[str, dict[str, float | None]]


_VALUE_FIGURES = ("value_plus", "score_plus", "ace_value_plus")


def system_report(
    run: JudgedRun,
    if_decided: Sequence[JudgedRun],
    system: str,
    *,
    false_alarm: float,
    resamples: int,
    seed: int,
) -> SystemReport:
    """The report of ``assess apply`` on a system; ``if_decided``: with all undecided items wrong, and all right."""
    documents = run.evaluated_documents

    def figures(items: Items) -> Mapping[str, float | None]:
        return adjudicated(items, system, false_alarm=false_alarm)._asdict()

    def resampled_intervals(items: Items) -> Mapping[str, Interval]:
        evaluated = [item for item in items if item.doc_id in documents]
        return intervals(
            evaluated, system, false_alarm=false_alarm, resamples=resamples, seed=seed, among=documents
        )

    targets = sorted({item.target for item in run.judged})
    per_target = {target: _combined_figures(run.of_target(target), figures) for target in targets}
    all_wrong = [replace(item, verdict=None if item.reference else DOWN) for item in run.before]
    after = _combined_figures(run, figures)
    drawn = _combined_figures(run, resampled_intervals) if resamples else {}
    return {
        "after": after,
        "all_found_outside_gold_is_wrong": figures(all_wrong)["ace_value_plus"],
        "undecided": {
            "items": sum(system in item.found and not item.is_decided for item in run.judged),
            "range": _range([after, *(_combined_figures(one, figures) for one in if_decided)]),
        },
        "intervals": {name: list(ends) for name, ends in drawn.items()},
        "macro": macro_average(per_target),
        "targets": per_target,
    }


def _combined_figures(run: JudgedRun, measure: Callable[[Items], Mapping[str, F]]) -> dict[str, F]:
    """Value figures from occurrences, the value on A from those before any judgement, the others from judged items."""
    before, values, counts = measure(run.before), measure(run.occurrences), measure(run.judged)
    return {
        name: (values if name in _VALUE_FIGURES else before if name == "ace_value_on_A" else counts)[name]
        for name in FIGURES
    }


def _range(possible: Sequence[Mapping[str, float | None]]) -> dict[str, list[float | None]]:
    """The least and the largest of each figure over the possible ones; None where it is always 0/0."""
    ranges: dict[str, list[float | None]] = {}
    for name in FIGURES:
        known = [figure for one in possible if (figure := one[name]) is not None]
        ranges[name] = [min(known), max(known)] if known else [None, None]
    return ranges
