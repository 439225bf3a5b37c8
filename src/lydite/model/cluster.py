"""Clusters of coreferring mentions, alignments of two partitions, and the counts of cluster metrics."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import chain
from marshal import dumps
from math import inf
from operator import index, itemgetter
from typing import TYPE_CHECKING, ClassVar, NamedTuple, Self, TypeAlias, TypeGuard, TypeVar, cast, overload

from lydite.exact_sums import NO_FRACTIONS, FractionSum
from lydite.grouping import grouped
from lydite.model.tally import (
    Additive,
    Counts,
    Empty,
    Figures,
    Score,
    Tally,
    amount,
    counts_of,
    or_zero,
    ratio,
    total,
    where,
)

if TYPE_CHECKING:
    from lydite.model.nodes import FoundMentions

T = TypeVar("T")
H = TypeVar("H", bound=Hashable)

Members: TypeAlias = Sequence[int]
"""A cluster after alignment: its mentions as integers, in the order of the file."""


class Cluster(NamedTuple):
    """Mentions that corefer on one side, in the order in which the file completes them.

    A mention is whatever identifies it in its document: a pair (first token, token after the last) in columns, an address
    in coreference-set XML.  ``id`` is as written; it does not matter for scores.
    """

    id: str
    members: tuple[Hashable, ...]


def is_filled_run(mention: object) -> TypeGuard[tuple[int, int]]:
    """Whether a mention is a run of at least one token: its first token, and the one after its last."""
    return (
        isinstance(mention, tuple)
        and len(mention) == 2
        and all(isinstance(part, int) for part in mention)
        and 0 <= mention[0] < mention[1]
    )


class Partition(Sequence[Cluster]):
    """All clusters of one side of a document, in the order of the file; ``members`` are the mentions of each.

    Its ``repr`` is a normal form, with sorted members and clusters and without ids; :attr:`digest` hashes that form, so
    that files with the same clusters have the same content hash.  If a mention occurs again, the order of clusters can
    decide which copy counts; the digest is then of clusters in their order.
    """

    __slots__ = ("_clusters", "_digest_of_spans", "_ids", "local", "members")

    def __init__(self, clusters: Iterable[Cluster] = (), *, local: bool = False) -> None:
        self._clusters: tuple[Cluster, ...] | None = tuple(clusters)
        self.members: Sequence[tuple[Hashable, ...]] = [cluster.members for cluster in self._clusters]
        self._ids: Sequence[str] | None = None
        self._digest_of_spans: str | None = None
        self.local = local
        """Whether ids are unique only within the document: equal ids in two documents are two clusters."""

    @classmethod
    def numbered(cls, clusters: Iterable[Iterable[Hashable]]) -> Self:
        """Return a partition of clusters whose ids are their positions; :class:`Cluster` records are made when needed."""
        made = cls(local=True)
        made._clusters, made.members = None, [*map(tuple, clusters)]
        return made

    @classmethod
    def named(cls, clusters: Mapping[str, Iterable[Hashable]]) -> Self:
        """Return a partition of clusters with ids; :class:`Cluster` records are made when needed."""
        made = cls()
        made._clusters, made._ids, made.members = None, tuple(clusters), [*map(tuple, clusters.values())]
        return made

    def _as_clusters(self) -> tuple[Cluster, ...]:
        if self._clusters is None:
            ids = map(str, range(len(self.members))) if self._ids is None else self._ids
            self._clusters = tuple(map(Cluster, ids, self.members))
        return self._clusters

    def __len__(self) -> int:
        return len(self.members)

    def __iter__(self) -> Iterator[Cluster]:
        return iter(self._as_clusters())

    @overload
    def __getitem__(self, at: int) -> Cluster: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Cluster, ...]: ...
    def __getitem__(self, at: int | slice) -> Cluster | tuple[Cluster, ...]:
        return self._as_clusters()[at]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Partition | tuple) and self._as_clusters() == tuple(other)

    def __hash__(self) -> int:
        return hash(self._as_clusters())

    def __repr__(self) -> str:
        return _join_clusters(sorted(self._sorted_texts()))

    def _sorted_texts(self) -> list[list[str]]:
        """Return the clusters as texts, with sorted members."""
        to_text = repr if self._is_plain() else _portable_repr
        return [sorted(map(to_text, members)) for members in self.members]

    def _is_plain(self) -> bool:
        """Whether mentions are strings, integers and tuples of such, whose ``repr`` is the same everywhere."""
        level: Sequence[object] = [*chain.from_iterable(self.members)]
        while {str, int, tuple}.issuperset(map(type, level)):
            level = [*chain.from_iterable(value for value in level if isinstance(value, tuple))]
            if not level:
                return True
        return False

    @property
    def digest(self) -> str:
        """The hash of the clusters: the same in every process, and for the integers of any library."""
        if self.digest_of_spans is not None:
            return self.digest_of_spans
        plain = [] if self._is_plain() else [[*map(_with_python_numbers, one)] for one in self.members]
        content = _encode_spans(plain)
        if content is None:
            text = _join_clusters(self._sorted_texts()) if _has_copies(self.members) else repr(self)
            content = text.encode("utf-8", "surrogatepass")
        return sha256(content).hexdigest()

    @property
    def digest_of_spans(self) -> str | None:
        """The digest if all mentions are tuples of the same number of integers, else None."""
        if self._digest_of_spans is None:
            content = _encode_spans(self.members)
            self._digest_of_spans = None if content is None else sha256(content).hexdigest()
        return self._digest_of_spans


def _join_clusters(clusters: Iterable[Iterable[str]]) -> str:
    return f"[{', '.join(f'[{joined}]' for joined in map(', '.join, clusters))}]"


def _encode_spans(members: Sequence[Sequence[Hashable]]) -> bytes | None:
    """Return the normal form of clusters of tuples with the same number of integers; None for any other mentions.

    Training loops and columns have such mentions, and a running metric spends most of its time on their digest.  Only
    tuples can be sorted with tuples.  ``marshal`` (version 2, the same in every Python since 2004) writes an integer of
    32 bits, and the start of a tuple or list, in five bytes each: so the length shows that there is nothing else, except
    for empty collections.
    """
    first = members[0][0] if members and members[0] else None
    if type(first) is not tuple or not all(type(number) is int for number in first):
        return None
    try:
        clusters = [*map(sorted, members)]  # type: ignore[arg-type]  # what has no order raises
        size = sum(map(len, clusters))
        if len({*chain.from_iterable(members)}) == size:
            # No two have the same first mention, and comparing only these takes half the time.
            clusters.sort(key=_FIRST)
        content = dumps(clusters, 2)
    except (TypeError, ValueError, RuntimeError, IndexError):  # no order, or no plain values
        return None
    size_of_spans = 5 * (1 + len(clusters) + size * (1 + len(first)))
    if len(content) != size_of_spans or _EMPTY_LIST in content or _EMPTY_SET in content:
        return None
    return content


_FIRST = itemgetter(0)
_EMPTY_LIST, _EMPTY_SET = b"[\0\0\0\0", b"<\0\0\0\0"
"""Empty collections as ``marshal`` writes them; they cannot be parts of mentions."""


def _has_copies(members: Sequence[Sequence[Hashable]]) -> bool:
    return len(set(chain.from_iterable(members))) < sum(map(len, members))


def _with_python_numbers(mention: Hashable) -> Hashable:
    """Return a mention with Python's own integers and tuples instead of those of other libraries."""
    if isinstance(mention, tuple):
        return tuple(map(_with_python_numbers, mention))
    try:
        return index(mention)  # type: ignore[arg-type]  # what is no whole number raises
    except TypeError:
        return mention


