"""From system output, queue and decisions to judged items, and from those to scores."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import fsum
from typing import TypedDict, TypeVar

from lydite.adjudication.decisions import Verdict, read_table
from lydite.adjudication.pool import (
    DOCUMENT,
    MappedSystem,
    PoolItem,
    Targets,
    item_id,
    known_false,
    mention_known,
    pool,
)
from lydite.adjudication.scores import (
    DOWN,
    FIGURES,
    UP,
    Ends,
    JudgedItem,
    adjudicated,
    by_target,
    intervals,
    macro,
    undecided_range,
)
from lydite.align.ace_elements import (
    mention_entries,
    occurrence_similarity,
    pair_value,
    touched_mentions,
)
from lydite.align.ace_regions import overlap
from lydite.align.ace_sides import entity_worth, valued
from lydite.errors import Finding, FormatError, Location
from lydite.grouping import grouped
from lydite.model.ace import ENTITY
from lydite.model.ace_alignment import CorpusElement, Occurrence, ScoredMention
from lydite.model.ace_names import normalise
from lydite.model.ace_parameters import EPSILON, Parameters
from lydite.numerals import decimal_of

F = TypeVar("F")
Texts = Callable[[str], str | None]
"""The text of a document, where it is known."""


@dataclass(frozen=True, slots=True)
class Judged:
    """The items of a run of adjudication.

    ``valued`` are occurrences (target and document), which carry value; ``counted`` are the items that were judged,
    which precision, recall and B-cubed count.  They are the same where whole documents are judged.
    """

    valued: tuple[JudgedItem, ...]
    counted: tuple[JudgedItem, ...]
    plain: tuple[JudgedItem, ...]
    """Occurrences inside the annotated documents as they were before any judgement."""


def read_queue(path: str) -> dict[str, float]:
    """Item id to inclusion probability."""
    queue: dict[str, float] = {}
    findings = []
    for number, row in read_table(path, ("item_id", "pi")):
        pi = decimal_of(row["pi"])
        if pi is None or not 0 < pi <= 1:
            message = f"expected an inclusion probability above 0 and up to 1, found {row['pi']!r}"
            findings.append(
                Finding("bad-table", "error", message, Location(path, number), item=row["item_id"])
            )
            continue
        queue[row["item_id"]] = pi
    if findings:
        raise FormatError(findings)
    return queue


def judged_items(
    targets: Targets,
    queue: Mapping[str, float],
    verdicts: Mapping[str, Verdict],
    granularity: str,
    text_of: Texts = lambda _doc_id: None,
) -> Judged:
    """All items of all targets, with what gold and the judges say about them."""
    plain = tuple(_plain_items(targets))
    if granularity == DOCUMENT:
        items = tuple(
            item
            for target_id in sorted(targets.gold)
            for item in _document_items(targets, target_id, queue, verdicts, text_of)
        )
        return Judged(items, items, plain)
    pooled = grouped(((entry.target_id, entry.doc_id), entry) for entry in pool(targets, granularity))
    valued_items: list[JudgedItem] = []
    counted: list[JudgedItem] = []
    for target_id in sorted(targets.gold):
        for doc_id in _documents_of(targets, target_id):
            view = _MentionView(
                targets,
                target_id,
                doc_id,
                pooled.get((target_id, doc_id), ()),
                queue=queue,
                verdicts=verdicts,
            )
            valued_items.extend(view.occurrence_items(text_of))
            counted.extend(view.mention_items())
    return Judged(tuple(valued_items), tuple(counted), plain)


def _documents_of(targets: Targets, target_id: str) -> list[str]:
    mapped = (system.entities.get(target_id) for system in targets.systems)
    elements = (targets.gold[target_id], *mapped)
    return sorted({doc_id for element in elements if element is not None for doc_id in element.occurrences})


def _gold_item(targets: Targets, target_id: str, doc_id: str) -> JudgedItem:
    """A gold occurrence, with what each system earned for it before any judgement."""
    gold = targets.gold[target_id]
    earned = {
        system.name: outcome.value
        for system in targets.systems
        for outcome in system.section.outcomes.get(doc_id, ())
        if outcome.gold is not None
        and outcome.gold.element == gold.id
        and outcome.status in {"correct", "error"}
    }
    return JudgedItem(target_id, doc_id, True, True, earned, value=gold.occurrences[doc_id].value)


def _occurrences_of_systems(
    targets: Targets, target_id: str, doc_id: str
) -> Iterator[tuple[MappedSystem, Occurrence]]:
    for system in targets.systems:
        element = system.entities.get(target_id)
        if element is not None and doc_id in element.occurrences:
            yield system, element.occurrences[doc_id]


def _plain_items(targets: Targets) -> Iterator[JudgedItem]:
    for target_id in sorted(targets.gold):
        for doc_id in _documents_of(targets, target_id):
            if doc_id not in targets.annotated:
                continue
            if doc_id in targets.gold[target_id].occurrences:
                yield _gold_item(targets, target_id, doc_id)
                continue
            here = _occurrences_of_systems(targets, target_id, doc_id)
            extra = {system.name: occurrence.value for system, occurrence in here}
            found = dict.fromkeys(extra, 0.0)
            yield JudgedItem(target_id, doc_id, True, False, found, value=0.0, system_value=extra)


# ------------------------------------------------------------------------------------------ whole documents


def _document_items(
    targets: Targets,
    target_id: str,
    queue: Mapping[str, float],
    verdicts: Mapping[str, Verdict],
    text_of: Texts,
) -> Iterator[JudgedItem]:
    gold = targets.gold[target_id]
    for doc_id in _documents_of(targets, target_id):
        inside = doc_id in targets.annotated
        if inside and doc_id in gold.occurrences:
            yield _gold_item(targets, target_id, doc_id)
            continue
        name = item_id(target_id, doc_id, None, DOCUMENT)
        here = list(_occurrences_of_systems(targets, target_id, doc_id))
        verdict = verdicts[name].verdict if name in verdicts and name in queue else None
        if verdict is None and inside and all(known_false(targets, target_id, one) for _, one in here):
            verdict = DOWN
        names = _names_in(targets, target_id, doc_id, [one for _, one in here], text_of)
        any_other = next(iter(gold.occurrences.values()))
        attributes = {**any_other.attributes, "LEVEL": "NAM"}
        named = any_other._replace(attributes=attributes, names=names)
        weight = targets.parameters.entity.mention_type.get("NAM", 1.0)
        yield JudgedItem(
            target_id,
            doc_id,
            inside,
            reference=False,
            found={
                system.name: weight * _worth(named, occurrence, targets.parameters)
                for system, occurrence in here
            },
            verdict=verdict,
            pi=queue.get(name, 1.0),
            value=weight * entity_worth(attributes, attributes, targets.parameters),
            system_value={system.name: occurrence.value for system, occurrence in here},
        )


def _worth(target: Occurrence, system: Occurrence, parameters: Parameters) -> float:
    """v(t, S) of a target in a document and what the system has there."""
    worth = entity_worth(target.attributes, system.attributes, parameters)
    return worth * occurrence_similarity(target, system, parameters)


def _names_in(
    targets: Targets, target_id: str, doc_id: str, found: Sequence[Occurrence], text_of: Texts
) -> tuple[str, ...]:
    """The names of the target that occur in the document (its text, or else what systems read there), or its handle."""
    target = targets.targets[target_id]
    known = {normalise(name) for name in (*target.names, target.handle)}
    known.update(name for one in targets.gold[target_id].occurrences.values() for name in one.names)
    text = text_of(doc_id)
    if text is not None:
        plain = normalise(text)
        here = {name for name in known if name and name in plain}
    else:
        here = known & {name for occurrence in found for name in occurrence.names}
    return tuple(sorted(here or {normalise(target.handle)}))


# ------------------------------------------------------------------------------------------------- mentions


class _MentionView:
    """The mentions of one target in one document: gold's, those judged right, and those of every system."""

    def __init__(
        self,
        targets: Targets,
        target_id: str,
        doc_id: str,
        pooled: Sequence[PoolItem],
        *,
        queue: Mapping[str, float],
        verdicts: Mapping[str, Verdict],
    ) -> None:
        self.targets, self.target_id, self.doc_id, self.pooled = targets, target_id, doc_id, pooled
        self.queue, self.verdicts = queue, verdicts
        self.inside = doc_id in targets.annotated
        self._judged = partial(JudgedItem, target_id, doc_id)
        self.gold = targets.gold[target_id].occurrences.get(doc_id) if self.inside else None

    def verdict(self, item: PoolItem) -> str | None:
        """What the judges said, of items that were asked about."""
        found = self.verdicts.get(item.item_id)
        return found.verdict if found is not None and item.item_id in self.queue else None

    def item_of(self, mention: ScoredMention) -> PoolItem | None:
        """The pool item that a system mention belongs to: the one that overlaps it most."""
        near = [(overlap(item.head, mention.place), item) for item in self.pooled if item.head is not None]
        best = max(near, key=lambda entry: entry[0], default=None)
        return best[1] if best is not None and best[0] > 0 else None

    def mention_items(self) -> Iterator[JudgedItem]:
        """Gold mentions of the target, what was judged, and what is known to be false."""
        systems = list(_occurrences_of_systems(self.targets, self.target_id, self.doc_id))
        parameters = self.targets.parameters
        for mention in self.gold.mentions if self.gold is not None else ():
            found = {
                system.name: 1.0
                for system, occurrence in systems
                if any(
                    overlap(mention.place, other.place) >= parameters.min_overlap
                    for other in occurrence.mentions
                )
            }
            yield self._judged(inside=True, reference=True, found=found)
        for item in self.pooled:
            found = {system: 1.0 for system, _ in item.systems}
            pi = self.queue.get(item.item_id, 1.0)
            yield self._judged(self.inside, False, found, self.verdict(item), pi)
        for system, occurrence in systems:
            for mention in occurrence.mentions:
                if mention_known(self.targets, self.target_id, self.doc_id, mention) == "other":
                    yield self._judged(True, False, {system.name: 1.0}, DOWN)

    def occurrence_items(self, text_of: Texts) -> Iterator[JudgedItem]:
        """The occurrence with what was judged right, and what each system earns or owes for it."""
        right = [item for item in self.pooled if self.verdict(item) == UP]
        kept = {
            system.name: (occurrence, mentions)
            for system, occurrence in _occurrences_of_systems(self.targets, self.target_id, self.doc_id)
            if (mentions := tuple(m for m in occurrence.mentions if self._is_decided(m)))
        }
        judged = [item for item in self.pooled if self.verdict(item) in {UP, DOWN}]
        pi = 1.0
        if judged and not self.inside:
            pi = len(judged) / fsum(1 / self.queue.get(item.item_id, 1.0) for item in judged)
        if self.gold is None and not right:
            if kept:
                yield self._judged(
                    self.inside,
                    reference=False,
                    found=dict.fromkeys(kept, 0.0),
                    verdict=DOWN,
                    pi=pi,
                    system_value={name: self._again(*entry).value for name, entry in kept.items()},
                )
            return
        gold = self._augmented(right, [entry[0] for entry in kept.values()], text_of)
        found = {
            name: value for name, entry in kept.items() if (value := self._credit(gold, *entry)) is not None
        }
        yield self._judged(
            self.inside,
            reference=self.gold is not None,
            found=found,
            verdict=None if self.gold is not None else UP,
            pi=pi,
            value=gold.value,
        )

    def _is_decided(self, mention: ScoredMention) -> bool:
        if mention_known(self.targets, self.target_id, self.doc_id, mention) is not None:
            return True
        item = self.item_of(mention)
        return item is not None and self.verdict(item) in {UP, DOWN}

    def _augmented(
        self, right: Sequence[PoolItem], found: Sequence[Occurrence], text_of: Texts
    ) -> Occurrence:
        """The gold occurrence with the mentions that were judged right."""
        parameters = self.targets.parameters
        element: CorpusElement = self.targets.gold[self.target_id]
        template = self.gold or next(iter(element.occurrences.values()))
        mentions = list(self.gold.mentions) if self.gold is not None else []
        for item in right:
            assert item.head is not None
            weight = parameters.entity.mention_type.get(item.mention_type, 0.0)
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
        level = max(mentions, key=lambda one: one.weight).type
        names = self.gold.names if self.gold is not None else ()
        if not names and level == "NAM":
            names = _names_in(self.targets, self.target_id, self.doc_id, found, text_of)
        attributes = {**template.attributes, "LEVEL": level}
        return self._valued(template._replace(attributes=attributes, mentions=tuple(mentions), names=names))

    def _again(self, occurrence: Occurrence, mentions: tuple[ScoredMention, ...]) -> Occurrence:
        """A system occurrence with fewer mentions; it keeps its level and names."""
        return self._valued(occurrence._replace(mentions=mentions))

    def _valued(self, occurrence: Occurrence) -> Occurrence:
        here = occurrence._replace(doc_id=self.doc_id)
        return valued(here, here.attributes["LEVEL"], self.targets.parameters)

    def _credit(
        self, gold: Occurrence, occurrence: Occurrence, mentions: tuple[ScoredMention, ...]
    ) -> float | None:
        """V(t, S, d) of the augmented occurrence; None if nothing matches."""
        parameters = self.targets.parameters
        system = self._again(occurrence, mentions)
        entries = mention_entries(ENTITY, [gold], [system], parameters)
        touched = touched_mentions(entries).get(system.element, ())
        system = system._replace(touched=frozenset(touched))
        worth = _worth(gold, system, parameters)
        found = entries.get((gold.element, system.element))
        if not found or worth <= 0:
            return None
        return pair_value(gold, system, found, worth, parameters, mapping=False).value


