"""What tasks tell of a document beside its scores, as reports read it from the diagnosis of a summary."""

from __future__ import annotations

from typing import NotRequired, TypeAlias, TypedDict

from lydite.model.triple import TripleDocument

CountTable: TypeAlias = dict[str, dict[str, int]]
"""How often what stands in the row where what stands in the column."""
Running: TypeAlias = dict[str, dict[str, float]]
"""By metric: credits as an official program adds them up, one by one."""


class ShownMention(TypedDict):
    """A mention of an event nugget document."""

    position: int
    id: str
    span: str
    text: str
    type: str
    realis: str
    compared: dict[str, str]
    line: int
    written: NotRequired[str]
    words: NotRequired[dict[str, str | None]]


class MentionPair(TypedDict):
    """Two mentions that were joined, and whether their attributes agree."""

    gold: ShownMention
    system: ShownMention
    similarity: float
    type_agrees: bool
    realis_agrees: bool


class Partner(TypedDict):
    """Two mentions, by their places, of a mapping with several partners."""

    gold: int
    system: int
    similarity: float


class ChainMember(TypedDict):
    """A mention of a cluster as it was written."""

    id: str
    text: str | None


class MentionsOfDocument(TypedDict):
    """What the event nugget task tells of a document."""

    document: str
    system: str
    pairs: list[MentionPair]
    missed: list[ShownMention]
    spurious: list[ShownMention]
    agreement: dict[str, CountTable]
    partners: NotRequired[list[Partner]]
    types: dict[str, list[str]]
    credits: dict[str, list[float]]
    run: str
    chains: NotRequired[dict[str, list[list[ChainMember]]]]
    running: NotRequired[Running]
    has_chains: NotRequired[bool]
    links: NotRequired[dict[str, list[list[str]]]]


class ClusterFate(TypedDict):
    """What became of a cluster: the parts of it that are in clusters of the other side, and what is in none."""

    id: str
    size: int
    fate: str
    parts: dict[str, int]
    missed: NotRequired[list[str]]
    spurious: NotRequired[list[str]]


class ReadSide(TypedDict):
    """The clusters of a side as they were read."""

    discarded: list[str]
    clusters: list[list[str]]


class ClustersOfDocument(TypedDict):
    """What the coreference task tells of a document, as far as reports show it."""

    document: str
    clusters: NotRequired[dict[str, list[ClusterFate]]]
    running: NotRequired[Running]
    place: NotRequired[list[str | int]]
    copies: NotRequired[dict[str, list[list[object]]]]
    echo: NotRequired[dict[str, ReadSide | None]]


class SideCounts(TypedDict):
    """How many triples a side has, and how many ids their elements."""

    triples: int
    in_range: int
    out_of_range: int
    unique: int
    first_ids: int
    second_ids: int
    mean_first_ids: float | None
    mean_second_ids: float | None


class ListedTriples(TypedDict):
    """Triples, and how many of them there are by relation."""

    count: int
    by_relation: dict[str, int]
    triples: list[TripleDocument]


class TriplePair(TypedDict):
    """Two triples that were joined."""

    gold: TripleDocument
    system: TripleDocument


class CorrectTriples(TypedDict):
    """The pairs that count."""

    count: int
    pairs: list[TriplePair]


class GreedyElements(TypedDict):
    """Elements as the reference counts them."""

    gold: int
    system: int
    correct: int
    incorrect: int
    label_matches: dict[str, int]
    label_mismatches: dict[str, int]


class TriplesDiagnosis(TypedDict):
    """What the triples task tells of a comparison."""

    headline: str
    scope: int | None
    spellings: NotRequired[dict[str, dict[str, str]]]
    counts: dict[str, SideCounts]
    missed: ListedTriples
    correct: CorrectTriples
    wrong_relation: ListedTriples
    spurious: NotRequired[ListedTriples]
    confusion: CountTable
    profile_confusion: CountTable
    agreement: NotRequired[dict[str, CountTable]]
    labels: NotRequired[dict[str, CountTable]]
    elements: NotRequired[dict[str, GreedyElements]]


class TriplesOfDocument(TriplesDiagnosis):
    """The same with the document that it is of."""

    document: str
    system: str
