"""Clusters of coreferring mentions, two partitions side by side, and what cluster metrics count."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import chain
from marshal import dumps
from math import inf
from operator import index, itemgetter
from typing import TYPE_CHECKING, ClassVar, Self, TypeAlias, TypeGuard, TypeVar, cast, overload

from lydite.exact import NO_FRACTIONS, FractionSum
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
from lydite.records import NamedTuple, dataclass

if TYPE_CHECKING:
    from lydite.model.nodes import FoundMentions

T = TypeVar("T")
H = TypeVar("H", bound=Hashable)

Members: TypeAlias = Sequence[int]
"""One cluster after alignment: its mentions as integers, in the order of the file."""


class Cluster(NamedTuple):
    """Mentions that one side says are the same, in the order in which the file completes them.

    A mention is whatever identifies it in its document: a pair (first token, token after the last) for columns, an
    address for coreference-set XML.  ``id`` is as written; it takes no part in scoring.
    """

    id: str
    members: tuple[Hashable, ...]


def is_filled_run(mention: object) -> TypeGuard[tuple[int, int]]:
    """Whether a mention is a run of one token or more: its first, and the one after its last."""
    return (
        isinstance(mention, tuple)
        and len(mention) == 2
        and all(isinstance(part, int) for part in mention)
        and 0 <= mention[0] < mention[1]
    )


class Partition(Sequence[Cluster]):
    """All clusters of one side of a document, in the order of the file; ``members`` are the mentions of each.

    It shows itself in normal form, members and clusters sorted and without ids; :attr:`digest` is that of this form, so
    that two files that say the same have the same content hash.  Where a mention stands again, which copy counts can
    depend on the order of clusters, and the digest is that of clusters in their order.
    """

    __slots__ = ("_clusters", "_digest_of_spans", "_ids", "local", "members")

    def __init__(self, clusters: Iterable[Cluster] = (), *, local: bool = False) -> None:
        self._clusters: tuple[Cluster, ...] | None = tuple(clusters)
        self.members: Sequence[tuple[Hashable, ...]] = [cluster.members for cluster in self._clusters]
        self._ids: Sequence[str] | None = None
        self._digest_of_spans: str | None = None
        self.local = local
        """Whether ids mean nothing beyond the document: equal ones of two documents are two clusters."""

    @classmethod
    def numbered(cls, clusters: Iterable[Iterable[Hashable]]) -> Self:
        """The partition of clusters whose ids are their positions; they are written out when someone asks for one."""
        made = cls(local=True)
        made._clusters, made.members = None, [*map(tuple, clusters)]
        return made

    @classmethod
    def named(cls, clusters: Mapping[str, Iterable[Hashable]]) -> Self:
        """The same with ids of their own."""
        made = cls()
        made._clusters, made._ids, made.members = None, tuple(clusters), [*map(tuple, clusters.values())]
        return made

    def _written_out(self) -> tuple[Cluster, ...]:
        if self._clusters is None:
            ids = map(str, range(len(self.members))) if self._ids is None else self._ids
            self._clusters = tuple(map(Cluster, ids, self.members))
        return self._clusters

    def __len__(self) -> int:
        return len(self.members)

    def __iter__(self) -> Iterator[Cluster]:
        return iter(self._written_out())

    @overload
    def __getitem__(self, at: int) -> Cluster: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Cluster, ...]: ...
    def __getitem__(self, at: int | slice) -> Cluster | tuple[Cluster, ...]:
        return self._written_out()[at]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Partition | tuple) and self._written_out() == tuple(other)

    def __hash__(self) -> int:
        return hash(self._written_out())

    def __repr__(self) -> str:
        return _joined(sorted(self._shown()))

    def _shown(self) -> list[list[str]]:
        """The clusters, members sorted."""
        shown = repr if self._is_plain() else _in_words
        return [sorted(map(shown, members)) for members in self.members]

    def _is_plain(self) -> bool:
        """Whether mentions are texts, whole numbers and tuples of such, which show themselves in one way alone."""
        level: Sequence[object] = [*chain.from_iterable(self.members)]
        while {str, int, tuple}.issuperset(map(type, level)):
            level = [*chain.from_iterable(value for value in level if isinstance(value, tuple))]
            if not level:
                return True
        return False

    @property
    def digest(self) -> str:
        """Hash of what the clusters say: the same in every process, for numbers of any library."""
        if self.digest_of_spans is not None:
            return self.digest_of_spans
        plain = [] if self._is_plain() else [[*map(_plain, members)] for members in self.members]
        said = _spans_in_bytes(plain)
        if said is None:
            shown = _joined(self._shown()) if _has_copies(self.members) else repr(self)
            said = shown.encode("utf-8", "surrogatepass")
        return sha256(said).hexdigest()

    @property
    def digest_of_spans(self) -> str | None:
        """The digest of a partition whose mentions are all tuples of as many whole numbers, None of others."""
        if self._digest_of_spans is None:
            said = _spans_in_bytes(self.members)
            self._digest_of_spans = None if said is None else sha256(said).hexdigest()
        return self._digest_of_spans


def _joined(clusters: Iterable[Iterable[str]]) -> str:
    return f"[{', '.join(f'[{joined}]' for joined in map(', '.join, clusters))}]"


def _spans_in_bytes(members: Sequence[Sequence[Hashable]]) -> bytes | None:
    """Clusters of tuples of as many whole numbers, in normal form; None if other mentions are among them.

    That is what training loops and columns have, and its digest is what a running metric spends most of its own time
    on.  What can be sorted beside a tuple is a tuple.  ``marshal``, whose version 2 is that of every Python since 2004,
    writes a whole number of 32 bits, and the beginning of a tuple or list, in five bytes: the length tells that nothing
    else is there, but what is empty.
    """
    first = members[0][0] if members and members[0] else None
    if type(first) is not tuple or not all(type(number) is int for number in first):
        return None
    try:
        clusters = [*map(sorted, members)]  # type: ignore[arg-type]  # what has no order raises
        size = sum(map(len, clusters))
        if len({*chain.from_iterable(members)}) == size:
            # No two begin alike, and to compare their beginnings takes half the time.
            clusters.sort(key=_FIRST)
        said = dumps(clusters, 2)
    except (TypeError, ValueError, RuntimeError, IndexError):  # no order, or no plain values
        return None
    as_spans = 5 * (1 + len(clusters) + size * (1 + len(first)))
    if len(said) != as_spans or _EMPTY_LIST in said or _EMPTY_SET in said:
        return None
    return said


_FIRST = itemgetter(0)
_EMPTY_LIST, _EMPTY_SET = b"[\0\0\0\0", b"<\0\0\0\0"
"""What cannot be hashed, as ``marshal`` writes it."""


def _has_copies(members: Sequence[Sequence[Hashable]]) -> bool:
    return len(set(chain.from_iterable(members))) < sum(map(len, members))


def _plain(mention: Hashable) -> Hashable:
    """A mention with Python's own whole numbers and tuples in the place of those of others."""
    if isinstance(mention, tuple):
        return tuple(map(_plain, mention))
    try:
        return index(mention)  # type: ignore[arg-type]  # what is no whole number raises
    except TypeError:
        return mention


