"""What became of clusters: for every mention the cluster of the other side that holds it, however mentions were paired."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from operator import attrgetter
from typing import NamedTuple, TypeGuard

from lydite.align.clusters import number_mentions
from lydite.align.similarity import overlapping
from lydite.grouping import grouped
from lydite.model import Span
from lydite.model.cluster import Cluster, ClusterAlignment, Members, homes_of, mention_text
from lydite.model.nodes import NodeMention, node_mention_text
from lydite.model.verdict import GOLD, Side
from lydite.tasks.coref.comparison import Coreference
from lydite.tasks.coref.diagnosis import cluster_name

Run = tuple[Hashable, int, int]
"""A run of tokens, the first one and the one after the last, and the text that numbers them."""


class ClusterMember(NamedTuple):
    """A mention of one side in one of its clusters.

    ``key`` identifies it in its document, ``name`` is how it is shown, ``home`` the cluster of the other side that holds
    it, ``partner`` its name there, ``common`` how many mentions of its own cluster are in that home: its B³ credit is
    their share.  ``late`` means that a copy of this mention counts in its place.
    """

    key: Hashable
    name: str
    cluster: int
    home: int | None
    partner: str | None
    common: int
    late: bool = False


MemberCluster = tuple[ClusterMember, ...]
KeysAndNames = Mapping[int, tuple[Hashable, str]]
"""By the number of a mention what identifies it, and how it is shown."""


class LocatedClusters(NamedTuple):
    """The counted mentions of both sides cluster by cluster, and the names of the clusters."""

    gold: tuple[MemberCluster, ...]
    system: tuple[MemberCluster, ...]
    gold_names: tuple[str, ...]
    system_names: tuple[str, ...]

    def of(self, side: Side) -> tuple[MemberCluster, ...]:
        """The clusters of a side."""
        return self.gold if side == GOLD else self.system

    def names_of(self, side: Side) -> tuple[str, ...]:
        """The names of the clusters of a side."""
        return self.gold_names if side == GOLD else self.system_names


def locate_clusters(comparison: Coreference) -> LocatedClusters:
    """What became of every mention that counts."""
    over_nodes = comparison.alignment.found is not None
    return (_locate_mentions_over_nodes if over_nodes else _locate_same_mentions)(comparison)


# ---------------------------------------------------------------------------------------------- the same mentions


def _locate_same_mentions(comparison: Coreference) -> LocatedClusters:
    alignment = comparison.alignment
    mentions = _mentions_by_number(comparison)
    named = {number: (mention, mention_text(mention)) for number, mention in mentions.items()}
    gold, system = locate_members(alignment, named, named)
    return LocatedClusters(
        gold,
        system,
        tuple(_cluster_names(comparison.gold, alignment.gold, mentions)),
        tuple(_cluster_names(comparison.system, alignment.system, mentions)),
    )


def locate_members(
    alignment: ClusterAlignment, gold: KeysAndNames, system: KeysAndNames
) -> tuple[tuple[MemberCluster, ...], tuple[MemberCluster, ...]]:
    """The members of the clusters of both sides, each with the cluster of the other side that holds it."""
    gold_home, system_home = homes_of(alignment.gold), homes_of(alignment.system)
    common_mentions = {} if alignment.repeated else {cell[:2]: cell[2] for cell in alignment.table.cells}
    gold_sets = [frozenset(cluster) for cluster in alignment.gold] if alignment.repeated else []

    def common_with(mention: int) -> int:
        pair = gold_home[mention], system_home[mention]
        if pair not in common_mentions:
            # As the CoNLL scorer counts where mentions repeat: those of the system cluster that occur in the home.
            gold = gold_sets[pair[0]]
            common_mentions[pair] = sum(other in gold for other in alignment.system[pair[1]])
        return common_mentions[pair]

    def members_of_side(
        ours: Sequence[Members],
        here: Mapping[int, int],
        there: Mapping[int, int],
        own: KeysAndNames,
        others: KeysAndNames,
    ) -> Iterator[MemberCluster]:
        repeated = alignment.repeated
        for at, cluster in enumerate(ours):
            last = {mention: place for place, mention in enumerate(cluster)} if repeated else {}
            members = []
            for place, mention in enumerate(cluster):
                home = there.get(mention)
                late = repeated and (here[mention] != at or last[mention] != place)
                common = 0 if home is None or late else common_with(mention)
                partner = None if home is None else others[mention][1]
                members.append(ClusterMember(*own[mention], at, home, partner, common, late))
            yield tuple(members)

    return (
        tuple(members_of_side(alignment.gold, gold_home, system_home, gold, system)),
        tuple(members_of_side(alignment.system, system_home, gold_home, system, gold)),
    )


def _mentions_by_number(comparison: Coreference) -> dict[int, Hashable]:
    """The mentions that the numbers of an alignment stand for: those of gold, then those that only the system has."""
    numbers: dict[Hashable, int] = {}
    for side in (comparison.gold, comparison.system):
        number_mentions(side, numbers)
    return dict(enumerate(numbers))


def _cluster_names(
    read: Sequence[Cluster], counted: Sequence[Members], mentions: Mapping[int, Hashable]
) -> Iterator[str]:
    """The ids of the clusters that count: each is what is left of a cluster that was read, in the same order."""
    ids = [cluster_name(cluster, place) for place, cluster in enumerate(read)]
    if [len(cluster.members) for cluster in read] == [*map(len, counted)]:  # as a rule all of them, whole
        yield from ids
        return
    held = [frozenset(cluster.members) for cluster in read]
    places = grouped((mention, place) for place, members in enumerate(held) for mention in members)
    begin = 0
    for members in counted:
        left = {mentions[member] for member in members}
        holders = places[mentions[members[0]]]
        whole = next((place for place in holders if place >= begin and left <= held[place]), None)
        if whole is not None:
            begin = whole + 1
        # Clusters that were merged go by the name of the first.
        yield ids[holders[0] if whole is None else whole]


# ----------------------------------------------------------------------------------------------------- over nodes


def _locate_mentions_over_nodes(comparison: Coreference) -> LocatedClusters:
    found, paired = comparison.alignment.found, comparison.paired
    assert found is not None
    assert paired is not None
    to_system = {id(ours): theirs for ours, theirs in paired.pairs}
    to_gold = {id(theirs): ours for ours, theirs in paired.pairs}

    def members_of_side(
        mentions: Sequence[Sequence[NodeMention]],
        places: Sequence[Sequence[int | None]],
        partners: Mapping[int, NodeMention],
    ) -> Iterator[MemberCluster]:
        for at, (cluster, homes) in enumerate(zip(mentions, places, strict=True)):
            counts = Counter(homes)
            members = []
            for mention, home in zip(cluster, homes, strict=True):
                partner = partners.get(id(mention))
                common = 0 if home is None else counts[home]
                name = node_mention_text(mention)
                other = None if home is None else name if partner is None else node_mention_text(partner)
                members.append(ClusterMember(mention, name, at, home, other, common))
            yield tuple(members)

    return LocatedClusters(
        tuple(members_of_side(found.gold_mentions, found.gold, to_system)),
        tuple(members_of_side(found.system_mentions, found.system, to_gold)),
        tuple(paired.names[0]),
        tuple(paired.names[1]),
    )


# ------------------------------------------------------------------------------------------------ places in texts


def runs_of(key: Hashable) -> list[Run]:
    """The runs of tokens that a mention covers, each token once; none for a mention that is an address.

    Tokens are not listed one by one: a mention costs the same however long it is.
    """
    if is_run(key):
        return [(None, *key)]
    if isinstance(key, NodeMention):
        return [(node, 0, 1) for node in dict.fromkeys(key.nodes)]
    if not isinstance(key, tuple) or not key:
        return []
    if all(isinstance(part, int) for part in key):
        runs = Span(tuple(zip(key[::2], key[1::2], strict=False))).merged()
        return [(None, first, end) for first, end in runs]
    if len(key) == 2 and isinstance(key[0], str):
        return [((key[0], text), first, end) for text, first, end in runs_of(key[1])]
    return []


def size_of(key: Hashable) -> int:
    """How many tokens or nodes a mention covers."""
    return sum(end - first for _, first, end in runs_of(key))


def is_run(key: Hashable) -> TypeGuard[tuple[int, int]]:
    """Whether a mention is one run of tokens, as most are: its first token and the one after its last."""
    return type(key) is tuple and len(key) == 2 and type(key[0]) is int


def edges_of(key: Hashable) -> tuple[object, ...]:
    """The first and last token of a mention, by which mentions are put in the order of the text; none for an address."""
    if is_run(key):
        return key
    if isinstance(key, NodeMention):
        return key.nodes[0], key.nodes[-1]
    if isinstance(key, tuple) and key and all(isinstance(part, int) for part in key):
        return key[0], key[-1]
    if isinstance(key, tuple) and len(key) == 2 and isinstance(key[0], str):
        return key[0], *edges_of(key[1])
    return ()


_key = attrgetter("key")


def in_text_order(items: Sequence[ClusterMember]) -> list[ClusterMember]:
    """Mentions in the order of the text, where all of them have a place, else in that of the file."""
    if len(items) == 1:
        return list(items)
    if all(map(is_run, map(_key, items))):
        return sorted(items, key=_key)
    edges = comparable_edges(map(_key, items))
    return [items[at] for at in sorted(range(len(edges)), key=edges.__getitem__)] if edges else list(items)


def comparable_edges(keys: Iterable[Hashable]) -> list[tuple[object, ...]]:
    """The edges of mentions; none of them if a mention has no place in the text, or edges are of different types."""
    edges = [edges_of(key) for key in keys]
    return edges if all(edges) and len({tuple(map(type, edge)) for edge in edges}) == 1 else []


def overlaps(
    mentions: Iterable[Hashable], others: Iterable[Hashable]
) -> dict[Hashable, list[tuple[int, Hashable]]]:
    """For each mention that overlaps some of ``others`` those of them, with the number of common tokens.

    The largest overlap stands first, then the smaller start, then the smaller end.
    """
    sides = [list(dict.fromkeys(side)) for side in (mentions, others)]
    our_runs, their_runs = (
        grouped(
            (text, (first, end, at))
            for at, key in enumerate(side)
            for text, first, end in runs_of(key)
            if first < end
        )
        for side in sides
    )
    common: Counter[tuple[int, int]] = Counter()
    for text, runs in our_runs.items():
        for at, place, tokens in overlapping(their_runs.get(text, []), runs):
            common[at, place] += tokens
    found = grouped((sides[0][at], (common[at, place], sides[1][place])) for at, place in sorted(common))
    for entries in found.values():
        entries.sort(key=lambda entry: (-entry[0], edges_of(entry[1])))
    return found
