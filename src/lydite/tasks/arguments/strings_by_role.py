"""Arguments as strings by role as MAVEN-Arg scores them: means over lists of values, on three levels."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache, cached_property, partial
from math import lcm
from string import punctuation
from typing import NamedTuple

from lydite.assignment import assign
from lydite.model import DocumentPair, Figures, Share
from lydite.model.roles import ROLE_STRINGS, RoleEvent, RoleStrings, RoleTrigger
from lydite.pipeline.task import Measurement
from lydite.results.averages import Average, Means
from lydite.tasks.arguments.items import ItemComparison
from lydite.tasks.arguments.settings import ArgumentSettings
from lydite.tasks.relations.matching import Item, Matching, match

LEVELS = ("mention", "entity-coref", "event-coref")
MICRO = Average("micro", empty="undefined")
NOTHING = RoleStrings()
_ARTICLES = re.compile(r"\b(a|an|the)\b")
_NO_PUNCTUATION = str.maketrans("", "", punctuation)


class Values(NamedTuple):
    """Exact match, precision, recall and F of a pair of strings, or of what stands for it."""

    em: Fraction
    precision: Fraction
    recall: Fraction
    f1: Fraction


ZERO = Values(*(Fraction(0),) * 4)


@cache
def normalised(text: str) -> str:
    """Small letters without ASCII punctuation and articles, with single blanks."""
    return " ".join(_ARTICLES.sub(" ", text.lower().translate(_NO_PUNCTUATION)).split())


def compare_strings(gold: str, system: str) -> Values:
    """The values of two strings: equality, and overlap of their words."""
    ours, theirs = normalised(gold), normalised(system)
    em = Fraction(ours == theirs)
    words, others = Counter(ours.split()), Counter(theirs.split())
    common = (words & others).total()
    if not common:
        return Values(em, *ZERO[1:])
    gold_size, system_size = words.total(), others.total()
    return Values(
        em,
        Fraction(common, system_size),
        Fraction(common, gold_size),
        Fraction(2 * common, gold_size + system_size),
    )


def assigned(gold: Sequence[str], system: Sequence[str]) -> list[tuple[int, int, Values]]:
    """The one-to-one pairs with the largest sum of F, of equals that of em, of equals the first ones."""
    values = [[compare_strings(one, other) for other in system] for one in gold]
    scale = lcm(*(one.f1.denominator for row in values for one in row)) if values and system else 1
    width = len(gold) * len(system)
    by_order, by_em = 1 << width, 1 << (width + 1)
    unit = by_em * (min(len(gold), len(system)) + 1)
    edges = [
        (
            ours,
            theirs,
            int(one.f1 * scale) * unit
            + int(one.em) * by_em
            + (by_order >> (ours * len(system) + theirs + 1)),
        )
        for ours, row in enumerate(values)
        for theirs, one in enumerate(row)
    ]
    chosen = sorted(edges[at][:2] for at in assign(edges))
    return [(ours, theirs, values[ours][theirs]) for ours, theirs in chosen]


class StringComparison(ItemComparison):
    """The cells of a document: triggers of gold with the roles of their types."""

    def __init__(self, pair: DocumentPair, settings: ArgumentSettings) -> None:
        super().__init__(pair)
        self.gold: RoleStrings = pair.gold.layers.get(ROLE_STRINGS, NOTHING)
        self.answers = {one.trigger: one for one in pair.system.layers.get(ROLE_STRINGS, NOTHING).answers}
        self._roles = settings.roles or None
        self._silent = settings.wrong_type_is_silent

    def _strings_of(self, trigger: RoleTrigger, event: RoleEvent, role: str) -> Sequence[str] | None:
        """The strings of a system in a cell; None if it does not have it."""
        answer = self.answers.get(trigger.id)
        if answer is None or answer.type != event.type:
            return None
        return dict(answer.roles).get(role)

    def gold_strings(self, trigger: str, role: str) -> tuple[str, ...]:
        """The strings of gold in a cell."""
        found = [one for event in self.gold.events for one in event.triggers if one.id == trigger]
        return tuple(
            text
            for one in found
            for argument in one.arguments
            if argument.role == role
            for text in argument.strings
        )

    def _roles_of(self, event: RoleEvent) -> Sequence[str]:
        if self._roles is not None:
            return self._roles.get(event.type, ())
        named = [role for one in event.triggers for role, _ in one.arguments]
        said = [
            role for one in event.triggers if one.id in self.answers for role, _ in self.answers[one.id].roles
        ]
        return list(dict.fromkeys([*named, *said]))

    @cached_property
    def values(self) -> dict[str, list[Values]]:
        """The list of values of each level."""
        found: dict[str, list[Values]] = {level: [] for level in LEVELS}
        for event in self.gold.events:
            for role in self._roles_of(event):
                self._add_role(event, role, found)
        for name in self.gold.negatives:
            for values in found.values():
                values.extend([ZERO] * (len(self.answers[name].roles) if name in self.answers else 0))
        return found

    def _add_role(self, event: RoleEvent, role: str, found: Mapping[str, list[Values]]) -> None:
        """The values of a role at all triggers of an event."""
        joined: list[list[Values]] = []
        for trigger in event.triggers:
            arguments = [one.strings for one in trigger.arguments if one.role == role]
            answer = self.answers.get(trigger.id)
            strings = self._strings_of(trigger, event, role)
            spoken = (
                not self._silent
                and answer is not None
                and answer.type != event.type
                and role in dict(answer.roles)
            )
            if spoken or bool(arguments) != (strings is not None):
                for values in found.values():
                    values.append(ZERO)
            if not arguments or strings is None:
                continue
            gold = [text for mentions in arguments for text in mentions]
            owner = [number for number, mentions in enumerate(arguments) for _ in mentions]
            pairs = assigned(gold, strings)
            least, most = sorted((len(gold), len(strings)))
            if strings and gold:
                factor = Fraction(least, most)
                scored = [Values(*(one * factor for one in values)) for _, _, values in pairs]
                found["mention"] += scored + [ZERO] * (least - len(pairs))
            best = [ZERO] * len(arguments)
            for ours, _, one in pairs:
                if one.f1 > best[owner[ours]].f1:
                    best[owner[ours]] = one
            found["entity-coref"] += best
            joined.append(best)
        for place in range(max(map(len, joined), default=0)):
            same = [best[place] for best in joined if place < len(best)]
            top = max(same, key=lambda one: one.f1)
            found["event-coref"].append(top._replace(em=max(one.em for one in same)))

    def matching(self, measure: str) -> Matching:
        """The cells of both sides, for explanations; figures are means of values and not of these."""
        del measure
        gold: list[Item] = []
        system: list[Item] = []
        for event in self.gold.events:
            for trigger in event.triggers:
                for role in self._roles_of(event):
                    if any(one.role == role for one in trigger.arguments):
                        gold.append(Item((trigger.id, role), f"{event.type}.{role}", 0, (trigger.id, role)))
                    if self._strings_of(trigger, event, role) is not None:
                        system.append(Item((trigger.id, role), f"{event.type}.{role}", 0, (trigger.id, role)))
        return match(gold, system)


def measurements() -> list[Measurement[StringComparison]]:
    """Precision, recall and F on each level, and exact match beside them."""
    found: list[Measurement[StringComparison]] = []
    for level in LEVELS:
        found.append(_measurement(level, "argument-strings", _means, Means(0, 0, 0, 0, 0, 0)))
        found.append(_measurement(level, "exact-match", _share, Share()))
    return found


def _measurement(
    level: str, metric: str, measure: Callable[[str, StringComparison], Figures], nothing: Figures
) -> Measurement[StringComparison]:
    return Measurement(level, metric, partial(measure, level), (MICRO,), empty_counts=nothing)


def _means(level: str, comparison: StringComparison) -> Means:
    values = comparison.values[level]
    sums = (float(sum(one[at] for one in values)) for at in (1, 2, 3))
    counts = [count for total in sums for count in (total, len(values))]
    return Means(*counts)


def _share(level: str, comparison: StringComparison) -> Share:
    values = comparison.values[level]
    return Share(float(sum(one.em for one in values)), len(values))
