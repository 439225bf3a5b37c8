"""The shapes of the entries in the diagnosis of a summary: what tasks record of each document, for reports."""

from __future__ import annotations

from typing import NotRequired, TypeAlias, TypedDict

from lydite.model.triple import TripleDocument

CountTable: TypeAlias = dict[str, dict[str, int]]
"""Counts by row and column, as in a contingency table."""
RunningSums: TypeAlias = dict[str, dict[str, float]]
"""By metric: credits added one by one, as an official program does, with its rounding errors."""


class ShownMention(TypedDict):
    """A mention of an event nugget document, as reports show it."""

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
    """Two mentions that were paired, and whether their attributes agree."""

    gold: ShownMention
    system: ShownMention
    similarity: float
    type_agrees: bool
    realis_agrees: bool


class Partner(TypedDict):
    """Two mentions, by position, of a mapping in which mentions have several partners."""

    gold: int
    system: int
    similarity: float


class ChainMember(TypedDict):
    """A mention of a cluster as the file has it."""

    id: str
    text: str | None


class MentionsOfDocument(TypedDict):
    """The entry of a document in the event nugget task."""

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
    running: NotRequired[RunningSums]
    has_chains: NotRequired[bool]
    links: NotRequired[dict[str, list[list[str]]]]


class ClusterFate(TypedDict):
    """What became of a cluster: its parts in clusters of the other side, and its mentions in none."""

    id: str
    size: int
    fate: str
    parts: dict[str, int]
    missed: NotRequired[list[str]]
    spurious: NotRequired[list[str]]


class ReadSide(TypedDict):
    """The clusters of a side as they were read, and what was discarded."""

    discarded: list[str]
    clusters: list[list[str]]


class ClustersOfDocument(TypedDict):
    """The entry of a document in the coreference task, as far as reports show it."""

    document: str
    clusters: NotRequired[dict[str, list[ClusterFate]]]
    running: NotRequired[RunningSums]
    place: NotRequired[list[str | int]]
    copies: NotRequired[dict[str, list[list[object]]]]
    echo: NotRequired[dict[str, ReadSide | None]]


class SideCounts(TypedDict):
    """Numbers of triples of a side, and of the ids of their elements."""

    triples: int
    in_range: int
    out_of_range: int
    unique: int
    first_ids: int
    second_ids: int
    mean_first_ids: float | None
    mean_second_ids: float | None


class ListedTriples(TypedDict):
    """Triples, with their number by relation."""

    count: int
    by_relation: dict[str, int]
    triples: list[TripleDocument]


class TriplePair(TypedDict):
    """Two triples that were paired."""

    gold: TripleDocument
    system: TripleDocument


class CorrectTriples(TypedDict):
    """The pairs that are correct."""

    count: int
    pairs: list[TriplePair]


class GreedyElements(TypedDict):
    """Counts of elements as the reference program has them."""

    gold: int
    system: int
    correct: int
    incorrect: int
    label_matches: dict[str, int]
    label_mismatches: dict[str, int]


class TriplesDiagnosis(TypedDict):
    """The diagnosis of a comparison in the triples task."""

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
    """The entry of a document in the triples task."""

    document: str
    system: str
