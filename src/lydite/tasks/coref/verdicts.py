"""Why each mention counts or not, in B³ credit; and the clusters of a document in words."""

from __future__ import annotations

from bisect import bisect
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache, cached_property, lru_cache
from itertools import chain, islice
from typing import NamedTuple

from lydite.align.clusters import clusters_of
from lydite.model import Document
from lydite.model.cluster import Cluster, mention_text
from lydite.model.letters import letters
from lydite.model.nodes import NodeCluster, NodeMention, node_mention_text
from lydite.model.outcome import COPY, PAIRED, UNPAIRED, Outcome, Status
from lydite.model.outcome import left_out as left_out_item
from lydite.model.verdict import GOLD, SYSTEM, Explained, Explainer, Judge, Rival, Side
from lydite.model.word_text import Ranges
from lydite.tasks.coref import corrections
from lydite.tasks.coref.comparison import Coreference, over_nodes
from lydite.tasks.coref.outcomes import (
    ClusterMember,
    LocatedClusters,
    edges_of,
    in_text_order,
    is_run,
    locate_clusters,
    overlaps,
    size_of,
)
from lydite.tasks.coref.settings import CorefSettings
from lydite.tasks.coref.words import kind_of, words_of
from lydite.tasks.paired import why_unscored

CAUSES = {
    "right": "the other side has the mention, neither split from the one before it nor merged with others",
    "missed-mention": "a gold mention that the system lacks and that no system mention overlaps",
    "spurious-mention": "a system mention that gold lacks and that no gold mention overlaps",
    "wrong-span": "a mention that the other side lacks although one of its mentions overlaps it",
    "split": "the mention before it in its gold cluster is in another system cluster",
    "merged": "its system cluster also holds mentions of another gold cluster",
    "left-out": "not counted: a copy that is dropped, a singleton, or a document that is not scored",
}
"""Every cause that a mention can have."""

NO_CREDIT = Fraction(0)

Reason = tuple[str, str, tuple[Rival, ...]]
"""A cause, why, and the mentions of the other side that overlap."""


def outcomes(explained: Explained[Coreference], settings: CorefSettings) -> Iterator[Outcome]:
    """The outcomes of all mentions of both sides, gold first, cluster by cluster."""
    words = cache(words_of(explained).words_and_place)  # most mentions are on both sides
    located = locate_clusters(explained.comparison)
    mentions = ClusterOutcomes(located, lambda _side, item: words(item.key))
    for side in (GOLD, SYSTEM):
        yield from mentions.of_side(side)
        yield from _uncounted(explained, settings, side, located)


