"""What a page is made from: a summary, a comparison, explanations, and documents."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from lydite.model import Summary
from lydite.model.comparison import Comparison, FigureRanks
from lydite.model.curve import Bin, Curve
from lydite.model.verdict import Budget, ConfusionMatrix, VerdictDocument
from lydite.report.page.sides import EMPTY_SIDE, PageSide


class ShownDocument(NamedTuple):
    """A document with its text, its gold side, and its system sides by name."""

    doc_id: str
    text: str | None
    gold: PageSide = EMPTY_SIDE
    systems: Mapping[str, PageSide] = {}


class Definition(NamedTuple):
    """A metric on the page: its name, its title, who defined it, and its formula."""

    name: str
    title: str
    cite: str
    formula: str = ""


class ExplainedSystem(NamedTuple):
    """The explanation of a system; calling ``verdicts`` makes the verdicts."""

    value: float | None
    budget: Budget | None
    confusions: Mapping[str, ConfusionMatrix]
    verdicts: Callable[[], Iterable[VerdictDocument]]


@dataclass(frozen=True, slots=True)
class PageMaterial:
    """Everything that the page shows; the page computes no score.

    ``explanations``, ``curves`` and ``bins`` are by system.  A section without material is left out, and ``absent`` has
    the reason, by section.
    """

    summary: Summary
    comparison: Comparison | None = None
    explanations: Mapping[str, ExplainedSystem] = field(default_factory=dict)
    documents: Callable[[], Iterable[ShownDocument]] = tuple
    curves: Mapping[str, Curve] = field(default_factory=dict)
    bins: Mapping[str, Sequence[Bin]] = field(default_factory=dict)
    definitions: tuple[Definition, ...] = ()
    cite: tuple[str, ...] = ()
    absent: Mapping[str, str] = field(default_factory=dict)
    ranks: FigureRanks | None = None
