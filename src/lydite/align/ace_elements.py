"""Entities, values and time expressions: which mentions match, what a pair is worth, which elements are mapped."""

from __future__ import annotations

import math
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import product
from typing import NamedTuple

from lydite.align.ace_assignment import assign
from lydite.align.ace_names import names_similarity, similarity
from lydite.align.ace_regions import overlap_candidates, text_match
from lydite.align.ace_sides import entity_worth, mention_alarm, timex2_worth, value_worth, with_false_alarms
from lydite.align.ace_sums import added_in_order
from lydite.grouping import grouped
from lydite.model.ace import ENTITY, TIMEX2, VALUE, overlap
from lydite.model.ace_alignment import (
    CorpusElement,
    ElementOutcome,
    KindAlignment,
    MentionMatch,
    MentionMatches,
    Occurrence,
    PairValues,
    ScoredMention,
)
from lydite.model.ace_settings import EPSILON, AceSettings

Elements = Mapping[str, CorpusElement]
Preferred = frozenset[tuple[str, str]]
"""Pairs of ids to follow among equally good mappings."""


class PairValue(NamedTuple):
    """V(r, s, d) and what it is made of."""

    value: float
    worth: float
    mentions: tuple[tuple[int, int], ...]
    self_sum: float
    score_sum: float


class ElementPairs:
    """Entities, values or times of both sides: matching mentions by document, with worth and value of any pair on demand."""

    def __init__(
        self,
        kind: str,
        gold: Elements,
        system: Elements,
        entries: Mapping[str, MentionMatches],
        parameters: AceSettings,
    ) -> None:
        self.kind, self.gold, self.system = kind, gold, system
        self.matches, self.parameters = entries, parameters
        self._worth: dict[tuple[tuple[str | None, ...], tuple[str | None, ...]], float] = {}
        self._values: dict[tuple[str, str, str], PairValue | None] = {}
        self._same_passes = parameters.map_weighting == parameters.eval_weighting

    def attribute_worth(self, gold: Occurrence, system: Occurrence) -> float:
        """v(r, s) without the similarity of names."""
        key = gold.traits, system.traits
        worth = self._worth.get(key)
        if worth is None:
            worth = self._worth[key] = _WORTH[self.kind](gold.attributes, system.attributes, self.parameters)
        return worth

    def worth(self, gold: Occurrence, system: Occurrence) -> float:
        """v(r, s) of two occurrences of one document."""
        worth = self.attribute_worth(gold, system)
        if self.kind == ENTITY and self.parameters.use_name_similarity:
            worth *= occurrence_similarity(gold, system, self.parameters)
        return worth

    def value(self, gold_id: str, system_id: str, doc_id: str, *, mapping: bool = False) -> PairValue | None:
        """V(r, s, d) where both occur and v(r, s) > 0; None where it is not defined (no matching mentions, or v = 0).

        Values of the mapping pass are kept: a mapped pair keeps the mentions that were matched there.
        """
        key = gold_id, system_id, doc_id
        keeps = mapping or self._same_passes
        if keeps and key in self._values:
            return self._values[key]
        value = self._value(gold_id, system_id, doc_id, mapping=mapping)
        if keeps:
            self._values[key] = value
        return value

    def candidate_pairs(self) -> Iterator[tuple[str, str, str]]:
        """Document, gold and system element of all pairs with matching mentions; without mentions, of all pairs."""
        for doc_id, entries in self.matches.items():
            for gold_id, system_id in entries:
                yield doc_id, gold_id, system_id
        if not self.parameters.use_mentions:
            theirs = by_document(self.system)
            for doc_id, ours in by_document(self.gold).items():
                for one, other in product(ours, theirs.get(doc_id, ())):
                    yield doc_id, one.element, other.element

    def candidate_values(self, doc_id: str) -> dict[tuple[str, str], float]:
        """By pair with matching mentions, its value in a document; empty where mentions are not used."""
        if not self.parameters.use_mentions:
            return {}
        values = {pair: self.value(*pair, doc_id) for pair in self.matches.get(doc_id, ())}
        return {pair: 0.0 if value is None else value.value for pair, value in values.items()}

    def _value(self, gold_id: str, system_id: str, doc_id: str, *, mapping: bool) -> PairValue | None:
        gold = self.gold[gold_id].occurrences.get(doc_id)
        system = self.system[system_id].occurrences.get(doc_id)
        if gold is None or system is None:
            return None
        entries = self.matches.get(doc_id, {}).get((gold_id, system_id), ())
        if self.parameters.use_mentions and not entries:
            return None
        if (worth := self.worth(gold, system)) <= 0:
            return None
        return pair_value(gold, system, entries, worth, self.parameters, mapping=mapping)


