"""From paired mentions with coreference relations to partitions over shared elements.

Each pair that is similar enough is one element of both sides; every other mention is an element of its own side.  Two
mentions on one span are two elements, so double annotation does no harm here.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import NamedTuple

from lydite.model import Alignment, Document
from lydite.model.cluster import ClusterAlignment
from lydite.model.mention import COREFERENCE


class ChainRule(NamedTuple):
    """Which pairs of mentions are one element, and what becomes of gold mentions without a partner.

    ``agree`` are the attributes that paired mentions share, ``threshold`` the least similarity.  ``keep_unpaired_gold``
    is false where the official program leaves such mentions out of gold.
    """

    agree: tuple[str, ...] = ("type",)
    threshold: float = 1.0
    keep_unpaired_gold: bool = True


def clusters_of(document: Document) -> Mapping[str, int]:
    """The cluster of every mention id: the first coreference relation that names it."""
    first: dict[str, int] = {}
    for number, relation in enumerate(document.relations):
        if relation.name == COREFERENCE:
            for member in relation.members:
                first.setdefault(member, number)
    return first


def cluster_labels(document: Document) -> list[int]:
    """For every mention, in file order, the cluster it is in; a mention in no cluster is one by itself, below zero."""
    first = clusters_of(document)
    if not first:
        return list(range(-1, -1 - len(document.mentions), -1))
    return [first.get(mention_id, -1 - position) for position, mention_id in enumerate(document.columns.ids)]


def has_clusters(document: Document) -> bool:
    """Whether the document has a coreference relation."""
    return any(relation.name == COREFERENCE for relation in document.relations)


def align_chains(alignment: Alignment, gold: Document, system: Document, rule: ChainRule) -> ClusterAlignment:
    """The partitions of both sides over elements.

    Elements are numbered as the official program writes them down: gold mentions in file order, then system mentions
    without a partner; clusters stand in the order in which their first element does.
    """
    threshold = rule.threshold
    partner = {
        gold_at: system_at for gold_at, system_at, similarity in alignment.pairs if similarity >= threshold
    }
    gold_labels, system_labels = cluster_labels(gold), cluster_labels(system)
    ours: dict[int, list[int]] = {}
    theirs: dict[int, list[int]] = {}
    for position, label in enumerate(gold_labels):
        system_at = partner.get(position)
        if system_at is not None:
            ours.setdefault(label, []).append(position)
            theirs.setdefault(system_labels[system_at], []).append(position)
        elif rule.keep_unpaired_gold:
            ours.setdefault(label, []).append(position)
    taken = set(partner.values())
    offset = len(gold_labels)
    for system_at, label in enumerate(system_labels):
        if system_at not in taken:
            theirs.setdefault(label, []).append(offset + system_at)
    return ClusterAlignment.of(list(ours.values()), list(theirs.values()))


# ------------------------------------------------------------------------------------------------------- links

LINKS = ("Subevent", "After")
"""The scored links, in the order in which their sets are taken together."""


class Link(NamedTuple):
    """A directed relation between two nodes; a node is a pair of mentions or a mention without a partner."""

    name: str
    first: int
    second: int


class Links(NamedTuple):
    """The links of both sides over common nodes, reduced per relation, in the order of the file."""

    gold: tuple[Link, ...]
    system: tuple[Link, ...]


LinkOrder = Mapping[str, Sequence[Sequence[str]]]
"""Per side the links (name, first id, second id) in the order in which they are to be taken."""


def align_links(
    alignment: Alignment, gold: Document, system: Document, order: LinkOrder | None = None
) -> Links:
    """The links of both sides.

    Ends are raised to their clusters; links inside a cluster and links with unknown ends go; a link goes if a third
    cluster lies on a way between its ends; what is left is spread over all pairs of members.  Links stand in a fixed
    order, Subevent before After, then by the positions of the mentions, unless ``order`` says otherwise.
    """
    partner = {pair.system: pair.gold for pair in alignment.pairs}
    offset = len(gold.mentions)
    gold_nodes = list(range(offset))
    system_nodes = [partner.get(position, offset + position) for position in range(len(system.mentions))]
    return Links(
        _links_of(gold, gold_nodes, order["gold"] if order else None),
        _links_of(system, system_nodes, order["system"] if order else None),
    )


def _links_of(
    document: Document, nodes: Sequence[int], order: Sequence[Sequence[str]] | None
) -> tuple[Link, ...]:
    if not any(relation.name in LINKS for relation in document.relations):
        return ()
    labels = cluster_labels(document)
    members: dict[Hashable, list[int]] = {}
    of_id: dict[str, Hashable] = {}
    positions: dict[str, int] = {}
    for position, (mention, label) in enumerate(zip(document.mentions, labels, strict=True)):
        members.setdefault(label, []).append(position)
        of_id.setdefault(mention.id, label)
        positions.setdefault(mention.id, position)
    spread = [
        (name, first, second)
        for name in LINKS
        for first, second in sorted(
            (one, other)
            for head, tail in _reduced(_raised(document, name, of_id))
            for one in members[head]
            for other in members[tail]
        )
    ]
    if order is not None:
        place = {
            (name, positions.get(first), positions.get(second)): at
            for at, (name, first, second) in enumerate(order)
        }
        spread.sort(key=lambda link: place.get(link, len(place)))
    return tuple(dict.fromkeys(Link(name, nodes[first], nodes[second]) for name, first, second in spread))


def _raised(document: Document, name: str, of_id: Mapping[str, Hashable]) -> list[tuple[Hashable, Hashable]]:
    """The links of one relation between clusters, each once."""
    raised: dict[tuple[Hashable, Hashable], None] = {}
    for relation in document.relations:
        if relation.name == name and len(relation.members) >= 2:
            first, second = (of_id.get(member) for member in relation.members[:2])
            if first is not None and second is not None and first != second:
                raised[first, second] = None
    return list(raised)


def _reduced(links: Sequence[tuple[Hashable, Hashable]]) -> list[tuple[Hashable, Hashable]]:
    """The links without those that a way over a third cluster makes superfluous; every link of a longer cycle goes."""
    number = {name: at for at, name in enumerate(dict.fromkeys(end for link in links for end in link))}
    onward = [0] * len(number)
    for first, second in links:
        onward[number[first]] |= 1 << number[second]
    reach = [_reachable(onward, start) for start in range(len(number))]
    back = [0] * len(number)
    for start, reached in enumerate(reach):
        for end in range(len(number)):
            if reached >> end & 1:
                back[end] |= 1 << start
    kept = []
    for first, second in links:
        one, other = number[first], number[second]
        between = reach[one] & back[other] & ~(1 << one) & ~(1 << other)
        if not between:
            kept.append((first, second))
    return kept


def _reachable(onward: Sequence[int], start: int) -> int:
    """The set of nodes that a way of one link or more leads to, as bits."""
    reached, fresh = 0, onward[start]
    while fresh:
        reached |= fresh
        following = 0
        while fresh:
            lowest = fresh & -fresh
            following |= onward[lowest.bit_length() - 1]
            fresh ^= lowest
        fresh = following & ~reached
    return reached
