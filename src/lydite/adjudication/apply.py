"""From system output, queue and decisions to judged items, and from those to scores."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from math import fsum
from typing import TypedDict, TypeVar

from lydite.adjudication.decisions import JointVerdict, read_table
from lydite.adjudication.pool import (
    DOCUMENT,
    PoolItem,
    Queue,
    Targets,
    asked_item,
    known_false,
    matches,
    mention_known,
    pool,
)
from lydite.adjudication.scores import (
    DOWN,
    FIGURES,
    OPEN,
    UP,
    Ends,
    JudgedItem,
    adjudicated,
    intervals,
    macro,
)
from lydite.align.ace_elements import (
    mention_entries,
    occurrence_similarity,
    pair_value,
    touched_mentions,
)
from lydite.align.ace_sides import entity_worth, level_of, worths
from lydite.errors import FormatError, UsageError
from lydite.formats.numbered_lines import made_of
from lydite.grouping import grouped
from lydite.model.ace import ENTITY
from lydite.model.ace_alignment import CorpusElement, ElementOutcome, Occurrence, ScoredMention
from lydite.model.ace_names import LATIN, normalise
from lydite.model.ace_parameters import EPSILON, Parameters
from lydite.records import dataclass, replace

F = TypeVar("F")
Texts = Callable[[str], str | None]
"""The text of a document, where it is known."""


@dataclass(frozen=True, slots=True)
class JudgedRun:
    """The items of a run of adjudication.

    ``valued`` are occurrences (target and document), which carry value; ``counted`` are the items that were judged,
    which precision, recall and B-cubed count.  They are the same where whole documents are judged.
    """

    valued: tuple[JudgedItem, ...]
    counted: tuple[JudgedItem, ...]
    plain: tuple[JudgedItem, ...]
    """Occurrences as they were before any judgement, under the mapping of that time."""
    annotated: frozenset[str]

    def of(self, target: str) -> JudgedRun:
        """What there is of one target."""

        def own(items: Iterable[JudgedItem]) -> tuple[JudgedItem, ...]:
            return tuple(item for item in items if item.target == target)

        return replace(self, valued=own(self.valued), counted=own(self.counted), plain=own(self.plain))

    @property
    def evaluated(self) -> frozenset[str]:
        """The annotated documents, and those of which something was decided."""
        return self.annotated.union(item.doc_id for item in self.counted if item.is_decided)


def read_queue(path: str, granularity: str) -> Queue:
    """What the judges were asked about, which must be what is judged now."""
    required = (
        "item_id",
        "target_id",
        "docid",
        "granularity",
        "head_start",
        "head_end",
        "mention_type",
        "pi",
    )
    items, findings = made_of(read_table(path, required), path, "bad-table", asked_item)
    if findings:
        raise FormatError(findings)
    others = sorted({item.granularity for _, item in items} - {granularity})
    if others:
        raise UsageError(
            f"{path} asks about items of the granularity {', '.join(others)}, and {granularity} is what is scored",
            hint="give the --profile and --granularity of the queue",
        )
    return {item.item_id: item for _, item in items}


def judged_items(
    targets: Targets,
    queue: Queue,
    verdicts: Mapping[str, JointVerdict],
    granularity: str,
    text_of: Texts,
    *,
    assumed: str | None = None,
) -> JudgedRun:
    """All items of all targets, with what gold and the judges say about them.

    What is not decided is taken for ``assumed``, if that is given; not what items that were drawn stand for.
    """
    pooled = pool(targets, granularity, queue)
    sampled = {item.target_id for item in queue.values() if item.pi < 1}
    open_ = [item.item_id for item in pooled if item.item_id in queue or item.target_id not in sampled]
    said = dict.fromkeys(open_, assumed) if assumed else {}
    said |= _said(queue, verdicts)
    views = list(_views(targets, pooled, said=said, text_of=text_of))
    before = views if targets.first is None else _views(targets.first, (), said=said, text_of=text_of)
    plain = tuple(view.plain_item() for view, _ in before)
    if granularity == DOCUMENT:
        items = tuple(item for view, items_here in views for item in view.document_items(items_here))
        return JudgedRun(items, items, plain, targets.annotated)
    valued = tuple(item for view, items_here in views for item in view.occurrence_items(items_here))
    counted = tuple(item for view, items_here in views for item in view.mention_items(items_here))
    return JudgedRun(valued, counted, plain, targets.annotated)


def _views(
    targets: Targets,
    pooled: Sequence[PoolItem],
    *,
    said: Mapping[str, str],
    text_of: Texts,
) -> Iterator[tuple[_View, Sequence[PoolItem]]]:
    """Every target in every document where gold or a system has it or where it was judged, with its items there."""
    of_targets = grouped((item.target_id, item) for item in pooled)
    for target_id in sorted(targets.gold):
        here = grouped((item.doc_id, item) for item in of_targets.get(target_id, ()))
        mapped = (system.entities.get(target_id) for system in targets.systems)
        elements = (targets.gold[target_id], *mapped)
        found = {doc_id for element in elements if element is not None for doc_id in element.occurrences}
        for doc_id in sorted({*found, *here}):
            view = _View(targets, target_id, doc_id, said=said, text_of=text_of)
            yield view, here.get(doc_id, ())


def reference(
    targets: Targets,
    queue: Queue,
    verdicts: Mapping[str, JointVerdict],
    granularity: str,
    text_of: Texts,
) -> dict[str, dict[str, Occurrence]]:
    """By target and document: the occurrences of gold, with what was judged right."""
    pooled, said = pool(targets, granularity, queue), _said(queue, verdicts)
    found: dict[str, dict[str, Occurrence]] = {}
    for view, items in _views(targets, pooled, said=said, text_of=text_of):
        right = view.right_document(items) if granularity == DOCUMENT else view.right_occurrence(items)
        occurrence = right or view.gold
        if occurrence is not None:
            found.setdefault(view.target_id, {})[view.doc_id] = occurrence
    return found


def _said(queue: Queue, verdicts: Mapping[str, JointVerdict]) -> dict[str, str]:
    """What the judges decided; only what they were asked about."""
    return {name: one.verdict for name, one in verdicts.items() if name in queue and one.verdict != OPEN}


class _View:
    """One target in one document: what gold has there, what every system has, and what the judges said."""

    def __init__(
        self,
        targets: Targets,
        target_id: str,
        doc_id: str,
        *,
        said: Mapping[str, str],
        text_of: Texts,
    ) -> None:
        self.targets, self.target_id, self.doc_id = targets, target_id, doc_id
        self.said, self.text_of = said, text_of
        self.inside = doc_id in targets.annotated
        self.target: CorpusElement = targets.gold[target_id]
        self.gold = self.target.occurrences.get(doc_id) if self.inside else None
        self.found: dict[str, Occurrence] = {
            system.name: element.occurrences[doc_id]
            for system in targets.systems
            if (element := system.entities.get(target_id)) is not None and doc_id in element.occurrences
        }
        self._judged = partial(JudgedItem, target_id, doc_id)
        self._known = partial(mention_known, targets, target_id, doc_id)

    def plain_item(self) -> JudgedItem:
        """The occurrence before any judgement."""
        if self.gold is not None:
            return self._gold_item(self.gold)
        values = {system: occurrence.value for system, occurrence in self.found.items()}
        return self._judged(self.inside, False, dict.fromkeys(values, 0.0), value=0.0, system_value=values)

    def _gold_item(self, gold: Occurrence) -> JudgedItem:
        """A gold occurrence, with what each system earned for it before any judgement."""
        earned = {
            system.name: outcome.value
            for system in self.targets.systems
            for outcome in system.section.outcomes.get(self.doc_id, ())
            if self._is_own(outcome, self.found.get(system.name))
        }
        return self._judged(True, True, earned, value=gold.value)

    def _is_own(self, outcome: ElementOutcome, found: Occurrence | None) -> bool:
        """Whether a system earned or owes it: mapped to the target, or (without a quirk) beside it and in vain."""
        if outcome.gold is not None:
            return outcome.gold.element == self.target.id and outcome.status in {"correct", "error"}
        owner = None if found is None or outcome.status != "fa" else found.element
        return outcome.system is not None and outcome.system.element == owner

    # -------------------------------------------------------------------------------------- whole documents

    def document_items(self, pooled: Sequence[PoolItem]) -> Iterator[JudgedItem]:
        """The document as gold's item; or as that of the judges, beside what is known to be false of some systems."""
        if self.gold is not None:
            yield self._gold_item(self.gold)
            return
        false = [
            system
            for system, occurrence in self.found.items()
            if self.inside and known_false(self.targets, self.target_id, occurrence)
        ]
        for item in pooled:
            others = [system for system in self.found if system not in false]
            yield self._judged_document(others, self.said.get(item.item_id), item.pi)
        if false:
            yield self._judged_document(false, DOWN)

    def _judged_document(self, systems: Iterable[str], verdict: str | None, pi: float = 1.0) -> JudgedItem:
        named = self._named_here()
        attributes, parameters = named.attributes, self.targets.parameters
        weight = parameters.entity["mention-type"].get("NAM", 1.0)
        here = {system: self.found[system] for system in systems}
        return self._judged(
            self.inside,
            reference=False,
            found={system: weight * _worth(named, one, parameters) for system, one in here.items()},
            verdict=verdict,
            pi=pi,
            value=weight * entity_worth(attributes, attributes, parameters),
            system_value={system: occurrence.value for system, occurrence in here.items()},
        )

    def right_document(self, pooled: Sequence[PoolItem]) -> Occurrence | None:
        """The target as gold has it here because the judges said so; None if they did not."""
        is_right = self.gold is None and self._decided(pooled, {UP})
        return self._valued(self._named_here()) if is_right else None

    def _named_here(self) -> Occurrence:
        """The target, as if it were named in this document."""
        any_other = next(iter(self.target.occurrences.values()))
        attributes = {**any_other.attributes, "LEVEL": "NAM"}
        return any_other._replace(attributes=attributes, names=self._names_in(self.found.values()))

    def _names_in(self, found: Iterable[Occurrence]) -> tuple[str, ...]:
        """The names of the target that stand in the document (its text, or else what systems read there), or its handle.

        A target without any name of its own is called what gold calls it.
        """
        target = self.targets.targets[self.target_id]
        handle = {normalise(target.handle)}
        own = {*map(normalise, target.names)}
        known = own or {name for one in self.target.occurrences.values() for name in one.names} or handle
        text = self.text_of(self.doc_id)
        if text is not None:
            plain = normalise(text)
            here = {name for name in known if name and _stands_in(name, plain)}
        else:
            here = known & {name for occurrence in found for name in occurrence.names}
        return tuple(sorted(here or (handle if handle <= own else known)))

    # --------------------------------------------------------------------------------------------- mentions

    def mention_items(self, pooled: Sequence[PoolItem]) -> Iterator[JudgedItem]:
        """Gold mentions of the target, what was judged, and what is known to be false."""
        parameters = self.targets.parameters
        for mention in self.gold.mentions if self.gold is not None else ():
            found = {
                system: 1.0
                for system, occurrence in self.found.items()
                if any(matches(mention, other, parameters) for other in occurrence.mentions)
            }
            yield self._judged(inside=True, reference=True, found=found)
        for item in pooled:
            found = {system: 1.0 for system, _ in item.systems}
            yield self._judged(self.inside, False, found, self.said.get(item.item_id), item.pi)
        for system, occurrence in self.found.items():
            for mention in occurrence.mentions:
                if self._known(mention) == "other":
                    yield self._judged(True, False, {system: 1.0}, DOWN)

    def occurrence_items(self, pooled: Sequence[PoolItem]) -> Iterator[JudgedItem]:
        """The occurrence with what was judged right, and what each system earns or owes for it."""
        right, judged = self._decided(pooled, {UP}), self._decided(pooled, {UP, DOWN})
        kept = self._kept(judged)
        pi = len(judged) / fsum(1 / item.pi for item in judged) if judged else 1.0
        if self.gold is None and not right:
            if kept:
                yield self._judged(
                    self.inside,
                    reference=False,
                    found=dict.fromkeys(kept, 0.0),
                    verdict=DOWN,
                    pi=pi,
                    system_value={system: self._valued(one).value for system, one in kept.items()},
                )
            return
        gold = self._augmented(right, kept.values())
        found = {
            system: value for system, one in kept.items() if (value := self._credit(gold, one)) is not None
        }
        yield self._judged(
            self.inside,
            reference=self.gold is not None,
            found=found,
            verdict=None if self.gold is not None else UP,
            pi=pi,
            value=gold.value,
        )

    def right_occurrence(self, pooled: Sequence[PoolItem]) -> Occurrence | None:
        """The occurrence with what was judged right; None if nothing was."""
        right, judged = self._decided(pooled, {UP}), self._decided(pooled, {UP, DOWN})
        return self._augmented(right, self._kept(judged).values()) if right else None

    def _decided(self, pooled: Sequence[PoolItem], verdicts: Collection[str]) -> list[PoolItem]:
        return [item for item in pooled if self.said.get(item.item_id) in verdicts]

    def _kept(self, judged: Sequence[PoolItem]) -> dict[str, Occurrence]:
        """What each system has here, at its level without mentions of which nothing is known."""
        decided = frozenset(mention for item in judged for mention in item.mentions)
        kept = {}
        for system, occurrence in self.found.items():
            mentions = tuple(
                one
                for one in occurrence.mentions
                if (system, one.id) in decided or self._known(one) is not None
            )
            if mentions:
                attributes = {**occurrence.attributes, "LEVEL": level_of(mentions, self.targets.parameters)}
                kept[system] = occurrence._replace(mentions=mentions, attributes=attributes)
        return kept

    def _augmented(self, right: Sequence[PoolItem], found: Iterable[Occurrence]) -> Occurrence:
        """The gold occurrence with the mentions that were judged right."""
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
        level = level_of(mentions, parameters)
        names = self.gold.names if self.gold is not None else ()
        if not names and level == "NAM":
            names = self._names_in(found)
        attributes = {**template.attributes, "LEVEL": level}
        return self._valued(template._replace(attributes=attributes, mentions=tuple(mentions), names=names))

    def _valued(self, occurrence: Occurrence) -> Occurrence:
        """An occurrence with the value of its mentions; it keeps its level and names."""
        here = occurrence._replace(doc_id=self.doc_id)
        level = here.attributes["LEVEL"]
        own = here.kind, here.attributes, here.mentions, here.names
        # The first nine fields are what it says, the others what it is worth.
        return Occurrence(*here[:9], *worths(*own, self.targets.parameters, corpus_level=level))

    def _credit(self, gold: Occurrence, occurrence: Occurrence) -> float | None:
        """V(t, S, d) of the augmented occurrence; None if nothing matches, and that costs nothing."""
        parameters = self.targets.parameters
        system = self._valued(occurrence)
        entries = mention_entries(ENTITY, [gold], [system], parameters)
        touched = touched_mentions(entries).get(system.element, ())
        system = system._replace(touched=frozenset(touched))
        worth = _worth(gold, system, parameters)
        found = entries.get((gold.element, system.element))
        if worth <= 0:
            return None
        if not found:
            return None if parameters.no_overlap_is_free else -parameters.entity["false-alarm"] * system.value
        return pair_value(gold, system, found, worth, parameters, mapping=False).value


