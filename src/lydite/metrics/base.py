"""The declaration of a metric: counts from an alignment, a citation, and the laws that it obeys."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Any, NamedTuple

from lydite.model import Figures


class Law(Enum):
    """A property that a metric has unless its declaration says otherwise; the property tests check it."""

    SELF = "a system equal to gold scores 1"
    SWAP = "exchanging the sides exchanges precision and recall"
    RENAME = "renaming ids changes nothing"
    SHUFFLE = "shuffling lines changes nothing where similarities do not tie"
    ADD = "the tally of two documents is the sum of their tallies"
    SPURIOUS = "a spurious mention never raises precision"
    BOUNDS = "0 <= score <= 1"


class MetricDeclaration(NamedTuple):
    """A metric: ``measure`` turns an alignment into additive counts.

    All laws hold except the ``exceptions``, which give the reason.  ``weaknesses`` tell a reader what the figure does not
    show.
    """

    name: str
    title: str
    cite: str
    measure: Callable[[Any], Figures]
    weaknesses: str = ""
    exceptions: tuple[tuple[Law, str], ...] = ()
    domain: str = "mentions"
    """What ``measure`` takes: an alignment of ``mentions``, one of ``clusters``, or one of clusters over ``nodes``."""
    counts_copies: bool = False
    """Whether every copy of a repeated mention counts; then, and only then, figures can exceed 1.

    Only the reading ``as-official`` scores such files.
    """
    links_between: bool = False
    """Whether links between clusters count, so that the counts of components do not add up to those of the whole."""
    worst: float | None = 0.0
    """The lower end of the figures of a corpus; None if there is none.  The upper end is 1."""

    @property
    def laws(self) -> frozenset[Law]:
        """The properties that hold."""
        return frozenset(Law).difference(law for law, _ in self.exceptions)
