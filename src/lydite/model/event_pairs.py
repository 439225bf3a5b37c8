"""Relations between events and times of a document, by the ids of mentions (MAVEN-ERE)."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Final, NamedTuple, TypeVar

from lydite.model.cluster import Cluster, LinkTally
from lydite.model.tally import Empty, Score, ratio

H = TypeVar("H", bound=Hashable)
EVENT_PAIRS: Final = "event-pairs"
"""The layer of a document with its :class:`EventPairs`."""

TYPES: Mapping[str, tuple[str, ...]] = {
    "temporal": ("BEFORE", "OVERLAP", "CONTAINS", "SIMULTANEOUS", "ENDS-ON", "BEGINS-ON"),
    "causal": ("PRECONDITION", "CAUSE"),
    "subevent": ("subevent",),
}
"""The types of relations by kind."""
SYMMETRIC = frozenset({"SIMULTANEOUS"})


class EventRelation(NamedTuple):
    """A relation of a kind (temporal, causal, subevent) between two events, mentions or times, by id."""

    kind: str
    type: str
    first: str
    second: str


class EventPairs(NamedTuple):
    """What a side says of a document: the mentions of events, times, relations in file order, clusters of mentions."""

    events: tuple[tuple[str, tuple[str, ...]], ...] = ()
    times: tuple[str, ...] = ()
    relations: tuple[EventRelation, ...] = ()
    clusters: tuple[tuple[str, ...], ...] = ()

    @property
    def mentions(self) -> dict[str, None]:
        """The ids of all mentions, in order."""
        return dict.fromkeys(mention for _, held in self.events for mention in held)

    def of_mentions(self, kind: str) -> list[EventRelation]:
        """The relations of a kind between mentions: one between events is told of all pairs of their mentions."""
        held = dict(self.events)
        return [
            one._replace(first=first, second=second)
            for one in self.relations
            if one.kind == kind
            for first in held.get(one.first, (one.first,))
            for second in held.get(one.second, (one.second,))
        ]


def complete_clusters(clusters: Iterable[Sequence[H]], mentions: Iterable[H]) -> list[tuple[H, ...]]:
    """The clusters with these mentions alone, each once; a mention that no cluster has is one of its own."""
    left = dict.fromkeys(mentions)
    found = []
    for cluster in clusters:
        members = tuple(dict.fromkeys(member for member in cluster if member in left))
        for member in members:
            del left[member]
        if members:
            found.append(members)
    return [*found, *((mention,) for mention in left)]


def as_clusters(members: Iterable[tuple[Hashable, ...]]) -> list[Cluster]:
    """Clusters with numbers as names."""
    return [Cluster(str(number), mentions) for number, mentions in enumerate(members)]


class EpsilonLinkTally(NamedTuple):
    """The link counts of BLANC with a millionth more in the divisors of P and R, and not in those of F."""

    links: LinkTally

    @property
    def in_any_order(self) -> bool:
        """Whole numbers can be added in any order."""
        return True

    def __add__(self, other: EpsilonLinkTally) -> EpsilonLinkTally:  # type: ignore[override]  # tallies add
        return EpsilonLinkTally(self.links + other.links)

    def score(self, *, empty: Empty = "zero") -> Score:  # noqa: ARG002 - 0/0 is 0 by the formulas
        """The means over both kinds of links."""
        one, tiny = self.links, 0.000001
        kinds = (
            (one.common_coreference, one.gold_coreference, one.system_coreference),
            (one.common_other, one.gold_other, one.system_other),
        )
        precision = sum(common / (system + tiny) for common, _, system in kinds) / 2
        recall = sum(common / (gold + tiny) for common, gold, _ in kinds) / 2
        f1s = [
            Score.of(ratio(common, system, empty="zero"), ratio(common, gold, empty="zero"), empty="zero").f1
            for common, gold, system in kinds
        ]
        return Score(precision, recall, (f1s[0] + f1s[1]) / 2)  # type: ignore[operator]  # never undefined

    def as_dict(self) -> dict[str, object]:
        """The counts by name."""
        return self.links.as_dict()

    def from_counts(self, counts: Mapping[str, object]) -> EpsilonLinkTally:
        """The inverse of :meth:`as_dict`."""
        return EpsilonLinkTally(self.links.from_counts(counts))
