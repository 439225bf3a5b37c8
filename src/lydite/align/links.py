"""After and Subevent links of both sides over common nodes: between clusters, reduced, and between all members again."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import NamedTuple

from lydite.grouping import grouped, members_of
from lydite.model import Alignment, Document
from lydite.model.mention import AFTER, COREFERENCE, SUBEVENT
from lydite.python2_sets import set_order

LINKS = (SUBEVENT, AFTER)
"""The scored links, in the order in which their sets are taken together."""


class LinkRule(NamedTuple):
    """What becomes of ids that no mention or several mentions have, and the order of links.

    ``in_set_order``: links come in the order of a set of the official program, else by the positions of their mentions.
    ``last_copy``: of several mentions with one id the one that was numbered last has all links, else every one has them.
    ``unknown_ends``: an id that no mention has stands for its cluster where a link names it, else the link goes.
    """

    in_set_order: bool = False
    last_copy: bool = False
    unknown_ends: bool = False


Link = tuple[str, int, int]
"""A directed relation (its name) between two nodes; a node is a pair of mentions or a mention without a partner."""

WrittenLink = tuple[str, str, str]
"""(name, first id, second id), with the ids of one side; some ids may be of no mention."""


class SideLinks(NamedTuple):
    """The links of one side in their order, and the same by ids, with those whose ids no mention has."""

    links: tuple[Link, ...]
    written: tuple[WrittenLink, ...]


class Links(NamedTuple):
    """Both sides, reduced per relation."""

    gold: SideLinks
    system: SideLinks


LinkOrder = Mapping[str, Sequence[Sequence[str]]]
"""For each side the links (name, first id, second id) in the order in which they are to be taken."""


def align_links(
    alignment: Alignment, gold: Document, system: Document, rule: LinkRule, order: LinkOrder | None = None
) -> Links:
    """The links of both sides.

    A link between mentions becomes one between their clusters.  Dropped are links inside a cluster, links with unknown
    ends, and links between clusters that other links connect through a third one.  The others become links between all
    members.  Subevent links stand before After links, each in the order of the rule, unless ``order`` fixes another.
    """
    gold_nodes = list(range(len(gold.mentions)))
    return Links(
        _links_of(gold, gold_nodes, rule, order["gold"] if order else None),
        _links_of(system, system_nodes(alignment), rule, order["system"] if order else None),
    )


def system_nodes(alignment: Alignment) -> list[int]:
    """The nodes of system mentions: the position of the partner in gold, else a number beyond those."""
    partner = {pair.system: pair.gold for pair in alignment.pairs}
    offset = len(alignment.gold)
    return [partner.get(position, offset + position) for position in range(len(alignment.system))]


def _links_of(
    document: Document, nodes: Sequence[int], rule: LinkRule, order: Sequence[Sequence[str]] | None
) -> SideLinks:
    if not any(relation.name in LINKS for relation in document.relations):
        return SideLinks((), ())
    positions = _positions(document, nodes, rule)
    clusters = [relation.members for relation in document.relations if relation.name == COREFERENCE]
    ends = _ends(document, clusters, rule)
    written = [
        link
        for name in LINKS
        for link in _in_order(_links_of_members(document, name, clusters, ends), positions, rule)
    ]
    if order is not None:
        place = {tuple(link): at for at, link in enumerate(order)}
        written.sort(key=lambda link: (LINKS.index(link[0]), place.get(link, len(place))))
    links = (
        (name, nodes[one], nodes[other])
        for name, first, second in written
        for one in positions.get(first, ())
        for other in positions.get(second, ())
    )
    return SideLinks(tuple(dict.fromkeys(links)), tuple(written))


def _positions(document: Document, nodes: Sequence[int], rule: LinkRule) -> Mapping[str, Sequence[int]]:
    """The positions of the mentions of each id; of several under ``last_copy`` the one with the largest node."""
    positions = grouped((mention_id, position) for position, mention_id in enumerate(document.columns.ids))
    if not rule.last_copy:
        return positions
    return {
        mention_id: copies if len(copies) == 1 else [max(copies, key=lambda position: nodes[position])]
        for mention_id, copies in positions.items()
    }


def _in_order(
    written: Sequence[WrittenLink], positions: Mapping[str, Sequence[int]], rule: LinkRule
) -> list[WrittenLink]:
    if rule.in_set_order:
        # The official program keeps a link as first id, second id, name.
        in_order = set_order([(first, second, name) for name, first, second in written])
        return [(name, first, second) for first, second, name in in_order]
    behind_all = (len(positions),)

    def first_positions(link: WrittenLink) -> tuple[int, int]:
        return positions.get(link[1], behind_all)[0], positions.get(link[2], behind_all)[0]

    return sorted(dict.fromkeys(written), key=first_positions)


def _links_of_members(
    document: Document, name: str, clusters: Sequence[Sequence[str]], ends: Mapping[str, Hashable]
) -> list[WrittenLink]:
    """The reduced links of one relation between clusters, as links between all their members."""

    def members(end: Hashable) -> Sequence[str]:
        return clusters[end] if isinstance(end, int) else (str(end),)

    return [
        (name, one, other)
        for head, tail in _without_indirect(list(dict.fromkeys(_links_of_clusters(document, name, ends))))
        for one in members(head)
        for other in members(tail)
    ]


def _ends(document: Document, clusters: Sequence[Sequence[str]], rule: LinkRule) -> dict[str, Hashable]:
    """What an id stands for as the end of a link: its cluster (by number), or a mention in no cluster (by id).

    An id in several clusters, which coreference would refuse, stands for the last that names it.
    """
    known: dict[str, Hashable] = {mention_id: mention_id for mention_id in document.columns.ids}
    for number, members in enumerate(clusters):
        for member in members:
            if rule.unknown_ends or member in known:
                known[member] = number
    return known


def _links_of_clusters(
    document: Document, name: str, known: Mapping[str, Hashable]
) -> Iterator[tuple[Hashable, Hashable]]:
    """The links of one relation between what their ends stand for."""
    for relation in document.relations:
        if relation.name == name and len(relation.members) >= 2:
            first, second = known.get(relation.members[0]), known.get(relation.members[1])
            if first is not None and second is not None and first != second:
                yield first, second


def _without_indirect(links: Sequence[tuple[Hashable, Hashable]]) -> list[tuple[Hashable, Hashable]]:
    """The links without those whose ends other links connect through a third cluster; a longer cycle loses all links."""
    number = {name: at for at, name in enumerate(dict.fromkeys(end for link in links for end in link))}
    onward = [0] * len(number)
    for first, second in links:
        onward[number[first]] |= 1 << number[second]
    reach = [_reachable(onward, start) for start in range(len(number))]
    back = [0] * len(number)
    for start, reached in enumerate(reach):
        for end in members_of(reached):
            back[end] |= 1 << start

    def is_direct(link: tuple[Hashable, Hashable]) -> bool:
        one, other = number[link[0]], number[link[1]]
        return not reach[one] & back[other] & ~(1 << one) & ~(1 << other)

    return list(filter(is_direct, links))


def _reachable(onward: Sequence[int], start: int) -> int:
    """The nodes that one link or more lead to from ``start``, as bits."""
    reached, fresh = 0, onward[start]
    while fresh:
        reached |= fresh
        following = 0
        for node in members_of(fresh):
            following |= onward[node]
        fresh = following & ~reached
    return reached