_WORTH = {ENTITY: entity_worth, VALUE: value_worth, TIMEX2: timex2_worth}


def occurrence_similarity(gold: Occurrence, system: Occurrence, parameters: AceSettings) -> float:
    """Similarity of names: 1 where names are not compared or neither is named, 0 where only one of them is."""
    if not parameters.use_name_similarity:
        return 1.0
    named = (gold.attributes["LEVEL"] == "NAM") + (system.attributes["LEVEL"] == "NAM")
    if named == 2:
        return names_similarity(gold.names, system.names, parameters.min_name_similarity)
    return 0.0 if named else 1.0


def match_mentions(
    kind: str, gold: Sequence[Occurrence], system: Sequence[Occurrence], parameters: AceSettings
) -> MentionMatches:
    """All matching mention pairs of a document."""
    golds = [(occurrence, i, mention) for occurrence in gold for i, mention in enumerate(occurrence.mentions)]
    systems = [(one, j, mention) for one in system for j, mention in enumerate(one.mentions)]
    entries: dict[tuple[str, str], list[MentionMatch]] = {}
    places = [mention.place for _, _, mention in golds], [mention.place for _, _, mention in systems]
    for one, other in overlap_candidates(*places):
        gold_occurrence, i, gold_mention = golds[one]
        system_occurrence, j, system_mention = systems[other]
        score = mention_score(kind, gold_mention, system_mention, parameters)
        if score is not None:
            entries.setdefault((gold_occurrence.element, system_occurrence.element), []).append((i, j, score))
    return entries


def mention_score(
    kind: str, gold: ScoredMention, system: ScoredMention, parameters: AceSettings
) -> float | None:
    """Q of two mentions, None if they do not match.

    Entities: (min(w) + eps · overlap) times what differing type, role and style leave.  Others: 1 + eps · overlap.
    """
    shared = overlap(gold.place, system.place)
    if shared <= 0 or shared < parameters.min_overlap:
        return None
    if kind != ENTITY:
        return 1.0 + EPSILON * shared
    if (
        parameters.min_text_match > 0
        and text_match(gold.place.text, system.place.text) < parameters.min_text_match
    ):
        return None
    score = min(gold.weight, system.weight) + EPSILON * shared
    errors = parameters.entity["mention-error"]
    if gold.type != system.type:
        score *= errors["TYPE"]
    if gold.role != system.role:
        score *= errors["ROLE"]
    if gold.style != system.style:
        score *= errors["STYLE"]
    return score


def pair_value(
    gold: Occurrence,
    system: Occurrence,
    entries: Sequence[MentionMatch],
    worth: float,
    parameters: AceSettings,
    *,
    mapping: bool,
) -> PairValue:
    """V(r, s, d): the best one-to-one matching of mentions, less the cost of the system mentions outside it.

    Spurious by their own worth: n_r v(r,s) Σ q − w n_s v(s,s) Σ c self; by that of the pair: (L/M_r) v(r,s) (Σ q + Σ f).
    """
    gold_norm, system_norm = (
        (gold.map_norm, system.map_norm) if mapping else (gold.eval_norm, system.eval_norm)
    )
    weights = parameters.weights[gold.kind]
    weighting = parameters.map_weighting if mapping else parameters.eval_weighting
    scale = gold_norm * worth
    if parameters.spurious == "own-worth":
        alarm, charge_scale = weights["false-alarm"], system_norm * system.worth
    else:
        if gold.kind == ENTITY and weighting == "level":
            scale = min(gold_norm * gold.mass, system_norm * system.mass) / gold.mass * worth
        alarm, charge_scale = mention_alarm(weights), scale
    if not parameters.use_mentions:
        return PairValue(scale, worth, (), 1.0, 1.0)

    in_turn = parameters.mentions_in_turn and scale > 0
    outer, score_scale = 1.0, scale
    if in_turn:
        outer, score_scale, charge_scale = scale, 1.0, 1.0
        if parameters.spurious == "own-worth":
            charge_scale = system.worth / worth * (system_norm / gold_norm)
    coref = weights["coref-false-alarm"]
    charges = [
        charge_scale * (-alarm * mention.self_score * (coref if j in system.matched else 1.0))
        for j, mention in enumerate(system.mentions)
    ]
    scored = [(i, j, score_scale * score) for i, j, score in entries]
    chosen = best_matches(gold, system, scored, charges)
    earned = {j: score for _, j, score in chosen}
    positions = [(i, j) for i, j, _ in chosen]
    scores = {(i, j): score for i, j, score in entries}
    return PairValue(
        outer * _added_up(charges, earned, in_turn=in_turn),
        worth,
        tuple(positions),
        math.fsum([gold.mentions[i].self_score for i, _ in positions]),
        math.fsum([scores[pair] for pair in positions]),
    )


