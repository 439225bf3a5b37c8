"""The alignment of gold and system arguments: clusters of a document, counts of the rules, refusals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from operator import itemgetter
from typing import Literal, NamedTuple

from lydite.model.argument import Argument, Filler
from lydite.model.tally import Additive, Empty, Score

Identity = tuple[str, str, str, int | Filler]
"""Event type, role, realis, and the coreference id of the filler (or the filler itself, if it has no usable id)."""


class Refusal(NamedTuple):
    """Why a document cannot be scored, or a warning about it: a code, a sentence, the argument and its line."""

    code: str
    message: str
    argument: Argument | None = None
    line: int | None = None
    side: Literal["gold", "system"] = "gold"
    severity: Literal["error", "warning"] = "error"
    hint: str | None = None
    path: str | None = None
    """The file that holds the line, if it is not that of the arguments."""


@dataclass(frozen=True, slots=True)
class RuleCounts(Additive):
    """How many arguments each rule touched; the counts of two documents add.

    ``injure_*`` fell under a right Life.Die, ``dates_*`` were coarser than an accepted date, ``non_dates_wrong`` were
    accepted and are not dates, ``realis_expanded`` were added with the assessor's realis, ``realis_neutralized`` were
    set to Actual, ``unassessed`` are system arguments without an assessment, ``unassessed_selected`` those of them
    that decide over a cluster, ``unassessed_found`` those whose cluster holds a right answer of the pool, ``quoted``
    are system arguments that the quote filter left out.
    """

    injure_gold: int = 0
    injure_system: int = 0
    dates_gold: int = 0
    dates_system: int = 0
    non_dates_wrong: int = 0
    realis_expanded: int = 0
    realis_neutralized: int = 0
    unassessed: int = 0
    unassessed_selected: int = 0
    unassessed_found: int = 0
    quoted: int = 0

    def score(self, *, empty: Empty = "undefined") -> Score:
        """Counts have no score."""
        del empty
        return Score()


class ClusterCase(NamedTuple):
    """What decides how a cluster counts.

    Whether the system has an argument in it; whether the selected one was assessed, is good, is perfect; whether gold
    holds a good and a perfect argument there.
    """

    answered: bool
    assessed: bool
    good: bool
    perfect: bool
    holds_good: bool
    holds_perfect: bool


@dataclass(eq=False, slots=True)
class ArgumentCluster:
    """A cluster of a document; systems with the same argument share the object."""

    identity: Identity
    gold: tuple[Argument, ...]
    system: tuple[Argument, ...]
    selected: Argument | None
    case: ClusterCase

    @property
    def fillers(self) -> list[Filler]:
        """Every canonical argument string of the cluster, once, by offsets."""
        fillers = {(argument.text, argument.span) for argument in (*self.gold, *self.system)}
        return sorted(fillers, key=itemgetter(1, 0)) if len(fillers) > 1 else list(fillers)


@dataclass(frozen=True, slots=True)
class ArgumentAlignment:
    """A document under a profile: its clusters, how many of them are in each case, and what the rules did."""

    clusters: tuple[ArgumentCluster, ...]
    cases: Mapping[ClusterCase, int]
    counts: RuleCounts
    refusals: tuple[Refusal, ...] = ()


@dataclass(frozen=True, slots=True)
class FrameAlignment:
    """Event frames of a document on both sides, over the clusters of its arguments (2015 linking).

    ``gold`` and ``system`` are sets of clusters that share an event; Generic clusters, wrong system arguments and
    clusters that the gold frames lack are not in them, and neither are frames that this left empty.
    """

    arguments: ArgumentAlignment
    gold: tuple[frozenset[Identity], ...]
    system: tuple[frozenset[Identity], ...]