def _stands_in(name: str, text: str) -> bool:
    """Whether a name stands in a text as more than a part of a longer word, both normalised."""
    return re.search(rf"(?<![{LATIN}]){re.escape(name)}(?![{LATIN}])", text) is not None


def _worth(target: Occurrence, system: Occurrence, parameters: Parameters) -> float:
    """v(t, S) of a target in a document and what the system has there."""
    worth = entity_worth(target.attributes, system.attributes, parameters)
    return worth * occurrence_similarity(target, system, parameters)


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


_VALUE_FIGURES = ("value_plus", "score_plus", "ace_value_plus")


def system_report(
    judged: JudgedRun,
    if_decided: Sequence[JudgedRun],
    system: str,
    *,
    false_alarm: float,
    resamples: int,
    seed: int,
) -> SystemReport:
    """Everything that ``assess apply`` says about a system, as plain data.

    ``if_decided`` are the same items with everything undecided wrong, and right.
    """
    documents = judged.evaluated

    def figures(items: Sequence[JudgedItem]) -> Mapping[str, float | None]:
        return adjudicated(items, system, false_alarm=false_alarm)._asdict()

    def ends_of_interval(items: Sequence[JudgedItem]) -> Mapping[str, Ends]:
        evaluated = [item for item in items if item.doc_id in documents]
        return intervals(
            evaluated, system, false_alarm=false_alarm, resamples=resamples, seed=seed, among=documents
        )

    targets = sorted({item.target for item in judged.counted})
    per_target = {target: _mixed(judged.of(target), figures) for target in targets}
    unjudged = [replace(item, verdict=None if item.reference else DOWN) for item in judged.plain]
    found = [item for item in judged.counted if system in item.found and not item.reference]
    after = _mixed(judged, figures)
    drawn = _mixed(judged, ends_of_interval) if resamples else {}
    return {
        "after": after,
        "all_found_outside_gold_is_wrong": figures(unjudged)["ace_value_plus"],
        "undecided": {
            "items": sum(1 for item in found if not item.is_decided),
            "range": _range([after, *(_mixed(run, figures) for run in if_decided)]),
        },
        "intervals": {name: list(ends) for name, ends in drawn.items()},
        "macro": macro(per_target),
        "targets": per_target,
    }


def _mixed(judged: JudgedRun, measure: Callable[[Sequence[JudgedItem]], Mapping[str, F]]) -> dict[str, F]:
    """Value figures from occurrences, as they were for the value on A; the others from the items that were judged."""
    plain, values, counts = measure(judged.plain), measure(judged.valued), measure(judged.counted)
    return {
        name: (values if name in _VALUE_FIGURES else plain if name == "ace_value_on_A" else counts)[name]
        for name in FIGURES
    }


def _range(possible: Sequence[Mapping[str, float | None]]) -> dict[str, list[float | None]]:
    """The least and the most that a figure can be, which is also what it is while open items are taken away."""
    found: dict[str, list[float | None]] = {}
    for name in FIGURES:
        known = [figure for one in possible if (figure := one[name]) is not None]
        found[name] = [min(known), max(known)] if known else [None, None]
    return found