def _added_up(charges: Sequence[float], earned: Mapping[int, float], *, in_turn: bool) -> float:
    """What the matched mentions of the system earned, with the charges of all others.

    ``in_turn`` takes the steps of the program of 2008, which decide the last bit: every mention is charged, and a matched
    one takes its charge back and adds what it earned.
    """
    if not in_turn:
        return math.fsum([*earned.values(), *(charge for j, charge in enumerate(charges) if j not in earned)])
    total = 0.0
    for j, charge in enumerate(charges):
        total += charge
        if j in earned:
            total -= charge - earned[j]
    return total


def best_matches(
    gold: Occurrence,
    system: Occurrence,
    entries: Sequence[MentionMatch],
    charges: Sequence[float],
) -> list[MentionMatch]:
    """The one-to-one choice of mention pairs with the largest gain (the score and the saved charge), then smaller ids."""
    if len(entries) == 1 or (
        len({i for i, _, _ in entries}) == len(entries) == len({j for _, j, _ in entries})
    ):
        return list(entries)
    ids = [(gold.mentions[i].id, system.mentions[j].id) for i, j, _ in entries]
    gains = {pair: score - charges[j] for pair, (_, j, score) in zip(ids, entries, strict=True)}
    chosen = set(assign(gains, lone_takes_any="system"))
    return [entry for pair, entry in zip(ids, entries, strict=True) if pair in chosen]


def prepare_pairs(
    kind: str, gold: Elements, system: Elements, doc_ids: Iterable[str], parameters: AceSettings
) -> ElementPairs:
    """Match the mentions of all documents, and work out what spurious system elements cost."""
    gold_by, system_by = by_document(gold), by_document(system)
    entries: dict[str, MentionMatches] = {}
    for doc_id in doc_ids:
        ours, theirs = gold_by.get(doc_id, ()), system_by.get(doc_id, ())
        if ours and theirs and parameters.use_mentions:
            entries[doc_id] = match_mentions(kind, ours, theirs, parameters)
    matched = {doc_id: matched_positions(here) for doc_id, here in entries.items()}
    valued = {
        element.id: CorpusElement(
            element.id,
            element.kind,
            {
                doc_id: with_false_alarms(
                    occurrence, frozenset(matched.get(doc_id, {}).get(element.id, ())), parameters
                )
                for doc_id, occurrence in element.occurrences.items()
            },
            *element[3:],
        )
        for element in system.values()
    }
    return ElementPairs(kind, gold, valued, entries, parameters)


def matched_positions(entries: MentionMatches) -> dict[str, set[int]]:
    """By system element, the positions of its mentions that match any gold mention of a document."""
    matched: dict[str, set[int]] = {}
    for (_, system_id), matches in entries.items():
        matched.setdefault(system_id, set()).update([j for _, j, _ in matches])
    return matched


def by_document(elements: Elements) -> dict[str, list[Occurrence]]:
    """The occurrences of every document, in file order."""
    return grouped(item for element in elements.values() for item in element.occurrences.items())


class ElementMapping(NamedTuple):
    """The system elements that gold elements are mapped to, and the gains of all pairs that could have been mapped.

    Gains of groups that are too large to be mapped exactly are left out.
    """

    partner: dict[str, str]
    gains: Mapping[tuple[str, str], float]


def map_elements(pairs: ElementPairs, preferred: Preferred) -> ElementMapping:
    """The one-to-one mapping of gold to system elements with the largest total value."""
    parameters = pairs.parameters
    gains: dict[tuple[str, str], float] = {}
    matched: dict[tuple[str, str], int] = {}
    candidates = dict.fromkeys((one, other) for _, one, other in pairs.candidate_pairs())
    for gold_id, system_id in candidates:
        gain, count = _mapping_gain(pairs, gold_id, system_id)
        if count is not None:
            gains[gold_id, system_id] = gain
            matched[gold_id, system_id] = count
    return ElementMapping(dict(assign_elements(gains, matched, parameters, preferred)), gains)