def _in_words(mention: Hashable) -> str:
    """A mention as a text that depends neither on the order of a set nor on whose number it is."""
    if isinstance(mention, str):
        return repr(str(mention))
    if isinstance(mention, tuple):
        return f"({', '.join(map(_in_words, mention))}{',' if len(mention) == 1 else ''})"
    if isinstance(mention, frozenset):
        return f"{{{', '.join(sorted(map(_in_words, mention)))}}}"
    return repr(_plain(mention))


class OverlapTable(NamedTuple):
    """The sizes of the clusters of two sides, and of every pair of clusters the number of common mentions.

    Sizes count all mentions of a cluster, missed and spurious ones too.  ``cells`` are (gold cluster, system cluster,
    common mentions), by position; pairs without a common mention have no cell.
    """

    gold_sizes: Sequence[int]
    system_sizes: Sequence[int]
    cells: Sequence[tuple[int, int, int]]


def first_copies(partition: Sequence[Members], below: float = inf) -> list[Members]:
    """Every mention once, where it first occurs, or only those with numbers ``below`` one; clusters left empty go."""
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
    """The clusters without some mentions; those that hold nothing else are gone."""
    remaining = [tuple(mention for mention in cluster if mention not in mentions) for cluster in partition]
    return [cluster for cluster in remaining if cluster]