def _portable_repr(mention: Hashable) -> str:
    """Return a mention as text, independent of the order of sets and of the library of its numbers."""
    if isinstance(mention, str):
        return repr(str(mention))
    if isinstance(mention, tuple):
        return f"({', '.join(map(_portable_repr, mention))}{',' if len(mention) == 1 else ''})"
    if isinstance(mention, frozenset):
        return f"{{{', '.join(sorted(map(_portable_repr, mention)))}}}"
    return repr(_with_python_numbers(mention))


class OverlapTable(NamedTuple):
    """The sizes of the clusters of two sides, and the number of common mentions of each pair of clusters.

    Sizes count all mentions of a cluster, also missed and spurious ones.  ``cells`` are (gold cluster, system cluster,
    common mentions), by position; pairs without a common mention have no cell.
    """

    gold_sizes: Sequence[int]
    system_sizes: Sequence[int]
    cells: Sequence[tuple[int, int, int]]


def first_copies(partition: Sequence[Members], below: float = inf) -> list[Members]:
    """Keep the first copy of every mention (or only of numbers ``below`` a limit); drop clusters that become empty."""
    seen: set[int] = set()
    kept: list[Members] = []
    for cluster in partition:
        members = []
        for mention in cluster:
            if mention not in seen:
                members.append(mention)
                if mention < below:
                    seen.add(mention)
        if members:
            kept.append(members)
    return kept


