"""Arguments of one trigger for each document as RAMS counts them: multisets of spans and roles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from lydite.errors import Finding, Location, refuse
from lydite.formats.text import whole_text
from lydite.memory import kept_for_a_run
from lydite.model import Document, DocumentPair, Figures, Tally
from lydite.model.roles import ROLE_LINKS, RoleLink, RoleLinks
from lydite.numerals import is_natural
from lydite.pipeline.task import Measurement
from lydite.results.averages import Average
from lydite.tasks.arguments.items import ItemComparison
from lydite.tasks.arguments.settings import ArgumentSettings
from lydite.tasks.relations.matching import Item, Matching, match

MICRO = Average("micro", empty="zero")
NO_LINKS = RoleLinks(None, "", ())
FARTHEST = 2
"""Arguments that stand farther from the trigger are in no part of the breakdown by distance."""


@kept_for_a_run(2)
def multiplicities(path: str) -> Mapping[str, Mapping[str, int]]:
    """How many arguments of each role an event of a type can have: lines of a type, and roles with numbers."""
    found: dict[str, dict[str, int]] = {}
    for number, line in enumerate(whole_text(path).split("\n"), 1):
        kind, *words = line.split() or [""]
        if len(words) % 2 or not all(map(is_natural, words[1::2])):
            message = f"expected a type, and roles each with a number, found {line!r:.80}"
            raise refuse(Location(path, number), "bad-multiplicities", message)
        if kind:
            found[kind] = {role: int(most) for role, most in zip(words[::2], words[1::2], strict=True)}
    return found


class LinkComparison(ItemComparison):
    """The arguments of both sides of a document."""

    def __init__(self, pair: DocumentPair, settings: ArgumentSettings) -> None:
        super().__init__(pair)
        self.gold: RoleLinks = pair.gold.layers.get(ROLE_LINKS, NO_LINKS)
        self.system: RoleLinks = pair.system.layers.get(ROLE_LINKS, NO_LINKS)
        self._limits = multiplicities(settings.multiplicities) if settings.multiplicities else {}

    @cached_property
    def _matching(self) -> Matching:
        return match(self._items(self.gold.links), self._items(self._kept()))

    def matching(self, measure: str) -> Matching:
        """The arguments; equal ones are numbered, so that each needs its own partner."""
        del measure
        return self._matching

    def _kept(self) -> Sequence[RoleLink]:
        """The predictions that the type of the event admits, the surest ones of each role first."""
        limits = self._limits.get(self.gold.type)
        if limits is None:
            return self.system.links
        left = Counter(limits)
        kept = []
        for one in sorted(self.system.links, key=lambda one: -(one.confidence or 0)):
            if left[one.role] > 0:
                left[one.role] -= 1
                kept.append(one)
        return kept

    def _items(self, links: Sequence[RoleLink]) -> Iterator[Item]:
        seen: Counter[tuple[object, ...]] = Counter()
        for one in links:
            key = one[:3]
            yield Item((key, seen[key]), one.role, 0, one)
            seen[key] += 1

    def distance(self, item: Item) -> str | None:
        """In how many sentences behind the trigger an argument stands; None if that is far, or not known."""
        link: RoleLink = item.content
        starts = self.gold if self.gold.starts else self.system
        found = starts.sentence_of(link.place[0]) - starts.sentence_of(link.trigger[0])
        return str(found) if abs(found) <= FARTHEST and starts.starts else None

    def findings(self) -> Iterator[Finding]:
        """Arguments of another trigger than the document's, and those that cross sentences."""
        for document, side in ((self.pair.gold, self.gold), (self.pair.system, self.system)):
            yield from _odd_links(document, side, self.gold)


def _odd_links(document: Document, side: RoleLinks, gold: RoleLinks) -> Iterator[Finding]:
    place = Location(document.path, document.line or None)
    for one in side.links:
        begin, end = one.place
        shown = f"{one.role} at tokens {begin} to {end - 1}"
        if gold.trigger is not None and one.trigger != gold.trigger:
            expected = f"{gold.trigger[0]} to {gold.trigger[1] - 1}"
            message = f"document {document.doc_id!r}: {shown} hangs on tokens {one.trigger[0]} to {one.trigger[1] - 1}, and its trigger stands at {expected}"
            yield Finding("link-trigger", "error", message, place, document.doc_id)
        if gold.starts and gold.sentence_of(begin) != gold.sentence_of(end - 1):
            message = f"document {document.doc_id!r}: {shown} crosses a sentence"
            yield Finding("crossing-span", "error", message, place, document.doc_id)


def measurements() -> list[Measurement[LinkComparison]]:
    """Arguments, by role and by distance."""
    breakdowns = {"role": _by_role, "distance": _by_distance}
    return [Measurement("ac", "relation-match", _tally, (MICRO,), breakdowns, MICRO)]


def _tally(comparison: LinkComparison) -> Tally:
    return comparison.matching("ac").tally()


def _by_role(comparison: LinkComparison) -> Iterator[tuple[str, Figures]]:
    yield from comparison.matching("ac").by_type().items()


def _by_distance(comparison: LinkComparison) -> Iterator[tuple[str, Figures]]:
    found = comparison.matching("ac")
    gold, system = (
        [item._replace(type=distance) for item in side if (distance := comparison.distance(item)) is not None]
        for side in (found.gold, found.system)
    )
    tallies = found._replace(gold=gold, system=system).by_type()
    for distance in map(str, range(-FARTHEST, FARTHEST + 1)):
        yield distance, tallies.get(distance, Tally())