Clusters: TypeAlias = Sequence[Collection[Hashable]]


def overlap_table(gold: Clusters, system: Clusters) -> OverlapTable:
    """The table of two partitions over any mentions, none of which may occur twice on a side."""
    return OverlapTable([*map(len, gold)], [*map(len, system)], _cells(homes_of(gold), system))


def overlap_table_if_distinct(gold: Clusters, system: Clusters) -> OverlapTable | None:
    """The same, None if a mention occurs twice on a side."""
    home = homes_of(gold)
    if _repeats(home, gold, system):
        return None
    return OverlapTable([*map(len, gold)], [*map(len, system)], _cells(home, system))


def homes_of(clusters: Iterable[Iterable[H]], first: int = 0) -> dict[H, int]:
    """The cluster of every mention by its number, counted from ``first``: the last one that holds it."""
    return {mention: number for number, cluster in enumerate(clusters, first) for mention in cluster}


def _repeats(home: Mapping[Hashable, int], gold: Clusters, system: Clusters) -> bool:
    """Whether a mention occurs twice on a side; ``home`` is that of gold."""
    return len(home) < sum(map(len, gold)) or len(set(chain.from_iterable(system))) < sum(map(len, system))


def _cells(home: Mapping[Hashable, int], system: Clusters, first: int = 0) -> list[tuple[int, int, int]]:
    """The cells of system clusters, which are counted from ``first``."""
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
    """The table where mentions may repeat: a cell counts the positions of the gold cluster found in the system's."""
    holders = grouped(
        (mention, position) for position, cluster in enumerate(system) for mention in set(cluster)
    )
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
    """One table of many documents: no cluster meets one of another document, and cells are in the order of documents.

    ``bounds`` are, for every document, how many gold and system clusters there are up to its end; ``repeated`` are the
    positions of documents in which a mention occurs twice on a side, which have no clusters here.
    """

    table: OverlapTable
    bounds: Sequence[tuple[int, int]]
    repeated: Sequence[int]

    def tables(self) -> Iterator[OverlapTable]:
        """The tables of single documents."""
        table, row, column, cell = self.table, 0, 0, 0
        for rows, columns in self.bounds:
            begin = cell
            while cell < len(table.cells) and table.cells[cell][1] < columns:
                cell += 1
            yield OverlapTable(
                table.gold_sizes[row:rows],
                table.system_sizes[column:columns],
                [(gold - row, system - column, common) for gold, system, common in table.cells[begin:cell]],
            )
            row, column = rows, columns


def overlap_tables_of_documents(documents: Sequence[ClusterPair]) -> DocumentTables:
    """As :func:`overlap_table_if_distinct`, for many documents as one table."""
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


def muc_of_documents(documents: Sequence[ClusterPair]) -> tuple[ClusterTally, list[int]]:
    """The MUC links of many documents, without a table, and the positions of documents that are left out.

    A system cluster keeps as many links as it has common mentions less the gold clusters that they lie in.  A cluster of
    one mention has no link, one of two has it if both are in one gold cluster: half of all clusters are so small.
    Documents in which a mention occurs twice on a side are left out.
    """
    common = in_gold = in_system = 0
    repeated: list[int] = []
    for number, (gold, system) in enumerate(documents):
        home = homes_of(gold)
        ours, theirs = sum(map(len, gold)), sum(map(len, system))
        if len(home) < ours or len(set(chain.from_iterable(system))) < theirs:
            repeated.append(number)
            continue
        find = home.get
        for cluster in system:
            size = len(cluster)
            if size == 2:
                one, other = cluster
                row = find(one)
                common += row is not None and row == find(other)
            elif size > 2:
                homes = [*map(find, cluster)]  # None for mentions that gold lacks
                cells = set(homes)
                common += size - len(cells)
                if None in cells:
                    common -= homes.count(None) - 1
        in_gold += ours - len(gold)
        in_system += theirs - len(system)
    return ClusterTally.whole(common, in_gold, common, in_system), repeated