def without_mentions(partition: Sequence[Members], mentions: set[int]) -> list[Members]:
    """Return the clusters without some mentions; drop clusters that become empty."""
    remaining = [tuple(mention for mention in cluster if mention not in mentions) for cluster in partition]
    return [cluster for cluster in remaining if cluster]


Clusters: TypeAlias = Sequence[Collection[Hashable]]


def overlap_table(gold: Clusters, system: Clusters) -> OverlapTable:
    """Return the table of two partitions; no mention may occur twice on a side."""
    return OverlapTable([*map(len, gold)], [*map(len, system)], _cells(homes_of(gold), system))


def overlap_table_if_distinct(gold: Clusters, system: Clusters) -> OverlapTable | None:
    """Return the table of two partitions, or None if a mention occurs twice on a side."""
    home = homes_of(gold)
    if _repeats(home, gold, system):
        return None
    return OverlapTable([*map(len, gold)], [*map(len, system)], _cells(home, system))


def homes_of(clusters: Iterable[Iterable[H]], first: int = 0) -> dict[H, int]:
    """Map every mention to the number of its (last) cluster, counted from ``first``."""
    return {mention: number for number, cluster in enumerate(clusters, first) for mention in cluster}


def _repeats(home: Mapping[Hashable, int], gold: Clusters, system: Clusters) -> bool:
    """Whether a mention occurs twice on a side; ``home`` is :func:`homes_of` gold."""
    return len(home) < sum(map(len, gold)) or len(set(chain.from_iterable(system))) < sum(map(len, system))


def _cells(home: Mapping[Hashable, int], system: Clusters, first: int = 0) -> list[tuple[int, int, int]]:
    """Return the cells of system clusters, which are counted from ``first``."""
    find = home.get
    cells: list[tuple[int, int, int]] = []
    for number, cluster in enumerate(system, first):
        if len(cluster) == 1:
            (mention,) = cluster
            at = find(mention)
            if at is not None:
                cells.append((at, number, 1))
            continue
        counts: dict[int, int] = {}
        for mention in cluster:
            at = find(mention)
            if at is not None:
                counts[at] = counts.get(at, 0) + 1
        cells.extend([(at, number, common) for at, common in counts.items()])
    return cells