class ClusterOutcomes:
    """Makes the outcomes of the mentions of one document."""

    def __init__(
        self, located: LocatedClusters, words_of: Callable[[Side, ClusterMember], tuple[str, Ranges]]
    ) -> None:
        self.located, self._words_of = located, words_of

    @cached_property
    def _names(self) -> dict[Hashable, str]:
        """How mentions are shown, by their keys."""
        sides = (self.located.gold, self.located.system)
        return {item.key: item.name for side in sides for cluster in side for item in cluster}

    @cached_property
    def _overlapping(self) -> Mapping[Side, Mapping[Hashable, Sequence[tuple[int, Hashable]]]]:
        """For each side the mentions that it lacks, each with those of its own mentions that overlap it."""
        gold, system = ([*chain.from_iterable(side)] for side in (self.located.gold, self.located.system))
        return {
            side: overlaps((one.key for one in others if one.home is None), (one.key for one in own))
            for side, own, others in ((GOLD, gold, system), (SYSTEM, system, gold))
        }

    def of_side(self, side: Side) -> Iterator[Outcome]:
        """The outcomes of the mentions of a side, in the order of their clusters; credit is B³ credit."""
        start = 0
        for cluster in self.located.of(side):
            size = len(cluster)
            homes = Counter(item.home for item in cluster if item.home is not None)
            last_found: ClusterMember | None = None
            before: ClusterMember | None = None
            rows = {}
            for item in in_text_order(cluster):
                credit = _credit(item.common, size)
                if side == GOLD:
                    cause, why, rivals = self._judge_gold(item, size, credit.text, last_found)
                else:
                    cause, why, rivals = self._judge_system(item, size, credit.text, homes)
                distance = "first" if before is None else _distance_bin(before.key, item.key)
                text, place = self._words_of(side, item)
                kind = kind_of(text)
                status: Status = COPY if item.late else UNPAIRED if item.home is None else PAIRED
                rows[id(item)] = Outcome(
                    side,
                    None,
                    status,
                    agrees={"cluster": cause == "right"},
                    credit=credit.earned,
                    lost=credit.lost,
                    cause=cause,
                    why=why,
                    name=item.name,
                    partner_name=item.partner,
                    rivals=rivals,
                    type=kind,
                    text=text,
                    traits={"kind": kind or "unknown", "size": credit.size, "distance": distance},
                    place=place,
                )
                before = item
                if item.home is not None and not item.late:
                    last_found = item
            for at, item in enumerate(cluster, start):
                yield rows[id(item)]._replace(item=at)
            start += size

    def _judge_gold(
        self, item: ClusterMember, size: int, credit: str, last_found: ClusterMember | None
    ) -> Reason:
        """Right, or split from the mention before it in its gold cluster that the system has."""
        if item.late:
            return "split", f"{item.name} stands again in gold, and its last copy counts (repeats)", ()
        if item.home is None:
            return self._judge_absent(item, SYSTEM, "missed-mention")
        cluster, home = self.located.gold_names[item.cluster], self.located.system_names[item.home]
        mentions = "the only mention" if size == 1 else f"{item.common} of the {size} mentions"
        shared = f"has {mentions} of gold cluster {cluster} (B³ {credit})"
        partner = f"the system has it as {item.partner}, and " if item.partner != item.name else ""
        if last_found is not None and last_found.home is not None and last_found.home != item.home:
            other = self.located.system_names[last_found.home]
            before = (
                f"{last_found.name}, the mention before it in gold cluster {cluster}, is in system cluster"
            )
            return "split", f"{partner}{before} {other}, not {home}; system cluster {home} {shared}", ()
        return "right", f"{partner}{item.name} is in system cluster {home}, which {shared}", ()

    def _judge_system(self, item: ClusterMember, size: int, credit: str, homes: Mapping[int, int]) -> Reason:
        """Right, or merged with mentions of another gold cluster; ``homes`` are the gold clusters of its cluster."""
        if item.home is None:
            return self._judge_absent(item, GOLD, "spurious-mention")
        partner = f"gold has it as {item.partner}, and " if item.partner != item.name else ""
        cluster, home = self.located.system_names[item.cluster], self.located.gold_names[item.home]
        count = homes[item.home]
        mentions = "its only mention" if size == 1 else f"{count} of its {size} mentions"
        shared = f"{mentions} {'is' if count == 1 else 'are'} of gold cluster {home} (B³ {credit})"
        where = f"{partner}{item.name} is in system cluster {cluster}"
        if len(homes) == 1:
            return "right", f"{where}; {shared}", ()
        # No more than it takes to say so: naming all for each mention would be quadratic in large clusters.
        names = (self.located.gold_names[other] for other in homes if other != item.home)
        others = _first_few(list(islice(names, _SHOWN + 1)))
        return "merged", f"{where}, which also holds gold cluster {others}; {shared}", ()

    def _judge_absent(self, item: ClusterMember, other: Side, cause: str) -> Reason:
        """A mention that the other side lacks: a wrong span if something there overlaps it."""
        found = self._overlapping[other].get(item.key)
        if not found:
            return cause, f"no {other} mention is {item.name}, and none overlaps it", ()
        size = size_of(item.key)
        rivals = tuple(Rival(self._names[key], 2 * common / (size + size_of(key))) for common, key in found)
        common, key = found[0]
        why = (
            f"{other} mention {self._names[key]} overlaps {item.name} ({common} in common), but is not equal"
        )
        return "wrong-span", why, rivals


class _Credit(NamedTuple):
    """The B³ credit of a mention, also as text, what it lacks to 1, and the bin of the size of its cluster."""

    earned: Fraction
    text: str
    lost: Fraction
    size: str


@lru_cache(maxsize=4096)
def _credit(common: int, size: int) -> _Credit:
    """The credit of a mention whose home holds ``common`` of the ``size`` mentions of its cluster; few values recur."""
    earned = Fraction(common, size)
    size_bin = str(size) if size < 3 else "3-5" if size < 6 else "6-10" if size < 11 else "over 10"
    return _Credit(earned, str(earned), 1 - earned, size_bin)


def _key_text(key: Hashable) -> str:
    return node_mention_text(key) if isinstance(key, NodeMention) else mention_text(key)


_SHOWN = 3
"""How many clusters a sentence names."""


def _first_few(names: Sequence[str]) -> str:
    return f"{', '.join(names[:_SHOWN])} …" if len(names) > _SHOWN else " and ".join(names)


def _distance_bin(before: Hashable, key: Hashable) -> str:
    """Tokens between a mention and the one before it in its cluster, in bins."""
    if is_run(before) and is_run(key):
        return _DISTANCE_BINS[bisect(_BIN_STARTS, key[0] - before[1])]
    ends, begins = edges_of(before), edges_of(key)
    if not ends or not begins or not isinstance(ends[-1], int) or not isinstance(begins[0], int):
        return "unknown"
    return _DISTANCE_BINS[bisect(_BIN_STARTS, begins[0] - ends[-1])]


_BIN_STARTS = (0, 10, 50, 200)
_DISTANCE_BINS = ("overlapping", "0-9 tokens", "10-49 tokens", "50-199 tokens", "200 tokens or more")


# ----------------------------------------------------------------------------------------------- what is left out