# --------------------------------------------------------------------------------------------------- scores


class Undecided(TypedDict):
    """How many items are open, and between what the figures can come to lie."""

    items: int
    range: dict[str, list[float | None]]


class SystemReport(TypedDict):
    """What ``assess apply`` says about a system."""

    after: dict[str, float | None]
    all_found_outside_gold_is_wrong: float | None
    undecided: Undecided
    intervals: dict[str, list[float | None]]
    macro: dict[str, float | None]
    targets: dict[str, dict[str, float | None]]


_VALUE_FIGURES = ("ace_value_on_A", "value_plus", "score_plus", "ace_value_plus")


def system_report(
    judged: Judged, system: str, *, false_alarm: float, resamples: int, seed: int
) -> SystemReport:
    """Everything that ``assess apply`` says about a system, as plain data."""

    def figures(items: Sequence[JudgedItem]) -> Mapping[str, float | None]:
        return adjudicated(items, system, false_alarm=false_alarm).to_dict()

    def ends_if_decided(items: Sequence[JudgedItem]) -> Mapping[str, Ends]:
        return undecided_range(items, system, false_alarm=false_alarm)

    def ends_of_interval(items: Sequence[JudgedItem]) -> Mapping[str, Ends]:
        return intervals(items, system, false_alarm=false_alarm, resamples=resamples, seed=seed)

    per_target = by_target(judged.counted, system, false_alarm=false_alarm)
    unjudged = [replace(item, verdict=None if item.reference else DOWN) for item in judged.valued]
    found = [item for item in judged.counted if system in item.found and not item.reference]
    after = {**_mixed(judged, figures), "ace_value_on_A": figures(judged.plain)["ace_value_on_A"]}
    drawn = _mixed(judged, ends_of_interval) if resamples else {}
    return {
        "after": after,
        "all_found_outside_gold_is_wrong": figures(unjudged)["ace_value_plus"],
        "undecided": {
            "items": sum(1 for item in found if not item.is_decided),
            "range": _around(after, _mixed(judged, ends_if_decided)),
        },
        "intervals": {name: list(ends) for name, ends in drawn.items()},
        "macro": macro(per_target),
        "targets": {target: one.to_dict() for target, one in per_target.items()},
    }


def _mixed(judged: Judged, measure: Callable[[Sequence[JudgedItem]], Mapping[str, F]]) -> dict[str, F]:
    """Value figures from occurrences, the others from the items that were judged."""
    values, counts = measure(judged.valued), measure(judged.counted)
    return {name: (values if name in _VALUE_FIGURES else counts)[name] for name in FIGURES}


def _around(
    figures: Mapping[str, float | None], ends: Mapping[str, Sequence[float | None]]
) -> dict[str, list[float | None]]:
    """The least and the most that a figure can be, which is also what it is while open items are taken away.

    What gold says of the annotated documents is not open.
    """
    found: dict[str, list[float | None]] = {}
    for name, figure in figures.items():
        known = [end for end in (*ends[name], figure) if end is not None]
        settled = name == "ace_value_on_A"
        found[name] = [figure, figure] if settled or not known else [min(known), max(known)]
    return found