def overlap_table_of_copies(
    gold: Sequence[Sequence[Hashable]], system: Sequence[Sequence[Hashable]]
) -> OverlapTable:
    """Return the table if mentions may repeat: a cell counts the mentions of the gold cluster that the system's has."""
    holders = grouped((mention, place) for place, cluster in enumerate(system) for mention in set(cluster))
    counts = Counter(
        (at, position)
        for at, cluster in enumerate(gold)
        for mention in cluster
        for position in holders.get(mention, ())
    )
    cells = [(at, position, common) for (at, position), common in counts.items()]
    return OverlapTable([len(cluster) for cluster in gold], [len(cluster) for cluster in system], cells)


ClusterPair = tuple[Clusters, Clusters]
"""Gold and system clusters of one document."""


class DocumentTables(NamedTuple):
    """One table of many documents, with cells in the order of documents and only within documents.

    ``bounds`` are the numbers of gold and system clusters up to the end of each document; ``repeated`` are the positions
    of documents in which a mention occurs twice on a side, which have no clusters here.
    """

    table: OverlapTable
    bounds: Sequence[tuple[int, int]]
    repeated: Sequence[int]


def overlap_tables_of_documents(documents: Sequence[ClusterPair]) -> DocumentTables:
    """Return one table for many documents, as :func:`overlap_table_if_distinct` does for one."""
    gold_sizes: list[int] = []
    system_sizes: list[int] = []
    cells: list[tuple[int, int, int]] = []
    bounds: list[tuple[int, int]] = []
    repeated: list[int] = []
    for number, (gold, system) in enumerate(documents):
        home = homes_of(gold, len(gold_sizes))
        if _repeats(home, gold, system):
            repeated.append(number)
        else:
            cells += _cells(home, system, len(system_sizes))
            gold_sizes += map(len, gold)
            system_sizes += map(len, system)
        bounds.append((len(gold_sizes), len(system_sizes)))
    return DocumentTables(OverlapTable(gold_sizes, system_sizes, cells), bounds, repeated)


_NO_CLUSTERS = OverlapTable((), (), ())


class ClusterAlignment:
    """The partitions of two sides over shared integers: equal numbers are the same mention.

    ``repeated``: a mention occurs more than once on a side, so there is no table of disjoint clusters, and the metrics
    count as the CoNLL reference scorer does.  ``found``: unequal mentions were paired; numbers are then identities, the
    metrics count as the CorefUD scorer does, and the table counts gold mentions whose partner a system cluster has.
    ``as_given``: every mention occurs once on each side and nothing was changed; ``number`` then numbers the mentions
    when needed.  ``counts``: both sides were counted as wholes, and only these counts are known, for the metrics over
    counts.  What metrics count is cached, because averages of metrics need the same counts again.
    """

    __slots__ = ("_counted", "_number", "_sides", "as_given", "counts", "found", "repeated", "table")

    def __init__(
        self,
        gold: Sequence[Members] = (),
        system: Sequence[Members] = (),
        table: OverlapTable = _NO_CLUSTERS,
        *,
        repeated: bool = False,
        found: FoundMentions | None = None,
        number: Callable[[], tuple[Sequence[Members], Sequence[Members]]] | None = None,
        counts: object = None,
    ) -> None:
        self._sides, self.table, self.repeated = (gold, system), table, repeated
        self.found = found
        self.as_given = number is not None
        self._number = number
        self.counts = counts
        self._counted: dict[object, object] = {}

    @property
    def gold(self) -> Sequence[Members]:
        """The gold partition."""
        return self._numbered()[0]

    @property
    def system(self) -> Sequence[Members]:
        """The system partition."""
        return self._numbered()[1]

    def _numbered(self) -> tuple[Sequence[Members], Sequence[Members]]:
        if self._number is not None:
            self._sides, self._number = self._number(), None
        return self._sides

    @classmethod
    def of(
        cls,
        gold: Sequence[Members],
        system: Sequence[Members],
        *,
        repeated: bool = False,
        found: FoundMentions | None = None,
    ) -> ClusterAlignment:
        """Align two partitions, with their overlap table."""
        return cls(gold, system, overlap_table(gold, system), repeated=repeated, found=found)

    @property
    def has_same_mentions(self) -> bool:
        """Whether both sides have the same mentions, whatever their clusters."""
        return set(chain.from_iterable(self.gold)) == set(chain.from_iterable(self.system))

    def once(self, count: Callable[[ClusterAlignment], T]) -> T:
        """Return ``count(self)``, computed only once."""
        counted = self._counted.get(count)
        if counted is None:
            counted = self._counted[count] = count(self)
        return cast("T", counted)


