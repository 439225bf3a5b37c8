"""ACE elements after they were valued and mapped: occurrences, outcomes, and the value of each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal, NamedTuple

from lydite.model.ace import Region
from lydite.model.ace_settings import AceSettings

GOLD, SYSTEM = "gold", "system"
Status = Literal["correct", "error", "miss", "fa", "free"]
"""The outcome of an occurrence; ``free`` is a system occurrence that neither counts nor costs."""


class ScoredMention(NamedTuple):
    """A mention with the weight that the profile gives it.

    ``place`` is what overlaps are taken from: the head of an entity mention, the extent of all others.
    """

    id: str
    place: Region
    extent: Region
    type: str
    role: str
    style: str
    weight: float
    self_score: float
    arguments: tuple[tuple[str, str], ...] = ()


class Occurrence(NamedTuple):
    """An element in one document, with its worth under the profile.

    ``mass`` is the sum of the self scores of its mentions (1 where mentions are not used), ``map_norm`` and
    ``eval_norm`` the factors of weighting by level, ``worth`` is v(x, x), ``value`` and ``false_alarm`` what it is
    worth as gold and as a spurious system element; ``map_false_alarm`` the same in the mapping pass.
    """

    element: str
    kind: str
    doc_id: str
    attributes: Mapping[str, str]
    mentions: tuple[ScoredMention, ...]
    names: tuple[str, ...]
    language: str
    source: str
    line: int
    mass: float = 0.0
    worth: float = 0.0
    map_norm: float = 1.0
    eval_norm: float = 1.0
    value: float = 0.0
    false_alarm: float = 0.0
    map_false_alarm: float = 0.0
    traits: tuple[str | None, ...] = ()
    """The values of its attributes in a fixed order, by which pairs of equal worth are recognised."""
    matched: frozenset[int] = frozenset()
    """Positions of the mentions of a system occurrence that match any gold mention of the document."""


class CorpusElement(NamedTuple):
    """An element with all of its occurrences, in the order of the ids of documents.

    ``arguments`` are (role, filler) in their order; ``host`` is the element that a promoted mention came from.
    """

    id: str
    kind: str
    occurrences: Mapping[str, Occurrence]
    arguments: tuple[tuple[str, str], ...] = ()
    links: Mapping[str, str] = MappingProxyType({})
    name_entropy: float | None = None
    host: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class ArgumentPairs:
    """The arguments of a mapped relation or event: which were joined, and how many are errors.

    ``pairs`` are (gold role, gold filler, system role, system filler); ``errors`` the number of argument errors.
    """

    pairs: tuple[tuple[str, str, str, str], ...]
    gold_count: int
    system_count: int
    errors: int


class ElementOutcome(NamedTuple):
    """The outcome of one occurrence, or of a pair of occurrences of one document.

    ``value`` is what was earned (the false-alarm value of a spurious one), ``maximum`` what gold is worth, ``cost``
    the difference; the other costs say where it was lost.  ``mentions`` and ``names`` are joined items by position.
    """

    gold: Occurrence | None
    system: Occurrence | None
    status: Status
    value: float
    maximum: float
    cost: float
    attribute_cost: float = 0.0
    missed_cost: float = 0.0
    error_cost: float = 0.0
    false_cost: float = 0.0
    mentions: tuple[tuple[int, int], ...] = ()
    names: tuple[tuple[int, int], ...] = ()
    arguments: ArgumentPairs | None = None


PairValues = Mapping[tuple[str, str], float]
"""The value of a pair, by gold and system element."""


class TiedValues(NamedTuple):
    """The values of a section under equally good mappings, as shares of gold's value; the own one is that of the report.

    If not ``exact``, there can be lower and higher ones.
    """

    lowest: float
    own: float
    highest: float
    exact: bool


@dataclass(frozen=True, slots=True, eq=False)
class KindAlignment:
    """All elements of one kind, the mapping, and the outcomes document by document.

    ``partner`` maps ids of gold elements to those of system elements, ``gold_of`` the other way round.
    """

    gold: Mapping[str, CorpusElement]
    system: Mapping[str, CorpusElement]
    partner: Mapping[str, str]
    gold_of: Mapping[str, str]
    outcomes: Mapping[str, tuple[ElementOutcome, ...]]
    candidate_values: Callable[[str], PairValues]
    """The pairs that could be mapped and occur together in a document, with the value of each there."""
    listed_values: Mapping[tuple[str, str], float] = field(default_factory=dict)
    """Values of system occurrences (element, document) that are listed with another value than they count."""

    argument_errors: Mapping[str, int] = field(default_factory=dict)
    """The number of argument errors of every mapped gold relation or event."""

    surplus_argument_errors: Mapping[str, int] = field(default_factory=dict)
    """The number of argument errors of mapped system relations and events in documents that their partners lack."""

    ties: TiedValues | None = None
    """The values of the section under equally good mappings, where they differ."""

    elsewhere: frozenset[str] = frozenset()
    """The sides that have elements of the kind in documents that are compared elsewhere."""

    @property
    def in_gold(self) -> bool:
        """Whether gold has an element of the kind; where it has none, nothing is scored."""
        return bool(self.gold) or GOLD in self.elsewhere

    @property
    def scored_officially(self) -> bool:
        """Whether the official scorers print anything of the kind: where only gold has an element of it, they do not."""
        return bool(self.system) or SYSTEM in self.elsewhere or not self.in_gold


MentionMatch = tuple[int, int, float]
"""Positions of a gold and a system mention in their occurrences, and the score q of the pair."""

MentionMatches = Mapping[tuple[str, str], Sequence[MentionMatch]]
"""Of one document: the matching mention pairs by gold and system element."""


@dataclass(frozen=True, slots=True, eq=False)
class AceAlignment:
    """All sections (a kind, or ``mention_`` and a kind) of a comparison, and what B-cubed needs.

    ``matches`` are the matching mentions by kind (entities, values, times) and document; ``similarities`` gives, by document,
    the similarity of entities that occur in it.
    """

    doc_ids: Sequence[str]
    sections: Mapping[str, KindAlignment]
    matches: Mapping[str, Mapping[str, MentionMatches]]
    parameters: AceSettings
    similarities: Callable[[], Mapping[str, PairValues]]