_NO_CLUSTERS = OverlapTable((), (), ())


class ClusterAlignment:
    """The partitions of two sides over shared integers: equal numbers are the same mention.

    ``repeated`` says that a mention occurs more than once on a side, so that no table of disjoint clusters exists;
    the metrics then follow the reading of the CoNLL reference scorer.  ``found`` is there if mentions were paired that
    are not equal: numbers are then identities, the metrics follow the reading of the CorefUD scorer, and the table
    counts gold mentions whose partner a system cluster holds.  ``as_given`` says that every mention stood once on each
    side and nothing had to be treated: ``number`` then gives mentions their numbers when someone asks for them.
    ``counts`` is there if both sides were counted as wholes and nothing is known but how many of what there are; it is
    what the metrics over counts take.  What metrics have counted is kept, because averages of metrics need the same
    counts again.
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
        """The partition of gold."""
        return self._numbered()[0]

    @property
    def system(self) -> Sequence[Members]:
        """The partition of the system."""
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
        """Two partitions with the table of how they meet."""
        return cls(gold, system, overlap_table(gold, system), repeated=repeated, found=found)

    @property
    def has_same_mentions(self) -> bool:
        """Whether both sides have the same mentions, whatever their clusters."""
        return set(chain.from_iterable(self.gold)) == set(chain.from_iterable(self.system))

    def once(self, count: Callable[[ClusterAlignment], T]) -> T:
        """``count(self)``, counted once."""
        counted = self._counted.get(count)
        if counted is None:
            counted = self._counted[count] = count(self)
        return cast("T", counted)


@dataclass(frozen=True, slots=True)
class ClusterTally(Additive):
    """Credit earned out of credit possible on each side, with credits that are exact fractions.

    recall = gold_credit / gold_total and precision = system_credit / system_total.
    """

    in_any_order: ClassVar[bool] = True

    gold_credit: FractionSum = NO_FRACTIONS
    gold_total: int = 0
    system_credit: FractionSum = NO_FRACTIONS
    system_total: int = 0

    @classmethod
    def whole(cls, gold_credit: int, gold_total: int, system_credit: int, system_total: int) -> ClusterTally:
        """A tally whose credits are whole numbers."""
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

    def restored(self, counts: Counts) -> ClusterTally:
        """The inverse of :meth:`as_dict`."""
        gold, system = (exact_sum(counts, f"{side}_credit", f"{side}_exact") for side in _SIDES)
        return ClusterTally(gold, amount(counts, "gold_total"), system, amount(counts, "system_total"))


class Rounded(FractionSum):
    """A sum of which only the rounded value is known, or, as an array, those of many resampled corpora."""

    __slots__ = ("_value",)

    def __init__(self, value: float) -> None:
        super().__init__()
        self._value = value

    @property
    def value(self) -> float:
        """The sum."""
        return self._value


def exact_sum(counts: Counts, rounded: str, exact: str) -> FractionSum:
    """The fraction behind the rounded sum of that name, where it is whole or written beside it."""
    found = amount(counts, rounded)
    if isinstance(found, int):
        return FractionSum({1: found})
    return FractionSum.of(amount(counts, exact)) if counts.get(exact) is not None else Rounded(found)


_SIDES = ("gold", "system")


@dataclass(frozen=True, slots=True)
class LinkTally(Additive):
    """The six link counts of BLANC: coreference and non-coreference links common to both sides, of gold, of system.

    With R, P, F of each kind of link (0 if the divisor is 0), BLANC is the mean of the two Rs, of the two Ps and of the
    two Fs: its F1 is *not* the harmonic mean of its P and R.  Only gold's links decide what is left out: without any
    gold link everything is 0, without gold coreference links the other kind alone counts, and the reverse (Luo et al.
    2014 as computed by the CoNLL reference scorer 8.01).
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
        """Links inside a cluster, as a tally of their own."""
        common = self.common_coreference
        return ClusterTally.whole(common, self.gold_coreference, common, self.system_coreference)

    @property
    def other(self) -> ClusterTally:
        """Links between clusters, as a tally of their own."""
        return ClusterTally.whole(self.common_other, self.gold_other, self.common_other, self.system_other)

    def score(self, *, empty: Empty = "zero") -> Score:  # noqa: ARG002 - BLANC has its own rules for 0/0
        """BLANC's P, R and F."""
        return mean_of_links(self, self.gold_coreference, self.gold_other)