@dataclass(frozen=True, slots=True)
class ClusterTally(Additive):
    """Credit earned out of credit possible on each side; credits are exact fractions.

    recall = gold_credit / gold_total and precision = system_credit / system_total.
    """

    in_any_order: ClassVar[bool] = True

    gold_credit: FractionSum = NO_FRACTIONS
    gold_total: int = 0
    system_credit: FractionSum = NO_FRACTIONS
    system_total: int = 0

    @classmethod
    def whole(cls, gold_credit: int, gold_total: int, system_credit: int, system_total: int) -> ClusterTally:
        """Return a tally whose credits are integers."""
        ours = FractionSum({1: gold_credit})
        theirs = ours if system_credit == gold_credit else FractionSum({1: system_credit})
        return cls(ours, gold_total, theirs, system_total)

    def score(self, *, empty: Empty = "zero") -> Score:
        """P, R and F1; 0/0 is 0 unless the profile answers otherwise."""
        return Score.of(
            ratio(self.system_credit.value, self.system_total, empty=empty),
            ratio(self.gold_credit.value, self.gold_total, empty=empty),
            empty=empty,
        )

    def as_dict(self) -> dict[str, object]:
        """The counts by name; a credit that is not whole also as an exact fraction, such as ``13/6``."""
        counts: dict[str, object] = {
            "gold_credit": self.gold_credit.value,
            "gold_total": self.gold_total,
            "system_credit": self.system_credit.value,
            "system_total": self.system_total,
        }
        for side, credit in (("gold", self.gold_credit), ("system", self.system_credit)):
            if not isinstance(counts[f"{side}_credit"], int):
                counts[f"{side}_exact"] = str(credit)
        return counts

    def from_counts(self, counts: Counts) -> ClusterTally:
        """The inverse of :meth:`as_dict`."""
        gold, system = (exact_sum(counts, f"{side}_credit", f"{side}_exact") for side in _SIDES)
        return ClusterTally(gold, amount(counts, "gold_total"), system, amount(counts, "system_total"))


class Rounded(FractionSum):
    """A sum of which only the rounded value is known, or an array of such sums of many resampled corpora."""

    __slots__ = ("_value",)

    def __init__(self, value: float) -> None:
        super().__init__()
        self._value = value

    @property
    def value(self) -> float:
        """The sum."""
        return self._value


def exact_sum(counts: Counts, rounded: str, exact: str) -> FractionSum:
    """Return the exact sum for the name of a rounded one: if that is whole, or the exact one was written, too."""
    value = amount(counts, rounded)
    if isinstance(value, int):
        return FractionSum({1: value})
    return FractionSum.from_text(amount(counts, exact)) if counts.get(exact) is not None else Rounded(value)


_SIDES = ("gold", "system")