def assign_elements(
    gains: Mapping[tuple[str, str], float],
    matched: Mapping[tuple[str, str], int],
    parameters: AceSettings,
    preferred: Preferred,
) -> list[tuple[str, str]]:
    """The best one-to-one choice of elements, with the quirks of the profile where gains are negative."""
    return assign(
        gains,
        matched,
        lone_takes_any="gold" if parameters.lone_gold_takes_any_partner else "",
        one_spare=parameters.one_spare_partner,
        preferred=preferred,
    )


def _mapping_gain(pairs: ElementPairs, gold_id: str, system_id: str) -> tuple[float, int | None]:
    """V(r, s) − FA(s) in the mapping pass and the number of matched mentions; None if the pair is not a candidate.
    A candidate has matching mentions in a common document (as all pairs here) and worth above 0 in a common document,
    which need not be the same one.
    """
    parameters = pairs.parameters
    gold, system = pairs.gold[gold_id], pairs.system[system_id]
    values: list[float] = []
    others: list[float] = []
    count, worth_something = 0, False
    for doc_id, occurrence in system.occurrences.items():
        value = pairs.value(gold_id, system_id, doc_id, mapping=True)
        if value is not None:
            worth_something = True
            values.append(value.value)
            count += len(value.mentions)
        elif doc_id not in gold.occurrences:
            if parameters.absent_documents_cost:
                others.append(occurrence.map_false_alarm)
        else:
            worthless = pairs.worth(gold.occurrences[doc_id], occurrence) <= 0
            worth_something = worth_something or not worthless
            if worthless or not parameters.no_overlap_is_free:
                others.append(occurrence.map_false_alarm)
    if not worth_something:
        return 0.0, None
    if parameters.map_weighting == "fmeasure":
        return _f_measure(pairs, gold, system), count
    alarms = [one.map_false_alarm for one in system.occurrences.values()]
    return gain_in_steps(values, others, alarms), count


def gain_in_steps(values: Sequence[float], others: Sequence[float], alarms: Iterable[float]) -> float:
    """V(r, s) − FA(s), as the scorers add it up: V where it is defined, the false alarms of s in its other documents."""
    return added_in_order([*values, *others]) - added_in_order(alarms)


def _f_measure(pairs: ElementPairs, gold: CorpusElement, system: CorpusElement) -> float:
    """Σ_d 2PR/(P+R) with P = V/Value(s,d) and R = V/Value(r,d), all as the mapping weighs; no false-alarm term.

    2PR/(P+R) is 2V/(Value(r,d) + Value(s,d)).
    """
    shares: list[float] = []
    for doc_id, one in gold.occurrences.items():
        value = pairs.value(gold.id, system.id, doc_id, mapping=True)
        if value is not None:
            other = system.occurrences[doc_id]
            worth = math.fsum(side.map_norm * side.worth * side.mass for side in (one, other))
            shares.append(2 * value.value / worth if worth > 0 else 0.0)
    return math.fsum(shares)


def map_by_links(gold: Elements, system: Elements) -> dict[str, str]:
    """Elements joined by equal ids in an outside resource (the 2002 condition); each is joined once, in id order."""
    owners: dict[tuple[str, str], str] = {}
    for system_id in sorted(system):
        for link in sorted(system[system_id].links.items()):
            owners.setdefault(link, system_id)
    taken: dict[str, str] = {}
    for gold_id in sorted(gold):
        linked = [owners[link] for link in sorted(gold[gold_id].links.items()) if link in owners]
        free = [system_id for system_id in linked if system_id not in taken]
        taken.update(dict.fromkeys(free[:1], gold_id))
    return {gold_id: system_id for system_id, gold_id in taken.items()}


def score_elements(
    pairs: ElementPairs,
    partner: Mapping[str, str],
    doc_ids: Sequence[str],
    unscored: Container[tuple[str, str]] = (),
) -> KindAlignment:
    """The outcome of every occurrence under a mapping, with the weights of the score."""
    return align_kind(
        pairs.gold,
        pairs.system,
        partner,
        doc_ids,
        partial(pair_outcomes, pairs),
        candidate_values=pairs.candidate_values,
        free=pairs.parameters.targets_only,
        unscored=unscored,
    )