def mean_of_links(links: LinkTally, coreference: int, other: int) -> Score:
    """The means over both kinds of links; a kind whose number is 0 is left out if there are any of the other."""
    inside = Tally(
        links.common_coreference, links.gold_coreference, links.common_coreference, links.system_coreference
    )
    between = Tally(links.common_other, links.gold_other, links.common_other, links.system_other)
    both = ((coreference == 0) & (other == 0)) | ((coreference != 0) & (other != 0))
    kinds = zip(inside.score(empty="zero")[:3], between.score(empty="zero")[:3], strict=True)
    return Score(*(where(both, _half(one, two), where(other == 0, one, two)) for one, two in kinds))


def _half(one: float | None, two: float | None) -> float | None:
    return None if one is None or two is None else (one + two) / 2


class MeanTally(NamedTuple):
    """The counts of several metrics whose F1s are averaged: MELA, the mean of the KBP event nugget task.

    The F1s are those of the added counts, unrounded; weights are 1 unless given.  P and R are left undefined: no paper
    defines them for a mean of metrics.
    """

    parts: Mapping[str, Figures]
    weights: tuple[float, ...] = ()

    @property
    def in_any_order(self) -> bool:
        """Whether the counts of all metrics add in any order."""
        return all(getattr(part, "in_any_order", False) for part in self.parts.values())

    def __add__(self, other: MeanTally) -> MeanTally:  # type: ignore[override]  # tallies add, tuples join
        parts = {name: part + other.parts[name] for name, part in self.parts.items()}
        return MeanTally(parts, self.weights)

    def score(self, *, empty: Empty = "zero") -> Score:
        """The mean F1."""
        figures = [or_zero(part.score(empty=empty).f1) for part in self.parts.values()]
        weights = self.weights or (1,) * len(figures)
        weighed = [weight * figure for weight, figure in zip(weights, figures, strict=True)]
        return Score(f1=total(*weighed) / total(*weights))

    def as_dict(self) -> dict[str, object]:
        """The counts by metric."""
        return {name: dict(part.as_dict()) for name, part in self.parts.items()}

    def restored(self, counts: Counts) -> MeanTally:
        """The inverse of :meth:`as_dict`."""
        parts = {name: part.restored(counts_of(counts, name)) for name, part in self.parts.items()}
        return MeanTally(parts, self.weights)


def mention_text(mention: Hashable) -> str:
    """A mention as text: first and last token, an id, or a document and one of the two."""
    if not isinstance(mention, tuple):
        return str(mention)
    if len(mention) == 2 and type(mention[0]) is int:  # most are one run of tokens
        first, end = mention
        return f"{first}-{end - 1}" if end - first > 1 else str(first)
    if mention and all(isinstance(part, int) for part in mention):
        ranges = zip(mention[::2], mention[1::2], strict=False)
        return ",".join(f"{first}-{end - 1}" if end - first > 1 else str(first) for first, end in ranges)
    if len(mention) == 2 and isinstance(mention[0], str):
        inner = mention_text(mention[1])
        return inner if mention[0] and mention[0] in inner else f"{mention[0]}#{inner}"
    return "+".join(map(mention_text, mention))
