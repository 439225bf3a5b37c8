"""What equally good mappings are worth: the least and the most that a section would be worth under another one.

Gains have the weights of the mapping pass and figures those of the evaluation, so mappings with exactly equal gains can
be worth different values.  Among entities, values and times the worth of a mapping is the sum over its pairs, so that
the extremes are two assignments.  The worth of relations and events depends on the mapping of their arguments; there
the best mappings of the arguments are tried.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, product
from math import fsum, prod
from typing import NamedTuple

from lydite.align.ace_assignment import RANKED_LIMIT, as_integers, prices
from lydite.align.ace_elements import ElementPairs, Preferred, pair_outcomes
from lydite.align.ace_frames import Frames
from lydite.assignment import PLAIN_LIMIT, assign
from lydite.grouping import connected, grouped, join, root_of
from lydite.model.ace_alignment import KindAlignment, TiedValues

LEAST_DIFFERENCE = 1e-6
"""Values that differ by less, as a share of gold's value, are the same but for the terms of 1e-8."""
MOST_CHOICES = 200
"""How many mappings of the arguments are tried together; beyond it they are tried one group after the other."""
MOST_TRIALS = 2000
"""How many mappings of arguments are tried in all."""

Pair = tuple[str, str]


class TiedGroup(NamedTuple):
    """Elements that rival each other and have, perhaps, several best mappings.

    A mapping is best if it has only ``tight`` pairs, and leaves no gold or system element alone that is ``required``.
    """

    chosen: Sequence[Pair]
    tight: Sequence[Pair]
    weights: Mapping[Pair, int]
    required_gold: frozenset[str]
    required_system: frozenset[str]


def tied_groups(
    gains: Mapping[Pair, float], partner: Mapping[str, str], preferred: Preferred
) -> Iterator[TiedGroup]:
    """The groups that have, perhaps, several best mappings; ``partner`` is one of them.

    Groups beyond the limits of an exact solution, and those with pairs at a loss, are not looked at.
    """
    for pairs in connected(list(gains)):
        golds, systems = ({pair[side] for pair in pairs} for side in (0, 1))
        steps = min(len(golds), len(systems)) * len(golds) * len(systems)
        if steps > PLAIN_LIMIT or len(golds) > RANKED_LIMIT or any(gains[pair] < 0 for pair in pairs):
            continue
        weights = as_integers({pair: gains[pair] for pair in pairs})
        if preferred:
            weights = {
                pair: weight * (len(pairs) + 1) + (pair in preferred) for pair, weight in weights.items()
            }
        chosen = [pair for pair in pairs if partner.get(pair[0]) == pair[1]]
        of_gold, of_system = prices(pairs, weights, chosen)
        required_gold = frozenset(gold for gold, price in of_gold.items() if price)
        required_system = frozenset(system for system, price in of_system.items() if price)
        tight = [
            pair for pair in pairs if of_gold.get(pair[0], 0) + of_system.get(pair[1], 0) == weights[pair]
        ]
        if len(tight) > len(chosen) or len(required_gold) + len(required_system) < 2 * len(chosen):
            yield TiedGroup(chosen, tight, weights, required_gold, required_system)


def element_ties(
    section: KindAlignment,
    pairs: ElementPairs,
    groups: Sequence[TiedGroup],
    unscored: Container[tuple[str, str]],
) -> KindAlignment:
    """The section of entities, values or times with what other mappings would be worth, if that is not the same."""

    def worth(gold_id: str, system_id: str) -> float:
        """What a section gains if these two are mapped to each other, and not left alone."""
        gold, system = pairs.gold[gold_id], pairs.system[system_id]
        free = pairs.parameters.targets_only
        parts: list[float] = []
        for doc_id, occurrence in system.occurrences.items():
            own = gold.occurrences.get(doc_id)
            if own is not None:
                parts += [one.maximum - one.cost for one in pair_outcomes(pairs, own, occurrence)]
            elif (gold_id, doc_id) not in unscored:
                parts.append(occurrence.false_alarm)
            if not free:
                parts.append(-occurrence.false_alarm)
        return fsum(parts)

    if not groups:
        return section
    extremes = [_extremes(group, worth) for group in groups]
    lower, higher = (fsum(one[side] for one in extremes) for side in (0, 1))
    return _with_ties(section, lower, higher, exact=True)


def _extremes(group: TiedGroup, worth: Callable[[str, str], float]) -> tuple[float, float]:
    """How much less and how much more the best mappings of a group are worth than the chosen one."""
    worths = {pair: worth(*pair) for pair in group.tight}
    whole = as_integers(worths)
    beyond = 1 + 2 * sum(map(abs, whole.values()))
    own = fsum(worths[pair] for pair in group.chosen)
    found = []
    for sign in (-1, 1):
        edges = [(*pair, group.weights[pair] * beyond + sign * whole[pair]) for pair in group.tight]
        found.append(fsum(worths[group.tight[position]] for position in assign(edges)) - own)
    return found[0], found[1]


def _with_ties(section: KindAlignment, lower: float, higher: float, *, exact: bool) -> KindAlignment:
    """The section with the range of its value, if it is wider than the terms of 1e-8."""
    maximum = fsum(one.maximum for found in section.outcomes.values() for one in found)
    if maximum <= 0 or higher - lower <= LEAST_DIFFERENCE * maximum:
        return section
    own = kept_value(section)
    ties = TiedValues((own + lower) / maximum, own / maximum, (own + higher) / maximum, exact)
    return replace(section, ties=ties)