def align_kind(
    gold: Elements,
    system: Elements,
    partner: Mapping[str, str],
    doc_ids: Sequence[str],
    pair_outcomes: Callable[[Occurrence, Occurrence], Iterable[ElementOutcome]],
    *,
    candidate_values: Callable[[str], PairValues],
    free: bool = False,
    unscored: Container[tuple[str, str]] = (),
) -> KindAlignment:
    """The outcome of every occurrence under a mapping; ``pair_outcomes`` gives those of two mapped occurrences.

    System elements that are mapped to none are spurious, or cost nothing if ``free``; nor do those that are mapped to a
    gold element whose occurrence in the document is ``unscored``.
    """
    gold_of = {system_id: gold_id for gold_id, system_id in partner.items()}
    outcomes: dict[str, list[ElementOutcome]] = {doc_id: [] for doc_id in doc_ids}
    for gold_id, element in gold.items():
        mapped = system.get(partner.get(gold_id, ""))
        for doc_id, occurrence in element.occurrences.items():
            other = mapped.occurrences.get(doc_id) if mapped is not None else None
            outcomes[doc_id] += [_missed(occurrence)] if other is None else pair_outcomes(occurrence, other)
    for system_id, element in system.items():
        own = gold.get(gold_of.get(system_id, ""))
        for doc_id, occurrence in element.occurrences.items():
            if free if own is None else (own.id, doc_id) in unscored:
                outcomes[doc_id].append(ElementOutcome(None, occurrence, "free", 0.0, 0.0, 0.0))
            elif own is None or doc_id not in own.occurrences:
                outcomes[doc_id].append(_spurious(occurrence))
    frozen = {doc_id: tuple(found) for doc_id, found in outcomes.items()}
    return KindAlignment(gold, system, partner, gold_of, frozen, candidate_values)


def _missed(occurrence: Occurrence, partner: Occurrence | None = None, value: float = 0.0) -> ElementOutcome:
    """The outcome of a gold occurrence that nothing was mapped to."""
    return ElementOutcome(occurrence, partner, "miss", value, occurrence.value, occurrence.value)


def _spurious(occurrence: Occurrence) -> ElementOutcome:
    """The outcome of a system occurrence that nothing was mapped to."""
    alarm = occurrence.false_alarm
    return ElementOutcome(None, occurrence, "fa", alarm, 0.0, -alarm)


def pair_outcomes(pairs: ElementPairs, gold: Occurrence, system: Occurrence) -> list[ElementOutcome]:
    """The outcomes of two mapped occurrences of a document."""
    parameters = pairs.parameters
    value = pairs.value(gold.element, system.element, gold.doc_id)
    if value is None:
        if pairs.worth(gold, system) <= 0:
            return [_missed(gold, system, system.false_alarm)]
        if not parameters.no_overlap_is_free:
            return [_missed(gold), _spurious(system)]
        value = PairValue(0.0, pairs.worth(gold, system), (), 0.0, 0.0)
        return [_mapped_outcome(gold, system, value, (), pairs, matched=False)]
    joined = pairs.value(gold.element, system.element, gold.doc_id, mapping=True)
    return [_mapped_outcome(gold, system, value, joined.mentions if joined else (), pairs, matched=True)]


def _mapped_outcome(
    gold: Occurrence,
    system: Occurrence,
    value: PairValue,
    mentions: tuple[tuple[int, int], ...],
    pairs: ElementPairs,
    *,
    matched: bool,
) -> ElementOutcome:
    """The outcome of a mapped pair; without ``matched`` mentions the kinds of its losses are not known."""
    parameters = pairs.parameters
    cost = gold.value - value.value
    if cost < parameters.negligible_cost:
        cost = 0.0
    norm, worth = gold.eval_norm, value.worth
    attribute = missing = errors = false = 0.0
    if matched:
        attribute = max(0.0, gold.worth - worth)
    if matched and parameters.use_mentions:
        attribute *= norm * gold.mass
        missing = max(0.0, norm * worth * (gold.mass - value.self_sum))
        errors = max(0.0, norm * worth * (value.self_sum - value.score_sum))
        false = max(0.0, norm * worth * value.score_sum - value.value)
    return ElementOutcome(
        gold,
        system,
        "correct" if gold.attributes == system.attributes else "error",
        value.value,
        gold.value,
        cost,
        attribute,
        missing,
        errors,
        false,
        mentions,
        join_names(gold, system, parameters),
    )


def join_names(gold: Occurrence, system: Occurrence, parameters: AceSettings) -> tuple[tuple[int, int], ...]:
    """Names joined one to one with the largest total similarity; only between two named entities."""
    if gold.kind != ENTITY or gold.attributes["LEVEL"] != "NAM" or system.attributes["LEVEL"] != "NAM":
        return ()
    if gold.names == system.names:
        # Every name has its like, and nothing can be better.
        positions = range(len(gold.names))
        return tuple(zip(positions, positions, strict=True))
    gains = {
        (i, j): near
        for i, one in enumerate(gold.names)
        for j, other in enumerate(system.names)
        if (near := similarity(one, other, parameters.min_name_similarity)) > 0
    }
    return tuple(assign(gains)) if gains else ()