def _uncounted(
    explained: Explained[Coreference], settings: CorefSettings, side: Side, located: LocatedClusters
) -> Iterator[Outcome]:
    """The outcomes of copies that are dropped, and on singletons where they are dropped."""
    comparison = explained.comparison
    clusters: Sequence[Cluster | NodeCluster] = comparison.gold if side == GOLD else comparison.system
    if comparison.paired is not None:
        # There system mentions go by the names of their partners.
        clusters = over_nodes(explained.gold if side == GOLD else explained.system)
    for repeat in comparison.repeats:
        if repeat.side == side and repeat.dropped:
            why = f"it stands in cluster {repeat.first} already; this copy in {repeat.again} is dropped (repeats)"
            yield left_out_item(side, _key_text(repeat.mention), why, nothing=NO_CREDIT, status=COPY)
    if settings.singletons == "keep":
        return
    left = Counter(_key_text(member) for cluster in clusters for member in cluster.members)
    left.subtract(item.name for cluster in located.of(side) for item in cluster)
    left.subtract(_key_text(one.mention) for one in comparison.repeats if one.side == side and one.dropped)
    # A mention that stands in several clusters was dropped from the smallest.
    for cluster in sorted(clusters, key=lambda one: len(set(one.members))):
        for name in map(_key_text, cluster.members):
            if left[name] > 0:
                left[name] -= 1
                why = f"{name} is alone in cluster {cluster.id}: singletons are dropped (singletons)"
                yield left_out_item(side, name, why, nothing=NO_CREDIT)


def left_out(document: Document, side: Side, settings: CorefSettings) -> Iterator[Outcome]:
    """The outcomes of the mentions of a document that is not scored."""
    why = why_unscored(document, settings.only_document)
    for cluster in clusters_of(document):
        for member in cluster.members:
            yield left_out_item(side, mention_text(member), why, nothing=NO_CREDIT)


# ------------------------------------------------------------------------------------------------ clusters in words


def chains(explained: Explained[Coreference], _settings: CorefSettings) -> Iterator[str]:
    """The gold clusters with the letters of system clusters beside each mention, and below each what became of it."""
    return _ClusterLines(explained).lines()


class _ClusterLines:
    """The clusters of a document, told line by line."""

    def __init__(self, explained: Explained[Coreference]) -> None:
        self._located, self._words = locate_clusters(explained.comparison), words_of(explained)
        self._letters = [letters(at) for at in range(len(self._located.system))]
        homes = ((item.home for item in cluster) for cluster in self._located.system)
        self._held = [[home for home in dict.fromkeys(found) if home is not None] for found in homes]
        """For each system cluster the gold clusters that it holds mentions of."""

    def lines(self) -> Iterator[str]:
        """Gold cluster by gold cluster, then what system clusters hold that gold lacks."""
        located = self._located
        for at, cluster in enumerate(located.gold):
            yield f"cluster {located.gold_names[at]}"
            ordered = in_text_order(cluster)
            for item in ordered:
                home = "-" if item.home is None else self._letters[item.home]
                text = self._text_of(item)
                yield f"  {home:>2}  {item.name}{f' {text!r}' if text else ''}"
            yield f"  {self._fate_in_words(at, ordered)}"
        for at, cluster in enumerate(located.system):
            spurious = [item for item in in_text_order(cluster) if item.home is None]
            if spurious:
                what = "is entirely spurious" if len(spurious) == len(cluster) else "holds what gold lacks"
                shown = self._texts_or_names(spurious)
                yield f"{self._letters[at]} (system cluster {located.system_names[at]}) {what}: {shown}"

    def _fate_in_words(self, at: int, ordered: Sequence[ClusterMember]) -> str:
        """One sentence: found whole, split over, missed; and what else its system clusters hold."""
        located = self._located
        homes = list(dict.fromkeys(item.home for item in ordered if item.home is not None))
        missed = [item for item in ordered if item.home is None]
        more = " …" if len(ordered) > 3 else ""
        name = f"cluster {located.gold_names[at]} ({self._texts_or_names(ordered[:3])}{more})"
        if not homes:
            return f"{name} is missed"
        where = " and ".join(self._letters[home] for home in homes)
        parts = [f"{name} is split over {where}" if len(homes) > 1 else f"{name} is in {where}"]
        if missed:
            parts.append(f"{self._texts_or_names(missed)} missed")
        for home in homes:
            others = (located.gold_names[other] for other in self._held[home] if other != at)
            if shown := list(islice(others, _SHOWN + 1)):
                parts.append(f"{self._letters[home]} also holds cluster {_first_few(shown)}")
        if len(parts) == 1 and len(homes) == 1 and len(located.system[homes[0]]) == len(ordered):
            return f"{name} is found whole, as {where}"
        return "; ".join(parts)

    def _text_of(self, item: ClusterMember) -> str:
        return self._words.words_and_place(item.key)[0]

    def _texts_or_names(self, items: Iterable[ClusterMember]) -> str:
        return ", ".join(self._text_of(item) or item.name for item in items)


EXPLAINER = Explainer(
    causes=CAUSES,
    headline=Judge(outcomes, left_out),
    faults=lambda _settings: corrections.FAULTS,
    find_faults=corrections.ClusterCorrections,
    chains=chains,
    text=lambda explained: words_of(explained).text,
)