@dataclass(frozen=True, slots=True)
class LinkTally(Additive):
    """The six link counts of BLANC: coreference and non-coreference links common to both sides, of gold, of system.

    With R, P, F of each kind of link (0 if the divisor is 0), BLANC is the mean of the two Rs, of the two Ps and of the
    two Fs: its F1 is *not* the harmonic mean of its P and R.  Only gold links decide what is left out: without any gold
    link everything is 0; without gold coreference links only the other kind counts, and vice versa (Luo et al. 2014 as
    computed by the CoNLL reference scorer 8.01).
    """

    in_any_order: ClassVar[bool] = True

    common_coreference: int = 0
    gold_coreference: int = 0
    system_coreference: int = 0
    common_other: int = 0
    gold_other: int = 0
    system_other: int = 0

    @property
    def coreference(self) -> ClusterTally:
        """The tally of links inside clusters."""
        common = self.common_coreference
        return ClusterTally.whole(common, self.gold_coreference, common, self.system_coreference)

    @property
    def other(self) -> ClusterTally:
        """The tally of links between clusters."""
        return ClusterTally.whole(self.common_other, self.gold_other, self.common_other, self.system_other)

    def score(self, *, empty: Empty = "zero") -> Score:  # noqa: ARG002 - BLANC has its own rules for 0/0
        """BLANC's P, R and F."""
        return mean_of_links(self, self.gold_coreference, self.gold_other)


def mean_of_links(links: LinkTally, coreference: int, other: int) -> Score:
    """Return the means over both kinds of links; a kind without links is left out if the other kind has any."""
    inside = Tally(
        links.common_coreference, links.gold_coreference, links.common_coreference, links.system_coreference
    )
    between = Tally(links.common_other, links.gold_other, links.common_other, links.system_other)
    both = ((coreference == 0) & (other == 0)) | ((coreference != 0) & (other != 0))
    kinds = zip(inside.score(empty="zero")[:3], between.score(empty="zero")[:3], strict=True)
    figures = []
    for one, two in kinds:
        mean = None if one is None or two is None else (one + two) / 2
        figures.append(where(both, mean, where(other == 0, one, two)))
    return Score(*figures)


class MeanTally(NamedTuple):
    """The counts of several metrics whose F1s are averaged: MELA, the mean of the KBP event nugget task.

    The F1s are those of the added counts, unrounded; weights are 1 by default.  P and R are undefined: no paper defines
    them for a mean of metrics.
    """

    parts: Mapping[str, Figures]
    weights: tuple[float, ...] = ()

    @property
    def in_any_order(self) -> bool:
        """Whether the counts of all metrics can be added in any order."""
        return all(getattr(part, "in_any_order", False) for part in self.parts.values())

    def __add__(self, other: MeanTally) -> MeanTally:  # type: ignore[override]  # tallies add, tuples join
        return MeanTally({name: part + other.parts[name] for name, part in self.parts.items()}, self.weights)

    def score(self, *, empty: Empty = "zero") -> Score:
        """The mean F1."""
        figures = [or_zero(part.score(empty=empty).f1) for part in self.parts.values()]
        weights = self.weights or (1,) * len(figures)
        weighted = [weight * figure for weight, figure in zip(weights, figures, strict=True)]
        return Score(f1=total(*weighted) / total(*weights))

    def as_dict(self) -> dict[str, object]:
        """The counts by metric."""
        return {name: dict(part.as_dict()) for name, part in self.parts.items()}

    def from_counts(self, counts: Counts) -> MeanTally:
        """The inverse of :meth:`as_dict`."""
        parts = {name: part.from_counts(counts_of(counts, name)) for name, part in self.parts.items()}
        return MeanTally(parts, self.weights)


def mention_text(mention: Hashable) -> str:
    """Return a mention as text: first and last token, an id, or a document and one of the two."""
    if not isinstance(mention, tuple):
        return str(mention)
    if len(mention) == 2 and type(mention[0]) is int:  # most mentions are one run of tokens
        first, end = mention
        return f"{first}-{end - 1}" if end - first > 1 else str(first)
    if mention and all(isinstance(part, int) for part in mention):
        ranges = zip(mention[::2], mention[1::2], strict=False)
        return ",".join(f"{first}-{end - 1}" if end - first > 1 else str(first) for first, end in ranges)
    if len(mention) == 2 and isinstance(mention[0], str):
        inner = mention_text(mention[1])
        return inner if mention[0] and mention[0] in inner else f"{mention[0]}#{inner}"
    return "+".join(map(mention_text, mention))