def kept_value(section: KindAlignment) -> float:
    """The value that the system keeps of a section: gold's value less all costs."""
    return fsum(one.maximum - one.cost for found in section.outcomes.values() for one in found)


def frame_ties(
    section: KindAlignment, frames: Frames, groups: Sequence[TiedGroup], preferred: Preferred
) -> KindAlignment:
    """The section of relations or events with what it would be worth under other best mappings of the arguments."""
    if not groups or frames.fillers.parameters.allow_wrong_mapping:
        return section
    trials = _Trials(frames, preferred)
    lower, higher = [], []
    for parts, golds, systems in _independent(frames, groups):
        low, high = trials.extremes([groups[part] for part in parts], golds, systems)
        lower.append(low)
        higher.append(high)
    return _with_ties(section, fsum(lower), fsum(higher), exact=trials.exact)


def _independent(
    frames: Frames, groups: Sequence[TiedGroup]
) -> Iterator[tuple[list[int], list[str], list[str]]]:
    """Groups of arguments, gold and system elements that depend on each other: those of one piece at a time."""
    golds, systems = list(frames.gold), list(frames.system)
    gold_number = {name: len(groups) + number for number, name in enumerate(golds)}
    system_number = {name: len(groups) + len(golds) + number for number, name in enumerate(systems)}
    parent = list(range(len(groups) + len(golds) + len(systems)))
    for side, elements, number in ((0, frames.gold, gold_number), (1, frames.system, system_number)):
        group_of = {pair[side]: place for place, group in enumerate(groups) for pair in group.tight}
        for element in elements.values():
            for _, filler in element.arguments:
                if filler in group_of:
                    join(parent, number[element.id], group_of[filler])
    for gold_id, system_id in frames.candidates():
        join(parent, gold_number[gold_id], system_number[system_id])
    pieces = grouped((root_of(parent, number), number) for number in range(len(parent)))
    for members in pieces.values():
        parts = [number for number in members if number < len(groups)]
        own_golds = [golds[n - len(groups)] for n in members if len(groups) <= n < len(groups) + len(golds)]
        own_systems = [
            systems[n - len(groups) - len(golds)] for n in members if n >= len(groups) + len(golds)
        ]
        if parts and own_golds and own_systems:
            yield parts, own_golds, own_systems


@dataclass(slots=True, eq=False)
class _Trials:
    """Tries other mappings of arguments; ``exact`` says whether all were tried."""

    frames: Frames
    preferred: Preferred
    exact: bool = True
    left: int = MOST_TRIALS

    def extremes(
        self, groups: Sequence[TiedGroup], golds: Sequence[str], systems: Sequence[str]
    ) -> tuple[float, float]:
        """How much less and how much more these elements can be worth than under the chosen mapping."""
        choices = [self._choices(group) for group in groups]
        own = self._value((), groups, golds, systems)
        if prod(map(len, choices)) <= MOST_CHOICES:
            values = [self._value(joint, groups, golds, systems) for joint in product(*choices)]
            return min(values, default=own) - own, max(values, default=own) - own
        self.exact = False
        found = []
        for best in (min, max):
            joint, value = [list(group.chosen) for group in groups], own
            for place, of_group in enumerate(choices):
                for choice in of_group:
                    changed = [*joint[:place], choice, *joint[place + 1 :]]
                    then = self._value(changed, groups, golds, systems)
                    if best(then, value) != value:
                        joint, value = changed, then
            found.append(value - own)
        return found[0], found[1]

    def _choices(self, group: TiedGroup) -> list[list[Pair]]:
        found = list(islice(best_mappings(group), MOST_CHOICES + 1))
        self.exact = self.exact and len(found) <= MOST_CHOICES
        return found[:MOST_CHOICES]

    def _value(
        self,
        joint: Sequence[Sequence[Pair]],
        groups: Sequence[TiedGroup],
        golds: Sequence[str],
        systems: Sequence[str],
    ) -> float:
        """What the elements are worth with the arguments mapped so; without any choice, as they were mapped."""
        frames = self.frames
        mapped = dict(frames.fillers.mapped)
        if joint:
            if self.left == 0:
                self.exact = False
                return self._value((), groups, golds, systems)
            self.left -= 1
            for group, choice in zip(groups, joint, strict=True):
                for gold_id, _ in group.chosen:
                    del mapped[gold_id]
                mapped.update(choice)
        part = Frames(
            frames.kind,
            {gold_id: frames.gold[gold_id] for gold_id in golds},
            {system_id: frames.system[system_id] for system_id in systems},
            frames.fillers.under(mapped),
        )
        elements = (*part.gold.values(), *part.system.values())
        doc_ids = sorted({doc_id for element in elements for doc_id in element.occurrences})
        return kept_value(part.score(doc_ids, self.preferred))


def best_mappings(group: TiedGroup) -> Iterator[list[Pair]]:
    """All best mappings of a group, one after the other."""
    systems_of = grouped(sorted(group.tight))
    golds = list(systems_of)

    def extended(place: int, made: list[Pair], taken: frozenset[str]) -> Iterator[list[Pair]]:
        if place == len(golds):
            if group.required_system <= taken:
                yield made
            return
        gold = golds[place]
        for system in systems_of[gold]:
            if system not in taken:
                yield from extended(place + 1, [*made, (gold, system)], taken | {system})
        if gold not in group.required_gold:
            yield from extended(place + 1, made, taken)

    return extended(0, [], frozenset())
